//! Where statements are listed: names, results, labels, aliases and regions.

use super::Classifier;
use super::state::{Bracket, Previous, Role, Statement};
use crate::diagnostics;
use crate::lexer::{Raw, RawToken};
use crate::terminal::Terminal;
use crate::tree::ItemKind;
use crate::vocabulary::RegionStyle;

impl Classifier<'_> {
    /// One token where statements are listed.
    pub(super) fn statement_token(&mut self, t: RawToken) {
        let joined = self.previous == Previous::Joint && !self.breaks_off(t);
        match t.kind {
            Raw::Value if self.window.position() > self.no_definition_before && !joined && self.definition(t) => {}
            Raw::Dotted if !joined => self.name(t, false),
            Raw::Word if !joined && self.begins_statement(t) => self.name(t, false),
            Raw::Word => {
                let is_attributes = self.text_of(t) == "attributes";
                self.word(t);
                if is_attributes {
                    self.previous = Previous::Attributes;
                }
            }
            Raw::Str
                if self.previous == Previous::DefEqual || (!joined && self.window.kind(0) == Some(Raw::OpenParen)) =>
            {
                self.name(t, true)
            }
            Raw::Block => self.block(t),
            Raw::Bang(false) | Raw::Hash(false)
                if self.window.kind(0) == Some(Raw::Equal) && self.alias_may_begin(t) =>
            {
                self.push(t, Terminal::Alias, Previous::Other);
                if let Some(equal) = self.take() {
                    self.push(equal, Terminal::AliasEqual, Previous::Joint);
                }
                self.statement = Statement { name: (t.start, t.end), ..Statement::NONE };
            }
            Raw::OpenBrace => {
                let bracket = if self.region_begins() { Bracket::Region } else { Bracket::Brace };
                self.open(t, bracket, Role::Plain);
            }
            Raw::OpenParen if self.statement.quoted && self.window.kind(0) == Some(Raw::OpenBrace) => {
                self.open(t, Bracket::Paren, Role::Regions);
            }
            _ => self.common(t),
        }
    }

    /// Reads `%a(:N)?(, %b(:N)?)* =` if that is what begins here.
    pub(super) fn definition(&mut self, first: RawToken) -> bool {
        // `scf.for %i = ...` defines nothing.
        if self.previous == Previous::Op && self.style() == RegionStyle::Region {
            return false;
        }
        if let Err(tokens) = list_before_equal(self.window.ahead()) {
            self.no_definition_before = self.window.position() + tokens;
            return false;
        }
        self.report_broken_off(first);
        self.result(first);
        while let Some(t) = self.take() {
            match t.kind {
                Raw::Comma => self.push(t, Terminal::DefComma, Previous::Other),
                Raw::Value => self.result(t),
                _ => {
                    self.push(t, Terminal::DefEqual, Previous::DefEqual);
                    break;
                }
            }
        }
        self.statement = Statement::NONE;
        true
    }

    /// One defined result; a pack size after it is taken along.
    pub(super) fn result(&mut self, t: RawToken) {
        let mut count = 1;
        if self.window.kind(0) == Some(Raw::Colon) && self.window.kind(1) == Some(Raw::Int) {
            self.take();
            let number = self.take().unwrap_or(t);
            match self.text_of(number).parse::<u32>() {
                Ok(n) if n > 0 => count = n,
                _ => {
                    let at = self.span(number.start, number.end);
                    self.report(|| diagnostics::bad_result(at, "a pack of results needs a size of at least 1"));
                }
            }
        }
        if is_part_of_pack(self.text_of(t)) {
            let at = self.span(t.start, t.end);
            self.report(|| diagnostics::bad_result(at, "one value of a pack cannot be defined"));
        }
        self.push(t, Terminal::Def(count), Previous::Other);
    }

    pub(super) fn name(&mut self, t: RawToken, quoted: bool) {
        self.report_broken_off(t);
        self.statement = Statement { name: (t.start, t.end), quoted, style: None };
        self.push(t, if quoted { Terminal::Quoted } else { Terminal::Op }, Previous::Op);
    }

    /// Whether a word without a dot is the name of a statement.
    pub(super) fn begins_statement(&mut self, t: RawToken) -> bool {
        match self.previous {
            Previous::Start | Previous::DefEqual => true,
            _ => {
                !matches!(self.window.kind(0), Some(Raw::Equal | Raw::OpenParen))
                    && self.vocabulary.is_bare_op(self.text_of(t))
            }
        }
    }

    /// Whether a name or definition begins a line right after `,`, `:`, `->` or `=`: no item reads like that, so the statement
    /// before it broke off.
    pub(super) fn breaks_off(&mut self, t: RawToken) -> bool {
        match t.kind {
            Raw::Value | Raw::Dotted => self.begins_line(t),
            Raw::Word => self.begins_line(t) && self.begins_statement(t),
            _ => false,
        }
    }

    /// Reports `,`, `:`, `->` or `=` without an item before the statement that begins with `t`.
    fn report_broken_off(&mut self, t: RawToken) {
        // The builder reports an alias without a definition.
        let after_alias = self.run as usize == self.items.len()
            && self.queue.last().is_some_and(|t| t.terminal == Terminal::AliasEqual);
        let inside = self.statement.name != Statement::NONE.name;
        if inside && self.previous == Previous::Joint && !after_alias {
            let at = self.span(self.last().start, self.last().end);
            let (joint, next, found) = (self.text_of(self.last()), self.span(t.start, t.end), self.text_of(t));
            self.report(|| diagnostics::broken_off(joint, at, next, found));
        }
    }

    /// The region style of the current statement.
    pub(super) fn style(&mut self) -> RegionStyle {
        if let Some(style) = self.statement.style {
            return style;
        }
        let (start, end) = self.statement.name;
        let style = match self.text.get(start as usize..end as usize) {
            Some(name) if !self.statement.quoted => self.vocabulary.region_op(name),
            _ => RegionStyle::None,
        };
        self.statement.style = Some(style);
        style
    }

    /// Whether the `{` just read begins a region.
    pub(super) fn region_begins(&mut self) -> bool {
        if matches!(self.previous, Previous::Attributes | Previous::RegionEnd | Previous::Joint) {
            return false;
        }
        let key = matches!(self.window.kind(0), Some(Raw::Word | Raw::Dotted | Raw::Str));
        let reads_as_dictionary = key && self.window.kind(1) == Some(Raw::Equal);
        !reads_as_dictionary && self.style() == RegionStyle::Region
    }

    pub(super) fn block(&mut self, t: RawToken) {
        match self.window.kind(0) {
            Some(Raw::Colon) => {
                self.push(t, Terminal::Label, Previous::Other);
                self.label_colon();
            }
            // A label or a use, as the token after the `)` will tell; a run of its own for now.
            Some(Raw::OpenParen) => {
                self.flush();
                let label = self.queue.len() as u32;
                self.leaf(t, ItemKind::Block, Previous::Other);
                self.flush();
                if let Some(paren) = self.take() {
                    self.open(paren, Bracket::Paren, Role::AfterBlock(label));
                }
            }
            _ => self.leaf(t, ItemKind::Block, Previous::Other),
        }
    }

    /// The colon after a label; a block begins.
    pub(super) fn label_colon(&mut self) {
        if let Some(colon) = self.take() {
            self.push(colon, Terminal::LabelColon, Previous::Start);
        }
        self.statement = Statement::NONE;
    }

    /// `!a =` defines an alias at the top of the file where no statement is going on, or on a new line.
    pub(super) fn alias_may_begin(&mut self, t: RawToken) -> bool {
        self.frames.is_empty()
            && self.previous != Previous::Joint
            && (self.previous == Previous::Start || self.begins_line(t))
    }
}

/// Whether a value's name ends in `#N`.
fn is_part_of_pack(name: &str) -> bool {
    name.bytes().rev().find(|b| !b.is_ascii_digit()) == Some(b'#')
}

/// Whether a name goes on as `(:N)?(, %b(:N)?)* =`. If not, how many tokens do go on like that.
fn list_before_equal(mut tokens: impl Iterator<Item = Raw>) -> Result<(), usize> {
    let mut read = 0;
    loop {
        let mut next = tokens.next();
        if next == Some(Raw::Colon) {
            if tokens.next() != Some(Raw::Int) {
                return Err(read);
            }
            read += 2;
            next = tokens.next();
        }
        match next {
            Some(Raw::Equal) => return Ok(()),
            Some(Raw::Comma) if tokens.next() == Some(Raw::Value) => read += 2,
            _ => return Err(read),
        }
    }
}
