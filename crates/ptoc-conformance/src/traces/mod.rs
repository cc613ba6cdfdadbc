//! Replays recorded intrinsics on the machine and compares the bytes with what the instruction means.
//!
//! The common part places operands, gives them bytes, replays and compares; one module a target decodes arguments and says
//! which instruction with which operand names a recording belongs to. Vector results were not computed when the traces were
//! recorded, so what scalar code read and wrote is repaired here as far as that can be known: see [`replay`].

mod a2a3;
mod a5;
mod images;
mod inputs;
mod pack;
mod place;
mod policy;
mod registers;
mod replay;
mod spare;

use crate::compare::{Region, difference};
use crate::descriptor::{Descriptor, Shape};
use crate::exceptions;
use crate::report::{Outcome, Report};
use crate::tolerance;
use inputs::Fill;
use place::Placement;
use policy::Compared;
use ptoc_sim::semantics::{Inst, Operand, Refusal, eval};
use ptoc_target::{Arch, Loc, Target};
use rayon::prelude::*;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// One recorded run of an instruction.
struct Case {
    /// `target/instruction/case`.
    id: String,
    arch: Arch,
    /// The instruction.
    op: String,
    operands: Vec<(String, Descriptor)>,
    attrs: Map<String, Value>,
    trace: Vec<Value>,
    /// Element types of vector registers by name (A5).
    regs: Map<String, Value>,
}

impl Case {
    fn operand(&self, name: &str) -> Option<&Descriptor> {
        self.operands.iter().find(|(n, _)| n == name).map(|(_, d)| d)
    }

    /// An attribute that is a text.
    fn word(&self, name: &str) -> Option<&str> {
        self.attrs.get(name)?.as_str()
    }
}

/// What an instruction is called with, and which recorded operand each of its operands is.
struct Instruction<'a> {
    inst: Inst<'a>,
    /// The recorded name of each operand of `inst`.
    names: Vec<String>,
}

/// Runs all cases whose `target/instruction/case` contains `filter`.
///
/// # Errors
/// A folder or file that cannot be read, or a line that is no case.
pub fn run(dir: &Path, filter: &str, seed: u64) -> Result<Report, String> {
    let mut files = Vec::new();
    for folder in [dir.to_path_buf(), dir.join("a2a3"), dir.join("a5")] {
        files.extend(cases_in(&folder)?);
    }
    if files.is_empty() {
        return Err(format!("{}: no .jsonl file in it, in a2a3 or in a5", dir.display()));
    }
    let reports: Result<Vec<_>, String> = files.par_iter().map(|f| run_file(f, filter, seed)).collect();
    Ok(Report { cases: reports?.into_iter().flatten().collect() })
}

/// The `.jsonl` files of a folder, sorted; none when there is no such folder.
fn cases_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let error = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(error)? {
        let path = entry.map_err(error)?.path();
        if path.extension().is_some_and(|e| e == "jsonl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn run_file(path: &Path, filter: &str, seed: u64) -> Result<Vec<(String, Outcome)>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines: Vec<&str> = text.lines().collect();
    let outcomes = lines.par_iter().enumerate().map(|(i, line)| {
        let at = |e: String| format!("{}:{}: {e}", path.display(), i + 1);
        let value: Value = serde_json::from_str(line).map_err(|e| at(e.to_string()))?;
        let case = parse(value).map_err(at)?;
        if !case.id.contains(filter) {
            return Ok(None);
        }
        let outcome = match exceptions::reason(exceptions::TRACES, &case.id) {
            Some(why) => Outcome::Skipped(why.to_owned()),
            None => judge(&case, seed),
        };
        Ok(Some((case.id, outcome)))
    });
    outcomes.filter_map(Result::transpose).collect()
}

fn parse(mut v: Value) -> Result<Case, String> {
    let text = |key: &str| v.get(key).and_then(Value::as_str).map(str::to_owned).ok_or(format!("`{key}` is no text"));
    let (op, name, target) = (text("op")?, text("case")?, text("target")?);
    let arch = Target::by_name(&target).ok_or_else(|| format!("target `{target}`"))?.arch;
    let operands = v.get("operands").and_then(Value::as_object).ok_or("`operands` is no object")?;
    let operands: Result<_, String> = operands
        .iter()
        .map(|(name, d)| Ok((name.clone(), Descriptor::parse(d).map_err(|e| format!("operand `{name}`: {e}"))?)))
        .collect();
    let mut operands: Vec<(String, Descriptor)> = operands?;
    share(&mut operands);
    let Some(Value::Array(trace)) = v.get_mut("trace").map(Value::take) else {
        return Err("`trace` is no list".to_owned());
    };
    let Some(Value::Object(attrs)) = v.get_mut("attrs").map(Value::take) else {
        return Err("`attrs` is no object".to_owned());
    };
    let regs = v.get("regs").and_then(Value::as_object).cloned().unwrap_or_default();
    Ok(Case { id: format!("{target}/{op}/{name}"), arch, op, operands, attrs, trace, regs })
}

/// Operands recorded at bytes of an earlier one share them with it.
fn share(operands: &mut [(String, Descriptor)]) {
    for i in 1..operands.len() {
        let (before, rest) = operands.split_at_mut(i);
        let Some((name, d)) = rest.first_mut() else { continue };
        // Scales and global memory are not where they were recorded.
        let moved = name.ends_with("_scale") || d.loc() == Loc::Gm;
        let Some(at) = d.addr.filter(|_| d.alias.is_none() && d.bytes() > 0 && !moved) else { continue };
        d.alias = before.iter().find_map(|(name, first)| {
            let off = at.checked_sub(first.addr?)?;
            (first.loc() == d.loc() && off < first.bytes()).then(|| (name.clone(), off))
        });
    }
}

/// Why a round did not pass.
enum Trouble {
    /// The bytes differ, or the machine stopped.
    Wrong(String),
    /// It cannot be judged.
    Unknown(String),
}

/// Replays a case with several kinds of operand bytes.
fn judge(case: &Case, seed: u64) -> Outcome {
    let scalar = case.trace.iter().any(|call| matches!(replay::name(call), Some("scalar_load")));
    for fill in [Fill::Small, Fill::Wide, Fill::Special] {
        if !inputs::suits(case, fill) {
            continue;
        }
        match round(case, fill, seed) {
            Ok(()) => {}
            // What scalar code computed from vector results is as recorded when everything is zero.
            Err(Trouble::Wrong(why)) if scalar => {
                return match round(case, Fill::Zero, seed) {
                    Ok(()) => Outcome::Passed,
                    Err(_) => Outcome::Failed(why),
                };
            }
            Err(Trouble::Wrong(why)) => return Outcome::Failed(format!("{fill:?} operands: {why}")),
            Err(Trouble::Unknown(why)) => return Outcome::Skipped(why),
        }
    }
    Outcome::Passed
}

fn round(case: &Case, fill: Fill, seed: u64) -> Result<(), Trouble> {
    let wrong = |e: &dyn std::fmt::Display| Trouble::Wrong(e.to_string());
    let placement = Placement::of(case).map_err(Trouble::Unknown)?;
    let (mut before, noise) = inputs::bytes(case, fill, seed).map_err(Trouble::Unknown)?;
    pack::preload(case, &mut before).map_err(Trouble::Unknown)?;
    let mut core = placement.core(noise).map_err(|e| wrong(&e))?;
    for (place, bytes) in placement.operands.iter().zip(&before) {
        core.mem.preset(place.space, place.addr, bytes).map_err(|e| wrong(&e))?;
    }
    let steps = match case.arch {
        Arch::A2A3 => a2a3::steps(case, &placement, &mut core).map_err(Trouble::Unknown)?,
        Arch::A5 => a5::steps(case, &placement, &mut core).map_err(Trouble::Unknown)?,
    };
    replay::run(&mut core, &steps, fill != Fill::Zero).map_err(Trouble::Wrong)?;

    if registers::only(&case.op) && case.arch == Arch::A2A3 {
        registers::check(case, &core).map_err(Trouble::Wrong)?;
    }
    let after = meaning(case, &before)?;
    for (i, ((name, d), place)) in case.operands.iter().zip(&placement.operands).enumerate() {
        if d.alias.is_some() {
            continue;
        }
        let (mut want, got) =
            (after.bytes[i].clone(), core.mem.bytes(place.space).get(place.range()).unwrap_or_default());
        let region = match policy::compared(&case.id, name) {
            Compared::Nothing => continue,
            Compared::All => Region::All,
            Compared::Valid => match &d.shape {
                Shape::Tile { valid, .. } => Region::Window(valid.0, valid.1),
                _ => Region::All,
            },
            Compared::Written => {
                keep_written(case, i, &before, &mut want, got)?;
                Region::All
            }
        };
        // Elements for which any value will do.
        let size = d.dtype().map_or(1, |ty| ty.bytes()) as usize;
        for ((want, got), _) in
            want.chunks_mut(size).zip(got.chunks(size)).zip(&after.spare[i]).filter(|(_, spare)| **spare)
        {
            want.copy_from_slice(got);
        }
        if d.dtype().is_none() && got != want {
            return Err(Trouble::Wrong(format!("`{name}` has changed")));
        }
        if let Some(e) = difference(name, d, got, &want, tolerance::of(&case.op), region) {
            return Err(Trouble::Wrong(e));
        }
    }
    Ok(())
}

/// All recorded operands after an instruction.
struct After {
    /// Their bytes.
    bytes: Vec<Vec<u8>>,
    /// Their elements for which any value will do; fewer than there are where none is.
    spare: Vec<Vec<bool>>,
}

fn meaning(case: &Case, before: &[Vec<u8>]) -> Result<After, Trouble> {
    let mut after = After { bytes: before.to_vec(), spare: vec![Vec::new(); before.len()] };
    if registers::only(&case.op) {
        return Ok(after);
    }
    if let Some(bytes) = images::meaning(case, before) {
        return bytes.map_err(Trouble::Unknown).map(|bytes| After { bytes, ..after });
    }
    let mut instruction = instruction(case, before).map_err(Trouble::Unknown)?;
    eval(&mut instruction.inst).map_err(|e| match e {
        Refusal::Unsupported(_) => Trouble::Unknown(e.to_string()),
        Refusal::Illegal(_) => Trouble::Wrong(format!("the meaning refuses: {e}")),
    })?;
    for (name, (_, operand)) in instruction.names.iter().zip(&instruction.inst.operands) {
        let Some(i) = case.operands.iter().position(|(n, _)| n == name) else { continue };
        match operand {
            Operand::Tile(t) => {
                after.bytes[i].clone_from(&t.bytes);
                after.spare[i] = spare::elements(case.arch, &instruction.inst, t);
            }
            Operand::Tensor(t) => after.bytes[i].clone_from(&t.bytes),
            Operand::Scalar(_) => {}
        }
    }
    Ok(after)
}

/// Puts what was found over what is expected wherever the instruction writes nothing: there the result follows the old bytes.
fn keep_written(case: &Case, i: usize, before: &[Vec<u8>], want: &mut [u8], got: &[u8]) -> Result<(), Trouble> {
    let mut other = before.to_vec();
    if let Some(bytes) = other.get_mut(i) {
        bytes.iter_mut().for_each(|b| *b = !*b);
    }
    let other = meaning(case, &other)?.bytes;
    for ((want, other), got) in want.iter_mut().zip(&other[i]).zip(got) {
        if want != other {
            *want = *got;
        }
    }
    Ok(())
}

/// The instruction with its operands before it runs.
fn instruction<'a>(case: &'a Case, bytes: &[Vec<u8>]) -> Result<Instruction<'a>, String> {
    match case.arch {
        Arch::A2A3 => a2a3::instruction(case, bytes),
        Arch::A5 => a5::instruction(case, bytes),
    }
}

/// The name of the instruction: forms that have a name of their own are told by an attribute or an operand.
fn own_name(case: &Case) -> &str {
    let fp = case.operand("fp").is_some();
    match (case.op.as_str(), case.word("mode").unwrap_or("")) {
        ("tfillpad", "inplace") => "tfillpad_inplace",
        ("tfillpad", "expand") => "tfillpad_expand",
        ("tinsert", _) if fp => "tinsert_fp",
        ("textract", _) if fp => "textract_fp",
        ("tmov", _) if fp => "tmov_fp",
        ("tstore", _) if fp => "tstore_fp",
        (name, _) => name,
    }
}
