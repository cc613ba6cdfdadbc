//! TTRANS: columns become rows.
//!
//! The transposing instruction takes sixteen rows of one block and gives the block's elements as rows of sixteen: eight of 4
//! bytes, sixteen of 2 bytes, four quarters of 32 x 32 for bytes. It writes whole blocks, so that the result goes to the
//! temporary first, and its valid part from there to the destination.

use super::area::Area;
use super::vector::Vector;
use crate::{Call, Em, LowerFn, Res, Sc, Tile};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::Layout;

/// The lowerings of this family.
pub(super) const TABLE: &[(&str, LowerFn)] = &[("pto.ttrans", transpose)];

fn transpose(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst, tmp) = (call.tile(em, "src")?, call.tile(em, "dst")?, call.opt_tile(em, "tmp")?);
    for t in [&src, &dst] {
        if t.layout() != Layout::Nd || t.esz() != dst.esz() || t.esz() > 4 {
            let what = format!(
                "a tile of {} in layout {}; it takes rows of elements of the same 1, 2 or 4 bytes",
                t.dtype(),
                t.layout()
            );
            return Err(call.unsupported(em, what));
        }
    }
    let (from, to) = (Area::of(em, call, &src)?, Area::of(em, call, &dst)?);
    if let Some(t) = tmp
        && let (Sc::Const(rows), Sc::Const(cols)) = (src.rows, src.cols)
        && t.layout() == Layout::Nd
    {
        let image = Area::of(em, call, &t)?.seen_as(to.lane);
        let b = Blocks { from, image, rows, cols };
        if rows > 0 && cols > 0 && b.fits(&t) {
            b.emit(em, &to);
            return Ok(());
        }
    }
    by_elements(em, &src, &dst);
    Ok(())
}

/// One by one in the scalar unit: sizes that are known at run time, and temporaries that are too small.
fn by_elements(em: &mut Em<'_>, src: &Tile, dst: &Tile) {
    Vector::scope(em, |v| {
        v.before_scalar();
        v.each(src.rows, |v, r| {
            v.each(src.cols, |v, c| {
                let em = &mut *v.em;
                let (i, o) = (em.offset_of(src, r, c), em.offset_of(dst, c, r));
                let (i, o) = (em.index(i), em.index(o));
                let (p, q) = (em.ptr(src), em.ptr(dst));
                let x = em.emit1("pto.load_scalar", &[p, i], src.ty.elem);
                em.emit("pto.store_scalar", &[q, o, x]);
            });
        });
        v.after_scalar();
    });
}

/// The sixteen rows of a source and where their elements go.
struct Blocks {
    from: Area,
    image: Area,
    rows: i64,
    cols: i64,
}

impl Blocks {
    fn bytes(&self) -> i64 {
        self.from.lane.bytes
    }

    /// Rows that one group takes.
    fn group(&self) -> i64 {
        if self.bytes() == 1 { 32 } else { 16 }
    }

    fn up(n: i64, to: i64) -> i64 {
        (n + to - 1) / to * to
    }

    /// True when the temporary holds the rounded image.
    fn fits(&self, tmp: &Tile) -> bool {
        let width = self.image.pitch * self.image.lane.block();
        let height = Self::up(self.cols, self.from.lane.block());
        // The type may be of other elements: bytes count.
        width >= Self::up(self.rows, self.group())
            && self.image.room() >= height * self.image.pitch * 32
            && tmp.loc() == ptoc_target::Loc::Vec
    }

    fn emit(&self, em: &mut Em<'_>, to: &Area) {
        let (group, c0) = (self.group(), self.from.lane.block());
        let (groups, columns) = ((self.rows + group - 1) / group, (self.cols + c0 - 1) / c0);
        Vector::scope(em, |v| {
            // Repeats go along the groups of rows when each is whole, else along the columns.
            if self.rows % group == 0 && groups >= columns && groups <= 255 {
                v.each_unrolled(columns, |v, j| {
                    let (src, dst) = (v.em.mul(j, 1), v.em.mul(j, c0 * self.image.pitch));
                    self.run(
                        v,
                        src,
                        dst,
                        self.rows.min(group),
                        groups,
                        group * self.from.pitch,
                        group * self.bytes() / 32,
                    );
                });
            } else {
                for g in 0..groups {
                    let left = (self.rows - g * group).min(group);
                    let (src, dst) = (g * group * self.from.pitch, g * group * self.bytes() / 32);
                    let mut done = 0;
                    while done < columns {
                        let count = (columns - done).min(255);
                        let (s, d) = (src + done, dst + done * c0 * self.image.pitch);
                        self.run(v, s.into(), d.into(), left, count, 1, c0 * self.image.pitch);
                        done += count;
                    }
                }
            }
            v.barrier();
            let len = (self.rows * self.bytes() + 31) / 32;
            let (p, q) = (to.ptr(v.em, 0), self.image.ptr(v.em, 0));
            v.bursts(p, q, self.cols.into(), len.into(), (self.image.pitch - len).into(), (to.pitch - len).into());
        });
    }

    /// Some repeats from blocks of the source and of the image on; `left` rows are there.
    #[expect(clippy::too_many_arguments, reason = "an instruction with its operands")]
    fn run(&self, v: &mut Vector<'_, '_>, src: Sc, dst: Sc, left: i64, repeat: i64, src_step: i64, dst_step: i64) {
        // A single repeat would take the first step, too.
        let (src_step, dst_step) = if repeat == 1 { (0, 0) } else { (src_step, dst_step) };
        // Rows that are not there read the last one again.
        let source = |v: &mut Vector<'_, '_>, i: i64| {
            let at = v.em.add(src, i.min(left - 1) * self.from.pitch);
            Self::address(v.em, &self.from, at)
        };
        let steps = [repeat, dst_step, src_step];
        if self.bytes() == 1 {
            let image = |v: &mut Vector<'_, '_>, i: i64| {
                let at = v.em.add(dst, i * self.image.pitch);
                Self::address(v.em, &self.image, at)
            };
            self.list(v, 2, |v, i| source(v, i));
            self.list(v, 0, image);
            let more = left > 16;
            if more {
                self.list(v, 4, |v, i| source(v, i + 16));
            }
            self.list(v, 6, |v, i| image(v, i + 16));
            for (dst_va, src_high) in [(0, false), (6, true)] {
                for (src_va, dst_high) in [(2, false), (4, true)] {
                    if src_va == 2 || more {
                        Self::scatter(
                            v,
                            "pto.ub.scatter_vnchwconv_b8",
                            [dst_va, src_va],
                            steps,
                            Some([dst_high, src_high]),
                        );
                    }
                }
            }
            return;
        }
        // Rows of sixteen words are two blocks each.
        let image = |v: &mut Vector<'_, '_>, i: i64| {
            let at = if self.bytes() == 4 { i / 2 * self.image.pitch + i % 2 } else { i * self.image.pitch };
            let at = v.em.add(dst, at);
            Self::address(v.em, &self.image, at)
        };
        self.list(v, 2, source);
        self.list(v, 0, image);
        let name = if self.bytes() == 4 { "pto.ub.scatter_vnchwconv_b32" } else { "pto.ub.scatter_vnchwconv_b16" };
        Self::scatter(v, name, [0, 2], steps, None);
    }

    /// The byte address of a block, as an `i64` value.
    fn address(em: &mut Em<'_>, area: &Area, block: Sc) -> ValueId {
        let start = em.add(area.start, block);
        let bytes = em.mul(start, 32);
        match em.address(&area.tile) {
            Ok(base) => {
                let at = em.add(bytes, base);
                em.i64(at)
            }
            Err(base) => {
                let bytes = em.i64(bytes);
                em.emit1("arith.addi", &[base, bytes], builtin::I64)
            }
        }
    }

    /// Two address registers with sixteen addresses.
    fn list(&self, v: &mut Vector<'_, '_>, register: i64, row: impl Fn(&mut Vector<'_, '_>, i64) -> ValueId) {
        for half in 0..2 {
            let addresses: Vec<ValueId> = (0..8).map(|i| row(v, 8 * half + i)).collect();
            let va = v.em.ir.ctx.int_attr(i128::from(register + half), builtin::I32);
            v.em.build("pto.ub.set_va_reg_sb").many(&addresses).attr("va", va).done();
        }
    }

    fn scatter(v: &mut Vector<'_, '_>, name: &'static str, va: [i64; 2], steps: [i64; 3], halves: Option<[bool; 2]>) {
        let numbers = steps.map(|n| v.em.int(n, builtin::I64));
        let [dst, src] = va.map(|n| v.em.ir.ctx.int_attr(i128::from(n), builtin::I32));
        let halves = halves.map(|h| h.map(|b| v.em.ir.ctx.attr(ptoc_ir::AttrData::Bool(b))));
        let mut build = v.em.build(name).args(&numbers).attr("dst_va", dst).attr("src_va", src);
        if let Some([dst, src]) = halves {
            build = build.attr("dst_high_half", dst).attr("src_high_half", src);
        }
        build.done();
    }
}
