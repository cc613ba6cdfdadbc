//! Hostile inputs: bounded errors, depth, time and memory.

mod common;

use common::{Words, parsed};
use ptoc_syntax::fmt::{FormatOptions, format};
use ptoc_syntax::{Limits, parse, parse_items};

/// Formats if it can, and then again.
fn check_format(text: &str) {
    for options in [FormatOptions::default(), FormatOptions { width: 20, indent: 1 }] {
        if let Ok(once) = format(text, &Words, &options) {
            assert_eq!(format(&once, &Words, &options).as_deref(), Ok(once.as_str()), "{text}");
        }
    }
}

#[test]
fn deep_brackets_are_one_error() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("<", ">")] {
        let text = format!("pto.x {}{}\nreturn", open.repeat(10_000), close.repeat(10_000));
        let p = parsed(&text);
        assert_eq!(p.diagnostics.len(), 1, "{open}");
        assert_eq!(p.diagnostics[0].code, "PTO-P008");
        assert_eq!(p.tree.top().len(), 2, "the statement after it is still read");
    }
    let p = parse_items(&format!("!t{}{}", "<".repeat(10_000), ">".repeat(10_000)), 0, &Limits::default());
    assert_eq!(p.diagnostics[0].code, "PTO-P008");
}

#[test]
fn deep_regions_are_one_error() {
    let text = format!("{}{}", "scf.if %c {".repeat(10_000), "}".repeat(10_000));
    assert_eq!(parsed(&text).diagnostics.len(), 1);
    let generic = format!("{}{}", "\"a.b\"() ({".repeat(10_000), "}) : () -> ()".repeat(10_000));
    assert_eq!(parsed(&generic).diagnostics.len(), 1);
}

#[test]
fn depth_within_the_limit_is_formatted() {
    check_format(&format!("{}{}", "scf.if %c {".repeat(250), "}".repeat(250)));
    check_format(&format!("pto.x {}{}", "([{<".repeat(60), ">}])".repeat(60)));
}

#[test]
fn depth_up_to_the_limit_is_fine() {
    let limits = Limits { max_depth: 20_000, ..Limits::default() };
    let text = format!("{}{}", "scf.if %c {".repeat(10_000), "}".repeat(10_000));
    let p = parse(&text, 0, &Words, &limits);
    assert!(p.diagnostics.is_empty());
    assert_eq!(p.tree.all_ops().len(), 10_000);
}

#[test]
fn errors_are_capped() {
    for text in [")\n".repeat(10_000), "%a = 1\n".repeat(10_000), "é ".repeat(20), "pto.x (\n".repeat(10_000)] {
        let p = parse(&text, 0, &Words, &Limits { max_errors: 10, ..Limits::default() });
        assert_eq!(p.diagnostics.len(), 11);
        assert_eq!(p.diagnostics[10].code, "PTO-P014");
    }
}

#[test]
fn one_long_line_is_linear() {
    let mut text = String::from("pto.x ");
    while text.len() < 4 << 20 {
        text += "%a, ";
    }
    let p = parsed(&text);
    assert!(p.diagnostics.is_empty());
    assert_eq!(p.tree.top().len(), 1);
}

#[test]
fn hostile_repetitions_are_linear() {
    const N: usize = 30_000;
    for piece in [
        "!a<",
        "!a<b,",
        "(",
        "{",
        "}",
        "<",
        ">",
        "%a, ",
        "%a:2, ",
        "^b(",
        "^b:",
        "a ",
        "\"a\"",
        "\"",
        "= ",
        "scf.if {",
        "scf.if {)",
        "(}",
        "/",
        "-",
        "0x",
        "x",
        "4x",
        "#a",
        "module{(",
        "\n}",
        "\n%a = (",
        "@a::",
    ] {
        let p = parsed(&piece.repeat(N));
        assert!(p.diagnostics.len() <= 101, "{piece}");
        let p = parse_items(&piece.repeat(N), 0, &Limits::default());
        assert!(p.diagnostics.len() <= 101, "{piece}");
    }
}

/// A text with all shapes in it.
const SAMPLE: &str = r#"// RUN: ptoc %s
!t = !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16>
#map = affine_map<(d0) -> (d0)>
module attributes {pto.device-spec = "Ascend950", "k" = 1} {
  func.func @f(%a: !t {x}, %n: index) -> (f32, f32) attributes {pto.kernel} {
    %c-1 = arith.constant -1.5e+00 : f32
    %x:2, %y = scf.for %i = %a to %b step %c iter_args(%q = %r) -> (f32) : i32 {
      pto.tadd ins(%a, %b : !t, !pto.vmi.vreg<1xui8, #pto.vmi.layout<num_groups = 1>>)
               outs(%c : vector<4xf32>) {k = dense<[1, 2]> : tensor<2xi8>, m = array<i32: 1>}
      scf.yield
    } {unroll}
    %d = tinsert %src[%r0, %r1] : !pto.tile<...> -> !pto.tile<16x?xf32>
    "pto.x"(%a) <{p = 1}> ({ ^bb0(%b: i32): "t"() : () -> () }, {}) : (T) -> T loc("a//b\"")
    pto.simt_launch @f<<<32, %y, 1>>>(%a) : (<f32>) -> ()
    cf.cond_br %c, ^a, ^b(%v : i32)
  ^a:
    return
  ^b(%v: i32):
    return %x#1, %y : f32, f32
  }
}
"#;

#[test]
fn the_sample_is_well_formed() {
    assert!(parsed(SAMPLE).diagnostics.is_empty());
}

#[test]
fn a_text_cut_anywhere_is_survived() {
    for end in 0..=SAMPLE.len() {
        for text in [&SAMPLE[..end], &SAMPLE[end..]] {
            parsed(text);
            parse_items(text, 0, &Limits::default());
            check_format(text);
        }
    }
}

#[test]
fn a_text_with_a_piece_missing_or_swapped_is_survived() {
    let bytes = SAMPLE.as_bytes();
    for at in 0..bytes.len() {
        let without = format!("{}{}", &SAMPLE[..at], &SAMPLE[at + 1..]);
        parsed(&without);
        if at % 5 == 0 {
            check_format(&without);
        }
        for c in ["(", ")", "{", "}", "<", ">", "\"", "%", "=", ",", "^a:", "\u{FFFD}"] {
            let swapped = format!("{}{c}{}", &SAMPLE[..at], &SAMPLE[at + 1..]);
            let p = parsed(&swapped);
            for op in p.tree.all_ops() {
                assert!(op.span.end as usize <= swapped.len());
            }
            // Not all: formatting is the slow part.
            if at % 23 == 0 {
                check_format(&swapped);
            }
        }
    }
}

#[test]
fn a_base_near_the_end_of_32_bits_is_refused() {
    let p = parse("return", u32::MAX - 3, &Words, &Limits::default());
    assert_eq!(p.diagnostics[0].code, "PTO-P013");
}
