//! The passes by name, for pipelines written as text.

use crate::addresses::assign_addresses;
use crate::cleanup::{canonicalize, cse, dce};
use crate::convert::{to_dps, to_ssa, to_sync};
use ptoc_ir::{Ir, Pass, PassError};
use ptoc_source::Diagnostic;
use ptoc_target::Target;

type Run = fn(&mut Ir, &Target, &mut Vec<Diagnostic>) -> Result<(), PassError>;

/// One pass.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// What it does, one line.
    pub doc: &'static str,
    run: Run,
}

impl PassInfo {
    /// The pass for a target.
    pub fn make(&self, target: &Target) -> Box<dyn Pass> {
        Box::new(Ready { name: self.name, run: self.run, target: target.clone() })
    }
}

struct Ready {
    name: &'static str,
    run: Run,
    target: Target,
}

impl Pass for Ready {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, ir: &mut Ir, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
        (self.run)(ir, &self.target, diagnostics)
    }
}

static PASSES: &[PassInfo] = &[
    PassInfo { name: "convert-to-ssa", doc: "tiles become values where that is possible", run: to_ssa },
    PassInfo { name: "convert-to-dps", doc: "tiles become buffers", run: to_dps },
    PassInfo { name: "convert-to-sync", doc: "tiles become values, temporaries are hidden", run: to_sync },
    PassInfo { name: "assign-addresses", doc: "every tile gets an address of its own", run: assign_addresses },
    PassInfo {
        name: "canonicalize",
        doc: "integer arithmetic is folded, constants are shared, dead operations go",
        run: |ir, _, _| {
            canonicalize(ir);
            Ok(())
        },
    },
    PassInfo {
        name: "cse",
        doc: "operations without effect are done once",
        run: |ir, _, _| {
            cse(ir);
            Ok(())
        },
    },
    PassInfo {
        name: "dce",
        doc: "operations without effect whose results are unused go",
        run: |ir, _, _| {
            dce(ir);
            Ok(())
        },
    },
];

/// All passes.
pub fn passes() -> &'static [PassInfo] {
    PASSES
}
