//! Reductions along rows and columns.

use super::lists::*;
use crate::codes;
use crate::rule::{Attr, Check, Num, OpRules, Opd, Rule};
use ptoc_target::DType;

use DType::{BF16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
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
    .why(ONE_LOAD)];

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

/// Work memory of the other row reductions on A2/A3.
const ROW_TMP: &[Rule] = &[
    rule(codes::D_TMP, Check::Le(Num::Const(256), Num::RowBytes(Tmp)))
        .only(A2A3)
        .when(&[Check::Dtype(Src, &[F16, F32]), Check::Lt(Num::Const(256), Num::ValidRowBytes(Src))])
        .derived()
        .why("partial results of 256 bytes a row are folded in the temporary")
        .help("give the temporary the shape of the source"),
    rule(codes::D_TMP, Check::Le(Num::ValidRows(Src), Num::Rows(Tmp)))
        .only(A2A3)
        .when(&[Check::Dtype(Src, &[F16, F32]), Check::Lt(Num::Const(256), Num::ValidRowBytes(Src))])
        .derived()
        .why("the temporary has one row for each row of the source")
        .help("give the temporary the shape of the source"),
    rule(codes::D_TMP, Check::Le(Num::Const(32), Num::Bytes(Tmp)))
        .only(A2A3)
        .when(&[Check::Dtype(Src, &[I16, I32])])
        .derived()
        .why("one block of 32 bytes accumulates"),
];

/// Column of the extreme of each row.
const ROW_ARG: &[Rule] = &[
    rule(codes::D_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::D_LAYOUT, Check::Layout(SRC, ND)),
    rule(codes::D_LAYOUT, Check::Layout(DST, ND_DN)),
    rule(codes::D_COLUMN, Check::Eq(Num::Cols(Dst), ONE)).when(&[Check::Layout(DST, DN)]),
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I32, I16])).only(A2A3),
    rule(codes::D_DTYPE, Check::DtypeSize(Src, &[2, 4])).only(A5).derived(),
    rule(codes::D_DTYPE, Check::Dtype(Dst, &[I32, U32])).why("the result is an index"),
    rule(codes::D_SAME_DTYPE, Check::SameDtype(&[Src, Tmp])).only(A2A3).derived(),
    rule(codes::D_EMPTY, Check::Lt(ZERO, Num::ValidCols(Src))).when(&[Check::Lt(ZERO, Num::ValidRows(Src))]).debug(),
    rule(codes::D_VALID_ROWS, Check::Eq(Num::ValidRows(Src), Num::ValidRows(Dst))).debug().soft(),
];

/// One column to one element.
const COL: &[Rule] = &[
    rule(codes::D_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::D_LAYOUT, Check::Layout(SRC_DST, ND)),
    rule(codes::D_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::D_VALID_COLS, Check::Eq(Num::ValidCols(Src), Num::ValidCols(Dst))).debug().soft(),
];
const ALL_A5: &[DType] = &[I64, U64, F16, F32, I8, U8, U16, I16, I32, U32, BF16];
const DT_COL: &[Rule] = &[
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I16, I32])).only(A2A3),
    rule(codes::D_DTYPE, Check::Dtype(Src, ALL_A5)).only(A5),
];
const DT_COL_PROD: &[Rule] = &[
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, I16, I32])).only(A2A3),
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F32, F16, BF16, I16, U16, I32, U32])).only(A5),
];
const COL_SUM: &[Rule] = &[
    rule(codes::D_TMP, Check::Le(Num::ValidRowBytes(Src), Num::RowBytes(Tmp)))
        .when(&[Check::Attr(Attr::IsBinary, &["true"])])
        .debug()
        .why("the temporary holds the sums of pairs of rows"),
    rule(codes::D_DTYPE, Check::DtypeSize(Src, &[1, 2, 4])).only(A5).when(&[Check::Present(Tmp)]).derived(),
];
/// Row of the extreme of each column.
const COL_ARG: &[Rule] = &[
    rule(codes::D_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::D_LAYOUT, Check::Layout(SRC_DST, ND)).why("the source is walked row by row"),
    rule(codes::D_DTYPE, Check::Dtype(Src, &[F16, F32, U16, U32])).only(A2A3),
    rule(codes::D_DTYPE, Check::DtypeSize(Src, &[1, 2, 4])).only(A5),
    rule(codes::D_SAME_DTYPE, Check::SameDtype(&[Src, Tmp])).only(A2A3),
    rule(codes::D_DTYPE, Check::Dtype(Dst, &[I32, U32])).why("the result is an index"),
    rule(codes::D_VALID_ROWS, Check::Eq(Num::ValidRows(Dst), ONE)).debug().soft(),
    rule(codes::D_VALID_COLS, Check::Eq(Num::ValidCols(Src), Num::ValidCols(Dst))).debug().soft(),
];

/// Neighbours added.
const PAIRS: &[Rule] = &[
    rule(codes::D_LOC, Check::Loc(SRC_DST, VEC)).derived(),
    rule(codes::D_LAYOUT, Check::Layout(SRC_DST, ND)),
    rule(codes::D_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::D_DTYPE, Check::Dtype(Dst, &[F32, F16])),
    rule(codes::D_VALID_ROWS, Check::SameValid(Src, Dst)).debug().soft(),
];

pub(super) const RULES: &[OpRules] = &[
    op("pto.trowprod", &[ROW, PROD_ROWS, DT_PROD, PROD_TMP]),
    op("pto.trowsum", &[ROW, DT_SUM, ROW_TMP, I64_COLS]),
    op("pto.trowmax", &[ROW, DT_EXTREME, ROW_TMP, I64_COLS]),
    op("pto.trowmin", &[ROW, DT_EXTREME, ROW_TMP, I64_COLS]),
    op("pto.trowargmax", &[ROW_ARG]),
    op("pto.trowargmin", &[ROW_ARG]),
    op("pto.tpairreducesum", &[PAIRS]),
    op("pto.tcolsum", &[COL, DT_COL, COL_SUM, I64_COLS]),
    op("pto.tcolprod", &[COL, DT_COL_PROD]),
    op("pto.tcolmax", &[COL, DT_COL, I64_COLS]),
    op("pto.tcolmin", &[COL, DT_COL, I64_COLS]),
    op("pto.tcolargmax", &[COL_ARG]),
    op("pto.tcolargmin", &[COL_ARG]),
];
