//! Visiting every op.

use crate::{BlockId, Ir, OpId};

/// What a visitor wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// Go into the op's regions.
    Into,
    /// Skip the op's regions.
    Skip,
    /// End the walk.
    Stop,
}

/// Visits the ops below a block in program order, an op before the ops of its regions. Iterative: any depth is fine.
pub fn walk(ir: &Ir, block: BlockId, visit: &mut dyn FnMut(OpId) -> Walk) {
    let mut stack: Vec<(Option<OpId>, Option<BlockId>)> = vec![(None, Some(block))];
    // An entry is either a position in a block (next op to visit) or a block to start.
    while let Some((op, start)) = stack.pop() {
        let current = match (op, start) {
            (Some(op), _) => Some(op),
            (None, Some(b)) => ir.first_op(b),
            (None, None) => None,
        };
        let Some(op) = current else { continue };
        if let Some(next) = ir.next_op(op) {
            stack.push((Some(next), None));
        }
        match visit(op) {
            Walk::Stop => return,
            Walk::Skip => {}
            Walk::Into => {
                let blocks = ir.op(op).regions.iter().rev().flat_map(|&r| ir.region(r).blocks.iter().rev());
                stack.extend(blocks.map(|&b| (None, Some(b))));
            }
        }
    }
}
