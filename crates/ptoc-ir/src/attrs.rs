//! Attribute data.

use crate::{AttrId, Sym, TypeId};

/// An attribute value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AttrData {
    /// Present without a value.
    Unit,
    Bool(bool),
    /// An integer with its type (`index`, `iN`, ...). Unsigned values above `i64::MAX` keep their value.
    Integer {
        value: i128,
        ty: TypeId,
    },
    /// A float as the bit pattern of a double, with its type.
    Float {
        bits: u64,
        ty: TypeId,
    },
    /// A float given by the bit pattern of its own type (`0x7F800000 : f32`).
    FloatBits {
        bits: u64,
        ty: TypeId,
    },
    String(Sym),
    /// `@a::@b`
    Symbol(Box<[Sym]>),
    Type(TypeId),
    Array(Box<[AttrId]>),
    Dict(Box<[(Sym, AttrId)]>),
    /// `array<i32: 1, 2>`
    DenseArray {
        elem: TypeId,
        values: Box<[i64]>,
    },
    /// `#dialect.kind<body>`, or `#dialect<kind body>` when `spaced`.
    Dialect {
        dialect: Sym,
        kind: Sym,
        body: Sym,
        spaced: bool,
    },
    /// Anything else, kept as text: `dense<...> : vector<...>`, `strided<...>`, `affine_map<...>`.
    Raw(Sym),
}
