//! Turns `grammar/pto.lalrpop` into the parser tables.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::var("OUT_DIR")?;
    lalrpop::Configuration::new().emit_rerun_directives(true).set_in_dir("../../grammar").set_out_dir(out).process()
}
