//! Tile with tile, element by element.

use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, EnumDef, Family, OpDef, Targets, enums};

const fn unary(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Elementwise, name, summary).on(Pipe::V).takes(UNARY).text(UNARY_TEXT)
}

const fn binary(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Elementwise, name, summary).on(Pipe::V).takes(BINARY).text(BINARY_TEXT)
}

const fn precision(words: &'static EnumDef) -> AttrDef {
    attr("precisionType", AttrTy::Enum(words)).or("default")
}

/// Elementwise tile instructions.
pub static OPS: &[OpDef] = &[
    // one source
    unary("pto.tabs", "absolute value"),
    unary("pto.tneg", "negation"),
    unary("pto.tnot", "bitwise complement"),
    unary("pto.trelu", "max(x, 0)"),
    unary("pto.texp", "exponential").attrs(&[precision(&enums::EXP_PRECISION)]),
    unary("pto.tlog", "natural logarithm").attrs(&[precision(&enums::LOG_PRECISION)]),
    unary("pto.tsqrt", "square root").attrs(&[precision(&enums::SQRT_PRECISION)]),
    unary("pto.trecip", "reciprocal").attrs(&[precision(&enums::RECIP_PRECISION)]),
    unary("pto.trsqrt", "reciprocal square root")
        .takes(&[tile("src"), dest("dst"), scratch("tmp")])
        .attrs(&[precision(&enums::RSQRT_PRECISION)])
        .text(UNARY_TMP_TEXT),
    unary("pto.tcvt", "element type conversion with rounding and saturation")
        .takes(UNARY_TMP)
        .attrs(&[
            attr("rmode", AttrTy::Enum(&enums::ROUND_MODE)).or("CAST_RINT"),
            attr("satmode", AttrTy::Enum(&enums::SATURATION_MODE)).or("OFF"),
        ])
        .text("ins(%src, %tmp {} : T*) outs(%dst : T*)"),
    // two sources
    binary("pto.tadd", "sum"),
    binary("pto.tsub", "difference"),
    binary("pto.tmul", "product"),
    binary("pto.tdiv", "quotient").attrs(&[precision(&enums::DIV_PRECISION)]),
    binary("pto.tmax", "maximum"),
    binary("pto.tmin", "minimum"),
    binary("pto.tand", "bitwise and"),
    binary("pto.tor", "bitwise or"),
    binary("pto.txor", "bitwise exclusive or").takes(BINARY_TMP).text(BINARY_TMP_TEXT),
    binary("pto.tshl", "left shift by a tile of counts"),
    binary("pto.tshr", "right shift by a tile of counts"),
    binary("pto.tfmod", "remainder as C's fmod").attrs(&[precision(&enums::FMOD_PRECISION)]),
    binary("pto.trem", "remainder with the sign of the divisor")
        .takes(BINARY_TMP)
        .attrs(&[precision(&enums::REM_PRECISION)])
        .text(BINARY_TMP_TEXT),
    binary("pto.tpow", "power")
        .takes(&[tile("base"), tile("exp"), dest("dst"), scratch("tmp")])
        .attrs(&[precision(&enums::POW_PRECISION)])
        .text("ins(%base, %exp, %tmp : T*) outs(%dst : T*) {}"),
    binary("pto.tprelu", "rectifier with a slope tile for negative elements").takes(BINARY_TMP).text(BINARY_TMP_TEXT),
    binary("pto.tcmp", "comparison, written as a packed mask tile")
        .attrs(&[attr("cmpMode", AttrTy::Enum(&enums::CMP)).or("eq")])
        .text("ins(%src0, %src1 {} : T*) outs(%dst : T*)"),
    // three sources
    binary("pto.taddc", "src0 + src1 + src2").takes(TERNARY).text(TERNARY_TEXT),
    binary("pto.tsubc", "src0 - src1 + src2").takes(TERNARY).text(TERNARY_TEXT),
    binary("pto.tsel", "choice between two tiles by a mask tile")
        .takes(&[tile("mask"), tile("src0"), tile("src1"), scratch("tmp"), dest("dst")])
        .text("ins(%mask, %src0, %src1, %tmp : T*) outs(%dst : T*) {}"),
    // fused
    binary("pto.taddrelu", "sum, then max(x, 0)").only(Targets::A2A3),
    binary("pto.tsubrelu", "difference, then max(x, 0)"),
    binary("pto.taddreluconv", "sum, then max(x, 0), then narrowing"),
    binary("pto.tadddeqrelu", "integer sum, scaled to float, then max(x, 0), then f16")
        .takes(&[tile("src0"), tile("src1"), scalar("deqScale"), scratch("tmp"), dest("dst")])
        .text("ins(%src0, %src1, %deqScale, %tmp : T*) outs(%dst : T*) {}"),
    binary("pto.tfusedmuladd", "dst * src0 + src1").takes(ACCUMULATE),
    binary("pto.tfusedmuladdrelu", "dst * src0 + src1, then max(x, 0)").takes(ACCUMULATE),
    binary("pto.tmuladddst", "src0 * src1 + dst").takes(ACCUMULATE),
];
