//! Attribute values to their canonical form.

use super::{Read, Resolver};
use crate::codes;
use crate::table::{AttrDef, AttrTy, OpDef};
use ptoc_ir::{AttrData, AttrId, Sym, builtin};
use ptoc_source::{Diagnostic, Span, did_you_mean};

/// Other names under which attributes are written: `(written, canonical)`.
const ALIASES: [(&str, &str); 2] = [("satmode", "sat_mode"), ("cmp", "cmpMode")];

impl Resolver<'_> {
    /// An attribute key that is an old name of a known one is renamed; one that looks like a slip is reported.
    pub(super) fn known_alias(
        &mut self,
        def: &'static OpDef,
        key: &str,
        span: Span,
        slot: &mut Sym,
    ) -> Read<Option<&'static AttrDef>> {
        if let Some((_, to)) = ALIASES.iter().find(|(from, to)| *from == key && def.attr(to).is_some()) {
            *slot = self.ctx().sym(to);
            return Ok(def.attr(to));
        }
        // Unknown attributes are kept. Only a near miss of a known name is taken for a slip.
        if !key.contains('.')
            && let Some(near) = did_you_mean(key, def.attrs.iter().map(|a| a.name))
        {
            return Err(Box::new(
                Diagnostic::error(codes::BAD_ATTRIBUTE, span, format!("{}: no attribute `{key}`", def.name)).fix(
                    format!("did you mean `{near}`?"),
                    span,
                    near,
                ),
            ));
        }
        Ok(None)
    }

    pub(super) fn bad_word<'w>(
        &self,
        attr: &str,
        word: &str,
        span: Span,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> Box<Diagnostic> {
        let list: Vec<&str> = words.clone().collect();
        let d = Diagnostic::error(codes::BAD_ATTRIBUTE, span, format!("`{attr}` cannot be `{word}`"))
            .note(format!("`{attr}` is one of: {}", list.join(", ")));
        Box::new(match did_you_mean(word, words) {
            Some(w) => d.help(format!("did you mean `{w}`?")),
            None => d,
        })
    }

    /// Checks a value against the attribute's definition and gives its canonical form.
    pub(super) fn normalize(&mut self, a: &'static AttrDef, value: AttrId, span: Span) -> Read<AttrId> {
        let kind_error = |r: &Self, what: &str| {
            Box::new(
                Diagnostic::error(
                    codes::BAD_ATTRIBUTE,
                    span,
                    format!("`{}` cannot be `{}`", a.name, r.ir.ctx.attr_string(value)),
                )
                .note(format!("`{}` is {what}", a.name)),
            )
        };
        let data = self.ir.ctx.attr_data(value).clone();
        match a.ty {
            AttrTy::OneOf(enums) => {
                let word = match &data {
                    AttrData::Dialect { body, .. } => self.ir.ctx.str(*body).to_owned(),
                    AttrData::String(s) => self.ir.ctx.str(*s).to_owned(),
                    _ => return Err(kind_error(self, "a word")),
                };
                let written_kind = match &data {
                    AttrData::Dialect { kind, .. } => Some(self.ir.ctx.str(*kind).to_owned()),
                    _ => None,
                };
                let found = enums
                    .iter()
                    .filter(|e| written_kind.as_ref().is_none_or(|k| k == e.kind))
                    .find_map(|e| e.values.iter().find(|v| v.0 == word).map(|v| (*e, v.0)));
                match found {
                    Some((e, word)) => Ok(self.ctx().dialect_attr("pto", e.kind, word, e.spaced)),
                    None => Err(self.bad_word(a.name, &word, span, enums.iter().flat_map(|e| e.values).map(|v| v.0))),
                }
            }
            AttrTy::Enum(e) => {
                let word = match &data {
                    AttrData::Dialect { dialect, kind, body, .. } if self.ir.ctx.str(*dialect) == "pto" => {
                        if self.ir.ctx.str(*kind) != e.kind {
                            return Err(kind_error(self, &format!("of kind `{}`", e.kind)));
                        }
                        self.ir.ctx.str(*body).to_owned()
                    }
                    AttrData::String(s) => self.ir.ctx.str(*s).to_owned(),
                    AttrData::Integer { value: code, .. } => match u32::try_from(*code).ok().and_then(|c| e.word(c)) {
                        Some(w) => w.to_owned(),
                        None => {
                            return Err(self.bad_word(a.name, &code.to_string(), span, e.values.iter().map(|v| v.0)));
                        }
                    },
                    _ => return Err(kind_error(self, &format!("of kind `{}`", e.kind))),
                };
                let known = e.values.iter().map(|v| v.0).find(|w| w.eq_ignore_ascii_case(&word));
                let Some(word) = known else {
                    return Err(self.bad_word(a.name, &word, span, e.values.iter().map(|v| v.0)));
                };
                Ok(self.ctx().dialect_attr("pto", e.kind, word, e.spaced))
            }
            AttrTy::Words(words) => match &data {
                AttrData::String(s) => {
                    let text = self.ir.ctx.str(*s);
                    if words.contains(&text) {
                        Ok(value)
                    } else {
                        let text = text.to_owned();
                        Err(self.bad_word(a.name, &text, span, words.iter().copied()))
                    }
                }
                _ => Err(kind_error(self, &format!("one of {}", words.join(", ")))),
            },
            AttrTy::Int(_) => match data {
                AttrData::Integer { .. } | AttrData::Bool(_) => Ok(value),
                _ => Err(kind_error(self, "an integer")),
            },
            AttrTy::Ints => match &data {
                AttrData::DenseArray { .. } => Ok(value),
                AttrData::Array(items) => {
                    let values: Option<Box<[i64]>> = items
                        .iter()
                        .map(|&i| match self.ir.ctx.attr_data(i) {
                            AttrData::Integer { value, .. } => i64::try_from(*value).ok(),
                            _ => None,
                        })
                        .collect();
                    match values {
                        Some(values) => Ok(self.ctx().attr(AttrData::DenseArray { elem: builtin::I64, values })),
                        None => Err(kind_error(self, "a list of integers")),
                    }
                }
                _ => Err(kind_error(self, "a list of integers")),
            },
            AttrTy::Bool => match data {
                AttrData::Bool(_) => Ok(value),
                AttrData::Unit => Ok(self.ctx().attr(AttrData::Bool(true))),
                AttrData::Integer { value: v @ (0 | 1), ty } if ty == builtin::I1 || ty == builtin::I64 => {
                    Ok(self.ctx().attr(AttrData::Bool(v == 1)))
                }
                _ => Err(kind_error(self, "true or false")),
            },
            AttrTy::Unit => match data {
                AttrData::Unit => Ok(value),
                AttrData::Bool(true) => Ok(self.ctx().attr(AttrData::Unit)),
                _ => Err(kind_error(self, "present without a value")),
            },
            AttrTy::Str => match data {
                AttrData::String(_) => Ok(value),
                _ => Err(kind_error(self, "a string")),
            },
            AttrTy::Any => Ok(value),
        }
    }
}
