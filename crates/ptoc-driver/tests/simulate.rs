//! The examples on the simulated core: they run, they mean what their lowered code does, and each of their flags is needed.

use ptoc_driver::{Argument, Fill, Level, Options, RunOptions, Schedule, run, validate};
use ptoc_source::SourceFile;
use ptoc_target::{DType, Target};
use std::path::Path;

const EXAMPLES: &[(&str, &[(&str, f64)])] =
    &[("vector_add", &[("rows", 48.0)]), ("softmax", &[]), ("matmul", &[]), ("tail", &[("cols", 50.0)])];

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.pto"));
    std::fs::read_to_string(path).expect("an example")
}

fn source(name: &str, text: String) -> SourceFile {
    SourceFile::new(name, text).expect("a short text")
}

fn how(numbers: &[(&str, f64)]) -> RunOptions {
    let args = numbers.iter().map(|&(n, x)| (n.to_owned(), Argument::Number(x))).collect();
    RunOptions { args, ..RunOptions::default() }
}

fn targets() -> [Options; 2] {
    [Target::A2A3, Target::A5].map(|t| Options { target: Some(t), ..Options::default() })
}

#[test]
fn lowered_examples_do_what_they_mean() {
    for options in targets() {
        for (name, numbers) in EXAMPLES {
            let file = source(name, text(name));
            let (found, agreed) = validate(&file, &options, &how(numbers), 4);
            assert!(found.is_empty(), "{name}: {found:?}");
            assert_eq!(agreed, 4, "{name}");
        }
    }
}

#[test]
fn every_size_of_the_tail_agrees() {
    for options in targets() {
        for cols in [1.0, 7.0, 8.0, 33.0, 63.0, 64.0] {
            let file = source("tail", text("tail"));
            let (found, agreed) = validate(&file, &options, &how(&[("cols", cols)]), 2);
            assert!(found.is_empty() && agreed == 2, "{cols}: {found:?}");
        }
    }
}

/// Taking away any one flag gives a race, a hang, or a flag that stays set.
#[test]
fn every_flag_of_an_example_is_needed() {
    for options in targets() {
        for (name, numbers) in EXAMPLES {
            let whole = text(name);
            let lines: Vec<&str> = whole.lines().collect();
            let flags = lines.iter().enumerate().filter(|(_, l)| {
                let l = l.trim_start();
                l.starts_with("pto.set_flag") || l.starts_with("pto.wait_flag")
            });
            let mut tried = 0;
            for (i, flag) in flags {
                let without: Vec<&str> = lines.iter().enumerate().filter(|(n, _)| *n != i).map(|(_, l)| *l).collect();
                let file = source(name, without.join("\n"));
                let ran = run(&file, Level::Lowered, &options, &how(numbers));
                let codes: Vec<&str> = ran.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code).collect();
                let found = codes.iter().any(|c| matches!(*c, "PTO-S001" | "PTO-S002" | "PTO-S003"));
                assert!(found, "{name} without line {}: {flag}: {codes:?}", i + 1);
                tried += 1;
            }
            assert!(tried >= 4, "{name} has {tried} flags");
        }
    }
}

/// The result of a race depends on the order of the pipes; that of a correct program does not.
#[test]
fn the_order_of_the_pipes_does_not_matter() {
    for options in targets() {
        for (name, numbers) in EXAMPLES {
            let file = source(name, text(name));
            let eager = run(&file, Level::Lowered, &options, &how(numbers));
            for seed in 0..3 {
                let how = RunOptions { schedule: Schedule::Adversarial(seed), ..how(numbers) };
                let other = run(&file, Level::Lowered, &options, &how);
                assert!(other.diagnostics.is_empty(), "{name} {seed}: {:?}", other.diagnostics);
                assert_eq!(eager.arrays, other.arrays, "{name} {seed}");
            }
        }
    }
}

#[test]
fn softmax_of_known_numbers() {
    // Sixteen rows of 128 equal numbers: each result is 1/128.
    for options in targets() {
        let args = vec![("x".to_owned(), Argument::Made(vec![16, 128], DType::F32, Fill::Ones))];
        let how = RunOptions { args, ..RunOptions::default() };
        let ran = run(&source("softmax", text("softmax")), Level::Lowered, &options, &how);
        assert!(ran.finished && ran.diagnostics.is_empty(), "{:?}", ran.diagnostics);
        let (_, y, changed) = ran.arrays.iter().find(|(n, _, _)| n == "y").expect("y");
        assert!(changed);
        for e in y.bytes.chunks_exact(4) {
            assert_eq!(f32::from_le_bytes([e[0], e[1], e[2], e[3]]), 1.0 / 128.0);
        }
    }
}

#[test]
fn arguments_that_do_not_fit_are_errors() {
    let file = source("vector_add", text("vector_add"));
    let code = |args: Vec<(String, Argument)>| {
        let ran = run(&file, Level::Meaning, &Options::default(), &RunOptions { args, ..RunOptions::default() });
        assert!(!ran.finished);
        ran.diagnostics.last().map(|d| (d.code, d.message.clone())).expect("a finding")
    };
    assert_eq!(code(Vec::new()).0, "PTO-S013");
    assert!(code(Vec::new()).1.contains("`rows`"));
    assert!(code(vec![("zz".into(), Argument::Number(1.0))]).1.contains("`zz`"));
    assert!(code(vec![("x".into(), Argument::Number(1.0))]).1.contains("`x`"));
    let rows = ("rows".to_owned(), Argument::Number(16.0));
    let others = ["y", "z"].map(|n| (n.to_owned(), Argument::Made(vec![16, 64], DType::F32, Fill::Zeros)));
    let small = ("x".to_owned(), Argument::Made(vec![3], DType::F32, Fill::Zeros));
    let args = [rows, small].into_iter().chain(others).collect();
    let ran = run(&file, Level::Lowered, &Options::default(), &RunOptions { args, ..RunOptions::default() });
    assert_eq!(ran.diagnostics.first().map(|d| d.code), Some("PTO-S006"), "{:?}", ran.diagnostics);
}
