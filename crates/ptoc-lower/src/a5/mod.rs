//! Lowering to A5: vector code in `pto.vecscope`, structured transfers, cube and fix pipe.

mod choose;
mod columns;
mod convert;
mod cube;
mod dma;
mod elementwise;
mod expand;
mod fillpad;
mod fixpipe;
mod fused;
mod insert;
mod irregular;
mod reduce;
mod vec;

use crate::LowerFn;

/// The lowerings, family by family: full instruction name and function.
pub(crate) const FAMILIES: &[&[(&str, LowerFn)]] = &[
    elementwise::OPS,
    fused::OPS,
    reduce::OPS,
    expand::OPS,
    columns::OPS,
    choose::OPS,
    irregular::OPS,
    fillpad::OPS,
    insert::OPS,
    dma::OPS,
    cube::OPS,
    convert::OPS,
];
