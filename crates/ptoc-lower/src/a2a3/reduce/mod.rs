//! Reductions along rows: sum, maximum, minimum, product.
//!
//! A row goes through up to three stages, all rows of a batch at once:
//! 1. its 256-byte chunks are combined into one (lane with lane);
//! 2. the chunk's blocks are combined into one block;
//! 3. the lanes of the block are combined into one element.
//!
//! Floating-point sums, maxima and minima replace stages 2 and 3 by the cross-lane instruction. Others fold the lanes by
//! halves (even lanes with odd lanes) over all rows, or in the scalar unit where rows or temporary are few. The vendor's
//! sequence goes row by row instead, with a round trip to the scalar unit for each.

mod across;
mod chunk;
mod lanes;
mod plan;

use super::area::{Area, pointers};
use super::vector::{Lane, MAX_STRIDE, Steps, Vector};
use crate::{Call, Em, LowerFn, Res, Sc};
use ptoc_ir::ValueId;
use ptoc_target::{DType, Layout, Loc};

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.trowsum", |em, c| reduce(em, c, &SUM)),
    ("pto.trowmax", |em, c| reduce(em, c, &MAX)),
    ("pto.trowmin", |em, c| reduce(em, c, &MIN)),
    ("pto.trowprod", |em, c| reduce(em, c, &PRODUCT)),
];

/// One kind of reduction.
struct Fold {
    /// The instruction that combines lane with lane.
    lanes: &'static str,
    /// The instruction that combines the lanes of a repeat, for floats.
    cross: Option<&'static str>,
    /// The instruction that combines the lanes of each block, for floats.
    block: &'static str,
    /// Scalar operations: float, integer.
    scalar: [&'static str; 2],
    /// Bit pattern that changes nothing: f32, f16, i32, i16.
    identity: [u32; 4],
}

const SUM: Fold = Fold {
    lanes: "pto.ub.vadd",
    cross: Some("pto.ub.vcadd"),
    block: "pto.ub.vcgadd",
    scalar: ["arith.addf", "arith.addi"],
    identity: [0; 4],
};
const MAX: Fold = Fold {
    lanes: "pto.ub.vmax",
    cross: Some("pto.ub.vcmax"),
    block: "pto.ub.vcgmax",
    scalar: ["arith.maximumf", "arith.maxsi"],
    identity: [0xFF80_0000, 0xFC00, 0x8000_0000, 0x8000],
};
const MIN: Fold = Fold {
    lanes: "pto.ub.vmin",
    cross: Some("pto.ub.vcmin"),
    block: "pto.ub.vcgmin",
    scalar: ["arith.minimumf", "arith.minsi"],
    identity: [0x7F80_0000, 0x7C00, 0x7FFF_FFFF, 0x7FFF],
};
const PRODUCT: Fold = Fold {
    lanes: "pto.ub.vmul",
    cross: None,
    block: "",
    scalar: ["arith.mulf", "arith.muli"],
    identity: [0x3F80_0000, 0x3C00, 1, 1],
};

fn reduce(em: &mut Em<'_>, call: &Call, fold: &'static Fold) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let tmp = call.opt_tile(em, "tmp")?;
    let dtype = src.dtype();
    if !matches!(dtype, DType::F32 | DType::F16 | DType::I32 | DType::I16) || dst.dtype() != dtype {
        let what = format!("elements {dtype} to {} (it takes f16, f32, i16, i32, the same on both sides)", dst.dtype());
        return Err(call.unsupported(em, what));
    }
    let column = dst.layout() == Layout::Dn && dst.ty.cols == 1;
    if src.layout() != Layout::Nd || !(column || dst.layout() == Layout::Nd) || src.loc() != Loc::Vec {
        return Err(call.unsupported(em, "it goes from rows to rows or to one dense column"));
    }
    let (from, to) = (Area::of(em, call, &src)?, Area::of(em, call, &dst)?);
    let tmp = match tmp {
        Some(t) => Some(Area::of(em, call, &t)?.seen_as(from.lane)),
        None => None,
    };
    let step = if column { 1 } else { dst.pitch() };
    let r = Reduction {
        fold,
        dtype,
        src: from,
        dst: to,
        step,
        tmp,
        rows: src.rows,
        cols: src.cols,
        most_rows: src.ty.rows as i64,
        most_cols: src.ty.cols as i64,
    };
    match fold.cross {
        Some(cross) if dtype.is_float() => r.across(em, call, cross),
        _ => r.by_lanes(em, call),
    }
}

#[derive(Clone, Copy)]
struct Reduction {
    fold: &'static Fold,
    dtype: DType,
    src: Area,
    dst: Area,
    /// Elements from one result to the next.
    step: i64,
    tmp: Option<Area>,
    rows: Sc,
    cols: Sc,
    most_rows: i64,
    most_cols: i64,
}

/// Some rows of the source.
#[derive(Clone, Copy)]
struct Batch {
    first: Sc,
    rows: Sc,
    most: i64,
}

/// More rows than any tile can have.
const MAX_ROWS: i64 = 1 << 20;

impl Reduction {
    fn lane(&self) -> Lane {
        self.src.lane
    }

    /// Bytes of the temporary.
    fn room(&self) -> i64 {
        self.tmp.map_or(0, |t| t.room())
    }

    fn identity(&self, v: &mut Vector<'_, '_>) -> ValueId {
        let i = match self.dtype {
            DType::F32 => 0,
            DType::F16 => 1,
            DType::I32 => 2,
            _ => 3,
        };
        v.bits(self.fold.identity[i].into(), self.lane())
    }

    /// Runs `body` for batches of at most `most` rows. With `wait`, a batch waits for the reads of the temporary by the one
    /// before.
    fn batches(&self, v: &mut Vector<'_, '_>, most: i64, wait: bool, mut body: impl FnMut(&mut Vector<'_, '_>, Batch)) {
        let end = |v: &mut Vector<'_, '_>| {
            if wait {
                v.barrier();
            }
        };
        match self.rows {
            Sc::Const(n) if n <= most => body(v, Batch { first: 0.into(), rows: n.into(), most: n }),
            Sc::Const(n) => {
                let (full, rest) = (n / most, n % most);
                v.each(full, |v, i| {
                    let first = v.em.mul(i, most);
                    body(v, Batch { first, rows: most.into(), most });
                    end(v);
                });
                if rest > 0 {
                    body(v, Batch { first: (full * most).into(), rows: rest.into(), most: rest });
                }
            }
            rows if self.most_rows <= most => {
                body(v, Batch { first: 0.into(), rows, most: self.most_rows });
            }
            rows => {
                let count = v.em.ceil_div(rows, most);
                v.each(count, |v, i| {
                    let first = v.em.mul(i, most);
                    let left = v.em.sub(rows, first);
                    let rows = v.em.min(left, most);
                    body(v, Batch { first, rows, most });
                    end(v);
                });
            }
        }
    }

    /// One lane-with-lane instruction over a batch, a repeat for each row: `dst`, then the two sources.
    fn combine(&self, v: &mut Vector<'_, '_>, b: Batch, areas: [Area; 3]) {
        v.parts(b.rows, b.most, |v, first, count| {
            let p = pointers(v.em, areas, |em, a| em.mul(first, a.pitch));
            v.op(self.fold.lanes, &p, None, &Steps::dense(count, areas.map(|a| a.pitch.min(MAX_STRIDE))));
        });
    }
}
