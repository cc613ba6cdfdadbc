//! Functions, calls, loops, branches: blocks, terminators and the types that cross them.

use crate::codes;
use crate::facts::TypeClass;
use crate::kinds::{KindInfo, Shape, kinds};
use crate::structure::{Call, arith};
use crate::walk::Walker;
use ptoc_ir::{AttrData, BlockId, OpId, OpKind, Traits, TypeData, TypeId, ValueId, builtin};
use ptoc_source::{Code, Diagnostic, Span, did_you_mean};

/// Checks an operation of MLIR's own dialects; false when nothing further makes sense.
pub(crate) fn upstream_op(w: &mut Walker<'_>, op: OpId, info: &'static KindInfo, shape: Shape) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    match shape {
        Shape::Fixed(operands, results) => {
            if data.operands.len() != operands as usize || data.results.len() != results as usize {
                let message = format!(
                    "{}: {} operands and {} results, {operands} and {results} expected",
                    ir.op_name(op),
                    data.operands.len(),
                    data.results.len()
                );
                w.out.push(Diagnostic::error(codes::OPERANDS, data.span, message));
                return false;
            }
            if info.traits.has(Traits::SAME_TYPES) && !same_types(w, op) {
                return false;
            }
            info.arith.is_none_or(|kind| arith::arith(w, op, kind) && arith::predicate(w, op, kind))
        }
        Shape::Func => func(w, op),
        Shape::Return => leaves(w, op, Shape::Func),
        Shape::Call => call(w, op),
        Shape::For => for_loop(w, op),
        Shape::If => if_op(w, op),
        Shape::While => while_loop(w, op),
        Shape::Branch | Shape::CondBranch | Shape::SwitchBranch => branch(w, op, shape),
        _ => true,
    }
}

fn error(w: &mut Walker<'_>, code: Code, span: Span, message: String) -> bool {
    w.out.push(Diagnostic::error(code, span, message));
    false
}

fn types(w: &Walker<'_>, values: &[ValueId]) -> Vec<TypeId> {
    values.iter().map(|&v| w.program.ir.value_type(v)).collect()
}

fn type_list(w: &Walker<'_>, types: &[TypeId]) -> String {
    let list: Vec<String> = types.iter().map(|&t| w.program.ir.ctx.type_string(t)).collect();
    format!("({})", list.join(", "))
}

fn equal_types(w: &Walker<'_>, values: &[ValueId], wanted: &[TypeId]) -> bool {
    values.len() == wanted.len() && values.iter().zip(wanted).all(|(&v, &t)| w.program.ir.value_type(v) == t)
}

/// Reports that the values passed on are not of the types wanted.
fn mismatch(w: &mut Walker<'_>, span: Span, what: &str, values: &[ValueId], wanted: &[TypeId], at: Span) -> bool {
    let have = types(w, values);
    let d = Diagnostic::error(codes::FLOW_TYPES, span, format!("{what} have other types than expected"))
        .note(format!("here      {}", type_list(w, &have)))
        .note(format!("expected  {}", type_list(w, wanted)));
    let d = if at == span { d } else { d.label(at, "expected by this") };
    w.out.push(d.help("pass as many values as expected, each of the expected type"));
    false
}

fn same_types(w: &mut Walker<'_>, op: OpId) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let mut all = data.operands.iter().chain(&data.results).map(|&v| ir.value_type(v));
    let Some(first) = all.next() else { return true };
    match all.find(|&t| t != first) {
        None => true,
        Some(other) => {
            let message = format!(
                "{}: operands and result must have one type ({} and {} here)",
                ir.op_name(op),
                ir.ctx.type_string(first),
                ir.ctx.type_string(other)
            );
            error(w, codes::FLOW_TYPES, data.span, message)
        }
    }
}

fn signature<'a>(w: &Walker<'a>, func: OpId) -> Option<(&'a [TypeId], &'a [TypeId])> {
    let ir = w.ir();
    let AttrData::Type(t) = ir.attr_data(func, "function_type")? else { return None };
    match ir.ctx.type_data(*t) {
        TypeData::Function { params, results } => Some((params, results)),
        _ => None,
    }
}

fn func(w: &mut Walker<'_>, op: OpId) -> bool {
    let ir = w.ir();
    let span = ir.op(op).span;
    let Some((params, _)) = signature(w, op) else {
        return error(w, codes::SYMBOL, span, "func.func: the function has no type (`function_type`)".into());
    };
    if ir.op(op).regions.len() > 1 {
        return error(w, codes::REGIONS, span, "func.func: a function has one body".into());
    }
    if ir.body(op, 0).is_none() && ir.word_attr(op, "sym_visibility") != Some("private") {
        let name = ir.word_attr(op, "sym_name").unwrap_or("");
        w.out.push(
            Diagnostic::error(codes::SYMBOL, span, format!("func.func: `@{name}` has no body and is not private"))
                .note("a function without a body is a declaration, which only its own module can see")
                .help(format!("write `func.func private @{name}(...)`, or give it a body")),
        );
        return false;
    }
    if let Some(entry) = ir.body(op, 0) {
        let args = &ir.block(entry).args;
        if !equal_types(w, args, params) {
            return mismatch(w, span, "func.func: the arguments of the entry block", args, params, span);
        }
    }
    true
}

/// The op that an op stands in must be of that shape.
fn leaves(w: &mut Walker<'_>, op: OpId, shape: Shape) -> bool {
    let ir = w.ir();
    let span = ir.op(op).span;
    let parent = ir.parent_op(op);
    let fits = parent.and_then(|p| kinds().get(ir.op(p).kind.index())).is_some_and(|k| k.shape == shape);
    if !fits {
        let message = format!("{}: stands outside of what it ends", ir.op_name(op));
        return error(w, codes::TERMINATOR, span, message);
    }
    let Some(func) = parent else { return true };
    let Some((_, results)) = signature(w, func) else { return true };
    let values = &ir.op(op).operands;
    if equal_types(w, values, results) {
        return true;
    }
    mismatch(w, span, "return: the values", values, results, ir.op(func).span)
}

fn call(w: &mut Walker<'_>, op: OpId) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let name = match ir.attr_data(op, "callee") {
        Some(AttrData::Symbol(path)) => path.first().copied(),
        _ => None,
    };
    let Some(name) = name else {
        return error(w, codes::SYMBOL, data.span, "func.call: the callee is missing".into());
    };
    let Some(callee) = w.symbols.find(ir, op, name) else {
        let text = ir.ctx.str(name);
        let d = Diagnostic::error(codes::SYMBOL, data.span, format!("func.call: no function `@{text}`"));
        let near = did_you_mean(text, w.symbols.names(ir)).map(str::to_owned);
        w.out.push(match near {
            Some(n) => d.help(format!("did you mean `@{n}`?")),
            None => d.help(format!("define it, or declare it with `func.func private @{text}(...)`")),
        });
        return false;
    };
    let Some((params, results)) = signature(w, callee) else { return true };
    let at = ir.op(callee).span;
    if !equal_types(w, &data.operands, params) {
        return mismatch(w, data.span, "func.call: the arguments", &data.operands, params, at);
    }
    if !equal_types(w, &data.results, results) {
        return mismatch(w, data.span, "func.call: the results", &data.results, results, at);
    }
    if let Some(from) = function_around(w, op) {
        w.calls.push(Call { from, to: callee, op });
    }
    true
}

/// The function that an op stands in.
fn function_around(w: &Walker<'_>, op: OpId) -> Option<OpId> {
    let ir = w.ir();
    let is_func = |o: OpId| kinds().get(ir.op(o).kind.index()).is_some_and(|k| k.shape == Shape::Func);
    let mut at = ir.parent_op(op)?;
    while !is_func(at) {
        at = ir.parent_op(at)?;
    }
    Some(at)
}

fn for_loop(w: &mut Walker<'_>, op: OpId) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let Some([lower, upper, step, inits @ ..]) = data.operands.get(..) else { return false };
    let iv = ir.value_type(*lower);
    if [upper, step].iter().any(|&&v| ir.value_type(v) != iv) || !is_int(w, iv) {
        let have = type_list(w, &types(w, &[*lower, *upper, *step]));
        let message = format!("scf.for: bounds and step must have one integer or index type, not {have}");
        return error(w, codes::FLOW_TYPES, data.span, message);
    }
    if let Some(n) = w.program.values.number(*step).filter(|&n| n <= 0) {
        let at = ir.operand_span(op, 2);
        let d = Diagnostic::error(codes::LOOP_STEP, at, format!("scf.for: the step is {n}"))
            .at("must be greater than 0")
            .note("a loop counts up from its lower bound; with such a step it never ends")
            .help("use a positive step; to go downwards, compute the index from an upward counter");
        let d = match ir.defining_op(*step).map(|def| ir.op(def).span) {
            Some(span) if span != at => d.label(span, format!("the step is {n}")),
            _ => d,
        };
        w.out.push(d);
    }
    let carried = types(w, inits);
    if !equal_types(w, &data.results, &carried) {
        return mismatch(w, data.span, "scf.for: the results", &data.results, &carried, data.span);
    }
    let Some(body) = only_block(w, op, 0) else { return false };
    let mut wanted = vec![iv];
    wanted.extend(carried);
    let args = &ir.block(body).args;
    if !equal_types(w, args, &wanted) {
        return mismatch(w, data.span, "scf.for: the arguments of the body", args, &wanted, data.span);
    }
    true
}

fn is_int(w: &Walker<'_>, ty: TypeId) -> bool {
    w.program.types.get(ty).is_some_and(|f| matches!(f.class, TypeClass::Index | TypeClass::Int))
}

fn if_op(w: &mut Walker<'_>, op: OpId) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    if !(data.operands.len() == 1 && ir.value_type(data.operands[0]) == builtin::I1) {
        return error(w, codes::FLOW_TYPES, data.span, "scf.if: the condition must be one `i1`".into());
    }
    if !data.results.is_empty() && data.regions.len() < 2 {
        w.out.push(
            Diagnostic::error(codes::REGIONS, data.span, "scf.if: with results there must be an `else`")
                .help("add `else { scf.yield ... }`"),
        );
        return false;
    }
    if data.regions.is_empty() || data.regions.len() > 2 {
        return error(w, codes::REGIONS, data.span, "scf.if: one or two regions expected".into());
    }
    true
}

fn while_loop(w: &mut Walker<'_>, op: OpId) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let (Some(before), Some(after)) = (only_block(w, op, 0), only_block(w, op, 1)) else { return false };
    let inits = types(w, &data.operands);
    let args = &ir.block(before).args;
    if !equal_types(w, args, &inits) {
        return mismatch(w, data.span, "scf.while: the arguments of the first region", args, &inits, data.span);
    }
    let results = types(w, &data.results);
    let args = &ir.block(after).args;
    if !equal_types(w, args, &results) {
        return mismatch(w, data.span, "scf.while: the arguments of the second region", args, &results, data.span);
    }
    true
}

fn only_block(w: &mut Walker<'_>, op: OpId, n: usize) -> Option<BlockId> {
    let ir = w.ir();
    let blocks = ir.op(op).regions.get(n).map(|&r| &ir.region(r).blocks);
    match blocks.map(|b| &b[..]) {
        Some([one]) => Some(*one),
        _ => {
            let message = format!("{}: region {n} must have exactly one block", ir.op_name(op));
            error(w, codes::REGIONS, ir.op(op).span, message);
            None
        }
    }
}

fn branch(w: &mut Walker<'_>, op: OpId, shape: Shape) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let condition = data.operands.first().map(|&v| ir.value_type(v));
    let fits = match shape {
        Shape::Branch => data.operands.is_empty() && data.successors.len() == 1,
        Shape::CondBranch => condition == Some(builtin::I1) && data.successors.len() == 2,
        _ => condition.is_some_and(|t| is_int(w, t)) && !data.successors.is_empty(),
    };
    if !fits {
        let message = format!("{}: wrong condition or number of successors", ir.op_name(op));
        return error(w, codes::OPERANDS, data.span, message);
    }
    let region = ir.parent_block(op).and_then(|b| ir.block_region(b));
    let mut sound = true;
    for s in &data.successors {
        if ir.block_region(s.block) != region {
            let message = format!("{}: the successor is a block of another region", ir.op_name(op));
            sound = error(w, codes::REGIONS, data.span, message);
            continue;
        }
        let wanted = types(w, &ir.block(s.block).args);
        if !equal_types(w, &s.args, &wanted) {
            let what = format!("{}: the values for the block", ir.op_name(op));
            sound = mismatch(w, data.span, &what, &s.args, &wanted, data.span);
        }
    }
    sound
}

/// Reports operations behind a terminator.
pub(crate) fn dead_code(w: &mut Walker<'_>, terminator: OpId) {
    let ir = w.ir();
    let message = format!("{}: operations follow this terminator in its block", ir.op_name(terminator));
    let d = Diagnostic::error(codes::TERMINATOR, ir.op(terminator).span, message);
    w.out.push(d.help("remove them, or move the terminator to the end of the block"));
}

/// What a terminator of a region must pass on.
enum Ends {
    /// These types, by `scf.yield` or `pto.yield`.
    Yield(Vec<TypeId>),
    /// A condition and these types, by `scf.condition`.
    Condition(Vec<TypeId>),
    /// Checked where the terminator is.
    Elsewhere,
}

/// Checks the blocks of an op's regions after they were walked.
pub(crate) fn after_regions(w: &mut Walker<'_>, op: OpId) {
    let ir = w.ir();
    let data = ir.op(op);
    if data.kind == OpKind::UNREGISTERED {
        return;
    }
    let Some(info) = kinds().get(data.kind.index()) else { return };
    for (n, &region) in data.regions.iter().enumerate() {
        let blocks = &ir.region(region).blocks;
        if info.traits.has(Traits::SINGLE_BLOCK) && blocks.len() > 1 {
            let message = format!("{}: region {n} must have one block, it has {}", ir.op_name(op), blocks.len());
            error(w, codes::REGIONS, data.span, message);
        }
        for &block in blocks {
            if let Some(last) = block_end(w, op, block, info) {
                region_end(w, op, n, last, info);
            }
        }
    }
}

/// A block ends with a terminator; gives it.
fn block_end(w: &mut Walker<'_>, op: OpId, block: BlockId, info: &KindInfo) -> Option<OpId> {
    let ir = w.ir();
    let last = ir.last_op(block);
    let ends = last.is_some_and(|l| ir.has_trait(l, Traits::TERMINATOR));
    let unregistered = last.is_some_and(|l| ir.op(l).kind == OpKind::UNREGISTERED);
    if !ends && !unregistered && !info.traits.has(Traits::NO_TERMINATOR) {
        let span = last.map_or(ir.op(op).span, |l| ir.op(l).span);
        w.out.push(
            Diagnostic::error(
                codes::TERMINATOR,
                span,
                format!("{}: a block does not end with a terminator", ir.op_name(op)),
            )
            .at("the last operation of the block")
            .help("end the block with `return`, a yield or a branch"),
        );
    }
    last.filter(|_| ends)
}

fn region_end(w: &mut Walker<'_>, op: OpId, n: usize, last: OpId, info: &KindInfo) {
    let ir = w.ir();
    let data = ir.op(op);
    let results = || types(w, &data.results);
    let ends = match info.shape {
        Shape::For => Ends::Yield(types(w, data.operands.get(3..).unwrap_or(&[]))),
        Shape::If | Shape::Switch | Shape::Execute => Ends::Yield(results()),
        Shape::While if n == 0 => Ends::Condition(results()),
        Shape::While => Ends::Yield(types(w, &data.operands)),
        Shape::Table if !data.results.is_empty() => Ends::Yield(results()),
        _ => Ends::Elsewhere,
    };
    let span = ir.op(last).span;
    let values = &ir.op(last).operands;
    let name = ir.op_name(last);
    let branches = !ir.op(last).successors.is_empty();
    match ends {
        Ends::Elsewhere => {}
        _ if branches => {}
        Ends::Yield(wanted) => {
            if !matches!(name, "scf.yield" | "pto.yield") {
                let message = format!("{}: the region must end with a yield, not `{name}`", ir.op_name(op));
                error(w, codes::TERMINATOR, span, message);
            } else if !equal_types(w, values, &wanted) {
                let what = format!("{name}: the values");
                mismatch(w, span, &what, values, &wanted, data.span);
            }
        }
        Ends::Condition(wanted) => {
            if name != "scf.condition" {
                let message = format!("{}: the first region must end with `scf.condition`", ir.op_name(op));
                error(w, codes::TERMINATOR, span, message);
                return;
            }
            let Some((cond, rest)) = values.split_first() else { return };
            if ir.value_type(*cond) != builtin::I1 {
                error(w, codes::FLOW_TYPES, span, "scf.condition: the condition must be an `i1`".into());
            } else if !equal_types(w, rest, &wanted) {
                mismatch(w, span, "scf.condition: the values", rest, &wanted, data.span);
            }
        }
    }
}
