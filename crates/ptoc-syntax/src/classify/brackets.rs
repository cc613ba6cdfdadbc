//! Brackets: balance, depth, and what opens and closes with them.

use ptoc_source::Span;

use super::Classifier;
use super::items::parametrised;
use super::state::{Bracket, Frame, Previous, Role, Statement};
use crate::diagnostics;
use crate::lexer::{Mode, Raw, RawToken};
use crate::terminal::Terminal;
use crate::tree::ItemKind;

impl Classifier<'_> {
    /// Opens a bracket. `role` is what the caller knows about it.
    pub(super) fn open(&mut self, t: RawToken, bracket: Bracket, mut role: Role) {
        if self.frames.len() >= self.limits.max_depth as usize {
            return self.skip_too_deep();
        }
        if role == Role::Plain && bracket == Bracket::Angle && self.mode == Mode::Parts && self.last_is_type_head() {
            role = Role::TypeParameters;
        }
        let node = self.items.len() as u32;
        self.frames.push(Frame { bracket, start: t.start, node, role, indent: self.indent, outer: self.statement });
        if role == Role::Merged {
            return;
        }
        self.listing = bracket == Bracket::Region;
        if self.listing {
            self.push(t, Terminal::OpenRegion, Previous::Start);
            self.statement = Statement::NONE;
        } else if role == Role::Regions {
            self.push(t, Terminal::OpenParen, Previous::Other);
        } else {
            self.leaf(t, bracket.item(), Previous::Other);
        }
    }

    /// Whether the token before the current one is the head of a type.
    fn last_is_type_head(&self) -> bool {
        match self.last().kind {
            Raw::Bang(_) => true,
            Raw::Word => parametrised(self.text_of(self.last())) == Some(ItemKind::Type),
            _ => false,
        }
    }

    /// Closes a bracket with all that stayed open inside it.
    pub(super) fn close(&mut self, t: RawToken, bracket: Bracket) {
        if bracket == Bracket::Brace && self.repair.is_some() && self.repair_brace(t) {
            return;
        }
        let matches = |f: &Frame| f.bracket == bracket || (bracket == Bracket::Brace && f.bracket == Bracket::Region);
        // Almost always the top. A `)`, `]` or `>` never closes beyond the region it is in.
        let mut partner = None;
        for (i, f) in self.frames.iter().enumerate().rev() {
            if matches(f) {
                partner = Some(i);
                break;
            }
            if f.bracket == Bracket::Region {
                break;
            }
        }
        let Some(partner) = partner else { return self.stray(t, bracket) };
        while self.frames.len() > partner + 1 {
            let why = format!("`{}`", bracket.close());
            self.report_unclosed(Span::new(t.start, t.end), &why);
        }
        self.pop(t.start, t.end);
    }

    /// Takes the innermost frame off; its closing bracket is at `start..end`.
    pub(super) fn pop(&mut self, start: u32, end: u32) {
        let Some(frame) = self.frames.pop() else { return };
        let t = RawToken { start, end, kind: Raw::CloseBrace };
        match frame.role {
            Role::Merged => {
                if let Some(merge) = self.merge.filter(|m| m.depth == self.frames.len()) {
                    self.merge = None;
                    self.leaf(RawToken { start: merge.start, ..t }, merge.kind, Previous::Other);
                }
            }
            _ if frame.bracket == Bracket::Region => {
                self.statement = frame.outer;
                self.push(t, Terminal::CloseRegion, Previous::RegionEnd);
            }
            Role::Regions => self.push(t, Terminal::CloseParen, Previous::Other),
            Role::AfterBlock(label) => {
                self.close_node(frame.node, end);
                if start < end && self.window.kind(0) == Some(Raw::Colon) {
                    if let Some(label) = self.queue.get_mut(label as usize) {
                        label.terminal = Terminal::Label;
                    }
                    self.label_colon();
                }
            }
            Role::Plain | Role::TypeParameters => self.close_node(frame.node, end),
        }
        self.note_level();
    }

    /// Completes a group that ends at `end`.
    fn close_node(&mut self, node: u32, end: u32) {
        let inside = self.items.len() as u32 - node - 1;
        if let Some(group) = self.items.get_mut(node as usize) {
            group.span.end = self.base + end;
            group.link = inside;
        }
        self.run_end = end;
        self.previous = Previous::Other;
    }

    /// Reports the innermost frame as unclosed and closes it with no text, before `needed`.
    pub(super) fn report_unclosed(&mut self, needed: Span, why: &str) {
        let Some(frame) = self.frames.last().copied() else { return };
        let region = frame.bracket == Bracket::Region;
        self.faults.unclosed_region |= region;
        self.faults.unclosed_group |= !region;
        let at = self.span(frame.start, frame.start + 1);
        let needed = self.span(needed.start, needed.end);
        self.report(|| diagnostics::unclosed(frame.bracket.open(), frame.bracket.close(), at, needed, why));
        let end = self.last().end.max(frame.start + 1);
        self.pop(end, end);
    }

    pub(super) fn stray(&mut self, t: RawToken, bracket: Bracket) {
        let brace = bracket == Bracket::Brace;
        self.faults.stray_brace |= brace;
        self.faults.stray_group |= !brace;
        let open = self.frames.last().map(|f| (f.bracket.open(), self.span(f.start, f.start + 1)));
        let at = self.span(t.start, t.end);
        self.report(|| diagnostics::stray(bracket.close(), at, open));
    }

    /// Skips the bracket just taken with all it holds; only the first is reported.
    pub(super) fn skip_too_deep(&mut self) {
        if !std::mem::replace(&mut self.too_deep, true) {
            let bracket = self.window.current();
            let (at, limits) = (self.span(bracket.start, bracket.end), self.limits);
            self.report(|| diagnostics::too_deep(at, limits));
        }
        let mut depth = 1_u32;
        while depth > 0
            && let Some(next) = self.take()
        {
            match next.kind {
                Raw::OpenParen | Raw::OpenBracket | Raw::OpenBrace | Raw::OpenAngle => depth += 1,
                Raw::CloseParen | Raw::CloseBracket | Raw::CloseBrace | Raw::CloseAngle => depth -= 1,
                _ => {}
            }
        }
    }
}
