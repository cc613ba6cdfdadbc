//! Data movement as what it does, so that two sequences can be compared: bytes copied from where to where, bytes zeroed, and
//! for fractal loads, products and the fix pipe the fields of the instruction.

use super::exec::{Issue, Run, Val};
use serde_json::Value;
use std::collections::HashMap;

/// What a sequence moves.
#[derive(Default, Debug, PartialEq)]
pub struct Moves {
    /// Destination, source, length; adjacent pieces are joined. Source -1: zeros.
    pub bytes: Vec<(i64, i64, i64)>,
    /// Everything else, sorted.
    pub rest: Vec<String>,
}

/// A transfer of bursts: counts and steps in bytes.
struct Bursts {
    dst: i64,
    src: i64,
    count: i64,
    length: i64,
    dst_step: i64,
    src_step: i64,
}

impl Moves {
    fn bursts(&mut self, b: Bursts) {
        for i in 0..b.count {
            let src = if b.src < 0 { -1 } else { b.src + i * b.src_step };
            self.bytes.push((b.dst + i * b.dst_step, src, b.length));
        }
    }

    fn done(mut self) -> Self {
        self.rest.sort();
        self.bytes.sort();
        let mut joined: Vec<(i64, i64, i64)> = Vec::new();
        for (dst, src, len) in self.bytes {
            match joined.last_mut() {
                Some((d, s, l)) if *d + *l == dst && (*s + *l == src || (*s == -1 && src == -1)) => *l += len,
                _ if len > 0 => joined.push((dst, src, len)),
                _ => {}
            }
        }
        self.bytes = joined;
        self
    }
}

/// The fields of a drain of the accumulator.
fn drain(space: &str, fields: &[(&str, i64)]) -> String {
    let mut s = format!("drain {space}");
    for (n, v) in fields {
        s += &format!(" {n}={v}");
    }
    s
}

fn bits(word: i64, at: u32, width: u32) -> i64 {
    ((word as u64 >> at) & ((1 << width) - 1)) as i64
}

/// The two words of a drain, by the fields of the machine description.
fn drain_words(space: &str, dst: i64, src: i64, sizes: i64, modes: i64) -> String {
    drain(
        space,
        &[
            ("dst", dst),
            ("src", src),
            ("n", bits(sizes, 4, 12)),
            ("m", bits(sizes, 16, 16)),
            ("dst_stride", bits(sizes, 32, 32)),
            ("src_stride", bits(modes, 0, 16)),
            ("dual", bits(modes, 16, 2)),
            ("core", bits(modes, 18, 1)),
            ("unit", bits(modes, 32, 2)),
            ("quant", bits(modes, 29, 1) << 5 | bits(modes, 34, 5)),
            ("relu", bits(modes, 39, 3)),
            ("split", bits(modes, 42, 1)),
            ("nd", bits(modes, 43, 1)),
            ("dn", bits(modes, 62, 1)),
        ],
    )
}

/// The number of a conversion mode.
fn quant(name: &str) -> i64 {
    match name {
        "NoQuant" => 0,
        "F322F16" => 1,
        "VQF322HIF8_PRE" => 2,
        "QF322HIF8_PRE" => 3,
        "VREQ8" => 8,
        "REQ8" => 9,
        "VDEQF16" => 10,
        "DEQF16" => 11,
        "VQF322FP8_PRE" => 12,
        "QF322FP8_PRE" => 13,
        "F322BF16" => 16,
        "VQF322B8_PRE" => 23,
        "QF322B8_PRE" => 24,
        "VQF322F16_PRE" => 31,
        "QF322F16_PRE" => 32,
        "VQF322BF16_PRE" => 33,
        "QF322BF16_PRE" => 34,
        "VQS322BF16_PRE" => 35,
        "QS322BF16_PRE" => 36,
        n => panic!("mode {n}"),
    }
}

/// What lowered code moves.
pub fn ours(run: &Run) -> Moves {
    let mut m = Moves::default();
    for i in &run.issues {
        one_of_ours(&mut m, i);
    }
    m.done()
}

fn one_of_ours(m: &mut Moves, i: &Issue) {
    let a = |n: usize| match &i.args[n] {
        Val::Int(v) => *v,
        Val::Ptr { addr, .. } => *addr,
        v => panic!("{v:?}"),
    };
    let attr = |n: &str| i.attrs.iter().find(|(k, _)| k == n).map(|(_, v)| v.as_str());
    let unit = match attr("unit_flag_mode") {
        None => 0,
        Some(w) if w.contains("check_only") => 2,
        Some(_) => 3,
    };
    match i.name.as_str() {
        "copy_ubuf_to_cbuf" | "copy_ubuf_to_ubuf" => m.bursts(Bursts {
            dst: a(1),
            src: a(0),
            count: a(3),
            length: a(4) * 32,
            dst_step: (a(4) + a(6)) * 32,
            src_step: (a(4) + a(5)) * 32,
        }),
        "mte_gm_ub" | "mte_ub_gm" => {
            // The first has one operand more before the burst.
            let o = usize::from(i.name == "mte_gm_ub") + 2;
            let (from, to) = (i.args.get(o + 5), i.args.get(o + 6));
            let (n, outer_src, outer_dst) = match (from, to) {
                (Some(f), Some(t)) => (a(o + 4), f.int(), t.int()),
                _ => (1, 0, 0),
            };
            for k in 0..n {
                m.bursts(Bursts {
                    dst: a(1) + k * outer_dst,
                    src: a(0) + k * outer_src,
                    count: a(o + 1),
                    length: a(o),
                    dst_step: a(o + 3),
                    src_step: a(o + 2),
                });
            }
            if i.name == "mte_gm_ub" && (i.args.len() == 8 || i.args.len() == 11) {
                m.rest.push("pad".to_owned());
            }
        }
        "copy_gm_to_cbuf_align_v2" => {
            m.bursts(Bursts { dst: a(1), src: a(0), count: a(3), length: a(4), dst_step: a(10), src_step: a(9) });
        }
        "create_cbuf_matrix" => m.bursts(Bursts {
            dst: a(0),
            src: -1,
            count: a(2),
            length: a(3) * 32,
            dst_step: (a(3) + a(4)) * 32,
            src_step: 0,
        }),
        "mte_gm_l1_frac" => {
            let mode = attr("mode").unwrap_or("").trim_matches(['<', '>']).to_owned();
            let mode = if mode.contains("dn2nz") { "dn2nz" } else { "nd2nz" };
            m.rest.push(format!("{mode} {} {} n={} d={} step={} stripe={}", a(1), a(0), a(2), a(3), a(4), a(7)));
        }
        "mte_l1_l0a" | "mte_l1_l0b" => {
            let fields: Vec<String> = (2..8).map(|n| a(n).to_string()).collect();
            let transpose = i64::from(attr("transpose").is_some());
            m.rest.push(format!("{} {} {} {} {transpose}", &i.name[7..], a(1), a(0), fields.join(" ")));
        }
        "mte_l1_bt" | "mte_l1_fb" => {
            m.rest.push(format!("{} {} {} {} {}", &i.name[7..], a(1), a(0), a(3), a(2)));
        }
        "mad" | "mad_acc" => {
            let init = i64::from(i.name == "mad");
            m.rest.push(format!("mad {} {} {} m={} k={} n={} {unit} 0 {init}", a(2), a(0), a(1), a(3), a(5), a(4)));
        }
        "mad_bias" => {
            m.rest.push(format!(
                "mad {} {} {} m={} k={} n={} {unit} 1 0 bias={}",
                a(2),
                a(0),
                a(1),
                a(4),
                a(6),
                a(5),
                a(3)
            ));
        }
        n @ ("copy_matrix_cc_to_cbuf" | "copy_matrix_cc_to_ub" | "copy_matrix_cc_to_gm") => {
            m.rest.push(drain_words(&n[18..], a(1), a(0), a(2), a(3)));
        }
        "set_loop3_para" => m.rest.push(format!("matrices {}", bits(a(0), 0, 16))),
        "set_channel_para" => m.rest.push(format!("channel {}", a(0) | a(1) << 40)),
        n @ ("set_quant_pre" | "set_fpc") => m.rest.push(format!("{n} {}", a(0))),
        n if n.starts_with("set_atomic") => m.rest.push(n.to_owned()),
        "vsts" | "vlds" | "vstus" | "vstas" | "vsel" | "vbr" | "vsstb" | "pnot" => {}
        n if n.starts_with("plt") || n.starts_with("pset") => {}
        n => panic!("{n} is not known here"),
    }
}

/// What the calls of a case move.
pub fn theirs(c: &Value) -> Moves {
    let operands = c["operands"].as_object().expect("operands");
    let bases: HashMap<&str, i64> =
        operands.iter().map(|(n, v)| (n.as_str(), v["addr"].as_i64().unwrap_or(0))).collect();
    let mut m = Moves::default();
    let mut registers: HashMap<String, i64> = HashMap::new();
    for t in c["trace"].as_array().expect("a trace") {
        let name = t[0].as_str().expect("a name");
        let a = |n: usize| -> i64 {
            let v = &t[n];
            match v["buf"].as_str() {
                Some(b) => bases[b] + v["off"].as_i64().expect("an offset"),
                None => v
                    .as_i64()
                    .or(v.as_u64().map(|n| n as i64))
                    .or(v.as_bool().map(i64::from))
                    .unwrap_or_else(|| panic!("{name}: {v}")),
            }
        };
        let register = |n: &str, default: i64| registers.get(n).copied().unwrap_or(default);
        match name {
            "copy_ubuf_to_cbuf" => m.bursts(Bursts {
                dst: a(1),
                src: a(2),
                count: a(4),
                length: a(5) * 32,
                dst_step: (a(5) + a(7)) * 32,
                src_step: (a(5) + a(6)) * 32,
            }),
            "copy_ubuf_to_ubuf" => m.bursts(Bursts {
                dst: a(1),
                src: a(2),
                count: a(3),
                length: a(4) * 32,
                dst_step: (a(4) + a(6)) * 32,
                src_step: (a(4) + a(5)) * 32,
            }),
            "copy_gm_to_ubuf_align_v2" | "copy_gm_to_cbuf_align_v2" | "copy_ubuf_to_gm_align_v2" => {
                let way = match name {
                    "copy_gm_to_ubuf_align_v2" => "outtoub",
                    "copy_gm_to_cbuf_align_v2" => "outtol1",
                    _ => "ubtoout",
                };
                let size = register(&format!("set_loop_size_{way}"), 1 | 1 << 21);
                let steps = |n: i64| {
                    let w = register(&format!("set_loop{n}_stride_{way}"), 0);
                    // Low 40 bits: global memory.
                    (bits(w, 0, 40), bits(w, 40, 21))
                };
                let (one, two) = (steps(1), steps(2));
                for j in 0..bits(size, 21, 21) {
                    for i in 0..bits(size, 0, 21) {
                        let (gm, tile) = (i * one.0 + j * two.0, i * one.1 + j * two.1);
                        m.bursts(if way == "ubtoout" {
                            Bursts {
                                dst: a(1) + gm,
                                src: a(2) + tile,
                                count: a(4),
                                length: a(5),
                                dst_step: a(7),
                                src_step: a(8),
                            }
                        } else {
                            Bursts {
                                dst: a(1) + tile,
                                src: a(2) + gm,
                                count: a(4),
                                length: a(5),
                                dst_step: a(11),
                                src_step: a(10),
                            }
                        });
                    }
                }
            }
            "create_cbuf_matrix" => {
                let w = a(2);
                let (blocks, gap) = (bits(w, 16, 15), bits(w, 32, 15));
                m.bursts(Bursts {
                    dst: a(1),
                    src: -1,
                    count: bits(w, 0, 15),
                    length: blocks * 32,
                    dst_step: (blocks + gap) * 32,
                    src_step: 0,
                });
            }
            "copy_gm_to_cbuf_multi_nd2nz" | "copy_gm_to_cbuf_multi_dn2nz" => {
                let stripe = bits(register("set_mte2_nz_para", 0), 32, 16);
                let mode = &name[name.len() - 5..];
                m.rest.push(format!("{mode} {} {} n={} d={} step={} stripe={stripe}", a(1), a(2), a(6), a(7), a(4)));
            }
            "load_cbuf_to_ca" | "load_cbuf_to_cb" => {
                let fields: Vec<String> = (3..10).map(|n| a(n).to_string()).collect();
                let to = if name.ends_with('a') { "l0a" } else { "l0b" };
                m.rest.push(format!("{to} {} {} {}", a(1), a(2), fields.join(" ")));
            }
            "copy_cbuf_to_bt" => m.rest.push(format!("bt {} {} {} {}", a(1), a(2), a(4), a(5))),
            "copy_cbuf_to_fbuf" => m.rest.push(format!("fb {} {} {} {}", a(1), a(2), a(3), a(4))),
            "mad" => {
                let bias =
                    if a(9) == 1 { format!(" bias={}", t[1]["hi32"].as_i64().unwrap_or(0)) } else { String::new() };
                m.rest.push(format!(
                    "mad {} {} {} m={} k={} n={} {} {} {}{bias}",
                    a(1),
                    a(2),
                    a(3),
                    a(4),
                    a(5),
                    a(6),
                    a(7),
                    a(9),
                    a(10)
                ));
            }
            "copy_matrix_cc_to_gm" => m.rest.push(drain_words("gm", a(1), a(2), a(3), a(4))),
            "copy_matrix_cc_to_cbuf" | "copy_matrix_cc_to_ub" => {
                let to_ub = name.ends_with("ub");
                let mut fields = vec![
                    ("dst", a(1)),
                    ("src", a(2)),
                    ("n", a(4)),
                    ("m", a(5)),
                    ("dst_stride", a(6)),
                    ("src_stride", a(7)),
                    ("dual", if to_ub { a(8) } else { 0 }),
                    ("core", if to_ub { a(9) } else { 0 }),
                ];
                // One field more before the clipping of UB moves.
                let o = if to_ub { 11 } else { 10 };
                fields.extend([
                    ("unit", a(o)),
                    ("quant", quant(t[o + 1].as_str().expect("a mode"))),
                    ("relu", a(o + 2)),
                    ("split", a(o + 3)),
                    ("nd", a(o + 4)),
                    ("dn", t.as_array().and_then(|t| t.last()).and_then(Value::as_bool).map_or(0, i64::from)),
                ]);
                m.rest.push(drain(&name[18..], &fields));
            }
            "set_loop3_para" => m.rest.push(format!("matrices {}", bits(a(1), 0, 16))),
            "set_channel_para" => m.rest.push(format!("channel {}", a(1))),
            "set_mov_pad_val" => m.rest.push("pad".to_owned()),
            n @ ("set_quant_pre" | "set_fpc") => m.rest.push(format!("{n} {}", a(1))),
            n if n.starts_with("set_atomic") => m.rest.push(n.to_owned()),
            n if n.starts_with("set_loop") || n == "set_mte2_nz_para" => {
                registers.insert(n.to_owned(), a(1));
            }
            _ => {}
        }
    }
    m.done()
}
