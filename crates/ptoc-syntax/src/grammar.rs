//! The generated parsers. Two, because room for recovery in every stack entry halves the speed.
#![allow(missing_docs, clippy::all, clippy::pedantic, unused)]

lalrpop_util::lalrpop_mod!(fast, "/fast/pto.rs");
lalrpop_util::lalrpop_mod!(recover, "/recover/pto.rs");

pub(crate) use fast::FileParser;
pub(crate) use recover::FileParser as RecoverFileParser;
