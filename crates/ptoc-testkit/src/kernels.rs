//! Kernels of any size for benches.

use crate::Rng;
use std::fmt::Write;

/// What the kernels look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Tile instructions with long keyed types, as a tile-level generator writes them.
    Tiles,
    /// Mostly index arithmetic, views and loops around a few tile instructions, as model kernels are.
    Model,
}

const TILE: &str = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>";
const COLUMN: &str = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=1, v_row=16, v_col=1, blayout=col_major, slayout=none_box, fractal=512, pad=0>";

/// One module with functions of the style, of at least `bytes` bytes.
pub fn kernels(style: Style, bytes: usize, seed: u64) -> String {
    let mut out = String::with_capacity(bytes + 64 * 1024);
    let mut rng = Rng::new(seed);
    out.push_str("module attributes {pto.target_arch = \"a5\"} {\n");
    let mut n = 0;
    while out.len() < bytes {
        match style {
            Style::Tiles => tiles(&mut out, &mut rng, n),
            Style::Model => model(&mut out, &mut rng, n),
        }
        n += 1;
    }
    out.push_str("}\n");
    out
}

fn tiles(out: &mut String, rng: &mut Rng, n: usize) {
    let _ = writeln!(out, "  func.func @tiles_{n}() {{");
    for t in 0..8 {
        let _ = writeln!(out, "    %a{t} = arith.constant {} : i64", t * 4096);
        let _ = writeln!(out, "    %t{t} = pto.alloc_tile addr = %a{t} : {TILE}");
    }
    let _ = writeln!(out, "    %ac = arith.constant 40960 : i64\n    %col = pto.alloc_tile addr = %ac : {COLUMN}");
    for _ in 0..120 {
        let (a, b, d) = (rng.below(8), rng.below(8), rng.below(8));
        let _ = match rng.below(6) {
            0 | 1 => {
                let op = *rng.pick(&["tadd", "tsub", "tmul", "tmax", "tmin", "tdiv"]);
                writeln!(out, "    pto.{op} ins(%t{a}, %t{b} : {TILE}, {TILE}) outs(%t{d} : {TILE})")
            }
            2 | 3 => {
                let op = *rng.pick(&["texp", "tabs", "tneg", "trelu", "tsqrt"]);
                writeln!(out, "    pto.{op} ins(%t{a} : {TILE}) outs(%t{d} : {TILE})")
            }
            4 => writeln!(out, "    pto.trowmax ins(%t{a}, %t{b} : {TILE}, {TILE}) outs(%col : {COLUMN})"),
            _ => writeln!(out, "    pto.trowexpandsub ins(%t{a}, %col : {TILE}, {COLUMN}) outs(%t{d} : {TILE})"),
        };
    }
    out.push_str("    return\n  }\n");
}

fn model(out: &mut String, rng: &mut Rng, n: usize) {
    let tile = "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=0>";
    let _ = writeln!(
        out,
        "  func.func @model_{n}(%arg0: !pto.ptr<f32>, %arg1: index, %arg2: index, %block_idx: i32) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{"
    );
    for c in [0, 1, 4, 16, 64, 256] {
        let _ = writeln!(out, "    %c{c}_index = arith.constant {c} : index");
    }
    out.push_str("    %c0_i64 = arith.constant 0 : i64\n    %c4096_i64 = arith.constant 4096 : i64\n");
    out.push_str("    %view = pto.make_tensor_view %arg0, shape = [%arg1, %c64_index], strides = [%c64_index, %c1_index] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>\n");
    let _ = writeln!(
        out,
        "    %in__tile = pto.alloc_tile addr = %c0_i64 valid_row = %c16_index valid_col = %c64_index : {tile}"
    );
    let _ = writeln!(
        out,
        "    %out__tile = pto.alloc_tile addr = %c4096_i64 valid_row = %c16_index valid_col = %c64_index : {tile}"
    );
    out.push_str("    %blk = arith.index_cast %block_idx : i32 to index\n    scf.for %i = %c0_index to %arg1 step %c16_index {\n");
    let mut last = "%i".to_owned();
    for v in 0..40 {
        let op = *rng.pick(&["addi", "muli", "subi", "maxsi", "minsi"]);
        let other = *rng.pick(&["%blk", "%arg2", "%c4_index", "%c256_index", "%i"]);
        let _ = writeln!(out, "      %x{v} = arith.{op} {last}, {other} : index");
        last = format!("%x{v}");
        if v % 10 == 9 {
            let _ = writeln!(out, "      %p{v} = arith.maxsi {last}, %c0_index : index");
            let _ = writeln!(
                out,
                "      %v{v} = pto.partition_view %view, offsets = [%p{v}, %c0_index], sizes = [%c16_index, %c64_index] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>"
            );
            let _ = writeln!(
                out,
                "      pto.tload ins(%v{v} : !pto.partition_tensor_view<16x64xf32>) outs(%in__tile : {tile})"
            );
            let _ = writeln!(out, "      pto.tmuls ins(%in__tile, %f{v} : {tile}, f32) outs(%out__tile : {tile})").map(
                |()| {
                    // The factor is defined in front of its use.
                    let at = out.rfind("      pto.tmuls").unwrap_or(out.len());
                    out.insert_str(at, &format!("      %f{v} = arith.constant {}.5 : f32\n", v));
                },
            );
            let _ = writeln!(
                out,
                "      pto.tstore ins(%out__tile : {tile}) outs(%v{v} : !pto.partition_tensor_view<16x64xf32>)"
            );
        }
    }
    out.push_str("    }\n    return\n  }\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_determinism() {
        for style in [Style::Tiles, Style::Model] {
            let a = kernels(style, 100_000, 1);
            assert!(a.len() >= 100_000);
            assert_eq!(a, kernels(style, 100_000, 1));
            assert_ne!(a, kernels(style, 100_000, 2));
        }
    }
}
