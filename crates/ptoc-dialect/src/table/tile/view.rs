//! Storage, addresses and views: no machine work.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets, enums};

const ALLOC: &[OperandDef] = &[scalar("addr").opt(), index("valid_row").opt(), index("valid_col").opt()];
const ALLOC_TEXT: &str = "?{addr = %addr} ?{valid_row = %valid_row} ?{valid_col = %valid_col} {} : R*";

const TILE: &[ResultDef] = &[result("result", Kind::Tile)];
const INDEX: &[ResultDef] = &[result("result", Kind::Index)];
const CAST_TEXT: &str = "%src {} : T* -> R*";

const VIEW_QUERY: &[OperandDef] = &[view("tensor_view"), index("dim_index")];
const VIEW_QUERY_TEXT: &str = "%tensor_view, %dim_index : T(tensor_view) -> R* {}";

const fn storage(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::ViewBuffer, name, summary)
}

const fn derived(name: &'static str, summary: &'static str) -> OpDef {
    storage(name, summary).is(Traits::PURE)
}

/// Allocation, addresses, views and their queries.
pub static OPS: &[OpDef] = &[
    // storage
    storage("pto.alloc_tile", "a tile, with an address and run-time valid sizes if wanted")
        .takes(ALLOC)
        .gives(TILE)
        .text(ALLOC_TEXT),
    storage("pto.alloc_multi_tile", "several slots of one tile type").takes(ALLOC).gives(TILE).text(ALLOC_TEXT),
    derived("pto.multi_tile_get", "one slot")
        .takes(&[tile("source"), index("slot")])
        .gives(TILE)
        .text("%source[%slot] {} : T(source) -> R*"),
    storage("pto.declare_tile", "a tile that gets its address later")
        .gives(&[result("tile", Kind::Tile)])
        .text("{} -> R*"),
    storage("pto.declare_global", "a tensor view that gets its address later")
        .gives(&[result("entry", Kind::View)])
        .text("{} -> R*"),
    // The manual form writes the address as `tile(0x1000)` and has no result.
    storage("pto.tassign", "a tile bound to an on-chip address")
        .takes(&[tile("tile"), scalar("addr").opt()])
        .gives(&[result("result", Kind::Tile).opt()])
        .attrs(&[attr("address", AttrTy::Int(64))])
        .text(
            "%tile, tile(@address) {} \
             || %tile, %addr {} : T(tile) -> R* \
             || %tile, %addr {} : T*",
        ),
    storage("pto.talias", "another name of the same storage").takes(UNARY).text(UNARY_TEXT),
    // parts of a tile
    derived("pto.subview", "rectangular part of a tile: static sizes, run-time offsets")
        .takes(&[tile("source"), index("offsets").many(), index("valid_row").opt(), index("valid_col").opt()])
        .gives(TILE)
        .attrs(&[attr("sizes", AttrTy::Ints).must()])
        .text("%source[%offsets] sizes [@sizes] ?{valid [%valid_row, %valid_col]} {} : T(source) ?{-> R*}"),
    derived("pto.subset", "older name of the part of a tile")
        .takes(&[tile("src"), index("i"), index("j")])
        .gives(&[result("sub", Kind::Tile)])
        .attrs(&[attr("sizes", AttrTy::Ints).must()])
        .text("%src[%i, %j] sizes [@sizes] {} : T(src) ?{-> R*}"),
    derived("pto.bitcast", "the same bytes with another element type")
        .takes(&[tile("src")])
        .gives(TILE)
        .text(CAST_TEXT),
    // valid sizes
    storage("pto.set_validshape", "new run-time valid sizes of a tile")
        .takes(&[tile("source").updated(), index("valid_row"), index("valid_col")])
        .text("%source, %valid_row, %valid_col {} : T(source)"),
    storage("pto.get_validshape", "run-time valid sizes of a tile")
        .takes(&[tile("source")])
        .gives(&[result("valid_row", Kind::Index), result("valid_col", Kind::Index)])
        .text("%source {} : T*"),
    storage("pto.tile_valid_rows", "run-time valid rows of a tile").takes(&[tile("src")]).gives(INDEX).text(CAST_TEXT),
    storage("pto.tile_valid_cols", "run-time valid columns of a tile")
        .takes(&[tile("src")])
        .gives(INDEX)
        .text(CAST_TEXT),
    // global views
    derived("pto.make_tensor_view", "view of global memory: pointer, shape, strides in elements")
        .takes(&[ptr("ptr"), index("shape").many(), index("strides").many()])
        .gives(&[result("result", Kind::View)])
        .attrs(&[attr("layout", AttrTy::Enum(&enums::LAYOUT))])
        .text("%ptr, shape = [%shape], strides = [%strides] {} : R*"),
    derived("pto.partition_view", "rectangular part of a view")
        .takes(&[view("source"), index("offsets").many(), index("sizes").many()])
        .gives(&[result("result", Kind::View)])
        .text("%source, offsets = [%offsets], sizes = [%sizes] {} : T(source) ?{-> R*}"),
    derived("pto.get_tensor_view_dim", "extent of one dimension of a view")
        .takes(VIEW_QUERY)
        .gives(INDEX)
        .text(VIEW_QUERY_TEXT),
    derived("pto.get_tensor_view_stride", "stride of one dimension of a view, in elements")
        .takes(VIEW_QUERY)
        .gives(INDEX)
        .text(VIEW_QUERY_TEXT),
    // pointers
    derived("pto.addptr", "pointer moved by a number of elements")
        .takes(&[ptr("ptr"), index("offset")])
        .gives(&[result("result", Kind::Ptr)])
        .text("%ptr, %offset {} : T(ptr) -> R*"),
    derived("pto.castptr", "cast between integers and pointers")
        .takes(&[any("input")])
        .gives(&[result("result", Kind::Any)])
        .text("%input {} : T* -> R*"),
    derived("pto.inttoptr", "byte address to global pointer")
        .takes(&[scalar("addr")])
        .gives(&[result("result", Kind::Ptr)])
        .text("%addr {} : T* -> R*"),
    derived("pto.ptrtoint", "global pointer to byte address")
        .takes(&[ptr("ptr")])
        .gives(&[result("result", Kind::Scalar)])
        .text("%ptr {} : T* -> R*"),
    derived("pto.tile_buf_addr", "address of a tile as a pointer")
        .takes(&[tile("src")])
        .gives(&[result("dst", Kind::Ptr)])
        .text(CAST_TEXT),
    derived("pto.tensor_view_addr", "address of a view as a pointer")
        .takes(&[view("src")])
        .gives(&[result("dst", Kind::Ptr)])
        .text(CAST_TEXT),
    // scales of a cube operand
    storage("pto.tget_scale_addr", "scale tile bound to the scale memory of a cube operand")
        .on(Pipe::S)
        .only(Targets::A5)
        .takes(UNARY)
        .text(UNARY_TEXT),
    storage("pto.get_scale_addr", "documented name of tget_scale_addr")
        .on(Pipe::S)
        .only(Targets::A5)
        .takes(UNARY)
        .text(UNARY_TEXT),
];
