//! Comparison to packed bits, and the choice by them.
//!
//! Bit `k` of a row of the mask tile is column `k`. A predicate register has a bit for each byte of a vector register, so that a
//! predicate of 16-bit lanes is stored with every second bit dropped, and two of 32-bit lanes are joined first.

use super::vec::{Lanes, starts_on_a_block, to_element};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_dialect::types::{MaskType, elem_of, tile_of};
use ptoc_ir::{TypeId, ValueId};
use ptoc_target::{DType, Layout};

pub(super) const OPS: &[(&str, LowerFn)] =
    &[("pto.tcmp", compare), ("pto.tcmps", compare_number), ("pto.tsel", select), ("pto.tsels", select_number)];

/// Columns whose bits go to memory at once: a register, or two of 32-bit lanes.
struct Unit {
    at: Sc,
    /// Lanes of the first register that are valid columns.
    low: ValueId,
    /// The same of the second register, for 32-bit lanes.
    high: Option<ValueId>,
    /// The second register has no valid column.
    half: bool,
}

/// Runs `body`, which may be called twice, for all columns.
fn units(em: &mut Em<'_>, lanes: &Lanes, cols: Sc, mut body: impl FnMut(&mut Em<'_>, &Unit)) {
    if lanes.bits != 32 {
        lanes.steps(em, cols, |em, low, at| body(em, &Unit { at, low, high: None, half: true }));
        return;
    }
    let two = 2 * lanes.count;
    match cols {
        Sc::Const(n) => {
            let (full, rest) = (n / two, n % two);
            if full > 0 {
                let all = lanes.all(em);
                em.for_loop(full, |em, j| {
                    let at = em.mul(j, two);
                    body(em, &Unit { at, low: all, high: Some(all), half: false });
                });
            }
            if rest > 0 {
                let low = lanes.some(em, rest.min(lanes.count));
                let high = lanes.some(em, (rest - lanes.count).max(0));
                body(em, &Unit { at: Sc::Const(full * two), low, high: Some(high), half: rest <= lanes.count });
            }
        }
        n => {
            let steps = em.ceil_div(n, two);
            let count = em.i32(n);
            em.for_carry(steps, &[count], |em, j, left| {
                let (low, left) = lanes.first(em, left[0]);
                let (high, left) = lanes.first(em, left);
                let at = em.mul(j, two);
                body(em, &Unit { at, low, high: Some(high), half: false });
                vec![left]
            });
        }
    }
}

fn mask_type(em: &mut Em<'_>, bits: u32) -> TypeId {
    em.ir.ctx.dialect_ty(MaskType { bits })
}

/// A predicate for lanes of another width.
fn as_bits(em: &mut Em<'_>, p: ValueId, bits: u32) -> ValueId {
    let ty = mask_type(em, bits);
    if em.ir.value_type(p) == ty { p } else { em.emit1("pto.pbitcast", &[p], ty) }
}

fn two(em: &mut Em<'_>, name: &'static str, a: ValueId, b: ValueId, bits: u32) -> (ValueId, ValueId) {
    let ty = mask_type(em, bits);
    let op = em.build(name).args(&[a, b]).result(ty).result(ty).done();
    (em.ir.op(op).results[0], em.ir.op(op).results[1])
}

/// A mask tile: rows of packed bits.
struct Bits {
    ptr: ValueId,
    /// Bytes of a row.
    pitch: i64,
}

impl Bits {
    fn of(em: &mut Em<'_>, tile: &Tile) -> Bits {
        let byte = elem_of(&mut em.ir.ctx, DType::U8);
        Bits { ptr: em.ptr_as(tile, byte, 0), pitch: tile.pitch() * tile.esz() }
    }

    fn offset(&self, em: &mut Em<'_>, row: Sc, column: Sc) -> ValueId {
        let (down, along) = (em.mul(row, self.pitch), em.div(column, 8));
        let at = em.add(down, along);
        em.index(at)
    }

    fn store(&self, em: &mut Em<'_>, row: Sc, column: Sc, p: ValueId, dist: &str) {
        let at = self.offset(em, row, column);
        em.build("pto.psts").args(&[p, self.ptr, at]).word("dist", dist).done();
    }

    fn load(&self, em: &mut Em<'_>, row: Sc, column: Sc, bits: u32) -> ValueId {
        let at = self.offset(em, row, column);
        let (ty, dist) = (mask_type(em, bits), if bits == 8 { "NORM" } else { "US" });
        em.build("pto.plds").args(&[self.ptr, at]).word("dist", dist).value(ty)
    }
}

fn check(em: &Em<'_>, call: &Call, tiles: &[&Tile]) -> Res<()> {
    for t in tiles {
        if t.layout() != Layout::Nd {
            return Err(call.unsupported(em, "a tile is not row major without boxes"));
        }
        starts_on_a_block(em, call, t)?;
    }
    Ok(())
}

/// What stands against each element.
enum Other {
    Tile { ptr: ValueId, pitch: i64 },
    Number(ValueId),
    Register(ValueId),
}

impl Other {
    fn compare(
        &self,
        em: &mut Em<'_>,
        lanes: &Lanes,
        x: ValueId,
        place: (Sc, Sc),
        mask: ValueId,
        mode: &str,
    ) -> ValueId {
        let ty = lanes.mask(em);
        let (name, y) = match *self {
            Other::Tile { ptr, pitch } => {
                let down = em.mul(place.0, pitch);
                let at = em.add(down, place.1);
                ("pto.vcmp", lanes.load(em, ptr, at))
            }
            Other::Number(n) => ("pto.vcmps", n),
            Other::Register(r) => ("pto.vcmp", r),
        };
        em.build(name).args(&[x, y, mask]).word("cmp_mode", mode).value(ty)
    }
}

fn compare(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (a, b, dst) = (call.tile(em, "src0")?, call.tile(em, "src1")?, call.tile(em, "dst")?);
    check(em, call, &[&a, &b, &dst])?;
    let ptr = em.ptr(&b);
    pack(em, call, &a, &dst, |_, _| Other::Tile { ptr, pitch: b.pitch() })
}

/// A number, or the first element of a tile.
fn compare_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &[&src, &dst])?;
    let v = call.need(em, "scalar")?;
    if tile_of(&em.ir.ctx, em.ir.value_type(v)).is_some() {
        let number = call.tile(em, "scalar")?;
        let p = em.ptr(&number);
        return pack(em, call, &src, &dst, |em, lanes| Other::Register(lanes.broadcast(em, p, 0)));
    }
    let n = to_element(em, call, v, src.ty.elem)?;
    pack(em, call, &src, &dst, |_, _| Other::Number(n))
}

fn pack(
    em: &mut Em<'_>,
    call: &Call,
    src: &Tile,
    dst: &Tile,
    other: impl FnOnce(&mut Em<'_>, &Lanes) -> Other,
) -> Res<()> {
    let lanes = Lanes::need(em, call, src)?;
    let mode = call.word(em, "cmpMode").unwrap_or("eq").to_owned();
    let (ps, bits) = (em.ptr(src), Bits::of(em, dst));
    em.region("pto.vecscope", |em| {
        let other = other(em, &lanes);
        units(em, &lanes, src.cols, |em, u| {
            em.for_loop(src.rows, |em, i| {
                let one = |em: &mut Em<'_>, at: Sc, mask: ValueId| {
                    let down = em.mul(i, src.pitch());
                    let from = em.add(down, at);
                    let x = lanes.load(em, ps, from);
                    other.compare(em, &lanes, x, (i, at), mask, &mode)
                };
                let p = one(em, u.at, u.low);
                let Some(high) = u.high else {
                    return bits.store(em, i, u.at, p, if lanes.bits == 8 { "NORM" } else { "PK" });
                };
                let next = em.add(u.at, lanes.count);
                let q = if u.half { high } else { one(em, next, high) };
                let (p, q) = (as_bits(em, p, 8), as_bits(em, q, 8));
                let (even, _) = two(em, "pto.pdintlv_b8", p, q, 8);
                bits.store(em, i, u.at, even, "PK");
            });
        });
    });
    Ok(())
}

fn select(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (a, b) = (call.tile(em, "src0")?, call.tile(em, "src1")?);
    check(em, call, &[&a, &b])?;
    let ptr = em.ptr(&b);
    choose(em, call, &a, |_, _| Other::Tile { ptr, pitch: b.pitch() })
}

fn select_number(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check(em, call, &[&src])?;
    let v = call.need(em, "scalar")?;
    let n = to_element(em, call, v, dst.ty.elem)?;
    choose(em, call, &src, |em, lanes| Other::Register(lanes.fill(em, n)))
}

/// The element of `src` where the bit is set, the other one elsewhere.
fn choose(em: &mut Em<'_>, call: &Call, src: &Tile, other: impl FnOnce(&mut Em<'_>, &Lanes) -> Other) -> Res<()> {
    let (mask, dst) = (call.tile(em, "mask")?, call.tile(em, "dst")?);
    check(em, call, &[&mask, &dst])?;
    let lanes = Lanes::need(em, call, &dst)?;
    let (ps, pd, bits) = (em.ptr(src), em.ptr(&dst), Bits::of(em, &mask));
    em.region("pto.vecscope", |em| {
        let other = other(em, &lanes);
        units(em, &lanes, dst.cols, |em, u| {
            em.for_loop(dst.rows, |em, i| {
                let one = |em: &mut Em<'_>, at: Sc, p: ValueId, valid: ValueId| {
                    let place = |em: &mut Em<'_>, pitch: i64| {
                        let down = em.mul(i, pitch);
                        em.add(down, at)
                    };
                    let from = place(em, src.pitch());
                    let x = lanes.load(em, ps, from);
                    let y = match other {
                        Other::Tile { ptr, pitch } => {
                            let from = place(em, pitch);
                            lanes.load(em, ptr, from)
                        }
                        Other::Number(r) | Other::Register(r) => r,
                    };
                    let r = lanes.binary(em, "pto.vsel", x, y, p);
                    let to = place(em, dst.pitch());
                    lanes.store(em, r, pd, to, valid);
                };
                let Some(high) = u.high else {
                    let p = bits.load(em, i, u.at, lanes.bits);
                    return one(em, u.at, p, u.low);
                };
                let p = bits.load(em, i, u.at, 16);
                let (p, q) = two(em, "pto.pintlv_b16", p, p, 16);
                let (p, q) = (as_bits(em, p, 32), as_bits(em, q, 32));
                one(em, u.at, p, u.low);
                if !u.half {
                    let next = em.add(u.at, lanes.count);
                    one(em, next, q, high);
                }
            });
        });
    });
    Ok(())
}
