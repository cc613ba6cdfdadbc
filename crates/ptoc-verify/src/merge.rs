//! `tmrgsort` of two to four lists: the temporary holds them all.

use crate::codes;
use crate::kinds::{KindInfo, Special};
use crate::walk::Walker;
use ptoc_ir::OpId;
use ptoc_source::Diagnostic;

/// Checks the size of the temporary. A part of a bigger tile counts with what it holds, not with the columns of that tile.
pub(crate) fn check(w: &mut Walker<'_>, op: OpId, info: &KindInfo) {
    if info.special != Special::MergeSort {
        return;
    }
    let (ir, Some(def)) = (w.ir(), info.def) else { return };
    let (Some(srcs), Some(tmp)) = (def.operand_index("srcs"), def.operand_index("tmp")) else { return };
    let lists = ir.segment_values(op, srcs);
    let Some(t) = ir.operand(op, tmp).filter(|_| lists.len() > 1) else { return };
    let Some(room) = w.program.types.get(ir.value_type(t)).and_then(|f| f.tile).map(|t| t.cols) else { return };
    let columns: Option<Vec<i64>> = lists.iter().map(|&v| w.program.values.valid_cols(v)).collect();
    let Some(columns) = columns else { return };
    let sum: i128 = columns.iter().map(|&n| i128::from(n)).sum();
    if sum <= i128::from(room) {
        return;
    }
    let terms: Vec<String> = columns.iter().map(i64::to_string).collect();
    let d = Diagnostic::error(
        codes::G_RECORDS,
        ir.operand_span(op, ir.segment(op, tmp).start),
        format!(
            "tmrgsort: {} = {sum} valid columns of the lists, more than the {room} columns of tmp",
            terms.join(" + ")
        ),
    )
    .at(format!("{room} columns"))
    .note("the lists are merged into the temporary, and copied from there")
    .help(format!("give tmp at least {sum} columns"));
    w.out.push(d);
}
