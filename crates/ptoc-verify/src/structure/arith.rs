//! Which numbers each operation of `arith` works on.

use crate::codes;
use crate::walk::Walker;
use ptoc_ir::{AttrData, Context, Ir, OpId, Signedness, TypeData, TypeId, builtin};
use ptoc_source::Diagnostic;

/// What an operation of `arith` asks of its operands and gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arith {
    Constant,
    /// Whole numbers to one of the same type.
    Ints,
    /// Floating-point numbers to one of the same type.
    Floats,
    CompareInts,
    CompareFloats,
    Select,
    /// Between `index` and integers.
    IndexCast,
    IntWider,
    IntNarrower,
    FloatWider,
    FloatNarrower,
    IntToFloat,
    FloatToInt,
    /// Other meaning of the same bits.
    Bits,
}

impl Arith {
    pub(crate) fn of(name: &str) -> Option<Arith> {
        Some(match name.strip_prefix("arith.")? {
            "constant" => Arith::Constant,
            "cmpi" => Arith::CompareInts,
            "cmpf" => Arith::CompareFloats,
            "select" => Arith::Select,
            "index_cast" | "index_castui" => Arith::IndexCast,
            "extsi" | "extui" => Arith::IntWider,
            "trunci" => Arith::IntNarrower,
            "extf" => Arith::FloatWider,
            "truncf" => Arith::FloatNarrower,
            "sitofp" | "uitofp" => Arith::IntToFloat,
            "fptosi" | "fptoui" => Arith::FloatToInt,
            "bitcast" => Arith::Bits,
            n if n.ends_with('f') => Arith::Floats,
            _ => Arith::Ints,
        })
    }
}

/// A number type, or the elements of a vector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Index,
    Int(u32),
    Float(u32),
    Other,
}

fn number(ctx: &Context, ty: TypeId) -> Number {
    match *ctx.type_data(ty) {
        TypeData::Index => Number::Index,
        TypeData::Integer { width, sign: Signedness::Signless } => Number::Int(width),
        TypeData::Float(k) => Number::Float(k.bits()),
        TypeData::Vector { elem, .. } | TypeData::Tensor { elem, .. } => match *ctx.type_data(elem) {
            TypeData::Index => Number::Index,
            TypeData::Integer { width, sign: Signedness::Signless } => Number::Int(width),
            TypeData::Float(k) => Number::Float(k.bits()),
            _ => Number::Other,
        },
        _ => Number::Other,
    }
}

/// The operation that does the same with numbers of the other kind.
fn twin(name: &str) -> Option<&'static str> {
    Some(match name.strip_prefix("arith.")? {
        "addi" => "arith.addf",
        "subi" => "arith.subf",
        "muli" => "arith.mulf",
        "divsi" | "divui" => "arith.divf",
        "remsi" | "remui" => "arith.remf",
        "minsi" | "minui" => "arith.minimumf",
        "maxsi" | "maxui" => "arith.maximumf",
        "cmpi" => "arith.cmpf",
        "addf" => "arith.addi",
        "subf" => "arith.subi",
        "mulf" => "arith.muli",
        "divf" => "arith.divsi",
        "remf" => "arith.remsi",
        "minimumf" | "minnumf" => "arith.minsi",
        "maximumf" | "maxnumf" => "arith.maxsi",
        "cmpf" => "arith.cmpi",
        _ => return None,
    })
}

/// Checks the kinds of numbers; operands and results are as many as they should be.
pub(crate) fn arith(w: &mut Walker<'_>, op: OpId, kind: Arith) -> bool {
    let ir = w.ir();
    let data = ir.op(op);
    let Some(&result) = data.results.first() else { return true };
    let to_type = ir.value_type(result);
    let to = number(&ir.ctx, to_type);
    let is_int = |n: Number| matches!(n, Number::Int(_) | Number::Index);
    let is_float = |n: Number| matches!(n, Number::Float(_));
    if kind == Arith::Constant {
        return constant(w, op, to_type);
    }
    let Some(&first) = data.operands.first() else { return true };
    let from = number(&ir.ctx, ir.value_type(first));
    let wanted = match kind {
        Arith::Ints | Arith::CompareInts if !is_int(from) => "integers or indices",
        Arith::Floats | Arith::CompareFloats if !is_float(from) => "floating-point numbers",
        Arith::IndexCast if !(is_int(from) && is_int(to) && (from == Number::Index) != (to == Number::Index)) => {
            "an index to an integer, or an integer to an index"
        }
        Arith::IntWider if !matches!((from, to), (Number::Int(a), Number::Int(b)) if a < b) => {
            "an integer to a wider one"
        }
        Arith::IntNarrower if !matches!((from, to), (Number::Int(a), Number::Int(b)) if a > b) => {
            "an integer to a narrower one"
        }
        Arith::FloatWider if !matches!((from, to), (Number::Float(a), Number::Float(b)) if a < b) => {
            "a floating-point number to a wider one"
        }
        Arith::FloatNarrower if !matches!((from, to), (Number::Float(a), Number::Float(b)) if a > b) => {
            "a floating-point number to a narrower one"
        }
        Arith::IntToFloat if !(matches!(from, Number::Int(_)) && is_float(to)) => {
            "an integer to a floating-point number"
        }
        Arith::FloatToInt if !(is_float(from) && matches!(to, Number::Int(_))) => {
            "a floating-point number to an integer"
        }
        Arith::Bits if !same_bits(from, to) => "a number to another of as many bits",
        Arith::Select => return select(w, op, to_type),
        _ => return true,
    };
    let name = ir.op_name(op);
    let casts = wanted.contains(" to ");
    let shown = |ty: TypeId| ir.ctx.type_string(ty);
    let from_type = ir.value_type(first);
    let message = if casts {
        format!("{name}: takes {wanted}, not {} to {}", shown(from_type), shown(to_type))
    } else {
        format!("{name}: takes {wanted}, not {}", shown(from_type))
    };
    let d = Diagnostic::error(codes::NUMBER_KIND, ir.op(op).span, message)
        .label(ir.operand_span(op, 0), format!("this is {}", shown(from_type)));
    let d = match twin(name) {
        Some(twin) if is_int(from) || is_float(from) => d.help(format!("use `{twin}`, or convert the operands first")),
        _ if casts => d.help(match (from, to) {
            (Number::Int(_), Number::Int(_)) => {
                "`arith.extsi` and `arith.extui` make wider, `arith.trunci` makes narrower"
            }
            (Number::Float(_), Number::Float(_)) => "`arith.extf` makes wider, `arith.truncf` makes narrower",
            (Number::Int(_), Number::Float(_)) => "`arith.sitofp` and `arith.uitofp` convert these",
            (Number::Float(_), Number::Int(_)) => "`arith.fptosi` and `arith.fptoui` convert these",
            (Number::Index, Number::Int(_)) | (Number::Int(_), Number::Index) => "`arith.index_cast` converts these",
            _ => "convert through an integer: `arith.index_cast`, then `arith.sitofp`",
        }),
        _ => d.help("pass numbers of that kind"),
    };
    w.out.push(d);
    false
}

fn same_bits(from: Number, to: Number) -> bool {
    let bits = |n: Number| match n {
        Number::Int(w) | Number::Float(w) => Some(w),
        Number::Index | Number::Other => None,
    };
    bits(from).is_some() && bits(from) == bits(to)
}

/// The value of a constant has the type of its result.
fn constant(w: &mut Walker<'_>, op: OpId, to: TypeId) -> bool {
    let ir = w.ir();
    let Some(value) = ir.attr_data(op, "value") else {
        let d = Diagnostic::error(codes::ATTRIBUTE, ir.op(op).span, "arith.constant: attribute `value` is missing")
            .help("add `value = 1 : i32`, for example");
        w.out.push(d);
        return false;
    };
    let ty = match value {
        AttrData::Integer { ty, .. } | AttrData::Float { ty, .. } | AttrData::FloatBits { ty, .. } => *ty,
        AttrData::Bool(_) => builtin::I1,
        _ => return true,
    };
    if ty == to {
        return true;
    }
    let message =
        format!("arith.constant: the value is {}, the result {}", ir.ctx.type_string(ty), ir.ctx.type_string(to));
    let d = Diagnostic::error(codes::NUMBER_KIND, ir.op(op).span, message).help("give both one type");
    w.out.push(d);
    false
}

/// A condition, and two values of the type of the result.
fn select(w: &mut Walker<'_>, op: OpId, to: TypeId) -> bool {
    let ir = w.ir();
    let &[cond, a, b] = &ir.op(op).operands[..] else { return true };
    let cond_ok = number(&ir.ctx, ir.value_type(cond)) == Number::Int(1);
    if cond_ok && [a, b].iter().all(|&v| ir.value_type(v) == to) {
        return true;
    }
    let shown: Vec<String> = [cond, a, b].iter().map(|&v| ir.ctx.type_string(ir.value_type(v))).collect();
    let message = format!(
        "arith.select: takes a condition of type i1 and two values of the type of the result ({}), not {}",
        ir.ctx.type_string(to),
        shown.join(", ")
    );
    let d = Diagnostic::error(codes::NUMBER_KIND, ir.op(op).span, message).help("`arith.cmpi` gives a condition");
    w.out.push(d);
    false
}

/// True for a signed or unsigned comparison whose predicate exists.
pub(crate) fn predicate(w: &mut Walker<'_>, op: OpId, kind: Arith) -> bool {
    let ir: &Ir = w.ir();
    let most = match kind {
        Arith::CompareInts => 9,
        Arith::CompareFloats => 15,
        _ => return true,
    };
    if ir.int_attr(op, "predicate").is_some_and(|n| (0..=most).contains(&n)) {
        return true;
    }
    let message = format!("{}: the predicate is missing or does not exist", ir.op_name(op));
    let d = Diagnostic::error(codes::ATTRIBUTE, ir.op(op).span, message)
        .note(format!("`predicate` is an i64 from 0 to {most}"))
        .help("write the custom form: `arith.cmpi slt, %a, %b : index`");
    w.out.push(d);
    false
}
