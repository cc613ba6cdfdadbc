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

impl Tensor {
    /// Index of the element that a matrix view calls `(r, c)`, in elements; `None` past any number. The flattened
    /// dimensions are rows in an ND view and columns in a DN and NZ view.
    pub fn at(&self, r: u64, c: u64) -> Option<u64> {
        let [_, s1, s2, s3, s4] = self.shape.map(|n| n.max(1));
        let index = match self.layout {
            TensorLayout::Nd => [r / s3 / s2 / s1, r / s3 / s2 % s1, r / s3 % s2, r % s3, c],
            TensorLayout::Dn => [c / s4 / s2 / s1, c / s4 / s2 % s1, c / s4 % s2, r, c % s4],
            TensorLayout::Nz => [c / s4 / s1, c / s4 % s1, r / s3, r % s3, c % s4],
        };
        self.flat(index)
    }

    /// Index of an element by its five indices, in elements; `None` past any number.
    pub fn flat(&self, index: [u64; 5]) -> Option<u64> {
        index.iter().zip(self.strides).try_fold(0_u64, |sum, (i, s)| sum.checked_add(i.checked_mul(s)?))
    }

    /// The bits of an element by its [`Tensor::at`]; `None` outside the bytes.
    pub fn bits(&self, at: u64) -> Option<u64> {
        self.holds(at).then(|| load(&self.bytes, at, self.dtype))
    }

    /// Stores bits; false outside the bytes.
    pub fn set_bits(&mut self, at: u64, bits: u64) -> bool {
        let holds = self.holds(at);
        if holds {
            store(&mut self.bytes, at, self.dtype, bits);
        }
        holds
    }

    fn holds(&self, at: u64) -> bool {
        let last = if self.dtype.is_fp4() { at / 2 } else { at.saturating_mul(self.dtype.bytes()) };
        last.saturating_add(self.dtype.bytes()) <= self.bytes.len() as u64
    }
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
    /// Bytes the storage of a tile takes; two 4-bit codes share a byte.
    pub fn size(shape: &TileShape) -> u64 {
        let elements = shape.rows.saturating_mul(shape.cols);
        if shape.dtype.is_fp4() { elements.div_ceil(2) } else { elements.saturating_mul(shape.dtype.bytes()) }
    }

    /// True when an element takes as many bits as one of another type.
    pub(crate) fn as_wide_as(&self, ty: DType) -> bool {
        self.shape.dtype.bytes() == ty.bytes() && self.shape.dtype.is_fp4() == ty.is_fp4()
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

/// The element at an index of a storage; 0 outside. An element of a packed 4-bit type is one code, the even one in the low half.
pub(crate) fn load(bytes: &[u8], index: u64, ty: DType) -> u64 {
    if ty.is_fp4() {
        let pair = bytes.get((index / 2) as usize).copied().unwrap_or(0);
        return u64::from(pair >> (4 * (index % 2)) & 0xf);
    }
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
    if ty.is_fp4() {
        if let Some(pair) = bytes.get_mut((index / 2) as usize) {
            let shift = 4 * (index % 2);
            *pair = *pair & !(0xf << shift) | ((bits & 0xf) as u8) << shift;
        }
        return;
    }
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

    /// Gives `f` a copy of a tile to write while it reads the operands, and puts the copy in place when `f` succeeds.
    ///
    /// # Errors
    /// When there is no tile of this name, and those of `f`.
    pub fn update(
        &mut self,
        name: &str,
        f: impl FnOnce(&Inst<'_>, &mut Tile) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut tile = self.tile(name)?.clone();
        f(self, &mut tile)?;
        *self.tile_mut(name)? = tile;
        Ok(())
    }

    /// As [`Inst::update`] for a view of global memory.
    ///
    /// # Errors
    /// When there is no view of this name, and those of `f`.
    pub fn update_tensor(
        &mut self,
        name: &str,
        f: impl FnOnce(&Inst<'_>, &mut Tensor) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut tensor = self.tensor(name)?.clone();
        f(self, &mut tensor)?;
        *self.tensor_mut(name)? = tensor;
        Ok(())
    }

    /// A refusal that names the instruction.
    pub(crate) fn illegal(&self, what: impl std::fmt::Display) -> Refusal {
        Refusal::Illegal(format!("`{}`: {what}", self.op))
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

    /// A view of global memory to be written.
    ///
    /// # Errors
    /// When there is no view of this name.
    pub fn tensor_mut(&mut self, name: &str) -> Result<&mut Tensor, Refusal> {
        let missing = self.missing(&format!("tensor `{name}`"));
        match self.operand_mut(name) {
            Some(Operand::Tensor(t)) => Ok(t),
            _ => Err(missing),
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

    /// A number, also one written out.
    pub fn int(&self, name: &str) -> Option<i64> {
        match self.attr(name)? {
            Attr::Int(n) => Some(*n),
            Attr::Bool(b) => Some(i64::from(*b)),
            Attr::Scalar(s) => i64::try_from(s.num().int()).ok(),
            Attr::Word(w) => w.parse().ok(),
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
