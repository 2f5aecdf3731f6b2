#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A matrix product whose main loop is a schedule: described, proven, compiled and run on an NVIDIA GPU by one script.

    python3 product.py [M N K]

M and N are multiples of 64, K of 16. Takes CuPy (`pip install cupy-cuda13x`, or 12x) and a GPU from sm_80 on; the result is compared
with NumPy's in double precision.
"""

import sys

import swp

# C = A B in fp32, all row-major. A block of 128 threads has 64 x 64 of C, a thread 8 x 4 of them.
KERNEL = r"""
#ifndef COPY_16
#define COPY_16(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" \
    :: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#endif

#define PRODUCT_LOAD_A(ctx, i, slot) (ctx).load_a(i, slot)
#define PRODUCT_LOAD_B(ctx, i, slot) (ctx).load_b(i, slot)
#define PRODUCT_MULTIPLY(ctx, i, sum, slot_a, slot_b) (ctx).multiply(slot_a, slot_b)

struct block_of_c {
    const float *a, *b;
    int n, k, thread;
    float (*shared_a)[64][16], (*shared_b)[16][64];
    float sum[8][4];

    __device__ void load_a(int tile, int slot)
    {
        for (int chunk = thread; chunk < 64 * 4; chunk += 128)
            COPY_16(&shared_a[slot][chunk / 4][chunk % 4 * 4], a + (long long)(chunk / 4) * k + tile * 16 + chunk % 4 * 4);
        COMMIT();
    }
    __device__ void load_b(int tile, int slot)
    {
        for (int chunk = thread; chunk < 16 * 16; chunk += 128)
            COPY_16(&shared_b[slot][chunk / 16][chunk % 16 * 4], b + (tile * 16LL + chunk / 16) * n + chunk % 16 * 4);
        COMMIT();
    }
    __device__ void multiply(int slot_a, int slot_b)
    {
        for (int i = 0; i < 16; i++)
            for (int row = 0; row < 8; row++)
                for (int column = 0; column < 4; column++)
                    sum[row][column] += shared_a[slot_a][thread / 16 * 8 + row][i] * shared_b[slot_b][i][thread % 16 * 4 + column];
    }
};

extern "C" __global__ void __launch_bounds__(128) product(const float *a, const float *b, float *c, int n, int k)
{
    alignas(16) __shared__ float shared_a[PRODUCT_SLOTS_a][64][16];
    alignas(16) __shared__ float shared_b[PRODUCT_SLOTS_b][16][64];
    const long long row = blockIdx.y * 64, column = blockIdx.x * 64;
    block_of_c block = {a + row * k, b + column, n, k, (int)threadIdx.x, shared_a, shared_b, {}};
    PRODUCT_RUN(block, k / 16, 0);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            c[(row + block.thread / 16 * 8 + i) * n + column + block.thread % 16 * 4 + j] = block.sum[i][j];
}
"""


def schedule() -> swp.Schedule:
    """One iteration is a tile of A, one of B, and what is multiplied; which is proven safe, or refused."""
    loop = swp.Loop("product", target="sm_80", units={"global_mem": 1, "valu": 1})
    loop.value("a", space="shared", bytes=64 * 16 * 4, slots=(2, 4))
    loop.value("b", space="shared", bytes=16 * 64 * 4, slots=(2, 4))
    loop.value("sum", space="registers", bytes=8 * 4 * 4)
    loop.op("LOAD_A", latency=600, uses={"global_mem": 64}, completion="counter", writes=["a"])
    loop.op("LOAD_B", latency=600, uses={"global_mem": 64}, completion="counter", writes=["b"])
    loop.op("MULTIPLY", latency=512, uses={"valu": 512}, reads=["a", "b"], updates=["sum"])
    return swp.compile(loop, proof="required")


def source() -> str:
    return schedule().header(prefix="PRODUCT") + KERNEL


def main() -> None:
    import cupy  # type: ignore[import-not-found]
    import numpy

    m, n, k = map(int, sys.argv[1:4]) if len(sys.argv) > 3 else (1024, 512, 768)
    if m % 64 or n % 64 or k % 16:
        sys.exit("M and N are multiples of 64, K of 16")
    random = numpy.random.default_rng(1)
    a, b = random.standard_normal((m, k), numpy.float32), random.standard_normal((k, n), numpy.float32)
    c = cupy.empty((m, n), cupy.float32)
    product = cupy.RawModule(code=source(), options=("-std=c++17",)).get_function("product")
    product((n // 64, m // 64), (128,), (cupy.asarray(a), cupy.asarray(b), c, numpy.int32(n), numpy.int32(k)))
    # By how much a sum of k products in fp32 may be off.
    bound = k * 2.0**-24 * (numpy.abs(a).astype(float) @ numpy.abs(b).astype(float))
    wrong = int((numpy.abs(c.get() - a.astype(float) @ b.astype(float)) > bound).sum())
    print(f"{m} x {n} x {k}: {wrong} elements wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
