//! Builds the tree bottom up: finished children wait on stacks until their parent takes them.

use std::cell::{Cell, RefCell};

use lalrpop_util::ErrorRecovery;
use ptoc_source::{Diagnostic, Span};

use crate::diagnostics;
use crate::terminal::{Run, Terminal};
use crate::tree::{
    AliasNode, BlockNode, BlockRange, Item, ItemKind, ItemRange, OpNode, OpRange, RegionId, RegionNode, RegionRange,
    ResultNode, ResultRange, Tree,
};

/// How many items, and how many regions among and inside them, wait on the stacks.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    items: u32,
    regions: u32,
}

/// A list of statements: its number of operations, and which [`Heights`] it began at.
///
/// Small, since every entry of the parser's stack has room for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statements {
    count: u32,
    heights: u32,
}

/// How high the stacks were where a list of statements began.
#[derive(Debug, Clone, Copy)]
struct Heights {
    ops: usize,
    items: usize,
    blocks: usize,
    regions: usize,
}

/// Where an operation's name is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) quoted: bool,
}

/// The leaves of the terminals that the parser has in hand: those of the last batch and of the one before.
#[derive(Debug, Default)]
pub(crate) struct Leaves {
    pub(crate) old: Vec<Item>,
    pub(crate) new: Vec<Item>,
    /// The number of the first new one.
    pub(crate) first_new: u32,
}

impl Leaves {
    fn get(&self, run: Run) -> &[Item] {
        let (list, first) = if run.first >= self.first_new {
            (&self.new, run.first - self.first_new)
        } else {
            let first_old = self.first_new - self.old.len() as u32;
            (&self.old, run.first.saturating_sub(first_old))
        };
        list.get(first as usize..(first + run.len) as usize).unwrap_or(&[])
    }
}

/// The grammar's actions.
pub(crate) struct Builder<'t> {
    text: &'t str,
    base: u32,
    leaves: &'t RefCell<Leaves>,
    /// Set when there are more errors than anybody wants to see.
    give_up: &'t Cell<bool>,
    max_errors: usize,
    tree: Tree,
    items: Vec<Item>,
    ops: Vec<OpNode>,
    blocks: Vec<BlockNode>,
    regions: Vec<RegionId>,
    heights: Vec<Heights>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Moves the last `n` of a stack to the end of an arena and returns where they went.
fn settle<T: Copy>(stack: &mut Vec<T>, arena: &mut Vec<T>, n: u32) -> (u32, u32) {
    let first = arena.len() as u32;
    let from = stack.len().saturating_sub(n as usize);
    arena.extend_from_slice(stack.get(from..).unwrap_or(&[]));
    stack.truncate(from);
    (first, arena.len() as u32 - first)
}

impl<'t> Builder<'t> {
    /// A builder for a text that begins at byte `base` of its file. It sets `give_up` after `max_errors` errors.
    pub(crate) fn new(
        text: &'t str,
        base: u32,
        leaves: &'t RefCell<Leaves>,
        give_up: &'t Cell<bool>,
        max_errors: usize,
    ) -> Self {
        let tree = Tree { items: Vec::with_capacity(text.len() / 24), ..Tree::default() };
        Builder {
            text,
            base,
            leaves,
            give_up,
            max_errors,
            tree,
            items: Vec::new(),
            ops: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            heights: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The tree built so far.
    pub(crate) fn into_parts(self) -> (Tree, Vec<Diagnostic>) {
        (self.tree, self.diagnostics)
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.base + start, self.base + end)
    }

    fn take_items(&mut self, n: u32) -> ItemRange {
        let (first, len) = settle(&mut self.items, &mut self.tree.items, n);
        ItemRange { first, len }
    }

    pub(crate) fn finish(&mut self, list: Statements) {
        let (first, len) = settle(&mut self.ops, &mut self.tree.ops, list.count);
        self.tree.top = OpRange { first, len };
    }

    pub(crate) fn finish_items(&mut self, n: Count) {
        self.tree.root = self.take_items(n.items);
    }

    pub(crate) fn leaves(&mut self, n: Count, run: Run) -> Count {
        let leaves = self.leaves.borrow();
        let leaves = leaves.get(run);
        self.items.extend_from_slice(leaves);
        Count { items: n.items + leaves.len() as u32, ..n }
    }

    pub(crate) fn group(&mut self, n: Count, kind: ItemKind, inner: Count, l: u32, r: u32) -> Count {
        let ItemRange { first, len } = self.take_items(inner.items);
        self.items.push(Item { kind, span: self.span(l, r), first, len });
        Count { items: n.items + 1, regions: n.regions + inner.regions }
    }

    pub(crate) fn region_item(&mut self, n: Count, id: RegionId) -> Count {
        let span = self.tree.region(id).span;
        self.items.push(Item { kind: ItemKind::Region, span, first: id.0, len: 1 });
        self.regions.push(id);
        Count { items: n.items + 1, regions: n.regions + 1 }
    }

    pub(crate) fn arguments(&mut self, n: Count) -> ItemRange {
        let from = self.regions.len().saturating_sub(n.regions as usize);
        self.regions.truncate(from);
        self.take_items(n.items)
    }

    pub(crate) fn result(&mut self, before: ResultRange, l: u32, r: u32, count: u32) -> ResultRange {
        let here = self.tree.results.len() as u32;
        self.tree.results.push(ResultNode { span: self.span(l, r), count });
        ResultRange { first: if before.is_empty() { here } else { before.first }, len: before.len + 1 }
    }

    /// Adds one operation; returns how many were added.
    pub(crate) fn op(&mut self, l: u32, r: u32, results: ResultRange, name: Name, n: Count) -> u32 {
        let inside = u32::from(name.quoted);
        let items = self.take_items(n.items);
        let (first, len) = settle(&mut self.regions, &mut self.tree.region_refs, n.regions);
        self.ops.push(OpNode {
            span: self.span(l, r),
            name: self.span(name.start + inside, name.end.saturating_sub(inside)),
            quoted: name.quoted,
            results,
            items,
            regions: RegionRange { first, len },
        });
        1
    }

    /// An empty list of statements.
    pub(crate) fn statements(&mut self) -> Statements {
        let heights = self.heights.len() as u32;
        self.heights.push(Heights {
            ops: self.ops.len(),
            items: self.items.len(),
            blocks: self.blocks.len(),
            regions: self.regions.len(),
        });
        Statements { count: 0, heights }
    }

    /// The list with one more statement of `added` operations; one without leaves nothing on the stacks.
    pub(crate) fn statement(&mut self, mut list: Statements, added: u32) -> Statements {
        if let Some(h) = self.heights.get(list.heights as usize).filter(|_| added == 0) {
            self.ops.truncate(h.ops + list.count as usize);
            self.items.truncate(h.items);
            self.blocks.truncate(h.blocks);
            self.regions.truncate(h.regions);
        }
        list.count += added;
        list
    }

    pub(crate) fn alias(&mut self, l: u32, m: u32, r: u32, n: Count) {
        let from = self.regions.len().saturating_sub(n.regions as usize);
        self.regions.truncate(from);
        let items = self.take_items(n.items);
        let node = AliasNode { span: self.span(l, r), name: self.span(l, m), items };
        if items.is_empty() {
            self.diagnostics.push(diagnostics::empty_alias(node.name, self.text.get(l as usize..m as usize)));
        }
        self.tree.aliases.push(node);
    }

    pub(crate) fn entry(&mut self, l: u32, r: u32, list: Statements) -> u32 {
        if list.count == 0 {
            return 0;
        }
        let (first, len) = settle(&mut self.ops, &mut self.tree.ops, list.count);
        let span = self.span(l, r);
        self.blocks.push(BlockNode { span, label: Span::NONE, args: ItemRange::EMPTY, ops: OpRange { first, len } });
        1
    }

    pub(crate) fn block(&mut self, label: (u32, u32), r: u32, args: ItemRange, list: Statements) -> u32 {
        let (first, len) = settle(&mut self.ops, &mut self.tree.ops, list.count);
        let span = self.span(label.0, r);
        let label = self.span(label.0, label.1);
        self.blocks.push(BlockNode { span, label, args, ops: OpRange { first, len } });
        1
    }

    pub(crate) fn region(&mut self, l: u32, r: u32, n: u32) -> RegionId {
        let (first, len) = settle(&mut self.blocks, &mut self.tree.blocks, n);
        let id = RegionId(self.tree.regions.len() as u32);
        self.tree.regions.push(RegionNode { span: self.span(l, r), blocks: BlockRange { first, len } });
        id
    }

    /// Records a recovered error; adds no operation.
    pub(crate) fn error(&mut self, e: ErrorRecovery<u32, Terminal, ()>) -> u32 {
        let skipped_to = e.dropped_tokens.last().map(|t| t.2);
        if self.diagnostics.len() < self.max_errors {
            self.diagnostics.push(diagnostics::syntax(self.text, self.base, &e.error, skipped_to));
        } else {
            self.give_up.set(true);
        }
        0
    }
}
