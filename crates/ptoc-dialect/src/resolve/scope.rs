//! Names of values and blocks while a function is read.

use ptoc_ir::{BlockId, ValueId};
use ptoc_source::Span;
use rustc_hash::FxHashMap;

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binding {
    /// One value.
    Value(ValueId),
    /// `%x:n`, used as `%x#i`: that many values with handles from the first one on.
    Pack(ValueId, u32),
    /// The operation that defines it was rejected; uses are not reported again.
    Poison,
}

#[derive(Default)]
struct Level<'t> {
    names: FxHashMap<&'t str, (Binding, Span)>,
    undo: Vec<(&'t str, Option<(Binding, Span)>)>,
    /// Values used before their definition, with the place of the first use.
    forward: FxHashMap<&'t str, (ValueId, Span)>,
}

/// Nested scopes: a stack of isolated levels, each with nested regions.
#[derive(Default)]
pub(crate) struct Scope<'t> {
    levels: Vec<Level<'t>>,
    blocks: Vec<FxHashMap<&'t str, BlockId>>,
}

/// Where a nested region began.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl<'t> Scope<'t> {
    pub(crate) fn enter_isolated(&mut self) {
        self.levels.push(Level::default());
    }

    /// Leaves an isolated level; gives the names that were used but never defined.
    pub(crate) fn leave_isolated(&mut self) -> Vec<(&'t str, Span)> {
        let mut missing: Vec<_> = self
            .levels
            .pop()
            .map(|l| l.forward.into_iter().map(|(name, (_, span))| (name, span)).collect())
            .unwrap_or_default();
        missing.sort_by_key(|(_, span)| span.start);
        missing
    }

    pub(crate) fn enter(&self) -> Mark {
        Mark(self.levels.last().map_or(0, |l| l.undo.len()))
    }

    pub(crate) fn leave(&mut self, mark: Mark) {
        if let Some(level) = self.levels.last_mut() {
            while level.undo.len() > mark.0 {
                if let Some((name, old)) = level.undo.pop() {
                    match old {
                        Some(b) => level.names.insert(name, b),
                        None => level.names.remove(name),
                    };
                }
            }
        }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&(Binding, Span)> {
        self.levels.last()?.names.get(name)
    }

    /// Binds a name; gives the place of an earlier visible definition, which stays hidden behind the new one.
    pub(crate) fn define(&mut self, name: &'t str, binding: Binding, span: Span) -> Option<Span> {
        let level = self.levels.last_mut()?;
        let old = level.names.insert(name, (binding, span));
        let before = old.map(|(_, s)| s);
        level.undo.push((name, old));
        before
    }

    pub(crate) fn forward(&self, name: &str) -> Option<ValueId> {
        self.levels.last()?.forward.get(name).map(|&(v, _)| v)
    }

    pub(crate) fn add_forward(&mut self, name: &'t str, value: ValueId, span: Span) {
        if let Some(l) = self.levels.last_mut() {
            l.forward.insert(name, (value, span));
        }
    }

    pub(crate) fn take_forward(&mut self, name: &str) -> Option<ValueId> {
        let level = self.levels.last_mut()?;
        if level.forward.is_empty() {
            return None;
        }
        level.forward.remove(name).map(|(v, _)| v)
    }

    /// Visible names, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.levels.last().into_iter().flat_map(|l| l.names.keys().copied())
    }

    pub(crate) fn enter_blocks(&mut self, blocks: FxHashMap<&'t str, BlockId>) {
        self.blocks.push(blocks);
    }

    pub(crate) fn leave_blocks(&mut self) {
        self.blocks.pop();
    }

    pub(crate) fn block(&self, name: &str) -> Option<BlockId> {
        self.blocks.last()?.get(name).copied()
    }

    /// True inside a region with several blocks, where a value may be used above its definition.
    pub(crate) fn allows_forward(&self) -> bool {
        self.blocks.iter().any(|b| b.len() > 1)
    }
}
