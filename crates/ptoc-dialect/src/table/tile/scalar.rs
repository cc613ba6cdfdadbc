//! Numbers, and small aggregates of numbers in the scalar unit.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef};

const PATH: AttrDef = attr("path", AttrTy::Ints).must();

const fn local(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::ScalarAggregate, name, summary)
}

const fn access(name: &'static str, summary: &'static str) -> OpDef {
    local(name, summary).on(Pipe::S)
}

/// Scalar accesses and local aggregates.
pub static OPS: &[OpDef] = &[
    // one element of memory
    access("pto.load_scalar", "one element by pointer and element index")
        .takes(&[ptr("ptr"), index("offset")])
        .gives(&[result("value", Kind::Any)])
        .text("%ptr[%offset] {} : T(ptr) -> R*"),
    access("pto.store_scalar", "one element by pointer and element index")
        .takes(&[ptr("ptr").written(), index("offset"), any("value")])
        .text("%value, %ptr[%offset] {} : T(ptr), T(value)"),
    access("pto.tgetval", "one element of a tile")
        .takes(&[tile("src"), index("offset")])
        .gives(&[result("dst", Kind::Scalar)])
        .text("ins(%src, %offset : T*) outs : R* {}"),
    access("pto.tsetval", "one element of a tile written")
        .takes(&[inout("dst"), index("offset"), scalar("val")])
        .text("ins(%offset, %val : T*) outs(%dst : T*) {}"),
    // arrays
    local("pto.declare_local_array", "array of static size").gives(&[result("array", Kind::Any)]).text("{} -> R*"),
    local("pto.local_array_get", "one element of a local array")
        .takes(&[any("array"), index("indices").many()])
        .gives(&[result("result", Kind::Scalar)])
        .text("%array[%indices] {} : T(array) -> R*"),
    local("pto.local_array_set", "one element of a local array written")
        .takes(&[any("array").updated(), index("indices").many(), scalar("value")])
        .text("%array[%indices], %value {} : T(array), T(value)"),
    local("pto.declare_eventid_array", "array of event ids").gives(&[result("array", Kind::Any)]).text("{} -> R*"),
    local("pto.eventid_array_get", "one event id")
        .takes(&[any("array"), index("index")])
        .gives(&[result("result", Kind::Index)])
        .text("%array[%index] {} : T(array)"),
    local("pto.eventid_array_set", "one event id written")
        .takes(&[any("array").updated(), index("index"), index("value")])
        .text("%array[%index], %value {} : T(array)"),
    // structs
    local("pto.declare_struct", "struct").gives(&[result("s", Kind::Any)]).text("{} -> R*"),
    local("pto.struct_get", "one field by its constant path")
        .takes(&[any("s")])
        .gives(&[result("value", Kind::Any)])
        .attrs(&[PATH])
        .text("%s[@path] {} : T(s) -> R*"),
    local("pto.struct_set", "one field by its constant path written")
        .takes(&[any("s").updated(), any("value")])
        .attrs(&[PATH])
        .text("%s[@path], %value {} : T(s), T(value)"),
];
