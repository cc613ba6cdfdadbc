//! Where a tile lives.

/// Location of a tile, as its type says it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Loc {
    /// Global memory; no tile, but views and pointers.
    Gm,
    /// L1.
    Mat,
    /// L0A.
    Left,
    /// L0B.
    Right,
    /// L0C.
    Acc,
    /// Unified buffer.
    Vec,
    /// Bias table.
    Bias,
    /// Fixpipe parameter buffer.
    Scaling,
    /// Scales beside L0A (MX formats). Written `scaling` with element type f8e8m0 and both layouts row_major.
    ScaleLeft,
    /// Scales beside L0B (MX formats). Written `scaling` with element type f8e8m0 and both layouts col_major.
    ScaleRight,
}

/// A memory of one core group.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// Global memory.
    Gm,
    /// L1 buffer.
    L1,
    /// L0A buffer.
    L0A,
    /// L0B buffer.
    L0B,
    /// L0C buffer.
    L0C,
    /// Unified buffer.
    Ub,
    /// Bias table.
    Bt,
    /// Fixpipe buffer.
    Fb,
    /// L0A scale memory.
    L0AScale,
    /// L0B scale memory.
    L0BScale,
}

impl Loc {
    /// The memory behind the location.
    pub const fn memory(self) -> Memory {
        match self {
            Loc::Gm => Memory::Gm,
            Loc::Mat => Memory::L1,
            Loc::Left => Memory::L0A,
            Loc::Right => Memory::L0B,
            Loc::Acc => Memory::L0C,
            Loc::Vec => Memory::Ub,
            Loc::Bias => Memory::Bt,
            Loc::Scaling => Memory::Fb,
            Loc::ScaleLeft => Memory::L0AScale,
            Loc::ScaleRight => Memory::L0BScale,
        }
    }

    /// The word of the tile type (`vec`, `mat`, ...); both scale locations are written `scaling`.
    pub const fn keyword(self) -> &'static str {
        match self {
            Loc::Gm => "gm",
            Loc::Mat => "mat",
            Loc::Left => "left",
            Loc::Right => "right",
            Loc::Acc => "acc",
            Loc::Vec => "vec",
            Loc::Bias => "bias",
            Loc::Scaling | Loc::ScaleLeft | Loc::ScaleRight => "scaling",
        }
    }

    /// The name used in messages: as [`keyword`](Self::keyword), with the scale locations told apart.
    pub const fn name(self) -> &'static str {
        match self {
            Loc::ScaleLeft => "scale_left",
            Loc::ScaleRight => "scale_right",
            l => l.keyword(),
        }
    }

    /// The keyword `!pto.ptr<T, SPACE>` prints.
    pub const fn ptr_space(self) -> &'static str {
        match self {
            Loc::Gm => "gm",
            Loc::Mat => "l1",
            Loc::Left => "l0a",
            Loc::Right => "l0b",
            Loc::Acc => "l0c",
            Loc::Vec => "ub",
            Loc::Bias => "bt",
            Loc::Scaling => "fb",
            Loc::ScaleLeft => "l0a_scale",
            Loc::ScaleRight => "l0b_scale",
        }
    }

    /// Reads a location word of a tile type or a pointer space, in either spelling.
    pub fn from_keyword(word: &str) -> Option<Loc> {
        Some(match word {
            "gm" => Loc::Gm,
            "mat" | "l1" => Loc::Mat,
            "left" | "l0a" => Loc::Left,
            "right" | "l0b" => Loc::Right,
            "acc" | "l0c" => Loc::Acc,
            "vec" | "ub" => Loc::Vec,
            "bias" | "bt" => Loc::Bias,
            "scaling" | "fb" => Loc::Scaling,
            "l0a_scale" => Loc::ScaleLeft,
            "l0b_scale" => Loc::ScaleRight,
            _ => return None,
        })
    }
}

impl std::fmt::Display for Loc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Memory {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Memory::Gm => "global memory",
            Memory::L1 => "L1",
            Memory::L0A => "L0A",
            Memory::L0B => "L0B",
            Memory::L0C => "L0C",
            Memory::Ub => "UB",
            Memory::Bt => "bias table",
            Memory::Fb => "fixpipe buffer",
            Memory::L0AScale => "L0A scale memory",
            Memory::L0BScale => "L0B scale memory",
        }
    }
}

impl std::fmt::Display for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
