//! The diagnostic codes of this crate.

use ptoc_source::CodeInfo;

pub(crate) const BINARY: &str = "PTO-P001";
pub(crate) const BYTECODE: &str = "PTO-P002";
pub(crate) const CHARACTER: &str = "PTO-P003";
pub(crate) const OPEN_STRING: &str = "PTO-P004";
pub(crate) const BLOCK_COMMENT: &str = "PTO-P005";
pub(crate) const UNCLOSED: &str = "PTO-P006";
pub(crate) const STRAY_CLOSE: &str = "PTO-P007";
pub(crate) const TOO_DEEP: &str = "PTO-P008";
pub(crate) const EXPECTED_OPERATION: &str = "PTO-P009";
pub(crate) const EXPECTED_NAME: &str = "PTO-P010";
pub(crate) const RESULT: &str = "PTO-P011";
pub(crate) const EMPTY_ALIAS: &str = "PTO-P012";
pub(crate) const TOO_LARGE: &str = "PTO-P013";
pub(crate) const TOO_MANY: &str = "PTO-P014";
pub(crate) const BROKEN_OFF: &str = "PTO-P015";

/// What each code means.
pub const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: BINARY,
        title: "The input is not text",
        explanation: "PTO assembly is UTF-8 text. The input holds NUL bytes or so many bytes that mean nothing in \
            PTO text that it is most likely an object file, an archive or another binary format. Nothing of it was parsed.\n\n\
            Check that the right file was given. A compressed file must be unpacked first.",
    },
    CodeInfo {
        code: BYTECODE,
        title: "The input is PTO bytecode",
        explanation: "The file begins with the six bytes `PTOBC` NUL: it is the binary encoding of a module, not its text. \
            Only text is parsed.\n\n\
            Convert it to text with the tool that wrote it, and parse that.",
    },
    CodeInfo {
        code: CHARACTER,
        title: "A character has no meaning here",
        explanation: "Outside comments and strings PTO text consists of ASCII names, numbers and the punctuation \
            `% @ ^ ! # , : -> = ? * + - ... | ( ) [ ] { } < >`. The character is skipped and parsing goes on, so the \
            rest of the text is still checked.\n\n\
            Typographic quotes and full-width punctuation often come from copying out of a document: replace them by \
            their ASCII forms. Statements need no separator such as `;`.",
    },
    CodeInfo {
        code: OPEN_STRING,
        title: "A string is not closed",
        explanation: "A string begins and ends with `\"` on one line; inside, `\\\"` is a quote and `\\\\` a backslash. \
            The line ended first. The rest of the line is taken as the string.",
    },
    CodeInfo {
        code: BLOCK_COMMENT,
        title: "Block comments do not exist",
        explanation: "A comment begins with `//` and ends with its line. `/* ... */` is skipped here, but other tools \
            will not read it.",
    },
    CodeInfo {
        code: UNCLOSED,
        title: "A bracket is not closed",
        explanation: "Every `(`, `[`, `{` and `<` needs its partner inside the bracket around it. The message names the \
            bracket that stayed open and the place where its partner was needed at the latest: a bracket of another \
            kind, the next statement, or the end of the text. When a `}` is missing, indentation decides which `{` is \
            blamed. Parsing goes on as if the bracket were closed there.",
    },
    CodeInfo {
        code: STRAY_CLOSE,
        title: "A closing bracket has no partner",
        explanation: "A `)`, `]`, `}` or `>` was found while no bracket of its kind was open. It is skipped.\n\n\
            Remove it, or add the opening bracket. A `}` too many often ends a function early.",
    },
    CodeInfo {
        code: TOO_DEEP,
        title: "Brackets or regions nest too deep",
        explanation: "Nesting is bounded (256 levels unless set otherwise), so that hostile input cannot exhaust \
            memory or stack. Real kernels nest less than 20 levels. What lies deeper is skipped.",
    },
    CodeInfo {
        code: EXPECTED_OPERATION,
        title: "A statement must begin with an operation",
        explanation: "A statement has the shape\n\n    %result = name operands : types {attributes}\n\nwhere the results, \
            operands, types and attributes depend on the operation. At the beginning of a region, after a block label \
            and at the beginning of the file an operation name or results with `=` must come. A name without a dot \
            must be a known mnemonic (`tadd`, `return`, `call`, `module`). What cannot be read is skipped up to the next \
            statement.",
    },
    CodeInfo {
        code: EXPECTED_NAME,
        title: "An operation name must follow the results",
        explanation: "After `%result =` comes the operation that computes it: a name (`pto.tadd`, `tadd`) or, in the \
            generic form, a quoted name (`\"pto.tadd\"`). Values cannot be copied by `%a = %b`; use `%b` itself.",
    },
    CodeInfo {
        code: RESULT,
        title: "A result is declared in the wrong way",
        explanation: "A result is `%name`, or `%name:N` for a pack of N values with N at least 1. The values of a pack \
            are used as `%name#0`, `%name#1`, ...; a `#` cannot be declared.",
    },
    CodeInfo {
        code: EMPTY_ALIAS,
        title: "An alias has no definition",
        explanation: "At the top of a file `!name = type` gives a type a short name and `#name = attribute` an \
            attribute. What it stands for must follow the `=`.",
    },
    CodeInfo {
        code: TOO_LARGE,
        title: "The input is too large",
        explanation: "Positions are 32-bit byte offsets, so that an input may have at most 4 GiB. Split the module into \
            several files.",
    },
    CodeInfo {
        code: TOO_MANY,
        title: "There are more errors",
        explanation: "Reporting stopped at a limit. Repair the errors above and parse again.",
    },
    CodeInfo {
        code: BROKEN_OFF,
        title: "A statement breaks off",
        explanation: "After `,`, `:`, `->` or `=` another operand, type or attribute must follow. The next line begins a \
            new statement instead. Remove the punctuation, or add what is missing.",
    },
];

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_sorted_and_explained() {
        assert!(super::CODES.windows(2).all(|w| w[0].code < w[1].code));
        assert!(super::CODES.iter().all(|c| !c.title.is_empty() && c.explanation.len() > 40));
    }
}
