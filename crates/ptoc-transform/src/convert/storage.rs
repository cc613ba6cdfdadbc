//! Which storage each tile value of a program gets.
//!
//! Values share storage when one takes over from the other: through `into`, as a loop value, as the result of a branch. Such
//! values form a class, and a class becomes one buffer. Where storage can't be shared the value is copied: a step from a value
//! to the one that takes over is a [`Step`], and a cut step is a copy.
//!
//! The classes are formed first ([`classes`](super::classes)). A check then follows who holds each storage
//! ([`holders`](super::holders)); a value that is read after another one took over cuts the step that did it, and everything is
//! done again. Programs that came from DPS need no cut.

use super::holders::conflicts;
use super::params::Params;
use super::steps::Step;
use crate::structure::Scope;
use ptoc_ir::{Ir, OpId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Attempts at cutting only the steps that a conflict names.
const CAREFUL_ROUNDS: usize = 12;
/// Most attempts; the later ones cut every step to the storage of a conflict.
const MAX_ROUNDS: usize = 24;

/// A value that is read although its storage is no longer its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conflict {
    /// Who reads.
    pub(super) reader: OpId,
    /// What is read.
    pub(super) value: ValueId,
    /// The value that took over, when one did.
    pub(super) owner: Option<ValueId>,
}

/// Why no classes were found.
#[derive(Debug)]
pub(super) struct Obstacle {
    /// Reads of values that are gone.
    pub(super) conflicts: Vec<Conflict>,
    /// Values to copy where they are made, for those that read them.
    pub(super) save: SmallVec<[ValueId; 4]>,
    /// Results of calls to copy, so that all that is done with them is done with the copies.
    pub(super) keep: SmallVec<[ValueId; 4]>,
}

/// The storage classes of one scope.
#[derive(Debug)]
pub(super) struct Storage {
    pub(super) parent: Vec<u32>,
    /// Steps that are copies.
    pub(super) cut: FxHashSet<Step>,
    /// Steps that share storage, with the value that takes over.
    pub(super) taken: Vec<(Step, ValueId)>,
    /// Values that are views of other values.
    pub(super) views: FxHashMap<ValueId, ValueId>,
    /// Explicit storage of a class, by representative.
    pub(super) roots: FxHashMap<u32, ValueId>,
    /// First definition of a class, by representative.
    pub(super) anchors: FxHashMap<u32, Anchor>,
    /// Position of every op in the walk, and the last position below it.
    pub(super) span: FxHashMap<OpId, (u32, u32)>,
    /// Tile values in order of definition.
    pub(super) values: Vec<ValueId>,
}

/// The op that a class is first defined by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Anchor {
    pub(super) depth: u32,
    /// Position in the walk.
    pub(super) order: u32,
    /// Position among the tiles of the op.
    pub(super) rank: u32,
    /// The op.
    pub(super) op: OpId,
}

impl Storage {
    /// Finds classes for which no value is read after its storage went to another.
    ///
    /// # Errors
    /// The reads for which that is impossible, or for which a tile must be saved first.
    pub(super) fn find(ir: &Ir, scope: Scope, params: &Params) -> Result<Storage, Obstacle> {
        let mut cut: FxHashSet<Step> = FxHashSet::default();
        let mut last = Vec::new();
        for round in 0..MAX_ROUNDS {
            let (mut storage, joins) = Storage::build(ir, scope, cut);
            let conflicts = conflicts(ir, scope, &storage, params, &joins);
            if conflicts.is_empty() {
                return Ok(storage);
            }
            let save: SmallVec<[ValueId; 4]> =
                conflicts.iter().filter_map(|(c, _)| storage.lost_output(ir, c)).collect();
            let gone = conflicts.iter().filter(|(c, steps)| c.owner.is_none() && steps.is_empty());
            let keep: SmallVec<[ValueId; 4]> =
                gone.filter_map(|(c, _)| storage.returned(ir, storage.base(c.value))).collect();
            if !save.is_empty() || !keep.is_empty() {
                return Err(Obstacle { conflicts: conflicts.into_iter().map(|(c, _)| c).collect(), save, keep });
            }
            cut = std::mem::take(&mut storage.cut);
            let known = cut.len();
            if round < CAREFUL_ROUNDS {
                cut.extend(conflicts.iter().flat_map(|(_, steps)| steps.iter().copied()));
            }
            if cut.len() == known {
                let classes: FxHashSet<u32> =
                    conflicts.iter().map(|(c, _)| storage.class(storage.base(c.value))).collect();
                let there = storage.taken.iter().filter(|(_, to)| classes.contains(&storage.class(*to)));
                cut.extend(there.map(|&(step, _)| step));
            }
            let stuck = cut.len() == known;
            last = conflicts.into_iter().map(|(c, _)| c).collect();
            if stuck {
                break;
            }
        }
        Err(Obstacle { conflicts: last, save: SmallVec::new(), keep: SmallVec::new() })
    }

    /// The value of a conflict, when it was overwritten in the storage of a function argument. There the newest value has to
    /// be, for the caller; so it is the older one that is copied.
    fn lost_output(&self, ir: &Ir, c: &Conflict) -> Option<ValueId> {
        let base = self.base(c.value);
        let class = self.class(base);
        let root = self.root(class)?;
        let is_argument =
            matches!(ir.value(root).def, ValueDef::Arg(..)) && ir.op_name(self.anchor(class)?.op) == "func.func";
        (is_argument && self.class(c.owner?) == class).then_some(base)
    }

    /// The value that a view is a view of; the value itself for others.
    pub(super) fn base(&self, mut value: ValueId) -> ValueId {
        while let Some(&b) = self.views.get(&value) {
            value = b;
        }
        value
    }

    /// True for a view of a tile.
    pub(super) fn is_view(&self, value: ValueId) -> bool {
        self.views.contains_key(&value)
    }

    /// Representative of the class of a value.
    pub(super) fn class(&self, value: ValueId) -> u32 {
        let mut x = value.index() as u32;
        while let Some(&p) = self.parent.get(x as usize) {
            if p == x {
                break;
            }
            x = p;
        }
        x
    }

    /// Explicit storage of a class.
    pub(super) fn root(&self, class: u32) -> Option<ValueId> {
        self.roots.get(&class).copied()
    }

    /// First definition of a class.
    pub(super) fn anchor(&self, class: u32) -> Option<Anchor> {
        self.anchors.get(&class).copied()
    }

    /// The result of a call whose storage a value is in.
    pub(super) fn returned(&self, ir: &Ir, value: ValueId) -> Option<ValueId> {
        let root = self.root(self.class(value))?;
        let call = ir.defining_op(root)?;
        matches!(ir.op_name(call), "func.call" | "func.call_indirect").then_some(root)
    }

    /// As [`Storage::class`], making the next search shorter.
    pub(super) fn find_mut(&mut self, value: ValueId) -> u32 {
        let root = self.class(value);
        let mut x = value.index();
        while self.parent[x] != root {
            let next = self.parent[x] as usize;
            self.parent[x] = root;
            x = next;
        }
        root
    }

    /// Two values share storage.
    pub(super) fn union(&mut self, a: ValueId, b: ValueId) {
        let (a, b) = (self.find_mut(a), self.find_mut(b));
        if a == b {
            return;
        }
        self.parent[a as usize] = b;
        if let Some(r) = self.roots.remove(&a) {
            self.roots.entry(b).or_insert(r);
        }
        if let Some(x) = self.anchors.remove(&a) {
            let y = self.anchors.entry(b).or_insert(x);
            *y = (*y).min(x);
        }
    }
}
