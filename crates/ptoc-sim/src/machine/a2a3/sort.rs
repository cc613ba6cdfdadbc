//! Sorting of records: eight bytes, a score and an index.

use super::super::{Arg, Args, Core, Fault, FaultKind, Intrinsic};
use super::lane::{F16, F32, Lane};
use super::view::{aligned, repeats};
use super::{elem, no_type, vector};
use ptoc_target::{DType, Loc};
use std::cmp::Ordering;

pub(in super::super) const SORT: &[Intrinsic] = &[vector("vbitsort", vbitsort), vector("vmrgsort4", vmrgsort4)];

type Done = Result<(), Fault>;

/// Bytes of a record.
const RECORD: u64 = 8;

/// Descending, the zeros equal; a NaN lies beyond the infinity of its sign.
fn descending(a: f32, b: f32) -> Ordering {
    let beyond = |x: f32| match (x.is_nan(), x.is_sign_negative()) {
        (true, true) => -1,
        (true, false) => 1,
        (false, _) => 0,
    };
    beyond(b).cmp(&beyond(a)).then(b.partial_cmp(&a).unwrap_or(Ordering::Equal))
}

fn score(ty: DType, bytes: &[u8]) -> f32 {
    if ty == DType::F32 { F32::get(bytes) } else { F16::<false>::get(bytes) }
}

/// `(dst, scores, indices, repeat)`: each repeat sorts 32 scores; equal ones stay in order. Half scores have two zero bytes
/// after them.
fn vbitsort(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = elem(args, 1)?;
    if !matches!(ty, DType::F32 | DType::F16) {
        return Err(no_type(args, ty));
    }
    let size = ty.bytes();
    let (dst, src, index) = (aligned(args, 0, 32)?, aligned(args, 1, 32)?, aligned(args, 2, 32)?);
    for r in 0..repeats(args, 3)? {
        let mut records = [(0.0, [0u8; 8]); 32];
        let from = core.mem.read(Loc::Vec, src + r * 32 * size, 32 * size).map_err(|e| args.within(e))?;
        for ((key, record), from) in records.iter_mut().zip(from.chunks_exact(size as usize)) {
            *key = score(ty, from);
            record[..from.len()].copy_from_slice(from);
        }
        let from = core.mem.read(Loc::Vec, index + r * 128, 128).map_err(|e| args.within(e))?;
        for ((_, record), from) in records.iter_mut().zip(from.chunks_exact(4)) {
            record[4..].copy_from_slice(from);
        }
        records.sort_by(|(a, _), (b, _)| descending(*a, *b));
        let to = core.mem.write(Loc::Vec, dst + r * 256, 256).map_err(|e| args.within(e))?;
        for ((_, record), to) in records.iter().zip(to.chunks_exact_mut(8)) {
            to.copy_from_slice(record);
        }
    }
    Ok(())
}

/// `(dst, lists, lengths, config)`: merges descending lists of records; of equal scores the one of the lower list comes first.
/// Lengths are four 16-bit counts of records. Config: bits 7:0 repeat, 11:8 which lists, 12 stop when a list is empty. The
/// counts of records taken are handed back.
fn vmrgsort4(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = elem(args, 0)?;
    if !matches!(ty, DType::F32 | DType::F16) {
        return Err(no_type(args, ty));
    }
    let bad = |what: String| args.fault(FaultKind::BadArgument, what);
    let dst = aligned(args, 0, 8)?;
    let Some(Arg::List(lists)) = args.list.get(1) else {
        return Err(bad("argument 1 is no list of pointers".to_owned()));
    };
    let (lengths, config) = (args.int(2)? as u64, args.int(3)? as u64);
    let (repeat, valid, stop) = (config & 0xff, config >> 8 & 15, config >> 12 & 1 == 1);
    let n = match valid {
        0b0011 => 2,
        0b0111 => 3,
        0b1111 => 4,
        _ => return Err(bad(format!("valid lists {valid:#06b}: the first two, three or four are asked for"))),
    };
    if n > lists.len() || (repeat > 1 && n != 4) {
        return Err(bad(format!("{} list addresses and {repeat} repeats for {n} lists", lists.len())));
    }
    let mut list = [(0, 0); 4];
    for (i, (at, len)) in list.iter_mut().take(n).enumerate() {
        let sub = Args { name: args.name, list: lists };
        (*at, *len) = (aligned(&sub, i, 8)?, lengths >> (16 * i) & 0xffff);
        if *len > 4095 {
            return Err(bad(format!("a list of {len} records, 4095 at most")));
        }
    }
    let total: u64 = list.iter().map(|(_, len)| len).sum();
    let mut taken = [0; 4];
    for r in 0..repeat {
        taken = [0; 4];
        let base = r * total * RECORD;
        for k in 0..total {
            let mut best: Option<(f32, usize, u64)> = None;
            for (i, (at, _)) in list.iter().enumerate().filter(|(i, (_, len))| taken[*i] < *len) {
                let at = at + base + taken[i] * RECORD;
                let key = score(ty, core.mem.read(Loc::Vec, at, ty.bytes()).map_err(|e| args.within(e))?);
                if best.is_none_or(|(b, ..)| descending(key, b) == Ordering::Less) {
                    best = Some((key, i, at));
                }
            }
            let Some((_, i, at)) = best else { break };
            let to = dst + base + k * RECORD;
            core.mem.copy((Loc::Vec, to), (Loc::Vec, at), RECORD).map_err(|e| args.within(e))?;
            taken[i] += 1;
            if stop && taken[i] == list[i].1 {
                break;
            }
        }
    }
    core.hand_back("get_vms4_sr", (0..4).fold(0, |word, i| word | taken[i] << (16 * i)));
    Ok(())
}
