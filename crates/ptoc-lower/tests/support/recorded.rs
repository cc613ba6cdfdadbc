//! Recorded cases, and those of A2/A3 in the words of the A5 ones: addresses, valid sizes, numbers and attribute names.

use super::ub;
use ptoc_target::DType;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;

/// The cases of an instruction.
///
/// `PTOC_SHARED` names the folder that holds `data/traces`; without it there are none, which is an error on CI.
pub fn cases(arch: &str, op: &str) -> Option<Vec<Value>> {
    let Ok(root) = std::env::var("PTOC_SHARED") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "PTOC_SHARED is not set");
        println!("skipped: PTOC_SHARED is not set");
        return None;
    };
    let path = PathBuf::from(root).join("data/traces").join(arch).join(format!("{op}.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Some(text.lines().map(|l| serde_json::from_str(l).expect("a case")).collect())
}

/// Which valid sizes the program gets at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sizes {
    Known,
    RowsLater,
    ColsLater,
    Later,
}

pub fn dtype(v: &Value) -> DType {
    match v["dtype"].as_str().expect("an element type") {
        "f32" => DType::F32,
        "f16" => DType::F16,
        "bf16" => DType::BF16,
        "i8" => DType::I8,
        "u8" => DType::U8,
        "i16" => DType::I16,
        "u16" => DType::U16,
        "i32" => DType::I32,
        "u32" => DType::U32,
        "i64" => DType::I64,
        "u64" => DType::U64,
        d => panic!("element type {d}"),
    }
}

/// Bytes of the storage of a tile.
pub fn bytes(v: &Value) -> i64 {
    v["rows"].as_i64().expect("rows") * v["cols"].as_i64().expect("cols") * dtype(v).bytes() as i64
}

/// An A2/A3 case as `case::program` reads it, its tiles one after another in each memory; the reason when there is none.
pub fn a2a3(case: &Value, sizes: Sizes) -> Result<Value, &'static str> {
    let mut c = case.clone();
    let attrs = c["attrs"].as_object_mut().expect("attributes");
    if attrs.get("k_aligned") == Some(&json!(true)) {
        return Err("products whose depth is padded to the block");
    }
    if attrs.contains_key("ctrl_initial") || attrs.get("need_set_ctrl") == Some(&json!(false)) {
        return Err("a control register that someone else sets");
    }
    if attrs.get("relu") == Some(&json!(true)) {
        attrs.insert("relu".into(), "normal_relu".into());
    }
    for (from, to) in [("st_phase", "phase"), ("acc_phase", "phase"), ("round_mode", "round"), ("sat_mode", "sat")] {
        if let Some(v) = attrs.remove(from) {
            attrs.insert(to.into(), v);
        }
    }
    if attrs.get("round") == Some(&json!("odd")) && case["op"] != "tcvt" {
        return Err("a round mode");
    }
    for name in ["scalar", "pre_quant_scalar"] {
        if let Some(v) = attrs.get(name).filter(|v| v.is_object()) {
            let bits = v["bits"].as_u64().expect("bits").to_le_bytes();
            let number = match ub::load(&bits, 0, dtype(&json!({"dtype": v["t"]}))) {
                ub::Val::Float(x) => json!(x),
                v => json!(v.int()),
            };
            attrs.insert(name.into(), number);
        }
    }
    attrs.insert("index_at_run_time".into(), json!(sizes != Sizes::Known));

    let tiles = c["operands"].as_object_mut().expect("operands");
    if tiles.contains_key("c_in") {
        return Err("an accumulator of its own for the sum so far");
    }
    if case["op"] == "tcvt" && tiles.contains_key("tmp") {
        return Err("a conversion by way of a buffer");
    }
    if case["op"].as_str().is_some_and(|o| o.starts_with("tmatmul"))
        && let Some(acc) = tiles.remove("c")
    {
        tiles.insert("dst".into(), acc);
    }
    let mut next: HashMap<String, i64> = HashMap::new();
    let mut placed: HashMap<String, i64> = HashMap::new();
    // A tile on the storage of another one comes after it.
    let mut names: Vec<String> = tiles.keys().cloned().collect();
    names.sort_by_key(|n| tiles[n].get("alias").is_some());
    for name in names {
        let v = tiles.get_mut(&name).expect("an operand");
        if v.get("kind").is_some() {
            return Err("a tile of images");
        }
        if v["dtype"] == "i4x2" {
            return Err("4-bit elements");
        }
        let loc = v["loc"].as_str().expect("a memory").to_owned();
        if loc == "gm" {
            if !matches!(v["layout"].as_str(), Some("nd" | "dn" | "nz")) {
                return Err("a layout of images");
            }
            v["addr"] = json!((1i64 << 40) + ((placed.len() as i64) << 32));
            continue;
        }
        v["compact"] = match v["compact"].as_str() {
            Some("normal") => json!(1),
            Some("row_aligned_padding") => return Err("a compact mode"),
            _ => json!(0),
        };
        let bound = |n: &Value, later: bool| if later && name != "tmp" { json!(-1) } else { n.clone() };
        v["static_valid"] = json!([
            bound(&v["valid_row"], matches!(sizes, Sizes::RowsLater | Sizes::Later)),
            bound(&v["valid_col"], matches!(sizes, Sizes::ColsLater | Sizes::Later)),
        ]);
        let start = match v.get("alias").and_then(Value::as_str) {
            Some(_) if v.get("alias_off").is_some_and(|o| o != 0) => return Err("tiles that share a part"),
            Some(other) => placed[other],
            None => {
                // Vectors need whole blocks only, the other memories more.
                let step = if loc == "vec" { 32 } else { 512 };
                let at = next.entry(loc.clone()).or_insert(2 * step);
                let start = *at;
                *at += (bytes(v) + step - 1) / step * step + 2 * step;
                if loc == "vec" && *at > 184 * 1024 {
                    return Err("tiles that reach the reserved part");
                }
                start
            }
        };
        v["addr"] = json!(start);
        placed.insert(name, start);
    }
    Ok(c)
}
