//! What an operation does to its operands, and which pipe does it.
//!
//! Derived from the table entry; where the entry says "by location", from where the operands live (machine description,
//! section 7.1, and the paths of the movement tables).

use crate::registry::def;
use crate::table::{Dir, OperandDef, PipeOf};
use crate::types::{TileType, tile_of};
use ptoc_ir::{Form, Ir, OpId, TypeId};
use ptoc_target::{Arch, Loc, Pipe};

/// How an operand segment is touched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Its content matters.
    pub reads: bool,
    /// Its content changes.
    pub writes: bool,
    /// A temporary: what it held is lost, and what it holds afterwards means nothing.
    pub clobbers: bool,
}

impl Access {
    /// Neither read nor written.
    pub const NONE: Access = Access { reads: false, writes: false, clobbers: false };
    /// Read only.
    pub const READ: Access = Access { reads: true, writes: false, clobbers: false };
    /// Written only.
    pub const WRITE: Access = Access { reads: false, writes: true, clobbers: false };
    /// Read and written.
    pub const UPDATE: Access = Access { reads: true, writes: true, clobbers: false };
    /// Used as a temporary.
    pub const CLOBBER: Access = Access { reads: false, writes: true, clobbers: true };
}

impl OperandDef {
    /// How an instruction touches this operand. An `Out` tile is written in its valid region only; the rest stays.
    pub const fn access(&self) -> Access {
        match self.dir {
            _ if self.scratch => Access::CLOBBER,
            Dir::In => Access::READ,
            Dir::Out => Access::WRITE,
            Dir::InOut => Access::UPDATE,
        }
    }
}

/// How an op touches its n-th operand segment. Operands of operations without a table entry are read.
///
/// In the value forms the segment of a destination holds the old tile, whose storage the result takes over: it is written,
/// and read where the instruction updates it.
pub fn access(ir: &Ir, op: OpId, segment: usize) -> Access {
    match def(ir.op(op).kind).and_then(|d| d.operands.get(segment)) {
        Some(operand) => operand.access(),
        None => Access::READ,
    }
}

/// Type of the n-th operand: of the value in its segment, or in the value forms of the result that stands for it.
pub fn operand_type(ir: &Ir, op: OpId, segment: usize) -> Option<TypeId> {
    if let Some(v) = ir.operand(op, segment) {
        return Some(ir.value_type(v));
    }
    let data = ir.op(op);
    if data.form == Form::Custom {
        return None;
    }
    let def = def(data.kind)?;
    let nth = def.dests().position(|(i, _)| i == segment)?;
    data.results.get(nth).map(|&r| ir.value_type(r))
}

/// Tile type of the operand of that name.
pub fn tile_operand(ir: &Ir, op: OpId, name: &str) -> Option<TileType> {
    let segment = def(ir.op(op).kind)?.operands.iter().position(|o| o.name == name)?;
    tile_of(&ir.ctx, operand_type(ir, op, segment)?)
}

/// The pipe of a move between two locations; `None` where no instruction moves so.
///
/// A move from the unified buffer to L1 is a DMA of the vector core, so MTE3 (the header's event table says FIX).
pub const fn move_pipe(from: Loc, to: Loc) -> Option<Pipe> {
    match (from, to) {
        (Loc::Acc, Loc::Vec | Loc::Mat | Loc::Gm) => Some(Pipe::Fix),
        (Loc::Mat, Loc::Scaling) => Some(Pipe::Fix),
        (Loc::Mat, Loc::Left | Loc::Right | Loc::Bias | Loc::ScaleLeft | Loc::ScaleRight) => Some(Pipe::Mte1),
        (Loc::Vec, Loc::Vec) => Some(Pipe::V),
        (Loc::Vec, Loc::Mat | Loc::Gm) | (Loc::Mat, Loc::Gm) => Some(Pipe::Mte3),
        (Loc::Gm, Loc::Vec | Loc::Mat) => Some(Pipe::Mte2),
        _ => None,
    }
}

/// The pipe that executes an op on a target.
///
/// `None` for operations that make no machine work, and for operands whose location or combination no instruction has
/// (the verifier reports those).
pub fn pipe(ir: &Ir, op: OpId, arch: Arch) -> Option<Pipe> {
    let def = def(ir.op(op).kind)?;
    match def.pipe {
        PipeOf::None => None,
        PipeOf::Fixed(p) => Some(p),
        PipeOf::ByLocation => by_location(ir, op, def.name, arch),
    }
}

fn by_location(ir: &Ir, op: OpId, name: &str, arch: Arch) -> Option<Pipe> {
    let loc = |operand: &str| tile_operand(ir, op, operand).map(|t| t.loc);
    match name {
        "pto.tmov" | "pto.tinsert" | "pto.textract" => move_pipe(loc("src")?, loc("dst")?),
        "pto.tstore" => move_pipe(loc("src")?, Loc::Gm),
        // L1 is filled by the engine that loads it; everything else in the vector unit.
        "pto.tfillpad" | "pto.tfillpad_inplace" | "pto.tfillpad_expand" | "pto.texpands" => match loc("dst")? {
            Loc::Mat => Some(Pipe::Mte2),
            Loc::Vec => Some(Pipe::V),
            _ => None,
        },
        // A5 gathers and scatters with the threads of the vector core; A2/A3 with one DMA a row or element.
        "pto.mgather" => match (loc("dst")?, arch) {
            (Loc::Vec, Arch::A5) => Some(Pipe::V),
            (to, _) => move_pipe(Loc::Gm, to),
        },
        "pto.mscatter" => match (loc("src")?, arch) {
            (Loc::Vec, Arch::A5) => Some(Pipe::V),
            (from, _) => move_pipe(from, Loc::Gm),
        },
        "pto.tscatter" => Some(Pipe::V),
        // Without a temporary the scalar unit writes the sequence.
        "pto.tci" => {
            let def = def(ir.op(op).kind)?;
            let with_tmp =
                def.operands.iter().position(|o| o.name == "tmp").is_some_and(|i| ir.operand(op, i).is_some());
            Some(if with_tmp { Pipe::V } else { Pipe::S })
        }
        "pto.tpush" | "pto.tpush_to_aic" | "pto.tpush_to_aiv" => move_pipe(loc("tile")?, Loc::Gm),
        "pto.tpop" => pop_pipe(loc("tile"), arch),
        "pto.tpop_from_aic" | "pto.tpop_from_aiv" => {
            let tile = ir.op(op).results.first().and_then(|&r| tile_of(&ir.ctx, ir.value_type(r)));
            pop_pipe(tile.map(|t| t.loc), arch)
        }
        _ => None,
    }
}

/// A consumer slot: A2/A3 loads it from global memory; on A5 the producer wrote it in place, and the consumer's own pipe
/// waits. A slot that is a view is global memory, seen by the scalar unit.
fn pop_pipe(tile: Option<Loc>, arch: Arch) -> Option<Pipe> {
    match (tile, arch) {
        (None, _) => Some(Pipe::S),
        (Some(to), Arch::A2A3) => move_pipe(Loc::Gm, to),
        (Some(Loc::Vec), Arch::A5) => Some(Pipe::V),
        (Some(Loc::Mat), Arch::A5) => Some(Pipe::Mte1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ResolveOptions, resolve};
    use ptoc_ir::{Walk, walk};

    /// Pipes of the operations with one, in program order.
    fn pipes(body: &str, arch: Arch) -> Vec<String> {
        let text = format!(
            "func.func @f(%g: !pto.partition_tensor_view<16x16xf32>, %v: !pto.tile_buf<vec, 16x16xf32>, \
             %m: !pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>, \
             %l: !pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>, \
             %s: !pto.tile_buf<scaling, 1x16xf32>, \
             %a: !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>, %i: index, %n: i32) \
             {{\n{body}\nreturn\n}}"
        );
        let r = resolve(&text, 0..text.len(), &ResolveOptions { arch: Some(arch), ..Default::default() });
        assert!(r.diagnostics.is_empty(), "{:#?}", r.diagnostics);
        let mut out = Vec::new();
        walk(&r.ir, r.ir.top(), &mut |op| {
            if let Some(p) = pipe(&r.ir, op, arch) {
                out.push(p.keyword().to_owned());
            }
            Walk::Into
        });
        out
    }

    const VEC: &str = "!pto.tile_buf<vec, 16x16xf32>";
    const MAT: &str = "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>";
    const LEFT: &str = "!pto.tile_buf<left, 16x16xf32, blayout=col_major, slayout=row_major>";
    const ACC: &str = "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>";
    const SCALING: &str = "!pto.tile_buf<scaling, 1x16xf32>";
    const VIEW: &str = "!pto.partition_tensor_view<16x16xf32>";

    #[test]
    fn moves_run_where_the_operands_live() {
        let body = format!(
            "pto.tload ins(%g : {VIEW}) outs(%v : {VEC})\n\
             pto.tmov ins(%v : {VEC}) outs(%v : {VEC})\n\
             pto.tmov ins(%v : {VEC}) outs(%m : {MAT})\n\
             pto.tmov ins(%m : {MAT}) outs(%l : {LEFT})\n\
             pto.tmov ins(%m : {MAT}) outs(%s : {SCALING})\n\
             pto.tmov ins(%a : {ACC}) outs(%m : {MAT})\n\
             pto.tinsert ins(%a, %i, %i : {ACC}, index, index) outs(%v : {VEC})\n\
             pto.tstore ins(%v : {VEC}) outs(%g : {VIEW})\n\
             pto.tstore ins(%a : {ACC}) outs(%g : {VIEW})\n\
             pto.tfillpad ins(%m : {MAT}) outs(%m : {MAT})\n\
             pto.tfillpad ins(%v : {VEC}) outs(%v : {VEC})"
        );
        assert_eq!(
            pipes(&body, Arch::A5).join(" "),
            "PIPE_MTE2 PIPE_V PIPE_MTE3 PIPE_MTE1 PIPE_FIX PIPE_FIX PIPE_FIX PIPE_MTE3 PIPE_FIX PIPE_MTE2 PIPE_V"
        );
    }

    #[test]
    fn value_forms_have_the_pipe_of_their_results() {
        let body = "%t = pto.tmov %a : (!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>) \
                    -> !pto.tile<mat, 16x16xf32, blayout=col_major, slayout=row_major>";
        assert_eq!(pipes(body, Arch::A2A3), ["PIPE_FIX"]);
    }

    #[test]
    fn a_sequence_is_scalar_work_without_a_temporary() {
        let int = "!pto.tile_buf<vec, 1x32xi32>";
        let body = format!(
            "%d = pto.alloc_tile : {int}\n%t = pto.alloc_tile : {int}\n\
             pto.tci ins(%n : i32) outs(%d : {int})\npto.tci ins(%n, %t : i32, {int}) outs(%d : {int})"
        );
        assert_eq!(pipes(&body, Arch::A2A3), ["PIPE_S", "PIPE_V"]);
    }

    #[test]
    fn temporaries_are_clobbered_and_updates_read() {
        let d = crate::Dialects::get();
        let op = d.def_by_name("pto.trowprod").unwrap();
        let acc: Vec<Access> = op.operands.iter().map(OperandDef::access).collect();
        assert_eq!(acc, [Access::READ, Access::CLOBBER, Access::WRITE]);
        let op = d.def_by_name("pto.tinsert").unwrap();
        assert_eq!(op.operands[3].access(), Access::UPDATE);
    }

    /// Every entry that leaves its pipe to this module gets one for at least one combination.
    #[test]
    fn every_operation_by_location_is_known() {
        let known = [
            "pto.tmov",
            "pto.tinsert",
            "pto.textract",
            "pto.tstore",
            "pto.tfillpad",
            "pto.tfillpad_inplace",
            "pto.tfillpad_expand",
            "pto.texpands",
            "pto.mgather",
            "pto.mscatter",
            "pto.tscatter",
            "pto.tci",
            "pto.tpush",
            "pto.tpush_to_aic",
            "pto.tpush_to_aiv",
            "pto.tpop",
            "pto.tpop_from_aic",
            "pto.tpop_from_aiv",
        ];
        for def in crate::table::all().filter(|d| d.pipe == PipeOf::ByLocation) {
            assert!(known.contains(&def.name), "{}", def.name);
        }
    }
}
