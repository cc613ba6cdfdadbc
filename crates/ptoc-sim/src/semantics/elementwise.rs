//! Elementwise instructions of one or two operands, with tiles and with a scalar.

use super::arith::{self, Binary, Unary};
use super::cells::{Kinds, alike, check_kind, covering, each, scalar};
use super::{Inst, Meaning, Operand, Refusal};
use Kinds::{Floats, Integers, Numbers};

pub(super) const MEANINGS: &[(&str, Meaning)] = &[
    ("tabs", |i| unary(i, Numbers, arith::abs)),
    ("tadd", |i| tiles(i, Numbers, arith::add)),
    ("tadds", |i| with_scalar(i, Numbers, arith::add)),
    ("tand", |i| tiles(i, Integers, arith::and)),
    ("tands", |i| with_scalar(i, Integers, arith::and)),
    ("tdiv", |i| tiles(i, Numbers, arith::div)),
    ("tdivs", tdivs),
    ("texp", |i| unary(i, Floats, arith::exp)),
    ("tfmod", |i| tiles(i, Numbers, arith::fmod)),
    ("tfmods", |i| with_scalar(i, Numbers, arith::fmod)),
    ("tlog", |i| unary(i, Floats, arith::ln)),
    ("tlrelu", |i| with_scalar(i, Floats, arith::leaky)),
    ("tmax", |i| tiles(i, Numbers, arith::max)),
    ("tmaxs", |i| with_scalar(i, Numbers, arith::max)),
    ("tmin", |i| tiles(i, Numbers, arith::min)),
    ("tmins", |i| with_scalar(i, Numbers, arith::min)),
    ("tmul", |i| tiles(i, Numbers, arith::mul)),
    ("tmuls", |i| with_scalar(i, Numbers, arith::mul)),
    ("tneg", |i| unary(i, Numbers, arith::neg)),
    ("tnot", |i| unary(i, Integers, arith::not)),
    ("tor", |i| tiles(i, Integers, arith::or)),
    ("tors", |i| with_scalar(i, Integers, arith::or)),
    ("tpow", |i| two(i, Numbers, "base", "exp", arith::pow)),
    ("tpows", |i| with_scalar(i, Numbers, arith::pow)),
    ("tprelu", |i| tiles(i, Floats, arith::leaky)),
    ("trecip", |i| unary(i, Numbers, arith::recip)),
    ("trelu", |i| unary(i, Numbers, arith::relu)),
    ("trem", |i| tiles(i, Numbers, arith::rem)),
    ("trems", |i| with_scalar(i, Numbers, arith::rem)),
    ("trsqrt", |i| unary(i, Floats, arith::rsqrt)),
    ("tshl", |i| tiles(i, Integers, arith::shl)),
    ("tshls", |i| with_scalar(i, Integers, arith::shl)),
    ("tshr", |i| tiles(i, Integers, arith::shr)),
    ("tshrs", |i| with_scalar(i, Integers, arith::shr)),
    ("tsqrt", |i| unary(i, Floats, arith::sqrt)),
    ("tsub", |i| tiles(i, Numbers, arith::sub)),
    ("tsubs", |i| with_scalar(i, Numbers, arith::sub)),
    ("txor", |i| tiles(i, Integers, arith::xor)),
    ("txors", |i| with_scalar(i, Integers, arith::xor)),
];

/// `dst[r, c] = f(src[r, c])`.
fn unary(inst: &mut Inst<'_>, kinds: Kinds, f: Unary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, kinds, ty)?;
        let src = alike(inst, "src", dst)?;
        each(dst, |r, c| f(ty, src.get(r, c)));
        Ok(())
    })
}

/// `dst[r, c] = f(src0[r, c], src1[r, c])`.
fn tiles(inst: &mut Inst<'_>, kinds: Kinds, f: Binary) -> Result<(), Refusal> {
    two(inst, kinds, "src0", "src1", f)
}

fn two(inst: &mut Inst<'_>, kinds: Kinds, first: &str, second: &str, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, kinds, ty)?;
        let (a, b) = (alike(inst, first, dst)?, covering(inst, second, dst)?);
        if b.shape.dtype.is_int() != ty.is_int() {
            return Err(inst.illegal(format_args!("`{second}` has elements of {}, not of {ty}", b.shape.dtype)));
        }
        each(dst, |r, c| f(ty, a.get(r, c), b.get(r, c)));
        Ok(())
    })
}

/// `dst[r, c] = f(src[r, c], scalar)`, the scalar converted to the element type.
fn with_scalar(inst: &mut Inst<'_>, kinds: Kinds, f: Binary) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let ty = dst.shape.dtype;
        check_kind(inst, kinds, ty)?;
        let (a, b) = (alike(inst, "src", dst)?, scalar(inst, "scalar", ty)?);
        each(dst, |r, c| f(ty, a.get(r, c), b));
        Ok(())
    })
}

/// The tile divided by the scalar, or the scalar by the tile: as `form` says, or by which of `src` and `scalar` is the tile.
fn tdivs(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    if let Some(Operand::Tile(_)) = inst.operand("scalar") {
        return inst.update("dst", |inst, dst| {
            let ty = dst.shape.dtype;
            check_kind(inst, Numbers, ty)?;
            let (s, b) = (scalar(inst, "src", ty)?, alike(inst, "scalar", dst)?);
            each(dst, |r, c| arith::div(ty, s, b.get(r, c)));
            Ok(())
        });
    }
    match inst.word("form") {
        Some("scalar_div_tile") => with_scalar(inst, Numbers, |ty, a, s| arith::div(ty, s, a)),
        _ => with_scalar(inst, Numbers, arith::div),
    }
}
