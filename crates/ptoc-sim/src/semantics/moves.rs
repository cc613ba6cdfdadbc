//! Moves between tiles: TMOV, TINSERT, TEXTRACT with their `_fp` forms, TRESHAPE, the TFILLPAD family.

use super::requant::{Requant, pad_bits};
use super::{Inst, Meaning, Refusal, Tile};
use ptoc_target::{Loc, PadValue};

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("textract", textract),
    ("textract_fp", textract),
    ("textract_nd2xnz", textract),
    ("tfillpad", tfillpad),
    ("tfillpad_expand", tfillpad),
    ("tfillpad_inplace", tfillpad),
    ("tinsert", tinsert),
    ("tinsert_fp", tinsert),
    ("tmov", tmov),
    ("tmov_fp", tmov),
    ("treshape", treshape),
];

/// A rectangle of elements.
struct Window {
    /// First row and column in the source.
    from: (u64, u64),
    /// First row and column in the destination.
    to: (u64, u64),
    /// Rows and columns.
    size: (u64, u64),
}

/// `dst[to + (i, j)] = f(src[from + (i, j)])`, `f` converting, scaling and clipping as the attributes say.
fn window(inst: &Inst<'_>, src: &Tile, dst: &mut Tile, w: Window) -> Result<(), Refusal> {
    let f = Requant::of(inst, src.shape.dtype, dst.shape.dtype)?;
    for (which, tile, at) in [("src", src, w.from), ("dst", &*dst, w.to)] {
        let (rows, cols) = (at.0.saturating_add(w.size.0), at.1.saturating_add(w.size.1));
        if rows > tile.shape.rows || cols > tile.shape.cols {
            return Err(inst.illegal(format_args!(
                "the window ends at row {rows}, column {cols} of `{which}`, which has {} rows and {} columns",
                tile.shape.rows, tile.shape.cols
            )));
        }
    }
    for i in 0..w.size.0 {
        for j in 0..w.size.1 {
            let bits = src.bits(w.from.0 + i, w.from.1 + j);
            dst.set_bits(w.to.0 + i, w.to.1 + j, f.bits(bits, w.from.1 + j));
        }
    }
    Ok(())
}

/// A row or column number attribute, zero when absent.
fn index(inst: &Inst<'_>, name: &str) -> Result<u64, Refusal> {
    let n = inst.int(name).unwrap_or(0);
    u64::try_from(n).map_err(|_| inst.illegal(format_args!("{name} is {n}")))
}

/// How a result is given to two vector cores: core 0 has `dst`, the other one `dst1` where that is an operand.
#[derive(Clone, Copy, PartialEq)]
enum Split {
    None,
    /// The first half of the rows, the second half.
    Rows,
    /// The first half of the columns, the second half.
    Columns,
}

impl Split {
    fn of(inst: &Inst<'_>) -> Result<Split, Refusal> {
        match inst.word("acc_to_vec_mode") {
            None | Some("single_vec0" | "single_vec1") => Ok(Split::None),
            Some("dual_split_m") => Ok(Split::Rows),
            Some("dual_split_n") => Ok(Split::Columns),
            Some(mode) => Err(Refusal::Unsupported(format!("`{}` with mode `{mode}`", inst.op))),
        }
    }
}

/// Moves a window, or its halves to two vector cores.
fn place(inst: &mut Inst<'_>, from: (u64, u64), to: (u64, u64), size: (u64, u64)) -> Result<(), Refusal> {
    let (first, rest) = match Split::of(inst)? {
        Split::None => (size, None),
        Split::Rows => ((size.0 / 2, size.1), Some(((from.0 + size.0 / 2, from.1), (size.0 - size.0 / 2, size.1)))),
        Split::Columns => ((size.0, size.1 / 2), Some(((from.0, from.1 + size.1 / 2), (size.0, size.1 - size.1 / 2)))),
    };
    inst.update("dst", |inst, dst| window(inst, inst.tile("src")?, dst, Window { from, to, size: first }))?;
    match rest.filter(|_| inst.operand("dst1").is_some()) {
        Some((from, size)) => {
            inst.update("dst1", |inst, dst| window(inst, inst.tile("src")?, dst, Window { from, to, size }))
        }
        None => Ok(()),
    }
}

/// The valid region of `src` goes to `(index_row, index_col)` of `dst`.
fn tinsert(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let to = (index(inst, "index_row")?, index(inst, "index_col")?);
    let src = inst.tile("src")?;
    let size = (src.valid_rows, src.valid_cols);
    place(inst, (0, 0), to, size)
}

/// The valid region of `dst` comes from `(index_row, index_col)` of `src`; with `dst0` and `dst1` there are two windows. A
/// split takes twice as many rows or columns.
fn textract(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let Some(_) = inst.operand("dst0") else {
        let from = (index(inst, "index_row")?, index(inst, "index_col")?);
        let dst = inst.tile("dst")?;
        let (rows, cols) = (dst.valid_rows, dst.valid_cols);
        let size = match Split::of(inst)? {
            Split::None => (rows, cols),
            Split::Rows => (2 * rows, cols),
            Split::Columns => (rows, 2 * cols),
        };
        return place(inst, from, (0, 0), size);
    };
    let mut done = Vec::new();
    for (name, row, col) in [("dst0", "index_row0", "index_col0"), ("dst1", "index_row1", "index_col1")] {
        let mut dst = inst.tile(name)?.clone();
        let from = (index(inst, row)?, index(inst, col)?);
        let size = (dst.valid_rows, dst.valid_cols);
        window(inst, inst.tile("src")?, &mut dst, Window { from, to: (0, 0), size })?;
        done.push((name, dst));
    }
    for (name, dst) in done {
        *inst.tile_mut(name)? = dst;
    }
    Ok(())
}

/// What is valid in both goes from `src` to the same place of `dst`.
fn tmov(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let (src, dst) = (inst.tile("src")?, inst.tile("dst")?);
    let size = match Split::of(inst)? {
        Split::None => (src.valid_rows.min(dst.valid_rows), src.valid_cols.min(dst.valid_cols)),
        _ => (src.valid_rows, src.valid_cols),
    };
    place(inst, (0, 0), (0, 0), size)
}

/// The bytes of `dst` are those of `src`, read in another shape.
fn treshape(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        if src.bytes.len() != dst.bytes.len() {
            return Err(inst.illegal(format_args!(
                "src has {} bytes and dst {}: a reshape keeps the size",
                src.bytes.len(),
                dst.bytes.len()
            )));
        }
        dst.bytes.copy_from_slice(&src.bytes);
        Ok(())
    })
}

/// `src` where it is valid, the pad of `dst` everywhere else in the static shape of `dst`. A Mat tile is padded with zeros.
fn tfillpad(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let pad = match (dst.loc, dst.pad) {
            (Loc::Mat, PadValue::Null) => PadValue::Zero,
            (_, pad) => pad,
        };
        let ty = dst.shape.dtype;
        let pad = pad_bits(ty, pad).ok_or_else(|| inst.illegal(format_args!("{ty} has no pad {:?}", dst.pad)))?;
        if !src.as_wide_as(ty) {
            return Err(inst.illegal(format_args!("elements of {} do not fit {ty}", src.shape.dtype)));
        }
        if src.valid_rows > dst.shape.rows || src.valid_cols > dst.shape.cols {
            return Err(inst.illegal(format_args!(
                "{} x {} valid elements do not fit the {} x {} of dst",
                src.valid_rows, src.valid_cols, dst.shape.rows, dst.shape.cols
            )));
        }
        for r in 0..dst.shape.rows {
            for c in 0..dst.shape.cols {
                let inside = r < src.valid_rows && c < src.valid_cols;
                dst.set_bits(r, c, if inside { src.bits(r, c) } else { pad });
            }
        }
        Ok(())
    })
}
