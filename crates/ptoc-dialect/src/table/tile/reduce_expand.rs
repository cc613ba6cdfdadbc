//! Reductions along rows and columns, and a row or column combined with every row or column.

use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, enums};

const PRECISION: AttrDef = attr("precisionType", AttrTy::Enum(&enums::DIV_PRECISION)).or("default");

const fn plain(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::ReduceExpand, name, summary).on(Pipe::V).takes(UNARY).text(UNARY_TEXT)
}

const fn with_tmp(name: &'static str, summary: &'static str) -> OpDef {
    plain(name, summary).takes(UNARY_TMP).text(UNARY_TMP_TEXT)
}

const fn row_expand(name: &'static str, summary: &'static str) -> OpDef {
    plain(name, summary).takes(BINARY_TMP).text(BINARY_TMP_TEXT)
}

const fn col_expand(name: &'static str, summary: &'static str) -> OpDef {
    plain(name, summary).takes(BINARY).text(BINARY_TEXT)
}

/// Reductions and expansions.
pub static OPS: &[OpDef] = &[
    // each row to one element
    with_tmp("pto.trowsum", "sum along each row"),
    with_tmp("pto.trowprod", "product along each row"),
    with_tmp("pto.trowmax", "maximum along each row"),
    with_tmp("pto.trowmin", "minimum along each row"),
    with_tmp("pto.trowargmax", "column of each row's maximum"),
    with_tmp("pto.trowargmin", "column of each row's minimum"),
    plain("pto.tpairreducesum", "sum of neighbouring columns, in the left half of the row"),
    // each column to one element
    with_tmp("pto.tcolsum", "sum down each column; the temporary selects the tree of pairs")
        .attrs(&[attr("isBinary", AttrTy::Bool).or("false")])
        .text("ins(%src : T*) outs(%dst : T*) {} || ins(%src, %tmp {} : T*) outs(%dst : T*)"),
    plain("pto.tcolprod", "product down each column"),
    plain("pto.tcolmax", "maximum down each column"),
    plain("pto.tcolmin", "minimum down each column"),
    with_tmp("pto.tcolargmax", "row of each column's maximum"),
    with_tmp("pto.tcolargmin", "row of each column's minimum"),
    // one element a row, with every column
    plain("pto.trowexpand", "first element of each row in the whole row"),
    row_expand("pto.trowexpandadd", "tile plus one number a row"),
    row_expand("pto.trowexpandsub", "tile minus one number a row"),
    row_expand("pto.trowexpandmul", "tile times one number a row"),
    row_expand("pto.trowexpanddiv", "tile by one number a row").attrs(&[PRECISION]),
    row_expand("pto.trowexpandmax", "maximum with one number a row"),
    row_expand("pto.trowexpandmin", "minimum with one number a row"),
    row_expand("pto.trowexpandexpdif", "exponential of the tile minus one number a row"),
    // one element a column, with every row
    plain("pto.tcolexpand", "first row in every row"),
    col_expand("pto.tcolexpandadd", "tile plus one number a column"),
    col_expand("pto.tcolexpandsub", "tile minus one number a column"),
    col_expand("pto.tcolexpandmul", "tile times one number a column"),
    col_expand("pto.tcolexpanddiv", "tile by one number a column").attrs(&[PRECISION]),
    col_expand("pto.tcolexpandmax", "maximum with one number a column"),
    col_expand("pto.tcolexpandmin", "minimum with one number a column"),
    col_expand("pto.tcolexpandexpdif", "exponential of the tile minus one number a column"),
];
