//! Reading the MLIR generic form.

use super::{Cursor, Read, Resolver, Values, count};
use crate::codes;
use crate::registry::{Dialects, Named};
use crate::table::{Arity, OpDef};
use crate::upstream::cf;
use ptoc_ir::{AttrData, BlockId, OpKind, TypeId};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::{ItemKind, OpNode};
use smallvec::SmallVec;

impl<'t> Resolver<'t> {
    pub(super) fn generic_op(&mut self, node: &'t OpNode, block: BlockId, named: Named) -> Read<()> {
        let kind = match named {
            Named::Table(k) | Named::Upstream(k) => k,
            _ if self.options.allow_unregistered => OpKind::UNREGISTERED,
            _ => return Err(self.unknown(node)),
        };
        let mut c = Cursor::new(self.tree, node.items, node.span);
        let p = c.expect(ItemKind::Paren)?;
        let mut inner = c.inside(p);
        let operands = self.values(&mut inner)?;
        inner.expect_done()?;
        let mut successors = SmallVec::new();
        if let Some(g) = c.eat(ItemKind::Bracket) {
            let mut inner = c.inside(g);
            while !inner.is_done() {
                successors.push(self.successor(&mut inner)?);
                if inner.eat(ItemKind::Comma).is_none() {
                    break;
                }
            }
            inner.expect_done()?;
        }
        let mut attrs = Vec::new();
        let mut ignore = |_, _, _| {};
        if let Some(g) = c.eat(ItemKind::Angle) {
            let mut inner = c.inside(g);
            let dict = inner.expect(ItemKind::Brace)?;
            self.texts.dict(&mut self.ir.ctx, inner.inside(dict), &mut attrs, &mut ignore)?;
        }
        let mut regions = Vec::new();
        if let Some(g) = c.eat(ItemKind::Paren) {
            let mut inner = c.inside(g);
            while !inner.is_done() {
                let item = inner.expect(ItemKind::Region)?;
                regions.extend(item.region());
                if inner.eat(ItemKind::Comma).is_none() {
                    break;
                }
            }
            inner.expect_done()?;
        }
        if let Some(g) = c.eat(ItemKind::Brace) {
            self.texts.dict(&mut self.ir.ctx, c.inside(g), &mut attrs, &mut ignore)?;
        }
        c.expect(ItemKind::Colon)?;
        let p = c.expect(ItemKind::Paren)?;
        let mut inner = c.inside(p);
        let mut written: Vec<(TypeId, Span)> = Vec::new();
        if !inner.is_done() {
            self.texts.type_list(&mut self.ir.ctx, &mut inner, &mut written)?;
            inner.expect_done()?;
        }
        if written.len() != operands.len() {
            return Err(Box::new(
                Diagnostic::error(
                    codes::OPERAND_COUNT,
                    p.span,
                    format!("{} for {}", count(written.len(), "type"), count(operands.len(), "operand")),
                )
                .help("write one type for each operand, in the same order"),
            ));
        }
        for (&(v, span), &(ty, at)) in operands.iter().zip(&written) {
            self.check_type(v, span, ty, at)?;
        }
        c.expect(ItemKind::Arrow)?;
        let results = self.result_types(&mut c)?;
        let types: SmallVec<[TypeId; 2]> = results.iter().map(|&(t, _)| t).collect();

        let operands = self.hand_to_successors(node, kind, &mut attrs, operands, &mut successors)?;
        let segments = self.segments(node, kind, &mut attrs, operands.len(), types.len())?;
        let op = self.ir.create_op(kind, node.span, &types);
        self.ir.append(block, op);
        if kind == OpKind::UNREGISTERED {
            let name = self.text(node.name);
            let s = self.ctx().sym(name);
            self.ir.op_mut(op).name = s;
        }
        let data = self.ir.op_mut(op);
        data.segments = segments;
        for (v, span) in operands {
            data.operands.push(v);
            data.operand_spans.push(span);
        }
        data.attrs.extend(attrs);
        data.successors = successors;
        if let Some(def) = Dialects::get().def(kind) {
            self.generic_attrs(def, op, node.span)?;
            if def.has_value_form() && !types.is_empty() {
                self.ir.op_mut(op).form = ptoc_ir::Form::Ssa;
            }
        }
        if self.ir.op_name(op) == cf::SWITCH {
            cf::unpack_case_values(self, op)?;
        }
        self.define_results(node, op)?;
        let padded = self.ir.info(op).map_or(0, |i| usize::from(i.generic_regions));
        for (i, &r) in regions.iter().enumerate() {
            let missing = i + 1 == padded && i + 1 == regions.len() && self.tree.region(r).blocks.is_empty();
            if !missing {
                self.region_into(op, r, &SmallVec::new())?;
            }
        }
        self.location(op, &mut c)?;
        c.expect_done()
    }

    /// Takes the values that successors are handed from the end of the operands: all operands of a jump to one block, those of
    /// `operandSegmentSizes` where there are more. Values written in the brackets stay where they are.
    fn hand_to_successors(
        &mut self,
        node: &OpNode,
        kind: OpKind,
        attrs: &mut Vec<ptoc_ir::NamedAttr>,
        mut operands: Values,
        successors: &mut [ptoc_ir::Successor],
    ) -> Read<Values> {
        if kind == OpKind::UNREGISTERED || successors.is_empty() || successors.iter().any(|s| !s.args.is_empty()) {
            return Ok(operands);
        }
        let numbers = |name: &str| {
            let &(_, a) = attrs.iter().find(|(n, _)| self.ir.ctx.str(*n) == name)?;
            match self.ir.ctx.attr_data(a) {
                AttrData::DenseArray { values, .. } => {
                    Some(values.iter().map(|&v| usize::try_from(v).unwrap_or(usize::MAX)).collect::<Vec<usize>>())
                }
                _ => None,
            }
        };
        let mut sizes = match numbers("operandSegmentSizes") {
            Some(sizes) => sizes,
            None if successors.len() == 1 => vec![0, operands.len()],
            None => return Ok(operands),
        };
        // A switch has one group for all cases, which other numbers divide.
        if let Some(cases) = numbers(cf::CASE_SEGMENTS) {
            let all = cases.iter().try_fold(0usize, |sum, &n| sum.checked_add(n));
            if all == sizes.pop() {
                sizes.extend(cases);
            }
            attrs.retain(|&(n, _)| self.ir.ctx.str(n) != cf::CASE_SEGMENTS);
        }
        let total = sizes.iter().try_fold(0usize, |sum, &n| sum.checked_add(n));
        if sizes.len() != successors.len() + 1 || total != Some(operands.len()) {
            let (operands, groups) = (count(operands.len(), "operand"), successors.len() + 1);
            return Err(Box::new(
                Diagnostic::error(
                    codes::OPERAND_COUNT,
                    node.span,
                    format!("`operandSegmentSizes` does not split {operands} into {groups} groups"),
                )
                .help("give one number for the operation's own operands and one for each successor"),
            ));
        }
        let mut handed = operands.drain(sizes[0]..).map(|(v, _)| v);
        for (s, &n) in successors.iter_mut().zip(&sizes[1..]) {
            s.args.extend(handed.by_ref().take(n));
        }
        drop(handed);
        Ok(operands)
    }

    /// Checks the attributes of a table operation as the custom form does.
    fn generic_attrs(&mut self, def: &'static OpDef, op: ptoc_ir::OpId, span: Span) -> Read<()> {
        for i in 0..self.ir.op(op).attrs.len() {
            let (name, value) = self.ir.op(op).attrs[i];
            if let Some(a) = def.attr(self.ir.ctx.str(name)) {
                let value = self.normalize(a, value, span)?;
                self.ir.op_mut(op).attrs[i].1 = value;
            }
        }
        Ok(())
    }

    /// How the operands split into segments: by `operandSegmentSizes`, or the only way there is.
    fn segments(
        &mut self,
        node: &OpNode,
        kind: OpKind,
        attrs: &mut Vec<ptoc_ir::NamedAttr>,
        operands: usize,
        results: usize,
    ) -> Read<SmallVec<[u16; 8]>> {
        let at = attrs
            .iter()
            .position(|(n, _)| matches!(self.ir.ctx.str(*n), "operandSegmentSizes" | "operand_segment_sizes"));
        let Some(def) = Dialects::get().def(kind) else {
            // Upstream operations: a segment for each operand; the sizes say nothing more.
            if let Some(i) = at
                && kind != OpKind::UNREGISTERED
            {
                attrs.remove(i);
            }
            return Ok(std::iter::repeat_n(1, operands).collect());
        };
        let n = def.operands.len();
        let bad = |message: String| {
            let names: Vec<&str> = def.operands.iter().map(|o| o.name).collect();
            Box::new(
                Diagnostic::error(codes::OPERAND_COUNT, node.span, format!("{}: {message}", def.name))
                    .note(format!("its operands are {}", names.join(", ")))
                    .help("give `operandSegmentSizes = array<i32: ...>` with one number for each of them"),
            )
        };
        if let Some(i) = at {
            let (_, a) = attrs.remove(i);
            let AttrData::DenseArray { values, .. } = self.ir.ctx.attr_data(a) else {
                return Err(bad("`operandSegmentSizes` is no array of integers".into()));
            };
            let sizes: Option<SmallVec<[u16; 8]>> = values.iter().map(|&v| u16::try_from(v).ok()).collect();
            return match sizes {
                Some(s) if s.len() == n && s.iter().map(|&x| x as usize).sum::<usize>() == operands => {
                    for (o, &size) in def.operands.iter().zip(&s) {
                        let dest = o.is_dest() && results > 0;
                        let ok = match o.arity {
                            Arity::One => size == 1 || (size == 0 && (dest || o.scratch)),
                            Arity::Optional => size <= 1,
                            Arity::Variadic => true,
                        };
                        if !ok {
                            return Err(bad(format!("operand `{}` cannot have {size} values", o.name)));
                        }
                    }
                    Ok(s)
                }
                _ => Err(bad(format!(
                    "`operandSegmentSizes` does not split {} into {n} groups",
                    count(operands, "operand")
                ))),
            };
        }
        let value_form = def.has_value_form() && results > 0;
        let required = |o: &crate::table::OperandDef| o.arity == Arity::One && !(value_form && o.is_dest());
        let needed = def.operands.iter().filter(|o| required(o)).count();
        if operands < needed {
            return Err(bad(format!("{} given, {needed} needed", count(operands, "operand"))));
        }
        let mut spare = operands - needed;
        let mut out = SmallVec::new();
        for o in def.operands {
            let take = match o.arity {
                _ if required(o) => 1,
                Arity::Variadic => std::mem::take(&mut spare),
                _ if spare > 0 && !o.is_dest() => {
                    spare -= 1;
                    1
                }
                _ => 0,
            };
            out.push(take as u16);
        }
        if spare > 0 {
            return Err(bad(format!("{} too many", count(spare, "operand"))));
        }
        Ok(out)
    }
}
