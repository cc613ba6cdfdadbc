//! TINSERT: a small tile into a window of a bigger one.

use super::fixpipe::{self, Drain, Shape};
use super::vec::Lanes;
use crate::{Call, Cond, Em, LowerFn, Res, Sc, Tile};
use ptoc_dialect::types::OpaqueKind;
use ptoc_ir::ValueId;
use ptoc_target::{Compact, Layout, Loc};

pub(super) const OPS: &[(&str, LowerFn)] = &[("pto.tinsert", insert), ("pto.tinsert_fp", insert)];

fn insert(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let names = if call.name() == "tinsert_fp" { ["idxrow", "idxcol"] } else { ["indexRow", "indexCol"] };
    let (row, col) = (call.size(em, names[0])?, call.size(em, names[1])?);
    let window = Window { row, col, ..Window::whole(src, dst) };
    match (src.loc(), dst.loc()) {
        (Loc::Acc, Loc::Mat) => to_mat(em, call, &window),
        (Loc::Acc, Loc::Vec) => to_vec(em, call, &window),
        (Loc::Vec, Loc::Mat) => match call.word(em, "tinsertMode") {
            None => blocks(em, call, &window, "pto.copy_ubuf_to_cbuf"),
            Some("split2") => split(em, call, &window, 2),
            Some("split4") => split(em, call, &window, 4),
            Some(w) => Err(call.unsupported(em, format!("mode `{w}`"))),
        },
        (Loc::Vec, Loc::Vec) => within(em, call, &window),
        (from, to) => Err(call.unsupported(em, format!("from {from} to {to}"))),
    }
}

/// What goes where.
pub(super) struct Window {
    pub(super) src: Tile,
    pub(super) dst: Tile,
    pub(super) row: Sc,
    pub(super) col: Sc,
    /// The scale in an `fp` tile that belongs to the first column of the source.
    pub(super) first_scale: Sc,
}

impl Window {
    /// The whole of `src`, to the start of `dst`.
    pub(super) fn whole(src: Tile, dst: Tile) -> Self {
        Self { src, dst, row: 0.into(), col: 0.into(), first_scale: 0.into() }
    }

    /// Where the window starts in the destination, in elements; `col` starts a column group in NZ (rows in ZN).
    fn start(&self, em: &mut Em<'_>) -> Sc {
        em.offset_of(&self.dst, self.row, self.col)
    }
}

/// A window of a boxed tile starts where a column group (ZN: row group) starts, as far as that is known.
pub(super) fn at_group(em: &Em<'_>, call: &Call, t: &Tile, row: Sc, col: Sc) -> Res<()> {
    let b = t.ty.shape().inner_box();
    let packed = if t.dtype().is_fp4() { 2 } else { 1 };
    let (axis, at, group) = match t.layout() {
        Layout::Nz => ("column", col, b.cols as i64 * packed),
        Layout::Zn => ("row", row, b.rows as i64 * packed),
        _ => return Ok(()),
    };
    match at.known() {
        Some(n) if n % group != 0 => {
            Err(call.unsupported(em, format!("{axis} {n} of the {} tile lies inside a group of {group}", t.loc())))
        }
        _ => Ok(()),
    }
}

/// From the accumulator: valid rows only, whole column groups.
fn drain(em: &mut Em<'_>, call: &Call, w: &Window, unit: i64) -> Res<Drain> {
    let scale = fixpipe::scale(em, call, w.first_scale)?;
    let quant = fixpipe::mode(em, call, w.src.dtype(), w.dst.dtype(), &scale, false)?;
    let shape = fixpipe::shape_of(em, call, &w.dst)?;
    at_group(em, call, &w.dst, w.row, w.col)?;
    let dst_stride = match shape {
        Shape::Nz { .. } => Sc::from(w.dst.buffer_rows as i64 * fixpipe::column_group(&w.dst).0),
        _ => Sc::from(w.dst.pitch()),
    };
    Ok(Drain {
        shape,
        n: match shape {
            Shape::Nz { .. } => em.align(w.src.cols, unit),
            _ => w.src.cols,
        },
        m: w.src.rows,
        dst_stride,
        src_stride: em.stripe(&w.src),
        quant,
        scale,
        relu: i64::from(call.code(em, "reluPreMode")),
        unit_flag: i64::from(call.code(em, "stPhase")),
        dual: 0,
        core: 0,
    })
}

/// Acc to Mat. Only a whole move writes rows or columns to L1.
pub(super) fn to_mat(em: &mut Em<'_>, call: &Call, w: &Window) -> Res<()> {
    if w.dst.layout() != Layout::Nz && call.def.attr("tinsertMode").is_some() {
        return Err(call.unsupported(em, "a Mat destination of an insert is NZ"));
    }
    let d = drain(em, call, w, fixpipe::column_group(&w.dst).0)?;
    let start = w.start(em);
    let (from, to) = (em.ptr(&w.src), em.ptr_at(&w.dst, start));
    fixpipe::set_scale(em, call, &d.scale, w.dst.dtype())?;
    d.set_loops(em);
    d.copy(em, "pto.copy_matrix_cc_to_cbuf", from, to);
    Ok(())
}

/// Acc to Vec of one vector core, or of both.
pub(super) fn to_vec(em: &mut Em<'_>, call: &Call, w: &Window) -> Res<()> {
    let (dual, core) = match call.word(em, "accToVecMode") {
        None | Some("single_mode_vec0") => (0, 0),
        Some("single_mode_vec1") => (0, 1),
        Some("dual_mode_split_m") => (1, 0),
        Some("dual_mode_split_n") => (2, 0),
        Some(w) => return Err(call.unsupported(em, format!("mode `{w}`"))),
    };
    if call.code(em, "stPhase") != 0 && call.name().starts_with("tinsert") {
        return Err(call.unsupported(em, "a unit flag with a Vec destination"));
    }
    // Whole column groups in NZ; a group that two cores share is not divided.
    let unit = match dual {
        1 => 16,
        2 => 32,
        _ => fixpipe::column_group(&w.dst).0,
    };
    let d = Drain { dual, core, ..drain(em, call, w, unit)? };
    if dual != 0 && (d.shape == Shape::Dn || d.quant != "no_convert") {
        return Err(call.unsupported(em, "a move to both vector cores takes no conversion and no DN layout"));
    }
    if dual == 1 && d.m.known().is_some_and(|m| m % 2 != 0) {
        return Err(call.unsupported(em, "an odd number of rows can't be divided between two vector cores"));
    }
    let start = w.start(em);
    let (from, to) = (em.ptr(&w.src), em.ptr_at(&w.dst, start));
    fixpipe::set_scale(em, call, &d.scale, w.dst.dtype())?;
    d.set_loops(em);
    d.copy(em, "pto.copy_matrix_cc_to_ub", from, to);
    Ok(())
}

/// A transfer of bursts: counts and gaps in 32-byte blocks.
struct Bursts {
    count: Sc,
    length: Sc,
    src_gap: Sc,
    dst_gap: Sc,
}

impl Bursts {
    fn copy(&self, em: &mut Em<'_>, name: &'static str, w: &Window, from: Sc, to: Sc) {
        let (from, to) = (em.ptr_at(&w.src, from), em.ptr_at(&w.dst, to));
        let sid = em.i64(0);
        let (n, len) = (em.i64(self.count), em.i64(self.length));
        let (src_gap, dst_gap) = (em.i64(self.src_gap), em.i64(self.dst_gap));
        em.emit(name, &[from, to, sid, n, len, src_gap, dst_gap]);
    }
}

/// Elements (or bytes of packed fp4) for `n` columns or rows.
fn units(em: &mut Em<'_>, t: &Tile, n: Sc) -> Sc {
    if t.dtype().is_fp4() { em.ceil_div(n, 2) } else { n }
}

/// The layouts of both sides, which must agree.
fn same_layout(em: &Em<'_>, call: &Call, w: &Window) -> Res<Layout> {
    if w.src.layout() != w.dst.layout() || w.src.esz() != w.dst.esz() {
        return Err(call.unsupported(em, "the layouts or the element sizes of src and dst differ"));
    }
    Ok(w.src.layout())
}

/// Column groups of an NZ tile: one burst for each, a valid row being one block.
fn groups(em: &mut Em<'_>, w: &Window, rows: Sc) -> Bursts {
    let cols = units(em, &w.src, w.src.cols);
    Bursts {
        count: em.ceil_div(cols, w.src.c0()),
        length: rows,
        src_gap: {
            let stripe = em.stripe(&w.src);
            em.sub(stripe, rows)
        },
        dst_gap: {
            let stripe = em.stripe(&w.dst);
            em.sub(stripe, rows)
        },
    }
}

/// Where an NZ window starts, in units.
fn group_start(em: &mut Em<'_>, w: &Window) -> Sc {
    let col = units(em, &w.dst, w.col);
    let stripe = em.stripe(&w.dst);
    let a = em.mul(col, stripe);
    let b = em.mul(w.row, w.dst.c0());
    em.add(a, b)
}

/// Block copies between UB and UB or L1.
pub(super) fn blocks(em: &mut Em<'_>, call: &Call, w: &Window, name: &'static str) -> Res<()> {
    at_group(em, call, &w.dst, w.row, w.col)?;
    match same_layout(em, call, w)? {
        Layout::Nz => {
            let b = groups(em, w, w.src.rows);
            let to = group_start(em, w);
            b.copy(em, name, w, Sc::Const(0), to);
        }
        // Rows are the axis of the groups.
        Layout::Zn => {
            let rows = units(em, &w.src, w.src.rows);
            let pitch = match w.src.ty.compact {
                Compact::Null => Sc::from(w.src.buffer_cols),
                Compact::Normal => em.align(w.src.cols, 16),
                Compact::RowPlusOne => {
                    let n = em.align(w.src.cols, 16);
                    em.add(n, 1)
                }
            };
            let b = Bursts {
                count: em.ceil_div(rows, w.src.c0()),
                length: w.src.cols,
                src_gap: em.sub(pitch, w.src.cols),
                dst_gap: em.sub(w.dst.buffer_cols, w.src.cols),
            };
            let row = units(em, &w.dst, w.row);
            let a = em.mul(row, w.dst.buffer_cols);
            let to = em.mul(w.col, w.dst.c0());
            let to = em.add(a, to);
            b.copy(em, name, w, Sc::Const(0), to);
        }
        Layout::Nd => {
            let b = rows(em, call, w)?;
            let to = row_start(em, w);
            b.copy(em, name, w, Sc::Const(0), to);
        }
        l => return Err(call.unsupported(em, format!("layout {l}"))),
    }
    Ok(())
}

/// Rows of an ND tile: one burst each, or one for all when they follow each other on both sides.
fn rows(em: &mut Em<'_>, call: &Call, w: &Window) -> Res<Bursts> {
    let c0 = w.src.c0();
    let cols = units(em, &w.src, w.src.cols);
    let (sp, dp) = (pitch(&w.src), pitch(&w.dst));
    if let Sc::Const(n) = cols {
        if n % c0 != 0 && !w.src.rows.is(1) {
            return Err(call.unsupported(em, format!("rows of {} bytes, which is no multiple of 32", n * w.src.esz())));
        }
        if (n == sp && n == dp) || w.src.rows.is(1) {
            let all = em.mul(w.src.rows, n);
            let length = em.ceil_div(all, c0);
            return Ok(Bursts { count: 1.into(), length, src_gap: 0.into(), dst_gap: 0.into() });
        }
    }
    let gap = |em: &mut Em<'_>, pitch: i64| {
        let g = em.sub(pitch, cols);
        em.div(g, c0)
    };
    Ok(Bursts { count: w.src.rows, length: em.div(cols, c0), src_gap: gap(em, sp), dst_gap: gap(em, dp) })
}

/// Units from one row to the next of an ND tile.
fn pitch(t: &Tile) -> i64 {
    if t.dtype().is_fp4() { t.pitch() / 2 } else { t.pitch() }
}

/// Where an ND window starts, in units.
fn row_start(em: &mut Em<'_>, w: &Window) -> Sc {
    let a = em.mul(w.row, pitch(&w.dst));
    let col = units(em, &w.dst, w.col);
    em.add(a, col)
}

/// NZ to Mat in several transfers of whole column groups; rows are rounded up to fractals, the last transfer takes the rest.
fn split(em: &mut Em<'_>, call: &Call, w: &Window, parts: i64) -> Res<()> {
    if same_layout(em, call, w)? != Layout::Nz {
        return Err(call.unsupported(em, "a divided transfer takes NZ tiles"));
    }
    at_group(em, call, &w.dst, w.row, w.col)?;
    let rows = em.align(w.src.rows, 16);
    let all = groups(em, w, rows);
    let part = em.div(all.count, parts);
    let others = em.mul(part, parts - 1);
    let last = em.sub(all.count, others);
    let to = group_start(em, w);
    for i in 0..parts {
        let count = if i + 1 == parts { last } else { part };
        if count.is(0) {
            continue;
        }
        let first = em.mul(part, i);
        let step = |em: &mut Em<'_>, t: &Tile| {
            let stripe = em.stripe(t);
            let group = em.mul(stripe, t.c0());
            em.mul(first, group)
        };
        let (from, more) = (step(em, &w.src), step(em, &w.dst));
        let to = em.add(to, more);
        Bursts { count, ..all }.copy(em, "pto.copy_ubuf_to_cbuf", w, from, to);
    }
    Ok(())
}

/// Inside UB.
pub(super) fn within(em: &mut Em<'_>, call: &Call, w: &Window) -> Res<()> {
    let layout = same_layout(em, call, w)?;
    let lanes = Lanes::need(em, call, &w.src)?;
    let fp4 = w.src.dtype().is_fp4();
    if !fp4 && w.src.rows.is(1) && w.src.cols.is(1) && matches!(layout, Layout::Nd | Layout::Nz) {
        one(em, w, &lanes);
        return Ok(());
    }
    if layout == Layout::Nz {
        return blocks(em, call, w, "pto.copy_ubuf_to_ubuf");
    }
    if layout != Layout::Nd {
        return Err(call.unsupported(em, format!("layout {layout} inside Vec")));
    }
    let even = |s: Sc| s.known().is_some_and(|n| n % 2 == 0);
    if fp4 && !(even(w.src.cols) && even(w.col) && pitch(&w.src) % 32 == 0 && pitch(&w.dst) % 32 == 0) {
        return Err(call.unsupported(em, "packed fp4 with odd columns, or rows that do not start on a 32-byte block"));
    }
    let c0 = w.src.c0();
    let col = units(em, &w.dst, w.col);
    let at = em.add(w.dst.offset, col);
    let inside = em.rem(at, c0);
    let aligned = em.eq(inside, 0);
    let cols = units(em, &w.src, w.src.cols);
    let whole = is_on_a_block(&w.src) && cols.known().is_some_and(|n| n % c0 == 0);
    let start = row_start(em, w);
    match aligned {
        Cond::Const(true) if whole => return blocks(em, call, w, "pto.copy_ubuf_to_ubuf"),
        Cond::Const(true) => aligned_rows(em, w, &lanes, cols, start),
        Cond::Const(false) => unaligned_rows(em, w, &lanes, cols, start),
        Cond::Value(_) => {
            let bursts = if whole { Some(rows(em, call, w)?) } else { None };
            em.if_else(
                aligned,
                |em| match bursts {
                    Some(b) => b.copy(em, "pto.copy_ubuf_to_ubuf", w, Sc::Const(0), start),
                    None => aligned_rows(em, w, &lanes, cols, start),
                },
                |em| unaligned_rows(em, w, &lanes, cols, start),
            );
        }
    }
    Ok(())
}

/// A tile is known to start on a 32-byte block.
pub(super) fn is_on_a_block(t: &Tile) -> bool {
    t.offset.known().is_some_and(|o| o % t.c0() == 0)
}

/// Where an element lies in an ND or NZ tile, in units; in NZ `col` may lie inside a group.
pub(super) fn element(em: &mut Em<'_>, t: &Tile, row: Sc, col: Sc) -> Sc {
    let col = units(em, t, col);
    if t.layout() != Layout::Nz {
        let a = em.mul(row, pitch(t));
        return em.add(a, col);
    }
    let c0 = t.c0();
    let group = em.div(col, c0);
    let group = em.mul(group, c0);
    let inside = em.rem(col, c0);
    let stripe = em.stripe(t);
    let (a, b) = (em.mul(group, stripe), em.mul(row, c0));
    let at = em.add(a, b);
    em.add(at, inside)
}

/// One element: loaded to every lane, stored from the lowest. No scalar access, so no flags.
fn one(em: &mut Em<'_>, w: &Window, lanes: &Lanes) {
    let start = element(em, &w.dst, w.row, w.col);
    let (ps, pd) = (em.ptr(&w.src), em.ptr(&w.dst));
    em.region("pto.vecscope", |em| {
        let mask = lanes.some(em, 1);
        let v = lanes.broadcast(em, ps, 0);
        lanes.store_one(em, v, pd, start, mask);
    });
}

/// Loads a register of a row of the source.
fn load_row(em: &mut Em<'_>, w: &Window, lanes: &Lanes, ps: ValueId, at: Sc) -> ValueId {
    if is_on_a_block(&w.src) { lanes.load(em, ps, at) } else { lanes.load_unaligned(em, ps, at) }
}

/// Rows that start on a block of the destination: masked stores.
fn aligned_rows(em: &mut Em<'_>, w: &Window, lanes: &Lanes, cols: Sc, start: Sc) {
    let (ps, pd) = (em.ptr(&w.src), em.ptr(&w.dst));
    let (sp, dp) = (pitch(&w.src), pitch(&w.dst));
    em.region("pto.vecscope", |em| {
        lanes.steps(em, cols, |em, mask, at| {
            em.for_loop(w.src.rows, |em, i| {
                let from = em.mul(i, sp);
                let from = em.add(from, at);
                let v = load_row(em, w, lanes, ps, from);
                let to = em.mul(i, dp);
                let to = em.add(to, at);
                let to = em.add(start, to);
                lanes.store(em, v, pd, to, mask);
            });
        });
    });
}

/// Rows that start anywhere in the destination: a stream of unaligned stores for each row, flushed at its end.
fn unaligned_rows(em: &mut Em<'_>, w: &Window, lanes: &Lanes, cols: Sc, start: Sc) {
    let (ps, pd) = (em.ptr(&w.src), em.ptr_at(&w.dst, start));
    let (sp, dp) = (pitch(&w.src), pitch(&w.dst));
    let align = em.ir.ctx.dialect_ty(OpaqueKind::Align);
    let ptr = em.ir.value_type(pd);
    em.region("pto.vecscope", |em| {
        let empty = em.emit1("pto.init_align", &[], align);
        em.for_loop(w.src.rows, |em, i| {
            let run = em.mul(i, dp);
            let to = if run.is(0) {
                pd
            } else {
                let o = em.index(run);
                em.emit1("pto.addptr", &[pd, o], ptr)
            };
            let from = em.mul(i, sp);
            let put = |em: &mut Em<'_>, j: Sc, n: Sc, state: &[ValueId]| {
                let at = em.mul(j, lanes.count);
                let at = em.add(from, at);
                let v = load_row(em, w, lanes, ps, at);
                let n = em.i32(n);
                let op = em.build("pto.vstus").args(&[state[0], n, v, state[1]]).result(align).result(ptr).done();
                em.ir.op(op).results.to_vec()
            };
            let state = vec![empty, to];
            let state = match cols {
                Sc::Const(cols) => {
                    let (full, rest) = (cols / lanes.count, cols % lanes.count);
                    let state = em.for_carry(full, &state, |em, j, s| put(em, j, lanes.count.into(), s));
                    if rest > 0 { put(em, full.into(), rest.into(), &state) } else { state }
                }
                Sc::Value(_) => {
                    let steps = em.ceil_div(cols, lanes.count);
                    em.for_carry(steps, &state, |em, j, s| {
                        let done = em.mul(j, lanes.count);
                        let left = em.sub(cols, done);
                        let n = em.min(left, lanes.count);
                        put(em, j, n, s)
                    })
                }
            };
            let zero = em.i32(0);
            em.build("pto.vstas").args(&[state[0], state[1], zero]).done();
        });
    });
}
