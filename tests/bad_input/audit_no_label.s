	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
k:
	ds_read_b32 v1, v0
	s_cbranch_scc1 .Lnowhere
	s_endpgm
