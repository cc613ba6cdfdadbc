//! From the programs of a file to one product.

use crate::{Options, Unit, has_errors, units};
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
    /// The checked program in its own form.
    Ir,
}

/// What `convert` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// The MLIR generic form, `"pto.tadd"(%a, %b) : ...`.
    Generic,
}

/// Compiles every program of a file.
pub fn compile(file: &SourceFile, emit: Emit, options: &Options) -> Outcome {
    each(file, false, |unit| {
        let checked = unit.check(options);
        let product = checked.is_legal().then(|| match emit {
            Emit::Ir => print_module(&checked.ir),
        });
        (product, checked.diagnostics)
    })
}

/// Writes every program of a file in another form.
pub fn convert(file: &SourceFile, to: To, options: &Options) -> Outcome {
    each(file, false, |unit| {
        let read = unit.read(options);
        let product = read.is_legal().then(|| match to {
            To::Generic => print_generic(&read.ir),
        });
        (product, read.diagnostics)
    })
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
