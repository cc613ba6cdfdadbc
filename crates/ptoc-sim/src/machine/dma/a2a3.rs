//! Copies of A2/A3.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic};
use super::copy::{BLOCK, Bursts, Nd2Nz, blocks, copy, limited, nd2nz, place};
use ptoc_target::{Loc, Pipe};

pub(in super::super) const A2A3: &[Intrinsic] = &[
    Intrinsic { name: "copy_cbuf_to_gm", pipe: Pipe::Mte3, run: |core, args| blocks(core, args, Loc::Gm, Loc::Mat, 3) },
    Intrinsic { name: "copy_gm_to_cbuf", pipe: Pipe::Mte2, run: gm_to_cbuf },
    Intrinsic { name: "copy_gm_to_cbuf_multi_nd2nz_b16", pipe: Pipe::Mte2, run: |core, args| matrices(core, args, 2) },
    Intrinsic { name: "copy_gm_to_cbuf_multi_nd2nz_b32s", pipe: Pipe::Mte2, run: |core, args| matrices(core, args, 4) },
    Intrinsic { name: "copy_gm_to_cbuf_multi_nd2nz_b8", pipe: Pipe::Mte2, run: |core, args| matrices(core, args, 1) },
    Intrinsic { name: "copy_gm_to_ubuf_align_b16", pipe: Pipe::Mte2, run: |core, args| padded(core, args, 2) },
    Intrinsic { name: "copy_gm_to_ubuf_align_b32", pipe: Pipe::Mte2, run: |core, args| padded(core, args, 4) },
    Intrinsic { name: "copy_gm_to_ubuf_align_b8", pipe: Pipe::Mte2, run: |core, args| padded(core, args, 1) },
    Intrinsic { name: "copy_ubuf_to_gm_align_b16", pipe: Pipe::Mte3, run: |core, args| rows_out(core, args, 2) },
    Intrinsic { name: "copy_ubuf_to_gm_align_b32", pipe: Pipe::Mte3, run: |core, args| rows_out(core, args, 4) },
    Intrinsic { name: "copy_ubuf_to_gm_align_b8", pipe: Pipe::Mte3, run: |core, args| rows_out(core, args, 1) },
    Intrinsic { name: "copy_ubuf_to_ubuf", pipe: Pipe::V, run: |core, args| blocks(core, args, Loc::Vec, Loc::Vec, 3) },
];

/// As [`blocks`], with a mode of which only 0 is read.
fn gm_to_cbuf(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    if args.len() > 7 && args.count(7)? != 0 {
        return Err(args.fault(FaultKind::Unsupported, "a padding mode other than 0"));
    }
    blocks(core, args, Loc::Mat, Loc::Gm, 3)
}

/// `(dst, src, sid, matrices, rows, columns, source matrix stride, source row stride, destination column group stride,
/// destination row stride, destination matrix stride)`; source strides and the last one in elements, the others in blocks.
fn matrices(core: &mut Core, args: &Args<'_>, size: u64) -> Result<(), Fault> {
    let dst = place(args, 0, Loc::Mat, BLOCK)?;
    let src = place(args, 1, Loc::Gm, 1)?;
    let n = Nd2Nz {
        size,
        matrices: limited(args, 3, 4095)?,
        rows: limited(args, 4, 16384)?,
        cols: limited(args, 5, 65535)?,
        from_matrix: limited(args, 6, u64::from(u32::MAX))? * size,
        from_row: limited(args, 7, u64::from(u32::MAX))? * size,
        from_col: size,
        to_group: limited(args, 8, 16384)? * BLOCK,
        to_row: limited(args, 9, 16384)? * BLOCK,
        to_matrix: limited(args, 10, u64::from(u32::MAX))? * size,
    };
    nd2nz(core, args, dst, src, n)
}

/// `(dst, src, sid, bursts, length, left padding, right padding, source gap, destination gap)`: length and source gap in
/// bytes, padding in elements, destination gap in blocks. Each row is padded on both sides and filled up to whole blocks.
fn padded(core: &mut Core, args: &Args<'_>, size: u64) -> Result<(), Fault> {
    let dst = place(args, 0, Loc::Vec, BLOCK)?;
    let src = place(args, 1, Loc::Gm, 1)?;
    let count = limited(args, 3, 4095)?;
    let len = limited(args, 4, (1 << 21) - 1)?;
    let [left, right] = [limited(args, 5, 255)? * size, limited(args, 6, 255)? * size];
    let (gap, to_gap) = (limited(args, 7, u64::from(u32::MAX))?, limited(args, 8, 65535)?);
    if left > BLOCK || right > BLOCK {
        return Err(args.fault(FaultKind::BadArgument, "padding of more than 32 bytes on one side"));
    }
    if !len.is_multiple_of(size) {
        let what = format_args!("a burst of {len} bytes is no whole number of {size}-byte elements");
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    if len == 0 {
        return Ok(());
    }
    let whole = (left + len + right).next_multiple_of(BLOCK);
    for i in 0..count {
        let from = src.addr + i * (len + gap);
        let to = dst.addr + i * (whole + to_gap * BLOCK);
        // Without a pad value the hardware repeats the first element of the row.
        let mut fill = if core.spr.pad_val_set {
            core.spr.pad_val.to_le_bytes()
        } else {
            let first = core.mem.read(Loc::Gm, from, size).map_err(|e| args.within(e))?;
            let mut word = [0; 8];
            word[..first.len()].copy_from_slice(first);
            word
        };
        fill[size as usize..].fill(0);
        let element = &fill[..size as usize];
        let row = core.mem.write(Loc::Vec, to, whole).map_err(|e| args.within(e))?;
        let (before, rest) = row.split_at_mut(left as usize);
        for to in before.chunks_exact_mut(element.len()).chain(rest[len as usize..].chunks_exact_mut(element.len())) {
            to.copy_from_slice(element);
        }
        core.mem.copy((Loc::Vec, to + left), (Loc::Gm, from), len).map_err(|e| args.within(e))?;
    }
    Ok(())
}

/// `(dst, src, sid, bursts, length, padding, padding, source gap, destination gap)`: length and destination gap in bytes,
/// source gap in blocks; a row begins with a block and exactly its bytes are written.
fn rows_out(core: &mut Core, args: &Args<'_>, size: u64) -> Result<(), Fault> {
    let dst = place(args, 0, Loc::Gm, 1)?;
    let src = place(args, 1, Loc::Vec, BLOCK)?;
    let count = limited(args, 3, 4095)?;
    let len = limited(args, 4, (1 << 21) - 1)?;
    let (from_gap, gap) = (limited(args, 7, 65535)?, limited(args, 8, u64::from(u32::MAX))?);
    if !len.is_multiple_of(size) {
        let what = format_args!("a burst of {len} bytes is no whole number of {size}-byte elements");
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    let from_step = len.next_multiple_of(BLOCK) + from_gap * BLOCK;
    copy(core, args, dst, src, Bursts { count, len, from_step, to_step: len + gap })
}
