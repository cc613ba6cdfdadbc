//! What an op kind is.

use crate::{Ir, OpId, OpKind, Printer};
use rustc_hash::FxHashMap;

/// Prints the custom form of an op (after its results and ` = `).
pub type PrintFn = fn(&Ir, OpId, &mut Printer<'_>);

/// Structural facts of an op kind, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Traits(pub u16);

impl Traits {
    /// Nothing special.
    pub const NONE: Traits = Traits(0);
    /// Ends a block.
    pub const TERMINATOR: Traits = Traits(1);
    /// Its regions see no value from outside.
    pub const ISOLATED: Traits = Traits(1 << 1);
    /// Its regions have one block and need no terminator.
    pub const NO_TERMINATOR: Traits = Traits(1 << 2);
    /// Its regions have exactly one block.
    pub const SINGLE_BLOCK: Traits = Traits(1 << 3);
    /// No memory effect: unused results mean the op can go.
    pub const PURE: Traits = Traits(1 << 4);
    /// Defines a symbol (`sym_name`).
    pub const SYMBOL: Traits = Traits(1 << 5);
    /// Operands and results all have one type.
    pub const SAME_TYPES: Traits = Traits(1 << 6);
    /// Has optional or variadic operands, so the generic form carries `operandSegmentSizes`.
    pub const SEGMENTED: Traits = Traits(1 << 7);

    /// Both.
    #[must_use]
    pub const fn and(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }

    /// True when every bit of `other` is set.
    pub const fn has(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Attributes that the generic form writes in another way than they are kept.
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// Appends all of `a = 1, b = 2`.
    pub print: PrintFn,
    /// The attributes that this covers.
    pub names: &'static [&'static str],
}

/// One op kind.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// Full name: `pto.trowprod`.
    pub name: &'static str,
    /// Structural facts.
    pub traits: Traits,
    /// How many regions the generic form has where the last one may be missing: a missing one is written empty, as MLIR wants
    /// it (the body of a declaration, `else`). 0 for all others.
    pub generic_regions: u8,
    /// What the generic form writes between `<{` and `}>`, where that is not just `operandSegmentSizes` as the operands are.
    pub properties: Option<Properties>,
    /// The custom printer, when the kind has a custom form.
    pub print: Option<PrintFn>,
}

/// All op kinds of a compiler, by dense index and by name.
#[derive(Debug, Default)]
pub struct Registry {
    infos: Vec<OpInfo>,
    by_name: FxHashMap<&'static str, OpKind>,
}

impl Registry {
    /// Adds a kind and gives its index; a name is registered once (a second time gives the first index).
    pub fn add(&mut self, info: OpInfo) -> OpKind {
        if let Some(&k) = self.by_name.get(info.name) {
            return k;
        }
        let kind = OpKind(self.infos.len() as u16);
        self.infos.push(info);
        self.by_name.insert(info.name, kind);
        kind
    }

    /// The kind of that full name.
    pub fn find(&self, name: &str) -> Option<OpKind> {
        self.by_name.get(name).copied()
    }

    /// The facts of a kind; `None` for an unregistered op.
    pub fn info(&self, kind: OpKind) -> Option<&OpInfo> {
        self.infos.get(kind.index())
    }

    /// All kinds in the order of registration.
    pub fn infos(&self) -> &[OpInfo] {
        &self.infos
    }
}
