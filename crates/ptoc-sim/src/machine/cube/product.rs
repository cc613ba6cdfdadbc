//! The arithmetic of a matrix product on plain row-major matrices.
//!
//! Floats are summed in f32, k ascending, one rounding a step; what the sum starts from is added last. The order inside the
//! hardware is not public: see the notes of the machine.

use crate::num::decode;
use ptoc_target::DType;
use std::sync::OnceLock;

/// `c = a b` for `m x k` and `k x n` whose products are exact in f32 (16 bits and fewer): row-major `m x n`.
pub(super) fn exact(a: &[f32], b: &[f32], (k, n): (usize, usize)) -> Vec<f32> {
    rows(a, k, n, |row, c| {
        let (fours, rest) = row.as_chunks::<4>();
        for (q, &[x0, x1, x2, x3]) in fours.iter().enumerate() {
            let [b0, b1, b2, b3] = [0, 1, 2, 3].map(|p| &b[(4 * q + p) * n..][..n]);
            for (j, c) in c.iter_mut().enumerate() {
                *c = *c + x0 * b0[j] + x1 * b1[j] + x2 * b2[j] + x3 * b3[j];
            }
        }
        for (p, &x) in rest.iter().enumerate() {
            let b = &b[(4 * fours.len() + p) * n..][..n];
            c.iter_mut().zip(b).for_each(|(c, b)| *c += x * b);
        }
    })
}

/// As [`exact`] for f32 operands: product and sum are rounded together.
pub(super) fn fused(a: &[f32], b: &[f32], (k, n): (usize, usize)) -> Vec<f32> {
    rows(a, k, n, |row, c| {
        for (&x, b) in row.iter().zip(b.chunks_exact(n)) {
            c.iter_mut().zip(b).for_each(|(c, &b)| *c = x.mul_add(b, *c));
        }
    })
}

/// As [`exact`] for operands with MX scales, which may need more than f32: the sum is rounded from f64.
pub(super) fn scaled(a: &[f64], b: &[f64], (k, n): (usize, usize)) -> Vec<f32> {
    rows(a, k, n, |row, c| {
        for (&x, b) in row.iter().zip(b.chunks_exact(n)) {
            c.iter_mut().zip(b).for_each(|(c, &b)| *c = (f64::from(*c) + x * b) as f32);
        }
    })
}

/// As [`exact`] for integers, which wrap at 32 bits.
pub(super) fn integers(a: &[i32], b: &[i32], (k, n): (usize, usize)) -> Vec<i32> {
    rows(a, k, n, |row, c: &mut [i32]| {
        for (&x, b) in row.iter().zip(b.chunks_exact(n)) {
            c.iter_mut().zip(b).for_each(|(c, &b)| *c = c.wrapping_add(x.wrapping_mul(b)));
        }
    })
}

fn rows<A, C: Copy + Default>(a: &[A], k: usize, n: usize, add: impl Fn(&[A], &mut [C])) -> Vec<C> {
    let mut c = vec![C::default(); a.len().checked_div(k).unwrap_or(0) * n];
    if n > 0 && k > 0 {
        a.chunks_exact(k).zip(c.chunks_exact_mut(n)).for_each(|(row, c)| add(row, c));
    }
    c
}

/// The values of all codes of a float type of up to 16 bits; `None` for wider types, integers and packed pairs.
pub(super) fn codes(ty: DType) -> Option<&'static [f32]> {
    static TABLES: [OnceLock<Vec<f32>>; 6] = [const { OnceLock::new() }; 6];
    let i = match ty {
        DType::F16 => 0,
        DType::BF16 => 1,
        DType::F8E4M3 => 2,
        DType::F8E5M2 => 3,
        DType::HiF8 => 4,
        DType::F8E8M0 => 5,
        _ => return None,
    };
    Some(TABLES[i].get_or_init(|| (0..1u64 << (8 * ty.bytes())).map(|code| decode(ty, code).real() as f32).collect()))
}

/// HF32: an f32 with fewer mantissa bits. To nearest; a tie to even, or towards zero when `ties_down`.
pub(super) fn short(x: f32, mantissa: u32, ties_down: bool) -> f32 {
    if !x.is_finite() {
        return x;
    }
    let drop = 23 - mantissa;
    let half = 1u32 << (drop - 1);
    let bits = x.to_bits();
    let odd = bits >> drop & 1;
    let up = if ties_down || odd == 0 { half - 1 } else { half };
    f32::from_bits((bits + up) >> drop << drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_products() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.5, 2.0, 0.25, 4.0, 8.0]);
        // 2 x 3 times 3 x 2.
        let want = [1.0 + 4.0 + 12.0, 0.5 + 0.5 + 24.0, 4.0 + 10.0 + 24.0, 2.0 + 1.25 + 48.0];
        assert_eq!(exact(&a, &b, (3, 2)), want);
        assert_eq!(fused(&a, &b, (3, 2)), want);
        assert_eq!(scaled(&a.map(f64::from), &b.map(f64::from), (3, 2)), want);
        assert_eq!(integers(&[1, 2, 3], &[4, 5, 6], (3, 1)), [32]);
        assert_eq!(integers(&[i32::MAX], &[2], (1, 1)), [-2]);
    }

    #[test]
    fn hf32_drops_bits_to_nearest() {
        let x = 1.0 + 1.0 / 2048.0;
        // Ten bits: a tie between 1 and 1 + 2^-10.
        assert_eq!([short(x, 10, false), short(x, 10, true)], [1.0, 1.0]);
        let y = 1.0 + 3.0 / 2048.0;
        assert_eq!([short(y, 10, false), short(y, 10, true)], [1.0 + 2.0 / 1024.0, 1.0 + 1.0 / 1024.0]);
        assert_eq!(short(f32::INFINITY, 11, false), f32::INFINITY);
    }
}
