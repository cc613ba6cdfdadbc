//! Stage 1: the 256-byte chunks of a row into one.

use super::super::area::{Area, pointers};
use super::super::vector::{MAX_STRIDE, Mask, Steps, Vector};
use super::super::{fillpad, map};
use super::{Batch, Reduction};
use crate::Sc;

impl Reduction {
    /// How many chunks are combined at a time, and how many rows a batch may have.
    pub(super) fn width(&self) -> (i64, i64) {
        let e = self.lane().repeat();
        if self.src.pitch > MAX_STRIDE {
            return (1, 1);
        }
        let (Sc::Const(c), Sc::Const(r)) = (self.cols, self.rows) else { return (1, (self.room() / 256).max(1)) };
        let halves = (c / e / 2).clamp(1, MAX_STRIDE / 8);
        let fits = (self.room() / (256 * r.max(1))).max(1);
        let wide = halves.min(fits);
        (wide, (self.room() / (256 * wide)).max(1))
    }

    /// Combines the chunks of each row into one, in the temporary. Rows are `8 * wide` blocks apart there.
    pub(super) fn chunk(&self, v: &mut Vector<'_, '_>, b: Batch, src: Area, wide: i64) -> Area {
        let e = self.lane().repeat();
        let acc = self.tmp.unwrap_or(src).with_pitch(8 * wide);
        let at = |v: &mut Vector<'_, '_>, a: Area, chunk: i64| a.after(v.em, 8 * chunk);
        let Sc::Const(c) = self.cols else {
            self.chunk_run_time(v, b, src, acc);
            return acc;
        };
        let (n, rest) = (c / e, c % e);
        if n < 2 {
            // The part that two chunks share, and the part that the second one lacks.
            let second = at(v, src, 1);
            v.mask(Mask::First(Sc::Const(rest)));
            self.combine(v, b, [acc, src, second]);
            v.mask(fillpad::between(rest, e));
            let (to, from) = (acc.unsigned(v.em), src.unsigned(v.em));
            v.parts(b.rows, b.most, |v, first, count| {
                let p = pointers(v.em, [to, from], |em, a| em.mul(first, a.pitch));
                let next = [to.pitch.min(MAX_STRIDE), from.pitch.min(MAX_STRIDE), 0];
                v.op("pto.ub.vcopy", &p, None, &Steps::dense(count, next));
            });
            return acc;
        }
        v.mask(Mask::Full);
        for w in 0..wide {
            let areas = [at(v, acc, w), at(v, src, w), at(v, src, w + wide)];
            self.combine(v, b, areas);
        }
        // The rest in groups that don't depend on each other; the last chunk may be narrower.
        let last = n + i64::from(rest > 0);
        for k in 2 * wide..last {
            let w = (k - 2 * wide) % wide;
            if w == 0 {
                v.barrier();
            }
            v.mask(if k == n { Mask::First(Sc::Const(rest)) } else { Mask::Full });
            let areas = [at(v, acc, w), at(v, acc, w), at(v, src, k)];
            self.combine(v, b, areas);
        }
        v.mask(Mask::Full);
        let mut width = wide;
        while width > 1 {
            v.barrier();
            let half = width / 2;
            for w in 0..half {
                let areas = [at(v, acc, w), at(v, acc, w), at(v, acc, w + width - half)];
                self.combine(v, b, areas);
            }
            width -= half;
        }
        acc
    }

    /// Of a run-time number of columns: from the identity on.
    fn chunk_run_time(&self, v: &mut Vector<'_, '_>, b: Batch, src: Area, acc: Area) {
        let e = self.lane().repeat();
        let number = self.identity(v);
        map::fill(v, acc, number, b.rows, e.into());
        v.barrier();
        let (n, rest) = (v.em.div(self.cols, e), v.em.rem(self.cols, e));
        v.mask(Mask::Full);
        v.each(n, |v, k| {
            let blocks = v.em.mul(k, 8);
            let chunk = src.after(v.em, blocks);
            self.combine(v, b, [acc, acc, chunk]);
            v.barrier();
        });
        let blocks = v.em.mul(n, 8);
        let chunk = src.after(v.em, blocks);
        v.mask(Mask::First(rest));
        self.combine(v, b, [acc, acc, chunk]);
    }
}
