//! Sequences, gathers by an index tile, tiles side by side.

use super::area::Area;
use super::map::{Map, number_as};
use super::vector::{Lane, Mask, Steps, Vector, first_lanes};
use super::window;
use crate::sequence::{count_one_by_one, shifted};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::builtin;
use ptoc_target::Layout;

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[("pto.tci", sequence), ("pto.tgather", gather), ("pto.tconcat", concat)];

fn rows_only(em: &Em<'_>, call: &Call, tiles: &[&Tile]) -> Res<()> {
    match tiles.iter().find(|t| t.layout() != Layout::Nd) {
        Some(t) => Err(call.unsupported(em, format!("a tile in layout {}; it takes rows without boxes", t.layout()))),
        None => Ok(()),
    }
}

/// `start`, `start + 1`, ... or downwards. With a temporary it belongs to the vector unit, without one to the scalar unit,
/// which the synchronisation around it relies on.
///
/// The vector unit makes the first repeat by doubling: the start in all lanes, then 1 to the lanes whose number has bit 0, 2 to
/// those with bit 1, and so on. Each later repeat is the first one plus the number of its first lane.
fn sequence(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    rows_only(em, call, &[&dst])?;
    if !dst.dtype().is_int() || dst.ty.rows != 1 || !matches!(dst.esz(), 2 | 4) {
        let what =
            format!("elements {} in {} rows; it fills one row of integers of 2 or 4 bytes", dst.dtype(), dst.ty.rows);
        return Err(call.unsupported(em, what));
    }
    let down = call.flag(em, "descending");
    let start = call.need(em, "S")?;
    let start = number_as(em, start, dst.ty.elem);
    if call.value(em, "tmp").is_none() {
        count_one_by_one(em, &dst, start, down);
        return Ok(());
    }
    let bytes = dst.esz();
    // Sums wrap, so the signedness does not matter; they exist for signed numbers only.
    let elem = if bytes == 2 { builtin::I16 } else { builtin::I32 };
    let area = Area::of(em, call, &dst)?.seen_as(Lane { elem, bytes });
    let lanes = area.lane.repeat();
    Vector::scope(em, |v| {
        let first = v.em.min(dst.cols, lanes);
        let p = area.ptr(v.em, 0);
        v.mask(Mask::First(first));
        v.op("pto.ub.vdup", &[p], Some(start), &Steps::dense(1, [8, 0, 0]));
        let sign = if down { -1 } else { 1 };
        for bit in 0..lanes.ilog2() {
            if first.known().is_some_and(|n| n <= 1 << bit) {
                break;
            }
            v.barrier();
            let some = with_bit(v, bit, first, lanes);
            v.mask(some);
            let by = v.em.int(sign << bit, elem);
            v.op("pto.ub.vadds", &[p, p], Some(by), &Steps::dense(1, [8, 8, 0]));
        }
        let (full, rest) = (v.em.div(dst.cols, lanes), v.em.rem(dst.cols, lanes));
        let more = match (full, rest) {
            (Sc::Const(0), _) => return,
            (Sc::Const(1), Sc::Const(0)) => return,
            // Without a full repeat there is nothing to go on from.
            (f, _) => v.em.sub(f, 1),
        };
        v.barrier();
        let next = |v: &mut Vector<'_, '_>, k: Sc| {
            let along = v.em.mul(k, 8);
            let q = area.ptr(v.em, along);
            let zero = v.em.int(0, elem);
            let passed = v.em.mul(k, lanes);
            let by = shifted(v.em, zero, passed, elem, down);
            v.op("pto.ub.vadds", &[q, p], Some(by), &Steps::dense(1, [8, 8, 0]));
        };
        if !more.is(0) {
            v.mask(Mask::Full);
            v.each(more, |v, k| {
                let k = v.em.add(k, 1);
                next(v, k);
            });
        }
        if !rest.is(0) {
            let whole = v.em.gt(full, 0);
            v.when(whole, |v| {
                v.mask(Mask::First(rest));
                next(v, full);
            });
        }
    });
    Ok(())
}

/// The lanes below `first` whose number has a bit.
fn with_bit(v: &mut Vector<'_, '_>, bit: u32, first: Sc, lanes: i64) -> Mask {
    let word = |base: u32| (0..64).filter(|l| (base + l) >> bit & 1 == 1).fold(0u64, |w, l| w | 1 << l);
    let (high, low) = if lanes > 64 { (word(64), word(0)) } else { (0, word(0)) };
    if let Sc::Const(n) = first {
        let Mask::Lanes(h, l) = first_lanes(u32::try_from(n).unwrap_or(0)) else { return Mask::Full };
        return Mask::Lanes(high & h, low & l);
    }
    let n_low = v.em.min(first, 64);
    let n_high = v.em.max(first, 64);
    let n_high = v.em.sub(n_high, 64);
    let mut part = |n: Sc, bits: u64| {
        let ones = v.ones(n);
        let bits = v.em.int(bits as i64, builtin::I64);
        v.em.emit1("arith.andi", &[ones, bits], builtin::I64)
    };
    Mask::Words(part(n_high, high), part(n_low, low))
}

/// Elements of the whole source, counted in storage order, by an index tile. The instruction wants byte offsets: indices times
/// the size go to the destination, or, when it is narrower, to the temporary.
fn gather(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let Some(index) = call.opt_tile(em, "indices")? else {
        return Err(call.unsupported(em, "elements by a lane pattern or by comparison; only an index tile is lowered"));
    };
    let (src, dst, tmp) = (call.tile(em, "src")?, call.tile(em, "dst")?, call.opt_tile(em, "tmp")?);
    rows_only(em, call, &[&src, &dst, &index])?;
    if index.esz() != 4 || !index.dtype().is_int() || !matches!(dst.esz(), 2 | 4) || src.esz() != dst.esz() {
        let what = format!(
            "elements {} to {} by indices {}; it takes elements of the same 2 or 4 bytes and indices of 4",
            src.dtype(),
            dst.dtype(),
            index.dtype()
        );
        return Err(call.unsupported(em, what));
    }
    let lane = Lane { elem: builtin::I32, bytes: 4 };
    let (to, from) = (Area::of(em, call, &dst)?, Area::of(em, call, &index)?.seen_as(lane));
    let offsets = match tmp {
        _ if dst.esz() == 4 => to.seen_as(lane),
        Some(t) => {
            rows_only(em, call, &[&t])?;
            Area::of(em, call, &t)?.seen_as(lane)
        }
        None => return Err(call.unsupported(em, "elements of 2 bytes without a temporary for the byte offsets")),
    };
    if dst.esz() == 2 && offsets.tile.ty.rows < dst.ty.rows {
        return Err(call.unsupported(em, "a temporary of fewer rows than the destination"));
    }
    let base = match em.address(&src) {
        Ok(a) => em.int(a, builtin::I64),
        Err(v) => v,
    };
    let (rows, cols) = (dst.rows, dst.cols);
    let size = em.int(dst.esz(), builtin::I32);
    let (raw, words) = (Lane::unsigned(em, dst.esz()), Lane::unsigned(em, 4));
    let areas = [offsets, from];
    let most_rows = to.most_rows();
    Vector::scope(em, |v| {
        // Rows without gaps are one.
        let dense = |a: &Area| cols.known() == Some(a.pitch * a.lane.block());
        let one = rows.is(1) || dense(&to) && dense(&offsets);
        let all = v.em.mul(rows, cols);
        if one && (rows.is(1) || dense(&from)) {
            v.mask(Mask::Count(all));
        }
        Map { name: "pto.ub.vmuls", number: Some(size), areas: &areas, most_rows }.emit(v, rows, cols);
        v.barrier();
        let pick = |v: &mut Vector<'_, '_>, row: Sc| {
            let (p, q) = (to.seen_as(raw).at_row(v.em, row), offsets.seen_as(words).at_row(v.em, row));
            let args = [p.ptr(v.em, 0), q.ptr(v.em, 0), base, v.em.int(8, builtin::I64), v.em.int(1, builtin::I64)];
            v.em.emit("pto.ub.vgather", &args);
        };
        if one {
            v.mask(Mask::Count(all));
            return pick(v, Sc::Const(0));
        }
        v.mask(Mask::Count(cols));
        v.each(rows, |v, i| pick(v, i));
    });
    Ok(())
}

/// The second tile goes to the right of the valid columns of the first.
fn concat(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    rows_only(em, call, &[&a, &b, &dst])?;
    window::put(em, call, a, dst, 0.into())?;
    window::put(em, call, b, dst, a.cols)
}
