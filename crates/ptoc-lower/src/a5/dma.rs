//! TLOAD and TSTORE: bursts between global memory and UB or L1, rows to fractals, and the accumulator through the fix pipe.
//!
//! A global tensor has five dimensions; the inner two are the matrix. Outer ones that follow each other without a gap are
//! joined; the last one left becomes a hardware loop, others a loop in the program.

use super::fixpipe::{self, Drain, Shape};
use crate::pad::pad_bits;
use crate::{Call, Em, Gm, GmLayout, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{Layout, Loc, PadValue};

pub(super) const OPS: &[(&str, LowerFn)] =
    &[("pto.tload", load), ("pto.tstore", store), ("pto.tstore.fp", |em, c| store_from(em, c, "mem"))];

/// Bytes for elements of a type; packed fp4 counts nibbles.
fn bytes(em: &mut Em<'_>, gm: &Gm, n: Sc) -> Sc {
    if gm.dtype.is_fp4() { em.ceil_div(n, 2) } else { em.mul(n, gm.dtype.bytes()) }
}

/// The known one of two sizes that must be equal.
fn known(a: Sc, b: Sc) -> Sc {
    if a.known().is_some() { a } else { b }
}

/// Whether the matrix of a view lies in rows, columns or fractals. Strides decide where the view does not say; where both
/// would do, the tile's layout does.
fn layout(gm: &Gm, tile: &Tile) -> Option<Layout> {
    let unboxed = matches!(gm.layout, GmLayout::Nd | GmLayout::Dn) && !tile.layout().is_boxed();
    if unboxed && (0..5).all(|d| gm.extent(d).is(1)) {
        // One element is a row and a column.
        return Some(tile.layout());
    }
    match gm.layout {
        GmLayout::Dn => return Some(Layout::Dn),
        GmLayout::Nz => return Some(Layout::Nz),
        GmLayout::Other => return None,
        GmLayout::Nd => {}
    }
    let (rows, cols) = (gm.stride(3).is(1), gm.stride(4).is(1));
    match (rows, cols) {
        (true, true) if tile.layout() == Layout::Dn => Some(Layout::Dn),
        (true, false) => Some(Layout::Dn),
        (_, true) => Some(Layout::Nd),
        (false, false) => None,
    }
}

/// One dimension outside the matrix: how often, and steps in bytes.
#[derive(Clone, Copy)]
struct Outer {
    count: Sc,
    gm: Sc,
    tile: Sc,
}

/// A matrix as bursts. Sizes and strides in bytes.
struct Bursts {
    count: Sc,
    length: Sc,
    gm: Sc,
    tile: Sc,
    outer: Vec<Outer>,
}

/// The bursts of a matrix, one for each row or column.
fn bursts(em: &mut Em<'_>, gm: &Gm, tile: &Tile, layout: Layout) -> Bursts {
    let run = if layout == Layout::Dn { 4 } else { 3 };
    let outer: [Sc; 3] = [gm.extent(0), gm.extent(1), gm.extent(2)];
    let single = outer.iter().all(|n| n.is(1));
    let (rows, cols) = if layout == Layout::Dn { (tile.cols, tile.rows) } else { (tile.rows, tile.cols) };
    // The valid region is what is moved; that the window of the view is as large is checked where both are known.
    let (length, count) = (cols, if single { rows } else { gm.extent(run) });
    let pitch = if tile.dtype().is_fp4() { tile.pitch() / 2 } else { tile.pitch() * tile.esz() };
    let mut out = Bursts {
        count,
        length: bytes(em, gm, length),
        gm: bytes(em, gm, gm.stride(run)),
        tile: Sc::from(pitch),
        outer: Vec::new(),
    };
    // From the inside out: a run of the tile follows the runs before it.
    let mut step = em.mul(count, pitch);
    for d in (0..3).rev() {
        let n = gm.extent(d);
        if n.is(1) {
            continue;
        }
        let stride = bytes(em, gm, gm.stride(d));
        let (inner_count, inner_gm) = match out.outer.last() {
            Some(o) => (o.count, o.gm),
            None => (out.count, out.gm),
        };
        let follows = em.mul(inner_count, inner_gm);
        if follows == stride && follows.known().is_some() {
            match out.outer.last_mut() {
                Some(o) => o.count = em.mul(o.count, n),
                None => out.count = em.mul(out.count, n),
            }
        } else {
            out.outer.push(Outer { count: n, gm: stride, tile: step });
        }
        step = em.mul(step, n);
    }
    out
}

/// Setting up a hardware loop takes as many instructions as this many transfers.
const LOOP_COST: i64 = 4;

impl Bursts {
    /// The dimension that the hardware loop takes: the innermost one, unless its few transfers are cheaper one by one.
    fn looped(&self) -> Option<&Outer> {
        self.outer.first().filter(|o| o.count.known().is_none_or(|n| n > LOOP_COST))
    }

    /// Runs `body` for every outer index, without the dimension that is left to the hardware loop. `body` gets the byte
    /// offsets in global memory and in the tile.
    fn each(&self, em: &mut Em<'_>, body: &mut dyn FnMut(&mut Em<'_>, Sc, Sc)) {
        let first = usize::from(self.looped().is_some());
        nest(em, self.outer.get(first..).unwrap_or(&[]), Sc::Const(0), Sc::Const(0), body);
    }

    /// Runs `body` for every outer index: for transfers without a hardware loop.
    fn each_alone(&self, em: &mut Em<'_>, body: &mut dyn FnMut(&mut Em<'_>, Sc, Sc)) {
        nest(em, &self.outer, Sc::Const(0), Sc::Const(0), body);
    }

    /// Count, steps in global memory and in the tile of the hardware loop; all empty without one.
    fn hardware_loop(&self, em: &mut Em<'_>) -> [Vec<ValueId>; 3] {
        let of = |em: &mut Em<'_>, s: fn(&Outer) -> Sc| self.looped().map(|o| em.i64(s(o))).into_iter().collect();
        [of(em, |o| o.count), of(em, |o| o.gm), of(em, |o| o.tile)]
    }
}

fn nest(em: &mut Em<'_>, outer: &[Outer], gm: Sc, tile: Sc, body: &mut dyn FnMut(&mut Em<'_>, Sc, Sc)) {
    let Some((o, rest)) = outer.split_last() else { return body(em, gm, tile) };
    em.for_loop(o.count, |em, i| {
        let (a, b) = (em.mul(i, o.gm), em.mul(i, o.tile));
        let (a, b) = (em.add(gm, a), em.add(tile, b));
        nest(em, rest, a, b, body);
    });
}

/// A pointer moved by bytes that are whole elements.
fn advance(em: &mut Em<'_>, gm: &Gm, by: Sc) -> ValueId {
    let elements = em.div(by, gm.dtype.bytes());
    let offset = em.add(gm.offset, elements);
    em.gm_ptr(&Gm { offset, ..gm.clone() })
}

fn tile_at(em: &mut Em<'_>, tile: &Tile, by: Sc) -> ValueId {
    let elements = em.div(by, tile.esz());
    em.ptr_at(tile, elements)
}

/// The pad as a value of the element type, when the tile has one.
fn pad(em: &mut Em<'_>, call: &Call, tile: &Tile) -> Res<Option<ValueId>> {
    if tile.ty.pad == PadValue::Null {
        return Ok(None);
    }
    let Some(bits) = pad_bits(tile.dtype(), tile.ty.pad) else {
        return Err(call.unsupported(em, format!("the pad {:?} has no bit pattern in {}", tile.ty.pad, tile.dtype())));
    };
    let ty = super::vec::scalar_type(em, tile.ty.elem);
    Ok(Some(match tile.esz() {
        4 if tile.dtype().is_float() => em.float_bits(u64::from(bits), ty),
        2 if tile.dtype().is_float() => em.float_bits(u64::from(bits), ty),
        4 => em.int(i64::from(bits as i32), builtin::I32),
        2 => em.int(i64::from(bits as u16 as i16), builtin::I16),
        _ => em.int(i64::from(bits as u8 as i8), builtin::I8),
    }))
}

fn load(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (gm, dst) = (call.gm(em, "src")?, call.tile(em, "dst")?);
    for operand in ["pad_value", "left_padding_num", "right_padding_num", "init_condition"] {
        if call.value(em, operand).is_some() {
            return Err(call.unsupported(em, format!("operand `{operand}`; padding follows from the pad of dst")));
        }
    }
    if gm.dtype.bytes() != dst.dtype().bytes() {
        return Err(call.unsupported(em, "the element sizes differ"));
    }
    let Some(from) = layout(&gm, &dst) else {
        return Err(call.unsupported(em, "neither rows nor columns of the view have stride 1"));
    };
    match (dst.loc(), from, dst.layout()) {
        (Loc::Vec, a, b) if a == b && a != Layout::Nz => load_runs(em, call, &gm, &dst, a),
        (Loc::Vec | Loc::Mat, Layout::Nz, Layout::Nz) => load_fractals(em, call, &gm, &dst),
        (Loc::Mat, Layout::Nd, Layout::Nz) => to_fractals(em, call, &gm, &dst, "nd2nz", [3, 4]),
        (Loc::Mat, Layout::Dn, Layout::Nz) => to_fractals(em, call, &gm, &dst, "dn2nz", [3, 4]),
        // Columns are the rows of the transposed matrix, and ZN is its NZ.
        (Loc::Mat, Layout::Dn, Layout::Zn) => to_fractals(em, call, &gm, &dst, "nd2nz", [4, 3]),
        (Loc::Mat, a, b) if a == b => load_l1_runs(em, call, &gm, &dst, a),
        (to, a, b) => Err(call.unsupported(em, format!("from {a} in global memory to {b} in {to}"))),
    }
}

fn load_runs(em: &mut Em<'_>, call: &Call, gm: &Gm, dst: &Tile, layout: Layout) -> Res<()> {
    let pad = pad(em, call, dst)?;
    let b = bursts(em, gm, dst, layout);
    copy_in(em, gm, dst, &b, pad);
    Ok(())
}

fn copy_in(em: &mut Em<'_>, gm: &Gm, dst: &Tile, b: &Bursts, pad: Option<ValueId>) {
    b.each(em, &mut |em, g, t| {
        let (from, to) = (advance(em, gm, g), tile_at(em, dst, t));
        let zero = em.i64(0);
        let (len, n) = (em.i64(b.length), em.i64(b.count));
        let (from_step, to_step) = (em.i64(b.gm), em.i64(b.tile));
        let [count, outer_from, outer_to] = b.hardware_loop(em);
        em.build("pto.mte_gm_ub")
            .args(&[from, to, zero, len, n, from_step, to_step])
            .many(&count)
            .many(&outer_from)
            .many(&outer_to)
            .opt(pad)
            .opt(None)
            .opt(None)
            .done();
    });
}

/// Fractals as they are: one burst for each column group.
fn fractal_bursts(em: &mut Em<'_>, call: &Call, gm: &Gm, tile: &Tile) -> Res<Bursts> {
    let group = if tile.dtype().is_fp4() { 64 } else { tile.c0() };
    if !(gm.extent(3).is(16) && gm.extent(4).is(group)) {
        return Err(call.unsupported(em, format!("fractals of the view are not 16 rows of {group}")));
    }
    let stripe = em.stripe(tile);
    let group_bytes = em.mul(stripe, 32);
    let rows = em.mul(gm.extent(2), 16);
    let outer = Outer { count: gm.extent(0), gm: bytes(em, gm, gm.stride(0)), tile: em.mul(gm.extent(1), group_bytes) };
    Ok(Bursts {
        count: gm.extent(1),
        length: em.mul(rows, 32),
        gm: bytes(em, gm, gm.stride(1)),
        tile: group_bytes,
        outer: if outer.count.is(1) { Vec::new() } else { vec![outer] },
    })
}

fn load_fractals(em: &mut Em<'_>, call: &Call, gm: &Gm, dst: &Tile) -> Res<()> {
    let b = fractal_bursts(em, call, gm, dst)?;
    if dst.loc() == Loc::Mat {
        copy_to_l1(em, gm, dst, &b);
        return Ok(());
    }
    let pad = pad(em, call, dst)?;
    copy_in(em, gm, dst, &b, pad);
    Ok(())
}

fn load_l1_runs(em: &mut Em<'_>, _call: &Call, gm: &Gm, dst: &Tile, layout: Layout) -> Res<()> {
    let b = bursts(em, gm, dst, layout);
    copy_to_l1(em, gm, dst, &b);
    Ok(())
}

/// Bursts of bytes to L1; the rest of the last block of a burst becomes zero.
fn copy_to_l1(em: &mut Em<'_>, gm: &Gm, dst: &Tile, b: &Bursts) {
    b.each_alone(em, &mut |em, g, t| {
        let (from, to) = (advance(em, gm, g), tile_at(em, dst, t));
        let zero = em.i64(0);
        let up = em.align(b.length, 32);
        let rest = em.sub(up, b.length);
        let rest = em.div(rest, dst.esz());
        let (len, n, right) = (em.i64(b.length), em.i64(b.count), em.i64(rest));
        let (from_step, to_step) = (em.i64(b.gm), em.i64(b.tile));
        let yes = em.bool(true);
        em.emit("pto.copy_gm_to_cbuf_align_v2", &[from, to, zero, n, len, zero, right, yes, zero, from_step, to_step]);
    });
}

/// Rows or columns of one matrix to fractals. `axes` are the dimensions of the view that become rows and columns.
fn to_fractals(em: &mut Em<'_>, call: &Call, gm: &Gm, dst: &Tile, mode: &'static str, axes: [usize; 2]) -> Res<()> {
    if !(0..3).all(|d| gm.extent(d).is(1)) {
        return Err(call.unsupported(em, "more than one matrix becomes fractals"));
    }
    if dst.ty.fractal != 512 {
        return Err(call.unsupported(em, "fractals of the destination are not 512 bytes"));
    }
    let transposed = dst.layout() == Layout::Zn;
    let (rows, cols) = if transposed { (dst.cols, dst.rows) } else { (dst.rows, dst.cols) };
    let (n, d) = (rows, cols);
    // The values of a row (packed fp4: the bytes), and the step from row to row (columns: from column to column).
    let d = if gm.dtype.is_fp4() { em.ceil_div(d, 2) } else { d };
    let step_axis = if gm.stride(axes[1]).is(1) { axes[0] } else { axes[1] };
    let step = bytes(em, gm, gm.stride(step_axis));
    let stripe = if transposed { Sc::from(dst.buffer_cols) } else { em.stripe(dst) };
    let (from, to) = (em.gm_ptr(gm), em.ptr(dst));
    let (n, d, step) = (em.i64(n), em.i64(d), em.i64(step));
    let (one, zero, stripe, no) = (em.i64(1), em.i64(0), em.i64(stripe), em.bool(false));
    em.build("pto.mte_gm_l1_frac")
        .args(&[from, to, n, d, step, one, one, stripe, zero, zero, no])
        .opt(None)
        .word("mode", mode)
        .done();
    Ok(())
}

// ---- stores ----

fn store(em: &mut Em<'_>, call: &Call) -> Res<()> {
    store_from(em, call, "dst")
}

/// The registers that make stores add, and the type they add in.
fn atomic(em: &Em<'_>, call: &Call, gm: &Gm) -> Res<Option<&'static str>> {
    use ptoc_target::DType::*;
    if call.word(em, "atomicType").is_none_or(|w| w == "atomic_none") {
        return Ok(None);
    }
    Ok(Some(match gm.dtype {
        F32 => "pto.set_atomic_f32",
        F16 => "pto.set_atomic_f16",
        BF16 => "pto.set_atomic_bf16",
        I32 => "pto.set_atomic_s32",
        I16 => "pto.set_atomic_s16",
        I8 => "pto.set_atomic_s8",
        d => return Err(call.unsupported(em, format!("an atomic store of {d}"))),
    }))
}

fn store_from(em: &mut Em<'_>, call: &Call, operand: &str) -> Res<()> {
    let (src, gm) = (call.tile(em, "src")?, call.gm(em, operand)?);
    let Some(to) = layout(&gm, &src) else {
        return Err(call.unsupported(em, "neither rows nor columns of the view have stride 1"));
    };
    let add = atomic(em, call, &gm)?;
    if let Some(add) = add {
        em.emit(add, &[]);
        em.emit("pto.set_atomic_add", &[]);
    }
    match (src.loc(), src.layout(), to) {
        (Loc::Vec, a, b) if a == b => store_runs(em, call, &src, &gm, a)?,
        (Loc::Acc, Layout::Nz, Layout::Nd | Layout::Dn | Layout::Nz) => drain(em, call, &src, &gm, to)?,
        (from, a, b) => {
            return Err(call.unsupported(em, format!("from {a} in {from} to {b} in global memory")));
        }
    }
    if add.is_some() {
        em.emit("pto.set_atomic_none", &[]);
    }
    Ok(())
}

fn store_runs(em: &mut Em<'_>, call: &Call, src: &Tile, gm: &Gm, layout: Layout) -> Res<()> {
    if gm.dtype.bytes() != src.dtype().bytes() {
        return Err(call.unsupported(em, "the element sizes differ"));
    }
    let b = match layout {
        Layout::Nd | Layout::Dn => bursts(em, gm, src, layout),
        Layout::Nz => fractal_bursts(em, call, gm, src)?,
        l => return Err(call.unsupported(em, format!("layout {l}"))),
    };
    b.each(em, &mut |em, g, t| {
        let (from, to) = (tile_at(em, src, t), advance(em, gm, g));
        let (len, n) = (em.i64(b.length), em.i64(b.count));
        let (from_step, to_step) = (em.i64(b.tile), em.i64(b.gm));
        let [count, outer_to, outer_from] = b.hardware_loop(em);
        em.build("pto.mte_ub_gm")
            .args(&[from, to, len, n, from_step, to_step])
            .opt(None)
            .many(&count)
            .many(&outer_from)
            .many(&outer_to)
            .done();
    });
    Ok(())
}

/// From the accumulator to one matrix in global memory.
fn drain(em: &mut Em<'_>, call: &Call, src: &Tile, gm: &Gm, to: Layout) -> Res<()> {
    let nz = to == Layout::Nz;
    let single = if nz { gm.extent(0).is(1) } else { (0..3).all(|d| gm.extent(d).is(1)) };
    if !single {
        return Err(call.unsupported(em, "more than one matrix leaves the accumulator"));
    }
    let scale = fixpipe::scale(em, call, 0.into())?;
    let quant = fixpipe::mode(em, call, src.dtype(), gm.dtype, &scale, true)?;
    let (shape, n, m, dst_stride) = match to {
        Layout::Nd => (Shape::Nd, src.cols, src.rows, gm.stride(3)),
        Layout::Dn => (Shape::Dn, src.cols, src.rows, gm.stride(4)),
        _ => {
            let group = match gm.extent(4).known() {
                Some(n @ (8 | 16)) if gm.dtype.bytes() == 4 => n,
                Some(16) if gm.dtype.bytes() == 2 => 16,
                Some(32) if gm.dtype.bytes() == 1 => 32,
                _ => return Err(call.unsupported(em, "the fractals of the view do not fit the element type")),
            };
            let n = em.mul(gm.extent(1), group);
            let m = em.mul(gm.extent(2), gm.extent(3));
            (Shape::Nz { split: group == 8 }, n, known(m, src.rows), gm.stride(1))
        }
    };
    let d = Drain {
        shape,
        n,
        m,
        dst_stride,
        src_stride: em.stripe(src),
        quant,
        scale,
        relu: i64::from(call.code(em, "reluPreMode")),
        unit_flag: i64::from(call.code(em, "stPhase")),
        dual: 0,
        core: 0,
    };
    let (from, to) = (em.ptr(src), em.gm_ptr(gm));
    fixpipe::set_scale(em, call, &d.scale, gm.dtype)?;
    d.set_loops(em);
    d.copy(em, "pto.copy_matrix_cc_to_gm", from, to);
    Ok(())
}
