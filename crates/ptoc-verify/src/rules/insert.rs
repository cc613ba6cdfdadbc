//! `tinsert`, `tinsert_fp`: a tile into a window of a bigger one.

use super::drain::*;
use super::lists::*;
use crate::codes;
use crate::rule::{Attr, Check, Num, OpRules, Opd, Path, Rule};
use ptoc_target::DType;

use DType::{BF16, F8E4M3, F8E5M2, F8E8M0, F16, F32, HiF8, I8, I16, I32, U8, U16, U32};
use Opd::{Col, Dst, Row, Src};

const ROW_END: Num = Num::Sum(&Num::Value(Row), &Num::ValidRows(Src));
const COL_END: Num = Num::Sum(&Num::Value(Col), &Num::ValidCols(Src));

/// The window lies inside the destination.
const BOUNDS: &[Rule] = &[
    rule(codes::M_INDEX, Check::Between(Num::Value(Row), 0, 65535))
        .derived()
        .why("indices are 16-bit unsigned numbers"),
    rule(codes::M_INDEX, Check::Between(Num::Value(Col), 0, 65535))
        .derived()
        .why("indices are 16-bit unsigned numbers"),
    rule(codes::M_BOUNDS, Check::Le(ROW_END, Num::Rows(Dst)))
        .debug()
        .help("use a smaller row index, a smaller source or a taller destination"),
    rule(codes::M_BOUNDS, Check::Le(COL_END, Num::Cols(Dst)))
        .debug()
        .help("use a smaller column index, a smaller source or a wider destination"),
];

const GROUP: &str = "the machine moves whole column groups, and an address inside a group scrambles the columns";

/// The window begins at a column group of a boxed destination.
const GROUP_START: &[Rule] = &[
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Col), Num::BoxCols(Dst)))
        .when(&[Check::Layout(DST, NZ)])
        .derived()
        .why(GROUP)
        .help("use a column index that starts a group"),
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Col), Num::Const(64)))
        .when(&[Check::Layout(DST, NZ), Check::Dtype(Dst, FP4)])
        .derived()
        .why(GROUP),
];

const NO_SPLIT: &[Rule] = &[rule(codes::M_OPTION, Check::NoAttr(Attr::InsertMode))
    .docs()
    .why("only the insert from NZ vec to NZ mat is split")];

const ACC_MAT_A5: &[Rule] = &[rule("SA-0029", Check::Layout(DST, NZ))];

/// To UB, `tinsert` has no phase.
const TO_VEC: &[Rule] = &[rule(codes::U_NOT_A_DRAIN, NO_PHASE)
    .docs()
    .why("on `tinsert` the phase exists for the way from the accumulator to L1 only")];

const VEC_TYPES_A2A3: &[DType] = &[I8, U8, I16, U16, F16, BF16, F32, I32, U32];
const VEC_TYPES_A5: &[DType] =
    &[F16, BF16, F32, I32, I8, HiF8, F8E4M3, F8E5M2, F8E8M0, DType::F4E2M1x2, DType::F4E1M2x2];

/// Both ends outside of the cube.
const SAME_TYPE: &[Rule] = &[
    rule(codes::M_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::M_DTYPE, Check::Dtype(Src, VEC_TYPES_A2A3)).only(A2A3),
    rule(codes::M_DTYPE, Check::Dtype(Src, VEC_TYPES_A5)).only(A5),
];

const ONE_BY_ONE: Check = Check::All(&[Check::Eq(Num::ValidRows(Src), ONE), Check::Eq(Num::ValidCols(Src), ONE)]);

const VEC_VEC: &[Rule] = &[
    rule(codes::M_SAME_LAYOUT, Check::SameLayout(Src, Dst)),
    rule(codes::M_SHAPE, Check::Le(Num::Cols(Src), Num::Cols(Dst))),
    rule(codes::M_SHAPE, Check::Le(Num::Rows(Src), Num::Rows(Dst))).when(&[Check::Layout(DST, ND)]),
    rule(codes::M_SHAPE, Check::Le(Num::Rows(Src), Num::Rows(Dst))).only(A2A3).when(&[Check::Layout(DST, NZ)]),
    rule(codes::M_EVEN, Check::Multiple(Num::ValidRowBytes(Src), Num::Const(2)))
        .only(A2A3)
        .when(&[Check::Not(&ONE_BY_ONE)])
        .why("the tail of a row moves as 16-bit lanes"),
];
const VEC_VEC_NZ_A2A3: &[Rule] = &[
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Row), Num::Const(16)))
        .when(&[Check::Not(&ONE_BY_ONE)])
        .debug()
        .why("a box has 16 rows"),
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Col), Num::BoxCols(Dst)))
        .when(&[Check::Not(&ONE_BY_ONE)])
        .debug()
        .why(GROUP),
    rule(codes::M_SHAPE, Check::Multiple(Num::Rows(Src), Num::Const(16))).when(&[Check::Not(&ONE_BY_ONE)]),
    rule(codes::M_SHAPE, Check::Multiple(Num::Rows(Dst), Num::Const(16))).when(&[Check::Not(&ONE_BY_ONE)]),
];

const VEC_MAT_ND: &[Rule] = &[
    rule(codes::M_GROUP, Check::Multiple(Num::ValidRowBytes(Src), Num::Const(32)))
        .derived()
        .why("UB to L1 moves whole 32-byte blocks"),
    rule(codes::M_GROUP, Check::Multiple(Num::ValueBytes(Col, Dst), Num::Const(32)))
        .derived()
        .why("UB to L1 moves whole 32-byte blocks"),
];
const VEC_MAT_ZN: &[Rule] = &[
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Row), Num::Block(Src)))
        .debug()
        .why("a ZN box has 32 bytes of rows"),
    rule(codes::M_GROUP, Check::Multiple(Num::ValidRows(Src), Num::Block(Src)))
        .debug()
        .why("a ZN box has 32 bytes of rows"),
];
const CEIL_ROWS: Num = Num::RoundUp(&Num::ValidRows(Src), 16);
const COLUMN_BLOCKS: Num = Num::CeilDiv(&Num::ValidCols(Src), &Num::Block(Src));
const VEC_MAT_SPLIT: &[Rule] = &[
    rule(codes::M_BOUNDS, Check::Le(CEIL_ROWS, Num::Rows(Src)))
        .derived()
        .why("a split insert moves the valid rows rounded up to 16"),
    rule(codes::M_BOUNDS, Check::Le(Num::Sum(&Num::Value(Row), &CEIL_ROWS), Num::Rows(Dst)))
        .derived()
        .why("a split insert moves the valid rows rounded up to 16"),
    rule(codes::M_SPLIT, Check::Le(Num::Const(2), COLUMN_BLOCKS))
        .when(&[Check::Attr(Attr::InsertMode, &["split2"])])
        .derived()
        .why("each transfer needs at least one column block")
        .help("use the plain insert"),
    rule(codes::M_SPLIT, Check::Le(Num::Const(4), COLUMN_BLOCKS))
        .when(&[Check::Attr(Attr::InsertMode, &["split4"])])
        .derived()
        .why("each transfer needs at least one column block")
        .help("use split2 or the plain insert"),
];

const PATHS: &[Path] = &[
    path(
        "acc to mat",
        A2A3,
        &[Check::All(ACC_TO_MAT), PLAIN],
        &[FROM_ACC, ACC_MAT_A2A3, CAST_A2A3, BOUNDS, GROUP_START, NO_VEC_MODE_TO_MAT, NO_SPLIT],
    ),
    path(
        "acc to mat, quantised by a scalar or a scaling tile",
        A2A3,
        ACC_TO_MAT,
        &[FROM_ACC, ACC_MAT_A2A3, QUANT_A2A3, SCALES, BOUNDS, GROUP_START, NO_VEC_MODE_TO_MAT, NO_SPLIT],
    ),
    path(
        "acc to mat",
        A5,
        &[Check::All(ACC_TO_MAT), PLAIN],
        &[FROM_ACC, ACC_MAT_A5, CAST_A5, BOUNDS, GROUP_START, NO_VEC_MODE_TO_MAT, NO_SPLIT],
    ),
    path(
        "acc to mat, quantised by a scalar or a scaling tile",
        A5,
        ACC_TO_MAT,
        &[FROM_ACC, ACC_MAT_A5, QUANT_A5, SCALES, BOUNDS, GROUP_START, NO_VEC_MODE_TO_MAT, NO_SPLIT],
    ),
    path(
        "acc to vec",
        A5,
        &[Check::All(ACC_TO_VEC), PLAIN],
        &[FROM_ACC, ACC_VEC, PITCH, TO_VEC, CAST_A5, BOUNDS, GROUP_START, NO_SPLIT],
    ),
    path(
        "acc to vec, quantised by a scalar or a scaling tile",
        A5,
        ACC_TO_VEC,
        &[FROM_ACC, ACC_VEC, PITCH, TO_VEC, QUANT_A5, SCALES, BOUNDS, GROUP_START, NO_SPLIT],
    ),
    path(
        "vec ND to vec ND",
        BOTH,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC_DST, ND)],
        &[SAME_TYPE, VEC_VEC, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE, NO_SPLIT],
    ),
    path(
        "vec NZ to vec NZ",
        A2A3,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC_DST, NZ)],
        &[SAME_TYPE, VEC_VEC, VEC_VEC_NZ_A2A3, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE, NO_SPLIT],
    ),
    path(
        "vec NZ to vec NZ",
        A5,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC_DST, NZ)],
        &[SAME_TYPE, VEC_VEC, GROUP_START, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE, NO_SPLIT],
    ),
    path(
        "vec ND to mat ND",
        A5,
        &[Check::Loc(SRC, VEC), Check::Loc(DST, MAT), Check::Layout(SRC_DST, ND)],
        &[SAME_TYPE, VEC_MAT_ND, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE, NO_SPLIT],
    ),
    path(
        "vec NZ to mat NZ in 2 or 4 transfers (tinsertMode)",
        A5,
        &[Check::Loc(SRC, VEC), Check::Loc(DST, MAT), Check::Layout(SRC_DST, NZ), Check::HasAttr(Attr::InsertMode)],
        &[SAME_TYPE, VEC_MAT_SPLIT, GROUP_START, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec NZ to mat NZ",
        A5,
        &[Check::Loc(SRC, VEC), Check::Loc(DST, MAT), Check::Layout(SRC_DST, NZ)],
        &[SAME_TYPE, GROUP_START, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec ZN to mat ZN",
        A5,
        &[Check::Loc(SRC, VEC), Check::Loc(DST, MAT), Check::Layout(SRC_DST, ZN)],
        &[SAME_TYPE, VEC_MAT_ZN, BOUNDS, NO_ACC_OPTIONS, NO_VEC_MODE, NO_SPLIT],
    ),
];

const FP_PATHS: &[Path] = &[
    path("acc to mat", A2A3, ACC_TO_MAT, &[FROM_ACC, ACC_MAT_A2A3, QUANT_A2A3, SCALES, BOUNDS, GROUP_START]),
    path("acc to mat", A5, ACC_TO_MAT, &[FROM_ACC, ACC_MAT_A5, QUANT_A5, SCALES, BOUNDS, GROUP_START]),
    path("acc to vec", A5, ACC_TO_VEC, &[FROM_ACC, ACC_VEC, PITCH, TO_VEC, QUANT_A5, SCALES, BOUNDS, GROUP_START]),
];

pub(super) const RULES: &[OpRules] = &[
    op_paths("pto.tinsert", codes::M_NO_PATH, &[], PATHS),
    op_paths("pto.tinsert_fp", codes::M_NO_PATH, &[], FP_PATHS),
];
