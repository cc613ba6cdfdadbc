//! Holds ptoc and its simulator to recorded runs of the reference library, and to programs with a known verdict.
//!
//! - [`golden`]: recorded values before and after an instruction are what the instruction means.
//! - [`traces`]: the intrinsics that the library issued for an instruction, run on the machine, give what the instruction
//!   means.
//! - [`cases`]: what the compiler says about a program is the verdict in its first lines.
//!
//! Architecture invariants:
//! - Malformed data is an error with its place, never a panic.
//! - A case that does not pass is a failure unless [`exceptions`] names it with the reason.
#![forbid(unsafe_code)]

pub mod cases;
pub mod compare;
pub mod descriptor;
pub mod exceptions;
pub mod files;
pub mod golden;
pub mod recorded;
pub mod report;
pub use ptoc_sim::tolerance;
pub mod traces;
