//! The command line of ptoc: argument parsing and nothing else.
#![forbid(unsafe_code)]

fn main() {}
