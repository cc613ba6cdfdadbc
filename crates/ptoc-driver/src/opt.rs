//! `ptoc opt`: programs through chosen passes.

use crate::compile::each;
use crate::passes::PassChoice;
use crate::{Options, Outcome, Unit, mismatches};
use ptoc_dialect::print_module;
use ptoc_ir::{Ir, PassManager, PassTiming, print_generic};
use ptoc_source::{Diagnostic, SourceFile};
use ptoc_verify::{VerifyOptions, verify};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// What to do.
#[derive(Clone, Debug, Default)]
pub struct OptOptions {
    /// The passes in order.
    pub passes: Vec<PassChoice>,
    /// Take what stands between `// -----` lines as programs of their own.
    pub pieces: bool,
    /// Compare the findings with `expected-...` comments; what differs is reported instead of them.
    pub verify_diagnostics: bool,
    /// Write the generic form.
    pub generic: bool,
    /// Write the program after each pass to the talk.
    pub print_after_all: bool,
    /// Write the time of each stage to the talk.
    pub timing: bool,
}

/// Runs every program of a file through the passes; a check follows each.
///
/// The second part is what to say on the way: programs between passes, times.
pub fn opt(file: &SourceFile, how: &OptOptions, options: &Options) -> (Outcome, String) {
    let mut talk = String::new();
    let outcome = each(file, how.pieces, |unit, empty| {
        let (product, found) = one(unit, how, options, empty, &mut talk);
        if !how.verify_diagnostics {
            return (product, found);
        }
        let range = unit.range.start as u32..unit.range.end as u32;
        (product, mismatches(file, range, &found))
    });
    (outcome, talk)
}

fn one(
    unit: &Unit,
    how: &OptOptions,
    options: &Options,
    empty: &mut bool,
    talk: &mut String,
) -> (Option<String>, Vec<Diagnostic>) {
    let start = Instant::now();
    let mut checked = unit.check(options);
    *empty &= checked.is_empty();
    let mut times = vec![PassTiming { name: "read and check", time: start.elapsed() }];
    let mut good = checked.is_legal();
    let print = |ir: &Ir| if how.generic { print_generic(ir) } else { print_module(ir) };
    if good {
        let target = &checked.target;
        let mut manager = PassManager::new();
        for pass in &how.passes {
            manager.add_boxed(pass.make(target));
        }
        manager.verify_each(|ir| verify(ir, target, &VerifyOptions::default()));
        if how.print_after_all {
            manager.after_each(|name, ir| {
                let _ = writeln!(talk, "// after {name}\n{}", print(ir));
            });
        }
        let report = manager.run(&mut checked.ir);
        drop(manager);
        good = !report.failed;
        checked.diagnostics.extend(report.diagnostics);
        times.extend(report.timings);
    }
    let start = Instant::now();
    let product = good.then(|| print(&checked.ir));
    times.push(PassTiming { name: "print", time: start.elapsed() });
    if how.timing {
        table(&times, talk);
    }
    (product, checked.diagnostics)
}

fn table(times: &[PassTiming], talk: &mut String) {
    let width = times.iter().map(|t| t.name.len()).max().unwrap_or(0).max("total".len());
    let total: Duration = times.iter().map(|t| t.time).sum();
    let mut line = |name: &str, time: Duration| {
        let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
        let _ = writeln!(talk, "{:10.3} ms  {share:5.1} %  {name:width$}", time.as_secs_f64() * 1e3);
    };
    for t in times {
        line(t.name, t.time);
    }
    line("total", total);
}
