//! Vector registers: arithmetic, comparison, conversion, rearrangement. Inactive lanes become zero.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets};

const VREG: &[ResultDef] = &[result("result", Kind::VReg)];
const MASK: &[ResultDef] = &[result("result", Kind::Mask)];
const LOW_HIGH: &[ResultDef] = &[result("low", Kind::VReg), result("high", Kind::VReg)];
const SUM_CARRY: &[ResultDef] = &[result("result", Kind::VReg), result("carry", Kind::Mask)];
const VALUE_LANE: &[ResultDef] = &[result("value", Kind::VReg), result("predicate", Kind::Mask)];

const UNARY: &[OperandDef] = &[vreg("input"), mask("mask")];
const UNARY_TEXT: &str = "%input, %mask {} : T* -> R*";
const BINARY: &[OperandDef] = &[vreg("lhs"), vreg("rhs"), mask("mask")];
const BINARY_TEXT: &str = "%lhs, %rhs, %mask {} : T* -> R*";
const SCALAR: &[OperandDef] = &[vreg("input"), any("scalar"), mask("mask")];
const SCALAR_TEXT: &str = "%input, %scalar, %mask {} : T* -> R*";
const FUSED: &[OperandDef] = &[vreg("acc"), vreg("lhs"), vreg("rhs"), mask("mask")];
const FUSED_TEXT: &str = "%acc, %lhs, %rhs, %mask {} : T* -> R*";
const CARRY: &[OperandDef] = &[vreg("lhs"), vreg("rhs"), mask("carry_in"), mask("mask")];
const CARRY_TEXT: &str = "%lhs, %rhs, %carry_in, %mask {} : T* -> R*";
const PAIR: &[OperandDef] = &[vreg("lhs"), vreg("rhs")];
const PAIR_TEXT: &str = "%lhs, %rhs {} : T* -> R*";
const PICK: &[OperandDef] = &[vreg("src0"), vreg("src1")];
const PICK_TEXT: &str = "%src0, %src1 {} : T* -> R*";
const HISTOGRAM: &[OperandDef] = &[vreg("acc"), vreg("source"), mask("mask"), scalar("bin")];
const HISTOGRAM_TEXT: &str = "%acc, %source, %mask, %bin {} : T* -> R*";
const UNPACK: &[OperandDef] = &[vreg("src"), index("part")];
const UNPACK_TEXT: &str = "%src, %part {} : T(src) -> R*";

const HALF: AttrDef = attr("part", AttrTy::Words(&["LOWER", "HIGHER"])).must();
const CMP: AttrDef = attr("cmp_mode", AttrTy::Words(&["eq", "ne", "lt", "le", "gt", "ge"])).must();
const ROUND: AttrTy = AttrTy::Words(&[
    "R", "A", "F", "C", "Z", "O", "H", "ROUND_R", "ROUND_A", "ROUND_F", "ROUND_C", "ROUND_Z", "ROUND_O", "ROUND_H",
]);
const PART: AttrTy = AttrTy::Words(&["EVEN", "ODD", "PART_EVEN", "PART_ODD", "P0", "P1", "P2", "P3"]);
const SAT: AttrTy = AttrTy::Words(&["SAT", "NOSAT", "RS_ENABLE", "RS_DISABLE"]);

const fn vector(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroVector, name, summary).on(Pipe::V).only(Targets::A5).is(Traits::PURE).gives(VREG)
}

const fn unary(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(UNARY).text(UNARY_TEXT)
}

const fn binary(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(BINARY).text(BINARY_TEXT)
}

const fn with_scalar(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(SCALAR).text(SCALAR_TEXT)
}

/// Vector computation.
pub static OPS: &[OpDef] = &[
    // one register
    unary("pto.vabs", "absolute value"),
    unary("pto.vneg", "negation"),
    unary("pto.vnot", "bitwise complement"),
    unary("pto.vrelu", "max(x, 0)"),
    unary("pto.vexp", "exponential"),
    unary("pto.vln", "natural logarithm"),
    unary("pto.vsqrt", "square root"),
    unary("pto.vrsqrt", "reciprocal square root"),
    unary("pto.vrec", "reciprocal"),
    unary("pto.vbcnt", "count of one bits"),
    unary("pto.vcls", "count of leading sign bits"),
    vector("pto.vmov", "copy").takes(&[vreg("input"), mask("mask").opt()]).text("%input, %mask {} : T* -> R*"),
    // two registers
    binary("pto.vadd", "sum"),
    binary("pto.vsub", "difference"),
    binary("pto.vmul", "product"),
    binary("pto.vdiv", "quotient"),
    binary("pto.vmod", "remainder"),
    binary("pto.vmax", "maximum"),
    binary("pto.vmin", "minimum"),
    binary("pto.vand", "bitwise and"),
    binary("pto.vor", "bitwise or"),
    binary("pto.vxor", "bitwise exclusive or"),
    binary("pto.vshl", "left shift"),
    binary("pto.vshr", "right shift"),
    binary("pto.vprelu", "rectifier with a slope register"),
    binary("pto.vaddrelu", "sum, then max(x, 0)"),
    binary("pto.vsubrelu", "difference, then max(x, 0)"),
    binary("pto.vmull", "64-bit product in two registers").gives(LOW_HIGH),
    binary("pto.vaddc", "sum and carry").gives(SUM_CARRY),
    binary("pto.vsubc", "difference and borrow").gives(SUM_CARRY),
    vector("pto.vaddcs", "sum with carry in and out").takes(CARRY).gives(SUM_CARRY).text(CARRY_TEXT),
    vector("pto.vsubcs", "difference with borrow in and out").takes(CARRY).gives(SUM_CARRY).text(CARRY_TEXT),
    vector("pto.vaddreluconv", "sum, then max(x, 0), then conversion").takes(PAIR).text(PAIR_TEXT),
    vector("pto.vmulconv", "product, then conversion").takes(PAIR).text(PAIR_TEXT),
    vector("pto.vexpdif", "exponential of a difference, in f32")
        .takes(&[vreg("input"), vreg("max"), mask("mask")])
        .attrs(&[attr("part", PART).must()])
        .text("%input, %max, %mask, @part {} : T* -> R*"),
    // a register and a number
    with_scalar("pto.vadds", "sum with a number"),
    with_scalar("pto.vsubs", "difference with a number"),
    with_scalar("pto.vmuls", "product with a number"),
    with_scalar("pto.vmaxs", "maximum with a number"),
    with_scalar("pto.vmins", "minimum with a number"),
    with_scalar("pto.vands", "bitwise and with a number"),
    with_scalar("pto.vors", "bitwise or with a number"),
    with_scalar("pto.vxors", "bitwise exclusive or with a number"),
    with_scalar("pto.vshls", "left shift by a count"),
    with_scalar("pto.vshrs", "right shift by a count"),
    with_scalar("pto.vlrelu", "rectifier with a slope"),
    with_scalar("pto.vmulscvt", "product with a number, then conversion")
        .attrs(&[attr("rnd", ROUND).must(), attr("part", PART).must()])
        .text("%input, %scalar, %mask, @rnd, @part {} : T* -> R*"),
    // three registers
    vector("pto.vmula", "acc + lhs * rhs").takes(FUSED).text(FUSED_TEXT),
    vector("pto.vmadd", "acc * lhs + rhs").takes(FUSED).text(FUSED_TEXT),
    vector("pto.vaxpy", "src0 + src1 * number")
        .takes(&[vreg("src0"), vreg("src1"), any("alpha"), mask("mask")])
        .text("%src0, %src1, %alpha, %mask {} : T* -> R*"),
    // comparison and choice
    vector("pto.vcmp", "comparison")
        .takes(&[vreg("src0"), vreg("src1"), mask("mask")])
        .gives(MASK)
        .attrs(&[CMP])
        .text("%src0, %src1, %mask, @cmp_mode {} : T* -> R*"),
    vector("pto.vcmps", "comparison with a number")
        .takes(&[vreg("src"), any("scalar"), mask("mask")])
        .gives(MASK)
        .attrs(&[CMP])
        .text("%src, %scalar, %mask, @cmp_mode {} : T* -> R*"),
    vector("pto.vsel", "choice by a predicate")
        .takes(&[vreg("src0"), vreg("src1"), mask("mask")])
        .text("%src0, %src1, %mask {} : T* -> R*"),
    vector("pto.vselr", "lanes picked by a register of indices").takes(PICK).text(PICK_TEXT),
    vector("pto.vselrv2", "lanes picked by a register of indices, second form").takes(PICK).text(PICK_TEXT),
    vector("pto.vperm", "lanes picked by a register of indices (documented)")
        .takes(&[vreg("src"), vreg("index")])
        .text("%src, %index {} : T* -> R*"),
    // across lanes
    unary("pto.vcadd", "sum of all lanes in lane 0"),
    unary("pto.vcmax", "maximum of all lanes in lane 0, its lane number in lane 1"),
    unary("pto.vcmin", "minimum of all lanes in lane 0, its lane number in lane 1"),
    unary("pto.vcgadd", "sum of each 32-byte group"),
    unary("pto.vcgmax", "maximum of each 32-byte group"),
    unary("pto.vcgmin", "minimum of each 32-byte group"),
    unary("pto.vcpadd", "sums of neighbouring lanes in the lower half"),
    unary("pto.vcbmax", "maximum, and the predicate of its lane").gives(VALUE_LANE),
    unary("pto.vcbmin", "minimum, and the predicate of its lane").gives(VALUE_LANE),
    vector("pto.chistv2", "counts of byte values up to each value, added").takes(HISTOGRAM).text(HISTOGRAM_TEXT),
    vector("pto.dhistv2", "counts of byte values, added").takes(HISTOGRAM).text(HISTOGRAM_TEXT),
    // fill
    vector("pto.vbr", "a number in every lane").takes(&[any("value")]).text("%value {} : T* -> R*"),
    vector("pto.vbroadcast", "a number in every lane (documented)").takes(&[any("value")]).text("%value {} : T* -> R*"),
    vector("pto.vdup", "a number, or the lowest or highest lane, in every lane")
        .takes(&[any("input"), mask("mask")])
        .attrs(&[attr("position", AttrTy::Words(&["LOWEST", "HIGHEST"]))])
        .text("%input, %mask {} : T* -> R*"),
    vector("pto.vci", "number plus or minus the lane number")
        .takes(&[scalar("index")])
        .attrs(&[attr("order", AttrTy::Words(&["ASC", "DESC"]))])
        .text("%index {} : T* -> R*"),
    // conversion
    unary("pto.vcvt", "element type conversion").attrs(&[attr("rnd", ROUND), attr("sat", SAT), attr("part", PART)]),
    unary("pto.vtrc", "rounding to an integral value")
        .attrs(&[attr("round_mode", ROUND).must()])
        .text("%input, %mask, @round_mode:str {} : T* -> R*"),
    vector("pto.vbitcast", "the same bits with another element type")
        .takes(&[vreg("input")])
        .text("%input {} : T* -> R*"),
    // rearrangement
    vector("pto.vintlv", "lanes of two registers in turn").takes(PAIR).gives(LOW_HIGH).text(PAIR_TEXT),
    vector("pto.vdintlv", "even and odd lanes of two registers").takes(PAIR).gives(LOW_HIGH).text(PAIR_TEXT),
    vector("pto.vintlvv2", "one half of the lanes of two registers in turn")
        .takes(PAIR)
        .attrs(&[HALF])
        .text("%lhs, %rhs, @part {} : T* -> R*"),
    vector("pto.vdintlvv2", "even or odd lanes of two registers")
        .takes(PAIR)
        .attrs(&[HALF])
        .text("%lhs, %rhs, @part {} : T* -> R*"),
    vector("pto.vpack", "lanes narrowed into one half")
        .takes(&[vreg("src")])
        .attrs(&[HALF])
        .text("%src, @part {} : T* -> R*"),
    vector("pto.vsunpack", "one half widened with its sign").takes(UNPACK).text(UNPACK_TEXT),
    vector("pto.vzunpack", "one half widened with zeros").takes(UNPACK).text(UNPACK_TEXT),
    vector("pto.vshift", "lanes moved by a count")
        .takes(&[vreg("src"), scalar("amt")])
        .text("%src, %amt {} : T* -> R*"),
    vector("pto.vslide", "window over two registers")
        .takes(&[vreg("curr"), vreg("prev"), scalar("amt")])
        .text("%curr, %prev, %amt {} : T* -> R*"),
    // Squeezing may also leave its byte count in the address register, so it is not pure.
    op(Family::MicroVector, "pto.vsqz", "active lanes at the front")
        .on(Pipe::V)
        .only(Targets::A5)
        .takes(UNARY)
        .gives(VREG)
        .attrs(&[attr("mode", AttrTy::Words(&["MODE_STORED", "MODE_NO_STORED"]))])
        .text(UNARY_TEXT),
    vector("pto.vusqz", "count of active lanes before each lane")
        .takes(&[vreg("src"), mask("mask")])
        .text("%src, %mask {} : T* -> R*"),
];
