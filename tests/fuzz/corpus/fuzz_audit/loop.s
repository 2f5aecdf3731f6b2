	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.type	k,@function
k:
	v_lshlrev_b32_e32 v1, 2, v0
	s_mov_b32 m0, 0x400
.Lloop:
	ds_read2_b32 v[2:3], v1 offset1:64
	global_load_lds_dwordx4 v[4:5], off offset:16
	s_waitcnt vmcnt(1) lgkmcnt(1)
	s_barrier
	v_mfma_f32_16x16x32_bf16 a[0:3], v[2:5], v[6:9], a[0:3]
	s_cbranch_scc1 .Lloop
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_system_vgpr_workitem_id 0
	.end_amdhsa_kernel
	.amdgpu_metadata
amdhsa.kernels:
  - .args:
    .max_flat_workgroup_size: 128
    .name: k
	.end_amdgpu_metadata
