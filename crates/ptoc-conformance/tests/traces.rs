//! The recorded sequences, run on the machine, against the meaning of the instructions.

mod support;

use ptoc_conformance::{exceptions, traces};

/// Recordings that are no run of one instruction: tables, flags alone, several calls in a row.
const NO_INSTRUCTION: &[&str] =
    &["a5/event/*", "a5/op_pipe/*", "a5/syncall*", "a5/tpop/*", "a5/tprefetch/*", "a5/tpush/*"];

/// Every recorded case of a target passes, stands on the list of exceptions, or is of the few kinds that have no meaning here.
fn replay(target: &str) {
    let Some(dir) = support::data(&format!("data/traces/{target}")) else { return };
    let report = traces::run(&dir, "", 1).unwrap();
    let count = report.count();
    assert_eq!(count.failed, 0, "{}", report.text(true));
    let runs = report.cases.iter().filter(|(id, _)| !NO_INSTRUCTION.iter().any(|p| exceptions::matches(p, id)));
    // 95 in 100.
    assert!(20 * count.passed >= 19 * runs.count(), "{}", report.text(true));
    for (pattern, _) in exceptions::TRACES.iter().filter(|(p, _)| p.starts_with(target)) {
        let named = report.cases.iter().any(|(id, _)| exceptions::matches(pattern, id));
        assert!(named, "no case {pattern}");
    }
}

#[test]
fn recorded_sequences_of_a2a3_give_what_the_definitions_say() {
    replay("a2a3");
}

#[test]
fn recorded_sequences_of_a5_give_what_the_definitions_say() {
    replay("a5");
}

#[test]
fn every_exception_stands_in_the_document() {
    let document = include_str!("../../../docs/conformance.md");
    for (pattern, why) in exceptions::TRACES {
        let line = format!("| `{pattern}` | {why} |");
        assert!(document.contains(&line), "docs/conformance.md misses: {line}");
    }
}
