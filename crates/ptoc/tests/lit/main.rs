//! Runs every file of `lit-tests/` as LLVM's lit would, with nothing installed but Rust.
//!
//! `FileCheck` and `not` are built in. `FILECHECK=/usr/bin/FileCheck-19 NOT=/usr/bin/not-19 cargo test --test lit` runs
//! the same files under LLVM's own tools. `cargo test --test lit -- NAME` runs the files whose path holds NAME.
#![forbid(unsafe_code)]

mod filecheck;
mod script;
mod shell;

use libtest_mimic::{Arguments, Trial};
use script::Script;
use shell::{Run, Shell};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lit-tests");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lit");
    let shell = Arc::new(Shell {
        ptoc: env!("CARGO_BIN_EXE_ptoc").into(),
        filecheck: std::env::var_os("FILECHECK").map(PathBuf::from),
        not: std::env::var_os("NOT").map(PathBuf::from),
        directory: scratch.clone(),
        time_limit: std::time::Duration::from_secs(120),
    });
    let files = match root.canonicalize().and_then(|root| discover(&root).map(|files| (root, files))) {
        Ok(found) => found,
        Err(e) => {
            eprintln!("{}: {e}", root.display());
            return ExitCode::FAILURE;
        }
    };
    let (root, files) = files;
    let trials = files.into_iter().map(|file| {
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        let (shell, temp) = (Arc::clone(&shell), scratch.join(&name));
        Trial::test(name, move || test(&file, &temp, &shell).map_err(Into::into))
    });
    libtest_mimic::run(&args, trials.collect()).exit_code()
}

/// All test files below a folder, sorted. Folders named `Inputs` hold material, not tests.
fn discover(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().and_then(|e| e.to_str());
        if path.is_dir() {
            if path.file_name().is_some_and(|n| n != "Inputs") {
                files.extend(discover(&path)?);
            }
        } else if matches!(extension, Some("pto" | "mlir" | "test")) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Runs one file; the error is all that is needed to repeat it by hand.
fn test(file: &Path, temp: &Path, shell: &Shell) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let script = Script::read(&text, file, temp).map_err(|e| format!("{}: {e}", file.display()))?;
    for parent in [temp.parent(), Some(shell.directory.as_path())].into_iter().flatten() {
        std::fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
    }
    for command in &script.commands {
        let Run { success, log } = shell.run(command)?;
        if success == script.expected_to_fail {
            let why = if success { "succeeded, but the file says XFAIL" } else { "failed" };
            return Err(format!("{}\ncommand {why}:\n    {command}\n{log}", file.display()));
        }
    }
    Ok(())
}
