//! `builtin.module`, `func.func`, `func.return`, `func.call`, casts.

use super::Upstream;
use crate::codes;
use crate::resolve::{Built, Cursor, EntryArgs, Read, Resolver};
use ptoc_ir::{AttrData, Ir, OpId, Printer, Traits, TypeData, TypeId};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::ItemKind;
use smallvec::SmallVec;

pub(super) const OPS: &[Upstream] = &[
    Upstream::with_regions(
        "builtin.module",
        Traits::ISOLATED.and(Traits::NO_TERMINATOR).and(Traits::SINGLE_BLOCK),
        read_module,
        print_module,
    ),
    Upstream::with_regions("func.func", Traits::ISOLATED.and(Traits::SYMBOL), read_func, print_func)
        .last_region_may_be_missing(1),
    Upstream::new("func.return", Traits::TERMINATOR, read_return, print_return),
    Upstream::new("func.call", Traits::NONE, read_call, print_call),
    Upstream::new("func.call_indirect", Traits::NONE, read_call_indirect, print_call_indirect),
    Upstream::new("builtin.unrealized_conversion_cast", Traits::PURE, read_cast, print_cast),
];

/// Reads `attributes {...}`.
fn attributes(r: &mut Resolver<'_>, c: &mut Cursor<'_>, op: OpId) -> Read<()> {
    if c.eat_word(r.file(), "attributes") {
        let g = c.expect(ItemKind::Brace)?;
        r.dict_into(op, c, g)?;
    }
    Ok(())
}

fn symbol_name(text: &str) -> String {
    text.trim_start_matches('@').trim_matches('"').to_owned()
}

fn read_module<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let op = r.build(b, &[])?;
    if let Some(s) = c.eat(ItemKind::Symbol) {
        let name = symbol_name(r.text(s.span));
        let a = r.ctx().str_attr(&name);
        r.ir.set_attr(op, "sym_name", a);
    }
    attributes(r, c, op)?;
    let item = c.eat(ItemKind::Region).ok_or_else(|| c.expected("the module's region `{ ... }`"))?;
    if let Some(region) = item.region() {
        r.region_into(op, region, &SmallVec::new())?;
    }
    Ok(())
}

fn print_module(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("module");
    if let Some(name) = ir.word_attr(op, "sym_name") {
        p.text(" ");
        p.symbol(name);
    }
    p.attr_dict_with(op, " attributes {", &["sym_name"]);
    p.text(" ");
    for &r in &ir.op(op).regions {
        p.region(r, false);
    }
}

fn read_func<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let op = r.build(b, &[])?;
    for visibility in ["private", "public", "nested"] {
        if c.eat_word(r.file(), visibility) {
            let a = r.ctx().str_attr(visibility);
            r.ir.set_attr(op, "sym_visibility", a);
        }
    }
    let s = c.expect(ItemKind::Symbol)?;
    let name = symbol_name(r.text(s.span));
    let a = r.ctx().str_attr(&name);
    r.ir.set_attr(op, "sym_name", a);
    let params = c.expect(ItemKind::Paren)?;
    let mut args = EntryArgs::new();
    let mut arg_attrs = Vec::new();
    let mut ic = c.inside(params);
    while !ic.is_done() {
        let name = match ic.eat(ItemKind::Value) {
            Some(v) => {
                ic.expect(ItemKind::Colon)?;
                v.span
            }
            None => Span::NONE,
        };
        let ty = r.ty(&mut ic)?;
        let dict = ic.peek().filter(|i| i.kind == ItemKind::Brace);
        let mut entries = Vec::new();
        if let Some(g) = dict {
            ic.bump();
            r.texts.dict(&mut r.ir.ctx, ic.inside(g), &mut entries, &mut |_, _, _| {})?;
        }
        arg_attrs.push(r.ctx().attr(AttrData::Dict(entries.into())));
        args.push((name, ty));
        if ic.eat(ItemKind::Comma).is_none() {
            break;
        }
    }
    ic.expect_done()?;
    let results: Vec<TypeId> = if c.eat(ItemKind::Arrow).is_some() {
        r.result_types(c)?.into_iter().map(|(t, _)| t).collect()
    } else {
        Vec::new()
    };
    let types: Vec<TypeId> = args.iter().map(|&(_, t)| t).collect();
    let ty = r.ctx().function(&types, &results);
    let a = r.ctx().attr(AttrData::Type(ty));
    r.ir.set_attr(op, "function_type", a);
    if arg_attrs.iter().any(|&a| !matches!(r.ir.ctx.attr_data(a), AttrData::Dict(d) if d.is_empty())) {
        let a = r.ctx().attr(AttrData::Array(arg_attrs.into()));
        r.ir.set_attr(op, "arg_attrs", a);
    }
    attributes(r, c, op)?;
    if let Some(item) = c.eat(ItemKind::Region)
        && let Some(region) = item.region()
    {
        r.region_into(op, region, &args)?;
        implicit_return(r, op, b, results.is_empty());
    }
    Ok(())
}

/// A function without results may leave out its `return`.
fn implicit_return(r: &mut Resolver<'_>, op: OpId, b: &Built<'_>, no_results: bool) {
    let Some(&region) = r.ir.op(op).regions.first() else { return };
    let Some(&last) = r.ir.region(region).blocks.last() else { return };
    let ends = r.ir.last_op(last).is_some_and(|o| r.ir.has_trait(o, Traits::TERMINATOR));
    if no_results && !ends && r.ir.region(region).blocks.len() == 1 {
        let ret = r.ir.create_op(crate::registry::kind("func.return"), b.node.span, &[]);
        r.ir.append(last, ret);
    }
}

fn print_func(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("func.func ");
    if let Some(v) = ir.word_attr(op, "sym_visibility") {
        p.text(v);
        p.text(" ");
    }
    p.symbol(ir.word_attr(op, "sym_name").unwrap_or(""));
    let (params, results) = match ir.attr_data(op, "function_type") {
        Some(AttrData::Type(t)) => match ir.ctx.type_data(*t) {
            TypeData::Function { params, results } => (params.clone(), results.clone()),
            _ => Default::default(),
        },
        _ => Default::default(),
    };
    let arg_attrs = match ir.attr_data(op, "arg_attrs") {
        Some(AttrData::Array(a)) => a.clone(),
        _ => Default::default(),
    };
    let entry = ir.body(op, 0);
    p.text("(");
    for (i, &t) in params.iter().enumerate() {
        if i > 0 {
            p.text(", ");
        }
        if let Some(&v) = entry.and_then(|e| ir.block(e).args.get(i)) {
            p.value(v);
            p.text(": ");
        }
        p.ty(t);
        if let Some(&a) = arg_attrs.get(i)
            && !matches!(ir.ctx.attr_data(a), AttrData::Dict(d) if d.is_empty())
        {
            p.text(" ");
            p.attr(a);
        }
    }
    p.text(")");
    if !results.is_empty() {
        p.text(" -> ");
        p.result_types(&results);
    }
    p.attr_dict_with(op, " attributes {", &["sym_name", "sym_visibility", "function_type", "arg_attrs"]);
    for &r in &ir.op(op).regions {
        p.text(" ");
        p.region(r, false);
    }
}

fn read_return<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let values = r.values(c)?;
    if c.eat(ItemKind::Colon).is_some() {
        r.types_for(c, &values)?;
    } else if !values.is_empty() {
        return Err(c.expected("`:` and the types of the values"));
    }
    let op = r.build(b, &[])?;
    push_values(r, op, &values);
    Ok(())
}

/// Adds one operand segment for each value.
pub(super) fn push_values(r: &mut Resolver<'_>, op: OpId, values: &[(ptoc_ir::ValueId, Span)]) {
    let data = r.ir.op_mut(op);
    for &(v, span) in values {
        data.operands.push(v);
        data.operand_spans.push(span);
        data.segments.push(1);
    }
}

/// Prints ` %a, %b : T, T`; nothing without operands.
pub(super) fn print_operands_typed(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let operands = &ir.op(op).operands;
    if !operands.is_empty() {
        p.text(" ");
        p.values(operands);
        p.text(" : ");
        p.types_of(operands);
    }
}

fn print_return(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("return");
    p.attr_dict(op, &[]);
    print_operands_typed(ir, op, p);
}

/// Reads `: (T, T) -> T` and compares the operand types.
fn call_signature<'t>(
    r: &mut Resolver<'t>,
    c: &mut Cursor<'t>,
    values: &[(ptoc_ir::ValueId, Span)],
) -> Read<SmallVec<[TypeId; 2]>> {
    c.expect(ItemKind::Colon)?;
    let p = c.expect(ItemKind::Paren)?;
    let mut inner = c.inside(p);
    if !values.is_empty() || !inner.is_done() {
        r.types_for(&mut inner, values)?;
    }
    inner.expect_done()?;
    c.expect(ItemKind::Arrow)?;
    Ok(r.result_types(c)?.into_iter().map(|(t, _)| t).collect())
}

fn print_signature(ir: &Ir, operands: &[ptoc_ir::ValueId], op: OpId, p: &mut Printer<'_>) {
    p.text(" : (");
    p.types_of(operands);
    p.text(") -> ");
    let results: SmallVec<[TypeId; 2]> = ir.op(op).results.iter().map(|&v| ir.value_type(v)).collect();
    p.result_types(&results);
}

fn read_call<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let s = c.expect(ItemKind::Symbol)?;
    let g = c.expect(ItemKind::Paren)?;
    let mut inner = c.inside(g);
    let values = r.values(&mut inner)?;
    inner.expect_done()?;
    let mut dict = None;
    if let Some(d) = c.eat(ItemKind::Brace) {
        dict = Some(d);
    }
    let types = call_signature(r, c, &values)?;
    let op = r.build(b, &types)?;
    push_values(r, op, &values);
    let name = symbol_name(r.text(s.span));
    let name = r.ctx().sym(&name);
    let a = r.ctx().attr(AttrData::Symbol([name].into()));
    r.ir.set_attr(op, "callee", a);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_call(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("func.call ");
    if let Some(a) = ir.attr(op, "callee") {
        p.attr(a);
    }
    p.text("(");
    p.values(&ir.op(op).operands);
    p.text(")");
    p.attr_dict(op, &["callee"]);
    print_signature(ir, &ir.op(op).operands, op, p);
}

fn read_call_indirect<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let callee = r.value(c)?;
    let g = c.expect(ItemKind::Paren)?;
    let mut inner = c.inside(g);
    let values = r.values(&mut inner)?;
    inner.expect_done()?;
    let types = call_signature(r, c, &values)?;
    let op = r.build(b, &types)?;
    push_values(r, op, &[callee]);
    push_values(r, op, &values);
    Ok(())
}

fn print_call_indirect(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let Some((&callee, args)) = ir.op(op).operands.split_first() else { return p.generic_op(op) };
    p.text("func.call_indirect ");
    p.value(callee);
    p.text("(");
    p.values(args);
    p.text(")");
    p.attr_dict(op, &[]);
    print_signature(ir, args, op, p);
}

fn read_cast<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let values = r.values(c)?;
    if !values.is_empty() {
        c.expect(ItemKind::Colon)?;
        r.types_for(c, &values)?;
    }
    c.expect_word(r.file(), "to")?;
    let mut types = Vec::new();
    r.texts.type_list(&mut r.ir.ctx, c, &mut types)?;
    if types.is_empty() {
        return Err(Box::new(Diagnostic::error(codes::SYNTAX, c.here(), "expected the result types after `to`")));
    }
    let types: SmallVec<[TypeId; 2]> = types.into_iter().map(|(t, _)| t).collect();
    let op = r.build(b, &types)?;
    push_values(r, op, &values);
    Ok(())
}

fn print_cast(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("builtin.unrealized_conversion_cast");
    print_operands_typed(ir, op, p);
    p.text(" to ");
    let results = ir.op(op).results.clone();
    p.types_of(&results);
    p.attr_dict(op, &[]);
}
