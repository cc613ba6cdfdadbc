//! Transfers between memories with all fields as operands, and the registers of their loops and padding.
//!
//! Sizes and strides are in the units of the target's instruction.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets};

const FROM: OperandDef = ptr("source");
const TO: OperandDef = ptr("destination").written();

const fn dma(name: &'static str, summary: &'static str, pipe: Pipe) -> OpDef {
    op(Family::MicroDma, name, summary).on(pipe)
}

// bursts: block by block with a gap or stride on either side
const BURST: &[OperandDef] =
    &[FROM, TO, scalar("sid"), scalar("n_burst"), scalar("len_burst"), scalar("src_stride"), scalar("dst_stride")];
const BURST_TEXT: &str = "%source, %destination, %sid, %n_burst, %len_burst, %src_stride, %dst_stride {} : T*";

// bursts of bytes with padding on either side
const PADDED: &[OperandDef] = &[
    FROM,
    TO,
    scalar("sid"),
    scalar("n_burst"),
    scalar("len_burst"),
    scalar("left_padding_count"),
    scalar("right_padding_count"),
    scalar("src_gap"),
    scalar("dst_gap"),
];
const PADDED_TEXT: &str = "%source, %destination, %sid, %n_burst, %len_burst, %left_padding_count, \
                           %right_padding_count, %src_gap, %dst_gap {} : T*";

const PADDED_V2: &[OperandDef] = &[
    FROM,
    TO,
    scalar("sid"),
    scalar("n_burst"),
    scalar("len_burst"),
    scalar("left_padding_count"),
    scalar("right_padding_count"),
    scalar("data_select_bit"),
    scalar("l2_cache_ctl"),
    scalar("gm_stride"),
    scalar("ub_stride"),
];
const PADDED_V2_TEXT: &str = "%source, %destination, %sid, %n_burst, %len_burst, %left_padding_count, \
                              %right_padding_count, %data_select_bit, %l2_cache_ctl, %gm_stride, %ub_stride {} : T*";

// rows or columns of matrices to fractals
const TO_FRACTALS: &[OperandDef] = &[
    FROM,
    TO,
    scalar("sid"),
    scalar("nd_num"),
    scalar("n_value"),
    scalar("d_value"),
    scalar("src_nd_matrix_stride"),
    scalar("src_d_value"),
    scalar("dst_nz_c0_stride"),
    scalar("dst_nz_n_stride"),
    scalar("dst_nz_matrix_stride"),
];
const TO_FRACTALS_TEXT: &str = "%source, %destination, %sid, %nd_num, %n_value, %d_value, %src_nd_matrix_stride, \
                                %src_d_value, %dst_nz_c0_stride, %dst_nz_n_stride, %dst_nz_matrix_stride {} : T*";

const TO_FRACTALS_V2: &[OperandDef] = &[
    FROM,
    TO,
    scalar("sid"),
    scalar("loop1_src_stride"),
    scalar("l2_cache_ctrl"),
    scalar("n_value"),
    scalar("d_value"),
    scalar("loop4_src_stride"),
    scalar("smallc0_en"),
];
const TO_FRACTALS_V2_TEXT: &str = "%source, %destination, %sid, %loop1_src_stride, %l2_cache_ctrl, %n_value, \
                                   %d_value, %loop4_src_stride, %smallc0_en {} : T*";

// L1 to L0A and L0B
const TRANSPOSE: &[AttrDef] = &[attr("transpose", AttrTy::Bool).or("false")];

const STEPS: &[OperandDef] = &[
    FROM,
    TO,
    scalar("m_start"),
    scalar("k_start"),
    scalar("m_step"),
    scalar("k_step"),
    scalar("src_stride"),
    scalar("dst_stride"),
];
const STEPS_TEXT: &str =
    "%source, %destination, %m_start, %k_start, %m_step, %k_step, %src_stride, %dst_stride {} : T*";

const STEPS_S4: &[OperandDef] = &[
    FROM,
    TO,
    scalar("m_start"),
    scalar("k_start"),
    scalar("m_step"),
    scalar("k_step"),
    scalar("src_stride"),
    scalar("dst_stride"),
    scalar("transpose"),
];
const STEPS_S4_TEXT: &str =
    "%source, %destination, %m_start, %k_start, %m_step, %k_step, %src_stride, %dst_stride, %transpose {} : T*";

const STEPS_MX: &[OperandDef] = &[
    FROM,
    TO,
    scalar("x_start_position"),
    scalar("y_start_position"),
    scalar("x_step"),
    scalar("y_step"),
    scalar("src_stride"),
    scalar("dst_stride"),
];
const STEPS_MX_TEXT: &str = "%source, %destination, %x_start_position, %y_start_position, %x_step, %y_step, \
                             %src_stride, %dst_stride {} : T*";

const FRACTALS: &[OperandDef] =
    &[FROM, TO, scalar("base_idx"), scalar("repeat"), scalar("src_stride"), scalar("dst_gap"), scalar("sid")];
const FRACTALS_TEXT: &str = "%source, %destination, %base_idx, %repeat, %src_stride, %dst_gap, %sid {} : T*";
const FRACTALS_ATTRS: &[AttrDef] =
    &[attr("transpose", AttrTy::Bool).or("false"), attr("addr_cal_mode", AttrTy::Int(32)).or("0")];

const TRANSPOSED: &[OperandDef] =
    &[FROM, TO, scalar("index_id"), scalar("repeat"), scalar("src_stride"), scalar("dst_gap"), scalar("dst_frac_gap")];
const TRANSPOSED_TEXT: &str = "%source, %destination, %index_id, %repeat, %src_stride, %dst_gap, %dst_frac_gap {} : T*";
const TRANSPOSED_ATTRS: &[AttrDef] = &[attr("addr_cal_mode", AttrTy::Bool).or("false")];

const IMG2COL: &[OperandDef] = &[
    FROM,
    TO,
    scalar("step_k"),
    scalar("step_m"),
    scalar("pos_k"),
    scalar("pos_m"),
    scalar("stride_w"),
    scalar("stride_h"),
    scalar("filter_w"),
    scalar("filter_h"),
    scalar("dilation_w"),
    scalar("dilation_h"),
    scalar("channel_size"),
];
const IMG2COL_TEXT: &str = "%source, %destination, %step_k, %step_m, %pos_k, %pos_m, %stride_w, %stride_h, \
                            %filter_w, %filter_h, %dilation_w, %dilation_h, %channel_size {} : T*";
const IMG2COL_ATTRS: &[AttrDef] =
    &[attr("transpose", AttrTy::Bool).or("false"), attr("fmatrix_b", AttrTy::Bool).or("false")];

// fill
const WORD_BITS: &[AttrDef] = &[attr("fill_word_bits", AttrTy::Int(64)).must()];

// loop registers
const VALUE: &[OperandDef] = &[scalar("value")];
const VALUE_TEXT: &str = "%value {} : T*";
const PAIR: &[OperandDef] = &[scalar("first"), scalar("second")];
const PAIR_TEXT: &str = "%first, %second {} : T*";

const fn word(name: &'static str, summary: &'static str) -> OpDef {
    dma(name, summary, Pipe::S).takes(VALUE).text(VALUE_TEXT)
}

const fn pair(name: &'static str, summary: &'static str) -> OpDef {
    dma(name, summary, Pipe::S).takes(PAIR).text(PAIR_TEXT)
}

/// Transfers, with the registers of their loops and padding.
pub static OPS: &[OpDef] = &[
    // global memory and the unified buffer
    dma("pto.copy_gm_to_ubuf", "global memory to UB", Pipe::Mte2).takes(PADDED_V2).text(PADDED_V2_TEXT),
    dma("pto.copy_gm_to_ubuf_align_b8", "global memory to UB, 8-bit padding", Pipe::Mte2)
        .only(Targets::A2A3)
        .takes(PADDED)
        .text(PADDED_TEXT),
    dma("pto.copy_gm_to_ubuf_align_b16", "global memory to UB, 16-bit padding", Pipe::Mte2)
        .only(Targets::A2A3)
        .takes(PADDED)
        .text(PADDED_TEXT),
    dma("pto.copy_gm_to_ubuf_align_b32", "global memory to UB, 32-bit padding", Pipe::Mte2)
        .only(Targets::A2A3)
        .takes(PADDED)
        .text(PADDED_TEXT),
    dma("pto.copy_ubuf_to_gm", "UB to global memory", Pipe::Mte3)
        .takes(&[
            FROM,
            TO,
            scalar("sid"),
            scalar("n_burst"),
            scalar("len_burst"),
            scalar("l2_cache_ctl"),
            scalar("burst_dst_stride"),
            scalar("burst_src_stride"),
        ])
        .text(
            "%source, %destination, %sid, %n_burst, %len_burst, %l2_cache_ctl, %burst_dst_stride, \
             %burst_src_stride {} : T*",
        ),
    dma("pto.copy_ubuf_to_gm_align_b8", "UB to global memory, 8-bit padding", Pipe::Mte3)
        .only(Targets::A2A3)
        .takes(PADDED)
        .text(PADDED_TEXT),
    dma("pto.copy_ubuf_to_gm_align_b16", "UB to global memory, 16-bit padding", Pipe::Mte3)
        .only(Targets::A2A3)
        .takes(PADDED)
        .text(PADDED_TEXT),
    dma("pto.copy_ubuf_to_gm_align_b32", "UB to global memory, 32-bit padding", Pipe::Mte3)
        .only(Targets::A2A3)
        .takes(PADDED)
        .text(PADDED_TEXT),
    dma("pto.copy_ubuf_to_ubuf", "UB to UB", Pipe::V).takes(BURST).text(BURST_TEXT),
    dma("pto.copy_ubuf_to_cbuf", "UB to L1", Pipe::Mte3).takes(BURST).text(BURST_TEXT),
    // global memory and L1
    dma("pto.copy_gm_to_cbuf", "global memory to L1", Pipe::Mte2)
        .takes(&[FROM, TO, scalar("n_burst"), scalar("len_burst"), scalar("src_stride"), scalar("dst_stride")])
        .text("%source, %destination, %n_burst, %len_burst, %src_stride, %dst_stride {} : T*"),
    dma("pto.copy_gm_to_cbuf_align_v2", "global memory to L1, with padding", Pipe::Mte2)
        .only(Targets::A5)
        .takes(&[
            FROM,
            TO,
            scalar("sid"),
            scalar("n_burst"),
            scalar("len_burst"),
            scalar("left_padding_count"),
            scalar("right_padding_count"),
            scalar("data_select_bit"),
            scalar("l2_cache_ctl"),
            scalar("gm_stride"),
            scalar("l1_stride"),
        ])
        .text(
            "%source, %destination, %sid, %n_burst, %len_burst, %left_padding_count, %right_padding_count, \
             %data_select_bit, %l2_cache_ctl, %gm_stride, %l1_stride {} : T*",
        ),
    dma("pto.copy_gm_to_cbuf_multi_nd2nz", "matrix rows in global memory to fractals in L1", Pipe::Mte2)
        .takes(TO_FRACTALS_V2)
        .text(TO_FRACTALS_V2_TEXT),
    dma("pto.copy_gm_to_cbuf_multi_dn2nz", "matrix columns in global memory to fractals in L1", Pipe::Mte2)
        .takes(TO_FRACTALS_V2)
        .text(TO_FRACTALS_V2_TEXT),
    dma("pto.copy_gm_to_cbuf_multi_nd2nz_b8", "matrix rows to fractals, 8-bit elements", Pipe::Mte2)
        .only(Targets::A2A3)
        .takes(TO_FRACTALS)
        .text(TO_FRACTALS_TEXT),
    dma("pto.copy_gm_to_cbuf_multi_nd2nz_b16", "matrix rows to fractals, 16-bit elements", Pipe::Mte2)
        .only(Targets::A2A3)
        .takes(TO_FRACTALS)
        .text(TO_FRACTALS_TEXT),
    dma("pto.copy_gm_to_cbuf_multi_nd2nz_b32s", "matrix rows to fractals, 32-bit elements", Pipe::Mte2)
        .only(Targets::A2A3)
        .takes(TO_FRACTALS)
        .text(TO_FRACTALS_TEXT),
    dma("pto.copy_cbuf_to_gm", "L1 to global memory", Pipe::Mte3).only(Targets::A2A3).takes(BURST).text(BURST_TEXT),
    dma("pto.create_cbuf_matrix", "L1 filled with a pattern", Pipe::Mte2)
        .takes(&[
            ptr("dst").written(),
            scalar("raw_value"),
            scalar("repeat_times"),
            scalar("block_num_32b"),
            scalar("dst_gap_32b"),
        ])
        .attrs(WORD_BITS)
        .text("%dst, %raw_value, %repeat_times, %block_num_32b, %dst_gap_32b {} : T*"),
    dma("pto.raw_fill_l1", "strided part of L1 filled with a pattern", Pipe::Mte2)
        .only(Targets::A5)
        .takes(&[
            ptr("dst").written(),
            scalar("byte_offset"),
            scalar("raw_value"),
            scalar("repeat_times"),
            scalar("block_num_32b"),
            scalar("dst_gap_32b"),
        ])
        .attrs(WORD_BITS)
        .text("%dst, %byte_offset, %raw_value, %repeat_times, %block_num_32b, %dst_gap_32b {} : T*"),
    // out of L1
    dma("pto.copy_cbuf_to_ubuf", "L1 to UB", Pipe::Mte1).takes(BURST).text(BURST_TEXT),
    dma("pto.copy_cbuf_to_bt", "L1 to the bias table, optionally widening f16", Pipe::Mte1)
        .takes(&[
            FROM,
            TO,
            scalar("conv_control"),
            scalar("n_burst"),
            scalar("len_burst"),
            scalar("source_gap"),
            scalar("dst_gap"),
        ])
        .text("%source, %destination, %conv_control, %n_burst, %len_burst, %source_gap, %dst_gap {} : T*"),
    dma("pto.copy_cbuf_to_fbuf", "L1 to the fix pipe's buffer", Pipe::Fix)
        .takes(&[FROM, TO, scalar("n_burst"), scalar("len_burst"), scalar("source_gap"), scalar("dst_gap")])
        .text("%source, %destination, %n_burst, %len_burst, %source_gap, %dst_gap {} : T*"),
    dma("pto.load_cbuf_to_ca", "L1 to L0A", Pipe::Mte1)
        .only(Targets::A5)
        .takes(STEPS)
        .attrs(TRANSPOSE)
        .text(STEPS_TEXT),
    dma("pto.load_cbuf_to_cb", "L1 to L0B", Pipe::Mte1)
        .only(Targets::A5)
        .takes(STEPS)
        .attrs(TRANSPOSE)
        .text(STEPS_TEXT),
    dma("pto.load_cbuf_to_ca_s4", "L1 to L0A, 4-bit", Pipe::Mte1).only(Targets::A5).takes(STEPS_S4).text(STEPS_S4_TEXT),
    dma("pto.load_cbuf_to_cb_s4", "L1 to L0B, 4-bit", Pipe::Mte1).only(Targets::A5).takes(STEPS_S4).text(STEPS_S4_TEXT),
    dma("pto.load_cbuf_to_ca_mx", "L1 to the scales of L0A", Pipe::Mte1)
        .only(Targets::A5)
        .takes(STEPS_MX)
        .text(STEPS_MX_TEXT),
    dma("pto.load_cbuf_to_cb_mx", "L1 to the scales of L0B", Pipe::Mte1)
        .only(Targets::A5)
        .takes(STEPS_MX)
        .text(STEPS_MX_TEXT),
    dma("pto.load_cbuf_to_ca_2d", "fractals of L1 to L0A", Pipe::Mte1)
        .only(Targets::A2A3)
        .takes(FRACTALS)
        .attrs(FRACTALS_ATTRS)
        .text(FRACTALS_TEXT),
    dma("pto.load_cbuf_to_cb_2d", "fractals of L1 to L0B", Pipe::Mte1)
        .only(Targets::A2A3)
        .takes(FRACTALS)
        .attrs(FRACTALS_ATTRS)
        .text(FRACTALS_TEXT),
    dma("pto.load_cbuf_to_ca_transpose", "fractals of L1 to L0A, transposed", Pipe::Mte1)
        .only(Targets::A2A3)
        .takes(TRANSPOSED)
        .attrs(TRANSPOSED_ATTRS)
        .text(TRANSPOSED_TEXT),
    dma("pto.load_cbuf_to_cb_transpose", "fractals of L1 to L0B, transposed", Pipe::Mte1)
        .only(Targets::A2A3)
        .takes(TRANSPOSED)
        .attrs(TRANSPOSED_ATTRS)
        .text(TRANSPOSED_TEXT),
    dma("pto.img2colv2_cbuf_to_ca", "feature map in L1 to L0A", Pipe::Mte1)
        .takes(IMG2COL)
        .attrs(IMG2COL_ATTRS)
        .text(IMG2COL_TEXT),
    dma("pto.img2colv2_cbuf_to_cb", "feature map in L1 to L0B", Pipe::Mte1)
        .takes(IMG2COL)
        .attrs(IMG2COL_ATTRS)
        .text(IMG2COL_TEXT),
    // loop and padding registers
    pair("pto.set_loop1_stride_outtoub", "inner loop strides of loads to UB"),
    pair("pto.set_loop2_stride_outtoub", "outer loop strides of loads to UB"),
    pair("pto.set_loop_size_outtoub", "loop counts of loads to UB"),
    pair("pto.set_loop1_stride_ubtoout", "inner loop strides of stores from UB"),
    pair("pto.set_loop2_stride_ubtoout", "outer loop strides of stores from UB"),
    pair("pto.set_loop_size_ubtoout", "loop counts of stores from UB"),
    word("pto.set_loop1_stride_outtol1", "inner loop strides of loads to L1"),
    word("pto.set_loop2_stride_outtol1", "outer loop strides of loads to L1"),
    word("pto.set_loop_size_outtol1", "loop counts of loads to L1"),
    pair("pto.set_loop3_para", "count and strides of the matrices of a store in rows"),
    word("pto.set_mte2_nz_para", "count and strides of loads to fractals").only(Targets::A5),
    word("pto.set_mov_pad_val", "padding of loads to UB"),
    word("pto.set_pad_val_outtol1", "padding of loads to L1").only(Targets::A5),
];
