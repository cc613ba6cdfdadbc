//! Random mixtures of tokens: no panic, a consistent tree, and formatting that is stable and keeps all tokens.

mod common;

use common::{Words, dump, parsed};
use ptoc_syntax::fmt::{FormatOptions, format};
use ptoc_syntax::{Item, ItemRange, Limits, OpRange, Tree, parse_items};

/// A small generator of numbers (Knuth's MMIX constants); the same texts on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

const PIECES: &[&str] = &[
    "%a",
    "%b#1",
    "%c:2",
    "%a, %b",
    " = ",
    ", ",
    ", ",
    " : ",
    " -> ",
    " ",
    "\n",
    "\n",
    "pto.x ",
    "scf.for ",
    "module ",
    "return ",
    "tadd ",
    "func.func @f",
    "\"a.b\"(",
    "word ",
    "ins(",
    "outs(",
    "attributes ",
    "loc(",
    "else ",
    "f32",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "({",
    "})",
    "{}",
    "()",
    "!t",
    "!p<f32, 4x8xf16>",
    "!p<",
    "#k<v>",
    "#a ",
    "vector<4xf32>",
    "dense<[1]>",
    "^b",
    "^b:",
    "^b(%a : i32):",
    "1",
    "-2.5",
    "0x1F",
    "4x?xf32",
    "\"s\"",
    "@g",
    "?",
    "...",
    "|",
    "// c\n",
    " // d\n\n\n",
    "k = 1",
    "!u = i8\n",
];

/// The same, but whole statements, so that more of the texts are well formed.
const STATEMENTS: &[&str] = &[
    "%a = pto.x %b, %c : i32, f32",
    "%a, %b:2 = tadd %c",
    "pto.y ins(%a, %b : !p<f32>, i8) outs(%c : i8) {k = 1}",
    "return",
    "scf.if %c {",
    "} else {",
    "}",
    "}",
    "module {",
    "^b:",
    "^c(%a: i32, %b : f32):",
    "// note",
    "",
    "",
    "\"a.b\"(%a) ({",
    "}) : (i32) -> i32",
    "}, {",
    "pto.z {id = 0}(%a : i32)",
    "loc(\"f\")",
    ", %k",
    ": f32",
    "-> (i8)",
    "{a, b = [1, 2]}",
    "word(%x)",
    "[%i, %j]",
    "<f32>",
    "#k<v>",
    "!p<f32, //\n i8>",
    "// x\n// y",
    "pto.w ^b(%v : i8), ^c",
];

#[test]
fn soup_of_tokens() {
    let mut numbers = Numbers(1);
    for _ in 0..6_000 {
        let text: String = (0..numbers.below(40)).map(|_| PIECES[numbers.below(PIECES.len())]).collect();
        check(&text);
    }
}

#[test]
fn soup_of_statements() {
    let mut numbers = Numbers(2);
    let mut formatted = 0;
    for _ in 0..12_000 {
        let mut text = String::new();
        for _ in 0..numbers.below(8) {
            text += STATEMENTS[numbers.below(STATEMENTS.len())];
            text += ["\n", "\n", "\n\n\n", " ", "\n  ", " // t\n", "\r\n"][numbers.below(7)];
        }
        formatted += u32::from(check(&text));
    }
    assert!(formatted > 2_000, "only {formatted} texts were well formed");
}

/// True when the text was well formed.
fn check(text: &str) -> bool {
    let p = parsed(text);
    for d in &p.diagnostics {
        assert!(d.labels.iter().all(|l| l.span.start <= l.span.end && l.span.end as usize <= text.len()), "{text}");
    }
    check_ops(&p.tree, p.tree.top(), text);
    parse_items(text, 0, &Limits::default());
    let options = FormatOptions { width: 30, ..FormatOptions::default() };
    let Ok(once) = format(text, &Words, &options) else { return false };
    assert_eq!(format(&once, &Words, &options).as_deref(), Ok(once.as_str()), "not stable:\n{text}");
    let trees = [text, &once].map(|t| dump(&parsed(t).tree, t).split_whitespace().collect::<String>());
    assert_eq!(trees[0], trees[1], "tree changed:\n{text}\n->\n{once}");
    assert_eq!(sorted(&once), sorted(text), "tokens changed:\n{text}\n->\n{once}");
    true
}

/// The characters but white space; a comment may change places with a comma.
fn sorted(text: &str) -> Vec<char> {
    let mut chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    chars.sort_unstable();
    chars
}

fn check_ops(tree: &Tree, range: OpRange, text: &str) {
    let mut end = 0;
    for op in tree.ops(range) {
        assert!(end <= op.span.start && op.span.start <= op.name.start && op.name.end <= op.span.end, "{text}");
        end = op.span.end;
        assert!(end as usize <= text.len());
        check_items(tree, op.items, op.name.end, end, text);
        for &id in tree.regions(op.regions) {
            let region = tree.region(id);
            assert!(op.span.start <= region.span.start && region.span.end <= end, "{text}");
            for block in tree.blocks(region.blocks) {
                check_items(tree, block.args, block.span.start, block.span.end, text);
                check_ops(tree, block.ops, text);
            }
        }
    }
}

fn check_items(tree: &Tree, range: ItemRange, from: u32, to: u32, text: &str) {
    let mut end = from;
    for item in tree.items(range) {
        let Item { span, .. } = item;
        assert!(end <= span.start && span.start <= span.end && span.end <= to, "{:?} in {text}", item.kind);
        end = span.end;
        check_items(tree, item.children(), span.start, span.end, text);
    }
}
