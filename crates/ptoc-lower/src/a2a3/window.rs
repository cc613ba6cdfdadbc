//! Windows of tiles: `tinsert` and `textract`, and the whole tile (`tmov`).

use super::area::Area;
use super::vector::Vector;
use super::{cube, fixpipe, map};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::ValueId;
use ptoc_target::{Layout, Loc};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] =
    &[("pto.tinsert", insert), ("pto.textract", extract), ("pto.tmov", cube::whole)];

fn insert(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let (row, col) = (call.size(em, "indexRow")?, call.size(em, "indexCol")?);
    if em.ir.attr(call.op, "tinsertMode").is_some() {
        return Err(call.unsupported(em, "`tinsertMode`: the split insert into L1 exists on a5 only"));
    }
    match (src.loc(), dst.loc()) {
        (Loc::Acc, Loc::Mat) => fixpipe::insert(em, call, row, col),
        (Loc::Vec, Loc::Vec) => {
            let w = Window {
                dst,
                src,
                to: (row, col),
                from: (0.into(), 0.into()),
                rows: src.rows,
                cols: src.cols,
                blocks: false,
            };
            w.emit(em, call)
        }
        (a, b) => Err(call.unsupported(em, format!("{a} to {b} (a2a3 inserts acc into mat and vec into vec)"))),
    }
}

fn extract(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let (row, col) = (call.size(em, "indexRow")?, call.size(em, "indexCol")?);
    match (src.loc(), dst.loc()) {
        (Loc::Mat, Loc::Left | Loc::Right) => cube::to_operand(em, call, row, col),
        (Loc::Acc, Loc::Mat) => fixpipe::extract(em, call, row, col),
        (Loc::Vec, Loc::Vec) => {
            let w = Window {
                dst,
                src,
                to: (0.into(), 0.into()),
                from: (row, col),
                rows: dst.rows,
                cols: dst.cols,
                blocks: false,
            };
            w.emit(em, call)
        }
        (a, b) => Err(call.unsupported(em, format!("{a} to {b}"))),
    }
}

/// A tile in the rows of another one, from a column on.
pub(super) fn put(em: &mut Em<'_>, call: &Call, src: Tile, dst: Tile, col: Sc) -> Res<()> {
    let (rows, cols) = (src.rows, src.cols);
    Window { dst, src, to: (0.into(), col), from: (0.into(), 0.into()), rows, cols, blocks: false }.emit(em, call)
}

/// The valid elements that both tiles have.
pub(super) fn whole(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile) -> Res<()> {
    let (rows, mut cols) = (em.min(src.rows, dst.rows), em.min(src.cols, dst.cols));
    // What lies right of the valid columns is nobody's business, so whole blocks do, unless it belongs to a bigger tile.
    let blocks = dst.layout() == Layout::Nd && dst.buffer_cols == dst.ty.cols;
    if blocks {
        cols = em.align(cols, dst.c0());
    }
    let origin = (Sc::Const(0), Sc::Const(0));
    Window { dst: *dst, src: *src, to: origin, from: origin, rows, cols, blocks }.emit(em, call)
}

/// `rows` x `cols` elements from one place to another.
struct Window {
    dst: Tile,
    src: Tile,
    to: (Sc, Sc),
    from: (Sc, Sc),
    rows: Sc,
    cols: Sc,
    /// The columns are whole blocks, also where their number is not known.
    blocks: bool,
}

impl Window {
    fn emit(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        if self.dst.dtype().bytes() != self.src.dtype().bytes() || self.dst.esz() > 4 {
            return Err(call.unsupported(em, "a copy takes elements of 1, 2 or 4 bytes, the same on both sides"));
        }
        match (self.src.layout(), self.dst.layout()) {
            _ if self.rows.is(1) && self.cols.is(1) => self.one(em),
            (Layout::Nd, Layout::Nd) => self.rows_of_elements(em, call)?,
            (Layout::Dn, Layout::Dn) => self.exchanged().rows_of_elements(em, call)?,
            (Layout::Nz, Layout::Nz) => self.boxes(em, call)?,
            (a, b) => return Err(call.unsupported(em, format!("a copy from {a} to {b}"))),
        }
        Ok(())
    }

    /// A column-major tile has columns where a row-major one has rows.
    fn exchanged(&self) -> Window {
        let swap = |(a, b): (Sc, Sc)| (b, a);
        Window { to: swap(self.to), from: swap(self.from), rows: self.cols, cols: self.rows, ..*self }
    }

    /// Distance of an element from the start of the tile, in elements, whatever its place in a box.
    fn element(em: &mut Em<'_>, tile: &Tile, (r, c): (Sc, Sc)) -> Sc {
        if tile.layout() != Layout::Nz {
            return em.offset_of(tile, r, c);
        }
        let c0 = tile.c0();
        let inside = em.rem(c, c0);
        let group = em.sub(c, inside);
        let start = em.offset_of(tile, r, group);
        em.add(start, inside)
    }

    fn one(&self, em: &mut Em<'_>) {
        Vector::scope(em, |v| {
            v.before_scalar();
            self.element_copy(v.em, Sc::Const(0), Sc::Const(0));
            v.after_scalar();
        });
    }

    fn element_copy(&self, em: &mut Em<'_>, r: Sc, c: Sc) {
        let place = |em: &mut Em<'_>, tile: &Tile, (row, col): (Sc, Sc)| -> (ValueId, ValueId) {
            let at = (em.add(row, r), em.add(col, c));
            let at = Self::element(em, tile, at);
            (em.ptr(tile), em.index(at))
        };
        let (p, i) = place(em, &self.src, self.from);
        let (q, o) = place(em, &self.dst, self.to);
        let x = em.emit1("pto.load_scalar", &[p, i], self.src.ty.elem);
        em.emit("pto.store_scalar", &[q, o, x]);
    }

    /// Element by element, where the window starts inside a block: vector operands start at whole blocks only.
    fn by_elements(&self, v: &mut Vector<'_, '_>, first: Sc, count: Sc) {
        v.before_scalar();
        v.each(self.rows, |v, r| {
            v.each(count, |v, c| {
                let c = v.em.add(first, c);
                match self.dst.layout() {
                    Layout::Dn => self.exchanged().element_copy(v.em, c, r),
                    _ => self.element_copy(v.em, r, c),
                }
            });
        });
        v.after_scalar();
    }

    fn rows_of_elements(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        let (dst, src) = (Area::of(em, call, &self.dst)?, Area::of(em, call, &self.src)?);
        let c0 = self.dst.c0();
        let aligned = {
            let (a, b) = (em.rem(self.to.1, c0), em.rem(self.from.1, c0));
            let both = em.add(a, b);
            em.eq(both, 0)
        };
        let start = |em: &mut Em<'_>, area: Area, (row, col): (Sc, Sc)| {
            let area = area.at_row(em, row);
            let blocks = em.div(col, c0);
            area.after(em, blocks)
        };
        em.if_else(
            aligned,
            |em| {
                let (dst, src) = (start(em, dst, self.to), start(em, src, self.from));
                Vector::scope(em, |v| self.by_blocks(v, dst, src));
            },
            |em| Vector::scope(em, |v| self.by_elements(v, Sc::Const(0), self.cols)),
        );
        Ok(())
    }

    /// Rows that start at whole blocks: bursts of blocks where a row is some, masked copies otherwise.
    fn by_blocks(&self, v: &mut Vector<'_, '_>, dst: Area, src: Area) {
        let c0 = self.dst.c0();
        if self.blocks || self.cols.known().is_some_and(|c| c % c0 == 0) {
            let len = v.em.div(self.cols, c0);
            let (to, from) = (dst.ptr(v.em, 0), src.ptr(v.em, 0));
            let (zero, one) = (Sc::Const(0), Sc::Const(1));
            if self.rows.is(1) || len.is(dst.pitch) && len.is(src.pitch) {
                let all = v.em.mul(self.rows, len);
                v.bursts(to, from, one, all, zero, zero);
            } else {
                let (a, b) = (v.em.sub(src.pitch, len), v.em.sub(dst.pitch, len));
                v.bursts(to, from, self.rows, len, a, b);
            }
            return;
        }
        self.masked(v, dst, src, self.cols);
    }

    /// A masked copy of `cols` columns of each row. Bytes go in pairs, the last one of an odd number alone.
    fn masked(&self, v: &mut Vector<'_, '_>, dst: Area, src: Area, cols: Sc) {
        let (dst, src) = (dst.unsigned(v.em), src.unsigned(v.em));
        if self.dst.esz() > 1 {
            return map::copy(v, dst, src, self.rows, cols);
        }
        let (pairs, odd) = (v.em.div(cols, 2), v.em.rem(cols, 2));
        map::copy(v, dst, src, self.rows, pairs);
        let last = v.em.ne(odd, 0);
        v.when(last, |v| {
            let at = v.em.sub(self.cols, 1);
            self.by_elements(v, at, Sc::Const(1));
        });
    }

    /// Fractals: the valid rows of each whole column group as one burst, the last columns masked.
    fn boxes(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        let c0 = self.dst.c0();
        for (what, at) in [("destination", self.to.1), ("source", self.from.1)] {
            if let Sc::Const(c) = at
                && c % c0 != 0
            {
                let what = format!("the window starts at column {c} of the {what}, inside a group of {c0} columns");
                return Err(call.unsupported(em, what));
            }
        }
        let place = |em: &mut Em<'_>, tile: &Tile, (row, col): (Sc, Sc)| {
            let lane = super::vector::Lane { elem: tile.ty.elem, bytes: tile.esz() };
            let group = em.div(col, c0);
            let down = em.mul(group, tile.buffer_rows);
            let blocks = em.add(down, row);
            Area { tile: *tile, lane, start: Sc::Const(0), pitch: 1, spread: false }.after(em, blocks)
        };
        let (dst, src) = (place(em, &self.dst, self.to), place(em, &self.src, self.from));
        let (tall_dst, tall_src) = (self.dst.buffer_rows, self.src.buffer_rows);
        Vector::scope(em, |v| {
            let (groups, rest) = (v.em.div(self.cols, c0), v.em.rem(self.cols, c0));
            let some = v.em.gt(groups, 0);
            v.when(some, |v| {
                let (to, from) = (dst.ptr(v.em, 0), src.ptr(v.em, 0));
                let (a, b) = (v.em.sub(tall_src, self.rows), v.em.sub(tall_dst, self.rows));
                v.bursts(to, from, groups, self.rows, a, b);
            });
            if rest.is(0) {
                return;
            }
            let (down_dst, down_src) = (v.em.mul(groups, tall_dst), v.em.mul(groups, tall_src));
            let (dst, src) = (dst.after(v.em, down_dst), src.after(v.em, down_src));
            self.masked(v, dst, src, rest);
        });
        Ok(())
    }
}
