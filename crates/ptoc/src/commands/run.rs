//! `run` and `validate`: a kernel on the simulated core.

use super::progress::watched;
use crate::args::{Format, KernelArgs, Place, RunArgs, ValidateArgs, dtype};
use crate::terminal::Terminal;
use ptoc_driver::{
    Argument, Array, Fill, Level, Options, Ran, Report, RunOptions, Schedule, Status, has_errors, read, reports_json,
};
use ptoc_source::SourceFile;
use std::fmt::Write;
use std::path::Path;

/// `name=value` of the command line.
fn argument(text: &str) -> Result<(String, Argument), String> {
    let (name, value) = text.split_once('=').ok_or_else(|| format!("`{text}`: write NAME=VALUE"))?;
    let name = name.trim_start_matches('%').to_owned();
    let number = value
        .strip_prefix("0x")
        .map_or_else(|| value.parse().ok(), |hex| i64::from_str_radix(hex, 16).ok().map(|n| n as f64));
    if let Some(n) = number {
        return Ok((name, Argument::Number(n)));
    }
    if Path::new(value).extension().is_some_and(|e| e.eq_ignore_ascii_case("npy")) {
        let bytes = std::fs::read(value).map_err(|e| format!("`{value}` cannot be read: {e}"))?;
        let array = Array::from_npy(&bytes).map_err(|e| format!("`{value}`: {e}"))?;
        return Ok((name, Argument::Array(array)));
    }
    let mut parts = value.split(':');
    let bad = || format!("`{value}` is no number, no .npy file and no SHAPE:DTYPE[:random|special|zeros|ones|range]");
    let shape =
        parts.next().unwrap_or("").split('x').map(|d| d.parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
    let ty = dtype(parts.next().ok_or_else(bad)?)?;
    let fill = Fill::of(parts.next().unwrap_or("random")).ok_or_else(bad)?;
    if parts.next().is_some() {
        return Err(bad());
    }
    Ok((name, Argument::Made(shape, ty, fill)))
}

fn options_of(args: &KernelArgs) -> Result<RunOptions, String> {
    let list = args.arg.iter().map(|a| argument(a)).collect::<Result<_, _>>()?;
    Ok(RunOptions {
        entry: args.entry.as_ref().map(|e| e.trim_start_matches('@').to_owned()),
        args: list,
        seed: args.seed,
        max_steps: args.max_steps,
        in_order: args.in_order,
        ..RunOptions::default()
    })
}

/// Reads the file and the arguments, or says what is wrong with them.
fn begin(args: &KernelArgs, terminal: &mut Terminal) -> Result<(SourceFile, RunOptions), Status> {
    let how = options_of(args).map_err(|e| {
        terminal.say(&format!("error: {e}"));
        Status::BadCall
    })?;
    match read(&args.input) {
        Ok(file) => Ok((file, how)),
        Err(refused) => {
            terminal.findings(&refused.file, &[refused.diagnostic]);
            Err(refused.status)
        }
    }
}

pub fn run(args: &RunArgs, terminal: &mut Terminal) -> Status {
    let (file, mut how) = match begin(&args.kernel, terminal) {
        Ok(both) => both,
        Err(status) => return status,
    };
    how.timeline = args.trace.is_some();
    how.schedule = args.schedule.map_or(Schedule::Eager, Schedule::Adversarial);
    let (level, target) = match &args.target {
        Some(Place::None) => (Level::Meaning, None),
        Some(Place::Machine(t)) => (Level::Lowered, Some(t.clone())),
        None => (Level::Lowered, None),
    };
    let options = Options { target, ..Options::default() };
    let ran = watched(&mut how, |how| ptoc_driver::run(&file, level, &options, how));
    let wrong = has_errors(&ran.diagnostics);
    match args.findings {
        Format::Human => terminal.findings(&file, &ran.diagnostics),
        Format::Json => {
            let status = if wrong { Status::Wrong } else { Status::Good };
            let report = Report { file: file.clone(), diagnostics: ran.diagnostics.clone(), status };
            terminal.product(&reports_json(&[report]));
        }
    }
    terminal.say(&summary(&ran, level));
    if !ran.finished {
        return Status::Wrong;
    }
    let mut status = if wrong { Status::Wrong } else { Status::Good };
    for out in &args.out {
        status = status.max(write_array(&ran, out, terminal));
    }
    if let (Some(path), Some(text)) = (&args.trace, &ran.trace) {
        status = status.max(terminal.product_to(Some(path), text));
    }
    status
}

fn write_array(ran: &Ran, out: &str, terminal: &mut Terminal) -> Status {
    let (name, path) = match out.split_once('=') {
        Some((name, path)) => (Some(name), path),
        None => (None, out),
    };
    let found = match name {
        Some(name) => ran.arrays.iter().find(|(n, _, _)| n == name),
        None => ran.arrays.iter().rev().find(|(_, _, changed)| *changed),
    };
    let Some((_, array, _)) = found else {
        let names: Vec<&str> = ran.arrays.iter().map(|(n, _, _)| n.as_str()).collect();
        let what = name.map_or("the kernel changed no array".to_owned(), |n| format!("there is no array `{n}`"));
        terminal.say(&format!("error: {what}; the arrays are {}", names.join(", ")));
        return Status::BadCall;
    };
    match array.to_npy() {
        Ok(bytes) => terminal.bytes_to(Path::new(path), &bytes),
        Err(e) => {
            terminal.say(&format!("error: {e}"));
            Status::BadCall
        }
    }
}

fn summary(ran: &Ran, level: Level) -> String {
    let mut s = String::new();
    if !ran.finished {
        return s;
    }
    if level == Level::Lowered {
        let _ = write!(s, "{} intrinsics, about {} cycles", ran.intrinsics, ran.cycles);
        for (unit, busy) in &ran.busy {
            let _ = write!(s, "; {} {}%", unit.pipe(), busy * 100 / ran.cycles.max(1));
        }
        s.push('\n');
    }
    for (name, array, changed) in &ran.arrays {
        let shape: Vec<String> = array.shape.iter().map(u64::to_string).collect();
        let _ = writeln!(s, "{name}: {} {}{}", shape.join("x"), array.dtype, if *changed { ", written" } else { "" });
    }
    s
}

pub fn validate(args: &ValidateArgs, terminal: &mut Terminal) -> Status {
    let (file, mut how) = match begin(&args.kernel, terminal) {
        Ok(both) => both,
        Err(status) => return status,
    };
    let options = Options { target: args.target.clone(), ..Options::default() };
    let (diagnostics, agreed) = watched(&mut how, |how| ptoc_driver::validate(&file, &options, how, args.cases));
    terminal.findings(&file, &diagnostics);
    terminal.say(&format!("{agreed} of {} cases agree", args.cases));
    let each = ptoc_driver::validate_each(&file, &options, &how, args.cases);
    if !has_errors(&diagnostics) {
        terminal.findings(&file, &each.diagnostics);
        let (good, all, cases, skipped) = (each.agreed, each.instructions, each.cases, each.skipped);
        terminal.say(&format!(
            "{good} of {all} instructions agree by themselves, in {cases} cases; {skipped} cases are not legal"
        ));
    }
    if has_errors(&each.diagnostics) || has_errors(&diagnostics) || agreed < args.cases {
        Status::Wrong
    } else {
        Status::Good
    }
}
