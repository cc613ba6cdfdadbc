//! Speed and heap of whole commands and of each pass, on generated kernels.
//!
//! The columns `max alloc` are the heap at its fullest, in number of blocks and in bytes.

use divan::counter::{BytesCount, ItemsCount};
use divan::{AllocProfiler, Bencher};
use ptoc_driver::{Checked, Emit, Options, To, all_passes, compile, convert, has_errors, units};
use ptoc_source::SourceFile;
use ptoc_target::Target;
use ptoc_testkit::{Style, kernels};

#[global_allocator]
static HEAP: AllocProfiler = AllocProfiler::system();

const MEGABYTE: usize = 1_000_000;
const STYLES: [Style; 2] = [Style::Tiles, Style::Model];
const FORMS: [To; 4] = [To::Sync, To::Ssa, To::Dps, To::Generic];

fn main() {
    divan::main();
}

fn source(text: String) -> SourceFile {
    SourceFile::new("bench.pto", text).expect("a text of less than 4 GB")
}

fn read(file: &SourceFile, options: &Options) -> Checked {
    let checked = units(file, false).remove(0).check(options);
    assert!(!has_errors(&checked.diagnostics), "{:?}", checked.diagnostics.first());
    checked
}

/// What `ptoc check` does with a file.
#[divan::bench(args = STYLES, sample_count = 20)]
fn check(bencher: Bencher<'_, '_>, style: Style) {
    let file = source(kernels(style, 15 * MEGABYTE, 1));
    let options = Options::default();
    bencher.counter(BytesCount::of_str(file.text())).bench_local(|| read(&file, &options));
}

/// One operation with more operands than any real one.
#[divan::bench(sample_count = 5)]
fn check_one_endless_statement(bencher: Bencher<'_, '_>) {
    let file = source("return ".to_owned() + &"%a, ".repeat(20 * MEGABYTE / 4) + "%a\n");
    let options = Options::default();
    bencher
        .counter(BytesCount::of_str(file.text()))
        .bench_local(|| units(&file, false).remove(0).check(&options).diagnostics.len());
}

/// From one form to another and back to text.
#[divan::bench(args = FORMS, sample_count = 20)]
fn convert_tiles(bencher: Bencher<'_, '_>, to: To) {
    let file = source(kernels(Style::Tiles, MEGABYTE, 1));
    let options = Options::default();
    bencher
        .counter(BytesCount::of_str(file.text()))
        .bench_local(|| convert(&file, to, &options).product.expect("a legal program").len());
}

/// From text to intrinsics as text, in operations of the program.
#[divan::bench(args = ["a2a3", "a5"], sample_count = 20)]
fn compile_tiles(bencher: Bencher<'_, '_>, target: &str) {
    let file = source(kernels(Style::Tiles, MEGABYTE, 1));
    let options = Options { target: Target::by_name(target), ..Options::default() };
    let ops = read(&file, &options).ir.op_count();
    bencher
        .counter(ItemsCount::new(ops))
        .bench_local(|| compile(&file, Emit::Intrinsics, &options).product.expect("a legal program").len());
}

/// Each pass alone, in operations it is given.
#[divan::bench(args = all_passes().map(|p| p.name).collect::<Vec<_>>(), sample_count = 20)]
fn pass(bencher: Bencher<'_, '_>, name: &str) {
    let file = source(kernels(Style::Tiles, MEGABYTE, 1));
    let options = Options::default();
    let pass = all_passes().find(|p| p.name == name).expect("a known name");
    let ops = read(&file, &options).ir.op_count();
    bencher.counter(ItemsCount::new(ops)).with_inputs(|| read(&file, &options)).bench_local_values(|mut program| {
        let done = pass.make(&program.target).run(&mut program.ir, &mut program.diagnostics);
        assert!(done.is_ok() && !has_errors(&program.diagnostics), "{:?}", program.diagnostics.first());
        program
    });
}
