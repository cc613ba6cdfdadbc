//! Builds the tree bottom up: finished children wait on stacks until their parent takes them.

use std::cell::{Cell, RefCell};

use lalrpop_util::ErrorRecovery;
use ptoc_source::{Diagnostic, Span};

use crate::diagnostics;
use crate::terminal::Terminal;
use crate::tree::{
    AliasNode, BlockNode, BlockRange, ItemKind, ItemRange, Node, OpNode, OpRange, RegionId, RegionNode, RegionRange,
    ResultNode, ResultRange, Tree,
};

/// A list of items, and how many regions among and inside them wait on the stack.
///
/// The items of most statements lie next to each other in the tree already. Those around a region do not: they are
/// gathered on a stack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List {
    range: ItemRange,
    regions: u32,
}

/// About how many bytes of text there are for each operation of an ordinary program, types included.
const BYTES_PER_OP: usize = 128;

/// The beginning of a list that is on the stack.
const STACKED: u32 = u32::MAX;

impl List {
    const EMPTY: List = List { range: ItemRange::EMPTY, regions: 0 };

    /// A list of neighbouring items.
    pub(crate) const fn of(range: ItemRange) -> List {
        List { range, regions: 0 }
    }
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
    stacked: usize,
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

/// The grammar's actions.
pub(crate) struct Builder<'t> {
    text: &'t str,
    base: u32,
    /// The items of the tree; the classification appends to them, too.
    items: &'t RefCell<Vec<Node>>,
    /// Set when there are more errors than anybody wants to see.
    give_up: &'t Cell<bool>,
    max_errors: usize,
    tree: Tree,
    /// Items that are gathered.
    stacked: Vec<Node>,
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
        items: &'t RefCell<Vec<Node>>,
        give_up: &'t Cell<bool>,
        max_errors: usize,
    ) -> Self {
        Builder {
            text,
            base,
            items,
            give_up,
            max_errors,
            tree: Tree {
                ops: Vec::with_capacity(text.len() / BYTES_PER_OP),
                results: Vec::with_capacity(text.len() / BYTES_PER_OP),
                ..Tree::default()
            },
            stacked: Vec::new(),
            ops: Vec::with_capacity(64),
            blocks: Vec::new(),
            regions: Vec::new(),
            heights: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// The tree built so far.
    pub(crate) fn into_parts(self) -> (Tree, Vec<Diagnostic>) {
        let mut tree = self.tree;
        tree.items = self.items.take();
        tree.shrink();
        (tree, self.diagnostics)
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.base + start, self.base + end)
    }

    /// Moves a list to the stack, if it is not there.
    fn stack(&mut self, list: List) -> List {
        let ItemRange { first, len } = list.range;
        if first != STACKED {
            let items = self.items.borrow();
            let (from, to) = (first as usize, first as usize + len as usize);
            self.stacked.extend_from_slice(items.get(from..to).unwrap_or(&[]));
        }
        List { range: ItemRange { first: STACKED, len }, ..list }
    }

    /// The place of a complete list in the tree.
    fn take_items(&mut self, list: List) -> ItemRange {
        if list.range.first != STACKED {
            return list.range;
        }
        let mut items = self.items.borrow_mut();
        let (first, len) = settle(&mut self.stacked, &mut items, list.range.len);
        ItemRange { first, len }
    }

    pub(crate) fn finish(&mut self, list: Statements) {
        let (first, len) = settle(&mut self.ops, &mut self.tree.ops, list.count);
        self.tree.top = OpRange { first, len };
    }

    /// A list with some more items.
    pub(crate) fn items(&mut self, list: List, more: ItemRange) -> List {
        let ItemRange { first, len } = list.range;
        let len = len + more.len;
        if first != STACKED && first + list.range.len == more.first {
            return List { range: ItemRange { first, len }, ..list };
        }
        let list = self.stack(list);
        self.stack(List::of(more));
        List { range: ItemRange { first: STACKED, len }, ..list }
    }

    /// A list with one more group, which holds regions.
    pub(crate) fn group(&mut self, list: Option<List>, inner: Option<List>, l: u32, r: u32) -> List {
        let list = list.unwrap_or(List::EMPTY);
        let inner = self.stack(inner.unwrap_or(List::EMPTY));
        let at = self.stacked.len().saturating_sub(inner.range.len as usize);
        let node = Node { span: self.span(l, r), link: inner.range.len, kind: ItemKind::Paren };
        let ItemRange { first, len } = list.range;
        if first == STACKED {
            self.stacked.insert(at, node);
        } else {
            let items = self.items.borrow();
            let before = items.get(first as usize..first as usize + len as usize).unwrap_or(&[]);
            self.stacked.splice(at..at, before.iter().copied().chain([node]));
        }
        let range = ItemRange { first: STACKED, len: len + 1 + inner.range.len };
        List { range, regions: list.regions + inner.regions }
    }

    pub(crate) fn region_item(&mut self, list: Option<List>, id: RegionId) -> List {
        let list = self.stack(list.unwrap_or(List::EMPTY));
        let span = self.tree.region(id).span;
        self.stacked.push(Node { kind: ItemKind::Region, span, link: id.0 });
        self.regions.push(id);
        let range = ItemRange { first: STACKED, len: list.range.len + 1 };
        List { range, regions: list.regions + 1 }
    }

    /// What is inside the parentheses of a label.
    pub(crate) fn arguments(&mut self, group: ItemRange) -> ItemRange {
        ItemRange { first: group.first + 1, len: group.len.saturating_sub(1) }
    }

    pub(crate) fn result(&mut self, before: ResultRange, l: u32, r: u32, count: u32) -> ResultRange {
        let here = self.tree.results.len() as u32;
        self.tree.results.push(ResultNode { span: self.span(l, r), count });
        ResultRange { first: if before.is_empty() { here } else { before.first }, len: before.len + 1 }
    }

    /// Adds one operation; returns how many were added.
    pub(crate) fn op(&mut self, l: u32, r: u32, results: ResultRange, name: Name, list: Option<List>) -> u32 {
        let list = list.unwrap_or(List::EMPTY);
        let inside = u32::from(name.quoted);
        let items = self.take_items(list);
        let (first, len) = settle(&mut self.regions, &mut self.tree.region_refs, list.regions);
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
            stacked: self.stacked.len(),
            blocks: self.blocks.len(),
            regions: self.regions.len(),
        });
        Statements { count: 0, heights }
    }

    /// The list with one more statement of `added` operations; one without leaves nothing on the stacks.
    pub(crate) fn statement(&mut self, mut list: Statements, added: u32) -> Statements {
        if let Some(h) = self.heights.get(list.heights as usize).filter(|_| added == 0) {
            self.ops.truncate(h.ops + list.count as usize);
            self.stacked.truncate(h.stacked);
            self.blocks.truncate(h.blocks);
            self.regions.truncate(h.regions);
        }
        list.count += added;
        list
    }

    pub(crate) fn alias(&mut self, l: u32, m: u32, r: u32, list: Option<List>) {
        let list = list.unwrap_or(List::EMPTY);
        let from = self.regions.len().saturating_sub(list.regions as usize);
        self.regions.truncate(from);
        let items = self.take_items(list);
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
