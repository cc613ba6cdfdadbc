//! Exit codes of `ptoc run` and `ptoc validate`: 0 good, 1 the kernel is wrong, 2 the call is wrong.

use std::path::Path;
use std::process::{Command, Output};

fn ptoc(line: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_ptoc")).args(line.split(' ')).current_dir(root).output().unwrap()
}

#[test]
fn exit_codes_tell_a_wrong_kernel_from_a_wrong_call() {
    for (code, line) in [
        (0, "run examples/softmax.pto --target a5"),
        (0, "run examples/softmax.pto --target none"),
        (0, "validate examples/softmax.pto --target a2a3 --cases 1"),
        (1, "run lit-tests/run/faults.pto --entry waits"),
        (1, "run examples/softmax.pto --entry nowhere"),
        (1, "run examples/softmax.pto --arg x=5"),
        (1, "run examples/softmax.pto --target a5 --max-steps 10"),
        (1, "validate examples/tail.pto"),
        (2, "run examples/softmax.pto --arg x=five"),
        (2, "run examples/softmax.pto --arg x=missing.npy"),
        (2, "run examples/softmax.pto --target none --out nothing=y.npy"),
        (2, "run examples/softmax.pto --target a9"),
        (2, "run examples/missing.pto"),
        (2, "validate examples/softmax.pto --cases many"),
    ] {
        let out = ptoc(line);
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "ptoc {line}\n{said}");
        assert_eq!(said.contains("error"), code != 0, "ptoc {line}\n{said}");
    }
}

/// A line that is rewritten in place is for people; a log never gets one.
#[test]
fn no_progress_without_a_terminal() {
    let out = ptoc("run lit-tests/run/faults.pto --entry counts --target a5");
    assert_eq!(out.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&out.stderr).contains(['\r', '\x1b']));
}
