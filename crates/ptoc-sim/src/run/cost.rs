//! How long an intrinsic takes, in cycles of a core.
//!
//! A2/A3: the table published with the reference library (cycles for each repeat, a head when the pipe was idle, a tail when
//! it is drained; bandwidths at 1.85 GHz). A5: issue intervals of its vector unit from the same source; its transfers are
//! guessed to have the bandwidths of A2/A3. `docs/machine.md` says the same for readers.

use crate::machine::{Access, Arg, MaskMode, Special};
use ptoc_target::{Arch, Loc, REPEAT_BYTES};

/// Cost of a vector instruction of A2/A3: head, cycles for each repeat, tail, and whether count mode adds [`COUNT_MODE`].
type Linear = (u64, u64, u64, bool);

/// What most vector instructions of A2/A3 take.
const COMMON: Linear = (6, 2, 0, false);
/// All conversions.
const CONVERT: Linear = (14, 2, 18, false);
/// Added in count mode.
const COUNT_MODE: u64 = 16;

const LINEAR: &[(&str, Linear)] = &[
    ("vadd", (10, 2, 14, true)),
    ("vsub", (10, 2, 14, true)),
    ("vmax", (10, 2, 14, true)),
    ("vmin", (10, 2, 14, true)),
    ("vmul", (10, 2, 15, true)),
    ("vdiv", (11, 4, 19, true)),
    ("vand", (8, 2, 12, true)),
    ("vor", (8, 2, 12, true)),
    ("vnot", (8, 2, 12, false)),
    ("vadds", (13, 1, 18, false)),
    ("vmuls", (11, 1, 15, false)),
    ("vlrelu", (11, 1, 15, false)),
    ("vmaxs", (10, 1, 13, false)),
    ("vmins", (14, 1, 16, false)),
    ("vrelu", (10, 1, 13, false)),
    ("vabs", (13, 1, 16, false)),
    ("vexp", (13, 2, 18, false)),
    ("vln", (13, 2, 20, false)),
    ("vsqrt", (14, 2, 25, false)),
    ("vrsqrt", (10, 1, 14, false)),
    ("vcopy", (11, 1, 13, false)),
    ("vector_dup", (11, 1, 13, false)),
    ("vsel", (13, 2, 14, false)),
    ("vcmpv_ge", (14, 2, 22, false)),
    ("vcadd", (14, 7, 32, false)),
    ("vcgadd", (14, 1, 24, false)),
    ("vcgmax", (14, 1, 17, false)),
    ("vcgmin", (14, 1, 17, false)),
    ("vbrcb", (0, 0, 18, false)),
    ("vreducev2", (14, 14, 20, false)),
];

/// Cycles between the start of a vector instruction of A5 and that of the next one; 1 for all others.
const INTERVAL: &[(&str, u64)] = &[
    ("vadd", 2),
    ("vsub", 2),
    ("vmul", 2),
    ("vmax", 2),
    ("vmin", 2),
    ("vdiv", 4),
    ("vexp", 4),
    ("vln", 4),
    ("vsqrt", 4),
];

/// Start-up and drain of a vector scope of A5.
pub(crate) const SCOPE: u64 = 23 + 12;

/// Bytes a cycle, times 100, at 1.85 GHz: from, to, bandwidth.
const BANDWIDTH: &[(Loc, Loc, u64)] = &[
    (Loc::Gm, Loc::Vec, 10_090),
    (Loc::Gm, Loc::Mat, 13_500),
    (Loc::Vec, Loc::Gm, 18_846),
    (Loc::Mat, Loc::Gm, 3_200),
    (Loc::Vec, Loc::Vec, 102_400),
    (Loc::Vec, Loc::Mat, 18_846),
    (Loc::Acc, Loc::Gm, 7_000),
    (Loc::Acc, Loc::Mat, 12_800),
    (Loc::Acc, Loc::Vec, 12_800),
    (Loc::Mat, Loc::Left, 44_100),
    (Loc::Mat, Loc::Right, 22_050),
    (Loc::Mat, Loc::Bias, 3_200),
    (Loc::Mat, Loc::Scaling, 3_200),
];

/// Cycles of one intrinsic that made these accesses. `idle` when its pipe had nothing to do before.
pub(crate) fn cycles(arch: Arch, name: &str, args: &[Arg], special: &Special, accesses: &[Access], idle: bool) -> u64 {
    if name == "mad" || name == "mad_mx" {
        return product(args);
    }
    let written = accesses.iter().find(|a| a.write);
    let read = accesses.iter().find(|a| !a.write);
    if let (Some(r), Some(w)) = (read, written)
        && let Some(&(_, _, speed)) = BANDWIDTH.iter().find(|(f, t, _)| *f == r.space && *t == w.space)
        && name.contains("_to_")
    {
        let bytes: u64 = accesses.iter().filter(|a| a.write).map(|a| a.len).sum();
        // GB/s over 1.85 GHz are bytes a cycle.
        return (bytes * 185).div_ceil(speed).max(1);
    }
    match arch {
        Arch::A5 => INTERVAL.iter().find(|(n, _)| *n == name).map_or(1, |&(_, c)| c),
        Arch::A2A3 => {
            let found = LINEAR.iter().find(|(n, _)| *n == name).map(|&(_, l)| l);
            let convert = name.starts_with("vconv_");
            let (head, each, _, counts) = found.unwrap_or(if convert { CONVERT } else { COMMON });
            let repeats = match special.mask_mode {
                MaskMode::Norm => args
                    .iter()
                    .find_map(|a| if let Arg::Int(n) = a { Some((*n).clamp(0, 255) as u64) } else { None })
                    .unwrap_or(1),
                MaskMode::Count => {
                    let width = args.iter().find_map(|a| if let Arg::Ptr(p) = a { p.elem } else { None });
                    (special.mask as u64).div_ceil(REPEAT_BYTES / width.map_or(4, |w| w.bytes()))
                }
            };
            let floor = if counts && special.mask_mode == MaskMode::Count { COUNT_MODE } else { 0 };
            (if idle { head } else { 0 }) + each * repeats + floor
        }
    }
}

/// Cycles that draining the vector pipe of A2/A3 adds after an instruction.
pub(crate) fn tail(arch: Arch, name: &str) -> u64 {
    if arch == Arch::A5 || !name.starts_with('v') {
        return 0;
    }
    let found = LINEAR.iter().find(|(n, _)| *n == name).map(|&(_, l)| l);
    found.unwrap_or(if name.starts_with("vconv_") { CONVERT } else { COMMON }).2
}

/// `ceil(m/16) x ceil(k in 32-byte groups) x ceil(n/16)`, twice for f32, and a head.
fn product(args: &[Arg]) -> u64 {
    let n = |i: usize| match args.get(i) {
        Some(Arg::Int(n)) => (*n).max(0) as u64,
        _ => 0,
    };
    let width = match args.get(1) {
        Some(Arg::Ptr(p)) => p.elem.map_or(2, |e| e.bytes()),
        _ => 2,
    };
    let once = n(3).div_ceil(16) * (n(4) * width).div_ceil(32) * n(5).div_ceil(16);
    COMMON.0 + once * if width == 4 { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Ptr;
    use ptoc_target::DType;

    fn ptr(space: Loc, elem: DType) -> Arg {
        Arg::Ptr(Ptr { space, addr: 0, elem: Some(elem) })
    }

    #[test]
    fn sixteen_repeats_of_vadd() {
        let p = ptr(Loc::Vec, DType::F32);
        let mut args = vec![p.clone(), p.clone(), p];
        args.extend([16, 1, 1, 1, 8, 8, 8].map(Arg::Int));
        let s = Special::default();
        assert_eq!(cycles(Arch::A2A3, "vadd", &args, &s, &[], true), 10 + 2 * 16);
        assert_eq!(cycles(Arch::A2A3, "vadd", &args, &s, &[], false), 2 * 16);
    }

    #[test]
    fn a_product_of_whole_fractals() {
        let mut args = vec![ptr(Loc::Acc, DType::F32), ptr(Loc::Left, DType::F16), ptr(Loc::Right, DType::F16)];
        args.extend([32, 64, 48].map(Arg::Int));
        // 2 x 4 x 3 fractals of 16 x 16 x 16.
        assert_eq!(cycles(Arch::A5, "mad", &args, &Special::default(), &[], false), 6 + 24);
    }

    #[test]
    fn a_load_takes_its_bytes_over_the_bandwidth() {
        let access = |space, write| Access { space, start: 0, len: 10_090, write, undefined: false };
        let list = [access(Loc::Gm, false), access(Loc::Vec, true)];
        // 100.9 GB/s at 1.85 GHz are 54.5 bytes a cycle.
        assert_eq!(cycles(Arch::A2A3, "copy_gm_to_ubuf_align_b32", &[], &Special::default(), &list, true), 185);
    }
}
