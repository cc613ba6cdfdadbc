//! Reductions of rows and columns, positions of extremes, sums of pairs, histograms.
//!
//! Float sums and products go from the first element to the last and round at each step; a row sum of a 16-bit type is
//! kept in f32 and rounded once.

use super::arith::{self, Binary};
use super::cells::{Kinds, check_kind, same_type};
use super::{Inst, Meaning, Refusal, Tile};
use crate::num::{Num, encode, narrow};
use ptoc_target::DType;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("tcolargmax", |i| position(i, Axis::Column, |a, b| a > b)),
    ("tcolargmin", |i| position(i, Axis::Column, |a, b| a < b)),
    ("tcolmax", |i| reduce(i, Axis::Column, Fold::extreme(arith::max))),
    ("tcolmin", |i| reduce(i, Axis::Column, Fold::extreme(arith::min))),
    ("tcolprod", |i| reduce(i, Axis::Column, Fold::PRODUCT)),
    ("tcolsum", |i| reduce(i, Axis::Column, Fold::SUM)),
    ("thistogram", thistogram),
    ("tpairreducesum", tpairreducesum),
    ("trowargmax", |i| position(i, Axis::Row, |a, b| a > b)),
    ("trowargmin", |i| position(i, Axis::Row, |a, b| a < b)),
    ("trowmax", |i| reduce(i, Axis::Row, Fold::extreme(arith::max))),
    ("trowmin", |i| reduce(i, Axis::Row, Fold::extreme(arith::min))),
    ("trowprod", |i| reduce(i, Axis::Row, Fold::PRODUCT)),
    ("trowsum", |i| reduce(i, Axis::Row, Fold::WIDE_SUM)),
];

/// What becomes one value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// Each row, in column 0.
    Row,
    /// Each column, in row 0.
    Column,
}

impl Axis {
    /// How many lines there are, and how many elements each has.
    fn extents(self, t: &Tile) -> (u64, u64) {
        match self {
            Axis::Row => (t.valid_rows, t.valid_cols),
            Axis::Column => (t.valid_cols, t.valid_rows),
        }
    }

    /// Row and column of an element of a line.
    fn place(self, line: u64, element: u64) -> (u64, u64) {
        match self {
            Axis::Row => (line, element),
            Axis::Column => (element, line),
        }
    }
}

/// The valid region of a destination must have a place for each line.
fn place_for_each(inst: &Inst<'_>, axis: Axis, lines: u64, name: &str, dst: &Tile) -> Result<(), Refusal> {
    let (places, length) = axis.extents(dst);
    if places >= lines && length > 0 {
        return Ok(());
    }
    let what = if axis == Axis::Row { "rows" } else { "columns" };
    Err(inst.illegal(format_args!("`{name}` is valid in {places} {what}, `src` in {lines}")))
}

/// How elements of a line are joined.
struct Fold {
    /// The value before the first element; without one the first element is it.
    start: Option<i8>,
    /// One step.
    step: Binary,
    /// Keep the value of a 16-bit float in f32.
    wide: bool,
}

impl Fold {
    const SUM: Fold = Fold { start: Some(0), step: arith::add, wide: false };
    const WIDE_SUM: Fold = Fold { start: Some(0), step: arith::add, wide: true };
    const PRODUCT: Fold = Fold { start: Some(1), step: arith::mul, wide: false };

    const fn extreme(step: Binary) -> Fold {
        Fold { start: None, step, wide: false }
    }
}

fn reduce(inst: &mut Inst<'_>, axis: Axis, fold: Fold) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let ty = src.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        same_type(inst, "src", src, dst)?;
        let (lines, length) = axis.extents(src);
        place_for_each(inst, axis, lines, "dst", dst)?;
        let working = if fold.wide && !ty.is_int() { DType::F32 } else { ty };
        let start = fold.start.map(|n| if ty.is_int() { Num::Int(n.into()) } else { Num::Float(n.into()) });
        for line in 0..lines {
            let mut sum = start;
            for element in 0..length {
                let (r, c) = axis.place(line, element);
                let x = src.get(r, c);
                sum = Some(match sum {
                    Some(sum) => narrow(working, (fold.step)(working, sum, x)),
                    None => x,
                });
            }
            let (r, c) = axis.place(line, 0);
            if let Some(sum) = sum {
                dst.set(r, c, sum);
            }
        }
        Ok(())
    })
}

/// The place of the extreme of each line, the first one of several, in `dst` or `dst_idx`; `dst_val` gets the value. A NaN
/// comes before every number.
fn position(inst: &mut Inst<'_>, axis: Axis, better: fn(f64, f64) -> bool) -> Result<(), Refusal> {
    let src = inst.tile("src")?;
    check_kind(inst, Kinds::Numbers, src.shape.dtype)?;
    let (lines, length) = axis.extents(src);
    let index_name = if inst.operand("dst_idx").is_some() { "dst_idx" } else { "dst" };
    let mut index = inst.tile(index_name)?.clone();
    place_for_each(inst, axis, lines, index_name, &index)?;
    if !index.shape.dtype.is_int() {
        return Err(inst.illegal(format_args!("positions as elements of {}", index.shape.dtype)));
    }
    let mut value = inst.operand("dst_val").map(|_| inst.tile("dst_val").cloned()).transpose()?;
    if let Some(value) = &value {
        place_for_each(inst, axis, lines, "dst_val", value)?;
        same_type(inst, "src", src, value)?;
    }
    for line in (0..lines).filter(|_| length > 0) {
        let at = |element| axis.place(line, element);
        let real = |element| {
            let (r, c) = at(element);
            src.get(r, c).real()
        };
        let best = (1..length).fold(0, |best, element| {
            let (x, y) = (real(element), real(best));
            if !y.is_nan() && (x.is_nan() || better(x, y)) { element } else { best }
        });
        let (r, c) = at(0);
        index.set(r, c, Num::Int(best.into()));
        if let Some(value) = &mut value {
            let (best_r, best_c) = at(best);
            value.set_bits(r, c, src.bits(best_r, best_c));
        }
    }
    *inst.tile_mut(index_name)? = index;
    if let Some(value) = value {
        *inst.tile_mut("dst_val")? = value;
    }
    Ok(())
}

/// `dst[r, k] = src[r, 2k] + src[r, 2k + 1]` for each whole pair of valid columns; the rest of the row is left.
fn tpairreducesum(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Floats, ty)?;
        same_type(inst, "src", src, dst)?;
        if (dst.valid_rows, dst.valid_cols) != (src.valid_rows, src.valid_cols) {
            return Err(inst.illegal("`src` and `dst` must have the same valid region"));
        }
        for r in 0..src.valid_rows {
            for k in 0..src.valid_cols / 2 {
                dst.set(r, k, arith::add(ty, src.get(r, 2 * k), src.get(r, 2 * k + 1)));
            }
        }
        Ok(())
    })
}

/// For each row and each b of 256: how many elements have a byte number `byte` of at most b, among those whose higher bytes
/// are the filters. 16-bit elements have one filter a row, `idx[r, 0]` for their byte 1; 32-bit elements one a byte,
/// `idx[0, 0]` for byte 3 and so on down.
fn thistogram(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let bytes = match (src.shape.dtype, dst.shape.dtype) {
            (DType::U16, DType::U32) => 2,
            (DType::U32, DType::U32) => 4,
            (from, to) => return Err(Refusal::Unsupported(format!("`{}` of {from} in {to}", inst.op))),
        };
        let byte = match inst.int("byte") {
            Some(n) if (0..bytes).contains(&n) => n,
            n => return Err(inst.illegal(format_args!("byte is {n:?} of {bytes}"))),
        };
        if dst.shape.cols < 256 || dst.shape.rows < src.valid_rows {
            return Err(inst.illegal(format_args!("no 256 counts for each of {} rows", src.valid_rows)));
        }
        let idx = if byte + 1 < bytes { Some(inst.tile("idx")?) } else { None };
        let filter = |r: u64, m: i64| {
            idx.map_or(0, |idx| if bytes == 2 { idx.bits(r, 0) } else { idx.bits((3 - m) as u64, 0) }) & 0xff
        };
        for r in 0..src.valid_rows {
            let mut counts = [0_u64; 256];
            for c in 0..src.valid_cols {
                let of = |m: i64| src.bits(r, c) >> (8 * m) & 0xff;
                if (byte + 1..bytes).all(|m| of(m) == filter(r, m)) {
                    counts[of(byte) as usize] += 1;
                }
            }
            let mut sum = 0;
            for (b, n) in counts.iter().enumerate() {
                sum += n;
                dst.set_bits(r, b as u64, encode(DType::U32, Num::Int(sum.into())));
            }
        }
        Ok(())
    })
}
