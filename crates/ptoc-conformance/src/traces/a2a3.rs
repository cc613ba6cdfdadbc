//! Recordings of A2/A3: what their arguments mean, and what the recorded instruction is called here.

use super::inputs::scalar;
use super::pack;
use super::place::Placement;
use super::replay::Step;
use super::{Case, Instruction, own_name};
use crate::descriptor::dtype;
use ptoc_sim::machine::{Arg, Core, Ptr, find};
use ptoc_sim::semantics::{Attr, Inst, Scalar};
use ptoc_target::{Arch, DType, Loc};
use serde_json::Value;
use std::borrow::Cow;

/// Enum members that occur as arguments.
const WORDS: &[&str] = &[
    "DSB_DDR",
    "DSB_UB",
    "EVENT_ID0",
    "EVENT_ID1",
    "EVENT_ID2",
    "EVENT_ID3",
    "EVENT_ID4",
    "EVENT_ID5",
    "EVENT_ID6",
    "EVENT_ID7",
    "ONLY_INDEX",
    "ONLY_VALUE",
    "PIPE_ALL",
    "PIPE_FIX",
    "PIPE_M",
    "PIPE_MTE1",
    "PIPE_MTE2",
    "PIPE_MTE3",
    "PIPE_S",
    "PIPE_V",
    "SINGLE_CACHE_LINE",
    "VA0",
    "VA1",
    "VA2",
    "VA3",
    "VA4",
    "VA5",
    "VA6",
    "VA7",
    "VALUE_INDEX",
];

/// The steps of a case. Recordings start with a control word of 0 or a stated one, but all else as a kernel finds it.
pub(super) fn steps(case: &Case, placement: &Placement, core: &mut Core) -> Result<Vec<Step>, String> {
    if let Some(ctrl) = case.attrs.get("ctrl_initial").and_then(Value::as_u64) {
        core.spr.ctrl |= ctrl;
    }
    let decode = Decode { case, placement };
    let mut steps = Vec::with_capacity(case.trace.len());
    for call in &case.trace {
        let (name, list) = match call.as_array().map(|l| l.as_slice()) {
            Some([Value::String(name), list @ ..]) => (name.as_str(), list),
            _ => return Err("a step that is no call".to_owned()),
        };
        steps.extend(decode.step(name, list).map_err(|e| format!("`{name}`: {e}"))?);
    }
    Ok(steps)
}

struct Decode<'a> {
    case: &'a Case,
    placement: &'a Placement,
}

impl Decode<'_> {
    fn step(&self, name: &str, list: &[Value]) -> Result<Option<Step>, String> {
        match (name, list) {
            ("note_slot_addr", _) => return Ok(None),
            ("scalar_load" | "scalar_store", [at, bytes, bits]) => {
                let at = self.ptr(at).ok_or("no pointer")??;
                let (Some(bytes), Some(bits)) = (bytes.as_u64(), bits.as_u64()) else {
                    return Err("size and bits are no numbers".to_owned());
                };
                let load = name == "scalar_load";
                return Ok(Some(if load { Step::Load { at, bytes, bits } } else { Step::Store { at, bytes, bits } }));
            }
            _ => {}
        }
        let intrinsic = find(Arch::A2A3, name).ok_or("the machine has no such intrinsic")?;
        let list: Result<Vec<Arg>, String> = list.iter().map(|v| self.arg(v)).collect();
        Ok(Some(Step::Call(intrinsic, list?)))
    }

    fn arg(&self, v: &Value) -> Result<Arg, String> {
        if let Some(p) = self.ptr(v) {
            return p.map(Arg::Ptr);
        }
        Ok(match v {
            Value::Bool(b) => Arg::Int(i64::from(*b)),
            Value::Number(n) => Arg::Int(n.as_i64().or(n.as_u64().map(|n| n as i64)).ok_or("no integer")?),
            Value::String(w) => {
                let word = WORDS.binary_search(&w.as_str()).map_err(|_| format!("word `{w}`"))?;
                Arg::Word(WORDS[word])
            }
            Value::Array(list) => Arg::List(list.iter().map(|v| self.arg(v)).collect::<Result<_, _>>()?),
            Value::Object(_) => return self.object(v),
            Value::Null => return Err("an argument that is null".to_owned()),
        })
    }

    fn object(&self, v: &Value) -> Result<Arg, String> {
        // An integer that holds an address.
        if let Some(at) = v.get("addr") {
            return Ok(Arg::Int(self.ptr(at).ok_or("an address of nothing")??.addr as i64));
        }
        // Accumulator and bias table in one 64-bit word.
        if let (Some(c), Some(bias)) = (v.get("c"), v.get("bias")) {
            return Ok(Arg::List(vec![self.arg(c)?, self.arg(bias)?]));
        }
        // The register counts 128 bytes in bits 15:8.
        if let (Some(name), Some(off)) =
            (v.get("fpc_buf").and_then(Value::as_str), v.get("fpc_off").and_then(Value::as_u64))
        {
            let place = self.placement.find(self.case, name).ok_or_else(|| format!("no operand `{name}`"))?;
            return Ok(Arg::Int((((place.addr + off) >> 7) << 8) as i64));
        }
        let (ty, bits) = scalar(v, DType::I64).ok_or_else(|| format!("argument {v}"))?;
        Ok(Arg::Float { ty, bits })
    }

    /// A pointer; `None` when it is something else.
    fn ptr(&self, v: &Value) -> Option<Result<Ptr, String>> {
        let (buf, off) = (v.get("buf")?.as_str()?, v.get("off")?.as_u64()?);
        let elem = match v.get("t").and_then(Value::as_str) {
            None | Some("raw" | "addr" | "void") => None,
            Some(t) => match dtype(t) {
                Some(ty) => Some(ty),
                None => return Some(Err(format!("element type `{t}`"))),
            },
        };
        if buf == "abs" {
            return Some(Ok(Ptr { space: Loc::Vec, addr: off, elem }));
        }
        let place = self.placement.find(self.case, buf);
        Some(
            place
                .map(|p| Ptr { space: p.space, addr: p.addr + off, elem })
                .ok_or_else(|| format!("no operand `{buf}`")),
        )
    }
}

/// Recorded operand names and the ones of the instruction.
const OPERANDS: &[(&str, &str, &str)] = &[
    ("mgather", "table", "src"),
    ("mgather", "idx", "indexes"),
    ("mscatter", "table", "dst"),
    ("mscatter", "idx", "indexes"),
    ("tcmps", "src0", "src"),
    ("tcolargmax", "dst_idx", "dst"),
    ("tcolargmin", "dst_idx", "dst"),
    ("tgather", "src0", "src"),
    ("tgather", "src1", "indices"),
    ("tpows", "base", "src"),
    ("trowargmax", "dst_idx", "dst"),
    ("trowargmin", "dst_idx", "dst"),
    ("tscatter", "idx", "indexes"),
];

/// The instruction of a case, from the bytes of its operands.
pub(super) fn instruction<'a>(case: &'a Case, bytes: &[Vec<u8>]) -> Result<Instruction<'a>, String> {
    let mut names = Vec::new();
    let mut list = Vec::new();
    // Forms with values and indices keep both names.
    let both = case.operand("dst_val").is_some();
    for ((name, d), bytes) in case.operands.iter().zip(bytes) {
        let operand = pack::used(case, d).operand(bytes.clone())?;
        let renamed = OPERANDS.iter().find(|(op, from, _)| *op == case.op && from == name).map(|(.., to)| *to);
        let renamed = renamed.filter(|_| !both || name != "dst_idx");
        list.push((renamed.map_or_else(|| Cow::Owned(name.clone()), Cow::Borrowed), operand));
        names.push(name.clone());
    }
    Ok(Instruction { inst: Inst { op: op(case), operands: list, attrs: attributes(case)? }, names })
}

/// The name of the instruction.
fn op(case: &Case) -> &str {
    match own_name(case) {
        // A compact operand takes as much of a matrix as its own valid size says.
        "tmov" if case.word("form").is_some_and(|f| f.contains("_compact")) => "textract",
        name => name,
    }
}

/// Attributes in the names and words of the instruction.
fn attributes(case: &Case) -> Result<Vec<(Cow<'static, str>, Attr)>, String> {
    let mut attrs = Vec::new();
    let mut add = |name: &str, attr: Attr| attrs.push((Cow::Owned(name.to_owned()), attr));
    let word = |w: &str| Attr::Word(w.to_owned());
    for (name, v) in &case.attrs {
        match (case.op.as_str(), name.as_str(), v) {
            (_, "relu", Value::Bool(on)) => add("relu", word(if *on { "normal_relu" } else { "no_relu" })),
            (_, "pre_quant_scalar", Value::Number(_)) => {
                let bits = v.as_u64().ok_or("`pre_quant_scalar` is no word of 64 bits")?;
                add("pre_quant_scalar", Attr::Scalar(Scalar { dtype: DType::U64, bits }));
            }
            (_, "pad_list", Value::Array(list)) => {
                for (side, n) in ["pad_left", "pad_right", "pad_top", "pad_bottom"].into_iter().zip(list) {
                    add(side, Attr::Int(n.as_i64().ok_or("`pad_list` has no numbers")?));
                }
            }
            ("tgather" | "tscatter", "form", Value::String(form)) => {
                // `row_P0101` and `mask_row` are the mask form along rows.
                let axis = ["row", "col"].into_iter().find(|axis| form.split('_').any(|part| part == *axis));
                add("form", word(if axis.is_some() { "mask" } else { form }));
                axis.into_iter().for_each(|axis| add("axis", word(axis)));
                if let Some((_, pattern)) = form.split_once("_P") {
                    add("mask_pattern", word(&format!("P{pattern}")));
                }
            }
            ("tquant", "quant_type", Value::String(w)) => add(name, word(&w.to_uppercase())),
            ("tpows", "exp", v) => add("scalar", Attr::Scalar(typed(case, v)?)),
            (_, "scalar" | "start" | "deq_scale" | "offset", v) => add(name, Attr::Scalar(typed(case, v)?)),
            (_, name, _) if name.starts_with("init_") => {}
            (_, name, Value::Bool(b)) => add(name, Attr::Bool(*b)),
            (_, name, Value::String(w)) => add(name, word(w)),
            (_, name, Value::Number(n)) => {
                let n = n.as_i64().or(n.as_u64().map(|n| n as i64)).ok_or_else(|| format!("attribute `{name}`"))?;
                add(name, Attr::Int(n));
            }
            (_, name, _) => return Err(format!("attribute `{name}`")),
        }
    }
    if op(case) == "textract" && case.op == "tmov" {
        add("index_row", Attr::Int(0));
        add("index_col", Attr::Int(0));
    }
    Ok(attrs)
}

/// A scalar with its type; a bare number has the type of the elements.
fn typed(case: &Case, v: &Value) -> Result<Scalar, String> {
    let first = ["src", "src0", "base", "dst"].into_iter().find_map(|name| case.operand(name)?.dtype());
    let (dtype, bits) = scalar(v, first.unwrap_or(DType::I64)).ok_or("a scalar that is no number")?;
    Ok(Scalar { dtype, bits })
}
