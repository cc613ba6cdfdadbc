//! Findings for people.
//!
//! ariadne draws the source with its underlines. This module chooses what it gets to see, keeps it cheap on hostile input, and
//! writes the headline.

use super::excerpt::{Excerpt, visible};
use super::positions::{Positions, snap};
use crate::{Diagnostic, Fix, Severity, SourceFile, Span};
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use std::io::{self, Write};

/// How findings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Write ANSI colours.
    pub color: bool,
    /// Findings to show of one file; the rest is only counted. Zero shows all.
    pub limit: usize,
}

impl Style {
    /// Text without colours, the first hundred findings of a file.
    pub const PLAIN: Style = Style { color: false, limit: 100 };
}

impl Default for Style {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// Places drawn for one finding; more are only counted.
const MAX_LABELS: usize = 12;
/// Stands for the file name and position in what ariadne draws. No shown text can hold it.
const PLACE: &str = "\u{1}";

/// Writes findings one after the other, a blank line after each.
///
/// # Errors
/// What the writer reports.
pub fn human(file: &SourceFile, diagnostics: &[Diagnostic], style: Style, out: &mut dyn Write) -> io::Result<()> {
    // One finding beyond the limit is shown: to say that it is not would be no shorter, and it often says that there are more.
    let all = style.limit == 0 || diagnostics.len() <= style.limit.saturating_add(1);
    let shown = if all { diagnostics.len() } else { style.limit };
    let positions = Positions::of(file, &diagnostics[..shown]);
    let page = Page { file, positions: &positions, color: style.color };
    for d in &diagnostics[..shown] {
        out.write_all(page.draw(d).as_bytes())?;
    }
    match diagnostics.len() - shown {
        0 => Ok(()),
        more => writeln!(out, "{}: {more} more findings are not shown\n", clean(file.name())),
    }
}

struct Page<'a> {
    file: &'a SourceFile,
    positions: &'a Positions,
    color: bool,
}

impl Page<'_> {
    fn draw(&self, d: &Diagnostic) -> String {
        let mut text = self.headline(d);
        let (helps, notes) = self.talk(d);
        if d.labels.is_empty() {
            text.push_str(&self.without_source(&helps, &notes));
        } else {
            text.push_str(&self.with_source(d, &helps, &notes));
        }
        text.push('\n');
        if self.color { text } else { text.lines().flat_map(|l| [l.trim_end(), "\n"]).collect() }
    }

    /// `error[SA-0353]: what is wrong`.
    fn headline(&self, d: &Diagnostic) -> String {
        let (on, off) = match (self.color, d.severity) {
            (false, _) => ("", ""),
            (true, Severity::Error) => ("\u{1b}[1;31m", "\u{1b}[0m"),
            (true, Severity::Warning) => ("\u{1b}[1;33m", "\u{1b}[0m"),
            (true, Severity::Note) => ("\u{1b}[1;36m", "\u{1b}[0m"),
        };
        format!("{on}{}[{}]{off}: {}\n", d.severity.name(), d.code, clean(&d.message))
    }

    /// Help and note lines.
    fn talk(&self, d: &Diagnostic) -> (Vec<String>, Vec<String>) {
        let mut notes: Vec<String> = d.notes.iter().map(|n| clean(n)).collect();
        if let more @ 1.. = d.labels.len().saturating_sub(MAX_LABELS) {
            notes.push(format!("{more} more places are not shown"));
        }
        (d.fixes.iter().map(|f| self.help(f)).collect(), notes)
    }

    /// What to do, with the edits that the words leave open.
    fn help(&self, fix: &Fix) -> String {
        let mut text = clean(&fix.message);
        for e in &fix.edits {
            let old = snap(self.file, e.span).of(self.file.text());
            let new = e.text.trim();
            let said = if new.is_empty() { fix.message.contains(old) } else { fix.message.contains(new) };
            if said {
                continue;
            }
            let at = self.positions.at(snap(self.file, e.span).start);
            let what = match (old.is_empty(), new.is_empty()) {
                (true, _) => format!("insert `{}`", clean(new)),
                (false, true) => format!("delete `{}`", short(old)),
                (false, false) => format!("write `{}` for `{}`", clean(new), short(old)),
            };
            text.push_str(&format!("\nat {}:{}, {what}", at.line, at.column));
        }
        text
    }

    fn with_source(&self, d: &Diagnostic, helps: &[String], notes: &[String]) -> String {
        let labels = self.labels(d);
        let spans: Vec<Span> = labels.iter().map(|l| l.span).collect();
        let excerpt = Excerpt::new(self.file, &spans);
        let config = Config::new().with_color(self.color).with_index_type(IndexType::Byte);
        let mut report = Report::build(ReportKind::Error, (PLACE, 0..0)).with_config(config);
        for (l, range) in labels.iter().zip(excerpt.spans) {
            let color = match (l.primary, d.severity) {
                (true, Severity::Error) => Color::Red,
                (true, Severity::Warning) => Color::Yellow,
                (true, Severity::Note) => Color::Cyan,
                (false, _) => Color::Blue,
            };
            // ariadne underlines only labels that say something.
            let message = if l.message.is_empty() { "here".to_string() } else { clean(l.message) };
            let label = Label::new((PLACE, range)).with_message(message).with_order(l.order);
            report = report.with_label(if self.color { label.with_color(color) } else { label });
        }
        report = helps.iter().fold(report, |r, h| r.with_help(h));
        report = notes.iter().fold(report, |r, n| r.with_note(n));

        let mut drawn = Vec::new();
        // Writing to memory does not fail.
        let _ = report.finish().write((PLACE, Source::from(excerpt.text)), &mut drawn);
        let drawn = String::from_utf8_lossy(&drawn);
        let body = drawn.split_once('\n').map_or("", |(_, body)| body);
        self.place(d, body)
    }

    /// The labels to draw: inside the text, primary ones first when there are too many, ordered down the page and, on a line,
    /// from right to left so that the arrows do not cross.
    fn labels<'d>(&self, d: &'d Diagnostic) -> Vec<Drawn<'d>> {
        let mut picked: Vec<_> = d.labels.iter().collect();
        picked.sort_by_key(|l| !l.primary);
        picked.truncate(MAX_LABELS);
        let mut labels: Vec<Drawn> = picked
            .into_iter()
            .map(|l| Drawn { span: self.visible_span(l.span), message: &l.message, primary: l.primary, order: 0 })
            .collect();
        self.shorten_enclosing(&mut labels);
        labels.sort_by_key(|l| {
            let end = self.file.line_of(l.span.end.saturating_sub(1).max(l.span.start));
            (end, std::cmp::Reverse(l.span.start), !l.primary)
        });
        for (i, l) in labels.iter_mut().enumerate() {
            l.order = i as i32;
        }
        labels
    }

    /// Draws a label around other labels at its beginning only: two underlines in one place cannot be told apart.
    ///
    /// A primary label over several lines stays whole; its ends are what is to be seen.
    fn shorten_enclosing(&self, labels: &mut [Drawn]) {
        let spans: Vec<Span> = labels.iter().map(|l| l.span).collect();
        for (i, label) in labels.iter_mut().enumerate() {
            let outer = label.span;
            let inside = |s: &Span| outer.start <= s.start && s.end <= outer.end && *s != outer;
            let others = spans.iter().enumerate().filter(|&(j, s)| j != i && inside(s));
            let Some(first) = others.map(|(_, s)| s.start).min() else { continue };
            if label.primary && self.file.line_of(outer.start) != self.file.line_of(outer.end) {
                continue;
            }
            let head = Span::new(outer.start, first).of(self.file.text());
            let head = head.lines().next().unwrap_or("").trim_end_matches(|c: char| !c.is_alphanumeric());
            if !head.is_empty() {
                label.span.end = outer.start + head.len() as u32;
            }
        }
    }

    /// The span in the text; an empty one takes the character after it, so that there is something to underline.
    fn visible_span(&self, span: Span) -> Span {
        let span = snap(self.file, span);
        let rest = self.file.text().get(span.start as usize..).unwrap_or("");
        match rest.chars().next() {
            Some(c) if span.is_empty() && c != '\n' && c != '\r' => {
                Span::new(span.start, span.start + c.len_utf8() as u32)
            }
            _ => span,
        }
    }

    /// Puts `file:line:column` where ariadne wrote a place of the excerpt.
    fn place(&self, d: &Diagnostic, body: &str) -> String {
        let at = self.positions.at(snap(self.file, d.primary_span()).start);
        let place = format!("{}:{}:{}", clean(self.file.name()), at.line, at.column);
        let mut out = String::with_capacity(body.len() + place.len());
        let mut pieces = body.split(PLACE);
        out.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            out.push_str(&place);
            out.push_str(piece.trim_start_matches(|c: char| c == ':' || c == '?' || c.is_ascii_digit()));
        }
        out
    }

    /// The same frame for a finding that has no place.
    fn without_source(&self, helps: &[String], notes: &[String]) -> String {
        let (on, off) = if self.color { ("\u{1b}[38;5;246m", "\u{1b}[0m") } else { ("", "") };
        let mut text = format!("   {on}╭─[{off} {} {on}]{off}\n", clean(self.file.name()));
        let helps = numbered("Help", helps);
        let notes = numbered("Note", notes);
        for (head, body) in helps.chain(notes) {
            text.push_str(&format!("   {on}│{off}\n"));
            for (i, line) in body.lines().enumerate() {
                let head = if i == 0 { format!("{head}: ") } else { " ".repeat(head.len() + 2) };
                text.push_str(&format!("   {on}│{off} {head}{line}\n"));
            }
        }
        text + &format!("{on}───╯{off}\n")
    }
}

/// One label as it is drawn.
struct Drawn<'a> {
    span: Span,
    message: &'a str,
    primary: bool,
    order: i32,
}

/// `Help`, or `Help 1`, `Help 2` when there are many.
fn numbered<'a>(head: &'a str, items: &'a [String]) -> impl Iterator<Item = (String, &'a str)> {
    let many = items.len() > 1;
    items.iter().enumerate().map(move |(i, body)| {
        let head = if many { format!("{head} {}", i + 1) } else { head.to_string() };
        (head, body.as_str())
    })
}

/// Text from anywhere without characters that steer a terminal; line breaks stay.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { visible(c) }).collect()
}

/// At most forty characters on one line.
fn short(text: &str) -> String {
    let mut s: String = text.chars().map(visible).take(40).collect();
    if text.chars().nth(40).is_some() {
        s.push('…');
    }
    s
}

#[cfg(test)]
mod tests;
