//! Several operations on each element in one pass: products added to what the destination holds, sums of three, rectified
//! differences.

use super::vec::{Lanes, Plane, to_element};
use crate::{Call, Em, LowerFn, Res};
use ptoc_ir::ValueId;

pub(super) const OPS: &[(&str, LowerFn)] = &[
    ("pto.tsubrelu", |em, c| {
        three(em, c, &[], |em, l, _, [a, b], m| {
            let d = l.binary(em, "pto.vsub", a, b, m);
            l.unary(em, "pto.vrelu", d, m)
        })
    }),
    ("pto.tfusedmuladd", |em, c| three(em, c, &["dst"], |em, l, acc, xs, m| fused(em, l, "pto.vmadd", acc, xs, m))),
    ("pto.tfusedmuladdrelu", |em, c| {
        three(em, c, &["dst"], |em, l, acc, xs, m| {
            let sum = fused(em, l, "pto.vmadd", acc, xs, m);
            l.unary(em, "pto.vrelu", sum, m)
        })
    }),
    ("pto.tmuladddst", |em, c| three(em, c, &["dst"], |em, l, acc, xs, m| fused(em, l, "pto.vmula", acc, xs, m))),
    ("pto.taddc", |em, c| {
        three(em, c, &["src2"], |em, l, third, [a, b], m| {
            let sum = l.binary(em, "pto.vadd", a, b, m);
            l.binary(em, "pto.vadd", sum, third.unwrap_or(sum), m)
        })
    }),
    ("pto.tsubc", |em, c| {
        three(em, c, &["src2"], |em, l, third, [a, b], m| {
            let difference = l.binary(em, "pto.vsub", a, b, m);
            l.binary(em, "pto.vadd", difference, third.unwrap_or(difference), m)
        })
    }),
    ("pto.taxpy", scaled),
];

/// What is made of the registers of the third tile and of the two sources, under a predicate.
type Body = fn(&mut Em<'_>, &Lanes, Option<ValueId>, [ValueId; 2], ValueId) -> ValueId;

fn fused(
    em: &mut Em<'_>,
    l: &Lanes,
    op: &'static str,
    acc: Option<ValueId>,
    [a, b]: [ValueId; 2],
    m: ValueId,
) -> ValueId {
    let ty = l.vreg(em);
    em.emit1(op, &[acc.unwrap_or(a), a, b, m], ty)
}

/// Two sources, and a third tile that is read as well: another source, or the destination.
fn three(em: &mut Em<'_>, call: &Call, third: &[&str], body: Body) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let lanes = Lanes::need(em, call, &dst)?;
    let c = match third.first() {
        Some(name) => Some(call.tile(em, name)?),
        None => None,
    };
    let plane = Plane::of(em, call, [&dst, &a, &b, c.as_ref().unwrap_or(&dst)], &lanes)?;
    let (pd, pa, pb) = (em.ptr(&dst), em.ptr(&a), em.ptr(&b));
    let pc = c.map(|c| em.ptr(&c));
    em.region("pto.vecscope", |em| {
        plane.each(em, &lanes, |em, mask, [d, x, y, z]| {
            let third = pc.map(|p| lanes.load(em, p, z));
            let x = lanes.load(em, pa, x);
            let y = lanes.load(em, pb, y);
            let r = body(em, &lanes, third, [x, y], mask);
            lanes.store(em, r, pd, d, mask);
        });
    });
    Ok(())
}

/// `dst + src * number`
fn scaled(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    if src.dtype() != dst.dtype() {
        return Err(call.unsupported(em, format!("from {} into {}", src.dtype(), dst.dtype())));
    }
    let number = call.need(em, "scalar")?;
    let number = to_element(em, call, number, dst.ty.elem)?;
    let lanes = Lanes::need(em, call, &dst)?;
    let plane = Plane::of(em, call, [&dst, &src], &lanes)?;
    let (pd, ps) = (em.ptr(&dst), em.ptr(&src));
    em.region("pto.vecscope", |em| {
        plane.each(em, &lanes, |em, mask, [d, s]| {
            let old = lanes.load(em, pd, d);
            let x = lanes.load(em, ps, s);
            let ty = lanes.vreg(em);
            let r = em.emit1("pto.vaxpy", &[old, x, number, mask], ty);
            lanes.store(em, r, pd, d, mask);
        });
    });
    Ok(())
}
