//! Element values: an integer or a real number, and how each element type stores it.

mod float;
mod tapered;

pub use float::{FloatFormat, decode_float, encode_float};
pub use tapered::{decode_e8m0, decode_hif8, encode_e8m0, encode_hif8};

use ptoc_target::{DType, DTypeClass};

/// The value of one element. `f64` holds every value of every float element type exactly, and one `+ - * / sqrt` in `f64`
/// followed by a rounding to 24 or fewer bits gives the correctly rounded result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Num {
    /// An integer; `i128` so that sums and products of 64-bit elements do not overflow.
    Int(i128),
    /// A real number, an infinity or a NaN.
    Float(f64),
}

/// How a value between two representable ones is rounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Round {
    /// To nearest, ties to even.
    #[default]
    Even,
    /// To nearest, ties away from zero.
    Away,
    /// Towards minus infinity.
    Floor,
    /// Towards plus infinity.
    Ceil,
    /// Towards zero.
    Trunc,
    /// An inexact value goes to the neighbour whose last bit is one.
    Odd,
}

/// What happens to a value outside the range of the element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sat {
    /// Integers keep their low bits; floats become infinite (or NaN where the type has no infinity).
    #[default]
    Off,
    /// The nearest finite value; NaN becomes 0 for integers.
    On,
}

impl Num {
    /// The value as a real number; 64-bit integers are rounded to nearest even.
    pub fn real(self) -> f64 {
        match self {
            Num::Int(n) => n as f64,
            Num::Float(x) => x,
        }
    }

    /// The value as an integer: the integer part of a real number, 0 for NaN.
    pub fn int(self) -> i128 {
        match self {
            Num::Int(n) => n,
            Num::Float(x) => x as i128,
        }
    }
}

/// The smallest and the largest value of an integer type; `None` for floats.
pub const fn int_range(ty: DType) -> Option<(i128, i128)> {
    let bits = 8 * ty.bytes();
    match ty.class() {
        DTypeClass::Signed => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        DTypeClass::Unsigned => Some((0, (1 << bits) - 1)),
        _ => None,
    }
}

/// The value that the low `8 * ty.bytes()` bits of `bits` stand for. Packed pairs are not one value: see
/// [`FloatFormat`] for one half.
pub fn decode(ty: DType, bits: u64) -> Num {
    let width = 8 * ty.bytes() as u32;
    let low = if width == 64 { bits } else { bits & ((1 << width) - 1) };
    match ty.class() {
        DTypeClass::Unsigned => Num::Int(i128::from(low)),
        DTypeClass::Signed => Num::Int(i128::from(((low << (64 - width)) as i64) >> (64 - width))),
        _ => Num::Float(decode_float(ty, low)),
    }
}

/// The bits that store a value: floats rounded to nearest even with infinities kept, integers wrapped.
pub fn encode(ty: DType, v: Num) -> u64 {
    encode_with(ty, v, Round::Even, Sat::Off)
}

/// A value as its element type holds it: rounded to nearest even, or wrapped.
pub fn narrow(ty: DType, v: Num) -> Num {
    decode(ty, encode(ty, v))
}

/// The bits that store a value, with a stated rounding and saturation. Without saturation an infinity becomes the extreme
/// of an integer type.
pub fn encode_with(ty: DType, v: Num, round: Round, sat: Sat) -> u64 {
    let Some((lo, hi)) = int_range(ty) else {
        return match v {
            Num::Int(n) if ty != DType::F64 => encode_float(ty, sticky(n), round, sat),
            _ => encode_float(ty, v.real(), round, sat),
        };
    };
    let n = match v {
        Num::Int(n) => n,
        Num::Float(x) if x.is_infinite() => {
            if x > 0.0 {
                hi
            } else {
                lo
            }
        }
        // Such a number is a multiple of 2^64: its low bits are zero.
        Num::Float(x) if x.abs() >= 2f64.powi(126) && sat == Sat::Off => 0,
        Num::Float(x) => round_to_int(x, round),
    };
    let n = if sat == Sat::On { n.clamp(lo, hi) } else { n };
    (n as u64) & (hi - lo) as u64
}

/// An integer as a real number of 52 bits, the last one set when any lower bit was: rounded again to fewer bits it gives
/// what the integer itself would give.
fn sticky(n: i128) -> f64 {
    let magnitude = n.unsigned_abs();
    let excess = (128 - magnitude.leading_zeros()).saturating_sub(52);
    let kept = magnitude >> excess;
    let lost = kept << excess != magnitude;
    let x = (kept | u128::from(lost)) as f64 * 2f64.powi(excess as i32);
    if n < 0 { -x } else { x }
}

/// A real number rounded to an integer; NaN gives 0, infinities the largest magnitudes.
pub fn round_to_int(x: f64, round: Round) -> i128 {
    round_integral(x, round) as i128
}

/// A real number rounded to an integral real number.
pub fn round_integral(x: f64, round: Round) -> f64 {
    match round {
        Round::Even => x.round_ties_even(),
        Round::Away => x.round(),
        Round::Floor => x.floor(),
        Round::Ceil => x.ceil(),
        Round::Trunc => x.trunc(),
        Round::Odd => {
            let t = x.trunc();
            if t == x || t.rem_euclid(2.0) == 1.0 { t } else { t + x.signum() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_and_saturate() {
        assert_eq!(encode(DType::I8, Num::Int(130)), 0x82);
        assert_eq!(decode(DType::I8, 0x82), Num::Int(-126));
        assert_eq!(encode_with(DType::I8, Num::Int(130), Round::Even, Sat::On), 0x7f);
        assert_eq!(encode_with(DType::U8, Num::Float(-3.0), Round::Even, Sat::On), 0);
        assert_eq!(encode(DType::U64, Num::Int(-1)), u64::MAX);
        assert_eq!(encode_with(DType::I32, Num::Float(f64::NAN), Round::Even, Sat::On), 0);
        assert_eq!(encode(DType::I16, Num::Float(3e38)), 0);
        assert_eq!(encode(DType::I16, Num::Float(f64::INFINITY)), 0x7fff);
    }

    #[test]
    fn each_rounding_of_a_half() {
        let all = [Round::Even, Round::Away, Round::Floor, Round::Ceil, Round::Trunc, Round::Odd];
        assert_eq!(all.map(|r| round_to_int(2.5, r)), [2, 3, 2, 3, 2, 3]);
        assert_eq!(all.map(|r| round_to_int(-2.5, r)), [-2, -3, -3, -2, -2, -3]);
        assert_eq!(all.map(|r| round_to_int(-1.25, r)), [-1, -1, -2, -1, -1, -1]);
    }
}
