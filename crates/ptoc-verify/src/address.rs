//! Tiles at fixed addresses: `alloc_tile addr = ...` and `tassign`.

use crate::Addresses;
use crate::codes;
use crate::facts::TypeClass;
use crate::kinds::{KindInfo, Special};
use crate::walk::Walker;
use ptoc_ir::{OpId, ValueId, builtin};
use ptoc_source::{Diagnostic, Span};

/// Checks a compile-time address. An address that only the run knows is no error.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let data = ir.op(op);
    owner(w, op, info);
    let (tile, operand) = match info.special {
        Special::AllocTile => (data.results.first().copied(), ir.operand(op, 0)),
        Special::TAssign => (ir.operand(op, 0), ir.operand(op, 1)),
        _ => return,
    };
    let Some(tile) = tile else { return };
    if let Some(v) = operand {
        let ty = ir.value_type(v);
        if w.program.types.get(ty).is_some_and(|f| f.class == TypeClass::Float) {
            let n = if info.special == Special::AllocTile { 0 } else { 1 };
            let short = info.def.map_or("", |d| d.short_name());
            let message = format!("{short}: the address is {}, not an integer", ir.ctx.type_string(ty));
            w.out.push(
                Diagnostic::error(codes::ADDRESS_TYPE, ir.operand_span(op, n), message)
                    .note("the address of a tile is a byte offset into its memory")
                    .help("pass an integer or an index"),
            );
            return;
        }
        if info.special == Special::AllocTile && ty != builtin::I64 {
            let shown = ir.ctx.type_string(ty);
            let cast = if ty == builtin::INDEX { "arith.index_cast" } else { "arith.extui" };
            w.out.push(
                Diagnostic::error(
                    codes::OPERAND_KIND,
                    ir.operand_span(op, 0),
                    format!("alloc_tile: `addr` is {shown}, but an address is i64"),
                )
                .at(format!("this is {shown}"))
                .note("the address is a byte offset of 64 bits, and other tools take no other type")
                .help(format!("write the constant as i64, or convert: `{cast} %addr : {shown} to i64`")),
            );
            return;
        }
    }
    let known = match operand {
        Some(v) => w.program.values.number(v),
        None => ir.int_attr(op, "address").and_then(|n| i64::try_from(n).ok()),
    };
    let Some(address) = known else { return };
    let at = match (info.special, operand) {
        (Special::AllocTile, Some(_)) => ir.operand_span(op, 0),
        (_, Some(_)) => ir.operand_span(op, 1),
        _ => data.span,
    };
    if let Some(d) = bad_address(w, op, tile, address, at) {
        let d = match operand.and_then(|v| ir.defining_op(v)) {
            Some(def) if ir.op(def).span != at => d.label(ir.op(def).span, format!("the address is {address:#x}")),
            _ => d,
        };
        let d = w.program.assumption().into_iter().fold(d, Diagnostic::note);
        w.out.push(d);
    }
}

/// Whether an address may, or must, stand here.
fn owner(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    let ir = w.ir();
    let Some(def) = info.def else { return };
    let short = def.short_name();
    let (given, n) = match info.special {
        Special::AllocTile | Special::AllocMulti => (ir.operand(op, 0).is_some(), 0),
        Special::TAssign => (true, 1),
        _ => return,
    };
    let d = match w.addresses {
        Addresses::Planned if given => {
            let at = if ir.operand(op, n).is_some() { ir.operand_span(op, n) } else { ir.op(op).span };
            Diagnostic::error(
                codes::ADDRESS_OWNER,
                at,
                format!("{short}: an address is given, but at levels 1 and 2 the compiler places the tiles"),
            )
            .at("this address")
            .note("a plan with some tiles in places of their own would overwrite them, or they would be ignored")
            .help("drop the address, or pass `--level 3`, where the source places every tile")
        }
        Addresses::Written if !given && !ir.op(op).results.iter().any(|r| w.placed.contains(r)) => Diagnostic::error(
            codes::ADDRESS_OWNER,
            ir.op(op).span,
            format!("{short}: the tile has no address, and at level 3 the source places every tile"),
        )
        .note("at level 3 no memory is planned")
        .help("add `addr = %a`, or pass `--level 2`, where the compiler places the tiles"),
        _ => return,
    };
    w.out.push(d);
}

fn bad_address(w: &Walker<'_>, op: OpId, tile: ValueId, address: i64, at: Span) -> Option<Diagnostic> {
    let ir = w.ir();
    let t = w.program.types.get(ir.value_type(tile))?.tile?;
    let target = w.program.target;
    let capacity = target.capacity(t.loc)?;
    let memory = t.loc.memory();
    let short = if ir.op_name(op) == "pto.tassign" { "tassign" } else { "alloc_tile" };
    // The first two checks of the series (the memory exists, the tile fits) are those of the type.
    let bytes = t.bytes().filter(|&b| capacity > 0 && b <= capacity)?;
    let Ok(address) = u64::try_from(address) else {
        return Some(
            Diagnostic::error(codes::PAST_END, at, format!("{short}: the address {address} is negative"))
                .note(format!("addresses of {memory} count bytes from 0"))
                .help(format!("use an address of 0 to {:#x}", capacity - bytes)),
        );
    };
    let align = target.align.max(1);
    let last = (capacity - bytes) / align * align;
    let end = address.checked_add(bytes);
    if end.is_none_or(|e| e > capacity) {
        let by = end.map_or("far".to_owned(), |e| format!("{} bytes", e - capacity));
        let end = end.map_or("2^64 or more".to_owned(), |e| e.to_string());
        return Some(
            Diagnostic::error(
                codes::PAST_END,
                at,
                format!(
                    "{short}: {address} + {bytes} = {end} bytes, past the {capacity} bytes of {memory} on {} by {by}",
                    target.name
                ),
            )
            .at(format!("address {address:#x}"))
            .note(format!(
                "address + tile bytes must not exceed the capacity: {} rows * {} columns * {} bytes = {bytes} bytes",
                t.rows,
                t.cols,
                t.dtype.bytes()
            ))
            .help(format!("use an address of at most {last:#x}, or a smaller tile")),
        );
    }
    if address % align != 0 {
        let below = address / align * align;
        let above = below + align;
        let nearest = if above <= last { format!("{below:#x} and {above:#x}") } else { format!("{below:#x}") };
        return Some(
            Diagnostic::error(
                codes::UNALIGNED,
                at,
                format!("{short}: the address {address:#x} is not a multiple of {align} bytes"),
            )
            .at(format!("{} bytes past {below:#x}", address - below))
            .note(format!("{memory} on {} is addressed in blocks of {align} bytes", target.name))
            .help(format!("the nearest legal addresses are {nearest}")),
        );
    }
    None
}
