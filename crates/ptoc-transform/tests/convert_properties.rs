//! Form conversion of generated programs: it keeps what a program does, and there and back is the same program.

mod common;

use common::interpret::interpret;
use common::{anonymous, pass, read, renamed, run};
use proptest::prelude::*;
use ptoc_dialect::print_module;
use ptoc_target::Arch;
use ptoc_transform::passes;
use std::fmt::Write;

/// Numbers out of a seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

const SMALL: &str = "vec, 16x16xf32";
const BIG: &str = "vec, 32x32xf32";
const VIEW: &str = "!pto.partition_tensor_view<16x16xf32>";
const CONDITIONS: usize = 3;

fn shape(big: bool) -> &'static str {
    if big { BIG } else { SMALL }
}

/// Function head with the constants that bodies use.
fn head(form: &str, args: usize) -> String {
    let mut s = String::from("func.func @k(");
    for i in 0..args {
        let _ = write!(s, "%arg{i}: !pto.{form}<{SMALL}>, ");
    }
    for i in 0..CONDITIONS {
        let _ = write!(s, "%c{i}: i1, ");
    }
    let _ = writeln!(s, "%g: {VIEW}, %big: !pto.partition_tensor_view<32x32xf32>) {{");
    for n in 0..4 {
        let _ = writeln!(s, "%n{n} = arith.constant {n} : index");
    }
    let _ = writeln!(s, "%f = arith.constant 1.0 : f32");
    s
}

fn every_condition(mut test: impl FnMut(&[bool])) {
    for bits in 0..1 << CONDITIONS {
        let c: Vec<bool> = (0..CONDITIONS).map(|i| bits >> i & 1 == 1).collect();
        test(&c);
    }
}

// ---- programs whose two forms are known ----

#[derive(Debug, Clone)]
enum Stmt {
    /// An allocation that stands by itself, with an address or not.
    Alloc {
        dst: usize,
    },
    /// An instruction; `fresh` ones make their tile.
    Write {
        name: &'static str,
        dst: usize,
        srcs: Vec<usize>,
        tmp: Option<usize>,
        fresh: bool,
    },
    Store {
        src: usize,
    },
    For {
        trips: usize,
        body: Vec<Stmt>,
    },
    If {
        cond: usize,
        then: Vec<Stmt>,
        other: Option<Vec<Stmt>>,
        fresh: Vec<usize>,
    },
}

struct Known {
    rng: Rng,
    /// Size of every tile.
    tiles: Vec<bool>,
    args: usize,
}

impl Known {
    fn pick(&mut self, live: &[usize], big: bool) -> Option<usize> {
        let fit: Vec<usize> = live.iter().copied().filter(|&t| self.tiles[t] == big).collect();
        (!fit.is_empty()).then(|| fit[self.rng.below(fit.len())])
    }

    fn new_tile(&mut self, big: bool) -> usize {
        self.tiles.push(big);
        self.tiles.len() - 1
    }

    /// An instruction that writes `dst` as a whole.
    fn whole(&mut self, dst: usize, live: &[usize], fresh: bool) -> Stmt {
        let big = self.tiles[dst];
        let (a, b) = (self.pick(live, big), self.pick(live, big));
        let (name, srcs) = match (a, b, self.rng.below(3)) {
            (Some(a), _, 0) => ("texp", vec![a]),
            (Some(a), Some(b), _) => ("tadd", vec![a, b]),
            _ => ("texpands", vec![]),
        };
        Stmt::Write { name, dst, srcs, tmp: None, fresh }
    }

    fn block(&mut self, depth: usize, size: usize, outer: &[usize]) -> Vec<Stmt> {
        let mut live = outer.to_vec();
        let mut out = Vec::new();
        for _ in 0..size {
            match self.rng.below(10) {
                0 => {
                    let big = self.rng.chance(30);
                    let dst = self.new_tile(big);
                    out.push(Stmt::Alloc { dst });
                    let first = self.whole(dst, &live, false);
                    out.push(first);
                    live.push(dst);
                }
                1 | 2 => {
                    let big = self.rng.chance(30);
                    let dst = self.new_tile(big);
                    let s = self.whole(dst, &live, true);
                    out.push(s);
                    live.push(dst);
                }
                3 | 4 if !live.is_empty() => {
                    let dst = live[self.rng.below(live.len())];
                    let s = self.whole(dst, &live, false);
                    out.push(s);
                }
                5 => {
                    if let (Some(src), Some(dst)) = (self.pick(&live, false), self.pick(&live, true)) {
                        out.push(Stmt::Write { name: "tinsert", dst, srcs: vec![src], tmp: None, fresh: false });
                    }
                }
                6 if !live.is_empty() => {
                    let src = live[self.rng.below(live.len())];
                    out.push(Stmt::Store { src });
                }
                7 if depth > 0 => {
                    let trips = self.rng.below(4);
                    let n = 1 + self.rng.below(4);
                    let body = self.block(depth - 1, n, &live);
                    out.push(Stmt::For { trips, body });
                }
                8 if depth > 0 => {
                    let made = self.rng.below(3);
                    let fresh: Vec<usize> = (0..made)
                        .map(|_| {
                            let big = self.rng.chance(30);
                            self.new_tile(big)
                        })
                        .collect();
                    let branch = |s: &mut Self| {
                        let mut stmts: Vec<Stmt> = fresh.iter().map(|&f| s.whole(f, &live, false)).collect();
                        let inner: Vec<usize> = live.iter().chain(&fresh).copied().collect();
                        let n = s.rng.below(4);
                        stmts.append(&mut s.block(depth - 1, n, &inner));
                        stmts
                    };
                    let then = branch(self);
                    let other = if !fresh.is_empty() || self.rng.chance(50) { Some(branch(self)) } else { None };
                    live.extend(&fresh);
                    let cond = self.rng.below(CONDITIONS);
                    out.push(Stmt::If { cond, then, other, fresh });
                }
                9 => {
                    if let (Some(src), Some(tmp)) = (self.pick(&live, false), None.or(Some(self.new_tile(false)))) {
                        out.push(Stmt::Alloc { dst: tmp });
                        let dst = self.new_tile(false);
                        out.push(Stmt::Write { name: "trowprod", dst, srcs: vec![src], tmp: Some(tmp), fresh: true });
                        live.push(dst);
                    }
                }
                _ => {}
            }
        }
        out
    }

    // ---- DPS text ----

    fn dps(&self, stmts: &[Stmt], depth: usize, out: &mut String) {
        for s in stmts {
            match s {
                Stmt::Alloc { dst } => {
                    let _ = writeln!(out, "%t{dst} = pto.alloc_tile : !pto.tile_buf<{}>", shape(self.tiles[*dst]));
                    // Something between the allocation and its use, so that it is not where it would be made up.
                    let _ = writeln!(out, "%k{dst} = arith.constant {dst} : index");
                }
                Stmt::Write { name, dst, srcs, tmp, fresh } => {
                    let ty = |t: usize| format!("!pto.tile_buf<{}>", shape(self.tiles[t]));
                    if *fresh {
                        let _ = writeln!(out, "%t{dst} = pto.alloc_tile : {}", ty(*dst));
                    }
                    let mut ins: Vec<String> = srcs.iter().chain(tmp).map(|s| self.name(*s)).collect();
                    let mut types: Vec<String> = srcs.iter().chain(tmp).map(|&s| ty(s)).collect();
                    add_scalars(name, &mut ins, &mut types);
                    let (ins, types) = (ins.join(", "), types.join(", "));
                    let _ = writeln!(out, "pto.{name} ins({ins} : {types}) outs({} : {})", self.name(*dst), ty(*dst));
                }
                Stmt::Store { src } => {
                    let ty = shape(self.tiles[*src]);
                    let (view, vty) = view_of(self.tiles[*src]);
                    let _ =
                        writeln!(out, "pto.tstore ins({} : !pto.tile_buf<{ty}>) outs({view} : {vty})", self.name(*src));
                }
                Stmt::For { trips, body } => {
                    let _ = writeln!(out, "scf.for %i{depth} = %n0 to %n{trips} step %n1 {{");
                    self.dps(body, depth + 1, out);
                    out.push_str("}\n");
                }
                Stmt::If { cond, then, other, fresh } => {
                    for f in fresh {
                        let _ = writeln!(out, "%t{f} = pto.alloc_tile : !pto.tile_buf<{}>", shape(self.tiles[*f]));
                    }
                    let _ = writeln!(out, "scf.if %c{cond} {{");
                    self.dps(then, depth + 1, out);
                    out.push('}');
                    if let Some(other) = other {
                        out.push_str(" else {\n");
                        self.dps(other, depth + 1, out);
                        out.push('}');
                    }
                    out.push('\n');
                }
            }
        }
    }

    fn name(&self, t: usize) -> String {
        if t < self.args { format!("%arg{t}") } else { format!("%t{t}") }
    }

    // ---- SSA text, made from the same program by other means ----

    /// Outer tiles that statements write, in order of definition.
    fn written(stmts: &[Stmt], defined: &mut Vec<usize>, out: &mut Vec<usize>) {
        for s in stmts {
            match s {
                Stmt::Alloc { dst } => defined.push(*dst),
                Stmt::Write { dst, fresh: true, .. } => defined.push(*dst),
                Stmt::Write { dst, .. } => out.push(*dst),
                Stmt::Store { .. } => {}
                Stmt::For { body, .. } => Self::written(body, defined, out),
                Stmt::If { then, other, fresh, .. } => {
                    defined.extend(fresh);
                    Self::written(then, defined, out);
                    Self::written(other.as_deref().unwrap_or(&[]), defined, out);
                }
            }
        }
    }

    fn outer(stmts: &[Stmt]) -> Vec<usize> {
        let (mut defined, mut out) = (Vec::new(), Vec::new());
        Self::written(stmts, &mut defined, &mut out);
        out.retain(|t| !defined.contains(t));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// `now` holds the newest value of each tile; `None` for one that nothing was put into yet.
    fn ssa(&self, stmts: &[Stmt], depth: usize, now: &mut [Option<String>], count: &mut usize, out: &mut String) {
        let ty = |t: usize| format!("!pto.tile<{}>", shape(self.tiles[t]));
        let types = |ts: &[usize]| ts.iter().map(|&t| ty(t)).collect::<Vec<_>>().join(", ");
        let values = |now: &[Option<String>], ts: &[usize]| {
            ts.iter().map(|&t| now[t].clone().unwrap_or_default()).collect::<Vec<_>>().join(", ")
        };
        for s in stmts {
            match s {
                Stmt::Alloc { dst } => {
                    let name = next_name(count);
                    let _ = writeln!(out, "{name} = pto.alloc_tile : {}", ty(*dst));
                    let _ = writeln!(out, "%k{dst} = arith.constant {dst} : index");
                    now[*dst] = Some(name);
                }
                Stmt::Write { name, dst, srcs, tmp, .. } => {
                    let mut ins: Vec<String> =
                        srcs.iter().chain(tmp).map(|&s| now[s].clone().unwrap_or_default()).collect();
                    let mut tys: Vec<String> = srcs.iter().chain(tmp).map(|&s| ty(s)).collect();
                    add_scalars(name, &mut ins, &mut tys);
                    let into = now[*dst].as_ref().map(|o| format!(" into {o}")).unwrap_or_default();
                    let result = next_name(count);
                    let (ins, tys) = (ins.join(", "), tys.join(", "));
                    let _ = writeln!(out, "{result} = pto.{name} {ins}{into} : ({tys}) -> {}", ty(*dst));
                    now[*dst] = Some(result);
                }
                Stmt::Store { src } => {
                    let (view, vty) = view_of(self.tiles[*src]);
                    let from = now[*src].clone().unwrap_or_default();
                    let _ = writeln!(out, "pto.tstore {from}, {view} : ({}, {vty}) -> ()", ty(*src));
                }
                Stmt::For { trips, body } => {
                    let carried = Self::outer(body);
                    let results: Vec<String> = carried.iter().map(|_| next_name(count)).collect();
                    let args: Vec<String> = carried.iter().map(|_| next_name(count)).collect();
                    if !carried.is_empty() {
                        let _ = write!(out, "{} = ", results.join(", "));
                    }
                    let _ = write!(out, "scf.for %i{depth} = %n0 to %n{trips} step %n1 ");
                    if !carried.is_empty() {
                        let inits: Vec<String> =
                            carried.iter().zip(&args).map(|(&t, a)| format!("{a} = {}", values(now, &[t]))).collect();
                        let _ = write!(out, "iter_args({}) -> ({}) ", inits.join(", "), types(&carried));
                    }
                    out.push_str("{\n");
                    let mut inner = now.to_owned();
                    carried.iter().zip(&args).for_each(|(&t, a)| inner[t] = Some(a.clone()));
                    self.ssa(body, depth + 1, &mut inner, count, out);
                    if !carried.is_empty() {
                        let _ = writeln!(out, "scf.yield {} : {}", values(&inner, &carried), types(&carried));
                    }
                    out.push_str("}\n");
                    carried.iter().zip(results).for_each(|(&t, r)| now[t] = Some(r));
                }
                Stmt::If { cond, then, other, fresh } => {
                    let both: Vec<Stmt> = then.iter().chain(other.iter().flatten()).cloned().collect();
                    let carried = Self::outer(&both);
                    let results: Vec<String> = carried.iter().map(|_| next_name(count)).collect();
                    if !carried.is_empty() {
                        let _ = write!(out, "{} = ", results.join(", "));
                    }
                    let _ = write!(out, "scf.if %c{cond} ");
                    if !carried.is_empty() {
                        let _ = write!(out, "-> ({}) ", types(&carried));
                    }
                    let empty_else = other.as_ref().is_some_and(Vec::is_empty) && !carried.is_empty();
                    for (n, branch) in [Some(then), other.as_ref()].into_iter().enumerate() {
                        if n == 1 && branch.is_none() && carried.is_empty() {
                            continue;
                        }
                        out.push_str(if n == 0 { "{\n" } else { " else {\n" });
                        let mut inner = now.to_owned();
                        fresh.iter().for_each(|&f| inner[f] = None);
                        self.ssa(branch.map_or(&[], |b| b), depth + 1, &mut inner, count, out);
                        if !carried.is_empty() {
                            let _ = writeln!(out, "scf.yield {} : {}", values(&inner, &carried), types(&carried));
                        }
                        out.push('}');
                    }
                    out.push_str(if empty_else { " {pto.empty_else}\n" } else { "\n" });
                    carried.iter().zip(results).for_each(|(&t, r)| now[t] = Some(r));
                }
            }
        }
    }
}

fn next_name(count: &mut usize) -> String {
    *count += 1;
    format!("%v{count}")
}

fn view_of(big: bool) -> (&'static str, &'static str) {
    if big { ("%big", "!pto.partition_tensor_view<32x32xf32>") } else { ("%g", VIEW) }
}

/// The operands that are no tiles.
fn add_scalars(name: &str, ins: &mut Vec<String>, types: &mut Vec<String>) {
    match name {
        "tinsert" => {
            ins.extend(["%n0".to_owned(), "%n0".to_owned()]);
            types.extend(["index".to_owned(), "index".to_owned()]);
        }
        "texpands" => {
            ins.push("%f".to_owned());
            types.push("f32".to_owned());
        }
        _ => {}
    }
}

/// A program in DPS form and in SSA form.
fn known_program(seed: u64, size: usize) -> (String, String) {
    let args = 2;
    let mut k = Known { rng: Rng(seed | 1), tiles: vec![false; args], args };
    let live: Vec<usize> = (0..args).collect();
    let stmts = k.block(3, size, &live);
    let (mut dps, mut ssa) = (head("tile_buf", args), head("tile", args));
    k.dps(&stmts, 0, &mut dps);
    let mut now: Vec<Option<String>> = (0..k.tiles.len()).map(|t| (t < args).then(|| format!("%arg{t}"))).collect();
    k.ssa(&stmts, 0, &mut now, &mut 0, &mut ssa);
    for s in [&mut dps, &mut ssa] {
        s.push_str("return\n}\n");
    }
    (dps, ssa)
}

// ---- programs in DPS form with tiles that overlap ----

fn overlapping_program(seed: u64, size: usize) -> String {
    fn block(r: &mut Rng, depth: usize, size: usize, outer: &[(String, bool)], count: &mut usize, out: &mut String) {
        let mut live = outer.to_vec();
        for _ in 0..size {
            let tile = |r: &mut Rng, live: &[(String, bool)], big: bool| {
                let fit: Vec<&(String, bool)> = live.iter().filter(|t| t.1 == big).collect();
                (!fit.is_empty()).then(|| fit[r.below(fit.len())].0.clone())
            };
            match r.below(9) {
                0 | 1 => {
                    let big = r.chance(30);
                    *count += 1;
                    let name = format!("%t{count}");
                    if r.chance(75) {
                        let at = 512 * r.below(12);
                        let _ = writeln!(out, "%a{count} = arith.constant {at} : i64");
                        let _ =
                            writeln!(out, "{name} = pto.alloc_tile addr = %a{count} : !pto.tile_buf<{}>", shape(big));
                    } else {
                        let _ = writeln!(out, "{name} = pto.alloc_tile : !pto.tile_buf<{}>", shape(big));
                        let _ =
                            writeln!(out, "pto.texpands ins(%f : f32) outs({name} : !pto.tile_buf<{}>)", shape(big));
                    }
                    live.push((name, big));
                }
                2..=4 => {
                    let big = r.chance(30);
                    let (Some(a), Some(b), Some(d)) = (tile(r, &live, big), tile(r, &live, big), tile(r, &live, big))
                    else {
                        continue;
                    };
                    let t = shape(big);
                    let _ = writeln!(
                        out,
                        "pto.tadd ins({a}, {b} : !pto.tile_buf<{t}>, !pto.tile_buf<{t}>) outs({d} : !pto.tile_buf<{t}>)"
                    );
                }
                5 => {
                    let (Some(a), Some(d)) = (tile(r, &live, false), tile(r, &live, true)) else { continue };
                    let _ = writeln!(
                        out,
                        "pto.tinsert ins({a}, %n0, %n0 : !pto.tile_buf<{SMALL}>, index, index) outs({d} : !pto.tile_buf<{BIG}>)"
                    );
                }
                6 => {
                    let big = r.chance(30);
                    let Some(a) = tile(r, &live, big) else { continue };
                    let (view, vty) = view_of(big);
                    let _ = writeln!(out, "pto.tstore ins({a} : !pto.tile_buf<{}>) outs({view} : {vty})", shape(big));
                }
                7 => {
                    let (Some(a), Some(b), Some(d)) =
                        (tile(r, &live, false), tile(r, &live, false), tile(r, &live, false))
                    else {
                        continue;
                    };
                    if a == b || b == d || b.starts_with("%arg") {
                        continue;
                    }
                    let t = SMALL;
                    let _ = writeln!(
                        out,
                        "pto.trowprod ins({a}, {b} : !pto.tile_buf<{t}>, !pto.tile_buf<{t}>) outs({d} : !pto.tile_buf<{t}>)"
                    );
                }
                _ if depth > 0 => {
                    let n = 1 + r.below(5);
                    if r.chance(50) {
                        let _ = writeln!(out, "scf.for %i{depth} = %n0 to %n{} step %n1 {{", r.below(4));
                        block(r, depth - 1, n, &live, count, out);
                        out.push_str("}\n");
                    } else {
                        let _ = writeln!(out, "scf.if %c{} {{", r.below(CONDITIONS));
                        block(r, depth - 1, n, &live, count, out);
                        out.push('}');
                        if r.chance(60) {
                            out.push_str(" else {\n");
                            let n = r.below(4);
                            block(r, depth - 1, n, &live, count, out);
                            out.push('}');
                        }
                        out.push('\n');
                    }
                }
                _ => {}
            }
        }
    }
    let mut out = head("tile_buf", 2);
    let live = vec![("%arg0".to_owned(), false), ("%arg1".to_owned(), false)];
    block(&mut Rng(seed | 1), 3, size, &live, &mut 0, &mut out);
    out.push_str("return\n}\n");
    out
}

// ---- programs in SSA form in which storage is handed on in any way ----

/// With `outputs` the arguments themselves are written, so what is in their storage at the end counts.
fn any_ssa_program(seed: u64, size: usize, outputs: bool) -> String {
    fn value(r: &mut Rng, live: &[(String, bool)], big: bool) -> Option<String> {
        let fit: Vec<&(String, bool)> = live.iter().filter(|t| t.1 == big).collect();
        // Newer values more often.
        (!fit.is_empty()).then(|| {
            let n = r.below(fit.len()).max(r.below(fit.len()));
            fit[n].0.clone()
        })
    }
    fn block(
        r: &mut Rng,
        depth: usize,
        size: usize,
        outer: &[(String, bool)],
        count: &mut usize,
        out: &mut String,
    ) -> Vec<(String, bool)> {
        let mut live = outer.to_vec();
        for _ in 0..size {
            let big = r.chance(30);
            let t = shape(big);
            *count += 1;
            let name = format!("%v{count}");
            match r.below(10) {
                0..=3 => {
                    let (Some(a), Some(b)) = (value(r, &live, big), value(r, &live, big)) else {
                        let _ = writeln!(out, "{name} = pto.texpands %f : (f32) -> !pto.tile<{t}>");
                        live.push((name, big));
                        continue;
                    };
                    let into = match value(r, &live, big) {
                        Some(o) if r.chance(50) && !o.starts_with("%arg") => format!(" into {o}"),
                        _ => String::new(),
                    };
                    let _ = writeln!(
                        out,
                        "{name} = pto.tadd {a}, {b}{into} : (!pto.tile<{t}>, !pto.tile<{t}>) -> !pto.tile<{t}>"
                    );
                    live.push((name, big));
                }
                4 => {
                    let (Some(a), Some(d)) = (value(r, &live, false), value(r, &live, true)) else { continue };
                    let _ = writeln!(
                        out,
                        "{name} = pto.tinsert {a}, %n0, %n0 into {d} : (!pto.tile<{SMALL}>, index, index) -> !pto.tile<{BIG}>"
                    );
                    live.push((name, true));
                }
                5 => {
                    let Some(a) = value(r, &live, big) else { continue };
                    let (view, vty) = view_of(big);
                    let _ = writeln!(out, "pto.tstore {a}, {view} : (!pto.tile<{t}>, {vty}) -> ()");
                }
                6 => {
                    let (Some(a), Some(b)) = (value(r, &live, false), value(r, &live, false)) else { continue };
                    let into = match value(r, &live, false) {
                        Some(o) if r.chance(30) && !o.starts_with("%arg") && o != b => format!(" into {o}"),
                        _ => String::new(),
                    };
                    if a == b || b.starts_with("%arg") {
                        continue;
                    }
                    let _ = writeln!(
                        out,
                        "{name} = pto.trowprod {a}, {b}{into} : (!pto.tile<{SMALL}>, !pto.tile<{SMALL}>) -> !pto.tile<{SMALL}>"
                    );
                    live.push((name, false));
                }
                7 | 8 if depth > 0 => {
                    let n = 1 + r.below(3);
                    let carried: Vec<(String, bool)> = (0..n)
                        .filter_map(|_| {
                            let big = r.chance(30);
                            Some((value(r, &live, big)?, big))
                        })
                        .filter(|c| !c.0.starts_with("%arg"))
                        .collect();
                    if carried.is_empty() {
                        continue;
                    }
                    let mut inner = live.clone();
                    let mut inits = Vec::new();
                    for (k, c) in carried.iter().enumerate() {
                        let arg = format!("{name}a{k}");
                        inits.push(format!("{arg} = {}", c.0));
                        inner.push((arg, c.1));
                    }
                    let types: Vec<String> = carried.iter().map(|c| format!("!pto.tile<{}>", shape(c.1))).collect();
                    let results: Vec<String> = (0..carried.len()).map(|k| format!("{name}r{k}")).collect();
                    let _ = writeln!(
                        out,
                        "{} = scf.for %i{depth} = %n0 to %n{} step %n1 iter_args({}) -> ({}) {{",
                        results.join(", "),
                        r.below(4),
                        inits.join(", "),
                        types.join(", ")
                    );
                    let size = 1 + r.below(4);
                    let end = block(r, depth - 1, size, &inner, count, out);
                    let outs: Vec<String> = carried.iter().map(|c| value(r, &end, c.1).unwrap_or_default()).collect();
                    let _ = writeln!(out, "scf.yield {} : {}\n}}", outs.join(", "), types.join(", "));
                    live.extend(results.into_iter().zip(carried).map(|(r, c)| (r, c.1)));
                }
                _ if depth > 0 => {
                    let kinds: Vec<bool> = (0..1 + r.below(2)).map(|_| r.chance(30)).collect();
                    if kinds.iter().any(|&b| value(r, &live, b).is_none()) {
                        continue;
                    }
                    let types: Vec<String> = kinds.iter().map(|&b| format!("!pto.tile<{}>", shape(b))).collect();
                    let results: Vec<String> = (0..kinds.len()).map(|k| format!("{name}r{k}")).collect();
                    let _ = writeln!(
                        out,
                        "{} = scf.if %c{} -> ({}) {{",
                        results.join(", "),
                        r.below(CONDITIONS),
                        types.join(", ")
                    );
                    for n in 0..2 {
                        let size = r.below(4);
                        let end = block(r, depth - 1, size, &live, count, out);
                        let outs: Vec<String> = kinds.iter().map(|&b| value(r, &end, b).unwrap_or_default()).collect();
                        let _ = writeln!(out, "scf.yield {} : {}", outs.join(", "), types.join(", "));
                        out.push_str(if n == 0 { "} else {\n" } else { "}\n" });
                    }
                    live.extend(results.into_iter().zip(kinds));
                }
                _ => {}
            }
        }
        live
    }
    let mut out = head("tile", 2);
    let mut name = |n: usize| {
        if !outputs {
            let _ = writeln!(out, "%in{n} = pto.tmov %arg{n} : (!pto.tile<{SMALL}>) -> !pto.tile<{SMALL}>");
        }
        (format!("%{}{n}", if outputs { "arg" } else { "in" }), false)
    };
    let live = vec![name(0), name(1)];
    block(&mut Rng(seed | 1), 3, size, &live, &mut 0, &mut out);
    out.push_str("return\n}\n");
    out
}

/// Programs for each property; more with `PROPTEST_CASES`.
fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_forms_of_a_program_convert_to_each_other(seed in any::<u64>(), size in 1usize..30) {
        let (dps, ssa) = known_program(seed, size);
        let (want_dps, want_ssa) = (renamed(&dps), renamed(&ssa));
        let mut ir = read(&dps, Arch::A2A3);
        run(&mut ir, &["convert-to-ssa"]);
        let got = anonymous(&mut ir);
        prop_assert_eq!(&got, &want_ssa, "to SSA of\n{}", dps);
        run(&mut ir, &["convert-to-dps"]);
        prop_assert_eq!(&anonymous(&mut ir), &want_dps, "DPS, SSA, DPS of\n{}", dps);
        run(&mut ir, &["convert-to-dps"]);
        prop_assert_eq!(&anonymous(&mut ir), &want_dps, "to DPS twice of\n{}", dps);
        let mut ir = read(&ssa, Arch::A2A3);
        run(&mut ir, &["convert-to-ssa"]);
        prop_assert_eq!(&anonymous(&mut ir), &want_ssa, "to SSA of the SSA form\n{}", ssa);
        run(&mut ir, &["convert-to-dps"]);
        prop_assert_eq!(&anonymous(&mut ir), &want_dps, "to DPS of\n{}", ssa);
        run(&mut ir, &["convert-to-ssa"]);
        prop_assert_eq!(&anonymous(&mut ir), &want_ssa, "SSA, DPS, SSA of\n{}", ssa);
        let (dps_ir, ssa_ir) = (read(&dps, Arch::A2A3), read(&ssa, Arch::A2A3));
        every_condition(|c| assert_eq!(interpret(&dps_ir, c), interpret(&ssa_ir, c), "{dps}\n{ssa}"));
    }

    #[test]
    fn sync_form_and_back_is_the_same(seed in any::<u64>(), size in 1usize..20) {
        let (_, ssa) = known_program(seed, size);
        let mut ir = read(&ssa, Arch::A2A3);
        run(&mut ir, &["convert-to-sync"]);
        let sync = anonymous(&mut ir);
        prop_assert_eq!(&anonymous(&mut read(&sync, Arch::A2A3)), &sync);
        run(&mut ir, &["convert-to-ssa", "convert-to-sync"]);
        prop_assert_eq!(&anonymous(&mut ir), &sync);
        let (ssa_ir, mut back) = (read(&ssa, Arch::A2A3), read(&sync, Arch::A2A3));
        run(&mut back, &["convert-to-dps"]);
        every_condition(|c| assert_eq!(interpret(&ssa_ir, c), interpret(&back, c), "{ssa}\n{}", print_module(&back)));
    }

    #[test]
    fn tiles_that_overlap_keep_their_meaning(seed in any::<u64>(), size in 1usize..40) {
        let dps = overlapping_program(seed, size);
        let mut ir = read(&dps, Arch::A2A3);
        let before = anonymous(&mut ir);
        run(&mut ir, &["convert-to-ssa"]);
        let dps_ir = read(&dps, Arch::A2A3);
        every_condition(|c| assert_eq!(interpret(&dps_ir, c), interpret(&ir, c), "{dps}\n{}", print_module(&ir)));
        run(&mut ir, &["convert-to-dps"]);
        prop_assert_eq!(&anonymous(&mut ir), &before);
    }

    #[test]
    fn values_keep_their_meaning_whatever_storage_they_share(seed in any::<u64>(), size in 1usize..30) {
        let ssa = any_ssa_program(seed, size, false);
        let ssa_ir = read(&ssa, Arch::A2A3);
        let mut ir = read(&ssa, Arch::A2A3);
        let (result, found) = pass(&mut ir, "convert-to-dps", Arch::A2A3);
        let text: Vec<_> = found.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
        prop_assert!(result.is_ok(), "{:#?}\n{}", text, ssa);
        every_condition(|c| {
            let (want, got) = (interpret(&ssa_ir, c), interpret(&ir, c));
            assert_eq!(want.stored, got.stored, "{ssa}\n{}", print_module(&ir));
        });
        run(&mut ir, &["convert-to-ssa"]);
        every_condition(|c| {
            let (want, got) = (interpret(&ssa_ir, c), interpret(&ir, c));
            assert_eq!(want.stored, got.stored, "{ssa}\n{}", print_module(&ir));
        });
    }

    #[test]
    fn the_caller_gets_the_newest_value_of_an_argument(seed in any::<u64>(), size in 1usize..10) {
        let ssa = any_ssa_program(seed, size, true);
        let ssa_ir = read(&ssa, Arch::A2A3);
        let mut ir = read(&ssa, Arch::A2A3);
        let (result, found) = pass(&mut ir, "convert-to-dps", Arch::A2A3);
        // One storage can't take two tiles `into` it; that is refused.
        prop_assert!(result.is_ok() || found.iter().all(|d| d.code == "PTO-X007"), "{:#?}\n{}", found, ssa);
        if result.is_ok() {
            every_condition(|c| {
                let (want, got) = (interpret(&ssa_ir, c), interpret(&ir, c));
                assert_eq!(want.stored, got.stored, "{ssa}\n{}", print_module(&ir));
                // Where loops and branches choose between tiles, the storage behind is no argument's.
                assert!(want.arguments == got.arguments || ssa.contains("scf."), "{ssa}\n{}", print_module(&ir));
            });
        }
    }

    #[test]
    fn passes_in_any_order_keep_the_meaning(seed in any::<u64>(), size in 1usize..20, order in prop::collection::vec(0usize..7, 1..7)) {
        let (dps, ssa) = known_program(seed, size);
        for text in [dps, ssa, overlapping_program(seed, size)] {
            let mut ir = read(&text, Arch::A2A3);
            let names: Vec<&str> = order.iter().map(|&n| passes()[n].name).collect();
            run(&mut ir, &names);
            let source = read(&text, Arch::A2A3);
            every_condition(|c| assert_eq!(interpret(&source, c), interpret(&ir, c), "{names:?}\n{text}\n{}", print_module(&ir)));
            let printed = print_module(&ir);
            prop_assert_eq!(&print_module(&read(&printed, Arch::A2A3)), &printed, "{:?}", names);
        }
    }

    #[test]
    fn a_second_clean_up_finds_nothing(seed in any::<u64>(), size in 1usize..30) {
        let (dps, _) = known_program(seed, size);
        for name in ["cse", "canonicalize", "dce", "assign-addresses"] {
            let mut ir = read(&dps, Arch::A2A3);
            run(&mut ir, &[name]);
            let once = print_module(&ir);
            run(&mut ir, &[name]);
            prop_assert_eq!(&print_module(&ir), &once, "{}", name);
        }
    }

    #[test]
    fn clean_up_keeps_the_meaning(seed in any::<u64>(), size in 1usize..30) {
        let (dps, _) = known_program(seed, size);
        let mut ir = read(&dps, Arch::A2A3);
        run(&mut ir, &["assign-addresses", "cse", "canonicalize", "dce"]);
        let dps_ir = read(&dps, Arch::A2A3);
        every_condition(|c| assert_eq!(interpret(&dps_ir, c), interpret(&ir, c), "{dps}\n{}", print_module(&ir)));
    }
}
