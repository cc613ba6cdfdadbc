//! The buffers of a program, and which of them can become values.
//!
//! A buffer is a `pto.alloc_tile` or a function argument. It can become a value when every access is a whole-tile operand
//! of an instruction that has a value form. Otherwise it stays memory, and the instructions that write it stay in DPS form.

use super::calls::Calls;
use super::overlap;
use super::valid::{is_buffer_tile, is_value_tile};
use crate::codes;
use crate::structure::{Scope, Shape, first_jump, scopes, shape, walk_scope};
use ptoc_dialect::asm::fits_value_form;
use ptoc_dialect::{Dir, Kind, OpDef, def};
use ptoc_ir::{BlockId, Form, Ir, OpId, Traits, ValueId};
use ptoc_source::{Code, Diagnostic, Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Index of a buffer.
pub(super) type BufferId = u32;

/// Why a buffer stays one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reason {
    NamedTwice,
    Overlapped,
    Outside,
    Unwritable,
    Jumps,
}

impl Reason {
    const ALL: [Reason; 5] =
        [Reason::NamedTwice, Reason::Overlapped, Reason::Outside, Reason::Unwritable, Reason::Jumps];

    const fn code(self) -> Code {
        match self {
            Reason::NamedTwice => codes::STAYS_NAMED_TWICE,
            Reason::Overlapped => codes::STAYS_OVERLAPPED,
            Reason::Outside => codes::STAYS_OUTSIDE,
            Reason::Unwritable => codes::STAYS_UNWRITABLE,
            Reason::Jumps => codes::JUMPS,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Reason::NamedTwice => "their storage has another name",
            Reason::Overlapped => "they share bytes with another tile",
            Reason::Outside => "something outside can see them",
            Reason::Unwritable => "an instruction on them has no SSA form",
            Reason::Jumps => "the function has jumps between blocks",
        }
    }
}

/// One buffer.
#[derive(Debug)]
pub(super) struct Buffer {
    /// Its name in the program.
    pub(super) value: ValueId,
    /// The allocation; `None` for an argument.
    pub(super) alloc: Option<OpId>,
    /// The block that defines it.
    home: BlockId,
    /// Why it stays memory, and where that shows.
    pub(super) memory: Option<(Reason, Span)>,
    /// True when it is also reached in ways that the instructions on it do not show.
    pub(super) untracked: bool,
}

/// All buffers of a program.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) list: Vec<Buffer>,
    /// Buffer of a value, by value index; [`Buffers::NONE`] for others.
    of: Vec<BufferId>,
    /// For each op with regions, the outer buffers written below it, in order of definition.
    written: FxHashMap<OpId, Box<[BufferId]>>,
    /// Destinations of one instruction: all become values, or none.
    mates: Vec<SmallVec<[BufferId; 4]>>,
}

impl Buffers {
    const NONE: BufferId = BufferId::MAX;

    /// Finds the buffers of a program and decides which stay memory.
    pub(super) fn find(ir: &Ir, diagnostics: &mut Vec<Diagnostic>) -> Buffers {
        let mut b = Buffers { of: vec![Buffers::NONE; ir.value_count()], ..Buffers::default() };
        let calls = Calls::find(ir);
        for scope in scopes(ir) {
            let first = b.list.len();
            b.define(ir, scope, &calls);
            if b.list.len() == first {
                continue;
            }
            if let Some(jump) = first_jump(ir, scope) {
                let span = ir.op(jump).span;
                (first..b.list.len()).for_each(|i| b.mark(i as BufferId, Reason::Jumps, span));
            }
            let called = scope.func.is_some_and(|f| calls.is_called(ir, f));
            walk_scope(ir, scope, &mut |op| {
                // What a function hands to a caller outside of the module is the content.
                if called || ir.op_name(op) != "func.return" {
                    b.classify(ir, op);
                }
            });
            b.collect_written(ir, scope.block);
            overlap::mark(ir, scope, first, &mut b, &calls);
            b.share_fate();
            b.report(ir, first, diagnostics);
        }
        b
    }

    /// The buffer that a value is the storage or the content of.
    pub(super) fn of(&self, value: ValueId) -> Option<BufferId> {
        self.of.get(value.index()).copied().filter(|&b| b != Buffers::NONE)
    }

    /// The buffer of a value, when it becomes a value.
    pub(super) fn promoted(&self, value: ValueId) -> Option<BufferId> {
        self.of(value).filter(|&b| self.list[b as usize].memory.is_none())
    }

    /// Says that a new value is the content of a buffer.
    pub(super) fn set_of(&mut self, value: ValueId, buffer: BufferId) {
        if self.of.len() <= value.index() {
            self.of.resize(value.index() + 1, Buffers::NONE);
        }
        self.of[value.index()] = buffer;
    }

    /// Buffers that become values and are written below an op but defined outside of it, in order of definition.
    pub(super) fn written_below(&self, op: OpId) -> Vec<BufferId> {
        let all = self.written.get(&op).map_or(&[][..], |w| w);
        all.iter().copied().filter(|&b| self.list[b as usize].memory.is_none()).collect()
    }

    pub(super) fn mark(&mut self, buffer: BufferId, reason: Reason, span: Span) {
        let slot = &mut self.list[buffer as usize].memory;
        if slot.is_none() {
            *slot = Some((reason, span));
        }
    }

    /// Marks a buffer that is reached in ways that can't be followed.
    fn escape(&mut self, buffer: BufferId, reason: Reason, span: Span) {
        self.mark(buffer, reason, span);
        self.list[buffer as usize].untracked = true;
    }

    fn add(&mut self, value: ValueId, alloc: Option<OpId>, home: BlockId) -> BufferId {
        let id = self.list.len() as BufferId;
        self.list.push(Buffer { value, alloc, home, memory: None, untracked: false });
        self.set_of(value, id);
        id
    }

    fn define(&mut self, ir: &Ir, scope: Scope, calls: &Calls) {
        if scope.func.is_some() {
            for &arg in &ir.block(scope.block).args {
                if is_buffer_tile(ir, arg) {
                    let b = self.add(arg, None, scope.block);
                    if scope.func.is_some_and(|f| calls.is_called(ir, f)) {
                        self.escape(b, Reason::Outside, scope.func.map_or(Span::NONE, |f| ir.op(f).span));
                    }
                }
            }
        }
        walk_scope(ir, scope, &mut |op| {
            if ir.op_name(op) == "pto.alloc_tile"
                && let (Some(&result), Some(block)) = (ir.op(op).results.first(), ir.parent_block(op))
                && is_buffer_tile(ir, result)
            {
                self.add(result, Some(op), block);
            }
        });
    }

    /// What an op does to the buffers among its operands.
    fn classify(&mut self, ir: &Ir, op: OpId) {
        let data = ir.op(op);
        let span = data.span;
        let succ = data.successors.iter().flat_map(|s| s.args.iter().copied());
        for b in succ.filter_map(|v| self.of(v)).collect::<SmallVec<[BufferId; 2]>>() {
            self.escape(b, Reason::Outside, span);
        }
        let Some(d) = def(data.kind) else {
            for b in data.operands.iter().filter_map(|&v| self.of(v)).collect::<SmallVec<[BufferId; 4]>>() {
                self.escape(b, Reason::Outside, span);
            }
            return;
        };
        if !d.has_value_form() {
            for b in data.operands.iter().filter_map(|&v| self.of(v)).collect::<SmallVec<[BufferId; 4]>>() {
                match other_use(d) {
                    OtherUse::Reads => {}
                    OtherUse::Resizes => self.escape(b, Reason::Unwritable, span),
                    OtherUse::Names => self.escape(b, Reason::NamedTwice, span),
                }
            }
            return;
        }
        self.classify_instruction(ir, op, d, span);
    }

    fn classify_instruction(&mut self, ir: &Ir, op: OpId, d: &'static OpDef, span: Span) {
        let data = ir.op(op);
        let exact = data.form == Form::Custom
            && data.results.is_empty()
            && data.regions.is_empty()
            && fits_value_form(ir, op, false);
        let (mut reads, mut dests, mut scratch) =
            (SmallVec::<[BufferId; 8]>::new(), SmallVec::<[BufferId; 4]>::new(), SmallVec::<[BufferId; 2]>::new());
        let mut foreign_dest = false;
        for (n, operand) in d.operands.iter().enumerate() {
            for &v in ir.segment_values(op, n) {
                let Some(b) = self.of(v) else {
                    foreign_dest |= operand.is_dest();
                    continue;
                };
                match operand.dir {
                    _ if operand.scratch => scratch.push(b),
                    _ if operand.is_dest() => dests.push(b),
                    Dir::In if matches!(operand.kind, Kind::Tile | Kind::Any) => reads.push(b),
                    _ => self.escape(b, Reason::Unwritable, span),
                }
            }
        }
        for (i, &b) in dests.iter().enumerate() {
            if !exact || foreign_dest || dests[..i].contains(&b) || scratch.contains(&b) {
                self.mark(b, Reason::Unwritable, span);
            }
        }
        for (i, &b) in scratch.iter().enumerate() {
            if data.form == Form::Custom && !exact || scratch[..i].contains(&b) || reads.contains(&b) {
                self.mark(b, Reason::Unwritable, span);
            }
        }
        if dests.len() > 1 {
            self.mates.push(dests);
        }
    }

    /// Which outer buffers are written below each op with regions; buffers written inside something that hands no values
    /// out stay memory.
    fn collect_written(&mut self, ir: &Ir, block: BlockId) -> Vec<BufferId> {
        let mut written: Vec<BufferId> = Vec::new();
        let mut next = ir.first_op(block);
        while let Some(op) = next {
            next = ir.next_op(op);
            if ir.has_trait(op, Traits::ISOLATED) {
                continue;
            }
            if let Some(d) = def(ir.op(op).kind) {
                for (n, _) in d.dests() {
                    written.extend(ir.segment_values(op, n).iter().filter_map(|&v| self.of(v)));
                }
            }
            if ir.op(op).regions.is_empty() {
                continue;
            }
            let mut below = Vec::new();
            for &r in &ir.op(op).regions {
                for &b in &ir.region(r).blocks {
                    below.append(&mut self.collect_written(ir, b));
                }
            }
            below.sort_unstable();
            below.dedup();
            if matches!(shape(ir, op), Shape::Section | Shape::Unknown) {
                let span = ir.op(op).span;
                below.iter().for_each(|&b| self.mark(b, Reason::Outside, span));
            } else {
                written.extend_from_slice(&below);
                self.written.insert(op, below.into());
            }
        }
        written.sort_unstable();
        written.dedup();
        written.retain(|&b| self.list[b as usize].home != block);
        written
    }

    /// An instruction is in one form: when one of its destinations stays memory, so do the others.
    fn share_fate(&mut self) {
        let mut of_buffer: FxHashMap<BufferId, SmallVec<[u32; 2]>> = FxHashMap::default();
        for (i, group) in self.mates.iter().enumerate() {
            for &b in group {
                of_buffer.entry(b).or_default().push(i as u32);
            }
        }
        let mut queue: Vec<BufferId> =
            of_buffer.keys().copied().filter(|&b| self.list[b as usize].memory.is_some()).collect();
        let mut done: FxHashSet<u32> = FxHashSet::default();
        while let Some(b) = queue.pop() {
            let span = self.list[b as usize].memory.map_or(Span::NONE, |(_, s)| s);
            for &group in of_buffer.get(&b).map_or(&[][..], |g| g) {
                if !done.insert(group) {
                    continue;
                }
                for mate in self.mates[group as usize].clone() {
                    if self.list[mate as usize].memory.is_none() {
                        self.mark(mate, Reason::Unwritable, span);
                        queue.push(mate);
                    }
                }
            }
        }
        self.mates.clear();
    }

    /// One note for each reason, naming the first few buffers.
    fn report(&self, ir: &Ir, first: usize, diagnostics: &mut Vec<Diagnostic>) {
        const SHOWN: usize = 3;
        for reason in Reason::ALL {
            let of_reason = || self.list[first..].iter().filter(|b| b.memory.is_some_and(|(r, _)| r == reason));
            let count = of_reason().count();
            let Some((at, cause)) = of_reason().next().and_then(|b| Some((define_span(ir, b.value), b.memory?.1)))
            else {
                continue;
            };
            let message = match count {
                1 => format!(
                    "1 tile stays a buffer: {}",
                    reason
                        .text()
                        .replace("they", "it")
                        .replace("their", "its")
                        .replace("them", "it")
                        .replace("share ", "shares ")
                ),
                n => format!("{n} tiles stay buffers: {}", reason.text()),
            };
            let mut d = Diagnostic::warning(reason.code(), at, message).label(cause, "because of this");
            d.severity = Severity::Note;
            for b in of_reason().take(SHOWN).skip(1) {
                d = d.label(define_span(ir, b.value), "this one too");
            }
            diagnostics.push(d.note("instructions that write them stay in DPS form; both forms may be mixed"));
        }
    }
}

/// Where a value is defined.
pub(super) fn define_span(ir: &Ir, value: ValueId) -> Span {
    match ir.value(value).def {
        ptoc_ir::ValueDef::Result(op, _) => ir.op(op).span,
        ptoc_ir::ValueDef::Arg(block, _) => ir.block_op(block).map_or(Span::NONE, |op| ir.op(op).span),
    }
}

/// What an operation without value forms does to a tile.
enum OtherUse {
    /// Reads it while it runs.
    Reads,
    /// Changes its valid size.
    Resizes,
    /// Keeps or hands out a name of its storage.
    Names,
}

fn other_use(d: &OpDef) -> OtherUse {
    match d.name {
        "pto.tgetval"
        | "pto.get_validshape"
        | "pto.tile_valid_rows"
        | "pto.tile_valid_cols"
        | "pto.tpush"
        | "pto.tpush_to_aic"
        | "pto.tpush_to_aiv" => OtherUse::Reads,
        "pto.set_validshape" => OtherUse::Resizes,
        _ => OtherUse::Names,
    }
}

/// Reports instructions in DPS form whose destination is a value.
pub(super) fn check_destinations(ir: &Ir, diagnostics: &mut Vec<Diagnostic>) {
    for scope in scopes(ir) {
        walk_scope(ir, scope, &mut |op| {
            let data = ir.op(op);
            let Some(d) = def(data.kind) else { return };
            if data.form != Form::Custom || !d.has_value_form() {
                return;
            }
            for (n, operand) in d.dests() {
                let range = ir.segment(op, n);
                for (i, &v) in range.clone().zip(ir.segment_values(op, n)) {
                    if is_value_tile(ir, v) {
                        diagnostics.push(
                            Diagnostic::error(
                                codes::WRITES_VALUE,
                                ir.operand_span(op, i),
                                format!("{}: {} is a value and can't be written", d.name, operand.name),
                            )
                            .label(define_span(ir, v), "defined here as `!pto.tile`")
                            .help("write the SSA form, or make the tile a `!pto.tile_buf`"),
                        );
                    }
                }
            }
        });
    }
}
