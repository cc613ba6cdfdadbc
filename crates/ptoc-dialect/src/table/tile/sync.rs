//! Flags, barriers, fences, and registers that later instructions obey.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets, enums};

const PIPE: AttrTy = AttrTy::Enum(&enums::PIPE);
const EVENT_CLASS: AttrTy = AttrTy::OneOf(&[&enums::PIPE_EVENT_TYPE, &enums::SYNC_OP_TYPE]);
const BUFFER_USER: AttrTy = AttrTy::OneOf(&[&enums::PIPE, &enums::PIPE_EVENT_TYPE, &enums::SYNC_OP_TYPE]);

// pipe to pipe
const FLAG: &[AttrDef] = &[
    attr("src_pipe", PIPE).must(),
    attr("dst_pipe", PIPE).must(),
    attr("event_id", AttrTy::Enum(&enums::EVENT)).must(),
];
const FLAG_TEXT: &str = "[@src_pipe, @dst_pipe, @event_id] {}";
const FLAG_DYN: &[AttrDef] = &[attr("src_pipe", PIPE).must(), attr("dst_pipe", PIPE).must()];
const FLAG_DYN_TEXT: &str = "[@src_pipe, @dst_pipe, %event_id] {}";

// class of operation to class of operation
const CLASSES: &[AttrDef] = &[
    attr("src_op", EVENT_CLASS).must(),
    attr("dst_op", EVENT_CLASS).must(),
    attr("event_id", AttrTy::Enum(&enums::EVENT)).must(),
];
const CLASSES_TEXT: &str = "[@src_op:attr, @dst_op:attr, @event_id] {}";

// buffer tokens
const BUF: &[AttrDef] = &[
    attr("op_type", BUFFER_USER).must(),
    attr("buf_id", AttrTy::Int(32)).must(),
    attr("mode", AttrTy::Int(32)).or("0"),
];
const BUF_TEXT: &str = "@op_type:str, @buf_id ?{, @mode} {} || [@op_type:attr, @buf_id ?{, @mode}] {}";
const BUF_DYN: &[AttrDef] = &[attr("op_type", BUFFER_USER).must(), attr("mode", AttrTy::Int(32)).or("0")];
const BUF_DYN_TEXT: &str = "@op_type:str, %buf_id ?{, @mode} {} || [@op_type:attr, %buf_id ?{, @mode}] {}";

// core to core; the event is a literal or a value
const EVENT_VALUE: &[OperandDef] = &[index("event_id_dyn").opt()];
const CORE_FLAG: &[AttrDef] = &[attr("pipe", PIPE).must(), attr("event_id", AttrTy::Int(32))];
const CORE_FLAG_MODE: &[AttrDef] =
    &[attr("pipe", PIPE).must(), attr("event_id", AttrTy::Int(32)), attr("ffts_mode", AttrTy::Int(32))];
const CORE_FLAG_TEXT: &str = "@pipe, @event_id {} || @pipe, %event_id_dyn {}";

// registers that the documentation sets from a configuration
const CONFIG: &[OperandDef] = &[any("cfg")];
const CONFIG_TEXT: &str = "ins(%cfg : T*) outs() {}";

const MODE: &[AttrDef] = &[attr("enable", AttrTy::Bool).must(), attr("mode", AttrTy::Enum(&enums::ROUND_MODE))];
const MODE_TEXT: &str = "{} || ins({enable = @enable, mode = @mode:attr}) outs()";

const fn sync(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::SyncConfig, name, summary)
}

const fn core_flag(name: &'static str, summary: &'static str) -> OpDef {
    sync(name, summary).takes(EVENT_VALUE).attrs(CORE_FLAG).text(CORE_FLAG_TEXT)
}

const fn register(name: &'static str, summary: &'static str) -> OpDef {
    sync(name, summary).on(Pipe::S).takes(CONFIG).text(CONFIG_TEXT)
}

/// Synchronisation and configuration.
pub static OPS: &[OpDef] = &[
    // flags between pipes
    sync("pto.set_flag", "event flag raised by one pipe for another").attrs(FLAG).text(FLAG_TEXT),
    sync("pto.wait_flag", "wait for an event flag").attrs(FLAG).text(FLAG_TEXT),
    sync("pto.set_flag_dyn", "event flag raised, with a run-time event")
        .takes(&[index("event_id")])
        .attrs(FLAG_DYN)
        .text(FLAG_DYN_TEXT),
    sync("pto.wait_flag_dyn", "wait for an event flag, with a run-time event")
        .takes(&[index("event_id")])
        .attrs(FLAG_DYN)
        .text(FLAG_DYN_TEXT),
    sync("pto.record_event", "event between two classes of operations").attrs(CLASSES).text(CLASSES_TEXT),
    sync("pto.wait_event", "wait for an event between two classes of operations").attrs(CLASSES).text(CLASSES_TEXT),
    sync("pto.tsync", "wait for events, or for what produced the operands")
        .takes(&[tile("events").updated().many()])
        .text("ins(%events : T*) {}"),
    // barriers and fences
    sync("pto.barrier", "one pipe, or all, drained").attrs(&[attr("pipe", PIPE).must()]).text("@pipe {}"),
    sync("pto.barrier_sync", "barrier of a class of operations")
        .attrs(&[attr("op_type", AttrTy::Enum(&enums::SYNC_OP_TYPE)).must()])
        .text("[@op_type] {}"),
    sync("pto.fence.barrier_all", "memory fence in every direction")
        .attrs(&[attr("scope", AttrTy::Enum(&enums::FENCE_SCOPE)).must()])
        .text("@scope:attr {}"),
    sync("pto.cmo.cacheinvalid", "one cache line, or the whole cache of a memory, invalidated")
        .takes(&[any("addr").opt()])
        .attrs(&[attr("space", AttrTy::Enum(&enums::ADDRESS_SPACE))])
        .text("%addr single_cache_line : T* {} || all @space:attr {}"),
    sync("pto.trap", "end of the kernel with an error").text("{}"),
    // buffer tokens
    sync("pto.get_buf", "buffer token taken by a pipe").only(Targets::A5).attrs(BUF).text(BUF_TEXT),
    sync("pto.rls_buf", "buffer token given back by a pipe").only(Targets::A5).attrs(BUF).text(BUF_TEXT),
    sync("pto.get_buf_dyn", "buffer token taken, with a run-time id")
        .only(Targets::A5)
        .takes(&[index("buf_id")])
        .attrs(BUF_DYN)
        .text(BUF_DYN_TEXT),
    sync("pto.rls_buf_dyn", "buffer token given back, with a run-time id")
        .only(Targets::A5)
        .takes(&[index("buf_id")])
        .attrs(BUF_DYN)
        .text(BUF_DYN_TEXT),
    // cores
    core_flag("pto.sync.set", "signal between cube and vector cores").attrs(CORE_FLAG_MODE),
    core_flag("pto.sync.wait", "wait for a signal between cube and vector cores").attrs(CORE_FLAG_MODE),
    core_flag("pto.set_cross_block", "flag for other blocks").attrs(&[
        attr("pipe", PIPE).must(),
        attr("event_id", AttrTy::Int(32)),
        attr("ffts_mode", AttrTy::Int(32)).or("0"),
    ]),
    core_flag("pto.wait_cross_block", "wait for a flag of other blocks"),
    core_flag("pto.set_intra_block", "flag between the cube and vector cores of a block"),
    core_flag("pto.wait_intra_block", "wait for a flag between the cube and vector cores of a block"),
    sync("pto.set_ffts", "base pointer of the hardware's flag memory").takes(&[ptr("ffts")]).text("%ffts {} : T*"),
    sync("pto.syncall", "rendezvous of all cores")
        .takes(&[any("gm_workspace").opt(), scalar("used_cores").opt()])
        .attrs(&[
            attr("mode", AttrTy::Enum(&enums::SYNC_ALL_MODE)).must(),
            attr("core_type", AttrTy::Enum(&enums::SYNC_CORE_TYPE)).must(),
        ])
        .text("(?{%gm_workspace, %used_cores : T*}) mode = @mode:attr, core_type = @core_type:attr {}"),
    // registers
    sync("pto.set_quant_scalar", "scalar quantisation parameter of the fix pipe")
        .takes(&[scalar("scale")])
        .attrs(&[attr("id", AttrTy::Int(32)).or("0")])
        .text("(%scale : T*) {id = @id} {}"),
    sync("pto.set_quant_vector", "vector quantisation parameters of the fix pipe")
        .takes(&[tile("scaling_tile")])
        .attrs(&[attr("id", AttrTy::Int(32)).or("0")])
        .text("(%scaling_tile : T*) {id = @id} {}"),
    register("pto.setfmatrix", "geometry of the feature map"),
    register("pto.set_img2col_rpt", "repeat of the feature map load"),
    register("pto.set_img2col_padding", "value outside the feature map"),
    sync("pto.sethf32mode", "rounding of f32 operands to hf32").on(Pipe::S).attrs(MODE).text(MODE_TEXT),
    sync("pto.settf32mode", "rounding of f32 operands to tf32").on(Pipe::S).attrs(MODE).text(MODE_TEXT),
];
