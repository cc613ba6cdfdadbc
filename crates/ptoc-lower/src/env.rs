//! What is known about tiles and views at the point of lowering.

use crate::{Base, Gm, Sc, Tile};
use ptoc_dialect::types::TileType;
use ptoc_ir::{OpId, Sym, ValueId};
use rustc_hash::FxHashMap;

/// What is known about one tile value. Valid sizes and address change with `set_validshape` and `tassign`; `None` means
/// that they depend on the path taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileState {
    pub(crate) ty: TileType,
    pub(crate) base: Option<Base>,
    pub(crate) offset: Sc,
    pub(crate) rows: Option<Sc>,
    pub(crate) cols: Option<Sc>,
    pub(crate) buffer_rows: u64,
    pub(crate) buffer_cols: u64,
    pub(crate) name: Sym,
    /// A setting on some path made address or sizes unknown (as opposed to never given).
    pub(crate) conflict: bool,
}

impl TileState {
    /// A tile of that type with the static sizes of the type and without address.
    pub(crate) fn new(ty: TileType, name: Sym) -> Self {
        TileState {
            ty,
            base: None,
            offset: Sc::Const(0),
            rows: ty.valid_rows.map(Sc::from),
            cols: ty.valid_cols.map(Sc::from),
            buffer_rows: ty.rows,
            buffer_cols: ty.cols,
            name,
            conflict: false,
        }
    }

    /// The tile, when everything is known.
    pub(crate) fn known(&self) -> Option<Tile> {
        Some(Tile {
            ty: self.ty,
            base: self.base?,
            offset: self.offset,
            rows: self.rows?,
            cols: self.cols?,
            buffer_rows: self.buffer_rows,
            buffer_cols: self.buffer_cols,
            name: self.name,
        })
    }
}

/// Tiles and views by value, and which tiles are set anew inside which op's regions.
#[derive(Debug, Default)]
pub(crate) struct Env {
    pub(crate) tiles: FxHashMap<ValueId, TileState>,
    pub(crate) views: FxHashMap<ValueId, Gm>,
    pub(crate) slots: FxHashMap<ValueId, Base>,
    /// Tiles whose valid sizes or address are set somewhere inside the op's regions.
    pub(crate) set_inside: FxHashMap<OpId, Vec<ValueId>>,
}

impl Env {
    /// Forgets what is set on some paths only.
    pub(crate) fn forget(&mut self, values: &[ValueId]) {
        for v in values {
            if let Some(t) = self.tiles.get_mut(v) {
                t.conflict = true;
                if t.ty.valid_rows.is_none() {
                    t.rows = None;
                }
                if t.ty.valid_cols.is_none() {
                    t.cols = None;
                }
            }
        }
    }
}
