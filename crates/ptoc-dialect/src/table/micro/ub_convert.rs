//! Conversions of A2/A3. The names carry the element types and the rounding.
//!
//! A repeat is counted on the wider side; the narrower side uses fewer blocks of it.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{Family, OpDef, OperandDef, Targets};

const OPERANDS: &[OperandDef] = &[
    ptr("dst").written(),
    ptr("src"),
    scalar("repeat"),
    scalar("dstBlockStride"),
    scalar("srcBlockStride"),
    scalar("dstRepeatStride"),
    scalar("srcRepeatStride"),
];
const TEXT: &str = "%dst, %src, %repeat, %dstBlockStride, %srcBlockStride, %dstRepeatStride, %srcRepeatStride {} : T*";

const fn convert(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Ub, name, summary).on(Pipe::V).only(Targets::A2A3).takes(OPERANDS).text(TEXT)
}

/// Conversions.
pub static OPS: &[OpDef] = &[
    // from f32
    convert("pto.ub.vconv_f322f32r", "f32 to an integral f32, to nearest, ties to even"),
    convert("pto.ub.vconv_f322f32a", "f32 to an integral f32, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f322f32f", "f32 to an integral f32, down"),
    convert("pto.ub.vconv_f322f32c", "f32 to an integral f32, up"),
    convert("pto.ub.vconv_f322f32z", "f32 to an integral f32, toward zero"),
    convert("pto.ub.vconv_f322f16", "f32 to f16"),
    convert("pto.ub.vconv_f322f16r", "f32 to f16, to nearest, ties to even"),
    convert("pto.ub.vconv_f322f16a", "f32 to f16, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f322f16f", "f32 to f16, down"),
    convert("pto.ub.vconv_f322f16c", "f32 to f16, up"),
    convert("pto.ub.vconv_f322f16z", "f32 to f16, toward zero"),
    convert("pto.ub.vconv_f322f16o", "f32 to f16, to odd"),
    convert("pto.ub.vconv_f322bf16r", "f32 to bf16, to nearest, ties to even"),
    convert("pto.ub.vconv_f322bf16a", "f32 to bf16, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f322bf16f", "f32 to bf16, down"),
    convert("pto.ub.vconv_f322bf16c", "f32 to bf16, up"),
    convert("pto.ub.vconv_f322bf16z", "f32 to bf16, toward zero"),
    convert("pto.ub.vconv_f322s64r", "f32 to i64, to nearest, ties to even"),
    convert("pto.ub.vconv_f322s64a", "f32 to i64, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f322s64f", "f32 to i64, down"),
    convert("pto.ub.vconv_f322s64c", "f32 to i64, up"),
    convert("pto.ub.vconv_f322s64z", "f32 to i64, toward zero"),
    convert("pto.ub.vconv_f322s32r", "f32 to i32, to nearest, ties to even"),
    convert("pto.ub.vconv_f322s32a", "f32 to i32, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f322s32f", "f32 to i32, down"),
    convert("pto.ub.vconv_f322s32c", "f32 to i32, up"),
    convert("pto.ub.vconv_f322s32z", "f32 to i32, toward zero"),
    convert("pto.ub.vconv_f322s16r", "f32 to i16, to nearest, ties to even"),
    convert("pto.ub.vconv_f322s16a", "f32 to i16, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f322s16f", "f32 to i16, down"),
    convert("pto.ub.vconv_f322s16c", "f32 to i16, up"),
    convert("pto.ub.vconv_f322s16z", "f32 to i16, toward zero"),
    // from f16
    convert("pto.ub.vconv_f162f32", "f16 to f32"),
    convert("pto.ub.vconv_f162s32r", "f16 to i32, to nearest, ties to even"),
    convert("pto.ub.vconv_f162s32a", "f16 to i32, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f162s32f", "f16 to i32, down"),
    convert("pto.ub.vconv_f162s32c", "f16 to i32, up"),
    convert("pto.ub.vconv_f162s32z", "f16 to i32, toward zero"),
    convert("pto.ub.vconv_f162s16r", "f16 to i16, to nearest, ties to even"),
    convert("pto.ub.vconv_f162s16a", "f16 to i16, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f162s16f", "f16 to i16, down"),
    convert("pto.ub.vconv_f162s16c", "f16 to i16, up"),
    convert("pto.ub.vconv_f162s16z", "f16 to i16, toward zero"),
    convert("pto.ub.vconv_f162s8r", "f16 to i8, to nearest, ties to even"),
    convert("pto.ub.vconv_f162s8a", "f16 to i8, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f162s8f", "f16 to i8, down"),
    convert("pto.ub.vconv_f162s8c", "f16 to i8, up"),
    convert("pto.ub.vconv_f162s8z", "f16 to i8, toward zero"),
    convert("pto.ub.vconv_f162u8r", "f16 to u8, to nearest, ties to even"),
    convert("pto.ub.vconv_f162u8a", "f16 to u8, to nearest, ties away from zero"),
    convert("pto.ub.vconv_f162u8f", "f16 to u8, down"),
    convert("pto.ub.vconv_f162u8c", "f16 to u8, up"),
    convert("pto.ub.vconv_f162u8z", "f16 to u8, toward zero"),
    convert("pto.ub.vconv_f162s4", "f16 to i4"),
    convert("pto.ub.vconv_f162s4r", "f16 to i4, to nearest, ties to even"),
    convert("pto.ub.vconv_f162s4f", "f16 to i4, down"),
    // from bf16
    convert("pto.ub.vconv_bf162f32", "bf16 to f32"),
    convert("pto.ub.vconv_bf162s32r", "bf16 to i32, to nearest, ties to even"),
    convert("pto.ub.vconv_bf162s32a", "bf16 to i32, to nearest, ties away from zero"),
    convert("pto.ub.vconv_bf162s32f", "bf16 to i32, down"),
    convert("pto.ub.vconv_bf162s32c", "bf16 to i32, up"),
    convert("pto.ub.vconv_bf162s32z", "bf16 to i32, toward zero"),
    // from i64
    convert("pto.ub.vconv_s642f32r", "i64 to f32, to nearest, ties to even"),
    convert("pto.ub.vconv_s642f32a", "i64 to f32, to nearest, ties away from zero"),
    convert("pto.ub.vconv_s642f32f", "i64 to f32, down"),
    convert("pto.ub.vconv_s642f32c", "i64 to f32, up"),
    convert("pto.ub.vconv_s642f32z", "i64 to f32, toward zero"),
    convert("pto.ub.vconv_s642s32", "i64 to i32"),
    // from i32
    convert("pto.ub.vconv_s322f32", "i32 to f32"),
    convert("pto.ub.vconv_s322f32r", "i32 to f32, to nearest, ties to even"),
    convert("pto.ub.vconv_s322f32a", "i32 to f32, to nearest, ties away from zero"),
    convert("pto.ub.vconv_s322f32f", "i32 to f32, down"),
    convert("pto.ub.vconv_s322f32c", "i32 to f32, up"),
    convert("pto.ub.vconv_s322f32z", "i32 to f32, toward zero"),
    convert("pto.ub.vconv_s322s64", "i32 to i64"),
    convert("pto.ub.vconv_s322s16", "i32 to i16"),
    // from i16
    convert("pto.ub.vconv_s162f32", "i16 to f32"),
    convert("pto.ub.vconv_s162f16", "i16 to f16"),
    convert("pto.ub.vconv_s162f16r", "i16 to f16, to nearest, ties to even"),
    convert("pto.ub.vconv_s162f16a", "i16 to f16, to nearest, ties away from zero"),
    convert("pto.ub.vconv_s162f16f", "i16 to f16, down"),
    convert("pto.ub.vconv_s162f16c", "i16 to f16, up"),
    convert("pto.ub.vconv_s162f16z", "i16 to f16, toward zero"),
    // from i8
    convert("pto.ub.vconv_s82f16", "i8 to f16"),
    // from u8
    convert("pto.ub.vconv_u82f16", "u8 to f16"),
    // from i4
    convert("pto.ub.vconv_s42f16", "i4 to f16"),
    // with the scale register
    convert("pto.ub.vconv_deq", "i32 to f16, times the scale register"),
    op(Family::Ub, "pto.ub.set_deqscale", "f16 scale of vconv_deq")
        .on(Pipe::S)
        .only(Targets::A2A3)
        .takes(&[scalar("scale")])
        .text("%scale {} : T*"),
];
