//! Blaming the right bracket when they do not match: the only place where white space counts.

use ptoc_source::Span;

use super::Classifier;
use super::state::{Bracket, Frame};
use crate::lexer::{Raw, RawToken};

impl Classifier<'_> {
    /// True when only white space or comments lie between the line start and the token.
    pub(super) fn begins_line(&self, t: RawToken) -> bool {
        self.last().end == 0
            || self.text.as_bytes().get(self.last().end as usize..t.start as usize).is_some_and(|s| s.contains(&b'\n'))
    }

    /// Closes open groups before a line that clearly begins a statement.
    pub(super) fn close_before_statement(&mut self, t: RawToken) {
        let inside_group = self.frames.last().is_some_and(|f| f.bracket != Bracket::Region);
        if !inside_group || !self.repair.is_some_and(|f| f.unclosed_group) || !self.begins_line(t) {
            return;
        }
        let next = self.window.kind(0);
        let begins = match t.kind {
            Raw::Value => {
                let mut j = 0;
                // Bounded: a longer list of results is not looked for.
                for _ in 0..8 {
                    match (self.window.kind(j), self.window.kind(j + 1)) {
                        (Some(Raw::Comma), Some(Raw::Value)) | (Some(Raw::Colon), Some(Raw::Int)) => j += 2,
                        _ => break,
                    }
                }
                self.window.kind(j) == Some(Raw::Equal)
                    && matches!(self.window.kind(j + 1), Some(Raw::Word | Raw::Dotted | Raw::Str))
            }
            Raw::Dotted => !matches!(next, Some(Raw::Equal | Raw::Comma | Raw::CloseBrace | Raw::Colon)),
            Raw::Word => {
                self.vocabulary.is_bare_op(self.text_of(t))
                    && !matches!(next, Some(Raw::Equal | Raw::Comma | Raw::OpenParen))
            }
            _ => false,
        };
        if begins && self.last().kind != Raw::Equal {
            while self.frames.last().is_some_and(|f| f.bracket != Bracket::Region) {
                self.report_unclosed(Span::new(t.start, t.end), "the next statement");
            }
        }
    }

    /// Uses indentation where a `}` begins a line and braces do not add up. True when the brace was dealt with.
    pub(super) fn repair_brace(&mut self, t: RawToken) -> bool {
        let Some(faults) = self.repair.filter(|_| self.begins_line(t)) else { return false };
        let column = self.indent;
        let is_brace = |f: &&Frame| matches!(f.bracket, Bracket::Region | Bracket::Brace);
        if faults.unclosed_region {
            loop {
                let mut braces = self.frames.iter().rev().filter(is_brace);
                let deeper = braces.next().is_some_and(|top| column < top.indent);
                if !deeper || !braces.any(|f| f.indent == column) {
                    break;
                }
                self.report_unclosed(Span::new(t.start, t.end), "this `}`, which is indented less");
            }
        }
        let top = self.frames.iter().rev().find(is_brace);
        let stray = faults.stray_brace && top.is_some_and(|f| column > f.indent);
        if stray {
            self.stray(t, Bracket::Brace);
        }
        stray
    }

    /// Notes how far the line of a token is indented, when the token begins it.
    pub(super) fn note_indentation(&mut self, t: RawToken) {
        let gap = self.text.as_bytes().get(self.last().end as usize..t.start as usize).unwrap_or(&[]);
        match gap.iter().rposition(|&b| b == b'\n') {
            Some(newline) => self.indent = (gap.len() - newline - 1) as u32,
            None if self.last().end == 0 => self.indent = t.start,
            None => {}
        }
    }
}
