//! One element of each row in the whole row, alone or combined with a tile.

use super::area::{Area, SCRATCH_BYTES};
use super::map::{Map, copy};
use super::vector::{Lane, MAX_STRIDE, Mask, Steps, Vector};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Layout, Loc};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.trowexpand", expand),
    ("pto.trowexpandadd", |em, c| combine(em, c, "pto.ub.vadd")),
    ("pto.trowexpandsub", |em, c| combine(em, c, "pto.ub.vsub")),
    ("pto.trowexpandmul", |em, c| combine(em, c, "pto.ub.vmul")),
    ("pto.trowexpanddiv", |em, c| combine(em, c, "pto.ub.vdiv")),
    ("pto.trowexpandmax", |em, c| combine(em, c, "pto.ub.vmax")),
    ("pto.trowexpandmin", |em, c| combine(em, c, "pto.ub.vmin")),
    ("pto.trowexpandexpdif", exponential),
];

/// Most rows whose elements are broadcast at a time when they don't all fit: a multiple of 16, so that the next ones start
/// at a whole block.
const BATCH: i64 = 240;

/// How a tile gives one element a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// A dense column.
    Column,
    /// A block of 32 bytes a row, filled with the element.
    Blocks,
}

fn side(tile: &Tile) -> Option<Side> {
    match tile.layout() {
        Layout::Dn if tile.ty.cols == 1 => Some(Side::Column),
        Layout::Nd if tile.ty.cols as i64 == tile.c0() => Some(Side::Blocks),
        _ => None,
    }
}

/// The exponential of the difference, which is made first.
fn exponential(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    if !dst.dtype().is_float() {
        return Err(call.unsupported(em, format!("element type {} (it takes f16 and f32)", dst.dtype())));
    }
    combine(em, call, "pto.ub.vsub")?;
    let to = Area::of(em, call, &dst)?;
    let most_rows = to.most_rows();
    Vector::scope(em, |v| {
        v.barrier();
        Map { name: "pto.ub.vexp", number: None, areas: &[to, to], most_rows }.emit(v, dst.rows, dst.cols);
    });
    Ok(())
}

/// `dst = full op each`, in the order of the operands. A column is first broadcast to blocks, in the temporary or in the
/// scratch at 184 KiB; then one block of a row stands against all blocks of the full operand (block stride 0).
fn combine(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let (dst, a, b) = (call.tile(em, "dst")?, call.tile(em, "src0")?, call.tile(em, "src1")?);
    let allowed: &[DType] = match name {
        "pto.ub.vdiv" => &[DType::F16, DType::F32],
        _ => &[DType::F16, DType::F32, DType::I16, DType::I32],
    };
    for t in [&dst, &a, &b] {
        if !allowed.contains(&t.dtype()) || t.dtype() != dst.dtype() || t.loc() != Loc::Vec {
            let names: Vec<&str> = allowed.iter().map(|d| d.name()).collect();
            let what = format!("element type {} (one of {}, the same everywhere)", t.dtype(), names.join(", "));
            return Err(call.unsupported(em, what));
        }
    }
    // Which operand has one element a row; the second one when both look like it.
    let (full, each, how, swapped) = match (side(&a), side(&b)) {
        (_, Some(s)) if !(s == Side::Blocks && side(&a) == Some(Side::Column)) => (a, b, s, false),
        (Some(s), _) => (b, a, s, true),
        _ => {
            let what = "neither source has one element a row: a column-major tile of one column, or a row-major one of 32 \
                        bytes a row";
            return Err(call.unsupported(em, what));
        }
    };
    if full.layout() != Layout::Nd || dst.layout() != Layout::Nd {
        return Err(call.unsupported(em, "the full operand and the destination are row-major"));
    }
    let (to, from) = (Area::of(em, call, &dst)?, Area::of(em, call, &full)?);
    let lane = to.lane;
    let (rows, cols, most_rows) = (dst.rows, dst.cols, to.most_rows());
    let order = |each: Area, to: Area, from: Area| if swapped { [to, each, from] } else { [to, from, each] };
    if how == Side::Blocks {
        let each = Area::of(em, call, &each)?.spread();
        Vector::scope(em, |v| {
            Map { name, number: None, areas: &order(each, to, from), most_rows }.emit(v, rows, cols);
        });
        return Ok(());
    }
    let column = Area::of(em, call, &each)?;
    let tmp = match call.opt_tile(em, "tmp")? {
        Some(t) => {
            let a = Area::of(em, call, &t)?.with_pitch(1).seen_as(lane);
            (a, a.room())
        }
        None => (Area::scratch(em, call, lane, &[&to, &from, &column])?, SCRATCH_BYTES),
    };
    let (blocks, room) = tmp;
    let capacity = room / 32 / 8 * 8;
    if capacity < 8 {
        let what = format!("a temporary of {room} bytes: eight rows are broadcast at a time, to 256 bytes");
        return Err(call.unsupported(em, what));
    }
    let raw = Lane::unsigned(em, lane.bytes);
    Vector::scope(em, |v| {
        let batch = |v: &mut Vector<'_, '_>, first: Sc, count: Sc, most: i64| {
            let groups = v.em.ceil_div(count, 8);
            let (p, q) = (blocks.seen_as(raw).ptr(v.em, 0), column.seen_as(raw).ptr_to(v.em, first));
            v.broadcast(p, q, 1, 8, groups);
            v.barrier();
            let areas = order(blocks.spread(), to.at_row(v.em, first), from.at_row(v.em, first));
            Map { name, number: None, areas: &areas, most_rows: most }.emit(v, count, cols);
        };
        if most_rows <= capacity {
            return batch(v, Sc::Const(0), rows, most_rows);
        }
        if let Sc::Const(n) = rows
            && n <= capacity
        {
            return batch(v, Sc::Const(0), rows, n);
        }
        let most = BATCH.min(capacity / 16 * 16).max(8);
        if let Sc::Const(n) = rows
            && n <= 4 * most
        {
            // The next rows wait for the last ones' reads of the temporary.
            for first in (0..n).step_by(most as usize) {
                if first > 0 {
                    v.barrier();
                }
                batch(v, first.into(), (n - first).min(most).into(), most);
            }
            return;
        }
        let parts = v.em.ceil_div(rows, most);
        v.each(parts, |v, i| {
            let first = v.em.mul(i, most);
            let left = v.em.sub(rows, first);
            let count = v.em.min(left, most);
            batch(v, first, count, most);
            v.barrier();
        });
    });
    Ok(())
}

/// The element of each row in the whole row.
///
/// Groups of eight rows of a dense column go through the first block of their destination rows: broadcast there, then copied
/// along the row. Other rows, and sources that are no column, go through the scalar unit; the vendor's sequence does that for
/// every row, with four flags each, of which one pair before the first row suffices: the number travels in a register.
fn expand(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    if dst.layout() != Layout::Nd || src.layout().is_boxed() || src.esz() != dst.esz() || dst.esz() > 4 {
        return Err(
            call.unsupported(em, "it goes from rows or a column to rows, with elements of the same 1, 2 or 4 bytes")
        );
    }
    let to = Area::of(em, call, &dst)?;
    let (rows, cols) = (dst.rows, dst.cols);
    let step = if src.layout() == Layout::Dn { 1 } else { src.pitch() };
    let column = src.layout() == Layout::Dn && src.ty.cols == 1;
    let c0 = dst.c0();
    let whole_block = cols.known().is_some_and(|c| c >= c0);
    let groups = match column && dst.esz() > 1 && whole_block && 8 * to.pitch <= MAX_STRIDE {
        true => em.div(rows, 8),
        false => Sc::Const(0),
    };
    let raw = to.unsigned(em);
    let column = match groups.is(0) {
        true => None,
        false => Some(Area::of(em, call, &src)?.seen_as(raw.lane)),
    };
    Vector::scope(em, |v| {
        if let Some(column) = column {
            let (p, q) = (raw.ptr(v.em, 0), column.ptr(v.em, 0));
            v.broadcast(p, q, raw.pitch, 8 * raw.pitch, groups);
            let done = v.em.mul(groups, 8);
            let more = v.em.sub(cols, c0);
            if !more.is(0) {
                v.barrier();
                let rest = raw.after(v.em, 1);
                copy(v, rest, raw.spread(), done, more);
            }
        }
        let done = v.em.mul(groups, 8);
        let left = v.em.sub(rows, done);
        if left.is(0) {
            return;
        }
        v.mask(Mask::Full);
        v.before_scalar();
        let (lanes, odd) = if dst.esz() == 1 { (v.em.div(cols, 2), v.em.rem(cols, 2)) } else { (cols, Sc::Const(0)) };
        v.mask(Mask::Count(lanes));
        v.each(left, |v, r| {
            let row = v.em.add(done, r);
            let x = load(v.em, &src, row, step);
            let number = match dst.esz() {
                1 => pair(v.em, x),
                _ => x,
            };
            let area = if dst.esz() == 1 { raw } else { to };
            let at = v.em.mul(row, area.pitch);
            let p = area.ptr(v.em, at);
            v.op("pto.ub.vdup", &[p], Some(number), &Steps::dense(1, [8, 0, 0]));
            let last = v.em.ne(odd, 0);
            v.when(last, |v| {
                let start = v.em.mul(row, dst.pitch());
                let end = v.em.add(start, cols);
                let at = v.em.sub(end, 1);
                let (p, at) = (v.em.ptr(&dst), v.em.index(at));
                v.em.emit("pto.store_scalar", &[p, at, x]);
            });
        });
        let stored = v.em.ne(odd, 0);
        v.when(stored, |v| v.after_scalar());
    });
    Ok(())
}

fn load(em: &mut Em<'_>, src: &Tile, row: Sc, step: i64) -> ValueId {
    let at = em.mul(row, step);
    let (p, at) = (em.ptr(src), em.index(at));
    em.emit1("pto.load_scalar", &[p, at], src.ty.elem)
}

/// A byte in both halves of a halfword.
fn pair(em: &mut Em<'_>, byte: ValueId) -> ValueId {
    let wide = em.emit1("arith.extui", &[byte], builtin::I16);
    let twice = em.int(0x0101, builtin::I16);
    em.emit1("arith.muli", &[wide, twice], builtin::I16)
}
