//! Time to verify generated kernels.

fn main() {}
