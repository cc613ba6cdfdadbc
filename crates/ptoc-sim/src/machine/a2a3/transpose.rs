//! The 16-row transposition: sixteen blocks named by address registers exchange rows and elements.

use super::super::{Arg, Args, Core, Fault, FaultKind, Intrinsic};
use super::vector;
use super::view::{aligned, repeats, stride};
use ptoc_target::Loc;

pub(in super::super) const TRANSPOSE: &[Intrinsic] = &[
    vector("scatter_vnchwconv_b16", |core, args| {
        rows(core, args, |a, out| {
            for (i, to) in out.iter_mut().enumerate() {
                for (j, to) in to.chunks_exact_mut(2).enumerate() {
                    to.copy_from_slice(&a[j][2 * i..2 * i + 2]);
                }
            }
        })
    }),
    vector("scatter_vnchwconv_b32", |core, args| {
        rows(core, args, |a, out| {
            // Element i of the sixteen rows fills two blocks.
            for (k, to) in out.iter_mut().enumerate() {
                let (i, first) = (k / 2, k % 2 * 8);
                for (j, to) in to.chunks_exact_mut(4).enumerate() {
                    to.copy_from_slice(&a[first + j][4 * i..4 * i + 4]);
                }
            }
        })
    }),
    vector("scatter_vnchwconv_b8", bytes),
    vector("set_va_reg_sb", set_va_reg_sb),
];

type Done = Result<(), Fault>;
type Blocks = [[u8; 32]; 16];

/// The number of an address register.
fn register(args: &Args<'_>, i: usize) -> Result<usize, Fault> {
    let n = args.word(i).and_then(|w| w.strip_prefix("VA")).and_then(|n| n.parse().ok());
    n.filter(|n| *n < 8)
        .ok_or_else(|| args.fault(FaultKind::BadArgument, format_args!("argument {i} is no register VA0 to VA7")))
}

/// `(register, eight addresses)`.
fn set_va_reg_sb(core: &mut Core, args: &Args<'_>) -> Done {
    let n = register(args, 0)?;
    let Some(Arg::List(list)) = args.list.get(1) else {
        return Err(args.fault(FaultKind::BadArgument, "argument 1 is no list of addresses"));
    };
    let sub = Args { name: args.name, list };
    for (i, to) in core.va[n].iter_mut().enumerate() {
        *to = aligned(&sub, i, 32)?;
    }
    Ok(())
}

/// The sixteen addresses of a register and the next one.
fn addresses(core: &Core, args: &Args<'_>, i: usize) -> Result<[u64; 16], Fault> {
    let n = register(args, i)?;
    let mut all = [0; 16];
    let next = core.va.get(n + 1).ok_or_else(|| args.fault(FaultKind::BadArgument, "VA7 has no register after it"))?;
    all[..8].copy_from_slice(&core.va[n]);
    all[8..].copy_from_slice(next);
    Ok(all)
}

/// `(dst register, src register, repeat, dst stride, src stride, ...)`: each repeat reads sixteen blocks, then writes sixteen;
/// strides are in blocks. With one repeat the hardware adds the stride to the addresses, so it has to be 0.
fn rows(core: &mut Core, args: &Args<'_>, f: impl Fn(&Blocks, &mut Blocks)) -> Done {
    let (to, from) = (addresses(core, args, 0)?, addresses(core, args, 1)?);
    let n = repeats(args, 2)?;
    let (to_step, from_step) = (stride(args, 3, 32)?, stride(args, 4, 32)?);
    if n == 1 && to_step + from_step > 0 {
        return Err(args.fault(FaultKind::BadArgument, "strides of one repeat have to be 0"));
    }
    let read = |core: &mut Core, from: [u64; 16], step: u64| -> Result<Blocks, Fault> {
        let mut blocks = [[0; 32]; 16];
        for (block, at) in blocks.iter_mut().zip(from) {
            block.copy_from_slice(core.mem.read(Loc::Vec, at + step, 32).map_err(|e| args.within(e))?);
        }
        Ok(blocks)
    };
    for r in 0..n {
        let source = read(core, from, r * from_step)?;
        let mut out = [[0; 32]; 16];
        f(&source, &mut out);
        for (block, at) in out.iter().zip(to) {
            let to = core.mem.write(Loc::Vec, at + r * to_step, 32).map_err(|e| args.within(e))?;
            to.copy_from_slice(block);
        }
    }
    Ok(())
}

/// As [`rows`] on one half of each block, `(..., destination in the high half, source in the high half)`; the other half of a
/// destination block stays.
fn bytes(core: &mut Core, args: &Args<'_>) -> Done {
    let (to, from) = (addresses(core, args, 0)?, addresses(core, args, 1)?);
    let n = repeats(args, 2)?;
    let (to_step, from_step) = (stride(args, 3, 32)?, stride(args, 4, 32)?);
    if n == 1 && to_step + from_step > 0 {
        return Err(args.fault(FaultKind::BadArgument, "strides of one repeat have to be 0"));
    }
    let half = |high: bool| if high { 16 } else { 0 };
    let (to_half, from_half) = (half(args.flag(5)?), half(args.flag(6)?));
    for r in 0..n {
        let mut source = [[0; 16]; 16];
        for (row, at) in source.iter_mut().zip(from) {
            let at = at + r * from_step + from_half;
            row.copy_from_slice(core.mem.read(Loc::Vec, at, 16).map_err(|e| args.within(e))?);
        }
        for (i, at) in to.into_iter().enumerate() {
            let to = core.mem.write(Loc::Vec, at + r * to_step + to_half, 16).map_err(|e| args.within(e))?;
            for (to, row) in to.iter_mut().zip(&source) {
                *to = row[i];
            }
        }
    }
    Ok(())
}
