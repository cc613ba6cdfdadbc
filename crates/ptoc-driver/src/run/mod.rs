//! `ptoc run` and `ptoc validate`: a kernel on the simulated core.

mod array;
mod compare;
mod kernel;
mod timeline;

pub use array::{Array, Fill, Random};
pub use kernel::{Argument, Level, Ran, RunOptions, run, validate};
pub use timeline::trace_json;
