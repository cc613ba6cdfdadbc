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
//! The pass runs in step with the parser: terminals wait in a short queue, so a text of any size takes little memory.

mod brackets;
mod items;
mod repair;
mod state;
mod statements;

use ptoc_source::{Diagnostic, Span};

pub(crate) use self::state::Faults;
use self::state::{Bracket, Frame, Previous, Statement};
use crate::lexer::{Mode, Raw, RawToken};
use crate::limits::Limits;
use crate::terminal::{Run, Terminal, Token};
use crate::tree::{Item, ItemKind};
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
    /// The token being looked at and the one before it.
    current: RawToken,
    last: RawToken,
    /// Terminals that wait for the parser.
    queue: Vec<Token>,
    /// The queue's leaves, the first of which has the number `first_leaf`.
    leaves: Vec<Item>,
    first_leaf: u32,
    frames: Vec<Frame>,
    /// Number of open brackets that may turn a block in the queue into a label.
    held: u32,
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
        let nothing = RawToken { start: 0, end: 0, kind: Raw::BlockComment };
        Classifier {
            text,
            base,
            vocabulary,
            limits,
            mode,
            repair,
            window: Window::new(text, mode, limits.max_errors as usize + 1),
            current: nothing,
            last: nothing,
            queue: Vec::with_capacity(BATCH + 16),
            leaves: Vec::with_capacity(BATCH * 2),
            first_leaf: 0,
            frames: Vec::new(),
            held: 0,
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

    /// Replaces the contents of both vectors by the next terminals and their leaves; no terminals at the end.
    pub(crate) fn next_batch(&mut self, queue: &mut Vec<Token>, leaves: &mut Vec<Item>) {
        queue.clear();
        leaves.clear();
        std::mem::swap(queue, &mut self.queue);
        std::mem::swap(leaves, &mut self.leaves);
        while !self.ended && (self.queue.len() < BATCH || self.held > 0) {
            self.step();
        }
        self.first_leaf += self.leaves.len() as u32;
        std::mem::swap(queue, &mut self.queue);
        std::mem::swap(leaves, &mut self.leaves);
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
        let Some(token) = self.take() else {
            self.ended = true;
            self.last = self.current;
            let end = self.text.len() as u32;
            while !self.frames.is_empty() {
                self.report_unclosed(Span::new(end, end), "the end of the text");
            }
            return;
        };
        if self.repair.is_some() {
            self.note_indentation(token);
            self.close_before_statement(token);
        }
        if self.merge.is_some() {
            self.inside_merged(token);
        } else if self.level_is_statements() {
            self.statement_token(token);
        } else {
            self.group_token(token);
        }
    }

    /// Takes the next raw token.
    fn take(&mut self) -> Option<RawToken> {
        let token = self.window.take()?;
        self.last = std::mem::replace(&mut self.current, token);
        Some(token)
    }

    /// True where statements are listed: at the top and directly inside a region.
    fn level_is_statements(&self) -> bool {
        match self.frames.last() {
            None => self.mode == Mode::Statements,
            Some(f) => f.bracket == Bracket::Region,
        }
    }

    fn text_of(&self, t: RawToken) -> &'t str {
        self.text.get(t.start as usize..t.end as usize).unwrap_or("")
    }

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.base + start, self.base + end)
    }

    fn push(&mut self, t: RawToken, terminal: Terminal, previous: Previous) {
        self.queue.push(Token { start: t.start, end: t.end, terminal });
        self.previous = previous;
    }

    /// A leaf; it joins the run before it.
    fn leaf(&mut self, t: RawToken, kind: ItemKind, previous: Previous) {
        if let Some(Token { end, terminal: Terminal::Leaves(run), .. }) = self.queue.last_mut() {
            run.len += 1;
            *end = t.end;
            self.leaves.push(Item { kind, span: self.span(t.start, t.end), first: 0, len: 0 });
        } else {
            self.leaf_apart(t, kind);
        }
        self.previous = previous;
    }

    /// A leaf that is a run of its own.
    fn leaf_apart(&mut self, t: RawToken, kind: ItemKind) {
        let run = Run { first: self.first_leaf + self.leaves.len() as u32, len: 1 };
        self.leaves.push(Item { kind, span: self.span(t.start, t.end), first: 0, len: 0 });
        self.push(t, Terminal::Leaves(run), Previous::Other);
    }

    /// Records an error, unless there are too many; `make` builds it.
    fn report(&mut self, make: impl FnOnce() -> Diagnostic) {
        // One more than is shown, so that "there are more" is noticed.
        if self.diagnostics.len() <= self.limits.max_errors as usize {
            self.diagnostics.push(make());
        }
    }
}
