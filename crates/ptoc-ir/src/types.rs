//! Type data.

use crate::{AttrId, Context, Sym, TypeId};
use std::any::Any;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

/// Signedness of an integer type; `i32` is signless, `si32` and `ui32` are not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `iN`
    Signless,
    /// `siN`
    Signed,
    /// `uiN`
    Unsigned,
}

/// Builtin float types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    F16,
    BF16,
    F32,
    F64,
    TF32,
    F8E4M3,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0FNU,
    F4E2M1FN,
}

impl FloatKind {
    /// Every builtin float.
    pub const ALL: [FloatKind; 13] = [
        FloatKind::F16,
        FloatKind::BF16,
        FloatKind::F32,
        FloatKind::F64,
        FloatKind::TF32,
        FloatKind::F8E4M3,
        FloatKind::F8E4M3FN,
        FloatKind::F8E4M3FNUZ,
        FloatKind::F8E4M3B11FNUZ,
        FloatKind::F8E5M2,
        FloatKind::F8E5M2FNUZ,
        FloatKind::F8E8M0FNU,
        FloatKind::F4E2M1FN,
    ];

    /// The word in the text.
    pub const fn keyword(self) -> &'static str {
        match self {
            FloatKind::F16 => "f16",
            FloatKind::BF16 => "bf16",
            FloatKind::F32 => "f32",
            FloatKind::F64 => "f64",
            FloatKind::TF32 => "tf32",
            FloatKind::F8E4M3 => "f8E4M3",
            FloatKind::F8E4M3FN => "f8E4M3FN",
            FloatKind::F8E4M3FNUZ => "f8E4M3FNUZ",
            FloatKind::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            FloatKind::F8E5M2 => "f8E5M2",
            FloatKind::F8E5M2FNUZ => "f8E5M2FNUZ",
            FloatKind::F8E8M0FNU => "f8E8M0FNU",
            FloatKind::F4E2M1FN => "f4E2M1FN",
        }
    }

    /// Width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            FloatKind::F16 | FloatKind::BF16 => 16,
            FloatKind::F32 | FloatKind::TF32 => 32,
            FloatKind::F64 => 64,
            FloatKind::F4E2M1FN => 4,
            _ => 8,
        }
    }
}

/// A type. Dimensions use [`TypeData::DYNAMIC`] for `?`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum TypeData {
    Integer {
        width: u32,
        sign: Signedness,
    },
    Float(FloatKind),
    Index,
    None,
    Function {
        params: Box<[TypeId]>,
        results: Box<[TypeId]>,
    },
    Tuple(Box<[TypeId]>),
    Vector {
        dims: Box<[i64]>,
        elem: TypeId,
    },
    Tensor {
        dims: Box<[i64]>,
        elem: TypeId,
        encoding: Option<AttrId>,
    },
    MemRef {
        dims: Box<[i64]>,
        elem: TypeId,
        layout: Option<AttrId>,
        space: Option<AttrId>,
    },
    /// A type of a dialect that knows its structure.
    Dialect(Box<dyn DialectType>),
    /// A type kept as text, `!` included.
    Opaque(Sym),
}

impl TypeData {
    /// The dimension written `?`.
    pub const DYNAMIC: i64 = i64::MIN;
}

/// A type with a structure of its own.
///
/// Implementors derive `Clone, PartialEq, Eq, Hash, Debug` and forward to [`dyn_eq`] and [`dyn_hash`].
pub trait DialectType: Any + std::fmt::Debug + Send + Sync {
    /// Structural equality.
    fn eq_type(&self, other: &dyn DialectType) -> bool;
    /// Structural hash.
    fn hash_type(&self, state: &mut dyn Hasher);
    /// Copy for interning.
    fn clone_type(&self) -> Box<dyn DialectType>;
    /// Writes the canonical text, `!` included.
    ///
    /// # Errors
    /// Only those of the writer.
    fn print(&self, ctx: &Context, out: &mut dyn Write) -> std::fmt::Result;
    /// For downcasting.
    fn as_any(&self) -> &dyn Any;
}

/// Forwards [`DialectType::eq_type`] to `PartialEq`.
pub fn dyn_eq<T: PartialEq + 'static>(a: &T, b: &dyn DialectType) -> bool {
    b.as_any().downcast_ref::<T>().is_some_and(|b| a == b)
}

/// Forwards [`DialectType::hash_type`] to `Hash`.
pub fn dyn_hash<T: Hash + 'static>(a: &T, mut state: &mut dyn Hasher) {
    std::any::TypeId::of::<T>().hash(&mut state);
    a.hash(&mut state);
}

impl PartialEq for Box<dyn DialectType> {
    fn eq(&self, other: &Self) -> bool {
        self.eq_type(other.as_ref())
    }
}

impl Eq for Box<dyn DialectType> {}

impl Hash for Box<dyn DialectType> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_type(state);
    }
}

impl Clone for Box<dyn DialectType> {
    fn clone(&self) -> Self {
        self.clone_type()
    }
}
