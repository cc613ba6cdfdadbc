//! Which intrinsics each architecture has.

use super::{Intrinsic, a2a3, a5, cube, dma, registers};
use ptoc_target::Arch;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

type Index = FxHashMap<&'static str, &'static Intrinsic>;

/// The tables of an architecture; a name is in one of them only.
const fn tables(arch: Arch) -> &'static [&'static [&'static [Intrinsic]]] {
    match arch {
        Arch::A2A3 => &[&[
            registers::COMMON,
            registers::A2A3,
            a2a3::STATE,
            a2a3::BINARY,
            a2a3::UNARY,
            a2a3::CONVERT,
            a2a3::REDUCE,
            a2a3::COMPARE,
            a2a3::GATHER,
            a2a3::SORT,
            a2a3::TRANSPOSE,
            dma::A2A3,
            cube::A2A3,
        ]],
        Arch::A5 => &[&[registers::COMMON, registers::A5, dma::A5, cube::A5], a5::TABLES],
    }
}

fn index(arch: Arch) -> &'static Index {
    static A2A3: OnceLock<Index> = OnceLock::new();
    static A5: OnceLock<Index> = OnceLock::new();
    let cell = match arch {
        Arch::A2A3 => &A2A3,
        Arch::A5 => &A5,
    };
    cell.get_or_init(|| tables(arch).iter().copied().flatten().copied().flatten().map(|i| (i.name, i)).collect())
}

/// The intrinsic of a name on an architecture.
pub fn find(arch: Arch, name: &str) -> Option<&'static Intrinsic> {
    index(arch).get(name).copied()
}

/// The names of all intrinsics of an architecture, table by table.
pub fn names(arch: Arch) -> impl Iterator<Item = &'static str> {
    tables(arch).iter().copied().flatten().copied().flatten().map(|i| i.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_there_twice() {
        for arch in Arch::ALL {
            assert_eq!(index(arch).len(), names(arch).count(), "{arch}");
        }
        assert!(find(Arch::A2A3, "vadd").is_some());
        assert!(find(Arch::A2A3, "no_such_thing").is_none());
    }
}
