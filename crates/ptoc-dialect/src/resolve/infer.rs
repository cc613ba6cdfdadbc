//! Result types that the text leaves out.

use super::table::State;
use super::{Read, Resolver};
use crate::codes;
use crate::table::{Arity, Kind, OpDef};
use crate::types::{TileType, ViewKind, ViewType, tile_of, view_of};
use ptoc_ir::{AttrData, TypeData, TypeId, ValueId, builtin};
use ptoc_source::{Diagnostic, Span};
use ptoc_syntax::OpNode;

impl Resolver<'_> {
    /// Completes the result types of an operation after its text was read.
    pub(super) fn infer_results(&mut self, node: &OpNode, def: &'static OpDef, st: &mut State) -> Read<()> {
        let required = def.results.iter().filter(|r| r.arity == Arity::One).count();
        if st.results.len() >= required {
            return Ok(());
        }
        if let Some(ty) = self.inferred(def, st) {
            st.results.push((Some(0), ty, Span::NONE));
            return Ok(());
        }
        let have = st.results.len();
        for (i, r) in def.results.iter().enumerate().skip(have) {
            match r.kind {
                Kind::Index => st.results.push((Some(i as u8), builtin::INDEX, Span::NONE)),
                Kind::Scalar => st.results.push((Some(i as u8), builtin::I64, Span::NONE)),
                _ if r.arity == Arity::One => {
                    return Err(Box::new(
                        Diagnostic::error(
                            codes::OPERAND_COUNT,
                            node.span,
                            format!("{}: the type of result `{}` is missing", def.name, r.name),
                        )
                        .help("write it at the end: `... -> TYPE`"),
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn operand_values(st: &State, def: &'static OpDef, name: &str) -> Vec<ValueId> {
        let id = def.operand_index(name).map(|i| i as u8);
        st.operands.iter().filter(|(o, ..)| Some(*o) == id).map(|&(_, v, _)| v).collect()
    }

    /// The value of an integer constant.
    fn constant(&self, v: ValueId) -> Option<i128> {
        let op = self.ir.defining_op(v)?;
        if self.ir.op_name(op) != "arith.constant" {
            return None;
        }
        self.ir.int_attr(op, "value")
    }

    fn inferred(&mut self, def: &'static OpDef, st: &State) -> Option<TypeId> {
        match def.name {
            "pto.partition_view" => {
                let source = *Self::operand_values(st, def, "source").first()?;
                let elem = view_of(&self.ir.ctx, self.ir.value_type(source))?.elem;
                let dims = Self::operand_values(st, def, "sizes")
                    .into_iter()
                    .map(|v| self.constant(v).and_then(|n| i64::try_from(n).ok()).unwrap_or(TypeData::DYNAMIC))
                    .collect();
                Some(self.ctx().dialect_ty(ViewType { kind: ViewKind::Partition, dims, elem }))
            }
            "pto.subview" => {
                let source = *Self::operand_values(st, def, "source").first()?;
                let tile = tile_of(&self.ir.ctx, self.ir.value_type(source))?;
                let sizes = st.attrs.iter().find(|(n, _)| self.ir.ctx.str(*n) == "sizes")?.1;
                let AttrData::DenseArray { values, .. } = self.ir.ctx.attr_data(sizes) else { return None };
                let [rows, cols] = values[..] else { return None };
                let (rows, cols) = (u64::try_from(rows).ok()?, u64::try_from(cols).ok()?);
                let bound = |name: &str, size: u64| match Self::operand_values(st, def, name).first() {
                    Some(&v) => self.constant(v).and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0 && n <= size),
                    None => Some(size),
                };
                let (valid_rows, valid_cols) = (bound("valid_row", rows), bound("valid_col", cols));
                let ty = TileType { rows, cols, valid_rows, valid_cols, ..tile };
                Some(self.ctx().dialect_ty(ty))
            }
            _ => None,
        }
    }
}
