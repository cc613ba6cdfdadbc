//! Text of types to types.
//!
//! Equal text is read once: a table from text to handle stands before everything. Only a new text is parsed into items.

mod builtin;
mod fields;
mod numbers;
mod pto;
mod tile;

use self::builtin::{builtin_word, fixed};
pub(crate) use self::numbers::parse_int;
use self::numbers::{COUNT, number};
use super::cursor::{Cursor, Read};
use crate::codes;
use ptoc_ir::{AttrId, Context, TypeId};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::{Item, ItemKind, Limits, parse_items};
use ptoc_target::Arch;
use rustc_hash::FxHashMap;

/// Reader of types and attributes of one file.
pub(crate) struct Texts<'t> {
    /// The whole file; every span points into it.
    pub(crate) file: &'t str,
    /// Left tiles take their block layout from the architecture.
    pub(crate) arch: Arch,
    types: FxHashMap<&'t str, TypeId>,
    type_aliases: FxHashMap<&'t str, TypeId>,
    attr_aliases: FxHashMap<&'t str, AttrId>,
    pub(super) attrs: FxHashMap<&'t str, AttrId>,
    /// How many types and attributes are being read inside each other.
    depth: u32,
}

/// Types and attributes may be nested that deep; reading and printing them recurses.
const MAX_NESTING: u32 = 64;

const SHOW_TYPES: &str = "`ptoc explain types` shows every type";

fn bad(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(codes::BAD_TYPE, span, message))
}

impl<'t> Texts<'t> {
    pub(crate) fn new(file: &'t str, arch: Arch) -> Self {
        Texts {
            file,
            arch,
            types: FxHashMap::default(),
            type_aliases: FxHashMap::default(),
            attr_aliases: FxHashMap::default(),
            attrs: FxHashMap::default(),
            depth: 0,
        }
    }

    pub(crate) fn text(&self, span: Span) -> &'t str {
        span.of(self.file)
    }

    pub(crate) fn add_type_alias(&mut self, name: Span, ty: TypeId) {
        self.type_aliases.insert(self.text(name), ty);
    }

    pub(crate) fn add_attr_alias(&mut self, name: Span, attr: AttrId) {
        self.attr_aliases.insert(self.text(name), attr);
    }

    pub(crate) fn attr_alias(&self, name: &str) -> Option<AttrId> {
        self.attr_aliases.get(name).copied()
    }

    /// True when a type can begin with this item.
    pub(crate) fn starts_type(&self, item: Item) -> bool {
        match item.kind {
            ItemKind::Type | ItemKind::BangWord | ItemKind::Paren => true,
            ItemKind::Word => builtin_word(self.text(item.span)),
            _ => false,
        }
    }

    /// Reads a type of a statement.
    pub(crate) fn ty(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<TypeId> {
        let Some(item) = c.peek() else { return Err(c.expected("a type")) };
        match item.kind {
            ItemKind::Type | ItemKind::Word => {
                let text = self.text(item.span);
                if let Some(ty) = fixed(text) {
                    c.bump();
                    return Ok(ty);
                }
                if let Some(&ty) = self.types.get(text) {
                    c.bump();
                    return Ok(ty);
                }
                if item.kind == ItemKind::Word && !builtin_word(text) {
                    return Err(c.expected("a type"));
                }
                let ty = self.parse_new(ctx, item.span)?;
                self.types.insert(text, ty);
                c.bump();
                Ok(ty)
            }
            _ => self.detail(ctx, c),
        }
    }

    /// Parses the text of one type.
    fn parse_new(&mut self, ctx: &mut Context, span: Span) -> Read<TypeId> {
        let parse = parse_items(self.text(span), span.start, &Limits::default());
        if let Some(d) = parse.diagnostics.into_iter().next() {
            return Err(Box::new(d));
        }
        let mut c = Cursor::new(&parse.tree, parse.tree.root(), span);
        let ty = self.detail(ctx, &mut c)?;
        if !c.is_done() {
            return Err(bad(c.here(), "unexpected text after the type"));
        }
        Ok(ty)
    }

    /// Reads a comma-separated list of types up to something else.
    pub(crate) fn type_list(
        &mut self,
        ctx: &mut Context,
        c: &mut Cursor<'_>,
        out: &mut Vec<(TypeId, Span)>,
    ) -> Read<()> {
        loop {
            let span = c.here();
            out.push((self.ty(ctx, c)?, span));
            if c.at(ItemKind::Comma) && c.peek_second().is_some_and(|i| self.starts_type(i)) {
                c.bump();
            } else {
                return Ok(());
            }
        }
    }

    /// Reads result types after `->`: one type, or a list in parentheses.
    pub(crate) fn result_types(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<Vec<(TypeId, Span)>> {
        let mut out = Vec::new();
        if let Some(p) = c.peek().filter(|i| i.kind == ItemKind::Paren)
            && c.peek_second().is_none_or(|i| i.kind != ItemKind::Arrow)
        {
            c.bump();
            let mut inner = c.inside(p);
            if !inner.is_done() {
                self.type_list(ctx, &mut inner, &mut out)?;
                inner.expect_done()?;
            }
        } else {
            let span = c.here();
            out.push((self.ty(ctx, c)?, span));
        }
        Ok(out)
    }

    /// Runs a reader one level deeper.
    pub(super) fn deeper<T>(&mut self, at: Span, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_NESTING {
            return Err(Box::new(
                Diagnostic::error(
                    codes::TOO_DEEP,
                    at,
                    format!("types or attributes are nested more than {MAX_NESTING} deep"),
                )
                .help("use fewer levels"),
            ));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    pub(super) fn int(&self, span: Span) -> Read<i128> {
        let text = self.text(span);
        parse_int(text)
            .ok_or_else(|| number(text, span, "number of 64 bits", "from -9223372036854775808 to 18446744073709551615"))
    }

    /// The parameters of a type given without its head, `<f32>`, read as those of `!pto.KIND`.
    pub(crate) fn headless(&mut self, ctx: &mut Context, c: &Cursor<'_>, angle: Item, kind: &str) -> Read<TypeId> {
        // The children of a statement-level group are not in full detail: read the text anew.
        let text = self.text(angle.span);
        let parse = parse_items(text, angle.span.start, &Limits::default());
        let root = parse.tree.root();
        match (parse.diagnostics.into_iter().next(), parse.tree.items(root).first()) {
            (None, Some(group)) if group.kind == ItemKind::Angle => {
                let inner = Cursor::new(&parse.tree, root, angle.span);
                self.pto(ctx, &inner, angle.span, kind, Some(group))
            }
            (Some(d), _) => Err(Box::new(d)),
            _ => Err(c.expected("a type")),
        }
    }
}

/// Runs of white space to one blank.
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the text of one type.
pub(crate) fn parse_type_text(ctx: &mut Context, text: &str, arch: Arch) -> Result<TypeId, Diagnostic> {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    Texts::new(text, arch).parse_new(ctx, Span::new(0, end)).map_err(|d| *d)
}
