//! 32-bit handles. They are the index plus one, so that an optional handle has 32 bits, too.

use std::num::NonZeroU32;

/// Declares a 32-bit handle type.
macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The handle with that index.
            pub const fn from_index(index: usize) -> Self {
                match NonZeroU32::new((index as u32).wrapping_add(1)) {
                    Some(n) => $name(n),
                    None => $name(NonZeroU32::MAX),
                }
            }

            /// Position in the table the handle points into.
            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.index())
            }
        }
    )*};
}

handles! {
    /// An operation.
    OpId "op";
    /// A value: a result of an op or an argument of a block.
    ValueId "v";
    /// A block.
    BlockId "bb";
    /// A region.
    RegionId "r";
    /// An interned type.
    TypeId "t";
    /// An interned attribute.
    AttrId "a";
    /// An interned string.
    Sym "s";
}

/// What an operation is: a dense index into the [`Registry`](crate::Registry).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpKind(pub u16);

impl OpKind {
    /// An operation nobody registered; its name is kept in the op.
    pub const UNREGISTERED: OpKind = OpKind(u16::MAX);

    /// Position in the registry.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
