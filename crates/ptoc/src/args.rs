//! The command line as types.

use clap::{Args, Parser, Subcommand, ValueEnum, builder::PossibleValuesParser};
use ptoc_driver::{FAMILIES, OpFilter};
use ptoc_target::Target;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\nreads PTO assembly as of ptoas 0.60 and pto-isa 3186c381");

/// A compiler for PTO assembly, the tile-level virtual ISA of Ascend NPUs.
///
/// The product goes to standard output, messages to standard error. Exit code: 0 good, 1 the input is wrong, 2 the call is wrong.
#[derive(Debug, Parser)]
#[command(name = "ptoc", version = VERSION, arg_required_else_help = true)]
#[command(after_help = "`ptoc FILE` is `ptoc compile FILE`; `-` stands for standard input.")]
pub struct Cli {
    /// When to write colours.
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// When standard error is a terminal and NO_COLOR is not set.
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Set indentation and spaces
    Fmt(FmtArgs),
    /// List the instructions
    Ops(OpsArgs),
    /// Tell what a diagnostic code or an instruction means
    Explain(ExplainArgs),
}

#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Files to format, folders to format all `.pto` files of, or `-`.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write nothing; fail when a file is not in standard layout.
    #[arg(long)]
    pub check: bool,
    /// Write the text back into the files.
    #[arg(long, short, conflicts_with = "check")]
    pub in_place: bool,
}

#[derive(Debug, Args)]
pub struct OpsArgs {
    /// Write one JSON document.
    #[arg(long)]
    pub json: bool,
    /// Only instructions of this target.
    #[arg(long, value_parser = target)]
    pub target: Option<Target>,
    /// Only instructions of this group.
    #[arg(long, value_parser = PossibleValuesParser::new(FAMILIES.iter().map(|f| f.1)))]
    pub family: Option<String>,
}

impl OpsArgs {
    pub fn filter(&self) -> OpFilter {
        let family = self.family.as_deref().and_then(|name| FAMILIES.iter().find(|f| f.1 == name));
        OpFilter { arch: self.target.as_ref().map(|t| t.arch), family: family.map(|f| f.0) }
    }
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A code such as SA-0353, or an instruction such as trowprod.
    #[arg(value_name = "CODE|INSTRUCTION")]
    pub what: String,
}

fn target(name: &str) -> Result<Target, String> {
    Target::by_name(name).ok_or_else(|| "the targets are a2a3 (also a2, a3) and a5".to_string())
}

/// Inserts `compile` where the first argument is a file or an option of it.
pub fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    const COMMANDS: [&str; 8] = ["compile", "check", "convert", "opt", "fmt", "ops", "explain", "help"];
    let is_command = |a: &OsString| COMMANDS.iter().any(|c| a == c);
    let Some(first) = args.get(1) else { return args };
    let text = first.to_string_lossy();
    let implied = match text.as_ref() {
        "-" => true,
        "-h" | "--help" | "-V" | "--version" => false,
        option if option.starts_with('-') => !args[1..].iter().any(is_command),
        // A mistyped command is reported as one.
        word => !is_command(first) && (word.contains(['.', '/', '\\']) || Path::new(first).exists()),
    };
    if implied {
        args.insert(1, "compile".into());
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn implied(args: &[&str]) -> bool {
        let args: Vec<OsString> = std::iter::once("ptoc").chain(args.iter().copied()).map(Into::into).collect();
        let before = args.len();
        with_default_command(args).len() > before
    }

    #[test]
    fn the_definition_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_file_means_compile() {
        assert!(implied(&["k.pto"]) && implied(&["-"]) && implied(&["dir/k"]) && implied(&["--target", "a5", "k.pto"]));
        assert!(!implied(&["check", "k.pto"]) && !implied(&["--color", "never", "check", "k.pto"]));
        assert!(!implied(&[]) && !implied(&["--version"]) && !implied(&["chekc"]));
    }
}
