//! Elementwise instructions, conversions and whole kernels on A5.

mod support;

use ptoc_target::{Arch, Loc};
use support::exec::{Run, Val};
use support::{at, codes, run_a5};

fn vec(shape: &str, rest: &str) -> String {
    let comma = if rest.is_empty() { "" } else { ", " };
    format!("!pto.tile_buf<vec, {shape}{comma}{rest}>")
}

const A: i64 = 0;
const B: i64 = 65536;
const D: i64 = 131_072;

/// `pto.op ins(%a, %b)` to a third tile; the sizes are those that a run-time valid size has.
fn two(op: &str, t: &str, size: i64, sizes: &[i64]) -> Run {
    let text = format!(
        "func.func @k(%a: {t}, %b: {t}, %d: {t}) {{\n  pto.{op} ins(%a, %b : {t}, {t}) outs(%d : {t})\n  return\n}}\n"
    );
    let mut args = Vec::new();
    for addr in [A, B, D] {
        args.push(at(Loc::Vec, addr, size));
        args.extend(sizes.iter().map(|&n| Val::Int(n)));
    }
    run_a5(&text, &args)
}

fn rows(n: i64, bytes: i64, pitch: i64) -> impl Iterator<Item = i64> {
    (0..n).flat_map(move |i| (0..bytes).map(move |b| D + i * pitch + b))
}

#[test]
fn a_full_tile_is_a_run_of_registers() {
    // 16 x 16 words are 4 registers, whatever the rows are.
    for (op, f) in
        [("tadd", "vadd"), ("tsub", "vsub"), ("tmul", "vmul"), ("tdiv", "vdiv"), ("tmax", "vmax"), ("tmin", "vmin")]
    {
        let got = two(op, &vec("16x16xf32", ""), 4, &[]);
        let mut want = vec!["pset_b32"];
        want.extend(["vlds", "vlds", f, "vsts"].repeat(4));
        assert_eq!(got.names(), want, "{op}");
        assert!(got.bytes("ub").into_iter().eq(rows(1, 1024, 0)), "{op}");
    }
}

#[test]
fn rows_with_a_gap_are_masked() {
    let got = two("tadd", &vec("16x96xf16", "valid=5x70"), 2, &[]);
    let mut want = vec!["plt_b16"];
    want.extend(["vlds", "vlds", "vadd", "vsts"].repeat(5));
    assert_eq!(got.names(), want);
    assert!(got.bytes("ub").into_iter().eq(rows(5, 140, 192)));
}

#[test]
fn run_time_sizes_write_the_same_bytes() {
    let t = vec("16x96xf32", "valid=?x?");
    for (r, c) in [(16, 96), (16, 64), (1, 1), (5, 70), (9, 65), (0, 5)] {
        let got = two("tmul", &t, 4, &[r, c]);
        assert!(got.bytes("ub").into_iter().eq(rows(r, 4 * c, 384)), "{r}x{c}");
    }
}

fn scalar(op: &str, t: &str, elem: &str, first: bool, v: Val) -> Run {
    let (values, types) = if first { ("%s, %a", format!("{elem}, {t}")) } else { ("%a, %s", format!("{t}, {elem}")) };
    let text = format!(
        "func.func @k(%a: {t}, %s: {elem}, %d: {t}) {{\n  pto.{op} ins({values} : {types}) outs(%d : {t})\n  return\n}}\n"
    );
    run_a5(&text, &[at(Loc::Vec, A, 4), v, at(Loc::Vec, D, 4)])
}

#[test]
fn a_scalar_goes_to_the_instruction_or_to_a_register() {
    let t = vec("16x16xf32", "");
    for (op, f) in [("tadds", "vadds"), ("tmuls", "vmuls"), ("tmaxs", "vmaxs"), ("tmins", "vmins")] {
        let got = scalar(op, &t, "f32", false, Val::Float(2.0));
        let mut want = vec!["pset_b32"];
        want.extend(["vlds", f, "vsts"].repeat(4));
        assert_eq!(got.names(), want, "{op}");
        assert!(got.issues.iter().filter(|i| i.name == f).all(|i| i.args.contains(&Val::Float(2.0))), "{op}");
    }
    // The quotient of a number by a tile has the number in a register.
    let got = scalar("tdivs", &t, "f32", true, Val::Float(2.0));
    assert_eq!(got.names().iter().filter(|n| **n == "vdiv").count(), 4);
    assert_eq!(got.names().iter().filter(|n| **n == "vbr").count(), 1);
}

#[test]
fn a_number_fills_a_tile() {
    let t = vec("16x16xi16", "valid=16x5");
    let text =
        format!("func.func @k(%s: i16, %d: {t}) {{\n  pto.texpands ins(%s : i16) outs(%d : {t})\n  return\n}}\n");
    let got = run_a5(&text, &[Val::Int(7), at(Loc::Vec, D, 2)]);
    let mut want = vec!["vbr", "plt_b16"];
    want.extend(["vsts"; 16]);
    let mut names = got.names();
    names[..2].sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(names, want);
    assert!(got.bytes("ub").into_iter().eq(rows(16, 10, 32)));
}

#[test]
fn one_operand() {
    for (op, f) in [("texp", "vexp"), ("tabs", "vabs"), ("tsqrt", "vsqrt"), ("tlog", "vln"), ("trelu", "vrelu")] {
        let t = vec("16x16xf32", "");
        let text =
            format!("func.func @k(%a: {t}, %d: {t}) {{\n  pto.{op} ins(%a : {t}) outs(%d : {t})\n  return\n}}\n");
        let got = run_a5(&text, &[at(Loc::Vec, A, 4), at(Loc::Vec, D, 4)]);
        let mut want = vec!["pset_b32"];
        want.extend(["vlds", f, "vsts"].repeat(4));
        assert_eq!(got.names(), want, "{op}");
    }
}

#[test]
fn a_conversion_writes_elements_of_the_other_size() {
    for (from, to, size) in
        [("f32", "f16", 2), ("f16", "f32", 4), ("f32", "bf16", 2), ("f32", "i32", 4), ("i32", "f32", 4)]
    {
        let (a, d) = (vec(&format!("16x64x{from}"), "valid=9x50"), vec(&format!("16x64x{to}"), "valid=9x50"));
        let text = format!(
            "func.func @k(%a: {a}, %d: {d}) {{\n  pto.tcvt ins(%a {{rmode = #pto<round_mode RINT>}} : {a}) outs(%d : {d})\n  \
             return\n}}\n"
        );
        let got = run_a5(&text, &[at(Loc::Vec, A, 4), at(Loc::Vec, D, size)]);
        assert!(got.bytes("ub").into_iter().eq(rows(9, 50 * size, 64 * size)), "{from} to {to}");
        assert!(got.names().contains(&"vcvt"), "{from} to {to}");
    }
}

#[test]
fn a_softmax_of_rows() {
    let (t, c) = (vec("16x64xf32", "valid=16x50"), vec("16x8xf32", "valid=16x1"));
    let gm = "!pto.tensor_view<?x?xf32>";
    let part = "!pto.partition_tensor_view<16x50xf32>";
    let alloc = |name: &str, at: i64, t: &str| {
        format!("  %at_{name} = arith.constant {at} : i64\n  %{name} = pto.alloc_tile addr = %at_{name} : {t}\n")
    };
    let text = format!(
        "func.func @k(%p: !pto.ptr<f32, gm>, %q: !pto.ptr<f32, gm>) {{\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : \
         index\n  %c16 = arith.constant 16 : index\n  %c50 = arith.constant 50 : index\n{}{}{}{}  %v = pto.make_tensor_view %p, shape \
         = [%c16, %c50], strides = [%c50, %c1] : {gm}\n  %w = pto.make_tensor_view %q, shape = [%c16, %c50], strides = [%c50, %c1] : \
         {gm}\n  %g = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c50] : {gm} -> {part}\n  %h = pto.partition_view \
         %w, offsets = [%c0, %c0], sizes = [%c16, %c50] : {gm} -> {part}\n  pto.tload ins(%g : {part}) outs(%x : {t})\n  \
         pto.set_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]\n  pto.wait_flag[#pto.pipe<PIPE_MTE2>, \
         #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]\n  pto.trowmax ins(%x, %tmp : {t}, {t}) outs(%m : {c})\n  pto.trowexpandsub ins(%x, \
         %m : {t}, {c}) outs(%x : {t})\n  pto.texp ins(%x : {t}) outs(%x : {t})\n  pto.trowsum ins(%x, %tmp : {t}, {t}) outs(%s : \
         {c})\n  pto.trowexpanddiv ins(%x, %s : {t}, {c}) outs(%x : {t})\n  pto.set_flag[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, \
         #pto.event<EVENT_ID0>]\n  pto.wait_flag[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, #pto.event<EVENT_ID0>]\n  pto.tstore ins(%x : \
         {t}) outs(%h : {part})\n  return\n}}\n",
        alloc("x", 0, &t),
        alloc("tmp", 8192, &t),
        alloc("m", 16384, &c),
        alloc("s", 20480, &c),
    );
    let got = run_a5(&text, &[at(Loc::Gm, 0, 4), at(Loc::Gm, 1 << 20, 4)]);
    let names = got.names();
    let order: Vec<&str> = names
        .iter()
        .copied()
        .filter(|n| {
            ["mte_gm_ub", "set_flag", "wait_flag", "vcmax", "vsub", "vexp", "vcadd", "vdiv", "mte_ub_gm"].contains(n)
        })
        .collect();
    let mut want = vec!["mte_gm_ub", "set_flag", "wait_flag"];
    for (f, n) in [("vcmax", 16), ("vsub", 16), ("vexp", 16), ("vcadd", 16), ("vdiv", 16)] {
        want.extend(vec![f; n]);
    }
    want.extend(["set_flag", "wait_flag", "mte_ub_gm"]);
    assert_eq!(order, want);
    // The scratch tile of the reductions is not written.
    assert!(got.bytes("ub").range(8192..16384).next().is_none());
}

#[test]
fn what_has_no_vector_instruction_is_refused() {
    let t = vec("16x16xi64", "");
    let text = format!(
        "func.func @k(%a: {t}, %b: {t}, %d: {t}) {{\n  pto.tadd ins(%a, %b : {t}, {t}) outs(%d : {t})\n  return\n}}\n"
    );
    assert_eq!(codes(&text, Arch::A5), ["PTO-L002"]);
    // A tile-level instruction without a lowering is named, and none is left silently.
    let t = vec("16x16xf32", "");
    let text = format!(
        "func.func @k(%a: {t}, %d: {t}) {{\n  pto.tquant ins(%a, %a : {t}, {t}) outs(%d : {t})\n  return\n}}\n"
    );
    assert_eq!(codes(&text, Arch::A5), ["PTO-L001"]);
    // No address.
    let text = format!(
        "func.func @k(%a: {t}) {{\n  %d = pto.alloc_tile : {t}\n  pto.texp ins(%a : {t}) outs(%d : {t})\n  return\n}}\n"
    );
    assert_eq!(codes(&text, Arch::A5), ["PTO-L003"]);
}
