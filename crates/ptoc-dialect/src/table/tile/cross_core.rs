//! First-in first-out pipes between the cube core and the vector cores.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, enums};

const ID: AttrDef = attr("id", AttrTy::Int(32)).or("0");
const SPLIT: AttrDef = attr("split", AttrTy::Int(8)).must();
const DIR_MASK: AttrDef = attr("dir_mask", AttrTy::Int(8)).must();
const SLOT_SIZE: AttrDef = attr("slot_size", AttrTy::Int(32)).must();
const NO_SPLIT: AttrDef = attr("nosplit", AttrTy::Bool);
const EPILOGUE: AttrDef = attr("acc_push_epilogue", AttrTy::Any);

const FRONT_END: &[OperandDef] = &[
    ptr("gm_slot_buffer").opt(),
    view("gm_slot_tensor").opt(),
    scalar("c2v_consumer_buf").opt(),
    scalar("v2c_consumer_buf").opt(),
];
const FRONT_END_ATTRS: &[AttrDef] = &[
    ID,
    DIR_MASK,
    SLOT_SIZE,
    attr("slot_num", AttrTy::Int(32)),
    attr("local_slot_num", AttrTy::Int(32)),
    NO_SPLIT,
    EPILOGUE,
];
const FRONT_END_TEXT: &str = "\
    {id = @id, dir_mask = @dir_mask, slot_size = @slot_size, slot_num = @slot_num, \
    local_slot_num = @local_slot_num, nosplit = @nosplit, acc_push_epilogue = @acc_push_epilogue:attr} \
    ?{(?{gm_slot_buffer = %gm_slot_buffer : T(gm_slot_buffer)} \
    ?{, gm_slot_tensor = %gm_slot_tensor : T(gm_slot_tensor)} \
    ?{, c2v_consumer_buf = %c2v_consumer_buf : T(c2v_consumer_buf)} \
    ?{, v2c_consumer_buf = %v2c_consumer_buf : T(v2c_consumer_buf)})} {}";

const BY_ID: &[AttrDef] = &[ID, SPLIT];
const BY_HANDLE: &[AttrDef] = &[SPLIT];

const ENTRY: &[ResultDef] = &[result("entry", Kind::View)];
const ENTRY_TEXT: &str = "{id = @id, split = @split} {} -> R*";
const FREE_TEXT: &str = "?{(%entry : T*)} {id = @id, split = @split} {}";

const HANDLE: &[ResultDef] = &[result("pipe", Kind::Any)];

const fn fifo(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::CrossCore, name, summary)
}

/// Pipes between cores.
pub static OPS: &[OpDef] = &[
    // set-up
    fifo("pto.aic_initialize_pipe", "pipe set up on the cube side")
        .takes(FRONT_END)
        .attrs(FRONT_END_ATTRS)
        .text(FRONT_END_TEXT),
    fifo("pto.aiv_initialize_pipe", "pipe set up on the vector side")
        .takes(FRONT_END)
        .attrs(FRONT_END_ATTRS)
        .text(FRONT_END_TEXT),
    fifo("pto.reserve_buffer", "local memory for the slots of a consumer")
        .gives(&[result("addr", Kind::Scalar)])
        .attrs(&[
            attr("name", AttrTy::Str).must(),
            attr("size", AttrTy::Int(32)).must(),
            attr("location", AttrTy::Enum(&enums::ADDRESS_SPACE)).must(),
            attr("autoAlloc", AttrTy::Bool).must(),
            attr("base", AttrTy::Int(32)),
        ])
        .text("{name = @name, size = @size, location = @location:attr, auto = @autoAlloc, base = @base} {} -> R*"),
    fifo("pto.import_reserved_buffer", "reserved memory of a peer function")
        .gives(&[result("addr", Kind::Scalar)])
        .attrs(&[attr("name", AttrTy::Str).must(), attr("peer_func", AttrTy::Any).must()])
        .text("{name = @name, peer_func = @peer_func:attr} {} -> R*"),
    fifo("pto.initialize_l2g2l_pipe", "pipe through global memory")
        .takes(&[any("gm_addr"), any("local_addr").opt(), any("peer_local_addr").opt()])
        .gives(HANDLE)
        .attrs(&[
            DIR_MASK,
            SLOT_SIZE,
            attr("slot_num", AttrTy::Int(32)).must(),
            attr("local_slot_num", AttrTy::Int(32)),
            attr("flag_base", AttrTy::Int(32)),
            NO_SPLIT,
            EPILOGUE,
        ])
        .text(
            "{dir_mask = @dir_mask, slot_size = @slot_size, slot_num = @slot_num, \
             local_slot_num = @local_slot_num, flag_base = @flag_base, nosplit = @nosplit} \
             (%gm_addr : T(gm_addr) ?{, %local_addr : T(local_addr)} \
             ?{, %peer_local_addr : T(peer_local_addr)}) {} -> R*",
        ),
    fifo("pto.initialize_l2l_pipe", "pipe between local memories")
        .takes(&[any("local_addr"), any("peer_local_addr").opt()])
        .gives(HANDLE)
        .attrs(&[
            DIR_MASK,
            SLOT_SIZE,
            attr("slot_num", AttrTy::Int(32)).must(),
            attr("flag_base", AttrTy::Int(32)),
            NO_SPLIT,
            EPILOGUE,
        ])
        .text(
            "{dir_mask = @dir_mask, slot_size = @slot_size, slot_num = @slot_num, \
             flag_base = @flag_base, nosplit = @nosplit} \
             (%local_addr : T(local_addr) ?{, %peer_local_addr : T(peer_local_addr)}) {} -> R*",
        ),
    // producer
    fifo("pto.talloc", "next producer slot, by handle")
        .on(Pipe::Mte3)
        .takes(&[view("entry").written(), any("pipe_handle")])
        .attrs(BY_HANDLE)
        .text("(%entry, %pipe_handle : T*) {split = @split} {}"),
    fifo("pto.talloc_to_aic", "next producer slot, vector to cube").gives(ENTRY).attrs(BY_ID).text(ENTRY_TEXT),
    fifo("pto.talloc_to_aiv", "next producer slot, cube to vector").gives(ENTRY).attrs(BY_ID).text(ENTRY_TEXT),
    fifo("pto.tpush", "tile or slot handed over, by handle")
        .by_location()
        .takes(&[tile("tile"), any("pipe_handle"), scalar("aiv_subblockid").opt()])
        .attrs(BY_HANDLE)
        .text("(%tile, %pipe_handle : T*) {split = @split} ?{aiv_subblockid(%aiv_subblockid)} {}"),
    fifo("pto.tpush_to_aic", "tile or slot handed over, vector to cube")
        .by_location()
        .takes(&[tile("tile"), scalar("aiv_subblockid").opt()])
        .attrs(BY_ID)
        .text("(%tile : T*) {id = @id, split = @split} ?{aiv_subblockid(%aiv_subblockid)} {}"),
    fifo("pto.tpush_to_aiv", "tile or slot handed over, cube to vector")
        .by_location()
        .takes(&[tile("tile")])
        .attrs(BY_ID)
        .text("(%tile : T*) {id = @id, split = @split} {}"),
    // consumer
    fifo("pto.tpop", "next consumer slot, by handle")
        .by_location()
        .takes(&[tile("tile").written(), any("pipe_handle"), scalar("aiv_subblockid").opt()])
        .attrs(BY_HANDLE)
        .text("(%tile, %pipe_handle : T*) {split = @split} ?{aiv_subblockid(%aiv_subblockid)} {}"),
    fifo("pto.tpop_from_aic", "next consumer slot on the vector side")
        .by_location()
        .takes(&[index("valid_row").opt(), index("valid_col").opt(), scalar("aiv_subblockid").opt()])
        .gives(&[result("tile", Kind::Tile)])
        .attrs(BY_ID)
        .text(
            "?{(%valid_row, %valid_col)} {id = @id, split = @split} \
             ?{aiv_subblockid(%aiv_subblockid)} {} -> R*",
        ),
    fifo("pto.tpop_from_aiv", "next consumer slot on the cube side")
        .by_location()
        .takes(&[index("valid_row").opt(), index("valid_col").opt()])
        .gives(&[result("tile", Kind::Tile)])
        .attrs(BY_ID)
        .text("?{(%valid_row, %valid_col)} {id = @id, split = @split} {} -> R*"),
    fifo("pto.tfree", "consumer slot given back, by handle")
        .on(Pipe::S)
        .takes(&[tile("entry").opt(), any("pipe_handle")])
        .attrs(BY_HANDLE)
        .text("(%entry, %pipe_handle : T*) {split = @split} {}"),
    fifo("pto.tfree_from_aic", "consumer slot given back on the vector side")
        .takes(&[tile("entry").opt()])
        .attrs(BY_ID)
        .text(FREE_TEXT),
    fifo("pto.tfree_from_aiv", "consumer slot given back on the cube side")
        .takes(&[tile("entry").opt()])
        .attrs(BY_ID)
        .text(FREE_TEXT),
];
