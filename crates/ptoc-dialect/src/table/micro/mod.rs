//! Intrinsic-level operations.

mod config;
mod cube;
mod dma;
mod fixpipe;
mod mte;
mod predicate;
mod simt;
mod ub;
mod ub_convert;
mod vector;
mod vector_memory;
mod vmi;
mod vmi_plain;

use super::OpDef;

/// The groups in the order of the documentation. Operations that both levels share stand with the tile level.
pub static GROUPS: &[&[OpDef]] = &[
    config::OPS,
    dma::OPS,
    mte::OPS,
    fixpipe::OPS,
    cube::OPS,
    predicate::OPS,
    vector::OPS,
    vector_memory::OPS,
    simt::OPS,
    vmi::OPS,
    vmi_plain::OPS,
    ub::OPS,
    ub_convert::OPS,
];
