//! The cube: products, and the moves that bring its operands from L1.

use super::fixpipe;
use crate::sc::field;
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{AttrData, ValueId, builtin};
use ptoc_target::{Compact, DType, Layout, Loc};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.tmatmul", |em, c| product(em, c, "pto.mad", "lhs", "rhs")),
    ("pto.tmatmul.acc", accumulate),
    ("pto.tmatmul.bias", |em, c| product(em, c, "pto.mad_bias", "a", "b")),
];

/// Greatest size of one dimension of a product.
const MAX_SIZE: i64 = 4095;

fn accumulate(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (input, dst) = (call.tile(em, "acc_in")?, call.tile(em, "dst")?);
    if input.base != dst.base || input.offset != dst.offset {
        return Err(call.unsupported(em, "the accumulator that is added to is not the destination"));
    }
    product(em, call, "pto.mad_acc", "lhs", "rhs")
}

fn product(em: &mut Em<'_>, call: &Call, name: &'static str, lhs: &str, rhs: &str) -> Res<()> {
    use DType::{BF16, F16, F32, I8, I32};
    let (a, b, c) = (call.tile(em, lhs)?, call.tile(em, rhs)?, call.tile(em, "dst")?);
    match (a.dtype(), b.dtype(), c.dtype()) {
        (F16, F16, F32) | (BF16, BF16, F32) | (F32, F32, F32) | (I8, I8, I32) => {}
        (x, y, z) => return Err(call.unsupported(em, format!("{x} times {y} in {z}"))),
    }
    // One row would switch to the vector mode, which reads the left operand as a plain row.
    let m = if a.rows.is(1) { Sc::Const(16) } else { widen(em, a.rows) };
    // The cube packs the accumulator to the rows of the product; a plain tile has stripes of its static rows.
    let stripes = c.ty.compact == Compact::Null && c.cols.known().is_none_or(|n| n > 16);
    let m = if stripes && !em.align(m, 16).is(c.ty.rows as i64) { Sc::from(c.ty.rows) } else { m };
    let (k, n) = (a.cols, b.cols);
    let mut args = vec![em.ptr(&a), em.ptr(&b), em.ptr(&c)];
    if name == "pto.mad_bias" {
        let bias = call.tile(em, "bias")?;
        args.push(em.ptr(&bias));
    }
    for (what, size) in [("rows", m), ("columns", n), ("inner size", k)] {
        if let Sc::Const(s) = size
            && !(1..=MAX_SIZE).contains(&s)
        {
            em.fault(format!("the {what} of a product are {s}, the field takes 1 to {MAX_SIZE}"));
        }
        args.push(em.i64(size));
    }
    let phase = call.code(em, "accPhase");
    let build = em.build(name).args(&args);
    match phase {
        2 => build.word("unit_flag_mode", "check_only").done(),
        3 => build.word("unit_flag_mode", "check_and_set").done(),
        _ => build.done(),
    };
    Ok(())
}

/// Run-time rows that may be 1 become 16.
fn widen(em: &mut Em<'_>, rows: Sc) -> Sc {
    match rows {
        Sc::Const(_) => rows,
        r => {
            let one = em.eq(r, 1);
            em.choose(one, 16, r)
        }
    }
}

/// A tile in L1 (from element (row, col) on) to an operand of the cube.
pub(super) fn to_operand(em: &mut Em<'_>, call: &Call, row: Sc, col: Sc) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    if src.dtype().bytes() != dst.dtype().bytes() || !matches!(dst.esz(), 1 | 2 | 4) {
        return Err(call.unsupported(em, "the cube takes elements of 1, 2 or 4 bytes, the same on both sides"));
    }
    let m = Move { src, dst, row, col };
    match (dst.loc(), src.layout()) {
        (Loc::Left, _) if src.ty.rows == 1 && src.layout() == Layout::Nd => m.vector(em, call),
        (Loc::Left, Layout::Nz) => m.windows(em, call, false),
        (Loc::Left, Layout::Zn) if dst.esz() > 1 => m.windows(em, call, true),
        (Loc::Left, Layout::Zn) => m.transposed_left(em, call),
        (Loc::Right, Layout::Zn) => m.fractals(em, call),
        (Loc::Right, Layout::Nz) if dst.esz() > 1 => m.windows(em, call, false),
        (Loc::Right, Layout::Nz) => m.transposed_right(em, call),
        (loc, layout) => Err(call.unsupported(em, format!("{layout} in L1 to {loc}"))),
    }
}

struct Move {
    src: Tile,
    dst: Tile,
    row: Sc,
    col: Sc,
}

impl Move {
    /// Rows and columns that are moved: the static ones when all are valid, otherwise the valid ones rounded up to `rows` and
    /// `cols`, because a product reads its operands packed to its own sizes (machine description, 3a).
    fn size(&self, em: &mut Em<'_>, rows: i64, cols: i64) -> (Sc, Sc) {
        let d = &self.dst;
        let full = d.rows.is(d.ty.rows as i64) && d.cols.is(d.ty.cols as i64);
        if full && d.ty.compact == Compact::Null {
            return (d.ty.rows.into(), d.ty.cols.into());
        }
        (em.align(d.rows, rows), em.align(d.cols, cols))
    }

    fn aligned(&self, em: &Em<'_>, call: &Call, row: i64, col: i64) -> Res<()> {
        for (what, at, unit) in [("row", self.row, row), ("column", self.col, col)] {
            if let Sc::Const(n) = at
                && n % unit != 0
            {
                return Err(call.unsupported(em, format!("{what} {n} does not start a fractal ({unit} {what}s)")));
            }
        }
        Ok(())
    }

    /// The feature map load as a mover: a map of one row whose width is the rows of the tile in L1, each pixel with the
    /// tile's columns as channels, and a window of one pixel.
    fn windows(&self, em: &mut Em<'_>, call: &Call, transpose: bool) -> Res<()> {
        let (src, dst) = (&self.src, &self.dst);
        let c0 = dst.c0();
        let left = dst.loc() == Loc::Left;
        let (rows, cols) = match (left, transpose) {
            (true, false) => self.size(em, 16, c0),
            _ => self.size(em, 16, 16),
        };
        match (left, transpose) {
            (true, false) => self.aligned(em, call, 16, c0)?,
            _ => self.aligned(em, call, 16, 16)?,
        }
        let (width, channels) = match transpose {
            true => (src.buffer_cols, src.buffer_rows),
            false => (src.buffer_rows, src.buffer_cols),
        };
        let map = em.pack(&[field("the width of the map", width, 0, 16), field("the height of the map", 1, 16, 16)]);
        em.emit(if left { "pto.set_fmatrix" } else { "pto.set_fmatrix_b" }, &[map]);
        // Halfwords move as f16, whatever they are.
        let elem = if dst.esz() == 2 { builtin::F16 } else { dst.ty.elem };
        let (from, to) = (em.ptr_as(src, elem, 0), em.ptr_as(dst, elem, 0));
        let (step_k, step_m, at_k, at_m) = match transpose {
            true => (rows, cols, self.row, self.col),
            false => (cols, rows, self.col, self.row),
        };
        let one = Sc::Const(1);
        let numbers = [step_k, step_m, at_k, at_m, one, one, one, one, one, one, channels.into()];
        let mut args = vec![from, to];
        for n in numbers {
            args.push(em.i64(n));
        }
        let flag = |em: &mut Em<'_>, b: bool| em.ir.ctx.attr(AttrData::Bool(b));
        let (transpose, map_b) = (flag(em, transpose), flag(em, !left));
        let name = if left { "pto.img2colv2_cbuf_to_ca" } else { "pto.img2colv2_cbuf_to_cb" };
        em.build(name).args(&args).attr("transpose", transpose).attr("fmatrix_b", map_b).done();
        Ok(())
    }

    /// A row of elements to the left operand of a vector product, in units of 512 bytes.
    fn vector(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        let unit = 512 / self.dst.esz();
        self.aligned(em, call, 1, unit)?;
        let repeat = em.ceil_div(self.dst.cols, unit);
        let first = em.div(self.col, unit);
        let (from, to) = (em.ptr(&self.src), em.ptr(&self.dst));
        load_2d(em, "pto.load_cbuf_to_ca_2d", from, to, [first, repeat, Sc::Const(1), Sc::Const(0)]);
        Ok(())
    }

    /// Fractals as they are. They lie row after row of fractals on both sides, so a whole tile is one run.
    fn fractals(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        let (src, dst) = (&self.src, &self.dst);
        let c0 = dst.c0();
        self.aligned(em, call, c0, 16)?;
        let (rows, cols) = self.size(em, c0, 16);
        let (down, across) = (em.div(rows, c0), em.div(cols, 16));
        let wide = src.buffer_cols as i64 / 16;
        let above = em.div(self.row, c0);
        let above = em.mul(above, wide);
        let beside = em.div(self.col, 16);
        let first = em.add(above, beside);
        let (from, to) = (em.ptr(src), em.ptr(dst));
        let fractal = 16 * c0;
        let name = "pto.load_cbuf_to_cb_2d";
        if across.is(wide) {
            let total = em.mul(down, wide);
            let runs = em.ceil_div(total, 255);
            em.for_loop(runs, |em, i| {
                let done = em.mul(i, 255);
                let left = em.sub(total, done);
                let repeat = em.min(left, 255);
                let start = em.add(first, done);
                let at = em.mul(done, fractal);
                let to = em.ptr_at(dst, at);
                load_2d(em, name, from, to, [start, repeat, Sc::Const(1), Sc::Const(0)]);
            });
            return Ok(());
        }
        let by_column = matches!((down, across), (Sc::Const(d), Sc::Const(a)) if d >= a && d <= 255);
        if by_column {
            let gap = em.sub(across, 1);
            em.for_loop(across, |em, i| {
                let start = em.add(first, i);
                let at = em.mul(i, fractal);
                let to = em.ptr_at(dst, at);
                load_2d(em, name, from, to, [start, down, Sc::Const(wide), gap]);
            });
        } else {
            em.for_loop(down, |em, i| {
                let skip = em.mul(i, wide);
                let start = em.add(first, skip);
                let along = em.mul(across, fractal);
                let at = em.mul(i, along);
                let to = em.ptr_at(dst, at);
                load_2d(em, name, from, to, [start, across, Sc::Const(1), Sc::Const(0)]);
            });
        }
        let _ = to;
        Ok(())
    }

    /// Bytes, transposed in pairs of fractals (32 x 32) on the way to the left operand.
    fn transposed_left(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        self.aligned(em, call, 32, 32)?;
        let (rows, cols) = self.size(em, 32, 32);
        let (down, across) = (em.div(rows, 32), em.div(cols, 32));
        let wide = self.src.buffer_cols as i64 / 32;
        let above = em.div(self.row, 32);
        let above = em.mul(above, wide);
        let beside = em.div(self.col, 32);
        let first = em.add(above, beside);
        let from = em.ptr(&self.src);
        let frac_gap = em.sub(across, 1);
        let dst = self.dst;
        if matches!((down, across), (Sc::Const(d), Sc::Const(a)) if d >= a) {
            let twice = em.mul(across, 2);
            let gap = em.sub(twice, 1);
            em.for_loop(across, |em, i| {
                let start = em.add(first, i);
                let at = em.mul(i, 512);
                let to = em.ptr_at(&dst, at);
                let fields = [start, down, Sc::Const(wide), gap, frac_gap];
                load_transposed(em, "pto.load_cbuf_to_ca_transpose", from, to, fields);
            });
        } else {
            em.for_loop(down, |em, i| {
                let skip = em.mul(i, wide);
                let start = em.add(first, skip);
                let row = em.mul(across, 1024);
                let at = em.mul(i, row);
                let to = em.ptr_at(&dst, at);
                let fields = [start, across, Sc::Const(1), Sc::Const(0), frac_gap];
                load_transposed(em, "pto.load_cbuf_to_ca_transpose", from, to, fields);
            });
        }
        Ok(())
    }

    /// Bytes, transposed in pairs of fractals on the way to the right operand.
    fn transposed_right(&self, em: &mut Em<'_>, call: &Call) -> Res<()> {
        self.aligned(em, call, 32, 32)?;
        let tall = self.src.buffer_rows as i64 / 32;
        let above = em.div(self.row, 32);
        let beside = em.div(self.col, 32);
        let beside = em.mul(beside, tall);
        let first = em.add(above, beside);
        let (down, across) = (em.ceil_div(self.dst.rows, 32), em.ceil_div(self.dst.cols, 32));
        let fractals = em.ceil_div(self.dst.cols, 16);
        let from = em.ptr(&self.src);
        let dst = self.dst;
        em.for_loop(down, |em, i| {
            let start = em.add(first, i);
            let row = em.mul(fractals, 512);
            let at = em.mul(i, row);
            let to = em.ptr_at(&dst, at);
            let fields = [start, across, Sc::Const(tall), Sc::Const(1), Sc::Const(0)];
            load_transposed(em, "pto.load_cbuf_to_cb_transpose", from, to, fields);
        });
        Ok(())
    }
}

/// First fractal, repeats, stride of the source and gap of the destination, in fractals.
fn load_2d(em: &mut Em<'_>, name: &'static str, from: ValueId, to: ValueId, [first, repeat, stride, gap]: [Sc; 4]) {
    let mut args = vec![from, to];
    for n in [first, repeat, stride, gap, Sc::Const(0)] {
        args.push(em.i64(n));
    }
    em.build(name).args(&args).done();
}

/// As [`load_2d`], with the gap between the two halves of a step.
fn load_transposed(em: &mut Em<'_>, name: &'static str, from: ValueId, to: ValueId, fields: [Sc; 5]) {
    let mut args = vec![from, to];
    for n in fields {
        args.push(em.i64(n));
    }
    em.build(name).args(&args).done();
}

/// A row of biases to the bias table (f16 widened to f32), or of scales to the fix pipe's buffer.
pub(super) fn to_table(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let bytes = src.ty.cols as i64 * src.esz();
    let (from, to) = (em.ptr(&src), em.ptr(&dst));
    let unit = if dst.loc() == Loc::Bias { 64 } else { 128 };
    if src.ty.rows != 1 || bytes % unit != 0 {
        let what = format!("{} rows of {bytes} bytes: it takes one row, in units of {unit} bytes", src.ty.rows);
        return Err(call.unsupported(em, what));
    }
    let len = Sc::Const(bytes / unit);
    let (one, zero) = (em.i64(1), em.i64(0));
    let len = em.i64(len);
    if dst.loc() == Loc::Bias {
        let widen = match (src.dtype(), dst.dtype()) {
            (DType::F16, DType::F32) => true,
            (a, b) if a == b && a.bytes() == 4 => false,
            (a, b) => return Err(call.unsupported(em, format!("{a} in L1 to {b} in the bias table"))),
        };
        let widen = em.bool(widen);
        em.emit("pto.copy_cbuf_to_bt", &[from, to, widen, one, len, zero, zero]);
    } else {
        em.emit("pto.copy_cbuf_to_fbuf", &[from, to, one, len, zero, zero]);
    }
    Ok(())
}

/// `tmov`: by where the tiles live.
pub(super) fn whole(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let origin = Sc::Const(0);
    match (src.loc(), dst.loc()) {
        (Loc::Mat, Loc::Left | Loc::Right) => to_operand(em, call, origin, origin),
        (Loc::Mat, Loc::Bias | Loc::Scaling) => to_table(em, call),
        (Loc::Acc, Loc::Mat) => fixpipe::insert(em, call, origin, origin),
        (Loc::Vec, Loc::Vec) => super::window::whole(em, call, &src, &dst),
        (a, b) => Err(call.unsupported(em, format!("{a} to {b}"))),
    }
}
