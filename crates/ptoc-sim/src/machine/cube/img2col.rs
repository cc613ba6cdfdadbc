//! Windows of a feature map in L1 as rows of a matrix in L0A or L0B.

use super::super::dma::{limited, place};
use super::super::{Args, Core, Fault, FaultKind, Ptr};
use super::helpers::elem;
use super::{BOX, ROW};
use ptoc_target::Loc;

/// The matrix that the arguments and the feature map register describe. Row `m` is an output position; column `k` counts
/// `c1, kh, kw` and the elements of a 32-byte group.
struct Map {
    src: Ptr,
    /// Bytes of an element, elements of a group.
    size: u64,
    c0: u64,
    /// Width and height of the map, of the filter, steps between windows, distance of taps.
    map: [i64; 2],
    filter: [i64; 2],
    stride: [i64; 2],
    dilation: [i64; 2],
    /// Pads on the left and the top.
    before: [i64; 2],
    /// Windows in a row.
    windows: i64,
    channels: u64,
    /// What a tap outside the map reads, over a whole group.
    pad: [u8; ROW as usize],
}

/// What part of the matrix is wanted.
#[derive(Clone, Copy)]
struct Part {
    row: u64,
    col: u64,
    rows: u64,
    cols: u64,
}

/// `(dst, src, k, m, first k, first m, stride w h, filter w h, dilation w h, filter bit 8 w h, transpose, second register,
/// channels)`.
fn describe(core: &Core, args: &Args<'_>) -> Result<(Map, Part, bool), Fault> {
    let src = place(args, 1, Loc::Mat, ROW)?;
    let ty = elem(args, 1, src)?;
    let number = |i| limited(args, i, 65535);
    let part = Part { cols: number(2)?, rows: number(3)?, col: number(4)?, row: number(5)? };
    let pair = |w, h| Ok::<_, Fault>([number(w)? as i64, number(h)? as i64]);
    let (stride, dilation) = (pair(6, 7)?, pair(10, 11)?);
    let (low, high) = (pair(8, 9)?, pair(12, 13)?);
    let filter = [low[0] + 256 * high[0], low[1] + 256 * high[1]];
    if stride.contains(&0) || dilation.contains(&0) || filter.contains(&0) {
        return Err(args.fault(FaultKind::BadArgument, "a stride, a dilation or a filter size is 0"));
    }
    let second = usize::from(args.flag(15)?);
    let word = core.spr.fmatrix[second];
    let field = |at: u32, bits: u32| (word >> at & ((1 << bits) - 1)) as i64;
    let map = [field(0, 16), field(16, 16)];
    let [left, right, top] = [32, 40, 48].map(|at| field(at, 8));
    let reach = dilation[0] * (filter[0] - 1) + 1;
    let windows = if map[0] + left + right < reach { 0 } else { (map[0] + left + right - reach) / stride[0] + 1 };
    if windows == 0 {
        let what = format_args!("no window fits a map {} wide with the pads {left} and {right}", map[0]);
        return Err(args.fault(FaultKind::BadArgument, what));
    }
    let size = ty.bytes();
    let bits = core.spr.padding[second].to_le_bytes();
    let pad = std::array::from_fn(|i| bits[i % size as usize]);
    let (channels, c0) = (number(16)?, ty.c0());
    if !part.col.is_multiple_of(c0) {
        let what = format_args!("the first column {} is no multiple of the {c0} elements of a group", part.col);
        return Err(args.fault(FaultKind::Misaligned, what));
    }
    let map = Map { src, size, c0, map, filter, stride, dilation, before: [left, top], windows, channels, pad };
    Ok((map, part, args.flag(14)?))
}

impl Map {
    /// The 32 bytes of a column group of a row.
    fn group(&self, core: &mut Core, row: u64, group: u64) -> Result<[u8; ROW as usize], Fault> {
        let (row, group) = (row as i64, group as i64);
        let (kw, kh) = (group % self.filter[0], group / self.filter[0] % self.filter[1]);
        let c1 = group / (self.filter[0] * self.filter[1]);
        let x = row % self.windows * self.stride[0] - self.before[0] + kw * self.dilation[0];
        let y = row / self.windows * self.stride[1] - self.before[1] + kh * self.dilation[1];
        let lanes = self.channels.saturating_sub(c1 as u64 * self.c0).min(self.c0);
        let mut out = [0; ROW as usize];
        if !(0..self.map[0]).contains(&x) || !(0..self.map[1]).contains(&y) {
            return Ok(self.pad);
        }
        // Channels past the last one read as 0.
        let len = lanes * self.size;
        let at = ((c1 * self.map[1] + y) * self.map[0] + x) as u64 * ROW;
        out[..len as usize].copy_from_slice(core.mem.read(Loc::Mat, self.src.addr + at, len)?);
        Ok(out)
    }

    /// A part of the matrix, row by row, columns rounded up to whole groups.
    fn rows(&self, core: &mut Core, args: &Args<'_>, p: Part) -> Result<Vec<u8>, Fault> {
        let groups = p.cols.div_ceil(self.c0);
        if p.rows.saturating_mul(groups * ROW) > 1 << 20 {
            let what = format_args!("{} x {} elements are more than an operand buffer holds", p.rows, p.cols);
            return Err(args.fault(FaultKind::OutOfRange, what));
        }
        let mut out = Vec::with_capacity((p.rows * groups * ROW) as usize);
        for r in 0..p.rows {
            for g in 0..groups {
                let bytes = self.group(core, p.row + r, p.col / self.c0 + g).map_err(|e| args.within(e))?;
                out.extend_from_slice(&bytes);
            }
        }
        Ok(out)
    }

    /// The transpose of a row-major matrix of whole groups, its columns rounded up to whole groups with zeros.
    fn turned(&self, rows: &[u8], (m, k): (u64, u64)) -> Vec<u8> {
        let s = self.size as usize;
        let (m, k) = (m as usize, k as usize);
        let width = m.next_multiple_of(self.c0 as usize);
        let mut out = vec![0; k * width * s];
        for r in 0..m {
            for c in 0..k {
                let (from, to) = ((r * k + c) * s, (c * width + r) * s);
                out[to..to + s].copy_from_slice(&rows[from..from + s]);
            }
        }
        out
    }
}

/// Writes a row-major matrix of 32-byte groups as boxes; `number` gives the box of a box row and a group.
fn write_boxes(
    core: &mut Core,
    args: &Args<'_>,
    dst: Ptr,
    rows: &[u8],
    groups: u64,
    number: impl Fn(u64, u64) -> u64,
) -> Result<(), Fault> {
    let height = (rows.len() as u64 / ROW).checked_div(groups).unwrap_or(0);
    for b in 0..height.div_ceil(16) {
        for g in 0..groups {
            let at = dst.addr.saturating_add(number(b, g).saturating_mul(BOX));
            let in_box = (height - 16 * b).min(16);
            let to = core.mem.write(dst.space, at, in_box * ROW).map_err(|e| args.within(e))?;
            for (r, to) in to.chunks_exact_mut(ROW as usize).enumerate() {
                let from = (((16 * b + r as u64) * groups + g) * ROW) as usize;
                to.copy_from_slice(&rows[from..from + ROW as usize]);
            }
        }
    }
    Ok(())
}

/// The repeat register: how often, and by how many rows and columns the part moves each time. Up to one repeat is one move.
fn repeats(word: u64, c0: u64) -> impl Iterator<Item = (u64, u64)> {
    let (stride, times, by_columns) = (word & 0xffff, word >> 16 & 0xff, word >> 24 & 0xff != 0);
    (0..times.max(1)).map(move |i| if by_columns { (0, i * stride * c0) } else { (i * stride * 16, 0) })
}

/// Box row by box row, or the transpose in the same order.
pub(super) fn left_a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let mut dst = place(args, 0, Loc::Left, BOX)?;
    let (map, part, transpose) = describe(core, args)?;
    if transpose && map.size == 1 {
        return Err(args.fault(FaultKind::Unsupported, "a transposed window of 1-byte elements"));
    }
    for (rows, cols) in repeats(core.spr.l3d_rpt[usize::from(args.flag(15)?)], map.c0) {
        let p = Part {
            row: part.row + rows,
            col: part.col + cols,
            rows: part.rows.next_multiple_of(16),
            cols: part.cols.next_multiple_of(if transpose { map.c0.max(16) } else { map.c0 }),
        };
        let mut bytes = map.rows(core, args, p)?;
        let mut groups = p.cols / map.c0;
        if transpose {
            bytes = map.turned(&bytes, (p.rows, p.cols));
            groups = p.rows.div_ceil(map.c0);
        }
        write_boxes(core, args, dst, &bytes, groups, |b, g| b * groups + g)?;
        dst.addr += bytes.len() as u64;
    }
    Ok(())
}

/// Rows of the window are k, columns are n: boxes of the transpose, k group by k group.
pub(super) fn right_a2a3(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let mut dst = place(args, 0, Loc::Right, BOX)?;
    let (map, part, _) = describe(core, args)?;
    for (rows, cols) in repeats(core.spr.l3d_rpt[usize::from(args.flag(15)?)], map.c0) {
        let p = Part {
            row: part.row + rows,
            col: part.col + cols,
            rows: part.rows.next_multiple_of(map.c0.max(16)),
            cols: part.cols.next_multiple_of(map.c0.max(16)),
        };
        let turned = map.rows(core, args, p).map(|rows| map.turned(&rows, (p.rows, p.cols)))?;
        let (groups, columns) = (p.rows / map.c0, p.cols / 16);
        write_boxes(core, args, dst, &turned, groups, |b, g| g * columns + b)?;
        dst.addr += turned.len() as u64;
    }
    Ok(())
}

/// Box column by box column: the repeat register gives boxes from column to column and the first box row.
pub(super) fn left_a5(core: &mut Core, args: &Args<'_>) -> Result<(), Fault> {
    let dst = place(args, 0, Loc::Left, BOX)?;
    let (map, part, transpose) = describe(core, args)?;
    if transpose {
        return Err(args.fault(FaultKind::Unsupported, "a transposed window"));
    }
    let word = core.spr.l3d_rpt[usize::from(args.flag(15)?)];
    let (pitch, first) = (word >> 32 & 0xffff, word >> 48);
    let mut done = 0;
    for (rows, cols) in repeats(word, map.c0) {
        let p = Part {
            row: part.row + rows,
            col: part.col + cols,
            rows: part.rows.next_multiple_of(16),
            cols: part.cols.next_multiple_of(map.c0),
        };
        let bytes = map.rows(core, args, p)?;
        let groups = p.cols / map.c0;
        write_boxes(core, args, dst, &bytes, groups, |b, g| g * pitch + first + b + done)?;
        done += if cols > 0 { groups * pitch } else { p.rows / 16 };
    }
    Ok(())
}
