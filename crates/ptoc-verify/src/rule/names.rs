//! Operands and attributes as rules name them.

/// Declares an enum of names, each with the spellings of the instruction table.
macro_rules! names {
    ($(#[$doc:meta])* $ty:ident: $($name:ident $($word:literal)|+,)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        #[repr(u8)]
        pub enum $ty { $($name),* }

        impl $ty {
            /// Every one.
            pub const ALL: &'static [$ty] = &[$($ty::$name),*];

            /// The names in the instruction table; an instruction has at most one of them.
            pub const fn words(self) -> &'static [&'static str] {
                match self { $($ty::$name => &[$($word),+]),* }
            }
        }
    };
}

names! {
    /// An operand, by role. Instructions that call the same role differently share one name here.
    Opd:
    Dst "dst" | "mem",
    Src "src" | "src0",
    Src1 "src1",
    Src2 "src2",
    Tmp "tmp",
    Mask "mask",
    Scalar "scalar" | "slope",
    A "lhs" | "a" | "base",
    B "rhs" | "b" | "exp",
    AccIn "acc_in" | "c_in",
    Bias "bias",
    Idx "idx",
    Fp "fp",
    PreQuant "preQuantScalar",
    Row "indexRow" | "idxrow",
    Col "indexCol" | "idxcol",
    PadValue "pad_value",
    DeqScale "deqScale",
    Source "source",
    ValidRow "valid_row",
    ValidCol "valid_col",
    Result "result",
}

names! {
    /// An attribute that rules look at.
    Attr:
    StPhase "stPhase",
    AccPhase "accPhase",
    Relu "reluPreMode",
    AccToVec "accToVecMode",
    InsertMode "tinsertMode",
    Atomic "atomicType",
    Round "rmode",
    Saturation "satmode" | "sat_mode",
    PadMode "pad_mode",
    PadValueAttr "padValue",
    Precision "precisionType",
    IsBinary "isBinary",
    GroupAxis "grpAxis",
    CmpMode "cmpMode",
}
