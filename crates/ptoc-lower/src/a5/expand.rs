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
    ("pto.trowexpandadd", |em, c| combine(em, c, Join::Op("pto.vadd"))),
    ("pto.trowexpandsub", |em, c| combine(em, c, Join::Op("pto.vsub"))),
    ("pto.trowexpandmul", |em, c| combine(em, c, Join::Op("pto.vmul"))),
    ("pto.trowexpanddiv", |em, c| combine(em, c, Join::Op("pto.vdiv"))),
    ("pto.trowexpandmax", |em, c| combine(em, c, Join::Op("pto.vmax"))),
    ("pto.trowexpandmin", |em, c| combine(em, c, Join::Op("pto.vmin"))),
    ("pto.trowexpandexpdif", |em, c| combine(em, c, Join::ExpDif)),
];

/// What is done with an element of each source.
#[derive(Clone, Copy)]
pub(super) enum Join {
    /// One instruction.
    Op(&'static str),
    /// The exponential of the difference.
    ExpDif,
}

impl Join {
    pub(super) fn emit(self, em: &mut Em<'_>, lanes: &Lanes, a: ValueId, b: ValueId, mask: ValueId) -> ValueId {
        match self {
            Join::Op(op) => lanes.binary(em, op, a, b, mask),
            Join::ExpDif if lanes.bits == 32 => {
                // Lanes of 32 bits have no halves; the part is not looked at.
                let ty = lanes.vreg(em);
                em.build("pto.vexpdif").args(&[a, b, mask]).word("part", "ODD").value(ty)
            }
            Join::ExpDif => {
                let d = lanes.binary(em, "pto.vsub", a, b, mask);
                lanes.unary(em, "pto.vexp", d, mask)
            }
        }
    }
}

/// Only the default precision has a sequence.
pub(super) fn default_precision(em: &Em<'_>, call: &Call) -> Res<()> {
    match call.word(em, "precisionType") {
        None | Some("default") => Ok(()),
        Some(w) => Err(call.unsupported(em, format!("precision `{w}`"))),
    }
}

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

fn combine(em: &mut Em<'_>, call: &Call, join: Join) -> Res<()> {
    default_precision(em, call)?;
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
                let (x, y) = if first { (n, x) } else { (x, n) };
                let r = join.emit(em, &lanes, x, y, mask);
                let at = if row == to { from } else { em.add(to, at) };
                lanes.store(em, r, pd, at, mask);
            });
        });
    });
    Ok(())
}
