//! Functions by name.

use crate::codes;
use crate::walk::Findings;
use ptoc_ir::{AttrData, Ir, OpId, Sym};
use ptoc_source::Diagnostic;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The symbols of each module.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    by_name: FxHashMap<(Option<OpId>, Sym), OpId>,
}

impl Symbols {
    /// Adds the symbol that an op defines; a second one of the same name in the same module is an error.
    pub(crate) fn define(&mut self, ir: &Ir, op: OpId, out: &mut Findings) {
        let Some(AttrData::String(name)) = ir.attr_data(op, "sym_name") else {
            out.push(Diagnostic::error(codes::SYMBOL, ir.op(op).span, "the operation has no name (`sym_name`)"));
            return;
        };
        match self.by_name.entry((ir.parent_op(op), *name)) {
            Entry::Vacant(e) => {
                e.insert(op);
            }
            Entry::Occupied(first) => {
                let message = format!("`@{}` is defined twice in this module", ir.ctx.str(*name));
                out.push(
                    Diagnostic::error(codes::SYMBOL, ir.op(op).span, message)
                        .at("the second definition")
                        .label(ir.op(*first.get()).span, "the first definition")
                        .help("rename one of them"),
                );
            }
        }
    }

    /// The op that a name means inside `from`: of the innermost enclosing module that has it.
    pub(crate) fn find(&self, ir: &Ir, from: OpId, name: Sym) -> Option<OpId> {
        let mut at = ir.parent_op(from);
        loop {
            if let Some(&op) = self.by_name.get(&(at, name)) {
                return Some(op);
            }
            at = ir.parent_op(at?);
        }
    }

    /// Every name, for suggestions.
    pub(crate) fn names<'a>(&'a self, ir: &'a Ir) -> Vec<&'a str> {
        let mut names: Vec<&str> = self.by_name.keys().map(|(_, s)| ir.ctx.str(*s)).collect();
        names.sort_unstable();
        names
    }
}
