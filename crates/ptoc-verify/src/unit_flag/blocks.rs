//! Which block of the accumulator a tile is.

use crate::kinds::{KindInfo, Shape, Special, kinds};
use crate::rule::Opd;
use crate::site::{Program, Site};
use crate::unit_flag::Role;
use ptoc_ir::{OpId, ValueDef, ValueId, Walk, walk};
use ptoc_target::Loc;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Accumulator tiles of one function, grouped into blocks that share storage.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    parent: FxHashMap<ValueId, ValueId>,
    /// Address ranges that do not overlap, by start: end and one tile of the block.
    ranges: BTreeMap<u64, (u64, ValueId)>,
    /// Tiles that were given an address after they were made.
    assigned: FxHashSet<ValueId>,
}

impl Blocks {
    /// Groups the accumulator tiles of a function. `None` when the storage of some tile is decided at run time: nothing can
    /// then be said about any block.
    pub(super) fn of(p: &Program<'_>, func: OpId) -> Option<Blocks> {
        let ir = p.ir;
        let mut blocks = Blocks::default();
        let [region] = ir.op(func).regions[..] else { return Some(blocks) };
        let [body] = ir.region(region).blocks[..] else { return None };
        let mut sound = true;
        walk(ir, body, &mut |op| {
            if let Some(info) = kinds().get(ir.op(op).kind.index()) {
                sound &= blocks.see(p, op, info);
            }
            if sound { Walk::Into } else { Walk::Stop }
        });
        sound.then_some(blocks)
    }

    fn see(&mut self, p: &Program<'_>, op: OpId, info: &'static KindInfo) -> bool {
        let ir = p.ir;
        let data = ir.op(op);
        match info.role {
            Role::Product => {
                let site = Site::new(p, op, info);
                let Some(d) = site.value(Opd::Dst) else { return true };
                // The old accumulator and the new one are the same block.
                if let Some(a) = site.value(Opd::AccIn) {
                    self.join(p, a, d);
                }
                return self.place(p, d);
            }
            Role::Drain => {
                let source = Site::new(p, op, info).value(Opd::Src).filter(|&v| is_acc(p, v));
                return source.is_none_or(|s| self.place(p, s));
            }
            Role::None => {}
        }
        let makes_acc = || data.results.iter().any(|&r| is_acc(p, r));
        match (info.shape, info.special) {
            (Shape::For, _) => {
                self.carried(p, op);
                true
            }
            // A tile that control flow chooses, or that is made elsewhere.
            (Shape::While | Shape::If | Shape::Switch | Shape::Execute | Shape::Call, _) => !makes_acc(),
            (_, Special::TAssign) if data.results.is_empty() => {
                let Some(&t) = data.operands.first().filter(|&&t| is_acc(p, t)) else { return true };
                let moved = ir.defining_op(t).is_some_and(|d| ir.operand(d, 0).is_some());
                p.values.address(t).is_some() && !moved && self.assigned.insert(t)
            }
            (_, Special::AllocTile | Special::TAssign | Special::Subview | Special::Subset | Special::Reshape) => {
                ir.op_name(op) != "pto.multi_tile_get" || !makes_acc()
            }
            _ => !makes_acc(),
        }
    }

    /// Accumulators carried through a loop stay in their block.
    fn carried(&mut self, p: &Program<'_>, op: OpId) {
        let ir = p.ir;
        let data = ir.op(op);
        let Some(entry) = ir.body(op, 0) else { return };
        let inits = data.operands.iter().skip(3);
        let ends = ir.last_op(entry).map_or(&[][..], |y| &ir.op(y).operands[..]);
        let args = ir.block(entry).args.iter().skip(1);
        for (((&init, &arg), &end), &result) in inits.zip(args).zip(ends).zip(&data.results) {
            if is_acc(p, init) {
                for v in [arg, end, result] {
                    self.join(p, init, v);
                }
            }
        }
    }

    /// The tile that stands for the whole block.
    pub(super) fn find(&self, p: &Program<'_>, v: ValueId) -> ValueId {
        let mut at = p.values.root(v).0;
        while let Some(&up) = self.parent.get(&at) {
            at = up;
        }
        at
    }

    fn join(&mut self, p: &Program<'_>, a: ValueId, b: ValueId) {
        let (x, y) = (self.find(p, a), self.find(p, b));
        if x != y {
            // The older value stands for the block: there its name is.
            let (young, old) = if x.index() > y.index() { (x, y) } else { (y, x) };
            self.parent.insert(young, old);
            let leaf = if x == old { b } else { a };
            if leaf != young {
                self.parent.insert(leaf, old);
            }
        }
    }

    /// Joins a tile with the blocks at the same addresses; false when its storage is not known.
    fn place(&mut self, p: &Program<'_>, v: ValueId) -> bool {
        let root = self.find(p, v);
        if let ValueDef::Arg(block, _) = p.ir.value(root).def {
            let parent = p.ir.block_op(block).and_then(|o| kinds().get(p.ir.op(o).kind.index()));
            if parent.is_none_or(|k| k.shape != Shape::Func) {
                return false;
            }
        }
        let bytes = p.types.get(p.ir.value_type(root)).and_then(|f| f.tile).and_then(|t| t.bytes());
        let Some((mut start, bytes)) = p.values.address(root).zip(bytes) else { return true };
        let mut end = start.saturating_add(bytes);
        loop {
            let before = self.ranges.range(..end).next_back().map(|(&s, &(e, t))| (s, e, t));
            match before {
                Some((s, e, tile)) if e > start => {
                    if s <= start && e >= end && self.find(p, tile) == self.find(p, root) {
                        return true;
                    }
                    self.ranges.remove(&s);
                    self.join(p, tile, root);
                    (start, end) = (start.min(s), end.max(e));
                }
                _ => break,
            }
        }
        self.ranges.insert(start, (end, root));
        true
    }
}

/// True for a tile in the accumulator.
pub(super) fn is_acc(p: &Program<'_>, v: ValueId) -> bool {
    p.types.get(p.ir.value_type(v)).and_then(|f| f.tile).is_some_and(|t| t.loc == Loc::Acc)
}
