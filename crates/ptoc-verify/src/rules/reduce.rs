//! Reductions along rows and columns.

use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Rule};
use ptoc_target::DType;

use DType::{F16, F32, I8, I16, I32, I64, U8, U64};
use Opd::{Dst, Src, Tmp};

/// One row to one element.
const ROW: &[Rule] = &[
    rule(codes::D_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::D_LAYOUT, Check::Layout(SRC, ND)),
    rule(codes::D_LAYOUT, Check::Layout(DST, ND_DN)),
    rule(codes::D_COLUMN, Check::Eq(Num::Cols(Dst), ONE))
        .when(&[Check::Layout(DST, DN)])
        .why("a column-major result holds one element a row and nothing else")
        .help("make the destination one column wide, or ND"),
    rule(codes::D_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    // No row at all is no work; kernels have such tiles on cores without a share.
    rule(codes::D_EMPTY, Check::Lt(ZERO, Num::ValidCols(Src)))
        .when(&[Check::Lt(ZERO, Num::ValidRows(Src))])
        .debug()
        .why("an empty row has no sum, product or extreme"),
    rule(codes::D_VALID_ROWS, Check::Eq(Num::ValidRows(Src), Num::ValidRows(Dst))).debug(),
];

const I64_COLS: &[Rule] = &[rule(codes::D_WIDE, Check::Le(Num::ValidCols(Src), Num::Const(64)))
    .only(A5)
    .when(&[Check::Dtype(Src, &[I64, U64])])
    .derived()
    .why("a row of 64-bit numbers is read with one load of 64 elements")];

const DT_PROD: &[Rule] = &[rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I32, I16]))];
const DT_SUM: &[Rule] = &[
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I32, I16])).only(A2A3),
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I32, I16, I64, U64])).only(A5),
];
const DT_EXTREME: &[Rule] = &[
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I32, I16])).only(A2A3),
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I32, I16, I8, U8, I64, U64])).only(A5),
];

const PROD_ROWS: &[Rule] =
    &[rule(codes::D_EMPTY, Check::Lt(ZERO, Num::ValidRows(Src))).debug().why("a product of no rows has no result")];

/// The accumulator of a row product on A2/A3: one block, or the repeats of the pairwise scheme, or simply the source's shape.
const PROD_REPEATS: Num =
    Num::Times(&Num::CeilDiv(&Num::CeilDiv(&Num::RowBytes(Src), &Num::Const(2)), &Num::Const(256)), 256);
const PROD_TMP: &[Rule] = &[
    rule(codes::D_SAME_DTYPE, Check::SameDtype(&[Src, Tmp]))
        .only(A2A3)
        .derived()
        .why("the temporary accumulates the product"),
    rule(codes::D_LOC, Check::Loc(&[Tmp], VEC)).only(A2A3).derived(),
    rule(
        codes::D_TMP,
        Check::Any(&[Check::Le(PROD_REPEATS, Num::Bytes(Tmp)), Check::Le(Num::Bytes(Src), Num::Bytes(Tmp))]),
    )
    .only(A2A3)
    .derived()
    .why("the temporary holds half a row in repeats of 256 bytes")
    .help("give the temporary the shape of the source"),
];

pub(super) const RULES: &[OpRules] = &[
    op("pto.trowprod", &[ROW, PROD_ROWS, DT_PROD, PROD_TMP]),
    op("pto.trowsum", &[ROW, DT_SUM, I64_COLS]),
    op("pto.trowmax", &[ROW, DT_EXTREME, I64_COLS]),
    op("pto.trowmin", &[ROW, DT_EXTREME, I64_COLS]),
];
