//! Function types after their arguments and results changed form.

use ptoc_dialect::types::{TileForm, with_form};
use ptoc_ir::{AttrData, Ir, OpId, TypeData, TypeId};

use crate::structure::{declarations, scopes};

/// Brings the type of every function in line with its arguments. Tile results become buffers, or take the form of what is
/// returned.
pub(super) fn update(ir: &mut Ir, form: TileForm) {
    for scope in scopes(ir) {
        let Some(func) = scope.func else { continue };
        let Some((old_params, old_results)) = function_type(ir, func) else { continue };
        let params: Vec<TypeId> = ir.block(scope.block).args.iter().map(|&a| ir.value_type(a)).collect();
        let returned = ir.last_op(scope.block).filter(|&op| ir.op_name(op) == "func.return");
        let results: Vec<TypeId> = match (form, returned) {
            (TileForm::Buffer, _) => old_results.iter().map(|&t| with_form(&mut ir.ctx, t, form)).collect(),
            (TileForm::Value, Some(end)) => ir.op(end).operands.iter().map(|&v| ir.value_type(v)).collect(),
            (TileForm::Value, None) => old_results.clone(),
        };
        if params != old_params || results != old_results {
            set_function_type(ir, func, &params, &results);
        }
    }
    // What is called with buffers takes buffers.
    if form == TileForm::Buffer {
        for func in declarations(ir) {
            let Some((params, results)) = function_type(ir, func) else { continue };
            let mut convert =
                |types: &[TypeId]| types.iter().map(|&t| with_form(&mut ir.ctx, t, form)).collect::<Vec<_>>();
            let (new_params, new_results) = (convert(&params), convert(&results));
            if (&new_params, &new_results) != (&params, &results) {
                set_function_type(ir, func, &new_params, &new_results);
            }
        }
    }
}

/// Parameters and results of a function's type.
pub(super) fn function_type(ir: &Ir, func: OpId) -> Option<(Vec<TypeId>, Vec<TypeId>)> {
    let AttrData::Type(ty) = ir.attr_data(func, "function_type")? else { return None };
    match ir.ctx.type_data(*ty) {
        TypeData::Function { params, results } => Some((params.to_vec(), results.to_vec())),
        _ => None,
    }
}

/// Sets the type of a function.
pub(super) fn set_function_type(ir: &mut Ir, func: OpId, params: &[TypeId], results: &[TypeId]) {
    let ty = ir.ctx.function(params, results);
    let attr = ir.ctx.attr(AttrData::Type(ty));
    ir.set_attr(func, "function_type", attr);
}
