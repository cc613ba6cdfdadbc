//! Floating-point sums, maxima and minima: the lanes of a repeat at once.

use super::super::area::Area;
use super::super::vector::{MAX_REPEATS, MAX_STRIDE, Mask, Steps, Vector};
use super::{Batch, MAX_ROWS, Reduction};
use crate::{Call, Em, Res, Sc};
use smallvec::SmallVec;

/// One level of a tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The lanes of each block.
    Blocks,
    /// Neighbouring blocks, lane with lane.
    Pairs,
}

impl Reduction {
    pub(super) fn across(&self, em: &mut Em<'_>, call: &Call, cross: &'static str) -> Res<()> {
        let e = self.lane().repeat();
        if let Some((rows, steps)) = self.tree() {
            Vector::scope(em, |v| self.climb(v, rows, &steps));
            return Ok(());
        }
        if self.cols.known().map_or(self.most_cols <= e, |c| c <= e) {
            let most = if self.src.pitch > MAX_STRIDE { 1 } else { MAX_ROWS };
            Vector::scope(em, |v| {
                self.batches(v, most, false, |v, b| {
                    let src = self.src.at_row(v.em, b.first);
                    self.cross(v, b, src, self.cols, cross);
                });
            });
            return Ok(());
        }
        if self.room() < 256 {
            let what = format!("a temporary of {} bytes: rows of more than 256 bytes need at least 256", self.room());
            return Err(call.unsupported(em, what));
        }
        let (wide, most) = self.width();
        Vector::scope(em, |v| {
            self.batches(v, most, true, |v, b| {
                let src = self.src.at_row(v.em, b.first);
                let chunk = self.chunk(v, b, src, wide);
                v.barrier();
                self.cross(v, b, chunk, Sc::Const(e), cross);
            });
        });
        Ok(())
    }

    /// The steps of a tree over whole rows without gaps to one dense column, each over all elements that are left: blocks to
    /// elements, or pairs of blocks to blocks. `None` where another way is shorter or the sizes don't divide.
    fn tree(&self) -> Option<(i64, SmallVec<[Step; 8]>)> {
        let (Sc::Const(rows), Sc::Const(cols)) = (self.rows, self.cols) else { return None };
        let (e, repeat) = (self.lane().block(), self.lane().repeat());
        if cols <= repeat || cols != self.src.pitch * e || self.step != 1 {
            return None;
        }
        let mut steps = SmallVec::new();
        let (mut left, mut room) = (cols, 0);
        while left > 1 {
            let elements = rows.checked_mul(left)?;
            if elements % repeat != 0 || elements / repeat > MAX_REPEATS {
                return None;
            }
            let blocks = left / e;
            match (left % e, blocks % e, blocks % 2) {
                (0, 0, _) => steps.push(Step::Blocks),
                (0, _, _) if blocks == 1 => steps.push(Step::Blocks),
                (0, _, 0) if elements % (2 * repeat) == 0 => steps.push(Step::Pairs),
                _ => return None,
            }
            left /= if steps.last() == Some(&Step::Blocks) { e } else { 2 };
            if left > 1 {
                room += rows * left * self.lane().bytes;
            }
        }
        (room <= self.room()).then_some((rows, steps))
    }

    fn climb(&self, v: &mut Vector<'_, '_>, rows: i64, steps: &[Step]) {
        let (e, repeat) = (self.lane().block(), self.lane().repeat());
        let (mut from, mut at) = (self.src, 0);
        let mut left = rows * self.cols.known().unwrap_or(0);
        for (i, step) in steps.iter().enumerate() {
            let rest = left / if *step == Step::Blocks { e } else { 2 };
            let last = i + 1 == steps.len();
            let into = if last { self.dst } else { self.part(at) };
            at += rest * self.lane().bytes;
            let (to, p) = (into.ptr(v.em, 0), from.ptr(v.em, 0));
            match step {
                Step::Blocks => v.reduce_blocks(self.fold.block, to, p, left / repeat),
                Step::Pairs => {
                    let q = from.ptr(v.em, 1);
                    let two = |first: i64, other: i64| [Sc::Const(first), Sc::Const(other), Sc::Const(other)];
                    let steps = Steps { repeat: (rest / repeat).into(), block: two(1, 2), next: two(8, 16) };
                    v.op(self.fold.lanes, &[to, p, q], None, &steps);
                }
            }
            if !last {
                v.barrier();
            }
            (from, left) = (into, rest);
        }
    }

    /// One result a row from at most one repeat of `cols` lanes.
    fn cross(&self, v: &mut Vector<'_, '_>, b: Batch, src: Area, cols: Sc, name: &'static str) {
        let e = self.lane().repeat();
        v.mask(if cols.is(e) { Mask::Full } else { Mask::First(cols) });
        v.parts(b.rows, b.most, |v, first, count| {
            let at = v.em.mul(first, src.pitch);
            let from = src.ptr(v.em, at);
            let row = v.em.add(b.first, first);
            let place = v.em.mul(row, self.step);
            let to = self.dst.ptr_to(v.em, place);
            v.reduce(name, to, from, count, self.step, src.pitch.min(MAX_STRIDE));
        });
    }
}
