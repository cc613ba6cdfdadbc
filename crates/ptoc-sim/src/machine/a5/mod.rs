//! The vector unit of A5: registers of 256 bytes, predicates of 256 bits, and the ways between registers and UB.
//!
//! A lane of `k` bytes looks at predicate bit `k * i` and at no other; an intrinsic that makes a predicate writes those bits
//! only. Lanes that are switched off become 0, or stay under `MODE_MERGING`. What the sources leave open is stated in
//! `docs/machine.md`.

mod arith;
mod bits;
mod compare;
mod convert;
mod gather;
mod load;
mod moves;
mod permute;
mod predicate;
mod reduce;
mod regs;
mod sort;
mod store;
mod unaligned;
mod wide;

pub use unaligned::Align;

use super::{Handler, Intrinsic};
use ptoc_target::Pipe;

/// The tables of all families.
pub(super) const TABLES: &[&[Intrinsic]] = &[
    arith::ARITH,
    bits::BITS,
    compare::COMPARE,
    convert::CONVERT,
    gather::GATHER,
    load::LOAD,
    moves::MOVES,
    permute::PERMUTE,
    predicate::PREDICATE,
    reduce::REDUCE,
    sort::SORT,
    store::STORE,
    unaligned::UNALIGNED,
    wide::WIDE,
];

/// An intrinsic of the vector pipe.
const fn vector(name: &'static str, run: Handler) -> Intrinsic {
    Intrinsic { name, pipe: Pipe::V, run }
}

#[cfg(test)]
mod tests;
