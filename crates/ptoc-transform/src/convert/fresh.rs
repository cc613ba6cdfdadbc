//! Allocations that the SSA form leaves out.
//!
//! An instruction without `into` writes a new tile, for which the way back makes a `pto.alloc_tile` at one place: directly in
//! front of the instruction, or in front of the outermost branch that hands the tile out. An allocation that is there already,
//! is named only by `into`, and has the valid sizes that would be made up, says nothing and is dropped.

use super::buffers::{BufferId, Buffers};
use super::valid::{Dim, Dims, alloc_dims, foreign_dims, result_dims};
use crate::structure::{Shape, shape};
use ptoc_dialect::{Dir, def};
use ptoc_ir::{Ir, OpId, Uses, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::RefCell;

/// A destination of an instruction that names the allocation as its old tile.
#[derive(Clone, Copy)]
struct Into {
    op: OpId,
    /// Operand segment.
    segment: usize,
}

/// An allocation that may go.
struct Candidate {
    alloc: OpId,
    /// The op that it has to stand in front of.
    anchor: OpId,
    /// Position among the tiles made in front of the anchor.
    rank: u32,
    intos: SmallVec<[Into; 2]>,
}

/// Drops every allocation that stands where the conversion to DPS would put it.
pub(super) fn drop_canonical(ir: &mut Ir, buffers: &mut Buffers) {
    let uses = Uses::compute(ir);
    let mut candidates: FxHashMap<BufferId, Candidate> = FxHashMap::default();
    let mut at: FxHashMap<OpId, Vec<BufferId>> = FxHashMap::default();
    let mut anchors: Vec<OpId> = Vec::new();
    for (i, b) in buffers.list.iter().enumerate() {
        let id = i as BufferId;
        if b.memory.is_some() {
            continue;
        }
        if let Some(c) = b.alloc.and_then(|a| candidate(ir, &uses, id, a)) {
            let here = at.entry(c.anchor).or_default();
            if here.is_empty() {
                anchors.push(c.anchor);
            }
            here.push(id);
            candidates.insert(id, c);
        }
    }
    for list in at.values_mut() {
        list.sort_by_key(|b| candidates[b].rank);
    }
    let mut queue = anchors.clone();
    let mut queued: FxHashSet<OpId> = anchors.iter().copied().collect();
    // Anchors to look at again when an allocation stays after all.
    let asked: RefCell<FxHashMap<BufferId, Vec<OpId>>> = RefCell::default();
    while let Some(anchor) = queue.pop() {
        queued.remove(&anchor);
        let judge = Judge { ir, buffers, uses: &uses, candidates: &candidates, asked: &asked };
        let mut kept = judge.misplaced(anchor, &at[&anchor]);
        // `into` names the first destinations: one that keeps its old tile makes those before it keep theirs.
        while let Some(id) = kept.pop() {
            let Some(c) = candidates.remove(&id) else { continue };
            for into in &c.intos {
                for other in earlier(ir, buffers, into) {
                    if let Some(o) = candidates.get(&other) {
                        if queued.insert(o.anchor) {
                            queue.push(o.anchor);
                        }
                        kept.push(other);
                    }
                }
            }
            let again = asked.borrow_mut().remove(&id).unwrap_or_default();
            for anchor in again.into_iter().chain([c.anchor]) {
                if queued.insert(anchor) {
                    queue.push(anchor);
                }
            }
        }
    }
    let mut gone: Vec<BufferId> = candidates.keys().copied().collect();
    gone.sort_unstable();
    for id in gone {
        let c = &candidates[&id];
        for into in &c.intos {
            ir.set_segment(into.op, into.segment, &[]);
        }
        let queries: SmallVec<[OpId; 2]> = own_queries(ir, &uses, c.alloc).into_iter().flatten().collect();
        ir.erase(c.alloc);
        queries.into_iter().for_each(|q| ir.erase(q));
    }
}

/// Buffers that earlier destinations of the same instruction name as old tiles.
fn earlier(ir: &Ir, buffers: &Buffers, into: &Into) -> SmallVec<[BufferId; 2]> {
    let Some(d) = def(ir.op(into.op).kind) else { return SmallVec::new() };
    d.dests().filter(|&(n, _)| n < into.segment).filter_map(|(n, _)| buffers.of(ir.operand(into.op, n)?)).collect()
}

fn candidate(ir: &Ir, uses: &Uses, id: BufferId, alloc: OpId) -> Option<Candidate> {
    let data = ir.op(alloc);
    if ir.operand(alloc, 0).is_some() || !data.attrs.is_empty() || data.loc.is_some() {
        return None;
    }
    let block = ir.parent_block(alloc)?;
    let mut intos: SmallVec<[Into; 2]> = SmallVec::new();
    let mut anchor = None;
    for u in uses.of(*data.results.first()?) {
        let d = def(ir.op(u.op).kind)?;
        let at = u.operand? as usize;
        let segment = (0..d.operands.len()).find(|&n| ir.segment(u.op, n).contains(&at))?;
        let operand = &d.operands[segment];
        if !d.has_value_form() || !operand.is_dest() || operand.dir != Dir::Out {
            return None;
        }
        intos.push(Into { op: u.op, segment });
        let mut top = u.op;
        while ir.parent_block(top)? != block {
            top = ir.parent_op(top)?;
            if !matches!(shape(ir, top), Shape::Branches | Shape::Block) {
                return None;
            }
        }
        if anchor.replace(top).is_some_and(|a| a != top) {
            return None;
        }
    }
    let anchor = anchor?;
    // Destinations in table order; results of a branch in the order of the buffers.
    let rank = match intos.as_slice() {
        [one] if one.op == anchor => one.segment as u32,
        _ => id,
    };
    Some(Candidate { alloc, anchor, rank, intos })
}

/// Compares allocations with those that would be made.
struct Judge<'a> {
    ir: &'a Ir,
    buffers: &'a Buffers,
    uses: &'a Uses,
    candidates: &'a FxHashMap<BufferId, Candidate>,
    /// For each buffer, the anchors whose verdict depends on whether its allocation goes.
    asked: &'a RefCell<FxHashMap<BufferId, Vec<OpId>>>,
}

impl Judge<'_> {
    /// The candidates in front of an anchor that do not stand exactly where they would be made.
    fn misplaced(&self, anchor: OpId, here: &[BufferId]) -> Vec<BufferId> {
        let mut kept = Vec::new();
        let mut before = self.ir.prev_op(anchor);
        for &id in here.iter().rev() {
            let Some(c) = self.candidates.get(&id) else { continue };
            match self.made_up(c).filter(|_| before == Some(c.alloc)) {
                Some(first) => before = self.ir.prev_op(first),
                None => kept.push(id),
            }
        }
        kept
    }

    /// The first of the ops that make the tile (queries of valid sizes, then the allocation), when its valid sizes are
    /// those that would be made up.
    fn made_up(&self, c: &Candidate) -> Option<OpId> {
        let ir = self.ir;
        let ty = ptoc_dialect::types::tile_of(&ir.ctx, ir.value_type(*ir.op(c.alloc).results.first()?))?;
        let written = [ir.operand(c.alloc, 1), ir.operand(c.alloc, 2)];
        if ty.valid_rows.is_some() && ty.valid_cols.is_some() {
            return (written == [None, None]).then_some(c.alloc);
        }
        let into = c.intos.first()?;
        let dims = result_dims(ir, into.op, into.segment, &|v| self.tile_dims(v, c.anchor))?;
        let queries = own_queries(ir, self.uses, c.alloc);
        let mut first = c.alloc;
        for axis in [1, 0] {
            let same = match (dims[axis], written[axis], queries[axis]) {
                (Dim::Static, None, _) => true,
                (Dim::Value(v), Some(w), _) => v == w,
                (Dim::RowsOf(v) | Dim::ColsOf(v), Some(_), Some(query)) => {
                    let there = ir.prev_op(first) == Some(query) && self.asks(query, dims[axis]);
                    first = query;
                    there && ir.operand(query, 0).is_some_and(|a| self.same_tile(a, v))
                }
                _ => false,
            };
            if !same {
                return None;
            }
        }
        Some(first)
    }

    fn asks(&self, query: OpId, dim: Dim) -> bool {
        let rows = matches!(dim, Dim::RowsOf(_));
        self.ir.op_name(query) == if rows { "pto.tile_valid_rows" } else { "pto.tile_valid_cols" }
    }

    fn same_tile(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.buffers.of(a).is_some() && self.buffers.of(a) == self.buffers.of(b)
    }

    /// Valid sizes of a tile operand.
    fn tile_dims(&self, value: ValueId, anchor: OpId) -> Option<Dims> {
        let ir = self.ir;
        let Some(id) = self.buffers.promoted(value) else { return foreign_dims(ir, value) };
        let buffer = &self.buffers.list[id as usize];
        let Some(alloc) = buffer.alloc else { return foreign_dims(ir, buffer.value) };
        let mut dims = alloc_dims(ir, alloc)?;
        // Sizes that the allocation itself asked for are asked for again.
        for (axis, query) in own_queries(ir, self.uses, alloc).into_iter().enumerate() {
            if let (Some(query), true) = (query, self.candidates.contains_key(&id)) {
                self.asked.borrow_mut().entry(id).or_default().push(anchor);
                let of = ir.operand(query, 0)?;
                let of = self.buffers.promoted(of).map_or(of, |b| self.buffers.list[b as usize].value);
                dims[axis] = if axis == 0 { Dim::RowsOf(of) } else { Dim::ColsOf(of) };
            }
        }
        Some(dims)
    }
}

/// The ops that ask for the valid rows and columns of an allocation and serve nothing else.
fn own_queries(ir: &Ir, uses: &Uses, alloc: OpId) -> [Option<OpId>; 2] {
    [1, 2].map(|segment| {
        let v = ir.operand(alloc, segment)?;
        let op = ir.defining_op(v)?;
        (uses.of(v).len() == 1 && matches!(ir.op_name(op), "pto.tile_valid_rows" | "pto.tile_valid_cols")).then_some(op)
    })
}
