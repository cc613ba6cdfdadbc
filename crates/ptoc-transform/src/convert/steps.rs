//! The steps by which one value takes over the storage of another, and where each of them leads.

use crate::structure::{Shape, shape};
use ptoc_dialect::OpDef;
use ptoc_ir::{Ir, OpId, Traits, ValueId};
use smallvec::SmallVec;

/// Where one value takes over the storage of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    /// The old tile of a destination: operand segment of an instruction.
    Into(OpId, u32),
    /// The n-th operand of a loop, as initial value.
    Init(OpId, u32),
    /// The n-th operand of a terminator.
    Out(OpId, u32),
    /// A temporary, which loses its content: operand segment of an instruction. A cut one gets storage of its own.
    Scratch(OpId, u32),
    /// The n-th operand of a call that may write it.
    Call(OpId, u32),
}

/// Some steps.
pub(super) type Steps = SmallVec<[Step; 2]>;

/// The tile whose storage a destination takes over, with its operand segment: the one behind `into`, or the accumulator that a
/// product is added to.
pub(super) fn old_tile(ir: &Ir, op: OpId, d: &OpDef, dest: usize) -> Option<(u32, ValueId)> {
    if let Some(old) = ir.operand(op, dest) {
        return Some((dest as u32, old));
    }
    let accumulator = d.operands.iter().position(|o| matches!(o.name, "acc_in" | "c_in"))?;
    Some((accumulator as u32, ir.operand(op, accumulator)?))
}

/// The terminator of the n-th region.
pub(super) fn end(ir: &Ir, op: OpId, n: usize) -> Option<OpId> {
    ir.body(op, n).and_then(|b| ir.last_op(b))
}

pub(super) fn shape_of(ir: &Ir, op: OpId) -> Option<Shape> {
    (!ir.op(op).regions.is_empty()).then(|| shape(ir, op))
}

/// The value whose storage the i-th operand of a loop goes to.
pub(super) fn init_target(ir: &Ir, op: OpId, i: usize) -> Option<ValueId> {
    let args = &ir.block(ir.body(op, 0)?).args;
    match shape(ir, op) {
        Shape::For => args.get(i.checked_sub(2)?).copied(),
        Shape::While => args.get(i).copied(),
        _ => None,
    }
}

/// The value whose storage the i-th operand of a terminator goes to.
pub(super) fn out_target(ir: &Ir, end: OpId, i: usize) -> Option<ValueId> {
    if !ir.has_trait(end, Traits::TERMINATOR) {
        return None;
    }
    let op = ir.parent_op(end)?;
    let block = ir.parent_block(end)?;
    match shape(ir, op) {
        Shape::For => ir.block(block).args.get(i + 1).copied(),
        Shape::While if ir.body(op, 0) == Some(block) => ir.op(op).results.get(i.checked_sub(1)?).copied(),
        Shape::While => ir.block(ir.body(op, 0)?).args.get(i).copied(),
        Shape::Branches | Shape::Block => ir.op(op).results.get(i).copied(),
        Shape::Section | Shape::Unknown => None,
    }
}
