//! Raw tokens to terminals: one linear pass that decides whatever needs context.
//!
//! - A type or attribute and its balanced `<...>` become one token.
//! - `%x =`, `%x:2, %y =` become definitions; a name that begins a statement becomes an operation.
//! - `{` becomes a dictionary or a region, `^b` a use or a label.
//! - `x32xf16` after a number becomes dimensions.
//! - Brackets are balanced: an unclosed one is reported and closed, a stray one reported and dropped, and depth is
//!   bounded. What comes out is always balanced, so the parser has no bracket errors to recover from.
//!
//! When brackets are wrong the pass runs once more with [`Repair`], which uses line starts and indentation to find
//! the culprit. Correct text never depends on white space.

use ptoc_source::{Diagnostic, Span};

use crate::diagnostics;
use crate::lexer::{Mode, Raw, RawToken};
use crate::limits::Limits;
use crate::terminal::{Run, Terminal, Token};
use crate::tree::{Item, ItemKind};
use crate::vocabulary::{RegionStyle, Vocabulary};

/// What the pass produces.
#[derive(Debug, Default)]
pub(crate) struct Classified {
    pub(crate) tokens: Vec<Token>,
    /// What the runs of leaves are made of.
    pub(crate) leaves: Vec<Item>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    faults: Faults,
}

/// Which brackets were wrong.
#[derive(Debug, Clone, Copy, Default)]
struct Faults {
    unclosed_region: bool,
    unclosed_group: bool,
    stray_brace: bool,
    stray_group: bool,
}

impl Faults {
    fn any(self) -> bool {
        self.unclosed_region || self.unclosed_group || self.stray_brace || self.stray_group
    }
}

/// Classifies the tokens of a text; reads it twice when its brackets are not balanced.
pub(crate) fn classify(
    text: &str,
    base: u32,
    raw: &[RawToken],
    vocabulary: &dyn Vocabulary,
    limits: &Limits,
    mode: Mode,
) -> Classified {
    let first = Classifier::new(text, base, raw, vocabulary, limits, mode, None).run();
    if first.faults.any() && mode == Mode::Statements {
        return Classifier::new(text, base, raw, vocabulary, limits, mode, Some(first.faults)).run();
    }
    first
}

/// A bracket that is open.
#[derive(Debug, Clone, Copy)]
struct Frame {
    bracket: Bracket,
    /// Byte offset of the bracket.
    start: u32,
    /// The bracket belongs to a type or attribute that becomes one token.
    merged: bool,
    /// For a `(` after `^b`: the block's place in the output, in case it turns out a label.
    label: u32,
    /// When repairing: white space before the line the bracket is on.
    indent: u32,
    /// The statement that goes on after a region.
    outer: Statement,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Paren,
    Square,
    Brace,
    Angle,
    Region,
}

impl Bracket {
    const fn open(self) -> char {
        match self {
            Bracket::Paren => '(',
            Bracket::Square => '[',
            Bracket::Brace | Bracket::Region => '{',
            Bracket::Angle => '<',
        }
    }

    const fn close(self) -> char {
        match self {
            Bracket::Paren => ')',
            Bracket::Square => ']',
            Bracket::Brace | Bracket::Region => '}',
            Bracket::Angle => '>',
        }
    }

    const fn opening(self) -> Terminal {
        match self {
            Bracket::Paren => Terminal::OpenParen,
            Bracket::Square => Terminal::OpenBracket,
            Bracket::Brace => Terminal::OpenBrace,
            Bracket::Region => Terminal::OpenRegion,
            Bracket::Angle => Terminal::OpenAngle,
        }
    }

    const fn closing(self) -> Terminal {
        match self {
            Bracket::Paren => Terminal::CloseParen,
            Bracket::Square => Terminal::CloseBracket,
            Bracket::Brace => Terminal::CloseBrace,
            Bracket::Region => Terminal::CloseRegion,
            Bracket::Angle => Terminal::CloseAngle,
        }
    }
}

/// The statement being read at one level of regions.
#[derive(Debug, Clone, Copy)]
struct Statement {
    /// Raw index of its name; [`NO_TOKEN`] before the name.
    name: u32,
    quoted: bool,
    /// What the vocabulary said, once it was asked.
    style: Option<RegionStyle>,
}

const NO_TOKEN: u32 = u32::MAX;

impl Statement {
    const NONE: Statement = Statement { name: NO_TOKEN, quoted: false, style: None };
}

/// What the last terminal was, as far as the next one depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Previous {
    /// Nothing of a statement yet: the file, a region or a block begins.
    Start,
    /// `=` after results.
    DefEqual,
    /// `,`, `:`, `->` or `=`: an item follows.
    Joint,
    /// The statement's name.
    Op,
    /// The word `attributes`.
    Attributes,
    /// `}` of a region.
    RegionEnd,
    Other,
}

struct Classifier<'a> {
    text: &'a str,
    base: u32,
    raw: &'a [RawToken],
    vocabulary: &'a dyn Vocabulary,
    limits: &'a Limits,
    mode: Mode,
    repair: Option<Faults>,
    out: Classified,
    frames: Vec<Frame>,
    /// The merged type or attribute being read: its start, its kind and the number of frames around it.
    merge: Option<(u32, ItemKind, usize)>,
    statement: Statement,
    previous: Previous,
    /// No definition begins before this raw index; keeps the look-ahead linear.
    no_definition_before: usize,
    /// Something was nested too deep.
    too_deep: bool,
    /// When repairing: white space before the current line.
    indent: u32,
    /// End of the last raw token.
    last_end: u32,
    i: usize,
}

impl<'a> Classifier<'a> {
    fn new(
        text: &'a str,
        base: u32,
        raw: &'a [RawToken],
        vocabulary: &'a dyn Vocabulary,
        limits: &'a Limits,
        mode: Mode,
        repair: Option<Faults>,
    ) -> Self {
        let tokens = Vec::with_capacity(raw.len() / 2 + 8);
        let leaves = Vec::with_capacity(raw.len());
        Classifier {
            text,
            base,
            raw,
            vocabulary,
            limits,
            mode,
            repair,
            out: Classified { tokens, leaves, ..Classified::default() },
            frames: Vec::new(),
            merge: None,
            statement: Statement::NONE,
            previous: Previous::Start,
            no_definition_before: 0,
            too_deep: false,
            indent: 0,
            last_end: 0,
            i: 0,
        }
    }

    fn run(mut self) -> Classified {
        while let Some(&token) = self.raw.get(self.i) {
            if self.repair.is_some() {
                self.note_indentation(token);
                self.close_before_statement(token);
            }
            self.i += 1;
            if self.merge.is_some() {
                self.inside_merged(token);
            } else if self.level_is_statements() {
                self.statement_token(token);
            } else {
                self.group_token(token);
            }
            self.last_end = token.end;
        }
        let end = self.text.len() as u32;
        while !self.frames.is_empty() {
            self.report_unclosed(Span::new(end, end), "the end of the text");
        }
        self.out
    }

    /// True where statements are listed: at the top and directly inside a region.
    fn level_is_statements(&self) -> bool {
        match self.frames.last() {
            None => self.mode == Mode::Statements,
            Some(f) => f.bracket == Bracket::Region,
        }
    }

    fn kind_at(&self, i: usize) -> Option<Raw> {
        self.raw.get(i).map(|t| t.kind)
    }

    fn text_of(&self, t: RawToken) -> &'a str {
        self.text.get(t.start as usize..t.end as usize).unwrap_or("")
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.base + start, self.base + end)
    }

    fn push(&mut self, t: RawToken, terminal: Terminal, previous: Previous) {
        self.out.tokens.push(Token { start: t.start, end: t.end, terminal });
        self.previous = previous;
    }

    /// A leaf; it joins the run before it.
    fn leaf(&mut self, t: RawToken, kind: ItemKind, previous: Previous) {
        let here = self.out.leaves.len() as u32;
        self.out.leaves.push(Item { kind, span: self.span(t.start, t.end), first: 0, len: 0 });
        self.previous = previous;
        match self.out.tokens.last_mut() {
            Some(Token { end, terminal: Terminal::Leaves(run), .. }) => {
                run.len += 1;
                *end = t.end;
            }
            _ => {
                let terminal = Terminal::Leaves(Run { first: here, len: 1 });
                self.out.tokens.push(Token { start: t.start, end: t.end, terminal });
            }
        }
    }

    /// The leaf that the last token is or ends with.
    fn last_leaf(&self) -> Option<Item> {
        let last = self.out.tokens.last()?;
        matches!(last.terminal, Terminal::Leaves(_)).then(|| self.out.leaves.last().copied()).flatten()
    }

    /// One token where statements are listed.
    fn statement_token(&mut self, t: RawToken) {
        let joined = self.previous == Previous::Joint && !self.breaks_off(t);
        match t.kind {
            Raw::Value if self.i > self.no_definition_before && !joined && self.definition(t) => {}
            Raw::Dotted if !joined => self.name(t, false),
            Raw::Word if !joined && self.begins_statement(t) => self.name(t, false),
            Raw::Word => {
                let is_attributes = self.text_of(t) == "attributes";
                self.word(t);
                if is_attributes {
                    self.previous = Previous::Attributes;
                }
            }
            Raw::Str
                if self.previous == Previous::DefEqual || (!joined && self.kind_at(self.i) == Some(Raw::OpenParen)) =>
            {
                self.name(t, true)
            }
            Raw::Block => self.block(t),
            Raw::Bang(false) | Raw::Hash(false)
                if self.kind_at(self.i) == Some(Raw::Equal) && self.alias_may_begin(t) =>
            {
                self.push(t, Terminal::Alias, Previous::Other);
                let equal = self.raw[self.i];
                self.push(equal, Terminal::AliasEqual, Previous::Joint);
                self.statement = Statement { name: self.i as u32 - 1, quoted: false, style: Some(RegionStyle::None) };
                self.i += 1;
            }
            Raw::OpenBrace => {
                let bracket = if self.region_begins() { Bracket::Region } else { Bracket::Brace };
                self.open(t, bracket, false);
            }
            _ => self.common(t),
        }
    }

    /// One token inside a group.
    fn group_token(&mut self, t: RawToken) {
        match t.kind {
            Raw::Word => self.word(t),
            Raw::OpenBrace => {
                let generic = self.statement.quoted
                    && self.frames.last().is_some_and(|f| f.bracket == Bracket::Paren && !f.merged)
                    && (self.out.tokens.last().is_some_and(|t| t.terminal == Terminal::OpenParen)
                        || self.last_leaf().is_some_and(|l| l.kind == ItemKind::Comma));
                self.open(t, if generic { Bracket::Region } else { Bracket::Brace }, false);
            }
            _ => self.common(t),
        }
    }

    /// What means the same at every level.
    fn common(&mut self, t: RawToken) {
        use Previous::{Joint, Other};
        match t.kind {
            Raw::Value => self.leaf(t, ItemKind::Value, Other),
            Raw::Word => self.word(t),
            Raw::Dotted => self.leaf(t, ItemKind::Word, Other),
            Raw::Str | Raw::OpenStr => self.leaf(t, ItemKind::Str, Other),
            Raw::Int => self.int(t),
            Raw::Float => self.leaf(t, ItemKind::Float, Other),
            Raw::Symbol => self.leaf(t, ItemKind::Symbol, Other),
            Raw::Block => self.leaf(t, ItemKind::Block, Other),
            Raw::Bang(complete) => self.head(t, complete, ItemKind::Type, ItemKind::BangWord),
            Raw::Hash(complete) => self.head(t, complete, ItemKind::Attr, ItemKind::HashWord),
            Raw::Comma => self.leaf(t, ItemKind::Comma, Joint),
            Raw::Colon => self.leaf(t, ItemKind::Colon, Joint),
            Raw::Arrow => self.leaf(t, ItemKind::Arrow, Joint),
            Raw::Equal => self.leaf(t, ItemKind::Equal, Joint),
            Raw::Question => self.leaf(t, ItemKind::Question, Other),
            Raw::Star => self.leaf(t, ItemKind::Star, Other),
            Raw::Plus => self.leaf(t, ItemKind::Plus, Other),
            Raw::Minus => self.leaf(t, ItemKind::Minus, Other),
            Raw::Ellipsis => self.leaf(t, ItemKind::Ellipsis, Other),
            Raw::Pipe => self.leaf(t, ItemKind::Pipe, Other),
            Raw::OpenParen => self.open(t, Bracket::Paren, false),
            Raw::OpenBracket => self.open(t, Bracket::Square, false),
            Raw::OpenBrace => self.open(t, Bracket::Brace, false),
            Raw::OpenAngle => self.open(t, Bracket::Angle, false),
            Raw::CloseParen => self.close(t, Bracket::Paren),
            Raw::CloseBracket => self.close(t, Bracket::Square),
            Raw::CloseBrace => self.close(t, Bracket::Brace),
            Raw::CloseAngle => self.close(t, Bracket::Angle),
            Raw::BlockComment => {}
        }
    }

    // ---- statements -------------------------------------------------------------------------------------------

    /// Reads `%a(:N)?(, %b(:N)?)* =` if that is what begins here.
    fn definition(&mut self, first: RawToken) -> bool {
        // `scf.for %i = ...` defines nothing.
        if self.previous == Previous::Op && self.style() == RegionStyle::Region {
            return false;
        }
        let mut j = self.i;
        loop {
            if self.kind_at(j) == Some(Raw::Colon) && self.kind_at(j + 1) == Some(Raw::Int) {
                j += 2;
            }
            match (self.kind_at(j), self.kind_at(j + 1)) {
                (Some(Raw::Comma), Some(Raw::Value)) => j += 2,
                (Some(Raw::Equal), _) => break,
                _ => {
                    self.no_definition_before = j;
                    return false;
                }
            }
        }
        self.result(first);
        while self.i < j {
            let t = self.raw[self.i];
            self.i += 1;
            match t.kind {
                Raw::Comma => self.push(t, Terminal::DefComma, Previous::Other),
                Raw::Value => self.result(t),
                _ => {}
            }
        }
        let equal = self.raw[j];
        self.i = j + 1;
        self.push(equal, Terminal::DefEqual, Previous::DefEqual);
        self.statement = Statement::NONE;
        true
    }

    /// One defined result; a pack size after it is taken along.
    fn result(&mut self, t: RawToken) {
        let mut count = 1;
        let sized = (self.kind_at(self.i) == Some(Raw::Colon)).then(|| self.raw.get(self.i + 1)).flatten();
        if let Some(&number) = sized.filter(|n| n.kind == Raw::Int) {
            self.i += 2;
            match self.text_of(number).parse::<u32>() {
                Ok(n) if n > 0 => count = n,
                _ => {
                    let at = self.span(number.start, number.end);
                    self.report(diagnostics::bad_result(at, "a pack of results needs a size of at least 1"));
                }
            }
        }
        if self.text_of(t).contains('#') {
            let at = self.span(t.start, t.end);
            self.report(diagnostics::bad_result(at, "one value of a pack cannot be defined"));
        }
        self.push(t, Terminal::Def(count), Previous::Other);
    }

    fn name(&mut self, t: RawToken, quoted: bool) {
        self.statement = Statement { name: self.i as u32 - 1, quoted, style: None };
        self.push(t, if quoted { Terminal::Quoted } else { Terminal::Op }, Previous::Op);
    }

    /// Whether a word without a dot is the name of a statement.
    fn begins_statement(&self, t: RawToken) -> bool {
        match self.previous {
            Previous::Start | Previous::DefEqual => true,
            _ => {
                !matches!(self.kind_at(self.i), Some(Raw::Equal | Raw::OpenParen))
                    && self.vocabulary.is_bare_op(self.text_of(t))
            }
        }
    }

    /// Whether a name or definition begins a line right after `,`, `:`, `->` or `=`: no item reads like that, so the statement
    /// before it broke off.
    fn breaks_off(&self, t: RawToken) -> bool {
        match t.kind {
            Raw::Value | Raw::Dotted => self.begins_line(t),
            Raw::Word => self.begins_line(t) && self.begins_statement(t),
            _ => false,
        }
    }

    /// The region style of the current statement.
    fn style(&mut self) -> RegionStyle {
        if let Some(style) = self.statement.style {
            return style;
        }
        let style = match self.raw.get(self.statement.name as usize) {
            Some(&name) if !self.statement.quoted => self.vocabulary.region_op(self.text_of(name)),
            _ => RegionStyle::None,
        };
        self.statement.style = Some(style);
        style
    }

    /// Whether the `{` just read begins a region.
    fn region_begins(&mut self) -> bool {
        if matches!(self.previous, Previous::Attributes | Previous::RegionEnd | Previous::Joint) {
            return false;
        }
        let key = matches!(self.kind_at(self.i), Some(Raw::Word | Raw::Dotted | Raw::Str));
        let reads_as_dictionary = key && self.kind_at(self.i + 1) == Some(Raw::Equal);
        !reads_as_dictionary && self.style() == RegionStyle::Region
    }

    fn block(&mut self, t: RawToken) {
        match self.kind_at(self.i) {
            Some(Raw::Colon) => {
                self.push(t, Terminal::Label, Previous::Other);
                self.label_colon();
            }
            // A label or a use, as the token after the `)` will tell; a run of its own for now.
            Some(Raw::OpenParen) => {
                let label = self.out.tokens.len() as u32;
                let run = Run { first: self.out.leaves.len() as u32, len: 1 };
                let span = self.span(t.start, t.end);
                self.out.leaves.push(Item { kind: ItemKind::Block, span, first: 0, len: 0 });
                self.push(t, Terminal::Leaves(run), Previous::Other);
                let paren = self.raw[self.i];
                self.i += 1;
                let depth = self.frames.len();
                self.open(paren, Bracket::Paren, false);
                if self.frames.len() > depth
                    && let Some(f) = self.frames.last_mut()
                {
                    f.label = label;
                }
            }
            _ => self.leaf(t, ItemKind::Block, Previous::Other),
        }
    }

    /// The colon after a label; a block begins.
    fn label_colon(&mut self) {
        let colon = self.raw[self.i];
        self.i += 1;
        self.push(colon, Terminal::LabelColon, Previous::Start);
        self.statement = Statement::NONE;
    }

    /// `!a =` defines an alias at the top of the file where no statement is going on, or on a new line.
    fn alias_may_begin(&self, t: RawToken) -> bool {
        self.frames.is_empty()
            && self.previous != Previous::Joint
            && (self.previous == Previous::Start || self.begins_line(t))
    }

    /// True when only white space or comments lie between the line start and the token.
    fn begins_line(&self, t: RawToken) -> bool {
        self.last_end == 0
            || self.text.as_bytes().get(self.last_end as usize..t.start as usize).is_some_and(|s| s.contains(&b'\n'))
    }

    // ---- items ------------------------------------------------------------------------------------------------

    /// A type or attribute, or in parts its head.
    fn head(&mut self, t: RawToken, complete: bool, whole: ItemKind, part: ItemKind) {
        if self.mode == Mode::Parts {
            self.leaf(t, part, Previous::Other);
        } else if !complete && self.kind_at(self.i) == Some(Raw::OpenAngle) {
            self.begin_merged(t, whole);
        } else {
            self.leaf(t, whole, Previous::Other);
        }
    }

    fn begin_merged(&mut self, head: RawToken, kind: ItemKind) {
        let open = self.raw[self.i];
        self.i += 1;
        let depth = self.frames.len();
        self.open(open, Bracket::Angle, true);
        if self.frames.len() > depth {
            self.merge = Some((head.start, kind, depth));
        }
    }

    /// A token of a type's or attribute's parameters: only brackets count.
    fn inside_merged(&mut self, t: RawToken) {
        match t.kind {
            Raw::OpenParen => self.open(t, Bracket::Paren, true),
            Raw::OpenBracket => self.open(t, Bracket::Square, true),
            Raw::OpenBrace => self.open(t, Bracket::Brace, true),
            Raw::OpenAngle => self.open(t, Bracket::Angle, true),
            Raw::CloseParen => self.close(t, Bracket::Paren),
            Raw::CloseBracket => self.close(t, Bracket::Square),
            Raw::CloseBrace => self.close(t, Bracket::Brace),
            Raw::CloseAngle => self.close(t, Bracket::Angle),
            _ => {}
        }
    }

    fn word(&mut self, t: RawToken) {
        let text = self.text_of(t);
        if text.starts_with('x') && t.start == self.last_end && self.after_dimension() {
            return self.dimensions(t);
        }
        if self.kind_at(self.i) == Some(Raw::OpenAngle)
            && self.mode == Mode::Statements
            && let Some(kind) = parametrised(text)
        {
            return self.begin_merged(t, kind);
        }
        self.leaf(t, ItemKind::Word, Previous::Other);
    }

    /// Whether the last raw token may be followed by the `x` of a dimension list.
    fn after_dimension(&self) -> bool {
        matches!(
            self.i.checked_sub(2).and_then(|i| self.kind_at(i)),
            Some(Raw::Int | Raw::Question | Raw::Star | Raw::CloseBracket)
        )
    }

    /// Splits `x32xf16` into `x`, `32`, `x`, `f16`.
    fn dimensions(&mut self, t: RawToken) {
        let bytes = self.text.as_bytes();
        let mut at = t.start;
        let byte = |i: u32| if i < t.end { bytes.get(i as usize).copied().unwrap_or(0) } else { 0 };
        while byte(at) == b'x' {
            self.leaf(RawToken { start: at, end: at + 1, ..t }, ItemKind::Cross, Previous::Other);
            at += 1;
            let from = at;
            while byte(at).is_ascii_digit() {
                at += 1;
            }
            if at == from {
                break;
            }
            self.leaf(RawToken { start: from, end: at, ..t }, ItemKind::Int, Previous::Other);
        }
        if at < t.end {
            self.leaf(RawToken { start: at, ..t }, ItemKind::Word, Previous::Other);
        }
    }

    /// An integer; `0x16` is a zero dimension where only dimensions can stand.
    fn int(&mut self, t: RawToken) {
        let text = self.text_of(t);
        if text.starts_with("0x") && self.frames.last().is_some_and(|f| f.bracket == Bracket::Angle) {
            let next = self.raw.get(self.i).filter(|n| n.start == t.end);
            let goes_on = next.is_some_and(|n| match n.kind {
                Raw::Word => self.text_of(*n).starts_with('x'),
                _ => false,
            });
            if goes_on || self.in_type_parameters() {
                self.leaf(RawToken { end: t.start + 1, ..t }, ItemKind::Int, Previous::Other);
                return self.dimensions(RawToken { start: t.start + 1, ..t });
            }
        }
        self.leaf(t, ItemKind::Int, Previous::Other);
    }

    /// In parts: whether the innermost `<` follows the head of a type.
    fn in_type_parameters(&self) -> bool {
        self.mode == Mode::Parts && self.frames.last().is_some_and(|f| f.label == TYPE_PARAMETERS)
    }

    // ---- brackets ---------------------------------------------------------------------------------------------

    fn open(&mut self, t: RawToken, bracket: Bracket, merged: bool) {
        if self.frames.len() >= self.limits.max_depth as usize {
            return self.skip_too_deep(t);
        }
        let head_is_type = bracket == Bracket::Angle
            && self.mode == Mode::Parts
            && self.last_leaf().is_some_and(|head| match head.kind {
                ItemKind::BangWord => true,
                ItemKind::Word => {
                    let range = (head.span.start - self.base) as usize..(head.span.end - self.base) as usize;
                    self.text.get(range).and_then(parametrised) == Some(ItemKind::Type)
                }
                _ => false,
            });
        let label = if head_is_type { TYPE_PARAMETERS } else { NO_TOKEN };
        self.frames.push(Frame { bracket, start: t.start, merged, label, indent: self.indent, outer: self.statement });
        if !merged {
            let region = bracket == Bracket::Region;
            self.push(t, bracket.opening(), if region { Previous::Start } else { Previous::Other });
            if region {
                self.statement = Statement::NONE;
            }
        }
    }

    fn close(&mut self, t: RawToken, bracket: Bracket) {
        if bracket == Bracket::Brace && self.repair.is_some() && self.repair_brace(t) {
            return;
        }
        let matches = |f: &Frame| f.bracket == bracket || (bracket == Bracket::Brace && f.bracket == Bracket::Region);
        // Almost always the top. A `)`, `]` or `>` never closes beyond the region it is in.
        let mut partner = None;
        for (i, f) in self.frames.iter().enumerate().rev() {
            if matches(f) {
                partner = Some(i);
                break;
            }
            if f.bracket == Bracket::Region {
                break;
            }
        }
        let Some(partner) = partner else { return self.stray(t, bracket) };
        while self.frames.len() > partner + 1 {
            let why = format!("`{}`", bracket.close());
            self.report_unclosed(Span::new(t.start, t.end), &why);
        }
        self.pop(t.start, t.end);
    }

    /// Takes the innermost frame off; its closing bracket is at `start..end`.
    fn pop(&mut self, start: u32, end: u32) {
        let Some(frame) = self.frames.pop() else { return };
        let t = RawToken { start, end, kind: Raw::CloseBrace };
        if frame.merged {
            if let Some((head, kind, depth)) = self.merge
                && depth == self.frames.len()
            {
                self.merge = None;
                self.leaf(RawToken { start: head, ..t }, kind, Previous::Other);
            }
            return;
        }
        if frame.bracket == Bracket::Region {
            self.statement = frame.outer;
            self.push(t, Terminal::CloseRegion, Previous::RegionEnd);
            return;
        }
        self.push(t, frame.bracket.closing(), Previous::Other);
        if frame.label < TYPE_PARAMETERS && self.kind_at(self.i) == Some(Raw::Colon) && start < end {
            if let Some(label) = self.out.tokens.get_mut(frame.label as usize) {
                label.terminal = Terminal::Label;
            }
            self.label_colon();
        }
    }

    /// Reports the innermost frame as unclosed and closes it with no text, before `needed`.
    fn report_unclosed(&mut self, needed: Span, why: &str) {
        let Some(frame) = self.frames.last().copied() else { return };
        let region = frame.bracket == Bracket::Region;
        self.out.faults.unclosed_region |= region;
        self.out.faults.unclosed_group |= !region;
        let at = self.span(frame.start, frame.start + 1);
        let needed = self.span(needed.start, needed.end);
        self.report(diagnostics::unclosed(frame.bracket.open(), frame.bracket.close(), at, needed, why));
        let end = self.last_end.max(frame.start + 1);
        self.pop(end, end);
    }

    fn stray(&mut self, t: RawToken, bracket: Bracket) {
        let brace = bracket == Bracket::Brace;
        self.out.faults.stray_brace |= brace;
        self.out.faults.stray_group |= !brace;
        let open = self.frames.last().map(|f| (f.bracket.open(), self.span(f.start, f.start + 1)));
        let at = self.span(t.start, t.end);
        self.report(diagnostics::stray(bracket.close(), at, open));
    }

    /// Skips the bracket at `t` with all it holds; only the first is reported.
    fn skip_too_deep(&mut self, t: RawToken) {
        if !std::mem::replace(&mut self.too_deep, true) {
            let at = self.span(t.start, t.end);
            self.report(diagnostics::too_deep(at, self.limits));
        }
        let mut depth = 1_u32;
        while let Some(next) = self.raw.get(self.i).filter(|_| depth > 0) {
            match next.kind {
                Raw::OpenParen | Raw::OpenBracket | Raw::OpenBrace | Raw::OpenAngle => depth += 1,
                Raw::CloseParen | Raw::CloseBracket | Raw::CloseBrace | Raw::CloseAngle => depth -= 1,
                _ => {}
            }
            self.last_end = next.end;
            self.i += 1;
        }
    }

    fn report(&mut self, d: Diagnostic) {
        // One more than shown, so that "there are more" is noticed.
        if self.out.diagnostics.len() <= self.limits.max_errors as usize {
            self.out.diagnostics.push(d);
        }
    }

    // ---- repair -----------------------------------------------------------------------------------------------

    /// Closes open groups before a line that clearly begins a statement.
    fn close_before_statement(&mut self, t: RawToken) {
        let inside_group = self.frames.last().is_some_and(|f| f.bracket != Bracket::Region);
        if !inside_group || !self.repair.is_some_and(|f| f.unclosed_group) || !self.begins_line(t) {
            return;
        }
        let next = self.kind_at(self.i + 1);
        let begins = match t.kind {
            Raw::Value => {
                let mut j = self.i + 1;
                // Bounded: a longer list of results is not looked for.
                for _ in 0..8 {
                    match (self.kind_at(j), self.kind_at(j + 1)) {
                        (Some(Raw::Comma), Some(Raw::Value)) | (Some(Raw::Colon), Some(Raw::Int)) => j += 2,
                        _ => break,
                    }
                }
                self.kind_at(j) == Some(Raw::Equal)
                    && matches!(self.kind_at(j + 1), Some(Raw::Word | Raw::Dotted | Raw::Str))
            }
            Raw::Dotted => !matches!(next, Some(Raw::Equal | Raw::Comma | Raw::CloseBrace | Raw::Colon)),
            Raw::Word => {
                self.vocabulary.is_bare_op(self.text_of(t))
                    && !matches!(next, Some(Raw::Equal | Raw::Comma | Raw::OpenParen))
            }
            _ => false,
        };
        if begins && self.i.checked_sub(1).and_then(|i| self.kind_at(i)) != Some(Raw::Equal) {
            while self.frames.last().is_some_and(|f| f.bracket != Bracket::Region) {
                self.report_unclosed(Span::new(t.start, t.end), "the next statement");
            }
        }
    }

    /// Uses indentation where a `}` begins a line and braces do not add up. True when the brace was dealt with.
    fn repair_brace(&mut self, t: RawToken) -> bool {
        let Some(faults) = self.repair.filter(|_| self.begins_line(t)) else { return false };
        let column = self.indent;
        let is_brace = |f: &&Frame| matches!(f.bracket, Bracket::Region | Bracket::Brace);
        if faults.unclosed_region {
            loop {
                let mut braces = self.frames.iter().rev().filter(is_brace);
                let deeper = braces.next().is_some_and(|top| column < top.indent);
                if !deeper || !braces.any(|f| f.indent == column) {
                    break;
                }
                self.report_unclosed(Span::new(t.start, t.end), "this `}`, which is indented less");
            }
        }
        let top = self.frames.iter().rev().find(is_brace);
        let stray = faults.stray_brace && top.is_some_and(|f| column > f.indent);
        if stray {
            self.stray(t, Bracket::Brace);
        }
        stray
    }

    /// Notes how far the line of a token is indented, when the token begins it.
    fn note_indentation(&mut self, t: RawToken) {
        let gap = self.text.as_bytes().get(self.last_end as usize..t.start as usize).unwrap_or(&[]);
        match gap.iter().rposition(|&b| b == b'\n') {
            Some(newline) => self.indent = (gap.len() - newline - 1) as u32,
            None if self.last_end == 0 => self.indent = t.start,
            None => {}
        }
    }
}

/// In [`Frame::label`]: the bracket holds the parameters of a type.
const TYPE_PARAMETERS: u32 = NO_TOKEN - 1;

/// Builtin types and attributes that take `<...>`.
fn parametrised(word: &str) -> Option<ItemKind> {
    Some(match word {
        "vector" | "tensor" | "memref" | "tuple" | "complex" => ItemKind::Type,
        "dense" | "array" | "strided" | "affine_map" | "affine_set" | "dense_resource" | "sparse" | "opaque"
        | "distinct" => ItemKind::Attr,
        _ => return None,
    })
}
