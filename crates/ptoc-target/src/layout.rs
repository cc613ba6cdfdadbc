//! Tile layouts: which byte of a tile holds element `(r, c)`.
//!
//! The formulas are those of the machine description, section 3. `c0` is the number of elements in 32 bytes.

use crate::DType;

/// Order of the boxes of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BLayout {
    /// Boxes row by row.
    RowMajor,
    /// Boxes column by column.
    ColMajor,
}

/// Order inside a box.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SLayout {
    /// No boxes.
    NoneBox,
    /// Row by row.
    RowMajor,
    /// Column by column.
    ColMajor,
}

/// What a pad of the destination means; the numbers are those of the keyed tile type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum PadValue {
    /// Nothing is filled.
    Null,
    /// Zero.
    Zero,
    /// The largest value of the type (`+inf` where it exists).
    Max,
    /// The smallest value of the type (`-inf` where it exists).
    Min,
    /// A bit pattern of the element type.
    Custom(u32),
}

/// How the valid rows are packed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Compact {
    /// A stripe has the static rows.
    Null,
    /// A stripe has the valid rows rounded up to 16.
    Normal,
    /// As `Normal`, plus one row.
    RowPlusOne,
}

/// The named layouts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Layout {
    /// row_major, none_box.
    Nd,
    /// col_major, none_box.
    Dn,
    /// col_major, row_major.
    Nz,
    /// row_major, col_major.
    Zn,
    /// row_major, row_major.
    Zz,
    /// col_major, col_major.
    Nn,
}

impl Layout {
    /// The name of a layout pair.
    pub const fn of(b: BLayout, s: SLayout) -> Layout {
        match (b, s) {
            (BLayout::RowMajor, SLayout::NoneBox) => Layout::Nd,
            (BLayout::ColMajor, SLayout::NoneBox) => Layout::Dn,
            (BLayout::ColMajor, SLayout::RowMajor) => Layout::Nz,
            (BLayout::RowMajor, SLayout::ColMajor) => Layout::Zn,
            (BLayout::RowMajor, SLayout::RowMajor) => Layout::Zz,
            (BLayout::ColMajor, SLayout::ColMajor) => Layout::Nn,
        }
    }

    /// The pair of fields behind the name.
    pub const fn fields(self) -> (BLayout, SLayout) {
        match self {
            Layout::Nd => (BLayout::RowMajor, SLayout::NoneBox),
            Layout::Dn => (BLayout::ColMajor, SLayout::NoneBox),
            Layout::Nz => (BLayout::ColMajor, SLayout::RowMajor),
            Layout::Zn => (BLayout::RowMajor, SLayout::ColMajor),
            Layout::Zz => (BLayout::RowMajor, SLayout::RowMajor),
            Layout::Nn => (BLayout::ColMajor, SLayout::ColMajor),
        }
    }

    /// Short name: `ND`, `NZ`, ...
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Nd => "ND",
            Layout::Dn => "DN",
            Layout::Nz => "NZ",
            Layout::Zn => "ZN",
            Layout::Zz => "ZZ",
            Layout::Nn => "NN",
        }
    }

    /// How the layout is written in a tile type.
    pub const fn spelled(self) -> &'static str {
        match self {
            Layout::Nd => "blayout=row_major, slayout=none_box",
            Layout::Dn => "blayout=col_major, slayout=none_box",
            Layout::Nz => "blayout=col_major, slayout=row_major",
            Layout::Zn => "blayout=row_major, slayout=col_major",
            Layout::Zz => "blayout=row_major, slayout=row_major",
            Layout::Nn => "blayout=col_major, slayout=col_major",
        }
    }

    /// True when elements sit in boxes.
    pub const fn is_boxed(self) -> bool {
        !matches!(self, Layout::Nd | Layout::Dn)
    }
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Rows and columns of one box.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InnerBox {
    /// Rows of a box, in elements.
    pub rows: u64,
    /// Columns of a box, in elements.
    pub cols: u64,
}

/// Everything that decides where an element lies: static shape, layout, fractal size, element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TileShape {
    /// Static rows.
    pub rows: u64,
    /// Static columns.
    pub cols: u64,
    /// Element type.
    pub dtype: DType,
    /// Layout.
    pub layout: Layout,
    /// Fractal size in bytes: 512, 1024 or 32.
    pub fractal: u32,
}

impl TileShape {
    /// The inner box (1 x 1 for unboxed layouts, even where the header's divisibility rule says otherwise).
    pub const fn inner_box(&self) -> InnerBox {
        let (_, s) = self.layout.fields();
        let (rows, cols) = match (s, self.fractal) {
            (SLayout::NoneBox, _) => (1, 1),
            (_, 1024) => (16, 16),
            (SLayout::RowMajor, 32) => (16, 2),
            (SLayout::ColMajor, 32) => (2, 16),
            (SLayout::RowMajor, _) => (16, self.dtype.c0()),
            (SLayout::ColMajor, _) => (self.dtype.c0(), 16),
        };
        InnerBox { rows, cols }
    }

    /// The box as it is stored: packed 4-bit codes lie 64 to 32 bytes although the divisibility rules count 32. A fractal of 256
    /// bytes holds 32 of them in a row.
    const fn stored_box(&self) -> InnerBox {
        let b = self.inner_box();
        if !self.dtype.is_fp4() || self.fractal != 512 {
            return b;
        }
        match self.layout.fields().1 {
            SLayout::NoneBox => b,
            SLayout::RowMajor => InnerBox { rows: b.rows, cols: 2 * b.cols },
            SLayout::ColMajor => InnerBox { rows: 2 * b.rows, cols: b.cols },
        }
    }

    /// Offset of element `(r, c)` from the start of the tile, in elements; a code of a packed 4-bit type is an element.
    ///
    /// A stripe is as long as the static rows or columns say, also where they are no multiple of the box (the DMA view). A
    /// single row of boxes has no stripes: a vector operand of the cube is dense.
    pub const fn offset(&self, r: u64, c: u64) -> u64 {
        let b = self.stored_box();
        let (rows, cols) = (self.rows, self.cols);
        match self.layout {
            Layout::Nd => r * cols + c,
            Layout::Dn => c * rows + r,
            Layout::Nz => (c / b.cols) * rows * b.cols + r * b.cols + c % b.cols,
            Layout::Zn => (r / b.rows) * cols * b.rows + c * b.rows + r % b.rows,
            Layout::Zz if rows == 1 && self.fractal == 512 => c,
            Layout::Zz => {
                (r / b.rows) * cols * b.rows + (c / b.cols) * b.rows * b.cols + (r % b.rows) * b.cols + c % b.cols
            }
            Layout::Nn => {
                (c / b.cols) * rows * b.cols + (r / b.rows) * b.rows * b.cols + (c % b.cols) * b.rows + r % b.rows
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(rows: u64, cols: u64, dtype: DType, layout: Layout, fractal: u32) -> TileShape {
        TileShape { rows, cols, dtype, layout, fractal }
    }

    /// The closed formulas of the machine description, for each layout with whole boxes, must be a bijection.
    #[test]
    fn offsets_are_a_bijection() {
        for (layout, fractal) in [
            (Layout::Nd, 512),
            (Layout::Dn, 512),
            (Layout::Nz, 512),
            (Layout::Nz, 1024),
            (Layout::Zn, 512),
            (Layout::Zz, 512),
            (Layout::Zz, 32),
            (Layout::Nn, 32),
        ] {
            for dtype in [DType::F16, DType::F4E2M1x2] {
                let s = shape(64, 64, dtype, layout, fractal);
                let mut seen = vec![false; 64 * 64];
                for r in 0..64 {
                    for c in 0..64 {
                        let o = s.offset(r, c) as usize;
                        assert!(!seen[o], "{layout} {fractal} {dtype} ({r}, {c})");
                        seen[o] = true;
                    }
                }
            }
        }
    }

    #[test]
    fn worked_offsets() {
        // NZ f16 32x64: column group 1 starts after 32 rows of 16.
        assert_eq!(shape(32, 64, DType::F16, Layout::Nz, 512).offset(3, 17), 32 * 16 + 3 * 16 + 1);
        // Accumulator f32: groups of 16 columns although c0 is 8.
        assert_eq!(shape(32, 32, DType::F32, Layout::Nz, 1024).offset(2, 20), 32 * 16 + 2 * 16 + 4);
        assert_eq!(shape(32, 32, DType::F32, Layout::Nz, 512).offset(2, 20), 2 * 32 * 8 + 2 * 8 + 4);
        // Packed codes: 64 in a row of a box, so column 64 begins the next box column; a vector operand is dense.
        assert_eq!(shape(32, 128, DType::F4E2M1x2, Layout::Nz, 512).offset(1, 65), 32 * 64 + 64 + 1);
        assert_eq!(shape(1, 64, DType::F16, Layout::Zz, 512).offset(0, 17), 17);
        // ZZ f16 32x64: second box row starts after 64 columns of 16 rows.
        assert_eq!(shape(32, 64, DType::F16, Layout::Zz, 512).offset(16, 16), 64 * 16 + 16 * 16);
    }
}
