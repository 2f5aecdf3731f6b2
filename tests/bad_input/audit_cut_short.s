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
	s_waitcnt lg