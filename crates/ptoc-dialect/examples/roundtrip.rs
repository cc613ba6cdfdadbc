//! Reads every `.pto` file below a folder, prints it, reads and prints that again, and compares.
//!
//! `cargo run -p ptoc-dialect --example roundtrip -- DIR`

use ptoc_dialect::{ResolveOptions, print_module, resolve};
use std::path::{Path, PathBuf};

fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for p in entries {
        if p.is_dir() {
            files(&p, out);
        } else if p.extension().is_some_and(|e| e == "pto") {
            out.push(p);
        }
    }
}

fn check(text: &str) -> Result<(), String> {
    let options = ResolveOptions::default();
    for piece in ptoc_syntax::split_inputs(text) {
        let first = resolve(text, piece.range, &options);
        if let Some(d) = first.diagnostics.first() {
            let line = text[..d.primary_span().start.min(text.len() as u32) as usize].lines().count();
            return Err(format!("line {line}: {} {}", d.code, d.message));
        }
        let printed = print_module(&first.ir);
        let second = resolve(&printed, 0..printed.len(), &ResolveOptions { arch: Some(first.arch), ..options.clone() });
        if let Some(d) = second.diagnostics.first() {
            let at = d.primary_span().start.min(printed.len() as u32) as usize;
            let line = printed[..at].lines().last().unwrap_or("");
            return Err(format!("own output: {} {} in: {line}", d.code, d.message));
        }
        let again = print_module(&second.ir);
        if printed != again {
            let diff = printed.lines().zip(again.lines()).find(|(a, b)| a != b);
            return Err(format!("prints differently: {diff:?}"));
        }
    }
    Ok(())
}

fn main() {
    let dir = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let mut all = Vec::new();
    files(Path::new(&dir), &mut all);
    let mut failed = 0;
    for path in &all {
        let result = match std::fs::read_to_string(path) {
            Ok(text) => check(&text),
            Err(e) => Err(e.to_string()),
        };
        if let Err(message) = result {
            failed += 1;
            println!("{}: {message}", path.display());
        }
    }
    println!("{} passed, {failed} failed", all.len() - failed);
    std::process::exit(i32::from(failed > 0));
}
