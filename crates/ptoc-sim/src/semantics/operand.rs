//! Operands of an instruction as values.

use super::Refusal;
use crate::num::{Num, decode, encode};
use ptoc_target::{DType, Loc, PadValue, TileShape};
use std::borrow::Cow;

/// A tile: its shape, its valid region and all its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Tile {
    /// Location.
    pub loc: Loc,
    /// Static shape, layout, element type.
    pub shape: TileShape,
    /// Valid rows, at most `shape.rows`.
    pub valid_rows: u64,
    /// Valid columns, at most `shape.cols`, in elements.
    pub valid_cols: u64,
    /// What padding of this tile means.
    pub pad: PadValue,
    /// The whole storage in address order.
    pub bytes: Vec<u8>,
}

/// How the matrix lies in a global tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorLayout {
    /// Rows in dimension 3, columns in dimension 4.
    Nd,
    /// Columns in dimension 3, rows in dimension 4 of the address order: dimension 3 is contiguous.
    Dn,
    /// Blocks `[b, c1, r1, 16, c0]`.
    Nz,
}

/// A view of global memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    /// Element type.
    pub dtype: DType,
    /// Extent of each dimension in elements, outermost first.
    pub shape: [u64; 5],
    /// Distance of neighbours in each dimension, in elements.
    pub strides: [u64; 5],
    /// Which dimensions are the matrix.
    pub layout: TensorLayout,
    /// The bytes the view can reach, from its first element on.
    pub bytes: Vec<u8>,
}

/// A typed scalar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scalar {
    /// Element type.
    pub dtype: DType,
    /// Bits in the low end.
    pub bits: u64,
}

/// One operand.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A tile.
    Tile(Tile),
    /// A view of global memory.
    Tensor(Tensor),
    /// A scalar.
    Scalar(Scalar),
}

/// The value of an attribute.
#[derive(Clone, PartialEq, Debug)]
pub enum Attr {
    /// A flag.
    Bool(bool),
    /// A number, an index or a count.
    Int(i64),
    /// An enum member by its word, or a text.
    Word(String),
    /// A typed scalar.
    Scalar(Scalar),
}

/// One instruction with its operands.
#[derive(Clone, PartialEq, Debug)]
pub struct Inst<'a> {
    /// Name in lower case, without a prefix.
    pub op: &'a str,
    /// Operands by name, in the order of the instruction table.
    pub operands: Vec<(Cow<'a, str>, Operand)>,
    /// Attributes and scalar arguments by name.
    pub attrs: Vec<(Cow<'a, str>, Attr)>,
}

impl Scalar {
    /// The value.
    pub fn num(self) -> Num {
        decode(self.dtype, self.bits)
    }
}

impl Tile {
    /// Bytes the storage of a tile takes.
    pub fn size(shape: &TileShape) -> u64 {
        shape.rows.saturating_mul(shape.cols).saturating_mul(shape.dtype.bytes())
    }

    /// Index of element `(r, c)` in the storage, in elements.
    pub fn at(&self, r: u64, c: u64) -> u64 {
        self.shape.offset(r, c)
    }

    /// The bits of element `(r, c)`; 0 outside the storage.
    pub fn bits(&self, r: u64, c: u64) -> u64 {
        load(&self.bytes, self.at(r, c), self.shape.dtype)
    }

    /// Stores bits at element `(r, c)`; nothing outside the storage.
    pub fn set_bits(&mut self, r: u64, c: u64, bits: u64) {
        let at = self.at(r, c);
        store(&mut self.bytes, at, self.shape.dtype, bits);
    }

    /// The value of element `(r, c)`.
    pub fn get(&self, r: u64, c: u64) -> Num {
        decode(self.shape.dtype, self.bits(r, c))
    }

    /// Stores a value, rounded to nearest even or wrapped.
    pub fn set(&mut self, r: u64, c: u64, v: Num) {
        self.set_bits(r, c, encode(self.shape.dtype, v));
    }
}

/// The element at an index of a storage; 0 outside.
pub(crate) fn load(bytes: &[u8], index: u64, ty: DType) -> u64 {
    let n = ty.bytes() as usize;
    let at = (index as usize).saturating_mul(n);
    let mut word = [0; 8];
    if let Some(from) = bytes.get(at..at.saturating_add(n)) {
        word[..n].copy_from_slice(from);
    }
    u64::from_le_bytes(word)
}

/// Stores an element at an index of a storage; nothing outside.
pub(crate) fn store(bytes: &mut [u8], index: u64, ty: DType, bits: u64) {
    let n = ty.bytes() as usize;
    let at = (index as usize).saturating_mul(n);
    if let Some(to) = bytes.get_mut(at..at.saturating_add(n)) {
        to.copy_from_slice(&bits.to_le_bytes()[..n]);
    }
}

impl<'a> Inst<'a> {
    fn missing(&self, what: &str) -> Refusal {
        Refusal::Illegal(format!("`{}` has no {what}", self.op))
    }

    /// An operand by name.
    pub fn operand(&self, name: &str) -> Option<&Operand> {
        self.operands.iter().find(|(n, _)| n == name).map(|(_, o)| o)
    }

    /// An operand by name, to be written.
    pub fn operand_mut(&mut self, name: &str) -> Option<&mut Operand> {
        self.operands.iter_mut().find(|(n, _)| n == name).map(|(_, o)| o)
    }

    /// A tile operand.
    ///
    /// # Errors
    /// When there is no tile of this name.
    pub fn tile(&self, name: &str) -> Result<&Tile, Refusal> {
        match self.operand(name) {
            Some(Operand::Tile(t)) => Ok(t),
            _ => Err(self.missing(&format!("tile `{name}`"))),
        }
    }

    /// A tile operand to be written. The caller takes it out with `std::mem::take` on its bytes when sources are needed too.
    ///
    /// # Errors
    /// When there is no tile of this name.
    pub fn tile_mut(&mut self, name: &str) -> Result<&mut Tile, Refusal> {
        let missing = self.missing(&format!("tile `{name}`"));
        match self.operand_mut(name) {
            Some(Operand::Tile(t)) => Ok(t),
            _ => Err(missing),
        }
    }

    /// A view of global memory.
    ///
    /// # Errors
    /// When there is no view of this name.
    pub fn tensor(&self, name: &str) -> Result<&Tensor, Refusal> {
        match self.operand(name) {
            Some(Operand::Tensor(t)) => Ok(t),
            _ => Err(self.missing(&format!("tensor `{name}`"))),
        }
    }

    /// An attribute by name.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|(n, _)| n == name).map(|(_, a)| a)
    }

    /// A flag; false when absent.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.attr(name), Some(Attr::Bool(true)))
    }

    /// A number.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.attr(name)? {
            Attr::Int(n) => Some(*n),
            Attr::Bool(b) => Some(i64::from(*b)),
            Attr::Scalar(s) => i64::try_from(s.num().int()).ok(),
            Attr::Word(_) => None,
        }
    }

    /// An enum member or a text.
    pub fn word(&self, name: &str) -> Option<&str> {
        match self.attr(name)? {
            Attr::Word(w) => Some(w),
            _ => None,
        }
    }

    /// A typed scalar: an attribute or an operand of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn scalar(&self, name: &str) -> Result<Scalar, Refusal> {
        match (self.attr(name), self.operand(name)) {
            (Some(Attr::Scalar(s)), _) | (_, Some(Operand::Scalar(s))) => Ok(*s),
            _ => Err(self.missing(&format!("scalar `{name}`"))),
        }
    }
}
