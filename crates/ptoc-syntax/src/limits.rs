/// Bounds on what one text may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Deepest nesting of brackets and regions. Whoever walks the tree by recursion relies on it.
    pub max_depth: u32,
    /// Most errors reported for one text; one more says that there were more.
    pub max_errors: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_depth: 256, max_errors: 100 }
    }
}
