//! SSA to sync: temporaries disappear.
//!
//! A temporary is left out when the way back makes one again, or when the target never touches it; its allocation goes when
//! nothing else uses it. Where a temporary selects another way of computing, or something else uses the tile, the instruction
//! keeps the SSA form, as does one without a temporary that would get one on the way back.

use super::temporaries::{is_hidden, is_made};
use super::to_ssa;
use crate::codes;
use crate::structure::{scopes, walk_scope};
use ptoc_dialect::asm::fits_value_form;
use ptoc_dialect::def;
use ptoc_ir::{Form, Ir, OpId, PassError, Uses, ValueId};
use ptoc_source::{Diagnostic, Severity};
use ptoc_target::{Arch, Target};
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
    let hidden: Vec<bool> = ops.iter().map(|&op| can_hide(ir, op, target.arch, &uses)).collect();
    let shown = ops.iter().zip(&hidden).filter(|(_, hidden)| !**hidden);
    let needed: FxHashSet<ValueId> = shown.flat_map(|(&op, _)| temporaries(ir, op)).collect();
    let (mut kept, mut flipped): (Vec<OpId>, Vec<OpId>) = (Vec::new(), Vec::new());
    for (op, hidden) in ops.into_iter().zip(hidden) {
        let hides = hidden && !temporaries(ir, op).any(|t| needed.contains(&t)) && fits_value_form(ir, op, true);
        if hides { flipped.push(op) } else { kept.push(op) }
    }
    let mut dropped: Vec<ValueId> = Vec::new();
    for op in flipped {
        dropped.extend(temporaries(ir, op));
        ir.op_mut(op).form = Form::Sync;
        if let Some(d) = def(ir.op(op).kind) {
            for (n, _) in d.operands.iter().enumerate().filter(|(_, o)| o.scratch) {
                if ir.operand(op, n).is_some() {
                    ir.set_segment(op, n, &[]);
                }
            }
        }
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

/// True when the op means the same in the sync form, and its temporaries are plain tiles that serve nothing else.
fn can_hide(ir: &Ir, op: OpId, arch: Arch, uses: &Uses) -> bool {
    if temporaries(ir, op).next().is_none() {
        return !is_made(ir, op, arch);
    }
    is_hidden(ir, op, arch)
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
        .note("the sync form hides temporaries: this one's changes what it computes or is used elsewhere, or it has none and would \
             get one on the way back; or its operands can't be told apart in the sync form");
    d.severity = Severity::Note;
    diagnostics.push(d);
}
