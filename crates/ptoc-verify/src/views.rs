//! Views of global memory: as many extents and strides as dimensions, numbers that agree with the types, windows inside of the view.

use crate::codes;
use crate::facts::TypeClass;
use crate::kinds::{KindInfo, Special};
use crate::walk::Walker;
use ptoc_dialect::types::{ViewType, view_of};
use ptoc_ir::{Ir, OpId, TypeData, ValueId};
use ptoc_source::{Diagnostic, Span};

/// Dimensions that a description of global memory has at most.
const MOST_DIMS: usize = 5;

/// Checks `make_tensor_view`, `partition_view` and the questions about a dimension.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    match info.special {
        Special::MakeView => make(w, op),
        Special::PartitionView => partition(w, op),
        Special::ViewQuery => query(w, op, info),
        _ => {}
    }
}

/// The view type of an op's first result.
fn result_view(ir: &Ir, op: OpId) -> Option<&ViewType> {
    view_of(&ir.ctx, ir.value_type(*ir.op(op).results.first()?))
}

fn known(extent: i64) -> Option<i64> {
    (extent != TypeData::DYNAMIC).then_some(extent)
}

/// One list of operands: `shape = [...]`.
struct List<'a> {
    name: &'static str,
    values: &'a [ValueId],
    first: usize,
}

impl<'a> List<'a> {
    fn of(ir: &'a Ir, op: OpId, segment: usize, name: &'static str) -> List<'a> {
        let range = ir.segment(op, segment);
        List { name, first: range.start, values: ir.op(op).operands.get(range).unwrap_or(&[]) }
    }

    fn number(&self, w: &Walker<'_>, i: usize) -> Option<i64> {
        w.program.values.number(*self.values.get(i)?)
    }

    fn span(&self, ir: &Ir, op: OpId, i: usize) -> Span {
        if i < self.values.len() { ir.operand_span(op, self.first + i) } else { ir.op(op).span }
    }

    /// The whole list.
    fn spans(&self, ir: &Ir, op: OpId) -> Span {
        let spans = (0..self.values.len()).map(|i| self.span(ir, op, i));
        spans.reduce(Span::to).unwrap_or(ir.op(op).span)
    }

    /// Reports numbers below zero; true when there are none.
    fn not_negative(&self, w: &mut Walker<'_>, op: OpId, short: &str) -> bool {
        let mut sound = true;
        for i in 0..self.values.len() {
            let Some(n) = self.number(w, i).filter(|&n| n < 0) else { continue };
            let ir = w.ir();
            let at = self.span(ir, op, i);
            let message = format!("{short}: {} {i} is {n}", self.name);
            let d = Diagnostic::error(codes::VIEW_NUMBER, at, message)
                .at(n.to_string())
                .note("extents, offsets and strides of global memory are counts of elements")
                .help("use 0 or more");
            let d = origin(ir, d, self.values[i], at, n);
            w.out.push(d);
            sound = false;
        }
        sound
    }
}

/// Adds where a constant was written.
fn origin(ir: &Ir, d: Diagnostic, v: ValueId, at: Span, n: i64) -> Diagnostic {
    match ir.defining_op(v).map(|def| ir.op(def).span) {
        Some(span) if span != at => d.label(span, format!("it is {n}")),
        _ => d,
    }
}

/// Reports lists that are not as long as the type has dimensions; true when they are.
fn ranks(w: &mut Walker<'_>, op: OpId, short: &str, lists: [&List<'_>; 2], rank: usize, whose: &str) -> bool {
    let ir = w.ir();
    let [a, b] = lists;
    let wrong = [a, b].into_iter().find(|l| l.values.len() != rank);
    let Some(wrong) = wrong else { return true };
    let message = format!(
        "{short}: {} and {} for {whose} of {}",
        count(a.values.len(), a.name),
        count(b.values.len(), b.name),
        count(rank, "dimension")
    );
    let d = Diagnostic::error(codes::VIEW_RANK, wrong.spans(ir, op), message)
        .at(format!("{} here", wrong.values.len()))
        .note(format!("each dimension has one {} and one {}, outermost first", a.name, b.name))
        .help(format!("write {rank} of each, or change the type"));
    w.out.push(d);
    false
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn make(w: &mut Walker<'_>, op: OpId) {
    let ir = w.ir();
    let Some(view) = result_view(ir, op) else { return };
    let short = "make_tensor_view";
    let (shape, strides) = (List::of(ir, op, 1, "extent"), List::of(ir, op, 2, "stride"));
    elements(w, op, view);
    let rank = view.dims.len();
    if rank == 0 || rank > MOST_DIMS {
        let message = format!("{short}: a view has 1 to {MOST_DIMS} dimensions, not {rank}");
        let d = Diagnostic::error(codes::VIEW_RANK, ir.op(op).span, message)
            .note("global memory is described by five extents and five strides")
            .help("join neighbouring dimensions");
        w.out.push(d);
        return;
    }
    if !ranks(w, op, short, [&shape, &strides], rank, "a view") {
        return;
    }
    let sound = shape.not_negative(w, op, short) & strides.not_negative(w, op, short);
    for (i, &dim) in view.dims.iter().enumerate() {
        agrees(w, op, short, &shape, i, dim);
    }
    if sound {
        reach(w, op, view, &shape, &strides);
    }
}

/// A constant must be the extent that the type fixes.
fn agrees(w: &mut Walker<'_>, op: OpId, short: &str, list: &List<'_>, i: usize, dim: i64) {
    let ir = w.ir();
    let (Some(n), Some(extent)) = (list.number(w, i), known(dim)) else { return };
    if n == extent || n < 0 {
        return;
    }
    let at = list.span(ir, op, i);
    let message = format!("{short}: dimension {i}: the {} is {n}, but the type says {extent}", list.name);
    let d = Diagnostic::error(codes::VIEW_NUMBER, at, message)
        .at(n.to_string())
        .note(format!("the result is  {}", ir.ctx.type_string(ir.value_type(ir.op(op).results[0]))))
        .help(format!("pass {extent}, or write {n} or `?` in the type"));
    let d = origin(ir, d, list.values[i], at, n);
    w.out.push(d);
}

/// The last element must have a byte offset that fits 63 bits.
fn reach(w: &mut Walker<'_>, op: OpId, view: &ViewType, shape: &List<'_>, strides: &List<'_>) {
    let ir = w.ir();
    let bytes = ptoc_dialect::types::dtype_of(&ir.ctx, view.elem).map_or(1, |d| i128::from(d.bytes()));
    let mut last = 0i128;
    for i in 0..view.dims.len() {
        let (Some(n), Some(s)) = (shape.number(w, i), strides.number(w, i)) else { return };
        // Each term is below 2^126, and there are five at most.
        last = last.saturating_add(i128::from(n - 1).max(0) * i128::from(s));
    }
    if last.saturating_mul(bytes) > i128::from(i64::MAX) {
        let message = format!("make_tensor_view: the last element lies {last} elements behind the pointer");
        let d = Diagnostic::error(codes::VIEW_NUMBER, ir.op(op).span, message)
            .note("byte offsets in global memory are 63-bit numbers")
            .help("use smaller extents or strides");
        w.out.push(d);
    }
}

/// A view has the elements of its pointer.
fn elements(w: &mut Walker<'_>, op: OpId, view: &ViewType) {
    let ir = w.ir();
    let Some(pointer) = ir.operand(op, 0) else { return };
    let Some(facts) = w.program.types.get(ir.value_type(pointer)) else { return };
    let elem = ptoc_dialect::types::dtype_of(&ir.ctx, view.elem);
    if facts.class != TypeClass::Ptr || facts.dtype.is_none() || elem.is_none() || facts.dtype == elem {
        return;
    }
    let message = "make_tensor_view: the view has other elements than the pointer points to";
    let d = Diagnostic::error(codes::VIEW_ELEMENTS, ir.operand_span(op, 0), message)
        .at(format!("this is {}", ir.ctx.type_string(ir.value_type(pointer))))
        .note(format!("the view is  {}", ir.ctx.type_string(ir.value_type(ir.op(op).results[0]))))
        .help("give both one element type; `pto.castptr` makes another pointer of the same address");
    w.out.push(d);
}

/// The extent of a view in one dimension, where the program fixes it.
fn extent(w: &Walker<'_>, view: ValueId, i: usize) -> Option<i64> {
    let ir = w.ir();
    let dim = *view_of(&ir.ctx, ir.value_type(view))?.dims.get(i)?;
    if let Some(n) = known(dim) {
        return Some(n);
    }
    let def = ir.defining_op(view)?;
    let segment = match w.special(def) {
        Special::MakeView => 1,
        Special::PartitionView => 2,
        _ => return None,
    };
    w.program.values.number(*ir.segment_values(def, segment).get(i)?)
}

fn partition(w: &mut Walker<'_>, op: OpId) {
    let ir = w.ir();
    let short = "partition_view";
    let (offsets, sizes) = (List::of(ir, op, 1, "offset"), List::of(ir, op, 2, "size"));
    let Some(source) = ir.operand(op, 0) else { return };
    let (Some(parent), Some(view)) = (view_of(&ir.ctx, ir.value_type(source)), result_view(ir, op)) else { return };
    let rank = parent.dims.len();
    if !ranks(w, op, short, [&offsets, &sizes], rank, "a view") {
        return;
    }
    if view.dims.len() != rank {
        let message = format!("{short}: a window of {} dimensions in a view of {rank}", view.dims.len());
        let d = Diagnostic::error(codes::VIEW_RANK, ir.op(op).span, message)
            .label(ir.operand_span(op, 0), format!("{rank} dimensions"))
            .note("a window has the dimensions of its view; a dimension that is not wanted has size 1")
            .help(format!("write a result type of {rank} dimensions"));
        w.out.push(d);
        return;
    }
    if view.elem != parent.elem {
        let d = Diagnostic::error(
            codes::VIEW_ELEMENTS,
            ir.op(op).span,
            format!("{short}: the window has other elements than the view"),
        )
        .label(ir.operand_span(op, 0), format!("elements of {}", ir.ctx.type_string(parent.elem)))
        .note(format!("the result is  {}", ir.ctx.type_string(ir.value_type(ir.op(op).results[0]))))
        .help("give both one element type");
        w.out.push(d);
    }
    offsets.not_negative(w, op, short);
    sizes.not_negative(w, op, short);
    for (i, &dim) in view.dims.iter().enumerate() {
        agrees(w, op, short, &sizes, i, dim);
        let size = sizes.number(w, i).or(known(dim)).filter(|&n| n >= 0);
        let Some((size, limit)) = size.zip(extent(w, source, i)) else { continue };
        // Without an offset the size alone must fit.
        let offset = offsets.number(w, i);
        let start = offset.unwrap_or(0);
        if start < 0 || start.checked_add(size).is_some_and(|end| end <= limit) {
            continue;
        }
        let at = if offset.is_some_and(|o| o > 0) { offsets.span(ir, op, i) } else { sizes.span(ir, op, i) };
        let sum = i128::from(start) + i128::from(size);
        let what = match offset {
            Some(o) => format!("offset {o} + size {size} = {sum}"),
            None => format!("size {size}"),
        };
        let d = Diagnostic::error(
            codes::VIEW_WINDOW,
            at,
            format!("{short}: dimension {i}: {what}, more than the {limit} elements of the view"),
        )
        .at(what)
        .label(ir.operand_span(op, 0), format!("extent {limit} in dimension {i}"))
        .note("a window of global memory lies inside of its view")
        .help("use a smaller offset or size, or a larger view");
        w.out.push(d);
    }
}

/// A dimension is asked for that the view does not have.
fn query(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let (Some(view), Some(index)) = (ir.operand(op, 0), ir.operand(op, 1)) else { return };
    let rank = view_of(&ir.ctx, ir.value_type(view)).map(|v| v.dims.len());
    let (Some(rank), Some(n)) = (rank, w.program.values.number(index)) else { return };
    if usize::try_from(n).is_ok_and(|n| n < rank) {
        return;
    }
    let short = info.def.map_or("", |d| d.short_name());
    let d = Diagnostic::error(
        codes::VIEW_RANK,
        ir.operand_span(op, 1),
        format!("{short}: there is no dimension {n} in a view of {rank} dimensions"),
    )
    .note(format!("dimensions count from 0, the outermost, to {}, the innermost", rank.saturating_sub(1)))
    .help("use one of these numbers");
    w.out.push(d);
}
