//! Files of a data folder.

use crate::report::{Outcome, Report};
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The files below a folder whose name ends in `.ext`, sorted.
///
/// # Errors
/// When the folder cannot be read or has no file with that ending.
pub fn list(dir: &Path, ext: &str) -> Result<Vec<PathBuf>, String> {
    let mut all = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let cannot = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in folder.read_dir().map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            // A link is no folder here, so a link to a folder above cannot make a circle.
            if entry.file_type().map_err(cannot)?.is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|e| e == ext) {
                all.push(entry.path());
            }
        }
    }
    if all.is_empty() {
        return Err(format!("{}: no .{ext} file", dir.display()));
    }
    all.sort();
    Ok(all)
}

/// Runs `one` on every line of every `.jsonl` file, files in parallel, outcomes in the order of the files.
///
/// # Errors
/// When a file cannot be read, or `one` says what is wrong with a line; the place is put in front.
pub fn each_line(dir: &Path, one: impl Fn(&str) -> Result<(String, Outcome), String> + Sync) -> Result<Report, String> {
    let files = list(dir, "jsonl")?;
    let cases: Result<Vec<Vec<_>>, String> = files
        .par_iter()
        .map(|path| {
            let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
            let lines = BufReader::new(file).lines().enumerate();
            lines
                .map(|(i, line)| {
                    let at = |e: &dyn std::fmt::Display| format!("{}:{}: {e}", path.display(), i + 1);
                    one(&line.map_err(|e| at(&e))?).map_err(|e| at(&e))
                })
                .collect()
        })
        .collect();
    Ok(Report { cases: cases?.into_iter().flatten().collect() })
}
