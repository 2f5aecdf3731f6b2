#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels in TileLang, compiled to PTX for sm_80 and sm_90a without a GPU: code that nobody wrote for `swp audit`.

    audit_tilelang.py FOLDER [SUBSTRING]    writes FOLDER/NAME.ptx for every kernel whose name has SUBSTRING

They are products with and without a transposed factor, and attention, in the ways that TileLang's documents write them. For sm_90a it
has a warp group copy tiles for the others; for sm_80 all warps copy by cp.async. It needs the package tilelang, and nvcc.
"""

import sys
from pathlib import Path

import tilelang
import tilelang.language as T
from tilelang import tvm
from tilelang.contrib import nvcc

SIZE = 1024
HEADS = 4
ARCHITECTURES = ("sm_80", "sm_90a")

# Rows, columns and depth of a tile, stages, threads.
PRODUCTS = [(128, 128, 32, 3, 128), (128, 128, 64, 2, 128), (128, 128, 64, 3, 256), (128, 256, 64, 3, 256), (64, 64, 64, 4, 128), (256, 128, 64, 2, 256)]
# Queries and keys of a tile, stages, threads, width of a head.
ATTENTIONS = [(64, 64, 2, 128, 64), (128, 128, 2, 256, 64), (64, 64, 1, 128, 64), (128, 64, 2, 256, 64), (128, 128, 2, 256, 128)]


def product(rows, columns, depth, stages, threads, transposed):
    factor = (columns, depth) if transposed else (depth, columns)

    @T.prim_func
    def main(A: T.Tensor((SIZE, SIZE), "float16"), B: T.Tensor((SIZE, SIZE), "float16"), C: T.Tensor((SIZE, SIZE), "float16")):
        with T.Kernel(T.ceildiv(SIZE, columns), T.ceildiv(SIZE, rows), threads=threads) as (x, y):
            left = T.alloc_shared((rows, depth), "float16")
            right = T.alloc_shared(factor, "float16")
            total = T.alloc_fragment((rows, columns), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(SIZE, depth), num_stages=stages):
                T.copy(A[y * rows, k * depth], left)
                if transposed:
                    T.copy(B[x * columns, k * depth], right)
                else:
                    T.copy(B[k * depth, x * columns], right)
                T.gemm(left, right, total, transpose_B=transposed)
            T.copy(total, C[y * rows, x * columns])

    return main


def attention(rows, keys, stages, threads, width):
    shape = [SIZE, HEADS, width]

    @T.prim_func
    def main(Q: T.Tensor(shape, "float16"), K: T.Tensor(shape, "float16"), V: T.Tensor(shape, "float16"), O: T.Tensor(shape, "float16")):
        with T.Kernel(T.ceildiv(SIZE, rows), HEADS, threads=threads) as (x, head):
            query = T.alloc_shared((rows, width), "float16")
            key = T.alloc_shared((keys, width), "float16")
            value = T.alloc_shared((keys, width), "float16")
            scores = T.alloc_fragment((rows, keys), "float32")
            weights = T.alloc_fragment((rows, keys), "float16")
            total = T.alloc_fragment((rows, width), "float32")
            most, before, scale, part, whole = (T.alloc_fragment((rows,), "float32") for _ in range(5))
            T.copy(Q[x * rows : (x + 1) * rows, head, :], query)
            T.fill(total, 0)
            T.fill(whole, 0)
            T.fill(most, -T.infinity("float32"))
            for k in T.Pipelined(T.ceildiv(SIZE, keys), num_stages=stages):
                T.copy(K[k * keys : (k + 1) * keys, head, :], key)
                T.clear(scores)
                T.gemm(query, key, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(most, before)
                T.reduce_max(scores, most, dim=1, clear=False)
                for i in T.Parallel(rows):
                    scale[i] = T.exp2(before[i] - most[i])
                for i, j in T.Parallel(rows, keys):
                    scores[i, j] = T.exp2(scores[i, j] - most[i])
                T.reduce_sum(scores, part, dim=1)
                for i in T.Parallel(rows):
                    whole[i] = whole[i] * scale[i] + part[i]
                T.copy(scores, weights)
                for i, j in T.Parallel(rows, width):
                    total[i, j] *= scale[i]
                T.copy(V[k * keys : (k + 1) * keys, head, :], value)
                T.gemm(weights, value, total, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(rows, width):
                total[i, j] /= whole[i]
            T.copy(total, O[x * rows : (x + 1) * rows, head, :])

    return main


def kernels():
    for shape in PRODUCTS:
        for transposed in (False, True):
            name = "product" + "_transposed" * transposed
            yield "_".join([name, *map(str, shape)]), product(*shape, transposed)
    for shape in ATTENTIONS:
        yield "_".join(["attention", *map(str, shape)]), attention(*shape)


def ptx_of(kernel, architecture):
    target = tvm.target.Target({"kind": "cuda", "arch": architecture})
    with target:
        ptx = nvcc.get_ptx_from_source(tilelang.lower(kernel, target=target).kernel_source)
    return ptx if isinstance(ptx, str) else bytes(ptx).decode()


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    folder.mkdir(parents=True, exist_ok=True)
    for name, kernel in kernels():
        for architecture in ARCHITECTURES:
            file = folder / f"{name}_{architecture}.ptx"
            if part in file.name:
                file.write_text(ptx_of(kernel, architecture), encoding="utf-8")
                print(file, flush=True)


if __name__ == "__main__":
    main()
