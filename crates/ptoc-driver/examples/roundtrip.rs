//! Reads every `.pto` file below the given folders, prints it, reads and prints that again, and compares.
//!
//! `cargo run --release -p ptoc-driver --example roundtrip -- FOLDER...` prints the numbers and the files that fail.
//! With `--verify` each program is checked, too. A file that is divided by `// -----` lines needs `--split-input-file`.
#![forbid(unsafe_code)]

use ptoc_driver::{Options, guarded, install_panic_hook, units};
use ptoc_source::{Diagnostic, SourceFile};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What became of a file.
enum Fate {
    Same,
    /// Printing, reading and printing gave another text.
    Differs(String),
    /// It could not be read; the first finding.
    Unread(String),
    /// The printed text could not be read.
    PrintedUnread(String),
    /// It is not legal.
    Illegal(String),
}

fn main() -> ExitCode {
    install_panic_hook();
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let verify = flags.iter().any(|f| f == "--verify");
    let pieces = flags.iter().any(|f| f == "--split-input-file");
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let files = match ptoc_driver::expand(&paths) {
        Ok(files) if !files.is_empty() => files,
        Ok(_) => {
            eprintln!("usage: roundtrip [--verify] [--split-input-file] FOLDER...");
            return ExitCode::from(2);
        }
        Err(refused) => {
            eprintln!("{}: {}", refused.file.name(), refused.diagnostic.message);
            return ExitCode::from(2);
        }
    };
    let mut counts = [0; 5];
    for path in &files {
        let fate = guarded(|| fate(path, pieces, verify)).unwrap_or_else(|d| Fate::Unread(d.notes.join(" ")));
        let (kind, index, why) = match fate {
            Fate::Same => ("same", 0, String::new()),
            Fate::Differs(why) => ("differs", 1, why),
            Fate::Unread(why) => ("unread", 2, why),
            Fate::PrintedUnread(why) => ("printed-unread", 3, why),
            Fate::Illegal(why) => ("illegal", 4, why),
        };
        counts[index] += 1;
        if index > 0 {
            println!("{kind} {}: {why}", path.display());
        }
    }
    let [same, differs, unread, printed, illegal] = counts;
    println!(
        "{} files: {same} same, {differs} differ, {unread} unread, {printed} unread when printed, {illegal} illegal",
        files.len()
    );
    if same + illegal == files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn fate(path: &Path, pieces: bool, verify: bool) -> Fate {
    let options = Options { allow_unregistered: true, ..Options::default() };
    let file = match ptoc_driver::read(path) {
        Ok(file) => file,
        Err(refused) => return Fate::Unread(refused.diagnostic.message),
    };
    for unit in units(&file, pieces) {
        let first = unit.read(&options);
        if let Some(why) = error(&file, &first.diagnostics) {
            return Fate::Unread(why);
        }
        // The target is named by the module or by nobody, in the text and in what is printed of it.
        for print in [ptoc_dialect::print_module, ptoc_ir::print_generic] {
            let once = print(&first.ir);
            let Ok(printed) = SourceFile::new("printed", once) else { continue };
            let second = units(&printed, false).remove(0).read(&options);
            if let Some(why) = error(&printed, &second.diagnostics) {
                return Fate::PrintedUnread(why);
            }
            let twice = print(&second.ir);
            if let Some(line) = difference(printed.text(), &twice) {
                return Fate::Differs(line);
            }
        }
        if verify && let Some(why) = error(&file, &unit.check(&options).diagnostics) {
            return Fate::Illegal(why);
        }
    }
    Fate::Same
}

fn error(file: &SourceFile, found: &[Diagnostic]) -> Option<String> {
    let d = found.iter().find(|d| d.is_error())?;
    let (line, column) = file.line_col(d.primary_span().start);
    let text = file.line_bytes(line).of(file.text()).trim();
    Some(format!("{line}:{column}: {}: {} | {}", d.code, d.message, text.chars().take(200).collect::<String>()))
}

fn difference(a: &str, b: &str) -> Option<String> {
    if a == b {
        return None;
    }
    let pair = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    Some(pair.map_or("one text is longer".to_string(), |(a, b)| format!("`{}` became `{}`", a.trim(), b.trim())))
}
