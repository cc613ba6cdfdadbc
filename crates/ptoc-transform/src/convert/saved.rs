//! Values that are copied where they are made.
//!
//! - A value in the storage of a function argument that is read after another one took over: the caller finds the newest value
//!   there, so it is the older one that moves, and its readers read the copy.
//! - What a call returned, when it is used after another call: the function keeps its tiles at one place.
//! - A tile that a called function returns twice: the caller has two tiles.

use super::steps::{init_target, out_target};
use super::valid::is_value_tile;
use crate::structure::Scope;
use ptoc_dialect::{def, kind};
use ptoc_ir::{Form, Ir, OpId, OpKind, Use, Uses, ValueDef, ValueId};
use ptoc_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

static MOVE: LazyLock<OpKind> = LazyLock::new(|| kind("pto.tmov"));

/// Copies values where they are made and gives their readers the copies. What takes over their storage still does.
pub(super) fn save(ir: &mut Ir, values: &[ValueId]) {
    let uses = Uses::compute(ir);
    for &value in values {
        let copy = copy_of(ir, value);
        for &Use { op, operand } in uses.of(value) {
            if let Some(i) = operand.filter(|&i| !takes_over(ir, op, i as usize)) {
                ir.op_mut(op).operands[i as usize] = copy;
            }
        }
    }
}

/// Copies the results of calls, and uses the copies everywhere.
pub(super) fn keep(ir: &mut Ir, results: &[ValueId]) {
    let copies: FxHashMap<ValueId, ValueId> = results.iter().map(|&r| (r, copy_of(ir, r))).collect();
    let uses = Uses::compute(ir);
    for (&result, &copy) in &copies {
        let own = ir.defining_op(copy);
        for u in uses.of(result).iter().filter(|u| Some(u.op) != own) {
            if let Some(i) = u.operand {
                ir.op_mut(u.op).operands[i as usize] = copy;
            }
        }
    }
}

/// Gives a called function a copy for every tile that it returns a second time.
pub(super) fn tell_apart(ir: &mut Ir, scope: Scope) {
    let Some(end) = ir.last_op(scope.block).filter(|&op| ir.op_name(op) == "func.return") else { return };
    let mut seen: FxHashSet<ValueId> = FxHashSet::default();
    for i in 0..ir.op(end).operands.len() {
        let v = ir.op(end).operands[i];
        if is_value_tile(ir, v) && !seen.insert(v) {
            let copy = make_copy(ir, v, ir.op(end).span);
            ir.insert_before(end, copy);
            ir.op_mut(end).operands[i] = ir.op(copy).results[0];
        }
    }
}

/// True when an operand is a place to write to, or is handed on through a loop or a branch.
fn takes_over(ir: &Ir, op: OpId, i: usize) -> bool {
    if let Some(d) = def(ir.op(op).kind) {
        let written = |&(n, _): &(usize, _)| ir.segment(op, n).contains(&i);
        return d.operands.iter().enumerate().find(written).is_some_and(|(_, o)| o.access().writes);
    }
    init_target(ir, op, i).or_else(|| out_target(ir, op, i)).is_some()
}

/// A copy of a value, right behind its definition.
fn copy_of(ir: &mut Ir, value: ValueId) -> ValueId {
    let def = ir.value(value).def;
    let at = match def {
        ValueDef::Result(op, _) => Some(op),
        ValueDef::Arg(block, _) => ir.block_op(block),
    };
    let copy = make_copy(ir, value, at.map_or(Span::NONE, |op| ir.op(op).span));
    match def {
        ValueDef::Result(op, _) => ir.insert_after(op, copy),
        ValueDef::Arg(block, _) => ir.prepend(block, copy),
    }
    ir.op(copy).results[0]
}

/// A copy that stands nowhere yet.
fn make_copy(ir: &mut Ir, value: ValueId, span: Span) -> OpId {
    let ty = ir.value_type(value);
    let copy = ir.create_op(*MOVE, span, &[ty]);
    ir.op_mut(copy).form = Form::Ssa;
    ir.push_segment(copy, &[value]);
    for _ in 1..def(*MOVE).map_or(0, |d| d.operands.len()) {
        ir.push_segment(copy, &[]);
    }
    copy
}
