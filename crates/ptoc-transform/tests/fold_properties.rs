//! Folding of generated arithmetic against Rust's own integers of the same width.

mod common;

use common::{read, run};
use proptest::prelude::*;
use ptoc_ir::{AttrData, Ir};
use ptoc_target::Arch;
use std::fmt::Write;

/// Operations of two operands; those without a result for some operands give `None`.
macro_rules! reference {
    ($name:ident, $s:ty, $u:ty) => {
        fn $name(op: &str, a: i64, b: i64) -> Option<i64> {
            let (a, b) = (a as $s, b as $s);
            let (ua, ub) = (a as $u, b as $u);
            let shift = u32::try_from(ub).ok().filter(|n| *n < <$u>::BITS);
            let signed = |v: $s| Some(v as i64);
            let unsigned = |v: $u| Some(v as $s as i64);
            match op {
                "addi" => signed(a.wrapping_add(b)),
                "subi" => signed(a.wrapping_sub(b)),
                "muli" => signed(a.wrapping_mul(b)),
                "divsi" => signed(a.checked_div(b)?),
                "remsi" => signed(a.checked_rem(b)?),
                "divui" => unsigned(ua.checked_div(ub)?),
                "remui" => unsigned(ua.checked_rem(ub)?),
                "floordivsi" => {
                    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
                    signed(if r != 0 && (r < 0) != (b < 0) { q - 1 } else { q })
                }
                "ceildivsi" => {
                    let (q, r) = (a.checked_div(b)?, a.checked_rem(b)?);
                    signed(if r != 0 && (r < 0) == (b < 0) { q + 1 } else { q })
                }
                "ceildivui" => unsigned(ua.checked_div(ub)? + <$u>::from(ua % ub != 0)),
                "minsi" => signed(a.min(b)),
                "maxsi" => signed(a.max(b)),
                "minui" => unsigned(ua.min(ub)),
                "maxui" => unsigned(ua.max(ub)),
                "andi" => signed(a & b),
                "ori" => signed(a | b),
                "xori" => signed(a ^ b),
                "shli" => unsigned(ua << shift?),
                "shrui" => unsigned(ua >> shift?),
                "shrsi" => signed(a >> shift?),
                _ => unreachable!("{op}"),
            }
        }
    };
}

/// What an operation gives for two numbers.
type Reference = fn(&str, i64, i64) -> Option<i64>;

reference!(of_i8, i8, u8);
reference!(of_i32, i32, u32);
reference!(of_i64, i64, u64);

const OPS: [&str; 20] = [
    "addi",
    "subi",
    "muli",
    "divsi",
    "remsi",
    "divui",
    "remui",
    "floordivsi",
    "ceildivsi",
    "ceildivui",
    "minsi",
    "maxsi",
    "minui",
    "maxui",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrui",
    "shrsi",
];

/// What the function returns, where that is a constant.
fn returned(ir: &Ir) -> Vec<Option<i64>> {
    let func = ir.block_ops(ir.top()).next().expect("a function");
    let end = ir.last_op(ir.body(func, 0).expect("a body")).expect("a return");
    let number = |&v| match ir.attr_data(ir.defining_op(v)?, "value")? {
        AttrData::Integer { value, .. } => i64::try_from(*value).ok(),
        _ => None,
    };
    ir.op(end).operands.iter().map(number).collect()
}

/// Numbers that are near the ends of some width, or small.
fn number() -> impl Strategy<Value = i64> {
    prop_oneof![
        any::<i64>(),
        -4i64..5,
        (0u32..64, -1i64..2).prop_map(|(n, d)| (1i64 << n).wrapping_add(d)),
        (0u32..64, -1i64..2).prop_map(|(n, d)| (-1i64 << n).wrapping_add(d)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn folding_is_arithmetic(op in 0usize..OPS.len(), a in number(), b in number()) {
        let op = OPS[op];
        let widths: [(&str, Reference, i64, i64); 4] = [
            ("i8", of_i8, i64::from(a as i8), i64::from(b as i8)),
            ("i32", of_i32, i64::from(a as i32), i64::from(b as i32)),
            ("i64", of_i64, a, b),
            ("index", of_i64, a, b),
        ];
        for (ty, reference, a, b) in widths {
            let text = format!("func.func @k() -> {ty} {{
  %a = arith.constant {a} : {ty}
  %b = arith.constant {b} : {ty}
  %r = arith.{op} %a, %b : {ty}
  return %r : {ty}
}}
");
            let mut ir = read(&text, Arch::A2A3);
            run(&mut ir, &["canonicalize"]);
            prop_assert_eq!(returned(&ir), vec![reference(op, a, b)], "{}", text);
        }
    }

    #[test]
    fn an_operand_that_is_not_known_changes_nothing(ops in prop::collection::vec((0usize..OPS.len(), 0usize..9, 0usize..9), 1..12), x in number()) {
        // The same chain on an argument and on a number: what the first one folds to must not depend on the argument.
        let small = [0, 1, -1, 2, 7];
        let program = |start: &str, params: &str| {
            let mut text = format!("func.func @k({params}) -> i32 {{\n{start}");
            for (i, n) in small.iter().enumerate() {
                let _ = writeln!(text, "  %c{i} = arith.constant {n} : i32");
            }
            for (i, &(op, a, b)) in ops.iter().enumerate() {
                let pick = |n: usize| match n {
                    0..5 => format!("%c{n}"),
                    _ if i > 0 => format!("%v{}", (i - 1).saturating_sub(n - 5)),
                    _ => "%x".to_owned(),
                };
                let _ = writeln!(text, "  %v{i} = arith.{} {}, {} : i32", OPS[op], pick(a), pick(b));
            }
            text + &format!("  return %v{} : i32\n}}\n", ops.len() - 1)
        };
        let folded = |text: &str| {
            let mut ir = read(text, Arch::A2A3);
            run(&mut ir, &["canonicalize"]);
            returned(&ir)[0]
        };
        let open = folded(&program("", "%x: i32"));
        let x = x as i32;
        let closed = folded(&program(&format!("  %x = arith.constant {x} : i32\n"), ""));
        // A step without a result for this number leaves the second one open.
        if let (Some(open), Some(closed)) = (open, closed) {
            prop_assert_eq!(open, closed, "{}", program("", "%x: i32"));
        }
    }
}
