//! Row reductions and row expansions on A5.

mod support;

use ptoc_target::{Arch, Loc};
use support::exec::{Run, Val};
use support::{at, codes, run_a5};

fn vec(shape: &str, rest: &str) -> String {
    let comma = if rest.is_empty() { "" } else { ", " };
    format!("!pto.tile_buf<vec, {shape}{comma}{rest}>")
}

fn reduce(op: &str, src: &str, dst: &str) -> String {
    format!(
        "func.func @k(%src: {src}, %tmp: {src}, %dst: {dst}) {{\n  pto.{op} ins(%src, %tmp : {src}, {src}) outs(%dst : {dst})\n  \
         return\n}}\n"
    )
}

const TMP: i64 = 131_072;
const DST: i64 = 65536;

fn run(op: &str, src: &str, dst: &str, size: i64) -> Run {
    run_a5(&reduce(op, src, dst), &[at(Loc::Vec, 0, size), at(Loc::Vec, TMP, size), at(Loc::Vec, DST, size)])
}

/// One element of `size` bytes in each row.
fn column(rows: i64, pitch: i64, size: i64) -> impl Iterator<Item = i64> {
    (0..rows).flat_map(move |i| (0..size).map(move |b| DST + i * pitch + b))
}

#[test]
fn a_product_is_folded_by_interleaving_with_ones() {
    let got = run("trowprod", &vec("16x16xf32", ""), &vec("16x1xf32", "blayout=col_major"), 4);
    // 64 lanes to one takes six steps; with 16 columns the two widest only spread the ones.
    let mut want = vec!["pset_b32", "vbr", "plt_b32"];
    for _ in 0..16 {
        want.extend(["vlds", "vsel", "vintlv", "vintlv"]);
        want.extend(["vintlv", "vmul"].repeat(4));
        want.push("vsts");
    }
    assert_eq!(got.names(), want);
    assert_eq!(got.issues[1].args, [Val::Float(1.0)]);
    // One element for each row, and the scratch tile is not touched.
    assert!(got.bytes("ub").into_iter().eq(column(16, 4, 4)));
    assert!(got.brief().iter().all(|s| !s.contains(&TMP.to_string())));
    // Each store writes the lowest lane.
    assert!(got.brief().iter().filter(|s| s.starts_with("vsts")).all(|s| s.ends_with("1PT_B32")));
}

#[test]
fn columns_behind_the_valid_ones_do_not_take_part() {
    // 37 of 64 columns of 19 of 26 rows; lanes from 37 on are ones.
    let got = run("trowprod", &vec("26x64xi16", "valid=19x37"), &vec("26x16xi16", "valid=19x1"), 2);
    let masks: Vec<&Val> = got.issues.iter().filter(|i| i.name == "plt_b16").map(|i| &i.args[0]).collect();
    assert_eq!(masks, [&Val::Int(37)]);
    assert_eq!(got.names().iter().filter(|n| **n == "vsel").count(), 19);
    assert!(got.bytes("ub").into_iter().eq(column(19, 32, 2)));
}

#[test]
fn wide_rows_are_folded_register_by_register_first() {
    // 200 columns of f32: 3 full registers and 8 lanes, which are folded on their own.
    // A sum is rounded, so it keeps the order of the definition: each register is folded and added.
    for (op, fold, last, folds) in [
        ("trowmax", "vmax", "vcmax", [3, 2]),
        ("trowmin", "vmin", "vcmin", [3, 2]),
        ("trowsum", "vadd", "vcadd", [4, 4]),
    ] {
        let got = run(op, &vec("4x256xf32", "valid=4x200"), &vec("4x8xf32", "valid=4x1"), 4);
        let names = got.names();
        let count = |n: &str| names.iter().filter(|x| **x == n).count();
        assert_eq!([count(fold), count(last)], folds.map(|n| 4 * n), "{op}: {names:?}");
        assert_eq!([count("vlds"), count("vsts")], [4 * 4, 4], "{op}: {names:?}");
        assert!(got.bytes("ub").into_iter().eq(column(4, 32, 4)), "{op}");
    }
}

#[test]
fn run_time_sizes_write_the_same_elements() {
    let (src, dst) = (vec("8x160xf32", "valid=?x?"), vec("8x8xf32", "valid=?x1"));
    for op in ["trowmax", "trowsum", "trowprod", "trowmin"] {
        let text = reduce(op, &src, &dst);
        for (rows, cols) in [(1, 1), (8, 160), (5, 64), (7, 65), (3, 130)] {
            let p = |addr| [at(Loc::Vec, addr, 4), Val::Int(rows), Val::Int(cols)];
            let args = [&p(0)[..], &p(TMP), &[at(Loc::Vec, DST, 4), Val::Int(rows)]].concat();
            let got = run_a5(&text, &args);
            assert!(got.bytes("ub").into_iter().eq(column(rows, 32, 4)), "{op} {rows}x{cols}");
            // As many loads as registers hold a row.
            let loads = got.names().iter().filter(|n| **n == "vlds").count() as i64;
            assert_eq!(loads, rows * ((cols + 63) / 64), "{op} {rows}x{cols}");
        }
    }
}

#[test]
fn a_sum_of_halfword_integers_keeps_the_low_half() {
    // The sum of i16 lanes is wider; the store takes its low halfword.
    let got = run("trowsum", &vec("4x64xi16", ""), &vec("4x16xi16", "valid=4x1"), 2);
    assert!(got.brief().iter().filter(|s| s.starts_with("vsts")).all(|s| s.ends_with("1PT_B16")));
    assert!(got.bytes("ub").into_iter().eq(column(4, 32, 2)));
}

fn expand(op: &str, src0: &str, src1: &str, dst: &str) -> Run {
    let text = format!(
        "func.func @k(%a: {src0}, %b: {src1}, %dst: {dst}) {{\n  pto.{op} ins(%a, %b : {src0}, {src1}) outs(%dst : {dst})\n  \
         return\n}}\n"
    );
    run_a5(&text, &[at(Loc::Vec, 0, 4), at(Loc::Vec, TMP, 4), at(Loc::Vec, DST, 4)])
}

#[test]
fn a_row_value_is_loaded_to_every_lane() {
    let (m, c) = (vec("8x64xf32", "valid=5x40"), vec("8x1xf32", "valid=5x1, blayout=col_major"));
    for (op, f) in [
        ("trowexpandsub", "vsub"),
        ("trowexpanddiv", "vdiv"),
        ("trowexpandmul", "vmul"),
        ("trowexpandadd", "vadd"),
        ("trowexpandmax", "vmax"),
        ("trowexpandmin", "vmin"),
    ] {
        let got = expand(op, &m, &c, &m);
        let mut want = vec!["plt_b32"];
        want.extend(["vlds", "vlds", f, "vsts"].repeat(5));
        assert_eq!(got.names(), want, "{op}");
        let broadcast: Vec<String> = got.brief().into_iter().filter(|s| s.contains("BRC_B32")).collect();
        let from: Vec<String> = (0..5).map(|i| format!("vlds ub@{TMP} {i} BRC_B32")).collect();
        assert_eq!(broadcast, from, "{op}");
        let want = (0..5).flat_map(|i| (0..160).map(move |b| DST + i * 256 + b));
        assert!(got.bytes("ub").into_iter().eq(want), "{op}");
    }
}

#[test]
fn combinations_without_an_instruction_are_refused() {
    let i8s = vec("16x32xi8", "");
    assert_eq!(codes(&reduce("trowprod", &i8s, &vec("16x32xi8", "valid=16x1")), Arch::A5), ["PTO-L002"]);
    // A row of boxes has no row to fold.
    let nz = vec("16x32xf16", "blayout=col_major, slayout=row_major");
    assert_eq!(codes(&reduce("trowmax", &nz, &vec("16x16xf16", "valid=16x1")), Arch::A5), ["PTO-L002"]);
}
