//! What the commands of `ptoc` do, as a library.
//!
//! Architecture invariants:
//! - This crate joins the stages and decides nothing about PTO: every rule, table and text form lives in the crate of its stage.
//! - No function here prints or ends the process. A command gets a product, findings and a [`Status`]; the command line shows them.
//! - One input cannot harm another: each is read, compiled and reported alone, and a panic in it becomes a finding.
//! - The same inputs give the same bytes, on any number of threads.
#![forbid(unsafe_code)]

mod check;
mod codes;
mod compile;
mod expect;
mod explain;
mod guard;
mod input;
mod ops;
mod opt;
mod options;
mod passes;
mod run;
mod topics;
mod unit;

pub use check::{Report, Summary, check_file, check_files, check_text, reports_json};
pub use codes::CODES;
pub use compile::{Emit, Outcome, To, compile, convert};
pub use expect::mismatches;
pub use explain::{Unknown, all_codes, explain};
pub use guard::{guarded, install_panic_hook};
pub use input::{Refused, Status, expand, read, unwritable};
pub use ops::{FAMILIES, OpEntry, OpFilter, ops_data, ops_text};
pub use opt::{OptOptions, opt};
pub use options::Options;
pub use passes::{PassChoice, all_passes, parse_passes};
pub use ptoc_sim::run::Schedule;
pub use ptoc_verify::Addresses;
pub use run::{Argument, Array, Each, Fill, Level, Ran, Random, RunOptions, run, trace_json, validate, validate_each};
pub use unit::{Checked, Unit, has_errors, units};

use ptoc_source::{Diagnostic, SourceFile};

/// The text in standard layout: white space and line breaks set, all tokens and comments kept.
///
/// # Errors
/// The syntax errors of the text.
pub fn format(file: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    ptoc_syntax::fmt::format(file.text(), &ptoc_dialect::resolve::PtoVocabulary, &Default::default())
}
