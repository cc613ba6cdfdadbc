//! Renderers: human text and JSON, both with the same content.
//!
//! A renderer only reads diagnostics; it never decides what is an error. Output depends on nothing but its arguments: no
//! terminal, no environment, no clock.

mod excerpt;
mod human;
mod json;
mod positions;

pub use human::{Style, human};
pub use json::{FileReport, json};
