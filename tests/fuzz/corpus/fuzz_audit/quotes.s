	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
k:
	ds_read_b32 v1, v0
.set q, '"' /*
	v_mov_b32 v2, v1
; */
.ident "x
	s_waitcnt lgkmcnt(0)
"
# 1 "a.c" /*
	s_endpgm
