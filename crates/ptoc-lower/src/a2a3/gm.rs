//! Between global memory and tiles.

use super::fixpipe;
use crate::{Call, Em, Gm, GmLayout, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Layout, Loc, PadValue};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[("pto.tload", load), ("pto.tstore", store)];

/// Most bursts of one transfer.
const MAX_BURSTS: i64 = 4095;

/// A matrix in global memory as the DMA walks over it: bursts of elements that lie side by side, in up to three outer
/// dimensions.
struct Walk {
    /// Extents and strides in elements of the dimensions around the bursts, outermost first.
    outer: [(Sc, Sc); 3],
    /// How many bursts.
    bursts: Sc,
    /// Elements of a burst.
    len: Sc,
    /// Elements from the start of one burst to that of the next.
    step: Sc,
}

impl Walk {
    /// Over a view in rows (`nd`) or columns (`dn`). `bursts` and `len` are the valid sizes of the tile.
    fn of(em: &mut Em<'_>, gm: &Gm, bursts: Sc, len: Sc) -> Walk {
        let across = if gm.layout == GmLayout::Dn { 4 } else { 3 };
        let step = gm.stride(across);
        let outer = [0, 1, 2].map(|d| (gm.extent(d), gm.stride(d)));
        let flat = outer.iter().all(|(n, _)| n.is(1));
        let count = if flat { bursts } else { gm.extent(across) };
        let mut w = Walk { outer, bursts: count, len, step };
        w.merge(em);
        // A single burst has nothing behind it; the stride that nothing uses must not make a gap below zero.
        if w.bursts.is(1) && w.step.known().zip(w.len.known()).is_some_and(|(step, len)| step < len) {
            w.step = w.len;
        }
        w
    }

    /// Draws an outer dimension into the bursts when its stride continues theirs.
    fn merge(&mut self, em: &mut Em<'_>) {
        for d in (0..3).rev() {
            let (n, stride) = self.outer[d];
            if n.is(1) {
                continue;
            }
            let (Sc::Const(n), Sc::Const(stride), Sc::Const(b), Sc::Const(step)) = (n, stride, self.bursts, self.step)
            else {
                return;
            };
            let total = n.saturating_mul(b);
            if b.checked_mul(step) != Some(stride) || total > MAX_BURSTS {
                return;
            }
            self.bursts = Sc::Const(total);
            self.outer[d] = (Sc::Const(1), em.mul(total, step));
        }
    }

    /// Elements from the end of one burst to the start of the next. A single burst has no next one, whatever the stride of
    /// its view is (none at all in a view of one dimension).
    fn gap(&self, em: &mut Em<'_>) -> Sc {
        let apart = matches!((self.step, self.len), (Sc::Const(step), Sc::Const(len)) if step >= len);
        if self.bursts.is(1) && !apart { Sc::Const(0) } else { em.sub(self.step, self.len) }
    }

    /// Runs `body` for each outer position with the offset in global memory, in elements, and the number of bursts before it.
    fn each(&self, em: &mut Em<'_>, body: &mut dyn FnMut(&mut Em<'_>, Sc, Sc)) {
        let [(n0, s0), (n1, s1), (n2, s2)] = self.outer;
        let bursts = self.bursts;
        em.for_loop(n0, |em, i| {
            em.for_loop(n1, |em, j| {
                em.for_loop(n2, |em, k| {
                    let mut at = em.mul(i, s0);
                    for (x, s) in [(j, s1), (k, s2)] {
                        let y = em.mul(x, s);
                        at = em.add(at, y);
                    }
                    let mut before = em.mul(i, n1);
                    before = em.add(before, j);
                    before = em.mul(before, n2);
                    before = em.add(before, k);
                    let before = em.mul(before, bursts);
                    body(em, at, before);
                });
            });
        });
    }
}

/// Numbers of a transfer.
fn transfer(em: &mut Em<'_>, name: &'static str, src: ValueId, dst: ValueId, fields: &[Field]) {
    let mut args = vec![src, dst];
    for &(what, value, most) in fields {
        if let Sc::Const(n) = value
            && !(0..=most).contains(&n)
        {
            em.fault(format!("{what} is {n}, its field goes to {most}"));
        }
        args.push(em.i64(value));
    }
    em.emit(name, &args);
}

/// Which way a transfer between global memory and UB goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

/// Bursts of bytes between global memory and UB. `fields`: number of bursts, length in bytes, gap in global memory in bytes,
/// gap in UB in blocks. The fields of a store stand the other way round.
fn padded(em: &mut Em<'_>, way: Way, esz: i64, src: ValueId, dst: ValueId, pad: Sc, fields: [Sc; 4]) {
    let name = match (way, esz) {
        (Way::In, 1) => "pto.copy_gm_to_ubuf_align_b8",
        (Way::In, 2) => "pto.copy_gm_to_ubuf_align_b16",
        (Way::In, _) => "pto.copy_gm_to_ubuf_align_b32",
        (Way::Out, 1) => "pto.copy_ubuf_to_gm_align_b8",
        (Way::Out, 2) => "pto.copy_ubuf_to_gm_align_b16",
        (Way::Out, _) => "pto.copy_ubuf_to_gm_align_b32",
    };
    let [bursts, bytes, gm_gap, ub_gap] = fields;
    let wide = i64::from(u32::MAX);
    let mut gaps = [("the gap in global memory", gm_gap, wide), ("the gap in UB", ub_gap, wide)];
    if way == Way::Out {
        gaps.reverse();
    }
    let fields = [
        ("the stream", Sc::Const(0), 15),
        ("the number of bursts", bursts, MAX_BURSTS),
        ("the length of a burst", bytes, (1 << 21) - 1),
        ("the padding before", Sc::Const(0), 32),
        ("the padding after", pad, 32),
        gaps[0],
        gaps[1],
    ];
    transfer(em, name, src, dst, &fields);
}

/// A field in messages: what, value, greatest value.
type Field = (&'static str, Sc, i64);

/// Number of bursts, length, gap in global memory, gap in L1; all in blocks.
fn in_l1([bursts, len, gm_gap, l1_gap]: [Sc; 4]) -> [Field; 4] {
    let most = i64::from(u16::MAX);
    [
        ("the number of bursts", bursts, MAX_BURSTS),
        ("the length of a burst", len, most),
        ("the gap in global memory", gm_gap, most),
        ("the gap in L1", l1_gap, most),
    ]
}

/// The same for a store.
fn out_of_l1(fields: [Sc; 4]) -> [Field; 5] {
    let [bursts, len, gm_gap, l1_gap] = in_l1(fields);
    [("the stream", Sc::Const(0), 15), bursts, len, l1_gap, gm_gap]
}

fn load(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (gm, dst) = (call.gm(em, "src")?, call.tile(em, "dst")?);
    let gm = as_line(gm, &dst);
    for extra in ["pad_value", "left_padding_num", "right_padding_num", "init_condition"] {
        if call.value(em, extra).is_some() {
            return Err(
                call.unsupported(em, format!("operand `{extra}`; the padding follows from the tile's pad value"))
            );
        }
    }
    if gm.dtype.bytes() != dst.dtype().bytes() {
        return Err(call.unsupported(em, "element sizes that differ"));
    }
    match (dst.loc(), gm.layout, dst.layout()) {
        (Loc::Vec, GmLayout::Nd, Layout::Nd) | (Loc::Vec, GmLayout::Dn, Layout::Dn) => load_rows(em, call, &gm, &dst),
        (Loc::Vec, GmLayout::Nz, Layout::Nz) => {
            let boxes = Boxes::of(em, &gm, &dst);
            let fields = boxes.in_bytes(em, &gm, dst.esz());
            Boxes::each(em, &gm, &dst, |em, there, here| {
                padded(em, Way::In, dst.esz(), there, here, Sc::Const(0), fields)
            });
            Ok(())
        }
        (Loc::Mat, GmLayout::Nd, Layout::Nz) => to_fractals(em, call, &gm, &dst, 3, Sc::from(dst.buffer_rows)),
        (Loc::Mat, GmLayout::Dn, Layout::Zn) => to_fractals(em, call, &gm, &dst, 4, Sc::from(dst.buffer_cols)),
        (Loc::Mat, GmLayout::Nd, Layout::Nd) if dst.ty.rows == 1 => to_fractals(em, call, &gm, &dst, 3, Sc::Const(1)),
        (Loc::Mat, GmLayout::Nd, Layout::Nd) | (Loc::Mat, GmLayout::Dn, Layout::Dn) => {
            load_rows_to_l1(em, call, &gm, &dst)
        }
        (Loc::Mat, GmLayout::Nz, Layout::Nz) if dst.ty.fractal == 512 => {
            let boxes = Boxes::of(em, &gm, &dst);
            let fields = boxes.in_blocks(em, &gm, dst.esz());
            Boxes::each(em, &gm, &dst, |em, there, here| {
                transfer(em, "pto.copy_gm_to_cbuf", there, here, &in_l1(fields));
            });
            Ok(())
        }
        _ => Err(call.unsupported(em, format!("a view in {} to a {} tile in {}", gm.layout, dst.loc(), dst.layout()))),
    }
}

/// One dense column or row is the same elements in both orders: such a view takes the order of the tile.
fn as_line(mut gm: Gm, tile: &Tile) -> Gm {
    let (order, extent, stride) = match tile.layout() {
        Layout::Dn => (GmLayout::Dn, gm.extent(4), gm.stride(3)),
        Layout::Nd => (GmLayout::Nd, gm.extent(3), gm.stride(4)),
        _ => return gm,
    };
    // One element is a row and a column, whatever the strides are.
    let one = (0..5).all(|d| gm.extent(d).is(1));
    if matches!(gm.layout, GmLayout::Nd | GmLayout::Dn) && (one || extent.is(1) && stride.is(1)) {
        gm.layout = order;
    }
    gm
}

/// Bursts and their length, from a tile in rows or in columns.
fn bursts_of(tile: &Tile) -> (Sc, Sc) {
    super::area::storage_order(tile)
}

fn load_rows(em: &mut Em<'_>, call: &Call, gm: &Gm, dst: &Tile) -> Res<()> {
    let (bursts, len) = bursts_of(dst);
    let walk = Walk::of(em, gm, bursts, len);
    let (esz, c0) = (dst.esz(), dst.c0());
    let left = em.sub(dst.pitch(), walk.len);
    let mut pad = match dst.ty.pad {
        PadValue::Null => Sc::Const(0),
        _ => em.rem(left, c0),
    };
    if !pad.is(0) {
        let Some(bits) = super::fillpad::pad_bits(dst.ty.pad, dst.dtype()) else {
            return Err(call.unsupported(em, format!("a pad of {} elements other than zero", dst.dtype())));
        };
        let bits = em.int(i64::from(bits), builtin::I64);
        em.emit("pto.set_mov_pad_val", &[bits]);
        if esz == 8 {
            pad = em.mul(pad, 2);
        }
    }
    let bytes = em.mul(walk.len, esz);
    let between = walk.gap(em);
    let gm_gap = em.mul(between, esz);
    let left = em.mul(left, esz);
    let ub_gap = em.div(left, 32);
    walk.each(em, &mut |em, at, before| {
        let src = gm_at(em, gm, at);
        let down = em.mul(before, dst.pitch());
        let to = em.ptr_at(dst, down);
        padded(em, Way::In, esz, src, to, pad, [walk.bursts, bytes, gm_gap, ub_gap]);
    });
    Ok(())
}

/// Pointer to an element of a view by its distance from the first.
fn gm_at(em: &mut Em<'_>, gm: &Gm, at: Sc) -> ValueId {
    if at.is(0) {
        return em.gm_ptr(gm);
    }
    let there = Gm { offset: em.add(gm.offset, at), ..gm.clone() };
    em.gm_ptr(&there)
}

/// Fractals on both sides: runs of column groups, a burst of the valid rows for each group.
struct Boxes {
    /// Rows of a burst: blocks of 32 bytes.
    rows: Sc,
    /// From the end of one burst to the start of the next in global memory, in elements.
    between: Sc,
    /// The same on chip, in blocks.
    below: Sc,
}

impl Boxes {
    fn of(em: &mut Em<'_>, gm: &Gm, tile: &Tile) -> Boxes {
        let group = em.mul(tile.rows, tile.c0());
        Boxes { rows: tile.rows, between: em.sub(gm.stride(1), group), below: em.sub(tile.buffer_rows, tile.rows) }
    }

    /// Runs `body` for each run with the pointers to its start in global memory and in the tile.
    fn each(em: &mut Em<'_>, gm: &Gm, tile: &Tile, body: impl FnOnce(&mut Em<'_>, ValueId, ValueId)) {
        em.for_loop(gm.extent(0), |em, i| {
            let at = em.mul(i, gm.stride(0));
            let there = gm_at(em, gm, at);
            let groups = em.mul(i, gm.extent(1));
            let along = em.mul(groups, tile.buffer_rows as i64 * tile.c0());
            let here = em.ptr_at(tile, along);
            body(em, there, here);
        });
    }

    /// Number and length of the bursts, gap in global memory, gap on chip: in bytes, except for the last (UB).
    fn in_bytes(&self, em: &mut Em<'_>, gm: &Gm, esz: i64) -> [Sc; 4] {
        [gm.extent(1), em.mul(self.rows, 32), em.mul(self.between, esz), self.below]
    }

    /// The same in blocks (L1).
    fn in_blocks(&self, em: &mut Em<'_>, gm: &Gm, esz: i64) -> [Sc; 4] {
        let bytes = em.mul(self.between, esz);
        [gm.extent(1), self.rows, em.div(bytes, 32), self.below]
    }
}

/// Rows (columns) of a matrix to fractals in one instruction; the hardware puts zeros behind the last column.
fn to_fractals(em: &mut Em<'_>, call: &Call, gm: &Gm, dst: &Tile, across: usize, group: Sc) -> Res<()> {
    if dst.ty.fractal != 512 {
        return Err(call.unsupported(em, "fractals of other than 512 bytes"));
    }
    if (0..3).any(|d| !gm.extent(d).is(1)) {
        return Err(call.unsupported(em, "more than one matrix in the view"));
    }
    let (n, d) = match dst.layout() {
        Layout::Zn => (dst.cols, dst.rows),
        _ => (dst.rows, dst.cols),
    };
    let (n, mut d, mut step) = (n, d, gm.stride(across));
    let name = match dst.esz() {
        1 => "pto.copy_gm_to_cbuf_multi_nd2nz_b8",
        2 => "pto.copy_gm_to_cbuf_multi_nd2nz_b16",
        4 => "pto.copy_gm_to_cbuf_multi_nd2nz_b32s",
        _ => {
            if dst.layout() != Layout::Nd {
                return Err(call.unsupported(em, "fractals of 8-byte elements"));
            }
            (d, step) = (em.mul(d, 2), em.mul(step, 2));
            "pto.copy_gm_to_cbuf_multi_nd2nz_b32s"
        }
    };
    let (from, to) = (em.gm_ptr(gm), em.ptr(dst));
    let fields = [
        ("the stream", Sc::Const(0), 15),
        ("the number of matrices", Sc::Const(1), MAX_BURSTS),
        ("the number of rows", n, 16384),
        ("the number of columns", d, 65535),
        ("the stride of the matrices", Sc::Const(0), 65535),
        ("the row stride of the view", step, 65535),
        ("the stride of the column groups", group, 16384),
        ("the stride of the rows", Sc::Const(1), 16384),
        ("the stride of the matrices in L1", Sc::Const(1), 65535),
    ];
    transfer(em, name, from, to, &fields);
    Ok(())
}

/// Bursts of whole blocks to L1.
fn load_rows_to_l1(em: &mut Em<'_>, call: &Call, gm: &Gm, dst: &Tile) -> Res<()> {
    let (bursts, len) = bursts_of(dst);
    let walk = Walk::of(em, gm, bursts, len);
    let esz = dst.esz();
    whole_blocks(em, call, &walk, dst.pitch(), esz)?;
    let (blocks, src_gap, dst_gap) = block_fields(em, &walk, dst.pitch(), esz);
    walk.each(em, &mut |em, at, before| {
        let src = gm_at(em, gm, at);
        let down = em.mul(before, dst.pitch());
        let to = em.ptr_at(dst, down);
        transfer(em, "pto.copy_gm_to_cbuf", src, to, &in_l1([walk.bursts, blocks, src_gap, dst_gap]));
    });
    Ok(())
}

/// Transfers of L1 count blocks of 32 bytes.
fn whole_blocks(em: &mut Em<'_>, call: &Call, walk: &Walk, pitch: i64, esz: i64) -> Res<()> {
    for (what, n) in
        [("a row", walk.len), ("the row stride", walk.step), ("the row pitch of the tile", Sc::Const(pitch))]
    {
        if let Sc::Const(n) = n
            && (n * esz) % 32 != 0
        {
            return Err(
                call.unsupported(em, format!("{what} of {} bytes: L1 is reached in units of 32 bytes", n * esz))
            );
        }
    }
    Ok(())
}

/// Length of a burst, gap in global memory, gap on chip, in blocks.
fn block_fields(em: &mut Em<'_>, walk: &Walk, pitch: i64, esz: i64) -> (Sc, Sc, Sc) {
    let blocks = |em: &mut Em<'_>, n: Sc| {
        let bytes = em.mul(n, esz);
        em.div(bytes, 32)
    };
    let (between, beside) = (walk.gap(em), em.sub(pitch, walk.len));
    (blocks(em, walk.len), blocks(em, between), blocks(em, beside))
}

fn store(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let src = call.tile(em, "src")?;
    if src.loc() == Loc::Acc {
        return fixpipe::store(em, call, "dst");
    }
    let gm = as_line(call.gm(em, "dst")?, &src);
    if gm.dtype.bytes() != src.dtype().bytes() {
        return Err(call.unsupported(em, "element sizes that differ"));
    }
    match (src.loc(), gm.layout, src.layout()) {
        (Loc::Vec, GmLayout::Nd, Layout::Nd) | (Loc::Vec, GmLayout::Dn, Layout::Dn) => {
            atomically(em, call, gm.dtype, |em| store_rows(em, &gm, &src))
        }
        (Loc::Vec, GmLayout::Nz, Layout::Nz) => atomically(em, call, gm.dtype, |em| {
            let boxes = Boxes::of(em, &gm, &src);
            let fields = boxes.in_bytes(em, &gm, src.esz());
            Boxes::each(em, &gm, &src, |em, there, here| {
                padded(em, Way::Out, src.esz(), here, there, Sc::Const(0), fields)
            });
            Ok(())
        }),
        (Loc::Mat, GmLayout::Nd, Layout::Nd) | (Loc::Mat, GmLayout::Dn, Layout::Dn) => {
            atomically(em, call, gm.dtype, |em| store_rows_of_l1(em, call, &gm, &src))
        }
        (Loc::Mat, GmLayout::Nz, Layout::Nz) => atomically(em, call, gm.dtype, |em| {
            let boxes = Boxes::of(em, &gm, &src);
            let fields = boxes.in_blocks(em, &gm, src.esz());
            Boxes::each(em, &gm, &src, |em, there, here| {
                transfer(em, "pto.copy_cbuf_to_gm", here, there, &out_of_l1(fields));
            });
            Ok(())
        }),
        _ => Err(call.unsupported(em, format!("a {} tile in {} to a view in {}", src.loc(), src.layout(), gm.layout))),
    }
}

/// Stores inside `body` add to global memory when the instruction asks for it.
pub(super) fn atomically(
    em: &mut Em<'_>,
    call: &Call,
    dtype: DType,
    body: impl FnOnce(&mut Em<'_>) -> Res<()>,
) -> Res<()> {
    if call.code(em, "atomicType") == 0 {
        return body(em);
    }
    let by_type = match dtype {
        DType::F32 => "pto.set_atomic_f32",
        DType::F16 => "pto.set_atomic_f16",
        DType::BF16 => "pto.set_atomic_bf16",
        DType::I32 => "pto.set_atomic_s32",
        DType::I16 => "pto.set_atomic_s16",
        DType::I8 => "pto.set_atomic_s8",
        other => {
            let what = format!("an atomic store of {other} (it exists for f32, f16, bf16, i32, i16, i8)");
            return Err(call.unsupported(em, what));
        }
    };
    em.emit(by_type, &[]);
    em.emit("pto.set_atomic_add", &[]);
    body(em)?;
    em.emit("pto.set_atomic_none", &[]);
    Ok(())
}

fn store_rows(em: &mut Em<'_>, gm: &Gm, src: &Tile) -> Res<()> {
    let (bursts, len) = bursts_of(src);
    let walk = Walk::of(em, gm, bursts, len);
    let esz = src.esz();
    let bytes = em.mul(walk.len, esz);
    let between = walk.gap(em);
    let gm_gap = em.mul(between, esz);
    let left = em.sub(src.pitch(), walk.len);
    let left = em.mul(left, esz);
    let ub_gap = em.div(left, 32);
    walk.each(em, &mut |em, at, before| {
        let to = gm_at(em, gm, at);
        let down = em.mul(before, src.pitch());
        let from = em.ptr_at(src, down);
        padded(em, Way::Out, esz, from, to, Sc::Const(0), [walk.bursts, bytes, gm_gap, ub_gap]);
    });
    Ok(())
}

fn store_rows_of_l1(em: &mut Em<'_>, call: &Call, gm: &Gm, src: &Tile) -> Res<()> {
    let (bursts, len) = bursts_of(src);
    let walk = Walk::of(em, gm, bursts, len);
    let esz = src.esz();
    whole_blocks(em, call, &walk, src.pitch(), esz)?;
    let (blocks, gm_gap, l1_gap) = block_fields(em, &walk, src.pitch(), esz);
    walk.each(em, &mut |em, at, before| {
        let to = gm_at(em, gm, at);
        let down = em.mul(before, src.pitch());
        let from = em.ptr_at(src, down);
        transfer(em, "pto.copy_cbuf_to_gm", from, to, &out_of_l1([walk.bursts, blocks, gm_gap, l1_gap]));
    });
    Ok(())
}
