//! Moves between tiles and global memory: TLOAD, TSTORE, MGATHER, MSCATTER.

use super::requant::{Requant, pad_bits};
use super::{Inst, Meaning, Operand, Refusal, Tensor, TensorLayout, Tile};
use crate::num::{Num, decode, encode};
use ptoc_target::{DType, Layout, PadValue};

pub(super) const MEANINGS: &[(&str, Meaning)] =
    &[("mgather", mgather), ("mscatter", mscatter), ("tload", tload), ("tstore", tstore), ("tstore_fp", tstore)];

/// How a value combines with the one that is there.
#[derive(Clone, Copy)]
enum Atomic {
    None,
    Add,
    Max,
    Min,
}

impl Atomic {
    fn of(inst: &Inst<'_>) -> Result<Atomic, Refusal> {
        Ok(match inst.word("atomic") {
            None | Some("none") => Atomic::None,
            Some("add") => Atomic::Add,
            Some("max") => Atomic::Max,
            Some("min") => Atomic::Min,
            Some(other) => return Err(Refusal::Unsupported(format!("`{}` with atomic `{other}`", inst.op))),
        })
    }

    fn combine(self, ty: DType, old: u64, new: u64) -> u64 {
        let (a, b) = (decode(ty, old), decode(ty, new));
        match (self, a, b) {
            (Atomic::None, ..) => new,
            (Atomic::Add, Num::Int(a), Num::Int(b)) => encode(ty, Num::Int(a.wrapping_add(b))),
            (Atomic::Add, ..) => encode(ty, Num::Float(a.real() + b.real())),
            (Atomic::Max, ..) => {
                if greater(b, a) {
                    new
                } else {
                    old
                }
            }
            (Atomic::Min, ..) => {
                if greater(a, b) {
                    new
                } else {
                    old
                }
            }
        }
    }
}

fn greater(a: Num, b: Num) -> bool {
    match (a, b) {
        (Num::Int(a), Num::Int(b)) => a > b,
        _ => a.real() > b.real(),
    }
}

fn outside(inst: &Inst<'_>, r: u64, c: u64) -> Refusal {
    inst.illegal(format_args!("element ({r}, {c}) is outside the bytes of the global tensor"))
}

/// `src` into the valid region of `dst`. With a pad other than null an unboxed tile is padded to the end of the last
/// 32-byte block of each row (column when column-major).
fn tload(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    if let Some(Operand::Tensor(_)) = inst.operand("dst") {
        return load_view(inst);
    }
    inst.update("dst", |inst, dst| {
        let src = inst.tensor("src")?;
        if !dst.as_wide_as(src.dtype) {
            return Err(inst.illegal(format_args!("{} elements do not fit a tile of {}", src.dtype, dst.shape.dtype)));
        }
        for r in 0..dst.valid_rows {
            for c in 0..dst.valid_cols {
                let bits = src.at(r, c).and_then(|at| src.bits(at)).ok_or_else(|| outside(inst, r, c))?;
                dst.set_bits(r, c, bits);
            }
        }
        let Some(pad) = pad_bits(dst.shape.dtype, dst.pad) else { return Ok(()) };
        let (rows, cols) = padded(dst);
        for r in 0..rows {
            for c in 0..cols {
                if r >= dst.valid_rows || c >= dst.valid_cols {
                    dst.set_bits(r, c, pad);
                }
            }
        }
        Ok(())
    })
}

/// How many rows and columns a load fills: the valid ones, with a pad up to the end of the last block of an unboxed tile.
pub(super) fn padded(dst: &Tile) -> (u64, u64) {
    let whole = |n: u64| n.next_multiple_of(dst.shape.dtype.c0());
    match (dst.pad, dst.shape.layout) {
        (PadValue::Null, _) => (dst.valid_rows, dst.valid_cols),
        (_, Layout::Nd) => (dst.valid_rows, whole(dst.valid_cols).min(dst.shape.cols)),
        (_, Layout::Dn) => (whole(dst.valid_rows).min(dst.shape.rows), dst.valid_cols),
        _ => (dst.valid_rows, dst.valid_cols),
    }
}

/// A view into a view of the same extents: how a convolution tile, whose storage is five-dimensional, is loaded.
fn load_view(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update_tensor("dst", |inst, dst| {
        let src = inst.tensor("src")?;
        if src.shape != dst.shape || src.dtype != dst.dtype {
            return Err(Refusal::Unsupported(format!("`{}` between views of different extents or types", inst.op)));
        }
        let [n0, n1, n2, n3, n4] = src.shape;
        for i in 0..n0 {
            for (j, k) in (0..n1).flat_map(|j| (0..n2).map(move |k| (j, k))) {
                for (l, m) in (0..n3).flat_map(|l| (0..n4).map(move |m| (l, m))) {
                    let at = [i, j, k, l, m];
                    let bits = src.flat(at).and_then(|at| src.bits(at)).ok_or_else(|| outside(inst, l, m))?;
                    if !dst.flat(at).is_some_and(|at| dst.set_bits(at, bits)) {
                        return Err(outside(inst, l, m));
                    }
                }
            }
        }
        Ok(())
    })
}

/// The valid region of `src`, converted as the attributes say, into `dst`.
fn tstore(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let atomic = Atomic::of(inst)?;
    inst.update_tensor("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let f = Requant::of(inst, src.shape.dtype, dst.dtype)?;
        for r in 0..src.valid_rows {
            for c in 0..src.valid_cols {
                let at = dst.at(r, c).ok_or_else(|| outside(inst, r, c))?;
                put(inst, dst, at, f.bits(src.bits(r, c), c), atomic)?;
            }
        }
        Ok(())
    })
}

fn put(inst: &Inst<'_>, dst: &mut Tensor, at: u64, bits: u64, atomic: Atomic) -> Result<(), Refusal> {
    let old = dst.bits(at).ok_or_else(|| inst.illegal(format_args!("element {at} is outside the global tensor")))?;
    dst.set_bits(at, atomic.combine(dst.dtype, old, bits));
    Ok(())
}

/// What an index picks.
#[derive(Clone, Copy, PartialEq)]
enum Coalesce {
    Row,
    Elem,
}

/// What becomes of an index.
enum Picked {
    At(u64),
    Zero,
    Nothing,
}

/// The `coalesce` and `oob` attributes and the size of the indexed table.
struct Picker<'a> {
    inst: &'a Inst<'a>,
    coalesce: Coalesce,
    capacity: u64,
}

impl<'a> Picker<'a> {
    fn of(inst: &'a Inst<'_>, table: &Tensor) -> Result<Picker<'a>, Refusal> {
        let coalesce = match inst.word("coalesce") {
            None | Some("row") => Coalesce::Row,
            Some("elem") => Coalesce::Elem,
            Some(other) => return Err(Refusal::Unsupported(format!("`{}` with coalesce `{other}`", inst.op))),
        };
        let rows = match table.layout {
            TensorLayout::Nz => table.shape[2].saturating_mul(table.shape[3]),
            _ => table.shape[..4].iter().fold(1, |n: u64, s| n.saturating_mul(*s)),
        };
        let capacity = match coalesce {
            Coalesce::Row => rows,
            Coalesce::Elem => table.shape.iter().fold(1, |n: u64, s| n.saturating_mul(*s)),
        };
        Ok(Picker { inst, coalesce, capacity })
    }

    /// Where element `(r, c)` of a tile finds its partner. Index bits are read as unsigned.
    fn at(&self, table: &Tensor, indexes: &Operand, r: u64, c: u64) -> Result<Picked, Refusal> {
        let inst = self.inst;
        let index = match (indexes, self.coalesce) {
            (Operand::Tile(t), Coalesce::Row) if t.valid_rows == 1 => t.bits(0, r),
            (Operand::Tile(t), Coalesce::Row) => t.bits(r, 0),
            (Operand::Tile(t), Coalesce::Elem) => t.bits(r, c),
            (Operand::Tensor(t), coalesce) => {
                // Indices of rows lie one after another.
                let at = if coalesce == Coalesce::Row { Some(r) } else { t.at(r, c) };
                at.and_then(|at| t.bits(at)).ok_or_else(|| outside(inst, r, c))?
            }
            (Operand::Scalar(_), _) => return Err(inst.illegal("the indices are a scalar")),
        };
        let index = match (index < self.capacity, inst.word("oob")) {
            (true, _) => index,
            (_, Some("clamp")) => self.capacity.saturating_sub(1),
            (_, Some("wrap")) => index.checked_rem(self.capacity).unwrap_or(0),
            (_, Some("zero")) => return Ok(Picked::Zero),
            (_, Some("skip")) => return Ok(Picked::Nothing),
            (_, None | Some("undefined")) => {
                return Err(inst.illegal(format_args!("index {index} is not below {}", self.capacity)));
            }
            (_, Some(other)) => return Err(Refusal::Unsupported(format!("`{}` with oob `{other}`", inst.op))),
        };
        let at = match (self.coalesce, table.layout) {
            (Coalesce::Row, _) => table.at(index, c),
            // A flat index runs over the columns of an NZ table, and over the memory of any other.
            (Coalesce::Elem, TensorLayout::Nz) => {
                let cols = table.shape[0].saturating_mul(table.shape[1]).saturating_mul(table.shape[4]).max(1);
                table.at(index / cols, index % cols)
            }
            (Coalesce::Elem, _) => Some(index),
        };
        at.map(Picked::At).ok_or_else(|| inst.illegal(format_args!("index {index} overflows the address")))
    }
}

/// The name of the global table, which the instruction tables call `mem`, `table`, or as plain source or destination.
fn table<'a>(inst: &Inst<'_>, plain: &'a str) -> &'a str {
    ["mem", "table"].into_iter().find(|name| inst.operand(name).is_some()).unwrap_or(plain)
}

fn indexes<'a>(inst: &'a Inst<'_>) -> Result<&'a Operand, Refusal> {
    inst.operand("indexes").or_else(|| inst.operand("idx")).ok_or_else(|| inst.illegal("there are no indices"))
}

/// Rows or elements of a table in global memory.
fn mgather(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let table = table(inst, "src");
    inst.update("dst", |inst, dst| {
        let (src, indexes) = (inst.tensor(table)?, indexes(inst)?);
        let picker = Picker::of(inst, src)?;
        for r in 0..dst.valid_rows {
            for c in 0..dst.valid_cols {
                let bits = match picker.at(src, indexes, r, c)? {
                    Picked::At(at) => src.bits(at).ok_or_else(|| outside(inst, r, c))?,
                    Picked::Zero => 0,
                    Picked::Nothing => continue,
                };
                dst.set_bits(r, c, bits);
            }
        }
        Ok(())
    })
}

/// A tile into rows or elements of a table in global memory, in row-major order: the last of two equal indices wins.
fn mscatter(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let atomic = Atomic::of(inst)?;
    let table = table(inst, "dst");
    inst.update_tensor(table, |inst, dst| {
        let (src, indexes) = (inst.tile("src")?, indexes(inst)?);
        let picker = Picker::of(inst, dst)?;
        for r in 0..src.valid_rows {
            for c in 0..src.valid_cols {
                if let Picked::At(at) = picker.at(dst, indexes, r, c)? {
                    put(inst, dst, at, src.bits(r, c), atomic)?;
                }
            }
        }
        Ok(())
    })
}
