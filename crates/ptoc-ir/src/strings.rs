//! Interned strings in one buffer: no allocation for each string, and nothing to free one by one.

use crate::Sym;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::ops::Range;

#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    /// End of each string in `text`; it begins where the one before it ends.
    ends: Vec<u32>,
    table: HashTable<u32>,
}

fn hash(text: &[u8]) -> u64 {
    let mut h = FxHasher::default();
    h.write(text);
    h.finish()
}

impl Strings {
    /// Where a string begins and ends.
    fn range(ends: &[u32], i: usize) -> Range<usize> {
        let end = |i| ends.get(i).map_or(0, |&e| e as usize);
        i.checked_sub(1).map_or(0, end)..end(i)
    }

    /// The bytes of a string; comparing them is cheaper than making a string of them first.
    fn bytes<'a>(text: &'a str, ends: &[u32], i: u32) -> &'a [u8] {
        text.as_bytes().get(Self::range(ends, i as usize)).unwrap_or(&[])
    }

    pub(crate) fn get(&self, sym: Sym) -> &str {
        self.text.get(Self::range(&self.ends, sym.index())).unwrap_or("")
    }

    /// Makes room for that many more strings.
    pub(crate) fn reserve(&mut self, strings: usize) {
        let (all, ends) = (&self.text, &self.ends);
        self.table.reserve(strings, |&i| hash(Self::bytes(all, ends, i)));
        self.ends.reserve(strings);
        self.text.reserve(strings.saturating_mul(8));
    }

    pub(crate) fn find(&self, text: &str) -> Option<Sym> {
        let bytes = text.as_bytes();
        let found = self.table.find(hash(bytes), |&i| Self::bytes(&self.text, &self.ends, i) == bytes)?;
        Some(Sym::from_index(*found as usize))
    }

    pub(crate) fn intern(&mut self, text: &str) -> Sym {
        if let Some(s) = self.find(text) {
            return s;
        }
        let i = self.ends.len();
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        let (all, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash(text.as_bytes()), i as u32, |&i| hash(Self::bytes(all, ends, i)));
        Sym::from_index(i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_text_gives_equal_handles() {
        let mut s = Strings::default();
        let words: Vec<String> = (0..1000).map(|i| format!("name{i}")).collect();
        let syms: Vec<Sym> = words.iter().map(|w| s.intern(w)).collect();
        for (w, &y) in words.iter().zip(&syms) {
            assert_eq!(s.intern(w), y);
            assert_eq!(s.get(y), w);
        }
        assert_eq!(s.find("other"), None);
        assert_eq!(s.get(Sym::from_index(5000)), "");
    }
}
