//! The way from text to tree.

use ptoc_source::{Diagnostic, Span};

use crate::builder::Builder;
use crate::classify::{Classified, classify};
use crate::diagnostics;
use crate::grammar::{FileParser, PartsParser, RecoverFileParser};
use crate::lexer::{Lexed, Mode, lex};
use crate::limits::Limits;
use crate::terminal::{Terminal, Token};
use crate::tree::Tree;
use crate::vocabulary::{RegionStyle, Vocabulary};

/// A tree and what is wrong with the text, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Parse {
    /// The syntax; without the parts that could not be read.
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
    struct NoWords;
    impl Vocabulary for NoWords {
        fn is_bare_op(&self, _: &str) -> bool {
            false
        }
        fn region_op(&self, _: &str) -> RegionStyle {
            RegionStyle::None
        }
    }
    run(text, base, &NoWords, limits, Mode::Parts)
}

fn run(text: &str, base: u32, vocab: &dyn Vocabulary, limits: &Limits, mode: Mode) -> Parse {
    if let Some(d) = diagnostics::unreadable(text, base) {
        return Parse { tree: Tree::default(), diagnostics: vec![d] };
    }
    // A byte order mark is no text; positions go on counting it.
    let (text, base) = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => (rest, base + 3),
        None => (text, base),
    };
    let Lexed { tokens: raw, junk, junk_bytes } = lex(text, mode, limits.max_errors as usize + 1);
    if let Some(&first) = junk.first().filter(|_| junk_bytes > 64 && junk_bytes > text.len() / 8) {
        return Parse { tree: Tree::default(), diagnostics: vec![diagnostics::mostly_junk(first, base, junk_bytes)] };
    }
    let classified = classify(text, base, &raw, vocab, limits, mode);
    drop(raw);
    let mut found: Vec<Diagnostic> = junk.into_iter().map(|j| diagnostics::junk(text, base, j)).collect();
    let (tree, syntax) = build(text, base, &classified, mode);
    found.extend(classified.diagnostics);
    found.extend(syntax);
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

type Triple = Result<(u32, Terminal, u32), ()>;

fn triples(tokens: &[Token]) -> impl Iterator<Item = Triple> {
    tokens.iter().map(|t| Ok((t.start, t.terminal, t.end)))
}

fn build(text: &str, base: u32, classified: &Classified, mode: Mode) -> (Tree, Vec<Diagnostic>) {
    let (tokens, leaves) = (classified.tokens.as_slice(), classified.leaves.as_slice());
    let mut builder = Builder::new(text, base, leaves);
    let result = match mode {
        Mode::Statements => FileParser::new().parse(&mut builder, triples(tokens)),
        Mode::Parts => PartsParser::new().parse(&mut builder, triples(tokens)),
    };
    if let Err(error) = result {
        builder = Builder::new(text, base, leaves);
        let again = match mode {
            Mode::Statements => RecoverFileParser::new().parse(&mut builder, triples(tokens)).err(),
            Mode::Parts => Some(error),
        };
        if let Some(error) = again {
            builder.diagnostics.push(diagnostics::syntax(text, base, leaves, &error, None));
        }
    }
    builder.into_parts()
}

/// The stages before the parser, for measuring: each gives a number of tokens.
#[doc(hidden)]
pub mod bench {
    use super::{Limits, Mode, Vocabulary};

    /// Bytes to raw tokens.
    pub fn lex(text: &str) -> usize {
        crate::lexer::lex(text, Mode::Statements, 0).tokens.len()
    }

    /// Bytes to terminals.
    pub fn classify(text: &str, vocab: &dyn Vocabulary) -> usize {
        let raw = crate::lexer::lex(text, Mode::Statements, 0).tokens;
        crate::classify::classify(text, 0, &raw, vocab, &Limits::default(), Mode::Statements).tokens.len()
    }
}
