//! Instructions on tiles of images. The simulator's tile instructions know no image layouts, so what these instructions mean
//! is said here: every element has coordinates, and goes from where one layout has it to where the other has it.

use super::Case;
use crate::descriptor::{Descriptor, Shape};
use ptoc_target::Loc;
use serde_json::Value;

/// Coordinates of an element, or extents: group, image, channel, depth, row, column.
#[derive(Clone, Copy, Debug)]
struct At {
    g: u64,
    n: u64,
    c: u64,
    d: u64,
    h: u64,
    w: u64,
}

/// A layout with its extents and the distances of neighbours, outermost first.
struct Layout<'a> {
    name: &'a str,
    dims: Vec<u64>,
    strides: Vec<u64>,
}

impl<'a> Layout<'a> {
    /// The layout of an operand. `filters` is true for filters of four extents: blocks of channels with their rows and columns,
    /// blocks of 16 filters, filters, channels.
    fn of(d: &'a Descriptor, filters: bool) -> Result<Layout<'a>, String> {
        let mut layout = match &d.shape {
            Shape::Images { layout, dims, .. } => {
                let mut strides = vec![1; dims.len()];
                for i in (0..dims.len().saturating_sub(1)).rev() {
                    strides[i] = strides[i + 1] * dims[i + 1];
                }
                Layout { name: layout, dims: dims.clone(), strides }
            }
            Shape::Tensor { layout, shape, strides, .. } => {
                let mut l = Layout { name: layout, dims: shape.to_vec(), strides: strides.to_vec() };
                // The channels of a block are not written down: they lie side by side.
                if layout == "ndc1hwc0" {
                    l.dims.push(strides[4]);
                    l.strides.push(1);
                }
                l
            }
            _ => return Err("an operand that is no images".to_owned()),
        };
        if layout.name.starts_with("fractal_z") && filters && layout.dims.len() == 5 {
            layout.dims.remove(0);
            layout.strides.remove(0);
        }
        let rank = match layout.name {
            "nchw" => 4,
            "gnchw" | "ncdhw" | "nc1hwc0" => 5,
            "gnc1hwc0" | "ndc1hwc0" => 6,
            "fractal_z" | "fractal_z_3d" if layout.dims.len() == 4 => 4,
            "fractal_z" => 5,
            name => return Err(format!("images in layout `{name}`")),
        };
        if layout.dims.len() != rank || layout.dims.contains(&0) {
            return Err(format!("images in layout `{}` with extents {:?}", layout.name, layout.dims));
        }
        Ok(layout)
    }

    /// Channels of a block.
    fn c0(&self) -> u64 {
        if self.name.contains("chw") || self.name == "ncdhw" { 1 } else { self.dims[self.dims.len() - 1] }
    }

    /// The extents. Filters do not say how many rows and columns their channel blocks have: the images they come from do.
    fn extent(&self, images: At) -> At {
        let one = At { g: 1, n: 1, c: 1, d: 1, h: 1, w: 1 };
        match (self.name, self.dims[..].first_chunk::<6>(), self.dims[..].first_chunk::<5>(), &self.dims[..]) {
            ("gnc1hwc0", Some([g, n, c1, h, w, c0]), ..) => At { g: *g, n: *n, c: c1 * c0, h: *h, w: *w, ..one },
            ("ndc1hwc0", Some([n, d, c1, h, w, c0]), ..) => At { n: *n, c: c1 * c0, d: *d, h: *h, w: *w, ..one },
            ("gnchw", _, Some([g, n, c, h, w]), _) => At { g: *g, n: *n, c: *c, h: *h, w: *w, ..one },
            ("ncdhw", _, Some([n, c, d, h, w]), _) => At { n: *n, c: *c, d: *d, h: *h, w: *w, ..one },
            ("nc1hwc0", _, Some([n, c1, h, w, c0]), _) => At { n: *n, c: c1 * c0, h: *h, w: *w, ..one },
            ("fractal_z", _, Some([c1, h, w, n, c0]), _) => At { n: *n, c: c1 * c0, h: *h, w: *w, ..one },
            ("nchw", _, _, [n, c, h, w]) => At { n: *n, c: *c, h: *h, w: *w, ..one },
            (_, _, _, [x, n1, n0, c0]) => {
                let c1 = x / (images.g * images.d * images.h * images.w);
                At { n: n1 * n0, c: c1 * c0, ..images }
            }
            _ => one,
        }
    }

    /// Where an element is, in elements. `e` are the extents.
    fn offset(&self, a: At, e: At) -> u64 {
        let c0 = self.c0();
        let (c1, c) = (a.c / c0, a.c % c0);
        let index: &[u64] = match (self.name, self.dims.len()) {
            ("gnc1hwc0", _) => &[a.g, a.n, c1, a.h, a.w, c],
            ("ndc1hwc0", _) => &[a.n, a.d, c1, a.h, a.w, c],
            ("gnchw", _) => &[a.g, a.n, a.c, a.h, a.w],
            ("ncdhw", _) => &[a.n, a.c, a.d, a.h, a.w],
            ("nc1hwc0", _) => &[a.n, c1, a.h, a.w, c],
            ("fractal_z", 5) => &[c1, a.h, a.w, a.n, c],
            ("nchw", _) => &[a.n, a.c, a.h, a.w],
            _ => {
                let block = ((a.g * e.d + a.d) * (e.c / c0) + c1) * e.h * e.w + a.h * e.w + a.w;
                &[block, a.n / self.dims[2], a.n % self.dims[2], c]
            }
        };
        index.iter().zip(&self.strides).map(|(i, s)| i * s).sum()
    }
}

/// The bytes of all operands after an instruction on images; `None` when it is none.
pub(super) fn meaning(case: &Case, before: &[Vec<u8>]) -> Option<Result<Vec<Vec<u8>>, String>> {
    let image = |d: &Descriptor| matches!(d.shape, Shape::Images { .. });
    if case.op == "timg2col" || !case.operands.iter().any(|(_, d)| image(d)) {
        return None;
    }
    Some(match case.op.as_str() {
        "tload" | "ttrans" => moved(case, before),
        "texpands" => filled(case, before),
        "textract" | "tmov" => to_right(case, before),
        op => Err(format!("no meaning is known for `{op}` on images")),
    })
}

fn find<'a>(case: &'a Case, name: &str) -> Result<(usize, &'a Descriptor), String> {
    let i = case.operands.iter().position(|(n, _)| n == name).ok_or_else(|| format!("no operand `{name}`"))?;
    Ok((i, &case.operands[i].1))
}

/// Copies one element; nothing where either place is outside.
fn copy(to: &mut [u8], to_at: u64, from: &[u8], from_at: u64, size: u64) {
    let range = |at: u64| (at * size) as usize..((at + 1) * size) as usize;
    if let (Some(to), Some(from)) = (to.get_mut(range(to_at)), from.get(range(from_at))) {
        to.copy_from_slice(from);
    }
}

/// Every element of the destination that the source has.
fn moved(case: &Case, before: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
    let ((s, src), (d, dst)) = (find(case, "src")?, find(case, "dst")?);
    let filters = matches!(&dst.shape, Shape::Images { dims, .. } if dims.len() == 4);
    let (from, to) = (Layout::of(src, filters)?, Layout::of(dst, filters)?);
    // A layout of blocks may hold more channels and images than there are.
    let one = At { g: 1, n: 1, c: 1, d: 1, h: 1, w: 1 };
    let a = from.extent(one);
    let b = to.extent(a);
    let size = src.dtype().map_or(1, |t| t.bytes());
    let mut after = before.to_vec();
    for g in 0..a.g.min(b.g) {
        for n in 0..a.n.min(b.n) {
            for c in 0..a.c.min(b.c) {
                for d_ in 0..a.d.min(b.d) {
                    for h in 0..a.h.min(b.h) {
                        for w in 0..a.w.min(b.w) {
                            let at = At { g, n, c, d: d_, h, w };
                            copy(&mut after[d], to.offset(at, b), &before[s], from.offset(at, a), size);
                        }
                    }
                }
            }
        }
    }
    Ok(after)
}

/// Every element is the scalar.
fn filled(case: &Case, before: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
    let (d, dst) = find(case, "dst")?;
    let Shape::Images { dtype, dims, .. } = &dst.shape else { return Err("no images to fill".to_owned()) };
    let v = case.attrs.get("scalar").ok_or("no `scalar`")?;
    let (_, bits) = super::inputs::scalar(v, *dtype).ok_or("`scalar` is no number")?;
    let mut after = before.to_vec();
    let elements = dims.iter().fold(1, |n: usize, d| n.saturating_mul(*d as usize));
    for to in after[d].chunks_exact_mut(dtype.bytes() as usize).take(elements) {
        to.copy_from_slice(&bits.to_le_bytes()[..to.len()]);
    }
    Ok(after)
}

/// Filters as the right matrix: row = channel block, filter row, filter column, channel; column = filter.
fn to_right(case: &Case, before: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
    let ((s, src), (d, dst)) = (find(case, "src")?, find(case, "dst")?);
    let (Shape::Images { dims, layout, dtype, .. }, Shape::Tile { loc: Loc::Right, shape, valid, .. }) =
        (&src.shape, &dst.shape)
    else {
        return Err("images that go to no right tile".to_owned());
    };
    if layout != "fractal_z" {
        return Err(format!("images in layout `{layout}`"));
    }
    let (filters, c0) = match dims[..] {
        [_, n1, n0, c0] => (n1 * n0, c0.max(1)),
        [_, _, _, n, c0] => (n, c0.max(1)),
        _ => return Err("filters without four or five extents".to_owned()),
    };
    let index = |name: &str| case.attrs.get(name).and_then(Value::as_u64).unwrap_or(0);
    let (row, col) = (index("index_row"), index("index_col"));
    let mut after = before.to_vec();
    for r in 0..valid.0 {
        for c in 0..valid.1 {
            let (k, n) = (row + r, col + c);
            let from = ((k / c0) * filters + n) * c0 + k % c0;
            copy(&mut after[d], shape.offset(r, c), &before[s], from, dtype.bytes());
        }
    }
    Ok(after)
}
