//! The instruction tables and types, and how text becomes IR and IR becomes text.
//!
//! Architecture invariants:
//! - An operation is one table entry ([`OpDef`], plain constant data). Reading, every printed form, operand and result
//!   checks, effects, pipe and documentation derive from it.
//! - The parser knows no instruction; what an operation's items mean is decided here, by the entry's format.
//! - Reading never fails: it gives a program and diagnostics.
//! - What a table can't say is a function beside it, never a special case elsewhere.
#![forbid(unsafe_code)]

pub mod asm;
pub mod codes;
pub mod effects;
pub mod registry;
pub mod resolve;
pub mod table;
pub mod types;
mod upstream;

pub use registry::{Dialects, def, kind};
pub use resolve::{ResolveOptions, Resolved, resolve};
pub use table::{Arity, AttrDef, AttrTy, Dir, EnumDef, Family, Kind, OpDef, OperandDef, PipeOf, ResultDef, Targets};

/// The program as text in its own form.
pub fn print_module(ir: &ptoc_ir::Ir) -> String {
    ptoc_ir::Printer::new(ir).print_all()
}
