//! One number a column: a row with every row of a tile, and a tile folded to one row.

use super::area::Area;
use super::map::{Map, copy};
use super::vector::{MAX_STRIDE, Mask, Steps, Vector};
use crate::tile::row_comes_first;
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_target::{DType, Layout};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.tcolexpand", expand),
    ("pto.tcolexpandadd", |em, c| combine(em, c, "pto.ub.vadd", false)),
    ("pto.tcolexpandsub", |em, c| combine(em, c, "pto.ub.vsub", false)),
    ("pto.tcolexpandmul", |em, c| combine(em, c, "pto.ub.vmul", false)),
    ("pto.tcolexpanddiv", |em, c| combine(em, c, "pto.ub.vdiv", false)),
    ("pto.tcolexpandmax", |em, c| combine(em, c, "pto.ub.vmax", false)),
    ("pto.tcolexpandmin", |em, c| combine(em, c, "pto.ub.vmin", false)),
    ("pto.tcolexpandexpdif", |em, c| combine(em, c, "pto.ub.vsub", true)),
    ("pto.tcolsum", |em, c| fold(em, c, "pto.ub.vadd")),
    ("pto.tcolprod", |em, c| fold(em, c, "pto.ub.vmul")),
    ("pto.tcolmax", |em, c| fold(em, c, "pto.ub.vmax")),
    ("pto.tcolmin", |em, c| fold(em, c, "pto.ub.vmin")),
];

const ARITHMETIC: &[DType] = &[DType::F16, DType::F32, DType::I16, DType::I32];
const FLOAT: &[DType] = &[DType::F16, DType::F32];

fn check(em: &Em<'_>, call: &Call, tiles: &[&Tile], dtypes: &[DType]) -> Res<()> {
    for t in tiles {
        if t.layout() != Layout::Nd {
            return Err(call.unsupported(em, format!("a tile in layout {}; it takes rows without boxes", t.layout())));
        }
        if !dtypes.is_empty() && !dtypes.contains(&t.dtype()) {
            let names: Vec<&str> = dtypes.iter().map(|d| d.name()).collect();
            let what = format!("element type {} (the vector unit has it for {})", t.dtype(), names.join(", "));
            return Err(call.unsupported(em, what));
        }
    }
    Ok(())
}

/// The row is read again for every row: its repeats are 0 blocks apart.
fn combine(em: &mut Em<'_>, call: &Call, name: &'static str, exponential: bool) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let float = exponential || name == "pto.ub.vdiv";
    check(em, call, &[&dst, &a, &b], if float { FLOAT } else { ARITHMETIC })?;
    let first = row_comes_first(&dst, &a, &b);
    let (full, row) = if first { (b, a) } else { (a, b) };
    let (to, from) = (Area::of(em, call, &dst)?, Area::of(em, call, &full)?);
    let row = Area::of(em, call, &row)?.with_pitch(0);
    let areas = if first { [to, row, from] } else { [to, from, row] };
    let most_rows = to.most_rows();
    Vector::scope(em, |v| {
        Map { name, number: None, areas: &areas, most_rows }.emit(v, dst.rows, dst.cols);
        if exponential {
            v.barrier();
            Map { name: "pto.ub.vexp", number: None, areas: &[to, to], most_rows }.emit(v, dst.rows, dst.cols);
        }
    });
    Ok(())
}

/// The first row in every row. Bytes go in pairs; an odd number of them by blocks, row by row.
fn expand(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &[&dst, &src], &[])?;
    if src.esz() != dst.esz() || dst.esz() > 4 {
        return Err(call.unsupported(em, "it takes elements of the same 1, 2 or 4 bytes"));
    }
    let (to, from) = (Area::of(em, call, &dst)?.unsigned(em), Area::of(em, call, &src)?.unsigned(em));
    let (rows, cols) = (dst.rows, dst.cols);
    if dst.esz() == 1 && cols.known().is_none_or(|c| c % 2 != 0) {
        Vector::scope(em, |v| {
            let blocks = v.em.ceil_div(cols, 32);
            let p = from.ptr(v.em, 0);
            v.each(rows, |v, i| {
                let down = v.em.mul(i, to.pitch);
                let q = to.ptr(v.em, down);
                v.bursts(q, p, 1.into(), blocks, 0.into(), 0.into());
            });
        });
        return Ok(());
    }
    let lanes = if dst.esz() == 1 { em.div(cols, 2) } else { cols };
    Vector::scope(em, |v| copy(v, to, from.with_pitch(0), rows, lanes));
    Ok(())
}

/// The first row is copied; the others come to it one after another.
///
/// A column of repeats does that in one instruction for each 256 bytes: the destination stands still (repeat stride 0) and is
/// the second source, which the hardware allows for f16, f32 and i32. Otherwise it goes row by row. The tree of pairs that a
/// sum can be asked for differs in rounding only, and is not followed.
fn fold(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &[&src, &dst], ARITHMETIC)?;
    let (to, from) = (Area::of(em, call, &dst)?, Area::of(em, call, &src)?);
    let (rows, cols, most_rows) = (src.rows, src.cols, from.most_rows());
    if rows.is(0) || cols.is(0) {
        return Ok(());
    }
    let e = to.lane.repeat();
    let known = |s: Sc, most: u64| s.known().unwrap_or(i64::try_from(most).unwrap_or(i64::MAX));
    let (r, c) = (known(rows, src.ty.rows), known(cols, src.ty.cols));
    let by_columns = (r / 255 + 1) * (c / e + if c % e > 0 { 3 } else { 1 });
    let still = src.dtype() != DType::I16 && from.pitch <= MAX_STRIDE && by_columns <= 2 * r + 4;
    let some = em.ne(rows, 0);
    em.if_then(some, |em| {
        Vector::scope(em, |v| {
            if !still && !rows.is(1) {
                v.mask(Mask::Count(cols));
            }
            let (raw_to, raw_from) = (to.unsigned(v.em), from.unsigned(v.em));
            copy(v, raw_to, raw_from, 1.into(), cols);
            let more = v.em.sub(rows, 1);
            if more.is(0) {
                return;
            }
            let below = from.at_row(v.em, 1);
            if !still {
                v.mask(Mask::Count(cols));
                v.each(more, |v, i| {
                    v.barrier();
                    let row = below.at_row(v.em, i);
                    let (p, q) = (to.ptr(v.em, 0), row.ptr(v.em, 0));
                    v.op(name, &[p, p, q], None, &Steps::dense(1, [8; 3]));
                });
                return;
            }
            let (full, rest) = (v.em.div(cols, e), v.em.rem(cols, e));
            v.parts(more, most_rows, |v, first, count| {
                v.barrier();
                let rows = below.at_row(v.em, first);
                let column = |v: &mut Vector<'_, '_>, j: Sc| {
                    let along = v.em.mul(j, 8);
                    let (p, q) = (to.ptr(v.em, along), rows.ptr(v.em, along));
                    v.op(name, &[p, q, p], None, &Steps::dense(count, [0, rows.pitch, 0]));
                };
                if !full.is(0) {
                    v.mask(Mask::Full);
                    v.each_unrolled(full, |v, j| column(v, j));
                }
                if !rest.is(0) {
                    v.mask(Mask::First(rest));
                    column(v, full);
                }
            });
        });
    });
    Ok(())
}
