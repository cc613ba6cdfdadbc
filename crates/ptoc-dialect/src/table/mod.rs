//! The instruction table: plain constant data, one entry an operation.

pub mod enums;
mod micro;
mod schema;
pub mod short;
mod tile;

pub use schema::{Arity, AttrDef, AttrTy, Dir, EnumDef, Family, Kind, OpDef, OperandDef, PipeOf, ResultDef, Targets};

/// Every operation, group by group in the order of the documentation.
pub fn all() -> impl Iterator<Item = &'static OpDef> {
    tile::GROUPS.iter().chain(micro::GROUPS).flat_map(|group| group.iter())
}

#[cfg(test)]
mod tests;
