//! Lanes in another order: interleaves, packing, selection by index, compaction.

use super::super::{Args, Core, Fault, Intrinsic, VReg};
use super::load::every_second;
use super::regs::{Done, active, elem, no_word, predicate, put, source};
use super::vector;

pub(super) const PERMUTE: &[Intrinsic] = &[
    vector("vdintlv", deinterleave),
    vector("vintlv", interleave),
    vector("vpack", pack),
    vector("vselr", select),
    vector("vsqz", squeeze),
    vector("vsunpack", |core, args| unpack(core, args, true)),
    vector("vzunpack", |core, args| unpack(core, args, false)),
];

/// `(vd0, vd1, va, vb)`: the lanes of both in turn, first half and second half.
fn interleave(core: &mut Core, args: &Args<'_>) -> Done {
    let size = elem(args, 0)?.bytes() as usize;
    let (a, b) = (source(core, args, 2)?, source(core, args, 3)?);
    for (i, half) in [0..128, 128..256].into_iter().enumerate() {
        let mut out: VReg = [0; 256];
        let lanes = a[half.clone()].chunks_exact(size).zip(b[half].chunks_exact(size));
        for (pair, (a, b)) in out.chunks_exact_mut(2 * size).zip(lanes) {
            pair[..size].copy_from_slice(a);
            pair[size..].copy_from_slice(b);
        }
        put(core, args, i, &out)?;
    }
    Ok(())
}

/// `(vd0, vd1, va, vb)`: the even and the odd lanes of `va` and `vb` behind each other.
fn deinterleave(core: &mut Core, args: &Args<'_>) -> Done {
    let size = elem(args, 0)?.bytes() as usize;
    let mut all = [0; 512];
    all[..256].copy_from_slice(&source(core, args, 2)?);
    all[256..].copy_from_slice(&source(core, args, 3)?);
    for (i, skip) in [0, size].into_iter().enumerate() {
        let mut out = [0; 256];
        every_second(&mut out, &all, size, skip);
        put(core, args, i, &out)?;
    }
    Ok(())
}

/// Whether a part is the upper half.
fn upper(args: &Args<'_>, i: usize) -> Result<bool, Fault> {
    match args.word(i) {
        None | Some("LOWER") => Ok(false),
        Some("HIGHER") => Ok(true),
        Some(other) => Err(no_word(args, other)),
    }
}

/// `(vd, va, part)`: the low half of every lane, packed into a half of the result; the other half is zero.
fn pack(core: &mut Core, args: &Args<'_>) -> Done {
    let small = elem(args, 0)?.bytes() as usize;
    let (a, mut out): (VReg, VReg) = (source(core, args, 1)?, [0; 256]);
    let half = if upper(args, 2)? { &mut out[128..] } else { &mut out[..128] };
    for (to, lane) in half.chunks_exact_mut(small).zip(a.chunks_exact(2 * small)) {
        to.copy_from_slice(&lane[..small]);
    }
    put(core, args, 0, &out)
}

/// `(vd, va, part)`: the lanes of a half, widened with their sign or with zeros.
fn unpack(core: &mut Core, args: &Args<'_>, signed: bool) -> Done {
    let small = elem(args, 1)?.bytes() as usize;
    let (a, mut out): (VReg, VReg) = (source(core, args, 1)?, [0; 256]);
    let half = if upper(args, 2)? { &a[128..] } else { &a[..128] };
    for (to, lane) in out.chunks_exact_mut(2 * small).zip(half.chunks_exact(small)) {
        to[..small].copy_from_slice(lane);
        if signed && lane[small - 1] & 0x80 != 0 {
            to[small..].fill(0xff);
        }
    }
    put(core, args, 0, &out)
}

/// `(vd, va, vidx)`: lane `i` is lane `vidx[i]` of `va`, the index taken within the register.
fn select(core: &mut Core, args: &Args<'_>) -> Done {
    let size = elem(args, 0)?.bytes() as usize;
    let (a, places, mut out): (VReg, VReg, VReg) = (source(core, args, 1)?, source(core, args, 2)?, [0; 256]);
    for (to, place) in out.chunks_exact_mut(size).zip(places.chunks_exact(size)) {
        let n = place.iter().rev().fold(0usize, |n, b| n << 8 | usize::from(*b)) % (256 / size);
        to.copy_from_slice(&a[n * size..][..size]);
    }
    put(core, args, 0, &out)
}

/// `(vd, va, p, mode)`: the working lanes, packed to the front, zeros behind them. `MODE_STORED` keeps their bytes for
/// `vstur`.
fn squeeze(core: &mut Core, args: &Args<'_>) -> Done {
    let size = elem(args, 0)?.bytes() as usize;
    let (a, mask, mut out): (VReg, _, VReg) = (source(core, args, 1)?, predicate(core, args, 2)?, [0; 256]);
    let mut n = 0;
    for (i, lane) in a.chunks_exact(size).enumerate() {
        if active(&mask, i * size) {
            out[n..n + size].copy_from_slice(lane);
            n += size;
        }
    }
    match args.word(3) {
        Some("MODE_STORED") => core.squeezed = n as u64,
        None | Some("MODE_NO_STORED") => {}
        Some(other) => return Err(no_word(args, other)),
    }
    put(core, args, 0, &out)
}
