//! Vector instructions of A2/A3: operands in the unified buffer, up to 255 repeats of eight 32-byte blocks.
//!
//! Block strides are in blocks, repeat strides in blocks unless an entry says otherwise. The mask registers decide which
//! elements are written.

use ptoc_target::Pipe;

use crate::table::short::*;
use crate::table::{AttrDef, AttrTy, Family, Kind, OpDef, OperandDef, Targets};

const DST: OperandDef = ptr("dst").written();

const UNARY: &[OperandDef] = &[
    DST,
    ptr("src"),
    scalar("repeat"),
    scalar("dstBlockStride"),
    scalar("srcBlockStride"),
    scalar("dstRepeatStride"),
    scalar("srcRepeatStride"),
];
const UNARY_TEXT: &str =
    "%dst, %src, %repeat, %dstBlockStride, %srcBlockStride, %dstRepeatStride, %srcRepeatStride {} : T*";

const fn binary_of(dst: OperandDef) -> [OperandDef; 10] {
    [
        dst,
        ptr("src0"),
        ptr("src1"),
        scalar("repeat"),
        scalar("dstBlockStride"),
        scalar("src0BlockStride"),
        scalar("src1BlockStride"),
        scalar("dstRepeatStride"),
        scalar("src0RepeatStride"),
        scalar("src1RepeatStride"),
    ]
}
const BINARY: &[OperandDef] = &binary_of(DST);
const ACCUMULATE: &[OperandDef] = &binary_of(ptr("dst").updated());
const BINARY_TEXT: &str = "%dst, %src0, %src1, %repeat, %dstBlockStride, %src0BlockStride, %src1BlockStride, \
                           %dstRepeatStride, %src0RepeatStride, %src1RepeatStride {} : T*";

const fn scalar_of(dst: OperandDef) -> [OperandDef; 8] {
    [
        dst,
        ptr("src"),
        scalar("scalar"),
        scalar("repeat"),
        scalar("dstBlockStride"),
        scalar("srcBlockStride"),
        scalar("dstRepeatStride"),
        scalar("srcRepeatStride"),
    ]
}
const SCALAR: &[OperandDef] = &scalar_of(DST);
const AXPY: &[OperandDef] = &scalar_of(ptr("dst").updated());
const SCALAR_TEXT: &str =
    "%dst, %src, %scalar, %repeat, %dstBlockStride, %srcBlockStride, %dstRepeatStride, %srcRepeatStride {} : T*";

// comparison into the compare mask register
const COMPARE: &[OperandDef] = &[
    ptr("src0"),
    ptr("src1"),
    scalar("repeat"),
    scalar("dstBlockStride"),
    scalar("src0BlockStride"),
    scalar("src1BlockStride"),
    scalar("dstRepeatStride"),
    scalar("src0RepeatStride"),
    scalar("src1RepeatStride"),
];
const COMPARE_TEXT: &str = "%src0, %src1, %repeat, %dstBlockStride, %src0BlockStride, %src1BlockStride, \
                            %dstRepeatStride, %src0RepeatStride, %src1RepeatStride {} : T*";

// reduction; the stride of dst is in results
const REDUCE: &[OperandDef] = &[
    DST,
    ptr("src"),
    scalar("repeat"),
    scalar("dstRepeatStride"),
    scalar("srcBlockStride"),
    scalar("srcRepeatStride"),
];
const REDUCE_TEXT: &str = "%dst, %src, %repeat, %dstRepeatStride, %srcBlockStride, %srcRepeatStride {} : T*";
const ORDER: &[AttrDef] =
    &[attr("order", AttrTy::Words(&["ONLY_VALUE", "ONLY_INDEX", "VALUE_INDEX"])).or("ONLY_VALUE")];

const HALF: &[AttrDef] = &[attr("h", AttrTy::Bool).or("false")];

// transposition of the rows that the address registers point to
const ROWS: &[OperandDef] = &[scalar("repeat"), scalar("dstStride"), scalar("srcStride")];
const ROWS_TEXT: &str = "@dst_va, @src_va, %repeat, %dstStride, %srcStride {} : T*";
const ROWS_ATTRS: &[AttrDef] = &[attr("dst_va", AttrTy::Int(32)).must(), attr("src_va", AttrTy::Int(32)).must()];

const fn ub(name: &'static str, summary: &'static str) -> OpDef {
    op(Family::Ub, name, summary).on(Pipe::V).only(Targets::A2A3)
}

const fn unary(name: &'static str, summary: &'static str) -> OpDef {
    ub(name, summary).takes(UNARY).text(UNARY_TEXT)
}

const fn binary(name: &'static str, summary: &'static str) -> OpDef {
    ub(name, summary).takes(BINARY).text(BINARY_TEXT)
}

const fn with_scalar(name: &'static str, summary: &'static str) -> OpDef {
    ub(name, summary).takes(SCALAR).text(SCALAR_TEXT)
}

const fn compare(name: &'static str, summary: &'static str) -> OpDef {
    ub(name, summary).takes(COMPARE).text(COMPARE_TEXT)
}

const fn reduce(name: &'static str, summary: &'static str) -> OpDef {
    ub(name, summary).takes(REDUCE).text(REDUCE_TEXT)
}

/// Vector instructions of A2/A3.
pub static OPS: &[OpDef] = &[
    // mask state
    ub("pto.ub.set_mask", "mask: elements 64.. and ..63 of a repeat, or 0 and the count")
        .on(Pipe::S)
        .takes(&[scalar("mask0"), scalar("mask1")])
        .text("%mask0, %mask1 {} : T*"),
    ub("pto.ub.set_mask_norm", "the mask selects elements of each repeat").on(Pipe::S).text("{}"),
    ub("pto.ub.set_mask_count", "the mask is a count of elements").on(Pipe::S).text("{}"),
    // one source
    unary("pto.ub.vabs", "absolute value"),
    unary("pto.ub.vexp", "exponential"),
    unary("pto.ub.vln", "natural logarithm"),
    unary("pto.ub.vsqrt", "square root"),
    unary("pto.ub.vrsqrt", "reciprocal square root, approximate"),
    unary("pto.ub.vrelu", "max(x, 0)"),
    unary("pto.ub.vnot", "bitwise complement"),
    unary("pto.ub.vcopy", "copy"),
    // two sources
    binary("pto.ub.vadd", "sum"),
    binary("pto.ub.vsub", "difference"),
    binary("pto.ub.vmul", "product"),
    binary("pto.ub.vdiv", "quotient"),
    binary("pto.ub.vmax", "maximum"),
    binary("pto.ub.vmin", "minimum"),
    binary("pto.ub.vand", "bitwise and"),
    binary("pto.ub.vor", "bitwise or"),
    binary("pto.ub.vaddrelu", "sum, then max(x, 0)"),
    binary("pto.ub.vsubrelu", "difference, then max(x, 0)"),
    binary("pto.ub.vmla", "src0 * src1 + dst").takes(ACCUMULATE),
    binary("pto.ub.vmadd", "src0 * dst + src1").takes(ACCUMULATE),
    binary("pto.ub.vmaddrelu", "src0 * dst + src1, then max(x, 0)").takes(ACCUMULATE),
    binary("pto.ub.vaddreluconv_f322f16", "sum, then max(x, 0), then f16").attrs(HALF),
    binary("pto.ub.vaddreluconv_f162s8", "sum, then max(x, 0), then i8").attrs(HALF),
    binary("pto.ub.vaddreluconv_s162s8", "sum, then max(x, 0), then i8").attrs(HALF),
    binary("pto.ub.vsubreluconv_f322f16", "difference, then max(x, 0), then f16").attrs(HALF),
    binary("pto.ub.vsubreluconv_f162s8", "difference, then max(x, 0), then i8").attrs(HALF),
    binary("pto.ub.vsubreluconv_s162s8", "difference, then max(x, 0), then i8").attrs(HALF),
    // a source and a number
    with_scalar("pto.ub.vadds", "sum with a number"),
    with_scalar("pto.ub.vmuls", "product with a number"),
    with_scalar("pto.ub.vmaxs", "maximum with a number"),
    with_scalar("pto.ub.vmins", "minimum with a number"),
    with_scalar("pto.ub.vlrelu", "rectifier with a slope"),
    with_scalar("pto.ub.vshl", "left shift by a count"),
    with_scalar("pto.ub.vshr", "right shift by a count").attrs(&[attr("round", AttrTy::Bool).or("false")]),
    with_scalar("pto.ub.vaxpy", "dst + src * number").takes(AXPY),
    ub("pto.ub.vdup", "a number in every element")
        .takes(&[
            DST,
            scalar("scalar"),
            scalar("repeat"),
            scalar("dstBlockStride"),
            scalar("srcBlockStride"),
            scalar("dstRepeatStride"),
            scalar("srcRepeatStride"),
        ])
        .text("%dst, %scalar, %repeat, %dstBlockStride, %srcBlockStride, %dstRepeatStride, %srcRepeatStride {} : T*"),
    // comparison: into the compare mask register, or packed bits in the buffer
    compare("pto.ub.vcmp_ge", "compare mask of src0 >= src1"),
    compare("pto.ub.vcmp_le", "compare mask of src0 <= src1"),
    binary("pto.ub.vcmpv_eq", "bits of src0 == src1"),
    binary("pto.ub.vcmpv_lt", "bits of src0 < src1"),
    binary("pto.ub.vcmpv_le", "bits of src0 <= src1"),
    binary("pto.ub.vcmpv_gt", "bits of src0 > src1"),
    binary("pto.ub.vcmpv_ge", "bits of src0 >= src1"),
    with_scalar("pto.ub.vcmpvs_eq", "bits of src == number"),
    with_scalar("pto.ub.vcmpvs_lt", "bits of src < number"),
    with_scalar("pto.ub.vcmpvs_le", "bits of src <= number"),
    with_scalar("pto.ub.vcmpvs_gt", "bits of src > number"),
    with_scalar("pto.ub.vcmpvs_ge", "bits of src >= number"),
    ub("pto.ub.set_cmpmask", "compare mask register from the buffer").takes(&[ptr("src")]).text("%src {} : T*"),
    // Modes: 0 by the compare mask, 1 tile or number by bits, 2 two tiles by bits.
    binary("pto.ub.vsel", "choice").attrs(&[attr("mode", AttrTy::Int(32)).or("0")]),
    // reduction
    reduce("pto.ub.vcadd", "sum of each repeat").attrs(&[attr("mode", AttrTy::Bool).or("false")]),
    reduce("pto.ub.vcmax", "maximum of each repeat").attrs(ORDER),
    reduce("pto.ub.vcmin", "minimum of each repeat").attrs(ORDER),
    reduce("pto.ub.vcgadd", "sum of each block"),
    reduce("pto.ub.vcgmax", "maximum of each block"),
    reduce("pto.ub.vcgmin", "minimum of each block"),
    reduce("pto.ub.vcpadd", "sums of neighbours"),
    // layout, gather
    ub("pto.ub.vbrcb", "eight elements a repeat, each in a whole block")
        .takes(&[DST, ptr("src"), scalar("dstBlockStride"), scalar("dstRepeatStride"), scalar("repeat")])
        .text("%dst, %src, %dstBlockStride, %dstRepeatStride, %repeat {} : T*"),
    ub("pto.ub.vreducev2", "elements of a pattern packed")
        .takes(&[
            DST,
            ptr("src0"),
            ptr("src1"),
            scalar("repeat"),
            scalar("src0BlockStride"),
            scalar("patternMode"),
            scalar("src0RepeatStride"),
            scalar("src1RepeatStride"),
        ])
        .text(
            "%dst, %src0, %src1, %repeat, %src0BlockStride, %patternMode, %src0RepeatStride, \
             %src1RepeatStride {} : T*",
        ),
    ub("pto.ub.get_rsvd_cnt", "how many elements the last packing kept")
        .on(Pipe::S)
        .gives(&[result("count", Kind::Scalar)])
        .text("{} : R*"),
    ub("pto.ub.vgather", "elements by byte offset")
        .takes(&[DST, ptr("offsets"), scalar("base"), scalar("dstRepeatStride"), scalar("repeat")])
        .text("%dst, %offsets, %base, %dstRepeatStride, %repeat {} : T*"),
    ub("pto.ub.vgatherb", "blocks by byte offset")
        .takes(&[
            DST,
            ptr("offsets"),
            scalar("base"),
            scalar("dstRepeatStride"),
            scalar("dstBlockStride"),
            scalar("repeat"),
        ])
        .text("%dst, %offsets, %base, %dstRepeatStride, %dstBlockStride, %repeat {} : T*"),
    // transposition
    ub("pto.ub.set_va_reg_sb", "eight row addresses in an address register")
        .on(Pipe::S)
        .takes(&[scalar("addrs").many()])
        .attrs(&[attr("va", AttrTy::Int(32)).must()])
        .text("@va, %addrs {} : T*"),
    ub("pto.ub.scatter_vnchwconv_b8", "transposition of 8-bit elements")
        .takes(ROWS)
        .attrs(&[
            attr("dst_va", AttrTy::Int(32)).must(),
            attr("src_va", AttrTy::Int(32)).must(),
            attr("dst_high_half", AttrTy::Bool).or("false"),
            attr("src_high_half", AttrTy::Bool).or("false"),
        ])
        .text(ROWS_TEXT),
    ub("pto.ub.scatter_vnchwconv_b16", "transposition of 16-bit elements")
        .takes(ROWS)
        .attrs(ROWS_ATTRS)
        .text(ROWS_TEXT),
    ub("pto.ub.scatter_vnchwconv_b32", "transposition of 32-bit elements")
        .takes(ROWS)
        .attrs(ROWS_ATTRS)
        .text(ROWS_TEXT),
];
