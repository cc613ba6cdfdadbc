//! The scalar unit: `arith` on integers, indices and floats.

use super::value::Value;
use crate::num::{Num, Round, Sat, encode, encode_with};
use ptoc_dialect::types::dtype_of;
use ptoc_ir::{Ir, OpId, TypeData, TypeId};
use ptoc_target::DType;

/// An operation of the scalar unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    RemS,
    RemU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    MinS,
    MaxS,
    MinU,
    MaxU,
    And,
    Or,
    Xor,
    Shl,
    ShrS,
    ShrU,
    CmpI,
    CmpF,
    Select,
    /// Integer to integer, sign-extended.
    CastS,
    /// Integer to integer, zero-extended.
    CastU,
    IntToFloatS,
    IntToFloatU,
    FloatToIntS,
    FloatToIntU,
    FloatToFloat,
    Bitcast,
    AddF,
    SubF,
    MulF,
    DivF,
    RemF,
    NegF,
    MaximumF,
    MinimumF,
    MaxNumF,
    MinNumF,
}

const NAMES: &[(&str, Arith)] = &[
    ("addi", Arith::Add),
    ("subi", Arith::Sub),
    ("muli", Arith::Mul),
    ("divsi", Arith::DivS),
    ("divui", Arith::DivU),
    ("remsi", Arith::RemS),
    ("remui", Arith::RemU),
    ("ceildivsi", Arith::CeilDivS),
    ("ceildivui", Arith::CeilDivU),
    ("floordivsi", Arith::FloorDivS),
    ("minsi", Arith::MinS),
    ("maxsi", Arith::MaxS),
    ("minui", Arith::MinU),
    ("maxui", Arith::MaxU),
    ("andi", Arith::And),
    ("ori", Arith::Or),
    ("xori", Arith::Xor),
    ("shli", Arith::Shl),
    ("shrsi", Arith::ShrS),
    ("shrui", Arith::ShrU),
    ("cmpi", Arith::CmpI),
    ("cmpf", Arith::CmpF),
    ("select", Arith::Select),
    ("index_cast", Arith::CastS),
    ("index_castui", Arith::CastU),
    ("extsi", Arith::CastS),
    ("extui", Arith::CastU),
    ("trunci", Arith::CastS),
    ("sitofp", Arith::IntToFloatS),
    ("uitofp", Arith::IntToFloatU),
    ("fptosi", Arith::FloatToIntS),
    ("fptoui", Arith::FloatToIntU),
    ("extf", Arith::FloatToFloat),
    ("truncf", Arith::FloatToFloat),
    ("bitcast", Arith::Bitcast),
    ("addf", Arith::AddF),
    ("subf", Arith::SubF),
    ("mulf", Arith::MulF),
    ("divf", Arith::DivF),
    ("remf", Arith::RemF),
    ("negf", Arith::NegF),
    ("maximumf", Arith::MaximumF),
    ("minimumf", Arith::MinimumF),
    ("maxnumf", Arith::MaxNumF),
    ("minnumf", Arith::MinNumF),
];

impl Arith {
    /// The operation of `arith.NAME`.
    pub fn of(name: &str) -> Option<Arith> {
        NAMES.iter().find(|(n, _)| *n == name).map(|&(_, a)| a)
    }
}

/// Width of an integer type in bits, 64 for `index`; `None` for other types.
pub fn width(ir: &Ir, ty: TypeId) -> Option<u32> {
    match ir.ctx.type_data(ty) {
        TypeData::Integer { width, .. } if (1..=64).contains(width) => Some(*width),
        TypeData::Index => Some(64),
        _ => None,
    }
}

/// The low `width` bits of a number as an unsigned one.
fn unsigned(n: i64, width: u32) -> u64 {
    if width >= 64 { n as u64 } else { n as u64 & ((1 << width) - 1) }
}

/// A number cut to a width and sign-extended; one bit stays 0 or 1.
pub fn signed(n: i64, width: u32) -> i64 {
    match width {
        0 | 64.. => n,
        1 => n & 1,
        w => n << (64 - w) >> (64 - w),
    }
}

/// Evaluates an operation whose operands have these values.
///
/// # Errors
/// What makes the result undefined: a division by zero, a shift by the width or more, an operand of the wrong kind.
pub fn eval(ir: &Ir, op: OpId, arith: Arith, v: &[Value]) -> Result<Value, String> {
    let data = ir.op(op);
    let [first, ..] = v else { return Err("no operand".into()) };
    let Some(&result) = data.results.first() else { return Err("no result".into()) };
    let to = ir.value_type(result);
    let from = data.operands.first().map_or(to, |&o| ir.value_type(o));
    let int = |i: usize| v.get(i).and_then(Value::int).ok_or_else(|| format!("operand {i} is no integer"));
    let num =
        |i: usize| v.get(i).and_then(Value::num).map(Num::real).ok_or_else(|| format!("operand {i} is no number"));
    let float = |x: f64| match dtype_of(&ir.ctx, to) {
        Some(ty) if ty.is_float() => Ok(Value::Float { ty, bits: encode(ty, Num::Float(x)) }),
        _ => Err("the result is no float".to_owned()),
    };
    let from_width = width(ir, from).unwrap_or(64);
    let to_width = width(ir, to).unwrap_or(64);
    let fit = |n: i64| Ok(Value::Int(signed(n, to_width)));
    let wide = |n: i64| unsigned(n, from_width);
    let divisor = || int(1).and_then(|d| if d == 0 { Err("division by zero".to_owned()) } else { Ok(d) });
    let shift = || {
        int(1).map(|n| unsigned(n, from_width)).and_then(|n| {
            if n < u64::from(from_width) { Ok(n as u32) } else { Err(format!("a shift of {from_width} bits by {n}")) }
        })
    };
    match arith {
        Arith::Add => fit(int(0)?.wrapping_add(int(1)?)),
        Arith::Sub => fit(int(0)?.wrapping_sub(int(1)?)),
        Arith::Mul => fit(int(0)?.wrapping_mul(int(1)?)),
        Arith::DivS => fit(int(0)?.wrapping_div(divisor()?)),
        Arith::RemS => fit(int(0)?.wrapping_rem(divisor()?)),
        Arith::DivU => fit((wide(int(0)?) / wide(divisor()?)) as i64),
        Arith::RemU => fit((wide(int(0)?) % wide(divisor()?)) as i64),
        Arith::CeilDivS => {
            let (a, b) = (i128::from(int(0)?), i128::from(divisor()?));
            let up = a % b != 0 && ((a < 0) == (b < 0));
            fit((a / b + i128::from(up)) as i64)
        }
        Arith::CeilDivU => fit(wide(int(0)?).div_ceil(wide(divisor()?)) as i64),
        Arith::FloorDivS => {
            let (a, b) = (i128::from(int(0)?), i128::from(divisor()?));
            let down = a % b != 0 && ((a < 0) != (b < 0));
            fit((a / b - i128::from(down)) as i64)
        }
        Arith::MinS => fit(int(0)?.min(int(1)?)),
        Arith::MaxS => fit(int(0)?.max(int(1)?)),
        Arith::MinU => fit(wide(int(0)?).min(wide(int(1)?)) as i64),
        Arith::MaxU => fit(wide(int(0)?).max(wide(int(1)?)) as i64),
        Arith::And => fit(int(0)? & int(1)?),
        Arith::Or => fit(int(0)? | int(1)?),
        Arith::Xor => fit(int(0)? ^ int(1)?),
        Arith::Shl => fit(int(0)? << shift()?),
        Arith::ShrS => fit(int(0)? >> shift()?),
        Arith::ShrU => fit((wide(int(0)?) >> shift()?) as i64),
        Arith::CmpI => {
            let (a, b) = (int(0)?, int(1)?);
            let (ua, ub) = (wide(a), wide(b));
            let holds = match ir.int_attr(op, "predicate") {
                Some(0) => a == b,
                Some(1) => a != b,
                Some(2) => a < b,
                Some(3) => a <= b,
                Some(4) => a > b,
                Some(5) => a >= b,
                Some(6) => ua < ub,
                Some(7) => ua <= ub,
                Some(8) => ua > ub,
                Some(9) => ua >= ub,
                _ => return Err("an unknown predicate".into()),
            };
            Ok(Value::Int(holds.into()))
        }
        Arith::CmpF => {
            let (a, b) = (num(0)?, num(1)?);
            let nan = a.is_nan() || b.is_nan();
            let holds = match ir.int_attr(op, "predicate") {
                Some(0) => false,
                Some(1) => a == b,
                Some(2) => a > b,
                Some(3) => a >= b,
                Some(4) => a < b,
                Some(5) => a <= b,
                Some(6) => !nan && a != b,
                Some(7) => !nan,
                Some(8) => nan || a == b,
                Some(9) => nan || a > b,
                Some(10) => nan || a >= b,
                Some(11) => nan || a < b,
                Some(12) => nan || a <= b,
                Some(13) => nan || a != b,
                Some(14) => nan,
                Some(15) => true,
                _ => return Err("an unknown predicate".into()),
            };
            Ok(Value::Int(holds.into()))
        }
        Arith::Select => {
            let taken = if int(0)? != 0 { 1 } else { 2 };
            v.get(taken).cloned().ok_or_else(|| "an operand is missing".to_owned())
        }
        Arith::CastS => fit(int(0)?),
        Arith::CastU => fit(wide(int(0)?) as i64),
        Arith::IntToFloatS => float(int(0)? as f64),
        Arith::IntToFloatU => float(wide(int(0)?) as f64),
        Arith::FloatToIntS | Arith::FloatToIntU => fit(num(0)?.trunc() as i128 as i64),
        Arith::FloatToFloat => float(num(0)?),
        Arith::Bitcast => {
            let bits = match first {
                Value::Float { bits, .. } => *bits,
                v => v.int().ok_or("the operand is no number")? as u64,
            };
            match dtype_of(&ir.ctx, to) {
                Some(ty) if ty.is_float() => Ok(Value::Float { ty, bits: bits & low_bits(ty) }),
                _ => fit(bits as i64),
            }
        }
        Arith::AddF => float(num(0)? + num(1)?),
        Arith::SubF => float(num(0)? - num(1)?),
        Arith::MulF => float(num(0)? * num(1)?),
        Arith::DivF => float(num(0)? / num(1)?),
        Arith::RemF => float(num(0)? % num(1)?),
        Arith::NegF => float(-num(0)?),
        Arith::MaximumF => extreme(num(0)?, num(1)?, true).map_or_else(|| float(f64::NAN), float),
        Arith::MinimumF => extreme(num(0)?, num(1)?, false).map_or_else(|| float(f64::NAN), float),
        Arith::MaxNumF => float(num(0)?.max(num(1)?)),
        Arith::MinNumF => float(num(0)?.min(num(1)?)),
    }
}

/// The larger or smaller number; `None` with a NaN. Minus zero is smaller than zero.
fn extreme(a: f64, b: f64, larger: bool) -> Option<f64> {
    if a.is_nan() || b.is_nan() {
        return None;
    }
    let first = a > b || (a == b && a.is_sign_positive());
    Some(if first == larger { a } else { b })
}

const fn low_bits(ty: DType) -> u64 {
    u64::MAX >> (64 - 8 * ty.bytes())
}

/// A floating-point constant: a double rounded to a type.
pub fn constant(ty: DType, bits: u64) -> Value {
    Value::Float { ty, bits: encode_with(ty, Num::Float(f64::from_bits(bits)), Round::Even, Sat::Off) }
}
