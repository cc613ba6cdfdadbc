//! Every statement shape, and what the tree keeps of it.

mod common;

use common::{parts, tree};

#[test]
fn sync_form() {
    assert_eq!(
        tree("%d = tinsert %src[%r0, %r1] : !pto.tile<16x16xf16> -> !pto.tile<...>\ntstore %t, %v[%i, %j]\nreturn"),
        "%d = tinsert %src [ %r0 , %r1 ] : t:!pto.tile<16x16xf16> -> t:!pto.tile<...>; \
         tstore %t , %v [ %i , %j ]; return;"
    );
    assert_eq!(
        tree("tadd %a #atomic=add\ntsync %e0, %e1 : T, T"),
        "tadd %a a:#atomic = w:add; tsync %e0 , %e1 : w:T , w:T;"
    );
    // After results any word is a name, also one the vocabulary does not know.
    assert_eq!(tree("%d = tfoo %a, 16"), "%d = tfoo %a , i:16;");
}

#[test]
fn ssa_form() {
    assert_eq!(
        tree("%d = pto.trowprod %s, %tmp {k = 1} : (!pto.tile<f32>, !t) -> !pto.tile<f32>"),
        "%d = pto.trowprod %s , %tmp { w:k = i:1 } : ( t:!pto.tile<f32> , t:!t ) -> t:!pto.tile<f32>;"
    );
}

#[test]
fn dps_form_wraps_freely() {
    assert_eq!(
        tree("pto.tadd\n  ins(%a, %b : !t, !t)\n  outs(%d\n : !t)\n  {pto.k = 1}\n\npto.tmov ins() outs(%d : !t)"),
        "pto.tadd w:ins ( %a , %b : t:!t , t:!t ) w:outs ( %d : t:!t ) { w:pto.k = i:1 }; \
         pto.tmov w:ins ( ) w:outs ( %d : t:!t );"
    );
}

#[test]
fn generic_form() {
    assert_eq!(
        tree("%r = \"pto.x\"(%a) <{p = 1}> ({ ^bb0(%b: i32): \"t\"() : () -> () }, {}) {attrs} : (T) -> T"),
        "%r = \"pto.x\" ( %a ) < { w:p = i:1 } > ( {{ ^bb0( %b : w:i32 ): \"t\" ( ) : ( ) -> ( ); }} , {{ }} ) \
         { w:attrs } : ( w:T ) -> w:T;"
    );
    assert_eq!(tree("\"a.b\"() : () -> ()\n\"a.c\"() {x} : () -> ()").matches(';').count(), 2);
}

#[test]
fn packs_and_several_results() {
    assert_eq!(tree("%x:2, %y = pto.x %x#1 : i32, f32"), "%x:2 , %y = pto.x %x#1 : w:i32 , w:f32;");
    assert_eq!(tree("pto.a %p\n%b, %c = pto.d %q"), "pto.a %p; %b , %c = pto.d %q;");
    assert_eq!(tree("return %a, %b\n%c = pto.d"), "return %a , %b; %c = pto.d;");
}

#[test]
fn launch_brackets_are_three_groups() {
    assert_eq!(
        tree("pto.section.simt <<<32, 2, 1>>> { return }"),
        "pto.section.simt < < < i:32 , i:2 , i:1 > > > {{ return; }};"
    );
    assert_eq!(
        tree("pto.simt_launch @f<<<%x, %y>>>(%a) : (!pto.ptr<f32, ub>) -> ()"),
        "pto.simt_launch @f < < < %x , %y > > > ( %a ) : ( t:!pto.ptr<f32, ub> ) -> ( );"
    );
}

#[test]
fn dictionaries_and_regions_are_told_apart() {
    assert_eq!(
        tree("module attributes {pto.device-spec = \"A\", \"a.b\" = 1, pto.kernel} { func.func private @f() }"),
        "module w:attributes { w:pto.device-spec = \"A\" , \"a.b\" = i:1 , w:pto.kernel } \
         {{ func.func w:private @f ( ); }};"
    );
    assert_eq!(tree("scf.for %i = %a to %b { } {unroll}"), "scf.for %i = %a w:to %b {{ }} { w:unroll };");
    assert_eq!(tree("pto.vecscope {} pto.x {}"), "pto.vecscope {{ }}; pto.x { };");
    assert_eq!(tree("pto.section.cube {k = 1} {return}"), "pto.section.cube { w:k = i:1 } {{ return; }};");
    assert_eq!(tree("pto.i {id = 0, location = <vec>}(%a)"), "pto.i { w:id = i:0 , w:location = < w:vec > } ( %a );");
    assert_eq!(
        tree("pto.t ins(%s, {mask = #pto.m<P>} : T, \"row\")"),
        "pto.t w:ins ( %s , { w:mask = a:#pto.m<P> } : w:T , \"row\" );"
    );
}

#[test]
fn structured_control_flow() {
    assert_eq!(
        tree("scf.if %c -> f32 { scf.yield %a : f32 } else { scf.yield }"),
        "scf.if %c -> w:f32 {{ scf.yield %a : w:f32; }} w:else {{ scf.yield; }};"
    );
    assert_eq!(
        tree("%r = scf.for %i = %a to %b step %c iter_args(%x = %y, %z = %w) -> (f32) : i32 { %q = pto.x }"),
        "%r = scf.for %i = %a w:to %b w:step %c w:iter_args ( %x = %y , %z = %w ) -> ( w:f32 ) : w:i32 \
         {{ %q = pto.x; }};"
    );
    assert_eq!(
        tree("%r = scf.while (%a = %b) : (T) -> T { scf.condition(%c) %v : T } do { ^bb0(%x: T): scf.yield }"),
        "%r = scf.while ( %a = %b ) : ( w:T ) -> w:T {{ scf.condition ( %c ) %v : w:T; }} w:do \
         {{ ^bb0( %x : w:T ): scf.yield; }};"
    );
    assert_eq!(
        tree("%r = scf.index_switch %s -> f32 case 0 { scf.yield } default { scf.yield }"),
        "%r = scf.index_switch %s -> w:f32 w:case i:0 {{ scf.yield; }} w:default {{ scf.yield; }};"
    );
    assert_eq!(
        tree("%r = pto.fusion_region { pto.yield(%v) : (T) -> () } : T\nreturn"),
        "%r = pto.fusion_region {{ pto.yield ( %v ) : ( w:T ) -> ( ); }} : w:T; return;"
    );
    assert_eq!(
        tree("pto.strict_vecscope(%a) { ^bb0(%x: T): pto.y } : (T) -> ()"),
        "pto.strict_vecscope ( %a ) {{ ^bb0( %x : w:T ): pto.y; }} : ( w:T ) -> ( );"
    );
}

#[test]
fn labels_and_uses_of_blocks() {
    assert_eq!(
        tree("func.func @f() { cf.cond_br %c, ^a, ^b(%v : i32)\n^a: return\n^b(%v: i32, %w : i1): return }"),
        "func.func @f ( ) {{ cf.cond_br %c , b:^a , b:^b ( %v : w:i32 ); ^a: return; \
         ^b( %v : w:i32 , %w : w:i1 ): return; }};"
    );
    assert_eq!(
        tree("cf.switch %f : i32, [default: ^j(%a : f32), 0: ^k]"),
        "cf.switch %f : w:i32 , [ w:default : b:^j ( %a : w:f32 ) , i:0 : b:^k ];"
    );
}

#[test]
fn aliases_and_locations() {
    assert_eq!(
        tree("!t = vector<4xi16>\n!u = (i32) -> i32\n#a = 1 : i32\n#loc = loc(\"x\")\nmodule {}"),
        "alias !t = t:vector<4xi16>;alias !u = ( w:i32 ) -> w:i32;alias #a = i:1 : w:i32;\
         alias #loc = w:loc ( \"x\" ); module {{ }};"
    );
    assert_eq!(tree("pto.x loc(\"a*/b\")\npto.y loc(#l)"), "pto.x w:loc ( \"a*/b\" ); pto.y w:loc ( a:#l );");
}

#[test]
fn functions_at_the_top() {
    assert_eq!(
        tree(
            "func.func private @f(%a: !t {pto.x}, i32) -> (T, T) attributes {pto.kernel}\nfunc.func @g() { call @f() : () -> () return }"
        ),
        "func.func w:private @f ( %a : t:!t { w:pto.x } , w:i32 ) -> ( w:T , w:T ) w:attributes { w:pto.kernel }; \
         func.func @g ( ) {{ call @f ( ) : ( ) -> ( ); return; }};"
    );
}

#[test]
fn clauses_without_parentheses() {
    assert_eq!(
        tree("%t = pto.alloc_tile addr = %a valid_row = %r : !t\n%b = pto.subview %t[%r, %c] sizes [8, 64] : !t"),
        "%t = pto.alloc_tile w:addr = %a w:valid_row = %r : t:!t; \
         %b = pto.subview %t [ %r , %c ] w:sizes [ i:8 , i:64 ] : t:!t;"
    );
    assert_eq!(
        tree("pto.get_buf \"PIPE_V\", 0, 0 pto.set_flag[\"A\", <PIPE_M>, #pto.event<E>] pto.barrier <PIPE_ALL>"),
        "pto.get_buf \"PIPE_V\" , i:0 , i:0; pto.set_flag [ \"A\" , < w:PIPE_M > , a:#pto.event<E> ]; \
         pto.barrier < w:PIPE_ALL >;"
    );
    assert_eq!(
        tree("%f = llvm.alloca %c x f32 {p} : (i32) -> !llvm.ptr"),
        "%f = llvm.alloca %c w:x w:f32 { w:p } : ( w:i32 ) -> t:!llvm.ptr;"
    );
    assert_eq!(
        tree("pto.mte %a, %b nburst(%n, %s) loop2(%i) : !p, i64, loop2 i64"),
        "pto.mte %a , %b w:nburst ( %n , %s ) w:loop2 ( %i ) : t:!p , w:i64 , w:loop2 w:i64;"
    );
    assert_eq!(tree("tadd %t : T | T"), "tadd %t : w:T | w:T;");
}

#[test]
fn types_and_attributes_are_one_item() {
    for whole in [
        "!pto.tile_buf<loc=vec, dtype=f32, rows=1, cols=8, v_row=-1, v_col=?, fractal=512, pad=0>",
        "!pto.vmi.vreg<1xui8, #pto.vmi.layout<num_groups = 1, slots = 1>>",
        "!pto.struct<!pto.struct<!pto.struct<!pto.struct<!pto.struct<i8>>>>>",
        "!pto.ptr<\n  f32, // not > here\n  ub>",
        "!llvm.struct<(i32, ptr)>",
        "!pto.f<(i32) -> i64>",
        "!pto.s<\">\", 1>",
        "vector<4xi16>",
        "memref<?xf32, strided<[1, 2], offset: ?>, #pto.address_space<vec>>",
        "tensor<*xf32>",
        "!pto.tile<...>",
        "!pto.align",
    ] {
        assert_eq!(tree(&format!("pto.x : {whole}, i32")), format!("pto.x : t:{whole} , w:i32;"));
    }
    for whole in [
        "#pto<round_mode CAST_RINT>",
        "#pto.pipe<PIPE_V>",
        "#alias",
        "dense<[1.0, -2.0]>",
        "array<i32: 1, 2>",
        "affine_map<(d0) -> (d0 * 2)>",
        "#pto.q<layout = nz2nd, relu = \"a\">",
    ] {
        assert_eq!(tree(&format!("pto.x {{k = {whole}}}")), format!("pto.x {{ w:k = a:{whole} }};"));
    }
}

#[test]
fn headless_types_are_groups() {
    assert_eq!(
        tree("%q = pto.addptr %p, %o : <f32> -> <16x?xf32>"),
        "%q = pto.addptr %p , %o : < w:f32 > -> < i:16 x ? x w:f32 >;"
    );
}

#[test]
fn parts_of_types() {
    for (text, want) in [
        (
            "!pto.tile_buf<loc=vec, 16x32xf16, valid=?x?, v_row=-1>",
            "h:!pto.tile_buf < w:loc = w:vec , i:16 x i:32 x w:f16 , w:valid = ? x ? , w:v_row = i:-1 >",
        ),
        ("vector<4xi16>", "w:vector < i:4 x w:i16 >"),
        ("vector<[4]xf32>", "w:vector < [ i:4 ] x w:f32 >"),
        ("tensor<*xf32>", "w:tensor < * x w:f32 >"),
        ("tensor<?x0x4xf32>", "w:tensor < ? x i:0 x i:4 x w:f32 >"),
        ("(i32, f32) -> f32", "( w:i32 , w:f32 ) -> w:f32"),
        ("!p<0x16xf32>", "h:!p < i:0 x i:16 x w:f32 >"),
        ("!p<0xf32>", "h:!p < i:0 x w:f32 >"),
        ("!p<valid=0x16>", "h:!p < w:valid = i:0 x i:16 >"),
        ("!p<8x!pto.f4E2M1x2>", "h:!p < i:8 x h:!pto.f4E2M1x2 >"),
        ("!p<16xbf16, gm>", "h:!p < i:16 x w:bf16 , w:gm >"),
        (
            "!pto.vmi.mask<256xpred, #pto.vmi.layout<num_groups = 1>>",
            "h:!pto.vmi.mask < i:256 x w:pred , h:#pto.vmi.layout < w:num_groups = i:1 > >",
        ),
        ("memref<2xf32, strided<[1], offset: ?>>", "w:memref < i:2 x w:f32 , w:strided < [ i:1 ] , w:offset : ? > >"),
    ] {
        assert_eq!(parts(text), want);
    }
}

#[test]
fn parts_of_attributes() {
    for (text, want) in [
        ("#pto<cmp eq>", "h:#pto < w:cmp w:eq >"),
        ("#pto.k<0x16>", "h:#pto.k < i:0x16 >"),
        ("dense<0xFF> : vector<4xi32>", "w:dense < i:0xFF > : w:vector < i:4 x w:i32 >"),
        ("array<i32: 1, -2>", "w:array < w:i32 : i:1 , i:-2 >"),
        ("{a = [1, 2.5], b}", "{ w:a = [ i:1 , f:2.5 ] , w:b }"),
        ("-1 : i32", "i:-1 : w:i32"),
        ("@a::@b", "@a::@b"),
    ] {
        assert_eq!(parts(text), want);
    }
}
