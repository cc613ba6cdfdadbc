//! Pieces to lines.

use super::FormatOptions;
use super::pieces::{Break, Piece, Pieces, Role};
use crate::tree::{BlockNode, OpNode, RegionId, Tree};
use crate::vocabulary::Vocabulary;

/// Writes the formatted text.
///
/// Regions are written by recursion, whose depth parsing has bounded.
pub(super) struct Printer<'t> {
    text: &'t str,
    tree: &'t Tree,
    vocab: &'t dyn Vocabulary,
    options: &'t FormatOptions,
    out: String,
    /// Where the last line of `out` begins.
    line: usize,
    /// Up to where the source's comments are written.
    at: u32,
}

/// A comment and how it stood.
struct Comment<'t> {
    text: &'t str,
    /// Its line begins with it.
    own_line: bool,
    /// A blank line was before it.
    blank_before: bool,
}

impl<'t> Printer<'t> {
    pub(super) fn new(text: &'t str, tree: &'t Tree, vocab: &'t dyn Vocabulary, options: &'t FormatOptions) -> Self {
        let out = String::with_capacity(text.len() + text.len() / 8);
        Printer { text, tree, vocab, options, out, line: 0, at: 0 }
    }

    /// The whole file.
    pub(super) fn file(mut self) -> String {
        let ops = self.tree.ops(self.tree.top());
        let aliases = self.tree.aliases();
        let mut alias = aliases.iter().peekable();
        let mut first = true;
        for op in ops {
            while let Some(a) = alias.next_if(|a| a.span.start < op.span.start) {
                self.between(a.span.start, 0, first);
                let pieces = Pieces::new(self.text, self.tree, self.vocab).alias(a.name, self.tree.items(a.items));
                self.pieces(&pieces, 0);
                first = false;
            }
            self.op(op, 0, first);
            first = false;
        }
        for a in alias {
            self.between(a.span.start, 0, first);
            let pieces = Pieces::new(self.text, self.tree, self.vocab).alias(a.name, self.tree.items(a.items));
            self.pieces(&pieces, 0);
            first = false;
        }
        self.comments_before_end(self.text.len() as u32, 0, first);
        if !self.out.is_empty() {
            self.newline(0);
        }
        self.out
    }

    fn op(&mut self, op: &OpNode, indent: usize, first: bool) {
        self.between(op.span.start, indent, first);
        let pieces = Pieces::new(self.text, self.tree, self.vocab).op(op);
        self.pieces(&pieces, indent);
    }

    // ---- lines and comments -----------------------------------------------------------------------------------

    fn column(&self) -> usize {
        self.out.len() - self.line
    }

    /// Ends the line, without white space at its end, and indents the next.
    fn newline(&mut self, indent: usize) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// The comments between what was written and a place in the source, and whether a blank line is before the place.
    fn comments(&mut self, to: u32) -> (Vec<Comment<'t>>, bool) {
        let mut rest = self.text.get(self.at as usize..to as usize).unwrap_or("");
        self.at = self.at.max(to);
        let mut found = Vec::new();
        let newlines = |gap: &str| gap.bytes().filter(|&b| b == b'\n').count();
        // A comment takes its line end along.
        let mut taken = 0;
        while let Some(start) = rest.find("//") {
            let gap = newlines(&rest[..start]) + taken;
            let own_line = gap > 0 || (self.out.is_empty() && found.is_empty());
            let body = &rest[start..];
            let end = body.find('\n').unwrap_or(body.len());
            found.push(Comment { text: body[..end].trim_end(), own_line, blank_before: gap > 1 });
            rest = body.get(end + 1..).unwrap_or("");
            taken = 1;
        }
        let blank = newlines(rest) + taken > 1;
        (found, blank)
    }

    /// Ends the statement before, and writes the comments before the next one, which begins at `to`.
    fn between(&mut self, to: u32, indent: usize, first: bool) {
        let (comments, blank) = self.comments(to);
        let fresh = self.write_comments(&comments, indent, first);
        if blank && !fresh {
            self.newline(0);
        }
        if !self.out.is_empty() {
            self.newline(indent);
        }
    }

    /// The comments before a closing brace or the end of the file.
    fn comments_before_end(&mut self, to: u32, indent: usize, first: bool) {
        let (comments, _) = self.comments(to);
        self.write_comments(&comments, indent, first);
    }

    /// Writes comments; true when nothing but an opening brace (or nothing at all) is before what follows.
    fn write_comments(&mut self, comments: &[Comment<'t>], indent: usize, first: bool) -> bool {
        let mut fresh = first;
        for c in comments {
            if c.own_line {
                if c.blank_before && !fresh {
                    self.newline(0);
                }
                if !self.out.is_empty() {
                    self.newline(indent);
                }
            } else {
                self.out.push(' ');
            }
            self.out.push_str(c.text);
            fresh &= !c.own_line;
        }
        fresh
    }

    // ---- statements -------------------------------------------------------------------------------------------

    /// Writes a statement's pieces; the current line is indented for it.
    fn pieces(&mut self, pieces: &[Piece<'t>], indent: usize) {
        let mut from = 0;
        while from < pieces.len() {
            // Up to and with the next region.
            let region = pieces[from..].iter().position(|p| matches!(p.role, Role::Region(_)));
            let to = region.map_or(pieces.len(), |r| from + r + 1);
            self.segment(&pieces[from..to], indent);
            if let Some(Role::Region(id)) = pieces.get(to - 1).map(|p| p.role) {
                self.region(id, indent);
            }
            from = to;
        }
    }

    /// Writes pieces on one line if they fit, else on several.
    fn segment(&mut self, pieces: &[Piece<'t>], indent: usize) {
        let width = self.options.width;
        let flat: usize = pieces.iter().map(flat_width).sum();
        let too_long = self.column() + flat > width;
        let chunks = if too_long { chunk_widths(pieces) } else { Vec::new() };
        let hanging = indent + 2 * self.options.indent;
        // Where lines go on: at the statement's level, and below the brackets that are open.
        let mut align = vec![hanging];
        let mut outs_column = hanging;
        for (i, piece) in pieces.iter().enumerate() {
            let here = align.last().copied().unwrap_or(hanging);
            let broken = self.comments_inside(piece, here);
            if !broken && too_long {
                let chunk = chunks.get(i).copied().unwrap_or(0);
                let fits = self.column() + usize::from(piece.space) + chunk <= width;
                let target = if piece.break_before == Break::Outs { outs_column } else { here };
                let breaks = match piece.break_before {
                    Break::Never => false,
                    Break::Outs => true,
                    Break::Fill => !fits && target < self.column(),
                    Break::IfItHelps => !fits && target + chunk <= width,
                };
                if breaks {
                    self.newline(target);
                }
            }
            let begins_line = self.column() == self.out[self.line..].len() - self.out[self.line..].trim_start().len();
            if piece.space && !begins_line {
                self.out.push(' ');
            }
            if piece.text == "ins" && align.len() == 1 {
                outs_column = self.column();
            }
            self.write(&piece.text);
            match piece.role {
                Role::Open => {
                    let column = self.column();
                    align.push(if column > width * 2 / 3 { hanging } else { column });
                }
                Role::Close if align.len() > 1 => {
                    align.pop();
                }
                Role::Colon => {
                    let column = self.column() + 1;
                    let at_top = align.len() == 1;
                    if let Some(a) = align.last_mut()
                        && column <= width * 2 / 3
                        && (!at_top || begins_line)
                    {
                        *a = column;
                    }
                }
                _ => {}
            }
        }
    }

    /// Writes a token, which may hold line ends.
    fn write(&mut self, text: &str) {
        let before = self.out.len();
        self.out.push_str(text);
        if let Some(newline) = text.rfind('\n') {
            self.line = before + newline + 1;
        }
    }

    /// Writes the comments before a piece; true when the piece begins a line then.
    fn comments_inside(&mut self, piece: &Piece<'t>, column: usize) -> bool {
        let gap = self.text.as_bytes().get(self.at as usize..piece.start as usize).unwrap_or(&[]);
        if !gap.contains(&b'/') {
            self.at = self.at.max(piece.end);
            return false;
        }
        let (comments, _) = self.comments(piece.start);
        self.at = self.at.max(piece.end);
        for c in &comments {
            if c.own_line {
                self.newline(column);
            } else {
                self.out.push(' ');
            }
            self.out.push_str(c.text);
        }
        if !comments.is_empty() {
            self.newline(column);
        }
        !comments.is_empty()
    }

    /// Writes what is inside a region and its `}`.
    fn region(&mut self, id: RegionId, indent: usize) {
        let node = *self.tree.region(id);
        let inner = indent + self.options.indent;
        let mut first = true;
        for block in self.tree.blocks(node.blocks) {
            self.label(block, indent, &mut first);
            for op in self.tree.ops(block.ops) {
                self.op(op, inner, first);
                first = false;
            }
        }
        self.comments_before_end(node.span.end.saturating_sub(1), inner, first);
        self.at = self.at.max(node.span.end);
        self.newline(indent);
        self.out.push('}');
    }

    fn label(&mut self, block: &BlockNode, indent: usize, first: &mut bool) {
        if block.label.is_none() {
            return;
        }
        self.between(block.label.start, indent, *first);
        let pieces = Pieces::new(self.text, self.tree, self.vocab).label(block.label, self.tree.items(block.args));
        self.pieces(&pieces, indent);
        *first = false;
    }
}

/// Columns of a piece with its space; of a region only the `{`.
fn flat_width(piece: &Piece<'_>) -> usize {
    let first_line = piece.text.split('\n').next().map_or(0, str::len);
    first_line + usize::from(piece.space)
}

/// How weak a break is: outside of brackets the parts of a statement come before the elements of a list.
fn level(piece: &Piece<'_>) -> usize {
    match piece.depth {
        0 => usize::from(piece.break_before == Break::Fill),
        depth => depth + 1,
    }
}

/// For each piece the columns from it (without its space) to the next possible break that is not weaker.
fn chunk_widths(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut widths = vec![0; pieces.len()];
    // Columns from here to the end; and for the breaks seen so far, innermost last, their level and columns to the end.
    let mut to_end = 0;
    let mut breaks: Vec<(usize, usize)> = Vec::new();
    for (width, piece) in widths.iter_mut().zip(pieces).rev() {
        to_end += flat_width(piece);
        if piece.break_before == Break::Never {
            continue;
        }
        let level = level(piece);
        while breaks.pop_if(|(weaker, _)| *weaker > level).is_some() {}
        let next = breaks.last().map_or(0, |&(_, columns)| columns);
        *width = to_end - next - usize::from(piece.space);
        breaks.push((level, to_end));
    }
    widths
}
