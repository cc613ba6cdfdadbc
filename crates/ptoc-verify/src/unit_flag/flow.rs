//! The states of all blocks through a function: conditions join, loops run to a fixed point.

use super::blocks::Blocks;
use super::outline::{Part, Step, outline, size};
use super::state::{Drained, State, States, Wrong};
use crate::site::Program;
use ptoc_ir::{OpId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// One error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub(super) op: OpId,
    pub(super) block: ValueId,
    pub(super) wrong: Wrong,
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
                Part::Loop { trips, body } => self.repeat(*trips, body),
                Part::Choice { arms, skips } => self.choose(arms, *skips),
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
        let wrong = states.step(s.role, s.phase, s.op);
        self.set(s.block, states);
        if let Some(wrong) = wrong
            && !self.quiet
            && self.reported.insert(s.op)
        {
            self.found.push(Finding { op: s.op, block: s.block, wrong, next_trip: self.next_trip });
        }
    }

    fn choose(&mut self, arms: &[Vec<Part>], skips: bool) {
        let mut after: Vec<Touched> = arms.iter().map(|arm| self.trial(|f| f.run(arm))).collect();
        if skips {
            after.push(Touched::default());
        }
        let mut blocks: Vec<ValueId> = after.iter().flat_map(|t| t.keys().copied()).collect();
        blocks.sort_unstable();
        blocks.dedup();
        for block in blocks {
            let ways = after.iter_mut().map(|t| t.remove(&block));
            let before = self.get(block);
            let joined = ways.map(|w| w.unwrap_or_else(|| before.clone())).reduce(|mut a, b| {
                a.join(&b);
                a
            });
            if let Some(joined) = joined {
                self.set(block, joined);
            }
        }
    }

    fn repeat(&mut self, trips: Option<i64>, body: &[Part]) {
        if trips == Some(0) {
            return;
        }
        // The states on entry of any trip.
        let quiet = std::mem::replace(&mut self.quiet, true);
        let mut back = Touched::default();
        let _ = self.trial(|f| {
            loop {
                back = f.trial(|f| f.run(body));
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
            // What every path of the first trip meets, then what every path of the next one meets.
            let _ = self.trial(|f| {
                f.run(body);
                if trips != Some(1) {
                    let later = std::mem::replace(&mut f.next_trip, true);
                    f.run(body);
                    f.next_trip = later;
                }
            });
        }
        for (block, mut after) in back {
            if trips.is_none() {
                after.join(&self.get(block));
            }
            self.set(block, after);
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
            let all_up: Option<Vec<(OpId, Drained)>> = states
                .each()
                .iter()
                .map(|s| match s {
                    State::Up { mad, drained } => Some((*mad, *drained)),
                    _ => None,
                })
                .collect();
            let Some(&(mad, drained)) = all_up.as_ref().and_then(|a| a.first()) else { continue };
            let op = match drained {
                Drained::Partly(d) | Drained::Unflagged(d) => d,
                Drained::No => mad,
            };
            if self.reported.insert(op) {
                self.found.push(Finding { op, block, wrong: Wrong::Leaked { mad, drained }, next_trip: false });
            }
        }
    }
}
