//! The tokens the grammar sees.

/// What a token is to the grammar, after classification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terminal {
    /// Items of one token each; taken together because most of a statement is.
    Leaves(Run),
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
    /// `(`
    OpenParen,
    /// `)`
    CloseParen,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `{` of a dictionary.
    OpenBrace,
    /// `}` of a dictionary.
    CloseBrace,
    /// `<` that belongs to no type.
    OpenAngle,
    /// `>` that belongs to no type.
    CloseAngle,
    /// `{` of a region.
    OpenRegion,
    /// `}` of a region.
    CloseRegion,
}

/// Neighbouring leaves, as indices into the list that the classification made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// A terminal with its place, in bytes of the parsed text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) terminal: Terminal,
}
