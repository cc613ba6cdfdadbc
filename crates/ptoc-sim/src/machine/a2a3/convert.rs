//! Conversions. Lanes are counted on the wider type; the narrower side has as many lanes in fewer blocks.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic};
use super::lane::{Bf16, F16, F32, I8, I16, I32, I64, Lane, U8, half_saturates, map};
use super::view::{Plan, Row, View, run};
use super::{one_source, vector};
use crate::num::{Round, Sat, decode_float, encode_float, round_integral};
use ptoc_target::{DType, Loc};

pub(in super::super) const CONVERT: &[Intrinsic] = &[
    vector("vconv_bf162f32", vconv),
    vector("vconv_bf162s32a", vconv),
    vector("vconv_bf162s32c", vconv),
    vector("vconv_bf162s32f", vconv),
    vector("vconv_bf162s32r", vconv),
    vector("vconv_bf162s32z", vconv),
    vector("vconv_deq", vconv_deq),
    vector("vconv_f162f32", vconv),
    vector("vconv_f162s16a", vconv),
    vector("vconv_f162s16c", vconv),
    vector("vconv_f162s16f", vconv),
    vector("vconv_f162s16r", vconv),
    vector("vconv_f162s16z", vconv),
    vector("vconv_f162s32a", vconv),
    vector("vconv_f162s32c", vconv),
    vector("vconv_f162s32f", vconv),
    vector("vconv_f162s32r", vconv),
    vector("vconv_f162s32z", vconv),
    vector("vconv_f162s4", vconv),
    vector("vconv_f162s4a", vconv),
    vector("vconv_f162s4c", vconv),
    vector("vconv_f162s4f", vconv),
    vector("vconv_f162s4r", vconv),
    vector("vconv_f162s4z", vconv),
    vector("vconv_f162s8", vconv),
    vector("vconv_f162s8a", vconv),
    vector("vconv_f162s8c", vconv),
    vector("vconv_f162s8f", vconv),
    vector("vconv_f162s8r", vconv),
    vector("vconv_f162s8z", vconv),
    vector("vconv_f162u8", vconv),
    vector("vconv_f162u8a", vconv),
    vector("vconv_f162u8c", vconv),
    vector("vconv_f162u8f", vconv),
    vector("vconv_f162u8r", vconv),
    vector("vconv_f162u8z", vconv),
    vector("vconv_f322bf16a", vconv),
    vector("vconv_f322bf16c", vconv),
    vector("vconv_f322bf16f", vconv),
    vector("vconv_f322bf16r", vconv),
    vector("vconv_f322bf16z", vconv),
    vector("vconv_f322f16", vconv),
    vector("vconv_f322f16a", vconv),
    vector("vconv_f322f16c", vconv),
    vector("vconv_f322f16f", vconv),
    vector("vconv_f322f16o", vconv),
    vector("vconv_f322f16r", vconv),
    vector("vconv_f322f16z", vconv),
    vector("vconv_f322f32a", vconv),
    vector("vconv_f322f32c", vconv),
    vector("vconv_f322f32f", vconv),
    vector("vconv_f322f32r", vconv),
    vector("vconv_f322f32z", vconv),
    vector("vconv_f322s16a", vconv),
    vector("vconv_f322s16c", vconv),
    vector("vconv_f322s16f", vconv),
    vector("vconv_f322s16r", vconv),
    vector("vconv_f322s16z", vconv),
    vector("vconv_f322s32a", vconv),
    vector("vconv_f322s32c", vconv),
    vector("vconv_f322s32f", vconv),
    vector("vconv_f322s32r", vconv),
    vector("vconv_f322s32z", vconv),
    vector("vconv_f322s64a", vconv),
    vector("vconv_f322s64c", vconv),
    vector("vconv_f322s64f", vconv),
    vector("vconv_f322s64r", vconv),
    vector("vconv_f322s64z", vconv),
    vector("vconv_s162f16", vconv),
    vector("vconv_s162f16a", vconv),
    vector("vconv_s162f16c", vconv),
    vector("vconv_s162f16f", vconv),
    vector("vconv_s162f16r", vconv),
    vector("vconv_s162f16z", vconv),
    vector("vconv_s162f32", vconv),
    vector("vconv_s322f32", vconv),
    vector("vconv_s322f32a", vconv),
    vector("vconv_s322f32c", vconv),
    vector("vconv_s322f32f", vconv),
    vector("vconv_s322f32r", vconv),
    vector("vconv_s322f32z", vconv),
    vector("vconv_s322s16", vconv),
    vector("vconv_s322s64", vconv),
    vector("vconv_s42f16", vconv),
    vector("vconv_s642f32a", vconv),
    vector("vconv_s642f32c", vconv),
    vector("vconv_s642f32f", vconv),
    vector("vconv_s642f32r", vconv),
    vector("vconv_s642f32z", vconv),
    vector("vconv_s642s32", vconv),
    vector("vconv_s82f16", vconv),
    vector("vconv_u82f16", vconv),
];

type Done = Result<(), Fault>;

/// What a name says: `vconv_<from>2<to><round>`. `None` stands for 4-bit integers, two in a byte.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Conversion {
    from: Option<DType>,
    to: Option<DType>,
    round: Round,
}

const TYPES: [(&str, Option<DType>); 9] = [
    ("bf16", Some(DType::BF16)),
    ("f16", Some(DType::F16)),
    ("f32", Some(DType::F32)),
    ("s16", Some(DType::I16)),
    ("s32", Some(DType::I32)),
    ("s64", Some(DType::I64)),
    ("s8", Some(DType::I8)),
    ("s4", None),
    ("u8", Some(DType::U8)),
];

/// Reads a name. Without a letter it is exact or rounds to nearest even.
fn parse(name: &str) -> Option<Conversion> {
    let ty = |text: &'_ str| TYPES.iter().find(|(word, _)| text.starts_with(word)).map(|(word, ty)| (word.len(), *ty));
    let rest = name.strip_prefix("vconv_")?;
    let (n, from) = ty(rest)?;
    let rest = rest[n..].strip_prefix('2')?;
    let (n, to) = ty(rest)?;
    let round = match &rest[n..] {
        "" | "r" => Round::Even,
        "a" => Round::Away,
        "c" => Round::Ceil,
        "f" => Round::Floor,
        "o" => Round::Odd,
        "z" => Round::Trunc,
        _ => return None,
    };
    Some(Conversion { from, to, round })
}

fn vconv(core: &mut Core, args: &Args<'_>) -> Done {
    let unknown = || args.fault(FaultKind::Unsupported, "no such conversion");
    let c = parse(args.name).ok_or_else(unknown)?;
    let wrap = core.spr.ctrl >> 59 & 1 == 1;
    let half = half_saturates(core);
    match (c.from, c.to) {
        (Some(DType::BF16), Some(DType::F32)) => lanes::<Bf16<false>, F32>(core, args, |x| x),
        (Some(DType::F16), Some(DType::F32)) => lanes::<F16<false>, F32>(core, args, |x| x),
        (Some(DType::F32), Some(DType::F32)) => lanes::<F32, F32>(core, args, |x| integral(x, c.round)),
        (Some(DType::F32), Some(DType::F16)) if half => narrow::<F32, F16<true>>(core, args, DType::F16, c.round),
        (Some(DType::F32), Some(DType::F16)) => narrow::<F32, F16<false>>(core, args, DType::F16, c.round),
        (Some(DType::F32), Some(DType::BF16)) if half => narrow::<F32, Bf16<true>>(core, args, DType::BF16, c.round),
        (Some(DType::F32), Some(DType::BF16)) => narrow::<F32, Bf16<false>>(core, args, DType::BF16, c.round),
        (Some(DType::I16), Some(DType::F16)) => narrow::<I16<false>, F16<false>>(core, args, DType::F16, c.round),
        (Some(DType::I32), Some(DType::F32)) => narrow::<I32<false>, F32>(core, args, DType::F32, c.round),
        (Some(DType::I64), Some(DType::F32)) => narrow::<I64<false>, F32>(core, args, DType::F32, c.round),
        (Some(DType::I16), Some(DType::F32)) => lanes::<I16<false>, F32>(core, args, |n| n as f32),
        (Some(DType::I8), Some(DType::F16)) => lanes::<I8<false>, F16<false>>(core, args, |n| n as f32),
        (Some(DType::U8), Some(DType::F16)) => lanes::<U8<false>, F16<false>>(core, args, |n| n as f32),
        (Some(DType::BF16), Some(DType::I32)) => whole::<Bf16<false>, I32<true>>(core, args, c.round),
        (Some(DType::F16), Some(DType::I32)) => whole::<F16<false>, I32<true>>(core, args, c.round),
        (Some(DType::F32), Some(DType::I32)) => whole::<F32, I32<true>>(core, args, c.round),
        (Some(DType::F32), Some(DType::I64)) => whole::<F32, I64<true>>(core, args, c.round),
        (Some(DType::F16), Some(DType::I16)) if wrap => low::<F16<false>, I16<false>>(core, args, c.round),
        (Some(DType::F16), Some(DType::I16)) => whole::<F16<false>, I16<true>>(core, args, c.round),
        (Some(DType::F32), Some(DType::I16)) if wrap => low::<F32, I16<false>>(core, args, c.round),
        (Some(DType::F32), Some(DType::I16)) => whole::<F32, I16<true>>(core, args, c.round),
        (Some(DType::F16), Some(DType::I8)) if wrap => low::<F16<false>, I8<false>>(core, args, c.round),
        (Some(DType::F16), Some(DType::I8)) => whole::<F16<false>, I8<true>>(core, args, c.round),
        (Some(DType::F16), Some(DType::U8)) if wrap => low::<F16<false>, U8<false>>(core, args, c.round),
        (Some(DType::F16), Some(DType::U8)) => whole::<F16<false>, U8<true>>(core, args, c.round),
        (Some(DType::I32), Some(DType::I16)) if wrap => lanes::<I32<false>, I16<false>>(core, args, |n| n),
        (Some(DType::I32), Some(DType::I16)) => lanes::<I32<false>, I16<true>>(core, args, |n| n),
        (Some(DType::I32), Some(DType::I64)) => lanes::<I32<false>, I64<false>>(core, args, |n| n),
        (Some(DType::I64), Some(DType::I32)) if wrap => lanes::<I64<false>, I32<false>>(core, args, |n| n),
        (Some(DType::I64), Some(DType::I32)) => lanes::<I64<false>, I32<true>>(core, args, |n| n),
        (Some(DType::F16), None) => to_nibbles(core, args, c.round, wrap),
        (None, Some(DType::F16)) => from_nibbles(core, args),
        _ => Err(unknown()),
    }
}

/// Lane by lane from `S` to `D`.
fn lanes<S: Lane, D: Lane>(core: &mut Core, args: &Args<'_>, f: impl Fn(S::Value) -> D::Value) -> Done {
    let (plan, dst, src) = one_source(core, args, D::BYTES, S::BYTES, 2)?;
    run(core, args, &plan, dst, [src], |[a], out| map::<S, D>(a, out, &f))
}

/// A number that a conversion to a float type takes, exactly or rounded to odd, which later roundings do not notice.
trait Real: Copy {
    fn real(self) -> f64;
}

impl Real for f32 {
    fn real(self) -> f64 {
        f64::from(self)
    }
}

impl Real for i64 {
    fn real(self) -> f64 {
        let magnitude = self.unsigned_abs();
        // More than 53 bits: drop the low ones and keep whether any was set in the last bit kept.
        let drop = 11u32.saturating_sub(magnitude.leading_zeros());
        let kept = magnitude >> drop;
        let sticky = u64::from(kept << drop != magnitude);
        let x = (kept | sticky) as f64 * (1u64 << drop) as f64;
        if self < 0 { -x } else { x }
    }
}

/// To a float type that does not hold every value of the source: `ty` is the type of `D`.
fn narrow<S: Lane, D: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>, ty: DType, round: Round) -> Done
where
    S::Value: Real,
{
    lanes::<S, D>(core, args, |x| {
        let x = x.real();
        // Storing a number that the type holds changes nothing but what control bit 48 asks.
        decode_float(ty, encode_float(ty, x, round, Sat::Off)) as f32
    })
}

/// To an integral number of the same type; -0 becomes +0.
fn integral(x: f32, round: Round) -> f32 {
    round_integral(f64::from(x), round) as f32 + 0.0
}

/// To an integer type; values outside become its ends, NaN 0.
fn whole<S: Lane<Value = f32>, D: Lane<Value = i64>>(core: &mut Core, args: &Args<'_>, round: Round) -> Done {
    lanes::<S, D>(core, args, |x| round_integral(f64::from(x), round) as i64)
}

/// To an integer type that keeps the low bits of a 32-bit result.
fn low<S: Lane<Value = f32>, D: Lane<Value = i64>>(core: &mut Core, args: &Args<'_>, round: Round) -> Done {
    lanes::<S, D>(core, args, |x| i64::from(round_integral(f64::from(x), round) as i32))
}

/// `x * 2^-17`, times the scale, `* 2^17`, each rounded to single, then to half.
fn vconv_deq(core: &mut Core, args: &Args<'_>) -> Done {
    let scale = decode_float(DType::F16, core.spr.deqscale & 0xffff) as f32;
    const GUARD: f32 = 131072.0;
    let f = |n: i64| n as f32 / GUARD * scale * GUARD;
    if half_saturates(core) {
        lanes::<I32<false>, F16<true>>(core, args, f)
    } else {
        lanes::<I32<false>, F16<false>>(core, args, f)
    }
}

/// Two results in a byte, the lane of even number in the low half. A lane that is off keeps its half.
fn to_nibbles(core: &mut Core, args: &Args<'_>, round: Round, wrap: bool) -> Done {
    let (plan, dst, src) = nibbles(core, args, 0, 1)?;
    src.touch(&mut core.mem, &plan, false).map_err(|e| args.within(e))?;
    dst.touch(&mut core.mem, &plan.pairs(), true).map_err(|e| args.within(e))?;
    let ub = core.mem.raw_mut(Loc::Vec);
    let (mut halves, mut bytes): (Row, Row) = ([0; 256], [0; 256]);
    for r in 0..plan.repeats {
        let (mask, pairs) = (plan.mask(r), plan.pairs().mask(r));
        src.read(ub, r, mask, &mut halves);
        dst.read(ub, r, pairs, &mut bytes);
        for (l, half) in halves.chunks_exact(2).enumerate().filter(|(l, _)| mask >> l & 1 == 1) {
            let n = round_integral(f64::from(F16::<false>::get(half)), round) as i32;
            let n = if wrap { n } else { n.clamp(-8, 7) };
            let (at, keep) = if l % 2 == 0 { (0, 0xf0) } else { (4, 0x0f) };
            bytes[l / 2] = bytes[l / 2] & keep | ((n & 15) as u8) << at;
        }
        dst.write(ub, r, pairs, &bytes);
    }
    Ok(())
}

fn from_nibbles(core: &mut Core, args: &Args<'_>) -> Done {
    let (plan, src, dst) = nibbles(core, args, 1, 0)?;
    src.touch(&mut core.mem, &plan.pairs(), false).map_err(|e| args.within(e))?;
    dst.touch(&mut core.mem, &plan, true).map_err(|e| args.within(e))?;
    let ub = core.mem.raw_mut(Loc::Vec);
    let (mut bytes, mut halves): (Row, Row) = ([0; 256], [0; 256]);
    for r in 0..plan.repeats {
        src.read(ub, r, plan.pairs().mask(r), &mut bytes);
        for (l, half) in halves.chunks_exact_mut(2).enumerate() {
            let nibble = bytes[l / 2] >> (4 * (l % 2)) & 15;
            F16::<false>::put(f32::from((nibble << 4) as i8 >> 4), half);
        }
        dst.write(ub, r, plan.mask(r), &halves);
    }
    Ok(())
}

/// The lanes of a conversion from or to 4-bit integers, the bytes that hold pairs of them (argument `packed`), and the
/// halves (argument `wide`).
fn nibbles(core: &Core, args: &Args<'_>, packed: usize, wide: usize) -> Result<(Plan, View, View), Fault> {
    let plan = Plan::new(core, args, 128, 2)?;
    let bytes = View::new(args, packed, 1, 3 + packed, 5 + packed)?;
    let halves = View::new(args, wide, 2, 3 + wide, 5 + wide)?;
    Ok((plan, bytes, halves))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_says_what_it_is() {
        for i in CONVERT.iter().filter(|i| i.name != "vconv_deq") {
            assert!(parse(i.name).is_some(), "{}", i.name);
        }
        let want = Conversion { from: Some(DType::BF16), to: Some(DType::I32), round: Round::Away };
        assert_eq!(parse("vconv_bf162s32a"), Some(want));
        assert_eq!(parse("vconv_f162s4").map(|c| c.to), Some(None));
        assert_eq!(parse("vconv_f322f64"), None);
    }

    #[test]
    fn large_integers_round_once() {
        // 2^62 + 2^38 lies between two singles, 2^62 + 2^38 + 1 above the middle.
        let n: i64 = (1 << 62) + (1 << 38);
        let f = |n: i64, round| encode_float(DType::F32, n.real(), round, Sat::Off);
        assert_eq!(f(n, Round::Even), f(1 << 62, Round::Even));
        assert_eq!(f(n + 1, Round::Even), f(1 << 62, Round::Even) + 1);
        assert_eq!(f(-n - 1, Round::Floor), f(-(1 << 62), Round::Even) + 1);
        assert_eq!(f(i64::MIN, Round::Trunc), 0xdf00_0000);
    }
}
