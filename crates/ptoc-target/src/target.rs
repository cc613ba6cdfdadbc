//! The targets.

use crate::{BLOCK_BYTES, Loc};

/// An architecture family: which rules and which lowering apply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Arch {
    /// Ascend 910B / 910C.
    A2A3,
    /// Ascend 950.
    A5,
}

impl Arch {
    /// Both.
    pub const ALL: [Arch; 2] = [Arch::A2A3, Arch::A5];

    /// Name on the command line and in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Arch::A2A3 => "a2a3",
            Arch::A5 => "a5",
        }
    }
}

impl std::fmt::Display for Arch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Capacity of each on-chip memory in bytes; zero means that the memory does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Capacities {
    /// Unified buffer.
    pub vec: u64,
    /// L1.
    pub mat: u64,
    /// L0A.
    pub left: u64,
    /// L0B.
    pub right: u64,
    /// L0C.
    pub acc: u64,
    /// Bias table.
    pub bias: u64,
    /// Fixpipe buffer.
    pub scaling: u64,
    /// Scales beside L0A.
    pub scale_left: u64,
    /// Scales beside L0B.
    pub scale_right: u64,
}

/// One machine.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// Name: `a2a3`, `a5`, `kirin9030`, `kirinx90`.
    pub name: &'static str,
    /// Whose rules and lowering it takes.
    pub arch: Arch,
    /// Memory sizes.
    pub capacity: Capacities,
    /// Alignment of a tile address in bytes.
    pub align: u64,
}

const KIB: u64 = 1024;

impl Target {
    /// Ascend A2/A3.
    pub const A2A3: Target = Target {
        name: "a2a3",
        arch: Arch::A2A3,
        capacity: Capacities {
            vec: 192 * KIB,
            mat: 512 * KIB,
            left: 64 * KIB,
            right: 64 * KIB,
            acc: 128 * KIB,
            bias: KIB,
            scaling: 2 * KIB,
            scale_left: 0,
            scale_right: 0,
        },
        align: BLOCK_BYTES,
    };

    /// Ascend 950.
    pub const A5: Target = Target {
        name: "a5",
        arch: Arch::A5,
        capacity: Capacities {
            vec: 256 * KIB,
            mat: 512 * KIB,
            left: 64 * KIB,
            right: 64 * KIB,
            acc: 256 * KIB,
            bias: 4 * KIB,
            scaling: 4 * KIB,
            scale_left: 4 * KIB,
            scale_right: 4 * KIB,
        },
        align: BLOCK_BYTES,
    };

    /// The target a user names: `a2a3` (also `a2`, `a3`) or `a5`.
    pub fn by_name(name: &str) -> Option<Target> {
        match name {
            "a2a3" | "a2" | "a3" => Some(Target::A2A3),
            "a5" => Some(Target::A5),
            _ => None,
        }
    }

    /// The target of an architecture with its default sizes.
    pub const fn of(arch: Arch) -> Target {
        match arch {
            Arch::A2A3 => Target::A2A3,
            Arch::A5 => Target::A5,
        }
    }

    /// Capacity of a location in bytes; `None` for global memory.
    pub const fn capacity(&self, loc: Loc) -> Option<u64> {
        let c = &self.capacity;
        Some(match loc {
            Loc::Gm => return None,
            Loc::Vec => c.vec,
            Loc::Mat => c.mat,
            Loc::Left => c.left,
            Loc::Right => c.right,
            Loc::Acc => c.acc,
            Loc::Bias => c.bias,
            Loc::Scaling => c.scaling,
            Loc::ScaleLeft => c.scale_left,
            Loc::ScaleRight => c.scale_right,
        })
    }

    /// Gives a location another capacity, in bytes. Global memory has none, so nothing happens.
    pub const fn set_capacity(&mut self, loc: Loc, bytes: u64) {
        let c = &mut self.capacity;
        let field = match loc {
            Loc::Gm => return,
            Loc::Vec => &mut c.vec,
            Loc::Mat => &mut c.mat,
            Loc::Left => &mut c.left,
            Loc::Right => &mut c.right,
            Loc::Acc => &mut c.acc,
            Loc::Bias => &mut c.bias,
            Loc::Scaling => &mut c.scaling,
            Loc::ScaleLeft => &mut c.scale_left,
            Loc::ScaleRight => &mut c.scale_right,
        };
        *field = bytes;
    }
}
