//! Printing an op by its table entry, in the form it is flagged with.

use super::format::{Bracket, Elem, Format, Lit, Spelling};
use super::value_form::ValueForm;
use crate::registry::Dialects;
use crate::table::{Arity, AttrTy, Kind, OpDef};
use ptoc_ir::{AttrData, AttrId, Form, Ir, OpId, Printer, TypeId, ValueId};
use smallvec::SmallVec;

/// Prints a table operation in its form.
pub(crate) fn print_table(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let dialects = Dialects::get();
    let data = ir.op(op);
    let (Some(def), Some(format)) = (dialects.def(data.kind), dialects.format(data.kind)) else {
        return p.generic_op(op);
    };
    let mut w = Writer { ir, op, def, p, regions: 0, pass: None, printed: SmallVec::new(), tight: false };
    match data.form {
        Form::Custom => w.custom(format),
        form => match &format.value_form {
            Some(v) => w.value(v, form == Form::Sync),
            None => w.custom(format),
        },
    }
}

struct Writer<'a, 'p> {
    ir: &'a Ir,
    op: OpId,
    def: &'static OpDef,
    p: &'a mut Printer<'p>,
    regions: usize,
    /// Which pass of a repeated group.
    pass: Option<usize>,
    /// Attributes that have a place outside of the dictionary.
    printed: SmallVec<[&'static str; 8]>,
    /// The last thing written takes no blank after it.
    tight: bool,
}

impl Writer<'_, '_> {
    fn custom(&mut self, format: &Format) {
        // Operands that no alternative shows can only be written in the generic form.
        let Some((best, shown)) = format.alternatives.iter().find_map(|a| Some((a, self.shows_all(a)?))) else {
            return self.p.generic_op(self.op);
        };
        // The dictionary holds what this alternative has no place for.
        self.printed = shown.attrs.iter().map(|&i| self.def.attrs[i as usize].name).collect();
        self.p.text(self.def.name);
        self.sequence(best);
    }

    fn count(&self, operand: u8) -> usize {
        self.ir.op(self.op).segments.get(operand as usize).map_or(0, |&n| n as usize)
    }

    fn attr(&self, i: u8) -> Option<AttrId> {
        self.ir.attr(self.op, self.def.attrs[i as usize].name)
    }

    /// What `elems` has places for, when it shows every present operand and attribute and asks for none that is absent.
    fn shows_all(&self, elems: &[Elem]) -> Option<Shown> {
        let mut shown = Shown::default();
        shown.collect(elems);
        let operands = (0..self.def.operands.len() as u8).all(|i| {
            let n = self.count(i);
            n == 0 || shown.operands.contains(&i)
        });
        let required = shown.required.iter().all(|&i| match self.def.operands[i as usize].arity {
            Arity::One => self.count(i) > 0,
            _ => true,
        });
        let attrs = shown.required_attrs.iter().all(|&i| self.attr(i).is_some());
        let dict = shown.dict
            || self.ir.op(self.op).attrs.iter().all(|(n, _)| {
                self.def
                    .attrs
                    .iter()
                    .enumerate()
                    .any(|(i, a)| a.name == self.ir.ctx.str(*n) && shown.attrs.contains(&(i as u8)))
            });
        let results = self.ir.op(self.op).results.len() >= shown.required_results;
        (operands && required && attrs && dict && results).then_some(shown)
    }

    fn has_word(&self, i: u8, word: &str) -> bool {
        let ctx = &self.ir.ctx;
        self.attr(i).is_some_and(|a| match ctx.attr_data(a) {
            AttrData::Dialect { body, .. } => ctx.str(*body) == word,
            AttrData::String(s) => ctx.str(*s) == word,
            _ => false,
        })
    }

    /// The values of an operand that the current pass prints.
    fn values(&self, operand: u8) -> &[ValueId] {
        let all = self.ir.segment_values(self.op, operand as usize);
        match self.pass {
            Some(n) => all.get(n..=n).unwrap_or_default(),
            None => all,
        }
    }

    /// True when an optional group has something to show.
    fn present(&self, elems: &[Elem]) -> bool {
        let mut words = elems.iter().filter_map(|e| match e {
            Elem::SetWord(i, w) => Some((*i, w)),
            _ => None,
        });
        if let Some((i, w)) = words.next() {
            return self.has_word(i, w) && words.all(|(i, w)| self.has_word(i, w));
        }
        elems.iter().any(|e| match e {
            Elem::List(ids) | Elem::Types(ids) => ids.iter().any(|&i| self.count(i) > 0),
            Elem::OperandType(i) => self.count(*i) > 0,
            Elem::Attr(i, _) | Elem::SetUnit(i) => self.attr(*i).is_some(),
            Elem::ResultType(i) => self.ir.op(self.op).results.len() > *i as usize,
            Elem::Keyed(entries) => entries.iter().any(|(_, i, _)| self.attr(*i).is_some()),
            Elem::Results | Elem::ResultsParen => !self.ir.op(self.op).results.is_empty(),
            Elem::Group(_, inner) | Elem::Opt(inner) | Elem::Repeat(inner) => self.present(inner),
            Elem::Region => self.ir.op(self.op).regions.len() > self.regions,
            _ => false,
        })
    }

    fn blank(&mut self) {
        if self.tight {
            self.tight = false;
        } else {
            self.p.text(" ");
        }
    }

    fn sequence(&mut self, elems: &[Elem]) {
        for (n, elem) in elems.iter().enumerate() {
            match elem {
                Elem::List(ids) => {
                    let values: SmallVec<[ValueId; 8]> = ids.iter().flat_map(|&i| self.values(i)).copied().collect();
                    if !values.is_empty() {
                        self.blank();
                        self.p.values(&values);
                    }
                }
                Elem::Types(ids) => {
                    let values: SmallVec<[ValueId; 8]> = ids.iter().flat_map(|&i| self.values(i)).copied().collect();
                    if !values.is_empty() {
                        self.blank();
                        self.p.types_of(&values);
                    }
                }
                Elem::OperandType(i) => {
                    let values: SmallVec<[ValueId; 4]> = self.values(*i).into();
                    if !values.is_empty() {
                        self.blank();
                        self.p.types_of(&values);
                    }
                }
                Elem::ResultType(i) => {
                    if let Some(&v) = self.ir.op(self.op).results.get(*i as usize) {
                        self.blank();
                        self.p.type_of(v);
                    }
                }
                Elem::Results => {
                    self.blank();
                    let results: SmallVec<[ValueId; 2]> = self.ir.op(self.op).results.iter().copied().collect();
                    self.p.types_of(&results);
                }
                Elem::ResultsParen => {
                    self.blank();
                    let types: SmallVec<[TypeId; 2]> =
                        self.ir.op(self.op).results.iter().map(|&v| self.ir.value_type(v)).collect();
                    self.p.result_types(&types);
                }
                Elem::Attr(i, spelling) => {
                    if let Some(a) = self.attr(*i) {
                        self.blank();
                        self.attr_value(*i, a, *spelling);
                    }
                }
                Elem::SetUnit(_) | Elem::SetWord(..) => {}
                Elem::Dict => {
                    let tight = std::mem::take(&mut self.tight);
                    let before = self.p.out.len();
                    self.p.attr_dict_with(self.op, if tight { "{" } else { " {" }, &self.printed);
                    self.tight = tight && self.p.out.len() == before;
                }
                Elem::Region => {
                    if let Some(&r) = self.ir.op(self.op).regions.get(self.regions) {
                        self.blank();
                        self.p.region(r, true);
                        self.regions += 1;
                    }
                }
                Elem::Lit(lit) => match lit {
                    // The first clause of a group has no comma before it.
                    Lit::Comma if self.tight => {}
                    Lit::Comma => {
                        self.p.text(",");
                        self.tight = false;
                    }
                    Lit::Colon => {
                        // A `:` with nothing after it is left out.
                        if self.rest_is_empty(&elems[n + 1..]) {
                            continue;
                        }
                        self.blank();
                        self.p.text(":");
                    }
                    Lit::Arrow => {
                        self.blank();
                        self.p.text("->");
                    }
                    Lit::Equal => {
                        self.blank();
                        self.p.text("=");
                    }
                    Lit::Word(w) => {
                        self.blank();
                        self.p.text(w);
                    }
                    Lit::OneOf(words) => {
                        self.blank();
                        self.p.text(words.first().map_or("", AsRef::as_ref));
                    }
                },
                Elem::Keyed(entries) => {
                    self.blank();
                    self.p.text("{");
                    let mut first = true;
                    for (key, i, spelling) in entries {
                        if let Some(a) = self.attr(*i) {
                            self.p.text(if first { "" } else { ", " });
                            first = false;
                            self.p.text(key);
                            self.p.text(" = ");
                            self.attr_value(*i, a, *spelling);
                        }
                    }
                    self.p.text("}");
                }
                Elem::Group(bracket, inner) => {
                    let (open, close) = match bracket {
                        Bracket::Paren => ("(", ")"),
                        Bracket::Square => ("[", "]"),
                        Bracket::Angle => ("<", ">"),
                    };
                    // Parentheses and brackets stick to a word or an operand before them.
                    let sticks = n > 0
                        && matches!(
                            (bracket, &elems[n - 1]),
                            (Bracket::Paren, Elem::Lit(Lit::Word(_) | Lit::OneOf(_)) | Elem::Group(Bracket::Angle, _))
                                | (Bracket::Square, Elem::List(_))
                                | (Bracket::Angle, Elem::Group(Bracket::Angle, _) | Elem::Attr(..))
                        )
                        || n == 0 && *bracket == Bracket::Square;
                    if sticks {
                        self.tight = false;
                    } else {
                        self.blank();
                    }
                    self.p.text(open);
                    self.tight = true;
                    self.sequence(inner);
                    self.tight = false;
                    self.p.text(close);
                }
                Elem::Opt(inner) => {
                    if self.present(inner) {
                        // `word(...)`, whether the parentheses are optional or not.
                        self.tight |= matches!(inner.first(), Some(Elem::Group(Bracket::Paren, _)))
                            && matches!(elems[..n].last(), Some(Elem::Lit(Lit::Word(_))));
                        self.sequence(inner);
                    }
                }
                Elem::Repeat(inner) => {
                    let mut shown = Shown { repeated: true, ..Shown::default() };
                    shown.collect(inner);
                    let passes = shown.operands.iter().map(|&i| self.count(i)).max().unwrap_or(0);
                    for n in 0..passes {
                        self.pass = Some(n);
                        self.sequence(inner);
                    }
                    self.pass = None;
                }
            }
        }
    }

    fn rest_is_empty(&self, elems: &[Elem]) -> bool {
        elems.iter().all(|e| match e {
            Elem::Types(ids) => ids.iter().all(|&i| self.count(i) == 0),
            Elem::OperandType(i) => self.count(*i) == 0,
            Elem::Opt(inner) | Elem::Repeat(inner) => !self.present(inner),
            Elem::Dict => true,
            _ => false,
        })
    }

    fn attr_value(&mut self, i: u8, attr: AttrId, spelling: Spelling) {
        let ctx = &self.ir.ctx;
        let def = &self.def.attrs[i as usize];
        let word = match ctx.attr_data(attr) {
            AttrData::Dialect { body, .. } => Some(ctx.str(*body)),
            AttrData::String(s) => Some(ctx.str(*s)),
            AttrData::Bool(b) => Some(if *b { "true" } else { "false" }),
            _ => None,
        };
        match (spelling, ctx.attr_data(attr), word) {
            (Spelling::Attr, ..) => self.p.attr(attr),
            (_, AttrData::Integer { value, .. }, _) => self.p.text(&value.to_string()),
            (Spelling::Word, _, Some(w)) => self.p.text(w),
            (Spelling::Str, _, Some(w)) => self.p.text(&format!("\"{w}\"")),
            (Spelling::Plain, AttrData::Dialect { .. }, Some(w))
                if matches!(def.ty, AttrTy::Enum(_) | AttrTy::OneOf(_)) =>
            {
                self.p.text(&format!("<{w}>"));
            }
            (_, AttrData::DenseArray { values, .. }, _) => {
                let text: Vec<String> = values.iter().map(i64::to_string).collect();
                self.p.text(&text.join(", "));
            }
            (_, AttrData::Symbol(path), _) => {
                let path = path.clone();
                for (k, &s) in path.iter().enumerate() {
                    if k > 0 {
                        self.p.text("::");
                    }
                    self.p.symbol(ctx.str(s));
                }
            }
            _ => self.p.attr(attr),
        }
    }

    /// The SSA form, or the sync form, which hides temporaries and writes indices in brackets.
    fn value(&mut self, form: &ValueForm, sync: bool) {
        let (ir, op, def) = (self.ir, self.op, self.def);
        self.p.text(if sync { def.short_name() } else { def.name });
        let bracketed = if sync { form.bracketed(def) } else { None };
        let mut typed: SmallVec<[ValueId; 8]> = SmallVec::new();
        let mut any = false;
        for (n, &id) in form.positional.iter().enumerate() {
            let operand = &def.operands[id as usize];
            if sync && operand.scratch {
                continue;
            }
            for &v in ir.segment_values(op, id as usize) {
                match bracketed {
                    Some(first) if n == first => self.p.text("["),
                    _ => self.p.text(if any { ", " } else { " " }),
                }
                any = true;
                self.p.value(v);
                if bracketed.is_some_and(|first| n == first + 1) {
                    self.p.text("]");
                }
                if !(sync && operand.kind == Kind::Index) {
                    typed.push(v);
                }
            }
        }
        for (word, id) in &form.clauses {
            if let Some(v) = ir.operand(op, *id as usize) {
                self.p.text(&format!(" {word} "));
                self.p.value(v);
                typed.push(v);
            }
        }
        let old: SmallVec<[ValueId; 2]> = form.dests.iter().filter_map(|&id| ir.operand(op, id as usize)).collect();
        if !old.is_empty() {
            self.p.text(" into ");
            self.p.values(&old);
        }
        self.p.attr_dict(op, &[]);
        let results: SmallVec<[TypeId; 2]> = ir.op(op).results.iter().map(|&v| ir.value_type(v)).collect();
        self.p.text(" : ");
        if sync {
            self.p.types_of(&typed);
            if !results.is_empty() {
                self.p.text(if typed.is_empty() { "-> " } else { " -> " });
                self.p.result_types(&results);
            }
        } else {
            self.p.text("(");
            self.p.types_of(&typed);
            self.p.text(") -> ");
            self.p.result_types(&results);
        }
    }
}

/// What a format has a place for.
#[derive(Default)]
struct Shown {
    operands: SmallVec<[u8; 16]>,
    attrs: SmallVec<[u8; 16]>,
    /// Operands outside optional groups.
    required: SmallVec<[u8; 16]>,
    /// Attributes outside optional groups.
    required_attrs: SmallVec<[u8; 16]>,
    /// How many results are written outside optional groups.
    required_results: usize,
    dict: bool,
    depth: u32,
    repeated: bool,
}

impl Shown {
    fn collect(&mut self, elems: &[Elem]) {
        for e in elems {
            match e {
                Elem::List(ids) => {
                    self.operands.extend_from_slice(ids);
                    if self.depth == 0 {
                        self.required.extend_from_slice(ids);
                    }
                }
                Elem::Attr(i, _) | Elem::SetUnit(i) | Elem::SetWord(i, _) => {
                    self.attrs.push(*i);
                    if self.depth == 0 {
                        self.required_attrs.push(*i);
                    }
                }
                Elem::Results if self.depth == 0 => self.required_results = self.required_results.max(1),
                Elem::ResultType(i) if self.depth == 0 => {
                    self.required_results = self.required_results.max(usize::from(*i) + 1);
                }
                Elem::Keyed(entries) => self.attrs.extend(entries.iter().map(|(_, i, _)| *i)),
                Elem::Dict => self.dict = true,
                Elem::Group(_, inner) => self.collect(inner),
                // Its types are repeated too, and say as well as its values how often.
                Elem::OperandType(i) if self.repeated => self.operands.push(*i),
                Elem::Repeat(inner) => {
                    self.depth += 1;
                    self.repeated = true;
                    self.collect(inner);
                    self.repeated = false;
                    self.depth -= 1;
                }
                Elem::Opt(inner) => {
                    self.depth += 1;
                    self.collect(inner);
                    self.depth -= 1;
                }
                _ => {}
            }
        }
    }
}
