//! The state of one block and what each instruction does to it.

use super::{Phase, Role};
use ptoc_ir::{OpId, ValueId};
use smallvec::SmallVec;

/// How a block whose flag is up was drained so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Drained {
    No,
    /// By a drain with phase partial.
    Partly(OpId),
    /// By a drain without phase.
    Unflagged(OpId),
}

/// The flag of one block, in program order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Down. `by` released it last.
    Clear { by: Option<OpId> },
    /// Down; products of phase partial are at work, the last of them `mad`.
    Open { mad: OpId },
    /// Up since `mad`.
    Up { mad: OpId, drained: Drained },
    /// Not known.
    Unknown,
}

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wrong {
    /// U1: a drain waits for a flag that no product sets; `mad` is the last product with a phase.
    NeverSet { mad: Option<OpId> },
    /// U2: a product waits for the flag of an earlier one that nothing has drained.
    NotDrained { mad: OpId },
    /// U3: as U2, but the block was drained without a phase.
    DrainedUnflagged { mad: OpId, drain: OpId },
    /// U4: as U2, but the block was drained with phase partial only.
    DrainedPartly { mad: OpId, drain: OpId },
    /// U5: a second final drain of one product.
    ReleasedTwice { by: OpId },
    /// U6: a partial drain after the final one.
    AfterRelease { by: OpId },
    /// A product without phase writes a block whose flag is up.
    Mixed { mad: OpId },
    /// The function ends with the flag up.
    Leaked { mad: OpId, drained: Drained },
}

impl State {
    /// The state after an instruction, or what goes wrong at it.
    pub(super) fn step(self, role: Role, phase: Phase, op: OpId) -> Result<State, Wrong> {
        use Phase::{Final, Partial, Unspecified};
        match (role, phase, self) {
            (_, _, State::Unknown) => Ok(State::Unknown),
            (Role::None, ..) => Ok(self),
            // products
            (Role::Product, Unspecified, State::Up { mad, .. }) => Err(Wrong::Mixed { mad }),
            (Role::Product, Unspecified, s) => Ok(s),
            (Role::Product, _, State::Up { mad, drained }) => Err(match drained {
                Drained::No => Wrong::NotDrained { mad },
                Drained::Partly(drain) => Wrong::DrainedPartly { mad, drain },
                Drained::Unflagged(drain) => Wrong::DrainedUnflagged { mad, drain },
            }),
            (Role::Product, Partial, _) => Ok(State::Open { mad: op }),
            (Role::Product, Final, _) => Ok(State::Up { mad: op, drained: Drained::No }),
            // drains
            (Role::Drain, Unspecified, State::Up { mad, drained: Drained::No }) => {
                Ok(State::Up { mad, drained: Drained::Unflagged(op) })
            }
            (Role::Drain, Unspecified, s) => Ok(s),
            (Role::Drain, _, State::Open { mad }) => Err(Wrong::NeverSet { mad: Some(mad) }),
            (Role::Drain, _, State::Clear { by: None }) => Err(Wrong::NeverSet { mad: None }),
            (Role::Drain, Final, State::Clear { by: Some(by) }) => Err(Wrong::ReleasedTwice { by }),
            (Role::Drain, Partial, State::Clear { by: Some(by) }) => Err(Wrong::AfterRelease { by }),
            (Role::Drain, Partial, State::Up { mad, .. }) => Ok(State::Up { mad, drained: Drained::Partly(op) }),
            (Role::Drain, Final, State::Up { .. }) => Ok(State::Clear { by: Some(op) }),
        }
    }
}

/// Which way was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// This one of `arms` regions of an operation that chooses by the value.
    Arm { by: ValueId, arm: u32, arms: u32 },
    /// The loop ran.
    Ran,
    /// The loop did not run at all.
    Skipped,
}

/// One decision on the way to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    /// The condition or loop.
    pub(super) op: OpId,
    pub(super) way: Way,
    /// How many loops are around it.
    pub(super) depth: u32,
}

impl Turn {
    /// True when no run takes both.
    fn excludes(&self, other: &Turn) -> bool {
        match (self.way, other.way) {
            (Way::Arm { by: a, arm: x, .. }, Way::Arm { by: b, arm: y, .. }) => a == b && x != y,
            (Way::Ran, Way::Skipped) | (Way::Skipped, Way::Ran) => self.op == other.op,
            _ => false,
        }
    }
}

/// A state with the decisions that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reached {
    pub(super) state: State,
    pub(super) turns: SmallVec<[Turn; 2]>,
    /// Decisions of earlier trips of a loop lead to it. Nothing is known of them: they may go with the loop counter.
    pub(super) loose: bool,
}

impl Reached {
    /// True when a run that took these turns can be in the state.
    pub(super) fn agrees(&self, turns: &[Turn]) -> bool {
        !self.turns.iter().any(|t| turns.iter().any(|u| t.excludes(u)))
    }

    /// The same state behind one more turn.
    pub(super) fn behind(&self, turn: Turn) -> Reached {
        let mut r = self.clone();
        if !r.turns.iter().any(|t| t.way == turn.way && t.op == turn.op) {
            r.turns.push(turn);
        }
        r
    }

    /// True when two states are one, reached through the two arms of one condition.
    fn is_other_arm(&self, other: &Reached) -> Option<usize> {
        if self.state != other.state || self.loose != other.loose || self.turns.len() != other.turns.len() {
            return None;
        }
        let mut differing = (0..self.turns.len()).filter(|&i| self.turns[i] != other.turns[i]);
        let (first, more) = (differing.next()?, differing.next());
        let both = |a: &Turn, b: &Turn| match (a.way, b.way) {
            (Way::Arm { arms, .. }, _) => a.op == b.op && arms == 2,
            _ => a.op == b.op,
        };
        (more.is_none() && both(&self.turns[first], &other.turns[first])).then_some(first)
    }
}

/// Most states kept for one block; more are taken for unknown.
const MOST: usize = 8;

/// The states a block may be in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct States(SmallVec<[Reached; 2]>);

/// What goes wrong at an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub(super) wrong: Wrong,
    /// The decisions of the run that goes wrong; empty when every run does.
    pub(super) turns: SmallVec<[Turn; 2]>,
}

impl States {
    pub(super) fn one(state: State) -> States {
        States::of(Reached { state, turns: SmallVec::new(), loose: false })
    }

    pub(super) fn of(r: Reached) -> States {
        States(SmallVec::from_iter([r]))
    }

    pub(super) fn each(&self) -> &[Reached] {
        &self.0
    }

    fn is_unknown(&self) -> bool {
        self.0.iter().any(|r| r.state == State::Unknown)
    }

    /// Adds one state; true when it was new.
    pub(super) fn add(&mut self, r: Reached) -> bool {
        if self.is_unknown() || self.0.contains(&r) {
            return false;
        }
        if r.state == State::Unknown || self.0.len() >= MOST {
            *self = States::one(State::Unknown);
            return true;
        }
        if let Some((i, turn)) = self.0.iter().enumerate().find_map(|(i, have)| Some((i, have.is_other_arm(&r)?))) {
            let mut both = self.0.remove(i);
            both.turns.remove(turn);
            self.add(both);
            return true;
        }
        self.0.push(r);
        true
    }

    /// Adds the states of another path; true when some were new.
    pub(super) fn join(&mut self, other: &States) -> bool {
        let mut grew = false;
        for r in &other.0 {
            grew |= self.add(r.clone());
        }
        grew
    }

    /// The states that a run with these turns can be in.
    pub(super) fn under(&self, turns: &[Turn]) -> States {
        if turns.is_empty() {
            return self.clone();
        }
        States(self.0.iter().filter(|r| r.agrees(turns)).cloned().collect())
    }

    /// The states behind the end of a loop's trip: decisions inside of it are over.
    pub(super) fn after_trip(&self, depth: u32) -> States {
        let mut out = States(SmallVec::new());
        for r in &self.0 {
            let mut r = r.clone();
            let before = r.turns.len();
            r.turns.retain(|t| t.depth <= depth);
            r.loose |= r.turns.len() != before;
            out.add(r);
        }
        out
    }

    /// Takes every path over an instruction; paths that go wrong end there. What goes wrong on all of them comes without turns.
    pub(super) fn step(&mut self, role: Role, phase: Phase, op: OpId, here: &[Turn]) -> Option<Fault> {
        let (mut after, mut faults) = (States(SmallVec::new()), SmallVec::<[(Wrong, Reached); 2]>::new());
        let before = self.under(here);
        if before.0.is_empty() {
            return None;
        }
        for r in before.0 {
            match r.state.step(role, phase, op) {
                Ok(next) => {
                    after.add(Reached { state: next, ..r });
                }
                Err(wrong) => faults.push((wrong, r)),
            }
        }
        if after.0.is_empty() {
            *self = States::one(State::Unknown);
            return faults.into_iter().next().map(|(wrong, _)| Fault { wrong, turns: SmallVec::new() });
        }
        *self = after;
        let (wrong, r) = faults.into_iter().find(|(_, r)| !r.loose && !r.turns.is_empty())?;
        Some(Fault { wrong, turns: r.turns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(n: usize) -> OpId {
        OpId::from_index(n)
    }

    /// Runs `(role, phase)` steps from the clear state; gives the index of the failing step and what is wrong.
    fn run(steps: &[(Role, Phase)]) -> (usize, Option<Wrong>, State) {
        let mut s = State::Clear { by: None };
        for (i, &(role, phase)) in steps.iter().enumerate() {
            match s.step(role, phase, op(i)) {
                Ok(next) => s = next,
                Err(w) => return (i, Some(w), s),
            }
        }
        (steps.len(), None, s)
    }

    const M: Role = Role::Product;
    const F: Role = Role::Drain;
    use Phase::{Final, Partial, Unspecified};

    #[test]
    fn a_group_is_partial_products_a_final_one_partial_drains_and_a_final_one() {
        let (_, wrong, end) =
            run(&[(M, Partial), (M, Partial), (M, Final), (F, Partial), (F, Final), (M, Final), (F, Final)]);
        assert_eq!(wrong, None);
        assert_eq!(end, State::Clear { by: Some(op(6)) });
        assert_eq!(run(&[(M, Unspecified), (F, Unspecified)]).1, None);
    }

    #[test]
    fn each_hang_of_the_machine_description() {
        assert_eq!(run(&[(M, Partial), (F, Partial)]).1, Some(Wrong::NeverSet { mad: Some(op(0)) }));
        assert_eq!(run(&[(F, Final)]).1, Some(Wrong::NeverSet { mad: None }));
        assert_eq!(run(&[(M, Final), (M, Final)]).1, Some(Wrong::NotDrained { mad: op(0) }));
        assert_eq!(
            run(&[(M, Final), (F, Unspecified), (M, Partial)]).1,
            Some(Wrong::DrainedUnflagged { mad: op(0), drain: op(1) })
        );
        assert_eq!(
            run(&[(M, Final), (F, Partial), (M, Final)]).1,
            Some(Wrong::DrainedPartly { mad: op(0), drain: op(1) })
        );
        assert_eq!(run(&[(M, Final), (F, Final), (F, Final)]).1, Some(Wrong::ReleasedTwice { by: op(1) }));
        assert_eq!(run(&[(M, Final), (F, Final), (F, Partial)]).1, Some(Wrong::AfterRelease { by: op(1) }));
        assert_eq!(run(&[(M, Final), (M, Unspecified)]).1, Some(Wrong::Mixed { mad: op(0) }));
    }

    fn turn(arm: u32) -> Turn {
        Turn { op: op(90), way: Way::Arm { by: ValueId::from_index(7), arm, arms: 2 }, depth: 0 }
    }

    #[test]
    fn a_state_of_one_arm_goes_wrong_for_that_arm_only() {
        let clear = Reached { state: State::Clear { by: None }, turns: SmallVec::from_slice(&[turn(1)]), loose: false };
        let up = State::Up { mad: op(0), drained: Drained::No };
        let mut states = States::one(up);
        states.0[0].turns.push(turn(0));
        states.add(clear);
        // Under the same condition the other arm cannot be.
        assert_eq!(states.clone().step(F, Final, op(1), &[turn(0)]), None);
        let fault = states.step(F, Final, op(1), &[]).unwrap();
        assert_eq!((fault.wrong, &fault.turns[..]), (Wrong::NeverSet { mad: None }, &[turn(1)][..]));
        assert_eq!(states.each().len(), 1);
    }

    #[test]
    fn one_state_behind_both_arms_is_one_state() {
        let mut states = States::one(State::Clear { by: None });
        states.0[0].turns.push(turn(0));
        states.add(Reached { turns: SmallVec::from_slice(&[turn(1)]), ..states.0[0].clone() });
        assert_eq!(states, States::one(State::Clear { by: None }));
    }
}
