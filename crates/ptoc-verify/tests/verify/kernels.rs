//! Short notation for test programs.
//!
//! A program is a list of lines:
//! - `arg %a vec f32 16x16` makes a function argument; `arg %q i64` and `arg %v view 16x16xf32` too;
//! - `%r = 24` is an index constant, `%x = 32 : i64` another one;
//! - `%t = alloc vec f32 16x16 addr=%x` allocates a tile;
//! - `pto.tadd ins(%a, %b) outs(%c) {attr}` gets its types filled in; clauses stand behind `|`;
//! - `! text` is taken as it is, with `$a` replaced by the type of `%a`.
//!
//! A tile is `LOC DTYPE ROWSxCOLS` with `v=ROWSxCOLS`, a layout (`ND`, `NZ`, ...), `fractal=`, `pad=`, `compact=` and `value` (for
//! `!pto.tile`) where they are not what the location suggests.

use ptoc_dialect::{ResolveOptions, resolve};
use ptoc_source::Diagnostic;
use ptoc_target::Target;
use ptoc_verify::{VerifyOptions, verify};
use std::collections::BTreeMap;

/// The type of a spec.
pub fn ty(spec: &str) -> String {
    let mut words = spec.split_whitespace();
    let loc = words.next().unwrap_or("");
    match loc {
        "view" => return format!("!pto.partition_tensor_view<{}>", words.next().unwrap_or("")),
        "vec" | "mat" | "left" | "right" | "acc" | "bias" | "scaling" => {}
        _ => return spec.to_owned(),
    }
    let dtype = words.next().unwrap_or("f32");
    let (rows, cols) = words.next().and_then(|s| s.split_once('x')).expect("ROWSxCOLS");
    let (mut vr, mut vc) = (rows, cols);
    let (mut layout, mut fractal, mut pad, mut compact) = match loc {
        "mat" => ("NZ", "512", "0", "0"),
        "left" => ("ZZ", "512", "0", "0"),
        "right" => ("ZN", "512", "0", "0"),
        "acc" => ("NZ", "1024", "0", "0"),
        _ => ("ND", "512", "0", "0"),
    };
    let mut head = "tile_buf";
    for w in words {
        match w.split_once('=') {
            Some(("v", size)) => (vr, vc) = size.split_once('x').expect("v=ROWSxCOLS"),
            Some(("fractal", n)) => fractal = n,
            Some(("pad", n)) => pad = n,
            Some(("compact", n)) => compact = n,
            None if w == "value" => head = "tile",
            None => layout = w,
            Some(_) => panic!("{spec}"),
        }
    }
    let (b, s) = match layout {
        "ND" => ("row_major", "none_box"),
        "DN" => ("col_major", "none_box"),
        "NZ" => ("col_major", "row_major"),
        "ZN" => ("row_major", "col_major"),
        "ZZ" => ("row_major", "row_major"),
        "NN" => ("col_major", "col_major"),
        other => panic!("layout {other}"),
    };
    format!(
        "!pto.{head}<loc={loc}, dtype={dtype}, rows={rows}, cols={cols}, v_row={vr}, v_col={vc}, blayout={b}, slayout={s}, \
         fractal={fractal}, pad={pad}, compact={compact}>"
    )
}

/// The text of a program.
pub fn text(lines: &str) -> String {
    let mut types: BTreeMap<String, String> = BTreeMap::new();
    let (mut args, mut body) = (Vec::new(), Vec::new());
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if let Some(rest) = line.strip_prefix("arg ") {
            let (name, spec) = rest.split_once(' ').expect("arg %name spec");
            args.push(format!("{name}: {}", ty(spec)));
            types.insert(name.to_owned(), ty(spec));
        } else if let Some(raw) = line.strip_prefix("! ") {
            let mut s = raw.to_owned();
            for (name, t) in types.iter().rev() {
                s = s.replace(&format!("${}", &name[1..]), t);
            }
            body.push(s);
        } else if let Some((name, rest)) = line.split_once(" = alloc ") {
            let (spec, addr) = match rest.split_once(" addr=") {
                Some((s, a)) => (s, format!(" addr = {a}")),
                None => (rest, String::new()),
            };
            body.push(format!("{name} = pto.alloc_tile{addr} : {}", ty(spec)));
            types.insert(name.to_owned(), ty(spec));
        } else if let Some((name, value)) = line.split_once(" = ").filter(|_| line.starts_with('%')) {
            let (value, t) = value.split_once(" : ").unwrap_or((value, "index"));
            body.push(format!("{name} = arith.constant {value} : {t}"));
            types.insert(name.to_owned(), t.to_owned());
        } else {
            body.push(typed(line, &types));
        }
    }
    format!("func.func @k({}) {{\n  {}\n  return\n}}\n", args.join(", "), body.join("\n  "))
}

/// Fills the types into `ins(...)` and `outs(...)`.
fn typed(line: &str, types: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("ins(").or_else(|| rest.find("outs(")) {
        let at = rest.find("outs(").map_or(at, |o| o.min(at));
        let open = at + rest[at..].find('(').unwrap_or(0) + 1;
        let close = open + rest[open..].find(')').expect("closing parenthesis");
        out.push_str(&rest[..open]);
        let inner = &rest[open..close];
        if inner.contains(':') {
            out.push_str(inner);
        } else {
            let mut parts = inner.split('|');
            let list = parts.next().unwrap_or("").trim();
            let of = |name: &str| types.get(name.trim()).cloned().unwrap_or_else(|| panic!("no {name} in {line}"));
            let listed: Vec<String> = list.split(',').map(of).collect();
            out.push_str(&format!("{list} : {}", listed.join(", ")));
            for clause in parts {
                let (word, name) = clause.trim().rsplit_once(' ').unwrap_or(("", clause.trim()));
                out.push_str(&format!(" {word} {name} : {}", of(name)));
            }
        }
        rest = &rest[close..];
    }
    out.push_str(rest);
    out
}

/// Findings of a text on a target.
pub fn findings(text: &str, arch: &str) -> Vec<Diagnostic> {
    let target = Target::by_name(arch).expect("target");
    let options = ResolveOptions { arch: Some(target.arch), ..ResolveOptions::default() };
    let resolved = resolve(text, 0..text.len(), &options);
    let mut found = resolved.diagnostics;
    if found.iter().all(|d| !d.is_error()) {
        found.extend(verify(&resolved.ir, &target, &VerifyOptions::default()));
    }
    found
}

/// Message, labels, notes and help of a finding.
pub fn whole_text(d: &Diagnostic) -> String {
    let labels = d.labels.iter().map(|l| l.message.as_str());
    let fixes = d.fixes.iter().map(|f| f.message.as_str());
    let notes = d.notes.iter().map(String::as_str);
    std::iter::once(d.message.as_str()).chain(labels).chain(notes).chain(fixes).collect::<Vec<_>>().join("\n")
}
