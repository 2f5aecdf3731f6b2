; SPDX-License-Identifier: Apache-2.0
; By hand, after what a compiler wrote for early_use.c: the wait takes the load to LDS for an access
; that lgkmcnt counts.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.type	k,@function
k:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s2, s[0:1], 0x10
	v_lshlrev_b32_e32 v0, 2, v0
	v_mov_b32_e32 v2, 0
	s_movk_i32 m0, 0x100
	s_waitcnt lgkmcnt(0)
.Lloop:
	ds_read_b32 v1, v0
	global_load_lds_dword v0, s[4:5]
	s_waitcnt lgkmcnt(1)
	v_add_u32_e32 v2, v1, v2
	s_waitcnt vmcnt(0)
	s_add_i32 s2, s2, -1
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 .Lloop
	global_store_dword v0, v2, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 3
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 4
		.amdhsa_group_segment_fixed_size 512
		.amdhsa_system_vgpr_workitem_id 0
	.end_amdhsa_kernel
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .group_segment_fixed_size: 512
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 64
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     8
    .symbol:         k.kd
    .vgpr_count:     3
    .wavefront_size: 64
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
