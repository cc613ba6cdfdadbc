//! Two arrays that should hold the same.

use ptoc_sim::num::{Num, decode};
use ptoc_target::DType;

/// The first element in which two arrays differ beyond a tolerance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Difference {
    /// Position in elements.
    pub index: u64,
    /// What was wanted.
    pub want: Num,
    /// What is there.
    pub got: Num,
    /// How many elements differ.
    pub count: u64,
}

/// Largest relative difference of sums and products whose order is not the same. Everything else is bit-exact.
pub(crate) fn tolerance(ty: DType) -> f64 {
    match ty {
        DType::F32 => 1e-4,
        DType::F16 => 4e-3,
        DType::BF16 => 2e-2,
        _ => 0.0,
    }
}

/// Compares element by element. Any NaN equals any NaN.
pub(crate) fn first_difference(ty: DType, want: &[u8], got: &[u8], relative: f64) -> Option<Difference> {
    let width = ty.bytes() as usize;
    let mut found: Option<Difference> = None;
    for (i, (a, b)) in want.chunks_exact(width).zip(got.chunks_exact(width)).enumerate() {
        if a == b {
            continue;
        }
        let (x, y) = (decode(ty, word(a)), decode(ty, word(b)));
        if near(x, y, relative) {
            continue;
        }
        match &mut found {
            Some(d) => d.count += 1,
            None => found = Some(Difference { index: i as u64, want: x, got: y, count: 1 }),
        }
    }
    found
}

fn word(bytes: &[u8]) -> u64 {
    let mut w = [0; 8];
    for (to, from) in w.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(w)
}

pub(super) fn near(a: Num, b: Num, relative: f64) -> bool {
    match (a, b) {
        (Num::Int(a), Num::Int(b)) => a == b,
        _ => {
            let (a, b) = (a.real(), b.real());
            (a.is_nan() && b.is_nan())
                || a == b && a.is_sign_positive() == b.is_sign_positive()
                || relative > 0.0 && (a == b || (a - b).abs() <= relative * a.abs().max(b.abs()).max(1.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(list: &[f32]) -> Vec<u8> {
        list.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    #[test]
    fn the_first_difference_is_found() {
        let (a, b) = (bytes(&[1.0, f32::NAN, 3.0, 0.0]), bytes(&[1.0, f32::NAN, 3.5, -0.0]));
        let d = first_difference(DType::F32, &a, &b, 0.0).expect("element 2");
        assert_eq!((d.index, d.want, d.got, d.count), (2, Num::Float(3.0), Num::Float(3.5), 2));
        assert_eq!(first_difference(DType::F32, &a, &a, 0.0), None);
    }

    #[test]
    fn a_tolerance_is_relative() {
        let (a, b) = (bytes(&[1000.0]), bytes(&[1000.05]));
        assert!(first_difference(DType::F32, &a, &b, 0.0).is_some());
        assert!(first_difference(DType::F32, &a, &b, 1e-4).is_none());
    }
}
