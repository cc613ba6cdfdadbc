//! Input that nobody means: a clear finding, no crash, no hang, bounded memory.

use ptoc_driver::{Emit, Options, Report, Status, To, check_text, compile, convert, guarded, install_panic_hook};
use ptoc_source::SourceFile;
use ptoc_target::{Arch, Target};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn check(text: impl Into<String>) -> Report {
    check_text(SourceFile::new("t.pto", text).unwrap(), false, &Options::default())
}

/// The codes of what is wrong with a text; never that of an internal error.
fn codes(text: impl Into<String>) -> Vec<&'static str> {
    let report = check(text);
    let codes: Vec<_> = report.diagnostics.iter().map(|d| d.code).collect();
    assert!(!codes.contains(&"PTO-I001"), "{:?}", report.diagnostics);
    assert_eq!(report.status == Status::Wrong, report.diagnostics.iter().any(|d| d.is_error()));
    codes
}

fn ptoc(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptoc"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(stdin));
        child.wait_with_output().unwrap()
    })
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = ptoc_driver::expand(&[folder]).unwrap();
    assert!(files.len() >= 4);
    files
}

#[test]
fn an_empty_file_is_no_program() {
    assert_eq!(codes(""), ["PTO-I010"]);
    assert_eq!(codes("\n  // only a comment\n"), ["PTO-I010"]);
    let run = ptoc(&["check", "-"], b"");
    assert_eq!((run.status.code(), run.stdout.len()), (Some(1), 0));
}

#[test]
fn binary_bytes_are_named_as_such() {
    let bytes: Vec<u8> = (0..4096u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let run = ptoc(&["check", "--color", "never", "-"], &bytes);
    assert_eq!(run.status.code(), Some(1));
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(said.starts_with("error[PTO-I003]: the input is not UTF-8 text"), "{said}");
    let zeros = ptoc(&["check", "--color", "never", "-"], &[0; 1000]);
    assert_eq!(zeros.status.code(), Some(1));
    let said = String::from_utf8(zeros.stderr).unwrap();
    assert!(said.starts_with("error[PTO-P001]: the input is not"), "{said}");
}

#[test]
fn ten_thousand_brackets_have_a_limit() {
    for open in ["(", "[", "{", "<", "module {", "func.func @f() { scf.if %c {", "!pto.tile_buf<", "dense<[", "({"] {
        let found = codes(open.repeat(10_000));
        assert!(!found.is_empty() && found.len() <= 300, "{open}: {} findings", found.len());
        for close in [")", "]", "}", ">", "})"] {
            assert!(!codes(format!("{}{}", open.repeat(10_000), close.repeat(10_000))).is_empty());
        }
    }
}

#[test]
fn a_hundred_megabytes_on_one_line() {
    let statement = "%x = arith.addi %a, %a : i32 ";
    let found = codes(statement.repeat(100_000_000 / statement.len()));
    assert!((1..=300).contains(&found.len()), "{} findings", found.len());
    assert_eq!(codes(format!("//{}", "x".repeat(100_000_000))), ["PTO-I010"]);
}

#[test]
fn any_beginning_of_an_example() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        for end in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
            codes(&text[..end]);
        }
    }
}

#[test]
fn any_example_with_a_piece_cut_out() {
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (step, len) = (37, 11);
        for start in (0..text.len().saturating_sub(len)).step_by(step) {
            if text.is_char_boundary(start) && text.is_char_boundary(start + len) {
                codes(format!("{}{}", &text[..start], &text[start + len..]));
            }
        }
    }
}

#[test]
fn unknown_dialects_are_refused_at_their_line() {
    let report = check("func.func @k() {\n  %a = foo.bar : i32\n  return\n}\n");
    assert_eq!(report.diagnostics.len(), 1, "{:?}", report.diagnostics);
    let d = &report.diagnostics[0];
    assert_eq!((d.code, report.file.line_of(d.primary_span().start)), ("PTO-R003", 2));
}

#[test]
fn wrong_types_are_shown_side_by_side() {
    let text = "func.func @k(%a: i32) {\n  %b = arith.addi %a, %a : f32\n  return\n}\n";
    assert!(!codes(text).is_empty());
    assert_eq!(codes("func.func @k(%a: !pto.tile_bof<vec, 16x16xf32>) {\n  return\n}\n"), ["PTO-R007"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptoc"))
        .args(["ops", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!((run.status.code(), String::from_utf8(run.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn the_product_is_all_that_is_printed() {
    for path in examples() {
        let run = ptoc(&["compile", "--emit", "ir", path.to_str().unwrap()], b"");
        assert_eq!((run.status.code(), String::from_utf8(run.stderr).unwrap().as_str()), (Some(0), ""));
        assert!(!run.stdout.is_empty());
    }
}

#[test]
fn every_kind_of_end_has_its_exit_code() {
    let code = |arguments: &[&str], stdin: &str| ptoc(arguments, stdin.as_bytes()).status.code();
    assert_eq!(code(&["check", "-"], "func.func @k() {\n  return\n}\n"), Some(0));
    assert_eq!(code(&["check", "-"], "nonsense"), Some(1));
    assert_eq!(code(&["check", "no-such-file.pto"], ""), Some(2));
    assert_eq!(code(&["check", "--no-such-option"], ""), Some(2));
    assert_eq!(code(&["compile", "-", "-o", "/no/such/folder/x"], "func.func @k() {\n  return\n}\n"), Some(2));
    assert_eq!(code(&["--version"], ""), Some(0));
    assert_eq!(code(&[], ""), Some(2));
}

/// Compiles for both targets and into every form; whatever happens, it is said with a code of its own.
fn survives(text: &str) {
    let file = SourceFile::new("t", text).unwrap();
    for arch in Arch::ALL {
        let options = Options { target: Some(Target::of(arch)), ..Options::default() };
        let outcomes = guarded(|| {
            let forms = [To::Sync, To::Ssa, To::Dps, To::Generic].map(|to| convert(&file, to, &options));
            forms.into_iter().chain([compile(&file, Emit::Intrinsics, &options)]).collect::<Vec<_>>()
        });
        let outcomes = outcomes.unwrap_or_else(|d| panic!("{:?} on {arch}:\n{text}", d.notes));
        for o in outcomes {
            let wrong = o.diagnostics.iter().any(|d| d.is_error());
            assert_eq!(wrong, o.product.is_none(), "{:?}\n{text}", o.diagnostics);
        }
    }
}

#[test]
fn any_number_in_an_example_may_be_another() {
    install_panic_hook();
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_digit = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
        for start in (1..text.len()).filter(|&i| is_digit(i) && !text.as_bytes()[i - 1].is_ascii_alphanumeric()) {
            let end = (start..).find(|&i| !is_digit(i)).unwrap();
            for number in ["0", "1", "17", "65536", "9223372036854775807", "99999999999999999999"] {
                survives(&format!("{}{number}{}", &text[..start], &text[end..]));
            }
        }
    }
}

#[test]
fn any_word_of_a_type_in_an_example_may_be_another() {
    install_panic_hook();
    const WORDS: [&str; 14] = [
        "f32",
        "f16",
        "bf16",
        "i8",
        "i64",
        "index",
        "vec",
        "mat",
        "left",
        "right",
        "acc",
        "bias",
        "row_major",
        "col_major",
    ];
    for path in examples() {
        let text = std::fs::read_to_string(&path).unwrap();
        for (old, new) in WORDS.iter().flat_map(|old| WORDS.map(|new| (*old, new))).filter(|(a, b)| a != b) {
            if text.contains(old) {
                survives(&text.replacen(old, new, 1));
                survives(&text.replace(old, new));
            }
        }
    }
}
