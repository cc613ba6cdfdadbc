//! SSA to DPS: every value gets a buffer.
//!
//! Values of one storage class ([`storage`](super::storage)) become one buffer: the explicit allocation or function argument
//! that the chain starts with, or a new `pto.alloc_tile` in front of the op that first defines the class, outermost branch
//! included, so that all branches write the same buffer. Loop values and branch results that are tiles disappear.

use super::buffers::{check_destinations, define_span};
use super::calls::Calls;
use super::params::Params;
use super::plan::{Make, Planner, Temporaries};
use super::rewrite::Rewriter;
use super::storage::{Conflict, Obstacle, Storage};
use super::valid::{is_value_tile, set_form};
use super::{saved, signature, temporaries};
use crate::codes;
use crate::structure::{Scope, Shape, first_jump, scope_blocks, scopes, shape, walk_scope};
use ptoc_dialect::def;
use ptoc_dialect::types::{TileForm, tile_of};
use ptoc_ir::{BlockId, Form, Ir, PassError, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::{Loc, Target};
use rustc_hash::FxHashSet;

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
        let (makes, scratch) = Planner::new(ir, &storage, diagnostics).plan()?;
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

impl Plan {
    fn apply(self, ir: &mut Ir) {
        let mut rewriter = Rewriter::new(ir, &self.storage);
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
