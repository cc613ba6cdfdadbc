//! What the tests share: a small vocabulary and a one-line notation for trees.
//!
//! Items are separated by spaces and show their text; where the text does not tell the kind a letter does:
//! `w:` word, `i:` integer, `f:` float, `b:` block use, `t:` type, `a:` attribute, `x` cross, `h:` head of a type or
//! attribute in parts. Groups keep their brackets, a region is `{{ }}`, statements end in `;`.
#![allow(dead_code)]

use ptoc_syntax::{Item, ItemKind, Items, Limits, OpRange, Parse, RegionStyle, Tree, Vocabulary, parse, parse_items};

/// A few names of every sort.
pub struct Words;

impl Vocabulary for Words {
    fn is_bare_op(&self, word: &str) -> bool {
        matches!(word, "return" | "call" | "module" | "tinsert" | "tstore" | "tadd" | "trowprod" | "tsync")
    }

    fn region_op(&self, name: &str) -> RegionStyle {
        match name {
            "module"
            | "func.func"
            | "scf.for"
            | "scf.if"
            | "scf.while"
            | "scf.execute_region"
            | "scf.index_switch"
            | "pto.section.simt"
            | "pto.section.cube"
            | "pto.vecscope"
            | "pto.strict_vecscope"
            | "pto.fusion_region" => RegionStyle::Region,
            _ => RegionStyle::None,
        }
    }
}

/// Parses with the default limits.
pub fn parsed(text: &str) -> Parse {
    parse(text, 0, &Words, &Limits::default())
}

/// The tree of a text without errors.
pub fn tree(text: &str) -> String {
    let p = parsed(text);
    assert!(p.diagnostics.is_empty(), "{text}\n{:#?}", p.diagnostics);
    dump(&p.tree, text)
}

/// Aliases and statements.
pub fn dump(tree: &Tree, text: &str) -> String {
    let mut out = String::new();
    for a in tree.aliases() {
        out += &format!("alias {} = ", a.name.of(text));
        items(tree, tree.items(a.items), text, &mut out);
        out += ";";
    }
    ops(tree, tree.top(), text, &mut out);
    out
}

/// The items of one type or attribute without errors.
pub fn parts(text: &str) -> String {
    let p = parse_items(text, 0, &Limits::default());
    assert!(p.diagnostics.is_empty(), "{text}\n{:#?}", p.diagnostics);
    let mut out = String::new();
    items(&p.tree, p.tree.items(p.tree.root()), text, &mut out);
    out.trim().to_owned()
}

/// Codes and the text of the first label, one line each.
pub fn errors(text: &str) -> Vec<String> {
    let p = parsed(text);
    p.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

fn space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

fn ops(tree: &Tree, range: OpRange, text: &str, out: &mut String) {
    for op in tree.ops(range) {
        for (i, r) in tree.results(op.results).iter().enumerate() {
            space(out);
            if i > 0 {
                out.push_str(", ");
            }
            out.push_str(r.span.of(text));
            if r.count != 1 {
                out.push_str(&format!(":{}", r.count));
            }
        }
        space(out);
        if !op.results.is_empty() {
            out.push_str("= ");
        }
        let name = op.name.of(text);
        out.push_str(&if op.quoted { format!("{name:?}") } else { name.to_owned() });
        items(tree, tree.items(op.items), text, out);
        out.push(';');
    }
}

fn items(tree: &Tree, list: Items<'_>, text: &str, out: &mut String) {
    for item in list {
        space(out);
        let source = item.span.of(text);
        let (open, close) = match item.kind {
            ItemKind::Paren => ("(", ")"),
            ItemKind::Bracket => ("[", "]"),
            ItemKind::Brace => ("{", "}"),
            ItemKind::Angle => ("<", ">"),
            ItemKind::Region => {
                region(tree, item, text, out);
                continue;
            }
            kind => {
                out.push_str(prefix(kind));
                out.push_str(source);
                continue;
            }
        };
        assert!(source.starts_with(open), "{source}");
        out.push_str(open);
        items(tree, tree.children(item), text, out);
        space(out);
        out.push_str(close);
    }
}

fn region(tree: &Tree, item: Item, text: &str, out: &mut String) {
    let node = tree.region(item.region().expect("a region"));
    assert_eq!(node.span, item.span);
    out.push_str("{{");
    for block in tree.blocks(node.blocks) {
        if !block.label.is_none() {
            space(out);
            out.push_str(block.label.of(text));
            if !block.args.is_empty() {
                out.push('(');
                items(tree, tree.items(block.args), text, out);
                out.push_str(" )");
            }
            out.push(':');
        }
        ops(tree, block.ops, text, out);
    }
    out.push_str(" }}");
}

fn prefix(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Word => "w:",
        ItemKind::Int => "i:",
        ItemKind::Float => "f:",
        ItemKind::Block => "b:",
        ItemKind::Type => "t:",
        ItemKind::Attr => "a:",
        ItemKind::BangWord | ItemKind::HashWord => "h:",
        _ => "",
    }
}
