//! Storage, valid sizes and other views of a tile.

use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Rule};

use Opd::{Result, Source, Src, ValidCol, ValidRow};

const VALID: &str = "the valid region lies inside of the static shape";

const ALLOC: &[Rule] = &[
    rule("SA-0065", Check::Le(Num::Value(ValidRow), Num::Rows(Result))).why(VALID),
    rule("SA-0065", Check::Le(Num::Value(ValidCol), Num::Cols(Result))).why(VALID),
    rule("SA-0065", Check::Le(ZERO, Num::Value(ValidRow))).why(VALID),
    rule("SA-0065", Check::Le(ZERO, Num::Value(ValidCol))).why(VALID),
];
const SET_VALID: &[Rule] = &[
    rule("SA-0065", Check::Le(Num::Value(ValidRow), Num::Rows(Source))).debug().why(VALID),
    rule("SA-0065", Check::Le(Num::Value(ValidCol), Num::Cols(Source))).debug().why(VALID),
    rule("SA-0065", Check::Le(ZERO, Num::Value(ValidRow))).debug().why(VALID),
    rule("SA-0065", Check::Le(ZERO, Num::Value(ValidCol))).debug().why(VALID),
    rule(codes::M_FIXED_VALID, Check::DynamicValid(Source))
        .why("a valid size in the type is fixed; a run-time one is written `?`")
        .help("write v_row=? and v_col=? in the type of the tile"),
];
const RESHAPE: &[Rule] = &[
    rule("SA-0303", Check::SameLoc(Src, Result)).why("the result is another view of the same bytes"),
    rule("SA-0305", Check::Eq(Num::Bytes(Src), Num::Bytes(Result))).why("the result is another view of the same bytes"),
    rule("SA-0301", Check::SameBoxing(Src, Result)).why("elements in boxes lie in another order than elements in rows"),
];
const BITCAST: &[Rule] = &[
    rule(codes::M_CAST, Check::SameLoc(Src, Result)).why("the result is another view of the same bytes"),
    rule(codes::M_CAST, Check::Eq(Num::Bytes(Src), Num::Bytes(Result)))
        .why("the result is another view of the same bytes"),
];

pub(super) const RULES: &[OpRules] = &[
    op("pto.alloc_tile", &[ALLOC]),
    op("pto.set_validshape", &[SET_VALID]),
    op("pto.treshape", &[RESHAPE]),
    op("pto.bitcast", &[BITCAST]),
];
