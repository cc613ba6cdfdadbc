//! SSA to DPS: every value gets a buffer.
//!
//! Values of one storage class ([`storage`](super::storage)) become one buffer: the explicit allocation or function argument
//! that the chain starts with, or a new `pto.alloc_tile` in front of the op that first defines the class, outermost branch
//! included, so that all branches write the same buffer. Loop values and branch results that are tiles disappear.

use super::buffers::{Calls, check_destinations, define_span};
use super::holders::Params;
use super::place::emit_alloc;
use super::storage::{Anchor, Conflict, Obstacle, Step, Storage, init_target, out_target};
use super::to_ssa::is_bare;
use super::valid::{Dim, Dims, alloc_dims, foreign_dims, is_value_tile, result_dims, set_form, type_in_form};
use super::{EMPTY_ELSE, saved, signature, temporaries};
use crate::codes;
use crate::structure::{Scope, Shape, first_jump, scope_blocks, scopes, shape, walk_scope};
use ptoc_dialect::types::{TileForm, tile_of, with_form};
use ptoc_dialect::{def, kind};
use ptoc_ir::{BlockId, Builder, Dominance, Form, Ir, OpId, OpKind, PassError, TypeId, ValueDef, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::{Loc, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::LazyLock;

static MOVE: LazyLock<OpKind> = LazyLock::new(|| kind("pto.tmov"));

/// Converts a program to the DPS form.
///
/// # Errors
/// Pushes an error and gives up when a value has no storage that holds it as long as it is used, when a new tile's valid size
/// is not known, or when tiles pass through jumps or operations that can't be followed. The program then means the same,
/// with temporaries and copies made.
pub fn to_dps(ir: &mut Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    check_destinations(ir, diagnostics);
    temporaries::materialise(ir, target, diagnostics)?;
    let params = Params::find(ir);
    let calls = Calls::find(ir);
    for scope in scopes(ir) {
        if scope.func.is_some_and(|f| calls.is_called(ir, f)) {
            saved::tell_apart(ir, scope);
        }
    }
    let mut plans = Vec::new();
    for scope in scopes(ir) {
        if let Some(plan) = Plan::make(ir, scope, &params, diagnostics) {
            plans.push(plan);
        }
    }
    if diagnostics.iter().filter(|d| d.is_error()).count() > errors {
        return Err(PassError);
    }
    for plan in plans {
        plan.apply(ir);
    }
    flip_the_rest(ir);
    signature::update(ir, TileForm::Buffer);
    Ok(())
}

/// A buffer to make.
struct Make {
    anchor: Anchor,
    /// Class that lives in it.
    class: u32,
    ty: TypeId,
    dims: Dims,
    name: ptoc_ir::Sym,
}

/// Temporaries that get storage of their own: op, operand segment.
type Temporaries = Vec<(OpId, u32)>;

/// Everything that is decided about a scope before it changes.
struct Plan {
    scope: Scope,
    storage: Storage,
    makes: Vec<Make>,
    /// New temporaries: op, operand segment.
    scratch: Temporaries,
}

impl Plan {
    /// `None` when there is nothing to do, or an error was reported.
    fn make(ir: &mut Ir, scope: Scope, params: &Params, diagnostics: &mut Vec<Diagnostic>) -> Option<Plan> {
        if !has_values(ir, scope) {
            return None;
        }
        if let Some(jump) = first_jump(ir, scope) {
            diagnostics.push(
                Diagnostic::error(
                    codes::JUMPS,
                    ir.op(jump).span,
                    "tile values in a function with jumps between blocks",
                )
                .note("a conversion to DPS follows structured control flow only")
                .help("write the control flow with `scf.for`, `scf.while` and `scf.if`"),
            );
            return None;
        }
        if !follows_everything(ir, scope, diagnostics) {
            return None;
        }
        let storage = find_storage(ir, scope, params, diagnostics)?;
        let mut planner = Planner {
            ir,
            storage: &storage,
            dominance: Dominance::new(),
            dims: FxHashMap::default(),
            first_def: FxHashMap::default(),
            diagnostics,
        };
        let (makes, scratch) = planner.plan()?;
        Some(Plan { scope, storage, makes, scratch })
    }
}

/// Most times that values are copied and storage is looked for again.
const MAX_SAVES: usize = 8;

/// Storage for the values of a scope, with copies of those whose storage has to go on.
fn find_storage(ir: &mut Ir, scope: Scope, params: &Params, diagnostics: &mut Vec<Diagnostic>) -> Option<Storage> {
    let mut saved: FxHashSet<ValueId> = FxHashSet::default();
    for round in 0.. {
        let Obstacle { conflicts, mut save, mut keep } = match Storage::find(ir, scope, params) {
            Ok(storage) => return Some(storage),
            Err(obstacle) => obstacle,
        };
        for list in [&mut save, &mut keep] {
            list.sort_unstable();
            list.dedup();
        }
        let movable = |v: &ValueId| tile_of(&ir.ctx, ir.value_type(*v)).is_some_and(|t| t.loc == Loc::Vec);
        let copied = save.len() + keep.len();
        if round == MAX_SAVES || copied == 0 || !save.iter().chain(&keep).all(|v| movable(v) && saved.insert(*v)) {
            conflicts.iter().for_each(|c| diagnostics.push(overwritten(ir, c)));
            return None;
        }
        saved::save(ir, &save);
        saved::keep(ir, &keep);
    }
    None
}

fn has_values(ir: &Ir, scope: Scope) -> bool {
    let tiles = |b: BlockId| ir.block(b).args.iter().any(|&a| is_value_tile(ir, a));
    let mut found = scope_blocks(ir, scope).into_iter().any(tiles);
    walk_scope(ir, scope, &mut |op| found |= ir.op(op).results.iter().any(|&r| is_value_tile(ir, r)));
    found
}

/// Gives instructions that write no tile the DPS form.
fn flip_the_rest(ir: &mut Ir) {
    let mut ops = Vec::new();
    for scope in scopes(ir) {
        walk_scope(ir, scope, &mut |op| {
            let data = ir.op(op);
            if data.form != Form::Custom && data.results.is_empty() {
                ops.push(op);
            }
        });
    }
    ops.into_iter().for_each(|op| ir.op_mut(op).form = Form::Custom);
}

/// Reports operations with tile results whose storage is not known.
fn follows_everything(ir: &Ir, scope: Scope, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let before = diagnostics.len();
    walk_scope(ir, scope, &mut |op| {
        let data = ir.op(op);
        if !data.results.iter().any(|&r| is_value_tile(ir, r)) {
            return;
        }
        let known = if data.regions.is_empty() {
            def(data.kind).is_some() || ir.op_name(op) == "func.call"
        } else {
            !matches!(shape(ir, op), Shape::Section | Shape::Unknown)
        };
        if !known {
            diagnostics.push(
                Diagnostic::error(codes::PASSES_THROUGH, data.span, format!("tiles pass through `{}`", ir.op_name(op)))
                    .note("the conversion to DPS has to know whose storage each tile is")
                    .help("choose between tiles with `scf.if`"),
            );
        }
        let written_views = def(data.kind).filter(|d| d.has_value_form()).into_iter().flat_map(|d| d.dests());
        for (n, _) in written_views {
            let view = ir.operand(op, n).filter(|&v| is_view(ir, v));
            if let Some(view) = view {
                diagnostics.push(
                    Diagnostic::error(
                        codes::WRITES_PART,
                        data.span,
                        format!("{}: `into` a view of a tile", ir.op_name(op)),
                    )
                    .label(define_span(ir, view), "the view")
                    .note("a view shares the storage of its tile, which is a value and does not change")
                    .help("write a tile of its own, and put it into place with `pto.tinsert`"),
                );
            }
        }
    });
    diagnostics.len() == before
}

fn is_view(ir: &Ir, value: ValueId) -> bool {
    is_value_tile(ir, value)
        && ir.defining_op(value).is_some_and(|op| {
            def(ir.op(op).kind).is_some_and(|d| !d.has_value_form())
                && ir.op(op).operands.iter().any(|&v| is_value_tile(ir, v))
        })
}

fn overwritten(ir: &Ir, c: &Conflict) -> Diagnostic {
    let name = |v: ValueId| match ir.ctx.str(ir.value(v).name) {
        "" => "a tile".to_owned(),
        n => format!("`%{n}`"),
    };
    let mut d = Diagnostic::error(
        codes::OVERWRITTEN,
        ir.op(c.reader).span,
        format!("{}: {} is used after its storage was overwritten", ir.op_name(c.reader), name(c.value)),
    )
    .label(define_span(ir, c.value), "defined here");
    if let Some(owner) = c.owner {
        d = d.label(define_span(ir, owner), "its storage goes to this one");
    }
    d.note("`into` and loop values hand the storage of a tile on; what a call returned is gone with the next call")
        .help("use the new tile, or write to a fresh one")
}

struct Planner<'a, 'd> {
    ir: &'a Ir,
    storage: &'a Storage,
    dominance: Dominance,
    dims: FxHashMap<u32, Option<Dims>>,
    /// First op and destination segment that makes a tile of the class without an old one.
    first_def: FxHashMap<u32, (OpId, usize)>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Planner<'_, '_> {
    fn plan(&mut self) -> Option<(Vec<Make>, Temporaries)> {
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
        let outs = (0..self.ir.op(anchor).regions.len()).filter_map(|n| super::storage::end(self.ir, anchor, n));
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

impl Plan {
    fn apply(self, ir: &mut Ir) {
        let mut rewriter = Rewriter { ir, storage: &self.storage, buffer: FxHashMap::default() };
        rewriter.make_buffers(&self.makes);
        for &(op, segment) in &self.scratch {
            rewriter.fresh_scratch(op, segment);
        }
        let mut ops = Vec::new();
        walk_scope(rewriter.ir, self.scope, &mut |op| ops.push(op));
        // Copies first: they still need to see arguments and results.
        for &op in &ops {
            rewriter.copies(op);
        }
        for &op in &ops {
            rewriter.op(op);
        }
        for &op in &ops {
            rewriter.drop_carried(op);
        }
        let Rewriter { ir, .. } = rewriter;
        for i in 0..ir.block(self.scope.block).args.len() {
            let arg = ir.block(self.scope.block).args[i];
            set_form(ir, arg, TileForm::Buffer);
        }
    }
}

struct Rewriter<'a> {
    ir: &'a mut Ir,
    storage: &'a Storage,
    /// New buffer of each class.
    buffer: FxHashMap<u32, ValueId>,
}

impl Rewriter<'_> {
    /// The buffer that a tile value lives in; other values as they are.
    fn place(&self, value: ValueId) -> ValueId {
        if !is_value_tile(self.ir, value) || self.storage.is_view(value) {
            return value;
        }
        let class = self.storage.class(value);
        self.storage.root(class).or_else(|| self.buffer.get(&class).copied()).unwrap_or(value)
    }

    fn make_buffers(&mut self, makes: &[Make]) {
        for m in makes {
            let ty = with_form(&mut self.ir.ctx, m.ty, TileForm::Buffer);
            let dims = m.dims.map(|d| match d {
                Dim::RowsOf(v) => Dim::RowsOf(self.place(v)),
                Dim::ColsOf(v) => Dim::ColsOf(self.place(v)),
                d => d,
            });
            let value = emit_alloc(&mut Builder::before(self.ir, m.anchor.op), ty, dims);
            self.ir.set_name_sym(value, m.name);
            self.buffer.insert(m.class, value);
        }
    }

    fn fresh_scratch(&mut self, op: OpId, segment: u32) {
        let Some(old) = self.ir.operand(op, segment as usize) else { return };
        let place = self.place(old);
        let fresh = self.like(op, old, place);
        self.ir.set_segment(op, segment as usize, &[fresh]);
    }

    /// A new buffer in front of an op, like the one that a value lives in.
    fn like(&mut self, op: OpId, value: ValueId, place: ValueId) -> ValueId {
        let ty = type_in_form(self.ir, value, TileForm::Buffer);
        let dims = foreign_dims(self.ir, value).unwrap_or([Dim::Static; 2]).map(|d| match d {
            Dim::RowsOf(_) => Dim::RowsOf(place),
            Dim::ColsOf(_) => Dim::ColsOf(place),
            d => d,
        });
        emit_alloc(&mut Builder::before(self.ir, op), ty, dims)
    }

    /// Copies in front of an op for the steps that were cut.
    fn copies(&mut self, op: OpId) {
        let operands: SmallVec<[ValueId; 4]> = self.ir.op(op).operands.iter().copied().collect();
        let mut moves: Vec<(ValueId, ValueId)> = Vec::new();
        for (i, &v) in operands.iter().enumerate() {
            if self.storage.cut.contains(&Step::Call(op, i as u32)) {
                let place = self.place(v);
                let fresh = self.like(op, v, place);
                emit_move(&mut Builder::before(self.ir, op), place, fresh);
                self.ir.op_mut(op).operands[i] = fresh;
            }
            let target = if self.storage.cut.contains(&Step::Out(op, i as u32)) {
                out_target(self.ir, op, i)
            } else if self.storage.cut.contains(&Step::Init(op, i as u32)) {
                init_target(self.ir, op, i)
            } else {
                None
            };
            moves.extend(target.map(|t| (self.place(v), self.place(t))));
        }
        if let Some(d) = def(self.ir.op(op).kind).filter(|_| self.ir.op(op).form != Form::Custom) {
            for (k, (segment, _)) in d.dests().enumerate() {
                if let (Some(&result), Some(old)) = (self.ir.op(op).results.get(k), self.ir.operand(op, segment))
                    && self.storage.cut.contains(&Step::Into(op, segment as u32))
                {
                    moves.push((self.place(old), self.place(result)));
                }
            }
        }
        moves.retain(|(from, to)| from != to);
        self.move_all(op, &moves);
    }

    /// Moves in front of an op as if all happened at once: one that overwrites a source waits for those that read it, and a
    /// cycle is opened with a buffer of its own.
    fn move_all(&mut self, op: OpId, moves: &[(ValueId, ValueId)]) {
        let mut sources: Vec<ValueId> = moves.iter().map(|&(from, _)| from).collect();
        let mut readers: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
        let mut writer: FxHashMap<ValueId, usize> = FxHashMap::default();
        for (i, &(from, to)) in moves.iter().enumerate() {
            readers.entry(from).or_default().push(i);
            writer.insert(to, i);
        }
        let mut waiting: FxHashMap<ValueId, usize> = readers.iter().map(|(&v, r)| (v, r.len())).collect();
        let mut done = vec![false; moves.len()];
        // The first round takes everything that can go; what is left then are cycles.
        for cycles in [false, true] {
            for first in 0..moves.len() {
                let to = moves[first].1;
                let mut next = Some(first).filter(|_| !done[first]);
                if next.is_some() && cycles && waiting.get(&to).is_some_and(|&n| n > 0) {
                    let spare = self.like(op, to, to);
                    emit_move(&mut Builder::before(self.ir, op), to, spare);
                    readers.get(&to).into_iter().flatten().for_each(|&i| sources[i] = spare);
                    waiting.insert(to, 0);
                }
                while let Some(i) = next.take() {
                    if done[i] || waiting.get(&moves[i].1).is_some_and(|&n| n > 0) {
                        break;
                    }
                    done[i] = true;
                    emit_move(&mut Builder::before(self.ir, op), sources[i], moves[i].1);
                    let from = moves[i].0;
                    if let Some(n) = waiting.get_mut(&from).filter(|n| **n > 0) {
                        *n -= 1;
                        next = if *n == 0 { writer.get(&from).copied() } else { None };
                    }
                }
            }
        }
    }

    fn op(&mut self, op: OpId) {
        for i in 0..self.ir.op(op).operands.len() {
            let place = self.place(self.ir.op(op).operands[i]);
            self.ir.op_mut(op).operands[i] = place;
        }
        if self.ir.op(op).form != Form::Custom
            && let Some(d) = def(self.ir.op(op).kind)
        {
            let results: SmallVec<[ValueId; 2]> = self.ir.op(op).results.iter().copied().collect();
            for ((segment, _), result) in d.dests().zip(results) {
                let place = self.place(result);
                self.ir.set_segment(op, segment, &[place]);
            }
            self.ir.truncate_results(op, 0);
            self.ir.op_mut(op).form = Form::Custom;
        }
    }

    /// Takes tiles out of what loops and branches carry, and gives the remaining tile results the buffer form.
    fn drop_carried(&mut self, op: OpId) {
        let tile = |ir: &Ir, v: ValueId| is_value_tile(ir, v);
        let results: SmallVec<[bool; 4]> = self.ir.op(op).results.iter().map(|&r| !tile(self.ir, r)).collect();
        let args = |ir: &Ir, n: usize| -> SmallVec<[bool; 4]> {
            ir.body(op, n).map(|b| ir.block(b).args.iter().map(|&a| !tile(ir, a)).collect()).unwrap_or_default()
        };
        if !self.ir.op(op).regions.is_empty() {
            match shape(self.ir, op) {
                Shape::For => {
                    let keep = args(self.ir, 0);
                    let carried = keep.get(1..).unwrap_or_default();
                    retain_operands(self.ir, op, 3, carried);
                    self.retain_outs(op, 0, 0, carried);
                    self.retain_args(op, 0, &keep);
                    self.ir.retain_results(op, &results);
                }
                Shape::While => {
                    let keep = args(self.ir, 0);
                    retain_operands(self.ir, op, 0, &keep);
                    self.retain_outs(op, 1, 0, &keep);
                    self.retain_args(op, 0, &keep);
                    self.retain_outs(op, 0, 1, &results);
                    self.retain_args(op, 1, &results);
                    self.ir.retain_results(op, &results);
                }
                Shape::Branches | Shape::Block => {
                    for n in 0..self.ir.op(op).regions.len() {
                        self.retain_outs(op, n, 0, &results);
                    }
                    self.ir.retain_results(op, &results);
                    self.drop_else(op, results.contains(&false));
                }
                Shape::Section | Shape::Unknown => {}
            }
        }
        for i in 0..self.ir.op(op).results.len() {
            let r = self.ir.op(op).results[i];
            set_form(self.ir, r, TileForm::Buffer);
        }
    }

    /// An `else` that only handed tiles on goes, unless it stood there before.
    fn drop_else(&mut self, op: OpId, had_tiles: bool) {
        if self.ir.remove_attr(op, EMPTY_ELSE).is_some() || !had_tiles || self.ir.op_name(op) != "scf.if" {
            return;
        }
        if self.ir.op(op).regions.len() == 2 && self.ir.op(op).results.is_empty() && is_bare(self.ir, op, 1) {
            self.ir.op_mut(op).regions.truncate(1);
        }
    }

    fn retain_outs(&mut self, op: OpId, region: usize, skip: usize, keep: &[bool]) {
        if let Some(end) = super::storage::end(self.ir, op, region) {
            retain_operands(self.ir, end, skip, keep);
        }
    }

    fn retain_args(&mut self, op: OpId, region: usize, keep: &[bool]) {
        if let Some(body) = self.ir.body(op, region) {
            self.ir.retain_block_args(body, keep);
        }
    }
}

/// Drops the operands behind the first `skip` whose bit is false, each with its segment.
fn retain_operands(ir: &mut Ir, op: OpId, skip: usize, keep: &[bool]) {
    if !keep.contains(&false) {
        return;
    }
    let data = ir.op_mut(op);
    let stays = |i: usize| i < skip || keep.get(i - skip).copied().unwrap_or(true);
    let mut i = 0;
    data.operands.retain(|_| {
        i += 1;
        stays(i - 1)
    });
    i = 0;
    data.operand_spans.retain(|_| {
        i += 1;
        stays(i - 1)
    });
    data.segments = data.operands.iter().map(|_| 1).collect();
}

fn emit_move(b: &mut Builder<'_>, from: ValueId, to: ValueId) {
    b.op(*MOVE).operand(from).operand(to).segment(&[]).segment(&[]).build();
}
