//! Gathers, sorts, partial operations, quantisation, sequences and debug output.

use ptoc_target::Pipe;

use super::shapes::*;
use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, OpDef, OperandDef, Targets, enums};

const AXIS: AttrDef = attr("axis", AttrTy::Words(&["row", "col"]));
const MASK_PATTERN: AttrDef = attr("maskPattern", AttrTy::Enum(&enums::MASK_PATTERN));
const QUANT_TYPE: AttrDef = attr("quant_type", AttrTy::Enum(&enums::QUANT_TYPE)).must();

const PART_ARG: &[OperandDef] =
    &[tile("src0"), tile("src1"), tile("src0Idx"), tile("src1Idx"), dest("dst"), dest("dstIdx")];
const PART_ARG_TEXT: &str = "ins(%src0, %src1, %src0Idx, %src1Idx : T*) outs(%dst, %dstIdx : T*) {}";

const fn irregular(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Irregular, name, summary).on(Pipe::V)
}

const fn partial(name: &'static str, summary: &'static str) -> OpDef {
    irregular(name, summary).takes(BINARY).text(BINARY_TEXT)
}

/// Instructions without a regular access pattern.
pub static OPS: &[OpDef] = &[
    // gather and scatter inside tiles
    irregular("pto.tgather", "elements by index tile, by comparison with a number, or by lane pattern")
        .takes(&[
            tile("src"),
            dest("dst"),
            dest("cdst").opt(),
            tile("indices").opt(),
            scratch("tmp"),
            scalar("kValue").opt(),
        ])
        .attrs(&[MASK_PATTERN, AXIS, attr("cmpMode", AttrTy::Enum(&enums::CMP)), attr("offset", AttrTy::Int(32))])
        .text(
            "ins(%src, {maskPattern = @maskPattern:attr} : T* ?{, @axis:str}) outs(%dst : T*) {} \
             || ins(%src : T*) outs(%dst : T*) maskPattern = @maskPattern:attr {} \
             || ins(%src, %indices, %tmp : T*) outs(%dst, %cdst : T*) {} \
             || ins(%src, %kValue, %tmp : T*) outs(%dst, %cdst : T*) {}",
        ),
    irregular("pto.tgatherb", "elements by byte offsets")
        .takes(&[tile("src"), tile("offsets"), dest("dst")])
        .text("ins(%src, %offsets : T*) outs(%dst : T*) {}"),
    irregular("pto.tscatter", "elements to places given by an index tile or a lane pattern, zero elsewhere")
        .by_location()
        .takes(&[tile("src"), dest("dst"), tile("indexes").opt()])
        .attrs(&[AXIS, MASK_PATTERN])
        .text(
            "ins(%src, {maskPattern = @maskPattern:attr} : T* ?{, @axis:str}) outs(%dst : T*) {} \
             || ins(%src, %indexes : T*) outs(%dst : T*) {}",
        ),
    // sort
    irregular("pto.tsort32", "blocks of 32 elements sorted, with their indices")
        .takes(&[tile("src"), tile("idx"), scratch("tmp"), dest("dst")])
        .text("ins(%src, %idx, %tmp : T*) outs(%dst : T*) {}"),
    irregular("pto.tmrgsort", "sorted lists merged: runs of one tile, or two to four tiles")
        .takes(&[
            tile("srcs").many(),
            scalar("blockLen").opt(),
            dest("dsts").many(),
            scratch("tmp"),
            any("excuted").opt().written(),
        ])
        .attrs(&[attr("exhausted", AttrTy::Bool).or("false")])
        .text(
            "ins(%srcs, %blockLen : T*) outs(%dsts : T*) {} \
             || ins(%srcs no_tmp ?{ {exhausted = @exhausted} } : T*) outs(%dsts, %excuted : T*) {} \
             || ins(%srcs, %tmp ?{ {exhausted = @exhausted} } : T*) outs(%dsts, %excuted : T*) {}",
        ),
    irregular("pto.thistogram", "counts of the values of one byte along each row, in 256 columns")
        .only(Targets::A5)
        .takes(&[tile("src"), tile("idx"), dest("dst")])
        .attrs(&[attr("byte", AttrTy::Int(32)).or("1")])
        .text("ins(%src, %idx : T*) outs(%dst : T*) {}"),
    // where both sources are valid; the valid one elsewhere
    partial("pto.tpartadd", "sum where both sources are valid, copy elsewhere"),
    partial("pto.tpartmul", "product where both sources are valid, copy elsewhere"),
    partial("pto.tpartmax", "maximum where both sources are valid, copy elsewhere"),
    partial("pto.tpartmin", "minimum where both sources are valid, copy elsewhere"),
    partial("pto.tpartargmax", "maximum with its index where both sources are valid, copy elsewhere")
        .takes(PART_ARG)
        .text(PART_ARG_TEXT),
    partial("pto.tpartargmin", "minimum with its index where both sources are valid, copy elsewhere")
        .takes(PART_ARG)
        .text(PART_ARG_TEXT),
    // quantisation
    irregular("pto.tquant", "quantisation with a scale tile and an offset tile")
        .takes(&[tile("src"), tile("fp"), tile("offset").opt(), scratch("tmp"), dest("dst")])
        .attrs(&[QUANT_TYPE])
        .text("ins(%src, %fp, %offset : T*) outs(%dst, %tmp : T*) {}"),
    irregular("pto.tquant.mx", "quantisation in groups that share an exponent")
        .only(Targets::A5)
        .takes(&[tile("src"), dest("dst"), dest("exp"), dest("max"), dest("scaling"), dest("exp_zz").opt()])
        .attrs(&[
            QUANT_TYPE,
            attr("quantScaleAlg", AttrTy::Enum(&enums::QUANT_SCALE_ALG)).or("ocp"),
            attr("storeMode", AttrTy::Enum(&enums::VEC_STORE_MODE)),
            attr("grpAxis", AttrTy::Enum(&enums::MX_GROUP_AXIS)).or("axis1"),
            attr("interleave", AttrTy::Bool).or("false"),
        ])
        .text("ins(%src : T*) outs(%dst, %exp, %max, %scaling, %exp_zz : T*) {}"),
    irregular("pto.tdequant", "integers to numbers with scale and offset tiles")
        .takes(&[tile("src"), tile("scale"), tile("offset"), dest("dst")])
        .text("ins(%src, %scale, %offset : T*) outs(%dst : T*) {}"),
    // sequences and patterns; with a temporary the sequence is made by the vector unit
    irregular("pto.tci", "ascending or descending integers")
        .by_location()
        .takes(&[scalar("S"), scratch("tmp"), dest("dst")])
        .attrs(&[attr("descending", AttrTy::Bool).or("false")])
        .text("ins(%S, %tmp : T*) outs(%dst : T*) {}"),
    irregular("pto.ttri", "ones in a triangle, zeros elsewhere")
        .takes(&[scalar("diagonal"), dest("dst")])
        .attrs(&[attr("upperOrLower", AttrTy::Int(32)).or("0")])
        .text("ins(%diagonal {} : T*) outs(%dst : T*)"),
    irregular("pto.trandom", "pseudo-random bits of a key and a counter")
        .only(Targets::A5)
        .takes(&[
            scalar("key0"),
            scalar("key1"),
            scalar("counter0"),
            scalar("counter1"),
            scalar("counter2"),
            scalar("counter3"),
            dest("dst"),
        ])
        .attrs(&[attr("rounds", AttrTy::Int(32)).or("10")])
        .text("ins(%key0, %key1, %counter0, %counter1, %counter2, %counter3 {} : T*) outs(%dst : T*)"),
    // debug output
    irregular("pto.tprint", "printout of a tile or view")
        .takes(&[tile("src"), scratch("tmp")])
        .attrs(&[attr("printFormat", AttrTy::Enum(&enums::PRINT_FORMAT))])
        .text("ins(%src, %tmp : T*) {}"),
    op(Family::Irregular, "pto.print", "printout of a number with a format string")
        .takes(&[scalar("scalar")])
        .attrs(&[attr("format", AttrTy::Str).must()])
        .text("ins(@format, %scalar : T*) {}"),
];
