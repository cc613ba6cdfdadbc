//! Rows of elements in the unified buffer, as vector instructions address them.

use super::vector::Lane;
use crate::{Base, Call, Em, Res, Sc, Tile};
use ptoc_ir::ValueId;
use ptoc_target::{BLOCK_BYTES, Layout, Loc, VECTOR_SCRATCH};

/// Start of the part of the unified buffer that the vendor's helpers keep for themselves, in bytes.
pub(super) const SCRATCH: i64 = VECTOR_SCRATCH.start as i64;
/// Its size in bytes.
pub(super) const SCRATCH_BYTES: i64 = (VECTOR_SCRATCH.end - VECTOR_SCRATCH.start) as i64;

const BLOCK: i64 = BLOCK_BYTES as i64;

/// Rows (columns, in a column-major tile) of elements, one after another at a fixed pitch. Starts and pitch are whole
/// blocks, since vector operands must be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    /// The storage.
    pub(super) tile: Tile,
    /// How instructions see the elements.
    pub(super) lane: Lane,
    /// Where it starts, in blocks from the start of the tile.
    pub(super) start: Sc,
    /// Blocks from one row to the next.
    pub(super) pitch: i64,
    /// The first block of each row stands for the whole row.
    pub(super) spread: bool,
}

impl Area {
    /// The rows of a row-major tile or the columns of a column-major one.
    ///
    /// # Errors
    /// A known start or the pitch is no multiple of 32 bytes, or the tile has boxes.
    pub(super) fn of(em: &mut Em<'_>, call: &Call, tile: &Tile) -> Res<Area> {
        let lane = Lane { elem: tile.ty.elem, bytes: tile.esz() };
        if tile.layout().is_boxed() {
            return Err(call.unsupported(em, format!("layout {} of a vector operand", tile.layout())));
        }
        let bytes = tile.pitch() * tile.esz();
        let start = tile.offset.known().unwrap_or(0) * tile.esz();
        if bytes % BLOCK != 0 || start % BLOCK != 0 {
            let what = format!(
                "a vector operand starts at byte {start} of its buffer and has rows of {bytes} bytes; both must be \
                 multiples of 32"
            );
            return Err(call.unsupported(em, what));
        }
        Ok(Area { tile: *tile, lane, start: Sc::Const(0), pitch: bytes / BLOCK, spread: false })
    }

    /// The same bytes seen as other elements.
    #[must_use]
    pub(super) fn seen_as(mut self, lane: Lane) -> Area {
        self.lane = lane;
        self
    }

    /// The same bytes seen as unsigned integers of the element's size (2 bytes for 1-byte elements).
    #[must_use]
    pub(super) fn unsigned(self, em: &mut Em<'_>) -> Area {
        let lane = Lane::unsigned(em, self.lane.bytes);
        self.seen_as(lane)
    }

    /// Starting that many blocks later.
    #[must_use]
    pub(super) fn after(mut self, em: &mut Em<'_>, blocks: impl Into<Sc>) -> Area {
        self.start = em.add(self.start, blocks);
        self
    }

    /// Starting at that row.
    #[must_use]
    pub(super) fn at_row(self, em: &mut Em<'_>, row: impl Into<Sc>) -> Area {
        let blocks = em.mul(row, self.pitch);
        self.after(em, blocks)
    }

    /// The first block of each row, for every block of the row.
    #[must_use]
    pub(super) fn spread(mut self) -> Area {
        self.spread = true;
        self
    }

    /// With another pitch: rows of a temporary that the lowering lays out itself.
    #[must_use]
    pub(super) fn with_pitch(mut self, blocks: i64) -> Area {
        self.pitch = blocks;
        self
    }

    /// The most rows that the tile can have.
    pub(super) fn most_rows(&self) -> i64 {
        let rows = if self.tile.layout() == Layout::Dn { self.tile.ty.cols } else { self.tile.ty.rows };
        i64::try_from(rows).unwrap_or(i64::MAX)
    }

    /// Bytes from the start of the area on that a temporary may use as it likes: of a part of a bigger tile only the first
    /// row, since the rest belongs to others.
    pub(super) fn room(&self) -> i64 {
        let t = &self.tile;
        let whole = (t.buffer_rows, t.buffer_cols) == (t.ty.rows, t.ty.cols);
        let rows = if whole { t.ty.rows } else { 1 };
        let bytes = rows.saturating_mul(t.ty.cols).saturating_mul(t.ty.dtype.bytes());
        i64::try_from(bytes).unwrap_or(i64::MAX) - self.start.known().unwrap_or(0) * BLOCK
    }

    /// Pointer to a block of it.
    pub(super) fn ptr(&self, em: &mut Em<'_>, blocks: impl Into<Sc>) -> ValueId {
        let at = em.add(self.start, blocks);
        let elements = em.mul(at, BLOCK / self.tile.esz());
        em.ptr_as(&self.tile, self.lane.elem, elements)
    }

    /// Pointer to an element, for instructions whose result needs no whole block, and for scalar accesses.
    pub(super) fn ptr_to(&self, em: &mut Em<'_>, element: impl Into<Sc>) -> ValueId {
        let start = em.mul(self.start, BLOCK / self.tile.esz());
        let bytes = em.mul(element, self.lane.bytes);
        let element = em.div(bytes, self.tile.esz());
        let at = em.add(start, element);
        em.ptr_as(&self.tile, self.lane.elem, at)
    }

    /// True when both are one and the same storage from the same byte on.
    pub(super) fn same_place(&self, other: &Area) -> bool {
        self.tile.base == other.tile.base && self.tile.offset == other.tile.offset && self.start == other.start
    }

    /// The reserved part of the unified buffer.
    ///
    /// # Errors
    /// An operand of the instruction is known to reach it.
    pub(super) fn scratch(em: &mut Em<'_>, call: &Call, lane: Lane, operands: &[&Area]) -> Res<Area> {
        for a in operands {
            let Some(first) = a.tile.address() else { continue };
            let rows = a.tile.buffer_rows.max(a.tile.ty.rows);
            let bytes = rows.saturating_mul(a.tile.buffer_cols).saturating_mul(a.tile.dtype().bytes());
            let end = first.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX));
            if end > SCRATCH {
                let what = format!(
                    "an operand ends at byte {end}, but the bytes from {SCRATCH} to {} hold the broadcast rows of this \
                     instruction",
                    SCRATCH + SCRATCH_BYTES
                );
                return Err(Box::new(
                    call.unsupported(em, what).help("move the tile below 184 KiB, or give a temporary"),
                ));
            }
        }
        let Some(like) = operands.first() else { return Err(call.unsupported(em, "no operand")) };
        let mut tile = like.tile;
        (tile.base, tile.offset) = (Base::Addr(SCRATCH), Sc::Const(0));
        tile.name = em.ir.ctx.sym("scratch");
        debug_assert_eq!(tile.loc(), Loc::Vec);
        Ok(Area { tile, lane, start: Sc::Const(0), pitch: 1, spread: false })
    }
}

/// Pointers to a block of each area; one that two areas share is made once.
pub(super) fn pointers<const N: usize>(
    em: &mut Em<'_>,
    areas: [Area; N],
    block: impl Fn(&mut Em<'_>, &Area) -> Sc,
) -> [ValueId; N] {
    let mut made: [Option<ValueId>; N] = [None; N];
    std::array::from_fn(|i| {
        let area = &areas[i];
        let same = |o: &Area| o.same_place(area) && o.lane == area.lane && o.pitch == area.pitch;
        let before = areas[..i].iter().position(same).and_then(|j| made[j]);
        let p = match before {
            Some(p) => p,
            None => {
                let at = block(em, area);
                area.ptr(em, at)
            }
        };
        made[i] = Some(p);
        p
    })
}

/// Rows and columns in the order of the storage: exchanged for a column-major tile.
pub(super) fn storage_order(tile: &Tile) -> (Sc, Sc) {
    match tile.layout() {
        Layout::Dn => (tile.cols, tile.rows),
        _ => (tile.rows, tile.cols),
    }
}
