//! Registers that the scalar unit writes and an instruction takes along when it is issued.

/// How A2/A3 vector instructions read the mask register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MaskMode {
    /// One bit a lane of each repeat.
    #[default]
    Norm,
    /// A number of elements.
    Count,
}

/// The registers. Packed words keep the bit layout of the intrinsic that sets them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Special {
    /// Mask mode (A2/A3).
    pub mask_mode: MaskMode,
    /// Vector mask: lanes 0 to 63 in the low half; the element count in count mode (A2/A3).
    pub mask: u128,
    /// Control word.
    pub ctrl: u64,
    /// Scale of `vconv_deq` (A2/A3).
    pub deqscale: u64,
    /// Scalar quantisation word of the fixpipe.
    pub quant_pre: u64,
    /// Address word of the fixpipe parameters.
    pub fpc: u64,
    /// Matrices of a nz2nd store (`set_nd_para`, A2/A3).
    pub nd_para: u64,
    /// `set_loop3_para` (A5).
    pub loop3_para: u64,
    /// `set_channel_para` (A5).
    pub channel_para: u64,
    /// Pad bits of loads into UB.
    pub pad_val: u64,
    /// Whether [`Special::pad_val`] was ever set.
    pub pad_val_set: bool,
    /// Pad bits of loads into L1.
    pub pad_val_l1: u64,
    /// Loop registers of loads into UB, loads into L1 and stores: size word, loop 1 strides, loop 2 strides (A5).
    pub loops: [[u64; 3]; 3],
    /// `set_mte2_nz_para` (A5).
    pub mte2_nz_para: u64,
    /// Feature map words of img2col: plain and `_b`.
    pub fmatrix: [u64; 2],
    /// Repeat words of img2col: plain and `_b`.
    pub l3d_rpt: [u64; 2],
    /// Pad words of img2col: plain and `_b`.
    pub padding: [u64; 2],
    /// Element type of atomic stores as its `set_atomic_*` suffix number: 0 off, 1 f32, 2 f16, 3 s16, 4 s32, 5 s8, 6 bf16.
    pub atomic_type: u8,
    /// Atomic operation: 0 add, 1 max, 2 min.
    pub atomic_op: u8,
}

impl Default for Special {
    /// As a kernel finds them: norm mode, all lanes on, results keep infinities (control bit 48 set), the rest zero.
    fn default() -> Self {
        Special {
            mask_mode: MaskMode::Norm,
            mask: u128::MAX,
            ctrl: 1 << 48,
            deqscale: 0,
            quant_pre: 0,
            fpc: 0,
            nd_para: 0,
            loop3_para: 0,
            channel_para: 0,
            pad_val: 0,
            pad_val_set: false,
            pad_val_l1: 0,
            loops: [[0; 3]; 3],
            mte2_nz_para: 0,
            fmatrix: [0; 2],
            l3d_rpt: [0; 2],
            padding: [0; 2],
            atomic_type: 0,
            atomic_op: 0,
        }
    }
}
