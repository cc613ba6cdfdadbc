//! Operands, results and attributes against the instruction's table entry.

use crate::codes;
use crate::facts::TypeClass;
use crate::kinds::KindInfo;
use crate::walk::Walker;
use ptoc_dialect::types::TileForm;
use ptoc_dialect::{Arity, Kind, OpDef};
use ptoc_ir::{Form, OpId, ValueId};
use ptoc_source::{Diagnostic, Span};

/// True when a value of that class may stand where the table says `kind`.
fn fits(kind: Kind, class: TypeClass) -> bool {
    use TypeClass::*;
    match kind {
        Kind::Tile => matches!(class, Tile | MultiTile | Partition | View | Ranked),
        Kind::View => matches!(class, View | Partition | Ranked | Ptr),
        Kind::Ptr => matches!(class, Ptr | Ranked | Other),
        Kind::Scalar => matches!(class, Int | Float | Index),
        Kind::Index => matches!(class, Int | Index),
        Kind::VReg => matches!(class, VReg | Other),
        Kind::Mask => matches!(class, Mask | Other),
        Kind::Any => true,
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Tile => "a tile",
        Kind::View => "a global view",
        Kind::Ptr => "a pointer",
        Kind::Scalar => "a number",
        Kind::Index => "an index or integer",
        Kind::VReg => "a vector register",
        Kind::Mask => "a predicate",
        Kind::Any => "any value",
    }
}

fn plural(n: usize, what: &str) -> String {
    if n == 1 { format!("one {what}") } else { format!("{n} {what}s") }
}

/// Checks a table op; false when its operands are not what the entry says, so that no rule makes sense.
pub(crate) fn table_op(w: &mut Walker<'_>, op: OpId, info: &'static KindInfo) -> bool {
    let Some(def) = info.def else { return true };
    let ir = w.ir();
    let data = ir.op(op);
    let mut sound = true;
    if w.legality && !def.targets.has(w.program.target.arch) {
        let arch = w.program.target.name;
        let message = format!("{}: {arch} does not have this operation", def.short_name());
        let d = Diagnostic::error(codes::TARGET, data.span, message)
            .note(format!("it exists on {}", other_targets(def)))
            .help("compile for a target that has it, or write the computation with other instructions");
        let d = w.program.assumption().into_iter().fold(d, Diagnostic::note);
        w.out.push(d);
        sound = false;
    }
    if data.segments.len() != def.operands.len() {
        let message = format!(
            "{}: {} of operands, {} expected",
            def.short_name(),
            plural(data.segments.len(), "group"),
            def.operands.len()
        );
        w.out.push(Diagnostic::error(codes::OPERANDS, data.span, message).note(groups(def)));
        return false;
    }
    let value_form = data.form != Form::Custom;
    let mut at = 0usize;
    for (operand, &n) in def.operands.iter().zip(&data.segments) {
        let n = n as usize;
        // In the value forms a destination is a result; as operand it is the old content.
        let as_result = value_form && operand.is_dest();
        let allowed = match operand.arity {
            Arity::One if as_result => n <= 1,
            Arity::One => n == 1,
            Arity::Optional => n <= 1,
            Arity::Variadic => true,
        };
        if !allowed {
            let wanted = match operand.arity {
                Arity::One if !as_result => "exactly one",
                _ => "at most one",
            };
            let message =
                format!("{}: {} for `{}`, {wanted} expected", def.short_name(), plural(n, "value"), operand.name);
            w.out.push(Diagnostic::error(codes::OPERANDS, data.span, message).note(groups(def)));
            sound = false;
        }
        for i in at..at + n {
            let Some(&v) = data.operands.get(i) else {
                sound = false;
                break;
            };
            sound &= value(w, op, def, operand.name, operand.kind, v, ir.operand_span(op, i));
            if operand.is_dest() && !as_result {
                sound &= buffer(w, def, operand.name, v, ir.operand_span(op, i));
            }
        }
        at += n;
    }
    if at != data.operands.len() {
        let message = format!("{}: {} in {at} places", def.short_name(), plural(data.operands.len(), "operand value"));
        w.out.push(Diagnostic::error(codes::OPERANDS, data.span, message).note(groups(def)));
        sound = false;
    }
    sound &= results(w, op, info, def);
    if info.required_attrs {
        sound &= attributes(w, op, def);
    }
    let blocks = data.regions.len();
    if blocks != def.regions as usize {
        let message = format!("{}: {}, {} expected", def.short_name(), plural(blocks, "region"), def.regions);
        w.out.push(Diagnostic::error(codes::REGIONS, data.span, message));
        sound = false;
    }
    sound
}

fn other_targets(def: &OpDef) -> String {
    let names: Vec<&str> =
        ptoc_target::Arch::ALL.into_iter().filter(|&a| def.targets.has(a)).map(|a| a.name()).collect();
    names.join(", ")
}

fn groups(def: &OpDef) -> String {
    let names: Vec<String> = def
        .operands
        .iter()
        .map(|o| match o.arity {
            Arity::One => o.name.to_owned(),
            Arity::Optional => format!("{} (optional)", o.name),
            Arity::Variadic => format!("{} (any number)", o.name),
        })
        .collect();
    format!("its operands are {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") })
}

fn value(w: &mut Walker<'_>, op: OpId, def: &OpDef, name: &str, kind: Kind, v: ValueId, span: Span) -> bool {
    let ir = w.ir();
    let ty = ir.value_type(v);
    let class = w.program.types.get(ty).map_or(TypeClass::Other, |f| f.class);
    if fits(kind, class) {
        return true;
    }
    let _ = op;
    let message = format!("{}: `{name}` must be {}", def.short_name(), kind_name(kind));
    w.out.push(
        Diagnostic::error(codes::OPERAND_KIND, span, message)
            .at(format!("this is {}", ir.ctx.type_string(ty)))
            .help(format!("pass {} here", kind_name(kind))),
    );
    false
}

/// A destination of the DPS form is a buffer.
fn buffer(w: &mut Walker<'_>, def: &OpDef, name: &str, v: ValueId, span: Span) -> bool {
    let form = w.program.types.get(w.program.ir.value_type(v)).and_then(|f| f.form());
    if form != Some(TileForm::Value) {
        return true;
    }
    w.out.push(
        Diagnostic::error(
            codes::FORM,
            span,
            format!("{}: `{name}` is a tile value, but the DPS form writes into a buffer", def.short_name()),
        )
        .note("`!pto.tile` is a value of the SSA and sync forms; `!pto.tile_buf` is storage")
        .help("make the destination a `!pto.tile_buf`, or use the SSA form, whose result is a new tile"),
    );
    false
}

fn results(w: &mut Walker<'_>, op: OpId, info: &KindInfo, def: &'static OpDef) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let n = data.results.len();
    if data.form != Form::Custom {
        let (most, least) = (info.dests.0 as usize, info.dests.1 as usize);
        if n < least || n > most {
            let message = format!("{}: {}, {} expected", def.short_name(), plural(n, "result"), most);
            w.out.push(
                Diagnostic::error(codes::RESULTS, data.span, message)
                    .note("in the SSA and sync forms each destination tile is a result"),
            );
            return false;
        }
        let mut sound = true;
        for &v in &data.results {
            let form = w.program.types.get(ir.value_type(v)).and_then(|f| f.form());
            if form == Some(TileForm::Buffer) {
                w.out.push(
                    Diagnostic::error(
                        codes::FORM,
                        data.span,
                        format!("{}: the result of the value form is a buffer", def.short_name()),
                    )
                    .note("`!pto.tile` is a value of the SSA and sync forms; `!pto.tile_buf` is storage")
                    .help("write the result type as `!pto.tile<...>`, or use the DPS form with `outs(...)`"),
                );
                sound = false;
            }
        }
        return sound;
    }
    let least = def.results.iter().filter(|r| r.arity == Arity::One).count();
    let most = match def.results.iter().any(|r| r.arity == Arity::Variadic) {
        true => usize::MAX,
        // The DPS form may repeat its destinations as results (`-> T`).
        false => def.results.len().max(info.dests.0 as usize),
    };
    if n < least || n > most {
        let message = format!("{}: {}, {least} expected", def.short_name(), plural(n, "result"));
        w.out.push(Diagnostic::error(codes::RESULTS, data.span, message));
        return false;
    }
    let mut sound = true;
    for (r, &v) in def.results.iter().zip(&data.results) {
        sound &= value(w, op, def, r.name, r.kind, v, data.span);
    }
    sound
}

fn attributes(w: &mut Walker<'_>, op: OpId, def: &'static OpDef) -> bool {
    let ir = w.ir();
    let mut sound = true;
    for a in def.attrs.iter().filter(|a| a.required && a.default.is_none()) {
        if ir.attr(op, a.name).is_none() {
            let message = format!("{}: attribute `{}` is missing", def.short_name(), a.name);
            w.out.push(Diagnostic::error(codes::ATTRIBUTE, ir.op(op).span, message).help(format!("add `{}`", a.name)));
            sound = false;
        }
    }
    sound
}
