//! Rectangular parts of a tile lie inside of it.

use crate::codes;
use crate::kinds::{KindInfo, Special};
use crate::walk::Walker;
use ptoc_ir::{AttrData, OpId, ValueId};
use ptoc_source::{Diagnostic, Span};

/// Checks `subview` and `subset`.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let offsets: [Option<(ValueId, Span)>; 2] = match info.special {
        Special::Subview => {
            let range = ir.segment(op, 1);
            let at = |i: usize| {
                ir.op(op)
                    .operands
                    .get(range.start + i)
                    .filter(|_| i < range.len())
                    .map(|&v| (v, ir.operand_span(op, range.start + i)))
            };
            [at(0), at(1)]
        }
        Special::Subset => {
            let at = |i: usize| ir.operand(op, i).map(|v| (v, ir.operand_span(op, i)));
            [at(1), at(2)]
        }
        _ => return,
    };
    let Some(source) = ir.operand(op, 0) else { return };
    let Some(tile) = w.program.types.get(ir.value_type(source)).and_then(|f| f.tile) else { return };
    let Some(AttrData::DenseArray { values: sizes, .. }) = ir.attr_data(op, "sizes") else { return };
    let short = info.def.map_or("", |d| d.short_name());
    let span = ir.op(op).span;
    let &[rows, cols] = &sizes[..] else {
        let message = format!("{short}: {} sizes for the 2 dimensions of a tile", sizes.len());
        w.out.push(Diagnostic::error(codes::M_WINDOW_OUT, span, message).help("write sizes [ROWS, COLUMNS]"));
        return;
    };
    let inner = tile.shape().inner_box();
    let dims = [("rows", rows, tile.rows, inner.rows), ("columns", cols, tile.cols, inner.cols)];
    for (i, (name, size, limit, step)) in dims.into_iter().enumerate() {
        let offset = offsets[i].and_then(|(v, _)| w.program.values.number(v));
        let at = offsets[i].map_or(span, |(_, s)| s);
        // Without an offset the size alone must fit.
        let start = offset.unwrap_or(0);
        let end = start.checked_add(size);
        let fits = size > 0 && start >= 0 && end.and_then(|e| u64::try_from(e).ok()).is_some_and(|e| e <= limit);
        if !fits {
            let end = end.map_or("more".to_owned(), |e| e.to_string());
            let d = Diagnostic::error(
                codes::M_WINDOW_OUT,
                at,
                format!("{short}: dimension {i}: offset {start} + size {size} = {end}, outside the {limit} {name} of the tile"),
            )
            .at(format!("offset {start}"))
            .label(ir.operand_span(op, 0), format!("the tile has {limit} {name}"))
            .note("a part of a tile lies inside of it")
            .help("use a smaller offset or size");
            w.out.push(d);
            continue;
        }
        if tile.layout().is_boxed() && offset.is_some_and(|o| u64::try_from(o).is_ok_and(|o| o % step != 0)) {
            let d = Diagnostic::error(
                codes::M_GROUP,
                at,
                format!("{short}: dimension {i}: offset {start} is not a multiple of the {step} {name} of a box"),
            )
            .at(format!("offset {start}"))
            .note(format!(
                "a {} tile is made of boxes of {} by {} elements, and a part begins at one",
                tile.layout(),
                inner.rows,
                inner.cols
            ))
            .help(format!("use an offset that is a multiple of {step}"));
            w.out.push(d);
        }
    }
}
