//! Two tiles of different valid regions: the operator where both are valid, else the element of the valid one.

use super::arith::{self, Binary};
use super::cells::{Kinds, check_kind, same_type};
use super::{Inst, Meaning, Refusal, Tile};
use crate::num::Num;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("tpartadd", |i| part(i, arith::add)),
    ("tpartargmax", |i| with_index(i, |a, b| a >= b)),
    ("tpartargmin", |i| with_index(i, |a, b| a <= b)),
    ("tpartmax", |i| part(i, arith::max)),
    ("tpartmin", |i| part(i, arith::min)),
    ("tpartmul", |i| part(i, arith::mul)),
];

fn valid(t: &Tile, r: u64, c: u64) -> bool {
    r < t.valid_rows && c < t.valid_cols
}

/// One source must be valid wherever the destination is.
fn one_covers(inst: &Inst<'_>, a: &Tile, b: &Tile, dst: &Tile) -> Result<(), Refusal> {
    let covers = |t: &Tile| t.valid_rows >= dst.valid_rows && t.valid_cols >= dst.valid_cols;
    if covers(a) || covers(b) {
        return Ok(());
    }
    Err(inst.illegal(format_args!(
        "neither source is valid in all of the {} x {} of the destination",
        dst.valid_rows, dst.valid_cols
    )))
}

fn part(inst: &mut Inst<'_>, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, Kinds::Numbers, ty)?;
        let (a, b) = (inst.tile("src0")?, inst.tile("src1")?);
        same_type(inst, "src0", a, dst)?;
        same_type(inst, "src1", b, dst)?;
        one_covers(inst, a, b, dst)?;
        for r in 0..dst.valid_rows {
            for c in 0..dst.valid_cols {
                match (valid(a, r, c), valid(b, r, c)) {
                    (true, true) => dst.set(r, c, f(ty, a.get(r, c), b.get(r, c))),
                    (true, false) => dst.set_bits(r, c, a.bits(r, c)),
                    _ => dst.set_bits(r, c, b.bits(r, c)),
                }
            }
        }
        Ok(())
    })
}

/// Takes value and index of `src0` where `first` holds between the two values, also for equal ones, else those of `src1`, also
/// for a NaN.
fn with_index(inst: &mut Inst<'_>, first: fn(f64, f64) -> bool) -> Result<(), Refusal> {
    let mut index = inst.tile("dst_idx")?.clone();
    inst.update("dst", |inst, dst| {
        let (a, b) = (inst.tile("src0")?, inst.tile("src1")?);
        let (ia, ib) = (inst.tile("src0_idx")?, inst.tile("src1_idx")?);
        same_type(inst, "src0", a, dst)?;
        same_type(inst, "src1", b, dst)?;
        same_type(inst, "src0_idx", ia, &index)?;
        same_type(inst, "src1_idx", ib, &index)?;
        one_covers(inst, a, b, dst)?;
        for r in 0..dst.valid_rows {
            for c in 0..dst.valid_cols {
                let real = |t: &Tile| Num::real(t.get(r, c));
                let take_first = match (valid(a, r, c), valid(b, r, c)) {
                    (true, true) => first(real(a), real(b)),
                    (only_first, _) => only_first,
                };
                let (value, at) = if take_first { (a, ia) } else { (b, ib) };
                dst.set_bits(r, c, value.bits(r, c));
                index.set_bits(r, c, at.bits(r, c));
            }
        }
        Ok(())
    })?;
    *inst.tile_mut("dst_idx")? = index;
    Ok(())
}
