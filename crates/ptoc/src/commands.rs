//! One function a command: arguments to driver calls, results to the terminal.

mod fmt;
mod tables;

pub use fmt::fmt;
pub use tables::{explain, ops};
