//! Boxes from L1 into L0A and L0B on A2/A3.

use super::super::dma::{limited, place};
use super::super::{Args, Core, Fault, FaultKind};
use super::helpers::elem;
use super::{BOX, ROW};
use ptoc_target::Loc;

pub(super) fn left(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    boxes(core, args, Loc::Left)
}

pub(super) fn right(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    boxes(core, args, Loc::Right)
}

pub(super) fn left_transposed(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    transposed(core, args, Loc::Left)
}

pub(super) fn right_transposed(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    transposed(core, args, Loc::Right)
}

/// Box number `base + i * stride`, or `base - i * stride` when the address counts down.
fn numbered(args: &Args<'_>, base: u64, i: u64, stride: u64, down: bool) -> Result<u64, Fault> {
    let number = if down { base.checked_sub(i * stride) } else { base.checked_add(i * stride) };
    number.ok_or_else(|| args.fault(FaultKind::OutOfRange, "the boxes count down below the first"))
}

/// `(dst, src, first box, boxes, source stride, destination gap, sid, transpose, count down)`: source stride in boxes from
/// start to start, destination gap in boxes from end to start.
fn boxes(core: &mut Core, args: &Args<'_>, to: Loc) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, to, BOX)?, place(args, 1, Loc::Mat, ROW)?);
    let (base, repeat) = (limited(args, 2, 65535)?, limited(args, 3, 255)?);
    let (stride, gap) = (limited(args, 4, 65535)?, limited(args, 5, 65535)?);
    let (transpose, down) = (args.flag(7)?, args.flag(8)?);
    if transpose && elem(args, 1, src)?.bytes() != 2 {
        return Err(args.fault(FaultKind::Unsupported, "a transposed load of elements that are not 2 bytes wide"));
    }
    for i in 0..repeat {
        let from = src.addr + numbered(args, base, i, stride, down)? * BOX;
        let at = dst.addr + i * (1 + gap) * BOX;
        if transpose {
            let rows = core.mem.read(Loc::Mat, from, BOX).map_err(|e| args.within(e))?.to_vec();
            write_transposed(core, args, (to, at, 0), &rows, 2)?;
        } else {
            core.mem.copy((to, at), (Loc::Mat, from), BOX).map_err(|e| args.within(e))?;
        }
    }
    Ok(())
}

/// `(dst, src, first group, groups, source stride, destination gap, count down, gap between the boxes of a group)`. A group
/// is a square: two boxes of 32 x 32 bytes, one box of 16 x 16 elements of 2 bytes, two of 16 x 16 elements of 4 bytes.
fn transposed(core: &mut Core, args: &Args<'_>, to: Loc) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, to, BOX)?, place(args, 1, Loc::Mat, ROW)?);
    let (base, repeat) = (limited(args, 2, 65535)?, limited(args, 3, 255)?);
    let (stride, gap) = (limited(args, 4, 65535)?, limited(args, 5, 65535)?);
    let (down, inner_gap) = (args.flag(6)?, limited(args, 7, 65535)?);
    let size = elem(args, 1, src)?.bytes();
    let group = if size == 2 { BOX } else { 2 * BOX };
    for i in 0..repeat {
        let from = src.addr + numbered(args, base, i, stride, down)? * group;
        let rows = core.mem.read(Loc::Mat, from, group).map_err(|e| args.within(e))?.to_vec();
        write_transposed(core, args, (to, dst.addr + i * (1 + gap) * BOX, inner_gap), &rows, size)?;
    }
    Ok(())
}

/// Writes the transpose of a square that comes as boxes of 16 rows of 32 bytes: two below each other for bytes, two beside each
/// other for 4-byte elements.
fn write_transposed(
    core: &mut Core,
    args: &Args<'_>,
    (to, at, inner_gap): (Loc, u64, u64),
    rows: &[u8],
    size: u64,
) -> Result<(), Fault> {
    let s = size as usize;
    let (side, boxes) = match size {
        1 => (32, 2),
        2 => (16, 1),
        4 => (16, 2),
        _ => return Err(args.fault(FaultKind::Unsupported, "a transposed load of 8-byte elements")),
    };
    // Element (r, c) of a square in this order of boxes.
    let place = |r: usize, c: usize| match size {
        4 => (c / 8) * 512 + r * 32 + (c % 8) * 4,
        _ => r * 32 + c * s,
    };
    let mut turned = vec![0; rows.len()];
    for r in 0..side {
        for c in 0..side {
            let (from, to) = (place(r, c), place(c, r));
            turned[to..to + s].copy_from_slice(&rows[from..from + s]);
        }
    }
    for (b, bytes) in turned.chunks_exact(BOX as usize).take(boxes).enumerate() {
        let at = at + b as u64 * (1 + inner_gap) * BOX;
        core.mem.write(to, at, BOX).map_err(|e| args.within(e))?.copy_from_slice(bytes);
    }
    Ok(())
}
