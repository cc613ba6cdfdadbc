//! Arithmetic lane by lane: `(vd, va, vb or scalar, p, mode)`, `(vd, va, p, mode)`, and the forms that accumulate into `vd`.
//!
//! Float lanes compute in `f32`, where one operation on narrower floats, rounded again, is correctly rounded. Fused forms
//! and functions compute in `f64` and round once.

use super::super::lane::{
    Bf16, F16, F32, I8, I16, I32, Lane, U8, U16, U32, half_saturates, integer_saturates, map, max, min, relu, zip,
};
use super::super::{Args, Core, Intrinsic, VReg};
use super::regs::{Done, active, commit, elem, no_type, no_word, operand, predicate, put, source};
use super::vector;
use crate::num::int_range;
use ptoc_target::DType;

pub(super) const ARITH: &[Intrinsic] = &[
    vector("vabs", |core, args| unary(core, args, f32::abs, i64::abs)),
    vector("vadd", |core, args| binary(core, args, |a, b| a + b, |a, b| a + b)),
    vector("vadds", |core, args| binary(core, args, |a, b| a + b, |a, b| a + b)),
    vector("vaxpy", |core, args| fused(core, args, false)),
    vector("vdiv", |core, args| binary(core, args, |a, b| a / b, quotient)),
    vector("vexp", |core, args| function(core, args, f64::exp)),
    vector("vexpdif", exponential_of_difference),
    vector("vln", |core, args| function(core, args, f64::ln)),
    vector("vlrelu", |core, args| floats(core, args, |a, b| if a > 0.0 { a } else { a * b })),
    vector("vmadd", |core, args| fused(core, args, true)),
    vector("vmax", |core, args| binary(core, args, max, i64::max)),
    vector("vmaxs", |core, args| binary(core, args, max, i64::max)),
    vector("vmin", |core, args| binary(core, args, min, i64::min)),
    vector("vmins", |core, args| binary(core, args, min, i64::min)),
    vector("vmod", |core, args| integers(core, args, |a, b| if b == 0 { a } else { a % b })),
    vector("vmul", product),
    vector("vmula", |core, args| fused(core, args, false)),
    vector("vmuls", product),
    vector("vneg", |core, args| unary(core, args, |a| -a, |a| -a)),
    vector("vprelu", |core, args| floats(core, args, |a, b| if a > 0.0 { a } else { a * b })),
    vector("vrelu", |core, args| unary(core, args, relu, |a| a.max(0))),
    vector("vsqrt", |core, args| function(core, args, f64::sqrt)),
    vector("vsub", |core, args| binary(core, args, |a, b| a - b, |a, b| a - b)),
];

/// Calls a generic function with the lanes of an element type as its first type argument.
macro_rules! with_float_lanes {
    ($core:expr, $ty:expr, $run:ident($($arg:expr),*)) => {
        match ($ty, half_saturates($core)) {
            (DType::F32, _) => Some($run::<F32>($($arg),*)),
            (DType::F16, false) => Some($run::<F16<false>>($($arg),*)),
            (DType::F16, true) => Some($run::<F16<true>>($($arg),*)),
            (DType::BF16, _) => Some($run::<Bf16<false>>($($arg),*)),
            _ => None,
        }
    };
}

macro_rules! with_int_lanes {
    ($ty:expr, $run:ident($($arg:expr),*)) => {
        match $ty {
            DType::I8 => Some($run::<I8<false>>($($arg),*)),
            DType::U8 => Some($run::<U8<false>>($($arg),*)),
            DType::I16 => Some($run::<I16<false>>($($arg),*)),
            DType::U16 => Some($run::<U16<false>>($($arg),*)),
            DType::I32 => Some($run::<I32<false>>($($arg),*)),
            DType::U32 => Some($run::<U32<false>>($($arg),*)),
            _ => None,
        }
    };
}

pub(super) use {with_float_lanes, with_int_lanes};

/// Two sources, the second a register or a scalar.
fn two<L: Lane>(core: &mut Core, args: &Args<'_>, ty: DType, f: impl Fn(L::Value, L::Value) -> L::Value) -> Done {
    let (a, b) = (source(core, args, 1)?, operand(core, args, 2, ty)?);
    let mask = predicate(core, args, 3)?;
    let mut out = [0; 256];
    zip::<L>(&a, &b, &mut out, f);
    commit(core, args, out, &mask, L::BYTES, 4)
}

/// One source.
fn one<L: Lane>(core: &mut Core, args: &Args<'_>, f: impl Fn(L::Value) -> L::Value) -> Done {
    let (a, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
    let mut out = [0; 256];
    map::<L, L>(&a, &mut out, f);
    commit(core, args, out, &mask, L::BYTES, 3)
}

/// An integer result; outside the range of `ty` it becomes the nearest end when control bit 53 is on.
fn ranged(core: &Core, ty: DType) -> impl Fn(i64) -> i64 + use<> {
    let (lo, hi) = match int_range(ty) {
        Some((lo, hi)) if integer_saturates(core) => (lo as i64, hi as i64),
        _ => (i64::MIN, i64::MAX),
    };
    move |n| n.clamp(lo, hi)
}

fn floats(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> f32) -> Done {
    let ty = elem(args, 0)?;
    with_float_lanes!(core, ty, two(core, args, ty, f)).unwrap_or_else(|| Err(no_type(args, ty)))
}

fn integers(core: &mut Core, args: &Args<'_>, f: impl Fn(i64, i64) -> i64) -> Done {
    let ty = elem(args, 0)?;
    let fit = ranged(core, ty);
    let f = |a, b| fit(f(a, b));
    with_int_lanes!(ty, two(core, args, ty, f)).unwrap_or_else(|| Err(no_type(args, ty)))
}

/// On floats or integers.
fn binary(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> f32, i: impl Fn(i64, i64) -> i64) -> Done {
    if elem(args, 0)?.is_int() { integers(core, args, i) } else { floats(core, args, f) }
}

fn unary(core: &mut Core, args: &Args<'_>, f: impl Fn(f32) -> f32, i: impl Fn(i64) -> i64) -> Done {
    let ty = elem(args, 0)?;
    let fit = ranged(core, ty);
    let i = |a| fit(i(a));
    with_float_lanes!(core, ty, one(core, args, f))
        .or_else(|| with_int_lanes!(ty, one(core, args, i)))
        .unwrap_or_else(|| Err(no_type(args, ty)))
}

/// The low bits of a product are those of a wrapped one, its clamp that of a saturated one.
fn product(core: &mut Core, args: &Args<'_>) -> Done {
    let f = |a, b| a * b;
    if integer_saturates(core) {
        binary(core, args, f, i64::saturating_mul)
    } else {
        binary(core, args, f, i64::wrapping_mul)
    }
}

/// Truncated towards zero; all bits set for a division by zero.
fn quotient(a: i64, b: i64) -> i64 {
    if b == 0 { -1 } else { a / b }
}

/// The number rounded to `f32` such that a further rounding to a narrower float is a single one: an inexact result gets an
/// odd last bit.
fn odd(x: f64) -> f32 {
    let near = x as f32;
    let bits = near.to_bits();
    if f64::from(near) == x || x.is_nan() || bits & 1 == 1 {
        near
    } else if x.abs() > f64::from(near).abs() {
        f32::from_bits(bits + 1)
    } else {
        f32::from_bits(bits - 1)
    }
}

/// `a * b + c` of numbers of 24 bits, such that rounding it to `f32` gives the rounded exact result.
fn exact_sum(a: f32, b: f32, c: f32) -> f64 {
    let (p, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let s = p + c;
    // What the sum lost; its sign says on which side the exact result lies.
    let t = s - p;
    let lost = (p - (s - t)) + (c - t);
    let bits = s.to_bits();
    if lost == 0.0 || !lost.is_finite() || bits & 1 == 1 {
        s
    } else if (lost > 0.0) == (s > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}

/// A function of one float, computed in `f64`.
fn function(core: &mut Core, args: &Args<'_>, f: impl Fn(f64) -> f64) -> Done {
    match elem(args, 0)? {
        DType::F32 => one::<F32>(core, args, |a| f(f64::from(a)) as f32),
        ty => {
            let f = |a| odd(f(f64::from(a)));
            with_float_lanes!(core, ty, one(core, args, f)).unwrap_or_else(|| Err(no_type(args, ty)))
        }
    }
}

/// Three sources, of which the destination is one.
fn three<L: Lane>(
    core: &mut Core,
    args: &Args<'_>,
    ty: DType,
    f: impl Fn(L::Value, L::Value, L::Value) -> L::Value,
) -> Done {
    let (d, a, b) = (source(core, args, 0)?, source(core, args, 1)?, operand(core, args, 2, ty)?);
    let mask = predicate(core, args, 3)?;
    let mut out: VReg = [0; 256];
    let lanes = |v: &VReg, i: usize| L::get(&v[i..i + L::BYTES]);
    for (i, o) in out.chunks_exact_mut(L::BYTES).enumerate() {
        let at = i * L::BYTES;
        L::put(f(lanes(&d, at), lanes(&a, at), lanes(&b, at)), o);
    }
    commit(core, args, out, &mask, L::BYTES, 4)
}

/// Factors and addend of a fused form on `(vd, va, vb)`: `vd * va + vb`, or `va * vb + vd`.
fn roles<T>(of_dst: bool, d: T, a: T, b: T) -> (T, T, T) {
    if of_dst { (d, a, b) } else { (a, b, d) }
}

/// One rounding for product and sum.
fn fused(core: &mut Core, args: &Args<'_>, of_dst: bool) -> Done {
    let ty = elem(args, 0)?;
    let exact = |d, a, b| {
        let (a, b, c) = roles(of_dst, d, a, b);
        exact_sum(a, b, c)
    };
    if ty == DType::F32 {
        return three::<F32>(core, args, ty, |d, a, b| exact(d, a, b) as f32);
    }
    let narrow = |d, a, b| odd(exact(d, a, b));
    let fit = ranged(core, ty);
    let int = |d, a, b| {
        let (a, b, c): (i64, i64, i64) = roles(of_dst, d, a, b);
        fit(a.wrapping_mul(b).wrapping_add(c))
    };
    with_float_lanes!(core, ty, three(core, args, ty, narrow))
        .or_else(|| with_int_lanes!(ty, three(core, args, ty, int)))
        .unwrap_or_else(|| Err(no_type(args, ty)))
}

/// `(vd, va, vb, p, PART)`: e to the power of a difference, in `f32`; of 16-bit sources one half of the lanes.
fn exponential_of_difference(core: &mut Core, args: &Args<'_>) -> Done {
    let part = match args.word(4) {
        None | Some("PART_EVEN") => 0,
        Some("PART_ODD") => 1,
        Some(other) => return Err(no_word(args, other)),
    };
    fn lanes<L: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>, part: usize) -> Done {
        let (a, b, mask) = (source(core, args, 1)?, source(core, args, 2)?, predicate(core, args, 3)?);
        let mut out = [0; 256];
        for (i, o) in out.chunks_exact_mut(4).enumerate() {
            let at = 4 * i + if L::BYTES < 4 { part * L::BYTES } else { 0 };
            if active(&mask, at) {
                let [a, b] = [&a, &b].map(|v| L::get(&v[at..at + L::BYTES]));
                F32::put(f64::from(a - b).exp() as f32, o);
            }
        }
        put(core, args, 0, &out)
    }
    match elem(args, 1)? {
        DType::F32 => lanes::<F32>(core, args, part),
        DType::F16 => lanes::<F16<false>>(core, args, part),
        DType::BF16 => lanes::<Bf16<false>>(core, args, part),
        ty => Err(no_type(args, ty)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fused_sum_is_rounded_once() {
        // The product lies half way between two numbers of single precision, the addend decides.
        let (a, b) = (1.0 + f32::EPSILON, 1.0 + f32::EPSILON);
        for c in [1e-30, -1e-30, 0.0, -1.0, 3.0, f32::INFINITY] {
            assert_eq!(exact_sum(a, b, c) as f32, a.mul_add(b, c), "{c}");
        }
        let mut x = 1u32;
        let mut next = || {
            x = x.wrapping_mul(1664525).wrapping_add(1013904223);
            f32::from_bits(x)
        };
        for _ in 0..100_000 {
            let (a, b, c) = (next(), next(), next());
            let (got, want) = (exact_sum(a, b, c) as f32, a.mul_add(b, c));
            assert!(got == want || (got.is_nan() && want.is_nan()), "{a} {b} {c}");
        }
    }

    #[test]
    fn an_odd_number_rounds_on_as_the_exact_one() {
        let x = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        assert_eq!(half::f16::from_f32(odd(x)).to_f64(), 1.0 + 2f64.powi(-10));
        assert_eq!(half::f16::from_f32(odd(-x)).to_f64(), -1.0 - 2f64.powi(-10));
        assert_eq!(odd(1e300), f32::MAX);
        assert_eq!(odd(f64::INFINITY), f32::INFINITY);
        assert!(odd(1e-300) > 0.0);
    }
}
