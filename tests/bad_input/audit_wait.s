	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
k:
.Lloop:
	ds_read_b32 v1, v0
	s_waitcnt lgkmcnt(16)
	v_mov_b32_e32 v2, v1
	s_cbranch_scc1 .Lloop
	s_endpgm
