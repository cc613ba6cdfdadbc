//! Temporaries: hidden in the sync form, written in the others.
//!
//! Sizes are those of the instruction tables. On A5 most instructions take a temporary and never touch it; the sync form then
//! gets none, except where the SSA form always has one.

use super::place::emit_alloc;
use super::valid::{Dim, Dims, foreign_dims};
use crate::codes;
use crate::structure::{scopes, walk_scope};
use ptoc_dialect::effects::operand_type;
use ptoc_dialect::types::{TileForm, TileType, elem_of, tile_of};
use ptoc_dialect::{OpDef, def};
use ptoc_ir::{AttrData, Builder, Form, Ir, OpId, PassError, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::{Arch, BLOCK_BYTES, BLayout, Compact, DType, Layout, PadValue, SLayout, Target};

/// What to allocate for the temporary of an instruction.
enum Rule {
    /// None is needed.
    None,
    /// The same type as that operand, valid size included.
    Like(&'static str),
    /// The static shape and element type of that operand, all valid.
    Whole(&'static str),
    /// A row-major tile.
    Plain(DType, u64, u64),
    /// One is needed, but its size is not known.
    Unknown,
}

/// Makes the temporaries of all instructions in sync form.
///
/// # Errors
/// [`codes::NO_TEMPORARY`] when a temporary is needed whose size does not follow from the types.
pub(super) fn materialise(ir: &mut Ir, target: &Target, diagnostics: &mut Vec<Diagnostic>) -> Result<(), PassError> {
    let mut ops = Vec::new();
    for scope in scopes(ir) {
        walk_scope(ir, scope, &mut |op| {
            if ir.op(op).form == Form::Sync {
                ops.push(op);
            }
        });
    }
    let errors = diagnostics.len();
    for op in ops {
        let Some(d) = def(ir.op(op).kind) else { continue };
        let Some(segment) = d.operands.iter().position(|o| o.scratch) else { continue };
        if ir.operand(op, segment).is_some() {
            continue;
        }
        let made = match rule(ir, op, d, target.arch) {
            Some(Rule::None) => true,
            Some(Rule::Like(name)) => allocate_like(ir, op, d, segment, name),
            Some(Rule::Whole(name)) => operand(ir, op, d, name).is_some_and(|t| {
                allocate(ir, op, segment, whole(t), [Dim::Static; 2]);
                true
            }),
            Some(Rule::Plain(dtype, rows, cols)) => {
                let t = plain(ir, dtype, rows, cols);
                allocate(ir, op, segment, t, [Dim::Static; 2]);
                true
            }
            Some(Rule::Unknown) | None => false,
        };
        if !made {
            diagnostics.push(
                Diagnostic::error(
                    codes::NO_TEMPORARY,
                    ir.op(op).span,
                    format!("{}: its temporary can't be made", d.name),
                )
                .note(format!("on {} it needs one, and the types do not say how large", target.name))
                .help("write the SSA form, with the temporary as an operand"),
            );
        }
    }
    if diagnostics.len() > errors { Err(PassError) } else { Ok(()) }
}

/// The tile with everything valid.
fn whole(t: TileType) -> TileType {
    TileType { valid_rows: Some(t.rows), valid_cols: Some(t.cols), ..t }
}

/// The tile type of an operand by name.
fn operand(ir: &Ir, op: OpId, d: &OpDef, name: &str) -> Option<TileType> {
    let segment = d.operands.iter().position(|o| o.name == name)?;
    tile_of(&ir.ctx, operand_type(ir, op, segment)?)
}

/// `None` when an operand that the rule needs is missing.
fn rule(ir: &Ir, op: OpId, d: &OpDef, arch: Arch) -> Option<Rule> {
    let tile = |name: &str| operand(ir, op, d, name);
    let flag = |name: &str| matches!(ir.attr_data(op, name), Some(AttrData::Bool(true)));
    // What both targets need.
    match d.name {
        "pto.trowprod" => return Some(Rule::Whole("src")),
        "pto.tcolsum" if flag("isBinary") => {
            let t = tile("src")?;
            return Some(Rule::Plain(t.dtype, (t.rows / 2).max(1), t.cols));
        }
        "pto.tsort32" => {
            let t = tile("src")?;
            let whole = t.valid_cols.is_some_and(|c| c.is_multiple_of(32));
            return Some(if whole {
                Rule::None
            } else {
                Rule::Plain(t.dtype, 1, t.cols.checked_next_multiple_of(32)?)
            });
        }
        // Lists of one tile are sorted in place; several are merged through a temporary of all their columns.
        "pto.tmrgsort" => {
            let srcs = ir.segment_values(op, 0);
            let (Some(first), true) = (tile("srcs"), srcs.len() > 1) else { return Some(Rule::None) };
            let cols = srcs.iter().try_fold(0u64, |n, &v| n.checked_add(tile_of(&ir.ctx, ir.value_type(v))?.cols))?;
            return Some(Rule::Plain(first.dtype, 1, cols));
        }
        _ => {}
    }
    if arch == Arch::A5 {
        return Some(Rule::None);
    }
    Some(match d.name {
        "pto.trowsum" | "pto.trowmax" | "pto.trowmin" | "pto.trowargmax" | "pto.trowargmin" => Rule::Whole("src"),
        // Up to three stretches of as many elements as a repeat or a row holds.
        "pto.tcolargmax" | "pto.tcolargmin" => {
            let t = tile("src")?;
            Rule::Plain(t.dtype, t.rows.max(3), t.cols)
        }
        "pto.txor" | "pto.txors" => Rule::Like("dst"),
        "pto.tpow" | "pto.tpows" => match tile("dst")?.dtype {
            DType::F32 => Rule::Like("dst"),
            _ => Rule::None,
        },
        // A row of quotients, then as much again and a repeat for the masks.
        "pto.trem" => {
            let t = tile("dst")?;
            Rule::Plain(t.dtype, 1, t.cols.checked_mul(2)?.checked_add(64)?)
        }
        "pto.trems" => {
            let t = tile("dst")?;
            Rule::Plain(t.dtype, 1, t.cols)
        }
        // A packed mask for each row, and 32 bytes for the selection behind them.
        "pto.tprelu" => {
            let t = tile("dst")?;
            Rule::Plain(DType::U8, t.rows.checked_add(1)?, t.cols.div_ceil(8).checked_next_multiple_of(BLOCK_BYTES)?)
        }
        "pto.tadddeqrelu" => {
            let t = tile("dst")?;
            Rule::Plain(DType::I32, t.rows, t.cols.checked_next_multiple_of(DType::I32.c0())?)
        }
        "pto.tsel" | "pto.tsels" => Rule::Plain(DType::U8, 1, BLOCK_BYTES),
        "pto.ttrans" => {
            let t = tile("src")?;
            Rule::Plain(t.dtype, t.cols.checked_next_multiple_of(t.dtype.c0())?, t.rows.checked_next_multiple_of(32)?)
        }
        "pto.tquant" => {
            let t = tile("src")?;
            Rule::Plain(DType::F32, t.rows.max(2048u64.div_ceil(t.cols.max(1))), t.cols)
        }
        "pto.tgather" => {
            let compares =
                d.operands.iter().position(|o| o.name == "kValue").is_some_and(|n| ir.operand(op, n).is_some());
            let indexed =
                d.operands.iter().position(|o| o.name == "indices").is_some_and(|n| ir.operand(op, n).is_some());
            let wide = tile("dst").is_some_and(|t| t.dtype.bytes() == 4);
            if compares || indexed && !wide { Rule::Unknown } else { Rule::None }
        }
        _ => Rule::None,
    })
}

/// A row-major tile in the unified buffer, all valid.
fn plain(ir: &mut Ir, dtype: DType, rows: u64, cols: u64) -> TileType {
    let elem = elem_of(&mut ir.ctx, dtype);
    TileType {
        form: TileForm::Value,
        loc: ptoc_target::Loc::Vec,
        elem,
        dtype,
        rows,
        cols,
        valid_rows: Some(rows),
        valid_cols: Some(cols),
        blayout: BLayout::RowMajor,
        slayout: SLayout::NoneBox,
        fractal: 512,
        pad: PadValue::Null,
        compact: Compact::Null,
    }
}

fn allocate(ir: &mut Ir, op: OpId, segment: usize, tile: TileType, dims: Dims) {
    let ty = ir.ctx.dialect_ty(tile.in_form(TileForm::Value));
    let tmp = emit_alloc(&mut Builder::before(ir, op), ty, dims);
    ir.set_name(tmp, "tmp");
    ir.set_segment(op, segment, &[tmp]);
}

/// A temporary of the type of an operand; run-time valid sizes are those of the first source tile of the same shape.
fn allocate_like(ir: &mut Ir, op: OpId, d: &OpDef, segment: usize, name: &str) -> bool {
    let Some(tile) = operand(ir, op, d, name) else { return false };
    let known = [tile.valid_rows.is_some(), tile.valid_cols.is_some()];
    let mut dims = [Dim::Static; 2];
    if known != [true, true] {
        let same = |v: &ValueId| {
            tile_of(&ir.ctx, ir.value_type(*v)).is_some_and(|t| t.rows == tile.rows && t.cols == tile.cols)
        };
        let source = ir.op(op).operands.iter().copied().find(same);
        let Some(of_source) = source.and_then(|s| foreign_dims(ir, s)) else { return false };
        for axis in 0..2 {
            if !known[axis] {
                dims[axis] = of_source[axis];
                if dims[axis] == Dim::Static {
                    return false;
                }
            }
        }
    }
    allocate(ir, op, segment, tile, dims);
    true
}

/// True when the way back from the sync form gives the op a temporary, or would have to.
pub(super) fn is_made(ir: &Ir, op: OpId, arch: Arch) -> bool {
    let Some(d) = def(ir.op(op).kind).filter(|d| d.operands.iter().any(|o| o.scratch)) else { return false };
    !matches!(rule(ir, op, d, arch), Some(Rule::None))
}

/// True when the op's temporary is only a means: without it the instruction computes the same.
///
/// Elsewhere a temporary selects another computation (a precise root, a saturating conversion, the vector unit's sequence),
/// tells two forms of the instruction apart, or takes the place of memory that the instruction otherwise takes without asking.
pub(super) fn is_hidden(ir: &Ir, op: OpId, arch: Arch) -> bool {
    match ir.op_name(op) {
        "pto.trsqrt" | "pto.tcvt" | "pto.tci" | "pto.tmrgsort" | "pto.tgather" | "pto.mgather" | "pto.tprint" => false,
        "pto.tcolsum" => matches!(ir.attr_data(op, "isBinary"), Some(AttrData::Bool(true))),
        _ => !spreads_column(ir, op, arch),
    }
}

/// True for an instruction that spreads one number a row to whole blocks: in its temporary, or without one in the vector
/// unit's own part of the unified buffer ([`ptoc_target::VECTOR_SCRATCH`]).
pub(crate) fn spreads_column(ir: &Ir, op: OpId, arch: Arch) -> bool {
    let Some(d) = def(ir.op(op).kind).filter(|d| arch == Arch::A2A3 && d.name.starts_with("pto.trowexpand")) else {
        return false;
    };
    ["src0", "src1"].iter().any(|name| operand(ir, op, d, name).is_some_and(|t| t.layout() == Layout::Dn))
}
