//! Which way a reduction by lanes takes, and where the parts of the temporary lie.

use super::super::vector::{MAX_REPEATS, MAX_STRIDE};
use super::Reduction;
use ptoc_target::DType;

/// A way through the stages.
#[derive(Clone, Copy, Default)]
pub(super) struct Plan {
    /// Straight from the source in the scalar unit, without temporary.
    pub(super) bare: bool,
    /// Accumulators of stage 1; 0 leaves it out.
    pub(super) chunks: i64,
    /// Stage 3 in the vector unit.
    pub(super) vector: bool,
    /// Most rows of a batch.
    pub(super) most: i64,
    /// Byte offset of the blocks in the temporary.
    pub(super) blocks_at: i64,
    /// Byte offset of the blocks in f32.
    pub(super) wide_at: i64,
}

impl Reduction {
    /// The way with the fewest instructions among those that the temporary has room for.
    pub(super) fn plan(&self) -> Plan {
        let (e, repeat) = (self.lane().block(), self.lane().repeat());
        let mut best: Option<(i64, Plan)> = None;
        if self.cols.known().map_or(self.most_cols <= e, |c| c <= e) {
            let bare = Plan { bare: true, ..Plan::default() };
            best = Some((self.cost(&bare), bare));
        }
        // Chunks change the order of the factors, which f16 would show.
        let can_chunk = self.dtype != DType::F16 && self.cols.known().unwrap_or(self.most_cols) > repeat;
        for (chunked, vector) in [(false, false), (false, true), (true, false), (true, true)] {
            if chunked && !can_chunk {
                continue;
            }
            let Some(plan) = self.layout(chunked, vector) else { continue };
            let cost = self.cost(&plan);
            if best.as_ref().is_none_or(|(c, _)| cost < *c) {
                best = Some((cost, plan));
            }
        }
        best.map_or(Plan { most: 1, ..Plan::default() }, |(_, p)| p)
    }

    /// Where the parts of the temporary lie, and how many rows it holds. `None` when not a single row fits.
    ///
    /// First the chunks; they are done when the halves are packed, so those go over them. Then the blocks, and for f16 the
    /// blocks in f32. The results of a fold go over the blocks they come from.
    fn layout(&self, chunked: bool, vector: bool) -> Option<Plan> {
        let half = vector && self.dtype == DType::F16;
        let lane = if half { 4 } else { self.lane().bytes };
        let pairs = if vector { self.lane().block() * lane } else { 0 };
        let most_wide = (self.cols.known().unwrap_or(0) / self.lane().repeat() / 2).clamp(1, 3);
        let mut wide = if chunked { most_wide } else { 0 };
        // Results of a batch start at whole blocks of the destination, and halves of the lanes of 16 rows fill whole blocks.
        let unit = if vector { 16 } else { 1 };
        loop {
            let front = (256 * wide).max(pairs);
            let row = front + 32 + if half { 64 } else { 0 };
            let mut rows = self.room() / row;
            rows -= rows % unit;
            let all = rows >= self.most_rows;
            if !all && wide > 1 {
                wide -= 1;
                continue;
            }
            if self.src.pitch > MAX_STRIDE {
                rows = rows.min(1);
            }
            let reserved = rows.min((self.most_rows + unit - 1) / unit * unit);
            let blocks_at = front * reserved;
            return (rows > 0).then_some(Plan {
                bare: false,
                chunks: wide,
                vector,
                most: rows,
                blocks_at,
                wide_at: blocks_at + 32 * reserved,
            });
        }
    }

    /// Instructions of a plan, roughly.
    fn cost(&self, plan: &Plan) -> i64 {
        let e = self.lane().block();
        // Run-time sizes count as many.
        let (rows, cols) = (self.rows.known().unwrap_or(self.most_rows), self.cols.known().unwrap_or(self.most_cols));
        if plan.bare {
            return rows * (cols + 1) + 4;
        }
        let batches = (rows + plan.most - 1) / plan.most.max(1);
        let parts = (rows.min(plan.most) + MAX_REPEATS - 1) / MAX_REPEATS;
        let chunks = if plan.chunks > 0 { (cols / self.lane().repeat() + 1) * parts * 2 + 4 } else { 0 };
        let width = if plan.chunks > 0 { self.lane().repeat() } else { cols };
        let single = width == e && self.src.pitch == 1;
        let blocks = if single { 0 } else { 2 * ((width + e - 1) / e) + 5 };
        let lanes = if plan.vector { 6 * i64::from(e.ilog2()) + 6 } else { 4 };
        let scalars = if plan.vector { 0 } else { rows * (e + 1) };
        batches * (chunks + blocks + lanes) + scalars
    }
}
