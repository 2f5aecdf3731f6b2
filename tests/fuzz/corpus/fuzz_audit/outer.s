	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
k:
outer:
	s_mov_b32 s5, 0
inner:
	v_mov_b32_e32 v3, s5
	buffer_load_dword v1, s[4:7], 0 offen lds
	ds_add_rtn_u32 v2, v3, v4
	s_cselect_b32 s5, 0, s6
	s_waitcnt vmcnt(0) & lgkmcnt(0)
	s_cbranch_scc0 inner
	s_barrier
	s_cbranch_vccz outer
	s_setpc_b64 s[30:31]
