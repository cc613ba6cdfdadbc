//! The fixpipe: results out of L0C, converted, into L1, UB or global memory.

use super::super::dma::{limited, place, store_bytes};
use super::super::{Args, Core, Fault, FaultKind, Ptr};
use super::helpers::elem;
use super::requant::{Pipeline, WordFrom, mode};
use ptoc_target::{Arch, Loc};

/// One transfer, as all variants describe it.
struct Transfer {
    arch: Arch,
    src: Ptr,
    dst: Ptr,
    m: u64,
    n: u64,
    /// Destination stride: in 32 bytes (A2/A3, boxes), or in elements.
    to_stride: u64,
    /// Rows of 16 elements from box column to box column.
    from_stride: u64,
    order: Order,
    pipeline: Pipeline,
    /// The word in the fixpipe buffer that the first column takes.
    first_word: u64,
}

/// How the destination lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Box columns.
    Boxes,
    /// Box columns of 8 elements.
    SplitBoxes,
    /// Row by row.
    Rows,
    /// Column by column.
    Columns,
}

impl Order {
    fn of(args: &Args<'_>, split: bool, rows: bool, columns: bool) -> Result<Order, Fault> {
        match (split, rows, columns) {
            (false, false, false) => Ok(Order::Boxes),
            (true, false, false) => Ok(Order::SplitBoxes),
            (false, true, false) => Ok(Order::Rows),
            (false, false, true) => Ok(Order::Columns),
            _ => Err(args.fault(FaultKind::BadArgument, "channel split, rows and columns exclude each other")),
        }
    }
}

/// `(dst, src, sid, n, m, destination stride, source stride, unit flag, mode, relu, channel split, rows)`.
pub(super) fn to_cbuf_a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let src = place(args, 1, Loc::Acc, 4)?;
    let (split, rows) = (args.flag(10)?, args.flag(11)?);
    if split {
        return Err(args.fault(FaultKind::Unsupported, "a channel split into L1"));
    }
    let relu = args.count(9)?;
    transfer(
        core,
        args,
        &Transfer {
            arch: Arch::A2A3,
            src,
            dst: place(args, 0, Loc::Mat, 32)?,
            n: limited(args, 3, 8192)?,
            m: limited(args, 4, 8192)?,
            to_stride: limited(args, 5, u64::from(u32::MAX))?,
            from_stride: limited(args, 6, 65535)?,
            order: Order::of(args, split, rows, false)?,
            pipeline: Pipeline::of(args, Arch::A2A3, mode(args, 8)?, elem(args, 1, src)?, relu, core.spr.ctrl)?,
            first_word: 0,
        },
    )
}

/// `(dst, src, xm, xt)`.
pub(super) fn to_gm_a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    to_gm(core, args, Arch::A2A3)
}

/// `(dst, src, xm, xt)`.
pub(super) fn to_gm_a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    to_gm(core, args, Arch::A5)
}

/// xm: n 15:4, m 31:16, destination stride 63:32. xt: source stride 15:0, mode 38:34 (and 29 on A5), relu 41:39, channel
/// split 42, rows 43, columns 62 (A5).
fn to_gm(core: &mut Core, args: &Args<'_>, arch: Arch) -> Result<(), Fault> {
    let (dst, src) = (place(args, 0, Loc::Gm, 1)?, place(args, 1, Loc::Acc, 4)?);
    let (xm, xt) = (args.int(2)? as u64, args.int(3)? as u64);
    let bit = |at: u32| xt >> at & 1 == 1;
    let a5 = arch == Arch::A5;
    let number = xt >> 34 & 0x1f | if a5 && bit(29) { 0x20 } else { 0 };
    transfer(
        core,
        args,
        &Transfer {
            arch,
            src,
            dst,
            n: xm >> 4 & 0xfff,
            m: xm >> 16 & 0xffff,
            to_stride: xm >> 32,
            from_stride: xt & 0xffff,
            order: Order::of(args, bit(42), bit(43), a5 && bit(62))?,
            pipeline: Pipeline::of(args, arch, number as i64, elem(args, 1, src)?, xt >> 39 & 7, core.spr.ctrl)?,
            first_word: 0,
        },
    )
}

/// `(dst, src, sid, n, m, destination stride, source stride, cache, clip relu, unit flag, mode, relu, channel split, rows,
/// ..., columns)`.
pub(super) fn to_cbuf_a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    switched_off(args, &[8])?;
    let t = wide(core, args, Loc::Mat, 10)?;
    transfer(core, args, &t)
}

/// `(dst, src, sid, n, m, destination stride, source stride, split over two vector cores, vector core, clip relu, unit flag,
/// mode, relu, channel split, rows, ..., columns)`.
///
/// A split gives the first half of the rows (1) or columns (2) to vector core 0, which is the one simulated, and the second
/// half to the other one, at the same address. Without a split it is the core that the call names.
pub(super) fn to_ub_a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    switched_off(args, &[9])?;
    let whole = wide(core, args, Loc::Vec, 11)?;
    let (first, second) = match args.count(7)? {
        0 => return transfer(core, args, &whole),
        1 => {
            let m = whole.m / 2;
            let addr = whole.src.addr + m * 64;
            (Transfer { m, ..whole }, Transfer { m: whole.m - m, src: Ptr { addr, ..whole.src }, ..whole })
        }
        2 if whole.n.is_multiple_of(32) => {
            let n = whole.n / 2;
            let addr = whole.src.addr + n / 16 * whole.from_stride * 64;
            (Transfer { n, ..whole }, Transfer { n, src: Ptr { addr, ..whole.src }, first_word: n, ..whole })
        }
        2 => {
            let what = format_args!("{} columns do not split into whole boxes", whole.n);
            return Err(args.fault(FaultKind::BadArgument, what));
        }
        other => return Err(args.fault(FaultKind::BadArgument, format_args!("split mode {other}"))),
    };
    transfer(core, args, &first)?;
    core.mem.swap_vector_core();
    let done = transfer(core, args, &second);
    core.mem.swap_vector_core();
    done
}

/// What follows the mode at argument `at` is the same for L1 and UB.
fn wide(core: &Core, args: &Args<'_>, to: Loc, at: usize) -> Result<Transfer, Fault> {
    let src = place(args, 1, Loc::Acc, 4)?;
    // Everything between `rows` and `columns` belongs to stages that are never switched on.
    let columns = at + 14;
    switched_off(args, &(at + 4..columns).collect::<Vec<_>>())?;
    let relu = args.count(at + 1)?;
    Ok(Transfer {
        arch: Arch::A5,
        src,
        dst: place(args, 0, to, 1)?,
        n: limited(args, 3, 4095)?,
        m: limited(args, 4, 8192)?,
        to_stride: limited(args, 5, u64::from(u32::MAX))?,
        from_stride: limited(args, 6, 65535)?,
        order: Order::of(args, args.flag(at + 2)?, args.flag(at + 3)?, args.flag(columns)?)?,
        pipeline: Pipeline::of(args, Arch::A5, mode(args, at)?, elem(args, 1, src)?, relu, core.spr.ctrl)?,
        first_word: 0,
    })
}

/// Arguments that must be absent or 0.
fn switched_off(args: &Args<'_>, which: &[usize]) -> Result<(), Fault> {
    for &i in which {
        if i < args.len() && args.int(i)? != 0 {
            return Err(args.fault(FaultKind::Unsupported, format_args!("argument {i} is not 0")));
        }
    }
    Ok(())
}

/// Columns that lie together: rows of `width` elements, `pitch` bytes apart, from byte `base` on.
struct Group {
    first: u64,
    width: u64,
    base: u64,
    pitch: u64,
}

impl Transfer {
    /// The groups of one matrix; strides become bytes here.
    fn groups(&self, args: &Args<'_>) -> Result<Vec<Group>, Fault> {
        let (n, s) = (self.n, self.pipeline.bytes);
        let unit = match (self.arch, self.order) {
            (Arch::A2A3, Order::Boxes | Order::SplitBoxes) => 32,
            _ => s,
        };
        let stride = self.to_stride * unit;
        // A box is 16 elements wide; 32 of one byte, 8 when split.
        let width = match self.order {
            Order::Rows => return Ok(vec![Group { first: 0, width: n, base: 0, pitch: stride }]),
            Order::Columns => {
                return Ok((0..n).map(|j| Group { first: j, width: 1, base: j * stride, pitch: s }).collect());
            }
            Order::SplitBoxes if s != 4 => {
                return Err(args.fault(FaultKind::BadArgument, "a channel split of elements that are not 4 bytes wide"));
            }
            Order::SplitBoxes => 8,
            Order::Boxes if s == 1 => 32,
            Order::Boxes => 16,
        };
        let odd = s == 1 && n % 32 == 16;
        if self.arch == Arch::A2A3 && (odd || !n.is_multiple_of(width.min(16))) {
            let what = format_args!("{n} columns of {s} bytes do not make whole boxes");
            return Err(args.fault(FaultKind::BadArgument, what));
        }
        Ok((0..n.div_ceil(width))
            .map(|q| {
                let first = q * width;
                let used = (n - first).min(width);
                // The last 16 columns of an odd number of 16s form a narrow box.
                let pitch = if odd && used == 16 { 16 } else { width * s };
                Group { first, width: used, base: q * stride, pitch }
            })
            .collect())
    }

    /// Matrices, bytes from matrix to matrix on either side, and rows from row to row in the source.
    fn matrices(&self, core: &Core) -> (u64, u64, u64, u64) {
        let s = self.pipeline.bytes;
        match (self.order, self.arch) {
            (Order::Boxes | Order::SplitBoxes, _) => (1, 0, 0, 1),
            (_, Arch::A2A3) => {
                let word = core.spr.nd_para;
                (word & 0xffff, (word >> 16 & 0xffff) * 1024, (word >> 32 & 0xffff) * s, 1)
            }
            (order, Arch::A5) => {
                let word = core.spr.loop3_para;
                let step = if order == Order::Columns { core.spr.channel_para >> 48 } else { 1 };
                (word & 0xffff, (word >> 16 & 0xffff) * 64, (word >> 32) * s, step)
            }
        }
    }
}

fn transfer(core: &mut Core, args: &Args<'_>, t: &Transfer) -> Result<(), Fault> {
    if t.m == 0 || t.n == 0 {
        return Ok(());
    }
    let (m, n, s) = (t.m as usize, t.n as usize, t.pipeline.bytes as usize);
    let words: Vec<u64> = match t.pipeline.word {
        WordFrom::Nothing => Vec::new(),
        WordFrom::Register => vec![core.spr.quant_pre],
        WordFrom::Buffer => {
            let at = (core.spr.fpc >> 8 & 0xff) * 128 + 8 * t.first_word;
            let bytes = core.mem.read(Loc::Scaling, at, 8 * t.n).map_err(|e| args.within(e))?;
            bytes.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)).collect()
        }
    };
    let groups = t.groups(args)?;
    let (matrices, from_step, to_step, row_step) = t.matrices(core);
    // Matrices may overlap, but not so that one transfer reads the buffer many times.
    let all = matrices.saturating_mul(t.m * t.n * 4);
    if t.m * t.n * 4 > core.mem.size(Loc::Acc) || all > 16 * core.mem.size(Loc::Acc) {
        let what = format_args!("{matrices} times {m} x {n} elements are more than {} holds", Loc::Acc.memory());
        return Err(args.fault(FaultKind::OutOfRange, what));
    }
    // Results row by row, `s` bytes each.
    let mut out = vec![0; m * n * s];
    let mut line = Vec::new();
    for q in 0..matrices {
        for first in (0..n).step_by(16) {
            let width = (n - first).min(16);
            let at = t.src.addr + q * from_step + first as u64 / 16 * t.from_stride * 64;
            for i in 0..m {
                let row = core.mem.read(Loc::Acc, at + i as u64 * row_step * 64, 4 * width as u64);
                let row = row.map_err(|e| args.within(e))?.as_chunks::<4>().0;
                for (j, x) in row.iter().enumerate() {
                    let word = match words.as_slice() {
                        [word] => *word,
                        words => words.get(first + j).copied().unwrap_or(0),
                    };
                    let bits = t.pipeline.apply(u32::from_le_bytes(*x), word);
                    let at = (i * n + first + j) * s;
                    out[at..at + s].copy_from_slice(&bits.to_le_bytes()[..s]);
                }
            }
        }
        for g in &groups {
            let base = t.dst.addr.saturating_add(q * to_step).saturating_add(g.base);
            let (first, width) = (g.first as usize * s, g.width as usize * s);
            let rows = out.chunks_exact(n * s).map(|row| &row[first..first + width]);
            if g.pitch == width as u64 {
                line.clear();
                rows.for_each(|row| line.extend_from_slice(row));
                put(core, args, t.dst.space, base, &line)?;
            } else {
                for (i, row) in rows.enumerate() {
                    put(core, args, t.dst.space, base.saturating_add(i as u64 * g.pitch), row)?;
                }
            }
        }
    }
    Ok(())
}

fn put(core: &mut Core, args: &Args<'_>, space: Loc, at: u64, bytes: &[u8]) -> Result<(), Fault> {
    match space {
        Loc::Gm => store_bytes(core, at, bytes),
        _ => core.mem.write(space, at, bytes.len() as u64).map(|to| to.copy_from_slice(bytes)),
    }
    .map_err(|e| args.within(e))
}
