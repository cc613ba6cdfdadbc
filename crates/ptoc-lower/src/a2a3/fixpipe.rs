//! The fix pipe: out of the accumulator, with cast, quantisation and rectifier on the way, to L1 or to global memory.

use crate::sc::field;
use crate::{Base, Call, Em, GmLayout, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::{DType, Layout, Loc, Pipe};

/// The lowerings of this family that no other instruction form shares.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.tinsert_fp", |em, c| {
        let (row, col) = (c.size(em, "idxrow")?, c.size(em, "idxcol")?);
        insert(em, c, row, col)
    }),
    ("pto.textract_fp", |em, c| {
        let (row, col) = (c.size(em, "idxrow")?, c.size(em, "idxcol")?);
        extract(em, c, row, col)
    }),
    ("pto.tmov.fp", |em, c| insert(em, c, Sc::Const(0), Sc::Const(0))),
    ("pto.tstore.fp", |em, c| store(em, c, "mem")),
];

/// Where the factors of a quantisation come from.
#[derive(Clone, Copy, Debug)]
enum Scale {
    None,
    /// One word for all.
    Word(ValueId),
    /// One word for each column, in a scaling tile.
    Vector(Tile),
}

/// The number of the quantisation mode: the values of the hardware's field. `to_gm` is true for stores, which have a few
/// pairs more, and false for moves to L1, which have one more.
fn mode(src: DType, dst: DType, scale: &Scale, to_gm: bool) -> Option<i64> {
    use DType::{BF16, F16, F32, I8, I16, I32, U8};
    let vector = matches!(scale, Scale::Vector(_));
    Some(match (src, dst, scale) {
        (F32, F32, Scale::None) | (I32, I32, Scale::None) if to_gm => 0,
        (F32, F16, Scale::None) => 1,
        (F32, BF16, Scale::None) => 16,
        (_, _, Scale::None) => return None,
        (F32, I8, _) => 24 - i64::from(vector),
        (F32, U8, _) if to_gm => 24 - i64::from(vector),
        (I32, I8 | U8, _) => 9 - i64::from(vector),
        (I32, F16, _) => 11 - i64::from(vector),
        (I32, I16, _) if !to_gm => 13 - i64::from(vector),
        _ => return None,
    })
}

fn scale_of(em: &mut Em<'_>, call: &Call) -> Res<Scale> {
    let vector = call.opt_tile(em, "fp")?;
    let word = call.value(em, "preQuantScalar");
    match (vector, word) {
        (Some(_), Some(_)) => Err(call.unsupported(em, "a scaling tile and a scale word at once")),
        (Some(t), None) if t.loc() != Loc::Scaling => Err(call.unsupported(em, "a vector of scales outside `scaling`")),
        (Some(t), None) => Ok(Scale::Vector(t)),
        (None, Some(w)) => Ok(Scale::Word(super::map::number_as(em, w, builtin::I64))),
        (None, None) => Ok(Scale::None),
    }
}

/// Sets the registers a quantisation reads. `first` is the column of the first entry of a vector.
fn set_scale(em: &mut Em<'_>, call: &Call, scale: &Scale, first: Sc) -> Res<()> {
    match scale {
        Scale::None => {}
        Scale::Word(w) => _ = em.emit("pto.set_quant_pre", &[*w]),
        Scale::Vector(t) => {
            // The register has the address in units of 128 bytes, from bit 8 on.
            let bytes = em.mul(first, t.esz());
            let offset = em.mul(t.offset, t.esz());
            let bytes = em.add(offset, bytes);
            let word = match (t.base, bytes) {
                (Base::Addr(a), Sc::Const(b)) => {
                    let at = a.saturating_add(b);
                    if at % 128 != 0 {
                        let what = format!("the vector of scales starts at byte {at}; it must be a multiple of 128");
                        return Err(call.unsupported(em, what));
                    }
                    em.int((at >> 7) << 8, builtin::I64)
                }
                _ => {
                    let whole = Tile { offset: Sc::Const(0), ..*t };
                    let p = em.ptr(&whole);
                    let base = em.emit1("pto.castptr", &[p], builtin::I64);
                    let at = match bytes.is(0) {
                        true => base,
                        false => {
                            let b = em.i64(bytes);
                            em.emit1("arith.addi", &[base, b], builtin::I64)
                        }
                    };
                    let (down, up) = (em.int(7, builtin::I64), em.int(8, builtin::I64));
                    let units = em.emit1("arith.shrui", &[at, down], builtin::I64);
                    em.emit1("arith.shli", &[units, up], builtin::I64)
                }
            };
            em.emit("pto.set_fpc", &[word]);
        }
    }
    Ok(())
}

/// What the two configuration words say.
struct Drain {
    n: Sc,
    m: Sc,
    dst_stride: Sc,
    src_stride: Sc,
    mode: i64,
    relu: u32,
    unit_flag: u32,
    split: bool,
    rows: bool,
}

impl Drain {
    fn emit(&self, em: &mut Em<'_>, name: &'static str, src: ValueId, dst: ValueId) {
        let first = em.pack(&[
            field("the number of columns", self.n, 4, 12),
            field("the number of rows", self.m, 16, 16),
            field("the stride of the destination", self.dst_stride, 32, 32),
        ]);
        let second = em.pack(&[
            field("the rows of the accumulator", self.src_stride, 0, 16),
            field("the unit flag", i64::from(self.unit_flag), 32, 2),
            field("the quantisation mode", self.mode, 34, 5),
            field("the rectifier", i64::from(self.relu), 39, 3),
            field("the channel split", i64::from(self.split), 42, 1),
            field("the layout change", i64::from(self.rows), 43, 1),
        ]);
        em.emit(name, &[src, dst, first, second]);
    }
}

fn unsupported_pair(em: &Em<'_>, call: &Call, src: DType, dst: DType, scale: &Scale) -> Box<ptoc_source::Diagnostic> {
    let how = if matches!(scale, Scale::None) { "without a scale" } else { "with a scale" };
    let d = call.unsupported(em, format!("{src} to {dst} {how} in the fix pipe"));
    Box::new(d.note("a2a3: f32 to f16, bf16 without a scale; f32 to i8 and i32 to i8, u8, f16, i16 with one"))
}

fn check_accumulator(em: &Em<'_>, call: &Call, src: &Tile) -> Res<()> {
    if src.loc() != Loc::Acc || src.layout() != Layout::Nz {
        return Err(call.unsupported(em, "the source is not an accumulator in NZ"));
    }
    Ok(())
}

/// The accumulator into a window of a tile in L1; `tmov` is the window at (0, 0).
///
/// The rows are the valid ones, so that rows of `dst` below the window keep their values (the vendor's header moves the
/// static rows). Columns go in whole groups of 32 bytes, as the fix pipe writes them.
pub(super) fn insert(em: &mut Em<'_>, call: &Call, row: Sc, col: Sc) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check_accumulator(em, call, &src)?;
    if dst.loc() != Loc::Mat || dst.layout() != Layout::Nz || dst.ty.fractal != 512 {
        return Err(call.unsupported(em, "the accumulator goes to L1 in NZ with fractals of 512 bytes only"));
    }
    let c0 = dst.c0();
    if let Sc::Const(c) = col
        && c % c0 != 0
    {
        return Err(call.unsupported(em, format!("column {c} does not start a group of {c0} columns")));
    }
    let scale = scale_of(em, call)?;
    let Some(mode) = mode(src.dtype(), dst.dtype(), &scale, false) else {
        return Err(unsupported_pair(em, call, src.dtype(), dst.dtype(), &scale));
    };
    set_scale(em, call, &scale, Sc::Const(0))?;
    let drain = Drain {
        n: em.align(src.cols, c0),
        m: src.rows,
        dst_stride: em.stripe(&dst),
        src_stride: em.stripe(&src),
        mode,
        relu: call.code(em, "reluPreMode"),
        unit_flag: call.code(em, "stPhase"),
        split: false,
        rows: false,
    };
    let at = em.offset_of(&dst, row, col);
    let (from, to) = (em.ptr(&src), em.ptr_at(&dst, at));
    drain.emit(em, "pto.copy_matrix_cc_to_cbuf", from, to);
    Ok(())
}

/// A window of the accumulator to a tile in L1.
pub(super) fn extract(em: &mut Em<'_>, call: &Call, row: Sc, col: Sc) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    check_accumulator(em, call, &src)?;
    if dst.loc() != Loc::Mat || dst.layout() != Layout::Nz || dst.ty.fractal != 512 {
        return Err(call.unsupported(em, "the accumulator goes to L1 in NZ with fractals of 512 bytes only"));
    }
    if let Sc::Const(c) = col
        && c % 16 != 0
    {
        return Err(call.unsupported(em, format!("column {c} does not start a group of 16 columns")));
    }
    let scale = scale_of(em, call)?;
    let Some(mode) = mode(src.dtype(), dst.dtype(), &scale, false) else {
        return Err(unsupported_pair(em, call, src.dtype(), dst.dtype(), &scale));
    };
    // Entry j of the vector serves column j of the source, so the vector starts later too.
    set_scale(em, call, &scale, col)?;
    let drain = Drain {
        n: em.align(dst.cols, dst.c0()),
        m: dst.rows,
        dst_stride: em.stripe(&dst),
        src_stride: em.stripe(&src),
        mode,
        relu: call.code(em, "reluPreMode"),
        unit_flag: call.code(em, "stPhase"),
        split: false,
        rows: false,
    };
    let at = em.offset_of(&src, row, col);
    let (from, to) = (em.ptr_at(&src, at), em.ptr(&dst));
    drain.emit(em, "pto.copy_matrix_cc_to_cbuf", from, to);
    Ok(())
}

/// The accumulator to global memory.
pub(super) fn store(em: &mut Em<'_>, call: &Call, view: &str) -> Res<()> {
    let (src, gm) = (call.tile(em, "src")?, call.gm(em, view)?);
    check_accumulator(em, call, &src)?;
    let scale = scale_of(em, call)?;
    let Some(mode) = mode(src.dtype(), gm.dtype, &scale, true) else {
        let d = unsupported_pair(em, call, src.dtype(), gm.dtype, &scale);
        return Err(Box::new(
            d.note("to global memory also f32 to f32, i32 to i32 without a scale and f32 to u8 with one"),
        ));
    };
    set_scale(em, call, &scale, Sc::Const(0))?;
    if matches!(scale, Scale::Vector(_)) {
        em.build("pto.barrier").word("pipe", Pipe::Fix.keyword()).done();
    }
    super::gm::atomically(em, call, gm.dtype, |em| {
        let drain = match gm.layout {
            GmLayout::Nd => {
                // One matrix in rows; the strides between matrices don't matter.
                let para = em.pack(&[field("the number of matrices", 1, 0, 16)]);
                em.emit("pto.set_nd_para", &[para]);
                Drain { dst_stride: gm.stride(3), rows: true, ..drain_of(em, call, &src, mode) }
            }
            GmLayout::Nz => {
                let rows = em.mul(gm.extent(2), gm.extent(3));
                let bytes = em.mul(gm.extent(4), gm.dtype.bytes());
                let bytes = em.mul(rows, bytes);
                let split = (src.dtype(), gm.dtype) == (DType::F32, DType::F32) && gm.extent(4).is(8);
                Drain { dst_stride: em.div(bytes, 32), split, ..drain_of(em, call, &src, mode) }
            }
            GmLayout::Dn | GmLayout::Other => {
                return Err(call.unsupported(em, "the accumulator goes to views in rows or in fractals (nd, nz) only"));
            }
        };
        let (from, to) = (em.ptr(&src), em.gm_ptr(&gm));
        drain.emit(em, "pto.copy_matrix_cc_to_gm", from, to);
        Ok(())
    })
}

fn drain_of(em: &mut Em<'_>, call: &Call, src: &Tile, mode: i64) -> Drain {
    Drain {
        n: src.cols,
        m: src.rows,
        dst_stride: Sc::Const(0),
        src_stride: em.stripe(src),
        mode,
        relu: call.code(em, "reluPreMode"),
        unit_flag: call.code(em, "stPhase"),
        split: false,
        rows: false,
    }
}
