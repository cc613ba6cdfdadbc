//! Reading the SSA and sync forms of an instruction.

use super::{Cursor, Read, Resolver, count};
use crate::asm::ValueForm;
use crate::codes;
use crate::registry::{Dialects, kind};
use crate::table::{Arity, Kind, OpDef};
use crate::types::{ViewKind, ViewType, tile_of, view_of};
use ptoc_ir::{AttrData, BlockId, Form, OpKind, TypeId, ValueId, builtin};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::{Item, ItemKind, OpNode};
use smallvec::SmallVec;

/// An operand as written: a name, or a number that stands for a constant.
#[derive(Clone, Copy)]
enum Written {
    Value(Span, ValueId),
    Number(Item),
}

impl<'t> Resolver<'t> {
    pub(super) fn value_op(
        &mut self,
        node: &'t OpNode,
        op_kind: OpKind,
        c: Cursor<'t>,
        block: BlockId,
        sync: bool,
    ) -> Read<()> {
        let dialects = Dialects::get();
        let form =
            dialects.def(op_kind).zip(dialects.format(op_kind)).and_then(|(d, f)| Some((d, f.value_form.as_ref()?)));
        let Some((def, form)) = form else { return Err(self.unknown(node)) };
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        let result = self.value_form(node, def, form, op_kind, c, block, sync, &mut state);
        self.state = state;
        result.map_err(|d| {
            if d.code != codes::SYNTAX || !d.notes.is_empty() {
                return d;
            }
            let named = d.message.starts_with(def.name);
            let message = if named { d.message.clone() } else { format!("{}: {}", def.name, d.message) };
            let mut d = d.note(format!("the form is  {}", crate::asm::describe_value(def, sync)));
            d.message = message;
            Box::new(d)
        })
    }

    #[allow(clippy::too_many_arguments, clippy::too_many_lines)]
    fn value_form(
        &mut self,
        node: &'t OpNode,
        def: &'static OpDef,
        form: &ValueForm,
        op_kind: OpKind,
        mut c: Cursor<'t>,
        block: BlockId,
        sync: bool,
        st: &mut super::table::State,
    ) -> Read<()> {
        let mut written: SmallVec<[Written; 8]> = SmallVec::new();
        let mut window: SmallVec<[Span; 5]> = SmallVec::new();
        let has_index = form.positional.iter().any(|&i| def.operands[i as usize].kind == Kind::Index);
        // The list: values, numbers, indices in brackets.
        while let Some(item) = c.peek() {
            match item.kind {
                ItemKind::Value => written.push(Written::Value(item.span, self.use_value(item.span)?)),
                ItemKind::Int | ItemKind::Float => written.push(Written::Number(item)),
                _ => break,
            }
            c.bump();
            if let Some(g) = c.eat(ItemKind::Bracket) {
                let mut inner = c.inside(g);
                while let Some(i) = inner.peek() {
                    match i.kind {
                        ItemKind::Value if has_index => written.push(Written::Value(i.span, self.use_value(i.span)?)),
                        ItemKind::Int if has_index => written.push(Written::Number(i)),
                        ItemKind::Value => window.push(i.span),
                        _ => return Err(inner.expected("an index")),
                    }
                    inner.bump();
                    if inner.eat(ItemKind::Comma).is_none() {
                        break;
                    }
                }
                inner.expect_done()?;
            }
            if c.eat(ItemKind::Comma).is_none() {
                break;
            }
        }
        // Keyword clauses, old content of destinations, attributes.
        let mut old: SmallVec<[Span; 2]> = SmallVec::new();
        while let Some(item) = c.peek() {
            let text = self.text(item.span);
            if item.kind == ItemKind::Word && text == "into" {
                c.bump();
                while let Some(v) = c.eat(ItemKind::Value) {
                    old.push(v.span);
                    if !(c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| i.kind == ItemKind::Value)) {
                        break;
                    }
                    c.bump();
                }
            } else if let Some((_, id)) =
                form.clauses.iter().find(|(w, _)| item.kind == ItemKind::Word && w.as_ref() == text)
            {
                c.bump();
                let v = c.expect(ItemKind::Value)?;
                let value = self.use_value(v.span)?;
                st.operands.push((*id, value, v.span));
            } else if let Some(g) = c.eat(ItemKind::Brace) {
                self.dict_attrs(def, c.inside(g), &mut st.attrs)?;
            } else {
                break;
            }
        }
        let (types, results) = self.signature(&mut c)?;
        if let Some(g) = c.eat(ItemKind::Brace) {
            self.dict_attrs(def, c.inside(g), &mut st.attrs)?;
        }
        let slots = self.assign(def, form, &written, node)?;

        // Result types: after the arrow; a single type without an arrow serves for all.
        let names: usize = self.tree.results(node.results).iter().map(|r| r.count as usize).sum();
        let results = match results {
            Some(r) => r,
            None if form.dests.is_empty() || names == 0 => Vec::new(),
            None => {
                let Some(&one) = types.last() else { return Err(c.expected("`:` and a type")) };
                vec![one; names]
            }
        };
        let required = form.dests.iter().filter(|&&i| def.operands[i as usize].arity == Arity::One).count();
        if results.len() < required || results.len() > form.dests.len() {
            let d = Diagnostic::error(
                codes::RESULT_COUNT,
                node.name,
                format!("{}: {} written, {} expected", def.name, count(results.len(), "result type"), form.dests.len()),
            );
            let names: Vec<&str> = form.dests.iter().map(|&i| def.operands[i as usize].name).collect();
            return Err(Box::new(if names.is_empty() {
                d.help("it has no result: write `-> ()`, or no arrow in the sync form")
            } else {
                d.note(format!("its results are {}", names.join(", ")))
            }));
        }

        // Which operands the written types belong to.
        let typed: SmallVec<[usize; 8]> = (0..written.len()).collect();
        let no_index: SmallVec<[usize; 8]> =
            typed.iter().copied().filter(|&n| def.operands[slots[n] as usize].kind != Kind::Index).collect();
        let clause_count = st.operands.len();
        let listed: &[usize] = if types.len() >= typed.len() + clause_count { &typed } else { &no_index };
        let shared = types.len() == 1 && listed.len() + clause_count != 1;
        if !shared && types.len() != listed.len() + clause_count && !(types.is_empty() && written.is_empty()) {
            let span = types.iter().fold(c.here(), |s, (_, t)| s.to(*t));
            return Err(Box::new(
                Diagnostic::error(
                    codes::OPERAND_COUNT,
                    span,
                    format!(
                        "{}: {} for {}",
                        def.name,
                        count(types.len(), "type"),
                        count(listed.len() + clause_count, "operand")
                    ),
                )
                .help("write one type for each operand, in the same order"),
            ));
        }
        let type_at = |n: usize| -> Option<(TypeId, Span)> {
            let at = listed.iter().position(|&l| l == n)?;
            if shared { None } else { types.get(at).copied() }
        };
        if !shared {
            for i in 0..clause_count {
                let (_, v, span) = st.operands[i];
                if let Some(&(ty, at)) = types.get(listed.len() + i) {
                    self.check_type(v, span, ty, at)?;
                }
            }
        }
        let elem = types.iter().chain(&results).find_map(|&(t, _)| tile_of(&self.ir.ctx, t)).map(|t| t.elem);
        for (n, w) in written.iter().enumerate() {
            let id = slots[n];
            let (value, span) = match *w {
                Written::Value(span, v) => {
                    if let Some((ty, at)) = type_at(n) {
                        self.check_type(v, span, ty, at)?;
                    } else if shared && def.operands[id as usize].kind == Kind::Tile {
                        let (ty, at) = types[0];
                        // With an arrow the one type is that of the sources; without, of everything.
                        self.check_type(v, span, ty, at)?;
                    }
                    (v, span)
                }
                Written::Number(item) => {
                    let ty = match def.operands[id as usize].kind {
                        Kind::Index => builtin::INDEX,
                        _ => type_at(n).map(|(t, _)| t).or(elem).unwrap_or(builtin::I32),
                    };
                    (self.immediate(item, ty, block)?, item.span)
                }
            };
            st.operands.push((id, value, span));
        }
        for (k, span) in old.iter().enumerate() {
            let Some(&id) = form.dests.get(k) else { return Err(c.expected("fewer tiles after `into`")) };
            let v = self.use_value(*span)?;
            if let Some(&(ty, at)) = results.get(k) {
                self.check_type(v, *span, ty, at)?;
            }
            st.operands.push((id, v, *span));
        }
        if !window.is_empty() {
            self.window(def, st, &window, &results, block, node)?;
        }
        let result_types: SmallVec<[TypeId; 2]> = results.iter().map(|&(t, _)| t).collect();
        let mut loc = c;
        let form_flag = if sync { Form::Sync } else { Form::Ssa };
        let op = self.make(node, def, op_kind, block, &result_types, form_flag, st)?;
        self.location(op, &mut loc)?;
        loc.expect_done()
    }

    /// Reads `: types -> results`. Results are `None` without an arrow.
    #[allow(clippy::type_complexity)]
    fn signature(&mut self, c: &mut Cursor<'t>) -> Read<(Vec<(TypeId, Span)>, Option<Vec<(TypeId, Span)>>)> {
        let mut types = Vec::new();
        if c.eat(ItemKind::Colon).is_none() {
            return Ok((types, None));
        }
        if let Some(p) = c.eat(ItemKind::Paren) {
            let mut inner = c.inside(p);
            if !inner.is_done() {
                self.texts.type_list(&mut self.ir.ctx, &mut inner, &mut types)?;
                inner.expect_done()?;
            }
        } else if !c.at(ItemKind::Arrow) {
            self.texts.type_list(&mut self.ir.ctx, c, &mut types)?;
        }
        if c.eat(ItemKind::Arrow).is_none() {
            return Ok((types, None));
        }
        let mut results = self.result_types(c)?;
        while c.eat(ItemKind::Comma).is_some() {
            let at = c.here();
            results.push((self.ty(c)?, at));
        }
        Ok((types, Some(results)))
    }

    /// Which operand each written value is.
    fn assign(
        &mut self,
        def: &'static OpDef,
        form: &ValueForm,
        written: &[Written],
        node: &OpNode,
    ) -> Read<SmallVec<[u8; 8]>> {
        let types: SmallVec<[Option<TypeId>; 8]> = written
            .iter()
            .map(|w| match w {
                Written::Value(_, v) => Some(self.ir.value_type(*v)),
                Written::Number(_) => None,
            })
            .collect();
        if let Some(slots) = form.slots(def, &self.ir.ctx, &types) {
            return Ok(slots);
        }
        let required = form.positional.iter().filter(|&&i| def.operands[i as usize].arity == Arity::One).count();
        let names: Vec<String> = form
            .positional
            .iter()
            .map(|&i| {
                let o = &def.operands[i as usize];
                if o.arity == Arity::One { o.name.to_owned() } else { format!("{} (optional)", o.name) }
            })
            .collect();
        Err(Box::new(
            Diagnostic::error(
                codes::OPERAND_COUNT,
                node.span,
                format!("{}: {} here, {required} expected", def.name, count(written.len(), "operand")),
            )
            .note(format!("its operands are {}", names.join(", ")))
            .help("add or remove operands"),
        ))
    }

    /// A number written in place of a value becomes a constant in front of the operation.
    fn immediate(&mut self, item: Item, ty: TypeId, block: BlockId) -> Read<ValueId> {
        let attr = self.texts.number(&mut self.ir.ctx, item.span, item.kind == ItemKind::Float, Some(ty))?;
        let op = self.ir.create_op(kind("arith.constant"), item.span, &[ty]);
        self.ir.set_attr(op, "value", attr);
        self.ir.append(block, op);
        Ok(self.ir.op(op).results[0])
    }

    /// `%view[%r, %c]` names a window of the view as large as the valid region of the tile.
    fn window(
        &mut self,
        def: &'static OpDef,
        st: &mut super::table::State,
        offsets: &[Span],
        results: &[(TypeId, Span)],
        block: BlockId,
        node: &OpNode,
    ) -> Read<()> {
        let at = offsets.iter().fold(Span::NONE, |s, o| s.to(*o));
        let fail = |message: String| {
            Box::new(
                Diagnostic::error(codes::FORM, at, format!("{}: {message}", def.name))
                    .help("make the window with `pto.partition_view` and pass that"),
            )
        };
        let slot = st.operands.iter().position(|(o, ..)| def.operands[*o as usize].kind == Kind::View);
        let Some(slot) = slot else { return Err(fail("indices in brackets need a view in front of them".into())) };
        let (_, source, _) = st.operands[slot];
        let tiles = st.operands.iter().map(|&(_, v, _)| self.ir.value_type(v)).chain(results.iter().map(|&(t, _)| t));
        let tile = tiles.into_iter().find_map(|t| tile_of(&self.ir.ctx, t));
        let view = view_of(&self.ir.ctx, self.ir.value_type(source)).cloned();
        let (Some(tile), Some(view)) = (tile, view) else {
            return Err(fail("the operand in front of the brackets is no view".into()));
        };
        let (Some(rows), Some(cols)) = (tile.valid_rows, tile.valid_cols) else {
            return Err(fail("the window's size is known only at run time".into()));
        };
        if view.dims.len() != 2 || offsets.len() != 2 {
            return Err(fail(format!(
                "{} for a view of {} dimensions",
                count(offsets.len(), "index"),
                view.dims.len()
            )));
        }
        let (Ok(r), Ok(k)) = (i64::try_from(rows), i64::try_from(cols)) else {
            return Err(fail("the window is too large".into()));
        };
        let ty = self.ctx().dialect_ty(ViewType { kind: ViewKind::Partition, dims: [r, k].into(), elem: view.elem });
        let mut sizes = Vec::new();
        for n in [r, k] {
            let a = self.ctx().attr(AttrData::Integer { value: i128::from(n), ty: builtin::INDEX });
            let op = self.ir.create_op(kind("arith.constant"), node.span, &[builtin::INDEX]);
            self.ir.set_attr(op, "value", a);
            self.ir.append(block, op);
            sizes.push(self.ir.op(op).results[0]);
        }
        let offsets: Vec<ValueId> = offsets.iter().map(|&s| self.use_value(s)).collect::<Read<_>>()?;
        let op = self.ir.create_op(kind("pto.partition_view"), node.span, &[ty]);
        self.ir.push_segment(op, &[source]);
        self.ir.push_segment(op, &offsets);
        self.ir.push_segment(op, &sizes);
        self.ir.append(block, op);
        st.operands[slot].1 = self.ir.op(op).results[0];
        Ok(())
    }
}
