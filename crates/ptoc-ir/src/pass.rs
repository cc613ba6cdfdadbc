//! Running passes in order.

use crate::Ir;
use ptoc_source::Diagnostic;
use std::time::{Duration, Instant};

/// A pass gave up; the diagnostics say why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassError;

/// A transformation or a check of a whole program.
pub trait Pass {
    /// Name on the command line: `plan-memory`.
    fn name(&self) -> &'static str;

    /// Does the work. Findings go to `diagnostics`.
    ///
    /// # Errors
    /// [`PassError`] when the program can't be carried on; at least one error diagnostic was pushed.
    fn run(&mut self, ir: &mut Ir, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError>;
}

/// Time one pass took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassTiming {
    /// The pass.
    pub name: &'static str,
    /// Wall time.
    pub time: Duration,
}

/// What happened.
#[derive(Debug, Default)]
pub struct PassReport {
    /// Findings of all passes and verifications.
    pub diagnostics: Vec<Diagnostic>,
    /// One entry a pass, in order.
    pub timings: Vec<PassTiming>,
    /// True when a pass or a verification failed; later passes did not run.
    pub failed: bool,
}

/// Called with the program after a pass.
type AfterPass<'a> = Box<dyn FnMut(&'static str, &Ir) + 'a>;
/// Checks the program between passes.
type Verifier<'a> = Box<dyn FnMut(&Ir) -> Vec<Diagnostic> + 'a>;

/// A sequence of passes with a verifier between them.
#[derive(Default)]
pub struct PassManager<'a> {
    passes: Vec<Box<dyn Pass + 'a>>,
    verifier: Option<Verifier<'a>>,
    after_each: Option<AfterPass<'a>>,
}

impl std::fmt::Debug for PassManager<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.passes.iter().map(|p| p.name())).finish()
    }
}

impl<'a> PassManager<'a> {
    /// No passes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a pass.
    pub fn add(&mut self, pass: impl Pass + 'a) -> &mut Self {
        self.passes.push(Box::new(pass));
        self
    }

    /// Appends a boxed pass.
    pub fn add_boxed(&mut self, pass: Box<dyn Pass + 'a>) -> &mut Self {
        self.passes.push(pass);
        self
    }

    /// Checks the program after every pass.
    pub fn verify_each(&mut self, verifier: impl FnMut(&Ir) -> Vec<Diagnostic> + 'a) -> &mut Self {
        self.verifier = Some(Box::new(verifier));
        self
    }

    /// Calls back after every pass, for `--print-after-all`.
    pub fn after_each(&mut self, f: impl FnMut(&'static str, &Ir) + 'a) -> &mut Self {
        self.after_each = Some(Box::new(f));
        self
    }

    /// Runs the passes until one fails.
    pub fn run(&mut self, ir: &mut Ir) -> PassReport {
        let mut report = PassReport::default();
        for pass in &mut self.passes {
            let start = Instant::now();
            let result = pass.run(ir, &mut report.diagnostics);
            report.timings.push(PassTiming { name: pass.name(), time: start.elapsed() });
            if let Some(f) = &mut self.after_each {
                f(pass.name(), ir);
            }
            if result.is_err() {
                report.failed = true;
                break;
            }
            if let Some(verify) = &mut self.verifier {
                let found = verify(ir);
                let bad = found.iter().any(Diagnostic::is_error);
                report.diagnostics.extend(
                    found
                        .into_iter()
                        .map(|d| if d.is_error() { d.note(format!("found after pass `{}`", pass.name())) } else { d }),
                );
                if bad {
                    report.failed = true;
                    break;
                }
            }
        }
        report
    }
}
