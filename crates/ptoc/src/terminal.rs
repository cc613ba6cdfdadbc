//! Standard output and standard error.

use crate::args::Color;
use ptoc_driver::Status;
use ptoc_source::{Diagnostic, SourceFile, render};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Where the product and the talk go.
pub struct Terminal {
    style: render::Style,
    /// The reader of standard output went away, or it cannot be written.
    closed: Option<io::Error>,
}

impl Terminal {
    pub fn new(color: Color) -> Self {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
                    || std::env::var_os("TERM").is_some_and(|t| t == "dumb");
                !plain && io::stderr().is_terminal()
            }
        };
        Terminal { style: render::Style { color, ..render::Style::PLAIN }, closed: None }
    }

    /// Shows findings on standard error.
    pub fn findings(&mut self, file: &SourceFile, diagnostics: &[Diagnostic]) {
        if !diagnostics.is_empty() {
            // Nobody can be told that standard error is closed.
            let _ = render::human(file, diagnostics, self.style, &mut io::BufWriter::new(io::stderr().lock()));
        }
    }

    /// Says something on standard error, with a line break at the end.
    pub fn say(&mut self, text: &str) {
        let text = text.trim_end();
        if !text.is_empty() {
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    /// Writes a product to standard output.
    pub fn product(&mut self, text: &str) {
        if self.closed.is_none() {
            let mut out = io::stdout().lock();
            self.closed = out.write_all(text.as_bytes()).and_then(|()| out.flush()).err();
        }
    }

    /// Writes a product to a file, or to standard output without one.
    pub fn product_to(&mut self, file: Option<&Path>, text: &str) -> Status {
        let file = match file {
            Some(file) if file != Path::new("-") => file,
            _ => {
                self.product(text);
                return Status::Good;
            }
        };
        match std::fs::write(file, text) {
            Ok(()) => Status::Good,
            Err(e) => self.unwritable(&file.display().to_string(), &e),
        }
    }

    /// Writes bytes to a file.
    pub fn bytes_to(&mut self, file: &Path, bytes: &[u8]) -> Status {
        match std::fs::write(file, bytes) {
            Ok(()) => Status::Good,
            Err(e) => self.unwritable(&file.display().to_string(), &e),
        }
    }

    /// The status of the process, after a last look at standard output. A reader that stops reading is no error.
    pub fn finish(mut self, status: Status) -> Status {
        match self.closed.take() {
            Some(e) if e.kind() != io::ErrorKind::BrokenPipe => status.max(self.unwritable("<stdout>", &e)),
            _ => status,
        }
    }

    fn unwritable(&mut self, name: &str, e: &io::Error) -> Status {
        let (file, diagnostic) = ptoc_driver::unwritable(name, e);
        self.findings(&file, &[diagnostic]);
        Status::BadCall
    }
}
