//! Pipes: queues that run in order and concurrently, flags, barriers, unit flags, and what each pipe knows of the others.
//!
//! A vector clock per pipe says which work of the other pipes is surely done; flags, barriers, unit flags and issue by the
//! scalar unit hand it on. The same places hand on the time in cycles, so one run gives both the races and the timeline.
//! Source of the rules: machine description, sections 7.1 to 7.4.

use super::codes;
use super::cost;
use super::races::{Race, Shadow, Stamp};
use crate::machine::{Arg, Args, Core, Fault, FaultKind, Intrinsic, Special};
use ptoc_ir::OpId;
use ptoc_source::{Diagnostic, Span};
use ptoc_target::{Arch, EVENT_IDS, Loc, Pipe};
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// Pipes of one core.
const PER_CORE: usize = 7;
/// Cores of a group that are simulated: one cube core and one vector core, or one that does everything.
pub(crate) const CORES: usize = 2;
/// All pipes of a group.
pub(crate) const UNITS: usize = PER_CORE * CORES;

/// How much of each pipe's work is known to be done.
pub(crate) type Clock = [u32; UNITS];

/// One pipe of one core.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unit(u8);

impl Unit {
    /// A pipe of a core; [`Pipe::All`] counts as the scalar unit.
    pub fn new(core: usize, pipe: Pipe) -> Unit {
        let n = Pipe::REAL.iter().position(|p| *p == pipe).unwrap_or(0);
        Unit((core.min(CORES - 1) * PER_CORE + n) as u8)
    }

    /// Position in a [`Clock`].
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The core.
    pub fn core(self) -> usize {
        self.index() / PER_CORE
    }

    /// The pipe.
    pub fn pipe(self) -> Pipe {
        Pipe::REAL[self.index() % PER_CORE]
    }
}

/// In which order the pipes make progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schedule {
    /// Every pipe as far as it can, after each issue.
    #[default]
    Eager,
    /// Pipes are held back and run in an order that follows from the seed.
    Adversarial(u64),
}

/// The part of an intrinsic that unit flags hold back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnitFlag {
    /// True for a product, false for a drain.
    pub producer: bool,
    /// True for phase `final`, false for `partial`.
    pub last: bool,
    /// Address in L0C, in bytes.
    pub address: u64,
}

/// An intrinsic with its arguments, as issued.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub intrinsic: &'static Intrinsic,
    pub args: SmallVec<[Arg; 12]>,
    pub special: Rc<Special>,
    pub unit_flag: Option<UnitFlag>,
}

impl std::fmt::Debug for Intrinsic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Work {
    Call(Box<Call>),
    Set {
        to: Pipe,
        id: u32,
    },
    Wait {
        from: Pipe,
        id: u32,
    },
    /// Everything of this pipe before it is done.
    Barrier,
    /// Loads and stores of the vector unit on either side keep their order (A5).
    Fence,
    /// A vector scope starts (A5).
    Scope,
    /// Cross-core or buffer semaphores.
    Post {
        key: Key,
    },
    Take {
        key: Key,
    },
}

/// A counting semaphore between cores, or a buffer of `get_buf`/`rls_buf`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    /// A flag that a core raises for another core.
    Cross { to_core: usize, id: u32 },
    /// A buffer.
    Buffer { core: usize, id: u32 },
}

#[derive(Debug)]
struct Item {
    work: Work,
    op: OpId,
    clock: Rc<Clock>,
    time: u64,
}

/// A flag: core, setting pipe, waiting pipe, event id.
type FlagKey = (usize, Pipe, Pipe, u32);

/// What was issued for a flag.
#[derive(Default, Debug)]
struct Balance {
    sets: usize,
    waits: Vec<OpId>,
    warned: bool,
}

#[derive(Clone, Debug)]
struct Flag {
    up: bool,
    set_by: OpId,
    clock: Clock,
    time: u64,
    /// The waiting pipe's own time when it took the flag last.
    taken: u32,
    taken_by: Option<OpId>,
}

#[derive(Clone, Debug)]
struct Semaphore {
    count: u32,
    clock: Clock,
    time: u64,
}

#[derive(Clone, Debug)]
struct UnitState {
    up: bool,
    clock: Clock,
    time: u64,
    by: OpId,
}

/// One executed piece of work, for a timeline. Times in cycles.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where it ran.
    pub unit: Unit,
    /// When it started.
    pub start: u64,
    /// How long it took.
    pub cycles: u64,
    /// The intrinsic.
    pub name: &'static str,
    /// The operation it came from.
    pub op: OpId,
}

/// The pipes of a core group.
#[derive(Debug)]
pub(crate) struct Pipes {
    queues: [VecDeque<Item>; UNITS],
    pub clocks: [Clock; UNITS],
    /// When each pipe is free, in cycles.
    pub times: [u64; UNITS],
    pub busy: [u64; UNITS],
    /// What draining each pipe adds after its last instruction.
    tails: [u64; UNITS],
    epochs: [u32; UNITS],
    flags: BTreeMap<FlagKey, Flag>,
    issued: BTreeMap<FlagKey, Balance>,
    semaphores: BTreeMap<Key, Semaphore>,
    units: BTreeMap<u64, UnitState>,
    pub shadow: Shadow,
    pub findings: Vec<Diagnostic>,
    pub events: Option<Vec<Event>>,
    schedule: Schedule,
    random: u64,
    /// Arrays of global memory: first byte, length, name.
    pub arrays: Vec<(u64, u64, String)>,
    pub check: bool,
    pub races: bool,
    arch: Arch,
    /// Intrinsics executed.
    pub executed: u64,
    unwritten_seen: rustc_hash::FxHashSet<OpId>,
    outside_seen: rustc_hash::FxHashSet<OpId>,
}

/// What ends a run.
#[derive(Debug)]
pub(crate) struct Stop;

fn join(a: &mut Clock, b: &Clock) {
    a.iter_mut().zip(b).for_each(|(x, y)| *x = (*x).max(*y));
}

enum Step {
    Done,
    Blocked,
}

/// Most findings that a run keeps.
const MAX_FINDINGS: usize = 50;
/// Items that may wait in one queue before a held-back pipe must run.
const QUEUE: usize = 64;

impl Pipes {
    pub fn new(arch: Arch, schedule: Schedule) -> Pipes {
        Pipes {
            queues: Default::default(),
            clocks: [[0; UNITS]; UNITS],
            times: [0; UNITS],
            busy: [0; UNITS],
            tails: [0; UNITS],
            epochs: [1; UNITS],
            flags: BTreeMap::new(),
            issued: BTreeMap::new(),
            semaphores: BTreeMap::new(),
            units: BTreeMap::new(),
            shadow: Shadow::new(arch == Arch::A5),
            findings: Vec::new(),
            events: None,
            schedule,
            random: match schedule {
                Schedule::Eager => 0,
                Schedule::Adversarial(seed) => seed.wrapping_mul(2).wrapping_add(1),
            },
            arrays: Vec::new(),
            check: true,
            races: true,
            arch,
            executed: 0,
            unwritten_seen: Default::default(),
            outside_seen: Default::default(),
        }
    }

    pub fn find(&mut self, d: Diagnostic) {
        if self.findings.len() < MAX_FINDINGS {
            self.findings.push(d);
        }
    }

    fn next_random(&mut self) -> u64 {
        // Knuth's MMIX constants.
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.random >> 33
    }

    /// Puts work into the queue of a pipe, as the scalar unit of its core does at its present time.
    pub fn issue(&mut self, core: &mut Core, spans: &dyn Spans, unit: Unit, op: OpId, work: Work) -> Result<(), Stop> {
        let scalar = Unit::new(unit.core(), Pipe::S).index();
        match work {
            Work::Set { to, id } => self.set_issued((unit.core(), unit.pipe(), to, id), op, spans),
            Work::Wait { from, id } => self.balance((unit.core(), from, unit.pipe(), id)).waits.push(op),
            _ => {}
        }
        let item = Item { work, op, clock: Rc::new(self.clocks[scalar]), time: self.times[scalar] };
        self.times[scalar] += 1;
        self.queues[unit.index()].push_back(item);
        match self.schedule {
            Schedule::Eager => self.pump(core, spans),
            Schedule::Adversarial(_) => {
                while self.queues[unit.index()].len() > QUEUE {
                    if !self.run_some(core, spans)? {
                        break;
                    }
                }
                if self.next_random().is_multiple_of(8) {
                    self.run_some(core, spans)?;
                }
                Ok(())
            }
        }
    }

    fn balance(&mut self, key: FlagKey) -> &mut Balance {
        self.issued.entry(key).or_default()
    }

    /// A set is issued: when its wait was issued before it, the queue must have had room for all in between.
    fn set_issued(&mut self, key: FlagKey, op: OpId, spans: &dyn Spans) {
        let b = self.balance(key);
        let n = b.sets;
        b.sets += 1;
        let Some(&wait) = b.waits.get(n) else { return };
        let warned = std::mem::replace(&mut b.warned, true);
        if warned {
            return;
        }
        let (_, from, to, id) = key;
        self.find(
            Diagnostic::warning(
                codes::LATE_SET,
                spans.span(op),
                format!("flag {from} -> {to}, event id {id}, is set later in the program than it is waited for"),
            )
            .at("set here")
            .label(spans.span(wait), "waited for here, before")
            .note(
                "the scalar unit issues in program order and stops when the queue of the waiting pipe is full; then it never \
                 reaches the set (machine description, 7.2 E11)",
            )
            .help("put the set before the wait in the program"),
        );
    }

    /// Runs every pipe as far as it goes.
    pub fn pump(&mut self, core: &mut Core, spans: &dyn Spans) -> Result<(), Stop> {
        loop {
            let mut moved = false;
            for i in 0..UNITS {
                while !self.queues[i].is_empty() {
                    match self.step(core, spans, Unit(i as u8))? {
                        Step::Done => moved = true,
                        Step::Blocked => break,
                    }
                }
            }
            if !moved {
                return Ok(());
            }
        }
    }

    /// Runs one item of one pipe that can run, in the order of the schedule; false when none can.
    fn run_some(&mut self, core: &mut Core, spans: &dyn Spans) -> Result<bool, Stop> {
        let first = match self.schedule {
            Schedule::Eager => 0,
            Schedule::Adversarial(_) => self.next_random() as usize % UNITS,
        };
        for k in 0..UNITS {
            let unit = Unit(((first + k) % UNITS) as u8);
            if !self.queues[unit.index()].is_empty() && matches!(self.step(core, spans, unit)?, Step::Done) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether nothing waits in any queue of a core.
    fn idle(&self, core: usize) -> bool {
        (0..PER_CORE).all(|i| self.queues[core * PER_CORE + i].is_empty())
    }

    /// Runs pipes until `done` holds; false when nothing moves any more before.
    fn until(&mut self, core: &mut Core, spans: &dyn Spans, done: impl Fn(&Self) -> bool) -> Result<bool, Stop> {
        while !done(self) {
            if !self.run_some(core, spans)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The scalar unit waits for a flag. False when it cannot go on now.
    pub fn scalar_wait(
        &mut self,
        core: &mut Core,
        spans: &dyn Spans,
        on: usize,
        from: Pipe,
        id: u32,
        op: OpId,
    ) -> Result<bool, Stop> {
        let key = (on, from, Pipe::S, id);
        if !self.until(core, spans, |p| p.flags.get(&key).is_some_and(|f| f.up))? {
            return Ok(false);
        }
        self.take_flag(key, Unit::new(on, Pipe::S), op);
        Ok(true)
    }

    /// The scalar unit sets a flag.
    pub fn scalar_set(&mut self, spans: &dyn Spans, on: usize, to: Pipe, id: u32, op: OpId) {
        self.raise((on, Pipe::S, to, id), Unit::new(on, Pipe::S), op, spans);
    }

    /// The scalar unit waits until every pipe of its core is empty. False when that cannot be now.
    pub fn scalar_barrier(&mut self, core: &mut Core, spans: &dyn Spans, on: usize) -> Result<bool, Stop> {
        if !self.until(core, spans, |p| p.idle(on))? {
            return Ok(false);
        }
        let scalar = Unit::new(on, Pipe::S).index();
        for i in on * PER_CORE..(on + 1) * PER_CORE {
            let (clock, time) = (self.clocks[i], self.times[i]);
            join(&mut self.clocks[scalar], &clock);
            self.times[scalar] = self.times[scalar].max(time);
            self.epochs[i] += 1;
        }
        Ok(true)
    }

    /// The scalar unit takes a semaphore. False when it cannot now.
    pub fn scalar_take(&mut self, core: &mut Core, spans: &dyn Spans, on: usize, key: Key) -> Result<bool, Stop> {
        if !self.until(core, spans, |p| p.semaphores.get(&key).is_some_and(|s| s.count > 0))? {
            return Ok(false);
        }
        Ok(self.take_semaphore(key, Unit::new(on, Pipe::S)))
    }

    /// Accesses of the scalar unit itself, made through `core.mem` since its last `begin`.
    pub fn scalar_access(&mut self, core: &Core, spans: &dyn Spans, on: usize, op: OpId) {
        let unit = Unit::new(on, Pipe::S);
        self.clocks[unit.index()][unit.index()] += 1;
        self.times[unit.index()] += 1;
        self.note_accesses(core, spans, unit, op);
    }

    fn take_flag(&mut self, key: FlagKey, unit: Unit, op: OpId) {
        let i = unit.index();
        self.clocks[i][i] += 1;
        if let Some(flag) = self.flags.get_mut(&key) {
            flag.up = false;
            flag.taken = self.clocks[i][i];
            flag.taken_by = Some(op);
            join(&mut self.clocks[i], &flag.clock);
            self.times[i] = self.times[i].max(flag.time);
        }
        self.epochs[i] += 1;
    }

    fn raise(&mut self, key: FlagKey, unit: Unit, op: OpId, spans: &dyn Spans) {
        let i = unit.index();
        self.clocks[i][i] += 1;
        let (clock, time) = (self.clocks[i], self.times[i]);
        let (core, from, to, id) = key;
        let waiter = Unit::new(core, to).index();
        let new = Flag { up: true, set_by: op, clock, time, taken: 0, taken_by: None };
        let Some(flag) = self.flags.get_mut(&key) else {
            self.flags.insert(key, new);
            return;
        };
        let lost = flag.up.then_some(flag.set_by);
        let unsure = (!flag.up && flag.taken > clock[waiter]).then_some(flag.taken_by).flatten();
        let (taken, taken_by) = (flag.taken, flag.taken_by);
        *flag = Flag { taken, taken_by, ..new };
        let name = format!("{from} -> {to}, event id {id}");
        if let Some(before) = lost {
            self.find(
                Diagnostic::error(
                    codes::SET_TWICE,
                    spans.span(op),
                    format!("flag {name} is set while it is still set"),
                )
                .at("set again here")
                .label(spans.span(before), "set before, and nothing has waited for it since")
                .note("a flag is one bit: the second set is lost (machine description, 7.2 E6)")
                .help("wait for the flag in between, or use another event id"),
            );
        } else if let Some(wait) = unsure {
            let found = self.findings.iter().any(|d| d.code == codes::SET_TWICE && d.primary_span() == spans.span(op));
            if !found {
                let message = format!("flag {name} may be set again before its wait has taken it");
                self.find(
                    Diagnostic::warning(codes::SET_TWICE, spans.span(op), message)
                        .at(format!("{from} does not know here that {to} has taken the flag"))
                        .label(spans.span(wait), "this wait may still be outstanding")
                        .note("a flag is one bit: a second set before the wait is lost (machine description, 7.2 E6)")
                        .help("order this set after the wait (a flag back), or alternate between two event ids"),
                );
            }
        }
    }

    fn take_semaphore(&mut self, key: Key, unit: Unit) -> bool {
        let i = unit.index();
        let Some(s) = self.semaphores.get_mut(&key).filter(|s| s.count > 0) else { return false };
        s.count -= 1;
        let (clock, time) = (s.clock, s.time);
        self.clocks[i][i] += 1;
        join(&mut self.clocks[i], &clock);
        self.times[i] = self.times[i].max(time);
        self.epochs[i] += 1;
        true
    }

    /// Raises a semaphore.
    pub fn post(&mut self, key: Key, unit: Unit) {
        let i = unit.index();
        self.clocks[i][i] += 1;
        let (clock, time) = (self.clocks[i], self.times[i]);
        let s = self.semaphores.entry(key).or_insert(Semaphore { count: 0, clock, time });
        s.count += 1;
        join(&mut s.clock, &clock);
        s.time = s.time.max(time);
    }

    fn unit_blocked(&self, flag: &UnitFlag) -> bool {
        let up = self.units.get(&flag.address).is_some_and(|u| u.up);
        // A product waits until the flag is clear, a drain until it is set.
        flag.producer == up
    }

    fn step(&mut self, core: &mut Core, spans: &dyn Spans, unit: Unit) -> Result<Step, Stop> {
        let i = unit.index();
        let Some(item) = self.queues[i].front() else { return Ok(Step::Blocked) };
        let blocked = match &item.work {
            Work::Wait { from, id } => !self.flags.get(&(unit.core(), *from, unit.pipe(), *id)).is_some_and(|f| f.up),
            Work::Take { key } => self.semaphores.get(key).is_none_or(|s| s.count == 0),
            Work::Call(c) => c.unit_flag.is_some_and(|u| self.unit_blocked(&u)),
            Work::Set { .. } | Work::Barrier | Work::Fence | Work::Scope | Work::Post { .. } => false,
        };
        if blocked {
            return Ok(Step::Blocked);
        }
        let Some(item) = self.queues[i].pop_front() else { return Ok(Step::Blocked) };
        join(&mut self.clocks[i], &item.clock);
        self.times[i] = self.times[i].max(item.time);
        match item.work {
            Work::Wait { from, id } => self.take_flag((unit.core(), from, unit.pipe(), id), unit, item.op),
            Work::Set { to, id } => {
                self.drain(unit);
                self.raise((unit.core(), unit.pipe(), to, id), unit, item.op, spans)
            }
            Work::Barrier | Work::Fence | Work::Scope => {
                self.drain(unit);
                if matches!(item.work, Work::Scope) {
                    self.times[i] += cost::SCOPE;
                    self.busy[i] += cost::SCOPE;
                }
                self.clocks[i][i] += 1;
                self.epochs[i] += 1;
            }
            Work::Post { key } => self.post(key, unit),
            Work::Take { key } => {
                self.take_semaphore(key, unit);
            }
            Work::Call(call) => self.call(core, spans, unit, item.op, &call, item.time)?,
        }
        Ok(Step::Done)
    }

    fn call(
        &mut self,
        core: &mut Core,
        spans: &dyn Spans,
        unit: Unit,
        op: OpId,
        call: &Call,
        issued: u64,
    ) -> Result<(), Stop> {
        let i = unit.index();
        self.clocks[i][i] += 1;
        self.executed += 1;
        // Nothing was queued when the scalar unit issued it.
        let idle = self.times[i] <= issued;
        if let Some(flag) = call.unit_flag
            && let Some(u) = self.units.get(&flag.address)
        {
            let (clock, time) = (u.clock, u.time);
            join(&mut self.clocks[i], &clock);
            self.times[i] = self.times[i].max(time);
        }
        core.spr = *call.special;
        core.mem.begin();
        let args = Args { name: call.intrinsic.name, list: &call.args };
        if let Err(fault) = (call.intrinsic.run)(core, &args) {
            self.find(fault_diagnostic(&fault, spans.span(op)));
            return Err(Stop);
        }
        self.spend(unit, op, call, core, idle);
        self.note_accesses(core, spans, unit, op);
        if let Some(flag) = call.unit_flag
            && flag.last
        {
            let (clock, time) = (self.clocks[i], self.times[i]);
            self.units.insert(flag.address, UnitState { up: flag.producer, clock, time, by: op });
        }
        Ok(())
    }

    /// Adds the time of an intrinsic to its pipe.
    fn spend(&mut self, unit: Unit, op: OpId, call: &Call, core: &Core, idle: bool) {
        let i = unit.index();
        let name = call.intrinsic.name;
        let cycles = cost::cycles(self.arch, name, &call.args, &call.special, core.mem.accesses(), idle);
        let start = self.times[i];
        self.times[i] += cycles;
        self.busy[i] += cycles;
        self.tails[i] = cost::tail(self.arch, name);
        if let Some(events) = &mut self.events {
            events.push(Event { unit, start, cycles, name, op });
        }
    }

    /// A pipe is drained: what its last instruction still needs.
    fn drain(&mut self, unit: Unit) {
        let i = unit.index();
        self.times[i] += std::mem::take(&mut self.tails[i]);
    }

    fn note_accesses(&mut self, core: &Core, spans: &dyn Spans, unit: Unit, op: OpId) {
        if !self.check {
            return;
        }
        let i = unit.index();
        // On A2/A3 the vector pipe overlaps its instructions; on A5 inside a scope.
        let epoch = if unit.pipe() == Pipe::V { self.epochs[i] } else { 0 };
        let stamp = Stamp { unit, time: self.clocks[i][i], epoch, op };
        let mut found: SmallVec<[Diagnostic; 1]> = SmallVec::new();
        for a in core.mem.accesses() {
            if a.space == Loc::Gm && !self.inside_an_array(a.start, a.len) {
                if !self.outside_seen.insert(op) {
                    continue;
                }
                found.push(self.outside(spans.span(op), a.start, a.len, a.write));
                continue;
            }
            if let Some(race) = self.shadow.touch(*a, stamp, &self.clocks[i])
                && self.races
            {
                let id = self.unused_id(unit.core(), race.earlier.unit.pipe(), unit.pipe());
                let place = self.place(race.space, race.bytes);
                found.push(race_diagnostic(&race, unit, op, spans, self.arch, id, &place));
            }
        }
        if let Some(a) = core.mem.unwritten()
            && (a.space != Loc::Gm || self.inside_an_array(a.start, a.len))
            && self.unwritten_seen.insert(op)
        {
            let place = self.place(a.space, (a.start, a.start.saturating_add(a.len)));
            found.push(
                Diagnostic::warning(
                    codes::UNWRITTEN,
                    spans.span(op),
                    format!("{place} are read, and nobody has written any of them"),
                )
                .at("reads it here")
                .note("every byte of this access still holds what was there before the kernel")
                .help("load or fill the memory first, or check the address"),
            );
        }
        found.into_iter().for_each(|d| self.find(d));
    }

    /// Bytes in words; those of global memory count from the start of their array.
    fn place(&self, space: Loc, (start, end): (u64, u64)) -> String {
        if space != Loc::Gm {
            return format!("bytes {start} to {end} of {}", space.memory().name());
        }
        match self.arrays.iter().find(|(s, n, _)| (*s..s + n).contains(&start)) {
            Some((s, _, name)) => format!("bytes {} to {} of `{name}`", start - s, end - s),
            None => format!("bytes {start} to {end} of global memory"),
        }
    }

    fn inside_an_array(&self, start: u64, len: u64) -> bool {
        self.arrays.is_empty() || self.arrays.iter().any(|(s, n, _)| start >= *s && start.saturating_add(len) <= s + n)
    }

    /// Refuses bytes of global memory that do not lie in one array.
    pub fn inside(&self, start: u64, len: u64) -> Result<(), Fault> {
        if self.inside_an_array(start, len) {
            return Ok(());
        }
        let message = match self.arrays.iter().filter(|(s, _, _)| *s <= start).max_by_key(|(s, _, _)| *s) {
            Some((s, n, name)) => {
                let from = start - s;
                format!("bytes {from} to {} of `{name}`, which has {n}", from.saturating_add(len))
            }
            None => format!("{len} bytes of global memory before any array"),
        };
        Err(Fault::new(FaultKind::OutOfRange, message))
    }

    fn outside(&self, span: Span, start: u64, len: u64, write: bool) -> Diagnostic {
        let verb = if write { "writes" } else { "reads" };
        let near = self.arrays.iter().filter(|(s, _, _)| *s <= start).max_by_key(|(s, _, _)| *s);
        let d = match near {
            Some((s, n, name)) => {
                let from = start - s;
                Diagnostic::error(
                    codes::OUTSIDE,
                    span,
                    format!("{verb} bytes {from} to {} of `{name}`, which has {n}", from + len),
                )
            }
            None => {
                Diagnostic::error(codes::OUTSIDE, span, format!("{verb} {len} bytes of global memory before any array"))
            }
        };
        d.at("reaches outside the array").note("global memory belongs to the kernel only where an argument points")
    }

    /// What is left at the end: pipes that cannot go on, and flags that are still set.
    pub fn finish(&mut self, core: &mut Core, spans: &dyn Spans) -> Result<(), Stop> {
        while self.run_some(core, spans)? {}
        let stuck = (0..UNITS).any(|i| !self.queues[i].is_empty());
        if stuck {
            let d = self.hang(spans, None);
            self.find(d);
            return Err(Stop);
        }
        let left: Vec<_> =
            self.flags.iter().filter(|(_, f)| f.up).map(|(&(_, from, to, id), f)| (from, to, id, f.set_by)).collect();
        for (from, to, id, op) in left {
            self.find(
                Diagnostic::error(
                    codes::LEFT_SET,
                    spans.span(op),
                    format!("flag {from} -> {to}, event id {id}, is still set at the end"),
                )
                .at("set here, and no wait takes it")
                .note("the next kernel on this core passes its first wait too early (machine description, 7.2 E8)")
                .help(format!("wait for it in {to} before the end, or drop the set")),
            );
        }
        let up: Vec<_> = self.units.iter().filter(|(_, u)| u.up).map(|(&at, u)| (at, u.by)).collect();
        for (at, op) in up {
            self.find(
                Diagnostic::error(
                    codes::LEFT_SET,
                    spans.span(op),
                    format!("the unit flag of L0C at byte {at} is still set at the end"),
                )
                .at("this product of phase `final` sets it")
                .note("the next flagged product on this core waits for a drain that never comes (machine description, 7.4)")
                .help("let the last drain of the result have phase `final`"),
            );
        }
        Ok(())
    }

    /// Says who waits for what. `scalar` is what the scalar unit waits for, when it does.
    pub fn hang(&self, spans: &dyn Spans, scalar: Option<(OpId, String)>) -> Diagnostic {
        let mut lines: Vec<(OpId, String)> = Vec::new();
        if let Some((op, what)) = scalar {
            lines.push((op, format!("the scalar unit waits for {what}")));
        }
        for i in 0..UNITS {
            let unit = Unit(i as u8);
            let Some(item) = self.queues[i].front() else { continue };
            lines.push((item.op, format!("{} waits for {}", unit.pipe(), self.waits_for(unit, &item.work))));
        }
        let first = lines.first().cloned();
        let (op, what) = first.unwrap_or((OpId::from_index(0), "nothing moves".into()));
        let mut d = Diagnostic::error(codes::HANG, spans.span(op), format!("the kernel hangs: {what}")).at(what);
        for (op, what) in lines.into_iter().skip(1) {
            d = d.label(spans.span(op), what);
        }
        let mut unit_flag = false;
        for i in 0..UNITS {
            if let Some(Item { work: Work::Call(c), .. }) = self.queues[i].front()
                && let Some(flag) = c.unit_flag
            {
                unit_flag = true;
                let state = self.units.get(&flag.address);
                d = match (flag.producer, state) {
                    (false, _) => self.product_into(flag.address, spans, d).note(
                        "a drain with a unit flag waits for a product of phase `final` into the same accumulator, and none \
                         came before it (machine description, 7.4 U1, U5, U6)",
                    ),
                    (true, Some(s)) => d.label(spans.span(s.by), "the flag was raised here").note(
                        "after a product of phase `final` the next flagged product waits for a drain of phase `final` \
                         (machine description, 7.4 U2, U3, U4)",
                    ),
                    (true, None) => d,
                };
            }
        }
        let stuck = (0..UNITS).find_map(|i| match self.queues[i].front().map(|item| &item.work) {
            Some(&Work::Wait { from, id }) => {
                let unit = Unit(i as u8);
                let (a, b, n, op) = self.meant(unit.core(), from, unit.pipe(), id)?;
                Some((
                    format!("<{from}>, <{}>, <EVENT_ID{id}>", unit.pipe()),
                    format!("<{a}>, <{b}>, <EVENT_ID{n}>"),
                    op,
                ))
            }
            _ => None,
        });
        if let Some((waited, set, op)) = stuck {
            d.label(spans.span(op), "this flag is set, and nothing has waited for it")
                .note("a wait takes only a flag of the same two pipes, in the same order, with the same event id (machine description, 7.2 E2)")
                .help(format!("wait for [{set}], or set [{waited}] there"))
        } else if unit_flag {
            d.help("give the last product of a group `final`, and the last drain of the same group `final`")
        } else {
            d.note("a wait needs a set of the same two pipes and the same event id that is reached before it (machine description, 7.2)")
                .help("set the flag in the producing pipe before the wait, on every path")
        }
    }

    fn waits_for(&self, unit: Unit, work: &Work) -> String {
        match work {
            Work::Wait { from, id } => {
                let near = (0..EVENT_IDS).find(|n| n != id && self.flag_up(unit, *from, *n));
                let hint = match near {
                    Some(n) => format!(" (event id {n} of the same pipes is set)"),
                    None => String::new(),
                };
                format!("flag {from} -> {}, event id {id}{hint}", unit.pipe())
            }
            Work::Take { key: Key::Cross { id, .. } } => format!("flag {id} of the other core"),
            Work::Take { key: Key::Buffer { id, .. } } => format!("buffer {id}"),
            Work::Call(c) => match c.unit_flag {
                Some(f) if f.producer => format!("the unit flag of L0C at byte {} to be cleared by a drain", f.address),
                Some(f) => format!("the unit flag of L0C at byte {} to be set by a product", f.address),
                None => "the work before it".into(),
            },
            _ => "the work before it".into(),
        }
    }

    /// Adds where the product comes from that a drain with a unit flag finds in the accumulator.
    fn product_into(&self, address: u64, spans: &dyn Spans, d: Diagnostic) -> Diagnostic {
        match self.shadow.writers(Loc::Acc).into_iter().find(|(s, e, _)| (*s..*e).contains(&address)) {
            Some((_, _, op)) => d.label(spans.span(op), "the last product into it: no unit flag is left to wait for"),
            None => d,
        }
    }

    /// The lowest event id for which nothing was issued between two pipes; 0 when all are in use.
    fn unused_id(&self, core: usize, from: Pipe, to: Pipe) -> u32 {
        (0..EVENT_IDS).find(|&id| !self.issued.contains_key(&(core, from, to, id))).unwrap_or(0)
    }

    /// A flag that is set and that a stuck wait may have meant: the same pipes, or the same event id and one of the pipes.
    fn meant(&self, core: usize, from: Pipe, to: Pipe, id: u32) -> Option<(Pipe, Pipe, u32, OpId)> {
        let set = self.flags.iter().filter(|((on, ..), f)| *on == core && f.up);
        let list: SmallVec<[_; 4]> = set.map(|(&(_, a, b, n), f)| (a, b, n, f.set_by)).collect();
        let same_pipes = list.iter().find(|(a, b, ..)| (*a, *b) == (from, to));
        let one_pipe =
            || list.iter().find(|(a, b, n, _)| *n == id && (*a == from || *b == to || (*a, *b) == (to, from)));
        same_pipes.or_else(one_pipe).copied()
    }

    fn flag_up(&self, unit: Unit, from: Pipe, id: u32) -> bool {
        self.flags.get(&(unit.core(), from, unit.pipe(), id)).is_some_and(|f| f.up)
    }
}

/// Where operations stand in the source.
pub(crate) trait Spans {
    fn span(&self, op: OpId) -> Span;
}

impl Spans for ptoc_ir::Ir {
    fn span(&self, op: OpId) -> Span {
        self.op(op).span
    }
}

pub(crate) fn fault_diagnostic(fault: &Fault, span: Span) -> Diagnostic {
    let (code, why) = match fault.kind {
        FaultKind::OutOfRange => (codes::OUTSIDE, "on-chip memories have fixed sizes (machine description, section 1)"),
        FaultKind::Misaligned => (codes::MISALIGNED, "vector operands and transfers work on whole blocks"),
        FaultKind::BadArgument => (codes::BAD_ARGUMENT, "the intrinsic has no meaning for this"),
        FaultKind::Unsupported => (codes::UNKNOWN, "the simulator stops rather than guess"),
    };
    let d = Diagnostic::error(code, span, fault.message.clone()).at("executed here").note(why);
    match fault.kind {
        FaultKind::Misaligned => d.help("give the tile or pointer an address that is a multiple of the number named"),
        FaultKind::OutOfRange => d.help("check the address, the sizes and the strides of this instruction"),
        FaultKind::BadArgument | FaultKind::Unsupported => d,
    }
}

/// `id` is an event id that the two pipes have not used so far, `place` the bytes in words.
fn race_diagnostic(
    race: &Race,
    unit: Unit,
    op: OpId,
    spans: &dyn Spans,
    arch: Arch,
    id: u32,
    place: &str,
) -> Diagnostic {
    let (from, to) = (race.earlier.unit.pipe(), unit.pipe());
    let done = |w: bool| if w { "writes" } else { "reads" };
    let apart = match race.space {
        Loc::Gm => "check offsets and sizes of the views",
        _ => "move one of the two tiles",
    };
    let d = Diagnostic::error(
        codes::RACE,
        spans.span(op),
        format!(
            "data race: {to} {} {place} that {from} {}, and nothing orders the two",
            done(race.later_writes),
            done(race.earlier_writes),
        ),
    )
    .at(format!("{to} {} here", done(race.later_writes)))
    .label(spans.span(race.earlier.op), format!("{from} {} the same bytes here", done(race.earlier_writes)));
    if from == to && race.earlier.unit == unit {
        return match arch {
            Arch::A2A3 => d
                .note("vector instructions of a2a3 overlap; one that needs another's result waits at a barrier")
                .help("put `pto.barrier <PIPE_V>` between them"),
            Arch::A5 => d
                .note("inside a vector scope of a5 loads and stores are not ordered by address")
                .help("put `pto.mem_bar \"VST_VLD\"` between them, or end the scope"),
        };
    }
    d.note("pipes run concurrently; a flag from one to the other makes the second wait (machine description, 7.2)").help(
        format!(
            "put `pto.set_flag[<{from}>, <{to}>, <EVENT_ID{id}>]` after the first and \
             `pto.wait_flag[<{from}>, <{to}>, <EVENT_ID{id}>]` before the second; or, when they should not share bytes, \
             {apart}"
        ),
    )
}
