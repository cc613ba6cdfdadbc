//! Programs with a known verdict.

mod support;

use ptoc_conformance::cases;

/// The seeds are promises: each is judged as its header says.
#[test]
fn seeds_are_judged_as_their_headers_say() {
    let Some(dir) = support::data("cases/seeds") else { return };
    let report = cases::run(&dir, "").unwrap();
    assert_eq!(report.count().failed + report.count().skipped, 0, "{}", report.text(true));
}
