//! A function reduced to what matters for unit flags: the steps on accumulator blocks under the control flow around them.

use super::blocks::{Blocks, is_acc};
use super::{Phase, Role, phase};
use crate::kinds::{Shape, kinds};
use crate::rule::Opd;
use crate::site::{Program, Site};
use ptoc_ir::{BlockId, Ir, NamedAttr, OpId, OpKind, RegionId, Traits, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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
        op: OpId,
        trips: Option<i64>,
        body: Vec<Part>,
    },
    /// One of several ways, chosen by a value.
    Choice {
        op: OpId,
        by: ValueId,
        arms: Vec<Vec<Part>>,
    },
    /// Steps in an order that is not followed.
    Tangle(Vec<Part>),
    /// A call that gets the block.
    Away(ValueId),
}

/// The outline of a block's operations.
pub(super) fn outline(p: &Program<'_>, blocks: &Blocks, block: BlockId) -> Vec<Part> {
    of_block(p, blocks, &mut Numbering::default(), block)
}

fn of_block(p: &Program<'_>, blocks: &Blocks, numbers: &mut Numbering, block: BlockId) -> Vec<Part> {
    let mut out = Vec::new();
    for op in p.ir.block_ops(block) {
        part(p, blocks, numbers, op, &mut out);
    }
    out
}

fn of_region(p: &Program<'_>, blocks: &Blocks, numbers: &mut Numbering, region: RegionId) -> Vec<Part> {
    match &p.ir.region(region).blocks[..] {
        [] => Vec::new(),
        [one] => of_block(p, blocks, numbers, *one),
        several => {
            let inside: Vec<Part> = several.iter().flat_map(|&b| of_block(p, blocks, numbers, b)).collect();
            if inside.is_empty() { inside } else { vec![Part::Tangle(inside)] }
        }
    }
}

fn part(p: &Program<'_>, blocks: &Blocks, numbers: &mut Numbering, op: OpId, out: &mut Vec<Part>) {
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
        numbers.see(p.ir, op, info.traits);
        return;
    }
    let mut arms: Vec<Vec<Part>> = data.regions.iter().map(|&r| of_region(p, blocks, numbers, r)).collect();
    if arms.iter().all(Vec::is_empty) {
        return;
    }
    match info.shape {
        Shape::For => out.push(Part::Loop { op, trips: trip_count(p, op), body: arms.swap_remove(0) }),
        Shape::If | Shape::Switch => {
            if info.shape == Shape::If {
                arms.resize_with(2, Vec::new);
            }
            let by = data.operands.first().map(|&v| numbers.of(v));
            match by {
                Some(by) => out.push(Part::Choice { op, by, arms }),
                None => out.push(Part::Tangle(arms.into_iter().flatten().collect())),
            }
        }
        Shape::While => out.push(Part::Tangle(arms.into_iter().flatten().collect())),
        _ => out.extend(arms.into_iter().flatten()),
    }
}

/// Which values are computed alike: conditions that are written twice are one condition.
#[derive(Default)]
struct Numbering {
    first: FxHashMap<Computation, ValueId>,
    same: FxHashMap<ValueId, ValueId>,
}

/// An operation without effects, but for its result.
#[derive(PartialEq, Eq, Hash)]
struct Computation {
    kind: OpKind,
    operands: SmallVec<[ValueId; 2]>,
    attrs: SmallVec<[NamedAttr; 1]>,
}

impl Numbering {
    fn of(&self, v: ValueId) -> ValueId {
        self.same.get(&v).copied().unwrap_or(v)
    }

    fn see(&mut self, ir: &Ir, op: OpId, traits: Traits) {
        let data = ir.op(op);
        let &[result] = &data.results[..] else { return };
        if !traits.has(Traits::PURE) || data.operands.len() > 3 {
            return;
        }
        let operands = data.operands.iter().map(|&v| self.of(v)).collect();
        let key = Computation { kind: data.kind, operands, attrs: data.attrs.iter().copied().collect() };
        let first = *self.first.entry(key).or_insert(result);
        if first != result {
            self.same.insert(result, first);
        }
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
