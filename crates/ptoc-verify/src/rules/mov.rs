//! `tmov`, `tmov.fp`: a tile to another memory or layout.

use super::drain::*;
use super::extract::{
    CUBE_DTYPE, LEFT_BOXES_A2A3, RIGHT_BOXES_A2A3, ROW_BLOCKS, SQUARES_LEFT_A5, SQUARES_RIGHT_A5, TO_LEFT, TO_RIGHT,
    TO_SCALE,
};
use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Path, Rule};
use ptoc_target::{DType, Layout, Loc};

use DType::{BF16, F4E1M2x2, F4E2M1x2, F8E4M3, F8E5M2, F8E8M0, F16, F32, HiF8, I8, I32, I64, U8, U64};
use Opd::{Dst, Src};

const SHAPE: &[Rule] = &[
    rule("SA-0263", Check::SameShape(Src, Dst)).only(A2A3).help("use `textract` to move a part"),
    rule("SA-0262", Check::SameShape(Src, Dst)).only(A5).help("use `textract` to move a part"),
];
const SHAPE_A2A3: &[Rule] = &[rule("SA-0263", Check::SameShape(Src, Dst)).help("use `textract` to move a part")];

const TO_BIAS: &[Rule] = &[
    rule("SA-0254", Check::DtypePair(Src, Dst, &[(I32, I32), (F32, F32), (F16, F32)])).only(A2A3),
    rule("SA-0062", Check::DtypePair(Src, Dst, &[(I32, I32), (F32, F32), (F16, F32), (BF16, F32)])).only(A5),
    rule("SA-0268", Check::Eq(Num::Rows(Src), ONE)).only(A2A3),
    rule("SA-0269", Check::Eq(Num::Rows(Src), ONE)).only(A5),
    rule("SA-0267", Check::Multiple(Num::RowBytes(Src), Num::Const(64)))
        .only(A2A3)
        .why("the bias table is written in units of 64 bytes"),
    rule("SA-0266", Check::Multiple(Num::RowBytes(Dst), Num::Const(64)))
        .only(A5)
        .why("the bias table is written in units of 64 bytes"),
    rule("SA-0260", Check::Le(Num::RowBytes(Dst), Num::Const(4096))).only(A5),
    rule(codes::M_SHAPE, Check::Le(Num::RowBytes(Dst), Num::Const(1024)))
        .only(A2A3)
        .derived()
        .why("the bias table has 1024 bytes"),
];
const TO_SCALING: &[Rule] = &[
    rule("SA-0254", Check::SameDtype(SRC_DST)),
    rule("SA-0256", Check::Dtype(Dst, &[U64, I64])),
    rule("SA-0272", Check::Eq(Num::Rows(Src), ONE)).only(A2A3),
    rule("SA-0273", Check::Eq(Num::Rows(Src), ONE)).only(A5),
    rule("SA-0271", Check::Multiple(Num::RowBytes(Src), Num::Const(128)))
        .only(A2A3)
        .why("the fixpipe buffer is written in units of 128 bytes"),
    rule("SA-0270", Check::Multiple(Num::RowBytes(Dst), Num::Const(128)))
        .only(A5)
        .why("the fixpipe buffer is written in units of 128 bytes"),
    rule("SA-0261", Check::Le(Num::RowBytes(Dst), Num::Const(4096))).only(A5),
];

// Inside of UB.

const VEC_A2A3: &[Rule] = &[
    rule("SA-0258", Check::SameDtypeSize(Src, Dst)),
    rule(codes::M_SAME_LAYOUT, Check::SameLayout(Src, Dst)).derived(),
];
const VEC_ND_A5: &[Rule] = &[
    rule(codes::M_SAME_DTYPE, Check::SameDtype(SRC_DST)).derived(),
    rule("SA-0020", Check::DtypeSize(Src, &[1, 2, 4])),
];
const BOX_TYPES: &[DType] = &[F16, BF16, F32, I32, F8E4M3, F8E5M2, HiF8, I8, U8, F4E2M1x2, F4E1M2x2];
const ND_TO_BOXED: &[Rule] =
    &[rule(codes::M_SAME_DTYPE, Check::SameDtype(SRC_DST)), rule("SA-0024", Check::Dtype(Src, BOX_TYPES))];
const ND_TO_ZN: &[Rule] = &[
    rule(codes::M_SHAPE, Check::Multiple(Num::Rows(Src), Num::Block(Src))),
    rule(codes::M_SHAPE, Check::Multiple(Num::Cols(Src), Num::Const(16))),
];
const TO_ZZ: &[Rule] = &[
    rule(codes::M_SAME_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::M_DTYPE, Check::Dtype(Src, &[U8, HiF8, F8E8M0])),
];

// UB to L1.

const VEC_MAT: &[Rule] = &[
    rule("SA-0264", Check::Dtype(Dst, &[I8, HiF8, F8E5M2, F8E4M3, F16, BF16, F32, F4E2M1x2, F4E1M2x2, F8E8M0])),
    rule("SA-0254", Check::SameDtype(SRC_DST)),
    rule(codes::M_SAME_LAYOUT, Check::SameLayout(Src, Dst)).derived(),
    rule(codes::M_SHAPE, Check::Le(Num::Rows(Dst), Num::Rows(Src))).when(&[Check::Layout(SRC, NZ)]).derived(),
];

// The accumulator.

const ACC_ANY_A5: &[Rule] = &[rule("SA-0088", Check::Layout(DST, ND_DN_NZ))];
const PITCH_ANY: &[Rule] = &[rule("SA-0030", Check::Multiple(Num::PitchBytes(Dst), Num::Const(32)))
    .when(&[Check::Layout(DST, ND_DN)])
    .why("the fix pipe writes rows that begin at a 32-byte block")];
const SINGLE: &[Rule] = &[rule(
    "SA-0092",
    Check::Not(&Check::Attr(crate::rule::Attr::AccToVec, &["dual_mode_split_m", "dual_mode_split_n"])),
)
.why("a dual mode cannot convert on the way")
.help("use a single mode, or drop the quantisation")];

const PATHS: &[Path] = &[
    path(
        "mat to left",
        A2A3,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, LEFT)],
        &[SHAPE, CUBE_DTYPE, TO_LEFT, LEFT_BOXES_A2A3, ROW_BLOCKS, NO_ACC_OPTIONS],
    ),
    path(
        "mat to left",
        A5,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, LEFT)],
        &[SHAPE, CUBE_DTYPE, TO_LEFT, SQUARES_LEFT_A5, ROW_BLOCKS, NO_ACC_OPTIONS],
    ),
    path(
        "mat to right",
        A2A3,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, RIGHT)],
        &[SHAPE, CUBE_DTYPE, TO_RIGHT, RIGHT_BOXES_A2A3, NO_ACC_OPTIONS],
    ),
    path(
        "mat to right",
        A5,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, RIGHT)],
        &[SHAPE, CUBE_DTYPE, TO_RIGHT, SQUARES_RIGHT_A5, NO_ACC_OPTIONS],
    ),
    path("mat to bias", BOTH, &[Check::Loc(SRC, MAT), Check::Loc(DST, BIAS)], &[SHAPE, TO_BIAS, NO_ACC_OPTIONS]),
    path(
        "mat to scaling",
        BOTH,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, SCALING)],
        &[SHAPE, TO_SCALING, NO_ACC_OPTIONS],
    ),
    path(
        "mat to scale_left or scale_right",
        A5,
        &[Check::Loc(SRC, MAT), Check::Loc(DST, &[Loc::ScaleLeft, Loc::ScaleRight])],
        &[SHAPE, TO_SCALE, NO_ACC_OPTIONS],
    ),
    path("vec to vec", A2A3, &[Check::Loc(SRC_DST, VEC)], &[SHAPE_A2A3, VEC_A2A3, NO_ACC_OPTIONS, NO_VEC_MODE]),
    path(
        "vec ND to vec ND",
        A5,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC_DST, ND_DN)],
        &[VEC_ND_A5, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec ND to vec NZ",
        A5,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC, ND), Check::Layout(DST, NZ)],
        &[ND_TO_BOXED, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec ND to vec ZN",
        A5,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC, ND), Check::Layout(DST, ZN)],
        &[ND_TO_BOXED, ND_TO_ZN, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "vec ND to vec ZZ (scales)",
        A5,
        &[Check::Loc(SRC_DST, VEC), Check::Layout(SRC, ND), Check::Layout(DST, &[Layout::Zz])],
        &[TO_ZZ, NO_VEC_MODE],
    ),
    path(
        "vec ND or NZ to mat of the same layout",
        A5,
        &[Check::Loc(SRC, VEC), Check::Loc(DST, MAT), Check::Layout(SRC, &[Layout::Nd, Layout::Nz])],
        &[VEC_MAT, NO_ACC_OPTIONS, NO_VEC_MODE],
    ),
    path(
        "acc to mat",
        A2A3,
        &[Check::All(ACC_TO_MAT), PLAIN],
        &[FROM_ACC, SHAPE_A2A3, ACC_MAT_A2A3, CAST_A2A3, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to mat, quantised by a scalar or a scaling tile",
        A2A3,
        ACC_TO_MAT,
        &[FROM_ACC, SHAPE_A2A3, ACC_MAT_A2A3, QUANT_A2A3, SCALES, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to mat",
        A5,
        &[Check::All(ACC_TO_MAT), PLAIN],
        &[FROM_ACC, ACC_ANY_A5, PITCH_ANY, CAST_A5, NO_VEC_MODE_TO_MAT],
    ),
    path(
        "acc to mat, quantised by a scalar or a scaling tile",
        A5,
        ACC_TO_MAT,
        &[FROM_ACC, ACC_ANY_A5, PITCH_ANY, QUANT_A5, SCALES, NO_VEC_MODE_TO_MAT],
    ),
    path("acc to vec", A5, &[Check::All(ACC_TO_VEC), PLAIN], &[FROM_ACC, ACC_VEC, PITCH, CAST_A5]),
    path(
        "acc to vec, quantised by a scalar or a scaling tile",
        A5,
        ACC_TO_VEC,
        &[FROM_ACC, ACC_VEC, SINGLE, PITCH, QUANT_A5, SCALES],
    ),
];

const FP_PATHS: &[Path] = &[
    path("acc to mat", A2A3, ACC_TO_MAT, &[FROM_ACC, ACC_MAT_A2A3, QUANT_A2A3, SCALES, NO_VEC_MODE_TO_MAT]),
    path("acc to mat", A5, ACC_TO_MAT, &[FROM_ACC, ACC_ANY_A5, PITCH_ANY, QUANT_A5, SCALES, NO_VEC_MODE_TO_MAT]),
    path("acc to vec", A5, ACC_TO_VEC, &[FROM_ACC, ACC_VEC, SINGLE, PITCH, QUANT_A5, SCALES]),
];

pub(super) const RULES: &[OpRules] =
    &[op_paths("pto.tmov", "SA-0257", &[], PATHS), op_paths("pto.tmov.fp", "SA-0257", &[], FP_PATHS)];
