//! The forms of an operation in the words of the manual, for messages and `ptoc explain`.

use super::format::Format;
use crate::registry::Dialects;
use crate::table::{Arity, OpDef};

/// The custom form: `pto.tadd ins(%src0, %src1 : T, T) outs(%dst : T) {attrs}`.
pub fn describe(def: &'static OpDef) -> String {
    let mut out = String::new();
    for (n, text) in def.asm.split("||").enumerate() {
        if n > 0 {
            out.push_str("  or  ");
        }
        if !def.results.is_empty() {
            let names: Vec<String> = def.results.iter().map(|r| format!("%{}", r.name)).collect();
            out.push_str(&names.join(", "));
            out.push_str(" = ");
        }
        out.push_str(def.name);
        out.push(' ');
        out.push_str(&readable(def, text.trim()));
    }
    out
}

/// Format text for people: optional parts in `[...]`, `T` for types.
fn readable(def: &'static OpDef, text: &str) -> String {
    let mut out = text.replace("?{", "[").replace("{}", "\u{1}").replace('}', "]").replace('\u{1}', "{attributes}");
    out = out.replace("T*", "TYPES").replace("R*", "TYPES").replace("R()", "TYPES");
    for a in def.attrs {
        for suffix in [":word", ":str", ":attr", ""] {
            out = out.replace(&format!("@{}{suffix}", a.name), &format!("<{}>", a.name));
        }
        out = out.replace(&format!("!{}", a.name), "");
    }
    for o in def.operands.iter().filter(|o| o.arity != Arity::One) {
        let suffix = if o.arity == Arity::Optional { "?" } else { "..." };
        out = out.replace(&format!("T({})", o.name), "TYPE");
        if let Some(i) = out.find(&format!("%{}", o.name)) {
            out.insert_str(i + o.name.len() + 1, suffix);
        }
    }
    for name in def.operands.iter().map(|o| o.name).chain(def.results.iter().map(|r| r.name)) {
        out = out.replace(&format!("T({name})"), "TYPE");
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The SSA form, or the sync form; empty when there is none.
pub fn describe_value(def: &'static OpDef, sync: bool) -> String {
    let dialects = Dialects::get();
    let format: Option<&Format> = dialects.kind(def.name).and_then(|k| dialects.format(k));
    let Some(form) = format.and_then(|f| f.value_form.as_ref()) else { return String::new() };
    let name = |i: &u8| def.operands[*i as usize].name;
    let mut out = String::new();
    let dests: Vec<String> = form.dests.iter().map(|i| format!("%{}", name(i))).collect();
    if !dests.is_empty() {
        out.push_str(&dests.join(", "));
        out.push_str(" = ");
    }
    out.push_str(if sync { def.short_name() } else { def.name });
    let bracketed = if sync { form.bracketed(def) } else { None };
    let mut types = 0;
    for (n, id) in form.positional.iter().enumerate() {
        let o = &def.operands[*id as usize];
        if sync && o.scratch {
            continue;
        }
        let optional = match o.arity {
            Arity::One => "",
            Arity::Optional => "?",
            Arity::Variadic => "...",
        };
        let first = n == 0;
        out.push_str(match bracketed {
            Some(b) if b == n => "[",
            _ if first => " ",
            _ => ", ",
        });
        out.push_str(&format!("%{}{optional}", o.name));
        if bracketed.is_some_and(|b| n == b + 1) {
            out.push(']');
        }
        if !(sync && o.kind == crate::table::Kind::Index) {
            types += 1;
        }
    }
    for (word, id) in &form.clauses {
        out.push_str(&format!(" [{word} %{}]", name(id)));
    }
    if !dests.is_empty() {
        out.push_str(" [into %old]");
    }
    let list = vec!["T"; types].join(", ");
    let results = match form.dests.len() {
        0 if sync => String::new(),
        0 => " -> ()".to_owned(),
        1 => " -> T".to_owned(),
        n => format!(" -> ({})", vec!["T"; n].join(", ")),
    };
    out.push_str(&if sync {
        format!(" {{attributes}} : {list}{results}")
    } else {
        format!(" {{attributes}} : ({list}){results}")
    });
    out
}
