//! The passes by name.

use ptoc_ir::{Ir, Pass, PassError};
use ptoc_source::{Diagnostic, did_you_mean};
use ptoc_target::Target;

/// A pass as the table has it.
#[derive(Debug)]
pub struct PassInfo {
    /// Name on the command line.
    pub name: &'static str,
    /// What it does, one line.
    pub summary: &'static str,
    run: fn(&mut Ir, &Target, &mut Vec<Diagnostic>) -> Result<(), PassError>,
}

/// All passes.
pub static PASSES: &[PassInfo] = &[
    PassInfo { name: "to-ssa", summary: "buffers to values: the SSA form", run: ptoc_transform::convert::to_ssa },
    PassInfo { name: "to-dps", summary: "values to buffers: the DPS form", run: ptoc_transform::convert::to_dps },
    PassInfo { name: "lower", summary: "tile instructions to intrinsics of the target", run: lower },
];

fn lower(ir: &mut Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
    ptoc_lower::lower(ir, target).map_err(|found| {
        diagnostics.extend(found);
        PassError
    })
}

/// A pass bound to a target.
pub(crate) struct Bound<'t> {
    info: &'static PassInfo,
    target: &'t Target,
}

impl PassInfo {
    pub(crate) fn on<'t>(&'static self, target: &'t Target) -> Bound<'t> {
        Bound { info: self, target }
    }
}

impl Pass for Bound<'_> {
    fn name(&self) -> &'static str {
        self.info.name
    }

    fn run(&mut self, ir: &mut Ir, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
        (self.info.run)(ir, self.target, diagnostics)
    }
}

/// The passes of a list such as `to-dps,lower`.
///
/// # Errors
/// What is wrong with the first unknown name.
pub fn parse_passes(list: &str) -> Result<Vec<&'static PassInfo>, String> {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| pass(name).ok_or_else(|| unknown(name))).collect()
}

/// The pass of that name.
pub(crate) fn pass(name: &str) -> Option<&'static PassInfo> {
    PASSES.iter().find(|p| p.name == name)
}

fn unknown(name: &str) -> String {
    let names = || PASSES.iter().map(|p| p.name);
    match did_you_mean(name, names()) {
        Some(good) => format!("no pass `{name}`; did you mean `{good}`?"),
        None => format!("no pass `{name}`; the passes are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_passes() {
        let names = |list| parse_passes(list).map(|p| p.iter().map(|p| p.name).collect::<Vec<_>>());
        assert_eq!(names("to-ssa, to-dps,lower,"), Ok(vec!["to-ssa", "to-dps", "lower"]));
        assert_eq!(names("to-dsp"), Err("no pass `to-dsp`; did you mean `to-dps`?".to_string()));
        assert_eq!(names(""), Ok(vec![]));
    }
}
