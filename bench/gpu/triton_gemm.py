# SPDX-License-Identifier: Apache-2.0
"""A pipelined bf16 GEMM in Triton, to time against: A row-major, B with K contiguous, C row-major."""
import torch
import triton
import triton.language as tl

# BM, BN, BK, warps, stages
CONFIGURATIONS = [
    (128, 256, 64, 8, 3), (128, 256, 64, 8, 4), (256, 128, 64, 8, 3), (256, 128, 64, 8, 4),
    (128, 128, 64, 4, 3), (128, 128, 64, 4, 4), (128, 128, 64, 8, 4), (128, 128, 128, 8, 3),
    (128, 256, 32, 8, 4), (256, 128, 32, 8, 4), (64, 256, 64, 4, 4), (256, 64, 64, 4, 4),
    (128, 64, 64, 4, 4), (128, 256, 128, 8, 2), (256, 256, 64, 8, 3), (128, 192, 64, 8, 3),
]
BAND = 8  # rows of blocks that run together


@triton.jit
def gemm(a, b, c, m, n, k, lda, ldb, ldc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
         BAND: tl.constexpr):
    blocks_m, blocks_n = tl.cdiv(m, BM), tl.cdiv(n, BN)
    block = tl.program_id(0)
    first = block // (BAND * blocks_n) * BAND
    rows = min(blocks_m - first, BAND)
    row = first + block % (BAND * blocks_n) % rows
    column = block % (BAND * blocks_n) // rows
    at_m = (row * BM + tl.arange(0, BM)) % m
    at_n = (column * BN + tl.arange(0, BN)) % n
    at_k = tl.arange(0, BK)
    from_a = a + at_m[:, None] * lda + at_k[None, :]
    from_b = b + at_n[None, :] * ldb + at_k[:, None]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for done in range(0, k, BK):
        x = tl.load(from_a, mask=at_k[None, :] < k - done, other=0.0)
        y = tl.load(from_b, mask=at_k[:, None] < k - done, other=0.0)
        total = tl.dot(x, y, total)
        from_a += BK
        from_b += BK
    to_m = row * BM + tl.arange(0, BM)
    to_n = column * BN + tl.arange(0, BN)
    inside = (to_m[:, None] < m) & (to_n[None, :] < n)
    tl.store(c + to_m[:, None] * ldc + to_n[None, :], total.to(tl.bfloat16), mask=inside)


def launcher(configuration):
    """A function of (a, b, c) for torch tensors: m x k, n x k, m x n."""
    bm, bn, bk, warps, stages = configuration

    def launch(a, b, c):
        (m, k), n = a.shape, b.shape[0]
        grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
        gemm[grid](a, b, c, m, n, k, a.stride(0), b.stride(0), c.stride(0), BM=bm, BN=bn, BK=bk,
                   BAND=BAND, num_warps=warps, num_stages=stages)

    return launch


def usable(a, b, c, report):
    """The configurations that compile and run here, with their launchers."""
    found = []
    for configuration in CONFIGURATIONS:
        launch = launcher(configuration)
        try:
            launch(a, b, c)
            torch.cuda.synchronize()
        except Exception as error:  # too much shared memory, or a failure of the compiler
            report(f"triton {configuration}: {type(error).__name__}")
            continue
        found.append((configuration, launch))
    return found
