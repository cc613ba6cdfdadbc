//! `tcvt`: element type conversion.

use super::lists::*;
use crate::codes;
use crate::rule::{Check, OpRules, Opd, Rule};
use ptoc_target::DType;

use DType::{BF16, F4E1M2x2, F4E2M1x2, F8E4M3, F8E5M2, F16, F32, HiF8, I8, I16, I32, I64, U8, U16, U32};
use Opd::{Dst, Src};

/// Conversions of A2/A3. The 4-bit integers of its table have no tile type.
const PAIRS_A2A3: &[(DType, DType)] = &[
    (F32, F16),
    (F32, F32),
    (F32, I64),
    (F32, I32),
    (F32, I16),
    (F32, BF16),
    (F16, F32),
    (F16, I32),
    (F16, I16),
    (F16, I8),
    (F16, U8),
    (BF16, F32),
    (BF16, I32),
    (I16, F16),
    (I16, F32),
    (I32, F32),
    (I32, I16),
    (I32, I64),
    (I32, F16),
    (I64, F32),
    (I64, I32),
    (U8, F16),
    (I8, F16),
];

/// Conversions of A5.
const PAIRS_A5: &[(DType, DType)] = &[
    (F32, F32),
    (F32, F16),
    (F32, BF16),
    (F32, I16),
    (F32, I32),
    (F32, I64),
    (F32, F8E4M3),
    (F32, F8E5M2),
    (F32, HiF8),
    (F16, F32),
    (F16, I32),
    (F16, I16),
    (F16, I8),
    (F16, U8),
    (F16, HiF8),
    (BF16, F32),
    (BF16, I32),
    (BF16, F16),
    (BF16, F4E1M2x2),
    (BF16, F4E2M1x2),
    (I16, U8),
    (I16, F16),
    (I16, F32),
    (I16, U32),
    (I16, I32),
    (I32, F32),
    (I32, I16),
    (I32, U16),
    (I32, I64),
    (I32, U8),
    (U32, U8),
    (U32, U16),
    (U32, I16),
    (I64, F32),
    (I64, I32),
    (U8, F16),
    (U8, U16),
    (I8, F16),
    (I8, I16),
    (I8, I32),
    (F8E4M3, F32),
    (F8E5M2, F32),
    (HiF8, F32),
    (F4E1M2x2, BF16),
    (F4E2M1x2, BF16),
];

const CVT: &[Rule] = &[
    rule(codes::E_LOC, Check::Loc(SRC_DST, VEC)).derived(),
    rule(codes::E_LAYOUT, Check::Layout(SRC_DST, ND)).derived(),
    rule(codes::E_CONVERSION, Check::DtypePair(Src, Dst, PAIRS_A2A3))
        .only(A2A3)
        .why("the reference library compiles an unlisted pair to nothing"),
    rule(codes::E_CONVERSION, Check::DtypePair(Src, Dst, PAIRS_A5)).only(A5),
    rule(codes::E_VALID, Check::SameValid(Src, Dst)).derived().soft(),
];

pub(super) const RULES: &[OpRules] = &[op("pto.tcvt", &[CVT])];
