//! Helpers of the tests.
#![allow(dead_code)]

pub mod interpret;

use ptoc_dialect::{ResolveOptions, print_module, resolve};
use ptoc_ir::{Context, Ir, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::{Arch, Target};
use ptoc_transform::passes;

/// Reads a program; panics with the findings when there are any.
pub fn read(text: &str, arch: Arch) -> Ir {
    let r = resolve(text, 0..text.len(), &ResolveOptions { arch: Some(arch), ..Default::default() });
    let found: Vec<_> = r.diagnostics.iter().map(|d| format!("{} {} {:?}", d.code, d.message, d.notes)).collect();
    assert!(found.is_empty(), "{found:#?}\nin\n{text}");
    r.ir
}

/// Runs a pass by name. `Err` when it gave up.
pub fn pass(ir: &mut Ir, name: &str, arch: Arch) -> (Result<(), ()>, Vec<Diagnostic>) {
    let info = passes().iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no pass {name}"));
    let mut found = Vec::new();
    let result = info.make(&Target::of(arch)).run(ir, &mut found);
    (result.map_err(|_| ()), found)
}

/// Runs passes that must succeed, on A2/A3.
pub fn run(ir: &mut Ir, names: &[&str]) {
    for name in names {
        let (result, found) = pass(ir, name, Arch::A2A3);
        let text: Vec<_> = found.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
        assert!(result.is_ok(), "{name}: {text:#?}\n{}", print_module(ir));
    }
}

/// The program after some passes. It must read back to itself.
pub fn after(text: &str, names: &[&str]) -> String {
    let mut ir = read(text, Arch::A2A3);
    run(&mut ir, names);
    let out = print_module(&ir);
    assert_eq!(print_module(&read(&out, Arch::A2A3)), out);
    out
}

/// The code and message of every finding of a pass.
pub fn findings(text: &str, name: &str, arch: Arch) -> Vec<String> {
    let mut ir = read(text, arch);
    pass(&mut ir, name, arch).1.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

/// The program without the names of its source.
pub fn anonymous(ir: &mut Ir) -> String {
    for i in 0..ir.value_count() {
        ir.set_name_sym(ValueId::from_index(i), Context::EMPTY);
    }
    print_module(ir)
}

/// The text without the names of its values.
pub fn renamed(text: &str) -> String {
    anonymous(&mut read(text, Arch::A2A3))
}
