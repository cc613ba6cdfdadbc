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
