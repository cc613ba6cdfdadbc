/// The little that parsing must know about operation names.
///
/// Everything else about an operation is its table entry's business.
pub trait Vocabulary {
    /// True for a word without a dialect prefix that begins a statement: `return`, `call`, `module` and the mnemonics
    /// of the sync form (`tinsert`, `tmatmul`). Words with a dot need no entry.
    fn is_bare_op(&self, word: &str) -> bool;

    /// Whether a `{` after the operation's items begins a region.
    fn region_op(&self, name: &str) -> RegionStyle;
}

/// What `{` means in the custom form of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RegionStyle {
    /// Every `{` is a dictionary.
    None,
    /// `{` is a region, except where it must be a dictionary: after the word `attributes`, directly after a region
    /// (`} {pto.unroll}`), and where it plainly reads as one (`{key = `). Words may join several regions
    /// (`} else {`, `} do {`, `case 0 {`).
    Region,
}
