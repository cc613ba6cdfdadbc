//! Who touched which bytes last: finds two accesses that nothing orders.

use super::pipes::{Clock, Unit};
use crate::machine::Access;
use ptoc_ir::OpId;
use ptoc_target::Loc;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// When and by whom bytes were touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stamp {
    /// The pipe.
    pub unit: Unit,
    /// Its own time.
    pub time: u32,
    /// Instructions of one pipe with equal epochs may overlap each other; 0 for a pipe that runs strictly in order.
    pub epoch: u32,
    /// The operation.
    pub op: OpId,
}

#[derive(Clone, PartialEq, Debug)]
struct Segment {
    end: u64,
    written: Option<Stamp>,
    /// The last read of each pipe since then.
    read: SmallVec<[Stamp; 2]>,
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race {
    pub space: Loc,
    /// The bytes that both touch.
    pub bytes: (u64, u64),
    pub earlier: Stamp,
    pub earlier_writes: bool,
    pub later_writes: bool,
}

/// The history of all memories.
#[derive(Default, Debug)]
pub(crate) struct Shadow {
    /// Loads of whole registers read past the lanes that are used (A5): within one pipe a load that only runs on into bytes
    /// that were written is no race, one that starts there is.
    whole_registers: bool,
    spaces: BTreeMap<Loc, BTreeMap<u64, Segment>>,
    seen: FxHashSet<(OpId, OpId)>,
}

impl Shadow {
    /// Nothing was touched yet.
    pub fn new(whole_registers: bool) -> Shadow {
        Shadow { whole_registers, ..Shadow::default() }
    }

    /// Who wrote each range of a memory last: start, end, operation.
    pub fn writers(&self, space: Loc) -> Vec<(u64, u64, OpId)> {
        let map = self.spaces.get(&space);
        map.into_iter().flatten().filter_map(|(&s, seg)| seg.written.map(|w| (s, seg.end, w.op))).collect()
    }

    /// Notes an access and gives the first race it is part of, each pair of operations once.
    pub fn touch(&mut self, a: Access, now: Stamp, clock: &Clock) -> Option<Race> {
        let map = self.spaces.entry(a.space).or_default();
        let end = a.start.saturating_add(a.len);
        split(map, a.start);
        split(map, end);
        let mut race = None;
        let mut gaps: SmallVec<[(u64, u64); 4]> = SmallVec::new();
        let mut at = a.start;
        for (&start, seg) in map.range_mut(a.start..end) {
            if start > at {
                gaps.push((at, start));
            }
            at = seg.end;
            let mut check = |s: &Stamp, writes: bool| {
                if race.is_none() && !ordered(s, &now, clock) && self.seen.insert((s.op, now.op)) {
                    let bytes = (start, seg.end);
                    race = Some(Race {
                        space: a.space,
                        bytes,
                        earlier: *s,
                        earlier_writes: writes,
                        later_writes: a.write,
                    });
                }
            };
            if let Some(w) = &seg.written
                && (a.write || start <= a.start || !self.whole_registers || w.unit != now.unit)
            {
                check(w, true);
            }
            if a.write {
                seg.read.iter().filter(|r| r.unit != now.unit).for_each(|r| check(r, false));
                seg.read.clear();
                seg.written = Some(now);
            } else {
                match seg.read.iter_mut().find(|r| r.unit == now.unit) {
                    Some(r) => *r = now,
                    None => seg.read.push(now),
                }
            }
        }
        if at < end {
            gaps.push((at, end));
        }
        for (start, end) in gaps {
            let (written, read) =
                if a.write { (Some(now), SmallVec::new()) } else { (None, SmallVec::from_slice(&[now])) };
            map.insert(start, Segment { end, written, read });
        }
        race
    }
}

/// Makes a boundary at an address, when it lies inside a segment.
fn split(map: &mut BTreeMap<u64, Segment>, at: u64) {
    if let Some((&start, seg)) = map.range_mut(..at).next_back()
        && seg.end > at
        && start < at
    {
        let tail = seg.clone();
        seg.end = at;
        map.insert(at, tail);
    }
}

/// True when `earlier` is surely done before `now`: its pipe's time is known, or both run in one pipe strictly in order.
fn ordered(earlier: &Stamp, now: &Stamp, clock: &Clock) -> bool {
    if earlier.unit != now.unit {
        return earlier.time <= clock[earlier.unit.index()];
    }
    earlier.time == now.time || now.epoch == 0 || earlier.epoch != now.epoch
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptoc_target::Pipe;

    fn stamp(pipe: Pipe, time: u32, epoch: u32, op: usize) -> Stamp {
        Stamp { unit: Unit::new(0, pipe), time, epoch, op: OpId::from_index(op) }
    }

    fn access(start: u64, len: u64, write: bool) -> Access {
        Access { space: Loc::Vec, start, len, write, undefined: false }
    }

    #[test]
    fn a_write_and_an_unordered_read_of_one_byte() {
        let mut s = Shadow::default();
        let mut clock = Clock::default();
        assert!(s.touch(access(0, 64, true), stamp(Pipe::Mte2, 3, 0, 1), &clock).is_none());
        let v = stamp(Pipe::V, 1, 1, 2);
        assert!(s.touch(access(64, 32, false), v, &clock).is_none(), "other bytes");
        let race = s.touch(access(63, 2, false), v, &clock).expect("byte 63 is written by MTE2");
        assert_eq!(race.bytes, (63, 64));
        assert_eq!(race.earlier.time, 3);
        // Known to be done: no race.
        clock[Unit::new(0, Pipe::Mte2).index()] = 3;
        assert!(s.touch(access(0, 64, false), stamp(Pipe::V, 2, 1, 3), &clock).is_none());
    }

    #[test]
    fn the_vector_pipe_overlaps_within_an_epoch() {
        let mut s = Shadow::default();
        let clock = Clock::default();
        assert!(s.touch(access(0, 32, true), stamp(Pipe::V, 1, 5, 1), &clock).is_none());
        assert!(s.touch(access(0, 32, false), stamp(Pipe::V, 2, 5, 2), &clock).is_some());
        assert!(s.touch(access(0, 32, false), stamp(Pipe::V, 3, 6, 3), &clock).is_none());
    }

    #[test]
    fn a_load_of_a_whole_register_may_run_on() {
        for whole_registers in [false, true] {
            let mut s = Shadow::new(whole_registers);
            let clock = Clock::default();
            assert!(s.touch(access(64, 64, true), stamp(Pipe::V, 1, 5, 1), &clock).is_none());
            let on = s.touch(access(0, 128, false), stamp(Pipe::V, 2, 5, 2), &clock);
            assert_eq!(on.is_none(), whole_registers, "the last half was written");
            assert!(s.touch(access(64, 128, false), stamp(Pipe::V, 3, 5, 3), &clock).is_some(), "it starts there");
        }
    }

    #[test]
    fn reads_do_not_race() {
        let mut s = Shadow::default();
        let clock = Clock::default();
        assert!(s.touch(access(0, 32, false), stamp(Pipe::Mte3, 1, 0, 1), &clock).is_none());
        assert!(s.touch(access(0, 32, false), stamp(Pipe::V, 1, 1, 2), &clock).is_none());
        assert!(s.touch(access(8, 8, true), stamp(Pipe::Mte2, 1, 0, 3), &clock).is_some());
    }
}
