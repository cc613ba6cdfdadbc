//! What one entry of the instruction table says.

use ptoc_ir::Traits;
use ptoc_target::{Arch, Pipe};

/// One operation: everything that parsing, printing, checking, documentation and `ptoc ops` derive from.
#[derive(Debug, Clone, Copy)]
pub struct OpDef {
    /// Full name: `pto.tinsert`.
    pub name: &'static str,
    /// Group in the documentation.
    pub family: Family,
    /// What it does, one line.
    pub summary: &'static str,
    /// Operands in the order of the generic form; each is one segment of the op.
    pub operands: &'static [OperandDef],
    /// Results of the custom form. Tile instructions have none here: their SSA results follow from the `Out` operands.
    pub results: &'static [ResultDef],
    /// Attributes with a meaning. Others are allowed and kept.
    pub attrs: &'static [AttrDef],
    /// The custom text form in the format language of [`asm`](crate::asm); empty when only the generic form exists.
    pub asm: &'static str,
    /// The pipe that executes it.
    pub pipe: PipeOf,
    /// The targets that have it.
    pub targets: Targets,
    /// Structural facts.
    pub traits: Traits,
    /// Number of regions.
    pub regions: u8,
}

/// Group of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Family {
    // tile level
    Elementwise,
    TileScalar,
    ReduceExpand,
    MemoryMovement,
    Layout,
    Matrix,
    Irregular,
    ViewBuffer,
    ScalarAggregate,
    SyncConfig,
    CrossCore,
    Comm,
    Structure,
    System,
    // intrinsic level
    MicroConfig,
    MicroDma,
    MicroCube,
    MicroPredicate,
    MicroVector,
    MicroSimt,
    Vmi,
    Ub,
    Async,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A tile: `!pto.tile_buf` or `!pto.tile` (ptoas also allows a partition view or a ranked tensor).
    Tile,
    /// A global view: `tensor_view` or `partition_tensor_view`.
    View,
    /// A pointer.
    Ptr,
    /// A number: integer, float or `index`.
    Scalar,
    /// An `index`, or an integer used as one.
    Index,
    /// A vector register.
    VReg,
    /// A predicate.
    Mask,
    /// Any other type.
    Any,
}

/// Who reads and writes an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Read.
    In,
    /// Written; what it held before does not matter.
    Out,
    /// Partly written, so what it held before matters (`tinsert`, `tmatmul.acc`), or read and written.
    InOut,
}

/// How many values an operand or a result has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// One operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandDef {
    /// Name in formats and messages.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Read or written.
    pub dir: Dir,
    /// How many.
    pub arity: Arity,
    /// A temporary: hidden in the sync form, made by the conversion to SSA.
    pub scratch: bool,
}

/// One result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultDef {
    /// Name in formats and messages.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// How many.
    pub arity: Arity,
}

/// One attribute.
#[derive(Debug, Clone, Copy)]
pub struct AttrDef {
    /// Key.
    pub name: &'static str,
    /// Which values it takes.
    pub ty: AttrTy,
    /// Value when absent, as the word or number of the text.
    pub default: Option<&'static str>,
    /// An absent attribute without default is an error.
    pub required: bool,
}

/// Which values an attribute takes.
#[derive(Debug, Clone, Copy)]
pub enum AttrTy {
    /// A word of an enumeration, written `#pto.kind<word>` or `#pto<kind word>`.
    Enum(&'static EnumDef),
    /// A word of one of several enumerations; a bare word belongs to the first that has it.
    OneOf(&'static [&'static EnumDef]),
    /// A string out of a closed set.
    Words(&'static [&'static str]),
    /// An integer of that many bits (0: `index`).
    Int(u32),
    /// A list of integers: `array<i64: 16, 32>`.
    Ints,
    /// `true` or `false`.
    Bool,
    /// Present or absent.
    Unit,
    /// Any string.
    Str,
    /// Anything.
    Any,
}

/// An enumeration attribute.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumDef {
    /// Kind word: `st_phase`.
    pub kind: &'static str,
    /// Spelled `#pto<kind word>` (true) or `#pto.kind<word>` (false).
    pub spaced: bool,
    /// Words with their codes.
    pub values: &'static [(&'static str, u32)],
}

impl EnumDef {
    /// The code of a word.
    pub fn code(&self, word: &str) -> Option<u32> {
        self.values.iter().find(|(w, _)| *w == word).map(|&(_, c)| c)
    }

    /// The word of a code.
    pub fn word(&self, code: u32) -> Option<&'static str> {
        self.values.iter().find(|(_, c)| *c == code).map(|&(w, _)| w)
    }
}

/// The pipe of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PipeOf {
    /// None: it makes no machine work (views, allocation, structure).
    None,
    /// Always this one.
    Fixed(Pipe),
    /// Depends on where the tiles live, on the target or on which operands are present; the effects module decides.
    ByLocation,
}

/// A set of targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Targets(u8);

impl Targets {
    /// A2/A3 and A5.
    pub const BOTH: Targets = Targets(3);
    /// A2/A3 only.
    pub const A2A3: Targets = Targets(1);
    /// A5 only.
    pub const A5: Targets = Targets(2);

    /// True when the target is in the set.
    pub const fn has(self, arch: Arch) -> bool {
        match arch {
            Arch::A2A3 => self.0 & 1 != 0,
            Arch::A5 => self.0 & 2 != 0,
        }
    }
}

impl OpDef {
    /// The name without its dialect prefix: `tinsert`.
    pub fn short_name(&self) -> &'static str {
        self.name.strip_prefix("pto.").unwrap_or(self.name)
    }

    /// Position of an operand by name.
    pub fn operand_index(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|o| o.name == name)
    }

    /// The attribute of that name.
    pub fn attr(&self, name: &str) -> Option<&'static AttrDef> {
        self.attrs.iter().find(|a| a.name == name)
    }

    /// True for instructions that exist in all three forms: they write `outs` operands, at least one of which is a tile.
    pub fn is_tile_instruction(&self) -> bool {
        self.asm.contains("outs(") && self.results.is_empty() && self.operands.iter().any(|o| o.is_dest())
    }

    /// Operands that become results in the value forms, in table order.
    pub fn dests(&self) -> impl Iterator<Item = (usize, &'static OperandDef)> + '_ {
        self.operands.iter().enumerate().filter(|(_, o)| o.is_dest())
    }
}

impl OperandDef {
    /// True for a tile that the instruction writes: a result in the value forms.
    pub fn is_dest(&self) -> bool {
        self.kind == Kind::Tile && self.dir != Dir::In && !self.scratch
    }
}
