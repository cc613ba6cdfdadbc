//! MLIR's own types, and the shapes that all types write alike.

use super::{SHOW_TYPES, Texts, bad, number, squeeze};
use crate::codes;
use crate::resolve::{Cursor, Read};
use ptoc_ir::{AttrData, AttrId, Context, FloatKind, Signedness, TypeData, TypeId, builtin};
use ptoc_source::{Diagnostic, did_you_mean};
use ptoc_syntax::{Item, ItemKind};

impl Texts<'_> {
    /// Reads a type in full detail.
    pub(super) fn detail(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<TypeId> {
        self.deeper(c.here(), |t| t.detail_inside(ctx, c))
    }

    fn detail_inside(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<TypeId> {
        let Some(item) = c.peek() else { return Err(c.expected("a type")) };
        match item.kind {
            // A whole type inside a statement.
            ItemKind::Type => self.ty(ctx, c),
            ItemKind::Paren => {
                c.bump();
                let mut params = Vec::new();
                let mut inner = c.inside(item);
                if !inner.is_done() {
                    self.type_list(ctx, &mut inner, &mut params)?;
                    inner.expect_done()?;
                }
                c.expect(ItemKind::Arrow)?;
                let results = self.result_types(ctx, c)?;
                let params: Vec<TypeId> = params.into_iter().map(|(t, _)| t).collect();
                let results: Vec<TypeId> = results.into_iter().map(|(t, _)| t).collect();
                Ok(ctx.function(&params, &results))
            }
            ItemKind::Word => {
                let word = self.text(item.span);
                c.bump();
                let args = c.eat(ItemKind::Angle);
                self.builtin(ctx, c, item, word, args)
            }
            ItemKind::BangWord => {
                c.bump();
                let args = c.eat(ItemKind::Angle);
                let name = self.text(item.span).trim_start_matches('!');
                match name.strip_prefix("pto.") {
                    Some(kind) => self.pto(ctx, c, item.span, kind, args),
                    None if !name.contains('.') => match self.type_aliases.get(self.text(item.span)) {
                        Some(&t) => Ok(t),
                        None => Err(Box::new(
                            Diagnostic::error(codes::UNKNOWN_TYPE, item.span, format!("no type alias `!{name}`"))
                                .help("define it at the top of the file: `!name = type`"),
                        )),
                    },
                    None if name.starts_with("llvm.") => {
                        let span = args.map_or(item.span, |a| item.span.to(a.span));
                        let text = squeeze(self.text(span));
                        let s = ctx.sym(&text);
                        Ok(ctx.ty(TypeData::Opaque(s)))
                    }
                    None => Err(Box::new(
                        Diagnostic::error(codes::UNKNOWN_TYPE, item.span, format!("no type `!{name}`"))
                            .note("types of the dialects `builtin`, `pto` and `llvm` are known"),
                    )),
                }
            }
            _ => Err(c.expected("a type")),
        }
    }

    /// Reads dimensions and the element type: `16x?xf32`.
    pub(super) fn shaped(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<(Vec<i64>, TypeId)> {
        let mut dims = Vec::new();
        loop {
            match (c.peek_kind(), c.peek_second().map(|i| i.kind)) {
                (Some(ItemKind::Question), Some(ItemKind::Cross)) => dims.push(TypeData::DYNAMIC),
                (Some(ItemKind::Int), Some(ItemKind::Cross)) => {
                    let span = c.here();
                    let n = self.int(span)?;
                    let dim = i64::try_from(n).ok().filter(|&n| n >= 0);
                    dims.push(dim.ok_or_else(|| {
                        number(
                            self.text(span),
                            span,
                            "dimension",
                            "a whole number from 0 to 9223372036854775807, or `?`",
                        )
                    })?);
                }
                _ => return Ok((dims, self.detail(ctx, c)?)),
            }
            c.bump();
            c.bump();
        }
    }

    fn builtin(
        &mut self,
        ctx: &mut Context,
        c: &Cursor<'_>,
        item: Item,
        word: &str,
        args: Option<Item>,
    ) -> Read<TypeId> {
        let Some(args) = args else {
            return match scalar_type(ctx, word) {
                Some(t) => Ok(t),
                None => {
                    let d = Diagnostic::error(codes::UNKNOWN_TYPE, item.span, format!("no type `{word}`"));
                    let names =
                        FloatKind::ALL.iter().map(|k| k.keyword()).chain(["index", "i1", "i8", "i16", "i32", "i64"]);
                    Err(Box::new(match did_you_mean(word, names) {
                        Some(n) => d.fix(format!("did you mean `{n}`?"), item.span, n),
                        None => d.help(SHOW_TYPES),
                    }))
                }
            };
        };
        let mut inner = c.inside(args);
        let ty = match word {
            "vector" => {
                let (dims, elem) = self.shaped(ctx, &mut inner)?;
                ctx.ty(TypeData::Vector { dims: dims.into(), elem })
            }
            "tensor" => {
                let (dims, elem) = self.shaped(ctx, &mut inner)?;
                let encoding = self.extra(ctx, &mut inner)?;
                ctx.ty(TypeData::Tensor { dims: dims.into(), elem, encoding })
            }
            "memref" => {
                let (dims, elem) = self.shaped(ctx, &mut inner)?;
                let first = self.extra(ctx, &mut inner)?;
                let second = self.extra(ctx, &mut inner)?;
                let is_layout = |a: AttrId| matches!(ctx.attr_data(a), AttrData::Raw(s) if ctx.str(*s).starts_with("strided") || ctx.str(*s).starts_with("affine_map"));
                let (layout, space) = match (first, second) {
                    (Some(a), None) if !is_layout(a) => (None, Some(a)),
                    other => other,
                };
                ctx.ty(TypeData::MemRef { dims: dims.into(), elem, layout, space })
            }
            "tuple" => {
                let mut types = Vec::new();
                if !inner.is_done() {
                    self.type_list(ctx, &mut inner, &mut types)?;
                }
                let types: Box<[TypeId]> = types.into_iter().map(|(t, _)| t).collect();
                ctx.ty(TypeData::Tuple(types))
            }
            _ => {
                return Err(Box::new(
                    Diagnostic::error(codes::UNKNOWN_TYPE, item.span, format!("no type `{word}<...>`"))
                        .help(SHOW_TYPES),
                ));
            }
        };
        if !inner.is_done() {
            return Err(bad(inner.here(), format!("unexpected text in `{word}<...>`")));
        }
        Ok(ty)
    }

    pub(super) fn extra(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<Option<AttrId>> {
        if c.eat(ItemKind::Comma).is_none() {
            return Ok(None);
        }
        self.attr(ctx, c).map(Some)
    }
}

/// True for a word that is a builtin type: `f32`, `i8`, `index`.
pub(super) fn builtin_word(word: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.len() <= 4 && s.bytes().all(|b| b.is_ascii_digit());
    word == "index"
        || word == "none"
        || word
            .strip_prefix("si")
            .or_else(|| word.strip_prefix("ui"))
            .or_else(|| word.strip_prefix('i'))
            .is_some_and(digits)
        || FloatKind::ALL.iter().any(|k| k.keyword() == word)
        || matches!(word, "vector" | "tensor" | "memref" | "tuple")
}

pub(super) fn scalar_type(ctx: &mut Context, word: &str) -> Option<TypeId> {
    Some(match word {
        "index" => builtin::INDEX,
        "none" => builtin::NONE,
        _ => {
            if let Some(&k) = FloatKind::ALL.iter().find(|k| k.keyword() == word) {
                return Some(ctx.float(k));
            }
            let (sign, digits) = if let Some(d) = word.strip_prefix("si") {
                (Signedness::Signed, d)
            } else if let Some(d) = word.strip_prefix("ui") {
                (Signedness::Unsigned, d)
            } else {
                (Signedness::Signless, word.strip_prefix('i')?)
            };
            let width: u32 = digits.parse().ok().filter(|w| (1..=128).contains(w))?;
            ctx.ty(TypeData::Integer { width, sign })
        }
    })
}

/// Types of one word that every context has; most types in a program's arithmetic are.
pub(super) fn fixed(word: &str) -> Option<TypeId> {
    Some(match word {
        "index" => builtin::INDEX,
        "i1" => builtin::I1,
        "i32" => builtin::I32,
        "i64" => builtin::I64,
        "f16" => builtin::F16,
        "bf16" => builtin::BF16,
        "f32" => builtin::F32,
        _ => return None,
    })
}
