//! Constants, valid sizes, addresses and storage of values, collected in program order.
//!
//! Each table has one small entry a value. A value that only the run knows has none: no check may then fail.

use crate::facts::Types;
use crate::kinds::Special;
use ptoc_ir::{Ir, OpId, TypeData, ValueDef, ValueId};
use ptoc_target::Layout;
use rustc_hash::{FxHashMap, FxHashSet};

/// A valid size that is not known.
const NO_SIZE: u32 = u32::MAX;
/// A number that is not known.
const NO_NUMBER: i64 = i64::MIN;

/// Where the storage of a tile comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Storage {
    /// The value that brought the storage into being.
    root: u32,
    /// A part or another view of the root's storage, not the root itself.
    part: bool,
}

/// What is known of every value.
#[derive(Debug)]
pub(crate) struct Values {
    numbers: Vec<i64>,
    valid: Vec<[u32; 2]>,
    storage: Vec<Storage>,
    addresses: FxHashMap<ValueId, u64>,
    layouts: FxHashMap<ValueId, Layout>,
    /// Tiles that some operation outside their own block resizes or moves.
    unstable: FxHashSet<ValueId>,
}

impl Values {
    pub(crate) fn new(ir: &Ir, types: &Types) -> Values {
        let n = ir.value_count();
        let valid = (0..n)
            .map(|i| {
                let tile = types.get(ir.value_type(ValueId::from_index(i))).and_then(|f| f.tile.as_ref());
                tile.map_or([NO_SIZE; 2], |t| [size(t.valid_rows), size(t.valid_cols)])
            })
            .collect();
        Values {
            numbers: vec![NO_NUMBER; n],
            valid,
            storage: (0..n).map(|i| Storage { root: i as u32, part: false }).collect(),
            addresses: FxHashMap::default(),
            layouts: FxHashMap::default(),
            unstable: FxHashSet::default(),
        }
    }

    /// The value of a number.
    pub(crate) fn number(&self, v: ValueId) -> Option<i64> {
        self.numbers.get(v.index()).copied().filter(|&n| n != NO_NUMBER)
    }

    /// Valid rows of a tile.
    pub(crate) fn valid_rows(&self, v: ValueId) -> Option<i64> {
        self.valid.get(v.index()).and_then(|s| (s[0] != NO_SIZE).then_some(i64::from(s[0])))
    }

    /// Valid columns of a tile.
    pub(crate) fn valid_cols(&self, v: ValueId) -> Option<i64> {
        self.valid.get(v.index()).and_then(|s| (s[1] != NO_SIZE).then_some(i64::from(s[1])))
    }

    /// Address of a tile in bytes.
    pub(crate) fn address(&self, v: ValueId) -> Option<u64> {
        self.addresses.get(&v).copied()
    }

    /// Layout of a global view, when the program says it.
    pub(crate) fn view_layout(&self, v: ValueId) -> Option<Layout> {
        self.layouts.get(&v).copied()
    }

    /// The value that brought a tile's storage into being, and whether the tile is the whole of it.
    pub(crate) fn root(&self, v: ValueId) -> (ValueId, bool) {
        self.storage.get(v.index()).map_or((v, true), |s| (ValueId::from_index(s.root as usize), !s.part))
    }

    /// Sees an operation whose effects on facts matter, in program order.
    pub(crate) fn see(&mut self, ir: &Ir, op: OpId, special: Special) {
        match special {
            Special::Constant => {
                if let (Some(v), Some(&r)) = (ir.int_attr(op, "value"), ir.op(op).results.first()) {
                    self.set_number(r, i64::try_from(v).ok());
                }
            }
            Special::Add
            | Special::Sub
            | Special::Mul
            | Special::Div
            | Special::CeilDiv
            | Special::Rem
            | Special::Min
            | Special::Max
            | Special::Shl
            | Special::And => self.fold(ir, op, special),
            Special::Cast => {
                if let ([a], [r]) = (&ir.op(op).operands[..], &ir.op(op).results[..]) {
                    // Sign and zero extension agree where the number is not negative.
                    let n = self
                        .number(*a)
                        .filter(|&n| n >= 0 || matches!(ir.op_name(op), "arith.index_cast" | "arith.extsi"));
                    self.set_number(*r, n.filter(|&n| fits(ir, *r, n)));
                }
            }
            Special::AllocTile => self.alloc(ir, op),
            Special::TAssign => {
                let Some(t) = ir.operand(op, 0) else { return };
                let address = match ir.operand(op, 1) {
                    Some(a) => self.number(a),
                    None => ir.int_attr(op, "address").and_then(|a| i64::try_from(a).ok()),
                };
                let address = address.and_then(|a| u64::try_from(a).ok());
                match ir.op(op).results.first() {
                    Some(&r) => {
                        self.copy_valid(t, r);
                        self.set_address(r, address);
                    }
                    None => self.set_address(t, address),
                }
            }
            Special::Subview => {
                let (Some(t), Some(&r)) = (ir.operand(op, 0), ir.op(op).results.first()) else { return };
                self.part(t, r);
                let sizes = [ir.operand(op, 2), ir.operand(op, 3)];
                self.set_dynamic(r, sizes);
            }
            Special::Reshape | Special::Subset => {
                if let (Some(t), Some(&r)) = (ir.operand(op, 0), ir.op(op).results.first()) {
                    self.part(t, r);
                }
            }
            Special::SetValid => {
                let Some(t) = ir.operand(op, 0) else { return };
                if self.unstable.contains(&t) {
                    return;
                }
                let read = |i| ir.operand(op, i).and_then(|v| self.number(v)).and_then(|n| u32::try_from(n).ok());
                let sizes = [read(1).unwrap_or(NO_SIZE), read(2).unwrap_or(NO_SIZE)];
                if let Some(s) = self.valid.get_mut(t.index()) {
                    *s = sizes;
                }
            }
            Special::MakeView => {
                let Some(&r) = ir.op(op).results.first() else { return };
                let layout = match ir.word_attr(op, "layout") {
                    Some("nd") => Some(Layout::Nd),
                    Some("dn") => Some(Layout::Dn),
                    Some("nz") => Some(Layout::Nz),
                    _ => None,
                };
                if let Some(l) = layout {
                    self.layouts.insert(r, l);
                }
            }
            Special::PartitionView => {
                if let (Some(v), Some(&r)) = (ir.operand(op, 0), ir.op(op).results.first())
                    && let Some(l) = self.view_layout(v)
                {
                    self.layouts.insert(r, l);
                }
            }
            Special::AllocMulti | Special::ViewQuery | Special::MergeSort => {}
            Special::None | Special::Flag | Special::FlagDyn | Special::Barrier => {}
        }
    }

    /// Notes before the walk that an operation resizes or moves a tile: unless both are in one block, the order of execution
    /// is not the order of the text, and nothing is known of that tile.
    pub(crate) fn note_change(&mut self, ir: &Ir, op: OpId) {
        let Some(t) = ir.operand(op, 0) else { return };
        let home = match ir.value(t).def {
            ValueDef::Result(def, _) => ir.parent_block(def),
            ValueDef::Arg(block, _) => Some(block),
        };
        if home != ir.parent_block(op)
            && self.unstable.insert(t)
            && let Some(s) = self.valid.get_mut(t.index())
        {
            *s = [NO_SIZE; 2];
        }
    }

    /// The tile is now at this address, or at one that only the run knows.
    pub(crate) fn set_address(&mut self, v: ValueId, address: Option<u64>) {
        match address {
            Some(a) if !self.unstable.contains(&v) => self.addresses.insert(v, a),
            _ => self.addresses.remove(&v),
        };
    }

    fn set_number(&mut self, v: ValueId, n: Option<i64>) {
        if let (Some(slot), Some(n)) = (self.numbers.get_mut(v.index()), n) {
            *slot = n;
        }
    }

    fn fold(&mut self, ir: &Ir, op: OpId, special: Special) {
        let ([a, b], [r]) = (&ir.op(op).operands[..], &ir.op(op).results[..]) else { return };
        let (Some(x), Some(y)) = (self.number(*a), self.number(*b)) else { return };
        let n = match special {
            Special::Add => x.checked_add(y),
            Special::Sub => x.checked_sub(y),
            Special::Mul => x.checked_mul(y),
            // Signed and unsigned division agree where neither operand is negative.
            Special::Div if x >= 0 && y > 0 => x.checked_div(y),
            Special::Rem if x >= 0 && y > 0 => x.checked_rem(y),
            Special::Min if x >= 0 && y >= 0 => Some(x.min(y)),
            Special::Max if x >= 0 && y >= 0 => Some(x.max(y)),
            Special::CeilDiv if x >= 0 && y > 0 => x.checked_add(y - 1).map(|n| n / y),
            Special::Shl if x >= 0 => u32::try_from(y).ok().filter(|&y| y < 63).and_then(|y| x.checked_mul(1 << y)),
            Special::And => Some(x & y),
            _ => None,
        };
        self.set_number(*r, n.filter(|&n| fits(ir, *r, n)));
    }

    fn alloc(&mut self, ir: &Ir, op: OpId) {
        let Some(&r) = ir.op(op).results.first() else { return };
        self.set_dynamic(r, [ir.operand(op, 1), ir.operand(op, 2)]);
        if let Some(a) = ir.operand(op, 0) {
            let address = self.number(a).and_then(|a| u64::try_from(a).ok());
            self.set_address(r, address);
        }
    }

    /// Fills in valid sizes that the type leaves open from the operands that give them.
    fn set_dynamic(&mut self, v: ValueId, sizes: [Option<ValueId>; 2]) {
        if self.unstable.contains(&v) {
            return;
        }
        let read = |s: Option<ValueId>| s.and_then(|s| self.number(s)).and_then(|n| u32::try_from(n).ok());
        let known = [read(sizes[0]), read(sizes[1])];
        if let Some(slot) = self.valid.get_mut(v.index()) {
            for (s, k) in slot.iter_mut().zip(known) {
                if let (NO_SIZE, Some(k)) = (*s, k) {
                    *s = k;
                }
            }
        }
    }

    fn copy_valid(&mut self, from: ValueId, to: ValueId) {
        if let Some(&s) = self.valid.get(from.index())
            && let Some(slot) = self.valid.get_mut(to.index())
        {
            *slot = s;
        }
    }

    fn part(&mut self, of: ValueId, v: ValueId) {
        if let Some(&s) = self.storage.get(of.index())
            && let Some(slot) = self.storage.get_mut(v.index())
        {
            *slot = Storage { root: s.root, part: true };
        }
    }
}

/// True when a number is a value of the type; one that is not would wrap around, and is not followed.
fn fits(ir: &Ir, v: ValueId, n: i64) -> bool {
    match ir.ctx.type_data(ir.value_type(v)) {
        TypeData::Integer { width, .. } if (1..64).contains(width) => {
            let half = 1i64 << (width - 1);
            (-half..half).contains(&n)
        }
        _ => true,
    }
}

fn size(v: Option<u64>) -> u32 {
    v.and_then(|n| u32::try_from(n).ok()).unwrap_or(NO_SIZE)
}
