//! The instruction tables, types and text forms of the PTO dialects.
#![forbid(unsafe_code)]

pub mod table;

pub use table::OpDef;
