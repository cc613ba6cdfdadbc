//! Which value is visible where.

use crate::{BlockId, Ir, OpId, RegionId, Traits, ValueDef, ValueId};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graphmap::DiGraphMap;
use rustc_hash::FxHashMap;

/// Dominance between ops and values.
///
/// Order inside a block is numbered once per block on first use, so a query costs the nesting distance; block dominators
/// are computed once per region with more than one block. Compute it anew after the program changed.
#[derive(Debug, Default)]
pub struct Dominance {
    order: Vec<u32>,
    numbered: Vec<bool>,
    regions: FxHashMap<RegionId, Dominators<BlockId>>,
}

impl Dominance {
    /// Nothing computed yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn position(&mut self, ir: &Ir, block: BlockId, op: OpId) -> u32 {
        if self.numbered.len() <= block.index() {
            self.numbered.resize(ir.block_count().max(block.index() + 1), false);
        }
        if !self.numbered[block.index()] {
            self.numbered[block.index()] = true;
            if self.order.len() < ir.op_count() {
                self.order.resize(ir.op_count(), 0);
            }
            for (i, o) in ir.block_ops(block).enumerate() {
                self.order[o.index()] = i as u32;
            }
        }
        self.order.get(op.index()).copied().unwrap_or(u32::MAX)
    }

    /// True when `a` comes before `b` in their common block.
    pub fn precedes(&mut self, ir: &Ir, a: OpId, b: OpId) -> bool {
        match (ir.parent_block(a), ir.parent_block(b)) {
            (Some(x), Some(y)) if x == y => self.position(ir, x, a) < self.position(ir, y, b),
            _ => false,
        }
    }

    fn block_dominates(&mut self, ir: &Ir, a: BlockId, b: BlockId) -> bool {
        if a == b {
            return true;
        }
        let (Some(ra), Some(rb)) = (ir.block_region(a), ir.block_region(b)) else { return false };
        if ra != rb {
            return false;
        }
        let dominators = self.regions.entry(ra).or_insert_with(|| region_dominators(ir, ra));
        // A block nobody reaches is dominated by everything.
        dominators.dominators(b).is_none_or(|mut d| d.any(|x| x == a))
    }

    /// True when `value` may be used by `user`: it is defined before it on every path, and no op that isolates its regions
    /// lies between.
    pub fn dominates(&mut self, ir: &Ir, value: ValueId, user: OpId) -> bool {
        let (def_block, def_op) = match ir.value(value).def {
            ValueDef::Arg(block, _) => (block, None),
            ValueDef::Result(op, _) => match ir.parent_block(op) {
                Some(block) => (block, Some(op)),
                None => return false,
            },
        };
        let def_region = ir.block_region(def_block);
        let mut at = user;
        // Climb until `at` lies in the region of the definition.
        loop {
            let Some(block) = ir.parent_block(at) else { return false };
            if ir.block_region(block) == def_region {
                return match def_op {
                    Some(def) if block == def_block => self.position(ir, block, def) < self.position(ir, block, at),
                    _ => self.block_dominates(ir, def_block, block),
                };
            }
            match ir.block_op(block) {
                Some(parent) if !ir.has_trait(parent, Traits::ISOLATED) => at = parent,
                _ => return false,
            }
        }
    }
}

fn region_dominators(ir: &Ir, region: RegionId) -> Dominators<BlockId> {
    let mut graph: DiGraphMap<BlockId, ()> = DiGraphMap::new();
    for &b in &ir.region(region).blocks {
        graph.add_node(b);
        if let Some(last) = ir.last_op(b) {
            for s in &ir.op(last).successors {
                graph.add_edge(b, s.block, ());
            }
        }
    }
    let entry = ir.region(region).blocks.first().copied().unwrap_or(ir.top());
    graph.add_node(entry);
    simple_fast(&graph, entry)
}
