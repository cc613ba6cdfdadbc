//! Element types as lanes: how a lane is read into a number that arithmetic takes, and how a result is stored.

use super::Core;
use half::{bf16, f16};
use ptoc_target::Arch;

/// A lane type. Float lanes compute in `f32`, where one `+ - * /` or square root of halves, rounded again, is correctly
/// rounded; integer lanes compute in `i64`.
pub(super) trait Lane {
    /// Bytes of an element.
    const BYTES: usize;
    /// What arithmetic works on.
    type Value: Copy + Default;
    /// Reads an element; zero from fewer bytes than it has.
    fn get(bytes: &[u8]) -> Self::Value;
    /// Stores an element into as many bytes as it has.
    fn put(v: Self::Value, bytes: &mut [u8]);
    /// A value as it would be read back.
    fn rounded(v: Self::Value) -> Self::Value {
        let mut bytes = [0; 8];
        Self::put(v, &mut bytes[..Self::BYTES]);
        Self::get(&bytes[..Self::BYTES])
    }
}

/// Single precision; every NaN is stored as the same one, so that no host's choice shows.
pub(super) struct F32;

/// Half precision. `SAT`: infinities become the largest value and NaN becomes 0, as control bit 48 at 0 asks.
pub(super) struct F16<const SAT: bool>;

/// bfloat16, with the same `SAT`.
pub(super) struct Bf16<const SAT: bool>;

impl Lane for F32 {
    const BYTES: usize = 4;
    type Value = f32;
    fn get(bytes: &[u8]) -> f32 {
        bytes.first_chunk().map_or(0.0, |b| f32::from_le_bytes(*b))
    }
    fn put(v: f32, bytes: &mut [u8]) {
        let bits = if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() };
        bytes.copy_from_slice(&bits.to_le_bytes());
    }
}

impl<const SAT: bool> Lane for F16<SAT> {
    const BYTES: usize = 2;
    type Value = f32;
    fn get(bytes: &[u8]) -> f32 {
        bytes.first_chunk().map_or(0.0, |b| f16::from_le_bytes(*b).to_f32())
    }
    fn put(v: f32, bytes: &mut [u8]) {
        let bits = match f16::from_f32(v) {
            _ if v.is_nan() => {
                if SAT {
                    0
                } else {
                    0x7e00
                }
            }
            h if SAT && h.is_infinite() => h.to_bits() - 1,
            h => h.to_bits(),
        };
        bytes.copy_from_slice(&bits.to_le_bytes());
    }
}

impl<const SAT: bool> Lane for Bf16<SAT> {
    const BYTES: usize = 2;
    type Value = f32;
    fn get(bytes: &[u8]) -> f32 {
        bytes.first_chunk().map_or(0.0, |b| bf16::from_le_bytes(*b).to_f32())
    }
    fn put(v: f32, bytes: &mut [u8]) {
        let bits = match bf16::from_f32(v) {
            _ if v.is_nan() => {
                if SAT {
                    0
                } else {
                    0x7fc0
                }
            }
            h if SAT && h.is_infinite() => h.to_bits() - 1,
            h => h.to_bits(),
        };
        bytes.copy_from_slice(&bits.to_le_bytes());
    }
}

/// Integer lanes; `SAT`: results outside the range become its ends, otherwise the low bits stay.
macro_rules! integers {
    ($($lane:ident $ty:ident $bytes:literal,)*) => {$(
        #[doc = concat!("`", stringify!($ty), "` lanes.")]
        pub(super) struct $lane<const SAT: bool>;

        impl<const SAT: bool> Lane for $lane<SAT> {
            const BYTES: usize = $bytes;
            type Value = i64;
            fn get(bytes: &[u8]) -> i64 {
                bytes.first_chunk().map_or(0, |b| $ty::from_le_bytes(*b) as i64)
            }
            fn put(v: i64, bytes: &mut [u8]) {
                let v = if SAT { v.clamp($ty::MIN as i64, $ty::MAX as i64) } else { v };
                bytes.copy_from_slice(&(v as $ty).to_le_bytes());
            }
        }
    )*};
}

integers! {
    I8 i8 1,
    U8 u8 1,
    I16 i16 2,
    U16 u16 2,
    I32 i32 4,
    U32 u32 4,
    I64 i64 8,
}

/// Whether half results saturate: control bit 48 is off, and on A5 bit 60 makes that bit count.
pub(super) fn half_saturates(core: &Core) -> bool {
    let ctrl = core.spr.ctrl;
    ctrl >> 48 & 1 == 0 && (core.target.arch == Arch::A2A3 || ctrl >> 60 & 1 == 1)
}

/// Whether integer arithmetic saturates: control bit 53 is on.
pub(super) fn integer_saturates(core: &Core) -> bool {
    core.spr.ctrl >> 53 & 1 == 1
}

/// `f(lane)` for all lanes of packed rows.
pub(super) fn map<S: Lane, D: Lane>(a: &[u8; 256], out: &mut [u8; 256], f: impl Fn(S::Value) -> D::Value) {
    for (a, o) in a.chunks_exact(S::BYTES).zip(out.chunks_exact_mut(D::BYTES)) {
        D::put(f(S::get(a)), o);
    }
}

/// `f(lane of a, lane of b)` for all lanes of packed rows of one type.
pub(super) fn zip<L: Lane>(
    a: &[u8; 256],
    b: &[u8; 256],
    out: &mut [u8; 256],
    f: impl Fn(L::Value, L::Value) -> L::Value,
) {
    for ((a, b), o) in a.chunks_exact(L::BYTES).zip(b.chunks_exact(L::BYTES)).zip(out.chunks_exact_mut(L::BYTES)) {
        L::put(f(L::get(a), L::get(b)), o);
    }
}

/// The larger of two numbers; NaN when one is, and +0 above -0.
pub(super) fn max(a: f32, b: f32) -> f32 {
    if a.is_nan() || b.is_nan() {
        f32::NAN
    } else if a > b || (a == b && a.is_sign_positive()) {
        a
    } else {
        b
    }
}

/// The smaller of two numbers; NaN when one is, and -0 below +0.
pub(super) fn min(a: f32, b: f32) -> f32 {
    -max(-a, -b)
}

/// The larger of a number and +0; NaN stays.
pub(super) fn relu(x: f32) -> f32 {
    if x > 0.0 || x.is_nan() { x } else { 0.0 }
}
