//! Bitwise instructions and shifts. The vector unit has `and`, `or` and `not` for halfwords only, so that elements of other
//! sizes are seen as some.

use super::area::Area;
use super::map::{Map, fill, number_as};
use super::vector::{Lane, Vector};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Layout};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.tand", |em, c| tiles(em, c, &["src0", "src1"], |v, p| p.emit(v, "pto.ub.vand", &[0, 1, 2]))),
    ("pto.tor", |em, c| tiles(em, c, &["src0", "src1"], |v, p| p.emit(v, "pto.ub.vor", &[0, 1, 2]))),
    ("pto.tnot", |em, c| tiles(em, c, &["src"], |v, p| p.emit(v, "pto.ub.vnot", &[0, 1]))),
    ("pto.txor", |em, c| tiles(em, c, &["src0", "src1", "tmp"], exclusive)),
    ("pto.tands", |em, c| with_number(em, c, "pto.ub.vand")),
    ("pto.tors", |em, c| with_number(em, c, "pto.ub.vor")),
    ("pto.tshls", |em, c| shift(em, c, "pto.ub.vshl")),
    ("pto.tshrs", |em, c| shift(em, c, "pto.ub.vshr")),
];

/// The operands as halfwords, destination first.
struct Halves {
    areas: Vec<Area>,
    rows: Sc,
    cols: Sc,
    most_rows: i64,
}

impl Halves {
    fn of(em: &mut Em<'_>, call: &Call, tiles: &[Tile]) -> Res<Halves> {
        let Some(dst) = tiles.first().copied() else { return Err(call.unsupported(em, "there is no destination")) };
        let lane = Lane::unsigned(em, 2);
        let mut areas = Vec::with_capacity(tiles.len());
        for t in tiles {
            if t.layout() != Layout::Nd || !t.dtype().is_int() || t.esz() != dst.esz() || t.esz() > 4 {
                let what = format!(
                    "a tile of {} in layout {}; it takes integers of 1, 2 or 4 bytes in rows",
                    t.dtype(),
                    t.layout()
                );
                return Err(call.unsupported(em, what));
            }
            areas.push(Area::of(em, call, t)?.seen_as(lane));
        }
        let cols = match dst.esz() {
            1 if dst.cols.known().is_none_or(|c| c % 2 != 0) => {
                return Err(
                    call.unsupported(em, "bytes in rows of odd length, or of a length that is known at run time")
                );
            }
            1 => em.div(dst.cols, 2),
            n => em.mul(dst.cols, n / 2),
        };
        let most_rows = areas[0].most_rows();
        Ok(Halves { areas, rows: dst.rows, cols, most_rows })
    }

    /// One instruction on some of the operands.
    fn emit(&self, v: &mut Vector<'_, '_>, name: &'static str, which: &[usize]) {
        let areas: Vec<Area> = which.iter().filter_map(|&i| self.areas.get(i).copied()).collect();
        Map { name, number: None, areas: &areas, most_rows: self.most_rows }.emit(v, self.rows, self.cols);
    }
}

fn tiles(em: &mut Em<'_>, call: &Call, sources: &[&str], body: fn(&mut Vector<'_, '_>, &Halves)) -> Res<()> {
    let mut all = vec![call.tile(em, "dst")?];
    for s in sources {
        all.push(call.tile(em, s)?);
    }
    let p = Halves::of(em, call, &all)?;
    Vector::scope(em, |v| body(v, &p));
    Ok(())
}

/// `(a | b) & ~(a & b)`: the first half in the temporary.
fn exclusive(v: &mut Vector<'_, '_>, p: &Halves) {
    p.emit(v, "pto.ub.vor", &[3, 1, 2]);
    p.emit(v, "pto.ub.vand", &[0, 1, 2]);
    v.barrier();
    p.emit(v, "pto.ub.vnot", &[0, 0]);
    v.barrier();
    p.emit(v, "pto.ub.vand", &[0, 0, 3]);
}

/// The number fills the destination first.
fn with_number(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let number = call.need(em, "scalar")?;
    let number = number_as(em, number, dst.ty.elem);
    let p = Halves::of(em, call, &[dst, src])?;
    if p.areas[0].same_place(&p.areas[1]) {
        return Err(call.unsupported(em, "the same tile as source and destination, which has to hold the number first"));
    }
    let area = Area::of(em, call, &dst)?;
    let number = if dst.esz() == 1 { pair(em, number) } else { number };
    Vector::scope(em, |v| {
        let (area, cols) = if dst.esz() == 1 { (p.areas[0], p.cols) } else { (area, dst.cols) };
        fill(v, area, number, p.rows, cols);
        v.barrier();
        p.emit(v, name, &[0, 1, 0]);
    });
    Ok(())
}

/// A byte in both halves of a halfword.
fn pair(em: &mut Em<'_>, byte: ValueId) -> ValueId {
    let wide = em.emit1("arith.extui", &[byte], builtin::I16);
    let twice = em.int(0x0101, builtin::I16);
    em.emit1("arith.muli", &[wide, twice], builtin::I16)
}

/// By a number of bits, the same for all.
fn shift(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    for t in [&dst, &src] {
        if !matches!(t.dtype(), DType::I16 | DType::U16 | DType::I32 | DType::U32) || t.layout() != Layout::Nd {
            let what = format!("element type {} (the vector unit shifts i16, u16, i32, u32)", t.dtype());
            return Err(call.unsupported(em, what));
        }
    }
    let number = call.need(em, "scalar")?;
    let count = em.sc(number);
    let count = em.i64(count);
    let areas = [Area::of(em, call, &dst)?, Area::of(em, call, &src)?];
    let most_rows = areas[0].most_rows();
    Vector::scope(em, |v| {
        Map { name, number: Some(count), areas: &areas, most_rows }.emit(v, dst.rows, dst.cols);
    });
    Ok(())
}
