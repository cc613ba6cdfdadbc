//! Vector instructions.

use super::{Decoded, Source, Undecoded, call};
use crate::machine::Arg;

/// A2/A3: the calls have the order of the operations.
pub(super) fn unified_buffer(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    match name {
        "vdup" => s.plain("vector_dup"),
        "set_mask" => s.plain("set_vector_mask"),
        "set_va_reg_sb" => {
            let va = s.ir.int_attr(s.op, "va").unwrap_or(0);
            let addresses = s.values.iter().filter_map(|v| v.arg()).collect();
            Ok(call(name, [Arg::Word(va_name(va)), Arg::List(addresses)]))
        }
        "scatter_vnchwconv_b8" | "scatter_vnchwconv_b16" | "scatter_vnchwconv_b32" => {
            let va = |n| Arg::Word(va_name(s.ir.int_attr(s.op, n).unwrap_or(0)));
            let mut args = vec![va("dst_va"), va("src_va"), s.arg("repeat")?, s.arg("dstStride")?, s.arg("srcStride")?];
            if name.ends_with("b8") {
                args.extend(["dst_high_half", "src_high_half"].map(|n| Arg::Int(s.flag(n).into())));
            }
            Ok(call(name, args))
        }
        _ => s.plain(name),
    }
}

fn va_name(n: i128) -> &'static str {
    const NAMES: [&str; 8] = ["VA0", "VA1", "VA2", "VA3", "VA4", "VA5", "VA6", "VA7"];
    usize::try_from(n).ok().and_then(|n| NAMES.get(n)).copied().unwrap_or("VA?")
}

/// A5: destinations first, predicates where the headers have them, words in the headers' spelling.
pub(super) fn registers(s: &Source<'_>, name: &'static str) -> Result<Decoded, Undecoded> {
    Ok(match name {
        "plt_b8" | "plt_b16" | "plt_b32" => call(
            name,
            [s.result(0)?, s.values.first().and_then(|v| v.arg()).ok_or("no count")?, Arg::Word("POST_UPDATE")],
        ),
        "vlds" => {
            let dist = match s.word("dist").unwrap_or("NORM") {
                "BRC_BLK" => "BLK",
                "UNPK4" => "UNPK4_B8",
                d => d,
            };
            call(name, [s.result(0)?, s.arg("source")?, s.arg("offset")?, Arg::Word(dist)])
        }
        "vldsx2" => {
            let dist = s.word("dist").unwrap_or("DINTLV_B32");
            call("vlds", [s.result(0)?, s.result(1)?, s.arg("source")?, s.arg("offset")?, Arg::Word(dist)])
        }
        "vsts" => {
            let value = s.arg("value")?;
            let dist = match s.word("dist") {
                Some("1PT_B8") => "ONEPT_B8",
                Some("1PT_B16") => "ONEPT_B16",
                Some("1PT_B32") => "ONEPT_B32",
                Some(d) => d,
                None => norm(&value),
            };
            call(name, [value, s.arg("destination")?, s.arg("offset")?, Arg::Word(dist), s.arg("mask")?])
        }
        "vstsx2" => {
            let dist = s.word("dist").unwrap_or("INTLV_B32");
            let (low, high) = (s.arg("low")?, s.arg("high")?);
            call("vsts", [low, high, s.arg("destination")?, s.arg("offset")?, Arg::Word(dist), s.arg("mask")?])
        }
        "vsstb" => {
            let stride = s.int("block_stride")? as u16;
            let cfg = i64::from(stride) << 16 | i64::from(s.int("repeat_stride")? as u16);
            call(name, [s.arg("value")?, s.arg("destination")?, Arg::Int(cfg), s.arg("mask")?])
        }
        "vldas" => call(name, [s.result(0)?, s.arg("source")?]),
        "vldus" => call(name, [s.result(0)?, s.arg("align")?, s.arg("source")?]),
        "vstus" => {
            let mut args = vec![s.arg("align_in")?, s.arg("offset")?, s.arg("value")?, s.arg("base")?];
            if s.results.len() > 1 {
                args.push(Arg::Word("POST_UPDATE"));
            }
            call(name, args)
        }
        "vstas" => call(name, [s.arg("value")?, s.arg("destination")?, s.arg("offset")?]),
        "vstur" => call(name, [s.arg("align_in")?, s.arg("value")?, s.arg("base")?, Arg::Word("POST_UPDATE")]),
        "vstar" => call(name, [s.arg("value")?, s.arg("destination")?]),
        "vcvt" => {
            let mut args = vec![s.result(0)?, s.arg("input")?, s.arg("mask")?];
            args.extend(s.word("rnd").map(|w| Arg::Word(rounding(w))));
            args.extend(s.word("sat").map(|w| {
                Arg::Word(match w {
                    "SAT" => "RS_ENABLE",
                    "NOSAT" => "RS_DISABLE",
                    w => w,
                })
            }));
            args.extend(s.word("part").map(|w| Arg::Word(part(w))));
            call(name, args)
        }
        "vtrc" => {
            let round = rounding(s.word("round_mode").unwrap_or("R"));
            call(name, [s.result(0)?, s.arg("input")?, Arg::Word(round), s.arg("mask")?])
        }
        "vexpdif" => {
            let half = part(s.word("part").unwrap_or("EVEN"));
            call(name, [s.result(0)?, s.arg("input")?, s.arg("max")?, s.arg("mask")?, Arg::Word(half)])
        }
        "vcmp" => {
            let name = compare(s.word("cmp_mode").unwrap_or("eq"), false);
            call(name, [s.result(0)?, s.arg("src0")?, s.arg("src1")?, s.arg("mask")?])
        }
        "vcmps" => {
            let name = compare(s.word("cmp_mode").unwrap_or("eq"), true);
            call(name, [s.result(0)?, s.arg("src")?, s.arg("scalar")?, s.arg("mask")?])
        }
        "vdup" => {
            let mut args = vec![s.result(0)?, s.arg("input")?, s.arg("mask")?];
            if let Some(p) = s.word("position") {
                args.push(Arg::Word(if p == "HIGHEST" { "POS_HIGHEST" } else { "POS_LOWEST" }));
            }
            args.push(Arg::Word("MODE_ZEROING"));
            call(name, args)
        }
        "vci" => {
            let mut args = vec![s.result(0)?, s.arg("index")?];
            args.extend(s.word("order").map(|o| Arg::Word(if o == "DESC" { "DEC_ORDER" } else { "INC_ORDER" })));
            call(name, args)
        }
        // The accumulator is a register of its own here and the destination there.
        "vmula" | "vmadd" => {
            let mut d = call(name, [s.result(0)?, s.arg("lhs")?, s.arg("rhs")?, s.arg("mask")?]);
            d.copy_first = Some((s.result(0)?, s.arg("acc")?));
            d
        }
        "vaxpy" => {
            let mut d = call(name, [s.result(0)?, s.arg("src1")?, s.arg("alpha")?, s.arg("mask")?]);
            d.copy_first = Some((s.result(0)?, s.arg("src0")?));
            d
        }
        "vaddc" | "vsubc" | "vaddcs" | "vsubcs" => {
            // The carry comes first in the headers.
            let mut d = s.plain(name)?;
            d.args.swap(0, 1);
            d
        }
        _ => s.plain(name)?,
    })
}

fn norm(value: &Arg) -> &'static str {
    match value {
        Arg::Reg { elem, .. } => match elem.bytes() {
            1 => "NORM_B8",
            2 => "NORM_B16",
            _ => "NORM_B32",
        },
        _ => "NORM_B32",
    }
}

fn rounding(word: &'static str) -> &'static str {
    match word {
        "R" => "ROUND_R",
        "A" => "ROUND_A",
        "F" => "ROUND_F",
        "C" => "ROUND_C",
        "Z" => "ROUND_Z",
        "O" => "ROUND_O",
        "H" => "ROUND_H",
        w => w,
    }
}

fn part(word: &'static str) -> &'static str {
    match word {
        "EVEN" => "PART_EVEN",
        "ODD" => "PART_ODD",
        "P0" => "PART_P0",
        "P1" => "PART_P1",
        "P2" => "PART_P2",
        "P3" => "PART_P3",
        w => w,
    }
}

fn compare(mode: &str, scalar: bool) -> &'static str {
    match (mode, scalar) {
        ("eq", false) => "vcmp_eq",
        ("ne", false) => "vcmp_ne",
        ("lt", false) => "vcmp_lt",
        ("le", false) => "vcmp_le",
        ("gt", false) => "vcmp_gt",
        ("ge", false) => "vcmp_ge",
        ("eq", true) => "vcmps_eq",
        ("ne", true) => "vcmps_ne",
        ("lt", true) => "vcmps_lt",
        ("le", true) => "vcmps_le",
        ("gt", true) => "vcmps_gt",
        _ => "vcmps_ge",
    }
}
