//! What every command lets the user choose.

use ptoc_dialect::ResolveOptions;
use ptoc_target::{Arch, Loc, Target};
use ptoc_verify::Addresses;

/// Choices that all stages share.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The target; without it the module's `pto.target_arch` says, and if it does not, A2/A3 is taken.
    pub target: Option<Target>,
    /// Memory sizes in bytes that differ from the target's.
    pub capacities: Vec<(Loc, u64)>,
    /// Who decides where tiles lie.
    pub addresses: Addresses,
    /// Keep operations of unknown dialects instead of refusing them.
    pub allow_unregistered: bool,
}

impl Options {
    /// How to read a text.
    pub(crate) fn reading(&self) -> ResolveOptions {
        let arch = self.target.as_ref().map(|t| t.arch);
        ResolveOptions { arch, allow_unregistered: self.allow_unregistered, ..ResolveOptions::default() }
    }

    /// The target of a text that was read for `arch`.
    pub(crate) fn target(&self, arch: Arch) -> Target {
        let mut target = self.target.clone().unwrap_or(Target::of(arch));
        for &(loc, bytes) in &self.capacities {
            target.set_capacity(loc, bytes);
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_replace_those_of_the_target() {
        let options = Options { capacities: vec![(Loc::Vec, 1024)], ..Options::default() };
        assert_eq!(options.target(Arch::A5).capacity(Loc::Vec), Some(1024));
        assert_eq!(options.target(Arch::A5).capacity(Loc::Mat), Target::A5.capacity(Loc::Mat));
    }
}
