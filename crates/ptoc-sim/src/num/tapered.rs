//! Formats whose exponent is not a plain field: HiFloat8 and the exponent-only scale of MX formats.

use super::{Round, Sat, round_integral};

/// Largest finite HiFloat8 code, 2^15. One more is the infinity.
const HIF8_MAX: u64 = 0x6e;
const HIF8_INF: u64 = 0x6f;
const HIF8_NAN: u64 = 0x80;

/// The number of a HiFloat8 code: sign, a prefix that says how many bits the exponent has, exponent, mantissa.
///
/// The exponent is a sign bit and a magnitude with a leading one that is not stored. With the prefix `0000` the mantissa
/// `m` is an exponent itself: 2^(m - 23).
pub fn decode_hif8(code: u64) -> f64 {
    let magnitude = code & 0x7f;
    let x = match magnitude {
        _ if code & 0xff == HIF8_NAN => return f64::NAN,
        0 => 0.0,
        HIF8_INF => f64::INFINITY,
        1..=7 => power_of_two(magnitude as i32 - 23),
        _ => {
            let (e, mantissa_bits, m) = fields(magnitude);
            (1.0 + m as f64 / f64::from(1_u32 << mantissa_bits)) * power_of_two(e)
        }
    };
    if code & 0x80 != 0 { -x } else { x }
}

/// Exponent, number of mantissa bits and mantissa of a code with a prefix other than `0000`.
fn fields(magnitude: u64) -> (i32, u32, u64) {
    let (exponent_bits, mantissa_bits) = match magnitude {
        0x60.. => (4, 1),
        0x40.. => (3, 2),
        0x20.. => (2, 3),
        0x10.. => (1, 3),
        _ => (0, 3),
    };
    let m = magnitude & ((1 << mantissa_bits) - 1);
    let e = (magnitude >> mantissa_bits) & ((1 << exponent_bits) - 1);
    if exponent_bits == 0 {
        return (0, mantissa_bits, m);
    }
    // The top bit is the sign; the leading one of the magnitude takes its place.
    let top = 1 << (exponent_bits - 1);
    let size = ((e & (top - 1)) | top) as i32;
    (if e & top != 0 { -size } else { size }, mantissa_bits, m)
}

/// The HiFloat8 code of a number. There is one zero and one NaN; NaN stays NaN, what is too large becomes infinite or,
/// under [`Sat::On`], the largest finite value.
pub fn encode_hif8(x: f64, round: Round, sat: Sat) -> u64 {
    if x.is_nan() {
        return HIF8_NAN;
    }
    let sign = if x.is_sign_negative() { 0x80 } else { 0 };
    let overflow = sign | if sat == Sat::On { HIF8_MAX } else { HIF8_INF };
    let a = x.abs();
    if a.is_infinite() {
        return overflow;
    }
    if a == 0.0 {
        return 0;
    }
    let negative = sign != 0;
    let steps = |scaled: f64| round_integral(if negative { -scaled } else { scaled }, round).abs() as u64;
    let e = exponent(a);
    // Where the codes of an exponent begin, and how many mantissa bits they have.
    let (first, bits) = match e {
        ..-22 => return if from_tiny(a, round, negative) { sign | 1 } else { 0 },
        -22..=-16 => ((e + 23) as u64, 0),
        0 => (0x08, 3),
        -1 | 1 => (0x10 | exponent_field(e, 1) << 3, 3),
        -3..=3 => (0x20 | exponent_field(e, 2) << 3, 3),
        -7..=7 => (0x40 | exponent_field(e, 3) << 2, 2),
        -15..=15 => (0x60 | exponent_field(e, 4) << 1, 1),
        _ => return overflow,
    };
    let m = steps((a * power_of_two(-e) - 1.0) * power_of_two(bits));
    if m == 1 << bits {
        // Up to the next power of two, which is a code or too large.
        let next = power_of_two(e + 1);
        return encode_hif8(if negative { -next } else { next }, round, sat);
    }
    let magnitude = first | m;
    if magnitude > HIF8_MAX && e > 0 { overflow } else { sign | magnitude }
}

/// Exponent in sign and magnitude form, the leading one dropped.
fn exponent_field(e: i32, bits: u32) -> u64 {
    let top = 1_u64 << (bits - 1);
    let size = u64::from(e.unsigned_abs()) & (top - 1);
    if e < 0 { top | size } else { size }
}

/// Whether a number below 2^-22, the smallest code, rounds up to it.
fn from_tiny(a: f64, round: Round, negative: bool) -> bool {
    match round {
        Round::Even => a > power_of_two(-23),
        Round::Away => a >= power_of_two(-23),
        Round::Odd => true,
        Round::Floor => negative,
        Round::Ceil => !negative,
        Round::Trunc => false,
    }
}

/// The number of an exponent-only code; 255 is NaN.
pub fn decode_e8m0(code: u64) -> f64 {
    if code & 0xff == 0xff { f64::NAN } else { power_of_two((code & 0xff) as i32 - 127) }
}

/// The exponent-only code of a number: that of the power of two at or below its magnitude; NaN for NaN and infinities.
pub fn encode_e8m0(x: f64) -> u64 {
    if x.is_finite() { (exponent(x.abs()) + 127).clamp(0, 254) as u64 } else { 0xff }
}

/// floor(log2(a)) of a positive number; -1022 at the least.
fn exponent(a: f64) -> i32 {
    ((a.to_bits() >> 52) as i32 - 1023).max(-1022)
}

fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023).clamp(1, 2046) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the published format.
    #[test]
    fn known_hif8_codes() {
        for (code, x) in [
            (0x00, 0.0),
            (0x01, 2f64.powi(-22)),
            (0x07, 2f64.powi(-16)),
            (0x08, 1.0),
            (0x0f, 1.875),
            (0x10, 2.0),
            (0x18, 0.5),
            (0x20, 4.0),
            (0x2f, 15.0),
            (0x40, 16.0),
            (0x60, 256.0),
            (0x6d, 24576.0),
            (0x6e, 32768.0),
            (0x6f, f64::INFINITY),
            (0x7e, 2f64.powi(-15)),
            (0x88, -1.0),
        ] {
            assert_eq!(decode_hif8(code), x, "{code:#x}");
            assert_eq!(encode_hif8(x, Round::Away, Sat::Off), code, "{x}");
        }
        assert!(decode_hif8(0x80).is_nan());
    }

    #[test]
    fn every_hif8_code_survives() {
        for code in (0..256).filter(|c| *c != HIF8_NAN) {
            assert_eq!(encode_hif8(decode_hif8(code), Round::Even, Sat::Off), code, "{code:#x}");
        }
    }

    /// Between neighbouring codes the nearer one is taken, half way the one farther from zero.
    #[test]
    fn hif8_rounds_to_the_nearest_code() {
        let mut values: Vec<(f64, u64)> = (0..0x80).filter(|c| *c != HIF8_INF).map(|c| (decode_hif8(c), c)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in values.windows(2) {
            let ((low, a), (high, b)) = (pair[0], pair[1]);
            let middle = (low + high) / 2.0;
            assert_eq!(encode_hif8(middle, Round::Away, Sat::On), b, "{middle:e}");
            assert_eq!(encode_hif8(middle.next_down(), Round::Away, Sat::On), a, "{middle:e}");
            assert_eq!(encode_hif8(-middle.next_up(), Round::Away, Sat::On), b | 0x80, "{middle:e}");
            assert_eq!(encode_hif8(high.next_down(), Round::Trunc, Sat::On), a, "{high:e}");
        }
        assert_eq!(encode_hif8(1e9, Round::Away, Sat::On), 0x6e);
        assert_eq!(encode_hif8(-1e9, Round::Away, Sat::Off), 0xef);
    }

    #[test]
    fn scales_are_powers_of_two() {
        assert_eq!([decode_e8m0(0), decode_e8m0(127), decode_e8m0(254)], [2f64.powi(-127), 1.0, 2f64.powi(127)]);
        assert!(decode_e8m0(255).is_nan());
        for code in 0..255 {
            assert_eq!(encode_e8m0(decode_e8m0(code)), code);
        }
        assert_eq!([encode_e8m0(1.99), encode_e8m0(0.0), encode_e8m0(f64::INFINITY)], [127, 0, 255]);
    }
}
