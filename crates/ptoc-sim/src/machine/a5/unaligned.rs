//! Unaligned loads and stores, which keep the block at the seam in a state register.
//!
//! A store stream writes whole 32-byte blocks of UB and keeps the rest until it is flushed: `vstus` appends, `vstas` flushes.
//! `vstur` and `vstar` do the same at the address register, which `vstur` advances by what the last storing `vsqz` kept.

use super::super::{Arg, Args, Core, Fault, FaultKind, Intrinsic};
use super::regs::{Done, address, aligned, element_size, put, slot, source, ub};
use super::store::write;
use super::vector;
use ptoc_target::Loc;

/// Bytes of a block.
const BLOCK: u64 = 32;

/// A state register of unaligned accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Align {
    /// The block that a load stream holds.
    block: Option<u64>,
    /// Bytes of a store stream that are not in memory yet.
    rest: [u8; BLOCK as usize],
    /// How many of them there are.
    len: u64,
    /// The address behind them.
    end: u64,
}

pub(super) const UNALIGNED: &[Intrinsic] = &[
    vector("init_align", |core, args| {
        *state(core, args, 0)? = Align::default();
        Ok(())
    }),
    vector("sprclr", |core, _| {
        core.ar = 0;
        Ok(())
    }),
    vector("sprsts", |core, args| {
        // (register, ptr, offset in bytes)
        let at = ub(args, 1)?.checked_add_signed(args.int(2)?);
        let at = at.ok_or_else(|| args.fault(FaultKind::OutOfRange, "the offset leaves UB"))?;
        aligned(args, at, 4)?;
        let value = core.ar as u32;
        write(core, args, at, &value.to_le_bytes())
    }),
    vector("vldas", |core, args| {
        // (u, ptr)
        let at = ub(args, 1)?;
        *state(core, args, 0)? = Align { block: Some(at & !(BLOCK - 1)), ..Align::default() };
        Ok(())
    }),
    vector("vldus", load),
    vector("vstar", |core, args| {
        // (u, ptr)
        let at = ub(args, 1)?.saturating_add(core.ar);
        flush(core, args, at)
    }),
    vector("vstas", |core, args| {
        // (u, ptr, offset, POST_UPDATE); the flush is behind the offset in either form.
        let offset = args.int(2)?;
        let at = address(core, args, "vstas", 1, offset, usize::MAX)?;
        if args.word(3) == Some("POST_UPDATE") {
            core.hand_back("vstas", at);
        }
        flush(core, args, at)
    }),
    vector("vstur", |core, args| {
        // (u, vs, ptr, POST_UPDATE)
        let (v, n) = (source(core, args, 1)?, core.squeezed.min(256));
        let at = ub(args, 2)?.saturating_add(core.ar);
        append(core, args, at, &v[..n as usize])?;
        core.ar += n;
        Ok(())
    }),
    vector("vstus", |core, args| {
        // (u, n, vs, ptr, POST_UPDATE)
        let n = args.count(1)?;
        let (at, bytes) = (ub(args, 3)?, n.saturating_mul(element_size(args, 3)?));
        if bytes > 256 {
            return Err(args.fault(FaultKind::BadArgument, format_args!("{bytes} bytes of a register of 256")));
        }
        if args.word(4) == Some("POST_UPDATE") {
            core.hand_back("vstus", at + bytes);
        }
        let v = source(core, args, 2)?;
        append(core, args, at, &v[..bytes as usize])
    }),
];

/// The state register of a call.
fn state<'c>(core: &'c mut Core, args: &Args<'_>, i: usize) -> Result<&'c mut Align, Fault> {
    match args.list.get(i) {
        Some(Arg::Align(id)) => slot(&mut core.aligns, *id as usize, Align::default(), args),
        _ => {
            Err(args
                .fault(FaultKind::BadArgument, format_args!("argument {i} is no state register of unaligned accesses")))
        }
    }
}

/// `(vd, u, ptr)`: 256 bytes from anywhere; `u` has to hold the block in which they begin, and holds the one in which they
/// end afterwards.
fn load(core: &mut Core, args: &Args<'_>) -> Done {
    let at = ub(args, 2)?;
    let first = at & !(BLOCK - 1);
    let u = state(core, args, 1)?;
    if at != first && u.block != Some(first) {
        let held = u.block.map_or("no block".to_owned(), |b| format!("the block at {b}"));
        let what = format_args!("the load begins in the block at {first}, the state register holds {held}");
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    u.block = Some(at.saturating_add(256) & !(BLOCK - 1));
    let mut v = [0; 256];
    v.copy_from_slice(core.mem.read(Loc::Vec, at, 256).map_err(|e| args.within(e))?);
    put(core, args, 0, &v)
}

/// Appends bytes at an address to a store stream, whose end has to be there.
fn append(core: &mut Core, args: &Args<'_>, at: u64, bytes: &[u8]) -> Done {
    let u = *state(core, args, 0)?;
    if u.len > 0 && u.end != at {
        let what = format_args!("the store stream ends at {}, and goes on at {at}", u.end);
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    let mut data = [0; 288];
    let (old, new) = (u.len as usize, bytes.len());
    data[..old].copy_from_slice(&u.rest[..old]);
    data[old..old + new].copy_from_slice(bytes);
    let (start, end) = (at - u.len.min(at), at + new as u64);
    let whole = end & !(BLOCK - 1);
    let done = whole.saturating_sub(start) as usize;
    if done > 0 {
        write(core, args, start, &data[..done])?;
    }
    let mut rest = [0; BLOCK as usize];
    let len = old + new - done;
    rest[..len].copy_from_slice(&data[done..done + len]);
    *state(core, args, 0)? = Align { block: None, rest, len: len as u64, end };
    Ok(())
}

/// Writes what a store stream still holds, which ends at `at`, and empties it.
fn flush(core: &mut Core, args: &Args<'_>, at: u64) -> Done {
    let u = *state(core, args, 0)?;
    if u.len > 0 {
        if u.end != at {
            let what = format_args!("the store stream ends at {}, and is flushed at {at}", u.end);
            return Err(args.fault(FaultKind::BadArgument, what));
        }
        write(core, args, at - u.len, &u.rest[..u.len as usize])?;
    }
    *state(core, args, 0)? = Align::default();
    Ok(())
}
