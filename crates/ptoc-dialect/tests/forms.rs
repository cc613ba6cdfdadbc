//! Reading and printing of programs: what goes in comes out, in every form.

use ptoc_dialect::{ResolveOptions, Resolved, print_module, resolve};
use ptoc_ir::{Form, print_generic};
use ptoc_target::Arch;

fn read(text: &str) -> Resolved {
    resolve(text, 0..text.len(), &ResolveOptions { arch: Some(Arch::A2A3), ..Default::default() })
}

fn ok(text: &str) -> Resolved {
    let r = read(text);
    let messages: Vec<_> = r.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert!(messages.is_empty(), "{messages:#?}\nin\n{text}");
    r
}

/// Printing gives `expected`, and reading that gives the same again; the generic form reads back to the same program too.
fn prints(text: &str, expected: &str) {
    let r = ok(text);
    let printed = print_module(&r.ir);
    assert_eq!(printed, expected);
    assert_eq!(print_module(&ok(&printed).ir), printed);
    let generic = print_generic(&r.ir);
    let back = ok(&generic);
    assert_eq!(print_generic(&back.ir), generic, "generic form of\n{printed}");
}

/// The code and the message of the only finding.
fn error(text: &str) -> (String, String) {
    let r = read(text);
    assert_eq!(r.diagnostics.len(), 1, "{:#?}", r.diagnostics);
    let d = &r.diagnostics[0];
    (d.code.to_owned(), d.message.clone())
}

const HEAD: &str = "func.func @k(%a: !pto.tile_buf<vec, 16x16xf32>, %b: !pto.tile_buf<vec, 16x16xf32>) {\n";

#[test]
fn dps_with_keyed_and_compact_types() {
    prints(
        "func.func @k(%a: !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16, v_row=9, v_col=?, blayout=row_major, slayout=none_box, fractal=512, pad=2>,
            %b: !pto.tile_buf<vec, 16x16xf32, pad=2, valid=9x?>) {
          pto.tabs ins(%a : !pto.tile_buf<vec, 16x16xf32, valid=9x?, pad=2>)
                   outs(%b : !pto.tile_buf<vec, 16x16xf32, valid=9x-1, pad=2>)
        }",
        "func.func @k(%a: !pto.tile_buf<vec, 16x16xf32, valid=9x?, pad=2>, %b: !pto.tile_buf<vec, 16x16xf32, valid=9x?, pad=2>) {
  pto.tabs ins(%a : !pto.tile_buf<vec, 16x16xf32, valid=9x?, pad=2>) outs(%b : !pto.tile_buf<vec, 16x16xf32, valid=9x?, pad=2>)
  return
}
",
    );
}

#[test]
fn ssa_form_of_an_instruction_with_a_temporary() {
    let text = "func.func @k(%s: !pto.tile<vec, 16x16xf32>, %t: !pto.tile<vec, 16x16xf32>) -> !pto.tile<vec, 16x1xf32, blayout=col_major> {
  %d = pto.trowprod %s, %t : (!pto.tile<vec, 16x16xf32>, !pto.tile<vec, 16x16xf32>) -> !pto.tile<vec, 16x1xf32, blayout=col_major>
  return %d : !pto.tile<vec, 16x1xf32, blayout=col_major>
}
";
    prints(text, text);
}

#[test]
fn sync_form_hides_the_temporary_and_brackets_indices() {
    let text = "func.func @k(%s: !pto.tile<vec, 16x16xf32>, %o: !pto.tile<vec, 32x32xf32>, %i: index) {
  %d = trowprod %s : !pto.tile<vec, 16x16xf32> -> !pto.tile<vec, 16x16xf32, valid=16x1>
  %e = tinsert %s[%i, %i] into %o : !pto.tile<vec, 16x16xf32> -> !pto.tile<vec, 32x32xf32>
  %f = tadd %s, %s : !pto.tile<vec, 16x16xf32>, !pto.tile<vec, 16x16xf32> -> !pto.tile<vec, 16x16xf32>
  return
}
";
    let r = ok(text);
    assert_eq!(print_module(&r.ir), text);
    let ops: Vec<_> =
        r.ir.body(r.ir.first_op(r.ir.top()).unwrap(), 0).map(|b| r.ir.block_ops(b).collect()).unwrap_or_default();
    assert_eq!(r.ir.op(ops[0]).form, Form::Sync);
    // src, tmp, dst: one source, nothing else.
    assert_eq!(r.ir.op(ops[0]).segments[..], [1, 0, 0]);
    // src, row, col, old dst.
    assert_eq!(r.ir.op(ops[1]).segments[..4], [1, 1, 1, 1]);
}

#[test]
fn one_type_without_an_arrow_serves_operands_and_result() {
    prints(
        "func.func @k(%a: !pto.tile<vec, 8x8xf32>) {
           %d = tadd %a, %a : !pto.tile<vec, 8x8xf32>
           return
         }",
        "func.func @k(%a: !pto.tile<vec, 8x8xf32>) {
  %d = tadd %a, %a : !pto.tile<vec, 8x8xf32>, !pto.tile<vec, 8x8xf32> -> !pto.tile<vec, 8x8xf32>
  return
}
",
    );
}

#[test]
fn numbers_stand_for_constants_in_value_forms() {
    let r = ok("func.func @k(%s: !pto.tile<vec, 16x16xf32>) {
           %e = tinsert %s[0, 8] : !pto.tile<vec, 16x16xf32> -> !pto.tile<vec, 32x32xf32>
           %m = tadds %s, 1.5 : !pto.tile<vec, 16x16xf32>, f32 -> !pto.tile<vec, 16x16xf32>
           return
         }");
    let text = print_module(&r.ir);
    assert!(text.contains("arith.constant 8 : index"), "{text}");
    assert!(text.contains("arith.constant 1.500000e+00 : f32"), "{text}");
}

#[test]
fn unknown_attributes_names_and_locations_survive() {
    prints(
        "module attributes {pto.target_arch = \"a2a3\", \"pto.device-spec\" = \"Ascend950\"} {
           func.func @k(%x: !pto.tile_buf<vec, 8x8xf32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>, pto.entry} {
             pto.tabs ins(%x : !pto.tile_buf<vec, 8x8xf32>) outs(%x : !pto.tile_buf<vec, 8x8xf32>) {my.note = [1 : i32, \"a\"], pto.fusion.order = 0 : i64} loc(\"a*/b // c\")
             return
           }
         }",
        "module attributes {pto.target_arch = \"a2a3\", \"pto.device-spec\" = \"Ascend950\"} {
  func.func @k(%x: !pto.tile_buf<vec, 8x8xf32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>, pto.entry} {
    pto.tabs ins(%x : !pto.tile_buf<vec, 8x8xf32>) outs(%x : !pto.tile_buf<vec, 8x8xf32>) {my.note = [1 : i32, \"a\"], pto.fusion.order = 0 : i64} loc(\"a*/b // c\")
    return
  }
}
",
    );
}

#[test]
fn structured_control_flow() {
    let text = "func.func @k(%n: index, %c: i1) -> index {
  %c0 = arith.constant 0 : index
  %r = scf.for %i = %c0 to %n step %n iter_args(%acc = %c0) -> (index) {
    %s = scf.if %c -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %acc : index
    }
    scf.yield %s : index
  }
  scf.for %j = %c0 to %n step %n {
  }
  %w = scf.while (%x = %c0) : (index) -> index {
    %lt = arith.cmpi slt, %x, %n : index
    scf.condition(%lt) %x : index
  } do {
  ^bb0(%y: index):
    %z = arith.addi %y, %n : index
    scf.yield %z : index
  }
  return %w : index
}
";
    prints(text, text);
}

#[test]
fn blocks_and_uses_above_definitions() {
    let text = "func.func @k(%c: i1, %n: i32) -> i32 {
  cf.cond_br %c, ^late, ^early(%n : i32)
^late:
  cf.br ^early(%n : i32)
^early(%v: i32):
  %d = arith.addi %v, %v : i32
  return %d : i32
}
";
    prints(text, text);
    let text = "func.func @k(%c: i1) {
  cf.br ^b
^a:
  %y = arith.addi %x, %x : i32
  return
^b:
  %x = arith.constant 4 : i32
  cf.br ^a
}
";
    assert_eq!(print_module(&ok(text).ir), text);
}

#[test]
fn the_generic_form_is_what_mlir_reads() {
    let r = ok("func.func private @far(i32)
func.func @k(%c: i1, %n: i32) {
  scf.if %c {
    func.call @far(%n) : (i32) -> ()
  }
  cf.cond_br %c, ^a, ^b(%n : i32)
^a:
  cf.br ^b(%n : i32)
^b(%v: i32):
  return
}");
    // The missing body and `else` are empty regions, and what a block is handed is an operand.
    let text = r#""func.func"() ({
}) {sym_visibility = "private", sym_name = "far", function_type = (i32) -> ()} : () -> ()
"func.func"() ({
^bb0(%c: i1, %n: i32):
  "scf.if"(%c) ({
    "func.call"(%n) {callee = @far} : (i32) -> ()
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  "cf.cond_br"(%c, %n)[^a, ^b] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, i32) -> ()
^a:
  "cf.br"(%n)[^b] : (i32) -> ()
^b(%v: i32):
  "func.return"() : () -> ()
}) {sym_name = "k", function_type = (i1, i32) -> ()} : () -> ()
"#;
    assert_eq!(print_generic(&r.ir), text);
    assert_eq!(print_module(&ok(text).ir), print_module(&r.ir));

    let (code, message) = error(
        "func.func @k(%c: i1, %n: i32) {
  \"cf.cond_br\"(%c, %n)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i1, i32) -> ()
^a:
  return
}",
    );
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("PTO-R009", "`operandSegmentSizes` does not split 2 operands into 3 groups")
    );
}

#[test]
fn a_word_that_is_repeated_among_the_types_is_one_attribute() {
    let frac = |word: &str| {
        format!("func.func @k(%gm: !pto.ptr<f16, gm>, %l1: !pto.ptr<f16, l1>, %n: i64, %b: i1) {{
           pto.mte_gm_l1_frac %gm, %l1, nd2nz, shape(%n, %n), src_layout(%n), dst_group(%n, %n, %n, %n), ctrl(%n, %b)
             : !pto.ptr<f16, gm>, !pto.ptr<f16, l1>, {word}, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1
           return
         }}")
    };
    let generic = print_generic(&ok(&frac("nd2nz")).ir);
    assert_eq!(generic.matches("mode = #pto<cube_load_frac_mode nd2nz>").count(), 1, "{generic}");
    assert_eq!(error(&frac("dn2nz")).1, "pto.mte_gm_l1_frac: attribute `mode` is given twice, and differs");
}

#[test]
fn aliases_are_resolved() {
    prints(
        "!t = !pto.tile_buf<vec, 8x8xf16>
         #p = #pto.pipe<PIPE_V>
         func.func @k(%x: !t) {
           pto.tabs ins(%x : !t) outs(%x : !t) {p = #p}
           return
         }",
        "func.func @k(%x: !pto.tile_buf<vec, 8x8xf16>) {
  pto.tabs ins(%x : !pto.tile_buf<vec, 8x8xf16>) outs(%x : !pto.tile_buf<vec, 8x8xf16>) {p = #pto.pipe<PIPE_V>}
  return
}
",
    );
}

#[test]
fn spellings_of_enumerations_meet_in_one() {
    for spelling in [
        "[\"PIPE_V\", \"PIPE_MTE3\", \"EVENT_ID0\"]",
        "[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]",
        "[#pto.pipe<PIPE_V>, #pto.pipe<PIPE_MTE3>, #pto.event<EVENT_ID0>]",
        "[\"PIPE_V\", <PIPE_MTE3>, #pto.event<EVENT_ID0>]",
    ] {
        let r = ok(&format!("func.func @k() {{\n  pto.set_flag{spelling}\n  return\n}}\n"));
        assert_eq!(
            print_module(&r.ir),
            "func.func @k() {\n  pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]\n  return\n}\n"
        );
    }
}

#[test]
fn the_architecture_decides_the_layout_of_left_tiles() {
    let text = "module attributes {\"pto.target_arch\" = \"a5\"} {\n  func.func @k(%a: !pto.tile_buf<left, 32x32xf16, slayout=row_major>) {\n    return\n  }\n}\n";
    let r = resolve(text, 0..text.len(), &ResolveOptions::default());
    assert_eq!(r.arch, Arch::A5);
    assert!(print_module(&r.ir).contains("left, 32x32xf16, blayout=col_major, slayout=row_major"));
    let r = read(text);
    assert!(print_module(&r.ir).contains("left, 32x32xf16, slayout=row_major"));
}

#[test]
fn custom_padding_shows_its_value() {
    for (written, printed) in [
        ("f32, pad=value(-1.0)", "f32, pad=value(-1.0)"),
        ("f32, pad=value(0xBF800000)", "f32, pad=value(-1.0)"),
        ("f16, pad=value(-1.0)", "f16, pad=value(0xBC00)"),
        ("i8, pad=value(-3)", "i8, pad=value(-3)"),
        ("f32, pad=3", "f32, pad=3"),
    ] {
        let r = ok(&format!("func.func @k(%a: !pto.tile_buf<vec, 32x32x{written}>) {{\n  return\n}}\n"));
        let text = print_module(&r.ir);
        assert!(text.contains(&format!("32x32x{printed}>")), "{text}");
    }
}

#[test]
fn errors_name_what_and_where() {
    let (code, message) = error(&format!(
        "{HEAD}  pto.tadd ins(%a, %c : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)\n  return\n}}\n"
    ));
    assert_eq!((code.as_str(), message.as_str()), ("PTO-R001", "`%c` is not defined here"));

    let (code, _) = error(&format!(
        "{HEAD}  pto.tabs ins(%a : !pto.tile_buf<vec, 16x32xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)\n  return\n}}\n"
    ));
    assert_eq!(code, "PTO-R002");
    let r = read(&format!(
        "{HEAD}  pto.tabs ins(%a : !pto.tile_buf<vec, 16x32xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)\n  return\n}}\n"
    ));
    assert!(
        r.diagnostics[0].notes.contains(&"they differ in: cols (16, 32), v_col (16, 32)".to_owned()),
        "{:?}",
        r.diagnostics[0].notes
    );

    let (code, message) = error(&format!(
        "{HEAD}  pto.tabz ins(%a : !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)\n  return\n}}\n"
    ));
    assert_eq!((code.as_str(), message.as_str()), ("PTO-R003", "no operation `pto.tabz`"));

    let (code, message) = error(&format!(
        "{HEAD}  pto.tadd ins(%a : !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)\n  return\n}}\n"
    ));
    assert_eq!((code.as_str(), message.as_str()), ("PTO-R009", "pto.tadd: one operand here, 2 expected"));

    let (code, message) = error("func.func @k(%a: !pto.tile_buf<vec, 16x16xf32, valid=17x16>) {\n  return\n}\n");
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("SA-0065", "the valid region 17x16 does not lie inside the shape 16x16")
    );

    let (code, _) = error("func.func @k(%a: !pto.tile<...>) {\n  return\n}\n");
    assert_eq!(code, "PTO-R013");

    let (code, message) = error("func.func @k() {\n  pto.set_flag[<PIPE_W>, <PIPE_V>, <EVENT_ID0>]\n  return\n}\n");
    assert_eq!((code.as_str(), message.as_str()), ("PTO-R006", "`src_pipe` cannot be `PIPE_W`"));

    let (code, message) = error("func.func @k() {\n  %x = arith.constant 300 : i8\n  return\n}\n");
    assert_eq!((code.as_str(), message.as_str()), ("PTO-R014", "300 does not fit `i8`"));
}

#[test]
fn a_rejected_operation_does_not_make_its_users_errors() {
    let r = read(
        "func.func @k() {\n  %x = pto.nothing\n  %y = arith.addi %x, %x : i32\n  %z = arith.addi %y, %y : i32\n  return\n}\n",
    );
    assert_eq!(r.diagnostics.len(), 1, "{:#?}", r.diagnostics);
}

#[test]
fn unregistered_operations_need_the_option() {
    let text = "func.func @k(%a: i32) {\n  \"my.op\"(%a) {x = 1 : i32} : (i32) -> ()\n  return\n}\n";
    assert_eq!(error(text).0, "PTO-R003");
    let r = resolve(text, 0..text.len(), &ResolveOptions { allow_unregistered: true, ..Default::default() });
    assert!(r.diagnostics.is_empty());
    assert_eq!(print_module(&r.ir), text);
}

#[test]
fn every_format_of_the_tables_compiles() {
    for def in ptoc_dialect::Dialects::get().defs() {
        if let Err(e) = ptoc_dialect::asm::check_format(def) {
            panic!("{}: {}", e.op, e.message);
        }
    }
}

/// `body` inside a function with operands of many kinds reads, prints and reads the same.
fn body_prints(body: &str) {
    let text = format!(
        "func.func @k(%a: !pto.tile_buf<vec, 16x16xf32>, %b: !pto.tile_buf<vec, 16x16xf32>, %i: index, %s: i64, %f: f32, \
         %gm: !pto.ptr<f32, gm>, %ub: !pto.ptr<f32, ub>, %l0c: !pto.ptr<f32, l0c>, \
         %v: !pto.vmi.vreg<64xf32>, %m: !pto.vmi.mask<64xpred>) {{\n  {body}\n  return\n}}\n"
    );
    let r = ok(&text);
    assert_eq!(print_module(&r.ir), text);
}

#[test]
fn repeated_clauses() {
    body_prints(
        "pto.mte_gm_ub %gm, %ub, %s, %s nburst(%s, %s, %s) loop(%s, %s, %s) loop(%s, %s, %s) pad(%f) \
         : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64, loop i64, i64, i64, pad f32",
    );
    let r = ok("func.func @k(%gm: !pto.ptr<f32, gm>, %ub: !pto.ptr<f32, ub>, %a: i64, %b: i64, %c: i64, %d: i64) {
           pto.mte_ub_gm %ub, %gm, %a nburst(%a, %a, %a) loop1(%a, %b, %c) loop2(%b, %c, %d)
             : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64, loop1 i64, i64, i64, loop2 i64, i64, i64
           return
         }");
    let text = print_module(&r.ir);
    assert!(text.contains("loop(%a, %b, %c) loop(%b, %c, %d) : "), "{text}");
}

#[test]
fn what_an_operand_is_chooses_the_form() {
    const T: &str = "!pto.tile_buf<vec, 16x16xf32>";
    body_prints(&format!("pto.tmov ins(%a : {T}, %s : i64) outs(%b : {T})"));
    body_prints(&format!("pto.tmov ins(%a : {T}, %b : {T}) outs(%b : {T})"));
    body_prints(&format!("pto.tgather ins(%a, %b : {T}, {T}) outs(%b : {T})"));
    body_prints(&format!("pto.tgather ins(%a, %f, %b : {T}, f32, {T}) outs(%b, %a : {T}, {T})"));
    body_prints(&format!(
        "pto.tgather ins(%a, {{maskPattern = #pto.mask_pattern<P0101>}} : {T}, \"row\") outs(%b : {T})"
    ));
    body_prints(&format!("pto.tmrgsort ins(%a, %s : {T}, i64) outs(%b : {T})"));
    body_prints(&format!("pto.tmrgsort ins(%a, %a, %b {{exhausted = false}} : {T}, {T}, {T}) outs(%b, %a : {T}, {T})"));
    body_prints(&format!("pto.tmrgsort ins(%a, %a no_tmp {{exhausted = true}} : {T}, {T}) outs(%b, %a : {T}, {T})"));
    body_prints("pto.vmi.vstore %v, %ub[%i], %i {group = 8 : i64} : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>");
    body_prints("pto.vmi.vstore %v, %ub[%i], %m : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<64xpred>");
    body_prints(
        "pto.vmi.vstore %v, %ub[%i], %i, %i, %m : !pto.vmi.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.vmi.mask<64xpred>",
    );
}

#[test]
fn an_alternative_that_shows_everything_is_printed() {
    const T: &str = "!pto.tile_buf<vec, 16x16xf32>";
    body_prints("pto.tassign %a, tile(4096)");
    body_prints(&format!("pto.tassign %a, %s : {T}, i64"));
    body_prints(&format!("%r = pto.tassign %a, %s : {T} -> {T}"));
    // What the alternative has no place for stands in the dictionary.
    body_prints(&format!("pto.tassign %a, %s {{address = 4096 : i64}} : {T}, i64"));
}

#[test]
fn clauses_that_stand_for_a_word() {
    const FIXED: &str = "!pto.ptr<f32, l0c>, !pto.ptr<f32, ub>, i64, i64, i64, i64";
    body_prints(&format!(
        "pto.mte_l0c_ub %l0c, %ub, %s, %s, %s, %s, dst_mode(%s), unit_flag(check_only), nz2nd, loop3(%s, %s, %s), sat \
         : {FIXED}, i64, i64, i64, i64"
    ));
    body_prints(&format!(
        "pto.mte_l0c_ub %l0c, %ub, %s, %s, %s, %s, dst_mode(split_m), nz2nz(%s), nosat : {FIXED}, i64"
    ));
    body_prints(&format!(
        "pto.mte_l0c_ub %l0c, %ub, %s, %s, %s, %s, dst_mode(split_n), pre_quant(%f, mode = qf322f16_pre_scalar), \
         pre_relu(mode = no_relu, clip = %f), nz2dn, sat(preserve_nan) : {FIXED}, f32, f32"
    ));
}

#[test]
fn a_hundred_errors_are_enough() {
    let mut text = "func.func @k(%a: i32) {\n".to_owned();
    for i in 0..30_000 {
        text.push_str(&format!("  %v{i} = arith.addi %a, %w{i} : i32\n"));
    }
    text.push_str("  return\n}\n");
    let r = read(&text);
    assert_eq!(r.diagnostics.len(), 101);
    assert_eq!(r.diagnostics[100].message, "29900 more errors are not shown");
}

#[test]
fn nested_types_end_in_an_error() {
    for levels in [64, 65, 5_000, 100_000] {
        let text = format!("func.func @k(%a: {}i32) {{\n  return\n}}\n", "() -> ".repeat(levels));
        let r = read(&text);
        assert_eq!(r.diagnostics.len(), usize::from(levels > 64), "{levels}: {:?}", r.diagnostics.first());
    }
    assert_eq!(error("func.func @k() {\n  %x = arith.constant 1.0e400 : f64\n  return\n}\n").0, "PTO-R014");
}
