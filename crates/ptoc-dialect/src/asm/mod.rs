//! Text forms from table entries.
//!
//! An entry's [`asm`](crate::OpDef::asm) string is written in a small format language that both reads and prints:
//!
//! | element | meaning |
//! | --- | --- |
//! | `%a, %b, %c` | a list of operands. How many values stand there decides which optional ones are present (required first, then optional ones from the left; one variadic operand takes the rest) |
//! | `T*` | the types of all operands of the lists since the previous `T*`, in order |
//! | `T(a)` | the types of one operand or result |
//! | `R*` | the types of all results, with commas |
//! | `R()` | the types of all results as MLIR writes them after `->`: `T`, `(T, T)` or `()` |
//! | `@x` | the value of attribute `x`: an enumeration as `<word>`, an integer as digits, a string quoted, a boolean as a word, a list of integers with commas |
//! | `@x:word` | the value as a bare word; reading matches only a word the attribute takes |
//! | `@x:str` / `@x:attr` | the value as a quoted string / as a full attribute |
//! | `!x` | nothing in the text; reading sets the unit attribute `x` |
//! | `@x=w` | nothing in the text; reading sets `x` to the word `w`, and the `?{ ... }` around it is printed only then |
//! | `?{ ... }` | present or absent as a whole; printed when an operand, attribute or optional result in it is present |
//! | `*{ ... }` | any number of times; each pass has one value, or one type, of every operand in it |
//! | `{}` | the attribute dictionary, without the attributes that the format prints elsewhere |
//! | `{k = @x, l = @y}` | a brace group that is no dictionary: its keys in any order, those of absent attributes left out |
//! | `$` | the next region |
//! | `( ) [ ] < > , : = ->` and words | themselves; `a/b` reads either word and prints the first |
//! | `A \|\| B` | alternatives: reading tries them in order, printing takes the first that shows every present operand |
//!
//! Enumerations, strings and full attributes are read in any spelling and printed in the canonical one; a comma outside an
//! operand list may be missing. Where an operand's type is not in the format it is that of the value itself.
//!
//! Types choose too: an alternative or a `?{ ... }` does not match when a number stands for a tile, view, pointer or
//! register, or the reverse. So `tmov ins(%a : T, %b : i64)` has a quantisation scalar and no `fp`.

mod describe;
mod format;
mod print;
mod value_form;

pub use describe::{describe, describe_value};
pub(crate) use format::{Bracket, Elem, Format, Formats, Lit, Spelling};
pub use format::{FormatError, check_format};
pub(crate) use print::print_table;
pub(crate) use value_form::ValueForm;
pub use value_form::fits_value_form;
