#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the kernel of examples/python/product.py as it does, at run time, and runs it on a CPU. Not on a GPU: that is `product.py` itself.

    SWP=path/to/swp tests/cuda/run_time.py

NVRTC makes PTX of it, which has the schedule's waits and barriers; and threads of a CPU, with copies that land at once, compute
products of integers for every way through the loop. Exits with 77 where there is no Python package in the build folder.
"""

import ctypes
import glob
import os
import re
import subprocess
import sys
import tempfile

SWP = os.path.abspath(os.environ["SWP"])
TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path[:0] = [os.path.join(os.path.dirname(SWP), "python"), os.path.join(TOP, "examples", "python")]
sys.dont_write_bytecode = True
try:
    import product
    import swp
except (ImportError, OSError) as absent:
    print(f"cuda.run_time: skipped: no Python package: {absent}")
    sys.exit(77)


def nvrtc():
    """CUDA's, or that of the package nvidia-cuda-nvrtc; None: there is none."""
    folders = ["/usr/local/cuda/lib64", *(f"{each}/nvidia/*/lib" for each in sys.path)]
    found = [path for folder in folders for path in glob.glob(f"{folder}/libnvrtc.so*")]
    return ctypes.CDLL(found[0]) if found else None


def compiled(library, source, architecture):
    """PTX and what the compiler says; the PTX is None where it refuses."""
    program = ctypes.c_void_p()
    size = ctypes.c_size_t()
    options = (ctypes.c_char_p * 2)(b"-std=c++17", f"--gpu-architecture={architecture}".encode())
    assert library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"product.cu", 0, None, None) == 0
    status = library.nvrtcCompileProgram(program, 2, options)
    texts = []
    for what in ("ProgramLog", "PTX") if status == 0 else ("ProgramLog",):
        assert getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)) == 0
        text = ctypes.create_string_buffer(size.value)
        assert getattr(library, f"nvrtcGet{what}")(program, text) == 0
        texts.append(text.value.decode())
    return (texts[1] if status == 0 else None), texts[0]


def check_ptx(source):
    library = nvrtc()
    if library is None:
        print("cuda.run_time: no NVRTC: PTX is not made")
        return
    for architecture in ("compute_80", "compute_90"):
        ptx, said = compiled(library, source, architecture)
        assert ptx, said
        waits = {int(each) for each in re.findall(r"cp\.async\.wait_group\s+(\d+)", ptx)}
        wanted = {int(each) for each in re.findall(r"SWP_WAIT_VM\((\d+)\);", source)}
        assert wanted and waits == wanted, (waits, wanted)
        assert "bar.sync" in ptx and "cp.async.cg" in ptx and ".local" not in ptx, "a barrier or copy is missing, or local memory"
        print(f"cuda.run_time: NVRTC for {architecture}: waits {sorted(waits)}")
    roles = swp.compile("gemm_ws").header() + "__global__ void meet(unsigned long long *at, int *e) { SWP_ELECT(*e); SWP_MBARRIER_INIT(at, 1); }"
    assert compiled(library, roles, "compute_90a")[0], "a header with warp roles"
    assert compiled(library, source.replace("COMMIT()", "COMMIT(", 1), "compute_80")[0] is None


ON_A_CPU = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <vector>
struct position { unsigned x, y; };
static thread_local position threadIdx;
static position blockIdx;
static pthread_barrier_t meeting;
#define __global__ static
#define __device__
#define __shared__ static
#define __launch_bounds__(n)
#define COPY_16(to, from) memcpy(to, from, 16)
#define COMMIT() ((void)0)
#define SWP_WAIT_VM(n) ((void)0)
#define SWP_WAIT_LGKM(n) ((void)0)
#define SWP_BARRIER() ((void)pthread_barrier_wait(&meeting))
"""
MAIN = r"""
enum { M = 128, N = 192 };
static std::vector<float> a, b, c;
static int k;
static void *thread(void *number)
{
    threadIdx.x = (unsigned)(size_t)number;
    product(a.data(), b.data(), c.data(), N, k);
    return nullptr;
}
int main()
{
    int wrong = 0;
    pthread_barrier_init(&meeting, nullptr, 128);
    for (int tiles = 0; tiles <= 9; tiles++) {
        k = tiles * 16;
        a.assign(M * k, 0), b.assign(k * N, 0), c.assign(M * N, -1);
        for (float &each : a) each = float(rand() % 64);
        for (float &each : b) each = float(rand() % 64);
        for (blockIdx.y = 0; blockIdx.y < M / 64; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < N / 64; blockIdx.x++) {
                pthread_t threads[128];
                for (size_t i = 0; i < 128; i++) pthread_create(&threads[i], nullptr, thread, (void *)i);
                for (pthread_t each : threads) pthread_join(each, nullptr);
            }
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float sum = 0;
                for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * N + j];
                wrong += sum != c[i * N + j];
            }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
"""


def runs_on_a_cpu(source):
    with tempfile.TemporaryDirectory() as scratch:
        with open(f"{scratch}/product.cpp", "w") as file:
            file.write(ON_A_CPU + source.replace('extern "C"', "") + MAIN)
        subprocess.run(["g++", "-std=c++17", "-O2", "-pthread", f"{scratch}/product.cpp", "-o", f"{scratch}/product"], check=True)
        return subprocess.run([f"{scratch}/product"], capture_output=True).returncode == 0


def main():
    source = product.source()
    check_ptx(source)
    assert runs_on_a_cpu(source), "wrong on a CPU"
    for right, wrong in (("tile * 16 + chunk", "tile * 15 + chunk"), ("multiply(slot_a, slot_b)", "multiply(slot_a, 0)")):
        assert right in source and not runs_on_a_cpu(source.replace(right, wrong)), f"`{wrong}` goes unseen"
    print("cuda.run_time: right on a CPU for 0 to 9 tiles, and wrong with each of 2 mistakes; not run on a GPU")


main()
