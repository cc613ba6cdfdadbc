//! Run-time valid sizes of tiles: given exactly where the type leaves them open, and inside of the shape.

use crate::codes;
use crate::kinds::{KindInfo, Special};
use crate::walk::Walker;
use ptoc_dialect::types::{MultiTileType, TileType, tile_of};
use ptoc_ir::{AttrData, Ir, OpId, TypeData, TypeId, ValueId};
use ptoc_source::Diagnostic;

/// The tile that a type holds: itself, or what each slot of several holds.
fn tile(ir: &Ir, ty: TypeId) -> Option<TileType> {
    if let Some(t) = tile_of(&ir.ctx, ty) {
        return Some(t);
    }
    match ir.ctx.type_data(ty) {
        TypeData::Dialect(d) => tile_of(&ir.ctx, d.as_any().downcast_ref::<MultiTileType>()?.tile),
        _ => None,
    }
}

/// Checks `alloc_tile`, `alloc_multi_tile` and `subview`.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let segments = match info.special {
        Special::AllocTile | Special::AllocMulti => [1, 2],
        Special::Subview => [2, 3],
        _ => return,
    };
    let Some(&result) = ir.op(op).results.first() else { return };
    let Some(t) = tile(ir, ir.value_type(result)) else { return };
    if info.special == Special::Subview {
        window(w, op, &t);
    }
    let short = info.def.map_or("", |d| d.short_name());
    let dims = [("row", t.rows, t.valid_rows), ("col", t.cols, t.valid_cols)];
    for ((word, limit, fixed), segment) in dims.into_iter().zip(segments) {
        let at = ir.segment(op, segment).start;
        let given = ir.operand(op, segment);
        let dim = Dim { short, word, limit, at };
        match (given, fixed) {
            (None, None) if info.special != Special::Subview => dim.missing(w, op),
            (Some(v), Some(n)) => dim.fixed(w, op, v, n, info.special == Special::Subview),
            // `alloc_tile` has rules for this.
            (Some(v), None) if info.special != Special::AllocTile => dim.inside(w, op, v),
            _ => {}
        }
    }
}

/// One dimension of one op; `at` is the place of its operand.
struct Dim<'a> {
    short: &'a str,
    word: &'static str,
    limit: u64,
    at: usize,
}

impl Dim<'_> {
    fn missing(&self, w: &mut Walker<'_>, op: OpId) {
        let Dim { short, word, .. } = *self;
        let ir = w.ir();
        let d = Diagnostic::error(
            codes::NO_VALID_SIZE,
            ir.op(op).span,
            format!("{short}: the type leaves v_{word} open (`?`), and there is no valid_{word}"),
        )
        .note("a valid size is fixed by the type or given where the tile is made; without either its value is left to chance")
        .help(format!("add `valid_{word} = %n`, or write a number in the type"));
        w.out.push(d);
    }

    fn fixed(&self, w: &mut Walker<'_>, op: OpId, v: ValueId, n: u64, same_allowed: bool) {
        let Dim { short, word, at, .. } = *self;
        let ir = w.ir();
        let number = w.program.values.number(v);
        // Parts may repeat what their type says.
        if same_allowed && number.is_none_or(|k| u64::try_from(k) == Ok(n)) {
            return;
        }
        let shown = number.map_or(String::new(), |k| format!(" ({k})"));
        let d = Diagnostic::error(
            codes::M_FIXED_VALID,
            ir.operand_span(op, at),
            format!("{short}: valid_{word}{shown} is given, but the type fixes v_{word} at {n}"),
        )
        .note("a valid size in the type is fixed; a run-time one is written `?`")
        .help(format!("drop it, or write `?` for v_{word} in the type"));
        w.out.push(d);
    }

    fn inside(&self, w: &mut Walker<'_>, op: OpId, v: ValueId) {
        let Dim { short, word, limit, at } = *self;
        let ir = w.ir();
        let Some(n) = w.program.values.number(v) else { return };
        if u64::try_from(n).is_ok_and(|n| n <= limit) {
            return;
        }
        let unit = if word == "row" { "rows" } else { "columns" };
        let span = ir.operand_span(op, at);
        let d = Diagnostic::error(
            codes::TILE_SIZE,
            span,
            format!("{short}: valid_{word} is {n}, outside of the {limit} {unit} of the tile"),
        )
        .at(n.to_string())
        .note("the valid region lies inside of the static shape (rule T2)")
        .help(format!("use 0 to {limit}"));
        w.out.push(d);
    }
}

/// The type of a part says what was cut out.
fn window(w: &mut Walker<'_>, op: OpId, t: &TileType) {
    let ir = w.ir();
    let source = ir.operand(op, 0).and_then(|s| tile(ir, ir.value_type(s)));
    let (Some(source), Some(AttrData::DenseArray { values, .. })) = (source, ir.attr_data(op, "sizes")) else { return };
    let &[rows, cols] = &values[..] else { return };
    let same = |a: i64, b: u64| u64::try_from(a) == Ok(b);
    let (what, is, should) = if !(same(rows, t.rows) && same(cols, t.cols)) {
        ("shape", format!("{}x{}", t.rows, t.cols), format!("{rows}x{cols}"))
    } else if t.dtype != source.dtype {
        ("element type", t.dtype.to_string(), source.dtype.to_string())
    } else if t.loc != source.loc {
        ("location", t.loc.to_string(), source.loc.to_string())
    } else {
        return;
    };
    let d = Diagnostic::error(
        codes::PART_TYPE,
        ir.op(op).span,
        format!("subview: the {what} of the result is {is}, but the part has {should}"),
    )
    .label(ir.operand_span(op, 0), "the tile")
    .note("a part has the sizes that are cut out, and the elements and location of its tile")
    .help(format!("write {should} in the type of the result"));
    w.out.push(d);
}
