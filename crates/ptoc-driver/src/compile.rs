//! From the programs of a file to one product.

use crate::unit::no_program;
use crate::{Checked, Options, Unit, has_errors, parse_passes, units};
use ptoc_dialect::print_module;
use ptoc_ir::print_generic;
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
    /// The program as lowering takes it: DPS form, every tile with an address.
    Ir,
}

impl Emit {
    /// The passes that lead there, as `ptoc opt --passes` takes them.
    pub const fn passes(self) -> &'static str {
        match self {
            Emit::Intrinsics => "convert-to-dps,assign-addresses,canonicalize,lower,canonicalize,cse",
            Emit::Ir => "convert-to-dps,assign-addresses",
        }
    }
}

/// The form that `convert` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// PTO-AS: `%d = tadd %a, %b : (T, T) -> T`, temporaries hidden.
    Sync,
    /// AS level 1: `%d = pto.tadd %a, %b : (T, T) -> T`.
    Ssa,
    /// AS level 2: `pto.tadd ins(%a, %b : T, T) outs(%d : T)`.
    Dps,
    /// The MLIR generic form, `"pto.tadd"(%a, %b) : ...`.
    Generic,
}

impl To {
    /// The passes that lead there.
    pub const fn passes(self) -> &'static str {
        match self {
            To::Sync => "convert-to-sync",
            To::Ssa => "convert-to-ssa",
            To::Dps => "convert-to-dps",
            To::Generic => "",
        }
    }
}

/// Compiles every program of a file.
pub fn compile(file: &SourceFile, emit: Emit, options: &Options) -> Outcome {
    each(file, false, |unit, empty| {
        let mut checked = unit.check(options);
        *empty &= checked.is_empty();
        if checked.is_legal() {
            checked.diagnostics.extend(ptoc_lower::foreign(&checked.ir, &checked.target));
        }
        let product = passes_of(&mut checked, emit.passes()).then(|| print_module(&checked.ir));
        (product, checked.diagnostics)
    })
}

/// Writes every program of a file in another form.
///
/// The generic form says the same in other words, so the program need not be legal for it, only well formed; the others need its
/// meaning.
pub fn convert(file: &SourceFile, to: To, options: &Options) -> Outcome {
    each(file, false, |unit, empty| {
        let mut checked = if to == To::Generic { unit.check_structure(options) } else { unit.check(options) };
        *empty &= checked.is_empty();
        let print = if to == To::Generic { print_generic } else { print_module };
        let product = passes_of(&mut checked, to.passes()).then(|| print(&checked.ir));
        (product, checked.diagnostics)
    })
}

/// Runs passes over a legal program; false when there is no good program at the end.
pub(crate) fn passes_of(checked: &mut Checked, passes: &str) -> bool {
    // The lists are constants of this module.
    let passes = parse_passes(passes).unwrap_or_default();
    let Checked { ir, target, diagnostics, .. } = checked;
    !has_errors(diagnostics)
        && passes.iter().all(|p| p.make(target).run(ir, diagnostics).is_ok())
        && !has_errors(diagnostics)
}

/// Joins the products of a file's programs, with the lines between them that the file has. `work` clears the flag it is given
/// for a program that has an operation; a file without any is an error.
pub(crate) fn each(
    file: &SourceFile,
    pieces: bool,
    mut work: impl FnMut(&Unit, &mut bool) -> (Option<String>, Vec<Diagnostic>),
) -> Outcome {
    let mut empty = true;
    let mut product = String::new();
    let mut diagnostics = Vec::new();
    for unit in units(file, pieces) {
        let (text, found) = work(&unit, &mut empty);
        diagnostics.extend(found);
        if let Some(separator) = &unit.separator {
            product.push_str(separator);
            product.push('\n');
        }
        product.push_str(text.as_deref().unwrap_or(""));
    }
    if empty && diagnostics.is_empty() {
        diagnostics.push(no_program());
    }
    let good = !has_errors(&diagnostics);
    Outcome { product: good.then_some(product), diagnostics }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passes_of_every_product_exist() {
        let lists = [Emit::Intrinsics, Emit::Ir].map(Emit::passes);
        let forms = [To::Sync, To::Ssa, To::Dps, To::Generic].map(To::passes);
        assert!(lists.iter().chain(&forms).all(|list| parse_passes(list).is_ok()));
    }
}
