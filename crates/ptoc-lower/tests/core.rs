//! What every target shares: signatures, storage, views, and what is refused.

mod support;

use ptoc_target::Arch;
use support::{codes, lower};

const DYN: &str = "!pto.tile_buf<vec, 16x16xf32, valid=?x?>";

#[test]
fn a_tile_argument_becomes_a_pointer_and_its_run_time_sizes() {
    let text = format!(
        "func.func @f(%t: {DYN}, %n: index) -> {DYN} {{\n  %u = func.call @g(%t) : ({DYN}) -> {DYN}\n  return %u : {DYN}\n}}\n\
         func.func private @g({DYN}) -> {DYN}\n"
    );
    let out = lower(&text, Arch::A5);
    assert!(out.contains("func.func @f(%t: !pto.ptr<f32, ub>, %t_rows: index, %t_cols: index, %n: index)"), "{out}");
    assert!(out.contains("func.call @g(%t, %t_rows, %t_cols)"), "{out}");
    assert!(out.contains("return %u, %u_rows, %u_cols : !pto.ptr<f32, ub>, index, index"), "{out}");
}

#[test]
fn a_tile_goes_through_a_loop() {
    let text = format!(
        "func.func @f(%t: {DYN}, %a: index, %b: index) {{\n  %r = scf.for %i = %a to %b step %a iter_args(%x = %t) -> ({DYN}) {{\n    \
         %n = pto.tile_valid_rows %x : {DYN} -> index\n    %y = arith.addi %n, %i : index\n    pto.tsetval ins(%y, %z : index, f32) \
         outs(%x : {DYN})\n    scf.yield %x : {DYN}\n  }}\n  return\n}}\n"
    )
    .replace("func.func @f(", "func.func @f(%z: f32, ");
    let out = lower(&text, Arch::A5);
    assert!(out.contains("iter_args(%x = %t, %x_rows = %t_rows, %x_cols = %t_cols)"), "{out}");
    assert!(out.contains("arith.addi %x_rows, %i : index"), "{out}");
    assert!(out.contains("pto.store_scalar %z, %x[%y]"), "{out}");
    assert!(out.contains("scf.yield %x, %x_rows, %x_cols"), "{out}");
}

#[test]
fn an_allocation_with_an_address_becomes_a_pointer_at_the_head() {
    let out = lower(
        "func.func @f(%i: index) {\n  %a = arith.constant 1024 : i64\n  %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x16xf32>\n  \
         %v = pto.tgetval ins(%t, %i : !pto.tile_buf<vec, 16x16xf32>, index) outs : f32\n  pto.tsetval ins(%i, %v : index, f32) outs(%t \
         : !pto.tile_buf<vec, 16x16xf32>)\n  return\n}\n",
        Arch::A5,
    );
    assert!(out.contains("%t = pto.castptr %c1024_i64 : i64 -> !pto.ptr<f32, ub>"), "{out}");
    assert!(out.contains("pto.load_scalar %t[%i]"), "{out}");
    assert!(!out.contains("alloc_tile"), "{out}");
}

#[test]
fn a_part_of_a_tile_keeps_the_pitch() {
    // Element (2, 4) of a row-major tile with 16 columns is 36 elements, 144 bytes, behind the first.
    let out = lower(
        "func.func @f(%v: f32) {\n  %a = arith.constant 0 : i64\n  %c2 = arith.constant 2 : index\n  %c4 = arith.constant 4 : index\n  \
         %t = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 16x16xf32>\n  %s = pto.subview %t[%c2, %c4] sizes [4, 8] : \
         !pto.tile_buf<vec, 16x16xf32> -> !pto.tile_buf<vec, 4x8xf32>\n  pto.tsetval ins(%c2, %v : index, f32) outs(%s : \
         !pto.tile_buf<vec, 4x8xf32>)\n  return\n}\n",
        Arch::A5,
    );
    assert!(out.contains("pto.castptr %c144_i64 : i64 -> !pto.ptr<f32, ub>"), "{out}");
}

#[test]
fn what_is_not_known_is_refused() {
    let tile = "!pto.tile_buf<vec, 16x16xf32>";
    let no_address = format!(
        "func.func @f(%i: index, %v: f32) {{\n  %t = pto.alloc_tile : {tile}\n  pto.tsetval ins(%i, %v : index, f32) outs(%t : {tile})\n  \
         return\n}}\n"
    );
    assert_eq!(codes(&no_address, Arch::A5), ["PTO-L003"]);
    let branch = format!(
        "func.func @f(%c: i1, %n: index, %v: f32) {{\n  %a = arith.constant 0 : i64\n  %t = pto.alloc_tile addr = %a valid_row = %n \
         valid_col = %n : {DYN}\n  scf.if %c {{\n    pto.set_validshape %t, %n, %n : {DYN}\n  }}\n  pto.tsetval ins(%n, %v : index, f32) \
         outs(%t : {DYN})\n  return\n}}\n"
    );
    assert_eq!(codes(&branch, Arch::A5), ["PTO-L004"]);
    let later = format!(
        "func.func @f(%n: index, %v: f32) {{\n  %a = arith.constant 0 : i64\n  %t = pto.alloc_tile addr = %a : {DYN}\n  \
         pto.set_validshape %t, %n, %n : {DYN}\n  pto.tsetval ins(%n, %v : index, f32) outs(%t : {DYN})\n  return\n}}\n"
    );
    lower(&later, Arch::A5);
    let foreign = format!(
        "func.func @f(%t: {tile}) {{\n  pto.tquant ins(%t, %t : {tile}, {tile}) outs(%t : {tile})\n  return\n}}\n"
    );
    assert_eq!(codes(&foreign, Arch::A5), ["PTO-L001"]);
}
