//! Which buffers the values of a scope get: where each is made, with which valid size.

use super::buffers::define_span;
use super::steps::{Step, end};
use super::storage::{Anchor, Storage};
use super::valid::{Dim, Dims, alloc_dims, foreign_dims, is_value_tile, result_dims};
use crate::codes;
use crate::structure::{Shape, shape};
use ptoc_dialect::def;
use ptoc_dialect::types::tile_of;
use ptoc_ir::{Dominance, Ir, OpId, Sym, TypeId, ValueDef, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::Loc;
use rustc_hash::FxHashMap;

/// A buffer to make.
pub(super) struct Make {
    /// Where it is made.
    pub(super) anchor: Anchor,
    /// Class that lives in it.
    pub(super) class: u32,
    pub(super) ty: TypeId,
    pub(super) dims: Dims,
    pub(super) name: Sym,
}

/// Temporaries that get storage of their own: op, operand segment.
pub(super) type Temporaries = Vec<(OpId, u32)>;

/// Decides about the buffers of a scope.
pub(super) struct Planner<'a, 'd> {
    ir: &'a Ir,
    storage: &'a Storage,
    dominance: Dominance,
    dims: FxHashMap<u32, Option<Dims>>,
    /// First op and destination segment that makes a tile of the class without an old one.
    first_def: FxHashMap<u32, (OpId, usize)>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a, 'd> Planner<'a, 'd> {
    pub(super) fn new(ir: &'a Ir, storage: &'a Storage, diagnostics: &'d mut Vec<Diagnostic>) -> Self {
        Planner {
            ir,
            storage,
            dominance: Dominance::new(),
            dims: FxHashMap::default(),
            first_def: FxHashMap::default(),
            diagnostics,
        }
    }

    /// The buffers to make, outermost first, and the temporaries that get their own. `None` when an error was reported.
    pub(super) fn plan(&mut self) -> Option<(Vec<Make>, Temporaries)> {
        let errors = self.diagnostics.len();
        let s = self.storage;
        let mut classes: Vec<(Anchor, u32, ValueId)> = Vec::new();
        let mut copies: FxHashMap<u32, ValueId> = FxHashMap::default();
        let mut seen: FxHashMap<u32, ()> = FxHashMap::default();
        for &v in &s.values {
            if s.is_view(v) {
                continue;
            }
            let class = s.class(v);
            self.note_definition(class, v, &mut copies);
            if s.root(class).is_none()
                && seen.insert(class, ()).is_none()
                && let Some(anchor) = s.anchor(class)
            {
                classes.push((anchor, class, v));
            }
        }
        classes.sort_unstable_by_key(|&(a, ..)| (a.order, a.rank));
        let mut makes = Vec::new();
        for (anchor, class, value) in classes {
            let ty = self.ir.value_type(value);
            let dims = match copies.get(&class) {
                Some(&from) => self.dims_of(from),
                None => self.class_dims(class),
            };
            let dims = dims.filter(|d| d.iter().all(|&d| self.is_known(d, anchor.op)));
            let Some(dims) = dims else {
                self.unknown_size(anchor.op, ty);
                continue;
            };
            self.dims.insert(class, Some(dims));
            makes.push(Make { anchor, class, ty, dims, name: self.ir.value(value).name });
        }
        let mut scratch = Vec::new();
        let mut cuts: Vec<Step> = s.cut.iter().copied().collect();
        cuts.sort_unstable();
        for step in cuts {
            match step {
                Step::Scratch(op, segment) => {
                    let Some(v) = self.ir.operand(op, segment as usize) else { continue };
                    if is_value_tile(self.ir, v) {
                        scratch.push((op, segment));
                    }
                }
                Step::Out(op, i) | Step::Call(op, i) | Step::Init(op, i) => {
                    if let Some(&v) = self.ir.op(op).operands.get(i as usize) {
                        self.check_copy(op, v);
                    }
                }
                Step::Into(op, segment) => {
                    if let Some(v) = self.ir.operand(op, segment as usize) {
                        self.check_copy(op, v);
                    }
                }
            }
        }
        (self.diagnostics.len() == errors).then_some((makes, scratch))
    }

    /// Remembers the instruction that makes a value without an old tile, and what a cut step copies.
    fn note_definition(&mut self, class: u32, v: ValueId, copies: &mut FxHashMap<u32, ValueId>) {
        let (ir, s) = (self.ir, self.storage);
        match ir.value(v).def {
            ValueDef::Result(op, n) => {
                let Some(d) = def(ir.op(op).kind).filter(|d| d.has_value_form()) else { return };
                let Some((segment, _)) = d.dests().nth(n as usize) else { return };
                match ir.operand(op, segment) {
                    None => {
                        self.first_def.entry(class).or_insert((op, segment));
                    }
                    Some(old) if s.cut.contains(&Step::Into(op, segment as u32)) => {
                        copies.entry(class).or_insert(old);
                    }
                    Some(_) => {}
                }
            }
            ValueDef::Arg(block, n) => {
                let Some(op) = ir.block_op(block).filter(|&op| ir.body(op, 0) == Some(block)) else { return };
                let operand = match shape(ir, op) {
                    Shape::For => n + 2,
                    Shape::While => n,
                    _ => return,
                };
                if let Some(&init) = ir.op(op).operands.get(operand as usize)
                    && s.cut.contains(&Step::Init(op, operand))
                {
                    copies.entry(class).or_insert(init);
                }
            }
        }
    }

    /// Valid sizes of a tile value.
    fn dims_of(&self, value: ValueId) -> Option<Dims> {
        if !is_value_tile(self.ir, value) || self.storage.is_view(value) {
            return foreign_dims(self.ir, value);
        }
        self.class_dims(self.storage.class(value))
    }

    fn class_dims(&self, class: u32) -> Option<Dims> {
        if let Some(&known) = self.dims.get(&class) {
            return known;
        }
        if let Some(root) = self.storage.root(class) {
            let alloc = self.ir.defining_op(root).filter(|&op| self.ir.op_name(op) == "pto.alloc_tile");
            return match alloc {
                Some(alloc) => alloc_dims(self.ir, alloc),
                None => foreign_dims(self.ir, root),
            };
        }
        if let Some(&(op, segment)) = self.first_def.get(&class) {
            return result_dims(self.ir, op, segment, &|v| self.dims_of(v));
        }
        // Only copies go there; a static type needs nothing, else take what the first copy brings.
        let result = ValueId::from_index(class as usize);
        let ty = tile_of(&self.ir.ctx, self.ir.value_type(result))?;
        if ty.valid_rows.is_some() && ty.valid_cols.is_some() {
            return Some([Dim::Static; 2]);
        }
        let anchor = self.storage.anchor(class)?.op;
        let outs = (0..self.ir.op(anchor).regions.len()).filter_map(|n| end(self.ir, anchor, n));
        let rank = self.storage.anchor(class)?.rank as usize;
        let copied = outs.filter_map(|e| self.ir.op(e).operands.get(rank).copied()).next()?;
        if self.storage.class(copied) == class { None } else { self.dims_of(copied) }
    }

    fn is_known(&mut self, dim: Dim, at: OpId) -> bool {
        match dim {
            Dim::Static => true,
            Dim::Value(v) | Dim::RowsOf(v) | Dim::ColsOf(v) => self.dominance.dominates(self.ir, v, at),
        }
    }

    fn check_copy(&mut self, at: OpId, value: ValueId) {
        let Some(t) = tile_of(&self.ir.ctx, self.ir.value_type(value)) else { return };
        if t.loc != Loc::Vec {
            self.diagnostics.push(
                Diagnostic::error(
                    codes::OVERWRITTEN,
                    self.ir.op(at).span,
                    format!("{}: a copy of the tile is needed here", self.ir.op_name(at)),
                )
                .label(define_span(self.ir, value), "this tile is used later, or is in other storage")
                .note(format!("no instruction copies a tile within the {} ({} tile)", t.loc.memory(), t.loc))
                .help("write the tile into the storage that carries it, and use only the newest one"),
            );
        }
    }

    fn unknown_size(&mut self, op: OpId, ty: TypeId) {
        let text = self.ir.ctx.type_string(ty);
        self.diagnostics.push(
            Diagnostic::error(
                codes::NO_VALID_SIZE,
                self.ir.op(op).span,
                format!("{}: the valid size of its new tile is not known", self.ir.op_name(op)),
            )
            .note(format!("the tile is {text}; its sources do not give the sizes written `?`"))
            .help("make the tile with `pto.alloc_tile valid_row = ... valid_col = ...` and add `into` it"),
        );
    }
}
