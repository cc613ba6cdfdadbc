//! A position in a list of items.

use crate::codes;
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_syntax::{Item, ItemKind, ItemRange, Items, Tree};

/// The outcome of reading something: the thing, or why not.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

/// A position in a list of items; copying it remembers a place to come back to.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    tree: &'a Tree,
    /// What is still to be read.
    items: Items<'a>,
    started: bool,
    /// Where the list ends.
    end: Span,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(tree: &'a Tree, items: ItemRange, end: Span) -> Self {
        let end = Span::new(end.end.saturating_sub(1).max(end.start), end.end);
        Cursor { tree, items: tree.items(items), started: false, end }
    }

    pub(crate) fn tree(&self) -> &'a Tree {
        self.tree
    }

    pub(crate) fn peek(&self) -> Option<Item> {
        self.items.first()
    }

    /// The item behind the next.
    pub(crate) fn peek_second(&self) -> Option<Item> {
        self.items.rest().first()
    }

    pub(crate) fn peek_kind(&self) -> Option<ItemKind> {
        self.items.first_kind()
    }

    pub(crate) fn bump(&mut self) {
        self.items = self.items.rest();
        self.started = true;
    }

    pub(crate) fn at(&self, kind: ItemKind) -> bool {
        self.peek_kind() == Some(kind)
    }

    pub(crate) fn eat(&mut self, kind: ItemKind) -> Option<Item> {
        if !self.at(kind) {
            return None;
        }
        let item = self.peek();
        self.bump();
        item
    }

    pub(crate) fn at_word(&self, file: &str, word: &str) -> bool {
        self.peek().is_some_and(|i| i.kind == ItemKind::Word && i.span.of(file) == word)
    }

    pub(crate) fn eat_word(&mut self, file: &str, word: &str) -> bool {
        let hit = self.at_word(file, word);
        if hit {
            self.bump();
        }
        hit
    }

    /// True before the first item of the list.
    pub(crate) fn at_start(&self) -> bool {
        !self.started
    }

    pub(crate) fn is_done(&self) -> bool {
        self.items.is_empty()
    }

    /// The span to blame at this position.
    pub(crate) fn here(&self) -> Span {
        self.peek().map_or(self.end, |i| i.span)
    }

    /// A cursor over the items of a group.
    pub(crate) fn inside(&self, group: Item) -> Cursor<'a> {
        Cursor::new(self.tree, group.children(), group.span)
    }

    /// "expected X, found Y" at this position.
    pub(crate) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let found = self.peek().map_or("the end of it", |i| i.kind.describe());
        Box::new(Diagnostic::error(codes::SYNTAX, self.here(), format!("expected {what}, found {found}")).at("here"))
    }

    pub(crate) fn expect(&mut self, kind: ItemKind) -> Read<Item> {
        self.eat(kind).ok_or_else(|| self.expected(kind.describe()))
    }

    pub(crate) fn expect_word(&mut self, file: &str, word: &str) -> Read<()> {
        if self.eat_word(file, word) {
            return Ok(());
        }
        let mut d = self.expected(&format!("`{word}`"));
        let Some(item) = self.peek().filter(|i| i.kind == ItemKind::Word) else { return Err(d) };
        let found = item.span.of(file);
        d.message = format!("expected `{word}`, found `{found}`");
        let cut_short = found.len() > 1 && word.starts_with(found) && word.len() <= found.len() + 1;
        if cut_short || did_you_mean(found, [word]).is_some() {
            d = Box::new(d.fix(format!("did you mean `{word}`?"), item.span, word));
        }
        Err(d)
    }

    pub(crate) fn expect_done(&self) -> Read<()> {
        if self.is_done() { Ok(()) } else { Err(self.expected("the end of the operation")) }
    }
}
