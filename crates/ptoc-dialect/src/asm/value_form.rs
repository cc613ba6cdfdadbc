//! What the SSA and sync forms of an instruction look like, derived from its DPS format.

use super::format::{Elem, Format, Lit};
use crate::table::{Kind, OpDef};

/// Operands of a tile instruction in the order of its value forms.
#[derive(Debug, Default)]
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
