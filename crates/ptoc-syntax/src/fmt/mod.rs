//! The formatter: canonical white space and line breaks, all tokens and comments kept.
//!
//! It works on tokens, so it needs no instruction tables: any text that parses can be formatted, also when its
//! operations are unknown. Formatting a formatted text changes nothing.
//!
//! - One statement a line; regions are indented, labels stand at the column of the region's closing brace.
//! - Spaces follow the usual style: `%d = pto.x %a, %b {k = 1} : (T, T) -> T`, `ins(%a : T)`, `%t[%i]`, `(%a: T)` in
//!   the arguments of functions and blocks.
//! - A statement that is too long gets `outs(...)` on a line of its own, under `ins(...)`; lists break after commas and
//!   go on below their first element.
//! - Comments stay where they are: behind a token, or on a line of their own. At most one blank line is kept.

mod layout;
mod pieces;

use ptoc_source::Diagnostic;

use crate::limits::Limits;
use crate::parse::parse;
use crate::vocabulary::Vocabulary;

/// How to format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormatOptions {
    /// Columns a line should not exceed; a longer token is not cut.
    pub width: usize,
    /// Columns a region is indented by.
    pub indent: usize,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions { width: 120, indent: 2 }
    }
}

/// Formats a whole text; it ends with one newline unless it is empty.
///
/// # Errors
/// The syntax errors of the text; it cannot be formatted then.
pub fn format(text: &str, vocab: &dyn Vocabulary, options: &FormatOptions) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(text, 0, vocab, &Limits::default());
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    Ok(layout::Printer::new(text, &parsed.tree, vocab, options).file())
}
