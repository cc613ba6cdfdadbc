//! The `arith` dialect.

use super::Upstream;
use super::builtin::push_values;
use super::cast::{print_cast, read_cast};
use crate::codes;
use crate::resolve::{Built, Cursor, Read, Resolver};
use ptoc_ir::{AttrData, Ir, OpId, Printer, Traits, TypeData, TypeId, builtin};
use ptoc_source::{Diagnostic, did_you_mean};
use ptoc_syntax::ItemKind;

const PURE: Traits = Traits::PURE;
const SAME: Traits = Traits::PURE.and(Traits::SAME_TYPES);

const fn binary(name: &'static str) -> Upstream {
    Upstream::new(name, SAME, read_same, print_same)
}

const fn cast(name: &'static str) -> Upstream {
    Upstream::new(name, PURE, read_cast, print_cast)
}

pub(super) const OPS: &[Upstream] = &[
    Upstream::new("arith.constant", PURE, read_constant, print_constant),
    Upstream::new("arith.cmpi", PURE, read_cmp, print_cmp),
    Upstream::new("arith.cmpf", PURE, read_cmp, print_cmp),
    Upstream::new("arith.select", PURE, read_select, print_select),
    binary("arith.addi"),
    binary("arith.subi"),
    binary("arith.muli"),
    binary("arith.divsi"),
    binary("arith.divui"),
    binary("arith.remsi"),
    binary("arith.remui"),
    binary("arith.ceildivsi"),
    binary("arith.ceildivui"),
    binary("arith.floordivsi"),
    binary("arith.minsi"),
    binary("arith.maxsi"),
    binary("arith.minui"),
    binary("arith.maxui"),
    binary("arith.andi"),
    binary("arith.ori"),
    binary("arith.xori"),
    binary("arith.shli"),
    binary("arith.shrui"),
    binary("arith.shrsi"),
    binary("arith.addf"),
    binary("arith.subf"),
    binary("arith.mulf"),
    binary("arith.divf"),
    binary("arith.remf"),
    binary("arith.minimumf"),
    binary("arith.maximumf"),
    binary("arith.minnumf"),
    binary("arith.maxnumf"),
    binary("arith.negf"),
    cast("arith.index_cast"),
    cast("arith.index_castui"),
    cast("arith.trunci"),
    cast("arith.extui"),
    cast("arith.extsi"),
    cast("arith.truncf"),
    cast("arith.extf"),
    cast("arith.sitofp"),
    cast("arith.uitofp"),
    cast("arith.fptosi"),
    cast("arith.fptoui"),
    cast("arith.bitcast"),
];

/// Integer predicates in the order of their codes.
const CMPI: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
/// Float predicates in the order of their codes.
const CMPF: [&str; 16] =
    ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"];

fn read_constant<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let dict = c.eat(ItemKind::Brace);
    let at = c.here();
    let value = r.texts.attr(&mut r.ir.ctx, c)?;
    let ty = match r.ir.ctx.attr_data(value) {
        AttrData::Bool(_) => {
            if c.eat(ItemKind::Colon).is_some() {
                let at = c.here();
                let ty = r.ty(c)?;
                if ty != builtin::I1 {
                    return Err(Box::new(
                        Diagnostic::error(codes::TYPE_MISMATCH, at, "true and false have type `i1`")
                            .help("write `i1`, or a number"),
                    ));
                }
            }
            builtin::I1
        }
        AttrData::Integer { ty, .. } | AttrData::Float { ty, .. } | AttrData::FloatBits { ty, .. } => *ty,
        AttrData::Raw(s) => {
            let text = r.ir.ctx.str(*s).to_owned();
            match text.rsplit_once(" : ") {
                Some((_, t)) => {
                    crate::types::parse_type_text(r.ctx(), t, ptoc_target::Arch::A2A3).map_err(|mut d| {
                        d.labels.clear();
                        Box::new(d)
                    })?
                }
                None => return Err(c.expected("`:` and the type of the constant")),
            }
        }
        _ => {
            return Err(Box::new(Diagnostic::error(
                codes::BAD_NUMBER,
                at,
                "a constant is a number, true, false or dense<...>",
            )));
        }
    };
    let op = r.build(b, &[ty])?;
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    r.ir.set_attr(op, "value", value);
    Ok(())
}

fn print_constant(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text("arith.constant");
    p.attr_dict(op, &["value"]);
    p.text(" ");
    if let Some(a) = ir.attr(op, "value") {
        p.attr(a);
    }
}

/// `overflow<...>` and `fastmath<...>`.
pub(super) fn read_flags<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>) -> Option<(&'static str, &'static str, String)> {
    for (word, kind, name) in [("overflow", "overflow", "overflowFlags"), ("fastmath", "fastmath", "fastmath")] {
        if c.at_word(r.file(), word) {
            c.bump();
            if let Some(g) = c.eat(ItemKind::Angle) {
                let text = r.text(g.span);
                return Some((name, kind, text.trim_matches(['<', '>']).trim().to_owned()));
            }
        }
    }
    None
}

pub(super) fn set_flags(r: &mut Resolver<'_>, op: OpId, f: Option<(&'static str, &'static str, String)>) {
    if let Some((name, kind, body)) = f {
        let a = r.ctx().dialect_attr("arith", kind, &body, false);
        r.ir.set_attr(op, name, a);
    }
}

pub(super) fn print_flags(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    for (word, name) in [("overflow", "overflowFlags"), ("fastmath", "fastmath")] {
        if let Some(body) = ir.word_attr(op, name) {
            p.text(&format!(" {word}<{body}>"));
        }
    }
}

/// The attributes that flags are kept in.
pub(super) const FLAGS: [&str; 2] = ["overflowFlags", "fastmath"];

/// Operands and result of one type: `%a, %b : T`.
fn read_same<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let values = r.values(c)?;
    let want = if r.text(b.node.name) == "arith.negf" { 1 } else { 2 };
    if values.len() != want {
        return Err(c.expected("a value"));
    }
    let f = read_flags(r, c);
    let dict = c.eat(ItemKind::Brace);
    c.expect(ItemKind::Colon)?;
    let at = c.here();
    let ty = r.ty(c)?;
    for &(v, span) in &values {
        r.check_type(v, span, ty, at)?;
    }
    let op = r.build(b, &[ty])?;
    push_values(r, op, &values);
    set_flags(r, op, f);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_same(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    p.text(ir.op_name(op));
    p.text(" ");
    p.values(&ir.op(op).operands);
    print_flags(ir, op, p);
    p.attr_dict(op, &FLAGS);
    p.text(" : ");
    if let Some(&v) = ir.op(op).results.first() {
        p.type_of(v);
    }
}

/// `PREDICATE, %a, %b : T`. The predicate is kept as its code in attribute `predicate`, as MLIR keeps it.
fn read_cmp<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let words: &[&str] = if r.text(b.node.name) == "arith.cmpi" { &CMPI } else { &CMPF };
    let Some(item) = c.peek().filter(|i| matches!(i.kind, ItemKind::Word | ItemKind::Str)) else {
        return Err(c.expected("a predicate"));
    };
    let word = r.text(item.span).trim_matches('"');
    let Some(code) = words.iter().position(|w| *w == word) else {
        let d = Diagnostic::error(codes::BAD_ATTRIBUTE, item.span, format!("no predicate `{word}`"))
            .note(format!("the predicates are {}", words.join(", ")));
        return Err(Box::new(match did_you_mean(word, words.iter().copied()) {
            Some(w) => d.fix(format!("did you mean `{w}`?"), item.span, w),
            None => d,
        }));
    };
    c.bump();
    c.expect(ItemKind::Comma)?;
    let values = r.values(c)?;
    if values.len() != 2 {
        return Err(c.expected("two values"));
    }
    let f = read_flags(r, c);
    let dict = c.eat(ItemKind::Brace);
    c.expect(ItemKind::Colon)?;
    let at = c.here();
    let ty = r.ty(c)?;
    for &(v, span) in &values {
        r.check_type(v, span, ty, at)?;
    }
    let result = match r.ir.ctx.type_data(ty).clone() {
        TypeData::Vector { dims, .. } => r.ctx().ty(TypeData::Vector { dims, elem: builtin::I1 }),
        _ => builtin::I1,
    };
    let op = r.build(b, &[result])?;
    push_values(r, op, &values);
    let a = r.ctx().int_attr(code as i128, builtin::I64);
    r.ir.set_attr(op, "predicate", a);
    set_flags(r, op, f);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_cmp(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let words: &[&str] = if ir.op_name(op) == "arith.cmpi" { &CMPI } else { &CMPF };
    let word = ir.int_attr(op, "predicate").and_then(|n| words.get(usize::try_from(n).ok()?));
    let Some(word) = word else { return p.generic_op(op) };
    p.text(ir.op_name(op));
    p.text(" ");
    p.text(word);
    p.text(", ");
    p.values(&ir.op(op).operands);
    print_flags(ir, op, p);
    p.attr_dict(op, &["predicate", FLAGS[0], FLAGS[1]]);
    p.text(" : ");
    if let Some(&v) = ir.op(op).operands.first() {
        p.type_of(v);
    }
}

/// `%c, %a, %b : T`.
fn read_select<'t>(r: &mut Resolver<'t>, c: &mut Cursor<'t>, b: &mut Built<'t>) -> Read<()> {
    let values = r.values(c)?;
    if values.len() != 3 {
        return Err(c.expected("three values"));
    }
    let dict = c.eat(ItemKind::Brace);
    c.expect(ItemKind::Colon)?;
    let mut types: Vec<(TypeId, ptoc_source::Span)> = Vec::new();
    r.texts.type_list(&mut r.ir.ctx, c, &mut types)?;
    let Some(&(ty, at)) = types.last() else { return Err(c.expected("a type")) };
    for &(v, span) in &values[1..] {
        r.check_type(v, span, ty, at)?;
    }
    if types.len() == 1 {
        r.check_type(values[0].0, values[0].1, builtin::I1, values[0].1)?;
    }
    let op = r.build(b, &[ty])?;
    push_values(r, op, &values);
    if let Some(d) = dict {
        r.dict_into(op, c, d)?;
    }
    Ok(())
}

fn print_select(ir: &Ir, op: OpId, p: &mut Printer<'_>) {
    let operands = ir.op(op).operands.clone();
    p.text("arith.select ");
    p.values(&operands);
    p.attr_dict(op, &[]);
    p.text(" : ");
    if let Some(&cond) = operands.first()
        && ir.value_type(cond) != builtin::I1
    {
        p.type_of(cond);
        p.text(", ");
    }
    if let Some(&v) = ir.op(op).results.first() {
        p.type_of(v);
    }
}
