; SPDX-License-Identifier: Apache-2.0
; ready.s with a wait that is stronger than it must be: the load to LDS need not be done before the sum.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.type	k,@function
k:
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	s_load_dword s2, s[0:1], 0x10
	v_lshlrev_b32_e32 v0, 2, v0
	v_mov_b32_e32 v2, 0
	s_movk_i32 m0, 0x100
	s_waitcnt lgkmcnt(0)
.Lloop:
	ds_read_b32 v1, v0
	buffer_load_dword v0, s[8:11], 0 offen lds
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_u32_e32 v2, v1, v2
	s_waitcnt vmcnt(0)
	s_add_i32 s2, s2, -1
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 .Lloop
	buffer_store_dword v2, v0, s[8:11], 0 offen
	s_endpgm
	.section	.rodata,"a",@progbits
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 3
		.amdhsa_next_free_sgpr 12
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
    .sgpr_count:     12
    .symbol:         k.kd
    .vgpr_count:     3
    .wavefront_size: 64
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
