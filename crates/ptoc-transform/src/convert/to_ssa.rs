//! DPS to SSA: every write of a buffer gives a new value.
//!
//! A buffer becomes the chain of its contents. An instruction takes over the storage of the content before it, which the text
//! shows as `into`. A buffer written below `scf.for`, `scf.while`, `scf.if`, `scf.index_switch` or `scf.execute_region` goes
//! through it as a loop value or result, in the order in which the buffers are defined. Allocations that
//! [`to_dps`](super::to_dps) would put at the same place again are dropped ([`fresh`](super::fresh)).

use super::buffers::{BufferId, Buffers, check_destinations};
use super::temporaries;
use super::valid::set_form;
use super::{EMPTY_ELSE, fresh, signature};
use crate::structure::{Shape, first_jump, scopes, shape};
use ptoc_dialect::asm::fits_value_form;
use ptoc_dialect::types::TileForm;
use ptoc_dialect::{def, kind};
use ptoc_ir::{AttrData, BlockId, Form, Ir, OpId, OpKind, PassError, Traits, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::Target;
use std::sync::LazyLock;

static YIELD: LazyLock<OpKind> = LazyLock::new(|| kind("scf.yield"));

/// Converts a program to the SSA form; temporaries that the sync form hides are made.
///
/// Tiles that can't be values stay buffers, with a note that says why.
///
/// # Errors
/// Pushes an error and gives up when an instruction in DPS form writes a value, or a temporary can't be made.
pub fn to_ssa(ir: &mut Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
    let errors = diagnostics.len();
    check_destinations(ir, diagnostics);
    if diagnostics.len() > errors {
        return Err(PassError);
    }
    temporaries::materialise(ir, target, diagnostics)?;
    let buffers = Buffers::find(ir, diagnostics);
    let mut current: Vec<ValueId> = buffers.list.iter().map(|b| b.value).collect();
    let mut renamer = Renamer { ir, buffers, current: std::mem::take(&mut current), log: Vec::new() };
    for scope in scopes(renamer.ir) {
        // Functions with jumps stay as they are.
        if first_jump(renamer.ir, scope).is_none() {
            renamer.block(scope.block);
        }
    }
    let Renamer { ir, mut buffers, .. } = renamer;
    fresh::drop_canonical(ir, &mut buffers);
    signature::update(ir, TileForm::Value);
    Ok(())
}

struct Renamer<'a> {
    ir: &'a mut Ir,
    buffers: Buffers,
    /// The content of each buffer at this point.
    current: Vec<ValueId>,
    /// Contents that were replaced, to go back to them.
    log: Vec<(BufferId, ValueId)>,
}

impl Renamer<'_> {
    fn block(&mut self, block: BlockId) {
        for i in 0..self.ir.block(block).args.len() {
            let arg = self.ir.block(block).args[i];
            self.make_value(arg);
        }
        let mut next = self.ir.first_op(block);
        while let Some(op) = next {
            next = self.ir.next_op(op);
            if self.ir.has_trait(op, Traits::ISOLATED) {
                continue;
            }
            self.op(op);
        }
    }

    /// Gives a buffer's own name the type of a value.
    fn make_value(&mut self, value: ValueId) {
        if self.buffers.promoted(value).is_some() {
            set_form(self.ir, value, TileForm::Value);
        }
    }

    fn put(&mut self, buffer: BufferId, value: ValueId) {
        self.buffers.set_of(value, buffer);
        let old = std::mem::replace(&mut self.current[buffer as usize], value);
        self.log.push((buffer, old));
        let name = self.ir.value(self.buffers.list[buffer as usize].value).name;
        self.ir.set_name_sym(value, name);
    }

    fn go_back(&mut self, mark: usize) {
        while self.log.len() > mark {
            if let Some((b, old)) = self.log.pop() {
                self.current[b as usize] = old;
            }
        }
    }

    fn op(&mut self, op: OpId) {
        for i in 0..self.ir.op(op).operands.len() {
            let v = self.ir.op(op).operands[i];
            if let Some(b) = self.buffers.promoted(v) {
                let now = self.current[b as usize];
                self.ir.op_mut(op).operands[i] = now;
            }
        }
        for i in 0..self.ir.op(op).results.len() {
            let r = self.ir.op(op).results[i];
            self.make_value(r);
        }
        if self.ir.op(op).regions.is_empty() {
            self.instruction(op);
        } else {
            self.regions(op);
        }
    }

    fn instruction(&mut self, op: OpId) {
        let data = self.ir.op(op);
        let Some(d) = def(data.kind).filter(|d| d.has_value_form()) else { return };
        if data.form == Form::Sync {
            // A temporary that the list would not show is better hidden.
            if fits_value_form(self.ir, op, false) {
                self.ir.op_mut(op).form = Form::Ssa;
            }
            return;
        }
        if data.form == Form::Ssa || !data.results.is_empty() || !fits_value_form(self.ir, op, false) {
            return;
        }
        // All destinations become values, or none.
        let olds = |ir: &Ir| d.dests().filter_map(|(n, _)| ir.operand(op, n)).collect::<smallvec::SmallVec<[_; 2]>>();
        let olds = olds(self.ir);
        if olds.iter().any(|&v| self.buffers.promoted(v).is_none()) {
            return;
        }
        self.ir.op_mut(op).form = Form::Ssa;
        for old in olds {
            let ty = self.ir.value_type(old);
            let result = self.ir.add_result(op, ty);
            if let Some(b) = self.buffers.promoted(old) {
                self.put(b, result);
            }
        }
    }

    fn regions(&mut self, op: OpId) {
        let written = self.buffers.written_below(op);
        let count = self.ir.op(op).regions.len();
        match shape(self.ir, op) {
            Shape::Section | Shape::Unknown => {
                for n in 0..count {
                    let mark = self.log.len();
                    self.body(op, n);
                    self.go_back(mark);
                }
            }
            Shape::Branches | Shape::Block => self.branches(op, count, &written),
            Shape::For => {
                self.pass_in(op, &written);
                let mark = self.log.len();
                self.pass_args(op, 0, &written);
                self.body(op, 0);
                self.pass_out(op, 0, &written);
                self.go_back(mark);
                self.pass_results(op, &written);
            }
            Shape::While => {
                self.pass_in(op, &written);
                let mark = self.log.len();
                for n in 0..count {
                    self.pass_args(op, n, &written);
                    self.body(op, n);
                    self.pass_out(op, n, &written);
                }
                self.go_back(mark);
                self.pass_results(op, &written);
            }
        }
    }

    fn body(&mut self, op: OpId, n: usize) {
        let blocks: Vec<BlockId> = match self.ir.op(op).regions.get(n) {
            Some(&r) => self.ir.region(r).blocks.to_vec(),
            None => return,
        };
        blocks.into_iter().for_each(|b| self.block(b));
    }

    fn branches(&mut self, op: OpId, count: usize, written: &[BufferId]) {
        let is_if = self.ir.op_name(op) == "scf.if";
        if is_if && !written.is_empty() {
            if count == 1 {
                let body = self.ir.add_body(op);
                let span = self.ir.op(op).span;
                let end = self.ir.create_op(*YIELD, span, &[]);
                self.ir.append(body, end);
            } else if self.ir.op(op).results.is_empty() && is_bare(self.ir, op, 1) {
                // The way back drops an `else` that only hands tiles on; keep one that was there before.
                let unit = self.ir.ctx.attr(AttrData::Unit);
                self.ir.set_attr(op, EMPTY_ELSE, unit);
            }
        }
        for n in 0..self.ir.op(op).regions.len() {
            let mark = self.log.len();
            self.body(op, n);
            self.pass_out(op, n, written);
            self.go_back(mark);
        }
        self.pass_results(op, written);
    }

    /// The contents as initial values.
    fn pass_in(&mut self, op: OpId, written: &[BufferId]) {
        for &b in written {
            let now = self.current[b as usize];
            self.ir.push_segment(op, &[now]);
        }
    }

    /// The contents inside a region as arguments of its block.
    fn pass_args(&mut self, op: OpId, n: usize, written: &[BufferId]) {
        let Some(block) = self.ir.body(op, n) else { return };
        for &b in written {
            let ty = self.ir.value_type(self.buffers.list[b as usize].value);
            let arg = self.ir.add_block_arg(block, ty);
            self.put(b, arg);
        }
    }

    /// The contents at the end of a region, to its terminator.
    fn pass_out(&mut self, op: OpId, n: usize, written: &[BufferId]) {
        let Some(end) = self.ir.body(op, n).and_then(|b| self.ir.last_op(b)) else { return };
        self.pass_in(end, written);
    }

    /// The contents behind an op as its results.
    fn pass_results(&mut self, op: OpId, written: &[BufferId]) {
        for &b in written {
            let ty = self.ir.value_type(self.buffers.list[b as usize].value);
            let result = self.ir.add_result(op, ty);
            self.put(b, result);
        }
    }
}

/// True when a region holds nothing but a terminator without operands.
pub(super) fn is_bare(ir: &Ir, op: OpId, n: usize) -> bool {
    ir.body(op, n).is_some_and(|b| {
        ir.first_op(b) == ir.last_op(b)
            && ir.first_op(b).is_some_and(|t| {
                let d = ir.op(t);
                d.operands.is_empty() && d.attrs.is_empty() && d.loc.is_none() && ir.has_trait(t, Traits::TERMINATOR)
            })
    })
}
