//! Sums and differences with carry, and products of twice the width: 32-bit lanes that make wider numbers.

use super::super::{Args, Core, FaultKind, Intrinsic, Mask, VReg};
use super::regs::{Done, active, elem, predicate, put, put_mask, source};
use super::vector;

pub(super) const WIDE: &[Intrinsic] = &[
    vector("vaddc", |core, args| carried(core, args, false, |a, b, _| add(a, b, false))),
    vector("vaddcs", |core, args| carried(core, args, true, add)),
    vector("vmull", product),
    vector("vsubc", |core, args| carried(core, args, false, |a, b, _| add(a, !b, true))),
    vector("vsubcs", |core, args| carried(core, args, true, |a, b, c| add(a, !b, c))),
];

/// A sum and its carry. A difference is the sum with the complement, and its carry says that nothing was borrowed.
fn add(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    (sum as u32, sum >> 32 != 0)
}

/// `(pc, vd, va, vb, p)`, with a carry to take in before `p` in the chained form. Lanes that are off give 0 and no carry.
fn carried(core: &mut Core, args: &Args<'_>, chained: bool, f: impl Fn(u32, u32, bool) -> (u32, bool)) -> Done {
    if elem(args, 1)?.bytes() != 4 {
        return Err(args.fault(FaultKind::Unsupported, "lanes that are not 32 bits wide"));
    }
    let (a, b) = (source(core, args, 2)?, source(core, args, 3)?);
    let carry = if chained { predicate(core, args, 4)? } else { [0; 4] };
    let mask = predicate(core, args, if chained { 5 } else { 4 })?;
    let (mut out, mut carries): (VReg, Mask) = ([0; 256], [0; 4]);
    for (i, ((a, b), o)) in words(&a).zip(words(&b)).zip(out.as_chunks_mut::<4>().0).enumerate() {
        if active(&mask, 4 * i) {
            let (sum, carry) = f(a, b, active(&carry, 4 * i));
            *o = sum.to_le_bytes();
            carries[i / 16] |= u64::from(carry) << (4 * i % 64);
        }
    }
    put(core, args, 1, &out)?;
    put_mask(core, args, 0, carries)
}

fn words(v: &VReg) -> impl Iterator<Item = u32> {
    v.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b))
}

/// `(lo, hi, va, vb, p)`: the two halves of a 64-bit product.
fn product(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = elem(args, 2)?;
    if ty.bytes() != 4 || !ty.is_int() {
        return Err(args.fault(FaultKind::Unsupported, format_args!("no form for elements of type {ty}")));
    }
    let signed = ty == ptoc_target::DType::I32;
    let (a, b, mask) = (source(core, args, 2)?, source(core, args, 3)?, predicate(core, args, 4)?);
    let (mut low, mut high): (VReg, VReg) = ([0; 256], [0; 256]);
    for (i, (a, b)) in words(&a).zip(words(&b)).enumerate() {
        if active(&mask, 4 * i) {
            let p =
                if signed { (i64::from(a as i32) * i64::from(b as i32)) as u64 } else { u64::from(a) * u64::from(b) };
            low[4 * i..][..4].copy_from_slice(&(p as u32).to_le_bytes());
            high[4 * i..][..4].copy_from_slice(&((p >> 32) as u32).to_le_bytes());
        }
    }
    put(core, args, 0, &low)?;
    put(core, args, 1, &high)
}
