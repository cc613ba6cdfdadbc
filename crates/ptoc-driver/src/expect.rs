//! `--verify-diagnostics`: findings against the comments that announce them.

use crate::codes;
use ptoc_source::{Diagnostic, Severity, SourceFile, Span};
use std::ops::Range;

/// One `expected-...` comment.
#[derive(Debug, PartialEq, Eq)]
struct Expectation<'t> {
    kind: &'static str,
    /// Line of the finding; `None` for a finding without a place.
    line: Option<u32>,
    text: &'t str,
    span: Span,
}

/// Something that was said, and where.
struct Event<'d> {
    line: Option<u32>,
    kinds: &'static [&'static str],
    text: String,
    /// The finding this is the headline of; reasons and further places need no announcement.
    headline: Option<&'d Diagnostic>,
    announced: bool,
}

/// What differs between the findings in a part of a file and what its comments announce; empty when they agree.
///
/// An error, warning or note must be announced. Its labels, notes and fixes may be, as notes. A text matches when the finding,
/// written as `CODE: message`, holds it.
pub fn mismatches(file: &SourceFile, part: Range<u32>, found: &[Diagnostic]) -> Vec<Diagnostic> {
    let (mut expected, mut wrong) = expectations(file, part);
    let mut events: Vec<Event> = found.iter().flat_map(|d| events(file, d)).collect();
    // The most specific text chooses first.
    expected.sort_by_key(|e| (e.line, std::cmp::Reverse(e.text.len())));
    events.sort_by_key(|e| e.line);
    for e in expected {
        let from = events.partition_point(|v| v.line < e.line);
        let on_line = events[from..].iter_mut().take_while(|v| v.line == e.line);
        match on_line.into_iter().find(|v| !v.announced && v.kinds.contains(&e.kind) && v.text.contains(e.text)) {
            Some(event) => event.announced = true,
            None => wrong.push(missing(&e)),
        }
    }
    let unannounced = events.iter().filter(|e| !e.announced).filter_map(|e| e.headline);
    wrong.extend(unannounced.map(unexpected));
    wrong.sort_by_key(|d| d.primary_span().start);
    wrong
}

fn missing(e: &Expectation) -> Diagnostic {
    let place = match e.line {
        Some(line) => format!("on line {line}"),
        None => "without a place".to_string(),
    };
    Diagnostic::error(codes::MISSING, e.span, format!("expected {} {place} did not come: {}", e.kind, e.text))
}

fn unexpected(d: &Diagnostic) -> Diagnostic {
    let message = format!("unexpected {}: {}: {}", d.severity.name(), d.code, d.message);
    Diagnostic { code: codes::UNEXPECTED, severity: Severity::Error, message, ..d.clone() }
}

fn events<'d>(file: &SourceFile, d: &'d Diagnostic) -> Vec<Event<'d>> {
    const NOTE: &[&str] = &["note"];
    let line = |span: Span| (!span.is_none()).then(|| file.line_of(span.start));
    let note = |line, text: &String| Event { line, kinds: NOTE, text: text.clone(), headline: None, announced: false };
    let kinds: &[&str] = match d.severity {
        Severity::Error => &["error"],
        Severity::Warning => &["warning"],
        Severity::Note => &["note", "remark"],
    };
    let here = line(d.primary_span());
    let text = format!("{}: {}", d.code, d.message);
    let mut events = vec![Event { line: here, kinds, text, headline: Some(d), announced: false }];
    events.extend(d.labels.iter().map(|l| note(line(l.span), &l.message)));
    events.extend(d.notes.iter().map(|n| note(here, n)));
    events.extend(d.fixes.iter().map(|f| note(here, &f.message)));
    events
}

/// A comment's place: a line, or the nearest line without an expectation.
enum Place {
    At(Option<u32>),
    Above,
    Below,
}

/// The announcements of a part of a file, and those that cannot be read.
fn expectations(file: &SourceFile, part: Range<u32>) -> (Vec<Expectation<'_>>, Vec<Diagnostic>) {
    let (mut read, mut wrong) = (Vec::new(), Vec::new());
    // Line of the nearest line above that holds no expectation.
    let mut above = None;
    // Expectations that wait for the next such line.
    let mut below = 0;
    let (first, last) = (file.line_of(part.start), file.line_of(part.end));
    for line in first..=last {
        let bytes = file.line_bytes(line);
        let Some((start, text)) = announcement(bytes.of(file.text())) else {
            above = Some(line);
            let waiting = read.len() - below;
            for e in &mut read[waiting..] {
                let e: &mut Expectation = e;
                e.line = Some(line);
            }
            below = 0;
            continue;
        };
        let span = Span::new(bytes.start + start as u32, bytes.start + (start + text.len()) as u32);
        match parse(text, line) {
            Ok((kind, place, text)) => {
                let (at, line) = match place {
                    Place::At(line) => (read.len() - below, line),
                    Place::Above => (read.len() - below, above),
                    Place::Below => (read.len(), None),
                };
                below += usize::from(matches!(place, Place::Below));
                read.insert(at, Expectation { kind, line, text, span });
            }
            Err(why) => wrong.push(Diagnostic::error(codes::BAD_EXPECTATION, span, why)),
        }
    }
    // Nothing follows the last ones: no finding can be there.
    let waiting = read.len() - below;
    for e in &mut read[waiting..] {
        e.line = Some(last.saturating_add(1));
    }
    (read, wrong)
}

/// The `expected-...` text of a line's comment, with its offset in the line.
fn announcement(line: &str) -> Option<(usize, &str)> {
    let start =
        ["// expected-", "//expected-"].iter().find_map(|key| Some(line.find(key)? + key.len()))? - "expected-".len();
    Some((start, line[start..].trim_end()))
}

/// Kind, place and text of `expected-KIND@PLACE {{text}}`.
fn parse(text: &str, line: u32) -> Result<(&'static str, Place, &str), String> {
    let rest = text.strip_prefix("expected-").unwrap_or(text);
    let (head, body) = rest.split_once("{{").ok_or("no `{{` follows")?;
    let body = body.strip_suffix("}}").ok_or("no `}}` ends the line")?;
    let (kind, place) = match head.trim_end().split_once('@') {
        Some((kind, place)) => (kind.trim_end(), Some(place)),
        None => (head.trim_end(), None),
    };
    let kind = ["error", "warning", "note", "remark"]
        .into_iter()
        .find(|k| *k == kind)
        .ok_or_else(|| format!("`{kind}` is not one of error, warning, note, remark"))?;
    let away = |digits: &str| digits.parse::<u32>().ok();
    let place = match place {
        None => Some(Place::At(Some(line))),
        Some("above") => Some(Place::Above),
        Some("below") => Some(Place::Below),
        Some("unknown") => Some(Place::At(None)),
        Some(p) => match (p.strip_prefix('+').map(away), p.strip_prefix('-').map(away)) {
            (Some(Some(n)), _) => line.checked_add(n).map(|l| Place::At(Some(l))),
            (_, Some(Some(n))) => line.checked_sub(n).filter(|&l| l > 0).map(|l| Place::At(Some(l))),
            _ => None,
        },
    };
    Ok((kind, place.ok_or("the place is not `+N`, `-N`, `above`, `below` or `unknown`")?, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, found: &[Diagnostic]) -> Vec<String> {
        let file = SourceFile::new("t", text).unwrap();
        mismatches(&file, 0..text.len() as u32, found)
            .into_iter()
            .map(|d| format!("{}: {}", d.code, d.message))
            .collect()
    }

    /// An error on the text `part`.
    fn error(text: &str, part: &str, message: &str) -> Diagnostic {
        let start = text.find(part).unwrap() as u32;
        Diagnostic::error("PTO-X001", Span::new(start, start + 1), message)
    }

    #[test]
    fn every_way_to_name_a_line() {
        let text = "\
A // expected-error {{same}}
// expected-error@+1 {{plus}}
B
C
// expected-error@-1 {{minus}}
// expected-error@below {{first}}
// expected-error@below {{second}}
D
// expected-error@above {{third}}
// expected-error@above {{fourth}}
// expected-error@unknown {{nowhere}}
";
        let at = |part, message| error(text, part, message);
        let found = [
            at("A", "the same line"),
            at("B", "plus one"),
            at("C", "minus one"),
            at("D", "first"),
            at("D", "second"),
            at("D", "third"),
            at("D", "fourth"),
            Diagnostic::error("X", Span::NONE, "nowhere"),
        ];
        assert_eq!(run(text, &found), [""; 0]);
    }

    #[test]
    fn what_was_announced_must_come() {
        let text = "A\n// expected-error@-1 {{SA-0353}}\n// expected-warning@+1 {{w}}\nB\n";
        assert_eq!(
            run(text, &[error(text, "B", "w")]),
            [
                "PTO-I008: expected error on line 1 did not come: SA-0353",
                "PTO-I008: expected warning on line 4 did not come: w",
                "PTO-I007: unexpected error: PTO-X001: w",
            ]
        );
    }

    #[test]
    fn one_announcement_is_good_for_one_finding() {
        let text = "A // expected-error {{bad}}";
        let twice = [error(text, "A", "bad one"), error(text, "A", "bad two")];
        assert_eq!(run(text, &twice), ["PTO-I007: unexpected error: PTO-X001: bad two"]);
    }

    #[test]
    fn the_longest_text_chooses_first() {
        let text = "// expected-error@below {{bad}}\n// expected-error@below {{bad one}}\nA";
        assert_eq!(run(text, &[error(text, "A", "bad one"), error(text, "A", "bad two")]), [""; 0]);
    }

    #[test]
    fn reasons_and_places_may_be_announced_as_notes() {
        let text = "A // expected-error {{bad}}\n// expected-note@-1 {{because}}\nB // expected-note {{this one}}\n";
        let d =
            error(text, "A", "bad").note("because of it").note("not announced").label(Span::new(52, 53), "this one");
        let b = text.find("B //").unwrap() as u32;
        let d = d.label(Span::new(b, b + 1), "this one");
        assert_eq!(run(text, &[d]), [""; 0]);
    }

    #[test]
    fn an_unreadable_announcement_is_an_error() {
        let text =
            "// expected-eror {{x}}\n// expected-error {{x}\n// expected-error@up {{x}}\n// expected-error-re {{x}}\n";
        assert_eq!(
            run(text, &[]),
            [
                "PTO-I009: `eror` is not one of error, warning, note, remark",
                "PTO-I009: no `}}` ends the line",
                "PTO-I009: the place is not `+N`, `-N`, `above`, `below` or `unknown`",
                "PTO-I009: `error-re` is not one of error, warning, note, remark",
            ]
        );
    }

    #[test]
    fn only_the_part_counts() {
        let text = "A // expected-error {{a}}\n// -----\nB // expected-error {{b}}\n";
        let file = SourceFile::new("t", text).unwrap();
        let b = text.find("B ").unwrap() as u32;
        let found = [error(text, "B ", "b")];
        assert_eq!(mismatches(&file, b..text.len() as u32, &found), []);
    }
}
