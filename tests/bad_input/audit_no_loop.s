	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
k:
	global_load_dword v1, v[2:3], off
	s_waitcnt vmcnt(0)
	global_store_dword v[2:3], v1, off
	s_endpgm
