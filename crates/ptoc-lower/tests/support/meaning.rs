//! What vector instructions mean, from their definition: the bytes of the unified buffer before and after.

use super::recorded::{self, dtype};
use super::ub::{self, Val, compute};
use ptoc_target::DType;
use serde_json::Value;
use std::ops::Range;

/// Numbers that look random and are the same in each run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Self {
        Numbers(seed)
    }

    fn next(&mut self) -> u64 {
        // The multiplier and the addend of Knuth's MMIX generator.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 20
    }

    fn below(&mut self, n: i64) -> i64 {
        (self.next() % n as u64) as i64
    }

    fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.below(1 << 20) as f64) / (1 << 20) as f64
    }

    fn element(&mut self, op: &str, ty: DType) -> Val {
        let pick = |n: &mut Self, of: &[f64]| of[n.below(of.len() as i64) as usize];
        if ty.is_float() {
            return Val::Float(match op {
                "trowprod" | "tcolprod" => pick(self, &[0.5, 1.0, 1.0, 1.0, 2.0, -1.0, 1.5]),
                "texp" => self.between(-4.0, 4.0),
                "tcmp" | "tcmps" => self.below(7) as f64,
                "tlog" | "tsqrt" | "trsqrt" => self.between(0.1, 9.0),
                "tcvt" => self.below(180) as f64 / 2.0 + pick(self, &[0.0, 0.25, 0.125]),
                "trowsum" | "trowmax" | "trowmin" | "tcolsum" | "tcolmax" | "tcolmin" => self.below(19) as f64 - 9.0,
                "trowexpandexpdif" | "tcolexpandexpdif" => self.between(-2.0, 2.0),
                "tdiv" | "tdivs" | "trecip" | "trowexpanddiv" | "tcolexpanddiv" => 1.0 + self.below(9) as f64,
                _ => self.between(-9.0, 9.0),
            });
        }
        Val::Int(match op {
            "tcvt" => self.below(100),
            "tcmp" | "tcmps" => self.below(7),
            "tdivs" | "trecip" => 1 + self.below(99),
            _ => self.next() as i64,
        })
    }
}

/// A tile operand of a case.
pub struct Tile<'c> {
    v: &'c Value,
    pub ty: DType,
}

impl<'c> Tile<'c> {
    pub fn of(case: &'c Value, name: &str) -> Self {
        let v = &case["operands"][name];
        Tile { v, ty: dtype(v) }
    }

    fn size(&self, key: &str) -> i64 {
        self.v[key].as_i64().unwrap_or_else(|| panic!("{key} of {}", self.v))
    }

    pub fn valid(&self) -> (i64, i64) {
        (self.size("valid_row"), self.size("valid_col"))
    }

    fn block(&self) -> i64 {
        32 / self.ty.bytes() as i64
    }

    fn dn(&self) -> bool {
        self.v["blayout"] == "col_major" && self.v["slayout"] == "none_box"
    }

    /// Byte of an element.
    pub fn at(&self, r: i64, c: i64) -> i64 {
        let (rows, cols, b) = (self.size("rows"), self.size("cols"), self.block());
        let n = match (self.v["blayout"].as_str(), self.v["slayout"].as_str()) {
            (Some("row_major"), Some("none_box")) => r * cols + c,
            (_, Some("none_box")) => c * rows + r,
            (Some("col_major"), Some("row_major")) => c / b * rows * b + r * b + c % b,
            l => panic!("layout {l:?}"),
        };
        self.size("addr") + n * self.ty.bytes() as i64
    }

    fn storage(&self) -> Range<i64> {
        let at = self.size("addr");
        at..at + recorded::bytes(self.v)
    }
}

/// The buffer before the instruction.
pub fn before(case: &Value, seed: u64) -> Vec<u8> {
    let mut numbers = Numbers::new(seed);
    let mut bytes: Vec<u8> = (0..=255).cycle().take(ub::UB_BYTES).collect();
    let op = case["op"].as_str().expect("a name");
    for name in case["operands"].as_object().expect("operands").keys() {
        let t = Tile::of(case, name);
        // Indices stay inside the source.
        let limit = (op == "tgather" && name == "src1").then(|| {
            let s = Tile::of(case, "src0");
            s.size("rows") * s.size("cols")
        });
        for at in t.storage().step_by(t.ty.bytes() as usize) {
            let x = match limit {
                Some(n) => Val::Int(numbers.below(n)),
                None => numbers.element(op, t.ty),
            };
            ub::store(&mut bytes, at, t.ty, x);
        }
        // Blocks that hold one number for each row.
        let block = t.size("cols") == t.block() && t.valid().1 == t.block();
        if op.starts_with("trowexpand") && name.starts_with("src") && block && !t.dn() {
            for r in 0..t.size("rows") {
                let x = ub::load(&bytes, t.at(r, 0), t.ty);
                (0..t.block()).for_each(|c| ub::store(&mut bytes, t.at(r, c), t.ty, x));
            }
        }
    }
    bytes
}

/// Bytes that may hold anything after the instruction.
pub fn anything(case: &Value) -> Vec<Range<i64>> {
    let mut out: Vec<std::ops::Range<i64>> = Vec::new();
    out.push(184 * 1024..ub::UB_BYTES as i64);
    if case["operands"].get("tmp").is_some() {
        out.push(Tile::of(case, "tmp").storage());
    }
    let bytes = matches!(case["operands"]["dst"]["dtype"].as_str(), Some("i8" | "u8"));
    if case["op"] == "tmov" || case["op"] == "ttrans" || case["op"] == "tcolexpand" && bytes {
        // Rows are moved in whole blocks.
        let t = Tile::of(case, "dst");
        let (_, cols) = t.valid();
        let end = (cols + t.block() - 1) / t.block() * t.block();
        out.extend((0..t.size("rows")).map(|r| t.at(r, cols)..t.at(r, end)));
    }
    out
}

/// How far a result may be from the expected one: parts of a product are joined in another order.
pub fn tolerance(case: &Value) -> f64 {
    match (case["op"].as_str(), case["operands"]["dst"]["dtype"].as_str()) {
        (Some("trowprod"), Some("f16")) => 1e-3,
        (Some("trowprod"), Some("f32")) => 1e-5,
        _ => 0.0,
    }
}

/// The buffer after the instruction.
pub fn after(case: &Value, before: &[u8]) -> Vec<u8> {
    let op = case["op"].as_str().expect("a name");
    let attrs = &case["attrs"];
    let dst = Tile::of(case, "dst");
    let (rows, cols) = dst.valid();
    let mut out = before.to_vec();
    let tile = |n: &str| Tile::of(case, n);
    let get = |t: &Tile<'_>, r: i64, c: i64| ub::load(before, t.at(r, c), t.ty);
    let scalar = || match attrs["scalar"].as_i64() {
        Some(n) if !dst.ty.is_float() => Val::Int(n),
        _ => Val::Float(attrs["scalar"].as_f64().expect("a number")),
    };
    let ratio = |x: Val, y: Val| match (x, y) {
        (Val::Int(x), Val::Int(y)) => Val::Int(x / y),
        _ => compute("vdiv", dst.ty, x, y),
    };
    let mut fill = |f: &dyn Fn(i64, i64) -> Val| {
        for r in 0..rows {
            for c in 0..cols {
                ub::store(&mut out, dst.at(r, c), dst.ty, f(r, c));
            }
        }
    };
    match op {
        "tadd" | "tsub" | "tmul" | "tdiv" | "tmax" | "tmin" => {
            let (x, y) = (tile("src0"), tile("src1"));
            let name = format!("v{}", &op[1..]);
            fill(&|r, c| compute(&name, dst.ty, get(&x, r, c), get(&y, r, c)));
        }
        "texp" | "tabs" | "tsqrt" | "trelu" | "tlog" => {
            let x = tile("src");
            let name = if op == "tlog" { "vln".to_owned() } else { format!("v{}", &op[1..]) };
            fill(&|r, c| compute(&name, dst.ty, get(&x, r, c), Val::Int(0)));
        }
        "tneg" => fill(&|r, c| compute("vmuls", dst.ty, get(&tile("src"), r, c), Val::Int(-1))),
        "trecip" => fill(&|r, c| match get(&tile("src"), r, c) {
            Val::Int(n) => Val::Int(1 / n),
            x => Val::Float(1.0 / x.num()),
        }),
        "tadds" | "tmuls" | "tmaxs" | "tmins" => {
            let name = format!("v{}", &op[1..]);
            fill(&|r, c| compute(&name, dst.ty, get(&tile("src"), r, c), scalar()));
        }
        "tsubs" => fill(&|r, c| compute("vsub", dst.ty, get(&tile("src"), r, c), scalar())),
        "tdivs" => {
            let shared = case["operands"]["src"].get("alias").is_some() && dst.ty.is_float();
            fill(&|r, c| match (get(&tile("src"), r, c), attrs["form"] == "scalar_div_tile") {
                (x, true) => ratio(scalar(), x),
                // In place there is no room for the divisor.
                (x, false) if shared => {
                    let mut inverse = [0; 8];
                    ub::store(&mut inverse, 0, dst.ty, Val::Float(1.0 / scalar().num()));
                    compute("vmul", dst.ty, x, ub::load(&inverse, 0, dst.ty))
                }
                (x, false) => ratio(x, scalar()),
            });
        }
        "texpands" => fill(&|_, _| scalar()),
        "tand" | "tor" | "txor" => {
            let (x, y) = (tile("src0"), tile("src1"));
            fill(&|r, c| bits(&op[1..], get(&x, r, c), get(&y, r, c)));
        }
        "tnot" => fill(&|r, c| Val::Int(!get(&tile("src"), r, c).int())),
        "tands" | "tors" => fill(&|r, c| bits(&op[1..op.len() - 1], get(&tile("src"), r, c), scalar())),
        "tshls" => fill(&|r, c| Val::Int(get(&tile("src"), r, c).int() << scalar().int())),
        "tshrs" => fill(&|r, c| Val::Int(get(&tile("src"), r, c).int() >> scalar().int())),
        "tlrelu" => fill(&|r, c| match get(&tile("src"), r, c).num() {
            x if x < 0.0 => rounded(dst.ty, x * rounded(dst.ty, scalar().num()).num()),
            x => Val::Float(x),
        }),
        "trsqrt" => {
            let root = |r, c| get(&tile("src"), r, c).num().sqrt();
            // By way of the rounded root when there is a temporary.
            let by_root = case["operands"].get("tmp").is_some();
            fill(&|r, c| match by_root {
                true => Val::Float(1.0 / rounded(dst.ty, root(r, c)).num()),
                false => Val::Float(1.0 / root(r, c)),
            });
        }
        "tci" => {
            let sign = if attrs["descending"] == true { -1 } else { 1 };
            let start = attrs["start"].as_i64().expect("a start");
            fill(&|_, c| Val::Int(start + sign * c));
        }
        "tgather" => {
            let (x, index) = (tile("src0"), tile("src1"));
            fill(&|r, c| {
                let n = get(&index, r, c).int();
                ub::load(before, x.at(0, 0) + n * x.ty.bytes() as i64, x.ty)
            });
        }
        "tsubrelu" => fill(&|r, c| {
            let (x, y) = (tile("src0"), tile("src1"));
            Val::Float(rounded(dst.ty, get(&x, r, c).num() - get(&y, r, c).num()).num().max(0.0))
        }),
        "tfusedmuladd" | "tfusedmuladdrelu" | "tmuladddst" => fill(&|r, c| {
            let of = |n: &str| get(&tile(n), r, c).num();
            let (old, x, y) = (of("dst"), of("src0"), of("src1"));
            // The product is rounded before the sum.
            let sum = match op {
                "tmuladddst" => old + rounded(dst.ty, x * y).num(),
                _ => rounded(dst.ty, x * old).num() + y,
            };
            Val::Float(if op.ends_with("relu") { rounded(dst.ty, sum).num().max(0.0) } else { sum })
        }),
        "taxpy" => fill(&|r, c| {
            let x = tile("src");
            let product = get(&x, r, c).num() * rounded(x.ty, attrs["scalar"].as_f64().expect("a number")).num();
            Val::Float(get(&dst, r, c).num() + rounded(dst.ty, product).num())
        }),
        "tcmp" | "tcmps" => {
            let x = tile(if case["operands"].get("src0").is_some() { "src0" } else { "src" });
            let y = case["operands"].get("src1").map(|_| tile("src1"));
            let number = || match attrs["scalar"].as_i64() {
                Some(n) if !x.ty.is_float() => Val::Int(n),
                _ => rounded(x.ty, attrs["scalar"].as_f64().expect("a number")),
            };
            let e = 256 / x.ty.bytes() as i64;
            let (rows, cols) = x.valid();
            // Whole repeats are compared.
            for r in 0..rows {
                for c in 0..(cols + e - 1) / e * e {
                    let other = y.as_ref().map_or_else(number, |y| get(y, r, c));
                    let (a, b) = (get(&x, r, c).num(), other.num());
                    let holds = match attrs["cmp_mode"].as_str() {
                        Some("eq") => a == b,
                        Some("ne") => a != b,
                        Some("lt") => a < b,
                        Some("le") => a <= b,
                        Some("gt") => a > b,
                        m => m == Some("ge") && a >= b,
                    };
                    let byte = &mut out[(dst.at(r, 0) + c / 8) as usize];
                    *byte = *byte & !(1 << (c % 8)) | u8::from(holds) << (c % 8);
                }
            }
        }
        "tsel" | "tsels" => {
            let mask = tile("mask");
            let bit = |r: i64, c: i64| before[(mask.at(r, 0) + c / 8) as usize] >> (c % 8) & 1 == 1;
            if op == "tsel" {
                let (x, y) = (tile("src0"), tile("src1"));
                fill(&|r, c| if bit(r, c) { get(&x, r, c) } else { get(&y, r, c) });
            } else {
                fill(&|r, c| if bit(r, c) { get(&tile("src"), r, c) } else { scalar() });
            }
        }
        "ttrans" => {
            let x = tile("src");
            for r in 0..x.valid().0 {
                for c in 0..x.valid().1 {
                    ub::store(&mut out, dst.at(c, r), dst.ty, get(&x, r, c));
                }
            }
        }
        "tconcat" => {
            let (x, y) = (tile("src0"), tile("src1"));
            let (rows, left) = x.valid();
            for r in 0..rows {
                for c in 0..left + y.valid().1 {
                    let v = if c < left { get(&x, r, c) } else { get(&y, r, c - left) };
                    ub::store(&mut out, dst.at(r, c), dst.ty, v);
                }
            }
        }
        "tcolmax" | "tcolmin" | "tcolsum" | "tcolprod" => {
            let x = tile("src");
            let name = match op {
                "tcolsum" => "vadd".to_owned(),
                "tcolprod" => "vmul".to_owned(),
                _ => format!("v{}", &op[4..]),
            };
            for c in 0..x.valid().1 {
                let column = (0..x.valid().0).map(|r| get(&x, r, c));
                let whole = column.reduce(|a, b| rounded_val(x.ty, compute(&name, x.ty, a, b))).expect("a row");
                ub::store(&mut out, dst.at(0, c), dst.ty, whole);
            }
        }
        "tcolexpand" => fill(&|_, c| get(&tile("src"), 0, c)),
        _ if op.starts_with("tcolexpand") => {
            let (x, y) = (tile("src0"), tile("src1"));
            let full = |t: &Tile<'_>| t.valid() == dst.valid();
            let first = !full(&x) && full(&y);
            let value = |t: &Tile<'_>, row: bool, r, c| get(t, if row { 0 } else { r }, c);
            fill(&|r, c| joined(&op[10..], dst.ty, value(&x, first, r, c), value(&y, !first, r, c)));
        }
        "trowmax" | "trowmin" | "trowsum" | "trowprod" => {
            let x = tile("src");
            let name = match op {
                "trowsum" => "vadd".to_owned(),
                "trowprod" => "vmul".to_owned(),
                _ => format!("v{}", &op[4..]),
            };
            let wide = if x.ty.is_float() { DType::F32 } else { x.ty };
            for r in 0..rows {
                let row = (0..x.valid().1).map(|c| get(&x, r, c));
                let sum = row.reduce(|a, b| compute(&name, wide, a, b)).expect("a column");
                ub::store(&mut out, dst.at(r, 0), dst.ty, sum);
            }
        }
        "trowexpand" => fill(&|r, _| get(&tile("src"), r, 0)),
        _ if op.starts_with("trowexpand") => {
            let (x, y) = (tile("src0"), tile("src1"));
            let same = x.size("cols") == y.size("cols");
            let each = |t: &Tile<'_>| t.dn() || (t.size("cols") == t.block() && t.valid().1 != cols);
            let value = |t: &Tile<'_>, spread: bool, r, c| get(t, r, if spread { 0 } else { c });
            let (spread_x, spread_y) = (each(&x), each(&y) && !same);
            fill(&|r, c| joined(&op[10..], dst.ty, value(&x, spread_x, r, c), value(&y, spread_y, r, c)));
        }
        "tcvt" => {
            let x = tile("src");
            let calls = case["trace"].as_array().expect("a trace");
            let name =
                calls.iter().filter_map(|t| t[0].as_str()).find(|n| n.starts_with("vconv")).expect("a conversion");
            fill(&|r, c| compute(name, dst.ty, get(&x, r, c), Val::Int(0)));
        }
        "tfillpad" => {
            let src = tile("src");
            let (known_rows, known_cols) = src.valid();
            let pad = pad_bits(case["operands"]["dst"]["pad"].as_str().expect("a pad"), dst.ty).to_le_bytes();
            let n = dst.ty.bytes() as usize;
            for r in 0..dst.size("rows") {
                for c in 0..dst.size("cols") {
                    let to = dst.at(r, c) as usize;
                    let from = src.at(r.min(known_rows), c.min(known_cols)) as usize;
                    let keep = r < known_rows && c < known_cols;
                    out[to..to + n].copy_from_slice(if keep { &before[from..from + n] } else { &pad[..n] });
                }
            }
        }
        "tinsert" | "textract" | "tmov" => {
            let src = tile("src");
            let index = |key: &str| attrs[key].as_i64().unwrap_or(0);
            let (row, col) = (index("index_row"), index("index_col"));
            let (there, here) = if op == "tinsert" { ((row, col), (0, 0)) } else { ((0, 0), (row, col)) };
            let (rows, cols) = match op {
                "tinsert" => src.valid(),
                "textract" => (rows, cols),
                _ => (rows.min(src.valid().0), cols.min(src.valid().1)),
            };
            let n = dst.ty.bytes() as usize;
            for r in 0..rows {
                for c in 0..cols {
                    let to = dst.at(there.0 + r, there.1 + c) as usize;
                    let from = src.at(here.0 + r, here.1 + c) as usize;
                    out[to..to + n].copy_from_slice(&before[from..from + n]);
                }
            }
        }
        _ => panic!("{op}"),
    }
    out
}

fn bits(name: &str, x: Val, y: Val) -> Val {
    let (x, y) = (x.int(), y.int());
    Val::Int(match name {
        "and" => x & y,
        "or" => x | y,
        _ => x ^ y,
    })
}

fn rounded_val(ty: DType, x: Val) -> Val {
    let mut b = [0; 8];
    ub::store(&mut b, 0, ty, x);
    ub::load(&b, 0, ty)
}

fn rounded(ty: DType, x: f64) -> Val {
    rounded_val(ty, Val::Float(x))
}

/// What an expansion does with two elements.
fn joined(name: &str, ty: DType, x: Val, y: Val) -> Val {
    match name {
        "expdif" => Val::Float(rounded(ty, x.num() - y.num()).num().exp()),
        name => compute(&format!("v{name}"), ty, x, y),
    }
}

/// The bits of a pad value: the ends of floats are the infinities.
fn pad_bits(pad: &str, ty: DType) -> u64 {
    let (min, max) = match ty {
        DType::F32 => (0xff80_0000, 0x7f80_0000),
        DType::F16 => (0xfc00, 0x7c00),
        DType::BF16 => (0xff80, 0x7f80),
        DType::I8 => (0x80, 0x7f),
        DType::I16 => (0x8000, 0x7fff),
        DType::I32 => (0x8000_0000, 0x7fff_ffff),
        DType::U8 => (0, 0xff),
        DType::U16 => (0, 0xffff),
        DType::U32 => (0, 0xffff_ffff),
        t => panic!("a pad of {t}"),
    };
    match pad {
        "zero" => 0,
        "min" => min,
        "max" => max,
        p => u64::from_str_radix(p.trim_start_matches("custom:0x"), 16).expect("a pattern"),
    }
}
