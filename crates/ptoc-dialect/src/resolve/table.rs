//! Reading an operation by its format.

use super::{Cursor, Read, Resolver, count};
use crate::asm::{Bracket, Elem, Format, Lit, Spelling};
use crate::codes;
use crate::registry::Dialects;
use crate::table::{Arity, AttrTy, Kind, OpDef};
use crate::types::ElemType;
use ptoc_ir::{AttrData, BlockId, Form, NamedAttr, OpKind, TypeData, TypeId, ValueId};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::{Item, ItemKind, OpNode, RegionId};
use smallvec::SmallVec;

/// What was read of one operation so far; kept between operations for its memory.
#[derive(Default)]
pub(crate) struct State {
    /// Operand index, value, place.
    pub(crate) operands: Vec<(u8, ValueId, Span)>,
    /// Result types in order, with the result index when the format names it.
    pub(crate) results: Vec<(Option<u8>, TypeId, Span)>,
    pub(crate) attrs: Vec<NamedAttr>,
    regions: Vec<RegionId>,
    /// Which pass of a repeated group.
    pass: Option<usize>,
    /// What an operand is decides between alternatives, or whether a clause is there.
    choice: bool,
}

#[derive(Clone, Copy)]
struct Mark {
    operands: usize,
    results: usize,
    attrs: usize,
    regions: usize,
}

impl State {
    pub(crate) fn clear(&mut self) {
        self.reset(Mark { operands: 0, results: 0, attrs: 0, regions: 0 });
    }

    fn mark(&self) -> Mark {
        Mark {
            operands: self.operands.len(),
            results: self.results.len(),
            attrs: self.attrs.len(),
            regions: self.regions.len(),
        }
    }

    fn reset(&mut self, m: Mark) {
        self.operands.truncate(m.operands);
        self.results.truncate(m.results);
        self.attrs.truncate(m.attrs);
        self.regions.truncate(m.regions);
    }
}

impl<'t> Resolver<'t> {
    pub(super) fn table_op(&mut self, node: &'t OpNode, kind: OpKind, mut c: Cursor<'t>, block: BlockId) -> Read<()> {
        let dialects = Dialects::get();
        let (Some(def), Some(format)) = (dialects.def(kind), dialects.format(kind)) else {
            return Err(self.unknown(node));
        };
        if format.alternatives.is_empty() {
            return Err(Box::new(
                Diagnostic::error(codes::FORM, node.name, format!("`{}` has only the generic form", def.name))
                    .help(format!("write `\"{}\"(%operands) : (types) -> (types)`", def.name)),
            ));
        }
        let value_form = def.has_value_form()
            && c.peek().is_some_and(|i| match i.kind {
                ItemKind::Value | ItemKind::Int | ItemKind::Float => true,
                // A word with parentheses is `ins(...)`, well spelled or not.
                ItemKind::Word => c.peek_second().is_none_or(|next| next.kind != ItemKind::Paren),
                _ => false,
            });
        if value_form {
            return self.value_op(node, kind, c, block, false);
        }
        let mut state = std::mem::take(&mut self.state);
        state.clear();
        let result = self
            .alternatives(def, format, &mut c, &mut state)
            .and_then(|()| self.finish_table_op(node, def, kind, &mut c, block, &mut state));
        self.state = state;
        result.map_err(|d| self.explain_form(def, d))
    }

    /// Adds the expected form to a syntax error.
    pub(super) fn explain_form(&self, def: &'static OpDef, d: Box<Diagnostic>) -> Box<Diagnostic> {
        if d.code == codes::SYNTAX && d.notes.is_empty() {
            let named = d.message.starts_with(def.name);
            let message = if named { d.message.clone() } else { format!("{}: {}", def.name, d.message) };
            let mut d = d.note(format!("the form is  {}", crate::asm::describe(def)));
            d.message = message;
            return Box::new(d);
        }
        d
    }

    /// Tries the alternatives of a format; the error that got farthest wins.
    fn alternatives(&mut self, def: &'static OpDef, format: &Format, c: &mut Cursor<'t>, st: &mut State) -> Read<()> {
        let mut best: Option<Box<Diagnostic>> = None;
        st.choice = format.alternatives.len() > 1;
        for (n, elems) in format.alternatives.iter().enumerate() {
            let start = *c;
            let result = self.sequence(def, elems, c, st).and_then(|()| {
                let last = n + 1 == format.alternatives.len();
                if last || self.at_end(c) { Ok(()) } else { c.expect_done() }
            });
            match result {
                Ok(()) => return Ok(()),
                Err(d) => {
                    let farther = best.as_ref().is_none_or(|b| d.primary_span().start > b.primary_span().start);
                    if farther {
                        best = Some(d);
                    }
                    *c = start;
                    st.clear();
                }
            }
        }
        Err(best.unwrap_or_else(|| c.expected("an operation")))
    }

    /// True where only attributes or a location may follow.
    fn at_end(&self, c: &Cursor<'_>) -> bool {
        c.is_done() || c.at(ItemKind::Brace) || c.at_word(self.file(), "loc")
    }

    fn sequence(&mut self, def: &'static OpDef, elems: &[Elem], c: &mut Cursor<'t>, st: &mut State) -> Read<()> {
        for (n, elem) in elems.iter().enumerate() {
            self.element(def, elem, &elems[n + 1..], c, st)?;
        }
        Ok(())
    }

    fn element(
        &mut self,
        def: &'static OpDef,
        elem: &Elem,
        after: &[Elem],
        c: &mut Cursor<'t>,
        st: &mut State,
    ) -> Read<()> {
        match elem {
            Elem::List(ids) => self.operand_list(def, ids, c, st),
            Elem::Types(ids) => {
                let mut found = 0;
                for &id in ids {
                    self.operand_types(def, id, ids, &mut found, c, st)?;
                }
                Ok(())
            }
            Elem::OperandType(id) => self.operand_types(def, *id, &[*id], &mut 0, c, st),
            Elem::ResultType(i) => {
                if def.results[*i as usize].arity == Arity::Optional && !self.starts_type(c) {
                    return Ok(());
                }
                self.result_type(def, Some(*i), c, st)
            }
            Elem::Results => {
                if !self.starts_type(c) && def.results.iter().all(|r| r.arity != Arity::One) {
                    return Ok(());
                }
                loop {
                    self.result_type(def, None, c, st)?;
                    if !(c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| self.texts.starts_type(i))) {
                        return Ok(());
                    }
                    c.bump();
                }
            }
            Elem::ResultsParen => {
                if c.at(ItemKind::Angle) {
                    return self.result_type(def, None, c, st);
                }
                for (ty, span) in self.result_types(c)? {
                    st.results.push((None, ty, span));
                }
                Ok(())
            }
            Elem::Attr(i, spelling) => {
                let at = c.here();
                let a = self.in_place_attr(def, *i, *spelling, c)?;
                self.attr_by_position(def, *i, a, at, st)
            }
            Elem::SetUnit(i) => {
                let unit = self.ctx().attr(AttrData::Unit);
                self.attr_by_position(def, *i, unit, c.here(), st)
            }
            Elem::SetWord(i, word) => {
                let a = &def.attrs[*i as usize];
                let text = self.ctx().str_attr(word);
                let value = self.normalize(a, text, c.here())?;
                self.attr_by_position(def, *i, value, c.here(), st)
            }
            Elem::Dict => {
                if let Some(g) = c.eat(ItemKind::Brace) {
                    self.dict_attrs(def, c.inside(g), &mut st.attrs)?;
                }
                Ok(())
            }
            Elem::Region => {
                let item = c.eat(ItemKind::Region).ok_or_else(|| c.expected("a region `{ ... }`"))?;
                st.regions.extend(item.region());
                Ok(())
            }
            Elem::Lit(lit) => match lit {
                Lit::Comma => {
                    // Some operations are read without their commas.
                    c.eat(ItemKind::Comma);
                    Ok(())
                }
                Lit::Colon => match c.eat(ItemKind::Colon) {
                    Some(_) => Ok(()),
                    None if self.only_absent_types(def, after, st) => Ok(()),
                    None => Err(c.expected("`:`")),
                },
                Lit::Arrow => c.expect(ItemKind::Arrow).map(drop),
                Lit::Equal => c.expect(ItemKind::Equal).map(drop),
                Lit::Word(w) => c.expect_word(self.texts.file, w),
                Lit::OneOf(words) => {
                    if words.iter().any(|w| c.eat_word(self.texts.file, w)) {
                        return Ok(());
                    }
                    Err(c.expected(&format!("`{}`", words.join("` or `"))))
                }
            },
            Elem::Keyed(entries) => {
                let Some(group) = c.eat(ItemKind::Brace) else { return Err(c.expected(ItemKind::Brace.describe())) };
                let mut ic = c.inside(group);
                while let Some(item) = ic.peek() {
                    let key = self.text(item.span).trim_matches('"');
                    let Some((_, i, spelling)) = entries.iter().find(|(k, ..)| k.as_ref() == key) else {
                        let keys: Vec<&str> = entries.iter().map(|(k, ..)| k.as_ref()).collect();
                        return Err(Box::new(
                            Diagnostic::error(
                                codes::BAD_ATTRIBUTE,
                                item.span,
                                format!("{}: no key `{key}` here", def.name),
                            )
                            .note(format!("the keys are {}", keys.join(", "))),
                        ));
                    };
                    ic.bump();
                    ic.expect(ItemKind::Equal)?;
                    let a = self.in_place_attr(def, *i, *spelling, &mut ic)?;
                    if ic.at(ItemKind::Colon) && ic.peek_second().is_some_and(|t| self.texts.starts_type(t)) {
                        ic.bump();
                        self.ty(&mut ic)?;
                    }
                    let name = self.ctx().sym(def.attrs[*i as usize].name);
                    if st.attrs.iter().any(|(n, _)| *n == name) {
                        return Err(Box::new(
                            Diagnostic::error(
                                codes::BAD_ATTRIBUTE,
                                item.span,
                                format!("{}: `{key}` is given twice", def.name),
                            )
                            .help("keep one of them"),
                        ));
                    }
                    st.attrs.push((name, a));
                    if ic.eat(ItemKind::Comma).is_none() {
                        break;
                    }
                }
                ic.expect_done()
            }
            Elem::Group(bracket, inner) => {
                let kind = bracket_kind(*bracket);
                let Some(group) = c.eat(kind) else { return Err(c.expected(kind.describe())) };
                let mut ic = c.inside(group);
                self.sequence(def, inner, &mut ic, st)?;
                ic.expect_done()
            }
            Elem::Opt(inner) => {
                if !self.can_start(def, inner, c) {
                    return Ok(());
                }
                let (start, mark) = (*c, st.mark());
                let choice = std::mem::replace(&mut st.choice, true);
                let read = self.sequence(def, inner, c, st);
                st.choice = choice;
                if let Err(d) = read {
                    // An error inside a clause that clearly began is the user's; otherwise the clause is absent.
                    let began = matches!(inner.first(), Some(Elem::Lit(Lit::Word(_))));
                    if began || d.code != codes::SYNTAX {
                        return Err(d);
                    }
                    *c = start;
                    st.reset(mark);
                }
                Ok(())
            }
            Elem::Repeat(inner) => {
                let mut n = 0;
                while self.can_start(def, inner, c) {
                    st.pass = Some(n);
                    let read = self.sequence(def, inner, c, st);
                    st.pass = None;
                    read?;
                    n += 1;
                }
                Ok(())
            }
        }
    }

    fn starts_type(&self, c: &Cursor<'_>) -> bool {
        c.peek().is_some_and(|i| i.kind == ItemKind::Angle || self.texts.starts_type(i))
    }

    fn only_absent_types(&self, def: &'static OpDef, after: &[Elem], st: &State) -> bool {
        let absent = |id: u8| !st.operands.iter().any(|(o, ..)| *o == id);
        after.iter().all(|e| match e {
            Elem::Types(ids) => ids.iter().all(|&i| absent(i)),
            Elem::OperandType(i) => absent(*i),
            Elem::Opt(_) | Elem::Repeat(_) | Elem::Dict => true,
            Elem::Results => def.results.iter().all(|r| r.arity != Arity::One),
            _ => false,
        })
    }

    /// True when the next items can begin this sequence.
    fn can_start(&self, def: &'static OpDef, elems: &[Elem], c: &Cursor<'t>) -> bool {
        let Some(first) = elems.first() else { return false };
        let Some(item) = c.peek() else { return false };
        match first {
            Elem::Lit(Lit::Comma) => {
                let mut next = *c;
                if item.kind == ItemKind::Comma {
                    next.bump();
                } else if !c.at_start() {
                    // Only the first clause of a group has no comma before it.
                    return false;
                }
                self.can_start(def, &elems[1..], &next)
            }
            Elem::Lit(Lit::Colon) => item.kind == ItemKind::Colon,
            Elem::Lit(Lit::Arrow) => item.kind == ItemKind::Arrow,
            Elem::Lit(Lit::Equal) => item.kind == ItemKind::Equal,
            Elem::Lit(Lit::Word(w)) => c.at_word(self.file(), w),
            Elem::Lit(Lit::OneOf(words)) => words.iter().any(|w| c.at_word(self.file(), w)),
            Elem::List(_) => item.kind == ItemKind::Value,
            Elem::Group(b, _) => item.kind == bracket_kind(*b),
            Elem::Attr(i, spelling) => self.attr_can_start(def, *i, *spelling, item),
            Elem::SetUnit(_) | Elem::SetWord(..) => self.can_start(def, &elems[1..], c),
            Elem::Keyed(entries) => {
                item.kind == ItemKind::Brace
                    && c.inside(item)
                        .peek()
                        .is_some_and(|k| entries.iter().any(|(e, ..)| e.as_ref() == self.text(k.span)))
            }
            Elem::Dict => item.kind == ItemKind::Brace,
            Elem::Region => item.kind == ItemKind::Region,
            Elem::Types(_) | Elem::OperandType(_) | Elem::ResultType(_) | Elem::Results | Elem::ResultsParen => {
                self.starts_type(c)
            }
            Elem::Opt(inner) | Elem::Repeat(inner) => {
                self.can_start(def, inner, c) || self.can_start(def, &elems[1..], c)
            }
        }
    }

    fn attr_can_start(&self, def: &'static OpDef, i: u8, spelling: Spelling, item: Item) -> bool {
        let ty = def.attrs[i as usize].ty;
        let text = self.text(item.span);
        match (spelling, item.kind) {
            (Spelling::Word, ItemKind::Word) => match ty {
                AttrTy::Enum(e) => e.code(text).is_some(),
                AttrTy::OneOf(es) => es.iter().any(|e| e.code(text).is_some()),
                AttrTy::Words(ws) => ws.contains(&text),
                _ => true,
            },
            (Spelling::Word, _) => false,
            (_, ItemKind::Angle | ItemKind::Attr | ItemKind::Str) => true,
            (_, ItemKind::Int) => matches!(ty, AttrTy::Int(_) | AttrTy::Ints | AttrTy::Any),
            (_, ItemKind::Word) => match ty {
                AttrTy::Enum(e) => e.code(text).is_some(),
                AttrTy::OneOf(es) => es.iter().any(|e| e.code(text).is_some()),
                AttrTy::Bool => text == "true" || text == "false",
                _ => false,
            },
            (_, ItemKind::Bracket) => matches!(ty, AttrTy::Any | AttrTy::Ints),
            (_, ItemKind::Symbol) => matches!(ty, AttrTy::Any),
            _ => false,
        }
    }

    /// Reads `%a, %b, ...` and decides by their number which optional operands are there.
    fn operand_list(&mut self, def: &'static OpDef, ids: &[u8], c: &mut Cursor<'t>, st: &mut State) -> Read<()> {
        // A pass of a repeated group has one value of each.
        let repeated = st.pass.is_some();
        let arity = |id: u8| if repeated { Arity::One } else { def.operands[id as usize].arity };
        if ids.iter().any(|&i| arity(i) != Arity::One) {
            return self.optional_list(def, ids, c, st);
        }
        // The usual case: each operand is there.
        let start = *c;
        for (n, &id) in ids.iter().enumerate() {
            let comma = n == 0 || c.eat(ItemKind::Comma).is_some();
            match c.peek().filter(|i| comma && i.kind == ItemKind::Value) {
                Some(item) => {
                    c.bump();
                    self.push_operand(def, id, item.span, st)?;
                }
                None if n == 0 => return Err(c.expected("a value")),
                None => return Err(self.operand_count(def, ids, repeated, start)),
            }
        }
        if c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| i.kind == ItemKind::Value) {
            return Err(self.operand_count(def, ids, repeated, start));
        }
        Ok(())
    }

    /// A list where some operands may be absent, or there may be many.
    fn optional_list(&mut self, def: &'static OpDef, ids: &[u8], c: &mut Cursor<'t>, st: &mut State) -> Read<()> {
        let start = *c;
        let n = value_list(c, |_| ());
        let (mut values, end) = (start, *c);
        let arity = |id: u8| def.operands[id as usize].arity;
        let count = |a: Arity| ids.iter().filter(|&&i| arity(i) == a).count();
        let (required, optional) = (count(Arity::One), count(Arity::Optional));
        let variadic = count(Arity::Variadic) > 0;
        if n < required || (!variadic && n > required + optional) {
            return Err(if n == 0 { c.expected("a value") } else { self.operand_count(def, ids, false, start) });
        }
        let mut spare = n - required;
        for (n, &id) in ids.iter().enumerate() {
            let take = match arity(id) {
                Arity::One => 1,
                Arity::Optional if spare > 0 => {
                    spare -= 1;
                    1
                }
                Arity::Optional => 0,
                Arity::Variadic => {
                    // Optional operands behind it come first.
                    let behind = ids[n + 1..].iter().filter(|&&i| arity(i) == Arity::Optional).count();
                    let rest = spare.saturating_sub(behind);
                    spare -= rest;
                    rest
                }
            };
            for _ in 0..take {
                let Some(item) = values.eat(ItemKind::Value) else { break };
                values.eat(ItemKind::Comma);
                self.push_operand(def, id, item.span, st)?;
            }
        }
        *c = end;
        Ok(())
    }

    fn push_operand(&mut self, def: &'static OpDef, id: u8, span: Span, st: &mut State) -> Read<()> {
        let v = self.use_value(span)?;
        if st.choice {
            self.check_kind(def, id, v, span)?;
        }
        st.operands.push((id, v, span));
        Ok(())
    }

    /// A list of values with too few or too many of them.
    fn operand_count(&self, def: &'static OpDef, ids: &[u8], repeated: bool, list: Cursor<'t>) -> Box<Diagnostic> {
        let (mut c, mut span) = (list, list.here());
        let n = value_list(&mut c, |v| span = span.to(v));
        if c.at(ItemKind::Value) {
            return missing_comma(def, c.here(), "operands");
        }
        let arity = |i: u8| if repeated { Arity::One } else { def.operands[i as usize].arity };
        let of = |a: Arity| ids.iter().filter(|&&i| arity(i) == a).count();
        let (required, optional) = (of(Arity::One), of(Arity::Optional));
        let range = match (optional, of(Arity::Variadic)) {
            (_, 1..) => format!("at least {required}"),
            (0, _) => required.to_string(),
            (o, _) => format!("{required} to {}", required + o),
        };
        let names: Vec<&str> = ids.iter().map(|&i| def.operands[i as usize].name).collect();
        let message = format!("{}: {} here, {range} expected", def.name, count(n, "operand"));
        Box::new(
            Diagnostic::error(codes::OPERAND_COUNT, span, message)
                .note(format!("the operands here are {}", names.join(", ")))
                .help("add or remove operands, and their types"),
        )
    }

    /// Refuses a number where a tile, view, pointer or register stands, and the reverse.
    fn check_kind(&self, def: &'static OpDef, id: u8, value: ValueId, span: Span) -> Read<()> {
        let operand = &def.operands[id as usize];
        let wants_number = match operand.kind {
            Kind::Scalar | Kind::Index => true,
            Kind::Tile | Kind::View | Kind::Ptr | Kind::VReg | Kind::Mask => false,
            Kind::Any => return Ok(()),
        };
        let ctx = &self.ir.ctx;
        let is_number = match ctx.type_data(self.ir.value_type(value)) {
            TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Index => true,
            TypeData::Dialect(d) if d.as_any().is::<ElemType>() => true,
            TypeData::Dialect(_) | TypeData::MemRef { .. } | TypeData::Tensor { .. } => false,
            _ => return Ok(()),
        };
        if wants_number == is_number {
            return Ok(());
        }
        let wanted = if wants_number { "a number" } else { "no number" };
        Err(Box::new(
            Diagnostic::error(codes::SYNTAX, span, format!("{}: `{}` is {wanted}", def.name, operand.name))
                .at(format!("this is `{}`", ctx.type_string(self.ir.value_type(value)))),
        ))
    }

    /// Reads the types of one operand's values and compares them. `found` types of the list of `ids` were read before.
    fn operand_types(
        &mut self,
        def: &'static OpDef,
        id: u8,
        ids: &[u8],
        found: &mut usize,
        c: &mut Cursor<'t>,
        st: &mut State,
    ) -> Read<()> {
        let mut seen = 0;
        for i in 0..st.operands.len() {
            let (o, value, span) = st.operands[i];
            if o != id {
                continue;
            }
            seen += 1;
            if st.pass.is_some_and(|n| seen != n + 1) {
                continue;
            }
            if *found > 0 {
                if !c.at(ItemKind::Comma) {
                    let wanted = st.operands.iter().filter(|(o, ..)| ids.contains(o)).count();
                    return Err(self.type_count(def, c, *found, wanted));
                }
                c.bump();
            }
            *found += 1;
            let at = c.here();
            if let Some(_headless) = c.eat(ItemKind::Angle) {
                // Parameters without a head say nothing that the definition does not say.
                continue;
            }
            let ty = self.ty(c)?;
            self.check_type(value, span, ty, at)?;
        }
        Ok(())
    }

    /// `found` types are read, and the list ends.
    fn type_count(&self, def: &'static OpDef, c: &Cursor<'_>, found: usize, wanted: usize) -> Box<Diagnostic> {
        if self.starts_type(c) {
            return missing_comma(def, c.here(), "types");
        }
        let message =
            format!("{}: expected {} for {}, found {found}", def.name, count(wanted, "type"), count(wanted, "operand"));
        Box::new(
            Diagnostic::error(codes::OPERAND_COUNT, c.here(), message)
                .at("a `,` and one more type are missing here")
                .help("write one type for each operand, in the same order"),
        )
    }

    fn result_type(&mut self, def: &'static OpDef, index: Option<u8>, c: &mut Cursor<'t>, st: &mut State) -> Read<()> {
        let at = c.here();
        if let Some(angle) = c.eat(ItemKind::Angle) {
            let n = index.map_or(st.results.len(), usize::from);
            let head = match def.results.get(n).map(|r| r.kind) {
                Some(Kind::Ptr) => "ptr",
                Some(Kind::Tile) => "tile_buf",
                Some(Kind::View) => "partition_tensor_view",
                Some(Kind::VReg) => "vreg",
                Some(Kind::Mask) => "mask",
                _ => return Err(c.expected("a type")),
            };
            let ty = self.texts.headless(&mut self.ir.ctx, c, angle, head)?;
            st.results.push((index, ty, at));
            return Ok(());
        }
        let ty = self.ty(c)?;
        st.results.push((index, ty, at));
        Ok(())
    }

    /// Reads an attribute at its place in the format, in any spelling.
    fn in_place_attr(
        &mut self,
        def: &'static OpDef,
        i: u8,
        spelling: Spelling,
        c: &mut Cursor<'t>,
    ) -> Read<ptoc_ir::AttrId> {
        let a = &def.attrs[i as usize];
        let Some(item) = c.peek() else { return Err(c.expected(&format!("the value of `{}`", a.name))) };
        if !self.attr_can_start(def, i, spelling, item) {
            if let (ItemKind::Word, AttrTy::Enum(e)) = (item.kind, a.ty) {
                return Err(self.bad_word(a.name, self.text(item.span), item.span, e.values.iter().map(|v| v.0)));
            }
            return Err(c.expected(&format!("the value of `{}`", a.name)));
        }
        let value = match item.kind {
            ItemKind::Angle => {
                c.bump();
                let inner = Span::new(item.span.start + 1, item.span.end.saturating_sub(1));
                let text = super::types::squeeze(self.text(inner));
                self.ctx().str_attr(&text)
            }
            ItemKind::Word if !matches!(a.ty, AttrTy::Bool) => {
                c.bump();
                let text = self.text(item.span);
                self.ctx().str_attr(text)
            }
            ItemKind::Int if matches!(a.ty, AttrTy::Ints) => {
                let mut values = Vec::new();
                while let Some(n) = c.eat(ItemKind::Int) {
                    values.push(super::parse_i64(self.text(n.span)).ok_or_else(|| c.expected("an integer"))?);
                    if !(c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| i.kind == ItemKind::Int)) {
                        break;
                    }
                    c.bump();
                }
                self.ctx().attr(AttrData::DenseArray { elem: ptoc_ir::builtin::I64, values: values.into() })
            }
            ItemKind::Int => {
                c.bump();
                self.texts.number(&mut self.ir.ctx, item.span, false, None)?
            }
            ItemKind::Bracket => {
                // Plain integers without types.
                self.texts.attr(&mut self.ir.ctx, c)?
            }
            ItemKind::Attr => {
                // The type of a typed attribute is not wanted: `:` belongs to the format.
                c.bump();
                let mut one = Cursor::new(c.tree(), item.range(), item.span);
                self.texts.attr(&mut self.ir.ctx, &mut one)?
            }
            ItemKind::Str => {
                c.bump();
                let text = super::attrs::unquote(self.text(item.span));
                self.ctx().str_attr(&text)
            }
            _ => self.texts.attr(&mut self.ir.ctx, c)?,
        };
        self.normalize(a, value, item.span)
    }

    /// Takes an attribute that its place in the text names. Some forms repeat it among the types; it must be the same there.
    fn attr_by_position(
        &mut self,
        def: &'static OpDef,
        index: u8,
        value: ptoc_ir::AttrId,
        at: Span,
        st: &mut State,
    ) -> Read<()> {
        let name = def.attrs[index as usize].name;
        let sym = self.ctx().sym(name);
        match st.attrs.iter().find(|(n, _)| *n == sym) {
            None => st.attrs.push((sym, value)),
            Some(&(_, other)) if other == value => {}
            Some(_) => {
                let message = format!("{}: attribute `{name}` is given twice, and differs", def.name);
                return Err(Box::new(
                    Diagnostic::error(codes::BAD_ATTRIBUTE, at, message).help("write the same at both places"),
                ));
            }
        }
        Ok(())
    }

    /// Reads a dictionary; the values of attributes that the entry knows are checked and brought to their canonical form.
    pub(super) fn dict_attrs(&mut self, def: &'static OpDef, c: Cursor<'_>, out: &mut Vec<NamedAttr>) -> Read<()> {
        let from = out.len();
        let mut spans: SmallVec<[(Span, Span); 4]> = SmallVec::new();
        self.texts.dict(&mut self.ir.ctx, c, out, &mut |_, key, value| spans.push((key, value)))?;
        for (n, (key_span, value_span)) in spans.into_iter().enumerate() {
            let (name, value) = out[from + n];
            let key = self.ir.ctx.str(name).to_owned();
            let found = match def.attr(&key) {
                Some(a) => Some(a),
                None => self.known_alias(def, &key, key_span, &mut out[from + n].0)?,
            };
            if let Some(a) = found {
                out[from + n].1 = self.normalize(a, value, value_span)?;
            }
        }
        Ok(())
    }

    /// Makes the op from what was read.
    fn finish_table_op(
        &mut self,
        node: &'t OpNode,
        def: &'static OpDef,
        kind: OpKind,
        c: &mut Cursor<'t>,
        block: BlockId,
        st: &mut State,
    ) -> Read<()> {
        if let Some(g) = c.eat(ItemKind::Brace) {
            self.dict_attrs(def, c.inside(g), &mut st.attrs)?;
        }
        let mut loc_cursor = *c;
        if !(c.at_word(self.file(), "loc") && c.peek_second().is_some_and(|i| i.kind == ItemKind::Paren)) {
            c.expect_done()?;
        }
        self.infer_results(node, def, st)?;
        st.results.sort_by_key(|(i, ..)| i.unwrap_or(u8::MAX));
        let types: SmallVec<[TypeId; 2]> = st.results.iter().map(|&(_, t, _)| t).collect();
        let op = self.make(node, def, kind, block, &types, Form::Custom, st)?;
        for i in 0..st.regions.len() {
            let region = st.regions[i];
            self.region_into(op, region, &SmallVec::new())?;
        }
        self.location(op, &mut loc_cursor)?;
        loc_cursor.expect_done()
    }

    /// Places an op with the operands and attributes of the state, in table order.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn make(
        &mut self,
        node: &'t OpNode,
        def: &'static OpDef,
        kind: OpKind,
        block: BlockId,
        types: &[TypeId],
        form: Form,
        st: &mut State,
    ) -> Read<ptoc_ir::OpId> {
        let op = self.ir.create_op(kind, node.span, types);
        self.ir.append(block, op);
        // Operands are usually in table order already.
        if !st.operands.is_sorted_by_key(|(i, ..)| *i) {
            st.operands.sort_by_key(|(i, ..)| *i);
        }
        let data = self.ir.op_mut(op);
        data.form = form;
        data.segments = SmallVec::from_elem(0, def.operands.len());
        data.operands.reserve(st.operands.len());
        data.operand_spans.reserve(st.operands.len());
        for &(i, v, span) in &st.operands {
            data.operands.push(v);
            data.operand_spans.push(span);
            data.segments[i as usize] += 1;
        }
        data.attrs.extend_from_slice(&st.attrs);
        self.define_results(node, op)?;
        Ok(op)
    }
}

/// Two things of a list without a comma between them.
fn missing_comma(def: &'static OpDef, second: Span, what: &str) -> Box<Diagnostic> {
    let gap = Span::new(second.start, second.start);
    Box::new(
        Diagnostic::error(codes::SYNTAX, second, format!("{}: a `,` is missing between two {what}", def.name))
            .at("a `,` comes before this")
            .fix("add the `,`", gap, ", "),
    )
}

fn bracket_kind(b: Bracket) -> ItemKind {
    match b {
        Bracket::Paren => ItemKind::Paren,
        Bracket::Square => ItemKind::Bracket,
        Bracket::Angle => ItemKind::Angle,
    }
}

/// Reads `%a, %b, ...`; gives the number of values.
fn value_list(c: &mut Cursor<'_>, mut each: impl FnMut(Span)) -> usize {
    let mut n = 0;
    while let Some(item) = c.eat(ItemKind::Value) {
        each(item.span);
        n += 1;
        if !(c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| i.kind == ItemKind::Value)) {
            break;
        }
        c.bump();
    }
    n
}
