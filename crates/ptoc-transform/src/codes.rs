//! Diagnostic codes of the transformations.

use ptoc_source::{Code, CodeInfo};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal $text:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = $code;)*
        /// Every code of this crate with its explanation.
        pub const CODES: &[CodeInfo] = &[$(CodeInfo { code: $code, title: $title, explanation: $text }),*];
    };
}

codes! {
    STAYS_NAMED_TWICE "PTO-X001" "a tile stays a buffer: its storage has another name"
        "A value has no storage that two names could share. A tile of which there is a view, a cast, a slot, a pointer or an \
         alias stays a buffer (`!pto.tile_buf`), and instructions that write it stay in DPS form; the two forms may be mixed in \
         one program. To get values, read the tile itself, or copy the part with `pto.textract` or `pto.tmov`.";
    STAYS_OVERLAPPED "PTO-X002" "a tile stays a buffer: it shares bytes with another tile"
        "Two tiles with addresses overlap, and one is read while it may hold what was written through the other. Such a tile \
         stays a buffer. Tiles that overlap but are always written before they are read become values. Use separate addresses \
         (`assign-addresses` does), or write the tile before reading it on every path.";
    STAYS_OUTSIDE "PTO-X003" "a tile stays a buffer: something outside can see it"
        "A tile that is passed to a function, returned, carried through a loop or a branch, or written inside a section that it \
         is defined outside of, stays a buffer, as do tiles with addresses in a function that calls another one with such \
         tiles.";
    STAYS_UNWRITABLE "PTO-X004" "a tile stays a buffer: an instruction on it has no SSA form"
        "The value forms have one result for each destination and tell optional operands apart by what they are. An instruction \
         with several destinations in one list, the same tile in two roles, or operands that the list would not show, is kept in \
         DPS form, and its destinations stay buffers. So are tiles whose valid size is changed by `pto.set_validshape`.";
    JUMPS "PTO-X005" "the form of a function with jumps between blocks is not converted"
        "Conversion follows structured control flow (`scf`). A function with `cf.br` and the like is left as it is where that is \
         right, and rejected where it is not. Write its loops and branches with `scf.for`, `scf.while` and `scf.if`.";
    NO_VALID_SIZE "PTO-X006" "the run-time valid size of a new tile is not known where it is made"
        "An instruction without `into` writes a new tile. When the tile's type has `?` for the valid rows or columns, they are \
         those of the sources, if the instruction says so and they are known in front of it. Otherwise make the tile with \
         `pto.alloc_tile valid_row = ... valid_col = ...` and write `into` it.";
    OVERWRITTEN "PTO-X007" "a tile is used after its storage was overwritten"
        "`into %t` and loop-carried tiles hand the storage of a tile on. A tile that is used later needs a copy of its own; the \
         conversion makes one with `pto.tmov` where the tile is in the unified buffer. No instruction copies a tile within the \
         other memories: compute it again, or write to a new tile.";
    WRITES_PART "PTO-X008" "a view of a tile is written as a value"
        "`into` takes a whole tile. Writing a part of a tile is `pto.tinsert`.";
    WRITES_VALUE "PTO-X009" "an instruction in DPS form writes a value"
        "`outs(...)` takes a buffer (`!pto.tile_buf`); a value (`!pto.tile`) never changes. Use the SSA form, or make the tile a \
         buffer.";
    NO_TEMPORARY "PTO-X010" "the temporary of an instruction can't be made"
        "The sync form hides temporaries; this instruction needs one on the target, and its size does not follow from the types \
         alone. Write the SSA form with the temporary.";
    NOT_SYNC "PTO-X011" "an instruction stays in SSA form"
        "The sync form hides temporaries. An instruction whose temporary changes its meaning, or is used elsewhere, keeps the SSA \
         form, as does one whose operands the sync form can't show.";
    PASSES_THROUGH "PTO-X012" "tiles pass through an operation that conversion can't follow"
        "Conversion follows tiles through the instructions, views, calls and structured control flow (`scf`). Other operations with \
         tile results, such as `arith.select` or a cast, would need to know whose storage the result is. Use `scf.if` to choose \
         between tiles.";
    MEMORY_FULL "PTO-A001" "the tiles of a function do not fit into a memory"
        "Every tile without an address gets one of its own, behind the tiles with addresses; nothing is reused. The table lists the \
         tiles. Use smaller tiles, fewer of them, or give addresses so that tiles share memory.";
    NO_MEMORY "PTO-A002" "the target does not have the memory of a tile"
        "Scale memories (`scaling` tiles of f8e8m0 in ZZ or NN layout) exist on A5 only.";
    BAD_EXTENT "PTO-A003" "a tile has no size or address that could be planned around"
        "Tiles with addresses known only at run time can't be kept apart from planned ones in the same memory. Give all tiles of \
         that memory addresses, or none.";
    ARGUMENTS "PTO-A004" "tile arguments are taken to lie at the bottom of their memory"
        "Where a tile argument lies is up to the caller. When nobody in the module calls the function, its tile arguments are taken \
         to lie as `assign-addresses` would place them in the caller: from the bottom of each memory, in order, on the memory's \
         boundaries (512 bytes for mat, left, right and acc, 128 for scaling, 64 for bias, 32 else). The tiles of the function lie \
         above. A caller that places them elsewhere must keep them apart from the tiles of the function.";
}
