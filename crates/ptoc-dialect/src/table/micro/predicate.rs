//! Predicates: made, combined, loaded and stored.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets};

const PATTERN: AttrDef = attr(
    "pattern",
    AttrTy::Words(&[
        "PAT_ALL",
        "PAT_ALLF",
        "PAT_H",
        "PAT_Q",
        "PAT_M3",
        "PAT_M4",
        "PAT_VL1",
        "PAT_VL2",
        "PAT_VL3",
        "PAT_VL4",
        "PAT_VL8",
        "PAT_VL16",
        "PAT_VL32",
        "PAT_VL64",
        "PAT_VL128",
    ]),
)
.must();
const PART: AttrDef = attr("part", AttrTy::Words(&["LOWER", "HIGHER"])).must();
const LOAD_DIST: AttrDef = attr("dist", AttrTy::Words(&["NORM", "US", "DS"])).must();
const STORE_DIST: AttrDef = attr("dist", AttrTy::Words(&["NORM", "PK"])).must();

const MASK: &[ResultDef] = &[result("result", Kind::Mask)];
const LOW_HIGH: &[ResultDef] = &[result("low", Kind::Mask), result("high", Kind::Mask)];
const MASK_AND_REST: &[ResultDef] = &[result("mask", Kind::Mask), result("scalar_out", Kind::Scalar)];
const BASE: &[ResultDef] = &[result("updated_base", Kind::Ptr).opt()];

const UNARY: &[OperandDef] = &[mask("input")];
const BINARY: &[OperandDef] = &[mask("src0"), mask("src1"), mask("mask")];
const BINARY_TEXT: &str = "%src0, %src1, %mask {} : T* -> R*";
const PAIR: &[OperandDef] = &[mask("lhs"), mask("rhs")];
const PAIR_TEXT: &str = "%lhs, %rhs {} : T* -> R*";

const LOAD: &[OperandDef] = &[ptr("source"), index("offset")];
const LOAD_RESULTS: &[ResultDef] = &[result("result", Kind::Mask), result("updated_base", Kind::Ptr).opt()];
const LOAD_TEXT: &str = "%source[%offset], @dist {} : T* -> R*";
const STORE: &[OperandDef] = &[mask("value"), ptr("destination").written(), index("offset")];
const STORE_TEXT: &str = "%value, %destination[%offset], @dist {} : T* ?{-> R*}";

const fn predicate(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroPredicate, name, summary).on(Pipe::V).only(Targets::A5)
}

const fn pattern(name: &'static str, summary: &'static str) -> OpDef {
    predicate(name, summary).is(Traits::PURE).gives(MASK).attrs(&[PATTERN]).text("@pattern {} : R*")
}

const fn first(name: &'static str, summary: &'static str) -> OpDef {
    predicate(name, summary).is(Traits::PURE).takes(COUNT).gives(MASK_AND_REST).text("%scalar {} : T* -> R*")
}
const COUNT: &[OperandDef] = &[scalar("scalar")];

const fn tail(name: &'static str, summary: &'static str) -> OpDef {
    predicate(name, summary).is(Traits::PURE).takes(LOOP_BOUND).gives(TAIL).text("%loop, %bound {} : T* -> R*")
}
const LOOP_BOUND: &[OperandDef] = &[scalar("loop"), scalar("bound")];
const TAIL: &[ResultDef] = &[result("mask", Kind::Mask)];

const fn logic(name: &'static str, summary: &'static str) -> OpDef {
    predicate(name, summary).is(Traits::PURE).takes(BINARY).gives(MASK).text(BINARY_TEXT)
}

const fn shuffle(name: &'static str, summary: &'static str) -> OpDef {
    predicate(name, summary).is(Traits::PURE).takes(PAIR).gives(LOW_HIGH).text(PAIR_TEXT)
}

/// Predicates.
pub static OPS: &[OpDef] = &[
    // by pattern
    pattern("pto.pset_b8", "8-bit lanes of a pattern"),
    pattern("pto.pset_b16", "16-bit lanes of a pattern"),
    pattern("pto.pset_b32", "32-bit lanes of a pattern"),
    pattern("pto.pge_b8", "8-bit lanes of a pattern, at most a vector"),
    pattern("pto.pge_b16", "16-bit lanes of a pattern, at most a vector"),
    pattern("pto.pge_b32", "32-bit lanes of a pattern, at most a vector"),
    // by count
    first("pto.plt_b8", "the first 8-bit lanes, and how many remain for later vectors"),
    first("pto.plt_b16", "the first 16-bit lanes, and how many remain for later vectors"),
    first("pto.plt_b32", "the first 32-bit lanes, and how many remain for later vectors"),
    tail("pto.pltm_b8", "8-bit lanes of a loop step below a bound"),
    tail("pto.pltm_b16", "16-bit lanes of a loop step below a bound"),
    tail("pto.pltm_b32", "32-bit lanes of a loop step below a bound"),
    // logic
    logic("pto.pand", "and"),
    logic("pto.por", "or"),
    logic("pto.pxor", "exclusive or"),
    logic("pto.psel", "choice"),
    predicate("pto.pnot", "complement")
        .is(Traits::PURE)
        .takes(&[mask("input"), mask("mask")])
        .gives(MASK)
        .text("%input, %mask {} : T* -> R*"),
    // width
    predicate("pto.pbitcast", "the same bits for another lane width")
        .is(Traits::PURE)
        .takes(UNARY)
        .gives(MASK)
        .text("%input {} : T* -> R*"),
    predicate("pto.ppack", "every second bit, in one half")
        .is(Traits::PURE)
        .takes(UNARY)
        .gives(MASK)
        .attrs(&[PART])
        .text("%input, @part {} : T* -> R*"),
    predicate("pto.punpack", "one half, spread over twice the width")
        .is(Traits::PURE)
        .takes(UNARY)
        .gives(MASK)
        .attrs(&[PART])
        .text("%input, @part {} : T* -> R*"),
    shuffle("pto.pintlv_b8", "two predicates of 8-bit lanes interleaved"),
    shuffle("pto.pintlv_b16", "two predicates of 16-bit lanes interleaved"),
    shuffle("pto.pintlv_b32", "two predicates of 32-bit lanes interleaved"),
    shuffle("pto.pdintlv_b8", "two predicates of 8-bit lanes divided into even and odd"),
    shuffle("pto.pdintlv_b16", "two predicates of 16-bit lanes divided into even and odd"),
    shuffle("pto.pdintlv_b32", "two predicates of 32-bit lanes divided into even and odd"),
    // memory; the forms differ in where the hardware takes the offset from
    predicate("pto.plds", "load, offset in a register")
        .takes(LOAD)
        .gives(LOAD_RESULTS)
        .attrs(&[LOAD_DIST])
        .text(LOAD_TEXT),
    predicate("pto.pldi", "load, immediate offset").takes(LOAD).gives(LOAD_RESULTS).attrs(&[LOAD_DIST]).text(LOAD_TEXT),
    predicate("pto.pld", "load, offset in an address register")
        .takes(LOAD)
        .gives(MASK)
        .attrs(&[LOAD_DIST])
        .text("%source, %offset, @dist {} : T* -> R*"),
    predicate("pto.psts", "store, offset in a register").takes(STORE).gives(BASE).attrs(&[STORE_DIST]).text(STORE_TEXT),
    predicate("pto.psti", "store, immediate offset").takes(STORE).gives(BASE).attrs(&[STORE_DIST]).text(STORE_TEXT),
    predicate("pto.pst", "store, offset in an address register")
        .takes(STORE)
        .attrs(&[STORE_DIST])
        .text("%value, %destination, %offset, @dist {} : T*"),
    predicate("pto.pstu", "store at any address")
        .takes(&[any("align_in"), mask("value"), ptr("base").written()])
        .gives(&[result("align_out", Kind::Any), result("base_out", Kind::Ptr)])
        .text("%align_in, %value, %base {} : T* -> R*"),
];
