//! One function a command: arguments to driver calls, results to the terminal.

mod check;
mod compile;
mod fmt;
mod progress;
mod run;
mod tables;

pub use check::check;
pub use compile::{compile, convert, opt};
pub use fmt::fmt;
pub use run::{run, validate};
pub use tables::{explain, ops};
