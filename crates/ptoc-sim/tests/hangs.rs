//! Each condition of the machine description, 7.2 (flags) and 7.4 (unit flags), with a program that triggers its finding and
//! nothing else.

use ptoc_dialect::{ResolveOptions, resolve};
use ptoc_sim::run::{Memory, Options, Outcome, Schedule, find_function, run};
use ptoc_target::{Arch, Target};

/// Runs lowered text that has no arguments.
fn outcome(arch: Arch, text: &str, schedule: Schedule) -> Outcome {
    let options = ResolveOptions { arch: Some(arch), ..ResolveOptions::default() };
    let resolved = resolve(text, 0..text.len(), &options);
    assert!(resolved.diagnostics.is_empty(), "{:?}\n{text}", resolved.diagnostics);
    let target = Target::of(arch);
    let func = find_function(&resolved.ir, None).expect("a function");
    let mut memory = Memory::new(&target);
    let how = Options { schedule, max_steps: 10_000, ..Options::lowered(target) };
    run(&resolved.ir, func, &[], &mut memory, &how)
}

/// The codes found, on both machines and under every schedule the same.
fn codes(body: &str) -> Vec<&'static str> {
    let text = format!("func.func @f() {{\n{body}\n  return\n}}\n");
    let mut all = Vec::new();
    for arch in Arch::ALL {
        for schedule in [Schedule::Eager, Schedule::Adversarial(1), Schedule::Adversarial(7)] {
            let out = outcome(arch, &text, schedule);
            let mut codes: Vec<&str> = out.findings.iter().map(|d| d.code).collect();
            codes.dedup();
            all.push(codes);
        }
    }
    assert!(all.windows(2).all(|w| w[0] == w[1]), "{all:?}\n{text}");
    all.swap_remove(0)
}

fn flag(verb: &str, from: &str, to: &str, id: u32) -> String {
    format!("  pto.{verb}_flag[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID{id}>]\n")
}

fn set(from: &str, to: &str, id: u32) -> String {
    flag("set", from, to, id)
}

fn wait(from: &str, to: &str, id: u32) -> String {
    flag("wait", from, to, id)
}

#[test]
fn a_set_and_its_wait_are_fine() {
    assert!(codes(&(set("MTE2", "V", 0) + &wait("MTE2", "V", 0))).is_empty());
    assert!(codes(&(set("MTE2", "S", 3) + &wait("MTE2", "S", 3))).is_empty());
}

#[test]
fn e1_a_wait_that_nobody_sets() {
    assert_eq!(codes(&wait("MTE2", "V", 0)), ["PTO-S002"]);
    assert_eq!(codes(&wait("V", "S", 0)), ["PTO-S002"]);
}

#[test]
fn e2_another_id_or_another_pair() {
    assert_eq!(codes(&(set("MTE2", "V", 0) + &wait("MTE2", "V", 1))), ["PTO-S002"]);
    assert_eq!(codes(&(set("MTE2", "MTE3", 0) + &wait("MTE2", "V", 0))), ["PTO-S002"]);
}

#[test]
fn e3_a_set_on_the_other_path() {
    let text =
        format!("  %no = arith.constant false\n  scf.if %no {{\n{}  }}\n{}", set("MTE2", "V", 0), wait("MTE2", "V", 0));
    assert_eq!(codes(&text), ["PTO-S002"]);
}

#[test]
fn e4_a_circle() {
    let text = wait("V", "MTE2", 0) + &set("MTE2", "V", 0) + &wait("MTE2", "V", 0) + &set("V", "MTE2", 0);
    assert!(codes(&text).contains(&"PTO-S002"));
}

#[test]
fn e5_a_loop_that_was_not_primed() {
    let body = |first: &str| {
        format!(
            "  %0 = arith.constant 0 : index\n  %1 = arith.constant 1 : index\n  %4 = arith.constant 4 : index\n{first}  \
             scf.for %i = %0 to %4 step %1 {{\n{}{}{}{}  }}\n{}",
            wait("V", "MTE2", 0),
            set("MTE2", "V", 0),
            wait("MTE2", "V", 0),
            set("V", "MTE2", 0),
            wait("V", "MTE2", 0),
        )
    };
    assert!(codes(&body("")).contains(&"PTO-S002"));
    assert!(codes(&body(&set("V", "MTE2", 0))).is_empty(), "primed once, drained once");
}

#[test]
fn e6_set_twice() {
    let text = set("MTE2", "V", 0) + &set("MTE2", "V", 0) + &wait("MTE2", "V", 0);
    let text = format!("func.func @f() {{\n{text}  return\n}}\n");
    let out = outcome(Arch::A5, &text, Schedule::Eager);
    assert_eq!(out.findings.iter().map(|d| d.code).collect::<Vec<_>>(), ["PTO-S004"]);
    // Held back, the wait takes the first set, and the second stays.
    let out = outcome(Arch::A5, &text, Schedule::Adversarial(1));
    assert_eq!(out.findings.iter().map(|d| d.code).collect::<Vec<_>>(), ["PTO-S004", "PTO-S003"]);
}

#[test]
fn e7_a_ninth_id() {
    let text = "  %n = arith.constant 8 : index\n  pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %n]\n";
    assert_eq!(codes(text), ["PTO-S008"]);
}

#[test]
fn e8_left_set() {
    assert_eq!(codes(&set("MTE2", "V", 0)), ["PTO-S003"]);
}

#[test]
fn e9_a_pipe_to_itself() {
    assert_eq!(codes(&(set("V", "V", 0) + &wait("V", "V", 0))), ["PTO-S008"]);
}

#[test]
fn e10_a_pipe_that_the_core_does_not_have() {
    for (kind, pipe) in [("cube", "V"), ("vector", "M"), ("vector", "FIX")] {
        let text = format!(
            "func.func @f() attributes {{pto.kernel_kind = #pto.kernel_kind<{kind}>}} {{\n{}  return\n}}\n",
            set("MTE2", pipe, 0)
        );
        let out = outcome(Arch::A5, &text, Schedule::Eager);
        assert_eq!(out.findings.iter().map(|d| d.code).collect::<Vec<_>>(), ["PTO-S008"], "{kind} {pipe}");
    }
}

#[test]
fn e11_the_set_comes_later_in_the_program() {
    assert_eq!(codes(&(wait("MTE2", "V", 0) + &set("MTE2", "V", 0))), ["PTO-S014"]);
}

/// A program on a product of 16x16x16: `mad` and `drain` take the phases 0 (none), 2 (partial) and 3 (final).
struct Cube(String);

impl Cube {
    fn new() -> Cube {
        let mut s = String::new();
        for (name, n, space, ty) in
            [("a", 0, "l0a", "f16"), ("b", 0, "l0b", "f16"), ("c", 0, "l0c", "f32"), ("d", 4096, "l1", "f16")]
        {
            s += &format!(
                "  %{name}n = arith.constant {n} : i64\n  %{name} = pto.castptr %{name}n : i64 -> !pto.ptr<{ty}, {space}>\n"
            );
        }
        s += "  %n = arith.constant 16 : i64\n";
        for phase in [0u64, 2, 3] {
            // Columns and rows 16, destination stride 16 elements of 2 bytes; source stride 16, f32 to f16.
            let (xm, xt) = (16u64 << 4 | 16 << 16 | 16 << 32, 16u64 | phase << 32 | 1 << 34);
            s += &format!("  %xm{phase} = arith.constant {xm} : i64\n  %xt{phase} = arith.constant {xt} : i64\n");
        }
        Cube(s)
    }

    fn mad(mut self, phase: u32) -> Cube {
        let flag = match phase {
            2 => " unit_flag(check_only)",
            3 => " unit_flag(check_and_set)",
            _ => "",
        };
        self.0 += &format!(
            "  pto.mad %a, %b, %c, %n, %n, %n{flag} : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64\n"
        );
        self
    }

    fn drain(mut self, phase: u32) -> Cube {
        self.0 += &format!(
            "  pto.copy_matrix_cc_to_cbuf %c, %d, %xm{phase}, %xt{phase} : !pto.ptr<f32, l0c>, !pto.ptr<f16, l1>, i64, i64\n"
        );
        self
    }

    fn text(mut self, text: &str) -> Cube {
        self.0 += text;
        self
    }

    /// Codes without the finding that nobody wrote the operands.
    fn codes(self) -> Vec<&'static str> {
        codes(&self.0).into_iter().filter(|c| *c != "PTO-S005").collect()
    }
}

#[test]
fn a_group_of_partials_and_one_final_is_fine() {
    assert!(Cube::new().mad(2).mad(3).drain(2).drain(3).mad(3).drain(3).codes().is_empty());
}

#[test]
fn u1_a_flagged_drain_without_a_final_product() {
    assert_eq!(Cube::new().mad(2).drain(2).codes(), ["PTO-S002"]);
    assert_eq!(Cube::new().mad(2).mad(2).drain(3).codes(), ["PTO-S002"]);
}

#[test]
fn u2_two_final_products() {
    assert_eq!(Cube::new().mad(3).mad(3).codes(), ["PTO-S002"]);
    // A drain that comes later lets the second product go on, and nothing drains that one.
    assert_eq!(Cube::new().mad(3).mad(3).drain(3).codes(), ["PTO-S003"]);
}

#[test]
fn u3_u4_a_result_that_leaves_without_the_flag() {
    let flags = set("M", "FIX", 0) + &wait("M", "FIX", 0);
    let back = set("FIX", "M", 0) + &wait("FIX", "M", 0);
    assert_eq!(Cube::new().mad(3).text(&flags).drain(0).text(&back).mad(2).codes(), ["PTO-S002"]);
    assert_eq!(Cube::new().mad(3).drain(2).text(&back).mad(3).codes(), ["PTO-S002"]);
}

#[test]
fn u5_two_final_drains() {
    assert_eq!(Cube::new().mad(3).drain(3).drain(3).codes(), ["PTO-S002"]);
}

#[test]
fn u6_partial_after_final() {
    assert_eq!(Cube::new().mad(3).drain(3).drain(2).codes(), ["PTO-S002"]);
}

#[test]
fn u7_the_drain_stands_before_what_its_product_needs() {
    let text = set("FIX", "M", 0) + &wait("FIX", "M", 0);
    assert_eq!(Cube::new().drain(3).text(&text).mad(3).codes(), ["PTO-S002"]);
}

#[test]
fn r1_no_flag_at_all() {
    assert_eq!(Cube::new().mad(0).drain(0).codes(), ["PTO-S001"]);
    let flags = set("M", "FIX", 0) + &wait("M", "FIX", 0);
    assert!(Cube::new().mad(0).text(&flags).drain(0).codes().is_empty());
}

#[test]
fn r2_only_one_side_is_flagged() {
    assert_eq!(Cube::new().mad(0).drain(3).codes(), ["PTO-S002"]);
    assert_eq!(Cube::new().mad(3).drain(0).codes(), ["PTO-S001", "PTO-S003"]);
}
