//! What every operation must be, whatever it means: operands, results, attributes, regions, terminators, names.

mod arith;
mod calls;
mod control;
mod operands;
mod scopes;
mod symbols;

pub(crate) use arith::Arith;
pub(crate) use calls::{Call, circles};
pub(crate) use control::{after_regions, dead_code, upstream_op};
pub(crate) use operands::table_op;
pub(crate) use scopes::{Scopes, dominance};
pub(crate) use symbols::Symbols;
