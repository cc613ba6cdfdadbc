//! What tile instructions mean: one instruction on tile values, straight from its definition.
//!
//! Names of instructions, operands and attributes are those of the instruction tables in their golden-data spelling
//! (`tadd`, `src0`, `dst`, `round_mode`): whoever calls maps to them. All operands are read before any is written, so a
//! destination may share its bytes with a source as long as the caller gives both the same bytes.
//!
//! Bytes that the definition does not write stay as they were.

mod arith;
mod cells;
mod convert;
mod elementwise;
mod expand;
mod fused;
mod generate;
mod global;
mod img2col;
mod matmul;
mod moves;
mod operand;
mod part;
mod quant;
mod rearrange;
mod reduce;
mod requant;
mod select;
mod sort;

pub use requant::pad_bits;

pub use operand::{Attr, Inst, Operand, Scalar, Tensor, TensorLayout, Tile};

/// Why an instruction could not be evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No meaning is known for this instruction or this variant of it.
    Unsupported(String),
    /// The operands contradict the definition: a missing operand, shapes that do not fit, an index out of range.
    Illegal(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Unsupported(what) => write!(f, "no meaning is known for {what}"),
            Refusal::Illegal(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Refusal {}

/// The meaning of one instruction: reads its operands and writes its destinations in place.
pub type Meaning = fn(&mut Inst<'_>) -> Result<(), Refusal>;

/// Evaluates an instruction.
///
/// # Errors
/// [`Refusal`] when the instruction has no meaning here or its operands contradict its definition; no operand is
/// changed then.
pub fn eval(inst: &mut Inst<'_>) -> Result<(), Refusal> {
    match meaning(inst.op) {
        Some(f) => f(inst),
        None => Err(Refusal::Unsupported(format!("instruction `{}`", inst.op))),
    }
}

/// The tables of the instruction families.
const FAMILIES: &[&[(&str, Meaning)]] = &[
    convert::MEANINGS,
    elementwise::MEANINGS,
    expand::MEANINGS,
    fused::MEANINGS,
    generate::MEANINGS,
    global::MEANINGS,
    img2col::MEANINGS,
    matmul::MEANINGS,
    moves::MEANINGS,
    part::MEANINGS,
    quant::MEANINGS,
    rearrange::MEANINGS,
    reduce::MEANINGS,
    select::MEANINGS,
    sort::MEANINGS,
];

/// True where the definition of an instruction says nothing about element `(r, c)` of a destination tile: around what a
/// move or a product makes valid, an implementation may leave anything.
pub fn leaves_open(op: &str, dst: &Tile, r: u64, c: u64) -> bool {
    let (rows, cols) = match op {
        "tload" => global::padded(dst),
        "tmov" | "tmov_fp" | "textract" | "textract_fp" | "textract_nd2xnz" | "timg2col" => {
            (dst.valid_rows, dst.valid_cols)
        }
        _ if op.starts_with("tmatmul") || op.starts_with("tgemv") => (dst.valid_rows, dst.valid_cols),
        _ => return false,
    };
    r >= rows || c >= cols
}

/// The names of all instructions with a meaning.
pub fn instructions() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().copied().flatten().map(|&(name, _)| name)
}

/// The meaning of an instruction by its name in lower case; `None` when there is none.
pub fn meaning(op: &str) -> Option<Meaning> {
    FAMILIES.iter().copied().flatten().find(|(name, _)| *name == op).map(|&(_, meaning)| meaning)
}
