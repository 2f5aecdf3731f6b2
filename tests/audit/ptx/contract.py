# SPDX-License-Identifier: Apache-2.0
"""A kernel around the header of a loop without roles: in order if it keeps the contract of the header, and wrong without a part of that."""

import os
import subprocess
import tempfile

from checks import SWP, check, expect
from compiled_ptx import NVCC

LOOP = """swp: 1
name: columns
target: sm_90
loop:
  units: {memory: 1, tensor: 1}
  values:
    - {value: A, space: shared, bytes: 8192, slots: 2}
    - {value: SUM, space: registers, bytes: 2048}
  ops:
    - {op: LOAD, uses: {memory: 160}, latency: 500, completion: copy_group, writes: [A]}
    - {op: MULTIPLY, uses: {tensor: 128}, latency: 160, read_cycles: 128, completion: group, reads: [A], updates: [SUM]}
"""

KERNEL = r"""
struct state { const uint4 *from; uint4 *tiles; unsigned at; float sum[4]; };
#define SWP_WAIT_VM(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define SWP_WAIT_LGKM(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#ifdef NO_FENCE
#define SWP_BARRIER() __syncthreads()
#else
#define SWP_BARRIER() do { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads(); } while (0)
#endif
#define L_LOAD(s, i, slot) do { \
    for (int j = 0; j < 4; j++) \
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((s)->at + (slot) * 8192 + (threadIdx.x + 128 * j) * 16), \
                     "l"((s)->from + (i) * 512 + threadIdx.x + 128 * j) : "memory"); \
    asm volatile("cp.async.commit_group;" ::: "memory"); } while (0)
#define L_MULTIPLY(s, i, sum_slot, slot) do { \
    const unsigned long long tile = (unsigned long long)(((s)->at + (slot) * 8192) >> 4) | 4611686293305360384ull; \
    asm volatile("wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %4, 1, 1, 1, 0, 0;" \
                 "wgmma.commit_group.sync.aligned;" \
                 : "+f"((s)->sum[0]), "+f"((s)->sum[1]), "+f"((s)->sum[2]), "+f"((s)->sum[3]) : "l"(tile) : "memory"); } while (0)
#include "loop.h"
__global__ void __launch_bounds__(128) columns(const uint4 *from, float *out, int n)
{
    __shared__ __align__(1024) uint4 tiles[1024];
    state all = {from, tiles, (unsigned)__cvta_generic_to_shared(tiles), {0, 0, 0, 0}};
    L_RUN(&all, n, 0);
#ifndef NO_WAIT
    SWP_WAIT_VM(0);
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(all.sum[0]), "+f"(all.sum[1]), "+f"(all.sum[2]), "+f"(all.sum[3])::"memory");
#endif
    out[threadIdx.x] = all.sum[0] + all.sum[1] + all.sum[2] + all.sum[3];
}
"""


def check_contract():
    if not NVCC:
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: os.path.join(folder, name) for name in ("loop.yaml", "loop.h", "kernel.cu", "kernel.ptx")}
        for name, text in (("loop.yaml", LOOP), ("kernel.cu", KERNEL)):
            with open(paths[name], "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run([SWP, "emit", paths["loop.yaml"], "--format", "c", "--prefix", "L", "-o", paths["loop.h"]], check=True, capture_output=True)
        for lacks, answer, kind in (((), "no_fault", None), (("-DNO_FENCE",), "fault", "unfenced"), (("-DNO_WAIT",), "fault", "accumulator_in_flight")):
            made = subprocess.run([NVCC, "-std=c++17", "-O2", "-ptx", "-arch=sm_90a", *lacks, "-I", folder, "-o", paths["kernel.ptx"], paths["kernel.cu"]],
                                  capture_output=True, text=True, check=False)
            if not check(made.returncode == 0, f"contract {lacks}: {made.stderr}"):
                continue
            with open(paths["kernel.ptx"], encoding="utf-8") as file:
                report = expect(answer, file.read(), f"contract {lacks}")
            kinds = {finding["kind"] for finding in report.get("findings", [])}
            check(kind is None or kind in kinds, f"contract {lacks}: {kinds}, wanted {kind}")
