//! The judge: what every tile instruction means, and a machine that executes intrinsics.
//!
//! - [`num`]: element values of every type, decoding, encoding with rounding and saturation.
//! - [`semantics`]: one tile instruction on tile values, from the definition of the instruction.
//! - [`machine`]: the memories, registers and intrinsics of one core group.
//! - [`run`]: whole programs, with pipes, flags, races and hangs.
//! - [`tolerance`]: how far a result may lie from the expected one.
//!
//! Architecture invariants:
//! - The two halves share the number formats and the address formula of a tile ([`ptoc_target::TileShape`]), nothing else:
//!   neither knows how the lowering is written, and the machine knows no tile.
//! - Whatever the input, an error is a value ([`semantics::Refusal`], [`machine::Fault`]); nothing panics.
//! - No host floating-point mode matters: results are rounded explicitly, so every machine gives the same bytes.
#![forbid(unsafe_code)]

pub mod machine;
pub mod num;
pub mod run;
pub mod semantics;
pub mod tolerance;
