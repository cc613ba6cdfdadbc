//! What README promises of the examples.

use ptoc_driver::{Emit, Options, Status, To, check_text, compile, convert, format, read};
use ptoc_source::{Diagnostic, Severity, SourceFile};
use ptoc_target::{Arch, Target};
use std::path::Path;

fn examples() -> Vec<SourceFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = ptoc_driver::expand(&[folder]).unwrap();
    assert!(files.len() >= 4);
    files.iter().map(|path| read(path).unwrap()).collect()
}

fn on(arch: Arch) -> Options {
    Options { target: Some(Target::of(arch)), ..Options::default() }
}

fn product(outcome: ptoc_driver::Outcome, what: &str) -> SourceFile {
    // Notes are allowed: a form may keep an instruction as it was.
    let bad = |d: &Diagnostic| d.severity < Severity::Note;
    assert!(!outcome.diagnostics.iter().any(bad), "{what}: {:#?}", outcome.diagnostics);
    SourceFile::new(what, outcome.product.unwrap()).unwrap()
}

#[test]
fn every_example_becomes_intrinsics_on_both_targets() {
    for file in examples() {
        for arch in Arch::ALL {
            let what = format!("{} on {arch}", file.name());
            let lowered = product(compile(&file, Emit::Intrinsics, &on(arch)), &what);
            assert!(!lowered.text().contains("!pto.tile"), "{what}: a tile is left\n{}", lowered.text());
            // What is written can be read, and is legal.
            let text = lowered.text().to_string();
            let report = check_text(lowered, false, &on(arch));
            assert_eq!(report.status, Status::Good, "{what}: {:#?}\n{text}", report.diagnostics);
            let again = product(compile(&file, Emit::Intrinsics, &on(arch)), &what);
            assert_eq!(again.text(), text, "{what}: two runs differ");
        }
    }
}

#[test]
fn every_form_of_an_example_becomes_the_same_intrinsics() {
    // The machine work in order; names of values, constants and pointers may differ.
    let ops = |file: &SourceFile| -> Vec<String> {
        let lines = file.text().lines().map(|l| l.split_once(" = ").map_or(l, |(_, op)| op).trim());
        lines
            .filter(|l| l.starts_with("pto.") && !l.starts_with("pto.castptr "))
            .map(|l| l.split(' ').next().unwrap_or("").to_string())
            .collect()
    };
    for file in examples() {
        for arch in Arch::ALL {
            let direct = ops(&product(compile(&file, Emit::Intrinsics, &on(arch)), file.name()));
            for to in [To::Sync, To::Ssa, To::Dps, To::Generic] {
                let what = format!("{} as {to:?} on {arch}", file.name());
                let other = product(convert(&file, to, &on(arch)), &what);
                let lowered = product(compile(&other, Emit::Intrinsics, &on(arch)), &what);
                assert_eq!(ops(&lowered), direct, "{what}\n{}", other.text());
            }
        }
    }
}

#[test]
fn every_example_is_in_standard_layout() {
    for file in examples() {
        assert_eq!(format(&file).unwrap(), file.text(), "{}", file.name());
    }
}
