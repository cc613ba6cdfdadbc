//! Text of types to types.
//!
//! Equal text is read once: a table from text to handle stands before everything. Only a new text is parsed into items.

use super::cursor::{Cursor, Read};
use crate::codes;
use crate::types::*;
use ptoc_ir::{AttrData, AttrId, Context, FloatKind, Signedness, TypeData, TypeId, builtin};
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_syntax::{Item, ItemKind, Limits, parse_items};
use ptoc_target::{Arch, BLayout, Compact, DType, Loc, PadValue, SLayout};
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

    /// Reads a type in full detail.
    fn detail(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<TypeId> {
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
    fn shaped(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<(Vec<i64>, TypeId)> {
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

    fn extra(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<Option<AttrId>> {
        if c.eat(ItemKind::Comma).is_none() {
            return Ok(None);
        }
        self.attr(ctx, c).map(Some)
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

    fn pto(&mut self, ctx: &mut Context, c: &Cursor<'_>, head: Span, kind: &str, args: Option<Item>) -> Read<TypeId> {
        if let Some(args) = args
            && c.inside(args).at(ItemKind::Ellipsis)
        {
            return Err(Box::new(
                Diagnostic::error(codes::ELIDED_TYPE, head.to(args.span), "the parameters of the type are left out")
                    .note("`<...>` stands for any parameters in the manual; a program names them")
                    .help(format!("write the parameters: `!pto.{kind}<vec, 16x16xf32>`")),
            ));
        }
        if let Some(&(_, d)) = ElemType::NAMES.iter().find(|(n, _)| *n == kind) {
            return Ok(ctx.dialect_ty(ElemType(d)));
        }
        if let Some(&(_, k)) = OpaqueKind::NAMES.iter().find(|(n, _)| *n == kind) {
            return Ok(ctx.dialect_ty(k));
        }
        const KINDS: [&str; 12] = [
            "tile_buf",
            "tile",
            "multi_tile_buf",
            "tensor_view",
            "partition_tensor_view",
            "ptr",
            "vreg",
            "mask",
            "vmi.vreg",
            "vmi.mask",
            "eventid_array",
            "local_array",
        ];
        let unknown = || {
            let d = Diagnostic::error(codes::UNKNOWN_TYPE, head, format!("no type `!pto.{kind}`"));
            let all = KINDS.into_iter().chain(["struct"]).chain(ElemType::NAMES.iter().map(|n| n.0));
            Box::new(match (kind, did_you_mean(kind, all)) {
                ("tile_view", _) => d.help("this is the old name of `!pto.partition_tensor_view`"),
                (_, Some(n)) => d.help(format!("did you mean `!pto.{n}`?")),
                _ => d.help(SHOW_TYPES),
            })
        };
        let Some(args) = args else {
            return Err(if KINDS.contains(&kind) || kind == "struct" {
                bad(head, format!("`!pto.{kind}` needs parameters in `<...>`"))
            } else {
                unknown()
            });
        };
        let mut c = c.inside(args);
        let ty = match kind {
            "tile_buf" => self.tile(ctx, &mut c, TileForm::Buffer, args.span, None)?.0,
            "tile" => self.tile(ctx, &mut c, TileForm::Value, args.span, None)?.0,
            "multi_tile_buf" => self.multi_tile(ctx, &mut c, args.span)?,
            "tensor_view" | "partition_tensor_view" => {
                let (dims, elem) = self.shaped(ctx, &mut c)?;
                let kind = if kind == "tensor_view" { ViewKind::Tensor } else { ViewKind::Partition };
                ctx.dialect_ty(ViewType { kind, dims: dims.into(), elem })
            }
            "ptr" => {
                let elem = self.detail(ctx, &mut c)?;
                let mut space = Loc::Gm;
                if c.eat(ItemKind::Comma).is_some() {
                    let span = c.here();
                    let word = self.word(&mut c)?;
                    space = Loc::from_keyword(word)
                        .ok_or_else(|| bad(span, format!("no pointer space `{word}`")).help_spaces())?;
                }
                ctx.dialect_ty(PtrType { elem, space })
            }
            "vreg" | "vmi.vreg" => {
                let span = c.here();
                let (dims, elem) = self.shaped(ctx, &mut c)?;
                let lanes = one_dim(self.text(span), &dims, span)?;
                if kind == "vreg" {
                    ctx.dialect_ty(VRegType { lanes, elem })
                } else {
                    let layout = self.extra(ctx, &mut c)?;
                    ctx.dialect_ty(VmiVRegType { lanes, elem, layout })
                }
            }
            "mask" => {
                let span = c.here();
                let word = self.word(&mut c)?;
                let bits = mask_bits(word).filter(|&b| b > 0);
                let bits =
                    bits.ok_or_else(|| bad(span, format!("no predicate width `{word}`; it is b8, b16 or b32")))?;
                ctx.dialect_ty(MaskType { bits })
            }
            "vmi.mask" => {
                let span = c.here();
                let lanes =
                    u32::try_from(self.int(span)?).map_err(|_| number(self.text(span), span, "lane count", COUNT))?;
                c.bump();
                c.eat(ItemKind::Cross).ok_or_else(|| c.expected("`x`"))?;
                let span = c.here();
                let word = self.word(&mut c)?;
                let bits = mask_bits(word).ok_or_else(|| bad(span, format!("no predicate granularity `{word}`")))?;
                let layout = self.extra(ctx, &mut c)?;
                ctx.dialect_ty(VmiMaskType { lanes, bits, layout })
            }
            "eventid_array" => {
                let span = c.here();
                let count =
                    u32::try_from(self.int(span)?).map_err(|_| number(self.text(span), span, "count", COUNT))?;
                c.bump();
                ctx.dialect_ty(EventIdArrayType { count })
            }
            "local_array" => {
                let (dims, elem) = self.shaped(ctx, &mut c)?;
                ctx.dialect_ty(LocalArrayType { dims: dims.into(), elem })
            }
            "struct" => {
                let mut fields = Vec::new();
                if !c.is_done() {
                    self.type_list(ctx, &mut c, &mut fields)?;
                }
                let fields: Box<[TypeId]> = fields.into_iter().map(|(t, _)| t).collect();
                ctx.dialect_ty(StructType { fields })
            }
            _ => return Err(unknown()),
        };
        if !c.is_done() {
            return Err(bad(c.here(), format!("unexpected text in `!pto.{kind}<...>`")));
        }
        Ok(ty)
    }

    fn word(&self, c: &mut Cursor<'_>) -> Read<&'t str> {
        match c.peek() {
            Some(i) if i.kind == ItemKind::Word => {
                c.bump();
                Ok(self.text(i.span))
            }
            Some(i) if i.kind == ItemKind::Str => {
                c.bump();
                Ok(self.text(i.span).trim_matches('"'))
            }
            _ => Err(c.expected("a word")),
        }
    }

    fn multi_tile(&mut self, ctx: &mut Context, c: &mut Cursor<'_>, span: Span) -> Read<TypeId> {
        let mut count = None;
        let tile = if c.at(ItemKind::BangWord) {
            let t = self.detail(ctx, c)?;
            c.expect(ItemKind::Comma)?;
            c.expect_word(self.file, "count")?;
            c.expect(ItemKind::Equal)?;
            count = Some((self.int(c.here())?, c.here()));
            c.bump();
            t
        } else {
            let (t, n) = self.tile(ctx, c, TileForm::Buffer, span, Some(&mut count))?;
            debug_assert!(n);
            t
        };
        let Some((n, at)) = count else { return Err(bad(span, "a multi-buffered tile needs `count=N`")) };
        match u32::try_from(n) {
            Ok(count @ 2..=16) => Ok(ctx.dialect_ty(MultiTileType { tile, count })),
            _ => Err(bad(at, format!("a multi-buffered tile has 2 to 16 slots, not {n}"))),
        }
    }

    /// Reads the parameters of a tile type, keyed, compact or as the manual writes them.
    #[allow(clippy::too_many_lines)]
    fn tile(
        &mut self,
        ctx: &mut Context,
        c: &mut Cursor<'_>,
        form: TileForm,
        span: Span,
        mut count: Option<&mut Option<(i128, Span)>>,
    ) -> Read<(TypeId, bool)> {
        let mut f = Fields::default();
        let mut positional = 0;
        loop {
            let at = c.here();
            let keyed = c.at(ItemKind::Word) && c.peek_second().is_some_and(|i| i.kind == ItemKind::Equal);
            if keyed {
                let key = self.word(c)?;
                c.bump();
                let value_at = c.here();
                f.once(key, at)?;
                match key {
                    "loc" => f.set_loc(self.word(c)?, value_at)?,
                    "dtype" => f.elem = Some(self.detail(ctx, c)?),
                    "rows" => f.rows = Some(self.size(c)?),
                    "cols" => f.cols = Some(self.size(c)?),
                    "v_row" => f.v_row = Some(self.bound(c)?),
                    "v_col" => f.v_col = Some(self.bound(c)?),
                    "valid" => {
                        f.v_row = Some(self.bound(c)?);
                        c.eat(ItemKind::Cross).ok_or_else(|| c.expected("`x`"))?;
                        f.v_col = Some(self.bound(c)?);
                    }
                    "blayout" => f.set_blayout(self.word(c)?, value_at)?,
                    "slayout" => f.set_slayout(self.word(c)?, value_at)?,
                    "fractal" => f.fractal = Some((self.int(value_at)?, value_at)),
                    "pad" => f.pad = Some(self.pad(c, value_at)?),
                    "compact" => f.compact = Some(self.compact(c, value_at)?),
                    "count" if count.is_some() => {
                        if let Some(slot) = count.as_deref_mut() {
                            *slot = Some((self.int(value_at)?, value_at));
                        }
                    }
                    _ => {
                        let d = bad(at, format!("a tile type has no field `{key}`"))
                            .note(format!("the fields are {}, and valid", FIELDS.join(", ")));
                        return Err(Box::new(match did_you_mean(key, FIELDS.into_iter().chain(["valid"])) {
                            Some(k) => d.fix(format!("did you mean `{k}`?"), at, k),
                            None => d.help("remove it"),
                        }));
                    }
                }
                if matches!(key, "fractal" | "count") {
                    c.bump();
                }
            } else {
                self.tile_positional(ctx, c, &mut f, &mut positional)?;
            }
            if c.eat(ItemKind::Comma).is_none() {
                break;
            }
        }
        Ok((f.finish(ctx, self.file, self.arch, form, span)?, true))
    }

    /// One parameter without a key: the location, the shape, or a word of the manual's notation.
    fn tile_positional(&mut self, ctx: &mut Context, c: &mut Cursor<'_>, f: &mut Fields, n: &mut u32) -> Read<()> {
        let at = c.here();
        let Some(item) = c.peek() else { return Err(c.expected("a field of the tile type")) };
        let text = self.text(item.span);
        let shaped = matches!(item.kind, ItemKind::Int | ItemKind::Question)
            && c.peek_second().is_some_and(|i| i.kind == ItemKind::Cross);
        if shaped {
            let (dims, elem) = self.shaped(ctx, c)?;
            let [rows, cols] = dims[..] else {
                return Err(bad(at, format!("a tile has two dimensions, not {}", dims.len())));
            };
            if rows == TypeData::DYNAMIC || cols == TypeData::DYNAMIC {
                return Err(Box::new(
                    bad(at, "the shape of a tile is static")
                        .help("write the static shape, and the run-time sizes as `valid=?x?`"),
                ));
            }
            for field in ["rows", "cols", "dtype"] {
                f.once(field, at)?;
            }
            (f.rows, f.cols, f.elem) = (Some(rows as u64), Some(cols as u64), Some(elem));
            return Ok(());
        }
        match item.kind {
            ItemKind::Int if f.rows.is_none() => {
                f.once("rows", at)?;
                f.rows = Some(self.size(c)?);
            }
            ItemKind::Int if f.cols.is_none() => {
                f.once("cols", at)?;
                f.cols = Some(self.size(c)?);
            }
            ItemKind::Int => {
                f.once("fractal", at)?;
                f.fractal = Some((self.int(at)?, at));
                c.bump();
            }
            ItemKind::Word | ItemKind::Str
                if f.loc.is_none() && f.elem.is_none() && Loc::from_keyword(text).is_some() =>
            {
                f.once("loc", at)?;
                f.set_loc(self.word(c)?, at)?;
            }
            ItemKind::Word
                if matches!(text, "RowMajor" | "ColMajor" | "NoneBox" | "row_major" | "col_major" | "none_box") =>
            {
                c.bump();
                *n += 1;
                if *n == 1 { f.set_blayout(text, at)? } else { f.set_slayout(text, at)? }
            }
            ItemKind::Word if matches!(text, "None" | "NZ" | "ZN" | "FR" | "RN") => c.bump(),
            ItemKind::Word if matches!(text, "Zero" | "Null" | "Invalid") => {
                f.once("pad", at)?;
                f.pad = Some(self.pad(c, at)?);
            }
            ItemKind::Word | ItemKind::BangWord if f.elem.is_none() => {
                f.once("dtype", at)?;
                if f.loc.is_none() && item.kind == ItemKind::Word && scalar_type(ctx, text).is_none() {
                    f.set_loc(text, at)?;
                }
                f.elem = Some(self.detail(ctx, c)?);
            }
            _ => return Err(c.expected("a field of the tile type")),
        }
        Ok(())
    }

    fn size(&self, c: &mut Cursor<'_>) -> Read<u64> {
        let span = c.here();
        if !c.at(ItemKind::Int) {
            return Err(c.expected("a number of rows or columns"));
        }
        let n = self.int(span)?;
        c.bump();
        // 2^31 rows or columns are far beyond any memory; the cap keeps products in 64 bits.
        u64::try_from(n).ok().filter(|&n| n <= 1 << 31).ok_or_else(|| {
            number(self.text(span), span, "number of rows or columns", "a whole number from 1 to 2147483648")
        })
    }

    /// A valid size: a number, `?` or `-1`.
    fn bound(&self, c: &mut Cursor<'_>) -> Read<Option<u64>> {
        if c.eat(ItemKind::Question).is_some() {
            return Ok(None);
        }
        if c.at(ItemKind::Int) && self.int(c.here())? == -1 {
            c.bump();
            return Ok(None);
        }
        self.size(c).map(Some)
    }

    fn pad(&self, c: &mut Cursor<'_>, at: Span) -> Read<Pad> {
        if c.at(ItemKind::Int) {
            let n = self.int(at)?;
            c.bump();
            return Ok(match n {
                0 => Pad::Known(PadValue::Null),
                1 => Pad::Known(PadValue::Zero),
                2 => Pad::Known(PadValue::Max),
                3 => Pad::Known(PadValue::Min),
                _ => {
                    return Err(Box::new(bad(at, format!("no padding {n}")).note(
                        "pad is 0 (null), 1 (zero), 2 (max), 3 (min) or value(x) with any value of the element type",
                    )));
                }
            });
        }
        match self.word(c)? {
            "null" | "Null" | "Invalid" => Ok(Pad::Known(PadValue::Null)),
            "zero" | "Zero" => Ok(Pad::Known(PadValue::Zero)),
            "max" | "Max" => Ok(Pad::Known(PadValue::Max)),
            "min" | "Min" => Ok(Pad::Known(PadValue::Min)),
            "value" => {
                let group = c.expect(ItemKind::Paren)?;
                let inner = c.inside(group);
                match inner.peek() {
                    Some(i) if matches!(i.kind, ItemKind::Int | ItemKind::Float) => Ok(Pad::Value(i.span)),
                    _ => Err(inner.expected("a number")),
                }
            }
            w => Err(bad(at, format!("no padding `{w}`"))),
        }
    }

    fn compact(&self, c: &mut Cursor<'_>, at: Span) -> Read<Compact> {
        let code = if c.at(ItemKind::Int) {
            let n = self.int(at)?;
            c.bump();
            n
        } else {
            match self.word(c)? {
                "null" => 0,
                "normal" => 1,
                "row_plus_one" => 2,
                _ => 9,
            }
        };
        match code {
            0 => Ok(Compact::Null),
            1 => Ok(Compact::Normal),
            2 => Ok(Compact::RowPlusOne),
            _ => Err(bad(at, "compact is 0 (null), 1 (normal) or 2 (row_plus_one)")),
        }
    }
}

trait HelpSpaces {
    fn help_spaces(self) -> Box<Diagnostic>;
}

impl HelpSpaces for Box<Diagnostic> {
    fn help_spaces(self) -> Box<Diagnostic> {
        Box::new(self.note(
            "pointer spaces: gm, l1 (mat), l0a (left), l0b (right), l0c (acc), ub (vec), bt (bias), fb (scaling)",
        ))
    }
}

enum Pad {
    Known(PadValue),
    /// The place of the number of `value(x)`; its bits depend on the element type.
    Value(Span),
}

/// The fields of a tile type as they come in.
#[derive(Default)]
struct Fields {
    loc: Option<Loc>,
    elem: Option<TypeId>,
    rows: Option<u64>,
    cols: Option<u64>,
    v_row: Option<Option<u64>>,
    v_col: Option<Option<u64>>,
    blayout: Option<BLayout>,
    slayout: Option<SLayout>,
    fractal: Option<(i128, Span)>,
    pad: Option<Pad>,
    compact: Option<Compact>,
    /// Which of [`FIELDS`] were given.
    given: u16,
}

/// Every field of a tile type.
const FIELDS: [&str; 11] =
    ["loc", "dtype", "rows", "cols", "v_row", "v_col", "blayout", "slayout", "fractal", "pad", "compact"];

impl Fields {
    /// Notes that a field is given; a second time is an error. `valid=RxC` gives two fields.
    fn once(&mut self, field: &str, at: Span) -> Read<()> {
        if field == "valid" {
            self.once("v_row", at)?;
            return self.once("v_col", at);
        }
        let Some(n) = FIELDS.iter().position(|f| *f == field) else { return Ok(()) };
        if self.given & (1 << n) != 0 {
            let note = "the shape `16x16xf32` gives rows, cols and dtype, `valid=16x16` gives v_row and v_col";
            return Err(Box::new(
                bad(at, format!("the tile type gives `{field}` twice")).note(note).help("keep one of them"),
            ));
        }
        self.given |= 1 << n;
        Ok(())
    }

    fn set_loc(&mut self, word: &str, at: Span) -> Read<()> {
        const LOCS: [&str; 7] = ["vec", "mat", "left", "right", "acc", "bias", "scaling"];
        match Loc::from_keyword(word).filter(|l| LOCS.contains(&l.keyword())) {
            Some(l) => self.loc = Some(l),
            None => {
                let d = bad(at, format!("no tile location `{word}`"))
                    .note("a tile lives in vec, mat, left, right, acc, bias or scaling");
                return Err(Box::new(match did_you_mean(word, LOCS) {
                    Some(l) => d.fix(format!("did you mean `{l}`?"), at, l),
                    None => d,
                }));
            }
        }
        Ok(())
    }

    fn set_blayout(&mut self, word: &str, at: Span) -> Read<()> {
        self.blayout = Some(match word {
            "row_major" | "RowMajor" => BLayout::RowMajor,
            "col_major" | "ColMajor" => BLayout::ColMajor,
            _ => return Err(layout_error("blayout", word, at, &["row_major", "col_major"])),
        });
        Ok(())
    }

    fn set_slayout(&mut self, word: &str, at: Span) -> Read<()> {
        self.slayout = Some(match word {
            "none_box" | "NoneBox" => SLayout::NoneBox,
            "row_major" | "RowMajor" => SLayout::RowMajor,
            "col_major" | "ColMajor" => SLayout::ColMajor,
            _ => return Err(layout_error("slayout", word, at, &["none_box", "row_major", "col_major"])),
        });
        Ok(())
    }

    fn finish(self, ctx: &mut Context, file: &str, arch: Arch, form: TileForm, span: Span) -> Read<TypeId> {
        let missing = |what: &str| bad(span, format!("the tile type does not say {what}"));
        let loc = self.loc.unwrap_or(Loc::Vec);
        let elem = self.elem.ok_or_else(|| missing("its element type (`dtype=f32`, or `16x16xf32`)"))?;
        let rows = self.rows.ok_or_else(|| missing("its rows"))?;
        let cols = self.cols.ok_or_else(|| missing("its columns"))?;
        let dtype = dtype_of(ctx, elem).ok_or_else(|| {
            Box::new(
                bad(span, format!("a tile cannot hold elements of type `{}`", ctx.type_string(elem)))
                    .note("element types: i8 to i64, ui8 to ui64, f16, bf16, f32, f8E4M3FN, f8E5M2, !pto.hif8, !pto.f8E8M0, !pto.f4E2M1x2, !pto.f4E1M2x2"),
            )
        })?;
        let slayout = self.slayout.unwrap_or(SLayout::NoneBox);
        let mut blayout = self.blayout.unwrap_or(BLayout::RowMajor);
        if loc == Loc::Left {
            blayout = match arch {
                Arch::A2A3 => BLayout::RowMajor,
                Arch::A5 => BLayout::ColMajor,
            };
        }
        let loc = match (loc, dtype, blayout, slayout) {
            (Loc::Scaling, DType::F8E8M0, BLayout::RowMajor, SLayout::RowMajor) => Loc::ScaleLeft,
            (Loc::Scaling, DType::F8E8M0, BLayout::ColMajor, SLayout::ColMajor) => Loc::ScaleRight,
            _ => loc,
        };
        let fractal = match self.fractal {
            None => 512,
            Some((512, _)) => 512,
            Some((1024, _)) => 1024,
            Some((32, _)) => 32,
            Some((n, at)) => {
                return Err(Box::new(
                    Diagnostic::error(codes::TILE_FRACTAL, at, format!("the fractal size is {n} bytes"))
                        .note("a fractal has 512 bytes (operands), 1024 bytes (accumulator) or 32 bytes (MX scales)")
                        .help("use 1024 for an acc tile and 512 for any other"),
                ));
            }
        };
        let v_row = self.v_row.unwrap_or(Some(rows));
        let v_col = self.v_col.unwrap_or(Some(cols));
        let size_error = |message: String, help: &str| {
            Box::new(
                Diagnostic::error(codes::TILE_SIZE, span, message)
                    .note(
                        "a tile has at least one row and one column, and its valid region lies inside its static shape",
                    )
                    .help(help),
            )
        };
        if rows == 0 || cols == 0 {
            return Err(size_error(
                format!("the tile has {rows} rows and {cols} columns"),
                "give the shape at least one row and one column",
            ));
        }
        if v_row.is_some_and(|v| v > rows) || v_col.is_some_and(|v| v > cols) {
            let show = |v: Option<u64>| v.map_or("?".to_owned(), |n| n.to_string());
            return Err(size_error(
                format!("the valid region {}x{} does not lie inside the shape {rows}x{cols}", show(v_row), show(v_col)),
                "shrink the valid size, enlarge the shape, or write `?` for a size known at run time only",
            ));
        }
        let pad = match self.pad {
            None => PadValue::Null,
            Some(Pad::Known(p)) => p,
            Some(Pad::Value(at)) => {
                let bits = custom_pad(at.of(file), dtype).ok_or_else(|| {
                    Box::new(
                        bad(at, format!("`{}` is no {dtype} value", at.of(file)))
                            .help("write a value of the element type, or its bit pattern in hexadecimal"),
                    )
                })?;
                PadValue::Custom(bits)
            }
        };
        Ok(ctx.dialect_ty(TileType {
            form,
            loc,
            elem,
            dtype,
            rows,
            cols,
            valid_rows: v_row,
            valid_cols: v_col,
            blayout,
            slayout,
            fractal,
            pad,
            compact: self.compact.unwrap_or(Compact::Null),
        }))
    }
}

/// The bit pattern of a custom pad: a hexadecimal pattern for any type, a number for integers and f16, bf16, f32.
fn custom_pad(text: &str, dtype: DType) -> Option<u32> {
    let bits = 8 * dtype.bytes();
    if bits > 32 {
        return None;
    }
    let max = (1i128 << bits) - 1;
    if text.starts_with("0x") || text.starts_with("0X") {
        return u32::try_from(parse_int(text)?).ok().filter(|&b| i128::from(b) <= max);
    }
    match dtype {
        DType::F32 => text.parse::<f32>().ok().map(f32::to_bits),
        DType::F16 => text.parse::<f64>().ok().map(|v| u32::from(half::f16::from_f64(v).to_bits())),
        DType::BF16 => text.parse::<f64>().ok().map(|v| u32::from(half::bf16::from_f64(v).to_bits())),
        d if d.is_int() => {
            let v = parse_int(text)?;
            let low = if d.class() == ptoc_target::DTypeClass::Signed { -(1i128 << (bits - 1)) } else { 0 };
            let high = if low < 0 { -low - 1 } else { max };
            (low..=high).contains(&v).then_some((v & max) as u32)
        }
        _ => None,
    }
}

fn layout_error(field: &str, word: &str, at: Span, words: &[&'static str]) -> Box<Diagnostic> {
    let d = bad(at, format!("no {field} `{word}`")).note(format!("{field} is {}", words.join(" or ")));
    Box::new(match did_you_mean(word, words.iter().copied()) {
        Some(w) => d.fix(format!("did you mean `{w}`?"), at, w),
        None => d,
    })
}

/// A number that is none, or outside of its range.
fn number(text: &str, span: Span, what: &str, range: &str) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(codes::BAD_NUMBER, span, format!("`{text}` is no {what}"))
            .note(format!("a {what} is {range}"))
            .help("write a number of that range"),
    )
}

/// The range of counts that are kept in 32 bits.
const COUNT: &str = "a whole number from 0 to 4294967295";

fn one_dim(text: &str, dims: &[i64], span: Span) -> Read<u32> {
    match dims {
        [n] => u32::try_from(*n).map_err(|_| number(text, span, "lane count", COUNT)),
        _ => Err(bad(span, "a vector register has one dimension")),
    }
}

fn mask_bits(word: &str) -> Option<u32> {
    Some(match word {
        "b8" => 8,
        "b16" => 16,
        "b32" => 32,
        "pred" => 0,
        _ => return None,
    })
}

/// Reads `12`, `-3`, `0xFF`.
pub(crate) fn parse_int(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |d| (-1, d));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    // 64-bit values of either signedness are all that any type holds.
    let value = value.checked_mul(sign)?;
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}

/// True for a word that is a builtin type: `f32`, `i8`, `index`.
fn builtin_word(word: &str) -> bool {
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

fn scalar_type(ctx: &mut Context, word: &str) -> Option<TypeId> {
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

/// Runs of white space to one blank.
pub(crate) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the text of one type.
pub(crate) fn parse_type_text(ctx: &mut Context, text: &str, arch: Arch) -> Result<TypeId, Diagnostic> {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    Texts::new(text, arch).parse_new(ctx, Span::new(0, end)).map_err(|d| *d)
}
