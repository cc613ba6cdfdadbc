//! One number a row, over the whole row.
//!
//! The number comes by a broadcast load, once a row. A row-major operand of 32 bytes a row gives a block that repeats along
//! the row.

use super::vec::{Lanes, starts_on_a_block};
use crate::{Call, Em, LowerFn, Res, Tile};
use ptoc_ir::ValueId;
use ptoc_target::Layout;

pub(super) const OPS: &[(&str, LowerFn)] = &[
    ("pto.trowexpand", copy),
    ("pto.trowexpandadd", |em, c| combine(em, c, "pto.vadd")),
    ("pto.trowexpandsub", |em, c| combine(em, c, "pto.vsub")),
    ("pto.trowexpandmul", |em, c| combine(em, c, "pto.vmul")),
    ("pto.trowexpanddiv", |em, c| combine(em, c, "pto.vdiv")),
    ("pto.trowexpandmax", |em, c| combine(em, c, "pto.vmax")),
    ("pto.trowexpandmin", |em, c| combine(em, c, "pto.vmin")),
];

/// How the number of a row is loaded.
enum Narrow {
    /// One element to every lane.
    Element,
    /// 32 bytes to every block.
    Block,
}

/// Elements from one row's number to the next.
fn row_step(tile: &Tile) -> i64 {
    if tile.layout() == Layout::Dn { 1 } else { tile.pitch() }
}

fn check(em: &Em<'_>, call: &Call, dst: &Tile, narrow: &Tile) -> Res<()> {
    if dst.layout() != Layout::Nd || narrow.layout().is_boxed() {
        return Err(
            call.unsupported(em, "the destination is not row major without boxes, or the narrow tile has boxes")
        );
    }
    Ok(())
}

fn load(em: &mut Em<'_>, lanes: &Lanes, narrow: &Narrow, ptr: ValueId, at: crate::Sc) -> ValueId {
    match narrow {
        Narrow::Element => lanes.broadcast(em, ptr, at),
        Narrow::Block => lanes.load_as(em, ptr, at, "BRC_BLK"),
    }
}

fn copy(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &dst, &src)?;
    let lanes = Lanes::need(em, call, &dst)?;
    let (ps, pd) = (em.ptr(&src), em.ptr(&dst));
    em.region("pto.vecscope", |em| {
        let masks = lanes.masks(em, dst.cols);
        em.for_loop(dst.rows, |em, i| {
            let from = em.mul(i, row_step(&src));
            let v = load(em, &lanes, &Narrow::Element, ps, from);
            let to = em.mul(i, dst.pitch());
            lanes.each(em, masks, |em, mask, at| {
                let at = em.add(to, at);
                lanes.store(em, v, pd, at, mask);
            });
        });
    });
    Ok(())
}

/// True when a tile holds one number (or one 32-byte block) a row.
fn is_narrow(t: &Tile) -> bool {
    match t.layout() {
        Layout::Dn => t.ty.cols == 1 || t.cols.is(1),
        _ => t.cols.is(1) || t.cols.is(t.c0()) || (t.cols.known().is_none() && t.ty.cols == t.c0() as u64),
    }
}

/// Which source is the narrow one: the second, unless only the first can be. When both could be, the one with the smaller
/// pitch is.
fn narrow_first(a: &Tile, b: &Tile) -> bool {
    match (is_narrow(a), is_narrow(b)) {
        (true, true) => row_step(a) < row_step(b),
        (a, _) => a,
    }
}

fn combine(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    if let Some(w) = call.word(em, "precisionType").filter(|w| *w != "default") {
        return Err(call.unsupported(em, format!("precision `{w}`")));
    }
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let first = narrow_first(&a, &b);
    let (wide, narrow) = if first { (b, a) } else { (a, b) };
    check(em, call, &dst, &narrow)?;
    if wide.layout() != Layout::Nd {
        return Err(call.unsupported(em, "the wide source is not row major without boxes"));
    }
    starts_on_a_block(em, call, &wide)?;
    let lanes = Lanes::need(em, call, &dst)?;
    let how = if narrow.layout() == Layout::Dn || narrow.cols.is(1) { Narrow::Element } else { Narrow::Block };
    let (pw, pn, pd) = (em.ptr(&wide), em.ptr(&narrow), em.ptr(&dst));
    em.region("pto.vecscope", |em| {
        let masks = lanes.masks(em, dst.cols);
        em.for_loop(dst.rows, |em, i| {
            let from = em.mul(i, row_step(&narrow));
            let n = load(em, &lanes, &how, pn, from);
            let to = em.mul(i, dst.pitch());
            let row = if wide.pitch() == dst.pitch() { to } else { em.mul(i, wide.pitch()) };
            lanes.each(em, masks, |em, mask, at| {
                let from = em.add(row, at);
                let x = lanes.load(em, pw, from);
                let r = if first { lanes.binary(em, op, n, x, mask) } else { lanes.binary(em, op, x, n, mask) };
                let at = if row == to { from } else { em.add(to, at) };
                lanes.store(em, r, pd, at, mask);
            });
        });
    });
    Ok(())
}
