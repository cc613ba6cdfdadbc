//! A2/A3: vector code as `pto.ub.*` with repeats, strides and masks; DMA, cube and fix pipe.
//!
//! Every lowering leaves the mask in norm mode with all lanes on, and waits inside itself where its own instructions depend
//! on each other. What one instruction has to wait for of another is the business of synchronisation, not of lowering.

mod area;
mod bitwise;
mod choose;
mod columns;
mod convert;
mod cube;
mod elementwise;
mod fillpad;
mod fixpipe;
mod gm;
mod irregular;
mod l1;
mod map;
mod reduce;
mod row_expand;
mod transpose;
mod vector;
mod window;

use crate::LowerFn;

/// The lowerings, family by family: full instruction name and function.
pub(crate) const FAMILIES: &[&[(&str, LowerFn)]] = &[
    elementwise::TABLE,
    reduce::TABLE,
    row_expand::TABLE,
    convert::TABLE,
    bitwise::TABLE,
    columns::TABLE,
    choose::TABLE,
    transpose::TABLE,
    irregular::TABLE,
    window::TABLE,
    fillpad::TABLE,
    gm::TABLE,
    fixpipe::TABLE,
    cube::TABLE,
];
