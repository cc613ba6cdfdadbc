//! Whether a program is legal: structure, tile types, addresses, the rules of each instruction, flags.
//!
//! Architecture invariants:
//! - What is accepted here, later stages lower or report as unsupported with a code; they never panic on it.
//! - A legality rule is constant data ([`Rule`]): its evaluation, its sentence in the documentation and its diagnostic derive from
//!   it. Only what no rule can say is a function.
//! - What only the run knows (a dynamic valid size, an index that is no constant) is never an error.
//! - The target is a value ([`Target`]); nothing here asks for a target by name.
//! - One walk over the program, constant work an operation, and no allocation unless something is wrong.
//!
//! This crate deliberately does not know how an instruction is lowered, nor any text form.
#![forbid(unsafe_code)]

mod address;
mod codes;
mod facts;
mod flags;
mod kinds;
mod merge;
mod rule;
mod rules;
mod site;
mod structure;
mod subview;
mod tiles;
mod unit_flag;
mod unwritten;
mod valid;
mod views;
mod walk;

pub use codes::CODES;
pub use rule::{Attr, Check, Num, OpRules, Opd, Origin, Path, Rule};

use ptoc_dialect::registry::Dialects;
use ptoc_ir::Ir;
use ptoc_source::{Diagnostic, Severity};
use ptoc_target::{Arch, Target};

/// Who decides where tiles lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Addresses {
    /// Tiles with an address keep it, the others are placed around them.
    #[default]
    Either,
    /// The compiler places every tile: an address in the source is an error (levels 1 and 2).
    Planned,
    /// The source places every tile: a tile without address is an error (level 3).
    Written,
}

/// How to verify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifyOptions {
    /// Findings kept; what is beyond is counted in one last note.
    pub max_findings: usize,
    /// Checks only what every reader of the program relies on: operands, types, regions, symbols, order of definitions. Whether
    /// the target can execute it is left open.
    pub structure_only: bool,
    /// Nobody named the target: findings that depend on it say so.
    pub target_assumed: bool,
    /// Who decides where tiles lie.
    pub addresses: Addresses,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions {
            max_findings: 10_000,
            structure_only: false,
            target_assumed: false,
            addresses: Addresses::Either,
        }
    }
}

/// Checks a program for a target. Findings come in order of position; the same program gives the same findings.
pub fn verify(ir: &Ir, target: &Target, options: &VerifyOptions) -> Vec<Diagnostic> {
    let mut out = walk::run(ir, target, options);
    out.diagnostics.sort_by_key(|d| (d.primary_span().start, d.code));
    if out.dropped > 0 {
        let mut d = Diagnostic::error(
            codes::TOO_MANY,
            ptoc_source::Span::NONE,
            format!("{} more findings are not shown", out.dropped),
        );
        d.severity = Severity::Note;
        out.diagnostics.push(d);
    }
    out.diagnostics
}

/// The rules of an instruction (`pto.tinsert` or `tinsert`), those of its paths included; `None` when it has no rules yet.
pub fn op_rules(op: &str) -> Option<&'static OpRules> {
    let full = Dialects::get().def_by_name(op)?.name;
    rules::all().find(|r| r.op == full)
}

/// True when the legality of the instruction is described by rules, beyond the structure that every operation has.
pub fn has_rules(op: &str) -> bool {
    op_rules(op).is_some()
}

/// Every rule of an instruction on a target: those of all paths, in the order they are checked.
pub fn rules_for(op: &str, arch: Arch) -> impl Iterator<Item = &'static Rule> {
    let found = op_rules(op);
    let common = found.map_or(&[][..], |r| r.rules).iter().copied().flatten();
    let paths = found.map_or(&[][..], |r| r.paths).iter().filter(move |p| p.targets.has(arch));
    let of_paths = paths.flat_map(|p| p.rules.iter().copied().flatten());
    common.chain(of_paths).filter(move |r| r.targets.has(arch))
}
