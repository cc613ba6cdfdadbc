//! Holds the simulator to recorded runs of the reference library.
//!
//! - [`traces`]: the intrinsics that the library issued for an instruction, run on the machine, give what the instruction
//!   means.
//!
//! Architecture invariants:
//! - Malformed data is an error with its place, never a panic.
//! - A case that does not pass is a failure unless [`exceptions`] names it with the reason.
#![forbid(unsafe_code)]

pub mod descriptor;
pub mod exceptions;
pub mod report;
pub mod traces;
