//! Diagnostic codes of reading: names, types, attributes and the shape of an operation.

use ptoc_source::{Code, CodeInfo};

/// Not a finding: marks what follows from an error that was reported before.
pub(crate) const POISONED: Code = "";

macro_rules! codes {
    ($($name:ident $code:literal $title:literal $text:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = $code;)*
        /// Every code of this crate with its explanation.
        pub const CODES: &[CodeInfo] = &[$(CodeInfo { code: $code, title: $title, explanation: $text }),*];
    };
}

codes! {
    UNDEFINED_VALUE "PTO-R001" "a value is used that is not defined here"
        "Every `%name` must be the result of an earlier operation of the same or an enclosing block, a block argument or a \
         function argument. A function sees nothing from outside. Fix the name, or move the definition in front of the use.";
    TYPE_MISMATCH "PTO-R002" "the type written at a use is not the type of the value"
        "An operation repeats the types of its operands. They must be those of the definitions. Two spellings of one tile type \
         (keyed and compact) are equal; a differing field (valid size, layout, pad, fractal, location) makes another type. The \
         note names the differing fields.";
    UNKNOWN_OP "PTO-R003" "no operation has this name"
        "The name is in none of the tables: `ptoc ops` lists them. Operations of dialects that ptoc does not know can only be \
         carried through in the generic form with `--allow-unregistered`.";
    SYNTAX "PTO-R004" "the operation is not written as its form asks"
        "The form of each operation is shown by `ptoc explain NAME`. The message says what was expected at this place.";
    REDEFINITION "PTO-R005" "a value name is defined twice"
        "A `%name` is defined once in its block and must not hide a name of an enclosing block of the same function. Rename one.";
    BAD_ATTRIBUTE "PTO-R006" "an attribute has a value that it cannot take"
        "The value is not one of the words, or not of the kind, that the attribute takes. The note lists them.";
    UNKNOWN_TYPE "PTO-R007" "no type has this name or form"
        "`ptoc explain types` shows every type with its spellings.";
    BAD_TYPE "PTO-R008" "a type is not written as its form asks"
        "The message says which field is missing, unknown or out of range. A tile type is written keyed \
         (`!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, blayout=row_major, slayout=none_box, \
         fractal=512, pad=0>`) or compact (`!pto.tile_buf<vec, 16x16xf32, valid=?x?>`, other fields by name where they are not \
         the default).";
    OPERAND_COUNT "PTO-R009" "the operation has too few or too many operands or types"
        "Each operand has one type, in the same order. The note lists the operands of the operation.";
    RESULT_COUNT "PTO-R010" "the number of results is not that of the operation"
        "The names left of `=` must be as many as the operation has results.";
    UNDEFINED_BLOCK "PTO-R011" "a block is used that the region does not have"
        "Successors name blocks of the same region (`^bb1`).";
    ELIDED_TYPE "PTO-R013" "the parameters of a type are left out (`<...>`)"
        "The manual writes `!pto.tile<...>` for any tile type. A program needs the real parameters.";
    BAD_NUMBER "PTO-R014" "a number is malformed or does not fit its type"
        "Integers must fit the width of their type; dimensions and counts must fit 63 bits.";
    TILE_SIZE "SA-0065" "rows or columns are zero, or the valid size is larger than the tile"
        "A tile has at least one row and one column, and its valid region lies inside its static shape (machine description, \
         rule T2; FIX-A05). Make the valid size agree with the shape, or `?` when it is known only at run time.";
    TILE_FRACTAL "SA-0095" "the fractal size is not 512, 1024 or 32"
        "512 is the size of an operand fractal, 1024 that of an accumulator fractal, 32 that of an MX scale fractal (rule T7).";
    FORM "PTO-R015" "the operation does not exist in this text form"
        "Tile instructions have a sync form (`%d = trowprod %s : T -> T`), an SSA form (`%d = pto.trowprod %s, %tmp : (T, T) -> \
         T`) and a DPS form (`pto.trowprod ins(...) outs(...)`). Other operations have one form only.";
    TOO_MANY "PTO-R017" "there are more errors than one run shows"
        "One run shows at most 100 errors of reading; the first ones are usually the cause of the others.";
    TOO_DEEP "PTO-R016" "regions are nested too deeply"
        "Regions may be nested 200 deep. Split the function.";
    ALIAS_TOO_LARGE "PTO-R019" "an alias stands for a text that is too long or nested too deeply"
        "Aliases may use other aliases. Written out, one may be 4096 bytes long, or eight times as long as its definition if that is \
         more, with brackets 128 deep. Programs are printed without aliases, so a type that doubles from alias to alias would have \
         a text without end. Use fewer levels.";
    UNKNOWN_TARGET "PTO-R018" "the module names a target that does not exist"
        "The module attribute `pto.target_arch` selects the rules and the lowering: `a2a3` (also `a2` and `a3`) or `a5`. \
         `--target` on the command line has precedence over it; with neither, a2a3 is taken.";
}
