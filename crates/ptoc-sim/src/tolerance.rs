//! How close a result must be to the recorded one.
//!
//! Bit-exact is the rule; a NaN equals any NaN. The instructions below go through functions that no standard rounds, or
//! add and multiply in an order that the definition leaves open.

use crate::num::decode;
use ptoc_target::DType;

/// How close two elements must be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// The same bits.
    Exact,
    /// The same value: the sign of a zero does not count.
    Value,
    /// At most so many representable values apart.
    Ulps(u32),
}

/// Instructions whose float results may differ from the recorded ones.
pub const TOLERANCES: &[(&str, Tolerance)] = &[
    ("tcolexpandexpdif", Tolerance::Ulps(2)),
    ("tcvt", Tolerance::Value),
    ("texp", Tolerance::Ulps(2)),
    ("tfmod", Tolerance::Value),
    ("tfmods", Tolerance::Value),
    ("tlog", Tolerance::Ulps(2)),
    ("tpow", Tolerance::Ulps(2)),
    ("tpows", Tolerance::Ulps(2)),
    ("tquant", Tolerance::Value),
    ("trelu", Tolerance::Value),
    ("trem", Tolerance::Value),
    ("trems", Tolerance::Value),
    ("trowexpandexpdif", Tolerance::Ulps(2)),
    ("trsqrt", Tolerance::Ulps(1)),
];

/// The tolerance of an instruction.
pub fn of(op: &str) -> Tolerance {
    TOLERANCES.iter().find(|(name, _)| *name == op).map_or(Tolerance::Exact, |&(_, t)| t)
}

impl std::fmt::Display for Tolerance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tolerance::Exact => f.write_str("the same bits"),
            Tolerance::Value => f.write_str("the same value, zeros of either sign"),
            Tolerance::Ulps(n) => write!(f, "{n} representable value{} apart", if *n == 1 { "" } else { "s" }),
        }
    }
}

impl Tolerance {
    /// True when `got` is close enough to `want`, both as bits of an element.
    pub fn accepts(self, ty: DType, got: u64, want: u64) -> bool {
        if got == want {
            return true;
        }
        // One code of a packed type is no value of its own.
        if ty.is_int() || ty.is_fp4() {
            return false;
        }
        let (x, y) = (decode(ty, got).real(), decode(ty, want).real());
        if x.is_nan() || y.is_nan() {
            return x.is_nan() && y.is_nan();
        }
        match self {
            Tolerance::Exact => false,
            Tolerance::Value => x == y,
            Tolerance::Ulps(n) => ordinal(ty, got).abs_diff(ordinal(ty, want)) <= u64::from(n),
        }
    }
}

/// The place of a float among the values of its type.
fn ordinal(ty: DType, bits: u64) -> i64 {
    let sign = 1_u64 << (8 * ty.bytes() - 1);
    let magnitude = (bits & (sign - 1)) as i64;
    if bits & sign != 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_apart_across_zero_too() {
        let one = Tolerance::Ulps(1);
        let f = |x: f32| u64::from(x.to_bits());
        assert!(one.accepts(DType::F32, f(1.0), f(1.0f32.next_up())));
        assert!(!one.accepts(DType::F32, f(1.0), f(1.0f32.next_up().next_up())));
        assert!(one.accepts(DType::F32, f(0.0), f(-0.0)) && one.accepts(DType::F32, f(-0.0), f(1e-45)));
        assert!(!Tolerance::Exact.accepts(DType::F32, f(0.0), f(-0.0)));
        assert!(Tolerance::Value.accepts(DType::F32, f(0.0), f(-0.0)));
        assert!(!Tolerance::Value.accepts(DType::F32, f(1.0), f(1.0f32.next_up())));
        assert!(Tolerance::Exact.accepts(DType::F16, 0x7e00, 0xfe01));
        assert!(!one.accepts(DType::I32, 4, 5));
    }
}
