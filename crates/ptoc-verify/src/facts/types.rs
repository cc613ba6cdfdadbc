//! One record for each interned type, so that no check downcasts a type twice.

use ptoc_dialect::types::{
    ElemType, MaskType, MultiTileType, PtrType, TileForm, TileType, VRegType, ViewType, VmiMaskType, VmiVRegType,
};
use ptoc_ir::{Context, TypeData, TypeId};
use ptoc_target::DType;

/// What a type is, as the operand kinds of the table tell types apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TypeClass {
    Tile,
    /// Several slots of a tile type.
    MultiTile,
    /// `tensor_view`
    View,
    /// `partition_tensor_view`
    Partition,
    /// A ranked tensor or memref of MLIR.
    Ranked,
    Ptr,
    Index,
    Int,
    Float,
    VReg,
    Mask,
    Other,
}

/// One type.
#[derive(Clone, Debug)]
pub(crate) struct TypeFacts {
    pub(crate) class: TypeClass,
    /// The tile, for [`TypeClass::Tile`].
    pub(crate) tile: Option<TileType>,
    /// Element type of a tile, view or pointer, or the number type itself.
    pub(crate) dtype: Option<DType>,
}

impl TypeFacts {
    pub(crate) fn form(&self) -> Option<TileForm> {
        self.tile.as_ref().map(|t| t.form)
    }
}

/// Facts of every interned type, by handle.
#[derive(Debug)]
pub(crate) struct Types(Vec<TypeFacts>);

impl Types {
    pub(crate) fn of(ctx: &Context) -> Types {
        Types((0..ctx.type_count()).map(|i| facts(ctx, TypeId::from_index(i))).collect())
    }

    pub(crate) fn get(&self, ty: TypeId) -> Option<&TypeFacts> {
        self.0.get(ty.index())
    }
}

fn facts(ctx: &Context, ty: TypeId) -> TypeFacts {
    let elem = |t: TypeId| ptoc_dialect::types::dtype_of(ctx, t);
    let (class, tile, dtype) = match ctx.type_data(ty) {
        TypeData::Integer { .. } => (TypeClass::Int, None, elem(ty)),
        TypeData::Float(_) => (TypeClass::Float, None, elem(ty)),
        TypeData::Index => (TypeClass::Index, None, None),
        TypeData::Tensor { elem: e, .. } | TypeData::MemRef { elem: e, .. } => (TypeClass::Ranked, None, elem(*e)),
        TypeData::Dialect(d) => {
            let any = d.as_any();
            if let Some(t) = any.downcast_ref::<TileType>() {
                (TypeClass::Tile, Some(*t), Some(t.dtype))
            } else if let Some(v) = any.downcast_ref::<ViewType>() {
                let class = match v.kind {
                    ptoc_dialect::types::ViewKind::Tensor => TypeClass::View,
                    ptoc_dialect::types::ViewKind::Partition => TypeClass::Partition,
                };
                (class, None, elem(v.elem))
            } else if let Some(p) = any.downcast_ref::<PtrType>() {
                (TypeClass::Ptr, None, elem(p.elem))
            } else if any.is::<MultiTileType>() {
                (TypeClass::MultiTile, None, None)
            } else if any.is::<VRegType>() || any.is::<VmiVRegType>() {
                (TypeClass::VReg, None, None)
            } else if any.is::<MaskType>() || any.is::<VmiMaskType>() {
                (TypeClass::Mask, None, None)
            } else if any.is::<ElemType>() {
                (TypeClass::Float, None, elem(ty))
            } else {
                (TypeClass::Other, None, None)
            }
        }
        _ => (TypeClass::Other, None, None),
    };
    TypeFacts { class, tile, dtype }
}
