//! The run-time valid size of a tile that an instruction makes.

use ptoc_dialect::types::{TileForm, tile_of, with_form};
use ptoc_dialect::{Family, def};
use ptoc_ir::{Ir, OpId, TypeId, ValueId};

/// A valid size along one axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dim {
    /// The type says it.
    Static,
    /// This value.
    Value(ValueId),
    /// What `pto.tile_valid_rows` gives for the tile.
    RowsOf(ValueId),
    /// What `pto.tile_valid_cols` gives for the tile.
    ColsOf(ValueId),
}

/// Rows and columns.
pub(crate) type Dims = [Dim; 2];

/// Where the valid rows or columns of a result come from: an operand's name and its axis.
type Source = (&'static str, usize);

const ROWS: usize = 0;
const COLS: usize = 1;

/// Which operand a result's valid rows and columns are those of, as the instruction's definition says.
fn sources(op: &str, family: Family) -> [Option<Source>; 2] {
    let of = |name: &'static str| [Some((name, ROWS)), Some((name, COLS))];
    match op {
        // Packed masks, and sizes that the destination chooses.
        "pto.tcmp" | "pto.tcmps" | "pto.texpands" | "pto.tdivs" | "pto.tpairreducesum" => [None, None],
        "pto.tsel" => of("src0"),
        "pto.tpow" => of("base"),
        "pto.trowexpand" => [Some(("src", ROWS)), None],
        "pto.tcolexpand" => [None, Some(("src", COLS))],
        "pto.tmov" => of("src"),
        "pto.ttrans" => [Some(("src", COLS)), Some(("src", ROWS))],
        "pto.tmatmul" | "pto.tmatmul.acc" => [Some(("lhs", ROWS)), Some(("rhs", COLS))],
        "pto.tmatmul.bias" => [Some(("a", ROWS)), Some(("b", COLS))],
        _ if op.starts_with("pto.trowexpand") || op.starts_with("pto.tcolexpand") => of("src0"),
        _ if op.starts_with("pto.trow") && family == Family::ReduceExpand => [Some(("src", ROWS)), None],
        _ if op.starts_with("pto.tcol") && family == Family::ReduceExpand => [None, Some(("src", COLS))],
        _ if matches!(family, Family::Elementwise | Family::TileScalar) => of(""),
        _ => [None, None],
    }
}

/// Valid sizes of the n-th result (`into` operand `segment`) of an instruction. `tile` gives those of a tile value.
///
/// `None` where the type has `?` and the instruction does not say whose size it is.
pub(crate) fn result_dims(ir: &Ir, op: OpId, segment: usize, tile: &dyn Fn(ValueId) -> Option<Dims>) -> Option<Dims> {
    let def = def(ir.op(op).kind)?;
    let ty = tile_of(&ir.ctx, ptoc_dialect::effects::operand_type(ir, op, segment)?)?;
    let dynamic = [ty.valid_rows.is_none(), ty.valid_cols.is_none()];
    if dynamic == [false, false] {
        return Some([Dim::Static; 2]);
    }
    if def.name == "pto.tload" {
        return loaded_dims(ir, op, dynamic);
    }
    let from = sources(def.name, def.family);
    let mut dims = [Dim::Static; 2];
    for axis in [ROWS, COLS] {
        if !dynamic[axis] {
            continue;
        }
        let (name, source_axis) = from[axis]?;
        // The empty name stands for the first tile that is read.
        let operand = def
            .operands
            .iter()
            .position(|o| if name.is_empty() { matches!(o.name, "src" | "src0") } else { o.name == name })?;
        let source = ir.operand(op, operand)?;
        let of_source = tile(source)?;
        dims[axis] = match of_source[source_axis] {
            // A number in the source's type where the result's has `?`: the types disagree, nothing to take.
            Dim::Static => return None,
            dim => dim,
        };
    }
    Some(dims)
}

/// A load fills as much as the view has: the sizes of a two-dimensional `pto.partition_view`.
fn loaded_dims(ir: &Ir, op: OpId, dynamic: [bool; 2]) -> Option<Dims> {
    let view = ir.defining_op(ir.operand(op, 0)?)?;
    if ir.op_name(view) != "pto.partition_view" {
        return None;
    }
    let sizes = ir.segment_values(view, 2);
    let &[rows, cols] = sizes else { return None };
    let dim = |dynamic, size| if dynamic { Dim::Value(size) } else { Dim::Static };
    Some([dim(dynamic[ROWS], rows), dim(dynamic[COLS], cols)])
}

/// Valid sizes of the tile that a `pto.alloc_tile` makes; `None` when its type has `?` and the operand is missing.
pub(crate) fn alloc_dims(ir: &Ir, alloc: OpId) -> Option<Dims> {
    let ty = tile_of(&ir.ctx, ir.value_type(*ir.op(alloc).results.first()?))?;
    let dim = |known: Option<u64>, segment| match known {
        Some(_) => Some(Dim::Static),
        None => ir.operand(alloc, segment).map(Dim::Value),
    };
    Some([dim(ty.valid_rows, 1)?, dim(ty.valid_cols, 2)?])
}

/// Valid sizes of a tile that comes from somewhere else: asked for at run time where the type has `?`.
pub(crate) fn foreign_dims(ir: &Ir, value: ValueId) -> Option<Dims> {
    let ty = tile_of(&ir.ctx, ir.value_type(value))?;
    let rows = if ty.valid_rows.is_some() { Dim::Static } else { Dim::RowsOf(value) };
    let cols = if ty.valid_cols.is_some() { Dim::Static } else { Dim::ColsOf(value) };
    Some([rows, cols])
}

/// True for a tile type in value form.
pub(crate) fn is_value_tile(ir: &Ir, value: ValueId) -> bool {
    tile_of(&ir.ctx, ir.value_type(value)).is_some_and(|t| t.form == TileForm::Value)
}

/// True for a tile type in buffer form.
pub(crate) fn is_buffer_tile(ir: &Ir, value: ValueId) -> bool {
    tile_of(&ir.ctx, ir.value_type(value)).is_some_and(|t| t.form == TileForm::Buffer)
}

/// The type of a value, as a buffer or as a value where it is a tile.
pub(crate) fn type_in_form(ir: &mut Ir, value: ValueId, form: TileForm) -> TypeId {
    let ty = ir.value_type(value);
    with_form(&mut ir.ctx, ty, form)
}

/// Makes a tile a buffer or a value.
pub(crate) fn set_form(ir: &mut Ir, value: ValueId, form: TileForm) {
    let ty = type_in_form(ir, value, form);
    ir.set_value_type(value, ty);
}
