//! Items: leaves, types and attributes, dimensions.

use super::state::{Bracket, Previous, Role};
use super::{Classifier, Merge};
use crate::lexer::{Mode, Raw, RawToken};
use crate::tree::ItemKind;

impl Classifier<'_> {
    /// One token inside a group.
    pub(super) fn group_token(&mut self, t: RawToken) {
        match t.kind {
            Raw::Word => self.word(t),
            Raw::OpenBrace => {
                // `({ ... }, { ... })` of the generic form.
                let region = self.frames.last().is_some_and(|f| f.role == Role::Regions)
                    && matches!(self.last().kind, Raw::OpenParen | Raw::Comma);
                self.open(t, if region { Bracket::Region } else { Bracket::Brace }, Role::Plain);
            }
            _ => self.common(t),
        }
    }

    /// What means the same at every level.
    pub(super) fn common(&mut self, t: RawToken) {
        use Previous::{Joint, Other};
        match t.kind {
            Raw::Value => self.leaf(t, ItemKind::Value, Other),
            Raw::Word => self.word(t),
            Raw::Dotted => self.leaf(t, ItemKind::Word, Other),
            Raw::Str | Raw::OpenStr => self.leaf(t, ItemKind::Str, Other),
            Raw::Int => self.int(t),
            Raw::Float => self.leaf(t, ItemKind::Float, Other),
            Raw::Symbol => self.leaf(t, ItemKind::Symbol, Other),
            Raw::Block => self.leaf(t, ItemKind::Block, Other),
            Raw::Bang(complete) => self.head(t, complete, ItemKind::Type, ItemKind::BangWord),
            Raw::Hash(complete) => self.head(t, complete, ItemKind::Attr, ItemKind::HashWord),
            Raw::Comma => self.leaf(t, ItemKind::Comma, Joint),
            Raw::Colon => self.leaf(t, ItemKind::Colon, Joint),
            Raw::Arrow => self.leaf(t, ItemKind::Arrow, Joint),
            Raw::Equal => self.leaf(t, ItemKind::Equal, Joint),
            Raw::Question => self.leaf(t, ItemKind::Question, Other),
            Raw::Star => self.leaf(t, ItemKind::Star, Other),
            Raw::Plus => self.leaf(t, ItemKind::Plus, Other),
            Raw::Minus => self.leaf(t, ItemKind::Minus, Other),
            Raw::Ellipsis => self.leaf(t, ItemKind::Ellipsis, Other),
            Raw::Pipe => self.leaf(t, ItemKind::Pipe, Other),
            Raw::OpenParen => self.open(t, Bracket::Paren, Role::Plain),
            Raw::OpenBracket => self.open(t, Bracket::Square, Role::Plain),
            Raw::OpenBrace => self.open(t, Bracket::Brace, Role::Plain),
            Raw::OpenAngle => self.open(t, Bracket::Angle, Role::Plain),
            Raw::CloseParen => self.close(t, Bracket::Paren),
            Raw::CloseBracket => self.close(t, Bracket::Square),
            Raw::CloseBrace => self.close(t, Bracket::Brace),
            Raw::CloseAngle => self.close(t, Bracket::Angle),
            Raw::BlockComment => {}
        }
    }

    /// A type or attribute, or in parts its head.
    pub(super) fn head(&mut self, t: RawToken, complete: bool, whole: ItemKind, part: ItemKind) {
        if self.mode == Mode::Parts {
            self.leaf(t, part, Previous::Other);
        } else if !complete && self.window.kind(0) == Some(Raw::OpenAngle) {
            self.begin_merged(t, whole);
        } else {
            self.leaf(t, whole, Previous::Other);
        }
    }

    /// Takes the `<` after a head; all up to its `>` becomes one leaf.
    pub(super) fn begin_merged(&mut self, head: RawToken, kind: ItemKind) {
        let depth = self.frames.len();
        if let Some(open) = self.take() {
            self.open(open, Bracket::Angle, Role::Merged);
        }
        if self.frames.len() > depth {
            self.merge = Some(Merge { start: head.start, kind, depth });
        }
    }

    /// A token of a type's or attribute's parameters: only brackets count.
    pub(super) fn inside_merged(&mut self, t: RawToken) {
        match t.kind {
            Raw::OpenParen => self.open(t, Bracket::Paren, Role::Merged),
            Raw::OpenBracket => self.open(t, Bracket::Square, Role::Merged),
            Raw::OpenBrace => self.open(t, Bracket::Brace, Role::Merged),
            Raw::OpenAngle => self.open(t, Bracket::Angle, Role::Merged),
            Raw::CloseParen => self.close(t, Bracket::Paren),
            Raw::CloseBracket => self.close(t, Bracket::Square),
            Raw::CloseBrace => self.close(t, Bracket::Brace),
            Raw::CloseAngle => self.close(t, Bracket::Angle),
            _ => {}
        }
    }

    pub(super) fn word(&mut self, t: RawToken) {
        let text = self.text_of(t);
        if text.starts_with('x') && t.start == self.last().end && self.after_dimension() {
            return self.dimensions(t);
        }
        if self.window.kind(0) == Some(Raw::OpenAngle)
            && self.mode == Mode::Statements
            && let Some(kind) = parametrised(text)
        {
            return self.begin_merged(t, kind);
        }
        self.leaf(t, ItemKind::Word, Previous::Other);
    }

    /// Whether the last raw token may be followed by the `x` of a dimension list.
    pub(super) fn after_dimension(&self) -> bool {
        matches!(self.last().kind, Raw::Int | Raw::Question | Raw::Star | Raw::CloseBracket)
    }

    /// Splits `x32xf16` into `x`, `32`, `x`, `f16`.
    pub(super) fn dimensions(&mut self, t: RawToken) {
        let bytes = self.text.as_bytes();
        let mut at = t.start;
        let byte = |i: u32| if i < t.end { bytes.get(i as usize).copied().unwrap_or(0) } else { 0 };
        while byte(at) == b'x' {
            self.leaf(RawToken { start: at, end: at + 1, ..t }, ItemKind::Cross, Previous::Other);
            at += 1;
            let from = at;
            while byte(at).is_ascii_digit() {
                at += 1;
            }
            if at == from {
                break;
            }
            self.leaf(RawToken { start: from, end: at, ..t }, ItemKind::Int, Previous::Other);
        }
        if at < t.end {
            self.leaf(RawToken { start: at, ..t }, ItemKind::Word, Previous::Other);
        }
    }

    /// An integer; `0x16` is a zero dimension where only dimensions can stand.
    pub(super) fn int(&mut self, t: RawToken) {
        let text = self.text_of(t);
        if text.starts_with("0x") && self.frames.last().is_some_and(|f| f.bracket == Bracket::Angle) {
            let next = self.window.peek(0).filter(|n| n.start == t.end);
            let goes_on = next.is_some_and(|n| match n.kind {
                Raw::Word => self.text_of(n).starts_with('x'),
                _ => false,
            });
            if goes_on || self.in_type_parameters() {
                self.leaf(RawToken { end: t.start + 1, ..t }, ItemKind::Int, Previous::Other);
                return self.dimensions(RawToken { start: t.start + 1, ..t });
            }
        }
        self.leaf(t, ItemKind::Int, Previous::Other);
    }

    /// Whether the innermost `<` follows the head of a type.
    pub(super) fn in_type_parameters(&self) -> bool {
        self.frames.last().is_some_and(|f| f.role == Role::TypeParameters)
    }
}

/// Builtin types and attributes that take `<...>`.
pub(super) fn parametrised(word: &str) -> Option<ItemKind> {
    Some(match word {
        "vector" | "tensor" | "memref" | "tuple" | "complex" => ItemKind::Type,
        "dense" | "array" | "strided" | "affine_map" | "affine_set" | "dense_resource" | "sparse" | "opaque"
        | "distinct" => ItemKind::Attr,
        _ => return None,
    })
}
