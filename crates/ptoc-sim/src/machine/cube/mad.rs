//! `mad`: the product of what lies in L0A and L0B, into L0C.

use super::super::dma::limited;
use super::super::{Arg, Args, Core, Fault, FaultKind, Ptr};
use super::helpers::elem;
use super::product::{codes, exact, fused, integers, scaled, short};
use super::{BOX, ROW};
use ptoc_target::{Arch, DType, Loc};

/// The sizes and operands of a product.
struct Product {
    a: (u64, DType),
    b: (u64, DType),
    c: (u64, DType),
    m: u64,
    k: u64,
    n: u64,
    start: Start,
    /// `a` is one row of k elements, not boxes.
    vector: bool,
    /// Boxes in k of L0A where they are more than k needs (A2/A3).
    k_boxes: u64,
}

#[derive(Clone, Copy)]
enum Start {
    Zero,
    Old,
    /// A row of the bias table.
    Bias(u64),
}

/// `(c, a, b, m, k, n, unit flag, k aligned to 16, start from the bias table, start from 0)`.
pub(super) fn a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let mut p = operands(args)?;
    p.vector = p.m == 1;
    let c0 = lanes(p.a.1);
    p.k_boxes = if p.a.1 == DType::F32 && args.flag(7)? { 2 * p.k.div_ceil(16) } else { p.k.div_ceil(c0) };
    run(core, args, &p, Arch::A2A3)
}

/// `(c, a, b, m, k, n, unit flag, boxes even for one row, start from the bias table, start from 0)`.
pub(super) fn a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let mut p = operands(args)?;
    p.vector = p.m == 1 && !args.flag(7)?;
    run(core, args, &p, Arch::A5)
}

/// As [`a5`], each 32 elements along k of either operand multiplied by a power of two from the scale buffers.
pub(super) fn mx(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let mut p = operands(args)?;
    p.vector = p.m == 1 && !args.flag(7)?;
    if p.m == 0 || p.k == 0 || p.n == 0 {
        return Ok(());
    }
    if !p.k.is_multiple_of(64) {
        return Err(args.fault(FaultKind::BadArgument, format_args!("k is {}, no multiple of 64", p.k)));
    }
    let (k, n) = (p.k as usize, p.n as usize);
    let (mut a, mut b) = (left(core, args, &p, Arch::A5)?, right(core, args, &p)?);
    let (mut x, mut y) = (Vec::with_capacity(a.len()), Vec::with_capacity(b.len()));
    let k_blocks = p.k / 64;
    let power = |code: u8| if code == u8::MAX { f64::NAN } else { 2f64.powi(i32::from(code) - 127) };
    for (i, row) in a.chunks_exact_mut(k).enumerate() {
        let first = p.a.0 / 16 + (i as u64 / 16) * k_blocks * ROW + (i as u64 % 16) * 2;
        for (q, group) in row.chunks_exact(32).enumerate() {
            let at = first + (q as u64 / 2) * ROW + q as u64 % 2;
            let scale = power(core.mem.read(Loc::ScaleLeft, at, 1).map_err(|e| args.within(e))?[0]);
            x.extend(group.iter().map(|v| f64::from(*v) * scale));
        }
    }
    for (r, row) in b.chunks_exact_mut(n).enumerate() {
        for (j, v) in row.iter().enumerate() {
            let (j, q) = (j as u64, r as u64 / 32);
            let at = p.b.0 / 16 + ((j / 16) * k_blocks + q / 2) * ROW + (j % 16) * 2 + q % 2;
            let scale = power(core.mem.read(Loc::ScaleRight, at, 1).map_err(|e| args.within(e))?[0]);
            y.push(f64::from(*v) * scale);
        }
    }
    let sums = scaled(&x, &y, (k, n));
    store(core, args, &p, |i, old| (f32::from_bits(old) + sums[i]).to_bits(), |i| sums[i].to_bits())
}

/// Elements of a 32-byte row of a box.
fn lanes(ty: DType) -> u64 {
    if ty.is_fp4() { 64 } else { ty.c0() }
}

fn operands(args: &Args<'_>) -> Result<Product, Fault> {
    let inside = |p: Ptr, i: usize, space: Loc| match p.space == space {
        true => Ok(p),
        false => {
            let (got, want) = (p.space.memory(), space.memory());
            Err(args.fault(FaultKind::BadArgument, format_args!("argument {i} lies in {got}, {want} is expected")))
        }
    };
    // The bias table address is the upper half of the address of c, or comes beside it.
    let (c, bias) = match args.list.first() {
        Some(Arg::List(parts)) => match parts.as_slice() {
            [Arg::Ptr(c), Arg::Ptr(bias)] => (*c, bias.addr),
            [Arg::Ptr(c), Arg::Int(bias)] if *bias >= 0 => (*c, *bias as u64),
            _ => return Err(args.fault(FaultKind::BadArgument, "c and its bias are two addresses")),
        },
        _ => {
            let c = args.ptr(0)?;
            (Ptr { addr: c.addr & 0xffff_ffff, ..c }, c.addr >> 32)
        }
    };
    let (a, b) = (inside(args.ptr(1)?, 1, Loc::Left)?, inside(args.ptr(2)?, 2, Loc::Right)?);
    let c = inside(c, 0, Loc::Acc)?;
    let start = match (args.flag(8)?, args.flag(9)?) {
        (_, true) => Start::Zero,
        (true, _) => Start::Bias(bias),
        _ => Start::Old,
    };
    Ok(Product {
        a: (a.addr, elem(args, 1, a)?),
        b: (b.addr, elem(args, 2, b)?),
        c: (c.addr, elem(args, 0, c)?),
        m: limited(args, 3, 4095)?,
        k: limited(args, 4, 4095)?,
        n: limited(args, 5, 4095)?,
        start,
        vector: false,
        k_boxes: 0,
    })
}

fn run(core: &mut Core, args: &Args<'_>, p: &Product, arch: Arch) -> Result<(), Fault> {
    if p.m == 0 || p.k == 0 || p.n == 0 {
        return Ok(());
    }
    let (k, n) = (p.k as usize, p.n as usize);
    use DType::*;
    match (p.a.1, p.b.1, p.c.1) {
        (I8, I8, I32) => {
            let (a, b) = (left(core, args, p, arch)?, right(core, args, p)?);
            let whole = |m: Vec<f32>| m.into_iter().map(|x| x as i32).collect::<Vec<_>>();
            let sums = integers(&whole(a), &whole(b), (k, n));
            store(core, args, p, |i, old| old.wrapping_add(sums[i] as u32), |i| sums[i] as u32)
        }
        (F16, F16, F32)
        | (BF16, BF16, F32)
        | (F32, F32, F32)
        | (HiF8, HiF8, F32)
        | (F8E4M3 | F8E5M2, F8E4M3 | F8E5M2, F32) => {
            let (mut a, mut b) = (left(core, args, p, arch)?, right(core, args, p)?);
            let sums = if p.a.1 == F32 {
                if core.spr.ctrl >> 46 & 1 == 1 {
                    let ties_down = core.spr.ctrl >> 47 & 1 == 1;
                    let mantissa = if arch == Arch::A2A3 { 11 } else { 10 };
                    a.iter_mut().chain(&mut b).for_each(|x| *x = short(*x, mantissa, ties_down));
                }
                fused(&a, &b, (k, n))
            } else {
                exact(&a, &b, (k, n))
            };
            store(core, args, p, |i, old| (f32::from_bits(old) + sums[i]).to_bits(), |i| sums[i].to_bits())
        }
        (a, b, c) => Err(args.fault(FaultKind::Unsupported, format_args!("a product of {a} and {b} into {c}"))),
    }
}

/// The values of `count` lanes of a row, appended.
fn lanes_of(out: &mut [f32], row: &[u8], ty: DType) {
    use crate::num::FloatFormat;
    match (codes(ty), FloatFormat::of(ty)) {
        (Some(codes), _) if ty.bytes() == 1 => {
            out.iter_mut().zip(row).for_each(|(x, code)| *x = codes[usize::from(*code)]);
        }
        (Some(codes), _) => out.iter_mut().zip(row.as_chunks::<2>().0).for_each(|(x, code)| {
            *x = codes[usize::from(u16::from_le_bytes(*code))];
        }),
        (_, Some(format)) if ty.is_fp4() => out.iter_mut().enumerate().for_each(|(l, x)| {
            *x = format.decode(u64::from(row[l / 2] >> (4 * (l % 2)) & 0xf)) as f32;
        }),
        _ if ty == DType::I8 => out.iter_mut().zip(row).for_each(|(x, b)| *x = f32::from(*b as i8)),
        _ => out.iter_mut().zip(row.as_chunks::<4>().0).for_each(|(x, b)| *x = f32::from_le_bytes(*b)),
    }
}

/// `a` as a row-major `m x k` matrix.
fn left(core: &mut Core, args: &Args<'_>, p: &Product, arch: Arch) -> Result<Vec<f32>, Fault> {
    let (at, ty) = p.a;
    let (k, c0) = (p.k as usize, lanes(ty));
    let mut out = vec![0.0; p.m as usize * k];
    if p.vector {
        let bytes = p.k.div_ceil(c0) * ROW;
        lanes_of(&mut out, core.mem.read(Loc::Left, at, bytes).map_err(|e| args.within(e))?, ty);
        return Ok(out);
    }
    for i in 0..p.m.div_ceil(16) {
        let rows = (p.m - 16 * i).min(16);
        for q in 0..p.k.div_ceil(c0) {
            let number = match arch {
                Arch::A2A3 => i * p.k_boxes + q,
                Arch::A5 => q * p.m.div_ceil(16) + i,
            };
            let bytes =
                core.mem.read(Loc::Left, at.saturating_add(number * BOX), rows * ROW).map_err(|e| args.within(e))?;
            let (first, last) = ((q * c0) as usize, (q * c0 + c0).min(p.k) as usize);
            for (r, row) in bytes.chunks_exact(ROW as usize).enumerate() {
                let line = (16 * i as usize + r) * k;
                lanes_of(&mut out[line + first..line + last], row, ty);
            }
        }
    }
    Ok(out)
}

/// `b` as a row-major `k x n` matrix.
fn right(core: &mut Core, args: &Args<'_>, p: &Product) -> Result<Vec<f32>, Fault> {
    let (at, ty) = p.b;
    let (n, c0) = (p.n as usize, lanes(ty));
    let mut out = vec![0.0; p.k as usize * n];
    let mut lane = [0.0; 64];
    for q in 0..p.k.div_ceil(c0) {
        let used = (p.k - q * c0).min(c0) as usize;
        // The boxes of a k group lie one after another: a row of 32 bytes for each column.
        let first = at.saturating_add(q * p.n.div_ceil(16) * BOX);
        let bytes = core.mem.read(Loc::Right, first, p.n * ROW).map_err(|e| args.within(e))?;
        for (j, row) in bytes.chunks_exact(ROW as usize).enumerate() {
            lanes_of(&mut lane[..used], row, ty);
            for (l, x) in lane[..used].iter().enumerate() {
                out[((q * c0) as usize + l) * n + j] = *x;
            }
        }
    }
    Ok(out)
}

/// Writes `m x n` results; `added` gives the bits of a sum with what it starts from, `plain` those of the sum itself.
fn store(
    core: &mut Core,
    args: &Args<'_>,
    p: &Product,
    added: impl Fn(usize, u32) -> u32,
    plain: impl Fn(usize) -> u32,
) -> Result<(), Fault> {
    let bias = match p.start {
        Start::Bias(at) => core.mem.read(Loc::Bias, at, 4 * p.n).map_err(|e| args.within(e))?.to_vec(),
        _ => Vec::new(),
    };
    let (bias, n) = (bias.as_chunks::<4>().0, p.n as usize);
    let pitch = p.m.next_multiple_of(16) * 64;
    for q in 0..n.div_ceil(16) {
        let (first, width) = (16 * q, (n - 16 * q).min(16));
        let at = p.c.0.saturating_add(q as u64 * pitch);
        // Whole rows lie one after another; of the last columns only those that exist are written.
        let (count, rows) = if width == 16 { (1, p.m as usize) } else { (p.m as usize, 1) };
        for block in 0..count {
            let (at, len) = (at + block as u64 * 64, (rows * width * 4) as u64);
            if matches!(p.start, Start::Old) {
                core.mem.read(Loc::Acc, at, len).map_err(|e| args.within(e))?;
            }
            let to = core.mem.write(Loc::Acc, at, len).map_err(|e| args.within(e))?;
            for (r, row) in to.chunks_exact_mut(4 * width).enumerate() {
                for (j, to) in row.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                    let i = (block + r) * n + first + j;
                    let bits = match p.start {
                        Start::Zero => plain(i),
                        Start::Old => added(i, u32::from_le_bytes(*to)),
                        Start::Bias(_) => added(i, u32::from_le_bytes(bias[first + j])),
                    };
                    *to = bits.to_le_bytes();
                }
            }
        }
    }
    Ok(())
}
