//! Pages of `ptoc explain` that belong to no code and no instruction.

use std::fmt::Write;

/// The page of a topic.
pub(crate) fn topic(name: &str) -> Option<String> {
    name.eq_ignore_ascii_case("types").then(types)
}

/// Names of the topics.
pub(crate) const TOPICS: [&str; 1] = ["types"];

/// Each type once, written out, with what it is.
const TYPES: &[(&str, &str)] = &[
    ("!pto.tile_buf<vec, 16x64xf32>", "a tile as a buffer (DPS form): location, rows x columns, element type"),
    ("!pto.tile_buf<vec, 16x64xf32, valid=9x?>", "only part of it is valid; `?` is known at run time"),
    (
        "!pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>",
        "boxed in fractals (NZ); fractal=512 unless given",
    ),
    (
        "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=64, v_row=16, v_col=64, blayout=row_major, slayout=none_box, fractal=512, pad=0>",
        "the keyed spelling of the first one; both may be mixed in one program",
    ),
    ("!pto.tile<vec, 16x64xf32>", "a tile as a value (SSA and sync form), with the same parameters"),
    ("!pto.tensor_view<?x64xf32>", "a view of global memory"),
    ("!pto.partition_tensor_view<16x64xf32>", "a part of a view: what tload reads and tstore writes"),
    ("!pto.ptr<f32>", "a pointer to global memory"),
    ("!pto.ptr<f32, ub>", "a pointer to an on-chip memory: ub, l1, l0a, l0b, l0c, bt, fb"),
    ("!pto.vreg<64xf32>", "a vector register of A5"),
    ("!pto.mask<b32>", "a predicate of A5: b8, b16 or b32"),
    ("!pto.hif8", "an element type that MLIR does not have; also f8E8M0, f4E1M2x2, f4E2M1x2"),
    (
        "index",
        "loop counters, sizes and offsets; integers are i1, i8, i16, i32 and i64, floats f16, bf16, f32, f8E4M3FN and f8E5M2",
    ),
];

fn types() -> String {
    let mut out = String::from("types: every type with an example\n");
    for (example, what) in TYPES {
        let _ = write!(out, "\n  {example}\n      {what}\n");
    }
    out.push_str(
        "\nlocations        vec (UB), mat (L1), left (L0A), right (L0B), acc (L0C), bias, scaling\n\
         blayout          row_major (default), col_major\n\
         slayout          none_box (default), row_major, col_major\n\
         fractal          512 (default), 1024 for acc, 32 for MX scales\n\
         pad              0 null (default), 1 zero, 2 max, 3 min\n\
         ND, DN           unboxed, row_major and col_major\n\
         NZ, ZN, ZZ, NN   boxed: blayout and slayout col_major/row_major, row_major/col_major, row_major/row_major, col_major/col_major\n",
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Status, check_text};
    use ptoc_source::SourceFile;

    #[test]
    fn every_example_is_a_type() {
        for (example, _) in TYPES {
            let text = format!("func.func private @f({example})\n");
            let report = check_text(SourceFile::new("t", text).unwrap(), false, &Options::default());
            assert_eq!(report.status, Status::Good, "{example}: {:#?}", report.diagnostics);
        }
    }
}
