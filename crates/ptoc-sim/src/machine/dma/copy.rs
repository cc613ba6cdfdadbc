//! What copies of both architectures are made of: bursts, stores under the atomic state, and ND to NZ.

use super::super::lane::half_saturates;
use super::super::{Args, Core, Fault, FaultKind, Ptr};
use crate::num::{Num, Sat, decode, encode_with};
use ptoc_target::{Arch, DType, Loc};

/// Bytes of a block.
pub(crate) const BLOCK: u64 = 32;

/// No memory is this large; sums of such an address, gaps and lengths stay far below 64 bits.
const ADDRESS_LIMIT: u64 = 1 << 40;

/// The pointer argument, which must lie in a memory.
pub(crate) fn place(args: &Args<'_>, i: usize, space: Loc, align: u64) -> Result<Ptr, Fault> {
    let p = args.ptr(i)?;
    if p.space != space {
        let (got, want) = (p.space.memory(), space.memory());
        return Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} lies in {got}, {want} is expected")));
    }
    if p.addr >= ADDRESS_LIMIT {
        let what = format_args!("argument {i} is address {}, which {} has not", p.addr, space.memory());
        return Err(args.fault(FaultKind::OutOfRange, what));
    }
    if p.addr.is_multiple_of(align) {
        return Ok(p);
    }
    let what =
        format_args!("argument {i} is address {} of {}, which is no multiple of {align}", p.addr, space.memory());
    Err(args.fault(FaultKind::Misaligned, what))
}

/// A number of at most `most`.
pub(crate) fn limited(args: &Args<'_>, i: usize, most: u64) -> Result<u64, Fault> {
    let n = args.count(i)?;
    if n <= most {
        return Ok(n);
    }
    Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} is {n}, {most} at most")))
}

/// Equal bursts: how many, how long, and how far apart on either side, in bytes from start to start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bursts {
    /// How many.
    pub count: u64,
    /// Bytes of one.
    pub len: u64,
    /// Distance in the source.
    pub from_step: u64,
    /// Distance in the destination.
    pub to_step: u64,
}

/// Copies bursts; those to global memory obey the atomic state.
pub(crate) fn copy(core: &mut Core, args: &Args<'_>, to: Ptr, from: Ptr, b: Bursts) -> Result<(), Fault> {
    if b.len == 0 {
        return Ok(());
    }
    for i in 0..b.count {
        let (t, f) = (to.addr + i * b.to_step, from.addr + i * b.from_step);
        store(core, (to.space, t), (from.space, f), b.len).map_err(|e| args.within(e))?;
    }
    Ok(())
}

/// Copies bytes; to global memory under the atomic state, which combines them with what is there, element by element.
fn store(core: &mut Core, to: (Loc, u64), from: (Loc, u64), len: u64) -> Result<(), Fault> {
    if to.0 != Loc::Gm || atomic(core).is_none() {
        return core.mem.copy(to, from, len);
    }
    let value = core.mem.read(from.0, from.1, len)?.to_vec();
    store_bytes(core, to.1, &value)
}

/// Stores bytes to global memory, combined with what is there where the atomic state says so.
pub(crate) fn store_bytes(core: &mut Core, at: u64, value: &[u8]) -> Result<(), Fault> {
    match atomic(core) {
        Some((ty, op)) => combine(core, at, value, ty, op),
        None => core.mem.write(Loc::Gm, at, value.len() as u64).map(|to| to.copy_from_slice(value)),
    }
}

/// Element type and operation of atomic stores, when they are on.
fn atomic(core: &Core) -> Option<(DType, u8)> {
    let ty = match core.spr.atomic_type {
        1 => DType::F32,
        2 => DType::F16,
        3 => DType::I16,
        4 => DType::I32,
        5 => DType::I8,
        6 => DType::BF16,
        _ => return None,
    };
    Some((ty, core.spr.atomic_op))
}

/// `memory = memory op value`. Integers wrap; narrow floats saturate when the control word says so.
fn combine(core: &mut Core, at: u64, value: &[u8], ty: DType, op: u8) -> Result<(), Fault> {
    // Only half precision has this mode on A5.
    let narrow = ty == DType::F16 || ty == DType::BF16 && core.target.arch == Arch::A2A3;
    let sat = if narrow && half_saturates(core) { Sat::On } else { Sat::Off };
    let len = value.len() as u64;
    core.mem.read(Loc::Gm, at, len)?;
    let there = core.mem.write(Loc::Gm, at, len)?;
    let s = ty.bytes() as usize;
    for (to, from) in there.chunks_exact_mut(s).zip(value.chunks_exact(s)) {
        let [a, b] = [&*to, from].map(|bytes| {
            let mut word = [0; 8];
            word[..s].copy_from_slice(bytes);
            decode(ty, u64::from_le_bytes(word))
        });
        let bits = encode_with(ty, combined(a, b, op), Default::default(), sat);
        to.copy_from_slice(&bits.to_le_bytes()[..s]);
    }
    Ok(())
}

fn combined(a: Num, b: Num, op: u8) -> Num {
    match (a, b, op) {
        (Num::Int(a), Num::Int(b), 1) => Num::Int(a.max(b)),
        (Num::Int(a), Num::Int(b), 2) => Num::Int(a.min(b)),
        (Num::Int(a), Num::Int(b), _) => Num::Int(a + b),
        (a, b, 1) => Num::Float(a.real().max(b.real())),
        (a, b, 2) => Num::Float(a.real().min(b.real())),
        (a, b, _) => Num::Float(a.real() + b.real()),
    }
}

/// Bytes from global memory may start anywhere, those of a buffer with a block.
const fn alignment(space: Loc) -> u64 {
    match space {
        Loc::Gm => 1,
        _ => BLOCK,
    }
}

/// `(dst, src, ..., bursts, length, source gap, destination gap)` from argument `first` on, all in blocks, the gaps from end to
/// start.
pub(crate) fn blocks(core: &mut Core, args: &Args<'_>, to: Loc, from: Loc, first: usize) -> Result<(), Fault> {
    let dst = place(args, 0, to, alignment(to))?;
    let src = place(args, 1, from, alignment(from))?;
    let count = limited(args, first, 4095)?;
    let [len, from_gap, to_gap] = [1, 2, 3].map(|i| limited(args, first + i, 65535));
    let (len, from_gap, to_gap) = (len?, from_gap?, to_gap?);
    let bursts =
        Bursts { count, len: len * BLOCK, from_step: (len + from_gap) * BLOCK, to_step: (len + to_gap) * BLOCK };
    copy(core, args, dst, src, bursts)
}

/// A matrix in global memory that becomes column groups of 32 bytes in L1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nd2Nz {
    /// Bytes of an element.
    pub size: u64,
    /// Number of matrices.
    pub matrices: u64,
    /// Rows of a matrix.
    pub rows: u64,
    /// Columns of a matrix, in elements.
    pub cols: u64,
    /// Bytes from matrix to matrix in the source.
    pub from_matrix: u64,
    /// Bytes from row to row in the source.
    pub from_row: u64,
    /// Bytes from column to column in the source; the size of an element where rows are contiguous.
    pub from_col: u64,
    /// Bytes from matrix to matrix in the destination.
    pub to_matrix: u64,
    /// Bytes from row to row in the destination.
    pub to_row: u64,
    /// Bytes from column group to column group in the destination.
    pub to_group: u64,
}

/// Copies matrices; the last column group of a row is filled up with zeros.
pub(crate) fn nd2nz(core: &mut Core, args: &Args<'_>, to: Ptr, from: Ptr, n: Nd2Nz) -> Result<(), Fault> {
    let (width, c0) = (n.cols * n.size, BLOCK / n.size);
    let all = n.matrices.saturating_mul(n.rows).saturating_mul(width);
    if all > core.mem.size(to.space) {
        let what = format_args!("{all} bytes do not fit into {}", to.space.memory());
        return Err(args.fault(FaultKind::OutOfRange, what));
    }
    for q in 0..n.matrices {
        for r in 0..n.rows {
            let source = from.addr + q * n.from_matrix + r * n.from_row;
            let row = to.addr + q * n.to_matrix + r * n.to_row;
            for g in 0..width.div_ceil(BLOCK) {
                let to_at = row + g * n.to_group;
                let len = (width - g * BLOCK).min(BLOCK);
                group(core, args, (to.space, to_at), (from.space, source + g * c0 * n.from_col), len, n)?;
                if len < BLOCK {
                    let rest = core.mem.write(to.space, to_at + len, BLOCK - len).map_err(|e| args.within(e))?;
                    rest.fill(0);
                }
            }
        }
    }
    Ok(())
}

/// `len` bytes of one row within a column group, element by element where the source is not contiguous.
fn group(core: &mut Core, args: &Args<'_>, to: (Loc, u64), from: (Loc, u64), len: u64, n: Nd2Nz) -> Result<(), Fault> {
    let run = if n.from_col == n.size { len } else { n.size };
    for done in (0..len).step_by(run as usize) {
        let source = from.1 + done / n.size * n.from_col;
        core.mem.copy((to.0, to.1 + done), (from.0, source), run).map_err(|e| args.within(e))?;
    }
    Ok(())
}
