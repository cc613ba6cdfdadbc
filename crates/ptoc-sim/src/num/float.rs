//! Binary float formats of 4 to 32 bits.

use super::{Round, Sat, decode_e8m0, decode_hif8, encode_e8m0, encode_hif8, round_integral};
use ptoc_target::DType;

/// A binary float format: sign, exponent, mantissa.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatFormat {
    /// Exponent bits.
    pub exp: u32,
    /// Mantissa bits without the hidden one.
    pub man: u32,
    /// Exponent bias.
    pub bias: i32,
    /// What the codes with all exponent bits set mean.
    pub top: Top,
}

/// The meaning of the largest exponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Top {
    /// Infinities and NaNs, as in IEEE 754.
    Ieee,
    /// Numbers, except that all mantissa bits set is a NaN; no infinity (f8e4m3).
    OneNan,
    /// Numbers only (4-bit floats).
    Finite,
}

impl FloatFormat {
    /// IEEE single.
    pub const F32: FloatFormat = FloatFormat { exp: 8, man: 23, bias: 127, top: Top::Ieee };
    /// IEEE half.
    pub const F16: FloatFormat = FloatFormat { exp: 5, man: 10, bias: 15, top: Top::Ieee };
    /// bfloat16.
    pub const BF16: FloatFormat = FloatFormat { exp: 8, man: 7, bias: 127, top: Top::Ieee };
    /// f8e4m3 without infinities.
    pub const E4M3: FloatFormat = FloatFormat { exp: 4, man: 3, bias: 7, top: Top::OneNan };
    /// f8e5m2.
    pub const E5M2: FloatFormat = FloatFormat { exp: 5, man: 2, bias: 15, top: Top::Ieee };
    /// One half of f4e2m1x2.
    pub const E2M1: FloatFormat = FloatFormat { exp: 2, man: 1, bias: 1, top: Top::Finite };
    /// One half of f4e1m2x2.
    pub const E1M2: FloatFormat = FloatFormat { exp: 1, man: 2, bias: 1, top: Top::Finite };

    /// The format of one element; for a packed pair, of one half. `None` for types that are no sign-exponent-mantissa float.
    pub const fn of(ty: DType) -> Option<FloatFormat> {
        Some(match ty {
            DType::F32 => Self::F32,
            DType::F16 => Self::F16,
            DType::BF16 | DType::BF16x2 => Self::BF16,
            DType::F8E4M3 => Self::E4M3,
            DType::F8E5M2 => Self::E5M2,
            DType::F4E2M1x2 => Self::E2M1,
            DType::F4E1M2x2 => Self::E1M2,
            _ => return None,
        })
    }

    /// Width of a code in bits.
    pub const fn bits(self) -> u32 {
        1 + self.exp + self.man
    }

    /// The code of the largest finite value.
    const fn max_code(self) -> u64 {
        let ones = (1 << (self.exp + self.man)) - 1;
        match self.top {
            Top::Ieee => ones - (1 << self.man),
            Top::OneNan => ones - 1,
            Top::Finite => ones,
        }
    }

    /// The number a code stands for.
    pub fn decode(self, code: u64) -> f64 {
        let sign = if code >> (self.exp + self.man) & 1 == 1 { -1.0 } else { 1.0 };
        let magnitude = code & ((1 << (self.exp + self.man)) - 1);
        let (e, m) = (magnitude >> self.man, magnitude & ((1 << self.man) - 1));
        if magnitude > self.max_code() {
            return if self.top == Top::Ieee && m == 0 { sign * f64::INFINITY } else { f64::NAN };
        }
        let (e, m) = if e == 0 { (1, m) } else { (e, m | 1 << self.man) };
        sign * m as f64 * power_of_two(e as i32 - self.bias - self.man as i32)
    }

    /// The code of a number. NaN stays NaN where the format has one, and is 0 otherwise or under saturation to a format
    /// without NaN; numbers too large become infinite (NaN without infinities), or the largest finite value under [`Sat::On`].
    pub fn encode(self, x: f64, round: Round, sat: Sat) -> u64 {
        let sign = u64::from(x.is_sign_negative()) << (self.exp + self.man);
        let ones = (1 << (self.exp + self.man)) - 1;
        if x.is_nan() {
            return match self.top {
                Top::Ieee => (self.max_code() + 1) | 1 << (self.man - 1),
                Top::OneNan => ones,
                Top::Finite => 0,
            };
        }
        // One past the largest value is the infinity of IEEE formats and the NaN of f8e4m3.
        let overflow = if sat == Sat::On || self.top == Top::Finite { self.max_code() } else { self.max_code() + 1 };
        let a = x.abs();
        if a.is_infinite() {
            return sign | overflow;
        }
        if a == 0.0 {
            return sign;
        }
        // The exponent of the last mantissa bit; subnormals share the smallest one.
        let lowest = 1 - self.bias - self.man as i32;
        let unit = (exponent(a) - self.man as i32).max(lowest);
        let scaled = a * power_of_two(-unit);
        // Directed rounding looks at the signed value.
        let m = round_integral(if sign != 0 { -scaled } else { scaled }, round).abs() as u64;
        // A mantissa that carries moves into the exponent by itself.
        let code = (((unit - lowest) as u64) << self.man) + m;
        if code > self.max_code() { sign | overflow } else { sign | code }
    }
}

/// floor(log2(a)) of a positive finite number; f64 subnormals count as 2^-1022, far below every format here.
fn exponent(a: f64) -> i32 {
    ((a.to_bits() >> 52) as i32 - 1023).max(-1022)
}

/// 2^e, exact for every exponent that these formats reach.
fn power_of_two(e: i32) -> f64 {
    if e >= -1022 { f64::from_bits(((e + 1023) as u64) << 52) } else { 0.0 }
}

/// The number that the code of a float type stands for; the low half of a packed pair.
pub fn decode_float(ty: DType, code: u64) -> f64 {
    match ty {
        DType::F32 => f64::from(f32::from_bits(code as u32)),
        DType::F64 => f64::from_bits(code),
        DType::HiF8 | DType::HiF8x2 => decode_hif8(code),
        DType::F8E8M0 => decode_e8m0(code),
        _ => FloatFormat::of(ty).map_or(f64::NAN, |f| f.decode(code)),
    }
}

/// The code of a number in a float type; the low half of a packed pair.
pub fn encode_float(ty: DType, x: f64, round: Round, sat: Sat) -> u64 {
    match ty {
        DType::F32 if round == Round::Even && sat == Sat::Off => u64::from((x as f32).to_bits()),
        DType::F64 => x.to_bits(),
        DType::HiF8 | DType::HiF8x2 => encode_hif8(x, round, sat),
        DType::F8E8M0 => encode_e8m0(x),
        _ => FloatFormat::of(ty).map_or(0, |f| f.encode(x, round, sat)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every code of every small format decodes and encodes to itself.
    #[test]
    fn codes_survive() {
        for f in [
            FloatFormat::F16,
            FloatFormat::BF16,
            FloatFormat::E4M3,
            FloatFormat::E5M2,
            FloatFormat::E2M1,
            FloatFormat::E1M2,
        ] {
            for code in 0..1u64 << f.bits() {
                let x = f.decode(code);
                if !x.is_nan() {
                    assert_eq!(f.encode(x, Round::Even, Sat::Off), code, "{f:?} {code:#x} {x}");
                }
            }
        }
    }

    /// Half precision agrees with another library on numbers between the codes.
    #[test]
    fn halves_round_as_ieee_says() {
        for i in 0..200_000u32 {
            let x = f32::from_bits(i.wrapping_mul(2654435761));
            if x.is_nan() {
                continue;
            }
            let code = FloatFormat::F16.encode(f64::from(x), Round::Even, Sat::Off);
            assert_eq!(code, u64::from(half::f16::from_f32(x).to_bits()), "{x:e}");
            let code = FloatFormat::BF16.encode(f64::from(x), Round::Even, Sat::Off);
            assert_eq!(code, u64::from(half::bf16::from_f32(x).to_bits()), "{x:e}");
        }
    }

    #[test]
    fn largest_values() {
        let max = |f: FloatFormat| f.decode(f.max_code());
        assert_eq!(max(FloatFormat::F16), 65504.0);
        assert_eq!(max(FloatFormat::E4M3), 448.0);
        assert_eq!(max(FloatFormat::E5M2), 57344.0);
        assert_eq!(max(FloatFormat::E2M1), 6.0);
        assert_eq!(max(FloatFormat::E1M2), 3.5 / 2.0);
        assert_eq!(FloatFormat::F16.encode(1e9, Round::Even, Sat::Off), 0x7c00);
        assert_eq!(FloatFormat::F16.encode(f64::NAN, Round::Even, Sat::Off), 0x7e00);
        assert_eq!(FloatFormat::E4M3.encode(f64::NAN, Round::Even, Sat::Off), 0x7f);
        assert_eq!(FloatFormat::F16.encode(-1e9, Round::Even, Sat::On), 0xfbff);
    }

    #[test]
    fn directed_rounding_looks_at_the_sign() {
        let f = |x, r| FloatFormat::BF16.decode(FloatFormat::BF16.encode(x, r, Sat::Off));
        let x = 1.0 + 1.0 / 512.0;
        assert_eq!([f(x, Round::Floor), f(x, Round::Ceil), f(x, Round::Trunc)], [1.0, 1.0 + 1.0 / 128.0, 1.0]);
        assert_eq!([f(-x, Round::Floor), f(-x, Round::Ceil)], [-1.0 - 1.0 / 128.0, -1.0]);
    }
}
