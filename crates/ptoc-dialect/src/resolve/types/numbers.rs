//! Numbers in types and attributes.

use crate::codes;
use ptoc_source::{Diagnostic, Span};

/// A number that is none, or outside of its range.
pub(super) fn number(text: &str, span: Span, what: &str, range: &str) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(codes::BAD_NUMBER, span, format!("`{text}` is no {what}"))
            .note(format!("a {what} is {range}"))
            .help("write a number of that range"),
    )
}

/// The range of counts that are kept in 32 bits.
pub(super) const COUNT: &str = "a whole number from 0 to 4294967295";

/// Reads `12`, `-3`, `0xFF`.
pub(crate) fn parse_int(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |d| (-1, d));
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    // 64-bit values of either signedness are all that any type holds.
    let value = value.checked_mul(sign)?;
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(value)
}
