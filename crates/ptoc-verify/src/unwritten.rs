//! Tiles that are read although nothing in their function writes them.
//!
//! No order is followed: only a tile that is written nowhere is reported. One that gets an address from the source, or that
//! leaves the sight of this check (calls, loop values, pointers), may be written in another way.

use crate::codes;
use crate::kinds::{KindInfo, Shape, Special};
use crate::walk::Walker;
use ptoc_dialect::Dir;
use ptoc_ir::{Form, Ir, OpId, ValueId};
use ptoc_source::{Diagnostic, Severity};
use smallvec::SmallVec;

const READ: u8 = 1;
const WRITTEN: u8 = 2;
const ELSEWHERE: u8 = 4;

/// What happens to the tiles of the function at hand, by the value that brought their storage into being.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    flags: Vec<u8>,
    /// The first reader of each tile.
    reads: Vec<(ValueId, OpId)>,
    /// Tiles in the order they are made.
    made: Vec<ValueId>,
}

impl Uses {
    pub(crate) fn new(ir: &Ir) -> Uses {
        Uses { flags: vec![0; ir.value_count()], ..Uses::default() }
    }

    fn has(&self, v: ValueId, flag: u8) -> bool {
        self.flags.get(v.index()).is_some_and(|f| f & flag != 0)
    }
}

/// Sees one operation.
pub(crate) fn see(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let data = ir.op(op);
    match info.special {
        Special::AllocTile => {
            if ir.operand(op, 0).is_none() {
                w.uses.made.extend(data.results.first());
            }
            return;
        }
        // Other names and sizes of the same storage.
        Special::Subview | Special::Subset | Special::Reshape | Special::SetValid => return,
        _ => {}
    }
    let tile = |w: &Walker<'_>, v: ValueId| w.program.types.get(ir.value_type(v)).is_some_and(|f| f.tile.is_some());
    let instruction =
        info.def.filter(|d| d.asm.contains("outs(") && data.form == Form::Custom && data.results.is_empty());
    let Some(def) = instruction.filter(|_| info.shape == Shape::Table && info.special != Special::TAssign) else {
        for &v in &data.operands {
            if tile(w, v) {
                mark(w, v, ELSEWHERE, op);
            }
        }
        return;
    };
    let mut at = 0;
    for (operand, &n) in def.operands.iter().zip(&data.segments) {
        let flag = match operand.dir {
            _ if operand.scratch || operand.name == "tmp" => WRITTEN,
            Dir::In => READ,
            _ => WRITTEN,
        };
        for &v in data.operands.get(at..at + n as usize).unwrap_or(&[]) {
            if tile(w, v) {
                mark(w, v, flag, op);
            }
        }
        at += n as usize;
    }
}

fn mark(w: &mut Walker<'_>, v: ValueId, flag: u8, op: OpId) {
    let root = w.program.values.root(v).0;
    if flag == READ && !w.uses.has(root, READ) {
        w.uses.reads.push((root, op));
    }
    if let Some(f) = w.uses.flags.get_mut(root.index()) {
        *f |= flag;
    }
}

/// Reports at the end of a function.
pub(crate) fn report(w: &mut Walker<'_>) {
    let made = std::mem::take(&mut w.uses.made);
    let reads = std::mem::take(&mut w.uses.reads);
    let ir = w.ir();
    for (tile, reader) in reads {
        let Some(def) = ir.defining_op(tile) else { continue };
        if w.special(def) != Special::AllocTile
            || ir.operand(def, 0).is_some()
            || w.uses.has(tile, WRITTEN)
            || w.uses.has(tile, ELSEWHERE)
        {
            continue;
        }
        let name = match ir.ctx.str(ir.value(tile).name) {
            "" => "a tile".to_owned(),
            n => format!("tile `%{n}`"),
        };
        let twin = |&v: &ValueId| {
            ir.value_type(v) == ir.value_type(tile) && w.uses.has(v, WRITTEN) && !w.uses.has(v, READ | ELSEWHERE)
        };
        // A result that nobody reads may be meant so; one that a branch makes for itself is lost.
        let inside = |&op: &OpId| ir.parent_block(op) != ir.parent_block(def);
        let lost: SmallVec<[OpId; 4]> =
            made.iter().copied().filter(twin).filter_map(|v| ir.defining_op(v)).filter(inside).take(4).collect();
        let short = ir.op_name(reader).trim_start_matches("pto.");
        let message = format!("{short}: {name} is read before any write: nothing in the function writes it");
        let mut d = Diagnostic::warning(codes::NEVER_WRITTEN, ir.op(reader).span, message)
            .at("reads it")
            .label(ir.op(def).span, "made here, with whatever the memory holds");
        // The value went somewhere else.
        for &op in &lost {
            d.severity = Severity::Error;
            d = d.label(ir.op(op).span, "a tile of the same type that is written and never read");
        }
        let d = d.note("a tile has no value until an instruction writes it");
        w.out.push(d.help("write it first, or read the tile that was meant"));
    }
}
