//! Where tiles with addresses lie, and how a memory is cut into cells that tiles share as a whole or not at all.

use ptoc_dialect::types::{MultiTileType, tile_of};
use ptoc_ir::{AttrData, Ir, OpId, ValueId};
use ptoc_target::{Loc, Memory};

/// Most cells that all tiles together cover. Beyond that cells become coarser: neighbours then count as overlapping.
const MAX_COVER: u64 = 1 << 22;

/// Bytes of one memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    pub(super) loc: Loc,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// Where an allocation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Nowhere yet: it overlaps nothing.
    Free,
    At(Extent),
    /// Somewhere in that memory.
    Unknown(Loc),
}

/// The number that a value is known to be.
pub(crate) fn constant(ir: &Ir, value: ValueId) -> Option<u64> {
    let op = ir.defining_op(value)?;
    if ir.op_name(op) != "arith.constant" {
        return None;
    }
    match ir.attr_data(op, "value")? {
        AttrData::Integer { value, .. } => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// Where a `pto.alloc_tile` or `pto.alloc_multi_tile` puts its tile.
pub(super) fn place(ir: &Ir, alloc: OpId) -> Place {
    let Some(&result) = ir.op(alloc).results.first() else { return Place::Free };
    let ty = ir.value_type(result);
    let multi = ir.ctx.type_as::<MultiTileType>(ty).copied();
    let (tile, count) = match multi {
        Some(m) => (tile_of(&ir.ctx, m.tile), u64::from(m.count)),
        None => (tile_of(&ir.ctx, ty), 1),
    };
    let (Some(tile), Some(addr)) = (tile, ir.operand(alloc, 0)) else { return Place::Free };
    let bounds = || {
        let start = constant(ir, addr)?;
        Some((start, start.checked_add(tile.bytes()?.checked_mul(count)?)?))
    };
    match bounds() {
        Some((start, end)) => Place::At(Extent { loc: tile.loc, start, end }),
        None => Place::Unknown(tile.loc),
    }
}

/// Half-open range of cells.
pub(super) type Range = (u32, u32);

/// The cells of all memories: cell `i` reaches from cut `i` to the next one.
#[derive(Debug)]
pub(super) struct Cuts(Vec<(Memory, u64)>);

impl Cuts {
    /// Cuts at all starts and ends.
    pub(super) fn new(extents: &[Extent]) -> Self {
        let mut cuts: Vec<_> =
            extents.iter().flat_map(|e| [(e.loc.memory(), e.start), (e.loc.memory(), e.end)]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let all = Cuts(cuts);
        let cover: u64 = extents.iter().map(|e| all.range(e)).map(|(lo, hi)| u64::from(hi - lo)).sum();
        if cover <= MAX_COVER {
            return all;
        }
        let keep = (cover / MAX_COVER + 1) as usize;
        let cuts = &all.0;
        let at_edge = |i: usize| {
            let memory = |i: usize| cuts.get(i).map(|c| c.0);
            i == 0 || memory(i - 1) != memory(i) || memory(i + 1) != memory(i)
        };
        Cuts((0..cuts.len()).filter(|&i| i % keep == 0 || at_edge(i)).map(|i| cuts[i]).collect())
    }

    /// The cells that an extent touches.
    pub(super) fn range(&self, e: &Extent) -> Range {
        let memory = e.loc.memory();
        let after = self.0.partition_point(|c| *c <= (memory, e.start));
        let end = self.0.partition_point(|c| *c < (memory, e.end));
        ((after as u32).saturating_sub(1), end as u32)
    }

    /// All cells of a memory.
    pub(super) fn whole(&self, loc: Loc) -> Range {
        let memory = loc.memory();
        let lo = self.0.partition_point(|c| c.0 < memory);
        let hi = self.0.partition_point(|c| c.0 <= memory);
        (lo as u32, hi as u32)
    }

    /// Number of cells.
    pub(super) fn len(&self) -> u32 {
        self.0.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: u64, end: u64) -> Extent {
        Extent { loc: Loc::Vec, start, end }
    }

    #[test]
    fn cells_are_shared_exactly_where_bytes_are() {
        let extents = [at(0, 1024), at(512, 1536), at(1536, 2048)];
        let cuts = Cuts::new(&extents);
        let ranges = extents.map(|e| cuts.range(&e));
        assert_eq!(ranges, [(0, 2), (1, 3), (3, 4)]);
    }

    #[test]
    fn coarse_cells_never_hide_an_overlap() {
        let extents: Vec<Extent> = (0..4000).map(|i| at(32 * i, 32 * i + 200_000)).collect();
        let cuts = Cuts::new(&extents);
        let ranges: Vec<Range> = extents.iter().map(|e| cuts.range(e)).collect();
        assert!(ranges.iter().map(|r| u64::from(r.1 - r.0)).sum::<u64>() <= 2 * MAX_COVER);
        for (i, j) in [(0, 1), (0, 3999), (100, 2000), (17, 18)] {
            let overlap = extents[i].start < extents[j].end && extents[j].start < extents[i].end;
            let shared = ranges[i].0 < ranges[j].1 && ranges[j].0 < ranges[i].1;
            assert!(shared || !overlap, "{i} {j}");
        }
    }
}
