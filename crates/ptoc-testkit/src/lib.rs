//! Generated programs for benches and property tests.
//!
//! Architecture invariants:
//! - Nothing but tests and benches depends on this crate, and it depends on no other crate: it writes text.
//! - The same arguments give the same text on every machine.
#![forbid(unsafe_code)]

mod kernels;
mod rng;

pub use kernels::{Style, kernels};
pub use rng::Rng;
