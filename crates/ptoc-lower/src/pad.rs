//! Bit patterns of pad values.

use ptoc_target::{DType, PadValue};

/// The bit pattern of a pad in an element type, low bits first; `None` for a null pad and for a type without that value.
///
/// The built-in pads follow the TFILLPAD table: infinities where they exist, else the extreme finite values; packed fp4
/// gives both nibbles.
pub(crate) fn pad_bits(dtype: DType, pad: PadValue) -> Option<u32> {
    use DType::*;
    let (min, max) = match (pad, dtype) {
        (PadValue::Null, _) => return None,
        (PadValue::Custom(bits), _) => return Some(bits & low_mask(dtype)),
        (_, F8E8M0 | F64 | I64 | U64 | HiF8x2 | BF16x2) => return None,
        (PadValue::Zero, _) => return Some(0),
        (_, F32) => (0xFF80_0000, 0x7F80_0000),
        (_, F16) => (0xFC00, 0x7C00),
        (_, BF16) => (0xFF80, 0x7F80),
        (_, I32) => (0x8000_0000, 0x7FFF_FFFF),
        (_, I16) => (0x8000, 0x7FFF),
        (_, I8) => (0x80, 0x7F),
        (_, U32) => (0, u32::MAX),
        (_, U16) => (0, 0xFFFF),
        (_, U8) => (0, 0xFF),
        (_, F8E4M3) => (0xFE, 0x7E),
        (_, F8E5M2) => (0xFC, 0x7C),
        (_, HiF8) => (0xEF, 0x6F),
        (_, F4E2M1x2 | F4E1M2x2) => (0xFF, 0x77),
    };
    Some(if pad == PadValue::Min { min } else { max })
}

fn low_mask(dtype: DType) -> u32 {
    match dtype.bytes() {
        1 => 0xFF,
        2 => 0xFFFF,
        _ => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_are_the_extremes_of_their_type() {
        for (dtype, min, max) in [
            (DType::F32, f32::NEG_INFINITY.to_bits(), f32::INFINITY.to_bits()),
            (DType::I32, i32::MIN as u32, i32::MAX as u32),
            (DType::I16, i16::MIN as u16 as u32, i16::MAX as u32),
            (DType::I8, i8::MIN as u8 as u32, i8::MAX as u32),
            (DType::U8, 0, u8::MAX as u32),
            (DType::F4E2M1x2, 0xFF, 0x77),
        ] {
            assert_eq!(pad_bits(dtype, PadValue::Min), Some(min), "{dtype}");
            assert_eq!(pad_bits(dtype, PadValue::Max), Some(max), "{dtype}");
            assert_eq!(pad_bits(dtype, PadValue::Zero), Some(0), "{dtype}");
            assert_eq!(pad_bits(dtype, PadValue::Null), None, "{dtype}");
        }
        assert_eq!(pad_bits(DType::F8E8M0, PadValue::Zero), None);
        assert_eq!(pad_bits(DType::F8E8M0, PadValue::Custom(0x17F)), Some(0x7F));
    }
}
