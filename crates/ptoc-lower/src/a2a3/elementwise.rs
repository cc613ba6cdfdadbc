//! Elementwise instructions: tiles with tiles, tiles with numbers.

use super::area::{Area, storage_order};
use super::map::{Map, fill, number_as};
use super::vector::{Lane, Mask, Steps, Vector};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::DType;

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.tadd", |em, c| binary(em, c, "pto.ub.vadd")),
    ("pto.tsub", |em, c| binary(em, c, "pto.ub.vsub")),
    ("pto.tmul", |em, c| binary(em, c, "pto.ub.vmul")),
    ("pto.tdiv", |em, c| binary(em, c, "pto.ub.vdiv")),
    ("pto.tmax", |em, c| binary(em, c, "pto.ub.vmax")),
    ("pto.tmin", |em, c| binary(em, c, "pto.ub.vmin")),
    ("pto.tabs", |em, c| unary(em, c, "pto.ub.vabs")),
    ("pto.texp", |em, c| unary(em, c, "pto.ub.vexp")),
    ("pto.tlog", |em, c| unary(em, c, "pto.ub.vln")),
    ("pto.tsqrt", |em, c| unary(em, c, "pto.ub.vsqrt")),
    ("pto.trelu", |em, c| unary(em, c, "pto.ub.vrelu")),
    ("pto.tadds", |em, c| with_number(em, c, "pto.ub.vadds")),
    ("pto.tmuls", |em, c| with_number(em, c, "pto.ub.vmuls")),
    ("pto.tmaxs", |em, c| with_number(em, c, "pto.ub.vmaxs")),
    ("pto.tmins", |em, c| with_number(em, c, "pto.ub.vmins")),
    ("pto.tsubs", subtract_number),
    ("pto.tneg", negate),
    ("pto.trecip", reciprocal),
    ("pto.trsqrt", reciprocal_root),
    ("pto.taddrelu", |em, c| binary(em, c, "pto.ub.vaddrelu")),
    ("pto.tsubrelu", |em, c| binary(em, c, "pto.ub.vsubrelu")),
    ("pto.tfusedmuladd", |em, c| binary(em, c, "pto.ub.vmadd")),
    ("pto.tfusedmuladdrelu", |em, c| binary(em, c, "pto.ub.vmaddrelu")),
    ("pto.tmuladddst", |em, c| binary(em, c, "pto.ub.vmla")),
    ("pto.taxpy", |em, c| with_number(em, c, "pto.ub.vaxpy")),
    ("pto.taddc", |em, c| sum_of_three(em, c, "pto.ub.vadd")),
    ("pto.tsubc", |em, c| sum_of_three(em, c, "pto.ub.vsub")),
    ("pto.tlrelu", leaky),
    ("pto.tdivs", divide_number),
    ("pto.texpands", expand_number),
];

fn takes(em: &Em<'_>, call: &Call, tile: &Tile, dtypes: &[DType]) -> Res<()> {
    if dtypes.contains(&tile.dtype()) {
        return Ok(());
    }
    let names: Vec<&str> = dtypes.iter().map(|d| d.name()).collect();
    let what = format!("element type {} (the vector unit has it for {})", tile.dtype(), names.join(", "));
    Err(call.unsupported(em, what))
}

const ARITHMETIC: &[DType] = &[DType::F16, DType::F32, DType::I16, DType::I32];
const FLOAT: &[DType] = &[DType::F16, DType::F32];
const RECTIFIER: &[DType] = &[DType::F16, DType::F32, DType::I32];

fn types_of(name: &str) -> &'static [DType] {
    match name {
        "pto.ub.vabs" | "pto.ub.vexp" | "pto.ub.vln" | "pto.ub.vsqrt" | "pto.ub.vdiv" | "pto.ub.vrsqrt"
        | "pto.ub.vlrelu" => FLOAT,
        "pto.ub.vrelu" => RECTIFIER,
        _ => ARITHMETIC,
    }
}

/// Emits one instruction over the valid elements of `dst`.
fn map(em: &mut Em<'_>, call: &Call, name: &'static str, number: Option<ValueId>, tiles: &[Tile]) -> Res<()> {
    let mut areas: smallvec::SmallVec<[Area; 3]> = smallvec::SmallVec::new();
    for t in tiles {
        takes(em, call, t, types_of(name))?;
        if t.layout() != tiles[0].layout() {
            return Err(call.unsupported(em, "operands of different layouts"));
        }
        areas.push(Area::of(em, call, t)?);
    }
    let (rows, cols) = storage_order(&tiles[0]);
    let most_rows = areas[0].most_rows();
    Vector::scope(em, |v| Map { name, number, areas: &areas, most_rows }.emit(v, rows, cols));
    Ok(())
}

fn binary(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let tiles = [call.tile(em, "dst")?, call.tile(em, "src0")?, call.tile(em, "src1")?];
    map(em, call, name, None, &tiles)
}

fn unary(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let tiles = [call.tile(em, "dst")?, call.tile(em, "src")?];
    map(em, call, name, None, &tiles)
}

/// The tile source: called `src0` by one entry.
fn source(em: &Em<'_>, call: &Call) -> Res<Tile> {
    call.tile(em, if call.def.operand_index("src0").is_some() { "src0" } else { "src" })
}

fn with_number(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let (dst, src) = (call.tile(em, "dst")?, source(em, call)?);
    let number = call.need(em, "scalar")?;
    // A product of narrower elements takes the number in their type.
    let number = number_as(em, number, src.ty.elem);
    map(em, call, name, Some(number), &[dst, src])
}

/// There is no subtraction of a number: the negated number is added.
fn subtract_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (dst, src) = (call.tile(em, "dst")?, source(em, call)?);
    let number = call.need(em, "scalar")?;
    let number = number_as(em, number, dst.ty.elem);
    let negated = match dst.dtype().is_float() {
        true => em.emit1("arith.negf", &[number], dst.ty.elem),
        false => {
            let zero = em.int(0, dst.ty.elem);
            em.emit1("arith.subi", &[zero, number], dst.ty.elem)
        }
    };
    map(em, call, "pto.ub.vadds", Some(negated), &[dst, src])
}

/// There is no negation: a product with -1.
fn negate(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (dst, src) = (call.tile(em, "dst")?, call.tile(em, "src")?);
    let minus_one = constant(em, -1, &dst);
    map(em, call, "pto.ub.vmuls", Some(minus_one), &[dst, src])
}

fn constant(em: &mut Em<'_>, n: i64, like: &Tile) -> ValueId {
    if like.dtype().is_float() { em.float(n as f64, like.ty.elem) } else { em.int(n, like.ty.elem) }
}

fn reciprocal(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (dst, src) = (call.tile(em, "dst")?, call.tile(em, "src")?);
    let one = constant(em, 1, &dst);
    quotient(em, call, &dst, &src, one, false)
}

/// The first two into the destination, and the third added to it.
fn sum_of_three(em: &mut Em<'_>, call: &Call, name: &'static str) -> Res<()> {
    let (dst, third) = (call.tile(em, "dst")?, call.tile(em, "src2")?);
    if Area::of(em, call, &dst)?.same_place(&Area::of(em, call, &third)?) {
        return Err(call.unsupported(em, "the third source as destination, which holds the result of the first two"));
    }
    binary(em, call, name)?;
    Vector::scope(em, |v| v.barrier());
    map(em, call, "pto.ub.vadd", None, &[dst, dst, third])
}

fn leaky(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (dst, src) = (call.tile(em, "dst")?, source(em, call)?);
    let slope = call.need(em, "slope")?;
    let slope = number_as(em, slope, dst.ty.elem);
    map(em, call, "pto.ub.vlrelu", Some(slope), &[dst, src])
}

/// The instruction gives an estimate. With a temporary it is the quotient of 1 and the square root: a block of ones stands
/// against every block.
fn reciprocal_root(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (dst, src) = (call.tile(em, "dst")?, call.tile(em, "src")?);
    let Some(tmp) = call.opt_tile(em, "tmp")? else { return map(em, call, "pto.ub.vrsqrt", None, &[dst, src]) };
    map(em, call, "pto.ub.vsqrt", None, &[dst, src])?;
    let to = Area::of(em, call, &dst)?;
    let ones = Area::of(em, call, &tmp)?.seen_as(to.lane);
    if ones.room() < 32 {
        return Err(call.unsupported(em, "a temporary of less than 32 bytes, which holds a block of ones"));
    }
    let one = constant(em, 1, &dst);
    let (rows, cols) = storage_order(&dst);
    let most_rows = to.most_rows();
    Vector::scope(em, |v| {
        fill(v, ones, one, 1.into(), to.lane.block().into());
        v.barrier();
        let areas = [to, ones.with_pitch(0).spread(), to];
        Map { name: "pto.ub.vdiv", number: None, areas: &areas, most_rows }.emit(v, rows, cols);
    });
    Ok(())
}

fn divide_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    let first = call.need(em, "src")?;
    let tile_first = ptoc_dialect::types::tile_of(&em.ir.ctx, em.ir.value_type(first)).is_some();
    let (tile, number) = if tile_first { ("src", "scalar") } else { ("scalar", "src") };
    let src = call.tile(em, tile)?;
    let number = call.need(em, number)?;
    let number = number_as(em, number, dst.ty.elem);
    quotient(em, call, &dst, &src, number, tile_first)
}

/// `src / number` (`tile_first`) or `number / src`. The vector unit divides tiles only, and floats only: the number fills
/// the destination first.
fn quotient(em: &mut Em<'_>, call: &Call, dst: &Tile, src: &Tile, number: ValueId, tile_first: bool) -> Res<()> {
    takes(em, call, dst, ARITHMETIC)?;
    if !dst.dtype().is_float() {
        return integer_quotient(em, call, dst, src, number, tile_first);
    }
    let (to, from) = (Area::of(em, call, dst)?, Area::of(em, call, src)?);
    let (rows, cols) = storage_order(dst);
    if to.same_place(&from) {
        if !tile_first {
            return Err(call.unsupported(em, "a number divided by a tile, into the same tile"));
        }
        // In place there is no room for the number, so its reciprocal is a factor.
        let one = constant(em, 1, dst);
        let factor = em.emit1("arith.divf", &[one, number], dst.ty.elem);
        return map(em, call, "pto.ub.vmuls", Some(factor), &[*dst, *src]);
    }
    let most_rows = to.most_rows();
    Vector::scope(em, |v| {
        fill(v, to, number, rows, cols);
        v.barrier();
        let areas = if tile_first { [to, from, to] } else { [to, to, from] };
        Map { name: "pto.ub.vdiv", number: None, areas: &areas, most_rows }.emit(v, rows, cols);
    });
    Ok(())
}

/// Integers are divided one by one in the scalar unit.
fn integer_quotient(
    em: &mut Em<'_>,
    call: &Call,
    dst: &Tile,
    src: &Tile,
    number: ValueId,
    tile_first: bool,
) -> Res<()> {
    let (to, from) = (Area::of(em, call, dst)?, Area::of(em, call, src)?);
    let (rows, cols) = storage_order(dst);
    Vector::scope(em, |v| {
        v.before_scalar();
        v.each(rows, |v, r| {
            v.each(cols, |v, c| {
                let em = &mut *v.em;
                let at = |em: &mut Em<'_>, a: &Area| {
                    let row = em.mul(r, a.pitch * a.lane.block());
                    em.add(row, c)
                };
                let (i, o) = (at(em, &from), at(em, &to));
                let (i, o) = (em.index(i), em.index(o));
                let (p, q) = (em.ptr(src), em.ptr(dst));
                let x = em.emit1("pto.load_scalar", &[p, i], src.ty.elem);
                let args = if tile_first { [x, number] } else { [number, x] };
                let y = em.emit1("arith.divsi", &args, dst.ty.elem);
                em.emit("pto.store_scalar", &[q, o, y]);
            });
        });
        v.after_scalar();
    });
    Ok(())
}

/// A number in every element; of a tile in L1 by the fill of the DMA.
fn expand_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let dst = call.tile(em, "dst")?;
    let number = call.need(em, "scalar")?;
    let number = number_as(em, number, dst.ty.elem);
    if dst.loc() == ptoc_target::Loc::Mat {
        return expand_in_l1(em, call, &dst, number);
    }
    let area = Area::of(em, call, &dst)?;
    let (rows, cols) = storage_order(&dst);
    let most_rows = area.most_rows();
    if dst.esz() != 1 {
        Vector::scope(em, |v| fill(v, area, number, rows, cols));
        return Ok(());
    }
    // Bytes go in pairs: the byte times 0x0101 fills a halfword.
    let wide = em.emit1("arith.extui", &[number], builtin::I16);
    let twice = em.int(0x0101, builtin::I16);
    let pair = em.emit1("arith.muli", &[wide, twice], builtin::I16);
    let area = area.unsigned(em);
    let (pairs, odd) = (em.div(cols, 2), em.rem(cols, 2));
    Vector::scope(em, |v| {
        fill(v, area, pair, rows, pairs);
        let last = v.em.ne(odd, 0);
        v.when(last, |v| {
            let low = LowByte::of(v, cols, area.lane);
            // high = high >> 8 << 8, then the byte is added.
            low.step(v, "pto.ub.vshr", area, rows, most_rows, Shift::By(8));
            v.barrier();
            low.step(v, "pto.ub.vshl", area, rows, most_rows, Shift::By(8));
            v.barrier();
            low.step(v, "pto.ub.vadds", area, rows, most_rows, Shift::Value(wide));
        });
    });
    Ok(())
}

/// The halfword lane whose low byte is the last one of a row of odd width.
#[derive(Clone, Copy, Debug)]
pub(super) struct LowByte {
    block: Sc,
    mask: Mask,
}

/// The number operand of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shift {
    /// A shift count.
    By(i64),
    /// Some number of 16 bits.
    Value(ValueId),
}

impl LowByte {
    /// Of rows of `cols` bytes.
    pub(super) fn of(v: &mut Vector<'_, '_>, cols: Sc, lane: Lane) -> LowByte {
        let pairs = v.em.div(cols, 2);
        let (block, at) = (v.em.div(pairs, lane.block()), v.em.rem(pairs, lane.block()));
        let mask = match at {
            Sc::Const(n) => Mask::Lanes(0, 1 << n),
            n => {
                let (one, by) = (v.em.int(1, builtin::I64), v.em.i64(n));
                let zero = v.em.int(0, builtin::I64);
                Mask::Words(zero, v.em.emit1("arith.shli", &[one, by], builtin::I64))
            }
        };
        LowByte { block, mask }
    }

    /// One instruction on that lane of each row, in place.
    pub(super) fn step(
        self,
        v: &mut Vector<'_, '_>,
        name: &'static str,
        area: Area,
        rows: Sc,
        most_rows: i64,
        number: Shift,
    ) {
        self.step_from(v, name, area, area, rows, most_rows, number);
    }

    /// One instruction on that lane of each row, from one area to another.
    #[expect(clippy::too_many_arguments, reason = "an instruction with its operands")]
    pub(super) fn step_from(
        self,
        v: &mut Vector<'_, '_>,
        name: &'static str,
        dst: Area,
        src: Area,
        rows: Sc,
        most_rows: i64,
        number: Shift,
    ) {
        v.mask(self.mask);
        // `vadds` exists for signed halfwords only; sums wrap, so the signedness does not matter.
        let lane = match name {
            "pto.ub.vadds" => Lane { elem: builtin::I16, bytes: 2 },
            _ => dst.lane,
        };
        let (dst, src) = (dst.seen_as(lane), src.seen_as(lane));
        let number = match number {
            Shift::By(n) => v.em.int(n, builtin::I64),
            Shift::Value(x) => x,
        };
        v.parts(rows, most_rows, |v, first, count| {
            let place = |em: &mut Em<'_>, a: Area| {
                let at = em.mul(first, a.pitch);
                let at = em.add(at, self.block);
                a.ptr(em, at)
            };
            let pointers = [place(v.em, dst), place(v.em, src)];
            v.op(name, &pointers, Some(number), &Steps::dense(count, [dst.pitch, src.pitch, 0]));
        });
    }
}

/// One fill of all blocks of the tile, element pattern repeated to a word.
fn expand_in_l1(em: &mut Em<'_>, call: &Call, dst: &Tile, number: ValueId) -> Res<()> {
    let bytes = dst.ty.bytes().and_then(|b| i64::try_from(b).ok()).unwrap_or(i64::MAX);
    let blocks = bytes / 32;
    if bytes % 32 != 0 || !(1..=32767).contains(&blocks) || !matches!(dst.esz(), 1 | 2 | 4) {
        return Err(call.unsupported(em, format!("a fill of {bytes} bytes of L1 with elements of {} bytes", dst.esz())));
    }
    let word = match (dst.dtype().is_float(), dst.esz()) {
        (true, 4) => em.emit1("arith.bitcast", &[number], builtin::I32),
        (true, _) => {
            let bits = em.emit1("arith.bitcast", &[number], builtin::I16);
            em.emit1("arith.extui", &[bits], builtin::I32)
        }
        (false, 4) => number,
        (false, 2) => em.emit1("arith.extui", &[number], builtin::I32),
        (false, _) => {
            let wide = em.emit1("arith.extui", &[number], builtin::I32);
            let twice = em.int(0x0101, builtin::I32);
            em.emit1("arith.muli", &[wide, twice], builtin::I32)
        }
    };
    let bits = if dst.esz() == 4 { 32 } else { 16 };
    let p = em.ptr(dst);
    super::l1::create_matrix(em, p, word, bits, blocks.into(), 1.into(), 0.into());
    Ok(())
}
