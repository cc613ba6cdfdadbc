//! The `cf` dialect: branches between blocks.

use super::Upstream;
use super::builtin::push_values;
use crate::codes;
use crate::resolve::{Built, Cursor, Read, Resolver, parse_i64, unquote};
use ptoc_ir::{AttrData, Ir, OpId, Printer, Traits, builtin};
use ptoc_source::Diagnostic;
use ptoc_syntax::ItemKind;

pub(super) const OPS: &[Upstream] = &[
    Upstream::new("cf.assert", Traits::NONE, read_assert, print_assert),
    Upstream::new("cf.br", Traits::TERMINATOR, read_br, print_br),
    Upstream::new("cf.cond_br", Traits::TERMINATOR, read_cond_br, print_cond_br),
    Upstream::new(SWITCH, Traits::TERMINATOR, read_switch, print_switch)
        .with_properties(print_switch_properties, &[CASE_VALUES]),
];

pub(crate) const SWITCH: &str = "cf.switch";
/// The case numbers, kept as an array of integers of the type of the flag.
const CASE_VALUES: &str = "case_values";
/// How many values each case is handed; the generic form only.
pub(crate) const CASE_SEGMENTS: &str = "case_operand_segments";

/// `cf.assert %c, "what must hold"`
fn read_assert<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let cond = r.value(c)?;
    r.check_type(cond.0, cond.1, builtin::I1, cond.1)?;
    c.expect(ItemKind::Comma)?;
    let message = c.expect(ItemKind::Str)?;
    let text = unquote(r.text(message.span));
    let op = r.build(b, &[])?;
    push_values(r, op, &[cond]);
    let a = r.ctx().str_attr(&text);
    r.ir.set_attr(op, "msg", a);
    Ok(())
}

fn print_assert(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let (Some(&cond), Some(msg)) = (ir.op(op).operands.first(), ir.attr(op, "msg")) else { return p.generic_op(op) };
    p.text("cf.assert ");
    p.value(cond);
    p.text(", ");
    p.attr(msg);
    p.attr_dict(op, &["msg"]);
}

fn read_br<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let s = r.successor(c)?;
    let op = r.build(b, &[])?;
    r.ir.op_mut(op).successors.push(s);
    Ok(())
}

fn print_br(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("cf.br ");
    p.list(&ir.op(op).successors, |p, s| p.successor(s));
    p.attr_dict(op, &[]);
}

fn read_cond_br<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let cond = r.value(c)?;
    r.check_type(cond.0, cond.1, builtin::I1, cond.1)?;
    c.expect(ItemKind::Comma)?;
    let yes = r.successor(c)?;
    c.expect(ItemKind::Comma)?;
    let no = r.successor(c)?;
    let op = r.build(b, &[])?;
    push_values(r, op, &[cond]);
    r.ir.op_mut(op).successors.extend([yes, no]);
    Ok(())
}

fn print_cond_br(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("cf.cond_br ");
    p.values(&ir.op(op).operands);
    for s in &ir.op(op).successors {
        p.text(", ");
        p.successor(s);
    }
    p.attr_dict(op, &[]);
}

/// `cf.switch %x : i32, [default: ^a, 0: ^b(%v : T)]`
fn read_switch<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let flag = r.value(c)?;
    c.expect(ItemKind::Colon)?;
    let at = c.here();
    let ty = r.ty(c)?;
    r.check_type(flag.0, flag.1, ty, at)?;
    c.expect(ItemKind::Comma)?;
    let g = c.expect(ItemKind::Bracket)?;
    let mut inner = c.inside(g);
    let (mut cases, mut successors) = (Vec::new(), Vec::new());
    loop {
        if successors.is_empty() {
            inner.expect_word(r.file(), "default")?;
        } else {
            let n = inner.expect(ItemKind::Int)?;
            cases.push(parse_i64(r.text(n.span)).ok_or_else(|| inner.expected("a case number"))?);
        }
        inner.expect(ItemKind::Colon)?;
        successors.push(r.successor(&mut inner)?);
        if inner.eat(ItemKind::Comma).is_none() {
            break;
        }
    }
    inner.expect_done()?;
    let op = r.build(b, &[])?;
    push_values(r, op, &[flag]);
    r.ir.op_mut(op).successors.extend(successors);
    let a = r.ctx().attr(AttrData::DenseArray { elem: ty, values: cases.into() });
    r.ir.set_attr(op, CASE_VALUES, a);
    Ok(())
}

/// In the generic form the default's values are one group of operands, and those of all cases another, which
/// `case_operand_segments` divides; the numbers are a vector.
fn print_switch_properties(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let handed: Vec<usize> = data.successors.iter().map(|s| s.args.len()).collect();
    let (default, cases) = handed.split_first().map_or((0, &[][..]), |(d, c)| (*d, c));
    p.text(CASE_SEGMENTS);
    p.text(" = ");
    p.sizes(cases);
    if let Some(AttrData::DenseArray { elem, values }) = ir.attr_data(op, CASE_VALUES)
        && !values.is_empty()
    {
        let list: Vec<String> = values.iter().map(i64::to_string).collect();
        let list = if list.len() == 1 { list[0].clone() } else { format!("[{}]", list.join(", ")) };
        p.text(&format!(", {CASE_VALUES} = dense<{list}> : vector<{}x", values.len()));
        p.ty(*elem);
        p.text(">");
    }
    p.text(", operandSegmentSizes = ");
    p.sizes(&[data.operands.len(), default, cases.iter().sum()]);
}

/// Takes the case numbers of the generic form out of their vector. There is one for every successor but the first.
pub(crate) fn unpack_case_values(r: &mut Resolver<'_>, op: OpId) -> Read<()> {
    let data = r.ir.op(op);
    let (span, count) = (data.span, data.successors.len().saturating_sub(1));
    let bad = |what: String| {
        let d = Diagnostic::error(codes::BAD_ATTRIBUTE, span, format!("cf.switch: {what}"));
        Box::new(d.help("write `case_values = dense<[0, 1]> : vector<2xi32>`, with one number for each case"))
    };
    let Some(&flag) = data.operands.first() else { return Err(bad("the value to choose by is missing".into())) };
    let values: Box<[i64]> = match r.ir.attr_data(op, CASE_VALUES) {
        None => Box::default(),
        Some(AttrData::DenseArray { values, .. }) => values.clone(),
        Some(AttrData::Raw(text)) => {
            let text = r.ir.ctx.str(*text);
            let list = text.strip_prefix("dense<").and_then(|t| t.split_once('>')).map(|(list, _)| list);
            let list = list.ok_or_else(|| bad("`case_values` are no numbers".into()))?;
            let list = list.trim().trim_start_matches('[').trim_end_matches(']');
            let numbers = list.split(',').map(|n| parse_i64(n.trim()));
            numbers.collect::<Option<_>>().ok_or_else(|| bad("`case_values` are no list of numbers".into()))?
        }
        Some(_) => return Err(bad("`case_values` are no numbers".into())),
    };
    if values.len() != count {
        return Err(bad(format!("{} case values for {count} cases", values.len())));
    }
    let elem = r.ir.value_type(flag);
    let a = r.ctx().attr(AttrData::DenseArray { elem, values });
    r.ir.set_attr(op, CASE_VALUES, a);
    Ok(())
}

fn print_switch(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let (Some(AttrData::DenseArray { values, .. }), Some(&flag)) =
        (ir.attr_data(op, CASE_VALUES), data.operands.first())
    else {
        return p.generic_op(op);
    };
    let values = values.clone();
    p.text("cf.switch ");
    p.value(flag);
    p.text(" : ");
    p.type_of(flag);
    p.text(", [");
    for (i, s) in data.successors.iter().enumerate() {
        match i.checked_sub(1).and_then(|n| values.get(n)) {
            Some(v) => p.text(&format!(", {v}: ")),
            None => p.text("default: "),
        }
        p.successor(s);
    }
    p.text("]");
    p.attr_dict(op, &[CASE_VALUES]);
}
