//! Tile types.

use super::dialect_type;
use ptoc_ir::{Context, TypeId};
use ptoc_target::{BLayout, Compact, DType, Layout, Loc, PadValue, SLayout, TileShape};
use std::fmt::{Result, Write};

/// Whether a tile type is a buffer (DPS form) or a value (SSA and sync forms).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum TileForm {
    /// `!pto.tile_buf<...>`
    Buffer,
    /// `!pto.tile<...>`
    Value,
}

/// `!pto.tile_buf<loc, RxCxT, ...>` or `!pto.tile<...>` with the same fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TileType {
    /// Buffer or value.
    pub form: TileForm,
    /// Location; a `scaling` tile of f8e8m0 in ZZ or NN is a scale location.
    pub loc: Loc,
    /// Element type as written.
    pub elem: TypeId,
    /// Element type as the tables name it.
    pub dtype: DType,
    /// Static rows, in elements.
    pub rows: u64,
    /// Static columns, in elements.
    pub cols: u64,
    /// Valid rows; `None` when known only at run time.
    pub valid_rows: Option<u64>,
    /// Valid columns; `None` when known only at run time.
    pub valid_cols: Option<u64>,
    /// Order of the boxes.
    pub blayout: BLayout,
    /// Order inside a box.
    pub slayout: SLayout,
    /// Fractal size in bytes: 512, 1024 or 32.
    pub fractal: u32,
    /// Padding outside the valid region.
    pub pad: PadValue,
    /// Packing of the valid rows.
    pub compact: Compact,
}

impl TileType {
    /// The named layout.
    pub const fn layout(&self) -> Layout {
        Layout::of(self.blayout, self.slayout)
    }

    /// Shape and layout, for address arithmetic.
    pub const fn shape(&self) -> TileShape {
        TileShape { rows: self.rows, cols: self.cols, dtype: self.dtype, layout: self.layout(), fractal: self.fractal }
    }

    /// Bytes of the static shape, or `None` on overflow.
    pub fn bytes(&self) -> Option<u64> {
        self.rows.checked_mul(self.cols)?.checked_mul(self.dtype.bytes())
    }

    /// The same tile as a buffer or as a value.
    #[must_use]
    pub const fn in_form(mut self, form: TileForm) -> Self {
        self.form = form;
        self
    }

    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        out.write_str(match self.form {
            TileForm::Buffer => "!pto.tile_buf<",
            TileForm::Value => "!pto.tile<",
        })?;
        write!(out, "{}, {}x{}x{}", self.loc.keyword(), self.rows, self.cols, ctx.type_string(self.elem))?;
        if self.valid_rows != Some(self.rows) || self.valid_cols != Some(self.cols) {
            let bound = |v: Option<u64>| v.map_or("?".to_owned(), |n| n.to_string());
            write!(out, ", valid={}x{}", bound(self.valid_rows), bound(self.valid_cols))?;
        }
        if self.blayout == BLayout::ColMajor {
            out.write_str(", blayout=col_major")?;
        }
        match self.slayout {
            SLayout::NoneBox => {}
            SLayout::RowMajor => out.write_str(", slayout=row_major")?,
            SLayout::ColMajor => out.write_str(", slayout=col_major")?,
        }
        if self.fractal != 512 {
            write!(out, ", fractal={}", self.fractal)?;
        }
        match self.pad {
            PadValue::Null => {}
            PadValue::Zero => out.write_str(", pad=1")?,
            PadValue::Max => out.write_str(", pad=2")?,
            PadValue::Min => out.write_str(", pad=3")?,
            PadValue::Custom(bits) => write!(out, ", pad=value({})", custom_pad_text(self.dtype, bits))?,
        }
        match self.compact {
            Compact::Null => {}
            Compact::Normal => out.write_str(", compact=1")?,
            Compact::RowPlusOne => out.write_str(", compact=2")?,
        }
        out.write_str(">")
    }
}

/// A custom pad the way a reader sees the value: a number where the pattern is one, the bits elsewhere.
fn custom_pad_text(dtype: DType, bits: u32) -> String {
    match dtype {
        DType::F32 if f32::from_bits(bits).is_finite() => format!("{:?}", f32::from_bits(bits)),
        DType::I8 => (bits as u8 as i8).to_string(),
        DType::I16 => (bits as u16 as i16).to_string(),
        DType::I32 => (bits as i32).to_string(),
        DType::U8 | DType::U16 | DType::U32 => bits.to_string(),
        d => format!("0x{bits:0digits$X}", digits = 2 * d.bytes() as usize),
    }
}

dialect_type!(TileType);

/// `!pto.multi_tile_buf<TILE, count=N>`: N slots of one tile type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MultiTileType {
    /// The slot.
    pub tile: TypeId,
    /// Number of slots, 2 to 16.
    pub count: u32,
}

impl MultiTileType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        write!(out, "!pto.multi_tile_buf<{}, count={}>", ctx.type_string(self.tile), self.count)
    }
}

dialect_type!(MultiTileType);

/// The tile behind a type handle.
pub fn tile_of(ctx: &Context, ty: TypeId) -> Option<TileType> {
    ctx.type_as::<TileType>(ty).copied()
}

/// The tile type as a buffer or as a value; other types stay as they are.
pub fn with_form(ctx: &mut Context, ty: TypeId, form: TileForm) -> TypeId {
    match tile_of(ctx, ty) {
        Some(t) if t.form != form => ctx.dialect_ty(t.in_form(form)),
        _ => ty,
    }
}

/// The fields in which two tile types differ, each as `field (a, b)`.
pub fn differences(a: &TileType, b: &TileType) -> Vec<String> {
    let bound = |v: Option<u64>| v.map_or("?".to_owned(), |n| n.to_string());
    let fields = [
        ("kind", format!("{:?}", a.form).to_lowercase(), format!("{:?}", b.form).to_lowercase()),
        ("loc", a.loc.to_string(), b.loc.to_string()),
        ("dtype", a.dtype.to_string(), b.dtype.to_string()),
        ("rows", a.rows.to_string(), b.rows.to_string()),
        ("cols", a.cols.to_string(), b.cols.to_string()),
        ("v_row", bound(a.valid_rows), bound(b.valid_rows)),
        ("v_col", bound(a.valid_cols), bound(b.valid_cols)),
        ("layout", a.layout().to_string(), b.layout().to_string()),
        ("fractal", a.fractal.to_string(), b.fractal.to_string()),
        ("pad", format!("{:?}", a.pad).to_lowercase(), format!("{:?}", b.pad).to_lowercase()),
        ("compact", format!("{:?}", a.compact).to_lowercase(), format!("{:?}", b.compact).to_lowercase()),
    ];
    fields.into_iter().filter(|(_, x, y)| x != y).map(|(n, x, y)| format!("{n} ({x}, {y})")).collect()
}
