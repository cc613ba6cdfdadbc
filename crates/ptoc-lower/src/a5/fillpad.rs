//! TFILLPAD: the source where it is valid, the pad everywhere else in the destination's static shape.
//!
//! Vec: a row is built register by register (source, source with the pad selected in behind the valid columns, pad) and
//! stored aligned; the rows below are one run of pad. Mat: the part outside the valid region is filled with zero in L1.

use super::vec::{Lanes, starts_on_a_block};
use crate::pad::pad_bits;
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_dialect::types::{OpaqueKind, elem_of};
use ptoc_ir::{TypeId, ValueId, builtin};
use ptoc_target::{DType, Layout, Loc};

pub(super) const OPS: &[(&str, LowerFn)] =
    &[("pto.tfillpad", fill), ("pto.tfillpad_inplace", fill), ("pto.tfillpad_expand", fill)];

/// The three instructions differ in what the verifier asks for. Whether valid elements have to be copied follows from the
/// addresses; copying a tile onto itself would do no harm.
fn fill(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.padded(em, "dst")?);
    match (src.loc(), dst.loc()) {
        (Loc::Vec, Loc::Vec) => vec(em, call, &src, &dst),
        (Loc::Mat, Loc::Mat) => mat(em, call, &src, &dst),
        _ => Err(call.unsupported(em, "the tiles are not both in Vec, or both in Mat")),
    }
}

/// What Vec stores are made of. Elements are handled as integers of their size, so any bit pattern is a pad.
struct Rows<'t> {
    src: &'t Tile,
    dst: &'t Tile,
    lanes: Lanes,
    ps: ValueId,
    pd: ValueId,
    /// Units (elements, or bytes of packed fp4) from one row to the next.
    src_pitch: i64,
    dst_pitch: i64,
    /// Units of a destination row.
    width: i64,
    /// The source is the destination: valid elements need no copy.
    inplace: bool,
}

fn vec(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile) -> Res<()> {
    if src.layout() != Layout::Nd || dst.layout() != Layout::Nd {
        return Err(call.unsupported(em, "the tiles are not row major without boxes"));
    }
    starts_on_a_block(em, call, src)?;
    starts_on_a_block(em, call, dst)?;
    let Some(bits) = pad_bits(dst.dtype(), dst.ty.pad) else {
        let what = format!("the pad of dst ({:?}) has no bit pattern in {}", dst.ty.pad, dst.dtype());
        return Err(call.unsupported(em, what));
    };
    if src.esz() != dst.esz() {
        return Err(call.unsupported(em, "the element sizes differ"));
    }
    let raw = match dst.esz() {
        1 => DType::U8,
        2 => DType::U16,
        4 => DType::U32,
        _ => return Err(call.unsupported(em, format!("elements of {} bytes", dst.esz()))),
    };
    let elem = elem_of(&mut em.ir.ctx, raw);
    let Some(lanes) = Lanes::of(elem, raw) else { return Ok(()) };
    let fp4 = dst.dtype().is_fp4();
    let per_unit = if fp4 { 2 } else { 1 };
    let rows = Rows {
        src,
        dst,
        lanes,
        ps: em.ptr_as(src, elem, 0),
        pd: em.ptr_as(dst, elem, 0),
        src_pitch: src.pitch() / per_unit,
        dst_pitch: dst.pitch() / per_unit,
        width: (dst.ty.cols as i64 + per_unit - 1) / per_unit,
        inplace: src.base == dst.base && src.offset == dst.offset && src.pitch() == dst.pitch(),
    };
    if fp4 && (rows.src_pitch % 32 != 0 || rows.dst_pitch % 32 != 0) {
        return Err(call.unsupported(em, "rows of packed fp4 that do not start on a 32-byte block"));
    }
    let pad = raw_number(em, bits, elem);
    em.region("pto.vecscope", |em| {
        let pad = lanes.fill(em, pad);
        if fp4 {
            rows.nibbles(em, pad, bits);
        } else {
            rows.columns(em, pad);
        }
        rows.below(em, pad);
    });
    Ok(())
}

/// A bit pattern as a signless integer constant of the element's size.
fn raw_number(em: &mut Em<'_>, bits: u32, elem: TypeId) -> ValueId {
    let ty = super::vec::scalar_type(em, elem);
    let n = match ty {
        builtin::I8 => i64::from(bits as u8 as i8),
        builtin::I16 => i64::from(bits as u16 as i16),
        _ => i64::from(bits as i32),
    };
    em.int(n, ty)
}

impl Rows<'_> {
    /// Runs `body` for every valid row, with the offsets of column `at` in source and destination.
    fn each(&self, em: &mut Em<'_>, at: Sc, body: impl FnOnce(&mut Em<'_>, Sc, Sc)) {
        em.for_loop(self.src.rows, |em, i| {
            let from = em.mul(i, self.src_pitch);
            let from = em.add(from, at);
            let to = if self.src_pitch == self.dst_pitch {
                from
            } else {
                let to = em.mul(i, self.dst_pitch);
                em.add(to, at)
            };
            body(em, from, to);
        });
    }

    /// Registers `first..last` of every row: `body` makes the stored value from the source's offset.
    /// `last` counts the registers of a destination row; the last of those may be partial.
    fn registers(&self, em: &mut Em<'_>, first: i64, last: i64, body: impl Fn(&mut Em<'_>, Sc) -> ValueId) {
        let full = (self.width / self.lanes.count).min(last);
        if full > first {
            let all = self.lanes.all(em);
            em.for_loop(full - first, |em, j| {
                let j = em.add(j, first);
                let at = em.mul(j, self.lanes.count);
                self.each(em, at, |em, from, to| {
                    let v = body(em, from);
                    self.lanes.store(em, v, self.pd, to, all);
                });
            });
        }
        let rest = self.width - full * self.lanes.count;
        if (first..last).contains(&full) && rest > 0 {
            let mask = self.lanes.some(em, rest.min(self.lanes.count));
            self.each(em, Sc::Const(full * self.lanes.count), |em, from, to| {
                let v = body(em, from);
                self.lanes.store(em, v, self.pd, to, mask);
            });
        }
    }

    /// The valid rows.
    fn columns(&self, em: &mut Em<'_>, pad: ValueId) {
        let lanes = &self.lanes;
        let count = (self.width + lanes.count - 1) / lanes.count;
        match self.src.cols {
            Sc::Const(cols) => {
                let (full, rest) = (cols / lanes.count, cols % lanes.count);
                if !self.inplace {
                    self.registers(em, 0, full, |em, from| lanes.load(em, self.ps, from));
                }
                if rest > 0 {
                    if self.inplace {
                        self.gap(em, full, rest, pad);
                    } else {
                        let valid = lanes.some(em, rest);
                        self.registers(em, full, full + 1, |em, from| {
                            let x = lanes.load(em, self.ps, from);
                            lanes.binary(em, "pto.vsel", x, pad, valid)
                        });
                    }
                }
                self.registers(em, full + i64::from(rest > 0), count, |_, _| pad);
            }
            cols => {
                // Registers with valid columns: the source where valid, the pad elsewhere. Then those of pad only.
                let (n, width) = (em.i32(cols), em.i32(self.width));
                let steps = em.ceil_div(cols, lanes.count);
                let out = em.for_carry(steps, &[n, width], |em, j, rest| {
                    let (valid, n) = lanes.first(em, rest[0]);
                    let (mask, width) = lanes.first(em, rest[1]);
                    let at = em.mul(j, lanes.count);
                    self.each(em, at, |em, from, to| {
                        let x = lanes.load(em, self.ps, from);
                        let v = lanes.binary(em, "pto.vsel", x, pad, valid);
                        lanes.store(em, v, self.pd, to, mask);
                    });
                    vec![n, width]
                });
                let more = em.sub(count, steps);
                em.for_carry(more, &[out[1]], |em, j, rest| {
                    let (mask, width) = lanes.first(em, rest[0]);
                    let j = em.add(steps, j);
                    let at = em.mul(j, lanes.count);
                    self.each(em, at, |em, _, to| lanes.store(em, pad, self.pd, to, mask));
                    vec![width]
                });
            }
        }
    }

    /// In place: only the lanes behind the valid ones are written, by the complement of the valid predicate, or (for one or
    /// two rows, where that costs more) by an unaligned store.
    fn gap(&self, em: &mut Em<'_>, register: i64, rest: i64, pad: ValueId) {
        let lanes = &self.lanes;
        let stored = (self.width - register * lanes.count).min(lanes.count);
        if stored == rest {
            return;
        }
        let at = register * lanes.count;
        if self.src.rows.known().is_some_and(|n| n <= 2) {
            let align = em.ir.ctx.dialect_ty(OpaqueKind::Align);
            let ptr = em.ir.value_type(self.pd);
            let empty = em.emit1("pto.init_align", &[], align);
            let (n, zero) = (em.i32(stored - rest), em.i32(0));
            self.each(em, Sc::Const(at + rest), |em, _, to| {
                let o = em.index(to);
                let to = em.emit1("pto.addptr", &[self.pd, o], ptr);
                let op = em.build("pto.vstus").args(&[empty, n, pad, to]).result(align).result(ptr).done();
                let (state, end) = (em.ir.op(op).results[0], em.ir.op(op).results[1]);
                em.build("pto.vstas").args(&[state, end, zero]).done();
            });
            return;
        }
        let valid = lanes.some(em, rest);
        let mask = lanes.some(em, stored);
        let ty = lanes.mask(em);
        let mask = em.emit1("pto.pnot", &[valid, mask], ty);
        self.each(em, Sc::Const(at), |em, _, to| lanes.store(em, pad, self.pd, to, mask));
    }

    /// Packed fp4: columns count nibbles. A byte whose low nibble only is valid keeps it and takes the pad's high one.
    fn nibbles(&self, em: &mut Em<'_>, pad: ValueId, bits: u32) {
        let lanes = &self.lanes;
        let whole = em.div(self.src.cols, 2);
        let touched = em.ceil_div(self.src.cols, 2);
        let odd = em.rem(self.src.cols, 2);
        let mix = !odd.is(0);
        let ty = super::vec::scalar_type(em, lanes.elem);
        let (low, high) = (em.int(0x0F, ty), em.int(i64::from((bits & 0xF0) as u8 as i8), ty));
        let keep = mix.then(|| (lanes.fill(em, low), lanes.fill(em, high), lanes.all(em)));
        let (n, m, width) = (em.i32(whole), em.i32(touched), em.i32(self.width));
        let count = (self.width + lanes.count - 1) / lanes.count;
        em.for_carry(count, &[n, m, width], |em, j, rest| {
            let (valid, n) = lanes.first(em, rest[0]);
            let (part, m) = lanes.first(em, rest[1]);
            let (mask, width) = lanes.first(em, rest[2]);
            let at = em.mul(j, lanes.count);
            self.each(em, at, |em, from, to| {
                let x = lanes.load(em, self.ps, from);
                let outside = match keep {
                    Some((low, high, all)) => {
                        let kept = lanes.binary(em, "pto.vand", x, low, all);
                        let mixed = lanes.binary(em, "pto.vor", kept, high, all);
                        lanes.binary(em, "pto.vsel", mixed, pad, part)
                    }
                    None => pad,
                };
                let v = lanes.binary(em, "pto.vsel", x, outside, valid);
                lanes.store(em, v, self.pd, to, mask);
            });
            vec![n, m, width]
        });
    }

    /// The rows below the valid ones, all pad.
    fn below(&self, em: &mut Em<'_>, pad: ValueId) {
        let rows = em.sub(self.dst.ty.rows, self.src.rows);
        if rows.known().is_some_and(|n| n <= 0) {
            return;
        }
        let start = em.mul(self.src.rows, self.dst_pitch);
        if self.width == self.dst_pitch && (rows.known().is_some() || self.width % self.lanes.count != 0) {
            let n = em.mul(rows, self.width);
            self.lanes.steps(em, n, |em, mask, at| {
                let at = em.add(start, at);
                self.lanes.store(em, pad, self.pd, at, mask);
            });
            return;
        }
        self.lanes.steps(em, Sc::Const(self.width), |em, mask, at| {
            em.for_loop(rows, |em, i| {
                let to = em.mul(i, self.dst_pitch);
                let to = em.add(start, to);
                let to = em.add(to, at);
                self.lanes.store(em, pad, self.pd, to, mask);
            });
        });
    }
}

/// Zero outside the valid region of an NZ tile: the rows below in the column groups that hold valid columns, then the other
/// column groups. Columns of the last valid group are zero already, since the load pads them.
fn mat(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile) -> Res<()> {
    if dst.layout() != Layout::Nz || dst.ty.fractal != 512 {
        return Err(call.unsupported(em, "a Mat tile is filled in NZ layout with fractals of 512 bytes only"));
    }
    if src.base != dst.base || src.offset != dst.offset {
        return Err(call.unsupported(em, "src and dst are different tiles in Mat"));
    }
    if pad_bits(dst.dtype(), dst.ty.pad).is_some_and(|b| b != 0) {
        return Err(call.unsupported(em, "a Mat tile is filled with zero only"));
    }
    if !matches!(dst.esz(), 1 | 2 | 4) {
        return Err(call.unsupported(em, format!("elements of {} bytes", dst.esz())));
    }
    // Units of 32 bytes: a column group is one unit wide.
    let group = if dst.dtype().is_fp4() { 64 } else { dst.c0() };
    let rows = Sc::from(dst.buffer_rows);
    let elem = elem_of(&mut em.ir.ctx, DType::U16);
    let p = em.ptr_as(dst, elem, 0);
    let groups = em.ceil_div(src.cols, group);
    let below = em.sub(dst.ty.rows, src.rows);
    let base = match em.ir.ctx.type_as::<ptoc_dialect::types::PtrType>(em.ir.value_type(p)) {
        Some(_) => p,
        None => return Ok(()),
    };
    // Halfwords in 32 bytes.
    const UNIT: i64 = 16;
    let zero = |em: &mut Em<'_>, at: Sc, repeats: Sc, blocks: Sc, gap: Sc| {
        let at = em.mul(at, UNIT);
        let to = if at.is(0) {
            base
        } else {
            let o = em.index(at);
            let ty = em.ir.value_type(base);
            em.emit1("pto.addptr", &[base, o], ty)
        };
        let zero = em.int(0, builtin::I16);
        let (r, b, g) = (em.i64(repeats), em.i64(blocks), em.i64(gap));
        let bits = em.ir.ctx.int_attr(16, builtin::I64);
        em.build("pto.create_cbuf_matrix").args(&[to, zero, r, b, g]).attr("fill_word_bits", bits).done();
    };
    let some_below = em.gt(below, 0);
    let gap = em.sub(rows, below);
    em.if_then(some_below, |em| zero(em, src.rows, groups, below, gap));
    let all_groups = Sc::from(dst.ty.cols.div_ceil(group as u64));
    let others = em.sub(all_groups, groups);
    let some_others = em.gt(others, 0);
    em.if_then(some_others, |em| {
        let at = em.mul(groups, rows);
        if dst.ty.rows == dst.buffer_rows {
            let blocks = em.mul(others, rows);
            zero(em, at, Sc::Const(1), blocks, Sc::Const(0));
        } else {
            let gap = em.sub(rows, dst.ty.rows);
            zero(em, at, others, Sc::from(dst.ty.rows), gap);
        }
    });
    Ok(())
}
