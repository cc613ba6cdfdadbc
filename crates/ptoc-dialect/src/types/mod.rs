//! The types of the `pto` dialect and how they are read and printed.

mod elem;
mod tile;
mod vector;
mod view;

pub use elem::{ElemType, dtype_of, elem_of};
pub use tile::{MultiTileType, TileForm, TileType, differences, tile_of, with_form};
pub use vector::{MaskType, VRegType, VmiMaskType, VmiVRegType};
pub use view::{
    EventIdArrayType, LocalArrayType, OpaqueKind, PtrType, StructType, ViewKind, ViewType, ptr_of, view_of,
};

/// Implements [`DialectType`](ptoc_ir::DialectType) for a structural type with an inherent `write` method.
macro_rules! dialect_type {
    ($ty:ty) => {
        impl ptoc_ir::DialectType for $ty {
            fn eq_type(&self, other: &dyn ptoc_ir::DialectType) -> bool {
                ptoc_ir::dyn_eq(self, other)
            }

            fn hash_type(&self, state: &mut dyn std::hash::Hasher) {
                ptoc_ir::dyn_hash(self, state);
            }

            fn clone_type(&self) -> Box<dyn ptoc_ir::DialectType> {
                Box::new(self.clone())
            }

            fn print(&self, ctx: &ptoc_ir::Context, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
                self.write(ctx, out)
            }

            fn as_any(&self) -> &dyn std::any::Any {
                self
            }
        }
    };
}
pub(crate) use dialect_type;

/// Reads the text of one type.
///
/// # Errors
/// What is wrong with the text; spans count from its start.
pub fn parse_type_text(
    ctx: &mut ptoc_ir::Context,
    text: &str,
    arch: ptoc_target::Arch,
) -> Result<ptoc_ir::TypeId, ptoc_source::Diagnostic> {
    crate::resolve::parse_type_text(ctx, text, arch)
}
