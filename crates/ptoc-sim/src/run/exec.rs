//! The scalar unit of one core: runs the operations of a function one after another and issues work to the pipes.
//!
//! Frames are explicit, so several cores can run in turns and nothing recurses.

use super::arith::{self, Arith};
use super::codes;
use super::decode::{self, Source};
use super::pipes::{Call, Key, Pipes, Stop, Unit, Work};
use super::tiles;
use super::value::Value;
use crate::machine::{Args, Core, Ptr, Special, find};
use ptoc_dialect::Dialects;
use ptoc_dialect::types::{MaskType, OpaqueKind, VRegType, dtype_of, ptr_of};
use ptoc_ir::{AttrData, BlockId, Ir, OpId, OpKind, Successor, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::{Arch, DType, EVENT_IDS, Loc, Pipe};
use smallvec::SmallVec;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the simulator does with an operation.
#[derive(Clone, Copy, Debug)]
enum Act {
    Nothing,
    Constant,
    Arith(Arith),
    For,
    If,
    While,
    Condition,
    Yield,
    Return,
    CallFunc,
    Branch,
    CondBranch,
    Switch,
    CastPtr,
    AddPtr,
    SameBits,
    EmptyAlign,
    LoadScalar,
    StoreScalar,
    BlockIndex,
    SetFlag,
    WaitFlag,
    Barrier,
    Fence,
    Scope,
    Section(usize),
    Plt(u32),
    GetCtrl,
    Returned,
    CrossSet,
    CrossWait,
    GetBuf,
    RlsBuf,
    Micro,
    Tile(tiles::Act),
}

/// The action of every operation kind, worked out once.
#[derive(Debug)]
pub(crate) struct Acts(Vec<Option<Act>>);

impl Acts {
    pub fn new(ir: &Ir) -> Acts {
        let infos = ir.registry().infos();
        Acts(infos.iter().map(|i| Self::of(i.name)).collect())
    }

    fn get(&self, kind: OpKind) -> Option<Act> {
        self.0.get(kind.index()).copied().flatten()
    }

    fn of(name: &str) -> Option<Act> {
        if let Some(a) = name.strip_prefix("arith.") {
            return if a == "constant" { Some(Act::Constant) } else { Arith::of(a).map(Act::Arith) };
        }
        Some(match name {
            "scf.for" => Act::For,
            "scf.if" => Act::If,
            "scf.while" => Act::While,
            "scf.condition" => Act::Condition,
            "scf.yield" => Act::Yield,
            "func.return" => Act::Return,
            "func.call" => Act::CallFunc,
            "cf.br" => Act::Branch,
            "cf.cond_br" => Act::CondBranch,
            "cf.switch" => Act::Switch,
            "pto.castptr" => Act::CastPtr,
            "pto.addptr" => Act::AddPtr,
            "pto.vbitcast" | "pto.pbitcast" => Act::SameBits,
            "pto.init_align" => Act::EmptyAlign,
            "pto.load_scalar" => Act::LoadScalar,
            "pto.store_scalar" => Act::StoreScalar,
            "pto.get_block_idx" | "pto.get_subblock_idx" | "pto.get_block_num" | "pto.get_subblock_num" => {
                Act::BlockIndex
            }
            "pto.set_flag" | "pto.set_flag_dyn" => Act::SetFlag,
            "pto.wait_flag" | "pto.wait_flag_dyn" => Act::WaitFlag,
            "pto.barrier" | "pto.pipe_barrier" | "pto.barrier_sync" => Act::Barrier,
            "pto.mem_bar" => Act::Fence,
            "pto.vecscope" | "pto.strict_vecscope" => Act::Scope,
            "pto.section.cube" => Act::Section(0),
            "pto.section.vector" => Act::Section(1),
            "pto.plt_b8" => Act::Plt(256),
            "pto.plt_b16" => Act::Plt(128),
            "pto.plt_b32" => Act::Plt(64),
            "pto.get_ctrl" => Act::GetCtrl,
            "pto.get_vms4_sr" | "pto.ub.get_rsvd_cnt" => Act::Returned,
            "pto.set_intra_block" | "pto.set_cross_core" | "pto.sync.set" => Act::CrossSet,
            "pto.wait_intra_block" | "pto.wait_flag_dev" | "pto.sync.wait" => Act::CrossWait,
            "pto.get_buf" | "pto.get_buf_dyn" => Act::GetBuf,
            "pto.rls_buf" | "pto.rls_buf_dyn" => Act::RlsBuf,
            "pto.auto_sync_tail_hint" | "pto.dsb" | "pto.dcci" => Act::Nothing,
            _ => {
                if let Some(a) = tiles::Act::of(name) {
                    Act::Tile(a)
                } else if is_micro(name) {
                    Act::Micro
                } else {
                    return None;
                }
            }
        })
    }
}

/// True for an entry of the table that is no tile instruction.
fn is_micro(name: &str) -> bool {
    Dialects::get().def_by_name(name).is_some_and(|d| !d.is_tile_instruction())
}

/// How the enclosing operation goes on when its block ends.
#[derive(Debug)]
enum Kind {
    Function { call: Option<OpId> },
    For { op: OpId, at: i64, end: i64, step: i64 },
    If { op: OpId },
    Before { op: OpId },
    After { op: OpId },
    Plain { op: OpId, scope: bool },
}

#[derive(Debug)]
struct Frame {
    next: Option<OpId>,
    kind: Kind,
}

/// What one turn of a core came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// It ran.
    Ran,
    /// It waits for another core or pipe.
    Waits,
    /// Its function has returned.
    Done,
}

/// What all cores share.
pub(crate) struct Shared<'i> {
    pub ir: &'i Ir,
    pub acts: Acts,
    pub core: Core,
    pub pipes: Pipes,
    pub tiles: tiles::Store,
    /// Operations that may still be executed.
    pub steps: u64,
    /// Operations executed, waits counted each time they are tried.
    pub made: u64,
    /// Where [`Shared::made`] is noted.
    pub progress: Option<Arc<AtomicU64>>,
    /// Whether tile instructions are run by their meaning; lowered code otherwise.
    pub arch: Option<Arch>,
    /// Index and number of blocks, as `pto.get_block_idx` and `pto.get_block_num` give them.
    pub block: (i64, i64),
}

/// What a core is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CoreKind {
    Cube,
    Vector,
}

impl CoreKind {
    /// What the attributes of a function say.
    pub fn of(ir: &Ir, func: OpId) -> Option<CoreKind> {
        match ir.word_attr(func, "pto.kernel_kind") {
            Some("cube") => Some(CoreKind::Cube),
            Some("vector") => Some(CoreKind::Vector),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            CoreKind::Cube => "cube",
            CoreKind::Vector => "vector",
        }
    }

    fn has(self, pipe: Pipe) -> bool {
        match self {
            CoreKind::Cube => pipe != Pipe::V,
            CoreKind::Vector => !matches!(pipe, Pipe::M | Pipe::Mte1 | Pipe::Fix),
        }
    }

    fn pipes(self) -> &'static str {
        match self {
            CoreKind::Cube => "PIPE_S, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_M and PIPE_FIX",
            CoreKind::Vector => "PIPE_S, PIPE_MTE2, PIPE_V and PIPE_MTE3",
        }
    }
}

/// One core.
pub(crate) struct Exec {
    /// What it is for, when the program says it.
    kind: Option<CoreKind>,
    /// 0 cube or the only one, 1 vector.
    pub on: usize,
    /// When set, sections of the other kind are skipped.
    pub divided: bool,
    env: Vec<Value>,
    frames: Vec<Frame>,
    special: Rc<Special>,
    waiting: Option<(OpId, String)>,
    pub results: Vec<Value>,
}

/// Steps between two notes of the progress.
const NOTED: u64 = 256;
/// Deepest nesting of frames: calls and regions.
const MAX_FRAMES: usize = 1000;

impl Exec {
    /// A core that starts a function with these arguments.
    pub fn new(ir: &Ir, func: OpId, on: usize, divided: bool, args: &[Value]) -> Option<Exec> {
        let entry = ir.body(func, 0)?;
        let mut env = vec![Value::None; ir.value_count()];
        for (&p, v) in ir.block(entry).args.iter().zip(args) {
            env[p.index()] = v.clone();
        }
        let frame = Frame { next: ir.first_op(entry), kind: Kind::Function { call: None } };
        let kind = match (divided, on) {
            (true, 0) => Some(CoreKind::Cube),
            (true, _) => Some(CoreKind::Vector),
            _ => CoreKind::of(ir, func),
        };
        Some(Exec {
            kind,
            on,
            divided,
            env,
            frames: vec![frame],
            special: Rc::new(Special::default()),
            waiting: None,
            results: Vec::new(),
        })
    }

    /// What this core waits for.
    pub fn waiting(&self) -> Option<(OpId, String)> {
        self.waiting.clone()
    }

    pub(crate) fn get(&self, v: ValueId) -> &Value {
        self.env.get(v.index()).unwrap_or(&Value::None)
    }

    pub(crate) fn set(&mut self, v: ValueId, value: Value) {
        if let Some(slot) = self.env.get_mut(v.index()) {
            *slot = value;
        }
    }

    pub(crate) fn set_result(&mut self, ir: &Ir, op: OpId, n: usize, value: Value) {
        if let Some(&r) = ir.op(op).results.get(n) {
            self.set(r, value);
        }
    }

    pub(crate) fn operand(&self, ir: &Ir, op: OpId, n: usize) -> Value {
        ir.op(op).operands.get(n).map_or(Value::None, |&v| self.get(v).clone())
    }

    /// An integer operand.
    pub(crate) fn int(&self, s: &mut Shared<'_>, op: OpId, n: usize) -> Result<i64, Stop> {
        match self.operand(s.ir, op, n).int() {
            Some(i) => Ok(i),
            None => Err(s.stop(
                codes::BAD_ARGUMENT,
                op,
                format!("operand {n} of `{}` has no integer value", s.ir.op_name(op)),
            )),
        }
    }

    /// Runs until this core waits or is done.
    pub fn run(&mut self, s: &mut Shared<'_>) -> Result<Turn, Stop> {
        let mut turn = Turn::Waits;
        loop {
            match self.step(s)? {
                Turn::Ran => turn = Turn::Ran,
                Turn::Waits => return Ok(turn),
                Turn::Done => return Ok(Turn::Done),
            }
        }
    }

    /// Runs one operation.
    fn step(&mut self, s: &mut Shared<'_>) -> Result<Turn, Stop> {
        let Some(frame) = self.frames.last_mut() else { return Ok(Turn::Done) };
        let ir = s.ir;
        let Some(op) = frame.next else {
            self.end_block(s, &[])?;
            return Ok(Turn::Ran);
        };
        if s.steps == 0 {
            return Err(s.stop_with(
                Diagnostic::error(codes::STEPS, ir.op(op).span, "the run takes more steps than allowed")
                    .at("reached here")
                    .note("each executed operation is a step; a loop that never ends shows in no other way")
                    .help("raise the limit with `--max-steps`"),
            ));
        }
        s.steps -= 1;
        s.made += 1;
        if s.made.is_multiple_of(NOTED)
            && let Some(watched) = &s.progress
        {
            watched.store(s.made, Ordering::Relaxed);
        }
        frame.next = ir.next_op(op);
        let Some(act) = s.acts.get(ir.op(op).kind) else {
            return Err(s.unknown(op));
        };
        let go_on = self.act(s, op, act)?;
        if !go_on {
            // The same operation again, next time.
            if let Some(frame) = self.frames.last_mut() {
                frame.next = Some(op);
            }
            s.steps += 1;
            return Ok(Turn::Waits);
        }
        self.waiting = None;
        Ok(Turn::Ran)
    }

    fn values(&self, ir: &Ir, op: OpId) -> SmallVec<[Value; 8]> {
        ir.op(op).operands.iter().map(|&v| self.get(v).clone()).collect()
    }

    fn push(&mut self, s: &mut Shared<'_>, op: OpId, block: BlockId, kind: Kind) -> Result<(), Stop> {
        if self.frames.len() >= MAX_FRAMES {
            return Err(s.stop(codes::STEPS, op, format!("calls and regions are nested more than {MAX_FRAMES} deep")));
        }
        self.frames.push(Frame { next: s.ir.first_op(block), kind });
        Ok(())
    }

    fn enter(&mut self, ir: &Ir, block: BlockId, values: &[Value]) {
        for (&p, v) in ir.block(block).args.iter().zip(values) {
            self.env[p.index()] = v.clone();
        }
    }

    fn jump(&mut self, ir: &Ir, to: &Successor) {
        let values: SmallVec<[Value; 4]> = to.args.iter().map(|&v| self.get(v).clone()).collect();
        self.enter(ir, to.block, &values);
        if let Some(frame) = self.frames.last_mut() {
            frame.next = ir.first_op(to.block);
        }
    }

    fn set_results(&mut self, ir: &Ir, op: OpId, values: &[Value]) {
        for (n, v) in values.iter().enumerate() {
            self.set_result(ir, op, n, v.clone());
        }
    }

    /// The block of the innermost frame ends with these values.
    fn end_block(&mut self, s: &mut Shared<'_>, values: &[Value]) -> Result<(), Stop> {
        let ir = s.ir;
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        match frame.kind {
            Kind::Function { call } => match call {
                Some(op) => self.set_results(ir, op, values),
                None => self.results = values.to_vec(),
            },
            Kind::For { op, at, end, step } => {
                let at = at.saturating_add(step);
                self.iterate(s, op, at, end, step, values)?;
            }
            Kind::If { op } => self.set_results(ir, op, values),
            Kind::Before { op } | Kind::After { op } => {
                // `scf.condition` has handled the first region; the second goes back to the first.
                if matches!(frame.kind, Kind::After { .. })
                    && let Some(block) = ir.body(op, 0)
                {
                    self.enter(ir, block, values);
                    self.push(s, op, block, Kind::Before { op })?;
                }
            }
            Kind::Plain { op, scope } => {
                if scope {
                    self.issue(s, op, Pipe::V, Work::Fence)?;
                }
                self.set_results(ir, op, values);
            }
        }
        Ok(())
    }

    fn iterate(
        &mut self,
        s: &mut Shared<'_>,
        op: OpId,
        at: i64,
        end: i64,
        step: i64,
        carried: &[Value],
    ) -> Result<(), Stop> {
        let ir = s.ir;
        if at >= end {
            self.set_results(ir, op, carried);
            return Ok(());
        }
        let Some(block) = ir.body(op, 0) else { return Ok(()) };
        let args = &ir.block(block).args;
        if let Some(&iv) = args.first() {
            self.set(iv, Value::Int(at));
        }
        for (&p, v) in args.iter().skip(1).zip(carried) {
            self.set(p, v.clone());
        }
        self.push(s, op, block, Kind::For { op, at, end, step })
    }

    pub(crate) fn issue(&mut self, s: &mut Shared<'_>, op: OpId, pipe: Pipe, work: Work) -> Result<(), Stop> {
        s.pipes.issue(&mut s.core, s.ir, Unit::new(self.on, pipe), op, work)
    }

    /// Runs one operation; false when it has to wait.
    fn act(&mut self, s: &mut Shared<'_>, op: OpId, act: Act) -> Result<bool, Stop> {
        let ir = s.ir;
        let data = ir.op(op);
        match act {
            Act::Nothing => {}
            Act::Constant => {
                let v = self.constant(s, op)?;
                self.set_result(ir, op, 0, v);
            }
            Act::Arith(a) => {
                let values = self.values(ir, op);
                match arith::eval(ir, op, a, &values) {
                    Ok(v) => self.set_result(ir, op, 0, v),
                    Err(why) => {
                        let message = format!("`{}` has no defined result: {why}", ir.op_name(op));
                        return Err(s.stop(codes::SCALAR, op, message));
                    }
                }
            }
            Act::For => {
                let (from, end, step) = (self.int(s, op, 0)?, self.int(s, op, 1)?, self.int(s, op, 2)?);
                if step <= 0 {
                    return Err(s.stop(
                        codes::SCALAR,
                        op,
                        format!("the step of the loop is {step}; it must be positive"),
                    ));
                }
                let carried: Vec<Value> = data.operands.iter().skip(3).map(|&v| self.get(v).clone()).collect();
                self.iterate(s, op, from, end, step, &carried)?;
            }
            Act::If => {
                let taken = usize::from(self.int(s, op, 0)? == 0);
                if let Some(block) = ir.body(op, taken) {
                    self.push(s, op, block, Kind::If { op })?;
                }
            }
            Act::While => {
                let values = self.values(ir, op);
                if let Some(block) = ir.body(op, 0) {
                    self.enter(ir, block, &values);
                    self.push(s, op, block, Kind::Before { op })?;
                }
            }
            Act::Condition => {
                let go_on = self.int(s, op, 0)? != 0;
                let values: Vec<Value> = data.operands.iter().skip(1).map(|&v| self.get(v).clone()).collect();
                if let Some(Frame { kind: Kind::Before { op: parent }, .. }) = self.frames.last() {
                    let parent = *parent;
                    self.frames.pop();
                    if !go_on {
                        self.set_results(ir, parent, &values);
                    } else if let Some(block) = ir.body(parent, 1) {
                        self.enter(ir, block, &values);
                        self.push(s, parent, block, Kind::After { op: parent })?;
                    }
                }
            }
            Act::Yield => {
                let values = self.values(ir, op);
                self.end_block(s, &values)?;
            }
            Act::Return => {
                let values = self.values(ir, op);
                while self.frames.last().is_some_and(|f| !matches!(f.kind, Kind::Function { .. })) {
                    self.frames.pop();
                }
                self.end_block(s, &values)?;
            }
            Act::CallFunc => self.call_function(s, op)?,
            Act::Branch => {
                if let Some(to) = data.successors.first() {
                    self.jump(ir, to);
                }
            }
            Act::CondBranch => {
                let taken = usize::from(self.int(s, op, 0)? == 0);
                if let Some(to) = data.successors.get(taken) {
                    self.jump(ir, to);
                }
            }
            Act::Switch => return Err(s.unknown(op)),
            Act::CastPtr => {
                let v = self.cast_pointer(s, op)?;
                self.set_result(ir, op, 0, v);
            }
            Act::AddPtr => {
                let by = self.int(s, op, 1)?;
                let Value::Ptr(p) = self.operand(ir, op, 0) else {
                    return Err(s.stop(codes::BAD_ARGUMENT, op, "the first operand of `pto.addptr` is no pointer"));
                };
                let addr = p.addr.wrapping_add_signed(by.wrapping_mul(elem_bytes(p)));
                self.set_result(ir, op, 0, Value::Ptr(Ptr { addr, ..p }));
            }
            Act::SameBits => {
                let v = match (self.operand(ir, op, 0), self.fresh(ir, data.results.first().copied())) {
                    (Value::Reg { id, .. }, Value::Reg { elem, .. }) => Value::Reg { id, elem },
                    (v, _) => v,
                };
                self.set_result(ir, op, 0, v);
            }
            Act::EmptyAlign => {
                let v = self.fresh(ir, data.results.first().copied());
                self.set_result(ir, op, 0, v);
            }
            Act::LoadScalar | Act::StoreScalar => self.scalar_access(s, op, matches!(act, Act::StoreScalar))?,
            Act::BlockIndex => {
                let n = match ir.op_name(op) {
                    "pto.get_block_idx" => s.block.0,
                    "pto.get_block_num" => s.block.1,
                    "pto.get_subblock_num" => 1,
                    _ => 0,
                };
                self.set_result(ir, op, 0, Value::Int(n));
            }
            Act::SetFlag | Act::WaitFlag => return self.flag(s, op, matches!(act, Act::SetFlag)),
            Act::Barrier => return self.barrier(s, op),
            Act::Fence => self.issue(s, op, Pipe::V, Work::Fence)?,
            Act::Scope => {
                self.issue(s, op, Pipe::V, Work::Scope)?;
                if let Some(block) = ir.body(op, 0) {
                    let values = self.values(ir, op);
                    self.enter(ir, block, &values);
                    self.push(s, op, block, Kind::Plain { op, scope: true })?;
                }
            }
            Act::Section(core) => {
                if (!self.divided || core == self.on)
                    && let Some(block) = ir.body(op, 0)
                {
                    self.push(s, op, block, Kind::Plain { op, scope: false })?;
                }
            }
            Act::Plt(lanes) => {
                let n = self.int(s, op, 0)?;
                self.micro(s, op)?;
                self.set_result(ir, op, 1, Value::Int((n - i64::from(lanes)).max(0)));
            }
            Act::GetCtrl => self.set_result(ir, op, 0, Value::Int(self.special.ctrl as i64)),
            Act::Returned => {
                let name = ir.op_name(op).rsplit('.').next().unwrap_or_default();
                let n = s.core.handed_back(name);
                for i in 0..data.results.len() {
                    let part = if data.results.len() > 1 { n >> (16 * i) & 0xffff } else { n };
                    self.set_result(ir, op, i, Value::Int(part as i64));
                }
            }
            Act::CrossSet | Act::CrossWait | Act::GetBuf | Act::RlsBuf => return self.semaphore(s, op, act),
            Act::Micro => self.micro(s, op)?,
            Act::Tile(t) => {
                if s.arch.is_some() {
                    return Err(s.unknown(op));
                }
                tiles::act(self, s, op, t)?;
            }
        }
        Ok(true)
    }

    fn constant(&self, s: &mut Shared<'_>, op: OpId) -> Result<Value, Stop> {
        let ir = s.ir;
        let ty = ir.op(op).results.first().map(|&r| ir.value_type(r));
        let float = ty.and_then(|t| dtype_of(&ir.ctx, t)).filter(|d| d.is_float());
        Ok(match (ir.attr_data(op, "value"), float) {
            (Some(AttrData::Integer { value, .. }), _) => {
                let width = ty.and_then(|t| arith::width(ir, t)).unwrap_or(64);
                Value::Int(arith::signed(*value as i64, width))
            }
            (Some(AttrData::Bool(b)), _) => Value::Int((*b).into()),
            (Some(AttrData::Float { bits, .. }), Some(ty)) => arith::constant(ty, *bits),
            (Some(AttrData::FloatBits { bits, .. }), Some(ty)) => Value::Float { ty, bits: *bits },
            _ => return Err(s.unknown(op)),
        })
    }

    fn call_function(&mut self, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
        let ir = s.ir;
        let name = match ir.attr_data(op, "callee") {
            Some(AttrData::Symbol(path)) => path.last().map(|&n| ir.ctx.str(n)),
            _ => None,
        };
        let Some(func) = name.and_then(|n| super::find_function(ir, Some(n))) else {
            return Err(s.stop(codes::UNKNOWN, op, "the called function is not in this module"));
        };
        let Some(block) = ir.body(func, 0) else {
            return Err(s.stop(codes::UNKNOWN, op, format!("`{}` has no body to run", name.unwrap_or_default())));
        };
        let values = self.values(ir, op);
        self.enter(ir, block, &values);
        self.push(s, op, block, Kind::Function { call: Some(op) })
    }

    fn cast_pointer(&self, s: &mut Shared<'_>, op: OpId) -> Result<Value, Stop> {
        let ir = s.ir;
        let to = ir.op(op).results.first().and_then(|&r| ptr_of(&ir.ctx, ir.value_type(r)));
        Ok(match (self.operand(ir, op, 0), to) {
            (Value::Int(addr), Some(p)) => {
                Value::Ptr(Ptr { space: p.space, addr: addr as u64, elem: dtype_of(&ir.ctx, p.elem) })
            }
            (Value::Ptr(from), Some(p)) => {
                Value::Ptr(Ptr { space: p.space, addr: from.addr, elem: dtype_of(&ir.ctx, p.elem) })
            }
            (Value::Ptr(from), None) => Value::Int(from.addr as i64),
            _ => return Err(s.stop(codes::BAD_ARGUMENT, op, "neither a pointer nor an address is cast")),
        })
    }

    /// A place for a result: a register numbered after the value.
    fn fresh(&self, ir: &Ir, v: Option<ValueId>) -> Value {
        let Some(v) = v else { return Value::None };
        let ty = ir.value_type(v);
        let id = v.index() as u32;
        if let Some(r) = ir.ctx.type_as::<VRegType>(ty) {
            return Value::Reg { id, elem: dtype_of(&ir.ctx, r.elem).unwrap_or(DType::U8) };
        }
        if ir.ctx.type_as::<MaskType>(ty).is_some() {
            return Value::Mask(id);
        }
        if let Some(OpaqueKind::Align) = ir.ctx.type_as::<OpaqueKind>(ty) {
            return Value::Align(id);
        }
        Value::None
    }

    fn scalar_access(&mut self, s: &mut Shared<'_>, op: OpId, store: bool) -> Result<(), Stop> {
        let ir = s.ir;
        let at = ir.op(op).operands.iter().position(|&v| matches!(self.get(v), Value::Ptr(_) | Value::View(_)));
        let (Some(at), Some(Value::Ptr(p))) = (at, at.map(|i| self.operand(ir, op, i))) else {
            return Err(s.unknown(op));
        };
        let offset = match ir.op(op).operands.get(at + 1) {
            Some(_) => self.int(s, op, at + 1)?,
            None => 0,
        };
        let Some(ty) = p.elem else { return Err(s.unknown(op)) };
        let addr = p.addr.wrapping_add_signed(offset.wrapping_mul(ty.bytes() as i64));
        let p = Ptr { addr, ..p };
        if p.space == Loc::Gm {
            s.tiles.touch(addr, addr.saturating_add(ty.bytes()));
            if let Err(fault) = s.pipes.inside(addr, ty.bytes()) {
                return Err(s.stop_with(super::pipes::fault_diagnostic(&fault, ir.op(op).span)));
            }
        }
        s.core.mem.begin();
        let done = if store {
            let value = ir.op(op).operands.iter().enumerate().find(|&(i, _)| i != at && i != at + 1);
            let v = value.map(|(_, &v)| self.get(v).clone()).and_then(|v| v.num());
            let Some(v) = v else { return Err(s.stop(codes::BAD_ARGUMENT, op, "the stored value is no number")) };
            s.core.mem.store(p, ty.bytes(), crate::num::encode(ty, v)).map(|()| None)
        } else {
            s.core.mem.load(p, ty.bytes()).map(Some)
        };
        match done {
            Err(fault) => Err(s.stop_with(super::pipes::fault_diagnostic(&fault, ir.op(op).span))),
            Ok(bits) => {
                s.pipes.scalar_access(&s.core, ir, self.on, op);
                if let Some(bits) = bits {
                    let v = if ty.is_float() {
                        Value::Float { ty, bits }
                    } else {
                        Value::Int(crate::num::decode(ty, bits).int() as i64)
                    };
                    self.set_result(ir, op, 0, v);
                }
                Ok(())
            }
        }
    }

    fn flag(&mut self, s: &mut Shared<'_>, op: OpId, set: bool) -> Result<bool, Stop> {
        if s.arch.is_none() {
            // By its meaning a program runs one instruction after another.
            return Ok(true);
        }
        let ir = s.ir;
        let pipe = |n: &str| ir.word_attr(op, n).and_then(Pipe::from_keyword);
        let (from, to) = (pipe("src_pipe"), pipe("dst_pipe"));
        let id = match ir.word_attr(op, "event_id") {
            Some(w) => w.rsplit("ID").next().and_then(|d| d.parse().ok()),
            None => match ir.op(op).operands.first() {
                Some(_) => u32::try_from(self.int(s, op, 0)?).ok(),
                None => None,
            },
        };
        let (Some(from), Some(to), Some(id)) = (from, to, id) else {
            return Err(s.stop(codes::BAD_ARGUMENT, op, "the pipes or the event id are not known"));
        };
        if from == to || id >= EVENT_IDS {
            let (what, help) = if from == to {
                (format!("a flag from {from} to itself is no event"), "use a barrier of the pipe")
            } else {
                (format!("event id {id} does not exist"), "a pair of pipes has the event ids 0 to 7")
            };
            return Err(s.stop_with(
                Diagnostic::error(codes::BAD_ARGUMENT, ir.op(op).span, what)
                    .at("executed here")
                    .note("flags order two different pipes, eight for each pair (machine description, 7.2 E7, E9)")
                    .help(help),
            ));
        }
        self.exists(s, op, from)?;
        self.exists(s, op, to)?;
        match (set, from, to) {
            (true, Pipe::S, _) => s.pipes.scalar_set(ir, self.on, to, id, op),
            (true, ..) => self.issue(s, op, from, Work::Set { to, id })?,
            (false, _, Pipe::S) => {
                if !s.pipes.scalar_wait(&mut s.core, ir, self.on, from, id, op)? {
                    self.waiting = Some((op, format!("flag {from} -> PIPE_S, event id {id}")));
                    return Ok(false);
                }
            }
            (false, ..) => self.issue(s, op, to, Work::Wait { from, id })?,
        }
        Ok(true)
    }

    /// Refuses a pipe that the core of this function does not have.
    fn exists(&self, s: &mut Shared<'_>, op: OpId, pipe: Pipe) -> Result<(), Stop> {
        let Some(kind) = self.kind else { return Ok(()) };
        if kind.has(pipe) {
            return Ok(());
        }
        let d =
            Diagnostic::error(codes::BAD_ARGUMENT, s.ir.op(op).span, format!("a {} core has no {pipe}", kind.name()))
                .at("executed here")
                .note(format!("it has {} (machine description, 7.1)", kind.pipes()))
                .help("move this to the section of the other core, or name another pipe");
        Err(s.stop_with(d))
    }

    fn barrier(&mut self, s: &mut Shared<'_>, op: OpId) -> Result<bool, Stop> {
        let ir = s.ir;
        let Some(arch) = s.arch else { return Ok(true) };
        let pipe = ["pipe", "op"].iter().find_map(|n| ir.word_attr(op, n)).and_then(Pipe::from_keyword);
        match pipe {
            Some(Pipe::All) => {
                if !s.pipes.scalar_barrier(&mut s.core, ir, self.on)? {
                    self.waiting = Some((op, "all pipes to be done".into()));
                    return Ok(false);
                }
            }
            Some(Pipe::S) => {}
            Some(Pipe::V) if arch == Arch::A5 => {
                return Err(s.stop_with(
                    Diagnostic::error(codes::BAD_ARGUMENT, ir.op(op).span, "a5 has no barrier of PIPE_V")
                        .at("executed here")
                        .note("vector instructions of a5 run in order from scope to scope")
                        .help("remove it; inside a scope use `pto.mem_bar`"),
                ));
            }
            Some(p) => self.issue(s, op, p, Work::Barrier)?,
            None => return Err(s.unknown(op)),
        }
        Ok(true)
    }

    fn semaphore(&mut self, s: &mut Shared<'_>, op: OpId, act: Act) -> Result<bool, Stop> {
        let ir = s.ir;
        if s.arch.is_none() {
            return Ok(true);
        }
        let pipe = ["pipe", "trigger_pipe"].iter().find_map(|n| ir.word_attr(op, n)).and_then(Pipe::from_keyword);
        let number = ["event_id", "buf_id", "flag_id", "id"].iter().find_map(|n| ir.int_attr(op, n));
        let id = match number {
            Some(n) => n as u32,
            None if ir.op(op).operands.is_empty() => return Err(s.unknown(op)),
            None => self.int(s, op, 0)? as u32,
        };
        let buffer = matches!(act, Act::GetBuf | Act::RlsBuf);
        let key = |posting: bool| {
            if buffer {
                Key::Buffer { core: self.on, id }
            } else {
                Key::Cross { to_core: if posting { 1 - self.on.min(1) } else { self.on }, id: id & 15 }
            }
        };
        let Some(pipe) = pipe else { return Err(s.unknown(op)) };
        self.exists(s, op, pipe)?;
        match (act, pipe) {
            // A buffer is free at first: its first owner does not wait.
            (Act::GetBuf, _) => {
                let key = key(false);
                if s.tiles.first_use(key) {
                    return Ok(true);
                }
                self.issue(s, op, pipe, Work::Take { key })?;
            }
            (Act::CrossSet | Act::RlsBuf, Pipe::S) => s.pipes.post(key(true), Unit::new(self.on, Pipe::S)),
            (Act::CrossSet | Act::RlsBuf, _) => self.issue(s, op, pipe, Work::Post { key: key(true) })?,
            (_, Pipe::S) => {
                if !s.pipes.scalar_take(&mut s.core, ir, self.on, key(false))? {
                    self.waiting = Some((op, format!("flag {id} of the other core")));
                    return Ok(false);
                }
            }
            _ => self.issue(s, op, pipe, Work::Take { key: key(false) })?,
        }
        Ok(true)
    }

    /// Issues an intrinsic.
    fn micro(&mut self, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
        let ir = s.ir;
        let Some(arch) = s.arch else { return Err(s.unknown(op)) };
        let Some(def) = decode::def_of(ir, op) else { return Err(s.unknown(op)) };
        let values = self.values(ir, op);
        let mut results: SmallVec<[Value; 2]> = SmallVec::new();
        for &r in &ir.op(op).results {
            let mut v = self.fresh(ir, Some(r));
            // A state register goes on in the same place.
            if let Value::Align(_) = v
                && let Some(old) = values.iter().find(|v| matches!(v, Value::Align(_)))
            {
                v = old.clone();
            }
            results.push(v);
        }
        let special = Rc::clone(&self.special);
        let source = Source { ir, op, def, arch, special: &special, values: &values, results: &results };
        let decoded = match decode::decode(&source) {
            Ok(d) => d,
            Err(why) => return Err(s.stop(codes::BAD_ARGUMENT, op, format!("`{}`: {why}", def.name))),
        };
        for (n, v) in results.iter().enumerate() {
            match v {
                Value::None => {}
                v => self.set_result(ir, op, n, v.clone()),
            }
        }
        self.advanced_pointer(s, op, &values);
        let Some(intrinsic) = find(arch, decoded.name) else { return Err(s.unknown(op)) };
        for v in results.iter().chain(&values) {
            s.reserve(v);
        }
        if intrinsic.pipe == Pipe::S {
            // Register writes take effect for what is issued later.
            s.core.spr = *self.special;
            s.core.mem.begin();
            let args = Args { name: decoded.name, list: &decoded.args };
            if let Err(fault) = (intrinsic.run)(&mut s.core, &args) {
                return Err(s.stop_with(super::pipes::fault_diagnostic(&fault, ir.op(op).span)));
            }
            if s.core.spr != *self.special {
                self.special = Rc::new(s.core.spr);
            }
            return Ok(());
        }
        if let Some((to, from)) = decoded.copy_first {
            let Some(copy) = find(arch, "reg_copy") else { return Err(s.unknown(op)) };
            let args = SmallVec::from_iter([to, from]);
            let call = Call { intrinsic: copy, args, special: Rc::clone(&special), unit_flag: None };
            self.issue(s, op, Pipe::V, Work::Call(Box::new(call)))?;
        }
        let special = decoded.special.map_or(special, Rc::new);
        let call = Call { intrinsic, args: decoded.args, special, unit_flag: decoded.unit_flag };
        self.exists(s, op, intrinsic.pipe)?;
        self.issue(s, op, intrinsic.pipe, Work::Call(Box::new(call)))
    }

    /// A result that is the pointer after the access: the base moved by the offset in elements.
    fn advanced_pointer(&mut self, s: &Shared<'_>, op: OpId, values: &[Value]) {
        let ir = s.ir;
        for (n, &r) in ir.op(op).results.iter().enumerate() {
            if ptr_of(&ir.ctx, ir.value_type(r)).is_none() {
                continue;
            }
            let base = values.iter().find_map(|v| if let Value::Ptr(p) = v { Some(*p) } else { None });
            let by = values.iter().find_map(Value::int);
            if let (Some(p), Some(by)) = (base, by) {
                let addr = p.addr.wrapping_add_signed(by.wrapping_mul(elem_bytes(p)));
                self.set_result(ir, op, n, Value::Ptr(Ptr { addr, ..p }));
            }
        }
    }
}

fn elem_bytes(p: Ptr) -> i64 {
    p.elem.map_or(1, |e| e.bytes() as i64)
}

impl Shared<'_> {
    /// Makes room for a register.
    fn reserve(&mut self, v: &Value) {
        match *v {
            Value::Reg { id, .. } if self.core.vregs.len() <= id as usize => {
                self.core.vregs.resize(id as usize + 1, [0; 256]);
            }
            Value::Mask(id) if self.core.masks.len() <= id as usize => {
                self.core.masks.resize(id as usize + 1, [0; 4]);
            }
            _ => {}
        }
    }

    pub(crate) fn stop_with(&mut self, d: Diagnostic) -> Stop {
        self.pipes.find(d);
        Stop
    }

    pub(crate) fn stop(&mut self, code: &'static str, op: OpId, message: impl Into<String>) -> Stop {
        let d = Diagnostic::error(code, self.ir.op(op).span, message).at("executed here");
        self.stop_with(d)
    }

    pub(crate) fn unknown(&mut self, op: OpId) -> Stop {
        let name = self.ir.op_name(op);
        let on = self.arch.map_or("by its meaning".to_owned(), |a| format!("as lowered code of {a}"));
        let d =
            Diagnostic::error(codes::UNKNOWN, self.ir.op(op).span, format!("the simulator cannot run `{name}` {on}"))
                .at("executed here")
                .note("the simulator stops rather than guess");
        self.stop_with(d)
    }
}
