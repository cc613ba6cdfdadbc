//! Operations of MLIR's own dialects: `builtin`, `func`, `arith`, `scf`, `cf`, and the few of `memref` and `llvm` in use.
//!
//! Each has its own reading and printing code; their shapes are too different for the format language.

mod arith;
mod builtin;
mod cf;
mod memory;
mod scf;

use crate::resolve::{Built, Cursor, Read, Resolver};
use ptoc_ir::{PrintFn, Traits};

/// Reads the custom form of an operation after its name.
pub(crate) type ReadFn = for<'t> fn(&mut Resolver<'t>, &mut Cursor<'t>, &mut Built<'t>) -> Read<()>;

/// One upstream operation.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) name: &'static str,
    pub(crate) traits: Traits,
    /// A `{` after its items begins a region.
    pub(crate) regions: bool,
    pub(crate) read: ReadFn,
    pub(crate) print: PrintFn,
}

impl Upstream {
    const fn new(name: &'static str, traits: Traits, read: ReadFn, print: PrintFn) -> Upstream {
        Upstream { name, traits, regions: false, read, print }
    }

    const fn with_regions(name: &'static str, traits: Traits, read: ReadFn, print: PrintFn) -> Upstream {
        Upstream { name, traits, regions: true, read, print }
    }
}

/// All of them.
pub(crate) const ALL: &[&[Upstream]] = &[builtin::OPS, arith::OPS, scf::OPS, cf::OPS, memory::OPS];
