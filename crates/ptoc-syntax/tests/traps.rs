//! The lexical traps of real inputs.

mod common;

use common::{Words, errors, parsed, tree};
use ptoc_syntax::{Limits, parse};

#[test]
fn names_with_dashes_and_numbers() {
    assert_eq!(tree("%c-128_f32 = pto.x %0, %c-1, %a.b$c"), "%c-128_f32 = pto.x %0 , %c-1 , %a.b$c;");
    assert_eq!(tree("pto.x %a->%b"), "pto.x %a -> %b;");
    assert_eq!(tree("pto.x %a -1"), "pto.x %a i:-1;");
    assert_eq!(tree("pto.x %a - %b + %c"), "pto.x %a - %b + %c;");
}

#[test]
fn numbers() {
    assert_eq!(
        tree("pto.x 0, -3, 0xFF, 0x7F800000, 1.0, -1.280000e+02, 1., 1e-05 : f32"),
        "pto.x i:0 , i:-3 , i:0xFF , i:0x7F800000 , f:1.0 , f:-1.280000e+02 , f:1. , f:1e-05 : w:f32;"
    );
}

#[test]
fn strings_hide_comments_brackets_and_quotes() {
    assert_eq!(tree(r#"pto.x "a // b", "}", "\"", "\\" // "#), r#"pto.x "a // b" , "}" , "\"" , "\\";"#);
    assert_eq!(tree(r#"pto.x @"a b", @f-1.g"#), r#"pto.x @"a b" , @f-1.g;"#);
}

#[test]
fn comments_go_anywhere() {
    let text = "// RUN: ptoc %s | FileCheck %s\npto.x // { ( <\n  ins( // )\n %a) // CHECK: pto.y ins(\n// 中文";
    assert_eq!(tree(text), "pto.x w:ins ( %a );");
}

#[test]
fn long_names_match_longest() {
    assert_eq!(
        tree("pto.fence.barrier_all\npto.tmatmul.mx.acc %a\npto.f4x2.q"),
        "pto.fence.barrier_all; pto.tmatmul.mx.acc %a; pto.f4x2.q;"
    );
}

#[test]
fn two_closing_angles_are_two_tokens() {
    assert_eq!(tree("pto.x <a <b>> : !p<f<i8>>"), "pto.x < w:a < w:b > > : t:!p<f<i8>>;");
}

#[test]
fn line_ends_tabs_and_byte_order_mark() {
    let text = "\u{FEFF}\tmodule {\r\n\tpto.x\t%a\r\n}\r\n";
    let p = parsed(text);
    assert!(p.diagnostics.is_empty());
    let op = p.tree.op(p.tree.top().ids().next().unwrap());
    assert_eq!(op.name.of(text), "module");
}

#[test]
fn spans_count_from_the_file() {
    let file = "xxxxpto.a %b }";
    let p = parse(&file[4..], 4, &Words, &Limits::default());
    let op = p.tree.ops(p.tree.top())[0];
    assert_eq!((op.span.of(file), op.name.of(file)), ("pto.a %b", "pto.a"));
    assert_eq!(p.tree.items(op.items).first().unwrap().span.of(file), "%b");
    assert_eq!(p.diagnostics[0].primary_span().of(file), "}");
}

#[test]
fn non_ascii_text_is_reported_once_a_run() {
    assert_eq!(errors("pto.x %a，%b"), ["PTO-P003 unexpected character `，` (U+FF0C) outside comments and strings"]);
    assert_eq!(
        errors("pto.x çç\npto.y é"),
        [
            "PTO-P003 unexpected character `ç` (U+00E7) outside comments and strings and 1 more",
            "PTO-P003 unexpected character `é` (U+00E9) outside comments and strings",
        ]
    );
    assert_eq!(errors("pto.x \"é\" // ç"), [""; 0]);
}

#[test]
fn bytecode_and_binary_are_one_error() {
    assert_eq!(errors("PTOBC\0\u{1}\u{2}"), ["PTO-P002 the input is PTO bytecode, not text"]);
    assert_eq!(errors(&"\0\u{7f}ELF".repeat(1000)), ["PTO-P001 the input is not text: NUL byte at offset 0"]);
    let garbage: String = (0..4000).map(|i| ['\u{FFFD}', '\u{1}', 'q', '~'][i % 4]).collect();
    assert_eq!(errors(&garbage).len(), 1);
    assert!(errors(&garbage)[0].starts_with("PTO-P001"));
}
