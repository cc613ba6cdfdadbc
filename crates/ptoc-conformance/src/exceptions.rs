//! Cases that cannot pass, each with its reason. `docs/conformance.md` lists the same.

/// Recorded sequences that do not give what the instruction means, by a defect of the reference or by what a recording can
/// hold: pattern over `target/instruction/case` (`*` stands for any text) and reason.
pub const TRACES: &[(&str, &str)] = &[];

/// Recorded values that are not what the instruction means: pattern over `instruction/case` and reason.
pub const GOLDEN: &[(&str, &str)] = &[];

/// The reason why a case is left out.
pub fn reason(table: &[(&'static str, &'static str)], id: &str) -> Option<&'static str> {
    table.iter().find(|(pattern, _)| matches(pattern, id)).map(|(_, why)| *why)
}

/// Whether a text has the form of a pattern in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or("");
    for part in parts {
        match text.find(part) {
            Some(at) => text = &text[at + part.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("a/b/c", "a/b/c"));
        assert!(!matches("a/b", "a/b/c"));
        assert!(matches("a/*", "a/b/c"));
        assert!(matches("a/*_x*/*9", "a/f_x1/19"));
        assert!(!matches("a/*_x*9", "a/f_x1"));
    }
}
