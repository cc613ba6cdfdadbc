//! Quantisation: to 8-bit integers with a scale a row, and to MX formats with a shared exponent for 32 elements.

use super::cells::{covering, each, each_bits};
use super::{Inst, Meaning, Refusal, Tile};
use crate::num::{FloatFormat, Num, Round, Sat, encode_with, narrow};
use ptoc_target::DType;

pub(super) const MEANINGS: &[(&str, Meaning)] =
    &[("tdequant", tdequant), ("tquant", tquant), ("tquant_dn", tquant), ("tquant_mx", tquant)];

/// Elements that share an exponent.
const GROUP: u64 = 32;

/// The value of a row of a parameter tile with one column.
fn parameter(t: &Tile, r: u64) -> f32 {
    t.get(r.min(t.valid_rows.saturating_sub(1)), 0).real() as f32
}

/// `dst[r, c] = (f32(src[r, c]) - offset[r]) * scale[r]`, in f32.
fn tdequant(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = covering(inst, "src", dst)?;
        let (scale, offset) = (inst.tile("scale")?, inst.tile("offset")?);
        let types = [dst, scale, offset].map(|t| t.shape.dtype);
        if !src.shape.dtype.is_int() || types != [DType::F32; 3] {
            return Err(Refusal::Unsupported(format!("`{}` of {} with {types:?}", inst.op, src.shape.dtype)));
        }
        each(dst, |r, c| {
            let x = src.get(r, c).real() as f32;
            Num::Float(f64::from((x - parameter(offset, r)) * parameter(scale, r)))
        });
        Ok(())
    })
}

/// The destination is named by `quant_type`, in the words of either interface; that with `MXFP8` has its rule in
/// `quantScaleAlg`.
fn tquant(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let kind = inst.word("quant_type").unwrap_or("").to_ascii_lowercase();
    let rule = if inst.word("quantScaleAlg") == Some("nv") { Rule::Nv } else { Rule::Ocp };
    let (format, rule) = match kind.as_str() {
        "int8_sym" => return to_int8(inst, DType::I8),
        "int8_asym" => return to_int8(inst, DType::U8),
        "mxfp8" => (FloatFormat::E4M3, rule),
        "mxfp4_e2m1" => (FloatFormat::E2M1, rule),
        "ocpmxfp8e4m3" => (FloatFormat::E4M3, Rule::Ocp),
        "nvmxfp8e4m3" => (FloatFormat::E4M3, Rule::Nv),
        "ocpmxfp4e2m1" => (FloatFormat::E2M1, Rule::Ocp),
        "nvmxfp4e2m1" => (FloatFormat::E2M1, Rule::Nv),
        other => return Err(Refusal::Unsupported(format!("`{}` to `{other}`", inst.op))),
    };
    if inst.word("storeMode") == Some("nz") {
        return Err(Refusal::Unsupported(format!("`{}` with a second exponent tile", inst.op)));
    }
    let axis = match (inst.word("grpAxis"), inst.op) {
        (Some("axis0"), _) | (None, "tquant_dn") => 0,
        (Some(_), _) => 1,
        (None, _) => inst.int("grp_axis").unwrap_or(1),
    };
    to_mx(inst, Mx { format, rule }, axis)
}

/// `dst[r, c] = clamp(round(src[r, c] * scale[r] + offset[r]))`, in f32, to nearest even; the offset is optional.
fn to_int8(inst: &mut Inst<'_>, to: DType) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = covering(inst, "src", dst)?;
        let scale = inst.tile("scale")?;
        let offset = inst.operand("offset").map(|_| inst.tile("offset")).transpose()?;
        if src.shape.dtype != DType::F32 || dst.shape.dtype != to {
            let (from, to) = (src.shape.dtype, dst.shape.dtype);
            return Err(Refusal::Unsupported(format!("`{}` from {from} to {to}", inst.op)));
        }
        each_bits(dst, |r, c| {
            let x = src.get(r, c).real() as f32 * parameter(scale, r) + offset.map_or(0.0, |o| parameter(o, r));
            encode_with(to, Num::Float(f64::from(x)), Round::Even, Sat::On)
        });
        Ok(())
    })
}

/// How the shared exponent comes from the largest magnitude of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Its exponent less that of the largest number of the format.
    Ocp,
    /// The exponent of its quotient by the largest number of the format, rounded up.
    Nv,
}

#[derive(Clone, Copy)]
struct Mx {
    format: FloatFormat,
    rule: Rule,
}

impl Mx {
    /// The exponent byte of a group, 255 for a NaN.
    fn exponent(self, max: f32) -> u8 {
        if max.is_nan() {
            return 0xff;
        }
        let field = |x: f32| x.to_bits() >> 23 & 0xff;
        let fp4 = self.format == FloatFormat::E2M1;
        match self.rule {
            Rule::Ocp => field(max).saturating_sub(if fp4 { 2 } else { 8 }) as u8,
            Rule::Nv => {
                let x = max * (1.0 / if fp4 { 6.0 } else { 448.0 });
                let (e, mantissa) = (field(x), x.to_bits() & 0x7f_ffff);
                let up = match e {
                    // A number below the smallest normal one has a power of two of its own.
                    0 => mantissa > 0x40_0000,
                    0xfe => false,
                    0xff => return 0xfe,
                    _ => mantissa > 0,
                };
                (e + u32::from(up)) as u8
            }
        }
    }

    /// The code of an element in a group with an exponent.
    fn code(self, x: Num, from: DType, e: u8) -> u64 {
        let scale = if e == 0xff { f64::NAN } else { 2f64.powi(127 - i32::from(e)) };
        let fp4 = self.format == FloatFormat::E2M1;
        let working = if fp4 && from == DType::BF16 { DType::BF16 } else { DType::F32 };
        let scaled = narrow(working, Num::Float(x.real() * scale)).real();
        match (fp4, scaled.is_nan()) {
            (true, true) => 7,
            _ => self.format.encode(scaled, Round::Even, Sat::On),
        }
    }
}

/// Groups of 32 columns (`axis` 1) or 32 rows (0): `exp` gets the exponent of each group, `dst` the codes of
/// `src * 2^(127 - exponent)`.
///
/// An exponent tile of one row holds the groups of all rows of `src` one after the other. With `interleave` row p of `exp`
/// holds those of row groups 2p and 2p + 1 in turn.
fn to_mx(inst: &mut Inst<'_>, mx: Mx, axis: i64) -> Result<(), Refusal> {
    let interleave = inst.flag("interleave");
    let mut exp = inst.tile("exp")?.clone();
    inst.update("dst", |inst, dst| {
        let src = covering(inst, "src", dst)?;
        let (from, to) = (src.shape.dtype, dst.shape.dtype);
        let fp4 = mx.format == FloatFormat::E2M1;
        let known = match from {
            DType::F32 => !fp4,
            DType::F16 | DType::BF16 => true,
            _ => false,
        };
        if !known || fp4 != (to == DType::F4E2M1x2) || to.bytes() != 1 || exp.shape.dtype.bytes() != 1 {
            return Err(Refusal::Unsupported(format!("`{}` from {from} to {to}", inst.op)));
        }
        let (rows, cols) = (src.valid_rows, src.valid_cols);
        let flat = exp.shape.rows == 1 && rows > 1;
        let groups = if axis == 1 { (rows, cols.div_ceil(GROUP)) } else { (rows.div_ceil(GROUP), cols) };
        for i in 0..groups.0 {
            for j in 0..groups.1 {
                let (r, c) = if axis == 1 {
                    (i..i + 1, GROUP * j..cols.min(GROUP * (j + 1)))
                } else {
                    (GROUP * i..rows.min(GROUP * (i + 1)), j..j + 1)
                };
                let cells = || r.clone().flat_map(|r| c.clone().map(move |c| (r, c)));
                let max = cells().fold(0.0, |max: f32, (r, c)| {
                    let x = src.get(r, c).real().abs() as f32;
                    if max.is_nan() || x <= max { max } else { x }
                });
                let e = mx.exponent(max);
                let at = match axis {
                    1 if flat => (0, i * (src.shape.cols / GROUP) + j),
                    0 if interleave => (i / 2, 2 * j + i % 2),
                    _ => (i, j),
                };
                if at.0 >= exp.shape.rows || at.1 >= exp.shape.cols {
                    return Err(inst.illegal(format_args!("`exp` has no element {} x {}", at.0, at.1)));
                }
                exp.set_bits(at.0, at.1, e.into());
                for (r, c) in cells() {
                    dst.set_bits(r, c, mx.code(src.get(r, c), from, e));
                }
            }
        }
        Ok(())
    })?;
    *inst.tile_mut("exp")? = exp;
    Ok(())
}
