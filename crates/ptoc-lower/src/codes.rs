//! Diagnostic codes of lowering.

use ptoc_source::{Code, CodeInfo};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal $text:literal;)*) => {
        $(#[doc = $title] pub(crate) const $name: Code = $code;)*
        /// Every code of this crate with its explanation.
        pub const CODES: &[CodeInfo] = &[$(CodeInfo { code: $code, title: $title, explanation: $text }),*];
    };
}

codes! {
    NO_LOWERING "PTO-L001" "the instruction has no lowering on this target"
        "The instruction is legal, but ptoc can't turn it into intrinsics of the target yet. `ptoc ops` shows which can.";
    COMBINATION "PTO-L002" "this combination of types, layouts or modes has no lowering on this target"
        "The instruction has a lowering, but not for these element types, layouts, locations or attributes. The message names \
         what stands in the way.";
    NO_ADDRESS "PTO-L003" "the tile has no address"
        "Lowering needs the address of every tile. Run memory planning before it, or give the address: `pto.alloc_tile addr = \
         %a`.";
    UNKNOWN_STATE "PTO-L004" "the valid size or address of the tile is not known here"
        "`set_validshape` or `tassign` stands in a branch or a loop, and this use can be reached with and without it. Move the \
         setting into straight-line code before the use.";
    NOT_A_POINTER "PTO-L005" "the value can't be turned into a pointer"
        "Tiles become pointers and global views become a pointer with shape and strides, traced back to where they were made. \
         This value comes from an operation that lowering can't look through.";
    LEFT_OVER "PTO-L006" "a tile-level operation is left"
        "After lowering, an operation still works on tiles or views. It is neither an intrinsic nor an instruction that lowering \
         knows.";
    TOO_LARGE "PTO-L007" "a size does not fit the field of the hardware instruction"
        "Sizes and strides go into fields of fixed width. The message names the field, its limit and the value.";
    VALUE_FORM "PTO-L008" "the instruction is in a value form"
        "Lowering takes the DPS form, where every destination is a buffer. Convert first: `ptoc convert --to dps`.";
    FOREIGN "PTO-L009" "the back ends have no form of this operation"
        "The operation can be read, checked and converted, but no target runs it. What is lowered are instructions of `pto`, and \
         `func`, `scf`, `cf` branches and `arith` around them.";
}
