//! `ptoc run` and `ptoc validate`: a kernel on the simulated core.

mod array;
mod compare;
mod each;
mod kernel;
mod single;
mod timeline;

pub use array::{Array, Fill, Random};
pub use each::{Each, validate_each};
pub use kernel::{Argument, Level, Ran, RunOptions, run, validate};
pub use timeline::trace_json;
