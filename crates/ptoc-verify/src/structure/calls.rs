//! Functions that call themselves, directly or through others.

use crate::codes;
use crate::walk::Walker;
use ptoc_ir::OpId;
use ptoc_source::Diagnostic;
use rustc_hash::FxHashMap;

/// One call: the function it stands in, the function it names, the operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub(crate) from: OpId,
    pub(crate) to: OpId,
    pub(crate) op: OpId,
}

/// Reports each call that closes a circle; every circle holds one of them.
pub(crate) fn circles(w: &mut Walker<'_>) {
    let calls = std::mem::take(&mut w.calls);
    let mut of: FxHashMap<OpId, Vec<Call>> = FxHashMap::default();
    let mut functions: Vec<OpId> = Vec::new();
    for c in calls {
        of.entry(c.from).or_default().push(c);
        functions.push(c.from);
    }
    functions.dedup();
    // Depth first with a stack of its own: a function under way that is called again closes a circle.
    let mut state: FxHashMap<OpId, bool> = FxHashMap::default();
    for root in functions {
        if state.contains_key(&root) {
            continue;
        }
        let mut stack = vec![(root, 0)];
        state.insert(root, true);
        while let Some((f, next)) = stack.last_mut() {
            let function = *f;
            let Some(&call) = of.get(&function).and_then(|c| c.get(*next)) else {
                state.insert(function, false);
                stack.pop();
                continue;
            };
            *next += 1;
            match state.get(&call.to) {
                Some(true) => {
                    let way: Vec<OpId> = stack.iter().map(|&(f, _)| f).skip_while(|&f| f != call.to).collect();
                    report(w, call, &way);
                }
                Some(false) => {}
                None => {
                    state.insert(call.to, true);
                    stack.push((call.to, 0));
                }
            }
        }
    }
}

fn report(w: &mut Walker<'_>, call: Call, way: &[OpId]) {
    let ir = w.ir();
    let name = |f: OpId| format!("`@{}`", ir.word_attr(f, "sym_name").unwrap_or("?"));
    let through: Vec<String> = way.iter().skip(1).take(4).map(|&f| name(f)).collect();
    let message = match &through[..] {
        [] => format!("func.call: {} calls itself", name(call.to)),
        names => format!("func.call: {} calls itself through {}", name(call.to), names.join(", ")),
    };
    let d = Diagnostic::error(codes::RECURSION, ir.op(call.op).span, message)
        .at("this call closes the circle")
        .label(ir.op(call.to).span, "the function")
        .note(
            "the tiles of a function are at fixed addresses, so a second activation would overwrite those of the first",
        )
        .help("use a loop");
    w.out.push(d);
}
