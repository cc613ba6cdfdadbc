//! SSA to sync: temporaries disappear.
//!
//! A temporary is left out when the way back makes one again, or when the target needs none; its allocation goes when nothing
//! else uses it. Where a temporary selects another way of computing, or something else uses the tile, the instruction keeps the
//! SSA form.

use super::temporaries::is_hidden;
use super::to_ssa;
use crate::codes;
use crate::structure::{scopes, walk_scope};
use ptoc_dialect::asm::fits_value_form;
use ptoc_dialect::def;
use ptoc_ir::{Form, Ir, OpId, PassError, Uses, ValueId};
use ptoc_source::{Diagnostic, Severity};
use ptoc_target::Target;
use rustc_hash::FxHashSet;

/// Converts a program to the sync form.
///
/// Tiles that can't be values stay buffers, and instructions that need their temporary stay in SSA form, each with a note.
///
/// # Errors
/// Those of [`to_ssa`].
pub fn to_sync(ir: &mut Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
    to_ssa(ir, target, diagnostics)?;
    let uses = Uses::compute(ir);
    let mut ops: Vec<OpId> = Vec::new();
    for scope in scopes(ir) {
        walk_scope(ir, scope, &mut |op| {
            if ir.op(op).form == Form::Ssa {
                ops.push(op);
            }
        });
    }
    // Tiles that some instruction needs to see keep their name everywhere, or the way back would clobber another tile.
    let needed: FxHashSet<ValueId> =
        ops.iter().filter(|&&op| !can_hide(ir, op, &uses)).flat_map(|&op| temporaries(ir, op)).collect();
    let mut kept: Vec<OpId> = Vec::new();
    let mut dropped: Vec<ValueId> = Vec::new();
    for op in ops {
        let temporaries: Vec<ValueId> = temporaries(ir, op).collect();
        let hides =
            temporaries.is_empty() || can_hide(ir, op, &uses) && !temporaries.iter().any(|t| needed.contains(t));
        if !hides || !fits_value_form(ir, op, true) {
            kept.push(op);
            continue;
        }
        ir.op_mut(op).form = Form::Sync;
        if let Some(d) = def(ir.op(op).kind) {
            for (n, _) in d.operands.iter().enumerate().filter(|(_, o)| o.scratch) {
                if ir.operand(op, n).is_some() {
                    ir.set_segment(op, n, &[]);
                }
            }
        }
        dropped.extend(temporaries);
    }
    remove_unused(ir, &dropped);
    report(ir, &kept, diagnostics);
    Ok(())
}

/// The temporaries of an op.
fn temporaries(ir: &Ir, op: OpId) -> impl Iterator<Item = ValueId> + '_ {
    let operands = def(ir.op(op).kind).map_or(&[][..], |d| d.operands);
    let scratch = operands.iter().enumerate().filter(|(_, o)| o.scratch).map(|(n, _)| n);
    scratch.flat_map(move |n| ir.segment_values(op, n).iter().copied())
}

/// True when the op means the same without its temporaries, and they are plain tiles that serve nothing else.
fn can_hide(ir: &Ir, op: OpId, uses: &Uses) -> bool {
    is_hidden(ir, op)
        && temporaries(ir, op).all(|t| {
            ir.defining_op(t).is_some_and(|a| ir.op_name(a) == "pto.alloc_tile")
                && uses.of(t).iter().all(|u| temporaries(ir, u.op).any(|x| x == t) && u.operand.is_some())
        })
}

/// Removes allocations that only hidden temporaries named.
fn remove_unused(ir: &mut Ir, dropped: &[ValueId]) {
    let uses = Uses::compute(ir);
    let mut gone: FxHashSet<OpId> = FxHashSet::default();
    for &t in dropped {
        if let Some(alloc) = ir.defining_op(t).filter(|_| uses.is_unused(t))
            && gone.insert(alloc)
        {
            ir.erase(alloc);
        }
    }
}

fn report(ir: &Ir, kept: &[OpId], diagnostics: &mut Vec<Diagnostic>) {
    let Some(&first) = kept.first() else { return };
    let message = match kept.len() {
        1 => format!("{} stays in SSA form", ir.op_name(first)),
        n => format!("{n} instructions stay in SSA form, the first is {}", ir.op_name(first)),
    };
    let mut d = Diagnostic::warning(codes::NOT_SYNC, ir.op(first).span, message)
        .note("its temporary changes what it computes, is used elsewhere, or its operands can't be told apart in the sync form");
    d.severity = Severity::Note;
    diagnostics.push(d);
}
