# SPDX-License-Identifier: Apache-2.0
"""The same table for AMD's machines, of one work group."""
from .instructions import MANY, repeated

MFMA = 'asm volatile("v_mfma_f32_16x16x32_bf16 %0, %1, %1, %0" : "+v"(d[#]) : "v"(ab));'
# With the wait, as the compiler does not know that the registers are written later.
READ_LDS = ('asm volatile("' + "".join(f"ds_read_b128 %{i}, %4 offset:{1024 * i}\\n\\t" for i in range(4)) + 's_waitcnt lgkmcnt(0)"'
            ' : "=&v"(r[0]), "=&v"(r[1]), "=&v"(r[2]), "=&v"(r[3]) : "v"(shared + lane * 16) : "memory");')
# NAME: (numbers of waves, members, step, instructions of a step, behind)
AMD_OPS = {
    "fma_chain": ((1,), "float x = 0, a = 1;", 'asm volatile("v_fma_f32 %0, %0, %1, %1" : "+v"(x) : "v"(a));', 1, ""),
    "fma": (MANY, "float x[8] = {}, a = 1;", repeated(8, 'asm volatile("v_fma_f32 %0, %0, %1, %1" : "+v"(x[#]) : "v"(a));'), 8, ""),
    "exp": (MANY, "float x[8] = {};", repeated(8, 'asm volatile("v_exp_f32 %0, %0" : "+v"(x[#]));'), 8, ""),
    "mfma_chain": ((1,), "sums d[1] = {}; sums ab = {};", MFMA.replace("#", "0"), 1, ""),
    "mfma": (MANY, "sums d[4] = {}; sums ab = {};", repeated(4, MFMA), 4, ""),
    "lds_chain": ((1,), "unsigned at = 0;", 'asm volatile("ds_read_b32 %0, %0\\n\\ts_waitcnt lgkmcnt(0)" : "+v"(at) :: "memory");', 1, ""),
    "lds": (MANY, "sums r[4];", READ_LDS, 4, ""),
    "load_chain": ((1,), "const char *at = from;",
                   'asm volatile("global_load_dwordx2 %0, %0, off sc1\\n\\ts_waitcnt vmcnt(0)" : "+v"(at) :: "memory");', 1, ""),
    "barrier": ((4, 8, 16), "", 'asm volatile("s_barrier" ::: "memory");', 1, ""),
}
