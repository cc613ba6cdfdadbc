//! The timeline of a run in the trace format that Perfetto and Chrome load.

use ptoc_ir::Ir;
use ptoc_sim::run::{Event, Unit};
use ptoc_source::SourceFile;
use serde_json::{Value, json};

/// One JSON document: a process for each core, a thread for each pipe, an event for each intrinsic. One cycle is one
/// microsecond of the viewer.
pub fn trace_json(file: &SourceFile, ir: &Ir, events: &[Event]) -> String {
    let mut list: Vec<Value> = Vec::new();
    let mut units: Vec<Unit> = events.iter().map(|e| e.unit).collect();
    units.sort_unstable();
    units.dedup();
    for u in units {
        let thread = thread(u);
        list.push(json!({"ph": "M", "name": "thread_name", "pid": u.core(), "tid": thread, "args": {"name": u.pipe().keyword()}}));
    }
    for e in events {
        let line = file.line_of(ir.op(e.op).span.start);
        list.push(json!({
            "ph": "X", "name": e.name, "pid": e.unit.core(), "tid": thread(e.unit), "ts": e.start, "dur": e.cycles,
            "args": {"line": line}
        }));
    }
    json!({"traceEvents": list, "displayTimeUnit": "ns"}).to_string()
}

fn thread(u: Unit) -> usize {
    ptoc_target::Pipe::REAL.iter().position(|p| *p == u.pipe()).unwrap_or(0)
}
