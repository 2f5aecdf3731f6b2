	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
k:
	s_endpgm
