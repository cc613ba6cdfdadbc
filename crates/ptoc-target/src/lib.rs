//! The machines as data: element types, memories with their capacities, layouts, pipes and events.
//!
//! Architecture invariants:
//! - This crate depends on nothing and knows no instruction; it is the vocabulary every later stage shares.
//! - A target is a value ([`Target`]), never an `if`: a third target is another constant.
//! - Sizes carry their unit in the type: [`Bytes`], [`Elems`], [`Blocks`].
#![forbid(unsafe_code)]

mod dtype;
mod layout;
mod memory;
mod pipe;
mod target;
mod units;

pub use dtype::{DType, DTypeClass};
pub use layout::{BLayout, Compact, InnerBox, Layout, PadValue, SLayout, TileShape};
pub use memory::{Loc, Memory};
pub use pipe::{EVENT_IDS, Pipe};
pub use target::{Arch, Capacities, Target};
pub use units::{BLOCK_BYTES, Blocks, Bytes, Elems, REPEAT_BYTES, VECTOR_SCRATCH};
