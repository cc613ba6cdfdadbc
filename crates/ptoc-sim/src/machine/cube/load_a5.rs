//! Boxes from L1 into L0A, L0B and the MX scale buffers on A5.

use super::super::dma::{limited, place};
use super::super::{Arg, Args, Core, Fault, FaultKind};
use super::helpers::elem;
use super::{BOX, ROW};
use ptoc_target::{DType, Loc};

pub(super) fn left(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    boxes(core, args, Loc::Left)
}

pub(super) fn right(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    boxes(core, args, Loc::Right)
}

pub(super) fn left_scales(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    scales(core, args, Loc::ScaleLeft, Loc::Left)
}

pub(super) fn right_scales(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    scales(core, args, Loc::ScaleRight, Loc::Right)
}

/// `(dst, src, first m, first k, m boxes, k boxes, source stride, destination stride, transpose)`: everything in boxes;
/// `m` is the column axis of L0B. Box `(m, k)` of either side is number `k * stride + m`.
fn boxes(core: &mut Core, args: &Args<'_>, to: Loc) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, to, BOX)?, place(args, 1, Loc::Mat, ROW)?);
    let [m0, k0, m, k] = [2, 3, 4, 5].map(|i| limited(args, i, 65535));
    let (m0, k0, m, k) = (m0?, k0?, m?, k?);
    let (from_stride, to_stride) = (args.int(6)?.unsigned_abs(), limited(args, 7, 65535)?);
    let from =
        |m: u64, k: u64| src.addr.saturating_add(((k0 + k).saturating_mul(from_stride) + m0 + m).saturating_mul(BOX));
    let to_box = |m: u64, k: u64| dst.addr + (k * to_stride + m) * BOX;
    if !args.flag(8)? {
        for q in 0..k {
            // The boxes of a column lie one after another on both sides.
            core.mem.copy((to, to_box(0, q)), (Loc::Mat, from(0, q)), m * BOX).map_err(|e| args.within(e))?;
        }
        return Ok(());
    }
    let ty = elem(args, 1, src)?;
    // Elements of a 32-byte row; 4-bit codes go two to a byte.
    let c0 = if ty.is_fp4() { 64 } else { ty.c0() };
    let (rows, cols) = (16 * m, c0 * k);
    if !rows.is_multiple_of(c0) || !cols.is_multiple_of(16) {
        let what = format_args!("{m} x {k} boxes of {ty} have no transpose in whole boxes");
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    if rows * cols > 2 * core.mem.size(to) {
        let what = format_args!("{m} x {k} boxes do not fit into {}", to.memory());
        return Err(args.fault(FaultKind::OutOfRange, what));
    }
    let mut source = Vec::with_capacity((m * k * BOX) as usize);
    for q in 0..k {
        source.extend_from_slice(core.mem.read(Loc::Mat, from(0, q), m * BOX).map_err(|e| args.within(e))?);
    }
    // Box columns of the transpose.
    let (turned_rows, columns) = (cols, rows / c0);
    let mut column = vec![0; (turned_rows * ROW) as usize];
    for q in 0..columns {
        for r in 0..turned_rows {
            for c in 0..c0 {
                // Element (r, q * c0 + c) of the transpose is element (q * c0 + c, r) of the source.
                let (i, j) = (q * c0 + c, r);
                let from = ((j / c0) * m * BOX + i * ROW) as usize;
                move_lane(&mut column[(r * ROW) as usize..], c, &source[from..], j % c0, ty);
            }
        }
        let len = turned_rows * ROW;
        core.mem.write(to, to_box(0, q), len).map_err(|e| args.within(e))?.copy_from_slice(&column);
    }
    Ok(())
}

/// Copies one element; of a packed pair only the one code.
fn move_lane(to: &mut [u8], to_lane: u64, from: &[u8], from_lane: u64, ty: DType) {
    if ty.is_fp4() {
        let code = from[(from_lane / 2) as usize] >> (4 * (from_lane % 2)) & 0xf;
        let shift = 4 * (to_lane % 2);
        let pair = &mut to[(to_lane / 2) as usize];
        *pair = *pair & !(0xf << shift) | code << shift;
        return;
    }
    let s = ty.bytes() as usize;
    let (t, f) = (to_lane as usize * s, from_lane as usize * s);
    to[t..t + s].copy_from_slice(&from[f..f + s]);
}

/// `(dst, src, first x, first y, x boxes, y boxes, source stride, destination stride)` in boxes of 32 bytes; `x` counts
/// blocks of 16 rows (columns of L0B), `y` blocks of 64 k. The destination is a sixteenth of the operand's address.
fn scales(core: &mut Core, args: &Args<'_>, to: Loc, operand: Loc) -> Result<(), Fault> {
    let dst = match args.list.first() {
        Some(Arg::Int(_)) => args.count(0)?,
        Some(Arg::Ptr(p)) if p.space == operand => p.addr / 16,
        _ => place(args, 0, to, 1)?.addr,
    };
    let src = place(args, 1, Loc::Mat, ROW)?;
    let [x0, y0, xs, ys] = [2, 3, 4, 5].map(|i| limited(args, i, 65535));
    let (x0, y0, xs, ys) = (x0?, y0?, xs?, ys?);
    let (from_stride, to_stride) = (limited(args, 6, 65535)?, limited(args, 7, 65535)?);
    for x in 0..xs {
        let from = src.addr + ((x0 + x) * from_stride + y0) * ROW;
        let at = dst.saturating_add(x * to_stride * ROW);
        core.mem.copy((to, at), (Loc::Mat, from), ys * ROW).map_err(|e| args.within(e))?;
    }
    Ok(())
}
