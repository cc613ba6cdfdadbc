//! Whatever the operands are, a meaning gives a result or a refusal, and a refused instruction changes nothing.

use ptoc_sim::semantics::{Attr, Inst, Operand, Scalar, Tensor, TensorLayout, Tile, eval, instructions};
use ptoc_target::{DType, Layout, Loc, PadValue, TileShape};
use ptoc_testkit::Rng;
use std::borrow::Cow;

const OPERANDS: &[&str] = &[
    "src", "src0", "src1", "src2", "src3", "dst", "dst0", "dst1", "dst_val", "dst_idx", "src0_idx", "src1_idx", "mask",
    "scale", "offset", "offsets", "idx", "indexes", "indices", "exp", "base", "a", "b", "c", "c_in", "bias", "a_scale",
    "b_scale", "fp", "k_value", "cdst",
];

const LOCATIONS: &[Loc] = &[Loc::Vec, Loc::Mat, Loc::Acc, Loc::Left, Loc::Right, Loc::Scaling];

/// Extents around the borders of blocks, boxes and groups.
const EXTENTS: &[u64] = &[0, 1, 2, 3, 8, 15, 16, 31, 32, 33, 64];

const WORDS: &[&str] = &[
    "",
    "eq",
    "ge",
    "row",
    "col",
    "P0101",
    "P1111",
    "rint",
    "odd",
    "on",
    "off",
    "INT8_SYM",
    "INT8_ASYM",
    "mxfp8",
    "NvMxFp4E2M1",
    "axis0",
    "add",
    "max",
    "clamp",
    "wrap",
    "zero",
    "skip",
    "elem",
    "normal_relu",
    "single_vec1",
    "scalar_div_tile",
    "1,2",
    "0,0,0,ffffffff",
];

const ATTRS: &[&str] = &[
    "scalar",
    "start",
    "deq_scale",
    "pre_quant_scalar",
    "cmp_mode",
    "round_mode",
    "sat_mode",
    "quant_type",
    "grp_axis",
    "grpAxis",
    "interleave",
    "mask_pattern",
    "axis",
    "coalesce",
    "oob",
    "atomic",
    "relu",
    "form",
    "index_row",
    "index_col",
    "block_len",
    "byte",
    "rounds",
    "key",
    "counter",
    "diagonal",
    "upper",
    "descending",
    "pad_value",
    "pad_top",
    "filter_h",
    "filter_w",
    "stride_h",
    "stride_w",
    "dilation_h",
    "dilation_w",
    "pos_m",
    "pos_k",
    "exhausted",
];

/// Words that an attribute takes; the others take what comes.
const FITTING: &[(&str, &[&str])] = &[
    ("cmp_mode", &["eq", "ge"]),
    ("round_mode", &["rint", "odd"]),
    ("sat_mode", &["on", "off"]),
    ("quant_type", &["INT8_SYM", "INT8_ASYM", "mxfp8", "NvMxFp4E2M1"]),
    ("relu", &["normal_relu"]),
    ("key", &["1,2"]),
    ("counter", &["0,0,0,ffffffff"]),
];

/// Element types that instructions with one fixed type take.
const COMMON: &[DType] = &[DType::F32, DType::F16, DType::I32, DType::U32, DType::U16, DType::I8, DType::U8];

fn dtype(rng: &mut Rng) -> DType {
    if rng.below(2) == 0 { *rng.pick(COMMON) } else { *rng.pick(&DType::ALL) }
}

fn bytes(rng: &mut Rng, size: u64) -> Vec<u8> {
    // Small numbers are indexes that hit, large ones indexes that miss.
    let small = rng.below(2) == 0;
    (0..size).map(|i| if small && i % 4 != 0 { 0 } else { rng.next_u64() as u8 }).collect()
}

fn tile(rng: &mut Rng, dtype: DType, usual: (u64, u64)) -> Operand {
    let (rows, cols) = if rng.below(9) > 0 { usual } else { (*rng.pick(EXTENTS), *rng.pick(EXTENTS)) };
    let all = [Layout::Nd, Layout::Nd, Layout::Dn, Layout::Nz, Layout::Zn, Layout::Zz, Layout::Nn];
    let shape = TileShape { rows, cols, dtype, layout: *rng.pick(&all), fractal: *rng.pick(&[512, 1024, 32]) };
    let pad = *rng.pick(&[PadValue::Null, PadValue::Zero, PadValue::Max, PadValue::Min, PadValue::Custom(0xbf80_0000)]);
    let mut valid = |n: u64| if rng.below(6) > 0 { n } else { rng.below(n + 1) };
    let (valid_rows, valid_cols) = (valid(rows), valid(cols));
    let bytes = bytes(rng, Tile::size(&shape));
    Operand::Tile(Tile { loc: *rng.pick(LOCATIONS), shape, valid_rows, valid_cols, pad, bytes })
}

fn tensor(rng: &mut Rng, dtype: DType) -> Operand {
    let mut five = |from: &[u64]| [(); 5].map(|()| *rng.pick(from));
    let (shape, strides) = (five(&[0, 1, 2, 8, 16]), five(&[0, 1, 16, 100, u64::MAX]));
    let layout = *rng.pick(&[TensorLayout::Nd, TensorLayout::Dn, TensorLayout::Nz]);
    let size = rng.below(2000);
    let bytes = bytes(rng, size);
    Operand::Tensor(Tensor { dtype, shape, strides, layout, bytes })
}

fn attr(rng: &mut Rng, name: &str) -> Attr {
    if let Some((_, words)) = FITTING.iter().find(|(n, _)| *n == name && rng.below(4) > 0) {
        return Attr::Word((*rng.pick(words)).to_owned());
    }
    match rng.below(4) {
        0 => Attr::Bool(rng.below(2) == 0),
        1 => Attr::Int(*rng.pick(&[i64::MIN, -1, 0, 1, 2, 3, 7, 16, 255, i64::MAX])),
        2 => Attr::Word((*rng.pick(WORDS)).to_owned()),
        _ => Attr::Scalar(Scalar { dtype: *rng.pick(&DType::ALL), bits: rng.next_u64() }),
    }
}

#[test]
fn a_meaning_neither_panics_nor_changes_what_it_refuses() {
    let mut rng = Rng::new(7);
    let mut without = Vec::new();
    for op in instructions() {
        let mut evaluated = 0;
        for _ in 0..300 {
            let (usual_type, usual) = (dtype(&mut rng), (*rng.pick(EXTENTS), *rng.pick(EXTENTS)));
            let mut operands = Vec::new();
            for name in OPERANDS {
                if rng.below(12) == 0 {
                    continue;
                }
                let ty = if rng.below(3) > 0 { usual_type } else { dtype(&mut rng) };
                let operand = if rng.below(12) == 0 { tensor(&mut rng, ty) } else { tile(&mut rng, ty, usual) };
                operands.push((Cow::Borrowed(*name), operand));
            }
            let mut attrs = Vec::new();
            for name in ATTRS {
                if rng.below(3) > 0 {
                    attrs.push((Cow::Borrowed(*name), attr(&mut rng, name)));
                }
            }
            let before = operands.clone();
            let mut inst = Inst { op, operands, attrs };
            match eval(&mut inst) {
                Ok(()) => evaluated += 1,
                Err(e) => assert!(inst.operands == before, "`{op}` changed an operand and refused: {e}"),
            }
        }
        if evaluated == 0 {
            without.push(op);
        }
    }
    // Few take only operands too rare for chance.
    assert!(without.len() <= 15, "never legal: {without:?}");
}
