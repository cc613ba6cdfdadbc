//! Legality rules as plain data: what an instruction asks of its operands.
//!
//! A [`Rule`] names a stable code, the check, the operands it blames, and where it comes from. Everything else derives from the
//! data: evaluation ([`eval`]), the English sentence that documentation prints ([`text`]) and the diagnostic with its numbers
//! ([`report`]).

pub(crate) mod eval;
mod names;
pub(crate) mod report;
mod text;

pub use names::{Attr, Opd};

use ptoc_dialect::Targets;
use ptoc_source::Code;
use ptoc_target::{Compact, DType, Layout, Loc};

/// Who says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A compile-time assertion of the reference library.
    Static,
    /// A debug-build assertion of the reference library.
    Debug,
    /// The documentation.
    Docs,
    /// Nothing checks it there, but breaking it corrupts data or hangs.
    Derived,
}

impl Origin {
    /// How documentation names it.
    pub const fn name(self) -> &'static str {
        match self {
            Origin::Static => "compile-time assertion of the reference library",
            Origin::Debug => "debug assertion of the reference library",
            Origin::Docs => "documentation of the instruction",
            Origin::Derived => "unchecked by the reference library, which would go wrong silently",
        }
    }
}

/// One legality rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable code.
    pub code: Code,
    /// What must hold.
    pub check: Check,
    /// Applies only where all of these hold.
    pub when: &'static [Check],
    /// The targets it applies to.
    pub targets: Targets,
    /// Who says so.
    pub origin: Origin,
    /// Only a warning where run-time operands break it and the types do not: debug builds of the reference library stop there,
    /// release builds run on.
    pub soft: bool,
    /// Only ever a warning: what is written is legal and most likely not what was meant.
    pub warning: bool,
    /// Why the machine needs it, one sentence; may be empty.
    pub why: &'static str,
    /// The repair in words; empty: derived from the check.
    pub help: &'static str,
}

/// A way to execute an instruction, chosen by where its tiles live and which options it has.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Name in documentation: `Acc to Mat, scalar quantised`.
    pub name: &'static str,
    /// The targets that have it.
    pub targets: Targets,
    /// The path is taken when all of these hold.
    pub when: &'static [Check],
    /// Its rules, group by group.
    pub rules: &'static [&'static [Rule]],
}

/// Everything that must hold of one instruction.
#[derive(Clone, Copy, Debug)]
pub struct OpRules {
    /// Full name: `pto.tinsert`.
    pub op: &'static str,
    /// Rules of every path.
    pub rules: &'static [&'static [Rule]],
    /// The paths; empty when there is only one way.
    pub paths: &'static [Path],
    /// Reported when no path fits.
    pub no_path: Code,
}

/// A whole number that the program may fix at compile time.
#[derive(Clone, Copy, Debug)]
pub enum Num {
    /// A constant.
    Const(i64),
    /// Static rows of a tile.
    Rows(Opd),
    /// Static columns of a tile.
    Cols(Opd),
    /// Valid rows of a tile.
    ValidRows(Opd),
    /// Valid columns of a tile.
    ValidCols(Opd),
    /// Valid columns that the type fixes.
    TypeValidCols(Opd),
    /// Rows times columns of the static shape.
    Elements(Opd),
    /// Bytes of one static row of a tile (`cols * sizeof`).
    RowBytes(Opd),
    /// Bytes of one static column of a tile (`rows * sizeof`).
    ColBytes(Opd),
    /// Bytes of the valid columns of a tile (`valid cols * sizeof`).
    ValidRowBytes(Opd),
    /// Bytes of the static shape of a tile.
    Bytes(Opd),
    /// Bytes between the start of neighbouring rows (ND) or columns (DN) of an unboxed tile.
    PitchBytes(Opd),
    /// Elements of a tile's type in 32 bytes.
    Block(Opd),
    /// Columns of the inner box of a tile.
    BoxCols(Opd),
    /// An index or number operand.
    Value(Opd),
    /// An index operand, in bytes of the element type of a tile.
    ValueBytes(Opd, Opd),
    /// The address of a tile.
    Address(Opd),
    /// Extent of a view, counted from the innermost dimension (0); 1 where the view has fewer.
    Dim(Opd, u8),
    /// Extent of a view in bytes of the element type of a tile.
    DimBytes(Opd, u8, Opd),
    /// Product of the extents of a view from dimension `n` (counted from the innermost) outward.
    DimsFrom(Opd, u8),
    /// Sum.
    Sum(&'static Num, &'static Num),
    /// Product.
    Product(&'static Num, &'static Num),
    /// Product with a constant.
    Times(&'static Num, i64),
    /// Rounded up to a multiple.
    RoundUp(&'static Num, i64),
    /// Elements of a tile's type, rounded up to whole runs of that many bytes.
    RoundUpBytes(&'static Num, Opd, i64),
    /// Quotient, rounded up.
    CeilDiv(&'static Num, &'static Num),
    /// The greater one.
    Max(&'static Num, &'static Num),
}

/// A predicate over the operands of an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// All have one element type.
    SameDtype(&'static [Opd]),
    /// The element type is one of these.
    Dtype(Opd, &'static [DType]),
    /// The element sizes in bytes are equal.
    SameDtypeSize(Opd, Opd),
    /// The element size in bytes is one of these.
    DtypeSize(Opd, &'static [u64]),
    /// The element types of the two are one of these pairs.
    DtypePair(Opd, Opd, &'static [(DType, DType)]),
    /// Each is in one of these locations.
    Loc(&'static [Opd], &'static [Loc]),
    /// Both are in one location.
    SameLoc(Opd, Opd),
    /// Both are boxed, or neither is.
    SameBoxing(Opd, Opd),
    /// The type leaves both valid sizes to the run (`?`).
    DynamicValid(Opd),
    /// Each has one of these layouts.
    Layout(&'static [Opd], &'static [Layout]),
    /// The layouts are equal.
    SameLayout(Opd, Opd),
    /// The layouts of the two are one of these pairs.
    LayoutPair(Opd, Opd, &'static [(Layout, Layout)]),
    /// The fractal size in bytes is one of these.
    Fractal(Opd, &'static [u32]),
    /// The valid rows are packed in one of these ways.
    Compact(Opd, &'static [Compact]),
    /// The pad is one of these: `null`, `zero`, `max`, `min`, `custom`.
    Pad(Opd, &'static [&'static str]),
    /// The static shapes are equal.
    SameShape(Opd, Opd),
    /// The static shape of the first is not larger than that of the second, in rows and in columns.
    FitsIn(Opd, Opd),
    /// The valid sizes are equal.
    SameValid(Opd, Opd),
    /// The tile types are equal, valid sizes, pad and compact mode aside.
    SameShapeType(Opd, Opd),
    /// Equal numbers.
    Eq(Num, Num),
    /// Different numbers.
    Ne(Num, Num),
    /// Not greater.
    Le(Num, Num),
    /// Smaller.
    Lt(Num, Num),
    /// A multiple.
    Multiple(Num, Num),
    /// Inside the closed range.
    Between(Num, i64, i64),
    /// The two are the same storage.
    SameStorage(Opd, Opd),
    /// The two are different storage.
    Disjoint(Opd, Opd),
    /// The second is other storage than the first, or has another valid size.
    Fills(Opd, Opd),
    /// The optional operand is there.
    Present(Opd),
    /// The optional operand is not there.
    Absent(Opd),
    /// The operand is a tile.
    IsTile(Opd),
    /// The attribute (or its default) is one of these words.
    Attr(Attr, &'static [&'static str]),
    /// The attribute is written.
    HasAttr(Attr),
    /// The attribute is not written.
    NoAttr(Attr),
    /// All hold.
    All(&'static [Check]),
    /// At least one holds.
    Any(&'static [Check]),
    /// It does not hold.
    Not(&'static Check),
}

impl Rule {
    /// A rule of both targets without guard, asserted at compile time by the reference library.
    pub const fn new(code: Code, check: Check) -> Rule {
        Rule {
            code,
            check,
            when: &[],
            targets: Targets::BOTH,
            origin: Origin::Static,
            soft: false,
            warning: false,
            why: "",
            help: "",
        }
    }

    /// Applies only where all of these hold.
    #[must_use]
    pub const fn when(mut self, when: &'static [Check]) -> Rule {
        self.when = when;
        self
    }

    /// Applies only to these targets.
    #[must_use]
    pub const fn only(mut self, targets: Targets) -> Rule {
        self.targets = targets;
        self
    }

    /// A debug assertion of the reference library.
    #[must_use]
    pub const fn debug(mut self) -> Rule {
        self.origin = Origin::Debug;
        self
    }

    /// From the documentation.
    #[must_use]
    pub const fn docs(mut self) -> Rule {
        self.origin = Origin::Docs;
        self
    }

    /// Unchecked by the reference library.
    #[must_use]
    pub const fn derived(mut self) -> Rule {
        self.origin = Origin::Derived;
        self
    }

    /// Only a warning where run-time operands break it.
    #[must_use]
    pub const fn soft(mut self) -> Rule {
        self.soft = true;
        self
    }

    /// Only ever a warning.
    #[must_use]
    pub const fn warning(mut self) -> Rule {
        self.warning = true;
        self
    }

    /// Why the machine needs it.
    #[must_use]
    pub const fn why(mut self, why: &'static str) -> Rule {
        self.why = why;
        self
    }

    /// The repair in words.
    #[must_use]
    pub const fn help(mut self, help: &'static str) -> Rule {
        self.help = help;
        self
    }
}
