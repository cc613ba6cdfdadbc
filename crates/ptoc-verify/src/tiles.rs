//! Rules of tile types (machine description, section 4), checked once for each type.

use crate::codes;
use crate::kinds::{KindInfo, Shape};
use crate::walk::Walker;
use ptoc_dialect::types::TileType;
use ptoc_ir::{OpId, TypeId};
use ptoc_source::{Diagnostic, Span};
use ptoc_target::{BLOCK_BYTES, Layout, Loc, SLayout, Target};

/// Types that were checked already.
#[derive(Debug)]
pub(crate) struct Seen(Vec<bool>);

impl Seen {
    pub(crate) fn new(types: usize) -> Seen {
        Seen(vec![false; types])
    }

    /// True the first time it is asked about a type.
    fn first(&mut self, ty: TypeId) -> bool {
        self.0.get_mut(ty.index()).is_some_and(|s| !std::mem::replace(s, true))
    }
}

/// Checks the types of tiles that an op brings into being. Parts and other views of existing storage are exempt: their shape
/// says what they cover, not how memory is laid out.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let data = ir.op(op);
    if info.shape == Shape::Func {
        if let Some(entry) = ir.body(op, 0) {
            for &arg in &ir.block(entry).args {
                one(w, ir.value_type(arg), data.span, "argument");
            }
        }
        return;
    }
    if info.makes_tiles {
        for &r in &data.results {
            one(w, ir.value_type(r), data.span, "tile");
        }
    }
}

fn one(w: &mut Walker<'_>, ty: TypeId, span: Span, what: &str) {
    let Some(tile) = w.program.types.get(ty).and_then(|f| f.tile) else { return };
    if !w.tiles.first(ty) {
        return;
    }
    let text = || format!("the type is  {}", w.program.ir.ctx.type_string(ty));
    let found: Vec<Diagnostic> =
        broken(&tile, w.program.target, span, what).into_iter().flatten().map(|d| d.note(text())).collect();
    for d in found {
        w.out.push(d);
    }
}

fn broken(t: &TileType, target: &Target, span: Span, what: &str) -> [Option<Diagnostic>; 3] {
    [valid_size(t, span, what), layout(t, span, what), capacity(t, target, span, what)]
}

fn valid_size(t: &TileType, span: Span, what: &str) -> Option<Diagnostic> {
    let outside = |v: Option<u64>, n: u64| v.is_some_and(|v| v == 0 || v > n);
    let bound = |v: Option<u64>| v.map_or("?".to_owned(), |v| v.to_string());
    (t.rows == 0 || t.cols == 0 || outside(t.valid_rows, t.rows) || outside(t.valid_cols, t.cols)).then(|| {
        Diagnostic::error(
            codes::TILE_SIZE,
            span,
            format!(
                "{what}: the valid size {}x{} does not fit the {}x{} tile",
                bound(t.valid_rows),
                bound(t.valid_cols),
                t.rows,
                t.cols
            ),
        )
        .note("a tile has at least one row and column, and its valid region lies inside its static shape (rule T2)")
        .help("make the valid size agree with the shape, or `?` when it is known only at run time")
    })
}

/// Divisibility of rows and columns by the inner box, and the 32-byte pitch of unboxed tiles.
fn layout(t: &TileType, span: Span, what: &str) -> Option<Diagnostic> {
    let bytes = t.dtype.bytes();
    // The divisibility rule of fractal sizes 1024 and 32 also covers unboxed tiles.
    let (box_rows, box_cols) = match (t.slayout, t.fractal) {
        (_, 1024) => (16, 16),
        (SLayout::NoneBox, 32) => (2, 16),
        (SLayout::NoneBox, _) => (1, 1),
        _ => {
            let b = t.shape().inner_box();
            (b.rows, b.cols)
        }
    };
    if box_cols > 1 && !t.cols.is_multiple_of(box_cols) {
        return Some(not_divisible(t, span, what, codes::TILE_COLS, "columns", t.cols, box_cols));
    }
    let rows_exempt = t.loc == Loc::Vec || t.fractal == 32 || t.rows == 1;
    if box_rows > 1 && !t.rows.is_multiple_of(box_rows) && !rows_exempt {
        return Some(not_divisible(t, span, what, codes::TILE_ROWS, "rows", t.rows, box_rows));
    }
    let (count, unit) = match t.layout() {
        Layout::Nd => (t.cols, "row"),
        Layout::Dn => (t.rows, "column"),
        _ => return None,
    };
    let pitch = count.checked_mul(bytes)?;
    (pitch % BLOCK_BYTES != 0).then(|| {
        let step = BLOCK_BYTES / bytes;
        let up = count.div_ceil(step).saturating_mul(step);
        let other = if unit == "row" { "columns" } else { "rows" };
        Diagnostic::error(
            codes::TILE_PITCH,
            span,
            format!("{what}: one {unit} of {count} {} is {pitch} bytes, not a multiple of 32", t.dtype),
        )
        .note(format!("an unboxed {} tile starts every {unit} at a 32-byte block (rule T6)", t.layout()))
        .help(format!("make it {up} {other} and leave the valid size at {count}, or use a boxed layout"))
    })
}

fn not_divisible(
    t: &TileType,
    span: Span,
    what: &str,
    code: ptoc_source::Code,
    unit: &str,
    n: u64,
    by: u64,
) -> Diagnostic {
    let up = n.div_ceil(by).saturating_mul(by);
    Diagnostic::error(code, span, format!("{what}: {n} {unit} are not a multiple of the {by} {unit} of a box"))
        .note(format!(
            "a {} tile of {} with fractal size {} is made of whole boxes (rules T4 and T5)",
            t.layout(),
            t.dtype,
            t.fractal
        ))
        .help(format!("make it {up} {unit} and leave the valid size at {n}"))
}

/// The memory of the tile exists and holds it.
fn capacity(t: &TileType, target: &Target, span: Span, what: &str) -> Option<Diagnostic> {
    let capacity = target.capacity(t.loc)?;
    let memory = t.loc.memory();
    if capacity == 0 {
        return Some(
            Diagnostic::error(
                codes::NO_MEMORY,
                span,
                format!("{what}: {} has no {memory}, where a {} tile lives", target.name, t.loc),
            )
            .note(format!("the capacity of {memory} on {} is 0", target.name))
            .help("use a location that exists on this target, or another target"),
        );
    }
    let Some(bytes) = t.bytes() else {
        return Some(
            Diagnostic::error(codes::TOO_BIG, span, format!("{what}: the size of the tile does not fit 64 bits"))
                .help("use a smaller tile"),
        );
    };
    (bytes > capacity).then(|| {
        Diagnostic::error(
            codes::TOO_BIG,
            span,
            format!("{what}: the tile has {bytes} bytes, but {memory} of {} has only {capacity}", target.name),
        )
        .note(format!("{} rows * {} columns * {} bytes = {bytes} bytes", t.rows, t.cols, t.dtype.bytes()))
        .help("use a smaller tile and a loop over the parts")
    })
}
