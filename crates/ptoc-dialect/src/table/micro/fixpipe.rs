//! Stores from the accumulator.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets, enums};

const FROM: OperandDef = ptr("source");
const TO: OperandDef = ptr("destination").written();

const WORDS: &[OperandDef] = &[FROM, TO, scalar("config0"), scalar("config1")];
const WORDS_TEXT: &str = "%source, %destination, %config0, %config1 {} : T*";

// Clauses stand in this order; each that is left out keeps its register at rest.
const MODE: AttrDef = attr("mode", AttrTy::Enum(&enums::ACC_STORE_MODE));
const UNIT_FLAG: AttrDef = attr("unit_flag", AttrTy::Enum(&enums::UNIT_FLAG_CTRL));
const PRE_QUANT: AttrDef = attr("pre_quant_mode", AttrTy::Enum(&enums::QUANT_PRE_MODE));
const PRE_RELU: AttrDef = attr("pre_relu_mode", AttrTy::Enum(&enums::RELU_PRE_MODE));
const ATOMIC_TYPE: AttrDef = attr("atomic_type", AttrTy::Enum(&enums::ACC_STORE_ATOMIC_TYPE));
const ATOMIC_OP: AttrDef = attr("atomic_op", AttrTy::Enum(&enums::ACC_STORE_ATOMIC_OP));
const SAT: AttrDef = attr("sat_mode", AttrTy::Enum(&enums::ACC_STORE_SAT_MODE));

/// The transfer, and what becomes of the values on the way.
const HEAD: [OperandDef; 9] = [
    FROM,
    TO,
    scalar("m"),
    scalar("n"),
    scalar("src_stride"),
    scalar("dst_stride"),
    any("pre_quant").opt(),
    any("pre_relu").opt(),
    scalar("clip_value").opt(),
];
/// How the fractals are laid out at the destination.
const LAYOUT: [OperandDef; 5] = [
    scalar("split").opt(),
    scalar("loop0_src_stride").opt(),
    scalar("loop3_count").opt(),
    scalar("loop3_src_stride").opt(),
    scalar("loop3_dst_stride").opt(),
];
const TO_GM: [OperandDef; 16] = join(join::<9, 2, 11>(HEAD, [scalar("sid"), scalar("l2_cache_ctrl")]), LAYOUT);
const TO_L1: [OperandDef; 14] = join(HEAD, LAYOUT);
const TO_UB: [OperandDef; 15] = join(join::<9, 1, 10>(HEAD, [scalar("sub_blockid").opt()]), LAYOUT);

/// The clauses that all three have behind their operands.
macro_rules! clauses {
    () => {
        " ?{, unit_flag(@unit_flag:word)} \
         ?{, pre_quant(%pre_quant, mode = @pre_quant_mode:word)} \
         ?{, pre_relu(?{%pre_relu,} mode = @pre_relu_mode:word ?{, clip = %clip_value})} \
         ?{, nz2nd @mode=nz2nd} ?{, nz2dn ?{(%loop0_src_stride)} @mode=nz2dn} ?{, nz2nz ?{(%split)} @mode=nz2nz} \
         ?{, loop3(%loop3_count, %loop3_src_stride, %loop3_dst_stride)} \
         ?{, sat(preserve_nan) @sat_mode=sat_preserve_nan} ?{, sat @sat_mode=sat} ?{, nosat @sat_mode=nosat}"
    };
}

/// What is already there and what comes are joined.
macro_rules! atomic {
    () => {
        " ?{, atomic(type = @atomic_type:word, op = @atomic_op:word)} {} : T*"
    };
}

const GM_TEXT: &str =
    concat!("%source, %destination, %m, %n, %src_stride, %dst_stride, %sid, %l2_cache_ctrl", clauses!(), atomic!());
const L1_TEXT: &str = concat!("%source, %destination, %m, %n, %src_stride, %dst_stride", clauses!(), atomic!());
const UB_TEXT: &str = concat!(
    "%source, %destination, %m, %n, %src_stride, %dst_stride, dst_mode(?{%sub_blockid @dst_mode=single} \
     ?{split_m @dst_mode=split_m} ?{split_n @dst_mode=split_n})",
    clauses!(),
    " {} : T*"
);

const fn store(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::MicroDma, name, summary).on(Pipe::Fix)
}

/// Stores from L0C.
pub static OPS: &[OpDef] = &[
    store("pto.copy_matrix_cc_to_gm", "L0C to global memory, by configuration words")
        .takes(&[FROM, TO, scalar("xm"), scalar("xt")])
        .text("%source, %destination, %xm, %xt {} : T*"),
    store("pto.copy_matrix_cc_to_cbuf", "L0C to L1, by configuration words").takes(WORDS).text(WORDS_TEXT),
    store("pto.copy_matrix_cc_to_ub", "L0C to UB, by configuration words").takes(WORDS).text(WORDS_TEXT),
    store("pto.mte_l0c_gm", "L0C to global memory")
        .only(Targets::A5)
        .takes(&TO_GM)
        .attrs(&[MODE, UNIT_FLAG, PRE_QUANT, PRE_RELU, ATOMIC_TYPE, ATOMIC_OP, SAT])
        .text(GM_TEXT),
    store("pto.mte_l0c_l1", "L0C to L1")
        .only(Targets::A5)
        .takes(&TO_L1)
        .attrs(&[MODE, UNIT_FLAG, PRE_QUANT, PRE_RELU, ATOMIC_TYPE, ATOMIC_OP, SAT])
        .text(L1_TEXT),
    store("pto.mte_l0c_ub", "L0C to UB of one vector core or of both")
        .only(Targets::A5)
        .takes(&TO_UB)
        .attrs(&[
            attr("dst_mode", AttrTy::Enum(&enums::ACC_STORE_UB_DST_MODE)).must(),
            MODE,
            UNIT_FLAG,
            PRE_QUANT,
            PRE_RELU,
            SAT,
        ])
        .text(UB_TEXT),
];
