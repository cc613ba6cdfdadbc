//! Logical vectors of any length: the operations of the vector unit.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets};

const PMODE: AttrDef = attr("pmode", AttrTy::Words(&["merge", "zero"]));
const GROUP: AttrDef = attr("group", AttrTy::Int(64));
const ORDER: AttrDef = attr("order", AttrTy::Words(&["ASC", "DESC"]));
const DIST: AttrDef = attr("dist_mode", AttrTy::Words(&["continuous", "unpack", "dintlv", "brc"]));
const CMP: AttrDef = attr("cmp", AttrTy::Str).must();
const PATTERN: AttrDef = attr("pattern", AttrTy::Str).must();
const PMODES: &[AttrDef] = &[PMODE];

const VREG: &[ResultDef] = &[result("result", Kind::VReg)];
const MASK: &[ResultDef] = &[result("result", Kind::Mask)];
const LOW_HIGH: &[ResultDef] = &[result("low", Kind::VReg), result("high", Kind::VReg)];
const SUM_CARRY: &[ResultDef] = &[result("result", Kind::VReg), result("carry", Kind::Mask)];

const UNARY: &[OperandDef] = &[vreg("source"), mask("mask").many()];
const UNARY_TEXT: &str = "%source, %mask {} : T* -> R*";
const BINARY: &[OperandDef] = &[vreg("lhs"), vreg("rhs"), mask("mask").many()];
const BINARY_TEXT: &str = "%lhs, %rhs, %mask {} : T* -> R*";
// Bitwise operations work on predicates too.
const ANY_UNARY: &[OperandDef] = &[any("source"), mask("mask").many()];
const ANY_BINARY: &[OperandDef] = &[any("lhs"), any("rhs"), mask("mask").many()];
const ANY: &[ResultDef] = &[result("result", Kind::Any)];
const SCALAR: &[OperandDef] = &[vreg("src"), any("scalar"), mask("mask")];
const SCALAR_TEXT: &str = "%src, %scalar, %mask {} : T* -> R*";
const MASKED: &[OperandDef] = &[vreg("source"), mask("mask")];
const PAIR: &[OperandDef] = &[vreg("lhs"), vreg("rhs"), mask("mask")];
const GATHER: &[OperandDef] = &[ptr("source"), vreg("offsets"), mask("mask")];
const GATHER_TEXT: &str = "%source, %offsets, %mask {} : T* -> R*";
const HISTOGRAM: &[OperandDef] = &[vreg("acc"), vreg("source"), mask("mask")];
const HISTOGRAM_TEXT: &str = "%acc, %source, %mask {} : T* -> R*";

const fn access(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Vmi, name, summary).on(Pipe::V).only(Targets::A5)
}

const fn vector(name: &'static str, summary: &'static str) -> OpDef {
    access(name, summary).is(Traits::PURE).gives(VREG).attrs(PMODES)
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

const fn bitwise(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(ANY_BINARY).gives(ANY).text(BINARY_TEXT)
}

/// Logical vector operations.
pub static OPS: &[OpDef] = &[
    // memory; what follows the address depends on `group`
    access("pto.vmi.vload", "load")
        .takes(&[
            ptr("source"),
            index("offset"),
            index("stride").opt(),
            scalar("block_stride").opt(),
            scalar("repeat_stride").opt(),
        ])
        .gives(&[result("results", Kind::VReg).many()])
        .attrs(&[DIST, GROUP, PMODE])
        .text(
            "%source[%offset] ?{, %stride} {} : T(source) -> R* \
             || %source[%offset], %block_stride, %repeat_stride {} : T(source) -> R*",
        ),
    access("pto.vmi.vstore", "store")
        .takes(&[
            vreg("values").many(),
            ptr("destination").written(),
            index("offset"),
            index("stride").opt(),
            scalar("block_stride").opt(),
            scalar("repeat_stride").opt(),
            mask("mask").many(),
        ])
        .attrs(&[DIST, GROUP, PMODE])
        .text(
            "%values, %destination[%offset] ?{, %mask} {} : T(values), T(destination) ?{, T(mask)} \
             || %values, %destination[%offset], %stride, %mask {} : T(values), T(destination) ?{, T(mask)} \
             || %values, %destination[%offset], %block_stride, %repeat_stride, %mask {} \
             : T(values), T(destination) ?{, T(mask)}",
        ),
    access("pto.vmi.vsstb", "store of 32-byte blocks with a stride")
        .takes(&[vreg("value"), ptr("destination").written(), index("offset"), scalar("block_stride"), mask("mask")])
        .attrs(PMODES)
        .text("%value, %destination[%offset], %block_stride, %mask {} : T(value), T(destination), T(mask)"),
    access("pto.vmi.vgather", "elements by index").takes(GATHER).gives(VREG).attrs(PMODES).text(GATHER_TEXT),
    access("pto.vmi.vgatherb", "32-byte blocks by byte offset")
        .takes(GATHER)
        .gives(VREG)
        .attrs(PMODES)
        .text(GATHER_TEXT),
    access("pto.vmi.vscatter", "elements stored by index")
        .takes(&[vreg("value"), ptr("destination").written(), vreg("offsets"), mask("mask")])
        .attrs(PMODES)
        .text("%value, %destination, %offsets, %mask {} : T*"),
    // one vector
    unary("pto.vmi.vabs", "absolute value"),
    unary("pto.vmi.vneg", "negation"),
    unary("pto.vmi.vrelu", "max(x, 0)"),
    unary("pto.vmi.vexp", "exponential"),
    unary("pto.vmi.vln", "natural logarithm"),
    unary("pto.vmi.vsqrt", "square root"),
    vector("pto.vmi.vnot", "bitwise complement").takes(ANY_UNARY).gives(ANY).text(UNARY_TEXT),
    // two vectors
    binary("pto.vmi.vadd", "sum"),
    binary("pto.vmi.vsub", "difference"),
    binary("pto.vmi.vmul", "product"),
    binary("pto.vmi.vdiv", "quotient"),
    binary("pto.vmi.vmax", "maximum"),
    binary("pto.vmi.vmin", "minimum"),
    binary("pto.vmi.vshl", "left shift"),
    binary("pto.vmi.vshr", "right shift"),
    bitwise("pto.vmi.vand", "bitwise and"),
    bitwise("pto.vmi.vor", "bitwise or"),
    bitwise("pto.vmi.vxor", "bitwise exclusive or"),
    vector("pto.vmi.vprelu", "rectifier with a slope vector")
        .takes(&[vreg("x"), vreg("alpha"), mask("mask")])
        .text("%x, %alpha, %mask {} : T* -> R*"),
    vector("pto.vmi.vexpdif", "exponential of a difference")
        .takes(&[vreg("x"), vreg("max"), mask("mask")])
        .text("%x, %max, %mask {} : T* -> R*"),
    vector("pto.vmi.vmull", "product in two vectors")
        .takes(&[vreg("a"), vreg("b"), mask("mask")])
        .gives(LOW_HIGH)
        .text("%a, %b, %mask {} : T* -> R*"),
    vector("pto.vmi.vaddc", "sum and carry").takes(PAIR).gives(SUM_CARRY).attrs(&[]).text(BINARY_TEXT),
    vector("pto.vmi.vaddcs", "sum with carry in and out")
        .takes(&[vreg("lhs"), vreg("rhs"), mask("carry_in"), mask("mask")])
        .gives(SUM_CARRY)
        .attrs(&[])
        .text("%lhs, %rhs, %carry_in, %mask {} : T* -> R*"),
    // a vector and a number
    with_scalar("pto.vmi.vadds", "sum with a number"),
    with_scalar("pto.vmi.vmuls", "product with a number"),
    with_scalar("pto.vmi.vmaxs", "maximum with a number"),
    with_scalar("pto.vmi.vmins", "minimum with a number"),
    with_scalar("pto.vmi.vshls", "left shift by a count"),
    with_scalar("pto.vmi.vshrs", "right shift by a count"),
    vector("pto.vmi.vlrelu", "rectifier with a slope").takes(&[vreg("x"), scalar("slope"), mask("mask")]),
    // three vectors
    vector("pto.vmi.vmula", "acc + lhs * rhs")
        .takes(&[vreg("acc"), vreg("lhs"), vreg("rhs"), mask("mask").many()])
        .text("%acc, %lhs, %rhs, %mask {} : T* -> R*"),
    vector("pto.vmi.vaxpy", "acc + x * number").takes(&[vreg("x"), vreg("acc"), scalar("alpha"), mask("mask")]),
    // comparison and choice
    vector("pto.vmi.vcmp", "comparison")
        .takes(&[vreg("lhs"), vreg("rhs"), mask("seed")])
        .gives(MASK)
        .attrs(&[CMP, PMODE])
        .text("%lhs, %rhs, %seed {} : T* -> R*"),
    vector("pto.vmi.vcmps", "comparison with a number")
        .takes(&[vreg("src"), any("scalar"), mask("seed")])
        .gives(MASK)
        .attrs(&[CMP, PMODE])
        .text("%src, %scalar, %seed {} : T* -> R*"),
    vector("pto.vmi.vsel", "choice by a predicate")
        .takes(&[mask("mask"), vreg("true_value"), vreg("false_value")])
        .text("%mask, %true_value, %false_value {} : T* -> R*"),
    vector("pto.vmi.vselr", "lanes picked by a vector of indices")
        .takes(&[vreg("source"), vreg("index")])
        .attrs(&[])
        .text("%source, %index {} : T* -> R*"),
    // across lanes, or the lanes of each group
    vector("pto.vmi.vcadd", "sum").takes(MASKED).attrs(&[GROUP, PMODE, attr("reassoc", AttrTy::Unit)]).text(UNARY_TEXT),
    vector("pto.vmi.vcmax", "maximum").takes(MASKED).attrs(&[GROUP, PMODE]).text(UNARY_TEXT),
    vector("pto.vmi.vcmin", "minimum").takes(MASKED).attrs(&[GROUP, PMODE]).text(UNARY_TEXT),
    vector("pto.vmi.vchist", "counts of byte values up to each value, added")
        .takes(HISTOGRAM)
        .attrs(&[])
        .text(HISTOGRAM_TEXT),
    vector("pto.vmi.vdhist", "counts of byte values, added").takes(HISTOGRAM).attrs(&[]).text(HISTOGRAM_TEXT),
    // fill
    vector("pto.vmi.vbrc", "a number, or one lane a group, in every lane")
        .takes(&[any("value")])
        .attrs(&[GROUP])
        .text("%value {} : T* -> R*"),
    vector("pto.vmi.vci", "number plus or minus the lane number")
        .takes(&[scalar("base")])
        .attrs(&[ORDER, GROUP])
        .text("%base {} : T* -> R*"),
    // conversion and rearrangement
    vector("pto.vmi.vcvt", "element type conversion")
        .takes(&[vreg("source")])
        .attrs(&[attr("rounding", AttrTy::Str), attr("saturate", AttrTy::Str), PMODE])
        .text("%source {} : T* -> R*"),
    vector("pto.vmi.vinterpret_cast", "the same bits with another element type")
        .takes(&[vreg("source")])
        .attrs(&[])
        .text("%source {} : T* -> R*"),
    vector("pto.vmi.vintlv", "lanes of two vectors in turn").takes(PAIR).gives(LOW_HIGH).text(BINARY_TEXT),
    vector("pto.vmi.vdintlv", "even and odd lanes of two vectors").takes(PAIR).gives(LOW_HIGH).text(BINARY_TEXT),
    // predicates
    vector("pto.vmi.pset", "lanes of a pattern").gives(MASK).attrs(&[PATTERN, GROUP]).text("@pattern {} : R*"),
    vector("pto.vmi.pge", "lanes of a pattern, at most a vector")
        .gives(MASK)
        .attrs(&[PATTERN, GROUP])
        .text("@pattern {} : R*"),
    vector("pto.vmi.plt", "the first lanes, and how many remain")
        .takes(&[scalar("scalar")])
        .gives(&[result("mask", Kind::Mask), result("scalar_out", Kind::Scalar)])
        .attrs(&[])
        .text("%scalar {} : T* -> R*"),
    vector("pto.vmi.create_mask", "the first lanes")
        .takes(&[index("active_lanes")])
        .gives(MASK)
        .attrs(&[])
        .text("%active_lanes {} : T* -> R*"),
    vector("pto.vmi.create_group_mask", "the first lanes of each group")
        .takes(&[index("active_elems_per_group")])
        .gives(MASK)
        .attrs(&[attr("num_groups", AttrTy::Int(64)).must(), attr("group_size", AttrTy::Int(64)).must()])
        .text("%active_elems_per_group {} : T* -> R*"),
];
