//! Copies, fills and counting: `vmov`, `vdup`, `vbr`, `vci`, and the views that change a type only.

use super::super::{Arg, Args, Core, Intrinsic};
use super::regs::{Done, commit, elem, no_word, predicate, put, put_mask, source, splat};
use super::vector;

pub(super) const MOVES: &[Intrinsic] = &[
    vector("pbitcast", |core, args| {
        let m = predicate(core, args, 1)?;
        put_mask(core, args, 0, m)
    }),
    vector("reg_copy", copy),
    vector("vbitcast", copy),
    vector("vbr", |core, args| fill(core, args, usize::MAX)),
    vector("vci", count),
    vector("vdup", |core, args| fill(core, args, 2)),
    vector("vmov", |core, args| {
        if args.len() < 3 {
            return copy(core, args);
        }
        let (a, mask) = (source(core, args, 1)?, predicate(core, args, 2)?);
        commit(core, args, a, &mask, elem(args, 0)?.bytes() as usize, 3)
    }),
];

/// `(vd, va)`: all bytes.
fn copy(core: &mut Core, args: &Args<'_>) -> Done {
    let a = source(core, args, 1)?;
    put(core, args, 0, &a)
}

/// `(vd, scalar, p, mode)` or `(vd, va, p, position, mode)`: one value in the lanes of the predicate argument `p`, in all
/// lanes without one.
fn fill(core: &mut Core, args: &Args<'_>, p: usize) -> Done {
    let ty = elem(args, 0)?;
    let size = ty.bytes() as usize;
    let (bits, mode) = match args.list.get(1) {
        Some(Arg::Reg { .. }) => {
            let a = source(core, args, 1)?;
            let (at, mode) = match args.word(3) {
                Some("POS_LOWEST") => (0, 4),
                Some("POS_HIGHEST") => (256 - size, 4),
                _ => (0, 3),
            };
            let mut word = [0; 8];
            word[..size].copy_from_slice(&a[at..at + size]);
            (u64::from_le_bytes(word), mode)
        }
        _ => (args.scalar(1, ty)?, 3),
    };
    let all = splat(bits, size);
    if p >= args.len() {
        return put(core, args, 0, &all);
    }
    let mask = predicate(core, args, p)?;
    commit(core, args, all, &mask, size, mode)
}

/// `(vd, scalar, order)`: `s + i`, or `s + (L - 1 - i)`; integers wrap.
fn count(core: &mut Core, args: &Args<'_>) -> Done {
    use crate::num::{Num, decode, encode};
    let down = match args.word(2) {
        None | Some("INC_ORDER") => false,
        Some("DEC_ORDER") => true,
        Some(other) => return Err(no_word(args, other)),
    };
    let ty = elem(args, 0)?;
    let size = ty.bytes() as usize;
    let first = decode(ty, args.scalar(1, ty)?);
    let last = 256 / size - 1;
    let mut out = [0; 256];
    for (i, lane) in out.chunks_exact_mut(size).enumerate() {
        let i = if down { last - i } else { i };
        let v = match first {
            Num::Int(n) => Num::Int(n + i as i128),
            Num::Float(x) => Num::Float(x + i as f64),
        };
        lane.copy_from_slice(&encode(ty, v).to_le_bytes()[..size]);
    }
    put(core, args, 0, &out)
}
