//! FileCheck without an installed LLVM.

use clap::Parser;
use litcheck_filecheck::litcheck::diagnostics::{FileName, SourceLanguage};
use litcheck_filecheck::litcheck::reporting::PrintDiagnostic;
use litcheck_filecheck::{Config, Options, Test};
use std::path::{Path, PathBuf};

#[derive(Parser)]
#[command(no_binary_name = true)]
struct Arguments {
    patterns: PathBuf,
    #[arg(long, default_value = "-")]
    input_file: PathBuf,
    #[command(flatten)]
    options: Options,
}

/// Checks `input` as `FileCheck ARGUMENTS` would check its standard input; the error says what did not match.
pub fn check(arguments: &[String], input: &[u8]) -> Result<(), String> {
    let Arguments { patterns, input_file, options } =
        Arguments::try_parse_from(arguments).map_err(|e| e.to_string())?;
    let strict = options.strict_whitespace;
    let config = Config { options, ..Config::default() };
    config.options.validate().map_err(|e| e.to_string())?;
    let load = |path: &Path| {
        let bytes = if path == Path::new("-") { Ok(input.to_vec()) } else { std::fs::read(path) };
        let text = bytes.map_err(|e| e.to_string()).and_then(|b| String::from_utf8(b).map_err(|e| e.to_string()));
        let text = text.map_err(|e| format!("{}: {e}", path.display()))?;
        let text = if strict { text } else { single_spaces(&text) };
        Ok::<_, String>(config.source_manager().load(SourceLanguage::Unknown, FileName::from(path.to_path_buf()), text))
    };
    let (patterns, input) = (load(&patterns)?, load(&input_file)?);
    match Test::new(patterns, &config).verify(input) {
        Ok(_) => Ok(()),
        Err(report) => Err(PrintDiagnostic::narrated(report).to_string()),
    }
}

/// LLVM's FileCheck takes every run of spaces and tabs as one space, in the patterns and in the input.
fn single_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' | '\t' if out.ends_with(' ') => {}
            '\t' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
