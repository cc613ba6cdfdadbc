//! Gathers and scatters: lanes at places of UB that another register says.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic, VReg};
use super::regs::{Done, active, elem, element_size, predicate, put, source, ub};
use super::vector;
use ptoc_target::Loc;

pub(super) const GATHER: &[Intrinsic] = &[
    vector("vgather2", gather),
    vector("vgather2_bc", gather),
    vector("vgatherb", gather_blocks),
    vector("vscatter", scatter),
];

/// Bytes of an element in memory and of an index lane, of a call with the pointer at `ptr` and the indices behind it.
fn sizes(args: &Args<'_>, ptr: usize) -> Result<(usize, usize), Fault> {
    let (data, index) = (element_size(args, ptr)? as usize, elem(args, ptr + 1)?.bytes() as usize);
    if index > 4 || data > index {
        let what = format_args!("elements of {data} bytes with indices of {index} bytes");
        return Err(args.fault(FaultKind::Unsupported, what));
    }
    Ok((data, index))
}

/// The unsigned number in a lane.
fn index(v: &VReg, at: usize, size: usize) -> u64 {
    let mut word = [0; 8];
    word[..size].copy_from_slice(&v[at..at + size]);
    u64::from_le_bytes(word)
}

/// `(vd, base, vidx, p)`: a lane as wide as an index holds the element of that number, the rest of it zero.
fn gather(core: &mut Core, args: &Args<'_>) -> Done {
    let (base, (data, size)) = (ub(args, 1)?, sizes(args, 1)?);
    let (places, mask) = (source(core, args, 2)?, predicate(core, args, 3)?);
    let mut out: VReg = [0; 256];
    for at in (0..256).step_by(size) {
        if active(&mask, at) {
            let from = base.saturating_add(index(&places, at, size) * data as u64);
            let bytes = core.mem.read(Loc::Vec, from, data as u64).map_err(|e| args.within(e))?;
            out[at..at + data].copy_from_slice(bytes);
        }
    }
    put(core, args, 0, &out)
}

/// `(vd, base, vidx, p)`: block `b` comes from the byte offset in 32-bit lane `b`, whose predicate bit decides.
fn gather_blocks(core: &mut Core, args: &Args<'_>) -> Done {
    let base = ub(args, 1)?;
    let (places, mask) = (source(core, args, 2)?, predicate(core, args, 3)?);
    let mut out: VReg = [0; 256];
    for (b, block) in out.chunks_exact_mut(32).enumerate() {
        if active(&mask, 4 * b) {
            let from = base.saturating_add(index(&places, 4 * b, 4));
            block.copy_from_slice(core.mem.read(Loc::Vec, from, 32).map_err(|e| args.within(e))?);
        }
    }
    put(core, args, 0, &out)
}

/// `(vs, base, vidx, p)`: the low part of each working lane goes to the element of the lane's number; of lanes with one
/// number the last wins.
fn scatter(core: &mut Core, args: &Args<'_>) -> Done {
    let (base, (data, size)) = (ub(args, 1)?, sizes(args, 1)?);
    let [v, places] = [source(core, args, 0)?, source(core, args, 2)?];
    let mask = predicate(core, args, 3)?;
    for at in (0..256).step_by(size) {
        if active(&mask, at) {
            let to = base.saturating_add(index(&places, at, size) * data as u64);
            let to = core.mem.write(Loc::Vec, to, data as u64).map_err(|e| args.within(e))?;
            to.copy_from_slice(&v[at..at + data]);
        }
    }
    Ok(())
}
