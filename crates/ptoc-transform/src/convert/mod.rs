//! Conversion between the text forms.
//!
//! A tile is a value (`!pto.tile`) in the SSA and sync forms, and a buffer (`!pto.tile_buf`) in the DPS form. The forms may be
//! mixed: a buffer is memory, a value never changes, and an instruction in a value form may read both.
//!
//! - A result without `into` is a new tile. With `into %old` it takes over the storage of `%old`, whose content is gone: outside
//!   of what the instruction writes, the result holds what `%old` held.
//! - A product added to an accumulator takes over the storage of the accumulator, with or without `into`.
//! - A tile passed as a temporary is gone too.
//! - A function argument that is written with `into` is an output of the function: what its storage holds at the end is what the
//!   caller gets. Where an older value of that storage is still read, the older one is copied, never the output.
//! - A tile from `pto.alloc_tile` holds nothing in particular.
//! - A function keeps its tiles at one place: what a call returned is there until the next call, and is copied where it is used
//!   later. The tiles of a called function stay buffers on the way from DPS to SSA.
//!
//! DPS to SSA to DPS gives the same program up to value names, and so does SSA to DPS to SSA for programs in which loops and
//! branches carry exactly the tiles that are written below them, in the order of their definition.
//!
//! To SSA: `buffers` decides which buffers become values, `overlap` which of them share bytes, `fresh` drops allocations that
//! say nothing. To DPS: `storage` finds values that share storage (`steps`, `classes`) and has it checked (`holders`,
//! `cells`), `plan` decides what is made, `rewrite` does it (`moves`, `saved`). Both follow storage through the program
//! with `flow`, and know of other functions by `calls` and `params`.

mod buffers;
mod calls;
mod cells;
mod classes;
mod extents;
mod flow;
mod fresh;
mod holders;
mod moves;
mod overlap;
mod params;
mod place;
mod plan;
mod rewrite;
mod saved;
mod signature;
mod steps;
mod storage;
mod temporaries;
mod to_dps;
mod to_ssa;
mod to_sync;
mod valid;

pub(crate) use extents::constant;
pub(crate) use temporaries::spreads_column;
pub use to_dps::to_dps;
pub use to_ssa::to_ssa;
pub use to_sync::to_sync;

/// Marks an `scf.if` whose empty `else` was there before tiles were handed through it.
const EMPTY_ELSE: &str = "pto.empty_else";
