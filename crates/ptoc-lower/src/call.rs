//! A tile instruction being lowered.

use crate::{Em, Gm, Sc, Tile, codes};
use ptoc_dialect::{AttrTy, OpDef};
use ptoc_ir::{AttrData, OpId, ValueId};
use ptoc_source::Diagnostic;
use ptoc_target::PadValue;

/// A result, or why the instruction can't be lowered.
pub type Res<T> = Result<T, Box<Diagnostic>>;

/// The lowering of one instruction: emits what replaces it.
pub type LowerFn = fn(&mut Em<'_>, &Call) -> Res<()>;

/// A tile instruction.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The op.
    pub op: OpId,
    /// Its table entry.
    pub def: &'static OpDef,
}

impl Call {
    /// Name without dialect: `tinsert`.
    pub fn name(&self) -> &'static str {
        self.def.short_name()
    }

    /// The value of an operand, when it is present.
    pub fn value(&self, em: &Em<'_>, operand: &str) -> Option<ValueId> {
        let i = self.def.operand_index(operand)?;
        em.ir.operand(self.op, i).map(|v| em.resolve(v))
    }

    /// The value of an operand that must be present.
    ///
    /// # Errors
    /// The operand is missing.
    pub fn need(&self, em: &Em<'_>, operand: &str) -> Res<ValueId> {
        self.value(em, operand).ok_or_else(|| self.unsupported(em, format!("operand `{operand}` is missing")))
    }

    /// A size or index operand.
    ///
    /// # Errors
    /// The operand is missing.
    pub fn size(&self, em: &mut Em<'_>, operand: &str) -> Res<Sc> {
        let v = self.need(em, operand)?;
        Ok(em.sc(v))
    }

    /// A tile operand.
    ///
    /// # Errors
    /// It is missing, has no address, or its state is not known here.
    pub fn tile(&self, em: &Em<'_>, operand: &str) -> Res<Tile> {
        match self.opt_tile(em, operand)? {
            Some(t) => Ok(t),
            None => Err(self.unsupported(em, format!("operand `{operand}` is missing"))),
        }
    }

    /// An optional tile operand.
    ///
    /// # Errors
    /// It has no address, or its state is not known here.
    pub fn opt_tile(&self, em: &Em<'_>, operand: &str) -> Res<Option<Tile>> {
        let Some(i) = self.def.operand_index(operand) else { return Ok(None) };
        let Some(v) = em.ir.operand(self.op, i) else { return Ok(None) };
        let at = em.ir.operand_span(self.op, em.ir.segment(self.op, i).start);
        em.tile_of(v, at, self.name(), operand).map(Some)
    }

    /// A view operand.
    ///
    /// # Errors
    /// It is missing or does not come from a view operation.
    pub fn gm(&self, em: &Em<'_>, operand: &str) -> Res<Gm> {
        let v = self.need(em, operand)?;
        match em.env.views.get(&v) {
            Some(g) => Ok(g.clone()),
            None => {
                let i = self.def.operand_index(operand).unwrap_or(0);
                let at = em.ir.operand_span(self.op, em.ir.segment(self.op, i).start);
                Err(Box::new(
                    Diagnostic::error(
                        codes::NOT_A_POINTER,
                        at,
                        format!("{}: {operand} does not come from `make_tensor_view` or `partition_view`", self.name()),
                    )
                    .help("make the view in this function"),
                ))
            }
        }
    }

    /// The code of an enumeration attribute, or that of its default, or 0.
    pub fn code(&self, em: &Em<'_>, attr: &str) -> u32 {
        let Some(a) = self.def.attr(attr) else { return 0 };
        let word = em.ir.word_attr(self.op, attr).or(a.default);
        match (a.ty, word) {
            (AttrTy::Enum(e), Some(w)) => e.code(w).unwrap_or(0),
            _ => 0,
        }
    }

    /// The word of an enumeration or string attribute, or that of its default.
    pub fn word<'e>(&self, em: &'e Em<'_>, attr: &str) -> Option<&'e str> {
        em.ir.word_attr(self.op, attr).or_else(|| self.def.attr(attr)?.default)
    }

    /// The tile operand `dst` with the pad that attribute `padValue` gives, where it is there.
    pub fn padded(&self, em: &mut Em<'_>, dst: &str) -> Res<Tile> {
        let mut tile = self.tile(em, dst)?;
        match self.word(em, "padValue") {
            Some("null") => tile.ty.pad = PadValue::Null,
            Some("zero") => tile.ty.pad = PadValue::Zero,
            Some("max") => tile.ty.pad = PadValue::Max,
            Some("min") => tile.ty.pad = PadValue::Min,
            _ => {}
        }
        Ok(tile)
    }

    /// A boolean attribute; false when absent.
    pub fn flag(&self, em: &Em<'_>, attr: &str) -> bool {
        matches!(em.ir.attr_data(self.op, attr), Some(AttrData::Bool(true) | AttrData::Unit))
    }

    /// What [`Call::tile`] and the like give when the instruction can't be lowered: what stands in the way, with the types
    /// of all operands.
    pub fn unsupported(&self, em: &Em<'_>, what: impl AsRef<str>) -> Box<Diagnostic> {
        let data = em.ir.op(self.op);
        let target = em.target.name;
        let mut d = Diagnostic::error(
            codes::COMBINATION,
            data.span,
            format!("{}: no lowering on {target}: {}", self.name(), what.as_ref()),
        );
        for (i, operand) in self.def.operands.iter().enumerate() {
            let range = em.ir.segment(self.op, i);
            if let Some(&v) = data.operands.get(range.start).filter(|_| !range.is_empty()) {
                let ty = em.ir.ctx.type_string(em.ir.value_type(v));
                let is = match em.env.views.get(&v) {
                    Some(view) => format!("{} is {ty}: {}", operand.name, view.describe()),
                    None => format!("{} is {ty}", operand.name),
                };
                d = d.label(em.ir.operand_span(self.op, range.start), is);
            }
        }
        d = d
            .note(format!(
                "the program is legal; ptoc has no sequence of {target} instructions for this form of {}",
                self.name()
            ))
            .help("change what the message names: the element type, the layout or the mode");
        Box::new(d)
    }
}
