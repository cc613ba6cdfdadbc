//! What integer arithmetic gives when enough of it is known.
//!
//! Numbers are kept sign-extended from their width; `index` has 64 bits. Nothing is folded that has no defined result: division
//! by zero, the overflow of a signed division, shifts by the width or more.

use ptoc_ir::{AttrData, AttrId, Context, Ir, OpId, OpKind, Signedness, TypeData, TypeId, ValueId, builtin};
use std::sync::LazyLock;

/// What an op folds to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folded {
    /// A constant of the result's type.
    Number(i128),
    /// One of the operands, or what an operand was made of.
    Value(ValueId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Add,
    Sub,
    Mul,
    DivS,
    DivU,
    RemS,
    RemU,
    CeilDivS,
    CeilDivU,
    FloorDivS,
    MinS,
    MaxS,
    MinU,
    MaxU,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    ShrS,
    Compare,
    Select,
    /// The low bits, sign-extended where the result is wider.
    Signed,
    /// The same, zero-extended.
    Unsigned,
}

const RULES: [(&str, Rule); 27] = [
    ("arith.addi", Rule::Add),
    ("arith.subi", Rule::Sub),
    ("arith.muli", Rule::Mul),
    ("arith.divsi", Rule::DivS),
    ("arith.divui", Rule::DivU),
    ("arith.remsi", Rule::RemS),
    ("arith.remui", Rule::RemU),
    ("arith.ceildivsi", Rule::CeilDivS),
    ("arith.ceildivui", Rule::CeilDivU),
    ("arith.floordivsi", Rule::FloorDivS),
    ("arith.minsi", Rule::MinS),
    ("arith.maxsi", Rule::MaxS),
    ("arith.minui", Rule::MinU),
    ("arith.maxui", Rule::MaxU),
    ("arith.andi", Rule::And),
    ("arith.ori", Rule::Or),
    ("arith.xori", Rule::Xor),
    ("arith.shli", Rule::Shl),
    ("arith.shrui", Rule::ShrU),
    ("arith.shrsi", Rule::ShrS),
    ("arith.cmpi", Rule::Compare),
    ("arith.select", Rule::Select),
    ("arith.index_cast", Rule::Signed),
    ("arith.index_castui", Rule::Unsigned),
    ("arith.trunci", Rule::Signed),
    ("arith.extsi", Rule::Signed),
    ("arith.extui", Rule::Unsigned),
];

static BY_KIND: LazyLock<Vec<Option<Rule>>> = LazyLock::new(|| {
    let mut table = vec![None; ptoc_dialect::Dialects::get().registry().infos().len()];
    for (name, rule) in RULES {
        if let Some(slot) = table.get_mut(ptoc_dialect::kind(name).index()) {
            *slot = Some(rule);
        }
    }
    table
});

fn rule(kind: OpKind) -> Option<Rule> {
    BY_KIND.get(kind.index()).copied().flatten()
}

/// Width in bits of a signless integer of at most 64 bits, or of an index.
fn width(ctx: &Context, ty: TypeId) -> Option<u32> {
    match ctx.type_data(ty) {
        TypeData::Index => Some(64),
        TypeData::Integer { width, sign: Signedness::Signless } if (1..=64).contains(width) => Some(*width),
        _ => None,
    }
}

/// The low `width` bits, sign-extended.
const fn signed(v: i128, width: u32) -> i128 {
    (v << (128 - width)) >> (128 - width)
}

/// The low `width` bits.
const fn unsigned(v: i128, width: u32) -> i128 {
    v & ((1i128 << width) - 1)
}

/// The number that a value is known to be, sign-extended from its width.
pub(super) fn known(ir: &Ir, value: ValueId) -> Option<i128> {
    let op = ir.defining_op(value)?;
    if ir.op_name(op) != "arith.constant" {
        return None;
    }
    let width = width(&ir.ctx, ir.value_type(value))?;
    match ir.attr_data(op, "value")? {
        AttrData::Integer { value, .. } => Some(signed(*value, width)),
        AttrData::Bool(b) => Some(signed(i128::from(*b), width)),
        _ => None,
    }
}

/// The attribute of a constant.
pub(super) fn attribute(ctx: &mut Context, value: i128, ty: TypeId) -> AttrId {
    match ty {
        builtin::I1 => ctx.attr(AttrData::Bool(value & 1 == 1)),
        _ => ctx.int_attr(value, ty),
    }
}

/// Folds one op with a single result.
pub(super) fn fold(ir: &Ir, op: OpId) -> Option<Folded> {
    let data = ir.op(op);
    let rule = rule(data.kind)?;
    let &[result] = data.results.as_slice() else { return None };
    let operands = data.operands.as_slice();
    if rule == Rule::Select {
        return select(ir, operands);
    }
    let to = width(&ir.ctx, ir.value_type(result))?;
    match (rule, operands) {
        (Rule::Signed | Rule::Unsigned, &[from]) => cast(ir, op, rule, from, to),
        (_, &[a, b]) => {
            let w = width(&ir.ctx, ir.value_type(a))?;
            let (ka, kb) = (known(ir, a), known(ir, b));
            if rule == Rule::Compare {
                return compare(ir.int_attr(op, "predicate")?, a, b, ka, kb, w);
            }
            if let (Some(x), Some(y)) = (ka, kb) {
                return binary(rule, x, y, w).map(|v| Folded::Number(signed(v, w)));
            }
            identity(rule, a, b, ka, kb)
        }
        _ => None,
    }
}

fn select(ir: &Ir, operands: &[ValueId]) -> Option<Folded> {
    let &[condition, yes, no] = operands else { return None };
    if yes == no {
        return Some(Folded::Value(yes));
    }
    let known = known(ir, condition)?;
    Some(Folded::Value(if known == 0 { no } else { yes }))
}

fn cast(ir: &Ir, op: OpId, rule: Rule, from: ValueId, to: u32) -> Option<Folded> {
    let from_ty = ir.value_type(from);
    let w = width(&ir.ctx, from_ty)?;
    if let Some(v) = known(ir, from) {
        let v = if rule == Rule::Unsigned { unsigned(v, w) } else { v };
        return Some(Folded::Number(signed(v, to)));
    }
    // A cast to a type at least as wide, and back.
    let before = ir.defining_op(from)?;
    let (first, &[source]) = (self::rule(ir.op(before).kind)?, ir.op(before).operands.as_slice()) else { return None };
    let source_ty = ir.value_type(source);
    let wider = matches!(first, Rule::Signed | Rule::Unsigned) && width(&ir.ctx, source_ty)? <= w;
    let back = ir.op(op).results.first().is_some_and(|&r| ir.value_type(r) == source_ty);
    (wider && back).then_some(Folded::Value(source))
}

fn binary(rule: Rule, x: i128, y: i128, w: u32) -> Option<i128> {
    let (ux, uy) = (unsigned(x, w), unsigned(y, w));
    let lowest = -(1i128 << (w - 1));
    let divides = y != 0 && !(x == lowest && y == -1);
    Some(match rule {
        Rule::Add => x + y,
        Rule::Sub => x - y,
        Rule::Mul => x * y,
        Rule::DivS if divides => x / y,
        Rule::RemS if divides => x % y,
        Rule::FloorDivS if divides => x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0),
        Rule::CeilDivS if divides => x / y + i128::from(x % y != 0 && (x < 0) == (y < 0)),
        Rule::DivU if uy != 0 => ux / uy,
        Rule::RemU if uy != 0 => ux % uy,
        Rule::CeilDivU if uy != 0 => (ux + uy - 1) / uy,
        Rule::MinS => x.min(y),
        Rule::MaxS => x.max(y),
        Rule::MinU => ux.min(uy),
        Rule::MaxU => ux.max(uy),
        Rule::And => x & y,
        Rule::Or => x | y,
        Rule::Xor => x ^ y,
        Rule::Shl if uy < i128::from(w) => ux << uy,
        Rule::ShrU if uy < i128::from(w) => ux >> uy,
        Rule::ShrS if uy < i128::from(w) => x >> uy,
        _ => return None,
    })
}

/// Neutral and absorbing operands.
fn identity(rule: Rule, a: ValueId, b: ValueId, ka: Option<i128>, kb: Option<i128>) -> Option<Folded> {
    let same = a == b;
    Some(match rule {
        Rule::Add | Rule::Or | Rule::Xor if kb == Some(0) => Folded::Value(a),
        Rule::Add | Rule::Or | Rule::Xor if ka == Some(0) => Folded::Value(b),
        Rule::Sub | Rule::Shl | Rule::ShrU | Rule::ShrS if kb == Some(0) => Folded::Value(a),
        Rule::Sub | Rule::Xor if same => Folded::Number(0),
        Rule::Mul if kb == Some(1) => Folded::Value(a),
        Rule::Mul if ka == Some(1) => Folded::Value(b),
        Rule::Mul | Rule::And if ka == Some(0) || kb == Some(0) => Folded::Number(0),
        Rule::And if kb == Some(-1) => Folded::Value(a),
        Rule::And if ka == Some(-1) => Folded::Value(b),
        Rule::DivS | Rule::DivU | Rule::FloorDivS | Rule::CeilDivS | Rule::CeilDivU if kb == Some(1) => {
            Folded::Value(a)
        }
        Rule::RemS | Rule::RemU if kb == Some(1) => Folded::Number(0),
        Rule::MinS | Rule::MaxS | Rule::MinU | Rule::MaxU | Rule::And | Rule::Or if same => Folded::Value(a),
        _ => return None,
    })
}

/// Predicates in the order of their codes: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
fn compare(predicate: i128, a: ValueId, b: ValueId, ka: Option<i128>, kb: Option<i128>, w: u32) -> Option<Folded> {
    let (x, y) = match (ka, kb) {
        (Some(x), Some(y)) => (x, y),
        _ if a == b => (0, 0),
        _ => return None,
    };
    let (ux, uy) = (unsigned(x, w), unsigned(y, w));
    let holds = match predicate {
        0 => x == y,
        1 => x != y,
        2 => x < y,
        3 => x <= y,
        4 => x > y,
        5 => x >= y,
        6 => ux < uy,
        7 => ux <= uy,
        8 => ux > uy,
        9 => ux >= uy,
        _ => return None,
    };
    Some(Folded::Number(i128::from(holds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_the_width() {
        assert_eq!(signed(255, 8), -1);
        assert_eq!(signed(binary(Rule::Add, 127, 1, 8).unwrap(), 8), -128);
        assert_eq!(signed(binary(Rule::Mul, 1 << 40, 1 << 40, 64).unwrap(), 64), 0);
        assert_eq!(binary(Rule::DivU, -1, 16, 8), Some(15));
        assert_eq!(signed(binary(Rule::ShrU, -1, 4, 8).unwrap(), 8), 15);
        assert_eq!(binary(Rule::ShrS, -16, 2, 8), Some(-4));
    }

    #[test]
    fn divisions_round_as_their_names_say() {
        for (x, y, floor, ceil) in
            [(7, 2, 3, 4), (-7, 2, -4, -3), (7, -2, -4, -3), (-7, -2, 3, 4), (6, 3, 2, 2), (-6, 3, -2, -2)]
        {
            assert_eq!(binary(Rule::FloorDivS, x, y, 32), Some(floor), "{x} floor {y}");
            assert_eq!(binary(Rule::CeilDivS, x, y, 32), Some(ceil), "{x} ceil {y}");
        }
    }

    #[test]
    fn what_has_no_result_is_not_folded() {
        assert_eq!(binary(Rule::DivS, 1, 0, 32), None);
        assert_eq!(binary(Rule::RemU, 1, 0, 32), None);
        assert_eq!(binary(Rule::DivS, i128::from(i32::MIN), -1, 32), None);
        assert_eq!(binary(Rule::Shl, 1, 32, 32), None);
        assert_eq!(binary(Rule::Shl, 1, -1, 32), None);
    }
}
