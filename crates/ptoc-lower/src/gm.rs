//! A view of global memory as a lowering sees it.

use crate::{Em, Sc};
use ptoc_ir::{TypeId, ValueId};
use ptoc_target::{DType, Loc};
use smallvec::SmallVec;

/// How the matrix lies in global memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GmLayout {
    /// Rows.
    Nd,
    /// Columns.
    Dn,
    /// Fractals: the two innermost dimensions are a box.
    Nz,
    /// Something else; its word is kept by the view operation.
    Other,
}

impl std::fmt::Display for GmLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            GmLayout::Nd => "ND",
            GmLayout::Dn => "DN",
            GmLayout::Nz => "NZ",
            GmLayout::Other => "another layout",
        })
    }
}

/// A partition of a tensor view.
#[derive(Clone, Debug)]
pub struct Gm {
    /// Pointer to the first element of the whole view.
    pub base: ValueId,
    /// Where the partition starts, in elements.
    pub offset: Sc,
    /// Element type.
    pub elem: TypeId,
    /// Element type as the tables name it.
    pub dtype: DType,
    /// Extents, outermost first.
    pub shape: SmallVec<[Sc; 5]>,
    /// Strides in elements, outermost first.
    pub strides: SmallVec<[Sc; 5]>,
    /// Layout.
    pub layout: GmLayout,
}

impl Gm {
    /// Layout, extents and strides in words: `ND, extents 16 x 8, strides 16, 1`; `?` is known at run time only.
    pub fn describe(&self) -> String {
        let list = |numbers: &[Sc], between: &str| {
            let words = numbers.iter().map(|n| n.known().map_or("?".to_owned(), |n| n.to_string()));
            words.collect::<Vec<_>>().join(between)
        };
        format!("{}, extents {}, strides {}", self.layout, list(&self.shape, " x "), list(&self.strides, ", "))
    }

    /// Extent of dimension `d` of the five of a global tensor (0 outermost); missing outer ones are 1.
    pub fn extent(&self, d: usize) -> Sc {
        let missing = 5usize.saturating_sub(self.shape.len());
        d.checked_sub(missing).and_then(|d| self.shape.get(d)).copied().unwrap_or(Sc::Const(1))
    }

    /// Stride of dimension `d` of the five of a global tensor (0 outermost); missing outer ones are 0.
    pub fn stride(&self, d: usize) -> Sc {
        let missing = 5usize.saturating_sub(self.shape.len());
        d.checked_sub(missing).and_then(|d| self.strides.get(d)).copied().unwrap_or(Sc::Const(0))
    }
}

impl Em<'_> {
    /// Pointer to the first element of a partition.
    pub fn gm_ptr(&mut self, gm: &Gm) -> ValueId {
        if gm.offset.is(0) {
            return gm.base;
        }
        let ty = self.ptr_type(gm.elem, Loc::Gm);
        let o = self.index(gm.offset);
        self.emit1("pto.addptr", &[gm.base, o], ty)
    }
}
