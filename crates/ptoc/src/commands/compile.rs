//! `compile`, `convert` and `opt`: one file in, one product out.

use crate::args::{CompileArgs, ConvertArgs, OptArgs};
use crate::terminal::Terminal;
use ptoc_driver::{Outcome, Status, read};
use ptoc_source::SourceFile;
use std::path::Path;

pub fn compile(args: &CompileArgs, terminal: &mut Terminal) -> Status {
    let options = args.program.options();
    run(&args.input, args.output.as_deref(), terminal, |file, _| ptoc_driver::compile(file, args.emit.into(), &options))
}

pub fn convert(args: &ConvertArgs, terminal: &mut Terminal) -> Status {
    let options = args.program.options();
    run(&args.input, args.output.as_deref(), terminal, |file, _| ptoc_driver::convert(file, args.to.into(), &options))
}

pub fn opt(args: &OptArgs, terminal: &mut Terminal) -> Status {
    let options = args.program.options();
    run(&args.input, args.output.as_deref(), terminal, |file, terminal| {
        let (outcome, talk) = ptoc_driver::opt(file, &args.how(), &options);
        terminal.say(&talk);
        outcome
    })
}

/// Reads, works, shows what was found, and writes the product.
fn run(
    input: &Path,
    output: Option<&Path>,
    terminal: &mut Terminal,
    work: impl FnOnce(&SourceFile, &mut Terminal) -> Outcome,
) -> Status {
    let file = match read(input) {
        Ok(file) => file,
        Err(refused) => {
            terminal.findings(&refused.file, &[refused.diagnostic]);
            return refused.status;
        }
    };
    let outcome = work(&file, terminal);
    terminal.findings(&file, &outcome.diagnostics);
    match outcome.product {
        Some(product) => terminal.product_to(output, &product),
        None => Status::Wrong,
    }
}
