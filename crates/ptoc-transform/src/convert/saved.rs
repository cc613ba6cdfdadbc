//! Values that are read after others took over their storage, where the storage is that of a function argument.
//!
//! The caller finds the newest value there, so it is not the one that moves: the older value is copied where it is made, and
//! its readers read the copy.

use super::storage::{init_target, out_target};
use ptoc_dialect::{def, kind};
use ptoc_ir::{Form, Ir, OpId, OpKind, Use, Uses, ValueDef, ValueId};
use ptoc_source::Span;
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
    let ty = ir.value_type(value);
    let (block, after) = match ir.value(value).def {
        ValueDef::Result(op, _) => (None, Some(op)),
        ValueDef::Arg(block, _) => (Some(block), None),
    };
    let span = after.or_else(|| ir.block_op(block?)).map_or(Span::NONE, |op| ir.op(op).span);
    let copy = ir.create_op(*MOVE, span, &[ty]);
    ir.op_mut(copy).form = Form::Ssa;
    ir.push_segment(copy, &[value]);
    for _ in 1..def(*MOVE).map_or(0, |d| d.operands.len()) {
        ir.push_segment(copy, &[]);
    }
    match (block, after) {
        (_, Some(op)) => ir.insert_after(op, copy),
        (Some(block), None) => ir.prepend(block, copy),
        (None, None) => {}
    }
    ir.op(copy).results[0]
}
