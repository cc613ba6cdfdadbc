//! The raw tokens around the place being read.

use logos::Logos;

use crate::lexer::{Mode, Raw, RawToken, State};

/// Bytes that no token begins with, run together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Junk {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) kind: JunkKind,
}

/// Why bytes are no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JunkKind {
    Character,
    OpenString,
    BlockComment,
}

/// Reads raw tokens as they are asked for, so that only the neighbourhood of the current one is in memory.
pub(crate) struct Window<'t> {
    lexer: logos::Lexer<'t, Raw>,
    /// Tokens read ahead; those before `head` are used up. The last two of them, or what stands for them at the beginning, are
    /// always there.
    buffer: Vec<RawToken>,
    head: usize,
    /// Number of used tokens that are no longer in the buffer, less the two in front of the first one.
    dropped: usize,
    /// The first junk found.
    pub(crate) junk: Vec<Junk>,
    /// Bytes of all junk.
    pub(crate) junk_bytes: usize,
    max_junk: usize,
}

/// Stands for the tokens before the first.
const NOTHING: RawToken = RawToken { start: 0, end: 0, kind: Raw::BlockComment };

/// How many used tokens are kept.
const KEPT: usize = 2;

/// How many tokens are read at a time.
const BATCH: usize = 512;

impl<'t> Window<'t> {
    /// Reads a text whose length fits 32 bits. `max_junk` bounds the recorded junk.
    pub(crate) fn new(text: &'t str, mode: Mode, max_junk: usize) -> Self {
        let mut buffer = Vec::with_capacity(text.len().min(BATCH) + KEPT);
        buffer.extend([NOTHING; KEPT]);
        Window {
            lexer: Raw::lexer_with_extras(text, State::new(mode)),
            buffer,
            head: KEPT,
            dropped: 0,
            junk: Vec::new(),
            junk_bytes: 0,
            max_junk,
        }
    }

    /// The token `n` places after the next.
    #[inline]
    pub(crate) fn peek(&mut self, n: usize) -> Option<RawToken> {
        match self.buffer.get(self.head + n) {
            Some(t) => Some(*t),
            None => self.peek_far(n),
        }
    }

    /// The kind of the token `n` places after the next.
    #[inline]
    pub(crate) fn kind(&mut self, n: usize) -> Option<Raw> {
        match self.buffer.get(self.head + n) {
            Some(t) => Some(t.kind),
            None => self.peek_far(n).map(|t| t.kind),
        }
    }

    /// The kinds of the tokens to come. Looking far ahead keeps nothing: what is not in the buffer yet is read for this only.
    pub(crate) fn ahead(&self) -> impl Iterator<Item = Raw> {
        let mut buffered = self.buffer.get(self.head..).unwrap_or(&[]).iter();
        let mut lexer = None;
        std::iter::from_fn(move || match buffered.next() {
            Some(t) => Some(t.kind),
            None => {
                let lexer = lexer.get_or_insert_with(|| self.lexer.clone());
                lexer.find_map(|t| t.ok().filter(|&kind| kind != Raw::BlockComment))
            }
        })
    }

    /// Goes on to the next token; false at the end of the text.
    #[inline]
    pub(crate) fn advance(&mut self) -> bool {
        let more = self.head < self.buffer.len() || self.peek_far(0).is_some();
        self.head += usize::from(more);
        more
    }

    /// The token that was gone on to.
    #[inline]
    pub(crate) fn current(&self) -> RawToken {
        self.buffer.get(self.head - 1).copied().unwrap_or(NOTHING)
    }

    /// The token before that.
    #[inline]
    pub(crate) fn last(&self) -> RawToken {
        self.buffer.get(self.head - 2).copied().unwrap_or(NOTHING)
    }

    /// How many tokens were gone on to.
    pub(crate) fn position(&self) -> usize {
        self.dropped + self.head - KEPT
    }

    #[cold]
    fn peek_far(&mut self, n: usize) -> Option<RawToken> {
        while self.head + n >= self.buffer.len() {
            if !self.fill() {
                return None;
            }
        }
        self.buffer.get(self.head + n).copied()
    }

    /// Reads some more tokens; false at the end of the text.
    fn fill(&mut self) -> bool {
        // Moving costs at most what was used up.
        if self.head * 2 >= self.buffer.len() {
            let used = self.head - KEPT;
            self.buffer.drain(..used);
            self.dropped += used;
            self.head = KEPT;
        }
        let goal = self.buffer.len() + BATCH;
        while self.buffer.len() < goal {
            let Some(next) = self.lexer.next() else { break };
            let range = self.lexer.span();
            let (start, end) = (range.start as u32, range.end as u32);
            match next {
                Ok(Raw::OpenStr | Raw::BlockComment) | Err(()) => self.odd(next, start, end),
                Ok(kind) => self.buffer.push(RawToken { start, end, kind }),
            }
        }
        self.buffer.len() > goal - BATCH
    }

    #[cold]
    fn odd(&mut self, next: Result<Raw, ()>, start: u32, end: u32) {
        let kind = match next {
            Ok(Raw::OpenStr) => {
                // Still an operand, so that the statement around it keeps its shape.
                self.buffer.push(RawToken { start, end, kind: Raw::Str });
                JunkKind::OpenString
            }
            Ok(_) => JunkKind::BlockComment,
            Err(()) => JunkKind::Character,
        };
        self.junk(Junk { start, end, kind });
    }

    fn junk(&mut self, junk: Junk) {
        self.junk_bytes += (junk.end - junk.start) as usize;
        let room = self.junk.len() < self.max_junk;
        match self.junk.last_mut() {
            Some(last) if junk.kind == JunkKind::Character && last.kind == junk.kind && last.end == junk.start => {
                last.end = junk.end;
            }
            _ if room => self.junk.push(junk),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_far_ahead_keeps_the_place() {
        let text = "a ".repeat(3 * BATCH);
        let mut w = Window::new(&text, Mode::Statements, 0);
        assert!(w.advance());
        assert_eq!((w.current().start, w.last().start), (0, 0));
        assert_eq!(w.peek(2 * BATCH).map(|t| t.start), Some(4 * BATCH as u32 + 2));
        assert!(w.advance());
        assert_eq!((w.current().start, w.last().start), (2, 0));
        assert_eq!(w.ahead().count(), 3 * BATCH - 2);
        assert_eq!(w.peek(3 * BATCH), None);
        let rest = std::iter::from_fn(|| w.advance().then_some(())).count();
        assert_eq!((rest, w.position()), (3 * BATCH - 2, 3 * BATCH));
        assert_eq!(w.last().start + 2, w.current().start);
    }
}
