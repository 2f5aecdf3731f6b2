#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does the `fault` that `swp audit` finds in Triton's gated_mlp for sm_90 happen on this machine's GPU? (docs/audit.md)

usage: triton_gated_mlp.py PTX [ROUNDS]   (600)

PTX is what `bench/audit_triton_messy.py FOLDER sm_90` writes as sm_90_gated_mlp.ptx. The kernel as it is and with a wait
for all of its products run alone, and beside a kernel that keeps the tensor cores busy, so that products are late;
each result must have the same bits. Exit status: 1 if those of the mended kernel do not.
"""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

import torch

ROWS, COLUMNS, DEPTH = 1024, 1024, 4096
BLOCK, THREADS = 64, 128
SHARED_BYTES = 40960
ROUNDS = 600
BUSY = {"blocks": 132, "threads": 256, "times": 4000}
WAIT = "wgmma.wait_group.sync.aligned 2;"
PTX_VERSION = "8.7"  # has all that the kernel uses; Triton writes that of its own ptxas

cuda = ctypes.CDLL("libcuda.so.1")


def require(status, what):
    if status:
        sys.exit(f"{what}: CUDA error {status}")


def load(path, name):
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    with open(path, "rb") as file:
        require(cuda.cuModuleLoadData(ctypes.byref(module), file.read()), path)
    require(cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()), name)
    return function


def launch(function, grid, threads, shared, stream, *values):
    boxes = [ctypes.c_uint64(v.data_ptr()) if torch.is_tensor(v) else ctypes.c_uint64(0) if v is None else ctypes.c_int(v)
             for v in values]
    pointers = (ctypes.c_void_p * len(boxes))(*(ctypes.addressof(box) for box in boxes))
    require(cuda.cuLaunchKernel(function, *grid, threads, 1, 1, shared, ctypes.c_void_p(stream.cuda_stream), pointers, None),
            "launch")


def assemble(text, folder, name):
    source = os.path.join(folder, name + ".ptx")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.check_call(["ptxas", "-arch=sm_90a", "-o", source + ".cubin", source])
    return load(source + ".cubin", "gated_mlp")


def compiled(path, folder):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^\.version .*$", ".version " + PTX_VERSION, file.read(), flags=re.MULTILINE)
    if text.count(WAIT) != 1:
        sys.exit(f"{path}: has `{WAIT}` {text.count(WAIT)} times, not once: this Triton compiles it otherwise")
    busy = os.path.join(folder, "busy.cubin")
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.check_call(["nvcc", "-arch=sm_90a", "-cubin", "-o", busy, os.path.join(here, "busy_tensor_cores.cu")])
    return {"mended": assemble(text.replace(WAIT, WAIT.replace("2", "0")), folder, "mended"),
            "as compiled": assemble(text, folder, "as_compiled")}, load(busy, "keep_busy")


def reference(x, w, v):
    rows = x.double()
    scale = torch.rsqrt((rows * rows).sum(1) / DEPTH + 1e-6)[:, None]
    gate = rows @ w.double() * scale
    return gate * torch.sigmoid(gate) * (rows @ v.double()) * scale


def main(path, rounds=ROUNDS):
    torch.manual_seed(1)
    x, w, v = (torch.randn(size, device="cuda").bfloat16() for size in ((ROWS, DEPTH), (DEPTH, COLUMNS), (DEPTH, COLUMNS)))
    ours, theirs = torch.cuda.Stream(), torch.cuda.Stream()
    sink = torch.zeros(1, device="cuda")
    with tempfile.TemporaryDirectory() as folder:
        kernels, busy = compiled(path, folder)

    def run(which, beside):
        y = torch.zeros(ROWS, COLUMNS, device="cuda", dtype=torch.bfloat16)
        torch.cuda.synchronize()
        if beside:
            launch(busy, (BUSY["blocks"], 1, 1), BUSY["threads"], 0, theirs, BUSY["times"], sink)
        launch(kernels[which], (ROWS // BLOCK, COLUMNS // BLOCK, 1), THREADS, SHARED_BYTES, ours, x, w, v, y, ROWS, COLUMNS,
               DEPTH, None, None)
        torch.cuda.synchronize()
        return y

    right = run("mended", False)
    wanted = reference(x, w, v)
    error = (right.double() - wanted).abs().max() / wanted.abs().max()
    print(f"{torch.cuda.get_device_name()}: mended against float64: largest error {error:.4f} of the largest value")
    unlike = {}
    for which in kernels:
        for beside in (False, True):
            results = [(run(which, beside).view(torch.int16) != right.view(torch.int16)).sum().item() for _ in range(rounds)]
            unlike[which] = unlike.get(which, 0) + sum(results)
            print(f"{which}, {'beside a kernel that keeps the tensor cores busy' if beside else 'alone'}: "
                  f"{sum(map(bool, results))} of {rounds} results differ, in {sum(results)} elements", flush=True)
    return 1 if unlike["mended"] or error > 0.01 else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
