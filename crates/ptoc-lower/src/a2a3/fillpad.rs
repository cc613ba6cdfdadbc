//! Padding made real: the valid elements copied, every other element of the tile the pad value.

use super::area::Area;
use super::elementwise::{LowByte, Shift};
use super::vector::{Mask, Steps, Vector};
use super::{l1, map};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Layout, Loc, PadValue};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] =
    &[("pto.tfillpad", fill_pad), ("pto.tfillpad_inplace", fill_pad), ("pto.tfillpad_expand", fill_pad)];

/// The bit pattern of a pad value; `None` where the type has none.
pub(super) fn pad_bits(pad: PadValue, dtype: DType) -> Option<u32> {
    use DType::{BF16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
    let (min, max) = match dtype {
        F32 => (0xFF80_0000, 0x7F80_0000),
        F16 => (0xFC00, 0x7C00),
        BF16 => (0xFF80, 0x7F80),
        I8 => (0x80, 0x7F),
        I16 => (0x8000, 0x7FFF),
        I32 => (0x8000_0000, 0x7FFF_FFFF),
        U8 => (0, 0xFF),
        U16 => (0, 0xFFFF),
        U32 => (0, 0xFFFF_FFFF),
        I64 | U64 if pad == PadValue::Zero => return Some(0),
        _ => return None,
    };
    Some(match pad {
        PadValue::Null => return None,
        PadValue::Zero => 0,
        PadValue::Min => min,
        PadValue::Max => max,
        PadValue::Custom(bits) => bits,
    })
}

fn fill_pad(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.padded(em, "dst")?);
    if dst.loc() == Loc::Mat {
        return l1::fill_pad(em, call, &dst);
    }
    let Some(bits) = pad_bits(dst.ty.pad, dst.dtype()) else {
        return Err(call.unsupported(em, format!("pad {:?} of {} elements", dst.ty.pad, dst.dtype())));
    };
    if src.layout() != Layout::Nd || dst.layout() != Layout::Nd || src.esz() != dst.esz() || dst.esz() > 4 {
        return Err(call.unsupported(em, "padding takes row-major tiles with elements of the same 1, 2 or 4 bytes"));
    }
    let (to, from) = (Area::of(em, call, &dst)?, Area::of(em, call, &src)?);
    let (to, from) = (to.unsigned(em), from.unsigned(em));
    let bits = if dst.esz() == 1 { bits << 8 | bits } else { bits };
    let pad = Pad { to, esz: dst.esz(), bits, rows: src.rows, cols: src.cols, dst: &dst };
    let same = call.name() == "tfillpad_inplace" || to.same_place(&from);
    if same && to.pitch != from.pitch {
        // The elements would move over each other.
        return Err(call.unsupported(em, "the same storage with another row pitch"));
    }
    Vector::scope(em, |v| if same { pad.around(v) } else { pad.under(v, from) });
    Ok(())
}

struct Pad<'t> {
    /// The destination in lanes of 2 or 4 bytes.
    to: Area,
    /// Bytes of an element.
    esz: i64,
    /// The pad value in a lane.
    bits: u32,
    /// Valid rows and columns of the source, in elements.
    rows: Sc,
    cols: Sc,
    dst: &'t Tile,
}

impl Pad<'_> {
    /// Static rows, and columns in lanes.
    fn whole(&self) -> (i64, i64) {
        let cols = self.dst.ty.cols as i64 * self.esz / self.to.lane.bytes;
        (self.dst.ty.rows as i64, cols)
    }

    fn number(&self, v: &mut Vector<'_, '_>) -> ValueId {
        v.bits(self.bits.into(), self.to.lane)
    }

    /// Another storage: the pad everywhere, then the elements over it. One pass each, whatever the sizes.
    fn under(&self, v: &mut Vector<'_, '_>, from: Area) {
        let (rows, cols) = self.whole();
        let number = self.number(v);
        // The valid columns in lanes; an odd byte is treated apart.
        let (lanes, odd) = match self.esz {
            1 => (v.em.div(self.cols, 2), v.em.rem(self.cols, 2)),
            _ => (self.cols, Sc::Const(0)),
        };
        match (self.rows, lanes, odd) {
            (Sc::Const(r), Sc::Const(c), Sc::Const(0)) if c == cols => {
                // Full rows: what is below them is all there is to fill, and depends on nothing.
                self.fill_below(v, r.into());
            }
            _ => {
                map::fill(v, self.to, number, rows.into(), cols.into());
                v.barrier();
            }
        }
        let bytes = v.em.mul(self.cols, self.esz);
        match bytes {
            Sc::Const(n) if n % 32 == 0 => {
                let len = n / 32;
                let (p, q) = (self.to.ptr(v.em, 0), from.ptr(v.em, 0));
                if (self.to.pitch, from.pitch) == (len, len) {
                    let all = v.em.mul(self.rows, len);
                    v.bursts(p, q, 1.into(), all, 0.into(), 0.into());
                } else {
                    v.bursts(p, q, self.rows, len.into(), (from.pitch - len).into(), (self.to.pitch - len).into());
                }
            }
            _ => map::copy(v, self.to, from, self.rows, lanes),
        }
        let last = v.em.ne(odd, 0);
        v.when(last, |v| self.last_byte(v, from));
    }

    /// The lane of an odd last byte: high byte pad, low byte the element. `x << 8 >> 8` clears the high byte, then the pad
    /// in the high byte is added.
    fn last_byte(&self, v: &mut Vector<'_, '_>, from: Area) {
        let low = LowByte::of(v, self.cols, self.to.lane);
        let most_rows = self.dst.ty.rows as i64;
        low.step_from(v, "pto.ub.vshl", self.to, from, self.rows, most_rows, Shift::By(8));
        v.barrier();
        low.step(v, "pto.ub.vshr", self.to, self.rows, most_rows, Shift::By(8));
        v.barrier();
        let high = v.em.int(i64::from((self.bits << 8) as u16 as i16), builtin::I16);
        low.step(v, "pto.ub.vadds", self.to, self.rows, most_rows, Shift::Value(high));
    }

    /// Rows from `first` on.
    fn fill_below(&self, v: &mut Vector<'_, '_>, first: Sc) {
        let (rows, cols) = self.whole();
        let number = self.number(v);
        let below = v.em.sub(rows, first);
        let area = self.to.at_row(v.em, first);
        map::fill(v, area, number, below, cols.into());
    }

    /// The same storage: right of the valid columns, and below the valid rows. The parts don't overlap, so nothing waits.
    fn around(&self, v: &mut Vector<'_, '_>) {
        let block = self.to.lane.block();
        let (_, cols) = self.whole();
        let (lanes, odd) = match self.esz {
            1 => (v.em.ceil_div(self.cols, 2), v.em.rem(self.cols, 2)),
            _ => (self.cols, Sc::Const(0)),
        };
        let first = v.em.div(lanes, block);
        let skip = v.em.rem(lanes, block);
        let area = self.to.after(v.em, first);
        let covered = v.em.mul(first, block);
        let width = v.em.sub(cols, covered);
        let some = v.em.gt(width, 0);
        v.when(some, |v| self.right_of(v, area, skip, width));
        let last = v.em.ne(odd, 0);
        v.when(last, |v| self.last_byte(v, self.to));
        self.fill_below(v, self.rows);
    }

    /// The valid rows of the blocks from the one with the first lane to fill on: `width` lanes, without the first `skip`.
    fn right_of(&self, v: &mut Vector<'_, '_>, area: Area, skip: Sc, width: Sc) {
        let block = self.to.lane.block();
        let number = self.number(v);
        match (skip, width) {
            (Sc::Const(0), w) => map::fill(v, area, number, self.rows, w),
            (Sc::Const(skip), Sc::Const(w)) if w <= self.to.lane.repeat() => {
                v.mask(between(skip, w));
                self.one_repeat_a_row(v, area, number);
            }
            _ => {
                // The first block without its first lanes, then whole blocks.
                let mask = self.all_but(v, skip, block);
                v.mask(mask);
                self.one_repeat_a_row(v, area, number);
                let rest = area.after(v.em, 1);
                let w = v.em.sub(width, block);
                map::fill(v, rest, number, self.rows, w);
            }
        }
    }

    /// Lanes `skip..block` of the first block of a repeat.
    fn all_but(&self, v: &mut Vector<'_, '_>, skip: Sc, block: i64) -> Mask {
        match skip {
            Sc::Const(s) => between(s, block),
            s => {
                let (low, all) = (v.ones(s), v.em.int((1 << block) - 1, builtin::I64));
                let word = v.em.emit1("arith.subi", &[all, low], builtin::I64);
                let zero = v.em.int(0, builtin::I64);
                Mask::Words(zero, word)
            }
        }
    }

    fn one_repeat_a_row(&self, v: &mut Vector<'_, '_>, area: Area, number: ValueId) {
        v.parts(self.rows, self.dst.ty.rows as i64, |v, first, count| {
            let at = v.em.mul(first, area.pitch);
            let p = area.ptr(v.em, at);
            v.op("pto.ub.vdup", &[p], Some(number), &Steps::dense(count, [area.pitch, 0, 0]));
        });
    }
}

/// Lanes `from..to` of each repeat.
pub(super) fn between(from: i64, to: i64) -> Mask {
    let ones = |n: i64| if n >= 128 { u128::MAX } else { (1u128 << n.max(0)) - 1 };
    let bits = ones(to) & !ones(from);
    Mask::Lanes((bits >> 64) as u64, bits as u64)
}
