//! The commands a test file asks for.

use std::path::Path;

/// `RUN:` lines with their substitutions made.
#[derive(Debug, PartialEq, Eq)]
pub struct Script {
    /// One shell command each.
    pub commands: Vec<String>,
    /// `XFAIL: *`.
    pub expected_to_fail: bool,
}

impl Script {
    /// Reads the directives of a test file. `temp` is the path that `%t` stands for.
    pub fn read(text: &str, file: &Path, temp: &Path) -> Result<Script, String> {
        let mut commands: Vec<String> = Vec::new();
        let mut expected_to_fail = false;
        let mut open = false;
        for line in text.lines() {
            if line.contains("REQUIRES:") || line.contains("UNSUPPORTED:") {
                return Err(format!("directive is not supported here: {}", line.trim()));
            }
            expected_to_fail |= line.contains("XFAIL: *");
            let Some((_, command)) = line.split_once("RUN:") else { continue };
            let command = command.trim();
            let (part, continues) = match command.strip_suffix('\\') {
                Some(part) => (part.trim_end(), true),
                None => (command, false),
            };
            match commands.last_mut() {
                Some(last) if open => *last = format!("{last} {part}"),
                _ => commands.push(part.to_string()),
            }
            open = continues;
        }
        if commands.is_empty() {
            return Err("no RUN line".to_string());
        }
        if open {
            return Err("the last RUN line ends with `\\`".to_string());
        }
        let commands = commands.iter().map(|c| substitute(c, file, temp)).collect();
        Ok(Script { commands, expected_to_fail })
    }
}

/// `%s` the test file, `%S` its folder, `%t` a file name of its own, `%%` a percent sign.
fn substitute(command: &str, file: &Path, temp: &Path) -> String {
    let folder = file.parent().unwrap_or(file);
    let mut out = String::new();
    let mut rest = command;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let (value, skip) = match after.chars().next() {
            Some('s') => (file.display().to_string(), 1),
            Some('S') => (folder.display().to_string(), 1),
            Some('t') => (format!("{}.tmp", temp.display()), 1),
            Some('%') => ("%".to_string(), 1),
            _ => ("%".to_string(), 0),
        };
        out.push_str(&value);
        rest = &after[skip..];
    }
    out + rest
}
