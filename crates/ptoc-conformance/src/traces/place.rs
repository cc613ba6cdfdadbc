//! Where operands lie while a trace is replayed.

use super::Case;
use super::inputs::Noise;
use ptoc_sim::machine::{Core, Fault};
use ptoc_target::{Arch, Loc, Target};

/// Bytes between operands, so that one that reaches too far meets noise and not its neighbour.
const GAP: u64 = 4096;

/// Bytes of noise on each side of an operand.
const AROUND: u64 = 1024;

/// One operand in its memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub space: Loc,
    pub addr: u64,
    pub len: u64,
}

impl Place {
    /// Its bytes in the memory.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.addr as usize..(self.addr + self.len) as usize
    }
}

/// All operands, in the order of the case.
pub(super) struct Placement {
    pub operands: Vec<Place>,
    target: Target,
    /// How many bytes of each memory are in use.
    used: Vec<(Loc, u64)>,
}

impl Placement {
    /// Operands at their recorded addresses, the others one after another. Recordings without addresses may hold more than
    /// a memory does, so the memories grow; UB grows behind its real end, where the library's scratch bytes are.
    pub fn of(case: &Case) -> Result<Placement, String> {
        let target = Target::of(case.arch);
        let mut used: Vec<(Loc, u64)> = Vec::new();
        let mut operands: Vec<Place> = Vec::new();
        for (name, d) in &case.operands {
            let (space, len) = (d.loc(), d.bytes());
            let entry = match used.iter_mut().find(|(l, _)| *l == space) {
                Some(entry) => entry,
                None => {
                    let first =
                        if space == Loc::Vec && case.arch == Arch::A2A3 { target.capacity(space) } else { None };
                    used.push((space, first.unwrap_or(GAP)));
                    used.last_mut().ok_or("no memory")?
                }
            };
            // Recorded addresses of global memory are those of another machine.
            let recorded = d.addr.filter(|_| space != Loc::Gm);
            // A product finds the scales at a sixteenth of the address of what they scale.
            let scaled = if case.op.ends_with("_mx") { name.strip_suffix("_scale") } else { None };
            let scaled = scaled.and_then(|n| case.operands.iter().position(|(other, _)| other == n));
            let addr = match (scaled.and_then(|i| operands.get(i)).map(|o| o.addr / 16).or(recorded), &d.alias) {
                (Some(addr), _) => addr,
                (None, Some((other, off))) => {
                    let i = case.operands.iter().position(|(n, _)| n == other && n != name);
                    let first =
                        i.and_then(|i| operands.get(i)).ok_or_else(|| format!("`{name}` shares bytes of nothing"))?;
                    first.addr + off
                }
                (None, None) => entry.1,
            };
            let end = addr.checked_add(len).ok_or("an address beyond 64 bits")?;
            entry.1 = entry.1.max(end.next_multiple_of(GAP) + GAP);
            operands.push(Place { space, addr, len });
        }
        Ok(Placement { operands, target, used })
    }

    /// Where an operand of this name lies.
    pub fn find(&self, case: &Case, name: &str) -> Option<Place> {
        let i = case.operands.iter().position(|(n, _)| n == name)?;
        self.operands.get(i).copied()
    }

    /// A core with all memories large enough, and noise around the operands.
    pub fn core(&self, mut noise: Noise) -> Result<Core, Fault> {
        let mut core = Core::new(self.target.clone());
        core.mem.track(false);
        for (space, bytes) in &self.used {
            core.mem.grow(*space, *bytes)?;
        }
        for place in &self.operands {
            let start = place.addr.saturating_sub(AROUND);
            let end = (place.addr + place.len + AROUND).min(core.mem.size(place.space));
            core.mem.preset(place.space, start, &noise.bytes(end.saturating_sub(start) as usize))?;
        }
        Ok(core)
    }
}
