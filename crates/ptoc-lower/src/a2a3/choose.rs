//! Comparison to packed bits, and the choice by them.
//!
//! Bit `k` of a row of the mask tile is column `k`. Comparisons take whole repeats whatever the mask says, and write the bits of
//! one repeat after those of the other.

use super::area::Area;
use super::map::{Map, number_as};
use super::vector::{Lane, Mask, Steps, Vector};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Layout};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] =
    &[("pto.tcmp", compare), ("pto.tcmps", compare_number), ("pto.tsel", select), ("pto.tsels", select_number)];

/// Repeats of one comparison: their bits end at a whole block.
const REPEATS: i64 = 240;

fn rows_only(em: &Em<'_>, call: &Call, tiles: &[&Tile]) -> Res<()> {
    match tiles.iter().find(|t| t.layout() != Layout::Nd) {
        Some(t) => Err(call.unsupported(em, format!("a tile in layout {}; it takes rows without boxes", t.layout()))),
        None => Ok(()),
    }
}

fn compare(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    rows_only(em, call, &[&a, &b, &dst])?;
    let other = Area::of(em, call, &b)?;
    pack(em, call, &a, &dst, Other::Tile(other))
}

fn compare_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    rows_only(em, call, &[&src, &dst])?;
    let v = call.need(em, "scalar")?;
    if ptoc_dialect::types::tile_of(&em.ir.ctx, em.ir.value_type(v)).is_some() {
        return Err(call.unsupported(em, "a tile in place of the number"));
    }
    let number = number_as(em, v, src.ty.elem);
    pack(em, call, &src, &dst, Other::Number(number))
}

#[expect(clippy::large_enum_variant, reason = "one of it lives at a time")]
enum Other {
    Tile(Area),
    Number(ValueId),
}

fn pack(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile, other: Other) -> Res<()> {
    let mode = call.word(em, "cmpMode").unwrap_or("eq").to_owned();
    let equality = matches!(mode.as_str(), "eq" | "ne");
    match src.dtype() {
        DType::F16 | DType::F32 => {}
        DType::I32 if equality => {}
        d => {
            let what = format!("`{mode}` of {d} (the vector unit compares f16 and f32, and i32 for equality)");
            return Err(call.unsupported(em, what));
        }
    }
    let tile = matches!(other, Other::Tile(_));
    let name = match (mode.as_str(), tile) {
        ("eq" | "ne", true) => "pto.ub.vcmpv_eq",
        ("lt", true) => "pto.ub.vcmpv_lt",
        ("le", true) => "pto.ub.vcmpv_le",
        ("gt", true) => "pto.ub.vcmpv_gt",
        ("ge", true) => "pto.ub.vcmpv_ge",
        ("eq" | "ne", false) => "pto.ub.vcmpvs_eq",
        ("lt", false) => "pto.ub.vcmpvs_lt",
        ("le", false) => "pto.ub.vcmpvs_le",
        ("gt", false) => "pto.ub.vcmpvs_gt",
        ("ge", false) => "pto.ub.vcmpvs_ge",
        _ => return Err(call.unsupported(em, format!("mode `{mode}`"))),
    };
    let (from, to) = (Area::of(em, call, src)?, Area::of(em, call, dst)?);
    let e = from.lane.repeat();
    let repeats = em.ceil_div(src.cols, e);
    let most = (src.ty.cols as i64 + e - 1) / e;
    // Bytes of the bits of a repeat, in blocks of a part.
    let blocks = REPEATS * e / 8 / 32;
    let (rows, most_rows) = (src.rows, from.most_rows());
    let halves = em.mul(repeats, e / 16);
    let lane = Lane::unsigned(em, 2);
    Vector::scope(em, |v| {
        v.each(rows, |v, i| {
            let part = |v: &mut Vector<'_, '_>, j: Sc, count: Sc| {
                let place = |em: &mut Em<'_>, a: &Area, step: i64| {
                    let (down, along) = (em.mul(i, a.pitch), em.mul(j, step));
                    let at = em.add(down, along);
                    a.ptr(em, at)
                };
                let (q, p) = (place(v.em, &to, blocks), place(v.em, &from, 8 * REPEATS));
                match &other {
                    Other::Tile(o) => {
                        let r = place(v.em, o, 8 * REPEATS);
                        v.op(name, &[q, p, r], None, &Steps::dense(count, [8; 3]));
                    }
                    Other::Number(n) => v.op(name, &[q, p], Some(*n), &Steps::dense(count, [8, 8, 0])),
                }
            };
            if repeats.known().unwrap_or(most) <= REPEATS {
                return part(v, Sc::Const(0), repeats);
            }
            let parts = v.em.ceil_div(repeats, REPEATS);
            v.each_unrolled(parts, |v, j| {
                let done = v.em.mul(j, REPEATS);
                let left = v.em.sub(repeats, done);
                let count = v.em.min(left, REPEATS);
                part(v, j, count);
            });
        });
        if mode == "ne" {
            v.barrier();
            let bits = to.seen_as(lane);
            Map { name: "pto.ub.vnot", number: None, areas: &[bits, bits], most_rows }.emit(v, rows, halves);
        }
    });
    Ok(())
}

/// The lanes of a choice: floats of the element's size.
fn lanes_of(em: &Em<'_>, call: &Call, dst: &Tile) -> Res<Lane> {
    match dst.esz() {
        2 => Ok(Lane { elem: builtin::F16, bytes: 2 }),
        4 => Ok(Lane { elem: builtin::F32, bytes: 4 }),
        n => Err(call.unsupported(em, format!("elements of {n} bytes; it takes 2 and 4"))),
    }
}

fn vsel(v: &mut Vector<'_, '_>, pointers: [ValueId; 3], mode: i64) {
    let numbers = [1, 1, 1, 1, 8, 8, 8].map(|n| v.em.int(n, builtin::I64));
    let mode = v.em.ir.ctx.int_attr(i128::from(mode), builtin::I32);
    v.em.build("pto.ub.vsel").args(&pointers).args(&numbers).attr("mode", mode).done();
}

/// The address of a row of bits goes to the compare mask register by way of the temporary.
fn select(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (mask, a, b, dst) =
        (call.tile(em, "mask")?, call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    let tmp = call.tile(em, "tmp")?;
    rows_only(em, call, &[&mask, &a, &b, &dst])?;
    let lane = lanes_of(em, call, &dst)?;
    let word = Lane::unsigned(em, 4);
    let mut areas = [Area::of(em, call, &dst)?, Area::of(em, call, &a)?, Area::of(em, call, &b)?];
    for a in &mut areas {
        *a = a.seen_as(lane);
    }
    let tmp = Area::of(em, call, &tmp)?;
    if tmp.room() < 16 {
        return Err(call.unsupported(em, "a temporary of less than 16 bytes, the size of the compare mask register"));
    }
    let tmp = tmp.seen_as(word);
    let pitch = mask.pitch() * mask.esz();
    let base = match em.address(&mask) {
        Ok(at) => Err(at),
        Err(v) => Ok(em.emit1("arith.trunci", &[v], builtin::I32)),
    };
    Vector::scope(em, |v| {
        let t = tmp.ptr(v.em, 0);
        v.mask(Mask::AnyCount);
        v.each(dst.rows, |v, i| {
            let down = v.em.mul(i, pitch);
            let address = match base {
                Err(at) => {
                    let at = v.em.add(down, at);
                    v.em.i32(at)
                }
                Ok(base) => {
                    let down = v.em.i32(down);
                    v.em.emit1("arith.addi", &[base, down], builtin::I32)
                }
            };
            v.mask(Mask::Count(2.into()));
            v.op("pto.ub.vdup", &[t], Some(address), &Steps::dense(1, [8, 0, 0]));
            v.barrier();
            v.em.emit("pto.ub.set_cmpmask", &[t]);
            v.barrier();
            v.mask(Mask::Count(dst.cols));
            let pointers = areas.map(|a| {
                let at = v.em.mul(i, a.pitch);
                a.ptr(v.em, at)
            });
            vsel(v, pointers, 2);
        });
    });
    Ok(())
}

/// The number goes to the compare mask register by way of the temporary, once.
fn select_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (mask, src, dst, tmp) =
        (call.tile(em, "mask")?, call.tile(em, "src")?, call.tile(em, "dst")?, call.tile(em, "tmp")?);
    rows_only(em, call, &[&mask, &src, &dst])?;
    let lane = lanes_of(em, call, &dst)?;
    let number = call.need(em, "scalar")?;
    let number = number_as(em, number, dst.ty.elem);
    let area = Area::of(em, call, &tmp)?;
    if area.room() < 16 {
        return Err(call.unsupported(em, "a temporary of less than 16 bytes, the size of the compare mask register"));
    }
    let (to, from) = (Area::of(em, call, &dst)?.seen_as(lane), Area::of(em, call, &src)?.seen_as(lane));
    let bits = Area::of(em, call, &mask)?;
    let held = Lane { elem: dst.ty.elem, bytes: dst.esz() };
    let (rows, cols) = (dst.rows, dst.cols);
    Vector::scope(em, |v| {
        // The register is 16 bytes wide; the lowest element counts.
        let p = area.seen_as(held).ptr(v.em, 0);
        v.mask(Mask::First((16 / held.bytes).into()));
        v.op("pto.ub.vdup", &[p], Some(number), &Steps::dense(1, [8, 0, 0]));
        v.barrier();
        let p = area.seen_as(lane).ptr(v.em, 0);
        v.em.emit("pto.ub.set_cmpmask", &[p]);
        v.mask(Mask::Count(cols));
        v.barrier();
        v.each(rows, |v, i| {
            let pointers = [to, from, bits].map(|a| {
                let at = v.em.mul(i, a.pitch);
                a.ptr(v.em, at)
            });
            vsel(v, pointers, 1);
        });
    });
    Ok(())
}
