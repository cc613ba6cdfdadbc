//! Lines and columns of many offsets at once.

use crate::{Diagnostic, SourceFile, Span};

/// A place as shown to people: both from 1, the column in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    pub line: u32,
    pub column: u32,
}

/// The positions of every offset that some diagnostics mention.
///
/// One sweep over the text finds them all, so a thousand findings on one line of a million characters cost one pass.
pub(super) struct Positions {
    known: Vec<(u32, Position)>,
}

impl Positions {
    pub fn of(file: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let labels = diagnostics.iter().flat_map(|d| d.labels.iter().map(|l| l.span));
        let edits = diagnostics.iter().flat_map(|d| d.fixes.iter().flat_map(|f| f.edits.iter().map(|e| e.span)));
        let spans = labels.chain(edits).map(|s| snap(file, s));
        let mut offsets: Vec<u32> = spans.flat_map(|s| [s.start, s.end]).collect();
        offsets.sort_unstable();
        offsets.dedup();

        let mut known = Vec::with_capacity(offsets.len());
        // The last position found, and the offset it belongs to.
        let (mut at, mut last) = (0, Position { line: 1, column: 1 });
        for offset in offsets {
            let line = file.line_of(offset);
            let from = if line == last.line { at } else { file.line_start(line).unwrap_or(offset) };
            let base = if line == last.line { last.column } else { 1 };
            let walked = Span::new(from, offset).of(file.text()).chars().count() as u32;
            last = Position { line, column: base + walked };
            at = offset;
            known.push((offset, last));
        }
        Positions { known }
    }

    /// The position of an offset of a [snapped](snap) span.
    pub fn at(&self, offset: u32) -> Position {
        match self.known.binary_search_by_key(&offset, |k| k.0) {
            Ok(i) => self.known[i].1,
            Err(_) => Position { line: 1, column: 1 },
        }
    }
}

/// The span inside the text and on character boundaries, whatever a stage made of it.
pub(super) fn snap(file: &SourceFile, span: Span) -> Span {
    let text = file.text();
    let floor = |at: u32| text.floor_char_boundary(at as usize) as u32;
    let start = floor(span.start);
    Span::new(start, floor(span.end).max(start))
}
