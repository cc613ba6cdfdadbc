//! The state of one block and what each instruction does to it.

use super::{Phase, Role};
use ptoc_ir::OpId;
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

/// Most states kept for one block; more are taken for unknown.
const MOST: usize = 8;

/// The states a block may be in, one a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct States(SmallVec<[State; 2]>);

impl States {
    pub(super) fn one(s: State) -> States {
        States(SmallVec::from_slice(&[s]))
    }

    pub(super) fn each(&self) -> &[State] {
        &self.0
    }

    /// Adds the states of another path; true when some were new.
    pub(super) fn join(&mut self, other: &States) -> bool {
        let before = self.0.len();
        for &s in &other.0 {
            if self.0.contains(&State::Unknown) {
                return false;
            }
            if s == State::Unknown || self.0.len() >= MOST {
                *self = States::one(State::Unknown);
                return true;
            }
            if !self.0.contains(&s) {
                self.0.push(s);
            }
        }
        self.0.len() != before
    }

    /// Takes every path over an instruction. What goes wrong on all of them is an error; paths that go wrong end.
    pub(super) fn step(&mut self, role: Role, phase: Phase, op: OpId) -> Option<Wrong> {
        let mut after: SmallVec<[State; 2]> = SmallVec::new();
        let mut first = None;
        for s in &self.0 {
            match s.step(role, phase, op) {
                Ok(next) if !after.contains(&next) => after.push(next),
                Ok(_) => {}
                Err(w) => first = first.or(Some(w)),
            }
        }
        if after.is_empty() {
            self.0 = SmallVec::from_slice(&[State::Unknown]);
            return first;
        }
        self.0 = after;
        None
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
}
