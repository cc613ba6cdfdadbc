//! Repeated work: an op without effect that was done before on the same operands.

use crate::structure::{Scope, scope_blocks, scopes, walk_scope};
use ptoc_ir::{AttrId, BlockId, Form, Ir, OpId, OpKind, Sym, Traits, TypeId, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What makes two ops do the same.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    kind: OpKind,
    form: Form,
    operands: SmallVec<[ValueId; 4]>,
    segments: SmallVec<[u16; 8]>,
    attrs: SmallVec<[(Sym, AttrId); 2]>,
    results: SmallVec<[TypeId; 1]>,
}

/// Lets the users of an op without effect use an earlier one that does the same, in the same block or one around it.
pub fn cse(ir: &mut Ir) {
    for scope in scopes(ir) {
        Cse::default().scope(ir, scope);
    }
}

#[derive(Default)]
struct Cse {
    seen: FxHashMap<Key, OpId>,
    replaced: FxHashMap<ValueId, ValueId>,
}

impl Cse {
    fn scope(&mut self, ir: &mut Ir, scope: Scope) {
        scope_blocks(ir, scope).into_iter().for_each(|b| self.block(ir, b));
        if self.replaced.is_empty() {
            return;
        }
        // Arguments of jumps, and uses in blocks that come before in the text.
        let mut ops = Vec::new();
        walk_scope(ir, scope, &mut |op| ops.push(op));
        for op in ops {
            let data = ir.op_mut(op);
            for v in data.operands.iter_mut().chain(data.successors.iter_mut().flat_map(|s| s.args.iter_mut())) {
                *v = self.replaced.get(v).copied().unwrap_or(*v);
            }
        }
    }

    fn block(&mut self, ir: &mut Ir, block: BlockId) {
        let mut added: Vec<OpId> = Vec::new();
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            if ir.has_trait(op, Traits::ISOLATED) {
                continue;
            }
            for i in 0..ir.op(op).operands.len() {
                if let Some(&new) = self.replaced.get(&ir.op(op).operands[i]) {
                    ir.op_mut(op).operands[i] = new;
                }
            }
            let regions: SmallVec<[BlockId; 2]> =
                ir.op(op).regions.iter().flat_map(|&r| ir.region(r).blocks.iter().copied()).collect();
            if !regions.is_empty() {
                regions.into_iter().for_each(|b| self.block(ir, b));
                continue;
            }
            if !ir.has_trait(op, Traits::PURE) || !ir.op(op).successors.is_empty() {
                continue;
            }
            let key = key(ir, op);
            match self.seen.get(&key) {
                Some(&first) => {
                    let pairs: SmallVec<[(ValueId, ValueId); 1]> =
                        ir.op(op).results.iter().copied().zip(ir.op(first).results.iter().copied()).collect();
                    self.replaced.extend(pairs);
                    ir.erase(op);
                }
                None => {
                    self.seen.insert(key, op);
                    added.push(op);
                }
            }
        }
        // What is done in this block says nothing about its neighbours.
        for op in added {
            self.seen.remove(&key(ir, op));
        }
    }
}

fn key(ir: &Ir, op: OpId) -> Key {
    let data = ir.op(op);
    Key {
        kind: data.kind,
        form: data.form,
        operands: data.operands.iter().copied().collect(),
        segments: data.segments.clone(),
        attrs: data.attrs.iter().copied().collect(),
        results: data.results.iter().map(|&r| ir.value_type(r)).collect(),
    }
}
