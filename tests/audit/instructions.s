; SPDX-License-Identifier: Apache-2.0
; An instruction for each row of src/audit/amd/table.h, of gfx950, and of gfx942 where it alone has it. They make
; no sense together.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
k:
	s_waitcnt 0
	s_barrier
	s_nop 0
	s_trap 2
	s_sleep 0
	s_setprio 0
	s_sethalt 0
	s_wakeup
	s_icache_inv
	s_incperflevel 0
	s_decperflevel 0
	s_ttracedata
	s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s1
	buffer_inv
	buffer_wbl2
	ds_nop
	v_nop
	s_load_dword s2, s[4:5]
	s_buffer_load_dword s4, s[4:7], 0x0
	s_scratch_load_dword s2, s[4:5]
	s_memtime s[2:3]
	s_memrealtime s[2:3]
	s_mov_b32 s1, s2
	s_mov_b64 s[2:3], s[4:5]
	s_movk_i32 s1, 5
	s_cmov_b32 s1, s2
	s_cmovk_i32 s1, 5
	s_not_b32 s1, s2
	s_not_b32 s1, s2
	s_not_b64 s[2:3], s[4:5]
	s_wqm_b32 s1, s2
	s_brev_b32 s1, s2
	s_bcnt0_i32_b32 s1, s2
	s_bcnt1_i32_b32 s1, s2
	s_ff0_i32_b32 s1, s2
	s_ff1_i32_b32 s1, s2
	s_flbit_i32 s1, s2
	s_sext_i32_i16 s1, s2
	s_bitset0_b32 s1, s2
	s_bitset1_b32 s1, s2
	s_bitreplicate_b64_b32 s[2:3], s2
	s_getpc_b64 s[2:3]
	s_getreg_b32 s1, 5
	s_quadmask_b32 s1, s2
	s_abs_i32 s1, s2
	s_absdiff_i32 s1, s2, s3
	s_and_b32 s1, s2, s3
	s_and_b32 s1, s2, s3
	s_and_b64 s[2:3], s[4:5], s[6:7]
	s_or_b32 s1, s2, s3
	s_or_b32 s1, s2, s3
	s_or_b64 s[2:3], s[4:5], s[6:7]
	s_xor_b32 s1, s2, s3
	s_xor_b32 s1, s2, s3
	s_xor_b64 s[2:3], s[4:5], s[6:7]
	s_andn2_b32 s1, s2, s3
	s_andn2_b32 s1, s2, s3
	s_andn2_b64 s[2:3], s[4:5], s[6:7]
	s_orn2_b32 s1, s2, s3
	s_orn2_b32 s1, s2, s3
	s_nand_b32 s1, s2, s3
	s_nor_b32 s1, s2, s3
	s_xnor_b32 s1, s2, s3
	s_and_saveexec_b64 s[2:3], s[4:5]
	s_andn2_saveexec_b64 s[2:3], s[4:5]
	s_or_saveexec_b64 s[2:3], s[4:5]
	s_andn1_saveexec_b64 s[2:3], s[4:5]
	s_nand_saveexec_b64 s[2:3], s[4:5]
	s_nor_saveexec_b64 s[2:3], s[4:5]
	s_orn1_saveexec_b64 s[2:3], s[4:5]
	s_orn2_saveexec_b64 s[2:3], s[4:5]
	s_xnor_saveexec_b64 s[2:3], s[4:5]
	s_xor_saveexec_b64 s[2:3], s[4:5]
	s_andn1_wrexec_b64 s[2:3], s[4:5]
	s_andn2_wrexec_b64 s[2:3], s[4:5]
	s_add_i32 s1, s2, s3
	s_addc_u32 s1, s2, s3
	s_addk_i32 s1, 5
	s_sub_i32 s1, s2, s3
	s_subb_u32 s1, s2, s3
	s_min_i32 s1, s2, s3
	s_min_u32 s1, s2, s3
	s_max_i32 s1, s2, s3
	s_max_u32 s1, s2, s3
	s_cselect_b32 s1, s2, s3
	s_cselect_b64 s[2:3], s[4:5], s[6:7]
	s_lshl_b32 s1, s2, s3
	s_lshl_b64 s[2:3], s[4:5], s2
	s_lshr_b32 s1, s2, s3
	s_lshr_b64 s[2:3], s[4:5], s2
	s_ashr_i32 s1, s2, s3
	s_ashr_i64 s[2:3], s[4:5], s2
	s_lshl1_add_u32 s1, s2, s3
	s_lshl2_add_u32 s1, s2, s3
	s_lshl3_add_u32 s1, s2, s3
	s_lshl4_add_u32 s1, s2, s3
	s_bfm_b32 s1, s2, s3
	s_bfe_i32 s1, s2, s3
	s_bfe_u32 s1, s2, s3
	s_mul_i32 s1, s2, s3
	s_mul_hi_i32 s1, s2, s3
	s_mulk_i32 s1, 5
	s_pack_hh_b32_b16 s1, s2, s3
	s_cmp_eq_i32 s1, s2
	s_cmp_eq_u32 s1, s2
	s_cmp_eq_u64 s[2:3], s[4:5]
	s_cmp_lg_i32 s1, s2
	s_cmp_lg_u32 s1, s2
	s_cmp_lg_u64 s[2:3], s[4:5]
	s_cmp_gt_i32 s1, s2
	s_cmp_ge_i32 s1, s2
	s_cmp_lt_i32 s1, s2
	s_cmp_le_i32 s1, s2
	s_cmp_gt_u32 s1, s2
	s_cmp_ge_u32 s1, s2
	s_cmp_lt_u32 s1, s2
	s_cmp_le_u32 s1, s2
	s_cmpk_eq_i32 s1, 5
	s_cmpk_lg_i32 s1, 5
	s_cmpk_gt_i32 s1, 5
	s_cmpk_ge_i32 s1, 5
	s_cmpk_lt_i32 s1, 5
	s_cmpk_le_i32 s1, 5
	s_cmpk_gt_u32 s1, 5
	s_cmpk_ge_u32 s1, 5
	s_cmpk_lt_u32 s1, 5
	s_cmpk_le_u32 s1, 5
	s_bitcmp0_b32 s1, s2
	s_bitcmp1_b32 s1, s2
	s_bitcmp0_b64 s[2:3], s2
	s_bitcmp1_b64 s[2:3], s2
	v_mov_b32 v1, v2
	v_mov_b64 v[2:3], v[4:5]
	v_accvgpr_write a1, v1
	v_readfirstlane_b32 s1, v2
	v_readlane_b32 s1, v2, s3
	v_swap_b32 v1, v2
	v_permlane16_swap_b32 v1, v2
	v_permlane32_swap_b32 v1, v2
	v_mbcnt_lo_u32_b32 v1, v2, v3
	v_mbcnt_hi_u32_b32 v1, v2, v3
	v_cndmask_b32 v1, v2, v3, vcc
	v_add_co_u32_e32 v1, vcc, v2, v3
	v_add_u32 v1, v2, v3
	v_add_co_u32_e32 v1, vcc, v2, v3
	v_add3_u32 v1, v2, v3, v4
	v_add_lshl_u32 v1, v2, v3, v4
	v_addc_co_u32 v1, vcc, v2, v3, vcc
	v_sub_co_u32_e32 v1, vcc, v2, v3
	v_sub_u32 v1, v2, v3
	v_sub_co_u32_e32 v1, vcc, v2, v3
	v_subb_co_u32 v1, vcc, v2, v3, vcc
	v_subrev_co_u32_e32 v1, vcc, v2, v3
	v_subrev_u32 v1, v2, v3
	v_subrev_co_u32_e32 v1, vcc, v2, v3
	v_subbrev_co_u32 v1, vcc, v2, v3, vcc
	v_and_b32 v1, v2, v3
	v_and_or_b32 v1, v2, v3, v4
	v_or_b32 v1, v2, v3
	v_or3_b32 v1, v2, v3, v4
	v_xor_b32 v1, v2, v3
	v_xnor_b32 v1, v2, v3
	v_xad_u32 v1, v2, v3, v4
	v_not_b32 v1, v2
	v_bitop3_b32 v1, v2, v3, v4
	v_bitop3_b16 v1, v2, v3, v4
	v_lshlrev_b32 v1, v2, v3
	v_lshlrev_b16 v1, v2, v3
	v_lshrrev_b32 v1, v2, v3
	v_lshrrev_b16 v1, v2, v3
	v_ashrrev_i32 v1, v2, v3
	v_ashrrev_i16 v1, v2, v3
	v_ashr_pk_i8_i32 v1, v2, v3, v4
	v_lshl_add_u32 v1, v2, v3, v4
	v_lshl_add_u64 v[2:3], v[4:5], v6, v[8:9]
	v_lshl_or_b32 v1, v2, v3, v4
	v_bfe_u32 v1, v2, v3, v4
	v_bfe_i32 v1, v2, v3, v4
	v_bfi_b32 v1, v2, v3, v4
	v_mul_f16 v1, v2, v3
	v_mul_lo_u32 v1, v2, v3
	v_mul_u32_u24 v1, v2, v3
	v_mad_f16 v1, v2, v3, v4
	v_mad_u32_u24 v1, v2, v3, v4
	v_mad_u64_u32 v[2:3], s[4:5], v1, v2, v[6:7]
	v_mad_i64_i32 v[2:3], s[4:5], v1, v2, v[6:7]
	v_min_f16 v1, v2, v3
	v_min_u32 v1, v2, v3
	v_min_i32 v1, v2, v3
	v_max_f16 v1, v2, v3
	v_max_u32 v1, v2, v3
	v_max_i32 v1, v2, v3
	v_cmp_class_f16_e32 vcc, v1, v2
	v_cmp_eq_u32_e32 vcc, v1, v2
	v_cmp_eq_i32_e32 vcc, v1, v2
	v_cmp_ne_u32_e32 vcc, v1, v2
	v_cmp_ne_i32_e32 vcc, v1, v2
	v_cmp_lt_u32_e32 vcc, v1, v2
	v_cmp_le_u32_e32 vcc, v1, v2
	v_cmp_gt_u32_e32 vcc, v1, v2
	v_cmp_ge_u32_e32 vcc, v1, v2
	v_cmp_lt_i32_e32 vcc, v1, v2
	v_cmp_le_i32_e32 vcc, v1, v2
	v_cmp_gt_i32_e32 vcc, v1, v2
	v_cmp_ge_i32_e32 vcc, v1, v2
	v_cmpx_class_f16_e32 vcc, v1, v2
	v_div_fixup_f16 v1, v2, v3, v4
	v_div_scale_f32 v1, vcc, v2, v3, v4
	v_fmac_f32 v1, v2, v3
	v_mac_f16 v1, v2, v3
	v_pk_fmac_f16 v1, v2, v3
	v_dot2c_f32_bf16 v1, v2, v3
	v_dot4c_i32_i8 v1, v2, v3
	v_dot8c_i32_i4 v1, v2, v3
	v_mfma_f32_16x16x16_bf16 v[4:7], v[8:9], v[10:11], v[12:15]
	v_smfmac_f32_16x16x32_bf16 v[4:7], v[8:9], v[10:13], v14
	v_alignbit_b32 v1, v2, v3, v4
	v_alignbyte_b32 v1, v2, v3, v4
	v_bcnt_u32_b32 v1, v2, v3
	v_bfm_b32 v1, v2, v3
	v_bfrev_b32 v1, v2
	v_ceil_f16 v1, v2
	v_cos_f16 v1, v2
	v_cubeid_f32 v1, v2, v3, v4
	v_cubema_f32 v1, v2, v3, v4
	v_cubesc_f32 v1, v2, v3, v4
	v_cubetc_f32 v1, v2, v3, v4
	v_cvt_f16_f32 v1, v2
	v_dot2_f32_bf16 v1, v2, v3, v4
	v_dot4_i32_i8 v1, v2, v3, v4
	v_dot8_i32_i4 v1, v2, v3, v4
	v_exp_f16 v1, v2
	v_ffbh_i32 v1, v2
	v_ffbl_b32 v1, v2
	v_floor_f16 v1, v2
	v_fma_f16 v1, v2, v3, v4
	v_fmaak_f32 v1, v2, v3, 0x42
	v_fmamk_f32 v1, v2, 0x42, v3
	v_fract_f16 v1, v2
	v_frexp_exp_i16_f16 v1, v2
	v_ldexp_f16 v1, v2, v3
	v_lerp_u8 v1, v2, v3, v4
	v_log_f16 v1, v2
	v_madak_f16 v1, v2, v3, 0x42
	v_madmk_f16 v1, v2, 0x42, v3
	v_max3_f16 v1, v2, v3, v4
	v_maximum3_f32 v1, v2, v3, v4
	v_med3_f16 v1, v2, v3, v4
	v_min3_f16 v1, v2, v3, v4
	v_minimum3_f32 v1, v2, v3, v4
	v_mqsad_pk_u16_u8 v[2:3], v[4:5], v6, v[8:9]
	v_msad_u8 v1, v2, v3, v4
	v_pack_b32_f16 v1, v2, v3
	v_perm_b32 v1, v2, v3, v4
	v_pk_add_f16 v1, v2, v3
	v_prng_b32 v1, v2
	v_qsad_pk_u16_u8 v[2:3], v[4:5], v6, v[8:9]
	v_rcp_f16 v1, v2
	v_rndne_f16 v1, v2
	v_rsq_f16 v1, v2
	v_sad_hi_u8 v1, v2, v3, v4
	v_sat_pk_u8_i16 v1, v2
	v_sin_f16 v1, v2
	v_sqrt_f16 v1, v2
	v_trig_preop_f64 v[2:3], v[4:5], s2
	v_trunc_f16 v1, v2
	global_load_dword v1, v[2:3], off
	global_load_lds_dword v[2:3], off
	global_store_byte v[2:3], v1, off
	global_atomic_add v[2:3], v1, off
	buffer_load_dword v1, off, s[4:7], 0
	buffer_store_byte v1, off, s[4:7], 0
	buffer_atomic_add v1, off, s[4:7], 0
	tbuffer_load_format_d16_x v1, off, s[4:7], 0
	tbuffer_store_format_d16_x v1, off, s[4:7], 0
	scratch_load_dword v1, v2, off
	scratch_load_lds_dword v1, s2
	scratch_store_byte v1, v2, off
	flat_load_dword v1, v[2:3]
	flat_store_byte v[2:3], v1
	flat_atomic_add v[2:3], v1
	ds_read_addtid_b32 v1 offset:16
	ds_read_addtid_b32 v1 offset:16
	ds_read2_b32 v[2:3], v1
	ds_read2st64_b32 v[2:3], v1
	ds_write_addtid_b32 v1 offset:16
	ds_write_addtid_b32 v1 offset:16
	ds_write2_b32 v1, v2, v3
	ds_write2st64_b32 v1, v2, v3
	ds_wrxchg2_rtn_b32 v[2:3], v4, v5, v6 offset0:1 offset1:2
	ds_wrxchg2st64_rtn_b32 v[2:3], v4, v5, v6 offset0:1 offset1:2
	ds_wrxchg_rtn_b32 v1, v2, v3
	ds_condxchg32_rtn_b64 v[2:3], v4, v[6:7]
	ds_wrap_rtn_b32 v1, v2, v3, v4
	ds_permute_b32 v1, v2, v3
	ds_bpermute_b32 v1, v2, v3
	ds_swizzle_b32 v1, v2
	ds_add_f32 v1, v2
	ds_and_b32 v1, v2
	ds_cmpst_b32 v1, v2, v3
	ds_dec_rtn_u32 v1, v2, v3
	ds_inc_rtn_u32 v1, v2, v3
	ds_max_f32 v1, v2
	ds_min_f32 v1, v2
	ds_mskor_b32 v1, v2, v3
	ds_or_b32 v1, v2
	ds_pk_add_bf16 v1, v2
	ds_rsub_rtn_u32 v1, v2, v3
	ds_sub_rtn_u32 v1, v2, v3
	ds_xor_b32 v1, v2
	v_writelane_b32 v1, s2, 3
	global_load_lds_dwordx4 v[2:3], off offset:16
	buffer_load_dwordx4 v1, s[4:7], 0 offen lds
	s_waitcnt vmcnt(3) expcnt(1) lgkmcnt(2)
	v_mov_b32_dpp v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf
	v_add_f32_sdwa v1, -v2, |v3| dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD
	s_branch end
	s_cbranch_scc0 skip
	s_setpc_b64 s[30:31]
skip:
	s_cbranch_scc0 end
	s_cbranch_scc1 end
	s_cbranch_vccz end
	s_cbranch_vccnz end
	s_cbranch_execz end
	s_cbranch_execnz end
end:
	v_div_fmas_f32 v1, v2, v3, v4
	buffer_atomic_pk_add_bf16 v1, off, s[4:7], 0
	ds_read_b64_tr_b16 v[0:1], v2
	ds_read_b96_tr_b6 v[0:2], v4
	global_load_lds_dwordx3 v[2:3], off
	v_cvt_f32_bf16 v1, v2
	v_cvt_pk_bf16_f32 v1, v2, v3
	v_cvt_pk_f16_f32 v1, v2, v3
	v_cvt_scalef32_pk_f32_fp8 v[0:1], v2, v3
	v_cvt_sr_bf16_f32 v1, v2, v3
	v_cvt_sr_f16_f32 v1, v2, v3
	v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3]
	v_mfma_f32_16x16x32_bf16 v[0:3], v[4:7], v[8:11], v[0:3]
	v_mfma_f32_16x16x32_f16 v[0:3], v[4:7], v[8:11], v[0:3]
	v_mfma_f32_16x16x8_xf32 v[0:3], v[4:5], v[8:9], v[0:3]
	v_mfma_f32_32x32x16_bf16 v[0:15], v[16:19], v[20:23], v[0:15]
	v_mfma_f32_32x32x16_f16 v[0:15], v[16:19], v[20:23], v[0:15]
	v_mfma_f32_32x32x4_xf32 v[0:15], v[16:17], v[20:21], v[0:15]
	v_mfma_f32_32x32x64_f8f6f4 v[0:15], v[16:23], v[24:31], v[0:15]
	v_mfma_i32_16x16x64_i8 v[0:3], v[4:7], v[8:11], v[0:3]
	v_mfma_i32_32x32x32_i8 v[0:15], v[16:19], v[20:23], v[0:15]
	v_mfma_ld_scale_b32 v1, v2
	v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3], v20, v21
	v_pk_maximum3_f16 v1, v2, v3, v4
	v_pk_minimum3_f16 v1, v2, v3, v4
	v_smfmac_f32_16x16x128_fp8_bf8 v[0:3], v[4:7], v[8:15], v16
	v_smfmac_f32_16x16x64_bf16 v[0:3], v[4:7], v[8:15], v16
	v_smfmac_f32_16x16x64_f16 v[0:3], v[4:7], v[8:15], v16
	v_smfmac_f32_32x32x32_bf16 v[0:15], v[16:19], v[20:27], v28
	v_smfmac_f32_32x32x32_f16 v[0:15], v[16:19], v[20:27], v28
	v_smfmac_f32_32x32x64_fp8_fp8 v[0:15], v[16:19], v[20:27], v28
	v_smfmac_i32_16x16x128_i8 v[0:3], v[4:7], v[8:15], v16
	v_smfmac_i32_32x32x64_i8 v[0:15], v[16:19], v[20:27], v28
	buffer_load_dwordx4 v1, s[4:7], 0 offen lds
	s_endpgm
