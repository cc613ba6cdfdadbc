//! What came out of each case.

use std::collections::BTreeMap;
use std::fmt::Write;

/// What came out of one case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// As it should be.
    Passed,
    /// Not as it should be, and how.
    Failed(String),
    /// Not judged, and why.
    Skipped(String),
}

/// All cases of a run, in the order of the files.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// `target/instruction/case` and its outcome.
    pub cases: Vec<(String, Outcome)>,
}

/// How many cases of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// As they should be.
    pub passed: usize,
    /// Not as they should be.
    pub failed: usize,
    /// Not judged.
    pub skipped: usize,
}

impl Count {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed(_) => self.failed += 1,
            Outcome::Skipped(_) => self.skipped += 1,
        }
    }
}

impl Report {
    /// Over all cases.
    pub fn count(&self) -> Count {
        let mut count = Count::default();
        self.cases.iter().for_each(|(_, outcome)| count.add(outcome));
        count
    }

    /// A line for each instruction that has something to say, with `list` one for each case not passed, and the sum last.
    pub fn text(&self, list: bool) -> String {
        let mut out = String::new();
        let mut groups: BTreeMap<&str, Count> = BTreeMap::new();
        for (id, outcome) in &self.cases {
            let group = id.rsplit_once('/').map_or(id.as_str(), |(group, _)| group);
            groups.entry(group).or_default().add(outcome);
            match outcome {
                Outcome::Failed(why) if list => _ = writeln!(out, "FAILED  {id}: {why}"),
                Outcome::Skipped(why) if list => _ = writeln!(out, "SKIPPED {id}: {why}"),
                _ => {}
            }
        }
        for (group, c) in groups.into_iter().filter(|(_, c)| c.failed + c.skipped > 0) {
            _ = writeln!(out, "{group}: {} passed, {} failed, {} skipped", c.passed, c.failed, c.skipped);
        }
        let c = self.count();
        _ = writeln!(out, "{} passed, {} failed, {} skipped", c.passed, c.failed, c.skipped);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_sum() {
        let case = |id: &str, o| (id.to_owned(), o);
        let report = Report {
            cases: vec![
                case("a5/tadd/x", Outcome::Passed),
                case("a5/tadd/y", Outcome::Failed("why".into())),
                case("a5/tsub/z", Outcome::Skipped("no".into())),
            ],
        };
        assert_eq!(
            report.text(true),
            "FAILED  a5/tadd/y: why\nSKIPPED a5/tsub/z: no\na5/tadd: 1 passed, 1 failed, 0 skipped\n\
             a5/tsub: 0 passed, 0 failed, 1 skipped\n1 passed, 1 failed, 1 skipped\n"
        );
    }
}
