//! Allocation, addresses, views and their queries: they make no code, only knowledge.

use crate::call::{Call, Res};
use crate::env::TileState;
use crate::{Base, Em, Gm, GmLayout, Sc, Tile, codes};
use ptoc_dialect::types::{MultiTileType, dtype_of, tile_of, view_of};
use ptoc_ir::{AttrData, ValueId};
use ptoc_source::{Diagnostic, Span};
use ptoc_target::BLOCK_BYTES;
use smallvec::SmallVec;

/// Handles a storage operation: notes what it says, or replaces its results. `None` when it is none.
pub(crate) fn handle(em: &mut Em<'_>, call: &Call) -> Option<Res<()>> {
    let f: fn(&mut Em<'_>, &Call) -> Res<()> = match call.name() {
        "alloc_tile" | "declare_tile" => alloc,
        "alloc_multi_tile" => alloc_multi,
        "multi_tile_get" => slot,
        "tassign" => assign,
        "subview" | "subset" => part,
        "bitcast" | "treshape" => recast,
        "set_validshape" => set_valid,
        "get_validshape" | "tile_valid_rows" | "tile_valid_cols" => get_valid,
        "tile_buf_addr" => address,
        "make_tensor_view" => view,
        "partition_view" => partition,
        "get_tensor_view_dim" | "get_tensor_view_stride" => query,
        "tensor_view_addr" => view_address,
        "tgetval" => get_element,
        "tsetval" => set_element,
        _ => return None,
    };
    Some(f(em, call))
}

impl Em<'_> {
    /// The tile behind a value.
    pub(crate) fn tile_of(&self, v: ValueId, at: Span, who: &str, operand: &str) -> Res<Tile> {
        let Some(state) = self.env.tiles.get(&v) else {
            return Err(Box::new(
                Diagnostic::error(
                    codes::NOT_A_POINTER,
                    at,
                    format!("{who}: {operand} does not come from an allocation, an argument or a part of a tile"),
                )
                .note("lowering traces every tile back to the operation that gives it its address"),
            ));
        };
        if let Some(t) = state.known() {
            return Ok(t);
        }
        if state.base.is_none() && !state.conflict {
            return Err(Box::new(
                Diagnostic::error(codes::NO_ADDRESS, at, format!("{who}: {operand} has no address"))
                    .note("every tile needs its byte address before lowering")
                    .help("plan memory first, or write `pto.alloc_tile addr = %a`"),
            ));
        }
        let what = if state.conflict { "depends on the path taken" } else { "was never set" };
        Err(Box::new(
            Diagnostic::error(codes::UNKNOWN_STATE, at, format!("{who}: the valid size of {operand} {what}"))
                .note(
                    "a run-time valid size comes from `alloc_tile valid_row = ... valid_col = ...` or `set_validshape`",
                )
                .help("set it in straight-line code before this use"),
        ))
    }

    fn state_of(&self, call: &Call, operand: &str) -> Res<TileState> {
        let v = call.need(self, operand)?;
        match self.env.tiles.get(&v) {
            Some(s) => Ok(*s),
            None => Err(Box::new(
                Diagnostic::error(
                    codes::NOT_A_POINTER,
                    self.ir.op(call.op).span,
                    format!(
                        "{}: {operand} does not come from an allocation, an argument or a part of a tile",
                        call.name()
                    ),
                )
                .note("lowering traces every tile back to the operation that gives it its address")
                .help("make the tile with `pto.alloc_tile` in this function, or pass it as an argument"),
            )),
        }
    }

    fn result(&self, call: &Call) -> Option<ValueId> {
        self.ir.op(call.op).results.first().copied()
    }

    fn result_state(&self, call: &Call) -> Res<(ValueId, TileState)> {
        let found = self.result(call).and_then(|v| {
            let ty = tile_of(&self.ir.ctx, self.ir.value_type(v))?;
            Some((v, TileState::new(ty, self.ir.value(v).name)))
        });
        found.ok_or_else(|| call.unsupported(self, "its result is not a tile"))
    }
}

fn alloc(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (v, mut state) = em.result_state(call)?;
    if let Some(addr) = call.value(em, "addr") {
        state.base = Some(base_of(em, addr));
    }
    if state.rows.is_none()
        && let Some(r) = call.value(em, "valid_row")
    {
        state.rows = Some(em.sc(r));
    }
    if state.cols.is_none()
        && let Some(c) = call.value(em, "valid_col")
    {
        state.cols = Some(em.sc(c));
    }
    em.env.tiles.insert(v, state);
    Ok(())
}

fn base_of(em: &mut Em<'_>, addr: ValueId) -> Base {
    match em.sc(addr) {
        Sc::Const(a) => Base::Addr(a),
        Sc::Value(v) if em.ir.value_type(addr) == ptoc_ir::builtin::I64 => {
            let _ = v;
            Base::RunTime(addr)
        }
        s => Base::RunTime(em.i64(s)),
    }
}

fn alloc_multi(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let Some(v) = em.result(call) else { return Ok(()) };
    if let Some(addr) = call.value(em, "addr") {
        let base = base_of(em, addr);
        em.env.slots.insert(v, base);
    }
    Ok(())
}

fn slot(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let source = call.need(em, "source")?;
    let n = call.size(em, "slot")?;
    let (v, mut state) = em.result_state(call)?;
    if em.ir.ctx.type_as::<MultiTileType>(em.ir.value_type(source)).is_none() {
        return Err(call.unsupported(em, "the source is not a `multi_tile_buf`"));
    }
    if let Some(&base) = em.env.slots.get(&source) {
        let bytes = state.ty.bytes().unwrap_or(u64::MAX / 2).next_multiple_of(BLOCK_BYTES);
        let step = em.mul(n, bytes);
        state.base = Some(match (base, step) {
            (Base::Addr(a), Sc::Const(s)) => Base::Addr(a.saturating_add(s)),
            (Base::Addr(a), s) => {
                let at = em.add(a, s);
                Base::RunTime(em.i64(at))
            }
            (Base::RunTime(a), s) => {
                let s = em.i64(s);
                Base::RunTime(em.emit1("arith.addi", &[a, s], ptoc_ir::builtin::I64))
            }
            (Base::Ptr(_), _) => return Err(call.unsupported(em, "the slots are a function argument")),
        });
    }
    em.env.tiles.insert(v, state);
    Ok(())
}

fn assign(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let source = call.need(em, "tile")?;
    let mut state = em.state_of(call, "tile")?;
    let base = match (call.value(em, "addr"), em.ir.int_attr(call.op, "address")) {
        (Some(addr), _) => base_of(em, addr),
        (None, Some(n)) => match i64::try_from(n) {
            Ok(n) => Base::Addr(n),
            Err(_) => return Err(call.unsupported(em, "the address does not fit 63 bits")),
        },
        (None, None) => return Err(call.unsupported(em, "there is no address")),
    };
    (state.base, state.offset) = (Some(base), Sc::Const(0));
    (state.buffer_rows, state.buffer_cols) = (state.ty.rows, state.ty.cols);
    let to = em.result(call).unwrap_or(source);
    em.env.tiles.insert(to, state);
    Ok(())
}

fn part(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let names = if call.name() == "subview" { ["source", "offsets"] } else { ["src", "i"] };
    let source = em.state_of(call, names[0])?;
    let (v, mut state) = em.result_state(call)?;
    let offsets: SmallVec<[ValueId; 2]> = match call.name() {
        "subview" => em.ir.segment_values(call.op, 1).into(),
        _ => [call.need(em, "i")?, call.need(em, "j")?].into(),
    };
    let &[r, c] = offsets.as_slice() else {
        return Err(call.unsupported(em, "a part of a tile has two offsets"));
    };
    let (r, c) = (em.sc(r), em.sc(c));
    let whole = Tile {
        ty: source.ty,
        base: source.base.unwrap_or(Base::Addr(0)),
        offset: Sc::Const(0),
        rows: source.rows.unwrap_or(Sc::Const(0)),
        cols: source.cols.unwrap_or(Sc::Const(0)),
        buffer_rows: source.buffer_rows,
        buffer_cols: source.buffer_cols,
        name: source.name,
    };
    let inside = em.offset_of(&whole, r, c);
    state.offset = em.add(source.offset, inside);
    state.base = source.base;
    (state.buffer_rows, state.buffer_cols) = (source.buffer_rows, source.buffer_cols);
    if let (None, Some(r)) = (state.rows, call.value(em, "valid_row")) {
        state.rows = Some(em.sc(r));
    }
    if let (None, Some(c)) = (state.cols, call.value(em, "valid_col")) {
        state.cols = Some(em.sc(c));
    }
    em.env.tiles.insert(v, state);
    Ok(())
}

fn recast(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let source = em.state_of(call, "src")?;
    let (v, mut state) = em.result_state(call)?;
    if (source.buffer_rows, source.buffer_cols) != (source.ty.rows, source.ty.cols) {
        return Err(call.unsupported(em, "the source is a part of a bigger tile, its bytes are not contiguous"));
    }
    state.base = match (source.base, source.offset) {
        (Some(Base::Ptr(p)), offset) => {
            let whole = TileState { offset, ..source }.known();
            let elem = state.ty.elem;
            match whole {
                Some(t) => Some(Base::Ptr(em.ptr_as(&t, elem, 0))),
                None => Some(Base::Ptr(p)),
            }
        }
        (base, _) => base,
    };
    if !matches!(source.base, Some(Base::Ptr(_))) {
        let bytes = em.mul(source.offset, source.ty.dtype.bytes());
        state.offset = em.div(bytes, state.ty.dtype.bytes());
    }
    if state.rows.is_none() {
        state.rows = source.rows;
    }
    if state.cols.is_none() {
        state.cols = source.cols;
    }
    em.env.tiles.insert(v, state);
    Ok(())
}

fn set_valid(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let source = call.need(em, "source")?;
    let mut state = em.state_of(call, "source")?;
    let (r, c) = (call.size(em, "valid_row")?, call.size(em, "valid_col")?);
    if state.ty.valid_rows.is_none() {
        state.rows = Some(r);
    }
    if state.ty.valid_cols.is_none() {
        state.cols = Some(c);
    }
    em.env.tiles.insert(source, state);
    Ok(())
}

fn get_valid(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let operand = if call.name() == "get_validshape" { "source" } else { "src" };
    let tile = call.tile(em, operand)?;
    let sizes: &[Sc] = match call.name() {
        "tile_valid_rows" => &[tile.rows],
        "tile_valid_cols" => &[tile.cols],
        _ => &[tile.rows, tile.cols],
    };
    let results = em.ir.op(call.op).results.clone();
    for (&old, &s) in results.iter().zip(sizes) {
        let new = em.index(s);
        em.replace(old, new);
    }
    Ok(())
}

fn address(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let tile = call.tile(em, "src")?;
    if let Some(old) = em.result(call) {
        let new = em.ptr(&tile);
        if em.ir.value_type(new) != em.ir.value_type(old) {
            return Err(call.unsupported(em, "the result is not a pointer to the tile's elements"));
        }
        em.replace(old, new);
    }
    Ok(())
}

fn sizes(em: &mut Em<'_>, values: &[ValueId]) -> SmallVec<[Sc; 5]> {
    values.iter().map(|&v| em.sc(v)).collect()
}

fn view(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let base = call.need(em, "ptr")?;
    let Some(result) = em.result(call) else { return Ok(()) };
    let Some(elem) = view_of(&em.ir.ctx, em.ir.value_type(result)).map(|v| v.elem) else {
        return Err(call.unsupported(em, "its result is not a tensor view"));
    };
    let Some(dtype) = dtype_of(&em.ir.ctx, elem) else {
        return Err(call.unsupported(em, "no tile can hold its element type"));
    };
    let (shape, strides) = (em.ir.segment_values(call.op, 1).to_vec(), em.ir.segment_values(call.op, 2).to_vec());
    let (shape, strides) = (sizes(em, &shape), sizes(em, &strides));
    if shape.len() > 5 || shape.len() != strides.len() {
        return Err(call.unsupported(em, "a view has at most five dimensions, with one stride each"));
    }
    let layout = match call.word(em, "layout") {
        None | Some("nd") => GmLayout::Nd,
        Some("dn") => GmLayout::Dn,
        Some("nz") => GmLayout::Nz,
        Some(_) => GmLayout::Other,
    };
    em.env.views.insert(result, Gm { base, offset: Sc::Const(0), elem, dtype, shape, strides, layout });
    Ok(())
}

fn partition(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let mut gm = call.gm(em, "source")?;
    let (offsets, extents) = (em.ir.segment_values(call.op, 1).to_vec(), em.ir.segment_values(call.op, 2).to_vec());
    let (offsets, extents) = (sizes(em, &offsets), sizes(em, &extents));
    if offsets.len() != gm.strides.len() || extents.len() != gm.strides.len() {
        return Err(call.unsupported(em, "a partition has one offset and one size for each dimension of the view"));
    }
    for (&o, &s) in offsets.iter().zip(&gm.strides.clone()) {
        let step = em.mul(o, s);
        gm.offset = em.add(gm.offset, step);
    }
    gm.shape = extents;
    if let Some(v) = em.result(call) {
        em.env.views.insert(v, gm);
    }
    Ok(())
}

fn query(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let gm = call.gm(em, "tensor_view")?;
    let n = call.size(em, "dim_index")?;
    let from = if call.name() == "get_tensor_view_dim" { &gm.shape } else { &gm.strides };
    let found = n.known().and_then(|n| usize::try_from(n).ok()).and_then(|n| from.get(n).copied());
    match (found, em.result(call)) {
        (Some(s), Some(old)) => {
            let new = em.index(s);
            em.replace(old, new);
            Ok(())
        }
        _ => Err(call.unsupported(em, "the dimension is not a constant inside the rank of the view")),
    }
}

fn view_address(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let gm = call.gm(em, "src")?;
    if let Some(old) = em.result(call) {
        let new = em.gm_ptr(&gm);
        em.replace(old, new);
    }
    Ok(())
}

/// `tgetval` and `tsetval` count elements in storage order.
fn get_element(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let tile = call.tile(em, "src")?;
    let offset = call.need(em, "offset")?;
    if let Some(old) = em.result(call) {
        let p = em.ptr(&tile);
        let ty = em.ir.value_type(old);
        let new = em.emit1("pto.load_scalar", &[p, offset], ty);
        em.replace(old, new);
    }
    Ok(())
}

fn set_element(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let tile = call.tile(em, "dst")?;
    let (offset, value) = (call.need(em, "offset")?, call.need(em, "val")?);
    let p = em.ptr(&tile);
    em.emit("pto.store_scalar", &[p, offset, value]);
    Ok(())
}

/// True when an attribute is an empty dictionary.
pub(crate) fn is_empty_dict(data: &AttrData) -> bool {
    matches!(data, AttrData::Dict(d) if d.is_empty())
}
