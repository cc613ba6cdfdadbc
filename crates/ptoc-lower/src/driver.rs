//! Going through a program: functions, regions, tile instructions, and the check at the end.

use crate::call::{Call, LowerFn, Res};
use crate::em::Em;
use crate::env::TileState;
use crate::storage::{self, is_empty_dict};
use crate::{Base, Sc, a2a3, a5, codes, signal, sync};
use ptoc_dialect::types::{MultiTileType, PtrType, TileType, ViewType, tile_of};
use ptoc_dialect::{Kind, OpDef, def, kind};
use ptoc_ir::{AttrData, BlockId, Form, Ir, OpId, OpKind, Traits, TypeData, TypeId, ValueId, Walk, builtin, walk};
use ptoc_source::{Diagnostic, Span};
use ptoc_target::{Arch, Target};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// The lowerings of one target, by op kind.
type Table = FxHashMap<OpKind, LowerFn>;

/// Lowerings that are the same on every target.
const SHARED: &[&[(&str, LowerFn)]] = &[sync::TABLE, signal::TABLE];

fn table(families: &[&[(&'static str, LowerFn)]]) -> Table {
    families.iter().chain(SHARED).flat_map(|f| f.iter()).map(|&(name, f)| (kind(name), f)).collect()
}

static A5: LazyLock<Table> = LazyLock::new(|| table(a5::FAMILIES));
static A2A3: LazyLock<Table> = LazyLock::new(|| table(a2a3::FAMILIES));

/// True when the instruction (`pto.tadd` or `tadd`) has a lowering on the target, for some types and layouts at least.
pub fn has_lowering(op: &str, arch: Arch) -> bool {
    let table = match arch {
        Arch::A5 => &A5,
        Arch::A2A3 => &A2A3,
    };
    ptoc_dialect::Dialects::get().kind(op).is_some_and(|k| table.contains_key(&k))
}

/// Rewrites a program in DPS form, with addresses assigned, to the intrinsics of a target.
///
/// Linear in the program and in what is emitted.
///
/// # Errors
/// Everything that could not be lowered; the program is then left half rewritten.
pub fn lower(ir: &mut Ir, target: &Target) -> Result<(), Vec<Diagnostic>> {
    let foreign = foreign(ir, target);
    if !foreign.is_empty() {
        return Err(foreign);
    }
    let mut functions = Vec::new();
    walk(ir, ir.top(), &mut |op| {
        if ir.op_name(op) == "func.func" {
            functions.push(op);
            return Walk::Skip;
        }
        Walk::Into
    });
    let mut diagnostics = Vec::new();
    for f in functions {
        function(ir, target, f, &mut diagnostics);
    }
    if diagnostics.is_empty() {
        left_over(ir, target, &mut diagnostics);
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    remove_dead(ir);
    Ok(())
}

/// Operations of MLIR's own dialects that no back end has a form of.
const FOREIGN: [&str; 1] = ["cf.assert"];

/// Reports operations that no lowering could ever take, so that no other work is done on their program.
pub fn foreign(ir: &Ir, target: &Target) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    walk(ir, ir.top(), &mut |op| {
        let name = ir.op_name(op);
        if FOREIGN.contains(&name) {
            let message =
                format!("{name} is not supported by the back ends: {} has no instruction for it", target.name);
            found.push(
                Diagnostic::error(codes::FOREIGN, ir.op(op).span, message)
                    .note("what is lowered: instructions of pto; functions, calls, scf, cf branches and arith around them")
                    .help("remove it, or check the condition before the kernel is started"),
            );
        }
        Walk::Into
    });
    found
}

fn function(ir: &mut Ir, target: &Target, f: OpId, diagnostics: &mut Vec<Diagnostic>) {
    let signature = match ir.attr_data(f, "function_type") {
        Some(AttrData::Type(t)) => match ir.ctx.type_data(*t) {
            TypeData::Function { params, results } => (params.clone(), results.clone()),
            _ => return,
        },
        _ => return,
    };
    let (params, results) = (expanded(ir, &signature.0), expanded(ir, &signature.1));
    if let Some(AttrData::Array(old)) = ir.attr_data(f, "arg_attrs") {
        let old = old.clone();
        let empty = ir.ctx.attr(AttrData::Dict(Box::new([])));
        let mut new = Vec::new();
        for (i, &ty) in signature.0.iter().enumerate() {
            new.push(old.get(i).copied().unwrap_or(empty));
            new.resize(new.len() + pieces(ir, ty).map_or(0, |p| p.len() - 1), empty);
        }
        match new.iter().all(|&a| is_empty_dict(ir.ctx.attr_data(a))) {
            true => drop(ir.remove_attr(f, "arg_attrs")),
            false => {
                let new = ir.ctx.attr(AttrData::Array(new.into()));
                ir.set_attr(f, "arg_attrs", new);
            }
        }
    }
    let ty = ir.ctx.function(&params, &results);
    let ty = ir.ctx.attr(AttrData::Type(ty));
    ir.set_attr(f, "function_type", ty);
    let Some(entry) = ir.body(f, 0) else { return };
    let set_inside = settings(ir, f);
    let table: &'static Table = match target.arch {
        Arch::A5 => &A5,
        Arch::A2A3 => &A2A3,
    };
    let em = Em::new(ir, target, entry);
    let mut d = Driver { em, table, erase: Vec::new(), diagnostics };
    d.em.env.set_inside = set_inside;
    d.regions(f);
    let Driver { em, erase, .. } = d;
    let replaced = em.into_replaced();
    for op in erase.into_iter().rev() {
        ir.erase(op);
    }
    if !replaced.is_empty() {
        replace_in(ir, f, &replaced);
    }
}

/// The pointer and the run-time sizes that a tile type becomes; `None` for other types.
fn pieces(ir: &mut Ir, ty: TypeId) -> Option<SmallVec<[TypeId; 3]>> {
    let t = tile_of(&ir.ctx, ty)?;
    let mut out: SmallVec<[TypeId; 3]> = SmallVec::new();
    out.push(ir.ctx.dialect_ty(PtrType { elem: t.elem, space: t.loc }));
    let dynamic = usize::from(t.valid_rows.is_none()) + usize::from(t.valid_cols.is_none());
    out.resize(1 + dynamic, builtin::INDEX);
    Some(out)
}

fn expanded(ir: &mut Ir, types: &[TypeId]) -> Vec<TypeId> {
    let mut out = Vec::with_capacity(types.len());
    for &ty in types {
        match pieces(ir, ty) {
            Some(p) => out.extend(p),
            None => out.push(ty),
        }
    }
    out
}

/// For every op with regions, the tiles that are set anew inside.
fn settings(ir: &Ir, f: OpId) -> FxHashMap<OpId, Vec<ValueId>> {
    let mut out: FxHashMap<OpId, Vec<ValueId>> = FxHashMap::default();
    for &r in &ir.op(f).regions {
        for &b in &ir.region(r).blocks {
            walk(ir, b, &mut |op| {
                let sets = match ir.op_name(op) {
                    "pto.set_validshape" => true,
                    "pto.tassign" => ir.op(op).results.is_empty(),
                    _ => false,
                };
                if let Some(v) = ir.operand(op, 0).filter(|_| sets) {
                    let mut at = ir.parent_op(op);
                    while let Some(p) = at {
                        out.entry(p).or_default().push(v);
                        at = if p == f { None } else { ir.parent_op(p) };
                    }
                }
                Walk::Into
            });
        }
    }
    out
}

struct Driver<'a, 'd> {
    em: Em<'a>,
    table: &'static Table,
    erase: Vec<OpId>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Driver<'_, '_> {
    /// Lowers what is inside an op. Regions are nested at most as deep as the parser allows.
    fn regions(&mut self, op: OpId) {
        let regions = self.em.ir.op(op).regions.clone();
        let sets = self.em.env.set_inside.get(&op).cloned().unwrap_or_default();
        let saved: Vec<(ValueId, TileState)> =
            sets.iter().filter_map(|v| self.em.env.tiles.get(v).map(|s| (*v, *s))).collect();
        // A region that may run again, or after another one, starts with what holds on every path into it.
        let once = matches!(self.em.ir.op_name(op), "func.func" | "pto.section.cube" | "pto.section.vector");
        let branch = matches!(self.em.ir.op_name(op), "scf.if" | "scf.index_switch");
        for r in regions {
            if branch {
                self.em.env.tiles.extend(saved.iter().copied());
            } else if !once {
                self.em.env.forget(&sets);
            }
            let blocks = self.em.ir.region(r).blocks.clone();
            for &b in &blocks {
                self.block_args(b);
            }
            for (i, &b) in blocks.iter().enumerate() {
                if i > 0 {
                    self.em.env.forget(&sets);
                }
                self.block(b);
            }
        }
        if !once {
            self.em.env.forget(&sets);
        }
    }

    fn block(&mut self, block: BlockId) {
        let mut next = self.em.ir.first_op(block);
        while let Some(op) = next {
            next = self.em.ir.next_op(op);
            self.op(op);
        }
    }

    fn op(&mut self, op: OpId) {
        self.em.move_before(op);
        let kind = self.em.ir.op(op).kind;
        let Some(def) = def(kind) else { return self.structure(op, None) };
        let call = Call { op, def };
        if let Some(result) = storage::handle(&mut self.em, &call) {
            self.finish(op, result);
            return;
        }
        match self.table.get(&kind) {
            Some(f) if self.is_dps(op) => {
                let result = f(&mut self.em, &call);
                self.finish(op, result);
            }
            Some(_) => {
                let what = format!("{}: lowering takes the DPS form", call.name());
                let d = Diagnostic::error(codes::VALUE_FORM, self.em.ir.op(op).span, what)
                    .note("in the value forms nothing says which buffer the result goes to")
                    .help("convert first: `ptoc convert --to dps`");
                self.diagnostics.push(d);
            }
            None if def.is_tile_instruction() => {
                let d = no_lowering(self.em.ir, self.em.target, op, def);
                self.diagnostics.push(d);
            }
            None => self.structure(op, Some(def)),
        }
    }

    fn is_dps(&self, op: OpId) -> bool {
        let data = self.em.ir.op(op);
        data.form == Form::Custom && data.results.is_empty()
    }

    fn finish(&mut self, op: OpId, result: Res<()>) {
        match (result, self.em.take_fault()) {
            (Err(d), _) => self.diagnostics.push(*d),
            (Ok(()), Some(fault)) => {
                let name = self.em.ir.op_name(op).trim_start_matches("pto.").to_owned();
                let d = Diagnostic::error(codes::TOO_LARGE, self.em.ir.op(op).span, format!("{name}: {fault}"))
                    .note(format!(
                        "the instructions of {} take sizes and strides in fields of fixed width",
                        self.em.target.name
                    ))
                    .help("use smaller tiles or strides");
                self.diagnostics.push(d);
            }
            (Ok(()), None) => self.erase.push(op),
        }
    }

    /// An op that stays: its tile operands, results and block arguments become pointers and sizes.
    fn structure(&mut self, op: OpId, def: Option<&'static OpDef>) {
        let is_tile = |ir: &Ir, v: &ValueId| tile_of(&ir.ctx, ir.value_type(*v)).is_some();
        let data = self.em.ir.op(op);
        let ir = &*self.em.ir;
        let touched = data.operands.iter().any(|v| is_tile(ir, v))
            || data.successors.iter().any(|s| s.args.iter().any(|v| is_tile(ir, v)));
        let returns = data.results.iter().any(|v| is_tile(ir, v));
        if touched && let Err(d) = self.operands(op, def) {
            self.diagnostics.push(*d);
            return;
        }
        if !self.em.ir.op(op).regions.is_empty() {
            self.regions(op);
        }
        if returns {
            self.results(op);
        }
    }

    fn spread(&mut self, v: ValueId, at: Span, who: &str) -> Res<SmallVec<[ValueId; 3]>> {
        if tile_of(&self.em.ir.ctx, self.em.ir.value_type(v)).is_none() {
            return Ok([v].into_iter().collect());
        }
        let tile = self.em.tile_of(v, at, who, "a tile")?;
        if (tile.buffer_rows, tile.buffer_cols) != (tile.ty.rows, tile.ty.cols) {
            return Err(Box::new(
                Diagnostic::error(
                    codes::NOT_A_POINTER,
                    at,
                    format!("{who}: a part of a bigger tile can't be passed on"),
                )
                .note("a tile is passed as a pointer and sizes; the pitch of the bigger tile would be lost"),
            ));
        }
        let mut out: SmallVec<[ValueId; 3]> = SmallVec::new();
        out.push(self.em.ptr(&tile));
        for (dynamic, s) in [(tile.ty.valid_rows.is_none(), tile.rows), (tile.ty.valid_cols.is_none(), tile.cols)] {
            if dynamic {
                out.push(self.em.index(s));
            }
        }
        Ok(out)
    }

    fn operands(&mut self, op: OpId, def: Option<&'static OpDef>) -> Res<()> {
        let who = self.em.ir.op_name(op).to_owned();
        let data = self.em.ir.op(op);
        let (operands, segments) = (data.operands.clone(), data.segments.clone());
        let mut new_operands: SmallVec<[ValueId; 4]> = SmallVec::new();
        let mut new_segments: SmallVec<[u16; 8]> = SmallVec::new();
        let mut at = 0;
        for &len in &segments {
            let before = new_operands.len();
            for _ in 0..len {
                let Some(&v) = operands.get(at) else { break };
                let span = self.em.ir.operand_span(op, at);
                new_operands.extend(self.spread(v, span, &who)?);
                at += 1;
            }
            let count = new_operands.len() - before;
            match def {
                Some(_) => new_segments.push(u16::try_from(count).unwrap_or(u16::MAX)),
                None => new_segments.resize(new_segments.len() + count, 1),
            }
        }
        let mut successors = self.em.ir.op(op).successors.clone();
        let span = self.em.ir.op(op).span;
        for s in &mut successors {
            let mut args = SmallVec::new();
            for &v in &s.args {
                args.extend(self.spread(v, span, &who)?);
            }
            s.args = args;
        }
        let data = self.em.ir.op_mut(op);
        data.operands = new_operands;
        data.segments = new_segments;
        data.successors = successors;
        data.operand_spans.clear();
        Ok(())
    }

    /// Notes the tile behind new values: a pointer, then the run-time sizes.
    fn note_tile(&mut self, old: ValueId, ty: TileType, new: &[ValueId]) {
        let mut state = TileState::new(ty, self.em.ir.value(old).name);
        let mut rest = new.iter().copied();
        state.base = rest.next().map(Base::Ptr);
        if state.rows.is_none() {
            state.rows = rest.next().map(Sc::Value);
        }
        if state.cols.is_none() {
            state.cols = rest.next().map(Sc::Value);
        }
        self.em.env.tiles.insert(old, state);
        let name = self.em.ir.value(old).name;
        if let Some(&p) = new.first() {
            self.em.ir.set_name_sym(p, name);
        }
        let name = self.em.ir.ctx.str(name).to_owned();
        let sizes = [(ty.valid_rows.is_none(), "rows"), (ty.valid_cols.is_none(), "cols")];
        for (&v, (_, word)) in new.iter().skip(1).zip(sizes.iter().filter(|(dynamic, _)| *dynamic)) {
            if !name.is_empty() {
                self.em.ir.set_name(v, &format!("{name}_{word}"));
            }
        }
    }

    fn note_new(&mut self, old: ValueId, ty: TypeId, new: &[ValueId]) {
        match tile_of(&self.em.ir.ctx, ty) {
            Some(t) => self.note_tile(old, t, new),
            None => {
                if let Some(&n) = new.first() {
                    let name = self.em.ir.value(old).name;
                    self.em.ir.set_name_sym(n, name);
                    self.em.replace(old, n);
                }
            }
        }
    }

    fn block_args(&mut self, block: BlockId) {
        let old = self.em.ir.block(block).args.clone();
        let types: Vec<TypeId> = old.iter().map(|&v| self.em.ir.value_type(v)).collect();
        if !types.iter().any(|&t| tile_of(&self.em.ir.ctx, t).is_some()) {
            return;
        }
        for (&v, &ty) in old.iter().zip(&types) {
            let parts = pieces(self.em.ir, ty).unwrap_or_else(|| [ty].into_iter().collect());
            let new: SmallVec<[ValueId; 3]> = parts.iter().map(|&t| self.em.ir.add_block_arg(block, t)).collect();
            self.note_new(v, ty, &new);
        }
        let count = self.em.ir.block(block).args.len();
        let keep: Vec<bool> = (0..count).map(|i| i >= old.len()).collect();
        self.em.ir.retain_block_args(block, &keep);
    }

    fn results(&mut self, op: OpId) {
        let old = self.em.ir.op(op).results.clone();
        for &v in &old {
            let ty = self.em.ir.value_type(v);
            let parts = pieces(self.em.ir, ty).unwrap_or_else(|| [ty].into_iter().collect());
            let new: SmallVec<[ValueId; 3]> = parts.iter().map(|&t| self.em.ir.add_result(op, t)).collect();
            self.note_new(v, ty, &new);
        }
        let count = self.em.ir.op(op).results.len();
        let keep: Vec<bool> = (0..count).map(|i| i >= old.len()).collect();
        self.em.ir.retain_results(op, &keep);
    }
}

/// Replaces values in the ops of one function.
fn replace_in(ir: &mut Ir, f: OpId, replaced: &FxHashMap<ValueId, ValueId>) {
    let mut ops = Vec::new();
    for &r in &ir.op(f).regions {
        for &b in &ir.region(r).blocks {
            walk(ir, b, &mut |op| {
                ops.push(op);
                Walk::Into
            });
        }
    }
    for op in ops {
        let data = ir.op_mut(op);
        let passed = data.successors.iter_mut().flat_map(|s| s.args.iter_mut());
        for v in data.operands.iter_mut().chain(passed) {
            // A replacement may itself have been replaced later; chains are as long as values were derived from each other.
            let mut steps = 0;
            while let Some(&new) = replaced.get(v) {
                *v = new;
                steps += 1;
                if steps > replaced.len() {
                    break;
                }
            }
        }
    }
}

fn no_lowering(ir: &Ir, target: &Target, op: OpId, def: &'static OpDef) -> Diagnostic {
    let name = def.short_name();
    let d = Diagnostic::error(codes::NO_LOWERING, ir.op(op).span, format!("{name}: no lowering on {}", target.name));
    if def.targets.has(target.arch) {
        d.note(format!("{name} is an instruction of {}, but ptoc can't turn it into intrinsics yet", target.name))
            .help("`ptoc ops` lists what can be lowered")
    } else {
        d.note(format!("{} has no {name}", target.name)).help("compile for another target")
    }
}

/// True for a tile, several tiles or a view.
fn is_high(ir: &Ir, ty: TypeId) -> bool {
    match ir.ctx.type_data(ty) {
        TypeData::Dialect(d) => {
            d.as_any().is::<TileType>() || d.as_any().is::<ViewType>() || d.as_any().is::<MultiTileType>()
        }
        _ => false,
    }
}

/// Reports every op that still works on tiles or views.
fn left_over(ir: &Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) {
    walk(ir, ir.top(), &mut |op| {
        let data = ir.op(op);
        let passed = data.successors.iter().flat_map(|s| s.args.iter());
        let args = data.regions.iter().flat_map(|&r| ir.region(r).blocks.iter()).flat_map(|&b| ir.block(b).args.iter());
        let values = data.operands.iter().chain(passed).chain(data.results.iter()).chain(args);
        let culprit = values.copied().find(|&v| is_high(ir, ir.value_type(v)));
        let name = ir.op_name(op);
        let class = matches!(
            name,
            "pto.record_event"
                | "pto.wait_event"
                | "pto.tsync"
                | "pto.barrier_sync"
                | "pto.fusion_region"
                | "pto.declare_global"
        );
        // A tile that became a pointer leaves the instruction without its meaning.
        let tiles = def(data.kind).is_some_and(|d| {
            d.results.iter().any(|r| r.kind == Kind::Tile)
                || d.operands
                    .iter()
                    .enumerate()
                    .any(|(i, o)| o.kind == Kind::Tile && !ir.segment_values(op, i).is_empty())
        });
        if culprit.is_some() || class || tiles {
            diagnostics.push(match def(data.kind).filter(|d| d.is_tile_instruction()) {
                Some(def) => no_lowering(ir, target, op, def),
                None => left(ir, target, op, culprit),
            });
        }
        Walk::Into
    });
}

/// An operation that is left, and the value that keeps it.
fn left(ir: &Ir, target: &Target, op: OpId, culprit: Option<ValueId>) -> Diagnostic {
    let name = ir.op_name(op);
    let shown = |v: ValueId| match ir.ctx.str(ir.value(v).name) {
        "" => "a value".to_owned(),
        n => format!("`%{n}`"),
    };
    let known = def(ir.op(op).kind).is_some();
    let (what, why, how) = match culprit {
        Some(v) if known => (
            format!("it works on {}, a {}", shown(v), ir.ctx.type_string(ir.value_type(v))),
            format!("ptoc cannot turn {name} into instructions of {} yet", target.name),
            "`ptoc ops` lists what can be lowered",
        ),
        // A function, call, loop or branch.
        Some(v) => (
            format!("{} is a {}, which becomes no pointer here", shown(v), ir.ctx.type_string(ir.value_type(v))),
            "a view is a pointer with extents and strides, and a tile an address; only where the operation that made it is seen are they known".to_owned(),
            "pass a `!pto.ptr` and the sizes, and make the view or tile where it is used",
        ),
        None => (
            "nothing takes its place".to_owned(),
            format!("ptoc cannot turn {name} into instructions of {} yet", target.name),
            "`ptoc ops` lists what can be lowered",
        ),
    };
    let at = match culprit.map(|v| ir.value(v).def) {
        // A whole function would be underlined.
        Some(ptoc_ir::ValueDef::Arg(..)) => head(ir, op),
        _ => ir.op(op).span,
    };
    Diagnostic::error(codes::LEFT_OVER, at, format!("{name}: left after lowering to {}: {what}", target.name))
        .note(why)
        .help(how)
}

/// The part of an operation in front of its first region.
fn head(ir: &Ir, op: OpId) -> ptoc_source::Span {
    let span = ir.op(op).span;
    let blocks = ir.op(op).regions.iter().flat_map(|&r| &ir.region(r).blocks);
    let inside = blocks.filter_map(|&b| ir.first_op(b)).map(|o| ir.op(o).span).find(|s| !s.is_none());
    match inside {
        Some(first) if first.start > span.start => ptoc_source::Span::new(span.start, first.start.min(span.end)),
        _ => span,
    }
}

/// Removes pure ops whose results nobody uses, such as the constants that held addresses. Linear.
fn remove_dead(ir: &mut Ir) {
    let mut ops = Vec::new();
    let mut uses = vec![0u32; ir.value_count()];
    walk(ir, ir.top(), &mut |op| {
        let data = ir.op(op);
        let passed = data.successors.iter().flat_map(|s| s.args.iter());
        for v in data.operands.iter().chain(passed) {
            uses[v.index()] += 1;
        }
        if data.regions.is_empty() && ir.has_trait(op, Traits::PURE) {
            ops.push(op);
        }
        Walk::Into
    });
    // Users come after what they use, so one pass from the end settles all.
    for op in ops.into_iter().rev() {
        let data = ir.op(op);
        if data.results.iter().all(|v| uses[v.index()] == 0) {
            for v in &data.operands {
                uses[v.index()] -= 1;
            }
            ir.erase(op);
        }
    }
}
