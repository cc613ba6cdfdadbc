//! Structure: operands, results, attributes, regions, terminators, types that cross operations, names.

use crate::kernels::{findings, whole_text};

fn check(name: &str, program: &str, code: &str, needles: &[&str]) {
    let found = findings(program, "a5");
    let hit = found.iter().find(|d| d.code == code);
    let hit = hit.unwrap_or_else(|| panic!("{name}: no {code} in {found:#?}\n{program}"));
    let text = whole_text(hit);
    for needle in needles {
        assert!(text.contains(needle), "{name}: `{needle}` is not in\n{text}");
    }
}

#[test]
fn operands_and_results_follow_the_table() {
    let t = "!pto.tile_buf<vec, 16x16xf32>";
    check(
        "a number for a tile",
        &format!("func.func @k(%a: f32, %c: {t}) {{\n  pto.texp ins(%a : f32) outs(%c : {t})\n  return\n}}"),
        "PTO-V003",
        &["`src` must be a tile", "this is f32"],
    );
    check(
        "values in the DPS form",
        "func.func @k(%a: !pto.tile<vec, 16x16xf32>, %c: !pto.tile<vec, 16x16xf32>) {\n  \
         pto.texp ins(%a : !pto.tile<vec, 16x16xf32>) outs(%c : !pto.tile<vec, 16x16xf32>)\n  return\n}",
        "PTO-V007",
        &["`dst` is a tile value", "!pto.tile_buf"],
    );
    check(
        "buffers in the SSA form",
        &format!("func.func @k(%a: {t}) {{\n  %c = pto.texp %a : ({t}) -> {t}\n  return\n}}"),
        "PTO-V007",
        &["the result of the value form is a buffer"],
    );
}

/// The text forms cannot express it, but a pass could make it.
#[test]
fn operand_groups_are_counted() {
    let t = "!pto.tile_buf<vec, 16x16xf32>";
    let program = format!("func.func @k(%a: {t}, %c: {t}) {{\n  pto.texp ins(%a : {t}) outs(%c : {t})\n  return\n}}");
    let mut ir = ptoc_dialect::resolve(&program, 0..program.len(), &ptoc_dialect::ResolveOptions::default()).ir;
    let exp = (0..ir.op_count()).map(ptoc_ir::OpId::from_index).find(|&o| ir.op_name(o) == "pto.texp").unwrap();
    ir.set_segment(exp, 1, &[]);
    let found = ptoc_verify::verify(&ir, &ptoc_target::Target::A5, &ptoc_verify::VerifyOptions::default());
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, "PTO-V002");
    assert_eq!(found[0].message, "texp: 0 values for `dst`, exactly one expected");
    assert_eq!(found[0].notes, ["its operands are src, dst"]);
}

#[test]
fn operations_exist_on_the_target() {
    let t = "!pto.tile_buf<vec, 16x16xf32>";
    let program = format!(
        "func.func @k(%a: {t}, %b: {t}, %c: {t}, %d: {t}) {{\n  \
         pto.tinterleave ins(%a, %b : {t}, {t}) outs(%c, %d : {t}, {t})\n  return\n}}"
    );
    assert_eq!(findings(&program, "a5"), []);
    let found = findings(&program, "a2a3");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].code, "PTO-V006");
    assert_eq!(found[0].message, "tinterleave: a2a3 does not have this operation");
    assert_eq!(found[0].notes, ["it exists on a5"]);
}

#[test]
fn values_cross_control_flow_with_their_types() {
    check(
        "yield of a loop",
        "func.func @k(%n: index) {\n  %z = arith.constant 0 : index\n  %f = arith.constant 0.0 : f32\n  \
         %r = scf.for %i = %z to %n step %n iter_args(%x = %f) -> (f32) {\n    scf.yield %i : index\n  }\n  return\n}",
        "PTO-V010",
        &["scf.yield: the values have other types than expected", "(index)", "(f32)"],
    );
    check(
        "return",
        "func.func @k(%n: index) -> f32 {\n  return %n : index\n}",
        "PTO-V010",
        &["return: the values have other types"],
    );
    check(
        "call",
        "func.func private @f(f32) -> f32\nfunc.func @k(%n: index) {\n  %r = func.call @f(%n) : (index) -> f32\n  return\n}",
        "PTO-V010",
        &["func.call: the arguments", "(index)", "(f32)"],
    );
    check(
        "branch",
        "func.func @k(%n: index) {\n  cf.br ^a(%n : index)\n^a(%x: f32):\n  return\n}",
        "PTO-V010",
        &["cf.br: the values for the block"],
    );
    check(
        "condition with results and one arm",
        "func.func @k(%c: i1, %n: index) {\n  %r = scf.if %c -> (index) {\n    scf.yield %n : index\n  }\n  return\n}",
        "PTO-V008",
        &["with results there must be an `else`"],
    );
}

#[test]
fn blocks_end_with_terminators() {
    check(
        "no return",
        "func.func @k(%n: index) -> index {\n  %a = arith.addi %n, %n : index\n}",
        "PTO-V009",
        &["a block does not end with a terminator"],
    );
    check(
        "operations behind a return",
        "func.func @k(%n: index) {\n  return\n  %a = arith.addi %n, %n : index\n  return\n}",
        "PTO-V009",
        &["operations follow this terminator"],
    );
}

#[test]
fn names_are_defined_once_and_found() {
    check(
        "no function",
        "func.func @kernel() {\n  return\n}\nfunc.func @k() {\n  func.call @kernal() : () -> ()\n  return\n}",
        "PTO-V011",
        &["no function `@kernal`", "did you mean `@kernel`?"],
    );
    check(
        "twice",
        "func.func @k() {\n  return\n}\nfunc.func @k() {\n  return\n}",
        "PTO-V011",
        &["`@k` is defined twice"],
    );
}

#[test]
fn definitions_dominate_uses() {
    check(
        "defined on one path only",
        "func.func @k(%c: i1, %n: index) {\n  cf.cond_br %c, ^a, ^b\n^a:\n  %x = arith.addi %n, %n : index\n  cf.br ^b\n^b:\n  \
         %y = arith.addi %x, %n : index\n  return\n}",
        "PTO-V001",
        &["`%x` is used where it is not defined on every path"],
    );
    let good = "func.func @k(%c: i1, %n: index) {\n  %x = arith.addi %n, %n : index\n  cf.cond_br %c, ^a, ^b\n^a:\n  cf.br ^b\n^b:\n  \
                %y = arith.addi %x, %n : index\n  return\n}";
    assert_eq!(findings(good, "a5"), []);
}

#[test]
fn findings_are_bounded_and_in_order() {
    let t = "!pto.tile_buf<vec, 16x16xf32>";
    let h = "!pto.tile_buf<vec, 16x16xf16>";
    let line = format!("  pto.texp ins(%a : {h}) outs(%c : {t})\n");
    let program = format!("func.func @k(%a: {h}, %c: {t}) {{\n{}  return\n}}", line.repeat(50));
    let resolved = ptoc_dialect::resolve(&program, 0..program.len(), &ptoc_dialect::ResolveOptions::default());
    let target = ptoc_target::Target::A5;
    let all = ptoc_verify::verify(&resolved.ir, &target, &ptoc_verify::VerifyOptions::default());
    assert_eq!(all.len(), 50);
    assert!(all.is_sorted_by_key(|d| d.primary_span().start));
    let some = ptoc_verify::verify(
        &resolved.ir,
        &target,
        &ptoc_verify::VerifyOptions { max_findings: 10, ..Default::default() },
    );
    assert_eq!(some.len(), 11);
    assert_eq!(some[10].message, "40 more findings are not shown");
}
