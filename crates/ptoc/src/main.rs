//! The command line of ptoc: argument parsing and nothing else.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod terminal;

use args::{Cli, Command};
use clap::Parser;
use ptoc_driver::{Status, guarded, install_panic_hook};
use ptoc_source::SourceFile;
use std::process::ExitCode;
use terminal::Terminal;

fn main() -> ExitCode {
    install_panic_hook();
    let cli = Cli::parse_from(args::with_default_command(std::env::args_os().collect()));
    let mut terminal = Terminal::new(cli.color);
    let status = guarded(|| match &cli.command {
        Command::Compile(args) => commands::compile(args, &mut terminal),
        Command::Check(args) => commands::check(args, &mut terminal),
        Command::Convert(args) => commands::convert(args, &mut terminal),
        Command::Opt(args) => commands::opt(args, &mut terminal),
        Command::Run(args) => commands::run(args, &mut terminal),
        Command::Validate(args) => commands::validate(args, &mut terminal),
        Command::Fmt(args) => commands::fmt(args, &mut terminal),
        Command::Ops(args) => commands::ops(args, &mut terminal),
        Command::Explain(args) => commands::explain(args, &mut terminal),
    });
    let status = status.unwrap_or_else(|d| {
        terminal.findings(&SourceFile::empty("ptoc"), &[d]);
        Status::Wrong
    });
    ExitCode::from(terminal.finish(status).exit_code())
}
