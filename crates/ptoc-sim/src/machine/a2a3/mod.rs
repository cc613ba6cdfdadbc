//! The vector unit of A2/A3: intrinsics that work on UB in repeats of 256 bytes, under a mask.
//!
//! What each intrinsic does is stated in `docs/machine.md`, with the places where the sources leave a choice.

mod binary;
mod compare;
mod convert;
mod gather;
mod reduce;
mod sort;
mod state;
mod transpose;
mod unary;
mod view;

pub(super) use binary::BINARY;
pub(super) use compare::COMPARE;
pub(super) use convert::CONVERT;
pub(super) use gather::GATHER;
pub(super) use reduce::REDUCE;
pub(super) use sort::SORT;
pub(super) use state::STATE;
pub(super) use transpose::TRANSPOSE;
pub(super) use unary::UNARY;

use super::lane;
use super::{Args, Core, Fault, FaultKind, Handler, Intrinsic};
use ptoc_target::{DType, Pipe};
use view::{Plan, View};

/// An intrinsic of the vector pipe.
const fn vector(name: &'static str, run: Handler) -> Intrinsic {
    Intrinsic { name, pipe: Pipe::V, run }
}

/// The type a pointer argument points to.
fn elem(args: &Args<'_>, i: usize) -> Result<DType, Fault> {
    args.ptr(i)?
        .elem
        .ok_or_else(|| args.fault(FaultKind::BadArgument, format_args!("argument {i} has no element type")))
}

/// The fault of an element type that an intrinsic does not take.
fn no_type(args: &Args<'_>, ty: DType) -> Fault {
    args.fault(FaultKind::Unsupported, format_args!("no form for elements of type {ty}"))
}

/// Destination, source and the lanes of a call whose `repeat` argument is followed by dst block stride, src block stride, dst
/// repeat stride and src repeat stride. Lanes are counted on the wider of the two element sizes.
fn one_source(
    core: &Core,
    args: &Args<'_>,
    dst: usize,
    src: usize,
    repeat: usize,
) -> Result<(Plan, View, View), Fault> {
    let plan = Plan::new(core, args, 256 / dst.max(src) as u64, repeat)?;
    let to = View::new(args, 0, dst as u64, repeat + 1, repeat + 3)?;
    Ok((plan, to, View::new(args, 1, src as u64, repeat + 2, repeat + 4)?))
}

/// Destination, two sources and the lanes of a call `(dst, src0, src1, repeat, dst block stride, src0 block stride,
/// src1 block stride, dst repeat stride, src0 repeat stride, src1 repeat stride)` on elements of one type.
fn two_sources(core: &Core, args: &Args<'_>, ty: DType) -> Result<(Plan, View, [View; 2]), Fault> {
    let plan = Plan::new(core, args, 256 / ty.bytes(), 3)?;
    let dst = View::new(args, 0, ty.bytes(), 4, 7)?;
    let src = [View::new(args, 1, ty.bytes(), 5, 8)?, View::new(args, 2, ty.bytes(), 6, 9)?];
    Ok((plan, dst, src))
}

#[cfg(test)]
mod tests;
