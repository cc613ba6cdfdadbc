//! Names of values and blocks while a function is read.

use ptoc_ir::{BlockId, Sym, ValueId};
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

/// What a name meant last, and at which isolated level.
#[derive(Clone, Copy)]
struct Slot {
    /// 0 for no meaning; no level has this number.
    level: u32,
    binding: Binding,
    span: Span,
}

const FREE: Slot = Slot { level: 0, binding: Binding::Poison, span: Span::NONE };

#[derive(Default)]
struct Level {
    number: u32,
    /// Where the names defined at this level begin in the list of all.
    undo: usize,
    /// Values used before their definition, with the place of the first use.
    forward: FxHashMap<Sym, (ValueId, Span)>,
}

/// Nested scopes: a stack of isolated levels, each with nested regions.
///
/// A name is an interned string without its `%`, and its meaning is found by its index. Leaving a scope brings back the
/// meanings that its definitions hid.
#[derive(Default)]
pub(crate) struct Scope<'t> {
    slots: Vec<Slot>,
    undo: Vec<(Sym, Slot)>,
    levels: Vec<Level>,
    /// The number of the innermost level, and of the latest.
    level: u32,
    latest: u32,
    blocks: Vec<FxHashMap<&'t str, BlockId>>,
}

/// Where a nested region began.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

impl<'t> Scope<'t> {
    pub(crate) fn enter_isolated(&mut self) {
        self.latest += 1;
        self.level = self.latest;
        self.levels.push(Level { number: self.level, undo: self.undo.len(), ..Level::default() });
    }

    /// Leaves an isolated level; gives the places where names were used that are defined nowhere.
    pub(crate) fn leave_isolated(&mut self) -> Vec<Span> {
        let Some(level) = self.levels.pop() else { return Vec::new() };
        self.leave(Mark(level.undo));
        self.level = self.levels.last().map_or(0, |l| l.number);
        let mut missing: Vec<Span> = level.forward.into_values().map(|(_, span)| span).collect();
        missing.sort_by_key(|span| span.start);
        missing
    }

    pub(crate) fn enter(&self) -> Mark {
        Mark(self.undo.len())
    }

    pub(crate) fn leave(&mut self, mark: Mark) {
        while self.undo.len() > mark.0
            && let Some((name, before)) = self.undo.pop()
        {
            if let Some(slot) = self.slots.get_mut(name.index()) {
                *slot = before;
            }
        }
    }

    pub(crate) fn find(&self, name: Sym) -> Option<(Binding, Span)> {
        let slot = self.slots.get(name.index())?;
        (slot.level == self.level).then_some((slot.binding, slot.span))
    }

    /// Binds a name; gives the place of an earlier visible definition, which stays hidden behind the new one.
    pub(crate) fn define(&mut self, name: Sym, binding: Binding, span: Span) -> Option<Span> {
        let i = name.index();
        if i >= self.slots.len() {
            self.slots.resize(i + 1, FREE);
        }
        let slot = self.slots.get_mut(i)?;
        let before = std::mem::replace(slot, Slot { level: self.level, binding, span });
        self.undo.push((name, before));
        (before.level == self.level).then_some(before.span)
    }

    pub(crate) fn forward(&self, name: Sym) -> Option<ValueId> {
        self.levels.last()?.forward.get(&name).map(|&(v, _)| v)
    }

    pub(crate) fn add_forward(&mut self, name: Sym, value: ValueId, span: Span) {
        if let Some(l) = self.levels.last_mut() {
            l.forward.insert(name, (value, span));
        }
    }

    pub(crate) fn take_forward(&mut self, name: Sym) -> Option<ValueId> {
        let level = self.levels.last_mut()?;
        if level.forward.is_empty() {
            return None;
        }
        level.forward.remove(&name).map(|(v, _)| v)
    }

    /// Visible names, for suggestions.
    pub(crate) fn names(&self) -> impl Iterator<Item = Sym> + '_ {
        let visible = self.slots.iter().enumerate().filter(|(_, s)| s.level == self.level);
        visible.map(|(i, _)| Sym::from_index(i))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn value(scope: &Scope<'_>, name: usize) -> Option<usize> {
        match scope.find(Sym::from_index(name))?.0 {
            Binding::Value(v) => Some(v.index()),
            _ => None,
        }
    }

    fn define(scope: &mut Scope<'_>, name: usize, v: usize) -> bool {
        scope.define(Sym::from_index(name), Binding::Value(ValueId::from_index(v)), Span::new(0, 1)).is_some()
    }

    #[test]
    fn an_isolated_level_hides_the_names_outside_and_gives_them_back() {
        let mut s = Scope::default();
        s.enter_isolated();
        assert!(!define(&mut s, 3, 30));
        s.enter_isolated();
        assert_eq!(value(&s, 3), None);
        assert!(!define(&mut s, 3, 31));
        assert_eq!(value(&s, 3), Some(31));
        s.leave_isolated();
        assert_eq!(value(&s, 3), Some(30));
        assert_eq!(s.names().map(Sym::index).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_region_sees_the_names_outside_and_drops_its_own() {
        let mut s = Scope::default();
        s.enter_isolated();
        define(&mut s, 1, 10);
        let mark = s.enter();
        assert_eq!(value(&s, 1), Some(10));
        assert!(!define(&mut s, 2, 20));
        assert!(define(&mut s, 1, 11), "hides a visible one");
        s.leave(mark);
        assert_eq!((value(&s, 1), value(&s, 2)), (Some(10), None));
    }
}
