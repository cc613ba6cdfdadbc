//! Converts programs DPS → SSA → DPS and counts what came back the same.
//!
//! `cargo run -p ptoc-transform --example roundtrip -- FILE...`; with `--show` each difference is printed.

use ptoc_dialect::{ResolveOptions, print_module, resolve};
use ptoc_ir::{Context, Form, Ir, ValueId, Walk, walk};
use ptoc_source::Diagnostic;
use ptoc_target::Target;
use ptoc_transform::convert::{to_dps, to_ssa};
use std::collections::BTreeMap;

fn anonymous(ir: &mut Ir) -> String {
    for i in 0..ir.value_count() {
        ir.set_name_sym(ValueId::from_index(i), Context::EMPTY);
    }
    print_module(ir)
}

fn forms(ir: &Ir) -> [usize; 2] {
    let mut n = [0, 0];
    walk(ir, ir.top(), &mut |op| {
        if ptoc_dialect::def(ir.op(op).kind).is_some_and(|d| d.has_value_form()) {
            n[usize::from(ir.op(op).form == Form::Ssa)] += 1;
        }
        Walk::Into
    });
    n
}

fn main() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let show = std::env::args().any(|a| a == "--show");
    let mut instructions = [0, 0];
    for path in std::env::args().skip(1).filter(|a| a != "--show") {
        let mut add = |what: &str| *counts.entry(what.to_owned()).or_default() += 1;
        let Ok(text) = std::fs::read_to_string(&path) else {
            add("unreadable");
            continue;
        };
        let mut r = resolve(&text, 0..text.len(), &ResolveOptions::default());
        if r.diagnostics.iter().any(Diagnostic::is_error) {
            add("does not parse");
            continue;
        }
        let target = Target::of(r.arch);
        let before = anonymous(&mut r.ir);
        let mut notes = Vec::new();
        if to_ssa(&mut r.ir, &target, &mut notes).is_err() {
            println!("{path}: to SSA: {:?}", notes.last().map(|d| (d.code, &d.message)));
            add("rejected by to_ssa");
            continue;
        }
        for n in &notes {
            add(&format!("note {}", n.code));
        }
        let [dps, ssa] = forms(&r.ir);
        instructions[0] += dps;
        instructions[1] += ssa;
        let middle = anonymous(&mut r.ir);
        let mut again = resolve(&middle, 0..middle.len(), &ResolveOptions { arch: Some(r.arch), ..Default::default() });
        if again.diagnostics.iter().any(Diagnostic::is_error) || anonymous(&mut again.ir) != middle {
            println!("{path}: the SSA text does not read back: {:?}", again.diagnostics.first().map(|d| &d.message));
            add("SSA text does not read back");
        }
        let mut errors = Vec::new();
        if to_dps(&mut r.ir, &target, &mut errors).is_err() {
            println!("{path}: to DPS: {:?}", errors.last().map(|d| (d.code, &d.message)));
            add("rejected by to_dps");
            continue;
        }
        let after = anonymous(&mut r.ir);
        if before == after {
            add("same");
        } else {
            add("different");
            println!("{path}: different");
            if show {
                let at = before.lines().zip(after.lines()).position(|(a, b)| a != b).unwrap_or(0);
                for text in [&before, &middle, &after] {
                    text.lines()
                        .skip(at.saturating_sub(3))
                        .take(8)
                        .for_each(|l| println!("    {}", &l[..l.len().min(220)]));
                    println!("    ----");
                }
            }
        }
    }
    counts.iter().for_each(|(k, v)| println!("{v:6} {k}"));
    println!("{:6} instructions in DPS form, {} in SSA form after to_ssa", instructions[0], instructions[1]);
}
