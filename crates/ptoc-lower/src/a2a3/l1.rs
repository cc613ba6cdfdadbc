//! Filling L1.

use crate::{Call, Em, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{Layout, PadValue};

/// `repeat` runs of `blocks` blocks of 32 bytes, `gap` blocks apart, filled with a word of `bits` bits.
pub(super) fn create_matrix(em: &mut Em<'_>, dst: ValueId, word: ValueId, bits: i64, repeat: Sc, blocks: Sc, gap: Sc) {
    let mut args = vec![dst, word];
    for (what, value) in [("repeats", repeat), ("blocks", blocks), ("gap", gap)] {
        if let Sc::Const(n) = value
            && !(0..=32767).contains(&n)
        {
            em.fault(format!("the {what} of a fill of L1 are {n}, the field goes to 32767"));
        }
        args.push(em.i64(value));
    }
    let attr = em.ir.ctx.int_attr(i128::from(bits), builtin::I64);
    em.build("pto.create_cbuf_matrix").args(&args).attr("fill_word_bits", attr).done();
}

/// Zeros outside the valid region of a tile of fractals in L1.
///
/// Below the valid rows of the valid column groups, then in the remaining groups. Columns between the last valid one and
/// the end of its group are zero already: the load to fractals puts zeros there, and L1 can't be written in smaller units.
pub(super) fn fill_pad(em: &mut Em<'_>, call: &Call, tile: &Tile) -> Res<()> {
    if tile.layout() != Layout::Nz || !matches!(tile.esz(), 1 | 2 | 4) {
        return Err(call.unsupported(em, "L1 is padded in NZ with elements of 1, 2 or 4 bytes only"));
    }
    if !matches!(tile.ty.pad, PadValue::Null | PadValue::Zero) {
        return Err(call.unsupported(em, "L1 is padded with zeros only"));
    }
    let c0 = tile.c0();
    let (rows, cols) = (tile.buffer_rows as i64, tile.ty.cols as i64);
    let stripe = rows * c0;
    let groups = em.ceil_div(tile.cols, c0);
    let below = em.sub(rows, tile.rows);
    let zero = em.int(0, builtin::I32);
    let some = em.gt(below, 0);
    em.if_then(some, |em| {
        let at = em.mul(tile.rows, c0);
        let p = em.ptr_at(tile, at);
        create_matrix(em, p, zero, 16, groups, below, tile.rows);
    });
    let left = em.sub(cols / c0, groups);
    let some = em.gt(left, 0);
    em.if_then(some, |em| {
        let at = em.mul(groups, stripe);
        let p = em.ptr_at(tile, at);
        let blocks = em.mul(left, rows);
        create_matrix(em, p, zero, 16, Sc::Const(1), blocks, Sc::Const(0));
    });
    Ok(())
}
