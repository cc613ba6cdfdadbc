//! TFILLPAD on A5: what is written, with which pads, by how many instructions.

mod support;

use ptoc_target::{Arch, Loc};
use support::exec::{Run, Val};
use support::{at, codes, run_a5};

fn vec(shape: &str, rest: &str) -> String {
    format!("!pto.tile_buf<vec, {shape}, {rest}>")
}

fn fill(op: &str, src: &str, dst: &str) -> String {
    format!(
        "func.func @k(%src: {src}, %dst: {dst}) {{\n  pto.{op} ins(%src : {src}) outs(%dst : {dst})\n  return\n}}\n"
    )
}

const SRC: i64 = 65536;

/// Fills from a tile at 65536 to a tile at 0, elements of `size` bytes.
fn run(op: &str, src: &str, dst: &str, size: i64) -> Run {
    run_a5(&fill(op, src, dst), &[at(Loc::Vec, SRC, size), at(Loc::Vec, 0, size)])
}

fn all(bytes: i64) -> impl Iterator<Item = i64> {
    0..bytes
}

#[test]
fn valid_columns_stay_and_the_rest_of_the_register_is_the_pad() {
    // 9 x 11 valid of 16 x 16: nine masked rows, then 7 rows of 16 lanes in two registers.
    let got = run("tfillpad", &vec("16x16xf32", "valid=9x11"), &vec("16x16xf32", "pad=3"), 4);
    let mut want = vec!["vbr", "plt_b32", "plt_b32"];
    want.extend(["vlds", "vsel", "vsts"].repeat(9));
    want.extend(["pset_b32", "plt_b32", "vsts", "vsts"]);
    assert_eq!(got.names(), want);
    assert!(got.bytes("ub").into_iter().eq(all(16 * 16 * 4)));
    // Minus infinity.
    assert_eq!(got.issues[0].args, [Val::Int(i64::from(0xFF80_0000_u32 as i32))]);
}

#[test]
fn pads_are_bit_patterns_of_the_element_type() {
    for (elem, size, pad, bits) in [
        ("f32", 4, "1", 0),
        ("f32", 4, "2", 0x7F80_0000),
        ("f16", 2, "2", 0x7C00),
        ("f16", 2, "3", i64::from(0xFC00_u16 as i16)),
        ("bf16", 2, "2", 0x7F80),
        ("i32", 4, "2", 0x7FFF_FFFF),
        ("i16", 2, "3", -0x8000),
        ("ui16", 2, "2", -1),
        ("i8", 1, "2", 0x7F),
        ("i8", 1, "3", -0x80),
        ("ui8", 1, "2", -1),
        ("f32", 4, "value(0x3F800000)", 0x3F80_0000),
        ("f16", 2, "value(0x3C00)", 0x3C00),
        ("i8", 1, "value(0x5)", 5),
    ] {
        let got = run(
            "tfillpad",
            &vec(&format!("4x32x{elem}"), "valid=3x5"),
            &vec(&format!("4x32x{elem}"), &format!("pad={pad}")),
            size,
        );
        assert_eq!(got.issues[0].name, "vbr", "{elem} {pad}");
        assert_eq!(got.issues[0].args, [Val::Int(bits)], "{elem} {pad}");
        assert!(got.bytes("ub").into_iter().eq(all(4 * 32 * size)), "{elem} {pad}");
    }
}

#[test]
fn all_valid_columns_are_a_copy_and_all_invalid_registers_are_pad_alone() {
    // 80 columns: a register and a quarter. 70 valid: the second register is mixed.
    let got = run("tfillpad", &vec("4x80xf32", "valid=4x70"), &vec("4x80xf32", "pad=1"), 4);
    assert_eq!(got.names().iter().filter(|n| **n == "vsel").count(), 4);
    assert_eq!(got.names().iter().filter(|n| **n == "vsts").count(), 8);
    // 64 valid: the second register is pad alone.
    let got = run("tfillpad", &vec("4x80xf32", "valid=4x64"), &vec("4x80xf32", "pad=1"), 4);
    let names = got.names();
    assert!(!names.contains(&"vsel"), "{names:?}");
    assert_eq!(names.iter().filter(|n| **n == "vlds").count(), 4);
    assert!(got.bytes("ub").into_iter().eq(all(4 * 80 * 4)));
}

#[test]
fn a_wider_destination_is_filled_to_its_own_size() {
    let got = run("tfillpad_expand", &vec("16x16xi32", "valid=16x16"), &vec("32x32xi32", "pad=2"), 4);
    assert_eq!(got.issues[0].args, [Val::Int(i64::from(i32::MAX))]);
    assert!(got.bytes("ub").into_iter().eq(all(32 * 32 * 4)));
    // Source rows are read with the source's own pitch.
    let reads: Vec<String> = got.brief().into_iter().filter(|s| s.starts_with("vlds")).collect();
    assert_eq!(reads.len(), 16);
    assert_eq!(reads[1], format!("vlds ub@{SRC} 16"));
}

#[test]
fn in_place_only_the_outside_is_written() {
    let t = vec("16x16xf32", "valid=9x11, pad=3");
    let text = format!("func.func @k(%t: {t}) {{\n  pto.tfillpad_inplace ins(%t : {t}) outs(%t : {t})\n  return\n}}\n");
    let got = run_a5(&text, &[at(Loc::Vec, 0, 4)]);
    assert!(!got.names().contains(&"vlds"), "{:?}", got.names());
    let outside = (0..16 * 16).filter(|e| e / 16 >= 9 || e % 16 >= 11).flat_map(|e| 4 * e..4 * e + 4);
    assert!(got.bytes("ub").into_iter().eq(outside));
}

#[test]
fn rows_below_the_valid_rows_of_the_destination_are_filled_too() {
    let got = run("tfillpad", &vec("16x16xf32", "valid=3x8"), &vec("16x16xf32", "valid=8x16, pad=1"), 4);
    assert!(got.bytes("ub").into_iter().eq(all(16 * 16 * 4)));
}

#[test]
fn run_time_sizes_write_the_same_bytes() {
    let (src, dst) = (vec("12x96xf16", "valid=?x?"), vec("12x96xf16", "pad=2"));
    let text = fill("tfillpad", &src, &dst);
    for (rows, cols) in [(1, 1), (5, 96), (12, 64), (12, 96), (7, 33), (0, 7), (3, 0)] {
        let args = [at(Loc::Vec, SRC, 2), Val::Int(rows), Val::Int(cols), at(Loc::Vec, 0, 2)];
        let got = run_a5(&text, &args);
        assert!(got.bytes("ub").into_iter().eq(all(12 * 96 * 2)), "{rows}x{cols}");
    }
}

#[test]
fn packed_fp4_keeps_the_nibble_that_is_valid() {
    // 5 columns are 2 bytes and a nibble; the third byte keeps its low half.
    let (src, dst) = (vec("4x64x!pto.f4E2M1x2", "valid=4x5"), vec("4x64x!pto.f4E2M1x2", "pad=2"));
    let got = run("tfillpad", &src, &dst, 1);
    let names = got.names();
    for (name, n) in [("vand", 4), ("vor", 4), ("vsel", 8), ("vsts", 4)] {
        assert_eq!(names.iter().filter(|x| **x == name).count(), n, "{name} in {names:?}");
    }
    assert!(got.bytes("ub").into_iter().eq(all(4 * 32)));
}

#[test]
fn l1_is_filled_below_and_to_the_right() {
    // 20 x 40 valid of 32 x 64 halfwords: 3 of 4 column groups. Twelve rows below in each of them, then a whole group.
    let t = "!pto.tile_buf<mat, 32x64xf16, valid=20x40, blayout=col_major, slayout=row_major, pad=1>";
    let text = format!("func.func @k(%t: {t}) {{\n  pto.tfillpad ins(%t : {t}) outs(%t : {t})\n  return\n}}\n");
    let got = run_a5(&text, &[at(Loc::Mat, 0, 2)]);
    let brief: Vec<String> = got.brief().iter().map(|s| s.replace(" fill_word_bits", "")).collect();
    assert_eq!(
        brief,
        [
            format!("create_cbuf_matrix l1@{} 0 3 12 20", 20 * 32),
            format!("create_cbuf_matrix l1@{} 0 1 32 0", 3 * 32 * 32)
        ]
    );
    // The pad may come from the instruction instead of the type.
    let t = t.replace(", pad=1", "");
    let text = format!(
        "func.func @k(%t: {t}) {{\n  pto.tfillpad ins(%t : {t}) outs(%t : {t}) {{padValue = #pto.pad_value<zero>}}\n  return\n}}\n"
    );
    assert_eq!(run_a5(&text, &[at(Loc::Mat, 0, 2)]).count(), 2);
    let text = text.replace("zero", "max");
    assert_eq!(codes(&text, Arch::A5), ["PTO-L002"]);
}

#[test]
fn what_can_not_be_filled_is_refused() {
    // No pad.
    assert_eq!(
        codes(&fill("tfillpad", &vec("4x32xf32", "valid=3x5"), &vec("4x32xf32", "pad=0")), Arch::A5),
        ["PTO-L002"]
    );
    // Elements of 8 bytes.
    assert_eq!(
        codes(&fill("tfillpad", &vec("4x32xi64", "valid=3x5"), &vec("4x32xi64", "pad=1")), Arch::A5),
        ["PTO-L002"]
    );
    // Columns.
    let dn = "blayout=col_major";
    let (src, dst) = (vec("32x4xf32", &format!("valid=3x4, {dn}")), vec("32x4xf32", &format!("{dn}, pad=1")));
    assert_eq!(codes(&fill("tfillpad", &src, &dst), Arch::A5), ["PTO-L002"]);
}
