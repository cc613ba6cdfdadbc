//! Each tile instruction by itself: its meaning against its lowered code, on memories full of chosen bytes.

use super::array::{Fill, Random, element};
use super::compare::near;
use super::kernel::passed;
use super::single::{Role, Single, split};
use super::{Array, Level, RunOptions};
use crate::compile::Emit;
use crate::{Options, has_errors, units};
use ptoc_dialect::types::{dtype_of, ptr_of};
use ptoc_dialect::{Dir, def};
use ptoc_ir::{Ir, OpId};
use ptoc_sim::num::{Num, decode, encode};
use ptoc_sim::run::{self as sim, DIFFERENT, Memory, Outcome, TileOperand, Value};
use ptoc_sim::tolerance;
use ptoc_source::{Diagnostic, SourceFile};
use ptoc_target::{Arch, DType, Loc, Target, VECTOR_SCRATCH};
use std::ops::Range;

/// What came out of [`validate_each`].
#[derive(Debug, Default)]
pub struct Each {
    /// Differences, and what could not be compared.
    pub diagnostics: Vec<Diagnostic>,
    /// Tile instructions of the program.
    pub instructions: u64,
    /// Instructions of which at least one case was compared and every one agreed.
    pub agreed: u64,
    /// Cases that agreed.
    pub cases: u64,
    /// Cases that the definition does not allow.
    pub skipped: u64,
}

/// The memories on the chip.
const CHIP: [Loc; 9] =
    [Loc::Vec, Loc::Mat, Loc::Left, Loc::Right, Loc::Acc, Loc::Bias, Loc::Scaling, Loc::ScaleLeft, Loc::ScaleRight];

/// Instructions that add or multiply in an order, or with a rounding in between, that the definition leaves open.
const SUMS: &[&str] =
    &["taxpy", "tcolprod", "tcolsum", "tdivs", "tfusedmuladd", "tgemv", "tmatmul", "tmuladddst", "trowprod", "trowsum"];

/// Bytes of each array behind a pointer.
const ARRAY: u64 = 1 << 20;

/// Runs each tile instruction of the first program of a file as a program of its own, by its meaning and lowered, `cases`
/// times for each kind of valid size: all of the tile, a part, an odd part, one element. Tile parameters get addresses of their own; operands that share bytes share
/// them here as well. Sizes known before the run stay what they are.
pub fn validate_each(file: &SourceFile, options: &Options, how: &RunOptions, cases: u64) -> Each {
    let mut out = Each::default();
    let all = units(file, false);
    let Some(unit) = all.into_iter().next() else { return out };
    let checked = unit.check(options);
    let target = checked.target.clone();
    let both = passed(checked, Emit::Ir.passes())
        .and_then(|tiles| passed(unit.check(options), Emit::Ir.passes()).map(|lowered| (tiles, lowered)));
    let (mut tiles, mut lowered) = match both {
        Ok(both) => both,
        Err(found) => {
            out.diagnostics.extend(found);
            return out;
        }
    };
    let list = split(&mut tiles);
    split(&mut lowered);
    if let Err(found) = ptoc_lower::lower(&mut lowered, &target) {
        out.diagnostics.extend(found);
        return out;
    }
    let both = Both { tiles: &tiles, lowered: &lowered, target: &target, how };
    for single in &list {
        out.instructions += 1;
        match &single.func {
            Ok(func) => both.instruction(single, *func, cases, &mut out),
            Err(why) => out.diagnostics.push(left_out(&tiles, single.op, why)),
        }
    }
    out
}

fn left_out(ir: &Ir, op: OpId, why: &str) -> Diagnostic {
    Diagnostic::warning(
        sim::ARGUMENTS,
        ir.op(op).span,
        format!("`{}` was not compared by itself: {why}", ir.op_name(op)),
    )
    .note("the comparison of the whole kernel covers it")
}

struct Both<'a> {
    tiles: &'a Ir,
    lowered: &'a Ir,
    target: &'a Target,
    how: &'a RunOptions,
}

/// How much of a tile is valid where the program leaves that open.
#[derive(Clone, Copy, Debug)]
enum Size {
    All,
    Part,
    Odd,
    One,
}

impl Size {
    fn of(self, bound: u64) -> u64 {
        match self {
            Size::All => bound,
            Size::Part => bound.saturating_sub(bound.div_ceil(4)).max(1),
            Size::Odd => ((bound / 2) | 1).min(bound.max(1)),
            Size::One => 1,
        }
    }
}

struct Case {
    image: Vec<(Loc, Vec<u8>)>,
    args: Vec<Arg>,
}

enum Arg {
    Value(Value),
    Array(Option<DType>, Vec<u8>),
}

impl Both<'_> {
    fn instruction(&self, single: &Single, func: OpId, cases: u64, out: &mut Each) {
        let open = single.params.iter().any(|(_, r)| matches!(r, Role::Extent(n) if *n > 1));
        let sizes: &[Size] = if open { &[Size::All, Size::Part, Size::Odd, Size::One] } else { &[Size::All] };
        let (mut agreed, mut refused) = (0, None);
        for case in 0..cases {
            for &size in sizes {
                let fill = if case % 2 == 1 { Fill::Special } else { Fill::Random };
                match self.case(single, func, size, fill, self.how.seed.wrapping_add(case)) {
                    Ok(Some(found)) => {
                        out.diagnostics.extend(found);
                        out.cases += agreed;
                        return;
                    }
                    Ok(None) => agreed += 1,
                    Err(why) => {
                        out.skipped += 1;
                        refused.get_or_insert(why);
                    }
                }
            }
        }
        out.cases += agreed;
        match refused {
            Some(why) if agreed == 0 => out.diagnostics.push(left_out(self.tiles, single.op, &why)),
            _ => out.agreed += 1,
        }
    }

    /// One case; the findings when it does not agree.
    fn case(
        &self,
        single: &Single,
        func: OpId,
        size: Size,
        fill: Fill,
        seed: u64,
    ) -> Result<Option<Vec<Diagnostic>>, String> {
        let mut random = Random::new(seed);
        let args = self.args(single, size, fill, &mut random);
        let fresh = Memory::new(self.target);
        let image: Vec<(Loc, Vec<u8>)> = CHIP.map(|l| (l, noise(fresh.bytes(l).len(), &mut random))).into();
        let mut case = Case { image, args };
        // A first run tells where the operands lie.
        let (first, _) = self.run(func, Level::Meaning, &case);
        for t in first.operands.iter().filter(|t| t.dir != Dir::Out) {
            fill_tile(&mut case.image, t, fill, &mut random);
        }
        let (want, wanted) = self.run(func, Level::Meaning, &case);
        if !want.finished {
            return Err(want.findings.first().map_or_else(String::new, |d| d.message.clone()));
        }
        let (got, gotten) = self.run(func, Level::Lowered, &case);
        if let Some(d) = got.findings.iter().find(|d| d.message.contains("unit flag")) {
            return Err(format!("its unit flag ties it to another instruction: {}", d.message));
        }
        if !got.finished || has_errors(&got.findings) {
            let note =
                format!("lowered code of `{}` by itself; {size:?} sizes, seed {seed}", self.tiles.op_name(single.op));
            return Ok(Some(got.findings.into_iter().map(|d| d.note(note.clone())).collect()));
        }
        let found = self.difference(single, &case, (&wanted, &gotten), &want.operands);
        Ok(found.map(|d| vec![d.note(format!("{size:?} sizes, {fill:?} data, seed {seed}"))]))
    }

    fn args(&self, single: &Single, size: Size, fill: Fill, random: &mut Random) -> Vec<Arg> {
        let one = |&(ty, role): &(ptoc_ir::TypeId, Role)| {
            let ctx = &self.tiles.ctx;
            let number = |n: u64| Arg::Value(Value::Int(n as i64));
            match role {
                Role::Extent(bound) => number(size.of(bound)),
                Role::Stride(n) => number(n),
                Role::Pointer => {
                    let dtype = ptr_of(ctx, ty).and_then(|p| dtype_of(ctx, p.elem));
                    let elem = dtype.unwrap_or(DType::U8);
                    let made = Array::filled(elem, vec![ARRAY / elem.bytes()], fill, random);
                    Arg::Array(dtype, made.map(|a| a.bytes).unwrap_or_default())
                }
                Role::Number => match dtype_of(ctx, ty) {
                    Some(ty) if ty.is_float() => Arg::Value(Value::Float { ty, bits: encode(ty, Num::Float(1.5)) }),
                    Some(_) => number(3),
                    None => number(0),
                },
            }
        };
        single.params.iter().map(one).collect()
    }

    fn run(&self, func: OpId, level: Level, case: &Case) -> (Outcome, Memory) {
        let mut memory = Memory::new(self.target);
        for (loc, bytes) in &case.image {
            // The image was made as large as the memory.
            let _ = memory.preset(*loc, 0, bytes);
        }
        let mut args = Vec::new();
        for (i, a) in case.args.iter().enumerate() {
            args.push(match a {
                Arg::Value(v) => v.clone(),
                Arg::Array(elem, bytes) => memory.add(&i.to_string(), *elem, bytes).unwrap_or(Value::None),
            });
        }
        let (ir, base) = match level {
            Level::Meaning => {
                (self.tiles, sim::Options { operands: true, ..sim::Options::meaning(self.target.clone()) })
            }
            Level::Lowered => (self.lowered, sim::Options::lowered(self.target.clone())),
        };
        let options = sim::Options { max_steps: self.how.max_steps, schedule: self.how.schedule, ..base };
        let out = sim::run(ir, func, &args, &mut memory, &options);
        (out, memory)
    }

    fn difference(
        &self,
        single: &Single,
        case: &Case,
        (want, got): (&Memory, &Memory),
        operands: &[TileOperand],
    ) -> Option<Diagnostic> {
        let name = self.tiles.op_name(single.op);
        let short = def(self.tiles.op(single.op).kind).map_or(name, |d| d.short_name());
        let tolerance = tolerance::of(short);
        let open = SUMS.iter().any(|s| short.starts_with(s));
        let close = |ty: DType, got: u64, want: u64| {
            tolerance.accepts(ty, got, want)
                || open && ty.is_float() && near(decode(ty, want), decode(ty, got), super::compare::tolerance(ty))
        };
        let say = |what: String, space: Loc, at: u64| {
            let by = got.writer(space, at);
            let who = by.map_or("nothing", |op| self.lowered.op_name(op));
            Diagnostic::error(DIFFERENT, self.tiles.op(single.op).span, format!("`{name}`: {what}"))
                .at(format!("written by `{who}` of the lowered code"))
                .help("lowering or the definition is wrong: please report it with the program and the seed")
        };
        for t in operands.iter().filter(|t| t.dir != Dir::In && !is_scratch(t)) {
            let (ty, width) = (t.dtype(), t.dtype().bytes());
            let (a, b) = (want.bytes(t.space()), got.bytes(t.space()));
            let mut first = None;
            let mut count = 0u64;
            // Of a mask only the bits of valid elements count, eight in a byte.
            let source = operands.first().map_or(0, |s| s.valid().1);
            let cols = if short.starts_with("tcmp") { t.valid().1.min(source / 8) } else { t.valid().1 };
            for row in 0..t.valid().0 {
                for col in 0..cols {
                    let at = t.at(row, col);
                    let (x, y) = (word(a, at, width), word(b, at, width));
                    if !close(ty, y, x) {
                        count += 1;
                        first.get_or_insert((row, col, at, x, y));
                    }
                }
            }
            if let Some((row, col, at, x, y)) = first {
                let what = format!(
                    "row {row}, column {col} of `{}` is {} in lowered code and {} by its meaning",
                    t.name,
                    show(ty, y),
                    show(ty, x)
                );
                let (r, c) = t.valid();
                return Some(
                    say(what, t.space(), at)
                        .note(format!("{count} of {r}x{c} elements of {ty} differ; within {tolerance}")),
                );
            }
        }
        // Whatever is no part of a destination holds what it held.
        for (space, before) in &case.image {
            let (a, b) = (want.bytes(*space), got.bytes(*space));
            let mut free: Vec<Range<u64>> = operands
                .iter()
                .filter(|t| (t.dir != Dir::In || is_scratch(t)) && t.space() == *space)
                .map(extent)
                .collect();
            if *space == Loc::Vec && self.target.arch == Arch::A2A3 {
                free.push(VECTOR_SCRATCH);
            }
            let changed =
                (0..before.len()).find(|&i| a.get(i) != b.get(i) && !free.iter().any(|r| r.contains(&(i as u64))));
            if let Some(i) = changed {
                let what = format!("byte {i} of {} belongs to no destination and is changed", space.memory());
                return Some(say(what, *space, i as u64));
            }
        }
        let mut array = 0;
        for (p, a) in case.args.iter().enumerate() {
            let Arg::Array(ty, _) = a else { continue };
            let ty = ty.unwrap_or(DType::U8);
            let (a, b) = (want.array(array), got.array(array));
            let width = ty.bytes();
            array += 1;
            if a == b {
                continue;
            }
            let differs = |&i: &u64| !close(ty, word(b, i * width, width), word(a, i * width, width));
            if let Some(i) = (0..a.len() as u64 / width).find(differs) {
                let (x, y) = (word(a, i * width, width), word(b, i * width, width));
                let what = format!(
                    "element {i} of global memory behind parameter {p} is {} in lowered code and {} by its meaning",
                    show(ty, y),
                    show(ty, x)
                );
                let by = got.writers(array - 1).iter().find(|(s, e, _)| (*s..*e).contains(&(i * width))).map(|w| w.2);
                let who = by.map_or("nothing", |op| self.lowered.op_name(op));
                return Some(
                    Diagnostic::error(DIFFERENT, self.tiles.op(single.op).span, format!("`{name}`: {what}"))
                        .at(format!("written by `{who}` of the lowered code"))
                        .help("lowering or the definition is wrong: please report it with the program and the seed"),
                );
            }
        }
        None
    }
}

/// Temporaries hold whatever the instruction leaves in them.
fn is_scratch(t: &TileOperand) -> bool {
    t.name.starts_with("tmp")
}

/// The bytes from the first to behind the last of a tile.
fn extent(t: &TileOperand) -> Range<u64> {
    let (rows, cols) = t.size();
    let (mut low, mut high) = (u64::MAX, 0);
    for row in 0..rows {
        for col in 0..cols {
            let at = t.at(row, col);
            low = low.min(at);
            high = high.max(at + t.dtype().bytes());
        }
    }
    low..high
}

fn noise(bytes: usize, random: &mut Random) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes + 8);
    while out.len() < bytes {
        out.extend_from_slice(&random.draw().to_le_bytes());
    }
    out.truncate(bytes);
    out
}

/// Puts numbers of the element's type into a tile; indices stay small.
fn fill_tile(image: &mut [(Loc, Vec<u8>)], t: &TileOperand, fill: Fill, random: &mut Random) {
    let Some((_, bytes)) = image.iter_mut().find(|(l, _)| *l == t.space()) else { return };
    let (ty, width) = (t.dtype(), t.dtype().bytes() as usize);
    let index = t.dir == Dir::In && ty.is_int() && ["idx", "ind", "offset"].iter().any(|w| t.name.contains(w));
    let (rows, cols) = t.size();
    for row in 0..rows {
        for col in 0..cols {
            let bits = match index {
                true if t.name.contains("offset") => random.draw() % 8 * 32,
                true => random.draw() % 16,
                false => element(ty, fill, row * cols + col, random),
            };
            let at = t.at(row, col) as usize;
            if let Some(to) = bytes.get_mut(at..at + width) {
                to.copy_from_slice(&bits.to_le_bytes()[..width]);
            }
        }
    }
}

fn word(bytes: &[u8], at: u64, width: u64) -> u64 {
    let mut w = [0; 8];
    for (to, from) in w.iter_mut().zip(bytes.iter().skip(at as usize).take(width as usize)) {
        *to = *from;
    }
    u64::from_le_bytes(w)
}

fn show(ty: DType, bits: u64) -> String {
    match decode(ty, bits) {
        Num::Int(n) => n.to_string(),
        Num::Float(x) => format!("{x:?}"),
    }
}
