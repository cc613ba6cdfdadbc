use super::*;

const KERNEL: &str = "func.func @k() {\n  %d = trowprod %s, %tmp : f16 -> f32\n  tadd %a\n}\n";

fn span(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap() as u32;
    Span::new(start, start + part.len() as u32)
}

fn show(text: &str, diagnostics: &[Diagnostic], style: Style) -> String {
    let file = SourceFile::new("k.pto", text).unwrap();
    let mut out = Vec::new();
    human(&file, diagnostics, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn plain(text: &str, d: Diagnostic) -> String {
    show(text, &[d], Style::PLAIN)
}

#[test]
fn every_operand_is_underlined_and_the_reason_and_the_repair_follow() {
    let d = Diagnostic::error("PTO-T005", span(KERNEL, "f32"), "trowprod: src and dst differ (src f16, dst f32)")
        .at("dst is f32")
        .label(span(KERNEL, "f16"), "src is f16")
        .note("TROWPROD multiplies in the element type of src")
        .help("convert src with `tcvt` first");
    assert_eq!(
        plain(KERNEL, d),
        "\
error[PTO-T005]: trowprod: src and dst differ (src f16, dst f32)
   ╭─[ k.pto:2:35 ]
   │
 2 │   %d = trowprod %s, %tmp : f16 -> f32
   │                            ─┬─    ─┬─
   │                             │      ╰─── dst is f32
   │                             │
   │                             ╰────────── src is f16
   │
   │ Help: convert src with `tcvt` first
   │
   │ Note: TROWPROD multiplies in the element type of src
───╯

"
    );
}

#[test]
fn an_edit_is_spelled_out_only_when_the_words_do_not_say_it() {
    let name = span(KERNEL, "tadd");
    let d = Diagnostic::warning("PTO-W001", name, "odd name")
        .fix("write `tadds`", name, "tadds")
        .fix("add the second operand", Span::new(name.end + 3, name.end + 3), ", %b")
        .fix("drop the temporary", span(KERNEL, ", %tmp"), "")
        .fix("use the unary form", name, "tabs");
    assert_eq!(
        plain(KERNEL, d),
        "\
warning[PTO-W001]: odd name
   ╭─[ k.pto:3:3 ]
   │
 3 │   tadd %a
   │   ──┬─
   │     ╰─── here
   │
   │ Help 1: write `tadds`
   │
   │ Help 2: add the second operand
   │         at 3:10, insert `, %b`
   │
   │ Help 3: drop the temporary
   │         at 2:19, delete `, %tmp`
   │
   │ Help 4: use the unary form
   │         at 3:3, write `tabs` for `tadd`
───╯

"
    );
}

#[test]
fn a_region_shows_its_first_and_last_line() {
    let d = Diagnostic::error("E", span(KERNEL, &KERNEL[15..KERNEL.len() - 1]), "the body is odd")
        .label(span(KERNEL, "tadd"), "because of this");
    assert_eq!(
        plain(KERNEL, d),
        "\
error[E]: the body is odd
   ╭─[ k.pto:1:16 ]
   │
 1 │ ╭─▶ func.func @k() {
   ┆ ┆
 3 │ │     tadd %a
   │ │     ──┬─
   │ │       ╰─── because of this
 4 │ ├─▶ }
   │ │
   │ ╰─────── here
───╯

"
    );
}

#[test]
fn a_label_around_others_is_drawn_at_its_beginning() {
    let d = Diagnostic::error("E", span(KERNEL, "%s"), "src is odd")
        .at("this")
        .label(span(KERNEL, "%d = trowprod %s, %tmp : f16 -> f32"), "in this instruction");
    assert_eq!(
        plain(KERNEL, d),
        "\
error[E]: src is odd
   ╭─[ k.pto:2:17 ]
   │
 2 │   %d = trowprod %s, %tmp : f16 -> f32
   │   ──────┬────── ─┬
   │         │        ╰── this
   │         │
   │         ╰─────────── in this instruction
───╯

"
    );
}

#[test]
fn a_finding_without_a_place_names_the_file() {
    let d = Diagnostic::error("E", Span::NONE, "the file cannot be read").note("one\ntwo").help("look at its rights");
    assert_eq!(
        plain("", d),
        "\
error[E]: the file cannot be read
   ╭─[ k.pto ]
   │
   │ Help: look at its rights
   │
   │ Note: one
   │       two
───╯

"
    );
}

#[test]
fn the_end_of_the_file_is_a_place() {
    let end = KERNEL.len() as u32;
    let d = Diagnostic::error("E", Span::new(end, end), "unexpected end of file").at("a `}` is missing");
    assert_eq!(
        plain(KERNEL, d),
        "\
error[E]: unexpected end of file
   ╭─[ k.pto:5:1 ]
   │
 5 │
   │ │
   │ ╰─ a `}` is missing
───╯

"
    );
}

#[test]
fn columns_count_characters() {
    let text = "// größe µ\n%é = tad %s\n";
    let d = Diagnostic::error("E", span(text, "tad"), "unknown instruction").at("no such name");
    assert_eq!(
        plain(text, d),
        "\
error[E]: unknown instruction
   ╭─[ k.pto:2:6 ]
   │
 2 │ %é = tad %s
   │      ─┬─
   │       ╰─── no such name
───╯

"
    );
}

#[test]
fn four_megabytes_on_one_line_show_a_window() {
    let text = format!("{}%bad{}", "x ".repeat(1 << 20), " y".repeat(1 << 20));
    let at = 2 << 20;
    let d = Diagnostic::error("E", Span::new(at, at + 4), "unknown value").at("not defined");
    assert_eq!(
        plain(&text, d),
        "\
error[E]: unknown value
   ╭─[ k.pto:1:2097153 ]
   │
 1 │ …x x x x x x x x x x x x %bad y y y y y y y y y y y y…
   │                          ──┬─
   │                            ╰─── not defined
───╯

"
    );
}

#[test]
fn ten_thousand_findings_on_one_line_of_four_megabytes() {
    let text = "x ".repeat(2 << 20);
    let finding = |i: u32| Diagnostic::error("E", Span::new(i * 400, i * 400 + 1), "m");
    let found: Vec<Diagnostic> = (0..10_000).map(finding).collect();
    let out = show(&text, &found, Style::PLAIN);
    assert_eq!(out.matches("error[E]").count(), 100);
    assert!(out.ends_with("k.pto: 9900 more findings are not shown\n\n"));
    let all = show(&text, &found, Style { limit: 0, ..Style::PLAIN });
    assert!(all.contains("k.pto:1:3999601 "));
    assert!(all.len() < 10_000 * 600);
}

#[test]
fn a_hundred_places_are_cut_to_a_dozen() {
    let text = "%v\n".repeat(100);
    let d = (1..100)
        .fold(Diagnostic::error("E", Span::new(270, 272), "m"), |d, i| d.label(Span::new(i * 3, i * 3 + 2), ""));
    let out = plain(&text, d);
    assert_eq!(out.matches("here").count(), 12);
    assert!(out.contains("91 │ %v"), "the primary place stays:\n{out}");
    assert!(out.contains("Note: 88 more places are not shown"));
}

#[test]
fn colours_appear_only_on_request() {
    let d = || {
        [
            Diagnostic::error("E", span(KERNEL, "tadd"), "m").note("n").help("h"),
            Diagnostic::warning("W", Span::NONE, "m"),
        ]
    };
    assert!(!show(KERNEL, &d(), Style::PLAIN).contains('\u{1b}'));
    let colored = show(KERNEL, &d(), Style { color: true, ..Style::PLAIN });
    assert!(colored.starts_with("\u{1b}[1;31merror[E]\u{1b}[0m: m\n"));
    assert!(colored.contains("\u{1b}[1;33mwarning[W]\u{1b}[0m: m\n"));
}

#[test]
fn no_text_can_steer_the_terminal() {
    let text = "%a\u{1b}[2J = \u{1}\r\n";
    let d = Diagnostic::error("E", Span::new(0, 2), "bad \u{1b}[31m name").note("\u{7}").help("\u{202e}");
    let out = plain(text, d);
    assert!(!out.chars().any(|c| c != '\n' && c.is_control()), "{out:?}");
    assert!(out.contains("%a?[2J = ?"));
}

#[test]
fn any_span_on_any_text_is_drawn() {
    let texts = ["", "\n", "é", "a\r\nß\u{2028}x\n\n", "\t\tx\u{85}y\r", "ﷺ 漢字\n漢"];
    for text in texts {
        let end = text.len() as u32 + 2;
        for (a, b) in (0..end).flat_map(|a| (0..end).map(move |b| (a, b))) {
            let d = Diagnostic::error("E", Span::new(a, b), "m").label(Span::new(b, a), "other").fix(
                "f",
                Span::new(a, b),
                "q",
            );
            assert!(plain(text, d).starts_with("error[E]: m\n   ╭─[ k.pto:"), "{text:?} {a}..{b}");
        }
    }
}
