//! What the ways out of the accumulator share: `tinsert`, `textract`, `tmov`, `tstore`.

use super::lists::*;
use crate::codes;
use crate::rule::{Attr, Check, Num, Opd, Rule};
use ptoc_target::{DType, Layout};

use DType::{BF16, F8E4M3, F16, F32, HiF8, I8, I16, I32, U8};
use Opd::{Dst, Fp, PreQuant, Src};

pub(super) const ACC_TO_MAT: &[Check] = &[Check::Loc(SRC, ACC), Check::Loc(DST, MAT)];
pub(super) const ACC_TO_VEC: &[Check] = &[Check::Loc(SRC, ACC), Check::Loc(DST, VEC)];
/// Neither a scalar nor a vector quantisation.
pub(super) const PLAIN: Check = Check::All(&[Check::Absent(PreQuant), Check::Absent(Fp)]);

/// The source is an accumulator.
pub(super) const FROM_ACC: &[Rule] = &[
    rule("SA-0107", Check::Layout(SRC, NZ)),
    rule("SA-0106", Check::Dtype(Src, &[F32, I32])),
    rule(codes::M_ONE_QUANT, Check::Any(&[Check::Absent(Fp), Check::Absent(PreQuant)]))
        .docs()
        .help("pass the scalar or the scaling tile, not both"),
];

/// Options that only drains of the accumulator have.
pub(super) const NO_ACC_OPTIONS: &[Rule] = &[
    rule(codes::M_OPTION, Check::Attr(Attr::Relu, &["no_relu"]))
        .docs()
        .why("the fix pipe rectifies, on the way out of the accumulator"),
    rule(codes::M_OPTION, Check::Absent(PreQuant))
        .docs()
        .why("the fix pipe quantises, on the way out of the accumulator"),
    rule(codes::M_OPTION, Check::Absent(Fp)).docs().why("the fix pipe quantises, on the way out of the accumulator"),
    rule(codes::U_NOT_A_DRAIN, NO_PHASE)
        .docs()
        .why("unit flags order the cube and the fix pipe on a block of the accumulator"),
];
pub(super) const NO_VEC_MODE: &[Rule] = &[rule(codes::M_OPTION, Check::NoAttr(Attr::AccToVec))
    .docs()
    .why("the mode chooses the vector core that an accumulator drains to")];

/// On the way to L1 there is no vector core to choose.
pub(super) const NO_VEC_MODE_TO_MAT: &[Rule] = &[rule("SA-0012", Check::NoAttr(Attr::AccToVec))
    .why("the mode chooses the vector core that an accumulator drains to")];

/// A scaling tile gives one 64-bit entry a column.
pub(super) const SCALES: &[Rule] = &[
    rule("SA-0052", Check::Loc(&[Fp], SCALING)),
    rule(codes::M_SCALES, Check::Multiple(Num::Address(Fp), Num::Const(128)))
        .derived()
        .why("the parameter register holds the address in units of 128 bytes"),
    rule(codes::M_SCALES, Check::Le(Num::ValidCols(Src), Num::Cols(Fp)))
        .derived()
        .why("each output column has its own 64-bit entry"),
];

pub(super) const ACC_MAT_A2A3: &[Rule] = &[
    rule("SA-0013", Check::Fractal(Dst, &[512])),
    rule("SA-0029", Check::Layout(DST, NZ)),
    rule("SA-0031", Check::Multiple(Num::RowBytes(Dst), Num::Const(32))),
];

/// Not quantised, A2/A3.
pub(super) const CAST_A2A3: &[Rule] = &[
    rule("SA-0204", Check::Dtype(Src, &[F32]))
        .help("an i32 accumulator leaves quantised: pass `preQuantScalar` or `fp`"),
    rule("SA-0193", Check::Dtype(Dst, &[F16, BF16])).when(&[Check::Dtype(Src, &[F32])]),
];
/// Quantised, A2/A3.
pub(super) const QUANT_A2A3: &[Rule] = &[
    rule("SA-0197", Check::Dtype(Dst, &[I8])).when(&[Check::Dtype(Src, &[F32])]),
    rule("SA-0199", Check::Dtype(Dst, &[I8, U8, F16, I16])).when(&[Check::Dtype(Src, &[I32])]),
];
/// Not quantised, A5.
pub(super) const CAST_A5: &[Rule] = &[
    rule("SA-0194", Check::Dtype(Dst, &[F16, BF16, F32])).when(&[Check::Dtype(Src, &[F32])]),
    rule("SA-0195", Check::Dtype(Dst, &[I32])).when(&[Check::Dtype(Src, &[I32])]),
];
/// Quantised, A5. The reference also lets f32 to f32 pass, and drops the scale.
pub(super) const QUANT_A5: &[Rule] = &[
    rule("SA-0200", Check::Dtype(Dst, &[I8, U8, HiF8, F16, BF16, F8E4M3])).when(&[Check::Dtype(Src, &[F32])]),
    rule("SA-0198", Check::Dtype(Dst, &[I8, U8, F16, BF16])).when(&[Check::Dtype(Src, &[I32])]),
];

const DUAL: Check = Check::Attr(Attr::AccToVec, &["dual_mode_split_m", "dual_mode_split_n"]);
const SPLIT_M: Check = Check::Attr(Attr::AccToVec, &["dual_mode_split_m"]);
const SPLIT_N: Check = Check::Attr(Attr::AccToVec, &["dual_mode_split_n"]);

/// The accumulator to UB, A5.
pub(super) const ACC_VEC: &[Rule] = &[
    rule("SA-0088", Check::Layout(DST, ND_DN_NZ)),
    rule("SA-0092", Check::All(&[Check::SameDtype(SRC_DST), Check::Absent(PreQuant), Check::Absent(Fp)]))
        .when(&[DUAL])
        .why("a dual mode splits the block between two cores and cannot convert on the way")
        .help("drop the quantisation, or use a single mode"),
    rule("SA-0042", Check::Layout(DST, &[Layout::Nd, Layout::Nz])).when(&[DUAL]),
    rule(codes::M_SPLIT, Check::Multiple(Num::ValidRows(Src), Num::Const(2)))
        .when(&[SPLIT_M])
        .derived()
        .why("each core gets half of the rows"),
    rule(codes::M_SPLIT, Check::Multiple(Num::ValidCols(Src), Num::Const(32)))
        .when(&[SPLIT_N, Check::DtypeSize(Dst, &[4])])
        .derived()
        .why("each core gets half of the columns, in whole groups"),
];
/// Rows that the fix pipe writes into UB begin at blocks.
pub(super) const PITCH: &[Rule] = &[rule("SA-0030", Check::Multiple(Num::PitchBytes(Dst), Num::Const(32)))
    .when(&[Check::Layout(DST, ND_DN)])
    .why("the fix pipe writes rows that begin at a 32-byte block")];
