//! Time of a whole process on a small kernel, start and end included.

use divan::Bencher;
use std::path::Path;
use std::process::{Command, Stdio};

const KERNELS: [&str; 4] = ["vector_add", "softmax", "tail", "matmul"];

fn main() {
    divan::main();
}

fn run(bencher: Bencher<'_, '_>, command: &str, kernel: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(kernel).with_extension("pto");
    bencher.bench_local(|| {
        let mut ptoc = Command::new(env!("CARGO_BIN_EXE_ptoc"));
        let status = ptoc.arg(command).arg(&file).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.is_ok_and(|s| s.success()));
    });
}

#[divan::bench(args = KERNELS)]
fn check(bencher: Bencher<'_, '_>, kernel: &str) {
    run(bencher, "check", kernel);
}

#[divan::bench(args = KERNELS)]
fn compile(bencher: Bencher<'_, '_>, kernel: &str) {
    run(bencher, "compile", kernel);
}
