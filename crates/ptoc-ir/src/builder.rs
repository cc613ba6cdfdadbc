//! Making ops at an insertion point.

use crate::{AttrId, BlockId, Ir, OpId, OpKind, TypeId, ValueId};
use ptoc_source::Span;

#[derive(Clone, Copy, Debug)]
enum Point {
    End(BlockId),
    Before(OpId),
}

/// Makes ops one after another at an insertion point. Every op gets the builder's span.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The program.
    pub ir: &'a mut Ir,
    point: Point,
    span: Span,
}

impl<'a> Builder<'a> {
    /// Inserts at the end of a block.
    pub fn at_end(ir: &'a mut Ir, block: BlockId, span: Span) -> Self {
        Builder { ir, point: Point::End(block), span }
    }

    /// Inserts before an op and takes its span.
    pub fn before(ir: &'a mut Ir, op: OpId) -> Self {
        let span = ir.op(op).span;
        Builder { ir, point: Point::Before(op), span }
    }

    /// The span new ops get.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Changes the span new ops get.
    pub fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Moves the insertion point to the end of a block and gives the builder for it.
    pub fn in_block(&mut self, block: BlockId) -> Builder<'_> {
        Builder { ir: self.ir, point: Point::End(block), span: self.span }
    }

    /// Places a detached op at the insertion point.
    pub fn insert(&mut self, op: OpId) -> OpId {
        match self.point {
            Point::End(block) => self.ir.append(block, op),
            Point::Before(before) => self.ir.insert_before(before, op),
        }
        op
    }

    /// Starts an op.
    pub fn op(&mut self, kind: OpKind) -> OpBuilder<'_, 'a> {
        let span = self.span;
        let op = self.ir.create_op(kind, span, &[]);
        OpBuilder { builder: self, op }
    }
}

/// One op being made; [`OpBuilder::build`] places it.
#[derive(Debug)]
pub struct OpBuilder<'b, 'a> {
    builder: &'b mut Builder<'a>,
    op: OpId,
}

impl OpBuilder<'_, '_> {
    /// Adds an operand segment with one value.
    #[must_use]
    pub fn operand(self, value: ValueId) -> Self {
        self.builder.ir.push_segment(self.op, &[value]);
        self
    }

    /// Adds one segment for each value.
    #[must_use]
    pub fn operands(self, values: &[ValueId]) -> Self {
        for &v in values {
            self.builder.ir.push_segment(self.op, &[v]);
        }
        self
    }

    /// Adds a segment with any number of values.
    #[must_use]
    pub fn segment(self, values: &[ValueId]) -> Self {
        self.builder.ir.push_segment(self.op, values);
        self
    }

    /// Adds a result.
    #[must_use]
    pub fn result(self, ty: TypeId) -> Self {
        self.builder.ir.add_result(self.op, ty);
        self
    }

    /// Sets an attribute.
    #[must_use]
    pub fn attr(self, name: &str, value: AttrId) -> Self {
        self.builder.ir.set_attr(self.op, name, value);
        self
    }

    /// Places the op.
    pub fn build(self) -> OpId {
        let op = self.op;
        self.builder.insert(op)
    }

    /// Places the op and gives its first result, which must have been declared with [`OpBuilder::result`].
    pub fn build_value(self) -> ValueId {
        let OpBuilder { builder, op } = self;
        builder.insert(op);
        builder.ir.op(op).results[0]
    }
}
