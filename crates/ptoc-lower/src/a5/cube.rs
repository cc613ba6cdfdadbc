//! L1 to L0A, L0B, the bias table and the fix pipe's buffer, and products.

use super::insert::{self, Window};
use super::vec::{Lanes, starts_on_a_block};
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{Compact, Layout, Loc};

pub(super) const OPS: &[(&str, LowerFn)] = &[
    ("pto.tmov", move_tile),
    ("pto.tmov.fp", move_tile),
    ("pto.textract", extract),
    ("pto.textract_fp", extract),
    ("pto.tmatmul", |em, c| product(em, c, ["lhs", "rhs"], "pto.mad")),
    ("pto.tmatmul.acc", |em, c| product(em, c, ["lhs", "rhs"], "pto.mad_acc")),
    ("pto.tmatmul.bias", |em, c| product(em, c, ["a", "b"], "pto.mad_bias")),
];

fn move_tile(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let window = Window::whole(src, dst);
    match (src.loc(), dst.loc()) {
        (Loc::Mat, Loc::Left | Loc::Right) => load(em, call, &src, &dst, 0.into(), 0.into()),
        (Loc::Mat, Loc::Bias) => parameters(em, call, &src, &dst, "pto.mte_l1_bt", 32),
        (Loc::Mat, Loc::Scaling) => parameters(em, call, &src, &dst, "pto.mte_l1_fb", 64),
        (Loc::Acc, Loc::Mat) => insert::to_mat(em, call, &window),
        (Loc::Acc, Loc::Vec) => insert::to_vec(em, call, &window),
        (Loc::Vec, Loc::Mat) => insert::blocks(em, call, &window, "pto.copy_ubuf_to_cbuf"),
        (Loc::Vec, Loc::Vec) => within(em, call, &src, &dst),
        (from, to) => Err(call.unsupported(em, format!("from {from} to {to}"))),
    }
}

fn extract(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let names = if call.name() == "textract_fp" { ["idxrow", "idxcol"] } else { ["indexRow", "indexCol"] };
    let (row, col) = (call.size(em, names[0])?, call.size(em, names[1])?);
    match (src.loc(), dst.loc()) {
        (Loc::Mat, Loc::Left | Loc::Right) => load(em, call, &src, &dst, row, col),
        // The window of the source with the valid size of the destination, moved to the start of the destination.
        (Loc::Acc, Loc::Mat | Loc::Vec) => {
            insert::at_group(em, call, &src, row, col)?;
            let dual = call.word(em, "accToVecMode").is_some_and(|w| w.starts_with("dual"));
            if dual && !(row.is(0) && col.is(0)) {
                return Err(call.unsupported(em, "both vector cores together take the whole source, not a window"));
            }
            let inside = em.offset_of(&src, row, col);
            let (rows, cols) = if dual { (src.rows, src.cols) } else { (dst.rows, dst.cols) };
            let part = Tile { offset: em.add(src.offset, inside), rows, cols, ..src };
            let window = Window { first_scale: col, ..Window::whole(part, dst) };
            if dst.loc() == Loc::Mat { insert::to_mat(em, call, &window) } else { insert::to_vec(em, call, &window) }
        }
        (Loc::Vec, to) if matches!(src.layout(), Layout::Nd | Layout::Nz) && matches!(to, Loc::Vec | Loc::Mat) => {
            if to == Loc::Mat || !(dst.rows.is(1) && dst.cols.is(1)) {
                insert::at_group(em, call, &src, row, col)?;
            }
            if src.dtype().is_fp4() && col.known().is_none_or(|n| n % 2 != 0) {
                return Err(call.unsupported(em, "packed fp4 at a column that is not known to be even"));
            }
            let inside = insert::element(em, &src, row, col);
            let part = Tile { offset: em.add(src.offset, inside), rows: dst.rows, cols: dst.cols, ..src };
            if to == Loc::Vec {
                return insert::within(em, call, &Window::whole(part, dst));
            }
            if src.layout() == Layout::Nd && !insert::is_on_a_block(&part) {
                return Err(call.unsupported(em, "a copy to Mat that does not start on a 32-byte block known now"));
            }
            insert::blocks(em, call, &Window::whole(part, dst), "pto.copy_ubuf_to_cbuf")
        }
        (from, to) => Err(call.unsupported(em, format!("from {from} to {to}"))),
    }
}

/// One row of parameters: a single burst, in units of 32 bytes for the bias table and 64 for the fix pipe's buffer.
fn parameters(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile, name: &'static str, unit: i64) -> Res<()> {
    if src.ty.rows != 1 || dst.ty.rows != 1 {
        return Err(call.unsupported(em, "parameters are one row"));
    }
    let bytes = dst.ty.cols as i64 * src.esz();
    let (from, to) = (em.ptr(src), em.ptr(dst));
    let (len, one, zero) = (em.i64(bytes / unit), em.i64(1), em.i64(0));
    em.emit(name, &[from, to, len, one, zero, zero]);
    Ok(())
}

/// Rows (or columns) that a cube operand is filled for: the static size, or what is valid when it is packed.
fn filled(t: &Tile, valid: Sc, fixed: u64) -> Sc {
    if t.ty.compact == Compact::Null { Sc::from(fixed) } else { valid }
}

/// L1 to L0A or L0B by steps of 512-byte boxes.
///
/// A box is 16 elements along `m` and 32 bytes along `k`. L0A is NZ: `m` are rows. L0B is ZN, which is NZ of the transposed
/// matrix: `m` are columns. A source in the other layout is transposed on the way.
fn load(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile, row: Sc, col: Sc) -> Res<()> {
    let left = dst.loc() == Loc::Left;
    let c0 = src.c0();
    if src.esz() != dst.esz() || src.dtype().is_fp4() || !matches!(src.esz(), 1 | 2 | 4) {
        return Err(call.unsupported(em, "the element types"));
    }
    let name = if left { "pto.mte_l1_l0a" } else { "pto.mte_l1_l0b" };
    if left && src.layout() == Layout::Nd && src.ty.rows == 1 && dst.ty.rows == 1 {
        // A row vector stays as it is: boxes of 512 bytes one after another.
        let elements = 512 / src.esz();
        let step = em.ceil_div(dst.ty.cols, elements);
        let start = em.div(col, elements);
        let steps = Steps { m: 0.into(), k: start, m_step: 1.into(), k_step: step, src: 1.into(), dst: 1.into() };
        let (from, to) = (em.ptr(src), em.ptr(dst));
        steps.emit(em, name, from, to, false);
        return Ok(());
    }
    let want = if left { Layout::Nz } else { Layout::Zn };
    if dst.layout() != want || dst.ty.rows == 1 {
        return Err(call.unsupported(em, format!("the destination is not {want} with whole fractals")));
    }
    let transpose = match (src.layout(), left) {
        (Layout::Nz, true) | (Layout::Zn, false) => false,
        (Layout::Zn, true) | (Layout::Nz, false) => true,
        (l, _) => return Err(call.unsupported(em, format!("the source is {l}"))),
    };
    let rows = filled(dst, dst.rows, dst.ty.rows);
    let cols = filled(dst, dst.cols, dst.ty.cols);
    // In the source, `m` runs along rows of NZ and columns of ZN.
    let nz = src.layout() == Layout::Nz;
    let ((m_at, m_size), (k_at, k_size)) = if nz { ((row, rows), (col, cols)) } else { ((col, cols), (row, rows)) };
    for (at, unit) in [(m_at, 16), (k_at, c0)] {
        if let Some(n) = at.known().filter(|n| n % unit != 0) {
            return Err(call.unsupported(em, format!("index {n} of src is no multiple of {unit}")));
        }
    }
    let stripe = if nz { em.stripe(src) } else { Sc::from(src.buffer_cols) };
    let across = if left { rows } else { cols };
    let steps = Steps {
        m: em.div(m_at, 16),
        k: em.div(k_at, c0),
        m_step: em.ceil_div(m_size, 16),
        k_step: em.ceil_div(k_size, c0),
        src: em.ceil_div(stripe, 16),
        dst: em.ceil_div(across, 16),
    };
    let (from, to) = (em.ptr(src), em.ptr(dst));
    if transpose && src.esz() == 1 {
        // Bytes are transposed 32 elements along `m` at a time.
        let pairs = em.ceil_div(steps.m_step, 2);
        let ty = em.ir.value_type(to);
        let group = em.mul(steps.dst, 512);
        em.for_loop(pairs, |em, i| {
            let first = em.mul(i, 2);
            let m = em.add(steps.m, first);
            let by = em.mul(i, group);
            let to = if by.is(0) {
                to
            } else {
                let o = em.index(by);
                em.emit1("pto.addptr", &[to, o], ty)
            };
            Steps { m, m_step: 2.into(), ..steps }.emit(em, name, from, to, true);
        });
        return Ok(());
    }
    steps.emit(em, name, from, to, transpose);
    Ok(())
}

/// Starts, counts and strides of a load, in boxes.
#[derive(Clone, Copy)]
struct Steps {
    m: Sc,
    k: Sc,
    m_step: Sc,
    k_step: Sc,
    src: Sc,
    dst: Sc,
}

impl Steps {
    fn emit(&self, em: &mut Em<'_>, name: &'static str, from: ValueId, to: ValueId, transpose: bool) {
        let fields = [self.m, self.k, self.m_step, self.k_step, self.src, self.dst].map(|s| em.i64(s));
        let transposed = em.ir.ctx.attr(ptoc_ir::AttrData::Bool(true));
        let mut build = em.build(name).args(&[from, to]).opt(None).opt(None).opt(None).opt(None).args(&fields);
        if transpose {
            build = build.attr("transpose", transposed);
        }
        build.done();
    }
}

/// Vec to Vec: a copy of the destination's valid region, or rows to column groups.
fn within(em: &mut Em<'_>, call: &Call, src: &Tile, dst: &Tile) -> Res<()> {
    if src.esz() != dst.esz() {
        return Err(call.unsupported(em, "the element sizes differ"));
    }
    let lanes = Lanes::need(em, call, src)?;
    match (src.layout(), dst.layout()) {
        (a, b) if a == b => {
            let plane = super::vec::Plane::of(em, call, [dst, src], &lanes)?;
            let (ps, pd) = (em.ptr(src), em.ptr_as(dst, src.ty.elem, 0));
            em.region("pto.vecscope", |em| {
                plane.each(em, &lanes, |em, mask, [d, s]| {
                    let x = lanes.load(em, ps, s);
                    lanes.store(em, x, pd, d, mask);
                });
            });
            Ok(())
        }
        (Layout::Nd, Layout::Nz) if dst.ty.fractal == 512 && !src.dtype().is_fp4() => {
            starts_on_a_block(em, call, src)?;
            let (ps, pd) = (em.ptr(src), em.ptr_as(dst, src.ty.elem, 0));
            let ptr = em.ir.value_type(pd);
            // A register holds eight blocks of a row; block `g` goes to column group `g`, a stripe further.
            let stripe = em.stripe(dst);
            let c0 = src.c0();
            em.region("pto.vecscope", |em| {
                lanes.steps(em, src.cols, |em, mask, at| {
                    let group = em.mul(at, stripe);
                    let (apart, zero) = (em.i16(stripe), em.int(0, builtin::I16));
                    em.for_loop(src.rows, |em, i| {
                        let from = em.mul(i, src.pitch());
                        let from = em.add(from, at);
                        let x = lanes.load(em, ps, from);
                        let to = em.mul(i, c0);
                        let to = em.add(group, to);
                        let to = if to.is(0) {
                            pd
                        } else {
                            let o = em.index(to);
                            em.emit1("pto.addptr", &[pd, o], ptr)
                        };
                        em.build("pto.vsstb").args(&[x, to, apart, zero, mask]).done();
                    });
                });
            });
            Ok(())
        }
        (a, b) => Err(call.unsupported(em, format!("from {a} to {b} inside Vec"))),
    }
}

/// Which sizes a product runs with.
///
/// The cube reads and writes packed: a stripe of L0A, L0B or L0C is as long as the product's own size rounded up to 16. A
/// plain tile is stored with stripes of its static size, so where the two differ (or may differ), the product runs over the
/// static size; what lies outside the valid region then is computed from whatever is there, and is not valid either.
fn packed_size(em: &mut Em<'_>, valid: Sc, plain: Option<u64>) -> Sc {
    match plain {
        Some(fixed) => {
            let up = em.align(valid, 16);
            if up.is(fixed as i64) { valid } else { Sc::from(fixed) }
        }
        None => valid,
    }
}

fn product(em: &mut Em<'_>, call: &Call, names: [&str; 2], name: &'static str) -> Res<()> {
    let (a, b, dst) = (call.tile(em, names[0])?, call.tile(em, names[1])?, call.tile(em, "dst")?);
    if a.layout() != Layout::Nz || b.layout() != Layout::Zn || dst.layout() != Layout::Nz {
        return Err(call.unsupported(em, "the operands are not Left NZ, Right ZN and Acc NZ"));
    }
    if a.ty.rows == 1 {
        return Err(call.unsupported(em, "a left operand of one row is read as a vector; use tgemv"));
    }
    let acc_in = if name == "pto.mad_acc" { Some(call.tile(em, "acc_in")?) } else { None };
    if let Some(c) = &acc_in
        && (c.base != dst.base || c.offset != dst.offset)
    {
        return Err(call.unsupported(em, "the accumulator that is added lies elsewhere than the destination"));
    }
    let plain = |t: &Tile, size: u64| (t.ty.compact == Compact::Null).then_some(size);
    let (k, k_fits) = (a.cols, a.cols.known().is_some_and(|k| k <= a.c0()));
    let left = if k_fits { None } else { plain(&a, a.buffer_rows) };
    let acc = if b.cols.known().is_some_and(|n| n <= 16) { None } else { plain(&dst, dst.buffer_rows) };
    let m = match (left, acc) {
        (Some(x), Some(y)) if x != y => {
            return Err(call.unsupported(em, format!("left has {x} rows and acc {y}; the cube packs both alike")));
        }
        (x, y) => packed_size(em, a.rows, x.or(y)),
    };
    let right = if k_fits { None } else { plain(&b, b.buffer_cols) };
    let n = packed_size(em, b.cols, right);
    if n.known().is_some_and(|n| n > dst.ty.cols as i64) {
        return Err(call.unsupported(em, "right has more columns than acc"));
    }
    let mut operands = vec![em.ptr(&a), em.ptr(&b), em.ptr(&dst)];
    if name == "pto.mad_bias" {
        let bias = call.tile(em, "bias")?;
        operands.push(em.ptr(&bias));
    }
    operands.extend([em.i64(m), em.i64(n), em.i64(k)]);
    let unit = em.ir.ctx.attr(ptoc_ir::AttrData::Unit);
    let phase = call.code(em, "accPhase");
    let build = em.build(name).args(&operands).attr("disable_gemv", unit);
    match phase {
        2 => build.word("unit_flag_mode", "check_only"),
        3 => build.word("unit_flag_mode", "check_and_set"),
        _ => build,
    }
    .done();
    Ok(())
}
