//! Cube products.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets, enums};

const OVERWRITE: &[OperandDef] = &[ptr("lhs"), ptr("rhs"), ptr("dst").written(), scalar("m"), scalar("n"), scalar("k")];
const ACCUMULATE: &[OperandDef] =
    &[ptr("lhs"), ptr("rhs"), ptr("dst").updated(), scalar("m"), scalar("n"), scalar("k")];
const BIAS: &[OperandDef] =
    &[ptr("lhs"), ptr("rhs"), ptr("dst").written(), ptr("bias"), scalar("m"), scalar("n"), scalar("k")];

const UNIT_FLAG: AttrDef = attr("unit_flag_mode", AttrTy::Enum(&enums::MAD_UNIT_FLAG_MODE));
const NO_GEMV: AttrDef = attr("disable_gemv", AttrTy::Unit);
const SAT: AttrDef = attr("sat_mode", AttrTy::Enum(&enums::MAD_SAT_MODE));
const N_DIR: AttrDef = attr("n_dir", AttrTy::Unit);
// The A2/A3 form of f32 products whose k is no multiple of 8.
const K_ALIGN: AttrDef = attr("k_direction_align", AttrTy::Unit);

const PLAIN_ATTRS: &[AttrDef] =
    &[UNIT_FLAG, NO_GEMV, SAT, attr("tf32_mode", AttrTy::Enum(&enums::TF32_MODE)), N_DIR, K_ALIGN];
const MX_ATTRS: &[AttrDef] = &[UNIT_FLAG, NO_GEMV, SAT, N_DIR];

const PLAIN_TEXT: &str = "\
    %lhs, %rhs, %dst, %m, %n, %k ?{unit_flag(@unit_flag_mode:word)} ?{disable_gemv !disable_gemv} \
    ?{@sat_mode:word} ?{tf32_mode(@tf32_mode:word)} ?{n_dir !n_dir} {} : T*";
const BIAS_TEXT: &str = "\
    %lhs, %rhs, %dst, %bias, %m, %n, %k ?{unit_flag(@unit_flag_mode:word)} ?{disable_gemv !disable_gemv} \
    ?{@sat_mode:word} ?{tf32_mode(@tf32_mode:word)} ?{n_dir !n_dir} {} : T*";
const MX_TEXT: &str = "\
    %lhs, %rhs, %dst, %m, %n, %k ?{unit_flag(@unit_flag_mode:word)} ?{disable_gemv !disable_gemv} \
    ?{@sat_mode:word} ?{n_dir !n_dir} {} : T*";
const MX_BIAS_TEXT: &str = "\
    %lhs, %rhs, %dst, %bias, %m, %n, %k ?{unit_flag(@unit_flag_mode:word)} ?{disable_gemv !disable_gemv} \
    ?{@sat_mode:word} ?{n_dir !n_dir} {} : T*";

// The configuration word also says whether the product is added.
const RAW: &[OperandDef] = &[ptr("lhs"), ptr("rhs"), ptr("dst").updated(), scalar("xt")];
const RAW_TEXT: &str = "%lhs, %rhs, %dst, %xt {} : T*";
const RAW_BIAS: &[OperandDef] = &[ptr("lhs"), ptr("rhs"), ptr("dst").written(), ptr("bias"), scalar("xt")];
const RAW_BIAS_TEXT: &str = "%lhs, %rhs, %dst, %bias, %xt {} : T*";

const fn mad(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroCube, name, summary).on(Pipe::M)
}

/// Products of L0A and L0B in L0C.
pub static OPS: &[OpDef] = &[
    mad("pto.mad", "product").takes(OVERWRITE).attrs(PLAIN_ATTRS).text(PLAIN_TEXT),
    mad("pto.mad_acc", "product added to L0C").takes(ACCUMULATE).attrs(PLAIN_ATTRS).text(PLAIN_TEXT),
    mad("pto.mad_bias", "product plus the bias table").takes(BIAS).attrs(PLAIN_ATTRS).text(BIAS_TEXT),
    mad("pto.mad_mx", "product with block scales").only(Targets::A5).takes(OVERWRITE).attrs(MX_ATTRS).text(MX_TEXT),
    mad("pto.mad_mx_acc", "product with block scales, added to L0C")
        .only(Targets::A5)
        .takes(ACCUMULATE)
        .attrs(MX_ATTRS)
        .text(MX_TEXT),
    mad("pto.mad_mx_bias", "product with block scales plus the bias table")
        .only(Targets::A5)
        .takes(BIAS)
        .attrs(MX_ATTRS)
        .text(MX_BIAS_TEXT),
    // by configuration word
    mad("pto.mad_raw", "product by a configuration word").only(Targets::A5).takes(RAW).text(RAW_TEXT),
    mad("pto.mad_bias_raw", "product plus the bias table by a configuration word")
        .only(Targets::A5)
        .takes(RAW_BIAS)
        .text(RAW_BIAS_TEXT),
    mad("pto.mad_mx_raw", "product with block scales by a configuration word")
        .only(Targets::A5)
        .takes(RAW)
        .text(RAW_TEXT),
    mad("pto.mad_mx_bias_raw", "product with block scales plus the bias table by a configuration word")
        .only(Targets::A5)
        .takes(RAW_BIAS)
        .text(RAW_BIAS_TEXT),
];
