//! Filling L1, and moving parameters from L1 into the bias table and the fixpipe buffer.

use super::super::dma::{limited, place};
use super::super::{Arg, Args, Core, Fault, FaultKind, Ptr};
use super::ROW;
use crate::num::{decode, encode};
use ptoc_target::{DType, Loc};

/// A destination that is a pointer into `space`, or the bare byte address there.
pub(super) fn address(args: &Args<'_>, i: usize, space: Loc) -> Result<u64, Fault> {
    match args.list.get(i) {
        Some(Arg::Int(_)) => args.count(i),
        _ => Ok(place(args, i, space, 1)?.addr),
    }
}

/// `(dst, config, value)`: bits 14:0 of the config are repeats, 30:16 blocks of 32 bytes in one, 46:32 the gap between two
/// in blocks. Every element of the blocks becomes the value; an integer is the bits of the element.
pub(super) fn fill(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let dst = place(args, 0, Loc::Mat, ROW)?;
    let ty = elem(args, 0, dst)?;
    let config = args.int(1)? as u64;
    let (repeats, blocks, gap) = (config & 0x7fff, config >> 16 & 0x7fff, config >> 32 & 0x7fff);
    let bits = match args.list.get(2) {
        Some(Arg::Int(n)) => *n as u64,
        _ => args.scalar(2, ty)?,
    };
    let size = ty.bytes() as usize;
    for r in 0..repeats {
        let at = dst.addr + r * (blocks + gap) * ROW;
        let to = core.mem.write(Loc::Mat, at, blocks * ROW).map_err(|e| args.within(e))?;
        to.chunks_exact_mut(size).for_each(|element| element.copy_from_slice(&bits.to_le_bytes()[..size]));
    }
    Ok(())
}

/// The element type of a pointer argument.
pub(super) fn elem(args: &Args<'_>, i: usize, p: Ptr) -> Result<DType, Fault> {
    p.elem.ok_or_else(|| args.fault(FaultKind::BadArgument, format_args!("argument {i} has no element type")))
}

/// `(dst, src, widen, bursts, length, source gap, destination gap)`: length in 64 bytes of source, gaps in 32 and 64 bytes.
pub(super) fn bias_a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    bias(core, args, 64, 64)
}

/// As on A2/A3 with a length in 32 bytes of source and both gaps in 32 bytes.
pub(super) fn bias_a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    bias(core, args, ROW, ROW)
}

/// Bias rows into the bias table. 16-bit floats are widened to f32: f16 when asked, bf16 always.
fn bias(core: &mut Core, args: &Args<'_>, unit: u64, to_gap_unit: u64) -> Result<(), Fault> {
    let dst = address(args, 0, Loc::Bias)?;
    let src = place(args, 1, Loc::Mat, ROW)?;
    let widen = match src.elem {
        Some(ty @ DType::F16) if args.flag(2)? => Some(ty),
        Some(ty @ DType::BF16) => Some(ty),
        _ if args.flag(2)? => return Err(args.fault(FaultKind::BadArgument, "only f16 is widened to f32")),
        _ => None,
    };
    let (bursts, len) = (limited(args, 3, 4095)?, limited(args, 4, 65535)? * unit);
    let (from_gap, to_gap) = (limited(args, 5, 65535)? * ROW, limited(args, 6, 65535)? * to_gap_unit);
    let to_len = if widen.is_some() { 2 * len } else { len };
    for b in 0..bursts {
        let (from, to) = (src.addr + b * (len + from_gap), dst.saturating_add(b * (to_len + to_gap)));
        let Some(ty) = widen else {
            core.mem.copy((Loc::Bias, to), (Loc::Mat, from), len).map_err(|e| args.within(e))?;
            continue;
        };
        let row = core.mem.read(Loc::Mat, from, len).map_err(|e| args.within(e))?.to_vec();
        let wide = core.mem.write(Loc::Bias, to, to_len).map_err(|e| args.within(e))?;
        for (to, from) in wide.as_chunks_mut::<4>().0.iter_mut().zip(row.as_chunks::<2>().0) {
            let value = decode(ty, u64::from(u16::from_le_bytes(*from)));
            *to = (encode(DType::F32, value) as u32).to_le_bytes();
        }
    }
    Ok(())
}

/// `(dst, src, bursts, length, source gap, destination gap)`: length and destination gap in 128 bytes, source gap in 32.
pub(super) fn scaling_a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    scaling(core, args, 128)
}

/// As on A2/A3 with a length and a destination gap in 64 bytes.
pub(super) fn scaling_a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    scaling(core, args, 64)
}

fn scaling(core: &mut Core, args: &Args<'_>, unit: u64) -> Result<(), Fault> {
    let dst = address(args, 0, Loc::Scaling)?;
    let src = place(args, 1, Loc::Mat, ROW)?;
    let (bursts, len) = (limited(args, 2, 4095)?, limited(args, 3, 65535)? * unit);
    let (from_gap, to_gap) = (limited(args, 4, 65535)? * ROW, limited(args, 5, 65535)? * unit);
    for b in 0..bursts {
        let (from, to) = (src.addr + b * (len + from_gap), dst.saturating_add(b * (len + to_gap)));
        core.mem.copy((Loc::Scaling, to), (Loc::Mat, from), len).map_err(|e| args.within(e))?;
    }
    Ok(())
}
