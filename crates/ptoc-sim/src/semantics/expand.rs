//! One value a row or a column against a whole tile.

use super::arith::{self, Binary};
use super::cells::{Kinds, check_kind, each, each_bits, same_type};
use super::{Inst, Meaning, Refusal, Tile};
use ptoc_target::Layout;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("tcolexpand", tcolexpand),
    ("tcolexpandadd", |i| columns(i, Kinds::Numbers, arith::add)),
    ("tcolexpanddiv", |i| columns(i, Kinds::Numbers, arith::div)),
    ("tcolexpandexpdif", |i| columns(i, Kinds::Floats, arith::expdif)),
    ("tcolexpandmax", |i| columns(i, Kinds::Numbers, arith::max)),
    ("tcolexpandmin", |i| columns(i, Kinds::Numbers, arith::min)),
    ("tcolexpandmul", |i| columns(i, Kinds::Numbers, arith::mul)),
    ("tcolexpandsub", |i| columns(i, Kinds::Numbers, arith::sub)),
    ("trowexpand", trowexpand),
    ("trowexpandadd", |i| rows(i, Kinds::Numbers, arith::add)),
    ("trowexpanddiv", |i| rows(i, Kinds::Numbers, arith::div)),
    ("trowexpandexpdif", |i| rows(i, Kinds::Floats, arith::expdif)),
    ("trowexpandmax", |i| rows(i, Kinds::Numbers, arith::max)),
    ("trowexpandmin", |i| rows(i, Kinds::Numbers, arith::min)),
    ("trowexpandmul", |i| rows(i, Kinds::Numbers, arith::mul)),
    ("trowexpandsub", |i| rows(i, Kinds::Numbers, arith::sub)),
];

/// Refuses a source with fewer valid rows or columns than are read.
fn holds(inst: &Inst<'_>, name: &str, src: &Tile, rows: u64, cols: u64) -> Result<(), Refusal> {
    if src.valid_rows >= rows && src.valid_cols >= cols {
        return Ok(());
    }
    Err(inst.illegal(format_args!(
        "`{name}` is valid in {} x {}, and {rows} x {cols} are read",
        src.valid_rows, src.valid_cols
    )))
}

/// `dst[r, c] = src[r, 0]`. One row with as many columns as `dst` has rows is read as a column.
fn trowexpand(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        same_type(inst, "src", src, dst)?;
        let across = src.shape.rows == 1 && src.valid_cols > 1 && src.shape.cols == dst.shape.rows;
        if across {
            holds(inst, "src", src, 1, dst.valid_rows)?;
        } else {
            holds(inst, "src", src, dst.valid_rows, 1)?;
        }
        each_bits(dst, |r, _| if across { src.bits(0, r) } else { src.bits(r, 0) });
        Ok(())
    })
}

/// `dst[r, c] = src[0, c]`.
fn tcolexpand(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        same_type(inst, "src", src, dst)?;
        holds(inst, "src", src, 1, dst.valid_cols)?;
        each_bits(dst, |_, c| src.bits(0, c));
        Ok(())
    })
}

fn as_valid_as(t: &Tile, dst: &Tile) -> bool {
    t.valid_rows == dst.valid_rows && t.valid_cols == dst.valid_cols
}

/// `dst[r, c] = f(src0[r, c], e[r])`, or `f(e[r], src1[r, c])` when `src1` is the whole tile.
///
/// The whole tile is the row-major source with the valid region of `dst`; of two such, the one with the longer rows. A
/// column-major `e` has one value a row, a row-major one a block of 32 bytes that repeats along the row.
fn rows(inst: &mut Inst<'_>, kinds: Kinds, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, kinds, ty)?;
        let (a, b) = (inst.tile("src0")?, inst.tile("src1")?);
        same_type(inst, "src0", a, dst)?;
        same_type(inst, "src1", b, dst)?;
        let whole = |t: &Tile| as_valid_as(t, dst) && t.shape.layout == Layout::Nd;
        let first = match (whole(a), whole(b)) {
            (true, true) => a.shape.cols >= b.shape.cols,
            (first, _) => first,
        };
        let (full, full_name, e, e_name) = if first { (a, "src0", b, "src1") } else { (b, "src1", a, "src0") };
        holds(inst, full_name, full, dst.valid_rows, dst.valid_cols)?;
        let block = if e.shape.layout == Layout::Nd && e.valid_cols > 1 { ty.c0() } else { 1 };
        holds(inst, e_name, e, dst.valid_rows, block.min(dst.valid_cols))?;
        each(dst, |r, c| {
            let (x, y) = (full.get(r, c), e.get(r, c % block));
            if first { f(ty, x, y) } else { f(ty, y, x) }
        });
        Ok(())
    })
}

/// `dst[r, c] = f(src0[r, c], src1[0, c])`, or `f(src0[0, c], src1[r, c])` when `src0` has not the valid region of `dst`.
fn columns(inst: &mut Inst<'_>, kinds: Kinds, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, kinds, ty)?;
        let (a, b) = (inst.tile("src0")?, inst.tile("src1")?);
        same_type(inst, "src0", a, dst)?;
        same_type(inst, "src1", b, dst)?;
        let first = as_valid_as(a, dst);
        let (full, full_name, e, e_name) = if first { (a, "src0", b, "src1") } else { (b, "src1", a, "src0") };
        holds(inst, full_name, full, dst.valid_rows, dst.valid_cols)?;
        holds(inst, e_name, e, 1, dst.valid_cols)?;
        each(dst, |r, c| {
            let (x, y) = (full.get(r, c), e.get(0, c));
            if first { f(ty, x, y) } else { f(ty, y, x) }
        });
        Ok(())
    })
}
