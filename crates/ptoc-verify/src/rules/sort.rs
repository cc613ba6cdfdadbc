//! Sorting: `tsort32`. The merge of any number of lists is checked in [`crate::merge`].

use super::lists::*;
use crate::codes;
use crate::rule::{Check, Num, OpRules, Opd, Rule};
use ptoc_target::DType;

use DType::{F16, F32, U32};
use Opd::{Dst, Idx, Src, Tmp};

const ALL: &[Opd] = &[Src, Idx, Dst];
const RECORDS: &str =
    "each element becomes a record of 8 bytes, its value and its index; a rest of less than 32 is padded";
const ROWS: &str = "every row of the destination is sorted from a row of the source";

const SORT: &[Rule] = &[
    rule(codes::G_LOC, Check::Loc(ALL, VEC)),
    rule(codes::G_LAYOUT, Check::Layout(ALL, ND)),
    rule(codes::G_DTYPE, Check::Dtype(Dst, &[F16, F32])),
    rule(codes::G_DTYPE, Check::Dtype(Idx, &[U32])),
    rule(codes::G_DTYPE, Check::SameDtype(SRC_DST)),
    rule(codes::G_RECORDS, Check::Le(Num::Times(&Num::RoundUp(&Num::ValidCols(Src), 32), 2), Num::Cols(Dst)))
        .when(&[Check::Dtype(Src, &[F32])])
        .derived()
        .why(RECORDS)
        .help("give dst two columns for each column of src, rounded up to 32"),
    rule(codes::G_RECORDS, Check::Le(Num::Times(&Num::RoundUp(&Num::ValidCols(Src), 32), 4), Num::Cols(Dst)))
        .when(&[Check::Dtype(Src, &[F16])])
        .derived()
        .why(RECORDS)
        .help("give dst four columns for each column of src, rounded up to 32"),
    rule(codes::G_REST, Check::Multiple(Num::ValidCols(Src), Num::Const(32)))
        .when(&[Check::Absent(Tmp)])
        .derived()
        .why("32 elements are sorted at a time, and a shorter rest is padded in the temporary; without one it is dropped")
        .help("pass a temporary, or make the valid columns a multiple of 32"),
    rule(codes::G_ROWS, Check::Le(Num::ValidRows(Dst), Num::ValidRows(Src))).derived().soft().why(ROWS),
    rule(codes::G_ROWS, Check::Any(&[Check::Eq(Num::ValidRows(Idx), ONE), Check::Le(Num::ValidRows(Dst), Num::ValidRows(Idx))]))
        .derived()
        .soft()
        .why("one row of indices serves all rows, or each row has its own"),
];

pub(super) const RULES: &[OpRules] = &[op("pto.tsort32", &[SORT])];
