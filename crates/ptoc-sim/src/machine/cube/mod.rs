//! The matrix unit: loads from L1 into the operand buffers, products, and the fixpipe that takes results out.
//!
//! Operand buffers hold boxes of 512 bytes: 16 rows of 32 bytes. L0B is L0A of the transposed matrix on both architectures;
//! L0A lies box row by box row on A2/A3 and box column by box column on A5. L0C lies in 16 x 16 boxes of 4-byte elements,
//! box column by box column.

mod fixpipe;
mod helpers;
mod img2col;
mod load_a2a3;
mod load_a5;
mod mad;
mod product;
mod requant;
#[cfg(test)]
mod tests;

use super::Intrinsic;
use super::registers::{scalar, word};
use ptoc_target::Pipe;

const fn on(pipe: Pipe, name: &'static str, run: super::Handler) -> Intrinsic {
    Intrinsic { name, pipe, run }
}

/// The matrix unit of A2/A3.
pub(super) const A2A3: &[Intrinsic] = &[
    on(Pipe::Mte1, "copy_cbuf_to_bt", helpers::bias_a2a3),
    on(Pipe::Fix, "copy_cbuf_to_fbuf", helpers::scaling_a2a3),
    on(Pipe::Fix, "copy_matrix_cc_to_cbuf", fixpipe::to_cbuf_a2a3),
    on(Pipe::Fix, "copy_matrix_cc_to_gm", fixpipe::to_gm_a2a3),
    on(Pipe::Mte2, "create_cbuf_matrix", helpers::fill),
    on(Pipe::Mte2, "create_cbuf_matrix_bf16", helpers::fill),
    on(Pipe::Mte1, "img2colv2_cbuf_to_ca", img2col::left_a2a3),
    on(Pipe::Mte1, "img2colv2_cbuf_to_cb", img2col::right_a2a3),
    on(Pipe::Mte1, "load_cbuf_to_ca", load_a2a3::left),
    on(Pipe::Mte1, "load_cbuf_to_ca_transpose", load_a2a3::left_transposed),
    on(Pipe::Mte1, "load_cbuf_to_cb", load_a2a3::right),
    on(Pipe::Mte1, "load_cbuf_to_cb_transpose", load_a2a3::right_transposed),
    on(Pipe::M, "mad", mad::a2a3),
];

/// The matrix unit of A5.
pub(super) const A5: &[Intrinsic] = &[
    on(Pipe::Mte1, "copy_cbuf_to_bt", helpers::bias_a5),
    on(Pipe::Fix, "copy_cbuf_to_fbuf", helpers::scaling_a5),
    on(Pipe::Fix, "copy_matrix_cc_to_cbuf", fixpipe::to_cbuf_a5),
    on(Pipe::Fix, "copy_matrix_cc_to_gm", fixpipe::to_gm_a5),
    on(Pipe::Fix, "copy_matrix_cc_to_ub", fixpipe::to_ub_a5),
    on(Pipe::Mte2, "create_cbuf_matrix", helpers::fill),
    on(Pipe::Mte2, "create_cbuf_matrix_bf16", helpers::fill),
    on(Pipe::Mte1, "img2colv2_cbuf_to_ca", img2col::left_a5),
    on(Pipe::Mte1, "load_cbuf_to_ca", load_a5::left),
    on(Pipe::Mte1, "load_cbuf_to_ca_mx", load_a5::left_scales),
    on(Pipe::Mte1, "load_cbuf_to_ca_s4", load_a5::left),
    on(Pipe::Mte1, "load_cbuf_to_cb", load_a5::right),
    on(Pipe::Mte1, "load_cbuf_to_cb_mx", load_a5::right_scales),
    on(Pipe::Mte1, "load_cbuf_to_cb_s4", load_a5::right),
    on(Pipe::M, "mad", mad::a5),
    on(Pipe::M, "mad_mx", mad::mx),
    scalar("set_channel_para", |core, args| word(args, &mut core.spr.channel_para)),
    scalar("set_loop3_para", |core, args| word(args, &mut core.spr.loop3_para)),
];

/// Bytes of a box of L0A, L0B and L1.
const BOX: u64 = 512;

/// Bytes of a row of a box, and of the unit that L1 is addressed in.
const ROW: u64 = 32;
