//! Predicates: made from counts and patterns, combined, packed, loaded and stored.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic, Mask};
use super::regs::{Done, first_lanes, no_word, predicate, put_mask, read, ub};
use super::vector;
use ptoc_target::Loc;

pub(super) const PREDICATE: &[Intrinsic] = &[
    vector("pand", |core, args| combine(core, args, |a, b| a & b)),
    vector("pdintlv_b16", |core, args| deinterleave(core, args, 2)),
    vector("pdintlv_b32", |core, args| deinterleave(core, args, 4)),
    vector("pdintlv_b8", |core, args| deinterleave(core, args, 1)),
    vector("pge_b16", |core, args| pattern(core, args, 2)),
    vector("pge_b32", |core, args| pattern(core, args, 4)),
    vector("pge_b8", |core, args| pattern(core, args, 1)),
    vector("pintlv_b16", |core, args| interleave(core, args, 2)),
    vector("pintlv_b32", |core, args| interleave(core, args, 4)),
    vector("pintlv_b8", |core, args| interleave(core, args, 1)),
    vector("plds", load),
    vector("plt_b16", |core, args| below(core, args, "plt_b16", 2)),
    vector("plt_b32", |core, args| below(core, args, "plt_b32", 4)),
    vector("plt_b8", |core, args| below(core, args, "plt_b8", 1)),
    vector("pnot", |core, args| {
        let (a, g) = (predicate(core, args, 1)?, predicate(core, args, 2)?);
        put_mask(core, args, 0, std::array::from_fn(|w| !a[w] & g[w]))
    }),
    vector("por", |core, args| combine(core, args, |a, b| a | b)),
    vector("ppack", pack),
    vector("psel", |core, args| {
        let [a, b, g] = [predicate(core, args, 1)?, predicate(core, args, 2)?, predicate(core, args, 3)?];
        put_mask(core, args, 0, std::array::from_fn(|w| a[w] & g[w] | b[w] & !g[w]))
    }),
    vector("pset_b16", |core, args| pattern(core, args, 2)),
    vector("pset_b32", |core, args| pattern(core, args, 4)),
    vector("pset_b8", |core, args| pattern(core, args, 1)),
    vector("psts", store),
    vector("punpack", unpack),
    vector("pxor", |core, args| combine(core, args, |a, b| a ^ b)),
];

/// `(p, n, POST_UPDATE)`: the first `n` lanes; hands back what is left of `n` for the next register.
fn below(core: &mut Core, args: &Args<'_>, name: &'static str, size: usize) -> Done {
    let n = args.int(1)? as u32;
    core.hand_back(name, u64::from(n.saturating_sub(256 / size as u32)));
    put_mask(core, args, 0, first_lanes(u64::from(n), size))
}

/// `(p, pattern)`
fn pattern(core: &mut Core, args: &Args<'_>, size: usize) -> Done {
    let lanes = 256 / size as u64;
    let word = args.word(1).unwrap_or("PAT_ALL");
    let m = match word.trim_start_matches("PAT_") {
        "ALL" => first_lanes(lanes, size),
        "ALLF" => [0; 4],
        "H" => first_lanes(lanes / 2, size),
        "Q" => first_lanes(lanes / 4, size),
        "M3" => every(3, size),
        "M4" => every(4, size),
        other => match other.strip_prefix("VL").and_then(|n| n.parse().ok()) {
            Some(n) => first_lanes(n, size),
            None => return Err(no_word(args, word)),
        },
    };
    put_mask(core, args, 0, m)
}

/// The lanes whose index is a multiple of `n`.
fn every(n: usize, size: usize) -> Mask {
    let mut m = [0; 4];
    for bit in (0..256).step_by(n * size) {
        m[bit / 64] |= 1 << (bit % 64);
    }
    m
}

/// `(pd, pa, pb, pg)`: off where `pg` is.
fn combine(core: &mut Core, args: &Args<'_>, f: impl Fn(u64, u64) -> u64) -> Done {
    let [a, b, g] = [predicate(core, args, 1)?, predicate(core, args, 2)?, predicate(core, args, 3)?];
    put_mask(core, args, 0, std::array::from_fn(|w| f(a[w], b[w]) & g[w]))
}

/// 256 bits as two numbers, the low one first.
fn halves(m: &Mask) -> [u128; 2] {
    [0, 2].map(|w| u128::from(m[w]) | u128::from(m[w + 1]) << 64)
}

fn joined(halves: [u128; 2]) -> Mask {
    let [a, b] = halves;
    [a as u64, (a >> 64) as u64, b as u64, (b >> 64) as u64]
}

/// Groups of `size` bits of a 64-bit number, each followed by as many zeros.
fn spread(half: u64, size: usize) -> u128 {
    let group = (1u128 << size) - 1;
    (0..64 / size).fold(0, |m, i| m | (u128::from(half) >> (i * size) & group) << (2 * i * size))
}

/// The even groups of `size` bits, packed.
fn squeeze(m: u128, size: usize) -> u64 {
    let group = (1u128 << size) - 1;
    (0..64 / size).fold(0, |half, i| half | ((m >> (2 * i * size) & group) as u64) << (i * size))
}

/// `(pd0, pd1, pa, pb)`: the lanes of both in turn, first half and second half.
fn interleave(core: &mut Core, args: &Args<'_>, size: usize) -> Done {
    let (a, b) = (predicate(core, args, 2)?, predicate(core, args, 3)?);
    let turn: [u128; 4] = std::array::from_fn(|w| spread(a[w], size) | spread(b[w], size) << size);
    put_mask(core, args, 0, joined([turn[0], turn[1]]))?;
    put_mask(core, args, 1, joined([turn[2], turn[3]]))
}

/// `(pd0, pd1, pa, pb)`: the even and the odd lanes of `pa` and `pb` behind each other.
fn deinterleave(core: &mut Core, args: &Args<'_>, size: usize) -> Done {
    let [a, b] = [halves(&predicate(core, args, 2)?), halves(&predicate(core, args, 3)?)];
    let all = [a[0], a[1], b[0], b[1]];
    put_mask(core, args, 0, all.map(|m| squeeze(m, size)))?;
    put_mask(core, args, 1, all.map(|m| squeeze(m >> size, size)))
}

/// Whether a part is the upper half.
fn upper(args: &Args<'_>, i: usize) -> Result<bool, Fault> {
    match args.word(i) {
        None | Some("LOWER") => Ok(false),
        Some("HIGHER") => Ok(true),
        Some(other) => Err(no_word(args, other)),
    }
}

/// `(pd, ps, part)`: every second bit, in the lower or the upper half.
fn pack(core: &mut Core, args: &Args<'_>) -> Done {
    let [a, b] = halves(&predicate(core, args, 1)?).map(|m| squeeze(m, 1));
    put_mask(core, args, 0, if upper(args, 2)? { [0, 0, a, b] } else { [a, b, 0, 0] })
}

/// `(pd, ps, part)`: each bit of a half followed by a zero.
fn unpack(core: &mut Core, args: &Args<'_>) -> Done {
    let m = predicate(core, args, 1)?;
    let [a, b] = if upper(args, 2)? { [m[2], m[3]] } else { [m[0], m[1]] };
    put_mask(core, args, 0, joined([spread(a, 1), spread(b, 1)]))
}

/// The UB address of `(register, ptr, offset)`, the offset in bytes whatever the pointer points to.
fn image(args: &Args<'_>) -> Result<u64, Fault> {
    let (at, offset) = (ub(args, 1)?, args.int(2)?);
    at.checked_add_signed(offset)
        .ok_or_else(|| args.fault(FaultKind::OutOfRange, format_args!("offset {offset} leaves UB")))
}

/// The words of a bit image.
fn words<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut out = [0; N];
    for (w, b) in out.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *w = u64::from_le_bytes(*b);
    }
    out
}

/// `(pd, ptr, offset, dist)`: a bit image, lowest bit first.
fn load(core: &mut Core, args: &Args<'_>) -> Done {
    let at = image(args)?;
    let m = match args.word(3) {
        None | Some("NORM") => words(read(core, args, at, 32)?),
        Some("US") => {
            let [a, b] = words(read(core, args, at, 16)?).map(|w| spread(w, 1) | spread(w, 1) << 1);
            joined([a, b])
        }
        Some("DS") => {
            let w: [u64; 8] = words(read(core, args, at, 64)?);
            std::array::from_fn(|i| squeeze(u128::from(w[2 * i]) | u128::from(w[2 * i + 1]) << 64, 1))
        }
        Some(other) => return Err(no_word(args, other)),
    };
    put_mask(core, args, 0, m)
}

/// `(ps, ptr, offset, dist)`
fn store(core: &mut Core, args: &Args<'_>) -> Done {
    let at = image(args)?;
    let m = predicate(core, args, 0)?;
    let packed = halves(&m).map(|m| squeeze(m, 1));
    let words: &[u64] = match args.word(3) {
        None | Some("NORM") => &m,
        Some("PK") => &packed,
        Some(other) => return Err(no_word(args, other)),
    };
    let to = core.mem.write(Loc::Vec, at, 8 * words.len() as u64).map_err(|e| args.within(e))?;
    for (to, w) in to.as_chunks_mut::<8>().0.iter_mut().zip(words) {
        *to = w.to_le_bytes();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::regs::lane_bits;
    use super::*;

    #[test]
    fn groups_spread_and_squeeze() {
        for size in [1, 2, 4] {
            let half = 0x0123_4567_89ab_cdef;
            assert_eq!(squeeze(spread(half, size), size), half);
            assert_eq!(squeeze(spread(half, size) >> size, size), 0);
        }
        assert_eq!(spread(0b1011, 1), 0b1000101);
        assert_eq!(every(3, 4)[0], 1 | 1 << 12 | 1 << 24 | 1 << 36 | 1 << 48 | 1 << 60);
        assert_eq!(every(4, 2)[0] & lane_bits(2), every(4, 2)[0]);
    }
}
