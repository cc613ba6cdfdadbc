//! One source and a destination, element by element, some with a scalar.

use super::super::{Args, Core, Fault, Intrinsic, MaskMode};
use super::lane::{F16, F32, I16, I32, Lane, U16, U32, half_saturates, integer_saturates, map, max, min, relu};
use super::view::{Plan, Row, View, aligned, count, repeats, run, stride};
use super::{elem, no_type, one_source, vector};
use ptoc_target::{DType, Loc};

pub(in super::super) const UNARY: &[Intrinsic] = &[
    vector("vabs", |core, args| floats(core, args, f32::abs)),
    vector("vadds", |core, args| scalars(core, args, |x, s| x + s, |x, s| x + s)),
    vector("vaxpy", vaxpy),
    vector("vcopy", vcopy),
    vector("vector_dup", vector_dup),
    vector("vexp", |core, args| floats(core, args, |x| f64::from(x).exp() as f32)),
    vector("vln", |core, args| floats(core, args, |x| f64::from(x).ln() as f32)),
    vector("vlrelu", vlrelu),
    vector("vmaxs", |core, args| scalars(core, args, max, i64::max)),
    vector("vmins", |core, args| scalars(core, args, min, i64::min)),
    vector("vmuls", |core, args| scalars(core, args, |x, s| x * s, |x, s| x * s)),
    vector("vnot", vnot),
    vector("vrelu", vrelu),
    vector("vrsqrt", |core, args| floats(core, args, |x| (1.0 / f64::from(x).sqrt()) as f32)),
    vector("vshl", vshl),
    vector("vshr", vshr),
    vector("vsqrt", |core, args| floats(core, args, f32::sqrt)),
];

type Done = Result<(), Fault>;

/// One operation on lanes of type `L`.
fn lanes<L: Lane>(core: &mut Core, args: &Args<'_>, f: impl Fn(L::Value) -> L::Value) -> Done {
    let (plan, dst, src) = one_source(core, args, L::BYTES, L::BYTES, 2)?;
    run(core, args, &plan, dst, [src], |[a], out| map::<L, L>(a, out, &f))
}

/// On f16 or f32.
fn floats(core: &mut Core, args: &Args<'_>, f: impl Fn(f32) -> f32) -> Done {
    match (elem(args, 0)?, half_saturates(core)) {
        (DType::F32, _) => lanes::<F32>(core, args, f),
        (DType::F16, false) => lanes::<F16<false>>(core, args, f),
        (DType::F16, true) => lanes::<F16<true>>(core, args, f),
        (ty, _) => Err(no_type(args, ty)),
    }
}

fn vnot(core: &mut Core, args: &Args<'_>) -> Done {
    match elem(args, 0)? {
        DType::I16 | DType::U16 => lanes::<U16<false>>(core, args, |x| !x),
        ty => Err(no_type(args, ty)),
    }
}

fn vrelu(core: &mut Core, args: &Args<'_>) -> Done {
    match elem(args, 0)? {
        DType::I32 => lanes::<I32<false>>(core, args, |x| x.max(0)),
        _ => floats(core, args, relu),
    }
}

/// `(dst, src, scalar, repeat, ...)` on lanes of type `L`.
fn with_scalar<L: Lane>(
    core: &mut Core,
    args: &Args<'_>,
    ty: DType,
    f: impl Fn(L::Value, L::Value) -> L::Value,
) -> Done {
    let scalar = L::get(&args.scalar(2, ty)?.to_le_bytes());
    let (plan, dst, src) = one_source(core, args, L::BYTES, L::BYTES, 3)?;
    run(core, args, &plan, dst, [src], |[a], out| map::<L, L>(a, out, |x| f(x, scalar)))
}

/// On f16, f32, i16 or i32.
fn scalars(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> f32, i: impl Fn(i64, i64) -> i64) -> Done {
    match (elem(args, 0)?, integer_saturates(core)) {
        (ty @ DType::I16, false) => with_scalar::<I16<false>>(core, args, ty, i),
        (ty @ DType::I16, true) => with_scalar::<I16<true>>(core, args, ty, i),
        (ty @ DType::I32, false) => with_scalar::<I32<false>>(core, args, ty, i),
        (ty @ DType::I32, true) => with_scalar::<I32<true>>(core, args, ty, i),
        _ => float_scalars(core, args, f),
    }
}

/// On f16 or f32.
fn float_scalars(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> f32) -> Done {
    match (elem(args, 0)?, half_saturates(core)) {
        (ty @ DType::F32, _) => with_scalar::<F32>(core, args, ty, f),
        (ty @ DType::F16, false) => with_scalar::<F16<false>>(core, args, ty, f),
        (ty @ DType::F16, true) => with_scalar::<F16<true>>(core, args, ty, f),
        (ty, _) => Err(no_type(args, ty)),
    }
}

/// The sign bit decides, so that -0 is multiplied.
fn vlrelu(core: &mut Core, args: &Args<'_>) -> Done {
    float_scalars(core, args, |x, s| if x.is_sign_negative() { x * s } else { x })
}

/// `dst + scalar * src`, the product rounded to the type of `dst`; a half source may go to a single destination.
fn vaxpy(core: &mut Core, args: &Args<'_>) -> Done {
    fn lanes<S: Lane<Value = f32>, D: Lane<Value = f32>>(core: &mut Core, args: &Args<'_>, ty: DType) -> Done {
        let scalar = S::get(&args.scalar(2, ty)?.to_le_bytes());
        let (plan, dst, src) = one_source(core, args, D::BYTES, S::BYTES, 3)?;
        run(core, args, &plan, dst, [src, dst], |[a, d], out: &mut Row| {
            let old = d.chunks_exact(D::BYTES).map(D::get);
            for ((a, d), o) in a.chunks_exact(S::BYTES).map(S::get).zip(old).zip(out.chunks_exact_mut(D::BYTES)) {
                D::put(d + D::rounded(scalar * a), o);
            }
        })
    }
    match (elem(args, 0)?, elem(args, 1)?, half_saturates(core)) {
        (DType::F32, ty @ DType::F32, _) => lanes::<F32, F32>(core, args, ty),
        (DType::F32, ty @ DType::F16, _) => lanes::<F16<false>, F32>(core, args, ty),
        (DType::F16, ty @ DType::F16, false) => lanes::<F16<false>, F16<false>>(core, args, ty),
        (DType::F16, ty @ DType::F16, true) => lanes::<F16<true>, F16<true>>(core, args, ty),
        (_, ty, _) => Err(no_type(args, ty)),
    }
}

/// A shift by a number of bits, up to the width of an element.
fn shift(core: &mut Core, args: &Args<'_>, f: impl Fn(i64, u64) -> i64) -> Done {
    let by = args.count(2)?;
    let (plan, dst, src) = match elem(args, 0)? {
        DType::I16 | DType::U16 => one_source(core, args, 2, 2, 3)?,
        DType::I32 | DType::U32 => one_source(core, args, 4, 4, 3)?,
        ty => return Err(no_type(args, ty)),
    };
    let kernel = |a: &Row, out: &mut Row| match elem(args, 0) {
        Ok(DType::I16) => map::<I16<false>, I16<false>>(a, out, |x| f(x, by)),
        Ok(DType::U16) => map::<U16<false>, U16<false>>(a, out, |x| f(x, by)),
        Ok(DType::I32) => map::<I32<false>, I32<false>>(a, out, |x| f(x, by)),
        _ => map::<U32<false>, U32<false>>(a, out, |x| f(x, by)),
    };
    run(core, args, &plan, dst, [src], |[a], out| kernel(a, out))
}

/// Bits above the top are lost, whatever the sign.
fn vshl(core: &mut Core, args: &Args<'_>) -> Done {
    shift(core, args, |x, by| if by < 32 { x << by } else { 0 })
}

/// Arithmetic for signed elements, logical for unsigned ones; the last argument adds the last bit shifted out.
fn vshr(core: &mut Core, args: &Args<'_>) -> Done {
    let round = args.len() > 8 && args.flag(8)?;
    shift(core, args, move |x, by| {
        let by = by.min(63);
        let last = if round && by > 0 { x >> (by - 1) & 1 } else { 0 };
        (x >> by) + last
    })
}

/// Bits of 2 or 4 bytes an element. In count mode the count is for each repeat and may pass its end.
fn vcopy(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = elem(args, 0)?;
    let size = ty.bytes();
    if size != 2 && size != 4 {
        return Err(no_type(args, ty));
    }
    if core.spr.mask_mode == MaskMode::Norm {
        let (plan, dst, src) = one_source(core, args, size as usize, size as usize, 2)?;
        return run(core, args, &plan, dst, [src], |[a], out| *out = *a);
    }
    let bytes = count(core, args)? * size;
    let (to, from) = (aligned(args, 0, 32)?, aligned(args, 1, 32)?);
    let [to_block, from_block] = [stride(args, 3, 32)?, stride(args, 4, 32)?];
    let [to_repeat, from_repeat] = [stride(args, 5, 32)?, stride(args, 6, 32)?];
    for r in 0..repeats(args, 2)? {
        for b in 0..bytes.div_ceil(32) {
            let (t, f) = (to + r * to_repeat + b * to_block, from + r * from_repeat + b * from_block);
            let n = (bytes - 32 * b).min(32);
            core.mem.copy((Loc::Vec, t), (Loc::Vec, f), n).map_err(|e| args.within(e))?;
        }
    }
    Ok(())
}

/// `(dst, scalar, repeat, dst block stride, unused, dst repeat stride, unused)`.
fn vector_dup(core: &mut Core, args: &Args<'_>) -> Done {
    let ty = elem(args, 0)?;
    let size = ty.bytes();
    if size != 2 && size != 4 {
        return Err(no_type(args, ty));
    }
    let bits = args.scalar(1, ty)?.to_le_bytes();
    let mut row = [0; 256];
    row.chunks_exact_mut(size as usize).for_each(|to| to.copy_from_slice(&bits[..to.len()]));
    let plan = Plan::new(core, args, 256 / size, 2)?;
    let dst = View::new(args, 0, size, 3, 5)?;
    run(core, args, &plan, dst, [], |[], out| *out = row)
}
