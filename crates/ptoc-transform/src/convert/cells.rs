//! Where the classes of values and the buffers of a scope lie, in cells.

use super::extents::{Cuts, Extent, Place, Range, place};
use super::storage::Storage;
use super::valid::{is_buffer_tile, is_value_tile};
use crate::structure::{Scope, walk_scope};
use ptoc_dialect::types::tile_of;
use ptoc_dialect::{Kind, def};
use ptoc_ir::{Ir, OpId, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where classes and buffers lie.
pub(super) struct Map {
    /// Cells of each class.
    pub(super) classes: FxHashMap<u32, Range>,
    /// Cells of the buffers with addresses, when there are values with addresses too.
    pub(super) buffers: FxHashMap<ValueId, Range>,
    /// Cells below this one are bytes of memories.
    pub(super) bytes: u32,
    /// True for bytes that values with addresses live in.
    pub(super) shared: Vec<bool>,
    /// The cell of the last call.
    pub(super) calls: u32,
    /// Number of cells.
    pub(super) count: u32,
}

impl Map {
    pub(super) fn new(ir: &Ir, scope: Scope, s: &Storage) -> Map {
        let mut classes: Vec<(u32, Place)> = Vec::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        for &v in s.values.iter().filter(|&&v| !s.is_view(v)) {
            let class = s.class(v);
            if seen.insert(class) {
                let alloc = s.root(class).and_then(|r| ir.defining_op(r)).filter(|&op| is_alloc(ir, op));
                classes.push((class, alloc.map_or(Place::Free, |op| place(ir, op))));
            }
        }
        let mut buffers: Vec<(ValueId, Place)> = Vec::new();
        if classes.iter().any(|(_, p)| *p != Place::Free) {
            walk_scope(ir, scope, &mut |op| {
                if is_alloc(ir, op) || ir.op_name(op) == "pto.alloc_multi_tile" {
                    buffers.extend(
                        ir.op(op).results.iter().filter(|&&r| !is_value_tile(ir, r)).map(|&r| (r, place(ir, op))),
                    );
                }
            });
            walk_scope(ir, scope, &mut |op| {
                if ir.op_name(op) == "pto.tassign"
                    && let Some(tile) = ir.operand(op, 0).filter(|&v| is_buffer_tile(ir, v))
                    && let Some(t) = tile_of(&ir.ctx, ir.value_type(tile))
                {
                    buffers.push((tile, Place::Unknown(t.loc)));
                }
            });
        }
        let extents: Vec<Extent> = classes
            .iter()
            .map(|(_, p)| p)
            .chain(buffers.iter().map(|(_, p)| p))
            .filter_map(|p| match p {
                Place::At(e) => Some(*e),
                _ => None,
            })
            .collect();
        let cuts = Cuts::new(&extents);
        let bytes = cuts.len();
        let mut map = Map {
            classes: FxHashMap::default(),
            buffers: FxHashMap::default(),
            bytes,
            shared: vec![false; bytes as usize],
            calls: bytes,
            count: bytes + 1,
        };
        for (class, p) in classes {
            let range = match p {
                Place::At(e) => cuts.range(&e),
                Place::Unknown(loc) => cuts.whole(loc),
                Place::Free => (0, 0),
            };
            // A class without known bytes still has storage of its own.
            let range = if range.0 == range.1 {
                map.count += 1;
                (map.count - 1, map.count)
            } else {
                (range.0..range.1).for_each(|c| map.shared[c as usize] = true);
                range
            };
            map.classes.insert(class, range);
        }
        for (value, p) in buffers {
            match p {
                Place::At(e) => drop(map.buffers.insert(value, cuts.range(&e))),
                Place::Unknown(loc) => drop(map.buffers.insert(value, cuts.whole(loc))),
                Place::Free => {}
            }
        }
        map
    }

    /// The bytes of a buffer, or of the buffer that it is a view of.
    pub(super) fn buffer(&self, ir: &Ir, mut value: ValueId) -> Option<(ValueId, Range)> {
        if self.buffers.is_empty() {
            return None;
        }
        loop {
            if let Some(&range) = self.buffers.get(&value) {
                return Some((value, range));
            }
            let op = ir.defining_op(value)?;
            let d = def(ir.op(op).kind).filter(|d| !d.has_value_form())?;
            value = ir.operand(op, d.operands.iter().position(|o| o.kind == Kind::Tile)?)?;
        }
    }
}

/// True for an allocation of one tile.
pub(super) fn is_alloc(ir: &Ir, op: OpId) -> bool {
    ir.op_name(op) == "pto.alloc_tile"
}
