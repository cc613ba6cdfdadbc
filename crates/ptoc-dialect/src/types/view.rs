//! Views, pointers and the other plain types.

use super::dialect_type;
use ptoc_ir::{Context, TypeData, TypeId};
use ptoc_target::Loc;
use std::fmt::{Result, Write};

/// Which view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ViewKind {
    /// `tensor_view`
    Tensor,
    /// `partition_tensor_view`
    Partition,
}

/// `!pto.tensor_view<DxDxT>` or `!pto.partition_tensor_view<DxDxT>`; dimensions in elements, outermost first.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ViewType {
    /// Which view.
    pub kind: ViewKind,
    /// Dimensions; [`TypeData::DYNAMIC`] for `?`.
    pub dims: Box<[i64]>,
    /// Element type.
    pub elem: TypeId,
}

fn write_shaped(ctx: &Context, dims: &[i64], elem: TypeId, out: &mut dyn Write) -> Result {
    for &d in dims {
        if d == TypeData::DYNAMIC { out.write_str("?x")? } else { write!(out, "{d}x")? }
    }
    out.write_str(&ctx.type_string(elem))
}

impl ViewType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        out.write_str(match self.kind {
            ViewKind::Tensor => "!pto.tensor_view<",
            ViewKind::Partition => "!pto.partition_tensor_view<",
        })?;
        write_shaped(ctx, &self.dims, self.elem, out)?;
        out.write_str(">")
    }
}

dialect_type!(ViewType);

/// `!pto.ptr<T, SPACE>`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PtrType {
    /// What it points to.
    pub elem: TypeId,
    /// Where to.
    pub space: Loc,
}

impl PtrType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        write!(out, "!pto.ptr<{}, {}>", ctx.type_string(self.elem), self.space.ptr_space())
    }
}

dialect_type!(PtrType);

/// `!pto.eventid_array<N>`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EventIdArrayType {
    /// Number of event ids.
    pub count: u32,
}

impl EventIdArrayType {
    fn write(&self, _: &Context, out: &mut dyn Write) -> Result {
        write!(out, "!pto.eventid_array<{}>", self.count)
    }
}

dialect_type!(EventIdArrayType);

/// `!pto.local_array<DxDxT>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LocalArrayType {
    /// Dimensions in elements.
    pub dims: Box<[i64]>,
    /// Element type.
    pub elem: TypeId,
}

impl LocalArrayType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        out.write_str("!pto.local_array<")?;
        write_shaped(ctx, &self.dims, self.elem, out)?;
        out.write_str(">")
    }
}

dialect_type!(LocalArrayType);

/// `!pto.struct<T, T, ...>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StructType {
    /// Field types.
    pub fields: Box<[TypeId]>,
}

impl StructType {
    fn write(&self, ctx: &Context, out: &mut dyn Write) -> Result {
        out.write_str("!pto.struct<")?;
        for (i, &f) in self.fields.iter().enumerate() {
            write!(out, "{}{}", if i > 0 { ", " } else { "" }, ctx.type_string(f))?;
        }
        out.write_str(">")
    }
}

dialect_type!(StructType);

/// A type without parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum OpaqueKind {
    Align,
    Pipe,
    AsyncSession,
    AsyncEvent,
    PrefetchAsyncContext,
}

impl OpaqueKind {
    /// Text without `!pto.`, and the kind.
    pub(crate) const NAMES: [(&'static str, OpaqueKind); 5] = [
        ("align", OpaqueKind::Align),
        ("pipe", OpaqueKind::Pipe),
        ("async_session", OpaqueKind::AsyncSession),
        ("async_event", OpaqueKind::AsyncEvent),
        ("prefetch_async_context", OpaqueKind::PrefetchAsyncContext),
    ];

    fn write(&self, _: &Context, out: &mut dyn Write) -> Result {
        let name = Self::NAMES.iter().find(|(_, k)| k == self).map_or("", |(n, _)| n);
        write!(out, "!pto.{name}")
    }
}

dialect_type!(OpaqueKind);

/// The view behind a type handle.
pub fn view_of(ctx: &Context, ty: TypeId) -> Option<&ViewType> {
    ctx.type_as(ty)
}

/// The pointer behind a type handle.
pub fn ptr_of(ctx: &Context, ty: TypeId) -> Option<PtrType> {
    ctx.type_as(ty).copied()
}
