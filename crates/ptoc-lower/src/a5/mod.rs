//! Lowering to A5.

use crate::LowerFn;

/// The lowerings, family by family: full instruction name and function.
pub(crate) const FAMILIES: &[&[(&str, LowerFn)]] = &[];
