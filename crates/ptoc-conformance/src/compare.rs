//! Bytes of an operand against the expected ones.

use crate::descriptor::{Descriptor, Shape};
use crate::tolerance::Tolerance;
use ptoc_sim::num::{Num, decode};
use ptoc_target::DType;

/// Which elements of an operand count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// The whole storage.
    All,
    /// The leading rows and columns of a tile.
    Window(u64, u64),
}

/// The first difference in words; `None` when all elements agree, or the operand has none.
pub fn difference(
    name: &str,
    descriptor: &Descriptor,
    got: &[u8],
    want: &[u8],
    tolerance: Tolerance,
    region: Region,
) -> Option<String> {
    let ty = descriptor.dtype()?;
    let elements = if ty.is_fp4() { want.len() * 2 } else { want.len() / ty.bytes() as usize };
    let differs = |&i: &u64| !tolerance.accepts(ty, bits(got, i, ty), bits(want, i, ty));
    let place = match (region, &descriptor.shape) {
        (Region::Window(rows, cols), &Shape::Tile { shape, .. }) => {
            (0..rows).flat_map(|r| (0..cols).map(move |c| shape.offset(r, c))).find(differs)
        }
        _ => (0..elements as u64).find(differs),
    };
    let at = place?;
    let show = |bytes| {
        let bits = bits(bytes, at, ty);
        match decode(ty, bits) {
            _ if ty.is_fp4() => format!("{bits:#x}"),
            Num::Int(n) => n.to_string(),
            Num::Float(x) => format!("{x:?} ({bits:#x})"),
        }
    };
    Some(format!("`{name}`{} is {}, not {}", position(descriptor, at), show(got), show(want)))
}

/// Where in the operand an element is.
fn position(descriptor: &Descriptor, at: u64) -> String {
    if let Shape::Tile { shape, valid, .. } = descriptor.shape {
        for r in 0..shape.rows {
            for c in 0..shape.cols {
                if shape.offset(r, c) == at {
                    let outside = if r < valid.0 && c < valid.1 { "" } else { ", outside the valid region," };
                    return format!("[{r}, {c}]{outside}");
                }
            }
        }
    }
    format!(" element {at}")
}

/// The bits of an element by its index; a code of a packed type is an element.
fn bits(bytes: &[u8], index: u64, ty: DType) -> u64 {
    if ty.is_fp4() {
        let pair = bytes.get((index / 2) as usize).copied().unwrap_or(0);
        return u64::from(pair >> (4 * (index % 2)) & 0xf);
    }
    let n = ty.bytes() as usize;
    let mut word = [0; 8];
    if let Some(from) = bytes.get(index as usize * n..(index as usize + 1) * n) {
        word[..n].copy_from_slice(from);
    }
    u64::from_le_bytes(word)
}
