//! Stores to UB with a distribution: which bytes of a register reach memory.

use super::super::{Arg, Args, Core, Intrinsic, Mask, VReg};
use super::load::block_strides;
use super::regs::{Done, active, active_bytes, address, aligned, elem, no_word, predicate, runs, source, ub};
use super::vector;
use ptoc_target::Loc;

pub(super) const STORE: &[Intrinsic] = &[vector("vsstb", store_blocks), vector("vsts", store)];

/// How a store takes bytes from a register; the number is the bytes of a lane.
#[derive(Clone, Copy)]
enum Dist {
    /// Working lanes as they lie.
    Norm(usize),
    /// The lowest lane, whatever the predicate says.
    One(usize),
    /// The lowest `1 / .1` of each working lane, packed.
    Pack(usize, usize),
    /// Lanes of two registers in turn, whatever the predicate says.
    Merge(usize),
}

/// The words of all distributions.
const DISTS: &[(&str, Dist)] = &[
    ("NORM_B16", Dist::Norm(2)),
    ("NORM_B32", Dist::Norm(4)),
    ("NORM_B8", Dist::Norm(1)),
    ("INTLV_B16", Dist::Merge(2)),
    ("INTLV_B32", Dist::Merge(4)),
    ("INTLV_B8", Dist::Merge(1)),
    ("ONEPT_B16", Dist::One(2)),
    ("ONEPT_B32", Dist::One(4)),
    ("ONEPT_B8", Dist::One(1)),
    ("PK4_B32", Dist::Pack(4, 4)),
    ("PK_B16", Dist::Pack(2, 2)),
    ("PK_B32", Dist::Pack(4, 2)),
    ("PK_B64", Dist::Pack(8, 2)),
];

/// `(vs, ptr, offset, dist, p, POST_UPDATE)`, with a second register after the first where two are stored. Without a
/// distribution the lanes of the register's type.
fn store(core: &mut Core, args: &Args<'_>) -> Done {
    let p = if matches!(args.list.get(1), Some(Arg::Reg { .. })) { 2 } else { 1 };
    let at = address(core, args, "vsts", p, args.int(p + 1)?, p + 4)?;
    let dist = match args.word(p + 2) {
        None => Dist::Norm(elem(args, 0)?.bytes() as usize),
        Some(word) => match DISTS.iter().find(|(name, _)| *name == word) {
            Some((_, dist)) if matches!(dist, Dist::Merge(_)) == (p == 2) => *dist,
            _ => return Err(no_word(args, word)),
        },
    };
    let (v, mask) = (source(core, args, 0)?, predicate(core, args, p + 3)?);
    match dist {
        Dist::Norm(size) => {
            aligned(args, at, 32)?;
            write_runs(core, args, at, &v, &active_bytes(&mask, size))
        }
        Dist::One(size) => {
            aligned(args, at, size as u64)?;
            write(core, args, at, &v[..size])
        }
        Dist::Pack(size, times) => {
            let small = size / times;
            aligned(args, at, small as u64)?;
            let (mut packed, mut bits): (VReg, Mask) = ([0; 256], [0; 4]);
            for (i, (lane, to)) in v.chunks_exact(size).zip(packed.chunks_exact_mut(small)).enumerate() {
                to.copy_from_slice(&lane[..small]);
                let on = u64::from(active(&mask, i * size)) * ((1 << small) - 1);
                bits[i * small / 64] |= on << (i * small % 64);
            }
            write_runs(core, args, at, &packed, &bits)
        }
        Dist::Merge(size) => {
            aligned(args, at, 2 * size as u64)?;
            let odd = source(core, args, 1)?;
            let mut both = [0; 512];
            for (pair, (a, b)) in both.chunks_exact_mut(2 * size).zip(v.chunks_exact(size).zip(odd.chunks_exact(size)))
            {
                pair[..size].copy_from_slice(a);
                pair[size..].copy_from_slice(b);
            }
            write(core, args, at, &both)
        }
    }
}

/// Writes bytes to UB.
pub(super) fn write(core: &mut Core, args: &Args<'_>, at: u64, bytes: &[u8]) -> Done {
    let to = core.mem.write(Loc::Vec, at, bytes.len() as u64).map_err(|e| args.within(e))?;
    to.copy_from_slice(bytes);
    Ok(())
}

/// Writes the bytes of a register whose bits are set.
fn write_runs(core: &mut Core, args: &Args<'_>, at: u64, v: &VReg, bits: &Mask) -> Done {
    runs(bits, |start, n| write(core, args, at + start as u64, &v[start..start + n]))
}

/// `(vs, ptr, cfg, p, POST_UPDATE)`: the working lanes of eight 32-byte blocks that go `cfg >> 16` blocks apart; the
/// pointer advances by the low half of `cfg` in blocks.
fn store_blocks(core: &mut Core, args: &Args<'_>) -> Done {
    let at = ub(args, 1)?;
    let (stride, advance) = block_strides(args, 2)?;
    let (v, mask) = (source(core, args, 0)?, predicate(core, args, 3)?);
    if args.word(4) == Some("POST_UPDATE") {
        core.hand_back("vsstb", at.saturating_add(advance));
    }
    aligned(args, at, 32)?;
    let on = active_bytes(&mask, elem(args, 0)?.bytes() as usize);
    for b in 0..8 {
        let bits = [on[b / 2] >> (32 * (b % 2)) & 0xffff_ffff, 0, 0, 0];
        let block = &v[32 * b..][..32];
        let to = at.saturating_add(b as u64 * stride);
        runs(&bits, |start, n| write(core, args, to + start as u64, &block[start..start + n]))?;
    }
    Ok(())
}
