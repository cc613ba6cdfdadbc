//! Arithmetic on single elements: what each operator gives, before the result is rounded to its element type.
//!
//! Integers are exact here and wrap when stored. One float operation on numbers of 24 or fewer bits is exact enough in f64
//! that storing it rounds correctly; an operation made of several rounds after each step, with [`narrow`].

use crate::num::{Num, narrow};
use ptoc_target::DType;

/// An operator on two elements of a type.
pub(super) type Binary = fn(DType, Num, Num) -> Num;

/// An operator on one element of a type.
pub(super) type Unary = fn(DType, Num) -> Num;

/// Both as integers, or both as real numbers.
fn both<T>(a: Num, b: Num, int: impl Fn(i128, i128) -> T, real: impl Fn(f64, f64) -> T) -> T {
    match (a, b) {
        (Num::Int(x), Num::Int(y)) => int(x, y),
        _ => real(a.real(), b.real()),
    }
}

pub(super) fn add(_: DType, a: Num, b: Num) -> Num {
    both(a, b, |x, y| Num::Int(x.wrapping_add(y)), |x, y| Num::Float(x + y))
}

pub(super) fn sub(_: DType, a: Num, b: Num) -> Num {
    both(a, b, |x, y| Num::Int(x.wrapping_sub(y)), |x, y| Num::Float(x - y))
}

pub(super) fn mul(_: DType, a: Num, b: Num) -> Num {
    both(a, b, |x, y| Num::Int(x.wrapping_mul(y)), |x, y| Num::Float(x * y))
}

/// The quotient, of integers towards zero. An integer divided by zero is 0 in 64 bits and all ones in fewer.
pub(super) fn div(ty: DType, a: Num, b: Num) -> Num {
    let by_zero = if ty.bytes() == 8 { 0 } else { -1 };
    both(a, b, |x, y| Num::Int(x.checked_div(y).unwrap_or(by_zero)), |x, y| Num::Float(x / y))
}

/// `a - trunc(a / b) * b`: the remainder has the sign of the dividend, and +0 is nothing left. Of integers by zero it is 0 in
/// 64 bits and the dividend in fewer.
pub(super) fn fmod(ty: DType, a: Num, b: Num) -> Num {
    let by_zero = |x| if ty.bytes() == 8 { 0 } else { x };
    // Adding +0 turns -0 into +0 and changes nothing else.
    both(a, b, |x, y| Num::Int(x.checked_rem(y).unwrap_or(by_zero(x))), |x, y| Num::Float(x % y + 0.0))
}

/// The remainder with the sign of the divisor: the divisor is added to a remainder of the other sign.
pub(super) fn rem(ty: DType, a: Num, b: Num) -> Num {
    let r = fmod(ty, a, b);
    let opposite = both(r, b, |x, y| x.signum() * y.signum() < 0, |x, y| x < 0.0 && y > 0.0 || x > 0.0 && y < 0.0);
    if opposite { add(ty, r, b) } else { r }
}

/// The larger one; NaN when one is, and +0 is larger than -0.
pub(super) fn max(_: DType, a: Num, b: Num) -> Num {
    both(a, b, |x, y| Num::Int(x.max(y)), |x, y| Num::Float(larger(x, y)))
}

/// The smaller one; NaN when one is, and -0 is smaller than +0.
pub(super) fn min(_: DType, a: Num, b: Num) -> Num {
    both(a, b, |x, y| Num::Int(x.min(y)), |x, y| Num::Float(-larger(-x, -y)))
}

fn larger(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        if x.is_sign_negative() { y } else { x }
    } else if x > y {
        x
    } else {
        y
    }
}

pub(super) fn and(_: DType, a: Num, b: Num) -> Num {
    Num::Int(a.int() & b.int())
}

pub(super) fn or(_: DType, a: Num, b: Num) -> Num {
    Num::Int(a.int() | b.int())
}

pub(super) fn xor(_: DType, a: Num, b: Num) -> Num {
    Num::Int(a.int() ^ b.int())
}

/// How far to shift: of 64-bit elements the low six bits of the count, else the count, which is at most the width. A
/// negative count has no meaning; it shifts everything out.
fn count(ty: DType, n: Num) -> u32 {
    let width = 8 * ty.bytes() as u32;
    let n = if width == 64 { n.int() & 63 } else { n.int() };
    u32::try_from(n).map_or(width, |n| n.min(width))
}

/// Bits that leave the element are lost.
pub(super) fn shl(ty: DType, a: Num, n: Num) -> Num {
    Num::Int(a.int() << count(ty, n))
}

/// Signed elements are filled with their sign, unsigned ones with zeros.
pub(super) fn shr(ty: DType, a: Num, n: Num) -> Num {
    Num::Int(a.int() >> count(ty, n))
}

/// The power. Integers wrap; a negative exponent gives 0 except for the bases 1 and -1. Everything to the 0 is 1.
pub(super) fn pow(ty: DType, a: Num, n: Num) -> Num {
    let int = |x: i128, n: i128| {
        let odd = n & 1 == 1;
        Num::Int(match x {
            _ if n == 0 => 1,
            -1 => {
                if odd {
                    -1
                } else {
                    1
                }
            }
            1 => 1,
            _ if n < 0 => 0,
            _ => power(x, n),
        })
    };
    let _ = ty;
    both(a, n, int, |x, y| Num::Float(x.powf(y)))
}

/// Square and multiply modulo 2^128, of which the element keeps the low bits.
fn power(mut x: i128, mut n: i128) -> i128 {
    let mut out = 1_i128;
    while n > 0 {
        if n & 1 == 1 {
            out = out.wrapping_mul(x);
        }
        x = x.wrapping_mul(x);
        n >>= 1;
    }
    out
}

/// The magnitude; the smallest integer has none and stays.
pub(super) fn abs(_: DType, a: Num) -> Num {
    match a {
        Num::Int(n) => Num::Int(n.abs()),
        Num::Float(x) => Num::Float(x.abs()),
    }
}

pub(super) fn neg(_: DType, a: Num) -> Num {
    match a {
        Num::Int(n) => Num::Int(-n),
        Num::Float(x) => Num::Float(-x),
    }
}

pub(super) fn not(_: DType, a: Num) -> Num {
    Num::Int(!a.int())
}

/// max(a, 0): NaN stays, -0 becomes +0.
pub(super) fn relu(ty: DType, a: Num) -> Num {
    let zero = if ty.is_int() { Num::Int(0) } else { Num::Float(0.0) };
    max(ty, a, zero)
}

pub(super) fn exp(_: DType, a: Num) -> Num {
    Num::Float(a.real().exp())
}

pub(super) fn ln(_: DType, a: Num) -> Num {
    Num::Float(a.real().ln())
}

pub(super) fn sqrt(_: DType, a: Num) -> Num {
    Num::Float(a.real().sqrt())
}

pub(super) fn rsqrt(_: DType, a: Num) -> Num {
    Num::Float(1.0 / a.real().sqrt())
}

pub(super) fn recip(ty: DType, a: Num) -> Num {
    let one = if ty.is_int() { Num::Int(1) } else { Num::Float(1.0) };
    div(ty, one, a)
}

/// e^(a - b), the difference rounded to the type.
pub(super) fn expdif(ty: DType, a: Num, b: Num) -> Num {
    exp(ty, narrow(ty, sub(ty, a, b)))
}

/// a for positive a, else a times the slope.
pub(super) fn leaky(ty: DType, a: Num, slope: Num) -> Num {
    if a.real() > 0.0 { a } else { mul(ty, a, slope) }
}

/// a * b + c in the type `ty`, rounded after each step.
pub(super) fn mul_add(ty: DType, a: Num, b: Num, c: Num) -> Num {
    narrow(ty, add(ty, narrow(ty, mul(ty, a, b)), c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    fn i(n: i128) -> Num {
        Num::Int(n)
    }

    #[test]
    fn remainders_take_the_sign_of_one_operand() {
        assert_eq!([fmod(I32, i(-7), i(3)), rem(I32, i(-7), i(3)), rem(I32, i(7), i(-3))], [i(-1), i(2), i(-2)]);
        assert_eq!(rem(F32, Num::Float(-7.5), Num::Float(2.0)), Num::Float(0.5));
        assert_eq!(rem(I64, i(6), i(-3)), i(0));
        assert_eq!(fmod(F32, Num::Float(-6.0), Num::Float(3.0)).real().to_bits(), 0);
        assert_eq!([fmod(I32, i(5), i(0)), fmod(I64, i(5), i(0))], [i(5), i(0)]);
    }

    #[test]
    fn extremes_order_zeros_and_keep_nan() {
        let f = |x: f64| Num::Float(x);
        let bits = |n: Num| n.real().to_bits();
        assert_eq!(bits(max(F32, f(-0.0), f(0.0))), 0);
        assert_eq!(bits(min(F32, f(0.0), f(-0.0))), (-0.0f64).to_bits());
        assert!(max(F32, f(f64::NAN), f(1.0)).real().is_nan() && min(F32, f(1.0), f(f64::NAN)).real().is_nan());
        assert_eq!(bits(relu(F32, f(-0.0))), 0);
    }

    #[test]
    fn shifts_lose_what_leaves_the_element() {
        assert_eq!(narrow(I16, shl(I16, i(0x4001), i(1))), i(-0x7ffe));
        assert_eq!(narrow(U8, shl(U8, i(0xff), i(8))), i(0));
        assert_eq!([shr(I8, i(-100), i(9)), shr(U8, i(200), i(3))], [i(-1), i(25)]);
        assert_eq!(narrow(U64, shl(U64, i(1), i(65))), i(2));
    }

    #[test]
    fn powers_of_integers() {
        assert_eq!([pow(I32, i(0), i(0)), pow(I32, i(-1), i(-3)), pow(I32, i(2), i(-1))], [i(1), i(-1), i(0)]);
        assert_eq!(narrow(I16, pow(I16, i(3), i(11))), i(177147 - 3 * 65536));
        assert_eq!(narrow(I8, pow(I8, i(-3), i(5))), i(13));
    }

    #[test]
    fn quotients_go_towards_zero() {
        assert_eq!([div(I32, i(-7), i(2)), div(I64, i(5), i(0)), div(U8, i(5), i(0))], [i(-3), i(0), i(-1)]);
        assert_eq!(narrow(I8, div(I8, i(-128), i(-1))), i(-128));
    }
}
