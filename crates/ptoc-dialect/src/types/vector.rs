//! Vector registers and predicates of the intrinsic level.

use super::dialect_type;
use ptoc_ir::{AttrId, Context, TypeId};
use std::fmt::{Result, Write};

/// `!pto.vreg<NxT>`: one A5 vector register of 256 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VRegType {
    /// Number of elements.
    pub lanes: u32,
    /// Element type.
    pub elem: TypeId,
}

impl VRegType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        write!(out, "!pto.vreg<{}x{}>", self.lanes, ctx.type_string(self.elem))
    }
}

dialect_type!(VRegType);

/// `!pto.mask<bN>`: a predicate with one bit for each element of N bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MaskType {
    /// Width of the elements it governs: 8, 16 or 32 bits.
    pub bits: u32,
}

impl MaskType {
    fn write(&self, _: &Context, out: &mut dyn Write) -> Result {
        write!(out, "!pto.mask<b{}>", self.bits)
    }
}

dialect_type!(MaskType);

fn write_layout(ctx: &Context, layout: Option<AttrId>, out: &mut dyn Write) -> Result {
    match layout {
        Some(a) => write!(out, ", {}>", ctx.attr_string(a)),
        None => out.write_str(">"),
    }
}

/// `!pto.vmi.vreg<NxT, LAYOUT>`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VmiVRegType {
    /// Number of elements.
    pub lanes: u32,
    /// Element type.
    pub elem: TypeId,
    /// `#pto.vmi.layout<...>`
    pub layout: Option<AttrId>,
}

impl VmiVRegType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        write!(out, "!pto.vmi.vreg<{}x{}", self.lanes, ctx.type_string(self.elem))?;
        write_layout(ctx, self.layout, out)
    }
}

dialect_type!(VmiVRegType);

/// `!pto.vmi.mask<NxG, LAYOUT>`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VmiMaskType {
    /// Number of elements.
    pub lanes: u32,
    /// Width of the elements it governs: 8, 16 or 32 bits; 0 for `pred`.
    pub bits: u32,
    /// `#pto.vmi.layout<...>`
    pub layout: Option<AttrId>,
}

impl VmiMaskType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        match self.bits {
            0 => write!(out, "!pto.vmi.mask<{}xpred", self.lanes)?,
            bits => write!(out, "!pto.vmi.mask<{}xb{bits}", self.lanes)?,
        }
        write_layout(ctx, self.layout, out)
    }
}

dialect_type!(VmiMaskType);
