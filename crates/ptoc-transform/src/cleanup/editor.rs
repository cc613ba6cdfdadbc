//! Replacing values while keeping count of their uses.

use crate::structure::{Scope, walk_scope};
use ptoc_ir::{Ir, OpId, Traits, ValueId};
use smallvec::SmallVec;

/// Uses of every value. A list of users may name ops that are gone or use the value no longer; the count is exact.
pub(super) struct Editor {
    users: Vec<SmallVec<[OpId; 2]>>,
    count: Vec<u32>,
}

impl Editor {
    /// Collects the uses in a scope.
    pub(super) fn new(ir: &Ir, scope: Scope) -> Self {
        let mut e = Editor { users: vec![SmallVec::new(); ir.value_count()], count: vec![0; ir.value_count()] };
        walk_scope(ir, scope, &mut |op| {
            let data = ir.op(op);
            for &v in data.operands.iter().chain(data.successors.iter().flat_map(|s| &s.args)) {
                e.users[v.index()].push(op);
                e.count[v.index()] += 1;
            }
        });
        e
    }

    fn grow(&mut self, value: ValueId) {
        if self.users.len() <= value.index() {
            self.users.resize(value.index() + 1, SmallVec::new());
            self.count.resize(value.index() + 1, 0);
        }
    }

    /// Makes all users of `old` use `new`, and calls `touched` for each.
    pub(super) fn replace(&mut self, ir: &mut Ir, old: ValueId, new: ValueId, touched: &mut dyn FnMut(OpId)) {
        self.grow(new);
        let users = std::mem::take(&mut self.users[old.index()]);
        for op in users {
            if ir.is_erased(op) {
                continue;
            }
            let data = ir.op_mut(op);
            let mut changed = 0;
            for v in data.operands.iter_mut().chain(data.successors.iter_mut().flat_map(|s| s.args.iter_mut())) {
                if *v == old {
                    *v = new;
                    changed += 1;
                }
            }
            if changed > 0 {
                self.users[new.index()].push(op);
                self.count[new.index()] += changed;
                touched(op);
            }
        }
        self.count[old.index()] = 0;
    }

    /// True when an op has no effect and nobody uses its results. An allocation has none of its own.
    pub(super) fn is_dead(&self, ir: &Ir, op: OpId) -> bool {
        let harmless = ir.has_trait(op, Traits::PURE) || ir.op_name(op) == "pto.alloc_tile";
        harmless && ir.op(op).results.iter().all(|r| self.count.get(r.index()).is_none_or(|&n| n == 0))
    }

    /// Removes a dead op; `orphaned` gets the ops whose results nobody uses now.
    pub(super) fn erase(&mut self, ir: &mut Ir, op: OpId, orphaned: &mut dyn FnMut(OpId)) {
        let operands: SmallVec<[ValueId; 4]> = ir.op(op).operands.iter().copied().collect();
        ir.erase(op);
        for v in operands {
            if let Some(n) = self.count.get_mut(v.index()).filter(|n| **n > 0) {
                *n -= 1;
                if *n == 0
                    && let Some(def) = ir.defining_op(v)
                {
                    orphaned(def);
                }
            }
        }
    }
}
