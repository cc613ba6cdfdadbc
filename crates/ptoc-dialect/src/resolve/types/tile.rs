//! The parameters of a tile type: keyed, compact, or as the manual writes them.

use super::builtin::scalar_type;
use super::fields::{FIELDS, Fields, Pad};
use super::{Texts, bad, number};
use crate::resolve::{Cursor, Read};
use crate::types::*;
use ptoc_ir::{Context, TypeData, TypeId};
use ptoc_source::{Span, did_you_mean};
use ptoc_syntax::ItemKind;
use ptoc_target::{Compact, Loc, PadValue};

impl Texts<'_> {
    pub(super) fn multi_tile(&mut self, ctx: &mut Context, c: &mut Cursor<'_>, span: Span) -> Read<TypeId> {
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
    pub(super) fn tile(
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
