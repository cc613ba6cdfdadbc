//! The command line as types.

use clap::{Args, Parser, Subcommand, ValueEnum, builder::PossibleValuesParser};
use ptoc_driver::{Addresses, Emit, FAMILIES, OpFilter, OptOptions, Options, PassChoice, To, all_passes, parse_passes};
use ptoc_target::{DType, Loc, Target};
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
    /// Lower a program to the intrinsics of a target
    Compile(CompileArgs),
    /// Say what is wrong with files
    Check(CheckArgs),
    /// Write a program in another form
    ///
    /// The sync, SSA and DPS forms are made of legal programs only. The generic form says the same in other words: for it the
    /// program must be well formed (names, operands, types, regions), but the rules of the target are not asked; `ptoc check` does.
    Convert(ConvertArgs),
    /// Run single passes over a program
    Opt(OptArgs),
    /// Run a kernel on a simulated core
    Run(RunArgs),
    /// Compare lowered code with the meaning of the program on random data
    Validate(ValidateArgs),
    /// Set indentation and spaces
    Fmt(FmtArgs),
    /// List the instructions
    Ops(OpsArgs),
    /// Tell what a diagnostic code or an instruction means
    Explain(ExplainArgs),
}

/// Options of every command that reads a program.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    /// The target, `a2a3` or `a5`; without it the module's `pto.target_arch` says, then `a2a3`.
    #[arg(long, value_parser = target, value_name = "TARGET")]
    target: Option<Target>,
    /// Another size of an on-chip memory in bytes: `vec=184K`. May be repeated.
    #[arg(long, value_parser = capacity, value_name = "MEMORY=BYTES")]
    capacity: Vec<(Loc, u64)>,
    /// Who places the tiles: at levels 1 and 2 the compiler, at level 3 the source. Without it, tiles with an address keep it and the
    /// others are placed around them.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=3), value_name = "1|2|3")]
    level: Option<u8>,
    /// Carry operations of unknown dialects through, in the generic form.
    #[arg(long)]
    allow_unregistered: bool,
}

impl ProgramArgs {
    pub fn options(&self) -> Options {
        Options {
            target: self.target.clone(),
            capacities: self.capacity.clone(),
            addresses: match self.level {
                None => Addresses::Either,
                Some(3) => Addresses::Written,
                Some(_) => Addresses::Planned,
            },
            allow_unregistered: self.allow_unregistered,
        }
    }
}

#[derive(Debug, Args)]
pub struct CompileArgs {
    /// The program, `-` for standard input.
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// What to write.
    #[arg(long, value_enum, default_value_t = EmitArg::Intrinsics)]
    pub emit: EmitArg,
    /// Where to write it.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum EmitArg {
    /// The intrinsics of the target.
    Intrinsics,
    /// The program as lowering takes it: DPS form, every tile with an address.
    Ir,
}

impl From<EmitArg> for Emit {
    fn from(emit: EmitArg) -> Emit {
        match emit {
            EmitArg::Intrinsics => Emit::Intrinsics,
            EmitArg::Ir => Emit::Ir,
        }
    }
}

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Files to check, folders to check all `.pto` files of, or `-`.
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How to report: text on standard error, or one JSON document on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Say nothing; only the exit code tells.
    #[arg(long, short)]
    pub quiet: bool,
    /// Take what stands between `// -----` lines as programs of their own.
    #[arg(long)]
    pub split_input_file: bool,
    #[command(flatten)]
    pub program: ProgramArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Human,
    Json,
}

#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The program, `-` for standard input.
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The form to write.
    #[arg(long, value_enum)]
    pub to: ToArg,
    /// Where to write it.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ToArg {
    /// PTO-AS: `%d = tadd %a, %b : (T, T) -> T`, temporaries hidden.
    Sync,
    /// AS level 1: `%d = pto.tadd %a, %b : (T, T) -> T`.
    Ssa,
    /// AS level 2: `pto.tadd ins(%a, %b : T, T) outs(%d : T)`.
    Dps,
    /// The MLIR generic form: `"pto.tadd"(%a, %b) : ...`.
    Generic,
}

impl From<ToArg> for To {
    fn from(to: ToArg) -> To {
        match to {
            ToArg::Sync => To::Sync,
            ToArg::Ssa => To::Ssa,
            ToArg::Dps => To::Dps,
            ToArg::Generic => To::Generic,
        }
    }
}

#[derive(Debug, Args)]
pub struct OptArgs {
    /// The program, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub input: PathBuf,
    /// Passes to run, separated by commas; `--passes help` lists them.
    #[arg(long, value_name = "LIST", default_value = "", value_parser = passes)]
    pub passes: Passes,
    /// Write the program after each pass to standard error.
    #[arg(long)]
    pub print_after_all: bool,
    /// Write the time of each stage to standard error.
    #[arg(long)]
    pub timing: bool,
    /// Take what stands between `// -----` lines as programs of their own.
    #[arg(long)]
    pub split_input_file: bool,
    /// Compare the findings with comments such as `// expected-error@+1 {{text}}`.
    #[arg(long)]
    pub verify_diagnostics: bool,
    /// Write the MLIR generic form.
    #[arg(long)]
    pub generic: bool,
    /// Where to write the program.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
}

impl OptArgs {
    pub fn how(&self) -> OptOptions {
        OptOptions {
            passes: self.passes.0.clone(),
            print_after_all: self.print_after_all,
            timing: self.timing,
            pieces: self.split_input_file,
            verify_diagnostics: self.verify_diagnostics,
            generic: self.generic,
        }
    }
}

/// Where a kernel runs.
#[derive(Debug, Clone)]
pub enum Place {
    /// Nowhere: each instruction does what its definition says, one after another.
    None,
    /// Lowered for a machine.
    Machine(Target),
}

fn place(name: &str) -> Result<Place, String> {
    match name {
        "none" => Ok(Place::None),
        _ => Target::by_name(name).map(Place::Machine).ok_or_else(|| "a2a3, a5 or none".to_string()),
    }
}

/// What a kernel is called with.
#[derive(Debug, Args)]
pub struct KernelArgs {
    /// The kernel, `-` for standard input.
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// The function to run; without it the first one with a body.
    #[arg(long, value_name = "NAME")]
    pub entry: Option<String>,
    /// An argument by name or position: `x=in.npy`, `x=16x64:f32:random` (also special, zeros, ones, range), `n=16`. Arrays without one are random and as large as the kernel reaches.
    #[arg(long, value_name = "NAME=VALUE")]
    pub arg: Vec<String>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Finish each instruction before the next: for programs whose synchronisation is still to be inserted. Races are not reported.
    #[arg(long)]
    pub in_order: bool,
    /// Most operations that may be executed.
    #[arg(long, default_value_t = 2_000_000_000, value_name = "N")]
    pub max_steps: u64,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// `a2a3` or `a5` runs the lowered code, `none` the program by the meaning of its instructions. Without it the module's `pto.target_arch` says, then `a2a3`.
    #[arg(long, value_parser = place, value_name = "TARGET")]
    pub target: Option<Place>,
    /// Write an array after the run: `y=out.npy`, or `out.npy` for the last array that the kernel changed. May be repeated.
    #[arg(long, value_name = "[NAME=]FILE")]
    pub out: Vec<String>,
    /// Write the timeline, for Perfetto or Chrome.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Hold the pipes back in an order that follows from this seed, so that a race shows as another result.
    #[arg(long, value_name = "SEED")]
    pub schedule: Option<u64>,
    /// How to report findings: text on standard error, or one JSON document on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub findings: Format,
}

#[derive(Debug, Args)]
pub struct ValidateArgs {
    #[command(flatten)]
    pub kernel: KernelArgs,
    /// The target, `a2a3` or `a5`; without it the module's `pto.target_arch` says, then `a2a3`.
    #[arg(long, value_parser = target, value_name = "TARGET")]
    pub target: Option<Target>,
    /// How many sets of data to try; every second one has infinities, NaN and extremes.
    #[arg(long, default_value_t = 4)]
    pub cases: u64,
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
    /// Only instructions whose rules name this element type.
    #[arg(long, value_parser = dtype)]
    pub dtype: Option<DType>,
}

impl OpsArgs {
    pub fn filter(&self) -> OpFilter {
        let family = self.family.as_deref().and_then(|name| FAMILIES.iter().find(|f| f.1 == name));
        OpFilter { arch: self.target.as_ref().map(|t| t.arch), family: family.map(|f| f.0), dtype: self.dtype }
    }
}

#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A code such as SA-0353, an instruction such as trowprod, or `types`.
    #[arg(value_name = "CODE|INSTRUCTION|types")]
    pub what: String,
}

fn target(name: &str) -> Result<Target, String> {
    Target::by_name(name).ok_or_else(|| "the targets are a2a3 (also a2, a3) and a5".to_string())
}

/// An element type, as messages or as types write it: `f8e4m3`, `f8E4M3FN`.
pub fn dtype(name: &str) -> Result<DType, String> {
    let lower = name.trim_start_matches("!pto.").to_ascii_lowercase();
    let lower = lower.strip_suffix("fn").unwrap_or(&lower);
    DType::from_name(lower).ok_or_else(|| format!("the element types are {}", DType::ALL.map(DType::name).join(", ")))
}

/// A list of passes, in a type of its own so that the list is one argument.
#[derive(Debug, Clone)]
pub struct Passes(Vec<PassChoice>);

fn passes(list: &str) -> Result<Passes, String> {
    if list == "help" {
        let lines = all_passes().map(|p| format!("  {:16}  {}", p.name, p.summary));
        return Err(format!("the passes are\n{}", lines.collect::<Vec<_>>().join("\n")));
    }
    parse_passes(list).map(Passes)
}

/// `vec=184K`: a memory and its size in bytes, with an optional `K` or `M`.
fn capacity(text: &str) -> Result<(Loc, u64), String> {
    const LOCS: [Loc; 9] =
        [Loc::Vec, Loc::Mat, Loc::Left, Loc::Right, Loc::Acc, Loc::Bias, Loc::Scaling, Loc::ScaleLeft, Loc::ScaleRight];
    let (name, size) = text.split_once('=').ok_or("write MEMORY=BYTES, for example vec=184K")?;
    let loc = LOCS
        .into_iter()
        .find(|l| l.name() == name)
        .ok_or_else(|| format!("`{name}` is not one of {}", LOCS.map(Loc::name).join(", ")))?;
    let (digits, unit) = match size.strip_suffix(['K', 'k']) {
        Some(digits) => (digits, 1 << 10),
        None => size.strip_suffix(['M', 'm']).map_or((size, 1), |digits| (digits, 1 << 20)),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{size}` is not a number of bytes"))?;
    let bytes = number.checked_mul(unit).ok_or_else(|| format!("`{size}` is too large"))?;
    Ok((loc, bytes))
}

/// Inserts `compile` where the first argument is a file or an option of it.
pub fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    const COMMANDS: [&str; 10] =
        ["compile", "check", "convert", "opt", "run", "validate", "fmt", "ops", "explain", "help"];
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

    #[test]
    fn capacities_take_units() {
        assert_eq!(capacity("vec=184K"), Ok((Loc::Vec, 188_416)));
        assert_eq!(capacity("mat=1M"), Ok((Loc::Mat, 1 << 20)));
        assert_eq!(capacity("scale_left=4096"), Ok((Loc::ScaleLeft, 4096)));
        assert!(capacity("ub=1").unwrap_err().contains("vec, mat"));
        assert!(capacity("vec").is_err() && capacity("vec=-1").is_err() && capacity("vec=99999999999999999K").is_err());
    }
}
