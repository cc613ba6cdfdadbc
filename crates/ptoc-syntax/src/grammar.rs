//! The generated parser.
#![allow(missing_docs, clippy::all, clippy::pedantic, unused)]

lalrpop_util::lalrpop_mod!(pto);

pub(crate) use pto::{FileParser, PartsParser, RecoverFileParser};
