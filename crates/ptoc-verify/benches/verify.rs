//! Bytes a second of verification alone, and of the whole way from text to findings.

use divan::Bencher;
use divan::counter::BytesCount;
use ptoc_dialect::{ResolveOptions, resolve};
use ptoc_target::Target;
use ptoc_verify::{VerifyOptions, verify};
use std::fmt::Write;

/// About `bytes` bytes of legal vector kernel in DPS form, with types as long as in real files.
fn kernel(bytes: usize) -> String {
    let full = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, \
                slayout=none_box, fractal=512, pad=0>";
    let column = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=1, v_row=16, v_col=1, blayout=col_major, \
                  slayout=none_box, fractal=512, pad=0>";
    let mut s = String::from("module attributes {pto.target_arch = \"a5\"} {\n  func.func @k(%n: index) {\n");
    let mut i = 0;
    while s.len() < bytes {
        let _ = write!(
            s,
            "    %o{i} = arith.constant {} : i64\n    \
             %a{i} = pto.alloc_tile addr = %o{i} : {full}\n    \
             %b{i} = pto.alloc_tile : {full}\n    \
             %c{i} = pto.alloc_tile : {column}\n    \
             %t{i} = pto.alloc_tile : {full}\n    \
             pto.tadd ins(%a{i}, %b{i} : {full}, {full}) outs(%t{i} : {full})\n    \
             pto.texp ins(%t{i} : {full}) outs(%b{i} : {full})\n    \
             pto.trowmax ins(%a{i}, %t{i} : {full}, {full}) outs(%c{i} : {column})\n    \
             pto.trowexpandsub ins(%a{i}, %c{i} : {full}, {column}) outs(%b{i} : {full})\n",
            (i % 32) * 32,
        );
        i += 1;
    }
    s + "    return\n  }\n}\n"
}

const SIZE: usize = 1 << 22;

#[divan::bench]
fn verify_only(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    let resolved = resolve(&text, 0..text.len(), &ResolveOptions::default());
    assert!(resolved.diagnostics.is_empty());
    let (target, options) = (Target::of(resolved.arch), VerifyOptions::default());
    assert_eq!(verify(&resolved.ir, &target, &options), []);
    bencher.counter(BytesCount::of_str(&text)).bench(|| verify(&resolved.ir, &target, &options).len());
}

#[divan::bench]
fn resolve_only(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    let options = ResolveOptions::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| resolve(&text, 0..text.len(), &options).ir.op_count());
}

#[divan::bench]
fn text_to_findings(bencher: Bencher<'_, '_>) {
    let text = kernel(SIZE);
    let options = VerifyOptions::default();
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let resolved = resolve(&text, 0..text.len(), &ResolveOptions::default());
        verify(&resolved.ir, &Target::of(resolved.arch), &options).len()
    });
}

fn main() {
    divan::main();
}
