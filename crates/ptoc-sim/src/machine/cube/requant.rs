//! What the fixpipe does to one element: scale, relu, convert.

use super::super::{Arg, Args, Fault, FaultKind};
use crate::num::{FloatFormat, Num, Round, Sat, encode_with};
use ptoc_target::{Arch, DType};

/// What the result of a mode is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// The 4 bytes as they are.
    Same,
    /// Converted without a scale.
    Cast(DType),
    /// An 8-bit integer whose sign is in the word.
    Byte,
    /// A scaled float.
    Scaled(DType),
    /// A shifted 16-bit integer.
    Shift,
}

/// Where the word of an element comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordFrom {
    /// The mode needs none.
    Nothing,
    /// One word for all.
    Register,
    /// One for each column.
    Buffer,
}

/// A row of the table of modes.
struct Row {
    number: i64,
    name: &'static str,
    arch: Option<Arch>,
    /// The accumulator holds i32; `None` when either will do.
    int: Option<bool>,
    result: Outcome,
    word: WordFrom,
}

const fn row(
    number: i64,
    name: &'static str,
    arch: Option<Arch>,
    int: Option<bool>,
    result: Outcome,
    word: WordFrom,
) -> Row {
    Row { number, name, arch, int, result, word }
}

use DType::{BF16, F8E4M3, F16, F32, HiF8};
use Outcome::{Byte, Cast, Same, Scaled, Shift};
use WordFrom::{Buffer, Nothing, Register};

const A2A3: Option<Arch> = Some(Arch::A2A3);
const A5: Option<Arch> = Some(Arch::A5);

/// The modes with their hardware numbers.
const MODES: &[Row] = &[
    row(0, "NoQuant", None, None, Same, Nothing),
    row(1, "F322F16", None, Some(false), Cast(F16), Nothing),
    row(2, "VQF322HIF8_PRE", A5, Some(false), Scaled(HiF8), Buffer),
    row(3, "QF322HIF8_PRE", A5, Some(false), Scaled(HiF8), Register),
    row(8, "VREQ8", None, Some(true), Byte, Buffer),
    row(9, "REQ8", None, Some(true), Byte, Register),
    row(10, "VDEQF16", None, Some(true), Scaled(F16), Buffer),
    row(11, "DEQF16", None, Some(true), Scaled(F16), Register),
    row(12, "VSHIFTS322S16", A2A3, Some(true), Shift, Buffer),
    row(13, "SHIFTS322S16", A2A3, Some(true), Shift, Register),
    row(12, "VQF322FP8_PRE", A5, Some(false), Scaled(F8E4M3), Buffer),
    row(13, "QF322FP8_PRE", A5, Some(false), Scaled(F8E4M3), Register),
    row(14, "VQF322F32_PRE", A5, Some(false), Scaled(F32), Buffer),
    row(15, "QF322F32_PRE", A5, Some(false), Scaled(F32), Register),
    row(16, "F322BF16", None, Some(false), Cast(BF16), Nothing),
    row(23, "VQF322B8_PRE", None, Some(false), Byte, Buffer),
    row(24, "QF322B8_PRE", None, Some(false), Byte, Register),
    row(31, "VQF322F16_PRE", A5, Some(false), Scaled(F16), Buffer),
    row(32, "QF322F16_PRE", A5, Some(false), Scaled(F16), Register),
    row(33, "VQF322BF16_PRE", A5, Some(false), Scaled(BF16), Buffer),
    row(34, "QF322BF16_PRE", A5, Some(false), Scaled(BF16), Register),
    row(35, "VQS322BF16_PRE", A5, Some(true), Scaled(BF16), Buffer),
    row(36, "QS322BF16_PRE", A5, Some(true), Scaled(BF16), Register),
];

/// What becomes of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pipeline {
    arch: Arch,
    result: Outcome,
    /// The accumulator holds i32.
    int: bool,
    relu: bool,
    ctrl: u64,
    /// Where its words come from.
    pub(super) word: WordFrom,
    /// Bytes of a result.
    pub(super) bytes: u64,
}

/// The mode of an argument, a number or a name.
pub(super) fn mode(args: &Args<'_>, i: usize) -> Result<i64, Fault> {
    match args.list.get(i) {
        Some(Arg::Word(name)) => MODES
            .iter()
            .find(|m| m.name == *name)
            .map(|m| m.number)
            .ok_or_else(|| args.fault(FaultKind::Unsupported, format_args!("quantisation mode {name}"))),
        _ => args.int(i),
    }
}

impl Pipeline {
    /// The pipeline of a mode number for an accumulator of this type. Host stand-ins of A2/A3 number four modes 2 to 5.
    pub(super) fn of(
        args: &Args<'_>,
        arch: Arch,
        mode: i64,
        from: DType,
        relu: u64,
        ctrl: u64,
    ) -> Result<Pipeline, Fault> {
        let number = if arch == Arch::A2A3 && (2..=5).contains(&mode) { mode + 6 } else { mode };
        let row = MODES.iter().find(|m| m.number == number && m.arch.is_none_or(|a| a == arch));
        let row = row.ok_or_else(|| args.fault(FaultKind::Unsupported, format_args!("quantisation mode {mode}")))?;
        let int = match from {
            DType::I32 => true,
            DType::F32 => false,
            _ => return Err(args.fault(FaultKind::BadArgument, format_args!("an accumulator of {from}"))),
        };
        if row.int.is_some_and(|want| want != int) {
            let what = format_args!("{} takes no accumulator of {from}", row.name);
            return Err(args.fault(FaultKind::BadArgument, what));
        }
        if relu > 1 {
            return Err(args.fault(FaultKind::Unsupported, format_args!("relu mode {relu}")));
        }
        let bytes = match row.result {
            Same => 4,
            Cast(ty) | Scaled(ty) => ty.bytes(),
            Byte => 1,
            Shift => 2,
        };
        Ok(Pipeline { arch, result: row.result, int, relu: relu == 1, ctrl, word: row.word, bytes })
    }

    /// The bits of a result.
    pub(super) fn apply(&self, bits: u32, word: u64) -> u64 {
        let x = if self.int { f64::from(bits as i32) } else { f64::from(f32::from_bits(bits)) };
        let negative = self.relu && x < 0.0;
        match self.result {
            _ if negative && self.result != Byte => 0,
            Same => u64::from(bits),
            Cast(ty) => self.float(ty, x, self.cast_saturates(ty)),
            Shift => {
                let shifted = i128::from(bits as i32) >> ((word >> 32 & 0xf) + 1);
                encode_with(DType::I16, Num::Int(shifted), Round::Even, Sat::On)
            }
            Byte => {
                let x = match self.arch {
                    Arch::A2A3 if self.int && word >> 36 & 1 == 1 => {
                        let shifted = bits as i32 >> ((word >> 32 & 0xf) + 1);
                        shifted.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as f32
                    }
                    _ => x as f32,
                };
                let y = if negative { 0.0 } else { x * scale(word) };
                // Nine bits before the offset, eight after it.
                let t = crate::num::round_to_int(f64::from(y), Round::Even).clamp(-256, 255);
                let offset = i128::from((word >> 37 & 0x1ff) as i64) - if word >> 45 & 1 == 1 { 512 } else { 0 };
                let ty = if word >> 46 & 1 == 1 { DType::I8 } else { DType::U8 };
                encode_with(ty, Num::Int(t + offset), Round::Even, Sat::On)
            }
            Scaled(ty) => self.float(ty, f64::from(x as f32 * scale(word)), true),
        }
    }

    /// Whether a plain conversion ends at the largest finite value: always on A2/A3 and for bf16, on A5 as the control word
    /// says for f16.
    fn cast_saturates(&self, ty: DType) -> bool {
        self.arch == Arch::A2A3 || ty != F16 || (self.ctrl >> 60 & 1 == 1 && self.ctrl >> 48 & 1 == 0)
    }

    fn float(&self, ty: DType, x: f64, saturates: bool) -> u64 {
        if ty == F32 {
            return u64::from((x as f32).to_bits());
        }
        if x.is_nan() && saturates {
            // Control bit 50 keeps a NaN of an 8-bit float.
            let kept = ty.bytes() == 1 && self.ctrl >> 50 & 1 == 1;
            return if kept { FloatFormat::of(ty).map_or(0, |f| f.encode(x, Round::Even, Sat::Off)) } else { 0 };
        }
        let round = if ty == HiF8 { Round::Away } else { Round::Even };
        encode_with(ty, Num::Float(x), round, if saturates { Sat::On } else { Sat::Off })
    }
}

/// Sign, exponent and ten mantissa bits count.
fn scale(word: u64) -> f32 {
    f32::from_bits(word as u32 & 0xffff_e000)
}
