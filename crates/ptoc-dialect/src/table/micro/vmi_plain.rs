//! Logical vectors of any length: the operations named after upstream arithmetic, and layout casts.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets};

const GROUPS: AttrDef = attr("num_groups", AttrTy::Int(64)).must();
const GROUP: &[AttrDef] = &[GROUPS];
const REASSOC: AttrDef = attr("reassoc", AttrTy::Unit);
const ORDER: AttrDef = attr("order", AttrTy::Words(&["ASC", "DESC"]));
const ROUND: AttrDef = attr("rounding", AttrTy::Str);
const SAT: AttrDef = attr("saturate", AttrTy::Str);
const PREDICATE: &[AttrDef] = &[attr("predicate", AttrTy::Str).must()];

const VREG: &[ResultDef] = &[result("result", Kind::VReg)];
const MASK: &[ResultDef] = &[result("result", Kind::Mask)];

const UNARY: &[OperandDef] = &[vreg("source")];
const UNARY_TEXT: &str = "%source {} : T* -> R*";
const BINARY: &[OperandDef] = &[vreg("lhs"), vreg("rhs")];
const BINARY_TEXT: &str = "%lhs, %rhs {} : T* -> R*";
const MASKED: &[OperandDef] = &[vreg("source"), mask("mask")];
const MASKED_TEXT: &str = "%source, %mask {} : T* -> R*";
const MASK_UNARY: &[OperandDef] = &[mask("source")];
const MASK_BINARY: &[OperandDef] = &[mask("lhs"), mask("rhs")];

const AT: &[OperandDef] = &[ptr("source"), index("offset")];
const MASKED_LOAD: &[OperandDef] = &[ptr("source"), index("offset"), mask("mask"), vreg("passthru")];
const MASKED_LOAD_TEXT: &str = "%source[%offset], %mask, %passthru {} : T(source), T(mask), T(passthru) -> R*";
const MASKED_STORE: &[OperandDef] = &[vreg("value"), ptr("destination").written(), index("offset"), mask("mask")];
const MASKED_STORE_TEXT: &str = "%value, %destination[%offset], %mask {} : T(value), T(destination), T(mask)";
const GROUP_LOAD: &[OperandDef] = &[ptr("source"), index("offset"), index("source_group_stride")];
const GROUP_LOAD_TEXT: &str = "%source[%offset], %source_group_stride {} : T(source) -> R*";

const fn access(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Vmi, name, summary).on(Pipe::V).only(Targets::A5)
}

const fn vector(name: &'static str, summary: &'static str) -> OpDef {
    access(name, summary).is(Traits::PURE).gives(VREG)
}

const fn unary(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(UNARY).text(UNARY_TEXT)
}

const fn binary(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(BINARY).text(BINARY_TEXT)
}

const fn reduce(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(MASKED).text(MASKED_TEXT)
}

const fn predicate(name: &'static str, summary: &'static str) -> OpDef {
    vector(name, summary).takes(MASK_BINARY).gives(MASK).text(BINARY_TEXT)
}

/// Logical vector operations with upstream names.
pub static OPS: &[OpDef] = &[
    // one vector
    unary("pto.vmi.absf", "absolute value of floats"),
    unary("pto.vmi.absi", "absolute value of integers"),
    unary("pto.vmi.negf", "negation of floats"),
    unary("pto.vmi.negi", "negation of integers"),
    unary("pto.vmi.not", "bitwise complement"),
    unary("pto.vmi.relu", "max(x, 0)"),
    unary("pto.vmi.exp", "exponential"),
    unary("pto.vmi.ln", "natural logarithm"),
    unary("pto.vmi.sqrt", "square root"),
    // two vectors
    binary("pto.vmi.addf", "sum of floats"),
    binary("pto.vmi.addi", "sum of integers"),
    binary("pto.vmi.subf", "difference of floats"),
    binary("pto.vmi.subi", "difference of integers"),
    binary("pto.vmi.mulf", "product of floats"),
    binary("pto.vmi.muli", "product of integers"),
    binary("pto.vmi.divf", "quotient of floats"),
    binary("pto.vmi.maxf", "maximum of floats"),
    binary("pto.vmi.maxi", "maximum of integers"),
    binary("pto.vmi.minf", "minimum of floats"),
    binary("pto.vmi.mini", "minimum of integers"),
    binary("pto.vmi.andi", "bitwise and"),
    binary("pto.vmi.ori", "bitwise or"),
    binary("pto.vmi.xori", "bitwise exclusive or"),
    binary("pto.vmi.shli", "left shift"),
    binary("pto.vmi.shrsi", "right shift with sign"),
    binary("pto.vmi.shrui", "right shift with zeros"),
    vector("pto.vmi.fma", "lhs * rhs + acc")
        .takes(&[vreg("lhs"), vreg("rhs"), vreg("acc")])
        .text("%lhs, %rhs, %acc {} : T* -> R*"),
    // comparison and choice
    binary("pto.vmi.cmpf", "comparison of floats")
        .gives(MASK)
        .attrs(PREDICATE)
        .text("@predicate, %lhs, %rhs {} : T* -> R*"),
    binary("pto.vmi.cmpi", "comparison of integers")
        .gives(MASK)
        .attrs(PREDICATE)
        .text("@predicate, %lhs, %rhs {} : T* -> R*"),
    vector("pto.vmi.select", "choice by a predicate")
        .takes(&[mask("mask"), vreg("true_value"), vreg("false_value")])
        .text("%mask, %true_value, %false_value {} : T* -> R*"),
    // predicates
    predicate("pto.vmi.mask_and", "and"),
    predicate("pto.vmi.mask_or", "or"),
    predicate("pto.vmi.mask_xor", "exclusive or"),
    vector("pto.vmi.mask_not", "complement").takes(MASK_UNARY).gives(MASK).text(UNARY_TEXT),
    vector("pto.vmi.constant_mask", "constant predicate").gives(MASK).attrs(&[attr("value", AttrTy::Any).must()]),
    vector("pto.vmi.active_prefix_index", "count of active lanes before each lane")
        .takes(&[mask("mask")])
        .text("%mask {} : T* -> R*"),
    // conversion
    unary("pto.vmi.extf", "wider floats"),
    unary("pto.vmi.extsi", "wider integers with sign"),
    unary("pto.vmi.extui", "wider integers with zeros"),
    unary("pto.vmi.truncf", "narrower floats").attrs(&[ROUND, SAT]),
    unary("pto.vmi.trunci", "narrower integers").attrs(&[SAT]),
    unary("pto.vmi.fptosi", "floats to signed integers").attrs(&[ROUND, SAT]),
    unary("pto.vmi.fptoui", "floats to unsigned integers").attrs(&[ROUND, SAT]),
    unary("pto.vmi.sitofp", "signed integers to floats"),
    unary("pto.vmi.bitcast", "the same bits with another element type"),
    // across lanes
    reduce("pto.vmi.reduce_addf", "sum of floats").attrs(&[REASSOC]),
    reduce("pto.vmi.reduce_addi", "sum of integers"),
    reduce("pto.vmi.reduce_maxf", "maximum of floats"),
    reduce("pto.vmi.reduce_maxi", "maximum of integers"),
    reduce("pto.vmi.reduce_minf", "minimum of floats"),
    reduce("pto.vmi.reduce_mini", "minimum of integers"),
    reduce("pto.vmi.group_reduce_addf", "sum of floats in each group").attrs(&[GROUPS, REASSOC]),
    reduce("pto.vmi.group_reduce_addi", "sum of integers in each group").attrs(GROUP),
    reduce("pto.vmi.group_reduce_maxf", "maximum of floats in each group").attrs(GROUP),
    reduce("pto.vmi.group_reduce_maxi", "maximum of integers in each group").attrs(GROUP),
    reduce("pto.vmi.group_reduce_minf", "minimum of floats in each group").attrs(GROUP),
    reduce("pto.vmi.group_reduce_mini", "minimum of integers in each group").attrs(GROUP),
    // fill
    vector("pto.vmi.constant", "constant vector").attrs(&[attr("value", AttrTy::Any).must()]),
    vector("pto.vmi.broadcast", "a number in every lane").takes(&[any("value")]).text("%value {} : T* -> R*"),
    unary("pto.vmi.group_broadcast", "one lane a group in the whole group").attrs(GROUP),
    vector("pto.vmi.iota", "number plus the lane number")
        .takes(&[scalar("base")])
        .attrs(&[ORDER])
        .text("%base {} : T* -> R*"),
    vector("pto.vmi.group_iota", "number plus the lane number in the group")
        .takes(&[scalar("base")])
        .attrs(&[ORDER, attr("group", AttrTy::Int(64)).must()])
        .text("%base {} : T* -> R*"),
    // rearrangement
    reduce("pto.vmi.compress", "active lanes at the front"),
    vector("pto.vmi.shuffle", "lanes picked by constants")
        .takes(UNARY)
        .attrs(&[attr("indices", AttrTy::Ints).must()])
        .text("%source[@indices] {} : T* -> R*"),
    vector("pto.vmi.channel_merge", "channels in turn").takes(&[vreg("inputs").many()]),
    vector("pto.vmi.channel_split", "channels apart").takes(UNARY).gives(&[result("results", Kind::VReg).many()]),
    vector("pto.vmi.pack", "registers as one logical value")
        .takes(&[any("parts").many()])
        .gives(&[result("result", Kind::Any)]),
    vector("pto.vmi.unpack", "logical value as registers")
        .takes(&[any("source")])
        .gives(&[result("parts", Kind::Any).many()]),
    unary("pto.vmi.ensure_layout", "the same vector in another layout"),
    vector("pto.vmi.ensure_mask_layout", "the same predicate in another layout")
        .takes(MASK_UNARY)
        .gives(MASK)
        .text(UNARY_TEXT),
    vector("pto.vmi.ensure_mask_granularity", "the same predicate for another lane width")
        .takes(MASK_UNARY)
        .gives(MASK)
        .text(UNARY_TEXT),
    // loads
    access("pto.vmi.load", "load").takes(AT).gives(VREG).text("%source[%offset] {} : T(source) -> R*"),
    access("pto.vmi.deinterleave_load", "load of even and odd elements")
        .takes(AT)
        .gives(&[result("low", Kind::VReg), result("high", Kind::VReg)])
        .text("%source[%offset] {} : T(source) -> R*"),
    access("pto.vmi.masked_load", "load of the active lanes").takes(MASKED_LOAD).gives(VREG).text(MASKED_LOAD_TEXT),
    access("pto.vmi.expand_load", "elements in a row to the active lanes")
        .takes(MASKED_LOAD)
        .gives(VREG)
        .text(MASKED_LOAD_TEXT),
    access("pto.vmi.gather", "elements by index")
        .takes(&[ptr("source"), vreg("indices"), mask("mask"), vreg("passthru")])
        .gives(VREG)
        .text("%source[%indices], %mask, %passthru {} : T* -> R*"),
    access("pto.vmi.stride_load", "blocks with strides")
        .takes(&[ptr("source"), index("offset"), scalar("block_stride"), scalar("repeat_stride"), mask("mask")])
        .gives(VREG)
        .text(
            "%source[%offset], %block_stride, %repeat_stride, %mask {} \
             : T(source), T(block_stride), T(repeat_stride), T(mask) -> R*",
        ),
    access("pto.vmi.group_load", "one row a group")
        .takes(&[ptr("source"), index("offset"), index("row_stride")])
        .gives(VREG)
        .attrs(GROUP)
        .text("%source[%offset], %row_stride {} : T(source) -> R*"),
    access("pto.vmi.group_slot_load", "one element a group")
        .takes(GROUP_LOAD)
        .gives(VREG)
        .attrs(GROUP)
        .text(GROUP_LOAD_TEXT),
    access("pto.vmi.group_broadcast_load", "one element a group, in the whole group")
        .takes(GROUP_LOAD)
        .gives(VREG)
        .attrs(GROUP)
        .text(GROUP_LOAD_TEXT),
    // stores
    access("pto.vmi.store", "store")
        .takes(&[vreg("value"), ptr("destination").written(), index("offset")])
        .text("%value, %destination[%offset] {} : T(value), T(destination)"),
    access("pto.vmi.interleave_store", "store of two vectors in turn")
        .takes(&[vreg("low"), vreg("high"), ptr("destination").written(), index("offset")])
        .text("%low, %high, %destination[%offset] {} : T(low), T(high), T(destination)"),
    access("pto.vmi.masked_store", "store of the active lanes").takes(MASKED_STORE).text(MASKED_STORE_TEXT),
    access("pto.vmi.compress_store", "active lanes stored in a row").takes(MASKED_STORE).text(MASKED_STORE_TEXT),
    access("pto.vmi.scatter", "elements stored by index")
        .takes(&[vreg("value"), ptr("destination").written(), vreg("indices"), mask("mask")])
        .text("%value, %destination[%indices], %mask {} : T*"),
    access("pto.vmi.stride_store", "blocks stored with strides")
        .takes(&[
            vreg("value"),
            ptr("destination").written(),
            index("offset"),
            scalar("block_stride"),
            scalar("repeat_stride"),
            mask("mask"),
        ])
        .text(
            "%value, %destination[%offset], %block_stride, %repeat_stride, %mask {} \
             : T(value), T(destination), T(block_stride), T(repeat_stride), T(mask)",
        ),
    access("pto.vmi.group_store", "one row a group stored")
        .takes(&[vreg("value"), ptr("destination").written(), index("offset"), index("row_stride")])
        .attrs(GROUP)
        .text("%value, %destination[%offset], %row_stride {} : T(value), T(destination)"),
];
