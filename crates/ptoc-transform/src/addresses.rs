//! Addresses for tiles without one.
//!
//! The simplest plan: each memory is filled from the bottom, above everything of the function that has an address already, and
//! nothing is reused. A called function starts above its callers, and one that returns a tile above all functions. A planner that lets tiles share memory belongs in front of
//! this pass, not in it.
//!
//! Where the tile arguments of a function lie is up to its caller. In a function that nobody in the module calls they are taken
//! to lie as this pass would place them: at the bottom of their memory, in order. Its own tiles lie above, and a note says so.

use crate::codes;
use crate::convert::spreads_column;
use crate::structure::{Scope, scopes, walk_scope};
use ptoc_dialect::types::{MultiTileType, tile_of};
use ptoc_dialect::{def, kind};
use ptoc_ir::{AttrData, Builder, Ir, OpId, OpKind, PassError, Sym, ValueId, builtin};
use ptoc_source::{Diagnostic, Severity, Span};
use ptoc_target::{Loc, Target, VECTOR_SCRATCH};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

static CONSTANT: LazyLock<OpKind> = LazyLock::new(|| kind("arith.constant"));

/// The places of tiles, in the order of reports.
const LOCS: [Loc; 9] =
    [Loc::Vec, Loc::Mat, Loc::Left, Loc::Right, Loc::Acc, Loc::Bias, Loc::Scaling, Loc::ScaleLeft, Loc::ScaleRight];

/// Alignment of a planned address in bytes: what the units that read the memory work in.
const fn alignment(loc: Loc) -> u64 {
    match loc {
        Loc::Left | Loc::Right | Loc::Acc | Loc::Mat => 512,
        Loc::Scaling => 128,
        Loc::Bias => 64,
        _ => 32,
    }
}

/// A number of bytes for each place.
type Ends = [u64; LOCS.len()];

fn raise(ends: &mut Ends, to: &Ends) {
    (0..LOCS.len()).for_each(|k| ends[k] = ends[k].max(to[k]));
}

/// Something that takes up memory.
#[derive(Clone, Copy)]
struct Tile {
    op: OpId,
    loc: Loc,
    bytes: u64,
    /// Where it is; `None` until planned.
    addr: Option<u64>,
    /// True when the program says where.
    given: bool,
}

/// What a function has.
struct Frame {
    name: Option<Sym>,
    scope: Scope,
    tiles: Vec<Tile>,
    callees: Vec<Sym>,
    /// Tiles whose address is known only at run time.
    unknown: Vec<(Loc, Span)>,
    /// Bytes of each place that the tile arguments take, when the caller is not in the module.
    arguments: Ends,
    /// True when it returns a tile.
    returns: bool,
    /// An instruction that takes the vector unit's own part of the unified buffer.
    spreads: Option<Span>,
}

/// Gives every `pto.alloc_tile`, `pto.alloc_multi_tile` and automatic `pto.reserve_buffer` without address one.
///
/// Addresses are bytes. They start above the highest tile with an address in the same function and memory, and above the
/// callers' tiles; in a function that nobody calls above the space of its tile arguments ([`codes::ARGUMENTS`], a note). On A2/A3
/// the vector unit's own part of the unified buffer is left out where an instruction uses it. Meant for the DPS form: a value without an allocation gets nothing.
///
/// # Errors
/// A memory that is too small or missing, and tiles that can't be kept apart from others.
pub fn assign_addresses(ir: &mut Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
    let errors = diagnostics.len();
    let mut frames: Vec<Frame> = scopes(ir).into_iter().map(|s| frame(ir, s, target, diagnostics)).collect();
    let called: FxHashSet<Sym> = frames.iter().flat_map(|f| f.callees.iter().copied()).collect();
    for f in frames.iter_mut().filter(|f| f.name.is_some_and(|n| !called.contains(&n))) {
        f.arguments = argument_space(ir, f.scope);
    }
    let order = match callers_first(&frames) {
        Ok(order) => order,
        Err(at) => {
            let span = frames[at].scope.func.map_or(Span::NONE, |f| ir.op(f).span);
            diagnostics.push(
                Diagnostic::error(
                    codes::BAD_EXTENT,
                    span,
                    "a function calls itself, so its tiles need memory without end",
                )
                .help("give the tiles of the functions on the cycle addresses, or write a loop"),
            );
            return Err(PassError);
        }
    };
    // Where the tiles of a function start, for each place.
    let mut base: FxHashMap<Sym, Ends> = FxHashMap::default();
    let mut top = Ends::default();
    let keeps = |f: &Frame| f.returns && f.name.is_some_and(|n| called.contains(&n));
    let keepers: Vec<usize> = order.iter().copied().filter(|&i| keeps(&frames[i])).collect();
    for i in order {
        let start = frames[i].name.and_then(|n| base.get(&n).copied()).unwrap_or(frames[i].arguments);
        let end = if keeps(&frames[i]) { start } else { plan(ir, &mut frames[i], start, target, diagnostics) };
        raise(&mut top, &end);
        for callee in frames[i].callees.clone() {
            raise(base.entry(callee).or_default(), &end);
        }
    }
    // What a called function returns is used when other functions run, so its tiles lie above those of all.
    for i in keepers {
        top = plan(ir, &mut frames[i], top, target, diagnostics);
    }
    if diagnostics[errors..].iter().any(Diagnostic::is_error) {
        return Err(PassError);
    }
    frames.iter().for_each(|f| write_addresses(ir, f));
    Ok(())
}

/// The number that a value is known to be.
fn constant(ir: &Ir, value: ValueId) -> Option<u64> {
    crate::convert::constant(ir, value)
}

/// Bytes of each place up to the end of the last tile argument, when they lie from the bottom in order.
fn argument_space(ir: &Ir, scope: Scope) -> Ends {
    let mut end = Ends::default();
    for &arg in &ir.block(scope.block).args {
        let Some(tile) = tile_of(&ir.ctx, ir.value_type(arg)) else { continue };
        let Some(k) = LOCS.iter().position(|&l| l == tile.loc) else { continue };
        let start = end[k].checked_next_multiple_of(alignment(tile.loc));
        end[k] = start.and_then(|s| s.checked_add(tile.bytes()?)).unwrap_or(u64::MAX);
    }
    end
}

fn frame(ir: &Ir, scope: Scope, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Frame {
    let name = scope.func.and_then(|f| match ir.attr_data(f, "sym_name") {
        Some(AttrData::String(s)) => Some(*s),
        _ => None,
    });
    let mut f = Frame {
        name,
        scope,
        tiles: Vec::new(),
        callees: Vec::new(),
        unknown: Vec::new(),
        arguments: [0; LOCS.len()],
        returns: false,
        spreads: None,
    };
    // Tiles that `pto.tassign` places.
    let mut placed: FxHashMap<ValueId, Option<u64>> = FxHashMap::default();
    walk_scope(ir, scope, &mut |op| {
        if ir.op_name(op) == "pto.tassign"
            && let Some(tile) = ir.operand(op, 0)
        {
            let attr = ir.int_attr(op, "address").and_then(|a| u64::try_from(a).ok());
            placed.insert(tile, attr.or_else(|| ir.operand(op, 1).and_then(|v| constant(ir, v))));
        }
    });
    walk_scope(ir, scope, &mut |op| match ir.op_name(op) {
        "pto.alloc_tile" | "pto.alloc_multi_tile" => {
            let Some(&result) = ir.op(op).results.first() else { return };
            let ty = ir.value_type(result);
            let (tile, count) = match ir.ctx.type_as::<MultiTileType>(ty) {
                Some(m) => (tile_of(&ir.ctx, m.tile), u64::from(m.count)),
                None => (tile_of(&ir.ctx, ty), 1),
            };
            let Some(tile) = tile else { return };
            let span = ir.op(op).span;
            let Some(bytes) = tile.bytes().and_then(|b| b.checked_mul(count)) else {
                diagnostics.push(
                    Diagnostic::error(codes::BAD_EXTENT, span, "the size of the tile does not fit 64 bits")
                        .help("use a smaller tile"),
                );
                return;
            };
            let addr = match (ir.operand(op, 0), placed.get(&result)) {
                (Some(v), _) => Some(constant(ir, v)),
                (None, Some(&addr)) => Some(addr),
                (None, None) => None,
            };
            match addr {
                Some(None) => f.unknown.push((tile.loc, span)),
                known => {
                    let addr = known.flatten();
                    f.tiles.push(Tile { op, loc: tile.loc, bytes, addr, given: addr.is_some() });
                }
            }
        }
        "pto.reserve_buffer" => {
            let loc = ir.word_attr(op, "location").and_then(Loc::from_keyword);
            let bytes = ir.int_attr(op, "size").and_then(|b| u64::try_from(b).ok());
            if let (Some(loc), Some(bytes)) = (loc, bytes) {
                let addr = ir.int_attr(op, "base").and_then(|a| u64::try_from(a).ok());
                f.tiles.push(Tile { op, loc, bytes, addr, given: addr.is_some() });
            }
        }
        "func.call" => {
            if let Some(AttrData::Symbol(path)) = ir.attr_data(op, "callee") {
                f.callees.extend(path.last().copied());
            }
        }
        "func.return" => {
            f.returns |= ir.op(op).operands.iter().any(|&v| tile_of(&ir.ctx, ir.value_type(v)).is_some());
        }
        _ if spreads_column(ir, op, target.arch) && !has_temporary(ir, op) => {
            f.spreads = f.spreads.or(Some(ir.op(op).span));
        }
        _ => {}
    });
    f
}

fn has_temporary(ir: &Ir, op: OpId) -> bool {
    let operands = def(ir.op(op).kind).map_or(&[][..], |d| d.operands);
    operands.iter().enumerate().any(|(n, o)| o.scratch && ir.operand(op, n).is_some())
}

/// Frames ordered so that callers come before the functions they call; on a cycle the index of a frame that waits.
fn callers_first(frames: &[Frame]) -> Result<Vec<usize>, usize> {
    let index: FxHashMap<Sym, usize> = frames.iter().enumerate().filter_map(|(i, f)| Some((f.name?, i))).collect();
    let mut waiting = vec![0u32; frames.len()];
    let callees = |f: &Frame| f.callees.iter().filter_map(|c| index.get(c).copied()).collect::<Vec<_>>();
    for f in frames {
        callees(f).into_iter().for_each(|c| waiting[c] += 1);
    }
    let mut ready: Vec<usize> = (0..frames.len()).rev().filter(|&i| waiting[i] == 0).collect();
    let mut order = Vec::with_capacity(frames.len());
    while let Some(i) = ready.pop() {
        order.push(i);
        for c in callees(&frames[i]) {
            waiting[c] -= 1;
            if waiting[c] == 0 {
                ready.push(c);
            }
        }
    }
    // Functions on a cycle are planned one by one when they have nothing to plan.
    for (i, f) in frames.iter().enumerate() {
        if waiting[i] > 0 {
            if f.tiles.iter().any(|t| t.addr.is_none()) {
                return Err(i);
            }
            order.push(i);
        }
    }
    Ok(order)
}

/// Places the tiles of a function; gives the first free byte of each place.
fn plan(ir: &Ir, frame: &mut Frame, start: Ends, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Ends {
    let mut end = start;
    for (k, loc) in LOCS.into_iter().enumerate() {
        let placed = frame.tiles.iter().filter(|t| t.loc == loc);
        let highest = placed.filter_map(|t| t.addr?.checked_add(t.bytes)).max().unwrap_or(0);
        end[k] = end[k].max(highest);
        let Some(first) = frame.tiles.iter().find(|t| t.loc == loc && t.addr.is_none()).copied() else { continue };
        let span = ir.op(first.op).span;
        if let Some(&(_, at)) = frame.unknown.iter().find(|(l, _)| *l == loc) {
            diagnostics.push(
                Diagnostic::error(codes::BAD_EXTENT, span, format!("no address can be chosen for this {loc} tile"))
                    .label(at, "the address of this one is known only at run time")
                    .note(
                        "planned tiles lie above those with an address, so all addresses of the memory must be numbers",
                    )
                    .help("give this tile an address too, or make the other address a constant"),
            );
            continue;
        }
        let mut capacity = target.capacity(loc).unwrap_or(0);
        if frame.spreads.is_some() && loc == Loc::Vec {
            capacity = capacity.min(VECTOR_SCRATCH.start);
        }
        if capacity == 0 {
            diagnostics.push(
                Diagnostic::error(codes::NO_MEMORY, span, format!("{} has no {}", target.name, loc.memory()))
                    .at(format!("a {loc} tile"))
                    .help("compile for a target that has it"),
            );
            continue;
        }
        let mut at = Some(end[k]);
        for t in frame.tiles.iter_mut().filter(|t| t.loc == loc && t.addr.is_none()) {
            let addr = at.and_then(|a| a.checked_next_multiple_of(alignment(loc)));
            t.addr = addr;
            at = addr.and_then(|a| a.checked_add(t.bytes));
        }
        end[k] = at.unwrap_or(u64::MAX);
        if end[k] <= capacity && frame.arguments[k] > 0 && start[k] == frame.arguments[k] {
            diagnostics.push(arguments_below(ir, frame, loc, start[k], span));
        }
        if end[k] > capacity {
            diagnostics.push(overflow(ir, frame, loc, end[k], capacity, start[k], target));
        }
    }
    end
}

fn arguments_below(ir: &Ir, frame: &Frame, loc: Loc, bytes: u64, first: Span) -> Diagnostic {
    let args = &ir.block(frame.scope.block).args;
    let count = args.iter().filter(|&&a| tile_of(&ir.ctx, ir.value_type(a)).is_some_and(|t| t.loc == loc)).count();
    let at = frame.scope.func.map_or(Span::NONE, |f| ir.op(f).span);
    let noun = if count == 1 { "argument is" } else { "arguments are" };
    let mut d = Diagnostic::warning(
        codes::ARGUMENTS,
        first,
        format!("{count} {loc} {noun} taken to lie in the first {bytes} bytes of {}", loc.memory()),
    )
    .at("the first tile placed above them")
    .label(at, "nobody in the module calls this function, so nothing says where they lie")
    .note("the caller must place them there, or at least not where the tiles of this function lie")
    .help("give the tiles of this function addresses with `addr =` to choose others");
    d.severity = Severity::Note;
    d
}

fn overflow(ir: &Ir, frame: &Frame, loc: Loc, end: u64, capacity: u64, start: u64, target: &Target) -> Diagnostic {
    const SHOWN: usize = 40;
    let tiles: Vec<&Tile> = frame.tiles.iter().filter(|t| t.loc == loc).collect();
    let beyond = |t: &&&Tile| t.addr.is_none_or(|a| a.saturating_add(t.bytes) > capacity);
    let first = tiles.iter().find(beyond).or(tiles.last()).map_or(Span::NONE, |t| ir.op(t.op).span);
    let mut d = Diagnostic::error(
        codes::MEMORY_FULL,
        first,
        format!("the {loc} tiles of the function need {end} bytes, {} has {capacity} of {}", target.name, loc.memory()),
    )
    .at("the first that does not fit");
    if start > 0 {
        let whose = if frame.arguments.contains(&start) { "its arguments" } else { "the tiles of its callers" };
        d = d.note(format!("{whose} take the first {start} bytes"));
    }
    if let Some(at) = frame.spreads.filter(|_| loc == Loc::Vec) {
        let (from, to) = (VECTOR_SCRATCH.start, VECTOR_SCRATCH.end);
        d = d.label(at, format!("without a temporary this spreads a column in bytes {from} to {to}"));
    }
    let mut table = String::from("address    bytes      tile");
    for t in tiles.iter().take(SHOWN) {
        let result = ir.op(t.op).results.first().copied();
        let name = result.map_or("", |r| ir.ctx.str(ir.value(r).name));
        let ty = result.map(|r| ir.ctx.type_string(ir.value_type(r))).unwrap_or_default();
        let addr = t.addr.map_or("?".to_owned(), |a| format!("{a:#x}"));
        table.push_str(&format!("\n{addr:<10} {:<10} %{name} {ty}", t.bytes));
    }
    if tiles.len() > SHOWN {
        table.push_str(&format!("\n... and {} more", tiles.len() - SHOWN));
    }
    d.note(table)
        .help("use smaller tiles or fewer of them, or give tiles that are not used at the same time one address")
}

fn write_addresses(ir: &mut Ir, frame: &Frame) {
    for t in frame.tiles.iter().filter(|t| !t.given) {
        let Some(addr) = t.addr else { continue };
        if ir.op_name(t.op) == "pto.reserve_buffer" {
            let base = ir.ctx.int_attr(i128::from(addr), builtin::I32);
            ir.set_attr(t.op, "base", base);
            continue;
        }
        let attr = ir.ctx.int_attr(i128::from(addr), builtin::I64);
        let mut b = Builder::before(ir, t.op);
        let value = b.op(*CONSTANT).result(builtin::I64).attr("value", attr).build_value();
        ir.set_segment(t.op, 0, &[value]);
    }
}
