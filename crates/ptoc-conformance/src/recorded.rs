//! How recorded data writes bytes, scalars and attributes.

use crate::descriptor::dtype;
use ptoc_sim::semantics::{Attr, Scalar};
use serde_json::Value;

/// An attribute of a case; `None` for a kind of value that the simulator has no attribute for.
///
/// # Errors
/// When a typed scalar is incomplete.
pub fn attr(v: &Value) -> Result<Option<Attr>, String> {
    Ok(Some(match v {
        Value::Bool(b) => Attr::Bool(*b),
        Value::Number(n) => match n.as_i64() {
            Some(n) => Attr::Int(n),
            None => return Ok(None),
        },
        Value::String(s) => Attr::Word(s.clone()),
        Value::Object(_) => Attr::Scalar(scalar(v)?),
        _ => return Ok(None),
    }))
}

/// A typed scalar `{"dtype", "hex"}`, the bytes little-endian.
///
/// # Errors
/// When it is none.
pub fn scalar(v: &Value) -> Result<Scalar, String> {
    let name = v.get("dtype").and_then(Value::as_str).ok_or("a scalar without `dtype`")?;
    let dtype = dtype(name).ok_or_else(|| format!("element type `{name}`"))?;
    let mut word_bytes = [0; 8];
    let bytes = bytes(v.get("hex").ok_or("a scalar without `hex`")?, dtype.bytes())?;
    word_bytes[..bytes.len()].copy_from_slice(&bytes);
    Ok(Scalar { dtype, bits: u64::from_le_bytes(word_bytes) })
}

/// The bytes of a storage: hex digits, or `fill:` and one byte.
///
/// # Errors
/// When they are not that, or not as many as the storage has.
pub fn bytes(v: &Value, size: u64) -> Result<Vec<u8>, String> {
    let text = v.as_str().ok_or("bytes are no string")?;
    if let Some(byte) = text.strip_prefix("fill:") {
        let byte = u8::from_str_radix(byte, 16).map_err(|_| format!("`fill:{byte}` is no byte"))?;
        return Ok(vec![byte; size as usize]);
    }
    if text.len() as u64 != size.saturating_mul(2) {
        return Err(format!("{} hex digits for {size} bytes", text.len()));
    }
    let digit = |d: u8| (d as char).to_digit(16).map(|d| d as u8);
    let pair = |p: &[u8]| Some(digit(*p.first()?)? << 4 | digit(*p.get(1)?)?);
    text.as_bytes().chunks(2).map(pair).collect::<Option<_>>().ok_or_else(|| "a digit that is no hex digit".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptoc_target::DType;
    use serde_json::json;

    #[test]
    fn scalars_are_little_endian() {
        let s = scalar(&json!({"dtype": "i16", "hex": "feff", "value": "-2"})).unwrap();
        assert_eq!((s.dtype, s.bits), (DType::I16, 0xfffe));
        assert_eq!(scalar(&json!({"dtype": "i16", "hex": "fe"})).unwrap_err(), "2 hex digits for 2 bytes");
    }

    #[test]
    fn wrong_bytes_are_errors() {
        assert_eq!(bytes(&json!("fill:a5"), 2).unwrap(), [0xa5, 0xa5]);
        assert_eq!(bytes(&json!("a5a"), 2).unwrap_err(), "3 hex digits for 2 bytes");
        assert_eq!(bytes(&json!("é5a"), 2).unwrap_err(), "a digit that is no hex digit");
    }
}
