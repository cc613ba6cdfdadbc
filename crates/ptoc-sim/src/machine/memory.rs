//! The memories of one core group.

use super::{Fault, FaultKind, Ptr};
use ptoc_target::{Loc, Target};
use smallvec::SmallVec;

/// Bytes that one intrinsic read or wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Which memory.
    pub space: Loc,
    /// First byte.
    pub start: u64,
    /// Number of bytes, not zero.
    pub len: u64,
    /// True for a write.
    pub write: bool,
    /// True when nobody ever wrote any of the bytes that are read.
    pub undefined: bool,
}

/// One memory.
#[derive(Clone, Debug, Default)]
struct Bank {
    bytes: Vec<u8>,
    /// One bit a byte: was it ever written.
    written: Vec<u64>,
}

/// All memories, with the accesses of the running intrinsic.
#[derive(Clone, Debug)]
pub struct Memories {
    banks: [Bank; 10],
    /// UB of the other vector core of the group, which only a split result of the cube reaches.
    other_ub: Bank,
    accesses: SmallVec<[Access; 16]>,
    /// Whether [`Memories::accesses`] and the written bits are kept.
    tracked: bool,
}

/// The most global memory a simulation may have, in bytes.
pub const GM_LIMIT: u64 = 8 << 30;

const fn index(space: Loc) -> usize {
    match space {
        Loc::Gm => 0,
        Loc::Mat => 1,
        Loc::Left => 2,
        Loc::Right => 3,
        Loc::Acc => 4,
        Loc::Vec => 5,
        Loc::Bias => 6,
        Loc::Scaling => 7,
        Loc::ScaleLeft => 8,
        Loc::ScaleRight => 9,
    }
}

impl Memories {
    /// The empty memories of a target; global memory has no bytes yet.
    pub fn new(target: &Target) -> Memories {
        let mut mem =
            Memories { banks: Default::default(), other_ub: Bank::default(), accesses: SmallVec::new(), tracked: true };
        for loc in [
            Loc::Mat,
            Loc::Left,
            Loc::Right,
            Loc::Acc,
            Loc::Vec,
            Loc::Bias,
            Loc::Scaling,
            Loc::ScaleLeft,
            Loc::ScaleRight,
        ] {
            let n = target.capacity(loc).unwrap_or(0);
            // `target.capacity` is a few hundred KiB at most.
            let _ = mem.grow(loc, n);
        }
        mem
    }

    /// Makes a memory at least this many bytes large, filled with zeros that count as never written.
    ///
    /// # Errors
    /// Beyond [`GM_LIMIT`].
    pub fn grow(&mut self, space: Loc, bytes: u64) -> Result<(), Fault> {
        if bytes > GM_LIMIT {
            let what = format!("{bytes} bytes of {space} are more than the {GM_LIMIT} a simulation may have");
            return Err(Fault::new(FaultKind::OutOfRange, what));
        }
        let bank = &mut self.banks[index(space)];
        if bank.bytes.len() < bytes as usize {
            bank.bytes.resize(bytes as usize, 0);
            bank.written.resize(bank.bytes.len().div_ceil(64), 0);
        }
        Ok(())
    }

    /// Exchanges UB with that of the other vector core of the group.
    pub fn swap_vector_core(&mut self) {
        let (ub, other) = (&mut self.banks[index(Loc::Vec)], &mut self.other_ub);
        if other.bytes.len() < ub.bytes.len() {
            other.bytes.resize(ub.bytes.len(), 0);
            other.written.resize(ub.written.len(), 0);
        }
        std::mem::swap(ub, other);
    }

    /// Size of a memory in bytes.
    pub fn size(&self, space: Loc) -> u64 {
        self.banks[index(space)].bytes.len() as u64
    }

    /// Switches the record of accesses and of written bytes on or off; off is faster.
    pub fn track(&mut self, on: bool) {
        self.tracked = on;
    }

    /// Forgets the accesses of the intrinsic before.
    pub fn begin(&mut self) {
        self.accesses.clear();
    }

    /// What was touched since [`Memories::begin`].
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// The first access since [`Memories::begin`] that reads only bytes which nobody ever wrote.
    pub fn unwritten(&self) -> Option<&Access> {
        self.accesses.iter().find(|a| a.undefined)
    }

    fn check(&self, space: Loc, start: u64, len: u64) -> Result<std::ops::Range<usize>, Fault> {
        let size = self.size(space);
        match start.checked_add(len) {
            Some(end) if end <= size => Ok(start as usize..end as usize),
            _ => Err(Fault::new(
                FaultKind::OutOfRange,
                format!(
                    "bytes {start} to {} of {} are outside its {size} bytes",
                    start.saturating_add(len),
                    space.memory()
                ),
            )),
        }
    }

    fn note(&mut self, a: Access) {
        if let Some(last) = self.accesses.last_mut()
            && last.space == a.space
            && last.write == a.write
            && last.start + last.len == a.start
        {
            last.len += a.len;
            last.undefined &= a.undefined;
        } else {
            self.accesses.push(a);
        }
    }

    /// Bytes to read.
    ///
    /// # Errors
    /// When they reach outside the memory.
    pub fn read(&mut self, space: Loc, start: u64, len: u64) -> Result<&[u8], Fault> {
        let range = self.check(space, start, len)?;
        if self.tracked && len > 0 {
            let undefined = self.banks[index(space)].is_unwritten(&range);
            self.note(Access { space, start, len, write: false, undefined });
        }
        Ok(&self.banks[index(space)].bytes[range])
    }

    /// Bytes to be written. All of them count as written.
    ///
    /// # Errors
    /// When they reach outside the memory.
    pub fn write(&mut self, space: Loc, start: u64, len: u64) -> Result<&mut [u8], Fault> {
        let range = self.check(space, start, len)?;
        if self.tracked && len > 0 {
            self.note(Access { space, start, len, write: true, undefined: false });
            self.banks[index(space)].mark(&range);
        }
        Ok(&mut self.banks[index(space)].bytes[range])
    }

    /// Whether accesses are recorded.
    pub fn tracked(&self) -> bool {
        self.tracked
    }

    /// Checks and records an access whose bytes are then reached through [`Memories::raw_mut`].
    ///
    /// # Errors
    /// When it reaches outside the memory.
    pub fn touch(&mut self, space: Loc, start: u64, len: u64, write: bool) -> Result<(), Fault> {
        if write { self.write(space, start, len).map(drop) } else { self.read(space, start, len).map(drop) }
    }

    /// All bytes of a memory to be changed. The caller has announced every byte with [`Memories::touch`].
    pub(crate) fn raw_mut(&mut self, space: Loc) -> &mut [u8] {
        &mut self.banks[index(space)].bytes
    }

    /// Copies bytes from one place to another; the two may overlap.
    ///
    /// # Errors
    /// When either reaches outside its memory.
    pub fn copy(&mut self, to: (Loc, u64), from: (Loc, u64), len: u64) -> Result<(), Fault> {
        self.check(to.0, to.1, len)?;
        self.read(from.0, from.1, len)?;
        self.write(to.0, to.1, len)?;
        let (d, s, n) = (to.1 as usize, from.1 as usize, len as usize);
        let (di, si) = (index(to.0), index(from.0));
        if di == si {
            self.banks[di].bytes.copy_within(s..s + n, d);
        } else if let Ok([dst, src]) = self.banks.get_disjoint_mut([di, si]) {
            dst.bytes[d..d + n].copy_from_slice(&src.bytes[s..s + n]);
        }
        Ok(())
    }

    /// A few bytes at a position, as a number.
    ///
    /// # Errors
    /// When they reach outside the memory.
    pub fn load(&mut self, p: Ptr, bytes: u64) -> Result<u64, Fault> {
        let from = self.read(p.space, p.addr, bytes.min(8))?;
        let mut word = [0; 8];
        word[..from.len()].copy_from_slice(from);
        Ok(u64::from_le_bytes(word))
    }

    /// Stores the low bytes of a number.
    ///
    /// # Errors
    /// When they reach outside the memory.
    pub fn store(&mut self, p: Ptr, bytes: u64, bits: u64) -> Result<(), Fault> {
        let to = self.write(p.space, p.addr, bytes.min(8))?;
        let n = to.len();
        to.copy_from_slice(&bits.to_le_bytes()[..n]);
        Ok(())
    }

    /// All bytes of a memory, not counted as an access.
    pub fn bytes(&self, space: Loc) -> &[u8] {
        &self.banks[index(space)].bytes
    }

    /// Puts bytes into a memory from outside the program: they count as written, not as an access.
    ///
    /// # Errors
    /// When they reach outside the memory.
    pub fn preset(&mut self, space: Loc, start: u64, from: &[u8]) -> Result<(), Fault> {
        let range = self.check(space, start, from.len() as u64)?;
        let bank = &mut self.banks[index(space)];
        bank.mark(&range);
        bank.bytes[range].copy_from_slice(from);
        Ok(())
    }
}

impl Bank {
    fn words(range: &std::ops::Range<usize>) -> impl Iterator<Item = (usize, u64)> + use<> {
        let (start, end) = (range.start, range.end);
        (start / 64..end.div_ceil(64)).map(move |w| {
            let lo = start.saturating_sub(w * 64).min(63);
            let hi = (end - w * 64).min(64);
            (w, (u64::MAX >> (64 - (hi - lo))) << lo)
        })
    }

    fn mark(&mut self, range: &std::ops::Range<usize>) {
        if !range.is_empty() {
            Self::words(range).for_each(|(w, bits)| self.written[w] |= bits);
        }
    }

    fn is_unwritten(&self, range: &std::ops::Range<usize>) -> bool {
        !range.is_empty() && Self::words(range).all(|(w, bits)| self.written[w] & bits == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_checked_and_accesses_joined() {
        let mut m = Memories::new(&Target::A2A3);
        assert!(m.write(Loc::Vec, 192 * 1024 - 1, 2).is_err());
        assert!(m.read(Loc::Vec, u64::MAX, 2).is_err());
        m.begin();
        m.write(Loc::Vec, 64, 32).unwrap().fill(7);
        m.write(Loc::Vec, 96, 32).unwrap().fill(8);
        assert_eq!(m.accesses(), [Access { space: Loc::Vec, start: 64, len: 64, write: true, undefined: false }]);
        assert_eq!(m.unwritten(), None);
        m.read(Loc::Vec, 100, 29).unwrap();
        assert_eq!(m.unwritten(), None, "some of the bytes were written");
        m.read(Loc::Vec, 129, 2).unwrap();
        assert_eq!(m.unwritten().map(|a| (a.start, a.len)), None, "it continues the access before");
        m.read(Loc::Vec, 200, 2).unwrap();
        assert_eq!(m.unwritten().map(|a| (a.start, a.len)), Some((200, 2)));
    }

    #[test]
    fn copies_between_and_inside_memories() {
        let mut m = Memories::new(&Target::A5);
        m.grow(Loc::Gm, 100).unwrap();
        m.preset(Loc::Gm, 10, &[1, 2, 3, 4]).unwrap();
        m.copy((Loc::Vec, 0), (Loc::Gm, 10), 4).unwrap();
        m.copy((Loc::Vec, 2), (Loc::Vec, 0), 4).unwrap();
        assert_eq!(m.bytes(Loc::Vec)[..6], [1, 2, 1, 2, 3, 4]);
        assert!(m.copy((Loc::Vec, 0), (Loc::Gm, 98), 4).is_err());
    }
}
