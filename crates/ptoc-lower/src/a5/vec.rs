//! Vector registers, predicates and the loops over a tile in steps of one register.

use crate::{Call, Em, Res, Sc, Tile};
use ptoc_dialect::types::{MaskType, OpaqueKind, VRegType};
use ptoc_ir::{TypeData, TypeId, ValueId, builtin};
use ptoc_target::{DType, Layout, REPEAT_BYTES};

/// How elements of one type sit in a register of 256 bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// Element type.
    pub(super) elem: TypeId,
    /// Bits of an element and of its predicate lanes: 8, 16 or 32.
    pub(super) bits: u32,
    /// Elements in a register.
    pub(super) count: i64,
}

impl Lanes {
    pub(super) fn of(elem: TypeId, dtype: DType) -> Option<Lanes> {
        let bytes = dtype.bytes();
        if bytes > 4 {
            return None;
        }
        Some(Lanes { elem, bits: 8 * bytes as u32, count: (REPEAT_BYTES / bytes) as i64 })
    }

    /// The lanes of a tile's elements.
    pub(super) fn need(em: &Em<'_>, call: &Call, tile: &Tile) -> Res<Lanes> {
        Lanes::of(tile.ty.elem, tile.dtype())
            .ok_or_else(|| call.unsupported(em, format!("elements of {} bytes", tile.esz())))
    }

    /// `!pto.vreg<NxT>`
    pub(super) fn vreg(&self, em: &mut Em<'_>) -> TypeId {
        em.ir.ctx.dialect_ty(VRegType { lanes: self.count as u32, elem: self.elem })
    }

    pub(super) fn mask(&self, em: &mut Em<'_>) -> TypeId {
        em.ir.ctx.dialect_ty(MaskType { bits: self.bits })
    }

    /// `b8`, `b16` or `b32` at the end of a name.
    fn pick(&self, names: [&'static str; 3]) -> &'static str {
        names[match self.bits {
            8 => 0,
            16 => 1,
            _ => 2,
        }]
    }

    /// A predicate with every lane active.
    pub(super) fn all(&self, em: &mut Em<'_>) -> ValueId {
        let ty = self.mask(em);
        em.build(self.pick(["pto.pset_b8", "pto.pset_b16", "pto.pset_b32"])).word("pattern", "PAT_ALL").value(ty)
    }

    /// A predicate with the first `n` lanes active, and how many remain for later registers (`i32` values).
    pub(super) fn first(&self, em: &mut Em<'_>, n: ValueId) -> (ValueId, ValueId) {
        let ty = self.mask(em);
        let op = em
            .build(self.pick(["pto.plt_b8", "pto.plt_b16", "pto.plt_b32"]))
            .arg(n)
            .result(ty)
            .result(builtin::I32)
            .done();
        let r = &em.ir.op(op).results;
        (r[0], r[1])
    }

    /// A predicate with the first `n` lanes active, for one register.
    pub(super) fn some(&self, em: &mut Em<'_>, n: impl Into<Sc>) -> ValueId {
        match n.into() {
            n if n.is(self.count) => self.all(em),
            n => {
                let n = em.i32(n);
                self.first(em, n).0
            }
        }
    }

    /// Loads a register from `ptr[offset]` (elements).
    pub(super) fn load(&self, em: &mut Em<'_>, ptr: ValueId, offset: impl Into<Sc>) -> ValueId {
        let (ty, offset) = (self.vreg(em), em.index(offset));
        em.emit1("pto.vlds", &[ptr, offset], ty)
    }

    /// Loads a register from `ptr[offset]` wherever that lies: the block around its start first, then the rest.
    pub(super) fn load_unaligned(&self, em: &mut Em<'_>, ptr: ValueId, offset: Sc) -> ValueId {
        let align = em.ir.ctx.dialect_ty(OpaqueKind::Align);
        let at = if offset.is(0) {
            ptr
        } else {
            let (o, ty) = (em.index(offset), em.ir.value_type(ptr));
            em.emit1("pto.addptr", &[ptr, o], ty)
        };
        let first = em.emit1("pto.vldas", &[at], align);
        let ty = self.vreg(em);
        let op = em.build("pto.vldus").args(&[at, first]).opt(None).result(ty).result(align).done();
        em.ir.op(op).results[0]
    }

    /// Loads with a distribution: `BRC_B32`, `UNPK_B16`, ...
    pub(super) fn load_as(&self, em: &mut Em<'_>, ptr: ValueId, offset: impl Into<Sc>, dist: &str) -> ValueId {
        let (ty, offset) = (self.vreg(em), em.index(offset));
        em.build("pto.vlds").args(&[ptr, offset]).word("dist", dist).value(ty)
    }

    /// Loads one element into every lane.
    pub(super) fn broadcast(&self, em: &mut Em<'_>, ptr: ValueId, offset: impl Into<Sc>) -> ValueId {
        self.load_as(em, ptr, offset, self.pick(["BRC_B8", "BRC_B16", "BRC_B32"]))
    }

    /// Stores the active lanes at `ptr[offset]`.
    pub(super) fn store(&self, em: &mut Em<'_>, v: ValueId, ptr: ValueId, offset: impl Into<Sc>, mask: ValueId) {
        let offset = em.index(offset);
        em.emit("pto.vsts", &[v, ptr, offset, mask]);
    }

    /// Stores with a distribution.
    pub(super) fn store_as(
        &self,
        em: &mut Em<'_>,
        v: ValueId,
        ptr: ValueId,
        offset: impl Into<Sc>,
        mask: ValueId,
        dist: &str,
    ) {
        let offset = em.index(offset);
        em.build("pto.vsts").args(&[v, ptr, offset, mask]).word("dist", dist).done();
    }

    /// Stores the lowest lane at `ptr[offset]`. The hardware ignores the predicate.
    pub(super) fn store_one(&self, em: &mut Em<'_>, v: ValueId, ptr: ValueId, offset: impl Into<Sc>, mask: ValueId) {
        self.store_as(em, v, ptr, offset, mask, self.pick(["1PT_B8", "1PT_B16", "1PT_B32"]));
    }

    /// A number in every lane.
    pub(super) fn fill(&self, em: &mut Em<'_>, scalar: ValueId) -> ValueId {
        let ty = self.vreg(em);
        em.emit1("pto.vbr", &[scalar], ty)
    }

    /// `op(a, mask)`
    pub(super) fn unary(&self, em: &mut Em<'_>, op: &'static str, a: ValueId, mask: ValueId) -> ValueId {
        let ty = self.vreg(em);
        em.emit1(op, &[a, mask], ty)
    }

    /// `op(a, b, mask)`
    pub(super) fn binary(&self, em: &mut Em<'_>, op: &'static str, a: ValueId, b: ValueId, mask: ValueId) -> ValueId {
        let ty = self.vreg(em);
        em.emit1(op, &[a, b, mask], ty)
    }

    /// The predicates of the steps of one register over `n` elements, as far as they can be made before a loop.
    pub(super) fn masks(&self, em: &mut Em<'_>, n: Sc) -> Masks {
        match n {
            Sc::Const(n) => {
                let (full, rest) = (n / self.count, n % self.count);
                let all = (full > 0).then(|| self.all(em));
                let tail = (rest > 0).then(|| self.some(em, rest));
                Masks::Known { full, all, tail }
            }
            Sc::Value(_) => Masks::RunTime { steps: em.ceil_div(n, self.count), count: em.i32(n) },
        }
    }

    /// Runs `body` for each step of one register over `n` elements, with the predicate of the step and its offset.
    ///
    /// A known `n` gives a loop of full registers and one step for the rest; a run-time one a loop that carries what
    /// remains. `body` may be called twice.
    pub(super) fn steps(&self, em: &mut Em<'_>, n: Sc, body: impl FnMut(&mut Em<'_>, ValueId, Sc)) {
        let masks = self.masks(em, n);
        self.each(em, masks, body);
    }

    /// As [`Lanes::steps`], with predicates made before.
    pub(super) fn each(&self, em: &mut Em<'_>, masks: Masks, mut body: impl FnMut(&mut Em<'_>, ValueId, Sc)) {
        match masks {
            Masks::Known { full, all, tail } => {
                if let Some(all) = all {
                    em.for_loop(full, |em, j| {
                        let at = em.mul(j, self.count);
                        body(em, all, at);
                    });
                }
                if let Some(tail) = tail {
                    body(em, tail, Sc::Const(full * self.count));
                }
            }
            Masks::RunTime { steps, count } => {
                em.for_carry(steps, &[count], |em, j, rest| {
                    let (mask, rest) = self.first(em, rest[0]);
                    let at = em.mul(j, self.count);
                    body(em, mask, at);
                    vec![rest]
                });
            }
        }
    }
}

/// Predicates of the steps over a number of elements.
#[derive(Clone, Copy, Debug)]
pub(super) enum Masks {
    /// Full registers, and a rest.
    Known {
        /// Number of full registers.
        full: i64,
        /// Their predicate; `None` when there are none.
        all: Option<ValueId>,
        /// The predicate of the last, partial register; `None` when nothing rests.
        tail: Option<ValueId>,
    },
    /// A run-time number; each step makes its own predicate.
    RunTime {
        /// Number of registers.
        steps: Sc,
        /// Number of elements, as an `i32`.
        count: ValueId,
    },
}

/// The signless integer of the same width for integers, the type itself otherwise: what `arith` works on.
pub(super) fn scalar_type(em: &mut Em<'_>, elem: TypeId) -> TypeId {
    match *em.ir.ctx.type_data(elem) {
        TypeData::Integer { width, .. } => em.ir.ctx.int(width),
        _ => elem,
    }
}

/// A number converted to an element type, rounding to nearest even and wrapping as the vendor's cast does.
pub(super) fn to_element(em: &mut Em<'_>, call: &Call, v: ValueId, elem: TypeId) -> Res<ValueId> {
    let (from, to) = (em.ir.value_type(v), scalar_type(em, elem));
    if from == to || from == elem {
        return Ok(v);
    }
    let kinds = (em.ir.ctx.type_data(from).clone(), em.ir.ctx.type_data(to).clone());
    let bits = |t: &TypeData| match t {
        TypeData::Integer { width, .. } => Some(*width),
        TypeData::Index => Some(64),
        _ => None,
    };
    let name = match &kinds {
        (TypeData::Index, TypeData::Integer { .. }) => "arith.index_cast",
        (TypeData::Float(a), TypeData::Float(b)) => match a.bits().cmp(&b.bits()) {
            std::cmp::Ordering::Less => "arith.extf",
            std::cmp::Ordering::Greater => "arith.truncf",
            std::cmp::Ordering::Equal => return Err(call.unsupported(em, "the number has another 16-bit float type")),
        },
        (TypeData::Integer { .. }, TypeData::Float(_)) => "arith.sitofp",
        (a @ TypeData::Integer { .. }, b @ TypeData::Integer { .. }) => match bits(a).cmp(&bits(b)) {
            std::cmp::Ordering::Less => "arith.extsi",
            std::cmp::Ordering::Greater => "arith.trunci",
            std::cmp::Ordering::Equal => return Ok(v),
        },
        _ => return Err(call.unsupported(em, "the number can't be converted to the element type")),
    };
    Ok(em.emit1(name, &[v], to))
}

/// The value of an integer or float constant as an element constant, for small numbers such as 0, 1 and -1.
pub(super) fn number(em: &mut Em<'_>, n: i64, elem: TypeId) -> ValueId {
    let ty = scalar_type(em, elem);
    match em.ir.ctx.type_data(ty) {
        TypeData::Float(_) => em.float(n as f64, ty),
        _ => em.int(n, ty),
    }
}

/// Vector accesses start on a block of 32 bytes; a part of a tile may not.
pub(super) fn starts_on_a_block(em: &Em<'_>, call: &Call, tile: &Tile) -> Res<()> {
    if tile.is_aligned() {
        return Ok(());
    }
    Err(call.unsupported(em, "a tile starts inside a 32-byte block"))
}

/// True when every element of a whole buffer is valid.
fn is_full(t: &Tile) -> bool {
    let ty = &t.ty;
    (t.buffer_rows, t.buffer_cols) == (ty.rows, ty.cols)
        && t.rows == Sc::from(ty.rows)
        && t.cols == Sc::from(ty.cols)
        && ty.compact == ptoc_target::Compact::Null
}

/// Tiles walked together: outer count, inner length, and the pitch of each tile from one inner run to the next.
#[derive(Debug)]
pub(super) struct Plane<const N: usize> {
    /// Runs (rows of an ND tile, columns of a DN tile).
    pub(super) outer: Sc,
    /// Elements of a run.
    pub(super) inner: Sc,
    /// Elements from one run to the next, for each tile.
    pub(super) pitch: [i64; N],
}

impl<const N: usize> Plane<N> {
    /// The plane of unboxed tiles with the valid region of the first one. Runs that follow each other without a gap in
    /// every tile become one run.
    pub(super) fn of(em: &mut Em<'_>, call: &Call, tiles: [&Tile; N], lanes: &Lanes) -> Res<Plane<N>> {
        let layout = tiles[0].layout();
        for t in tiles {
            starts_on_a_block(em, call, t)?;
        }
        if layout.is_boxed() && tiles.iter().all(|t| t.ty.shape() == tiles[0].ty.shape() && is_full(t)) {
            // Tiles of one layout hold the same elements at the same places.
            let inner = Sc::from(tiles[0].ty.rows * tiles[0].ty.cols);
            return Ok(Plane { outer: Sc::Const(1), inner, pitch: [0; N] });
        }
        if layout.is_boxed() || tiles.iter().any(|t| t.layout() != layout) {
            return Err(call.unsupported(
                em,
                "the tiles are not all row major, or all column major, without boxes; tiles with boxes need one layout and a \
                 full valid region",
            ));
        }
        let (rows, cols) = (tiles[0].rows, tiles[0].cols);
        let (outer, inner) = if layout == Layout::Dn { (cols, rows) } else { (rows, cols) };
        let pitch = tiles.map(|t| t.pitch());
        let joined = pitch.iter().all(|&p| inner.is(p)) || outer.is(1);
        // A run-time number of whole registers keeps its full predicate when it is not joined.
        let whole = outer.known().is_none() && inner.known().is_some_and(|n| n % lanes.count == 0);
        if joined && !whole {
            let inner = em.mul(outer, inner);
            return Ok(Plane { outer: Sc::Const(1), inner, pitch });
        }
        Ok(Plane { outer, inner, pitch })
    }

    /// Runs `body` for every step of one register, with its predicate and the offset in each tile.
    pub(super) fn each(&self, em: &mut Em<'_>, lanes: &Lanes, mut body: impl FnMut(&mut Em<'_>, ValueId, [Sc; N])) {
        lanes.steps(em, self.inner, |em, mask, at| {
            em.for_loop(self.outer, |em, i| {
                let mut offsets = [Sc::Const(0); N];
                for n in 0..N {
                    // Tiles of one pitch share the offset.
                    offsets[n] = match self.pitch[..n].iter().position(|&p| p == self.pitch[n]) {
                        Some(same) => offsets[same],
                        None => {
                            let run = em.mul(i, self.pitch[n]);
                            em.add(run, at)
                        }
                    };
                }
                body(em, mask, offsets);
            });
        });
    }
}

/// The signless integer type of so many bits.
pub(super) fn scalar_type_of(bits: u32) -> TypeId {
    match bits {
        8 => builtin::I8,
        16 => builtin::I16,
        _ => builtin::I32,
    }
}
