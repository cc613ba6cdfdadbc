//! Bytes a second of each stage, on generated kernels whose types are as long as in real ones.

use std::fmt::Write;

use divan::Bencher;
use divan::counter::BytesCount;
use ptoc_syntax::fmt::FormatOptions;
use ptoc_syntax::{Limits, RegionStyle, Vocabulary, bench};

struct Words;

impl Vocabulary for Words {
    fn is_bare_op(&self, word: &str) -> bool {
        matches!(word, "return" | "call" | "module")
    }

    fn region_op(&self, name: &str) -> RegionStyle {
        match name {
            "module" | "func.func" | "scf.for" => RegionStyle::Region,
            _ => RegionStyle::None,
        }
    }
}

/// About `bytes` bytes of tile operations in DPS form.
fn kernel(bytes: usize) -> String {
    let tile = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, \
                slayout=none_box, fractal=512, pad=0>";
    let mut s = String::from("module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%n: index) {\n");
    let mut i = 0;
    while s.len() < bytes {
        let (a, b, c) = (i, i + 1, i + 2);
        let _ = write!(
            s,
            "    %{c} = pto.alloc_tile addr = %c{a} valid_row = %r{b} : {tile}\n    \
             pto.tadd ins(%{a}, %{b} : {tile}, {tile})\n             outs(%{c} : {tile})\n    \
             %v{c} = arith.addi %v{a}, %v{b} : index\n",
        );
        i += 1;
    }
    s + "    return\n  }\n}\n"
}

const SIZE: usize = 1 << 20;

#[divan::bench]
fn lex(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| bench::lex(&text));
}

#[divan::bench]
fn classify(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    bencher.counter(BytesCount::of_str(&text)).bench(|| bench::classify(&text, &Words));
}

#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| ptoc_syntax::parse(&text, 0, &Words, &Limits::default()).tree.all_ops().len());
}

#[divan::bench]
fn format(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    let options = FormatOptions::default();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| ptoc_syntax::fmt::format(&text, &Words, &options).map_or(0, |t| t.len()));
}

fn main() {
    divan::main();
}
