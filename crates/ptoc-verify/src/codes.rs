//! Diagnostic codes of the verifier.
//!
//! `SA-` and `PA-` numbers are those of the reference library's own index where it has one; `PTO-V` is structure, `PTO-F` flags,
//! `PTO-E` elementwise, `PTO-D` reductions and expansions, `PTO-M` moves and memory, `PTO-C` the cube, `PTO-U` unit flags.

use ptoc_source::{Code, CodeInfo};

/// Declares the codes: those that checks name, and those that only rule tables use.
macro_rules! codes {
    (
        named { $($name:ident $code:literal $title:literal $text:literal;)* }
        numbers { $($number:literal $number_title:literal $number_text:literal;)* }
    ) => {
        $(#[doc = $title] pub(crate) const $name: Code = $code;)*
        /// Every code of this crate with its explanation.
        pub const CODES: &[CodeInfo] = &[
            $(CodeInfo { code: $code, title: $title, explanation: $text },)*
            $(CodeInfo { code: $number, title: $number_title, explanation: $number_text },)*
        ];
    };
}

codes! {
    named {
    // structure
    TOO_MANY "PTO-V000" "more findings than are shown"
        "The verifier keeps the first findings of a program. Fix those and run again.";
    DOMINANCE "PTO-V001" "a value is used where it is not defined on every path"
        "A definition must come before its uses, in the same or an enclosing region, and nothing from outside is visible inside a \
         function. Move the definition, or pass the value as a block argument or loop value.";
    OPERANDS "PTO-V002" "the operands are not as many as the operation has"
        "Each operand of the table entry takes exactly one value, at most one, or any number. `ptoc explain NAME` shows them.";
    OPERAND_KIND "PTO-V003" "an operand is of another kind than the operation takes"
        "Operands are tiles, global views, pointers, numbers, indices, vector registers or predicates. The label shows what is there.";
    RESULTS "PTO-V004" "the results are not as many as the operation has"
        "In the SSA and sync forms each destination tile is a result; in the DPS form an instruction has none.";
    ATTRIBUTE "PTO-V005" "a required attribute is missing"
        "The operation has no meaning without it. `ptoc explain NAME` shows its values.";
    TARGET "PTO-V006" "the target does not have this operation"
        "The operation exists on other targets only. Compile for one of them, or use other instructions.";
    FORM "PTO-V007" "a tile value where a buffer must stand, or a buffer where a value must"
        "The DPS form writes into buffers (`!pto.tile_buf`); results of the SSA and sync forms are values (`!pto.tile`).";
    REGIONS "PTO-V008" "regions or blocks are not as the operation needs them"
        "The message says how many regions or blocks the operation has.";
    TERMINATOR "PTO-V009" "a block does not end with its terminator, or a terminator stands elsewhere"
        "Blocks of functions end with `return` or a branch, those of `scf` operations with `scf.yield` or `scf.condition`.";
    FLOW_TYPES "PTO-V010" "values passed between operations have other types than expected"
        "A call must agree with its function, a `return` with its function's results, a yield with its loop or condition, a branch \
         with the arguments of its block. The notes show both type lists.";
    SYMBOL "PTO-V011" "a function is missing, has no name or type, or is defined twice"
        "Names of functions are unique in their module, and a call names one that is visible.";
    TOO_DEEP "PTO-V012" "regions are nested too deeply"
        "Regions may be nested 200 deep. Split the function.";
    // tiles and addresses
    TILE_SIZE "SA-0065" "rows or columns are zero, or the valid size is larger than the tile"
        "A tile has at least one row and one column, and its valid region lies inside its static shape (rules T1, T2 and T8; FIX-A05).";
    TILE_COLS "SA-0066" "the columns are not a multiple of the inner box"
        "A boxed tile is made of whole boxes: 16 rows of 32 bytes for a row-major inner layout, 32 bytes of 16 columns for a \
         column-major one, 16x16 for fractal size 1024, 16x2 or 2x16 for 32 (rule T5). Round the columns up and keep the valid size.";
    TILE_ROWS "SA-0067" "the rows are not a multiple of the inner box"
        "As SA-0066, for rows (rule T4). Tiles in vec, of fractal size 32, and of a single row are exempt.";
    TILE_PITCH "SA-0006" "the pitch of an unboxed tile is not a multiple of 32 bytes"
        "A row of an ND tile, and a column of a DN tile, starts at a 32-byte block (rule T6; FIX-A04). Pad the pitch and keep the \
         valid size, or use a boxed layout.";
    NO_MEMORY "SA-0351" "the target does not have the memory of this location"
        "The capacity of the memory is 0 on this target (FIX-A12). A scaling tile of f8E8M0 with both layouts row_major or both \
         col_major lives in the scale memory beside L0A or L0B, which only A5 has.";
    TOO_BIG "SA-0352" "the tile does not fit its memory"
        "Tile bytes are rows * columns * sizeof of the static shape; they must not exceed the capacity of the memory (FIX-A12).";
    PAST_END "SA-0353" "the tile ends past its memory"
        "Address plus tile bytes must not exceed the capacity of the memory (FIX-A12). The help names the last legal address.";
    UNALIGNED "SA-0354" "the address is not a multiple of the alignment"
        "On-chip memories are addressed in blocks of 32 bytes (FIX-A12). The help names the nearest legal addresses.";
    ADDRESS_TYPE "SA-0218" "the address of a tile is not an integer"
        "A tile is bound to a byte address: an integer or an index.";
    // flags
    NO_PIPE "PTO-F001" "there is no such pipe"
        "Events and barriers name a pipe that runs instructions: S, V, M, MTE1, MTE2, MTE3, FIX; a barrier also ALL.";
    EVENT_ID "PTO-F002" "there is no such event"
        "Each ordered pair of pipes has the events 0 to 7.";
    SAME_PIPE "PTO-F003" "both ends of an event are one pipe"
        "A pipe runs in order, so an event from a pipe to itself orders nothing. Use a barrier (condition E9; old code SA-0118).";
    // elementwise
    E_DTYPE "PTO-E001" "the element type is not one of those that the instruction takes"
        "The message lists the types of the target. Convert with `tcvt` first.";
    E_SAME_DTYPE "PTO-E002" "the tiles must have one element type"
        "Elementwise instructions do not convert. Convert with `tcvt` first.";
    E_LOC "PTO-E003" "the tile is not in UB"
        "The vector unit works on tiles in vec. Move the tile with `tmov` or load it there.";
    E_LAYOUT "PTO-E004" "the layout is not one that the instruction takes"
        "Elementwise instructions walk row-major, unboxed tiles. Change the layout with `tmov`, `ttrans` or `treshape`.";
    E_VALID "PTO-E005" "the valid sizes of the tiles differ"
        "Element (i, j) of the result is made of elements (i, j) of the sources, so all have one valid size. Where it is known only \
         at run time, nothing is checked here.";
    E_TMP "PTO-E006" "the temporary does not fit"
        "The rule in the note says what it must hold. Only A2/A3 uses it.";
    E_STORAGE "PTO-E007" "tiles that must not share storage"
        "The sequence of the instruction reads a source after it has written part of the destination.";
    E_MASK "PTO-E008" "the mask tile does not fit"
        "A mask has one bit for each element: bit k of a row is element k.";
    E_WIDE "PTO-E009" "more columns than the path reads"
        "Rows of 64-bit elements are read with one load of 64 elements, and the reference library ignores the rest.";
    E_CMP_MODE "PTO-E010" "the comparison does not exist for this type"
        "The message lists the comparisons.";
    E_COUNT "PTO-E011" "a shift count is negative"
        "Shift counts are not negative.";
    E_SIZE "PTO-E012" "the tile is too large for the instruction"
        "A field of the machine instruction counts blocks, and the number does not fit.";
    E_CONVERSION "PTO-E013" "there is no such conversion"
        "The message lists what the source converts to on the target. Two conversions, for example through f32, may do it.";
    // moves and memory
    M_NO_PATH "PTO-M001" "there is no way between these tiles"
        "The target has no path between the locations and layouts with these options. The note lists the ways it has.";
    M_DTYPE "PTO-M002" "the element type is not one of those that the move takes"
        "The message lists the types of the target. Convert with `tcvt` first.";
    M_SAME_DTYPE "PTO-M003" "source and destination must have one element type"
        "This way does not convert. Convert with `tcvt` before or after it.";
    M_SAME_SIZE "PTO-M004" "source and destination elements must have one size"
        "The copy moves bits without converting them.";
    M_LAYOUT "PTO-M005" "the layout is not one that the move takes"
        "The message names the layouts. Change them with `tmov`, `ttrans` or `treshape`.";
    M_SAME_LAYOUT "PTO-M006" "source and destination must have one layout"
        "This way copies blocks and does not rearrange them.";
    M_SHAPE "PTO-M007" "the static shapes do not agree"
        "The rule in the note says which shapes must be equal, or which may be larger.";
    M_BOUNDS "PTO-M008" "the window lies outside of the tile"
        "Index plus valid size must not exceed the static rows and columns of the bigger tile.";
    M_INDEX "PTO-M009" "the index is no 16-bit number"
        "Window indices are unsigned 16-bit numbers.";
    M_GROUP "PTO-M010" "the window does not begin or end at a block"
        "Boxed tiles move in whole column groups, unboxed ones to L1 in whole 32-byte blocks. An address inside of a group is no start \
         of anything, so the columns would be scrambled; nothing in the reference library checks it.";
    M_OPTION "PTO-M011" "the option does not exist on this way"
        "Rectifier, quantisation, vector core mode and split mode each belong to certain paths only. Drop the option.";
    M_ONE_QUANT "PTO-M012" "a scalar and a vector quantisation at once"
        "The fix pipe takes one scale for all columns, or one for each column from a scaling tile.";
    M_SCALES "PTO-M013" "the scaling tile does not hold the parameters"
        "It starts at a multiple of 128 bytes and has one 64-bit entry for each output column.";
    M_SPLIT "PTO-M014" "the tile cannot be split that way"
        "The halves or quarters must be whole rows, whole column groups, or whole column blocks.";
    M_PITCH "PTO-M015" "the pitch is not a multiple of 32 bytes"
        "Rows written by the fix pipe begin at 32-byte blocks.";
    M_EVEN "PTO-M016" "the valid row has an odd number of bytes"
        "On A2/A3 the tail of a row moves as 16-bit lanes.";
    M_PAD "PTO-M017" "the pad value is not one that the fill can write"
        "The destination's type says what is filled: zero, the largest or the smallest value, or custom bits. L1 is filled with zero.";
    M_STORAGE "PTO-M018" "source and destination must be the same storage, or must not be"
        "The rule in the note says which.";
    // unit flags
    U1 "PTO-U001" "a drain waits for a unit flag that no product sets: a hang"
        "A drain with stPhase waits until the flag of its block is set, which a product with accPhase final does. With partial \
         products only, the fix pipe stops for ever (machine description 7.4, U1). Make the last product of the block final.";
    U2 "PTO-U002" "a product waits for a block that nothing drains: a hang"
        "A product with accPhase waits until the flag of its block is clear. After a final product only a drain with stPhase final \
         clears it, so two final products without one between stop the cube (U2).";
    U3 "PTO-U003" "a product waits for a block that was drained without a phase: a hang"
        "A drain without stPhase reads the block but leaves its flag set, and the next product with a phase stops the cube (U3). \
         Use phases on every product and drain of a block, or on none.";
    U4 "PTO-U004" "a product waits for a block whose last drain was partial: a hang"
        "stPhase partial keeps the flag for further drains; the last drain must be final (U4).";
    U5 "PTO-U005" "a block is released twice: a hang"
        "The first drain with stPhase final clears the flag, and the second waits for ever (U5). All drains but the last are partial.";
    U6 "PTO-U006" "a partial drain after the final one: a hang"
        "The final drain clears the flag, and the partial one behind it waits for ever (U6).";
    U_LEAKED "PTO-U007" "the unit flag of a block stays set"
        "A final product sets the flag and no drain with stPhase final clears it. The next product with a phase on that block \
         stops, even in another kernel on the same core.";
    U_MIXED "PTO-U008" "a product without phase on a block whose flag is set"
        "It does not wait for the drains of the block and overwrites what they read. Every product and drain of a block uses the \
         flag, or none does.";
    U_TOO_DEEP "PTO-U009" "unit flags are not checked in deeply nested loops"
        "The analysis of unit flags follows loops up to five deep in any case, and deeper ones as long as its budget lasts. The \
         simulator still finds a hang.";
    U_NOT_A_DRAIN "PTO-U010" "a unit-flag phase on an instruction that has none"
        "Unit flags order the cube and the fix pipe on one block of the accumulator. Only drains of the accumulator have a phase, and \
         `tinsert` only on its way to L1.";
    // reductions
    D_DTYPE "PTO-D001" "the element type is not one of those that the reduction takes"
        "The message lists the types of the target. Convert with `tcvt` first.";
    D_SAME_DTYPE "PTO-D002" "the tiles must have one element type"
        "The reduction does not convert.";
    D_LOC "PTO-D003" "the tile is not in UB"
        "The vector unit works on tiles in vec.";
    D_LAYOUT "PTO-D004" "the layout is not one that the reduction takes"
        "The source is ND; the result is ND, or DN with one column.";
    D_COLUMN "PTO-D005" "a column-major result must have exactly one column"
        "A DN result holds one element a row.";
    D_EMPTY "PTO-D006" "the valid region is empty"
        "A reduction over nothing has no result.";
    D_VALID_ROWS "PTO-D007" "the valid sizes do not agree"
        "Each row of the source gives one row of the result; each column one column.";
    D_WIDE "PTO-D008" "more columns than the path reads"
        "64-bit rows are read with one load of 64 elements, and the reference library ignores the rest.";
    D_TMP "PTO-D009" "the temporary is too small"
        "The note says what it holds. A temporary of the source's shape is always enough.";
    }
    numbers {
    "SA-0012" "an explicit vector core mode without a destination in vec" "The mode chooses the vector core that an accumulator drains to.";
    "SA-0013" "the fractal size of the destination is not 512" "The fix pipe of A2/A3 writes fractals of 512 bytes.";
    "SA-0029" "the destination is not NZ" "The fix pipe writes L1 in NZ: blayout=col_major, slayout=row_major.";
    "SA-0031" "a row of the destination is not a multiple of 32 bytes" "The columns times the element size must be a non-zero multiple of 32.";
    "SA-0042" "a dual mode with a DN destination" "The split between two vector cores exists for ND and NZ only.";
    "SA-0052" "the parameter tile is not a scaling tile" "Per-column quantisation reads the fixpipe buffer: loc=scaling.";
    "SA-0088" "the destination layout is not ND, DN or NZ" "The fix pipe of A5 writes these three.";
    "SA-0092" "a dual mode with a conversion" "The split between two vector cores exists without quantisation only.";
    "SA-0106" "the accumulator is not f32 or i32" "The cube accumulates in f32 or i32.";
    "SA-0107" "the accumulator is not NZ" "L0C is NZ with fractal size 1024.";
    "SA-0193" "the destination is not f16 or bf16" "A2/A3 converts an f32 accumulator without quantisation to f16 or bf16.";
    "SA-0194" "the destination is not f16, bf16 or f32" "A5 converts an f32 accumulator without quantisation to these.";
    "SA-0195" "the destination is not i32" "An i32 accumulator leaves unquantised as i32 on A5.";
    "SA-0197" "the quantised destination of f32 is not i8" "A2/A3 quantises f32 to i8 on the way to L1.";
    "SA-0198" "the quantised destination of i32 is not i8, u8, f16 or bf16" "A5 quantises i32 to these.";
    "SA-0199" "the quantised destination of i32 is not i8, u8, f16 or i16" "A2/A3 quantises i32 to these on the way to L1.";
    "SA-0200" "the quantised destination of f32 is not in the list" "A5 quantises f32 to i8, u8, hif8, f16, bf16 or f8e4m3.";
    "SA-0204" "the accumulator is not f32" "A2/A3 drains an i32 accumulator quantised only.";
    }
}
