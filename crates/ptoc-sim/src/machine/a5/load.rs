//! Loads from UB with a distribution: how the bytes of memory become lanes.

use super::super::{Arg, Args, Core, Fault, Intrinsic, VReg};
use super::regs::{Done, active_bytes, address, aligned, elem, no_word, predicate, put, read, splat, ub};
use super::vector;

pub(super) const LOAD: &[Intrinsic] = &[vector("vlds", load), vector("vsldb", load_blocks)];

/// How a load fills a register; the number is the bytes of an element.
#[derive(Clone, Copy)]
enum Dist {
    /// 256 bytes as they lie.
    Norm,
    /// One element in every lane.
    Broadcast(usize),
    /// One 32-byte block eight times.
    Block,
    /// Element `i` in every lane of block `i`.
    ElementToBlock(usize),
    /// Every element twice.
    UpSample(usize),
    /// Every second element.
    DownSample(usize),
    /// Each element in the low part of a lane `.1` times as wide, the rest zero.
    Unpack(usize, usize),
    /// Even elements to the first register, odd ones to the second.
    Split(usize),
}

/// The words of all distributions.
const DISTS: &[(&str, Dist)] = &[
    ("NORM", Dist::Norm),
    ("BLK", Dist::Block),
    ("BRC_B16", Dist::Broadcast(2)),
    ("BRC_B32", Dist::Broadcast(4)),
    ("BRC_B8", Dist::Broadcast(1)),
    ("DINTLV_B16", Dist::Split(2)),
    ("DINTLV_B32", Dist::Split(4)),
    ("DINTLV_B8", Dist::Split(1)),
    ("DS_B16", Dist::DownSample(2)),
    ("DS_B8", Dist::DownSample(1)),
    ("E2B_B16", Dist::ElementToBlock(2)),
    ("E2B_B32", Dist::ElementToBlock(4)),
    ("UNPK4_B8", Dist::Unpack(1, 4)),
    ("UNPK_B16", Dist::Unpack(2, 2)),
    ("UNPK_B32", Dist::Unpack(4, 2)),
    ("UNPK_B8", Dist::Unpack(1, 2)),
    ("US_B16", Dist::UpSample(2)),
    ("US_B8", Dist::UpSample(1)),
];

/// `(vd, ptr, offset, dist, POST_UPDATE)`, with a second register after the first where two are filled.
fn load(core: &mut Core, args: &Args<'_>) -> Done {
    let p = if matches!(args.list.get(1), Some(Arg::Reg { .. })) { 2 } else { 1 };
    let at = address(core, args, "vlds", p, args.int(p + 1)?, p + 3)?;
    let word = args.word(p + 2).unwrap_or("NORM");
    let Some((_, dist)) = DISTS.iter().find(|(name, _)| *name == word) else {
        return Err(no_word(args, word));
    };
    if matches!(dist, Dist::Split(_)) != (p == 2) {
        return Err(no_word(args, word));
    }
    let align = match dist {
        Dist::Norm | Dist::Block | Dist::Split(_) => 32,
        Dist::Broadcast(size) | Dist::ElementToBlock(size) | Dist::UpSample(size) | Dist::DownSample(size) => *size,
        Dist::Unpack(size, _) => *size,
    };
    aligned(args, at, align as u64)?;
    let mut out: VReg = [0; 256];
    match *dist {
        Dist::Norm => out.copy_from_slice(read(core, args, at, 256)?),
        Dist::Broadcast(size) => {
            let mut word = [0; 8];
            word[..size].copy_from_slice(read(core, args, at, size as u64)?);
            out = splat(u64::from_le_bytes(word), size);
        }
        Dist::Block => {
            let from = read(core, args, at, 32)?;
            out.chunks_exact_mut(32).for_each(|block| block.copy_from_slice(from));
        }
        Dist::ElementToBlock(size) => {
            for (block, from) in out.chunks_exact_mut(32).zip(read(core, args, at, 8 * size as u64)?.chunks_exact(size))
            {
                block.chunks_exact_mut(size).for_each(|lane| lane.copy_from_slice(from));
            }
        }
        Dist::UpSample(size) => {
            for (pair, from) in out.chunks_exact_mut(2 * size).zip(read(core, args, at, 128)?.chunks_exact(size)) {
                pair.chunks_exact_mut(size).for_each(|lane| lane.copy_from_slice(from));
            }
        }
        Dist::DownSample(size) => every_second(&mut out, read(core, args, at, 512)?, size, 0),
        Dist::Unpack(size, times) => {
            for (lane, from) in
                out.chunks_exact_mut(size * times).zip(read(core, args, at, 256 / times as u64)?.chunks_exact(size))
            {
                lane[..size].copy_from_slice(from);
            }
        }
        Dist::Split(size) => {
            let (mut odd, from) = ([0; 256], read(core, args, at, 512)?);
            every_second(&mut out, from, size, 0);
            every_second(&mut odd, from, size, size);
            put(core, args, 1, &odd)?;
        }
    }
    put(core, args, 0, &out)
}

/// The elements of `from` at even places, `skip` bytes further.
pub(super) fn every_second(out: &mut VReg, from: &[u8], size: usize, skip: usize) {
    for (lane, pair) in out.chunks_exact_mut(size).zip(from.chunks_exact(2 * size)) {
        lane.copy_from_slice(&pair[skip..skip + size]);
    }
}

/// The block stride and the advance of the pointer in a configuration word, in bytes.
pub(super) fn block_strides(args: &Args<'_>, i: usize) -> Result<(u64, u64), Fault> {
    let word = args.int(i)? as u32;
    Ok((u64::from(word >> 16) * 32, u64::from(word & 0xffff) * 32))
}

/// `(vd, ptr, cfg, p, POST_UPDATE)`: eight 32-byte blocks, `cfg >> 16` blocks apart; lanes that are off give 0, and a block
/// without a working lane is not read.
fn load_blocks(core: &mut Core, args: &Args<'_>) -> Done {
    let at = ub(args, 1)?;
    let (stride, advance) = block_strides(args, 2)?;
    let on = active_bytes(&predicate(core, args, 3)?, elem(args, 0)?.bytes() as usize);
    if args.word(4) == Some("POST_UPDATE") {
        core.hand_back("vsldb", at.saturating_add(advance));
    }
    aligned(args, at, 32)?;
    let mut out: VReg = [0; 256];
    for (b, to) in out.chunks_exact_mut(32).enumerate() {
        let bits = (on[b / 2] >> (32 * (b % 2))) as u32;
        if bits == 0 {
            continue;
        }
        let from = read(core, args, at.saturating_add(b as u64 * stride), 32)?;
        for (i, (to, from)) in to.iter_mut().zip(from).enumerate() {
            *to = if bits >> i & 1 == 1 { *from } else { 0 };
        }
    }
    put(core, args, 0, &out)
}
