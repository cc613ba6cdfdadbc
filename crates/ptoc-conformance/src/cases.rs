//! Programs with a known verdict in their first lines.
//!
//! A header line is `// key: value`; a comment line indented deeper goes on with the value before. Read are `VERDICT`
//! (`ACCEPT`, `REJECT`, or `SYNC`: accepted, and something has to be inserted), `arch` (target names; without one, every
//! target) and `level` (3: the program places every tile; 1 or 2: none). A rejection whose `MUST` begins with a diagnostic
//! code must give that code; one whose `MUST` allows to warn may be a warning.

use crate::files;
use crate::report::{Outcome, Report};
use ptoc_driver::{Addresses, Emit, Options, compile, guarded, read};
use ptoc_source::{Diagnostic, Severity, SourceFile};
use ptoc_target::{Arch, Target};
use rayon::prelude::*;
use std::path::Path;

/// What a program's header says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// `ACCEPT`, `REJECT` or `SYNC`.
    pub verdict: String,
    /// Targets by name; empty for every one.
    pub arch: String,
    /// Level of the program, with remarks.
    pub level: String,
    /// What else must be.
    pub must: String,
}

impl Header {
    /// Reads the comment lines at the start of a text.
    pub fn parse(text: &str) -> Header {
        let mut header = Header::default();
        let mut ignored = String::new();
        let mut last = &mut ignored;
        for line in text.lines() {
            let Some(comment) = line.strip_prefix("//") else { break };
            let deeper = comment.starts_with("   ");
            match comment.split_once(':') {
                Some((key, value)) if !deeper && !key.trim().contains(' ') => {
                    last = match key.trim() {
                        "VERDICT" => &mut header.verdict,
                        "arch" => &mut header.arch,
                        "level" => &mut header.level,
                        "MUST" => &mut header.must,
                        _ => &mut ignored,
                    };
                    last.push_str(value.trim());
                }
                _ => {
                    last.push(' ');
                    last.push_str(comment.trim());
                }
            }
        }
        header
    }

    /// The targets to compile for.
    pub fn targets(&self) -> Vec<Target> {
        let all = [(Arch::A2A3, Target::A2A3), (Arch::A5, Target::A5)];
        let words: Vec<&str> = self.arch.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let named: Vec<Target> =
            all.iter().filter(|(a, _)| words.contains(&a.name())).map(|(_, t)| t.clone()).collect();
        if named.is_empty() { all.map(|(_, t)| t).to_vec() } else { named }
    }

    /// Who places tiles.
    pub fn addresses(&self) -> Addresses {
        match self.level.as_bytes().first() {
            Some(b'1' | b'2') => Addresses::Planned,
            Some(b'3') => Addresses::Written,
            _ => Addresses::Either,
        }
    }

    /// Whether a warning rejects as well.
    pub fn may_warn(&self) -> bool {
        self.must.contains("(or warn")
    }

    /// The diagnostic code that a rejection must give.
    pub fn code(&self) -> Option<&str> {
        let (code, _) = self.must.split_once(':')?;
        let shaped = code.contains('-') && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        shaped.then_some(code)
    }
}

/// Compiles every `.pto` file of a folder whose path contains `filter`.
///
/// # Errors
/// When the folder cannot be read or has no program.
pub fn run(dir: &Path, filter: &str) -> Result<Report, String> {
    let files = files::list(dir, "pto")?;
    let named = files.par_iter().map(|path| (name(dir, path), path)).filter(|(name, _)| name.contains(filter));
    Ok(Report { cases: named.map(|(name, path)| (name, one(path))).collect() })
}

/// The path below the folder, without the ending.
fn name(dir: &Path, path: &Path) -> String {
    path.strip_prefix(dir).unwrap_or(path).with_extension("").to_string_lossy().into_owned()
}

fn one(path: &Path) -> Outcome {
    match read(path) {
        Ok(file) => judge(&file),
        Err(refused) => Outcome::Failed(refused.diagnostic.message),
    }
}

/// Compiles a program for each of its targets and compares with its header.
pub fn judge(file: &SourceFile) -> Outcome {
    let header = Header::parse(file.text());
    let accept = match header.verdict.as_str() {
        "ACCEPT" | "SYNC" => true,
        "REJECT" => false,
        "" => return Outcome::Skipped("no VERDICT line".to_owned()),
        other => return Outcome::Skipped(format!("unknown verdict `{other}`")),
    };
    for target in header.targets() {
        let arch = target.arch.name();
        let options = Options { target: Some(target), addresses: header.addresses(), ..Options::default() };
        let found = guarded(|| compile(file, Emit::Intrinsics, &options).diagnostics).unwrap_or_else(|d| vec![d]);
        let errors: Vec<&Diagnostic> = found.iter().filter(|d| d.severity == Severity::Error).collect();
        if !accept && header.may_warn() && found.iter().any(|d| d.severity == Severity::Warning) {
            continue;
        }
        match (errors.first(), accept) {
            (Some(e), true) => return Outcome::Failed(format!("rejected for {arch}: {}: {}", e.code, e.message)),
            (None, false) => return Outcome::Failed(format!("accepted for {arch}")),
            _ => {}
        }
        if let Some(code) = header.code().filter(|_| !accept)
            && !errors.iter().any(|e| e.code == code)
        {
            return Outcome::Failed(format!("rejected for {arch} without {code}"));
        }
    }
    Outcome::Passed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_goes_on_over_lines() {
        let h = Header::parse(
            "// case 3: a: b\n// arch: a5\n// VERDICT: REJECT\n// MUST: XX-12: one\n//   two: three\n\n// VERDICT: x\n",
        );
        assert_eq!((h.verdict.as_str(), h.must.as_str(), h.code()), ("REJECT", "XX-12: one two: three", Some("XX-12")));
        assert_eq!(h.targets().iter().map(|t| t.arch).collect::<Vec<_>>(), [Arch::A5]);
        assert_eq!(Header::parse("// arch: any\n").targets().len(), 2);
        assert_eq!(Header::parse("// level: 3, manual\n").addresses(), Addresses::Written);
        assert_eq!(Header::parse("// level: any\n").addresses(), Addresses::Either);
        assert!(Header::parse("// MUST: Reject (or\n//   warn loudly)\n").may_warn());
    }

    #[test]
    fn verdicts_are_compared() {
        let judge = |text: &str| judge(&SourceFile::new("t.pto", text).unwrap());
        let (good, bad) = ("func.func @k() {\n  return\n}\n", "func.func @k() {\n  retrun\n}\n");
        assert_eq!(judge(&format!("// VERDICT: ACCEPT\n\n{good}")), Outcome::Passed);
        assert_eq!(judge(&format!("// VERDICT: REJECT\n\n{bad}")), Outcome::Passed);
        assert_eq!(judge(&format!("// VERDICT: REJECT\n\n{good}")), Outcome::Failed("accepted for a2a3".into()));
        assert!(matches!(judge(&format!("// VERDICT: ACCEPT\n\n{bad}")), Outcome::Failed(_)));
        assert!(matches!(judge(good), Outcome::Skipped(_)));
    }
}
