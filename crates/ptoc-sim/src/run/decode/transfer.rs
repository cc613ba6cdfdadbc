//! Transfers: destination before source in the calls, and loop and pad registers for the structured ones.

use super::{Decoded, Source, Undecoded, call};
use crate::machine::Arg;
use ptoc_target::Arch;

/// A transfer with the headers' name.
pub(super) fn decode(s: &Source<'_>, name: &'static str) -> Option<Result<Decoded, Undecoded>> {
    Some(match name {
        "copy_gm_to_ubuf_align_b8"
        | "copy_gm_to_ubuf_align_b16"
        | "copy_gm_to_ubuf_align_b32"
        | "copy_ubuf_to_gm_align_b8"
        | "copy_ubuf_to_gm_align_b16"
        | "copy_ubuf_to_gm_align_b32"
        | "copy_gm_to_cbuf_multi_nd2nz_b8"
        | "copy_gm_to_cbuf_multi_nd2nz_b16"
        | "copy_gm_to_cbuf_multi_nd2nz_b32s"
        | "copy_gm_to_cbuf_multi_nd2nz"
        | "copy_gm_to_cbuf_multi_dn2nz"
        | "copy_cbuf_to_gm"
        | "copy_ubuf_to_cbuf"
        | "copy_gm_to_cbuf_align_v2"
        | "copy_cbuf_to_bt"
        | "copy_cbuf_to_fbuf" => swapped(s, name),
        "copy_gm_to_ubuf" => swapped(s, "copy_gm_to_ubuf_align_v2"),
        "copy_ubuf_to_gm" => swapped(s, "copy_ubuf_to_gm_align_v2"),
        "copy_gm_to_cbuf" => swapped(s, name).map(|mut d| {
            // The operation has neither the sid nor the pad mode of the call.
            d.args.insert(2, Arg::Int(0));
            d.args.push(Arg::Int(0));
            d
        }),
        "copy_ubuf_to_ubuf" => swapped(s, name).map(|mut d| {
            if s.arch == Arch::A5 {
                // No sid there.
                d.args.remove(2);
            }
            d
        }),
        "create_cbuf_matrix" => fill(s),
        "mte_gm_ub" => gm_to_ub(s),
        "mte_ub_gm" => ub_to_gm(s),
        "mte_gm_l1_frac" => to_fractals(s),
        "mte_l1_bt" | "mte_l1_fb" => parameters(s, name),
        _ => return None,
    })
}

/// The operation names the source first.
pub(super) fn swapped(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    let mut d = s.plain(name)?;
    if d.args.len() < 2 {
        return Err("source and destination are missing".into());
    }
    d.args.swap(0, 1);
    Ok(d)
}

/// The pattern comes with its own width in the operation, and with the destination's in the call.
fn fill(s: &Source<'_>) -> Result<Decoded, Undecoded> {
    let field = |n: &str, shift: u32, bits: u32| -> Result<i64, Undecoded> {
        let v = s.int(n)?;
        if v < 0 || v >= 1 << bits { Err(format!("`{n}` is {v}, outside its {bits} bits")) } else { Ok(v << shift) }
    };
    let cfg = field("repeat_times", 0, 15)? | field("block_num_32b", 16, 15)? | field("dst_gap_32b", 32, 15)?;
    Ok(call("create_cbuf_matrix", [s.arg("dst")?, Arg::Int(cfg), s.arg("raw_value")?]))
}

/// Sizes and strides of up to two outer loops: counts and strides as the operation lists them, innermost first.
struct Loops {
    size: u64,
    strides: [u64; 2],
}

const LOW40: u64 = (1 << 40) - 1;

fn loops(s: &Source<'_>, low: &str, high: &str) -> Result<Loops, Undecoded> {
    let list = |n: &str| -> Result<Vec<u64>, Undecoded> {
        s.segment(n).iter().map(|v| v.int().map(|n| n as u64).ok_or_else(|| format!("`{n}` is no number"))).collect()
    };
    let (counts, lows, highs) = (list("loop_counts")?, list(low)?, list(high)?);
    if counts.len() > 2 || counts.len() != lows.len() || counts.len() != highs.len() {
        return Err(format!("{} loops; the transfer has at most two", counts.len()));
    }
    let count = |i: usize| counts.get(i).copied().unwrap_or(1) & 0x1f_ffff;
    let stride =
        |i: usize| (lows.get(i).copied().unwrap_or(0) & LOW40) | (highs.get(i).copied().unwrap_or(0) & 0x1f_ffff) << 40;
    Ok(Loops { size: count(0) | count(1) << 21, strides: [stride(0), stride(1)] })
}

fn gm_to_ub(s: &Source<'_>) -> Result<Decoded, Undecoded> {
    let l = loops(s, "loop_src_strides", "loop_dst_strides")?;
    let mut special = *s.special;
    special.loops[0] = [l.size, l.strides[0], l.strides[1]];
    let padded = s.value("pad_value");
    if let Some(v) = padded {
        special.pad_val = match v.arg() {
            Some(Arg::Int(n)) => n as u64,
            Some(Arg::Float { bits, .. }) => bits,
            _ => return Err("the pad is no number".into()),
        };
    }
    let counts = ["left_padding_count", "right_padding_count"].map(|n| s.int(n).unwrap_or(0));
    let mut d = call(
        "copy_gm_to_ubuf_align_v2",
        [
            s.arg("destination")?,
            s.arg("source")?,
            Arg::Int(0),
            s.arg("n_burst")?,
            s.arg("len_burst")?,
            Arg::Int(counts[0]),
            Arg::Int(counts[1]),
            Arg::Int(padded.is_some().into()),
            s.arg("l2_cache_ctl")?,
            s.arg("nburst_src_stride")?,
            s.arg("nburst_dst_stride")?,
        ],
    );
    d.special = Some(special);
    Ok(d)
}

fn ub_to_gm(s: &Source<'_>) -> Result<Decoded, Undecoded> {
    // The register of stores has the step in global memory (the destination) in its low bits.
    let l = loops(s, "loop_dst_strides", "loop_src_strides")?;
    let mut special = *s.special;
    special.loops[2] = [l.size, l.strides[0], l.strides[1]];
    let mut d = call(
        "copy_ubuf_to_gm_align_v2",
        [
            s.arg("destination")?,
            s.arg("source")?,
            Arg::Int(0),
            s.arg("n_burst")?,
            s.arg("len_burst")?,
            Arg::Int(s.int("l2_cache_ctl").unwrap_or(0)),
            s.arg("nburst_dst_stride")?,
            s.arg("nburst_src_stride")?,
        ],
    );
    d.special = Some(special);
    Ok(d)
}

fn to_fractals(s: &Source<'_>) -> Result<Decoded, Undecoded> {
    let field = |n: &str| s.int(n).map(|v| v as u64 & 0xffff);
    let mut special = *s.special;
    special.mte2_nz_para = field("group_count")?
        | field("dst_loop2_stride")? << 16
        | field("dst_loop3_stride")? << 32
        | field("dst_loop4_stride")? << 48;
    let name =
        if s.word("mode") == Some("dn2nz") { "copy_gm_to_cbuf_multi_dn2nz" } else { "copy_gm_to_cbuf_multi_nd2nz" };
    let outer = Arg::Int(s.int("src_outer_stride").unwrap_or(0));
    let mut d = call(
        name,
        [
            s.arg("destination")?,
            s.arg("source")?,
            Arg::Int(0),
            s.arg("src_inner_stride")?,
            s.arg("l2_cache_ctrl")?,
            s.arg("n_value")?,
            s.arg("d_value")?,
            outer,
            s.arg("smallc0_en")?,
        ],
    );
    d.special = Some(special);
    Ok(d)
}

fn parameters(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    let mut args = vec![s.arg("destination")?, s.arg("source")?];
    if name == "mte_l1_bt" {
        args.push(Arg::Int(0));
    }
    for n in ["n_burst", "len_burst", "nburst_src_gap", "nburst_dst_gap"] {
        args.push(s.arg(n)?);
    }
    Ok(call(if name == "mte_l1_bt" { "copy_cbuf_to_bt" } else { "copy_cbuf_to_fbuf" }, args))
}
