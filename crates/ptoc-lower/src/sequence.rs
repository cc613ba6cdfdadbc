//! Ascending and descending integers (`tci`).

use crate::{Em, Sc, Tile};
use ptoc_ir::{TypeId, ValueId};

/// `x + by`, or `x - by` (`down`), in the integer type `ty`.
pub(crate) fn shifted(em: &mut Em<'_>, x: ValueId, by: Sc, ty: TypeId, down: bool) -> ValueId {
    if by.is(0) {
        return x;
    }
    if let (Some(x), Sc::Const(n)) = (em.constant(x), by)
        && let Some(sum) = if down { x.checked_sub(n) } else { x.checked_add(n) }
    {
        return em.int(sum, ty);
    }
    let by = match by {
        Sc::Const(n) => em.int(n, ty),
        Sc::Value(v) => em.emit1("arith.index_cast", &[v], ty),
    };
    em.emit1(if down { "arith.subi" } else { "arith.addi" }, &[x, by], ty)
}

/// `start`, `start + 1`, ... (or downwards) over the valid columns of one row, in the scalar unit.
pub(crate) fn count_one_by_one(em: &mut Em<'_>, dst: &Tile, start: ValueId, down: bool) {
    let ty = em.ir.value_type(start);
    let p = em.ptr(dst);
    em.for_loop(dst.cols, |em, k| {
        let x = shifted(em, start, k, ty, down);
        let k = em.index(k);
        em.emit("pto.store_scalar", &[p, k, x]);
    });
}
