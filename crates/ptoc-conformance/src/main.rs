//! `ptoc-conformance`: runs recorded cases against the simulator.

use clap::{Args, Parser, Subcommand};
use ptoc_conformance::report::Report;
use ptoc_conformance::{cases, golden, traces};
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
    /// Compare recorded values with what each instruction means
    Golden(Run),
    /// Compile programs and compare with the verdict in their first lines
    Cases(Run),
    /// Replay recorded intrinsics on the machine and compare with what the instruction means
    Traces(Seeded),
}

#[derive(Args)]
struct Run {
    /// Folder with the data; recorded runs have one `.jsonl` file an instruction, traces may have a folder of these for
    /// each target
    dir: PathBuf,
    /// Only cases whose `instruction/case`, `target/instruction/case` or path contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Print each case that fails or is left out, with the reason
    #[arg(long)]
    list_failures: bool,
}

#[derive(Args)]
struct Seeded {
    #[command(flatten)]
    run: Run,
    /// Seed of the operand bytes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Golden(run) => finish(golden::run(&run.dir, &run.filter), run.list_failures),
        Command::Cases(run) => finish(cases::run(&run.dir, &run.filter), run.list_failures),
        Command::Traces(Seeded { run, seed }) => finish(traces::run(&run.dir, &run.filter, seed), run.list_failures),
    }
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
