//! The vector unit: mask state, repeats and strides.
//!
//! A repeat is eight blocks of 32 bytes. The mask either selects lanes of each repeat (norm mode) or counts elements (count
//! mode: in total, and the repeat count is then derived; `vcopy` and `vreducev2` count each repeat). Every instruction's
//! lowering starts and ends in norm mode with all lanes on, as the vendor library's does.

use crate::{Em, Sc};
use ptoc_ir::{ValueId, builtin};
use ptoc_target::Pipe;

/// Most repeats of one instruction.
pub(super) const MAX_REPEATS: i64 = 255;
/// Greatest stride in blocks.
pub(super) const MAX_STRIDE: i64 = 255;

/// What the mask registers hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mask {
    /// Norm mode, every lane.
    Full,
    /// Norm mode, lanes 0..n of each repeat.
    First(Sc),
    /// Norm mode, lanes 64.. and 0..64.
    Lanes(u64, u64),
    /// Norm mode, lanes 64.. and 0..64, as run-time words of type `i64`.
    Words(ValueId, ValueId),
    /// Count mode.
    Count(Sc),
    /// Count mode, whatever the count is: before a loop whose iterations set their own.
    AnyCount,
}

/// The contiguous mask of `n` lanes, 0..=128.
pub(super) const fn first_lanes(n: u32) -> Mask {
    const fn word(n: u32) -> u64 {
        match n {
            0 => 0,
            64.. => u64::MAX,
            n => (1 << n) - 1,
        }
    }
    Mask::Lanes(word(n.saturating_sub(64)), word(n))
}

/// Emits vector instructions and keeps track of the mask.
#[derive(Debug)]
pub(super) struct Vector<'e, 'a> {
    /// The emitter.
    pub(super) em: &'e mut Em<'a>,
    mask: Mask,
}

impl<'e, 'a> Vector<'e, 'a> {
    /// Runs `body` from norm mode with all lanes on, and goes back there.
    pub(super) fn scope(em: &'e mut Em<'a>, body: impl FnOnce(&mut Self)) {
        let mut v = Vector { em, mask: Mask::Full };
        body(&mut v);
        v.mask(Mask::Full);
    }

    /// True when the mask is that one already.
    pub(super) fn has(&self, mask: Mask) -> bool {
        self.mask == mask
    }

    /// Sets the mask, and the mode when it is another one.
    pub(super) fn mask(&mut self, mask: Mask) {
        if mask == self.mask {
            return;
        }
        let counting = |m| matches!(m, Mask::Count(_) | Mask::AnyCount);
        match (counting(self.mask), counting(mask)) {
            (false, true) => _ = self.em.emit("pto.ub.set_mask_count", &[]),
            (true, false) => _ = self.em.emit("pto.ub.set_mask_norm", &[]),
            _ => {}
        }
        let (high, low) = match mask {
            Mask::Full => (self.word(u64::MAX), self.word(u64::MAX)),
            Mask::Lanes(high, low) => (self.word(high), self.word(low)),
            Mask::Words(high, low) => (high, low),
            Mask::First(Sc::Const(n)) => match first_lanes(u32::try_from(n).unwrap_or(0)) {
                Mask::Lanes(high, low) => (self.word(high), self.word(low)),
                _ => return,
            },
            Mask::First(n) => {
                let low = self.em.min(n, 64);
                let high = self.em.max(n, 64);
                let high = self.em.sub(high, 64);
                (self.ones(high), self.ones(low))
            }
            Mask::Count(n) => (self.word(0), self.em.i64(n)),
            Mask::AnyCount => {
                self.mask = mask;
                return;
            }
        };
        self.em.emit("pto.ub.set_mask", &[high, low]);
        self.mask = mask;
    }

    fn word(&mut self, bits: u64) -> ValueId {
        self.em.int(bits as i64, builtin::I64)
    }

    /// `2^n - 1` for 0 <= n <= 64. The shift goes in two halves, since one by the whole width is undefined.
    pub(super) fn ones(&mut self, n: Sc) -> ValueId {
        if let Sc::Const(n) = n {
            return self.word(if n >= 64 { u64::MAX } else { (1u64 << n.max(0)) - 1 });
        }
        let n = self.em.i64(n);
        let one = self.em.int(1, builtin::I64);
        let half = self.em.emit1("arith.shrui", &[n, one], builtin::I64);
        let rest = self.em.emit1("arith.subi", &[n, half], builtin::I64);
        let bit = self.em.emit1("arith.shli", &[one, half], builtin::I64);
        let bit = self.em.emit1("arith.shli", &[bit, rest], builtin::I64);
        self.em.emit1("arith.subi", &[bit, one], builtin::I64)
    }

    /// Later vector instructions wait for earlier ones.
    pub(super) fn barrier(&mut self) {
        self.em.build("pto.barrier").word("pipe", Pipe::V.keyword()).done();
    }

    /// Later scalar accesses wait for earlier vector instructions.
    pub(super) fn before_scalar(&mut self) {
        self.handshake(Pipe::V, Pipe::S);
    }

    /// Later vector instructions wait for earlier scalar accesses.
    pub(super) fn after_scalar(&mut self) {
        self.handshake(Pipe::S, Pipe::V);
    }

    fn handshake(&mut self, from: Pipe, to: Pipe) {
        for op in ["pto.set_flag", "pto.wait_flag"] {
            let flag = self.em.build(op).word("src_pipe", from.keyword()).word("dst_pipe", to.keyword());
            flag.word("event_id", "EVENT_ID0").done();
        }
    }

    /// Runs `body` for `0 <= i < count`. The mask at the start of an iteration is the one at the start of the loop.
    pub(super) fn each(&mut self, count: impl Into<Sc>, body: impl FnOnce(&mut Vector<'_, 'a>, Sc)) {
        let count = count.into();
        if count.is(1) {
            return body(self, Sc::Const(0));
        }
        let mask = self.mask;
        self.em.for_loop(count, |em, i| {
            let mut v = Vector { em, mask };
            body(&mut v, i);
            v.mask(mask);
        });
    }

    /// As [`Vector::each`], written out for up to four iterations.
    pub(super) fn each_unrolled(&mut self, count: impl Into<Sc>, mut body: impl FnMut(&mut Vector<'_, 'a>, Sc)) {
        match count.into() {
            Sc::Const(n) if n <= 4 => (0..n).for_each(|i| body(self, Sc::Const(i))),
            n => self.each(n, body),
        }
    }

    /// Runs `body` when the condition holds; the mask is the same afterwards.
    pub(super) fn when(&mut self, cond: crate::Cond, body: impl FnOnce(&mut Vector<'_, 'a>)) {
        if cond == crate::Cond::Const(true) {
            return body(self);
        }
        let mask = self.mask;
        self.em.if_then(cond, |em| {
            let mut v = Vector { em, mask };
            body(&mut v);
            v.mask(mask);
        });
    }

    /// Divides `rows` into parts of at most 255 and runs `body(first, count)` for each. `bound` is the most that `rows` can
    /// be.
    pub(super) fn parts(&mut self, rows: Sc, bound: i64, mut body: impl FnMut(&mut Vector<'_, 'a>, Sc, Sc)) {
        match rows {
            Sc::Const(n) => {
                let (full, rest) = (n / MAX_REPEATS, n % MAX_REPEATS);
                self.each_unrolled(full, |v, i| {
                    let first = v.em.mul(i, MAX_REPEATS);
                    body(v, first, Sc::Const(MAX_REPEATS));
                });
                if rest > 0 {
                    body(self, Sc::Const(full * MAX_REPEATS), Sc::Const(rest));
                }
            }
            _ if bound <= MAX_REPEATS => body(self, Sc::Const(0), rows),
            _ => {
                let parts = self.em.ceil_div(rows, MAX_REPEATS);
                self.each(parts, |v, i| {
                    let first = v.em.mul(i, MAX_REPEATS);
                    let left = v.em.sub(rows, first);
                    let count = v.em.min(left, MAX_REPEATS);
                    body(v, first, count);
                });
            }
        }
    }

    fn fields(&mut self, out: &mut Vec<ValueId>, name: &str, strides: &[Sc], limit: i64) {
        for &s in strides {
            if let Sc::Const(n) = s
                && !(0..=limit).contains(&n)
            {
                self.em.fault(format!("a stride of {name} is {n} blocks, its field goes to {limit}"));
            }
            out.push(self.em.i64(s));
        }
    }

    /// An instruction of any number of pointers: `pointers`, an optional number, the repeat count, the block strides and
    /// the repeat strides, in blocks and in the order of the pointers.
    pub(super) fn op(&mut self, name: &'static str, pointers: &[ValueId], number: Option<ValueId>, steps: &Steps) {
        let mut args: Vec<ValueId> = Vec::with_capacity(11);
        args.extend_from_slice(pointers);
        args.extend(number);
        args.push(self.em.i64(steps.repeat));
        let n = if pointers.len() == 1 { 2 } else { pointers.len() };
        self.fields(&mut args, name, &steps.block[..n], MAX_STRIDE);
        self.fields(&mut args, name, &steps.next[..n], MAX_STRIDE);
        self.em.emit(name, &args);
    }

    /// `vcadd`, `vcmax` or `vcmin`: one result a repeat, `dst_step` elements apart.
    pub(super) fn reduce(
        &mut self,
        name: &'static str,
        dst: ValueId,
        src: ValueId,
        repeat: Sc,
        dst_step: i64,
        src_step: i64,
    ) {
        let mut args = vec![dst, src, self.em.i64(repeat)];
        self.fields(&mut args, name, &[dst_step.into()], i64::from(u16::MAX));
        self.fields(&mut args, name, &[1.into(), src_step.into()], MAX_STRIDE);
        let build = self.em.build(name).args(&args);
        match name {
            "pto.ub.vcadd" => build.done(),
            _ => build.word("order", "ONLY_VALUE").done(),
        };
    }

    /// `vcgadd`, `vcgmax` or `vcgmin` over whole repeats without gaps: one result a block.
    pub(super) fn reduce_blocks(&mut self, name: &'static str, dst: ValueId, src: ValueId, repeat: i64) {
        let numbers = [repeat, 1, 1, 8].map(|n| self.em.int(n, builtin::I64));
        self.em.build(name).args(&[dst, src]).args(&numbers).done();
    }

    /// Eight elements a repeat, each filling one block of `dst`.
    pub(super) fn broadcast(&mut self, dst: ValueId, src: ValueId, block: i64, next: i64, repeat: Sc) {
        let mut args = vec![dst, src];
        self.fields(&mut args, "vbrcb", &[block.into(), next.into()], MAX_STRIDE);
        args.push(self.em.i64(repeat));
        self.em.emit("pto.ub.vbrcb", &args);
    }

    /// Elements of a fixed pattern packed: 1 even, 2 odd. In count mode the mask counts each repeat.
    pub(super) fn pack(&mut self, dst: ValueId, src: ValueId, pattern: i64) {
        let number = |em: &mut Em<'_>, n: i64| em.int(n, builtin::I64);
        let args = [
            dst,
            src,
            src,
            number(self.em, 1),
            number(self.em, 1),
            number(self.em, pattern),
            number(self.em, 8),
            number(self.em, 0),
        ];
        self.em.emit("pto.ub.vreducev2", &args);
    }

    /// Bursts of blocks inside the buffer; gaps are from the end of one burst to the start of the next.
    pub(super) fn bursts(&mut self, dst: ValueId, src: ValueId, count: Sc, len: Sc, src_gap: Sc, dst_gap: Sc) {
        let mut args = vec![src, dst];
        for s in [Sc::Const(0), count, len, src_gap, dst_gap] {
            if let Sc::Const(n) = s
                && !(0..=i64::from(u16::MAX)).contains(&n)
            {
                self.em.fault(format!("a field of copy_ubuf_to_ubuf is {n}, it goes to 65535"));
            }
            args.push(self.em.i64(s));
        }
        self.em.emit("pto.copy_ubuf_to_ubuf", &args);
    }

    /// A number by its bit pattern, for elements of that type.
    pub(super) fn bits(&mut self, bits: u64, lane: Lane) -> ValueId {
        match self.em.ir.ctx.type_data(lane.elem) {
            ptoc_ir::TypeData::Float(_) => self.em.float_bits(bits, lane.elem),
            _ => {
                let (ty, value) = match lane.bytes {
                    1 => (builtin::I8, i64::from(bits as u8 as i8)),
                    2 => (builtin::I16, i64::from(bits as u16 as i16)),
                    _ => (builtin::I32, i64::from(bits as u32 as i32)),
                };
                self.em.int(value, ty)
            }
        }
    }
}

/// Repeats and strides of an instruction, in the order of its pointers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// Repeats; ignored in count mode, except by `vcopy`.
    pub(super) repeat: Sc,
    /// Blocks from one block of a repeat to the next.
    pub(super) block: [Sc; 3],
    /// Blocks from one repeat to the next.
    pub(super) next: [Sc; 3],
}

impl Steps {
    /// Dense blocks, with those repeat strides.
    pub(super) fn dense(repeat: impl Into<Sc>, next: [i64; 3]) -> Self {
        Steps { repeat: repeat.into(), block: [Sc::Const(1); 3], next: next.map(Sc::Const) }
    }
}

/// The element type that an instruction is told, and its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lane {
    /// Type behind the pointer.
    pub(super) elem: ptoc_ir::TypeId,
    /// Bytes.
    pub(super) bytes: i64,
}

impl Lane {
    /// Unsigned integers of 2 or 4 bytes, for instructions that only move bits.
    pub(super) fn unsigned(em: &mut Em<'_>, bytes: i64) -> Lane {
        let bytes = bytes.clamp(2, 4);
        let sign = ptoc_ir::Signedness::Unsigned;
        let elem = em.ir.ctx.ty(ptoc_ir::TypeData::Integer { width: 8 * bytes as u32, sign });
        Lane { elem, bytes }
    }

    /// Elements in a block.
    pub(super) const fn block(self) -> i64 {
        32 / self.bytes
    }

    /// Elements in a repeat.
    pub(super) const fn repeat(self) -> i64 {
        256 / self.bytes
    }
}
