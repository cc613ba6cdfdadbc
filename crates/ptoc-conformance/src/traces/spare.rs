//! What a recorded sequence may do to a destination beyond what the instruction means: write whole blocks, or whole static rows.
//!
//! The reference does so where its users are told to expect it. A lowering of ours is held to the definition.

use ptoc_sim::semantics::{Inst, Tile, leaves_open};
use ptoc_target::{Arch, BLOCK_BYTES, Loc};

/// For each element of the storage, by index (for packed pairs: for each byte), whether any value will do.
pub(super) fn elements(arch: Arch, inst: &Inst<'_>, dst: &Tile) -> Vec<bool> {
    let packed = 1 + u64::from(dst.shape.dtype.is_fp4());
    let count = dst.bytes.len() / dst.shape.dtype.bytes() as usize;
    let (mut open, mut fixed) = (vec![false; count], vec![false; count]);
    let (inserted, merged) = (inserted(arch, inst, dst), merged(inst, dst));
    // A move of a whole tile is as large as either.
    let source = inst.tile("src").ok().filter(|_| inst.op.starts_with("tmov"));
    let moved = source.map(|src| (src.valid_rows, src.valid_cols));
    for r in 0..dst.shape.rows {
        for c in 0..dst.shape.cols {
            let any = leaves_open(inst.op, dst, r, c)
                || whole_tile(inst, dst) && (r >= dst.valid_rows || c >= dst.valid_cols)
                || merged.is_some_and(|n| c >= n)
                || moved.is_some_and(|(rows, cols)| r >= rows || c >= cols)
                || inserted.as_ref().is_some_and(|(inside, around)| around.holds(r, c) && !inside.holds(r, c));
            let list = if any { &mut open } else { &mut fixed };
            if let Some(element) = list.get_mut((dst.at(r, c) / packed) as usize) {
                *element = true;
            }
        }
    }
    // A packed operand ends before its storage does.
    let operand_buffer = matches!(dst.loc, Loc::Left | Loc::Right);
    open.iter().zip(&fixed).map(|(open, fixed)| !*fixed && (*open || operand_buffer)).collect()
}

/// Sequences that may write around the valid region: gathers into L1 clear or copy all of the tile, a concatenation, a
/// transposition and the mask forms move whole blocks, a sort has records for what it was padded with.
fn whole_tile(inst: &Inst<'_>, dst: &Tile) -> bool {
    match inst.op {
        "tconcat" | "tsort32" | "ttrans" => true,
        "tgather" | "tscatter" => inst.attr("mask_pattern").is_some(),
        "mgather" => dst.loc == Loc::Mat,
        _ => false,
    }
}

/// Elements of the first row of a merge that stopped early; nothing is said of those behind.
fn merged(inst: &Inst<'_>, dst: &Tile) -> Option<u64> {
    let counts = inst.word("executed_num").filter(|_| inst.flag("exhausted"))?;
    let records: u64 = counts.split(',').filter_map(|n| n.parse::<u64>().ok()).sum();
    Some(records * 8 / dst.shape.dtype.bytes())
}

struct Window {
    row: u64,
    col: u64,
    rows: u64,
    cols: u64,
}

impl Window {
    fn holds(&self, r: u64, c: u64) -> bool {
        (self.row..self.row + self.rows).contains(&r) && (self.col..self.col + self.cols).contains(&c)
    }
}

/// What an insertion means, and what it may overwrite: whole boxes of a boxed destination, and from an accumulator all its
/// static rows.
fn inserted(arch: Arch, inst: &Inst<'_>, dst: &Tile) -> Option<(Window, Window)> {
    if !inst.op.starts_with("tinsert") {
        return None;
    }
    let src = inst.tile("src").ok()?;
    let boxed = dst.shape.layout.is_boxed();
    // Between tiles of UB only A5 moves whole boxes; L1 is written in blocks.
    if if src.loc == dst.loc { !boxed || arch == Arch::A2A3 } else { !boxed && dst.loc != Loc::Mat } {
        return None;
    }
    let at = |name| inst.int(name).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
    let (row, col) = (at("index_row"), at("index_col"));
    let lanes = (BLOCK_BYTES / dst.shape.dtype.bytes()).max(if boxed { 16 } else { 1 });
    let rows = match (src.loc, boxed) {
        (Loc::Acc, _) => src.shape.rows,
        (_, true) => src.valid_rows.next_multiple_of(16),
        (_, false) => src.valid_rows,
    };
    Some((
        Window { row, col, rows: src.valid_rows, cols: src.valid_cols },
        Window { row, col, rows, cols: src.valid_cols.next_multiple_of(lanes) },
    ))
}
