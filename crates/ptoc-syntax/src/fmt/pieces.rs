//! A statement as a list of pieces: texts, the spaces between them and where a line may break.

use std::borrow::Cow;

use crate::tree::{Item, ItemKind, Items, OpNode, RegionId, Tree};
use crate::vocabulary::{RegionStyle, Vocabulary};

/// One token, or a region.
#[derive(Debug, Clone)]
pub(super) struct Piece<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where it is in the source; comments are found between the places of neighbours.
    pub(super) start: u32,
    pub(super) end: u32,
    /// A space comes before it unless it begins a line.
    pub(super) space: bool,
    pub(super) break_before: Break,
    pub(super) role: Role,
    /// Number of brackets around it.
    pub(super) depth: usize,
}

/// Whether a line may break before a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Break {
    Never,
    /// When what follows does not fit.
    Fill,
    /// When what follows does not fit, but would on a line of its own.
    IfItHelps,
    /// `outs(` of a statement that does not fit on a line.
    Outs,
}

/// What a piece does to the alignment of the lines after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// A list goes on below what follows the bracket.
    Open,
    Close,
    /// Types go on below what follows the colon.
    Colon,
    /// `{ ... }` of statements; the piece's text is the `{`.
    Region(RegionId),
}

/// The neighbour on the left, as far as spaces depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Nothing, or an opening bracket.
    Open,
    Name,
    Kind(ItemKind),
}

/// How colons and `=` look inside a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colons {
    /// `%a : T`
    Spaced,
    /// `%a: T`, `default: ^b`
    Attached,
    /// `loc("f":1:2)`, `<loc=vec>`
    Tight,
}

/// Makes the pieces of one statement, block argument list or alias.
pub(super) struct Pieces<'t> {
    text: &'t str,
    tree: &'t Tree,
    vocab: &'t dyn Vocabulary,
    pub(super) list: Vec<Piece<'t>>,
    left: Left,
    depth: usize,
}

impl<'t> Pieces<'t> {
    pub(super) fn new(text: &'t str, tree: &'t Tree, vocab: &'t dyn Vocabulary) -> Self {
        Pieces { text, tree, vocab, list: Vec::new(), left: Left::Open, depth: 0 }
    }

    /// The pieces of an operation.
    pub(super) fn op(mut self, op: &OpNode) -> Vec<Piece<'t>> {
        for (i, r) in self.tree.results(op.results).iter().enumerate() {
            if i > 0 {
                self.push(",", (r.span.start, r.span.start), false, Break::Never, Role::Plain);
            }
            let name = r.span.of(self.text);
            let after = self.text.get(r.span.end as usize..).unwrap_or("");
            // `%x:1` is one value, too.
            let sized = r.count != 1 || after.trim_start().starts_with(':');
            let text = if sized { Cow::from(format!("{name}:{}", r.count)) } else { Cow::from(name) };
            self.push(text, (r.span.start, r.span.end), i > 0, Break::Never, Role::Plain);
        }
        let has_results = !op.results.is_empty();
        let quote = u32::from(op.quoted);
        let (start, end) = (op.name.start - quote, op.name.end + quote);
        if has_results {
            self.push("=", (start, start), true, Break::Never, Role::Plain);
        }
        self.push(self.source(start, end), (start, end), has_results, Break::Never, Role::Plain);
        self.left = Left::Name;
        let takes_regions = !op.quoted && self.vocab.region_op(op.name.of(self.text)) == RegionStyle::Region;
        let mut rest = self.tree.items(op.items);
        while let Some(item) = rest.next() {
            // The arguments of a function: `@f(%a: T)`.
            let arguments = takes_regions && item.kind == ItemKind::Paren && self.left == Left::Kind(ItemKind::Symbol);
            let colons = if arguments { Colons::Attached } else { Colons::Spaced };
            self.item(item, rest.first(), colons);
        }
        keep_off_line_starts(&mut self.list);
        self.list
    }

    /// The pieces of an alias: `!t = ...`.
    pub(super) fn alias(mut self, name: ptoc_source::Span, items: Items<'_>) -> Vec<Piece<'t>> {
        self.push(name.of(self.text), (name.start, name.end), false, Break::Never, Role::Plain);
        self.push("=", (name.end, name.end), true, Break::Never, Role::Plain);
        self.left = Left::Kind(ItemKind::Equal);
        self.items(items, Colons::Spaced);
        keep_off_line_starts(&mut self.list);
        self.list
    }

    /// The pieces of a label: `^b(%a: T):`.
    pub(super) fn label(mut self, name: ptoc_source::Span, arguments: Items<'_>) -> Vec<Piece<'t>> {
        self.push(name.of(self.text), (name.start, name.end), false, Break::Never, Role::Plain);
        let mut end = name.end;
        if let (Some(first), Some(last)) = (arguments.first(), arguments.last()) {
            self.push("(", (first.span.start, first.span.start), false, Break::Never, Role::Open);
            self.left = Left::Open;
            self.depth += 1;
            self.items(arguments, Colons::Attached);
            self.depth -= 1;
            end = last.span.end;
            self.push(")", (end, end), false, Break::Never, Role::Close);
        }
        self.push(":", (end, end), false, Break::Never, Role::Plain);
        self.list
    }

    fn source(&self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    fn push(&mut self, text: impl Into<Cow<'t, str>>, at: (u32, u32), space: bool, break_before: Break, role: Role) {
        self.list.push(Piece {
            text: text.into(),
            start: at.0,
            end: at.1,
            space,
            break_before,
            role,
            depth: self.depth,
        });
    }

    fn items(&mut self, mut items: Items<'_>, colons: Colons) {
        while let Some(item) = items.next() {
            self.item(item, items.first(), colons);
        }
    }

    /// One item; groups with all inside them. The depth is that of the source, which parsing has bounded.
    fn item(&mut self, item: Item, next: Option<Item>, colons: Colons) {
        let (start, end) = (item.span.start, item.span.end);
        let space = self.space(item, colons);
        let break_before = self.break_before(item, next, colons);
        let (open, close) = match item.kind {
            ItemKind::Paren => ("(", ")"),
            ItemKind::Bracket => ("[", "]"),
            ItemKind::Brace => ("{", "}"),
            ItemKind::Angle => ("<", ">"),
            ItemKind::Region => {
                if let Some(id) = item.region() {
                    self.push("{", (start, start + 1), space, Break::Never, Role::Region(id));
                }
                self.left = Left::Kind(ItemKind::Region);
                return;
            }
            kind => {
                let role = if kind == ItemKind::Colon && colons == Colons::Spaced { Role::Colon } else { Role::Plain };
                let text = one_line(self.source(start, end));
                self.push(text, (start, end), space, break_before, role);
                self.left = Left::Kind(kind);
                return;
            }
        };
        let is_location =
            item.kind == ItemKind::Paren && self.list.last().is_some_and(|p| p.text == "loc" && p.end <= start);
        let inner = match item.kind {
            ItemKind::Angle => Colons::Tight,
            _ if is_location => Colons::Tight,
            ItemKind::Bracket => Colons::Attached,
            // The attributes of an argument, `(%a: T {k = 1 : i32})`.
            _ => Colons::Spaced,
        };
        self.push(open, (start, start + 1), space, break_before, Role::Open);
        self.left = Left::Open;
        self.depth += 1;
        let inner = if colons == Colons::Attached && item.kind == ItemKind::Paren { colons } else { inner };
        self.items(self.tree.children(item), inner);
        self.depth -= 1;
        self.push(close, (end - 1, end), false, Break::Never, Role::Close);
        self.left = Left::Kind(item.kind);
    }

    /// Whether a space comes before an item.
    fn space(&self, item: Item, colons: Colons) -> bool {
        use ItemKind::{
            Angle, Arrow, Block, Brace, Bracket, Colon, Comma, Cross, Equal, Int, Minus, Paren, Plus, Question, Region,
            Star, Str, Symbol, Value, Word,
        };
        let left = match self.left {
            Left::Open => return false,
            Left::Name => None,
            Left::Kind(kind) => Some(kind),
        };
        // As it was, where both are in use.
        let as_written = self.list.last().is_some_and(|p| p.end < item.span.start);
        match (left, item.kind) {
            (_, Comma) | (_, Cross) | (Some(Cross), _) => false,
            (_, Colon) => colons == Colons::Spaced,
            (Some(Colon), _) => colons != Colons::Tight,
            (Some(Equal), _) | (_, Equal) => colons != Colons::Tight,
            (Some(Comma | Arrow), _) | (_, Arrow) => true,
            (None, Paren | Bracket) => as_written,
            (Some(Word | Symbol | Block), Paren) => false,
            (Some(Value | Symbol), Bracket) => false,
            (Some(Word), Bracket) => as_written,
            (Some(Symbol), Angle) => false,
            (Some(Brace | Angle), Paren) | (Some(Paren | Str | Int), Bracket) => as_written,
            (Some(Star | Plus | Minus | Question), _) | (_, Star | Plus | Minus) => as_written,
            (_, Region) => true,
            _ => true,
        }
    }

    fn break_before(&self, item: Item, next: Option<Item>, colons: Colons) -> Break {
        let top = self.depth == 0;
        if self.left == Left::Kind(ItemKind::Comma) {
            // At the beginning of a line it would read as the next statement.
            let word = item.span.of(self.text);
            let like_a_name = item.kind == ItemKind::Word && (word.contains('.') || self.vocab.is_bare_op(word));
            return if top && like_a_name { Break::Never } else { Break::Fill };
        }
        let clause = next.is_some_and(|n| n.kind == ItemKind::Paren);
        match item.kind {
            ItemKind::Colon if colons == Colons::Spaced => Break::IfItHelps,
            ItemKind::Word if top && clause && item.span.of(self.text) == "outs" => Break::Outs,
            ItemKind::Word if top && clause && self.left != Left::Name => Break::IfItHelps,
            ItemKind::Word if top && item.span.of(self.text) == "attributes" => Break::IfItHelps,
            ItemKind::Arrow if top => Break::IfItHelps,
            // `{id = 0}(%a : T)`
            ItemKind::Paren if top && self.left == Left::Kind(ItemKind::Brace) => Break::IfItHelps,
            ItemKind::Brace if top && self.left != Left::Kind(ItemKind::Word) && self.left != Left::Name => {
                Break::IfItHelps
            }
            _ => Break::Never,
        }
    }
}

/// A type or attribute without the line ends in it, unless comments need them.
fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::from(text);
    }
    if text.contains("//") {
        return Cow::from(text.replace('\r', ""));
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if !out.is_empty() && !out.ends_with(['<', '(', '[', '{']) && !line.starts_with(['>', ')', ']', '}', ',']) {
            out.push(' ');
        }
        out.push_str(line);
    }
    Cow::from(out)
}

/// Forbids breaks before values that would read as results at the beginning of a line: `%a, %b = ...`.
fn keep_off_line_starts(list: &mut [Piece<'_>]) {
    // Whether what follows makes a value a result, and whether it is such a value.
    let (mut before_equal, mut is_result) = (false, false);
    for piece in list.iter_mut().rev() {
        let value = piece.text.starts_with('%') && before_equal;
        if value && piece.break_before == Break::Fill {
            piece.break_before = Break::Never;
        }
        before_equal = match &*piece.text {
            "=" => true,
            "," => is_result,
            ":" => before_equal,
            text => before_equal && text.starts_with(|c: char| c.is_ascii_digit()),
        } && piece.depth == 0;
        is_result = value;
    }
}
