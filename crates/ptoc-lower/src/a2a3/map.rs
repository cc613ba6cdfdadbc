//! Walking over the elements of row-major tiles with as few instructions as the shapes allow.

use super::area::Area;
use super::vector::{MAX_REPEATS, MAX_STRIDE, Mask, Steps, Vector};
use crate::{Em, Sc};
use ptoc_ir::{TypeData, TypeId, ValueId, builtin};
use smallvec::SmallVec;

/// Repeats that take as long as one more instruction, roughly.
const WORTH: i64 = 32;

/// An element-by-element instruction: destination and sources, and a number for those that take one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map<'m> {
    /// Full name.
    pub(super) name: &'static str,
    /// The operand behind the pointers.
    pub(super) number: Option<ValueId>,
    /// Destination first.
    pub(super) areas: &'m [Area],
    /// The most rows there can be.
    pub(super) most_rows: i64,
}

impl Map<'_> {
    /// Elements of a repeat: that many of the widest operand.
    fn repeat(&self) -> i64 {
        256 / self.widest()
    }

    fn widest(&self) -> i64 {
        self.areas.iter().map(|a| a.lane.bytes).max().unwrap_or(1)
    }

    /// Blocks that one repeat of an operand covers: eight on the widest side, fewer on a narrower one, none of a row that one
    /// block stands for.
    fn span(&self, a: &Area) -> i64 {
        if a.spread { 0 } else { 8 * a.lane.bytes / self.widest() }
    }

    fn next(&self, of: impl Fn(&Area) -> i64) -> [i64; 3] {
        let mut next = [0; 3];
        for (n, a) in next.iter_mut().zip(self.areas) {
            *n = of(a);
        }
        if self.areas.len() == 1 {
            // The unused source of `vdup`.
            next[1] = 0;
        }
        next
    }

    /// One instruction at a place given in rows and in repeats along the row.
    fn issue(&self, v: &mut Vector<'_, '_>, row: Sc, column: Sc, repeat: Sc, next: [i64; 3]) {
        let mut pointers: SmallVec<[ValueId; 3]> = SmallVec::new();
        for (i, a) in self.areas.iter().enumerate() {
            // In place, source and destination are one pointer.
            let same = |o: &Area| o.same_place(a) && o.lane == a.lane && o.pitch == a.pitch && o.spread == a.spread;
            let p = match self.areas[..i].iter().position(same).and_then(|j| pointers.get(j)) {
                Some(&p) => p,
                None => {
                    let down = v.em.mul(row, a.pitch);
                    let along = v.em.mul(column, self.span(a));
                    let at = v.em.add(down, along);
                    a.ptr(v.em, at)
                }
            };
            pointers.push(p);
        }
        let mut steps = Steps::dense(repeat, next);
        for (b, a) in steps.block.iter_mut().zip(self.areas) {
            *b = Sc::Const(i64::from(!a.spread));
        }
        v.op(self.name, &pointers, self.number, &steps);
    }

    /// Emits it for `rows` x `cols` elements. The instructions don't depend on each other. The mask is left as it is.
    pub(super) fn emit(&self, v: &mut Vector<'_, '_>, rows: Sc, cols: Sc) {
        if rows.is(0) || cols.is(0) {
            return;
        }
        let dense = |a: &Area| !a.spread && cols.known() == Some(a.pitch * a.lane.block());
        // Run-time rows of whole repeats need no mask when each row is a repeat.
        let repeats = rows.known().is_none()
            && cols.known().is_some_and(|c| c % self.repeat() == 0 && c / self.repeat() <= 4)
            && self.most_rows <= MAX_REPEATS;
        if rows.is(1) || !repeats && self.areas.iter().all(dense) {
            let n = v.em.mul(rows, cols);
            return self.flat(v, n, rows);
        }
        let fits = self.areas.iter().all(|a| a.pitch <= MAX_STRIDE);
        match self.plan(rows, cols, fits) {
            Plan::Columns => self.columns(v, rows, cols),
            Plan::WholeRows(repeat) => {
                v.mask(Mask::Full);
                v.each(rows, |v, r| {
                    self.issue(v, r, Sc::Const(0), Sc::Const(repeat), self.next(|a| self.span(a)));
                });
            }
            Plan::CountedRows => {
                v.mask(Mask::Count(cols));
                v.each(rows, |v, r| self.issue(v, r, Sc::Const(0), Sc::Const(1), self.next(|a| self.span(a))));
            }
            Plan::CountedRepeats => {
                v.mask(Mask::Count(cols));
                v.parts(rows, self.most_rows, |v, first, count| {
                    self.issue(v, first, Sc::Const(0), count, self.next(|a| a.pitch));
                });
            }
        }
    }

    /// The number of blocks, fewer than eight, that divides a range of elements into at most 255 equal repeats, so that a mask
    /// and one instruction do; `None` when more repeats than an instruction is worth would come of it.
    fn even(&self, n: i64, rows: Sc) -> Option<i64> {
        let block = 32 / self.widest();
        let blocks = n / block;
        // Narrower operands have parts of blocks.
        if n % block != 0 || self.areas.iter().any(|a| a.lane.bytes != self.widest()) {
            return None;
        }
        let d = (1..8).rev().find(|d| blocks % d == 0)?;
        let repeats = blocks / d;
        let cheap = repeats <= blocks / 8 + WORTH || rows.is(blocks);
        (repeats <= MAX_REPEATS && cheap).then_some(d)
    }

    /// Elements without gaps, as so many rows.
    fn flat(&self, v: &mut Vector<'_, '_>, n: Sc, rows: Sc) {
        let e = self.repeat();
        let next = self.next(|a| self.span(a));
        let (zero, one) = (Sc::Const(0), Sc::Const(1));
        let counted = v.has(Mask::Count(n));
        let Sc::Const(n) = n else {
            v.mask(Mask::Count(n));
            return self.issue(v, zero, zero, one, next);
        };
        if counted {
            return self.issue(v, zero, zero, one, next);
        }
        let (full, rest) = (n / e, n % e);
        // In norm mode an instruction for each 255 repeats and three for the rest; five in count mode.
        let norm = (full + MAX_REPEATS - 1) / MAX_REPEATS + if rest > 0 { 3 } else { 0 };
        if norm > 5 {
            v.mask(Mask::Count(Sc::Const(n)));
            return self.issue(v, zero, zero, one, next);
        }
        let tail = |v: &mut Vector<'_, '_>| {
            v.mask(Mask::First(Sc::Const(rest)));
            self.issue(v, zero, Sc::Const(full), one, next);
        };
        if let Some(d) = self.even(n, rows).filter(|_| full > 0 && rest > 0) {
            let lanes = d * 32 / self.widest();
            v.mask(Mask::First(Sc::Const(lanes)));
            return self.issue(v, zero, zero, Sc::Const(n / lanes), self.next(|a| if a.spread { 0 } else { d }));
        }
        // The masked part goes first when its mask is set already.
        let early = rest > 0 && v.has(Mask::First(Sc::Const(rest)));
        if early {
            tail(v);
        }
        if full > 0 {
            v.mask(Mask::Full);
        }
        let mut done = 0;
        while done < full {
            let count = (full - done).min(MAX_REPEATS);
            self.issue(v, zero, Sc::Const(done), Sc::Const(count), next);
            done += count;
        }
        if rest > 0 && !early {
            tail(v);
        }
    }

    /// The way with the fewest instructions.
    fn plan(&self, rows: Sc, cols: Sc, fits: bool) -> Plan {
        let e = self.repeat();
        let whole = cols.known().filter(|c| c % e == 0 && c / e <= MAX_REPEATS).map(|c| c / e);
        if !fits {
            return whole.map_or(Plan::CountedRows, Plan::WholeRows);
        }
        // A copy counts each repeat anew, so rows are repeats of any length.
        let copies = self.name == "pto.ub.vcopy";
        let (Sc::Const(r), Sc::Const(c)) = (rows, cols) else {
            return if copies && cols.known().is_none() { Plan::CountedRepeats } else { Plan::Columns };
        };
        let parts = (r + MAX_REPEATS - 1) / MAX_REPEATS;
        let columns = (c / e) * parts + if c % e > 0 { parts + 2 } else { 0 };
        if copies && parts + 4 < columns {
            return Plan::CountedRepeats;
        }
        match whole {
            Some(repeat) if r < columns => Plan::WholeRows(repeat),
            None if r + 4 < columns => Plan::CountedRows,
            _ => Plan::Columns,
        }
    }

    /// A repeat for each row: one instruction for each 256 bytes of a row, the last one masked.
    fn columns(&self, v: &mut Vector<'_, '_>, rows: Sc, cols: Sc) {
        let e = self.repeat();
        let whole = self.areas.iter().filter(|a| !a.spread && a.pitch > 0);
        let most_cols = whole.map(|a| a.pitch * a.lane.block()).min().unwrap_or(0);
        let most_rows = self.most_rows;
        let next = self.next(|a| a.pitch);
        let (full, rest) = match cols {
            Sc::Const(c) => (Sc::Const(c / e), Sc::Const(c % e)),
            // One masked repeat does, whatever the run-time width is.
            c if most_cols <= e => (Sc::Const(0), c),
            c => (v.em.div(c, e), v.em.rem(c, e)),
        };
        let mask = if rest.is(e) { Mask::Full } else { Mask::First(rest) };
        let tail = |v: &mut Vector<'_, '_>| {
            v.mask(mask);
            v.parts(rows, most_rows, |v, first, count| self.issue(v, first, full, count, next));
        };
        // The masked part goes first when its mask is set already.
        let early = !rest.is(0) && v.has(mask);
        if early {
            tail(v);
        }
        if !full.is(0) {
            v.mask(Mask::Full);
        }
        v.each_unrolled(full, |v, j| {
            v.parts(rows, most_rows, |v, first, count| self.issue(v, first, j, count, next));
        });
        if !rest.is(0) && !early {
            tail(v);
        }
    }
}

enum Plan {
    /// [`Map::columns`].
    Columns,
    /// An instruction for each row, of that many full repeats.
    WholeRows(i64),
    /// An instruction for each row, in count mode.
    CountedRows,
    /// A repeat for each row, counted: `vcopy` only.
    CountedRepeats,
}

/// Fills `rows` x `cols` elements with one number.
pub(super) fn fill(v: &mut Vector<'_, '_>, area: Area, number: ValueId, rows: Sc, cols: Sc) {
    let most_rows = area.most_rows();
    Map { name: "pto.ub.vdup", number: Some(number), areas: &[area], most_rows }.emit(v, rows, cols);
}

/// Copies `rows` x `cols` elements bit by bit. Both areas have lanes of 2 or 4 bytes.
pub(super) fn copy(v: &mut Vector<'_, '_>, dst: Area, src: Area, rows: Sc, cols: Sc) {
    let most_rows = dst.most_rows();
    Map { name: "pto.ub.vcopy", number: None, areas: &[dst, src], most_rows }.emit(v, rows, cols);
}

/// The number of a scalar operand in the element type of a tile (without sign for integers).
pub(super) fn number_as(em: &mut Em<'_>, value: ValueId, elem: TypeId) -> ValueId {
    let from = em.ir.value_type(value);
    let to = match em.ir.ctx.type_data(elem) {
        TypeData::Integer { width, .. } => {
            let width = *width;
            em.ir.ctx.int(width)
        }
        _ => elem,
    };
    if from == to || from == elem {
        return value;
    }
    let kind = |t| match em.ir.ctx.type_data(t) {
        TypeData::Float(k) => (true, k.bits()),
        TypeData::Integer { width, .. } => (false, *width),
        _ => (false, 64),
    };
    let ((from_float, a), (to_float, b)) = (kind(from), kind(to));
    let name = match (from_float, to_float) {
        _ if from == builtin::INDEX => "arith.index_cast",
        (true, true) if a < b => "arith.extf",
        (true, true) => "arith.truncf",
        (false, false) if a < b => "arith.extsi",
        (false, false) => "arith.trunci",
        (false, true) => "arith.sitofp",
        (true, false) => "arith.fptosi",
    };
    em.emit1(name, &[value], to)
}
