//! What the vendor's headers issue for the same tiles: the same bytes are written, with at most as many instructions.

mod support;

use ptoc_target::Arch;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use support::{case, exec, moves, recorded};

/// Why a case is not lowered; every other case must be.
fn not_lowered(c: &Value) -> Option<&'static str> {
    let attrs = &c["attrs"];
    let name = c["case"].as_str().unwrap_or("");
    let op = c["op"].as_str().unwrap_or("");
    let variant = attrs["variant"].as_str().unwrap_or("");
    let operands = c["operands"].as_object().expect("operands");
    let dtype = |n: &str| c["operands"][n]["dtype"].as_str().unwrap_or("");
    if attrs["precision"] == "high" {
        return Some("high precision");
    }
    if attrs.get("vf_impl").is_some() {
        return Some("an inner variant of the header");
    }
    let moves = matches!(op, "tload" | "tstore" | "tmov" | "tinsert" | "textract");
    if !moves && operands.values().any(|v| matches!(v["dtype"].as_str(), Some("i64" | "u64"))) {
        return Some("elements of 8 bytes");
    }
    if op == "tload" && name.contains("i64") && name.contains("padzero") {
        return Some("a pad of 8 bytes");
    }
    if op == "texpands" && name.starts_with("mat_") {
        return Some("a fill of L1");
    }
    if op == "tdivs" && matches!(dtype("dst"), "i8" | "u8") {
        return Some("a quotient of bytes");
    }
    if op == "tinsert" && variant == "acc_scalar_quant" && dtype("dst") == "f32" {
        return Some("a scale that the fix pipe ignores");
    }
    if op == "tmov" && (variant == "vec_nd2zn" || variant == "vec_nd2nz_p1") {
        return Some("a rearrangement inside Vec");
    }
    if op == "tmov" && operands["dst"]["dtype"] == "f32" && attrs.get("pre_quant_scalar").is_some() {
        return Some("a scale that the fix pipe ignores");
    }
    if attrs["need_set_ctrl"] == false {
        return Some("a control register that someone else sets");
    }
    if op == "tgather" && attrs["form"] != "index" {
        return Some("elements by a pattern or a comparison");
    }
    if op == "taxpy" && dtype("src") != dtype("dst") {
        return Some("a product of narrower elements");
    }
    if op == "tconcat" && attrs["form"] != "plain" {
        return Some("tiles side by side with index tiles");
    }
    let pairs = [
        ("f32", "f16"),
        ("f32", "bf16"),
        ("f32", "i32"),
        ("f32", "i16"),
        ("f32", "f32"),
        ("f16", "f32"),
        ("f16", "i32"),
        ("bf16", "f32"),
        ("bf16", "i32"),
        ("bf16", "f16"),
        ("i32", "f32"),
        ("i32", "i16"),
        ("i16", "f32"),
        ("i16", "i32"),
        ("i16", "f16"),
        ("i8", "f16"),
        ("u8", "f16"),
        ("f16", "i16"),
        ("f16", "i8"),
        ("f16", "u8"),
        ("i16", "u8"),
        ("i16", "u32"),
        ("i32", "u16"),
        ("u32", "u16"),
        ("u32", "i16"),
        ("i32", "u8"),
        ("u32", "u8"),
        ("i8", "i16"),
        ("u8", "u16"),
        ("i8", "i32"),
        ("f8e4m3", "f32"),
        ("f8e5m2", "f32"),
        ("hif8", "f32"),
        ("f32", "f8e4m3"),
        ("f32", "f8e5m2"),
        ("f32", "hif8"),
        ("f16", "hif8"),
    ];
    if op == "tcvt" && !pairs.contains(&(dtype("src"), dtype("dst"))) {
        return Some("a pair of types");
    }
    if matches!(op, "tinsert" | "textract") && inside_a_group(c) {
        return Some("a window inside a column group");
    }
    let mode = attrs["mode"].as_str().unwrap_or("");
    if op == "textract" && mode.starts_with("dual") {
        return Some("a window divided between two cores");
    }
    if mode == "dual_split_m" && operands["src"]["valid_row"].as_i64().is_some_and(|n| n % 2 != 0) {
        return Some("an odd number of rows for two cores");
    }
    // The padding hint has no place in a tile type.
    if c["operands"]["dst"]["compact"] == 3 {
        return Some("a compact mode");
    }
    None
}

const MARKS: [&str; 5] = ["vec_scope_begin", "vec_scope_end", "reg_copy", "step", "tile_addr"];

/// The bytes of `dst` that vector stores and block copies of a trace write; `None` when it stores in another way.
fn written(c: &Value) -> Option<BTreeSet<i64>> {
    let base = c["operands"]["dst"]["addr"].as_i64()?;
    let bases: HashMap<&str, i64> =
        c["operands"].as_object()?.iter().filter_map(|(n, v)| Some((n.as_str(), v["addr"].as_i64()?))).collect();
    let at = |p: &Value| -> Option<i64> { Some(bases.get(p["buf"].as_str()?)? + p["off"].as_i64()?) };
    let mut masks: HashMap<&str, (i64, i64)> = HashMap::new();
    let mut out = BTreeSet::new();
    for call in c["trace"].as_array()? {
        let name = call[0].as_str()?;
        let int = |i: usize| call[i].as_i64();
        match name {
            "plt_b8" | "plt_b16" | "plt_b32" => {
                let k = name[5..].parse::<i64>().ok()? / 8;
                masks.insert(call[1].as_str()?, (k, int(2)?.min(256 / k)));
            }
            "pset_b8" | "pset_b16" | "pset_b32" => {
                let k = name[6..].parse::<i64>().ok()? / 8;
                masks.insert(call[1].as_str()?, (k, 256 / k));
            }
            "vsts" => {
                let p = &call[2];
                let size = case::size(p["ty"].as_str()?);
                let to = at(p)? + if call[6] == "POST_UPDATE" { 0 } else { int(3)? * size };
                match call[4].as_str()? {
                    d if d.starts_with("ONEPT_B") => out.extend(to..to + d[7..].parse::<i64>().ok()? / 8),
                    d if d.starts_with("NORM_B") => {
                        let (k, n) = masks.get(call[5].as_str()?)?;
                        out.extend(to..to + k * n);
                    }
                    _ => return None,
                }
            }
            "vstus" => {
                let p = &call[4];
                out.extend(at(p)?..at(p)? + int(2)? * case::size(p["ty"].as_str()?));
            }
            "copy_ubuf_to_cbuf" => {
                for i in 0..int(4)? {
                    let to = at(&call[1])? + i * (int(5)? + int(7)?) * 32;
                    out.extend(to..to + int(5)? * 32);
                }
            }
            "copy_ubuf_to_ubuf" => {
                for i in 0..int(3)? {
                    let to = at(&call[1])? + i * (int(4)? + int(6)?) * 32;
                    out.extend(to..to + int(4)? * 32);
                }
            }
            "scalar_store" => {
                let to = at(&call[1])?;
                out.extend(to..to + call[1]["ty"].as_str()?[1..].parse::<i64>().ok()? / 8);
            }
            n if n.starts_with("copy_matrix_cc") || n.starts_with("copy_gm") || n.starts_with("load_") => return None,
            "mad"
            | "create_cbuf_matrix"
            | "copy_ubuf_to_gm_align_v2"
            | "copy_cbuf_to_bt"
            | "copy_cbuf_to_fbuf"
            | "vsstb"
            | "vscatter" => {
                return None;
            }
            _ => {}
        }
    }
    let _ = base;
    Some(out)
}

/// Cases whose trace does not write what the instruction means.
fn means_more(c: &Value) -> bool {
    let (op, name) = (c["op"].as_str().unwrap_or(""), c["case"].as_str().unwrap_or(""));
    // The tree of pairs leaves its sums in the temporary.
    op == "tcolsum" && c["attrs"]["is_binary"] == true
        // The header steps over every second register of the destination.
        || matches!(op, "tfusedmuladd" | "tfusedmuladdrelu" | "tmuladddst")
        // Vec to Mat moves with fewer valid rows run with a negative gap in the header.
        || op == "tmov" && name.contains("v17x32") && name.contains("vec_mat")
        // TFILLPAD stops at the valid rows of dst in the header; the definition goes on to the static ones.
        || op == "tfillpad" && c["operands"]["dst"]["valid_row"] != c["operands"]["dst"]["rows"]
}

/// Cases whose instructions only move data (or multiply matrices), so that they are compared as a whole.
fn moves_only(c: &Value) -> bool {
    let calls = c["trace"].as_array().expect("a trace");
    let vector = calls.iter().any(|t| t[0].as_str().is_some_and(|n| n.starts_with('v') || n.starts_with("scalar")));
    matches!(
        c["op"].as_str(),
        Some("tload" | "tstore" | "tmov" | "tinsert" | "textract" | "tmatmul" | "tmatmul_acc" | "tmatmul_bias")
    ) && !vector
}

/// Where ptoc departs from the headers on purpose.
fn adjust(c: &Value, want: &mut moves::Moves) {
    let (op, name) = (c["op"].as_str().unwrap_or(""), c["case"].as_str().unwrap_or(""));
    let tile = |n: &str| &c["operands"][n];
    let size = |n: &str, key: &str| tile(n)[key].as_i64().unwrap_or(0);
    let up = |n: i64| (n + 15) / 16 * 16;
    for line in &mut want.rest {
        if line.starts_with("drain") && op != "tstore" {
            // Valid rows only: the rows below would overwrite what the window does not cover.
            if op != "textract" {
                *line = set(line, "m", size("src", "valid_row"));
            } else if line.contains(" nd=1") {
                *line = set(line, "n", size("dst", "valid_col"));
            }
            // The rectifier that the program asks for.
            if c["attrs"]["relu"] == "normal_relu" {
                *line = set(line, "relu", 1);
            }
            // 32-bit integers in groups of 8 columns are split as floats are.
            if tile("dst")["dtype"] == "i32" && tile("dst")["fractal"] == 512 && !line.contains(" nd=1") {
                *line = set(line, "split", 1);
            }
            // One number is the scalar mode.
            if tile("dst")["dtype"] == "f8e4m3" && c["attrs"].get("pre_quant_scalar").is_some() {
                *line = set(line, "quant", 13);
            }
        }
        // The cube packs by its own sizes: with more static rows or columns than the rounded valid ones it runs over all.
        if line.starts_with("mad") {
            let (k, c0) = (size("a", "valid_col"), 32 / case::size(tile("a")["dtype"].as_str().unwrap_or("")));
            let dynamic = |n: &str, i: usize| tile(n)["static_valid"][i] == -1;
            let (m, n) = (size("a", "valid_row"), size("b", "valid_col"));
            if k > c0 && (up(m) != size("a", "rows") || dynamic("a", 0)) {
                *line = set(line, "m", size("a", "rows"));
            }
            if k > c0 && (up(n) != size("b", "cols") || dynamic("b", 1)) {
                *line = set(line, "n", size("b", "cols"));
            }
        }
    }
    // NZ to Mat with fewer valid rows: the header's gap is negative.
    if op == "tmov" && name.starts_with("vec_mat_nz") {
        let (src, dst) = (tile("src"), tile("dst"));
        let at = |t: &Value, g: i64| t["addr"].as_i64().unwrap_or(0) + g * t["rows"].as_i64().unwrap_or(0) * 32;
        let groups = size("src", "valid_col") * case::size(src["dtype"].as_str().unwrap_or("")) / 32;
        want.bytes = (0..groups).map(|g| (at(dst, g), at(src, g), size("src", "valid_row") * 32)).collect();
    }
}

/// A field of a line with another value.
fn set(line: &str, field: &str, value: i64) -> String {
    let words: Vec<String> = line
        .split(' ')
        .map(|w| match w.split_once('=') {
            Some((f, _)) if f == field => format!("{f}={value}"),
            _ => w.to_owned(),
        })
        .collect();
    words.join(" ")
}

/// A column of a window in boxes starts a group of columns; the headers only shift the address.
fn inside_a_group(c: &Value) -> bool {
    let Some(col) = c["attrs"]["index_col"].as_i64().filter(|&n| n > 0) else { return false };
    let tile = &c["operands"][if c["op"] == "textract" { "src" } else { "dst" }];
    let nz = tile["blayout"] == "col_major" && tile["slayout"] == "row_major";
    let group = if tile["fractal"] == 1024 { 16 } else { 32 / case::size(tile["dtype"].as_str().unwrap_or("")) };
    let one = c["operands"]["dst"]["valid_row"] == 1 && c["operands"]["dst"]["valid_col"] == 1;
    nz && (tile["loc"] != "mat" || c["op"] == "tinsert") && !one && col % group != 0
}

fn check(op: &str) {
    let Some(cases) = recorded::cases("a5", op) else { return };
    let (mut ours, mut theirs, mut compared) = (0, 0, 0);
    let mut wrong = Vec::new();
    for c in &cases {
        let name = format!("{op}/{}", c["case"].as_str().unwrap_or(""));
        if not_lowered(c).is_some() {
            continue;
        }
        let Some(p) = case::program(c) else { panic!("{name}: no program") };
        let ir = match support::try_lower(&p.text, Arch::A5) {
            Ok(ir) => ir,
            Err(d) => panic!("{name}: {}\n{}", d[0].message, p.text),
        };
        let run = exec::run(&ir, &p.args);
        let calls = c["trace"].as_array().expect("a trace");
        let trace = calls.iter().filter(|t| !MARKS.contains(&t[0].as_str().unwrap_or(""))).count();
        assert!(
            run.count() <= trace,
            "{name}: {} instructions, the trace has {trace}\n{:#?}",
            run.count(),
            run.brief()
        );
        (ours, theirs, compared) = (ours + run.count(), theirs + trace, compared + 1);
        if moves_only(c) {
            let (mut want, got) = (moves::theirs(c), moves::ours(&run));
            if want != got {
                adjust(c, &mut want);
            }
            if got != want {
                wrong.push(format!("{name}:\n  ptoc  {got:?}\n  trace {want:?}"));
            }
        }
        if let Some(want) = written(c).filter(|_| !means_more(c)) {
            let space = if c["operands"]["dst"]["loc"] == "mat" { "l1" } else { "ub" };
            let got = run.bytes(space);
            let (more, less): (Vec<_>, Vec<_>) =
                (got.difference(&want).take(4).collect(), want.difference(&got).take(4).collect());
            assert!(more.is_empty() && less.is_empty(), "{name}: also written {more:?}, not written {less:?}");
        }
    }
    assert!(wrong.is_empty(), "{} of {compared} move differently\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 0, "{op}: nothing compared");
    println!("{op}: {compared} of {} cases, {ours} instructions against {theirs}", cases.len());
}

macro_rules! ops {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            check(stringify!($name));
        }
    )*};
}

ops! {
    tadd tsub tmul tdiv tmax tmin tand tor tadds tsubs tmuls tdivs tmaxs tmins tlrelu texpands
    tabs tneg tnot trelu texp tlog tsqrt trecip
    trowsum trowmax trowmin trowprod
    trowexpand trowexpandadd trowexpandsub trowexpandmul trowexpanddiv trowexpandmax trowexpandmin
    trowexpandexpdif trsqrt tands tors txor txors tshl tshr tshls tshrs tprelu
    tcolexpand tcolexpandadd tcolexpandsub tcolexpandmul tcolexpanddiv tcolexpandmax tcolexpandmin tcolexpandexpdif
    tcolsum tcolprod tcolmax tcolmin tci tgather ttrans tconcat tcmp tcmps tsel tsels
    tsubrelu tfusedmuladd tfusedmuladdrelu tmuladddst taxpy
    tfillpad tinsert textract tmov tload tstore tmatmul tmatmul_acc tmatmul_bias tcvt
}
