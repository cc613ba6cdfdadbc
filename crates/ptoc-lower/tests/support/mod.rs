//! Reading, lowering and printing small programs.
#![allow(dead_code)]

use ptoc_dialect::{ResolveOptions, print_module, resolve};
use ptoc_ir::Ir;
use ptoc_source::Diagnostic;
use ptoc_target::{Arch, Target};

/// Reads a program; it must have no finding.
pub fn read(text: &str, arch: Arch) -> Ir {
    let options = ResolveOptions { arch: Some(arch), ..ResolveOptions::default() };
    let resolved = resolve(text, 0..text.len(), &options);
    if let Some(d) = resolved.diagnostics.first() {
        panic!("{} {} at {:?}\n{text}", d.code, d.message, d.primary_span().of(text));
    }
    resolved.ir
}

/// Lowers a program.
pub fn try_lower(text: &str, arch: Arch) -> Result<Ir, Vec<Diagnostic>> {
    let mut ir = read(text, arch);
    ptoc_lower::lower(&mut ir, &Target::of(arch))?;
    Ok(ir)
}

/// Lowers a program and gives its text, which must read and print again to the same text.
pub fn lower(text: &str, arch: Arch) -> String {
    let ir = match try_lower(text, arch) {
        Ok(ir) => ir,
        Err(d) => panic!("{d:#?}\n{text}"),
    };
    let printed = print_module(&ir);
    let again = print_module(&read(&printed, arch));
    assert_eq!(printed, again, "the output does not read back");
    printed
}

/// The codes of the findings of a program that can't be lowered.
pub fn codes(text: &str, arch: Arch) -> Vec<&'static str> {
    match try_lower(text, arch) {
        Ok(ir) => panic!("lowered to\n{}", print_module(&ir)),
        Err(d) => d.iter().map(|d| d.code).collect(),
    }
}

pub mod case;
pub mod drains;
pub mod exec;
pub mod meaning;
pub mod moves;
pub mod recorded;
pub mod ub;

/// Lowers a program for A5, reads the output back, and runs it.
pub fn run_a5(text: &str, args: &[exec::Val]) -> exec::Run {
    let printed = lower(text, Arch::A5);
    exec::run(&read(&printed, Arch::A5), args)
}

/// A pointer argument.
pub fn at(space: ptoc_target::Loc, addr: i64, size: i64) -> exec::Val {
    exec::Val::Ptr { space, addr, size }
}
