//! Text of types and attributes.

use crate::{AttrData, AttrId, Context, Signedness, TypeData, TypeId};
use std::fmt::{Result, Write};

/// The canonical text of a type.
pub fn type_to_string(ctx: &Context, ty: TypeId) -> String {
    let mut s = String::new();
    let _ = write_type(ctx, ty, &mut s);
    s
}

fn write_dims(dims: &[i64], out: &mut dyn Write) -> Result {
    for &d in dims {
        if d == TypeData::DYNAMIC { out.write_str("?x")? } else { write!(out, "{d}x")? }
    }
    Ok(())
}

fn write_types(ctx: &Context, types: &[TypeId], out: &mut dyn Write) -> Result {
    for (i, &t) in types.iter().enumerate() {
        if i > 0 {
            out.write_str(", ")?;
        }
        write_type(ctx, t, out)?;
    }
    Ok(())
}

pub(super) fn write_type(ctx: &Context, ty: TypeId, out: &mut dyn Write) -> Result {
    match ctx.type_data(ty) {
        TypeData::Integer { width, sign } => {
            let prefix = match sign {
                Signedness::Signless => "i",
                Signedness::Signed => "si",
                Signedness::Unsigned => "ui",
            };
            write!(out, "{prefix}{width}")
        }
        TypeData::Float(k) => out.write_str(k.keyword()),
        TypeData::Index => out.write_str("index"),
        TypeData::None => out.write_str("none"),
        TypeData::Function { params, results } => {
            out.write_str("(")?;
            write_types(ctx, params, out)?;
            out.write_str(") -> ")?;
            match results.as_ref() {
                [one] if !matches!(ctx.type_data(*one), TypeData::Function { .. }) => write_type(ctx, *one, out),
                many => {
                    out.write_str("(")?;
                    write_types(ctx, many, out)?;
                    out.write_str(")")
                }
            }
        }
        TypeData::Tuple(types) => {
            out.write_str("tuple<")?;
            write_types(ctx, types, out)?;
            out.write_str(">")
        }
        TypeData::Vector { dims, elem } => {
            out.write_str("vector<")?;
            write_dims(dims, out)?;
            write_type(ctx, *elem, out)?;
            out.write_str(">")
        }
        TypeData::Tensor { dims, elem, encoding } => {
            out.write_str("tensor<")?;
            write_dims(dims, out)?;
            write_type(ctx, *elem, out)?;
            write_extra(ctx, *encoding, out)?;
            out.write_str(">")
        }
        TypeData::MemRef { dims, elem, layout, space } => {
            out.write_str("memref<")?;
            write_dims(dims, out)?;
            write_type(ctx, *elem, out)?;
            write_extra(ctx, *layout, out)?;
            write_extra(ctx, *space, out)?;
            out.write_str(">")
        }
        TypeData::Dialect(d) => d.print(ctx, out),
        TypeData::Opaque(s) => out.write_str(ctx.str(*s)),
    }
}

fn write_extra(ctx: &Context, attr: Option<AttrId>, out: &mut dyn Write) -> Result {
    if let Some(a) = attr {
        out.write_str(", ")?;
        write_attr(ctx, a, out)?;
    }
    Ok(())
}

fn is_bare(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

/// Writes an attribute key or a symbol name, quoted unless it is a bare word.
pub(super) fn write_key(name: &str, out: &mut dyn Write) {
    if is_bare(name) {
        let _ = out.write_str(name);
    } else {
        let _ = write_string(name, out);
    }
}

pub(super) fn write_string(text: &str, out: &mut dyn Write) -> Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            c if c.is_control() => {
                let mut utf8 = [0; 4];
                for b in c.encode_utf8(&mut utf8).bytes() {
                    write!(out, "\\{b:02X}")?;
                }
            }
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

/// Writes a double so that reading it back gives the same bits: six digits where they suffice.
fn write_float(v: f64, out: &mut dyn Write) -> Result {
    let short = format!("{v:.6e}");
    let text = if short.parse::<f64>() == Ok(v) { short } else { format!("{v:e}") };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |d| ('-', d));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    write!(out, "{mantissa}{point}e{sign}{digits:0>2}")
}

pub(super) fn write_attr(ctx: &Context, attr: AttrId, out: &mut dyn Write) -> Result {
    match ctx.attr_data(attr) {
        AttrData::Unit => out.write_str("unit"),
        AttrData::Bool(b) => write!(out, "{b}"),
        AttrData::Integer { value, ty } => {
            write!(out, "{value} : ")?;
            write_type(ctx, *ty, out)
        }
        AttrData::Float { bits, ty } => {
            write_float(f64::from_bits(*bits), out)?;
            out.write_str(" : ")?;
            write_type(ctx, *ty, out)
        }
        AttrData::FloatBits { bits, ty } => {
            let digits = match ctx.type_data(*ty) {
                TypeData::Float(k) => (k.bits() as usize).div_ceil(4),
                _ => 1,
            };
            write!(out, "0x{bits:0digits$X} : ")?;
            write_type(ctx, *ty, out)
        }
        AttrData::String(s) => write_string(ctx.str(*s), out),
        AttrData::Symbol(path) => {
            for (i, &s) in path.iter().enumerate() {
                out.write_str(if i > 0 { "::@" } else { "@" })?;
                write_key(ctx.str(s), out);
            }
            Ok(())
        }
        AttrData::Type(t) => write_type(ctx, *t, out),
        AttrData::Array(items) => {
            out.write_str("[")?;
            for (i, &a) in items.iter().enumerate() {
                if i > 0 {
                    out.write_str(", ")?;
                }
                write_attr(ctx, a, out)?;
            }
            out.write_str("]")
        }
        AttrData::Dict(entries) => {
            out.write_str("{")?;
            for (i, &(name, a)) in entries.iter().enumerate() {
                if i > 0 {
                    out.write_str(", ")?;
                }
                write_key(ctx.str(name), out);
                if !matches!(ctx.attr_data(a), AttrData::Unit) {
                    out.write_str(" = ")?;
                    write_attr(ctx, a, out)?;
                }
            }
            out.write_str("}")
        }
        AttrData::DenseArray { elem, values } => {
            out.write_str("array<")?;
            write_type(ctx, *elem, out)?;
            for (i, v) in values.iter().enumerate() {
                write!(out, "{} {v}", if i == 0 { ":" } else { "," })?;
            }
            out.write_str(">")
        }
        AttrData::Dialect { dialect, kind, body, spaced } => {
            let (dialect, kind, body) = (ctx.str(*dialect), ctx.str(*kind), ctx.str(*body));
            match (spaced, body.is_empty()) {
                (true, _) => write!(out, "#{dialect}<{kind} {body}>"),
                (false, true) => write!(out, "#{dialect}.{kind}"),
                (false, false) => write!(out, "#{dialect}.{kind}<{body}>"),
            }
        }
        AttrData::Raw(s) => out.write_str(ctx.str(*s)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    #[test]
    fn floats_read_back_to_the_same_bits() {
        for v in [0.0, -0.0, 1.0, -1.5, 0.1, 1e-45, 3.402_823_466_385_288_6e38, 1.0 / 3.0, 6.02e23] {
            let mut s = String::new();
            write_float(v, &mut s).unwrap();
            assert!(s.contains('.') && s.contains('e'), "{s}");
            assert_eq!(s.parse::<f64>().unwrap().to_bits(), f64::to_bits(v), "{s}");
        }
        let mut s = String::new();
        write_float(1.0, &mut s).unwrap();
        assert_eq!(s, "1.000000e+00");
    }

    #[test]
    fn attributes_print_like_mlir() {
        let mut ctx = Context::default();
        let one = ctx.int_attr(1, builtin::I32);
        let text = ctx.str_attr("a\"b\n");
        let list = ctx.attr(AttrData::Array([one, text].into()));
        assert_eq!(ctx.attr_string(list), r#"[1 : i32, "a\"b\n"]"#);
        let spaced = ctx.dialect_attr("pto", "st_phase", "final", true);
        assert_eq!(ctx.attr_string(spaced), "#pto<st_phase final>");
        let dotted = ctx.dialect_attr("pto", "pipe", "PIPE_V", false);
        assert_eq!(ctx.attr_string(dotted), "#pto.pipe<PIPE_V>");
        let key = ctx.sym("pto.device-spec");
        let dict = ctx.attr(AttrData::Dict([(key, one)].into()));
        assert_eq!(ctx.attr_string(dict), r#"{"pto.device-spec" = 1 : i32}"#);
        let inf = ctx.attr(AttrData::FloatBits { bits: 0x7F80_0000, ty: builtin::F32 });
        assert_eq!(ctx.attr_string(inf), "0x7F800000 : f32");
    }

    #[test]
    fn types_print_like_mlir() {
        let mut ctx = Context::default();
        let v = ctx.ty(TypeData::Vector { dims: [4].into(), elem: builtin::I16 });
        let f = ctx.function(&[v, builtin::INDEX], &[builtin::F32]);
        assert_eq!(ctx.type_string(f), "(vector<4xi16>, index) -> f32");
        let t = ctx.ty(TypeData::Tensor { dims: [TypeData::DYNAMIC, 3].into(), elem: builtin::BF16, encoding: None });
        assert_eq!(ctx.type_string(t), "tensor<?x3xbf16>");
    }
}
