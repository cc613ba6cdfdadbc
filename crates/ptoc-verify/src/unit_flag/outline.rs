//! A function reduced to what matters for unit flags: the steps on accumulator blocks under the control flow around them.

use super::blocks::{Blocks, is_acc};
use super::{Phase, Role, phase};
use crate::kinds::{Shape, kinds};
use crate::rule::Opd;
use crate::site::{Program, Site};
use ptoc_ir::{BlockId, OpId, RegionId, ValueId};

/// One product or drain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) op: OpId,
    pub(super) role: Role,
    pub(super) phase: Phase,
    pub(super) block: ValueId,
}

/// A part of the outline. Parts without steps are left out.
#[derive(Debug)]
pub(super) enum Part {
    Step(Step),
    /// A counted loop; `trips` when its bounds are constants.
    Loop {
        trips: Option<i64>,
        body: Vec<Part>,
    },
    /// One of several ways; `skips` when none of them may be taken.
    Choice {
        arms: Vec<Vec<Part>>,
        skips: bool,
    },
    /// Steps in an order that is not followed.
    Tangle(Vec<Part>),
    /// A call that gets the block.
    Away(ValueId),
}

/// The outline of a block's operations.
pub(super) fn outline(p: &Program<'_>, blocks: &Blocks, block: BlockId) -> Vec<Part> {
    let mut out = Vec::new();
    for op in p.ir.block_ops(block) {
        part(p, blocks, op, &mut out);
    }
    out
}

fn of_region(p: &Program<'_>, blocks: &Blocks, region: RegionId) -> Vec<Part> {
    match &p.ir.region(region).blocks[..] {
        [] => Vec::new(),
        [one] => outline(p, blocks, *one),
        several => {
            let inside: Vec<Part> = several.iter().flat_map(|&b| outline(p, blocks, b)).collect();
            if inside.is_empty() { inside } else { vec![Part::Tangle(inside)] }
        }
    }
}

fn part(p: &Program<'_>, blocks: &Blocks, op: OpId, out: &mut Vec<Part>) {
    let ir = p.ir;
    let data = ir.op(op);
    let Some(info) = kinds().get(data.kind.index()) else { return };
    if info.role != Role::None {
        let site = Site::new(p, op, info);
        let tile = match info.role {
            Role::Product => site.value(Opd::Dst),
            _ => site.value(Opd::Src),
        };
        if let Some(tile) = tile.filter(|&t| is_acc(p, t)) {
            out.push(Part::Step(Step { op, role: info.role, phase: phase(&site), block: blocks.find(p, tile) }));
        }
        return;
    }
    if info.shape == Shape::Call {
        out.extend(data.operands.iter().filter(|&&v| is_acc(p, v)).map(|&v| Part::Away(blocks.find(p, v))));
    }
    if data.regions.is_empty() {
        return;
    }
    let mut arms: Vec<Vec<Part>> = data.regions.iter().map(|&r| of_region(p, blocks, r)).collect();
    if arms.iter().all(Vec::is_empty) {
        return;
    }
    match info.shape {
        Shape::For => out.push(Part::Loop { trips: trip_count(p, op), body: arms.swap_remove(0) }),
        Shape::If => out.push(Part::Choice { skips: arms.len() < 2, arms }),
        Shape::Switch => out.push(Part::Choice { skips: false, arms }),
        Shape::While => out.push(Part::Tangle(arms.into_iter().flatten().collect())),
        _ => out.extend(arms.into_iter().flatten()),
    }
}

/// How often a loop runs, when its bounds are constants.
fn trip_count(p: &Program<'_>, op: OpId) -> Option<i64> {
    let operands = &p.ir.op(op).operands;
    let number = |i: usize| operands.get(i).and_then(|&v| p.values.number(v));
    let (lower, upper, step) = (number(0)?, number(1)?, number(2)?);
    if step <= 0 {
        return None;
    }
    let span = upper.checked_sub(lower)?.max(0);
    Some(span / step + i64::from(span % step != 0))
}

/// Number of steps.
pub(super) fn size(parts: &[Part]) -> usize {
    parts
        .iter()
        .map(|p| match p {
            Part::Step(_) | Part::Away(_) => 1,
            Part::Loop { body, .. } | Part::Tangle(body) => size(body),
            Part::Choice { arms, .. } => arms.iter().map(|a| size(a)).sum(),
        })
        .sum()
}
