//! The order of moves that happen at once.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// One move of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Move<T> {
    /// From one place to another.
    Direct(T, T),
    /// What a place holds goes to a spare place.
    Save(T),
    /// From the spare place of the first one to the second.
    Saved(T, T),
}

/// A sequence that does what the moves `(from, to)` do at once: one that overwrites a source waits for those that read it, and a
/// cycle is opened with a spare place. No place is written twice. Linear.
pub(super) fn in_order<T: Copy + Eq + Hash>(moves: &[(T, T)]) -> Vec<Move<T>> {
    let mut readers: FxHashMap<T, u32> = FxHashMap::default();
    let mut writer: FxHashMap<T, usize> = FxHashMap::default();
    for (i, &(from, to)) in moves.iter().enumerate() {
        *readers.entry(from).or_default() += 1;
        writer.insert(to, i);
    }
    // How many still read a place; the content of a saved one is read elsewhere.
    let mut waiting = readers;
    let mut saved: FxHashMap<T, ()> = FxHashMap::default();
    let mut done = vec![false; moves.len()];
    let mut out = Vec::with_capacity(moves.len());
    // The first round takes everything that can go; what is left then are cycles.
    for cycles in [false, true] {
        for first in 0..moves.len() {
            let blocked = |waiting: &FxHashMap<T, u32>, to: T| waiting.get(&to).is_some_and(|&n| n > 0);
            let to = moves[first].1;
            if cycles && !done[first] && blocked(&waiting, to) {
                out.push(Move::Save(to));
                saved.insert(to, ());
                waiting.insert(to, 0);
            }
            let mut next = Some(first);
            while let Some(i) = next.take().filter(|&i| !done[i] && !blocked(&waiting, moves[i].1)) {
                done[i] = true;
                let (from, to) = moves[i];
                if saved.contains_key(&from) {
                    out.push(Move::Saved(from, to));
                    continue;
                }
                out.push(Move::Direct(from, to));
                if let Some(n) = waiting.get_mut(&from).filter(|n| **n > 0) {
                    *n -= 1;
                    next = if *n == 0 { writer.get(&from).copied() } else { None };
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_goes_from_its_end() {
        assert_eq!(in_order(&[('a', 'b'), ('b', 'c')]), [Move::Direct('b', 'c'), Move::Direct('a', 'b')]);
    }

    #[test]
    fn an_exchange_needs_a_spare_place() {
        assert_eq!(
            in_order(&[('a', 'b'), ('b', 'a')]),
            [Move::Save('b'), Move::Direct('a', 'b'), Move::Saved('b', 'a')]
        );
    }

    #[test]
    fn every_set_of_moves_of_five_places_does_what_they_do_at_once() {
        // Each place gets the content of one of the five, or keeps its own.
        for code in 0..5usize.pow(5) {
            let source = |to: usize| code / 5usize.pow(to as u32) % 5;
            let moves: Vec<(usize, usize)> =
                (0..5).map(|to| (source(to), to)).filter(|(from, to)| from != to).collect();
            let mut places = [0, 1, 2, 3, 4];
            let mut spare = [None; 5];
            for m in in_order(&moves) {
                match m {
                    Move::Direct(from, to) => places[to] = places[from],
                    Move::Save(from) => spare[from] = Some(places[from]),
                    Move::Saved(from, to) => places[to] = spare[from].expect("saved before"),
                }
            }
            assert_eq!(places, [0, 1, 2, 3, 4].map(source), "{moves:?}");
        }
    }
}
