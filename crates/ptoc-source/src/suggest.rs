/// The candidate closest to `word`, when it is close enough to be a slip of the pen.
///
/// Distance is optimal string alignment (a swap of neighbours counts one). How many slips are believed depends on the letters that
/// carry the meaning, those behind the last dot and without a sigil: none in one or two, one in up to five, two in up to eight,
/// three in more. Where only digits differ, another number was meant. Ties go to the first candidate.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let limit = slips(word);
    let mut best: Option<(usize, &str)> = None;
    for c in candidates {
        let bound = best.map_or(limit, |(d, _)| d.saturating_sub(1));
        if c.len().abs_diff(word.len()) > limit {
            continue;
        }
        let d = distance(word, c);
        if d <= bound && best.is_none_or(|(b, _)| d < b) && !other_number(word, c) {
            best = Some((d, c));
        }
    }
    best.map(|(_, c)| c)
}

/// How many slips a word of this length may hold.
fn slips(word: &str) -> usize {
    let own = word.rsplit('.').next().unwrap_or(word).trim_start_matches(['%', '@', '^', '!', '#']);
    match own.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// True when two words differ in their digits only, as the names of neighbouring values do. A digit too many is a slip elsewhere.
fn other_number(a: &str, b: &str) -> bool {
    let letters = |s: &str| s.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    a != b && (a.starts_with('%') || a.len() == b.len()) && letters(a) == letters(b)
}

fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let (mut two, mut one) = (vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
            row[j] = (one[j] + 1).min(row[j - 1] + 1).min(one[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(two[j - 2] + 1);
            }
        }
        two = std::mem::replace(&mut one, row);
    }
    one[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_nothing_else() {
        let ops = ["trowprod", "trowsum", "tinsert", "tadd"];
        assert_eq!(did_you_mean("trowpord", ops), Some("trowprod"));
        assert_eq!(did_you_mean("tinsret", ops), Some("tinsert"));
        assert_eq!(did_you_mean("TADD", ops), Some("tadd"));
        assert_eq!(did_you_mean("softmax", ops), None);
    }

    #[test]
    fn short_words_and_other_numbers_are_not_slips() {
        assert_eq!(did_you_mean("%z", ["%a", "%b"]), None);
        assert_eq!(did_you_mean("%c15", ["%c16", "%c1"]), None);
        assert_eq!(did_you_mean("i17", ["i16"]), None);
        assert_eq!(did_you_mean("a55", ["a2a3", "a5"]), Some("a5"));
        assert_eq!(did_you_mean("rmod", ["rmode"]), Some("rmode"));
        assert_eq!(did_you_mean("pto.tad", ["pto.tadd"]), Some("pto.tadd"));
        assert_eq!(did_you_mean("pto.foo", ["pto.tand"]), None);
    }
}
