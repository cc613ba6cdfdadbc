//! Text of PTO programs to a syntax tree.
//!
//! bytes → raw tokens ([logos]) → terminals (one classification pass) → tree (LALR, `grammar/pto.lalrpop`)
//!
//! Architecture invariants:
//! - This crate knows no instruction. An operation is results, a name and a loose list of items; which names begin a
//!   statement and which take regions comes in through [`Vocabulary`]. What the items mean is decided elsewhere.
//! - Parsing never fails and never panics: [`Parse`] is a tree *and* diagnostics, and one run reports many errors.
//! - Types and attributes are single items; their insides are read by [`parse_items`], once for every distinct text.
//! - Nothing recurses on the input, and everything is linear in it. Nesting is bounded by [`Limits`].
#![forbid(unsafe_code)]

mod builder;
mod classify;
mod codes;
mod diagnostics;
mod flat;
pub mod fmt;
mod grammar;
mod lexer;
mod limits;
mod parse;
mod split;
mod terminal;
mod tree;
mod vocabulary;
mod window;

pub use codes::CODES;
pub use limits::Limits;
#[doc(hidden)]
pub use parse::bench;
pub use parse::{Parse, parse, parse_items};
pub use split::{Piece, split_inputs, split_pieces};
pub use tree::{
    AliasNode, BlockId, BlockNode, BlockRange, Item, ItemKind, ItemRange, Items, OpId, OpNode, OpRange, RegionId,
    RegionNode, RegionRange, ResultNode, ResultRange, Tree,
};
pub use vocabulary::{RegionStyle, Vocabulary};
