//! Unit-flag errors in words: who stops, whom it waits for, and the edit.

use super::flow::Finding;
use super::state::{Drained, Way, Wrong};
use crate::codes;
use crate::site::Program;
use ptoc_ir::OpId;
use ptoc_source::{Diagnostic, Severity, Span};

const FINAL_PRODUCT: &str = "accPhase = #pto<acc_phase final>";
const FINAL_DRAIN: &str = "stPhase = #pto<st_phase final>";

/// The diagnostic of a finding.
pub(super) fn diagnostic(p: &Program<'_>, f: &Finding) -> Diagnostic {
    let mut d = always(p, f);
    if f.turns.is_empty() {
        return d;
    }
    // Several conditions may never come together, and a loop may always run: the program does not say.
    if f.turns.len() > 1 || f.turns.iter().any(|t| matches!(t.way, Way::Skipped | Way::Ran)) {
        d.severity = Severity::Warning;
    }
    for t in &f.turns {
        let (what, label) = match t.way {
            Way::Skipped => ("the loop does not run", "when this loop does not run at all"),
            Way::Ran => ("the loop runs", "when this loop runs"),
            Way::Arm { arm, .. } => match (p.ir.op_name(t.op), arm) {
                ("scf.if", 0) => ("the condition is true", "when this condition is true"),
                ("scf.if", _) => ("the condition is false", "when this condition is false"),
                _ => ("one of the cases is taken", "in one of these cases"),
            },
        };
        d.message.push_str(if t == &f.turns[0] { ", when " } else { " and " });
        d.message.push_str(what);
        d = d.label(first_line(p, t.op), label);
    }
    d.note("products and drains of a block must match on every way through the function")
}

/// The head of an operation with regions.
fn first_line(p: &Program<'_>, op: OpId) -> Span {
    let data = p.ir.op(op);
    let spans = data.operand_spans.iter().filter(|s| !s.is_none());
    let end = spans.map(|s| s.end).max().unwrap_or(data.span.start);
    Span::new(data.span.start, end.max(data.span.start))
}

fn always(p: &Program<'_>, f: &Finding) -> Diagnostic {
    let ir = p.ir;
    let name = |op: OpId| ir.op_name(op).trim_start_matches("pto.").to_owned();
    let span = |op: OpId| ir.op(op).span;
    let this = name(f.op);
    let tile = match ir.ctx.str(ir.value(f.block).name) {
        "" => "the accumulator block".to_owned(),
        n => format!("the accumulator block `%{n}`"),
    };
    let trip = if f.next_trip { " in the next trip of the loop" } else { "" };
    let error = |code, message: String| Diagnostic::error(code, span(f.op), message);
    match f.wrong {
        Wrong::NeverSet { mad: Some(mad) } => {
            let product = name(mad);
            error(
                codes::U1,
                format!("{this}: the fix pipe hangs here{trip}: {this} waits for the unit flag of {tile}, but no {product} sets it"),
            )
            .at("waits until the flag is set")
            .label(span(mad), format!("the last {product} with a phase; partial does not set the flag"))
            .note("a drain with stPhase waits for a product with accPhase final on the same block (U1)")
            .help(format!("write `{FINAL_PRODUCT}` on the last {product} before the {this}"))
        }
        Wrong::NeverSet { mad: None } => error(
            codes::U1,
            format!("{this}: the fix pipe hangs here{trip}: {this} waits for the unit flag of {tile}, and no product with a phase comes before it"),
        )
        .at("waits until the flag is set")
        .note("a drain with stPhase waits for a product with accPhase final on the same block (U1)")
        .help(format!("write `{FINAL_PRODUCT}` on the product that makes the block, or drop stPhase")),
        Wrong::NotDrained { mad } => error(
            codes::U2,
            format!("{this}: the cube hangs here{trip}: {this} waits until {tile} is released, and nothing drains it after the {}", name(mad)),
        )
        .at("waits until the flag is clear")
        .label(span(mad), "accPhase final sets the flag")
        .note("a product with accPhase waits until a drain with stPhase final has released the block (U2)")
        .help(format!("drain the block in between with `{FINAL_DRAIN}`, or make the first {} partial", name(mad))),
        Wrong::DrainedUnflagged { mad, drain } => error(
            codes::U3,
            format!("{this}: the cube hangs here{trip}: {this} waits until {tile} is released, and the {} has no stPhase", name(drain)),
        )
        .at("waits until the flag is clear")
        .label(span(mad), "accPhase final sets the flag")
        .label(span(drain), "drains the block, but leaves the flag set")
        .note("only a drain with stPhase final releases the block (U3)")
        .help(format!("write `{FINAL_DRAIN}` on the {}", name(drain))),
        Wrong::DrainedPartly { mad, drain } => error(
            codes::U4,
            format!("{this}: the cube hangs here{trip}: {this} waits until {tile} is released, and the {} is only partial", name(drain)),
        )
        .at("waits until the flag is clear")
        .label(span(mad), "accPhase final sets the flag")
        .label(span(drain), "partial keeps the flag")
        .note("the last drain of a block must have stPhase final (U4)")
        .help(format!("write `{FINAL_DRAIN}` on the {}", name(drain))),
        Wrong::ReleasedTwice { by } => error(
            codes::U5,
            format!("{this}: the fix pipe hangs here{trip}: the {} has released {tile} already", name(by)),
        )
        .at("waits until the flag is set again")
        .label(span(by), "stPhase final clears the flag")
        .note("one product with accPhase final allows one drain with stPhase final (U5)")
        .help(format!("write `stPhase = #pto<st_phase partial>` on the {} and keep final on the last drain", name(by))),
        Wrong::AfterRelease { by } => error(
            codes::U6,
            format!("{this}: the fix pipe hangs here{trip}: the {} has released {tile} already", name(by)),
        )
        .at("waits until the flag is set again")
        .label(span(by), "stPhase final clears the flag")
        .note("partial drains come before the final one (U6)")
        .help(format!("exchange the phases: partial on the {}, `{FINAL_DRAIN}` on the last drain", name(by))),
        Wrong::Mixed { mad } => error(
            codes::U_MIXED,
            format!("{this}: {this} has no accPhase and overwrites {tile} while its flag is set{trip}"),
        )
        .at("does not wait for the drains")
        .label(span(mad), "accPhase final sets the flag")
        .note("every product and drain of a block uses the flag, or none does")
        .help("give it a phase as well, and release the block before"),
        Wrong::Leaked { mad, drained } => {
            let d = match drained {
                Drained::No => error(
                    codes::U_LEAKED,
                    format!("{this}: accPhase final sets the unit flag of {tile}, and no drain with stPhase final clears it"),
                )
                .at("sets the flag"),
                Drained::Partly(_) | Drained::Unflagged(_) => error(
                    codes::U_LEAKED,
                    format!("{this}: must use stPhase final to match the accPhase final of the {} on {tile}", name(mad)),
                )
                .at(if matches!(drained, Drained::Partly(_)) { "partial keeps the flag" } else { "has no stPhase" })
                .label(span(mad), "accPhase final sets the flag"),
            };
            d.note("a flag that stays set stalls the next product with a phase on this block, even in another kernel")
                .help(format!("write `{FINAL_DRAIN}` on the last drain of the block"))
        }
    }
}
