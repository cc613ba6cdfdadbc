//! Tiles that share bytes, and temporaries that are read.
//!
//! Tiles with addresses may overlap. A tile whose reads only ever see its own writes is a value whatever lies beside it; a
//! read that may see bytes written through other tiles makes all of these stay memory. The bytes of each memory are cut at all
//! starts and ends of tiles into cells, and [`flow`](super::flow) follows which tile each cell holds.

use super::buffers::{BufferId, Buffers, Reason};
use super::calls::Calls;
use super::extents::{Cuts, Extent, Place, Range, place};
use super::flow::{Flow, GARBAGE, MAYBE, MIXED, NOBODY, Owners, run};
use crate::structure::{Scope, walk_scope};
use ptoc_dialect::types::tile_of;
use ptoc_dialect::{Kind, def};
use ptoc_ir::{Ir, OpId, ValueId};
use ptoc_source::Span;
use ptoc_target::Loc;
use rustc_hash::FxHashMap;

/// Marks the buffers from `first` on that stay memory for what they share.
pub(super) fn mark(ir: &Ir, scope: Scope, first: usize, buffers: &mut Buffers, calls: &Calls) {
    let mut hidden: Vec<Extent> = Vec::new();
    let mut unknown: FxHashMap<Loc, Span> = FxHashMap::default();
    let mut calling: Option<Span> = None;
    walk_scope(ir, scope, &mut |op| {
        let span = ir.op(op).span;
        match ir.op_name(op) {
            "pto.alloc_multi_tile" | "pto.alloc_tile" => match place(ir, op) {
                Place::At(e) if ir.op(op).results.first().is_none_or(|&r| buffers.of(r).is_none()) => hidden.push(e),
                Place::Unknown(loc) => drop(unknown.entry(loc).or_insert(span)),
                _ => {}
            },
            "pto.tassign" => {
                let tile = ir.operand(op, 0).and_then(|v| tile_of(&ir.ctx, ir.value_type(v)));
                if let Some(t) = tile {
                    unknown.entry(t.loc).or_insert(span);
                }
            }
            _ if calls.may_place(ir, op) => calling = calling.or(Some(span)),
            _ => {}
        }
    });
    let extents: Vec<Option<Extent>> = buffers.list[first..]
        .iter()
        .map(|b| match b.alloc.map(|a| place(ir, a)) {
            Some(Place::At(e)) => Some(e),
            _ => None,
        })
        .collect();
    for (i, b) in (first..buffers.list.len()).enumerate() {
        let id = b as BufferId;
        let (loc, somewhere) = match buffers.list[b].alloc.map(|a| place(ir, a)) {
            Some(Place::Unknown(loc)) => (Some(loc), true),
            _ => (extents[i].map(|e| e.loc), false),
        };
        let Some(loc) = loc else { continue };
        if let Some(&span) = unknown.get(&loc) {
            buffers.mark(id, Reason::Overlapped, span);
            buffers.list[b].untracked |= somewhere;
        }
        if let Some(span) = calling {
            buffers.mark(id, Reason::Outside, span);
        }
    }
    follow(ir, scope, first, buffers, &extents, &hidden);
}

/// The cells of all buffers of a scope.
struct Cells {
    /// Cells of each buffer.
    ranges: Vec<Range>,
    count: usize,
    /// +1 where a poisoned range starts, -1 where it ends.
    poison: Vec<i32>,
}

impl Cells {
    fn new(extents: &[Option<Extent>], hidden: &[Extent]) -> (Cells, Vec<Range>) {
        let all: Vec<Extent> = extents.iter().flatten().chain(hidden).copied().collect();
        let cuts = Cuts::new(&all);
        let mut count = cuts.len();
        let ranges = extents
            .iter()
            .map(|e| match e {
                Some(e) => cuts.range(e),
                None => {
                    count += 1;
                    (count - 1, count)
                }
            })
            .collect();
        let hidden = hidden.iter().map(|e| cuts.range(e)).collect();
        (Cells { ranges, count: count as usize, poison: vec![0; count as usize + 1] }, hidden)
    }

    fn poison(&mut self, (lo, hi): (u32, u32)) {
        if lo < hi {
            self.poison[lo as usize] += 1;
            self.poison[hi as usize] -= 1;
        }
    }

    /// Number of poisoned cells before each cell.
    fn poisoned_before(&self) -> Vec<u32> {
        let (mut depth, mut total) = (0, 0);
        let mut before = Vec::with_capacity(self.poison.len() + 1);
        before.push(0);
        for &p in &self.poison {
            depth += p;
            total += u32::from(depth > 0);
            before.push(total);
        }
        before
    }
}

fn follow(ir: &Ir, scope: Scope, first: usize, buffers: &mut Buffers, extents: &[Option<Extent>], hidden: &[Extent]) {
    let (mut cells, hidden) = Cells::new(extents, hidden);
    hidden.iter().for_each(|&r| cells.poison(r));
    for (i, b) in buffers.list[first..].iter().enumerate() {
        let range = cells.ranges[i];
        if b.untracked {
            cells.poison(range);
        }
    }
    settle(first, buffers, &cells, extents);
    let live: Vec<bool> = buffers.list[first..].iter().map(|b| !b.untracked).collect();
    let mut owners = Owners::new(cells.count);
    let shared = vec![false; live.len()];
    let mut flow = Reads { buffers, first, cells: &mut cells, live, shared };
    for b in &buffers.list[first..] {
        if b.alloc.is_none() {
            flow.put(b.value, false, &mut owners);
        }
    }
    run(ir, scope.block, &mut flow, &mut owners);
    let shared = flow.shared;
    for (i, _) in shared.iter().enumerate().filter(|(_, s)| **s) {
        mark_shared(first, i, buffers, extents);
    }
    settle(first, buffers, &cells, extents);
}

fn mark_shared(first: usize, i: usize, buffers: &mut Buffers, extents: &[Option<Extent>]) {
    let reason = if extents[i].is_some() { Reason::Overlapped } else { Reason::Unwritable };
    buffers.mark((first + i) as BufferId, reason, Span::NONE);
}

/// Everything on a poisoned cell stays memory.
fn settle(first: usize, buffers: &mut Buffers, cells: &Cells, extents: &[Option<Extent>]) {
    let before = cells.poisoned_before();
    for (i, &(lo, hi)) in cells.ranges.iter().enumerate() {
        if before[hi as usize] > before[lo as usize] {
            mark_shared(first, i, buffers, extents);
        }
    }
}

/// Checks that every read of a tile sees what was written through that tile.
struct Reads<'a> {
    buffers: &'a Buffers,
    first: usize,
    cells: &'a mut Cells,
    /// Buffers that are followed.
    live: Vec<bool>,
    /// Buffers that a read finds bytes of other tiles in, and those other tiles.
    shared: Vec<bool>,
}

impl Reads<'_> {
    fn range(&self, value: ValueId) -> Option<(u32, (u32, u32))> {
        let i = (self.buffers.of(value)? as usize).checked_sub(self.first)?;
        self.live.get(i).copied().unwrap_or(false).then(|| (i as u32, self.cells.ranges[i]))
    }

    fn read(&mut self, value: ValueId, owners: &Owners) {
        let Some((me, (lo, hi))) = self.range(value) else { return };
        for c in lo..hi {
            match owners.get(c) {
                NOBODY => continue,
                o if o == me => continue,
                // Any tile there may be the one that is seen.
                MIXED | GARBAGE => self.cells.poison((c, c + 1)),
                o if o & MAYBE != 0 => self.cells.poison((c, c + 1)),
                o => self.share(o),
            }
            self.share(me);
        }
    }

    fn share(&mut self, buffer: u32) {
        if let Some(s) = self.shared.get_mut(buffer as usize) {
            *s = true;
        }
    }

    /// An allocation runs: a tile without address holds something undefined. One with an address holds what is there; what
    /// an earlier run of the same allocation left is not its content.
    fn begin(&self, value: ValueId, placed: bool, owners: &mut Owners) {
        if let Some((me, (lo, hi))) = self.range(value) {
            for c in lo..hi {
                match owners.get(c) {
                    _ if !placed => owners.set(c, me),
                    o if o | MAYBE == me | MAYBE => owners.set(c, GARBAGE),
                    _ => {}
                }
            }
        }
    }

    fn put(&self, value: ValueId, garbage: bool, owners: &mut Owners) {
        if let Some((me, (lo, hi))) = self.range(value) {
            (lo..hi).for_each(|c| owners.set(c, if garbage { GARBAGE } else { me }));
        }
    }
}

impl Flow for Reads<'_> {
    fn op(&mut self, ir: &Ir, op: OpId, owners: &mut Owners, report: bool) {
        let Some(d) = def(ir.op(op).kind) else {
            // The caller gets the content.
            if report && ir.op_name(op) == "func.return" {
                ir.op(op).operands.iter().for_each(|&v| self.read(v, owners));
            }
            return;
        };
        if d.name == "pto.alloc_tile" {
            ir.op(op).results.iter().for_each(|&r| self.begin(r, ir.operand(op, 0).is_some(), owners));
            return;
        }
        if matches!(d.name, "pto.get_validshape" | "pto.tile_valid_rows" | "pto.tile_valid_cols") {
            return;
        }
        let touched = |n: usize| matches!(d.operands[n].kind, Kind::Tile | Kind::Any);
        if report {
            for (n, operand) in d.operands.iter().enumerate().filter(|&(n, _)| touched(n)) {
                if operand.access().reads {
                    for i in 0..ir.segment_values(op, n).len() {
                        self.read(ir.segment_values(op, n)[i], owners);
                    }
                }
            }
        }
        for garbage in [true, false] {
            for (n, operand) in d.operands.iter().enumerate().filter(|&(n, _)| touched(n)) {
                let access = operand.access();
                if access.writes && access.clobbers == garbage {
                    ir.segment_values(op, n).iter().for_each(|&v| self.put(v, garbage, owners));
                }
            }
        }
    }
}
