//! `tfillpad` and its variants: copy, and the pad value outside of the valid region.

use super::lists::*;
use crate::codes;
use crate::rule::{Attr, Check, Num, OpRules, Opd, Path, Rule};
use ptoc_target::DType;

use DType::{BF16, F8E4M3, F8E5M2, F8E8M0, F16, F32, HiF8, I8, I16, I32, U8, U16, U32};
use Opd::{Dst, Src};

const FILLED: &[&str] = &["zero", "max", "min", "custom"];

/// The pad value exists, and the copy does not convert.
const VEC_RULES: &[Rule] = &[
    rule(codes::M_PAD, Check::Pad(Dst, FILLED)).when(&[Check::NoAttr(Attr::PadValueAttr)]),
    rule(codes::M_SAME_SIZE, Check::SameDtypeSize(Src, Dst)),
    rule(codes::M_DTYPE, Check::Dtype(Dst, &[F32, I32, U32, F16, BF16, I16, U16, I8, U8])).only(A2A3),
    rule(
        codes::M_DTYPE,
        Check::Dtype(
            Dst,
            &[
                F32,
                I32,
                U32,
                F16,
                BF16,
                I16,
                U16,
                I8,
                U8,
                HiF8,
                F8E4M3,
                F8E5M2,
                F8E8M0,
                DType::F4E2M1x2,
                DType::F4E1M2x2,
            ],
        ),
    )
    .only(A5),
    rule(codes::M_PAD, Check::Pad(Dst, &["custom"]))
        .when(&[Check::Dtype(Dst, &[F8E8M0]), Check::Pad(Dst, &["zero", "max", "min"])])
        .docs()
        .why("an exponent-only type has no zero, and its ends are no values of a number")
        .help("write the bits with pad=value(...)"),
    rule(codes::M_LAYOUT, Check::Layout(SRC_DST, ND)).derived().why("rows are copied at the row pitch"),
];

const SAME_SHAPE: &[Rule] =
    &[rule(codes::M_SHAPE, Check::SameShape(Src, Dst)).help("use `tfillpad_expand`, which copies into a larger tile")];
/// Filled onto itself, a tile has nothing outside of its valid region that anybody looks at.
const NOTHING_TO_FILL: &[Rule] = &[rule(codes::M_NOTHING, Check::Fills(Src, Dst))
    .when(&[Check::Lt(ZERO, Num::ValidRows(Src))])
    .derived()
    .warning()
    .why("what lies outside of the valid region of the destination is not looked at")
    .help("give the destination, on the same bytes, the valid size that is to be filled")];
const SAME_SHAPE_IN_PLACE: &[Rule] = &[rule(codes::M_SHAPE, Check::SameShape(Src, Dst))];
const SAME_STORAGE: &[Rule] = &[rule(codes::M_STORAGE, Check::SameStorage(Src, Dst))
    .derived()
    .why("the in-place variant copies nothing")
    .help("pass one tile as source and destination, or use `tfillpad`")];
const LARGER: &[Rule] = &[rule(codes::M_SHAPE, Check::FitsIn(Src, Dst))];

const MAT_RULES: &[Rule] = &[
    rule(codes::M_SHAPE, Check::SameShapeType(Src, Dst)),
    rule(codes::M_LAYOUT, Check::Layout(SRC_DST, NZ)),
    rule(codes::M_PAD, Check::Pad(Dst, &["null", "zero"])).why("the fill of L1 writes zero"),
    rule(codes::M_DTYPE, Check::DtypeSize(Dst, &[1, 2, 4])),
];

const PATHS: &[Path] = &[
    path("vec to vec", BOTH, &[Check::Loc(SRC_DST, VEC)], &[VEC_RULES, SAME_SHAPE, NOTHING_TO_FILL]),
    path("mat, filled in place", BOTH, &[Check::Loc(SRC_DST, MAT)], &[MAT_RULES]),
];
const IN_PLACE: &[Path] = &[path(
    "vec to vec",
    BOTH,
    &[Check::Loc(SRC_DST, VEC)],
    &[VEC_RULES, SAME_SHAPE_IN_PLACE, SAME_STORAGE, NOTHING_TO_FILL],
)];
const EXPAND: &[Path] = &[path("vec to vec", BOTH, &[Check::Loc(SRC_DST, VEC)], &[VEC_RULES, LARGER])];

pub(super) const RULES: &[OpRules] = &[
    op_paths("pto.tfillpad", codes::M_NO_PATH, &[], PATHS),
    op_paths("pto.tfillpad_inplace", codes::M_NO_PATH, &[], IN_PLACE),
    op_paths("pto.tfillpad_expand", codes::M_NO_PATH, &[], EXPAND),
];
