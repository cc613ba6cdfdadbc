//! Constant folding, one constant of a kind, and dead code.

use super::editor::Editor;
use super::fold::{Folded, attribute, fold};
use crate::structure::{Scope, scopes, walk_scope};
use ptoc_dialect::kind;
use ptoc_ir::{AttrId, Ir, OpId, OpKind, TypeId, ValueId};
use ptoc_source::Span;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

static CONSTANT: LazyLock<OpKind> = LazyLock::new(|| kind("arith.constant"));

/// Folds integer arithmetic, keeps one constant of each value and type at the head of its function, and removes operations
/// without effect whose results nobody uses.
pub fn canonicalize(ir: &mut Ir) {
    for scope in scopes(ir) {
        Canonicalizer::new(ir, scope).run(ir, scope);
    }
}

/// Removes operations without effect whose results nobody uses.
pub fn dce(ir: &mut Ir) {
    for scope in scopes(ir) {
        let mut editor = Editor::new(ir, scope);
        let mut queue = Vec::new();
        walk_scope(ir, scope, &mut |op| queue.push(op));
        while let Some(op) = queue.pop() {
            if !ir.is_erased(op) && editor.is_dead(ir, op) {
                editor.erase(ir, op, &mut |o| queue.push(o));
            }
        }
    }
}

struct Canonicalizer {
    editor: Editor,
    /// The constant of each attribute and type.
    constants: FxHashMap<(AttrId, TypeId), ValueId>,
    /// The constants at the head of the scope end here.
    last: Option<OpId>,
    queue: Vec<OpId>,
    queued: Vec<bool>,
}

impl Canonicalizer {
    fn new(ir: &Ir, scope: Scope) -> Self {
        Canonicalizer {
            editor: Editor::new(ir, scope),
            constants: FxHashMap::default(),
            last: None,
            queue: Vec::new(),
            queued: vec![false; ir.op_count()],
        }
    }

    fn push(&mut self, op: OpId) {
        if self.queued.len() <= op.index() {
            self.queued.resize(op.index() + 1, false);
        }
        if !std::mem::replace(&mut self.queued[op.index()], true) {
            self.queue.push(op);
        }
    }

    fn push_all(&mut self, ops: Vec<OpId>) {
        ops.into_iter().for_each(|o| self.push(o));
    }

    fn run(&mut self, ir: &mut Ir, scope: Scope) {
        let mut ops = Vec::new();
        walk_scope(ir, scope, &mut |op| ops.push(op));
        for &op in &ops {
            if ir.op(op).kind == *CONSTANT {
                self.hoist(ir, scope, op);
            }
        }
        ops.iter().rev().for_each(|&op| self.push(op));
        while let Some(op) = self.queue.pop() {
            self.queued[op.index()] = false;
            if ir.is_erased(op) {
                continue;
            }
            if self.editor.is_dead(ir, op) {
                self.erase(ir, op);
            } else if let Some(folded) = fold(ir, op)
                && let Some(&result) = ir.op(op).results.first()
            {
                let new = match folded {
                    Folded::Value(v) => v,
                    Folded::Number(n) => self.number(ir, scope, n, ir.value_type(result), ir.op(op).span),
                };
                self.replace(ir, result, new);
                self.push(op);
            }
        }
    }

    fn replace(&mut self, ir: &mut Ir, old: ValueId, new: ValueId) {
        let mut touched = Vec::new();
        self.editor.replace(ir, old, new, &mut |o| touched.push(o));
        self.push_all(touched);
    }

    fn erase(&mut self, ir: &mut Ir, op: OpId) {
        if self.last == Some(op) {
            self.last = ir.prev_op(op);
        }
        if ir.op(op).kind == *CONSTANT
            && let (Some(value), Some(&result)) = (ir.attr(op, "value"), ir.op(op).results.first())
        {
            // A second constant of the same value leaves the first one where it is.
            let key = (value, ir.value_type(result));
            if self.constants.get(&key) == Some(&result) {
                self.constants.remove(&key);
            }
        }
        let mut orphaned = Vec::new();
        self.editor.erase(ir, op, &mut |o| orphaned.push(o));
        self.push_all(orphaned);
    }

    /// Moves a constant to the head of the scope, or lets its users use the one that is there.
    fn hoist(&mut self, ir: &mut Ir, scope: Scope, op: OpId) {
        let (Some(value), Some(&result), 1) = (ir.attr(op, "value"), ir.op(op).results.first(), ir.op(op).attrs.len())
        else {
            return;
        };
        let key = (value, ir.value_type(result));
        if let Some(&there) = self.constants.get(&key) {
            self.replace(ir, result, there);
            return;
        }
        ir.detach(op);
        self.place(ir, scope, op);
        self.constants.insert(key, result);
    }

    fn place(&mut self, ir: &mut Ir, scope: Scope, op: OpId) {
        match self.last {
            Some(last) => ir.insert_after(last, op),
            None => ir.prepend(scope.block, op),
        }
        self.last = Some(op);
    }

    fn number(&mut self, ir: &mut Ir, scope: Scope, n: i128, ty: TypeId, span: Span) -> ValueId {
        let attr = attribute(&mut ir.ctx, n, ty);
        if let Some(&there) = self.constants.get(&(attr, ty)) {
            return there;
        }
        let op = ir.create_op(*CONSTANT, span, &[]);
        let value = ir.add_result(op, ty);
        ir.set_attr(op, "value", attr);
        self.place(ir, scope, op);
        self.constants.insert((attr, ty), value);
        value
    }
}
