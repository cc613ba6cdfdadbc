//! Arguments, the two ways to run a kernel, and their comparison.

use super::array::{Array, Fill, Random};
use super::compare::{first_difference, tolerance};
use crate::compile::{Emit, passes_of};
use crate::{Checked, Options, has_errors, units};
use ptoc_dialect::types::{dtype_of, ptr_of, tile_of};
use ptoc_ir::{Ir, OpId, ValueId};
use ptoc_sim::num::{Num, encode};
use ptoc_sim::run::{self as sim, ARGUMENTS, DIFFERENT, Event, Memory, OUTSIDE, Schedule, Unit, Value};
use ptoc_source::{Diagnostic, SourceFile};
use ptoc_target::{Arch, DType, Target};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What `--arg` gives a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A number.
    Number(f64),
    /// An array.
    Array(Array),
    /// An array to be made: shape, element type, fill.
    Made(Vec<u64>, DType, Fill),
}

/// Which program is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The tile program by the meaning of its instructions.
    Meaning,
    /// The code lowered for the target.
    Lowered,
}

/// How to run.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The function; without it the first one with a body.
    pub entry: Option<String>,
    /// Arguments by parameter name, or by position as `0`, `1`, ...
    pub args: Vec<(String, Argument)>,
    /// Seed of everything random.
    pub seed: u64,
    /// How arrays without an argument are filled.
    pub fill: Fill,
    /// Order of the pipes.
    pub schedule: Schedule,
    /// Most steps.
    pub max_steps: u64,
    /// Keep the timeline.
    pub timeline: bool,
    /// Report no races: for programs whose synchronisation is still to be inserted.
    pub in_order: bool,
    /// Where the run notes how many steps it has made.
    pub progress: Option<Arc<AtomicU64>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            entry: None,
            args: Vec::new(),
            seed: 0,
            fill: Fill::Random,
            schedule: Schedule::Eager,
            max_steps: 2_000_000_000,
            timeline: false,
            in_order: false,
            progress: None,
        }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Ran {
    /// Findings, those of reading and lowering first.
    pub diagnostics: Vec<Diagnostic>,
    /// Every array after the run, by parameter name, and whether the kernel changed it.
    pub arrays: Vec<(String, Array, bool)>,
    /// Cycles of the cycle model; 0 for a run by meaning.
    pub cycles: u64,
    /// Cycles in which each pipe worked.
    pub busy: Vec<(Unit, u64)>,
    /// Intrinsics executed.
    pub intrinsics: u64,
    /// The timeline as a trace document, when asked for.
    pub trace: Option<String>,
    /// True when the kernel ended by itself.
    pub finished: bool,
}

/// Runs the kernel of a file.
pub fn run(file: &SourceFile, level: Level, options: &Options, how: &RunOptions) -> Ran {
    let mut diagnostics = Vec::new();
    let prepared = prepare(file, options, how, &mut diagnostics);
    let nothing = |diagnostics| Ran {
        diagnostics,
        arrays: Vec::new(),
        cycles: 0,
        busy: Vec::new(),
        intrinsics: 0,
        trace: None,
        finished: false,
    };
    let Some(p) = prepared else { return nothing(diagnostics) };
    let program = match level {
        Level::Meaning => &p.tiles,
        Level::Lowered => match &p.lowered {
            Some(ir) => ir,
            None => {
                diagnostics.extend(p.refused);
                return nothing(diagnostics);
            }
        },
    };
    let one = p.once(program, level, how, &p.arrays);
    diagnostics.extend(one.findings);
    let arrays = p.arrays.iter().zip(one.after).map(|((name, before), bytes)| {
        let changed = before.bytes != bytes;
        (name.clone(), Array { bytes, ..before.clone() }, changed)
    });
    let trace = how.timeline.then(|| super::trace_json(file, program, &one.events));
    Ran {
        diagnostics,
        arrays: arrays.collect(),
        cycles: one.cycles,
        busy: one.busy,
        intrinsics: one.intrinsics,
        trace,
        finished: one.finished,
    }
}

/// Runs the kernel by its meaning and lowered, on the same data, `cases` times, and reports the first difference.
/// Gives the findings and the number of cases that agreed.
pub fn validate(file: &SourceFile, options: &Options, how: &RunOptions, cases: u64) -> (Vec<Diagnostic>, u64) {
    let mut diagnostics = Vec::new();
    let mut agreed = 0;
    for case in 0..cases {
        let fill = if case % 2 == 1 { Fill::Special } else { how.fill };
        let how = RunOptions { seed: how.seed.wrapping_add(case), fill, ..how.clone() };
        let mut found = Vec::new();
        let Some(p) = prepare(file, options, &how, &mut found) else { return (found, agreed) };
        let Some(lowered) = &p.lowered else {
            found.extend(p.refused);
            return (found, agreed);
        };
        let want = p.once(&p.tiles, Level::Meaning, &how, &p.arrays);
        let got = p.once(lowered, Level::Lowered, &how, &p.arrays);
        let broken = !want.finished || !got.finished || has_errors(&got.findings);
        diagnostics = found;
        diagnostics.extend(want.findings);
        diagnostics.extend(got.findings);
        if broken {
            return (diagnostics, agreed);
        }
        for (i, (name, before)) in p.arrays.iter().enumerate() {
            let ty = before.dtype;
            let (Some(w), Some(g)) = (want.after.get(i), got.after.get(i)) else { continue };
            let Some(d) = first_difference(ty, w, g, tolerance(ty)) else { continue };
            let show = |n: Num| match n {
                Num::Int(n) => n.to_string(),
                Num::Float(x) => format!("{x:?}"),
            };
            let (index, at) = (
                d.index,
                got.writers.get(i).and_then(|w| w.iter().find(|(s, e, _)| (*s..*e).contains(&(d.index * ty.bytes())))),
            );
            let span = at.map_or(p.tiles.op(p.func).span, |&(_, _, op)| lowered.op(op).span);
            let who = at.map_or("nothing", |&(_, _, op)| lowered.op_name(op));
            diagnostics.push(
                Diagnostic::error(
                    DIFFERENT,
                    span,
                    format!(
                        "case {case}: element {index} of `{name}` is {} in lowered code and {} by the program's meaning",
                        show(d.got),
                        show(d.want)
                    ),
                )
                .at(format!("written by `{who}` of the lowered code"))
                .note(format!("{} elements of `{name}` differ; seed {}", d.count, how.seed))
                .help("lowering or the definition is wrong: please report it with the program and the seed"),
            );
            return (diagnostics, agreed);
        }
        agreed += 1;
    }
    (diagnostics, agreed)
}

/// A program in both forms with its arguments.
struct Prepared {
    tiles: Ir,
    lowered: Option<Ir>,
    /// Why there is no lowered form.
    refused: Vec<Diagnostic>,
    target: Target,
    func: OpId,
    arrays: Vec<(String, Array)>,
    /// For each parameter: its number, or the position of its array.
    params: Vec<Param>,
}

#[derive(Clone, Copy, Debug)]
enum Param {
    Number(ValueId, f64),
    Array(usize, Option<DType>),
}

struct Once {
    findings: Vec<Diagnostic>,
    after: Vec<Vec<u8>>,
    /// For each array: byte ranges with the operation that wrote them last.
    writers: Vec<Vec<(u64, u64, OpId)>>,
    cycles: u64,
    busy: Vec<(Unit, u64)>,
    intrinsics: u64,
    events: Vec<Event>,
    finished: bool,
}

fn prepare(
    file: &SourceFile,
    options: &Options,
    how: &RunOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Prepared> {
    let all = units(file, false);
    let unit = all.into_iter().next()?;
    let checked = unit.check(options);
    let legal = checked.is_legal();
    diagnostics.extend(checked.diagnostics.iter().cloned());
    if !legal {
        return None;
    }
    let target = checked.target.clone();
    // Both forms need a program of their own, and reading is cheap.
    let tiles = passed(unit.check(options), Emit::Ir.passes()).map_err(|d| diagnostics.extend(d)).ok()?;
    let (lowered, refused) = match passed(checked, Emit::Intrinsics.passes()) {
        Ok(ir) => (Some(ir), Vec::new()),
        Err(d) => (None, d),
    };
    let Some(func) = sim::find_function(&tiles, how.entry.as_deref()) else {
        let d = match &how.entry {
            Some(name) => Diagnostic::error(
                ARGUMENTS,
                ptoc_source::Span::NONE,
                format!("there is no function `{name}` with a body"),
            )
            .help("`--entry` takes the name after `@`"),
            None => Diagnostic::error(ARGUMENTS, ptoc_source::Span::NONE, "there is no function with a body to run"),
        };
        diagnostics.push(d);
        return None;
    };
    let (arrays, params) = match arguments(&tiles, func, how, &target) {
        Ok(found) => found,
        Err(d) => {
            diagnostics.push(*d);
            return None;
        }
    };
    Some(Prepared { tiles, lowered, refused, target, func, arrays, params })
}

pub(super) fn passed(mut checked: Checked, passes: &str) -> Result<Ir, Vec<Diagnostic>> {
    let before = checked.diagnostics.len();
    if passes_of(&mut checked, passes) { Ok(checked.ir) } else { Err(checked.diagnostics.split_off(before)) }
}

/// Bytes an array of unknown size gets while its extent is found out: first, and at most.
const PROBE: [u64; 2] = [1 << 20, 1 << 28];

type Arguments = (Vec<(String, Array)>, Vec<Param>);

fn arguments(ir: &Ir, func: OpId, how: &RunOptions, target: &Target) -> Result<Arguments, Box<Diagnostic>> {
    let span = ir.op(func).span;
    let wrong = |message: String, help: String| Box::new(Diagnostic::error(ARGUMENTS, span, message).help(help));
    let Some(entry) = ir.body(func, 0) else {
        return Err(wrong("the function has no body".into(), "run another".into()));
    };
    let list = ir.block(entry).args.clone();
    let named = |v: ValueId, i: usize| {
        let name = ir.ctx.str(ir.value(v).name);
        if name.is_empty() { format!("{i}") } else { name.to_owned() }
    };
    for (name, _) in &how.args {
        if !list.iter().enumerate().any(|(i, &v)| named(v, i) == *name || i.to_string() == *name) {
            let known: Vec<String> = list.iter().enumerate().map(|(i, &v)| named(v, i)).collect();
            let help = match known[..] {
                [] => "it has none: leave `--arg` out".to_owned(),
                _ => format!("its parameters are {}", known.join(", ")),
            };
            return Err(wrong(format!("the function has no parameter `{name}`"), help));
        }
    }
    let mut random = Random::new(how.seed);
    let (mut arrays, mut params) = (Vec::new(), Vec::new());
    let mut unknown = Vec::new();
    for (i, &v) in list.iter().enumerate() {
        let name = named(v, i);
        let given = how.args.iter().rev().find(|(n, _)| *n == name || *n == i.to_string()).map(|(_, a)| a);
        let ty = ir.value_type(v);
        if let Some(p) = ptr_of(&ir.ctx, ty) {
            let elem = dtype_of(&ir.ctx, p.elem);
            let array = match given {
                None => {
                    unknown.push(arrays.len());
                    Array { dtype: elem.unwrap_or(DType::U8), shape: Vec::new(), bytes: Vec::new() }
                }
                Some(Argument::Array(a)) => a.clone(),
                Some(Argument::Made(shape, dtype, fill)) => Array::filled(*dtype, shape.clone(), *fill, &mut random)
                    .map_err(|e| wrong(e, "give a smaller shape".into()))?,
                Some(Argument::Number(_)) => {
                    return Err(wrong(
                        format!("parameter `{name}` points to global memory and is given a number"),
                        format!("`--arg {name}=x.npy` or `--arg {name}=16x64:f32:random`"),
                    ));
                }
            };
            if let (Some(e), true) = (elem, given.is_some())
                && e.bytes() != array.dtype.bytes()
            {
                return Err(wrong(
                    format!("parameter `{name}` points to {e} and is given an array of {}", array.dtype),
                    format!("convert the array to {e}"),
                ));
            }
            params.push(Param::Array(arrays.len(), elem));
            arrays.push((name, array));
        } else {
            match given {
                Some(Argument::Number(x)) => params.push(Param::Number(v, *x)),
                Some(_) => {
                    return Err(wrong(
                        format!("parameter `{name}` is a number and is given an array"),
                        format!("`--arg {name}=16`"),
                    ));
                }
                None if tile_of(&ir.ctx, ty).is_some() => {
                    return Err(wrong(
                        format!("parameter `{name}` is a tile, and a kernel that runs by itself takes pointers and numbers"),
                        "write a function that loads the tile from global memory and calls this one, or choose another with \
                         `--entry`"
                            .into(),
                    ));
                }
                None => {
                    return Err(wrong(
                        format!("parameter `{name}` has no value"),
                        format!("give the number with `--arg {name}=16`"),
                    ));
                }
            }
        }
    }
    if !unknown.is_empty() {
        let mut size = PROBE[0];
        let reach = loop {
            match probe(ir, func, &arrays, &params, &unknown, target, how, size) {
                Ok(reach) => break reach,
                Err(d) if size >= PROBE[1] || d.code != OUTSIDE => return Err(d),
                Err(_) => size <<= 4,
            }
        };
        for &i in &unknown {
            let dtype = arrays[i].1.dtype;
            let elements = reach.get(i).copied().unwrap_or(0).div_ceil(dtype.bytes());
            arrays[i].1 = Array::filled(dtype, vec![elements], how.fill, &mut random)
                .map_err(|e| wrong(e, "give the array with `--arg`".into()))?;
        }
    }
    Ok((arrays, params))
}

/// How many bytes of each array the program reaches, by running it on arrays of `size` bytes.
#[allow(clippy::too_many_arguments)]
fn probe(
    ir: &Ir,
    func: OpId,
    arrays: &[(String, Array)],
    params: &[Param],
    unknown: &[usize],
    target: &Target,
    how: &RunOptions,
    size: u64,
) -> Result<Vec<u64>, Box<Diagnostic>> {
    let mut memory = Memory::new(target);
    let zeros = vec![0; size as usize];
    let mut pointers = Vec::new();
    for (i, (name, a)) in arrays.iter().enumerate() {
        let bytes = if unknown.contains(&i) { &zeros[..] } else { &a.bytes[..] };
        match memory.add(name, Some(a.dtype), bytes) {
            Ok(p) => pointers.push(p),
            Err(e) => return Err(Box::new(Diagnostic::error(ARGUMENTS, ir.op(func).span, e.message))),
        }
    }
    let values = values(ir, params, &pointers);
    let progress = how.progress.clone();
    let options = sim::Options { max_steps: how.max_steps, progress, ..sim::Options::meaning(target.clone()) };
    let out = sim::run(ir, func, &values, &mut memory, &options);
    if let (false, Some(d)) = (out.finished, out.findings.into_iter().next()) {
        let names: Vec<&str> = unknown.iter().filter_map(|&i| arrays.get(i)).map(|(n, _)| n.as_str()).collect();
        let first = names.first().copied().unwrap_or("x");
        return Err(Box::new(
            d.note(format!("the program was run by its meaning to find out how large {} must be", names.join(", ")))
                .help(format!("give the arrays, for example `--arg {first}=1024x1024:f32:random`")),
        ));
    }
    Ok((0..arrays.len()).map(|i| memory.reached(i)).collect())
}

fn values(ir: &Ir, params: &[Param], pointers: &[Value]) -> Vec<Value> {
    params
        .iter()
        .map(|p| match *p {
            Param::Array(i, elem) => match pointers.get(i) {
                Some(Value::Ptr(p)) => Value::Ptr(ptoc_sim::machine::Ptr { elem, ..*p }),
                _ => Value::None,
            },
            Param::Number(v, x) => match dtype_of(&ir.ctx, ir.value_type(v)) {
                Some(ty) if ty.is_float() => Value::Float { ty, bits: encode(ty, Num::Float(x)) },
                _ => Value::Int(x as i64),
            },
        })
        .collect()
}

impl Prepared {
    fn once(&self, program: &Ir, level: Level, how: &RunOptions, arrays: &[(String, Array)]) -> Once {
        let mut memory = Memory::new(&self.target);
        let mut findings = Vec::new();
        let mut pointers = Vec::new();
        for (name, a) in arrays {
            match memory.add(name, Some(a.dtype), &a.bytes) {
                Ok(p) => pointers.push(p),
                Err(e) => findings.push(Diagnostic::error(ARGUMENTS, ptoc_source::Span::NONE, e.message)),
            }
        }
        let values = values(&self.tiles, &self.params, &pointers);
        let arch: Arch = self.target.arch;
        let base = match level {
            Level::Meaning => sim::Options::meaning(self.target.clone()),
            Level::Lowered => sim::Options::lowered(self.target.clone()),
        };
        let options = sim::Options {
            lowered: (level == Level::Lowered).then_some(arch),
            schedule: how.schedule,
            max_steps: how.max_steps,
            timeline: how.timeline,
            races: !how.in_order,
            progress: how.progress.clone(),
            ..base
        };
        let func = sim::find_function(program, how.entry.as_deref()).unwrap_or(self.func);
        let out = sim::run(program, func, &values, &mut memory, &options);
        findings.extend(out.findings);
        Once {
            findings,
            after: (0..arrays.len()).map(|i| memory.array(i).to_vec()).collect(),
            writers: (0..arrays.len()).map(|i| memory.writers(i)).collect(),
            cycles: out.cycles,
            busy: out.busy,
            intrinsics: out.intrinsics,
            events: out.events,
            finished: out.finished,
        }
    }
}
