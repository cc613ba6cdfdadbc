//! What the SSA and sync forms of an instruction look like, derived from its DPS format.

use super::format::{Elem, Format, Lit};
use crate::registry::Dialects;
use crate::table::{Arity, Kind, OpDef};
use crate::types::{ptr_of, tile_of, view_of};
use ptoc_ir::{Context, Ir, OpId, TypeData, TypeId};
use smallvec::SmallVec;

/// Operands of a tile instruction in the order of its value forms.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct ValueForm {
    /// Operands that stand in the list, by operand index.
    pub(crate) positional: Vec<u8>,
    /// Operands behind a keyword: `fp %x`.
    pub(crate) clauses: Vec<(Box<str>, u8)>,
    /// Tiles that become results.
    pub(crate) dests: Vec<u8>,
}

impl ValueForm {
    /// `None` when the operation has no value form.
    pub(crate) fn of(def: &'static OpDef, format: &Format) -> Option<ValueForm> {
        if !def.has_value_form() {
            return None;
        }
        let mut form = ValueForm::default();
        for alternative in &format.alternatives {
            form.collect(def, alternative, None);
        }
        form.dests.sort_by_key(|&i| i);
        Some(form)
    }

    fn collect<'e>(&mut self, def: &'static OpDef, elems: &'e [Elem], mut word: Option<&'e str>) {
        for elem in elems {
            match elem {
                Elem::List(ids) => {
                    for &id in ids {
                        let operand = &def.operands[id as usize];
                        let known = self.positional.contains(&id)
                            || self.dests.contains(&id)
                            || self.clauses.iter().any(|(_, c)| *c == id);
                        if known {
                            continue;
                        }
                        match word {
                            _ if operand.is_dest() => self.dests.push(id),
                            Some(w) if !matches!(w, "ins" | "outs") => self.clauses.push((w.into(), id)),
                            _ => self.positional.push(id),
                        }
                    }
                    word = None;
                }
                Elem::Group(_, inner) => {
                    self.collect(def, inner, None);
                    word = None;
                }
                Elem::Opt(inner) | Elem::Repeat(inner) => self.collect(def, inner, None),
                Elem::Lit(Lit::Word(w)) => word = Some(w),
                Elem::Lit(Lit::Equal) => {}
                _ => word = None,
            }
        }
    }

    /// Which operand each value of the list is: required operands take one each; from the left, optional ones take the
    /// next spare value if it is of their kind, a variadic one all spare values that are. `None` when values are missing or
    /// left over. The type of a number written in place of a value is `None`.
    pub(crate) fn slots(
        &self,
        def: &'static OpDef,
        ctx: &Context,
        types: &[Option<TypeId>],
    ) -> Option<SmallVec<[u8; 8]>> {
        let required = self.positional.iter().filter(|&&i| def.operands[i as usize].arity == Arity::One).count();
        let mut spare = types.len().checked_sub(required)?;
        let mut slots: SmallVec<[u8; 8]> = SmallVec::new();
        for &id in &self.positional {
            let operand = &def.operands[id as usize];
            let fits = |slots: &SmallVec<[u8; 8]>| types.get(slots.len()).is_some_and(|&t| is_of(ctx, t, operand.kind));
            match operand.arity {
                Arity::One => slots.push(id),
                Arity::Optional => {
                    if spare > 0 && fits(&slots) {
                        spare -= 1;
                        slots.push(id);
                    }
                }
                Arity::Variadic => {
                    while spare > 0 && fits(&slots) {
                        spare -= 1;
                        slots.push(id);
                    }
                }
            }
        }
        (spare == 0).then_some(slots)
    }

    /// Position in `positional` of the first of exactly two index operands that directly follow the first one, as
    /// `tinsert %src[%r, %c]` writes them.
    pub(crate) fn bracketed(&self, def: &'static OpDef) -> Option<usize> {
        let kind = |n: usize| self.positional.get(n).map(|&i| def.operands[i as usize].kind);
        (kind(0) == Some(Kind::Tile) && kind(1) == Some(Kind::Index) && kind(2) == Some(Kind::Index)).then_some(1)
    }
}

impl OpDef {
    /// True for operations that also have a sync and an SSA form.
    pub fn has_value_form(&self) -> bool {
        self.asm.starts_with("ins(") && self.results.is_empty()
    }
}

/// True when a value of that type (a number: `None`) can stand for an operand of the kind.
fn is_of(ctx: &Context, ty: Option<TypeId>, kind: Kind) -> bool {
    let Some(ty) = ty else { return matches!(kind, Kind::Scalar | Kind::Index | Kind::Any) };
    let number = matches!(ctx.type_data(ty), TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Index);
    match kind {
        Kind::Scalar | Kind::Index => number,
        Kind::Tile => tile_of(ctx, ty).is_some() || !number && view_of(ctx, ty).is_none(),
        Kind::View => view_of(ctx, ty).is_some(),
        Kind::Ptr => ptr_of(ctx, ty).is_some(),
        _ => true,
    }
}

/// True when an op can be written in the SSA form (or the sync form) and read back as the same op: every operand has a
/// place there, no destination has several values, and optional operands are recognised by what they are.
///
/// The op may still be in DPS form; its destinations then count as old tiles.
pub fn fits_value_form(ir: &Ir, op: OpId, sync: bool) -> bool {
    let dialects = Dialects::get();
    let kind = ir.op(op).kind;
    let (Some(def), Some(form)) = (dialects.def(kind), dialects.format(kind).and_then(|f| f.value_form.as_ref()))
    else {
        return false;
    };
    let mut expected: SmallVec<[u8; 8]> = SmallVec::new();
    let mut types: SmallVec<[Option<TypeId>; 8]> = SmallVec::new();
    for &id in &form.positional {
        if sync && def.operands[id as usize].scratch {
            continue;
        }
        for &v in ir.segment_values(op, id as usize) {
            expected.push(id);
            types.push(Some(ir.value_type(v)));
        }
    }
    let one = |id: u8| ir.segment_values(op, id as usize).len() <= 1;
    let placed = |id: u8| {
        form.positional.contains(&id) || form.dests.contains(&id) || form.clauses.iter().any(|(_, c)| *c == id)
    };
    let has_old = |id: &u8| !ir.segment_values(op, *id as usize).is_empty();
    // `into %a, %b` names the old tiles of the first destinations.
    let leading = form.dests.iter().skip_while(|id| has_old(id)).all(|id| !has_old(id));
    leading
        && form.dests.iter().copied().chain(form.clauses.iter().map(|(_, id)| *id)).all(one)
        && (0..def.operands.len()).all(|i| ir.segment_values(op, i).is_empty() || placed(i as u8))
        && form.slots(def, &ir.ctx, &types).is_some_and(|s| s == expected)
}
