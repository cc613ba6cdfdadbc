//! Bytes to raw tokens.
//!
//! A type or attribute whose parameters are plain (one line, no brackets but `<>`, no strings) is one token already
//! here: type text is most of a kernel. Everything else is put together in [`crate::classify`].

use std::ops::Range;

use logos::{Lexer, Logos};

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Mode {
    /// Types and attributes are single tokens.
    #[default]
    Statements,
    /// The parameters of types and attributes are tokens of their own.
    Parts,
}

/// What the lexer remembers.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    mode: Mode,
    /// Where the parameters of some types before were: most types repeat, and comparing is faster than scanning.
    recent: [Range<usize>; 4],
    oldest: usize,
}

impl State {
    pub(crate) fn new(mode: Mode) -> Self {
        State { mode, ..State::default() }
    }
}

/// A raw token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(extras = State)]
#[logos(skip r"[ \t\r\n\f]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
pub(crate) enum Raw {
    #[regex(r"%[A-Za-z0-9_$.]+(?:-+[A-Za-z0-9_$.]+)*(?:#[0-9]+)?")]
    Value,
    #[regex(r"[A-Za-z_][A-Za-z0-9_$]*(?:-[A-Za-z_][A-Za-z0-9_$]*)*")]
    Word,
    #[regex(r"[A-Za-z_][A-Za-z0-9_$]*(?:-[A-Za-z_][A-Za-z0-9_$]*)*(?:\.[A-Za-z0-9_$]+(?:-[A-Za-z_][A-Za-z0-9_$]*)*)+")]
    Dotted,
    #[regex(r#""(?:[^"\\\n]|\\[^\n])*""#)]
    Str,
    #[regex(r#""(?:[^"\\\n]|\\[^\n])*"#)]
    OpenStr,
    #[regex(r"-?[0-9]+")]
    #[regex(r"-?0[xX][0-9A-Fa-f]+")]
    Int,
    #[regex(r"-?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?")]
    #[regex(r"-?[0-9]+[eE][-+]?[0-9]+")]
    Float,
    #[regex(r#"@(?:[A-Za-z_][A-Za-z0-9_$.]*(?:-[A-Za-z0-9_$.]+)*|"(?:[^"\\\n]|\\[^\n])*")(?:::@(?:[A-Za-z_][A-Za-z0-9_$.]*|"(?:[^"\\\n]|\\[^\n])*"))*"#)]
    Symbol,
    #[regex(r"\^[A-Za-z0-9_$.]+(?:-[A-Za-z0-9_$.]+)*")]
    Block,
    /// `!name`; true with its parameters.
    #[regex(r"![A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z0-9_$]+)*", flat_parameters)]
    Bang(bool),
    /// `#name`; true with its parameters.
    #[regex(r"#[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z0-9_$]+)*", flat_parameters)]
    Hash(bool),
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("->")]
    Arrow,
    #[token("=")]
    Equal,
    #[token("?")]
    Question,
    #[token("*")]
    Star,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("...")]
    Ellipsis,
    #[token("|")]
    Pipe,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("<")]
    OpenAngle,
    #[token(">")]
    CloseAngle,
    /// `/* ... */`, which PTO does not have.
    #[token("/*", block_comment)]
    BlockComment,
}

/// A raw token with its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawToken {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: Raw,
}

/// How deep a flat parameter list may nest.
const FLAT_DEPTH: u32 = 4;

/// Takes `<...>` directly after a head into the token when it is flat; says whether it did.
fn flat_parameters(lexer: &mut Lexer<'_, Raw>) -> bool {
    let bytes = lexer.remainder().as_bytes();
    if lexer.extras.mode == Mode::Parts || bytes.first() != Some(&b'<') {
        return false;
    }
    let source = lexer.source().as_bytes();
    let known = lexer.extras.recent.iter().find(|r| !r.is_empty() && bytes.starts_with(&source[Range::clone(r)]));
    if let Some(len) = known.map(ExactSizeIterator::len) {
        lexer.bump(len);
        return true;
    }
    let Some(len) = flat_length(bytes) else { return false };
    let start = lexer.span().end;
    let State { recent, oldest, .. } = &mut lexer.extras;
    recent[*oldest] = start..start + len;
    *oldest = (*oldest + 1) % recent.len();
    lexer.bump(len);
    true
}

/// The length of the flat `<...>` that the bytes begin with.
///
/// Gives up at anything that needs tokens to be understood. The depth limit keeps failing scans linear: a byte is
/// looked at by at most `FLAT_DEPTH` heads before it.
fn flat_length(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        if FLAT[byte as usize] {
            continue;
        }
        match byte {
            b'<' if depth < FLAT_DEPTH => depth += 1,
            // `->` closes nothing; the first byte is `<`, so there is one before.
            b'>' if bytes.get(i.wrapping_sub(1)) != Some(&b'-') => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            _ => return None,
        }
    }
    None
}

/// Printable ASCII without brackets, quotes and `/`.
const FLAT: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = b' ';
    while i <= b'~' {
        table[i as usize] = !matches!(i, b'<' | b'>' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'/');
        i += 1;
    }
    table
};

fn block_comment(lexer: &mut Lexer<'_, Raw>) {
    let rest = lexer.remainder();
    let len = rest.find("*/").map_or(rest.len(), |i| i + 2);
    lexer.bump(len);
}
