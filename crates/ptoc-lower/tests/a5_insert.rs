//! Every path of TINSERT on A5: which intrinsics, with which words and which bytes.

mod support;

use ptoc_target::{Arch, Loc};
use support::exec::{Run, Val};
use support::{at, codes, run_a5};

const ACC: &str = "blayout=col_major, slayout=row_major, fractal=1024";
const NZ: &str = "blayout=col_major, slayout=row_major";
const DN: &str = "blayout=col_major";
const ZN: &str = "slayout=col_major";

fn tile(loc: &str, shape: &str, rest: &str) -> String {
    let comma = if rest.is_empty() { "" } else { ", " };
    format!("!pto.tile_buf<{loc}, {shape}{comma}{rest}>")
}

/// One insert of function arguments. `more` are clauses of `ins`, `params` the parameters they need.
fn program(src: &str, dst: &str, index: [i64; 2], more: &str, attrs: &str, params: &str) -> String {
    format!(
        "func.func @k(%src: {src}, %dst: {dst}{params}) {{\n  %r = arith.constant {} : index\n  %c = arith.constant {} : index\n  \
         pto.tinsert ins(%src, %r, %c : {src}, index, index{more}) outs(%dst : {dst}){attrs}\n  return\n}}\n",
        index[0], index[1]
    )
}

/// The fields of the fix pipe's words that tests set; the rest is zero.
#[derive(Clone, Copy, Default)]
struct Words {
    n: i64,
    m: i64,
    dst_stride: i64,
    src_stride: i64,
    dual: i64,
    core: i64,
    unit: i64,
    quant: i64,
    relu: i64,
    split: i64,
    nd: i64,
    dn: i64,
}

impl Words {
    /// As the machine description packs them.
    fn text(&self) -> String {
        let sizes = self.n << 4 | self.m << 16 | self.dst_stride << 32;
        let modes = self.src_stride
            | self.dual << 16
            | self.core << 18
            | (self.quant >> 5) << 29
            | self.unit << 32
            | (self.quant & 31) << 34
            | self.relu << 39
            | self.split << 42
            | self.nd << 43
            | self.dn << 62;
        format!("{sizes} {modes}")
    }
}

fn acc_to_mat(shape: &str, dst: &str, index: [i64; 2], more: &str, attrs: &str, extra: Option<Val>) -> Run {
    let (src, dst) = (tile("acc", shape, ACC), tile("mat", dst, NZ));
    let params = if extra.is_some() { ", %q: i64" } else { "" };
    let mut args = vec![at(Loc::Acc, 0, 4), at(Loc::Mat, 0, 1)];
    if let Val::Ptr { size, .. } = &mut args[1] {
        *size = if dst.contains("f32") || dst.contains("i32") {
            4
        } else if dst.contains("f16") {
            2
        } else {
            1
        };
    }
    args.extend(extra);
    run_a5(&program(&src, &dst, index, more, attrs, params), &args)
}

#[test]
fn acc_to_mat_is_one_copy() {
    // Row 16 of column group 1 in 32 rows of 16: element 32*16 + 16*16 = 768, byte 1536. The stride is a group: 32*16.
    let w = Words { n: 16, m: 16, dst_stride: 512, src_stride: 16, quant: 1, ..Words::default() };
    let got = acc_to_mat("16x16xf32", "32x32xf16", [16, 16], "", "", None);
    assert_eq!(got.brief(), [format!("copy_matrix_cc_to_cbuf l0c@0 l1@1536 {}", w.text())]);
    // Without conversion, columns go in groups of 8.
    let w = Words { n: 16, m: 16, dst_stride: 128, src_stride: 16, split: 1, ..Words::default() };
    let got = acc_to_mat("16x16xf32", "16x16xf32", [0, 0], "", "", None);
    assert_eq!(got.brief(), [format!("copy_matrix_cc_to_cbuf l0c@0 l1@0 {}", w.text())]);
}

#[test]
fn acc_to_mat_moves_valid_rows_and_whole_column_groups() {
    // 31 rows, not the 32 static ones: row 31 of the destination keeps its value.
    let w = Words { n: 32, m: 31, dst_stride: 1024, src_stride: 32, quant: 1, ..Words::default() };
    let got = acc_to_mat("32x32xf32, valid=31x20", "64x64xf16", [16, 32], "", "", None);
    assert_eq!(got.brief(), [format!("copy_matrix_cc_to_cbuf l0c@0 l1@{} {}", 2 * (2 * 64 * 16 + 16 * 16), w.text())]);
    // Groups of 32 bytes are 32 columns of bytes.
    let w = Words { n: 32, m: 16, dst_stride: 32 * 32, src_stride: 16, quant: 24, ..Words::default() };
    let got = acc_to_mat("16x32xf32, valid=16x17", "32x64xi8", [0, 32], " pre_quant %q : i64", "", Some(Val::Int(5)));
    assert_eq!(
        got.brief(),
        ["set_quant_pre 5".to_owned(), format!("copy_matrix_cc_to_cbuf l0c@0 l1@1024 {}", w.text())]
    );
}

#[test]
fn acc_to_mat_rectifies() {
    let w = Words { n: 16, m: 16, dst_stride: 512, src_stride: 16, quant: 16, relu: 1, ..Words::default() };
    let got =
        acc_to_mat("16x16xf32", "32x32xbf16", [0, 0], "", " {reluPreMode = #pto<relu_pre_mode normal_relu>}", None);
    assert_eq!(got.brief(), [format!("copy_matrix_cc_to_cbuf l0c@0 l1@0 {}", w.text())]);
}

#[test]
fn a_scalar_is_set_before_the_copy_and_a_float_is_packed() {
    for (pair, quant) in [
        (("f32", "i8"), 24),
        (("f32", "ui8"), 24),
        (("f32", "!pto.hif8"), 3),
        (("f32", "f8E4M3FN"), 13),
        (("f32", "f16"), 32),
        (("f32", "bf16"), 34),
        (("i32", "i8"), 9),
        (("i32", "f16"), 11),
        (("i32", "bf16"), 36),
    ] {
        let ((from, to), cols) = (pair, if pair.1.ends_with("f16") { 16 } else { 32 });
        let w = Words { n: 32, m: 16, dst_stride: 32 * cols, src_stride: 16, quant, ..Words::default() };
        let got = acc_to_mat(
            &format!("16x32x{from}"),
            &format!("32x64x{to}"),
            [0, 0],
            " pre_quant %q : i64",
            "",
            Some(Val::Int(7)),
        );
        let copy = format!("copy_matrix_cc_to_cbuf l0c@0 l1@0 {}", w.text());
        assert_eq!(got.brief(), ["set_quant_pre 7".to_owned(), copy], "{from} to {to}");
    }
    // The bits of 0.5 with bit 46 for a signed result.
    let (src, dst) = (tile("acc", "16x32xf32", ACC), tile("mat", "32x64xi8", NZ));
    let text = program(&src, &dst, [0, 0], " pre_quant %q : f32", "", "")
        .replace("  pto.tinsert", "  %q = arith.constant 5.000000e-01 : f32\n  pto.tinsert");
    let got = run_a5(&text, &[at(Loc::Acc, 0, 4), at(Loc::Mat, 0, 1)]);
    assert_eq!(got.brief()[0], format!("set_quant_pre {}", 0x3F00_0000u64 | 1 << 46));
}

#[test]
fn a_vector_of_scales_is_addressed_in_units_of_128_bytes() {
    let (src, dst) = (tile("acc", "16x32xf32", ACC), tile("mat", "32x64xf16", NZ));
    let fp = tile("scaling", "1x32xui64", "");
    let text = program(&src, &dst, [0, 0], &format!(" fp %fp : {fp}"), "", "").replace(
        "  pto.tinsert",
        &format!("  %a = arith.constant 512 : i64\n  %fp = pto.alloc_tile addr = %a : {fp}\n  pto.tinsert"),
    );
    let got = run_a5(&text, &[at(Loc::Acc, 0, 4), at(Loc::Mat, 0, 2)]);
    let w = Words { n: 32, m: 16, dst_stride: 512, src_stride: 16, quant: 31, ..Words::default() };
    let copy = format!("copy_matrix_cc_to_cbuf l0c@0 l1@0 {}", w.text());
    assert_eq!(got.brief(), [format!("set_fpc {}", (512 / 128) << 8), copy.clone()]);
    // The own instruction for this form does the same, also with an address known at run time.
    let text = format!(
        "func.func @k(%src: {src}, %dst: {dst}, %fp: {fp}) {{\n  %z = arith.constant 0 : index\n  pto.tinsert_fp ins(%src, %fp, %z, \
         %z : {src}, {fp}, index, index) outs(%dst : {dst})\n  return\n}}\n"
    );
    let got = run_a5(&text, &[at(Loc::Acc, 0, 4), at(Loc::Mat, 0, 2), at(Loc::Scaling, 512, 8)]);
    assert_eq!(got.brief(), [format!("set_fpc {}", (512 / 128) << 8), copy]);
}

#[test]
fn two_drains_keep_and_then_release_the_unit_flag() {
    let (a, b) = (tile("left", "32x32xf16", NZ), tile("right", "32x32xf16", ZN));
    let (c, m) = (tile("acc", "32x32xf32", ACC), tile("mat", "32x32xf16", NZ));
    let drain = |to: &str, phase: &str| {
        format!(
            "  pto.tinsert ins(%c, %z, %z : {c}, index, index) outs({to} : {m}) {{stPhase = #pto<st_phase {phase}>}}\n"
        )
    };
    let text = format!(
        "func.func @k(%a: {a}, %b: {b}, %c: {c}, %m0: {m}, %m1: {m}) {{\n  %z = arith.constant 0 : index\n  pto.tmatmul ins(%a, %b : \
         {a}, {b}) outs(%c : {c}) {{accPhase = #pto<acc_phase final>}}\n{}{}  return\n}}\n",
        drain("%m0", "partial"),
        drain("%m1", "final")
    );
    let args =
        [at(Loc::Left, 0, 2), at(Loc::Right, 0, 2), at(Loc::Acc, 0, 4), at(Loc::Mat, 0, 2), at(Loc::Mat, 2048, 2)];
    let w = |unit| Words { n: 32, m: 32, dst_stride: 512, src_stride: 32, quant: 1, unit, ..Words::default() }.text();
    let got = run_a5(&text, &args).brief();
    assert!(got[0].starts_with("mad l0a@0 l0b@0 l0c@0 32 32 32"), "{got:?}");
    assert!(got[0].contains("check_and_set"), "{got:?}");
    // No flag between cube and fix pipe.
    assert_eq!(
        got[1..],
        [
            format!("copy_matrix_cc_to_cbuf l0c@0 l1@0 {}", w(2)),
            format!("copy_matrix_cc_to_cbuf l0c@0 l1@2048 {}", w(3))
        ]
    );
}

fn acc_to_vec(shape: &str, dst: &str, layout: &str, size: i64, index: [i64; 2], mode: &str) -> Vec<String> {
    let (src, dst) = (tile("acc", shape, ACC), tile("vec", dst, layout));
    let attrs =
        if mode.is_empty() { String::new() } else { format!(" {{accToVecMode = #pto.acc_to_vec_mode<{mode}>}}") };
    run_a5(&program(&src, &dst, index, "", &attrs, ""), &[at(Loc::Acc, 0, 4), at(Loc::Vec, 0, size)]).brief()
}

#[test]
fn acc_to_vec_in_each_layout() {
    let base = Words { n: 20, m: 31, src_stride: 32, quant: 1, ..Words::default() };
    // Rows: pitch 64, element (3, 8).
    let w = Words { dst_stride: 64, nd: 1, ..base };
    assert_eq!(
        acc_to_vec("32x32xf32, valid=31x20", "64x64xf16", "", 2, [3, 8], ""),
        ["set_loop3_para 1 0".to_owned(), format!("copy_matrix_cc_to_ub l0c@0 ub@{} {}", 2 * (3 * 64 + 8), w.text())]
    );
    // Columns: element (3, 8) is 8 * 64 + 3. The channel register holds 1 in bits 63:48, written as low 40 and high 24 bits.
    let w = Words { dst_stride: 64, dn: 1, ..base };
    assert_eq!(
        acc_to_vec("32x32xf32, valid=31x20", "64x64xf16", DN, 2, [3, 8], ""),
        [
            "set_loop3_para 1 0".to_owned(),
            "set_channel_para 0 256".to_owned(),
            format!("copy_matrix_cc_to_ub l0c@0 ub@{} {}", 2 * (8 * 64 + 3), w.text())
        ]
    );
    // Column groups of 16.
    let w = Words { n: 32, dst_stride: 1024, ..base };
    assert_eq!(
        acc_to_vec("32x32xf32, valid=31x20", "64x64xf16", NZ, 2, [3, 16], ""),
        [format!("copy_matrix_cc_to_ub l0c@0 ub@{} {}", 2 * (64 * 16 + 3 * 16), w.text())]
    );
    // 32-bit elements: groups of 8, or of 16 with fractals of 1024 bytes.
    let w = Words { n: 24, dst_stride: 512, quant: 0, split: 1, ..base };
    assert_eq!(
        acc_to_vec("32x32xf32, valid=31x20", "64x64xf32", NZ, 4, [0, 0], ""),
        [format!("copy_matrix_cc_to_ub l0c@0 ub@0 {}", w.text())]
    );
    let w = Words { n: 32, dst_stride: 1024, quant: 0, ..base };
    assert_eq!(
        acc_to_vec("32x32xf32, valid=31x20", "64x64xf32", ACC, 4, [0, 0], ""),
        [format!("copy_matrix_cc_to_ub l0c@0 ub@0 {}", w.text())]
    );
}

#[test]
fn acc_to_vec_of_one_core_or_of_both() {
    let base = Words { n: 32, m: 32, dst_stride: 64, src_stride: 32, nd: 1, ..Words::default() };
    for (mode, w) in [
        ("single_mode_vec0", base),
        ("single_mode_vec1", Words { core: 1, ..base }),
        ("dual_mode_split_m", Words { dual: 1, ..base }),
        ("dual_mode_split_n", Words { dual: 2, ..base }),
    ] {
        assert_eq!(
            acc_to_vec("32x32xf32", "64x64xf32", "", 4, [0, 0], mode),
            ["set_loop3_para 1 0".to_owned(), format!("copy_matrix_cc_to_ub l0c@0 ub@0 {}", w.text())],
            "{mode}"
        );
    }
    // Column groups shared by two cores are not divided: n is rounded up to 16 or 32.
    let base = Words { m: 32, dst_stride: 512, src_stride: 32, split: 1, ..Words::default() };
    for (mode, w) in [
        ("single_mode_vec0", Words { n: 8, ..base }),
        ("dual_mode_split_m", Words { n: 16, dual: 1, ..base }),
        ("dual_mode_split_n", Words { n: 32, dual: 2, ..base }),
    ] {
        assert_eq!(
            acc_to_vec("32x32xf32, valid=32x5", "64x64xf32", NZ, 4, [0, 0], mode),
            [format!("copy_matrix_cc_to_ub l0c@0 ub@0 {}", w.text())],
            "{mode}"
        );
    }
}

fn vec_to_mat(shape: &str, dst: &str, layout: &str, index: [i64; 2], attrs: &str) -> Vec<String> {
    let (src, dst) = (tile("vec", shape, layout), tile("mat", dst, layout));
    run_a5(&program(&src, &dst, index, "", attrs, ""), &[at(Loc::Vec, 0, 2), at(Loc::Mat, 0, 2)]).brief()
}

#[test]
fn vec_to_mat_copies_blocks() {
    // Operands: from, to, 0, bursts, blocks of 32 bytes, gap behind them, gap at the destination.
    // Rows of 40 elements are 80 bytes: no whole blocks.
    let (src, dst) = (tile("vec", "8x64xf16, valid=7x40", ""), tile("mat", "32x64xf16", ""));
    assert_eq!(codes(&program(&src, &dst, [1, 16], "", "", ""), Arch::A5), ["PTO-L002"]);
    // Rows of 48 are 3 blocks out of 4.
    assert_eq!(
        vec_to_mat("8x64xf16, valid=7x48", "32x64xf16", "", [1, 16], ""),
        ["copy_ubuf_to_cbuf ub@0 l1@160 0 7 3 1 1"]
    );
    // Rows that follow each other on both sides are one burst.
    assert_eq!(vec_to_mat("8x64xf16", "32x64xf16", "", [1, 0], ""), ["copy_ubuf_to_cbuf ub@0 l1@128 0 1 32 0 0"]);
    // NZ: a burst for each column group, a row being a block. Group 1, row 3 of 64 rows.
    assert_eq!(
        vec_to_mat("32x32xf16, valid=5x20", "64x64xf16", NZ, [3, 16], ""),
        [format!("copy_ubuf_to_cbuf ub@0 l1@{} 0 2 5 27 59", 32 * (64 + 3))]
    );
    // ZN: the same with rows and columns exchanged.
    assert_eq!(
        vec_to_mat("32x32xf16, valid=32x20", "64x64xf16", ZN, [16, 3], ""),
        [format!("copy_ubuf_to_cbuf ub@0 l1@{} 0 2 20 12 44", 32 * (64 + 3))]
    );
}

#[test]
fn a_divided_transfer_leaves_the_rest_to_the_last_part() {
    let mode = |n| format!(" {{tinsertMode = #pto.tinsert_mode<split{n}>}}");
    // 4 column groups of 32 rows.
    assert_eq!(
        vec_to_mat("32x64xf16", "32x64xf16", NZ, [0, 0], &mode(2)),
        ["copy_ubuf_to_cbuf ub@0 l1@0 0 2 32 0 0", "copy_ubuf_to_cbuf ub@2048 l1@2048 0 2 32 0 0"]
    );
    // 7 groups: 1, 1, 1 and 4. 17 valid rows are rounded up to 32.
    let step = |g: i64| format!("ub@{} l1@{}", g * 32 * 32, 32 * 64 + g * 64 * 32);
    assert_eq!(
        vec_to_mat("32x112xf16, valid=17x112", "64x128xf16", NZ, [0, 16], &mode(4)),
        [
            format!("copy_ubuf_to_cbuf {} 0 1 32 0 32", step(0)),
            format!("copy_ubuf_to_cbuf {} 0 1 32 0 32", step(1)),
            format!("copy_ubuf_to_cbuf {} 0 1 32 0 32", step(2)),
            format!("copy_ubuf_to_cbuf {} 0 4 32 0 32", step(3))
        ]
    );
}

fn vec_to_vec(shape: &str, dst: &str, layout: &str, index: [i64; 2]) -> Run {
    let size = if dst.contains("f16") { 2 } else { 4 };
    let (src, dst) = (tile("vec", shape, layout), tile("vec", dst, layout));
    run_a5(&program(&src, &dst, index, "", "", ""), &[at(Loc::Vec, 0, size), at(Loc::Vec, 65536, size)])
}

/// Bytes of a window in rows.
fn window(rows: i64, bytes: i64, pitch: i64, start: i64) -> Vec<i64> {
    (0..rows).flat_map(|i| (0..bytes).map(move |b| 65536 + start + i * pitch + b)).collect()
}

#[test]
fn rows_of_whole_blocks_are_one_copy() {
    let got = vec_to_vec("4x16xf32, valid=3x8", "8x32xf32", "", [2, 8]);
    assert_eq!(got.brief(), [format!("copy_ubuf_to_ubuf ub@0 ub@{} 0 3 1 1 3", 65536 + 4 * (2 * 32 + 8))]);
}

#[test]
fn rows_on_a_block_with_a_tail_are_masked_stores() {
    let got = vec_to_vec("4x16xf32, valid=3x13", "8x32xf32", "", [2, 8]);
    assert_eq!(got.names(), ["plt_b32", "vlds", "vsts", "vlds", "vsts", "vlds", "vsts"]);
    assert!(got.bytes("ub").into_iter().eq(window(3, 13 * 4, 128, 4 * (2 * 32 + 8))));
    // More than a register: 64 lanes, then 6.
    let got = vec_to_vec("4x128xf32, valid=3x70", "8x128xf32", "", [0, 0]);
    assert_eq!(got.count(), 1 + 6 + 1 + 6);
    assert!(got.bytes("ub").into_iter().eq(window(3, 280, 512, 0)));
}

#[test]
fn rows_inside_a_block_are_unaligned_stores() {
    // The neighbours of the window on both sides keep their bytes.
    let got = vec_to_vec("4x8xf32, valid=4x7", "8x16xf32", "", [2, 3]);
    assert_eq!(got.names(), ["vlds", "vstus", "vstas"].repeat(4));
    assert!(got.bytes("ub").into_iter().eq(window(4, 28, 64, 4 * (2 * 16 + 3))));
    // A stream of two registers for each row.
    let got = vec_to_vec("8x128xf32, valid=3x70", "32x160xf32", "", [3, 5]);
    assert_eq!(got.names(), ["vlds", "vstus", "vlds", "vstus", "vstas"].repeat(3));
    assert!(got.bytes("ub").into_iter().eq(window(3, 280, 640, 4 * (3 * 160 + 5))));
}

#[test]
fn one_element_is_one_load_and_one_store() {
    let got = vec_to_vec("1x8xf32, valid=1x1", "8x16xf32", "", [3, 5]);
    assert_eq!(got.names(), ["plt_b32", "vlds", "vsts"]);
    assert!(got.bytes("ub").into_iter().eq(window(1, 4, 0, 4 * (3 * 16 + 5))));
    // In column groups: group 0, row 3, column 5 of it.
    let got = vec_to_vec("16x16xf16, valid=1x1", "32x32xf16", NZ, [3, 5]);
    assert!(got.bytes("ub").into_iter().eq(window(1, 2, 0, 2 * (3 * 16 + 5))));
}

#[test]
fn column_groups_are_copied_as_blocks() {
    let got = vec_to_vec("32x32xf16, valid=17x20", "64x64xf16", NZ, [5, 16]);
    assert_eq!(got.brief(), [format!("copy_ubuf_to_ubuf ub@0 ub@{} 0 2 17 15 47", 65536 + 32 * (64 + 5))]);
}

#[test]
fn an_index_at_run_time_chooses_between_the_paths() {
    let (src, dst) = (tile("vec", "4x8xf32, valid=?x?", ""), tile("vec", "8x16xf32", ""));
    let text = format!(
        "func.func @k(%src: {src}, %dst: {dst}, %r: index, %c: index) {{\n  pto.tinsert ins(%src, %r, %c : {src}, index, index) \
         outs(%dst : {dst})\n  return\n}}\n"
    );
    for (r, c, rows, cols) in [(2, 3, 4, 7), (1, 8, 3, 5), (0, 0, 4, 8), (7, 15, 1, 1)] {
        let args =
            [at(Loc::Vec, 0, 4), Val::Int(rows), Val::Int(cols), at(Loc::Vec, 65536, 4), Val::Int(r), Val::Int(c)];
        let got = run_a5(&text, &args);
        assert!(got.bytes("ub").into_iter().eq(window(rows, 4 * cols, 64, 4 * (r * 16 + c))), "{r} {c} {rows} {cols}");
        assert_eq!(got.names().contains(&"vstus"), c % 8 != 0, "{r} {c}");
    }
}

#[test]
fn what_the_fix_pipe_or_a_copy_cannot_do_is_refused() {
    let insert = |src: &str, dst: &str, index, more: &str, attrs: &str, params: &str| {
        codes(&program(src, dst, index, more, attrs, params), Arch::A5)
    };
    let acc = tile("acc", "16x32xf32", ACC);
    // Columns 8 and 24 lie inside a group of 16.
    assert_eq!(insert(&acc, &tile("mat", "32x64xf16", NZ), [0, 8], "", "", ""), ["PTO-L002"]);
    let nz = tile("vec", "16x32xf16", NZ);
    assert_eq!(insert(&nz, &tile("mat", "32x64xf16", NZ), [0, 24], "", "", ""), ["PTO-L002"]);
    // No scale for f32 to f32, and none missing for f32 to i8.
    assert_eq!(
        insert(&acc, &tile("mat", "32x64xf32", NZ), [0, 0], " pre_quant %q : i64", "", ", %q: i64"),
        ["PTO-L002"]
    );
    assert_eq!(insert(&acc, &tile("mat", "32x64xi8", NZ), [0, 0], "", "", ""), ["PTO-L002"]);
    // Two cores take no conversion, no columns, and an even number of rows.
    let mode = " {accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}";
    for dst in [tile("vec", "32x64xf16", ""), tile("vec", "32x64xf32", DN)] {
        assert_eq!(insert(&acc, &dst, [0, 0], "", mode, ""), ["PTO-L002"]);
    }
    let odd = tile("acc", "16x32xf32, valid=15x32", ACC);
    assert_eq!(insert(&odd, &tile("vec", "32x64xf32", ""), [0, 0], "", mode, ""), ["PTO-L002"]);
    // The source stride has 16 bits and the number of columns 12.
    let wide = tile("acc", "16x4096xf32", ACC);
    assert_eq!(insert(&wide, &tile("vec", "16x4096xf32", ""), [0, 0], "", "", ""), ["PTO-L007"]);
}
