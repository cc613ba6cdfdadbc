//! Element by element: tile with tile, tile with number, one tile.
//!
//! One vector scope; a predicate for each column step, made once, and the rows inside. Only valid elements are stored.

use super::expand::default_precision;
use super::vec::{Lanes, Plane, number, scalar_type_of, to_element};
use crate::{Call, Em, LowerFn, Res};
use ptoc_ir::ValueId;
use ptoc_target::{DType, Loc};

pub(super) const OPS: &[(&str, LowerFn)] = &[
    ("pto.tadd", |em, c| binary(em, c, "pto.vadd")),
    ("pto.tsub", |em, c| binary(em, c, "pto.vsub")),
    ("pto.tmul", |em, c| binary(em, c, "pto.vmul")),
    ("pto.tdiv", divide),
    ("pto.tmax", |em, c| binary(em, c, "pto.vmax")),
    ("pto.tmin", |em, c| binary(em, c, "pto.vmin")),
    ("pto.tand", |em, c| binary(em, c, "pto.vand")),
    ("pto.tor", |em, c| binary(em, c, "pto.vor")),
    ("pto.txor", |em, c| binary(em, c, "pto.vxor")),
    ("pto.tadds", |em, c| with_number(em, c, "src", "pto.vadds")),
    ("pto.tsubs", subtract_number),
    ("pto.tmuls", |em, c| with_number(em, c, "src0", "pto.vmuls")),
    ("pto.tdivs", divide_number),
    ("pto.tmaxs", |em, c| with_number(em, c, "src", "pto.vmaxs")),
    ("pto.tmins", |em, c| with_number(em, c, "src", "pto.vmins")),
    ("pto.tlrelu", leaky),
    ("pto.texpands", fill),
    ("pto.tabs", |em, c| unary(em, c, "pto.vabs")),
    ("pto.tneg", negate),
    ("pto.tnot", |em, c| unary(em, c, "pto.vnot")),
    ("pto.trelu", |em, c| unary(em, c, "pto.vrelu")),
    ("pto.texp", |em, c| precise(em, c, "pto.vexp")),
    ("pto.tlog", |em, c| precise(em, c, "pto.vln")),
    ("pto.tsqrt", |em, c| precise(em, c, "pto.vsqrt")),
    ("pto.trecip", reciprocal),
    ("pto.trsqrt", reciprocal_root),
    ("pto.tands", |em, c| with_register(em, c, "pto.vand")),
    ("pto.tors", |em, c| with_register(em, c, "pto.vor")),
    ("pto.txors", |em, c| with_register(em, c, "pto.vxor")),
    ("pto.tshl", |em, c| shift(em, c, "pto.vshl")),
    ("pto.tshr", |em, c| shift(em, c, "pto.vshr")),
    ("pto.tshls", |em, c| shift_by_number(em, c, "pto.vshls")),
    ("pto.tshrs", |em, c| shift_by_number(em, c, "pto.vshrs")),
    ("pto.tprelu", |em, c| binary(em, c, "pto.vprelu")),
];

fn binary(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let lanes = Lanes::need(em, call, &dst)?;
    let plane = Plane::of(em, call, [&dst, &a, &b], &lanes)?;
    let (pd, pa, pb) = (em.ptr(&dst), em.ptr(&a), em.ptr(&b));
    em.region("pto.vecscope", |em| {
        plane.each(em, &lanes, |em, mask, [d, x, y]| {
            let x = lanes.load(em, pa, x);
            let y = lanes.load(em, pb, y);
            let r = lanes.binary(em, op, x, y, mask);
            lanes.store(em, r, pd, d, mask);
        });
    });
    Ok(())
}

/// Counts are signed, whatever is shifted.
fn shift(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let lanes = Lanes::need(em, call, &dst)?;
    let counts = Lanes { elem: scalar_type_of(lanes.bits), ..lanes };
    let plane = Plane::of(em, call, [&dst, &a, &b], &lanes)?;
    let (pd, pa, pb) = (em.ptr(&dst), em.ptr(&a), em.ptr(&b));
    em.region("pto.vecscope", |em| {
        plane.each(em, &lanes, |em, mask, [d, x, y]| {
            let x = lanes.load(em, pa, x);
            let mut y = lanes.load(em, pb, y);
            if counts.elem != lanes.elem {
                let ty = counts.vreg(em);
                y = em.emit1("pto.vbitcast", &[y], ty);
            }
            let r = lanes.binary(em, op, x, y, mask);
            lanes.store(em, r, pd, d, mask);
        });
    });
    Ok(())
}

/// The count is a number of 16 bits.
fn shift_by_number(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    let s = call.need(em, "scalar")?;
    let s = to_element(em, call, s, ptoc_ir::builtin::I16)?;
    map(em, call, "src", |_, _| (), |em, lanes, (), x, mask| lanes.binary(em, op, x, s, mask))
}

/// One source; `body` makes the result from the loaded register. `before` makes what the loop needs once.
fn map<C: Copy>(
    em: &mut Em<'_>,
    call: &Call,
    source: &str,
    before: impl FnOnce(&mut Em<'_>, &Lanes) -> C,
    body: impl Fn(&mut Em<'_>, &Lanes, C, ValueId, ValueId) -> ValueId,
) -> Res<()> {
    let (src, dst) = (call.tile(em, source)?, call.tile(em, "dst")?);
    let lanes = Lanes::need(em, call, &dst)?;
    let plane = Plane::of(em, call, [&dst, &src], &lanes)?;
    let (pd, ps) = (em.ptr(&dst), em.ptr(&src));
    em.region("pto.vecscope", |em| {
        let shared = before(em, &lanes);
        plane.each(em, &lanes, |em, mask, [d, s]| {
            let x = lanes.load(em, ps, s);
            let r = body(em, &lanes, shared, x, mask);
            lanes.store(em, r, pd, d, mask);
        });
    });
    Ok(())
}

fn unary(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    map(em, call, "src", |_, _| (), |em, lanes, (), x, mask| lanes.unary(em, op, x, mask))
}

fn precise(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    default_precision(em, call)?;
    unary(em, call, op)
}

fn divide(em: &mut Em<'_>, call: &Call) -> Res<()> {
    default_precision(em, call)?;
    binary(em, call, "pto.vdiv")
}

/// The number of an instruction in the element type of its destination.
fn scalar(em: &mut Em<'_>, call: &Call, operand: &str) -> Res<ValueId> {
    let v = call.need(em, operand)?;
    let dst = call.tile(em, "dst")?;
    to_element(em, call, v, dst.ty.elem)
}

fn with_number(em: &mut Em<'_>, call: &Call, source: &str, op: &'static str) -> Res<()> {
    let s = scalar(em, call, "scalar")?;
    map(em, call, source, |_, _| (), |em, lanes, (), x, mask| lanes.binary(em, op, x, s, mask))
}

/// `x - s` is `x + (-s)`, exactly for floats and modulo the width for integers.
fn subtract_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let s = scalar(em, call, "scalar")?;
    let dst = call.tile(em, "dst")?;
    let s = negated(em, s, dst.dtype());
    map(em, call, "src", |_, _| (), |em, lanes, (), x, mask| lanes.binary(em, "pto.vadds", x, s, mask))
}

fn negated(em: &mut Em<'_>, s: ValueId, dtype: DType) -> ValueId {
    let ty = em.ir.value_type(s);
    if dtype.is_int() {
        if let Some(n) = em.constant(s).and_then(i64::checked_neg) {
            return em.int(n, ty);
        }
        let zero = em.int(0, ty);
        return em.emit1("arith.subi", &[zero, s], ty);
    }
    if let Some(x) = em.float_constant(s) {
        return em.float(-x, ty);
    }
    em.emit1("arith.negf", &[s], ty)
}

fn leaky(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let s = scalar(em, call, "slope")?;
    map(em, call, "src", |_, _| (), |em, lanes, (), x, mask| lanes.binary(em, "pto.vlrelu", x, s, mask))
}

fn negate(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    let s = number(em, -1, dst.ty.elem);
    map(em, call, "src", |_, _| (), |em, lanes, (), x, mask| lanes.binary(em, "pto.vmuls", x, s, mask))
}

/// The number first or the tile first: the operand that is a tile says which divides which.
fn divide_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    default_precision(em, call)?;
    let dst = call.tile(em, "dst")?;
    if dst.esz() == 1 {
        return Err(call.unsupported(em, "the vector unit has no quotient of bytes"));
    }
    let first = call.need(em, "src")?;
    let tile_first = ptoc_dialect::types::tile_of(&em.ir.ctx, em.ir.value_type(first)).is_some();
    let (tile, number) = if tile_first { ("src", "scalar") } else { ("scalar", "src") };
    let s = scalar(em, call, number)?;
    map(
        em,
        call,
        tile,
        |em, lanes| lanes.fill(em, s),
        |em, lanes, s, x, mask| {
            let (a, b) = if tile_first { (x, s) } else { (s, x) };
            lanes.binary(em, "pto.vdiv", a, b, mask)
        },
    )
}

fn reciprocal(em: &mut Em<'_>, call: &Call) -> Res<()> {
    default_precision(em, call)?;
    let dst = call.tile(em, "dst")?;
    let one = number(em, 1, dst.ty.elem);
    map(
        em,
        call,
        "src",
        |em, lanes| lanes.fill(em, one),
        |em, lanes, one, x, mask| lanes.binary(em, "pto.vdiv", one, x, mask),
    )
}

/// The quotient of 1 and the square root; a temporary is not used.
fn reciprocal_root(em: &mut Em<'_>, call: &Call) -> Res<()> {
    default_precision(em, call)?;
    let dst = call.tile(em, "dst")?;
    let one = number(em, 1, dst.ty.elem);
    map(
        em,
        call,
        "src",
        |em, lanes| lanes.fill(em, one),
        |em, lanes, one, x, mask| {
            let root = lanes.unary(em, "pto.vsqrt", x, mask);
            lanes.binary(em, "pto.vdiv", one, root, mask)
        },
    )
}

/// Bitwise with a number, which fills a register first.
fn with_register(em: &mut Em<'_>, call: &Call, op: &'static str) -> Res<()> {
    let s = scalar(em, call, "scalar")?;
    map(em, call, "src", |em, lanes| lanes.fill(em, s), |em, lanes, s, x, mask| lanes.binary(em, op, x, s, mask))
}

fn fill(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    if dst.loc() != Loc::Vec {
        return Err(call.unsupported(em, "the destination is not in Vec"));
    }
    let s = scalar(em, call, "scalar")?;
    let lanes = Lanes::need(em, call, &dst)?;
    let plane = Plane::of(em, call, [&dst], &lanes)?;
    let pd = em.ptr(&dst);
    em.region("pto.vecscope", |em| {
        let v = lanes.fill(em, s);
        plane.each(em, &lanes, |em, mask, [d]| lanes.store(em, v, pd, d, mask));
    });
    Ok(())
}
