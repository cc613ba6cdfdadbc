//! The registers of a call: what sources hold, and how results are kept where a predicate is off.

use super::super::{Arg, Args, Core, Fault, FaultKind, Mask, VReg};
use ptoc_target::{DType, Loc};

/// The most virtual registers of one kind that a program may have.
const REGISTER_LIMIT: usize = 1 << 20;

/// What a handler gives.
pub(super) type Done = Result<(), Fault>;

/// Predicate bits that lanes of `size` bytes look at, for one word of a predicate.
pub(super) const fn lane_bits(size: usize) -> u64 {
    match size {
        1 => u64::MAX,
        2 => 0x5555_5555_5555_5555,
        4 => 0x1111_1111_1111_1111,
        _ => 0x0101_0101_0101_0101,
    }
}

/// The predicate bits of the first `n` lanes of `size` bytes.
pub(super) fn first_lanes(n: u64, size: usize) -> Mask {
    let bits = n.saturating_mul(size as u64).min(256);
    std::array::from_fn(|w| {
        let here = bits.saturating_sub(64 * w as u64).min(64) as u32;
        u64::MAX.unbounded_shr(64 - here) & lane_bits(size)
    })
}

/// Whether the predicate bit of a byte is set.
pub(super) fn active(mask: &Mask, byte: usize) -> bool {
    mask[byte / 64 % 4] >> (byte % 64) & 1 == 1
}

/// One bit for each byte of the lanes that a predicate switches on.
pub(super) fn active_bytes(mask: &Mask, size: usize) -> Mask {
    // Lane bits are `size` apart, so the copies do not meet.
    mask.map(|m| (m & lane_bits(size)).wrapping_mul((1 << size) - 1))
}

/// What a register holds; zeros before anything was written.
fn register(core: &Core, id: usize) -> VReg {
    core.vregs.get(id).copied().unwrap_or([0; 256])
}

/// What a vector register argument holds.
pub(super) fn source(core: &Core, args: &Args<'_>, i: usize) -> Result<VReg, Fault> {
    Ok(register(core, args.reg(i)?.0))
}

/// A vector register, or a scalar in every lane.
pub(super) fn operand(core: &Core, args: &Args<'_>, i: usize, ty: DType) -> Result<VReg, Fault> {
    if let Some(Arg::Reg { id, .. }) = args.list.get(i) {
        return Ok(register(core, *id as usize));
    }
    Ok(splat(args.scalar(i, ty)?, ty.bytes() as usize))
}

/// The low `size` bytes of a number in every lane.
pub(super) fn splat(bits: u64, size: usize) -> VReg {
    let mut out = [0; 256];
    let bytes = bits.to_le_bytes();
    for lane in out.chunks_exact_mut(size) {
        lane.copy_from_slice(&bytes[..size]);
    }
    out
}

/// The element type of a vector register argument.
pub(super) fn elem(args: &Args<'_>, i: usize) -> Result<DType, Fault> {
    args.reg(i).map(|(_, ty)| ty)
}

/// What a predicate argument holds; no lane before anything was written.
pub(super) fn predicate(core: &Core, args: &Args<'_>, i: usize) -> Result<Mask, Fault> {
    Ok(core.masks.get(args.mask(i)?).copied().unwrap_or([0; 4]))
}

/// The slot of a register, which exists afterwards.
pub(super) fn slot<'c, T: Clone>(
    list: &'c mut Vec<T>,
    id: usize,
    empty: T,
    args: &Args<'_>,
) -> Result<&'c mut T, Fault> {
    if id >= REGISTER_LIMIT {
        let what = format_args!("register number {id}, below {REGISTER_LIMIT} is expected");
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    if id >= list.len() {
        list.resize(id + 1, empty);
    }
    Ok(&mut list[id])
}

/// Writes a whole vector register.
pub(super) fn put(core: &mut Core, args: &Args<'_>, i: usize, v: &VReg) -> Done {
    let id = args.reg(i)?.0;
    *slot(&mut core.vregs, id, [0; 256], args)? = *v;
    Ok(())
}

/// Writes a predicate.
pub(super) fn put_mask(core: &mut Core, args: &Args<'_>, i: usize, m: Mask) -> Done {
    let id = args.mask(i)?;
    *slot(&mut core.masks, id, [0; 4], args)? = m;
    Ok(())
}

/// The bytes 0 or 255 for eight bits.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut i = 0;
        while i < 8 {
            if bits >> i & 1 == 1 {
                table[bits] |= 0xff << (8 * i);
            }
            i += 1;
        }
        bits += 1;
    }
    table
};

/// `v` where a byte is on, `other` elsewhere.
pub(super) fn blend(v: &mut VReg, other: &VReg, on: &Mask) {
    if *on == [u64::MAX; 4] {
        return;
    }
    let bits = on.iter().flat_map(|w| w.to_le_bytes());
    for ((v, other), bits) in v.as_chunks_mut::<8>().0.iter_mut().zip(other.as_chunks::<8>().0).zip(bits) {
        let keep = SPREAD[bits as usize];
        let mixed = u64::from_le_bytes(*v) & keep | u64::from_le_bytes(*other) & !keep;
        *v = mixed.to_le_bytes();
    }
}

/// Writes a result under a predicate of lanes of `size` bytes; `mode` is the argument that may say `MODE_MERGING`.
pub(super) fn commit(core: &mut Core, args: &Args<'_>, mut v: VReg, mask: &Mask, size: usize, mode: usize) -> Done {
    let to = slot(&mut core.vregs, args.reg(0)?.0, [0; 256], args)?;
    let on = active_bytes(mask, size);
    match args.word(mode) {
        Some("MODE_MERGING") => blend(&mut v, to, &on),
        None | Some("MODE_ZEROING") => blend(&mut v, &[0; 256], &on),
        Some(other) => return Err(args.fault(FaultKind::BadArgument, format_args!("mode `{other}`"))),
    }
    *to = v;
    Ok(())
}

/// The fault of an element type that an intrinsic does not take.
pub(super) fn no_type(args: &Args<'_>, ty: DType) -> Fault {
    args.fault(FaultKind::Unsupported, format_args!("no form for elements of type {ty}"))
}

/// The fault of a word that an intrinsic does not take.
pub(super) fn no_word(args: &Args<'_>, word: &str) -> Fault {
    args.fault(FaultKind::Unsupported, format_args!("no form `{word}`"))
}

/// The UB address of a pointer argument plus an offset, and the bytes of an element of it.
///
/// With `POST_UPDATE` as argument `post` the access is at the pointer itself, and the address behind the offset is handed
/// back under the name of the intrinsic.
pub(super) fn address(
    core: &mut Core,
    args: &Args<'_>,
    name: &'static str,
    ptr: usize,
    offset: i64,
    post: usize,
) -> Result<u64, Fault> {
    let p = ub(args, ptr)?;
    let size = element_size(args, ptr)? as i64;
    let moved = offset.checked_mul(size).and_then(|n| p.checked_add_signed(n));
    let moved = moved.ok_or_else(|| args.fault(FaultKind::OutOfRange, format_args!("offset {offset} leaves UB")))?;
    if args.word(post) == Some("POST_UPDATE") {
        core.hand_back(name, moved);
        return Ok(p);
    }
    Ok(moved)
}

/// The UB address of a pointer argument.
pub(super) fn ub(args: &Args<'_>, i: usize) -> Result<u64, Fault> {
    let p = args.ptr(i)?;
    if p.space == Loc::Vec {
        return Ok(p.addr);
    }
    Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} lies in {}, not in UB", p.space.memory())))
}

/// Bytes of an element that a pointer argument points to; 1 for an untyped one.
pub(super) fn element_size(args: &Args<'_>, i: usize) -> Result<u64, Fault> {
    Ok(args.ptr(i)?.elem.map_or(1, DType::bytes))
}

/// Bytes of UB.
pub(super) fn read<'c>(core: &'c mut Core, args: &Args<'_>, at: u64, n: u64) -> Result<&'c [u8], Fault> {
    core.mem.read(Loc::Vec, at, n).map_err(|e| args.within(e))
}

/// Refuses an address that is no multiple of `align`.
pub(super) fn aligned(args: &Args<'_>, at: u64, align: u64) -> Done {
    if at.is_multiple_of(align) {
        return Ok(());
    }
    Err(args.fault(FaultKind::Misaligned, format_args!("address {at} of UB is no multiple of {align}")))
}

/// Calls `f(start, length)` for each run of set bits.
pub(super) fn runs(bits: &Mask, mut f: impl FnMut(usize, usize) -> Done) -> Done {
    let mut at = 0;
    while let Some(start) = next(bits, at, 0) {
        let end = next(bits, start, u64::MAX).unwrap_or(256);
        f(start, end - start)?;
        at = end;
    }
    Ok(())
}

/// The first bit from `at` on that is set in `bits ^ flip`.
fn next(bits: &Mask, at: usize, flip: u64) -> Option<usize> {
    let first = at / 64;
    (first..4).find_map(|w| {
        let mut word = bits[w] ^ flip;
        if w == first {
            word &= u64::MAX << (at % 64);
        }
        (word != 0).then(|| 64 * w + word.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_runs_of_a_predicate() {
        let m = first_lanes(3, 4);
        assert_eq!(m, [0x111, 0, 0, 0]);
        assert_eq!(active_bytes(&m, 4), [0xfff, 0, 0, 0]);
        assert_eq!(first_lanes(200, 1), [u64::MAX, u64::MAX, u64::MAX, 0xff]);
        assert_eq!(first_lanes(0, 2), [0; 4]);
        assert_eq!(first_lanes(1000, 8), [lane_bits(8); 4]);
        let mut seen = Vec::new();
        let bits = [1 << 63 | 0b110, 0b11, 0, 1 << 63];
        runs(&bits, |at, n| {
            seen.push((at, n));
            Ok(())
        })
        .unwrap();
        assert_eq!(seen, [(1, 2), (63, 3), (255, 1)]);
    }

    #[test]
    fn blending_keeps_single_bytes() {
        let mut v = [1; 256];
        blend(&mut v, &[2; 256], &[0b101, 0, 0, u64::MAX]);
        assert_eq!((v[..4].to_vec(), v[191], v[192]), (vec![1, 2, 1, 2], 2, 1));
    }
}
