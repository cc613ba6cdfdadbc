//! Findings as data: what the human text says, with offsets.

use super::positions::{Positions, snap};
use crate::{Diagnostic, Edit, Fix, Label, Severity, SourceFile, Span};
use serde::Serialize;

/// All findings in one file; serialises with a fixed key order.
#[derive(Debug, Serialize)]
pub struct FileReport<'a> {
    file: &'a str,
    diagnostics: Vec<Finding<'a>>,
}

#[derive(Debug, Serialize)]
struct Finding<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<Place<'a>>,
    notes: &'a [String],
    fixes: Vec<Repair<'a>>,
}

#[derive(Debug, Serialize)]
struct Place<'a> {
    primary: bool,
    message: &'a str,
    #[serde(flatten)]
    range: Range,
}

#[derive(Debug, Serialize)]
struct Repair<'a> {
    message: &'a str,
    edits: Vec<Replacement<'a>>,
}

#[derive(Debug, Serialize)]
struct Replacement<'a> {
    #[serde(flatten)]
    range: Range,
    text: &'a str,
}

/// Lines and columns count from 1 and in characters, bytes from 0; the end is one past.
#[derive(Debug, Serialize)]
struct Range {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    byte_start: u32,
    byte_end: u32,
}

/// The findings of one file as a serialisable document.
pub fn json<'a>(file: &'a SourceFile, diagnostics: &'a [Diagnostic]) -> FileReport<'a> {
    let positions = Positions::of(file, diagnostics);
    let range = |span: Span| {
        let span = snap(file, span);
        let (start, end) = (positions.at(span.start), positions.at(span.end));
        Range {
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            byte_start: span.start,
            byte_end: span.end,
        }
    };
    let place = |l: &'a Label| Place { primary: l.primary, message: &l.message, range: range(l.span) };
    let edit = |e: &'a Edit| Replacement { range: range(e.span), text: &e.text };
    let repair = |f: &'a Fix| Repair { message: &f.message, edits: f.edits.iter().map(edit).collect() };
    let finding = |d: &'a Diagnostic| Finding {
        code: d.code,
        severity: d.severity.name(),
        message: &d.message,
        labels: d.labels.iter().map(place).collect(),
        notes: &d.notes,
        fixes: d.fixes.iter().map(repair).collect(),
    };
    FileReport { file: file.name(), diagnostics: diagnostics.iter().map(finding).collect() }
}

impl Severity {
    /// `error`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_finding_with_everything() {
        let file = SourceFile::new("k.pto", "çb = tad %x\n").unwrap();
        let d = Diagnostic::error("PTO-T001", Span::new(6, 9), "unknown instruction `tad`")
            .at("not an instruction")
            .label(Span::new(10, 12), "with this operand")
            .note("names are in `ptoc ops`")
            .fix("did you mean `tadd`?", Span::new(6, 9), "tadd");
        let range = |c, e, b, f| json!({"line": 1, "column": c, "end_line": 1, "end_column": e, "byte_start": b, "byte_end": f});
        let with = |mut r: serde_json::Value, more: serde_json::Value| {
            r.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            r
        };
        let expected = json!({
            "file": "k.pto",
            "diagnostics": [{
                "code": "PTO-T001",
                "severity": "error",
                "message": "unknown instruction `tad`",
                "labels": [
                    with(range(6, 9, 6, 9), json!({"primary": true, "message": "not an instruction"})),
                    with(range(10, 12, 10, 12), json!({"primary": false, "message": "with this operand"})),
                ],
                "notes": ["names are in `ptoc ops`"],
                "fixes": [{
                    "message": "did you mean `tadd`?",
                    "edits": [with(range(6, 9, 6, 9), json!({"text": "tadd"}))],
                }],
            }],
        });
        assert_eq!(serde_json::to_value(super::json(&file, &[d])).unwrap(), expected);
    }

    #[test]
    fn keys_come_in_a_fixed_order() {
        let file = SourceFile::new("t", "x").unwrap();
        let d = [Diagnostic::warning("W", Span::new(0, 1), "m")];
        assert_eq!(
            serde_json::to_string(&super::json(&file, &d)).unwrap(),
            concat!(
                r#"{"file":"t","diagnostics":[{"code":"W","severity":"warning","message":"m","labels":[{"primary":true,"#,
                r#""message":"","line":1,"column":1,"end_line":1,"end_column":2,"byte_start":0,"byte_end":1}],"#,
                r#""notes":[],"fixes":[]}]}"#
            )
        );
    }

    #[test]
    fn a_span_outside_the_text_is_brought_inside() {
        let file = SourceFile::new("t", "aé").unwrap();
        let d = [Diagnostic::error("E", Span::new(2, 99), "m")];
        let v = serde_json::to_value(super::json(&file, &d)).unwrap();
        assert_eq!(v["diagnostics"][0]["labels"][0]["byte_start"], 1);
        assert_eq!(v["diagnostics"][0]["labels"][0]["byte_end"], 3);
    }
}
