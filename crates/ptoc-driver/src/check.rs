//! `ptoc check`: many files at once.

use crate::unit::no_program;
use crate::{Options, Status, guarded, has_errors, read, units};
use ptoc_source::{Diagnostic, Severity, SourceFile, render};
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What is known about one file.
#[derive(Debug)]
pub struct Report {
    /// The file; without its text when there is nothing to say about it.
    pub file: SourceFile,
    /// Findings in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Whose fault they are.
    pub status: Status,
}

/// Checks files in parallel; reports come in the order of the paths.
///
/// With `pieces`, `// -----` lines divide a file into programs of their own.
pub fn check_files(paths: &[PathBuf], pieces: bool, options: &Options) -> Vec<Report> {
    match paths {
        // Starting threads costs more than a small file does.
        [one] => vec![check_file(one, pieces, options)],
        many => many.par_iter().map(|path| check_file(path, pieces, options)).collect(),
    }
}

/// Checks one file.
pub fn check_file(path: &Path, pieces: bool, options: &Options) -> Report {
    match read(path) {
        Ok(file) => check_text(file, pieces, options),
        Err(refused) => Report { file: refused.file, diagnostics: vec![refused.diagnostic], status: refused.status },
    }
}

/// Checks a text that was read already.
pub fn check_text(file: SourceFile, pieces: bool, options: &Options) -> Report {
    let check = || {
        let (mut found, mut empty) = (Vec::new(), true);
        for unit in units(&file, pieces) {
            let checked = unit.check(options);
            empty &= checked.is_empty();
            found.extend(checked.diagnostics);
        }
        if empty && found.is_empty() {
            found.push(no_program());
        }
        found
    };
    let diagnostics: Vec<Diagnostic> = guarded(check).unwrap_or_else(|d| vec![d]);
    let status = if has_errors(&diagnostics) { Status::Wrong } else { Status::Good };
    // A thousand good files need not stay in memory.
    let file = if diagnostics.is_empty() { SourceFile::empty(file.name()) } else { file };
    Report { file, diagnostics, status }
}

/// Numbers of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    /// Files looked at.
    pub files: usize,
    /// Files with an error.
    pub wrong: usize,
    /// Errors in all files.
    pub errors: usize,
    /// Warnings in all files.
    pub warnings: usize,
}

impl Summary {
    /// Counts.
    pub fn of(reports: &[Report]) -> Self {
        let count = |severity| reports.iter().flat_map(|r| &r.diagnostics).filter(|d| d.severity == severity).count();
        Summary {
            files: reports.len(),
            wrong: reports.iter().filter(|r| r.status > Status::Good).count(),
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = |n: usize| if n == 1 { "" } else { "s" };
        let Summary { files, wrong, errors, warnings } = *self;
        write!(
            f,
            "{errors} error{}, {warnings} warning{}; {wrong} of {files} file{} wrong",
            s(errors),
            s(warnings),
            s(files)
        )
    }
}

/// All reports as one JSON document with a final line break; files without findings are only counted.
pub fn reports_json(reports: &[Report]) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        files: Vec<render::FileReport<'a>>,
        summary: Summary,
    }
    let talked_about = reports.iter().filter(|r| !r.diagnostics.is_empty());
    let files = talked_about.map(|r| render::json(&r.file, &r.diagnostics)).collect();
    let document = Document { files, summary: Summary::of(reports) };
    // Strings and numbers always have a JSON form.
    serde_json::to_string_pretty(&document).map(|text| text + "\n").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> Report {
        check_text(SourceFile::new("t.pto", text).unwrap(), false, &Options::default())
    }

    #[test]
    fn a_text_without_operations_is_no_program() {
        for text in ["", "\n", "// nothing\n", "!t = !pto.tile_buf<vec, 8x8xf32>\n", "//--- a.pto\n//--- b.pto\n"] {
            let r = report(text);
            assert_eq!((r.status, r.diagnostics[0].code), (Status::Wrong, "PTO-I010"), "{text:?}");
        }
        assert_eq!(report("module {\n}\n").status, Status::Good);
    }

    #[test]
    fn programs_of_a_container_are_apart() {
        let r =
            report("// head\n//--- a.pto\nfunc.func @k() {\n  return\n}\n//--- b.pto\nfunc.func @k() {\n  retrun\n}\n");
        assert_eq!(r.status, Status::Wrong);
        assert_eq!(r.file.line_of(r.diagnostics[0].primary_span().start), 8);
    }

    #[test]
    fn the_document_counts_all_and_lists_what_was_found() {
        let reports = [report("func.func @k() {\n  return\n}\n"), report("foo")];
        let v: serde_json::Value = serde_json::from_str(&reports_json(&reports)).unwrap();
        assert_eq!(v["summary"], serde_json::json!({"files": 2, "wrong": 1, "errors": 1, "warnings": 0}));
        assert_eq!(v["files"].as_array().unwrap().len(), 1);
        assert_eq!(v["files"][0]["diagnostics"][0]["labels"][0]["line"], 1);
    }
}
