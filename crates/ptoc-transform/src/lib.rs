//! The transformations: form conversion, addresses, clean-up.
//!
//! Architecture invariants:
//! - A transformation keeps the meaning of every legal program, or reports why it can't and gives up. Unsupported is a
//!   diagnostic with a code.
//! - Every pass is linear in the program, up to the nesting depth.
//! - Spans survive: an op made for another one has its span.
//! - This crate lowers nothing and knows no target beyond its sizes.
#![forbid(unsafe_code)]

pub mod codes;
pub mod convert;
mod structure;
