//! Units of size. Mixing two of them does not compile.

/// Bytes of one block, the granule of the unified buffer and of every DMA.
pub const BLOCK_BYTES: u64 = 32;
/// Bytes of one vector repeat (A2/A3) or one vector register (A5): eight blocks.
pub const REPEAT_BYTES: u64 = 256;
/// The bytes of the unified buffer in which A2/A3 vector instructions spread a column when they have no temporary
/// (`TMP_UB_OFFSET` and `TMP_UB_SIZE` of the library).
pub const VECTOR_SCRATCH: std::ops::Range<u64> = 184 * 1024..192 * 1024;

/// A size or an address in bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Bytes(pub u64);

/// A count of elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Elems(pub u64);

/// A count of 32-byte blocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Blocks(pub u64);

impl Bytes {
    /// Whole blocks, rounded up.
    pub const fn blocks_ceil(self) -> Blocks {
        Blocks(self.0.div_ceil(BLOCK_BYTES))
    }

    /// Whole blocks, when the size is a multiple of 32 bytes.
    pub const fn blocks_exact(self) -> Option<Blocks> {
        if self.0.is_multiple_of(BLOCK_BYTES) { Some(Blocks(self.0 / BLOCK_BYTES)) } else { None }
    }
}

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.0)
    }
}
