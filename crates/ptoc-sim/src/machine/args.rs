//! Arguments of an intrinsic.

use super::{Fault, FaultKind};
use ptoc_target::{DType, Loc};

/// A position in a memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ptr {
    /// Which memory.
    pub space: Loc,
    /// Byte address inside it.
    pub addr: u64,
    /// The type it points to, which selects the variant of the intrinsic and the unit of offsets; `None` for untyped.
    pub elem: Option<DType>,
}

/// One argument.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// An integer of any width, also a truth value.
    Int(i64),
    /// A floating-point scalar by its bits.
    Float {
        /// Its type.
        ty: DType,
        /// Its bits.
        bits: u64,
    },
    /// A position in memory.
    Ptr(Ptr),
    /// A vector register, seen with this element type.
    Reg {
        /// Number in [`super::Core::vregs`].
        id: u32,
        /// The element type the intrinsic is called with.
        elem: DType,
    },
    /// A predicate register, a number in [`super::Core::masks`].
    Mask(u32),
    /// A state register of unaligned accesses, by number.
    Align(u32),
    /// An enum member.
    Word(&'static str),
    /// Several arguments in one place.
    List(Vec<Arg>),
}

/// The arguments of one call.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    /// The intrinsic, for messages.
    pub name: &'a str,
    /// In the order of the vendor's call, results first.
    pub list: &'a [Arg],
}

impl<'a> Args<'a> {
    /// A fault that names the intrinsic.
    pub fn fault(&self, kind: FaultKind, what: impl std::fmt::Display) -> Fault {
        Fault::new(kind, format!("{}: {what}", self.name))
    }

    /// A fault of a memory, with the intrinsic in front.
    pub fn within(&self, e: Fault) -> Fault {
        self.fault(e.kind, e.message)
    }

    fn wrong(&self, i: usize, want: &str) -> Fault {
        let got = self.list.get(i).map_or("nothing".to_owned(), |a| format!("{a:?}"));
        self.fault(FaultKind::BadArgument, format_args!("argument {i} is {got}, {want} is expected"))
    }

    /// How many arguments there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True without arguments.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// An integer.
    pub fn int(&self, i: usize) -> Result<i64, Fault> {
        match self.list.get(i) {
            Some(Arg::Int(n)) => Ok(*n),
            _ => Err(self.wrong(i, "an integer")),
        }
    }

    /// An integer that is not negative: a count or a stride.
    pub fn count(&self, i: usize) -> Result<u64, Fault> {
        u64::try_from(self.int(i)?).map_err(|_| self.wrong(i, "a number not below zero"))
    }

    /// A truth value.
    pub fn flag(&self, i: usize) -> Result<bool, Fault> {
        Ok(self.int(i)? != 0)
    }

    /// A position in memory.
    pub fn ptr(&self, i: usize) -> Result<Ptr, Fault> {
        match self.list.get(i) {
            Some(Arg::Ptr(p)) => Ok(*p),
            _ => Err(self.wrong(i, "a pointer")),
        }
    }

    /// A vector register and the element type it is seen with.
    pub fn reg(&self, i: usize) -> Result<(usize, DType), Fault> {
        match self.list.get(i) {
            Some(Arg::Reg { id, elem }) => Ok((*id as usize, *elem)),
            _ => Err(self.wrong(i, "a vector register")),
        }
    }

    /// A predicate register.
    pub fn mask(&self, i: usize) -> Result<usize, Fault> {
        match self.list.get(i) {
            Some(Arg::Mask(id)) => Ok(*id as usize),
            _ => Err(self.wrong(i, "a predicate register")),
        }
    }

    /// An enum member; `None` when the argument is absent.
    pub fn word(&self, i: usize) -> Option<&'static str> {
        match self.list.get(i) {
            Some(Arg::Word(w)) => Some(w),
            _ => None,
        }
    }

    /// The bits of a scalar converted to an element type, as the hardware converts it.
    pub fn scalar(&self, i: usize, ty: DType) -> Result<u64, Fault> {
        use crate::num::{Num, decode, encode};
        let v = match self.list.get(i) {
            Some(Arg::Int(n)) => Num::Int(i128::from(*n)),
            Some(Arg::Float { ty: from, bits }) if *from == ty => return Ok(*bits),
            Some(Arg::Float { ty: from, bits }) => decode(*from, *bits),
            _ => return Err(self.wrong(i, "a scalar")),
        };
        Ok(encode(ty, v))
    }
}
