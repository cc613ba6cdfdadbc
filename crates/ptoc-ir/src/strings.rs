//! Interned strings in one buffer: no allocation for each string, and nothing to free one by one.

use crate::Sym;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: String,
    /// End of each string in `text`; it begins where the one before it ends.
    ends: Vec<u32>,
    table: HashTable<u32>,
}

fn hash(text: &str) -> u64 {
    let mut h = FxHasher::default();
    h.write(text.as_bytes());
    h.finish()
}

impl Strings {
    fn slice<'a>(text: &'a str, ends: &[u32], i: usize) -> &'a str {
        let start = i.checked_sub(1).map_or(0, |p| ends[p]) as usize;
        &text[start..ends[i] as usize]
    }

    pub(crate) fn get(&self, sym: Sym) -> &str {
        if sym.index() < self.ends.len() { Self::slice(&self.text, &self.ends, sym.index()) } else { "" }
    }

    pub(crate) fn find(&self, text: &str) -> Option<Sym> {
        let found = self.table.find(hash(text), |&i| Self::slice(&self.text, &self.ends, i as usize) == text)?;
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
        self.table.insert_unique(hash(text), i as u32, |&i| hash(Self::slice(all, ends, i as usize)));
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
