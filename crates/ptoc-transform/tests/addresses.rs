//! Addresses by example.

mod common;

use common::{after, findings, pass, read};
use ptoc_target::Arch;

#[test]
fn each_memory_is_filled_from_the_bottom_in_order() {
    let text = "func.func @k() {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 3x8xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf16>
  %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, slayout=row_major>
  %m = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, slayout=row_major>
  return
}
";
    let expected = "func.func @k() {
  %0 = arith.constant 0 : i64
  %a = pto.alloc_tile addr = %0 : !pto.tile_buf<vec, 3x8xf32>
  %1 = arith.constant 96 : i64
  %b = pto.alloc_tile addr = %1 : !pto.tile_buf<vec, 1x16xf16>
  %2 = arith.constant 0 : i64
  %l = pto.alloc_tile addr = %2 : !pto.tile_buf<left, 16x16xf16, slayout=row_major>
  %3 = arith.constant 512 : i64
  %m = pto.alloc_tile addr = %3 : !pto.tile_buf<left, 16x16xf16, slayout=row_major>
  return
}
";
    assert_eq!(after(text, &["assign-addresses"]), expected);
    assert_eq!(after(expected, &["assign-addresses"]), expected);
}

/// The constants in front of allocations, in order.
fn addresses(text: &str) -> Vec<String> {
    after(text, &["assign-addresses"])
        .lines()
        .filter_map(|l| Some(l.split_once("arith.constant ")?.1.split(' ').next()?.to_owned()))
        .collect()
}

#[test]
fn planned_tiles_lie_above_placed_ones_on_the_memory_s_own_boundaries() {
    let text = "func.func @k() {
  %c = arith.constant 1056 : i64
  %p = pto.alloc_tile addr = %c : !pto.tile_buf<mat, 2x16xf32>
  %a = pto.alloc_tile : !pto.tile_buf<mat, 2x16xf32>
  %b = pto.alloc_tile : !pto.tile_buf<bias, 1x8xf32>
  %d = pto.alloc_tile : !pto.tile_buf<bias, 1x8xf32>
  %s = pto.alloc_tile : !pto.tile_buf<scaling, 1x8xf32>
  %t = pto.alloc_tile : !pto.tile_buf<scaling, 1x8xf32>
  return
}
";
    // 1056 + 128 rounded up to 512; 32 to 64; 32 to 128.
    assert_eq!(addresses(text), ["1056", "1536", "0", "64", "0", "128"]);
}

#[test]
fn slots_lie_side_by_side_and_reserved_memory_is_kept_free() {
    let text = "func.func @k() {
  %r = pto.reserve_buffer {name = \"ring\", size = 4096, location = #pto.address_space<vec>, auto = false, base = 0} -> i32
  %m = pto.alloc_multi_tile : !pto.multi_tile_buf<!pto.tile_buf<vec, 16x16xf32>, count=3>
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  return
}
";
    assert_eq!(addresses(text), ["4096", "7168"]);
}

#[test]
fn called_functions_start_above_their_callers() {
    let t = "!pto.tile_buf<vec, 16x16xf32>";
    let text = format!(
        "func.func @inner() {{
  %a = pto.alloc_tile : {t}
  return
}}
func.func @outer() {{
  %a = pto.alloc_tile : {t}
  %b = pto.alloc_tile : {t}
  func.call @inner() : () -> ()
  return
}}
"
    );
    assert_eq!(addresses(&text), ["2048", "0", "1024"]);
    let cycle =
        text.replace("  return\n}\nfunc.func @outer", "  func.call @outer() : () -> ()\n  return\n}\nfunc.func @outer");
    assert_eq!(
        findings(&cycle, "assign-addresses", Arch::A2A3),
        ["PTO-A003 a function calls itself, so its tiles need memory without end"]
    );
}

#[test]
fn what_a_call_returns_is_out_of_the_way_of_other_functions() {
    let t = "!pto.tile_buf<vec, 16x16xf32>";
    let text = format!(
        "func.func @make() -> {t} {{
  %a = pto.alloc_tile : {t}
  return %a : {t}
}}
func.func @work() {{
  %a = pto.alloc_tile : {t}
  %b = pto.alloc_tile : {t}
  return
}}
func.func @outer() {{
  %a = pto.alloc_tile : {t}
  %b = func.call @make() : () -> {t}
  func.call @work() : () -> ()
  pto.tadd ins(%a, %b : {t}, {t}) outs(%a : {t})
  return
}}
"
    );
    assert_eq!(addresses(&text), ["3072", "1024", "2048", "0"]);
}

#[test]
fn a_full_memory_is_reported_with_all_its_tiles() {
    let text = "func.func @k() {
  %a = pto.alloc_tile : !pto.tile_buf<vec, 136x128xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 128x256xf32>
  return
}
";
    let mut ir = read(text, Arch::A2A3);
    let (result, found) = pass(&mut ir, "assign-addresses", Arch::A2A3);
    assert!(result.is_err());
    assert_eq!(found[0].code, "PTO-A001");
    assert_eq!(found[0].message, "the vec tiles of the function need 200704 bytes, a2a3 has 196608 of UB");
    assert_eq!(
        found[0].notes[0],
        "address    bytes      tile\n\
         0x0        69632      %a !pto.tile_buf<vec, 136x128xf32>\n\
         0x11000    131072     %b !pto.tile_buf<vec, 128x256xf32>"
    );
    // 196608 bytes are all there is.
    assert!(findings(&text.replace("136x", "128x"), "assign-addresses", Arch::A2A3).is_empty());
}

#[test]
fn a_missing_memory_and_an_unknown_address_are_errors() {
    let scale = "func.func @k() {
  %a = pto.alloc_tile : !pto.tile_buf<scaling, 16x2xf8E8M0FNU, slayout=row_major, fractal=32>
  return
}
";
    assert_eq!(findings(scale, "assign-addresses", Arch::A2A3), ["PTO-A002 a2a3 has no L0A scale memory"]);
    assert!(findings(scale, "assign-addresses", Arch::A5).is_empty());
    let unknown = "func.func @k(%p: i64) {
  %a = pto.alloc_tile addr = %p : !pto.tile_buf<vec, 16x16xf32>
  %b = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
  return
}
";
    assert_eq!(
        findings(unknown, "assign-addresses", Arch::A2A3),
        ["PTO-A003 no address can be chosen for this vec tile"]
    );
}

#[test]
fn tile_arguments_have_the_bottom_of_their_memory_and_a_note_says_so() {
    let (t, m) = ("!pto.tile_buf<vec, 16x16xf32>", "!pto.tile_buf<mat, 1x8xf32>");
    let body = format!("  %x = pto.alloc_tile : {t}\n  %y = pto.alloc_tile : {m}\n  return\n}}\n");
    // Two tiles of 1024 bytes; one of 32 bytes, then the boundary of 512 bytes.
    let kernel = format!("func.func @k(%a: {t}, %n: index, %b: {t}, %c: {m}) {{\n{body}");
    assert_eq!(addresses(&kernel), ["2048", "512"]);
    assert_eq!(
        findings(&kernel, "assign-addresses", Arch::A2A3),
        [
            "PTO-A004 2 vec arguments are taken to lie in the first 2048 bytes of UB",
            "PTO-A004 1 mat argument is taken to lie in the first 32 bytes of L1"
        ]
    );
    // A caller in the module says by itself where they lie.
    let called = format!(
        "func.func @k(%a: {t}) {{\n{body}func.func @outer() {{
  %a = pto.alloc_tile : {t}
  func.call @k(%a) : ({t}) -> ()
  return
}}
"
    );
    assert_eq!(addresses(&called), ["1024", "0", "0"]);
    assert!(findings(&called, "assign-addresses", Arch::A2A3).is_empty());
}

#[test]
fn a_column_that_is_spread_without_temporary_keeps_its_part_of_the_buffer_free() {
    // 184 KiB are left: 22 tiles of 8 KiB and a column of 64 bytes fit, 23 do not.
    let (t, c) = ("!pto.tile_buf<vec, 16x128xf32>", "!pto.tile_buf<vec, 16x1xf32, blayout=col_major>");
    let program = |tiles: usize| {
        let mut text = format!("func.func @k() {{\n  %c = pto.alloc_tile : {c}\n");
        (0..tiles).for_each(|i| text.push_str(&format!("  %t{i} = pto.alloc_tile : {t}\n")));
        text + &format!("  pto.trowexpandadd ins(%t0, %c : {t}, {c}) outs(%t1 : {t})\n  return\n}}\n")
    };
    assert!(findings(&program(22), "assign-addresses", Arch::A2A3).is_empty());
    assert_eq!(
        findings(&program(23), "assign-addresses", Arch::A2A3),
        ["PTO-A001 the vec tiles of the function need 188480 bytes, a2a3 has 188416 of UB"]
    );
    // A5 spreads it in registers.
    assert!(findings(&program(23), "assign-addresses", Arch::A5).is_empty());
}
