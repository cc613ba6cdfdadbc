//! Elements and blocks that change places: broadcast of elements to blocks, gathering by offsets, keeping by a pattern.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic, MaskMode};
use super::view::{Plan, View, address, aligned, count, repeats, stride};
use super::{elem, no_type, vector};
use ptoc_target::Loc;

pub(in super::super) const GATHER: &[Intrinsic] =
    &[vector("vbrcb", vbrcb), vector("vgather", vgather), vector("vgatherb", vgatherb), vector("vreducev2", vreducev2)];

type Done = Result<(), Fault>;

/// The size of the elements, 2 or 4 bytes.
fn size(args: &Args<'_>) -> Result<u64, Fault> {
    let ty = elem(args, 0)?;
    if matches!(ty.bytes(), 2 | 4) { Ok(ty.bytes()) } else { Err(no_type(args, ty)) }
}

/// `(dst, src, dst block stride, dst repeat stride, repeat)`: eight elements fill a block each, whatever the mask.
fn vbrcb(core: &mut Core, args: &Args<'_>) -> Done {
    let size = size(args)?;
    let (dst, src) = (aligned(args, 0, 32)?, aligned(args, 1, 32)?);
    let (block, repeat) = (stride(args, 2, 32)?, stride(args, 3, 32)?);
    for r in 0..repeats(args, 4)? {
        let mut eight = [0; 32];
        let from = core.mem.read(Loc::Vec, src + r * 8 * size, 8 * size).map_err(|e| args.within(e))?;
        eight[..from.len()].copy_from_slice(from);
        for (b, element) in eight.chunks_exact(size as usize).take(8).enumerate() {
            let at = dst + r * repeat + b as u64 * block;
            let to = core.mem.write(Loc::Vec, at, 32).map_err(|e| args.within(e))?;
            to.chunks_exact_mut(size as usize).for_each(|to| to.copy_from_slice(element));
        }
    }
    Ok(())
}

/// A 32-bit offset in UB.
fn offset(core: &mut Core, args: &Args<'_>, at: u64) -> Result<u64, Fault> {
    let bytes = core.mem.read(Loc::Vec, at, 4).map_err(|e| args.within(e))?;
    Ok(bytes.first_chunk().map_or(0, |b| u64::from(u32::from_le_bytes(*b))))
}

/// `(dst, offsets, base, dst repeat stride, repeat)`: lane `l` of repeat `r` is the element `offset[r * lanes + l]` bytes
/// after the base. The offsets of a repeat are read before its lanes are written.
fn vgather(core: &mut Core, args: &Args<'_>) -> Done {
    let size = size(args)?;
    let plan = Plan::new(core, args, 256 / size, 4)?;
    let dst = View { at: aligned(args, 0, 32)?, block: 32, repeat: stride(args, 3, 32)?, size };
    let (offsets, base) = (aligned(args, 1, 32)?, address(args, 2)?);
    dst.touch(&mut core.mem, &plan, true).map_err(|e| args.within(e))?;
    let mut row = [0; 256];
    for r in 0..plan.repeats {
        let mask = plan.mask(r);
        for (l, to) in row.chunks_exact_mut(size as usize).enumerate().filter(|(l, _)| mask >> l & 1 == 1) {
            let at = base + offset(core, args, offsets + 4 * (r * plan.lanes + l as u64))?;
            if !at.is_multiple_of(size) {
                let what = format_args!("lane {l} of repeat {r} reads a {size}-byte element at address {at}");
                return Err(args.fault(FaultKind::Misaligned, what));
            }
            to.copy_from_slice(core.mem.read(Loc::Vec, at, size).map_err(|e| args.within(e))?);
        }
        dst.write(core.mem.raw_mut(Loc::Vec), r, mask, &row);
    }
    Ok(())
}

/// `(dst, offsets, base, dst repeat stride, dst block stride, repeat)`: block `b` of repeat `r` is the one `offset[8 * r + b]`
/// bytes after the base, whatever the mask. A block stride of 0 means 1.
fn vgatherb(core: &mut Core, args: &Args<'_>) -> Done {
    size(args)?;
    let (dst, offsets, base) = (aligned(args, 0, 32)?, aligned(args, 1, 32)?, address(args, 2)?);
    let (repeat, block) = (stride(args, 3, 32)?, stride(args, 4, 32)?.max(32));
    for r in 0..repeats(args, 5)? {
        let mut from = [0; 8];
        for (b, at) in (0..).zip(&mut from) {
            *at = base + offset(core, args, offsets + 4 * (8 * r + b))?;
            if !at.is_multiple_of(32) {
                let what = format_args!("block {b} of repeat {r} is read at address {at}, which is no multiple of 32");
                return Err(args.fault(FaultKind::Misaligned, what));
            }
        }
        for (b, from) in (0..).zip(from) {
            let to = dst + r * repeat + b * block;
            core.mem.copy((Loc::Vec, to), (Loc::Vec, from), 32).map_err(|e| args.within(e))?;
        }
    }
    Ok(())
}

/// `(dst, src, pattern buffer, repeat, src block stride, pattern, src repeat stride, pattern repeat stride)`: kept elements are
/// packed. Pattern 0 reads one bit an element from the buffer, 1 keeps even lanes, 2 odd ones, 3 to 6 every fourth from lane
/// 0 to 3, 7 all. All lanes of each repeat count; in count mode as many of each repeat as the count says.
fn vreducev2(core: &mut Core, args: &Args<'_>) -> Done {
    let size = size(args)?;
    let lanes = 256 / size;
    let (dst, bits) = (aligned(args, 0, 32)?, args.count(5)?);
    let src = View::new(args, 1, size, 4, 6)?;
    let pattern = if bits == 0 { aligned(args, 2, 32)? } else { 0 };
    let pattern_repeat = stride(args, 7, 32)?;
    let of_repeat = match core.spr.mask_mode {
        MaskMode::Norm => lanes,
        MaskMode::Count => count(core, args)?,
    };
    let mut kept = 0;
    for r in 0..repeats(args, 3)? {
        // A repeat in pieces of 256 bytes: what is written never lies behind what is still to be read.
        for piece in 0..of_repeat.div_ceil(lanes) {
            let plan = Plan::count((of_repeat - piece * lanes).min(lanes), lanes);
            let at = src.at + r * src.repeat + piece * 8 * src.block;
            let view = View { at, ..src };
            view.touch(&mut core.mem, &plan, false).map_err(|e| args.within(e))?;
            let mut row = [0; 256];
            view.read(core.mem.raw_mut(Loc::Vec), 0, plan.mask(0), &mut row);
            let keep = plan.mask(0)
                & match bits {
                    0 => string(core, args, pattern + r * pattern_repeat + piece * lanes / 8, plan.mask(0))?,
                    1 => every(2, 0),
                    2 => every(2, 1),
                    3..=6 => every(4, bits - 3),
                    7 => u128::MAX,
                    _ => return Err(args.fault(FaultKind::BadArgument, format_args!("pattern {bits}, 7 at most"))),
                };
            for (_, element) in row.chunks_exact(size as usize).enumerate().filter(|(l, _)| keep >> l & 1 == 1) {
                let to = core.mem.write(Loc::Vec, dst + kept * size, size).map_err(|e| args.within(e))?;
                to.copy_from_slice(element);
                kept += 1;
            }
        }
    }
    core.hand_back("get_rsvd_cnt", kept);
    Ok(())
}

/// Every `n`-th bit from bit `first` on.
fn every(n: u64, first: u64) -> u128 {
    (first..128).step_by(n as usize).fold(0, |m, l| m | 1 << l)
}

/// Bits of a string in UB, as many as the highest lane of a mask needs.
fn string(core: &mut Core, args: &Args<'_>, at: u64, mask: u128) -> Result<u128, Fault> {
    let bytes = u64::from(128 - mask.leading_zeros()).div_ceil(8);
    let from = core.mem.read(Loc::Vec, at, bytes).map_err(|e| args.within(e))?;
    let mut word = [0; 16];
    word[..from.len()].copy_from_slice(from);
    Ok(u128::from_le_bytes(word))
}
