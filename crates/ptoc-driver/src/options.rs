//! What every command lets the user choose.

use crate::codes;
use memchr::memmem;
use ptoc_source::{Diagnostic, Span, did_you_mean};
use ptoc_target::{Loc, Target};

/// Choices that all stages share.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The target; without it the module says, and if it does not, [`Options::DEFAULT_TARGET`] is taken.
    pub target: Option<Target>,
    /// Memory sizes in bytes that differ from the target's.
    pub capacities: Vec<(Loc, u64)>,
    /// Keep operations of unknown dialects instead of refusing them.
    pub allow_unregistered: bool,
}

impl Options {
    /// The target when nobody names one.
    pub const DEFAULT_TARGET: Target = Target::A2A3;

    /// The target for one text.
    ///
    /// It must be known before parsing, because it changes how some types read. So the text is searched for the attribute
    /// `pto.target_arch`; the first one outside comments counts.
    ///
    /// # Errors
    /// A finding when the module names a target that does not exist. `base` is added to its place.
    pub fn target_for(&self, text: &str, base: u32) -> Result<Target, Box<Diagnostic>> {
        let mut target = match (&self.target, named_target(text)) {
            (Some(target), _) => target.clone(),
            (None, None) => Self::DEFAULT_TARGET,
            (None, Some((name, at))) => Target::by_name(name).ok_or_else(|| {
                let span = Span::new(base + at, base + at + name.len() as u32);
                Box::new(unknown_target(name, span))
            })?,
        };
        for &(loc, bytes) in &self.capacities {
            target.set_capacity(loc, bytes);
        }
        Ok(target)
    }
}

fn unknown_target(name: &str, span: Span) -> Diagnostic {
    let d = Diagnostic::error(codes::UNKNOWN_TARGET, span, format!("unknown target `{name}`"))
        .note("the targets are a2a3 (also a2, a3) and a5");
    match did_you_mean(name, ["a2a3", "a5"]) {
        Some(good) => d.fix(format!("did you mean `{good}`?"), span, good),
        None => d.help("write `a2a3` or `a5`, or choose with `--target`"),
    }
}

/// The value of the first `pto.target_arch = "..."` outside comments, with its byte offset.
fn named_target(text: &str) -> Option<(&str, u32)> {
    const KEY: &str = "pto.target_arch";
    let finder = memmem::Finder::new(KEY);
    // What lies before `from` on its line holds no comment.
    let mut from = 0;
    while let Some(found) = finder.find(&text.as_bytes()[from..]) {
        let at = from + found;
        let line = text[from..at].rfind('\n').map_or(from, |i| from + i + 1);
        if text[line..at].contains("//") {
            from = at + memchr::memchr(b'\n', &text.as_bytes()[at..])?;
            continue;
        }
        from = at + KEY.len();
        let value = text[from..].strip_prefix('"').unwrap_or(&text[from..]).trim_start();
        let Some(value) = value.strip_prefix('=').map(str::trim_start).and_then(|v| v.strip_prefix('"')) else {
            continue;
        };
        // A value never spans lines; what is broken here is the parser's to report.
        if let Some(end) = value.find(['"', '\n']).filter(|&end| value[end..].starts_with('"')) {
            return Some((&value[..end], (text.len() - value.len()) as u32));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_wins_then_the_module_then_the_default() {
        let text = "module attributes {pto.target_arch = \"a5\"} {\n}\n";
        let options = Options::default();
        assert_eq!(options.target_for(text, 0).unwrap().name, "a5");
        assert_eq!(options.target_for("module {\n}\n", 0).unwrap().name, "a2a3");
        let options = Options { target: Target::by_name("a3"), ..options };
        assert_eq!(options.target_for(text, 0).unwrap().name, "a2a3");
    }

    #[test]
    fn the_key_may_be_quoted_and_comments_do_not_count() {
        assert_eq!(named_target("// pto.target_arch = \"a5\"\n{\"pto.target_arch\"=  \"a3\"}"), Some(("a3", 48)));
        assert_eq!(named_target("pto.target_arch_x = \"a5\" pto.target_arch"), None);
        assert_eq!(named_target("pto.target_arch = \"a5\n\""), None);
    }

    #[test]
    fn the_search_is_linear() {
        assert_eq!(named_target(&format!("// {}", "pto.target_arch ".repeat(1 << 20))), None);
        assert_eq!(named_target(&"pto.target_arch ".repeat(1 << 20)), None);
    }

    #[test]
    fn an_unknown_target_is_underlined() {
        let d = Options::default().target_for("pto.target_arch = \"a6\"", 100).unwrap_err();
        assert_eq!(d.primary_span(), Span::new(119, 121));
        assert_eq!(d.message, "unknown target `a6`");
        assert_eq!(d.fixes[0].message, "did you mean `a5`?");
    }

    #[test]
    fn capacities_replace_those_of_the_target() {
        let options = Options { capacities: vec![(Loc::Vec, 1024)], ..Options::default() };
        assert_eq!(options.target_for("", 0).unwrap().capacity(Loc::Vec), Some(1024));
    }
}
