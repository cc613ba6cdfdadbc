//! What is reported for broken text, and what of it survives.

mod common;

use common::{dump, errors, parsed};
use ptoc_source::Span;

/// The message of the first error, with the text of each of its labels.
#[track_caller]
fn first(text: &str) -> (String, Vec<&str>) {
    let p = parsed(text);
    let d = p.diagnostics.first().expect("an error");
    (format!("{} {}", d.code, d.message), d.labels.iter().map(|l| l.span.of(text)).collect())
}

#[test]
fn a_value_is_no_operation() {
    let text = "%a = %b\n%c = pto.x";
    assert_eq!(errors(text), ["PTO-P010 expected an operation name after `=`, found `%b`"]);
    assert_eq!(dump(&parsed(text).tree, text), "%c = pto.x;");
    assert_eq!(errors("%x = "), ["PTO-P010 expected an operation name after `=`, found the end of the text"]);
    assert_eq!(errors("%x\nreturn"), ["PTO-P009 expected an operation, found `%x`"]);
}

#[test]
fn every_broken_statement_is_reported() {
    let text = "func.func @f() {\n  , ,\n  %a = 5\n  %b = pto.ok\n  %c = %d\n  scf.if %b {\n    %e = (1)\n    pto.ok2\n  }\n}\nreturn";
    assert_eq!(
        errors(text),
        [
            "PTO-P009 expected an operation, found `,`",
            "PTO-P010 expected an operation name after `=`, found `5`",
            "PTO-P010 expected an operation name after `=`, found `%d`",
            "PTO-P010 expected an operation name after `=`, found `(`",
        ]
    );
    assert_eq!(
        dump(&parsed(text).tree, text),
        "func.func @f ( ) {{ %b = pto.ok; scf.if %b {{ pto.ok2; }}; }}; return;"
    );
}

#[test]
fn a_missing_parenthesis_ends_at_the_next_statement() {
    let text = "pto.x ins(%a\n%t = pto.y outs(%b\nreturn";
    let p = parsed(text);
    let got: Vec<_> = p.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(got, ["`(` is not closed: expected `)` before the next statement"; 2]);
    assert_eq!(p.diagnostics[0].labels[0].span, Span::new(9, 10));
    assert_eq!(p.diagnostics[0].labels[1].span.of(text), "%t");
    assert_eq!(dump(&p.tree, text), "pto.x w:ins ( %a ); %t = pto.y w:outs ( %b ); return;");
}

#[test]
fn a_wrapped_list_is_no_statement() {
    let text = "scf.for %i = %a to %b iter_args(%x = %y,\n  %z = %w) { pto.x ins(%a }";
    assert_eq!(errors(text), ["PTO-P006 `(` is not closed: expected `)` before `}`"]);
}

#[test]
fn a_missing_brace_is_found_by_indentation() {
    let text = "func.func @f() {\n  scf.if %c {\n    pto.x\n  pto.z\n}\nfunc.func @g() {\n}\n";
    let (message, labels) = first(text);
    assert_eq!(message, "PTO-P006 `{` is not closed: expected `}` before this `}`, which is indented less");
    assert_eq!(labels, ["{", "}"]);
    assert_eq!(parsed(text).diagnostics[0].primary_span(), Span::new(29, 30));
    assert_eq!(
        dump(&parsed(text).tree, text),
        "func.func @f ( ) {{ scf.if %c {{ pto.x; pto.z; }}; }}; func.func @g ( ) {{ }};"
    );
}

#[test]
fn a_brace_too_many_is_found_by_indentation() {
    let text = "func.func @f() {\n  pto.x\n  }\n  pto.y\n}\nreturn";
    assert_eq!(errors(text), ["PTO-P007 `}` closes nothing"]);
    assert_eq!(parsed(text).diagnostics[0].primary_span(), Span::new(27, 28));
    assert_eq!(dump(&parsed(text).tree, text), "func.func @f ( ) {{ pto.x; pto.y; }}; return;");
}

#[test]
fn brackets_of_different_kinds() {
    assert_eq!(errors("pto.x (%a]\n)"), ["PTO-P007 `]` closes nothing"]);
    assert_eq!(errors("pto.x [(%a]"), ["PTO-P006 `(` is not closed: expected `)` before `]`"]);
    assert_eq!(errors("pto.x : !t<a, (b>"), ["PTO-P006 `(` is not closed: expected `)` before `>`"]);
    assert_eq!(errors("pto.x : (!t<a, b)"), ["PTO-P006 `<` is not closed: expected `>` before `)`"]);
    assert_eq!(errors("pto.x )"), ["PTO-P007 `)` closes nothing"]);
    assert_eq!(errors("module {"), ["PTO-P006 `{` is not closed: expected `}` before the end of the text"]);
}

#[test]
fn broken_off_statements_end_at_a_name() {
    for text in ["!t =\nmodule {}", "= = =\nmodule {}", "pto.x %a,\nmodule {}", "pto.x :\nmodule {}"] {
        let tree = dump(&parsed(text).tree, text);
        assert!(tree.ends_with("module {{ }};"), "{text}: {tree}");
    }
    assert_eq!(
        errors("pto.x [%a],\n%b = pto.y"),
        ["PTO-P015 expected another operand after `,`, found the statement `%b`"]
    );
    assert_eq!(errors("pto.x %a :\npto.y"), ["PTO-P015 expected a type after `:`, found the statement `pto.y`"]);
    assert_eq!(errors("!t =\nmodule {}"), ["PTO-P012 expected a type after `!t =`"]);
}

#[test]
fn strays_at_the_beginning_of_a_statement() {
    assert_eq!(errors("^bb0: return"), ["PTO-P009 block label `^bb0` outside of a region"]);
    assert_eq!(errors("{ a }"), ["PTO-P009 expected an operation, found `{`"]);
    assert_eq!(errors("%x:0 = pto.y"), ["PTO-P011 a pack of results needs a size of at least 1"]);
    assert_eq!(errors("%x#1 = pto.y"), ["PTO-P011 one value of a pack cannot be defined"]);
}

#[test]
fn text_that_is_no_token() {
    assert_eq!(
        errors("pto.x \"abc\nreturn ;"),
        ["PTO-P004 the string is not closed on its line", "PTO-P003 unexpected character `;`"]
    );
    assert_eq!(errors("/* a\n b */ return /* open"), ["PTO-P005 `/* */` is not a comment in PTO text"; 2]);
    assert_eq!(
        errors("pto.x % @ ^ ! #"),
        [
            "PTO-P003 unexpected character `%`",
            "PTO-P003 unexpected character `@`",
            "PTO-P003 unexpected character `^`",
            "PTO-P003 unexpected character `!`",
            "PTO-P003 unexpected character `#`",
        ]
    );
}

#[test]
fn nothing_is_lost_around_an_error_inside_an_operation() {
    // The items before the broken region must not be mixed with what was read inside it.
    let text = "scf.for %i = %a to %b {\n %q = (%r, %s) %t\n pto.y %z\n} {k}";
    assert_eq!(dump(&parsed(text).tree, text), "scf.for %i = %a w:to %b {{ pto.y %z; }} { w:k };");
}
