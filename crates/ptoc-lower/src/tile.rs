//! A tile as a lowering sees it: type, address, valid sizes, pitch.

use crate::{Em, Sc};
use ptoc_dialect::types::{PtrType, TileType};
use ptoc_ir::{Sym, TypeId, ValueId, builtin};
use ptoc_target::{Compact, DType, Layout, Loc};

/// Where a tile starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A known byte address.
    Addr(i64),
    /// A run-time byte address, of type `i64`.
    RunTime(ValueId),
    /// A pointer of the tile's element type and space.
    Ptr(ValueId),
}

/// A tile operand.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// Its type.
    pub ty: TileType,
    /// Where the buffer it lies in starts.
    pub base: Base,
    /// Where it starts in that buffer, in elements.
    pub offset: Sc,
    /// Valid rows.
    pub rows: Sc,
    /// Valid columns.
    pub cols: Sc,
    /// Rows of the buffer it lies in (those of its type, unless it is a part of a bigger tile).
    pub buffer_rows: u64,
    /// Columns of the buffer it lies in.
    pub buffer_cols: u64,
    /// Name of the value in the source.
    pub name: Sym,
}

impl Tile {
    /// Element type.
    pub fn dtype(&self) -> DType {
        self.ty.dtype
    }

    /// Bytes of an element.
    pub fn esz(&self) -> i64 {
        self.ty.dtype.bytes() as i64
    }

    /// Elements in 32 bytes.
    pub fn c0(&self) -> i64 {
        self.ty.dtype.c0() as i64
    }

    /// Layout.
    pub fn layout(&self) -> Layout {
        self.ty.layout()
    }

    /// Location.
    pub fn loc(&self) -> Loc {
        self.ty.loc
    }

    /// Elements from one row to the next (ND) or from one column to the next (DN).
    pub fn pitch(&self) -> i64 {
        match self.layout() {
            Layout::Dn => self.buffer_rows as i64,
            _ => self.buffer_cols as i64,
        }
    }

    /// True unless it is known to start inside a 32-byte block.
    pub fn is_aligned(&self) -> bool {
        self.offset.known().is_none_or(|o| o % self.c0() == 0)
    }

    /// The known address of its first byte.
    pub fn address(&self) -> Option<i64> {
        match (self.base, self.offset) {
            (Base::Addr(a), Sc::Const(o)) => o.checked_mul(self.esz()).and_then(|o| a.checked_add(o)),
            _ => None,
        }
    }
}

/// Which source of a column expansion has one number a column: true for the first, because the second alone has an element
/// for each element of the destination.
pub(crate) fn row_comes_first(dst: &Tile, a: &Tile, b: &Tile) -> bool {
    let full = |t: &Tile| t.rows == dst.rows && t.cols == dst.cols;
    let row = |t: &Tile| t.ty.rows == 1 || t.rows.is(1);
    match (full(a), full(b)) {
        (true, _) => false,
        (false, true) => true,
        _ => row(a) && !row(b),
    }
}

impl Em<'_> {
    /// `!pto.ptr<elem, space>`
    pub fn ptr_type(&mut self, elem: TypeId, space: Loc) -> TypeId {
        self.ir.ctx.dialect_ty(PtrType { elem, space })
    }

    /// Pointer to the first element of a tile.
    pub fn ptr(&mut self, tile: &Tile) -> ValueId {
        self.ptr_at(tile, 0)
    }

    /// Pointer to an element of a tile, by its distance in elements from the first one in storage order.
    pub fn ptr_at(&mut self, tile: &Tile, offset: impl Into<Sc>) -> ValueId {
        self.ptr_as(tile, tile.ty.elem, offset)
    }

    /// Pointer into a tile as one to another element type; the offset counts the tile's own elements.
    pub fn ptr_as(&mut self, tile: &Tile, elem: TypeId, offset: impl Into<Sc>) -> ValueId {
        let offset = self.add(tile.offset, offset);
        let own = self.ptr_type(tile.ty.elem, tile.ty.loc);
        let want = self.ptr_type(elem, tile.ty.loc);
        if let (Base::Addr(a), Sc::Const(o)) = (tile.base, offset) {
            let Some(at) = o.checked_mul(tile.esz()).and_then(|o| a.checked_add(o)) else {
                self.fault("an address computed here does not fit 64 bits");
                return self.pointer_at(0, want, tile.name);
            };
            let name = if o == 0 { tile.name } else { ptoc_ir::Context::EMPTY };
            return self.pointer_at(at, want, name);
        }
        let mut p = match tile.base {
            Base::Addr(a) => self.pointer_at(a, own, tile.name),
            Base::RunTime(v) => self.emit1("pto.castptr", &[v], own),
            Base::Ptr(v) => v,
        };
        if !offset.is(0) {
            let o = self.index(offset);
            p = self.emit1("pto.addptr", &[p, o], own);
        }
        if want != own {
            p = self.emit1("pto.castptr", &[p], want);
        }
        p
    }

    /// The byte address of a tile's first element: known, or as an `i64` value.
    pub fn address(&mut self, tile: &Tile) -> Result<i64, ValueId> {
        if let Some(a) = tile.address() {
            return Ok(a);
        }
        let base = match tile.base {
            Base::Addr(a) => self.int(a, builtin::I64),
            Base::RunTime(v) => v,
            Base::Ptr(p) => self.emit1("pto.castptr", &[p], builtin::I64),
        };
        if tile.offset.is(0) {
            return Err(base);
        }
        let bytes = self.mul(tile.offset, tile.esz());
        let bytes = self.i64(bytes);
        Err(self.emit1("arith.addi", &[base, bytes], builtin::I64))
    }

    /// Rows of a stripe of a boxed tile in column-major box order (NZ): the distance of two column groups, in rows.
    pub fn stripe(&mut self, tile: &Tile) -> Sc {
        match tile.ty.compact {
            Compact::Null => Sc::from(tile.buffer_rows),
            Compact::Normal => self.align(tile.rows, 16),
            Compact::RowPlusOne => {
                let n = self.align(tile.rows, 16);
                self.add(n, 1)
            }
        }
    }

    /// Distance of element `(r, c)` from the first one, in elements. For boxed layouts `(r, c)` starts a box: `r` is a
    /// multiple of the box rows in row-major box order (ZN, ZZ), `c` one of the box columns in column-major order (NZ, NN).
    pub fn offset_of(&mut self, tile: &Tile, r: impl Into<Sc>, c: impl Into<Sc>) -> Sc {
        let (r, c) = (r.into(), c.into());
        let b = tile.ty.shape().inner_box();
        let (br, bc) = (b.rows as i64, b.cols as i64);
        let (rows, cols) = (self.stripe(tile), Sc::from(tile.buffer_cols));
        let (a, z) = match tile.layout() {
            Layout::Nd => (self.mul(r, cols), c),
            Layout::Dn => (self.mul(c, rows), r),
            // (c / bc) * rows * bc + r * bc, with c a multiple of bc
            Layout::Nz => (self.mul(c, rows), self.mul(r, bc)),
            Layout::Zn => (self.mul(r, cols), self.mul(c, br)),
            Layout::Zz => {
                let boxes = self.mul(c, br);
                (self.mul(r, cols), boxes)
            }
            Layout::Nn => {
                let boxes = self.mul(r, bc);
                (self.mul(c, rows), boxes)
            }
        };
        self.add(a, z)
    }
}
