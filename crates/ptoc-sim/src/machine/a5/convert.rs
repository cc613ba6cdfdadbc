//! Conversions between element types, and rounding to integral values.
//!
//! Where the sizes differ, a register of the narrow type has one lane in each wide lane, at a place that `PART_*` says; a
//! conversion to the narrow type leaves the other places zero.

use super::super::lane::{Bf16, F16, F32, Lane, half_saturates, map};
use super::super::{Args, Core, Fault, FaultKind, Intrinsic, Mask, VReg};
use super::arith::with_float_lanes;
use super::regs::{Done, active, commit, elem, no_type, no_word, predicate, put, source};
use super::vector;
use crate::num::{Num, Round, Sat, decode, encode_float, encode_with, int_range, round_integral, round_to_int};
use ptoc_target::DType;

pub(super) const CONVERT: &[Intrinsic] = &[vector("vcvt", convert), vector("vtrc", truncate)];

/// The rounding of a `ROUND_*` word.
fn rounding(args: &Args<'_>, word: &str) -> Result<Round, Fault> {
    Ok(match word {
        "ROUND_R" => Round::Even,
        "ROUND_A" => Round::Away,
        "ROUND_F" => Round::Floor,
        "ROUND_C" => Round::Ceil,
        "ROUND_Z" => Round::Trunc,
        "ROUND_O" => Round::Odd,
        other => return Err(no_word(args, other)),
    })
}

/// `(vd, va, ROUND_*, p, mode)`
fn truncate(core: &mut Core, args: &Args<'_>) -> Done {
    fn lanes<L: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>, round: Round) -> Done {
        let (a, mask, mut out) = (source(core, args, 1)?, predicate(core, args, 3)?, [0; 256]);
        map::<L, L>(&a, &mut out, |a| round_integral(f64::from(a), round) as f32);
        commit(core, args, out, &mask, L::BYTES, 4)
    }
    let round = rounding(args, args.word(2).unwrap_or("ROUND_R"))?;
    let ty = elem(args, 0)?;
    with_float_lanes!(core, ty, lanes(core, args, round)).unwrap_or_else(|| Err(no_type(args, ty)))
}

/// What a conversion does to one element.
#[derive(Clone, Copy)]
struct Conversion {
    from: DType,
    to: DType,
    round: Round,
    sat: Sat,
    /// NaN stays NaN in an 8-bit float even when saturating.
    keep_nan: bool,
}

impl Conversion {
    /// The types of a call and its words: `ROUND_*`, `RS_*` and `PART_*` in any order. Also the part.
    fn new(core: &Core, args: &Args<'_>) -> Result<(Conversion, usize), Fault> {
        let (to, from) = (elem(args, 0)?, elem(args, 1)?);
        let (mut round, mut asked, mut part) = (Round::Even, false, 0);
        for i in 3..args.len() {
            match args.word(i) {
                Some("RS_ENABLE") => asked = true,
                Some("RS_DISABLE") => asked = false,
                Some("PART_EVEN" | "PART_P0") => part = 0,
                Some("PART_ODD" | "PART_P1") => part = 1,
                Some("PART_P2") => part = 2,
                Some("PART_P3") => part = 3,
                Some("MODE_ZEROING") => {}
                Some(word) => round = rounding(args, word)?,
                None => return Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} is no word"))),
            }
        }
        let ctrl = core.spr.ctrl;
        let on = match ctrl >> 60 & 1 {
            0 => asked,
            _ => ctrl >> if to.is_int() { 59 } else { 48 } & 1 == 0,
        };
        let sat = if on { Sat::On } else { Sat::Off };
        Ok((Conversion { from, to, round, sat, keep_nan: ctrl >> 50 & 1 == 1 }, part))
    }

    /// The bits of one element of the result type; of a packed pair, of one half.
    fn apply(&self, bits: u64) -> u64 {
        match (decode(self.from, bits), int_range(self.to)) {
            (Num::Int(n), Some((lo, hi))) => {
                let widens = self.to.bytes() > self.from.bytes();
                let n = if widens && n < lo { lo } else { n };
                encode_with(
                    self.to,
                    Num::Int(if self.sat == Sat::On { n.clamp(lo, hi) } else { n }),
                    self.round,
                    Sat::Off,
                )
            }
            (Num::Float(x), Some((lo, hi))) => {
                let n = match x {
                    x if x.is_nan() => 0,
                    f64::INFINITY => hi,
                    f64::NEG_INFINITY => lo,
                    // The low 64 bits of a float this large are zero.
                    x if x.abs() > 1e38 && self.sat == Sat::Off => 0,
                    x => round_to_int(x, self.round),
                };
                encode_with(self.to, Num::Int(n), self.round, self.sat)
            }
            (Num::Int(n), None) => encode_float(self.to, sticky(n), self.round, self.sat),
            (Num::Float(x), None) => self.float(x),
        }
    }

    /// A float to a float.
    fn float(&self, x: f64) -> u64 {
        if self.to == DType::F32 {
            return encode_float(self.to, x, self.round, Sat::Off);
        }
        let small = self.to.bytes() == 1;
        if x.is_nan() && self.sat == Sat::On && !(small && self.keep_nan) {
            return 0;
        }
        encode_float(self.to, x, self.round, self.sat)
    }
}

/// An integer as a number that rounds on as the integer would: beyond 53 bits the last bit says that more follow.
fn sticky(n: i128) -> f64 {
    let size = n.unsigned_abs();
    let extra = (128 - size.leading_zeros()).saturating_sub(53);
    let lost = size & ((1 << extra) - 1) != 0;
    let kept = (size >> extra) | u128::from(lost);
    let x = kept as f64 * (1u128 << extra) as f64;
    if n < 0 { -x } else { x }
}

/// `(vd, va, p, ROUND_*, RS_*, PART_*)`; the predicate bits of the lanes that are read decide.
fn convert(core: &mut Core, args: &Args<'_>) -> Done {
    let (c, part) = Conversion::new(core, args)?;
    let (v, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
    let (from, to) = (c.from.bytes() as usize, c.to.bytes() as usize);
    let (from_pair, to_pair) = (c.from.is_fp4(), c.to.is_fp4());
    let wide = if from_pair || to_pair { 4 } else { from.max(to) };
    if part * from.min(to) >= wide {
        return Err(args.fault(FaultKind::BadArgument, format_args!("part {part} of lanes of {wide} bytes")));
    }
    let mut out = [0; 256];
    match (from_pair, to_pair) {
        (false, false) => lanes(&c, part, &v, &mask, &mut out),
        (false, true) if c.from == DType::BF16 => {
            for at in (0..256).step_by(4).filter(|at| active(&mask, *at)) {
                let [low, high] = [at, at + 2].map(|i| c.apply(u64::from(u16::from_le_bytes([v[i], v[i + 1]]))) as u8);
                out[at + part] = low & 15 | high << 4;
            }
        }
        (true, false) if c.to == DType::BF16 => {
            for at in (0..256).step_by(4).filter(|at| active(&mask, *at + part)) {
                let pair = v[at + part];
                for (i, nibble) in [(at, pair & 15), (at + 2, pair >> 4)] {
                    out[i..i + 2].copy_from_slice(&(c.apply(u64::from(nibble)) as u16).to_le_bytes());
                }
            }
        }
        _ => return Err(args.fault(FaultKind::Unsupported, format_args!("from {} to {}", c.from, c.to))),
    }
    put(core, args, 0, &out)
}

/// Lane by lane, the common pairs by themselves.
fn lanes(c: &Conversion, part: usize, v: &VReg, mask: &Mask, out: &mut VReg) {
    use DType::{BF16, F16 as HALF, F32 as SINGLE, I32};
    match (c.from, c.to, c.round, c.sat) {
        (HALF, SINGLE, ..) => each(c, part, v, mask, out, |b| u64::from(F16::<false>::get(&b.to_le_bytes()).to_bits())),
        (BF16, SINGLE, ..) => {
            each(c, part, v, mask, out, |b| u64::from(Bf16::<false>::get(&b.to_le_bytes()).to_bits()))
        }
        (SINGLE, HALF, Round::Even, Sat::Off) => each(c, part, v, mask, out, narrow::<F16<false>>),
        (SINGLE, HALF, Round::Even, Sat::On) => each(c, part, v, mask, out, narrow::<F16<true>>),
        (SINGLE, BF16, Round::Even, Sat::Off) => each(c, part, v, mask, out, narrow::<Bf16<false>>),
        (SINGLE, BF16, Round::Even, Sat::On) => each(c, part, v, mask, out, narrow::<Bf16<true>>),
        (SINGLE, I32, _, Sat::On) => each(c, part, v, mask, out, |b| {
            // The cast saturates, and makes NaN 0.
            u64::from(round_integral(f64::from(f32::from_bits(b as u32)), c.round) as i32 as u32)
        }),
        (SINGLE, I32, _, Sat::Off) => each(c, part, v, mask, out, |b| {
            let x = round_integral(f64::from(f32::from_bits(b as u32)), c.round);
            if x.abs() < 9e18 { x as i64 as u64 } else { c.apply(b) }
        }),
        (I32, SINGLE, Round::Even, _) => each(c, part, v, mask, out, |b| u64::from((b as u32 as i32 as f32).to_bits())),
        _ => each(c, part, v, mask, out, |b| c.apply(b)),
    }
}

fn narrow<L: Lane<Value = f32>>(bits: u64) -> u64 {
    let mut word = [0; 8];
    L::put(f32::from_bits(bits as u32), &mut word[..L::BYTES]);
    u64::from_le_bytes(word)
}

fn each(c: &Conversion, part: usize, v: &VReg, mask: &Mask, out: &mut VReg, f: impl Fn(u64) -> u64) {
    let (from, to) = (c.from.bytes() as usize, c.to.bytes() as usize);
    let wide = from.max(to);
    let place = |size: usize| if size < wide { part * size } else { 0 };
    let (skip, to_skip) = (place(from), place(to));
    for at in (0..256).step_by(wide) {
        if active(mask, at + skip) {
            let mut word = [0; 8];
            word[..from].copy_from_slice(&v[at + skip..][..from]);
            let bits = f(u64::from_le_bytes(word));
            out[at + to_skip..][..to].copy_from_slice(&bits.to_le_bytes()[..to]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversion(from: DType, to: DType, round: Round, sat: Sat) -> Conversion {
        Conversion { from, to, round, sat, keep_nan: false }
    }

    #[test]
    fn floats_to_integers() {
        let bits = |x: f32| u64::from(x.to_bits());
        let on = conversion(DType::F32, DType::I16, Round::Trunc, Sat::On);
        let off = Conversion { sat: Sat::Off, ..on };
        assert_eq!([on, off].map(|c| c.apply(bits(70000.0))), [0x7fff, 70000 & 0xffff]);
        assert_eq!([on, off].map(|c| c.apply(bits(f32::NEG_INFINITY))), [0x8000, 0x8000]);
        assert_eq!([on, off].map(|c| c.apply(bits(f32::NAN))), [0, 0]);
        assert_eq!([on, off].map(|c| c.apply(bits(-2.7))), [0xfffe, 0xfffe]);
    }

    #[test]
    fn integers_to_integers() {
        let on = conversion(DType::I16, DType::U8, Round::Even, Sat::On);
        assert_eq!([300u64, 0xffff].map(|b| on.apply(b)), [255, 0]);
        let off = Conversion { sat: Sat::Off, ..on };
        assert_eq!([300u64, 0xffff].map(|b| off.apply(b)), [44, 255]);
        assert_eq!(conversion(DType::I16, DType::U32, Round::Even, Sat::Off).apply(0xffff), 0);
    }

    #[test]
    fn long_integers_round_once() {
        let c = conversion(DType::I64, DType::F32, Round::Even, Sat::Off);
        for n in [(1i64 << 60) + (1 << 36) + 1, (1 << 60) + (1 << 36), -(1 << 60) - (1 << 36) - 1, i64::MIN, 0, 7] {
            assert_eq!(c.apply(n as u64), u64::from((n as f32).to_bits()), "{n}");
        }
    }

    #[test]
    fn small_floats_and_nan() {
        let nan = u64::from(f32::NAN.to_bits());
        let c = conversion(DType::F32, DType::F8E4M3, Round::Even, Sat::On);
        assert_eq!(c.apply(nan), 0);
        assert_eq!(Conversion { keep_nan: true, ..c }.apply(nan), 0x7f);
        assert_eq!(c.apply(u64::from(1000f32.to_bits())), 0x7e);
        assert_eq!(Conversion { sat: Sat::Off, ..c }.apply(u64::from(1000f32.to_bits())), 0x7f);
    }
}
