//! Scalar threads.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets, enums};

const RESULT: &[ResultDef] = &[result("result", Kind::Any)];
const UNARY: &[OperandDef] = &[any("value")];
const UNARY_TEXT: &str = "%value {} : T* -> R*";
const BINARY: &[OperandDef] = &[any("lhs"), any("rhs")];
const BINARY_TEXT: &str = "%lhs, %rhs {} : T* -> R*";

const SIGN: AttrDef = attr("signedness", AttrTy::Enum(&enums::SIGNEDNESS));
const SIGNS: &[AttrDef] = &[SIGN];
const SIGN_MUST: &[AttrDef] = &[SIGN.must()];
const L1: AttrDef = attr("l1cache", AttrTy::Enum(&enums::L1CACHE));
const WIDTH: &[AttrDef] = &[attr("width", AttrTy::Int(32)).or("32")];

const ATOMIC: &[OperandDef] = &[ptr("ptr").updated(), any("value")];
const ATOMIC_ATTRS: &[AttrDef] = &[attr("l2cache", AttrTy::Enum(&enums::ST_L2CACHE)), SIGN];
const ATOMIC_TEXT: &str = "%ptr, %value ?{l2cache(@l2cache:word)} ?{@signedness:word} {} : T* -> R*";
const OLD: &[ResultDef] = &[result("old", Kind::Any)];

const LOAD: &[OperandDef] = &[ptr("ptr"), index("offset")];
const STORE: &[OperandDef] = &[ptr("ptr").written(), index("offset"), any("value")];
const VALUE: &[ResultDef] = &[result("value", Kind::Any)];

const PREDICATE: &[OperandDef] = &[scalar("pred")];
const PREDICATE_TEXT: &str = "%pred {} : T* -> R*";

const fn thread(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroSimt, name, summary).on(Pipe::V).only(Targets::A5)
}

const fn query(name: &'static str, summary: &'static str) -> OpDef {
    clock(name, summary).is(Traits::PURE)
}

const fn clock(name: &'static str, summary: &'static str) -> OpDef {
    thread(name, summary).gives(RESULT).text("{} : R*")
}

const fn unary(name: &'static str, summary: &'static str) -> OpDef {
    thread(name, summary).is(Traits::PURE).takes(UNARY).gives(RESULT).text(UNARY_TEXT)
}

const fn binary(name: &'static str, summary: &'static str) -> OpDef {
    thread(name, summary).is(Traits::PURE).takes(BINARY).gives(RESULT).text(BINARY_TEXT)
}

const fn atomic(name: &'static str, summary: &'static str) -> OpDef {
    thread(name, summary).takes(ATOMIC).gives(OLD).attrs(ATOMIC_ATTRS).text(ATOMIC_TEXT)
}

const fn redux(name: &'static str, summary: &'static str) -> OpDef {
    thread(name, summary).takes(UNARY).gives(RESULT).attrs(SIGNS).text("%value ?{@signedness:word} {} : T* -> R*")
}

const fn vote(name: &'static str, summary: &'static str) -> OpDef {
    thread(name, summary).takes(PREDICATE).gives(RESULT).text(PREDICATE_TEXT)
}

/// Scalar threads.
pub static OPS: &[OpDef] = &[
    // launch
    thread("pto.simt_launch", "threads of a function started")
        .takes(&[scalar("dimX"), scalar("dimY"), scalar("dimZ"), any("args").many()])
        .attrs(&[attr("callee", AttrTy::Any).must()])
        .text("@callee:attr <<<%dimX, %dimY, %dimZ>>> (%args) {} : (T(args)) -> ()"),
    thread("pto.store_vfsimt_info", "launch shape for the next start")
        .takes(&[scalar("dimZ"), scalar("dimY"), scalar("dimX")])
        .text("%dimZ, %dimY, %dimX {} : T*"),
    thread("pto.keep", "value kept for a later start")
        .takes(&[any("payload")])
        .attrs(&[attr("slot", AttrTy::Int(64)).must()])
        .text("%payload {} : T*"),
    thread("pto.resume", "value kept by an earlier start")
        .gives(RESULT)
        .attrs(&[attr("slot", AttrTy::Int(64)).must()])
        .text("{} : R*"),
    // place of the thread
    query("pto.get_tid_x", "thread number, x"),
    query("pto.get_tid_y", "thread number, y"),
    query("pto.get_tid_z", "thread number, z"),
    query("pto.get_block_dim_x", "threads, x"),
    query("pto.get_block_dim_y", "threads, y"),
    query("pto.get_block_dim_z", "threads, z"),
    query("pto.get_block_idx_x", "block number, x"),
    query("pto.get_block_idx_y", "block number, y"),
    query("pto.get_block_idx_z", "block number, z"),
    query("pto.get_grid_dim_x", "blocks, x"),
    query("pto.get_grid_dim_y", "blocks, y"),
    query("pto.get_grid_dim_z", "blocks, z"),
    query("pto.get_laneid", "lane number"),
    query("pto.get_lanemask_eq", "mask of this lane"),
    query("pto.get_lanemask_ge", "mask of this lane and those after it"),
    query("pto.get_lanemask_gt", "mask of the lanes after this one"),
    query("pto.get_lanemask_le", "mask of this lane and those before it"),
    query("pto.get_lanemask_lt", "mask of the lanes before this one"),
    query("pto.get_veccoreid", "number of the vector core"),
    clock("pto.get_clock32", "cycle counter, low half"),
    clock("pto.get_clock64", "cycle counter"),
    // memory
    thread("pto.load", "element").takes(LOAD).gives(VALUE).text("%ptr[%offset] {} : T(ptr) -> R*"),
    thread("pto.store", "element written").takes(STORE).text("%value, %ptr[%offset] {} : T(ptr), T(value)"),
    thread("pto.ldg", "element of global memory, with cache hints")
        .takes(LOAD)
        .gives(VALUE)
        .attrs(&[L1, attr("l2cache", AttrTy::Enum(&enums::LD_L2CACHE))])
        .text("%ptr[%offset] ?{l1cache(@l1cache:word)} ?{l2cache(@l2cache:word)} {} : T(ptr) -> R*"),
    thread("pto.stg", "element of global memory written, with cache hints")
        .takes(STORE)
        .attrs(&[L1, attr("l2cache", AttrTy::Enum(&enums::ST_L2CACHE))])
        .text("%value, %ptr[%offset] ?{l1cache(@l1cache:word)} ?{l2cache(@l2cache:word)} {} : T(ptr), T(value)"),
    atomic("pto.atomic_add", "sum in memory"),
    atomic("pto.atomic_sub", "difference in memory"),
    atomic("pto.atomic_max", "maximum in memory"),
    atomic("pto.atomic_min", "minimum in memory"),
    atomic("pto.atomic_and", "bitwise and in memory"),
    atomic("pto.atomic_or", "bitwise or in memory"),
    atomic("pto.atomic_xor", "bitwise exclusive or in memory"),
    atomic("pto.atomic_exch", "exchange with memory"),
    atomic("pto.atomic_cas", "exchange with memory if it has the expected value")
        .takes(&[ptr("ptr").updated(), any("compare"), any("value")])
        .text("%ptr, %compare, %value ?{l2cache(@l2cache:word)} ?{@signedness:word} {} : T(ptr), T(value) -> R*"),
    // order
    thread("pto.syncthreads", "wait for all threads").text("{}"),
    thread("pto.threadfence", "accesses visible to all").text("{}"),
    thread("pto.threadfence_block", "accesses visible in the block").text("{}"),
    // arithmetic
    unary("pto.absf", "absolute value"),
    unary("pto.ceil", "rounding up"),
    unary("pto.floor", "rounding down"),
    unary("pto.rint", "rounding to nearest, ties to even"),
    unary("pto.round", "rounding to nearest, ties away from zero"),
    unary("pto.sqrt", "square root"),
    unary("pto.exp", "exponential"),
    unary("pto.log", "natural logarithm"),
    unary("pto.sin", "sine"),
    unary("pto.cos", "cosine"),
    binary("pto.fmax", "maximum"),
    binary("pto.fmin", "minimum"),
    binary("pto.pow", "power"),
    thread("pto.fma", "lhs * rhs + acc")
        .is(Traits::PURE)
        .takes(&[any("lhs"), any("rhs"), any("acc")])
        .gives(RESULT)
        .text("%lhs, %rhs, %acc {} : T* -> R*"),
    binary("pto.mulhi", "high half of a product").attrs(SIGN_MUST).text("%lhs, %rhs @signedness:word {} : T* -> R*"),
    binary("pto.mul_i32toi64", "64-bit product").attrs(SIGN_MUST).text("%lhs, %rhs @signedness:word {} : T* -> R*"),
    thread("pto.prmt", "bytes picked out of two words")
        .is(Traits::PURE)
        .takes(&[any("lhs"), any("rhs"), any("selector")])
        .gives(RESULT)
        .text("%lhs, %rhs, %selector {} : T* -> R*"),
    thread("pto.convert", "conversion with rounding and saturation")
        .is(Traits::PURE)
        .takes(&[any("src")])
        .gives(&[result("dst", Kind::Any)])
        .attrs(&[
            attr("rounding", AttrTy::Enum(&enums::ROUNDING)).must(),
            attr("saturation", AttrTy::Enum(&enums::SATURATION)).must(),
            SIGN,
        ])
        .text("%src round(@rounding:word) @saturation:word ?{@signedness:word} {} : T* -> R*"),
    // across threads
    redux("pto.redux_add", "sum over the lanes"),
    redux("pto.redux_max", "maximum over the lanes"),
    redux("pto.redux_min", "minimum over the lanes"),
    thread("pto.shuffle_idx", "value of the lane with that number")
        .takes(&[any("value"), scalar("index")])
        .gives(RESULT)
        .attrs(WIDTH)
        .text("%value, %index {} : T* -> R*"),
    thread("pto.shuffle_up", "value of a lane before")
        .takes(&[any("value"), scalar("offset")])
        .gives(RESULT)
        .attrs(WIDTH)
        .text("%value, %offset {} : T* -> R*"),
    thread("pto.shuffle_down", "value of a lane after")
        .takes(&[any("value"), scalar("offset")])
        .gives(RESULT)
        .attrs(WIDTH)
        .text("%value, %offset {} : T* -> R*"),
    thread("pto.shuffle_bfly", "value of the lane whose number differs in the mask")
        .takes(&[any("value"), scalar("mask")])
        .gives(RESULT)
        .attrs(WIDTH)
        .text("%value, %mask {} : T* -> R*"),
    vote("pto.vote_all", "true in all lanes"),
    vote("pto.vote_any", "true in a lane"),
    vote("pto.vote_uni", "equal in all lanes"),
    vote("pto.vote_ballot", "mask of the lanes where it is true"),
];
