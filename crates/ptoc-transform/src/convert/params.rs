//! Which parameters functions may write.

use super::calls::{callee, symbol};
use super::valid::is_value_tile;
use crate::structure::{scopes, walk_scope};
use ptoc_dialect::def;
use ptoc_ir::{Ir, OpId, Sym, ValueId};
use rustc_hash::FxHashMap;

/// For each function, which of its parameters it may write.
#[derive(Debug, Default)]
pub(super) struct Params {
    written: FxHashMap<Sym, Vec<bool>>,
}

impl Params {
    /// Looks at every function once. A parameter that is handed on in any way counts as written.
    pub(super) fn find(ir: &Ir) -> Params {
        let mut params = Params::default();
        for scope in scopes(ir) {
            let Some(name) = scope.func.and_then(|f| symbol(ir, f)) else { continue };
            let args = &ir.block(scope.block).args;
            let index: FxHashMap<ValueId, usize> = args.iter().enumerate().map(|(i, &a)| (a, i)).collect();
            let mut written = vec![false; args.len()];
            walk_scope(ir, scope, &mut |op| {
                let data = ir.op(op);
                let d = def(data.kind);
                let hands_on =
                    d.is_none_or(|d| !d.has_value_form()) && data.results.iter().any(|&r| is_value_tile(ir, r));
                let (mut segment, mut end) = (0, data.segments.first().map_or(0, |&n| n as usize));
                for (i, v) in data.operands.iter().enumerate() {
                    while i >= end && segment + 1 < data.segments.len() {
                        segment += 1;
                        end += data.segments[segment] as usize;
                    }
                    let only_read = d.and_then(|d| d.operands.get(segment)).is_some_and(|o| !o.access().writes);
                    if let Some(&n) = index.get(v) {
                        written[n] |= hands_on || !only_read;
                    }
                }
            });
            params.written.insert(name, written);
        }
        params
    }

    /// True when a call may write its n-th operand.
    pub(super) fn may_write(&self, ir: &Ir, call: OpId, n: usize) -> bool {
        let known = callee(ir, call).and_then(|c| self.written.get(&c)).and_then(|w| w.get(n));
        known.copied().unwrap_or(true)
    }
}
