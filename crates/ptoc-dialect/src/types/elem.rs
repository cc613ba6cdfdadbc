//! Element types.

use super::dialect_type;
use ptoc_ir::{Context, FloatKind, Signedness, TypeData, TypeId};
use ptoc_target::DType;
use std::fmt::{Result, Write};

/// An element type that only the `pto` dialect has: `!pto.hif8`, `!pto.f4E2M1x2`, ...
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ElemType(pub DType);

impl ElemType {
    /// Text without `!pto.`, and the element type it names.
    pub(crate) const NAMES: [(&'static str, DType); 6] = [
        ("hif8", DType::HiF8),
        ("hif8x2", DType::HiF8x2),
        ("f8E8M0", DType::F8E8M0),
        ("f4E1M2x2", DType::F4E1M2x2),
        ("f4E2M1x2", DType::F4E2M1x2),
        ("bf16x2", DType::BF16x2),
    ];

    fn write(&self, _: &Context, out: &mut dyn Write) -> Result {
        let name = Self::NAMES.iter().find(|(_, d)| *d == self.0).map_or(self.0.name(), |(n, _)| n);
        write!(out, "!pto.{name}")
    }
}

dialect_type!(ElemType);

/// The element type behind a type handle; `None` for types that no tile can hold.
pub fn dtype_of(ctx: &Context, ty: TypeId) -> Option<DType> {
    Some(match ctx.type_data(ty) {
        TypeData::Integer { width, sign } => match (width, sign) {
            (8, Signedness::Unsigned) => DType::U8,
            (16, Signedness::Unsigned) => DType::U16,
            (32, Signedness::Unsigned) => DType::U32,
            (64, Signedness::Unsigned) => DType::U64,
            (8, _) => DType::I8,
            (16, _) => DType::I16,
            (32, _) => DType::I32,
            (64, _) => DType::I64,
            _ => return None,
        },
        TypeData::Float(kind) => match kind {
            FloatKind::F16 => DType::F16,
            FloatKind::BF16 => DType::BF16,
            FloatKind::F32 => DType::F32,
            FloatKind::F64 => DType::F64,
            FloatKind::F8E4M3 | FloatKind::F8E4M3FN | FloatKind::F8E4M3FNUZ | FloatKind::F8E4M3B11FNUZ => DType::F8E4M3,
            FloatKind::F8E5M2 | FloatKind::F8E5M2FNUZ => DType::F8E5M2,
            FloatKind::F8E8M0FNU => DType::F8E8M0,
            FloatKind::TF32 | FloatKind::F4E2M1FN => return None,
        },
        TypeData::Dialect(d) => d.as_any().downcast_ref::<ElemType>()?.0,
        _ => return None,
    })
}

/// The type that spells an element type (signed integers are signless).
pub fn elem_of(ctx: &mut Context, dtype: DType) -> TypeId {
    let unsigned = |width| TypeData::Integer { width, sign: Signedness::Unsigned };
    let data = match dtype {
        DType::I8 => return ctx.int(8),
        DType::I16 => return ctx.int(16),
        DType::I32 => return ctx.int(32),
        DType::I64 => return ctx.int(64),
        DType::U8 => unsigned(8),
        DType::U16 => unsigned(16),
        DType::U32 => unsigned(32),
        DType::U64 => unsigned(64),
        DType::F16 => TypeData::Float(FloatKind::F16),
        DType::BF16 => TypeData::Float(FloatKind::BF16),
        DType::F32 => TypeData::Float(FloatKind::F32),
        DType::F64 => TypeData::Float(FloatKind::F64),
        DType::F8E4M3 => TypeData::Float(FloatKind::F8E4M3FN),
        DType::F8E5M2 => TypeData::Float(FloatKind::F8E5M2),
        low => return ctx.dialect_ty(ElemType(low)),
    };
    ctx.ty(data)
}
