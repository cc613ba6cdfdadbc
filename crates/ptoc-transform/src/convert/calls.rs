//! Who calls whom, and what that means for tiles.

use crate::structure::{scopes, walk_scope};
use ptoc_ir::{AttrData, Ir, OpId, Sym};
use rustc_hash::{FxHashMap, FxHashSet};

/// Who calls whom.
#[derive(Debug, Default)]
pub(super) struct Calls {
    called: FxHashSet<Sym>,
    /// Functions in which, or below which, tiles with addresses are made, or whose body is unknown.
    placing: FxHashSet<Sym>,
}

impl Calls {
    pub(super) fn find(ir: &Ir) -> Calls {
        let mut calls = Calls::default();
        let mut callers: FxHashMap<Sym, Vec<Sym>> = FxHashMap::default();
        let mut bodies: FxHashSet<Sym> = FxHashSet::default();
        let mut queue = Vec::new();
        for scope in scopes(ir) {
            let Some(name) = scope.func.and_then(|f| symbol(ir, f)) else { continue };
            bodies.insert(name);
            let mut places = false;
            walk_scope(ir, scope, &mut |op| match ir.op_name(op) {
                "func.call" => {
                    if let Some(callee) = callee(ir, op) {
                        calls.called.insert(callee);
                        callers.entry(callee).or_default().push(name);
                    }
                }
                "func.call_indirect" | "pto.tassign" => places = true,
                "pto.alloc_tile" | "pto.alloc_multi_tile" => places |= ir.operand(op, 0).is_some(),
                _ => {}
            });
            if places {
                queue.push(name);
            }
        }
        queue.extend(calls.called.iter().copied().filter(|c| !bodies.contains(c)));
        while let Some(name) = queue.pop() {
            if calls.placing.insert(name) {
                queue.extend(callers.get(&name).into_iter().flatten().copied());
            }
        }
        calls
    }

    pub(super) fn is_called(&self, ir: &Ir, func: OpId) -> bool {
        symbol(ir, func).is_some_and(|s| self.called.contains(&s))
    }

    /// True for a call that may reach tiles with addresses.
    pub(super) fn may_place(&self, ir: &Ir, op: OpId) -> bool {
        match ir.op_name(op) {
            "func.call" => callee(ir, op).is_none_or(|c| self.placing.contains(&c)),
            "func.call_indirect" => true,
            _ => false,
        }
    }
}

/// The name of a function.
pub(super) fn symbol(ir: &Ir, func: OpId) -> Option<Sym> {
    match ir.attr_data(func, "sym_name")? {
        AttrData::String(s) => Some(*s),
        _ => None,
    }
}

/// The name of the function that a call calls.
pub(super) fn callee(ir: &Ir, call: OpId) -> Option<Sym> {
    match ir.attr_data(call, "callee")? {
        AttrData::Symbol(path) => path.last().copied(),
        _ => None,
    }
}
