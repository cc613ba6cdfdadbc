//! The diagnostic codes of this crate, and the way to those of all others.

use ptoc_source::CodeInfo;

pub(crate) const INTERNAL: &str = "PTO-I001";
pub(crate) const UNREADABLE: &str = "PTO-I002";
pub(crate) const NOT_UTF8: &str = "PTO-I003";
pub(crate) const TOO_LARGE: &str = "PTO-I004";
pub(crate) const NO_INPUT: &str = "PTO-I005";
pub(crate) const UNWRITABLE: &str = "PTO-I006";
pub(crate) const UNEXPECTED: &str = "PTO-I007";
pub(crate) const MISSING: &str = "PTO-I008";
pub(crate) const BAD_EXPECTATION: &str = "PTO-I009";
pub(crate) const NO_PROGRAM: &str = "PTO-I010";

/// What each code means.
pub const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: INTERNAL,
        title: "ptoc itself is wrong",
        explanation: "The compiler broke one of its own rules while it worked on this input. Nothing is known about the input: \
            it may be right or wrong. Other inputs of the same run are not affected.\n\n\
            Please report it, with the input and the text of the message. A smaller input that still shows it helps most.",
    },
    CodeInfo {
        code: UNREADABLE,
        title: "The input cannot be read",
        explanation: "The operating system did not give the content of the file. The message holds its reason.\n\n\
            Check the name and the rights of the file. `-` stands for standard input.",
    },
    CodeInfo {
        code: NOT_UTF8,
        title: "The input is not UTF-8",
        explanation: "PTO assembly is UTF-8 text, and the file holds a byte sequence that is not. Either the file is no text at all \
            (an object file, an archive), or it was saved in another encoding, often in a comment.\n\n\
            Save it as UTF-8; `iconv -f LATIN1 -t UTF-8` converts, for example, from Latin-1.",
    },
    CodeInfo {
        code: TOO_LARGE,
        title: "The input is too large",
        explanation: "Positions in a source text are 32-bit byte offsets, so an input can have at most 4 GiB. \
            Split the module into several files.",
    },
    CodeInfo {
        code: NO_INPUT,
        title: "A folder holds no input",
        explanation: "A folder stands for all `.pto` files below it, and there is none.",
    },
    CodeInfo {
        code: UNWRITABLE,
        title: "The output cannot be written",
        explanation: "The operating system did not accept the product. The message holds its reason. A file named with `-o` may be \
            incomplete.",
    },
    CodeInfo {
        code: UNEXPECTED,
        title: "A finding was not expected",
        explanation: "With `--verify-diagnostics` every error, warning and note must be announced by a comment such as \
            `// expected-error@+1 {{text}}`. This one was not. The reasons and further places of a finding need no announcement, but may \
            have one (`expected-note`).",
    },
    CodeInfo {
        code: MISSING,
        title: "An expected finding did not come",
        explanation: "With `--verify-diagnostics` a comment such as `// expected-error@+1 {{text}}` announces a finding on that line \
            whose text holds the words between the braces. None came.",
    },
    CodeInfo {
        code: BAD_EXPECTATION,
        title: "An expectation cannot be read",
        explanation: "The form is `expected-KIND@PLACE {{text}}`. KIND is `error`, `warning`, `note` or `remark`. PLACE is `+N` or `-N` \
            (lines from here), `above` or `below` (the nearest line that holds no expectation), or `unknown` (a finding \
            without a place); without `@PLACE` the finding is on the same line.",
    },
    CodeInfo {
        code: NO_PROGRAM,
        title: "The input holds no program",
        explanation: "The text is empty, or it holds comments and aliases only. A program is at least one operation: a `module`, a \
            `func.func`, or a single instruction.\n\n\
            An empty file most often means that the tool which should have written it stopped before.",
    },
];
