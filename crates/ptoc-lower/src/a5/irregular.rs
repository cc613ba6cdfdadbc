//! Sequences, gathers by an index tile, transpositions, tiles side by side.

use super::insert::{Window, within};
use super::vec::{Lanes, starts_on_a_block, to_element};
use crate::sequence::{count_one_by_one, shifted};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{TypeId, ValueId};
use ptoc_target::{DType, Layout};

pub(super) const OPS: &[(&str, LowerFn)] =
    &[("pto.tci", sequence), ("pto.tgather", gather), ("pto.ttrans", transpose), ("pto.tconcat", concat)];

fn rows_only(em: &Em<'_>, call: &Call, tiles: &[&Tile]) -> Res<()> {
    match tiles.iter().find(|t| t.layout() != Layout::Nd) {
        Some(t) => Err(call.unsupported(em, format!("a tile in layout {}; it takes rows without boxes", t.layout()))),
        None => Ok(()),
    }
}

/// The unsigned integer of so many bits: what an index register holds.
fn index_lanes(em: &mut Em<'_>, bits: u32) -> Option<Lanes> {
    let dtype = match bits {
        16 => DType::U16,
        32 => DType::U32,
        _ => return None,
    };
    let elem: TypeId = ptoc_dialect::types::elem_of(&mut em.ir.ctx, dtype);
    Lanes::of(elem, dtype)
}

/// `start`, `start + 1`, ... or downwards. With a temporary it belongs to the vector unit, without one to the scalar unit,
/// which the synchronisation around it relies on.
fn sequence(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    rows_only(em, call, &[&dst])?;
    if !dst.dtype().is_int() || dst.ty.rows != 1 {
        return Err(call.unsupported(
            em,
            format!("elements {} in {} rows; it fills one row of integers", dst.dtype(), dst.ty.rows),
        ));
    }
    let lanes = Lanes::need(em, call, &dst)?;
    if lanes.bits == 8 {
        return Err(call.unsupported(em, "elements of 1 byte"));
    }
    let down = call.flag(em, "descending");
    let start = call.need(em, "S")?;
    let start = to_element(em, call, start, dst.ty.elem)?;
    if call.value(em, "tmp").is_none() {
        count_one_by_one(em, &dst, start, down);
        return Ok(());
    }
    let ty = em.ir.value_type(start);
    let pd = em.ptr(&dst);
    em.region("pto.vecscope", |em| {
        lanes.steps(em, dst.cols, |em, mask, at| {
            let vreg = lanes.vreg(em);
            // Downwards the lowest number of the register is the base.
            let passed = if down { em.add(at, lanes.count - 1) } else { at };
            let base = shifted(em, start, passed, ty, down);
            let build = em.build("pto.vci").arg(base);
            let x = if down { build.word("order", "DESC") } else { build }.value(vreg);
            lanes.store(em, x, pd, at, mask);
        });
    });
    Ok(())
}

/// Elements of the whole source, counted in storage order, by an index tile.
fn gather(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let Some(index) = call.opt_tile(em, "indices")? else {
        return Err(call.unsupported(em, "elements by a lane pattern or by comparison; only an index tile is lowered"));
    };
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    rows_only(em, call, &[&src, &dst, &index])?;
    for t in [&dst, &index] {
        starts_on_a_block(em, call, t)?;
    }
    let data = Lanes::need(em, call, &dst)?;
    let indices = Lanes::need(em, call, &index)?;
    let Some(unsigned) = index_lanes(em, indices.bits).filter(|_| index.dtype().is_int()) else {
        return Err(call.unsupported(em, format!("indices {}; they are integers of 2 or 4 bytes", index.dtype())));
    };
    let how = match (data.bits, indices.bits) {
        (32, 32) | (16, 16) => Gather::Straight,
        (16, 32) => Gather::HalvesByWords,
        (8, 16) => Gather::Bytes,
        (d, i) => {
            return Err(call.unsupported(em, format!("elements of {} bytes by indices of {}", d / 8, i / 8)));
        }
    };
    let (ps, pi, pd) = (em.ptr(&src), em.ptr(&index), em.ptr(&dst));
    em.region("pto.vecscope", |em| {
        indices.steps(em, dst.cols, |em, mask, at| {
            em.for_loop(dst.rows, |em, i| {
                let (from, to) = (em.mul(i, index.pitch()), em.mul(i, dst.pitch()));
                let (from, to) = (em.add(from, at), em.add(to, at));
                let x = indices.load(em, pi, from);
                let x = as_unsigned(em, x, &indices, &unsigned);
                how.emit(em, &data, [ps, x, mask], pd, to);
            });
        });
    });
    Ok(())
}

fn as_unsigned(em: &mut Em<'_>, x: ValueId, from: &Lanes, to: &Lanes) -> ValueId {
    if from.elem == to.elem {
        return x;
    }
    let ty = to.vreg(em);
    em.emit1("pto.vbitcast", &[x], ty)
}

/// The widths of data and index.
#[derive(Clone, Copy)]
enum Gather {
    /// The same.
    Straight,
    /// Elements of 16 bits come in words of 32, whose lower halves are stored.
    HalvesByWords,
    /// Bytes come in words of 16 bits, whose lower halves are stored.
    Bytes,
}

impl Gather {
    /// Gathers a register (source, index, predicate) and stores it.
    fn emit(self, em: &mut Em<'_>, data: &Lanes, args: [ValueId; 3], pd: ValueId, to: Sc) {
        let name = if let Gather::HalvesByWords = self { "pto.vgather2_bc" } else { "pto.vgather2" };
        let ty = data.vreg(em);
        let x = em.emit1(name, &args, ty);
        match self {
            Gather::Straight => data.store(em, x, pd, to, args[2]),
            Gather::HalvesByWords => data.store_as(em, x, pd, to, args[2], "PK_B32"),
            Gather::Bytes => data.store_as(em, x, pd, to, args[2], "PK_B16"),
        }
    }
}

/// `dst[j, i] = src[i, j]`: rows of the source scattered down the columns, or rows of the destination gathered from the columns,
/// whichever are fewer. The indices of a step are made once and moved by one from row to row.
fn transpose(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    rows_only(em, call, &[&src, &dst])?;
    for t in [&src, &dst] {
        starts_on_a_block(em, call, t)?;
    }
    if src.esz() != dst.esz() {
        return Err(call.unsupported(em, format!("elements {} to {}, whose sizes differ", src.dtype(), dst.dtype())));
    }
    let data = Lanes::need(em, call, &dst)?;
    // Bytes go with indices of 16 bits.
    let bits = data.bits.max(16);
    let Some(index) = index_lanes(em, bits) else { return Ok(()) };
    let size = |s: Sc, most: u64| s.known().unwrap_or(i64::try_from(most).unwrap_or(i64::MAX));
    let (rows, cols) = (size(src.rows, src.ty.rows), size(src.cols, src.ty.cols));
    let steps = |lines: i64, n: i64| lines.saturating_mul((n + index.count - 1) / index.count);
    let scatter = steps(rows, cols) < steps(cols, rows);
    let (near, far) = if scatter { (cols, dst.pitch()) } else { (rows, src.pitch()) };
    let reach = near.saturating_mul(far);
    if bits == 16 && reach > 65536 {
        return Err(
            call.unsupported(em, format!("{reach} elements of {} bytes; their indices have 16 bits", src.esz()))
        );
    }
    let (ps, pd) = (em.ptr(&src), em.ptr(&dst));
    let pitch = em.int(far, super::vec::scalar_type_of(index.bits));
    em.region("pto.vecscope", |em| {
        let all = index.all(em);
        let zero = em.int(0, super::vec::scalar_type_of(index.bits));
        let (lines, length) = if scatter { (src.rows, src.cols) } else { (src.cols, src.rows) };
        index.steps(em, length, |em, mask, at| {
            let vreg = index.vreg(em);
            let base = match at {
                Sc::Const(0) => zero,
                Sc::Const(n) => em.int(n, super::vec::scalar_type_of(index.bits)),
                Sc::Value(v) => em.emit1("arith.index_cast", &[v], super::vec::scalar_type_of(index.bits)),
            };
            let lane = em.emit1("pto.vci", &[base], vreg);
            let first = index.binary(em, "pto.vmuls", lane, pitch, all);
            em.for_loop(lines, |em, i| {
                let by = match i {
                    Sc::Const(n) => em.int(n, super::vec::scalar_type_of(index.bits)),
                    Sc::Value(v) => em.emit1("arith.index_cast", &[v], super::vec::scalar_type_of(index.bits)),
                };
                let places = if i.is(0) { first } else { index.binary(em, "pto.vadds", first, by, all) };
                if scatter {
                    let down = em.mul(i, src.pitch());
                    let from = em.add(down, at);
                    let x = match data.bits {
                        8 => data.load_as(em, ps, from, "UNPK_B8"),
                        _ => data.load(em, ps, from),
                    };
                    em.emit("pto.vscatter", &[x, pd, places, mask]);
                } else {
                    let down = em.mul(i, dst.pitch());
                    let to = em.add(down, at);
                    let how = if data.bits == 8 { Gather::Bytes } else { Gather::Straight };
                    how.emit(em, &data, [ps, places, mask], pd, to);
                }
            });
        });
    });
    Ok(())
}

/// The second tile goes to the right of the valid columns of the first.
fn concat(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    rows_only(em, call, &[&a, &b, &dst])?;
    within(em, call, &Window { src: a, dst, row: 0.into(), col: 0.into(), first_scale: 0.into() })?;
    within(em, call, &Window { src: b, dst, row: 0.into(), col: a.cols, first_scale: 0.into() })
}
