//! Tile with number.

use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrTy, Family, OpDef, enums};

const fn with_scalar(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::TileScalar, name, summary).on(Pipe::V).takes(WITH_SCALAR).text(WITH_SCALAR_TEXT)
}

/// Instructions of a tile and a number.
pub static OPS: &[OpDef] = &[
    with_scalar("pto.tadds", "tile plus number"),
    with_scalar("pto.tsubs", "tile minus number"),
    with_scalar("pto.tmuls", "tile times number")
        .takes(&[tile("src0"), scalar("scalar"), dest("dst")])
        .text("ins(%src0, %scalar : T*) outs(%dst : T*) {}"),
    // Exactly one of the two is a tile: the order in the text says which divides which.
    with_scalar("pto.tdivs", "tile by number or number by tile")
        .takes(&[any("src"), any("scalar"), dest("dst")])
        .attrs(&[attr("precisionType", AttrTy::Enum(&enums::DIV_PRECISION)).or("default")]),
    with_scalar("pto.tmaxs", "maximum with a number"),
    with_scalar("pto.tmins", "minimum with a number"),
    with_scalar("pto.tands", "bitwise and with a number"),
    with_scalar("pto.tors", "bitwise or with a number"),
    with_scalar("pto.txors", "bitwise exclusive or with a number").takes(WITH_SCALAR_TMP).text(WITH_SCALAR_TMP_TEXT),
    with_scalar("pto.tshls", "left shift by a count"),
    with_scalar("pto.tshrs", "right shift by a count"),
    with_scalar("pto.tfmods", "remainder by a number as C's fmod"),
    with_scalar("pto.trems", "remainder by a number, with its sign").takes(WITH_SCALAR_TMP).text(WITH_SCALAR_TMP_TEXT),
    with_scalar("pto.tpows", "power with a number as exponent")
        .takes(&[tile("src"), scalar("scalar"), dest("dst"), scratch("tmp")])
        .attrs(&[attr("precisionType", AttrTy::Enum(&enums::POW_PRECISION)).or("default")])
        .text(WITH_SCALAR_TMP_TEXT),
    with_scalar("pto.tlrelu", "rectifier with a slope for negative elements")
        .takes(&[tile("src"), scalar("slope"), dest("dst")])
        .text("ins(%src, %slope : T*) outs(%dst : T*) {}"),
    with_scalar("pto.tcmps", "comparison with a number, written as a packed mask tile")
        .attrs(&[attr("cmpMode", AttrTy::Enum(&enums::CMP)).or("eq")])
        .text("ins(%src, %scalar {} : T*) outs(%dst : T*)"),
    with_scalar("pto.tsels", "choice between a tile and a number by a mask tile")
        .takes(&[tile("mask"), tile("src"), scratch("tmp"), scalar("scalar"), dest("dst")])
        .text("ins(%mask, %src, %tmp, %scalar : T*) outs(%dst : T*) {}"),
    with_scalar("pto.texpands", "a number in every element")
        .by_location()
        .takes(&[scalar("scalar"), dest("dst")])
        .text("ins(%scalar : T*) outs(%dst : T*) {}"),
    with_scalar("pto.taxpy", "dst + src * number").takes(&[tile("src"), scalar("scalar"), inout("dst")]),
    with_scalar("pto.taddsc", "src0 + number + src1").takes(SCALAR_BETWEEN).text(SCALAR_BETWEEN_TEXT),
    with_scalar("pto.tsubsc", "src0 - number + src1").takes(SCALAR_BETWEEN).text(SCALAR_BETWEEN_TEXT),
];
