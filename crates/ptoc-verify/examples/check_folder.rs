//! Checks every `.pto` file below the given folders and prints what was found, one line a finding.
//!
//! `cargo run -p ptoc-verify --example check_folder -- DIR...`

use ptoc_dialect::{ResolveOptions, resolve};
use ptoc_target::Target;
use ptoc_verify::{VerifyOptions, verify};
use std::path::{Path, PathBuf};

fn files(at: &Path, out: &mut Vec<PathBuf>) {
    if at.is_file() {
        out.push(at.into());
        return;
    }
    let Ok(entries) = std::fs::read_dir(at) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for p in entries {
        if p.is_dir() || p.extension().is_some_and(|e| e == "pto") {
            files(&p, out);
        }
    }
}

fn main() {
    let mut all = Vec::new();
    for dir in std::env::args().skip(1) {
        files(Path::new(&dir), &mut all);
    }
    let mut rejected = 0;
    for path in &all {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let mut bad = false;
        for piece in pieces(&text) {
            let best = targets(&text[piece.clone()]).into_iter().map(|t| check(&text, piece.clone(), &t));
            let found = best.min_by_key(|f| f.iter().filter(|(e, _)| *e).count()).unwrap_or_default();
            for (error, line) in found {
                bad |= error;
                println!("{}:{line}", path.display());
            }
        }
        rejected += usize::from(bad);
    }
    println!("{} files, {rejected} rejected", all.len());
}

/// The target that the text names; without one, the findings of the target that has fewer count.
fn targets(text: &str) -> Vec<Target> {
    if text.contains("pto.target_arch") {
        let resolved = resolve(text, 0..text.len(), &ResolveOptions::default());
        return vec![Target::of(resolved.arch)];
    }
    vec![Target::A2A3, Target::A5]
}

fn check(text: &str, piece: std::ops::Range<usize>, target: &Target) -> Vec<(bool, String)> {
    let resolved = resolve(text, piece, &ResolveOptions { arch: Some(target.arch), ..ResolveOptions::default() });
    let mut found = resolved.diagnostics;
    found.extend(verify(&resolved.ir, target, &VerifyOptions::default()));
    let line = |d: &ptoc_source::Diagnostic| {
        let at = d.primary_span().start.min(text.len() as u32) as usize;
        text.get(..at).unwrap_or("").matches('\n').count() + 1
    };
    let severity = |d: &ptoc_source::Diagnostic| if d.is_error() { "error" } else { "warning" };
    let text = |d: &ptoc_source::Diagnostic| {
        format!("{}: {} {} [{}] {}", line(d), severity(d), d.code, target.name, d.message)
    };
    found.iter().map(|d| (d.is_error(), text(d))).collect()
}

/// The whole file as one piece; files with several inputs are split by `// -----` lines.
fn pieces(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "// -----" {
            out.push(start..at);
            start = at + line.len();
        }
        at += line.len();
    }
    out.push(start..text.len());
    out
}
