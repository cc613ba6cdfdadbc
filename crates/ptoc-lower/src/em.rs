//! Making ops where a tile instruction stood.

use crate::env::Env;
use ptoc_dialect::{AttrTy, Dialects, OpDef, kind};
use ptoc_ir::{AttrData, AttrId, BlockId, Ir, OpId, TypeId, ValueId};
use ptoc_source::Span;
use ptoc_target::Target;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Point {
    End(BlockId),
    Before(OpId),
}

/// What a function shares: constants and pointers made once at its head.
#[derive(Debug)]
pub(crate) struct Head {
    entry: BlockId,
    last: Option<OpId>,
    constants: FxHashMap<AttrId, ValueId>,
    pointers: FxHashMap<(i64, TypeId), ValueId>,
}

/// Makes ops one after another at an insertion point, with the span of the instruction that is lowered.
///
/// Constants and pointers to known addresses are made once, at the head of the function.
#[derive(Debug)]
pub struct Em<'a> {
    /// The program.
    pub ir: &'a mut Ir,
    /// The machine.
    pub target: &'a Target,
    pub(crate) env: Env,
    point: Point,
    span: Span,
    head: Head,
    replaced: FxHashMap<ValueId, ValueId>,
    fault: Option<String>,
}

impl<'a> Em<'a> {
    /// An emitter for the function whose entry block is `entry`.
    pub(crate) fn new(ir: &'a mut Ir, target: &'a Target, entry: BlockId) -> Self {
        let head = Head { entry, last: None, constants: FxHashMap::default(), pointers: FxHashMap::default() };
        Em {
            ir,
            target,
            env: Env::default(),
            point: Point::End(entry),
            span: Span::NONE,
            head,
            replaced: FxHashMap::default(),
            fault: None,
        }
    }

    // ---- place ----

    /// From now on ops go before `op` and take its span.
    pub(crate) fn move_before(&mut self, op: OpId) {
        self.point = Point::Before(op);
        self.span = self.ir.op(op).span;
    }

    fn place(&mut self, op: OpId) {
        match self.point {
            Point::End(block) => self.ir.append(block, op),
            Point::Before(before) => self.ir.insert_before(before, op),
        }
    }

    /// Runs `body` with the insertion point at the end of a block.
    fn within<R>(&mut self, block: BlockId, body: impl FnOnce(&mut Self) -> R) -> R {
        let saved = std::mem::replace(&mut self.point, Point::End(block));
        let result = body(self);
        self.point = saved;
        result
    }

    /// Places an op at the head of the function, behind those placed there before.
    fn place_at_head(&mut self, op: OpId) {
        match self.head.last {
            Some(last) => self.ir.insert_after(last, op),
            None => self.ir.prepend(self.head.entry, op),
        }
        self.head.last = Some(op);
    }

    // ---- replaced values and faults ----

    /// Uses of `old` become uses of `new` when the function is done.
    pub(crate) fn replace(&mut self, old: ValueId, new: ValueId) {
        let new = self.resolve(new);
        self.replaced.insert(old, new);
    }

    /// The value that stands for `value` now.
    pub fn resolve(&self, value: ValueId) -> ValueId {
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    pub(crate) fn into_replaced(self) -> FxHashMap<ValueId, ValueId> {
        self.replaced
    }

    /// Notes that the instruction can't be lowered because a number is out of range; the first fault is reported.
    pub fn fault(&mut self, what: impl Into<String>) {
        if self.fault.is_none() {
            self.fault = Some(what.into());
        }
    }

    pub(crate) fn take_fault(&mut self) -> Option<String> {
        self.fault.take()
    }

    // ---- ops ----

    /// Starts an op. Operands follow in table order.
    pub fn build(&mut self, name: &'static str) -> OpBuild<'_, 'a> {
        let kind = kind(name);
        debug_assert!(kind != ptoc_ir::OpKind::UNREGISTERED, "{name} is not registered");
        let op = self.ir.create_op(kind, self.span, &[]);
        OpBuild { em: self, op, def: Dialects::get().def(kind) }
    }

    /// An op without results; one operand segment for each value.
    pub fn emit(&mut self, name: &'static str, operands: &[ValueId]) -> OpId {
        self.build(name).args(operands).done()
    }

    /// An op with one result; one operand segment for each value.
    pub fn emit1(&mut self, name: &'static str, operands: &[ValueId], ty: TypeId) -> ValueId {
        self.build(name).args(operands).value(ty)
    }

    /// A constant of an integer or index type.
    pub fn int(&mut self, value: i64, ty: TypeId) -> ValueId {
        let attr = self.ir.ctx.int_attr(i128::from(value), ty);
        self.constant_attr(attr, ty, || format!("c{}", value).replace('-', "m"))
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> ValueId {
        let attr = self.ir.ctx.attr(AttrData::Bool(value));
        self.constant_attr(attr, ptoc_ir::builtin::I1, || value.to_string())
    }

    /// A floating-point constant.
    pub fn float(&mut self, value: f64, ty: TypeId) -> ValueId {
        let attr = self.ir.ctx.attr(AttrData::Float { bits: value.to_bits(), ty });
        self.constant_attr(attr, ty, || "cst".into())
    }

    /// A floating-point constant given by the bit pattern of its own type.
    pub fn float_bits(&mut self, bits: u64, ty: TypeId) -> ValueId {
        let attr = self.ir.ctx.attr(AttrData::FloatBits { bits, ty });
        self.constant_attr(attr, ty, || "cst".into())
    }

    fn constant_attr(&mut self, attr: AttrId, ty: TypeId, name: impl FnOnce() -> String) -> ValueId {
        if let Some(&v) = self.head.constants.get(&attr) {
            return v;
        }
        let op = self.ir.create_op(kind("arith.constant"), self.span, &[ty]);
        self.ir.set_attr(op, "value", attr);
        self.place_at_head(op);
        let v = self.ir.op(op).results[0];
        let suffix = self.ir.ctx.type_string(ty);
        let name = if matches!(suffix.as_str(), "index" | "i1") { name() } else { format!("{}_{suffix}", name()) };
        self.ir.set_name(v, &name);
        self.head.constants.insert(attr, v);
        v
    }

    /// The pointer to a known byte address, made once a function. `ty` is a `!pto.ptr`.
    pub(crate) fn pointer_at(&mut self, addr: i64, ty: TypeId, name: ptoc_ir::Sym) -> ValueId {
        if let Some(&v) = self.head.pointers.get(&(addr, ty)) {
            return v;
        }
        let addr_value = self.int(addr, ptoc_ir::builtin::I64);
        let op = self.ir.create_op(kind("pto.castptr"), self.span, &[ty]);
        self.ir.push_segment(op, &[addr_value]);
        self.place_at_head(op);
        let v = self.ir.op(op).results[0];
        self.ir.set_name_sym(v, name);
        self.head.pointers.insert((addr, ty), v);
        v
    }

    /// An op with one region of one block without arguments and without terminator (`pto.vecscope`).
    pub fn region(&mut self, name: &'static str, body: impl FnOnce(&mut Self)) {
        let op = self.build(name).done();
        let block = self.ir.add_body(op);
        self.within(block, body);
    }

    pub(crate) fn body_of(&mut self, op: OpId, args: &[TypeId]) -> BlockId {
        let block = self.ir.add_body(op);
        for &ty in args {
            self.ir.add_block_arg(block, ty);
        }
        block
    }

    pub(crate) fn in_block<R>(&mut self, block: BlockId, body: impl FnOnce(&mut Self) -> R) -> R {
        self.within(block, body)
    }
}

/// One op being made; [`OpBuild::done`] or [`OpBuild::value`] places it.
#[derive(Debug)]
pub struct OpBuild<'e, 'a> {
    em: &'e mut Em<'a>,
    op: OpId,
    def: Option<&'static OpDef>,
}

impl OpBuild<'_, '_> {
    /// One operand segment with one value.
    #[must_use]
    pub fn arg(self, value: ValueId) -> Self {
        self.em.ir.push_segment(self.op, &[value]);
        self
    }

    /// One operand segment for each value.
    #[must_use]
    pub fn args(self, values: &[ValueId]) -> Self {
        for &v in values {
            self.em.ir.push_segment(self.op, &[v]);
        }
        self
    }

    /// The segment of an optional operand.
    #[must_use]
    pub fn opt(self, value: Option<ValueId>) -> Self {
        self.em.ir.push_segment(self.op, value.as_slice());
        self
    }

    /// The segment of a variadic operand.
    #[must_use]
    pub fn many(self, values: &[ValueId]) -> Self {
        self.em.ir.push_segment(self.op, values);
        self
    }

    /// An attribute.
    #[must_use]
    pub fn attr(self, name: &str, value: AttrId) -> Self {
        self.em.ir.set_attr(self.op, name, value);
        self
    }

    /// An attribute that is a word of an enumeration or of a closed set.
    #[must_use]
    pub fn word(self, name: &str, word: &str) -> Self {
        let of = |e: &'static ptoc_dialect::EnumDef| e.code(word).map(|_| e);
        let found = match self.def.and_then(|d| d.attr(name)).map(|a| a.ty) {
            Some(AttrTy::Enum(e)) => of(e),
            Some(AttrTy::OneOf(es)) => es.iter().copied().find_map(of),
            _ => None,
        };
        let value = match found {
            Some(e) => self.em.ir.ctx.dialect_attr("pto", e.kind, word, e.spaced),
            None => self.em.ir.ctx.str_attr(word),
        };
        self.attr(name, value)
    }

    /// A result.
    #[must_use]
    pub fn result(self, ty: TypeId) -> Self {
        self.em.ir.add_result(self.op, ty);
        self
    }

    /// Places the op.
    pub fn done(self) -> OpId {
        self.em.place(self.op);
        self.op
    }

    /// Adds the only result and places the op.
    pub fn value(self, ty: TypeId) -> ValueId {
        let v = self.em.ir.add_result(self.op, ty);
        self.em.place(self.op);
        v
    }
}
