//! Copies between global memory, UB and L1.

mod a2a3;
mod a5;
mod copy;

pub(super) use a2a3::A2A3;
pub(super) use a5::A5;
pub(super) use copy::{limited, place, store_bytes};
