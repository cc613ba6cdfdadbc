//! Tile-level operations.

mod comm;
mod cross_core;
mod elementwise;
mod irregular;
mod layout;
mod matrix;
mod memory;
mod reduce_expand;
mod scalar;
mod shapes;
mod structure;
mod sync;
mod system;
mod tile_scalar;
mod view;

use super::OpDef;

/// The groups in the order of the documentation.
pub static GROUPS: &[&[OpDef]] = &[
    elementwise::OPS,
    tile_scalar::OPS,
    reduce_expand::OPS,
    memory::OPS,
    layout::OPS,
    matrix::OPS,
    irregular::OPS,
    view::OPS,
    scalar::OPS,
    sync::OPS,
    cross_core::OPS,
    comm::OPS,
    structure::OPS,
    system::OPS,
];
