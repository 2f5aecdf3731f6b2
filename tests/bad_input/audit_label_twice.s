	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
k:
.La:
	s_nop 0
.La:
	s_endpgm
