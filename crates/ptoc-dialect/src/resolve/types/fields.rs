//! The fields of a tile type, and what they make together.

use super::{bad, parse_int};
use crate::codes;
use crate::resolve::Read;
use crate::types::*;
use ptoc_ir::{Context, TypeId};
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_target::{Arch, BLayout, Compact, DType, Loc, PadValue, SLayout};

pub(super) enum Pad {
    Known(PadValue),
    /// The place of the number of `value(x)`; its bits depend on the element type.
    Value(Span),
}

/// The fields of a tile type as they come in.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) loc: Option<Loc>,
    pub(super) elem: Option<TypeId>,
    pub(super) rows: Option<u64>,
    pub(super) cols: Option<u64>,
    pub(super) v_row: Option<Option<u64>>,
    pub(super) v_col: Option<Option<u64>>,
    pub(super) blayout: Option<BLayout>,
    pub(super) slayout: Option<SLayout>,
    pub(super) fractal: Option<(i128, Span)>,
    pub(super) pad: Option<Pad>,
    pub(super) compact: Option<Compact>,
    /// Which of [`FIELDS`] were given.
    given: u16,
}

/// Every field of a tile type.
pub(super) const FIELDS: [&str; 11] =
    ["loc", "dtype", "rows", "cols", "v_row", "v_col", "blayout", "slayout", "fractal", "pad", "compact"];

impl Fields {
    /// Notes that a field is given; a second time is an error. `valid=RxC` gives two fields.
    pub(super) fn once(&mut self, field: &str, at: Span) -> Read<()> {
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

    pub(super) fn set_loc(&mut self, word: &str, at: Span) -> Read<()> {
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

    pub(super) fn set_blayout(&mut self, word: &str, at: Span) -> Read<()> {
        self.blayout = Some(match word {
            "row_major" | "RowMajor" => BLayout::RowMajor,
            "col_major" | "ColMajor" => BLayout::ColMajor,
            _ => return Err(layout_error("blayout", word, at, &["row_major", "col_major"])),
        });
        Ok(())
    }

    pub(super) fn set_slayout(&mut self, word: &str, at: Span) -> Read<()> {
        self.slayout = Some(match word {
            "none_box" | "NoneBox" => SLayout::NoneBox,
            "row_major" | "RowMajor" => SLayout::RowMajor,
            "col_major" | "ColMajor" => SLayout::ColMajor,
            _ => return Err(layout_error("slayout", word, at, &["none_box", "row_major", "col_major"])),
        });
        Ok(())
    }

    pub(super) fn finish(self, ctx: &mut Context, file: &str, arch: Arch, form: TileForm, span: Span) -> Read<TypeId> {
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
