//! Tile instructions by small examples that can be checked by hand.

use ptoc_sim::num::{Num, decode, encode};
use ptoc_sim::semantics::{Attr, Inst, Operand, Refusal, Scalar, Tile, eval};
use ptoc_target::{DType, Layout, Loc, PadValue, TileShape};

use DType::{F8E4M3, F16, F32, I8, I16, I32, I64, U8, U16, U32};

fn num(ty: DType, x: f64) -> Num {
    if ty.is_int() { Num::Int(x as i128) } else { Num::Float(x) }
}

/// A tile whose rows are the given ones, all valid.
fn tile<const R: usize, const C: usize>(ty: DType, rows: [[f64; C]; R]) -> Tile {
    let shape = TileShape { rows: R as u64, cols: C as u64, dtype: ty, layout: Layout::Nd, fractal: 512 };
    let bytes = vec![0; Tile::size(&shape) as usize];
    let (valid_rows, valid_cols) = (R as u64, C as u64);
    let mut t = Tile { loc: Loc::Vec, shape, valid_rows, valid_cols, pad: PadValue::Null, bytes };
    for (r, row) in rows.iter().enumerate() {
        for (c, x) in row.iter().enumerate() {
            t.set(r as u64, c as u64, num(ty, *x));
        }
    }
    t
}

/// The same tile, column-major.
fn column<const R: usize>(ty: DType, values: [f64; R]) -> Tile {
    let mut t = tile(ty, values.map(|x| [x]));
    t.shape.layout = Layout::Dn;
    t
}

/// The same tile with fewer valid rows and columns.
fn valid(mut t: Tile, rows: u64, cols: u64) -> Tile {
    (t.valid_rows, t.valid_cols) = (rows, cols);
    t
}

fn scalar(ty: DType, x: f64) -> Attr {
    Attr::Scalar(Scalar { dtype: ty, bits: encode(ty, num(ty, x)) })
}

fn word(w: &str) -> Attr {
    Attr::Word(w.to_owned())
}

/// Evaluates and gives one operand as it is after.
fn run<const N: usize, const A: usize>(
    op: &str,
    operands: [(&str, Tile); N],
    attrs: [(&str, Attr); A],
    result: &str,
) -> Result<Tile, Refusal> {
    let mut inst = Inst {
        op,
        operands: operands.map(|(n, t)| (n.into(), Operand::Tile(t))).into(),
        attrs: attrs.map(|(n, a)| (n.into(), a)).into(),
    };
    eval(&mut inst)?;
    inst.tile(result).cloned()
}

/// All elements, row by row.
fn values(t: &Tile) -> Vec<f64> {
    let (rows, cols) = (t.shape.rows, t.shape.cols);
    (0..rows).flat_map(|r| (0..cols).map(move |c| t.get(r, c).real())).collect()
}

fn all(t: Result<Tile, Refusal>) -> Vec<f64> {
    values(&t.unwrap())
}

#[test]
fn only_the_valid_region_is_written() {
    let dst = valid(tile(I32, [[7.0; 3]; 2]), 1, 2);
    let sum =
        run("tadd", [("src0", tile(I32, [[1.0; 3]; 2])), ("src1", tile(I32, [[2.0; 3]; 2])), ("dst", dst)], [], "dst");
    assert_eq!(all(sum), [3.0, 3.0, 7.0, 7.0, 7.0, 7.0]);
}

#[test]
fn integers_wrap_and_scalars_take_the_element_type() {
    let out = run(
        "tadds",
        [("src", tile(I8, [[100.0, -100.0]])), ("dst", tile(I8, [[0.0; 2]]))],
        [("scalar", scalar(I32, 300.0))],
        "dst",
    );
    // 300 is 44 in eight bits.
    assert_eq!(all(out), [-112.0, -56.0]);
}

#[test]
fn a_source_that_is_not_valid_everywhere_is_refused() {
    let src = valid(tile(F32, [[1.0; 4]; 2]), 2, 3);
    let e = run("tabs", [("src", src), ("dst", tile(F32, [[0.0; 4]; 2]))], [], "dst").unwrap_err();
    assert_eq!(e.to_string(), "`tabs`: `src` is valid in 2 x 3, the destination in 2 x 4");
    let e = run("tabs", [("src", tile(F16, [[1.0]])), ("dst", tile(F32, [[0.0]]))], [], "dst").unwrap_err();
    assert_eq!(e.to_string(), "`tabs`: `src` has elements of f16, not of f32");
    let e = run("texp", [("src", tile(I32, [[1.0]])), ("dst", tile(I32, [[0.0]]))], [], "dst").unwrap_err();
    assert_eq!(e.to_string(), "no meaning is known for `texp` on elements of i32");
}

#[test]
fn a_tile_may_be_divided_by_a_scalar_or_divide_it() {
    let quotient = |form: &str| {
        all(run(
            "tdivs",
            [("src", tile(F32, [[2.0, 8.0]])), ("dst", tile(F32, [[0.0; 2]]))],
            [("scalar", scalar(F32, 4.0)), ("form", word(form))],
            "dst",
        ))
    };
    assert_eq!(quotient("tile_div_scalar"), [0.5, 2.0]);
    assert_eq!(quotient("scalar_div_tile"), [2.0, 0.5]);
}

#[test]
fn the_tile_of_a_division_may_be_the_second_operand() {
    let operands = [("scalar", tile(I32, [[2.0, 8.0]])), ("dst", tile(I32, [[0.0; 2]]))];
    assert_eq!(all(run("tdivs", operands, [("src", scalar(I32, 17.0))], "dst")), [8.0, 2.0]);
}

#[test]
fn sums_of_three_round_twice() {
    // 1 + 2^-24 is half way to the next f32 and goes back to 1; both small numbers together would not.
    let tiny = 2f64.powi(-24);
    let t = |x: f64| tile(F32, [[x]]);
    let out = run("taddc", [("src0", t(1.0)), ("src1", t(tiny)), ("src2", t(tiny)), ("dst", t(0.0))], [], "dst");
    assert_eq!(all(out), [1.0]);
}

#[test]
fn a_multiplied_destination_is_the_old_one() {
    let t = |x: f64| tile(F32, [[x]]);
    let fused = |op| all(run(op, [("src0", t(3.0)), ("src1", t(-10.0)), ("dst", t(2.0))], [], "dst"));
    assert_eq!(fused("tfusedmuladd"), [-4.0]);
    assert_eq!(fused("tfusedmuladdrelu"), [0.0]);
    assert_eq!(fused("tmuladddst"), [-28.0]);
}

#[test]
fn rectified_sums_are_clamped_to_the_narrower_type() {
    let out = run(
        "taddreluconv",
        [
            ("src0", tile(I16, [[30000.0, 100.0, -5.0]])),
            ("src1", tile(I16, [[30000.0, 20.0, 2.0]])),
            ("dst", tile(I8, [[0.0; 3]])),
        ],
        [],
        "dst",
    );
    assert_eq!(all(out), [127.0, 120.0, 0.0]);
    let t = |x: f64| tile(I32, [[x]]);
    let attrs = [("deq_scale", scalar(F32, 0.5))];
    let out = run("tadddeqrelu", [("src0", t(7.0)), ("src1", t(2.0)), ("dst", tile(F16, [[0.0]]))], attrs, "dst");
    assert_eq!(all(out), [4.5]);
}

#[test]
fn comparisons_pack_bits_from_the_low_end() {
    let src = tile(F32, [[1.0, 5.0, f64::NAN, 5.0, 0.0, 0.0, 0.0, 0.0, 9.0]]);
    let mask = |mode: &str| {
        all(run(
            "tcmps",
            [("src", src.clone()), ("dst", tile(U8, [[255.0; 3]]))],
            [("scalar", scalar(F32, 5.0)), ("cmp_mode", word(mode))],
            "dst",
        ))
    };
    assert_eq!(mask("eq"), [f64::from(0b1010), 0.0, 255.0]);
    assert_eq!(mask("ne"), [f64::from(0b1111_0101), 1.0, 255.0]);
    assert_eq!(mask("ge"), [f64::from(0b1010), 1.0, 255.0]);
    assert_eq!(mask("lt"), [f64::from(0b1111_0001), 0.0, 255.0]);
}

#[test]
fn a_scalar_may_come_from_a_tile() {
    let src1 = tile(I16, [[2.0, 100.0]]);
    let out = run(
        "tcmps",
        [("src", tile(I16, [[1.0, 2.0, 3.0]])), ("src1", src1), ("dst", tile(U16, [[0.0]]))],
        [("cmp_mode", word("gt"))],
        "dst",
    );
    assert_eq!(all(out), [4.0]);
}

#[test]
fn selection_reads_the_bits_of_its_row() {
    let mask = tile(U8, [[f64::from(0b01)], [f64::from(0b10)]]);
    let (a, b) = (tile(I32, [[1.0, 2.0], [3.0, 4.0]]), tile(I32, [[-1.0, -2.0], [-3.0, -4.0]]));
    let dst = tile(I32, [[0.0; 2]; 2]);
    let out = run("tsel", [("mask", mask.clone()), ("src0", a.clone()), ("src1", b), ("dst", dst.clone())], [], "dst");
    assert_eq!(all(out), [1.0, -2.0, -3.0, 4.0]);
    let out = run("tsels", [("mask", mask), ("src", a), ("dst", dst)], [("scalar", scalar(I32, 9.0))], "dst");
    assert_eq!(all(out), [1.0, 9.0, 9.0, 4.0]);
}

#[test]
fn partial_tiles_join_where_both_are_valid() {
    let whole = tile(I32, [[1.0, 2.0], [3.0, 4.0]]);
    let part = valid(tile(I32, [[10.0, 20.0], [30.0, 40.0]]), 1, 2);
    let dst = tile(I32, [[0.0; 2]; 2]);
    let out = run("tpartadd", [("src0", part), ("src1", whole), ("dst", dst)], [], "dst");
    assert_eq!(all(out), [11.0, 22.0, 3.0, 4.0]);
}

#[test]
fn a_partial_extreme_brings_its_index() {
    let operands = || {
        [
            ("src0", tile(F32, [[1.0, 5.0, 4.0]])),
            ("src1", tile(F32, [[2.0, 5.0, 3.0]])),
            ("src0_idx", tile(U32, [[10.0, 11.0, 12.0]])),
            ("src1_idx", tile(U32, [[20.0, 21.0, 22.0]])),
            ("dst", tile(F32, [[0.0; 3]])),
            ("dst_idx", tile(U32, [[0.0; 3]])),
        ]
    };
    assert_eq!(all(run("tpartargmax", operands(), [], "dst")), [2.0, 5.0, 4.0]);
    assert_eq!(all(run("tpartargmax", operands(), [], "dst_idx")), [20.0, 11.0, 12.0]);
    assert_eq!(all(run("tpartargmin", operands(), [], "dst_idx")), [10.0, 11.0, 22.0]);
}

#[test]
fn row_values_come_from_a_column_or_from_a_block() {
    let full = tile(F32, [[1.0, 2.0], [3.0, 4.0]]);
    let dst = tile(F32, [[0.0; 2]; 2]);
    let e = column(F32, [10.0, 100.0]);
    let out = run("trowexpandsub", [("src0", full.clone()), ("src1", e.clone()), ("dst", dst.clone())], [], "dst");
    assert_eq!(all(out), [-9.0, -8.0, -97.0, -96.0]);
    let out = run("trowexpandsub", [("src0", e), ("src1", full), ("dst", dst)], [], "dst");
    assert_eq!(all(out), [9.0, 8.0, 97.0, 96.0]);
    // Four i64 are a block of 32 bytes.
    let full = tile(I64, [[0.0; 6]]);
    let block = tile(I64, [[1.0, 2.0, 3.0, 4.0]]);
    let out = run("trowexpandadd", [("src0", full), ("src1", block), ("dst", tile(I64, [[0.0; 6]]))], [], "dst");
    assert_eq!(all(out), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0]);
}

#[test]
fn column_values_come_from_the_first_row() {
    let full = tile(F32, [[6.0, 8.0], [12.0, 16.0]]);
    let e = tile(F32, [[3.0, 4.0]]);
    let dst = tile(F32, [[0.0; 2]; 2]);
    let out = run("tcolexpanddiv", [("src0", full.clone()), ("src1", e.clone()), ("dst", dst.clone())], [], "dst");
    assert_eq!(all(out), [2.0, 2.0, 4.0, 4.0]);
    let out = run("tcolexpanddiv", [("src0", e.clone()), ("src1", full), ("dst", dst.clone())], [], "dst");
    assert_eq!(all(out), [0.5, 0.5, 0.25, 0.25]);
    assert_eq!(all(run("tcolexpand", [("src", e), ("dst", dst)], [], "dst")), [3.0, 4.0, 3.0, 4.0]);
}

#[test]
fn rows_and_columns_become_one_value() {
    let src = || tile(I16, [[3.0, -1.0, 2.0], [5.0, 5.0, 300.0]]);
    let rows = |op: &str| all(run(op, [("src", src()), ("dst", column(I16, [0.0; 2]))], [], "dst"));
    assert_eq!(rows("trowsum"), [4.0, 310.0]);
    assert_eq!(rows("trowprod"), [-6.0, 7500.0]);
    assert_eq!(rows("trowmax"), [3.0, 300.0]);
    assert_eq!(rows("trowmin"), [-1.0, 5.0]);
    let columns = |op: &str| all(run(op, [("src", src()), ("dst", tile(I16, [[0.0; 3]]))], [], "dst"));
    assert_eq!(columns("tcolsum"), [8.0, 4.0, 302.0]);
    assert_eq!(columns("tcolmin"), [3.0, -1.0, 2.0]);
}

#[test]
fn sums_of_halves_are_kept_in_single_along_rows() {
    // In f16, 2048 + 1 is 2048; in f32 four ones are not lost.
    let row = [2048.0, 1.0, 1.0, 1.0, 1.0];
    let sum = |op, src, dst| all(run(op, [("src", src), ("dst", dst)], [], "dst"));
    assert_eq!(sum("trowsum", tile(F16, [row]), column(F16, [0.0])), [2052.0]);
    assert_eq!(sum("tcolsum", tile(F16, row.map(|x| [x])), tile(F16, [[0.0]])), [2048.0]);
}

#[test]
fn the_first_extreme_counts() {
    let src = || tile(F32, [[1.0, 7.0, 7.0], [-2.0, 9.0, -2.0]]);
    let rows = |op: &str| all(run(op, [("src", src()), ("dst", column(U32, [9.0; 2]))], [], "dst"));
    assert_eq!(rows("trowargmax"), [1.0, 1.0]);
    assert_eq!(rows("trowargmin"), [0.0, 0.0]);
    let both = [("src", src()), ("dst_val", tile(F32, [[0.0; 3]])), ("dst_idx", tile(I32, [[0.0; 3]]))];
    assert_eq!(all(run("tcolargmax", both.clone(), [], "dst_val")), [1.0, 9.0, 7.0]);
    assert_eq!(all(run("tcolargmax", both, [], "dst_idx")), [0.0, 1.0, 0.0]);
}

#[test]
fn neighbours_are_added_in_pairs() {
    let src = tile(F32, [[1.0, 2.0, 3.0, 4.0, 5.0]]);
    let out = run("tpairreducesum", [("src", src), ("dst", tile(F32, [[9.0; 5]]))], [], "dst");
    assert_eq!(all(out), [3.0, 7.0, 9.0, 9.0, 9.0]);
}

#[test]
fn a_histogram_counts_up_to_each_value_behind_its_filter() {
    // Only elements with 0x02 in the upper byte count.
    let src = tile(U16, [[f64::from(0x0201), f64::from(0x0203), f64::from(0x0103), f64::from(0x0201)]]);
    let operands = [("src", src), ("idx", column(U8, [2.0])), ("dst", tile(U32, [[0.0; 256]]))];
    let out = all(run("thistogram", operands, [("byte", Attr::Int(0))], "dst"));
    assert_eq!(out[..5], [0.0, 2.0, 2.0, 3.0, 3.0]);
    assert_eq!(out[255], 3.0);
}

#[test]
fn sequences_and_triangles() {
    let attrs = || [("start", scalar(I16, 5.0)), ("descending", Attr::Bool(true))];
    assert_eq!(all(run("tci", [("dst", tile(I16, [[0.0; 3]]))], attrs(), "dst")), [5.0, 4.0, 3.0]);
    let triangle = |upper, diagonal| {
        let attrs = [("upper", Attr::Bool(upper)), ("diagonal", Attr::Int(diagonal))];
        all(run("ttri", [("dst", tile(F32, [[9.0; 3]; 2]))], attrs, "dst"))
    };
    assert_eq!(triangle(false, 0), [1.0, 0.0, 0.0, 1.0, 1.0, 0.0]);
    assert_eq!(triangle(true, 1), [0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn random_words_depend_on_the_counter_alone() {
    let words = |counter: &str| {
        let attrs = [("key", word("1,2")), ("counter", word(counter)), ("rounds", Attr::Int(7))];
        all(run("trandom", [("dst", tile(U32, [[0.0; 8]]))], attrs, "dst"))
    };
    // The second block of four is the first one of the next counter, also over a carry.
    assert_eq!(words("ffffffff,0,0,0")[4..], words("0,1,0,0")[..4]);
    let scalars = ["key0", "key1", "counter0", "counter1", "counter2", "counter3"];
    let scalars = [0, 1, 2, 3, 4, 5].map(|n| (scalars[n], scalar(U32, [1.0, 2.0, 9.0, 0.0, 0.0, 0.0][n])));
    assert_eq!(all(run("trandom", [("dst", tile(U32, [[0.0; 8]]))], scalars, "dst")).len(), 8);
    let e = run("trandom", [("dst", tile(U32, [[0.0]]))], [("key", word("1")), ("counter", word("0,0,0,0"))], "dst");
    assert_eq!(e.unwrap_err().to_string(), "`trandom`: `key` is no list of 2 words");
}

#[test]
fn eight_bits_by_scale_and_offset() {
    let src = tile(F32, [[1.0, 2.5, 1000.0], [-1.0, 3.0, 0.0]]);
    let (scale, offset) = (column(F32, [1.0, 10.0]), column(F32, [0.0, 5.0]));
    let quantised = |kind: &str, dst: Tile| {
        let operands = [("src", src.clone()), ("scale", scale.clone()), ("offset", offset.clone()), ("dst", dst)];
        all(run("tquant", operands, [("quant_type", word(kind))], "dst"))
    };
    assert_eq!(quantised("INT8_ASYM", tile(U8, [[0.0; 3]; 2])), [1.0, 2.0, 255.0, 0.0, 35.0, 5.0]);
    let operands = [
        ("src", tile(I8, [[1.0], [2.0]])),
        ("scale", column(F32, [3.0, 0.5])),
        ("offset", column(F32, [0.0, 1.0])),
        ("dst", tile(F32, [[0.0]; 2])),
    ];
    assert_eq!(all(run("tdequant", operands, [], "dst")), [3.0, 0.5]);
}

/// 448 is the largest e4m3 number: the exponent of a group with it is 127 and its elements stay what they are. The other
/// group is 2^10 times as large.
#[test]
fn a_group_of_32_shares_an_exponent() {
    let mut row = [1.0; 64];
    row[0] = 448.0;
    for x in &mut row[32..] {
        *x = 448.0 * 1024.0;
    }
    let operands = || [("src", tile(F32, [row])), ("exp", tile(U8, [[0.0; 2]])), ("dst", tile(F8E4M3, [[0.0; 64]]))];
    for kind in ["OcpMxFp8E4M3", "NvMxFp8E4M3"] {
        let attrs = || [("quant_type", word(kind)), ("grp_axis", Attr::Int(1))];
        assert_eq!(all(run("tquant", operands(), attrs(), "exp")), [127.0, 137.0], "{kind}");
        let codes = all(run("tquant", operands(), attrs(), "dst"));
        assert_eq!((codes[0], codes[1], codes[63]), (448.0, 1.0, 448.0), "{kind}");
    }
}

/// Above 448 the two rules part: the exponent of 449 is that of 448, and the clamp takes what is over; the other rule takes
/// the next exponent.
#[test]
fn the_two_exponent_rules() {
    let exponent = |kind: &str| {
        let operands =
            [("src", tile(F32, [[449.0; 32]])), ("exp", tile(U8, [[0.0]])), ("dst", tile(F8E4M3, [[0.0; 32]]))];
        all(run("tquant", operands, [("quant_type", word(kind))], "exp"))
    };
    assert_eq!(exponent("OcpMxFp8E4M3"), [127.0]);
    assert_eq!(exponent("NvMxFp8E4M3"), [128.0]);
}

/// Groups of rows; two row groups share a row of exponents when interleaved.
#[test]
fn groups_of_rows_may_interleave_their_exponents() {
    let mut rows = [[448.0; 2]; 64];
    for row in &mut rows[32..] {
        *row = [896.0, 224.0];
    }
    let exponents = |interleave: bool, exp: Tile| {
        let operands = [("src", tile(F32, rows)), ("exp", exp), ("dst", tile(F8E4M3, [[0.0; 2]; 64]))];
        let attrs = [("quant_type", word("mxfp8")), ("grpAxis", word("axis0")), ("interleave", Attr::Bool(interleave))];
        all(run("tquant_mx", operands, attrs, "exp"))
    };
    assert_eq!(exponents(false, tile(U8, [[0.0; 2]; 2])), [127.0, 127.0, 128.0, 126.0]);
    assert_eq!(exponents(true, tile(U8, [[0.0; 4]])), [127.0, 128.0, 127.0, 126.0]);
}

#[test]
fn conversions_follow_their_modes() {
    let convert = |x: f64, round: &str, sat: &str| {
        let attrs = [("round_mode", word(round)), ("sat_mode", word(sat))];
        all(run("tcvt", [("src", tile(F32, [[x]])), ("dst", tile(I8, [[0.0]]))], attrs, "dst"))[0]
    };
    assert_eq!(
        ["rint", "round", "floor", "ceil", "trunc", "none"].map(|m| convert(-2.5, m, "on")),
        [-2.0, -3.0, -3.0, -2.0, -2.0, -2.0]
    );
    assert_eq!([convert(200.0, "rint", "on"), convert(200.0, "rint", "off")], [127.0, -56.0]);
    let round = |x: f64, mode: &str| {
        let operands = [("src", tile(F32, [[x]])), ("dst", tile(F32, [[0.0]]))];
        all(run("tcvt", operands, [("round_mode", word(mode))], "dst"))[0]
    };
    assert_eq!([round(1.5, "rint"), round(1.5, "floor")], [2.0, 1.0]);
}

#[test]
fn codes_of_every_type_are_numbers() {
    assert_eq!(decode(DType::HiF8, 0x20), Num::Float(4.0));
    assert_eq!(decode(DType::F8E8M0, 128), Num::Float(2.0));
    assert_eq!(decode(DType::F4E2M1x2, 0xf), Num::Float(-6.0));
}
