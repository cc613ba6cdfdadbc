//! From an operation of lowered code to the call the vendor's headers would make: name and arguments in their order.
//!
//! Most operations differ from the call only in the place of the destination and in the spelling of words. Structured
//! operations (`mte_*`, `mad*`, drains by configuration words) become a call together with the registers that they imply.

mod cube;
mod transfer;
mod vector;

use super::pipes::UnitFlag;
use super::value::Value;
use crate::machine::{Arg, Special};
use ptoc_dialect::{AttrTy, Dialects, OpDef};
use ptoc_ir::{AttrData, Ir, OpId};
use ptoc_target::Arch;
use smallvec::SmallVec;

/// A call ready to be issued.
#[derive(Debug)]
pub(crate) struct Decoded {
    /// The intrinsic.
    pub name: &'static str,
    /// Its arguments.
    pub args: SmallVec<[Arg; 12]>,
    /// Registers that the operation itself sets for this call.
    pub special: Option<Special>,
    /// What unit flags make it wait for.
    pub unit_flag: Option<UnitFlag>,
    /// A copy of a register that comes first: destination, source.
    pub copy_first: Option<(Arg, Arg)>,
}

/// An operation with the values of its operands and the places of its results.
pub(crate) struct Source<'a> {
    pub ir: &'a Ir,
    pub op: OpId,
    pub def: &'static OpDef,
    pub arch: Arch,
    pub special: &'a Special,
    /// Operand values in the order of the operation.
    pub values: &'a [Value],
    /// Registers of the results, in order; numbers and pointers have none.
    pub results: &'a [Value],
}

/// Why an operation could not be decoded.
pub(crate) type Undecoded = String;

impl Source<'_> {
    /// The values of an operand by its name in the table.
    fn segment(&self, name: &str) -> &[Value] {
        let Some(n) = self.def.operand_index(name) else { return &[] };
        let range = self.ir.segment(self.op, n);
        self.values.get(range).unwrap_or(&[])
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.segment(name).first()
    }

    fn int(&self, name: &str) -> Result<i64, Undecoded> {
        self.value(name).and_then(Value::int).ok_or_else(|| format!("operand `{name}` is no number"))
    }

    fn arg(&self, name: &str) -> Result<Arg, Undecoded> {
        self.value(name).and_then(Value::arg).ok_or_else(|| format!("operand `{name}` has no value"))
    }

    fn result(&self, i: usize) -> Result<Arg, Undecoded> {
        self.results.get(i).and_then(Value::arg).ok_or_else(|| format!("result {i} has no register"))
    }

    fn flag(&self, name: &str) -> bool {
        match self.ir.attr_data(self.op, name) {
            Some(AttrData::Bool(b)) => *b,
            Some(AttrData::Unit) => true,
            Some(AttrData::Integer { value, .. }) => *value != 0,
            _ => false,
        }
    }

    /// The word of an attribute as the table spells it, or its default.
    fn word(&self, name: &str) -> Option<&'static str> {
        let def = self.def.attr(name)?;
        let given = self.ir.word_attr(self.op, name);
        match def.ty {
            AttrTy::Words(words) => given.and_then(|g| words.iter().find(|w| **w == g).copied()).or(def.default),
            AttrTy::Enum(e) => {
                given.and_then(|g| e.values.iter().find(|(w, _)| *w == g).map(|&(w, _)| w)).or(def.default)
            }
            _ => None,
        }
    }

    /// Everything in order: results, operands, then the attributes of the table as words and numbers.
    fn plain(&self, name: &'static str) -> Result<Decoded, Undecoded> {
        let mut args: SmallVec<[Arg; 12]> = self.results.iter().filter_map(Value::arg).collect();
        for (i, v) in self.values.iter().enumerate() {
            args.push(v.arg().ok_or_else(|| format!("operand {i} has no value"))?);
        }
        for a in self.def.attrs {
            match a.ty {
                AttrTy::Bool | AttrTy::Unit => args.push(Arg::Int(self.flag(a.name).into())),
                AttrTy::Int(_) => {
                    let given = self.ir.int_attr(self.op, a.name).and_then(|n| i64::try_from(n).ok());
                    let n = given.or_else(|| a.default.and_then(|d| d.parse().ok())).unwrap_or(0);
                    args.push(Arg::Int(n));
                }
                _ => args.extend(self.word(a.name).map(Arg::Word)),
            }
        }
        Ok(call(name, args))
    }
}

fn call(name: &'static str, args: impl IntoIterator<Item = Arg>) -> Decoded {
    Decoded { name, args: args.into_iter().collect(), special: None, unit_flag: None, copy_first: None }
}

/// The call behind an operation.
///
/// # Errors
/// What is missing or not known.
pub(crate) fn decode(source: &Source<'_>) -> Result<Decoded, Undecoded> {
    let name = source.def.name.strip_prefix("pto.").unwrap_or(source.def.name);
    if let Some(name) = name.strip_prefix("ub.") {
        return vector::unified_buffer(source, name);
    }
    if let Some(d) = cube::decode(source, name) {
        return d;
    }
    if let Some(d) = transfer::decode(source, name) {
        return d;
    }
    vector::registers(source, name)
}

/// The table entry of an operation.
pub(crate) fn def_of(ir: &Ir, op: OpId) -> Option<&'static OpDef> {
    Dialects::get().def(ir.op(op).kind)
}
