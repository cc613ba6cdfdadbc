//! TCVT: element type conversion.
//!
//! A step is one register of the wider type. Narrower sources are loaded with their elements spread out, narrower results are
//! stored packed. Saturation is a matter of the control register: bit 60 makes bits 48 (float results) and 59 (integer
//! results) decide, 0 saturating; the register is set around the vector scope where the pair of types can overflow.

use super::vec::{Lanes, Plane};
use crate::{Call, Em, LowerFn, Res};
use ptoc_ir::{TypeId, ValueId, builtin};
use ptoc_target::DType;

pub(super) const OPS: &[(&str, LowerFn)] = &[("pto.tcvt", convert)];

/// How a pair of types is converted.
struct Pair {
    src: DType,
    dst: DType,
    /// The rounding that an unlisted mode means; `None` when nothing is rounded.
    round: Option<&'static str>,
    /// Whether it saturates by default; `None` when it can't overflow.
    saturates: Option<bool>,
}

const fn pair(src: DType, dst: DType, round: Option<&'static str>, saturates: Option<bool>) -> Pair {
    Pair { src, dst, round, saturates }
}

const PAIRS: &[Pair] = &[
    pair(DType::F32, DType::F16, Some("R"), Some(true)),
    pair(DType::F32, DType::BF16, Some("R"), Some(true)),
    pair(DType::F32, DType::I32, Some("Z"), Some(true)),
    pair(DType::F32, DType::I16, Some("Z"), Some(false)),
    pair(DType::F32, DType::F32, Some("R"), None),
    pair(DType::F16, DType::F32, None, None),
    pair(DType::F16, DType::I32, Some("Z"), Some(true)),
    pair(DType::BF16, DType::F32, None, None),
    pair(DType::BF16, DType::I32, Some("Z"), Some(true)),
    pair(DType::BF16, DType::F16, Some("R"), Some(true)),
    pair(DType::I32, DType::F32, Some("R"), None),
    pair(DType::I32, DType::I16, None, Some(false)),
    pair(DType::I16, DType::F32, None, None),
    pair(DType::I16, DType::I32, None, None),
    pair(DType::I16, DType::F16, Some("R"), None),
    pair(DType::I8, DType::F16, None, None),
    pair(DType::U8, DType::F16, None, None),
    pair(DType::F16, DType::I16, Some("Z"), Some(false)),
    pair(DType::F16, DType::I8, Some("Z"), Some(false)),
    pair(DType::F16, DType::U8, Some("Z"), Some(false)),
    pair(DType::I16, DType::U8, None, Some(true)),
    pair(DType::I16, DType::U32, None, None),
    pair(DType::I32, DType::U16, None, Some(true)),
    pair(DType::U32, DType::U16, None, Some(true)),
    pair(DType::U32, DType::I16, None, Some(true)),
    pair(DType::I32, DType::U8, None, Some(true)),
    pair(DType::U32, DType::U8, None, Some(true)),
    pair(DType::I8, DType::I16, None, None),
    pair(DType::U8, DType::U16, None, None),
    pair(DType::I8, DType::I32, None, None),
    pair(DType::F8E4M3, DType::F32, None, None),
    pair(DType::F8E5M2, DType::F32, None, None),
    pair(DType::HiF8, DType::F32, None, None),
    pair(DType::F32, DType::F8E4M3, Some("R"), Some(true)),
    pair(DType::F32, DType::F8E5M2, Some("R"), Some(true)),
    pair(DType::F32, DType::HiF8, Some("A"), Some(true)),
    pair(DType::F16, DType::HiF8, Some("A"), Some(true)),
];

impl Pair {
    /// A result of 8-bit floats, which is always rounded in one way and always saturates.
    fn is_fixed(&self) -> bool {
        matches!(self.dst, DType::F8E4M3 | DType::F8E5M2 | DType::HiF8)
    }
}

/// The rounding of an instruction: its mode where the pair has it, else what the pair makes of other modes.
fn rounding(em: &Em<'_>, call: &Call, p: &Pair) -> Option<&'static str> {
    let unlisted = p.round?;
    if p.is_fixed() {
        return Some(unlisted);
    }
    Some(match call.word(em, "rmode").map(|w| w.trim_start_matches("CAST_")) {
        Some("RINT") => "R",
        Some("ROUND") => "A",
        Some("FLOOR") => "F",
        Some("CEIL") => "C",
        Some("TRUNC") => "Z",
        Some("ODD") if (p.src, p.dst) == (DType::F32, DType::F16) => "O",
        _ => unlisted,
    })
}

fn convert(em: &mut Em<'_>, call: &Call) -> Res<()> {
    let (src, dst) = (call.tile(em, "src")?, call.tile(em, "dst")?);
    let Some(p) = PAIRS.iter().find(|p| (p.src, p.dst) == (src.dtype(), dst.dtype())) else {
        return Err(call.unsupported(em, format!("from {} to {}", src.dtype(), dst.dtype())));
    };
    let round = rounding(em, call, p);
    // Without the attribute the pair decides, not the default of the text form.
    let saturate = match (p.saturates, em.ir.word_attr(call.op, "satmode")) {
        (None, _) => None,
        (Some(by_default), None) => Some(by_default),
        (Some(_), Some(_)) if p.is_fixed() => Some(true),
        (Some(_), Some(w)) => Some(w == "ON"),
    };
    let (from, to) = (Lanes::need(em, call, &src)?, Lanes::need(em, call, &dst)?);
    let wide = if from.bits >= to.bits { from } else { to };
    let plane = Plane::of(em, call, [&dst, &src], &wide)?;
    let (ps, pd) = (em.ptr(&src), em.ptr(&dst));
    let step = Step { from, to, round, saturate, pair: p };
    let saved = step.control().map(|off| set_control(em, off));
    em.region("pto.vecscope", |em| {
        let every = (from.bits < to.bits).then(|| from.all(em));
        plane.each(em, &wide, |em, mask, [d, s]| {
            let x = match (from.bits, to.bits) {
                (8, 32) => from.load_as(em, ps, s, "UNPK4"),
                (8, 16) => from.load_as(em, ps, s, "UNPK_B8"),
                (16, 32) => from.load_as(em, ps, s, "UNPK_B16"),
                _ => from.load(em, ps, s),
            };
            let y = step.value(em, x, every.unwrap_or(mask));
            match (from.bits, to.bits) {
                (32, 16) => to.store_as(em, y, pd, d, mask, "PK_B32"),
                (32, 8) => to.store_as(em, y, pd, d, mask, "PK4_B32"),
                (16, 8) => to.store_as(em, y, pd, d, mask, "PK_B16"),
                _ => to.store(em, y, pd, d, mask),
            }
        });
    });
    if let Some(old) = saved {
        em.emit("pto.set_ctrl", &[old]);
    }
    Ok(())
}

struct Step<'p> {
    from: Lanes,
    to: Lanes,
    round: Option<&'static str>,
    saturate: Option<bool>,
    pair: &'p Pair,
}

impl Step<'_> {
    /// Narrowing to integers without saturation keeps the low bits, which the packed store does by itself. From f16 the
    /// conversion does it, without a wider integer in between.
    fn keeps_low_bits(&self) -> bool {
        let narrower = self.from.bits > self.to.bits && self.pair.dst.is_int();
        self.saturate == Some(false) && narrower && self.pair.src != DType::F16
    }

    /// What the control register has to say: `Some(true)` to let values overflow. `None` when it does not matter.
    fn control(&self) -> Option<bool> {
        match (self.keeps_low_bits(), self.pair.src.is_int()) {
            (true, true) => None,
            // The wide integer is clamped, its low half kept.
            (true, false) => Some(false),
            _ => self.saturate.map(|on| !on),
        }
    }

    fn value(&self, em: &mut Em<'_>, x: ValueId, mask: ValueId) -> ValueId {
        let ty = self.to.vreg(em);
        if self.keeps_low_bits() {
            let wide = if self.pair.src.is_int() {
                x
            } else {
                let int = Lanes { elem: builtin::I32, ..self.from };
                let int = int.vreg(em);
                self.vcvt(em, x, mask, int, Some("SAT"), None)
            };
            return em.emit1("pto.vbitcast", &[wide], ty);
        }
        if let (DType::F32, DType::F32, Some(round)) = (self.pair.src, self.pair.dst, self.round) {
            return em.build("pto.vtrc").args(&[x, mask]).word("round_mode", round).value(ty);
        }
        let sat = self.saturate.map(|on| if on { "SAT" } else { "NOSAT" });
        let part = match self.from.bits.max(self.to.bits) / self.from.bits.min(self.to.bits) {
            1 => None,
            2 => Some("EVEN"),
            _ => Some("P0"),
        };
        self.vcvt(em, x, mask, ty, sat, part)
    }

    fn vcvt(
        &self,
        em: &mut Em<'_>,
        x: ValueId,
        mask: ValueId,
        ty: TypeId,
        sat: Option<&str>,
        part: Option<&str>,
    ) -> ValueId {
        let mut build = em.build("pto.vcvt").args(&[x, mask]);
        for (name, word) in [("rnd", self.round), ("sat", sat), ("part", part)] {
            if let Some(word) = word {
                build = build.word(name, word);
            }
        }
        build.value(ty)
    }
}

/// Makes the control register decide about saturation, and gives its old value.
fn set_control(em: &mut Em<'_>, overflow: bool) -> ValueId {
    const GLOBAL: u64 = 1 << 60;
    const FREE: u64 = 1 << 48 | 1 << 59;
    let old = em.emit1("pto.get_ctrl", &[], builtin::I64);
    let (keep, set) = if overflow { (u64::MAX, GLOBAL | FREE) } else { (!FREE, GLOBAL) };
    let mut word = old;
    if keep != u64::MAX {
        let keep = em.int(keep as i64, builtin::I64);
        word = em.emit1("arith.andi", &[word, keep], builtin::I64);
    }
    let set = em.int(set as i64, builtin::I64);
    let word = em.emit1("arith.ori", &[word, set], builtin::I64);
    em.emit("pto.set_ctrl", &[word]);
    old
}
