//! Checks that every tile that is read still has its storage.
//!
//! Each class of values is one cell, or, where it is an allocation with an address, the cells of its bytes, so that classes whose
//! addresses overlap take each other's storage too. Buffers with addresses are followed as far as they share bytes with values.
//! A function keeps its tiles at one place, so what a call returned is there until the next call only: one more cell holds the
//! last call.

use super::cells::{Map, is_alloc};
use super::classes::Joins;
use super::extents::Range;
use super::flow::{Flow, GARBAGE, MAYBE, MIXED, NOBODY, Owner, Owners, run};
use super::params::Params;
use super::steps::{Step, Steps, init_target, old_tile, out_target, shape_of};
use super::storage::{Conflict, Storage};
use super::valid::is_value_tile;
use crate::structure::{Scope, Shape, shape};
use ptoc_dialect::types::tile_of;
use ptoc_dialect::{Family, Kind, OpDef, def};
use ptoc_ir::{Form, Ir, OpId, ValueDef, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Reads of values whose storage is no longer theirs, with the steps to cut.
pub(super) fn conflicts(
    ir: &Ir,
    scope: Scope,
    storage: &Storage,
    params: &Params,
    joins: &Joins,
) -> Vec<(Conflict, Steps)> {
    let map = Map::new(ir, scope, storage);
    let mut flow = Holders {
        s: storage,
        params,
        joins,
        map,
        lost_by: FxHashMap::default(),
        dead: FxHashMap::default(),
        found: Vec::new(),
    };
    // Which values are dead may show only behind their readers, so it goes on until no further one shows.
    loop {
        let known = flow.dead.len();
        let mut owners = Owners::new(flow.map.count as usize);
        flow.found.clear();
        if scope.func.is_some() {
            for &arg in &ir.block(scope.block).args {
                flow.put(ir, arg, &mut owners);
            }
        }
        run(ir, scope.block, &mut flow, &mut owners);
        if flow.dead.len() == known {
            return flow.found;
        }
    }
}

/// Follows which value holds each storage.
struct Holders<'a> {
    s: &'a Storage,
    params: &'a Params,
    joins: &'a Joins,
    map: Map,
    /// The last step that destroyed the content of each cell.
    lost_by: FxHashMap<u32, Step>,
    /// Values that took over storage that did not hold what was handed on, with the steps to cut if they are read.
    dead: FxHashMap<ValueId, Steps>,
    found: Vec<(Conflict, Steps)>,
}

/// What the storage of a value holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// The value.
    Kept,
    /// The value, or nothing in particular.
    Lost,
    /// Another value.
    Taken,
}

impl Holders<'_> {
    fn range(&self, value: ValueId) -> Option<Range> {
        self.map.classes.get(&self.s.class(value)).copied()
    }

    /// A value takes over storage by name; one that is dead leaves it as it is.
    fn rename(&mut self, ir: &Ir, value: ValueId, owners: &mut Owners) {
        if !self.dead.contains_key(&value) {
            self.put(ir, value, owners);
        }
    }

    /// A value is written to its storage.
    fn put(&mut self, ir: &Ir, value: ValueId, owners: &mut Owners) {
        if !is_value_tile(ir, value) || self.s.is_view(value) {
            return;
        }
        let Some((lo, hi)) = self.range(value) else { return };
        // An allocation with an address changes nothing that lies there.
        if lo < self.map.bytes && ir.defining_op(value).is_some_and(|op| is_alloc(ir, op)) {
            return;
        }
        (lo..hi).for_each(|c| owners.set(c, value.index() as u32));
    }

    /// The content is lost to `step`.
    fn lose(&mut self, value: ValueId, step: Step, owners: &mut Owners) {
        if let Some((lo, hi)) = self.range(self.s.base(value)) {
            for c in lo..hi {
                owners.set(c, GARBAGE);
                self.lost_by.insert(c, step);
            }
        }
    }

    /// What the storage of a value holds now. What a fresh allocation holds means nothing, so anything will do.
    fn held(&self, ir: &Ir, value: ValueId, owners: &Owners) -> Held {
        let base = self.s.base(value);
        if !is_value_tile(ir, base) || ir.defining_op(base).is_some_and(|op| is_alloc(ir, op)) {
            return Held::Kept;
        }
        if self.dead.contains_key(&base) {
            return Held::Lost;
        }
        let (lo, hi) = self.range(base).unwrap_or_default();
        let me = base.index() as u32;
        let mut held = Held::Kept;
        for c in lo..hi {
            match owners.get(c) {
                o if o == me => {}
                o if o == GARBAGE || o == me | MAYBE => held = Held::Lost,
                _ => return Held::Taken,
            }
        }
        if self.call_of(ir, base).is_some_and(|call| owners.get(self.map.calls) != call) { Held::Lost } else { held }
    }

    /// For a value in storage that a call returned, the call: the first result stands for it.
    fn call_of(&self, ir: &Ir, base: ValueId) -> Option<Owner> {
        let call = ir.defining_op(self.s.returned(ir, base)?)?;
        ir.op(call).results.first().map(|r| r.index() as Owner)
    }

    /// True when `into` a tile keeps nothing of it: its content was lost, or a tile at an overlapping address took the bytes.
    fn is_free(&self, ir: &Ir, value: ValueId, owners: &Owners) -> bool {
        if self.held(ir, value, owners) != Held::Taken {
            return true;
        }
        let (base, (lo, hi)) = (self.s.base(value), self.range(self.s.base(value)).unwrap_or_default());
        let me = base.index() as u32;
        (lo..hi).all(|c| match owners.get(c) {
            o if o == GARBAGE || o | MAYBE == me | MAYBE => true,
            _ => owners.witness(c).is_some_and(|w| self.s.class(ValueId::from_index(w as usize)) != self.s.class(base)),
        })
    }

    /// A read of the content.
    fn read(&mut self, ir: &Ir, reader: OpId, value: ValueId, owners: &Owners) {
        if self.held(ir, value, owners) != Held::Kept {
            let (owner, steps) = self.blame(ir, value, owners);
            self.found.push((Conflict { reader, value, owner }, steps));
        }
    }

    /// Who has the storage of a value, and the steps that gave it away.
    fn blame(&self, ir: &Ir, value: ValueId, owners: &Owners) -> (Option<ValueId>, Steps) {
        let base = self.s.base(value);
        if let Some(steps) = self.dead.get(&base) {
            return (None, steps.clone());
        }
        let (lo, hi) = self.range(base).unwrap_or_default();
        let me = base.index() as u32;
        for c in lo..hi {
            match owners.get(c) {
                o if o == me => {}
                o if o == GARBAGE || o == me | MAYBE => {
                    return (None, self.lost_by.get(&c).copied().into_iter().collect());
                }
                _ => {
                    let owner = owners.witness(c).map(|w| ValueId::from_index(w as usize));
                    return (owner, owner.map_or(Steps::new(), |w| self.steps_to(ir, w, base)));
                }
            }
        }
        (None, Steps::new())
    }

    /// The storage of a value goes to `target` as it is. If that is not the value, nobody may read `target`.
    fn hand_on(&mut self, ir: &Ir, value: ValueId, target: ValueId, owners: &Owners) {
        if self.held(ir, value, owners) != Held::Kept && !self.dead.contains_key(&target) {
            let (_, steps) = self.blame(ir, value, owners);
            self.dead.insert(target, steps);
        }
    }

    /// The steps by which `taker` got the storage of `value`.
    fn steps_to(&self, ir: &Ir, taker: ValueId, value: ValueId) -> Steps {
        let (a, b) = (self.joins.web(taker), self.joins.web(value));
        if a != b {
            let steps = self.joins.steps(a);
            return if steps.is_empty() { self.joins.steps(b) } else { steps };
        }
        match ir.value(taker).def {
            ValueDef::Arg(block, n) => match ir.block_op(block).map(|op| (op, shape(ir, op))) {
                Some((op, Shape::For)) => [Step::Init(op, n + 2)].into_iter().collect(),
                Some((op, Shape::While)) => [Step::Init(op, n)].into_iter().collect(),
                _ => Steps::new(),
            },
            ValueDef::Result(op, n) => {
                if shape_of(ir, op) == Some(Shape::For) {
                    return [Step::Init(op, n + 3)].into_iter().collect();
                }
                let old = def(ir.op(op).kind).and_then(|d| old_tile(ir, op, d, d.dests().nth(n as usize)?.0));
                old.map(|(segment, _)| Step::Into(op, segment)).into_iter().collect()
            }
        }
    }

    fn instruction(&mut self, ir: &Ir, op: OpId, d: &'static OpDef, owners: &mut Owners, report: bool) {
        let data = ir.op(op);
        let value_form = data.form != Form::Custom;
        // Copies of old tiles come first.
        for (k, (segment, _)) in d.dests().enumerate().filter(|_| value_form) {
            if let (Some(&result), Some(old)) = (data.results.get(k), ir.operand(op, segment))
                && self.s.cut.contains(&Step::Into(op, segment as u32))
            {
                if report {
                    self.read(ir, op, old, owners);
                }
                self.put(ir, result, owners);
            }
        }
        if report {
            for (n, operand) in d.operands.iter().enumerate() {
                let copied = self.s.cut.contains(&Step::Into(op, n as u32));
                if operand.scratch || copied || !matches!(operand.kind, Kind::Tile | Kind::Any) {
                    continue;
                }
                // Of an old tile that is not read only what is not written stays.
                let keeps = operand.is_dest() && !operand.access().reads;
                for i in 0..ir.segment_values(op, n).len() {
                    let v = ir.segment_values(op, n)[i];
                    if operand.access().reads {
                        self.read_buffer(ir, op, v, owners);
                    }
                    if !(keeps && self.is_free(ir, v, owners)) {
                        self.read(ir, op, v, owners);
                    }
                }
            }
            if value_form {
                self.check_new_storage(ir, op, d);
            }
        }
        for (n, operand) in d.operands.iter().enumerate() {
            let step = Step::Scratch(op, n as u32);
            let access = operand.access();
            if !access.writes || self.s.cut.contains(&step) {
                continue;
            }
            for i in 0..ir.segment_values(op, n).len() {
                let v = ir.segment_values(op, n)[i];
                if operand.scratch && is_value_tile(ir, v) {
                    self.lose(v, step, owners);
                } else if let Some((root, (lo, hi))) = self.map.buffer(ir, v) {
                    let owner = if operand.scratch { GARBAGE } else { root.index() as u32 };
                    (lo..hi).for_each(|c| owners.set(c, owner));
                }
            }
        }
        for i in 0..data.results.len() {
            self.put(ir, ir.op(op).results[i], owners);
        }
    }

    /// A read of memory must not see what only a value put there: as a value it never did.
    fn read_buffer(&mut self, ir: &Ir, reader: OpId, value: ValueId, owners: &Owners) {
        let Some((_, (lo, hi))) = self.map.buffer(ir, value).filter(|_| !is_value_tile(ir, value)) else { return };
        for c in lo..hi {
            if !self.map.shared.get(c as usize).is_some_and(|s| *s) {
                continue;
            }
            let owner = match owners.get(c) {
                NOBODY => continue,
                GARBAGE | MIXED => owners.witness(c).map(|w| ValueId::from_index(w as usize)),
                o => Some(ValueId::from_index((o & !MAYBE) as usize)).filter(|&v| is_value_tile(ir, v)),
            };
            if owner.is_some() || matches!(owners.get(c), GARBAGE | MIXED) {
                self.found.push((Conflict { reader, value, owner }, Steps::new()));
                return;
            }
        }
    }

    /// A new result that got existing storage must not get that of a source, unless the instruction works in place; and two
    /// results need two storages.
    fn check_new_storage(&mut self, ir: &Ir, op: OpId, d: &'static OpDef) {
        let in_place = matches!(d.family, Family::Elementwise | Family::TileScalar);
        let results = &ir.op(op).results;
        for (k, (segment, _)) in d.dests().enumerate() {
            let Some(&result) = results.get(k) else { continue };
            let (class, web) = (self.s.class(result), self.joins.web(result));
            let mut clash = None;
            for (n, operand) in d.operands.iter().enumerate() {
                if n == segment || in_place && !operand.scratch && !operand.is_dest() {
                    continue;
                }
                clash = clash.or(ir.segment_values(op, n).iter().copied().find(|&v| {
                    is_value_tile(ir, v)
                        && self.s.class(self.s.base(v)) == class
                        && self.joins.web(self.s.base(v)) != web
                }));
            }
            clash = clash.or(results[..k].iter().copied().find(|&r| self.s.class(r) == class));
            if let Some(value) = clash {
                let mut steps = self.steps_to(ir, result, self.s.base(value));
                if steps.is_empty() {
                    steps = self.joins.steps(self.joins.web(value));
                }
                self.found.push((Conflict { reader: op, value, owner: Some(result) }, steps));
            }
        }
    }
}

impl Flow for Holders<'_> {
    fn op(&mut self, ir: &Ir, op: OpId, owners: &mut Owners, report: bool) {
        let data = ir.op(op);
        if let Some(d) = def(data.kind) {
            if d.has_value_form() {
                self.instruction(ir, op, d, owners, report);
                return;
            }
            let names_only = data.results.iter().any(|&r| tile_of(&ir.ctx, ir.value_type(r)).is_some());
            let sizes_only = matches!(d.name, "pto.get_validshape" | "pto.tile_valid_rows" | "pto.tile_valid_cols");
            if report && !names_only && !sizes_only {
                for i in 0..data.operands.len() {
                    let v = ir.op(op).operands[i];
                    self.read(ir, op, v, owners);
                    self.read_buffer(ir, op, v, owners);
                }
            }
            if names_only {
                for i in 0..ir.op(op).results.len() {
                    self.put(ir, ir.op(op).results[i], owners);
                }
            }
            return;
        }
        // What is copied is read first, then copies go to their places, and what is handed on must still be in its own.
        let mut copied: SmallVec<[ValueId; 4]> = SmallVec::new();
        let mut handed: SmallVec<[(ValueId, ValueId); 4]> = SmallVec::new();
        for i in 0..data.operands.len() {
            let v = ir.op(op).operands[i];
            let (init, out) = (Step::Init(op, i as u32), Step::Out(op, i as u32));
            match init_target(ir, op, i).map(|t| (init, t)).or_else(|| Some((out, out_target(ir, op, i)?))) {
                Some((step, target)) if is_value_tile(ir, v) && !self.s.cut.contains(&step) => handed.push((v, target)),
                target => {
                    if report {
                        self.read(ir, op, v, owners);
                    }
                    copied.extend(target.filter(|_| is_value_tile(ir, v)).map(|(_, t)| t));
                }
            }
        }
        copied.into_iter().for_each(|target| self.put(ir, target, owners));
        handed.into_iter().for_each(|(v, target)| self.hand_on(ir, v, target, owners));
        if !ir.op(op).regions.is_empty() {
            return;
        }
        if matches!(ir.op_name(op), "func.call" | "func.call_indirect") {
            for i in 0..ir.op(op).operands.len() {
                let (v, step) = (ir.op(op).operands[i], Step::Call(op, i as u32));
                if is_value_tile(ir, v) && self.params.may_write(ir, op, i) && !self.s.cut.contains(&step) {
                    self.lose(v, step, owners);
                }
            }
            owners.set(self.map.calls, ir.op(op).results.first().map_or(GARBAGE, |r| r.index() as Owner));
        }
        for i in 0..ir.op(op).results.len() {
            self.put(ir, ir.op(op).results[i], owners);
        }
    }

    fn enter(&mut self, ir: &Ir, op: OpId, region: usize, owners: &mut Owners) {
        if let Some(body) = ir.body(op, region) {
            for i in 0..ir.block(body).args.len() {
                self.rename(ir, ir.block(body).args[i], owners);
            }
        }
    }

    fn leave(&mut self, ir: &Ir, op: OpId, owners: &mut Owners) {
        if let (Shape::For, Some(body)) = (shape(ir, op), ir.body(op, 0)) {
            for (arg, &result) in ir.block(body).args.iter().skip(1).zip(&ir.op(op).results) {
                if let Some(steps) = self.dead.get(arg).cloned() {
                    self.dead.entry(result).or_insert(steps);
                }
            }
        }
        for i in 0..ir.op(op).results.len() {
            self.rename(ir, ir.op(op).results[i], owners);
        }
    }
}
