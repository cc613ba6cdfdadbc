//! `fmt`.

use crate::args::FmtArgs;
use crate::terminal::Terminal;
use ptoc_driver::{Status, expand, format, read};
use std::path::Path;

pub fn fmt(args: &FmtArgs, terminal: &mut Terminal) -> Status {
    let files = match expand(&args.paths) {
        Ok(files) => files,
        Err(refused) => {
            terminal.findings(&refused.file, &[refused.diagnostic]);
            return refused.status;
        }
    };
    files.iter().map(|file| one(file, args, terminal)).max().unwrap_or(Status::Good)
}

fn one(path: &Path, args: &FmtArgs, terminal: &mut Terminal) -> Status {
    let file = match read(path) {
        Ok(file) => file,
        Err(refused) => {
            terminal.findings(&refused.file, &[refused.diagnostic]);
            return refused.status;
        }
    };
    let text = match format(&file) {
        Ok(text) => text,
        Err(diagnostics) => {
            terminal.findings(&file, &diagnostics);
            return Status::Wrong;
        }
    };
    let same = text == file.text();
    if args.check {
        if same {
            return Status::Good;
        }
        terminal.say(&format!("{}: not in standard layout", file.name()));
        return Status::Wrong;
    }
    match (args.in_place && path != Path::new("-"), same) {
        (true, true) => Status::Good,
        (true, false) => terminal.product_to(Some(path), &text),
        (false, _) => terminal.product_to(None, &text),
    }
}
