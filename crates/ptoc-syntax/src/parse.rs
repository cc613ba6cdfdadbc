//! The way from text to tree.

use std::cell::{Cell, RefCell};

use ptoc_source::{Diagnostic, Span};

use crate::builder::Builder;
use crate::classify::{Classifier, Faults};
use crate::diagnostics;
use crate::flat;
use crate::grammar::{FileParser, RecoverFileParser};
use crate::lexer::Mode;
use crate::limits::Limits;
use crate::terminal::{Terminal, Token};
use crate::tree::{Node, Tree};
use crate::vocabulary::{RegionStyle, Vocabulary};
use crate::window::Window;

/// A tree and what is wrong with the text, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Parse {
    /// The syntax, without the parts that could not be read; empty when there are more errors than the limit.
    pub tree: Tree,
    /// All errors, in order of position; empty for a well-formed text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a text that begins at byte `base` of its file; all spans count from the beginning of the file.
pub fn parse(text: &str, base: u32, vocab: &dyn Vocabulary, limits: &Limits) -> Parse {
    run(text, base, vocab, limits, Mode::Statements)
}

/// Parses the text of one type or attribute into items, with its parameters in full detail: see [`Tree::root`].
///
/// `!pto.tile_buf<vec, 16x?xf32>` becomes a [`crate::ItemKind::BangWord`] and an [`crate::ItemKind::Angle`] with
/// the children `vec` `,` `16` `x` `?` `x` `f32`.
pub fn parse_items(text: &str, base: u32, limits: &Limits) -> Parse {
    match flat::items(text, base, limits) {
        Some(items) => Parse { tree: Tree::of_items(items), diagnostics: Vec::new() },
        None => run(text, base, &NoWords, limits, Mode::Parts),
    }
}

/// Types and attributes have no statements in them.
struct NoWords;

impl Vocabulary for NoWords {
    fn is_bare_op(&self, _: &str) -> bool {
        false
    }

    fn region_op(&self, _: &str) -> RegionStyle {
        RegionStyle::None
    }
}

/// About how many bytes of text there are for each item of an ordinary program.
const BYTES_PER_ITEM: usize = 12;

fn run(text: &str, base: u32, vocab: &dyn Vocabulary, limits: &Limits, mode: Mode) -> Parse {
    if let Some(d) = diagnostics::unreadable(text, base) {
        return Parse { tree: Tree::default(), diagnostics: vec![d] };
    }
    // A byte order mark is no text; positions go on counting it.
    let (text, base) = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => (rest, base + 3),
        None => (text, base),
    };
    let input = Input { text, base, vocab, limits, mode };
    let mut attempt = match mode {
        Mode::Statements => input.attempt(None),
        Mode::Parts => input.items(),
    };
    if !attempt.accepted || attempt.faults.any() && mode == Mode::Statements {
        attempt = input.attempt(Some(attempt.faults));
    }
    let Attempt { tree, diagnostics: mut found, window, .. } = attempt;
    let (junk, junk_bytes) = (window.junk, window.junk_bytes);
    if let Some(&first) = junk.first().filter(|_| junk_bytes > 64 && junk_bytes > text.len() / 8) {
        return Parse { tree: Tree::default(), diagnostics: vec![diagnostics::mostly_junk(first, base, junk_bytes)] };
    }
    found.extend(junk.into_iter().map(|j| diagnostics::junk(text, base, j)));
    Parse { tree, diagnostics: ordered(found, limits) }
}

/// The errors in the order of the text, cut at the limit.
fn ordered(mut found: Vec<Diagnostic>, limits: &Limits) -> Vec<Diagnostic> {
    found.sort_by_key(|d| d.primary_span().start);
    let max = limits.max_errors as usize;
    if found.len() > max {
        let at = found.get(max).map_or(Span::NONE, Diagnostic::primary_span);
        found.truncate(max);
        found.push(diagnostics::too_many(limits, at));
    }
    found
}

/// What is to be parsed.
struct Input<'t> {
    text: &'t str,
    base: u32,
    vocab: &'t dyn Vocabulary,
    limits: &'t Limits,
    mode: Mode,
}

/// What came of parsing it once.
struct Attempt<'t> {
    accepted: bool,
    faults: Faults,
    tree: Tree,
    diagnostics: Vec<Diagnostic>,
    window: Window<'t>,
}

impl<'t> Input<'t> {
    /// Reads items only: all there is to them is their brackets, which the classification matches.
    fn items(&self) -> Attempt<'t> {
        let Input { text, base, vocab, limits, mode } = *self;
        let mut classifier = Classifier::new(text, base, vocab, limits, mode, None);
        let (mut queue, mut items) = (Vec::new(), Vec::with_capacity(text.len() / 2));
        classifier.next_batch(&mut queue, &mut items);
        let faults = classifier.faults();
        let (diagnostics, window) = classifier.into_parts();
        Attempt { accepted: true, faults, tree: Tree::of_items(items), diagnostics, window }
    }

    /// Parses fast, or after a failure with `repair` thoroughly.
    fn attempt(&self, repair: Option<Faults>) -> Attempt<'t> {
        let Input { text, base, vocab, limits, mode } = *self;
        let items = RefCell::new(Vec::with_capacity(text.len() / BYTES_PER_ITEM));
        let give_up = Cell::new(false);
        let mut classifier = Classifier::new(text, base, vocab, limits, mode, repair);
        let mut builder = Builder::new(text, base, &items, &give_up, limits.max_errors as usize + 1);
        let tokens =
            Tokens { classifier: &mut classifier, items: &items, give_up: &give_up, queue: Vec::new(), next: 0 };
        let result = match repair {
            None => FileParser::new().parse(&mut builder, tokens),
            Some(_) => RecoverFileParser::new().parse(&mut builder, tokens),
        };
        let accepted = result.is_ok();
        let (tree, mut diagnostics) = builder.into_parts();
        if let Err(error) = result {
            diagnostics.push(diagnostics::syntax(text, base, &error, None));
            // The parser left off early; the rest still tells about brackets and junk.
            let (mut queue, mut items) = (Vec::new(), Vec::new());
            loop {
                items.clear();
                classifier.next_batch(&mut queue, &mut items);
                if queue.is_empty() {
                    break;
                }
            }
        }
        let faults = classifier.faults();
        let (found, window) = classifier.into_parts();
        diagnostics.extend(found);
        Attempt { accepted, faults, tree, diagnostics, window }
    }
}

/// The classifier's terminals as the parser takes them.
struct Tokens<'c, 't> {
    classifier: &'c mut Classifier<'t>,
    items: &'c RefCell<Vec<Node>>,
    give_up: &'c Cell<bool>,
    queue: Vec<Token>,
    next: usize,
}

impl Tokens<'_, '_> {
    /// Asks for more terminals.
    fn refill(&mut self) {
        self.classifier.next_batch(&mut self.queue, &mut self.items.borrow_mut());
        self.next = 0;
    }
}

impl Iterator for Tokens<'_, '_> {
    type Item = Result<(u32, Terminal, u32), ()>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.give_up.get() {
            return Some(Err(()));
        }
        if self.next == self.queue.len() {
            self.refill();
        }
        let token = self.queue.get(self.next)?;
        self.next += 1;
        Some(Ok((token.start, token.terminal, token.end)))
    }
}

/// The stages before the parser, for measuring: each gives a number of tokens.
#[doc(hidden)]
pub mod bench {
    use super::{Classifier, Limits, Mode, Vocabulary, Window};

    /// Bytes to raw tokens.
    pub fn lex(text: &str) -> usize {
        let mut window = Window::new(text, Mode::Statements, 0);
        while window.advance() {}
        window.position()
    }

    /// Bytes to terminals.
    pub fn classify(text: &str, vocab: &dyn Vocabulary) -> usize {
        let limits = Limits::default();
        let mut classifier = Classifier::new(text, 0, vocab, &limits, Mode::Statements, None);
        let (mut queue, mut items, mut count) = (Vec::new(), Vec::new(), 0);
        loop {
            items.clear();
            classifier.next_batch(&mut queue, &mut items);
            count += queue.len();
            if queue.is_empty() {
                return count;
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Limits, Mode, NoWords, Node, run};

    /// The items of a text as lexer and classification read them.
    pub(crate) fn items_by_tokens(text: &str, base: u32) -> Vec<Node> {
        run(text, base, &NoWords, &Limits::default(), Mode::Parts).tree.items
    }
}
