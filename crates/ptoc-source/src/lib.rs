//! Source text, spans and diagnostics.
//!
//! Architecture invariants:
//! - This crate knows no language: it sees bytes, positions and messages.
//! - A [`Span`] is two 32-bit byte offsets into one [`SourceFile`]; every later stage keeps it.
//! - A [`Diagnostic`] is data. How it looks is decided by a renderer in [`render`], never by the stage that found it.
#![forbid(unsafe_code)]

mod diagnostic;
mod file;
pub mod render;
mod span;
mod suggest;

pub use diagnostic::{Code, CodeInfo, Diagnostic, Edit, Fix, Label, Severity};
pub use file::{SourceFile, SourceTooLarge};
pub use span::Span;
pub use suggest::did_you_mean;
