//! The wording of all messages.

use lalrpop_util::ParseError;
use ptoc_source::{Diagnostic, Span};

use crate::codes;
use crate::lexer::{Mode, Raw};
use crate::limits::Limits;
use crate::terminal::Terminal;
use crate::window::{Junk, JunkKind, Window};

/// A text that cannot be parsed at all.
pub(crate) fn unreadable(text: &str, base: u32) -> Option<Diagnostic> {
    let start = Span::new(base, base);
    if text.len() as u64 + u64::from(base) >= u64::from(u32::MAX) {
        let message = format!("the input has {} bytes; positions must fit 32 bits", text.len());
        return Some(Diagnostic::error(codes::TOO_LARGE, start, message).help("split it into several files"));
    }
    if text.starts_with("PTOBC\0") {
        let head = Span::new(base, base + 5);
        return Some(
            Diagnostic::error(codes::BYTECODE, head, "the input is PTO bytecode, not text")
                .note("a file that begins with `PTOBC` and a NUL byte is the binary form of a module")
                .help("convert it to text with the tool that wrote it"),
        );
    }
    // Whole chunks at a time, since a text has none.
    let has_nul = |chunk: &[u8]| chunk.iter().fold(false, |found, &b| found | (b == 0));
    if !text.as_bytes().chunks(1024).any(has_nul) {
        return None;
    }
    let nul = text.find('\0')?;
    let at = Span::new(base + nul as u32, base + nul as u32 + 1);
    Some(
        Diagnostic::error(codes::BINARY, at, format!("the input is not text: NUL byte at offset {nul}"))
            .note("PTO assembly is UTF-8 text; nothing of this input was parsed")
            .help("check that the right file was given"),
    )
}

/// A text of which too much is junk.
pub(crate) fn mostly_junk(first: Junk, base: u32, junk_bytes: usize) -> Diagnostic {
    let at = Span::new(base + first.start, base + first.end);
    Diagnostic::error(codes::BINARY, at, format!("the input is not PTO text: {junk_bytes} bytes of it have no meaning"))
        .at("the first of them")
        .help("check that the right file was given")
}

/// Bytes that are no token.
pub(crate) fn junk(text: &str, base: u32, junk: Junk) -> Diagnostic {
    let span = Span::new(base + junk.start, base + junk.end);
    match junk.kind {
        JunkKind::OpenString => Diagnostic::error(codes::OPEN_STRING, span, "the string is not closed on its line")
            .at("expected `\"` before the end of the line")
            .fix("close the string", Span::new(span.end, span.end), "\""),
        JunkKind::BlockComment => {
            let head = Span::new(span.start, span.start + 2);
            Diagnostic::error(codes::BLOCK_COMMENT, head, "`/* */` is not a comment in PTO text")
                .help("begin every line of the comment with `//`")
        }
        JunkKind::Character => character(text.get(junk.start as usize..junk.end as usize).unwrap_or(""), span),
    }
}

fn character(text: &str, span: Span) -> Diagnostic {
    let mut chars = text.chars();
    let c = chars.next().unwrap_or(char::REPLACEMENT_CHARACTER);
    let more = chars.count();
    let mut what = match c {
        char::REPLACEMENT_CHARACTER => "bytes that are not UTF-8 text".to_owned(),
        ' '..='~' => format!("unexpected character `{c}`"),
        c if c.is_control() || c.is_whitespace() => format!("unexpected character U+{:04X}", c as u32),
        c => format!("unexpected character `{c}` (U+{:04X}) outside comments and strings", c as u32),
    };
    if more > 0 {
        what += &format!(" and {more} more");
    }
    let d = Diagnostic::error(codes::CHARACTER, span, what);
    if let Some(ascii) = look_alike(c).filter(|_| more == 0) {
        return d.fix(format!("write `{ascii}`"), span, ascii);
    }
    match c {
        ';' => d.fix("statements need no `;`", span, ""),
        '\'' => d.help("strings are written in double quotes"),
        '%' => d.help("a value is `%` and a name: `%x`, `%0`"),
        '@' => d.help("a symbol is `@` and a name: `@kernel`"),
        '^' => d.help("a block is `^` and a name: `^bb0`"),
        '!' => d.help("a type is `!` and a name: `!pto.tile_buf<...>`"),
        '#' => d.help("an attribute is `#` and a name: `#pto.pipe<PIPE_V>`"),
        '/' => d.help("a comment begins with `//`"),
        _ => d,
    }
}

/// ASCII for what word processors and input methods put in its place.
fn look_alike(c: char) -> Option<&'static str> {
    Some(match c {
        '，' => ",",
        '：' => ":",
        '（' => "(",
        '）' => ")",
        '【' => "[",
        '】' => "]",
        '｛' => "{",
        '｝' => "}",
        '“' | '”' | '„' | '＂' => "\"",
        '–' | '—' | '−' => "-",
        '→' => "->",
        '％' => "%",
        '＝' => "=",
        '×' => "x",
        '…' => "...",
        '\u{A0}' | '\u{3000}' | '\u{200B}' | '\u{FEFF}' => " ",
        _ => return None,
    })
}

/// A bracket that stayed open.
pub(crate) fn unclosed(open: char, close: char, at: Span, needed: Span, why: &str) -> Diagnostic {
    let message = format!("`{open}` is not closed: expected `{close}` before {why}");
    Diagnostic::error(codes::UNCLOSED, at, message)
        .at(format!("this `{open}`"))
        .label(needed, format!("`{close}` was expected before this"))
        .help(format!("add `{close}`"))
}

/// A closing bracket without partner. `open` is the innermost open bracket.
pub(crate) fn stray(close: char, at: Span, open: Option<(char, Span)>) -> Diagnostic {
    let d = Diagnostic::error(codes::STRAY_CLOSE, at, format!("`{close}` closes nothing"));
    let d = match open {
        Some((c, span)) => d.label(span, format!("the innermost open bracket is this `{c}`")),
        None => d.note("no bracket is open here"),
    };
    d.fix(format!("remove the `{close}`"), at, "")
}

/// A bracket nested too deep.
pub(crate) fn too_deep(at: Span, limits: &Limits) -> Diagnostic {
    Diagnostic::error(codes::TOO_DEEP, at, format!("brackets nest deeper than {} levels", limits.max_depth))
        .at("what lies inside was skipped")
        .note("real kernels nest less than 20 levels")
}

/// `%x#1 = ...`, `%x:0 = ...`.
pub(crate) fn bad_result(at: Span, message: &str) -> Diagnostic {
    Diagnostic::error(codes::RESULT, at, message)
        .note("a result is `%name`, or `%name:N` for N values that are used as `%name#0`, `%name#1`, ...")
}

/// A statement that ends with `,`, `:`, `->` or `=`.
pub(crate) fn broken_off(joint: &str, at: Span, next: Span, found: &str) -> Diagnostic {
    let what = match joint {
        "," => "another operand",
        ":" | "->" => "a type",
        _ => "a value",
    };
    Diagnostic::error(codes::BROKEN_OFF, at, format!("expected {what} after `{joint}`, found the statement `{found}`"))
        .label(next, "the next statement begins here")
        .help(format!("add what is missing, or remove the `{joint}`"))
}

/// `!t =` without a type.
pub(crate) fn empty_alias(name: Span, text: Option<&str>) -> Diagnostic {
    let name_text = text.unwrap_or("");
    let what = if name_text.starts_with('!') { "a type" } else { "an attribute" };
    Diagnostic::error(codes::EMPTY_ALIAS, name, format!("expected {what} after `{name_text} =`"))
}

/// The note after the last error that is shown.
pub(crate) fn too_many(limits: &Limits, at: Span) -> Diagnostic {
    let message = format!("too many errors: only the first {} are shown", limits.max_errors);
    Diagnostic::error(codes::TOO_MANY, at, message)
}

/// An error of the grammar.
pub(crate) fn syntax(
    text: &str,
    base: u32,
    error: &ParseError<u32, Terminal, ()>,
    skipped_to: Option<u32>,
) -> Diagnostic {
    let (start, end, terminal, expected) = match error {
        ParseError::UnrecognizedToken { token: (s, t, e), expected } => (*s, *e, Some(*t), expected.as_slice()),
        ParseError::ExtraToken { token: (s, t, e) } => (*s, *e, Some(*t), &[][..]),
        ParseError::UnrecognizedEof { location, expected } => (*location, *location, None, expected.as_slice()),
        ParseError::InvalidToken { location } => (*location, *location, None, &[][..]),
        ParseError::User { error: () } => (0, 0, None, &[][..]),
    };
    // Of a run of items the first token is to blame.
    let rest = text.get(start as usize..end as usize).unwrap_or("");
    let first = match terminal {
        Some(Terminal::Items(_)) => Window::new(rest, Mode::Statements, 0).peek(0),
        _ => None,
    };
    let shown = first.map_or(rest, |t| rest.get(..t.end as usize).unwrap_or(""));
    let span = Span::new(base + start, base + start + shown.len() as u32);
    let found = match terminal {
        Some(_) if shown.len() <= 40 => format!("`{shown}`"),
        Some(_) => "this".to_owned(),
        None => "the end of the text".to_owned(),
    };
    let is_value = first.is_some_and(|t| t.kind == Raw::Value);
    // Only a name is possible after `%x =`; a statement could also begin with results.
    let after_results = !expected.is_empty() && !expected.iter().any(|e| e == "\"def\"" || e == "\"items\"");
    let mut d = if after_results {
        Diagnostic::error(codes::EXPECTED_NAME, span, format!("expected an operation name after `=`, found {found}"))
            .note("a statement is `%result = name ...`")
    } else if terminal == Some(Terminal::Label) {
        Diagnostic::error(codes::EXPECTED_OPERATION, span, format!("block label {found} outside of a region"))
            .note("blocks are parts of a function body")
    } else {
        Diagnostic::error(codes::EXPECTED_OPERATION, span, format!("expected an operation, found {found}"))
    };
    d = match first.map(|t| t.kind) {
        _ if is_value && after_results => {
            d.help("a value cannot be copied; use the value itself in place of the result")
        }
        _ if is_value => d.help("results are followed by `=`: `%x = name ...`, `%x, %y = name ...`"),
        Some(Raw::OpenBrace) => d.help("an operation whose body this is must come before `{`"),
        _ => d,
    };
    if let Some(to) = skipped_to.filter(|&to| to > end) {
        d = d.note(format!("{} bytes up to the next statement were skipped", to - start));
    }
    d
}
