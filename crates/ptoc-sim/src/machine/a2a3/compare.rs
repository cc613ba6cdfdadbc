//! Compares and selections: masks of one bit an element, in the compare mask or packed in UB.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic};
use super::lane::{F16, F32, I32, Lane};
use super::view::{Plan, Row, View, aligned, run};
use super::{elem, no_type, two_sources, vector};
use ptoc_target::{DType, Loc};

#[rustfmt::skip]
pub(in super::super) const COMPARE: &[Intrinsic] = &[
    vector("set_cmpmask", set_cmpmask),
    vector("vcmp_eq", |core, args| vcmp(core, args, |a, b| a == b)),
    vector("vcmp_ge", |core, args| vcmp(core, args, |a, b| a >= b)),
    vector("vcmp_gt", |core, args| vcmp(core, args, |a, b| a > b)),
    vector("vcmp_le", |core, args| vcmp(core, args, |a, b| a <= b)),
    vector("vcmp_lt", |core, args| vcmp(core, args, |a, b| a < b)),
    vector("vcmpv_eq", |core, args| vcmpv(core, args, |a, b| a == b, Some(|a, b| a == b))),
    vector("vcmpv_ge", |core, args| vcmpv(core, args, |a, b| a >= b, None)),
    vector("vcmpv_gt", |core, args| vcmpv(core, args, |a, b| a > b, None)),
    vector("vcmpv_le", |core, args| vcmpv(core, args, |a, b| a <= b, None)),
    vector("vcmpv_lt", |core, args| vcmpv(core, args, |a, b| a < b, None)),
    vector("vcmpvs_eq", |core, args| vcmpvs(core, args, |a, b| a == b, Some(|a, b| a == b))),
    vector("vcmpvs_ge", |core, args| vcmpvs(core, args, |a, b| a >= b, None)),
    vector("vcmpvs_gt", |core, args| vcmpvs(core, args, |a, b| a > b, None)),
    vector("vcmpvs_le", |core, args| vcmpvs(core, args, |a, b| a <= b, None)),
    vector("vcmpvs_lt", |core, args| vcmpvs(core, args, |a, b| a < b, None)),
    vector("vsel", vsel),
];

type Done = Result<(), Fault>;

/// The compare of 32-bit integers, where there is one.
type OnInts = Option<fn(i64, i64) -> bool>;

/// One bit for each lane of two packed rows.
fn bits<L: Lane>(a: &Row, b: &Row, f: impl Fn(L::Value, L::Value) -> bool) -> u128 {
    let lanes = a.chunks_exact(L::BYTES).zip(b.chunks_exact(L::BYTES));
    lanes.enumerate().fold(0, |m, (l, (a, b))| m | u128::from(f(L::get(a), L::get(b))) << l)
}

/// Sixteen bytes of UB become the compare mask.
fn set_cmpmask(core: &mut Core, args: &Args<'_>) -> Done {
    let at = aligned(args, 0, 16)?;
    let bytes = core.mem.read(Loc::Vec, at, 16).map_err(|e| args.within(e))?;
    core.cmpmask = bytes.first_chunk().map_or(0, |b| u128::from_le_bytes(*b));
    Ok(())
}

/// `(src0, src1, repeat, unused, src0 block stride, src1 block stride, unused, src0 repeat stride, src1 repeat stride)`: the
/// first repeat goes to the compare mask, whose bits of lanes that are off stay.
fn vcmp(core: &mut Core, args: &Args<'_>, f: fn(f32, f32) -> bool) -> Done {
    let ty = elem(args, 0)?;
    let kernel = match ty {
        DType::F32 => |a: &Row, b: &Row, f: fn(f32, f32) -> bool| bits::<F32>(a, b, f),
        DType::F16 => |a: &Row, b: &Row, f: fn(f32, f32) -> bool| bits::<F16<false>>(a, b, f),
        _ => return Err(no_type(args, ty)),
    };
    let plan = Plan::new(core, args, 256 / ty.bytes(), 2)?;
    if plan.repeats == 0 {
        return Ok(());
    }
    let plan = plan.first();
    let mask = plan.mask(0);
    let mut rows = [[0; 256]; 2];
    for (i, row) in rows.iter_mut().enumerate() {
        let src = View::new(args, i, ty.bytes(), 4 + i, 7 + i)?;
        src.touch(&mut core.mem, &plan, false).map_err(|e| args.within(e))?;
        src.read(core.mem.raw_mut(Loc::Vec), 0, mask, row);
    }
    core.cmpmask = core.cmpmask & !mask | kernel(&rows[0], &rows[1], f) & mask;
    Ok(())
}

/// Whole repeats, whatever the mask: a repeat gives as many bits as it has lanes, packed after those of the one before.
fn packed(
    core: &mut Core,
    args: &Args<'_>,
    plan: Plan,
    src: &[View],
    kernel: impl Fn(&[Row; 2]) -> u128,
    mut rows: [Row; 2],
) -> Done {
    let plan = Plan::all(plan.repeats, plan.lanes);
    let (dst, bytes) = (aligned(args, 0, 1)?, plan.lanes / 8);
    for view in src {
        view.touch(&mut core.mem, &plan, false).map_err(|e| args.within(e))?;
    }
    for r in 0..plan.repeats {
        for (view, row) in src.iter().zip(&mut rows) {
            view.read(core.mem.raw_mut(Loc::Vec), r, plan.mask(r), row);
        }
        let bits = kernel(&rows).to_le_bytes();
        let to = core.mem.write(Loc::Vec, dst + r * bytes, bytes).map_err(|e| args.within(e))?;
        to.copy_from_slice(&bits[..bytes as usize]);
    }
    Ok(())
}

fn vcmpv(core: &mut Core, args: &Args<'_>, f: fn(f32, f32) -> bool, i: OnInts) -> Done {
    let ty = elem(args, 1)?;
    let (plan, _, src) = two_sources(core, args, ty)?;
    compare(core, args, ty, plan, &src, [[0; 256]; 2], f, i)
}

/// `(dst, src, scalar, repeat, ...)`.
fn vcmpvs(core: &mut Core, args: &Args<'_>, f: fn(f32, f32) -> bool, i: OnInts) -> Done {
    let ty = elem(args, 1)?;
    let scalar = args.scalar(2, ty)?.to_le_bytes();
    let mut rows = [[0; 256]; 2];
    let s = ty.bytes() as usize;
    rows[1].chunks_exact_mut(s).for_each(|to| to.copy_from_slice(&scalar[..s]));
    let plan = Plan::new(core, args, 256 / ty.bytes(), 3)?;
    let src = View::new(args, 1, ty.bytes(), 5, 7)?;
    compare(core, args, ty, plan, &[src], rows, f, i)
}

#[allow(clippy::too_many_arguments)]
fn compare(
    core: &mut Core,
    args: &Args<'_>,
    ty: DType,
    plan: Plan,
    src: &[View],
    rows: [Row; 2],
    f: fn(f32, f32) -> bool,
    i: OnInts,
) -> Done {
    match (ty, i) {
        (DType::F32, _) => packed(core, args, plan, src, |[a, b]| bits::<F32>(a, b, f), rows),
        (DType::F16, _) => packed(core, args, plan, src, |[a, b]| bits::<F16<false>>(a, b, f), rows),
        (DType::I32, Some(i)) => packed(core, args, plan, src, |[a, b]| bits::<I32<false>>(a, b, i), rows),
        _ => Err(no_type(args, ty)),
    }
}

/// A set bit takes `src0`. Mode 0: the compare mask, the same for every repeat, and `src1`. Mode 1: bits at the pointer
/// `src1`, and the scalar in the low bytes of the compare mask. Mode 2: bits at the address in the compare mask, and `src1`.
/// Bits in memory go on from repeat to repeat.
fn vsel(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = elem(args, 0)?;
    if ty.bytes() != 2 && ty.bytes() != 4 {
        return Err(no_type(args, ty));
    }
    let (plan, dst, [a, b]) = {
        let plan = Plan::new(core, args, 256 / ty.bytes(), 3)?;
        let view = |ptr| View::new(args, ptr, ty.bytes(), 4 + ptr, 7 + ptr);
        (plan, view(0)?, [view(1)?, view(2)?])
    };
    let choose = |bits: u128, a: &Row, b: &Row, out: &mut Row| {
        let s = ty.bytes() as usize;
        let lanes = a.chunks_exact(s).zip(b.chunks_exact(s)).zip(out.chunks_exact_mut(s));
        for (l, ((a, b), to)) in lanes.enumerate() {
            to.copy_from_slice(if bits >> l & 1 == 1 { a } else { b });
        }
    };
    let mode = if args.len() > 10 { args.count(10)? } else { 0 };
    let cmpmask = core.cmpmask;
    let from_memory = match mode {
        0 => return run(core, args, &plan, dst, [a, b], |[a, b], out| choose(cmpmask, a, b, out)),
        1 => b.at,
        2 => cmpmask as u32 as u64,
        _ => return Err(args.fault(FaultKind::BadArgument, format_args!("mode {mode}"))),
    };
    let strings = bit_strings(core, args, &plan, from_memory)?;
    let mut strings = strings.iter().copied();
    if mode == 2 {
        return run(core, args, &plan, dst, [a, b], |[a, b], out| choose(strings.next().unwrap_or(0), a, b, out));
    }
    let mut scalar = [0; 256];
    let s = ty.bytes() as usize;
    scalar.chunks_exact_mut(s).for_each(|to| to.copy_from_slice(&cmpmask.to_le_bytes()[..s]));
    run(core, args, &plan, dst, [a], |[a], out| choose(strings.next().unwrap_or(0), a, &scalar, out))
}

/// The bits of each repeat that has a working lane, from a string that begins at an address.
fn bit_strings(core: &mut Core, args: &Args<'_>, plan: &Plan, at: u64) -> Result<Vec<u128>, Fault> {
    let bytes = plan.lanes / 8;
    let mut strings = Vec::new();
    for r in (0..plan.repeats).filter(|r| plan.mask(*r) != 0) {
        let highest = u64::from(128 - plan.mask(r).leading_zeros());
        let from = core.mem.read(Loc::Vec, at + r * bytes, highest.div_ceil(8)).map_err(|e| args.within(e))?;
        let mut word = [0; 16];
        word[..from.len()].copy_from_slice(from);
        strings.push(u128::from_le_bytes(word));
    }
    Ok(strings)
}
