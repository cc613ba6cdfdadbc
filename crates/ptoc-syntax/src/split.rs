//! Several inputs in one file.

use std::ops::Range;

/// A part of a file that is an input of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'t> {
    /// Its bytes; separator lines are left out.
    pub range: Range<usize>,
    /// The file name behind `//---`, if one began the piece.
    pub name: Option<&'t str>,
}

/// Cuts a file at its `//--- name` lines.
///
/// What lies before the first such line is no input (run lines and comments) unless there is no such line at all:
/// then the whole file is the one piece.
pub fn split_inputs(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (start, line) in lines(text) {
        if let Some(name) = line.trim_end().strip_prefix("//--- ") {
            if let Some((from, name)) = open {
                pieces.push(Piece { range: from..start, name: Some(name) });
            }
            open = Some((start + line.len(), name.trim()));
        }
    }
    match open {
        Some((from, name)) => pieces.push(Piece { range: from..text.len(), name: Some(name) }),
        None => pieces.push(Piece { range: 0..text.len(), name: None }),
    }
    pieces
}

/// Cuts a file at its `// -----` lines, for `--split-input-file`. There is always at least one piece.
pub fn split_pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, line) in lines(text) {
        if line.trim_end() == "// -----" {
            pieces.push(Piece { range: from..start, name: None });
            from = start + line.len();
        }
    }
    pieces.push(Piece { range: from..text.len(), name: None });
    pieces
}

/// The lines with their offsets and line ends.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_inputs_leave_out_what_is_before_the_first() {
        let text = "// RUN: x\n//--- a.pto\nmodule {}\n//--- b.pto  \r\nmodule {\n}\n";
        let got: Vec<_> = split_inputs(text).iter().map(|p| (p.name.unwrap(), &text[p.range.clone()])).collect();
        assert_eq!(got, [("a.pto", "module {}\n"), ("b.pto", "module {\n}\n")]);
    }

    #[test]
    fn a_plain_file_is_one_input() {
        assert_eq!(split_inputs("module {}\n// ----- x\n"), [Piece { range: 0..21, name: None }]);
        assert_eq!(split_inputs(""), [Piece { range: 0..0, name: None }]);
    }

    #[test]
    fn pieces_end_at_dashed_lines_only() {
        let text = "a\n// -----\nb\n// ------\n  // -----\n// -----";
        let got: Vec<_> = split_pieces(text).iter().map(|p| &text[p.range.clone()]).collect();
        assert_eq!(got, ["a\n", "b\n// ------\n  // -----\n", ""]);
    }
}
