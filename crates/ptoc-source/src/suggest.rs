/// The candidate closest to `word`, when it is close enough to be a slip of the pen.
///
/// Distance is optimal string alignment (a swap of neighbours counts one); accepted up to a third of the word's length,
/// at least one. Ties go to the first candidate.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let limit = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for c in candidates {
        let bound = best.map_or(limit, |(d, _)| d.saturating_sub(1));
        if c.len().abs_diff(word.len()) > limit {
            continue;
        }
        let d = distance(word, c);
        if d <= bound && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, c));
        }
    }
    best.map(|(_, c)| c)
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
}
