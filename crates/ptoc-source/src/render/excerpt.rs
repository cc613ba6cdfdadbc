//! The part of a source text that one diagnostic shows.
//!
//! Only the first and the last line of each label is kept. A long line is cut down to the neighbourhood of its labels, so the
//! size of what is shown does not depend on the size of the input.

use crate::{SourceFile, Span};
use std::ops::Range;

/// A line up to this many characters is shown whole.
const WHOLE: usize = 140;
/// Characters kept on each side of a label in a line that is cut.
const AROUND: usize = 24;
/// A label longer than twice this keeps this many characters at each end.
const END: usize = 40;
/// Stands for what was cut out.
const CUT: &str = "…";

/// A text that has the same line numbers as the source, with every line empty that is not shown.
pub(super) struct Excerpt {
    pub text: String,
    /// The spans, in the order given, as byte ranges of `text`.
    pub spans: Vec<Range<usize>>,
}

impl Excerpt {
    /// Cuts out what `spans` need; they must lie in the text, on character boundaries.
    pub fn new(file: &SourceFile, spans: &[Span]) -> Self {
        let lines: Vec<(u32, u32)> =
            spans.iter().map(|s| (file.line_of(s.start), file.line_of(last_byte(*s)))).collect();
        let mut shown: Vec<u32> = lines.iter().flat_map(|&(a, b)| [a, b]).collect();
        shown.sort_unstable();
        shown.dedup();

        let mut text = String::new();
        let mut ranges = vec![0..0; spans.len()];
        let mut next = 1;
        for line in shown {
            text.extend(std::iter::repeat_n('\n', (line - next) as usize));
            next = line;
            let cut = Line::cut(file, line, spans);
            for (i, &(first, last)) in lines.iter().enumerate() {
                if first == line {
                    ranges[i].start = text.len() + cut.map(spans[i].start);
                }
                if last == line {
                    ranges[i].end = text.len() + cut.map(spans[i].end);
                }
            }
            text.push_str(&cut.text);
        }
        // Lets an empty span stand after the last character.
        text.push('\n');
        for r in &mut ranges {
            r.end = r.end.max(r.start);
        }
        Excerpt { text, spans: ranges }
    }
}

/// The last byte a span covers; where it stands when it is empty.
fn last_byte(span: Span) -> u32 {
    if span.is_empty() { span.start } else { span.end - 1 }
}

/// One line as shown, with where its pieces come from.
struct Line {
    text: String,
    /// Source bytes and the offset in `text` where they stand.
    pieces: Vec<(Range<u32>, usize)>,
}

impl Line {
    fn cut(file: &SourceFile, line: u32, spans: &[Span]) -> Line {
        let bytes = file.line_bytes(line);
        let source = bytes.of(file.text());
        let kept = if is_long(source) { neighbourhoods(bytes, source, spans) } else { vec![bytes] };

        let mut out = Line { text: String::new(), pieces: Vec::new() };
        let mut at = bytes.start;
        for piece in kept {
            if piece.start > at {
                out.text.push_str(CUT);
            }
            out.pieces.push((piece.start..piece.end, out.text.len()));
            out.text.extend(piece.of(file.text()).chars().flat_map(|c| std::iter::repeat_n(visible(c), width(c))));
            at = piece.end;
        }
        if at < bytes.end {
            out.text.push_str(CUT);
        }
        out
    }

    /// Where a source offset stands in the shown line.
    fn map(&self, offset: u32) -> usize {
        let piece = self.pieces.iter().rev().find(|(bytes, _)| bytes.start <= offset);
        match piece {
            Some((bytes, at)) => at + (offset.min(bytes.end) - bytes.start) as usize,
            None => 0,
        }
    }
}

fn is_long(line: &str) -> bool {
    line.len() > 4 * WHOLE || line.chars().count() > WHOLE
}

/// The pieces of a long line that are worth showing: labels, their ends when they are long, and some context.
fn neighbourhoods(bytes: Span, line: &str, spans: &[Span]) -> Vec<Span> {
    let local = |at: u32| (at.clamp(bytes.start, bytes.end) - bytes.start) as usize;
    let mut kept: Vec<Range<usize>> = Vec::new();
    for s in spans.iter().filter(|s| s.start <= bytes.end && last_byte(**s) >= bytes.start) {
        let (start, end) = (local(s.start), local(s.end));
        let (from, to) = (back(line, start, AROUND), forth(line, end, AROUND));
        let (head, tail) = (forth(line, start, END), back(line, end, END));
        if head < tail { kept.extend([from..head, tail..to]) } else { kept.push(from..to) }
    }
    kept.sort_unstable_by_key(|r| (r.start, r.end));
    let mut merged: Vec<Span> = Vec::new();
    for r in kept {
        let piece = Span::new(bytes.start + r.start as u32, bytes.start + r.end as u32);
        match merged.last_mut() {
            Some(last) if piece.start <= last.end + CUT.len() as u32 => last.end = last.end.max(piece.end),
            _ => merged.push(piece),
        }
    }
    merged
}

/// The offset `n` characters before `at`.
fn back(line: &str, at: usize, n: usize) -> usize {
    line[..at].char_indices().rev().take(n).last().map_or(at, |(i, _)| i)
}

/// The offset `n` characters after `at`.
fn forth(line: &str, at: usize, n: usize) -> usize {
    line[at..].chars().take(n).fold(at, |i, c| i + c.len_utf8())
}

/// A control or line-breaking character must neither steer a terminal nor shift a line.
pub(super) fn visible(c: char) -> char {
    if c != '\t' && breaks(c) { '?' } else { c }
}

/// How many times to write [`visible`] so that offsets stay.
fn width(c: char) -> usize {
    if breaks(c) { c.len_utf8() } else { 1 }
}

fn breaks(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(text: &str, spans: &[(u32, u32)]) -> (String, Vec<String>) {
        let file = SourceFile::new("t", text).unwrap();
        let spans: Vec<Span> = spans.iter().map(|&(a, b)| Span::new(a, b)).collect();
        let e = Excerpt::new(&file, &spans);
        let parts = e.spans.iter().map(|r| e.text[r.clone()].to_string()).collect();
        (e.text, parts)
    }

    #[test]
    fn unlabelled_lines_are_empty_and_keep_their_number() {
        let (text, parts) = excerpt("one\ntwo\nthree\nfour\n", &[(8, 13)]);
        assert_eq!(text, "\n\nthree\n");
        assert_eq!(parts, ["three"]);
    }

    #[test]
    fn a_span_over_lines_keeps_the_first_and_the_last() {
        let (text, parts) = excerpt("func {\n  a\n  b\n}\n", &[(5, 16)]);
        assert_eq!(text, "func {\n\n\n}\n");
        assert_eq!(parts, ["{\n\n\n}"]);
    }

    #[test]
    fn a_long_line_shrinks_to_its_labels() {
        let line = format!("{}é@here@é{}", "a".repeat(1000), "b".repeat(1000));
        let (text, parts) = excerpt(&line, &[(1002, 1008)]);
        assert_eq!(text, format!("…{}é@here@é{}…\n", "a".repeat(23), "b".repeat(23)));
        assert_eq!(parts, ["@here@"]);
    }

    #[test]
    fn a_long_label_keeps_both_ends() {
        let line = format!("<{}>", "x".repeat(4_000_000));
        let (text, parts) = excerpt(&line, &[(0, 4_000_002)]);
        assert_eq!(text, format!("<{}…{}>\n", "x".repeat(39), "x".repeat(39)));
        assert_eq!(parts, [text.trim_end()]);
    }

    #[test]
    fn two_labels_far_apart_on_one_line() {
        let line = format!("A{}B", "-".repeat(300));
        let (text, parts) = excerpt(&line, &[(301, 302), (0, 1)]);
        assert_eq!(text, format!("A{}…{}B\n", "-".repeat(24), "-".repeat(24)));
        assert_eq!(parts, ["B", "A"]);
    }

    #[test]
    fn escapes_and_odd_line_ends_cannot_reach_the_terminal() {
        let (text, parts) = excerpt("a\u{1b}[31m\u{2028}b\r\nc", &[(0, 10)]);
        assert_eq!(text, "a?[31m???b\n");
        assert_eq!(parts, ["a?[31m???b"[..10].to_string()]);
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        let (text, parts) = excerpt("a\n", &[(2, 2)]);
        assert_eq!((text.as_str(), parts), ("\n\n", vec![String::new()]));
    }
}
