//! One-instruction programs: each tile instruction of a program as a function of its own.
//!
//! The function holds what the instruction's operands are made from (tiles with their addresses, parts, views, constants)
//! and the instruction. Sizes, numbers and pointers that come from elsewhere become its parameters; a tile that is a
//! parameter gets an address of its own.

use ptoc_dialect::types::{ptr_of, tile_of, view_of};
use ptoc_dialect::{def, kind};
use ptoc_ir::{AttrData, Builder, Ir, OpId, TypeId, ValueDef, ValueId, Walk, builtin, walk};
use ptoc_sim::run::is_instruction;
use ptoc_target::Loc;
use rustc_hash::FxHashMap;

/// What a parameter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A number of rows or columns, at most this.
    Extent(u64),
    /// A distance in elements.
    Stride(u64),
    /// A pointer to global memory.
    Pointer,
    /// Any other number.
    Number,
}

/// One instruction and its function.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    /// The instruction in the program.
    pub op: OpId,
    /// Its function; none with the reason.
    pub func: Result<OpId, String>,
    /// Type and role of each parameter.
    pub params: Vec<(TypeId, Role)>,
}

/// Operations that an operand may be made from.
const MAKERS: &[&str] = &[
    "pto.alloc_tile",
    "pto.alloc_multi_tile",
    "pto.multi_tile_get",
    "pto.subview",
    "pto.subset",
    "pto.bitcast",
    "pto.treshape",
    "pto.talias",
    "pto.make_tensor_view",
    "pto.partition_view",
    "pto.get_tensor_view_dim",
    "pto.get_tensor_view_stride",
    "pto.addptr",
    "pto.castptr",
];

/// Appends a function for each tile instruction of the program. Two equal programs get equal functions.
pub(crate) fn split(ir: &mut Ir) -> Vec<Single> {
    let mut found = Vec::new();
    let mut sets: FxHashMap<ValueId, Vec<(usize, OpId)>> = FxHashMap::default();
    let mut order = 0;
    walk(ir, ir.top(), &mut |op| {
        order += 1;
        let name = ir.op_name(op);
        if name == "pto.set_validshape" {
            if let Some(t) = ir.operand(op, 0) {
                sets.entry(t).or_default().push((order, op));
            }
        } else if is_instruction(name) {
            found.push((order, op));
        }
        Walk::Into
    });
    let mut out = Vec::with_capacity(found.len());
    for (n, (order, op)) in found.into_iter().enumerate() {
        let mut slice =
            Slice { ir, params: Vec::new(), given: Vec::new(), ops: Vec::new(), seen: FxHashMap::default() };
        let gathered = slice.gather(op, &sets, order);
        let Slice { params, given, ops, .. } = slice;
        out.push(match gathered {
            Err(why) => Single { op, func: Err(why), params: Vec::new() },
            Ok(()) => {
                let mut kinds: Vec<_> = params.iter().map(|&(v, role)| (ir.value_type(v), role)).collect();
                kinds.extend(given.iter().flat_map(|&v| open_sizes(ir, v)));
                Single { op, func: function(ir, op, n, (&params, &kinds), &given, &ops), params: kinds }
            }
        });
    }
    out
}

/// Types and bounds of the valid sizes that the type of a tile leaves open.
fn open_sizes(ir: &Ir, tile: ValueId) -> Vec<(TypeId, Role)> {
    let Some(t) = tile_of(&ir.ctx, ir.value_type(tile)) else { return Vec::new() };
    let both = [(t.valid_rows, t.rows), (t.valid_cols, t.cols)];
    both.iter().filter(|(v, _)| v.is_none()).map(|&(_, n)| (builtin::INDEX, Role::Extent(n))).collect()
}

struct Slice<'a> {
    ir: &'a Ir,
    params: Vec<(ValueId, Role)>,
    /// Tiles that are parameters.
    given: Vec<ValueId>,
    /// In the order they are executed.
    ops: Vec<OpId>,
    seen: FxHashMap<ValueId, ()>,
}

impl Slice<'_> {
    fn gather(&mut self, op: OpId, sets: &FxHashMap<ValueId, Vec<(usize, OpId)>>, order: usize) -> Result<(), String> {
        let cols = self.ir.op(op).operands.iter().find_map(|&v| tile_of(&self.ir.ctx, self.ir.value_type(v)));
        let bounds = cols.map_or((1, 1), |t| (t.rows, t.cols));
        let values: Vec<ValueId> = self.ir.op(op).operands.to_vec();
        for &v in &values {
            self.value(v, bounds)?;
        }
        // The valid size that was set last holds.
        let last: Vec<OpId> = self
            .ops
            .iter()
            .flat_map(|&o| self.ir.op(o).results.iter())
            .filter_map(|v| sets.get(v)?.iter().rev().find(|(at, _)| *at < order).map(|&(_, o)| o))
            .collect();
        for o in last {
            let tile = self.ir.operand(o, 0).and_then(|t| tile_of(&self.ir.ctx, self.ir.value_type(t)));
            let own = tile.map_or(bounds, |t| (t.rows, t.cols));
            for (n, bound) in [(1, own.0), (2, own.1)] {
                if let Some(v) = self.ir.operand(o, n) {
                    self.extent(v, Role::Extent(bound), bounds)?;
                }
            }
            self.ops.push(o);
        }
        Ok(())
    }

    fn param(&mut self, v: ValueId, role: Role) {
        match self.params.iter_mut().find(|(p, _)| *p == v) {
            None => self.params.push((v, role)),
            Some((_, Role::Extent(n))) if matches!(role, Role::Extent(m) if m < *n) => {
                if let Role::Extent(m) = role {
                    *n = m;
                }
            }
            Some(_) => {}
        }
        self.seen.insert(v, ());
    }

    /// A size: a constant stays one, everything else is a parameter.
    fn extent(&mut self, v: ValueId, role: Role, bounds: (u64, u64)) -> Result<(), String> {
        let fixed = self.ir.defining_op(v).is_some_and(|o| self.ir.op_name(o) == "arith.constant");
        if fixed {
            return self.value(v, bounds);
        }
        self.param(v, role);
        Ok(())
    }

    /// Adds what makes a value, without recursion.
    fn value(&mut self, v: ValueId, bounds: (u64, u64)) -> Result<(), String> {
        let mut stack = vec![(v, false)];
        while let Some((v, ready)) = stack.pop() {
            if !ready && self.seen.contains_key(&v) {
                continue;
            }
            let ty = self.ir.value_type(v);
            let op = match self.ir.value(v).def {
                ValueDef::Result(op, _) => Some(op),
                ValueDef::Arg(..) => None,
            };
            let made = op.filter(|&o| {
                let name = self.ir.op_name(o);
                self.ir.op(o).regions.is_empty() && (MAKERS.contains(&name) || name.starts_with("arith."))
            });
            let Some(op) = made else {
                if ptr_of(&self.ir.ctx, ty).is_some() {
                    self.param(v, Role::Pointer);
                    continue;
                }
                let kind = if tile_of(&self.ir.ctx, ty).is_some() {
                    if op.is_none() {
                        self.seen.insert(v, ());
                        self.given.push(v);
                        continue;
                    }
                    "tile"
                } else if view_of(&self.ir.ctx, ty).is_some() {
                    "view"
                } else {
                    self.param(v, Role::Number);
                    continue;
                };
                let from = op.map_or("a parameter", |o| self.ir.op_name(o));
                return Err(format!("its {kind} comes from {from}"));
            };
            if ready {
                if !self.ops.contains(&op) {
                    self.ops.push(op);
                }
                continue;
            }
            self.seen.insert(v, ());
            stack.push((v, true));
            let name = self.ir.op_name(op);
            let d = def(self.ir.op(op).kind);
            let own = self.ir.op(op).results.first().and_then(|&r| tile_of(&self.ir.ctx, self.ir.value_type(r)));
            let (rows, cols) = own.map_or(bounds, |t| (t.rows, t.cols));
            for n in 0..self.ir.op(op).segments.len() {
                let what = d.and_then(|d| d.operands.get(n)).map_or("", |o| o.name);
                let list = self.ir.segment_values(op, n).to_vec();
                for (k, &o) in list.iter().enumerate() {
                    let from_end = list.len() - 1 - k;
                    let size = [cols, rows].get(from_end).copied().unwrap_or(1);
                    let role = match what {
                        "valid_row" => Role::Extent(rows),
                        "valid_col" => Role::Extent(cols),
                        "shape" | "sizes" => Role::Extent(size),
                        "strides" => {
                            Role::Stride([1, cols].get(from_end).copied().unwrap_or(rows.saturating_mul(cols)))
                        }
                        _ => {
                            stack.push((o, false));
                            continue;
                        }
                    };
                    let fixed = self.ir.defining_op(o).is_some_and(|c| self.ir.op_name(c) == "arith.constant");
                    if fixed {
                        stack.push((o, false));
                    } else {
                        self.param(o, role);
                    }
                }
            }
            if name == "pto.alloc_tile"
                && d.and_then(|d| d.operand_index("addr")).is_none_or(|n| self.ir.segment_values(op, n).is_empty())
            {
                return Err("a tile has no address".into());
            }
        }
        Ok(())
    }
}

/// The values that become parameters, and the types the parameters have.
type Parameters<'a> = (&'a [(ValueId, Role)], &'a [(TypeId, Role)]);

fn function(
    ir: &mut Ir,
    op: OpId,
    n: usize,
    (params, kinds): Parameters<'_>,
    given: &[ValueId],
    ops: &[OpId],
) -> Result<OpId, String> {
    let span = ir.op(op).span;
    let mut host = ir.parent_op(op);
    while let Some(h) = host.filter(|&h| ir.op_name(h) != "func.func") {
        host = ir.parent_op(h);
    }
    let Some(host) = host else { return Err("it stands outside every function".into()) };
    let Some(place) = ir.parent_block(host) else { return Err("its function stands nowhere".into()) };
    let types: Vec<TypeId> = kinds.iter().map(|&(ty, _)| ty).collect();
    let func = ir.create_op(kind("func.func"), span, &[]);
    let name = ir.ctx.str_attr(&format!("ptoc.validate.{n}"));
    ir.set_attr(func, "sym_name", name);
    let ty = ir.ctx.function(&types, &[]);
    let ty = ir.ctx.attr(AttrData::Type(ty));
    ir.set_attr(func, "function_type", ty);
    if let Some(kernel) = ir.attr(host, "pto.kernel_kind") {
        ir.set_attr(func, "pto.kernel_kind", kernel);
    }
    let body = ir.add_body(func);
    let mut map: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    let mut args = Vec::with_capacity(types.len());
    for &ty in &types {
        args.push(ir.add_block_arg(body, ty));
    }
    map.extend(params.iter().zip(&args).map(|(&(v, _), &a)| (v, a)));
    let mut sizes = args.into_iter().skip(params.len());
    let mut ends: FxHashMap<Loc, u64> = FxHashMap::default();
    for &v in given {
        let ty = ir.value_type(v);
        let Some(t) = tile_of(&ir.ctx, ty) else { continue };
        let end = ends.entry(t.loc).or_insert(0);
        let at = *end;
        *end = at.saturating_add(t.bytes().unwrap_or(0)).next_multiple_of(512);
        let addr = ir.ctx.int_attr(i128::from(at), builtin::I64);
        let mut b = Builder::at_end(ir, body, span);
        let addr = b.op(kind("arith.constant")).result(builtin::I64).attr("value", addr).build_value();
        let mut size = |fixed: Option<u64>| if fixed.is_none() { sizes.next() } else { None };
        let (rows, cols) = (size(t.valid_rows), size(t.valid_cols));
        let alloc = b.op(kind("pto.alloc_tile")).operand(addr).segment(rows.as_slice()).segment(cols.as_slice());
        map.insert(v, alloc.result(ty).build_value());
    }
    for &o in ops.iter().chain([&op]) {
        let (types, segments): (Vec<TypeId>, usize) =
            (ir.op(o).results.iter().map(|&r| ir.value_type(r)).collect(), ir.op(o).segments.len());
        let (kind, span) = (ir.op(o).kind, ir.op(o).span);
        let copy = ir.create_op(kind, span, &types);
        for s in 0..segments {
            let values: Vec<ValueId> =
                ir.segment_values(o, s).iter().map(|v| map.get(v).copied().unwrap_or(*v)).collect();
            ir.push_segment(copy, &values);
        }
        let (form, name, attrs) = (ir.op(o).form, ir.op(o).name, ir.op(o).attrs.clone());
        let data = ir.op_mut(copy);
        (data.form, data.name, data.attrs) = (form, name, attrs);
        for (from, to) in ir.op(o).results.clone().into_iter().zip(ir.op(copy).results.clone()) {
            map.insert(from, to);
        }
        ir.append(body, copy);
    }
    let end = ir.create_op(kind("func.return"), span, &[]);
    ir.append(body, end);
    ir.append(place, func);
    Ok(func)
}
