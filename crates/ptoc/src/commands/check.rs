//! `check`.

use crate::args::{CheckArgs, Format};
use crate::terminal::Terminal;
use ptoc_driver::{Report, Status, Summary, check_files, expand, reports_json};

pub fn check(args: &CheckArgs, terminal: &mut Terminal) -> Status {
    let reports = match expand(&args.paths) {
        Ok(files) => check_files(&files, args.split_input_file, &args.program.options()),
        Err(refused) => {
            let (file, status) = (refused.file, refused.status);
            vec![Report { file, diagnostics: vec![refused.diagnostic], status }]
        }
    };
    match args.format {
        _ if args.quiet => {}
        Format::Json => terminal.product(&reports_json(&reports)),
        Format::Human => {
            for report in &reports {
                terminal.findings(&report.file, &report.diagnostics);
            }
            let summary = Summary::of(&reports);
            if summary.errors + summary.warnings > 0 {
                terminal.say(&summary.to_string());
            }
        }
    }
    reports.iter().map(|r| r.status).max().unwrap_or(Status::Good)
}
