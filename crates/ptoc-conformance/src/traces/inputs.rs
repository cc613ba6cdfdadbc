//! Bytes for operands.

use super::Case;
use crate::descriptor::{Descriptor, Shape, dtype};
use ptoc_sim::num::{Num, encode};
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
    let _ = case;
    fill == Fill::Small
}

/// Bytes of every operand, and noise for the rest of the memories.
pub(super) fn bytes(case: &Case, fill: Fill, seed: u64) -> Result<(Vec<Vec<u8>>, Noise), String> {
    let mut noise = Noise::new(seed, &case.id);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for (name, d) in &case.operands {
        let mut own = elements(case, name, d, fill, &mut noise);
        if let Some(Value::Array(list)) = case.attrs.get(&format!("init_{name}")) {
            initial(&mut own, list, d)?;
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
    let _ = (case, name);
    let s = ty.bytes() as usize;
    for to in out.chunks_exact_mut(s) {
        let bits = element(ty, fill, noise);
        to.copy_from_slice(&bits.to_le_bytes()[..s]);
    }
    out
}

fn element(ty: DType, fill: Fill, noise: &mut Noise) -> u64 {
    let small = noise.below(9) as i128;
    let n = match ty.class() {
        DTypeClass::Unsigned => small,
        DTypeClass::LowFloat => return noise.next(),
        _ => small - 4,
    };
    match fill {
        _ if fill == Fill::Small => encode(ty, Num::Int(n)),
        _ => noise.next(),
    }
}

/// Puts the recorded first elements into an operand.
fn initial(bytes: &mut [u8], list: &[Value], d: &Descriptor) -> Result<(), String> {
    let ty = match &d.shape {
        Shape::Other { .. } => None,
        _ => d.dtype(),
    };
    let ty = ty.ok_or("a recorded content of something without an element type")?;
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
