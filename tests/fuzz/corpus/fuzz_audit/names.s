	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.type	"k[8m",@function
"k[8m":
.LBB0_1:
	ds_read_b32 v0, v1
	v_‮foo v0
	v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[2:3], v[4:7]
	s_cbranch_scc1 .LBB0_1
	s_endpgm
