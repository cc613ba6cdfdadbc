//! Operations of MLIR's own dialects: `builtin`, `func`, `arith`, `scf`, `cf`, and the few of `memref` and `llvm` in use.
//!
//! Each has its own reading and printing code; their shapes are too different for the format language.

mod arith;
mod builtin;
mod cast;
pub(crate) mod cf;
mod memory;
mod scf;

use crate::resolve::{Built, Cursor, Read, Resolver};
use ptoc_ir::{PrintFn, Properties, Traits};

/// Reads the custom form of an operation after its name.
pub(crate) type ReadFn = for<'t> fn(&mut Resolver<'t>, &mut Cursor<'t>, &mut Built<'t>) -> Read<()>;

/// One upstream operation.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) name: &'static str,
    pub(crate) traits: Traits,
    /// A `{` after its items begins a region.
    pub(crate) regions: bool,
    /// As [`ptoc_ir::OpInfo::generic_regions`].
    pub(crate) generic_regions: u8,
    /// As [`ptoc_ir::OpInfo::properties`].
    pub(crate) properties: Option<Properties>,
    pub(crate) read: ReadFn,
    pub(crate) print: PrintFn,
}

impl Upstream {
    const fn new(name: &'static str, traits: Traits, read: ReadFn, print: PrintFn) -> Upstream {
        Upstream { name, traits, regions: false, generic_regions: 0, properties: None, read, print }
    }

    const fn with_regions(name: &'static str, traits: Traits, read: ReadFn, print: PrintFn) -> Upstream {
        Upstream { name, traits, regions: true, generic_regions: 0, properties: None, read, print }
    }

    /// Of `n` regions the last may be missing.
    const fn last_region_may_be_missing(self, n: u8) -> Upstream {
        Upstream { generic_regions: n, ..self }
    }

    const fn with_properties(self, print: PrintFn, names: &'static [&'static str]) -> Upstream {
        Upstream { properties: Some(Properties { print, names }), ..self }
    }
}

/// All of them.
pub(crate) const ALL: &[&[Upstream]] = &[builtin::OPS, arith::OPS, scf::OPS, cf::OPS, memory::OPS];
