//! Loads, stores, moves to the cube, products and drains on A5.

mod support;

use ptoc_target::{Arch, Loc};
use support::exec::{Run, Val};
use support::{at, codes, moves, run_a5};

const ACC: &str = "blayout=col_major, slayout=row_major, fractal=1024";
const NZ: &str = "blayout=col_major, slayout=row_major";
const ZN: &str = "slayout=col_major";

fn tile(loc: &str, shape: &str, rest: &str) -> String {
    let comma = if rest.is_empty() { "" } else { ", " };
    format!("!pto.tile_buf<{loc}, {shape}{comma}{rest}>")
}

const GM: i64 = 1 << 20;

/// A matrix of `size` at `(r, c)` of a global `shape` whose elements lie `strides` apart, as the operand `%g`.
fn view(elem: &str, shape: [i64; 2], strides: [i64; 2], from: [i64; 2], size: [i64; 2]) -> (String, String) {
    let all = [shape, strides, from, size].concat();
    let mut lines: Vec<String> = Vec::new();
    for n in all {
        let line = format!("  %g{n} = arith.constant {n} : index\n");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let (whole, part) = (
        format!("!pto.tensor_view<?x?x{elem}>"),
        format!("!pto.partition_tensor_view<{}x{}x{elem}>", size[0], size[1]),
    );
    let body = format!(
        "{}  %v = pto.make_tensor_view %p, shape = [%g{}, %g{}], strides = [%g{}, %g{}] : {whole}\n  %g = pto.partition_view %v, \
         offsets = [%g{}, %g{}], sizes = [%g{}, %g{}] : {whole} -> {part}\n",
        lines.concat(),
        shape[0],
        shape[1],
        strides[0],
        strides[1],
        from[0],
        from[1],
        size[0],
        size[1]
    );
    (body, part)
}

fn bytes_of(elem: &str) -> i64 {
    match elem {
        "f32" | "i32" => 4,
        "f16" | "bf16" => 2,
        _ => 1,
    }
}

fn transfer(load: bool, elem: &str, t: &str, view: (String, String), attrs: &str) -> Run {
    let (body, part) = view;
    let line = if load {
        format!("pto.tload ins(%g : {part}) outs(%t : {t})")
    } else {
        format!("pto.tstore ins(%t : {t}) outs(%g : {part}){attrs}")
    };
    let text = format!("func.func @k(%p: !pto.ptr<{elem}, gm>, %t: {t}) {{\n{body}  {line}\n  return\n}}\n");
    let loc = [("vec", Loc::Vec), ("mat", Loc::Mat), ("acc", Loc::Acc)];
    let loc = loc.iter().find(|(n, _)| t.contains(&format!("<{n},"))).expect("a location").1;
    run_a5(&text, &[at(Loc::Gm, GM, bytes_of(elem)), at(loc, 0, 4)])
}

#[test]
fn rows_of_a_part_are_bursts() {
    // 4 x 24 at (3, 8) of 16 x 64: rows of 96 bytes, 256 apart, to rows of 128 bytes.
    let v = view("f32", [16, 64], [64, 1], [3, 8], [4, 24]);
    let got = transfer(true, "f32", &tile("vec", "8x32xf32", "valid=4x24"), v, "");
    assert_eq!(got.brief(), [format!("mte_gm_ub gm@{} ub@0 0 96 4 256 128", GM + 4 * (3 * 64 + 8))]);
    let v = view("f32", [16, 64], [64, 1], [3, 8], [4, 24]);
    let got = transfer(false, "f32", &tile("vec", "8x32xf32", "valid=4x24"), v, "");
    assert_eq!(got.brief(), [format!("mte_ub_gm ub@0 gm@{} 96 4 128 256", GM + 4 * (3 * 64 + 8))]);
    // Columns next to each other, in a tile of columns: 24 bursts of 4 elements.
    let v = view("f32", [64, 16], [1, 64], [8, 3], [8, 4]);
    let got = transfer(true, "f32", &tile("vec", "16x4xf32", "valid=8x4, blayout=col_major"), v, "");
    assert_eq!(got.brief(), [format!("mte_gm_ub gm@{} ub@0 0 32 4 256 64", GM + 4 * (8 + 3 * 64))]);
}

#[test]
fn rows_become_fractals_in_l1() {
    // 20 x 40 halfwords of rows 128 bytes apart, to column groups of 32 rows.
    let v = view("f16", [32, 64], [64, 1], [2, 16], [20, 40]);
    let got = transfer(true, "f16", &tile("mat", "32x64xf16", &format!("valid=20x40, {NZ}")), v, "");
    assert_eq!(got.names(), ["mte_gm_l1_frac"]);
    assert_eq!(moves::ours(&got).rest, [format!("nd2nz 0 {} n=20 d=40 step=128 stripe=32", GM + 2 * (2 * 64 + 16))]);
    // Columns of the matrix are rows of its transpose, whose fractals are those of ZN.
    let v = view("f16", [32, 64], [1, 32], [0, 0], [32, 64]);
    let got = transfer(true, "f16", &tile("mat", "32x64xf16", ZN), v, "");
    assert_eq!(moves::ours(&got).rest, [format!("nd2nz 0 {GM} n=64 d=32 step=64 stripe=64")]);
}

/// The words of a drain to global memory: n, m and stride; source stride, unit flag, mode, row mode.
fn to_gm(n: i64, m: i64, stride: i64, src: i64, unit: i64, quant: i64) -> String {
    format!("{} {}", n << 4 | m << 16 | stride << 32, src | unit << 32 | quant << 34 | 1 << 43)
}

#[test]
fn the_accumulator_drains_to_global_memory() {
    let acc = tile("acc", "32x32xf32", &format!("valid=20x24, {ACC}"));
    for (elem, quant) in [("f32", 0), ("f16", 1), ("bf16", 16)] {
        let v = view(elem, [32, 64], [64, 1], [4, 8], [20, 24]);
        let got = transfer(false, elem, &acc, v, "");
        let to = GM + bytes_of(elem) * (4 * 64 + 8);
        assert_eq!(
            got.brief(),
            [
                "set_loop3_para 1 0".to_owned(),
                format!("copy_matrix_cc_to_gm l0c@0 gm@{to} {}", to_gm(24, 20, 64, 32, 0, quant))
            ]
        );
    }
    for (phase, unit) in [("partial", 2), ("final", 3)] {
        let v = view("f16", [32, 64], [64, 1], [0, 0], [20, 24]);
        let got = transfer(false, "f16", &acc, v, &format!(" {{stPhase = #pto<st_phase {phase}>}}"));
        assert_eq!(got.brief()[1], format!("copy_matrix_cc_to_gm l0c@0 gm@{GM} {}", to_gm(24, 20, 64, 32, unit, 1)));
    }
}

#[test]
fn an_atomic_store_switches_adding_on_and_off() {
    let v = view("f32", [16, 64], [64, 1], [0, 0], [4, 24]);
    let attrs = " {atomicType = #pto<atomic_type atomic_add>}";
    let got = transfer(false, "f32", &tile("vec", "8x32xf32", "valid=4x24"), v, attrs);
    assert_eq!(got.names(), ["set_atomic_f32", "set_atomic_add", "mte_ub_gm", "set_atomic_none"]);
}

fn move_tile(op: &str, src: &str, dst: &str) -> Vec<String> {
    let text =
        format!("func.func @k(%s: {src}, %d: {dst}) {{\n  pto.{op} ins(%s : {src}) outs(%d : {dst})\n  return\n}}\n");
    let to = if dst.contains("<left,") { Loc::Left } else { Loc::Right };
    moves::ours(&run_a5(&text, &[at(Loc::Mat, 0, 2), at(to, 0, 2)])).rest
}

#[test]
fn boxes_go_to_the_cube() {
    // m start, k start, m steps, k steps, source and destination strides in boxes, transposed. 64 x 32 halfwords: 4 by 2.
    let nz = tile("mat", "64x32xf16", NZ);
    assert_eq!(move_tile("tmov", &nz, &tile("left", "64x32xf16", NZ)), ["l0a 0 0 0 0 4 2 4 4 0"]);
    // The right operand has columns along m: a source in ZN as it is, one in NZ transposed.
    let zn = tile("mat", "32x64xf16", ZN);
    assert_eq!(move_tile("tmov", &zn, &tile("right", "32x64xf16", ZN)), ["l0b 0 0 0 0 4 2 4 4 0"]);
    let nz = tile("mat", "32x64xf16", NZ);
    assert_eq!(move_tile("tmov", &nz, &tile("right", "32x64xf16", ZN)), ["l0b 0 0 0 0 2 4 2 4 1"]);
}

#[test]
fn a_window_goes_to_the_cube() {
    let (nz, left) = (tile("mat", "64x64xf16", NZ), tile("left", "32x32xf16", NZ));
    let text = format!(
        "func.func @k(%s: {nz}, %d: {left}) {{\n  %r = arith.constant 16 : index\n  %c = arith.constant 32 : index\n  pto.textract \
         ins(%s, %r, %c : {nz}, index, index) outs(%d : {left})\n  return\n}}\n"
    );
    let got = run_a5(&text, &[at(Loc::Mat, 0, 2), at(Loc::Left, 0, 2)]);
    assert_eq!(moves::ours(&got).rest, ["l0a 0 0 1 2 2 2 4 2 0"]);
    // Row 8 lies inside a box.
    assert_eq!(codes(&text.replace("constant 16", "constant 8"), Arch::A5), ["PTO-L002"]);
}

fn product(op: &str, shapes: [&str; 3], attrs: &str) -> Vec<String> {
    let (a, b) = (tile("left", shapes[0], NZ), tile("right", shapes[1], ZN));
    let (c, bias) = (tile("acc", shapes[2], ACC), "!pto.tile_buf<bias, 1x32xf32>");
    let line = match op {
        "tmatmul.acc" => format!("pto.tmatmul.acc ins(%c, %a, %b : {c}, {a}, {b}) outs(%c : {c}){attrs}"),
        "tmatmul.bias" => format!("pto.tmatmul.bias ins(%a, %b, %x : {a}, {b}, {bias}) outs(%c : {c}){attrs}"),
        _ => format!("pto.tmatmul ins(%a, %b : {a}, {b}) outs(%c : {c}){attrs}"),
    };
    let text = format!("func.func @k(%a: {a}, %b: {b}, %c: {c}, %x: {bias}) {{\n  {line}\n  return\n}}\n");
    moves::ours(&run_a5(&text, &[at(Loc::Left, 0, 2), at(Loc::Right, 0, 2), at(Loc::Acc, 0, 4), at(Loc::Bias, 128, 4)]))
        .rest
}

#[test]
fn products_start_from_zero_the_accumulator_or_the_bias() {
    let shapes = ["32x64xf16", "64x32xf16", "32x32xf32"];
    // Destination, operands, sizes, unit flag, from the bias, from zero.
    assert_eq!(product("tmatmul", shapes, ""), ["mad 0 0 0 m=32 k=64 n=32 0 0 1"]);
    assert_eq!(product("tmatmul.acc", shapes, ""), ["mad 0 0 0 m=32 k=64 n=32 0 0 0"]);
    assert_eq!(product("tmatmul.bias", shapes, ""), ["mad 0 0 0 m=32 k=64 n=32 0 1 0 bias=128"]);
    for (phase, unit) in [("partial", 2), ("final", 3)] {
        let attrs = format!(" {{accPhase = #pto<acc_phase {phase}>}}");
        for (op, rest) in [("tmatmul", "0 1"), ("tmatmul.acc", "0 0"), ("tmatmul.bias", "1 0 bias=128")] {
            assert_eq!(product(op, shapes, &attrs), [format!("mad 0 0 0 m=32 k=64 n=32 {unit} {rest}")]);
        }
    }
}

#[test]
fn a_product_keeps_to_the_stripes_of_its_tiles() {
    // 20 valid rows are packed to 32, which is the static size: the valid sizes are used.
    let shapes = ["32x64xf16, valid=20x50", "64x32xf16, valid=50x24", "32x32xf32, valid=20x24"];
    assert_eq!(product("tmatmul", shapes, ""), ["mad 0 0 0 m=20 k=50 n=24 0 0 1"]);
    // 20 of 64 rows would be packed to stripes of 32; the tile has stripes of 64.
    let shapes = ["64x64xf16, valid=20x50", "64x32xf16, valid=50x24", "64x32xf32, valid=20x24"];
    assert_eq!(product("tmatmul", shapes, ""), ["mad 0 0 0 m=64 k=50 n=24 0 0 1"]);
    // Packed tiles follow their valid size.
    let (a, b) = (tile("left", "64x64xf16", &format!("valid=20x50, {NZ}, compact=1")), tile("right", "64x32xf16", ZN));
    let c = tile("acc", "64x32xf32", &format!("valid=20x32, {ACC}, compact=1"));
    let text = format!(
        "func.func @k(%a: {a}, %b: {b}, %c: {c}) {{\n  pto.tmatmul ins(%a, %b : {a}, {b}) outs(%c : {c})\n  return\n}}\n"
    );
    let got = run_a5(&text, &[at(Loc::Left, 0, 2), at(Loc::Right, 0, 2), at(Loc::Acc, 0, 4)]);
    assert_eq!(moves::ours(&got).rest, ["mad 0 0 0 m=20 k=50 n=32 0 0 1"]);
}

#[test]
fn what_memory_cannot_do_is_refused() {
    let (body, part) = view("f32", [16, 64], [64, 2], [0, 0], [4, 24]);
    let t = tile("vec", "8x32xf32", "valid=4x24");
    let text = format!(
        "func.func @k(%p: !pto.ptr<f32, gm>, %t: {t}) {{\n{body}  pto.tload ins(%g : {part}) outs(%t : {t})\n  return\n}}\n"
    );
    // Neither rows nor columns are next to each other.
    assert_eq!(codes(&text, Arch::A5), ["PTO-L002"]);
    // A row of values between tiles of different layouts.
    let (src, dst) = (tile("mat", "32x32xf16", ""), tile("left", "32x32xf16", NZ));
    let text =
        format!("func.func @k(%s: {src}, %d: {dst}) {{\n  pto.tmov ins(%s : {src}) outs(%d : {dst})\n  return\n}}\n");
    assert_eq!(codes(&text, Arch::A5), ["PTO-L002"]);
}

/// The window of a Vec tile at 0 to one at 65536, at `(row, col)`.
fn window(src: &str, dst: &str, index: [i64; 2], size: i64) -> Run {
    let text = format!(
        "func.func @k(%s: {src}, %d: {dst}, %r: index, %c: index) {{\n  pto.textract ins(%s, %r, %c : {src}, index, index) outs(%d : \
         {dst})\n  return\n}}\n"
    );
    // Known at compile time, and at run time: the same bytes.
    let fixed = text.replace(", %r: index, %c: index", "").replace(
        "  pto.textract",
        &format!(
            "  %r = arith.constant {} : index\n  %c = arith.constant {} : index\n  pto.textract",
            index[0], index[1]
        ),
    );
    let tiles = [at(Loc::Vec, 0, size), at(Loc::Vec, 65536, size)];
    let got = run_a5(&fixed, &tiles);
    let late = run_a5(&text, &[&tiles[..], &index.map(Val::Int)].concat());
    assert_eq!(got.bytes("ub"), late.bytes("ub"));
    got
}

#[test]
fn a_window_inside_vec_is_copied_by_blocks_or_read_unaligned() {
    let src = tile("vec", "32x160xf32", "");
    let got = window(&src, &tile("vec", "8x32xf32", ""), [4, 8], 4);
    assert_eq!(got.brief(), [format!("copy_ubuf_to_ubuf ub@{} ub@65536 0 8 4 16 0", 4 * (4 * 160 + 8))]);
    let got = window(&src, &tile("vec", "8x128xf32", "valid=3x70"), [3, 5], 4);
    let mut want = vec!["pset_b32", "plt_b32"];
    want.extend(["vldas", "vldus", "vsts"].repeat(6));
    assert_eq!(got.names(), want);
    let from = |i: i64, j: i64| format!("vldas ub@{}", 4 * ((3 + i) * 160 + 5 + 64 * j));
    let first: Vec<String> = got.brief().into_iter().filter(|s| s.starts_with("vldas")).collect();
    assert_eq!(first, [from(0, 0), from(1, 0), from(2, 0), from(0, 1), from(1, 1), from(2, 1)]);
    assert!(got.bytes("ub").into_iter().eq((0..3).flat_map(|i| (0..280).map(move |b| 65536 + i * 512 + b))));
    // One element.
    let got = window(&src, &tile("vec", "1x8xf32", "valid=1x1"), [3, 5], 4);
    assert_eq!(got.brief()[1], format!("vlds ub@{} 0 BRC_B32", 4 * (3 * 160 + 5)));
    let got = window(&tile("vec", "64x64xf16", NZ), &tile("vec", "16x16xf16", &format!("valid=1x1, {NZ}")), [5, 19], 2);
    assert_eq!(got.brief()[1], format!("vlds ub@{} 0 BRC_B16", 2 * (64 * 16 + 5 * 16 + 3)));
    // Column groups.
    let got =
        window(&tile("vec", "64x64xf16", NZ), &tile("vec", "32x32xf16", &format!("valid=17x20, {NZ}")), [5, 16], 2);
    assert_eq!(got.brief(), [format!("copy_ubuf_to_ubuf ub@{} ub@65536 0 2 17 47 15", 32 * (64 + 5))]);
}
