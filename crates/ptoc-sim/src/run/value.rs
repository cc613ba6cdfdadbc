//! Values of the program while it runs.

use crate::machine::{Arg, Ptr};
use crate::num::{Num, decode};
use ptoc_target::DType;

/// One SSA value.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    /// Not computed yet, or nothing that computes: an event, a token.
    #[default]
    None,
    /// An integer or an index, sign-extended from its width.
    Int(i64),
    /// A floating-point number by its bits.
    Float {
        /// Its type.
        ty: DType,
        /// Its bits.
        bits: u64,
    },
    /// A position in memory.
    Ptr(Ptr),
    /// A vector register.
    Reg {
        /// Its number.
        id: u32,
        /// Element type of the value's type.
        elem: DType,
    },
    /// A predicate register by number.
    Mask(u32),
    /// A state of unaligned accesses by number.
    Align(u32),
    /// A tile: an index of [`super::tiles::Store`].
    Tile(u32),
    /// A view of global memory: an index of [`super::tiles::Store`].
    View(u32),
}

impl Value {
    /// The integer, also of an index and a truth value.
    pub fn int(&self) -> Option<i64> {
        match self {
            Value::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The number a scalar holds.
    pub fn num(&self) -> Option<Num> {
        match self {
            Value::Int(n) => Some(Num::Int(i128::from(*n))),
            Value::Float { ty, bits } => Some(decode(*ty, *bits)),
            _ => None,
        }
    }

    /// The value as an argument of an intrinsic.
    pub fn arg(&self) -> Option<Arg> {
        Some(match *self {
            Value::Int(n) => Arg::Int(n),
            Value::Float { ty, bits } => Arg::Float { ty, bits },
            Value::Ptr(p) => Arg::Ptr(p),
            Value::Reg { id, elem } => Arg::Reg { id, elem },
            Value::Mask(id) => Arg::Mask(id),
            Value::Align(id) => Arg::Align(id),
            Value::None | Value::Tile(_) | Value::View(_) => return None,
        })
    }
}
