//! TIMG2COL: windows of a feature map as rows of a matrix.

use super::{Inst, Meaning, Refusal};
use crate::num::{Num, encode};

pub(super) const MEANINGS: &[(&str, Meaning)] = &[("timg2col", timg2col)];

/// Row `m` of the virtual matrix is an output position, counted over batch, height, width; column `k` is `c1, kh, kw, c0`.
/// `dst` gets its valid region from row `pos_m`, column `pos_k` on. Taps outside the map read `pad_value`.
///
/// `src` is a view `[n, c1, h, w, c0]` of L1.
fn timg2col(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let number = |name: &str, least: i64, absent: i64| match inst.int(name).unwrap_or(absent) {
        n if n >= least && n <= 1 << 20 => Ok(n),
        n => Err(inst.illegal(format_args!("{name} is {n}"))),
    };
    let (left, right) = (number("pad_left", 0, 0)?, number("pad_right", 0, 0)?);
    let (top, bottom) = (number("pad_top", 0, 0)?, number("pad_bottom", 0, 0)?);
    let (fh, fw) = (number("filter_h", 1, 1)?, number("filter_w", 1, 1)?);
    let (sh, sw) = (number("stride_h", 1, 1)?, number("stride_w", 1, 1)?);
    let (dh, dw) = (number("dilation_h", 1, 1)?, number("dilation_w", 1, 1)?);
    let (pos_m, pos_k) = (number("pos_m", 0, 0)?, number("pos_k", 0, 0)?);
    inst.update("dst", |inst, dst| {
        let src = inst.tensor("src")?;
        let [n, c1, h, w, c0] = src.shape.map(|n| n.min(1 << 20) as i64);
        let out = |size: i64, pads: i64, filter: i64, dilation: i64, stride: i64| {
            let reach = dilation * (filter - 1) + 1;
            ((size + pads - reach) / stride + 1).max(0)
        };
        let (ho, wo) = (out(h, top + bottom, fh, dh, sh), out(w, left + right, fw, dw, sw));
        let pad = match inst.attr("pad_value") {
            Some(super::Attr::Scalar(s)) => s.bits,
            _ => {
                let n = i128::from(inst.int("pad_value").unwrap_or(0));
                encode(src.dtype, if src.dtype.is_int() { Num::Int(n) } else { Num::Float(n as f64) })
            }
        };
        for r in 0..dst.valid_rows {
            for c in 0..dst.valid_cols {
                let (m, k) = (r as i64 + pos_m, c as i64 + pos_k);
                let taps = fh * fw * c0;
                if ho * wo == 0 || m >= n * ho * wo || k >= c1 * taps {
                    return Err(inst.illegal(format_args!("row {m}, column {k} is outside the matrix of the map")));
                }
                let (batch, oh, ow) = (m / (ho * wo), m / wo % ho, m % wo);
                let (plane, kh, kw, lane) = (k / taps, k / (fw * c0) % fh, k / c0 % fw, k % c0);
                let (y, x) = (oh * sh - top + kh * dh, ow * sw - left + kw * dw);
                let inside = (0..h).contains(&y) && (0..w).contains(&x);
                let bits = if inside {
                    let at = src.flat([batch, plane, y, x, lane].map(|i| i as u64));
                    at.and_then(|at| src.bits(at))
                        .ok_or_else(|| inst.illegal("the map is shorter than its shape says"))?
                } else {
                    pad
                };
                dst.set_bits(r, c, bits);
            }
        }
        Ok(())
    })
}
