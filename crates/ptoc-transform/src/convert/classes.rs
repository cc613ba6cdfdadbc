//! How the classes of a scope are formed: who shares storage with whom.
//!
//! Steps through `into` and into loops are taken first, then those out of regions, inner regions first, where no two storages
//! meet.

use super::steps::{Step, Steps, end, old_tile, shape_of};
use super::storage::{Anchor, Storage};
use super::valid::is_value_tile;
use crate::structure::{Scope, Shape, shape, walk_scope};
use ptoc_dialect::def;
use ptoc_ir::{BlockId, Form, Ir, OpId, Traits, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

impl Storage {
    /// Forms the classes; cut steps share nothing.
    pub(super) fn build(ir: &Ir, scope: Scope, cut: FxHashSet<Step>) -> (Storage, Joins) {
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
            if !ir.has_trait(op, Traits::ISOLATED) {
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
            if ir.op(op).regions.is_empty() || ir.has_trait(op, Traits::ISOLATED) {
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

/// How webs (values linked by `into` and loop entries) were joined at region ends.
#[derive(Debug)]
pub(super) struct Joins {
    /// Union-find forest before the joins.
    web: Vec<u32>,
    /// The steps that joined a web to others, by web.
    steps: FxHashMap<u32, Steps>,
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
    pub(super) fn steps(&self, web: u32) -> Steps {
        self.steps.get(&web).cloned().unwrap_or_default()
    }

    fn note(&mut self, class: u32, step: Step) {
        self.steps.entry(self.web(ValueId::from_index(class as usize))).or_default().push(step);
    }
}
