//! Programs from the descriptions of recorded cases.

use super::exec::Val;
use ptoc_target::Loc;
use serde_json::Value;

/// A program that does what a recorded case did, with the values of its parameters.
pub struct Program {
    pub text: String,
    pub args: Vec<Val>,
}

/// The spelling of an element type.
fn elem(dtype: &str) -> &str {
    match dtype {
        "u8" => "ui8",
        "u16" => "ui16",
        "u32" => "ui32",
        "u64" => "ui64",
        "f8e4m3" => "f8E4M3FN",
        "f8e5m2" => "f8E5M2",
        "hif8" => "!pto.hif8",
        "f8e8m0" => "!pto.f8E8M0",
        "f4e2m1x2" => "!pto.f4E2M1x2",
        "f4e1m2x2" => "!pto.f4E1M2x2",
        d => d,
    }
}

pub fn size(dtype: &str) -> i64 {
    match dtype {
        "f32" | "i32" | "u32" => 4,
        "f16" | "bf16" | "i16" | "u16" => 2,
        "i64" | "u64" => 8,
        _ => 1,
    }
}

fn int(v: &Value) -> i64 {
    v.as_i64().unwrap_or_else(|| panic!("{v} is no integer"))
}

fn word<'v>(v: &'v Value, key: &str) -> &'v str {
    v[key].as_str().unwrap_or("")
}

fn tile_type(v: &Value) -> String {
    let dtype = word(v, "dtype");
    let bound = |i: usize| match int(&v["static_valid"][i]) {
        -1 => "?".to_owned(),
        n => n.to_string(),
    };
    let mut t = format!(
        "!pto.tile_buf<{}, {}x{}x{}, valid={}x{}",
        word(v, "loc"),
        v["rows"],
        v["cols"],
        elem(dtype),
        bound(0),
        bound(1)
    );
    if word(v, "blayout") == "col_major" {
        t += ", blayout=col_major";
    }
    if word(v, "slayout") != "none_box" {
        t += &format!(", slayout={}", word(v, "slayout"));
    }
    if int(&v["fractal"]) != 512 {
        t += &format!(", fractal={}", v["fractal"]);
    }
    match word(v, "pad") {
        "zero" => t += ", pad=1",
        "max" => t += ", pad=2",
        "min" => t += ", pad=3",
        p => {
            if let Some(bits) = p.strip_prefix("custom:0x") {
                let bits = u64::from_str_radix(bits, 16).expect("a pattern");
                let mask = if size(dtype) == 4 { u32::MAX as u64 } else { (1 << (8 * size(dtype))) - 1 };
                t += &format!(", pad=value(0x{:X})", bits & mask);
            }
        }
    }
    if let Some(n @ (1 | 2)) = v["compact"].as_i64() {
        t += &format!(", compact={n}");
    }
    t + ">"
}

#[derive(Default)]
struct Builder {
    params: Vec<String>,
    args: Vec<Val>,
    body: Vec<String>,
    types: Vec<(String, String)>,
}

impl Builder {
    fn param(&mut self, name: &str, ty: &str, v: Val) -> String {
        self.params.push(format!("%{name}: {ty}"));
        self.args.push(v);
        format!("%{name}")
    }

    fn has(&self, name: &str) -> bool {
        self.types.iter().any(|(n, _)| n == name)
    }

    fn ty(&self, name: &str) -> &str {
        &self.types.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no operand {name}")).1
    }

    fn tile(&mut self, name: &str, v: &Value) {
        let ty = tile_type(v);
        let mut sizes = String::new();
        for (i, (key, clause)) in [("valid_row", "valid_row"), ("valid_col", "valid_col")].into_iter().enumerate() {
            if int(&v["static_valid"][i]) == -1 {
                let p = self.param(&format!("{name}_{key}"), "index", Val::Int(int(&v[key])));
                sizes += &format!(" {clause} = {p}");
            }
        }
        self.body.push(format!("%a_{name} = arith.constant {} : i64", v["addr"]));
        self.body.push(format!("%{name} = pto.alloc_tile addr = %a_{name}{sizes} : {ty}"));
        self.types.push((name.to_owned(), ty));
    }

    fn view(&mut self, name: &str, v: &Value) {
        let dtype = word(v, "dtype");
        let e = elem(dtype).to_owned();
        let p = self.param(
            &format!("p_{name}"),
            &format!("!pto.ptr<{e}, gm>"),
            Val::Ptr { space: Loc::Gm, addr: int(&v["addr"]), size: size(dtype) },
        );
        let list = |b: &mut Self, key: &str| -> (String, String) {
            let numbers: Vec<i64> = v[key].as_array().expect("a list").iter().map(int).collect();
            let names: Vec<String> = numbers
                .iter()
                .map(|n| {
                    let line = format!("%g{n} = arith.constant {n} : index");
                    if !b.body.contains(&line) {
                        b.body.push(line);
                    }
                    format!("%g{n}")
                })
                .collect();
            (names.join(", "), numbers.iter().map(i64::to_string).collect::<Vec<_>>().join("x"))
        };
        let (shape, dims) = list(self, "shape");
        let (strides, _) = list(self, "stride");
        let zero = "%g0 = arith.constant 0 : index".to_owned();
        if !self.body.contains(&zero) {
            self.body.push(zero);
        }
        let whole = format!("!pto.tensor_view<?x?x?x?x?x{e}>");
        let part = format!("!pto.partition_tensor_view<{dims}x{e}>");
        self.body.push(format!(
            "%v_{name} = pto.make_tensor_view {p}, shape = [{shape}], strides = [{strides}] {{layout = #pto.layout<{}>}} : {whole}",
            word(v, "layout")
        ));
        self.body.push(format!(
            "%{name} = pto.partition_view %v_{name}, offsets = [%g0, %g0, %g0, %g0, %g0], sizes = [{shape}] : {whole} -> {part}"
        ));
        self.types.push((name.to_owned(), part));
    }

    /// Where a window starts: a constant, or a parameter when the case says so.
    fn index(&mut self, name: &str, attrs: &Value) {
        let value = &attrs[format!("index_{name}")];
        if attrs["index_at_run_time"] == true {
            self.param(name, "index", Val::Int(int(value)));
        } else {
            self.body.push(format!("%{name} = arith.constant {value} : index"));
        }
    }

    fn scalar(&mut self, value: &Value, dtype: &str) -> (String, String) {
        let ty = dtype.replace('u', "i");
        let v = if dtype.contains('f') {
            Val::Float(value.as_f64().unwrap_or(0.0))
        } else {
            Val::Int(value.as_i64().unwrap_or(0))
        };
        (self.param("s", &ty, v), ty)
    }

    /// The clauses and attributes that fix pipe instructions share.
    fn fix(&mut self, attrs: &Value, fp: &str, number: &str) -> (String, Vec<String>) {
        let mut clauses = String::new();
        if self.has("fp") {
            clauses += &format!("{fp}%fp : {}", self.ty("fp"));
        }
        if let Some(q) = attrs.get("pre_quant_scalar") {
            let q = self.param("q", "i64", Val::Int(q.as_u64().expect("a word") as i64));
            clauses += &format!("{number}{q} : i64");
        }
        let mut words = Vec::new();
        if word(attrs, "relu") == "normal_relu" {
            words.push("reluPreMode = #pto<relu_pre_mode normal_relu>".to_owned());
        }
        if let p @ ("partial" | "final") = word(attrs, "phase") {
            words.push(format!("stPhase = #pto<st_phase {p}>"));
        }
        let mode = match word(attrs, "mode") {
            "single_vec0" => "single_mode_vec0",
            "single_vec1" => "single_mode_vec1",
            "dual_split_m" => "dual_mode_split_m",
            "dual_split_n" => "dual_mode_split_n",
            _ => "",
        };
        if !mode.is_empty() {
            words.push(format!("accToVecMode = #pto.acc_to_vec_mode<{mode}>"));
        }
        (clauses, words)
    }

    fn dict(words: &[String]) -> String {
        if words.is_empty() { String::new() } else { format!(" {{{}}}", words.join(", ")) }
    }
}

/// The program of a case; `None` for instructions that have no lowering to compare.
pub fn program(case: &Value) -> Option<Program> {
    let op = word(case, "op");
    let attrs = &case["attrs"];
    let mut b = Builder::default();
    for (name, v) in case["operands"].as_object()? {
        if word(v, "loc") == "gm" {
            b.view(name, v);
        } else if v.get("rows").is_some() {
            b.tile(name, v);
        } else {
            return None;
        }
    }
    let dst_type = || word(&case["operands"]["dst"], "dtype").to_owned();
    let line = match op {
        "tadd" | "tsub" | "tmul" | "tdiv" | "tmax" | "tmin" | "tand" | "tor" | "tshl" | "tshr" | "tconcat"
        | "tsubrelu" | "tfusedmuladd" | "tfusedmuladdrelu" | "tmuladddst" => {
            format!("pto.{op} ins(%src0, %src1 : {}, {}) outs(%dst : {})", b.ty("src0"), b.ty("src1"), b.ty("dst"))
        }
        "txor" | "tprelu" if b.has("tmp") => {
            let (x, y, t) = (b.ty("src0"), b.ty("src1"), b.ty("tmp"));
            format!("pto.{op} ins(%src0, %src1, %tmp : {x}, {y}, {t}) outs(%dst : {})", b.ty("dst"))
        }
        "txor" | "tprelu" => {
            format!("pto.{op} ins(%src0, %src1 : {}, {}) outs(%dst : {})", b.ty("src0"), b.ty("src1"), b.ty("dst"))
        }
        _ if op.starts_with("trowexpand") && op != "trowexpand"
            || op.starts_with("tcolexpand") && op != "tcolexpand" =>
        {
            format!("pto.{op} ins(%src0, %src1 : {}, {}) outs(%dst : {})", b.ty("src0"), b.ty("src1"), b.ty("dst"))
        }
        "tcolsum" if b.has("tmp") => {
            let binary = attrs["is_binary"] == true || attrs["is_binary"] == 1;
            format!(
                "pto.tcolsum ins(%src, %tmp {{isBinary = {binary}}} : {}, {}) outs(%dst : {})",
                b.ty("src"),
                b.ty("tmp"),
                b.ty("dst")
            )
        }
        "tcmp" | "tcmps" => {
            let mode = attrs["cmp_mode"].as_str().or(attrs["mode"].as_str()).expect("a mode");
            let src = if b.has("src0") { "src0" } else { "src" };
            let (x, dst) = (b.ty(src).to_owned(), b.ty("dst").to_owned());
            let (y, ty) = match b.has("src1") {
                true => ("%src1".to_owned(), b.ty("src1").to_owned()),
                false => b.scalar(&attrs["scalar"], word(&case["operands"][src], "dtype")),
            };
            format!("pto.{op} ins(%{src}, {y} {{cmpMode = #pto<cmp {mode}>}} : {x}, {ty}) outs(%dst : {dst})")
        }
        "tsel" => format!(
            "pto.tsel ins(%mask, %src0, %src1, %tmp : {}, {}, {}, {}) outs(%dst : {})",
            b.ty("mask"),
            b.ty("src0"),
            b.ty("src1"),
            b.ty("tmp"),
            b.ty("dst")
        ),
        "tsels" => {
            let (s, ty) = b.scalar(&attrs["scalar"], &dst_type());
            let (m, x, t) = (b.ty("mask"), b.ty("src"), b.ty("tmp"));
            format!("pto.tsels ins(%mask, %src, %tmp, {s} : {m}, {x}, {t}, {ty}) outs(%dst : {})", b.ty("dst"))
        }
        "trsqrt" | "ttrans" if b.has("tmp") => {
            format!("pto.{op} ins(%src, %tmp : {}, {}) outs(%dst : {})", b.ty("src"), b.ty("tmp"), b.ty("dst"))
        }
        "tci" => {
            let (s, ty) = b.scalar(&attrs["start"], &dst_type());
            let down = attrs["descending"] == true || attrs["descending"] == 1;
            let (tmp, tmp_type) = match b.has("tmp") {
                true => (", %tmp", format!(", {}", b.ty("tmp"))),
                false => ("", String::new()),
            };
            format!("pto.tci ins({s}{tmp} : {ty}{tmp_type}) outs(%dst : {}) {{descending = {down}}}", b.ty("dst"))
        }
        "tgather" if word(attrs, "form") == "index" => {
            let (x, y, t) = (b.ty("src0"), b.ty("src1"), b.ty("tmp"));
            format!("pto.tgather ins(%src0, %src1, %tmp : {x}, {y}, {t}) outs(%dst : {})", b.ty("dst"))
        }
        "trowsum" | "trowmax" | "trowmin" | "trowprod" => {
            format!("pto.{op} ins(%src, %tmp : {}, {}) outs(%dst : {})", b.ty("src"), b.ty("tmp"), b.ty("dst"))
        }
        "txors" if b.has("tmp") => {
            let (s, ty) = b.scalar(&attrs["scalar"], &dst_type());
            format!(
                "pto.{op} ins(%src, {s}, %tmp : {}, {ty}, {}) outs(%dst : {})",
                b.ty("src"),
                b.ty("tmp"),
                b.ty("dst")
            )
        }
        "tadds" | "tsubs" | "tmuls" | "tmaxs" | "tmins" | "tdivs" | "tlrelu" | "tands" | "tors" | "txors" | "tshls"
        | "tshrs" | "taxpy" => {
            let (s, ty) = b.scalar(&attrs["scalar"], &dst_type());
            let (t, tile) = ("%src", b.ty("src"));
            if word(attrs, "variant") == "scalar_div_tile" || word(attrs, "form") == "scalar_div_tile" {
                format!("pto.{op} ins({s}, {t} : {ty}, {tile}) outs(%dst : {})", b.ty("dst"))
            } else {
                format!("pto.{op} ins({t}, {s} : {tile}, {ty}) outs(%dst : {})", b.ty("dst"))
            }
        }
        "texpands" => {
            let (s, ty) = b.scalar(&attrs["scalar"], &dst_type());
            format!("pto.{op} ins({s} : {ty}) outs(%dst : {})", b.ty("dst"))
        }
        "tabs" | "tneg" | "tnot" | "trelu" | "texp" | "tlog" | "tsqrt" | "trecip" | "trowexpand" | "tload"
        | "trsqrt" | "ttrans" | "tcolexpand" | "tcolsum" | "tcolprod" | "tcolmax" | "tcolmin" => {
            format!("pto.{op} ins(%src : {}) outs(%dst : {})", b.ty("src"), b.ty("dst"))
        }
        "tfillpad" => {
            let name = match word(attrs, "mode") {
                "inplace" => "tfillpad_inplace",
                "expand" => "tfillpad_expand",
                _ => "tfillpad",
            };
            format!("pto.{name} ins(%src : {}) outs(%dst : {})", b.ty("src"), b.ty("dst"))
        }
        "tinsert" => {
            b.index("row", attrs);
            b.index("col", attrs);
            let (clauses, mut words) = b.fix(attrs, " fp ", " pre_quant ");
            if let Some(split) = attrs["split"].as_str() {
                words.push(format!("tinsertMode = #pto.tinsert_mode<{split}>"));
            }
            format!(
                "pto.tinsert ins(%src, %row, %col : {}, index, index{clauses}) outs(%dst : {}){}",
                b.ty("src"),
                b.ty("dst"),
                Builder::dict(&words)
            )
        }
        "textract" => {
            b.index("row", attrs);
            b.index("col", attrs);
            let mut rest = attrs.clone();
            let number = rest.as_object_mut().and_then(|m| m.remove("pre_quant_scalar"));
            let (name, ty) = match number {
                Some(q) => (b.param("q", "i64", Val::Int(int(&q))), ", i64"),
                None => (String::new(), ""),
            };
            let sep = if name.is_empty() { "" } else { ", " };
            let (clauses, words) = b.fix(&rest, " fp ", "");
            format!(
                "pto.textract ins(%src, %row, %col{sep}{name} : {}, index, index{ty}{clauses}) outs(%dst : {}){}",
                b.ty("src"),
                b.ty("dst"),
                Builder::dict(&words)
            )
        }
        "tmov" => {
            let (clauses, words) = b.fix(attrs, ", ", ", ");
            format!(
                "pto.tmov ins(%src : {}{clauses}) outs(%dst : {}){}",
                b.ty("src"),
                b.ty("dst"),
                Builder::dict(&words)
            )
        }
        "tstore" => {
            let (clauses, mut words) = b.fix(attrs, " fp ", ", ");
            if word(attrs, "atomic") == "add" {
                words.push("atomicType = #pto<atomic_type atomic_add>".to_owned());
            }
            format!(
                "pto.tstore ins(%src : {}{clauses}) outs(%dst : {}){}",
                b.ty("src"),
                b.ty("dst"),
                Builder::dict(&words)
            )
        }
        "tmatmul" | "tmatmul_acc" | "tmatmul_bias" => {
            let phase = match word(attrs, "phase") {
                p @ ("partial" | "final") => format!(" {{accPhase = #pto<acc_phase {p}>}}"),
                _ => String::new(),
            };
            let (x, y, d) = (b.ty("a"), b.ty("b"), b.ty("dst"));
            match op {
                "tmatmul" => format!("pto.tmatmul ins(%a, %b : {x}, {y}) outs(%dst : {d}){phase}"),
                "tmatmul_acc" => format!("pto.tmatmul.acc ins(%dst, %a, %b : {d}, {x}, {y}) outs(%dst : {d}){phase}"),
                _ => {
                    format!("pto.tmatmul.bias ins(%a, %b, %bias : {x}, {y}, {}) outs(%dst : {d}){phase}", b.ty("bias"))
                }
            }
        }
        "tcvt" => {
            let mut words = vec![format!("rmode = #pto<round_mode {}>", word(attrs, "round").to_uppercase())];
            if let s @ ("on" | "off") = word(attrs, "sat") {
                words.push(format!("satmode = #pto<saturation_mode {}>", s.to_uppercase()));
            }
            format!("pto.tcvt ins(%src{} : {}) outs(%dst : {})", Builder::dict(&words), b.ty("src"), b.ty("dst"))
        }
        _ => return None,
    };
    b.body.push(line);
    let text = format!("func.func @k({}) {{\n  {}\n  return\n}}\n", b.params.join(", "), b.body.join("\n  "));
    Some(Program { text, args: b.args })
}
