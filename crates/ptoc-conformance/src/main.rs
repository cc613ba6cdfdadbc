//! `ptoc-conformance`: runs recorded cases against the simulator.

use clap::{Args, Parser, Subcommand};
use ptoc_conformance::report::Report;
use ptoc_conformance::traces;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "ptoc-conformance", about = "Run recorded cases against the simulator")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Replay recorded intrinsics on the machine and compare with what the instruction means
    Traces(Cases),
}

#[derive(Args)]
struct Cases {
    /// Folder with one `.jsonl` file an instruction, or with a folder of these for each target
    dir: PathBuf,
    /// Only cases whose `target/instruction/case` contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Print each case that fails or is left out, with the reason
    #[arg(long)]
    list_failures: bool,
    /// Seed of the operand bytes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let Command::Traces(cases) = Cli::parse().command;
    let filter = cases.filter.as_deref().unwrap_or("");
    finish(traces::run(&cases.dir, filter, cases.seed), cases.list_failures)
}

fn finish(report: Result<Report, String>, list: bool) -> ExitCode {
    match report {
        Ok(report) => {
            print!("{}", report.text(list));
            if report.count().failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}
