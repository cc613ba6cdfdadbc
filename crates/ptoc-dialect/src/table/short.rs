//! Short constructors, so that a table entry fits on a few lines.

use ptoc_ir::Traits;
use ptoc_target::Pipe;

use super::schema::*;

/// An operand of one value that is read.
pub const fn input(name: &'static str, kind: Kind) -> OperandDef {
    OperandDef { name, kind, dir: Dir::In, arity: Arity::One, scratch: false }
}

/// A tile that is read.
pub const fn tile(name: &'static str) -> OperandDef {
    input(name, Kind::Tile)
}

/// An optional temporary tile.
pub const fn scratch(name: &'static str) -> OperandDef {
    OperandDef { name, kind: Kind::Tile, dir: Dir::In, arity: Arity::Optional, scratch: true }
}

/// A tile that is written as a whole.
pub const fn dest(name: &'static str) -> OperandDef {
    OperandDef { name, kind: Kind::Tile, dir: Dir::Out, arity: Arity::One, scratch: false }
}

/// A tile that is partly written, or read and written.
pub const fn inout(name: &'static str) -> OperandDef {
    OperandDef { name, kind: Kind::Tile, dir: Dir::InOut, arity: Arity::One, scratch: false }
}

/// A number.
pub const fn scalar(name: &'static str) -> OperandDef {
    input(name, Kind::Scalar)
}

/// An index.
pub const fn index(name: &'static str) -> OperandDef {
    input(name, Kind::Index)
}

/// A global view that is read.
pub const fn view(name: &'static str) -> OperandDef {
    input(name, Kind::View)
}

/// A pointer.
pub const fn ptr(name: &'static str) -> OperandDef {
    input(name, Kind::Ptr)
}

/// A vector register.
pub const fn vreg(name: &'static str) -> OperandDef {
    input(name, Kind::VReg)
}

/// A predicate.
pub const fn mask(name: &'static str) -> OperandDef {
    input(name, Kind::Mask)
}

/// Any type.
pub const fn any(name: &'static str) -> OperandDef {
    input(name, Kind::Any)
}

/// Operands, then more operands. `N` is the number of all.
///
/// # Panics
/// While compiling, when `N` is not that number.
pub const fn join<const A: usize, const B: usize, const N: usize>(
    first: [OperandDef; A],
    then: [OperandDef; B],
) -> [OperandDef; N] {
    assert!(A + B == N);
    let mut all = [first[0]; N];
    let mut i = 0;
    while i < N {
        all[i] = if i < A { first[i] } else { then[i - A] };
        i += 1;
    }
    all
}

impl OperandDef {
    /// May be absent.
    #[must_use]
    pub const fn opt(mut self) -> Self {
        self.arity = Arity::Optional;
        self
    }

    /// Any number of values.
    #[must_use]
    pub const fn many(mut self) -> Self {
        self.arity = Arity::Variadic;
        self
    }

    /// Written.
    #[must_use]
    pub const fn written(mut self) -> Self {
        self.dir = Dir::Out;
        self
    }

    /// Read and written.
    #[must_use]
    pub const fn updated(mut self) -> Self {
        self.dir = Dir::InOut;
        self
    }
}

/// One result.
pub const fn result(name: &'static str, kind: Kind) -> ResultDef {
    ResultDef { name, kind, arity: Arity::One }
}

impl ResultDef {
    /// May be absent.
    #[must_use]
    pub const fn opt(mut self) -> Self {
        self.arity = Arity::Optional;
        self
    }

    /// Any number.
    #[must_use]
    pub const fn many(mut self) -> Self {
        self.arity = Arity::Variadic;
        self
    }
}

/// An optional attribute.
pub const fn attr(name: &'static str, ty: AttrTy) -> AttrDef {
    AttrDef { name, ty, default: None, required: false }
}

impl AttrDef {
    /// Value when absent.
    #[must_use]
    pub const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Must be present.
    #[must_use]
    pub const fn must(mut self) -> Self {
        self.required = true;
        self
    }
}

/// An operation of both targets without operands, results, attributes or machine work; the methods below add them.
pub const fn op(family: Family, name: &'static str, summary: &'static str) -> OpDef {
    OpDef {
        name,
        family,
        summary,
        operands: &[],
        results: &[],
        attrs: &[],
        asm: "",
        pipe: PipeOf::None,
        targets: Targets::BOTH,
        traits: Traits::NONE,
        regions: 0,
    }
}

impl OpDef {
    /// Has these operands. Two or more segments of unknown length make the generic form carry the lengths.
    #[must_use]
    pub const fn takes(mut self, operands: &'static [OperandDef]) -> Self {
        let (mut i, mut open) = (0, 0);
        while i < operands.len() {
            if !matches!(operands[i].arity, Arity::One) {
                open += 1;
            }
            i += 1;
        }
        if open > 1 {
            self.traits = self.traits.and(Traits::SEGMENTED);
        }
        self.operands = operands;
        self
    }

    /// Has these results.
    #[must_use]
    pub const fn gives(mut self, results: &'static [ResultDef]) -> Self {
        self.results = results;
        self
    }

    /// Knows these attributes.
    #[must_use]
    pub const fn attrs(mut self, attrs: &'static [AttrDef]) -> Self {
        self.attrs = attrs;
        self
    }

    /// Has this custom text form.
    #[must_use]
    pub const fn text(mut self, asm: &'static str) -> Self {
        self.asm = asm;
        self
    }

    /// Runs on this pipe.
    #[must_use]
    pub const fn on(mut self, pipe: Pipe) -> Self {
        self.pipe = PipeOf::Fixed(pipe);
        self
    }

    /// Runs on a pipe that its operands decide.
    #[must_use]
    pub const fn by_location(mut self) -> Self {
        self.pipe = PipeOf::ByLocation;
        self
    }

    /// Exists on these targets only.
    #[must_use]
    pub const fn only(mut self, targets: Targets) -> Self {
        self.targets = targets;
        self
    }

    /// Has these structural facts too.
    #[must_use]
    pub const fn is(mut self, traits: Traits) -> Self {
        self.traits = self.traits.and(traits);
        self
    }

    /// Has one region of one block.
    #[must_use]
    pub const fn body(mut self) -> Self {
        self.regions = 1;
        self.traits = self.traits.and(Traits::SINGLE_BLOCK);
        self
    }
}
