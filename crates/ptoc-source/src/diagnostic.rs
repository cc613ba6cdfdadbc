use crate::Span;

/// A stable diagnostic code such as `SA-0353` or `PTO-T005`.
pub type Code = &'static str;

/// What `ptoc explain CODE` tells about a code.
#[derive(Debug, Clone, Copy)]
pub struct CodeInfo {
    /// The code itself.
    pub code: Code,
    /// One line: the rule that was broken.
    pub title: &'static str,
    /// What it means, why the rule exists (with its source), and how to fix it.
    pub explanation: &'static str,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is not legal.
    Error,
    /// Legal, but likely not what was meant.
    Warning,
    /// Information only.
    Note,
}

/// A place in the source with what to say there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The underlined text.
    pub span: Span,
    /// Short message at the underline; may be empty.
    pub message: String,
    /// The first place to look at; others are context.
    pub primary: bool,
}

/// One replacement of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// How to repair it: words, and edits when the repair is mechanical.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// Imperative sentence without a final stop.
    pub message: String,
    /// Edits that carry it out; may be empty.
    pub edits: Vec<Edit>,
}

/// One finding: what (message), where (labels), why (notes: the rule with its numbers), how to fix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code.
    pub code: Code,
    /// Severity.
    pub severity: Severity,
    /// What is wrong, in one line: `trowprod: src and dst must have the same element type (src f16, dst f32)`.
    pub message: String,
    /// All places involved.
    pub labels: Vec<Label>,
    /// Why: the rule with its numbers and its source.
    pub notes: Vec<String>,
    /// How to fix it.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Self {
        let mut d = Diagnostic {
            code,
            severity,
            message: short(message.into()),
            labels: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
        };
        if !span.is_none() {
            d.labels.push(Label { span, message: String::new(), primary: true });
        }
        d
    }

    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// Sets the text at the primary underline.
    #[must_use]
    pub fn at(mut self, message: impl Into<String>) -> Self {
        if let Some(l) = self.labels.iter_mut().find(|l| l.primary) {
            l.message = short(message.into());
        }
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        if !span.is_none() {
            self.labels.push(Label { span, message: short(message.into()), primary: false });
        }
        self
    }

    /// Adds a reason.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(short(note.into()));
        self
    }

    /// Adds a repair in words.
    #[must_use]
    pub fn help(mut self, message: impl Into<String>) -> Self {
        self.fixes.push(Fix { message: short(message.into()), edits: Vec::new() });
        self
    }

    /// Adds a repair with the edit that carries it out.
    #[must_use]
    pub fn fix(mut self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.fixes.push(Fix { message: short(message.into()), edits: vec![Edit { span, text: text.into() }] });
        self
    }

    /// The first place to look at, or [`Span::NONE`].
    pub fn primary_span(&self) -> Span {
        self.labels.iter().find(|l| l.primary).or(self.labels.first()).map_or(Span::NONE, |l| l.span)
    }

    /// True for an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Most characters of one word in a message.
const LONGEST: usize = 72;
/// What stays of a longer one: its beginning and its end.
const KEPT: (usize, usize) = (40, 12);

/// Cuts words that nobody reads to the end (hostile names, numbers of a thousand digits) out of a message.
fn short(message: String) -> String {
    if message.len() <= LONGEST || message.split(' ').all(|word| word.len() <= LONGEST) {
        return message;
    }
    let cut = |word: &str| {
        let count = word.chars().count();
        if count <= LONGEST {
            return word.to_owned();
        }
        let head: String = word.chars().take(KEPT.0).collect();
        let tail: String = word.chars().skip(count - KEPT.1).collect();
        format!("{head}...{tail}")
    };
    message.split(' ').map(cut).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_and_long_sentences_are_not() {
        let d = Diagnostic::error("X", Span::new(0, 1), format!("no value `{}` here", "a".repeat(500)));
        assert_eq!(d.message, format!("no value `{}...{}` here", "a".repeat(39), "a".repeat(11)));
        let sentence = "one word after the other ".repeat(20);
        assert_eq!(Diagnostic::error("X", Span::new(0, 1), sentence.clone()).message, sentence);
    }
}
