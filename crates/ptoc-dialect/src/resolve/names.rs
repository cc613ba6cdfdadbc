//! Names of values: definitions and uses.

use super::scope::Binding;
use super::{Cursor, Read, Resolver, Values, count, plural};
use crate::codes;
use ptoc_ir::{OpId, OpKind, Sym, ValueId, builtin};
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_syntax::{ItemKind, OpNode};

impl<'t> Resolver<'t> {
    /// Binds the names left of `=` to the results of an op.
    pub(crate) fn define_results(&mut self, node: &OpNode, op: OpId) -> Read<()> {
        let names = self.tree.results(node.results);
        let written: usize = names.iter().map(|n| n.count as usize).sum();
        let have = self.ir.op(op).results.len();
        if written != have && written != 0 {
            let span = names.first().map_or(node.name, |n| n.span);
            let last = names.last().map_or(span, |n| n.span);
            self.ir.erase(op);
            return Err(Box::new(
                Diagnostic::error(
                    codes::RESULT_COUNT,
                    span.to(last),
                    format!(
                        "`{}` has {}, but {written} {} named",
                        self.text(node.name),
                        count(have, "result"),
                        plural(written)
                    ),
                )
                .label(node.name, count(have, "result"))
                .help(if have == 0 {
                    "drop the names and the `=`".to_owned()
                } else {
                    format!("name {} left of `=`", count(have, "result"))
                }),
            ));
        }
        let mut next = 0;
        for n in names {
            let name = self.text(n.span);
            let Some(&first) = self.ir.op(op).results.get(next) else { break };
            if n.count == 1 {
                self.define(name, first, n.span);
            } else {
                let sym = self.ctx().sym(bare(name));
                for i in next..(next + n.count as usize).min(have) {
                    let v = self.ir.op(op).results[i];
                    self.name_value(v, name, sym);
                }
                self.check_fresh(sym, n.span, Binding::Pack(first, n.count));
            }
            next += n.count as usize;
        }
        Ok(())
    }

    /// Marks the results of an operation that was rejected.
    pub(super) fn poison(&mut self, node: &OpNode) {
        for r in self.tree.results(node.results) {
            let name = self.text(r.span);
            let sym = self.ctx().sym(bare(name));
            self.scope.take_forward(sym);
            self.scope.define(sym, Binding::Poison, r.span);
        }
    }

    fn check_fresh(&mut self, sym: Sym, span: Span, binding: Binding) {
        if let Some(before) = self.scope.define(sym, binding, span) {
            let name = self.text(span);
            let d = Diagnostic::error(codes::REDEFINITION, span, format!("`{name}` is defined twice"))
                .label(before, "first defined here")
                .help("rename one of them");
            self.report(Box::new(d));
        }
    }

    /// Names a value by an interned name, unless that is a number.
    fn name_value(&mut self, v: ValueId, name: &str, sym: Sym) {
        if !bare(name).starts_with(|c: char| c.is_ascii_digit()) {
            self.ir.set_name_sym(v, sym);
        }
    }

    /// Binds a name (with its `%`) to a value.
    pub(crate) fn define(&mut self, name: &'t str, v: ValueId, span: Span) {
        let sym = self.ctx().sym(bare(name));
        self.name_value(v, name, sym);
        if !self.undefined.is_empty()
            && let Some(d) = self.undefined.remove(name).and_then(|n| self.diagnostics.get_mut(n))
        {
            defined_later(d, name, span);
        }
        if let Some(placeholder) = self.scope.take_forward(sym) {
            let (was, is) = (self.ir.value_type(placeholder), self.ir.value_type(v));
            if was != is && was != builtin::NONE {
                let d = self.type_error(span, name, is, was, span);
                self.report(d);
            }
            self.replaced.insert(placeholder, v);
        }
        self.check_fresh(sym, span, Binding::Value(v));
    }

    /// What a name (with its `%`) means here, and where it was defined.
    pub(super) fn binding(&self, name: &str) -> Option<(Binding, Span)> {
        self.scope.find(self.ir.ctx.find_sym(bare(name))?)
    }

    /// The value of a name. `Err` carries nothing to report when the definition itself was rejected.
    pub(crate) fn use_value(&mut self, span: Span) -> Read<ValueId> {
        let name = self.text(span);
        match self.binding(name) {
            Some((Binding::Value(v) | Binding::Pack(v, _), _)) => Ok(v),
            Some((Binding::Poison, _)) => Err(poisoned(span)),
            None => self.use_unbound(name, span),
        }
    }

    /// The value of a name that is one of a pack, or is defined further down.
    fn use_unbound(&mut self, name: &'t str, span: Span) -> Read<ValueId> {
        if let Some((base, index)) = name.split_once('#') {
            let index: Option<u32> = index.parse().ok();
            return match (self.binding(base), index) {
                // The results of one operation have neighbouring handles.
                (Some((Binding::Pack(first, count), _)), Some(i)) if i < count => {
                    Ok(ValueId::from_index(first.index() + i as usize))
                }
                (Some((Binding::Value(v), _)), Some(0)) => Ok(v),
                (Some((Binding::Poison, _)), _) => Err(poisoned(span)),
                _ => Err(self.undefined(name, span)),
            };
        }
        if !self.scope.allows_forward() {
            return Err(self.undefined(name, span));
        }
        let sym = self.ctx().sym(bare(name));
        if let Some(v) = self.scope.forward(sym) {
            return Ok(v);
        }
        let op = self.ir.create_op(OpKind::UNREGISTERED, span, &[builtin::NONE]);
        let v = self.ir.op(op).results[0];
        self.scope.add_forward(sym, v, span);
        Ok(v)
    }

    fn undefined(&mut self, name: &'t str, span: Span) -> Box<Diagnostic> {
        // The report that is about to be made, unless an alternative reading of the operation succeeds.
        self.undefined.entry(name).or_insert(self.diagnostics.len());
        let d = Diagnostic::error(codes::UNDEFINED_VALUE, span, format!("`{name}` is not defined here"));
        // Looking for a similar name costs time for each visible one: not in huge functions, and not without end.
        const MOST_NAMES: usize = 2_000;
        const MOST_ERRORS: usize = 20;
        let search = self.diagnostics.len() < MOST_ERRORS;
        let mut names: Vec<Sym> = self.scope.names().take(if search { MOST_NAMES + 1 } else { 0 }).collect();
        if names.len() > MOST_NAMES {
            names.clear();
        }
        let mut names: Vec<String> = names.into_iter().map(|s| format!("%{}", self.ir.ctx.str(s))).collect();
        names.sort_unstable();
        Box::new(match did_you_mean(name, names.iter().map(String::as_str)) {
            Some(n) => d.fix(format!("did you mean `{n}`?"), span, n),
            None => d.help("define it before this use, in this block or an enclosing one of the same function"),
        })
    }

    pub(super) fn report_missing(&mut self, missing: Vec<Span>) {
        for span in missing {
            let name = self.text(span);
            let d =
                Diagnostic::error(codes::UNDEFINED_VALUE, span, format!("`{name}` is not defined in this function"))
                    .help("define it on every path to this use");
            self.report(Box::new(d));
        }
    }

    /// Reads `%x`.
    pub(crate) fn value(&mut self, c: &mut Cursor<'_>) -> Read<(ValueId, Span)> {
        let item = c.expect(ItemKind::Value)?;
        Ok((self.use_value(item.span)?, item.span))
    }

    /// Reads `%x, %y, ...`; stops where no value follows.
    pub(crate) fn values(&mut self, c: &mut Cursor<'_>) -> Read<Values> {
        let mut out = Values::new();
        while c.at(ItemKind::Value) {
            out.push(self.value(c)?);
            if c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| i.kind == ItemKind::Value) {
                c.bump();
            } else {
                break;
            }
        }
        Ok(out)
    }
}

/// A name without its `%`.
fn bare(name: &str) -> &str {
    name.strip_prefix('%').unwrap_or(name)
}

/// A name that has no definition before its use has one behind it.
fn defined_later(d: &mut Diagnostic, name: &str, span: Span) {
    if d.code != codes::UNDEFINED_VALUE || !d.message.contains(name) {
        return;
    }
    let message = format!("`{name}` is used before it is defined");
    *d = Diagnostic::error(codes::UNDEFINED_VALUE, d.primary_span(), message)
        .label(span, "defined only here")
        .note("a definition comes before its uses, in the same block or an enclosing one")
        .help("move the definition in front of the use");
}

/// Something that follows from an error already reported.
fn poisoned(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::POISONED, span, ""))
}
