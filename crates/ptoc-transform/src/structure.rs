//! Structured control flow: what the regions of an op do when it runs.

use ptoc_ir::{BlockId, Ir, OpId, Traits, Walk, walk};
use smallvec::SmallVec;

/// How often, and in which order, the regions of an op run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// One of them runs: `scf.if`, `scf.index_switch`.
    Branches,
    /// The region runs once and may hand values out: `scf.execute_region`.
    Block,
    /// The region runs any number of times: `scf.for`.
    For,
    /// The first region runs, then the second and the first again while the condition holds: `scf.while`.
    While,
    /// The region runs once and hands no value out: sections.
    Section,
    /// Nothing is known.
    Unknown,
}

/// The shape of an op with regions.
pub(crate) fn shape(ir: &Ir, op: OpId) -> Shape {
    match ir.op_name(op) {
        "scf.if" | "scf.index_switch" => Shape::Branches,
        "scf.execute_region" => Shape::Block,
        "scf.for" => Shape::For,
        "scf.while" => Shape::While,
        "pto.section.cube" | "pto.section.vector" | "pto.section.simt" | "pto.fusion_region" => Shape::Section,
        _ => Shape::Unknown,
    }
}

/// A function body, or the statements of a module outside any function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The function.
    pub(crate) func: Option<OpId>,
    /// Its entry block.
    pub(crate) block: BlockId,
}

/// All scopes of a program in program order.
pub(crate) fn scopes(ir: &Ir) -> Vec<Scope> {
    let mut out = Vec::new();
    let mut blocks = vec![ir.top()];
    while let Some(block) = blocks.pop() {
        let mut stray = false;
        for op in ir.block_ops(block) {
            match ir.op_name(op) {
                "func.func" => out.extend(ir.body(op, 0).map(|block| Scope { func: Some(op), block })),
                _ if ir.has_trait(op, Traits::ISOLATED) => blocks.extend(ir.body(op, 0)),
                _ => stray = true,
            }
        }
        if stray {
            out.push(Scope { func: None, block });
        }
    }
    out
}

/// All functions without a body.
pub(crate) fn declarations(ir: &Ir) -> Vec<OpId> {
    let mut out = Vec::new();
    walk(ir, ir.top(), &mut |op| {
        let is_func = ir.op_name(op) == "func.func";
        if is_func && ir.body(op, 0).is_none() {
            out.push(op);
        }
        if is_func { Walk::Skip } else { Walk::Into }
    });
    out
}

/// All blocks of a scope, without those of regions in it.
pub(crate) fn scope_blocks(ir: &Ir, scope: Scope) -> SmallVec<[BlockId; 1]> {
    match ir.block_region(scope.block) {
        Some(r) if scope.func.is_some() => ir.region(r).blocks.iter().copied().collect(),
        _ => [scope.block].into_iter().collect(),
    }
}

/// Visits the ops of a scope in program order, not those of functions and modules nested in it.
pub(crate) fn walk_scope(ir: &Ir, scope: Scope, visit: &mut dyn FnMut(OpId)) {
    for block in scope_blocks(ir, scope) {
        walk(ir, block, &mut |op| {
            if ir.has_trait(op, Traits::ISOLATED) {
                return Walk::Skip;
            }
            visit(op);
            Walk::Into
        });
    }
}

/// The first op that jumps between blocks; `None` when every region of the scope is a single block.
pub(crate) fn first_jump(ir: &Ir, scope: Scope) -> Option<OpId> {
    let several = scope_blocks(ir, scope).len() > 1;
    let mut found = if several { ir.last_op(scope.block) } else { None };
    walk_scope(ir, scope, &mut |op| {
        let jumps = !ir.op(op).successors.is_empty();
        let split = ir.op(op).regions.iter().any(|&r| ir.region(r).blocks.len() > 1);
        if found.is_none() && (jumps || split) {
            found = Some(op);
        }
    });
    found
}
