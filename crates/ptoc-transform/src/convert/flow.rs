//! Who holds which storage at each point of a structured program.
//!
//! Storage is divided into cells; each cell has an owner, the last one that was put there. A [`Flow`] says what each op
//! asks and puts; [`run`] visits every op with the owners that hold on all paths to it. Where paths disagree a cell is
//! [`MIXED`].
//!
//! Cost: an op is visited once for each loop around it, and once more.

use crate::structure::{Shape, shape};
use ptoc_ir::{BlockId, Ir, OpId, Traits};

/// Who holds a cell: a number of the flow's own, or one of the constants.
pub(crate) type Owner = u32;
/// Nothing was put there yet.
pub(crate) const NOBODY: Owner = u32::MAX;
/// Different owners on different paths.
pub(crate) const MIXED: Owner = u32::MAX - 1;
/// What is there means nothing.
pub(crate) const GARBAGE: Owner = u32::MAX - 2;
/// Bit of an owner whose content may have been lost: on some paths the cell holds [`GARBAGE`].
pub(crate) const MAYBE: Owner = 1 << 30;

/// True for an owner of the flow's own, lost or not.
const fn is_owner(o: Owner) -> bool {
    o < MAYBE << 1
}

/// What a cell holds where two paths meet. What nobody put anything into may hold anything, so it agrees with every path.
const fn meet(a: Owner, b: Owner) -> Owner {
    match (a, b) {
        (NOBODY, o) | (o, NOBODY) => o,
        _ if a == b => a,
        (GARBAGE, o) | (o, GARBAGE) if is_owner(o) => o | MAYBE,
        _ if is_owner(a) && is_owner(b) && a | MAYBE == b | MAYBE => a | MAYBE,
        _ => MIXED,
    }
}

/// The owner of every cell, with a log that makes branches cheap: their cost is that of what they change.
#[derive(Debug)]
pub(crate) struct Owners {
    cells: Vec<Owner>,
    /// For a mixed cell, one of the owners that met there.
    witness: Vec<Owner>,
    log: Vec<(u32, Owner)>,
}

/// Cells with the owner they got on one path.
type Changes = Vec<(u32, Owner)>;

impl Owners {
    pub(crate) fn new(cells: usize) -> Self {
        Owners { cells: vec![NOBODY; cells], witness: vec![NOBODY; cells], log: Vec::new() }
    }

    pub(crate) fn get(&self, cell: u32) -> Owner {
        self.cells.get(cell as usize).copied().unwrap_or(MIXED)
    }

    /// One of the owners that met in a mixed cell; the owner itself elsewhere; `None` where there is none.
    pub(crate) fn witness(&self, cell: u32) -> Option<Owner> {
        let owner = match self.get(cell) {
            MIXED => self.witness.get(cell as usize).copied().unwrap_or(NOBODY),
            owner => owner,
        };
        is_owner(owner).then_some(owner & !MAYBE)
    }

    pub(crate) fn set(&mut self, cell: u32, owner: Owner) {
        if let Some(slot) = self.cells.get_mut(cell as usize)
            && *slot != owner
        {
            self.log.push((cell, *slot));
            *slot = owner;
        }
    }

    /// Takes back everything since `mark` and gives what it was.
    fn take_back(&mut self, mark: usize) -> Changes {
        let mut changes: Changes = self.log[mark..].iter().map(|&(c, _)| (c, self.get(c))).collect();
        changes.sort_unstable();
        changes.dedup();
        while self.log.len() > mark {
            if let Some((cell, old)) = self.log.pop() {
                self.cells[cell as usize] = old;
            }
        }
        changes
    }

    /// Continues where paths with these changes meet. `others` says that there is also a path without changes.
    fn join(&mut self, paths: &[Changes], others: bool) {
        let mut all: Changes = paths.iter().flatten().copied().collect();
        all.sort_unstable();
        let mut i = 0;
        while let Some(&(cell, _)) = all.get(i) {
            let end = all[i..].iter().position(|&(c, _)| c != cell).map_or(all.len(), |n| i + n);
            let base = self.get(cell);
            let unchanged = if others || end - i < paths.len() { base } else { NOBODY };
            let met = all[i..end].iter().fold(unchanged, |m, &(_, o)| meet(m, o));
            if met == MIXED && base != MIXED {
                // Name one that is not there anyway.
                let other = all[i..end].iter().map(|&(_, o)| o).find(|&o| is_owner(o) && o | MAYBE != base | MAYBE);
                self.witness[cell as usize] = other.map_or(NOBODY, |o| o & !MAYBE);
            }
            self.set(cell, met);
            i = end;
        }
    }
}

/// What the ops of a program ask and put.
pub(crate) trait Flow {
    /// An op that runs; for one with regions, before they do. `report` is false on a dry run that only collects changes.
    fn op(&mut self, ir: &Ir, op: OpId, owners: &mut Owners, report: bool);
    /// The n-th region of an op begins.
    fn enter(&mut self, _ir: &Ir, _op: OpId, _region: usize, _owners: &mut Owners) {}
    /// An op with regions has run.
    fn leave(&mut self, _ir: &Ir, _op: OpId, _owners: &mut Owners) {}
}

/// Runs a flow over a block and the regions below it.
pub(crate) fn run(ir: &Ir, block: BlockId, flow: &mut dyn Flow, owners: &mut Owners) {
    Runner { ir, flow, owners }.block(block, true);
}

struct Runner<'a> {
    ir: &'a Ir,
    flow: &'a mut dyn Flow,
    owners: &'a mut Owners,
}

impl Runner<'_> {
    fn block(&mut self, block: BlockId, report: bool) {
        let mut next = self.ir.first_op(block);
        while let Some(op) = next {
            next = self.ir.next_op(op);
            if self.ir.has_trait(op, Traits::ISOLATED) {
                continue;
            }
            self.flow.op(self.ir, op, self.owners, report);
            if !self.ir.op(op).regions.is_empty() {
                self.regions(op, report);
                self.flow.leave(self.ir, op, self.owners);
            }
        }
    }

    fn region(&mut self, op: OpId, n: usize, report: bool) {
        self.flow.enter(self.ir, op, n, self.owners);
        if let Some(body) = self.ir.body(op, n) {
            self.block(body, report);
        }
    }

    fn regions(&mut self, op: OpId, report: bool) {
        let count = self.ir.op(op).regions.len();
        match shape(self.ir, op) {
            Shape::Section | Shape::Block => (0..count).for_each(|n| self.region(op, n, report)),
            Shape::Branches => {
                let mut paths = Vec::with_capacity(count);
                for n in 0..count {
                    let mark = self.owners.log.len();
                    self.region(op, n, report);
                    paths.push(self.owners.take_back(mark));
                }
                // An `if` without `else` has a path that changes nothing.
                self.owners.join(&paths, count < 2);
            }
            Shape::For | Shape::While | Shape::Unknown => self.repeated(op, count, report),
        }
    }

    /// What holds at the head of a loop is what holds before it and after each iteration; a dry run finds the latter.
    fn repeated(&mut self, op: OpId, count: usize, report: bool) {
        let mark = self.owners.log.len();
        (0..count).for_each(|n| self.region(op, n, false));
        let changes = self.owners.take_back(mark);
        self.owners.join(&[changes], true);
        if !report {
            return;
        }
        let mark = self.owners.log.len();
        if shape(self.ir, op) == Shape::While {
            // The loop is left behind its first region.
            self.region(op, 0, true);
            let mark = self.owners.log.len();
            (1..count).for_each(|n| self.region(op, n, true));
            self.owners.take_back(mark);
        } else {
            (0..count).for_each(|n| self.region(op, n, true));
            let changes = self.owners.take_back(mark);
            self.owners.join(&[changes], true);
        }
    }
}
