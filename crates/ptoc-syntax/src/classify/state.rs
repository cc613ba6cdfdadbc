//! What the pass keeps about open brackets and the statement it is in.

use crate::tree::ItemKind;
use crate::vocabulary::RegionStyle;

/// Which brackets were wrong.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Faults {
    pub(super) unclosed_region: bool,
    pub(super) unclosed_group: bool,
    pub(super) stray_brace: bool,
    pub(super) stray_group: bool,
}

impl Faults {
    /// True when any was.
    pub(crate) fn any(self) -> bool {
        self.unclosed_region || self.unclosed_group || self.stray_brace || self.stray_group
    }
}

/// A bracket that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) bracket: Bracket,
    /// Byte offset of the bracket.
    pub(super) start: u32,
    /// The group's node.
    pub(super) node: u32,
    pub(super) role: Role,
    /// When repairing: white space before the line the bracket is on.
    pub(super) indent: u32,
    /// The statement that goes on after a region.
    pub(super) outer: Statement,
}

/// What a bracket is for, where that matters when it closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// It belongs to a type or attribute that becomes one token.
    Merged,
    /// `(` after `^b`, whose place in the queue this is: a label if `:` comes after the `)`. The queue is not handed out
    /// inside a group.
    AfterBlock(u32),
    /// In parts: `<` after the head of a type.
    TypeParameters,
    /// `(` of the generic form whose items are regions; a terminal, and no node yet.
    Regions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Paren,
    Square,
    Brace,
    Angle,
    Region,
}

impl Bracket {
    pub(super) const fn open(self) -> char {
        match self {
            Bracket::Paren => '(',
            Bracket::Square => '[',
            Bracket::Brace | Bracket::Region => '{',
            Bracket::Angle => '<',
        }
    }

    pub(super) const fn close(self) -> char {
        match self {
            Bracket::Paren => ')',
            Bracket::Square => ']',
            Bracket::Brace | Bracket::Region => '}',
            Bracket::Angle => '>',
        }
    }

    /// What a group with these brackets is.
    pub(super) const fn item(self) -> ItemKind {
        match self {
            Bracket::Paren => ItemKind::Paren,
            Bracket::Square => ItemKind::Bracket,
            Bracket::Brace => ItemKind::Brace,
            Bracket::Angle => ItemKind::Angle,
            Bracket::Region => ItemKind::Region,
        }
    }
}

/// The statement being read at one level of regions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statement {
    /// Its name's bytes; empty before the name.
    pub(super) name: (u32, u32),
    pub(super) quoted: bool,
    /// What the vocabulary said, once it was asked.
    pub(super) style: Option<RegionStyle>,
}

impl Statement {
    pub(super) const NONE: Statement = Statement { name: (0, 0), quoted: false, style: Some(RegionStyle::None) };
}

/// What the last terminal was, as far as the next one depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Previous {
    /// Nothing of a statement yet: the file, a region or a block begins.
    Start,
    /// `=` after results.
    DefEqual,
    /// `,`, `:`, `->` or `=`: an item follows.
    Joint,
    /// The statement's name.
    Op,
    /// The word `attributes`.
    Attributes,
    /// `}` of a region.
    RegionEnd,
    Other,
}
