//! Writes every `.pto` program below the given folders in each form, from there in each other one and back, and compares.
//!
//! `cargo run --release -p ptoc-driver --example forms -- FOLDER...` prints what differs, what is refused with which code, and
//! the numbers. Each text is read again before it goes on, so printing and reading are part of every step. Programs that are
//! not legal are left out.
#![forbid(unsafe_code)]

use ptoc_driver::{Checked, Options, Unit, guarded, install_panic_hook, parse_passes, units};
use ptoc_ir::{Context, Ir, ValueId, Walk, walk};
use ptoc_source::{Diagnostic, SourceFile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const FORMS: [&str; 3] = ["dps", "ssa", "sync"];

/// What was found out about one file: the steps that did not end as they should, and how many did.
#[derive(Default)]
struct Findings {
    wrong: Vec<String>,
    refused: Vec<String>,
    good: usize,
    left_out: usize,
}

/// Why there is no text.
enum Stop {
    /// A conversion gives up, with a code.
    Refused(String),
    /// That must not happen.
    Wrong(String),
}

fn main() -> ExitCode {
    install_panic_hook();
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let files = match ptoc_driver::expand(&paths) {
        Ok(files) if !files.is_empty() => files,
        _ => {
            eprintln!("usage: forms FOLDER...");
            return ExitCode::from(2);
        }
    };
    let (mut wrong, mut good, mut left_out) = (0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for path in &files {
        let found = guarded(|| check_file(path)).unwrap_or_else(|d| Findings {
            wrong: vec![format!("panic: {}", d.notes.join(" "))],
            ..Findings::default()
        });
        good += found.good;
        left_out += found.left_out;
        wrong += found.wrong.len();
        found.wrong.iter().for_each(|w| println!("{}: {w}", path.display()));
        for r in found.refused {
            println!("{}: refused: {r}", path.display());
            *refused.entry(r.split(':').take(2).collect::<Vec<_>>().join(":")).or_default() += 1;
        }
    }
    for (what, times) in refused {
        println!("refused {times} times: {what}");
    }
    println!("{} files: {good} steps good, {wrong} wrong; {left_out} programs left out as not legal", files.len());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check_file(path: &Path) -> Findings {
    let mut found = Findings::default();
    let Ok(file) = ptoc_driver::read(path) else {
        found.left_out += 1;
        return found;
    };
    for unit in units(&file, false) {
        check_unit(&unit, &mut found);
    }
    found
}

fn check_unit(unit: &Unit, found: &mut Findings) {
    let checked = unit.check(&options());
    if !checked.is_legal() {
        found.left_out += 1;
        return;
    }
    let source = ptoc_dialect::print_module(&checked.ir);
    let mut note = |result: Result<(), Stop>| match result {
        Ok(()) => found.good += 1,
        Err(Stop::Refused(why)) => found.refused.push(why),
        Err(Stop::Wrong(why)) => found.wrong.push(why),
    };
    note(same(
        "generic",
        &source,
        read(&ptoc_ir::print_generic(&checked.ir)).map(|c| ptoc_dialect::print_module(&c.ir)),
    ));
    for form in FORMS {
        let text = match convert(&source, form) {
            Ok(text) => text,
            Err(stop) => {
                note(Err(stop));
                continue;
            }
        };
        note(same(form, &text, convert(&text, form)));
        for other in FORMS.into_iter().filter(|&o| o != form) {
            let there_and_back = convert(&text, other).and_then(|t| convert(&t, form));
            let mut result = same(&format!("{form} {other} {form}"), &text, there_and_back);
            // The sync form hides temporaries, and those that come back have their own place and size.
            if other == "sync" && matches!(result, Err(Stop::Wrong(_))) && hides(&text) == Ok(true) {
                let hidden = convert(&text, other);
                let again = convert(&text, other).and_then(|t| convert(&t, form)).and_then(|t| convert(&t, other));
                result = hidden.and_then(|h| same(&format!("{form} {other} {form} {other}"), &h, again));
            }
            note(result);
        }
    }
}

/// True when the sync form of a program shows fewer temporaries.
fn hides(text: &str) -> Result<bool, ()> {
    let count = |text: &str| {
        let checked = read(text).map_err(|_| ())?;
        let ir = &checked.ir;
        let mut found = 0;
        walk(ir, ir.top(), &mut |op| {
            let operands = ptoc_dialect::def(ir.op(op).kind).map_or(&[][..], |d| d.operands);
            let scratch = operands.iter().enumerate().filter(|(_, o)| o.scratch);
            found += scratch.map(|(n, _)| ir.segment_values(op, n).len()).sum::<usize>();
            Walk::Into
        });
        Ok(found)
    };
    let sync = convert(text, "sync").map_err(|_| ())?;
    Ok(count(&sync)? < count(text)?)
}

fn options() -> Options {
    Options { allow_unregistered: true, ..Options::default() }
}

fn read(text: &str) -> Result<Checked, Stop> {
    let file = SourceFile::new("printed", text).map_err(|_| Stop::Wrong("too long".to_owned()))?;
    let checked = units(&file, false).remove(0).check(&options());
    match error(&file, &checked.diagnostics) {
        Some(why) => Err(Stop::Wrong(why)),
        None => Ok(checked),
    }
}

/// The program in a form.
fn convert(text: &str, form: &str) -> Result<String, Stop> {
    let mut checked = read(text)?;
    let mut found = Vec::new();
    for pass in parse_passes(&format!("convert-to-{form}")).map_err(Stop::Wrong)? {
        if pass.make(&checked.target).run(&mut checked.ir, &mut found).is_err() {
            let d = found.iter().find(|d| d.is_error());
            return Err(d.map_or(Stop::Wrong(format!("to {form}: gives up without a reason")), |d| {
                Stop::Refused(format!("to {form}: {}: {}", d.code, d.message))
            }));
        }
    }
    Ok(ptoc_dialect::print_module(&checked.ir))
}

/// Compares two programs up to the names of their values.
fn same(what: &str, want: &str, got: Result<String, Stop>) -> Result<(), Stop> {
    let name = |stop| match stop {
        Stop::Refused(why) => Stop::Wrong(format!("{what}: refused: {why}")),
        Stop::Wrong(why) => Stop::Wrong(format!("{what}: {why}")),
    };
    let got = got.and_then(|t| read(&t)).map_err(name)?;
    let want = read(want).map_err(name)?;
    match difference(&anonymous(want.ir), &anonymous(got.ir)) {
        Some(line) => Err(Stop::Wrong(format!("{what}: {line}"))),
        None => Ok(()),
    }
}

fn anonymous(mut ir: Ir) -> String {
    for i in 0..ir.value_count() {
        ir.set_name_sym(ValueId::from_index(i), Context::EMPTY);
    }
    ptoc_dialect::print_module(&ir)
}

fn error(file: &SourceFile, found: &[Diagnostic]) -> Option<String> {
    let d = found.iter().find(|d| d.is_error())?;
    let (line, column) = file.line_col(d.primary_span().start);
    let text = file.line_bytes(line).of(file.text()).trim();
    Some(format!("{line}:{column}: {}: {} | {}", d.code, d.message, text.chars().take(200).collect::<String>()))
}

fn difference(a: &str, b: &str) -> Option<String> {
    if a == b {
        return None;
    }
    let pair = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    Some(pair.map_or("one text is longer".to_string(), |(a, b)| format!("`{}` became `{}`", a.trim(), b.trim())))
}
