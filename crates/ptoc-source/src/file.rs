use crate::Span;

/// One input text with the name to show for it.
///
/// Line starts are computed once, so a position is found in `O(log lines)`.
#[derive(Debug, Clone)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

/// The text does not fit 32-bit offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceTooLarge {
    /// Size of the rejected text in bytes.
    pub bytes: u64,
}

impl std::fmt::Display for SourceTooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the input has {} bytes; at most {} are supported", self.bytes, SourceFile::MAX_BYTES)
    }
}

impl std::error::Error for SourceTooLarge {}

impl SourceFile {
    /// Largest accepted text, in bytes.
    pub const MAX_BYTES: u64 = u32::MAX as u64 - 1;

    /// Takes a text under a display name.
    ///
    /// # Errors
    /// [`SourceTooLarge`] when offsets would not fit 32 bits.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Result<Self, SourceTooLarge> {
        let text = text.into();
        if text.len() as u64 > Self::MAX_BYTES {
            return Err(SourceTooLarge { bytes: text.len() as u64 });
        }
        let newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        Ok(SourceFile { name: name.into(), text, line_starts })
    }

    /// A text without a character, to hang findings on that have a name only.
    pub fn empty(name: impl Into<String>) -> Self {
        SourceFile { name: name.into(), text: String::new(), line_starts: vec![0] }
    }

    /// The display name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset, both from 1; the column counts characters.
    pub fn line_col(&self, offset: u32) -> (u32, u32) {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_of(offset);
        let start = self.line_start(line).unwrap_or(offset);
        let column = Span::new(start, offset).of(&self.text).chars().count();
        (line, column as u32 + 1)
    }

    /// The line, from 1, that holds a byte offset.
    pub fn line_of(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&s| s <= offset).max(1) as u32
    }

    /// The bytes of a line without its line break; the end of the text when there is no such line.
    pub fn line_bytes(&self, line: u32) -> Span {
        let end = self.text.len() as u32;
        let start = self.line_start(line).unwrap_or(end);
        let stop = self.line_start(line.saturating_add(1)).map_or(end, |next| next - 1);
        let cr = Span::new(start, stop).of(&self.text).ends_with('\r');
        Span::new(start, if cr { stop - 1 } else { stop })
    }

    /// Byte offset of the first character of a line (from 1), or `None` past the end.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.line_starts.get(line.checked_sub(1)? as usize).copied()
    }

    /// Number of lines; an empty text has one.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_one_and_in_characters() {
        let f = SourceFile::new("t", "ab\nçd\n").unwrap();
        assert_eq!(f.line_col(0), (1, 1));
        assert_eq!(f.line_col(3), (2, 1));
        assert_eq!(f.line_col(5), (2, 2));
        assert_eq!(f.line_col(99), (3, 1));
        assert_eq!(f.line_start(2), Some(3));
        assert_eq!(f.line_start(0), None);
        assert_eq!(f.line_count(), 3);
    }

    #[test]
    fn a_line_ends_before_its_break() {
        let f = SourceFile::new("t", "ab\r\n\nc").unwrap();
        let line = |n| f.line_bytes(n).of(f.text());
        assert_eq!((line(1), line(2), line(3), line(4)), ("ab", "", "c", ""));
    }
}
