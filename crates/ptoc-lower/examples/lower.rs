//! Lowers a DPS program whose tiles have addresses, and prints the result.
//!
//! `cargo run -p ptoc-lower --example lower -- TARGET FILE`

use ptoc_dialect::{ResolveOptions, print_module, resolve};
use ptoc_target::Target;

fn main() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let target = args.next().and_then(|n| Target::by_name(&n)).ok_or("usage: lower TARGET FILE")?;
    let path = args.next().ok_or("usage: lower TARGET FILE")?;
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
    let options = ResolveOptions { arch: Some(target.arch), ..ResolveOptions::default() };
    let mut failed = false;
    for piece in ptoc_syntax::split_inputs(&text) {
        let mut resolved = resolve(&text, piece.range, &options);
        let mut found = std::mem::take(&mut resolved.diagnostics);
        if !found.iter().any(ptoc_source::Diagnostic::is_error)
            && let Err(d) = ptoc_lower::lower(&mut resolved.ir, &target)
        {
            found.extend(d);
        }
        for d in &found {
            eprintln!("{} {}", d.code, d.message);
        }
        failed |= !found.is_empty();
        if found.is_empty() {
            print!("{}", print_module(&resolved.ir));
            println!("// -----");
        }
    }
    if failed { Err(format!("{path}: not lowered")) } else { Ok(()) }
}
