//! Unit flags: the interlock between cube and fix pipe on one block of the accumulator (machine description, section 7.4).
//!
//! A product with `accPhase` waits until the flag of its block is clear; `final` then sets it. A drain with `stPhase` waits
//! until it is set; `final` then clears it. A flag that nobody sets or clears stops a pipe for ever. The analysis follows the
//! state of each block through loops and conditions and reports what goes wrong on every path.

mod blocks;
mod flow;
mod outline;
mod report;
mod state;

use crate::codes;
use crate::rule::Attr;
use crate::site::Site;
use crate::walk::Walker;
use ptoc_ir::OpId;
use ptoc_source::Diagnostic;

/// What an instruction does with the flag of an accumulator block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Nothing.
    None,
    /// Writes a block: `tmatmul`, `tgemv` and their forms.
    Product,
    /// Moves a block out: `tstore`, `tmov`, `tinsert`, `textract` from the accumulator.
    Drain,
}

impl Role {
    pub(crate) fn of(name: &str) -> Role {
        match name {
            n if n.starts_with("pto.tmatmul") || n.starts_with("pto.tgemv") => Role::Product,
            "pto.tstore" | "pto.tstore.fp" | "pto.tmov" | "pto.tmov.fp" | "pto.tinsert" | "pto.tinsert_fp"
            | "pto.textract" | "pto.textract_fp" => Role::Drain,
            _ => Role::None,
        }
    }
}

/// A phase of a product or a drain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Unspecified,
    Partial,
    Final,
}

/// The phase of an instruction.
fn phase(s: &Site<'_>) -> Phase {
    let attr = if s.info.role == Role::Product { Attr::AccPhase } else { Attr::StPhase };
    match s.word(attr) {
        Some("partial") => Phase::Partial,
        Some("final") => Phase::Final,
        _ => Phase::Unspecified,
    }
}

/// True when the instruction uses unit flags.
pub(crate) fn is_flagged(s: &Site<'_>) -> bool {
    s.info.role != Role::None && phase(s) != Phase::Unspecified
}

/// Checks the unit flags of a function that has instructions with phases.
pub(crate) fn check(w: &mut Walker<'_>, func: OpId) {
    match flow::analyse(&w.program, func) {
        flow::Outcome::Found(found) => {
            for f in found {
                w.out.push(report::diagnostic(&w.program, &f));
            }
        }
        flow::Outcome::TooDeep => w.out.push(
            Diagnostic::warning(
                codes::U_TOO_DEEP,
                w.program.ir.op(func).span,
                "the unit flags of this function were not checked: its loops are nested too deeply",
            )
            .help("split the function"),
        ),
    }
}
