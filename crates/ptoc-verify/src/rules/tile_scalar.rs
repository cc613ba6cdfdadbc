//! Tile with number.

use super::elementwise::{DT_POWER, MASK_RESULT, MASK_SOURCE};
use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Path, Rule};
use ptoc_target::{DType, Loc};

use DType::{BF16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use Opd::{Dst, Mask, Scalar, Src, Src1, Tmp};

const SHAPE: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::E_LAYOUT, Check::Layout(SRC_DST, ND)),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).debug().soft(),
];
const SAME: &[Rule] = &[rule(codes::E_SAME_DTYPE, Check::SameDtype(SRC_DST))];

const ALL_A5: &[DType] = &[I64, U64, I32, U32, I16, U16, I8, U8, F16, BF16, F32];
const ARITH: &[DType] = &[I32, I16, F16, F32];
const INT32: &[DType] = &[I8, U8, I16, U16, I32, U32];
const NO_BYTES_A5: &[DType] = &[I64, U64, I32, U32, I16, U16, F16, BF16, F32];
const REM_A5: &[DType] = &[I64, U64, I32, U32, I16, U16, F16, F32];

const fn dtype(list: &'static [DType]) -> Rule {
    rule(codes::E_DTYPE, Check::Dtype(Dst, list))
}

const DT_ADD: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(ALL_A5).only(A5)];
const DT_MUL: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(NO_BYTES_A5).only(A5)];
const DT_DIV: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(REM_A5).only(A5)];
const DT_INT: &[Rule] = &[dtype(INT32)];
const DT_FLOAT: &[Rule] = &[dtype(&[F16, F32])];
const DT_SHIFT: &[Rule] =
    &[dtype(&[I32, I16, U32, U16]).only(A2A3), dtype(&[I8, U8, I16, U16, I32, U32, I64, U64]).only(A5)];
const DT_REM: &[Rule] = &[dtype(&[F32, I32]).only(A2A3), dtype(REM_A5).only(A5)];
const DT_FMOD: &[Rule] = &[dtype(&[F32]).only(A2A3), dtype(&[F16, F32, I16, U16, I32, U32]).only(A5)];

const COUNT: &[Rule] =
    &[rule(codes::E_COUNT, Check::Le(ZERO, Num::Value(Scalar))).docs().why("a shift count is not negative")];

const NOT_IN_PLACE: &[Rule] = &[rule(codes::E_STORAGE, Check::Disjoint(Dst, Src)).only(A2A3).debug().why(READ_AGAIN)];
const NOT_IN_PLACE_DERIVED: &[Rule] =
    &[rule(codes::E_STORAGE, Check::Disjoint(Dst, Src)).only(A2A3).derived().why(READ_AGAIN)];
const NOT_IN_PLACE_U64: &[Rule] = &[rule(codes::E_STORAGE, Check::Disjoint(Dst, Src))
    .only(A5)
    .when(&[Check::Dtype(Dst, &[U64])])
    .derived()
    .why(READ_AGAIN)];

const XOR_TMP: &[Rule] = &[
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Dst, Tmp])).only(A2A3),
    rule(codes::E_LAYOUT, Check::Layout(&[Tmp], ND)).only(A2A3),
    rule(codes::E_TMP, Check::SameValid(Tmp, Src)).only(A2A3).debug(),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src)).only(A2A3).debug().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Tmp)).only(A2A3).debug().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Src, Tmp)).only(A2A3).debug().why(READ_AGAIN),
];
const REM_TMP: &[Rule] = &[
    rule(codes::E_TMP, Check::Le(Num::ValidCols(Dst), Num::ValidCols(Tmp)))
        .only(A2A3)
        .debug()
        .why("one row of work memory"),
    rule(codes::E_TMP, Check::Le(ONE, Num::ValidRows(Tmp))).only(A2A3).debug().why("one row of work memory"),
];

const POWER: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::E_LAYOUT, Check::Layout(SRC_DST, ND)),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).debug().soft(),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::E_TMP, Check::SameValid(Tmp, Dst)).only(A2A3).when(&[Check::Dtype(Dst, &[F32])]).debug(),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Dst, Tmp])).only(A2A3).when(&[Check::Dtype(Dst, &[F32])]).derived(),
];

const AXPY: &[Rule] = &[rule(codes::E_DTYPE, Check::DtypePair(Src, Dst, &[(F16, F16), (F32, F32), (F16, F32)]))];

const BETWEEN: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[Src, Src1, Dst], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[Src, Src1, Dst], ND)),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).debug().soft(),
    rule(codes::E_VALID, Check::SameValid(Src1, Dst)).debug().soft(),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Src, Src1, Dst])),
];

const CMPS: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::E_LAYOUT, Check::Layout(SRC_DST, ND)),
    rule(codes::E_DTYPE, Check::Dtype(Src, &[I32, F16, F32, U16, I16])).only(A2A3),
    rule(codes::E_DTYPE, Check::Dtype(Src, ALL_A5)).only(A5),
    rule(codes::E_VALID, Check::Eq(Num::ValidRows(Src), Num::ValidRows(Dst))).debug().soft(),
];
const SELS: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[Mask, Src, Dst], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[Mask, Src, Dst], ND)),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).debug().soft(),
    rule(codes::E_DTYPE, Check::Dtype(Dst, &[I16, U16, I32, U32, F16, BF16, F32])).only(A2A3),
    rule(codes::E_DTYPE, Check::Dtype(Dst, &[I8, I16, I32, U8, U16, U32, I64, U64, F16, F32])).only(A5),
];

// A number in every element.

const FILL_VEC: &[Rule] = &[
    rule(codes::E_LAYOUT, Check::Layout(DST, ND_DN)),
    rule(codes::E_LAYOUT, Check::Layout(DST, ND)).only(A5).when(&[Check::DtypeSize(Dst, &[8])]),
    dtype(&[U8, I8, U16, I16, U32, I32, F16, BF16, F32]).only(A2A3),
    dtype(&[U8, I8, U16, I16, U32, I32, F16, BF16, F32, I64, U64]).only(A5),
];
const FILL_MAT: &[Rule] = &[
    dtype(&[U8, I8, U16, I16, U32, I32, F16, BF16, F32]),
    rule(codes::E_SIZE, Check::Between(Num::CeilDiv(&Num::Bytes(Dst), &Num::Const(32)), 1, 32767))
        .why("the fill of L1 counts 32-byte blocks in 15 bits"),
];
const FILL: &[Path] = &[
    path("a number to vec", BOTH, &[Check::Loc(DST, VEC)], &[FILL_VEC]),
    path("a number to mat", BOTH, &[Check::Loc(DST, MAT)], &[FILL_MAT]),
];
const FILL_LOC: &[Rule] = &[rule(codes::E_LOC, Check::Loc(DST, &[Loc::Vec, Loc::Mat]))];

pub(super) const RULES: &[OpRules] = &[
    op("pto.tadds", &[SHAPE, SAME, DT_ADD]),
    op("pto.tsubs", &[SHAPE, SAME, DT_ADD]),
    op("pto.tmuls", &[SHAPE, SAME, DT_MUL]),
    op("pto.tdivs", &[SHAPE, SAME, DT_DIV]),
    op("pto.tmaxs", &[SHAPE, SAME, DT_ADD]),
    op("pto.tmins", &[SHAPE, SAME, DT_ADD]),
    op("pto.tands", &[SHAPE, SAME, DT_INT, NOT_IN_PLACE]),
    op("pto.tors", &[SHAPE, SAME, DT_INT, NOT_IN_PLACE]),
    op("pto.txors", &[SHAPE, SAME, DT_INT, XOR_TMP]),
    op("pto.tshls", &[SHAPE, SAME, DT_SHIFT, COUNT]),
    op("pto.tshrs", &[SHAPE, SAME, DT_SHIFT, COUNT]),
    op("pto.tfmods", &[SHAPE, SAME, DT_FMOD, NOT_IN_PLACE_DERIVED]),
    op("pto.trems", &[SHAPE, SAME, DT_REM, REM_TMP, NOT_IN_PLACE_DERIVED, NOT_IN_PLACE_U64]),
    op("pto.tpows", &[POWER, DT_POWER]),
    op("pto.tlrelu", &[SHAPE, SAME, DT_FLOAT]),
    op("pto.tcmps", &[CMPS, MASK_RESULT]),
    op("pto.tsels", &[SELS, MASK_SOURCE]),
    op_paths("pto.texpands", codes::M_NO_PATH, &[FILL_LOC], FILL),
    op("pto.taxpy", &[SHAPE, AXPY]),
    op("pto.taddsc", &[BETWEEN, DT_ADD]),
    op("pto.tsubsc", &[BETWEEN, DT_ADD]),
];
