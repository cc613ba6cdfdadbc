//! The `scf` dialect.

use super::Upstream;
use super::builtin::{print_operands_typed, push_values};
use crate::codes;
use crate::registry::kind;
use crate::resolve::{Built, Cursor, EntryArgs, Read, Resolver};
use ptoc_ir::{AttrData, Ir, OpId, Printer, Traits, TypeId, ValueId, builtin};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::{Item, ItemKind};
use smallvec::SmallVec;

const BLOCK: Traits = Traits::SINGLE_BLOCK;

pub(super) const OPS: &[Upstream] = &[
    Upstream::with_regions("scf.for", BLOCK, read_for, print_for),
    Upstream::with_regions("scf.if", BLOCK, read_if, print_if).last_region_may_be_missing(2),
    Upstream::with_regions("scf.while", BLOCK, read_while, print_while),
    Upstream::with_regions("scf.execute_region", Traits::NONE, read_execute, print_execute),
    Upstream::with_regions("scf.index_switch", BLOCK, read_switch, print_switch),
    Upstream::new("scf.condition", Traits::TERMINATOR, read_condition, print_condition),
    Upstream::new("scf.yield", Traits::TERMINATOR, read_yield, print_yield),
];

/// Reads the region at the cursor into `op` and ends its block with a yield where the text leaves that out.
fn body<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, op: OpId, args: &EntryArgs) -> Read<()> {
    let item = c.eat(ItemKind::Region).ok_or_else(|| c.expected("a region `{ ... }`"))?;
    let Some(region) = item.region() else { return Ok(()) };
    let into = r.region_into(op, region, args)?;
    let Some(&last) = r.ir.region(into).blocks.last() else { return Ok(()) };
    let ends = r.ir.last_op(last).is_some_and(|o| r.ir.has_trait(o, Traits::TERMINATOR));
    if !ends {
        let y = r.ir.create_op(kind("scf.yield"), Span::new(item.span.end.saturating_sub(1), item.span.end), &[]);
        r.ir.append(last, y);
    }
    Ok(())
}

/// True for a yield that need not be printed.
fn is_bare_yield(ir: &Ir, op: OpId) -> bool {
    let d = ir.op(op);
    ir.op_name(op) == "scf.yield" && d.operands.is_empty() && d.attrs.is_empty() && d.loc.is_none()
}

/// Reads `(%x = %a, %y = %b)`: the names and the values.
#[allow(clippy::type_complexity)]
fn bindings<'t>(r: &mut Resolver<'t>, c: &Cursor<'t>, group: Item) -> Read<(Vec<Span>, Vec<(ValueId, Span)>)> {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    let mut inner = c.inside(group);
    while let Some(n) = inner.eat(ItemKind::Value) {
        inner.expect(ItemKind::Equal)?;
        names.push(n.span);
        values.push(r.value(&mut inner)?);
        if inner.eat(ItemKind::Comma).is_none() {
            break;
        }
    }
    inner.expect_done()?;
    Ok((names, values))
}

fn types_of(types: &[(TypeId, Span)], values: &[(ValueId, Span)], c: &Cursor<'_>) -> Read<SmallVec<[TypeId; 2]>> {
    if types.len() != values.len() {
        return Err(Box::new(
            Diagnostic::error(
                codes::OPERAND_COUNT,
                c.here(),
                format!("{} types for {} loop values", types.len(), values.len()),
            )
            .help("write one type for each value of iter_args"),
        ));
    }
    Ok(types.iter().map(|&(t, _)| t).collect())
}

fn read_for<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let iv = c.expect(ItemKind::Value)?;
    c.expect(ItemKind::Equal)?;
    let lower = r.value(c)?;
    c.expect_word(r.file(), "to")?;
    let upper = r.value(c)?;
    c.expect_word(r.file(), "step")?;
    let step = r.value(c)?;
    let (mut names, mut inits, mut types) = (Vec::new(), Vec::new(), SmallVec::<[TypeId; 2]>::new());
    if c.eat_word(r.file(), "iter_args") {
        let g = c.expect(ItemKind::Paren)?;
        (names, inits) = bindings(r, c, g)?;
        c.expect(ItemKind::Arrow)?;
        let written = r.result_types(c)?;
        types = types_of(&written, &inits, c)?;
        for (&(v, span), &(t, at)) in inits.iter().zip(&written) {
            r.check_type(v, span, t, at)?;
        }
    }
    let iv_type = if c.eat(ItemKind::Colon).is_some() { r.ty(c)? } else { builtin::INDEX };
    for &(v, span) in &[lower, upper, step] {
        r.check_type(v, span, iv_type, span)?;
    }
    let op = r.ir.create_op(b.kind, b.node.span, &types);
    r.ir.append(b.block, op);
    push_values(r, op, &[lower, upper, step]);
    push_values(r, op, &inits);
    let mut args = EntryArgs::new();
    args.push((iv.span, iv_type));
    args.extend(names.iter().copied().zip(types.iter().copied()));
    let read = body(r, c, op, &args);
    finish(r, b, op, read)
}

/// Binds the results after the regions were read, so that the regions do not see them.
fn finish<'t>(r: &mut Resolver<'t>, b: &mut Built<'t>, op: OpId, read: Read<()>) -> Read<()> {
    b.op = Some(op);
    r.define_results(b.node, op)?;
    read
}

fn print_for(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let (Some(entry), [lower, upper, step, inits @ ..]) = (ir.body(op, 0), &data.operands[..]) else {
        return p.generic_op(op);
    };
    let Some((&iv, iters)) = ir.block(entry).args.split_first() else { return p.generic_op(op) };
    p.text("scf.for ");
    p.value(iv);
    p.text(" = ");
    p.value(*lower);
    p.text(" to ");
    p.value(*upper);
    p.text(" step ");
    p.value(*step);
    if !inits.is_empty() {
        p.text(" iter_args(");
        print_bindings(iters, inits, p);
        p.text(") -> (");
        p.types_of(&data.results);
        p.text(")");
    }
    if ir.value_type(iv) != builtin::INDEX {
        p.text(" : ");
        p.type_of(iv);
    }
    p.text(" ");
    for &reg in &data.regions {
        p.region_eliding(reg, is_bare_yield);
    }
    p.attr_dict(op, &[]);
}

fn print_bindings(names: &[ValueId], values: &[ValueId], p: &mut Printer<'_>) {
    for (i, (&n, &v)) in names.iter().zip(values).enumerate() {
        if i > 0 {
            p.text(", ");
        }
        p.value(n);
        p.text(" = ");
        p.value(v);
    }
}

fn read_if<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let cond = r.value(c)?;
    r.check_type(cond.0, cond.1, builtin::I1, cond.1)?;
    let mut types: SmallVec<[TypeId; 2]> = SmallVec::new();
    if c.eat(ItemKind::Arrow).is_some() {
        types = r.result_types(c)?.into_iter().map(|(t, _)| t).collect();
    }
    let op = r.ir.create_op(b.kind, b.node.span, &types);
    r.ir.append(b.block, op);
    push_values(r, op, &[cond]);
    let none = EntryArgs::new();
    let mut read = body(r, c, op, &none);
    if read.is_ok() && c.eat_word(r.file(), "else") {
        read = body(r, c, op, &none);
    }
    finish(r, b, op, read)
}

fn print_if(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    p.text("scf.if ");
    p.values(&data.operands);
    if !data.results.is_empty() {
        p.text(" -> (");
        p.types_of(&data.results);
        p.text(")");
    }
    for (i, &reg) in data.regions.iter().enumerate() {
        p.text(if i == 0 { " " } else { " else " });
        p.region_eliding(reg, is_bare_yield);
    }
    p.attr_dict(op, &[]);
}

fn read_while<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let (mut names, mut inits) = (Vec::new(), Vec::new());
    if let Some(g) = c.eat(ItemKind::Paren) {
        (names, inits) = bindings(r, c, g)?;
    }
    c.expect(ItemKind::Colon)?;
    let g = c.expect(ItemKind::Paren)?;
    let mut inner = c.inside(g);
    let mut written = Vec::new();
    if !inner.is_done() {
        r.texts.type_list(&mut r.ir.ctx, &mut inner, &mut written)?;
        inner.expect_done()?;
    }
    let types = types_of(&written, &inits, c)?;
    for (&(v, span), &(t, at)) in inits.iter().zip(&written) {
        r.check_type(v, span, t, at)?;
    }
    c.expect(ItemKind::Arrow)?;
    let results: SmallVec<[TypeId; 2]> = r.result_types(c)?.into_iter().map(|(t, _)| t).collect();
    let op = r.ir.create_op(b.kind, b.node.span, &results);
    r.ir.append(b.block, op);
    push_values(r, op, &inits);
    let args: EntryArgs = names.iter().copied().zip(types.iter().copied()).collect();
    let mut read = body(r, c, op, &args);
    if read.is_ok() {
        read = c.expect_word(r.file(), "do").and_then(|()| body(r, c, op, &EntryArgs::new()));
    }
    finish(r, b, op, read)?;
    if c.eat_word(r.file(), "attributes")
        && let Some(g) = c.eat(ItemKind::Brace)
    {
        r.dict_into(op, c, g)?;
    }
    Ok(())
}

fn print_while(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let (Some(before), [first, second]) = (ir.body(op, 0), &data.regions[..]) else { return p.generic_op(op) };
    p.text("scf.while");
    if !data.operands.is_empty() {
        p.text(" (");
        print_bindings(&ir.block(before).args, &data.operands, p);
        p.text(")");
    }
    p.text(" : (");
    p.types_of(&data.operands);
    p.text(") -> ");
    let results: SmallVec<[TypeId; 2]> = data.results.iter().map(|&v| ir.value_type(v)).collect();
    p.result_types(&results);
    p.text(" ");
    p.region(*first, false);
    p.text(" do ");
    p.region(*second, true);
    p.attr_dict_with(op, " attributes {", &[]);
}

fn read_execute<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let mut types: SmallVec<[TypeId; 2]> = SmallVec::new();
    if c.eat(ItemKind::Arrow).is_some() {
        types = r.result_types(c)?.into_iter().map(|(t, _)| t).collect();
    }
    let no_inline = c.eat_word(r.file(), "no_inline");
    let op = r.ir.create_op(b.kind, b.node.span, &types);
    r.ir.append(b.block, op);
    if no_inline {
        let unit = r.ctx().attr(AttrData::Unit);
        r.ir.set_attr(op, "no_inline", unit);
    }
    let read = body(r, c, op, &EntryArgs::new());
    finish(r, b, op, read)
}

fn print_execute(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    p.text("scf.execute_region");
    if !data.results.is_empty() {
        p.text(" -> ");
        let results: SmallVec<[TypeId; 2]> = data.results.iter().map(|&v| ir.value_type(v)).collect();
        p.result_types(&results);
    }
    if ir.attr(op, "no_inline").is_some() {
        p.text(" no_inline");
    }
    for &reg in &data.regions {
        p.text(" ");
        p.region(reg, false);
    }
    p.attr_dict(op, &["no_inline"]);
}

/// `scf.index_switch %x -> T case 0 { } case 1 { } default { }`; the first region is the default's, as in MLIR.
fn read_switch<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let arg = r.value(c)?;
    let dict = c.eat(ItemKind::Brace);
    let mut types: SmallVec<[TypeId; 2]> = SmallVec::new();
    if c.eat(ItemKind::Arrow).is_some() {
        types = r.result_types(c)?.into_iter().map(|(t, _)| t).collect();
    }
    let op = r.ir.create_op(b.kind, b.node.span, &types);
    r.ir.append(b.block, op);
    push_values(r, op, &[arg]);
    let mut cases = Vec::new();
    let mut read = Ok(());
    while read.is_ok() && c.eat_word(r.file(), "case") {
        let n = c.expect(ItemKind::Int)?;
        match crate::resolve::parse_i64(r.text(n.span)) {
            Some(v) => cases.push(v),
            None => return Err(c.expected("a case number")),
        }
        read = body(r, c, op, &EntryArgs::new());
    }
    if read.is_ok() {
        read = c.expect_word(r.file(), "default").and_then(|()| body(r, c, op, &EntryArgs::new()));
    }
    r.ir.op_mut(op).regions.rotate_right(1);
    finish(r, b, op, read)?;
    let a = r.ctx().attr(AttrData::DenseArray { elem: builtin::I64, values: cases.into() });
    r.ir.set_attr(op, "cases", a);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_switch(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let (Some(AttrData::DenseArray { values, .. }), Some((&default, rest))) =
        (ir.attr_data(op, "cases"), data.regions.split_first())
    else {
        return p.generic_op(op);
    };
    let values = values.clone();
    p.text("scf.index_switch ");
    p.values(&data.operands);
    p.attr_dict(op, &["cases"]);
    if !data.results.is_empty() {
        p.text(" -> ");
        let results: SmallVec<[TypeId; 2]> = data.results.iter().map(|&v| ir.value_type(v)).collect();
        p.result_types(&results);
    }
    for (v, &reg) in values.iter().zip(rest) {
        p.newline();
        p.text(&format!("case {v} "));
        p.region(reg, false);
    }
    p.newline();
    p.text("default ");
    p.region(default, false);
}

fn read_condition<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let g = c.expect(ItemKind::Paren)?;
    let mut inner = c.inside(g);
    let cond = r.value(&mut inner)?;
    inner.expect_done()?;
    let values = r.values(c)?;
    if c.eat(ItemKind::Colon).is_some() {
        r.types_for(c, &values)?;
    }
    let op = r.build(b, &[])?;
    push_values(r, op, &[cond]);
    push_values(r, op, &values);
    Ok(())
}

fn print_condition(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let Some((&cond, values)) = ir.op(op).operands.split_first() else { return p.generic_op(op) };
    p.text("scf.condition(");
    p.value(cond);
    p.text(")");
    p.attr_dict(op, &[]);
    if !values.is_empty() {
        p.text(" ");
        p.values(values);
        p.text(" : ");
        p.types_of(values);
    }
}

fn read_yield<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let values = r.values(c)?;
    if !values.is_empty() {
        c.expect(ItemKind::Colon)?;
        r.types_for(c, &values)?;
    }
    let op = r.build(b, &[])?;
    push_values(r, op, &values);
    Ok(())
}

fn print_yield(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("scf.yield");
    p.attr_dict(op, &[]);
    print_operands_typed(ir, op, p);
}
