//! Element types of tiles.

/// The element type of a tile, in the names of the instruction tables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum DType {
    /// Signed 8-bit integer (signless `i8` counts as signed).
    I8,
    /// Unsigned 8-bit integer.
    U8,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 16-bit integer.
    U16,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer.
    U32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 64-bit integer.
    U64,
    /// IEEE half.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE single.
    F32,
    /// IEEE double: readable, but no instruction takes it.
    F64,
    /// HiFloat8.
    HiF8,
    /// 8-bit float, 4 exponent and 3 mantissa bits, no infinities.
    F8E4M3,
    /// 8-bit float, 5 exponent and 2 mantissa bits.
    F8E5M2,
    /// 8-bit exponent-only scale of MX formats.
    F8E8M0,
    /// Two packed 4-bit floats, 2 exponent and 1 mantissa bits each.
    F4E2M1x2,
    /// Two packed 4-bit floats, 1 exponent and 2 mantissa bits each.
    F4E1M2x2,
    /// Two packed HiFloat8.
    HiF8x2,
    /// Two packed bfloat16.
    BF16x2,
}

/// Coarse kind of an element type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DTypeClass {
    /// Two's complement integer.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// IEEE-like float of 16 bits or more.
    Float,
    /// Float of 8 or 4 bits.
    LowFloat,
}

impl DType {
    /// Every element type.
    pub const ALL: [DType; 20] = [
        DType::I8,
        DType::U8,
        DType::I16,
        DType::U16,
        DType::I32,
        DType::U32,
        DType::I64,
        DType::U64,
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::HiF8,
        DType::F8E4M3,
        DType::F8E5M2,
        DType::F8E8M0,
        DType::F4E2M1x2,
        DType::F4E1M2x2,
        DType::HiF8x2,
        DType::BF16x2,
    ];

    /// Bytes of one element; a packed fp4 pair is one byte.
    pub const fn bytes(self) -> u64 {
        use DType::*;
        match self {
            I8 | U8 | HiF8 | F8E4M3 | F8E5M2 | F8E8M0 | F4E2M1x2 | F4E1M2x2 => 1,
            I16 | U16 | F16 | BF16 | HiF8x2 => 2,
            I32 | U32 | F32 | BF16x2 => 4,
            I64 | U64 | F64 => 8,
        }
    }

    /// Elements in one 32-byte block (`c0` of the layout formulas; packed pairs count once).
    pub const fn c0(self) -> u64 {
        32 / self.bytes()
    }

    /// Coarse kind.
    pub const fn class(self) -> DTypeClass {
        use DType::*;
        match self {
            I8 | I16 | I32 | I64 => DTypeClass::Signed,
            U8 | U16 | U32 | U64 => DTypeClass::Unsigned,
            F16 | BF16 | F32 | F64 | BF16x2 => DTypeClass::Float,
            HiF8 | F8E4M3 | F8E5M2 | F8E8M0 | F4E2M1x2 | F4E1M2x2 | HiF8x2 => DTypeClass::LowFloat,
        }
    }

    /// True for integers of either sign.
    pub const fn is_int(self) -> bool {
        matches!(self.class(), DTypeClass::Signed | DTypeClass::Unsigned)
    }

    /// True for f16, bf16, f32 and f64.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), DTypeClass::Float)
    }

    /// True for the packed 4-bit pairs.
    pub const fn is_fp4(self) -> bool {
        matches!(self, DType::F4E2M1x2 | DType::F4E1M2x2)
    }

    /// Name in messages and tables (`f32`, `u16`, `f8e4m3`, ...).
    pub const fn name(self) -> &'static str {
        use DType::*;
        match self {
            I8 => "i8",
            U8 => "u8",
            I16 => "i16",
            U16 => "u16",
            I32 => "i32",
            U32 => "u32",
            I64 => "i64",
            U64 => "u64",
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
            HiF8 => "hif8",
            F8E4M3 => "f8e4m3",
            F8E5M2 => "f8e5m2",
            F8E8M0 => "f8e8m0",
            F4E2M1x2 => "f4e2m1x2",
            F4E1M2x2 => "f4e1m2x2",
            HiF8x2 => "hif8x2",
            BF16x2 => "bf16x2",
        }
    }

    /// The element type of that table name.
    pub fn from_name(name: &str) -> Option<DType> {
        Self::ALL.into_iter().find(|d| d.name() == name)
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_holds_32_bytes_of_any_type() {
        for d in DType::ALL {
            assert_eq!(d.bytes() * d.c0(), 32, "{d}");
            assert_eq!(DType::from_name(d.name()), Some(d));
        }
    }
}
