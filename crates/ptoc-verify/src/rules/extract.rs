//! `textract`, `textract_fp`: a window of a bigger tile.

use super::drain::*;
use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Path, Rule};
use ptoc_target::{Compact, DType, Layout, Loc};

use DType::{BF16, F4E1M2x2, F4E2M1x2, F8E4M3, F8E5M2, F8E8M0, F16, F32, HiF8, I8, I16, I32, U8, U16, U32};
use Opd::{Col, Dst, Fp, Row, Src};

/// The static destination lies inside of the source.
const WINDOW: &[Rule] = &[
    rule("PA-0041", Check::Le(Num::Sum(&Num::Value(Row), &Num::Rows(Dst)), Num::Rows(Src)))
        .debug()
        .help("use a smaller row index or a smaller destination"),
    rule("PA-0040", Check::Le(Num::Sum(&Num::Value(Col), &Num::Cols(Dst)), Num::Cols(Src)))
        .debug()
        .help("use a smaller column index or a smaller destination"),
];
/// The valid destination lies inside of the source.
const VALID_WINDOW: &[Rule] = &[
    rule(codes::M_BOUNDS, Check::Le(Num::Sum(&Num::Value(Row), &Num::ValidRows(Dst)), Num::Rows(Src)))
        .debug()
        .help("use a smaller row index or a smaller destination"),
    rule(codes::M_BOUNDS, Check::Le(Num::Sum(&Num::Value(Col), &Num::ValidCols(Dst)), Num::Cols(Src)))
        .debug()
        .help("use a smaller column index or a smaller destination"),
];
const INDEX: &[Rule] = &[
    rule(codes::M_INDEX, Check::Between(Num::Value(Row), 0, 65535))
        .derived()
        .why("indices are 16-bit unsigned numbers"),
    rule(codes::M_INDEX, Check::Between(Num::Value(Col), 0, 65535))
        .derived()
        .why("indices are 16-bit unsigned numbers"),
];

// L1 to the cube operands.

const CUBE_TYPES_A2A3: &[DType] = &[I8, F16, BF16, F32];
const CUBE_TYPES_A5: &[DType] = &[I8, HiF8, F8E4M3, F8E5M2, F16, BF16, F32, F4E2M1x2, F4E1M2x2, F8E8M0];
pub(super) const CUBE_DTYPE: &[Rule] = &[
    rule("SA-0160", Check::SameDtype(SRC_DST)).only(A2A3),
    rule("SA-0159", Check::SameDtype(SRC_DST)).only(A5),
    rule("SA-0162", Check::Dtype(Dst, CUBE_TYPES_A2A3)).only(A2A3),
    rule("SA-0167", Check::Dtype(Dst, CUBE_TYPES_A5)).only(A5),
];
const ROW_VECTOR: Check = Check::Eq(Num::Rows(Src), ONE);
const BOXED_OR_ROW: Check = Check::Any(&[
    Check::Layout(SRC, &[Layout::Nz, Layout::Zn]),
    Check::All(&[ROW_VECTOR, Check::Layout(SRC, &[Layout::Nd, Layout::Zz])]),
]);
pub(super) const TO_LEFT: &[Rule] = &[
    rule("SA-0166", BOXED_OR_ROW).only(A2A3).help("load the tile as NZ or ZN, or use a row vector"),
    rule("SA-0165", BOXED_OR_ROW).only(A5).help("load the tile as NZ or ZN, or use a row vector"),
    rule("SA-0163", Check::Layout(DST, &[Layout::Zz])).only(A2A3),
    rule("SA-0161", Check::Layout(DST, NZ)).only(A5),
];
pub(super) const TO_RIGHT: &[Rule] = &[
    rule("SA-0166", Check::Layout(SRC, &[Layout::Nz, Layout::Zn])).only(A2A3),
    rule("SA-0165", Check::Layout(SRC, &[Layout::Nz, Layout::Zn])).only(A5),
    rule("SA-0164", Check::Layout(DST, ZN)).only(A2A3),
    rule("SA-0161", Check::Layout(DST, ZN)).only(A5),
];

const SIXTEEN: Num = Num::Const(16);
const PLAIN_TILE: Check = Check::Compact(Dst, &[Compact::Null]);
const BYTES: Check = Check::DtypeSize(Src, &[1]);
const WIDER: Check = Check::DtypeSize(Src, &[2, 4]);
const FROM_NZ: Check = Check::Layout(SRC, NZ);
const FROM_ZN: Check = Check::Layout(SRC, ZN);
/// Sides of the boxes that a transposing load moves.
const T_BYTES: Num = Num::Const(32);

const BOXES: &str = "L1 to L0 moves whole fractals";
const TRANSPOSED: &str = "a transposing move from L1 to L0 works on square blocks of 16 elements, 32 of one byte";

/// The same orientation on both sides: Left from NZ.
pub(super) const LEFT_BOXES_A2A3: &[Rule] = &[
    rule("SA-0120", Check::Multiple(Num::Rows(Src), SIXTEEN)).when(&[FROM_NZ]).why(BOXES),
    rule("SA-0120", Check::Multiple(Num::Cols(Src), Num::Block(Src))).when(&[FROM_NZ]).why(BOXES),
    rule("SA-0120", Check::Multiple(Num::Rows(Dst), SIXTEEN)).when(&[FROM_NZ, PLAIN_TILE]).why(BOXES),
    rule("SA-0120", Check::Multiple(Num::Cols(Dst), Num::Block(Src))).when(&[FROM_NZ, PLAIN_TILE]).why(BOXES),
    rule("SA-0119", Check::Multiple(Num::Rows(Src), T_BYTES)).when(&[FROM_ZN, BYTES]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Src), T_BYTES)).when(&[FROM_ZN, BYTES]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Rows(Dst), T_BYTES)).when(&[FROM_ZN, BYTES, PLAIN_TILE]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Dst), T_BYTES)).when(&[FROM_ZN, BYTES, PLAIN_TILE]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Rows(Src), SIXTEEN)).when(&[FROM_ZN, WIDER]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Src), SIXTEEN)).when(&[FROM_ZN, WIDER]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Rows(Dst), SIXTEEN)).when(&[FROM_ZN, WIDER, PLAIN_TILE]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Dst), SIXTEEN)).when(&[FROM_ZN, WIDER, PLAIN_TILE]).why(TRANSPOSED),
];
/// Right from ZN, or transposed from NZ.
pub(super) const RIGHT_BOXES_A2A3: &[Rule] = &[
    rule("SA-0121", Check::Multiple(Num::Rows(Src), Num::Block(Src))).when(&[FROM_ZN]).why(BOXES),
    rule("SA-0121", Check::Multiple(Num::Cols(Src), SIXTEEN)).when(&[FROM_ZN]).why(BOXES),
    rule("SA-0121", Check::Multiple(Num::Rows(Dst), Num::Block(Src))).when(&[FROM_ZN]).why(BOXES),
    rule("SA-0121", Check::Multiple(Num::Cols(Dst), SIXTEEN)).when(&[FROM_ZN]).why(BOXES),
    rule("SA-0119", Check::Multiple(Num::Rows(Src), T_BYTES)).when(&[FROM_NZ, BYTES]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Src), T_BYTES)).when(&[FROM_NZ, BYTES]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Rows(Src), SIXTEEN)).when(&[FROM_NZ, WIDER]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Src), SIXTEEN)).when(&[FROM_NZ, WIDER]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Rows(Dst), SIXTEEN)).when(&[FROM_NZ, WIDER, PLAIN_TILE]).why(TRANSPOSED),
    rule("SA-0119", Check::Multiple(Num::Cols(Dst), SIXTEEN)).when(&[FROM_NZ, WIDER, PLAIN_TILE]).why(TRANSPOSED),
    rule("SA-0040", Check::Multiple(Num::Rows(Dst), Num::Block(Dst))).when(&[FROM_NZ, BYTES]).why(TRANSPOSED),
    rule("SA-0040", Check::Multiple(Num::Cols(Dst), SIXTEEN)).when(&[FROM_NZ, BYTES]).why(TRANSPOSED),
];
const LEFT_STARTS_A2A3: &[Rule] = &[
    rule("PA-0015", Check::Multiple(Num::Value(Row), SIXTEEN)).when(&[FROM_NZ]).debug().why(BOXES),
    rule("PA-0015", Check::Multiple(Num::Value(Col), Num::Block(Src))).when(&[FROM_NZ]).debug().why(BOXES),
    rule("PA-0014", Check::Multiple(Num::Value(Row), T_BYTES)).when(&[FROM_ZN, BYTES]).debug().why(TRANSPOSED),
    rule("PA-0014", Check::Multiple(Num::Value(Col), T_BYTES)).when(&[FROM_ZN, BYTES]).debug().why(TRANSPOSED),
    rule("PA-0014", Check::Multiple(Num::Value(Row), SIXTEEN)).when(&[FROM_ZN, WIDER]).debug().why(TRANSPOSED),
    rule("PA-0014", Check::Multiple(Num::Value(Col), SIXTEEN)).when(&[FROM_ZN, WIDER]).debug().why(TRANSPOSED),
];
const RIGHT_STARTS_A2A3: &[Rule] = &[
    rule("PA-0016", Check::Multiple(Num::Value(Row), Num::Block(Src))).when(&[FROM_ZN]).debug().why(BOXES),
    rule("PA-0016", Check::Multiple(Num::Value(Col), SIXTEEN)).when(&[FROM_ZN]).debug().why(BOXES),
    rule("PA-0014", Check::Multiple(Num::Value(Row), T_BYTES)).when(&[FROM_NZ, BYTES]).debug().why(TRANSPOSED),
    rule("PA-0014", Check::Multiple(Num::Value(Col), T_BYTES)).when(&[FROM_NZ, BYTES]).debug().why(TRANSPOSED),
    rule("PA-0014", Check::Multiple(Num::Value(Row), SIXTEEN)).when(&[FROM_NZ, WIDER]).debug().why(TRANSPOSED),
    rule("PA-0014", Check::Multiple(Num::Value(Col), SIXTEEN)).when(&[FROM_NZ, WIDER]).debug().why(TRANSPOSED),
];

const UNBOXED: Check = Check::Layout(SRC, &[Layout::Nd, Layout::Zz]);
const VECTOR_BLOCKS: &str = "a row vector moves to L0A in blocks of 512 bytes";
/// A row vector is the left operand of `tgemv`.
pub(super) const ROW_BLOCKS: &[Rule] = &[
    rule(codes::M_SHAPE, Check::Multiple(Num::RowBytes(Src), Num::Const(512)))
        .when(&[ROW_VECTOR, UNBOXED])
        .why(VECTOR_BLOCKS),
    rule(codes::M_SHAPE, Check::Multiple(Num::RowBytes(Dst), Num::Const(512)))
        .when(&[ROW_VECTOR, UNBOXED])
        .why(VECTOR_BLOCKS),
];
const ROW_STARTS: &[Rule] = &[rule(codes::M_GROUP, Check::Multiple(Num::ValueBytes(Col, Src), Num::Const(512)))
    .when(&[ROW_VECTOR, UNBOXED])
    .debug()
    .why(VECTOR_BLOCKS)];
/// A transposing move on A5.
pub(super) const SQUARES_LEFT_A5: &[Rule] = &[
    rule(codes::M_SHAPE, Check::Multiple(Num::Rows(Src), SIXTEEN)).when(&[FROM_ZN, WIDER, PLAIN_TILE]).why(TRANSPOSED),
    rule(codes::M_SHAPE, Check::Multiple(Num::Cols(Src), SIXTEEN)).when(&[FROM_ZN, WIDER, PLAIN_TILE]).why(TRANSPOSED),
];
pub(super) const SQUARES_RIGHT_A5: &[Rule] = &[
    rule(codes::M_SHAPE, Check::Multiple(Num::Rows(Src), SIXTEEN)).when(&[FROM_NZ, WIDER, PLAIN_TILE]).why(TRANSPOSED),
    rule(codes::M_SHAPE, Check::Multiple(Num::Cols(Src), SIXTEEN)).when(&[FROM_NZ, WIDER, PLAIN_TILE]).why(TRANSPOSED),
];
const STARTS_A5: &[Rule] = &[
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Row), SIXTEEN)).when(&[FROM_NZ]).derived().why(BOXES),
    rule(codes::M_GROUP, Check::Multiple(Num::ValueBytes(Col, Src), Num::Const(32)))
        .when(&[FROM_NZ])
        .derived()
        .why(BOXES),
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Col), SIXTEEN)).when(&[FROM_ZN]).derived().why(BOXES),
    rule(codes::M_GROUP, Check::Multiple(Num::ValueBytes(Row, Src), Num::Const(32)))
        .when(&[FROM_ZN])
        .derived()
        .why(BOXES),
];

/// MX scales.
pub(super) const TO_SCALE: &[Rule] = &[
    rule(codes::M_DTYPE, Check::Dtype(Dst, &[F8E8M0])).derived(),
    rule(codes::M_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::M_SAME_LAYOUT, Check::SameLayout(Src, Dst)),
    rule(codes::M_FRACTAL, Check::Fractal(Dst, &[32])),
    rule(codes::M_FRACTAL, Check::Fractal(Src, &[32])),
];

// The accumulator.

const ACC_STARTS: &[Rule] = &[rule(codes::M_GROUP, Check::Multiple(Num::Value(Col), SIXTEEN))
    .derived()
    .why("the accumulator is stored in groups of 16 columns")];
const FP_STARTS: &[Rule] = &[rule(codes::M_SCALES, Check::Multiple(Num::ValueBytes(Col, Fp), Num::Const(128)))
    .derived()
    .why("the parameters begin at a multiple of 128 bytes")];
const ACC_MAT_A5: &[Rule] = &[rule(codes::M_LAYOUT, Check::Layout(DST, &[Layout::Nz, Layout::Nd]))];
const ACC_VEC_ND: &[Rule] = &[rule(codes::M_LAYOUT, Check::Layout(DST, ND)).derived()];

// Outside of the cube.

const VEC_TYPES_A2A3: &[DType] = &[I8, U8, I16, U16, F16, BF16, F32, I32, U32];
const VEC_TYPES_A5: &[DType] = &[F16, BF16, F32, I32, I8, HiF8, F8E4M3, F8E5M2, F8E8M0, F4E2M1x2, F4E1M2x2];
const SAME_TYPE: &[Rule] = &[
    rule(codes::M_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::M_DTYPE, Check::Dtype(Src, VEC_TYPES_A2A3)).only(A2A3),
    rule(codes::M_DTYPE, Check::Dtype(Src, VEC_TYPES_A5)).only(A5),
];
const ONE_BY_ONE: Check = Check::All(&[Check::Eq(Num::ValidRows(Dst), ONE), Check::Eq(Num::ValidCols(Dst), ONE)]);
const VEC_ND: &[Rule] = &[rule(codes::M_SHAPE, Check::FitsIn(Dst, Src))];
const EVEN: &[Rule] = &[rule(codes::M_EVEN, Check::Multiple(Num::ValidRowBytes(Dst), Num::Const(2)))
    .only(A2A3)
    .when(&[Check::Not(&ONE_BY_ONE)])
    .why("the tail of a row moves as 16-bit lanes")];
const VEC_NZ: &[Rule] = &[
    rule(codes::M_SHAPE, Check::FitsIn(Dst, Src)).only(A2A3),
    rule(codes::M_SHAPE, Check::Le(Num::Cols(Dst), Num::Cols(Src))).only(A5),
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Row), SIXTEEN)).only(A2A3).when(&[Check::Not(&ONE_BY_ONE)]).debug(),
    rule(codes::M_GROUP, Check::Multiple(Num::Value(Col), Num::BoxCols(Src)))
        .when(&[Check::Not(&ONE_BY_ONE)])
        .debug()
        .why("a block of the source begins at a column group"),
];
const VEC_MAT: &[Rule] = &[
    rule("SA-0159", Check::SameDtype(SRC_DST)),
    rule("SA-0167", Check::Dtype(Dst, CUBE_TYPES_A5)),
    rule(codes::M_SAME_LAYOUT, Check::SameLayout(Src, Dst)).derived(),
    rule(codes::M_SHAPE, Check::Le(Num::Rows(Dst), Num::Rows(Src))).derived(),
];

const PATHS: &[Path] = &[
    path(
        "mat to left",
        A2A3,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, LEFT)],
        &[
            CUBE_DTYPE,
            TO_LEFT,
            LEFT_BOXES_A2A3,
            LEFT_STARTS_A2A3,
            ROW_BLOCKS,
            ROW_STARTS,
            WINDOW,
            INDEX,
            NO_ACC_OPTIONS,
        ],
    ),
    path(
        "mat to right",
        A2A3,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, RIGHT)],
        &[CUBE_DTYPE, TO_RIGHT, RIGHT_BOXES_A2A3, RIGHT_STARTS_A2A3, WINDOW, INDEX, NO_ACC_OPTIONS],
    ),
    path(
        "mat to left",
        A5,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, LEFT)],
        &[CUBE_DTYPE, TO_LEFT, SQUARES_LEFT_A5, STARTS_A5, ROW_BLOCKS, ROW_STARTS, WINDOW, INDEX, NO_ACC_OPTIONS],
    ),
    path(
        "mat to right",
        A5,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, RIGHT)],
        &[CUBE_DTYPE, TO_RIGHT, SQUARES_RIGHT_A5, STARTS_A5, WINDOW, INDEX, NO_ACC_OPTIONS],
    ),
    path(
        "mat to scale_left or scale_right",
        A5,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, &[Loc::ScaleLeft, Loc::ScaleRight])],
        &[TO_SCALE, WINDOW, INDEX, NO_ACC_OPTIONS],
    ),
    path(
        "acc to mat",
        A2A3,
        &[Check::All(ACC_TO_MAT), PLAIN],
        &[FROM_ACC, ACC_MAT_A2A3, CAST_A2A3, WINDOW, INDEX, ACC_STARTS, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to mat, quantised by a scalar or a scaling tile",
        A2A3,
        ACC_TO_MAT,
        &[FROM_ACC, ACC_MAT_A2A3, QUANT_A2A3, SCALES, WINDOW, INDEX, ACC_STARTS, FP_STARTS, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to mat",
        A5,
        &[Check::All(ACC_TO_MAT), PLAIN],
        &[FROM_ACC, ACC_MAT_A5, CAST_A5, WINDOW, INDEX, ACC_STARTS, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to mat, quantised by a scalar or a scaling tile",
        A5,
        ACC_TO_MAT,
        &[FROM_ACC, ACC_MAT_A5, QUANT_A5, SCALES, WINDOW, INDEX, ACC_STARTS, FP_STARTS, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to vec",
        A5,
        &[Check::All(ACC_TO_VEC), PLAIN],
        &[FROM_ACC, ACC_VEC, ACC_VEC_ND, PITCH, CAST_A5, WINDOW, INDEX, ACC_STARTS],
    ),
    path(
        "acc to vec, quantised by a scalar or a scaling tile",
        A5,
        ACC_TO_VEC,
        &[FROM_ACC, ACC_VEC, ACC_VEC_ND, PITCH, QUANT_A5, SCALES, WINDOW, INDEX, ACC_STARTS, FP_STARTS],
    ),
    path(
        "vec ND to vec ND",
        BOTH,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC_DST, ND)],
        &[SAME_TYPE, VEC_ND, EVEN, VALID_WINDOW, INDEX, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec NZ to vec NZ",
        BOTH,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC_DST, NZ)],
        &[SAME_TYPE, VEC_NZ, EVEN, VALID_WINDOW, INDEX, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec ND or NZ to mat of the same layout",
        A5,
        &[Check::Loc(SRC, VEC), Check::Loc(DST, MAT), Check::Layout(SRC, &[Layout::Nd, Layout::Nz])],
        &[VEC_MAT, INDEX, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
];

const FP_PATHS: &[Path] = &[
    path(
        "acc to mat",
        A2A3,
        ACC_TO_MAT,
        &[FROM_ACC, ACC_MAT_A2A3, QUANT_A2A3, SCALES, WINDOW, INDEX, ACC_STARTS, FP_STARTS],
    ),
    path("acc to mat", A5, ACC_TO_MAT, &[FROM_ACC, ACC_MAT_A5, QUANT_A5, SCALES, WINDOW, INDEX, ACC_STARTS, FP_STARTS]),
    path(
        "acc to vec",
        A5,
        ACC_TO_VEC,
        &[FROM_ACC, ACC_VEC, ACC_VEC_ND, PITCH, QUANT_A5, SCALES, WINDOW, INDEX, ACC_STARTS, FP_STARTS],
    ),
];

pub(super) const RULES: &[OpRules] = &[
    op_paths("pto.textract", codes::M_NO_PATH, &[], PATHS),
    op_paths("pto.textract_fp", codes::M_NO_PATH, &[], FP_PATHS),
];
