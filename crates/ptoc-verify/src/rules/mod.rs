//! The rules of each instruction. One module a family; what many share is in [`lists`].

mod fillpad;
mod insert;
mod lists;
mod reduce;

use crate::rule::OpRules;

static GROUPS: &[&[OpRules]] = &[insert::RULES, fillpad::RULES, reduce::RULES];

/// Every instruction that has rules.
pub(crate) fn all() -> impl Iterator<Item = &'static OpRules> {
    GROUPS.iter().flat_map(|g| g.iter())
}
