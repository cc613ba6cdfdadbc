//! Event flags between pipes and barriers: pipes that exist, event ids, no pipe with itself.

use crate::codes;
use crate::kinds::{KindInfo, Special};
use crate::walk::Walker;
use ptoc_ir::OpId;
use ptoc_source::{Code, Diagnostic};
use ptoc_target::{EVENT_IDS, Pipe};

/// Checks an op of the flag family.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let Some(def) = info.def else { return };
    match info.special {
        Special::Flag => flag(w, op, def.short_name(), true),
        Special::FlagDyn => flag(w, op, def.short_name(), false),
        Special::Barrier => {
            pipe(w, op, def.short_name(), "pipe", true);
        }
        _ => {}
    }
}

fn error(w: &mut Walker<'_>, code: Code, op: OpId, message: String, note: &str, help: &str) {
    let span = w.ir().op(op).span;
    w.out.push(Diagnostic::error(code, span, message).note(note).help(help));
}

/// The pipe an attribute names, when it is one that runs instructions.
fn pipe(w: &mut Walker<'_>, op: OpId, short: &str, attr: &str, all_allowed: bool) -> Option<Pipe> {
    let ir = w.ir();
    let word = ir.word_attr(op, attr)?;
    let found = Pipe::from_keyword(word).filter(|&p| all_allowed || p != Pipe::All);
    if found.is_none() {
        let message = match word {
            "PIPE_ALL" => format!("{short}: PIPE_ALL cannot be one end of an event"),
            _ => format!("{short}: {} has no pipe {word}", w.program.target.name),
        };
        let real = Pipe::REAL.map(Pipe::keyword).join(", ");
        let note = format!("the pipes are {real}; PIPE_ALL only in a barrier");
        error(w, codes::NO_PIPE, op, message, &note, "name one pipe");
    }
    found
}

fn flag(w: &mut Walker<'_>, op: OpId, short: &str, fixed_event: bool) {
    let src = pipe(w, op, short, "src_pipe", false);
    let dst = pipe(w, op, short, "dst_pipe", false);
    if let (Some(s), Some(d)) = (src, dst)
        && s == d
    {
        error(
            w,
            codes::SAME_PIPE,
            op,
            format!("{short}: both ends of the event are {s}"),
            "a pipe runs its queue in order, so an event from it to itself orders nothing and the wait can block the set (E9)",
            &format!("use `pto.barrier #pto.pipe<{s}>` instead"),
        );
    }
    if !fixed_event {
        let known = w.ir().operand(op, 0).and_then(|v| w.program.values.number(v));
        if let Some(n) = known
            && !(0..i64::from(EVENT_IDS)).contains(&n)
        {
            event_id(w, op, short, &n.to_string());
        }
        return;
    }
    let ir = w.ir();
    let Some(word) = ir.word_attr(op, "event_id") else { return };
    let id = word.strip_prefix("EVENT_ID").and_then(|n| n.parse::<u32>().ok());
    if id.is_none_or(|n| n >= EVENT_IDS) {
        event_id(w, op, short, word);
    }
}

fn event_id(w: &mut Walker<'_>, op: OpId, short: &str, word: &str) {
    error(
        w,
        codes::EVENT_ID,
        op,
        format!("{short}: no event {word}; a pair of pipes has events 0 to {}", EVENT_IDS - 1),
        "each ordered pair of pipes has 8 one-deep flags",
        "reuse an event that was waited for",
    );
}
