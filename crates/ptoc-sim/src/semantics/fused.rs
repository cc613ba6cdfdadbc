//! Instructions of several arithmetic steps. Each step rounds to the type it works in, unless said otherwise.

use super::arith::{self, Binary, mul_add, relu};
use super::cells::{Kinds, alike, check_kind, covering, each, each_bits, same_type, scalar};
use super::{Inst, Meaning, Refusal};
use crate::num::{Num, Round, Sat, encode_with, narrow};
use ptoc_target::DType;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("taddc", |i| three(i, arith::add)),
    ("tadddeqrelu", tadddeqrelu),
    ("taddrelu", |i| rectified(i, arith::add)),
    ("taddreluconv", |i| relu_convert(i, arith::add)),
    ("taddsc", |i| with_scalar(i, arith::add)),
    ("taxpy", taxpy),
    ("tfusedmuladd", |i| multiply_old(i, false)),
    ("tfusedmuladdrelu", |i| multiply_old(i, true)),
    ("tmuladddst", tmuladddst),
    ("tsubc", |i| three(i, arith::sub)),
    ("tsubrelu", |i| rectified(i, arith::sub)),
    ("tsubreluconv", |i| relu_convert(i, arith::sub)),
    ("tsubsc", |i| with_scalar(i, arith::sub)),
];

/// `dst = f(src0, src1) + src2`.
fn three(inst: &mut Inst<'_>, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        let (a, b, c) = (alike(inst, "src0", dst)?, alike(inst, "src1", dst)?, alike(inst, "src2", dst)?);
        each(dst, |i, j| arith::add(ty, narrow(ty, f(ty, a.get(i, j), b.get(i, j))), c.get(i, j)));
        Ok(())
    })
}

/// `dst = f(src0, scalar) + src1`.
fn with_scalar(inst: &mut Inst<'_>, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        let (a, s, c) = (alike(inst, "src0", dst)?, scalar(inst, "scalar", ty)?, alike(inst, "src1", dst)?);
        each(dst, |i, j| arith::add(ty, narrow(ty, f(ty, a.get(i, j), s)), c.get(i, j)));
        Ok(())
    })
}

/// `dst = scalar * src + dst`; the scalar has the type of `src`, which may be narrower than that of `dst`. A bf16 result
/// is computed in f32 and rounded once.
fn taxpy(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Floats, ty)?;
        let src = covering(inst, "src", dst)?;
        check_kind(inst, Kinds::Floats, src.shape.dtype)?;
        let s = scalar(inst, "scalar", src.shape.dtype)?;
        let working = if ty == DType::BF16 { DType::F32 } else { ty };
        let old = dst.clone();
        each(dst, |i, j| mul_add(working, s, src.get(i, j), old.get(i, j)));
        Ok(())
    })
}

/// `dst = dst * src0 + src1`, at least zero with `relu`.
fn multiply_old(inst: &mut Inst<'_>, rectify: bool) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Floats, ty)?;
        let (a, b) = (alike(inst, "src0", dst)?, alike(inst, "src1", dst)?);
        let old = dst.clone();
        each(dst, |i, j| {
            let x = mul_add(ty, old.get(i, j), a.get(i, j), b.get(i, j));
            if rectify { relu(ty, x) } else { x }
        });
        Ok(())
    })
}

/// `dst = src0 * src1 + dst`.
fn tmuladddst(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        let (a, b) = (alike(inst, "src0", dst)?, alike(inst, "src1", dst)?);
        let old = dst.clone();
        each(dst, |i, j| mul_add(ty, a.get(i, j), b.get(i, j), old.get(i, j)));
        Ok(())
    })
}

/// `dst = max(f(src0, src1), 0)`; an integer sum or difference wraps first.
fn rectified(inst: &mut Inst<'_>, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        let (a, b) = (alike(inst, "src0", dst)?, alike(inst, "src1", dst)?);
        each(dst, |i, j| relu(ty, narrow(ty, f(ty, a.get(i, j), b.get(i, j)))));
        Ok(())
    })
}

/// `dst = narrow(max(f(src0, src1), 0))`: rounded to nearest even and clamped to the range of the narrower type. An integer
/// sum or difference is exact before the clamp.
fn relu_convert(inst: &mut Inst<'_>, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let to = dst.shape.dtype;
        let (a, b) = (covering(inst, "src0", dst)?, covering(inst, "src1", dst)?);
        let from = a.shape.dtype;
        same_type(inst, "src1", b, a)?;
        if !matches!((from, to), (DType::F32, DType::F16) | (DType::F16 | DType::I16, DType::I8)) {
            return Err(Refusal::Unsupported(format!("`{}` from {from} to {to}", inst.op)));
        }
        each_bits(dst, |i, j| {
            let x = f(from, a.get(i, j), b.get(i, j));
            let x = if from.is_int() { x } else { narrow(from, x) };
            encode_with(to, relu(from, x), Round::Even, Sat::On)
        });
        Ok(())
    })
}

/// `dst = f16(max(f32(src0 + src1) * 2^-17 * deq_scale * 2^17, 0))`, each step in f32; the sum wraps.
fn tadddeqrelu(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let (a, b) = (covering(inst, "src0", dst)?, covering(inst, "src1", dst)?);
        let types = [a.shape.dtype, b.shape.dtype, dst.shape.dtype];
        if types != [DType::I32, DType::I32, DType::F16] {
            return Err(Refusal::Unsupported(format!("`{}` on {types:?}", inst.op)));
        }
        let scale = scalar(inst, "deq_scale", DType::F32)?.real() as f32;
        each(dst, |i, j| {
            let sum = narrow(DType::I32, arith::add(DType::I32, a.get(i, j), b.get(i, j)));
            let x = sum.real() as f32 * 2f32.powi(-17) * scale * 2f32.powi(17);
            relu(DType::F32, Num::Float(f64::from(x)))
        });
        Ok(())
    })
}
