//! The vendor's headers on A2/A3 for the same tiles. Vector code is run on bytes and held to the definition of the
//! instruction; transfers and products are compared argument by argument. Neither takes more instructions.

mod support;

use ptoc_ir::Ir;
use ptoc_target::Arch;
use serde_json::Value;
use support::recorded::Sizes;
use support::{case, drains, exec, meaning, recorded, ub};

/// What a case is lowered to, and its arguments.
fn lowered(c: &Value) -> (Ir, case::Program) {
    let name = format!("{}/{}", c["op"], c["case"]);
    let p = case::program(c).unwrap_or_else(|| panic!("{name}: no program"));
    match support::try_lower(&p.text, Arch::A2A3) {
        Ok(ir) => (ir, p),
        Err(d) => panic!("{name}: {}\n{}", d[0].message, p.text),
    }
}

/// Why a case is not lowered; every other case must be.
fn not_lowered(c: &Value, sizes: Sizes) -> Option<&'static str> {
    let tile = |n: &str| &c["operands"][n];
    // In boxes, only one element, known to be one, may start inside a group of columns.
    let inside = c["attrs"]["index_col"].as_i64().is_some_and(|n| n % 16 != 0);
    if sizes != Sizes::Known && inside && tile("dst")["slayout"] == "row_major" {
        return Some("a window inside a column group");
    }
    match c["op"].as_str() {
        Some("tcmps") if tile("src1").is_object() => Some("a tile in place of the number"),
        Some("tcmps") if !matches!(tile("src0")["dtype"].as_str(), Some("f16" | "f32" | "i32")) => Some("a type"),
        Some("tcmps") if tile("src0")["dtype"] == "i32" && c["attrs"]["cmp_mode"] == "lt" => Some("an order of i32"),
        Some("ttrans") if c["attrs"].get("form").is_some() => Some("a tile of images"),
        Some("tgather") if c["attrs"]["form"] != "index" => Some("elements by a pattern or a comparison"),
        Some("tconcat") if c["operands"].get("src0_idx").is_some() => Some("tiles side by side with index tiles"),
        Some("tand" | "tor" | "tnot" | "txor" | "tands" | "tors") if odd_bytes(c, sizes) => {
            Some("an odd number of bytes")
        }
        Some("tands" | "tors") if tile("src").get("alias").is_some() || tile("dst").get("alias").is_some() => {
            Some("a number with a tile in place")
        }
        Some("trowexpand") if tile("src")["valid_row"] != tile("dst")["valid_row"] => Some("a row for a column"),
        _ => None,
    }
}

/// Rows of bytes that may not be whole halfwords.
fn odd_bytes(c: &Value, sizes: Sizes) -> bool {
    let dst = &c["operands"]["dst"];
    let later = matches!(sizes, Sizes::ColsLater | Sizes::Later);
    matches!(dst["dtype"].as_str(), Some("i8" | "u8"))
        && (later || dst["valid_col"].as_i64().is_some_and(|n| n % 2 != 0))
}

fn vector_only(c: &Value) -> bool {
    c["operands"].as_object().expect("operands").values().all(|v| v["loc"] == "vec")
}

/// Cases whose recording does less than the instruction means.
fn means_more(c: &Value) -> bool {
    let name = c["case"].as_str().unwrap_or("");
    match c["op"].as_str() {
        // With a buffer of less than the header wants, nothing happens.
        Some("trowsum") => name.ends_with("_tmp32") || name.ends_with("_tmp64"),
        // The last block of a row is copied as a whole, with what lies right of the valid columns.
        Some("tcolexpand") => true,
        Some("tcolsum" | "tcolprod" | "tcolmax" | "tcolmin") => c["operands"]["src"]["valid_row"] == 1,
        // Two elements go one by one, each with its own flags.
        Some("tconcat") => name.contains("_v1x2_"),
        // Columns that the load is trusted to have padded, and no valid rows of dst.
        Some("tfillpad") => name.contains("v299x17_d300x32") || name.ends_with("_d0x0"),
        _ => false,
    }
}

/// Which byte differs from what the instruction means.
fn first_wrong(c: &Value, got: &[u8], want: &[u8]) -> Option<i64> {
    // Most pages are the same.
    let page = 1024;
    let pages = got.chunks(page).zip(want.chunks(page)).enumerate().filter(|(_, (x, y))| x != y);
    let dst = meaning::Tile::of(c, "dst");
    let (free, near) = (meaning::anything(c), meaning::tolerance(c));
    let (start, size) = (dst.at(0, 0), dst.ty.bytes() as i64);
    let is_wrong = |&i: &i64| {
        if got[i as usize] == want[i as usize] || free.iter().any(|r| r.contains(&i)) {
            return false;
        }
        let at = start + (i - start).div_euclid(size) * size;
        let (x, y) = (ub::load(got, at, dst.ty), ub::load(want, at, dst.ty));
        near == 0.0 || (x.num() - y.num()).abs() > near * y.num().abs()
    };
    pages.flat_map(|(n, _)| (n * page) as i64..((n + 1) * page) as i64).find(is_wrong)
}

/// Runs a case and gives the number of instructions.
fn check_vector(c: &Value, sizes: Sizes, before: &[u8], want: &[u8]) -> Result<usize, String> {
    let (ir, p) = lowered(c);
    let args: Vec<ub::Val> = p
        .args
        .iter()
        .map(|a| match a {
            exec::Val::Int(n) => ub::Val::Int(*n),
            exec::Val::Float(x) => ub::Val::Float(*x),
            v => panic!("{v:?}"),
        })
        .collect();
    let machine = ub::Machine::run(&ir, &args, before.to_vec())?;
    if let Some(i) = first_wrong(c, &machine.ub, want) {
        let (n, start) = (i as usize, meaning::Tile::of(c, "dst").at(0, 0));
        return Err(format!("byte {} of dst is {}, not {}", i - start, machine.ub[n], want[n]));
    }
    let theirs = c["trace"].as_array().expect("a trace").len();
    if sizes == Sizes::Known && machine.issued.len() > theirs && !means_more(c) {
        return Err(format!("{} instructions instead of {theirs}: {:?}", machine.issued.len(), machine.issued));
    }
    Ok(machine.issued.len())
}

/// A product into an accumulator with fewer valid rows than stripes have: the headers run it over the valid rows, which packs
/// the accumulator otherwise than every reader expects it (machine description, 3a); ours runs over the whole stripes.
fn stripes_of_its_own(c: &Value) -> bool {
    let Some(tiles) = c["operands"].as_object() else { return false };
    let Some(acc) = tiles.values().find(|t| t["loc"] == "acc") else { return false };
    let size = |key: &str| acc[key].as_u64().unwrap_or(0);
    let plain = !matches!(acc["compact"].as_i64(), Some(1 | 2));
    plain && size("cols") > 16 && size("valid_row").div_ceil(16) * 16 != size("rows")
}

fn check(op: &str) {
    let Some(cases) = recorded::cases("a2a3", op) else { return };
    let (mut ours, mut theirs, mut compared) = (0, 0, 0);
    let mut wrong = Vec::new();
    for c in &cases {
        let mut bytes = None;
        for sizes in [Sizes::Known, Sizes::RowsLater, Sizes::ColsLater, Sizes::Later] {
            let Ok(c) = recorded::a2a3(c, sizes) else { continue };
            if not_lowered(&c, sizes).is_some() {
                continue;
            }
            let name = format!("{op}/{} {sizes:?}", c["case"].as_str().unwrap_or(""));
            if vector_only(&c) {
                // The same for all, since sizes don't move tiles.
                let (before, want) = bytes.get_or_insert_with(|| {
                    let before = meaning::before(&c, 3);
                    let want = meaning::after(&c, &before);
                    (before, want)
                });
                match check_vector(&c, sizes, before, want) {
                    Ok(n) if sizes == Sizes::Known => {
                        ours += n;
                        theirs += c["trace"].as_array().map_or(0, Vec::len);
                        compared += 1;
                    }
                    Ok(_) => {}
                    Err(e) => wrong.push(format!("{name}: {e}")),
                }
            } else if sizes == Sizes::Known {
                let (ir, p) = lowered(&c);
                let run = exec::run(&ir, &p.args);
                let (got, want) = (drains::ours(&run), drains::theirs(&c));
                (ours, theirs, compared) = (ours + got.len(), theirs + want.len(), compared + 1);
                if got.len() >= want.len() && got != want && !stripes_of_its_own(&c) {
                    wrong.push(format!("{name}:\n  ptoc  {got:?}\n  trace {want:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
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
    tadd tsub tmul tdiv tmax tmin tadds tsubs tmuls tdivs tmaxs tmins texpands
    tabs tneg trelu texp tlog tsqrt trecip
    trowsum trowmax trowmin trowprod
    trowexpand trowexpandadd trowexpandsub trowexpandmul trowexpanddiv trowexpandmax trowexpandmin
    trowexpandexpdif trsqrt tlrelu tand tor tnot txor tands tors tshls tshrs
    tcolexpand tcolexpandadd tcolexpandsub tcolexpandmul tcolexpanddiv tcolexpandmax tcolexpandmin tcolexpandexpdif
    tcolsum tcolprod tcolmax tcolmin tci tgather tconcat ttrans tcmp tcmps tsel tsels
    tsubrelu tfusedmuladd tfusedmuladdrelu tmuladddst taxpy
    tfillpad tinsert textract tmov tload tstore tmatmul tmatmul_acc tmatmul_bias tcvt
}
