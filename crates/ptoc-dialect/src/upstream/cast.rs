//! Operations that make one value of another: `%a : T to T`, `%p : T -> T`.

use super::arith::{FLAGS, print_flags, read_flags, set_flags};
use super::builtin::push_values;
use crate::resolve::{Built, Cursor, Read, Resolver};
use ptoc_ir::{Ir, OpId, Printer};
use ptoc_syntax::ItemKind;

/// `%a : T to T`.
pub(super) fn read_cast<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    read_to(r, c, b, |r, c| c.expect_word(r.file(), "to"))
}

pub(super) fn print_cast(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    print_to(ir, op, p, " to ");
}

/// `%a FLAGS {attributes} : T`, what `between` reads, `T`.
pub(super) fn read_to<'t>(
    r: &mut Resolver<'t>,
    c: &mut Cursor<'t>,
    b: &mut Built<'t>,
    between: impl FnOnce(&Resolver<'t>, &mut Cursor<'t>) -> Read<()>,
) -> Read<()> {
    let value = r.value(c)?;
    let flags = read_flags(r, c);
    let dict = c.eat(ItemKind::Brace);
    c.expect(ItemKind::Colon)?;
    r.types_for(c, &[value])?;
    between(r, c)?;
    let to = r.ty(c)?;
    let op = r.build(b, &[to])?;
    push_values(r, op, &[value]);
    set_flags(r, op, flags);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

pub(super) fn print_to(ir: &Ir, op: OpId, p: &mut Printer<'_>, between: &str) {
    let data = ir.op(op);
    p.text(ir.op_name(op));
    p.text(" ");
    p.values(&data.operands);
    print_flags(ir, op, p);
    p.attr_dict(op, &FLAGS);
    p.text(" : ");
    p.types_of(&data.operands);
    p.text(between);
    p.types_of(&data.results);
}
