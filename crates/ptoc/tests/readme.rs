//! The sessions in README.md and docs/ are real.

use std::path::Path;
use std::process::Command;

/// Commands with the output that the text shows for them.
fn sessions(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut sessions: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (inside, line.strip_prefix("$ ptoc ")) {
            (false, _) => inside = line == "```console",
            (true, Some(command)) => sessions.push((command, Vec::new())),
            (true, None) if line == "```" => inside = false,
            (true, None) => sessions.last_mut().unwrap().1.push(line),
        }
    }
    sessions
}

/// True when the lines are those shown; a line `...` stands for any number of lines.
fn matches(lines: &[&str], shown: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|skip| matches(&lines[skip..], rest)),
        [first, rest @ ..] => lines.first() == Some(first) && matches(&lines[1..], rest),
    }
}

#[test]
fn every_session_is_what_ptoc_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.filter(|p| p.extension().is_some_and(|e| e == "md")).chain([root.join("README.md")]);
    let mut count = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for (command, shown) in sessions(&text) {
            let run = Command::new(env!("CARGO_BIN_EXE_ptoc")).args(command.split(' ')).current_dir(&root).output();
            let run = run.unwrap();
            let printed = [run.stderr, run.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
            let lines: Vec<&str> = printed.trim_end().lines().collect();
            assert!(matches(&lines, &shown), "{}: `ptoc {command}` prints\n{printed}", page.display());
            count += 1;
        }
    }
    assert!(count >= 4);
}
