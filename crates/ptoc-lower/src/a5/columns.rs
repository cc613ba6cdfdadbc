//! One number a column: a row with every row of a tile, and a tile folded to one row.
//!
//! The columns are walked in steps of one register, the rows inside, so that the row is loaded, or the result stored, once for
//! each step.

use super::expand::{Join, default_precision};
use super::vec::{Lanes, starts_on_a_block};
use crate::tile::row_comes_first;
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_target::Layout;

pub(super) const OPS: &[(&str, LowerFn)] = &[
    ("pto.tcolexpand", copy),
    ("pto.tcolexpandadd", |em, c| combine(em, c, Join::Op("pto.vadd"))),
    ("pto.tcolexpandsub", |em, c| combine(em, c, Join::Op("pto.vsub"))),
    ("pto.tcolexpandmul", |em, c| combine(em, c, Join::Op("pto.vmul"))),
    ("pto.tcolexpanddiv", |em, c| combine(em, c, Join::Op("pto.vdiv"))),
    ("pto.tcolexpandmax", |em, c| combine(em, c, Join::Op("pto.vmax"))),
    ("pto.tcolexpandmin", |em, c| combine(em, c, Join::Op("pto.vmin"))),
    ("pto.tcolexpandexpdif", |em, c| combine(em, c, Join::ExpDif)),
    ("pto.tcolsum", |em, c| fold(em, c, "pto.vadd")),
    ("pto.tcolprod", |em, c| fold(em, c, "pto.vmul")),
    ("pto.tcolmax", |em, c| fold(em, c, "pto.vmax")),
    ("pto.tcolmin", |em, c| fold(em, c, "pto.vmin")),
];

fn check(em: &Em<'_>, call: &Call, tiles: &[&Tile]) -> Res<()> {
    for t in tiles {
        if t.layout() != Layout::Nd {
            return Err(call.unsupported(em, "a tile is not row major without boxes"));
        }
        starts_on_a_block(em, call, t)?;
    }
    Ok(())
}

fn copy(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &[&src, &dst])?;
    let lanes = Lanes::need(em, call, &dst)?;
    let (ps, pd) = (em.ptr(&src), em.ptr(&dst));
    em.region("pto.vecscope", |em| {
        lanes.steps(em, dst.cols, |em, mask, at| {
            let x = lanes.load(em, ps, at);
            em.for_loop(dst.rows, |em, i| {
                let row = em.mul(i, dst.pitch());
                let to = em.add(row, at);
                lanes.store(em, x, pd, to, mask);
            });
        });
    });
    Ok(())
}

fn combine(em: &mut Em<'_>, call: &Call, join: Join) -> Res<()> {
    default_precision(em, call)?;
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let first = row_comes_first(&dst, &a, &b);
    let (full, row) = if first { (b, a) } else { (a, b) };
    check(em, call, &[&dst, &full, &row])?;
    let lanes = Lanes::need(em, call, &dst)?;
    let (pf, pr, pd) = (em.ptr(&full), em.ptr(&row), em.ptr(&dst));
    em.region("pto.vecscope", |em| {
        lanes.steps(em, dst.cols, |em, mask, at| {
            let n = lanes.load(em, pr, at);
            em.for_loop(dst.rows, |em, i| {
                let down = em.mul(i, dst.pitch());
                let to = em.add(down, at);
                let from = match full.pitch() == dst.pitch() {
                    true => to,
                    false => {
                        let down = em.mul(i, full.pitch());
                        em.add(down, at)
                    }
                };
                let x = lanes.load(em, pf, from);
                let (x, y) = if first { (n, x) } else { (x, n) };
                let r = join.emit(em, &lanes, x, y, mask);
                lanes.store(em, r, pd, to, mask);
            });
        });
    });
    Ok(())
}

/// Rows are joined from the first to the last. The tree of pairs that a sum can be asked for differs from that in rounding
/// only, and is not followed.
fn fold(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &[&src, &dst])?;
    let lanes = Lanes::need(em, call, &dst)?;
    let (ps, pd) = (em.ptr(&src), em.ptr(&dst));
    // Without rows there is no result.
    let some = em.ne(src.rows, 0);
    em.if_then(some, |em| {
        em.region("pto.vecscope", |em| {
            lanes.steps(em, src.cols, |em, mask, at| {
                let first = lanes.load(em, ps, at);
                let more = em.sub(src.rows, 1);
                let out = em.for_carry(more, &[first], |em, i, acc| {
                    let i: Sc = em.add(i, 1);
                    let down = em.mul(i, src.pitch());
                    let from = em.add(down, at);
                    let x = lanes.load(em, ps, from);
                    vec![lanes.binary(em, op, acc[0], x, mask)]
                });
                lanes.store(em, out[0], pd, at, mask);
            });
        });
    });
    Ok(())
}
