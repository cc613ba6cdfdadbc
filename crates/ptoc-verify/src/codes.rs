//! Diagnostic codes of the verifier.
//!
//! `SA-` and `PA-` numbers are those of the reference library's own index where it has one; `PTO-V` is structure, `PTO-F` flags,
//! `PTO-E` elementwise, `PTO-D` reductions and expansions, `PTO-M` moves and memory, `PTO-G` sorting, `PTO-C` the cube, `PTO-U` unit flags.

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
    NUMBER_KIND "PTO-V013" "an operation of `arith` gets numbers of another kind"
        "Operations whose name ends with `i` work on integers and indices, those that end with `f` on floating-point numbers; a cast \
         goes between the kinds that its name says.";
    LOOP_STEP "PTO-V014" "the step of a loop is not positive"
        "`scf.for` counts up from its lower bound. With a step of zero it never ends, and a negative step does not count down.";
    RECURSION "PTO-V015" "a function calls itself"
        "The tiles of a function are at fixed addresses, so a second activation of it would overwrite those of the first. Use a loop.";
    ADDRESS_OWNER "PTO-V016" "an address is given, or missing, where it should not be"
        "At levels 1 and 2 the compiler places every tile, so an address in the source would be ignored or would break its plan. At \
         level 3 the source places every tile. Without `--level`, tiles with an address keep it and the others are placed around them.";
    NEVER_WRITTEN "PTO-V017" "a tile is read that nothing writes"
        "A tile that is made without an address holds whatever the memory held before. Nothing in the function writes it, so what is \
         read has no meaning. It is an error where a branch or loop writes a tile of its own of the same type that nobody reads: the value went there. \
         Otherwise it is a warning.";
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
    M_EVEN "PTO-M016" "the valid row has an odd number of bytes"
        "On A2/A3 the tail of a row moves as 16-bit lanes.";
    M_PAD "PTO-M017" "the pad value is not one that the fill can write"
        "The destination's type says what is filled: zero, the largest or the smallest value, or custom bits. L1 is filled with zero.";
    M_STORAGE "PTO-M018" "source and destination must be the same storage, or must not be"
        "The rule in the note says which.";
    M_FRACTAL "PTO-M019" "the fractal size is not one that the move takes"
        "The message names the size.";
    M_WINDOW "PTO-M020" "the window of global memory is not as large as the valid region of the tile"
        "A load or store moves the window, and the tile holds its valid region. Where they differ, elements are read or written that \
         nobody gave a value.";
    M_WINDOW_OUT "PTO-M021" "the part lies outside of the tile"
        "Offset plus size must not exceed the rows and columns of the tile.";
    M_FIXED_VALID "PTO-M022" "the type fixes the valid size"
        "Only valid sizes that the type leaves open (`?`) can be set at run time.";
    M_CAST "PTO-M023" "the two views have different bytes"
        "A cast gives the same bytes another element type, in the same location.";
    M_NOTHING "PTO-M024" "a fill that fills nothing"
        "Source and destination are one tile with one valid size, so no element of the valid region is padded.";
    VIEW_RANK "PTO-M025" "a view of global memory has another number of dimensions"
        "A view has one extent and one stride for each dimension of its type, a window one offset and one size for each dimension of \
         its view. There are one to five dimensions.";
    VIEW_NUMBER "PTO-M026" "a number of a view does not agree with its type, is negative or too large"
        "Extents, offsets, sizes and strides count elements. A constant must be the number that the type fixes, and no element may \
         lie more than 2^63 bytes behind the pointer.";
    VIEW_WINDOW "PTO-M027" "the window lies outside of the view"
        "Offset plus size must not exceed the extent of the view in any dimension. Loads and stores do not check: they read and write \
         the memory behind the tensor.";
    VIEW_ELEMENTS "PTO-M028" "a view has other elements than its pointer or its view"
        "A view describes the elements that its pointer points to, and a window those of its view.";
    PART_TYPE "PTO-M029" "the type of a part is not what was cut out"
        "A part of a tile has the sizes that are given, and the element type and location of its tile.";
    NO_VALID_SIZE "PTO-M030" "a run-time valid size is left open and not given"
        "Where the type of a tile says `?`, the operation that makes it takes valid_row or valid_col.";
    // sorting
    G_DTYPE "PTO-G001" "the element type is not one that sorting takes"
        "Values are f16 or f32, indices u32.";
    G_LOC "PTO-G002" "the tile is not in UB"
        "The vector unit works on tiles in vec.";
    G_LAYOUT "PTO-G003" "the layout is not one that sorting takes"
        "Rows are sorted, so tiles are row-major and unboxed.";
    G_RECORDS "PTO-G004" "there is no room for the sorted records"
        "A sorted element is a record of 8 bytes, its value and its index: two elements of f32, four of f16. `tsort32` makes records \
         in whole groups of 32; a merge of several lists needs a temporary for all of them.";
    G_REST "PTO-G005" "a rest of less than 32 columns is not sorted"
        "32 elements are sorted at a time. Without a temporary, in which a rest is padded, it is dropped.";
    G_ROWS "PTO-G006" "the rows do not agree"
        "Each valid row of the destination is made from one of the source and one of the indices; a single row of indices serves all.";
    // cube
    C_LAYOUT "PTO-C001" "a cube operand has the wrong layout"
        "The left operand is ZZ on A2/A3 and NZ on A5, the right one ZN, the accumulator NZ.";
    C_FRACTAL "PTO-C002" "the accumulator does not have fractal size 1024"
        "The cube writes boxes of 16 by 16 elements.";
    C_SHAPE "PTO-C003" "the shapes of the product do not agree"
        "The left operand is m by k, the right one k by n, the accumulator m by n; `tgemv` has m = 1 and an accumulator of 16 rows.";
    C_DENSITY "PTO-C004" "the valid size and the static size of a cube operand give different stripes"
        "The cube has no strides: it reads and writes its operands packed for the valid m, k, n. A plain tile is stored with its \
         static shape, so both must round up to the same number, or the tile is compact (machine description 3a).";
    C_ACC "PTO-C005" "the accumulator that is added is not the one that is written"
        "The cube adds to the block in place.";
    C_BIAS "PTO-C006" "the bias row is too short"
        "Each column of the product has its bias.";
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
    D_VALID_COLS "PTO-D010" "the valid columns do not agree"
        "Each column of the source gives one column of the result.";
    D_FULL "PTO-D011" "no source covers the destination"
        "One source has an element for each valid element of the destination, the other one an element for each row or column.";
    D_PER_ROW "PTO-D012" "the other source does not give one element a row"
        "It is a column (DN, one column), or has one 32-byte block a row (ND).";
    D_PER_COL "PTO-D013" "the other source does not give one element a column"
        "Its first row has at least the valid columns of the destination.";
    }
    numbers {
    "SA-0005" "the accumulator is not i32 or f32" "The cube of A5 accumulates in i32 or f32.";
    "SA-0009" "the element size is not 1, 2, 4 or 8 bytes" "A load moves elements of these sizes.";
    "SA-0010" "the element type is not one that the load takes" "A2/A3 loads the integers of 8 to 64 bits, f16, bf16 and f32.";
    "SA-0011" "the element type is not one that the store takes" "A2/A3 stores the integers of 8 to 64 bits, f16, bf16 and f32.";
    "SA-0012" "an explicit vector core mode without a destination in vec" "The mode chooses the vector core that an accumulator drains to.";
    "SA-0013" "the fractal size of the destination is not 512" "The fix pipe of A2/A3 writes fractals of 512 bytes.";
    "SA-0020" "the element size is not 1, 2 or 4 bytes" "A move inside of UB copies elements of these sizes.";
    "SA-0024" "the element type is not one that the layout change takes" "The message lists the types.";
    "SA-0025" "an atomic add with this type" "Atomic stores add f16, f32, i16, i32, i8 or bf16.";
    "SA-0026" "an atomic add with this type" "Atomic stores add f16, f32, i16, i32, i8 or bf16.";
    "SA-0029" "the destination is not NZ" "The fix pipe writes L1 in NZ: blayout=col_major, slayout=row_major.";
    "SA-0030" "the pitch of the destination is not a multiple of 32 bytes" "Rows written by the fix pipe begin at 32-byte blocks.";
    "SA-0031" "a row of the destination is not a multiple of 32 bytes" "The columns times the element size must be a non-zero multiple of 32.";
    "SA-0032" "the destination of a load is not in vec or mat" "Global memory is loaded to UB or L1 only.";
    "SA-0040" "a transposed destination is not made of whole fractals" "Rows are a multiple of 32 bytes, columns of 16.";
    "SA-0041" "8-byte elements cannot be loaded into this layout" "Only ND, DN and NZ sources keep 8-byte elements together.";
    "SA-0042" "a dual mode with a DN destination" "The split between two vector cores exists for ND and NZ only.";
    "SA-0052" "the parameter tile is not a scaling tile" "Per-column quantisation reads the fixpipe buffer: loc=scaling.";
    "SA-0055" "the window is not one matrix" "A load that rearranges takes one matrix: the outer three dimensions are 1.";
    "SA-0057" "the window is not one matrix" "A load that rearranges takes one matrix: the outer three dimensions are 1.";
    "SA-0062" "the bias is not one of the listed conversions" "i32 to i32, f32 to f32, f16 to f32, bf16 to f32.";
    "SA-0068" "an i32 product of other types than i8" "i8 times i8 gives i32.";
    "SA-0075" "the bias has another type than the accumulator" "The bias is added without conversion.";
    "SA-0076" "no f32 product of these types" "The message lists the pairs.";
    "SA-0078" "the bias is not one row in the bias table" "loc=bias, one row, row-major.";
    "SA-0080" "a cube operand has the wrong layout" "On A5: left NZ, right ZN, accumulator NZ.";
    "SA-0082" "no load between these layouts" "On A5, to L1: ND to NZ, DN to NZ, NZ to NZ, ND to ND, DN to DN, DN to ZN.";
    "SA-0088" "the destination layout is not ND, DN or NZ" "The fix pipe of A5 writes these three.";
    "SA-0092" "a dual mode with a conversion" "The split between two vector cores exists without quantisation only.";
    "SA-0099" "tile and global elements have different sizes" "A load or store does not convert.";
    "SA-0100" "the source of a store is not in vec or acc" "A5 stores from UB and L0C.";
    "SA-0101" "the source of a store is not in vec, mat or acc" "A2/A3 stores from UB, L1 and L0C.";
    "SA-0104" "no load between these layouts" "To UB a load keeps the layout.";
    "SA-0105" "no store between these layouts" "A store keeps the layout; a single row or column is ND and DN at once.";
    "SA-0106" "the accumulator is not f32 or i32" "The cube accumulates in f32 or i32.";
    "SA-0107" "the accumulator is not NZ" "L0C is NZ with fractal size 1024.";
    "SA-0108" "the valid columns are not those of the window" "The load fills the valid region: its columns are the innermost dimension of the window.";
    "SA-0109" "the valid rows are not those of the window" "The load fills the valid region: its rows are the product of the other dimensions.";
    "SA-0110" "the NZ window is not made of fractals" "The inner dimensions are 16 and 32 bytes of elements.";
    "SA-0119" "a transposing move of sides that are not whole blocks" "Rows and columns are multiples of 16, of 32 for one-byte types.";
    "SA-0120" "a move of sides that are not whole fractals" "Rows are a multiple of 16, columns of 32 bytes.";
    "SA-0121" "a move of sides that are not whole fractals" "Rows are a multiple of 32 bytes, columns of 16.";
    "SA-0126" "the rows of the accumulator are out of range" "A store from L0C takes 1 to 8192 rows into ND, up to 65535 elsewhere.";
    "SA-0159" "source and destination have different element types" "The move does not convert.";
    "SA-0160" "source and destination have different element types" "The move does not convert.";
    "SA-0161" "the destination layout is not the operand's" "On A5: left NZ, right ZN.";
    "SA-0162" "the element type is no cube operand" "A2/A3 multiplies i8, f16, bf16 and f32.";
    "SA-0163" "the left operand is not ZZ" "On A2/A3 L0A is row-major boxes of row-major fractals.";
    "SA-0164" "the right operand is not ZN" "L0B is row-major boxes of column-major fractals.";
    "SA-0165" "the source layout cannot be loaded into L0" "NZ, ZN, or a row vector.";
    "SA-0166" "the source layout cannot be loaded into L0" "NZ, ZN, or a row vector.";
    "SA-0167" "the element type is no cube operand" "The message lists the types.";
    "SA-0184" "more than 16384 columns" "A field of the load counts them in 14 bits.";
    "SA-0185" "no product of these types" "A2/A3: i8 to i32; f16, bf16, f32 to f32.";
    "SA-0191" "the source is no f32 or i32 accumulator" "The cube accumulates in f32 or i32.";
    "SA-0193" "the destination is not f16 or bf16" "A2/A3 converts an f32 accumulator without quantisation to f16 or bf16.";
    "SA-0194" "the destination is not f16, bf16 or f32" "A5 converts an f32 accumulator without quantisation to these.";
    "SA-0195" "the destination is not i32" "An i32 accumulator leaves unquantised as i32 on A5.";
    "SA-0196" "the global type is not one that an accumulator is stored as" "i32, f32, f16 or bf16 without quantisation.";
    "SA-0197" "the quantised destination of f32 is not i8" "A2/A3 quantises f32 to i8 on the way to L1.";
    "SA-0198" "the quantised destination of i32 is not i8, u8, f16 or bf16" "A5 quantises i32 to these.";
    "SA-0199" "the quantised destination of i32 is not i8, u8, f16 or i16" "A2/A3 quantises i32 to these on the way to L1.";
    "SA-0200" "the quantised destination of f32 is not in the list" "A5 quantises f32 to i8, u8, hif8, f16, bf16 or f8e4m3.";
    "SA-0201" "the columns of the accumulator are out of range" "A store from L0C takes 1 to 4095 columns.";
    "SA-0202" "more than 16384 rows" "A field of the load counts them in 14 bits.";
    "SA-0204" "the accumulator is not f32" "A2/A3 drains an i32 accumulator quantised only.";
    "SA-0219" "the bias is not one row in the bias table" "loc=bias and one row.";
    "SA-0220" "the fractal size is not 512" "A load that rearranges writes fractals of 512 bytes.";
    "SA-0221" "the fractal size is not 512" "A load that rearranges writes fractals of 512 bytes.";
    "SA-0222" "more than 524288 elements" "The largest tile that a load to L1 fills on A5.";
    "SA-0223" "the pad of 8-byte elements is not null or zero" "A load pads 8-byte elements with zero only.";
    "SA-0224" "more than 16384 rows" "A field of the load counts them in 14 bits.";
    "SA-0225" "the left operand is not in left" "Move it to L0A with `tmov` or `textract`.";
    "SA-0226" "the destination is not in acc" "The cube writes L0C.";
    "SA-0227" "the right operand is not in right" "Move it to L0B with `tmov` or `textract`.";
    "SA-0233" "8-byte elements cannot be loaded into this layout" "ND to ND or DN to DN only.";
    "SA-0234" "no load between these layouts" "On A2/A3, to L1: ND to ND, DN to DN, NZ to NZ, ND to NZ, DN to ZN.";
    "SA-0235" "no load between these layouts" "To UB a load keeps the layout.";
    "SA-0236" "4096 rows or more" "A field of the load counts rows in 12 bits.";
    "SA-0254" "source and destination have different element types" "The move does not convert.";
    "SA-0256" "a scaling tile of other types than u64 or i64" "The fix pipe reads 64-bit parameters.";
    "SA-0257" "there is no way between these tiles" "The note lists the ways that `tmov` has on the target.";
    "SA-0258" "source and destination elements have different sizes" "A move inside of UB copies bits.";
    "SA-0260" "the bias row is longer than 4096 bytes" "The bias table has 4096 bytes on A5.";
    "SA-0261" "the scaling row is longer than 4096 bytes" "The fixpipe buffer has 4096 bytes on A5.";
    "SA-0262" "source and destination have different static shapes" "`tmov` moves whole tiles; `textract` moves a part.";
    "SA-0263" "source and destination have different static shapes" "`tmov` moves whole tiles; `textract` moves a part.";
    "SA-0264" "the element type is not one that the move takes" "The message lists the types.";
    "SA-0266" "the bias row is not a multiple of 64 bytes" "The bias table is written in units of 64 bytes.";
    "SA-0267" "the bias row is not a multiple of 64 bytes" "The bias table is written in units of 64 bytes.";
    "SA-0268" "the bias is not one row" "One element a column.";
    "SA-0269" "the bias is not one row" "One element a column.";
    "SA-0270" "the scaling row is not a multiple of 128 bytes" "The fixpipe buffer is written in units of 128 bytes.";
    "SA-0271" "the scaling row is not a multiple of 128 bytes" "The fixpipe buffer is written in units of 128 bytes.";
    "SA-0272" "the scaling tile is not one row" "One entry a column.";
    "SA-0273" "the scaling tile is not one row" "One entry a column.";
    "SA-0301" "one view is boxed and the other is not" "Elements in boxes lie in another order than elements in rows.";
    "SA-0303" "the two views are in different locations" "A reshape gives the same bytes another shape.";
    "SA-0305" "the two views have different sizes" "A reshape gives the same bytes another shape.";
    "SA-0338" "8-byte elements cannot be stored from this layout" "ND to ND or DN to DN only.";
    "SA-0350" "the NZ window is not made of fractals" "The inner dimensions are 16 and 32 bytes of elements.";
    "PA-0005" "k is out of range" "The cube takes 1 to 4095.";
    "PA-0006" "m is out of range" "The cube takes 1 to 4095.";
    "PA-0007" "n is out of range" "The cube takes 1 to 4095.";
    "PA-0014" "the window does not begin at a block" "A transposing move starts at multiples of 16, of 32 for one-byte types.";
    "PA-0015" "the window does not begin at a fractal" "Rows at multiples of 16, columns of 32 bytes.";
    "PA-0016" "the window does not begin at a fractal" "Rows at multiples of 32 bytes, columns of 16.";
    "PA-0023" "the window is not one matrix" "A store from the accumulator writes one matrix: the outer three dimensions are 1.";
    "PA-0028" "a column is not a multiple of 32 bytes" "Global memory and L1 exchange whole 32-byte blocks.";
    "PA-0029" "a row is not a multiple of 32 bytes" "Global memory and L1 exchange whole 32-byte blocks.";
    "PA-0035" "the rows of the window are out of range" "1 to 16384.";
    "PA-0038" "the columns of the window are out of range" "1 to 65535.";
    "PA-0040" "the window lies outside of the source" "Column index plus columns must not exceed the columns of the source.";
    "PA-0041" "the window lies outside of the source" "Row index plus rows must not exceed the rows of the source.";
    "PA-0042" "the valid columns are not those of the window" "NZ: the product of dimensions g0, g1 and g4.";
    "PA-0043" "the valid rows are not those of the window" "DN: dimension g3.";
    "PA-0044" "the valid columns are not those of the window" "ND: dimension g4.";
    "PA-0045" "the valid rows are not those of the window" "ND: the product of dimensions g0 to g3.";
    "PA-0046" "the valid columns are not those of the window" "DN: the product of dimensions g0, g1, g2 and g4.";
    "PA-0047" "the valid rows are not those of the window" "NZ: the product of dimensions g2 and g3.";
    "PA-0048" "the valid rows are not those of the window" "From the accumulator: dimension g3.";
    }
}
