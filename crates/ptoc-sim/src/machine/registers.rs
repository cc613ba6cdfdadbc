//! Register writes of the scalar unit that are one assignment, and intrinsics that only order things.
//!
//! Order between pipes is the business of whoever runs the machine; here a flag or a barrier changes nothing.

use super::{Args, Core, Fault, Handler, Intrinsic};
use ptoc_target::Pipe;

/// An intrinsic of the scalar unit.
pub(super) const fn scalar(name: &'static str, run: Handler) -> Intrinsic {
    Intrinsic { name, pipe: Pipe::S, run }
}

/// Register writes and ordering that both architectures have.
pub(super) const COMMON: &[Intrinsic] = &[
    scalar("dcci", nothing),
    scalar("dsb", nothing),
    scalar("ffts_cross_core_sync", nothing),
    scalar("get_ctrl", |core, _| {
        core.hand_back("get_ctrl", core.spr.ctrl);
        Ok(())
    }),
    scalar("get_vms4_sr", nothing),
    scalar("pipe_barrier", nothing),
    scalar("set_atomic_add", |core, _| atomic_op(core, 0)),
    scalar("set_atomic_bf16", |core, _| atomic_type(core, 6)),
    scalar("set_atomic_f16", |core, _| atomic_type(core, 2)),
    scalar("set_atomic_f32", |core, _| atomic_type(core, 1)),
    scalar("set_atomic_max", |core, _| atomic_op(core, 1)),
    scalar("set_atomic_min", |core, _| atomic_op(core, 2)),
    scalar("set_atomic_none", |core, _| atomic_type(core, 0)),
    scalar("set_atomic_s16", |core, _| atomic_type(core, 3)),
    scalar("set_atomic_s32", |core, _| atomic_type(core, 4)),
    scalar("set_atomic_s8", |core, _| atomic_type(core, 5)),
    scalar("set_ctrl", |core, args| word(args, &mut core.spr.ctrl)),
    scalar("set_flag", nothing),
    scalar("set_fmatrix", |core, args| word(args, &mut core.spr.fmatrix[0])),
    scalar("set_fmatrix_b", |core, args| word(args, &mut core.spr.fmatrix[1])),
    scalar("set_fpc", |core, args| word(args, &mut core.spr.fpc)),
    scalar("set_l3d_rpt", |core, args| word(args, &mut core.spr.l3d_rpt[0])),
    scalar("set_l3d_rpt_b", |core, args| word(args, &mut core.spr.l3d_rpt[1])),
    scalar("set_mov_pad_val", |core, args| {
        core.spr.pad_val_set = true;
        word(args, &mut core.spr.pad_val)
    }),
    scalar("set_padding", |core, args| word(args, &mut core.spr.padding[0])),
    scalar("set_padding_b", |core, args| word(args, &mut core.spr.padding[1])),
    scalar("set_quant_pre", |core, args| word(args, &mut core.spr.quant_pre)),
    scalar("wait_flag", nothing),
    scalar("wait_flag_dev", nothing),
];

/// Register writes of A2/A3 alone.
pub(super) const A2A3: &[Intrinsic] =
    &[scalar("get_rsvd_cnt", nothing), scalar("set_nd_para", |core, args| word(args, &mut core.spr.nd_para))];

/// Register writes and ordering of A5 alone.
pub(super) const A5: &[Intrinsic] = &[
    scalar("mem_bar", nothing),
    scalar("set_intra_block", nothing),
    scalar("set_loop1_stride_outtol1", |core, args| word(args, &mut core.spr.loops[1][1])),
    scalar("set_loop1_stride_outtoub", |core, args| word(args, &mut core.spr.loops[0][1])),
    scalar("set_loop1_stride_ubtoout", |core, args| word(args, &mut core.spr.loops[2][1])),
    scalar("set_loop2_stride_outtol1", |core, args| word(args, &mut core.spr.loops[1][2])),
    scalar("set_loop2_stride_outtoub", |core, args| word(args, &mut core.spr.loops[0][2])),
    scalar("set_loop2_stride_ubtoout", |core, args| word(args, &mut core.spr.loops[2][2])),
    scalar("set_loop_size_outtol1", |core, args| word(args, &mut core.spr.loops[1][0])),
    scalar("set_loop_size_outtoub", |core, args| word(args, &mut core.spr.loops[0][0])),
    scalar("set_loop_size_ubtoout", |core, args| word(args, &mut core.spr.loops[2][0])),
    scalar("set_mte2_nz_para", |core, args| word(args, &mut core.spr.mte2_nz_para)),
    scalar("set_pad_val_outtol1", |core, args| word(args, &mut core.spr.pad_val_l1)),
    scalar("wait_intra_block", nothing),
];

/// What is kept in order elsewhere: see the module text. The readers of kept numbers find them in `Core::returned`.
pub(super) fn nothing(_: &mut Core, _: &Args<'_>) -> Result<(), Fault> {
    Ok(())
}

/// Puts the one argument into a register.
pub(super) fn word(args: &Args<'_>, register: &mut u64) -> Result<(), Fault> {
    *register = args.int(0)? as u64;
    Ok(())
}

fn atomic_type(core: &mut Core, ty: u8) -> Result<(), Fault> {
    core.spr.atomic_type = ty;
    Ok(())
}

fn atomic_op(core: &mut Core, op: u8) -> Result<(), Fault> {
    core.spr.atomic_op = op;
    Ok(())
}
