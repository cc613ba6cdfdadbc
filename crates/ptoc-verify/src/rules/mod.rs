//! The rules of each instruction. One module a family; what many share is in [`lists`].

mod convert;
mod elementwise;
mod fillpad;
mod insert;
mod lists;
mod reduce;
mod tile_scalar;

use crate::rule::OpRules;

static GROUPS: &[&[OpRules]] = &[
    elementwise::RULES,
    tile_scalar::RULES,
    convert::RULES,
    reduce::RULES,
    insert::RULES,
    fillpad::RULES,
];

/// Every instruction that has rules.
pub(crate) fn all() -> impl Iterator<Item = &'static OpRules> {
    GROUPS.iter().flat_map(|g| g.iter())
}
