//! Lanes, repeats and strides.
//!
//! A repeat has as many lanes as the widest operand has elements in 256 bytes. Lane `l` of repeat `r` of an operand lies at
//! `base + 32 * (r * repeat stride + l / e * block stride) + l % e` elements, `e` elements being 32 bytes. Repeats run in
//! order; the sources of one are read before its results are written, and a lane that is switched off writes nothing.

use super::super::{Args, Core, Fault, FaultKind, MaskMode, Memories};
use ptoc_target::Loc;

/// The lanes of one repeat of one operand, packed.
pub(super) type Row = [u8; 256];

/// The largest element count of count mode: more than any buffer holds.
const COUNT_LIMIT: u64 = 1 << 20;

/// Which lanes of which repeats work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Lanes of a repeat, 128 at most.
    pub lanes: u64,
    /// Number of repeats.
    pub repeats: u64,
    /// Lanes of every repeat but the last.
    mask: u128,
    /// Lanes of the last repeat.
    last: u128,
}

/// The lowest `n` bits.
pub(super) const fn low(n: u64) -> u128 {
    if n >= 128 { u128::MAX } else { (1 << n) - 1 }
}

/// The repeat argument.
pub(super) fn repeats(args: &Args<'_>, i: usize) -> Result<u64, Fault> {
    let n = args.count(i)?;
    if n > 255 {
        return Err(args.fault(FaultKind::BadArgument, format_args!("{n} repeats, 255 at most")));
    }
    Ok(n)
}

/// The element count of count mode.
pub(super) fn count(core: &Core, args: &Args<'_>) -> Result<u64, Fault> {
    let n = core.spr.mask as u64;
    if n > COUNT_LIMIT {
        return Err(args.fault(FaultKind::BadArgument, format_args!("an element count of {n} in the mask register")));
    }
    Ok(n)
}

impl Plan {
    /// As the mask register says: the bits of a repeat, or a number of elements in all, which makes the argument `repeat`
    /// meaningless.
    pub(super) fn new(core: &Core, args: &Args<'_>, lanes: u64, repeat: usize) -> Result<Plan, Fault> {
        let repeat = repeats(args, repeat)?;
        match core.spr.mask_mode {
            MaskMode::Norm => {
                let mask = core.spr.mask & low(lanes);
                Ok(Plan { lanes, repeats: repeat, mask, last: mask })
            }
            MaskMode::Count => Ok(Plan::count(count(core, args)?, lanes)),
        }
    }

    /// The first `n` lanes of as many repeats as they need.
    pub(super) fn count(n: u64, lanes: u64) -> Plan {
        let repeats = n.div_ceil(lanes);
        let last = low(n - repeats.saturating_sub(1) * lanes);
        Plan { lanes, repeats, mask: low(lanes), last }
    }

    /// All lanes of a number of repeats.
    pub(super) fn all(repeats: u64, lanes: u64) -> Plan {
        Plan { lanes, repeats, mask: low(lanes), last: low(lanes) }
    }

    /// The first repeat alone.
    pub(super) fn first(&self) -> Plan {
        Plan { repeats: self.repeats.min(1), last: self.mask(0), ..*self }
    }

    /// The lanes of a repeat.
    pub(super) fn mask(&self, r: u64) -> u128 {
        if r + 1 == self.repeats { self.last } else { self.mask }
    }

    /// The same lanes for an operand whose elements hold two lanes each: an element works when one of its lanes does.
    pub(super) fn pairs(&self) -> Plan {
        Plan { lanes: self.lanes / 2, mask: pairs(self.mask), last: pairs(self.last), ..*self }
    }
}

/// One bit for two: set when one of the two is.
fn pairs(mask: u128) -> u128 {
    (0..64).filter(|i| mask >> (2 * i) & 3 != 0).fold(0, |m, i| m | 1 << i)
}

/// Where the lanes of an operand lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// First byte in UB.
    pub at: u64,
    /// Bytes from block to block.
    pub block: u64,
    /// Bytes from repeat to repeat.
    pub repeat: u64,
    /// Bytes of an element.
    pub size: u64,
}

/// No buffer is this large; sums of such an address, strides and offsets stay far below 64 bits.
const ADDRESS_LIMIT: u64 = 1 << 32;

/// A UB address: a pointer, or a number that holds one.
pub(super) fn address(args: &Args<'_>, i: usize) -> Result<u64, Fault> {
    let at = match args.ptr(i) {
        Ok(p) if p.space == Loc::Vec => p.addr,
        Ok(p) => {
            let what = format_args!("argument {i} lies in {}, not in UB", p.space.memory());
            return Err(args.fault(FaultKind::BadArgument, what));
        }
        Err(_) => args.count(i)?,
    };
    if at < ADDRESS_LIMIT {
        return Ok(at);
    }
    Err(args.fault(FaultKind::OutOfRange, format_args!("argument {i} is address {at}, which no UB has")))
}

/// A UB address that is a multiple of `align` bytes.
pub(super) fn aligned(args: &Args<'_>, i: usize, align: u64) -> Result<u64, Fault> {
    let at = address(args, i)?;
    if at.is_multiple_of(align) {
        Ok(at)
    } else {
        let what = format_args!("argument {i} is address {at} of UB, which is no multiple of {align}");
        Err(args.fault(FaultKind::Misaligned, what))
    }
}

/// A stride argument in units of `unit` bytes.
pub(super) fn stride(args: &Args<'_>, i: usize, unit: u64) -> Result<u64, Fault> {
    let n = args.count(i)?;
    if n > 0xffff {
        return Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} is a stride of {n}, 65535 at most")));
    }
    Ok(n * unit)
}

impl View {
    /// The operand behind pointer argument `ptr` with strides in blocks.
    pub(super) fn new(args: &Args<'_>, ptr: usize, size: u64, block: usize, repeat: usize) -> Result<View, Fault> {
        Ok(View {
            at: aligned(args, ptr, 32)?,
            block: stride(args, block, 32)?,
            repeat: stride(args, repeat, 32)?,
            size,
        })
    }

    /// Elements of a block.
    fn per_block(&self) -> u64 {
        32 / self.size
    }

    /// Blocks up to the highest working lane.
    fn blocks(&self, mask: u128) -> usize {
        u64::from(128 - mask.leading_zeros()).div_ceil(self.per_block()) as usize
    }

    /// Checks and records the bytes that the working lanes reach.
    pub(super) fn touch(&self, mem: &mut Memories, plan: &Plan, write: bool) -> Result<(), Fault> {
        let dense = self.block == 32 && self.repeat == plan.lanes * self.size;
        if dense && plan.mask == low(plan.lanes) && plan.last == plan.mask {
            return mem.touch(Loc::Vec, self.at, plan.repeats * self.repeat, write);
        }
        if !mem.tracked() {
            // The highest block decides.
            let end = |r: u64, mask: u128| match self.blocks(mask) as u64 {
                0 => 0,
                n => self.at + r * self.repeat + (n - 1) * self.block + 32,
            };
            let last = plan.repeats.saturating_sub(1);
            let mut top = if last > 0 { end(last - 1, plan.mask) } else { 0 };
            if plan.repeats > 0 {
                top = top.max(end(last, plan.last));
            }
            return if top > 0 { mem.touch(Loc::Vec, self.at.min(top), top - self.at.min(top), write) } else { Ok(()) };
        }
        let e = self.per_block();
        for r in 0..plan.repeats {
            let mask = plan.mask(r);
            for b in 0..self.blocks(mask) as u64 {
                let at = self.at + r * self.repeat + b * self.block;
                let mut bits = (mask >> (b * e)) as u32 & low(e) as u32;
                let mut lane = 0;
                while bits != 0 {
                    let skip = bits.trailing_zeros();
                    let run = (bits >> skip).trailing_ones();
                    lane += u64::from(skip);
                    mem.touch(Loc::Vec, at + lane * self.size, u64::from(run) * self.size, write)?;
                    lane += u64::from(run);
                    bits = bits.unbounded_shr(skip + run);
                }
            }
        }
        Ok(())
    }

    /// Packs the lanes of a repeat: whole blocks up to the highest working lane.
    pub(super) fn read(&self, ub: &[u8], r: u64, mask: u128, row: &mut Row) {
        let at = (self.at + r * self.repeat) as usize;
        let n = self.blocks(mask);
        if self.block == 32 {
            row[..n * 32].copy_from_slice(&ub[at..at + n * 32]);
        } else {
            for (b, to) in row.as_chunks_mut::<32>().0.iter_mut().take(n).enumerate() {
                let at = at + b * self.block as usize;
                to.copy_from_slice(&ub[at..at + 32]);
            }
        }
    }

    /// Puts the working lanes of a packed repeat to their places.
    pub(super) fn write(&self, ub: &mut [u8], r: u64, mask: u128, row: &Row) {
        let at = (self.at + r * self.repeat) as usize;
        let n = self.blocks(mask);
        let e = self.per_block();
        if self.block == 32 && mask == low(n as u64 * e) {
            ub[at..at + n * 32].copy_from_slice(&row[..n * 32]);
            return;
        }
        for (b, from) in row.as_chunks::<32>().0.iter().take(n).enumerate() {
            let at = at + b * self.block as usize;
            let bits = (mask >> (b as u64 * e)) & low(e);
            let to = &mut ub[at..at + 32];
            if bits == low(e) {
                to.copy_from_slice(from);
            } else if bits != 0 {
                let s = self.size as usize;
                for (l, (to, from)) in to.chunks_exact_mut(s).zip(from.chunks_exact(s)).enumerate() {
                    if bits >> l & 1 == 1 {
                        to.copy_from_slice(from);
                    }
                }
            }
        }
    }
}

/// Runs an instruction lane by lane: `f` computes the packed results of a repeat from the packed sources.
///
/// All lanes are computed, also those that are switched off, whose sources are whatever the repeat before left.
pub(super) fn run<const N: usize>(
    core: &mut Core,
    args: &Args<'_>,
    plan: &Plan,
    dst: View,
    src: [View; N],
    mut f: impl FnMut(&[Row; N], &mut Row),
) -> Result<(), Fault> {
    for view in &src {
        view.touch(&mut core.mem, plan, false).map_err(|e| args.within(e))?;
    }
    dst.touch(&mut core.mem, plan, true).map_err(|e| args.within(e))?;
    let ub = core.mem.raw_mut(Loc::Vec);
    let (mut rows, mut out) = ([[0; 256]; N], [0; 256]);
    for r in 0..plan.repeats {
        let mask = plan.mask(r);
        if mask == 0 {
            continue;
        }
        for (view, row) in src.iter().zip(&mut rows) {
            view.read(ub, r, mask, row);
        }
        f(&rows, &mut out);
        dst.write(ub, r, mask, &out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_a_count() {
        let p = Plan::count(130, 64);
        assert_eq!((p.repeats, p.mask(0), p.mask(1), p.mask(2)), (3, low(64), low(64), 3));
        assert_eq!(Plan::count(0, 64).repeats, 0);
        assert_eq!(Plan::count(128, 128).mask(0), u128::MAX);
        assert_eq!(Plan::count(5, 128).pairs().mask(0), 7);
    }

    #[test]
    fn a_view_touches_its_working_lanes_only() {
        let mut mem = Memories::new(&ptoc_target::Target::A2A3);
        let v = View { at: 64, block: 64, repeat: 1024, size: 4 };
        mem.begin();
        v.touch(&mut mem, &Plan::count(10, 64), true).unwrap();
        let got: Vec<_> = mem.accesses().iter().map(|a| (a.start, a.len)).collect();
        assert_eq!(got, [(64, 32), (128, 8)]);
    }
}
