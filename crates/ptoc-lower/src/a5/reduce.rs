//! Reductions along rows: each row to its first element.
//!
//! One vector scope. Predicates and identities are made once; a row is loaded register by register and folded to one lane,
//! which a one-point store writes. `tmp` is not used on this target.

use super::vec::{Lanes, Masks, number, starts_on_a_block};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{TypeId, ValueId, builtin};
use ptoc_target::{DType, Layout};

pub(super) const OPS: &[(&str, LowerFn)] = &[
    ("pto.trowmax", |em, c| extreme(em, c, "pto.vmax", "pto.vcmax", true)),
    ("pto.trowmin", |em, c| extreme(em, c, "pto.vmin", "pto.vcmin", false)),
    ("pto.trowsum", sum),
    ("pto.trowprod", product),
];

/// The operands of a row reduction.
struct Rows {
    src: Tile,
    ps: ValueId,
    pd: ValueId,
    /// Elements from one result to the next.
    step: i64,
    rows: Sc,
    cols: Sc,
    lanes: Lanes,
}

impl Rows {
    fn of(em: &mut Em<'_>, call: &Call) -> Res<Rows> {
        let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
        let lanes = Lanes::need(em, call, &src)?;
        if src.layout() != Layout::Nd || dst.layout().is_boxed() {
            return Err(call.unsupported(em, "the source is not row major without boxes, or the destination has boxes"));
        }
        starts_on_a_block(em, call, &src)?;
        // A DN destination has one column, whose elements follow each other.
        let step = if dst.layout() == Layout::Dn { 1 } else { dst.pitch() };
        Ok(Rows { src, ps: em.ptr(&src), pd: em.ptr(&dst), step, rows: src.rows, cols: src.cols, lanes })
    }

    /// Runs `body` for every row with the offsets of its first element and of its result.
    fn each(&self, em: &mut Em<'_>, body: impl FnOnce(&mut Em<'_>, Sc, Sc)) {
        em.for_loop(self.rows, |em, i| {
            let (from, to) = (em.mul(i, self.src.pitch()), em.mul(i, self.step));
            body(em, from, to);
        });
    }
}

/// The element that changes nothing, as the bit pattern of its type.
fn identity(em: &mut Em<'_>, dtype: DType, elem: TypeId, max: bool) -> Option<ValueId> {
    let ty = super::vec::scalar_type(em, elem);
    let signed = |bits: u32| if max { -(1i64 << (bits - 1)) } else { (1i64 << (bits - 1)) - 1 };
    // The greatest unsigned number has the bits of -1.
    let unsigned = if max { 0 } else { -1 };
    Some(match dtype {
        DType::F32 => em.float_bits(if max { 0xFF80_0000 } else { 0x7F80_0000 }, ty),
        DType::F16 => em.float_bits(if max { 0xFC00 } else { 0x7C00 }, ty),
        DType::BF16 => em.float_bits(if max { 0xFF80 } else { 0x7F80 }, ty),
        DType::I8 => em.int(signed(8), ty),
        DType::I16 => em.int(signed(16), ty),
        DType::I32 => em.int(signed(32), ty),
        DType::U8 | DType::U16 | DType::U32 => em.int(unsigned, ty),
        _ => return None,
    })
}

fn extreme(em: &mut Em<'_>, call: &Call, op: &'static str, across: &'static str, max: bool) -> Res<()> {
    let r = Rows::of(em, call)?;
    let lanes = r.lanes;
    let Some(neutral) = identity(em, r.src.dtype(), r.src.ty.elem, max) else {
        return Err(call.unsupported(em, format!("elements of type {}", r.src.dtype())));
    };
    if lanes.bits == 8 {
        return bytes(em, call, &r, op, across, neutral);
    }
    em.region("pto.vecscope", |em| {
        let one = lanes.some(em, 1);
        let masks = lanes.masks(em, r.cols);
        match masks {
            Masks::Known { full, all, tail } => r.each(em, |em, from, to| {
                // Registers of one row meet lane by lane; only the last, partial one is folded on its own.
                let whole = all.map(|all| {
                    let first = lanes.load(em, r.ps, from);
                    let acc =
                        chunks(em, &lanes, r.ps, from, full, first, |em, acc, x| lanes.binary(em, op, acc, x, all));
                    lanes.unary(em, across, acc, all)
                });
                let rest = tail.map(|tail| {
                    let at = em.add(from, full * lanes.count);
                    let x = lanes.load(em, r.ps, at);
                    lanes.unary(em, across, x, tail)
                });
                let result = match (whole, rest) {
                    (Some(a), Some(b)) => lanes.binary(em, op, a, b, one),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => lanes.fill(em, neutral),
                };
                lanes.store_one(em, result, r.pd, to, one);
            }),
            Masks::RunTime { steps, count } => {
                let start = lanes.fill(em, neutral);
                r.each(em, |em, from, to| {
                    let out = em.for_carry(steps, &[start, count], |em, j, carried| {
                        let (mask, rest) = lanes.first(em, carried[1]);
                        let at = em.mul(j, lanes.count);
                        let at = em.add(from, at);
                        let x = lanes.load(em, r.ps, at);
                        let x = lanes.unary(em, across, x, mask);
                        vec![lanes.binary(em, op, carried[0], x, one), rest]
                    });
                    lanes.store_one(em, out[0], r.pd, to, one);
                });
            }
        }
    });
    Ok(())
}

/// Folds the registers `1..full` of a row into `first`.
fn chunks(
    em: &mut Em<'_>,
    lanes: &Lanes,
    ptr: ValueId,
    from: Sc,
    full: i64,
    first: ValueId,
    fold: impl Fn(&mut Em<'_>, ValueId, ValueId) -> ValueId,
) -> ValueId {
    let out = em.for_carry(full - 1, &[first], |em, j, acc| {
        let at = em.add(j, 1);
        let at = em.mul(at, lanes.count);
        let at = em.add(from, at);
        let x = lanes.load(em, ptr, at);
        vec![fold(em, acc[0], x)]
    });
    out[0]
}

/// Bytes have no reduction across lanes: the registers of a row meet lane by lane, the even and odd bytes widen to 16 bits
/// (exactly), and those are reduced.
fn bytes(em: &mut Em<'_>, call: &Call, r: &Rows, op: &'static str, across: &'static str, neutral: ValueId) -> Res<()> {
    let lanes = r.lanes;
    let (wide_type, wide_dtype, round) = match r.src.dtype() {
        DType::U8 => (ptoc_dialect::types::elem_of(&mut em.ir.ctx, DType::U16), DType::U16, None),
        DType::I8 => (builtin::F16, DType::F16, Some("R")),
        d => return Err(call.unsupported(em, format!("elements of type {d}"))),
    };
    let Some(wide) = Lanes::of(wide_type, wide_dtype) else { return Ok(()) };
    em.region("pto.vecscope", |em| {
        let masks = lanes.masks(em, r.cols);
        let all = match masks {
            Masks::Known { all: Some(all), .. } => all,
            _ => lanes.all(em),
        };
        let all_wide = wide.all(em);
        let start = lanes.fill(em, neutral);
        r.each(em, |em, from, to| {
            let mut acc = None;
            // Lanes past the end take part as the identity.
            let step = |em: &mut Em<'_>, mask: ValueId, at: Sc, acc: ValueId| {
                let at = em.add(from, at);
                let x = lanes.load(em, r.ps, at);
                let x = if mask == all { x } else { lanes.binary(em, "pto.vsel", x, start, mask) };
                if acc == start { x } else { lanes.binary(em, op, acc, x, all) }
            };
            match masks {
                Masks::Known { full, tail, .. } => {
                    if full > 0 {
                        let first = lanes.load(em, r.ps, from);
                        acc = Some(chunks(em, &lanes, r.ps, from, full, first, |em, a, x| {
                            lanes.binary(em, op, a, x, all)
                        }));
                    }
                    if let Some(tail) = tail {
                        acc = Some(step(em, tail, Sc::Const(full * lanes.count), acc.unwrap_or(start)));
                    }
                }
                Masks::RunTime { steps, count } => {
                    let out = em.for_carry(steps, &[start, count], |em, j, carried| {
                        let (mask, rest) = lanes.first(em, carried[1]);
                        let at = em.mul(j, lanes.count);
                        vec![step(em, mask, at, carried[0]), rest]
                    });
                    acc = Some(out[0]);
                }
            }
            let acc = acc.unwrap_or(start);
            let ty = wide.vreg(em);
            let even = em.build("pto.vcvt").args(&[acc, all]).word("part", "EVEN").value(ty);
            let odd = em.build("pto.vcvt").args(&[acc, all]).word("part", "ODD").value(ty);
            let x = wide.binary(em, op, even, odd, all_wide);
            let x = wide.unary(em, across, x, all_wide);
            let ty = lanes.vreg(em);
            let mut narrow = em.build("pto.vcvt").args(&[x, all_wide]);
            if let Some(round) = round {
                narrow = narrow.word("rnd", round);
            }
            let x = narrow.word("sat", "SAT").word("part", "EVEN").value(ty);
            lanes.store_one(em, x, r.pd, to, all);
        });
    });
    Ok(())
}

/// Sums keep the order of the vendor's sequence: the sum of each register by the hardware's tree, then from left to right,
/// starting with zero.
fn sum(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let r = Rows::of(em, call)?;
    let lanes = r.lanes;
    let dtype = r.src.dtype();
    // A sum of 16-bit integers is 32 bits wide; its lower half is the sum that wraps.
    let (sums, low) = match dtype {
        DType::F32 | DType::F16 | DType::I32 | DType::U32 => (lanes, None),
        DType::I16 => (Lanes::of(builtin::I32, DType::I32).unwrap_or(lanes), Some(lanes)),
        d => return Err(call.unsupported(em, format!("elements of type {d}"))),
    };
    let zero = number(em, 0, sums.elem);
    em.region("pto.vecscope", |em| {
        let one = sums.some(em, 1);
        let start = sums.fill(em, zero);
        let masks = lanes.masks(em, r.cols);
        r.each(em, |em, from, to| {
            let add = |em: &mut Em<'_>, acc: ValueId, mask: ValueId, at: Sc| {
                let at = em.add(from, at);
                let x = lanes.load(em, r.ps, at);
                let ty = sums.vreg(em);
                let x = em.emit1("pto.vcadd", &[x, mask], ty);
                sums.binary(em, "pto.vadd", acc, x, one)
            };
            let acc = match masks {
                Masks::Known { full, all, tail } => {
                    let mut acc = start;
                    if let Some(all) = all {
                        let out = em.for_carry(full, &[start], |em, j, acc| {
                            let at = em.mul(j, lanes.count);
                            vec![add(em, acc[0], all, at)]
                        });
                        acc = out[0];
                    }
                    match tail {
                        Some(tail) => add(em, acc, tail, Sc::Const(full * lanes.count)),
                        None => acc,
                    }
                }
                Masks::RunTime { steps, count } => {
                    let out = em.for_carry(steps, &[start, count], |em, j, carried| {
                        let (mask, rest) = lanes.first(em, carried[1]);
                        let at = em.mul(j, lanes.count);
                        vec![add(em, carried[0], mask, at), rest]
                    });
                    out[0]
                }
            };
            match low {
                Some(low) => {
                    let ty = low.vreg(em);
                    let acc = em.emit1("pto.vbitcast", &[acc], ty);
                    let mask = one_of(em, &low, one);
                    low.store_one(em, acc, r.pd, to, mask);
                }
                None => sums.store_one(em, acc, r.pd, to, one),
            }
        });
    });
    Ok(())
}

/// The predicate of one lane for lanes of another width: bit 0 in both.
fn one_of(em: &mut Em<'_>, lanes: &Lanes, one: ValueId) -> ValueId {
    let ty = lanes.mask(em);
    em.emit1("pto.pbitcast", &[one], ty)
}

/// There is no product across lanes: registers of a row meet lane by lane, lanes past the end being 1; then lane `k` meets
/// lane `k + L/2`, and so on, by interleaving with ones.
fn product(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let r = Rows::of(em, call)?;
    let lanes = r.lanes;
    if !matches!(r.src.dtype(), DType::F16 | DType::F32 | DType::I16 | DType::I32) {
        return Err(call.unsupported(em, format!("elements of type {}", r.src.dtype())));
    }
    let unit = number(em, 1, r.src.ty.elem);
    // Lanes that can differ from 1 when a row has been folded to one register.
    let used = r.cols.known().map_or(lanes.count, |n| n.clamp(1, lanes.count));
    em.region("pto.vecscope", |em| {
        let all = lanes.all(em);
        let ones = lanes.fill(em, unit);
        // At run time the last register always is a tail, so that none is read that holds no valid column.
        let before = if r.cols.known().is_some() { r.cols } else { em.sub(r.cols, 1) };
        let full = em.div(before, lanes.count);
        let done = em.mul(full, lanes.count);
        let rest = em.sub(r.cols, done);
        let tail = (!rest.is(0)).then(|| {
            let n = em.i32(rest);
            lanes.first(em, n).0
        });
        r.each(em, |em, from, to| {
            let step = |em: &mut Em<'_>, j: Sc| {
                let at = em.mul(j, lanes.count);
                let at = em.add(from, at);
                lanes.load(em, r.ps, at)
            };
            // The first register needs no product with 1 when it is known to be there.
            let mut acc = match full {
                Sc::Const(0) => None,
                Sc::Const(full) => {
                    let first = lanes.load(em, r.ps, from);
                    Some(chunks(em, &lanes, r.ps, from, full, first, |em, acc, x| {
                        lanes.binary(em, "pto.vmul", acc, x, all)
                    }))
                }
                Sc::Value(_) => {
                    let out = em.for_carry(full, &[ones], |em, j, acc| {
                        let x = step(em, j);
                        vec![lanes.binary(em, "pto.vmul", acc[0], x, all)]
                    });
                    Some(out[0])
                }
            };
            if let Some(tail) = tail {
                let x = step(em, full);
                let x = lanes.binary(em, "pto.vsel", x, ones, tail);
                acc = Some(match acc {
                    Some(acc) => lanes.binary(em, "pto.vmul", acc, x, all),
                    None => x,
                });
            }
            let mut acc = acc.unwrap_or(ones);
            let ty = lanes.vreg(em);
            let mut width = lanes.count;
            while width > 1 {
                let op = em.build("pto.vintlv").args(&[acc, ones]).result(ty).result(ty).done();
                let (low, high) = (em.ir.op(op).results[0], em.ir.op(op).results[1]);
                width /= 2;
                // The upper lanes are all 1 as long as the row is not longer than half of them.
                acc = if used > width { lanes.binary(em, "pto.vmul", low, high, all) } else { low };
            }
            lanes.store_one(em, acc, r.pd, to, all);
        });
    });
    Ok(())
}
