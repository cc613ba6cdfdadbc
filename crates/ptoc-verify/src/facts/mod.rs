//! What is known about types and values at compile time.

mod types;
mod values;

pub(crate) use types::{TypeClass, TypeFacts, Types};
pub(crate) use values::Values;
