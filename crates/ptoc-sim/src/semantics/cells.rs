//! Walks over the elements of tiles.

use super::{Inst, Refusal, Tile};
use crate::num::Num;
use ptoc_target::{DType, DTypeClass};

/// Writes each element of the valid region of `dst`.
pub(super) fn each(dst: &mut Tile, f: impl Fn(u64, u64) -> Num) {
    for r in 0..dst.valid_rows {
        for c in 0..dst.valid_cols {
            dst.set(r, c, f(r, c));
        }
    }
}

/// As [`each`] with bits.
pub(super) fn each_bits(dst: &mut Tile, f: impl Fn(u64, u64) -> u64) {
    for r in 0..dst.valid_rows {
        for c in 0..dst.valid_cols {
            dst.set_bits(r, c, f(r, c));
        }
    }
}

/// A source that is valid wherever `dst` is.
pub(super) fn covering<'i>(inst: &'i Inst<'_>, name: &str, dst: &Tile) -> Result<&'i Tile, Refusal> {
    let src = inst.tile(name)?;
    if src.valid_rows < dst.valid_rows || src.valid_cols < dst.valid_cols {
        return Err(inst.illegal(format_args!(
            "`{name}` is valid in {} x {}, the destination in {} x {}",
            src.valid_rows, src.valid_cols, dst.valid_rows, dst.valid_cols
        )));
    }
    Ok(src)
}

/// As [`covering`], of the element type of `dst`.
pub(super) fn alike<'i>(inst: &'i Inst<'_>, name: &str, dst: &Tile) -> Result<&'i Tile, Refusal> {
    let src = covering(inst, name, dst)?;
    same_type(inst, name, src, dst)?;
    Ok(src)
}

/// An operand must have the element type of `dst`.
pub(super) fn same_type(inst: &Inst<'_>, name: &str, src: &Tile, dst: &Tile) -> Result<(), Refusal> {
    if src.shape.dtype == dst.shape.dtype {
        return Ok(());
    }
    Err(inst.illegal(format_args!("`{name}` has elements of {}, not of {}", src.shape.dtype, dst.shape.dtype)))
}

/// Element types an operator is defined for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kinds {
    /// Integers and floats of 16 bits or more.
    Numbers,
    /// Integers.
    Integers,
    /// Floats of 16 bits or more.
    Floats,
}

/// Refuses an element type without arithmetic.
pub(super) fn check_kind(inst: &Inst<'_>, kinds: Kinds, ty: DType) -> Result<(), Refusal> {
    let float = ty.class() == DTypeClass::Float && ty != DType::BF16x2;
    let known = match kinds {
        Kinds::Numbers => ty.is_int() || float,
        Kinds::Integers => ty.is_int(),
        Kinds::Floats => float,
    };
    if known { Ok(()) } else { Err(Refusal::Unsupported(format!("`{}` on elements of {ty}", inst.op))) }
}

/// A scalar as a value of an element type.
pub(super) fn scalar(inst: &Inst<'_>, name: &str, ty: DType) -> Result<Num, Refusal> {
    let s = inst.scalar(name)?;
    Ok(if s.dtype == ty { s.num() } else { crate::num::narrow(ty, s.num()) })
}
