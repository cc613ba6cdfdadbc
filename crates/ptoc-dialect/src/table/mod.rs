//! The instruction table: plain constant data, one entry an operation.

mod schema;
pub mod short;

pub use schema::{AttrDef, AttrTy, Arity, Dir, EnumDef, Family, Kind, OpDef, OperandDef, PipeOf, ResultDef, Targets};
