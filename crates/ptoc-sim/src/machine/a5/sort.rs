//! Sorting and counting: `vbitsort` and `vmrgsort4` from UB to UB, and the histogram of a register of bytes.
//!
//! A record is eight bytes: a score in the low part, its index in the upper four bytes. Larger scores come first; of equal
//! ones the earlier, or the one of the lower list.

use super::super::{Arg, Args, Core, Fault, FaultKind, Intrinsic};
use super::regs::{Done, active, elem, no_type, no_word, predicate, put, source, ub};
use super::vector;
use ptoc_target::{DType, Loc};

pub(super) const SORT: &[Intrinsic] =
    &[vector("chistv2", histogram), vector("vbitsort", sort_groups), vector("vmrgsort4", merge)];

/// Bytes of a record.
const RECORD: u64 = 8;

/// The score type of a pointer argument.
fn score_type(args: &Args<'_>, i: usize) -> Result<DType, Fault> {
    match args.ptr(i)?.elem {
        Some(ty @ (DType::F32 | DType::F16)) => Ok(ty),
        Some(ty) => Err(no_type(args, ty)),
        None => Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} has no element type"))),
    }
}

/// The place of a score in the order of sorting: both zeros are equal, NaN lies beyond the infinities on the side of its sign.
fn rank(ty: DType, bits: u64) -> i64 {
    let sign = 1u64 << (8 * ty.bytes() - 1);
    let size = (bits & (sign - 1)) as i64;
    if bits & sign == 0 { size } else { -size }
}

/// `(dst, src, idx, n)`: `n` groups of 32 scores with their indices become records, the largest score first.
fn sort_groups(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = score_type(args, 1)?;
    let size = ty.bytes();
    let [dst, src, idx] = [ub(args, 0)?, ub(args, 1)?, ub(args, 2)?];
    let n = args.count(3)?;
    if n > 255 {
        return Err(args.fault(FaultKind::BadArgument, format_args!("{n} groups, 255 at most")));
    }
    for g in 0..n {
        let mut records = [(0, [0u8; 8]); 32];
        let scores = core.mem.read(Loc::Vec, src + g * 32 * size, 32 * size).map_err(|e| args.within(e))?;
        for ((score, record), from) in records.iter_mut().zip(scores.chunks_exact(size as usize)) {
            record[..from.len()].copy_from_slice(from);
            *score = rank(ty, u64::from_le_bytes(*record));
        }
        let indices = core.mem.read(Loc::Vec, idx + g * 128, 128).map_err(|e| args.within(e))?;
        for ((_, record), from) in records.iter_mut().zip(indices.chunks_exact(4)) {
            record[4..].copy_from_slice(from);
        }
        records.sort_by_key(|r| std::cmp::Reverse(r.0));
        let to = core.mem.write(Loc::Vec, dst + g * 256, 256).map_err(|e| args.within(e))?;
        for (to, (_, record)) in to.chunks_exact_mut(8).zip(&records) {
            to.copy_from_slice(record);
        }
    }
    Ok(())
}

/// `(dst, [sources], counts, cfg)`: merges up to four sorted lists of records. `counts` has 16 bits for each list; `cfg` the
/// repeats in bits 7 to 0, the lists that take part in bits 11 to 8, and in bit 12 whether to stop when a list is used up.
/// A repeat goes on behind all lists.
fn merge(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = score_type(args, 0)?;
    let dst = ub(args, 0)?;
    let Some(Arg::List(sources)) = args.list.get(1) else {
        return Err(args.fault(FaultKind::BadArgument, "argument 1 is no list of pointers"));
    };
    let (counts, cfg) = (args.int(2)? as u64, args.int(3)? as u64);
    let (repeats, stop) = (cfg & 0xff, cfg >> 12 & 1 == 1);
    let mut lists: [(u64, u64); 4] = [(0, 0); 4];
    for (q, list) in lists.iter_mut().enumerate() {
        if cfg >> (8 + q) & 1 == 0 {
            continue;
        }
        match sources.get(q) {
            Some(Arg::Ptr(p)) if p.space == Loc::Vec => *list = (p.addr, counts >> (16 * q) & 0xffff),
            _ => return Err(args.fault(FaultKind::BadArgument, format_args!("list {q} has no address in UB"))),
        }
    }
    let all: u64 = lists.iter().map(|(_, n)| n).sum();
    if all * RECORD > core.mem.size(Loc::Vec) {
        return Err(args.fault(FaultKind::OutOfRange, format_args!("{all} records do not fit into UB")));
    }
    let mut used = [0; 4];
    for r in 0..repeats {
        let skip = r * all * RECORD;
        let mut records = [const { Vec::new() }; 4];
        for ((at, n), records) in lists.iter().zip(&mut records) {
            let bytes = core.mem.read(Loc::Vec, at + skip, n * RECORD).map_err(|e| args.within(e))?;
            *records = bytes.as_chunks::<8>().0.to_vec();
        }
        let score = |record: &[u8; 8]| rank(ty, u64::from_le_bytes(*record));
        let mut merged: Vec<[u8; 8]> = Vec::with_capacity(all as usize);
        used = [0usize; 4];
        loop {
            let heads = (0..4).filter_map(|q| records[q].get(used[q]).map(|r| (q, r, score(r))));
            let Some((q, record, _)) = heads.reduce(|best, next| if next.2 > best.2 { next } else { best }) else {
                break;
            };
            merged.push(*record);
            used[q] += 1;
            if stop && used[q] == records[q].len() {
                break;
            }
        }
        let to = core.mem.write(Loc::Vec, dst + skip, merged.len() as u64 * RECORD).map_err(|e| args.within(e))?;
        to.copy_from_slice(merged.as_flattened());
    }
    let consumed = used.iter().enumerate().fold(0, |word, (q, n)| word | (*n as u64 & 0xffff) << (16 * q));
    core.hand_back("get_vms4_sr", consumed);
    Ok(())
}

/// `(vd, vs, p, half)`: counter `n` of `vd` grows by the number of working bytes of `vs` that are at most `n`, or at most
/// `128 + n` for the second half.
fn histogram(core: &mut Core, args: &Args<'_>) -> Done {
    let first = match args.word(3) {
        Some("Bin_N0") | None => 0,
        Some("Bin_N1") => 128,
        Some(other) => return Err(no_word(args, other)),
    };
    if elem(args, 0)?.bytes() != 2 || elem(args, 1)?.bytes() != 1 {
        return Err(args.fault(FaultKind::Unsupported, "other than 16-bit counters of bytes"));
    }
    let (mut v, bytes) = (source(core, args, 0)?, source(core, args, 1)?);
    let mask = predicate(core, args, 2)?;
    let mut counts = [0u16; 256];
    for (i, b) in bytes.iter().enumerate() {
        counts[usize::from(*b)] += u16::from(active(&mask, i));
    }
    let mut below = counts[..first].iter().sum::<u16>();
    for (n, to) in counts[first..].iter().zip(v.as_chunks_mut::<2>().0) {
        below += n;
        *to = u16::from_le_bytes(*to).wrapping_add(below).to_le_bytes();
    }
    put(core, args, 0, &v)
}
