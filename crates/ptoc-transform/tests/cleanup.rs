//! Folding, common subexpressions and dead code by example.

mod common;

use common::after;

fn body(text: &str, passes: &[&str]) -> Vec<String> {
    let program =
        format!("func.func @k(%x: index, %y: index, %b: i1, %i: i32, %p: !pto.ptr<f32>) {{\n{text}\n  return\n}}\n");
    after(&program, passes).lines().skip(1).map(|l| l.trim().to_owned()).filter(|l| l != "return" && l != "}").collect()
}

const USE: &str = "pto.store_scalar %f, %p[%r] : !pto.ptr<f32>, f32";

#[test]
fn arithmetic_on_known_numbers_is_done() {
    let found = body(
        &format!(
            "%f = arith.constant 0.0 : f32
%c3 = arith.constant 3 : index
%c4 = arith.constant 4 : i32
%w = arith.index_cast %c4 : i32 to index
%m = arith.muli %c3, %w : index
%c5 = arith.constant 5 : index
%q = arith.ceildivsi %m, %c5 : index
%t = arith.cmpi slt, %q, %c5 : index
%r = arith.select %t, %q, %x : index
{USE}"
        ),
        &["canonicalize"],
    );
    assert_eq!(
        found,
        [
            "%f = arith.constant 0.000000e+00 : f32",
            "%0 = arith.constant 3 : index",
            "pto.store_scalar %f, %p[%0] : !pto.ptr<f32, gm>, f32"
        ]
    );
}

#[test]
fn neutral_operands_go() {
    let found = body(
        &format!(
            "%f = arith.constant 0.0 : f32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%a = arith.addi %x, %c0 : index
%m = arith.muli %c1, %a : index
%d = arith.divsi %m, %c1 : index
%z = arith.subi %y, %y : index
%r = arith.addi %d, %z : index
{USE}"
        ),
        &["canonicalize"],
    );
    assert_eq!(
        found,
        ["%f = arith.constant 0.000000e+00 : f32", "pto.store_scalar %f, %p[%x] : !pto.ptr<f32, gm>, f32"]
    );
}

#[test]
fn a_cast_there_and_back_goes_unless_it_loses_bits() {
    let there = format!(
        "%f = arith.constant 0.0 : f32
%w = arith.index_cast %x : index to i64
%r = arith.index_cast %w : i64 to index
{USE}"
    );
    assert_eq!(body(&there, &["canonicalize"]).len(), 2);
    assert_eq!(body(&there.replace("i64", "i32"), &["canonicalize"]).len(), 4);
}

#[test]
fn constants_of_a_function_are_one_each_at_its_head() {
    let found = body(
        "%a = arith.constant 1.0 : f32
scf.if %b {
  %one = arith.constant 1 : index
  pto.store_scalar %a, %p[%one] : !pto.ptr<f32>, f32
} else {
  %two = arith.constant 1 : index
  %c = arith.constant 1.0 : f32
  pto.store_scalar %c, %p[%two] : !pto.ptr<f32>, f32
}",
        &["canonicalize"],
    );
    assert_eq!(
        found[..3],
        ["%a = arith.constant 1.000000e+00 : f32", "%one = arith.constant 1 : index", "scf.if %b {"]
    );
    assert_eq!(found.iter().filter(|l| l.contains("arith.constant")).count(), 2);
}

#[test]
fn division_by_zero_stays() {
    let found = body(
        &format!(
            "%f = arith.constant 0.0 : f32
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%r = arith.divsi %c1, %c0 : index
{USE}"
        ),
        &["canonicalize"],
    );
    assert!(found.iter().any(|l| l.contains("arith.divsi")), "{found:#?}");
}

#[test]
fn what_nobody_uses_goes_and_what_acts_stays() {
    let text = "%f = arith.constant 0.0 : f32
%a = arith.addi %x, %y : index
%b2 = arith.muli %a, %a : index
%t = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
%u = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32>
pto.texpands ins(%f : f32) outs(%u : !pto.tile_buf<vec, 8x8xf32>)";
    for passes in [&["dce"], &["canonicalize"]] {
        let found = body(text, passes);
        assert_eq!(found.len(), 3, "{found:#?}");
        assert!(found[1].starts_with("%u = pto.alloc_tile"), "{found:#?}");
    }
}

#[test]
fn the_same_work_is_done_once_where_it_can_be_seen() {
    let found = body(
        "%f = arith.constant 0.0 : f32
%a = arith.addi %x, %y : index
scf.if %b {
  %c = arith.addi %x, %y : index
  %d = arith.muli %c, %c : index
  pto.store_scalar %f, %p[%d] : !pto.ptr<f32>, f32
} else {
  %d = arith.muli %a, %a : index
  pto.store_scalar %f, %p[%d] : !pto.ptr<f32>, f32
}",
        &["cse"],
    );
    assert_eq!(found.iter().filter(|l| l.contains("arith.addi")).count(), 1);
    assert_eq!(found.iter().filter(|l| l.contains("arith.muli %a, %a")).count(), 2, "{found:#?}");
}

#[test]
fn reads_are_not_shared() {
    let found = body(
        "%c0 = arith.constant 0 : index
%v = pto.load_scalar %p[%c0] : !pto.ptr<f32> -> f32
pto.store_scalar %v, %p[%x] : !pto.ptr<f32>, f32
%w = pto.load_scalar %p[%c0] : !pto.ptr<f32> -> f32
pto.store_scalar %w, %p[%y] : !pto.ptr<f32>, f32",
        &["cse", "canonicalize"],
    );
    assert_eq!(found.iter().filter(|l| l.contains("load_scalar")).count(), 2);
}

#[test]
fn long_chains_fold_in_one_go() {
    let mut text = String::from(
        "%f = arith.constant 0.0 : f32\n%c1 = arith.constant 1 : index\n%v0 = arith.addi %c1, %c1 : index\n",
    );
    for i in 0..20_000 {
        text.push_str(&format!("%v{} = arith.addi %v{i}, %c1 : index\n", i + 1));
    }
    text.push_str("pto.store_scalar %f, %p[%v20000] : !pto.ptr<f32>, f32");
    let found = body(&text, &["canonicalize"]);
    assert_eq!(found.len(), 3);
    assert!(found[1].contains("arith.constant 20002 : index"), "{found:#?}");
}

#[test]
fn passes_have_names_of_their_own() {
    let names: Vec<&str> = ptoc_transform::passes().iter().map(|p| p.name).collect();
    for n in ["convert-to-ssa", "convert-to-dps", "convert-to-sync", "assign-addresses", "canonicalize", "cse", "dce"] {
        assert_eq!(names.iter().filter(|m| **m == n).count(), 1, "{n}");
    }
}
