//! The enumeration attributes: words and codes.

use super::schema::EnumDef;

const fn inner(kind: &'static str, values: &'static [(&'static str, u32)]) -> EnumDef {
    EnumDef { kind, spaced: false, values }
}

const fn spaced(kind: &'static str, values: &'static [(&'static str, u32)]) -> EnumDef {
    EnumDef { kind, spaced: true, values }
}

/// What a cube product tells the unit flag of its accumulator block.
pub static ACC_PHASE: EnumDef = spaced("acc_phase", &[("unspecified", 0), ("partial", 2), ("final", 3)]);

/// Atomic operation of a store from the accumulator.
pub static ACC_STORE_ATOMIC_OP: EnumDef = spaced("acc_store_atomic_op", &[("add", 0), ("max", 1), ("min", 2)]);

/// Element type of an atomic store from the accumulator.
pub static ACC_STORE_ATOMIC_TYPE: EnumDef =
    spaced("acc_store_atomic_type", &[("f32", 1), ("f16", 2), ("s16", 3), ("s32", 4), ("s8", 5), ("bf16", 6)]);

/// Layout change of a store from the accumulator.
pub static ACC_STORE_MODE: EnumDef = spaced("acc_store_mode", &[("nz2nd", 0), ("nz2dn", 1), ("nz2nz", 2)]);

/// Saturation of a store from the accumulator.
pub static ACC_STORE_SAT_MODE: EnumDef =
    spaced("acc_store_sat_mode", &[("sat", 0), ("nosat", 1), ("sat_preserve_nan", 2)]);

/// How a store from the accumulator is divided between the two vector cores.
pub static ACC_STORE_UB_DST_MODE: EnumDef =
    spaced("acc_store_ub_dst_mode", &[("single", 0), ("split_m", 1), ("split_n", 2)]);

/// Which vector core, or which half of each, a move from the accumulator reaches.
pub static ACC_TO_VEC_MODE: EnumDef = inner(
    "acc_to_vec_mode",
    &[("single_mode_vec0", 0), ("single_mode_vec1", 1), ("dual_mode_split_m", 2), ("dual_mode_split_n", 3)],
);

/// A memory.
pub static ADDRESS_SPACE: EnumDef = inner(
    "address_space",
    &[
        ("zero", 0),
        ("gm", 1),
        ("mat", 2),
        ("left", 3),
        ("right", 4),
        ("acc", 5),
        ("vec", 6),
        ("bias", 7),
        ("scaling", 8),
    ],
);

/// What a store does with the value in global memory.
pub static ATOMIC_TYPE: EnumDef = spaced("atomic_type", &[("atomic_none", 0), ("atomic_add", 1)]);

/// Base layout of a tile.
pub static BLAYOUT: EnumDef = inner("blayout", &[("row_major", 0), ("col_major", 1)]);

/// Comparison of elements.
pub static CMP: EnumDef = spaced("cmp", &[("eq", 0), ("ne", 1), ("lt", 2), ("le", 3), ("gt", 4), ("ge", 5)]);

/// Unit of an indexed access to global memory: whole rows or single elements.
pub static COALESCE: EnumDef = spaced("coalesce", &[("row", 0), ("elem", 1)]);

/// Compact storage of a tile.
pub static COMPACT_MODE: EnumDef = inner("compact_mode", &[("null", 0), ("normal", 1), ("row_plus_one", 2)]);

/// Layout change of a fractal load.
pub static CUBE_LOAD_FRAC_MODE: EnumDef = spaced("cube_load_frac_mode", &[("nd2nz", 0), ("dn2nz", 1)]);

/// Extent of a data cache clean and invalidate.
pub static DCCI_CACHE_LINE: EnumDef = inner("dcci_cache_line", &[("SINGLE_CACHE_LINE", 0), ("ENTIRE_DATA_CACHE", 1)]);

/// Which cache lines a clean and invalidate reaches.
pub static DCCI_DST: EnumDef =
    inner("dcci_dst", &[("CACHELINE_ALL", 0), ("CACHELINE_UB", 1), ("CACHELINE_OUT", 2), ("CACHELINE_ATOMIC", 3)]);

/// Algorithm of a quotient.
pub static DIV_PRECISION: EnumDef = spaced("div_precision", &[("default", 0), ("high_precision", 1)]);

/// Memory whose accesses a barrier waits for.
pub static DSB_MEM: EnumDef = inner("dsb_mem", &[("ALL", 0), ("DDR", 1), ("UB", 2), ("SEQ", 3)]);

/// An event flag.
pub static EVENT: EnumDef = inner(
    "event",
    &[
        ("EVENT_ID0", 0),
        ("EVENT_ID1", 1),
        ("EVENT_ID2", 2),
        ("EVENT_ID3", 3),
        ("EVENT_ID4", 4),
        ("EVENT_ID5", 5),
        ("EVENT_ID6", 6),
        ("EVENT_ID7", 7),
    ],
);

/// Algorithm of an exponential.
pub static EXP_PRECISION: EnumDef = spaced("exp_precision", &[("default", 0), ("high_precision", 1)]);

/// Memory that a fence makes visible.
pub static FENCE_SCOPE: EnumDef = inner("fence_scope", &[("local_memory", 0), ("gm", 1), ("all", 2)]);

/// Algorithm of a C remainder.
pub static FMOD_PRECISION: EnumDef = spaced("fmod_precision", &[("default", 0), ("high_precision", 1)]);

/// Core that a function runs on.
pub static FUNC_CORE_TYPE: EnumDef = inner("func_core_type", &[("AIC", 1), ("AIV", 2), ("MIX", 3), ("AIC_OR_AIV", 4)]);

/// What a gather reads for an index out of range.
pub static GATHER_OOB: EnumDef = spaced("gather_oob", &[("undefined", 0), ("clamp", 1), ("wrap", 2), ("zero", 3)]);

/// Core that a module or function is for.
pub static KERNEL_KIND: EnumDef = inner("kernel_kind", &[("cube", 0), ("vector", 1)]);

/// Use of the first-level cache.
pub static L1CACHE: EnumDef = inner("l1cache", &[("uncache", 0), ("cache", 1)]);

/// Layout of a tensor in global memory.
pub static LAYOUT: EnumDef = inner("layout", &[("nd", 0), ("dn", 1), ("nz", 2), ("mx_a_zz", 3), ("mx_b_nn", 4)]);

/// Second-level cache hint of a load.
pub static LD_L2CACHE: EnumDef = inner(
    "ld_l2cache",
    &[
        ("nmfv", 0),
        ("nmlv", 1),
        ("nmprs", 2),
        ("nmpref", 3),
        ("nakeep", 4),
        ("naclean", 5),
        ("nadrop", 6),
        ("idsfv", 8),
        ("idslv", 9),
        ("idsprs", 10),
        ("idspref", 11),
        ("exfv", 12),
        ("exlv", 13),
        ("exprs", 14),
        ("expref", 15),
    ],
);

/// Algorithm of a logarithm.
pub static LOG_PRECISION: EnumDef = spaced("log_precision", &[("default", 0), ("high_precision", 1)]);

/// Saturation of a cube product.
pub static MAD_SAT_MODE: EnumDef = spaced("mad_sat_mode", &[("sat", 0), ("nosat", 1)]);

/// Unit flag use of a cube product.
pub static MAD_UNIT_FLAG_MODE: EnumDef = spaced("mad_unit_flag_mode", &[("check_only", 0), ("check_and_set", 1)]);

/// Fixed lane pattern.
pub static MASK_PATTERN: EnumDef = inner(
    "mask_pattern",
    &[("P0101", 1), ("P1010", 2), ("P0001", 3), ("P0010", 4), ("P0100", 5), ("P1000", 6), ("P1111", 7)],
);

/// Which accesses a vector memory barrier orders: V vector, S scalar, ST store, LD load.
pub static MEMBAR: EnumDef = inner(
    "membar",
    &[
        ("VV_ALL", 0),
        ("VST_VLD", 1),
        ("VLD_VST", 2),
        ("VST_VST", 3),
        ("VS_ALL", 4),
        ("VST_LD", 5),
        ("VLD_ST", 6),
        ("VST_ST", 7),
        ("SV_ALL", 8),
        ("ST_VLD", 9),
        ("LD_VST", 10),
        ("ST_VST", 11),
        ("SS_ALL", 12),
        ("ST_LD", 13),
        ("LD_ST", 14),
        ("ST_ST", 15),
    ],
);

/// Cores that a module holds code for.
pub static MODULE_CORE_TYPE: EnumDef = inner("module_core_type", &[("AIC", 1), ("AIV", 2), ("MIX", 3)]);

/// Axis along which elements share an exponent.
pub static MX_GROUP_AXIS: EnumDef = spaced("mx_group_axis", &[("axis0", 0), ("axis1", 1)]);

/// What a notification does with the signal word.
pub static NOTIFY_OP: EnumDef = spaced("notify_op", &[("atomic_add", 0), ("set", 1)]);

/// Value in the padding of a tile.
pub static PAD_VALUE: EnumDef = inner("pad_value", &[("null", 0), ("zero", 1), ("max", 2), ("min", 3)]);

/// What a load writes around the loaded elements.
pub static PADMODE: EnumDef = inner("padmode", &[("PadNull", 0), ("PadFirstElem", 1), ("PadValue", 2)]);

/// A pipe.
pub static PIPE: EnumDef = inner(
    "pipe",
    &[
        ("PIPE_S", 0),
        ("PIPE_V", 1),
        ("PIPE_M", 2),
        ("PIPE_MTE1", 3),
        ("PIPE_MTE2", 4),
        ("PIPE_MTE3", 5),
        ("PIPE_ALL", 6),
        ("PIPE_MTE4", 7),
        ("PIPE_MTE5", 8),
        ("PIPE_V2", 9),
        ("PIPE_FIX", 10),
        ("VIRTUAL_PIPE_MTE2_L1A", 11),
        ("VIRTUAL_PIPE_MTE2_L1B", 12),
        ("PIPE_NUM", 13),
        ("PIPE_UNASSIGNED", 99),
    ],
);

/// Operation class of a high-level event.
pub static PIPE_EVENT_TYPE: EnumDef = inner(
    "pipe_event_type",
    &[
        ("TLOAD", 0),
        ("TSTORE_ACC", 1),
        ("TSTORE_VEC", 2),
        ("TMOV_M2L", 3),
        ("TMOV_M2S", 4),
        ("TMOV_M2B", 5),
        ("TMOV_M2V", 6),
        ("TMOV_V2M", 7),
        ("TMATMUL", 8),
        ("TVEC", 9),
        ("TVECWAIT_EVENT", 10),
    ],
);

/// Algorithm of a power.
pub static POW_PRECISION: EnumDef = spaced("pow_precision", &[("default", 0), ("high_precision", 1)]);

/// Width and precision of printed numbers.
pub static PRINT_FORMAT: EnumDef =
    spaced("print_format", &[("width8_precision4", 0), ("width8_precision2", 1), ("width10_precision6", 2)]);

/// Conversion on the way out of the accumulator.
pub static QUANT_PRE_MODE: EnumDef = spaced(
    "quant_pre_mode",
    &[
        ("no_convert", 0),
        ("f32_f16", 1),
        ("qf322hif8_pre_vec", 2),
        ("qf322hif8_pre_scalar", 3),
        ("qf322hif8_pre_hybrid_vec", 4),
        ("qf322hif8_pre_hybrid_scalar", 5),
        ("deqs32_int_vec", 6),
        ("deqs32_int_scalar", 7),
        ("req8_vec", 8),
        ("req8_scalar", 9),
        ("deqf16_vec", 10),
        ("deqf16_scalar", 11),
        ("qf322fp8_pre_vec", 12),
        ("qf322fp8_pre_scalar", 13),
        ("qf322f32_pre_vec", 14),
        ("qf322f32_pre_scalar", 15),
        ("f32_bf16", 16),
        ("qf162b8_pre_vec", 17),
        ("qf162b8_pre_scalar", 18),
        ("qf162s4_pre_vec", 19),
        ("qf162s4_pre_scalar", 20),
        ("req4_vec", 21),
        ("req4_scalar", 22),
        ("qf322b8_pre_vec", 23),
        ("qf322b8_pre_scalar", 24),
        ("qf322s4_pre_vec", 25),
        ("qf322s4_pre_scalar", 26),
        ("deqs16_vec", 27),
        ("deqs16_scalar", 28),
        ("qf162s16_pre_vec", 29),
        ("qf162s16_pre_scalar", 30),
        ("qf322f16_pre_vec", 31),
        ("qf322f16_pre_scalar", 32),
        ("qf322bf16_pre_vec", 33),
        ("qf322bf16_pre_scalar", 34),
        ("qs322bf16_pre_vec", 35),
        ("qs322bf16_pre_scalar", 36),
    ],
);

/// How the shared exponent of a group is chosen.
pub static QUANT_SCALE_ALG: EnumDef = spaced("quant_scale_alg", &[("ocp", 0), ("nv", 1)]);

/// Target format of a quantisation.
pub static QUANT_TYPE: EnumDef =
    spaced("quant_type", &[("INT8_SYM", 0), ("INT8_ASYM", 1), ("MXFP8", 2), ("MXFP4_E2M1", 3)]);

/// Algorithm of a reciprocal.
pub static RECIP_PRECISION: EnumDef = spaced("recip_precision", &[("default", 0), ("high_precision", 1)]);

/// Operation of a reduction over ranks.
pub static REDUCE_OP: EnumDef = spaced("reduce_op", &[("sum", 0), ("max", 1), ("min", 2)]);

/// Rectifier on the way out of the accumulator.
pub static RELU_PRE_MODE: EnumDef =
    spaced("relu_pre_mode", &[("no_relu", 0), ("normal_relu", 1), ("scalar_relu", 2), ("vector_relu", 3), ("pwl", 4)]);

/// Algorithm of a remainder.
pub static REM_PRECISION: EnumDef = spaced("rem_precision", &[("default", 0), ("high_precision", 1)]);

/// Rounding of a conversion.
pub static ROUND_MODE: EnumDef = spaced(
    "round_mode",
    &[("NONE", 0), ("RINT", 1), ("ROUND", 2), ("FLOOR", 3), ("CEIL", 4), ("TRUNC", 5), ("ODD", 6), ("CAST_RINT", 7)],
);

/// Rounding of a scalar conversion.
pub static ROUNDING: EnumDef =
    inner("rounding", &[("r", 0), ("a", 1), ("f", 2), ("c", 3), ("z", 4), ("o", 5), ("h", 6)]);

/// Algorithm of a reciprocal square root.
pub static RSQRT_PRECISION: EnumDef = spaced("rsqrt_precision", &[("default", 0), ("high_precision", 1)]);

/// Saturation of a scalar conversion.
pub static SATURATION: EnumDef = inner("saturation", &[("nosat", 0), ("sat", 1)]);

/// Saturation of a tile conversion.
pub static SATURATION_MODE: EnumDef = spaced("saturation_mode", &[("ON", 0), ("OFF", 1)]);

/// What a scatter does with the value in global memory.
pub static SCATTER_ATOMIC_OP: EnumDef = spaced("scatter_atomic_op", &[("none", 0), ("add", 1), ("max", 2), ("min", 3)]);

/// Which of several values for one place a scatter keeps.
pub static SCATTER_CONFLICT: EnumDef = spaced("scatter_conflict", &[("default", 0), ("last", 1)]);

/// What a scatter does with an index out of range.
pub static SCATTER_OOB: EnumDef = spaced("scatter_oob", &[("undefined", 0), ("skip", 1), ("clamp", 2), ("wrap", 3)]);

/// How integer bits are read.
pub static SIGNEDNESS: EnumDef = inner("signedness", &[("signed", 0), ("unsigned", 1)]);

/// Layout inside a fractal.
pub static SLAYOUT: EnumDef = inner("slayout", &[("none_box", 0), ("row_major", 1), ("col_major", 2)]);

/// Algorithm of a square root.
pub static SQRT_PRECISION: EnumDef = spaced("sqrt_precision", &[("default", 0), ("high_precision", 1)]);

/// Second-level cache hint of a store.
pub static ST_L2CACHE: EnumDef = inner(
    "st_l2cache",
    &[
        ("nmfv", 0),
        ("nmlv", 1),
        ("nmprs", 2),
        ("nmred", 3),
        ("naci", 4),
        ("napw", 5),
        ("napi", 6),
        ("nared", 7),
        ("wbhfv", 8),
        ("wbhlv", 9),
        ("wbhprs", 10),
        ("wbhred", 11),
        ("wtsfv", 12),
        ("wtslv", 13),
        ("wtsprs", 14),
        ("wtsred", 15),
    ],
);

/// What a drain of the accumulator does with the unit flag of the block.
pub static ST_PHASE: EnumDef = spaced("st_phase", &[("unspecified", 0), ("partial", 2), ("final", 3)]);

/// Rendezvous in hardware or with counters in global memory.
pub static SYNC_ALL_MODE: EnumDef = inner("sync_all_mode", &[("hard", 0), ("soft", 1)]);

/// Cores that take part in a rendezvous.
pub static SYNC_CORE_TYPE: EnumDef = inner("sync_core_type", &[("aiv_only", 0), ("aic_only", 1), ("mix", 2)]);

/// Operation class of a high-level barrier.
pub static SYNC_OP_TYPE: EnumDef = inner(
    "sync_op_type",
    &[
        ("TLOAD", 0),
        ("TSTORE_ACC", 1),
        ("TSTORE_VEC", 2),
        ("TMOV_M2L", 3),
        ("TMOV_M2S", 4),
        ("TMOV_M2B", 5),
        ("TMOV_M2V", 6),
        ("TMOV_V2M", 7),
        ("TMATMUL", 8),
        ("TVEC", 9),
        ("TVECWAIT_EVENT", 10),
    ],
);

/// Rounding of f32 operands to tf32.
pub static TF32_MODE: EnumDef = spaced("tf32_mode", &[("round_even", 0), ("round_away", 1)]);

/// Number of transfers of a split insert.
pub static TINSERT_MODE: EnumDef = inner("tinsert_mode", &[("split2", 2), ("split4", 3)]);

/// Unit flag use of a store from the accumulator.
pub static UNIT_FLAG_CTRL: EnumDef = spaced("unit_flag_ctrl", &[("off", 0), ("check_only", 2), ("check_and_clear", 3)]);

/// Layout of quantised data.
pub static VEC_STORE_MODE: EnumDef = spaced("vec_store_mode", &[("nd", 0), ("nz", 1)]);

/// Comparison of a signal word.
pub static WAIT_CMP: EnumDef = spaced("wait_cmp", &[("eq", 0), ("ne", 1), ("gt", 2), ("ge", 3), ("lt", 4), ("le", 5)]);

/// All of them.
pub static ALL: &[&EnumDef] = &[
    &ACC_PHASE,
    &ACC_STORE_ATOMIC_OP,
    &ACC_STORE_ATOMIC_TYPE,
    &ACC_STORE_MODE,
    &ACC_STORE_SAT_MODE,
    &ACC_STORE_UB_DST_MODE,
    &ACC_TO_VEC_MODE,
    &ADDRESS_SPACE,
    &ATOMIC_TYPE,
    &BLAYOUT,
    &CMP,
    &COALESCE,
    &COMPACT_MODE,
    &CUBE_LOAD_FRAC_MODE,
    &DCCI_CACHE_LINE,
    &DCCI_DST,
    &DIV_PRECISION,
    &DSB_MEM,
    &EVENT,
    &EXP_PRECISION,
    &FENCE_SCOPE,
    &FMOD_PRECISION,
    &FUNC_CORE_TYPE,
    &GATHER_OOB,
    &KERNEL_KIND,
    &L1CACHE,
    &LAYOUT,
    &LD_L2CACHE,
    &LOG_PRECISION,
    &MAD_SAT_MODE,
    &MAD_UNIT_FLAG_MODE,
    &MASK_PATTERN,
    &MEMBAR,
    &MODULE_CORE_TYPE,
    &MX_GROUP_AXIS,
    &NOTIFY_OP,
    &PAD_VALUE,
    &PADMODE,
    &PIPE,
    &PIPE_EVENT_TYPE,
    &POW_PRECISION,
    &PRINT_FORMAT,
    &QUANT_PRE_MODE,
    &QUANT_SCALE_ALG,
    &QUANT_TYPE,
    &RECIP_PRECISION,
    &REDUCE_OP,
    &RELU_PRE_MODE,
    &REM_PRECISION,
    &ROUND_MODE,
    &ROUNDING,
    &RSQRT_PRECISION,
    &SATURATION,
    &SATURATION_MODE,
    &SCATTER_ATOMIC_OP,
    &SCATTER_CONFLICT,
    &SCATTER_OOB,
    &SIGNEDNESS,
    &SLAYOUT,
    &SQRT_PRECISION,
    &ST_L2CACHE,
    &ST_PHASE,
    &SYNC_ALL_MODE,
    &SYNC_CORE_TYPE,
    &SYNC_OP_TYPE,
    &TF32_MODE,
    &TINSERT_MODE,
    &UNIT_FLAG_CTRL,
    &VEC_STORE_MODE,
    &WAIT_CMP,
];

/// The enumeration of that kind word.
pub fn by_kind(kind: &str) -> Option<&'static EnumDef> {
    ALL.iter().copied().find(|e| e.kind == kind)
}
