//! The few `llvm` operations that kernels use for scalar memory.

use super::Upstream;
use super::builtin::push_values;
use super::cast::{print_cast, print_to, read_cast, read_to};
use crate::resolve::{Built, Cursor, Read, Resolver};
use ptoc_ir::{AttrData, Ir, OpId, Printer, Traits, TypeId};
use ptoc_syntax::ItemKind;

pub(super) const OPS: &[Upstream] = &[
    Upstream::new("llvm.load", Traits::NONE, read_load, print_load),
    Upstream::new("llvm.store", Traits::NONE, read_store, print_store),
    Upstream::new("llvm.alloca", Traits::NONE, read_alloca, print_alloca),
    Upstream::new("llvm.bitcast", Traits::PURE, read_cast, print_cast),
    Upstream::new("llvm.inttoptr", Traits::PURE, read_cast, print_cast),
    Upstream::new("llvm.ptrtoint", Traits::PURE, read_cast, print_cast),
];

/// `%p : T -> T`
fn read_load<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    read_to(r, c, b, |_, c| c.expect(ItemKind::Arrow).map(|_| ()))
}

fn print_load(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    print_to(ir, op, p, " -> ");
}

/// `%v, %p : T, T`
fn read_store<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let values = r.values(c)?;
    if values.len() != 2 {
        return Err(c.expected("two values"));
    }
    let dict = c.eat(ItemKind::Brace);
    c.expect(ItemKind::Colon)?;
    r.types_for(c, &values)?;
    let op = r.build(b, &[])?;
    push_values(r, op, &values);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_store(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    p.text(ir.op_name(op));
    p.text(" ");
    p.values(&data.operands);
    p.attr_dict(op, &[]);
    p.text(" : ");
    p.types_of(&data.operands);
}

/// `%n x T {attrs} : (i64) -> !llvm.ptr`
fn read_alloca<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let n = r.value(c)?;
    if c.eat(ItemKind::Cross).is_none() {
        c.expect_word(r.file(), "x")?;
    }
    let elem = r.ty(c)?;
    let dict = c.eat(ItemKind::Brace);
    c.expect(ItemKind::Colon)?;
    let g = c.expect(ItemKind::Paren)?;
    let mut inner = c.inside(g);
    r.types_for(&mut inner, &[n])?;
    inner.expect_done()?;
    c.expect(ItemKind::Arrow)?;
    let ty = r.ty(c)?;
    let op = r.build(b, &[ty])?;
    push_values(r, op, &[n]);
    let a = r.ctx().attr(AttrData::Type(elem));
    r.ir.set_attr(op, "elem_type", a);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_alloca(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let data = ir.op(op);
    let (Some(AttrData::Type(elem)), Some(&n)) = (ir.attr_data(op, "elem_type"), data.operands.first()) else {
        return p.generic_op(op);
    };
    let elem = *elem;
    p.text("llvm.alloca ");
    p.value(n);
    p.text(" x ");
    p.ty(elem);
    p.attr_dict(op, &["elem_type"]);
    p.text(" : (");
    p.type_of(n);
    p.text(") -> ");
    let results: Vec<TypeId> = data.results.iter().map(|&v| ir.value_type(v)).collect();
    p.result_types(&results);
}
