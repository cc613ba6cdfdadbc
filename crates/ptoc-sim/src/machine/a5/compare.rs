//! Compares into a predicate, and the choice by a predicate.

use super::super::lane::{Bf16, F16, F32, I8, I16, I32, Lane, U8, U16, U32, half_saturates};
use super::super::{Args, Core, Intrinsic, Mask};
use super::arith::{with_float_lanes, with_int_lanes};
use super::regs::{Done, active_bytes, blend, elem, lane_bits, no_type, operand, predicate, put, put_mask, source};
use super::vector;
use ptoc_target::DType;

/// The two names of a relation: between registers, and with a scalar.
macro_rules! relations {
    ($($registers:literal $scalar:literal $op:tt,)*) => {
        &[$(
            vector($registers, |core, args| compare(core, args, |a, b| a $op b, |a, b| a $op b)),
            vector($scalar, |core, args| compare(core, args, |a, b| a $op b, |a, b| a $op b)),
        )* vector("vsel", select)]
    };
}

pub(super) const COMPARE: &[Intrinsic] = relations! {
    "vcmp_eq" "vcmps_eq" ==,
    "vcmp_ge" "vcmps_ge" >=,
    "vcmp_gt" "vcmps_gt" >,
    "vcmp_le" "vcmps_le" <=,
    "vcmp_lt" "vcmps_lt" <,
    "vcmp_ne" "vcmps_ne" !=,
};

/// `(pd, va, vb or scalar, p)`; lanes that are off give 0, as do all relations with NaN but `ne`.
fn compare(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> bool, i: impl Fn(i64, i64) -> bool) -> Done {
    fn lanes<L: Lane>(core: &mut Core, args: &Args<'_>, ty: DType, f: impl Fn(L::Value, L::Value) -> bool) -> Done {
        let (a, b, mask) = (source(core, args, 1)?, operand(core, args, 2, ty)?, predicate(core, args, 3)?);
        let mut out: Mask = [0; 4];
        let words = a.as_chunks::<64>().0.iter().zip(b.as_chunks::<64>().0);
        for ((a, b), (out, mask)) in words.zip(out.iter_mut().zip(mask)) {
            for (i, (a, b)) in a.chunks_exact(L::BYTES).zip(b.chunks_exact(L::BYTES)).enumerate() {
                *out |= u64::from(f(L::get(a), L::get(b))) << (i * L::BYTES);
            }
            *out &= mask & lane_bits(L::BYTES);
        }
        put_mask(core, args, 0, out)
    }
    let ty = elem(args, 1)?;
    with_float_lanes!(core, ty, lanes(core, args, ty, f))
        .or_else(|| with_int_lanes!(ty, lanes(core, args, ty, i)))
        .unwrap_or_else(|| Err(no_type(args, ty)))
}

/// `(vd, va, vb, p)`: `va` where the predicate is on, `vb` elsewhere.
fn select(core: &mut Core, args: &Args<'_>) -> Done {
    let size = elem(args, 0)?.bytes() as usize;
    let (mut a, b, mask) = (source(core, args, 1)?, source(core, args, 2)?, predicate(core, args, 3)?);
    blend(&mut a, &b, &active_bytes(&mask, size));
    put(core, args, 0, &a)
}
