//! Bytes for operands.

use super::Case;
use crate::descriptor::{Descriptor, Shape, dtype};
use crate::exceptions::matches;
use ptoc_sim::num::{Num, decode, encode};
use ptoc_target::{DType, DTypeClass};
use serde_json::Value;

/// What kind of elements operands get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fill {
    /// Zero where the recording does not say otherwise, as when it was made.
    Zero,
    /// Small integers: sums and products are exact in every type and every order.
    Small,
    /// Integers of the whole range; real numbers with a fraction.
    Wide,
    /// Infinities, NaN, both zeros and the ends of the range among ordinary numbers.
    Special,
}

/// A stream of pseudo-random numbers, the same on every machine (splitmix64).
pub(super) struct Noise(u64);

impl Noise {
    pub fn new(seed: u64, text: &str) -> Noise {
        // FNV-1a, so that every case has its own stream.
        Noise(text.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        let mut out = vec![0; n];
        for chunk in out.chunks_mut(8) {
            let word = self.next().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        out
    }
}

/// Whether a kind of elements suits an instruction.
pub(super) fn suits(case: &Case, fill: Fill) -> bool {
    match fill {
        Fill::Zero => true,
        Fill::Small => !NOT_SMALL.iter().any(|p| matches(p, &case.id)),
        Fill::Wide => !NOT_WIDE.iter().any(|p| matches(p, &case.id)),
        Fill::Special => !NOT_WIDE.iter().chain(NOT_SPECIAL).any(|p| matches(p, &case.id)),
    }
}

/// Cases that are not replayed with small integers: equal elements of two tiles leave open which index is kept.
const NOT_SMALL: &[&str] = &["a2a3/tpartarg*"];

/// Cases that are replayed with small integers only.
#[rustfmt::skip]
const NOT_WIDE: &[&str] = &[
    // Sums and products in the order of a tree, or rounded once where the definition rounds twice; powers as exponentials of
    // logarithms; quotients by iteration.
    "a5/*_hp", "a5/*_hp_*", "a5/taxpy/*", "a5/tcolprod/*", "a5/tcolsum/*", "a5/tfused*", "a5/tgemv*", "a5/tmatmul*",
    "a5/tmuladddst/*", "a5/tpairreducesum/*", "a5/tpow*", "a5/trowprod/*", "a5/trowsum/*",
    // `a - trunc(a / b) * b` with a rounded quotient.
    "a5/tfmod*", "a5/trem*",
    // Narrowing of integers without saturation.
    "a5/taddreluconv/i8_i16_*", "a5/tsubreluconv/i8_i16_*",
    // Random words are no scales, and the scale has 10 bits.
    "a5/*quant*",
    // Indices are those that the recorder used.
    "a5/mgather/*", "a5/mscatter/*",
    // Sums and products in another order than the definition's, each step rounded.
    "a2a3/tcolprod/*", "a2a3/tcolsum/*", "a2a3/tgemv*", "a2a3/tmatmul*", "a2a3/trowprod/*", "a2a3/trowsum/*",
    // `a - trunc(a / b) * b` with a rounded quotient; integers go by way of f32.
    "a2a3/tfmod*", "a2a3/trem*",
    // 16- and 32-bit integers are compared as floats.
    "a2a3/tcmps/i16_*", "a2a3/tcolarg*/u*",
    // The drain saturates where the definition goes to infinity, and cuts the scale to 10 bits.
    "a2a3/*/a2m_*", "a2a3/tstore/acc_*",
    // The reference rounds towards zero, or to nearest, where rounding to odd is asked for.
    "a2a3/tcvt/*_odd*",
    // The control register is left as whoever came before set it.
    "a2a3/tcvt/*_nosetctrl",
];

/// Cases that are not replayed with infinities and NaN.
#[rustfmt::skip]
const NOT_SPECIAL: &[&str] = &[
    // The order of NaN is not defined.
    "*/tmrgsort/*", "*/tsort32/*", "a2a3/tcolarg*", "a2a3/tpartarg*",
    "a5/tcolarg*", "a5/tpartarg*", "a5/trowarg*",
    // What lies outside 32 bits has no low bits.
    "a2a3/tcvt/*",
    // What becomes of NaN and infinities depends on control bits that the library sets for other types.
    "a5/taddreluconv/*", "a5/tcvt/*", "a5/tsubreluconv/*",
    // The drain saturates where the definition goes to infinity, and keeps the sign of what it makes zero.
    "a5/*/acc_*",
    // The hardware makes NaN a zero here.
    "a2a3/taddreluconv/*", "a2a3/tsubreluconv/*",
];

/// What the elements of an operand must be for the instruction to be defined.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Range {
    /// Anything.
    Any,
    /// Not zero.
    NonZero,
    /// At least zero.
    Positive,
    /// Small floats are 1 or -1, so that no product leaves the type.
    Sign,
    /// A shift count below the width of an element.
    Shift,
    /// An index of an element of another operand.
    IndexOf(&'static str),
    /// The byte offset of a 32-byte block of another operand.
    BlockOf(&'static str),
    /// The numbers that the recorder used: 3, 10, 17, ... below the rows or elements of another operand.
    Counted(&'static str),
    /// Records of a score and an index, in lists of descending scores.
    Sorted,
}

/// Ranges by instruction and operand.
const RANGES: &[(&str, &str, Range)] = &[
    ("mgather", "indices", Range::Counted("table")),
    ("mscatter", "indices", Range::Counted("table")),
    ("tdiv", "src1", Range::NonZero),
    ("tfmod", "src1", Range::NonZero),
    ("tgather", "src1", Range::IndexOf("src0")),
    ("tgatherb", "offset", Range::BlockOf("src")),
    ("tscatter", "idx", Range::IndexOf("dst")),
    ("tlog", "src", Range::Positive),
    ("tmrgsort", "src", Range::Sorted),
    ("tmrgsort", "src0", Range::Sorted),
    ("tmrgsort", "src1", Range::Sorted),
    ("tmrgsort", "src2", Range::Sorted),
    ("tmrgsort", "src3", Range::Sorted),
    ("trecip", "src", Range::NonZero),
    ("trem", "src1", Range::NonZero),
    ("trowprod", "src", Range::Sign),
    ("trsqrt", "src", Range::Positive),
    ("tshl", "src1", Range::Shift),
    ("tshr", "src1", Range::Shift),
    ("tsqrt", "src", Range::Positive),
];

/// Bytes of every operand, and noise for the rest of the memories.
pub(super) fn bytes(case: &Case, fill: Fill, seed: u64) -> Result<(Vec<Vec<u8>>, Noise), String> {
    let mut noise = Noise::new(seed, &case.id);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for (name, d) in &case.operands {
        let mut own = elements(case, name, d, fill, &mut noise);
        if let Some(Value::Array(list)) = case.attrs.get(&format!("init_{name}")) {
            initial(&mut own, list, d)?;
        }
        // The products of A2/A3 add to their destination: what it held is the sum so far.
        if name == "c_in"
            && let Some(c) = case.operands.iter().position(|(n, _)| n == "c").and_then(|i| all.get(i))
            && c.len() == own.len()
        {
            own.clone_from(c);
        }
        if let Some((other, off)) = &d.alias
            && let Some(whole) = case.operands.iter().position(|(n, _)| n == other).and_then(|i| all.get(i))
        {
            let from = *off as usize;
            if let Some(shared) = whole.get(from..from + own.len()) {
                own.copy_from_slice(shared);
            }
        }
        all.push(own);
    }
    Ok((all, noise))
}

fn elements(case: &Case, name: &str, d: &Descriptor, fill: Fill, noise: &mut Noise) -> Vec<u8> {
    let n = d.bytes() as usize;
    let Some(ty) = d.dtype() else { return noise.bytes(n) };
    let mut out = vec![0; n];
    if fill == Fill::Zero {
        return out;
    }
    let range = RANGES.iter().find(|(op, operand, _)| *op == case.op && *operand == name).map_or(Range::Any, |r| r.2);
    let s = ty.bytes() as usize;
    if range == Range::Sorted {
        sorted(case, ty, fill, noise, &mut out);
        return out;
    }
    let other = |name: &str| case.operand(name).map_or(0, |d| d.bytes());
    for (i, to) in out.chunks_exact_mut(s).enumerate() {
        let bits = match range {
            Range::Sign if fill == Fill::Small && !ty.is_int() => {
                encode(ty, Num::Int(1 - 2 * i128::from(noise.below(2))))
            }
            Range::Counted(name) => (i as u64 * 7 + 3) % counted(case, name).max(1),
            Range::IndexOf(name) => {
                noise.below(other(name) / case.operand(name).and_then(Descriptor::dtype).map_or(1, DType::bytes))
            }
            Range::BlockOf(name) => noise.below(other(name) / 32) * 32,
            Range::Shift => noise.below(8 * ty.bytes()),
            _ => restrict(ty, range, element(ty, fill, noise)),
        };
        to.copy_from_slice(&bits.to_le_bytes()[..s]);
    }
    // In place, the bytes of the source are those of the destination.
    match case.operand("src").filter(|_| case.op == "tfillpad") {
        Some(src) if name == "src" || src.alias.is_some() => pad(src, &mut out),
        _ => {}
    }
    out
}

/// Gives a source that says what its padding holds that padding: the rows of the reference are copied in whole blocks.
fn pad(d: &Descriptor, out: &mut [u8]) {
    let Shape::Tile { shape, valid, pad, .. } = &d.shape else { return };
    let Some(bits) = ptoc_sim::semantics::pad_bits(shape.dtype, *pad) else { return };
    let s = shape.dtype.bytes() as usize;
    for r in 0..shape.rows {
        for c in (0..shape.cols).filter(|c| r >= valid.0 || *c >= valid.1) {
            let at = shape.offset(r, c) as usize * s;
            if let Some(to) = out.get_mut(at..at + s) {
                to.copy_from_slice(&bits.to_le_bytes()[..s]);
            }
        }
    }
}

/// An element moved into a range.
fn restrict(ty: DType, range: Range, bits: u64) -> u64 {
    let v = decode(ty, bits);
    match range {
        Range::NonZero if v.real() == 0.0 => encode(ty, Num::Int(1)),
        Range::Positive if v.real() < 0.0 => encode(ty, Num::Float(-v.real())),
        _ => bits,
    }
}

/// How many rows, or elements where these are moved one by one, an indexed operand has.
fn counted(case: &Case, name: &str) -> u64 {
    match case.operand(name).map(|d| &d.shape) {
        Some(Shape::Tensor { shape, .. }) if case.word("coalesce") == Some("row") => shape[3],
        Some(Shape::Tensor { shape, .. }) => shape[3].saturating_mul(shape[4]),
        _ => 1,
    }
}

/// Lists of records, scores descending: one list, or one of `block_len` records after the other.
fn sorted(case: &Case, ty: DType, fill: Fill, noise: &mut Noise, out: &mut [u8]) {
    let list = case.attrs.get("block_len").and_then(Value::as_u64).unwrap_or(u64::MAX);
    // The length of a block is in elements of the tile.
    let bytes = usize::try_from(list.saturating_mul(ty.bytes())).unwrap_or(usize::MAX).min(out.len()).max(8);
    for list in out.chunks_mut(bytes) {
        let mut scores: Vec<u64> = (0..list.len() / 8).map(|_| element(ty, fill, noise)).collect();
        scores.sort_by(|a, b| decode(ty, *b).real().total_cmp(&decode(ty, *a).real()));
        for (record, score) in list.chunks_exact_mut(8).zip(scores) {
            let index = noise.below(1 << 20) as u32;
            record[..4].copy_from_slice(&(score as u32).to_le_bytes());
            record[4..].copy_from_slice(&index.to_le_bytes());
        }
    }
}

fn element(ty: DType, fill: Fill, noise: &mut Noise) -> u64 {
    let small = i128::from(noise.below(9));
    match (fill, ty.class()) {
        (Fill::Zero, _) => 0,
        // Powers of two around one, and small integers that most of these types hold.
        (Fill::Small, DTypeClass::LowFloat) if ty == DType::F8E8M0 => 126 + noise.below(4),
        (Fill::Small, DTypeClass::LowFloat) if !ty.is_fp4() => encode(ty, Num::Int(small - 4)),
        (_, DTypeClass::LowFloat) => noise.next(),
        (Fill::Small, DTypeClass::Unsigned) => encode(ty, Num::Int(small)),
        (Fill::Small, _) => encode(ty, Num::Int(small - 4)),
        (_, DTypeClass::Signed | DTypeClass::Unsigned) => noise.next(),
        (Fill::Special, _) if noise.below(4) == 0 => special(ty, noise),
        _ => {
            // Magnitudes from 2^-8 to 2^16, mostly with a fraction.
            let x = (noise.next() >> 11) as f64 / (1u64 << 53) as f64 + 1.0;
            let scale = f64::from(1u32 << noise.below(24)) / 256.0;
            let x = if noise.below(2) == 0 { x * scale } else { -x * scale };
            let bits = encode(ty, Num::Float(x));
            if decode(ty, bits).real().is_finite() { bits } else { encode(ty, Num::Int(small)) }
        }
    }
}

/// An infinity, NaN, a zero, the largest or the smallest number, of either sign.
fn special(ty: DType, noise: &mut Noise) -> u64 {
    let (largest, smallest) = match ty {
        DType::F16 => (65504.0, 6.0e-8),
        DType::BF16 => (3.38e38, 9.2e-41),
        _ => (f64::from(f32::MAX), f64::from(f32::from_bits(1))),
    };
    let x = [f64::INFINITY, f64::NAN, 0.0, largest, smallest, 1.0][noise.below(6) as usize];
    encode(ty, Num::Float(if noise.below(2) == 0 { x } else { -x }))
}

/// Puts the recorded first elements into an operand.
fn initial(bytes: &mut [u8], list: &[Value], d: &Descriptor) -> Result<(), String> {
    let ty = d.dtype().ok_or("a recorded content of something without an element type")?;
    let s = ty.bytes() as usize;
    for (to, v) in bytes.chunks_exact_mut(s).zip(list) {
        let (from, bits) = scalar(v, ty).ok_or("a recorded content that is no number")?;
        if from != ty {
            return Err(format!("a recorded content of type {from} for elements of type {ty}"));
        }
        to.copy_from_slice(&bits.to_le_bytes()[..s]);
    }
    // What lies behind the recorded elements was zero.
    bytes.iter_mut().skip(list.len() * s).for_each(|b| *b = 0);
    Ok(())
}

/// A recorded scalar: a number of type `ty`, or an object with its own type and bits.
pub(super) fn scalar(v: &Value, ty: DType) -> Option<(DType, u64)> {
    if let Some(n) = v.as_i64() {
        return Some((ty, encode(ty, Num::Int(i128::from(n)))));
    }
    if let Some(n) = v.as_u64() {
        return Some((ty, encode(ty, Num::Int(i128::from(n)))));
    }
    if let Some(x) = v.as_f64() {
        return Some((ty, encode(ty, Num::Float(x))));
    }
    Some((dtype(v.get("t")?.as_str()?)?, v.get("bits")?.as_u64()?))
}
