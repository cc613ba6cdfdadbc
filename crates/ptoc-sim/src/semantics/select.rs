//! Comparisons into packed masks, and selection by them.
//!
//! The bit of column c is bit `c % w` of word `c / w` of the mask's row, w the width of its elements.

use super::cells::{alike, each_bits, same_type, scalar};
use super::{Inst, Meaning, Refusal, Tile};
use crate::num::{Num, encode};
use std::cmp::Ordering;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[("tcmp", tcmp), ("tcmps", tcmps), ("tsel", tsel), ("tsels", tsels)];

/// Whether an order satisfies a comparison; without an order, a NaN, only `ne` holds.
type Test = fn(Option<Ordering>) -> bool;

fn test(inst: &Inst<'_>) -> Result<Test, Refusal> {
    use Ordering::{Equal, Greater, Less};
    Ok(match inst.word("cmp_mode") {
        Some("eq") => |o| o == Some(Equal),
        Some("ne") => |o| o != Some(Equal),
        Some("lt") => |o| o == Some(Less),
        Some("le") => |o| matches!(o, Some(Less | Equal)),
        Some("gt") => |o| o == Some(Greater),
        Some("ge") => |o| matches!(o, Some(Greater | Equal)),
        other => return Err(inst.illegal(format_args!("the comparison is {other:?}"))),
    })
}

fn order(a: Num, b: Num) -> Option<Ordering> {
    match (a, b) {
        (Num::Int(x), Num::Int(y)) => Some(x.cmp(&y)),
        _ => a.real().partial_cmp(&b.real()),
    }
}

/// Elements in a word of a mask.
fn width(inst: &Inst<'_>, mask: &Tile) -> Result<u64, Refusal> {
    let ty = mask.shape.dtype;
    if ty.is_int() { Ok(8 * ty.bytes()) } else { Err(inst.illegal(format_args!("a mask of {ty}"))) }
}

/// The words that hold the bits of the valid columns of `src`; bits past the last column are zero.
fn compare(inst: &Inst<'_>, dst: &mut Tile, src: &Tile, other: impl Fn(u64, u64) -> Num) -> Result<(), Refusal> {
    let (w, holds) = (width(inst, dst)?, test(inst)?);
    let words = src.valid_cols.div_ceil(w);
    if words > dst.shape.cols || src.valid_rows > dst.shape.rows {
        return Err(inst.illegal(format_args!(
            "a mask of {} x {} elements holds no bit for each of {} x {}",
            dst.shape.rows, dst.shape.cols, src.valid_rows, src.valid_cols
        )));
    }
    for r in 0..src.valid_rows {
        for word in 0..words {
            let columns = word * w..src.valid_cols.min((word + 1) * w);
            let bits = columns.fold(0, |bits, c| bits | u64::from(holds(order(src.get(r, c), other(r, c)))) << (c % w));
            dst.set_bits(r, word, bits);
        }
    }
    Ok(())
}

/// Element by element with a second tile.
fn tcmp(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let (a, b) = (inst.tile("src0")?, inst.tile("src1")?);
        same_type(inst, "src1", b, a)?;
        compare(inst, dst, a, |r, c| b.get(r, c))
    })
}

/// Each element with a scalar, or with the first element of a second tile.
fn tcmps(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let a = inst.tile(if inst.operand("src").is_some() { "src" } else { "src0" })?;
        let s = match inst.operand("src1") {
            Some(_) => {
                let b = inst.tile("src1")?;
                same_type(inst, "src1", b, a)?;
                b.get(0, 0)
            }
            None => scalar(inst, "scalar", a.shape.dtype)?,
        };
        compare(inst, dst, a, |_, _| s)
    })
}

/// Whether the bit of an element is set.
fn is_set(mask: &Tile, w: u64, r: u64, c: u64) -> bool {
    mask.bits(r, c / w) >> (c % w) & 1 == 1
}

/// The first source where the bit is set, else the second.
fn tsel(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let mask = inst.tile("mask")?;
        let (a, b, w) = (alike(inst, "src0", dst)?, alike(inst, "src1", dst)?, width(inst, mask)?);
        each_bits(dst, |r, c| if is_set(mask, w, r, c) { a.bits(r, c) } else { b.bits(r, c) });
        Ok(())
    })
}

/// The source where the bit is set, else the scalar.
fn tsels(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        let mask = inst.tile("mask")?;
        let (a, w) = (alike(inst, "src", dst)?, width(inst, mask)?);
        let s = inst.scalar("scalar")?;
        let s = if s.dtype == ty { s.bits } else { encode(ty, s.num()) };
        each_bits(dst, |r, c| if is_set(mask, w, r, c) { a.bits(r, c) } else { s });
        Ok(())
    })
}
