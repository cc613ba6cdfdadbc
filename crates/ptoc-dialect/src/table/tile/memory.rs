//! Between global memory and tiles.

use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrTy, Family, Kind, OpDef, enums};

const fn movement(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MemoryMovement, name, summary)
}

/// Loads, stores and prefetches.
pub static OPS: &[OpDef] = &[
    movement("pto.tload", "global view to tile")
        .on(Pipe::Mte2)
        .takes(&[
            view("src"),
            dest("dst"),
            any("pad_value").opt(),
            index("left_padding_num").opt(),
            any("right_padding_num").opt(),
            any("init_condition").opt(),
        ])
        .attrs(&[attr("pad_mode", AttrTy::Enum(&enums::PADMODE)), attr("init_out_buffer", AttrTy::Bool).or("false")])
        .text(
            "ins(%src : T(src)) outs(%dst : T(dst)) {} \
             ?{pad_mode = @pad_mode:attr} \
             ?{pad_value = %pad_value : T(pad_value)} \
             ?{left_padding_num = %left_padding_num : T(left_padding_num)} \
             ?{init_out_buffer = @init_out_buffer} \
             ?{right_padding_num = %right_padding_num : T(right_padding_num)} \
             ?{init_condition = %init_condition : T(init_condition)} \
             ?{-> R*}",
        ),
    movement("pto.tstore", "tile to global view, optionally atomic, rectified or quantised")
        .by_location()
        .takes(&[tile("src"), view("dst").written(), tile("fp").opt(), scalar("preQuantScalar").opt()])
        .attrs(&[ST_PHASE, attr("atomicType", AttrTy::Enum(&enums::ATOMIC_TYPE)).or("atomic_none"), RELU])
        .text(
            "ins(%src : T(src) ?{fp %fp : T(fp)} ?{, %preQuantScalar : T(preQuantScalar)}) \
             outs(%dst : T(dst)) {} ?{-> R*}",
        ),
    movement("pto.tstore.fp", "accumulator to global view through a scaling tile")
        .on(Pipe::Fix)
        .takes(&[tile("src"), tile("fp"), view("mem").written()])
        .attrs(&[ST_PHASE, attr("atomicType", AttrTy::Enum(&enums::ATOMIC_TYPE)).or("atomic_none"), RELU])
        .text("ins(%src, %fp : T*) outs(%mem : T*) {}"),
    movement("pto.mgather", "indexed rows or elements of global memory to a tile")
        .by_location()
        .takes(&[view("mem"), tile("idx"), dest("dst"), scratch("scratch")])
        .attrs(&[
            attr("coalesce", AttrTy::Enum(&enums::COALESCE)).must(),
            attr("gatherOob", AttrTy::Enum(&enums::GATHER_OOB)).or("undefined"),
        ])
        .text("ins(%mem, %idx, %scratch : T*) outs(%dst : T*) {}"),
    movement("pto.mscatter", "tile to indexed rows or elements of global memory")
        .by_location()
        .takes(&[tile("src"), tile("idx"), view("mem").updated()])
        .attrs(&[
            attr("coalesce", AttrTy::Enum(&enums::COALESCE)),
            attr("scatterAtomicOp", AttrTy::Enum(&enums::SCATTER_ATOMIC_OP)).or("none"),
            attr("scatterOob", AttrTy::Enum(&enums::SCATTER_OOB)).or("undefined"),
            attr("scatterConflict", AttrTy::Enum(&enums::SCATTER_CONFLICT)),
        ])
        .text("ins(%src, %idx : T*) outs(%mem : T*) {}"),
    // prefetch
    movement("pto.tprefetch", "global view into the cache, through a scratch tile")
        .on(Pipe::Mte2)
        .takes(&[view("src"), dest("dst")])
        .text(UNARY_TEXT),
    movement("pto.make_prefetch_async_context", "state of asynchronous prefetches")
        .takes(&[ptr("workspace")])
        .gives(&[result("ctx", Kind::Any)])
        .text("(%workspace : T*) {} -> R*"),
    movement("pto.get_prefetch_async_session", "session held by a prefetch context")
        .takes(&[any("ctx")])
        .gives(&[result("session", Kind::Any)])
        .text("%ctx {} : T* -> R*"),
    movement("pto.tprefetch_async", "global view into the second-level cache; gives an event")
        .takes(&[view("src"), any("ctx")])
        .gives(&[result("event", Kind::Any)])
        .text("(%src, %ctx : T*) {} -> R*"),
];
