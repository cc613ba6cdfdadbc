//! The passes by name: those of `ptoc-transform`, and lowering.

use ptoc_ir::{Ir, Pass, PassError};
use ptoc_source::{Diagnostic, did_you_mean};
use ptoc_target::Target;

/// A pass that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct PassChoice {
    /// Name on the command line.
    pub name: &'static str,
    /// What it does, one line.
    pub summary: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Transform(&'static ptoc_transform::PassInfo),
    Lower,
}

/// All passes.
pub fn all_passes() -> impl Iterator<Item = PassChoice> {
    let transforms = ptoc_transform::passes().iter();
    let transforms = transforms.map(|p| PassChoice { name: p.name, summary: p.doc, kind: Kind::Transform(p) });
    let lower =
        PassChoice { name: "lower", summary: "tile instructions become intrinsics of the target", kind: Kind::Lower };
    transforms.chain([lower])
}

impl PassChoice {
    /// The pass for a target.
    pub fn make(&self, target: &Target) -> Box<dyn Pass> {
        match self.kind {
            Kind::Transform(p) => p.make(target),
            Kind::Lower => Box::new(Lower(target.clone())),
        }
    }
}

struct Lower(Target);

impl Pass for Lower {
    fn name(&self) -> &'static str {
        "lower"
    }

    fn run(&mut self, ir: &mut Ir, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
        ptoc_lower::lower(ir, &self.0).map_err(|found| {
            diagnostics.extend(found);
            PassError
        })
    }
}

/// The passes of a list such as `convert-to-dps,lower`.
///
/// # Errors
/// What is wrong with the first unknown name.
pub fn parse_passes(list: &str) -> Result<Vec<PassChoice>, String> {
    let names = list.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(|name| all_passes().find(|p| p.name == name).ok_or_else(|| unknown(name))).collect()
}

fn unknown(name: &str) -> String {
    let names: Vec<_> = all_passes().map(|p| p.name).collect();
    match did_you_mean(name, names.iter().copied()) {
        Some(good) => format!("no pass `{name}`; did you mean `{good}`?"),
        None => format!("no pass `{name}`; the passes are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_list_of_passes() {
        let names = |list| parse_passes(list).map(|p| p.iter().map(|p| p.name).collect::<Vec<_>>());
        assert_eq!(names("convert-to-ssa, cse,lower,"), Ok(vec!["convert-to-ssa", "cse", "lower"]));
        assert_eq!(names("csee"), Err("no pass `csee`; did you mean `cse`?".to_string()));
        assert_eq!(names(""), Ok(vec![]));
    }

    #[test]
    fn a_name_means_one_pass() {
        let mut seen = HashSet::new();
        assert!(all_passes().all(|p| seen.insert(p.name) && p.make(&Target::A5).name() == p.name));
    }
}
