//! The recorded values against the meaning of the instructions.

mod support;

use ptoc_conformance::report::Report;
use ptoc_conformance::{exceptions, golden};

/// Every recorded case passes, or stands on the list of exceptions.
#[test]
fn recorded_values_are_what_the_definitions_say() {
    let Some(dir) = support::data("data/golden") else { return };
    let report = golden::run(&dir, "").unwrap();
    assert_eq!(report.count().failed, 0, "{}", report.text(true));
    assert!(report.count().passed > 1500, "{}", report.text(false));
}

/// An exception that names no recorded case would hide nothing and mislead.
#[test]
fn every_exception_names_a_case_and_stands_in_the_document() {
    let document = include_str!("../../../docs/conformance.md");
    let all = support::data("data/golden").map(|dir| golden::run(&dir, "").unwrap());
    for e in exceptions::GOLDEN {
        let line = format!("| `{}` | {} |", e.0, e.1);
        assert!(document.contains(&line), "docs/conformance.md misses: {line}");
        let named = |r: &Report| r.cases.iter().any(|(id, _)| exceptions::reason(&[*e], id).is_some());
        assert!(all.as_ref().is_none_or(named), "no case {}", e.0);
    }
}

#[test]
fn tolerances_stand_in_the_document() {
    let document = include_str!("../../../docs/conformance.md");
    for (op, tolerance) in ptoc_conformance::tolerance::TOLERANCES {
        let line = format!("| `{op}` | {tolerance} |");
        assert!(document.contains(&line), "docs/conformance.md misses: {line}");
    }
}

#[test]
fn malformed_lines_are_errors() {
    for line in [
        "",
        "[]",
        "{\"op\": 3}",
        "{\"op\":\"tadd\",\"case\":\"x\",\"operands\":{\"dst\":3},\"attrs\":{},\"in\":{},\"out\":{}}",
    ] {
        assert!(golden::run_line(line).is_err(), "{line}");
    }
}
