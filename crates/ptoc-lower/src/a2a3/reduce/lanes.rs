//! Integers and products: blocks into one block, and its lanes into one element.

use super::super::area::{Area, pointers};
use super::super::map;
use super::super::vector::{Lane, MAX_STRIDE, Mask, Steps, Vector};
use super::plan::Plan;
use super::{Batch, Reduction};
use crate::{Call, Em, Res, Sc};
use ptoc_ir::builtin;
use ptoc_target::DType;

impl Reduction {
    pub(super) fn by_lanes(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        let plan = self.plan();
        if self.room() < 32 && !plan.bare {
            let what = format!("a temporary of {} bytes: it needs at least 32", self.room());
            return Err(call.unsupported(em, what));
        }
        if plan.bare {
            Vector::scope(em, |v| {
                v.before_scalar();
                let all = Batch { first: 0.into(), rows: self.rows, most: self.most_rows };
                self.fold_scalars(v, all, self.src, self.cols);
                v.after_scalar();
            });
            return Ok(());
        }
        Vector::scope(em, |v| {
            if plan.most == 1 && plan.chunks == 0 {
                // Rows one by one keep the mask from row to row.
                v.mask(Mask::Count(self.lane().block().into()));
            }
            // What goes through the scalar unit has waited there.
            self.batches(v, plan.most, plan.vector, |v, b| {
                let mut src = self.src.at_row(v.em, b.first);
                let mut cols = self.cols;
                if plan.chunks > 0 {
                    src = self.chunk(v, b, src, plan.chunks);
                    cols = self.lane().repeat().into();
                    v.barrier();
                }
                let blocks = self.part(plan.blocks_at);
                let blocks = self.one_block(v, b, src, cols, blocks);
                if plan.vector {
                    v.barrier();
                    self.fold_lanes(v, b, blocks, &plan);
                } else {
                    v.before_scalar();
                    self.fold_scalars(v, b, blocks, self.lane().block().into());
                    v.after_scalar();
                }
            });
        });
        Ok(())
    }

    /// A part of the temporary, from that byte on, as blocks one after another.
    pub(super) fn part(&self, bytes: i64) -> Area {
        let mut a = self.tmp.unwrap_or(self.src).with_pitch(1);
        if let Sc::Const(start) = a.start {
            a.start = Sc::Const(start + bytes / 32);
        }
        a
    }

    /// Combines the blocks of each row into one, from the identity on. Gives the area of those blocks: `into`, or the source
    /// itself when each of its rows is one block.
    fn one_block(&self, v: &mut Vector<'_, '_>, b: Batch, src: Area, cols: Sc, into: Area) -> Area {
        let e = self.lane().block();
        if cols.is(e) && src.pitch == 1 {
            return src;
        }
        let mask = self.block_mask(v, b, [into, into, src], e.into());
        v.mask(mask);
        let number = self.identity(v);
        map::fill(v, into, number, b.rows, e.into());
        let (n, rest) = (v.em.div(cols, e), v.em.rem(cols, e));
        if !n.is(0) {
            v.mask(mask);
        }
        v.each_unrolled(n, |v, k| {
            let block = src.after(v.em, k);
            v.barrier();
            self.combine_blocks(v, b, [into, into, block], e.into());
        });
        if !rest.is(0) {
            let block = src.after(v.em, n);
            v.barrier();
            self.combine_blocks(v, b, [into, into, block], rest);
        }
        into
    }

    /// True when the blocks of eight rows can share a repeat: its blocks are as far apart as the rows.
    fn shares(&self, areas: [Area; 3], lanes: Sc) -> bool {
        lanes.is(self.lane().block()) && areas.iter().all(|a| 8 * a.pitch <= MAX_STRIDE)
    }

    /// The mask of [`Reduction::combine_blocks`].
    fn block_mask(&self, v: &mut Vector<'_, '_>, b: Batch, areas: [Area; 3], lanes: Sc) -> Mask {
        match self.shares(areas, lanes) {
            _ if b.rows.is(1) => Mask::Count(lanes),
            true => Mask::Count(v.em.mul(b.rows, self.lane().block())),
            false => Mask::First(lanes),
        }
    }

    /// One instruction on the first `lanes` lanes of a block of each row.
    fn combine_blocks(&self, v: &mut Vector<'_, '_>, b: Batch, areas: [Area; 3], lanes: Sc) {
        let mask = self.block_mask(v, b, areas, lanes);
        v.mask(mask);
        if !self.shares(areas, lanes) {
            return self.combine(v, b, areas);
        }
        let p = pointers(v.em, areas, |_, _| Sc::Const(0));
        let steps =
            Steps { repeat: 1.into(), block: areas.map(|a| a.pitch.into()), next: areas.map(|a| (8 * a.pitch).into()) };
        v.op(self.fold.lanes, &p, None, &steps);
    }

    /// In the scalar unit, row by row: the first `lanes` elements of each row of `src`, from left to right. f16 is
    /// multiplied in f32 and rounded once.
    fn fold_scalars(&self, v: &mut Vector<'_, '_>, b: Batch, src: Area, lanes: Sc) {
        let elem = self.lane().elem;
        let half = self.dtype == DType::F16;
        let op = self.fold.scalar[usize::from(!self.dtype.is_float())];
        let wide = if half { builtin::F32 } else { elem };
        let (from, to) = (src.ptr_to(v.em, 0), self.dst.ptr_to(v.em, 0));
        v.each(b.rows, |v, r| {
            let em = &mut *v.em;
            let row = em.mul(r, src.pitch * src.lane.block());
            let load = |em: &mut Em<'_>, i: Sc| {
                let at = em.add(row, i);
                let (p, at) = (from, em.index(at));
                let x = em.emit1("pto.load_scalar", &[p, at], elem);
                if half { em.emit1("arith.extf", &[x], wide) } else { x }
            };
            let first = load(em, Sc::Const(0));
            let sum = match lanes {
                Sc::Const(n) => {
                    let mut sum = first;
                    for i in 1..n {
                        let x = load(em, Sc::Const(i));
                        sum = em.emit1(op, &[sum, x], wide);
                    }
                    sum
                }
                n => {
                    let more = em.sub(n, 1);
                    let out = em.for_carry(more, &[first], |em, i, carried| {
                        let i = em.add(i, 1);
                        let x = load(em, i);
                        vec![em.emit1(op, &[carried[0], x], wide)]
                    });
                    out.first().copied().unwrap_or(first)
                }
            };
            let sum = if half { em.emit1("arith.truncf", &[sum], elem) } else { sum };
            let row = em.add(b.first, r);
            let at = em.mul(row, self.step);
            let at = em.index(at);
            em.emit("pto.store_scalar", &[to, at, sum]);
        });
    }

    /// By halves over all rows: the even lanes packed, the odd lanes packed, and the two combined, until one is left.
    fn fold_lanes(&self, v: &mut Vector<'_, '_>, b: Batch, blocks: Area, plan: &Plan) {
        let e = self.lane().block();
        let mut lane = self.lane();
        let mut from = blocks;
        let all = v.em.mul(b.rows, e);
        v.mask(Mask::Count(all));
        if self.dtype == DType::F16 {
            lane = Lane { elem: builtin::F32, bytes: 4 };
            let wide = self.part(plan.wide_at).seen_as(lane);
            let p = [wide.ptr(v.em, 0), from.ptr(v.em, 0)];
            v.op("pto.ub.vconv_f162f32", &p, None, &Steps::dense(1, [8, 4, 0]));
            v.barrier();
            from = wide;
        }
        let raw = Lane::unsigned(v.em, lane.bytes);
        let pairs = self.part(0).seen_as(lane);
        // Results go over the blocks, or where they would be when they are the source itself.
        let into = if lane == self.lane() { self.part(plan.blocks_at) } else { from };
        let column = self.step == 1 && lane == self.lane();
        let mut left = e;
        while left > 1 {
            let half = left / 2;
            let n = v.em.mul(b.rows, half);
            let bytes = v.em.mul(n, lane.bytes);
            let up = v.em.ceil_div(bytes, 32);
            let (even, odd) = (pairs, pairs.after(v.em, up));
            for (to, pattern) in [(even, 1), (odd, 2)] {
                let (p, q) = (to.seen_as(raw).ptr(v.em, 0), from.seen_as(raw).ptr(v.em, 0));
                v.pack(p, q, pattern);
            }
            v.barrier();
            v.mask(Mask::Count(n));
            let to = match half {
                1 if column => self.dst.ptr_to(v.em, b.first),
                _ => into.ptr(v.em, 0),
            };
            let p = [to, even.ptr(v.em, 0), odd.ptr(v.em, 0)];
            v.op(self.fold.lanes, &p, None, &Steps::dense(1, [8; 3]));
            if half > 1 || !column {
                v.barrier();
            }
            from = into;
            left = half;
        }
        if column {
            return;
        }
        let mut results = from;
        if self.dtype == DType::F16 {
            let narrow = self.part(0);
            let to = if self.step == 1 { self.dst.ptr_to(v.em, b.first) } else { narrow.ptr(v.em, 0) };
            let p = [to, from.ptr(v.em, 0)];
            v.op("pto.ub.vconv_f322f16r", &p, None, &Steps::dense(1, [4, 8, 0]));
            if self.step == 1 {
                return;
            }
            v.barrier();
            results = narrow;
        }
        // A block for each result, and its first element to the row of the destination.
        let spread = self.part(if lane == self.lane() { 0 } else { plan.blocks_at });
        let raw = Lane::unsigned(v.em, self.lane().bytes);
        let groups = v.em.ceil_div(b.rows, 8);
        let (to, src) = (spread.seen_as(raw), results.seen_as(raw));
        let (p, q) = (to.ptr(v.em, 0), src.ptr(v.em, 0));
        v.broadcast(p, q, 1, 8, groups);
        v.barrier();
        let dst = self.dst.at_row(v.em, b.first).seen_as(raw);
        map::Map { name: "pto.ub.vcopy", number: None, areas: &[dst, to], most_rows: b.most }.emit(v, b.rows, 1.into());
    }
}
