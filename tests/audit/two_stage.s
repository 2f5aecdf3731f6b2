; SPDX-License-Identifier: Apache-2.0
; By hand: the main loop of a small bf16 GEMM with two stages of LDS, as two_stage.json schedules it.
; Four waves. A tile of A and one of B have 64 rows of 64 bytes; a wave loads 16 rows of each, and
; multiplies the 16 rows of A that the next wave loaded by the 16 rows of B that the one before it loaded.
; LDS: stage 0 of A, of B, then stage 1, 4096 bytes each.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.type	two_stage,@function
two_stage:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s2, s[0:1], 0x10
	v_readfirstlane_b32 s8, v0
	s_lshr_b32 s8, s8, 6                    ; the wave
	s_lshl_b32 s9, s8, 10                   ; where it loads
	v_lshlrev_b32_e32 v1, 4, v0
	v_mov_b32_e32 v2, 0x1000
	v_add_u32_e32 v2, v1, v2
	s_add_i32 s10, s8, 1
	s_and_b32 s10, s10, 3
	s_lshl_b32 s10, s10, 10
	v_and_b32_e32 v3, 15, v0
	v_lshlrev_b32_e32 v3, 6, v3
	v_and_b32_e32 v4, 48, v0
	v_add3_u32 v5, s10, v3, v4              ; A: the rows of the next wave
	s_xor_b32 s11, s10, 0x800
	v_add3_u32 v6, s11, v3, v4              ; B: the rows of the wave before
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	s_waitcnt lgkmcnt(0)
	s_mov_b32 m0, s9
	s_nop 0
	global_load_lds_dwordx4 v1, s[4:5]
	s_add_i32 m0, s9, 0x1000
	s_nop 0
	global_load_lds_dwordx4 v1, s[6:7]
	s_add_i32 m0, s9, 0x2000
	s_nop 0
	global_load_lds_dwordx4 v2, s[4:5]
	s_add_i32 m0, s9, 0x3000
	s_nop 0
	global_load_lds_dwordx4 v2, s[6:7]
	s_waitcnt vmcnt(2)
	s_barrier
	s_cmp_lt_u32 s2, 3
	s_cbranch_scc1 .Lepilogue
.Lloop:
	s_add_u32 s4, s4, 0x2000
	s_addc_u32 s5, s5, 0
	s_add_u32 s6, s6, 0x2000
	s_addc_u32 s7, s7, 0
	ds_read_b128 v[12:15], v5
	ds_read_b128 v[16:19], v6 offset:4096
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_mov_b32 m0, s9
	s_nop 0
	global_load_lds_dwordx4 v1, s[4:5]
	s_add_i32 m0, s9, 0x1000
	s_nop 0
	global_load_lds_dwordx4 v1, s[6:7]
	v_mfma_f32_16x16x32_bf16 v[8:11], v[12:15], v[16:19], v[8:11]
	s_waitcnt vmcnt(2)
	s_barrier
	ds_read_b128 v[20:23], v5 offset:8192
	ds_read_b128 v[24:27], v6 offset:12288
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_add_i32 m0, s9, 0x2000
	s_nop 0
	global_load_lds_dwordx4 v2, s[4:5]
	s_add_i32 m0, s9, 0x3000
	s_nop 0
	global_load_lds_dwordx4 v2, s[6:7]
	v_mfma_f32_16x16x32_bf16 v[8:11], v[20:23], v[24:27], v[8:11]
	s_waitcnt vmcnt(2)
	s_barrier
	s_sub_i32 s2, s2, 2
	s_cmp_gt_u32 s2, 2
	s_cbranch_scc1 .Lloop
.Lepilogue:
	ds_read_b128 v[12:15], v5
	ds_read_b128 v[16:19], v6 offset:4096
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_bf16 v[8:11], v[12:15], v[16:19], v[8:11]
	s_waitcnt vmcnt(0)
	s_barrier
	ds_read_b128 v[12:15], v5 offset:8192
	ds_read_b128 v[16:19], v6 offset:12288
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_bf16 v[8:11], v[12:15], v[16:19], v[8:11]
	s_load_dwordx2 s[4:5], s[0:1], 0x18
	v_lshlrev_b32_e32 v0, 4, v0
	s_nop 7
	s_waitcnt lgkmcnt(0)
	global_store_dwordx4 v0, v[8:11], s[4:5]
	s_endpgm
	.section	.rodata,"a",@progbits
	.amdhsa_kernel two_stage
		.amdhsa_group_segment_fixed_size 16384
		.amdhsa_next_free_vgpr 28
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 28
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_vgpr_workitem_id 0
	.end_amdhsa_kernel
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .group_segment_fixed_size: 16384
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: 256
    .name:           two_stage
    .private_segment_fixed_size: 0
    .sgpr_count:     12
    .symbol:         two_stage.kd
    .vgpr_count:     28
    .wavefront_size: 64
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
