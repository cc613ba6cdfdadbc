//! From tile instructions to the intrinsics of a target, in place.
//!
//! [`lower`] takes a program in DPS form whose tiles have addresses. Tiles become typed pointers, global views become a
//! pointer with shape and strides, and every tile instruction becomes a sequence of intrinsic ops.
//!
//! Architecture invariants:
//! - What is not supported is a diagnostic with a code of [`CODES`]; no tile value is left behind silently.
//! - Sizes are [`Sc`]: numbers fold, run-time values become `arith` ops. A lowering is written once for both.
//! - A target is a table of functions, one for each instruction ([`a5`], [`a2a3`]); nothing else asks which target it is.
//! - Legality is the verifier's business. A lowering only refuses what it can't do, and never panics.
#![forbid(unsafe_code)]

pub mod a2a3;
pub mod a5;
mod call;
mod codes;
mod driver;
mod em;
mod env;
mod flow;
mod gm;
mod pad;
mod sc;
mod sequence;
mod signal;
mod storage;
mod sync;
mod tile;

pub use call::{Call, LowerFn, Res};
pub use codes::CODES;
pub use driver::{foreign, has_lowering, lower};
pub use em::{Em, OpBuild};
pub use gm::{Gm, GmLayout};
pub use sc::{Cond, Field, Sc, field};
pub use tile::{Base, Tile};
