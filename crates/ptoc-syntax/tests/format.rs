//! What formatted text looks like, and that formatting changes nothing else.

mod common;

use common::Words;
use ptoc_syntax::fmt::{FormatOptions, format};

#[track_caller]
fn formatted(text: &str) -> String {
    let once = format(text, &Words, &FormatOptions::default()).expect("well-formed text");
    assert_eq!(format(&once, &Words, &FormatOptions::default()).as_deref(), Ok(once.as_str()), "not stable");
    assert_eq!(without_space(&once), without_space(text), "tokens changed");
    once
}

fn without_space(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn spaces_and_indentation() {
    let text = "module   attributes{pto.k=1,\"a\"  = #pto.x<y>}{\nfunc.func @f( %a :i32,%b:f32)->(i32,f32)attributes { pto.kernel } {\n\
        %c,%d:2=pto.x %a ,%b[ %i,%j ] {k= [1,2],u}:(i32 , f32)->i32\n   scf.if %c{scf.yield %d#1:i32}else{}\npto.barrier <PIPE_ALL>\n\
        pto.section.simt <<<32,2,1>>>{ pto.set_flag[\"A\",<P>] }\nreturn %c:i32}}";
    let want = r#"module attributes {pto.k = 1, "a" = #pto.x<y>} {
  func.func @f(%a: i32, %b: f32) -> (i32, f32) attributes {pto.kernel} {
    %c, %d:2 = pto.x %a, %b[%i, %j] {k = [1, 2], u} : (i32, f32) -> i32
    scf.if %c {
      scf.yield %d#1 : i32
    } else {
    }
    pto.barrier <PIPE_ALL>
    pto.section.simt <<<32, 2, 1>>> {
      pto.set_flag["A", <P>]
    }
    return %c : i32
  }
}
"#;
    assert_eq!(formatted(text), want);
}

#[test]
fn generic_form_and_labels() {
    let text = "\"a.b\"(%x)<{p=1}> ({^bb0(%b:i32,%c:i1):\"t\"():()->()},{}) : (i32)->()\nfunc.func @f(){cf.cond_br %c,^a,^b(%v:i32)\n^a:\n return ^b(%v:i32):return}";
    let want = r#""a.b"(%x) <{p = 1}> ({
^bb0(%b: i32, %c: i1):
  "t"() : () -> ()
}, {
}) : (i32) -> ()
func.func @f() {
  cf.cond_br %c, ^a, ^b(%v : i32)
^a:
  return
^b(%v: i32):
  return
}
"#;
    assert_eq!(formatted(text), want);
}

#[test]
fn aliases_locations_and_headless_types() {
    let text = "!t=vector<4xi16>\n#l = loc(\"f\" : 1:2)\n%q=pto.addptr %p,%o:<f32>-><16x?xf32> loc(#l)\npto.x : <loc = left , rows=16>\npto.i{id=0,location=<vec>}(%a:i32)";
    let want = "!t = vector<4xi16>\n#l = loc(\"f\":1:2)\n%q = pto.addptr %p, %o : <f32> -> <16x?xf32> loc(#l)\n\
        pto.x : <loc=left, rows=16>\npto.i {id = 0, location = <vec>}(%a : i32)\n";
    assert_eq!(formatted(text), want);
}

#[test]
fn comments_and_blank_lines_stay() {
    let text = "// first\n\n\n// RUN: x\nmodule {   // why\n\n  // own line\n  pto.a   // behind\n\n\n  // before b\n\n  pto.b ins(%a, // inside\n %b\n // alone\n : i32)\n  // last\n\n}\n\n// end  \n\n";
    let want = "// first\n\n// RUN: x\nmodule { // why\n  // own line\n  pto.a // behind\n\n  // before b\n\n  pto.b ins(%a, // inside\n            \
        %b\n            // alone\n            : i32)\n  // last\n}\n\n// end\n";
    assert_eq!(formatted(text), want);
}

#[test]
fn a_long_statement_in_dps_form() {
    let t = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64>";
    let text = format!(
        "func.func @f() {{ pto.tadd ins(%a,%b:{t},{t}) outs(%c:{t}) {{k=1}}\n pto.tmov ins(%a:i8) outs(%b:i8) }}"
    );
    let want = format!(
        "func.func @f() {{\n  pto.tadd ins(%a, %b : {t},\n                        {t})\n           outs(%c : {t}) {{k = 1}}\n  \
         pto.tmov ins(%a : i8) outs(%b : i8)\n}}\n"
    );
    assert_eq!(formatted(&text), want);
}

#[test]
fn a_long_statement_in_ssa_form() {
    let t = "!pto.tile<16x64xf32, loc=vec, valid=16x64>";
    let text = format!("%d = pto.tsel %mask, %a, %b {{k = 1}} : ({t}, {t}, {t}) -> {t}");
    let want = format!("%d = pto.tsel %mask, %a, %b {{k = 1}} : ({t},\n{0:39}{t},\n{0:39}{t})\n    -> {t}\n", "");
    assert_eq!(formatted(&text), want);
}

#[test]
fn long_arguments_go_on_below_the_first() {
    let arg = |n| format!("%arg{n}: !pto.ptr<f32, gm>");
    let list = (0..6).map(arg).collect::<Vec<_>>();
    let text = format!("func.func @kernel({}) attributes {{pto.kernel}} {{return}}", list.join(","));
    let want = format!(
        "func.func @kernel({},\n                  {})\n    attributes {{pto.kernel}} {{\n  return\n}}\n",
        list[..3].join(", "),
        list[3..].join(", ")
    );
    assert_eq!(formatted(&text), want);
}

#[test]
fn types_lose_their_line_ends_but_not_their_comments() {
    assert_eq!(formatted("pto.x : !pto.ptr<\n  f32,\r\n  ub\n>, i8"), "pto.x : !pto.ptr<f32, ub>, i8\n");
    assert_eq!(formatted("pto.x : !p<a, // c\n  b>, i8"), "pto.x : !p<a, // c\n  b>, i8\n");
}

#[test]
fn line_ends_become_plain_and_the_last_is_added() {
    assert_eq!(formatted("\tpto.a\r\n\r\n\tpto.b"), "pto.a\n\npto.b\n");
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("// x"), "// x\n");
}

#[test]
fn broken_text_gives_its_errors() {
    let errors = format("pto.x (", &Words, &FormatOptions::default()).expect_err("an error");
    assert_eq!(errors[0].code, "PTO-P006");
}

#[test]
fn every_position_may_hold_a_comment() {
    let text = "module { %a, %b:2 = pto.x %c[%d] { k = [1] } : (i32) -> !p<f32, i8> ^b(%e : i8) loc(\"f\") }";
    // Commas between results and the `=` have no place in the tree; a comment before them goes behind.
    for (at, _) in text.match_indices(' ').filter(|(at, _)| *at > text.find("pto").unwrap_or(0)) {
        let commented = format!("{} // note\n{}", &text[..at], &text[at..]);
        if text[..at].matches('<').count() == text[..at].matches('>').count() - text[..at].matches("->").count() {
            formatted(&commented);
        }
    }
}
