//! Communication between ranks. Staging tiles (`ping`, `pong`) are overwritten.

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, ResultDef, enums};

const PING: OperandDef = any("ping").updated();
const PONG: OperandDef = any("pong").opt().updated();

const PUT_GET: &[OperandDef] = &[view("dst").written(), view("src"), PING, PONG];
const PUT_GET_TEXT: &str = "(%dst, %src, buf(%ping, %pong) : T*) {}";

const FROM_ROOT: &[OperandDef] = &[view("src"), PING, PONG, view("group").many().written()];
const FROM_ROOT_TEXT: &str = "(%src, recv(%ping, %pong), group(%group) : T*) {}";

const ASYNC: &[OperandDef] = &[view("dst").written(), view("src"), any("session")];
const ASYNC_TEXT: &str = "(%dst, %src, %session : T*) {} -> R*";
const EVENT: &[ResultDef] = &[result("event", Kind::Any)];

const AWAIT: &[OperandDef] = &[any("event"), any("session")];
const AWAIT_TEXT: &str = "(%event, %session : T*) {} -> R*";
const COMPLETED: &[ResultDef] = &[result("completed", Kind::Scalar)];

const SIGNAL: &[OperandDef] = &[view("signal"), scalar("cmpValue")];
const SIGNAL_CMP: &[AttrDef] = &[attr("cmp", AttrTy::Enum(&enums::WAIT_CMP)).must()];

const ROOT: AttrDef = attr("root", AttrTy::Int(32)).must();

const fn comm(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Comm, name, summary)
}

/// Communication.
pub static OPS: &[OpDef] = &[
    // one rank to another
    comm("pto.comm.tput", "remote write through staging tiles")
        .takes(PUT_GET)
        .attrs(&[attr("atomicType", AttrTy::Enum(&enums::ATOMIC_TYPE)).or("atomic_none")])
        .text(PUT_GET_TEXT),
    comm("pto.comm.tget", "remote read through staging tiles").takes(PUT_GET).text(PUT_GET_TEXT),
    // all ranks of a group
    comm("pto.comm.tbroadcast", "local data to every rank").takes(FROM_ROOT).attrs(&[ROOT]).text(FROM_ROOT_TEXT),
    comm("pto.comm.tscatter", "slices of local data to the ranks").takes(FROM_ROOT).attrs(&[ROOT]).text(FROM_ROOT_TEXT),
    comm("pto.comm.tgather", "data of every rank collected")
        .takes(&[view("dst").written(), PING, PONG, view("group").many()])
        .attrs(&[ROOT])
        .text("(%dst, recv(%ping, %pong), group(%group) : T*) {}"),
    comm("pto.comm.treduce", "data of every rank collected and combined")
        .takes(&[
            view("dst").written(),
            any("acc").updated(),
            any("recvPing").updated(),
            any("recvPong").opt().updated(),
            view("group").many(),
        ])
        .attrs(&[attr("reduceOp", AttrTy::Enum(&enums::REDUCE_OP)).must(), ROOT])
        .text("(%dst, %acc, recv(%recvPing, %recvPong), group(%group) : T*) {}"),
    // signal words
    comm("pto.comm.tnotify", "remote signal word written or increased")
        .takes(&[view("signal").updated(), scalar("value")])
        .attrs(&[attr("notifyOp", AttrTy::Enum(&enums::NOTIFY_OP)).must()])
        .text("(%signal, %value : T*) {}"),
    comm("pto.comm.twait", "wait until a signal word compares true")
        .takes(SIGNAL)
        .attrs(SIGNAL_CMP)
        .text("(%signal, %cmpValue : T*) {}"),
    comm("pto.comm.ttest", "comparison of a signal word, without waiting")
        .takes(SIGNAL)
        .gives(&[result("result", Kind::Scalar)])
        .attrs(SIGNAL_CMP)
        .text("(%signal, %cmpValue : T*) {} -> R*"),
    // asynchronous
    comm("pto.comm.build_async_session", "state of asynchronous transfers")
        .takes(&[tile("scratch"), ptr("workspace")])
        .gives(&[result("session", Kind::Any)])
        .attrs(&[
            attr("sync_id", AttrTy::Int(32)),
            attr("block_bytes", AttrTy::Int(64)),
            attr("comm_block_offset", AttrTy::Int(64)),
            attr("queue_num", AttrTy::Int(32)),
            attr("channel_group_idx", AttrTy::Int(64)),
        ])
        .text("(%scratch, %workspace : T*) {} -> R*"),
    comm("pto.comm.tput_async", "remote write; gives an event").takes(ASYNC).gives(EVENT).text(ASYNC_TEXT),
    comm("pto.comm.tget_async", "remote read; gives an event").takes(ASYNC).gives(EVENT).text(ASYNC_TEXT),
    comm("pto.comm.wait_async_event", "wait for an event").takes(AWAIT).gives(COMPLETED).text(AWAIT_TEXT),
    comm("pto.comm.test_async_event", "test of an event").takes(AWAIT).gives(COMPLETED).text(AWAIT_TEXT),
];
