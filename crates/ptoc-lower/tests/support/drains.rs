//! A2/A3 transfers and products as lines of text, so that two sequences can be compared argument by argument.

use super::exec::{Run, Val};
use super::{recorded, ub};
use ptoc_target::DType;
use serde_json::{Value, json};

/// The number of a conversion mode: the recorder wrote 2 to 5 for the four modes with a scale.
fn quant(recorded: i64) -> i64 {
    if (2..=5).contains(&recorded) { recorded + 6 } else { recorded }
}

/// The two words of a drain; the numbers of the modes are bits 34 to 38 of the second.
fn sizes(sid: i64, n: i64, m: i64, dst_stride: i64) -> i64 {
    sid & 15 | n << 4 | m << 16 | dst_stride << 32
}

/// What lowered code issues.
pub fn ours(run: &Run) -> Vec<String> {
    run.issues
        .iter()
        .map(|i| {
            let mut numbers: Vec<i64> = i
                .args
                .iter()
                .map(|a| match a {
                    Val::Int(n) => *n,
                    Val::Ptr { addr, .. } => *addr,
                    Val::Float(_) => 0,
                    v => panic!("{v:?}"),
                })
                .collect();
            if let ("create_cbuf_matrix", [Val::Ptr { size, .. }, v, ..]) = (i.name.as_str(), &i.args[..]) {
                let mut bits = [0; 8];
                match v {
                    Val::Float(x) if *size == 2 => ub::store(&mut bits, 0, DType::F16, ub::Val::Float(*x)),
                    Val::Float(x) => ub::store(&mut bits, 0, DType::F32, ub::Val::Float(*x)),
                    v => bits = v.int().to_le_bytes(),
                }
                numbers[1] = word_of(u64::from_le_bytes(bits), *size);
            }
            // The window of the products of a scale vector is not in the recording.
            let hidden = matches!(i.name.as_str(), "set_fpc" | "set_nd_para" | "barrier");
            line(&i.name, if hidden { &[] } else { &numbers })
        })
        .collect()
}

/// The 32 bits that a fill with an element repeats.
fn word_of(bits: u64, size: i64) -> i64 {
    let n = match size {
        1 => bits & 0xff | (bits & 0xff) << 8,
        _ => bits & 0xffff,
    };
    (if size == 4 { bits & 0xffff_ffff } else { n | n << 16 }) as i64
}

fn line(name: &str, numbers: &[i64]) -> String {
    numbers.iter().fold(name.to_owned(), |s, n| format!("{s} {n}"))
}

/// What a recorded case issued.
pub fn theirs(c: &Value) -> Vec<String> {
    let tiles = c["operands"].as_object().expect("operands");
    // A window is drained by its valid rows, so that the rows below stay as they are.
    let from_acc = c["operands"]["src"]["loc"] == "acc" && c["op"] != "textract";
    let rows = c["operands"]["src"]["valid_row"].as_i64().filter(|_| from_acc);
    let calls = c["trace"].as_array().expect("a trace").iter();
    calls
        .map(|t| {
            let t = t.as_array().expect("a call");
            let name = t[0].as_str().expect("a name");
            if matches!(name, "set_fpc" | "set_nd_para" | "pipe_barrier") {
                return name.replace("pipe_", "");
            }
            let number = |v: &Value| match v["buf"].as_str() {
                None if v["bits"].is_u64() => v["bits"].as_u64().expect("bits") as i64,
                // Bias and accumulator of a product.
                None if v["c"].is_object() => 0,
                Some(b) => {
                    let b = if tiles.contains_key(b) { b } else { "dst" };
                    tiles[b]["addr"].as_i64().expect("an address") + v["off"].as_i64().expect("an offset")
                }
                None => v
                    .as_i64()
                    .or(v.as_u64().map(|n| n as i64))
                    .or(v.as_bool().map(i64::from))
                    .unwrap_or_else(|| panic!("{name}: {v}")),
            };
            let mut a: Vec<i64> = t[1..].iter().map(number).collect();
            let two = a.len() > 1 && t[2]["buf"].is_string();
            if two {
                a.swap(0, 1);
            }
            match name {
                "copy_matrix_cc_to_cbuf" => {
                    let words = [
                        sizes(a[2], a[3], rows.unwrap_or(a[4]), a[5]),
                        a[6] | a[7] << 32 | quant(a[8]) << 34 | a[9] << 39 | a[10] << 42 | a[11] << 43,
                    ];
                    line(name, &[&a[..2], &words].concat())
                }
                "copy_matrix_cc_to_gm" => {
                    let mode = a[3] >> 34 & 31;
                    line(name, &[a[0], a[1], a[2], a[3] & !(31 << 34) | quant(mode) << 34])
                }
                "mad" => {
                    let (c, bias) = match t[1].get("c") {
                        Some(c) => (number(c), vec![number(&t[1]["bias"])]),
                        None => (number(&t[1]), vec![]),
                    };
                    let (x, y) = (number(&t[2]), number(&t[3]));
                    let (m, k, n) = (number(&t[4]), number(&t[5]), number(&t[6]));
                    let name = match (bias.is_empty(), number(&t[10])) {
                        (false, _) => "mad_bias",
                        (_, 1) => "mad",
                        _ => "mad_acc",
                    };
                    line(name, &[&[x, y, c][..], &bias, &[m, n, k]].concat())
                }
                "load_cbuf_to_ca" | "load_cbuf_to_cb" => line(&format!("{name}_2d"), &a[..7]),
                n if n.ends_with("_transpose") => line(n, &[&a[..6], &a[7..8]].concat()),
                n if n.starts_with("img2col") => line(n, &[&a[..12], &a[16..17]].concat()),
                "create_cbuf_matrix" | "create_cbuf_matrix_bf16" => {
                    let word = a[1];
                    let size = recorded::dtype(&json!({"dtype": t[1]["t"]})).bytes() as i64;
                    let value = word_of(a[2] as u64, size);
                    line("create_cbuf_matrix", &[a[0], value, word & 0x7fff, word >> 16 & 0x7fff, word >> 32 & 0x7fff])
                }
                "copy_gm_to_cbuf" => line(name, &[&a[..2], &a[3..7]].concat()),
                n => line(n, &a),
            }
        })
        .collect()
}
