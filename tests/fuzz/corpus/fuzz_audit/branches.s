k:	v_readfirstlane_b32 s4, v0
	s_cmp_lt_u32 s4, 0x80 ; half the waves
	s_cbranch_scc1 a
	s_barrier
a:	v_cmp_gt_u32_e32 vcc, 64, v0
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz b
	ds_write_b32 v1, v2 /* on a
	condition */
b:	s_or_b64 exec, exec, s[6:7]
	s_xor_b32 s5, s5, 1
	v_add_u32_dpp v1, v2, v3 row_shr:1
	flat_load_dword v1, v[2:3]
	s_load_dwordx16 s[16:31], s[0:1], 0x0
	s_waitcnt 0xc07f
	s_cbranch_vccnz a
	s_endpgm
