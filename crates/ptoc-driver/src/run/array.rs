//! Arrays of a run: from `.npy` files, or made.

use npyz::{DType as NpyType, Endianness, NpyFile, Order, TypeChar, WriteOptions, WriterBuilder};
use ptoc_sim::num::{Num, encode, int_range};
use ptoc_target::DType;

/// An array with its bytes in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// Element type.
    pub dtype: DType,
    /// Extents, outermost first.
    pub shape: Vec<u64>,
    /// Little-endian elements.
    pub bytes: Vec<u8>,
}

/// How the elements of an array are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Small random numbers: integers over the type's range up to 100, floats between -4 and 4.
    Random,
    /// Zeros of both signs, infinities, NaN, denormals and extremes among random numbers.
    Special,
    /// Zero.
    Zeros,
    /// One.
    Ones,
    /// 0, 1, 2, ...
    Range,
}

impl Fill {
    /// Reads the word of the command line.
    pub fn of(word: &str) -> Option<Fill> {
        Some(match word {
            "random" => Fill::Random,
            "special" => Fill::Special,
            "zeros" => Fill::Zeros,
            "ones" => Fill::Ones,
            "range" => Fill::Range,
            _ => return None,
        })
    }
}

/// Largest array a run takes, in bytes.
pub const MAX_BYTES: u64 = 4 << 30;

/// Numbers that look random and are the same on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// The next number: splitmix64.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl Array {
    /// An array of a shape.
    ///
    /// # Errors
    /// When it would be larger than [`MAX_BYTES`].
    pub fn filled(dtype: DType, shape: Vec<u64>, fill: Fill, random: &mut Random) -> Result<Array, String> {
        let count = shape.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
        let bytes = count.and_then(|n| n.checked_mul(dtype.bytes())).filter(|n| *n <= MAX_BYTES);
        let (Some(count), Some(bytes)) = (count, bytes) else {
            return Err(format!("an array of {shape:?} {dtype} is larger than {MAX_BYTES} bytes"));
        };
        let mut out = Vec::with_capacity(bytes as usize);
        let width = dtype.bytes() as usize;
        for i in 0..count {
            out.extend_from_slice(&element(dtype, fill, i, random).to_le_bytes()[..width]);
        }
        Ok(Array { dtype, shape, bytes: out })
    }

    /// Reads a `.npy` file.
    ///
    /// # Errors
    /// Not such a file, an element type that PTO does not have, fewer elements than the shape says.
    pub fn from_npy(bytes: &[u8]) -> Result<Array, String> {
        let file = NpyFile::new(bytes).map_err(|e| format!("not an .npy file: {e}"))?;
        let NpyType::Plain(ty) = file.dtype() else { return Err("records are no array of numbers".into()) };
        let dtype = match (ty.type_char(), ty.size_field()) {
            (TypeChar::Float, 4) => DType::F32,
            (TypeChar::Float, 2) => DType::F16,
            (TypeChar::Int, 1) => DType::I8,
            (TypeChar::Int, 2) => DType::I16,
            (TypeChar::Int, 4) => DType::I32,
            (TypeChar::Int, 8) => DType::I64,
            (TypeChar::Uint, 1) | (TypeChar::Bool, 1) => DType::U8,
            (TypeChar::Uint, 2) => DType::U16,
            (TypeChar::Uint, 4) => DType::U32,
            (TypeChar::Uint, 8) => DType::U64,
            _ => return Err(format!("element type {ty} has no counterpart in PTO")),
        };
        if ty.endianness() == Endianness::Big && dtype.bytes() > 1 {
            return Err(format!("element type {ty} is big-endian"));
        }
        if file.order() == Order::Fortran && file.shape().len() > 1 {
            return Err("the array is column-major; save it with `numpy.ascontiguousarray`".into());
        }
        let shape = file.shape().to_vec();
        let size = shape.iter().try_fold(dtype.bytes(), |n, &d| n.checked_mul(d)).filter(|n| *n <= MAX_BYTES);
        let Some(size) = size else { return Err(format!("an array of {shape:?} is larger than {MAX_BYTES} bytes")) };
        let data = file.into_inner();
        match data.get(..size as usize) {
            Some(data) => Ok(Array { dtype, shape, bytes: data.to_vec() }),
            None => Err(format!("shape {shape:?} needs {size} bytes of data, the file has {}", data.len())),
        }
    }

    /// The `.npy` file of the array. Types that numpy does not have are written as unsigned integers of their width.
    ///
    /// # Errors
    /// When the header cannot be written.
    pub fn to_npy(&self) -> Result<Vec<u8>, String> {
        let text = match self.dtype {
            DType::F32 => "<f4",
            DType::F16 => "<f2",
            DType::F64 => "<f8",
            DType::I8 => "|i1",
            DType::I16 => "<i2",
            DType::I32 => "<i4",
            DType::I64 => "<i8",
            d => match d.bytes() {
                1 => "|u1",
                2 => "<u2",
                4 => "<u4",
                _ => "<u8",
            },
        };
        let ty = text.parse().map_err(|e| format!("{e}"))?;
        let header = WriteOptions::new_header_only().dtype(NpyType::Plain(ty)).shape(&self.shape).writer(Vec::new());
        let mut out = header.write_header_only().map_err(|e| e.to_string())?;
        out.extend_from_slice(&self.bytes);
        Ok(out)
    }
}

/// The bits of the `i`-th element.
pub(super) fn element(ty: DType, fill: Fill, i: u64, random: &mut Random) -> u64 {
    let n = random.draw();
    match fill {
        Fill::Zeros => 0,
        Fill::Ones => encode(ty, Num::Int(1)),
        Fill::Range => encode(ty, Num::Int(i128::from(i))),
        Fill::Special if !n.is_multiple_of(4) => special(ty, n >> 8),
        Fill::Random | Fill::Special => match int_range(ty) {
            Some((lo, hi)) => {
                let (lo, hi) = (lo.max(-100), hi.min(100));
                encode(ty, Num::Int(lo + i128::from(n >> 8) % (hi - lo + 1)))
            }
            // Packed pairs and 8-bit floats: any code of small magnitude.
            None if ty.bytes() == 1 => n >> 8 & 0xbf,
            None => encode(ty, Num::Float(random.unit() * 8.0 - 4.0)),
        },
    }
}

fn special(ty: DType, n: u64) -> u64 {
    if let Some((lo, hi)) = int_range(ty) {
        let list = [lo, hi, 0, 1, hi - 1, lo + 1];
        return encode(ty, Num::Int(list[n as usize % list.len()]));
    }
    if ty.bytes() == 1 {
        return n & 0xff;
    }
    let (max, tiny) = match ty {
        DType::F16 => (65504.0, 6e-8),
        _ => (3.0e38, 1e-40),
    };
    let list = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, tiny, -tiny, max, -max, 1.0];
    encode(ty, Num::Float(list[n as usize % list.len()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npy_files_survive() {
        let a = Array::filled(DType::F16, vec![3, 5], Fill::Random, &mut Random::new(1)).expect("small");
        let file = a.to_npy().expect("a header");
        assert_eq!(&file[..6], b"\x93NUMPY");
        assert_eq!(file.len() % 64, a.bytes.len() % 64, "numpy aligns the data");
        assert_eq!(Array::from_npy(&file).expect("our own file"), a);
    }

    #[test]
    fn malformed_files_are_errors() {
        let good = Array::filled(DType::I32, vec![4], Fill::Range, &mut Random::new(0))
            .and_then(|a| a.to_npy())
            .expect("a file");
        for n in 0..good.len() {
            assert!(Array::from_npy(&good[..n]).is_err(), "cut after {n} bytes");
        }
        for i in 0..good.len() - 16 {
            let mut bad = good.clone();
            bad[i] ^= 0x55;
            // Whatever comes out, nothing panics.
            let _ = Array::from_npy(&bad);
        }
        assert!(Array::from_npy(b"not an array").is_err());
    }

    #[test]
    fn sizes_have_a_limit() {
        assert!(Array::filled(DType::F32, vec![u64::MAX, 2], Fill::Zeros, &mut Random::new(0)).is_err());
        assert!(Array::filled(DType::F32, vec![1 << 40], Fill::Zeros, &mut Random::new(0)).is_err());
    }
}
