//! Events and barriers that name classes of operations: a class runs on one pipe, the same on every target.

use crate::{Call, Em, LowerFn, Res};
use ptoc_target::{Arch, Pipe};

pub(crate) const TABLE: &[(&str, LowerFn)] = &[
    ("pto.record_event", record),
    ("pto.wait_event", wait),
    ("pto.barrier_sync", class_barrier),
    ("pto.barrier", barrier),
];

/// The pipe of a class of operations (machine description, section 7.1; the copy from UB to L1 runs on MTE3).
fn class_pipe(class: &str) -> Option<Pipe> {
    Some(match class {
        "TLOAD" => Pipe::Mte2,
        "TSTORE_VEC" | "TMOV_V2M" => Pipe::Mte3,
        "TSTORE_ACC" | "TMOV_M2S" => Pipe::Fix,
        "TMOV_M2L" | "TMOV_M2B" => Pipe::Mte1,
        "TMATMUL" => Pipe::M,
        "TVEC" | "TVECWAIT_EVENT" | "TMOV_M2V" => Pipe::V,
        _ => return None,
    })
}

fn pipe_of(em: &Em<'_>, call: &Call, attr: &str) -> Res<Pipe> {
    let class = em.ir.word_attr(call.op, attr).unwrap_or("");
    class_pipe(class).ok_or_else(|| call.unsupported(em, format!("`{class}` runs on no single pipe")))
}

/// True where a barrier of that one pipe exists. The vector unit and the cube of A5 keep their own order; its barrier
/// instruction does not take them.
fn has_barrier(arch: Arch, pipe: Pipe) -> bool {
    arch == Arch::A2A3 || matches!(pipe, Pipe::Mte2 | Pipe::Mte3 | Pipe::All)
}

fn emit_barrier(em: &mut Em<'_>, pipe: Pipe) {
    if has_barrier(em.target.arch, pipe) {
        em.build("pto.barrier").word("pipe", pipe.keyword()).done();
    }
}

fn flag(em: &mut Em<'_>, call: &Call, name: &'static str, src: Pipe, dst: Pipe) {
    let event = em.ir.attr(call.op, "event_id");
    let op = em.build(name).word("src_pipe", src.keyword()).word("dst_pipe", dst.keyword());
    match event {
        Some(a) => op.attr("event_id", a).done(),
        None => op.word("event_id", "EVENT_ID0").done(),
    };
}

fn record(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (pipe_of(em, call, "src_op")?, pipe_of(em, call, "dst_op")?);
    // Within one pipe the wait alone keeps the order.
    if src != dst {
        flag(em, call, "pto.set_flag", src, dst);
    }
    Ok(())
}

fn wait(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (pipe_of(em, call, "src_op")?, pipe_of(em, call, "dst_op")?);
    if src == dst {
        emit_barrier(em, src);
    } else {
        flag(em, call, "pto.wait_flag", src, dst);
    }
    Ok(())
}

/// A barrier that is asked for by name. A5 has none for the vector unit, which keeps its order; for the other pipes without
/// one the program expects something that the machine can't do.
fn asked(em: &mut Em<'_>, call: &Call, pipe: Pipe) -> Res<()> {
    if pipe == Pipe::V || has_barrier(em.target.arch, pipe) {
        emit_barrier(em, pipe);
        return Ok(());
    }
    Err(Box::new(
        call.unsupported(em, format!("{} has no barrier of {pipe}", em.target.name))
            .help("use PIPE_ALL, or a flag between the two pipes that must wait for each other"),
    ))
}

fn class_barrier(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let pipe = pipe_of(em, call, "op_type")?;
    asked(em, call, pipe)
}

fn barrier(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let word = em.ir.word_attr(call.op, "pipe").unwrap_or("").to_owned();
    match Pipe::from_keyword(&word) {
        Some(pipe) => asked(em, call, pipe),
        None => Err(call.unsupported(em, format!("`{word}` is no pipe of this core"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a5_has_barriers_of_the_dma_pipes_only() {
        assert!(Pipe::REAL.into_iter().all(|p| has_barrier(Arch::A2A3, p)));
        let a5: Vec<Pipe> = Pipe::REAL.into_iter().filter(|&p| has_barrier(Arch::A5, p)).collect();
        assert_eq!(a5, [Pipe::Mte2, Pipe::Mte3]);
    }
}
