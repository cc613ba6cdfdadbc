//! How long and how deep the text of a type or an attribute is, without writing more of it than a bound allows.
//!
//! Types and attributes are shared, so one that holds another twice may have a text twice as long, level by level.

use super::value::{write_attr, write_type};
use crate::{AttrId, Context, TypeId};
use std::fmt::{Error, Result, Write};

/// Bounds of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextBounds {
    /// Most bytes.
    pub bytes: usize,
    /// Deepest nesting of brackets.
    pub depth: usize,
}

impl TextBounds {
    /// True when the text of a type stays within the bounds. Costs no more than the bound in bytes.
    pub fn hold_type(self, ctx: &Context, ty: TypeId) -> bool {
        write_type(ctx, ty, &mut Meter::new(self)).is_ok()
    }

    /// True when the text of an attribute stays within the bounds. Costs no more than the bound in bytes.
    pub fn hold_attr(self, ctx: &Context, attr: AttrId) -> bool {
        write_attr(ctx, attr, &mut Meter::new(self)).is_ok()
    }
}

/// Counts what is written to it, and refuses what goes beyond.
struct Meter {
    left: TextBounds,
    /// Inside a string, where brackets are text.
    quoted: bool,
    last: char,
}

impl Meter {
    fn new(left: TextBounds) -> Meter {
        Meter { left, quoted: false, last: ' ' }
    }
}

impl Write for Meter {
    fn write_str(&mut self, text: &str) -> Result {
        self.left.bytes = self.left.bytes.checked_sub(text.len()).ok_or(Error)?;
        for c in text.chars() {
            match c {
                '"' if self.last != '\\' => self.quoted = !self.quoted,
                _ if self.quoted => {}
                '<' | '(' | '[' | '{' => self.left.depth = self.left.depth.checked_sub(1).ok_or(Error)?,
                // The head of an arrow closes nothing.
                '>' if self.last == '-' => {}
                '>' | ')' | ']' | '}' => self.left.depth += 1,
                _ => {}
            }
            // Of two backslashes the second is escaped itself.
            self.last = if c == '\\' && self.last == '\\' { ' ' } else { c };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AttrData, TypeData, builtin};

    fn bounds(bytes: usize, depth: usize) -> TextBounds {
        TextBounds { bytes, depth }
    }

    #[test]
    fn the_bounds_are_exact() {
        let mut ctx = Context::default();
        // tuple<i32, tuple<index>>
        let inner = ctx.ty(TypeData::Tuple([builtin::INDEX].into()));
        let ty = ctx.ty(TypeData::Tuple([builtin::I32, inner].into()));
        assert_eq!(ctx.type_string(ty).len(), 24);
        assert!(bounds(24, 2).hold_type(&ctx, ty));
        assert!(!bounds(23, 2).hold_type(&ctx, ty));
        assert!(!bounds(24, 1).hold_type(&ctx, ty));
    }

    #[test]
    fn arrows_and_strings_are_no_brackets() {
        let mut ctx = Context::default();
        let ty = ctx.function(&[builtin::I32], &[builtin::INDEX]);
        assert!(bounds(100, 1).hold_type(&ctx, ty));
        let text = ctx.str_attr("((\\\"[[\\\\");
        let list = ctx.attr(AttrData::Array([text, text].into()));
        assert!(bounds(100, 1).hold_attr(&ctx, list));
        assert!(!bounds(100, 0).hold_attr(&ctx, list));
    }

    #[test]
    fn doubling_costs_no_more_than_the_bound() {
        let mut ctx = Context::default();
        let mut ty = builtin::I32;
        for _ in 0..60 {
            ty = ctx.ty(TypeData::Tuple([ty, ty].into()));
        }
        assert!(!bounds(10_000, 100).hold_type(&ctx, ty));
    }
}
