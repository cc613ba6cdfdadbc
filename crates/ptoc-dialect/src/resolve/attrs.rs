//! Text of attributes to attributes.

use super::cursor::{Cursor, Read};
use super::types::{Texts, parse_int, squeeze};
use crate::codes;
use ptoc_ir::{AttrData, AttrId, Context, FloatKind, NamedAttr, TypeData, TypeId, builtin};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::{ItemKind, Limits, parse_items};

impl Texts<'_> {
    /// Reads an attribute value.
    pub(crate) fn attr(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<AttrId> {
        self.deeper(c.here(), |t| t.attr_inside(ctx, c))
    }

    fn attr_inside(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<AttrId> {
        let Some(item) = c.peek() else { return Err(c.expected("an attribute value")) };
        let text = self.text(item.span);
        match item.kind {
            ItemKind::Int | ItemKind::Float => {
                c.bump();
                let ty = self.number_type(ctx, c)?;
                self.number(ctx, item.span, item.kind == ItemKind::Float, ty)
            }
            ItemKind::Str => {
                c.bump();
                let value = unquote(text);
                if c.at(ItemKind::Colon) && c.peek_second().is_some_and(|i| self.starts_type(i)) {
                    // A typed string keeps its text.
                    c.bump();
                    let ty = self.ty(ctx, c)?;
                    let raw = format!("{text} : {}", ctx.type_string(ty));
                    let s = ctx.sym(&raw);
                    return Ok(ctx.attr(AttrData::Raw(s)));
                }
                Ok(ctx.str_attr(&value))
            }
            ItemKind::Word if text == "true" || text == "false" => {
                c.bump();
                Ok(ctx.attr(AttrData::Bool(text == "true")))
            }
            ItemKind::Word if text == "unit" => {
                c.bump();
                Ok(ctx.attr(AttrData::Unit))
            }
            ItemKind::Symbol => {
                c.bump();
                let path: Box<[_]> = text.split("::").map(|p| ctx.sym(&unquote(p.trim_start_matches('@')))).collect();
                Ok(ctx.attr(AttrData::Symbol(path)))
            }
            ItemKind::Bracket => {
                c.bump();
                let mut inner = c.inside(item);
                let mut items = Vec::new();
                while !inner.is_done() {
                    items.push(self.attr(ctx, &mut inner)?);
                    if inner.eat(ItemKind::Comma).is_none() {
                        break;
                    }
                }
                inner.expect_done()?;
                Ok(ctx.attr(AttrData::Array(items.into())))
            }
            ItemKind::Brace => {
                c.bump();
                let mut entries = Vec::new();
                self.dict(ctx, c.inside(item), &mut entries, &mut |_, _, _| {})?;
                Ok(ctx.attr(AttrData::Dict(entries.into())))
            }
            ItemKind::Attr => {
                c.bump();
                if let Some(&a) = self.attrs.get(text) {
                    return self.typed_raw(ctx, c, a);
                }
                let a = self.parse_attr(ctx, item.span)?;
                let file = self.file;
                self.attrs.insert(item.span.of(file), a);
                self.typed_raw(ctx, c, a)
            }
            ItemKind::HashWord => {
                // Inside a type in full detail: take the text with its parameters.
                c.bump();
                let span = c.eat(ItemKind::Angle).map_or(item.span, |a| item.span.to(a.span));
                self.parse_attr(ctx, span)
            }
            ItemKind::Word if c.peek_second().is_some_and(|i| i.kind == ItemKind::Angle) => {
                c.bump();
                let span = c.eat(ItemKind::Angle).map_or(item.span, |a| item.span.to(a.span));
                let raw = squeeze(self.text(span));
                let s = ctx.sym(&raw);
                Ok(ctx.attr(AttrData::Raw(s)))
            }
            _ if self.starts_type(item) => {
                let ty = self.ty(ctx, c)?;
                Ok(ctx.attr(AttrData::Type(ty)))
            }
            _ => Err(c.expected("an attribute value")),
        }
    }

    /// `dense<...>` and the like carry a type after them.
    fn typed_raw(&mut self, ctx: &mut Context, c: &mut Cursor<'_>, attr: AttrId) -> Read<AttrId> {
        if let AttrData::Raw(s) = *ctx.attr_data(attr)
            && c.at(ItemKind::Colon)
            && c.peek_second().is_some_and(|i| self.starts_type(i))
        {
            c.bump();
            let ty = self.ty(ctx, c)?;
            let raw = format!("{} : {}", ctx.str(s), ctx.type_string(ty));
            let s = ctx.sym(&raw);
            return Ok(ctx.attr(AttrData::Raw(s)));
        }
        Ok(attr)
    }

    fn number_type(&mut self, ctx: &mut Context, c: &mut Cursor<'_>) -> Read<Option<TypeId>> {
        if c.at(ItemKind::Colon) && c.peek_second().is_some_and(|i| self.starts_type(i)) {
            c.bump();
            return self.ty(ctx, c).map(Some);
        }
        Ok(None)
    }

    /// A number as an attribute of a type; a number without a type is an `i64` or an `f64`.
    pub(crate) fn number(&self, ctx: &mut Context, span: Span, is_float: bool, ty: Option<TypeId>) -> Read<AttrId> {
        let text = self.text(span);
        let bad = |m: String| Box::new(Diagnostic::error(codes::BAD_NUMBER, span, m));
        if is_float {
            let v: f64 = text.parse().map_err(|_| bad(format!("`{text}` is not a number")))?;
            if !v.is_finite() {
                return Err(bad(format!("`{text}` is larger than any finite number"))
                    .help_text("write infinity as the bit pattern of its type: `0x7F800000 : f32`"));
            }
            let ty = ty.unwrap_or(builtin::F64);
            if let TypeData::Float(kind) = *ctx.type_data(ty) {
                // What rounds to no more than the largest value fits: half a unit in its last place is allowed.
                let (largest, half_unit) = largest(kind);
                if v.abs() >= largest + half_unit {
                    // Seven digits tell all of these types apart.
                    let shown = if largest < 1e6 { largest.to_string() } else { format!("{:e}", largest as f32) };
                    return Err(bad(format!("`{text}` does not fit `{}`", kind.keyword())).help_text(&format!(
                        "the largest finite value is {shown}; write infinity as the bit pattern of the type"
                    )));
                }
            } else {
                return Err(bad(format!("a floating-point number cannot have type `{}`", ctx.type_string(ty)))
                    .help_text("write an integer, or a floating-point type"));
            }
            return Ok(ctx.attr(AttrData::Float { bits: v.to_bits(), ty }));
        }
        let value = parse_int(text)
            .ok_or_else(|| bad(format!("`{text}` does not fit 64 bits")).help_text("use a smaller number"))?;
        let ty = ty.unwrap_or(builtin::I64);
        match *ctx.type_data(ty) {
            TypeData::Float(k) => {
                if !text.contains("0x") && !text.contains("0X") {
                    return Err(bad(format!("an integer cannot have type `{}`", ctx.type_string(ty)))
                        .help_text("write a decimal point: `1.0`"));
                }
                let bits = u64::try_from(value).ok().filter(|&b| k.bits() >= 64 || b < 1 << k.bits());
                let bits = bits.ok_or_else(|| bad(format!("`{text}` has more bits than `{}`", k.keyword())))?;
                Ok(ctx.attr(AttrData::FloatBits { bits, ty }))
            }
            TypeData::Integer { width, sign } => {
                let half = 1i128 << (width.min(64) - u32::from(width > 0)).min(64);
                let (low, high) = match sign {
                    ptoc_ir::Signedness::Signless => (-half, 2 * half - 1),
                    ptoc_ir::Signedness::Signed => (-half, half - 1),
                    ptoc_ir::Signedness::Unsigned => (0, 2 * half - 1),
                };
                if width <= 64 && !(low..=high).contains(&value) {
                    return Err(bad(format!("{value} does not fit `{}`", ctx.type_string(ty)))
                        .help_text(&format!("use a number from {low} to {high}, or a wider type")));
                }
                // A signless integer has one spelling for each bit pattern: the signed one.
                let value = match sign {
                    ptoc_ir::Signedness::Signless if width > 1 && value >= half => value - 2 * half,
                    _ => value,
                };
                Ok(ctx.attr(AttrData::Integer { value, ty }))
            }
            _ => Ok(ctx.attr(AttrData::Integer { value, ty })),
        }
    }

    /// Parses the text of one `#...`, `dense<...>` or `array<...>`.
    fn parse_attr(&mut self, ctx: &mut Context, span: Span) -> Read<AttrId> {
        let text = self.text(span);
        let raw = |ctx: &mut Context| {
            let s = ctx.sym(&squeeze(text));
            ctx.attr(AttrData::Raw(s))
        };
        let Some(name) = text.strip_prefix('#') else {
            return match text.strip_prefix("array<") {
                Some(_) => Ok(self.dense_array(ctx, span)?.unwrap_or_else(|| raw(ctx))),
                None => Ok(raw(ctx)),
            };
        };
        let (head, body) = match name.find('<') {
            Some(i) => (&name[..i], name[i + 1..].trim_end().strip_suffix('>').map(squeeze)),
            None => (name, None),
        };
        match (head.split_once('.'), body) {
            (Some((dialect, kind)), body) => Ok(ctx.dialect_attr(dialect, kind, &body.unwrap_or_default(), false)),
            (None, Some(body)) => {
                let (kind, rest) = body.split_once(' ').unwrap_or((&body, ""));
                Ok(ctx.dialect_attr(head, kind, rest, true))
            }
            (None, None) => self.attr_alias(text).ok_or_else(|| {
                Box::new(
                    Diagnostic::error(codes::BAD_ATTRIBUTE, span, format!("no attribute alias `{text}`"))
                        .help(format!("define it at the top of the file: `{text} = ...`")),
                )
            }),
        }
    }

    /// `array<i32: 1, 2>`; `None` for arrays of floats or booleans, which stay text.
    fn dense_array(&mut self, ctx: &mut Context, span: Span) -> Read<Option<AttrId>> {
        let parse = parse_items(self.text(span), span.start, &Limits::default());
        let mut c = Cursor::new(&parse.tree, parse.tree.root(), span);
        c.bump();
        let Some(group) = c.eat(ItemKind::Angle) else { return Ok(None) };
        let mut c = c.inside(group);
        let elem = self.ty(ctx, &mut c)?;
        let mut values = Vec::new();
        if c.eat(ItemKind::Colon).is_some() {
            loop {
                let Some(n) = c.eat(ItemKind::Int) else { return Ok(None) };
                match i64::try_from(self.int(n.span)?) {
                    Ok(v) => values.push(v),
                    Err(_) => return Ok(None),
                }
                if c.eat(ItemKind::Comma).is_none() {
                    break;
                }
            }
        }
        if !c.is_done() {
            return Ok(None);
        }
        Ok(Some(ctx.attr(AttrData::DenseArray { elem, values: values.into() })))
    }

    /// Reads the entries of a dictionary; `each` sees every key with the spans of key and value.
    pub(crate) fn dict(
        &mut self,
        ctx: &mut Context,
        mut c: Cursor<'_>,
        out: &mut Vec<NamedAttr>,
        each: &mut dyn FnMut(NamedAttr, Span, Span),
    ) -> Read<()> {
        while let Some(key) = c.peek() {
            if !matches!(key.kind, ItemKind::Word | ItemKind::Str) {
                return Err(c.expected("an attribute name"));
            }
            c.bump();
            let name = ctx.sym(&unquote(self.text(key.span)));
            let at = c.peek_second().map_or(key.span, |i| i.span);
            let value =
                if c.eat(ItemKind::Equal).is_some() { self.attr(ctx, &mut c)? } else { ctx.attr(AttrData::Unit) };
            if out.iter().any(|(n, _)| *n == name) {
                return Err(Box::new(
                    Diagnostic::error(
                        codes::BAD_ATTRIBUTE,
                        key.span,
                        format!("attribute `{}` is given twice", ctx.str(name)),
                    )
                    .help("keep one of them"),
                ));
            }
            out.push((name, value));
            each((name, value), key.span, at);
            if c.eat(ItemKind::Comma).is_none() {
                break;
            }
        }
        c.expect_done()
    }
}

/// The largest finite value of a type, and half a unit of its last place.
fn largest(kind: FloatKind) -> (f64, f64) {
    let two = |n: i32| 2f64.powi(n);
    match kind {
        FloatKind::F16 => (65504.0, 16.0),
        FloatKind::BF16 => ((2.0 - two(-7)) * two(127), two(119)),
        FloatKind::F32 => (f64::from(f32::MAX), two(103)),
        FloatKind::TF32 => ((2.0 - two(-10)) * two(127), two(116)),
        FloatKind::F64 => (f64::MAX, f64::INFINITY),
        FloatKind::F8E4M3 | FloatKind::F8E4M3FNUZ => (240.0, 8.0),
        FloatKind::F8E4M3FN => (448.0, 16.0),
        FloatKind::F8E4M3B11FNUZ => (30.0, 1.0),
        FloatKind::F8E5M2 | FloatKind::F8E5M2FNUZ => (57344.0, 4096.0),
        FloatKind::F8E8M0FNU => (two(127), two(126)),
        FloatKind::F4E2M1FN => (6.0, 1.0),
    }
}

trait HelpText {
    fn help_text(self, help: &str) -> Self;
}

impl HelpText for Box<Diagnostic> {
    fn help_text(self, help: &str) -> Self {
        Box::new(self.help(help))
    }
}

/// The content of a quoted string with its escapes resolved; a bare word as it is.
pub(crate) fn unquote(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"').map(|t| t.strip_suffix('"').unwrap_or(t)) else { return text.to_owned() };
    if !inner.contains('\\') {
        return inner.to_owned();
    }
    let bytes = inner.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = |n: usize| bytes.get(i + n).and_then(|b| (*b as char).to_digit(16));
        match (bytes[i], bytes.get(i + 1)) {
            (b'\\', Some(b'n')) => out.push(b'\n'),
            (b'\\', Some(b't')) => out.push(b'\t'),
            (b'\\', Some(b'\\' | b'"')) => out.push(bytes[i + 1]),
            (b'\\', Some(_)) if hex(1).is_some() && hex(2).is_some() => {
                out.push((hex(1).unwrap_or(0) * 16 + hex(2).unwrap_or(0)) as u8);
                i += 1;
            }
            (b, _) => {
                out.push(b);
                i += 1;
                continue;
            }
        }
        i += 2;
    }
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{largest, unquote};
    use ptoc_ir::FloatKind;

    #[test]
    fn half_a_unit_above_the_largest_value_still_rounds_to_it() {
        let fits = |kind, v: f64| v < largest(kind).0 + largest(kind).1;
        let rounds =
            |v: f64| (half::f16::from_f64(v).is_finite(), half::bf16::from_f64(v).is_finite(), (v as f32).is_finite());
        for v in [65504.0, 65519.0, 65520.0, 1e38, 3.3895e38, 3.3962e38, 3.4028235e38, 3.4028236e38] {
            let ours = (fits(FloatKind::F16, v), fits(FloatKind::BF16, v), fits(FloatKind::F32, v));
            assert_eq!(ours, rounds(v), "{v:e}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(unquote(r#""a\"b\\\n\41""#), "a\"b\\\nA");
        assert_eq!(unquote("bare"), "bare");
        assert_eq!(unquote(r#""a*/b // c""#), "a*/b // c");
    }
}
