//! Speed of reading (parse and resolve) and of printing, in bytes of text.

use divan::Bencher;
use divan::counter::BytesCount;
use ptoc_dialect::resolve::{PtoVocabulary, resolve_tree};
use ptoc_dialect::{ResolveOptions, print_module, resolve};
use ptoc_testkit::{Style, kernels};

const STYLES: [Style; 2] = [Style::Tiles, Style::Model];

fn main() {
    divan::main();
}

#[divan::bench(args = STYLES, sample_count = 10)]
fn parse_only(b: Bencher<'_, '_>, style: Style) {
    let text = kernels(style, 4 << 20, 1);
    b.counter(BytesCount::of_str(&text)).bench(|| ptoc_syntax::parse(&text, 0, &PtoVocabulary, &Default::default()));
}

#[divan::bench(args = STYLES, sample_count = 10)]
fn resolve_only(b: Bencher<'_, '_>, style: Style) {
    let text = kernels(style, 4 << 20, 1);
    let parse = ptoc_syntax::parse(&text, 0, &PtoVocabulary, &Default::default());
    b.counter(BytesCount::of_str(&text)).bench(|| resolve_tree(&text, &parse.tree, &ResolveOptions::default()));
}

#[divan::bench(args = STYLES, sample_count = 10)]
fn read(b: Bencher<'_, '_>, style: Style) {
    let text = kernels(style, 4 << 20, 1);
    b.counter(BytesCount::of_str(&text)).bench(|| resolve(&text, 0..text.len(), &ResolveOptions::default()));
}

#[divan::bench(args = STYLES, sample_count = 10)]
fn print(b: Bencher<'_, '_>, style: Style) {
    let text = kernels(style, 4 << 20, 1);
    let read = resolve(&text, 0..text.len(), &ResolveOptions::default());
    assert!(read.diagnostics.is_empty(), "{:?}", read.diagnostics.first());
    let printed = print_module(&read.ir);
    b.counter(BytesCount::of_str(&printed)).bench(|| print_module(&read.ir));
}
