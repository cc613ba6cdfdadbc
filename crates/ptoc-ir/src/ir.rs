//! Storage of operations, values, blocks and regions, and how to change them.

use crate::{
    AttrData, AttrId, BlockId, Context, OpId, OpInfo, OpKind, RegionId, Registry, Sym, Traits, TypeId, ValueId,
};
use ptoc_source::Span;
use smallvec::SmallVec;

/// Which of the text forms an op was written in and prints as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Form {
    /// The form of the op's dialect (for tile instructions: AS level 2, DPS).
    #[default]
    Custom,
    /// AS level 1: results are values, `%d = pto.trowprod %s, %tmp : (T, T) -> T`.
    Ssa,
    /// PTO-AS: results are values, temporaries are hidden, `%d = trowprod %s : T -> T`.
    Sync,
}

/// A named attribute.
pub type NamedAttr = (Sym, AttrId);

/// A jump target with the values passed to the block's arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    /// Where to.
    pub block: BlockId,
    /// Values for the block's arguments.
    pub args: SmallVec<[ValueId; 4]>,
}

/// One operation.
///
/// The inline sizes of the lists are those that cost no more room than a list on the heap would.
///
/// Operands come in segments, one for each operand its table entry declares (in table order): 0 values for an absent
/// optional operand, more than one for a variadic one. An op without table has a single segment.
#[derive(Clone, Debug)]
pub struct OpData {
    /// What it is.
    pub kind: OpKind,
    /// How it prints.
    pub form: Form,
    /// Name of an unregistered op; empty otherwise.
    pub name: Sym,
    /// Where it came from.
    pub span: Span,
    /// Operand values in table order.
    pub operands: SmallVec<[ValueId; 4]>,
    /// Where in the source each operand was written; may be shorter than `operands`.
    pub operand_spans: SmallVec<[Span; 4]>,
    /// Values in each operand segment.
    pub segments: SmallVec<[u16; 8]>,
    /// Results.
    pub results: SmallVec<[ValueId; 4]>,
    /// Attributes in source order.
    pub attrs: SmallVec<[NamedAttr; 2]>,
    /// Regions.
    pub regions: SmallVec<[RegionId; 4]>,
    /// Successors of a terminator.
    pub successors: SmallVec<[Successor; 0]>,
    /// A written `loc(...)`, kept as it stands.
    pub loc: Option<AttrId>,
    parent: Option<BlockId>,
    prev: Option<OpId>,
    next: Option<OpId>,
    erased: bool,
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The n-th result of an op.
    Result(OpId, u32),
    /// The n-th argument of a block.
    Arg(BlockId, u32),
}

/// One value.
#[derive(Clone, Copy, Debug)]
pub struct ValueData {
    /// Its type.
    pub ty: TypeId,
    /// Where it comes from.
    pub def: ValueDef,
    /// Name in the source without `%`; empty when it had none or only a number.
    pub name: Sym,
}

/// One block.
#[derive(Clone, Debug, Default)]
pub struct BlockData {
    /// Arguments.
    pub args: SmallVec<[ValueId; 4]>,
    /// Label in the source without `^`; `None` for an entry block without label.
    pub label: Option<Sym>,
    first: Option<OpId>,
    last: Option<OpId>,
    parent: Option<RegionId>,
}

/// One region.
#[derive(Clone, Debug, Default)]
pub struct RegionData {
    /// Its blocks; the first is the entry.
    pub blocks: SmallVec<[BlockId; 4]>,
    parent: Option<OpId>,
}

/// A whole program: the interners, all entities and the top-level region.
#[derive(Debug)]
pub struct Ir {
    /// Interned strings, types and attributes.
    pub ctx: Context,
    registry: &'static Registry,
    ops: Vec<OpData>,
    values: Vec<ValueData>,
    blocks: Vec<BlockData>,
    regions: Vec<RegionData>,
    top: BlockId,
}

impl Ir {
    /// An empty program whose op kinds come from `registry`.
    pub fn new(registry: &'static Registry) -> Self {
        let mut ir = Ir {
            ctx: Context::default(),
            registry,
            ops: Vec::new(),
            values: Vec::new(),
            blocks: Vec::new(),
            regions: Vec::new(),
            top: BlockId::from_index(0),
        };
        let region = ir.create_region();
        ir.top = ir.create_block(region);
        ir
    }

    /// Makes room for that many more ops and values, when a program of known size is about to be built.
    pub fn reserve(&mut self, ops: usize, values: usize) {
        self.ops.reserve_exact(ops);
        self.values.reserve_exact(values);
    }

    /// The op kinds.
    pub fn registry(&self) -> &'static Registry {
        self.registry
    }

    /// The block that holds the top-level ops.
    pub fn top(&self) -> BlockId {
        self.top
    }

    // ---- reading ----

    /// An op.
    pub fn op(&self, op: OpId) -> &OpData {
        &self.ops[op.index()]
    }

    /// An op, to change its fields; structure is changed through the methods of `Ir`.
    pub fn op_mut(&mut self, op: OpId) -> &mut OpData {
        &mut self.ops[op.index()]
    }

    /// A value.
    pub fn value(&self, value: ValueId) -> &ValueData {
        &self.values[value.index()]
    }

    /// The type of a value.
    pub fn value_type(&self, value: ValueId) -> TypeId {
        self.values[value.index()].ty
    }

    /// A block.
    pub fn block(&self, block: BlockId) -> &BlockData {
        &self.blocks[block.index()]
    }

    /// A region.
    pub fn region(&self, region: RegionId) -> &RegionData {
        &self.regions[region.index()]
    }

    /// Number of ops ever created; handles below it are valid.
    pub fn op_count(&self) -> usize {
        self.ops.len()
    }

    /// Number of values ever created.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Number of blocks ever created.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The full name of an op.
    pub fn op_name(&self, op: OpId) -> &str {
        let data = self.op(op);
        match self.registry.info(data.kind) {
            Some(info) => info.name,
            None => self.ctx.str(data.name),
        }
    }

    /// The registered facts of an op.
    pub fn info(&self, op: OpId) -> Option<&'static OpInfo> {
        self.registry.info(self.op(op).kind)
    }

    /// True when the op's kind has the trait.
    pub fn has_trait(&self, op: OpId, t: Traits) -> bool {
        self.info(op).is_some_and(|i| i.traits.has(t))
    }

    /// Block that holds the op.
    pub fn parent_block(&self, op: OpId) -> Option<BlockId> {
        self.op(op).parent
    }

    /// Region that holds the block.
    pub fn block_region(&self, block: BlockId) -> Option<RegionId> {
        self.block(block).parent
    }

    /// Op that holds the region; `None` for the top region.
    pub fn region_op(&self, region: RegionId) -> Option<OpId> {
        self.region(region).parent
    }

    /// Op whose region holds this op.
    pub fn parent_op(&self, op: OpId) -> Option<OpId> {
        self.parent_block(op).and_then(|b| self.block_op(b))
    }

    /// Op whose region holds this block.
    pub fn block_op(&self, block: BlockId) -> Option<OpId> {
        self.block_region(block).and_then(|r| self.region_op(r))
    }

    /// Next op in the block.
    pub fn next_op(&self, op: OpId) -> Option<OpId> {
        self.op(op).next
    }

    /// Previous op in the block.
    pub fn prev_op(&self, op: OpId) -> Option<OpId> {
        self.op(op).prev
    }

    /// First op of a block.
    pub fn first_op(&self, block: BlockId) -> Option<OpId> {
        self.block(block).first
    }

    /// Last op of a block.
    pub fn last_op(&self, block: BlockId) -> Option<OpId> {
        self.block(block).last
    }

    /// The ops of a block in order.
    pub fn block_ops(&self, block: BlockId) -> impl Iterator<Item = OpId> + '_ {
        let mut next = self.first_op(block);
        std::iter::from_fn(move || {
            let op = next?;
            next = self.next_op(op);
            Some(op)
        })
    }

    /// The single block of the op's n-th region.
    pub fn body(&self, op: OpId, n: usize) -> Option<BlockId> {
        self.op(op).regions.get(n).and_then(|&r| self.region(r).blocks.first().copied())
    }

    /// Index range in `operands` of the n-th segment; empty when there is no such segment.
    pub fn segment(&self, op: OpId, n: usize) -> std::ops::Range<usize> {
        let data = self.op(op);
        let Some(&len) = data.segments.get(n) else { return 0..0 };
        let start: usize = data.segments[..n].iter().map(|&s| s as usize).sum();
        let end = (start + len as usize).min(data.operands.len());
        start.min(end)..end
    }

    /// The values of the n-th operand segment.
    pub fn segment_values(&self, op: OpId, n: usize) -> &[ValueId] {
        let range = self.segment(op, n);
        &self.op(op).operands[range]
    }

    /// The single value of the n-th operand segment.
    pub fn operand(&self, op: OpId, n: usize) -> Option<ValueId> {
        self.segment_values(op, n).first().copied()
    }

    /// Source text span of the i-th operand value, or of the op when it was not written.
    pub fn operand_span(&self, op: OpId, i: usize) -> Span {
        let data = self.op(op);
        data.operand_spans.get(i).copied().filter(|s| !s.is_none()).unwrap_or(data.span)
    }

    /// An attribute by name.
    pub fn attr(&self, op: OpId, name: &str) -> Option<AttrId> {
        self.op(op).attrs.iter().find(|(n, _)| self.ctx.str(*n) == name).map(|&(_, a)| a)
    }

    /// The data of an attribute by name.
    pub fn attr_data(&self, op: OpId, name: &str) -> Option<&AttrData> {
        self.attr(op, name).map(|a| self.ctx.attr_data(a))
    }

    /// An integer attribute.
    pub fn int_attr(&self, op: OpId, name: &str) -> Option<i128> {
        match self.attr_data(op, name)? {
            AttrData::Integer { value, .. } => Some(*value),
            AttrData::Bool(b) => Some(i128::from(*b)),
            _ => None,
        }
    }

    /// The text of a string attribute or the body of a dialect attribute (`final` of `#pto<st_phase final>`).
    pub fn word_attr(&self, op: OpId, name: &str) -> Option<&str> {
        match self.attr_data(op, name)? {
            AttrData::String(s) => Some(self.ctx.str(*s)),
            AttrData::Dialect { body, .. } => Some(self.ctx.str(*body)),
            _ => None,
        }
    }

    /// The op that defines a value, unless it is a block argument.
    pub fn defining_op(&self, value: ValueId) -> Option<OpId> {
        match self.value(value).def {
            ValueDef::Result(op, _) => Some(op),
            ValueDef::Arg(..) => None,
        }
    }

    // ---- building ----

    /// A detached op. Result values are made from `result_types`.
    pub fn create_op(&mut self, kind: OpKind, span: Span, result_types: &[TypeId]) -> OpId {
        let id = OpId::from_index(self.ops.len());
        let mut results = SmallVec::new();
        for (i, &ty) in result_types.iter().enumerate() {
            results.push(self.create_value(ty, ValueDef::Result(id, i as u32)));
        }
        self.ops.push(OpData {
            kind,
            form: Form::Custom,
            name: Context::EMPTY,
            span,
            operands: SmallVec::new(),
            operand_spans: SmallVec::new(),
            segments: SmallVec::new(),
            results,
            attrs: SmallVec::new(),
            regions: SmallVec::new(),
            successors: SmallVec::new(),
            loc: None,
            parent: None,
            prev: None,
            next: None,
            erased: false,
        });
        id
    }

    fn create_value(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        let id = ValueId::from_index(self.values.len());
        self.values.push(ValueData { ty, def, name: Context::EMPTY });
        id
    }

    /// Adds a result to an op.
    pub fn add_result(&mut self, op: OpId, ty: TypeId) -> ValueId {
        let n = self.op(op).results.len() as u32;
        let v = self.create_value(ty, ValueDef::Result(op, n));
        self.op_mut(op).results.push(v);
        v
    }

    /// Drops the results of an op from the n-th on; nothing may use them any more.
    pub fn truncate_results(&mut self, op: OpId, n: usize) {
        self.op_mut(op).results.truncate(n);
    }

    /// A detached region.
    pub fn create_region(&mut self) -> RegionId {
        let id = RegionId::from_index(self.regions.len());
        self.regions.push(RegionData::default());
        id
    }

    /// A new region at the end of an op's regions.
    pub fn add_region(&mut self, op: OpId) -> RegionId {
        let r = self.create_region();
        self.attach_region(op, r);
        r
    }

    /// Gives a detached region to an op.
    pub fn attach_region(&mut self, op: OpId, region: RegionId) {
        self.regions[region.index()].parent = Some(op);
        self.op_mut(op).regions.push(region);
    }

    /// A new block at the end of a region.
    pub fn create_block(&mut self, region: RegionId) -> BlockId {
        let id = BlockId::from_index(self.blocks.len());
        self.blocks.push(BlockData { parent: Some(region), ..BlockData::default() });
        self.regions[region.index()].blocks.push(id);
        id
    }

    /// A new region with one empty block.
    pub fn add_body(&mut self, op: OpId) -> BlockId {
        let r = self.add_region(op);
        self.create_block(r)
    }

    /// Sets the label of a block.
    pub fn set_label(&mut self, block: BlockId, label: Option<Sym>) {
        self.blocks[block.index()].label = label;
    }

    /// Adds an argument to a block.
    pub fn add_block_arg(&mut self, block: BlockId, ty: TypeId) -> ValueId {
        let n = self.block(block).args.len() as u32;
        let v = self.create_value(ty, ValueDef::Arg(block, n));
        self.blocks[block.index()].args.push(v);
        v
    }

    /// Drops the arguments of a block from the n-th on; nothing may use them any more.
    pub fn truncate_block_args(&mut self, block: BlockId, n: usize) {
        self.blocks[block.index()].args.truncate(n);
    }

    /// Keeps only the block arguments whose bit is true, renumbering the rest; nothing may use the dropped ones.
    pub fn retain_block_args(&mut self, block: BlockId, keep: &[bool]) {
        let args = std::mem::take(&mut self.blocks[block.index()].args);
        let kept: SmallVec<[ValueId; 4]> =
            args.iter().enumerate().filter(|(i, _)| keep.get(*i).copied().unwrap_or(true)).map(|(_, &v)| v).collect();
        for (i, &v) in kept.iter().enumerate() {
            self.values[v.index()].def = ValueDef::Arg(block, i as u32);
        }
        self.blocks[block.index()].args = kept;
    }

    /// Keeps only the results whose bit is true, renumbering the rest; nothing may use the dropped ones.
    pub fn retain_results(&mut self, op: OpId, keep: &[bool]) {
        let results = std::mem::take(&mut self.op_mut(op).results);
        let kept: SmallVec<[ValueId; 4]> = results
            .iter()
            .enumerate()
            .filter(|(i, _)| keep.get(*i).copied().unwrap_or(true))
            .map(|(_, &v)| v)
            .collect();
        for (i, &v) in kept.iter().enumerate() {
            self.values[v.index()].def = ValueDef::Result(op, i as u32);
        }
        self.op_mut(op).results = kept;
    }

    /// Changes the type of a value.
    pub fn set_value_type(&mut self, value: ValueId, ty: TypeId) {
        self.values[value.index()].ty = ty;
    }

    /// Names a value (without `%`).
    pub fn set_name(&mut self, value: ValueId, name: &str) {
        let s = self.ctx.sym(name);
        self.values[value.index()].name = s;
    }

    /// Names a value by an interned string.
    pub fn set_name_sym(&mut self, value: ValueId, name: Sym) {
        self.values[value.index()].name = name;
    }

    /// Appends one operand segment.
    pub fn push_segment(&mut self, op: OpId, values: &[ValueId]) {
        let data = self.op_mut(op);
        data.operands.extend_from_slice(values);
        data.segments.push(values.len() as u16);
    }

    /// Replaces the values of the n-th segment; missing segments before it become empty.
    pub fn set_segment(&mut self, op: OpId, n: usize, values: &[ValueId]) {
        while self.op(op).segments.len() <= n {
            self.op_mut(op).segments.push(0);
        }
        let range = self.segment(op, n);
        let data = self.op_mut(op);
        if !data.operand_spans.is_empty() {
            let spans: SmallVec<[Span; 4]> =
                (0..data.operands.len()).map(|i| data.operand_spans.get(i).copied().unwrap_or(Span::NONE)).collect();
            let mut out: SmallVec<[Span; 4]> = spans[..range.start].into();
            out.extend((0..values.len()).map(|i| spans[range.clone()].get(i).copied().unwrap_or(Span::NONE)));
            out.extend_from_slice(&spans[range.end..]);
            data.operand_spans = out;
        }
        let mut operands: SmallVec<[ValueId; 4]> = data.operands[..range.start].into();
        operands.extend_from_slice(values);
        operands.extend_from_slice(&data.operands[range.end..]);
        data.operands = operands;
        data.segments[n] = values.len() as u16;
    }

    /// Sets an attribute, replacing one of the same name.
    pub fn set_attr(&mut self, op: OpId, name: &str, value: AttrId) {
        let name = self.ctx.sym(name);
        let attrs = &mut self.op_mut(op).attrs;
        match attrs.iter_mut().find(|(n, _)| *n == name) {
            Some(a) => a.1 = value,
            None => attrs.push((name, value)),
        }
    }

    /// Removes an attribute.
    pub fn remove_attr(&mut self, op: OpId, name: &str) -> Option<AttrId> {
        let sym = self.ctx.find_sym(name)?;
        let attrs = &mut self.op_mut(op).attrs;
        let i = attrs.iter().position(|(n, _)| *n == sym)?;
        Some(attrs.remove(i).1)
    }

    // ---- placing ----

    /// Appends a detached op to a block.
    pub fn append(&mut self, block: BlockId, op: OpId) {
        let last = self.block(block).last;
        self.link(op, block, last, None);
    }

    /// Puts a detached op first in a block.
    pub fn prepend(&mut self, block: BlockId, op: OpId) {
        let first = self.block(block).first;
        self.link(op, block, None, first);
    }

    /// Puts a detached op before another; a detached `before` leaves `op` detached.
    pub fn insert_before(&mut self, before: OpId, op: OpId) {
        if let Some(block) = self.parent_block(before) {
            let prev = self.prev_op(before);
            self.link(op, block, prev, Some(before));
        }
    }

    /// Puts a detached op after another; a detached `after` leaves `op` detached.
    pub fn insert_after(&mut self, after: OpId, op: OpId) {
        if let Some(block) = self.parent_block(after) {
            let next = self.next_op(after);
            self.link(op, block, Some(after), next);
        }
    }

    fn link(&mut self, op: OpId, block: BlockId, prev: Option<OpId>, next: Option<OpId>) {
        debug_assert!(self.op(op).parent.is_none(), "op is placed already");
        let data = self.op_mut(op);
        data.parent = Some(block);
        data.prev = prev;
        data.next = next;
        match prev {
            Some(p) => self.op_mut(p).next = Some(op),
            None => self.blocks[block.index()].first = Some(op),
        }
        match next {
            Some(n) => self.op_mut(n).prev = Some(op),
            None => self.blocks[block.index()].last = Some(op),
        }
    }

    /// Takes an op out of its block; it can be placed again.
    pub fn detach(&mut self, op: OpId) {
        let data = self.op_mut(op);
        let (parent, prev, next) = (data.parent.take(), data.prev.take(), data.next.take());
        let Some(block) = parent else { return };
        match prev {
            Some(p) => self.op_mut(p).next = next,
            None => self.blocks[block.index()].first = next,
        }
        match next {
            Some(n) => self.op_mut(n).prev = prev,
            None => self.blocks[block.index()].last = prev,
        }
    }

    /// Removes an op for good; nothing may use its results any more.
    pub fn erase(&mut self, op: OpId) {
        self.detach(op);
        let data = self.op_mut(op);
        data.erased = true;
        data.operands.clear();
        data.segments.clear();
        data.attrs.clear();
    }

    /// True after [`Ir::erase`].
    pub fn is_erased(&self, op: OpId) -> bool {
        self.op(op).erased
    }

    /// Moves all ops of `from` to the end of `to`.
    pub fn splice_ops(&mut self, from: BlockId, to: BlockId) {
        let ops: Vec<OpId> = self.block_ops(from).collect();
        for op in ops {
            self.detach(op);
            self.append(to, op);
        }
    }
}
