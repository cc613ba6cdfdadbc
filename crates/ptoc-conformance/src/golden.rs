//! Recorded values: the bytes of every operand before and after one instruction.
//!
//! The format is one JSON object a line: `op`, `case`, `operands`, `attrs`, `in`, `out`. An operand without an entry in
//! `out` must be as before; a scratch operand is not compared.
//!
//! Two things are read as the recorder meant them. It ran a conversion without a saturation mode as one that keeps low
//! bits. And it wrote f8e4m3 codes into tiles of 8-bit integers: those are f8e4m3.

use crate::compare::{Region, difference};
use crate::descriptor::{Descriptor, Shape};
use crate::recorded::{attr, bytes};
use crate::report::{Outcome, Report};
use crate::{exceptions, files, tolerance};
use ptoc_sim::semantics::{Attr, Inst, Operand, eval};
use ptoc_target::{DType, PadValue};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::Path;

/// Runs every case of a folder whose `instruction/case` contains `filter`.
///
/// # Errors
/// When a file cannot be read or is not in the format.
pub fn run(dir: &Path, filter: &str) -> Result<Report, String> {
    let mut report = files::each_line(dir, run_line)?;
    report.cases.retain(|(id, _)| id.contains(filter));
    Ok(report)
}

/// An operand, its bytes before and the bytes expected after.
struct Recorded<'v> {
    name: &'v str,
    descriptor: Descriptor,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// Runs one case.
///
/// # Errors
/// When the line is not in the format.
pub fn run_line(line: &str) -> Result<(String, Outcome), String> {
    let v: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let text = |key: &str| v.get(key).and_then(Value::as_str).ok_or_else(|| format!("no `{key}`"));
    let (op, case) = (text("op")?, text("case")?);
    let object = |key: &str| v.get(key).and_then(Value::as_object).ok_or_else(|| format!("no `{key}`"));
    let (before, after) = (object("in")?, object("out")?);
    let operands = object("operands")?;
    let recorded = operands.iter().map(|(name, d)| read(name, d, operands, before, after));
    let mut recorded = recorded.collect::<Result<Vec<_>, _>>().map_err(|e| format!("{op}/{case}: {e}"))?;
    let mut attrs = Vec::new();
    for (name, value) in object("attrs")? {
        let mut value = attr(value).map_err(|e| format!("{op}/{case}: attribute `{name}`: {e}"))?;
        if name == "sat_mode" && value == Some(Attr::Word("default".to_owned())) {
            value = Some(Attr::Word("off".to_owned()));
        }
        attrs.extend(value.map(|value| (Cow::Borrowed(name.as_str()), value)));
    }
    if attrs.iter().any(|(_, a)| matches!(a, Attr::Word(w) if w.contains("MxFp8E4M3"))) {
        for r in recorded.iter_mut().filter(|r| r.name == "dst") {
            if let Shape::Tile { shape, .. } = &mut r.descriptor.shape {
                shape.dtype = DType::F8E4M3;
            }
        }
    }
    let id = format!("{op}/{case}");
    if let Some(reason) = exceptions::reason(exceptions::GOLDEN, &id) {
        return Ok((id, Outcome::Skipped(reason.to_owned())));
    }
    let mut operands = Vec::new();
    for r in &recorded {
        let operand = r.descriptor.operand(r.before.clone()).map_err(|e| format!("{id}: operand `{}`: {e}", r.name))?;
        operands.push((Cow::Borrowed(r.name), operand));
    }
    let outcome = judge(Inst { op, operands, attrs }, &recorded);
    Ok((id, outcome))
}

fn read<'v>(
    name: &'v str,
    description: &Value,
    operands: &Map<String, Value>,
    before: &Map<String, Value>,
    after: &Map<String, Value>,
) -> Result<Recorded<'v>, String> {
    let operand = |e: String| format!("operand `{name}`: {e}");
    let descriptor = Descriptor::parse(description).map_err(operand)?;
    let size = descriptor.bytes();
    let storage = |from: &Map<String, Value>, name: &str| from.get(name).map(|v| bytes(v, size)).transpose();
    // An operand in the storage of another has the bytes of that one.
    let owner = match &descriptor.alias {
        Some((owner, 0)) if operands.contains_key(owner) => owner.as_str(),
        Some((owner, _)) => return Err(operand(format!("does not start at `{owner}`"))),
        None => name,
    };
    let find = |name: &str| storage(before, name).map_err(operand);
    let start = match (find(name)?, find(owner)?) {
        (Some(bytes), _) | (None, Some(bytes)) => bytes,
        (None, None) if descriptor.scratch => vec![0; size as usize],
        (None, None) => return Err(operand("no bytes in `in`".to_owned())),
    };
    // The form with an alias records the one storage under either name.
    let end = match storage(after, name).map_err(operand)? {
        Some(bytes) => bytes,
        None => storage(after, owner).map_err(operand)?.unwrap_or_else(|| start.clone()),
    };
    Ok(Recorded { name, descriptor, before: start, after: end })
}

fn judge(mut inst: Inst<'_>, recorded: &[Recorded<'_>]) -> Outcome {
    let op = inst.op;
    if let Err(refusal) = eval(&mut inst) {
        return Outcome::Failed(refusal.to_string());
    }
    for (r, (_, operand)) in recorded.iter().zip(&inst.operands) {
        let got: &[u8] = match operand {
            Operand::Tile(t) => &t.bytes,
            Operand::Tensor(t) => &t.bytes,
            Operand::Scalar(_) => continue,
        };
        // The evaluation gives each name its own bytes: an aliased source stays as it was there.
        let shares = recorded.iter().any(|o| o.descriptor.alias.as_ref().is_some_and(|(a, _)| a == r.name));
        if r.descriptor.scratch || shares {
            continue;
        }
        if let Some(what) = difference(r.name, &r.descriptor, got, &r.after, tolerance::of(op), region(op, r, recorded))
        {
            return Outcome::Failed(what);
        }
    }
    Outcome::Passed
}

/// Which elements of an operand the definition fixes: a load without a pad value leaves open what is around the valid region,
/// a comparison all but the words of its bits, and a sum of pairs the right half.
fn region(op: &str, r: &Recorded<'_>, all: &[Recorded<'_>]) -> Region {
    let valid = |r: &Recorded<'_>| match r.descriptor.shape {
        Shape::Tile { valid, .. } => valid,
        _ => (0, 0),
    };
    match (op, &r.descriptor.shape) {
        _ if r.name != "dst" => Region::All,
        ("tload", Shape::Tile { valid, pad: PadValue::Null, .. }) => Region::Window(valid.0, valid.1),
        ("tpairreducesum", Shape::Tile { valid, .. }) => Region::Window(valid.0, valid.1 / 2),
        ("tcmp" | "tcmps", Shape::Tile { valid: (rows, words), .. }) => {
            let compared = all.iter().find(|o| matches!(o.name, "src" | "src0")).map_or(*rows, |src| valid(src).0);
            Region::Window((*rows).min(compared), *words)
        }
        _ => Region::All,
    }
}
