//! Reductions of a repeat, of its blocks or of its pairs. A lane that is off counts as absent.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic};
use super::lane::{F16, F32, Lane, half_saturates};
use super::view::{Plan, Row, View, aligned, stride};
use super::{elem, no_type, vector};
use ptoc_target::{DType, Loc};

pub(in super::super) const REDUCE: &[Intrinsic] = &[
    vector("vcadd", |core, args| {
        by_type(core, args, Kernels { f32: vcadd::<F32>, f16: vcadd::<F16<false>>, sat: vcadd::<F16<true>> })
    }),
    vector("vcgadd", |core, args| {
        by_type(core, args, Kernels { f32: blocks::<F32>, f16: blocks::<F16<false>>, sat: blocks::<F16<true>> })
    }),
    vector("vcgmax", |core, args| {
        by_type(core, args, Kernels { f32: blocks::<F32>, f16: blocks::<F16<false>>, sat: blocks::<F16<true>> })
    }),
    vector("vcgmin", |core, args| {
        by_type(core, args, Kernels { f32: blocks::<F32>, f16: blocks::<F16<false>>, sat: blocks::<F16<true>> })
    }),
    vector("vcmax", |core, args| {
        by_type(core, args, Kernels { f32: extreme::<F32>, f16: extreme::<F16<false>>, sat: extreme::<F16<false>> })
    }),
    vector("vcmin", |core, args| {
        by_type(core, args, Kernels { f32: extreme::<F32>, f16: extreme::<F16<false>>, sat: extreme::<F16<false>> })
    }),
    vector("vcpadd", |core, args| {
        by_type(core, args, Kernels { f32: pairs::<F32>, f16: pairs::<F16<false>>, sat: pairs::<F16<true>> })
    }),
];

type Done = Result<(), Fault>;

/// The same reduction on each element type; `sat` on halves that saturate.
struct Kernels {
    f32: fn(&mut Core, &Args<'_>) -> Done,
    f16: fn(&mut Core, &Args<'_>) -> Done,
    sat: fn(&mut Core, &Args<'_>) -> Done,
}

fn by_type(core: &mut Core, args: &Args<'_>, k: Kernels) -> Done {
    match (elem(args, 0)?, half_saturates(core)) {
        (DType::F32, _) => (k.f32)(core, args),
        (DType::F16, false) => (k.f16)(core, args),
        (DType::F16, true) => (k.sat)(core, args),
        (ty, _) => Err(no_type(args, ty)),
    }
}

/// Runs a reduction `(dst, src, repeat, dst repeat stride, src block stride, src repeat stride, ...)`: `f` gets the packed
/// lanes and the mask of a repeat and the place of its results, `unit` bytes a step of the destination's stride.
fn reduce<L: Lane<Value = f32>>(
    core: &mut Core,
    args: &Args<'_>,
    align: u64,
    unit: u64,
    mut f: impl FnMut(&mut Core, &Row, u128, u64) -> Done,
) -> Done {
    let plan = Plan::new(core, args, 256 / L::BYTES as u64, 2)?;
    let src = View::new(args, 1, L::BYTES as u64, 4, 5)?;
    let (dst, step) = (aligned(args, 0, align)?, stride(args, 3, unit)?);
    src.touch(&mut core.mem, &plan, false).map_err(|e| args.within(e))?;
    let mut row = [0; 256];
    for r in 0..plan.repeats {
        let mask = plan.mask(r);
        if mask != 0 {
            src.read(core.mem.raw_mut(Loc::Vec), r, mask, &mut row);
            f(core, &row, mask, dst + r * step).map_err(|e| args.within(e))?;
        }
    }
    Ok(())
}

/// The sum of lanes as a tree of neighbours, each partial sum rounded. -0 stands for an absent lane: adding it changes
/// nothing, not even the sign of a zero.
fn tree<L: Lane<Value = f32>>(values: &mut [f32]) -> f32 {
    let mut n = values.len();
    while n > 1 {
        for i in 0..n / 2 {
            values[i] = L::rounded(values[2 * i] + values[2 * i + 1]);
        }
        n /= 2;
    }
    values.first().copied().unwrap_or(-0.0)
}

/// The lanes of a repeat, absent ones replaced.
fn lanes<L: Lane<Value = f32>>(row: &Row, mask: u128, absent: f32) -> [f32; 128] {
    let mut values = [absent; 128];
    for (l, (v, from)) in values.iter_mut().zip(row.chunks_exact(L::BYTES)).enumerate() {
        if mask >> l & 1 == 1 {
            *v = L::get(from);
        }
    }
    values
}

/// Stores one result.
fn store<L: Lane<Value = f32>>(core: &mut Core, at: u64, v: f32) -> Done {
    core.mem.write(Loc::Vec, at, L::BYTES as u64).map(|to| L::put(v, to))
}

/// One sum for a repeat; the stride is in elements.
fn vcadd<L: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>) -> Done {
    if args.len() > 6 && args.flag(6)? {
        return Err(args.fault(FaultKind::Unsupported, "the mode other than one sum for a repeat"));
    }
    let size = L::BYTES as u64;
    reduce::<L>(core, args, size, size, |core, row, mask, at| {
        let mut values = lanes::<L>(row, mask, -0.0);
        let sum = tree::<L>(&mut values[..256 / L::BYTES]);
        store::<L>(core, at, sum)
    })
}

/// One result for a block that has a working lane; the stride is in the eight results of a repeat.
fn blocks<L: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>) -> Done {
    let (size, e) = (L::BYTES as u64, 32 / L::BYTES);
    let better = better(args);
    reduce::<L>(core, args, 8 * size, 8 * size, |core, row, mask, at| {
        let mut values = lanes::<L>(row, mask, -0.0);
        for (b, block) in values[..256 / L::BYTES].chunks_exact_mut(e).enumerate() {
            let working = mask >> (b * e) & ((1 << e) - 1);
            let result = match better {
                _ if working == 0 => continue,
                None => tree::<L>(block),
                Some(better) => first(block, working, better).1,
            };
            store::<L>(core, at + b as u64 * size, result)?;
        }
        Ok(())
    })
}

/// Sums of neighbours, half a repeat of them; the stride is in 128 bytes.
fn pairs<L: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>) -> Done {
    reduce::<L>(core, args, 32, 128, |core, row, mask, at| {
        let values = lanes::<L>(row, mask, -0.0);
        for (j, pair) in values[..256 / L::BYTES].chunks_exact(2).enumerate() {
            if mask >> (2 * j) & 3 != 0 {
                store::<L>(core, at + (j * L::BYTES) as u64, pair[0] + pair[1])?;
            }
        }
        Ok(())
    })
}

/// Whether a lane beats the best so far: `None` for sums.
fn better(args: &Args<'_>) -> Option<fn(f32, f32) -> bool> {
    match args.name {
        "vcmax" | "vcgmax" => Some(|x, best| x > best),
        "vcmin" | "vcgmin" => Some(|x, best| x < best),
        _ => None,
    }
}

/// The first best lane and its value; NaN beats everything.
fn first(values: &[f32], mask: u128, better: fn(f32, f32) -> bool) -> (usize, f32) {
    let mut best: Option<(usize, f32)> = None;
    for (l, v) in values.iter().enumerate().filter(|(l, _)| mask >> l & 1 == 1) {
        match best {
            Some((_, b)) if b.is_nan() || !(v.is_nan() || better(*v, b)) => {}
            _ => best = Some((l, *v)),
        }
    }
    best.unwrap_or((0, 0.0))
}

/// The extreme of a repeat, where it is in the repeat, or both.
fn extreme<L: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>) -> Done {
    let size = L::BYTES as u64;
    let (value, index, unit) = match args.word(6) {
        None | Some("VALUE_INDEX") => (true, true, 2 * size),
        Some("ONLY_VALUE") => (true, false, size),
        Some("ONLY_INDEX") => (false, true, 4),
        Some(other) => return Err(args.fault(FaultKind::BadArgument, format_args!("order `{other}`"))),
    };
    let Some(better) = better(args) else {
        return Err(args.fault(FaultKind::Unsupported, "no order of elements"));
    };
    reduce::<L>(core, args, unit, unit, |core, row, mask, at| {
        let (lane, v) = first(&lanes::<L>(row, mask, 0.0)[..256 / L::BYTES], mask, better);
        if value {
            store::<L>(core, at, v)?;
        }
        if index {
            // Beside a value the index has its width.
            let (at, n) = if value { (at + size, size) } else { (at, 4) };
            core.mem.write(Loc::Vec, at, n)?.copy_from_slice(&(lane as u64).to_le_bytes()[..n as usize]);
        }
        Ok(())
    })
}
