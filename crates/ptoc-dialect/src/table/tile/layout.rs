//! Moves between tiles: windows, memories, layouts, padding.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrTy, Family, Kind, OpDef, OperandDef, Targets, enums};

const WINDOW_FP: &[OperandDef] = &[tile("src"), tile("fp"), index("idxrow"), index("idxcol"), dest("dst")];
const INSERT_FP: &[OperandDef] = &[tile("src"), tile("fp"), index("idxrow"), index("idxcol"), inout("dst")];
const WINDOW_FP_TEXT: &str = "ins(%src, %fp, %idxrow, %idxcol : T*) outs(%dst : T*) {}";

const fn layout(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Layout, name, summary).takes(UNARY).text(UNARY_TEXT)
}

/// Moves and rearrangements.
pub static OPS: &[OpDef] = &[
    layout("pto.tmov", "tile to another memory or layout; from the accumulator also rectified or quantised")
        .by_location()
        .takes(&[tile("src"), dest("dst"), tile("fp").opt(), scalar("preQuantScalar").opt()])
        .attrs(&[ACC_TO_VEC, RELU, ST_PHASE, attr("grpAxis", AttrTy::Enum(&enums::MX_GROUP_AXIS))])
        .text(
            "ins(%src : T(src) ?{, %fp : T(fp)} ?{, %preQuantScalar : T(preQuantScalar)}) \
             outs(%dst : T(dst)) {} ?{-> R*}",
        ),
    layout("pto.tmov.fp", "accumulator to tile through a scaling tile")
        .on(Pipe::Fix)
        .takes(&[tile("src"), tile("fp"), dest("dst")])
        .attrs(&[ACC_TO_VEC, RELU, ST_PHASE])
        .text("ins(%src, %fp : T*) outs(%dst : T*) {}"),
    // windows
    layout("pto.tinsert", "small tile into a window of a bigger one")
        .by_location()
        .takes(&[
            tile("src"),
            index("indexRow"),
            index("indexCol"),
            inout("dst"),
            tile("fp").opt(),
            scalar("preQuantScalar").opt(),
        ])
        .attrs(&[ACC_TO_VEC, RELU, ST_PHASE, attr("tinsertMode", AttrTy::Enum(&enums::TINSERT_MODE))])
        .text(
            "ins(%src, %indexRow, %indexCol : T* ?{fp %fp : T(fp)} \
             ?{pre_quant %preQuantScalar : T(preQuantScalar)}) outs(%dst : T(dst)) {}",
        ),
    layout("pto.tinsert_fp", "accumulator into a window of a bigger tile through a scaling tile")
        .on(Pipe::Fix)
        .takes(INSERT_FP)
        .attrs(&[RELU, ST_PHASE])
        .text(WINDOW_FP_TEXT),
    layout("pto.textract", "window of a bigger tile to a small one")
        .by_location()
        .takes(&[
            tile("src"),
            index("indexRow"),
            index("indexCol"),
            dest("dst"),
            tile("fp").opt(),
            scalar("preQuantScalar").opt(),
        ])
        .attrs(&[ACC_TO_VEC, RELU, ST_PHASE])
        .text("ins(%src, %indexRow, %indexCol, %preQuantScalar : T* ?{fp %fp : T(fp)}) outs(%dst : T(dst)) {}"),
    layout("pto.textract_fp", "window of the accumulator to a tile through a scaling tile")
        .on(Pipe::Fix)
        .takes(WINDOW_FP)
        .attrs(&[RELU, ST_PHASE])
        .text(WINDOW_FP_TEXT),
    // padding
    layout("pto.tfillpad", "copy, and the pad value outside the valid region")
        .by_location()
        .attrs(&[attr("padValue", AttrTy::Enum(&enums::PAD_VALUE))]),
    layout("pto.tfillpad_inplace", "the pad value outside the valid region of the same storage")
        .by_location()
        .takes(&[tile("src"), inout("dst")])
        .attrs(&[attr("padValue", AttrTy::Enum(&enums::PAD_VALUE))]),
    layout("pto.tfillpad_expand", "copy into a bigger tile, and the pad value outside the valid region")
        .by_location()
        .attrs(&[attr("padValue", AttrTy::Enum(&enums::PAD_VALUE))]),
    // rearrangement
    layout("pto.ttrans", "transposition").on(Pipe::V).takes(UNARY_TMP).text(UNARY_TMP_TEXT),
    layout("pto.tconcat", "two tiles side by side").on(Pipe::V).takes(BINARY).text(BINARY_TEXT),
    layout("pto.tconcatidx", "two tiles side by side, with index tiles of one entry a row")
        .on(Pipe::V)
        .takes(&[tile("src0"), tile("src1"), tile("src0Idx"), tile("src1Idx"), dest("dst")])
        .text("ins(%src0, %src1, %src0Idx, %src1Idx : T*) outs(%dst : T*) {}"),
    layout("pto.tinterleave", "columns of two tiles in turn, in two tiles")
        .on(Pipe::V)
        .only(Targets::A5)
        .takes(&[tile("src0"), tile("src1"), dest("dst0"), dest("dst1")])
        .text("ins(%src0, %src1 : T*) outs(%dst0, %dst1 : T*) {}"),
    layout("pto.tdeinterleave", "even and odd columns of one or two tiles")
        .on(Pipe::V)
        .only(Targets::A5)
        .takes(&[tile("src0"), tile("src1").opt(), dest("dst0"), dest("dst1")])
        .text("ins(%src0, %src1 : T*) outs(%dst0, %dst1 : T*) {}"),
    layout("pto.tpack", "elements narrowed and packed").on(Pipe::V),
    layout("pto.timg2col", "feature map to the matrix of a convolution")
        .on(Pipe::Mte1)
        .takes(&[tile("src"), index("posM").opt(), index("posK").opt(), dest("dst")])
        .text("ins(%src, %posM, %posK : T*) outs(%dst : T*) {}"),
    layout("pto.treshape", "the same bytes with another shape or layout")
        .on(Pipe::S)
        .takes(&[tile("src")])
        .gives(&[result("result", Kind::Tile)])
        .is(Traits::PURE)
        .text("%src {} : T* -> R*"),
];
