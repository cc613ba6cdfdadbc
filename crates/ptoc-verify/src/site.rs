//! One operation with everything rules ask about it.

use crate::facts::{TypeClass, TypeFacts, Types, Values};
use crate::kinds::{KindInfo, Place, Special, kinds};
use crate::rule::eval::Truth;
use crate::rule::{Attr, Opd};
use ptoc_dialect::types::{TileType, view_of};
use ptoc_ir::{Form, Ir, OpData, OpId, Sym, TypeData, ValueId};
use ptoc_source::Span;
use ptoc_target::{DType, Layout, Target};
use smallvec::SmallVec;

/// Handles of the attribute names that rules look at; `None` when the program has no such name.
#[derive(Debug)]
pub(crate) struct AttrSyms([[Option<Sym>; 2]; Attr::ALL.len()]);

impl AttrSyms {
    pub(crate) fn of(ir: &Ir) -> AttrSyms {
        let mut syms = [[None; 2]; Attr::ALL.len()];
        for &a in Attr::ALL {
            for (slot, word) in syms[a as usize].iter_mut().zip(a.words()) {
                *slot = ir.ctx.find_sym(word);
            }
        }
        AttrSyms(syms)
    }
}

/// What all sites of a program share.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) target: &'a Target,
    /// Nobody named the target.
    pub(crate) assumed: bool,
    pub(crate) types: Types,
    pub(crate) values: Values,
    pub(crate) attrs: AttrSyms,
}

/// One operation.
pub(crate) struct Site<'a> {
    pub(crate) program: &'a Program<'a>,
    pub(crate) op: OpId,
    pub(crate) info: &'static KindInfo,
    data: &'a OpData,
    /// First operand value of each segment.
    starts: SmallVec<[u16; 16]>,
    /// Only what the types say counts as known.
    types_only: bool,
}

impl Program<'_> {
    /// Where the target comes from, when nobody named it.
    pub(crate) fn assumption(&self) -> Option<String> {
        let name = self.target.name;
        self.assumed.then(|| format!("neither `--target` nor `pto.target_arch` names a target, so {name} is taken"))
    }
}

impl<'a> Site<'a> {
    pub(crate) fn new(program: &'a Program<'a>, op: OpId, info: &'static KindInfo) -> Site<'a> {
        let data = program.ir.op(op);
        let mut starts = SmallVec::with_capacity(data.segments.len());
        let mut at = 0u16;
        for &n in &data.segments {
            starts.push(at);
            at = at.saturating_add(n);
        }
        Site { program, op, info, data, starts, types_only: false }
    }

    /// The same operation, where only what the types say counts as known.
    pub(crate) fn only_types(&self) -> Site<'a> {
        Site { types_only: true, ..Site::new(self.program, self.op, self.info) }
    }

    pub(crate) fn arch(&self) -> &'static str {
        self.program.target.name
    }

    /// Index among the operand values of the first value of a role.
    fn operand_at(&self, o: Opd) -> Option<usize> {
        let n = self.info.operand(o)?;
        let (&start, &len) = self.starts.get(n).zip(self.data.segments.get(n))?;
        (len > 0).then_some(start as usize)
    }

    /// True when the operand of that position is a result in the op's form.
    fn as_result(&self, n: usize) -> Option<ValueId> {
        if self.data.form == Form::Custom {
            return None;
        }
        let def = self.info.def?;
        if !def.operands.get(n)?.is_dest() {
            return None;
        }
        let k = def.dests().position(|(i, _)| i == n)?;
        self.data.results.get(k).copied()
    }

    /// The value of a role; in the value forms a destination is the op's result.
    pub(crate) fn value(&self, o: Opd) -> Option<ValueId> {
        match self.info.place(o)? {
            Place::Result(i) => self.data.results.get(i).copied(),
            Place::Operand(n) => {
                if self.data.form != Form::Custom
                    && let Some(v) = self.as_result(n)
                {
                    return Some(v);
                }
                self.data.operands.get(self.operand_at(o)?).copied()
            }
        }
    }

    fn facts(&self, o: Opd) -> Option<&'a TypeFacts> {
        self.program.types.get(self.program.ir.value_type(self.value(o)?))
    }

    /// The tile type of an operand.
    pub(crate) fn tile(&self, o: Opd) -> Option<&'a TileType> {
        self.facts(o)?.tile.as_ref()
    }

    /// True for a view of global memory.
    pub(crate) fn is_view(&self, o: Opd) -> bool {
        self.facts(o).is_some_and(|f| matches!(f.class, TypeClass::View | TypeClass::Partition))
    }

    /// Element type of a tile, view or pointer, or the type of a number.
    pub(crate) fn dtype(&self, o: Opd) -> Option<DType> {
        self.facts(o)?.dtype
    }

    /// Layout of a tile, or of a view where the program says it.
    pub(crate) fn layout(&self, o: Opd) -> Option<Layout> {
        match self.tile(o) {
            Some(t) => Some(t.layout()),
            None => self.program.values.view_layout(self.value(o)?),
        }
    }

    pub(crate) fn valid_rows(&self, o: Opd) -> Option<i64> {
        if self.types_only {
            return self.tile(o)?.valid_rows.and_then(|n| i64::try_from(n).ok());
        }
        self.program.values.valid_rows(self.value(o)?)
    }

    pub(crate) fn valid_cols(&self, o: Opd) -> Option<i64> {
        if self.types_only {
            return self.tile(o)?.valid_cols.and_then(|n| i64::try_from(n).ok());
        }
        self.program.values.valid_cols(self.value(o)?)
    }

    /// The value of a number operand.
    pub(crate) fn constant(&self, o: Opd) -> Option<i64> {
        self.program.values.number(self.value(o)?)
    }

    /// Where the constant of a number operand was written, when that is elsewhere.
    pub(crate) fn constant_origin(&self, o: Opd) -> Option<Span> {
        self.constant(o)?;
        let def = self.program.ir.defining_op(self.value(o)?)?;
        let span = self.program.ir.op(def).span;
        (!span.is_none() && span != self.span(o)).then_some(span)
    }

    /// Address of a tile in bytes.
    pub(crate) fn address(&self, o: Opd) -> Option<u64> {
        self.program.values.address(self.value(o)?)
    }

    /// Number of dimensions of a view.
    pub(crate) fn rank(&self, o: Opd) -> Option<u8> {
        let ir = self.program.ir;
        u8::try_from(view_of(&ir.ctx, ir.value_type(self.value(o)?))?.dims.len()).ok()
    }

    /// Extent of a view, counted from the innermost dimension; 1 past its rank.
    pub(crate) fn dim(&self, o: Opd, from_inner: u8) -> Option<i64> {
        let ir = self.program.ir;
        let view = view_of(&ir.ctx, ir.value_type(self.value(o)?))?;
        match view.dims.len().checked_sub(1 + from_inner as usize) {
            Some(i) => match view.dims.get(i) {
                Some(&d) if d != TypeData::DYNAMIC => Some(d),
                _ if self.types_only => None,
                _ => self.window_size(o, i),
            },
            None => Some(1),
        }
    }

    /// Size of a partition in one dimension, from the operand that gives it.
    fn window_size(&self, o: Opd, dim: usize) -> Option<i64> {
        let ir = self.program.ir;
        let def = ir.defining_op(self.value(o)?)?;
        if kinds().get(ir.op(def).kind.index())?.special != Special::PartitionView {
            return None;
        }
        self.program.values.number(*ir.segment_values(def, 2).get(dim)?)
    }

    /// Whether two tiles are the same storage.
    pub(crate) fn same_storage(&self, a: Opd, b: Opd) -> Truth {
        let (Some(x), Some(y)) = (self.value(a), self.value(b)) else { return Truth::Unknown };
        if x == y {
            return Truth::Yes;
        }
        let values = &self.program.values;
        let ((rx, whole_x), (ry, whole_y)) = (values.root(x), values.root(y));
        if rx == ry {
            return if whole_x && whole_y { Truth::Yes } else { Truth::Unknown };
        }
        let (tx, ty) = (self.tile(a), self.tile(b));
        if let (Some(tx), Some(ty)) = (tx, ty) {
            if tx.loc != ty.loc {
                return Truth::No;
            }
            if let (Some(p), Some(q)) = (values.address(rx), values.address(ry))
                && whole_x
                && whole_y
            {
                if p == q {
                    return Truth::Yes;
                }
                let apart = tx.bytes().zip(ty.bytes()).is_some_and(|(m, n)| {
                    p.checked_add(m).is_some_and(|end| end <= q) || q.checked_add(n).is_some_and(|end| end <= p)
                });
                return if apart { Truth::No } else { Truth::Unknown };
            }
        }
        Truth::Unknown
    }

    /// The word of an attribute, or its default.
    pub(crate) fn word(&self, a: Attr) -> Option<&'a str> {
        match self.attr(a) {
            Some(data) => match data {
                ptoc_ir::AttrData::String(s) => Some(self.program.ir.ctx.str(*s)),
                ptoc_ir::AttrData::Dialect { body, .. } => Some(self.program.ir.ctx.str(*body)),
                ptoc_ir::AttrData::Bool(b) => Some(if *b { "true" } else { "false" }),
                _ => None,
            },
            None => self.info.default_word(a),
        }
    }

    fn attr(&self, a: Attr) -> Option<&'a ptoc_ir::AttrData> {
        if self.data.attrs.is_empty() {
            return None;
        }
        let syms = self.program.attrs.0[a as usize];
        let found = self.data.attrs.iter().find(|(n, _)| syms.contains(&Some(*n)))?;
        Some(self.program.ir.ctx.attr_data(found.1))
    }

    pub(crate) fn has_attr(&self, a: Attr) -> bool {
        self.attr(a).is_some()
    }

    /// Where an operand is written; the whole op for a result or an absent one.
    pub(crate) fn span(&self, o: Opd) -> Span {
        match self.operand_at(o) {
            Some(i) if self.info.operand(o).and_then(|n| self.as_result(n)).is_none() => {
                self.program.ir.operand_span(self.op, i)
            }
            _ => self.data.span,
        }
    }

    pub(crate) fn span_of_op(&self) -> Span {
        self.data.span
    }

    /// The beginning of the op, for a label that only says which op.
    pub(crate) fn span_of_name(&self) -> Span {
        self.data.span
    }
}
