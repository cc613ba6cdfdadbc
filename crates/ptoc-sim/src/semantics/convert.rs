//! TCVT: one element type to another.

use super::cells::{covering, each_bits};
use super::{Inst, Meaning, Refusal};
use crate::num::{Num, Round, Sat, encode_with, round_integral};
use ptoc_target::DType;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[("tcvt", tcvt)];

/// `dst[r, c] = convert(src[r, c])` with `round_mode` and `sat_mode`.
fn tcvt(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = covering(inst, "src", dst)?;
        let (from, to) = (src.shape.dtype, dst.shape.dtype);
        let convertible = |t: DType| !matches!(t, DType::HiF8x2 | DType::BF16x2 | DType::F8E8M0 | DType::F64);
        if !convertible(from) || !convertible(to) {
            return Err(Refusal::Unsupported(format!("`{}` from {from} to {to}", inst.op)));
        }
        let (round, sat) = (rounding(inst, from, to)?, saturation(inst, from, to)?);
        each_bits(dst, |r, c| convert(src.get(r, c), from, to, round, sat));
        Ok(())
    })
}

fn rounding(inst: &Inst<'_>, from: DType, to: DType) -> Result<Round, Refusal> {
    // These results have one rounding, whatever is asked for.
    match to {
        DType::F8E4M3 | DType::F8E5M2 => return Ok(Round::Even),
        DType::HiF8 => return Ok(Round::Away),
        _ => {}
    }
    Ok(match inst.word("round_mode") {
        None | Some("none") if to.is_int() && !from.is_int() => Round::Trunc,
        None | Some("none" | "rint") => Round::Even,
        Some("round") => Round::Away,
        Some("floor") => Round::Floor,
        Some("ceil") => Round::Ceil,
        Some("trunc") => Round::Trunc,
        Some("odd") => Round::Odd,
        Some(other) => return Err(inst.illegal(format_args!("rounding `{other}`"))),
    })
}

/// Without a mode these pairs keep low bits; all others saturate. An integer that becomes a wider one always saturates: a
/// negative one becomes 0 where there is no sign.
fn saturation(inst: &Inst<'_>, from: DType, to: DType) -> Result<Sat, Refusal> {
    use DType::{F16, F32, I8, I16, I32, I64, U8};
    if from.is_int() && to.is_int() && from.bytes() < to.bytes() {
        return Ok(Sat::On);
    }
    Ok(match inst.word("sat_mode") {
        Some("on") => Sat::On,
        Some("off") => Sat::Off,
        None | Some("default") => match (from, to) {
            (F16, U8 | I8 | I16) | (F32 | I32, I16) | (I64, I32) => Sat::Off,
            _ => Sat::On,
        },
        Some(other) => return Err(inst.illegal(format_args!("saturation `{other}`"))),
    })
}

/// A float that holds every value of the source keeps infinities and NaN, whatever the saturation.
fn convert(x: Num, from: DType, to: DType, round: Round, sat: Sat) -> u64 {
    let exact = !from.is_int() && (to == DType::F32 || to == DType::BF16 && from.is_fp4());
    let sat = if exact { Sat::Off } else { sat };
    if from == to {
        // Only floats come here to be rounded: to an integral value of the same type.
        let x = if to.is_int() { x } else { Num::Float(round_integral(x.real(), round)) };
        return encode_with(to, x, Round::Even, Sat::Off);
    }
    if x.real().is_nan() && (sat == Sat::On || to.is_fp4()) {
        return 0;
    }
    encode_with(to, x, round, sat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use DType::*;

    fn real(x: f64, to: DType, round: Round, sat: Sat) -> u64 {
        convert(Num::Float(x), F32, to, round, sat)
    }

    #[test]
    fn floats_clamp_or_keep_low_bits() {
        assert_eq!(real(70000.4, I16, Round::Even, Sat::On), 0x7fff);
        assert_eq!(real(70000.4, I16, Round::Even, Sat::Off), 70000 & 0xffff);
        assert_eq!(real(-1.5, U8, Round::Trunc, Sat::On), 0);
        assert_eq!(real(f64::NAN, I32, Round::Even, Sat::Off), 0);
        assert_eq!(real(f64::NEG_INFINITY, I32, Round::Even, Sat::Off), 0x8000_0000);
    }

    #[test]
    fn overflow_is_judged_after_rounding() {
        assert_eq!(real(65519.0, F16, Round::Even, Sat::Off), 0x7bff);
        assert_eq!(real(65520.0, F16, Round::Even, Sat::Off), 0x7c00);
        assert_eq!(real(65520.0, F16, Round::Even, Sat::On), 0x7bff);
        assert_eq!(real(f64::NAN, F16, Round::Even, Sat::On), 0);
        assert_eq!(real(f64::NAN, F16, Round::Even, Sat::Off), 0x7e00);
        assert_eq!(real(449.0, F8E4M3, Round::Even, Sat::Off), 0x7e);
        assert_eq!(real(465.0, F8E4M3, Round::Even, Sat::Off), 0x7f);
        assert_eq!(real(1e9, F4E2M1x2, Round::Even, Sat::Off), 7);
    }

    #[test]
    fn odd_keeps_the_direction_of_inexactness() {
        let x = 1.0 + 1.0 / 2048.0;
        assert_eq!(real(x, F16, Round::Odd, Sat::Off), 0x3c01);
        assert_eq!(real(1.0, F16, Round::Odd, Sat::Off), 0x3c00);
    }

    #[test]
    fn widening_keeps_infinities() {
        assert_eq!(convert(Num::Float(f64::INFINITY), BF16, F32, Round::Even, Sat::On), 0x7f80_0000);
        assert_eq!(convert(Num::Float(f64::NAN), F16, F32, Round::Even, Sat::On), 0x7fc0_0000);
    }

    /// 2^53 + 2^29 + 1 lies above the middle of two f32; rounding it to f64 first would make it the middle.
    #[test]
    fn wide_integers_round_once() {
        let n = (1 << 53) + (1 << 29) + 1;
        let x = convert(Num::Int(n), I64, F32, Round::Even, Sat::Off);
        assert_eq!(f64::from(f32::from_bits(x as u32)), ((1_i64 << 53) + (1 << 30)) as f64);
    }
}
