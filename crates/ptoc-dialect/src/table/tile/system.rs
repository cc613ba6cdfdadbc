//! Where the code runs.

use ptoc_ir::Traits;

use crate::table::short::*;
use crate::table::{Family, Kind, OpDef, ResultDef};

const NUMBER: &[ResultDef] = &[result("result", Kind::Scalar)];

const fn query(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::System, name, summary).gives(NUMBER).is(Traits::PURE).text("{}")
}

/// Queries of the running core.
pub static OPS: &[OpDef] = &[
    query("pto.get_block_idx", "number of the running block"),
    query("pto.get_block_num", "how many blocks run"),
    query("pto.get_subblock_idx", "number of the running vector core in its block"),
    query("pto.get_subblock_num", "how many vector cores a block has"),
];
