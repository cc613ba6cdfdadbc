//! The fix pipe: from L0C to L1, UB or global memory, with conversion, rectifier and unit flag.
//!
//! The fields of the configuration words are those of the machine description, section 8.

use crate::{Call, Em, Res, Sc, Tile, field};
use ptoc_dialect::table::enums::QUANT_PRE_MODE;
use ptoc_ir::{TypeData, ValueId, builtin};
use ptoc_target::{DType, Layout, Loc};

/// Where the scale of a conversion comes from.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    /// No scale: a plain conversion.
    None,
    /// One number: the value of `set_quant_pre`.
    Scalar(ValueId),
    /// One word for each column, in the fix pipe's buffer.
    Vector(Tile),
}

/// The conversion mode of a pair of types, as a word of `quant_pre_mode`.
fn quant_mode(src: DType, dst: DType, scale: &Scale, to_gm: bool) -> Option<&'static str> {
    use DType::*;
    let plain = match (src, dst) {
        (F32, F32) | (I32, I32) => "no_convert",
        (F32, F16) => "f32_f16",
        (F32, BF16) => "f32_bf16",
        _ => "",
    };
    let pair = match (src, dst) {
        (F32, I8 | U8) => ["qf322b8_pre_scalar", "qf322b8_pre_vec"],
        (F32, HiF8) => ["qf322hif8_pre_scalar", "qf322hif8_pre_vec"],
        (F32, F8E4M3) => ["qf322fp8_pre_scalar", "qf322fp8_pre_vec"],
        (F32, F16) => ["qf322f16_pre_scalar", "qf322f16_pre_vec"],
        (F32, BF16) => ["qf322bf16_pre_scalar", "qf322bf16_pre_vec"],
        (F32, F32) if to_gm => ["qf322f32_pre_scalar", "qf322f32_pre_vec"],
        (I32, I8 | U8) => ["req8_scalar", "req8_vec"],
        (I32, F16) => ["deqf16_scalar", "deqf16_vec"],
        (I32, BF16) => ["qs322bf16_pre_scalar", "qs322bf16_pre_vec"],
        _ => ["", ""],
    };
    let word = match scale {
        Scale::None => plain,
        Scale::Scalar(_) => pair[0],
        Scale::Vector(_) => pair[1],
    };
    (!word.is_empty()).then_some(word)
}

/// How the result lies at the destination.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Rows.
    Nd,
    /// Columns.
    Dn,
    /// Column groups; 32-bit elements in groups of 8 are split.
    Nz {
        /// Groups of 8 columns of 32 bits.
        split: bool,
    },
}

/// Everything one drain of the accumulator needs.
pub(super) struct Drain {
    pub(super) shape: Shape,
    pub(super) n: Sc,
    pub(super) m: Sc,
    /// In destination elements.
    pub(super) dst_stride: Sc,
    /// Rows of a stripe of the source.
    pub(super) src_stride: Sc,
    pub(super) quant: &'static str,
    pub(super) scale: Scale,
    pub(super) relu: i64,
    pub(super) unit_flag: i64,
    /// 0 one vector core, 1 rows divided, 2 columns divided.
    pub(super) dual: i64,
    /// Vector core of a single destination.
    pub(super) core: i64,
}

/// The scale an instruction gives: an `fp` tile from its element `first` on, a number, or none.
pub(super) fn scale(em: &mut Em<'_>, call: &Call, first: Sc) -> Res<Scale> {
    if let Some(fp) = call.opt_tile(em, "fp")? {
        if fp.loc() != Loc::Scaling {
            return Err(call.unsupported(em, "fp is not in the fix pipe's buffer (location scaling)"));
        }
        let offset = em.add(fp.offset, first);
        return Ok(Scale::Vector(Tile { offset, ..fp }));
    }
    Ok(call.value(em, "preQuantScalar").map_or(Scale::None, Scale::Scalar))
}

/// The conversion mode for the types of a drain.
pub(super) fn mode(em: &Em<'_>, call: &Call, src: DType, dst: DType, scale: &Scale, to_gm: bool) -> Res<&'static str> {
    quant_mode(src, dst, scale, to_gm).ok_or_else(|| {
        let with = match scale {
            Scale::None => "without a scale",
            Scale::Scalar(_) => "with a scalar",
            Scale::Vector(_) => "with an fp tile",
        };
        call.unsupported(em, format!("the fix pipe has no conversion from {src} to {dst} {with}"))
    })
}

fn code(word: &str) -> i64 {
    i64::from(QUANT_PRE_MODE.code(word).unwrap_or(0))
}

/// Writes the registers that the scale is taken from.
pub(super) fn set_scale(em: &mut Em<'_>, call: &Call, scale: &Scale, dst: DType) -> Res<()> {
    match *scale {
        Scale::None => {}
        Scale::Scalar(v) => {
            let word = quant_word(em, call, v, dst)?;
            em.emit("pto.set_quant_pre", &[word]);
        }
        Scale::Vector(fp) => {
            let word = match em.address(&fp) {
                Ok(a) if a % 128 != 0 => {
                    return Err(call.unsupported(em, format!("fp lies at {a}, which is no multiple of 128 bytes")));
                }
                // Bits 15:8 hold the address in units of 128 bytes.
                Ok(a) => em.int((a >> 7) << 8, builtin::I64),
                Err(a) => {
                    let (seven, eight) = (em.int(7, builtin::I64), em.int(8, builtin::I64));
                    let units = em.emit1("arith.shrui", &[a, seven], builtin::I64);
                    em.emit1("arith.shli", &[units, eight], builtin::I64)
                }
            };
            em.emit("pto.set_fpc", &[word]);
        }
    }
    Ok(())
}

/// The scale word: an integer is the finished word; an `f32` is packed, with bit 46 for a signed 8-bit result.
fn quant_word(em: &mut Em<'_>, call: &Call, v: ValueId, dst: DType) -> Res<ValueId> {
    let sign = if dst == DType::I8 { 1i64 << 46 } else { 0 };
    let ty = em.ir.value_type(v);
    match *em.ir.ctx.type_data(ty) {
        TypeData::Integer { width: 64, .. } => Ok(v),
        TypeData::Integer { .. } => Ok(em.emit1("arith.extui", &[v], builtin::I64)),
        TypeData::Index => Ok(em.emit1("arith.index_cast", &[v], builtin::I64)),
        TypeData::Float(ptoc_ir::FloatKind::F32) => {
            if let Some(x) = em.float_constant(v) {
                return Ok(em.int(i64::from((x as f32).to_bits()) | sign, builtin::I64));
            }
            let bits = em.emit1("arith.bitcast", &[v], builtin::I32);
            let word = em.emit1("arith.extui", &[bits], builtin::I64);
            if sign == 0 {
                return Ok(word);
            }
            let sign = em.int(sign, builtin::I64);
            Ok(em.emit1("arith.ori", &[word, sign], builtin::I64))
        }
        _ => Err(call.unsupported(em, "the scale is neither an integer word nor f32")),
    }
}

impl Drain {
    /// The word with sizes and destination stride: n, m, stride.
    pub(super) fn sizes(&self, em: &mut Em<'_>) -> ValueId {
        em.pack(&[
            field("the number of columns", self.n, 4, 12),
            field("the number of rows", self.m, 16, 16),
            field("the destination stride", self.dst_stride, 32, 32),
        ])
    }

    /// The word with source stride and modes.
    pub(super) fn modes(&self, em: &mut Em<'_>) -> ValueId {
        let quant = code(self.quant);
        em.pack(&[
            field("the source stride", self.src_stride, 0, 16),
            field("the destination mode", self.dual, 16, 2),
            field("the vector core", self.core, 18, 1),
            field("the conversion", quant >> 5, 29, 1),
            field("the unit flag", self.unit_flag, 32, 2),
            field("the conversion", quant & 31, 34, 5),
            field("the rectifier", self.relu, 39, 3),
            field("the channel split", i64::from(self.shape == Shape::Nz { split: true }), 42, 1),
            field("the row mode", i64::from(self.shape == Shape::Nd), 43, 1),
            field("the column mode", i64::from(self.shape == Shape::Dn), 62, 1),
        ])
    }

    /// One matrix, for the row and column modes; columns take the rows of the source one after another.
    pub(super) fn set_loops(&self, em: &mut Em<'_>) {
        if matches!(self.shape, Shape::Nd | Shape::Dn) {
            pair(em, "pto.set_loop3_para", 1);
        }
        if self.shape == Shape::Dn {
            pair(em, "pto.set_channel_para", 1 << 48);
        }
    }

    /// The copy to L1 (`copy_matrix_cc_to_cbuf`) or UB (`copy_matrix_cc_to_ub`).
    pub(super) fn copy(&self, em: &mut Em<'_>, name: &'static str, from: ValueId, to: ValueId) {
        let (sizes, modes) = (self.sizes(em), self.modes(em));
        em.emit(name, &[from, to, sizes, modes]);
    }
}

/// A register written as its low 40 and its high 24 bits.
pub(super) fn pair(em: &mut Em<'_>, name: &'static str, word: u64) {
    let low = em.int((word & ((1 << 40) - 1)) as i64, builtin::I64);
    let high = em.int((word >> 40) as i64, builtin::I64);
    em.emit(name, &[low, high]);
}

/// Elements of a column group of an NZ destination, and whether 32-bit elements are split into groups of 8.
pub(super) fn column_group(dst: &Tile) -> (i64, bool) {
    let group = dst.ty.shape().inner_box().cols as i64;
    (group, dst.esz() == 4 && group == 8)
}

/// The shape of a drain into a tile.
pub(super) fn shape_of(em: &Em<'_>, call: &Call, dst: &Tile) -> Res<Shape> {
    match dst.layout() {
        Layout::Nd => Ok(Shape::Nd),
        Layout::Dn => Ok(Shape::Dn),
        Layout::Nz => Ok(Shape::Nz { split: column_group(dst).1 }),
        l => Err(call.unsupported(em, format!("the fix pipe does not write layout {l}"))),
    }
}
