//! The intermediate representation: operations in blocks in regions, values, interned types and attributes.
//!
//! Architecture invariants:
//! - This crate knows no dialect. An operation's kind is a dense integer into a [`Registry`] that someone else fills; a
//!   dialect type is a [`DialectType`] object that prints and compares itself.
//! - Handles are 32-bit ([`OpId`], [`ValueId`], [`BlockId`], [`RegionId`], [`TypeId`], [`AttrId`], [`Sym`]). Equal type
//!   handles mean equal types, and so for attributes and strings.
//! - Every op keeps the [`Span`](ptoc_source::Span) of the source it came from, through every pass.
//! - Printing then parsing gives an identical module. Attributes nobody knows are kept.
//! - Nothing recurses over nested regions without a depth that the parser has capped ([`MAX_REGION_DEPTH`]).
#![forbid(unsafe_code)]

mod attrs;
mod builder;
mod context;
mod dominance;
mod entity;
mod ir;
mod pass;
mod print;
mod registry;
mod strings;
mod types;
mod uses;
mod walk;

pub use attrs::AttrData;
pub use builder::{Builder, OpBuilder};
pub use context::{Context, builtin};
pub use dominance::Dominance;
pub use entity::{AttrId, BlockId, OpId, OpKind, RegionId, Sym, TypeId, ValueId};
pub use ir::{BlockData, Form, Ir, NamedAttr, OpData, RegionData, Successor, ValueData, ValueDef};
pub use pass::{Pass, PassError, PassManager, PassReport, PassTiming};
pub use print::{Printer, TextBounds, print_generic, type_to_string};
pub use registry::{OpInfo, PrintFn, Properties, Registry, Traits};
pub use types::{DialectType, FloatKind, Signedness, TypeData, dyn_eq, dyn_hash};
pub use uses::{Use, Uses};
pub use walk::{Walk, walk};

/// Deepest nesting of regions that a parser may build; passes may recurse that deep.
pub const MAX_REGION_DEPTH: u32 = 200;
