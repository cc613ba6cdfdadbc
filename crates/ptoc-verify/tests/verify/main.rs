//! What the verifier accepts and rejects, through its public interface.

mod invalid;
mod kernels;
mod seeds;
mod structure;
