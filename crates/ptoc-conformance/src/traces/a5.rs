//! Recordings of A5: what their arguments mean, and what the recorded instruction is called here.

use super::place::Placement;
use super::replay::{self, Step};
use super::{Case, Instruction, own_name};
use crate::descriptor::{Shape, dtype};
use ptoc_sim::machine::{Arg, Core, Ptr, find};
use ptoc_sim::num::{Num, encode};
use ptoc_sim::semantics::{Attr, Inst, Scalar};
use ptoc_target::{Arch, DType};
use serde_json::Value;
use std::borrow::Cow;

/// Enum members that occur as arguments, sorted.
const WORDS: &[&str] = &[
    "BLK",
    "BRC_B16",
    "BRC_B32",
    "BRC_B8",
    "Bin_N0",
    "Bin_N1",
    "DEC_ORDER",
    "DEQF16",
    "DINTLV_B16",
    "DINTLV_B32",
    "DINTLV_B8",
    "DSB_DDR",
    "E2B_B16",
    "E2B_B32",
    "EVENT_ID0",
    "F322BF16",
    "F322F16",
    "HIGHER",
    "INC_ORDER",
    "INTLV_B32",
    "LOWER",
    "MODE_MERGING",
    "MODE_STORED",
    "MODE_ZEROING",
    "NORM",
    "NORM_B16",
    "NORM_B32",
    "NORM_B8",
    "NoQuant",
    "ONEPT_B16",
    "ONEPT_B32",
    "ONEPT_B8",
    "PART_EVEN",
    "PART_ODD",
    "PART_P0",
    "PART_P1",
    "PART_P2",
    "PART_P3",
    "PAT_ALL",
    "PAT_ALLF",
    "PAT_VL1",
    "PAT_VL16",
    "PAT_VL32",
    "PIPE_ALL",
    "PIPE_FIX",
    "PIPE_M",
    "PIPE_MTE1",
    "PIPE_MTE2",
    "PIPE_MTE3",
    "PIPE_S",
    "PIPE_V",
    "PK",
    "PK4_B32",
    "PK_B16",
    "PK_B32",
    "PK_B64",
    "POST_UPDATE",
    "POS_LOWEST",
    "QF322B8_PRE",
    "QF322BF16_PRE",
    "QF322HIF8_PRE",
    "QS322BF16_PRE",
    "REQ8",
    "ROUND_A",
    "ROUND_C",
    "ROUND_F",
    "ROUND_O",
    "ROUND_R",
    "ROUND_Z",
    "RS_DISABLE",
    "RS_ENABLE",
    "SPR_AR",
    "UNPK4_B8",
    "UNPK_B16",
    "UNPK_B32",
    "UNPK_B8",
    "US",
    "VDEQF16",
    "VQF322B8_PRE",
    "VQF322F16_PRE",
    "VQF322FP8_PRE",
    "VQF322HIF8_PRE",
    "VQS322BF16_PRE",
    "VREQ8",
    "VST_VLD",
    "VST_VST",
];

/// Notes of the recorder, which are no calls.
const NOTES: &[&str] =
    &["simt_end", "simt_launch", "simt_thread", "step", "tile_addr", "vec_scope_begin", "vec_scope_end"];

/// Instructions that leave saturation to the control word as a kernel finds it, when they do not set it: bit 60.
const BY_CONTROL: &[&str] = &["taddreluconv", "tcvt", "tsubreluconv"];

/// The steps of a case. Recordings start with a control word of 0, which shows where they write it back.
pub(super) fn steps(case: &Case, placement: &Placement, core: &mut Core) -> Result<Vec<Step>, String> {
    let sets = case.trace.iter().any(|call| replay::name(call) == Some("set_ctrl"));
    core.spr.ctrl = if !sets && BY_CONTROL.contains(&case.op.as_str()) { 1 << 60 } else { 0 };
    let mut steps = Vec::with_capacity(case.trace.len());
    for call in &case.trace {
        let (name, list) = match call.as_array().map(|l| l.as_slice()) {
            Some([Value::String(name), list @ ..]) => (name.as_str(), list),
            _ => return Err("a step that is no call".to_owned()),
        };
        steps.extend(Decode { case, placement }.step(name, list).map_err(|e| format!("`{name}`: {e}"))?);
    }
    Ok(steps)
}

struct Decode<'a> {
    case: &'a Case,
    placement: &'a Placement,
}

impl Decode<'_> {
    fn step(&self, name: &str, list: &[Value]) -> Result<Option<Step>, String> {
        if NOTES.contains(&name) {
            return Ok(None);
        }
        if let ("scalar_load" | "scalar_store", [at, bits]) = (name, list) {
            let width = at.get("ty").and_then(Value::as_str).and_then(|t| t.strip_prefix('b')?.parse::<u64>().ok());
            let bits = bits.get("bits").and_then(Value::as_u64);
            let (Some(width), Some(bits)) = (width, bits) else { return Err("no width or no bits".to_owned()) };
            let (at, bytes) = (self.ptr(at)?, width / 8);
            let load = name == "scalar_load";
            return Ok(Some(if load { Step::Load { at, bytes, bits } } else { Step::Store { at, bytes, bits } }));
        }
        let intrinsic = find(Arch::A5, name).ok_or("the machine has no such intrinsic")?;
        // Scalars become the element type of the result.
        let mut elem = None;
        let mut args = Vec::with_capacity(list.len());
        for v in list {
            // What a call returned as a number is no argument.
            if v.get("ret").is_some() {
                continue;
            }
            let arg = self.arg(v, elem)?;
            if let (None, Arg::Reg { elem: ty, .. }) = (elem, &arg) {
                elem = Some(*ty);
            }
            args.push(arg);
        }
        Ok(Some(Step::Call(intrinsic, args)))
    }

    fn arg(&self, v: &Value, elem: Option<DType>) -> Result<Arg, String> {
        Ok(match v {
            Value::Bool(b) => Arg::Int(i64::from(*b)),
            Value::Number(n) => match (n.as_i64().or(n.as_u64().map(|n| n as i64)), n.as_f64()) {
                (Some(n), _) => Arg::Int(n),
                (None, Some(x)) => float(x),
                (None, None) => return Err(format!("number {n}")),
            },
            Value::String(w) => return self.word(w, elem),
            Value::Array(list) => Arg::List(list.iter().map(|v| self.arg(v, elem)).collect::<Result<_, _>>()?),
            Value::Object(_) => {
                let p = self.ptr(v)?;
                match v.get("hi32").and_then(Value::as_i64) {
                    // The bias table address in the upper half of the pointer.
                    Some(bias) => Arg::List(vec![Arg::Ptr(p), Arg::Int(bias)]),
                    None => Arg::Ptr(p),
                }
            }
            Value::Null => return Err("an argument that is null".to_owned()),
        })
    }

    /// A register, a special number or an enum member.
    fn word(&self, w: &str, elem: Option<DType>) -> Result<Arg, String> {
        let number = |prefix| w.strip_prefix(prefix).and_then(|n: &str| n.parse::<u32>().ok());
        if let Some(id) = number('p') {
            return Ok(Arg::Mask(id));
        }
        if let Some(id) = number('u') {
            return Ok(Arg::Align(id));
        }
        let (name, view) = w.split_once(':').map_or((w, None), |(name, view)| (name, Some(view)));
        if let Some(id) = name.strip_prefix('v').and_then(|n| n.parse().ok()) {
            let ty = view.or_else(|| self.case.regs.get(name)?.as_str());
            let elem = ty.and_then(dtype).ok_or_else(|| format!("the element type of register `{w}`"))?;
            return Ok(Arg::Reg { id, elem });
        }
        match (name, view) {
            ("inf", None) => return Ok(float(f64::INFINITY)),
            ("-inf", None) => return Ok(float(f64::NEG_INFINITY)),
            ("nan", Some(bits)) => {
                let bits =
                    u64::from_str_radix(bits.trim_start_matches("0x"), 16).map_err(|_| format!("number `{w}`"))?;
                return Ok(Arg::Float { ty: elem.ok_or("a number without an element type")?, bits });
            }
            _ => {}
        }
        let word = WORDS.binary_search(&w).map_err(|_| format!("word `{w}`"))?;
        Ok(Arg::Word(WORDS[word]))
    }

    fn ptr(&self, v: &Value) -> Result<Ptr, String> {
        let (buf, off) = (v.get("buf").and_then(Value::as_str), v.get("off").and_then(Value::as_u64));
        let (Some(buf), Some(off)) = (buf, off) else { return Err(format!("argument {v}")) };
        let place = self.placement.find(self.case, buf).ok_or_else(|| format!("no operand `{buf}`"))?;
        let elem = v.get("ty").and_then(Value::as_str).and_then(dtype);
        Ok(Ptr { space: place.space, addr: place.addr + off, elem })
    }
}

/// A scalar that the call converts to the element type.
fn float(x: f64) -> Arg {
    Arg::Float { ty: DType::F64, bits: x.to_bits() }
}

/// Recorded operand names and the ones of the instruction; `*` is any instruction.
const OPERANDS: &[(&str, &str, &str)] = &[
    ("mgather", "indices", "indexes"),
    ("mgather", "table", "src"),
    ("mscatter", "indices", "indexes"),
    ("mscatter", "table", "dst"),
    ("tcmps", "src0", "src"),
    ("tgather", "src0", "src"),
    ("tgather", "src1", "indices"),
    ("tgemv", "dst", "c"),
    ("tgemv_acc", "dst", "c"),
    ("tgemv_bias", "dst", "c"),
    ("tgemv_mx", "dst", "c"),
    ("tmatmul", "dst", "c"),
    ("tmatmul_acc", "dst", "c"),
    ("tmatmul_bias", "dst", "c"),
    ("tmatmul_mx", "dst", "c"),
    ("tpartargmax", "dst_val", "dst"),
    ("tpartargmax", "src0_val", "src0"),
    ("tpartargmax", "src1_val", "src1"),
    ("tpartargmin", "dst_val", "dst"),
    ("tpartargmin", "src0_val", "src0"),
    ("tpartargmin", "src1_val", "src1"),
    ("tpows", "base", "src"),
    ("tscatter", "idx", "indexes"),
];

/// The instruction of a case, from the bytes of its operands.
pub(super) fn instruction<'a>(case: &'a Case, bytes: &[Vec<u8>]) -> Result<Instruction<'a>, String> {
    let mut names = Vec::new();
    let mut list = Vec::new();
    for ((name, d), bytes) in case.operands.iter().zip(bytes) {
        let operand = super::pack::used(case, d).operand(bytes.clone())?;
        let renamed = OPERANDS.iter().find(|(op, from, _)| *op == case.op && from == name).map(|(.., to)| *to);
        list.push((renamed.map_or_else(|| Cow::Owned(name.clone()), Cow::Borrowed), operand));
        names.push(name.clone());
    }
    // The result of a product with an accumulator starts as that.
    if matches!((case.op.as_str(), case.word("form")), ("tgemv_acc" | "tmatmul_acc", _) | (_, Some("acc")))
        && let Some((_, c)) = list.iter().find(|(n, _)| n == "c").cloned()
    {
        list.push((Cow::Borrowed("c_in"), c));
        names.push(String::new());
    }
    Ok(Instruction { inst: Inst { op: own_name(case), operands: list, attrs: attributes(case)? }, names })
}

/// Attributes in the names and words of the instruction.
fn attributes(case: &Case) -> Result<Vec<(Cow<'static, str>, Attr)>, String> {
    let mut attrs: Vec<(Cow<'static, str>, Attr)> = Vec::new();
    let mut add = |name: &str, attr: Attr| attrs.push((Cow::Owned(name.to_owned()), attr));
    let word = |w: &str| Attr::Word(w.to_owned());
    let hex = |list: &[Value]| {
        let words: Vec<String> = list.iter().map(|n| format!("{:08x}", n.as_u64().unwrap_or(0))).collect();
        Attr::Word(words.join(","))
    };
    for (name, v) in &case.attrs {
        match (case.op.as_str(), name.as_str(), v) {
            // How the recording was made.
            (
                _,
                "vf_impl" | "note" | "mem_fill_byte" | "indices_content" | "need_set_ctrl" | "variant" | "precision",
                _,
            ) => {}
            ("tcmp" | "tcmps" | "tgather", "mode", Value::String(w)) => add("cmp_mode", word(w)),
            ("tcvt", "round", Value::String(w)) => add("round_mode", word(w)),
            ("tcvt", "sat", Value::String(w)) => add("sat_mode", word(w)),
            ("tgather" | "tscatter", "mask", Value::String(w)) => add("mask_pattern", word(&w.to_uppercase())),
            (_, "upper" | "descending", Value::Number(n)) => add(name, Attr::Bool(n.as_u64() != Some(0))),
            ("tdeinterleave" | "tinterleave", "form", Value::String(_)) => add("form", word("single_source")),
            ("tinsert" | "textract" | "tmov", "mode", Value::String(w)) => add("acc_to_vec_mode", word(w)),
            ("tinsert", "split", Value::String(w)) => add("mode", word(w)),
            ("trandom", "key" | "counter", Value::Array(list)) => add(name, hex(list)),
            ("tquant", "quant", Value::String(_)) => add("quant_type", word(quant(case)?)),
            ("tquant", "scale_alg" | "exp", _) => {}
            (_, "pre_quant_scalar", Value::Number(_)) => {
                let bits = quant_word(case).or(v.as_u64()).ok_or("`pre_quant_scalar` is no word of 64 bits")?;
                add("pre_quant_scalar", Attr::Scalar(Scalar { dtype: DType::U64, bits }));
            }
            (_, "pad_list", Value::Array(list)) => {
                for (side, n) in ["pad_left", "pad_right", "pad_top", "pad_bottom"].into_iter().zip(list) {
                    add(side, Attr::Int(n.as_i64().ok_or("`pad_list` has no numbers")?));
                }
            }
            ("tpows", "exp", v) => add("scalar", Attr::Scalar(typed(case, v)?)),
            (_, "scalar" | "start", v) => add(name, Attr::Scalar(typed(case, v)?)),
            (_, "deq_scale", v) => add(name, Attr::Scalar(number(v, DType::F32)?)),
            (_, name, Value::Bool(b)) => add(name, Attr::Bool(*b)),
            (_, name, Value::String(w)) => add(name, word(w)),
            (_, name, Value::Number(n)) => {
                add(name, Attr::Int(n.as_i64().ok_or_else(|| format!("attribute `{name}`"))?));
            }
            (_, name, _) => return Err(format!("attribute `{name}`")),
        }
    }
    if case.op == "tquant" && !attrs.iter().any(|(name, _)| name == "grp_axis") {
        attrs.push((Cow::Borrowed("grp_axis"), Attr::Int(1)));
    }
    Ok(attrs)
}

/// The word of the quantisation that the instruction has.
fn quant(case: &Case) -> Result<&'static str, String> {
    let alg = case.word("scale_alg").unwrap_or("ocp");
    Ok(match (case.word("quant").unwrap_or(""), alg) {
        ("int8_sym", _) => "INT8_SYM",
        ("int8_asym", _) => "INT8_ASYM",
        ("mxfp8", "ocp") | ("ocp_mxfp8", _) => "OcpMxFp8E4M3",
        ("mxfp8", _) | ("nv_mxfp8", _) => "NvMxFp8E4M3",
        ("mxfp4_e2m1", "ocp") | ("ocp_mxfp4", _) => "OcpMxFp4E2M1",
        ("mxfp4_e2m1", _) | ("nv_mxfp4", _) => "NvMxFp4E2M1",
        (other, _) => return Err(format!("quantisation `{other}`")),
    })
}

/// The quantisation word that the sequence sets: it completes the scale of the call.
fn quant_word(case: &Case) -> Option<u64> {
    let set = case.trace.iter().rev().find(|call| replay::name(call) == Some("set_quant_pre"))?;
    let word = set.get(1)?;
    word.as_u64().or(word.as_i64().map(|n| n as u64))
}

/// A scalar of the type of the elements.
fn typed(case: &Case, v: &Value) -> Result<Scalar, String> {
    let tile = |name: &&str| case.operand(name).filter(|d| matches!(d.shape, Shape::Tile { .. }));
    let first = ["src", "src0", "base", "dst"].iter().find_map(|name| tile(name)?.dtype());
    number(v, first.unwrap_or(DType::I64))
}

/// A recorded number in an element type.
fn number(v: &Value, ty: DType) -> Result<Scalar, String> {
    let n = match (v.as_i64(), v.as_f64()) {
        (Some(n), _) => Num::Int(i128::from(n)),
        (None, Some(x)) => Num::Float(x),
        _ => return Err("a scalar that is no number".to_owned()),
    };
    Ok(Scalar { dtype: ty, bits: encode(ty, n) })
}
