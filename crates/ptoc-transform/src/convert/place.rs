//! The place of a new tile: its valid sizes and its allocation.

use super::valid::Dim;
use ptoc_dialect::kind;
use ptoc_ir::{Builder, OpKind, TypeId, ValueId, builtin};
use std::sync::LazyLock;

static ALLOC: LazyLock<OpKind> = LazyLock::new(|| kind("pto.alloc_tile"));
static ROWS: LazyLock<OpKind> = LazyLock::new(|| kind("pto.tile_valid_rows"));
static COLS: LazyLock<OpKind> = LazyLock::new(|| kind("pto.tile_valid_cols"));

/// The value of a size; `None` when the type says it.
pub(super) fn emit_dim(b: &mut Builder<'_>, dim: Dim) -> Option<ValueId> {
    match dim {
        Dim::Static => None,
        Dim::Value(v) => Some(v),
        Dim::RowsOf(v) => Some(b.op(*ROWS).operand(v).result(builtin::INDEX).build_value()),
        Dim::ColsOf(v) => Some(b.op(*COLS).operand(v).result(builtin::INDEX).build_value()),
    }
}

/// An allocation without address.
pub(super) fn emit_alloc(b: &mut Builder<'_>, ty: TypeId, dims: [Dim; 2]) -> ValueId {
    let rows = emit_dim(b, dims[0]);
    let cols = emit_dim(b, dims[1]);
    b.op(*ALLOC).segment(&[]).segment(rows.as_slice()).segment(cols.as_slice()).result(ty).build_value()
}
