//! From the programs of a file to one product.

use crate::passes::{Bound, pass};
use crate::{Checked, Options, Unit, has_errors, units};
use ptoc_dialect::print_module;
use ptoc_ir::{Pass, print_generic};
use ptoc_source::{Diagnostic, SourceFile};

/// A product and what is to say about it.
#[derive(Debug)]
pub struct Outcome {
    /// The text; absent when there is an error.
    pub product: Option<String>,
    /// Findings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// What `compile` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emit {
    /// Intrinsics of the target.
    Intrinsics,
    /// The program as lowering takes it: DPS form.
    Ir,
}

impl Emit {
    /// The passes that lead there.
    pub const fn passes(self) -> &'static [&'static str] {
        match self {
            Emit::Intrinsics => &["to-dps", "lower"],
            Emit::Ir => &["to-dps"],
        }
    }
}

/// The form that `convert` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// AS level 1: `%d = pto.tadd %a, %b : (T, T) -> T`.
    Ssa,
    /// AS level 2: `pto.tadd ins(%a, %b : T, T) outs(%d : T)`.
    Dps,
    /// The MLIR generic form, `"pto.tadd"(%a, %b) : ...`.
    Generic,
}

/// Compiles every program of a file.
pub fn compile(file: &SourceFile, emit: Emit, options: &Options) -> Outcome {
    each(file, false, |unit| {
        let mut checked = unit.check(options);
        let product = run(&mut checked, emit.passes()).then(|| print_module(&checked.ir));
        (product, checked.diagnostics)
    })
}

/// Writes every program of a file in another form.
///
/// The generic form says the same in other words, so the program need not be legal for it; the others need its meaning.
pub fn convert(file: &SourceFile, to: To, options: &Options) -> Outcome {
    each(file, false, |unit| {
        let (mut checked, passes): (_, &[&str]) = match to {
            To::Generic => (unit.read(options), &[]),
            To::Ssa => (unit.check(options), &["to-ssa"]),
            To::Dps => (unit.check(options), &["to-dps"]),
        };
        let print = if to == To::Generic { print_generic } else { print_module };
        let product = run(&mut checked, passes).then(|| print(&checked.ir));
        (product, checked.diagnostics)
    })
}

/// Runs passes over a legal program; false when there is no good program at the end.
fn run(checked: &mut Checked, passes: &[&str]) -> bool {
    let passes = passes.iter().filter_map(|name| pass(name));
    let mut bound: Vec<Bound> = passes.map(|p| p.on(&checked.target)).collect();
    !has_errors(&checked.diagnostics)
        && bound.iter_mut().all(|p| p.run(&mut checked.ir, &mut checked.diagnostics).is_ok())
        && !has_errors(&checked.diagnostics)
}

/// Joins the products of a file's programs, with the lines between them that the file has.
pub(crate) fn each(
    file: &SourceFile,
    pieces: bool,
    mut work: impl FnMut(&Unit) -> (Option<String>, Vec<Diagnostic>),
) -> Outcome {
    let mut product = String::new();
    let mut diagnostics = Vec::new();
    for unit in units(file, pieces) {
        let (text, found) = work(&unit);
        diagnostics.extend(found);
        if let Some(separator) = &unit.separator {
            product.push_str(separator);
            product.push('\n');
        }
        product.push_str(text.as_deref().unwrap_or(""));
    }
    let good = !has_errors(&diagnostics);
    Outcome { product: good.then_some(product), diagnostics }
}
