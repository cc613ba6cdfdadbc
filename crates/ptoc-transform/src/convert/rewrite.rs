//! The change itself: buffers are made, instructions write them, copies go where steps are cut, and what loops and branches
//! carried goes.

use super::EMPTY_ELSE;
use super::moves::{Move, in_order};
use super::place::emit_alloc;
use super::plan::Make;
use super::steps::{Step, end, init_target, out_target};
use super::storage::Storage;
use super::to_ssa::is_bare;
use super::valid::{Dim, foreign_dims, is_value_tile, set_form, type_in_form};
use crate::structure::{Shape, shape};
use ptoc_dialect::types::{TileForm, with_form};
use ptoc_dialect::{def, kind};
use ptoc_ir::{Builder, Form, Ir, OpId, OpKind, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::LazyLock;

static MOVE: LazyLock<OpKind> = LazyLock::new(|| kind("pto.tmov"));

/// Changes a scope into DPS form, as its plan says.
pub(super) struct Rewriter<'a> {
    pub(super) ir: &'a mut Ir,
    storage: &'a Storage,
    /// New buffer of each class.
    buffer: FxHashMap<u32, ValueId>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(ir: &'a mut Ir, storage: &'a Storage) -> Self {
        Rewriter { ir, storage, buffer: FxHashMap::default() }
    }

    /// The buffer that a tile value lives in; other values as they are.
    fn place(&self, value: ValueId) -> ValueId {
        if !is_value_tile(self.ir, value) || self.storage.is_view(value) {
            return value;
        }
        let class = self.storage.class(value);
        self.storage.root(class).or_else(|| self.buffer.get(&class).copied()).unwrap_or(value)
    }

    /// Makes the buffers.
    pub(super) fn make_buffers(&mut self, makes: &[Make]) {
        for m in makes {
            let ty = with_form(&mut self.ir.ctx, m.ty, TileForm::Buffer);
            let dims = m.dims.map(|d| match d {
                Dim::RowsOf(v) => Dim::RowsOf(self.place(v)),
                Dim::ColsOf(v) => Dim::ColsOf(self.place(v)),
                d => d,
            });
            let value = emit_alloc(&mut Builder::before(self.ir, m.anchor.op), ty, dims);
            self.ir.set_name_sym(value, m.name);
            self.buffer.insert(m.class, value);
        }
    }

    /// Gives a temporary storage of its own.
    pub(super) fn fresh_scratch(&mut self, op: OpId, segment: u32) {
        let Some(old) = self.ir.operand(op, segment as usize) else { return };
        let place = self.place(old);
        let fresh = self.like(op, old, place);
        self.ir.set_segment(op, segment as usize, &[fresh]);
    }

    /// A new buffer in front of an op, like the one that a value lives in.
    fn like(&mut self, op: OpId, value: ValueId, place: ValueId) -> ValueId {
        let ty = type_in_form(self.ir, value, TileForm::Buffer);
        let dims = foreign_dims(self.ir, value).unwrap_or([Dim::Static; 2]).map(|d| match d {
            Dim::RowsOf(_) => Dim::RowsOf(place),
            Dim::ColsOf(_) => Dim::ColsOf(place),
            d => d,
        });
        emit_alloc(&mut Builder::before(self.ir, op), ty, dims)
    }

    /// Copies in front of an op for the steps that were cut.
    pub(super) fn copies(&mut self, op: OpId) {
        let operands: SmallVec<[ValueId; 4]> = self.ir.op(op).operands.iter().copied().collect();
        let mut moves: Vec<(ValueId, ValueId)> = Vec::new();
        for (i, &v) in operands.iter().enumerate() {
            if self.storage.cut.contains(&Step::Call(op, i as u32)) {
                let place = self.place(v);
                let fresh = self.like(op, v, place);
                emit_move(&mut Builder::before(self.ir, op), place, fresh);
                self.ir.op_mut(op).operands[i] = fresh;
            }
            let target = if self.storage.cut.contains(&Step::Out(op, i as u32)) {
                out_target(self.ir, op, i)
            } else if self.storage.cut.contains(&Step::Init(op, i as u32)) {
                init_target(self.ir, op, i)
            } else {
                None
            };
            moves.extend(target.map(|t| (self.place(v), self.place(t))));
        }
        if let Some(d) = def(self.ir.op(op).kind).filter(|_| self.ir.op(op).form != Form::Custom) {
            for (k, (segment, _)) in d.dests().enumerate() {
                if let (Some(&result), Some(old)) = (self.ir.op(op).results.get(k), self.ir.operand(op, segment))
                    && self.storage.cut.contains(&Step::Into(op, segment as u32))
                {
                    moves.push((self.place(old), self.place(result)));
                }
            }
        }
        moves.retain(|(from, to)| from != to);
        self.move_all(op, &moves);
    }

    /// Moves in front of an op, as if all happened at once.
    fn move_all(&mut self, op: OpId, moves: &[(ValueId, ValueId)]) {
        let mut spares: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        for m in in_order(moves) {
            let (from, to) = match m {
                Move::Direct(from, to) => (from, to),
                Move::Save(from) => {
                    let spare = self.like(op, from, from);
                    spares.insert(from, spare);
                    (from, spare)
                }
                Move::Saved(from, to) => (spares.get(&from).copied().unwrap_or(from), to),
            };
            emit_move(&mut Builder::before(self.ir, op), from, to);
        }
    }

    /// An instruction writes the buffers of its results; operands become the buffers that hold them.
    pub(super) fn op(&mut self, op: OpId) {
        for i in 0..self.ir.op(op).operands.len() {
            let place = self.place(self.ir.op(op).operands[i]);
            self.ir.op_mut(op).operands[i] = place;
        }
        if self.ir.op(op).form != Form::Custom
            && let Some(d) = def(self.ir.op(op).kind)
        {
            let results: SmallVec<[ValueId; 2]> = self.ir.op(op).results.iter().copied().collect();
            for ((segment, _), result) in d.dests().zip(results) {
                let place = self.place(result);
                self.ir.set_segment(op, segment, &[place]);
            }
            self.ir.truncate_results(op, 0);
            self.ir.op_mut(op).form = Form::Custom;
        }
    }

    /// Takes tiles out of what loops and branches carry, and gives the remaining tile results the buffer form.
    pub(super) fn drop_carried(&mut self, op: OpId) {
        let tile = |ir: &Ir, v: ValueId| is_value_tile(ir, v);
        let results: SmallVec<[bool; 4]> = self.ir.op(op).results.iter().map(|&r| !tile(self.ir, r)).collect();
        let args = |ir: &Ir, n: usize| -> SmallVec<[bool; 4]> {
            ir.body(op, n).map(|b| ir.block(b).args.iter().map(|&a| !tile(ir, a)).collect()).unwrap_or_default()
        };
        if !self.ir.op(op).regions.is_empty() {
            match shape(self.ir, op) {
                Shape::For => {
                    let keep = args(self.ir, 0);
                    let carried = keep.get(1..).unwrap_or_default();
                    retain_operands(self.ir, op, 3, carried);
                    self.retain_outs(op, 0, 0, carried);
                    self.retain_args(op, 0, &keep);
                    self.ir.retain_results(op, &results);
                }
                Shape::While => {
                    let keep = args(self.ir, 0);
                    retain_operands(self.ir, op, 0, &keep);
                    self.retain_outs(op, 1, 0, &keep);
                    self.retain_args(op, 0, &keep);
                    self.retain_outs(op, 0, 1, &results);
                    self.retain_args(op, 1, &results);
                    self.ir.retain_results(op, &results);
                }
                Shape::Branches | Shape::Block => {
                    for n in 0..self.ir.op(op).regions.len() {
                        self.retain_outs(op, n, 0, &results);
                    }
                    self.ir.retain_results(op, &results);
                    self.drop_else(op, results.contains(&false));
                }
                Shape::Section | Shape::Unknown => {}
            }
        }
        for i in 0..self.ir.op(op).results.len() {
            let r = self.ir.op(op).results[i];
            set_form(self.ir, r, TileForm::Buffer);
        }
    }

    /// An `else` that only handed tiles on goes, unless it stood there before.
    fn drop_else(&mut self, op: OpId, had_tiles: bool) {
        if self.ir.remove_attr(op, EMPTY_ELSE).is_some() || !had_tiles || self.ir.op_name(op) != "scf.if" {
            return;
        }
        if self.ir.op(op).regions.len() == 2 && self.ir.op(op).results.is_empty() && is_bare(self.ir, op, 1) {
            self.ir.op_mut(op).regions.truncate(1);
        }
    }

    fn retain_outs(&mut self, op: OpId, region: usize, skip: usize, keep: &[bool]) {
        if let Some(end) = end(self.ir, op, region) {
            retain_operands(self.ir, end, skip, keep);
        }
    }

    fn retain_args(&mut self, op: OpId, region: usize, keep: &[bool]) {
        if let Some(body) = self.ir.body(op, region) {
            self.ir.retain_block_args(body, keep);
        }
    }
}

/// Drops the operands behind the first `skip` whose bit is false, each with its segment.
fn retain_operands(ir: &mut Ir, op: OpId, skip: usize, keep: &[bool]) {
    if !keep.contains(&false) {
        return;
    }
    let data = ir.op_mut(op);
    let stays = |i: usize| i < skip || keep.get(i - skip).copied().unwrap_or(true);
    let mut i = 0;
    data.operands.retain(|_| {
        i += 1;
        stays(i - 1)
    });
    i = 0;
    data.operand_spans.retain(|_| {
        i += 1;
        stays(i - 1)
    });
    data.segments = data.operands.iter().map(|_| 1).collect();
}

fn emit_move(b: &mut Builder<'_>, from: ValueId, to: ValueId) {
    b.op(*MOVE).operand(from).operand(to).segment(&[]).segment(&[]).build();
}
