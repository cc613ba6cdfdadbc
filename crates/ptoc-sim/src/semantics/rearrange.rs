//! Elements that change their place inside vector tiles: TTRANS, TGATHER, TGATHERB, TSCATTER, TINTERLEAVE, TDEINTERLEAVE,
//! TCONCAT.

use super::operand::{load, store};
use super::{Inst, Meaning, Refusal, Tile};
use crate::num::Num;
use ptoc_target::BLOCK_BYTES;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("tconcat", tconcat),
    ("tconcatidx", tconcat),
    ("tdeinterleave", tdeinterleave),
    ("tgather", tgather),
    ("tgatherb", tgatherb),
    ("tinterleave", tinterleave),
    ("tscatter", tscatter),
    ("ttrans", ttrans),
];

/// The element widths of two tiles agree.
fn same_width(inst: &Inst<'_>, a: &Tile, b: &Tile) -> Result<(), Refusal> {
    if a.as_wide_as(b.shape.dtype) {
        return Ok(());
    }
    Err(inst.illegal(format_args!("elements of {} are not as wide as those of {}", a.shape.dtype, b.shape.dtype)))
}

/// A region fits the static shape of a tile.
fn fits(inst: &Inst<'_>, what: &str, tile: &Tile, rows: u64, cols: u64) -> Result<(), Refusal> {
    if rows <= tile.shape.rows && cols <= tile.shape.cols {
        return Ok(());
    }
    Err(inst.illegal(format_args!(
        "{rows} x {cols} elements do not fit `{what}`, which has {} x {}",
        tile.shape.rows, tile.shape.cols
    )))
}

/// `dst[c, r] = src[r, c]`.
fn ttrans(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        same_width(inst, src, dst)?;
        fits(inst, "dst", dst, src.valid_cols, src.valid_rows)?;
        for r in 0..src.valid_rows {
            for c in 0..src.valid_cols {
                dst.set_bits(c, r, src.bits(r, c));
            }
        }
        Ok(())
    })
}

/// A mask pattern: of every `period` elements the one at `position` counts.
struct Pattern {
    period: u64,
    position: u64,
}

impl Pattern {
    fn of(inst: &Inst<'_>) -> Result<Pattern, Refusal> {
        let pattern = |period, position| Ok(Pattern { period, position });
        match inst.word("mask_pattern") {
            Some("P0101") => pattern(2, 0),
            Some("P1010") => pattern(2, 1),
            Some("P0001") => pattern(4, 0),
            Some("P0010") => pattern(4, 1),
            Some("P0100") => pattern(4, 2),
            Some("P1000") => pattern(4, 3),
            Some("P1111") => pattern(1, 0),
            Some(other) => Err(Refusal::Unsupported(format!("`{}` with mask pattern `{other}`", inst.op))),
            None => Err(inst.illegal("there is no mask pattern")),
        }
    }
}

/// Whether a mask pattern counts rows; it counts columns when the axis is `row` or absent.
fn by_rows(inst: &Inst<'_>) -> Result<bool, Refusal> {
    match inst.word("axis") {
        None | Some("row") => Ok(false),
        Some("col") => Ok(true),
        Some(other) => Err(Refusal::Unsupported(format!("`{}` along axis `{other}`", inst.op))),
    }
}

/// By index, by mask pattern, or the positions of the elements that compare true.
fn tgather(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    if inst.attr("mask_pattern").is_some() {
        return inst.update("dst", gather_pattern);
    }
    match inst.operand("k_value").or_else(|| inst.operand("kValue")) {
        Some(_) => gather_compare(inst),
        None => inst.update("dst", gather_index),
    }
}

/// `dst[i, j]` is the element of the buffer of `src` that the index counts, row by row of the static shape.
fn gather_index(inst: &Inst<'_>, dst: &mut Tile) -> Result<(), Refusal> {
    let src = inst.tile("src").or_else(|_| inst.tile("src0"))?;
    let indices = inst.tile("indices").or_else(|_| inst.tile("src1"))?;
    same_width(inst, src, dst)?;
    let capacity = src.shape.rows.saturating_mul(src.shape.cols);
    for r in 0..dst.valid_rows {
        for c in 0..dst.valid_cols {
            let index = indices.bits(r, c);
            if index >= capacity {
                return Err(inst.illegal(format_args!("index {index} is not below {capacity}")));
            }
            dst.set_bits(r, c, src.bits(index / src.shape.cols, index % src.shape.cols));
        }
    }
    Ok(())
}

/// The elements of the pattern's columns, packed row after row, or the rows of the pattern.
fn gather_pattern(inst: &Inst<'_>, dst: &mut Tile) -> Result<(), Refusal> {
    let src = inst.tile("src").or_else(|_| inst.tile("src0"))?;
    same_width(inst, src, dst)?;
    let p = Pattern::of(inst)?;
    if by_rows(inst)? {
        let rows = src.valid_rows / p.period;
        fits(inst, "dst", dst, rows, src.valid_cols)?;
        for r in 0..rows {
            for c in 0..src.valid_cols {
                dst.set_bits(r, c, src.bits(p.period * r + p.position, c));
            }
        }
        return Ok(());
    }
    let width = dst.valid_cols.max(1);
    let mut next = 0;
    for r in 0..src.valid_rows {
        for c in (p.position..src.valid_cols).step_by(p.period as usize) {
            if next / width >= dst.shape.rows {
                return Err(inst.illegal("dst has fewer elements than the pattern picks"));
            }
            dst.set_bits(next / width, next % width, src.bits(r, c));
            next += 1;
        }
    }
    Ok(())
}

/// Row by row the positions where `src` compares true with the row's threshold; `cdst` gets how many there are.
fn gather_compare(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let mut dst = inst.tile("dst")?.clone();
    let mut counts = inst.tile("cdst")?.clone();
    {
        let src = inst.tile("src").or_else(|_| inst.tile("src0"))?;
        let threshold = inst.tile("k_value").or_else(|_| inst.tile("kValue"))?;
        let offset = i128::from(inst.int("offset").unwrap_or(0));
        let holds: fn(f64, f64) -> bool = match inst.word("cmp_mode") {
            Some("gt") => |a, b| a > b,
            Some("eq") => |a, b| a == b,
            other => return Err(Refusal::Unsupported(format!("`{}` with comparison {other:?}", inst.op))),
        };
        for r in 0..src.valid_rows {
            let k = if threshold.valid_rows == 1 { threshold.get(0, r) } else { threshold.get(r, 0) };
            let mut n = 0;
            for c in 0..src.valid_cols {
                // 32-bit integers and thresholds are exact in f64.
                if holds(src.get(r, c).real(), k.real()) {
                    fits(inst, "dst", &dst, r + 1, n + 1)?;
                    dst.set(r, n, Num::Int(offset + i128::from(r * src.shape.cols + c)));
                    n += 1;
                }
            }
            let (row, col) = if counts.valid_rows == 1 { (0, r) } else { (r, 0) };
            counts.set(row, col, Num::Int(i128::from(n)));
        }
    }
    *inst.tile_mut("dst")? = dst;
    *inst.tile_mut("cdst")? = counts;
    Ok(())
}

/// Blocks of 32 bytes from byte offsets into the buffer of `src`.
fn tgatherb(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let offsets = inst.tile("offset").or_else(|_| inst.tile("offsets"))?;
        let (ty, block) = (dst.shape.dtype, dst.shape.dtype.c0());
        for r in 0..dst.valid_rows {
            for c in 0..dst.valid_cols {
                let at = offsets.bits(r, c / block);
                let within = at.checked_add(BLOCK_BYTES).is_some_and(|end| end <= src.bytes.len() as u64);
                let from = usize::try_from(at).ok().and_then(|at| src.bytes.get(at..)).filter(|_| within);
                let from = from.ok_or_else(|| {
                    inst.illegal(format_args!("the block at byte {at} is outside the {} bytes of src", src.bytes.len()))
                })?;
                dst.set_bits(r, c, load(from, c % block, ty));
            }
        }
        Ok(())
    })
}

/// Elements go to flat positions of a destination that is zero otherwise, or into every place of a mask pattern.
fn tscatter(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let pattern = if inst.attr("mask_pattern").is_some() { Some(Pattern::of(inst)?) } else { None };
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        same_width(inst, src, dst)?;
        let ty = dst.shape.dtype;
        match pattern {
            Some(p) => {
                let by_rows = by_rows(inst)?;
                let (rows, cols) = match by_rows {
                    true => (src.valid_rows.saturating_mul(p.period), src.valid_cols),
                    false => (src.valid_rows, src.valid_cols.saturating_mul(p.period)),
                };
                fits(inst, "dst", dst, rows, cols)?;
                for r in 0..rows {
                    for c in 0..cols {
                        let (i, j, along) = if by_rows { (r / p.period, c, r) } else { (r, c / p.period, c) };
                        let hit = along % p.period == p.position;
                        dst.set_bits(r, c, if hit { src.bits(i, j) } else { 0 });
                    }
                }
            }
            None => {
                let indexes = inst.tile("indexes").or_else(|_| inst.tile("idx"))?;
                let capacity = dst.shape.rows.saturating_mul(dst.shape.cols);
                dst.bytes.fill(0);
                for r in 0..indexes.valid_rows {
                    for c in 0..indexes.valid_cols {
                        let index = indexes.bits(r, c);
                        if index >= capacity {
                            return Err(inst.illegal(format_args!("index {index} is not below {capacity}")));
                        }
                        store(&mut dst.bytes, index, ty, src.bits(r, c));
                    }
                }
            }
        }
        Ok(())
    })
}

/// `v[2c] = src0[c]`, `v[2c + 1] = src1[c]`; `dst0` is the first half of `v`, `dst1` the second.
fn tinterleave(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let (mut dst0, mut dst1) = (inst.tile("dst0")?.clone(), inst.tile("dst1")?.clone());
    {
        let (src0, src1) = (inst.tile("src0")?, inst.tile("src1")?);
        same_width(inst, src0, &dst0)?;
        let cols = src0.valid_cols;
        for dst in [&dst0, &dst1] {
            fits(inst, "dst", dst, src0.valid_rows, cols)?;
        }
        for r in 0..src0.valid_rows {
            for c in 0..cols {
                for (k, src) in [(2 * c, src0), (2 * c + 1, src1)] {
                    let bits = src.bits(r, c);
                    if k < cols { dst0.set_bits(r, k, bits) } else { dst1.set_bits(r, k - cols, bits) }
                }
            }
        }
    }
    *inst.tile_mut("dst0")? = dst0;
    *inst.tile_mut("dst1")? = dst1;
    Ok(())
}

/// `dst0[c] = v[2c]`, `dst1[c] = v[2c + 1]`, `v` being `src`, or `src0` followed by `src1`.
fn tdeinterleave(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let (mut dst0, mut dst1) = (inst.tile("dst0")?.clone(), inst.tile("dst1")?.clone());
    {
        let first = inst.tile("src").or_else(|_| inst.tile("src0"))?;
        let second = inst.tile("src1").ok();
        same_width(inst, first, &dst0)?;
        let split = first.valid_cols;
        let width = split + second.map_or(0, |s| s.valid_cols);
        for dst in [&dst0, &dst1] {
            fits(inst, "dst", dst, first.valid_rows, width / 2)?;
        }
        for r in 0..first.valid_rows {
            for k in 0..width / 2 * 2 {
                let bits = match second {
                    Some(second) if k >= split => second.bits(r, k - split),
                    _ => first.bits(r, k),
                };
                if k % 2 == 0 { dst0.set_bits(r, k / 2, bits) } else { dst1.set_bits(r, k / 2, bits) }
            }
        }
    }
    *inst.tile_mut("dst0")? = dst0;
    *inst.tile_mut("dst1")? = dst1;
    Ok(())
}

/// The columns of `src0`, then those of `src1`. With index tiles their column 0 says how many columns of a row count, in
/// bytes of the index type, and `dst_idx` gets the total in the same unit.
fn tconcat(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let named = |inst: &Inst<'_>, a: &'static str, b: &'static str| {
        [a, b].into_iter().find(|name| inst.operand(name).is_some())
    };
    let idx0 = named(inst, "src0_idx", "src0Idx");
    let idx1 = named(inst, "src1_idx", "src1Idx");
    let total = named(inst, "dst_idx", "dstIdx");
    let mut dst = inst.tile("dst")?.clone();
    let mut total = total.map(|name| Ok::<_, Refusal>((name, inst.tile(name)?.clone()))).transpose()?;
    {
        let (src0, src1) = (inst.tile("src0")?, inst.tile("src1")?);
        same_width(inst, src0, &dst)?;
        fits(inst, "dst", &dst, src0.valid_rows, 0)?;
        let columns = |src: &Tile, idx: Option<&str>, r: u64| match idx {
            Some(name) => inst.tile(name).map(|t| t.bits(r, 0) / t.shape.dtype.bytes()),
            None => Ok(src.valid_cols),
        };
        if idx0.is_none() {
            fits(inst, "dst", &dst, src0.valid_rows, src0.valid_cols.saturating_add(src1.valid_cols))?;
        }
        for r in 0..src0.valid_rows {
            let (n0, n1) = (columns(src0, idx0, r)?, columns(src1, idx1, r)?);
            let limit = if idx0.is_some() { dst.valid_cols } else { u64::MAX };
            let end = n0.saturating_add(n1).min(limit);
            if n0.min(end) > src0.shape.cols || end - n0.min(end) > src1.shape.cols {
                return Err(
                    inst.illegal(format_args!("row {r} takes {n0} and {n1} columns, more than the sources have"))
                );
            }
            for c in 0..end {
                dst.set_bits(r, c, if c < n0 { src0.bits(r, c) } else { src1.bits(r, c - n0) });
            }
            if let Some((_, total)) = &mut total {
                total.set(r, 0, Num::Int(i128::from(end) * i128::from(total.shape.dtype.bytes())));
            }
        }
    }
    *inst.tile_mut("dst")? = dst;
    if let Some((name, total)) = total {
        *inst.tile_mut(name)? = total;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Attr, Operand, eval};
    use super::*;
    use ptoc_target::{DType, Layout, Loc, PadValue, TileShape};

    fn tile(ty: DType, rows: u64, cols: u64, values: &[i64]) -> Operand {
        let shape = TileShape { rows, cols, dtype: ty, layout: Layout::Nd, fractal: 512 };
        let bytes = vec![0; Tile::size(&shape) as usize];
        let mut t = Tile { loc: Loc::Vec, shape, valid_rows: rows, valid_cols: cols, pad: PadValue::Null, bytes };
        for (i, v) in values.iter().enumerate() {
            t.set(i as u64 / cols, i as u64 % cols, Num::Int(i128::from(*v)));
        }
        Operand::Tile(t)
    }

    fn values(inst: &Inst<'_>, name: &str) -> Vec<i64> {
        let t = inst.tile(name).unwrap();
        (0..t.shape.rows).flat_map(|r| (0..t.shape.cols).map(move |c| t.get(r, c).int() as i64)).collect()
    }

    /// Row 0 keeps 5 and 9 at columns 1 and 3, row 1 keeps 8 at column 0 of the second row of four.
    #[test]
    fn gather_by_comparison_lists_positions_and_counts_them() {
        let i32s = |rows, cols, v: &[i64]| tile(DType::I32, rows, cols, v);
        let mut inst = Inst {
            op: "tgather",
            operands: vec![
                ("src".into(), i32s(2, 4, &[1, 5, 2, 9, 8, 0, 7, 7])),
                ("k_value".into(), i32s(2, 1, &[4, 7])),
                ("dst".into(), i32s(2, 4, &[-1; 8])),
                ("cdst".into(), i32s(2, 1, &[])),
            ],
            attrs: vec![("cmp_mode".into(), Attr::Word("gt".into())), ("offset".into(), Attr::Int(100))],
        };
        eval(&mut inst).unwrap();
        assert_eq!(values(&inst, "dst"), [101, 103, -1, -1, 104, -1, -1, -1]);
        assert_eq!(values(&inst, "cdst"), [2, 1]);
    }

    #[test]
    fn an_index_outside_is_refused_and_nothing_changes() {
        let mut inst = Inst {
            op: "tscatter",
            operands: vec![
                ("src".into(), tile(DType::I16, 1, 2, &[1, 2])),
                ("indexes".into(), tile(DType::I16, 1, 2, &[0, 4])),
                ("dst".into(), tile(DType::I16, 1, 4, &[7, 7, 7, 7])),
            ],
            attrs: vec![],
        };
        let refusal = eval(&mut inst).unwrap_err();
        assert_eq!(refusal.to_string(), "`tscatter`: index 4 is not below 4");
        assert_eq!(values(&inst, "dst"), [7, 7, 7, 7]);
    }
}
