//! Every diagnostic code is shown by a program: one in `lit-tests/`, unless nothing that a test can hold brings it about.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;
use std::path::Path;

/// Codes that no file of `lit-tests/` shows, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("PTO-A002", "the verifier reports the missing memory first (SA-0351); the pass says it when it runs alone"),
    ("PTO-I001", "a mistake of ptoc itself; `guard` has its own test"),
    ("PTO-I004", "needs a file of 4 GiB"),
    ("PTO-P013", "needs a text of 4 GiB"),
    ("PTO-S012", "a lowering that is wrong; none is known"),
    ("PTO-V012", "the reader stops at the same depth first (PTO-R016); only programs made by code get there"),
    ("PTO-X009", "the verifier reports the value first (PTO-V007); the pass says it when it runs alone"),
    ("SA-0009", "every element type of a tile has 1, 2, 4 or 8 bytes; the rule is there for a type that has not"),
];

/// The text of all tests below a folder, their material included.
fn gather(folder: &Path, out: &mut String) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, out);
        } else {
            out.push_str(&String::from_utf8_lossy(&std::fs::read(&path).unwrap()));
            out.push('\n');
        }
    }
}

#[test]
fn every_code_is_shown_by_a_program() {
    let mut text = String::new();
    gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lit-tests"), &mut text);
    let shown = |code: &str| {
        text.match_indices(code).any(|(at, _)| !text[at + code.len()..].starts_with(|c: char| c.is_ascii_digit()))
    };
    let excused: BTreeSet<&str> = WITHOUT.iter().map(|(code, _)| *code).collect();
    let codes: BTreeSet<&str> = ptoc_driver::all_codes().map(|c| c.code).collect();
    let missing: Vec<&str> = codes.iter().copied().filter(|c| !shown(c) && !excused.contains(c)).collect();
    assert_eq!(missing, [""; 0], "no file of lit-tests shows these");
    let needless: Vec<&str> = excused.iter().copied().filter(|c| shown(c) || !codes.contains(c)).collect();
    assert_eq!(needless, [""; 0], "these need no excuse");
    assert!(WITHOUT.iter().all(|(_, why)| !why.is_empty()));
}
