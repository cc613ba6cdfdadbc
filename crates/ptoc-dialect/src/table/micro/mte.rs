//! Transfers between memories with their loops and clauses written out.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets, enums};

const FROM: OperandDef = ptr("source");
const TO: OperandDef = ptr("destination").written();
const TRANSPOSE: &[AttrDef] = &[attr("transpose", AttrTy::Bool).or("false")];

const LOOPS: [OperandDef; 3] =
    [scalar("loop_counts").many(), scalar("loop_src_strides").many(), scalar("loop_dst_strides").many()];

const NBURST_GAP: &[OperandDef] =
    &[FROM, TO, scalar("len_burst"), scalar("n_burst"), scalar("nburst_src_gap"), scalar("nburst_dst_gap")];
const NBURST_GAP_TEXT: &str =
    "%source, %destination, %len_burst nburst(%n_burst, %nburst_src_gap, %nburst_dst_gap) {} : T*";

const NBURST_LOOPS: &[OperandDef] = &[
    FROM,
    TO,
    scalar("len_burst"),
    scalar("n_burst"),
    scalar("nburst_src_stride"),
    scalar("nburst_dst_stride"),
    LOOPS[0],
    LOOPS[1],
    LOOPS[2],
];
const NBURST_LOOPS_TEXT: &str = "\
    %source, %destination, %len_burst nburst(%n_burst, %nburst_src_stride, %nburst_dst_stride) \
    *{loop/loop1/loop2 (%loop_counts, %loop_src_strides, %loop_dst_strides)} {} \
    : T(source), T(destination), T(len_burst), T(n_burst), T(nburst_src_stride), T(nburst_dst_stride) \
    *{, loop/loop1/loop2 T(loop_counts), T(loop_src_strides), T(loop_dst_strides)}";

const NBURST_PLAIN: &[OperandDef] =
    &[FROM, TO, scalar("n_burst"), scalar("len_burst"), scalar("src_stride"), scalar("dst_stride")];
const NBURST_PLAIN_TEXT: &str = "%source, %destination, %len_burst nburst(%n_burst, %src_stride, %dst_stride) {} \
     : T(source), T(destination), T(n_burst), T(len_burst), T(src_stride), T(dst_stride)";

/// A load of operand fractals: a window of `rows` by `columns`, or the raw fields of the instruction, whose starts and steps have
/// names of their own.
const fn window(rows: &'static str, columns: &'static str, fields: [&'static str; 4]) -> [OperandDef; 12] {
    let [first_start, second_start, first_step, second_step] = fields;
    [
        FROM,
        TO,
        scalar(rows).opt(),
        scalar(columns).opt(),
        scalar("start_row").opt(),
        scalar("start_col").opt(),
        scalar(first_start).opt(),
        scalar(second_start).opt(),
        scalar(first_step).opt(),
        scalar(second_step).opt(),
        scalar("src_stride").opt(),
        scalar("dst_stride").opt(),
    ]
}

/// The text of [`window`] with the same names: the window alone, the fields alone, or each by its name.
macro_rules! window_text {
    ($rows:literal, $cols:literal, $a:literal, $b:literal, $c:literal, $d:literal) => {
        concat!(
            "%source, %destination, %",
            $rows,
            ", %",
            $cols,
            ", %start_row, %start_col {} : T* ",
            "|| %source, %destination, %",
            $a,
            ", %",
            $b,
            ", %",
            $c,
            ", %",
            $d,
            ", %src_stride, %dst_stride {} : T* ",
            "|| %source, %destination ?{, ",
            $rows,
            "(%",
            $rows,
            ")} ?{, ",
            $cols,
            "(%",
            $cols,
            ")} ",
            "?{, start_row(%start_row)} ?{, start_col(%start_col)} ",
            "?{, ",
            $a,
            "(%",
            $a,
            ")} ?{, ",
            $b,
            "(%",
            $b,
            ")} ?{, ",
            $c,
            "(%",
            $c,
            ")} ?{, ",
            $d,
            "(%",
            $d,
            ")} ",
            "?{, src_stride(%src_stride)} ?{, dst_stride(%dst_stride)} {} : T*"
        )
    };
}

const LEFT: [OperandDef; 12] = window("m", "k", ["m_start", "k_start", "m_step", "k_step"]);
const LEFT_TEXT: &str = window_text!("m", "k", "m_start", "k_start", "m_step", "k_step");
const RIGHT: [OperandDef; 12] = window("k", "n", ["m_start", "k_start", "m_step", "k_step"]);
const RIGHT_TEXT: &str = window_text!("k", "n", "m_start", "k_start", "m_step", "k_step");
const LEFT_MX: [OperandDef; 12] = window("m", "k", ["x_start", "y_start", "x_step", "y_step"]);
const LEFT_MX_TEXT: &str = window_text!("m", "k", "x_start", "y_start", "x_step", "y_step");
const RIGHT_MX: [OperandDef; 12] = window("k", "n", ["x_start", "y_start", "x_step", "y_step"]);
const RIGHT_MX_TEXT: &str = window_text!("k", "n", "x_start", "y_start", "x_step", "y_step");

const fn mte(name: &'static str, summary: &'static str, pipe: Pipe) -> OpDef {
    op(Family::MicroDma, name, summary).on(pipe).only(Targets::A5)
}

/// Structured transfers.
pub static OPS: &[OpDef] = &[
    mte("pto.mte_gm_ub", "global memory to UB: bursts in loops, with padding", Pipe::Mte2)
        .only(Targets::BOTH)
        .takes(&[
            FROM,
            TO,
            scalar("l2_cache_ctl"),
            scalar("len_burst"),
            scalar("n_burst"),
            scalar("nburst_src_stride"),
            scalar("nburst_dst_stride"),
            LOOPS[0],
            LOOPS[1],
            LOOPS[2],
            scalar("pad_value").opt(),
            scalar("left_padding_count").opt(),
            scalar("right_padding_count").opt(),
        ])
        .text(
            "%source, %destination, %l2_cache_ctl, %len_burst \
             nburst(%n_burst, %nburst_src_stride, %nburst_dst_stride) \
             *{loop/loop1/loop2 (%loop_counts, %loop_src_strides, %loop_dst_strides)} \
             ?{pad(%pad_value, %left_padding_count, %right_padding_count)} {} \
             : T(source), T(destination), T(l2_cache_ctl), T(len_burst), T(n_burst), T(nburst_src_stride), \
             T(nburst_dst_stride) *{, loop/loop1/loop2 T(loop_counts), T(loop_src_strides), T(loop_dst_strides)} \
             ?{, pad T(pad_value) ?{, T(left_padding_count), T(right_padding_count)}}",
        ),
    mte("pto.mte_ub_gm", "UB to global memory: bursts in loops", Pipe::Mte3)
        .only(Targets::BOTH)
        .takes(&[
            FROM,
            TO,
            scalar("len_burst"),
            scalar("n_burst"),
            scalar("nburst_src_stride"),
            scalar("nburst_dst_stride"),
            scalar("l2_cache_ctl").opt(),
            LOOPS[0],
            LOOPS[1],
            LOOPS[2],
        ])
        .text(
            "%source, %destination, %len_burst nburst(%n_burst, %nburst_src_stride, %nburst_dst_stride) \
             ?{l2_cache_ctl(%l2_cache_ctl)} *{loop/loop1/loop2 (%loop_counts, %loop_src_strides, %loop_dst_strides)} {} \
             : T(source), T(destination), T(len_burst), T(n_burst), T(nburst_src_stride), T(nburst_dst_stride) \
             ?{, T(l2_cache_ctl)} *{, loop/loop1/loop2 T(loop_counts), T(loop_src_strides), T(loop_dst_strides)}",
        ),
    mte("pto.mte_gm_l1", "global memory to L1: bursts in loops", Pipe::Mte2)
        .takes(NBURST_LOOPS)
        .text(NBURST_LOOPS_TEXT),
    mte("pto.mte_l1_ub", "L1 to UB: bursts in loops", Pipe::Mte1).takes(NBURST_LOOPS).text(NBURST_LOOPS_TEXT),
    mte("pto.mte_gm_l1_frac", "matrix rows or columns in global memory to fractals in L1", Pipe::Mte2)
        .takes(&[
            FROM,
            TO,
            scalar("n_value"),
            scalar("d_value"),
            scalar("src_inner_stride"),
            scalar("group_count"),
            scalar("dst_loop2_stride"),
            scalar("dst_loop3_stride"),
            scalar("dst_loop4_stride"),
            scalar("l2_cache_ctrl"),
            scalar("smallc0_en"),
            scalar("src_outer_stride").opt(),
        ])
        .attrs(&[attr("mode", AttrTy::Enum(&enums::CUBE_LOAD_FRAC_MODE)).must()])
        .text(
            "%source, %destination, @mode:word, shape(%n_value, %d_value), \
             src_layout(%src_inner_stride, %src_outer_stride), \
             dst_group(%group_count, %dst_loop2_stride, %dst_loop3_stride, %dst_loop4_stride), \
             ctrl(%l2_cache_ctrl, %smallc0_en) {} \
             : T(source), T(destination), @mode:word, shape T(n_value), T(d_value), \
             src_layout(T(src_inner_stride) ?{, T(src_outer_stride)}), \
             dst_group T(group_count), T(dst_loop2_stride), T(dst_loop3_stride), T(dst_loop4_stride), \
             ctrl T(l2_cache_ctrl), T(smallc0_en)",
        ),
    mte("pto.mte_ub_l1", "UB to L1: bursts", Pipe::Mte3).takes(NBURST_PLAIN).text(NBURST_PLAIN_TEXT),
    mte("pto.mte_ub_ub", "UB to UB: bursts", Pipe::V).takes(NBURST_PLAIN).text(NBURST_PLAIN_TEXT),
    mte("pto.mte_l1_bt", "L1 to the bias table: bursts", Pipe::Mte1).takes(NBURST_GAP).text(NBURST_GAP_TEXT),
    mte("pto.mte_l1_fb", "L1 to the fix pipe's buffer: bursts", Pipe::Fix).takes(NBURST_GAP).text(NBURST_GAP_TEXT),
    mte("pto.mte_l1_l0a", "L1 to L0A: a window, or raw steps", Pipe::Mte1).takes(&LEFT).attrs(TRANSPOSE).text(LEFT_TEXT),
    mte("pto.mte_l1_l0b", "L1 to L0B: a window, or raw steps", Pipe::Mte1)
        .takes(&RIGHT)
        .attrs(TRANSPOSE)
        .text(RIGHT_TEXT),
    mte("pto.mte_l1_l0a_mx", "L1 to the scales of L0A: a window, or raw steps", Pipe::Mte1)
        .takes(&LEFT_MX)
        .text(LEFT_MX_TEXT),
    mte("pto.mte_l1_l0b_mx", "L1 to the scales of L0B: a window, or raw steps", Pipe::Mte1)
        .takes(&RIGHT_MX)
        .text(RIGHT_MX_TEXT),
];
