//! Regions.

use ptoc_ir::Traits;

use crate::table::short::*;
use crate::table::{AttrTy, Family, Kind, OpDef};

const fn region(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Structure, name, summary).body().is(Traits::NO_TERMINATOR)
}

/// Structure.
pub static OPS: &[OpDef] = &[
    region("pto.section.cube", "code of the cube core").text("$ {}"),
    region("pto.section.vector", "code of the vector cores").text("$ {}"),
    region("pto.section.simt", "code of the scalar threads, with its launch shape")
        .attrs(&[
            attr("dimX", AttrTy::Int(32)).must(),
            attr("dimY", AttrTy::Int(32)).must(),
            attr("dimZ", AttrTy::Int(32)).must(),
        ])
        .text("<<<@dimX, @dimY, @dimZ>>> $ {}"),
    op(Family::Structure, "pto.fusion_region", "tile instructions scheduled as one")
        .body()
        .gives(&[result("outputs", Kind::Any).many()])
        .text("$ {} ?{: R*}"),
    op(Family::Structure, "pto.yield", "values of a region")
        .takes(&[any("values").many()])
        .is(Traits::TERMINATOR)
        .text("(%values) {} : (T*) -> ()"),
];
