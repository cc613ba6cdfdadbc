//! Bitwise operations, on registers of any element type, and shifts.

use super::super::lane::{I8, I16, I32, Lane, U8, U16, U32, map};
use super::super::{Arg, Args, Core, Intrinsic};
use super::regs::{Done, commit, elem, no_type, operand, predicate, source};
use super::vector;
use ptoc_target::DType;

pub(super) const BITS: &[Intrinsic] = &[
    vector("vand", |core, args| words(core, args, |a, b| a & b)),
    vector("vnot", not),
    vector("vor", |core, args| words(core, args, |a, b| a | b)),
    vector("vshl", |core, args| shift(core, args, left)),
    vector("vshls", |core, args| shift(core, args, left)),
    vector("vshr", |core, args| shift(core, args, right)),
    vector("vshrs", |core, args| shift(core, args, right)),
    vector("vxor", |core, args| words(core, args, |a, b| a ^ b)),
];

/// `(vd, va, vb, p, mode)` on all bits at once.
fn words(core: &mut Core, args: &Args<'_>, f: impl Fn(u64, u64) -> u64) -> Done {
    let ty = elem(args, 0)?;
    let (mut a, b, mask) = (source(core, args, 1)?, operand(core, args, 2, ty)?, predicate(core, args, 3)?);
    for (a, b) in a.as_chunks_mut::<8>().0.iter_mut().zip(b.as_chunks::<8>().0) {
        *a = f(u64::from_le_bytes(*a), u64::from_le_bytes(*b)).to_le_bytes();
    }
    commit(core, args, a, &mask, ty.bytes() as usize, 4)
}

/// `(vd, va, p, mode)`
fn not(core: &mut Core, args: &Args<'_>) -> Done {
    let (a, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
    commit(core, args, a.map(|b| !b), &mask, elem(args, 0)?.bytes() as usize, 3)
}

/// A count of the width of a lane or more shifts everything out, as does a negative one.
fn left(a: i64, n: i64) -> i64 {
    a.unbounded_shl(u32::try_from(n).unwrap_or(64))
}

/// Keeps the sign of signed lanes.
fn right(a: i64, n: i64) -> i64 {
    a >> n.try_into().unwrap_or(63u32).min(63)
}

/// `(vd, va, vb or scalar, p, mode)`; the counts are signed and as wide as the lanes.
fn shift(core: &mut Core, args: &Args<'_>, f: fn(i64, i64) -> i64) -> Done {
    fn lanes<L: Lane<Value = i64>, C: Lane<Value = i64>>(
        core: &mut Core,
        args: &Args<'_>,
        f: fn(i64, i64) -> i64,
    ) -> Done {
        let (a, mask) = (source(core, args, 1)?, predicate(core, args, 3)?);
        let mut out = [0; 256];
        if let Some(Arg::Int(n)) = args.list.get(2) {
            map::<L, L>(&a, &mut out, |a| f(a, *n));
        } else {
            let n = source(core, args, 2)?;
            for ((a, n), o) in
                a.chunks_exact(L::BYTES).zip(n.chunks_exact(L::BYTES)).zip(out.chunks_exact_mut(L::BYTES))
            {
                L::put(f(L::get(a), C::get(n)), o);
            }
        }
        commit(core, args, out, &mask, L::BYTES, 4)
    }
    match elem(args, 0)? {
        DType::I8 => lanes::<I8<false>, I8<false>>(core, args, f),
        DType::U8 => lanes::<U8<false>, I8<false>>(core, args, f),
        DType::I16 => lanes::<I16<false>, I16<false>>(core, args, f),
        DType::U16 => lanes::<U16<false>, I16<false>>(core, args, f),
        DType::I32 => lanes::<I32<false>, I32<false>>(core, args, f),
        DType::U32 => lanes::<U32<false>, I32<false>>(core, args, f),
        ty => Err(no_type(args, ty)),
    }
}
