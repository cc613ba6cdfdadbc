//! Instructions that change registers or order things, and no memory.

use super::Case;
use crate::descriptor::dtype;
use ptoc_sim::machine::Core;
use ptoc_sim::num::{Num, encode};
use ptoc_target::{Arch, DType};
use serde_json::Value;

/// Whether an instruction changes no memory.
pub(super) fn only(op: &str) -> bool {
    matches!(
        op,
        "set_img2col_padding"
            | "set_img2col_rpt"
            | "set_quant_scalar"
            | "set_quant_vector"
            | "setfmatrix"
            | "syncall"
            | "talloc"
            | "tprefetch"
            | "tsync"
    )
}

/// Compares the registers of A2/A3 with the attributes.
pub(super) fn check(case: &Case, core: &Core) -> Result<(), String> {
    let n = |name: &str| case.attrs.get(name).and_then(Value::as_u64).unwrap_or(0);
    let mode = case.word("mode").or(case.word("fmatrix_mode")).unwrap_or("");
    // In the automatic modes the window instruction sets the registers itself.
    if mode.ends_with("_auto") {
        return Ok(());
    }
    let map = usize::from(mode.starts_with('b'));
    // A2/A3 have one repeat and one padding register.
    let other = if case.arch == Arch::A5 { map } else { 0 };
    let (what, got, want) = match case.op.as_str() {
        "setfmatrix" => {
            let pads = case.attrs.get("pad_list").and_then(Value::as_array).ok_or("`pad_list` is no list")?;
            let pads = pads.iter().rev().fold(0, |word, p| word << 8 | p.as_u64().unwrap_or(0) & 0xff);
            ("feature map", core.spr.fmatrix[map], n("fmap_w") | n("fmap_h") << 16 | pads << 32)
        }
        "set_img2col_rpt" => {
            let want = n("repeat_stride") | n("repeat_time") << 16 | n("repeat_mode") << 24 | n("dst_stride") << 32;
            ("repeat", core.spr.l3d_rpt[other], want)
        }
        "set_img2col_padding" => {
            let ty = case.operand("src").and_then(|d| d.dtype()).unwrap_or(DType::I8);
            let value = case.attrs.get("pad_value").and_then(Value::as_i64).unwrap_or(0);
            let one = encode(ty, Num::Int(value.into()));
            ("padding", core.spr.padding[other], if ty.bytes() == 1 { one | one << 8 } else { one })
        }
        "set_quant_scalar" if case.attrs.contains_key("scalar") => {
            let scale = case.attrs.get("scalar").and_then(Value::as_f64).ok_or("`scalar` is no number")?;
            ("scale", core.spr.quant_pre & 0xffff_ffff, encode(DType::F32, Num::Float(scale)))
        }
        "set_quant_scalar" => {
            let scalar = case.attrs.get("pre_quant_scalar").ok_or("no `pre_quant_scalar`")?;
            let ty = scalar.get("t").and_then(Value::as_str).and_then(dtype);
            let bits = scalar.get("bits").and_then(Value::as_u64).filter(|_| ty == Some(DType::F32));
            // Bits above the scale say how the result is stored.
            ("scale", core.spr.quant_pre & 0xffff_ffff, bits.ok_or("`pre_quant_scalar` is no f32")?)
        }
        _ => return Ok(()),
    };
    if got == want { Ok(()) } else { Err(format!("the {what} register holds {got:#x}, not {want:#x}")) }
}
