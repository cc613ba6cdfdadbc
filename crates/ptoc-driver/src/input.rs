//! Bytes from outside to source text.

use crate::codes;
use ptoc_source::{Diagnostic, SourceFile, Span};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What the world thinks of an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    /// Legal.
    Good,
    /// The input is wrong.
    Wrong,
    /// The call is wrong: no such file, no such option.
    BadCall,
}

impl Status {
    /// The exit code of the process.
    pub const fn exit_code(self) -> u8 {
        self as u8
    }
}

/// Why there is no text.
#[derive(Debug)]
pub struct Refused {
    /// Carries the name; empty.
    pub file: SourceFile,
    /// What to say.
    pub diagnostic: Diagnostic,
    /// Whose fault it is.
    pub status: Status,
}

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// [`Refused`] when it cannot be read or is no UTF-8 text.
pub fn read(path: &Path) -> Result<SourceFile, Box<Refused>> {
    let name = if path == Path::new("-") { "<stdin>".to_string() } else { path.display().to_string() };
    let refuse = |diagnostic, status| Box::new(Refused { file: SourceFile::empty(name.as_str()), diagnostic, status });
    let bytes = bytes(path).map_err(|e| {
        let d = Diagnostic::error(codes::UNREADABLE, Span::NONE, format!("the file cannot be read: {}", reason(&e)));
        refuse(d, Status::BadCall)
    })?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        refuse(not_utf8(e.as_bytes(), at), Status::Wrong)
    })?;
    SourceFile::new(name.clone(), text)
        .map_err(|e| refuse(Diagnostic::error(codes::TOO_LARGE, Span::NONE, e.to_string()), Status::Wrong))
}

/// What to say when a product cannot be written, and under which name.
pub fn unwritable(name: &str, error: &io::Error) -> (SourceFile, Diagnostic) {
    let message = format!("the output cannot be written: {}", reason(error));
    (SourceFile::empty(name), Diagnostic::error(codes::UNWRITABLE, Span::NONE, message))
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    // One byte more than is allowed, so that an endless input ends in a finding.
    let limit = SourceFile::MAX_BYTES + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    bytes.reserve_exact(usize::try_from(about.len().min(limit)).unwrap_or(0));
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The reason without Rust's error numbers.
fn reason(e: &io::Error) -> String {
    let text = e.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

fn not_utf8(bytes: &[u8], at: usize) -> Diagnostic {
    let line = bytes[..at].iter().filter(|&&b| b == b'\n').count() + 1;
    let byte = bytes.get(at).copied().unwrap_or(0);
    let d = Diagnostic::error(
        codes::NOT_UTF8,
        Span::NONE,
        format!("the input is not UTF-8 text: byte 0x{byte:02x} at offset {at} (line {line})"),
    );
    match kind_of_binary(bytes) {
        Some(kind) => d.note(format!("it looks like {kind}")).help("give the PTO text instead"),
        None => d.help("save the file as UTF-8"),
    }
}

fn kind_of_binary(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"PTOBC\0", "PTO bytecode"),
        (b"ML\xefR", "MLIR bytecode"),
        (b"BC\xc0\xde", "LLVM bitcode"),
        (b"\x7fELF", "an ELF object or program"),
        (b"\x1f\x8b", "a gzip file"),
        (b"\x28\xb5\x2f\xfd", "a zstd file"),
        (b"PK\x03\x04", "a zip file"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
        (b"\x93NUMPY", "a NumPy array"),
    ];
    let known = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|&(_, kind)| kind);
    known.or_else(|| bytes.iter().take(4096).any(|&b| b == 0).then_some("a binary file"))
}

/// Replaces each folder by the `.pto` files below it, sorted; other paths stay as they are.
///
/// # Errors
/// [`Refused`] for a folder that holds none or cannot be listed.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Box<Refused>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        let refuse = |code, message| {
            let diagnostic = Diagnostic::error(code, Span::NONE, message);
            Box::new(Refused {
                file: SourceFile::empty(path.display().to_string()),
                diagnostic,
                status: Status::BadCall,
            })
        };
        list(path, &mut files)
            .map_err(|e| refuse(codes::UNREADABLE, format!("the folder cannot be listed: {}", reason(&e))))?;
        if files.len() == before {
            return Err(refuse(codes::NO_INPUT, "no `.pto` file is below this folder".to_string()));
        }
        files[before..].sort();
    }
    Ok(files)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            // Links to folders are not followed, so that a cycle cannot trap the walk.
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            } else if entry.path().extension().is_some_and(|e| e == "pto") {
                files.push(entry.path());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binaries_are_named() {
        let d = not_utf8(b"\x7fELF\x02\x01\x01\0\xff", 8);
        assert_eq!(d.message, "the input is not UTF-8 text: byte 0xff at offset 8 (line 1)");
        assert_eq!(d.notes, ["it looks like an ELF object or program"]);
        let d = not_utf8(b"// gr\xfc\xdfe\n", 5);
        assert_eq!(d.message, "the input is not UTF-8 text: byte 0xfc at offset 5 (line 1)");
        assert!(d.notes.is_empty());
    }

    #[test]
    fn a_missing_file_is_a_bad_call() {
        let refused = read(Path::new("no/such/file.pto")).unwrap_err();
        assert_eq!(refused.status, Status::BadCall);
        assert_eq!(refused.diagnostic.message, "the file cannot be read: no such file or directory");
        assert_eq!(refused.file.name(), "no/such/file.pto");
    }

    #[test]
    fn a_folder_is_no_text() {
        let refused = read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap_err();
        assert_eq!(refused.diagnostic.message, "the file cannot be read: is a directory");
    }

    #[test]
    fn a_folder_without_input_is_a_bad_call() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let refused = expand(&[folder]).unwrap_err();
        assert_eq!((refused.status, refused.diagnostic.code), (Status::BadCall, "PTO-I005"));
    }
}
