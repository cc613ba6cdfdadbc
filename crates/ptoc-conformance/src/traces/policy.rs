//! What of an operand is compared after a replay.

use crate::exceptions::matches;

/// What of an operand is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compared {
    /// Every byte: those that the instruction does not write must be as before.
    All,
    /// The valid region.
    Valid,
    /// The elements that the instruction writes.
    Written,
    /// Nothing.
    Nothing,
}

use Compared::{Nothing, Valid, Written};

/// Operands of which not every byte is compared: pattern over `target/instruction/case`, operand, and what is compared. What
/// the definition calls undefined or clobbered is in here; everything else is compared whole.
const RULES: &[(&str, &str, Compared)] = &[
    // Scratch.
    ("*", "tmp", Nothing),
    ("*", "scratch", Nothing),
    ("*/tprefetch/*", "dst", Nothing),
    // Sources that the sequences of A2/A3 use as scratch; the instruction table says so.
    ("a2a3/tadddeqrelu/*", "src0", Nothing),
    ("a2a3/tadddeqrelu/*", "src1", Nothing),
    ("a2a3/tquant/*", "src", Nothing),
    // Bits are worked on in units of two bytes: an odd last byte takes its neighbour along.
    ("a2a3/tand*/?8_*", "dst", Valid),
    ("a2a3/tor*/?8_*", "dst", Valid),
    ("a2a3/txor*/?8_*", "dst", Valid),
    ("a2a3/tnot/?8_*", "dst", Valid),
    ("a2a3/trem/i32_*", "src1", Nothing),
    // The rest of a row is undefined: rows are copied in whole blocks, and bits of compares come in whole repeats.
    ("a2a3/tcmp/*", "dst", Valid),
    ("a2a3/tcmps/*", "dst", Valid),
    ("a2a3/tcol*", "dst", Valid),
    ("a2a3/texpands/?8_*", "dst", Valid),
    ("a2a3/tpart*", "dst", Valid),
    ("a2a3/tpart*", "dst_idx", Valid),
    ("a2a3/trowexpand/*", "dst", Valid),
    ("*/tmov/v2v_*", "dst", Valid),
    ("a2a3/tconcat/*", "dst", Valid),
    ("a2a3/tgather/*_col_*", "dst", Valid),
    ("a2a3/tgatherb/*", "dst", Valid),
    ("a2a3/tscatter/*_col_*", "dst", Valid),
    // Blocks of channels and filters are filled up with anything.
    ("a2a3/ttrans/conv_*", "dst", Written),
    ("a2a3/textract/conv_*", "dst", Written),
    ("a2a3/tmov/conv_*", "dst", Written),
    ("a5/ttrans/nchw*", "dst", Written),
    ("a5/ttrans/gnc*", "dst", Written),
    ("*/ttrans/*", "dst", Valid),
    ("a2a3/timg2col/*", "dst", Written),
    // Bits of compares come in whole registers.
    ("a5/tcmp*", "dst", Written),
    // Stores of 64-bit elements ignore their predicate: whole registers, beyond the valid region.
    ("a5/*/*i64_*", "dst", Valid),
    ("a5/*/*u64_*", "dst", Valid),
    // Whole registers, or rows filled up with zeros.
    ("a5/tdequant/*", "dst", Valid),
    ("a5/tcvt/*_to_f4*", "dst", Valid),
    ("a5/tscatter/mask_*", "dst", Valid),
    ("a5/tgather/mask_*_col_*", "dst", Valid),
    // Scratch of the quantisation, which also fills up the rows of its source.
    ("a5/tquant/*", "max", Nothing),
    ("a5/tquant/*", "scaling", Nothing),
    ("a5/tquant/*", "src", Nothing),
    // What lies behind the sorted records is undefined.
    ("*/tmrgsort/*", "dst", Written),
    ("*/tsort32/*", "dst", Written),
];

/// What is compared of an operand.
pub(super) fn compared(id: &str, operand: &str) -> Compared {
    let rule = RULES.iter().find(|(pattern, name, _)| *name == operand && matches(pattern, id));
    rule.map_or(Compared::All, |(.., compared)| *compared)
}
