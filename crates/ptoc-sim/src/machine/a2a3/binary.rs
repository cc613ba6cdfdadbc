//! Two sources and a destination, element by element; in the fused forms the destination is a source too.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic};
use super::lane::{F16, F32, I8, I16, I32, Lane, U16, half_saturates, integer_saturates, map, max, min, relu, zip};
use super::view::{Plan, Row, View, run};
use super::{elem, no_type, two_sources, vector};
use ptoc_target::DType;

pub(in super::super) const BINARY: &[Intrinsic] = &[
    vector("vadd", |core, args| arithmetic(core, args, |a, b| a + b, |a, b| a + b)),
    vector("vaddrelu", |core, args| floats(core, args, |a, b| relu(a + b))),
    vector("vaddreluconv_f162s8", |core, args| narrowed::<F16<false>, I8<true>>(core, args, |a, b| a + b, to_int)),
    vector("vaddreluconv_f322f16", |core, args| narrowed::<F32, F16<true>>(core, args, |a, b| a + b, to_half)),
    vector("vaddreluconv_s162s8", |core, args| narrowed::<I16<true>, I8<true>>(core, args, |a, b| a + b, |t| t.max(0))),
    vector("vand", |core, args| bits(core, args, |a, b| a & b)),
    vector("vdiv", |core, args| floats(core, args, |a, b| a / b)),
    vector("vmadd", |core, args| fused(core, args, Fused { product_of_dst: true, relu: false })),
    vector("vmaddrelu", |core, args| fused(core, args, Fused { product_of_dst: true, relu: true })),
    vector("vmax", |core, args| arithmetic(core, args, max, i64::max)),
    vector("vmin", |core, args| arithmetic(core, args, min, i64::min)),
    vector("vmla", |core, args| fused(core, args, Fused { product_of_dst: false, relu: false })),
    vector("vmul", |core, args| arithmetic(core, args, |a, b| a * b, |a, b| a * b)),
    vector("vor", |core, args| bits(core, args, |a, b| a | b)),
    vector("vsub", |core, args| arithmetic(core, args, |a, b| a - b, |a, b| a - b)),
    vector("vsubrelu", |core, args| floats(core, args, |a, b| relu(a - b))),
    vector("vsubreluconv_f162s8", |core, args| narrowed::<F16<false>, I8<true>>(core, args, |a, b| a - b, to_int)),
    vector("vsubreluconv_f322f16", |core, args| narrowed::<F32, F16<true>>(core, args, |a, b| a - b, to_half)),
    vector("vsubreluconv_s162s8", |core, args| narrowed::<I16<true>, I8<true>>(core, args, |a, b| a - b, |t| t.max(0))),
];

type Done = Result<(), Fault>;

/// One operation on lanes of type `L`.
fn lanes<L: Lane>(core: &mut Core, args: &Args<'_>, ty: DType, f: impl Fn(L::Value, L::Value) -> L::Value) -> Done {
    let (plan, dst, src) = two_sources(core, args, ty)?;
    run(core, args, &plan, dst, src, |[a, b], out| zip::<L>(a, b, out, &f))
}

/// On f16, f32, i16 or i32.
fn arithmetic(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> f32, i: impl Fn(i64, i64) -> i64) -> Done {
    match (elem(args, 0)?, integer_saturates(core)) {
        (ty @ DType::I16, false) => lanes::<I16<false>>(core, args, ty, i),
        (ty @ DType::I16, true) => lanes::<I16<true>>(core, args, ty, i),
        (ty @ DType::I32, false) => lanes::<I32<false>>(core, args, ty, i),
        (ty @ DType::I32, true) => lanes::<I32<true>>(core, args, ty, i),
        _ => floats(core, args, f),
    }
}

/// On f16 or f32.
fn floats(core: &mut Core, args: &Args<'_>, f: impl Fn(f32, f32) -> f32) -> Done {
    match (elem(args, 0)?, half_saturates(core)) {
        (ty @ DType::F32, _) => lanes::<F32>(core, args, ty, f),
        (ty @ DType::F16, false) => lanes::<F16<false>>(core, args, ty, f),
        (ty @ DType::F16, true) => lanes::<F16<true>>(core, args, ty, f),
        (ty, _) => Err(no_type(args, ty)),
    }
}

/// On 16-bit units.
fn bits(core: &mut Core, args: &Args<'_>, f: impl Fn(i64, i64) -> i64) -> Done {
    match elem(args, 0)? {
        ty @ (DType::I16 | DType::U16) => lanes::<U16<false>>(core, args, ty, f),
        ty => Err(no_type(args, ty)),
    }
}

/// Which of destination and sources a product and a sum take.
#[derive(Clone, Copy)]
struct Fused {
    /// `src0 * dst + src1` instead of `dst + src0 * src1`.
    product_of_dst: bool,
    /// The larger of the result and 0.
    relu: bool,
}

/// The product is rounded before the sum: nothing is fused but the name.
fn fused(core: &mut Core, args: &Args<'_>, how: Fused) -> Done {
    fn lanes<L: Lane<Value = f32>>(rows: &[Row; 3], out: &mut Row, how: Fused) {
        let [a, b, d] = rows.each_ref().map(|r| r.chunks_exact(L::BYTES).map(L::get));
        for (((a, b), d), o) in a.zip(b).zip(d).zip(out.chunks_exact_mut(L::BYTES)) {
            let v = if how.product_of_dst { L::rounded(a * d) + b } else { d + L::rounded(a * b) };
            L::put(if how.relu { relu(v) } else { v }, o);
        }
    }
    let ty = elem(args, 0)?;
    let kernel = match (ty, half_saturates(core)) {
        (DType::F32, _) => lanes::<F32>,
        (DType::F16, false) => lanes::<F16<false>>,
        (DType::F16, true) => lanes::<F16<true>>,
        _ => return Err(no_type(args, ty)),
    };
    let (plan, dst, [a, b]) = two_sources(core, args, ty)?;
    run(core, args, &plan, dst, [a, b, dst], |rows, out| kernel(rows, out, how))
}

/// A sum or difference, its positive part, and that in a type of half the width: `S` and `D` are the lane types. The last
/// argument asks for the high half of the blocks, which has no reading here.
fn narrowed<S: Lane, D: Lane>(
    core: &mut Core,
    args: &Args<'_>,
    f: impl Fn(S::Value, S::Value) -> S::Value,
    convert: impl Fn(S::Value) -> D::Value,
) -> Done {
    if args.len() > 10 && args.flag(10)? {
        return Err(args.fault(FaultKind::Unsupported, "the form that writes the high half"));
    }
    let plan = Plan::new(core, args, 256 / S::BYTES as u64, 3)?;
    let dst = View::new(args, 0, D::BYTES as u64, 4, 7)?;
    let src = [View::new(args, 1, S::BYTES as u64, 5, 8)?, View::new(args, 2, S::BYTES as u64, 6, 9)?];
    run(core, args, &plan, dst, src, |[a, b], out| {
        let mut t = [0; 256];
        zip::<S>(a, b, &mut t, &f);
        map::<S, D>(&t, out, &convert);
    })
}

/// The positive part of a half as an integer, to nearest even; NaN is 0.
fn to_int(t: f32) -> i64 {
    relu(t).round_ties_even() as i64
}

/// The positive part; storing saturates it.
fn to_half(t: f32) -> f32 {
    relu(t)
}
