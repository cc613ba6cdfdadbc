//! The rules of each instruction. One module a family; what many share is in [`lists`].

mod convert;
mod cube;
mod drain;
mod elementwise;
mod expand;
mod extract;
mod fillpad;
mod insert;
mod lists;
mod memory;
mod mov;
mod reduce;
mod sort;
mod tile_scalar;
mod views;

use crate::rule::OpRules;

static GROUPS: &[&[OpRules]] = &[
    elementwise::RULES,
    tile_scalar::RULES,
    convert::RULES,
    reduce::RULES,
    expand::RULES,
    memory::RULES,
    mov::RULES,
    extract::RULES,
    cube::RULES,
    views::RULES,
    insert::RULES,
    fillpad::RULES,
    sort::RULES,
];

/// Every instruction that has rules.
pub(crate) fn all() -> impl Iterator<Item = &'static OpRules> {
    GROUPS.iter().flat_map(|g| g.iter())
}

#[cfg(test)]
mod tests;
