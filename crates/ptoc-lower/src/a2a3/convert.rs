//! Element type conversions.

use super::area::{Area, storage_order};
use super::map::Map;
use super::vector::Vector;
use crate::{Call, Em, LowerFn, Res};
use ptoc_ir::builtin;
use ptoc_target::DType;

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[("pto.tcvt", convert)];

/// Names by rounding mode: none, nearest even, nearest away, down, up, toward zero, to odd.
type Names = [&'static str; 7];

/// The letters of the rounding modes behind a stem; the first and the last are those of "none" and "odd".
macro_rules! rounded {
    ($stem:literal, $none:literal, $odd:literal) => {
        [
            concat!("pto.ub.vconv_", $stem, $none),
            concat!("pto.ub.vconv_", $stem, "r"),
            concat!("pto.ub.vconv_", $stem, "a"),
            concat!("pto.ub.vconv_", $stem, "f"),
            concat!("pto.ub.vconv_", $stem, "c"),
            concat!("pto.ub.vconv_", $stem, "z"),
            concat!("pto.ub.vconv_", $stem, $odd),
        ]
    };
}

macro_rules! exact {
    ($stem:literal) => {
        [concat!("pto.ub.vconv_", $stem); 7]
    };
}

/// Source, destination, instruction by rounding mode.
static PAIRS: &[(DType, DType, Names)] = &[
    (DType::F32, DType::F16, rounded!("f322f16", "r", "o")),
    (DType::F32, DType::F32, rounded!("f322f32", "r", "r")),
    (DType::F32, DType::BF16, rounded!("f322bf16", "r", "r")),
    (DType::F32, DType::I64, rounded!("f322s64", "z", "z")),
    (DType::F32, DType::I32, rounded!("f322s32", "z", "z")),
    (DType::F32, DType::I16, rounded!("f322s16", "z", "z")),
    (DType::F16, DType::F32, exact!("f162f32")),
    (DType::F16, DType::I32, rounded!("f162s32", "z", "z")),
    (DType::F16, DType::I16, rounded!("f162s16", "z", "z")),
    (DType::F16, DType::I8, rounded!("f162s8", "z", "z")),
    (DType::F16, DType::U8, rounded!("f162u8", "z", "z")),
    (DType::BF16, DType::F32, exact!("bf162f32")),
    (DType::BF16, DType::I32, rounded!("bf162s32", "z", "z")),
    (DType::I16, DType::F16, rounded!("s162f16", "", "")),
    (DType::I16, DType::F32, exact!("s162f32")),
    (DType::I32, DType::F32, rounded!("s322f32", "", "")),
    (DType::I32, DType::I16, exact!("s322s16")),
    (DType::I32, DType::I64, exact!("s322s64")),
    (DType::I32, DType::F16, exact!("deq")),
    (DType::I64, DType::F32, rounded!("s642f32", "r", "r")),
    (DType::I64, DType::I32, exact!("s642s32")),
    (DType::U8, DType::F16, exact!("u82f16")),
    (DType::I8, DType::F16, exact!("s82f16")),
];

/// Pairs whose saturation is off unless the instruction asks for it; elsewhere it is on.
const WRAPPING: &[(DType, DType)] = &[
    (DType::F16, DType::U8),
    (DType::F16, DType::I8),
    (DType::F16, DType::I16),
    (DType::F32, DType::I16),
    (DType::I64, DType::I32),
    (DType::I32, DType::I16),
];

/// Bit of the control register that turns saturation of integer results off.
const NO_SATURATION: u32 = 59;

fn convert(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let pair = (src.dtype(), dst.dtype());
    let Some((_, _, names)) = PAIRS.iter().find(|(s, d, _)| (*s, *d) == pair) else {
        let to: Vec<&str> = PAIRS.iter().filter(|(s, ..)| *s == pair.0).map(|(_, d, _)| d.name()).collect();
        let d = call.unsupported(em, format!("{} to {}", pair.0, pair.1));
        let note = if to.is_empty() {
            format!("{} is converted to nothing", pair.0)
        } else {
            format!("{} is converted to {}", pair.0, to.join(", "))
        };
        return Err(Box::new(d.note(note)));
    };
    // The code behind the named ones is the default, an older name of nearest even.
    let name = names.get(call.code(em, "rmode") as usize).copied().unwrap_or(names[1]);
    if src.layout() != dst.layout() {
        return Err(call.unsupported(em, "operands of different layouts"));
    }
    let (to, from) = (Area::of(em, call, &dst)?, Area::of(em, call, &src)?);
    let (rows, cols) = storage_order(&dst);
    // The register matters for integer results only, and not where every value fits.
    let integer = !dst.dtype().is_float() && pair != (DType::I32, DType::I64);
    let asked_off = call.word(em, "satmode").is_none_or(|w| w == "OFF");
    let off = asked_off && WRAPPING.contains(&pair);
    let saved = integer.then(|| control(em, off));
    Vector::scope(em, |v| {
        if pair == (DType::I32, DType::F16) {
            // A plain conversion is one with the scale 1.
            let one = v.em.float(1.0, builtin::F16);
            v.em.emit("pto.ub.set_deqscale", &[one]);
            v.barrier();
        }
        Map { name, number: None, areas: &[to, from], most_rows: to.most_rows() }.emit(v, rows, cols);
    });
    if let Some(old) = saved {
        em.emit("pto.set_ctrl", &[old]);
    }
    Ok(())
}

/// Sets saturation of integer results; gives the old control register.
fn control(em: &mut Em<'_>, off: bool) -> ptoc_ir::ValueId {
    let old = em.emit1("pto.get_ctrl", &[], builtin::I64);
    let bit = 1i64 << NO_SATURATION;
    let (mask, name) = if off { (bit, "arith.ori") } else { (!bit, "arith.andi") };
    let mask = em.int(mask, builtin::I64);
    let new = em.emit1(name, &[old, mask], builtin::I64);
    em.emit("pto.set_ctrl", &[new]);
    old
}
