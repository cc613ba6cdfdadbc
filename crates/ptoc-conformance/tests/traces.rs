//! The recorded sequences, run on the machine, against the meaning of the instructions.

mod support;

use ptoc_conformance::{exceptions, traces};

/// Every recorded case of A2/A3 passes, stands on the list of exceptions, or is of the few kinds that have no meaning here.
#[test]
fn recorded_sequences_of_a2a3_give_what_the_definitions_say() {
    let Some(dir) = support::data("data/traces/a2a3") else { return };
    let report = traces::run(&dir, "", 1).unwrap();
    let count = report.count();
    assert_eq!(count.failed, 0, "{}", report.text(true));
    // 95 in 100.
    assert!(20 * count.passed >= 19 * report.cases.len(), "{}", report.text(true));
    for (pattern, _) in exceptions::TRACES.iter().filter(|(p, _)| p.starts_with("a2a3/")) {
        let named = report.cases.iter().any(|(id, _)| exceptions::matches(pattern, id));
        assert!(named, "no case {pattern}");
    }
}

#[test]
fn every_exception_stands_in_the_document() {
    let document = include_str!("../../../docs/conformance.md");
    for (pattern, why) in exceptions::TRACES {
        let line = format!("| `{pattern}` | {why} |");
        assert!(document.contains(&line), "docs/conformance.md misses: {line}");
    }
}
