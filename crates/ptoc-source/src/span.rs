use std::ops::Range;

/// A half-open range of bytes in one source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span of something that has no source text, such as an op a pass made from nothing.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    /// Builds a span from two byte offsets.
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// True for [`Span::NONE`].
    pub const fn is_none(self) -> bool {
        self.start == u32::MAX
    }

    /// The smallest span that holds both; `NONE` is neutral.
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Number of bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// True when the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The span as an index range.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text the span covers, or `""` when it does not lie in `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_none() { f.write_str("-") } else { write!(f, "{}..{}", self.start, self.end) }
    }
}
