//! Tile with tile, element by element.

use super::lists::*;
use crate::codes;
use crate::rule::{Attr, Check, Num, OpRules, Opd, Rule};
use ptoc_target::DType;

use DType::{BF16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use Opd::{A, B, Dst, Mask, Src, Src1, Src2, Tmp};

// Shapes: all tiles in UB, row by row, of one valid size.

const UNARY: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(SRC_DST, VEC)),
    rule(codes::E_LAYOUT, Check::Layout(SRC_DST, ND)),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).debug().soft(),
];
const BINARY: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[Src, Src1, Dst], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[Src, Src1, Dst], ND)),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).debug().soft(),
    rule(codes::E_VALID, Check::SameValid(Src1, Dst)).debug().soft(),
];
const TERNARY: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[Src2], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[Src2], ND)),
    rule(codes::E_VALID, Check::SameValid(Src2, Dst)).debug().soft(),
];
const POWER: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[A, B, Dst], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[A, B, Dst], ND)),
    rule(codes::E_VALID, Check::SameValid(A, Dst)).debug().soft(),
    rule(codes::E_VALID, Check::SameValid(B, Dst)).debug().soft(),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[A, B, Dst])),
];

// One element type.

const SAME1: &[Rule] = &[rule(codes::E_SAME_DTYPE, Check::SameDtype(SRC_DST))];
const SAME2: &[Rule] = &[rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Src, Src1, Dst]))];
const SAME3: &[Rule] = &[rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Src, Src1, Src2, Dst]))];

// Element types, A2/A3 and A5.

const ALL_A5: &[DType] = &[I64, U64, I32, U32, I16, U16, I8, U8, F16, BF16, F32];
const FLOAT: &[DType] = &[F16, F32];
const INT32: &[DType] = &[I8, U8, I16, U16, I32, U32];
const ARITH: &[DType] = &[I32, I16, F16, F32];

const DT_FLOAT: &[Rule] = &[dtype(FLOAT)];
const DT_INT: &[Rule] = &[dtype(INT32)];
const DT_ADD: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(ALL_A5).only(A5)];
const DT_MUL: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(&[I64, U64, I32, U32, I16, U16, F16, BF16, F32]).only(A5)];
const DT_DIV: &[Rule] = &[dtype(FLOAT).only(A2A3), dtype(&[I64, U64, I32, U32, I16, U16, F16, F32]).only(A5)];
const DT_SHIFT: &[Rule] = &[dtype(INT32).only(A2A3), dtype(&[I8, U8, I16, U16, I32, U32, I64, U64]).only(A5)];
const DT_ABS: &[Rule] = &[dtype(FLOAT).only(A2A3), dtype(&[F16, F32, I8, I16, I32]).only(A5)];
const DT_RELU: &[Rule] = &[dtype(&[F16, F32, I32])];
const DT_NEG: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(&[I64, U64, I32, U32, I16, U16, F16, BF16, F32]).only(A5)];
const DT_RECIP: &[Rule] = &[dtype(ARITH).only(A2A3), dtype(&[I64, U64, I32, U32, I16, U16, F16, F32]).only(A5)];
const DT_REM: &[Rule] = &[dtype(&[F32, I32]).only(A2A3), dtype(&[I64, U64, I32, U32, I16, U16, F16, F32]).only(A5)];
const DT_FMOD: &[Rule] = &[dtype(&[F32]).only(A2A3), dtype(&[F16, F32, I16, U16, I32, U32]).only(A5)];

/// Types of a power on A5 without the precise algorithm.
pub(super) const DT_POWER: &[Rule] = &[
    dtype(&[I32, I16, I8, U32, U16, U8, F32]).only(A2A3),
    dtype(&[F32, F16, I32, U32, I16, U16, I8, U8]).only(A5).when(&[Check::Attr(Attr::Precision, &["default"])]),
    dtype(&[F32, F16, BF16]).only(A5).when(&[Check::Attr(Attr::Precision, &["high_precision"])]),
];

/// The element type of the destination is one of these.
const fn dtype(list: &'static [DType]) -> Rule {
    rule(codes::E_DTYPE, Check::Dtype(Dst, list))
}

// Temporaries of A2/A3; A5 takes them and leaves them alone.

const XOR_TMP: &[Rule] = &[
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Dst, Tmp])).only(A2A3),
    rule(codes::E_LAYOUT, Check::Layout(&[Tmp], ND)).only(A2A3),
    rule(codes::E_TMP, Check::SameValid(Tmp, Dst)).only(A2A3).debug().why("the temporary holds one of the two halves"),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src)).only(A2A3).debug().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src1)).only(A2A3).debug().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Tmp)).only(A2A3).debug().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Tmp, Src)).only(A2A3).debug().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Tmp, Src1)).only(A2A3).debug().why(READ_AGAIN),
];

/// Bytes that the remainder of A2/A3 needs: one row of the destination and a block of work memory.
const REM_BYTES: Num = Num::Sum(&Num::RowBytes(Dst), &Num::Max(&Num::Const(256), &Num::Times(&Num::ValidCols(Dst), 4)));
const REM: &[Rule] = &[
    rule(codes::E_TMP, Check::Le(REM_BYTES, Num::Bytes(Tmp)))
        .only(A2A3)
        .derived()
        .why("the temporary holds one row and the work memory of the quotient; the bound of the reference library is too small"),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src)).only(A2A3).derived().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src1)).only(A2A3).derived().why(READ_AGAIN),
];
const NOT_IN_PLACE: &[Rule] = &[
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src)).only(A2A3).derived().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Dst, Src1)).only(A2A3).derived().why(READ_AGAIN),
];
const POWER_TMP: &[Rule] = &[
    rule(codes::E_TMP, Check::SameValid(Tmp, Dst)).only(A2A3).when(&[Check::Dtype(Dst, &[F32])]).debug(),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Dst, Tmp])).only(A2A3).when(&[Check::Dtype(Dst, &[F32])]).derived(),
];
const RSQRT_TMP: &[Rule] = &[
    rule(codes::E_TMP, Check::Le(Num::Const(32), Num::Bytes(Tmp)))
        .only(A2A3)
        .derived()
        .why("the temporary holds one block of ones"),
    rule(codes::E_STORAGE, Check::Disjoint(Tmp, Dst)).only(A2A3).derived().why(READ_AGAIN),
    rule(codes::E_STORAGE, Check::Disjoint(Tmp, Src)).only(A2A3).derived().why(READ_AGAIN),
];
const PRELU_TMP: &[Rule] = &[
    rule(codes::E_TMP, Check::DtypeSize(Tmp, &[1]))
        .only(A2A3)
        .why("the temporary holds packed masks, one byte for eight lanes"),
    rule(codes::E_TMP, Check::Lt(Num::ValidRows(Dst), Num::Rows(Tmp)))
        .only(A2A3)
        .debug()
        .why("one row of the temporary for each row, and one more for the choice"),
];

// Comparison and choice.

/// Lanes of one repeat of 256 bytes, and mask bytes for the valid columns in whole repeats.
const MASK_LANES: Num = Num::RoundUpBytes(&Num::ValidCols(Src), Src, 256);

pub(super) const MASK_RESULT: &[Rule] = &[
    rule(codes::E_MASK, Check::DtypeSize(Dst, &[1]))
        .only(A2A3)
        .derived()
        .why("the result is a packed mask: bit k of a row is element k"),
    rule(codes::E_MASK, Check::Le(MASK_LANES, Num::Times(&Num::Cols(Dst), 8)))
        .only(A2A3)
        .derived()
        .why("masks are written for whole repeats of 256 bytes"),
    rule(codes::E_MASK, Check::Multiple(Num::RowBytes(Dst), Num::Const(4))).only(A5).derived(),
    rule(codes::E_MASK, Check::Le(Num::ValidCols(Src), Num::Times(&Num::RowBytes(Dst), 8)))
        .only(A5)
        .derived()
        .why("a row of the mask has one bit for each element"),
    rule(codes::E_WIDE, Check::Le(Num::ValidCols(Src), Num::Const(64)))
        .only(A5)
        .when(&[Check::DtypeSize(Src, &[8])])
        .derived()
        .why(ONE_LOAD),
    rule(codes::E_CMP_MODE, Check::Attr(Attr::CmpMode, &["eq", "ne"]))
        .only(A2A3)
        .when(&[Check::Dtype(Src, &[I32])])
        .derived()
        .why("the vector unit compares i32 for equality only"),
];
const CMP: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[Src, Src1, Dst], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[Src, Src1, Dst], ND)),
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Src, Src1])),
    rule(codes::E_DTYPE, Check::Dtype(Src, &[I32, F16, F32])).only(A2A3),
    rule(codes::E_DTYPE, Check::Dtype(Src, ALL_A5)).only(A5),
    rule(codes::E_VALID, Check::SameValid(Src, Src1)).debug().soft(),
    rule(codes::E_VALID, Check::Eq(Num::ValidRows(Src), Num::ValidRows(Dst))).debug().soft(),
];
const SEL: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(&[Mask, Src, Src1, Dst], VEC)),
    rule(codes::E_LAYOUT, Check::Layout(&[Mask, Src, Src1, Dst], ND)),
    rule(codes::E_SAME_DTYPE, Check::Any(&[Check::SameDtype(&[Dst, Src]), Check::SameDtype(&[Dst, Src1])])),
    rule(codes::E_DTYPE, Check::Dtype(Dst, &[I16, U16, I32, U32, F16, BF16, F32])).only(A2A3),
    rule(codes::E_DTYPE, Check::Dtype(Dst, &[I8, I16, I32, U8, U16, U32, I64, U64, F16, F32, BF16])).only(A5),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).derived().soft(),
    rule(codes::E_VALID, Check::SameValid(Src1, Dst)).derived().soft(),
];
/// One bit of the mask for each element.
pub(super) const MASK_SOURCE: &[Rule] = &[
    rule(codes::E_MASK, Check::Le(Num::ValidCols(Dst), Num::Times(&Num::RowBytes(Mask), 8)))
        .derived()
        .why("a row of the mask has one bit for each element"),
    rule(codes::E_WIDE, Check::Le(Num::ValidCols(Dst), Num::Const(64)))
        .only(A5)
        .when(&[Check::DtypeSize(Dst, &[8])])
        .derived()
        .why(ONE_LOAD),
];

// Fused forms.

const RELU_CONV: &[Rule] = &[
    rule(codes::E_SAME_DTYPE, Check::SameDtype(&[Src, Src1])),
    rule(codes::E_DTYPE, Check::DtypePair(Src, Dst, &[(F32, F16), (F16, I8), (I16, I8)])),
];
const DEQ_RELU: &[Rule] = &[
    rule(codes::E_DTYPE, Check::Dtype(Src, &[I32])),
    rule(codes::E_DTYPE, Check::Dtype(Src1, &[I32])),
    rule(codes::E_DTYPE, Check::Dtype(Dst, &[F16])),
    rule(codes::E_DTYPE, Check::Dtype(Tmp, &[I32])).only(A2A3),
    rule(codes::E_TMP, Check::Le(Num::ValidRows(Dst), Num::ValidRows(Tmp))).only(A2A3).debug(),
    rule(codes::E_TMP, Check::Le(Num::ValidCols(Dst), Num::ValidCols(Tmp))).only(A2A3).debug(),
    rule(codes::E_STORAGE, Check::Disjoint(Tmp, Src)).only(A2A3).derived().why(READ_AGAIN),
];

pub(super) const RULES: &[OpRules] = &[
    // one source
    op("pto.tabs", &[UNARY, SAME1, DT_ABS]),
    op("pto.tneg", &[UNARY, SAME1, DT_NEG]),
    op("pto.tnot", &[UNARY, SAME1, DT_INT]),
    op("pto.trelu", &[UNARY, SAME1, DT_RELU]),
    op("pto.texp", &[UNARY, SAME1, DT_FLOAT]),
    op("pto.tlog", &[UNARY, SAME1, DT_FLOAT]),
    op("pto.tsqrt", &[UNARY, SAME1, DT_FLOAT]),
    op("pto.trecip", &[UNARY, SAME1, DT_RECIP]),
    op("pto.trsqrt", &[UNARY, SAME1, DT_FLOAT, RSQRT_TMP]),
    // two sources
    op("pto.tadd", &[BINARY, SAME2, DT_ADD]),
    op("pto.tsub", &[BINARY, SAME2, DT_ADD]),
    op("pto.tmul", &[BINARY, SAME2, DT_MUL]),
    op("pto.tdiv", &[BINARY, SAME2, DT_DIV]),
    op("pto.tmax", &[BINARY, SAME2, DT_ADD]),
    op("pto.tmin", &[BINARY, SAME2, DT_ADD]),
    op("pto.tand", &[BINARY, SAME2, DT_INT]),
    op("pto.tor", &[BINARY, SAME2, DT_INT]),
    op("pto.txor", &[BINARY, SAME2, DT_INT, XOR_TMP]),
    op("pto.tshl", &[BINARY, SAME2, DT_SHIFT]),
    op("pto.tshr", &[BINARY, SAME2, DT_SHIFT]),
    op("pto.tfmod", &[BINARY, SAME2, DT_FMOD, NOT_IN_PLACE]),
    op("pto.trem", &[BINARY, SAME2, DT_REM, REM]),
    op("pto.tpow", &[POWER, DT_POWER, POWER_TMP]),
    op("pto.tprelu", &[BINARY, SAME2, DT_FLOAT, PRELU_TMP]),
    op("pto.tcmp", &[CMP, MASK_RESULT]),
    // three sources
    op("pto.taddc", &[BINARY, TERNARY, SAME3, DT_ADD]),
    op("pto.tsubc", &[BINARY, TERNARY, SAME3, DT_ADD]),
    op("pto.tsel", &[SEL, MASK_SOURCE]),
    // fused
    op("pto.taddrelu", &[BINARY, SAME2, DT_FLOAT]),
    op("pto.tsubrelu", &[BINARY, SAME2, DT_FLOAT]),
    op("pto.taddreluconv", &[BINARY, RELU_CONV]),
    op("pto.tadddeqrelu", &[BINARY, DEQ_RELU]),
    op("pto.tfusedmuladd", &[BINARY, SAME2, DT_FLOAT]),
    op("pto.tfusedmuladdrelu", &[BINARY, SAME2, DT_FLOAT]),
    op("pto.tmuladddst", &[BINARY, SAME2, DT_FLOAT]),
];
