//! `tload`, `tstore`, `tstore.fp`: between global memory and tiles.

use super::drain::{FROM_ACC, NO_ACC_OPTIONS, PLAIN, SCALES};
use super::lists::*;
use crate::codes;
use crate::rule::{Attr, Check, Num, OpRules, Opd, Path, Rule};
use ptoc_target::{DType, Layout, Loc};

use DType::{BF16, F8E4M3, F16, F32, HiF8, I8, I16, I32, I64, U8, U16, U32, U64};
use Opd::{Dst, Src};

/// The view of `tstore.fp` has another name.
const STANDARD: &[DType] = &[I8, U8, I16, U16, I32, U32, I64, U64, F16, BF16, F32];
const EIGHT: Check = Check::DtypeSize(Dst, &[8]);

// tload

const LOAD_LOC: &[Rule] =
    &[rule("SA-0032", Check::Loc(DST, &[Loc::Vec, Loc::Mat])).help("load to L1, then move with `tmov` or `textract`")];
const LOAD: &[Rule] = &[
    rule("SA-0010", Check::Dtype(Dst, STANDARD)).only(A2A3),
    rule("SA-0009", Check::DtypeSize(Dst, &[1, 2, 4, 8])).only(A5),
    rule(codes::M_SAME_SIZE, Check::SameDtypeSize(Src, Dst)).only(A2A3),
    rule("SA-0099", Check::SameDtypeSize(Src, Dst)).only(A5),
    rule("SA-0223", Check::Pad(Dst, &["null", "zero"])).only(A5).when(&[EIGHT]),
];

/// Rows and columns of the tile are those of the window.
const ROWS_ND: Num = Num::DimsFrom(Src, 1);
const WINDOW_ND: &[Rule] = &[
    rule("PA-0044", Check::Eq(Num::ValidCols(Dst), Num::Dim(Src, 0))).only(A2A3).debug().soft(),
    rule("PA-0045", Check::Eq(Num::ValidRows(Dst), ROWS_ND)).only(A2A3).debug().soft(),
    rule("SA-0108", Check::Eq(Num::ValidCols(Dst), Num::Dim(Src, 0))).only(A5).soft(),
    rule("SA-0109", Check::Eq(Num::ValidRows(Dst), ROWS_ND)).only(A5).soft(),
];
const COLS_DN: Num = Num::Product(&Num::Dim(Src, 0), &Num::DimsFrom(Src, 2));
const WINDOW_DN: &[Rule] = &[
    rule("PA-0043", Check::Eq(Num::ValidRows(Dst), Num::Dim(Src, 1))).debug().soft(),
    rule("PA-0046", Check::Eq(Num::ValidCols(Dst), COLS_DN)).debug().soft(),
];
const ROWS_NZ: Num = Num::Product(&Num::Dim(Src, 1), &Num::Dim(Src, 2));
const COLS_NZ: Num = Num::Product(&Num::Dim(Src, 0), &Num::DimsFrom(Src, 3));
const FRACTALS_NZ: &[Rule] = &[
    rule("SA-0350", Check::Eq(Num::Dim(Src, 1), Num::Const(16))).only(A2A3),
    rule("SA-0350", Check::Eq(Num::Dim(Src, 0), Num::Block(Dst))).only(A2A3),
    rule("SA-0110", Check::Eq(Num::Dim(Src, 1), Num::Const(16))).only(A5),
    rule("SA-0110", Check::Eq(Num::Dim(Src, 0), Num::Block(Dst))).only(A5).when(&[Check::Not(&Check::Dtype(Dst, FP4))]),
];
const WINDOW_NZ: &[Rule] = &[
    rule("PA-0047", Check::Eq(Num::ValidRows(Dst), ROWS_NZ)).debug().soft(),
    rule("PA-0042", Check::Eq(Num::ValidCols(Dst), COLS_NZ)).debug().soft(),
];
/// A matrix that is rearranged on the way.
const WINDOW_MATRIX: &[Rule] = &[
    rule(codes::M_WINDOW, Check::Eq(Num::ValidRows(Dst), Num::Dim(Src, 1))).derived().soft(),
    rule(codes::M_WINDOW, Check::Eq(Num::ValidCols(Dst), Num::Dim(Src, 0))).derived().soft(),
];
const ONE_MATRIX: &[Rule] = &[
    rule("SA-0057", Check::Eq(Num::DimsFrom(Src, 2), ONE)).only(A2A3),
    rule("SA-0055", Check::Eq(Num::DimsFrom(Src, 2), ONE)).only(A5),
];
const MATRIX_LIMITS: &[Rule] = &[
    rule("SA-0220", Check::Fractal(Dst, &[512])).only(A2A3),
    rule("SA-0221", Check::Fractal(Dst, &[512])).only(A5),
    rule("SA-0202", Check::Le(Num::Rows(Dst), Num::Const(16384))).only(A2A3).when(&[Check::Layout(DST, NZ)]),
    rule("SA-0184", Check::Le(Num::Cols(Dst), Num::Const(16384))).only(A2A3).when(&[Check::Layout(DST, ZN)]),
    rule("SA-0041", Check::DtypeSize(Dst, &[1, 2, 4])).only(A5),
    rule("SA-0233", Check::DtypeSize(Dst, &[1, 2, 4])).only(A2A3),
    rule("PA-0035", Check::Between(Num::Dim(Src, 1), 1, 16384)).only(A2A3).when(&[Check::Layout(DST, NZ)]).debug(),
    rule("PA-0038", Check::Between(Num::Dim(Src, 0), 1, 65535)).only(A2A3).when(&[Check::Layout(DST, NZ)]).debug(),
];
const MAT_LIMITS_A5: &[Rule] = &[
    rule("SA-0224", Check::Le(Num::Rows(Dst), Num::Const(16384))),
    rule("SA-0222", Check::Le(Num::Elements(Dst), Num::Const(524_288))),
];
const VEC_LIMITS: &[Rule] = &[
    rule("SA-0236", Check::Lt(Num::Rows(Dst), Num::Const(4096))).only(A2A3).when(&[Check::Layout(DST, ND)]),
    rule("SA-0233", Check::Layout(DST, ND_DN)).only(A2A3).when(&[EIGHT]),
];
const BLOCKS_ND: &[Rule] = &[rule("PA-0029", Check::Multiple(Num::DimBytes(Src, 0, Dst), Num::Const(32)))
    .only(A2A3)
    .when(&[Check::Lt(ONE, Num::Rows(Dst))])
    .debug()
    .why("global memory to L1 moves whole 32-byte blocks")];
const BLOCKS_DN: &[Rule] = &[rule("PA-0028", Check::Multiple(Num::DimBytes(Src, 1, Dst), Num::Const(32)))
    .only(A2A3)
    .when(&[Check::Lt(ONE, Num::Cols(Dst))])
    .debug()
    .why("global memory to L1 moves whole 32-byte blocks")];

const VEC_PAIRS: &[(Layout, Layout)] = &[(Layout::Nd, Layout::Nd), (Layout::Dn, Layout::Dn), (Layout::Nz, Layout::Nz)];
const VEC_LAYOUTS: &[Rule] = &[
    rule("SA-0235", Check::LayoutPair(Src, Dst, VEC_PAIRS)).only(A2A3).when(&[Check::Not(&ONE_LINE)]),
    rule("SA-0104", Check::LayoutPair(Src, Dst, VEC_PAIRS)).only(A5).when(&[Check::Not(&ONE_LINE)]),
];
/// A single row or column is ND and DN at once.
const ONE_LINE: Check = Check::Any(&[Check::Eq(Num::Rows(Dst), ONE), Check::Eq(Num::Cols(Dst), ONE)]);
const MAT_LAYOUTS: &[Rule] = &[
    rule(
        "SA-0234",
        Check::LayoutPair(
            Src,
            Dst,
            &[
                (Layout::Nd, Layout::Nd),
                (Layout::Dn, Layout::Dn),
                (Layout::Nz, Layout::Nz),
                (Layout::Nd, Layout::Nz),
                (Layout::Dn, Layout::Zn),
            ],
        ),
    )
    .only(A2A3)
    .when(&[Check::Not(&ONE_LINE)]),
    rule(
        "SA-0082",
        Check::LayoutPair(
            Src,
            Dst,
            &[
                (Layout::Nd, Layout::Nz),
                (Layout::Dn, Layout::Nz),
                (Layout::Nz, Layout::Nz),
                (Layout::Nd, Layout::Nd),
                (Layout::Dn, Layout::Dn),
                (Layout::Dn, Layout::Zn),
            ],
        ),
    )
    .only(A5)
    .when(&[Check::Not(&ONE_LINE), Check::Fractal(Dst, &[512])]),
];

const IN_VEC: Check = Check::Loc(DST, VEC);
const IN_MAT: Check = Check::Loc(DST, MAT);
const SCALES_TILE: Check = Check::Fractal(Dst, &[32]);

const LOAD_PATHS: &[Path] = &[
    path("to vec ND", BOTH, &[IN_VEC, Check::Layout(DST, ND)], &[LOAD, VEC_LAYOUTS, VEC_LIMITS, WINDOW_ND]),
    path("to vec DN", BOTH, &[IN_VEC, Check::Layout(DST, DN)], &[LOAD, VEC_LAYOUTS, VEC_LIMITS, WINDOW_DN]),
    path(
        "to vec NZ",
        BOTH,
        &[IN_VEC, Check::Layout(DST, NZ)],
        &[LOAD, VEC_LAYOUTS, VEC_LIMITS, FRACTALS_NZ, WINDOW_NZ],
    ),
    path("scales to mat", A5, &[IN_MAT, SCALES_TILE], &[LOAD]),
    path("to mat ND", A2A3, &[IN_MAT, Check::Layout(DST, ND)], &[LOAD, MAT_LAYOUTS, BLOCKS_ND, WINDOW_ND]),
    path("to mat DN", A2A3, &[IN_MAT, Check::Layout(DST, DN)], &[LOAD, MAT_LAYOUTS, BLOCKS_DN, WINDOW_DN]),
    path("to mat ND", A5, &[IN_MAT, Check::Layout(DST, ND)], &[LOAD, MAT_LAYOUTS, MAT_LIMITS_A5]),
    path("to mat DN", A5, &[IN_MAT, Check::Layout(DST, DN)], &[LOAD, MAT_LAYOUTS, MAT_LIMITS_A5]),
    path(
        "to mat NZ from NZ",
        A2A3,
        &[IN_MAT, Check::Layout(DST, NZ), Check::Layout(SRC, NZ)],
        &[LOAD, FRACTALS_NZ, WINDOW_NZ],
    ),
    path(
        "to mat NZ from NZ",
        A5,
        &[IN_MAT, Check::Layout(DST, NZ), Check::Layout(SRC, NZ)],
        &[LOAD, MAT_LIMITS_A5, FRACTALS_NZ],
    ),
    path(
        "to mat NZ from a matrix",
        A2A3,
        &[IN_MAT, Check::Layout(DST, NZ), Check::Layout(SRC, ND_DN)],
        &[LOAD, MAT_LAYOUTS, MATRIX_LIMITS, ONE_MATRIX, WINDOW_MATRIX],
    ),
    path(
        "to mat NZ from a matrix",
        A5,
        &[IN_MAT, Check::Layout(DST, NZ), Check::Layout(SRC, ND_DN)],
        &[LOAD, MAT_LAYOUTS, MAT_LIMITS_A5, MATRIX_LIMITS, ONE_MATRIX, WINDOW_MATRIX],
    ),
    path("to mat NZ", BOTH, &[IN_MAT, Check::Layout(DST, NZ)], &[LOAD]),
    path("to mat ZN", A2A3, &[IN_MAT, Check::Layout(DST, ZN)], &[LOAD, MAT_LAYOUTS, MATRIX_LIMITS]),
    path("to mat ZN", A5, &[IN_MAT, Check::Layout(DST, ZN)], &[LOAD, MAT_LAYOUTS, MAT_LIMITS_A5, MATRIX_LIMITS]),
];

// tstore: the tile is `src`, the view `dst`.

const FLOATING: &[DType] = &[F16, F32, I16, I32, I8, BF16];
const ATOMIC: &[Rule] = &[
    rule("SA-0026", Check::Dtype(Dst, FLOATING)).only(A2A3).when(&[Check::Attr(Attr::Atomic, &["atomic_add"])]),
    rule("SA-0025", Check::Dtype(Dst, FLOATING)).only(A5).when(&[Check::Attr(Attr::Atomic, &["atomic_add"])]),
];
const STORE: &[Rule] = &[
    rule("SA-0099", Check::SameDtypeSize(Src, Dst)),
    rule("SA-0011", Check::Dtype(Src, STANDARD)).only(A2A3),
    rule("SA-0338", Check::Layout(SRC, ND_DN)).only(A2A3).when(&[Check::DtypeSize(Src, &[8])]),
    rule("SA-0105", Check::LayoutPair(Src, Dst, VEC_PAIRS)).when(&[Check::Not(&SRC_LINE)]),
];
const SRC_LINE: Check = Check::Any(&[Check::Eq(Num::Rows(Src), ONE), Check::Eq(Num::Cols(Src), ONE)]);
const STORE_ND: &[Rule] = &[
    rule("PA-0044", Check::Eq(Num::ValidCols(Src), Num::Dim(Dst, 0))).debug().soft(),
    rule("PA-0045", Check::Eq(Num::ValidRows(Src), Num::DimsFrom(Dst, 1))).debug().soft(),
];
const STORE_COLS_DN: Num = Num::Product(&Num::Dim(Dst, 0), &Num::DimsFrom(Dst, 2));
const STORE_DN: &[Rule] = &[
    rule("PA-0043", Check::Eq(Num::ValidRows(Src), Num::Dim(Dst, 1))).debug().soft(),
    rule("PA-0046", Check::Eq(Num::ValidCols(Src), STORE_COLS_DN)).debug().soft(),
];
const STORE_NZ: &[Rule] = &[
    rule("SA-0350", Check::Eq(Num::Dim(Dst, 1), Num::Const(16))).only(A2A3),
    rule("SA-0350", Check::Eq(Num::Dim(Dst, 0), Num::Block(Src))).only(A2A3),
    rule("PA-0047", Check::Eq(Num::ValidRows(Src), Num::Product(&Num::Dim(Dst, 1), &Num::Dim(Dst, 2)))).debug().soft(),
    rule("PA-0042", Check::Eq(Num::ValidCols(Src), Num::Product(&Num::Dim(Dst, 0), &Num::DimsFrom(Dst, 3))))
        .debug()
        .soft(),
];
const STORE_BLOCKS: &[Rule] = &[rule("PA-0029", Check::Multiple(Num::DimBytes(Dst, 0, Src), Num::Const(32)))
    .when(&[Check::Layout(SRC, ND)])
    .debug()
    .why("L1 to global memory moves whole 32-byte blocks")];

const FROM_ACCUMULATOR: &[Rule] = &[
    rule("SA-0191", Check::Dtype(Src, &[I32, F32])),
    rule("SA-0201", Check::Between(Num::Cols(Src), 1, 4095)),
    rule("SA-0126", Check::Between(Num::Rows(Src), 1, 8192)).when(&[Check::Layout(DST, ND)]),
    rule("SA-0126", Check::Between(Num::Rows(Src), 1, 65535)).when(&[Check::Layout(DST, NZ)]),
    rule("PA-0023", Check::Eq(Num::DimsFrom(Dst, 2), ONE)).only(A2A3).when(&[Check::Layout(DST, ND)]).debug(),
];
const ACC_WINDOW: &[Rule] = &[
    rule("PA-0044", Check::Eq(Num::ValidCols(Src), Num::Dim(Dst, 0))).when(&[Check::Layout(DST, ND)]).debug().soft(),
    rule("PA-0048", Check::Eq(Num::ValidRows(Src), Num::Dim(Dst, 1))).when(&[Check::Layout(DST, ND)]).debug().soft(),
];
const ACC_CAST: &[Rule] = &[
    rule("SA-0196", Check::Dtype(Dst, &[I32, F32, F16, BF16])),
    rule(codes::M_DTYPE, Check::DtypePair(Src, Dst, &[(F32, F32), (F32, F16), (F32, BF16), (I32, I32)]))
        .derived()
        .why("an integer accumulator leaves unquantised as i32 only"),
];
const ACC_QUANT: &[Rule] = &[
    rule(codes::M_DTYPE, Check::DtypePair(Src, Dst, &[(F32, I8), (F32, U8), (I32, I8), (I32, U8), (I32, F16)]))
        .only(A2A3),
    rule(
        codes::M_DTYPE,
        Check::DtypePair(
            Src,
            Dst,
            &[
                (F32, I8),
                (F32, U8),
                (F32, BF16),
                (F32, F16),
                (F32, HiF8),
                (F32, F8E4M3),
                (F32, F32),
                (I32, I8),
                (I32, U8),
                (I32, BF16),
                (I32, F16),
            ],
        ),
    )
    .only(A5),
];

const SRC_VEC: Check = Check::Loc(SRC, VEC);
const SRC_MAT: Check = Check::Loc(SRC, MAT);
const SRC_ACC: Check = Check::Loc(SRC, ACC);

const STORE_LOC: &[Rule] = &[
    rule("SA-0101", Check::Loc(SRC, &[Loc::Vec, Loc::Mat, Loc::Acc])).only(A2A3),
    rule("SA-0100", Check::Loc(SRC, &[Loc::Vec, Loc::Acc])).only(A5),
];

const STORE_PATHS: &[Path] = &[
    path("from vec ND", BOTH, &[SRC_VEC, Check::Layout(SRC, ND)], &[STORE, STORE_ND, ATOMIC, NO_ACC_OPTIONS]),
    path("from vec DN", BOTH, &[SRC_VEC, Check::Layout(SRC, DN)], &[STORE, STORE_DN, ATOMIC, NO_ACC_OPTIONS]),
    path("from vec NZ", BOTH, &[SRC_VEC, Check::Layout(SRC, NZ)], &[STORE, STORE_NZ, ATOMIC, NO_ACC_OPTIONS]),
    path("from vec, one row or column", BOTH, &[SRC_VEC, SRC_LINE], &[STORE, ATOMIC, NO_ACC_OPTIONS]),
    path(
        "from mat ND",
        A2A3,
        &[SRC_MAT, Check::Layout(SRC, ND)],
        &[STORE, STORE_ND, STORE_BLOCKS, ATOMIC, NO_ACC_OPTIONS],
    ),
    path("from mat DN", A2A3, &[SRC_MAT, Check::Layout(SRC, DN)], &[STORE, STORE_DN, ATOMIC, NO_ACC_OPTIONS]),
    path("from mat NZ", A2A3, &[SRC_MAT, Check::Layout(SRC, NZ)], &[STORE, STORE_NZ, ATOMIC, NO_ACC_OPTIONS]),
    path("from acc", BOTH, &[SRC_ACC, PLAIN], &[FROM_ACC, FROM_ACCUMULATOR, ACC_CAST, ACC_WINDOW, ATOMIC]),
    path(
        "from acc, quantised by a scalar or a scaling tile",
        BOTH,
        &[SRC_ACC],
        &[FROM_ACC, FROM_ACCUMULATOR, ACC_QUANT, SCALES, ACC_WINDOW, ATOMIC],
    ),
];
const STORE_FP: &[Rule] = &[rule("SA-0191", Check::Loc(SRC, ACC))];

pub(super) const RULES: &[OpRules] = &[
    op_paths("pto.tload", codes::M_NO_PATH, &[LOAD_LOC], LOAD_PATHS),
    op_paths("pto.tstore", codes::M_NO_PATH, &[STORE_LOC], STORE_PATHS),
    op("pto.tstore.fp", &[STORE_FP, FROM_ACC, FROM_ACCUMULATOR, ACC_QUANT, SCALES, ACC_WINDOW, ATOMIC]),
];
