//! Tiles from numbers: a constant, a sequence, a triangle, pseudo-random words.

use super::cells::{Kinds, check_kind, each_bits, scalar};
use super::{Inst, Meaning, Operand, Refusal};
use crate::num::{Num, encode};
use ptoc_target::{DType, Loc};

pub(super) const MEANINGS: &[(&str, Meaning)] =
    &[("tci", tci), ("texpands", texpands), ("trandom", trandom), ("ttri", ttri)];

/// The scalar in the valid region of a Vec tile, in all of a Mat tile, also of one with five dimensions.
fn texpands(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    if let Some(Operand::Tensor(_)) = inst.operand("dst") {
        return inst.update_tensor("dst", |inst, dst| {
            let s = inst.scalar("scalar")?;
            let bits = if s.dtype == dst.dtype { s.bits } else { encode(dst.dtype, s.num()) };
            let held = dst.bytes.len() as u64 / dst.dtype.bytes();
            let elements = dst.shape.iter().fold(1, |n: u64, d| n.saturating_mul(*d)).min(held);
            for at in 0..elements {
                dst.set_bits(at, bits);
            }
            Ok(())
        });
    }
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        let s = inst.scalar("scalar")?;
        let bits = if s.dtype == ty { s.bits } else { encode(ty, s.num()) };
        if dst.loc == Loc::Mat {
            for r in 0..dst.shape.rows {
                for c in 0..dst.shape.cols {
                    dst.set_bits(r, c, bits);
                }
            }
        } else {
            each_bits(dst, |_, _| bits);
        }
        Ok(())
    })
}

/// `dst[0, k] = start + k`, or `start - k` when descending.
fn tci(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        if !ty.is_int() {
            return Err(Refusal::Unsupported(format!("`{}` of {ty}", inst.op)));
        }
        let start = scalar(inst, "start", ty)?.int();
        let descending = inst.int("descending").unwrap_or(0) != 0;
        for k in 0..dst.valid_cols {
            let step = i128::from(k);
            dst.set(0, k, Num::Int(if descending { start - step } else { start + step }));
        }
        Ok(())
    })
}

/// Ones up to the diagonal and on it, zeros after; with `upper` zeros before the diagonal and ones from it on.
fn ttri(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        let d = i128::from(inst.int("diagonal").unwrap_or(0));
        let upper = inst.int("upper").or(inst.int("upperOrLower")).unwrap_or(0) != 0;
        let [zero, one] = [0, 1].map(|n| encode(ty, if ty.is_int() { Num::Int(n) } else { Num::Float(n as f64) }));
        each_bits(dst, |r, c| {
            let (r, c) = (i128::from(r), i128::from(c));
            if if upper { c >= r + d } else { c <= r + d } { one } else { zero }
        });
        Ok(())
    })
}

/// Philox 4x32: column `256 q + 4 l + w` of a row is word w of the block for counter + 64 q + l. The counter of the next
/// row is larger by 64 for each whole chunk of 256 columns before the last and by `(C - 1) mod 64 + 1` for the last.
fn trandom(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        if !matches!(dst.shape.dtype, DType::I32 | DType::U32) {
            return Err(Refusal::Unsupported(format!("`{}` of {}", inst.op, dst.shape.dtype)));
        }
        let rounds = match inst.int("rounds").unwrap_or(10) {
            n @ (7 | 10) => n as u32,
            n => return Err(inst.illegal(format_args!("{n} rounds; 7 and 10 are defined"))),
        };
        let [key0, key1] = words(inst, "key")?;
        let counter = words::<4>(inst, "counter")?;
        let mut counter = counter.iter().rev().fold(0_u128, |n, word| n << 32 | u128::from(*word));
        let cols = dst.valid_cols;
        if cols == 0 {
            return Ok(());
        }
        let step = 64 * (cols.div_ceil(256) - 1) + (cols - 1) % 64 + 1;
        for r in 0..dst.valid_rows {
            for block in 0..cols.div_ceil(4) {
                let n = counter.wrapping_add(u128::from(block));
                let out = philox([key0, key1], [0, 32, 64, 96].map(|s| (n >> s) as u32), rounds);
                for (word, c) in out.iter().zip(4 * block..cols) {
                    dst.set_bits(r, c, u64::from(*word));
                }
            }
            counter = counter.wrapping_add(u128::from(step));
        }
        Ok(())
    })
}

/// Words in hexadecimal, separated by commas, the low one first; or one scalar a word, with its number after the name.
fn words<const N: usize>(inst: &Inst<'_>, name: &str) -> Result<[u32; N], Refusal> {
    let words: Option<Vec<u32>> = match inst.word(name) {
        Some(text) => text.split(',').map(|w| u32::from_str_radix(w.trim(), 16).ok()).collect(),
        None => (0..N).map(|n| inst.int(&format!("{name}{n}")).map(|n| n as u32)).collect(),
    };
    words.and_then(|w| w.try_into().ok()).ok_or_else(|| inst.illegal(format_args!("`{name}` is no list of {N} words")))
}

fn philox(mut key: [u32; 2], mut x: [u32; 4], rounds: u32) -> [u32; 4] {
    for _ in 0..rounds {
        let product = |m: u32, x: u32| u64::from(m) * u64::from(x);
        let (p, q) = (product(0xd251_1f53, x[0]), product(0xcd9e_8d57, x[2]));
        x = [(q >> 32) as u32 ^ x[1] ^ key[0], q as u32, (p >> 32) as u32 ^ x[3] ^ key[1], p as u32];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published vectors of the generator.
    #[test]
    fn philox_gives_the_published_words() {
        assert_eq!(philox([0; 2], [0; 4], 10), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([u32::MAX; 2], [u32::MAX; 4], 10), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    }
}
