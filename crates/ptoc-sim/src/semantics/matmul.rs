//! Matrix products: TMATMUL and TGEMV, fresh, accumulating, with a bias, with MX scales.
//!
//! Floats accumulate in f32 with one rounding a step, k ascending; integers are exact and wrap at 32 bits. A bias or an old
//! accumulator is added to the finished sum.

use super::{Inst, Meaning, Refusal, Tile};
use crate::num::{Num, decode};
use ptoc_target::DType;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("tgemv", tgemv),
    ("tgemv_acc", tgemv_acc),
    ("tgemv_bias", tgemv),
    ("tgemv_mx", tgemv),
    ("tmatmul", tmatmul),
    ("tmatmul_acc", tmatmul_acc),
    ("tmatmul_bias", tmatmul),
    ("tmatmul_mx", tmatmul),
];

/// What the sum is added to.
enum Start<'a> {
    Zero,
    /// The accumulator of this name.
    Acc(&'a Tile),
    Bias(&'a Tile),
}

fn tmatmul(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    product(inst, false, false)
}

fn tmatmul_acc(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    product(inst, false, true)
}

fn tgemv(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    product(inst, true, false)
}

fn tgemv_acc(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    product(inst, true, true)
}

/// `c = start + a b` over the valid regions of `a` and `b`; `gemv` takes one row of `a`, and as many k as `b` has rows.
fn product(inst: &mut Inst<'_>, gemv: bool, accumulate: bool) -> Result<(), Refusal> {
    inst.update("c", |inst, c| {
        let (a, b) = (inst.tile("a")?, inst.tile("b")?);
        let (m, n) = (if gemv { 1 } else { a.valid_rows }, b.valid_cols);
        let k = if gemv { b.valid_rows } else { a.valid_cols };
        for (what, tile, rows, cols) in [("a", a, m, k), ("b", b, k, n), ("c", c, m, n)] {
            if rows > tile.shape.rows || cols > tile.shape.cols {
                return Err(inst.illegal(format_args!(
                    "{rows} x {cols} elements are used of `{what}`, which has {} x {}",
                    tile.shape.rows, tile.shape.cols
                )));
            }
        }
        let old = c.clone();
        let start = match (inst.tile("bias"), inst.tile("c_in")) {
            (Ok(bias), _) => Start::Bias(bias),
            (_, Ok(c_in)) => Start::Acc(c_in),
            _ if accumulate => Start::Acc(&old),
            _ => Start::Zero,
        };
        let start = |i, j| match start {
            Start::Zero => None,
            Start::Acc(acc) => Some(acc.get(i, j)),
            Start::Bias(bias) => Some(bias.get(0, j)),
        };
        let scales = match (inst.tile("a_scale"), inst.tile("b_scale")) {
            (Ok(sa), Ok(sb)) => Some((sa, sb)),
            _ => None,
        };
        if a.shape.dtype.is_int() != b.shape.dtype.is_int() || a.shape.dtype.is_int() != c.shape.dtype.is_int() {
            return Err(
                inst.illegal(format_args!("{} times {} does not give {}", a.shape.dtype, b.shape.dtype, c.shape.dtype))
            );
        }
        if c.shape.dtype.is_int() {
            let (a, b) = (integers(a, m, k), integers(b, k, n));
            let (k, n) = (k as usize, n as usize);
            for i in 0..m {
                for j in 0..n {
                    let row = &a[i as usize * k..][..k];
                    let sum: i64 =
                        row.iter().enumerate().fold(0, |sum, (p, x)| sum.wrapping_add(x.wrapping_mul(b[p * n + j])));
                    let sum = i128::from(sum).wrapping_add(start(i, j as u64).map_or(0, Num::int));
                    c.set(i, j as u64, Num::Int(sum));
                }
            }
            return Ok(());
        }
        let a = reals(a, m, k, |i, p| scales.map_or(1.0, |(sa, _)| scale(sa, i, p / 32)));
        let b = reals(b, k, n, |p, j| scales.map_or(1.0, |(_, sb)| scale(sb, p / 32, j)));
        let (k, n) = (k as usize, n as usize);
        for i in 0..m {
            for j in 0..n {
                let row = &a[i as usize * k..][..k];
                let mut sum = 0.0_f32;
                for (p, x) in row.iter().enumerate() {
                    let y = b[p * n + j];
                    sum = match scales {
                        // A scaled product has more bits than f32: the sum is rounded from f64.
                        Some(_) => (f64::from(sum) + x * y) as f32,
                        None => (*x as f32).mul_add(y as f32, sum),
                    };
                }
                if let Some(start) = start(i, j as u64) {
                    sum += start.real() as f32;
                }
                c.set(i, j as u64, Num::Float(f64::from(sum)));
            }
        }
        Ok(())
    })
}

/// The leading rows and columns as integers; 32 bits are the widest operand.
fn integers(t: &Tile, rows: u64, cols: u64) -> Vec<i64> {
    (0..rows).flat_map(|r| (0..cols).map(move |c| t.get(r, c).int() as i64)).collect()
}

/// The leading rows and columns as real numbers times a factor.
fn reals(t: &Tile, rows: u64, cols: u64, factor: impl Fn(u64, u64) -> f64) -> Vec<f64> {
    let mut out = Vec::new();
    for r in 0..rows {
        out.extend((0..cols).map(|c| t.get(r, c).real() * factor(r, c)));
    }
    out
}

/// The power of two that an exponent-only code stands for; 255 is NaN.
fn scale(t: &Tile, r: u64, c: u64) -> f64 {
    match (t.shape.dtype, t.bits(r, c)) {
        (DType::F8E8M0, 255) => f64::NAN,
        (DType::F8E8M0, code) => 2f64.powi(code as i32 - 127),
        (ty, bits) => decode(ty, bits).real(),
    }
}
