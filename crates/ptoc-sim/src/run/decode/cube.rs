//! Products, loads of their operands, and drains of the accumulator.

use super::transfer::swapped;
use super::{Decoded, Source, Undecoded, call};
use crate::machine::{Arg, Ptr};
use crate::run::pipes::UnitFlag;
use ptoc_target::Arch;

pub(super) fn decode(s: &Source<'_>, name: &'static str) -> Option<Result<Decoded, Undecoded>> {
    Some(match name {
        "mad" | "mad_acc" | "mad_bias" => product(s, name, "mad"),
        "mad_mx" | "mad_mx_acc" | "mad_mx_bias" => product(s, name, "mad_mx"),
        "load_cbuf_to_ca_2d" => load_2d(s, "load_cbuf_to_ca"),
        "load_cbuf_to_cb_2d" => load_2d(s, "load_cbuf_to_cb"),
        "load_cbuf_to_ca_transpose" | "load_cbuf_to_cb_transpose" => swapped(s, name).map(|mut d| {
            // The call has the address mode before the last gap.
            let n = d.args.len();
            d.args.swap(n - 2, n - 1);
            d
        }),
        "load_cbuf_to_ca" | "load_cbuf_to_cb" | "load_cbuf_to_ca_s4" | "load_cbuf_to_cb_s4" | "load_cbuf_to_ca_mx"
        | "load_cbuf_to_cb_mx" => swapped(s, name),
        "mte_l1_l0a" => steps(s, "load_cbuf_to_ca"),
        "mte_l1_l0b" => steps(s, "load_cbuf_to_cb"),
        "img2colv2_cbuf_to_ca" | "img2colv2_cbuf_to_cb" => feature_map(s, name),
        "copy_matrix_cc_to_gm" | "copy_matrix_cc_to_cbuf" | "copy_matrix_cc_to_ub" => drain(s, name),
        _ => return None,
    })
}

fn pointer(a: &Arg) -> Result<Ptr, Undecoded> {
    match a {
        Arg::Ptr(p) => Ok(*p),
        _ => Err("an operand is no pointer".into()),
    }
}

fn product(s: &Source<'_>, form: &str, name: &'static str) -> Result<Decoded, Undecoded> {
    let (c, a, b) = (s.arg("dst")?, s.arg("lhs")?, s.arg("rhs")?);
    let phase = match s.word("unit_flag_mode") {
        Some("check_only") => 2,
        Some("check_and_set") => 3,
        _ => 0,
    };
    let bias = form.ends_with("bias");
    let address = pointer(&c)?.addr;
    let c = if bias { Arg::List(vec![c, s.arg("bias")?]) } else { c };
    // A5 has the switch against matrix-vector products here, A2/A3 the alignment of k.
    let fourth = if s.arch == Arch::A5 { s.flag("disable_gemv") } else { s.flag("k_direction_align") };
    let starts_at_zero = !bias && !form.ends_with("acc");
    let mut d = call(
        name,
        [
            c,
            a,
            b,
            s.arg("m")?,
            s.arg("k")?,
            s.arg("n")?,
            Arg::Int(phase),
            Arg::Int(fourth.into()),
            Arg::Int(bias.into()),
            Arg::Int(starts_at_zero.into()),
        ],
    );
    d.unit_flag = (phase != 0).then_some(UnitFlag { producer: true, last: phase == 3, address });
    Ok(d)
}

fn load_2d(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    let mut args = vec![s.arg("destination")?, s.arg("source")?];
    for n in ["base_idx", "repeat", "src_stride", "dst_gap", "sid"] {
        args.push(s.arg(n)?);
    }
    args.push(Arg::Int(s.flag("transpose").into()));
    args.push(Arg::Int(s.ir.int_attr(s.op, "addr_cal_mode").unwrap_or(0) as i64));
    Ok(call(name, args))
}

fn steps(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    let mut args = vec![s.arg("destination")?, s.arg("source")?];
    for n in ["m_start", "k_start", "m_step", "k_step", "src_stride", "dst_stride"] {
        args.push(s.arg(n)?);
    }
    args.push(Arg::Int(s.flag("transpose").into()));
    Ok(call(name, args))
}

fn feature_map(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    let mut args = vec![s.arg("destination")?, s.arg("source")?];
    for n in ["step_k", "step_m", "pos_k", "pos_m", "stride_w", "stride_h"] {
        args.push(s.arg(n)?);
    }
    let filter = [s.int("filter_w")?, s.int("filter_h")?];
    args.extend(filter.map(|n| Arg::Int(n & 255)));
    args.extend([s.arg("dilation_w")?, s.arg("dilation_h")?]);
    args.extend(filter.map(|n| Arg::Int((n > 255).into())));
    args.extend(["transpose", "fmatrix_b"].map(|n| Arg::Int(s.flag(n).into())));
    args.push(s.arg("channel_size")?);
    Ok(call(name, args))
}

/// The two configuration words of a drain: sizes and the destination stride; the source stride and the modes.
fn drain(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    let (from, to) = (s.values.first(), s.values.get(1));
    let (Some(from), Some(to)) = (from.and_then(|v| v.arg()), to.and_then(|v| v.arg())) else {
        return Err("source and destination are missing".into());
    };
    let word = |i: usize| s.values.get(i).and_then(|v| v.int()).ok_or("a configuration word is missing");
    let (xm, xt) = (word(2)? as u64, word(3)? as u64);
    let field = |w: u64, at: u32, bits: u32| Arg::Int((w >> at & ((1 << bits) - 1)) as i64);
    let phase = xt >> 32 & 3;
    let address = pointer(&from)?.addr;
    let unit_flag = (phase >= 2).then_some(UnitFlag { producer: false, last: phase == 3, address });
    let sizes = [field(xm, 4, 12), field(xm, 16, 16), field(xm, 32, 32), field(xt, 0, 16)];
    let quant = Arg::Int((xt >> 34 & 31 | (xt >> 29 & 1) << 5) as i64);
    let (relu, split) = (field(xt, 39, 3), field(xt, 42, 1));
    let (rows, columns) = (field(xt, 43, 1), field(xt, 62, 1));
    let unit = Arg::Int(phase as i64);
    let zero = || Arg::Int(0);
    let mut args = vec![to, from];
    match (name, s.arch) {
        ("copy_matrix_cc_to_gm", _) => args.extend([Arg::Int(xm as i64), Arg::Int(xt as i64)]),
        (_, Arch::A2A3) => {
            args.push(zero());
            args.extend(sizes);
            args.extend([unit, quant, relu, split, rows]);
        }
        (_, Arch::A5) => {
            args.push(zero());
            args.extend(sizes);
            if name.ends_with("ub") {
                args.extend([field(xt, 16, 2), field(xt, 18, 1), zero(), unit, quant, relu, split, rows]);
            } else {
                args.extend([zero(), zero(), unit, quant, relu, split, rows]);
            }
            // From the second quantisation to the broadcast: off.
            args.extend(std::iter::repeat_with(zero).take(10));
            args.push(columns);
        }
    }
    let mut d = call(name, args);
    d.unit_flag = unit_flag;
    Ok(d)
}
