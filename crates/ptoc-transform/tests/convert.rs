//! Form conversion by example.

mod common;

use common::{after, findings, pass, read, renamed};
use ptoc_target::Arch;

const T: &str = "!pto.tile<vec, 16x16xf32>";
const B: &str = "!pto.tile_buf<vec, 16x16xf32>";
const V: &str = "!pto.partition_tensor_view<16x16xf32>";

/// A function with the shorthands `T` (value), `B` (buffer) and `V` (view) written out.
fn func(params: &str, body: &str) -> String {
    let mut out = String::from("func.func @k(");
    let text = format!("{params}) {{\n{}\n  return\n}}\n", body.trim_end());
    let mut word = String::new();
    let flush = |word: &mut String, out: &mut String| {
        out.push_str(match word.as_str() {
            "T" => T,
            "B" => B,
            "V" => V,
            w => w,
        });
        word.clear();
    };
    for c in text.chars() {
        if c.is_alphanumeric() || matches!(c, '%' | '.' | '_' | '!' | '@' | '<') {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            out.push(c);
        }
    }
    flush(&mut word, &mut out);
    out
}

/// DPS to SSA gives `ssa`, and both come back.
#[track_caller]
fn same(dps: &str, ssa: &str) {
    assert_eq!(renamed(&after(dps, &["convert-to-ssa"])), renamed(ssa), "to SSA");
    assert_eq!(renamed(&after(ssa, &["convert-to-dps"])), renamed(dps), "to DPS");
    assert_eq!(renamed(&after(dps, &["convert-to-ssa", "convert-to-dps"])), renamed(dps), "DPS, SSA, DPS");
    assert_eq!(renamed(&after(ssa, &["convert-to-dps", "convert-to-ssa"])), renamed(ssa), "SSA, DPS, SSA");
}

#[test]
fn a_new_tile_needs_no_allocation_and_a_written_one_is_named() {
    same(
        &func(
            "%a: B, %g: V",
            "  %x = pto.alloc_tile : B
  pto.tload ins(%g : V) outs(%x : B)
  pto.tadd ins(%x, %a : B, B) outs(%x : B)
  pto.texp ins(%x : B) outs(%a : B)
  pto.tstore ins(%a : B) outs(%g : V)",
        ),
        &func(
            "%a: T, %g: V",
            "  %x = pto.tload %g : (V) -> T
  %x1 = pto.tadd %x, %a into %x : (T, T) -> T
  %a1 = pto.texp %x1 into %a : (T) -> T
  pto.tstore %a1, %g : (T, V) -> ()",
        ),
    );
}

#[test]
fn names_of_buffers_go_to_their_values_and_back() {
    let dps = func(
        "%a: B",
        "  %x = pto.alloc_tile : B\n  pto.texp ins(%a : B) outs(%x : B)\n  pto.tabs ins(%x : B) outs(%x : B)",
    );
    assert_eq!(
        after(&dps, &["convert-to-ssa"]),
        func("%a: T", "  %x = pto.texp %a : (T) -> T\n  %x_0 = pto.tabs %x into %x : (T) -> T")
    );
    assert_eq!(after(&dps, &["convert-to-ssa", "convert-to-dps"]), dps);
}

#[test]
fn loops_carry_what_is_written_below_them() {
    same(
        &func(
            "%a: B, %n: index",
            "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = pto.alloc_tile : B
  pto.texp ins(%a : B) outs(%s : B)
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0) -> (index) {
    %t = pto.alloc_tile : B
    pto.texp ins(%s : B) outs(%t : B)
    scf.for %j = %c0 to %i step %c1 {
      pto.tadd ins(%s, %t : B, B) outs(%s : B)
    }
    pto.tadd ins(%s, %a : B, B) outs(%a : B)
    %k1 = arith.addi %k, %c1 : index
    scf.yield %k1 : index
  }",
        ),
        &func(
            "%a: T, %n: index",
            "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = pto.texp %a : (T) -> T
  %q, %ar, %sr = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c0, %ai = %a, %si = %s) -> (index, T, T) {
    %t = pto.texp %si : (T) -> T
    %sj = scf.for %j = %c0 to %i step %c1 iter_args(%sk = %si) -> (T) {
      %sl = pto.tadd %sk, %t into %sk : (T, T) -> T
      scf.yield %sl : T
    }
    %a1 = pto.tadd %sj, %a into %ai : (T, T) -> T
    %k1 = arith.addi %k, %c1 : index
    scf.yield %k1, %a1, %sj : index, T, T
  }",
        )
        .replace("%sj, %a into", "%sj, %ai into"),
    );
}

#[test]
fn branches_hand_out_what_is_written_below_them() {
    // %s is made by both branches, %t by one of them, so it is there before.
    same(
        &func(
            "%a: B, %c: i1",
            "  %t = pto.alloc_tile : B
  %k = arith.constant 0 : index
  %s = pto.alloc_tile : B
  scf.if %c {
    pto.texp ins(%a : B) outs(%s : B)
    pto.tabs ins(%s : B) outs(%t : B)
  } else {
    pto.tneg ins(%a : B) outs(%s : B)
  }
  scf.if %c {
    pto.texp ins(%s : B) outs(%s : B)
  }",
        ),
        &func(
            "%a: T, %c: i1",
            "  %t = pto.alloc_tile : T
  %k = arith.constant 0 : index
  %t1, %s = scf.if %c -> (T, T) {
    %s1 = pto.texp %a : (T) -> T
    %t2 = pto.tabs %s1 into %t : (T) -> T
    scf.yield %t2, %s1 : T, T
  } else {
    %s2 = pto.tneg %a : (T) -> T
    scf.yield %t, %s2 : T, T
  }
  %s3 = scf.if %c -> (T) {
    %s4 = pto.texp %s into %s : (T) -> T
    scf.yield %s4 : T
  } else {
    scf.yield %s : T
  }",
        ),
    );
}

#[test]
fn what_is_returned_is_the_content() {
    same(
        &format!(
            "func.func @k(%a: {B}) -> ({B}, index, {B}) {{
  %n = arith.constant 4 : index
  pto.texp ins(%a : {B}) outs(%a : {B})
  %x = pto.alloc_tile : {B}
  pto.tabs ins(%a : {B}) outs(%x : {B})
  return %x, %n, %a : {B}, index, {B}
}}
"
        ),
        &format!(
            "func.func @k(%a: {T}) -> ({T}, index, {T}) {{
  %n = arith.constant 4 : index
  %a1 = pto.texp %a into %a : ({T}) -> {T}
  %x = pto.tabs %a1 : ({T}) -> {T}
  return %x, %n, %a1 : {T}, index, {T}
}}
"
        ),
    );
}

#[test]
fn a_returned_tile_that_another_one_overwrites_stays_a_buffer() {
    let dps = format!(
        "func.func @k(%g: {V}) -> {B} {{
  %at = arith.constant 0 : i64
  %x = pto.alloc_tile addr = %at : {B}
  %y = pto.alloc_tile addr = %at : {B}
  pto.tload ins(%g : {V}) outs(%x : {B})
  pto.tload ins(%g : {V}) outs(%y : {B})
  return %x : {B}
}}
"
    );
    assert_eq!(after(&dps, &["convert-to-ssa"]), dps);
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X002 2 tiles stay buffers: they share bytes with another tile"]
    );
}

#[test]
fn an_empty_else_comes_back() {
    same(
        &func("%a: B, %c: i1", "  scf.if %c {\n    pto.texp ins(%a : B) outs(%a : B)\n  } else {\n  }"),
        &func(
            "%a: T, %c: i1",
            "  %r = scf.if %c -> (T) {
    %b = pto.texp %a into %a : (T) -> T
    scf.yield %b : T
  } else {
    scf.yield %a : T
  } {pto.empty_else}",
        ),
    );
}

#[test]
fn while_loops_and_switches_carry_tiles_too() {
    same(
        &func(
            "%a: B, %n: index",
            "  %c0 = arith.constant 0 : index
  %k = scf.while (%i = %c0) : (index) -> index {
    %go = arith.cmpi slt, %i, %n : index
    pto.tabs ins(%a : B) outs(%a : B)
    scf.condition(%go) %i : index
  } do {
  ^bb0(%j: index):
    pto.texp ins(%a : B) outs(%a : B)
    scf.yield %j : index
  }
  scf.index_switch %k
  case 0 {
    pto.texp ins(%a : B) outs(%a : B)
    scf.yield
  }
  default {
    scf.yield
  }",
        ),
        &func(
            "%a: T, %n: index",
            "  %c0 = arith.constant 0 : index
  %k, %r = scf.while (%i = %c0, %b = %a) : (index, T) -> (index, T) {
    %go = arith.cmpi slt, %i, %n : index
    %c = pto.tabs %b into %b : (T) -> T
    scf.condition(%go) %i, %c : index, T
  } do {
  ^bb0(%j: index, %d: T):
    %e = pto.texp %d into %d : (T) -> T
    scf.yield %j, %e : index, T
  }
  %s = scf.index_switch %k -> T
  case 0 {
    %t = pto.texp %r into %r : (T) -> T
    scf.yield %t : T
  }
  default {
    scf.yield %r : T
  }",
        ),
    );
}

#[test]
fn updates_name_the_old_tile_and_several_results_each_their_own() {
    let big = "vec, 32x32xf32";
    let dps = func(
        &format!("%s: B, %o: !pto.tile_buf<{big}>, %i: index"),
        &format!(
            "  pto.tinsert ins(%s, %i, %i : B, index, index) outs(%o : !pto.tile_buf<{big}>)
  %x = pto.alloc_tile : B
  %y = pto.alloc_tile : B
  pto.tinterleave ins(%s, %s : B, B) outs(%x, %y : B, B)
  %z = pto.alloc_tile : B
  pto.tinterleave ins(%x, %y : B, B) outs(%s, %z : B, B)"
        ),
    );
    let ssa = func(
        &format!("%s: T, %o: !pto.tile<{big}>, %i: index"),
        &format!(
            "  %p = pto.tinsert %s, %i, %i into %o : (T, index, index) -> !pto.tile<{big}>
  %x, %y = pto.tinterleave %s, %s : (T, T) -> (T, T)
  %u, %z = pto.tinterleave %x, %y into %s : (T, T) -> (T, T)"
        ),
    );
    same(&dps, &ssa);
}

#[test]
fn an_allocation_that_is_not_where_it_would_be_made_stays() {
    for alloc in [
        // Something lies between.
        "  %x = pto.alloc_tile : B\n  %k = arith.constant 0 : index",
        // It says more than the instruction does.
        "  %x = pto.alloc_tile {my.note} : B",
        // It is read before it is written.
        "  %x = pto.alloc_tile : B\n  pto.tstore ins(%x : B) outs(%g : V)",
    ] {
        let dps = func("%a: B, %g: V", &format!("{alloc}\n  pto.texp ins(%a : B) outs(%x : B)"));
        let ssa = after(&dps, &["convert-to-ssa"]);
        assert!(ssa.contains("pto.texp %a into %x : "), "{ssa}");
        assert_eq!(after(&dps, &["convert-to-ssa", "convert-to-dps"]), dps);
    }
}

#[test]
fn run_time_valid_sizes_are_those_of_the_sources() {
    let dyn_b = "!pto.tile_buf<vec, 16x16xf32, valid=?x?>";
    let rows_b = "!pto.tile_buf<vec, 16x16xf32, valid=?x1>";
    let dps = func(
        &format!("%a: {dyn_b}, %t: !pto.tensor_view<?x?xf32>, %r: index, %c: index"),
        &format!(
            "  %z = arith.constant 0 : index
  %v = pto.partition_view %t, offsets = [%z, %z], sizes = [%r, %c] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  %x = pto.alloc_tile valid_row = %r valid_col = %c : {dyn_b}
  pto.tload ins(%v : !pto.partition_tensor_view<?x?xf32>) outs(%x : {dyn_b})
  %y = pto.alloc_tile valid_row = %r : {rows_b}
  pto.trowsum ins(%x : {dyn_b}) outs(%y : {rows_b})
  %ar = pto.tile_valid_rows %a : {dyn_b} -> index
  %ac = pto.tile_valid_cols %a : {dyn_b} -> index
  %w = pto.alloc_tile valid_row = %ar valid_col = %ac : {dyn_b}
  pto.texp ins(%a : {dyn_b}) outs(%w : {dyn_b})
  %br = pto.tile_valid_rows %a : {dyn_b} -> index
  %bc = pto.tile_valid_cols %a : {dyn_b} -> index
  %u = pto.alloc_tile valid_row = %br valid_col = %bc : {dyn_b}
  pto.texp ins(%w : {dyn_b}) outs(%u : {dyn_b})"
        ),
    );
    let [dyn_v, rows_v] = [dyn_b, rows_b].map(|t| t.replace("tile_buf", "tile"));
    let ssa = func(
        &format!("%a: {dyn_v}, %t: !pto.tensor_view<?x?xf32>, %r: index, %c: index"),
        &format!(
            "  %z = arith.constant 0 : index
  %v = pto.partition_view %t, offsets = [%z, %z], sizes = [%r, %c] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<?x?xf32>
  %x = pto.tload %v : (!pto.partition_tensor_view<?x?xf32>) -> {dyn_v}
  %y = pto.trowsum %x : ({dyn_v}) -> {rows_v}
  %w = pto.texp %a : ({dyn_v}) -> {dyn_v}
  %u = pto.texp %w : ({dyn_v}) -> {dyn_v}"
        ),
    );
    same(&dps, &ssa);
}

#[test]
fn a_valid_size_that_differs_from_that_of_the_source_stays() {
    let t = "!pto.tile_buf<vec, 16x16xf32, valid=?x16>";
    let dps = func(
        &format!("%a: {t}, %r: index"),
        &format!("  %x = pto.alloc_tile valid_row = %r : {t}\n  pto.texp ins(%a : {t}) outs(%x : {t})"),
    );
    assert!(after(&dps, &["convert-to-ssa"]).contains("%x = pto.alloc_tile valid_row = %r"));
    assert_eq!(after(&dps, &["convert-to-ssa", "convert-to-dps"]), dps);
}

#[test]
fn an_unknown_valid_size_is_an_error() {
    let ssa = func("%f: f32", "  %a = pto.texpands %f : (f32) -> !pto.tile<vec, 16x16xf32, valid=?x16>");
    assert_eq!(
        findings(&ssa, "convert-to-dps", Arch::A2A3),
        ["PTO-X006 pto.texpands: the valid size of its new tile is not known"]
    );
}

#[test]
fn the_sync_form_hides_temporaries_and_gets_them_back() {
    let sync = "func.func @k(%s: T) {
  %d = trowprod %s : T -> !pto.tile<vec, 16x1xf32, blayout=col_major>
  return
}
"
    .replace('T', T);
    let ssa = "func.func @k(%s: T) {
  %tmp = pto.alloc_tile : T
  %d = pto.trowprod %s, %tmp : (T, T) -> !pto.tile<vec, 16x1xf32, blayout=col_major>
  return
}
"
    .replace('T', T);
    assert_eq!(after(&sync, &["convert-to-ssa"]), ssa);
    assert_eq!(after(&ssa, &["convert-to-sync"]), sync);
    let dps = after(&sync, &["convert-to-dps"]);
    assert!(dps.contains("pto.trowprod ins(%s, %tmp : "), "{dps}");
}

#[test]
fn one_temporary_of_several_instructions_is_hidden_in_all() {
    let dps = func(
        "%a: B, %b: B",
        "  %at = arith.constant 0 : i64
  %t = pto.alloc_tile addr = %at : B
  pto.trowprod ins(%a, %t : B, B) outs(%b : B)
  pto.trowprod ins(%b, %t : B, B) outs(%a : B)",
    );
    let sync = func(
        "%a: T, %b: T",
        "  %at = arith.constant 0 : i64
  %b1 = trowprod %a into %b : T -> T
  %a1 = trowprod %b1 into %a : T -> T",
    );
    assert_eq!(renamed(&after(&dps, &["convert-to-sync"])), renamed(&sync));
    for there in [&["convert-to-sync"][..], &["convert-to-ssa", "convert-to-dps", "convert-to-ssa"]] {
        assert_eq!(renamed(&after(&sync, &[there, &["convert-to-sync"]].concat())), renamed(&sync));
    }
}

#[test]
fn an_instruction_without_temporary_does_not_get_one_from_the_sync_form() {
    // The column of the row expansion is spread in the vector unit's own memory, not in a temporary.
    let column = "!pto.tile<vec, 16x1xf32, blayout=col_major>";
    let plain = format!(
        "func.func @k(%a: {T}, %c: {column}) {{
  %d = pto.trowexpandsub %a, %c into %a : ({T}, {column}) -> {T}
  return
}}
"
    );
    let sync = format!(
        "func.func @k(%a: {T}, %c: {column}) {{
  %d = trowexpandsub %a, %c into %a : {T}, {column} -> {T}
  return
}}
"
    );
    assert_eq!(after(&plain, &["convert-to-sync"]), sync);
    assert_eq!(after(&sync, &["convert-to-ssa"]), plain);
    // With a temporary, which the sync form would lose, it stays.
    let given =
        plain.replace("%c into", "%c, %t into").replace(&format!("{column}) ->"), &format!("{column}, {T}) ->"));
    let given = given.replace(") {\n", &format!(") {{\n  %t = pto.alloc_tile : {T}\n"));
    assert_eq!(after(&given, &["convert-to-sync"]), given);
    // A sort of a run-time number of columns would get a temporary, so without one it stays.
    let row = "!pto.tile<vec, 1x64xf32, valid=1x?>";
    let (index, pairs) = ("!pto.tile<vec, 1x64xui32, valid=1x?>", "!pto.tile<vec, 1x128xf32, valid=1x?>");
    let sort = format!(
        "func.func @k(%a: {row}, %i: {index}, %p: {pairs}) {{
  %d = pto.tsort32 %a, %i into %p : ({row}, {index}) -> {pairs}
  return
}}
"
    );
    assert_eq!(after(&sort, &["convert-to-sync"]), sort);
}

#[test]
fn the_target_decides_which_temporaries_are_made() {
    let sync = format!(
        "func.func @k(%s: {T}) {{\n  %d = trowsum %s : {T} -> !pto.tile<vec, 16x1xf32, blayout=col_major>\n  return\n}}\n"
    );
    for (arch, allocations) in [(Arch::A2A3, 1), (Arch::A5, 0)] {
        let mut ir = read(&sync, arch);
        assert!(pass(&mut ir, "convert-to-ssa", arch).0.is_ok());
        assert_eq!(ptoc_dialect::print_module(&ir).matches("alloc_tile").count(), allocations, "{arch}");
    }
}

#[test]
fn instructions_whose_temporary_matters_keep_the_ssa_form() {
    // The third operand makes the root exact; the temporary of the second instruction holds data.
    let ssa = func(
        "%s: T, %t: T",
        "  %tmp = pto.alloc_tile : T
  %d = pto.trsqrt %s, %tmp : (T, T) -> T
  %e = pto.trowprod %s, %d : (T, T) -> T",
    );
    let sync = after(&ssa, &["convert-to-sync"]);
    assert!(sync.contains("pto.trsqrt %s, %tmp"), "{sync}");
    assert!(sync.contains("pto.trowprod %s, %d"), "{sync}");
    assert_eq!(
        findings(&ssa, "convert-to-sync", Arch::A2A3),
        ["PTO-X011 2 instructions stay in SSA form, the first is pto.trsqrt"]
    );
}

#[test]
fn a_temporary_of_unknown_size_is_an_error() {
    let sync = "func.func @k(%s: !pto.tile<vec, 16x16xf16>, %i: !pto.tile<vec, 16x16xi16>) {
  %d = tgather %s, %i : !pto.tile<vec, 16x16xf16>, !pto.tile<vec, 16x16xi16> -> !pto.tile<vec, 16x16xf16>
  return
}
";
    assert_eq!(findings(sync, "convert-to-ssa", Arch::A2A3), ["PTO-X010 pto.tgather: its temporary can't be made"]);
    assert!(findings(sync, "convert-to-ssa", Arch::A5).is_empty());
}

// ---- storage that can't be shared ----

#[test]
fn a_loop_writes_the_buffer_that_it_carries() {
    let ssa = func(
        "%g: V, %n: index, %x: T",
        "  %c0 = arith.constant 0 : index
  %s = pto.tload %g : (V) -> T
  %r = scf.for %i = %c0 to %n step %n iter_args(%a = %s) -> (T) {
    %b = pto.tadd %a, %x : (T, T) -> T
    scf.yield %b : T
  }
  pto.tstore %r, %g : (T, V) -> ()",
    );
    let dps = func(
        "%g: V, %n: index, %x: B",
        "  %c0 = arith.constant 0 : index
  %s = pto.alloc_tile : B
  pto.tload ins(%g : V) outs(%s : B)
  scf.for %i = %c0 to %n step %n {
    pto.tadd ins(%s, %x : B, B) outs(%s : B)
  }
  pto.tstore ins(%s : B) outs(%g : V)",
    );
    assert_eq!(after(&ssa, &["convert-to-dps"]), dps);
    // A transposition does not work in place.
    let ssa = ssa.replace("pto.tadd %a, %x : (!pto.tile<vec, 16x16xf32>, ", "pto.ttrans %a : (");
    let dps = dps.replace(
        &format!("    pto.tadd ins(%s, %x : {B}, {B}) outs(%s : {B})\n"),
        &format!(
            "    %b = pto.alloc_tile : {B}\n    pto.ttrans ins(%s : {B}) outs(%b : {B})\n    pto.tmov ins(%b : {B}) outs(%s : {B})\n"
        ),
    );
    assert_eq!(after(&ssa, &["convert-to-dps"]), dps);
}

#[test]
fn tiles_that_change_places_go_through_a_third_one() {
    let ssa = func(
        "%g: V, %n: index, %x: T",
        "  %c0 = arith.constant 0 : index
  %s = pto.texp %x : (T) -> T
  %t = pto.tneg %x : (T) -> T
  %r, %q = scf.for %i = %c0 to %n step %n iter_args(%a = %s, %b = %t) -> (T, T) {
    scf.yield %b, %a : T, T
  }
  pto.tstore %r, %g : (T, V) -> ()",
    );
    let dps = after(&ssa, &["convert-to-dps"]);
    let body: Vec<&str> = dps.lines().skip_while(|l| !l.contains("scf.for")).skip(1).take(4).map(str::trim).collect();
    assert_eq!(
        body,
        [
            format!("%0 = pto.alloc_tile : {B}"),
            format!("pto.tmov ins(%s : {B}) outs(%0 : {B})"),
            format!("pto.tmov ins(%t : {B}) outs(%s : {B})"),
            format!("pto.tmov ins(%0 : {B}) outs(%t : {B})"),
        ]
    );
}

#[test]
fn a_tile_that_is_used_later_is_copied_before_it_is_overwritten() {
    let ssa = func(
        "%g: V, %x: T",
        "  %s = pto.texp %x : (T) -> T
  %t = pto.tneg %x into %s : (T) -> T
  pto.tstore %s, %g : (T, V) -> ()
  pto.tstore %t, %g : (T, V) -> ()",
    );
    let dps = func(
        "%g: V, %x: B",
        "  %s = pto.alloc_tile : B
  pto.texp ins(%x : B) outs(%s : B)
  %t = pto.alloc_tile : B
  pto.tmov ins(%s : B) outs(%t : B)
  pto.tneg ins(%x : B) outs(%t : B)
  pto.tstore ins(%s : B) outs(%g : V)
  pto.tstore ins(%t : B) outs(%g : V)",
    );
    assert_eq!(after(&ssa, &["convert-to-dps"]), dps);
}

const ACC: &str = "!pto.tile<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>";
const LEFT: &str = "!pto.tile<left, 16x16xf16, slayout=row_major>";
const RIGHT: &str = "!pto.tile<right, 16x16xf16, slayout=col_major>";

#[test]
fn an_argument_holds_the_newest_value_and_the_older_one_is_copied() {
    let ssa = func(
        "%a: T, %g: V",
        "  %a1 = pto.texp %a into %a : (T) -> T
  pto.tstore %a, %g : (T, V) -> ()
  pto.tstore %a1, %g : (T, V) -> ()",
    );
    let dps = func(
        "%a: B, %g: V",
        "  %0 = pto.alloc_tile : B
  pto.tmov ins(%a : B) outs(%0 : B)
  pto.texp ins(%0 : B) outs(%a : B)
  pto.tstore ins(%0 : B) outs(%g : V)
  pto.tstore ins(%a : B) outs(%g : V)",
    );
    assert_eq!(renamed(&after(&ssa, &["convert-to-dps"])), renamed(&dps));
    // In a loop the argument is overwritten again and again; what it held at first is read all the same.
    let ssa = func(
        "%a: T, %g: V, %n: index",
        "  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %a) -> (T) {
    %k1 = pto.tadd %k, %a into %k : (T, T) -> T
    scf.yield %k1 : T
  }
  pto.tstore %r, %g : (T, V) -> ()",
    );
    let dps = func(
        "%a: B, %g: V, %n: index",
        "  %0 = pto.alloc_tile : B
  pto.tmov ins(%a : B) outs(%0 : B)
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    pto.tadd ins(%a, %0 : B, B) outs(%a : B)
  }
  pto.tstore ins(%a : B) outs(%g : V)",
    );
    assert_eq!(renamed(&after(&ssa, &["convert-to-dps"])), renamed(&dps));
}

#[test]
fn what_a_call_returned_is_copied_before_the_next_call() {
    let make = |t: &str| format!("func.func private @make() -> {t}\n");
    let ssa = make(T)
        + &func(
            "%o: T, %p: T",
            "  %a = func.call @make() : () -> T
  %b = func.call @make() : () -> T
  %c = pto.tadd %a, %b into %o : (T, T) -> T
  %d = pto.tabs %b into %p : (T) -> T",
        );
    let dps = make(B)
        + &func(
            "%o: B, %p: B",
            "  %a = func.call @make() : () -> B
  %0 = pto.alloc_tile : B
  pto.tmov ins(%a : B) outs(%0 : B)
  %b = func.call @make() : () -> B
  pto.tadd ins(%0, %b : B, B) outs(%o : B)
  pto.tabs ins(%b : B) outs(%p : B)",
        );
    assert_eq!(renamed(&after(&ssa, &["convert-to-dps"])), renamed(&dps));
}

#[test]
fn two_results_of_a_call_are_two_tiles() {
    let twice = |t: &str, body: &str| {
        format!(
            "func.func @twice(%x: {t}) -> ({t}, {t}) {{
{body}}}
func.func @user(%x: {t}) {{
  %a, %b = func.call @twice(%x) : ({t}) -> ({t}, {t})
  return
}}
"
        )
    };
    let ssa = twice(T, &format!("  return %x, %x : {T}, {T}\n"));
    let dps = twice(
        B,
        &format!(
            "  %0 = pto.alloc_tile : {B}
  pto.tmov ins(%x : {B}) outs(%0 : {B})
  return %x, %0 : {B}, {B}
"
        ),
    );
    assert_eq!(renamed(&after(&ssa, &["convert-to-dps"])), renamed(&dps));
}

#[test]
fn two_tiles_can_not_both_go_into_an_argument() {
    let ssa = func(
        "%a: T, %b: T",
        "  %x = pto.texp %b into %a : (T) -> T
  %y = pto.tabs %b into %a : (T) -> T",
    );
    assert_eq!(
        findings(&ssa, "convert-to-dps", Arch::A2A3),
        ["PTO-X007 pto.tabs: `%a` is used after its storage was overwritten"]
    );
}

#[test]
fn a_product_is_added_in_the_storage_of_its_accumulator() {
    let ssa = func(
        &format!("%l: {LEFT}, %r: {RIGHT}, %n: index, %g: V"),
        &format!(
            "  %a = pto.tmatmul %l, %r : ({LEFT}, {RIGHT}) -> {ACC}
  %z = arith.constant 0 : index
  %b = scf.for %i = %z to %n step %n iter_args(%x = %a) -> ({ACC}) {{
    %y = pto.tmatmul.acc %x, %l, %r : ({ACC}, {LEFT}, {RIGHT}) -> {ACC}
    scf.yield %y : {ACC}
  }}
  pto.tstore %b, %g : ({ACC}, V) -> ()"
        ),
    );
    let dps = after(&ssa, &["convert-to-dps"]);
    assert_eq!(dps.matches("alloc_tile").count(), 1, "{dps}");
    assert!(dps.contains("pto.tmatmul.acc ins(%a, %l, %r"), "{dps}");
}

#[test]
fn an_accumulator_can_not_be_copied() {
    let ssa = func(
        &format!("%l: {LEFT}, %r: {RIGHT}, %g: V"),
        &format!(
            "  %a = pto.tmatmul %l, %r : ({LEFT}, {RIGHT}) -> {ACC}
  %b = pto.tmatmul.acc %a, %l, %r into %a : ({ACC}, {LEFT}, {RIGHT}) -> {ACC}
  pto.tstore %a, %g : ({ACC}, V) -> ()"
        ),
    );
    let found = findings(&ssa, "convert-to-dps", Arch::A2A3);
    assert_eq!(found, ["PTO-X007 pto.tmatmul.acc: a copy of the tile is needed here"]);
}

// ---- tiles that stay buffers ----

#[test]
fn a_tile_with_a_view_stays_a_buffer() {
    let dps = func(
        "%g: V, %i: index",
        "  %x = pto.alloc_tile : !pto.tile_buf<vec, 32x32xf32>
  %s = pto.subview %x[%i, %i] sizes [16, 16] : !pto.tile_buf<vec, 32x32xf32> -> B
  pto.tload ins(%g : V) outs(%s : B)
  %y = pto.alloc_tile : B
  pto.texp ins(%s : B) outs(%y : B)
  pto.tneg ins(%y : B) outs(%s : B)",
    );
    let ssa = func(
        "%g: V, %i: index",
        "  %x = pto.alloc_tile : !pto.tile_buf<vec, 32x32xf32>
  %s = pto.subview %x[%i, %i] sizes [16, 16] : !pto.tile_buf<vec, 32x32xf32> -> B
  pto.tload ins(%g : V) outs(%s : B)
  %y = pto.texp %s : (B) -> T
  pto.tneg ins(%y : T) outs(%s : B)",
    );
    assert_eq!(after(&dps, &["convert-to-ssa"]), ssa);
    assert_eq!(after(&ssa, &["convert-to-dps"]), dps);
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X001 1 tile stays a buffer: its storage has another name"]
    );
}

#[test]
fn tiles_at_one_address_are_values_unless_one_shows_what_the_other_holds() {
    let dps = func(
        "%g: V",
        "  %at = arith.constant 0 : i64
  %x = pto.alloc_tile addr = %at : B
  pto.tload ins(%g : V) outs(%x : B)
  pto.tstore ins(%x : B) outs(%g : V)
  %y = pto.alloc_tile addr = %at : B
  pto.tload ins(%g : V) outs(%y : B)
  %z = pto.alloc_tile addr = %at : !pto.tile_buf<vec, 8x16xf32>
  pto.texp ins(%z : !pto.tile_buf<vec, 8x16xf32>) outs(%z : !pto.tile_buf<vec, 8x16xf32>)",
    );
    let ssa = after(&dps, &["convert-to-ssa"]);
    assert!(ssa.contains("pto.tload %g into %x"), "{ssa}");
    assert!(ssa.contains("outs(%y : "), "{ssa}");
    assert_eq!(after(&dps, &["convert-to-ssa", "convert-to-dps"]), dps);
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X002 2 tiles stay buffers: they share bytes with another tile"]
    );
}

#[test]
fn an_accumulator_with_an_address_that_the_first_iteration_sets_is_a_value() {
    let dps = func(
        "%a: B, %n: index, %c: i1",
        "  %z = arith.constant 0 : index
  %at = arith.constant 0 : i64
  %s = pto.alloc_tile addr = %at : B
  scf.for %i = %z to %n step %n {
    scf.if %c {
      pto.tabs ins(%a : B) outs(%s : B)
    } else {
      pto.tadd ins(%s, %a : B, B) outs(%s : B)
    }
  }",
    );
    assert!(findings(&dps, "convert-to-ssa", Arch::A2A3).is_empty());
    assert_eq!(after(&dps, &["convert-to-ssa", "convert-to-dps"]), dps);
}

#[test]
fn a_tile_whose_address_is_not_known_stays_a_buffer_with_its_neighbours() {
    let dps = func(
        "%g: V, %p: i64",
        "  %at = arith.constant 4096 : i64
  %x = pto.alloc_tile addr = %at : B
  %y = pto.alloc_tile addr = %p : B
  pto.tload ins(%g : V) outs(%x : B)
  pto.tload ins(%g : V) outs(%y : B)",
    );
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X002 2 tiles stay buffers: they share bytes with another tile"]
    );
}

#[test]
fn tiles_that_others_can_see_stay_buffers() {
    let dps = format!(
        "func.func private @out({B})
func.func @k(%a: {B}) {{
  pto.texp ins(%a : {B}) outs(%a : {B})
  func.call @out(%a) : ({B}) -> ()
  %x = pto.alloc_tile : {B}
  pto.section.vector {{
    pto.texp ins(%a : {B}) outs(%x : {B})
  }}
  return
}}
"
    );
    assert_eq!(after(&dps, &["convert-to-ssa"]), dps);
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X003 2 tiles stay buffers: something outside can see them"]
    );
}

#[test]
fn a_called_function_keeps_its_buffers_and_a_kernel_does_not() {
    let dps = format!(
        "func.func @inner(%a: {B}) {{
  pto.texp ins(%a : {B}) outs(%a : {B})
  return
}}
func.func @outer(%g: {V}) {{
  %x = pto.alloc_tile : {B}
  pto.tload ins(%g : {V}) outs(%x : {B})
  func.call @inner(%x) : ({B}) -> ()
  return
}}
"
    );
    assert_eq!(after(&dps, &["convert-to-ssa"]), dps);
}

#[test]
fn what_the_value_forms_can_not_say_stays_in_dps() {
    let dps = func(
        "%a: B, %r: index",
        "  pto.tinterleave ins(%a, %a : B, B) outs(%a, %a : B, B)
  %x = pto.alloc_tile valid_row = %r valid_col = %r : !pto.tile_buf<vec, 16x16xf32, valid=?x?>
  pto.set_validshape %x, %r, %r : !pto.tile_buf<vec, 16x16xf32, valid=?x?>",
    );
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A5),
        ["PTO-X004 2 tiles stay buffers: an instruction on them has no SSA form"]
    );
}

#[test]
fn a_temporary_that_is_read_afterwards_stays_a_buffer() {
    let dps = func(
        "%a: B, %g: V",
        "  %t = pto.alloc_tile : B
  pto.texp ins(%a : B) outs(%t : B)
  pto.trowprod ins(%a, %t : B, B) outs(%a : B)
  pto.tstore ins(%t : B) outs(%g : V)",
    );
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X004 1 tile stays a buffer: an instruction on it has no SSA form"]
    );
}

#[test]
fn jumps_are_left_alone_or_rejected() {
    let text = "func.func @k(%a: T, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  OP
  cf.br ^bb2
^bb2:
  return
}
";
    let dps = text.replace("OP", "pto.texp ins(%a : T) outs(%a : T)").replace('T', B);
    let kept = read(&dps, Arch::A2A3);
    assert_eq!(after(&dps, &["convert-to-ssa"]), ptoc_dialect::print_module(&kept));
    assert_eq!(
        findings(&dps, "convert-to-ssa", Arch::A2A3),
        ["PTO-X005 1 tile stays a buffer: the function has jumps between blocks"]
    );
    let ssa = text.replace("OP", "%b = pto.texp %a : (T) -> T").replace('T', T);
    assert_eq!(
        findings(&ssa, "convert-to-dps", Arch::A2A3),
        ["PTO-X005 tile values in a function with jumps between blocks"]
    );
}

// ---- programs that are wrong ----

#[test]
fn a_value_is_not_written_in_place() {
    let dps = func("%a: T", "  pto.texp ins(%a : T) outs(%a : T)");
    for pass in ["convert-to-dps", "convert-to-ssa"] {
        assert_eq!(findings(&dps, pass, Arch::A2A3), ["PTO-X009 pto.texp: dst is a value and can't be written"]);
    }
}

#[test]
fn a_view_of_a_value_is_read_but_not_written() {
    let read_only = func(
        "%a: T, %g: V",
        "  %x = pto.texp %a : (T) -> T
  %r = pto.treshape %x : T -> !pto.tile<vec, 1x256xf32>
  %s = pto.texp %r : (!pto.tile<vec, 1x256xf32>) -> !pto.tile<vec, 1x256xf32>",
    );
    let dps = after(&read_only, &["convert-to-dps"]);
    assert!(dps.contains("%r = pto.treshape %x : !pto.tile_buf"), "{dps}");
    let written = read_only.replace("pto.texp %r :", "pto.texp %r into %r :");
    assert_eq!(findings(&written, "convert-to-dps", Arch::A2A3), ["PTO-X008 pto.texp: `into` a view of a tile"]);
    // The view shows the tile that it was made of, also after its storage went on.
    let later = read_only.replace("  %s = ", "  %y = pto.tabs %x into %x : (T) -> T\n  %s = ".replace('T', T).as_str());
    let dps = after(&later, &["convert-to-dps"]);
    assert!(dps.contains("pto.tmov ins(%x"), "{dps}");
}

#[test]
fn a_choice_between_tiles_needs_a_branch() {
    let ssa =
        func("%a: T, %b: T, %c: i1, %g: V", "  %r = arith.select %c, %a, %b : T\n  pto.tstore %r, %g : (T, V) -> ()");
    assert_eq!(findings(&ssa, "convert-to-dps", Arch::A2A3), ["PTO-X012 tiles pass through `arith.select`"]);
    let ssa = func(
        "%a: T, %b: T, %c: i1, %g: V",
        "  %r = scf.if %c -> (T) {\n    scf.yield %a : T\n  } else {\n    scf.yield %b : T\n  }\n  pto.tstore %r, %g : (T, V) -> ()",
    );
    assert_eq!(after(&ssa, &["convert-to-dps"]).matches("pto.tmov").count(), 2);
}

#[test]
fn every_code_has_an_explanation_of_its_own() {
    let codes = ptoc_transform::codes::CODES;
    for (i, c) in codes.iter().enumerate() {
        assert!(c.code.starts_with("PTO-X") || c.code.starts_with("PTO-A"));
        assert!(c.explanation.len() > c.title.len());
        assert!(codes[..i].iter().all(|d| d.code != c.code), "{}", c.code);
    }
}
