//! Compares the bytes of an operand with what the instruction means.

use super::Case;
use ptoc_sim::num::decode;
use ptoc_sim::semantics::{Operand, Tile};
use ptoc_target::DType;

/// Whether an operand is scratch by its name.
pub(super) fn is_scratch(name: &str) -> bool {
    matches!(name, "tmp" | "scratch")
}

/// How far a result may lie from the definition.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tolerance {
    /// The same bits; any NaN is like any other.
    Exact,
    /// This much of the larger magnitude.
    Relative(f64),
}

/// Instructions whose results are not exact, with the allowed relative difference for f32 and f16. `docs/conformance.md`
/// gives the reasons.
const TOLERANCES: &[(&str, f64, f64)] = &[
    ("tcolexpandexpdif", 1e-6, 2e-3),
    ("texp", 1e-6, 2e-3),
    ("tlog", 1e-6, 2e-3),
    ("tpow", 1e-5, 4e-3),
    ("tpows", 1e-5, 4e-3),
    ("trecip", 1e-6, 2e-3),
    ("trowexpandexpdif", 1e-6, 2e-3),
    ("trsqrt", 1e-4, 2e-3),
    ("tsqrt", 1e-6, 2e-3),
];

fn tolerance(op: &str, ty: DType) -> Tolerance {
    match (TOLERANCES.iter().find(|(name, ..)| *name == op), ty) {
        (Some((_, x, _)), DType::F32) => Tolerance::Relative(*x),
        (Some((_, _, x)), DType::F16 | DType::BF16) => Tolerance::Relative(*x),
        _ => Tolerance::Exact,
    }
}

/// Compares one operand after the run: elements that the meaning changed must have its value, all others their old bytes,
/// except those that are `spare`.
pub(super) fn operand(
    case: &Case,
    name: &str,
    expected: &Operand,
    before: &[u8],
    actual: &[u8],
    spare: &[bool],
) -> Result<(), String> {
    let _ = name;
    let (ty, want, tile) = match expected {
        Operand::Tile(t) => (t.shape.dtype, &t.bytes, Some(t)),
        Operand::Tensor(t) => (t.dtype, &t.bytes, None),
        Operand::Scalar(_) => return Ok(()),
    };
    let tolerance = tolerance(&case.op, ty);
    let s = ty.bytes() as usize;
    let mut wrong = 0;
    let mut first = None;
    let elements = want.chunks_exact(s).zip(actual.chunks_exact(s)).zip(before.chunks_exact(s));
    for (i, ((want, got), old)) in elements.enumerate() {
        if want == got
            || spare.get(i).is_some_and(|spare| *spare)
            || (want != old && near(ty, bits(want), bits(got), tolerance))
        {
            continue;
        }
        wrong += 1;
        first.get_or_insert((i, bits(want), bits(got), bits(old)));
    }
    let Some((i, want, got, old)) = first else { return Ok(()) };
    let place = tile.map_or_else(|| format!("element {i}"), |t| position(t, i as u64));
    Err(format!(
        "{wrong} of {} elements differ, the first {place}: {} expected, {} found, {} before",
        actual.len() / s,
        show(ty, want),
        show(ty, got),
        show(ty, old)
    ))
}

fn bits(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

fn near(ty: DType, a: u64, b: u64, tolerance: Tolerance) -> bool {
    if ty.is_int() {
        return a == b;
    }
    let (x, y) = (decode(ty, a).real(), decode(ty, b).real());
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    match tolerance {
        Tolerance::Exact => a == b,
        Tolerance::Relative(t) => x == y || (x - y).abs() <= t * x.abs().max(y.abs()),
    }
}

fn show(ty: DType, bits: u64) -> String {
    if ty.is_int() { decode(ty, bits).int().to_string() } else { format!("{} ({bits:#x})", decode(ty, bits).real()) }
}

/// Row and column of the element at an index of the storage.
fn position(t: &Tile, index: u64) -> String {
    for r in 0..t.shape.rows {
        for c in 0..t.shape.cols {
            if t.at(r, c) == index {
                let outside = if r < t.valid_rows && c < t.valid_cols { "" } else { ", not valid" };
                return format!("at ({r}, {c}){outside}");
            }
        }
    }
    format!("element {index} of the storage")
}
