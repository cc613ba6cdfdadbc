//! Every family of rules with a program that breaks it: the code, and what the message must say.

use crate::kernels::{findings, text, whole_text};

/// Name, targets, program, code, what the finding must say.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

fn check(cases: &[Case]) {
    for (name, archs, lines, code, needles) in cases {
        let program = text(lines);
        for arch in archs.split(' ') {
            let found = findings(&program, arch);
            let hit = found.iter().find(|d| d.code == *code);
            let hit = hit.unwrap_or_else(|| panic!("{name} on {arch}: no {code} in {found:#?}\n{program}"));
            let text = whole_text(hit);
            for needle in *needles {
                assert!(text.contains(needle), "{name} on {arch}: `{needle}` is not in\n{text}");
            }
            assert!(!hit.labels.is_empty(), "{name}: no place");
            assert!(!hit.notes.is_empty(), "{name}: no reason");
            assert!(!hit.fixes.is_empty(), "{name} on {arch}: no repair: {hit:#?}");
        }
    }
}

#[test]
fn tile_types() {
    check(&[
        (
            "pitch of a row",
            "a2a3 a5",
            "arg %a vec f32 4x3",
            "SA-0006",
            &["3 f32 is 12 bytes", "not a multiple of 32", "make it 8 columns"],
        ),
        (
            "pitch of a column",
            "a2a3 a5",
            "arg %a vec f16 10x1 DN",
            "SA-0006",
            &["10 f16 is 20 bytes", "make it 16 rows"],
        ),
        (
            "columns of a box",
            "a2a3 a5",
            "arg %a mat f16 16x24",
            "SA-0066",
            &["24 columns", "16 columns of a box", "make it 32"],
        ),
        ("rows of a box", "a2a3 a5", "arg %a mat f16 24x16", "SA-0067", &["24 rows", "16 rows of a box", "make it 32"]),
        (
            "memory that is missing",
            "a2a3",
            "%t = alloc scaling !pto.f8E8M0 16x2 ZZ fractal=32",
            "SA-0351",
            &["L0A scale memory"],
        ),
        ("too big", "a2a3", "%t = alloc vec f32 256x256", "SA-0352", &["262144", "196608"]),
    ]);
}

#[test]
fn addresses() {
    check(&[
        (
            "past the end",
            "a2a3",
            "%x = 131104 : i64\n%t = alloc vec f32 128x128 addr=%x",
            "SA-0353",
            &["196640", "32 bytes", "0x20000"],
        ),
        (
            "unaligned",
            "a2a3 a5",
            "%x = 100 : i64\n%t = alloc vec f32 16x16 addr=%x",
            "SA-0354",
            &["0x64", "0x60 and 0x80"],
        ),
        ("negative", "a2a3 a5", "%x = -32 : i64\n%t = alloc vec f32 16x16 addr=%x", "SA-0353", &["-32 is negative"]),
        (
            "folded",
            "a2a3",
            "%x = 65536 : i64\n%y = 65568 : i64\n! %z = arith.addi %x, %y : i64\n%t = alloc vec f32 128x128 addr=%z",
            "SA-0353",
            &["131104 + 65536 = 196640"],
        ),
        (
            "tassign in place",
            "a2a3 a5",
            "%t = alloc vec f32 16x16\n! pto.tassign %t, tile(0x1010)",
            "SA-0354",
            &["0x1000 and 0x1020"],
        ),
        (
            "float address",
            "a2a3 a5",
            "%x = 1.0 : f32\n%t = alloc vec f32 16x16 addr=%x",
            "SA-0218",
            &["f32, not an integer"],
        ),
    ]);
}

#[test]
fn elementwise() {
    check(&[
        (
            "element types differ",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %b vec f16 16x16\narg %c vec f32 16x16\npto.tadd ins(%a, %b) outs(%c)",
            "PTO-E002",
            &["src0, src1 and dst must have the same element type", "src1 f16", "tcvt"],
        ),
        (
            "element type of the target",
            "a2a3",
            "arg %a vec i8 16x32\narg %b vec i8 16x32\narg %c vec i8 16x32\npto.tadd ins(%a, %b) outs(%c)",
            "PTO-E001",
            &["dst cannot be i8 on a2a3, only i32, i16, f16 or f32"],
        ),
        (
            "memory",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %b mat f32 16x16 ND\narg %c vec f32 16x16\npto.tadd ins(%a, %b) outs(%c)",
            "PTO-E003",
            &["src1 is in mat, but must be in vec"],
        ),
        (
            "layout",
            "a2a3 a5",
            "arg %a vec f32 16x16 NZ\narg %c vec f32 16x16\npto.texp ins(%a) outs(%c)",
            "PTO-E004",
            &["src is NZ, but must be ND", "blayout=row_major, slayout=none_box"],
        ),
        (
            "valid sizes",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %b vec f32 16x16 v=8x16\narg %c vec f32 16x16\npto.tmul ins(%a, %b) outs(%c)",
            "PTO-E005",
            &["src1 8x16, dst 16x16"],
        ),
        (
            "in place",
            "a2a3",
            "arg %a vec i16 16x16\narg %b vec i16 16x16\narg %t vec i16 16x16\npto.txor ins(%a, %b, %t) outs(%a)",
            "PTO-E007",
            &["dst and src0 must not share storage"],
        ),
        (
            "mask is too narrow",
            "a2a3",
            "arg %a vec f32 16x512\narg %b vec f32 16x512\narg %c vec ui8 16x32\n! pto.tcmp ins(%a, %b {cmpMode = #pto<cmp lt>} : $a, $b) outs(%c : $c)",
            "PTO-E008",
            &["512", "256"],
        ),
        (
            "comparison of integers",
            "a2a3",
            "arg %a vec i32 16x64\narg %b vec i32 16x64\narg %c vec ui8 16x32\n! pto.tcmp ins(%a, %b {cmpMode = #pto<cmp lt>} : $a, $b) outs(%c : $c)",
            "PTO-E010",
            &["cmpMode is lt, but must be eq or ne"],
        ),
        (
            "conversion",
            "a2a3",
            "arg %a vec i8 16x32\narg %c vec f32 16x32\n! pto.tcvt ins(%a {rmode = #pto<round_mode CAST_RINT>} : $a) outs(%c : $c)",
            "PTO-E013",
            &["no conversion of i8 to f32 on a2a3", "f16"],
        ),
        (
            "number with a tile",
            "a2a3",
            "arg %a vec ui8 16x32\narg %c vec ui8 16x32\n%s = 3 : i8\n! pto.tmuls ins(%a, %s : $a, i8) outs(%c : $c)",
            "PTO-E001",
            &["dst cannot be u8 on a2a3"],
        ),
        (
            "negative shift count",
            "a2a3 a5",
            "arg %a vec i32 16x16\narg %c vec i32 16x16\n%s = -1 : i32\n! pto.tshls ins(%a, %s : $a, i32) outs(%c : $c)",
            "PTO-E011",
            &["-1"],
        ),
    ]);
}

#[test]
fn reductions_and_expansions() {
    check(&[
        (
            "element type",
            "a2a3 a5",
            "arg %a vec i8 16x32\narg %t vec i8 16x32\narg %c vec i8 16x32 v=16x1\npto.trowprod ins(%a, %t) outs(%c)",
            "PTO-D001",
            &["src cannot be i8", "f16, f32, i32 or i16"],
        ),
        (
            "two DN columns",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %t vec f32 16x16\narg %c vec f32 16x2 v=16x1 DN\npto.trowsum ins(%a, %t) outs(%c)",
            "PTO-D005",
            &["columns of dst must be 1, here 2"],
        ),
        (
            "valid rows",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %t vec f32 16x16\narg %c vec f32 16x8 v=8x1\npto.trowmax ins(%a, %t) outs(%c)",
            "PTO-D007",
            &["valid rows of src (16) and dst (8)"],
        ),
        (
            "empty rows",
            "a2a3 a5",
            "arg %a vec f32 16x16 v=?x?\narg %t vec f32 16x16\narg %c vec f32 16x8 v=?x?\n%r = 4\n%n = 0\n! pto.set_validshape %a, %r, %n : $a\npto.trowmin ins(%a, %t) outs(%c)",
            "PTO-D006",
            &["valid columns of src is 0; it must be greater than 0"],
        ),
        (
            "temporary of a row sum",
            "a2a3",
            "arg %a vec f32 16x256\narg %t vec f32 16x32\narg %c vec f32 16x8 v=16x1\npto.trowsum ins(%a, %t) outs(%c)",
            "PTO-D009",
            &["256", "128 bytes a row of tmp"],
        ),
        (
            "temporary of a row product",
            "a2a3",
            "arg %a vec f32 16x256\narg %t vec f32 1x32\narg %c vec f32 16x8 v=16x1\npto.trowprod ins(%a, %t) outs(%c)",
            "PTO-D009",
            &["tmp"],
        ),
        (
            "columns of a column sum",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %c vec f32 1x16 v=1x8\npto.tcolsum ins(%a) outs(%c)",
            "PTO-D010",
            &["valid columns of src (16) and dst (8)"],
        ),
        (
            "index type",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %t vec f32 16x16\narg %c vec f32 16x8 v=16x1\npto.trowargmax ins(%a, %t) outs(%c)",
            "PTO-D001",
            &["dst cannot be f32", "i32 or u32"],
        ),
        (
            "no full source",
            "a2a3 a5",
            "arg %a vec f32 16x16 v=8x8\narg %b vec f32 16x1 DN\narg %c vec f32 16x16\npto.trowexpandsub ins(%a, %b) outs(%c)",
            "PTO-D011",
            &["src0 and dst have the same valid rows and columns or src1 and dst"],
        ),
        (
            "one element a row",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %b vec f32 16x16 v=16x4\narg %c vec f32 16x16\npto.trowexpandmul ins(%a, %b) outs(%c)",
            "PTO-D012",
            &["valid columns of src1 (4)", "elements of src1 in 32 bytes (8)"],
        ),
        (
            "one element a column",
            "a2a3 a5",
            "arg %a vec f32 16x16\narg %b vec f32 1x16 v=1x4\narg %c vec f32 16x16\npto.tcolexpandadd ins(%a, %b) outs(%c)",
            "PTO-D013",
            &["16 valid columns of dst, more than the 4 valid columns of src1"],
        ),
        (
            "division of integers",
            "a2a3",
            "arg %a vec i32 16x16\narg %b vec i32 16x1 DN\narg %c vec i32 16x16\npto.trowexpanddiv ins(%a, %b) outs(%c)",
            "PTO-D001",
            &["dst cannot be i32 on a2a3, only f16 or f32"],
        ),
    ]);
}

#[test]
fn inserts() {
    let acc_mat = "arg %s acc f32 16x16\narg %d mat f16 32x32\n";
    let case = |tail: &str| -> &'static str { Box::leak(format!("{acc_mat}{tail}").into_boxed_str()) };
    check(&[
        (
            "rows",
            "a2a3 a5",
            case("%r = 24\n%c = 0\npto.tinsert ins(%s, %r, %c) outs(%d)"),
            "PTO-M008",
            &["indexRow 24 + 16 valid rows of src = 40, more than the 32 rows of dst"],
        ),
        (
            "columns",
            "a2a3 a5",
            case("%r = 0\n%c = 32\npto.tinsert ins(%s, %r, %c) outs(%d)"),
            "PTO-M008",
            &["indexCol 32 + 16 valid columns of src = 48, more than the 32 columns of dst"],
        ),
        (
            "inside of a group",
            "a2a3 a5",
            case("%r = 0\n%c = 8\npto.tinsert ins(%s, %r, %c) outs(%d)"),
            "PTO-M010",
            &["indexCol is 8, not a multiple of the 16 columns of a box of dst"],
        ),
        (
            "index",
            "a2a3 a5",
            case("%r = -1\n%c = 0\npto.tinsert ins(%s, %r, %c) outs(%d)"),
            "PTO-M009",
            &["-1, outside 0 to 65535"],
        ),
        (
            "mode without a vector core",
            "a5",
            case(
                "%r = 0\n%c = 0\npto.tinsert ins(%s, %r, %c) outs(%d) {accToVecMode = #pto.acc_to_vec_mode<single_mode_vec0>}",
            ),
            "SA-0012",
            &["accToVecMode is not allowed here"],
        ),
        (
            "integers leave quantised",
            "a2a3",
            "arg %s acc i32 16x16\narg %d mat f16 32x32\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d)",
            "SA-0204",
            &["src cannot be i32 on a2a3, only f32", "preQuantScalar"],
        ),
        (
            "quantised type",
            "a2a3",
            "arg %s acc f32 16x32\narg %d mat ui8 32x32\narg %q i64\n%r = 0\npto.tinsert ins(%s, %r, %r | pre_quant %q) outs(%d)",
            "SA-0197",
            &["dst cannot be u8", "i8"],
        ),
        (
            "scalar and vector",
            "a2a3 a5",
            "arg %s acc i32 16x32\narg %d mat i8 32x32\narg %q i64\narg %f scaling ui64 1x32\n%r = 0\npto.tinsert ins(%s, %r, %r | fp %f | pre_quant %q) outs(%d)",
            "PTO-M012",
            &["not both"],
        ),
        (
            "scales elsewhere",
            "a2a3 a5",
            "arg %s acc i32 16x32\narg %d mat i8 32x32\narg %f vec ui64 1x32\n%r = 0\npto.tinsert ins(%s, %r, %r | fp %f) outs(%d)",
            "SA-0052",
            &["fp is in vec, but must be in scaling"],
        ),
        (
            "no path",
            "a2a3",
            "arg %s acc f32 16x16\narg %d vec f32 16x16\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d)",
            "PTO-M001",
            &["no way from src (acc NZ f32) to dst (vec ND f32) on a2a3", "acc to mat; "],
        ),
        (
            "phase to UB",
            "a5",
            "arg %s acc f32 16x16\narg %d vec f32 16x16\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d) {stPhase = #pto<st_phase final>}",
            "PTO-U010",
            &["stPhase is final, but must be unspecified"],
        ),
        (
            "odd rows",
            "a5",
            "arg %s acc f32 16x32 v=15x32\narg %d vec f32 16x32\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d) {accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}",
            "PTO-M014",
            &["valid rows of src is 15, not a multiple of 2"],
        ),
        (
            "dual mode converts",
            "a5",
            "arg %s acc f32 16x32\narg %d vec f16 16x32\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d) {accToVecMode = #pto.acc_to_vec_mode<dual_mode_split_m>}",
            "SA-0092",
            &["single mode"],
        ),
        (
            "rectified copy",
            "a5",
            "arg %s vec f32 8x16\narg %d vec f32 16x16\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d) {reluPreMode = #pto<relu_pre_mode normal_relu>}",
            "PTO-M011",
            &["reluPreMode is normal_relu, but must be no_relu"],
        ),
        (
            "too few blocks",
            "a5",
            "arg %s vec f16 16x32 NZ\narg %d mat f16 32x64\n%r = 0\npto.tinsert ins(%s, %r, %r) outs(%d) {tinsertMode = #pto.tinsert_mode<split4>}",
            "PTO-M014",
            &["4", "use split2 or the plain insert"],
        ),
    ]);
}

#[test]
fn moves() {
    check(&[
        (
            "whole tiles",
            "a2a3",
            "arg %s mat f16 32x32\narg %d left f16 16x32\npto.tmov ins(%s) outs(%d)",
            "SA-0263",
            &["src 32x32, dst 16x32", "textract"],
        ),
        (
            "whole tiles",
            "a5",
            "arg %s mat f16 32x32\narg %d left f16 16x32\npto.tmov ins(%s) outs(%d)",
            "SA-0262",
            &["src 32x32, dst 16x32"],
        ),
        (
            "no path",
            "a2a3",
            "arg %s vec f16 32x32\narg %d mat f16 32x32\npto.tmov ins(%s) outs(%d)",
            "SA-0257",
            &["no way from src (vec ND f16) to dst (mat NZ f16) on a2a3"],
        ),
        (
            "operand type",
            "a2a3",
            "arg %s mat i32 32x32\narg %d left i32 32x32\npto.tmov ins(%s) outs(%d)",
            "SA-0162",
            &["dst cannot be i32", "i8, f16, bf16 or f32"],
        ),
        (
            "bias",
            "a2a3",
            "arg %s mat f32 1x24 ND\narg %d bias f32 1x24\npto.tmov ins(%s) outs(%d)",
            "SA-0267",
            &["bytes a row of src is 96, not a multiple of 64"],
        ),
        (
            "scales",
            "a2a3",
            "arg %s mat ui64 1x8 ND\narg %d scaling ui64 1x8\npto.tmov ins(%s) outs(%d)",
            "SA-0271",
            &["is 64, not a multiple of 128"],
        ),
        (
            "extract past the end",
            "a2a3 a5",
            "arg %s mat f16 32x32\narg %d left f16 16x32\n%r = 32\n%c = 0\npto.textract ins(%s, %r, %c) outs(%d)",
            "PA-0041",
            &["indexRow 32 + 16 rows of dst = 48, more than the 32 rows of src"],
        ),
        (
            "extract inside of a fractal",
            "a2a3",
            "arg %s mat f16 32x32\narg %d left f16 16x16\n%r = 8\n%c = 0\npto.textract ins(%s, %r, %c) outs(%d)",
            "PA-0015",
            &["indexRow is 8, not a multiple of 16"],
        ),
        (
            "extract that converts",
            "a2a3",
            "arg %s mat f16 32x32\narg %d left bf16 16x16\n%r = 0\npto.textract ins(%s, %r, %r) outs(%d)",
            "SA-0160",
            &["src f16, dst bf16"],
        ),
        (
            "fill with nothing",
            "a2a3 a5",
            "arg %s vec f32 16x16 v=9x11\narg %d vec f32 16x16\npto.tfillpad ins(%s) outs(%d)",
            "PTO-M017",
            &["dst has pad null"],
        ),
        (
            "fill of a larger tile",
            "a2a3 a5",
            "arg %s vec f32 16x16\narg %d vec f32 32x32 pad=1\npto.tfillpad ins(%s) outs(%d)",
            "PTO-M007",
            &["src 16x16, dst 32x32", "tfillpad_expand"],
        ),
        (
            "expanded to less",
            "a2a3 a5",
            "arg %s vec f32 32x32\narg %d vec f32 16x16 pad=1\npto.tfillpad_expand ins(%s) outs(%d)",
            "PTO-M007",
            &["src (32x32) is larger than dst (16x16)"],
        ),
        (
            "in place in two places",
            "a2a3 a5",
            "%x = 0 : i64\n%y = 4096 : i64\n%s = alloc vec f32 16x16 v=9x11 addr=%x\n%d = alloc vec f32 16x16 pad=1 addr=%y\npto.tfillpad_inplace ins(%s) outs(%d)",
            "PTO-M018",
            &["src and dst must be the same storage"],
        ),
        (
            "exponents have no maximum",
            "a5",
            "arg %s vec !pto.f8E8M0 16x32 v=9x11\narg %d vec !pto.f8E8M0 16x32 pad=2\npto.tfillpad ins(%s) outs(%d)",
            "PTO-M017",
            &["the pad of dst is max, but must be custom"],
        ),
    ]);
}

#[test]
fn loads_and_stores() {
    check(&[
        (
            "columns of the window",
            "a2a3",
            "arg %v view 16x32xf32\narg %d vec f32 16x16\npto.tload ins(%v) outs(%d)",
            "PA-0044",
            &["valid columns of dst (16) must equal dimension g4 of src (32)"],
        ),
        (
            "columns of the window",
            "a5",
            "arg %v view 16x32xf32\narg %d vec f32 16x16\npto.tload ins(%v) outs(%d)",
            "SA-0108",
            &["(16)", "(32)"],
        ),
        (
            "rows of the window",
            "a2a3",
            "arg %v view 2x8x16xf32\narg %d vec f32 32x16\npto.tload ins(%v) outs(%d)",
            "PA-0045",
            &["(32)", "(16)"],
        ),
        (
            "element sizes",
            "a5",
            "arg %v view 16x16xf16\narg %d vec f32 16x16\npto.tload ins(%v) outs(%d)",
            "SA-0099",
            &["src (f16) and dst (f32) must have the same size"],
        ),
        (
            "memory of a load",
            "a2a3 a5",
            "arg %v view 16x16xf16\narg %d left f16 16x16\npto.tload ins(%v) outs(%d)",
            "SA-0032",
            &["dst is in left, but must be in vec or mat"],
        ),
        (
            "layout of a load",
            "a2a3 a5",
            "arg %v view 16x16xf16\narg %d vec f16 16x16 ZN\npto.tload ins(%v) outs(%d)",
            "PTO-M001",
            &["no way from src (global f16) to dst (vec ZN f16)", "to vec ND; to vec DN; to vec NZ"],
        ),
        (
            "store window",
            "a2a3 a5",
            "arg %s vec f32 16x64 v=8x32\narg %v view 16x64xf32\npto.tstore ins(%s) outs(%v)",
            "PA-0045",
            &["valid rows of src (8)", "(16)"],
        ),
        (
            "store from L1",
            "a5",
            "arg %s mat f32 16x16 ND\narg %v view 16x16xf32\npto.tstore ins(%s) outs(%v)",
            "SA-0100",
            &["src is in mat, but must be in vec or acc"],
        ),
        (
            "unquantised integers",
            "a2a3 a5",
            "arg %s acc i32 16x16\narg %v view 16x16xf16\npto.tstore ins(%s) outs(%v)",
            "PTO-M002",
            &["no conversion of i32 to f16"],
        ),
        (
            "atomic add",
            "a2a3",
            "arg %s vec ui32 16x16\narg %v view 16x16xui32\npto.tstore ins(%s) outs(%v) {atomicType = #pto<atomic_type atomic_add>}",
            "SA-0026",
            &["dst cannot be u32"],
        ),
        (
            "quantised store",
            "a2a3",
            "arg %s acc f32 16x32\narg %f scaling ui64 1x32\narg %v view 16x32xf16\n! pto.tstore.fp ins(%s, %f : $s, $f) outs(%v : $v)",
            "PTO-M002",
            &["no conversion of f32 to f16", "i8 or u8"],
        ),
    ]);
}

#[test]
fn cube() {
    check(&[
        (
            "memories",
            "a2a3 a5",
            "arg %a right f16 32x32\narg %b right f16 32x32\narg %c acc f32 32x32\npto.tmatmul ins(%a, %b) outs(%c)",
            "SA-0225",
            &["lhs is in right, but must be in left"],
        ),
        (
            "types",
            "a2a3",
            "arg %a left f16 32x32\narg %b right bf16 32x32\narg %c acc f32 32x32\npto.tmatmul ins(%a, %b) outs(%c)",
            "SA-0185",
            &["no lhs f16 with rhs bf16"],
        ),
        (
            "types",
            "a5",
            "arg %a left f16 32x32\narg %b right f16 32x32\narg %c acc i32 32x32\npto.tmatmul ins(%a, %b) outs(%c)",
            "SA-0068",
            &["lhs"],
        ),
        (
            "k",
            "a2a3 a5",
            "arg %a left f16 32x64\narg %b right f16 32x32\narg %c acc f32 32x32\npto.tmatmul ins(%a, %b) outs(%c)",
            "PTO-C003",
            &["columns of lhs (64) must equal rows of rhs (32)"],
        ),
        (
            "stripes",
            "a2a3 a5",
            "arg %a left f16 64x32 v=16x32\narg %b right f16 32x32\narg %c acc f32 64x32 v=16x32\npto.tmatmul ins(%a, %b) outs(%c)",
            "PTO-C004",
            &["(64) must equal valid rows of lhs rounded up to 16 (16)", "compact"],
        ),
        (
            "another accumulator",
            "a2a3 a5",
            "%x = 0 : i64\n%y = 8192 : i64\narg %a left f16 32x32\narg %b right f16 32x32\n%o = alloc acc f32 32x32 addr=%x\n%c = alloc acc f32 32x32 addr=%y\npto.tmatmul.acc ins(%o, %a, %b) outs(%c)",
            "PTO-C005",
            &["acc_in and dst must be the same storage"],
        ),
        (
            "bias type",
            "a2a3 a5",
            "arg %a left f16 32x32\narg %b right f16 32x32\narg %d bias f16 1x32\narg %c acc f32 32x32\npto.tmatmul.bias ins(%a, %b, %d) outs(%c)",
            "SA-0075",
            &["bias f16, dst f32"],
        ),
        (
            "a matrix in tgemv",
            "a2a3 a5",
            "arg %a left f16 32x32\narg %b right f16 32x32\narg %c acc f32 16x32\npto.tgemv ins(%a, %b) outs(%c)",
            "PTO-C003",
            &["rows of lhs must be 1, here 32"],
        ),
    ]);
}

#[test]
fn views() {
    check(&[
        (
            "part outside of its tile",
            "a2a3 a5",
            "arg %s vec f32 16x32\n%z = 0\n! %v = pto.subview %s[%z, %z] sizes [32, 32] : $s -> !pto.tile_buf<vec, 32x32xf32>",
            "PTO-M021",
            &["dimension 0: offset 0 + size 32 = 32, outside the 16 rows of the tile"],
        ),
        (
            "part with an offset",
            "a2a3 a5",
            "arg %s vec f32 16x32\n%z = 0\n%c = 24\n! %v = pto.subview %s[%z, %c] sizes [16, 16] : $s -> !pto.tile_buf<vec, 16x16xf32>",
            "PTO-M021",
            &["dimension 1: offset 24 + size 16 = 40, outside the 32 columns"],
        ),
        (
            "part of a box",
            "a2a3 a5",
            "arg %s mat f16 32x32\n%z = 0\n%c = 8\n! %v = pto.subview %s[%z, %c] sizes [32, 16] : $s -> !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>",
            "PTO-M010",
            &["offset 8 is not a multiple of the 16 columns of a box"],
        ),
        (
            "reshape to more bytes",
            "a2a3 a5",
            "arg %s vec f32 16x32\n! %v = pto.treshape %s : $s -> !pto.tile_buf<vec, 32x32xf32>",
            "SA-0305",
            &["bytes of src (2048) must equal bytes of result (4096)"],
        ),
        (
            "reshape of boxes",
            "a2a3 a5",
            "arg %s vec f16 32x32 NZ\n! %v = pto.treshape %s : $s -> !pto.tile_buf<vec, 16x64xf16>",
            "SA-0301",
            &["src is NZ and result is ND"],
        ),
        (
            "valid size of an allocation",
            "a2a3 a5",
            "%n = 17\n! %t = pto.alloc_tile valid_row = %n valid_col = %n : !pto.tile_buf<vec, 16x16xf32, valid=?x?>",
            "SA-0065",
            &["valid_row 17, more than the 16 rows of result"],
        ),
        (
            "valid size at run time",
            "a2a3 a5",
            "arg %s vec f32 16x16\n%n = 8\n! pto.set_validshape %s, %n, %n : $s",
            "PTO-M022",
            &["the type of source fixes the valid rows at 16 and the valid columns at 16"],
        ),
        (
            "fill of nothing",
            "a2a3 a5",
            "arg %s vec f32 16x64 v=12x64 pad=1\npto.tfillpad ins(%s) outs(%s)",
            "PTO-M024",
            &["dst valid region equals src valid region; nothing is padded"],
        ),
    ]);
}

#[test]
fn flags() {
    check(&[
        (
            "one pipe",
            "a2a3 a5",
            "! pto.set_flag[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]",
            "PTO-F003",
            &["both ends of the event are PIPE_V", "barrier"],
        ),
        (
            "all pipes",
            "a2a3 a5",
            "! pto.wait_flag[#pto.pipe<PIPE_ALL>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]",
            "PTO-F001",
            &["PIPE_ALL cannot be one end"],
        ),
        ("no such pipe", "a2a3 a5", "! pto.barrier #pto.pipe<PIPE_MTE5>", "PTO-F001", &["has no pipe PIPE_MTE5"]),
        (
            "no such event",
            "a2a3 a5",
            "%e = 8\n! pto.set_flag_dyn[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, %e]",
            "PTO-F002",
            &["no event 8", "0 to 7"],
        ),
    ]);
}

#[test]
fn unit_flags() {
    let tiles =
        "arg %a left f16 32x32\narg %b right f16 32x32\n%c = alloc acc f32 32x32\narg %m mat f16 32x32\n%z = 0\n";
    let mad = |phase: &str| format!("pto.tmatmul ins(%a, %b) outs(%c) {{accPhase = #pto<acc_phase {phase}>}}\n");
    let drain = |phase: &str| format!("pto.tinsert ins(%c, %z, %z) outs(%m) {{stPhase = #pto<st_phase {phase}>}}\n");
    let plain = "pto.tinsert ins(%c, %z, %z) outs(%m)\n";
    let case = |parts: &[String]| -> &'static str { Box::leak(format!("{tiles}{}", parts.concat()).into_boxed_str()) };
    let (m2, m3, f2, f3) = (mad("partial"), mad("final"), drain("partial"), drain("final"));
    let in_loop = |body: &str| format!("%one = 1\n%n = 4\n! scf.for %i = %z to %n step %one {{\n{body}! }}\n");
    check(&[
        (
            "U1",
            "a2a3 a5",
            case(&[m2.clone(), f2.clone()]),
            "PTO-U001",
            &["hangs", "tinsert", "tmatmul", "accPhase = #pto<acc_phase final>"],
        ),
        (
            "U1 without a product",
            "a2a3 a5",
            case(std::slice::from_ref(&f3)),
            "PTO-U001",
            &["no product with a phase comes before it"],
        ),
        (
            "U2",
            "a2a3 a5",
            case(&[m3.clone(), m3.clone(), f3.clone()]),
            "PTO-U002",
            &["cube hangs", "nothing drains it"],
        ),
        ("U3", "a2a3 a5", case(&[m3.clone(), plain.into(), m2.clone()]), "PTO-U003", &["the tinsert has no stPhase"]),
        (
            "U4",
            "a2a3 a5",
            case(&[m3.clone(), f2.clone(), m3.clone()]),
            "PTO-U004",
            &["only partial", "stPhase = #pto<st_phase final>"],
        ),
        (
            "U5",
            "a2a3 a5",
            case(&[m3.clone(), f3.clone(), f3.clone()]),
            "PTO-U005",
            &["has released the accumulator block `%c` already"],
        ),
        (
            "U6",
            "a2a3 a5",
            case(&[m3.clone(), f3.clone(), f2.clone()]),
            "PTO-U006",
            &["partial drains come before the final one"],
        ),
        (
            "leak",
            "a2a3 a5",
            case(&[m3.clone(), plain.into()]),
            "PTO-U007",
            &["must use stPhase final to match the accPhase final"],
        ),
        (
            "mixed",
            "a2a3 a5",
            case(&[m3.clone(), "pto.tmatmul ins(%a, %b) outs(%c)\n".into()]),
            "PTO-U008",
            &["no accPhase"],
        ),
        (
            "in the next trip",
            "a2a3 a5",
            case(&[in_loop(&format!("{m3}{f2}"))]),
            "PTO-U004",
            &["in the next trip of the loop"],
        ),
        (
            "after a loop of partial products",
            "a2a3 a5",
            case(&[in_loop(&m2), f3.clone()]),
            "PTO-U001",
            &["partial does not set the flag"],
        ),
    ]);
    for good in [
        case(&[m3.clone(), f3.clone()]),
        case(&[m2.clone(), m3.clone(), f2.clone(), f3.clone()]),
        case(&[in_loop(&m2), m3.clone(), f3.clone()]),
        case(&[in_loop(&format!("{m3}{f3}"))]),
        case(&["pto.tmatmul ins(%a, %b) outs(%c)\n".into(), plain.into()]),
    ] {
        for arch in ["a2a3", "a5"] {
            assert_eq!(findings(&text(good), arch), [], "{good}");
        }
    }
}
