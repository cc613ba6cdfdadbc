//! Sorting: TSORT32 and TMRGSORT. A record is 8 bytes: a value, and the index that came with it in the upper half.

use super::{Attr, Inst, Meaning, Refusal, Tile};
use crate::num::decode;
use ptoc_target::DType;
use std::cmp::Ordering;

pub(super) const MEANINGS: &[(&str, Meaning)] = &[("tmrgsort", tmrgsort), ("tsort32", tsort32)];

/// Elements of a record: 2 of f32, 4 of f16.
fn lanes(inst: &Inst<'_>, ty: DType) -> Result<u64, Refusal> {
    match ty {
        DType::F32 => Ok(2),
        DType::F16 => Ok(4),
        _ => Err(Refusal::Unsupported(format!("`{}` of {ty}", inst.op))),
    }
}

/// Larger values first, the zeros equal. A NaN lies beyond the infinity of its sign: so what a group is padded with, a
/// negative one, comes last.
fn descending(ty: DType, a: u64, b: u64) -> Ordering {
    let rank = |bits: u64| {
        let x = decode(ty, bits).real();
        let negative = bits >> (8 * ty.bytes() - 1) & 1 == 1;
        match (x.is_nan(), negative) {
            (true, true) => (-1, 0.0),
            (true, false) => (1, 0.0),
            _ => (0, x),
        }
    };
    let ((beyond_a, a), (beyond_b, b)) = (rank(a), rank(b));
    beyond_b.cmp(&beyond_a).then(b.partial_cmp(&a).unwrap_or(Ordering::Equal))
}

/// Every 32 columns of a row become 32 records, largest first; equal values keep their order.
fn tsort32(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let (src, idx) = (inst.tile("src")?, inst.tile("idx")?);
        let ty = src.shape.dtype;
        let lanes = lanes(inst, ty)?;
        if dst.shape.dtype != ty
            || src.valid_rows > dst.shape.rows
            || src.valid_cols.saturating_mul(lanes) > dst.shape.cols
        {
            return Err(inst.illegal(format_args!(
                "dst needs {} rows of {} elements of {ty}",
                src.valid_rows,
                src.valid_cols.saturating_mul(lanes)
            )));
        }
        let index_row = |r| if idx.valid_rows == 1 { 0 } else { r };
        for r in 0..src.valid_rows {
            for first in (0..src.valid_cols).step_by(32) {
                let mut order: Vec<u64> = (first..src.valid_cols.min(first + 32)).collect();
                order.sort_by(|&a, &b| descending(ty, src.bits(r, a), src.bits(r, b)));
                for (k, c) in order.into_iter().enumerate() {
                    let at = (first + k as u64) * lanes;
                    let index = idx.bits(index_row(r), c);
                    dst.set_bits(r, at, src.bits(r, c));
                    if lanes == 2 {
                        dst.set_bits(r, at + 1, index);
                    } else {
                        dst.set_bits(r, at + 1, 0);
                        dst.set_bits(r, at + 2, index & 0xffff);
                        dst.set_bits(r, at + 3, index >> 16);
                    }
                }
            }
        }
        Ok(())
    })
}

/// The records of the first row of a tile.
fn records(tile: &Tile, from: u64, to: u64) -> Vec<[u8; 8]> {
    let bytes = tile.shape.dtype.bytes();
    let range = (from.saturating_mul(bytes) as usize)..(to.saturating_mul(bytes) as usize);
    tile.bytes.get(range).unwrap_or(&[]).as_chunks::<8>().0.to_vec()
}

/// Merges lists that are sorted in descending order; of equal values that of the earlier list comes first. With `until_one_ends` it stops
/// when the first list has run out. Also gives how many records each list lost.
fn merge(ty: DType, lists: &[Vec<[u8; 8]>], until_one_ends: bool) -> (Vec<[u8; 8]>, Vec<usize>) {
    let key = |record: &[u8; 8]| {
        let [a, b, c, d, ..] = *record;
        match ty {
            DType::F32 => u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => u64::from(u16::from_le_bytes([a, b])),
        }
    };
    let mut taken = vec![0; lists.len()];
    let mut out = Vec::with_capacity(lists.iter().map(Vec::len).sum());
    loop {
        let heads = lists.iter().zip(&taken).enumerate().filter_map(|(l, (list, &t))| Some((l, *list.get(t)?)));
        // `min_by` keeps the first of equal elements.
        let Some((l, head)) = heads.min_by(|a, b| descending(ty, key(&a.1), key(&b.1))) else { break };
        out.push(head);
        taken[l] += 1;
        if until_one_ends && taken[l] == lists[l].len() {
            break;
        }
    }
    (out, taken)
}

/// Merges every four neighbouring blocks of `block_len` elements, or two to four whole lists.
fn tmrgsort(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    match inst.int("block_len") {
        Some(len) => merge_blocks(inst, len),
        None => merge_lists(inst),
    }
}

fn merge_blocks(inst: &mut Inst<'_>, block_len: i64) -> Result<(), Refusal> {
    inst.update("dst", |inst, dst| {
        let src = inst.tile("src")?;
        let ty = src.shape.dtype;
        let lanes = lanes(inst, ty)?;
        let len = u64::try_from(block_len).unwrap_or(0);
        if len == 0 || len % lanes != 0 {
            return Err(inst
                .illegal(format_args!("block length {block_len} is no multiple of the {lanes} elements of a record")));
        }
        let group = len.saturating_mul(4);
        let groups = src.valid_cols / group;
        for g in 0..groups {
            let start = g * group;
            let lists = [0, 1, 2, 3].map(|k| records(src, start + k * len, start + (k + 1) * len));
            write(inst, dst, start, &merge(ty, &lists, false).0)?;
        }
        Ok(())
    })
}

fn write(inst: &Inst<'_>, dst: &mut Tile, from: u64, records: &[[u8; 8]]) -> Result<(), Refusal> {
    let at = (from * dst.shape.dtype.bytes()) as usize;
    let room = dst.bytes.len();
    let to = dst.bytes.get_mut(at..at + 8 * records.len());
    let to =
        to.ok_or_else(|| inst.illegal(format_args!("{} records do not fit the {room} bytes of dst", records.len())))?;
    to.copy_from_slice(records.as_flattened());
    Ok(())
}

/// Two to four lists. The attribute `executed_num` becomes the number of records taken from each, as `a,b,c,d`.
fn merge_lists(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    let mut counts = String::new();
    inst.update("dst", |inst, dst| {
        let sources: Vec<&Tile> =
            ["src0", "src1", "src2", "src3"].into_iter().filter_map(|s| inst.tile(s).ok()).collect();
        let Some(ty) = sources.first().map(|s| s.shape.dtype).filter(|_| sources.len() > 1) else {
            return Err(inst.illegal("at least two source lists are needed"));
        };
        let lanes = lanes(inst, ty)?;
        let lists: Vec<_> = sources.iter().map(|s| records(s, 0, s.valid_cols / lanes * lanes)).collect();
        let (merged, taken) = merge(ty, &lists, inst.flag("exhausted"));
        let count = |l| taken.get(l).copied().unwrap_or(0).to_string();
        counts = [0, 1, 2, 3].map(count).join(",");
        // A destination may be shorter than all lists together: it gets the largest.
        let room = (dst.valid_cols / lanes) as usize;
        write(inst, dst, 0, merged.get(..room).unwrap_or(&merged))
    })?;
    inst.attrs.retain(|(name, _)| name != "executed_num");
    inst.attrs.push(("executed_num".into(), Attr::Word(counts)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_lies_beyond_the_infinity_of_its_sign() {
        let mut scores = [f32::NAN, 1.0, -f32::NAN, f32::INFINITY, -0.0, 0.0, f32::NEG_INFINITY];
        scores[0] = scores[0].copysign(1.0);
        scores[2] = scores[2].copysign(-1.0);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| descending(DType::F32, scores[a].to_bits().into(), scores[b].to_bits().into()));
        assert_eq!(order, [0, 3, 1, 4, 5, 6, 2]);
    }
}
