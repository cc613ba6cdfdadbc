//! Cases that cannot pass, each with its reason. `docs/conformance.md` lists the same.

/// Recorded sequences that do not give what the instruction means, by a defect of the reference or by what a recording can
/// hold: pattern over `target/instruction/case` (`*` stands for any text) and reason.
pub const TRACES: &[(&str, &str)] = &[
    ("a2a3/tci/*_desc_tmp", "the reference negates the start of a descending sequence that it makes in tmp"),
    ("a2a3/tcmp*/*_v1x1_*", "bits behind the last column share its byte and are undefined"),
    ("a2a3/tcmps/i32_*_lt", "the reference compares 32-bit integers for equality whatever it was asked"),
    ("a2a3/tfillpad/*_560x16_v540x9_*", "the reference asks for 285 repeats; the field holds 8 bits"),
    ("a2a3/tfillpad/*_600x16_v560x9_*", "the reference asks for 305 repeats; the field holds 8 bits"),
    (
        "a2a3/tfillpad/inplace_min_srcnull_f32_16x64_v3x3_d0x0",
        "the reference fills only up to the valid rows of dst, here none",
    ),
    ("a2a3/tfillpad/mat_null_*", "the reference leaves the last 32 bytes of a row to the load, which filled them up"),
    ("a2a3/tfillpad/mat_row_aligned_padding_*", "the reference fills rows only up to the next multiple of 16"),
    (
        "a2a3/tfillpad/normal_min_srcnull_f32_16x64_v12x50_d10x64",
        "the reference fills only up to the valid rows of dst, here fewer than src has",
    ),
    (
        "a2a3/tgather/*_cmp_*",
        "how many elements are kept decides what scalar code does; the recording has a made-up number",
    ),
    ("a2a3/tgatherb/i32_8x128_v7x100", "the reference gathers eight blocks of a row, which has sixteen"),
    ("a2a3/timg2col/*_a_manual_*", "the feature map registers were set before the recording"),
    ("a2a3/tload/mat_fractal_z4_*", "the reference reads filters without the gap of a larger N in global memory"),
    ("a2a3/tload/mat_fractal_z5_f*", "the reference reads filters without the gap of a larger N in global memory"),
    ("a2a3/tload/mat_fractal_z5_i8", "the reference reads filters without the gap of a larger N in global memory"),
    ("a2a3/tload/mat_ndc1hwc0_strided_*", "the reference reads rows without the gap of a wider map in global memory"),
    (
        "a2a3/tpairreducesum/*_static",
        "the reference counts the destination's repeat stride in 32 bytes; the hardware counts it in 128",
    ),
    ("a2a3/tpartarg*/f16_8x256_v7x200_*", "the reference works on the first repeat of a row only"),
    ("a2a3/tpow/*_negbase", "scalar code goes by vector results, which the recording does not have"),
    ("a2a3/tpows/*_special_*", "scalar code goes by vector results, which the recording does not have"),
    ("a2a3/trow*/*_dstdn_tmp32", "the reference overwrites rows in a tmp that is narrower than a repeat"),
    ("a2a3/trow*/*_dstdn_tmp64", "the reference overwrites rows in a tmp that is narrower than a repeat"),
    ("a2a3/ttrans/conv_gnc1hwc0_to_fractal_z_n14_*", "the reference takes groups of 14 images to lie 16 images apart"),
    ("a5/event/*", "a recording of flags alone; there is no instruction to compare with"),
    ("a5/mgather/*_8x64_*", "only the launch of the threads was recorded, not their accesses"),
    ("a5/mgather/row_*_64x128_*", "only the launch of the threads was recorded, not their accesses"),
    ("a5/mscatter/*_8x64_*", "only the launch of the threads was recorded, not their accesses"),
    ("a5/mscatter/row_*_16x128_*", "only the launch of the threads was recorded, not their accesses"),
    ("a5/op_pipe/*", "a table of pipes; there is no instruction to compare with"),
    ("a5/syncall*", "a recording of flags alone; there is no instruction to compare with"),
    ("a5/t*s/?64_4x96_s96_v3x69", "the reference works on the first 64 columns of 64-bit elements"),
    ("a5/tcol*/?64_5x96_d96_v5x69", "the reference works on the first 64 columns of 64-bit elements"),
    ("a5/tconcat/i8_4x256_256_*", "the reference computes offsets above 255 in 8 bits"),
    ("a5/tcvt/*_odd_*", "the reference does not pass this rounding on"),
    ("a5/tcvt/f*_to_hif8_*_satoff*", "the reference has one sequence, and leaves saturation to the control word"),
    ("a5/tcvt/f32_to_f8e4m3_*_satoff*", "the reference has one sequence, and leaves saturation to the control word"),
    ("a5/tcvt/f32_to_f8e5m2_*_satoff*", "the reference has one sequence, and leaves saturation to the control word"),
    ("a5/tcvt/i16_to_u32_*_satoff*", "the reference has one sequence, which saturates"),
    (
        "a5/tdivs/i32_4x64_s64_v3x13_sdt",
        "scalar code divides by what vector code left, which the recording does not have",
    ),
    ("a5/textract/acc_mat_*_i0_8", "column 8 lies inside a box of the accumulator: the copy has no such window"),
    ("a5/textract/acc_vec_acc_vec_f32_f16_*", "the reference drops the relu of this form"),
    (
        "a5/tfillpad/expand_f16_custom*",
        "the recorded padding of the tile is another than the one that the call was made with",
    ),
    ("a5/tfillpad/mat_f32_null_*", "the reference fills with zeros where nothing is to be filled"),
    ("a5/tfused*/f16_5x64_*", "the reference advances the destination twice for a register"),
    ("a5/tfused*/f32_1x128_*_v1x67", "the reference advances the destination twice for a register"),
    ("a5/tfused*/f32_1x64_*", "the reference advances the destination twice for a register"),
    ("a5/tfused*/f32_5x32_*", "the reference advances the destination twice for a register"),
    ("a5/tfused*/f32_8x64_s64_v8x64", "the reference advances the destination twice for a register"),
    ("a5/tgather/cmp_eq_*", "scalar code goes by vector results, which the recording does not have"),
    ("a5/tgather/mask_p*_row_*", "the reference packs what it keeps of all rows one row after another"),
    ("a5/tgather/mask_p1000_col_f16_*", "the reference goes on behind the last row of dst"),
    ("a5/timg2col/*_auto_*", "the repeat register asks for a second move, which is none of this instruction"),
    ("a5/timg2col/*_manual_*", "the feature map registers were set before the recording"),
    ("a5/tinsert/acc_plain_*_i3_5", "column 5 lies inside a box of the destination: the copy has no such window"),
    ("a5/tinsert/acc_relu_*_i1_8", "column 8 lies inside a box of the destination: the copy has no such window"),
    (
        "a5/tinsert/acc_relu_normal_relu_acc_i32_i32_*",
        "the reference asks for no channel split, which i32 needs in boxes of 512 bytes",
    ),
    ("a5/tinsert/acc_scalar_quant_no_relu_acc_f32_f32_*", "the reference drops the scale of this form"),
    (
        "a5/tinsert/acc_scalar_quant_no_relu_acc_f32_f8e4m3_*",
        "the reference passes the mode that reads a vector of scales",
    ),
    ("a5/tinsert/acc_vec_dual_split_*_s32x32_v31x30_*", "31 x 30 elements have no halves in whole boxes"),
    ("a5/tinsert/vec_mat_nz_*_i3_20", "column 20 lies inside a box of the destination: the copy has no such window"),
    (
        "a5/tmov/acc_mat_acc_mat_i32_i32_*",
        "the reference asks for no channel split, which i32 needs in boxes of 512 bytes",
    ),
    ("a5/tmov/vec_mat_nz_*_s32x32_v17x32", "the reference computes a gap below zero when dst has more rows than src"),
    ("a5/tmov/zz_dn_*", "this form transposes as well"),
    ("a5/tmuladddst/f16_5x64_*", "the reference advances the destination twice for a register"),
    ("a5/tmuladddst/f32_1x64_*", "the reference advances the destination twice for a register"),
    ("a5/tmuladddst/f32_8x64_s64_v8x64", "the reference advances the destination twice for a register"),
    ("a5/tneg/i64_4x96_s96_v3x69", "the reference works on the first 64 columns of 64-bit elements"),
    ("a5/tpairreducesum/f16_5x64_*", "the reference packs the sums of all rows one row after another"),
    ("a5/tpairreducesum/f32_5x32_*", "the reference packs the sums of all rows one row after another"),
    ("a5/tpairreducesum/f32_8x64_s64_v8x64", "the reference packs the sums of all rows one row after another"),
    ("a5/tpop/*", "several calls in a row; no instruction has this meaning"),
    ("a5/tprefetch/*", "the copy is the hint; nothing is defined to change"),
    ("a5/tpush/*", "several calls in a row; no instruction has this meaning"),
    ("a5/trem/i*", "the reference keeps the sign of the dividend"),
    ("a5/trems/i*", "the reference keeps the sign of the dividend"),
    ("a5/trowmin/u8_*x253_*", "the reference lets the element behind an odd last column take part"),
    ("a5/trowmin/u8_*x257_*", "the reference lets the element behind an odd last column take part"),
    ("a5/trowsum/i64_4x96_v3x69_*", "the reference works on the first 64 columns of 64-bit elements"),
    ("a5/tsel/i8_4x512_*", "the reference steps 16 bytes through the mask for 256 elements"),
    ("a5/tsel/i8_5x768_*", "the reference steps 16 bytes through the mask for 256 elements"),
    ("a5/ttrans/gnc1hwc0_fz_f16", "the reference takes groups of 14 images to lie 16 images apart"),
];

/// Recorded values that are not what the instruction means: pattern over `instruction/case` and reason.
pub const GOLDEN: &[(&str, &str)] = &[
    ("texpands/f16_mat_nz", "the recording fills the valid region; both targets fill the whole of a Mat tile"),
    (
        "tload/nd_vec_f32_pad_max",
        "the recording pads the whole tile; both targets pad a row up to its last 32-byte block",
    ),
    ("tmax/bf16_special", "the recording drops a NaN in the second source; the vector unit keeps it"),
    ("tmin/bf16_special", "the recording drops a NaN in the second source; the vector unit keeps it"),
    ("tmin/f16_special", "the recording drops a NaN in the second source; the vector unit keeps it"),
    (
        "tpartarg*/i*",
        "of equal values the recording takes the second; both targets, which have no integers here, take the first",
    ),
    (
        "trandom/i32_r7",
        "the recording stores the first words of all lanes, then the second; a5 keeps the four words of a lane together",
    ),
    (
        "tscatter/*_index_flat",
        "the recording leaves elements that no index names; both targets clear the whole destination first",
    ),
];

/// The reason why a case is left out.
pub fn reason(table: &[(&'static str, &'static str)], id: &str) -> Option<&'static str> {
    table.iter().find(|(pattern, _)| matches(pattern, id)).map(|(_, why)| *why)
}

/// Whether a text has the form of a pattern in which `*` stands for any text and `?` for one letter.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    // Where the last `*` is, and how far the text behind it was tried.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == b'?' || *c == text[t] => (p, t) = (p + 1, t + 1),
            _ => match &mut star {
                Some((at, from)) => {
                    *from += 1;
                    (p, t) = (*at + 1, *from);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("a/b/c", "a/b/c"));
        assert!(!matches("a/b", "a/b/c"));
        assert!(matches("a/*", "a/b/c"));
        assert!(matches("a/*_x*/*9", "a/f_x1/19"));
        assert!(!matches("a/*_x*9", "a/f_x1"));
    }
}
