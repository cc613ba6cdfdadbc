//! Reductions: all lanes, the lanes of each 32-byte block, pairs. `(vd, va, p, mode)`; what holds no result is zero.

use super::super::lane::{Bf16, F16, F32, I8, I16, I32, Lane, U8, U16, U32, half_saturates};
use super::super::{Args, Core, Intrinsic, Mask, VReg};
use super::arith::{with_float_lanes, with_int_lanes};
use super::regs::{Done, active, elem, no_type, predicate, put, source};
use super::vector;
use crate::num::int_range;
use ptoc_target::DType;

pub(super) const REDUCE: &[Intrinsic] = &[
    vector("vcadd", |core, args| sum(core, args, 256)),
    vector("vcgadd", |core, args| sum(core, args, 32)),
    vector("vcgmax", |core, args| extreme(core, args, true, false)),
    vector("vcgmin", |core, args| extreme(core, args, false, false)),
    vector("vcmax", |core, args| extreme(core, args, true, true)),
    vector("vcmin", |core, args| extreme(core, args, false, true)),
    vector("vcpadd", pairs),
];

/// The sum of each `group` bytes. Floats are added neighbour to neighbour in a tree, each level rounded, lanes that are off
/// counting as +0; integers add up in the type of the result, which of all lanes may be wider.
fn sum(core: &mut Core, args: &Args<'_>, group: usize) -> Done {
    let (to, ty) = (elem(args, 0)?, elem(args, 1)?);
    if to.is_int() != ty.is_int() || to.bytes() < ty.bytes() {
        return Err(no_type(args, to));
    }
    let (v, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
    let mut out = [0; 256];
    with_float_lanes!(core, ty, tree(&v, &mask, group, &mut out))
        .or_else(|| with_int_lanes!(ty, total(&v, &mask, group, to.bytes() as usize, &mut out)))
        .ok_or_else(|| no_type(args, ty))?;
    put(core, args, 0, &out)
}

fn tree<L: Lane<Value = f32>>(v: &VReg, mask: &Mask, group: usize, out: &mut VReg) {
    for g in 0..256 / group {
        let mut lanes = [0.0; 128];
        let mut n = group / L::BYTES;
        for (i, lane) in lanes.iter_mut().take(n).enumerate() {
            let at = g * group + i * L::BYTES;
            if active(mask, at) {
                *lane = L::get(&v[at..at + L::BYTES]);
            }
        }
        while n > 1 {
            n /= 2;
            for i in 0..n {
                lanes[i] = L::rounded(lanes[2 * i] + lanes[2 * i + 1]);
            }
        }
        L::put(lanes[0], &mut out[g * L::BYTES..][..L::BYTES]);
    }
}

fn total<L: Lane<Value = i64>>(v: &VReg, mask: &Mask, group: usize, size: usize, out: &mut VReg) {
    for g in 0..256 / group {
        let mut sum = 0i64;
        for at in (g * group..(g + 1) * group).step_by(L::BYTES) {
            if active(mask, at) {
                sum += L::get(&v[at..at + L::BYTES]);
            }
        }
        out[g * size..][..size].copy_from_slice(&sum.to_le_bytes()[..size]);
    }
}

/// The largest or smallest working lane, of all lanes with its index in lane 1, or of each block. NaN wins, and +0 is larger
/// than -0; of equal lanes the first counts. Without a working lane it is the value that every other one beats, with index 0.
fn extreme(core: &mut Core, args: &Args<'_>, largest: bool, indexed: bool) -> Done {
    let ty = elem(args, 0)?;
    let (v, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
    let mut out = [0; 256];
    let real = |a: f32, b: f32| match (a.is_nan(), b.is_nan()) {
        (_, true) => false,
        (true, false) => true,
        _ if a == b => a.is_sign_positive() != b.is_sign_positive() && a.is_sign_positive() == largest,
        _ => (a > b) == largest,
    };
    let int = |a: i64, b: i64| if largest { a > b } else { a < b };
    let worst = if largest { f32::NEG_INFINITY } else { f32::INFINITY };
    let last = int_range(ty).map_or(0, |(lo, hi)| if largest { lo } else { hi }) as i64;
    with_float_lanes!(core, ty, best(&v, &mask, indexed, worst, real, &mut out))
        .or_else(|| with_int_lanes!(ty, best(&v, &mask, indexed, last, int, &mut out)))
        .ok_or_else(|| no_type(args, ty))?;
    put(core, args, 0, &out)
}

fn best<L: Lane>(
    v: &VReg,
    mask: &Mask,
    indexed: bool,
    worst: L::Value,
    better: impl Fn(L::Value, L::Value) -> bool,
    out: &mut VReg,
) {
    let group = if indexed { 256 } else { 32 };
    for g in 0..256 / group {
        let mut found: Option<(L::Value, usize)> = None;
        for (i, at) in (g * group..(g + 1) * group).step_by(L::BYTES).enumerate() {
            if active(mask, at) {
                let x = L::get(&v[at..at + L::BYTES]);
                if found.is_none_or(|(b, _)| better(x, b)) {
                    found = Some((x, i));
                }
            }
        }
        let (x, i) = found.unwrap_or((worst, 0));
        L::put(x, &mut out[g * L::BYTES..][..L::BYTES]);
        if indexed {
            out[L::BYTES..2 * L::BYTES].copy_from_slice(&i.to_le_bytes()[..L::BYTES]);
        }
    }
}

/// The sums of neighbouring lanes in the lower half; a lane that is off counts as zero.
fn pairs(core: &mut Core, args: &Args<'_>) -> Done {
    fn lanes<L: Lane<Value = f32>>(v: &VReg, mask: &Mask, out: &mut VReg) {
        let get = |at: usize| if active(mask, at) { L::get(&v[at..at + L::BYTES]) } else { 0.0 };
        for (i, o) in out.chunks_exact_mut(L::BYTES).take(128 / L::BYTES).enumerate() {
            L::put(get(2 * i * L::BYTES) + get((2 * i + 1) * L::BYTES), o);
        }
    }
    let ty = elem(args, 0)?;
    let (v, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
    let mut out = [0; 256];
    with_float_lanes!(core, ty, lanes(&v, &mask, &mut out)).ok_or_else(|| no_type(args, ty))?;
    put(core, args, 0, &out)
}
