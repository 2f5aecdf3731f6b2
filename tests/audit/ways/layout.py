# SPDX-License-Identifier: Apache-2.0
"""A file of a program's lines: its descriptor and metadata, and the spellings that change nothing."""

HEAD = """\
	.amdgcn_target "amdgcn-amd-amdhsa--{target}"
	.text
	.type	k,@function
k:
"""
TAIL = """\
	.section	.rodata,"a",@progbits
	.amdhsa_kernel k
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 32
		.amdhsa_group_segment_fixed_size {lds}
		.amdhsa_system_vgpr_workitem_id 0
	.end_amdhsa_kernel
	.text
	.amdgpu_metadata
---
amdhsa.kernels:
  - .group_segment_fixed_size: {lds}
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .max_flat_workgroup_size: {threads}
    .name:           k
    .private_segment_fixed_size: 0
    .sgpr_count:     96
    .symbol:         k.kd
    .vgpr_count:     32
    .wavefront_size: 64
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
"""


def spell(line, rng, odd):
    """A line with its end; in odd files with comments, and with ends that are no line feed."""
    text = line.text if line.text.endswith(":") else f"\t{line.text}"
    if not odd or "\n" in text or "\r" in text or rng.random() < 0.6:
        return text + "\n"
    return rng.choice((
        f"{text} ; as it was\n", f"{text}// {line.tag}\n", f"/* s_barrier\n s_endpgm */{text}\n", f"{text}\r\n",
        f"{text} ; then\r\n", f"{text}\r", f"{text} ; s_waitcnt 0\n", f"{text} /**/ \r"))


def write(shape, lines, rng):
    odd = rng.random() < 0.1
    body = "".join(spell(line, rng, odd) for line in lines)
    return HEAD.format(target=shape.target) + body + TAIL.format(threads=64 * shape.waves, lds=4 * 1024 * shape.width)
