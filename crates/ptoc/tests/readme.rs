//! The sessions in README.md are real.

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
    let text = std::fs::read_to_string(root.join("README.md")).unwrap();
    let sessions = sessions(&text);
    assert!(sessions.len() >= 3);
    for (command, shown) in sessions {
        let run =
            Command::new(env!("CARGO_BIN_EXE_ptoc")).args(command.split(' ')).current_dir(&root).output().unwrap();
        let printed = [run.stderr, run.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        let lines: Vec<&str> = printed.lines().collect();
        let blank = |lines: &[&str]| lines.iter().rev().take_while(|l| l.is_empty()).count();
        let lines = &lines[..lines.len() - blank(&lines)];
        assert!(matches(lines, &shown), "`ptoc {command}` prints\n{printed}");
    }
}
