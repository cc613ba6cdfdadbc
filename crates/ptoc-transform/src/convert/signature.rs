//! Function types after their arguments and results changed form.

use ptoc_dialect::types::{TileForm, with_form};
use ptoc_ir::{AttrData, Ir, OpId, TypeData, TypeId, ValueId};

use crate::structure::scopes;

/// Brings the type of every function in line with its arguments; tile results take the form of the returned values.
///
/// `changes` says which arguments were converted. Only arguments in the wanted form are looked at.
pub(super) fn update(ir: &mut Ir, form: TileForm, changes: &dyn Fn(ValueId) -> bool) {
    for scope in scopes(ir) {
        let Some(func) = scope.func else { continue };
        let args: Vec<ValueId> = ir.block(scope.block).args.to_vec();
        if !args.iter().any(|&a| changes(a)) && form == TileForm::Value {
            continue;
        }
        let params: Vec<TypeId> = args.iter().map(|&a| ir.value_type(a)).collect();
        let Some((_, results)) = function_type(ir, func) else { continue };
        let results: Vec<TypeId> = match form {
            TileForm::Value => results,
            TileForm::Buffer => results.iter().map(|&t| with_form(&mut ir.ctx, t, form)).collect(),
        };
        set_function_type(ir, func, &params, &results);
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
