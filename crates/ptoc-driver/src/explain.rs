//! `ptoc explain`: what a diagnostic code or an instruction means.

use crate::{codes, ops, topics};
use ptoc_dialect::table;
use ptoc_source::{CodeInfo, did_you_mean};

/// All codes of all stages.
pub fn all_codes() -> impl Iterator<Item = &'static CodeInfo> {
    let stages = [
        codes::CODES,
        ptoc_syntax::CODES,
        ptoc_dialect::codes::CODES,
        ptoc_verify::CODES,
        ptoc_transform::codes::CODES,
        ptoc_lower::CODES,
        ptoc_sim::run::CODES,
    ];
    stages.into_iter().flatten()
}

/// Nothing has this name.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown {
    /// A name that is written much the same.
    pub suggestion: Option<&'static str>,
}

/// The page of a code (`SA-0353`), an instruction (`trowprod`, `pto.trowprod`, `TROWPROD`) or a topic (`types`).
///
/// # Errors
/// [`Unknown`] when nothing has that name.
pub fn explain(what: &str) -> Result<String, Unknown> {
    let what = what.trim();
    let infos = all_codes().filter(|c| c.code.eq_ignore_ascii_case(what));
    let pages: Vec<_> = infos.map(|i| format!("{}: {}\n\n{}\n", i.code, i.title, i.explanation)).collect();
    if !pages.is_empty() {
        return Ok(pages.join("\n"));
    }
    if let Some(page) = topics::topic(what) {
        return Ok(page);
    }
    let short = what.strip_prefix("pto.").unwrap_or(what);
    let matches =
        |op: &&table::OpDef| op.name.eq_ignore_ascii_case(what) || op.short_name().eq_ignore_ascii_case(short);
    if let Some(op) = table::all().find(matches) {
        return Ok(ops::page(op));
    }
    let names = all_codes().map(|c| c.code).chain(topics::TOPICS).chain(table::all().map(|op| op.short_name()));
    Err(Unknown { suggestion: did_you_mean(short, names) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_code_belongs_to_one_stage() {
        // The codes of the instruction set's own checks may be found by several stages.
        let own = all_codes().map(|c| c.code).filter(|code| code.starts_with("PTO-"));
        let mut seen = HashSet::new();
        assert_eq!(own.filter(|code| !seen.insert(*code)).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn names_are_found_in_any_spelling() {
        for name in ["trowprod", "pto.trowprod", "TROWPROD"] {
            assert!(explain(name).unwrap().starts_with("pto.trowprod: product along each row\n"), "{name}");
        }
        assert!(explain("pto-i003").unwrap().starts_with("PTO-I003: The input is not UTF-8\n\n"));
        assert_eq!(explain("trowpord"), Err(Unknown { suggestion: Some("trowprod") }));
        assert_eq!(explain("PTO-I03"), Err(Unknown { suggestion: Some("PTO-I003") }));
    }
}
