//! The separately compiled parts of a file.

use crate::Options;
use crate::codes::NO_PROGRAM;
use ptoc_dialect::resolve;
use ptoc_ir::Ir;
use ptoc_source::{Diagnostic, SourceFile, Span};
use ptoc_syntax::{split_inputs, split_pieces};
use ptoc_target::Target;
use ptoc_verify::{VerifyOptions, verify};
use std::ops::Range;

/// One program: a whole file, or a part of it. Spans count from the start of the file.
#[derive(Clone, Debug)]
pub struct Unit<'f> {
    /// The file it lies in.
    pub file: &'f SourceFile,
    /// Its bytes.
    pub range: Range<usize>,
    /// What stands in front of it in a file of several programs: `//--- name` or `// -----`.
    pub separator: Option<String>,
}

/// The programs of a file: those behind `//--- name` lines, and with `pieces` also those between `// -----` lines.
pub fn units(file: &SourceFile, pieces: bool) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for input in split_inputs(file.text()) {
        let separator = input.name.map(|name| format!("//--- {name}"));
        if !pieces {
            units.push(Unit { file, range: input.range, separator });
            continue;
        }
        let from = input.range.start;
        let text = file.text().get(input.range).unwrap_or("");
        for (i, piece) in split_pieces(text).into_iter().enumerate() {
            let range = from + piece.range.start..from + piece.range.end;
            let separator = if i == 0 { separator.clone() } else { Some("// -----".to_string()) };
            units.push(Unit { file, range, separator });
        }
    }
    units
}

/// A program that was read and checked.
#[derive(Debug)]
pub struct Checked {
    /// The program, without what could not be read.
    pub ir: Ir,
    /// What it was checked for.
    pub target: Target,
    /// Nobody named the target.
    pub assumed: bool,
    /// Findings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// True when the program has no operation.
    pub(crate) fn is_empty(&self) -> bool {
        self.ir.first_op(self.ir.top()).is_none()
    }

    /// True when the program may go on to further stages.
    pub fn is_legal(&self) -> bool {
        !has_errors(&self.diagnostics)
    }
}

/// What is wrong with a file whose programs hold no operation.
pub(crate) fn no_program() -> Diagnostic {
    Diagnostic::error(NO_PROGRAM, Span::NONE, "the input holds no program: there is no operation in it")
        .note("a text without operations compiles to nothing, which is hardly ever meant")
        .help("check that the right file was given and that it was written to the end")
}

/// True when there is an error among the findings.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

impl Unit<'_> {
    /// Reads the program.
    pub fn read(&self, options: &Options) -> Checked {
        let resolved = resolve(self.file.text(), self.range.clone(), &options.reading());
        let target = options.target(resolved.arch);
        Checked { ir: resolved.ir, target, assumed: resolved.assumed, diagnostics: resolved.diagnostics }
    }

    /// Reads the program and checks it.
    ///
    /// What could not be read is not checked: one mistake is reported once.
    pub fn check(&self, options: &Options) -> Checked {
        self.verified(options, &VerifyOptions::default())
    }

    /// Reads the program and checks its structure, not whether the target can execute it.
    pub fn check_structure(&self, options: &Options) -> Checked {
        self.verified(options, &VerifyOptions { structure_only: true, ..VerifyOptions::default() })
    }

    fn verified(&self, options: &Options, how: &VerifyOptions) -> Checked {
        let mut read = self.read(options);
        if read.is_legal() {
            let how = VerifyOptions { target_assumed: read.assumed, addresses: options.addresses, ..*how };
            read.diagnostics.extend(verify(&read.ir, &read.target, &how));
        }
        read
    }
}
