//! Raw tokens to terminals: one linear pass that decides whatever needs context.
//!
//! - A type or attribute and its balanced `<...>` become one token.
//! - `%x =`, `%x:2, %y =` become definitions; a name that begins a statement becomes an operation.
//! - `{` becomes a dictionary or a region, `^b` a use or a label.
//! - `x32xf16` after a number becomes dimensions.
//! - Brackets are balanced: an unclosed one is reported and closed, a stray one reported and dropped, and depth is
//!   bounded. What comes out is always balanced, so the parser has no bracket errors to recover from.
//!
//! When brackets are wrong the pass runs once more with the [`Faults`] of the first run, and uses line starts and
//! indentation to find the culprit ([`repair`]). Correct text never depends on white space.
//!
//! Items go straight into the tree's list of nodes; a run of them, brackets included, is one terminal.
//!
//! The pass runs in step with the parser: terminals wait in a short queue, so a text of any size takes little memory.

mod brackets;
mod items;
mod repair;
mod state;
mod statements;

use ptoc_source::{Diagnostic, Span};

pub(crate) use self::state::Faults;
use self::state::{Bracket, Frame, Previous, Statement};
use crate::lexer::{Mode, RawToken};
use crate::limits::Limits;
use crate::terminal::{Terminal, Token};
use crate::tree::{ItemKind, ItemRange, Node};
use crate::vocabulary::Vocabulary;
use crate::window::Window;

/// A type or attribute that becomes one leaf.
#[derive(Debug, Clone, Copy)]
struct Merge {
    /// Where its head begins.
    start: u32,
    kind: ItemKind,
    /// Number of brackets around it.
    depth: usize,
}

/// The pass over one text.
pub(crate) struct Classifier<'t> {
    text: &'t str,
    base: u32,
    vocabulary: &'t dyn Vocabulary,
    limits: &'t Limits,
    mode: Mode,
    repair: Option<Faults>,
    /// The text's tokens.
    window: Window<'t>,
    /// Terminals that wait for the parser.
    queue: Vec<Token>,
    /// The tree's items.
    items: Vec<Node>,
    /// The first item that is in no terminal yet, and where the last one ends.
    run: u32,
    run_end: u32,
    frames: Vec<Frame>,
    /// Statements are listed here: at the top and directly inside a region.
    listing: bool,
    merge: Option<Merge>,
    statement: Statement,
    previous: Previous,
    /// No definition begins before this token; keeps the look-ahead linear.
    no_definition_before: usize,
    /// Something was nested too deep.
    too_deep: bool,
    /// When repairing: white space before the current line.
    indent: u32,
    ended: bool,
    faults: Faults,
    diagnostics: Vec<Diagnostic>,
}

/// How many terminals are made at a time.
const BATCH: usize = 256;

impl<'t> Classifier<'t> {
    /// A pass over a text that begins at byte `base` of its file. `repair` is what was wrong in a run before.
    pub(crate) fn new(
        text: &'t str,
        base: u32,
        vocabulary: &'t dyn Vocabulary,
        limits: &'t Limits,
        mode: Mode,
        repair: Option<Faults>,
    ) -> Self {
        Classifier {
            text,
            base,
            vocabulary,
            limits,
            mode,
            repair,
            window: Window::new(text, mode, limits.max_errors as usize + 1),
            queue: Vec::new(),
            items: Vec::new(),
            run: 0,
            run_end: 0,
            frames: Vec::new(),
            listing: mode == Mode::Statements,
            merge: None,
            statement: Statement::NONE,
            previous: Previous::Start,
            no_definition_before: 0,
            too_deep: false,
            indent: 0,
            ended: false,
            faults: Faults::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Replaces the contents of the queue by the next terminals, and appends their items; no terminals at the end.
    pub(crate) fn next_batch(&mut self, queue: &mut Vec<Token>, items: &mut Vec<Node>) {
        queue.clear();
        std::mem::swap(queue, &mut self.queue);
        std::mem::swap(items, &mut self.items);
        self.run = self.items.len() as u32;
        // A group is never cut in two: between batches others append items.
        while !self.ended && (self.queue.len() < BATCH || !self.listing) {
            self.step();
        }
        self.flush();
        std::mem::swap(queue, &mut self.queue);
        std::mem::swap(items, &mut self.items);
    }

    /// What was wrong with brackets.
    pub(crate) fn faults(&self) -> Faults {
        self.faults
    }

    /// What was found, and the text's tokens with their junk.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, Window<'t>) {
        (self.diagnostics, self.window)
    }

    /// Classifies one raw token, or ends the text.
    fn step(&mut self) {
        if !self.window.advance() {
            return self.end();
        }
        let token = self.window.current();
        if self.repair.is_some() {
            self.note_indentation(token);
            self.close_before_statement(token);
        }
        if self.merge.is_some() {
            self.inside_merged(token);
        } else if self.listing {
            self.statement_token(token);
        } else {
            self.group_token(token);
        }
    }

    #[cold]
    fn end(&mut self) {
        self.ended = true;
        let end = self.text.len() as u32;
        while !self.frames.is_empty() {
            self.report_unclosed(Span::new(end, end), "the end of the text");
        }
    }

    /// Takes the next raw token.
    fn take(&mut self) -> Option<RawToken> {
        self.window.advance().then(|| self.window.current())
    }

    /// The raw token before the one being looked at.
    fn last(&self) -> RawToken {
        if self.ended { self.window.current() } else { self.window.last() }
    }

    /// Works out anew whether statements are listed here.
    fn note_level(&mut self) {
        self.listing = match self.frames.last() {
            None => self.mode == Mode::Statements,
            Some(f) => f.bracket == Bracket::Region,
        };
    }

    fn text_of(&self, t: RawToken) -> &'t str {
        self.text.get(t.start as usize..t.end as usize).unwrap_or("")
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.base + start, self.base + end)
    }

    fn push(&mut self, t: RawToken, terminal: Terminal, previous: Previous) {
        self.flush();
        self.queue.push(Token { start: t.start, end: t.end, terminal });
        self.previous = previous;
    }

    /// Makes a terminal of the items that are in none yet.
    fn flush(&mut self) {
        let Some(first) = self.items.get(self.run as usize) else { return };
        let start = first.span.start - self.base;
        let len = self.items.len() as u32 - self.run;
        let terminal = Terminal::Items(ItemRange { first: self.run, len });
        self.queue.push(Token { start, end: self.run_end, terminal });
        self.run += len;
    }

    /// An item of one token.
    fn leaf(&mut self, t: RawToken, kind: ItemKind, previous: Previous) {
        self.items.push(Node { span: self.span(t.start, t.end), link: 0, kind });
        self.run_end = t.end;
        self.previous = previous;
    }

    /// Records an error, unless there are too many; `make` builds it.
    fn report(&mut self, make: impl FnOnce() -> Diagnostic) {
        // One more than is shown, so that "there are more" is noticed.
        if self.diagnostics.len() <= self.limits.max_errors as usize {
            self.diagnostics.push(make());
        }
    }
}
