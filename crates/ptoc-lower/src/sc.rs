//! Sizes that are numbers or run-time values, with one arithmetic for both.

use crate::Em;
use ptoc_ir::{ValueId, builtin};

/// A size, index or stride: a number known now, or a run-time value of type `index`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sc {
    /// Known.
    Const(i64),
    /// Known at run time; of type `index`.
    Value(ValueId),
}

/// A truth value known now or at run time (`i1`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cond {
    /// Known.
    Const(bool),
    /// Known at run time.
    Value(ValueId),
}

/// One field of a configuration word: what, at which bit, how many bits.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in messages.
    pub name: &'static str,
    /// Value.
    pub value: Sc,
    /// Lowest bit.
    pub bit: u32,
    /// Number of bits.
    pub width: u32,
}

/// A field of a configuration word.
pub fn field(name: &'static str, value: impl Into<Sc>, bit: u32, width: u32) -> Field {
    Field { name, value: value.into(), bit, width }
}

impl Sc {
    /// The number, when it is known.
    pub fn known(self) -> Option<i64> {
        match self {
            Sc::Const(n) => Some(n),
            Sc::Value(_) => None,
        }
    }

    /// True when the number is known to be `n`.
    pub fn is(self, n: i64) -> bool {
        self == Sc::Const(n)
    }
}

impl From<i64> for Sc {
    fn from(n: i64) -> Sc {
        Sc::Const(n)
    }
}

impl From<i32> for Sc {
    fn from(n: i32) -> Sc {
        Sc::Const(i64::from(n))
    }
}

impl From<u64> for Sc {
    fn from(n: u64) -> Sc {
        Sc::Const(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl Em<'_> {
    fn fold(&mut self, n: Option<i64>) -> Sc {
        match n {
            Some(n) => Sc::Const(n),
            None => {
                self.fault("a size computed here does not fit 64 bits");
                Sc::Const(0)
            }
        }
    }

    fn arith(&mut self, name: &'static str, a: Sc, b: Sc) -> Sc {
        let (a, b) = (self.index(a), self.index(b));
        Sc::Value(self.emit1(name, &[a, b], builtin::INDEX))
    }

    /// `a + b`
    pub fn add(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => self.fold(a.checked_add(b)),
            (x, Sc::Const(0)) | (Sc::Const(0), x) => x,
            (a, b) => self.arith("arith.addi", a, b),
        }
    }

    /// `a - b`
    pub fn sub(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => self.fold(a.checked_sub(b)),
            (x, Sc::Const(0)) => x,
            (a, b) if a == b => Sc::Const(0),
            (a, b) => self.arith("arith.subi", a, b),
        }
    }

    /// `a * b`
    pub fn mul(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => self.fold(a.checked_mul(b)),
            (_, Sc::Const(0)) | (Sc::Const(0), _) => Sc::Const(0),
            (x, Sc::Const(1)) | (Sc::Const(1), x) => x,
            (a, b) => self.arith("arith.muli", a, b),
        }
    }

    /// `a / b` rounded down, for a non-negative `a` and a positive `b`.
    pub fn div(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => self.fold(a.checked_div_euclid(b)),
            (x, Sc::Const(1)) => x,
            (a, b) => self.arith("arith.divsi", a, b),
        }
    }

    /// `a % b`, for a non-negative `a` and a positive `b`.
    pub fn rem(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => self.fold(a.checked_rem_euclid(b)),
            (_, Sc::Const(1)) => Sc::Const(0),
            (a, b) => self.arith("arith.remsi", a, b),
        }
    }

    /// `a / b` rounded up, for a non-negative `a` and a positive `b`.
    pub fn ceil_div(&mut self, a: impl Into<Sc>, b: i64) -> Sc {
        match a.into() {
            x if b == 1 => x,
            a => {
                let up = self.add(a, b - 1);
                self.div(up, b)
            }
        }
    }

    /// `a` rounded up to a multiple of `to`.
    pub fn align(&mut self, a: impl Into<Sc>, to: i64) -> Sc {
        let n = self.ceil_div(a, to);
        self.mul(n, to)
    }

    /// The smaller one.
    pub fn min(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => Sc::Const(a.min(b)),
            (a, b) if a == b => a,
            (a, b) => self.arith("arith.minsi", a, b),
        }
    }

    /// The greater one.
    pub fn max(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        match (a.into(), b.into()) {
            (Sc::Const(a), Sc::Const(b)) => Sc::Const(a.max(b)),
            (a, b) if a == b => a,
            (a, b) => self.arith("arith.maxsi", a, b),
        }
    }

    fn compare(&mut self, code: i64, known: fn(i64, i64) -> bool, a: Sc, b: Sc) -> Cond {
        if let (Sc::Const(a), Sc::Const(b)) = (a, b) {
            return Cond::Const(known(a, b));
        }
        if a == b {
            return Cond::Const(known(0, 0));
        }
        let (a, b) = (self.index(a), self.index(b));
        let predicate = self.ir.ctx.int_attr(i128::from(code), builtin::I64);
        Cond::Value(self.build("arith.cmpi").args(&[a, b]).attr("predicate", predicate).value(builtin::I1))
    }

    /// `a == b`
    pub fn eq(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Cond {
        self.compare(0, |a, b| a == b, a.into(), b.into())
    }

    /// `a != b`
    pub fn ne(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Cond {
        self.compare(1, |a, b| a != b, a.into(), b.into())
    }

    /// `a < b`, signed.
    pub fn lt(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Cond {
        self.compare(2, |a, b| a < b, a.into(), b.into())
    }

    /// `a > b`, signed.
    pub fn gt(&mut self, a: impl Into<Sc>, b: impl Into<Sc>) -> Cond {
        self.compare(4, |a, b| a > b, a.into(), b.into())
    }

    /// `cond ? a : b`
    pub fn choose(&mut self, cond: Cond, a: impl Into<Sc>, b: impl Into<Sc>) -> Sc {
        let (a, b) = (a.into(), b.into());
        match cond {
            Cond::Const(true) => a,
            Cond::Const(false) => b,
            _ if a == b => a,
            Cond::Value(c) => {
                let (a, b) = (self.index(a), self.index(b));
                Sc::Value(self.emit1("arith.select", &[c, a, b], builtin::INDEX))
            }
        }
    }

    /// A value as a size: the number behind a constant, else the value as `index`.
    pub fn sc(&mut self, value: ValueId) -> Sc {
        let value = self.resolve(value);
        if let Some(n) = self.constant(value) {
            return Sc::Const(n);
        }
        if self.ir.value_type(value) == builtin::INDEX {
            return Sc::Value(value);
        }
        Sc::Value(self.emit1("arith.index_cast", &[value], builtin::INDEX))
    }

    /// The number behind an integer constant, also through index casts and integer extensions.
    pub fn constant(&self, value: ValueId) -> Option<i64> {
        let mut value = self.resolve(value);
        for _ in 0..8 {
            let op = self.ir.defining_op(value)?;
            match self.ir.op_name(op) {
                "arith.constant" => return self.ir.int_attr(op, "value").and_then(|n| i64::try_from(n).ok()),
                "arith.index_cast" | "arith.index_castui" | "arith.extsi" => value = self.ir.operand(op, 0)?,
                _ => return None,
            }
        }
        None
    }

    /// The number behind a floating-point constant.
    pub fn float_constant(&self, value: ValueId) -> Option<f64> {
        let op = self.ir.defining_op(self.resolve(value))?;
        match (self.ir.op_name(op), self.ir.attr_data(op, "value")?) {
            ("arith.constant", ptoc_ir::AttrData::Float { bits, .. }) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// A size as an `index` value.
    pub fn index(&mut self, s: impl Into<Sc>) -> ValueId {
        match s.into() {
            Sc::Const(n) => self.int(n, builtin::INDEX),
            Sc::Value(v) => v,
        }
    }

    /// A size as an `i64` value.
    pub fn i64(&mut self, s: impl Into<Sc>) -> ValueId {
        self.as_int(s.into(), builtin::I64)
    }

    /// A size as an `i32` value.
    pub fn i32(&mut self, s: impl Into<Sc>) -> ValueId {
        self.as_int(s.into(), builtin::I32)
    }

    /// A size as an `i16` value.
    pub fn i16(&mut self, s: impl Into<Sc>) -> ValueId {
        self.as_int(s.into(), builtin::I16)
    }

    fn as_int(&mut self, s: Sc, ty: ptoc_ir::TypeId) -> ValueId {
        match s {
            Sc::Const(n) => self.int(n, ty),
            Sc::Value(v) => self.emit1("arith.index_cast", &[v], ty),
        }
    }

    /// A configuration word of 64 bits. Known fields fold into one number, and one that does not fit is a fault; run-time
    /// fields are shifted into place.
    pub fn pack(&mut self, fields: &[Field]) -> ValueId {
        let mut known: u64 = 0;
        let mut word: Option<ValueId> = None;
        for f in fields {
            match f.value {
                Sc::Const(n) => match u64::try_from(n).ok().filter(|n| f.width >= 64 || n >> f.width == 0) {
                    Some(n) => known |= n.checked_shl(f.bit).unwrap_or(0),
                    None => self.fault(format!("{} is {n}; its field has {} bits", f.name, f.width)),
                },
                Sc::Value(v) => {
                    let mut x = self.emit1("arith.index_cast", &[v], builtin::I64);
                    if f.bit > 0 {
                        let by = self.int(i64::from(f.bit), builtin::I64);
                        x = self.emit1("arith.shli", &[x, by], builtin::I64);
                    }
                    word = Some(match word {
                        Some(w) => self.emit1("arith.ori", &[w, x], builtin::I64),
                        None => x,
                    });
                }
            }
        }
        let base = self.int(known as i64, builtin::I64);
        match word {
            Some(w) if known == 0 => w,
            Some(w) => self.emit1("arith.ori", &[w, base], builtin::I64),
            None => base,
        }
    }
}
