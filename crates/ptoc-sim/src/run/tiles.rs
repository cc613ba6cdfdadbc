//! Tile programs by their meaning: storage, views, and tile instructions on the values of their operands.
//!
//! A tile has its bytes in the memory of its location, at its address when it has one and behind the memory's end
//! otherwise, so tiles that overlap on purpose share bytes here as well.

use super::codes;
use super::decode;
use super::exec::{Exec, Shared};
use super::pipes::{Key, Stop};
use super::value::Value;
use crate::machine::Ptr;
use crate::num::{Num, decode as decode_num, encode};
use crate::semantics::{self, Attr, Inst, Operand, Refusal, Scalar, Tensor, TensorLayout, Tile};
use ptoc_dialect::types::{MultiTileType, TileType, dtype_of, tile_of, view_of};
use ptoc_dialect::{AttrTy, Dialects, Dir, OpDef};
use ptoc_ir::{AttrData, OpId, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::{DType, Loc, TileShape};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// What is done with a tile operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub(crate) enum Act {
    Alloc,
    Slot,
    Assign,
    Part,
    Recast,
    SetValid,
    GetValid,
    View,
    Partition,
    ViewDim,
    ViewStride,
    TileAddress,
    ViewAddress,
    GetElement,
    SetElement,
    Instruction,
}

impl Act {
    /// The action of an operation; `None` when it is none of the tile level.
    pub fn of(name: &str) -> Option<Act> {
        Some(match name {
            "pto.alloc_tile" | "pto.declare_tile" | "pto.alloc_multi_tile" => Act::Alloc,
            "pto.multi_tile_get" => Act::Slot,
            "pto.tassign" => Act::Assign,
            "pto.subview" | "pto.subset" => Act::Part,
            "pto.bitcast" | "pto.treshape" | "pto.talias" => Act::Recast,
            "pto.set_validshape" => Act::SetValid,
            "pto.get_validshape" | "pto.tile_valid_rows" | "pto.tile_valid_cols" => Act::GetValid,
            "pto.make_tensor_view" => Act::View,
            "pto.partition_view" => Act::Partition,
            "pto.get_tensor_view_dim" => Act::ViewDim,
            "pto.get_tensor_view_stride" => Act::ViewStride,
            "pto.tile_buf_addr" => Act::TileAddress,
            "pto.tensor_view_addr" => Act::ViewAddress,
            "pto.tgetval" => Act::GetElement,
            "pto.tsetval" => Act::SetElement,
            _ if Dialects::get().def_by_name(name).is_some_and(OpDef::is_tile_instruction) => Act::Instruction,
            "pto.tstore" | "pto.tstore.fp" | "pto.mscatter" => Act::Instruction,
            _ => return None,
        })
    }
}

/// Where a tile lies.
#[derive(Clone, Copy, Debug)]
struct Slot {
    ty: TileType,
    space: Loc,
    /// Byte address of the storage that `frame` describes.
    base: u64,
    /// The shape that decides where elements lie: the tile's own, or that of the tile it is a part of.
    frame: TileShape,
    /// Where element (0, 0) lies in the frame.
    origin: (u64, u64),
    valid: (u64, u64),
}

/// A tile operand of an instruction that was executed by its meaning.
#[derive(Clone, Copy, Debug)]
pub struct TileOperand {
    /// The instruction.
    pub op: OpId,
    /// Its name in the table.
    pub name: &'static str,
    /// Who reads and writes it.
    pub dir: Dir,
    slot: Slot,
}

impl TileOperand {
    /// The memory it lies in.
    pub fn space(&self) -> Loc {
        self.slot.space
    }

    /// Its element type.
    pub fn dtype(&self) -> DType {
        self.slot.ty.dtype
    }

    /// Rows and columns of the whole tile.
    pub fn size(&self) -> (u64, u64) {
        (self.slot.ty.rows, self.slot.ty.cols)
    }

    /// Rows and columns that are valid.
    pub fn valid(&self) -> (u64, u64) {
        self.slot.valid
    }

    /// Byte address of an element.
    pub fn at(&self, row: u64, col: u64) -> u64 {
        let t = &self.slot;
        t.base + t.frame.offset(t.origin.0 + row, t.origin.1 + col) * t.frame.dtype.bytes()
    }
}

/// A view of global memory.
#[derive(Clone, Debug)]
pub(crate) struct View {
    base: u64,
    dtype: DType,
    shape: Vec<u64>,
    strides: Vec<u64>,
    layout: TensorLayout,
}

/// All tiles and views of a run.
#[derive(Debug, Default)]
pub(crate) struct Store {
    tiles: Vec<Slot>,
    views: Vec<View>,
    /// For each value that allocates without an address: where it lies, so that a loop reuses it.
    placed: rustc_hash::FxHashMap<ValueId, u64>,
    ends: rustc_hash::FxHashMap<Loc, u64>,
    /// Buffers that have had an owner.
    used: FxHashSet<Key>,
    /// For each start of a view of global memory, the furthest end.
    touched: rustc_hash::FxHashMap<u64, u64>,
    /// Tile operands of every instruction, when wanted.
    pub operands: Option<Vec<TileOperand>>,
}

impl Store {
    /// True the first time a buffer is taken.
    pub fn first_use(&mut self, key: Key) -> bool {
        self.used.insert(key)
    }

    /// Notes that bytes of global memory are looked at.
    pub fn touch(&mut self, start: u64, end: u64) {
        let e = self.touched.entry(start).or_insert(end);
        *e = (*e).max(end);
    }

    /// The ranges of global memory that were looked at: start, end.
    pub fn touched(&self) -> Vec<(u64, u64)> {
        self.touched.iter().map(|(&s, &e)| (s, e)).collect()
    }
}

/// The elements of the last result type.
fn result_tile(s: &Shared<'_>, op: OpId) -> Option<TileType> {
    let &r = s.ir.op(op).results.first()?;
    let ty = s.ir.value_type(r);
    tile_of(&s.ir.ctx, ty).or_else(|| s.ir.ctx.type_as::<MultiTileType>(ty).and_then(|m| tile_of(&s.ir.ctx, m.tile)))
}

fn wrong(s: &mut Shared<'_>, op: OpId, what: &str) -> Stop {
    let name = s.ir.op_name(op);
    s.stop(codes::BAD_ARGUMENT, op, format!("`{name}`: {what}"))
}

/// A number operand by its name in the table; `None` when absent.
fn number(e: &Exec, s: &Shared<'_>, op: OpId, name: &str) -> Option<i64> {
    values(e, s, op, name).first().and_then(|v| e.get(*v).int())
}

fn values<'a>(_: &Exec, s: &Shared<'a>, op: OpId, name: &str) -> &'a [ValueId] {
    let Some(n) = decode::def_of(s.ir, op).and_then(|d| d.operand_index(name)) else { return &[] };
    s.ir.segment_values(op, n)
}

fn numbers(e: &Exec, s: &mut Shared<'_>, op: OpId, name: &str) -> Result<Vec<u64>, Stop> {
    let list = values(e, s, op, name);
    let mut out = Vec::with_capacity(list.len());
    for &v in list {
        match e.get(v).int().and_then(|n| u64::try_from(n).ok()) {
            Some(n) => out.push(n),
            None => return Err(wrong(s, op, &format!("a value of `{name}` is no number from zero on"))),
        }
    }
    Ok(out)
}

fn slot(e: &Exec, s: &mut Shared<'_>, op: OpId, n: usize) -> Result<Slot, Stop> {
    match e.operand(s.ir, op, n) {
        Value::Tile(i) => Ok(s.tiles.tiles[i as usize]),
        _ => Err(wrong(s, op, &format!("operand {n} is no tile with storage"))),
    }
}

fn view(e: &Exec, s: &mut Shared<'_>, op: OpId, n: usize) -> Result<View, Stop> {
    match e.operand(s.ir, op, n) {
        Value::View(i) => Ok(s.tiles.views[i as usize].clone()),
        _ => Err(wrong(s, op, &format!("operand {n} is no view of global memory"))),
    }
}

fn new_tile(s: &mut Shared<'_>, t: Slot) -> Value {
    s.tiles.tiles.push(t);
    Value::Tile(s.tiles.tiles.len() as u32 - 1)
}

fn new_view(s: &mut Shared<'_>, v: View) -> Value {
    s.tiles.views.push(v);
    Value::View(s.tiles.views.len() as u32 - 1)
}

/// Runs a tile operation.
pub(crate) fn act(e: &mut Exec, s: &mut Shared<'_>, op: OpId, act: Act) -> Result<(), Stop> {
    match act {
        Act::Alloc => alloc(e, s, op),
        Act::Slot => pick(e, s, op),
        Act::Assign => assign(e, s, op),
        Act::Part => part(e, s, op),
        Act::Recast => recast(e, s, op),
        Act::SetValid => set_valid(e, s, op),
        Act::GetValid => {
            let t = slot(e, s, op, 0)?;
            let both = [t.valid.0, t.valid.1];
            let from = usize::from(s.ir.op_name(op) == "pto.tile_valid_cols");
            for n in 0..s.ir.op(op).results.len() {
                let v = both.get(n + from).copied().unwrap_or(0);
                e.set_result(s.ir, op, n, Value::Int(v as i64));
            }
            Ok(())
        }
        Act::View => make_view(e, s, op),
        Act::Partition => partition(e, s, op),
        Act::ViewDim | Act::ViewStride => {
            let (v, d) = (view(e, s, op, 0)?, e.int(s, op, 1)?);
            let list = if act == Act::ViewDim { &v.shape } else { &v.strides };
            match usize::try_from(d).ok().and_then(|d| list.get(d)) {
                Some(&n) => {
                    e.set_result(s.ir, op, 0, Value::Int(n as i64));
                    Ok(())
                }
                None => Err(wrong(s, op, &format!("the view has {} dimensions, not a dimension {d}", list.len()))),
            }
        }
        Act::TileAddress => {
            let t = slot(e, s, op, 0)?;
            let at = t.base + t.frame.offset(t.origin.0, t.origin.1) * t.frame.dtype.bytes();
            e.set_result(s.ir, op, 0, Value::Ptr(Ptr { space: t.space, addr: at, elem: Some(t.ty.dtype) }));
            Ok(())
        }
        Act::ViewAddress => {
            let v = view(e, s, op, 0)?;
            e.set_result(s.ir, op, 0, Value::Ptr(Ptr { space: Loc::Gm, addr: v.base, elem: Some(v.dtype) }));
            Ok(())
        }
        Act::GetElement | Act::SetElement => element(e, s, op, act == Act::SetElement),
        Act::Instruction => instruction(e, s, op),
    }
}

fn alloc(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let ir = s.ir;
    let (Some(ty), Some(&result)) = (result_tile(s, op), ir.op(op).results.first()) else { return Err(s.unknown(op)) };
    let slots = ir.ctx.type_as::<MultiTileType>(ir.value_type(result)).map_or(1, |m| u64::from(m.count));
    let Some(bytes) = ty.bytes().and_then(|b| b.checked_mul(slots)) else {
        return Err(wrong(s, op, "the tile is too large"));
    };
    let base = match number(e, s, op, "addr") {
        Some(a) => a as u64,
        None => match s.tiles.placed.get(&result) {
            Some(&at) => at,
            None => {
                let size = s.core.mem.size(ty.loc);
                let end = s.tiles.ends.entry(ty.loc).or_insert(size.next_multiple_of(512));
                let at = *end;
                *end = at.saturating_add(bytes).next_multiple_of(512);
                s.tiles.placed.insert(result, at);
                at
            }
        },
    };
    if let Err(fault) = s.core.mem.grow(ty.loc, base.saturating_add(bytes)) {
        return Err(s.stop_with(super::pipes::fault_diagnostic(&fault, ir.op(op).span)));
    }
    let bound = |fixed: Option<u64>, name: &str, all: u64| {
        fixed.or_else(|| number(e, s, op, name).and_then(|n| u64::try_from(n).ok())).unwrap_or(all)
    };
    let valid = (bound(ty.valid_rows, "valid_row", ty.rows), bound(ty.valid_cols, "valid_col", ty.cols));
    if valid.0 > ty.rows || valid.1 > ty.cols {
        let what = format!("the valid size {}x{} is larger than the tile, {}x{}", valid.0, valid.1, ty.rows, ty.cols);
        return Err(wrong(s, op, &what));
    }
    let t = Slot { ty, space: ty.loc, base, frame: ty.shape(), origin: (0, 0), valid };
    let v = new_tile(s, t);
    e.set(result, v);
    Ok(())
}

fn pick(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let (t, n) = (slot(e, s, op, 0)?, e.int(s, op, 1)?);
    let bytes = t.ty.bytes().unwrap_or(0);
    let base = t.base.saturating_add((n as u64).saturating_mul(bytes));
    if base.saturating_add(bytes) > s.core.mem.size(t.space) || n < 0 {
        return Err(wrong(s, op, &format!("there is no slot {n}")));
    }
    let v = new_tile(s, Slot { base, ..t });
    e.set_result(s.ir, op, 0, v);
    Ok(())
}

fn assign(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let given = s.ir.int_attr(op, "address").and_then(|n| i64::try_from(n).ok());
    let Some(addr) = given.or_else(|| number(e, s, op, "addr")) else { return Err(wrong(s, op, "no address")) };
    let t = slot(e, s, op, 0)?;
    let end = (addr as u64).saturating_add(t.ty.bytes().unwrap_or(0));
    if let Err(fault) = s.core.mem.grow(t.space, end) {
        return Err(s.stop_with(super::pipes::fault_diagnostic(&fault, s.ir.op(op).span)));
    }
    if let Value::Tile(i) = e.operand(s.ir, op, 0)
        && let Some(t) = s.tiles.tiles.get_mut(i as usize)
    {
        t.base = addr as u64;
        e.set_result(s.ir, op, 0, Value::Tile(i));
    }
    Ok(())
}

fn part(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let t = slot(e, s, op, 0)?;
    let Some(ty) = result_tile(s, op) else { return Err(s.unknown(op)) };
    let mut at = numbers(e, s, op, "offsets")?;
    for name in ["i", "j"] {
        at.extend(numbers(e, s, op, name)?);
    }
    let (r, c) = (at.first().copied().unwrap_or(0), at.get(1).copied().unwrap_or(0));
    // A part keeps the pitch of its parent; its type says the parent's shape or its own.
    let sizes: Vec<u64> = match s.ir.attr_data(op, "sizes") {
        Some(AttrData::DenseArray { values, .. }) => values.iter().map(|&n| n as u64).collect(),
        Some(AttrData::Array(list)) => list
            .iter()
            .filter_map(|a| match s.ir.ctx.attr_data(*a) {
                AttrData::Integer { value, .. } => u64::try_from(*value).ok(),
                _ => None,
            })
            .collect(),
        _ => vec![ty.rows, ty.cols],
    };
    let [rows, cols] = sizes[..] else { return Err(wrong(s, op, "the sizes are not rows and columns")) };
    if r.saturating_add(rows) > t.frame.rows || c.saturating_add(cols) > t.frame.cols {
        let what = format!(
            "rows {r} to {} and columns {c} to {} reach outside the tile of {}x{}",
            r.saturating_add(rows),
            c.saturating_add(cols),
            t.frame.rows,
            t.frame.cols
        );
        return Err(wrong(s, op, &what));
    }
    let valid = |given: Option<i64>, fixed: Option<u64>, all: u64| {
        given.and_then(|n| u64::try_from(n).ok()).or(fixed).unwrap_or(all).min(all)
    };
    let valid = (
        valid(number(e, s, op, "valid_row"), ty.valid_rows, rows),
        valid(number(e, s, op, "valid_col"), ty.valid_cols, cols),
    );
    let ty = TileType { rows, cols, ..ty };
    let v = new_tile(s, Slot { ty, origin: (t.origin.0 + r, t.origin.1 + c), valid, ..t });
    e.set_result(s.ir, op, 0, v);
    Ok(())
}

fn recast(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let t = slot(e, s, op, 0)?;
    let Some(ty) = result_tile(s, op) else { return Err(s.unknown(op)) };
    let valid = (ty.valid_rows.unwrap_or(ty.rows), ty.valid_cols.unwrap_or(ty.cols));
    let v = new_tile(s, Slot { ty, frame: ty.shape(), valid, ..t });
    e.set_result(s.ir, op, 0, v);
    Ok(())
}

fn set_valid(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let t = slot(e, s, op, 0)?;
    let (r, c) = (e.int(s, op, 1)?, e.int(s, op, 2)?);
    let fits = |n: i64, all: u64| u64::try_from(n).is_ok_and(|n| n <= all);
    if !fits(r, t.ty.rows) || !fits(c, t.ty.cols) {
        return Err(wrong(s, op, &format!("the valid size {r}x{c} is outside the tile, {}x{}", t.ty.rows, t.ty.cols)));
    }
    if let Value::Tile(i) = e.operand(s.ir, op, 0)
        && let Some(t) = s.tiles.tiles.get_mut(i as usize)
    {
        t.valid = (r as u64, c as u64);
    }
    Ok(())
}

fn make_view(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let ir = s.ir;
    let Value::Ptr(p) = e.operand(ir, op, 0) else { return Err(wrong(s, op, "the first operand is no pointer")) };
    let (shape, strides) = (numbers(e, s, op, "shape")?, numbers(e, s, op, "strides")?);
    let dtype = ir
        .op(op)
        .results
        .first()
        .and_then(|&r| view_of(&ir.ctx, ir.value_type(r)))
        .and_then(|v| dtype_of(&ir.ctx, v.elem));
    let Some(dtype) = dtype.or(p.elem) else { return Err(s.unknown(op)) };
    if shape.len() != strides.len() || shape.len() > 5 || shape.is_empty() {
        return Err(wrong(s, op, &format!("{} extents and {} strides", shape.len(), strides.len())));
    }
    let layout = match ir.word_attr(op, "layout") {
        None | Some("nd" | "ND") => TensorLayout::Nd,
        Some("dn" | "DN") => TensorLayout::Dn,
        Some("nz" | "NZ") => TensorLayout::Nz,
        Some(_) => return Err(s.unknown(op)),
    };
    let v = new_view(s, View { base: p.addr, dtype, shape, strides, layout });
    e.set_result(ir, op, 0, v);
    Ok(())
}

fn partition(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let v = view(e, s, op, 0)?;
    let (at, sizes) = (numbers(e, s, op, "offsets")?, numbers(e, s, op, "sizes")?);
    if at.len() != v.shape.len() || sizes.len() != v.shape.len() {
        return Err(wrong(
            s,
            op,
            &format!("{} offsets and {} sizes for {} dimensions", at.len(), sizes.len(), v.shape.len()),
        ));
    }
    for (d, ((&a, &n), &all)) in at.iter().zip(&sizes).zip(&v.shape).enumerate() {
        if a.saturating_add(n) > all {
            let what = format!("dimension {d}: {a} to {} reaches outside its {all} elements", a.saturating_add(n));
            return Err(wrong(s, op, &what));
        }
    }
    let offset = at.iter().zip(&v.strides).fold(0u64, |o, (&a, &n)| o.saturating_add(a.saturating_mul(n)));
    let base = v.base.saturating_add(offset.saturating_mul(v.dtype.bytes()));
    let v = new_view(s, View { base, shape: sizes, ..v });
    e.set_result(s.ir, op, 0, v);
    Ok(())
}

fn element(e: &mut Exec, s: &mut Shared<'_>, op: OpId, store: bool) -> Result<(), Stop> {
    let t = slot(e, s, op, 0)?;
    let n = e.int(s, op, 1)?;
    let ty = t.ty.dtype;
    let at = t.base.wrapping_add_signed(n.wrapping_mul(ty.bytes() as i64));
    let p = Ptr { space: t.space, addr: at, elem: Some(ty) };
    let done = if store {
        let Some(v) = e.operand(s.ir, op, 2).num() else { return Err(wrong(s, op, "the value is no number")) };
        s.core.mem.store(p, ty.bytes(), encode(ty, v)).map(|()| None)
    } else {
        s.core.mem.load(p, ty.bytes()).map(Some)
    };
    match done {
        Err(fault) => Err(s.stop_with(super::pipes::fault_diagnostic(&fault, s.ir.op(op).span))),
        Ok(bits) => {
            if let Some(bits) = bits {
                let v = match decode_num(ty, bits) {
                    Num::Int(n) => Value::Int(n as i64),
                    Num::Float(_) => Value::Float { ty, bits },
                };
                e.set_result(s.ir, op, 0, v);
            }
            Ok(())
        }
    }
}

/// True when the tile is its own storage, byte for byte.
fn whole(t: &Slot) -> bool {
    t.origin == (0, 0) && t.frame == t.ty.shape()
}

fn read_tile(s: &mut Shared<'_>, t: &Slot) -> Result<Tile, crate::machine::Fault> {
    let shape = t.ty.shape();
    let mut tile =
        Tile { loc: t.space, shape, valid_rows: t.valid.0, valid_cols: t.valid.1, pad: t.ty.pad, bytes: Vec::new() };
    let size = Tile::size(&shape);
    if whole(t) {
        tile.bytes = s.core.mem.read(t.space, t.base, size)?.to_vec();
        return Ok(tile);
    }
    tile.bytes = vec![0; size as usize];
    let width = shape.dtype.bytes();
    for r in 0..shape.rows {
        for c in 0..shape.cols {
            let at = t.base + t.frame.offset(t.origin.0 + r, t.origin.1 + c) * width;
            let bits = s.core.mem.load(Ptr { space: t.space, addr: at, elem: None }, width)?;
            tile.set_bits(r, c, bits);
        }
    }
    Ok(tile)
}

fn write_tile(s: &mut Shared<'_>, t: &Slot, tile: &Tile) -> Result<(), crate::machine::Fault> {
    if whole(t) {
        let to = s.core.mem.write(t.space, t.base, tile.bytes.len() as u64)?;
        to.copy_from_slice(&tile.bytes);
        return Ok(());
    }
    let width = tile.shape.dtype.bytes();
    for r in 0..tile.shape.rows {
        for c in 0..tile.shape.cols {
            let at = t.base + t.frame.offset(t.origin.0 + r, t.origin.1 + c) * width;
            s.core.mem.store(Ptr { space: t.space, addr: at, elem: None }, width, tile.bits(r, c))?;
        }
    }
    Ok(())
}

/// Bytes from the first to the last element of a view.
fn reach(v: &View) -> u64 {
    if v.shape.contains(&0) {
        return 0;
    }
    let last = v.shape.iter().zip(&v.strides).fold(0u64, |o, (&n, &st)| o.saturating_add((n - 1).saturating_mul(st)));
    last.saturating_add(1).saturating_mul(v.dtype.bytes())
}

fn read_view(s: &mut Shared<'_>, v: &View) -> Result<Tensor, crate::machine::Fault> {
    let size = reach(v);
    if size > 0 {
        s.tiles.touch(v.base, v.base.saturating_add(size));
        s.pipes.inside(v.base, size)?;
    }
    let bytes = s.core.mem.read(Loc::Gm, v.base, size)?.to_vec();
    let mut t = Tensor { dtype: v.dtype, shape: [1; 5], strides: [0; 5], layout: v.layout, bytes };
    let missing = 5 - v.shape.len().min(5);
    for (d, (&n, &st)) in v.shape.iter().zip(&v.strides).enumerate().take(5) {
        t.shape[missing + d] = n;
        t.strides[missing + d] = st;
    }
    // Where the view does not say it, the dimension with neighbours one element apart runs along the fastest axis.
    if t.layout == TensorLayout::Nd && t.strides[3] == 1 && t.strides[4] != 1 {
        t.layout = TensorLayout::Dn;
    }
    Ok(t)
}

/// Names of operands and attributes that differ between the table and the meanings: instruction, table, meaning.
const RENAMED: &[(&str, &str, &str)] = &[
    ("tmatmul", "lhs", "a"),
    ("tmatmul", "rhs", "b"),
    ("tmatmul", "dst", "c"),
    ("tmatmul", "acc_in", "c_in"),
    ("tgemv", "lhs", "a"),
    ("tgemv", "rhs", "b"),
    ("tgemv", "dst", "c"),
    ("tgemv", "acc_in", "c_in"),
    ("tstore_fp", "mem", "dst"),
    ("tmuls", "src0", "src"),
    ("tlrelu", "slope", "scalar"),
    ("tci", "S", "start"),
    ("tgatherb", "offsets", "offset"),
    ("mgather", "mem", "src"),
    ("mgather", "idx", "indexes"),
    ("mscatter", "mem", "dst"),
    ("mscatter", "idx", "indexes"),
    ("tpart", "src0Idx", "src0_idx"),
    ("tpart", "src1Idx", "src1_idx"),
    ("tpart", "dstIdx", "dst_idx"),
    ("tquant", "fp", "scale"),
    ("tadddeqrelu", "deqScale", "deq_scale"),
    ("", "indexRow", "index_row"),
    ("", "indexCol", "index_col"),
    ("", "idxrow", "index_row"),
    ("", "idxcol", "index_col"),
    ("", "preQuantScalar", "pre_quant_scalar"),
    ("", "cmpMode", "cmp_mode"),
    ("", "rmode", "round_mode"),
    ("", "reluPreMode", "relu"),
    ("", "accToVecMode", "acc_to_vec_mode"),
    ("", "atomicType", "atomic"),
    ("", "maskPattern", "mask_pattern"),
    ("", "padValue", "pad_val"),
    ("", "isBinary", "is_binary"),
    ("", "tinsertMode", "mode"),
    ("", "blockLen", "block_len"),
    ("", "gatherOob", "oob"),
    ("", "scatterOob", "oob"),
    ("", "scatterAtomicOp", "atomic"),
];

fn renamed(op: &str, name: &'static str) -> &'static str {
    RENAMED.iter().find(|(o, n, _)| *n == name && op.starts_with(o)).map_or(name, |&(_, _, to)| to)
}

/// A word as the golden data spells it: `#pto<round_mode RINT>` is `rint`, `atomic_none` is `none`, `normal_relu` stays.
fn spelled(attr: &str, word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    let cut = match attr {
        "atomic" => lower.strip_prefix("atomic_"),
        "round_mode" => lower.strip_prefix("cast_"),
        _ => None,
    };
    match (attr, cut.unwrap_or(&lower)) {
        ("mask_pattern", _) => word.to_owned(),
        (_, w) => w.to_owned(),
    }
}

enum Place {
    Tile(Slot),
    View(View),
}

fn instruction(e: &mut Exec, s: &mut Shared<'_>, op: OpId) -> Result<(), Stop> {
    let ir = s.ir;
    let Some(def) = decode::def_of(ir, op) else { return Err(s.unknown(op)) };
    let name = def.short_name().replace('.', "_");
    let span = ir.op(op).span;
    let mut inst = Inst { op: &name, operands: Vec::new(), attrs: Vec::new() };
    let mut places: Vec<(usize, Dir, Place)> = Vec::new();
    let mut fault = None;
    for (n, o) in def.operands.iter().enumerate() {
        let list = ir.segment_values(op, n);
        for (k, &v) in list.iter().enumerate() {
            let base = renamed(&name, o.name);
            let key: Cow<'_, str> = match (list.len(), o.name) {
                (2.., "srcs") => Cow::Owned(format!("src{k}")),
                (1, "srcs") => Cow::Borrowed("src"),
                (2.., "dsts") if k > 0 => Cow::Owned(format!("dst{k}")),
                (_, "dsts") => Cow::Borrowed("dst"),
                (2.., _) => Cow::Owned(format!("{base}{k}")),
                _ => Cow::Borrowed(base),
            };
            match e.get(v).clone() {
                Value::Tile(i) => {
                    let t = s.tiles.tiles[i as usize];
                    match read_tile(s, &t) {
                        Ok(tile) => {
                            places.push((inst.operands.len(), o.dir, Place::Tile(t)));
                            if let Some(list) = &mut s.tiles.operands {
                                list.push(TileOperand { op, name: o.name, dir: o.dir, slot: t });
                            }
                            inst.operands.push((key, Operand::Tile(tile)));
                        }
                        Err(f) => fault = Some(f),
                    }
                }
                Value::View(i) => {
                    let view = s.tiles.views[i as usize].clone();
                    match read_view(s, &view) {
                        Ok(t) => {
                            places.push((inst.operands.len(), o.dir, Place::View(view)));
                            inst.operands.push((key, Operand::Tensor(t)));
                        }
                        Err(f) => fault = Some(f),
                    }
                }
                Value::Int(n) => {
                    let dtype = dtype_of(&ir.ctx, ir.value_type(v)).filter(|d| d.is_int());
                    let attr = match dtype {
                        Some(dtype) if !matches!(base, "index_row" | "index_col" | "block_len") => {
                            Attr::Scalar(Scalar { dtype, bits: n as u64 & (u64::MAX >> (64 - 8 * dtype.bytes())) })
                        }
                        _ => Attr::Int(n),
                    };
                    inst.attrs.push((key, attr));
                }
                Value::Float { ty, bits } => inst.attrs.push((key, Attr::Scalar(Scalar { dtype: ty, bits }))),
                _ => return Err(wrong(s, op, &format!("operand `{}` has no value", o.name))),
            }
        }
    }
    if let Some(f) = fault {
        return Err(s.stop_with(super::pipes::fault_diagnostic(&f, span)));
    }
    for a in def.attrs {
        let key = renamed(&name, a.name);
        let attr = match (a.ty, ir.attr_data(op, a.name)) {
            (_, Some(AttrData::Bool(b))) => Attr::Bool(*b),
            (_, Some(AttrData::Unit)) => Attr::Bool(true),
            (_, Some(AttrData::Integer { value, .. })) => Attr::Int(*value as i64),
            _ => match ir.word_attr(op, a.name).or(a.default) {
                Some(w) if matches!(a.ty, AttrTy::Bool) => Attr::Bool(w == "true"),
                Some(w) => Attr::Word(spelled(key, w)),
                None => continue,
            },
        };
        inst.attrs.push((Cow::Borrowed(key), attr));
    }
    if let Err(refused) = semantics::eval(&mut inst) {
        let (code, why) = match refused {
            Refusal::Unsupported(_) => (codes::UNKNOWN, "the simulator stops rather than guess"),
            Refusal::Illegal(_) => (codes::BAD_ARGUMENT, "the operands contradict the instruction's definition"),
        };
        let d = Diagnostic::error(code, span, format!("{}: {refused}", def.short_name())).at("executed here").note(why);
        return Err(s.stop_with(d));
    }
    for (i, dir, place) in &places {
        if *dir == Dir::In {
            continue;
        }
        let done = match (&inst.operands[*i].1, place) {
            (Operand::Tile(tile), Place::Tile(t)) => write_tile(s, t, tile),
            (Operand::Tensor(t), Place::View(v)) => {
                s.core.mem.write(Loc::Gm, v.base, t.bytes.len() as u64).map(|to| to.copy_from_slice(&t.bytes))
            }
            _ => Ok(()),
        };
        if let Err(f) = done {
            return Err(s.stop_with(super::pipes::fault_diagnostic(&f, span)));
        }
    }
    Ok(())
}
