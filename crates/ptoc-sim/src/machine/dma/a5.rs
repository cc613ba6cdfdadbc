//! Copies of A5.
//!
//! The `align_v2` copies run inside two loops that registers describe: a size word with the counts of loop 1 (bits 20 to 0) and
//! loop 2 (bits 41 to 21), and a word of strides for each loop, global memory in bits 39 to 0 and the buffer in bits 60 to 40.
//! A count of 0 is a loop that was never set up, and runs once.

use super::super::{Args, Core, Fault, FaultKind, Intrinsic, Ptr};
use super::copy::{BLOCK, Bursts, Nd2Nz, blocks, copy, limited, nd2nz, place};
use ptoc_target::{Loc, Pipe};

pub(in super::super) const A5: &[Intrinsic] = &[
    Intrinsic {
        name: "copy_cbuf_to_ubuf",
        pipe: Pipe::Mte1,
        run: |core, args| blocks(core, args, Loc::Vec, Loc::Mat, 3),
    },
    Intrinsic { name: "copy_gm_to_cbuf_align_v2", pipe: Pipe::Mte2, run: |core, args| load(core, args, Loc::Mat) },
    Intrinsic { name: "copy_gm_to_cbuf_multi_dn2nz", pipe: Pipe::Mte2, run: |core, args| matrices(core, args, true) },
    Intrinsic { name: "copy_gm_to_cbuf_multi_nd2nz", pipe: Pipe::Mte2, run: |core, args| matrices(core, args, false) },
    Intrinsic { name: "copy_gm_to_ubuf_align_v2", pipe: Pipe::Mte2, run: |core, args| load(core, args, Loc::Vec) },
    Intrinsic {
        name: "copy_ubuf_to_cbuf",
        pipe: Pipe::Mte3,
        run: |core, args| blocks(core, args, Loc::Mat, Loc::Vec, 3),
    },
    Intrinsic { name: "copy_ubuf_to_gm_align_v2", pipe: Pipe::Mte3, run: store },
    Intrinsic { name: "copy_ubuf_to_ubuf", pipe: Pipe::V, run: |core, args| blocks(core, args, Loc::Vec, Loc::Vec, 2) },
];

/// The most rows that one transfer may have: more than any buffer holds.
const ROW_LIMIT: u64 = 1 << 21;

/// The offsets of all iterations of the two loops, in the order in which they run: global memory and buffer.
fn iterations(args: &Args<'_>, words: [u64; 3], rows: u64) -> Result<impl Iterator<Item = (u64, u64)> + use<>, Fault> {
    let [size, one, two] = words;
    let [inner, outer] = [0, 21].map(|at| (size >> at & 0x1f_ffff).max(1));
    let all = (inner * outer).saturating_mul(rows);
    if all > ROW_LIMIT {
        return Err(args.fault(FaultKind::BadArgument, format_args!("{all} rows, {ROW_LIMIT} at most")));
    }
    let [one, two] = [one, two].map(|w| (w & 0xff_ffff_ffff, w >> 40 & 0x1f_ffff));
    Ok((0..outer).flat_map(move |j| (0..inner).map(move |i| (j * two.0 + i * one.0, j * two.1 + i * one.1))))
}

/// A pointer some bytes further. Counts and strides are limited such that no sum leaves 64 bits.
fn moved(p: Ptr, by: u64) -> Ptr {
    Ptr { addr: p.addr + by, ..p }
}

/// The bytes around the data of one row in the buffer.
#[derive(Clone, Copy)]
struct Padding {
    /// Bytes in front.
    left: u64,
    /// Bytes behind, the filling of the last block included.
    right: u64,
    /// The element they hold; `None` takes the first one of the row.
    value: Option<u64>,
}

/// `(dst, src, sid, bursts, length, left padding, right padding, padding on, cache control, source stride, destination
/// stride)`: length and strides in bytes, strides from start to start, padding in elements.
///
/// A row is padded on both sides and then filled up to whole blocks, unless the rows follow each other without a gap. The
/// fill is the pad value, or without padding the first element of the row.
fn load(core: &mut Core, args: &Args<'_>, space: Loc) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, space, 1)?, place(args, 1, Loc::Gm, 1)?);
    let size = dst.elem.map_or(1, |ty| ty.bytes());
    let (count, len) = (limited(args, 3, u64::from(u32::MAX))?, limited(args, 4, u64::from(u32::MAX))?);
    let [left, right] = [limited(args, 5, 255)? * size, limited(args, 6, 255)? * size];
    let padded = args.flag(7)?;
    let [from_step, to_step] = [9, 10].map(|i| limited(args, i, (1 << 40) - 1));
    let (from_step, to_step) = (from_step?, to_step?);
    let compact = to_step == len && !len.is_multiple_of(BLOCK) && left + right == 0;
    let whole = (left + len + right).next_multiple_of(BLOCK);
    let (value, loops) = match space {
        Loc::Vec => (core.spr.pad_val, core.spr.loops[0]),
        _ => (core.spr.pad_val_l1, core.spr.loops[1]),
    };
    let pad = Padding { left, right: whole - left - len, value: padded.then_some(value) };
    let bare = compact || pad.left + pad.right == 0;
    let bursts = Bursts { count, len, from_step, to_step };
    for (from, to) in iterations(args, loops, count)? {
        let (dst, src) = (moved(dst, to), moved(src, from));
        if bare { copy(core, args, dst, src, bursts)? } else { rows(core, args, dst, src, bursts, pad, size)? }
    }
    Ok(())
}

/// Rows with their padding.
fn rows(core: &mut Core, args: &Args<'_>, dst: Ptr, src: Ptr, b: Bursts, pad: Padding, size: u64) -> Result<(), Fault> {
    if b.len == 0 {
        return Ok(());
    }
    for i in 0..b.count {
        let from = src.addr + i * b.from_step;
        let to = dst.addr + i * b.to_step;
        let value = match pad.value {
            Some(value) => value,
            None => core.mem.load(Ptr { addr: from, ..src }, size).map_err(|e| args.within(e))?,
        };
        let element = &value.to_le_bytes()[..size.min(8) as usize];
        let row = core.mem.write(dst.space, to, pad.left + b.len + pad.right).map_err(|e| args.within(e))?;
        let (before, rest) = row.split_at_mut(pad.left as usize);
        for at in before.chunks_mut(element.len()).chain(rest[b.len as usize..].chunks_mut(element.len())) {
            let n = at.len();
            at.copy_from_slice(&element[..n]);
        }
        core.mem.copy((dst.space, to + pad.left), (src.space, from), b.len).map_err(|e| args.within(e))?;
    }
    Ok(())
}

/// `(dst, src, sid, bursts, length, cache control, destination stride, source stride)` in bytes; exactly the length is
/// written, under the atomic state.
fn store(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, Loc::Gm, 1)?, place(args, 1, Loc::Vec, BLOCK)?);
    let (count, len) = (limited(args, 3, u64::from(u32::MAX))?, limited(args, 4, u64::from(u32::MAX))?);
    let (to_step, from_step) = (limited(args, 6, (1 << 40) - 1)?, limited(args, 7, (1 << 40) - 1)?);
    for (to, from) in iterations(args, core.spr.loops[2], count)? {
        copy(core, args, moved(dst, to), moved(src, from), Bursts { count, len, from_step, to_step })?;
    }
    Ok(())
}

/// `(dst, src, sid, source row stride, cache control, rows, columns, source matrix stride, small C0)`, strides in bytes; the
/// number of matrices and the destination strides, in blocks, are in `set_mte2_nz_para`. A column major source has its stride
/// from column to column.
fn matrices(core: &mut Core, args: &Args<'_>, column_major: bool) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, Loc::Mat, BLOCK)?, place(args, 1, Loc::Gm, 1)?);
    if args.flag(8)? {
        return Err(args.fault(FaultKind::Unsupported, "the form with C0 of four elements"));
    }
    let size = dst.elem.map_or(1, |ty| ty.bytes());
    let step = limited(args, 3, (1 << 40) - 1)?;
    let [matrices, to_row, to_group, to_matrix] = [0, 16, 32, 48].map(|at| core.spr.mte2_nz_para >> at & 0xffff);
    let (from_row, from_col) = if column_major { (size, step) } else { (step, size) };
    let n = Nd2Nz {
        size,
        matrices,
        rows: limited(args, 5, 65535)?,
        cols: limited(args, 6, 65535)?,
        from_matrix: limited(args, 7, (1 << 40) - 1)?,
        from_row,
        from_col,
        to_matrix: to_matrix * BLOCK,
        to_row: to_row * BLOCK,
        to_group: to_group * BLOCK,
    };
    nd2nz(core, args, dst, src, n)
}

#[cfg(test)]
mod tests {
    use super::super::super::{Arg, find};
    use super::*;
    use ptoc_target::{Arch, DType, Target};

    fn call(core: &mut Core, name: &str, ptrs: [(Loc, u64, DType); 2], ints: &[i64]) {
        let ptr = |(space, addr, elem)| Arg::Ptr(Ptr { space, addr, elem: Some(elem) });
        let list: Vec<Arg> = ptrs.map(ptr).into_iter().chain(ints.iter().map(|n| Arg::Int(*n))).collect();
        (find(Arch::A5, name).unwrap().run)(core, &Args { name, list: &list }).unwrap();
    }

    fn set(core: &mut Core, name: &str, word: u64) {
        (find(Arch::A5, name).unwrap().run)(core, &Args { name, list: &[Arg::Int(word as i64)] }).unwrap();
    }

    fn core() -> Core {
        let mut core = Core::new(Target::A5);
        core.mem.grow(Loc::Gm, 4096).unwrap();
        core.mem.preset(Loc::Gm, 0, &(0..4096u32).map(|i| (i % 251) as u8).collect::<Vec<u8>>()).unwrap();
        core.mem.preset(Loc::Vec, 0, &[0xee; 1024]).unwrap();
        core
    }

    const GM: (Loc, u64, DType) = (Loc::Gm, 0, DType::U16);
    const UB: (Loc, u64, DType) = (Loc::Vec, 0, DType::U16);

    #[test]
    fn rows_are_padded_to_whole_blocks() {
        let mut c = core();
        set(&mut c, "set_mov_pad_val", 0x0102);
        call(&mut c, "copy_gm_to_ubuf_align_v2", [UB, GM], &[0, 2, 20, 1, 2, 1, 0, 100, 64]);
        let m = c.mem.bytes(Loc::Vec);
        assert_eq!((m[..2].to_vec(), m[2], m[21]), (vec![2, 1], 0, 19));
        assert_eq!((m[22..32].to_vec(), m[32]), (vec![2, 1, 2, 1, 2, 1, 2, 1, 2, 1], 0xee));
        assert_eq!((m[66], m[96]), (100, 0xee));
    }

    #[test]
    fn without_padding_the_first_element_fills_the_block_unless_rows_are_dense() {
        let mut c = core();
        call(&mut c, "copy_gm_to_ubuf_align_v2", [UB, GM], &[0, 2, 28, 0, 0, 0, 0, 50, 32]);
        let m = c.mem.bytes(Loc::Vec);
        assert_eq!((m[28..32].to_vec(), m[60..64].to_vec()), (vec![0, 1, 0, 1], vec![50, 51, 50, 51]));
        call(&mut c, "copy_gm_to_ubuf_align_v2", [UB, GM], &[0, 2, 28, 0, 0, 0, 0, 50, 28]);
        let m = c.mem.bytes(Loc::Vec);
        assert_eq!((m[27], m[28], m[55]), (27, 50, 77));
    }

    #[test]
    fn loops_run_around_the_bursts() {
        let mut c = core();
        set(&mut c, "set_loop_size_outtoub", 2 | 2 << 21);
        set(&mut c, "set_loop1_stride_outtoub", 200 | 64 << 40);
        set(&mut c, "set_loop2_stride_outtoub", 500 | 256 << 40);
        call(&mut c, "copy_gm_to_ubuf_align_v2", [UB, GM], &[0, 1, 32, 0, 0, 0, 0, 32, 32]);
        let m = c.mem.bytes(Loc::Vec);
        assert_eq!([m[0], m[64], m[256], m[320]], [0, 200, 500u32 % 251, 700 % 251].map(|x| x as u8));
        set(&mut c, "set_loop_size_ubtoout", 2 | 1 << 21);
        set(&mut c, "set_loop1_stride_ubtoout", 1000 | 64 << 40);
        call(&mut c, "copy_ubuf_to_gm_align_v2", [(Loc::Gm, 2000, DType::U8), UB], &[0, 1, 5, 0, 32, 32]);
        let g = c.mem.bytes(Loc::Gm);
        assert_eq!((g[2000], g[3000], g[3004], g[3005]), (0, 200, 204, (3005 % 251) as u8));
    }

    #[test]
    fn matrices_become_column_groups() {
        let mut c = core();
        // One matrix, rows one block apart, groups of columns four blocks apart.
        set(&mut c, "set_mte2_nz_para", 1 | 1 << 16 | 4 << 32);
        let l1 = (Loc::Mat, 0, DType::U16);
        call(&mut c, "copy_gm_to_cbuf_multi_nd2nz", [l1, GM], &[0, 100, 0, 3, 17, 0, 0]);
        let m = c.mem.bytes(Loc::Mat);
        assert_eq!((m[32], m[128], m[130], m[160]), (100, 32, 0, 132));
        call(&mut c, "copy_gm_to_cbuf_multi_dn2nz", [l1, GM], &[0, 100, 0, 3, 17, 0, 0]);
        let m = c.mem.bytes(Loc::Mat);
        assert_eq!((m[2], m[32], m[128], m[160]), (100, 2, (1600 % 251) as u8, (1602 % 251) as u8));
    }
}
