/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one table of what the instructions of gfx942 and gfx950 do.
 *
 * X(name, kind, leading operands that are written, how the result is computed, flags). A row is for
 * the instruction of that name and for all whose name goes on with an underscore; the longest row
 * that fits counts. Names are without the suffix of an encoding (_e32, _e64, _sdwa, _dpp).
 * An instruction without a row makes the audit's answer "unknown".
 *
 * What its kind does to counters and LDS stands in insn.h. Left out on purpose: what changes the
 * meaning of other instructions (s_set_gpr_idx, s_movrel, s_setvskip), calls, and messages.
 */
#ifndef SWP_AUDIT_AMD_TABLE_H
#define SWP_AUDIT_AMD_TABLE_H

/* Flags. */
enum {
    SWP_AMD_PLAIN = 0,
    SWP_AMD_RMW = 1,  /* what it writes it reads too */
    SWP_AMD_EXEC = 2, /* writes exec besides */
    SWP_AMD_PAIR = 4, /* ds: two parts, offset0 and offset1 in units of the element */
    SWP_AMD_FAR = 8,  /* ds: those in units of 64 elements */
    SWP_AMD_M0 = 16,  /* ds: the address is m0, and the lane's number */
    SWP_AMD_SCC = 32, /* leaves scc as it is, which most scalar instructions write */
    SWP_AMD_RMW_SCC = SWP_AMD_RMW | SWP_AMD_SCC,
    SWP_AMD_BY_SCC = 64, /* reads scc */
    SWP_AMD_OWN = 128,   /* each wave gets a result of its own */
    SWP_AMD_OWN_SCC = SWP_AMD_OWN | SWP_AMD_SCC,
    SWP_AMD_TRAP = 256, /* enters the trap handler */
    SWP_AMD_CHOICE = SWP_AMD_SCC | SWP_AMD_BY_SCC,
    SWP_AMD_RMW_CHOICE = SWP_AMD_RMW | SWP_AMD_CHOICE,
    SWP_AMD_BY_VCC = 512,      /* reads vcc, which is not written out */
    SWP_AMD_BY_SCRATCH = 1024, /* reads flat_scratch */
    SWP_AMD_MODE = 2048,       /* changes the mode that instructions run in */
    SWP_AMD_LANES = 4096, /* takes a mask, or what other lanes hold: lanes get different results */
    SWP_AMD_SHORT = 8192, /* its number has 16 bits: of u32 without a sign, else with one */
    SWP_AMD_SHORT_SCC = SWP_AMD_SHORT | SWP_AMD_SCC,
    SWP_AMD_SHORT_RMW = SWP_AMD_SHORT | SWP_AMD_RMW,
    SWP_AMD_SHORT_RMW_SCC = SWP_AMD_SHORT | SWP_AMD_RMW_SCC,
    SWP_AMD_SHORT_CHOICE = SWP_AMD_SHORT | SWP_AMD_RMW_CHOICE,
    SWP_AMD_RMW_LANES = SWP_AMD_RMW | SWP_AMD_LANES,
    SWP_AMD_LANES_BY_VCC = SWP_AMD_BY_VCC | SWP_AMD_LANES
};

/* clang-format off */
#define SWP_AMD_SYNC(X) \
    X("s_waitcnt", WAIT, 0, UNKNOWN, PLAIN) \
    X("s_barrier", BARRIER, 0, UNKNOWN, PLAIN) \
    X("s_endpgm", END, 0, UNKNOWN, PLAIN) \
    X("s_setpc_b64", RETURN, 0, UNKNOWN, PLAIN) \
    X("s_branch", JUMP, 0, UNKNOWN, PLAIN) \
    X("s_cbranch_scc0", BRANCH, 0, IF_SCC_0, PLAIN) \
    X("s_cbranch_scc1", BRANCH, 0, IF_SCC_1, PLAIN) \
    X("s_cbranch_vccz", BRANCH, 0, IF_VCC_0, PLAIN) \
    X("s_cbranch_vccnz", BRANCH, 0, IF_VCC_NOT_0, PLAIN) \
    X("s_cbranch_execz", BRANCH, 0, IF_EXEC_0, PLAIN) \
    X("s_cbranch_execnz", BRANCH, 0, IF_EXEC_NOT_0, PLAIN) \
    X("s_nop", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_sleep", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_setprio", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_sethalt", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_wakeup", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_icache_inv", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_incperflevel", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_decperflevel", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_ttracedata", NOTHING, 0, UNKNOWN, PLAIN) \
    X("s_setreg", NOTHING, 0, UNKNOWN, MODE) \
    X("s_trap", NOTHING, 0, UNKNOWN, TRAP) \
    X("buffer_inv", NOTHING, 0, UNKNOWN, PLAIN) \
    X("buffer_wbl2", NOTHING, 0, UNKNOWN, PLAIN) \
    X("ds_nop", NOTHING, 0, UNKNOWN, PLAIN) \
    X("v_nop", NOTHING, 0, UNKNOWN, PLAIN)

#define SWP_AMD_SCALAR(X) \
    X("s_load", SCALAR_LOAD, 1, UNKNOWN, PLAIN) \
    X("s_buffer_load", SCALAR_LOAD, 1, UNKNOWN, PLAIN) \
    X("s_scratch_load", SCALAR_LOAD, 1, UNKNOWN, PLAIN) \
    X("s_memtime", SCALAR_LOAD, 1, UNKNOWN, OWN) \
    X("s_memrealtime", SCALAR_LOAD, 1, UNKNOWN, OWN) \
    X("s_mov_b32", SCALAR, 1, MOV, SCC) \
    X("s_mov_b64", SCALAR, 1, COPY_WIDE, SCC) \
    X("s_movk_i32", SCALAR, 1, MOV, SHORT_SCC) \
    X("s_cmov", SCALAR, 1, UNKNOWN, RMW_CHOICE) \
    X("s_cmovk", SCALAR, 1, UNKNOWN, SHORT_CHOICE) \
    X("s_not", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_not_b32", SCALAR, 1, NOT, PLAIN) \
    X("s_not_b64", SCALAR, 1, NOT_WIDE, PLAIN) \
    X("s_wqm", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_brev", SCALAR, 1, UNKNOWN, SCC) \
    X("s_bcnt0", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_bcnt1", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_ff0", SCALAR, 1, UNKNOWN, SCC) \
    X("s_ff1", SCALAR, 1, UNKNOWN, SCC) \
    X("s_flbit", SCALAR, 1, UNKNOWN, SCC) \
    X("s_sext", SCALAR, 1, UNKNOWN, SCC) \
    X("s_bitset0", SCALAR, 1, UNKNOWN, RMW_SCC) \
    X("s_bitset1", SCALAR, 1, UNKNOWN, RMW_SCC) \
    X("s_bitreplicate", SCALAR, 1, UNKNOWN, SCC) \
    X("s_getpc_b64", SCALAR, 1, UNKNOWN, SCC) \
    X("s_getreg_b32", SCALAR, 1, UNKNOWN, OWN_SCC) \
    X("s_quadmask", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_abs", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_absdiff", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_and", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_and_b32", SCALAR, 1, AND, PLAIN) \
    X("s_and_b64", SCALAR, 1, AND_WIDE, PLAIN) \
    X("s_or", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_or_b32", SCALAR, 1, OR, PLAIN) \
    X("s_or_b64", SCALAR, 1, OR_WIDE, PLAIN) \
    X("s_xor", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_xor_b32", SCALAR, 1, XOR, PLAIN) \
    X("s_xor_b64", SCALAR, 1, XOR_WIDE, PLAIN) \
    X("s_andn2", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_andn2_b32", SCALAR, 1, ANDN2, PLAIN) \
    X("s_andn2_b64", SCALAR, 1, ANDN2_WIDE, PLAIN) \
    X("s_orn2", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_orn2_b32", SCALAR, 1, ORN2, PLAIN) \
    X("s_nand", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_nor", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_xnor", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_and_saveexec_b64", SCALAR, 1, SAVE_EXEC_AND, EXEC) \
    X("s_andn2_saveexec_b64", SCALAR, 1, SAVE_EXEC_ANDN2, EXEC) \
    X("s_or_saveexec_b64", SCALAR, 1, SAVE_EXEC_OR, EXEC) \
    X("s_andn1_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_nand_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_nor_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_orn1_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_orn2_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_xnor_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_xor_saveexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_andn1_wrexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_andn2_wrexec_b64", SCALAR, 1, UNKNOWN, EXEC) \
    X("s_add", SCALAR, 1, ADD, PLAIN) \
    X("s_addc_u32", SCALAR, 1, UNKNOWN, BY_SCC) \
    X("s_addk_i32", SCALAR, 1, ADDK, SHORT_RMW) \
    X("s_sub", SCALAR, 1, SUB, PLAIN) \
    X("s_subb_u32", SCALAR, 1, UNKNOWN, BY_SCC) \
    X("s_min_i32", SCALAR, 1, MIN_I32, PLAIN) \
    X("s_min_u32", SCALAR, 1, MIN_U32, PLAIN) \
    X("s_max_i32", SCALAR, 1, MAX_I32, PLAIN) \
    X("s_max_u32", SCALAR, 1, MAX_U32, PLAIN) \
    X("s_cselect", SCALAR, 1, UNKNOWN, CHOICE) \
    X("s_cselect_b32", SCALAR, 1, CHOOSE, CHOICE) \
    X("s_cselect_b64", SCALAR, 1, CHOOSE_WIDE, CHOICE) \
    X("s_lshl_b32", SCALAR, 1, LSHL, PLAIN) \
    X("s_lshl_b64", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_lshr_b32", SCALAR, 1, LSHR, PLAIN) \
    X("s_lshr_b64", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_ashr_i32", SCALAR, 1, ASHR, PLAIN) \
    X("s_ashr_i64", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_lshl1_add_u32", SCALAR, 1, LSHL1_ADD, PLAIN) \
    X("s_lshl2_add_u32", SCALAR, 1, LSHL2_ADD, PLAIN) \
    X("s_lshl3_add_u32", SCALAR, 1, LSHL3_ADD, PLAIN) \
    X("s_lshl4_add_u32", SCALAR, 1, LSHL4_ADD, PLAIN) \
    X("s_bfm", SCALAR, 1, UNKNOWN, SCC) \
    X("s_bfe", SCALAR, 1, UNKNOWN, PLAIN) \
    X("s_bfe_u32", SCALAR, 1, S_BFE, PLAIN) \
    X("s_bfe_i32", SCALAR, 1, S_BFE_I, PLAIN) \
    X("s_mul_i32", SCALAR, 1, MUL, SCC) \
    X("s_mul_hi", SCALAR, 1, UNKNOWN, SCC) \
    X("s_mulk_i32", SCALAR, 1, MULK, SHORT_RMW_SCC) \
    X("s_pack", SCALAR, 1, UNKNOWN, SCC) \
    X("s_cmp_eq_i32", SCALAR, 0, EQ, PLAIN) \
    X("s_cmp_eq_u32", SCALAR, 0, EQ, PLAIN) \
    X("s_cmp_eq_u64", SCALAR, 0, EQ_WIDE, PLAIN) \
    X("s_cmp_lg_i32", SCALAR, 0, NE, PLAIN) \
    X("s_cmp_lg_u32", SCALAR, 0, NE, PLAIN) \
    X("s_cmp_lg_u64", SCALAR, 0, NE_WIDE, PLAIN) \
    X("s_cmp_gt_i32", SCALAR, 0, GT_I32, PLAIN) \
    X("s_cmp_ge_i32", SCALAR, 0, GE_I32, PLAIN) \
    X("s_cmp_lt_i32", SCALAR, 0, LT_I32, PLAIN) \
    X("s_cmp_le_i32", SCALAR, 0, LE_I32, PLAIN) \
    X("s_cmp_gt_u32", SCALAR, 0, GT_U32, PLAIN) \
    X("s_cmp_ge_u32", SCALAR, 0, GE_U32, PLAIN) \
    X("s_cmp_lt_u32", SCALAR, 0, LT_U32, PLAIN) \
    X("s_cmp_le_u32", SCALAR, 0, LE_U32, PLAIN) \
    X("s_cmpk_eq", SCALAR, 0, EQ, SHORT) \
    X("s_cmpk_lg", SCALAR, 0, NE, SHORT) \
    X("s_cmpk_gt_i32", SCALAR, 0, GT_I32, SHORT) \
    X("s_cmpk_ge_i32", SCALAR, 0, GE_I32, SHORT) \
    X("s_cmpk_lt_i32", SCALAR, 0, LT_I32, SHORT) \
    X("s_cmpk_le_i32", SCALAR, 0, LE_I32, SHORT) \
    X("s_cmpk_gt_u32", SCALAR, 0, GT_U32, SHORT) \
    X("s_cmpk_ge_u32", SCALAR, 0, GE_U32, SHORT) \
    X("s_cmpk_lt_u32", SCALAR, 0, LT_U32, SHORT) \
    X("s_cmpk_le_u32", SCALAR, 0, LE_U32, SHORT) \
    X("s_bitcmp0_b32", SCALAR, 0, BIT_IS_0, PLAIN) \
    X("s_bitcmp1_b32", SCALAR, 0, BIT_IS_1, PLAIN) \
    X("s_bitcmp0_b64", SCALAR, 0, UNKNOWN, PLAIN) \
    X("s_bitcmp1_b64", SCALAR, 0, UNKNOWN, PLAIN)

#define SWP_AMD_VECTOR(X) \
    X("v_mov_b32", VECTOR, 1, MOV, PLAIN) \
    X("v_mov_b64", VECTOR, 1, COPY_WIDE, PLAIN) \
    X("v_accvgpr", VECTOR, 1, MOV, PLAIN) \
    X("v_readfirstlane_b32", VECTOR, 1, FIRST_LANE, PLAIN) \
    X("v_readlane_b32", VECTOR, 1, READ_LANE, PLAIN) \
    X("v_writelane_b32", VECTOR, 1, WRITE_LANE, RMW_LANES) \
    X("v_swap_b32", VECTOR, 2, UNKNOWN, RMW) \
    X("v_permlane16_swap_b32", VECTOR, 2, UNKNOWN, RMW_LANES) \
    X("v_permlane32_swap_b32", VECTOR, 2, UNKNOWN, RMW_LANES) \
    X("v_mbcnt_lo_u32_b32", VECTOR, 1, LANES_BELOW_LOW, LANES) \
    X("v_mbcnt_hi_u32_b32", VECTOR, 1, LANES_BELOW_HIGH, LANES) \
    X("v_cndmask_b32", VECTOR, 1, SELECT, LANES) \
    X("v_add", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_add_u32", VECTOR, 1, ADD, PLAIN) \
    X("v_add_co_u32", VECTOR, 2, ADD, PLAIN) \
    X("v_add3_u32", VECTOR, 1, ADD3, PLAIN) \
    X("v_add_lshl_u32", VECTOR, 1, ADD_LSHL, PLAIN) \
    X("v_addc_co_u32", VECTOR, 2, UNKNOWN, LANES) \
    X("v_sub", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_sub_u32", VECTOR, 1, SUB, PLAIN) \
    X("v_sub_co_u32", VECTOR, 2, SUB, PLAIN) \
    X("v_subb_co_u32", VECTOR, 2, UNKNOWN, LANES) \
    X("v_subrev", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_subrev_u32", VECTOR, 1, SUBREV, PLAIN) \
    X("v_subrev_co_u32", VECTOR, 2, SUBREV, PLAIN) \
    X("v_subbrev_co_u32", VECTOR, 2, UNKNOWN, LANES) \
    X("v_and_b32", VECTOR, 1, AND, PLAIN) \
    X("v_and_or_b32", VECTOR, 1, AND_OR, PLAIN) \
    X("v_or_b32", VECTOR, 1, OR, PLAIN) \
    X("v_or3_b32", VECTOR, 1, OR3, PLAIN) \
    X("v_xor_b32", VECTOR, 1, XOR, PLAIN) \
    X("v_xnor_b32", VECTOR, 1, XNOR, PLAIN) \
    X("v_xad_u32", VECTOR, 1, XAD, PLAIN) \
    X("v_not_b32", VECTOR, 1, NOT, PLAIN) \
    X("v_bitop3_b32", VECTOR, 1, BITOP3, PLAIN) \
    X("v_bitop3_b16", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_lshlrev_b32", VECTOR, 1, LSHLREV, PLAIN) \
    X("v_lshlrev", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_lshrrev_b32", VECTOR, 1, LSHRREV, PLAIN) \
    X("v_lshrrev", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_ashrrev_i32", VECTOR, 1, ASHRREV, PLAIN) \
    X("v_ashrrev", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_ashr", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_lshl_add_u32", VECTOR, 1, LSHL_ADD, PLAIN) \
    X("v_lshl_add_u64", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_lshl_or_b32", VECTOR, 1, LSHL_OR, PLAIN) \
    X("v_bfe_u32", VECTOR, 1, BFE, PLAIN) \
    X("v_bfe_i32", VECTOR, 1, BFE_I, PLAIN) \
    X("v_bfi_b32", VECTOR, 1, BFI, PLAIN) \
    X("v_mul", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_mul_lo_u32", VECTOR, 1, MUL, PLAIN) \
    X("v_mul_u32_u24", VECTOR, 1, MUL24, PLAIN) \
    X("v_mad", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_mad_u32_u24", VECTOR, 1, MAD24, PLAIN) \
    X("v_mad_u64_u32", VECTOR, 2, UNKNOWN, PLAIN) \
    X("v_mad_i64_i32", VECTOR, 2, UNKNOWN, PLAIN) \
    X("v_min", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_min_i32", VECTOR, 1, MIN_I32, PLAIN) \
    X("v_min_u32", VECTOR, 1, MIN_U32, PLAIN) \
    X("v_max", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_max_i32", VECTOR, 1, MAX_I32, PLAIN) \
    X("v_max_u32", VECTOR, 1, MAX_U32, PLAIN) \
    X("v_cmp", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_cmp_eq_u32", VECTOR, 1, EQ, PLAIN) \
    X("v_cmp_eq_i32", VECTOR, 1, EQ, PLAIN) \
    X("v_cmp_ne_u32", VECTOR, 1, NE, PLAIN) \
    X("v_cmp_ne_i32", VECTOR, 1, NE, PLAIN) \
    X("v_cmp_lt_u32", VECTOR, 1, LT_U32, PLAIN) \
    X("v_cmp_le_u32", VECTOR, 1, LE_U32, PLAIN) \
    X("v_cmp_gt_u32", VECTOR, 1, GT_U32, PLAIN) \
    X("v_cmp_ge_u32", VECTOR, 1, GE_U32, PLAIN) \
    X("v_cmp_lt_i32", VECTOR, 1, LT_I32, PLAIN) \
    X("v_cmp_le_i32", VECTOR, 1, LE_I32, PLAIN) \
    X("v_cmp_gt_i32", VECTOR, 1, GT_I32, PLAIN) \
    X("v_cmp_ge_i32", VECTOR, 1, GE_I32, PLAIN) \
    X("v_cmpx", VECTOR, 1, UNKNOWN, EXEC) \
    X("v_div", VECTOR, 1, UNKNOWN, PLAIN) \
    X("v_div_fmas", VECTOR, 1, UNKNOWN, LANES_BY_VCC) \
    X("v_div_scale", VECTOR, 2, UNKNOWN, LANES) \
    X("v_fmac", VECTOR, 1, UNKNOWN, RMW) \
    X("v_mac", VECTOR, 1, UNKNOWN, RMW) \
    X("v_pk_fmac", VECTOR, 1, UNKNOWN, RMW) \
    X("v_dot2c", VECTOR, 1, UNKNOWN, RMW) \
    X("v_dot4c", VECTOR, 1, UNKNOWN, RMW) \
    X("v_dot8c", VECTOR, 1, UNKNOWN, RMW) \
    X("v_mfma", MATRIX, 1, UNKNOWN, PLAIN) \
    X("v_smfmac", MATRIX, 1, UNKNOWN, RMW)

/* What no address is made of: a result in the first operand, and nothing else. */
#define SWP_AMD_ARITHMETIC(X) \
    X("v_alignbit") X("v_alignbyte") X("v_bcnt") X("v_bfm") X("v_bfrev") X("v_ceil") X("v_cos") \
    X("v_cubeid") X("v_cubema") X("v_cubesc") X("v_cubetc") X("v_cvt") X("v_dot2") X("v_dot4") \
    X("v_dot8") X("v_exp") X("v_ffbh") X("v_ffbl") X("v_floor") X("v_fma") X("v_fmaak") \
    X("v_fmamk") X("v_fract") X("v_frexp") X("v_ldexp") X("v_lerp") X("v_log") X("v_madak") \
    X("v_madmk") X("v_max3") X("v_maximum3") X("v_med3") X("v_min3") X("v_minimum3") X("v_mqsad") \
    X("v_msad") X("v_pack") X("v_perm") X("v_pk") X("v_prng") X("v_qsad") X("v_rcp") X("v_rndne") \
    X("v_rsq") X("v_sad") X("v_sat") X("v_sin") X("v_sqrt") X("v_trig") X("v_trunc")

#define SWP_AMD_MEMORY(X) \
    X("global_load", LOAD, 1, UNKNOWN, PLAIN) \
    X("global_load_lds", LOAD_TO_LDS, 0, UNKNOWN, PLAIN) \
    X("global_store", STORE, 0, UNKNOWN, PLAIN) \
    X("global_atomic", ATOMIC, 0, UNKNOWN, PLAIN) \
    X("buffer_load", LOAD, 1, UNKNOWN, PLAIN) \
    X("buffer_store", STORE, 0, UNKNOWN, PLAIN) \
    X("buffer_atomic", ATOMIC, 0, UNKNOWN, PLAIN) \
    X("tbuffer_load", LOAD, 1, UNKNOWN, PLAIN) \
    X("tbuffer_store", STORE, 0, UNKNOWN, PLAIN) \
    X("scratch_load", LOAD, 1, UNKNOWN, BY_SCRATCH) \
    X("scratch_load_lds", LOAD_TO_LDS, 0, UNKNOWN, BY_SCRATCH) \
    X("scratch_store", STORE, 0, UNKNOWN, BY_SCRATCH) \
    X("flat_load", FLAT_LOAD, 1, UNKNOWN, BY_SCRATCH) \
    X("flat_store", FLAT_STORE, 0, UNKNOWN, BY_SCRATCH) \
    X("flat_atomic", FLAT_ATOMIC, 0, UNKNOWN, BY_SCRATCH) \
    X("ds_read", LDS_READ, 1, UNKNOWN, PLAIN) \
    X("ds_read_b64_tr", LDS_READ, 1, UNKNOWN, LANES) \
    X("ds_read_b96_tr", LDS_READ, 1, UNKNOWN, LANES) \
    X("ds_read_addtid", LDS_READ, 1, UNKNOWN, M0) \
    X("ds_read2", LDS_READ, 1, UNKNOWN, PAIR) \
    X("ds_read2st64", LDS_READ, 1, UNKNOWN, FAR) \
    X("ds_write", LDS_WRITE, 0, UNKNOWN, PLAIN) \
    X("ds_write_addtid", LDS_WRITE, 0, UNKNOWN, M0) \
    X("ds_write2", LDS_WRITE, 0, UNKNOWN, PAIR) \
    X("ds_write2st64", LDS_WRITE, 0, UNKNOWN, FAR) \
    X("ds_wrxchg2_rtn", LDS_ATOMIC, 1, UNKNOWN, PAIR) \
    X("ds_wrxchg2st64_rtn", LDS_ATOMIC, 1, UNKNOWN, FAR) \
    X("ds_wrxchg_rtn", LDS_ATOMIC, 1, UNKNOWN, PLAIN) \
    X("ds_condxchg32_rtn", LDS_ATOMIC, 1, UNKNOWN, PLAIN) \
    X("ds_wrap_rtn", LDS_ATOMIC, 1, UNKNOWN, PLAIN) \
    X("ds_permute_b32", LDS_SHUFFLE, 1, UNKNOWN, PLAIN) \
    X("ds_bpermute_b32", LDS_SHUFFLE, 1, UNKNOWN, PLAIN) \
    X("ds_swizzle_b32", LDS_SHUFFLE, 1, UNKNOWN, PLAIN)

/* ds_add_u32 and ds_add_rtn_u32, which returns what was there. */
#define SWP_AMD_LDS_ATOMICS(X) \
    X("ds_add") X("ds_and") X("ds_cmpst") X("ds_dec") X("ds_inc") X("ds_max") X("ds_min") \
    X("ds_mskor") X("ds_or") X("ds_pk_add") X("ds_rsub") X("ds_sub") X("ds_xor")

/* Instructions, and all whose names go on with an underscore, that one target has and the other lacks. */
#define SWP_AMD_ONE_TARGET(X) \
    X("buffer_atomic_pk_add_bf16", GFX950) X("ds_read_b64_tr", GFX950) \
    X("ds_read_b96_tr", GFX950) X("global_load_lds_dwordx3", GFX950) \
    X("global_load_lds_dwordx4", GFX950) X("v_ashr_pk", GFX950) X("v_bitop3", GFX950) \
    X("v_cvt_f32_bf16", GFX950) X("v_cvt_pk_bf16", GFX950) X("v_cvt_pk_f16", GFX950) \
    X("v_cvt_scalef32", GFX950) X("v_cvt_sr_bf16", GFX950) X("v_cvt_sr_f16", GFX950) \
    X("v_dot2_f32_bf16", GFX950) X("v_dot2c_f32_bf16", GFX950) X("v_maximum3", GFX950) \
    X("v_mfma_f32_16x16x128", GFX950) X("v_mfma_f32_16x16x32_bf16", GFX950) \
    X("v_mfma_f32_16x16x32_f16", GFX950) X("v_mfma_f32_16x16x8_xf32", GFX942) \
    X("v_mfma_f32_32x32x16_bf16", GFX950) X("v_mfma_f32_32x32x16_f16", GFX950) \
    X("v_mfma_f32_32x32x4_xf32", GFX942) X("v_mfma_f32_32x32x64", GFX950) \
    X("v_mfma_i32_16x16x64", GFX950) X("v_mfma_i32_32x32x32", GFX950) \
    X("v_mfma_ld", GFX950) X("v_mfma_scale", GFX950) X("v_minimum3", GFX950) \
    X("v_permlane16_swap", GFX950) X("v_permlane32_swap", GFX950) \
    X("v_pk_maximum3", GFX950) X("v_pk_minimum3", GFX950) X("v_prng", GFX950) \
    X("v_smfmac_f32_16x16x128", GFX950) X("v_smfmac_f32_16x16x64_bf16", GFX950) \
    X("v_smfmac_f32_16x16x64_f16", GFX950) X("v_smfmac_f32_32x32x32_bf16", GFX950) \
    X("v_smfmac_f32_32x32x32_f16", GFX950) X("v_smfmac_f32_32x32x64", GFX950) \
    X("v_smfmac_i32_16x16x128", GFX950) X("v_smfmac_i32_32x32x64", GFX950)
/* clang-format on */

#endif
