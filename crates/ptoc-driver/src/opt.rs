//! `ptoc opt`: programs through chosen passes.

use crate::compile::each;
use crate::{Options, Outcome, mismatches};
use ptoc_dialect::print_module;
use ptoc_ir::print_generic;
use ptoc_source::SourceFile;

/// What to do besides the passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptOptions {
    /// Take what stands between `// -----` lines as programs of their own.
    pub pieces: bool,
    /// Compare the findings with `expected-...` comments; what differs is reported instead of them.
    pub verify_diagnostics: bool,
    /// Write the generic form.
    pub generic: bool,
}

/// Runs every program of a file through the passes.
pub fn opt(file: &SourceFile, how: OptOptions, options: &Options) -> Outcome {
    each(file, how.pieces, |unit| {
        let checked = unit.check(options);
        let print = if how.generic { print_generic } else { print_module };
        let product = checked.is_legal().then(|| print(&checked.ir));
        if !how.verify_diagnostics {
            return (product, checked.diagnostics);
        }
        let range = unit.range.start as u32..unit.range.end as u32;
        (product, mismatches(file, range, &checked.diagnostics))
    })
}
