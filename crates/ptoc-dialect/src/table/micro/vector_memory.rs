//! Vector scopes, and vector registers loaded from and stored to the unified buffer.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets};

const LOAD_DIST: AttrTy = AttrTy::Words(&[
    "NORM",
    "BRC_B8",
    "BRC_B16",
    "BRC_B32",
    "US_B8",
    "US_B16",
    "DS_B8",
    "DS_B16",
    "UNPK_B8",
    "UNPK_B16",
    "UNPK_B32",
    "BRC_BLK",
    "E2B_B16",
    "E2B_B32",
    "UNPK4",
    "SPLT4CHN",
    "SPLT2CHN_B8",
    "SPLT2CHN_B16",
]);
const LOAD2_DIST: AttrTy = AttrTy::Words(&["BDINTLV", "DINTLV_B8", "DINTLV_B16", "DINTLV_B32"]);
const STORE_DIST: AttrTy = AttrTy::Words(&[
    "NORM_B8",
    "NORM_B16",
    "NORM_B32",
    "1PT_B8",
    "1PT_B16",
    "1PT_B32",
    "PK_B16",
    "PK_B32",
    "PK_B64",
    "PK4_B32",
    "MRG4CHN_B8",
    "MRG2CHN_B8",
    "MRG2CHN_B16",
]);
const STORE2_DIST: AttrTy = AttrTy::Words(&["INTLV_B8", "INTLV_B16", "INTLV_B32"]);
const SPR: AttrDef = attr("spr", AttrTy::Str).must();

const VREG: &[ResultDef] = &[result("result", Kind::VReg)];
const VREG_BASE: &[ResultDef] = &[result("result", Kind::VReg), result("updated_base", Kind::Ptr).opt()];
const BASE: &[ResultDef] = &[result("updated_base", Kind::Ptr).opt()];
const ALIGN: &[ResultDef] = &[result("result", Kind::Any)];

const GATHER: &[OperandDef] = &[ptr("source"), vreg("offsets"), mask("mask")];
const GATHER_TEXT: &str = "%source, %offsets, %mask {} : T* -> R*";

const SPR_STORE: &[OperandDef] = &[ptr("destination").written(), scalar("offset")];
const SPR_STORE_TEXT: &str = "@spr, %destination[%offset] {} : T* ?{-> R*}";

const fn access(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroVector, name, summary).on(Pipe::V).only(Targets::A5)
}

/// Vector memory accesses.
pub static OPS: &[OpDef] = &[
    // scopes
    access("pto.vecscope", "one vector function").body().is(Traits::NO_TERMINATOR).text("$ {}"),
    access("pto.strict_vecscope", "one vector function that sees only its captures")
        .body()
        .is(Traits::NO_TERMINATOR)
        .is(Traits::ISOLATED)
        .takes(&[any("captures").many()])
        .text("(%captures) $ {} : (T(captures)) -> ()"),
    // aligned
    access("pto.vlds", "load")
        .takes(&[ptr("source"), index("offset")])
        .gives(VREG_BASE)
        .attrs(&[attr("dist", LOAD_DIST)])
        .text("%source[%offset] {} : T(source) -> R*"),
    access("pto.vldsx2", "load of two registers, even and odd elements")
        .takes(&[ptr("source"), index("offset")])
        .gives(&[result("low", Kind::VReg), result("high", Kind::VReg), result("updated_base", Kind::Ptr).opt()])
        .attrs(&[attr("dist", LOAD2_DIST).must()])
        .text("%source[%offset], @dist {} : T* -> R*"),
    access("pto.vsts", "store of the active lanes")
        .takes(&[vreg("value"), ptr("destination").written(), index("offset"), mask("mask")])
        .gives(BASE)
        .attrs(&[attr("dist", STORE_DIST)])
        .text("%value, %destination[%offset], %mask {} : T(value), T(destination), T(mask) ?{-> R*}"),
    access("pto.vstsx2", "store of two registers in turn")
        .takes(&[vreg("low"), vreg("high"), ptr("destination").written(), index("offset"), mask("mask")])
        .attrs(&[attr("dist", STORE2_DIST).must()])
        .text("%low, %high, %destination[%offset], @dist, %mask {} : T*"),
    access("pto.vsldb", "load of 32-byte blocks with strides")
        .takes(&[ptr("source"), scalar("block_stride"), scalar("repeat_stride"), mask("mask")])
        .gives(VREG_BASE)
        .text("%source, %block_stride, %repeat_stride, %mask {} : T* -> R*"),
    access("pto.vsstb", "store of 32-byte blocks with strides")
        .takes(&[
            vreg("value"),
            ptr("destination").written(),
            scalar("block_stride"),
            scalar("repeat_stride"),
            mask("mask"),
        ])
        .gives(BASE)
        .text("%value, %destination, %block_stride, %repeat_stride, %mask {} : T* ?{-> R*}"),
    access("pto.copy_vreg_to_ub", "store of a whole register (documented)")
        .takes(&[ptr("destination").written(), vreg("value"), index("offset")])
        .text("%destination, %value, %offset {} : T*"),
    access("pto.vsld", "load with a stride (documented)")
        .takes(&[ptr("source"), index("offset")])
        .gives(VREG)
        .attrs(&[attr("stride", AttrTy::Str).must()])
        .text("%source[%offset], @stride {} : T(source) -> R*"),
    access("pto.vsst", "store with a stride (documented)")
        .takes(&[vreg("value"), ptr("destination").written(), index("offset")])
        .attrs(&[attr("stride", AttrTy::Str).must()])
        .text("%value, %destination[%offset], @stride {} : T(value), T(destination)"),
    // at any address: an alignment register carries the bytes of the block in between
    access("pto.init_align", "alignment register, empty").gives(ALIGN).text("{} : R*"),
    access("pto.uvld", "load at any address")
        .takes(&[ptr("source"), index("offset")])
        .gives(VREG)
        .text("%source[%offset] {} : T(source) -> R*"),
    access("pto.vldas", "alignment register filled with the block at an address")
        .takes(&[ptr("source")])
        .gives(ALIGN)
        .text("%source {} : T* -> R*"),
    access("pto.vldus", "load at any address through an alignment register")
        .takes(&[ptr("source"), any("align"), index("increment").opt()])
        .gives(&[
            result("result", Kind::VReg),
            result("updated_align", Kind::Any),
            result("updated_base", Kind::Ptr).opt(),
        ])
        .text("%source, %align, %increment {} : T* -> R*"),
    access("pto.vstus", "store of the first lanes at any address through an alignment register")
        .takes(&[any("align_in"), scalar("offset"), vreg("value"), ptr("base").written()])
        .gives(&[result("align_out", Kind::Any), result("base_out", Kind::Ptr).opt()])
        .text("%align_in, %offset, %value, %base {} : T* -> R*"),
    access("pto.vstur", "store of as many lanes as the address register says")
        .takes(&[any("align_in"), vreg("value"), ptr("base").written()])
        .gives(&[result("align_out", Kind::Any)])
        .attrs(&[attr("mode", AttrTy::Str).must()])
        .text("%align_in, %value, %base, @mode {} : T* -> R*"),
    access("pto.vstu", "store at any address, with an index (documented)")
        .takes(&[any("align_in"), index("offset_in"), vreg("value"), ptr("base").written()])
        .gives(&[result("align_out", Kind::Any), result("offset_out", Kind::Index)])
        .attrs(&[attr("mode", AttrTy::Str)])
        .text("%align_in, %offset_in, %value, %base ?{, @mode} {} : T* -> R*"),
    access("pto.vstas", "rest of an alignment register stored, with an offset")
        .takes(&[any("value"), ptr("destination").written(), scalar("offset")])
        .gives(BASE)
        .text("%value, %destination, %offset {} : T* ?{-> R*}"),
    access("pto.vstar", "rest of an alignment register stored")
        .takes(&[any("value"), ptr("destination").written()])
        .text("%value, %destination {} : T*"),
    access("pto.vsta", "rest of an alignment register stored, with an index (documented)")
        .takes(&[any("value"), ptr("destination").written(), index("offset")])
        .text("%value, %destination[%offset] {} : T*"),
    // address register of squeezed stores
    access("pto.sprclr", "special register cleared").attrs(&[SPR]).text("@spr {}"),
    access("pto.sprsts", "special register stored, offset in a register")
        .takes(SPR_STORE)
        .gives(BASE)
        .attrs(&[SPR])
        .text(SPR_STORE_TEXT),
    access("pto.sprsti", "special register stored, immediate offset")
        .takes(SPR_STORE)
        .gives(BASE)
        .attrs(&[SPR])
        .text(SPR_STORE_TEXT),
    // by offsets
    access("pto.vgather2", "elements by index").takes(GATHER).gives(VREG).text(GATHER_TEXT),
    access("pto.vgather2_bc", "16-bit elements by 32-bit index").takes(GATHER).gives(VREG).text(GATHER_TEXT),
    access("pto.vgatherb", "32-byte blocks by byte offset").takes(GATHER).gives(VREG).text(GATHER_TEXT),
    access("pto.vscatter", "elements stored by index")
        .takes(&[vreg("value"), ptr("destination").written(), vreg("offsets"), mask("mask")])
        .text("%value, %destination, %offsets, %mask {} : T*"),
    // from buffer to buffer
    access("pto.vbitsort", "groups of 32 scores sorted downwards, with their indices")
        .only(Targets::BOTH)
        .takes(&[ptr("destination").written(), ptr("source"), ptr("indices"), index("repeat_times")])
        .text("%destination, %source, %indices, %repeat_times {} : T*"),
    access("pto.vmrgsort4", "up to four sorted lists merged")
        .only(Targets::BOTH)
        .takes(&[
            ptr("destination").written(),
            ptr("source0"),
            ptr("source1"),
            ptr("source2"),
            ptr("source3"),
            scalar("count"),
            scalar("config"),
        ])
        .text("%destination, %source0, %source1, %source2, %source3, %count, %config {} : T*"),
    access("pto.vsort32", "groups of 32 elements sorted (documented)")
        .takes(&[ptr("destination").written(), ptr("source"), scalar("config")])
        .text("%destination, %source, %config {} : T*"),
    access("pto.vmrgsort", "sorted lists merged (documented, without a form)"),
    access("pto.vtranspose", "transposition (documented)")
        .takes(&[ptr("destination").written(), ptr("source"), scalar("config")])
        .text("%destination, %source, %config {} : T*"),
];
