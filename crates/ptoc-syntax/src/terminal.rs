//! The tokens the grammar sees.

use crate::tree::ItemRange;

/// What a token is to the grammar, after classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terminal {
    /// Items with balanced brackets; taken together because most of a statement is.
    Items(ItemRange),
    /// A result being defined, with its pack size.
    Def(u32),
    /// The comma between two results.
    DefComma,
    /// The `=` after the results.
    DefEqual,
    /// A name that begins a statement.
    Op,
    /// A quoted name that begins a statement.
    Quoted,
    /// A block label.
    Label,
    /// The colon after a label and its arguments.
    LabelColon,
    /// An alias being defined.
    Alias,
    /// The `=` after it.
    AliasEqual,
    /// `(` of a group that holds regions.
    OpenParen,
    /// `)` of a group that holds regions.
    CloseParen,
    /// `{` of a region.
    OpenRegion,
    /// `}` of a region.
    CloseRegion,
}

/// A terminal with its place, in bytes of the parsed text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) terminal: Terminal,
}
