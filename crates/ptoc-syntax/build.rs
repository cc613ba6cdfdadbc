//! Turns `grammar/pto.lalrpop` into two sets of parser tables: without and with error recovery.

use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    generate(&out.join("fast"), &[])?;
    generate(&out.join("recover"), &["recover"])
}

fn generate(out: &Path, features: &[&str]) -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .set_in_dir("../../grammar")
        .set_out_dir(out)
        .set_features(features.iter().map(ToString::to_string))
        .process()
}
