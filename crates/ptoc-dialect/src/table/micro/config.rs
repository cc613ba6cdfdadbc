//! Registers that later instructions obey, scalar cache control, and the older names of core flags.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, Targets, enums};

const VALUE: &[OperandDef] = &[scalar("value")];
const VALUE_TEXT: &str = "%value {} : T*";

const NUMBER: &[ResultDef] = &[result("result", Kind::Scalar)];

const PAIR: &[OperandDef] = &[scalar("first"), scalar("second")];
const PAIR_TEXT: &str = "%first, %second {} : T*";

const fn config(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroConfig, name, summary).on(Pipe::S)
}

const fn state(name: &'static str, summary: &'static str) -> OpDef {
    config(name, summary).text("{}")
}

const fn register(name: &'static str, summary: &'static str) -> OpDef {
    config(name, summary).takes(VALUE).text(VALUE_TEXT)
}

const fn bit(name: &'static str, summary: &'static str) -> OpDef {
    config(name, summary).only(Targets::A5).takes(PAIR).text("%first, %second {} : T* -> R*")
}

/// Registers, caches and flags.
pub static OPS: &[OpDef] = &[
    // control register
    register("pto.set_ctrl", "control register"),
    config("pto.get_ctrl", "control register read").gives(NUMBER).text("{} : R*"),
    bit("pto.sbitset0", "one bit of a number cleared").gives(NUMBER),
    bit("pto.sbitset1", "one bit of a number set").gives(NUMBER),
    // atomic stores
    state("pto.set_atomic_add", "later stores add"),
    state("pto.set_atomic_max", "later stores keep the greater value"),
    state("pto.set_atomic_min", "later stores keep the smaller value"),
    state("pto.set_atomic_none", "later stores overwrite"),
    state("pto.set_atomic_f32", "atomic stores work in f32"),
    state("pto.set_atomic_f16", "atomic stores work in f16"),
    state("pto.set_atomic_bf16", "atomic stores work in bf16"),
    state("pto.set_atomic_s32", "atomic stores work in i32"),
    state("pto.set_atomic_s16", "atomic stores work in i16"),
    state("pto.set_atomic_s8", "atomic stores work in i8"),
    register("pto.set_store_atomic_cfg", "type and operation of atomic stores as one word").only(Targets::A5),
    // fix pipe
    register("pto.set_quant_pre", "scalar quantisation word: f32 scale in bits 31:0, bit 46 for signed 8-bit output"),
    register("pto.set_fpc", "address of the fix pipe's parameter vector"),
    register("pto.set_relu_alpha", "slope of the rectifier").only(Targets::A5),
    register("pto.set_fix_clip_relu", "upper bound of the rectifier").only(Targets::A5),
    config("pto.set_channel_para", "source stride of a store that transposes")
        .only(Targets::A5)
        .takes(PAIR)
        .text(PAIR_TEXT),
    register("pto.set_nd_para", "count and strides of the matrices of a store in rows").only(Targets::A2A3),
    // img2col
    register("pto.set_fmatrix", "size and padding of the left feature map"),
    register("pto.set_fmatrix_b", "size and padding of the right feature map"),
    register("pto.set_l3d_rpt", "repeat of the left feature map load"),
    register("pto.set_l3d_rpt_b", "repeat of the right feature map load").only(Targets::A5),
    register("pto.set_padding", "value outside the left feature map"),
    register("pto.set_padding_b", "value outside the right feature map").only(Targets::A5),
    // merge sort
    config("pto.get_vms4_sr", "records that the last merge took from each list")
        .gives(&[
            result("list0", Kind::Scalar),
            result("list1", Kind::Scalar),
            result("list2", Kind::Scalar),
            result("list3", Kind::Scalar),
        ])
        .text("{} : R*"),
    // memory order and caches
    config("pto.mem_bar", "order of vector and scalar accesses")
        .only(Targets::A5)
        .on(Pipe::V)
        .attrs(&[attr("kind", AttrTy::Enum(&enums::MEMBAR)).must()])
        .text("@kind:str {}"),
    config("pto.dsb", "wait for earlier accesses")
        .attrs(&[attr("mem", AttrTy::Enum(&enums::DSB_MEM)).must()])
        .text("@mem:str {}"),
    config("pto.dcci", "data cache cleaned and invalidated")
        .takes(&[ptr("ptr")])
        .attrs(&[
            attr("cache", AttrTy::Enum(&enums::DCCI_CACHE_LINE)).must(),
            attr("dst", AttrTy::Enum(&enums::DCCI_DST)),
        ])
        .text("%ptr @cache:str ?{, @dst:str} {} : T*"),
    config("pto.ld_dev", "element of global memory, past the cache")
        .only(Targets::A5)
        .takes(&[ptr("ptr"), index("offset")])
        .gives(&[result("value", Kind::Scalar)])
        .text("%ptr[%offset] {} : T(ptr) -> R*"),
    config("pto.st_dev", "element of global memory written, past the cache")
        .only(Targets::A5)
        .takes(&[scalar("value"), ptr("ptr").written(), index("offset")])
        .text("%value, %ptr[%offset] {} : T(ptr), T(value)"),
    // documented names of the core flags and the barrier
    config("pto.pipe_barrier", "documented name of barrier")
        .attrs(&[attr("pipe", AttrTy::Enum(&enums::PIPE)).must()])
        .text("@pipe:str {} || [@pipe:str] {}"),
    config("pto.set_cross_core", "flag for other cores")
        .takes(&[scalar("core_id"), scalar("event_id")])
        .text("%core_id, %event_id {} : T*"),
    config("pto.wait_flag_dev", "wait for a flag of other cores")
        .takes(&[scalar("core_id").opt(), scalar("event_id")])
        .text("%core_id, %event_id {} : T*"),
    config("pto.wait_intra_core", "wait for a flag of the same block")
        .takes(&[scalar("core_id"), scalar("event_id")])
        .text("%core_id, %event_id {} : T*"),
];
