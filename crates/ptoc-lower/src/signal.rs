//! Signals between cores in global memory, and the data cache of the scalar unit.

use crate::{Call, Em, LowerFn, Res, Sc};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Loc};

pub(crate) const TABLE: &[(&str, LowerFn)] = &[("pto.cmo.cacheinvalid", invalidate), ("pto.comm.twait", wait)];

fn clean(em: &mut Em<'_>, ptr: ValueId, what: &str) {
    em.build("pto.dcci").arg(ptr).word("cache", what).done();
}

/// One line, or all of them, for which the address does not matter.
fn invalidate(em: &mut Em<'_>, call: &Call) -> Res<()> {
    if let Some(v) = call.value(em, "addr") {
        let ptr = match em.env.views.get(&v).cloned() {
            Some(gm) => em.gm_ptr(&gm),
            None if ptoc_dialect::types::ptr_of(&em.ir.ctx, em.ir.value_type(v)).is_some() => v,
            None => return Err(call.unsupported(em, "an address that is neither a pointer nor a view made here")),
        };
        clean(em, ptr, "SINGLE_CACHE_LINE");
        return Ok(());
    }
    if let Some(w) = em.ir.word_attr(call.op, "space").filter(|w| !matches!(*w, "gm" | "zero")) {
        return Err(call.unsupported(em, format!("the cache of `{w}`; the scalar unit caches global memory")));
    }
    let ty = em.ptr_type(builtin::I8, Loc::Gm);
    let nowhere = em.pointer_at(0, ty, ptoc_ir::Context::EMPTY);
    clean(em, nowhere, "ENTIRE_DATA_CACHE");
    Ok(())
}

/// Reads the word again and again, past the cache, until it compares true.
fn wait(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let gm = call.gm(em, "signal")?;
    if gm.dtype != DType::I32 || gm.shape.iter().any(|n| !n.is(1)) {
        return Err(call.unsupported(em, "signals other than one word of 32 bits"));
    }
    let value = call.need(em, "cmpValue")?;
    let ty = em.ir.value_type(value);
    if ty != builtin::I32 {
        return Err(call.unsupported(em, "a value that is not i32"));
    }
    // The loop goes on as long as the opposite holds.
    let opposite = match call.word(em, "cmp") {
        Some("eq") => 1,
        Some("ne") => 0,
        Some("gt") => 3,
        Some("ge") => 2,
        Some("lt") => 5,
        Some("le") => 4,
        _ => return Err(call.unsupported(em, "no comparison is given")),
    };
    let ptr = em.gm_ptr(&gm);
    let zero = em.index(Sc::Const(0));
    let op = em.build("scf.while").done();
    let before = em.body_of(op, &[]);
    em.in_block(before, |em| {
        clean(em, ptr, "SINGLE_CACHE_LINE");
        let word = em.emit1("pto.load_scalar", &[ptr, zero], builtin::I32);
        let predicate = em.ir.ctx.int_attr(opposite, builtin::I64);
        let more = em.build("arith.cmpi").args(&[word, value]).attr("predicate", predicate).value(builtin::I1);
        em.emit("scf.condition", &[more]);
    });
    let after = em.body_of(op, &[]);
    em.in_block(after, |em| {
        em.emit("scf.yield", &[]);
    });
    Ok(())
}
