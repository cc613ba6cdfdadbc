//! Where the recorded data is.

use std::path::PathBuf;

/// A folder of the recorded data: in `PTOC_SHARED`, or in `shared` beside the project. `None`, with a line, when absent.
///
/// In continuous integration (`CI` set) the data must be there.
pub fn data(folder: &str) -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let root = std::env::var_os("PTOC_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let dir = root.join(folder);
    if dir.is_dir() {
        return Some(dir);
    }
    assert!(std::env::var_os("CI").is_none(), "{} is absent", dir.display());
    println!("skipped: {} is absent; PTOC_SHARED names the folder of the recorded data", dir.display());
    None
}
