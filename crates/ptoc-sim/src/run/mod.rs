//! Whole programs: the scalar unit of each core, the pipes with their flags, races and hangs, and tile programs by their
//! meaning.
//!
//! One [`Run`] executes one function. Lowered code goes through the pipes of the machine; a tile program is executed one
//! instruction after another by its meaning. Both leave their results in global memory.

mod arith;
mod codes;
mod cost;
mod decode;
mod exec;
mod pipes;
mod races;
mod tiles;
mod value;

pub use codes::{ARGUMENTS, CODES, DIFFERENT, OUTSIDE};
pub use pipes::{Event, Schedule, Unit};
pub use tiles::TileOperand;
pub use value::Value;

use crate::machine::{Core, Fault, Ptr};
use exec::{Acts, Exec, Shared, Turn};
use pipes::{CORES, Pipes};
use ptoc_ir::{AttrData, Ir, OpId};
use ptoc_source::Diagnostic;
use ptoc_target::{Arch, DType, Loc, Target};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The machine.
    pub target: Target,
    /// `Some` for lowered code of that architecture; `None` for a tile program by its meaning.
    pub lowered: Option<Arch>,
    /// Order of the pipes.
    pub schedule: Schedule,
    /// Most operations that may be executed.
    pub max_steps: u64,
    /// Whether races, unwritten memory and array bounds are looked at.
    pub check: bool,
    /// Whether accesses that nothing orders are reported. Without it a program whose synchronisation is still to be inserted
    /// runs as if each instruction were done before the next is issued.
    pub races: bool,
    /// Whether [`Outcome::events`] is kept.
    pub timeline: bool,
    /// Index and number of blocks that the kernel sees.
    pub block: (i64, i64),
    /// Where the run notes from time to time how many steps it has made, for whoever watches it.
    pub progress: Option<Arc<AtomicU64>>,
    /// Whether [`Outcome::operands`] is kept.
    pub operands: bool,
}

impl Options {
    /// Lowered code on a target, with all checks.
    pub fn lowered(target: Target) -> Options {
        let arch = target.arch;
        Options {
            target,
            lowered: Some(arch),
            schedule: Schedule::Eager,
            max_steps: 2_000_000_000,
            check: true,
            races: true,
            timeline: false,
            block: (0, 1),
            progress: None,
            operands: false,
        }
    }

    /// A tile program by its meaning.
    pub fn meaning(target: Target) -> Options {
        Options { lowered: None, check: false, ..Options::lowered(target) }
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    /// Races, hangs and everything else that was found, in the order of discovery.
    pub findings: Vec<Diagnostic>,
    /// True when the function returned and every pipe was done.
    pub finished: bool,
    /// Cycles from the start to the end of the last pipe.
    pub cycles: u64,
    /// Cycles in which each pipe worked.
    pub busy: Vec<(Unit, u64)>,
    /// The timeline, when asked for.
    pub events: Vec<Event>,
    /// Intrinsics executed.
    pub intrinsics: u64,
    /// Tile operands of every instruction executed by its meaning, when asked for.
    pub operands: Vec<TileOperand>,
    /// Values the function returned.
    pub results: Vec<Value>,
}

/// Global memory and its arrays, to be handed to a run and read afterwards.
#[derive(Debug)]
pub struct Memory {
    core: Core,
    arrays: Vec<(u64, u64, String)>,
    /// Ranges of global memory that tile instructions took views of: start, end.
    touched: Vec<(u64, u64)>,
    /// Ranges of each memory and who wrote them last.
    written: Vec<(Loc, Writers)>,
}

/// Every memory.
const LOCS: [Loc; 10] = [
    Loc::Gm,
    Loc::Mat,
    Loc::Left,
    Loc::Right,
    Loc::Acc,
    Loc::Vec,
    Loc::Bias,
    Loc::Scaling,
    Loc::ScaleLeft,
    Loc::ScaleRight,
];

/// Byte ranges, from start to end, with the operation that wrote them last.
pub type Writers = Vec<(u64, u64, OpId)>;

/// Bytes between two arrays that belong to none.
const GUARD: u64 = 4096;

impl Memory {
    /// No arrays yet.
    pub fn new(target: &Target) -> Memory {
        Memory { core: Core::new(target.clone()), arrays: Vec::new(), touched: Vec::new(), written: Vec::new() }
    }

    /// Adds an array and gives the pointer to its first byte.
    ///
    /// # Errors
    /// When global memory gets larger than a simulation may have.
    pub fn add(&mut self, name: &str, elem: Option<DType>, bytes: &[u8]) -> Result<Value, Fault> {
        let at = self.arrays.last().map_or(GUARD, |(s, n, _)| (s + n + GUARD).next_multiple_of(512));
        self.core.mem.grow(Loc::Gm, at + bytes.len() as u64 + GUARD)?;
        self.core.mem.preset(Loc::Gm, at, bytes)?;
        self.arrays.push((at, bytes.len() as u64, name.to_owned()));
        Ok(Value::Ptr(Ptr { space: Loc::Gm, addr: at, elem }))
    }

    /// The bytes of an array by its position.
    pub fn array(&self, i: usize) -> &[u8] {
        let Some((at, n, _)) = self.arrays.get(i) else { return &[] };
        self.core.mem.bytes(Loc::Gm).get(*at as usize..(*at + *n) as usize).unwrap_or(&[])
    }

    /// How many bytes of an array the last run reached, counted from its start.
    pub fn reached(&self, i: usize) -> u64 {
        let Some((at, n, _)) = self.arrays.get(i) else { return 0 };
        let ends = self.touched.iter().filter(|(s, _)| (*at..at + n).contains(s)).map(|(_, e)| e - at);
        ends.max().unwrap_or(0).min(*n)
    }

    /// For an array: byte ranges, counted from its start, with the operation that wrote them last.
    pub fn writers(&self, i: usize) -> Writers {
        let Some((at, n, _)) = self.arrays.get(i) else { return Vec::new() };
        let inside = self.written_in(Loc::Gm).iter().filter(|(s, _, _)| (*at..at + n).contains(s));
        inside.map(|&(s, e, op)| (s - at, e - at, op)).collect()
    }

    /// The operation of lowered code that wrote a byte of a memory last.
    pub fn writer(&self, space: Loc, at: u64) -> Option<OpId> {
        self.written_in(space).iter().find(|(s, e, _)| (*s..*e).contains(&at)).map(|&(_, _, op)| op)
    }

    fn written_in(&self, space: Loc) -> &[(u64, u64, OpId)] {
        self.written.iter().find(|(l, _)| *l == space).map_or(&[], |(_, list)| list)
    }

    /// All bytes of an on-chip memory.
    pub fn bytes(&self, space: Loc) -> &[u8] {
        self.core.mem.bytes(space)
    }

    /// Puts bytes into a memory before the run.
    ///
    /// # Errors
    /// When they do not fit.
    pub fn preset(&mut self, space: Loc, at: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.core.mem.preset(space, at, bytes)
    }
}

/// A function of the program by name, or the first one with a body.
pub fn find_function(ir: &Ir, name: Option<&str>) -> Option<OpId> {
    let mut found = None;
    ptoc_ir::walk(ir, ir.top(), &mut |op| {
        if ir.op_name(op) != "func.func" {
            return ptoc_ir::Walk::Into;
        }
        let named = match ir.attr_data(op, "sym_name") {
            Some(AttrData::String(s)) => Some(ir.ctx.str(*s)),
            _ => None,
        };
        let wanted = name.is_none_or(|n| named == Some(n)) && ir.body(op, 0).is_some_and(|b| ir.first_op(b).is_some());
        if found.is_none() && wanted {
            found = Some(op);
        }
        ptoc_ir::Walk::Skip
    });
    found
}

/// True for an operation that [`run`] executes by the meaning of a tile instruction.
pub fn is_instruction(name: &str) -> bool {
    tiles::Act::of(name) == Some(tiles::Act::Instruction)
}

/// Runs a function. The memory keeps what the run leaves in it.
pub fn run(ir: &Ir, func: OpId, args: &[Value], memory: &mut Memory, options: &Options) -> Outcome {
    let core = std::mem::replace(&mut memory.core, Core::new(options.target.clone()));
    let mut pipes = Pipes::new(options.target.arch, options.schedule);
    pipes.check = options.check;
    pipes.races = options.races;
    pipes.arrays = memory.arrays.clone();
    pipes.events = options.timeline.then(Vec::new);
    let mut shared = Shared {
        ir,
        acts: Acts::new(ir),
        core,
        pipes,
        tiles: tiles::Store::default(),
        steps: options.max_steps,
        made: 0,
        progress: options.progress.clone(),
        arch: options.lowered,
        block: options.block,
    };
    shared.tiles.operands = options.operands.then(Vec::new);
    shared.core.mem.track(options.check);
    let divided = options.lowered.is_some() && has_both_sections(ir, func);
    let cores = if divided { CORES } else { 1 };
    let mut execs: Vec<Exec> = (0..cores).filter_map(|on| Exec::new(ir, func, on, divided, args)).collect();
    let finished = drive(&mut shared, &mut execs);
    memory.core = shared.core;
    memory.touched = shared.tiles.touched();
    let pipes = shared.pipes;
    memory.written = LOCS.map(|l| (l, pipes.shadow.writers(l))).to_vec();
    let units = (0..CORES).flat_map(|c| ptoc_target::Pipe::REAL.map(|p| Unit::new(c, p)));
    Outcome {
        findings: pipes.findings,
        finished,
        cycles: pipes.times.iter().copied().max().unwrap_or(0),
        busy: units.map(|u| (u, pipes.busy[u.index()])).filter(|(_, n)| *n > 0).collect(),
        events: pipes.events.unwrap_or_default(),
        intrinsics: pipes.executed,
        operands: shared.tiles.operands.unwrap_or_default(),
        results: execs.into_iter().next().map(|e| e.results).unwrap_or_default(),
    }
}

/// Runs the cores in turns until all are done; false when the run was stopped.
fn drive(shared: &mut Shared<'_>, execs: &mut [Exec]) -> bool {
    if execs.is_empty() {
        return false;
    }
    loop {
        let (mut moved, mut done) = (false, true);
        for e in execs.iter_mut() {
            match e.run(shared) {
                Ok(Turn::Done) => {}
                Ok(Turn::Ran) => (moved, done) = (true, false),
                Ok(Turn::Waits) => done = false,
                Err(_) => return false,
            }
        }
        if done {
            return shared.pipes.finish(&mut shared.core, shared.ir).is_ok();
        }
        if !moved {
            let waiting = execs.iter().find_map(Exec::waiting);
            let d = shared.pipes.hang(shared.ir, waiting);
            shared.pipes.find(d);
            return false;
        }
    }
}

fn has_both_sections(ir: &Ir, func: OpId) -> bool {
    let mut seen = [false; 2];
    let Some(body) = ir.body(func, 0) else { return false };
    ptoc_ir::walk(ir, body, &mut |op| {
        match ir.op_name(op) {
            "pto.section.cube" => seen[0] = true,
            "pto.section.vector" => seen[1] = true,
            _ => {}
        }
        ptoc_ir::Walk::Into
    });
    seen == [true; 2]
}
