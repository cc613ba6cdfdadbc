//! How a value leaves an accumulator: converted, or scaled by a quantisation word, with an optional relu at the end.

use super::{Inst, Operand, Refusal, Tile};
use crate::num::{Num, Round, Sat, decode, encode, encode_with, int_range};
use ptoc_target::DType;

/// The 64-bit quantisation word: bits 31:0 scale as f32, 35:32 shift less one, 45:37 offset, 46 signed 8-bit result.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    /// The scale; a vector of words holds 10 mantissa bits of it where the result is 16 or fewer bits of integer or f16.
    fn scale(self, short: bool) -> f32 {
        f32::from_bits(self.0 as u32 & if short { 0xffff_e000 } else { u32::MAX })
    }

    fn shift(self) -> u32 {
        (self.0 >> 32 & 0xf) as u32 + 1
    }

    fn offset(self) -> f32 {
        (self.0 >> 37 & 0x1ff) as f32
    }

    fn signed(self) -> bool {
        self.0 >> 46 & 1 == 1
    }
}

/// Where quantisation words come from.
enum Words<'a> {
    None,
    Scalar(Word),
    /// One word for each column of the accumulator.
    Columns(&'a Tile),
}

/// The conversion of an instruction with optional `relu`, `pre_quant_scalar` and `fp`.
pub(super) struct Requant<'a> {
    from: DType,
    to: DType,
    words: Words<'a>,
    relu: bool,
}

impl<'a> Requant<'a> {
    /// Reads `relu`, `pre_quant_scalar` and `fp`.
    pub(super) fn of(inst: &'a Inst<'_>, from: DType, to: DType) -> Result<Requant<'a>, Refusal> {
        let words = match (inst.operand("fp"), inst.attr("pre_quant_scalar")) {
            (Some(Operand::Tile(fp)), _) => Words::Columns(fp),
            (_, Some(_)) => Words::Scalar(Word(inst.scalar("pre_quant_scalar")?.bits)),
            _ => Words::None,
        };
        let scaled = !matches!(words, Words::None);
        use DType::*;
        let known = match (from, to) {
            (F32, I8 | U8 | F16 | BF16 | F32 | HiF8 | F8E4M3) | (I32, I8 | U8 | F16 | BF16 | I16) if scaled => true,
            _ if scaled => false,
            _ => from == to || !from.is_int() && !to.is_int(),
        };
        if !known {
            let how = if scaled { "with" } else { "without" };
            return Err(Refusal::Unsupported(format!("`{}` from {from} to {to} {how} a scale", inst.op)));
        }
        let relu = match inst.word("relu") {
            None | Some("no_relu") => false,
            Some("normal_relu") => true,
            Some(other) => return Err(Refusal::Unsupported(format!("`{}` with relu mode `{other}`", inst.op))),
        };
        Ok(Requant { from, to, words, relu })
    }

    /// The bits that the value of accumulator column `col` becomes.
    pub(super) fn bits(&self, bits: u64, col: u64) -> u64 {
        let to = self.to;
        let converted = match &self.words {
            Words::None if self.from == to => bits,
            Words::None => encode(to, decode(self.from, bits)),
            Words::Scalar(word) => self.scaled(bits, *word, false),
            Words::Columns(fp) => {
                self.scaled(bits, Word(fp.bits(0, col)), matches!(to, DType::I8 | DType::U8 | DType::F16))
            }
        };
        // Also minus zero becomes zero; NaN stays.
        if self.relu && decode(to, converted).real() <= 0.0 { 0 } else { converted }
    }

    fn scaled(&self, bits: u64, word: Word, short: bool) -> u64 {
        let x = decode(self.from, bits);
        if self.to == DType::I16 {
            return encode_with(DType::I16, Num::Int(x.int() >> word.shift()), Round::Even, Sat::On);
        }
        let y = x.real() as f32 * word.scale(short);
        match self.to {
            DType::I8 | DType::U8 => {
                let as_type = if word.signed() { DType::I8 } else { DType::U8 };
                let y = Num::Float(f64::from(y + word.offset()));
                encode_with(as_type, y, Round::Even, Sat::On)
            }
            DType::F32 => u64::from(y.to_bits()),
            DType::HiF8 => encode_with(self.to, Num::Float(f64::from(y)), Round::Away, Sat::On),
            DType::BF16 => encode(self.to, Num::Float(f64::from(y))),
            _ => encode_with(self.to, Num::Float(f64::from(y)), Round::Even, Sat::On),
        }
    }
}

/// The bits of a pad value in an element type; `None` for a null pad and where the type has no such value. A 4-bit type
/// gives one code.
pub fn pad_bits(ty: DType, pad: ptoc_target::PadValue) -> Option<u64> {
    use DType::*;
    use ptoc_target::PadValue;
    let extreme = |max: bool| match (ty, int_range(ty)) {
        (F8E8M0 | HiF8x2 | BF16x2, _) => None,
        (_, Some((lo, hi))) => Some(encode(ty, Num::Int(if max { hi } else { lo }))),
        (HiF8, _) => Some(if max { 0x6f } else { 0xef }),
        (F8E4M3 | F8E5M2 | F4E2M1x2 | F4E1M2x2, _) => {
            let x = if max { f64::INFINITY } else { f64::NEG_INFINITY };
            let infinite = encode_with(ty, Num::Float(x), Round::Even, Sat::Off);
            // f8e5m2 has an infinity, f8e4m3 and the 4-bit types end with a finite value.
            Some(if ty == F8E5M2 { infinite } else { encode_with(ty, Num::Float(x), Round::Even, Sat::On) })
        }
        _ => Some(encode(ty, Num::Float(if max { f64::INFINITY } else { f64::NEG_INFINITY }))),
    };
    match pad {
        PadValue::Null => None,
        PadValue::Zero => Some(0),
        PadValue::Max => extreme(true),
        PadValue::Min => extreme(false),
        PadValue::Custom(bits) => {
            let bits = u64::from(bits);
            Some(if ty.is_fp4() { bits & 0xf } else { bits & (u64::MAX >> (64 - 8 * ty.bytes())) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptoc_target::PadValue;

    /// The table of the TFILLPAD page.
    #[test]
    fn pads_are_the_extremes_of_their_type() {
        for (ty, min, max) in [
            (DType::F32, 0xff80_0000, 0x7f80_0000),
            (DType::BF16, 0xff80, 0x7f80),
            (DType::I16, 0x8000, 0x7fff),
            (DType::U8, 0, 0xff),
            (DType::F8E4M3, 0xfe, 0x7e),
            (DType::F8E5M2, 0xfc, 0x7c),
            (DType::HiF8, 0xef, 0x6f),
            (DType::F4E2M1x2, 0xf, 0x7),
        ] {
            assert_eq!(pad_bits(ty, PadValue::Min), Some(min), "{ty}");
            assert_eq!(pad_bits(ty, PadValue::Max), Some(max), "{ty}");
        }
        assert_eq!(pad_bits(DType::I16, PadValue::Custom(0xffff_fed4)), Some(0xfed4));
        assert_eq!(pad_bits(DType::F32, PadValue::Null), None);
    }

    fn requant(to: DType, from: DType, words: Words<'_>) -> Requant<'_> {
        Requant { from, to, words, relu: false }
    }

    #[test]
    fn an_accumulator_scales_shifts_and_clamps() {
        let word = |scale: f32, high: u64| Word(u64::from(scale.to_bits()) | high << 32);
        // Scale 2.5, offset 3, signed: 1 becomes 2.5 + 3, rounded to even.
        let r = requant(DType::I8, DType::I32, Words::Scalar(word(2.5, 1 << 14 | 3 << 5)));
        assert_eq!(r.bits(1, 0), 6);
        assert_eq!(r.bits(100, 0), 0x7f);
        let r = requant(DType::I16, DType::I32, Words::Scalar(Word(2 << 32)));
        assert_eq!(r.bits(80, 0), 10);
        assert_eq!(r.bits(i32::MAX as u64, 0), 0x7fff);
        let r = requant(DType::F16, DType::F32, Words::Scalar(word(1e6, 0)));
        assert_eq!(r.bits(u64::from((-1.0f32).to_bits()), 0), 0xfbff);
    }
}
