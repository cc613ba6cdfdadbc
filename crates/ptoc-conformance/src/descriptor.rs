//! How recorded data describes operands.

use ptoc_sim::semantics::{Operand, Tensor, TensorLayout, Tile};
use ptoc_target::{BLayout, DType, Layout, Loc, PadValue, SLayout, TileShape};
use serde_json::Value;

/// An operand as recorded data describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Descriptor {
    /// What it is.
    pub shape: Shape,
    /// Scratch whose contents say nothing.
    pub scratch: bool,
    /// The operand that it shares its bytes with, and where in it, in bytes.
    pub alias: Option<(String, u64)>,
    /// Its address in its memory, where one was recorded.
    pub addr: Option<u64>,
}

/// What an operand is.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A tile.
    Tile {
        /// Location.
        loc: Loc,
        /// Static shape.
        shape: TileShape,
        /// Valid rows and columns.
        valid: (u64, u64),
        /// Meaning of padding.
        pad: PadValue,
        /// How valid rows are packed, as the recorder writes it; empty for the plain way.
        compact: String,
    },
    /// A view of global memory.
    Tensor {
        /// Location: global memory, or L1 for a feature map.
        loc: Loc,
        /// Element type.
        dtype: DType,
        /// Extents in elements.
        shape: [u64; 5],
        /// Distances in elements.
        strides: [u64; 5],
        /// Name of the layout.
        layout: String,
        /// Elements of the storage, where it is said; else it ends with the last element.
        elems: Option<u64>,
    },
    /// A tile of images, without gaps.
    Images {
        /// Location.
        loc: Loc,
        /// Element type.
        dtype: DType,
        /// Name of the layout.
        layout: String,
        /// Extents in elements, outermost first.
        dims: Vec<u64>,
        /// Elements of the storage.
        elems: u64,
    },
    /// Bytes without a shape.
    Other {
        /// Location.
        loc: Loc,
        /// Bytes, 0 where nothing is said.
        bytes: u64,
        /// What it is called.
        kind: String,
    },
}

/// Bytes given to an operand of which only the location is recorded.
const REGION_BYTES: u64 = 1 << 18;

impl Descriptor {
    /// Reads a description.
    ///
    /// # Errors
    /// The field that is missing or has a value nobody knows.
    pub fn parse(v: &Value) -> Result<Descriptor, String> {
        let loc = word(v, "loc").and_then(|w| loc(w).ok_or_else(|| format!("location `{w}`")))?;
        let shape = match v.get("kind").and_then(Value::as_str) {
            Some("conv_tile") => {
                let list = v.get("shape").and_then(Value::as_array).ok_or("`shape` is no list")?;
                let dims: Option<Vec<u64>> = list.iter().map(Value::as_u64).collect();
                let dims = dims.ok_or("`shape` is no list of numbers")?;
                Shape::Images {
                    loc,
                    dtype: dtype_of(v)?,
                    layout: word(v, "layout")?.to_owned(),
                    elems: dims.iter().fold(number(v, "buffer_elems")?, |n, d| n.max(*d)),
                    dims,
                }
            }
            Some(kind) => Shape::Other { loc, bytes: REGION_BYTES, kind: kind.to_owned() },
            None if loc == Loc::Gm => {
                let strides = if v.get("strides").is_some() { "strides" } else { "stride" };
                Shape::Tensor {
                    loc,
                    dtype: dtype_of(v)?,
                    shape: five(v, "shape")?,
                    strides: five(v, strides)?,
                    layout: word(v, "layout")?.to_owned(),
                    elems: v.get("elems").and_then(Value::as_u64),
                }
            }
            // A feature map without gaps.
            None if v.get("conv_layout").is_some() => {
                let elems = v.get("elems").and_then(Value::as_u64);
                dense(v, loc, elems)?
            }
            // No element type of tiles: two signed 4-bit integers in a byte.
            None if v.get("dtype").and_then(Value::as_str) == Some("i4x2") => {
                let bytes = number(v, "rows")?.saturating_mul(number(v, "cols")?);
                Shape::Other { loc, bytes, kind: "i4x2".to_owned() }
            }
            None => tile(v, loc)?,
        };
        let alias = match (v.get("alias").or(v.get("alias_of")).and_then(Value::as_str), v.get("alias_off")) {
            (Some(name), off) => Some((name.to_owned(), off.and_then(Value::as_u64).unwrap_or(0))),
            (None, _) => None,
        };
        let d = Descriptor {
            shape,
            scratch: v.get("role").and_then(Value::as_str) == Some("tmp"),
            alias,
            addr: v.get("addr").and_then(Value::as_u64),
        };
        // Far above every buffer; what reads the data allocates this much.
        if d.bytes() > 1 << 28 {
            return Err(format!("an operand of {} bytes", d.bytes()));
        }
        Ok(d)
    }

    /// Location.
    pub fn loc(&self) -> Loc {
        match &self.shape {
            Shape::Tile { loc, .. }
            | Shape::Tensor { loc, .. }
            | Shape::Images { loc, .. }
            | Shape::Other { loc, .. } => *loc,
        }
    }

    /// Element type, where there is one.
    pub fn dtype(&self) -> Option<DType> {
        match &self.shape {
            Shape::Tile { shape, .. } => Some(shape.dtype),
            Shape::Tensor { dtype, .. } | Shape::Images { dtype, .. } => Some(*dtype),
            Shape::Other { .. } => None,
        }
    }

    /// Bytes of the storage.
    pub fn bytes(&self) -> u64 {
        match &self.shape {
            Shape::Tile { shape, .. } => Tile::size(shape),
            Shape::Tensor { dtype, elems: Some(n), .. } => n.saturating_mul(dtype.bytes()),
            Shape::Tensor { dtype, shape, strides, layout, .. } => {
                if shape.contains(&0) {
                    return 0;
                }
                // The sixth extent of this layout, the channels of a block, is not written down.
                let block = if layout == "ndc1hwc0" { strides[4] } else { 1 };
                let last = shape.iter().zip(strides).map(|(n, s)| (n - 1).saturating_mul(*s));
                last.fold(block, u64::saturating_add).saturating_mul(dtype.bytes())
            }
            Shape::Images { dtype, elems, .. } => elems.saturating_mul(dtype.bytes()),
            Shape::Other { bytes, .. } => *bytes,
        }
    }

    /// The operand with its bytes.
    ///
    /// # Errors
    /// What has no value in the semantics: images, bytes without a shape, layouts of images, packed valid rows.
    pub fn operand(&self, bytes: Vec<u8>) -> Result<Operand, String> {
        match &self.shape {
            Shape::Tile { compact, .. } if !compact.is_empty() => Err(format!("a tile in compact mode `{compact}`")),
            Shape::Tile { loc, shape, valid, pad, .. } => Ok(Operand::Tile(Tile {
                loc: *loc,
                shape: *shape,
                valid_rows: valid.0,
                valid_cols: valid.1,
                pad: *pad,
                bytes,
            })),
            Shape::Tensor { dtype, shape, strides, layout, .. } => {
                let layout = match layout.as_str() {
                    "nd" => TensorLayout::Nd,
                    "dn" => TensorLayout::Dn,
                    "nz" => TensorLayout::Nz,
                    other => return Err(format!("a tensor in layout `{other}`")),
                };
                Ok(Operand::Tensor(Tensor { dtype: *dtype, shape: *shape, strides: *strides, layout, bytes }))
            }
            // A feature map is a tensor without gaps.
            Shape::Images { dtype, layout, dims, .. } if layout == "nc1hwc0" => {
                let shape: [u64; 5] = dims.as_slice().try_into().map_err(|_| "a feature map without five extents")?;
                let strides = packed(&shape);
                Ok(Operand::Tensor(Tensor { dtype: *dtype, shape, strides, layout: TensorLayout::Nd, bytes }))
            }
            Shape::Images { layout, .. } => Err(format!("images in layout `{layout}`")),
            Shape::Other { kind, .. } => Err(format!("an operand of kind `{kind}`")),
        }
    }
}

/// A five-dimensional view without gaps.
fn dense(v: &Value, loc: Loc, elems: Option<u64>) -> Result<Shape, String> {
    let shape = five(v, "shape")?;
    Ok(Shape::Tensor { loc, dtype: dtype_of(v)?, shape, strides: packed(&shape), layout: "nd".to_owned(), elems })
}

/// Distances of neighbours in a tensor without gaps.
fn packed(shape: &[u64; 5]) -> [u64; 5] {
    let mut strides = [1_u64; 5];
    for i in (0..4).rev() {
        strides[i] = strides[i + 1].saturating_mul(shape[i + 1]);
    }
    strides
}

fn tile(v: &Value, loc: Loc) -> Result<Shape, String> {
    let blayout = match word(v, "blayout")? {
        "row_major" => BLayout::RowMajor,
        "col_major" => BLayout::ColMajor,
        w => return Err(format!("blayout `{w}`")),
    };
    let slayout = match word(v, "slayout")? {
        "none_box" => SLayout::NoneBox,
        "row_major" => SLayout::RowMajor,
        "col_major" => SLayout::ColMajor,
        w => return Err(format!("slayout `{w}`")),
    };
    let mut shape = TileShape {
        rows: number(v, "rows")?,
        cols: number(v, "cols")?,
        dtype: dtype_of(v)?,
        layout: Layout::of(blayout, slayout),
        fractal: u32::try_from(number(v, "fractal")?).map_err(|_| "a fractal of more than 32 bits")?,
    };
    // The recorded values (which name the type so) hold 32 packed codes in a row of a box, half of what hardware does.
    if word(v, "dtype")?.starts_with("fp4_") && shape.fractal == 512 {
        shape.fractal = 256;
    }
    let compact = match v.get("compact") {
        None | Some(Value::Null) => String::new(),
        Some(Value::Number(n)) if n.as_u64() == Some(0) => String::new(),
        Some(Value::String(w)) if w == "null" => String::new(),
        Some(Value::String(w)) => w.clone(),
        Some(other) => other.to_string(),
    };
    let valid = (number(v, "valid_row")?, number(v, "valid_col")?);
    if valid.0 > shape.rows || valid.1 > shape.cols {
        return Err(format!("a valid region of {} x {} in {} x {}", valid.0, valid.1, shape.rows, shape.cols));
    }
    Ok(Shape::Tile { loc, shape, valid, pad: pad(v)?, compact })
}

fn word<'a>(v: &'a Value, key: &str) -> Result<&'a str, String> {
    v.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is no text"))
}

fn number(v: &Value, key: &str) -> Result<u64, String> {
    v.get(key).and_then(Value::as_u64).ok_or_else(|| format!("`{key}` is no number"))
}

fn five(v: &Value, key: &str) -> Result<[u64; 5], String> {
    let list = v.get(key).and_then(Value::as_array).ok_or_else(|| format!("`{key}` is no list"))?;
    let numbers: Option<Vec<u64>> = list.iter().map(Value::as_u64).collect();
    numbers.and_then(|n| n.try_into().ok()).ok_or_else(|| format!("`{key}` is no list of five numbers"))
}

fn dtype_of(v: &Value) -> Result<DType, String> {
    let name = word(v, "dtype")?;
    dtype(name).ok_or_else(|| format!("element type `{name}`"))
}

/// The element type of a name, as the golden data or the recorded traces write it.
pub fn dtype(name: &str) -> Option<DType> {
    Some(match name {
        "fp8_e4m3" => DType::F8E4M3,
        "fp8_e5m2" => DType::F8E5M2,
        "fp8_e8m0" => DType::F8E8M0,
        "fp4_e2m1x2" => DType::F4E2M1x2,
        "fp4_e1m2x2" => DType::F4E1M2x2,
        _ => return DType::from_name(name),
    })
}

fn loc(word: &str) -> Option<Loc> {
    Some(match word {
        "scale_left" => Loc::ScaleLeft,
        "scale_right" => Loc::ScaleRight,
        _ => return Loc::from_keyword(word),
    })
}

fn pad(v: &Value) -> Result<PadValue, String> {
    let text = v.get("pad").and_then(Value::as_str).unwrap_or("null");
    Ok(match text {
        "null" => PadValue::Null,
        "zero" => PadValue::Zero,
        "max" => PadValue::Max,
        "min" => PadValue::Min,
        _ => {
            let digits = text.strip_prefix("custom:").ok_or_else(|| format!("pad `{text}`"))?;
            let digits = digits.strip_prefix("0x").unwrap_or(digits);
            PadValue::Custom(u64::from_str_radix(digits, 16).map_err(|_| format!("pad `{text}`"))? as u32)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tile_and_a_tensor() {
        let tile = json!({"loc": "vec", "dtype": "f16", "rows": 4, "cols": 16, "blayout": "row_major",
            "slayout": "none_box", "fractal": 512, "valid_row": 3, "valid_col": 9, "pad": "custom:0x3f00",
            "compact": "null", "alias": "dst", "alias_off": 32});
        let d = Descriptor::parse(&tile).unwrap();
        assert_eq!((d.bytes(), d.loc(), d.alias.clone()), (128, Loc::Vec, Some(("dst".into(), 32))));
        let Operand::Tile(t) = d.operand(vec![0; 128]).unwrap() else { panic!("no tile") };
        assert_eq!((t.valid_rows, t.valid_cols, t.pad), (3, 9, PadValue::Custom(0x3f00)));
        let gm =
            json!({"loc": "gm", "dtype": "f32", "layout": "nd", "shape": [1, 1, 1, 2, 3], "stride": [9, 9, 9, 4, 1]});
        assert_eq!(Descriptor::parse(&gm).unwrap().bytes(), 7 * 4);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let e = |v| Descriptor::parse(&v).unwrap_err();
        assert_eq!(e(json!({"loc": "moon"})), "location `moon`");
        assert_eq!(e(json!({"loc": "gm", "dtype": "f31", "shape": []})), "element type `f31`");
        assert_eq!(
            e(json!({"loc": "gm", "dtype": "f32", "shape": [1], "stride": []})),
            "`shape` is no list of five numbers"
        );
    }
}
