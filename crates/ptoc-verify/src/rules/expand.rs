//! One element a row or column, combined with every element of the row or column.

use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Rule};
use ptoc_target::DType;

use DType::{BF16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use Opd::{Dst, Src, Src1};

const ARITH: &[DType] = &[I32, I16, F16, F32];
const WITHOUT_LONG: &[DType] = &[I32, U32, F32, I16, U16, F16, BF16, U8, I8];
const COPY: &[DType] = &[I8, U8, I16, U16, I32, U32, F16, BF16, F32];
const COPY_A5: &[DType] = &[I8, U8, I16, U16, I32, U32, F16, BF16, F32, I64, U64];

const fn dtype(list: &'static [DType]) -> Rule {
    rule(codes::D_DTYPE, Check::Dtype(Dst, list))
}

const DT_ARITH: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(WITHOUT_LONG).only(A5)];
const DT_DIV: &[Rule] = &[dtype(&[F16, F32]).only(A2A3), dtype(WITHOUT_LONG).only(A5)];
const DT_FLOAT: &[Rule] = &[dtype(&[F16, F32])];
const DT_COPY: &[Rule] = &[dtype(COPY).only(A2A3), dtype(COPY_A5).only(A5)];

const TILES: &[Opd] = &[Src, Src1, Dst];
const PLACE: &[Rule] =
    &[rule(codes::D_LOC, Check::Loc(TILES, VEC)), rule(codes::D_SAME_DTYPE, Check::SameDtype(TILES))];

/// The source that has the whole valid region of the destination; the other one has one element, or one block, a row.
const FULL0: Check = Check::SameValid(Src, Dst);
const FULL1: Check = Check::SameValid(Src1, Dst);

const ONE_A_ROW: &str =
    "the other source gives one element a row as a column (DN, one column), or one 32-byte block a row (ND)";
const ROW: &[Rule] = &[
    rule(codes::D_LAYOUT, Check::Layout(DST, ND)),
    rule(codes::D_LAYOUT, Check::Layout(&[Src, Src1], ND_DN)),
    rule(codes::D_FULL, Check::Any(&[FULL0, FULL1]))
        .debug()
        .soft()
        .why("one source has an element for each element of the destination"),
    rule(codes::D_VALID_ROWS, Check::Eq(Num::ValidRows(Src1), Num::ValidRows(Dst))).when(&[FULL0]).debug().soft(),
    rule(codes::D_PER_ROW, Check::Eq(Num::ValidCols(Src1), ONE))
        .when(&[FULL0, Check::Layout(&[Src1], DN), Check::Lt(ZERO, Num::ValidCols(Src1))])
        .debug()
        .why(ONE_A_ROW),
    rule(codes::D_PER_ROW, Check::Eq(Num::ValidCols(Src1), Num::Block(Src1)))
        .when(&[FULL0, Check::Layout(&[Src1], ND), Check::Not(&FULL1)])
        .debug()
        .soft()
        .why(ONE_A_ROW)
        .help("give the other source a column-major type with one column"),
    rule(codes::D_PER_ROW, Check::Eq(Num::ValidCols(Src), ONE))
        .when(&[FULL1, Check::Layout(SRC, DN), Check::Lt(ZERO, Num::ValidCols(Src))])
        .debug()
        .why(ONE_A_ROW),
    rule(codes::D_PER_ROW, Check::Eq(Num::Cols(Src1), ONE))
        .only(A5)
        .when(&[FULL0, Check::Layout(&[Src1], DN)])
        .derived()
        .why("the column is walked with a pitch of its static columns"),
];

/// The source whose first row serves every row.
const COL: &[Rule] = &[
    rule(codes::D_LAYOUT, Check::Layout(TILES, ND)),
    rule(codes::D_FULL, Check::Any(&[FULL0, FULL1]))
        .derived()
        .soft()
        .why("one source has an element for each element of the destination"),
    rule(codes::D_PER_COL, Check::Le(Num::ValidCols(Dst), Num::ValidCols(Src1)))
        .when(&[FULL0])
        .derived()
        .soft()
        .why("row 0 of the other source gives one element a column"),
];

const EXPAND: &[Rule] = &[
    rule(codes::D_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::D_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::D_LAYOUT, Check::Layout(DST, ND)),
    rule(codes::D_WIDE, Check::Le(Num::ValidCols(Dst), Num::Const(64)))
        .only(A5)
        .when(&[Check::DtypeSize(Dst, &[8])])
        .derived()
        .why(ONE_LOAD),
];
const ROW_EXPAND: &[Rule] = &[
    rule(codes::D_LAYOUT, Check::Layout(SRC, ND_DN)),
    rule(codes::D_VALID_ROWS, Check::Eq(Num::ValidRows(Src), Num::ValidRows(Dst))).debug().soft(),
    rule(codes::D_PER_ROW, Check::Eq(Num::TypeValidCols(Src), ONE)).only(A5).why("each row has one element"),
    rule(codes::D_PER_ROW, Check::Eq(Num::Cols(Src), ONE))
        .only(A5)
        .when(&[Check::Layout(SRC, DN), Check::DtypeSize(Src, &[1, 2, 4])])
        .derived()
        .why("the column is walked with a pitch of its static columns"),
];
const COL_EXPAND: &[Rule] = &[
    rule(codes::D_LAYOUT, Check::Layout(SRC, ND)),
    rule(codes::D_VALID_COLS, Check::Eq(Num::ValidCols(Src), Num::ValidCols(Dst))).derived().soft(),
];

pub(super) const RULES: &[OpRules] = &[
    op("pto.trowexpand", &[EXPAND, ROW_EXPAND, DT_COPY]),
    op("pto.trowexpandadd", &[PLACE, ROW, DT_ARITH]),
    op("pto.trowexpandsub", &[PLACE, ROW, DT_ARITH]),
    op("pto.trowexpandmul", &[PLACE, ROW, DT_ARITH]),
    op("pto.trowexpanddiv", &[PLACE, ROW, DT_DIV]),
    op("pto.trowexpandmax", &[PLACE, ROW, DT_ARITH]),
    op("pto.trowexpandmin", &[PLACE, ROW, DT_ARITH]),
    op("pto.trowexpandexpdif", &[PLACE, ROW, DT_FLOAT]),
    op("pto.tcolexpand", &[EXPAND, COL_EXPAND, DT_COPY]),
    op("pto.tcolexpandadd", &[PLACE, COL, DT_ARITH]),
    op("pto.tcolexpandsub", &[PLACE, COL, DT_ARITH]),
    op("pto.tcolexpandmul", &[PLACE, COL, DT_ARITH]),
    op("pto.tcolexpanddiv", &[PLACE, COL, DT_DIV]),
    op("pto.tcolexpandmax", &[PLACE, COL, DT_ARITH]),
    op("pto.tcolexpandmin", &[PLACE, COL, DT_ARITH]),
    op("pto.tcolexpandexpdif", &[PLACE, COL, DT_FLOAT]),
];
