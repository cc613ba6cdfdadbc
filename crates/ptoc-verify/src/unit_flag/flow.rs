//! The states of all blocks through a function: conditions join, loops run to a fixed point.

use super::blocks::Blocks;
use super::outline::{Part, Step, outline, size};
use super::state::{Drained, Fault, State, States, Turn, Way, Wrong};
use crate::site::Program;
use ptoc_ir::{OpId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// One error.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) op: OpId,
    pub(super) block: ValueId,
    pub(super) wrong: Wrong,
    /// The decisions of a run that goes wrong; empty when every run does.
    pub(super) turns: SmallVec<[Turn; 2]>,
    /// It happens when the loop comes round.
    pub(super) next_trip: bool,
}

/// What the analysis of a function gave.
pub(super) enum Outcome {
    Found(Vec<Finding>),
    /// Loops are nested so deeply that it was not finished.
    TooDeep,
}

/// Visits of one step before the analysis is given up; loops nested five deep need 192.
const VISITS: usize = 256;

/// What goes wrong with the unit flags of a function.
pub(super) fn analyse(p: &Program<'_>, func: OpId) -> Outcome {
    let nothing = Outcome::Found(Vec::new());
    let Some(blocks) = Blocks::of(p, func) else { return nothing };
    let Some(body) = p.ir.body(func, 0) else { return nothing };
    let parts = outline(p, &blocks, body);
    let mut flow = Flow {
        states: FxHashMap::default(),
        frames: Vec::new(),
        found: Vec::new(),
        reported: FxHashSet::default(),
        here: Vec::new(),
        depth: 0,
        quiet: false,
        next_trip: false,
        budget: size(&parts).saturating_mul(VISITS),
    };
    flow.run(&parts);
    if flow.budget == 0 {
        return Outcome::TooDeep;
    }
    flow.ends(p);
    Outcome::Found(flow.found)
}

/// States of the blocks that some part touched.
type Touched = FxHashMap<ValueId, States>;

struct Flow {
    /// Blocks that are not in it are clear.
    states: Touched,
    /// For each part under way, what the blocks it touched were before.
    frames: Vec<Touched>,
    found: Vec<Finding>,
    reported: FxHashSet<OpId>,
    /// The arms under way.
    here: Vec<Turn>,
    /// Loops around.
    depth: u32,
    /// Findings are only kept where the states on entry are final.
    quiet: bool,
    next_trip: bool,
    budget: usize,
}

impl Flow {
    fn get(&self, block: ValueId) -> States {
        self.states.get(&block).cloned().unwrap_or_else(|| States::one(State::Clear { by: None }))
    }

    fn set(&mut self, block: ValueId, states: States) {
        let before = self.get(block);
        if let Some(frame) = self.frames.last_mut() {
            frame.entry(block).or_insert(before);
        }
        self.states.insert(block, states);
    }

    /// Runs parts, takes their effect back, and gives what the touched blocks were after them.
    fn trial(&mut self, run: impl FnOnce(&mut Flow)) -> Touched {
        self.frames.push(Touched::default());
        run(self);
        let before = self.frames.pop().unwrap_or_default();
        before
            .into_iter()
            .map(|(block, was)| {
                let after = self.get(block);
                self.states.insert(block, was);
                (block, after)
            })
            .collect()
    }

    fn run(&mut self, parts: &[Part]) {
        for part in parts {
            if self.budget == 0 {
                return;
            }
            match part {
                Part::Step(s) => self.step(s),
                Part::Away(block) => self.set(*block, States::one(State::Unknown)),
                Part::Loop { op, trips, body } => self.repeat(*op, *trips, body),
                Part::Choice { op, by, arms } => self.choose(*op, *by, arms),
                Part::Tangle(parts) => {
                    let quiet = std::mem::replace(&mut self.quiet, true);
                    let touched = self.trial(|f| f.run(parts));
                    self.quiet = quiet;
                    for block in touched.into_keys() {
                        self.set(block, States::one(State::Unknown));
                    }
                }
            }
        }
    }

    fn step(&mut self, s: &Step) {
        self.budget = self.budget.saturating_sub(1);
        let mut states = self.get(s.block);
        let fault = states.step(s.role, s.phase, s.op, &self.here);
        self.set(s.block, states);
        if let Some(Fault { wrong, turns }) = fault
            && !self.quiet
            && self.reported.insert(s.op)
        {
            self.found.push(Finding { op: s.op, block: s.block, wrong, turns, next_trip: self.next_trip });
        }
    }

    fn choose(&mut self, op: OpId, by: ValueId, arms: &[Vec<Part>]) {
        let of = arms.len() as u32;
        let turn = |arm: usize, depth| Turn { op, way: Way::Arm { by, arm: arm as u32, arms: of }, depth };
        let mut after: Vec<Touched> = Vec::with_capacity(arms.len());
        for (n, arm) in arms.iter().enumerate() {
            self.here.push(turn(n, self.depth));
            after.push(self.trial(|f| f.run(arm)));
            self.here.pop();
        }
        let mut blocks: Vec<ValueId> = after.iter().flat_map(|t| t.keys().copied()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            let before = self.get(block);
            // What an arm leaves alone stays, where a run can take the arm.
            let ways: Vec<States> = after
                .iter_mut()
                .enumerate()
                .map(|(n, t)| t.remove(&block).unwrap_or_else(|| before.clone()).under(&[turn(n, self.depth)]))
                .collect();
            let mut joined: Option<States> = None;
            for (n, way) in ways.iter().enumerate() {
                for r in way.each() {
                    let everywhere = ways.iter().all(|w| w.each().contains(r));
                    let r = if everywhere { r.clone() } else { r.behind(turn(n, self.depth)) };
                    match &mut joined {
                        Some(j) => {
                            j.add(r);
                        }
                        None => joined = Some(States::of(r)),
                    }
                }
            }
            if let Some(joined) = joined {
                self.set(block, joined);
            }
        }
    }

    fn repeat(&mut self, op: OpId, trips: Option<i64>, body: &[Part]) {
        if trips == Some(0) {
            return;
        }
        let outside = self.depth;
        self.depth += 1;
        // The states on entry of any trip.
        let quiet = std::mem::replace(&mut self.quiet, true);
        let mut back = Touched::default();
        let _ = self.trial(|f| {
            loop {
                back = f.trial(|f| f.run(body));
                if trips != Some(1) {
                    back.values_mut().for_each(|s| *s = s.after_trip(outside));
                }
                let mut grew = false;
                for (&block, states) in &back {
                    let mut entry = f.get(block);
                    if entry.join(states) {
                        grew = true;
                        f.set(block, entry);
                    }
                }
                if !grew || trips == Some(1) || f.budget == 0 {
                    return;
                }
            }
        });
        self.quiet = quiet;
        if !self.quiet {
            // What the first trip meets, then what the next one meets.
            let _ = self.trial(|f| {
                f.run(body);
                if trips != Some(1) {
                    f.next_trip(outside);
                    let later = std::mem::replace(&mut f.next_trip, true);
                    f.run(body);
                    f.next_trip = later;
                }
            });
        }
        self.depth = outside;
        for (block, after) in back {
            if trips.is_some() {
                self.set(block, after);
                continue;
            }
            let before = self.get(block);
            let turn = |way| Turn { op, way, depth: outside };
            let mut joined: Option<States> = None;
            for (from, to, way) in [(&before, &after, Way::Skipped), (&after, &before, Way::Ran)] {
                for r in from.each() {
                    let r = if to.each().contains(r) { r.clone() } else { r.behind(turn(way)) };
                    match &mut joined {
                        Some(j) => {
                            j.add(r);
                        }
                        None => joined = Some(States::of(r)),
                    }
                }
            }
            if let Some(joined) = joined {
                self.set(block, joined);
            }
        }
    }

    /// The next trip of a loop begins.
    fn next_trip(&mut self, outside: u32) {
        let blocks: Vec<ValueId> = self.frames.last().map(|f| f.keys().copied().collect()).unwrap_or_default();
        for block in blocks {
            let states = self.get(block).after_trip(outside);
            self.set(block, states);
        }
    }

    /// A flag that is still up where its tile ends stalls the next user of the block.
    fn ends(&mut self, p: &Program<'_>) {
        let mut blocks: Vec<(&ValueId, &States)> = self.states.iter().collect();
        blocks.sort_unstable_by_key(|(b, _)| **b);
        for (&block, states) in blocks {
            // The caller may drain an accumulator that it passed in.
            if let ValueDef::Arg(..) = p.ir.value(block).def {
                continue;
            }
            let up = |state: State| match state {
                State::Up { mad, drained } => Some((mad, drained)),
                _ => None,
            };
            let always = states.each().iter().all(|r| up(r.state).is_some());
            let worst =
                states.each().iter().find(|r| up(r.state).is_some() && (always || !(r.loose || r.turns.is_empty())));
            let Some((worst, (mad, drained))) = worst.and_then(|r| Some((r, up(r.state)?))) else { continue };
            let op = match drained {
                Drained::Partly(d) | Drained::Unflagged(d) => d,
                Drained::No => mad,
            };
            if self.reported.insert(op) {
                let turns = if always { SmallVec::new() } else { worst.turns.clone() };
                self.found.push(Finding { op, block, wrong: Wrong::Leaked { mad, drained }, turns, next_trip: false });
            }
        }
    }
}
