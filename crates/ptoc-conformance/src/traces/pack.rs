//! How operands of the cube are packed.
//!
//! `mad` takes no strides: it reads and writes its operands packed for its own sizes, whatever the static shape of the tile.
//! A tile in compact mode is packed for its valid size likewise. Here such operands get the shape that they are used in.

use super::Case;
use crate::descriptor::{Descriptor, Shape};
use ptoc_sim::semantics::{Inst, Operand, Tensor, TensorLayout, eval};
use ptoc_target::{Arch, DType, Layout, Loc, TileShape};

/// The description of an operand as the recorded sequence uses it.
pub(super) fn used(case: &Case, d: &Descriptor) -> Descriptor {
    let mut d = d.clone();
    let product = case.op.starts_with("tmatmul") || case.op.starts_with("tgemv");
    let k_aligned = case.attrs.get("kaligned").is_some_and(|v| v.as_bool() == Some(true));
    match &mut d.shape {
        Shape::Tile { loc, shape, valid, compact, .. } => {
            match compact.as_str() {
                // Only the padding of the instruction that fills is different.
                "row_aligned_padding" | "3" => compact.clear(),
                "row_plus_one" | "2" => {
                    shape.rows = valid.0.next_multiple_of(16) + 1;
                    compact.clear();
                }
                "normal" | "1" => {
                    pack(case.arch, *loc, shape, *valid, k_aligned);
                    compact.clear();
                }
                _ if product => pack(case.arch, *loc, shape, *valid, false),
                _ => {}
            }
            // A move into boxes of scales reads and writes rows of the valid columns only.
            if case.word("variant") == Some("zz_nd") {
                shape.cols = valid.1;
            }
            if product && case.op.starts_with("tgemv") && *loc == Loc::Left {
                // One row, k elements one after another.
                *shape = TileShape { rows: 1, layout: Layout::Nd, ..*shape };
                valid.0 = 1;
            }
        }
        // A feature map is a view of five dimensions whatever it is called.
        Shape::Tensor { layout, .. } if case.op == "tload" && layout == "nc1hwc0" => *layout = "nd".to_owned(),
        _ => {}
    }
    d
}

/// A fill trusts that the load padded the last block of each row of its source with the source's own pad value: so it is done
/// here, by loading the source again.
pub(super) fn preload(case: &Case, bytes: &mut [Vec<u8>]) -> Result<(), String> {
    if !case.op.starts_with("tfillpad") {
        return Ok(());
    }
    for ((name, d), bytes) in case.operands.iter().zip(bytes) {
        let Shape::Tile { shape, valid, loc: Loc::Vec, .. } = &d.shape else { continue };
        if name != "src" {
            continue;
        }
        let Operand::Tile(tile) = d.operand(bytes.clone())? else { continue };
        let row = valid.1.saturating_mul(shape.dtype.bytes());
        let mut view = vec![0; valid.0.saturating_mul(row) as usize];
        let s = shape.dtype.bytes() as usize;
        for (i, to) in view.chunks_exact_mut(s).enumerate() {
            let (r, c) = (i as u64 / valid.1, i as u64 % valid.1);
            to.copy_from_slice(&tile.bits(r, c).to_le_bytes()[..s]);
        }
        let view = Tensor {
            dtype: shape.dtype,
            shape: [1, 1, 1, valid.0, valid.1],
            strides: [0, 0, 0, valid.1, 1],
            layout: TensorLayout::Nd,
            bytes: view,
        };
        let operands = vec![("src".into(), Operand::Tensor(view)), ("dst".into(), Operand::Tile(tile))];
        let mut load = Inst { op: "tload", operands, attrs: Vec::new() };
        eval(&mut load).map_err(|e| e.to_string())?;
        bytes.clone_from(&load.tile("dst").map_err(|e| e.to_string())?.bytes);
    }
    Ok(())
}

fn pack(arch: Arch, loc: Loc, shape: &mut TileShape, valid: (u64, u64), k_aligned: bool) {
    let c0 = if shape.dtype.is_fp4() { 64 } else { shape.dtype.c0() };
    let k_unit = if k_aligned && shape.dtype == DType::F32 { 16 } else { c0 };
    match (loc, arch) {
        (Loc::Left, Arch::A2A3) => {
            shape.rows = valid.0.next_multiple_of(16);
            shape.cols = valid.1.next_multiple_of(k_unit);
        }
        (Loc::Left, Arch::A5) | (Loc::Acc, _) => shape.rows = valid.0.next_multiple_of(16),
        (Loc::Right, _) => shape.cols = valid.1.next_multiple_of(16),
        _ => {}
    }
}
