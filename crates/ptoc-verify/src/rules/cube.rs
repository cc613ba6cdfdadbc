//! Cube products: `tmatmul`, `tgemv` and their accumulating and biased forms.

use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Rule};
use ptoc_target::{Compact, DType, Layout};

use DType::{BF16, F8E4M3, F8E5M2, F16, F32, HiF8, I8, I32};
use Opd::{A, AccIn, B, Bias, Dst};

const SRC_A: &[Opd] = &[A];
const SRC_B: &[Opd] = &[B];

/// Where the operands live, and how they are stored.
const PLACE: &[Rule] = &[
    rule("SA-0225", Check::Loc(SRC_A, LEFT)),
    rule("SA-0227", Check::Loc(SRC_B, RIGHT)),
    rule("SA-0226", Check::Loc(DST, ACC)),
    rule(codes::C_LAYOUT, Check::Layout(SRC_A, &[Layout::Zz]))
        .only(A2A3)
        .when(&[Check::Lt(ONE, Num::Rows(A))])
        .derived(),
    rule(codes::C_LAYOUT, Check::Layout(SRC_B, ZN)).only(A2A3).derived(),
    rule(codes::C_LAYOUT, Check::Layout(DST, NZ)).only(A2A3).derived(),
    rule("SA-0080", Check::Layout(SRC_A, NZ)).only(A5).when(&[Check::Lt(ONE, Num::Rows(A))]),
    rule("SA-0080", Check::Layout(SRC_B, ZN)).only(A5),
    rule("SA-0080", Check::Layout(DST, NZ)).only(A5),
    rule(codes::C_FRACTAL, Check::Fractal(Dst, &[1024]))
        .derived()
        .why("the accumulator is stored in boxes of 16 by 16"),
];

const F8_PAIRS: &[(DType, DType)] = &[
    (F16, F16),
    (BF16, BF16),
    (F32, F32),
    (F8E4M3, F8E4M3),
    (F8E4M3, F8E5M2),
    (F8E5M2, F8E4M3),
    (F8E5M2, F8E5M2),
    (HiF8, HiF8),
];
const TYPES: &[Rule] = &[
    rule("SA-0185", Check::DtypePair(A, B, &[(I8, I8), (F16, F16), (F32, F32), (BF16, BF16)])).only(A2A3),
    rule("SA-0185", Check::Dtype(Dst, &[I32])).only(A2A3).when(&[Check::Dtype(A, &[I8])]),
    rule("SA-0185", Check::Dtype(Dst, &[F32])).only(A2A3).when(&[Check::Dtype(A, &[F16, F32, BF16])]),
    rule("SA-0005", Check::Dtype(Dst, &[I32, F32])).only(A5),
    rule("SA-0068", Check::DtypePair(A, B, &[(I8, I8)])).only(A5).when(&[Check::Dtype(Dst, &[I32])]),
    rule("SA-0076", Check::DtypePair(A, B, F8_PAIRS)).only(A5).when(&[Check::Dtype(Dst, &[F32])]),
];

const AGREE: &str = "a is m by k, b is k by n, the product m by n";
const SHAPES: &[Rule] = &[
    rule(codes::C_SHAPE, Check::Eq(Num::Rows(A), Num::Rows(Dst))).derived().why(AGREE),
    rule(codes::C_SHAPE, Check::Eq(Num::Cols(A), Num::Rows(B))).derived().why(AGREE),
    rule(codes::C_SHAPE, Check::Eq(Num::Cols(B), Num::Cols(Dst))).derived().why(AGREE),
];
const K_AGREES: &[Rule] =
    &[rule(codes::C_SHAPE, Check::Eq(Num::ValidCols(A), Num::ValidRows(B))).derived().soft().why(AGREE)];
const LIMITS: &[Rule] = &[
    rule("PA-0005", Check::Between(Num::ValidCols(A), 1, 4095)).debug(),
    rule("PA-0007", Check::Between(Num::ValidCols(B), 1, 4095)).debug(),
];
const M_LIMIT: &[Rule] = &[rule("PA-0006", Check::Between(Num::ValidRows(A), 1, 4095)).debug()];

const PACKED: &str = "the cube reads and writes its operands packed for the valid m, k, n, but a plain tile is stored with its static shape";
const MAKE_COMPACT: &str = "round the valid size up to the static one, or use a compact tile (compact=1)";
const LONG_K: Check = Check::Lt(Num::Block(A), Num::ValidCols(A));
/// Valid sizes smaller than the static ones shift the stripes.
const DENSITY: &[Rule] = &[
    rule(
        codes::C_DENSITY,
        Check::Any(&[
            Check::Eq(Num::Cols(A), Num::RoundUpBytes(&Num::ValidCols(A), A, 32)),
            Check::Eq(Num::Cols(A), Num::RoundUp(&Num::ValidCols(A), 16)),
        ]),
    )
    .only(A2A3)
    .when(&[Check::Compact(A, &[Compact::Null]), Check::Lt(Num::Const(16), Num::ValidRows(A))])
    .derived()
    .why(PACKED)
    .help(MAKE_COMPACT),
    rule(codes::C_DENSITY, Check::Eq(Num::Rows(A), Num::RoundUp(&Num::ValidRows(A), 16)))
        .only(A5)
        .when(&[Check::Compact(A, &[Compact::Null]), LONG_K, Check::Lt(ONE, Num::Rows(A))])
        .derived()
        .why(PACKED)
        .help(MAKE_COMPACT),
    rule(codes::C_DENSITY, Check::Eq(Num::Cols(B), Num::RoundUp(&Num::ValidCols(B), 16)))
        .when(&[Check::Compact(B, &[Compact::Null]), LONG_K])
        .derived()
        .why(PACKED)
        .help(MAKE_COMPACT),
];
const DENSITY_C: &[Rule] = &[rule(codes::C_DENSITY, Check::Eq(Num::Rows(Dst), Num::RoundUp(&Num::ValidRows(A), 16)))
    .when(&[Check::Compact(Dst, &[Compact::Null]), Check::Lt(Num::Const(16), Num::ValidCols(B))])
    .derived()
    .why(PACKED)
    .help(MAKE_COMPACT)];

const SAME_ACC: &[Rule] = &[
    rule(codes::C_ACC, Check::Loc(&[AccIn], ACC)).derived(),
    rule(codes::C_ACC, Check::SameDtype(&[AccIn, Dst])).derived(),
    rule(codes::C_ACC, Check::SameStorage(AccIn, Dst))
        .derived()
        .why("the cube adds to the block that it writes")
        .help("pass the destination as the accumulator"),
];
const BIASED: &[Rule] = &[
    rule("SA-0075", Check::SameDtype(&[Bias, Dst])),
    rule("SA-0219", Check::Loc(&[Bias], BIAS)).only(A2A3),
    rule("SA-0219", Check::Eq(Num::Rows(Bias), ONE)).only(A2A3),
    rule("SA-0078", Check::Loc(&[Bias], BIAS)).only(A5),
    rule("SA-0078", Check::Eq(Num::Rows(Bias), ONE)).only(A5),
    rule("SA-0078", Check::Layout(&[Bias], ND)).only(A5),
    rule(codes::C_BIAS, Check::Le(Num::ValidCols(B), Num::ValidCols(Bias)))
        .derived()
        .soft()
        .why("each column of the product has its bias"),
];

const VECTOR: &[Rule] = &[
    rule(codes::C_SHAPE, Check::Eq(Num::Rows(A), ONE))
        .derived()
        .why("`tgemv` reads its left operand as a dense row of k elements")
        .help("use a one-row left tile, or `tmatmul`"),
    rule(codes::C_SHAPE, Check::Eq(Num::Rows(Dst), Num::Const(16)))
        .derived()
        .why("the accumulator has boxes of 16 rows"),
    rule(codes::C_SHAPE, Check::Eq(Num::Cols(B), Num::Cols(Dst))).derived().why(AGREE),
];

pub(super) const RULES: &[OpRules] = &[
    op("pto.tmatmul", &[PLACE, TYPES, SHAPES, K_AGREES, LIMITS, M_LIMIT, DENSITY, DENSITY_C]),
    op("pto.tmatmul.acc", &[PLACE, TYPES, SHAPES, K_AGREES, LIMITS, M_LIMIT, DENSITY, DENSITY_C, SAME_ACC]),
    op("pto.tmatmul.bias", &[PLACE, TYPES, SHAPES, K_AGREES, LIMITS, M_LIMIT, DENSITY, DENSITY_C, BIASED]),
    op("pto.tgemv", &[PLACE, TYPES, VECTOR, K_AGREES, LIMITS, DENSITY]),
    op("pto.tgemv.acc", &[PLACE, TYPES, VECTOR, K_AGREES, LIMITS, DENSITY, SAME_ACC]),
    op("pto.tgemv.bias", &[PLACE, TYPES, VECTOR, K_AGREES, LIMITS, DENSITY, BIASED]),
];
