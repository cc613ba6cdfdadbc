//! Which storage each tile value of a program gets.
//!
//! Values share storage when one takes over from the other: through `into`, as a loop value, as the result of a branch. Such
//! values form a class, and a class becomes one buffer. Where storage can't be shared the value is copied: a step from a value
//! to the one that takes over is a [`Step`], and a cut step is a copy.
//!
//! Steps through `into` and into loops are taken first, then those out of regions, inner regions first, where no two storages
//! meet. A check then follows who holds each storage ([`flow`](super::flow)); a value that is read after another one took over
//! cuts the step that did it, and everything is done again. Programs that came from DPS need no cut.

use super::holders::{Params, conflicts};
use super::valid::is_value_tile;
use crate::structure::{Scope, Shape, shape, walk_scope};
use ptoc_dialect::{OpDef, def};
use ptoc_ir::{BlockId, Form, Ir, OpId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Attempts at cutting only the steps that a conflict names.
const CAREFUL_ROUNDS: usize = 12;
/// Most attempts; the later ones cut every step to the storage of a conflict.
const MAX_ROUNDS: usize = 24;

/// Where one value takes over the storage of another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    /// The old tile of a destination: operand segment of an instruction.
    Into(OpId, u32),
    /// The n-th operand of a loop, as initial value.
    Init(OpId, u32),
    /// The n-th operand of a terminator.
    Out(OpId, u32),
    /// A temporary, which loses its content: operand segment of an instruction. A cut one gets storage of its own.
    Scratch(OpId, u32),
    /// The n-th operand of a call that may write it.
    Call(OpId, u32),
}

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
    parent: Vec<u32>,
    /// Steps that are copies.
    pub(super) cut: FxHashSet<Step>,
    /// Steps that share storage, with the value that takes over.
    taken: Vec<(Step, ValueId)>,
    /// Values that are views of other values.
    views: FxHashMap<ValueId, ValueId>,
    /// Explicit storage of a class, by representative.
    roots: FxHashMap<u32, ValueId>,
    /// First definition of a class, by representative.
    anchors: FxHashMap<u32, Anchor>,
    /// Position of every op in the walk, and the last position below it.
    span: FxHashMap<OpId, (u32, u32)>,
    /// Tile values in order of definition.
    pub(super) values: Vec<ValueId>,
}

/// The op that a class is first defined by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Anchor {
    depth: u32,
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

    fn find_mut(&mut self, value: ValueId) -> u32 {
        let root = self.class(value);
        let mut x = value.index();
        while self.parent[x] != root {
            let next = self.parent[x] as usize;
            self.parent[x] = root;
            x = next;
        }
        root
    }

    fn union(&mut self, a: ValueId, b: ValueId) {
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

    fn build(ir: &Ir, scope: Scope, cut: FxHashSet<Step>) -> (Storage, Joins) {
        let mut s = Storage {
            parent: (0..ir.value_count() as u32).collect(),
            cut,
            taken: Vec::new(),
            views: FxHashMap::default(),
            roots: FxHashMap::default(),
            anchors: FxHashMap::default(),
            span: FxHashMap::default(),
            values: Vec::new(),
        };
        if scope.func.is_some() {
            for &arg in &ir.block(scope.block).args {
                if let (true, Some(op)) = (is_value_tile(ir, arg), scope.func) {
                    s.roots.insert(arg.index() as u32, arg);
                    s.anchors.insert(arg.index() as u32, Anchor { depth: 0, order: 0, rank: 0, op });
                    s.values.push(arg);
                }
            }
        }
        let mut order = 1;
        s.number(ir, scope.block, 0, &mut order);
        walk_scope(ir, scope, &mut |op| s.take_over(ir, op));
        let mut joins = Joins { web: s.parent.clone(), steps: FxHashMap::default() };
        s.leave_regions(ir, scope.block, &mut joins);
        (s, joins)
    }

    fn number(&mut self, ir: &Ir, block: BlockId, depth: u32, order: &mut u32) {
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            let start = *order;
            *order += 1;
            let define = |s: &mut Storage, value: ValueId, rank: usize| {
                if is_value_tile(ir, value) {
                    let anchor = Anchor { depth, order: start, rank: rank as u32, op };
                    s.anchors.insert(value.index() as u32, anchor);
                    s.values.push(value);
                }
            };
            if !ir.has_trait(op, ptoc_ir::Traits::ISOLATED) {
                let follows = matches!(shape(ir, op), Shape::For | Shape::While);
                for n in 0..ir.op(op).regions.len() {
                    let Some(body) = ir.body(op, n) else { continue };
                    if follows {
                        let args: SmallVec<[ValueId; 4]> = ir.block(body).args.iter().copied().collect();
                        args.iter().enumerate().for_each(|(i, &a)| define(self, a, i));
                    }
                    self.number(ir, body, depth + 1, order);
                }
            }
            ir.op(op).results.iter().enumerate().for_each(|(i, &r)| define(self, r, i));
            self.span.insert(op, (start, *order));
        }
    }

    fn is_inside(&self, class: u32, op: OpId) -> bool {
        match (self.anchors.get(&class), self.span.get(&op)) {
            (Some(a), Some(&(start, end))) => start < a.order && a.order < end,
            _ => false,
        }
    }

    /// Steps that are always taken: `into`, and into loops.
    fn take_over(&mut self, ir: &Ir, op: OpId) {
        let data = ir.op(op);
        match def(data.kind) {
            Some(d) if d.has_value_form() && data.form != Form::Custom => {
                for (k, (segment, _)) in d.dests().enumerate() {
                    let Some((segment, old)) = old_tile(ir, op, d, segment) else { continue };
                    let Some(&result) = data.results.get(k) else { continue };
                    let step = Step::Into(op, segment);
                    if is_value_tile(ir, result) && is_value_tile(ir, old) && !self.cut.contains(&step) {
                        self.taken.push((step, result));
                        self.union(result, old);
                    }
                }
                return;
            }
            Some(_) => {
                let base = data.operands.iter().copied().find(|&v| is_value_tile(ir, v));
                for &r in data.results.iter().filter(|&&r| is_value_tile(ir, r)) {
                    match base {
                        Some(base) => drop(self.views.insert(r, base)),
                        None => drop(self.roots.insert(r.index() as u32, r)),
                    }
                }
                return;
            }
            None => {}
        }
        match shape_of(ir, op) {
            Some(Shape::For) => self.enter_loop(ir, op, 3, 1),
            Some(Shape::While) => self.enter_loop(ir, op, 0, 0),
            Some(_) => {}
            None => {
                for &r in data.results.iter().filter(|&&r| is_value_tile(ir, r)) {
                    self.roots.insert(r.index() as u32, r);
                }
            }
        }
    }

    /// Initial values become the arguments of the first region (`first_arg` on); of `scf.for` also the results.
    fn enter_loop(&mut self, ir: &Ir, op: OpId, first_operand: usize, first_arg: usize) {
        let Some(body) = ir.body(op, 0) else { return };
        let mut taken: SmallVec<[u32; 4]> = SmallVec::new();
        let inits = ir.op(op).operands.iter().copied().enumerate().skip(first_operand);
        for (n, (i, init)) in inits.enumerate() {
            let Some(&arg) = ir.block(body).args.get(first_arg + n) else { continue };
            if !is_value_tile(ir, init) || !is_value_tile(ir, arg) {
                continue;
            }
            if first_arg == 1
                && let Some(&result) = ir.op(op).results.get(n)
            {
                self.union(result, arg);
            }
            let class = self.find_mut(init);
            let step = Step::Init(op, i as u32);
            // One storage can carry one value through a loop.
            if self.is_view(init) || taken.contains(&class) {
                self.cut.insert(step);
            }
            if !self.cut.contains(&step) {
                taken.push(class);
                self.taken.push((step, arg));
                self.union(arg, init);
            }
        }
    }

    /// Steps out of regions, inner ones first.
    fn leave_regions(&mut self, ir: &Ir, block: BlockId, joins: &mut Joins) {
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            if ir.op(op).regions.is_empty() || ir.has_trait(op, ptoc_ir::Traits::ISOLATED) {
                continue;
            }
            for n in 0..ir.op(op).regions.len() {
                if let Some(body) = ir.body(op, n) {
                    self.leave_regions(ir, body, joins);
                }
            }
            match shape(ir, op) {
                Shape::Branches | Shape::Block => {
                    let ends: SmallVec<[OpId; 2]> =
                        ir.op(op).regions.iter().enumerate().filter_map(|(n, _)| end(ir, op, n)).collect();
                    self.join_results(ir, op, &ends, 0, joins);
                }
                Shape::For => {
                    if let Some(end) = end(ir, op, 0) {
                        self.join_arguments(ir, op, end, 1, joins);
                    }
                }
                Shape::While => {
                    if let Some(&after) = ir.body(op, 1).as_ref() {
                        for (&arg, &result) in ir.block(after).args.iter().zip(&ir.op(op).results) {
                            if is_value_tile(ir, arg) && is_value_tile(ir, result) {
                                self.union(result, arg);
                            }
                        }
                    }
                    if let Some(condition) = end(ir, op, 0) {
                        self.join_results(ir, op, &[condition], 1, joins);
                    }
                    if let Some(end) = end(ir, op, 1) {
                        self.join_arguments(ir, op, end, 0, joins);
                    }
                }
                Shape::Section | Shape::Unknown => {}
            }
        }
    }

    /// Values that a loop body hands to its next iteration: new ones made in the body go to the storage of the argument.
    fn join_arguments(&mut self, ir: &Ir, op: OpId, end: OpId, first_arg: usize, joins: &mut Joins) {
        let Some(body) = ir.body(op, 0) else { return };
        let args: SmallVec<[ValueId; 4]> = ir.block(body).args.iter().copied().skip(first_arg).collect();
        let carried: SmallVec<[u32; 4]> =
            args.iter().filter(|&&a| is_value_tile(ir, a)).map(|&a| self.class(a)).collect();
        for (i, &out) in ir.op(end).operands.iter().enumerate() {
            let Some(&arg) = args.get(i) else { continue };
            if !is_value_tile(ir, out) || !is_value_tile(ir, arg) {
                continue;
            }
            let step = Step::Out(end, i as u32);
            let (from, to) = (self.class(out), self.class(arg));
            if from == to && !self.is_view(out) {
                self.cut.remove(&step);
                continue;
            }
            let free = !self.is_view(out) && self.root(from).is_none() && self.is_inside(from, op);
            if !free || carried.contains(&from) {
                self.cut.insert(step);
            }
            if !self.cut.contains(&step) {
                joins.note(from, step);
                self.taken.push((step, arg));
                self.union(out, arg);
            }
        }
    }

    /// Values that regions hand out as results. `skip` operands of the terminators are no results.
    fn join_results(&mut self, ir: &Ir, op: OpId, ends: &[OpId], skip: usize, joins: &mut Joins) {
        let mut used: SmallVec<[u32; 4]> = SmallVec::new();
        for (k, &result) in ir.op(op).results.iter().enumerate() {
            if !is_value_tile(ir, result) {
                continue;
            }
            let outs: SmallVec<[(Step, ValueId); 2]> = ends
                .iter()
                .filter_map(|&e| {
                    let i = k + skip;
                    Some((Step::Out(e, i as u32), *ir.op(e).operands.get(i)?))
                })
                .collect();
            // Storage from outside goes on if all branches that hand such on agree.
            let mut outer: SmallVec<[u32; 2]> = outs
                .iter()
                .filter(|(step, v)| !self.is_view(*v) && !self.cut.contains(step))
                .map(|&(_, v)| self.class(v))
                .filter(|&c| !self.is_inside(c, op) && !used.contains(&c))
                .collect();
            outer.dedup();
            let agreed = if outer.iter().all(|&c| c == outer[0]) { outer.first().copied() } else { None };
            for &(step, v) in &outs {
                let class = self.class(v);
                let same = class == self.class(result);
                let fits = if self.is_inside(class, op) { self.root(class).is_none() } else { agreed == Some(class) };
                if !same && (self.is_view(v) || !fits || used.contains(&class)) {
                    self.cut.insert(step);
                }
                if !same && !self.cut.contains(&step) {
                    joins.note(class, step);
                    self.taken.push((step, result));
                    self.union(result, v);
                }
            }
            used.push(self.class(result));
        }
    }
}

/// The tile whose storage a destination takes over, with its operand segment: the one behind `into`, or the accumulator that a
/// product is added to.
pub(super) fn old_tile(ir: &Ir, op: OpId, d: &OpDef, dest: usize) -> Option<(u32, ValueId)> {
    if let Some(old) = ir.operand(op, dest) {
        return Some((dest as u32, old));
    }
    let accumulator = d.operands.iter().position(|o| matches!(o.name, "acc_in" | "c_in"))?;
    Some((accumulator as u32, ir.operand(op, accumulator)?))
}

/// The terminator of the n-th region.
pub(super) fn end(ir: &Ir, op: OpId, n: usize) -> Option<OpId> {
    ir.body(op, n).and_then(|b| ir.last_op(b))
}

pub(super) fn shape_of(ir: &Ir, op: OpId) -> Option<Shape> {
    (!ir.op(op).regions.is_empty()).then(|| shape(ir, op))
}

/// How webs (values linked by `into` and loop entries) were joined at region ends.
#[derive(Debug)]
pub(super) struct Joins {
    /// Union-find forest before the joins.
    web: Vec<u32>,
    /// The steps that joined a web to others, by web.
    steps: FxHashMap<u32, SmallVec<[Step; 2]>>,
}

impl Joins {
    pub(super) fn web(&self, value: ValueId) -> u32 {
        let mut x = value.index() as u32;
        while self.web[x as usize] != x {
            x = self.web[x as usize];
        }
        x
    }

    /// The steps that joined the web of a value to others.
    pub(super) fn steps(&self, web: u32) -> SmallVec<[Step; 2]> {
        self.steps.get(&web).cloned().unwrap_or_default()
    }

    fn note(&mut self, class: u32, step: Step) {
        self.steps.entry(self.web(ValueId::from_index(class as usize))).or_default().push(step);
    }
}

/// The value whose storage the i-th operand of a loop goes to.
pub(super) fn init_target(ir: &Ir, op: OpId, i: usize) -> Option<ValueId> {
    let args = &ir.block(ir.body(op, 0)?).args;
    match shape(ir, op) {
        Shape::For => args.get(i.checked_sub(2)?).copied(),
        Shape::While => args.get(i).copied(),
        _ => None,
    }
}

/// The value whose storage the i-th operand of a terminator goes to.
pub(super) fn out_target(ir: &Ir, end: OpId, i: usize) -> Option<ValueId> {
    if !ir.has_trait(end, ptoc_ir::Traits::TERMINATOR) {
        return None;
    }
    let op = ir.parent_op(end)?;
    let block = ir.parent_block(end)?;
    match shape(ir, op) {
        Shape::For => ir.block(block).args.get(i + 1).copied(),
        Shape::While if ir.body(op, 0) == Some(block) => ir.op(op).results.get(i.checked_sub(1)?).copied(),
        Shape::While => ir.block(ir.body(op, 0)?).args.get(i).copied(),
        Shape::Branches | Shape::Block => ir.op(op).results.get(i).copied(),
        Shape::Section | Shape::Unknown => None,
    }
}
