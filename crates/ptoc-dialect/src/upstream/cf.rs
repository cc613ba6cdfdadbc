//! The `cf` dialect: branches between blocks.

use super::Upstream;
use super::builtin::push_values;
use crate::resolve::{Built, Cursor, Read, Resolver, parse_i64};
use ptoc_ir::{AttrData, Ir, OpId, Printer, Traits, builtin};
use ptoc_syntax::ItemKind;

pub(super) const OPS: &[Upstream] = &[
    Upstream::new("cf.br", Traits::TERMINATOR, read_br, print_br),
    Upstream::new("cf.cond_br", Traits::TERMINATOR, read_cond_br, print_cond_br),
    Upstream::new("cf.switch", Traits::TERMINATOR, read_switch, print_switch),
];

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
    r.ir.set_attr(op, "case_values", a);
    Ok(())
}

fn print_switch(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let (Some(AttrData::DenseArray { values, .. }), Some(&flag)) =
        (ir.attr_data(op, "case_values"), data.operands.first())
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
    p.attr_dict(op, &["case_values"]);
}
