//! Clean-up: folding, dead code, repeated work.

mod canonicalize;
mod cse;
mod editor;
mod fold;

pub use canonicalize::{canonicalize, dce};
pub use cse::cse;
