//! Operand lists and texts that many tile instructions share.

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, OperandDef, enums};

/// One tile in, one out.
pub const UNARY: &[OperandDef] = &[tile("src"), dest("dst")];
pub const UNARY_TEXT: &str = "ins(%src : T*) outs(%dst : T*) {}";

/// One tile and a temporary in, one tile out.
pub const UNARY_TMP: &[OperandDef] = &[tile("src"), scratch("tmp"), dest("dst")];
pub const UNARY_TMP_TEXT: &str = "ins(%src, %tmp : T*) outs(%dst : T*) {}";

/// Two tiles in, one out.
pub const BINARY: &[OperandDef] = &[tile("src0"), tile("src1"), dest("dst")];
pub const BINARY_TEXT: &str = "ins(%src0, %src1 : T*) outs(%dst : T*) {}";

/// Two tiles and a temporary in, one tile out.
pub const BINARY_TMP: &[OperandDef] = &[tile("src0"), tile("src1"), scratch("tmp"), dest("dst")];
pub const BINARY_TMP_TEXT: &str = "ins(%src0, %src1, %tmp : T*) outs(%dst : T*) {}";

/// Two tiles in, one updated.
pub const ACCUMULATE: &[OperandDef] = &[tile("src0"), tile("src1"), inout("dst")];

/// Three tiles in, one out.
pub const TERNARY: &[OperandDef] = &[tile("src0"), tile("src1"), tile("src2"), dest("dst")];
pub const TERNARY_TEXT: &str = "ins(%src0, %src1, %src2 : T*) outs(%dst : T*) {}";

/// A tile and a number in, one tile out.
pub const WITH_SCALAR: &[OperandDef] = &[tile("src"), scalar("scalar"), dest("dst")];
pub const WITH_SCALAR_TEXT: &str = "ins(%src, %scalar : T*) outs(%dst : T*) {}";

/// A tile, a number and a temporary in, one tile out.
pub const WITH_SCALAR_TMP: &[OperandDef] = &[tile("src"), scalar("scalar"), scratch("tmp"), dest("dst")];
pub const WITH_SCALAR_TMP_TEXT: &str = "ins(%src, %scalar, %tmp : T*) outs(%dst : T*) {}";

/// Two tiles with a number between them in, one tile out.
pub const SCALAR_BETWEEN: &[OperandDef] = &[tile("src0"), scalar("scalar"), tile("src1"), dest("dst")];
pub const SCALAR_BETWEEN_TEXT: &str = "ins(%src0, %scalar, %src1 : T*) outs(%dst : T*) {}";

/// Unit flag use of a drain of the accumulator.
pub const ST_PHASE: AttrDef = attr("stPhase", AttrTy::Enum(&enums::ST_PHASE)).or("unspecified");

/// Rectifier of the fix pipe.
pub const RELU: AttrDef = attr("reluPreMode", AttrTy::Enum(&enums::RELU_PRE_MODE)).or("no_relu");

/// Which vector core a move from the accumulator reaches.
pub const ACC_TO_VEC: AttrDef = attr("accToVecMode", AttrTy::Enum(&enums::ACC_TO_VEC_MODE));
