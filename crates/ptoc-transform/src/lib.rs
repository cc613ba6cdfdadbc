//! The transformations: form conversion, addresses, clean-up.
//!
//! Architecture invariants:
//! - A transformation keeps the meaning of every legal program, or reports why it can't and gives up. Unsupported is a
//!   diagnostic with a code.
//! - Every pass is linear in the program, up to the nesting depth.
//! - Spans survive: an op made for another one has its span.
//! - This crate lowers nothing and knows no target beyond its sizes.
#![forbid(unsafe_code)]

mod addresses;
pub mod cleanup;
pub mod codes;
pub mod convert;
mod passes;
mod structure;

pub use addresses::assign_addresses;
pub use passes::{PassInfo, passes};
