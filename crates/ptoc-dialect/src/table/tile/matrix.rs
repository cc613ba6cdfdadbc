//! Cube products.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets, enums};

const ACC_PHASE: &[AttrDef] = &[attr("accPhase", AttrTy::Enum(&enums::ACC_PHASE)).or("unspecified")];

const PLAIN: &[OperandDef] = &[tile("lhs"), tile("rhs"), dest("dst")];
const PLAIN_TEXT: &str = "ins(%lhs, %rhs : T*) outs(%dst : T*) {} ?{-> R*}";

const ACC: &[OperandDef] = &[tile("acc_in"), tile("lhs"), tile("rhs"), dest("dst")];
const ACC_TEXT: &str = "ins(%acc_in, %lhs, %rhs : T*) outs(%dst : T*) {} ?{-> R*}";

const BIAS: &[OperandDef] = &[tile("a"), tile("b"), tile("bias"), dest("dst")];
const BIAS_TEXT: &str = "ins(%a, %b, %bias : T*) outs(%dst : T*) {} ?{-> R*}";

const MX: &[OperandDef] = &[tile("a"), tile("a_scale"), tile("b"), tile("b_scale"), dest("dst")];
const MX_TEXT: &str = "ins(%a, %a_scale, %b, %b_scale : T*) outs(%dst : T*) {} ?{-> R*}";

const MX_ACC: &[OperandDef] = &[tile("c_in"), tile("a"), tile("a_scale"), tile("b"), tile("b_scale"), dest("dst")];
const MX_ACC_TEXT: &str = "ins(%c_in, %a, %a_scale, %b, %b_scale : T*) outs(%dst : T*) {} ?{-> R*}";

const MX_BIAS: &[OperandDef] = &[tile("a"), tile("a_scale"), tile("b"), tile("b_scale"), tile("bias"), dest("dst")];
const MX_BIAS_TEXT: &str = "ins(%a, %a_scale, %b, %b_scale, %bias : T*) outs(%dst : T*) {} ?{-> R*}";

const fn product(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Matrix, name, summary).on(Pipe::M).attrs(ACC_PHASE)
}

/// Matrix products. The accumulator of the `acc` forms is an input; usually it is the destination too.
pub static OPS: &[OpDef] = &[
    product("pto.tmatmul", "matrix product").takes(PLAIN).text(PLAIN_TEXT),
    product("pto.tmatmul.acc", "matrix product added to an accumulator").takes(ACC).text(ACC_TEXT),
    product("pto.tmatmul.bias", "matrix product plus a bias row").takes(BIAS).text(BIAS_TEXT),
    product("pto.tmatmul.mx", "matrix product with block scales").takes(MX).text(MX_TEXT).only(Targets::A5),
    product("pto.tmatmul.mx.acc", "matrix product with block scales, added to an accumulator")
        .takes(MX_ACC)
        .text(MX_ACC_TEXT)
        .only(Targets::A5),
    product("pto.tmatmul.mx.bias", "matrix product with block scales plus a bias row")
        .takes(MX_BIAS)
        .text(MX_BIAS_TEXT)
        .only(Targets::A5),
    product("pto.tgemv", "row vector times matrix").takes(PLAIN).text(PLAIN_TEXT),
    product("pto.tgemv.acc", "row vector times matrix, added to an accumulator").takes(ACC).text(ACC_TEXT),
    product("pto.tgemv.bias", "row vector times matrix plus a bias row").takes(BIAS).text(BIAS_TEXT),
    product("pto.tgemv.mx", "row vector times matrix with block scales").takes(MX).text(MX_TEXT).only(Targets::A5),
    product("pto.tgemv.mx.acc", "row vector times matrix with block scales, added to an accumulator")
        .takes(MX_ACC)
        .text(MX_ACC_TEXT)
        .only(Targets::A5),
    product("pto.tgemv.mx.bias", "row vector times matrix with block scales plus a bias row")
        .takes(MX_BIAS)
        .text(MX_BIAS_TEXT)
        .only(Targets::A5),
];
